//! The two learners of 2×2 dots and boxes.
//!
//! [`QLearner`] is the published one: a value for each edge in each set of edges, learned against itself. It does not
//! see the score, and so cannot be perfect. [`LeaveLearner`] sees the score and who started, keeps one value for each
//! position that a player can leave to the opponent, and learns against an opponent that errs: a won position is worth
//! exactly 1, anything else less, and among lost ones those are worth most that this opponent gets wrong.
//!
//! Both work in memory that the caller gives, with any kind of number; on the device that is two bytes a value.

use super::two_by_two::{self, EDGES, FULL, Opponent, SETS};
use crate::fraction::Fraction;
use crate::game::GameMove;
use crate::game::{Game, Player};
use crate::games::dots::{Dots, DotsRules, Edge};
use crate::learn::Progress;
use crate::rng::Rng;

/// Values of the published table: an edge for each set of edges.
pub const Q_VALUES: usize = SETS * EDGES;
/// Values of the other table: a set of edges, up to four own boxes, who started.
pub const LEAVE_VALUES: usize = SETS * 5 * 2;

/// A number around −1 to 1 that a learner can keep.
pub trait Worth: Copy + PartialOrd {
    /// A certain loss, a draw and a certain win.
    const LOSS_DRAW_WIN: [Self; 3];

    /// A small value around 0, from random bits: where tables begin.
    fn small(bits: u32) -> Self;

    /// Moves `rate`/2¹⁶ of the way towards `discount`/2¹⁶ of `target`.
    fn toward(self, target: Self, rate: u16, discount: u32) -> Self;

    /// Adds `rate`/2¹⁶ of `reward`, without any bound in theory and with one in practice.
    fn plus(self, reward: Self, rate: u16) -> Self;
}

impl Worth for f32 {
    const LOSS_DRAW_WIN: [f32; 3] = [-1.0, 0.0, 1.0];

    fn small(bits: u32) -> f32 {
        bits as i32 as f32 / 2_147_483_648.0 / 100.0
    }

    #[inline]
    fn toward(self, target: f32, rate: u16, discount: u32) -> f32 {
        self + f32::from(rate) / 65536.0 * (discount as f32 / 65536.0 * target - self)
    }

    #[inline]
    fn plus(self, reward: f32, rate: u16) -> f32 {
        self + f32::from(rate) / 65536.0 * reward
    }
}

/// On the device: 1 is 2¹³, so that the published rule has room to grow to ±4.
impl Worth for i16 {
    const LOSS_DRAW_WIN: [i16; 3] = [-(1 << 13), 0, 1 << 13];

    fn small(bits: u32) -> i16 {
        (bits as i32 >> 25) as i16
    }

    #[inline]
    fn toward(self, target: i16, rate: u16, discount: u32) -> i16 {
        let target = if discount == 1 << 16 {
            i32::from(target)
        } else {
            ((i64::from(target) * i64::from(discount)) >> 16) as i32
        };
        let away = target - i32::from(self);
        let step = (away.abs() * i32::from(rate >> 1) + 0x7FFF) >> 15;
        (i32::from(self) + if away < 0 { -step } else { step }) as i16
    }

    #[inline]
    fn plus(self, reward: i16, rate: u16) -> i16 {
        self.saturating_add(((i32::from(reward) * i32::from(rate >> 1)) >> 15) as i16)
    }
}

/// How the last move of a game learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The reward is added again and again, as printed in the published work: values grow without bound.
    Adds,
    /// The value moves towards the reward.
    Converges,
}

/// How a Q-table learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QSettings {
    /// The game's rules; the board is 2×2.
    pub rules: DotsRules,
    /// Learning rate µ, in 1/2¹⁶.
    pub rate: u16,
    /// Discount γ, in 1/2¹⁶.
    pub discount: u32,
    /// Exploration constant C: of the games before the C-th, the i-th explores with chance 1 − i/C.
    pub explore: u32,
    /// How the last move learns.
    pub ending: Ending,
    /// Who plays against it; itself, in the published work.
    pub opponent: Opponent,
}

impl QSettings {
    /// The published settings: µ = 0.1, γ = 1, self-play, with a rule for the end that converges.
    pub fn new(explore: u32) -> QSettings {
        QSettings {
            rules: DotsRules::default(),
            rate: 6554,
            discount: 1 << 16,
            explore,
            ending: Ending::Converges,
            opponent: Opponent::Itself,
        }
    }
}

/// The published learner.
#[derive(Debug)]
pub struct QLearner<'a, V> {
    table: &'a mut [V; Q_VALUES],
    /// May be changed between games: rules, too.
    pub settings: QSettings,
    progress: Progress,
}

/// The place of no value: no move waits for what comes of it.
const NO_PLACE: usize = Q_VALUES;

