//! ANNILGOS, the published player: alpha-beta over the twenty most promising moves with a learned
//! network as evaluation.

use core::cell::Cell;

use crate::bank::{Bank, Meta};
use crate::game::{Game, Player};
use crate::games::go::clauses::{ClauseSet, ClauseView};
use crate::games::go::network::{Evaluation, Published};
use crate::games::go::players::{dead_stones, sensible_points};
use crate::games::go::points::NUMBERS;
use crate::games::go::{GoMove, Point, Points};
use crate::games::{GameId, Go};
use crate::memory::Workspace;
use crate::players::belts::Resources;
use crate::search::{
    Control, Engine, Knowledge, Limits, NEVER, Plan, Ranked, Settings, Slot, Value,
};

/// Moves that are searched in each position.
pub const WIDTH: u16 = 20;
/// Depth of the quiescence search, in captures.
const CAPTURES: u8 = 4;

/// What chooses the moves that are searched.
pub trait Candidates: Copy {
    /// The patterns whose weights order the moves, as published; `None` for the hand-written
    /// [`move_score`].
    fn patterns(&self) -> Option<&ClauseSet<'_>>;
}

/// The hand-written [`move_score`].
#[derive(Clone, Copy, Debug)]
pub struct Urgency;

impl Candidates for Urgency {
    fn patterns(&self) -> Option<&ClauseSet<'_>> {
        None
    }
}

/// The weights of patterns. The device has no code for the other way.
impl Candidates for ClauseSet<'_> {
    fn patterns(&self) -> Option<&ClauseSet<'_>> {
        Some(self)
    }
}

/// Either.
impl<C: Candidates> Candidates for Option<C> {
    fn patterns(&self) -> Option<&ClauseSet<'_>> {
        self.as_ref()?.patterns()
    }
}

/// The evaluation by a network, with the candidates' scores as move ordering.
#[derive(Clone, Debug)]
pub struct Judgement<E, S> {
    network: E,
    candidates: S,
    /// The position that `promises` belongs to: its key and the number of moves, on which the stage depends.
    matched: Cell<Option<(u64, usize)>>,
    /// Patterns are matched for all points at once, and asked for point by point.
    promises: Cell<[i16; NUMBERS]>,
}

impl<E: Evaluation, S: Candidates> Judgement<E, S> {
    /// Knowledge from these parts.
    pub fn new(network: E, candidates: S) -> Judgement<E, S> {
        Judgement {
            network,
            candidates,
            matched: Cell::new(None),
            promises: Cell::new([0; NUMBERS]),
        }
    }

    /// What the patterns promise of a stone.
    fn by_patterns(&self, patterns: &ClauseSet<'_>, game: &Go, point: Point) -> i16 {
        let position = (game.key(), game.plies());
        if self.matched.get() != Some(position) {
            self.promises.set(pattern_promises(patterns, game));
            self.matched.set(Some(position));
        }
        let promises: &Cell<[i16]> = &self.promises;
        let promise = promises.as_slice_of_cells().get(point.number());
        promise.map_or(NEVER, Cell::get)
    }
}

/// A quarter of the weights' sum for each empty point, so that the sums of learned and of published weights fit the range
/// of promises; points higher above the edge come first among equals. [`NEVER`] for own eyes.
// Not inlined: its frame would be on the stack once for each move ahead.
#[inline(never)]
fn pattern_promises(patterns: &ClauseSet<'_>, game: &Go) -> [i16; NUMBERS] {
    let mut promises = patterns.scores(&ClauseView::new(game));
    for point in game.empty() {
        if let Some(promise) = promises.get_mut(point.number()) {
            *promise = (*promise / 4).clamp(-990, 990) + i16::from(height(game, point));
        }
    }
    for eye in game.stones().eyes(game.turn(), game.board()) {
        if let Some(promise) = promises.get_mut(eye.number()) {
            *promise = NEVER;
        }
    }
    promises
}

/// Lines between a point and the nearest edge.
fn height(game: &Go, point: Point) -> u8 {
    let last = game.rules().size() - 1;
    let edge = |at: u8| at.min(last.saturating_sub(at));
    edge(point.col()).min(edge(point.row()))
}

impl<E: Evaluation, S: Candidates> Knowledge<Go> for Judgement<E, S> {
    const ORDERS: bool = true;
    const NARROWING: bool = true;
    const QUIESCENCE: bool = true;

    fn horizon(&self, game: &Go) -> Value {
        -self.network.judge(game)
    }

    /// Captures are noisy: a position is not evaluated while stones can be captured.
    fn is_noisy(&self, game: &Go, mv: GoMove) -> bool {
        mv.point().is_some_and(|point| {
            !game
                .stones()
                .captures(game.turn(), point, game.board())
                .is_empty()
        })
    }

