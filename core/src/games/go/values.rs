//! Evaluations of Go for a plain search.

use crate::game::{Game, Outcome, Player};
use crate::games::Go;
use crate::search::{Knowledge, Value};

/// The present area score in half points: useful in a game that is nearly over, and hardly before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Area;

impl Knowledge<Go> for Area {
    fn horizon(&self, game: &Go) -> Value {
        match game.turn() {
            Player::First => game.score(),
            Player::Second => -game.score(),
        }
    }

    fn end(&self, game: &Go, _: Outcome, _: u8) -> Value {
        self.horizon(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_counts_for_the_player_to_move() {
        let mut game = Go::new(Default::default());
        game.play(game.parse_move("E5").unwrap()).unwrap();
        let score = game.score();
        assert!(score > 0, "the whole board is Black's");
        assert_eq!((game.turn(), Area.horizon(&game)), (Player::Second, -score));
        game.play(game.parse_move("pass").unwrap()).unwrap();
        assert_eq!((game.turn(), Area.horizon(&game)), (Player::First, score));
    }
}