impl<'a, V: Worth> QLearner<'a, V> {
    /// A learner with small random values.
    pub fn new(table: &'a mut [V; Q_VALUES], settings: QSettings, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        table.fill_with(|| V::small(rng.next_u32()));
        QLearner {
            table,
            settings,
            progress: Progress {
                games: 0,
                explore: 0,
                rng,
            },
        }
    }

    /// A learner that goes on from where another stopped.
    pub fn resume(table: &'a mut [V; Q_VALUES], settings: QSettings, progress: Progress) -> Self {
        QLearner {
            table,
            settings,
            progress,
        }
    }

    /// All values, an edge for each set of edges.
    pub fn table(&self) -> &[V; Q_VALUES] {
        self.table
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plays this many games and learns from them.
    pub fn step(&mut self, games: u32) {
        for _ in 0..games {
            self.play_game();
        }
    }

    fn play_game(&mut self) {
        let QSettings {
            rules,
            rate,
            discount,
            explore,
            ending,
            opponent,
        } = self.settings;
        let number = self.progress.games;
        // In registers while the game lasts.
        let mut rng = self.progress.rng.clone();
        // Against another player the learner starts every other game.
        let learner = (opponent != Opponent::Itself).then_some((number % 2) as usize);
        // The place of each player's last move, which waits for what comes of it.
        let mut pending = [NO_PLACE; 2];
        let mut boxes = [0; 2];
        let (mut edges, mut turn, mut complete) = (0, 0, 0);
        while edges != FULL {
            let edge = if learner.is_some_and(|seat| seat != turn) {
                // `choose` knows an edge for everybody but the learner itself.
                opponent.choose(edges, &mut rng).unwrap_or_default()
            } else {
                let (best, value) = greedy(self.table, edges);
                if let Some(before) = self.table.get_mut(pending[turn]) {
                    *before = before.toward(value, rate, discount);
                }
                let explores = number < explore && rng.below(explore) >= number;
                let edge = if explores {
                    two_by_two::pick(FULL & !edges, &mut rng)
                } else {
                    best
                };
                pending[turn] = place(edges, edge);
                edge
            };
            edges |= 1 << edge;
            let gained = two_by_two::complete(edges) - complete;
            complete += gained;
            boxes[turn] += gained;
            turn ^= usize::from(gained == 0);
        }
        self.progress.games += 1;
        self.progress.rng = rng;
        for (seat, place) in pending.into_iter().enumerate() {
            let Some(last) = self.table.get_mut(place) else {
                continue;
            };
            let reward =
                V::LOSS_DRAW_WIN[(two_by_two::result(&rules, boxes[seat], seat == 0) + 1) as usize];
            *last = match ending {
                Ending::Adds => last.plus(reward, rate),
                Ending::Converges => last.toward(reward, rate, 1 << 16),
            };
        }
    }
}

#[inline]
fn place(edges: u16, edge: u8) -> usize {
    usize::from(edges & FULL) * EDGES + usize::from(edge)
}

/// The free edge with the highest value, the lowest index among equals, and that value.
#[inline]
pub fn greedy<V: Copy + PartialOrd>(table: &[V; Q_VALUES], edges: u16) -> (u8, V) {
    let row = &table[usize::from(edges & FULL) * EDGES..][..EDGES];
    let mut left = FULL & !edges;
    // On a full board any edge is as good as another.
    let mut best = left.trailing_zeros() as usize % EDGES;
    let mut value = row[best];
    left &= left.wrapping_sub(1);
    while left != 0 {
        let edge = left.trailing_zeros() as usize;
        left &= left - 1;
        // Twelve bits have no other: a comparison is cheaper than a remainder.
        let Some(&other) = row.get(edge) else { break };
        if other > value {
            // A better one is rare enough for a branch; selecting would make every edge wait for the one before it.
            core::hint::cold_path();
            (best, value) = (edge, other);
        }
    }
    (best as u8, value)
}

/// The move of a Q-table, given as its values: any kind of number that can be compared.
pub fn q_move<V: Copy + PartialOrd>(table: &[V], game: &Dots) -> Option<Edge> {
    if game.is_over() || game.rules().rows() != 2 || game.rules().cols() != 2 {
        return None;
    }
    let (edge, _) = greedy(table.try_into().ok()?, two_by_two::edges(game));
    Edge::from_index(edge.into())
}

/// What a Q-table thinks of an edge.
pub fn q_value<V: Copy>(table: &[V], game: &Dots, edge: Edge) -> Option<V> {
    table
        .get(place(two_by_two::edges(game), edge.index() as u8))
        .copied()
        .filter(|_| game.is_legal(edge))
}

/// How the learner of positions learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveSettings {
    /// The game's rules; the board is 2×2.
    pub rules: DotsRules,
    /// Learning rate at the start, in 1/2¹⁶; it falls in proportion to the games that are left.
    pub rate: u16,
    /// Learning rate at the end.
    pub last_rate: u16,
    /// The length of the whole run, over which the rate falls.
    pub games: u32,
    /// Chance of a random edge, in 1/2³². What is learned is the value of the best play all the same.
    pub explore: u32,
    /// Who plays against it.
    pub opponent: Opponent,
}

