//! Priors of untried moves: virtual playouts, some of them won.

use crate::games::go::Board;
use crate::games::go::board::{Cell, NOWHERE, colour, point_of, sides};
use crate::games::go::patterns::is_shape;
use crate::games::go::policy::{NAT, is_open};

/// Virtual playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Prior {
    pub(super) visits: u16,
    pub(super) wins: u16,
}

impl Prior {
    /// The prior of a pass.
    pub(super) fn of_pass(even: u16) -> Prior {
        Prior {
            visits: even,
            wins: even / 4,
        }
    }

    fn won(&mut self, count: u16) {
        self.visits += count;
        self.wins += count;
    }

    fn lost(&mut self, count: u16) {
        self.visits += count;
    }

    /// Wins minus losses.
    pub(super) fn promise(self) -> i16 {
        2 * self.wins as i16 - self.visits as i16
    }
}

/// Weights of the kinds of knowledge, in virtual playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Half won, half lost: inertia against the first results.
    pub even: u16,
    /// Won: capturing one stone.
    pub take_one: u16,
    /// Won: capturing more than one stone.
    pub take_many: u16,
    /// Won: saving stones in atari.
    pub save: u16,
    /// Won: putting stones in atari with a safe stone.
    pub threaten: u16,
    /// Lost: self-atari.
    pub self_atari: u16,
    /// Won: one of the 3×3 patterns.
    pub shape: u16,
    /// Won: distance 1, 2 and 3 to the last move.
    pub near: [u16; 3],
    /// Far from all stones: won on the third line and above, lost on the first two.
    pub open: u16,
}

impl Weights {
    /// No knowledge.
    pub const NONE: Weights = Weights {
        even: 2,
        take_one: 0,
        take_many: 0,
        save: 0,
        threaten: 0,
        self_atari: 0,
        shape: 0,
        near: [0; 3],
        open: 0,
    };
    /// The strongest weights.
    pub const BEST: Weights = Weights {
        even: 10,
        take_one: 15,
        take_many: 30,
        save: 20,
        threaten: 8,
        self_atari: 10,
        shape: 10,
        near: [16, 14, 6],
        open: 10,
    };

    /// The prior of a legal move.
    pub(super) fn of(&self, board: &Board, cell: Cell) -> Prior {
        let own = colour(board.turn());
        let mut prior = Prior {
            visits: self.even,
            wins: self.even / 2,
        };
        let mut safe = true;
        if board.is_self_atari(cell, own) {
            prior.lost(self.self_atari);
            safe = false;
        }
        let (mut taken, mut saved, mut threatened) = (0, false, false);
        for neighbour in sides(cell) {
            let found = board.colour_at(neighbour);
            if found == own {
                saved |= board.liberties_of(neighbour).has_one();
            } else if found == 3 - own {
                match board.liberty_points(neighbour).len() {
                    1 => taken += board.size_of(neighbour),
                    2 => threatened = true,
                    _ => {}
                }
            }
        }
        match taken {
            0 => {}
            1 => prior.won(self.take_one),
            _ => prior.won(self.take_many),
        }
        if saved && safe {
            prior.won(self.save);
        }
        if threatened && safe {
            prior.won(self.threaten);
        }
        if is_shape(board.code_at(cell)) && safe {
            prior.won(self.shape);
        }
        if let Some(&weight) = self
            .near
            .get(usize::from(distance(cell, board.last)).wrapping_sub(1))
        {
            prior.won(weight);
        }
        self.judge_height(board, cell, &mut prior);
        prior
    }

    /// Adds the prior for the line of a move far from all stones.
    fn judge_height(&self, board: &Board, cell: Cell, prior: &mut Prior) {
        if self.open == 0 || !is_open(board, cell) {
            return;
        }
        let point = point_of(cell);
        let high = board.side() - 1;
        let height = [point.col(), point.row()]
            .into_iter()
            .map(|line| line.min(high.wrapping_sub(line)))
            .min();
        match height {
            Some(0 | 1) => prior.lost(self.open),
            _ => prior.won(self.open),
        }
    }
}

