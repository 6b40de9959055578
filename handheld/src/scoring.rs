//! The scoring phase: an optional phase after the last move of a game.
//!
//! In most games the final position decides the result. A game with a scoring phase
//! ([`crate::boards::Board::SCORING`]) leaves open which pieces still count: the machine proposes
//! places to mark, a person changes the marks, and the score without the marked pieces becomes the
//! result once it is agreed on.

use core::ops::BitOr;

use dojo_core::games::AnyGame;
use dojo_core::players::belts::Thought;
use serde::{Deserialize, Serialize};

use crate::boards;

/// A set of places on a board, each named by the index of the move that would be played there
/// (below 96). Its bytes stand in saved games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marked([u32; 3]);

impl Marked {
    const CAPACITY: u16 = 96;

    pub(crate) fn contains(self, place: u16) -> bool {
        self.0
            .get(usize::from(place / 32))
            .is_some_and(|word| word >> (place % 32) & 1 == 1)
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Marked::default()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u16> {
        (0..Marked::CAPACITY).filter(move |&place| self.contains(place))
    }

    fn without(self, other: Marked) -> Marked {
        Marked(core::array::from_fn(|word| self.0[word] & !other.0[word]))
    }
}

impl BitOr for Marked {
    type Output = Marked;

    fn bitor(self, other: Marked) -> Marked {
        Marked(core::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl FromIterator<u16> for Marked {
    fn from_iter<I: IntoIterator<Item = u16>>(places: I) -> Marked {
        let mut marked = Marked::default();
        for place in places {
            if let Some(word) = marked.0.get_mut(usize::from(place / 32)) {
                *word |= 1 << (place % 32);
            }
        }
        marked
    }
}

/// How far the players have agreed on the score. The layout stands in saved games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Scoring {
    /// Places whose pieces do not count.
    pub(crate) marked: Marked,
    /// Whether the machine or a person has decided about the marks.
    pub(crate) judged: bool,
    /// Whether the score stands.
    pub(crate) agreed: bool,
}

impl Scoring {
    /// Drops what this position does not allow: bytes from storage are not trusted.
    pub(crate) fn checked(self, game: &AnyGame) -> Scoring {
        if !boards::has_scoring(game.id()) || game.outcome().is_none() {
            return Scoring::default();
        }
        let has_piece = |&place: &u16| !boards::marked_together(game, place).is_empty();
        Scoring {
            marked: self.marked.iter().filter(has_piece).collect(),
            ..self
        }
    }

    /// Takes the machine's proposal, unless the marks have been decided on already.
    pub(crate) fn judge(&mut self, game: &AnyGame, values: &[Thought]) {
        if !core::mem::replace(&mut self.judged, true) {
            self.marked = self.marked | boards::proposed_marks(game, values);
        }
    }

    /// Marks or clears a place and all that belong to it. Returns whether there is a piece to mark.
    pub(crate) fn toggle(&mut self, game: &AnyGame, place: u16) -> bool {
        let group = boards::marked_together(game, place);
        if group.is_empty() {
            return false;
        }
        self.marked = if self.marked.contains(place) {
            self.marked.without(group)
        } else {
            self.marked | group
        };
        self.judged = true;
        true
    }
}
