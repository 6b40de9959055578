//! Ownership of points and life of stones, estimated by playouts.

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
    /// Runs playouts from the end of a game or any other position.
    pub fn new(game: &Go, playouts: u16, rng: &mut Rng) -> Ownership {
        let mut ownership = Ownership {
            black: [0; 90],
            playouts: playouts.max(1),
        };
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

    /// Probability that a point is black's, in thousandths.
    pub fn of_black(&self, point: Point) -> u16 {
        let black = self.black.get(point.number()).copied().unwrap_or(0);
        (u32::from(black) * 1000 / u32::from(self.playouts)) as u16
    }

    /// Whether the owner of every point is settled.
    pub fn is_settled(&self, game: &Go) -> bool {
        game.board()
            .all(|point| !(SURE..=1000 - SURE).contains(&self.of_black(point)))
    }
}

/// A point is settled if its owner loses it in fewer than this many of a thousand playouts.
const SURE: u16 = 100;
/// Playouts to estimate the life of stones.
const PLAYOUTS: u16 = 200;
/// A block that survives fewer of a thousand playouts is dead.
pub const ALIVE: u16 = 400;

/// Every block and its probability of survival in thousandths: the mean ownership of its points.
/// The seed is the hash of the stones, so the answer is reproducible.
pub fn survival(game: &Go) -> impl Iterator<Item = (Points, u16)> {
    let ownership = Ownership::new(game, PLAYOUTS, &mut Rng::new(game.stones().hash()));
    game.stones().blocks().map(move |(player, block)| {
        let black: u32 = { block }
            .map(|point| u32::from(ownership.of_black(point)))
            .sum();
        let black = (black / block.len().max(1)) as u16;
        (
            block,
            if player == Player::First {
                black
            } else {
                1000 - black
            },
        )
    })
}

/// The dead stones of a position.
#[inline(never)] // flash is short
pub fn dead_stones(game: &Go) -> Points {
    survival(game)
        .filter(|&(_, chance)| chance < ALIVE)
        .fold(Points::EMPTY, |dead, (block, _)| dead | block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::GoRules;
    use crate::games::go::GoMove;

    fn game(text: &str) -> Go {
        Go::parse_position(GoRules::new(7).unwrap(), text).unwrap()
    }

    #[test]
    fn a_lone_stone_in_foreign_territory_is_dead() {
        let game = game("..XO.../X.XO.O./..XO.../OXXO.O./..XO.X./X.XO.O./..XO... black");
        let mut dead = Points::EMPTY;
        dead.insert(Point::parse("A4").unwrap());
        dead.insert(Point::parse("F3").unwrap());
        assert_eq!(dead_stones(&game), dead);
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

    fn dead(size: u8, text: &str) -> heapless::Vec<heapless::String<2>, 81> {
        let mut game = Go::parse_position(GoRules::new(size).unwrap(), text).unwrap();
        game.play(GoMove::Pass).unwrap();
        game.play(GoMove::Pass).unwrap();
        let name = |point| {
            let mut name = heapless::String::new();
            core::fmt::Write::write_fmt(&mut name, format_args!("{point}")).unwrap();
            name
        };
        dead_stones(&game).map(name).collect()
    }

    #[test]
    fn lone_stones_in_the_others_area_are_dead() {
        assert_eq!(dead(5, ".XO../XXO.O/.XOO./OXXOO/.X.X. black"), ["A2"]);
        let text = "..X.O..../.OX.O.X../XXX.O..../..XOOO.../.XX.O.O../XXXXOOOOO/..X.X..../.XXXXXXX./........X black";
        assert_eq!(dead(9, text), ["B8", "G8"]);
    }

    #[test]
    fn nobody_is_dead_who_has_room() {
        assert!(dead(5, "...../...../...../...../..... black").is_empty());
        assert!(
            dead(9, "........./........./..X...O../........./........./........./..X...O../........./......... black")
                .is_empty()
        );
        // Both live with two eyes.
        assert!(dead(5, ".XO.O/XXOOO/.XO.O/XXOOO/.XO.O black").is_empty());
    }
}