impl LeaveSettings {
    /// What ships: against the rule-based player that errs with every fifth edge, half of the own edges at random.
    pub fn new(games: u32) -> LeaveSettings {
        LeaveSettings {
            rules: DotsRules::default(),
            rate: 1 << 13,
            last_rate: 1 << 8,
            games,
            explore: 1 << 31,
            opponent: Opponent::Smart {
                slips: u32::MAX / 5,
            },
        }
    }
}

/// Learns how good it is to leave a position to the opponent: the edges, one's own boxes, and whether one started.
#[derive(Debug)]
pub struct LeaveLearner<'a, V> {
    table: &'a mut [V; LEAVE_VALUES],
    settings: LeaveSettings,
    progress: Progress,
}

/// The place of a position among the values.
#[inline]
fn leave(edges: u16, boxes: u8, started: bool) -> usize {
    ((usize::from(started) * 5 + usize::from(boxes)) * SETS + usize::from(edges)) % LEAVE_VALUES
}

/// The best that the player to move can make of a position, and the first edge of it.
///
/// An edge that completes a box leaves nothing to the opponent yet: what follows it is looked at, too.
pub fn best_leave<V: Fraction>(
    table: &[V],
    rules: &DotsRules,
    edges: u16,
    boxes: u8,
    started: bool,
) -> (u8, V) {
    let mut best = (0, V::ZERO);
    let mut found = false;
    let mut left = FULL & !edges;
    while left != 0 {
        let edge = left.trailing_zeros() as u8;
        left &= left - 1;
        let value = value_of(table, rules, edges, boxes, started, edge);
        if !found || value > best.1 {
            (best, found) = ((edge, value), true);
        }
    }
    best
}

#[inline]
fn value_of<V: Fraction>(
    table: &[V],
    rules: &DotsRules,
    edges: u16,
    boxes: u8,
    started: bool,
    edge: u8,
) -> V {
    let next = edges | 1 << edge;
    let gained = two_by_two::complete(next) - two_by_two::complete(edges);
    match (next, gained) {
        (FULL, _) => final_value(rules, boxes + gained, started),
        (_, 0) => table
            .get(leave(next, boxes, started))
            .copied()
            .unwrap_or(V::ZERO),
        _ => best_leave(table, rules, next, boxes + gained, started).1,
    }
}

fn final_value<V: Fraction>(rules: &DotsRules, boxes: u8, started: bool) -> V {
    match two_by_two::result(rules, boxes, started) {
        1 => V::ONE,
        0 => V::HALF,
        _ => V::ZERO,
    }
}

impl<'a, V: Fraction> LeaveLearner<'a, V> {
    /// A learner to whom everything is a toss-up.
    pub fn new(table: &'a mut [V; LEAVE_VALUES], settings: LeaveSettings, seed: u64) -> Self {
        table.fill(V::HALF);
        LeaveLearner {
            table,
            settings,
            progress: Progress {
                games: 0,
                explore: 0,
                rng: Rng::new(seed),
            },
        }
    }

    /// A learner that goes on from where another stopped.
    pub fn resume(
        table: &'a mut [V; LEAVE_VALUES],
        settings: LeaveSettings,
        progress: Progress,
    ) -> Self {
        LeaveLearner {
            table,
            settings,
            progress,
        }
    }

