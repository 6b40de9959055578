//! What the moves leave open at the end of a game: who gave up, and which stones of Go are dead.

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::go::players::ALIVE;
use dojo_core::games::go::{GoMove, Point, Points};
use dojo_core::games::{AnyGame, Go};
use dojo_core::players::belts::Thought;
use serde::{Deserialize, Serialize};

/// What the players have said about the end of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settlement {
    /// The player of the game who gave up.
    pub(crate) resigned: Option<Player>,
    /// Stones that are taken for dead.
    pub(crate) dead: Points,
    /// Whether somebody, the machine or a person, has said which stones are dead.
    pub(crate) judged: bool,
    /// Whether the count stands.
    pub(crate) agreed: bool,
}

impl Settlement {
    /// As much of it as this position allows: what comes from storage is not trusted.
    pub(crate) fn checked(self, game: &AnyGame) -> Settlement {
        match game {
            AnyGame::Go(game) if game.is_over() => Settlement {
                dead: self.dead & game.stones().all(),
                ..self
            },
            _ => Settlement {
                resigned: self.resigned,
                ..Settlement::default()
            },
        }
    }

    /// The machine's word: for each stone, by its point, how sure it lives. A person's word stands.
    pub(crate) fn judge(&mut self, game: &Go, chances: &[Thought]) {
        if !core::mem::replace(&mut self.judged, true) {
            let dead = chances.iter().filter(|thought| thought.value < ALIVE);
            let points = dead.filter_map(|thought| GoMove::from_index(thought.index)?.point());
            self.dead = points.fold(self.dead, |dead, point| dead | game.stones().block(point));
        }
    }

    /// A person's word: the block on this point is dead, or is not. Says whether there is a block.
    ///
    /// Only the block: where a game was left early, other stones hang together with it over the whole board.
    pub(crate) fn toggle(&mut self, game: &Go, point: Point) -> bool {
        let block = game.stones().block(point);
        if block.is_empty() {
            return false;
        }
        self.dead = if self.dead.contains(point) {
            self.dead.without(block)
        } else {
            self.dead | block
        };
        self.judged = true;
        true
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::Write;

    use super::*;
    use dojo_core::games::GoRules;

    fn game() -> Go {
        // White's A1 and A5 and black's E2 are dead.
        let text = "O.X.O/.XXOO/XX.O./.XXOX/OXXO. black";
        Go::parse_position(GoRules::new(5).unwrap(), text).unwrap()
    }

    fn names(points: Points) -> heapless::String<64> {
        let mut names = heapless::String::new();
        { points }.for_each(|point| write!(names, "{point} ").unwrap());
        names
    }

    fn at(name: &str) -> Point {
        Point::parse(name).unwrap()
    }

    #[test]
    fn blocks_die_and_rise_as_a_whole() {
        let game = game();
        let mut settlement = Settlement::default();
        assert!(!settlement.toggle(&game, at("B5")) && !settlement.judged);
        assert!(settlement.toggle(&game, at("A5")) && settlement.judged);
        settlement.toggle(&game, at("E4"));
        assert_eq!(names(settlement.dead), "D1 D2 D3 D4 E4 A5 E5 ");
        settlement.toggle(&game, at("E5"));
        assert_eq!(names(settlement.dead), "A5 ");
    }

    #[test]
    fn the_machine_proposes_and_a_person_decides() {
        let game = game();
        let doubtful = |name: &str, value| Thought {
            index: GoMove::Stone(at(name)).index(),
            value,
        };
        let chances = [
            doubtful("A5", 100),
            doubtful("A1", ALIVE - 1),
            doubtful("E2", ALIVE),
        ];
        let mut settlement = Settlement::default();
        settlement.judge(&game, &chances);
        assert_eq!(names(settlement.dead), "A1 A5 ");
        settlement.toggle(&game, at("A1"));
        settlement.judge(&game, &chances);
        assert_eq!(names(settlement.dead), "A5 ");
    }
}
