//! The five opponents that people meet in every game.
//!
//! Where a trained table exists, a belt is its training age: the same learner, stopped earlier. Elsewhere a belt is
//! how far the machine looks ahead. Black is perfect wherever the game is solved.

use serde::{Deserialize, Serialize};

use crate::agents::{Agent, Lookahead, Perfect, Random, Solvable, ValueTable};
use crate::bank::{Bank, Entry, Kind, Meta, Number};
use crate::game::GameMove;
use crate::games::{AnyGame, GameId, Sticks, TicTacToe};
use crate::rng::Rng;

/// A level of strength, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Belt {
    /// A child can beat it.
    White = 0,
    /// The second.
    Yellow = 1,
    /// The third.
    Green = 2,
    /// The fourth.
    Brown = 3,
    /// As strong as the machine gets.
    Black = 4,
}

impl Belt {
    /// All belts, weakest first.
    pub const ALL: [Belt; 5] = [Belt::White, Belt::Yellow, Belt::Green, Belt::Brown, Belt::Black];

    /// The name used in commands and banks.
    pub const fn name(self) -> &'static str {
        match self {
            Belt::White => "white",
            Belt::Yellow => "yellow",
            Belt::Green => "green",
            Belt::Brown => "brown",
            Belt::Black => "black",
        }
    }

    /// The name that a player reads.
    pub const fn title(self) -> &'static str {
        match self {
            Belt::White => "White",
            Belt::Yellow => "Yellow",
            Belt::Green => "Green",
            Belt::Brown => "Brown",
            Belt::Black => "Black",
        }
    }

    /// The belt of this name.
    pub fn from_name(name: &str) -> Option<Belt> {
        Belt::ALL.into_iter().find(|belt| belt.name() == name)
    }

    /// The belt with this number.
    pub fn from_code(code: u8) -> Option<Belt> {
        Belt::ALL.get(usize::from(code)).copied()
    }

    /// How often a trained belt plays at random instead, in 1/2³²: white does with every eighth move, so that a child
    /// finds openings in it.
    pub const fn slips(self) -> u32 {
        match self {
            Belt::White => 1 << 29,
            _ => 0,
        }
    }

    /// How many moves ahead a belt without a table looks; black looks to the end.
    fn plies(self) -> usize {
        self as usize + 1
    }
}

/// What to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub game: AnyGame,
    /// Who is asked.
    pub belt: Belt,
    /// All chance in the answer comes from this number.
    pub seed: u64,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A trained model of the bank.
    Brain,
    /// Rules or search: there is no model for this game or these options, or no bank.
    Rules,
}

/// A move and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The index of the move.
    pub index: u16,
    /// What chose it.
    pub source: Source,
}

/// Answers a question; `None` if the game is over.
///
/// A model whose payload is damaged is not used: the rules answer then.
pub fn think(question: &Question, bank: Option<&Bank<'_>>) -> Option<Answer> {
    let mut rng = Rng::new(question.seed);
    match &question.game {
        AnyGame::Sticks(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
        AnyGame::TicTacToe(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
    }
}

/// A belt as an agent.
#[derive(Clone, Copy, Debug)]
pub struct BeltPlayer<'a> {
    /// Which belt.
    pub belt: Belt,
    /// Where its models are, if there are any.
    pub bank: Option<&'a Bank<'a>>,
}

impl BeltPlayer<'_> {
    fn answer<G: Belted>(&self, game: &G, rng: &mut Rng) -> Option<Answer> {
        if let Some(mv) = self.by_brain(game, rng) {
            return Some(Answer { index: mv.index(), source: Source::Brain });
        }
        let mv = match self.belt {
            Belt::Black => Perfect.choose(game, rng),
            belt => Lookahead { plies: belt.plies() }.choose(game, rng),
        }?;
        Some(Answer { index: mv.index(), source: Source::Rules })
    }

    fn by_brain<G: Belted>(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let serves = |entry: &Entry<'_>| entry.meta.belt == Some(self.belt) && G::fits(game.rules(), &entry.meta);
        let values = self.bank?.entries().find(serves)?.payload().ok()?;
        // A belt without slips takes nothing from the generator.
        if self.belt.slips() > 0 && rng.chance(self.belt.slips()) {
            return Random.choose(game, rng);
        }
        game.by_model(values, rng)
    }
}

impl<G: Belted> Agent<G> for BeltPlayer<'_> {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        self.answer(game, rng).and_then(|answer| G::Move::from_index(answer.index))
    }
}

/// A game with belts.
pub trait Belted: Solvable {
    /// Whether a model is one that can play under these rules.
    fn fits(rules: Self::Rules, model: &Meta) -> bool;

    /// The move of a model that [`Belted::fits`], from its payload.
    fn by_model(&self, payload: &[u8], rng: &mut Rng) -> Option<Self::Move>;
}

/// No models: looking ahead is enough.
impl Belted for TicTacToe {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model(&self, _: &[u8], _: &mut Rng) -> Option<Self::Move> {
        None
    }
}

/// A byte a state, for the classic rules.
impl Belted for Sticks {
    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let states = rules.rows().map(|row| u16::from(row) + 1);
        rules == Default::default()
            && (model.game, model.kind, model.number) == (GameId::Sticks, Kind::ValueTable, Number::U8)
            && model.dims == [states[0], states[1], states[2], 0]
    }

    fn by_model(&self, payload: &[u8], rng: &mut Rng) -> Option<Self::Move> {
        ValueTable(payload).choose(self, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::AnyRules;

    #[test]
    fn every_belt_answers_every_game_without_a_bank() {
        for id in GameId::ALL {
            for belt in Belt::ALL {
                let mut game = AnyRules::new(id).start();
                let mut seed = 0;
                while game.outcome().is_none() {
                    let answer = think(&Question { game, belt, seed }, None).unwrap();
                    assert_eq!(answer.source, Source::Rules);
                    game.play(answer.index).unwrap();
                    seed += 1;
                }
                assert_eq!(think(&Question { game, belt, seed }, None), None);
            }
        }
    }
}
