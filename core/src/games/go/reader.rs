//! Tactical reading: can a block be captured by a sequence of ataris? Finds ladders, one-move nets,
//! and throw-ins that work at once.
//!
//! Only blocks with one or two liberties are read; a block that gets a third one has escaped. Ko is
//! ignored.

use super::points::{Point, Points};
use super::stones::Stones;
use crate::game::Player;

/// Positions that are read for one block; a longer chase counts as escaped.
const PATIENCE: u8 = 60;

/// The result of reading a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fate {
    /// Captured if the opponent moves first.
    pub in_danger: bool,
    /// Captured even if the owner moves first.
    pub lost: bool,
}

impl Stones {
    /// Reads a block of a player.
    pub fn fate(&self, owner: Player, block: Points, board: Points) -> Fate {
        let Some(stone) = block.first() else {
            return Fate::default();
        };
        let liberties = self.liberties(block, board);
        if liberties.len() > 2 {
            return Fate::default();
        }
        let reader = |patience| Reader {
            board,
            owner,
            stone,
            patience,
        };
        let in_danger = liberties.has_one() || reader(PATIENCE).is_caught(self);
        Fate {
            in_danger,
            lost: in_danger && !reader(PATIENCE).is_saved(self, block, liberties),
        }
    }
}

struct Reader {
    board: Points,
    owner: Player,
    stone: Point,
    patience: u8,
}

impl Reader {
    /// Whether the opponent, to move, captures the block.
    fn is_caught(&mut self, stones: &Stones) -> bool {
        let Some(left) = self.patience.checked_sub(1) else {
            return false;
        };
        self.patience = left;
        let block = Points::of(self.stone).flooded(stones.of(self.owner));
        let liberties = stones.liberties(block, self.board);
        match liberties.len() {
            0 | 1 => true,
            2 => { liberties }.any(|point| {
                let mut next = *stones;
                next.place(!self.owner, point, self.board);
                let breathes = !next.liberties(next.block(point), self.board).is_empty();
                breathes && !self.is_saved(&next, block, liberties.without(Points::of(point)))
            }),
            _ => false,
        }
    }

    /// Whether the owner, to move, saves the block: by capturing a block next to it, or by
    /// extending.
    fn is_saved(&mut self, stones: &Stones, block: Points, liberties: Points) -> bool {
        let mut enemies = block.around() & stones.of(!self.owner);
        let mut moves = liberties;
        while let Some(stone) = enemies.first() {
            let enemy = Points::of(stone).flooded(stones.of(!self.owner));
            enemies = enemies.without(enemy);
            moves |= stones
                .liberties(enemy, self.board)
                .only()
                .map_or(Points::EMPTY, Points::of);
        }
        moves.any(|point| {
            let mut next = *stones;
            next.place(self.owner, point, self.board);
            let block = Points::of(self.stone).flooded(next.of(self.owner));
            match next.liberties(block, self.board).len() {
                0 | 1 => false,
                2 => !self.is_caught(&next),
                _ => true,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Go, GoRules};

    /// The fate of the block at a point: in danger, lost.
    fn fate(text: &str, at: &str) -> (bool, bool) {
        let size = text.split('/').next().unwrap().len() as u8;
        let game = Go::parse_position(GoRules::new(size).unwrap(), text).unwrap();
        let point = Point::parse(at).unwrap();
        let stones = game.stones();
        let fate = stones.fate(stones.at(point).unwrap(), stones.block(point), game.board());
        (fate.in_danger, fate.lost)
    }

    #[test]
    fn stones_in_atari_run_or_not() {
        assert_eq!(
            fate("...../..X../.XOX./...../..... black", "C3"),
            (true, false)
        );
        // At the edge there is nowhere to run, unless a stone of the chain can be taken.
        assert_eq!(
            fate("...../...../...../XXX../XOO.. black", "B1"),
            (true, true)
        );
        assert_eq!(
            fate("...../...../...../.XX../XOO.. black", "B1"),
            (true, false)
        );
        assert_eq!(
            fate("...../...../...../...../..O.. black", "C1"),
            (false, false)
        );
    }

    #[test]
    fn a_ladder_works_until_a_friend_stands_in_its_way() {
        assert_eq!(
            fate(
                "......./......./.X...../.XO..../..XX.../......./....... black",
                "C4"
            ),
            (true, false)
        );
        assert_eq!(
            fate(
                "......./....O../.X...../.XO..../..XX.../......./....... black",
                "C4"
            ),
            (false, false)
        );
    }
}