/// How a learned policy becomes virtual playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Half won, half lost: inertia against the first results.
    pub even: u16,
    /// Won for each factor of e by which a move is likelier than a random one.
    pub won: u16,
    /// Lost for each factor of e by which it is less likely.
    pub lost: u16,
    /// Most virtual losses.
    pub most_lost: u16,
}

impl Trust {
    /// The strongest setting that was found.
    pub const BEST: Trust = Trust {
        even: 10,
        won: 10,
        lost: 10,
        most_lost: 30,
    };

    /// The prior of a move by the logarithm of its likelihood relative to a random move, [`NAT`] to
    /// the unit.
    pub(super) fn of(&self, relative: i16) -> Prior {
        let mut prior = Prior {
            visits: self.even,
            wins: self.even / 2,
        };
        let share = |factor: u16| relative.unsigned_abs().saturating_mul(factor) / NAT as u16;
        if relative > 0 {
            prior.won(share(self.won));
        } else {
            prior.lost(share(self.lost).min(self.most_lost));
        }
        prior
    }
}

/// Manhattan distance of two cells; large if the second is [`NOWHERE`].
fn distance(a: Cell, b: Cell) -> u8 {
    if b == NOWHERE {
        return u8::MAX;
    }
    let (a, b) = (point_of(a), point_of(b));
    a.col().abs_diff(b.col()) + a.row().abs_diff(b.row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::go::board::cell_of;
    use crate::games::go::{GoMove, Point, Points};
    use crate::games::{Go, GoRules};

    /// The moves that these weights alone favour, and those that they disfavour.
    fn judged(weights: Weights, text: &str) -> [Points; 2] {
        let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let board = Board::new(&game);
        let weights = Weights { even: 0, ..weights };
        let mut judged = [Points::EMPTY; 2];
        for point in { game.board() }.filter(|&point| game.is_legal(GoMove::Stone(point))) {
            match weights.of(&board, cell_of(point)).promise() {
                0 => {}
                1.. => judged[0].insert(point),
                _ => judged[1].insert(point),
            }
        }
        judged
    }

    fn points(names: &[&str]) -> Points {
        names.iter().fold(Points::EMPTY, |set, name| {
            set | Points::of(Point::parse(name).unwrap())
        })
    }

    #[test]
    fn stones_are_taken_saved_and_threatened_where_that_is_safe() {
        let none = Weights::NONE;
        let take_one = Weights {
            take_one: 1,
            ..none
        };
        let take_many = Weights {
            take_many: 1,
            ..none
        };
        let save = Weights { save: 1, ..none };
        let threaten = Weights {
            threaten: 1,
            ..none
        };
        let self_atari = Weights {
            self_atari: 1,
            ..none
        };
        let one = "...../.X.../XOX../...../..... black";
        let two = "...../.XX../XOO../.XX../..... black";
        assert_eq!(judged(take_one, one), [points(&["B2"]), Points::EMPTY]);
        assert_eq!(judged(take_one, two), [Points::EMPTY; 2]);
        assert_eq!(judged(take_many, one), [Points::EMPTY; 2]);
        assert_eq!(judged(take_many, two), [points(&["D3"]), Points::EMPTY]);
        let atari = "...../.O.../OX.../.O.../..... black";
        assert_eq!(judged(save, atari), [points(&["C3"]), Points::EMPTY]);
        // Of three points next to white stones with two liberties, black is in atari itself on two.
        let liberties = "...../.X.../XO.../O.O../..... black";
        assert_eq!(
            judged(threaten, liberties),
            [points(&["C3"]), Points::EMPTY]
        );
        assert_eq!(
            judged(self_atari, liberties),
            [Points::EMPTY, points(&["A1", "B2"])]
        );
    }
}
