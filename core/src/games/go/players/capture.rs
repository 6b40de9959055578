//! A quick rule-based player.

use crate::game::{Game, Player};
use crate::games::Go;
use crate::games::go::{GoMove, Point, Points};
use crate::players::Agent;
use crate::rng::Rng;

/// The legal points except own one-point eyes.
pub fn sensible_points(game: &Go) -> Points {
    if game.is_over() {
        return Points::EMPTY;
    }
    game.legal_points()
        .without(game.stones().eyes(game.turn(), game.board()))
}

/// Captures as many stones as it can, else saves its own, else plays at random; it passes when only
/// its own eyes are left. It is quick and much better than random, and the opponent of the learning
/// curves.
#[derive(Clone, Copy, Debug)]
pub struct CapturePlayer;

impl Agent<Go> for CapturePlayer {
    fn choose(&mut self, game: &Go, rng: &mut Rng) -> Option<GoMove> {
        if game.is_over() {
            return None;
        }
        let (stones, board, me) = (game.stones(), game.board(), game.turn());
        let points = sensible_points(game);
        let taken = |point: Point| stones.captures(me, point, board).len();
        let liberties_in_atari = |player: Player| {
            let blocks = stones.blocks().filter(|&(owner, _)| owner == player);
            let last = blocks.filter_map(|(_, block)| stones.liberties(block, board).only());
            last.fold(Points::EMPTY, |set, point| set | Points::of(point)) & points
        };
        if let Some(most) = liberties_in_atari(!me).map(taken).max() {
            return rng
                .pick(liberties_in_atari(!me).filter(|&point| taken(point) == most))
                .map(GoMove::Stone);
        }
        let saves = liberties_in_atari(me).filter(|&point| {
            let mut next = *stones;
            next.place(me, point, board);
            next.liberties(next.block(point), board).len() > 1
        });
        let save = rng.pick(saves);
        Some(
            save.or_else(|| rng.pick(points))
                .map_or(GoMove::Pass, GoMove::Stone),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;

    fn choose(text: &str) -> GoMove {
        let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        CapturePlayer.choose(&game, &mut Rng::new(1)).unwrap()
    }

    #[test]
    fn it_takes_saves_and_leaves_its_eyes() {
        let game = Go::new(GoRules::new(5).unwrap());
        let mv = |name: &str| game.parse_move(name).unwrap();
        assert_eq!(choose("...../.X.../XOX../...../..... black"), mv("B2"));
        assert_eq!(choose("...../.X.../XOX../...../..... white"), mv("B2"));
        // A5 and the three on the right can be taken: more is better.
        assert_eq!(choose("X...O/O..OX/...OX/...OX/...O. white"), mv("E1"));
        assert_eq!(choose(".XOO./XXOOO/XXOOO/XXOOO/.XOO. black"), GoMove::Pass);
    }
}
