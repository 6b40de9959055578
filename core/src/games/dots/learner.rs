//! The two table learners of 2×2 dots and boxes.
//!
//! [`QLearner`] is the published one: Q-learning by self-play, with one value per edge set and edge
//! (49,152 values). Its state has no score, so it cannot be perfect. [`LeaveLearner`] learns
//! afterstate values: one for each position that a player can leave to the opponent, with the score
//! and who started (40,960 values). It trains against an opponent that errs: a won position is
//! worth exactly 1, anything else less, and among lost positions those are worth most in which this
//! opponent goes wrong most often.
//!
//! Both work in the caller's memory and are generic over the number type. The device uses two bytes
//! per value: 96 KB and 80 KB of its workspace.

use super::two_by_two::{self, EDGES, FULL, Opponent, SETS};
use crate::fraction::Fraction;
use crate::game::GameMove;
use crate::game::{Game, Player};
use crate::games::dots::{Dots, DotsRules, Edge};
use crate::learn::Progress;
use crate::rng::Rng;

/// Size of the Q-table: one value per edge set and edge.
pub const Q_VALUES: usize = SETS * EDGES;
/// Size of the afterstate table: edge sets, 0 to 4 own boxes, who started.
pub const LEAVE_VALUES: usize = SETS * 5 * 2;

/// Number type of a Q-table, for values of about −1 to 1.
pub trait Worth: Copy + PartialOrd {
    /// The values of a loss, a draw and a win.
    const LOSS_DRAW_WIN: [Self; 3];

    /// An initial value: small, around 0, from random bits.
    fn small(bits: u32) -> Self;

    /// Moves `rate`/2¹⁶ of the way towards `target` · `discount`/2¹⁶.
    fn toward(self, target: Self, rate: u16, discount: u32) -> Self;
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
}

/// On the device: fixed point with 13 fractional bits.
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
}

/// Settings of Q-learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QSettings {
    /// The game's rules; the board is 2×2.
    pub rules: DotsRules,
    /// Learning rate µ, in 1/2¹⁶.
    pub rate: u16,
    /// Discount γ, in 1/2¹⁶.
    pub discount: u32,
    /// Exploration constant C: in game i < C each move is random with probability 1 − i/C.
    pub explore: u32,
    /// The opponent in training; [`Opponent::Itself`] in the published work.
    pub opponent: Opponent,
}

impl QSettings {
    /// The published settings: µ = 0.1, γ = 1, self-play.
    pub fn new(explore: u32) -> QSettings {
        QSettings {
            rules: DotsRules::default(),
            rate: 6554,
            discount: 1 << 16,
            explore,
            opponent: Opponent::Itself,
        }
    }
}

/// The published Q-learner.
///
/// The published rule updates a last move twice: towards the maximum of the next state, which is 0
/// because no edge is left, and then by µ times the reward r. Together that is
/// (1 − µ)·Q + µ·r, one step towards r, and so it is done here.
#[derive(Debug)]
pub struct QLearner<'a, V> {
    table: &'a mut [V; Q_VALUES],
    /// May be changed between games, the rules included.
    pub settings: QSettings,
    progress: Progress,
}

/// Sentinel: no move waits for its update.
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

    /// Resumes from a table and its progress.
    pub fn resume(table: &'a mut [V; Q_VALUES], settings: QSettings, progress: Progress) -> Self {
        QLearner {
            table,
            settings,
            progress,
        }
    }

    /// The Q-table, one row of edges per edge set.
    pub fn table(&self) -> &[V; Q_VALUES] {
        self.table
    }

    /// Games played, and the state of the generator.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plays this many training games.
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
            opponent,
        } = self.settings;
        let number = self.progress.games;
        // A local copy, so that it stays in registers during the game.
        let mut rng = self.progress.rng.clone();
        // Against another player the learner starts in every second game.
        let learner = (opponent != Opponent::Itself).then_some((number % 2) as usize);
        // Table index of each player's last move, which waits for its update.
        let mut pending = [NO_PLACE; 2];
        let mut boxes = [0; 2];
        let (mut edges, mut turn, mut complete) = (0, 0, 0);
        while edges != FULL {
            let edge = if learner.is_some_and(|seat| seat != turn) {
                // `choose` is `None` only for self-play, which does not get here.
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
            *last = last.toward(reward, rate, 1 << 16);
        }
    }
}

#[inline]
fn place(edges: u16, edge: u8) -> usize {
    usize::from(edges & FULL) * EDGES + usize::from(edge)
}