    /// The first stone goes to the middle: the networks have not learned openings.
    fn book(&self, game: &Go) -> Option<GoMove> {
        let middle = game.rules().size() / 2;
        let point = Point::new(middle, middle).filter(|_| game.stones().all().is_empty());
        point
            .filter(|&point| game.legal_points().contains(point))
            .map(GoMove::Stone)
    }

    fn promise(&self, game: &Go, mv: GoMove) -> i16 {
        match mv {
            GoMove::Stone(point) => match self.candidates.patterns() {
                None => move_score(game, point),
                Some(patterns) => self.by_patterns(patterns, game, point),
            },
            // A pass only if every stone would fill an own eye.
            GoMove::Pass if sensible_points(game).is_empty() => 0,
            GoMove::Pass => NEVER,
        }
    }
}

/// Static urgency of a stone: captures and rescues first, then threats, then points near the last
/// move and away from the edge. [`NEVER`] for an own eye.
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
        let (across, up) = (
            point.col().abs_diff(last.col()),
            point.row().abs_diff(last.row()),
        );
        score += match across + up {
            1 => 30,
            2 => 24,
            3 => 12,
            _ => 0,
        };
    }
    score
        + match height(game, point) {
            0 => -40,
            1 => -4,
            2 => 14,
            _ => 10,
        }
}

/// The player.
#[derive(Debug)]
pub struct Annilgos<'m, E, S> {
    /// The learned evaluation.
    pub network: E,
    /// Memory for the search.
    pub engine: Engine<'m, Go>,
    /// What chooses the moves that are searched.
    pub candidates: S,
    /// Search depth.
    pub depth: u8,
    /// Most positions to look at.
    pub nodes: u32,
    /// Longest line, captures included: each move of it takes 1.3 KB of the stack.
    pub longest: u8,
}

/// Whether it passes without a search: only own eyes are left, or the opponent passed and a pass wins without the dead
/// stones.
pub fn passes(game: &Go) -> bool {
    if game.is_over() {
        return false;
    }
    let wins = || {
        let end = game.after(GoMove::Pass);
        let score = end.score_without(dead_stones(&end));
        score != 0 && (score > 0) == (game.turn() == Player::First)
    };
    sensible_points(game).is_empty() || game.last_move() == Some(GoMove::Pass) && wins()
}

impl<E: Evaluation, S: Candidates> Annilgos<'_, E, S> {
    /// Its move; `None` if the game is over.
    pub fn choose(&mut self, game: &Go, control: &mut impl Control) -> Option<GoMove> {
        if game.is_over() {
            return None;
        }
        if passes(game) {
            return Some(GoMove::Pass);
        }
        let choices = sensible_points(game).len();
        // Deeper where fewer moves are legal.
        let more = match choices {
            0..=4 => 4,
            5..=7 => 3,
            8..=10 => 2,
            11..=13 => 1,
            _ => 0,
        };
        let depth = if self.depth > 1 {
            self.depth + more
        } else {
            self.depth
        };
        // Depth 1 is the published test of the networks alone: all moves, no quiescence search.
        let depth = depth.min(self.longest);
        let (narrow, quiescence) = if self.depth > 1 {
            (WIDTH, CAPTURES.min(self.longest - depth))
        } else {
            (u16::from(u8::MAX), 0)
        };
        let settings = Settings {
            narrow,
            quiescence,
            book: self.depth > 1,
            ..Settings::SOUND
        };
        let plan = Plan {
            knowledge: Judgement::new(self.network, self.candidates),
            settings,
            limits: Limits {
                depth,
                nodes: self.nodes,
                ..Limits::NONE
            },
        };
        self.engine.think(game, &plan, control).mv
    }
}

/// The players of the published work as opponents: three moves ahead, within ten seconds of one core
/// of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevicePlayer {
    /// The eight published counts in a perceptron.
    Perceptron,
    /// The same with four hidden units.
    Mlp,
}

/// What a [`DevicePlayer`] has in a bank.
#[derive(Clone, Copy, Debug)]
pub struct DeviceModel<'b> {
    /// Its evaluation.
    pub network: Published<'b>,
    /// The patterns that choose its candidates.
    pub patterns: ClauseSet<'b>,
}

impl DevicePlayer {
    /// All of them.
    pub const ALL: [DevicePlayer; 2] = [DevicePlayer::Mlp, DevicePlayer::Perceptron];

