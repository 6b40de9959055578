//! Which stones are dead once both players have passed: those that do not hold their place when the game is played on.

use super::board::{AROUND, Board, Cell, EDGE, EMPTY, cell_of, colour, step};
use super::playout::Style;
use super::points::{NUMBERS, Points};
use crate::game::Player;
use crate::games::Go;
use crate::rng::Rng;

/// How often the game is played on.
const GAMES: u32 = 64;
/// A block that holds its place in fewer of a thousand games is dead.
const ALIVE: u16 = 500;

/// Every block, and how often it holds its place when the game is played on, in thousandths. The same stones get the
/// same answer.
pub fn survival(game: &Go) -> impl Iterator<Item = (Points, u16)> + use<> {
    let stones = *game.stones();
    let mut rng = Rng::new(stones.hash());
    let mut held = [0u8; NUMBERS];
    let start = Board::new(game);
    for number in 0..GAMES {
        let mut board = start;
        board.passes = 0;
        // Either may move first.
        board.turn = Player::BOTH[number as usize % 2];
        board.playout(&Style::KNOWING, &mut rng);
        for player in Player::BOTH {
            for point in stones.of(player) {
                held[point.number()] += u8::from(is_held(&board, cell_of(point), colour(player)));
            }
        }
    }
    stones.blocks().map(move |(_, block)| {
        let held: u32 = { block }.map(|point| u32::from(held[point.number()])).sum();
        (block, (1000 * held / (GAMES * block.len())) as u16)
    })
}

/// Whether a cell is a colour's at the end of a playout, when only eyes are empty.
fn is_held(board: &Board, cell: Cell, own: u8) -> bool {
    let at = |cell: Cell| board.colours[usize::from(cell)];
    match at(cell) {
        EMPTY => AROUND[..4].iter().map(|&by| at(step(cell, by))).all(|colour| colour == own || colour == EDGE),
        colour => colour == own,
    }
}

/// The stones that are dead.
pub fn dead_stones(game: &Go) -> Points {
    survival(game).filter(|&(_, chance)| chance < ALIVE).fold(Points::EMPTY, |dead, (block, _)| dead | block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::GoRules;
    use crate::games::go::GoMove;

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
