//! Who owns which point at the end, by playing the position out many times.

use crate::game::Player;
use crate::games::Go;
use crate::games::go::board::cell_of;
use crate::games::go::{Board, Point, Points, Style};
use crate::rng::Rng;

/// How often each point was black's at the end of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ownership {
    black: [u16; 90],
    playouts: u16,
}

impl Ownership {
    /// Plays a position out so many times.
    pub fn new(game: &Go, playouts: u16, rng: &mut Rng) -> Ownership {
        let mut ownership = Ownership { black: [0; 90], playouts: playouts.max(1) };
        let start = Board::new(game);
        for _ in 0..ownership.playouts {
            let mut board = start;
            board.reopen();
            board.playout(&Style::KNOWING, rng);
            for point in game.board() {
                if board.owner(cell_of(point)) == Some(Player::First) {
                    ownership.black[point.number()] += 1;
                }
            }
        }
        ownership
    }

    /// How sure a point is black's, in thousandths: 0 for white's.
    pub fn of_black(&self, point: Point) -> u16 {
        let black = self.black.get(point.number()).copied().unwrap_or(0);
        (u32::from(black) * 1000 / u32::from(self.playouts)) as u16
    }

    /// Whether every point has an owner that hardly ever changes: nothing is left to play for.
    pub fn is_settled(&self, game: &Go) -> bool {
        game.board().all(|point| !(SURE..=1000 - SURE).contains(&self.of_black(point)))
    }
}

/// A point is settled if its owner loses it in less than so many of a thousand playouts.
const SURE: u16 = 100;
/// Playouts for a judgement.
const PLAYOUTS: u16 = 200;

/// A block that keeps its points in fewer of a thousand playouts is dead.
pub const ALIVE: u16 = 400;

/// The blocks, and how sure each keeps its points, in thousandths: a block is judged as a whole, by the average of them.
pub fn survival(game: &Go, rng: &mut Rng) -> impl Iterator<Item = (Points, u16)> + use<> {
    let ownership = Ownership::new(game, PLAYOUTS, rng);
    game.stones().blocks().map(move |(player, block)| {
        let black: u32 = block.map(|point| u32::from(ownership.of_black(point))).sum::<u32>() / block.len().max(1);
        let kept = if player == Player::First { black } else { 1000 - black };
        (block, kept as u16)
    })
}

/// The stones that are dead as the game stands: blocks whose points are mostly the opponent's in the end.
pub fn dead_stones(game: &Go, rng: &mut Rng) -> Points {
    let dead = survival(game, rng).filter(|&(_, kept)| kept < ALIVE);
    dead.fold(Points::EMPTY, |dead, (block, _)| dead | block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::GoRules;

    fn game(text: &str) -> Go {
        Go::parse_position(GoRules::new(7).unwrap(), text).unwrap()
    }

    #[test]
    fn a_lone_stone_in_foreign_territory_is_dead() {
        let game = game("..XO.../X.XO.O./..XO.../OXXO.O./..XO.X./X.XO.O./..XO... black");
        let mut dead = Points::EMPTY;
        dead.insert(Point::parse("A4").unwrap());
        dead.insert(Point::parse("F3").unwrap());
        assert_eq!(dead_stones(&game, &mut Rng::new(1)), dead);
        let ownership = Ownership::new(&game, 200, &mut Rng::new(2));
        assert!(ownership.of_black(Point::parse("A1").unwrap()) > 900);
        assert!(ownership.of_black(Point::parse("G1").unwrap()) < 100);
    }

    #[test]
    fn a_game_that_has_hardly_begun_is_not_settled_and_a_finished_one_is() {
        let ownership = |game: &Go| Ownership::new(game, 100, &mut Rng::new(3));
        let empty = Go::new(GoRules::new(7).unwrap());
        assert!(!ownership(&empty).is_settled(&empty));
        let finished = game(".X.XO../X.XXO../.XXOO../XXXO.O./.XXOO../X.XXO../.X.XO.. black");
        assert!(ownership(&finished).is_settled(&finished));
    }
}