/// The free edge with the highest value (ties: lowest index), and that value.
#[inline]
pub fn greedy<V: Copy + PartialOrd>(table: &[V; Q_VALUES], edges: u16) -> (u8, V) {
    let row = &table[usize::from(edges & FULL) * EDGES..][..EDGES];
    let mut left = FULL & !edges;
    // On a full board the answer means nothing, but must not panic.
    let mut best = left.trailing_zeros() as usize % EDGES;
    let mut value = row[best];
    left &= left.wrapping_sub(1);
    while left != 0 {
        let edge = left.trailing_zeros() as usize;
        left &= left - 1;
        // Always in range: the check is cheaper than a remainder.
        let Some(&other) = row.get(edge) else { break };
        if other > value {
            // An improvement is rare, so a branch beats a conditional move, which would make each
            // comparison wait for the one before it.
            core::hint::cold_path();
            (best, value) = (edge, other);
        }
    }
    (best as u8, value)
}

/// The greedy move of a Q-table of any number type; `None` if the game is over, the board is not
/// 2×2 or the table has the wrong length.
pub fn q_move<V: Copy + PartialOrd>(table: &[V], game: &Dots) -> Option<Edge> {
    if game.is_over() || game.rules().rows() != 2 || game.rules().cols() != 2 {
        return None;
    }
    let (edge, _) = greedy(table.try_into().ok()?, two_by_two::edges(game));
    Edge::from_index(edge.into())
}

/// The Q-value of a free edge.
pub fn q_value<V: Copy>(table: &[V], game: &Dots, edge: Edge) -> Option<V> {
    table
        .get(place(two_by_two::edges(game), edge.index() as u8))
        .copied()
        .filter(|_| game.is_legal(edge))
}

/// Settings of afterstate learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveSettings {
    /// The game's rules; the board is 2×2.
    pub rules: DotsRules,
    /// Initial learning rate, in 1/2¹⁶; it falls in proportion to the games left.
    pub rate: u16,
    /// Lower bound of the learning rate.
    pub last_rate: u16,
    /// Games of the whole run, over which the rate falls.
    pub games: u32,
    /// Probability of a random move, in 1/2³². Updates still use the value of the best move
    /// (off-policy).
    pub explore: u32,
    /// The opponent in training.
    pub opponent: Opponent,
}

impl LeaveSettings {
    /// The shipped settings: the rule-based opponent errs with every fifth edge, and half of the
    /// learner's edges are random.
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

/// Learns afterstate values: how good it is to leave a position to the opponent, given the edges,
/// the own boxes and who started.
#[derive(Debug)]
pub struct LeaveLearner<'a, V> {
    table: &'a mut [V; LEAVE_VALUES],
    settings: LeaveSettings,
    progress: Progress,
}

/// Table index of an afterstate.
#[inline]
fn leave(edges: u16, boxes: u8, started: bool) -> usize {
    ((usize::from(started) * 5 + usize::from(boxes)) * SETS + usize::from(edges)) % LEAVE_VALUES
}

/// The best edge for the player to move, and its value.
///
/// An edge that completes a box keeps the turn and leaves no afterstate, so the moves after it are
/// searched.
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
    /// All values start at 0.5.
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

    /// Resumes from a table and its progress.
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

    /// The table, by who started, own boxes and edge set.
    pub fn table(&self) -> &[V; LEAVE_VALUES] {
        self.table
    }

    /// Games played, and the state of the generator.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plays this many training games.
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
        // Table index of the afterstate that each side left last and that waits for its update.
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

/// The winning chance after `edge` by an afterstate table, for the mind view; `None` for edges that
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

/// The greedy move of an afterstate table; ties go to the lowest index.
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
                for discount in [1 << 15, 1 << 16] {
                    assert!(near(
                        float[from].toward(float[target], rate, discount),
                        fixed[from].toward(fixed[target], rate, discount)
                    ));
                }
            }
        }
    }

    /// The update of a last move, as printed: two steps, of which one is towards 0.
    #[test]
    fn the_printed_end_rule_is_one_step_towards_the_reward() {
        for before in [-1.0f32, -0.3, 0.0, 0.004, 0.9, 1.0] {
            for (reward, rate) in f32::LOSS_DRAW_WIN.into_iter().zip([655, 6554, 32_768]) {
                let share = f32::from(rate) / 65536.0;
                let towards_zero = before + share * (0.0 - before);
                let printed = towards_zero + share * reward;
                let step = before.toward(reward, rate, 1 << 16);
                assert!(
                    (printed - step).abs() < 1e-6,
                    "{before} {reward}: {printed} {step}"
                );
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