    /// All values.
    pub fn table(&self) -> &[V; LEAVE_VALUES] {
        self.table
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plays this many games and learns from them.
    pub fn step(&mut self, games: u32) {
        for _ in 0..games {
            self.play_game();
        }
    }

    fn rate(&self) -> u16 {
        let LeaveSettings {
            rate,
            last_rate,
            games,
            ..
        } = self.settings;
        let left = u64::from(games.saturating_sub(self.progress.games));
        last_rate.max((u64::from(rate) * left / u64::from(games.max(1))) as u16)
    }

    fn play_game(&mut self) {
        let LeaveSettings {
            rules,
            explore,
            opponent,
            ..
        } = self.settings;
        let rate = self.rate();
        let started = self.progress.games.is_multiple_of(2);
        let mut mine = started;
        let (mut edges, mut boxes, mut taken) = (0u16, [0u8; 2], 0);
        // The position that each side left last, and waits to learn about.
        let mut pending: [Option<usize>; 2] = [None; 2];
        while edges != FULL {
            let seat = usize::from(!mine);
            let own = mine || opponent == Opponent::Itself;
            let edge = if own {
                let starts = started == mine;
                let (best, value) = best_leave(&self.table[..], &rules, edges, boxes[seat], starts);
                if let Some(place) = pending[seat].take() {
                    self.table[place] = self.table[place].toward(value, rate);
                }
                let explores = self.progress.rng.chance(explore);
                if explores {
                    two_by_two::pick(FULL & !edges, &mut self.progress.rng)
                } else {
                    best
                }
            } else {
                opponent
                    .choose(edges, &mut self.progress.rng)
                    .unwrap_or_default()
            };
            edges |= 1 << edge;
            let gained = two_by_two::complete(edges) - taken;
            taken += gained;
            boxes[seat] += gained;
            if gained == 0 {
                if own {
                    pending[seat] = Some(leave(edges, boxes[seat], started == mine));
                }
                mine = !mine;
            }
        }
        for (seat, pending) in pending.into_iter().enumerate() {
            let Some(place) = pending else { continue };
            let value = final_value(&rules, boxes[seat], started == (seat == 0));
            self.table[place] = self.table[place].toward(value, rate);
        }
        self.progress.games += 1;
    }
}

/// What such a table thinks of each edge now: how likely a win is after it. For the mind view; `None` for edges that
/// are drawn and for boards that are not 2×2.
pub fn leave_value<V: Fraction>(table: &[V], game: &Dots, edge: Edge) -> Option<V> {
    let rules = game.rules();
    if !game.is_legal(edge) || rules.rows() != 2 || rules.cols() != 2 {
        return None;
    }
    let me = game.turn();
    Some(value_of(
        table,
        &rules,
        two_by_two::edges(game),
        game.score(me),
        me == Player::First,
        edge.index() as u8,
    ))
}

/// The move of such a table: the edge with the highest value, the lowest index among equals.
pub fn leave_move<V: Fraction>(table: &[V], game: &Dots) -> Option<Edge> {
    let mut best: Option<(V, Edge)> = None;
    for edge in game.legal_moves() {
        let value = leave_value(table, game, edge)?;
        if best.is_none_or(|(top, _)| value > top) {
            best = Some((value, edge));
        }
    }
    best.map(|(_, edge)| edge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_greedy_edge_is_free_and_the_first_of_the_best() {
        let mut rng = Rng::new(1);
        let mut table = [0i16; Q_VALUES];
        // Few values, so that many are equal.
        table.fill_with(|| rng.below(5) as i16);
        for edges in 0..FULL {
            let free = || (0..EDGES as u8).filter(|edge| edges & 1 << edge == 0);
            let value = |edge: u8| table[place(edges, edge)];
            let best = free().map(value).max().unwrap();
            let expected = free().find(|&edge| value(edge) == best).unwrap();
            assert_eq!(greedy(&table, edges), (expected, best), "{edges:012b}");
        }
    }

    #[test]
    fn tables_begin_around_zero() {
        for bits in [0, 1, 1 << 30, i32::MAX as u32, i32::MIN as u32, u32::MAX] {
            let (float, fixed) = (
                f32::small(bits),
                f32::from(i16::small(bits)) / f32::from(1i16 << 13),
            );
            assert!(
                float.abs() <= 0.01 && fixed.abs() <= 0.01,
                "{bits:x}: {float} {fixed}"
            );
            assert!((float - fixed).abs() < 0.003, "{bits:x}: {float} {fixed}");
        }
    }

    #[test]
    fn floating_point_and_fixed_point_take_the_same_steps() {
        let as_float = |fixed: i16| f32::from(fixed) / f32::from(1i16 << 13);
        let (float, fixed) = (f32::LOSS_DRAW_WIN, i16::LOSS_DRAW_WIN);
        assert_eq!(float, fixed.map(as_float));
        let near = |float: f32, fixed: i16| (float - as_float(fixed)).abs() < 0.001;
        for (from, target) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            for rate in [1 << 8, 1 << 13, u16::MAX] {
                assert!(near(
                    float[from].plus(float[target], rate),
                    fixed[from].plus(fixed[target], rate)
                ));
                for discount in [1 << 15, 1 << 16] {
                    assert!(near(
                        float[from].toward(float[target], rate, discount),
                        fixed[from].toward(fixed[target], rate, discount)
                    ));
                }
            }
        }
    }

    #[test]
    fn the_last_edge_is_worth_the_result_of_the_game() {
        let (rules, table) = (DotsRules::default(), []);
        for edge in 0..EDGES as u8 {
            let edges = FULL & !(1 << edge);
            for before in 0..=two_by_two::complete(edges) {
                let boxes = before + two_by_two::complete(FULL) - two_by_two::complete(edges);
                for started in [false, true] {
                    let value: u16 = final_value(&rules, boxes, started);
                    assert_eq!(
                        best_leave(&table, &rules, edges, before, started),
                        (edge, value)
                    );
                }
            }
        }
    }
}