    /// The name of its network in a bank.
    pub const fn model(self) -> &'static str {
        match self {
            DevicePlayer::Perceptron => "go-perceptron",
            DevicePlayer::Mlp => "go-mlp",
        }
    }

    /// Positions that it looks at for a move, at most: within ten seconds at 200 MHz and the
    /// measured 0.4 to 0.6 ms a position (`docs/measurements.md`).
    pub const fn nodes(self) -> u32 {
        15_000
    }

    /// Its network and the patterns in a bank; `None` if one of them is missing or damaged.
    pub fn open<'b>(self, bank: &Bank<'b>) -> Option<DeviceModel<'b>> {
        let is_ours = |meta: &Meta| (meta.game, meta.name()) == (GameId::Go, self.model());
        let network = bank.entries().find(|entry| is_ours(&entry.meta))?;
        Some(DeviceModel {
            network: Published::new(&network.meta, network.payload().ok()?)?,
            patterns: ClauseSet::find(bank)?,
        })
    }

    /// Its move; `None` if the game is over.
    #[inline(never)] // what it needs on the stack is not that of every player
    pub fn choose<W: Workspace, C: Control>(
        self,
        game: &Go,
        model: &DeviceModel<'_>,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<GoMove> {
        const DEPTH: u8 = 3;
        const SLOTS: usize = 2048;
        /// Leaves 16 KB of the second core's stack free.
        const LONGEST: u8 = 7;
        const ROOM: usize = Go::MAX_MOVES * (LONGEST as usize + 1);
        let (slots, moves) = resources
            .memory
            .lend_two::<Slot, Ranked<GoMove>>(SLOTS, ROOM);
        Annilgos {
            network: model.network,
            engine: Engine::new(slots, moves),
            candidates: model.patterns,
            depth: DEPTH,
            nodes: self.nodes(),
            longest: LONGEST,
        }
        .choose(game, resources.control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::{Kind, NAME, Number};
    use crate::games::GoRules;
    use crate::games::go::GoNetwork;

    /// The move with a perceptron that only counts captured stones.
    fn choose(game: &Go, depth: u8) -> GoMove {
        let meta = Meta {
            game: GameId::Go,
            kind: Kind::Perceptron,
            belt: None,
            number: Number::I16,
            rules_version: 1,
            dims: [8, 0, 0, 0],
            scale: 1024,
            seed: 0,
            games: 0,
            settings: 0,
            date: 0,
            strength: 0,
            name: [0; NAME],
        };
        let mut weights = [0; 16];
        weights[8..10].copy_from_slice(&1024i16.to_le_bytes());
        let network = GoNetwork::new(&meta, &weights).unwrap();
        let (mut slots, mut moves) = ([Slot::default(); 64], [Ranked::default(); 82 * 8]);
        Annilgos {
            network,
            engine: Engine::new(&mut slots, &mut moves),
            candidates: Urgency,
            depth,
            nodes: u32::MAX,
            longest: u8::MAX,
        }
        .choose(game, &mut ())
        .unwrap()
    }

    #[test]
    fn taking_comes_before_saving_saving_before_threats_and_those_before_lines() {
        let score = |game: &Go, name| move_score(game, Point::parse(name).unwrap());
        // The first line, the second, the middle, the third.
        let empty = Go::new(GoRules::new(9).unwrap());
        let lines = ["E1", "E2", "E5", "E3"].map(|name| score(&empty, name));
        assert!(lines.is_sorted_by(|a, b| a < b), "{lines:?}");
        let order = [
            "...../...../...../...../..... black", // nothing
            "...../..O../...../...../..... black", // contact
            "...../.XO../...../...../..... black", // leaves two liberties
            "...../.XOX./...../...../..... black", // atari
            ".XO../.XOX./...../...../..... black", // atari on two
            "..O../.OXO./...../...../..... black", // saves one
            "..X../.XOX./...../...../..... black", // takes one
            ".XOX./.XOX./...../...../..... black", // takes two
        ];
        let order = order.map(|text| {
            let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
            score(&game, "C3")
        });
        assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
    }

    #[test]
    fn it_starts_in_the_middle_takes_stones_and_passes_at_the_end() {
        for (size, middle) in [(5, "C3"), (7, "D4"), (9, "E5")] {
            let game = Go::new(GoRules::new(size).unwrap());
            assert_eq!(choose(&game, 3), game.parse_move(middle).unwrap());
        }
        let game = |text: &str| Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let taking = game("...../.X.../XOX../...../..... black");
        assert_eq!(choose(&taking, 1), taking.parse_move("B2").unwrap());
        assert_eq!(
            choose(&game(".XOO./XXOOO/XXOOO/XXOOO/.XOO. black"), 3),
            GoMove::Pass
        );
    }
}
