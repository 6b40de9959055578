//! The published player: alpha-beta over the twenty most promising moves, judged by a learned network.

use crate::agents::go::sensible_points;
use crate::game::Game;
use crate::games::Go;
use crate::games::go::{GoMove, GoNetwork, Point, Points};
use crate::search::{Control, Engine, Knowledge, Limits, NEVER, Plan, Settings, Value};

/// How many moves of each position are looked at.
pub const WIDTH: u16 = 20;

/// What the player knows: the network's judgement, and a simple score that says which moves to look at.
#[derive(Clone, Copy, Debug)]
pub struct Judgement<'a>(pub GoNetwork<'a>);

impl Knowledge<Go> for Judgement<'_> {
    const ORDERS: bool = true;
    const NARROWING: bool = true;

    fn horizon(&self, game: &Go) -> Value {
        -self.0.judge(game)
    }

    fn promise(&self, game: &Go, mv: GoMove) -> i16 {
        match mv {
            GoMove::Stone(point) => move_score(game, point),
            // Only when nothing else makes sense.
            GoMove::Pass if sensible_points(game).is_empty() => 0,
            GoMove::Pass => NEVER,
        }
    }
}

/// How urgent a stone looks: taking and saving stones first, then threats, then places near the last move and away from
/// the edge. [`NEVER`] for an own eye.
pub fn move_score(game: &Go, point: Point) -> i16 {
    let (stones, board, me) = (game.stones(), game.board(), game.turn());
    let here = Points::of(point);
    let near = here.around() & board;
    if stones.eyes(me, board).contains(point) {
        return NEVER;
    }
    let mut next = *stones;
    let taken = next.place(me, point, board);
    let liberties = next.liberties(next.block(point), board).len();
    let mut score = 0;
    if !taken.is_empty() {
        score += 150 + 20 * taken.len().min(10) as i16;
    }
    // Own blocks that had one liberty and now have more.
    let mut left = near & stones.of(me);
    while let Some(stone) = left.first() {
        let block = stones.block(stone);
        left = left.without(block);
        score += match (stones.liberties(block, board).len(), liberties) {
            (1, 2..) => 120 + 20 * block.len().min(10) as i16,
            (2, 3..) => 20 + 4 * block.len().min(10) as i16,
            _ => 4,
        };
    }
    let mut left = near & next.of(!me);
    while let Some(stone) = left.first() {
        let block = next.block(stone);
        left = left.without(block);
        score += match next.liberties(block, board).len() {
            1 => 40 + 10 * block.len().min(10) as i16,
            2 => 20 + 2 * block.len().min(10) as i16,
            _ => 8,
        };
    }
    if liberties == 1 && taken.len() < 2 {
        score -= 150;
    }
    if let Some(GoMove::Stone(last)) = game.last_move() {
        let (across, up) = (point.col().abs_diff(last.col()), point.row().abs_diff(last.row()));
        score += match across + up {
            1 => 30,
            2 => 24,
            3 => 12,
            _ => 0,
        };
    }
    let size = game.rules().size();
    let edge = |at: u8| at.min(size - 1 - at);
    score
        + match edge(point.col()).min(edge(point.row())) {
            0 => -40,
            1 => -4,
            2 => 14,
            _ => 10,
        }
}

/// The player.
#[derive(Debug)]
pub struct Annilgos<'a, 'm> {
    /// What it has learned.
    pub network: GoNetwork<'a>,
    /// Memory for the search.
    pub engine: Engine<'m, Go>,
    /// Moves to look ahead.
    pub depth: u8,
}

impl Annilgos<'_, '_> {
    /// Its move; `None` if the game is over. It passes when only own eyes are left to fill.
    pub fn choose(&mut self, game: &Go, control: &mut impl Control) -> Option<GoMove> {
        let choices = sensible_points(game).len();
        if game.is_over() || choices == 0 {
            return game.legal_moves().last();
        }
        // Deeper where fewer moves remain.
        let more = match choices {
            ..=4 => 4,
            ..=7 => 3,
            ..=10 => 2,
            ..=13 => 1,
            _ => 0,
        };
        let depth = if self.depth > 1 { self.depth + more } else { self.depth };
        let settings = Settings { narrow: if self.depth > 1 { WIDTH } else { u16::from(u8::MAX) }, ..Settings::SOUND };
        let plan = Plan { knowledge: Judgement(self.network), settings, limits: Limits::depth(depth) };
        self.engine.think(game, &plan, control).mv
    }
}
