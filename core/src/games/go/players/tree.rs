//! Monte Carlo tree search for Go, in a fixed pool of small nodes.
//!
//! Moves start with [priors](super::priors), results are shared among siblings by RAVE, and
//! expansion is progressive: at first only the most promising moves of a position get a node. Two
//! cores can share the playouts.
//!
//! # Two cores, one answer
//! Several playouts are always under way. Each has its own seed, and its result is backpropagated
//! when it has become the oldest, never earlier: the tree does not depend on which core runs a
//! playout or how long that takes. A [`Helper`] may run some of them; the owner of the tree runs
//! those that the helper has not started.

use super::priors::{Prior, Trust, Weights};
use crate::game::{Game, Player};
use crate::games::Go;
use crate::games::go::board::{Cell, NOWHERE, colour, point_of};
use crate::games::go::policy::{self, Policy};
use crate::games::go::{Board, GoMove, Played, Style};
use crate::players::helper::{Helper, Job, JobResult, MAX_JOBS};
use crate::rng::Rng;
use crate::search::{
    Control, Limits, MAX_THOUGHTS, Meter, Report, Stopper, Thought, Thoughts, Value, share,
};

/// A move and the statistics of its playouts. 12 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    cell: Cell,
    /// Number of children; 0 until the position is expanded.
    count: u8,
    /// Index of the first child; before expansion, the number of real visits.
    first: u16,
    /// Visits, including virtual visits of the prior.
    visits: u16,
    /// Visits won by the player who made the move.
    wins: u16,
    amaf_visits: u16,
    amaf_wins: u16,
}

const _: () = assert!(size_of::<Node>() == 12);

/// Settings of the tree search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSettings {
    /// Playouts for each decision; never more than 60,000.
    pub playouts: u32,
    /// Whether playouts count by their length, those from the empty board as one: an equal amount
    /// of work in every position.
    pub by_length: bool,
    /// The playout policy.
    pub style: Style,
    /// The priors without a policy.
    pub weights: Weights,
    /// The priors with a policy.
    pub trust: Trust,
    /// Binary logarithm of RAVE's equivalence parameter: the visits after which own results weigh
    /// as much.
    pub rave: u8,
    /// Visits before a position is expanded.
    pub expand_at: u16,
    /// Children of a position at first.
    pub width: u8,
    /// Visits after which all moves become children.
    pub widen_at: u16,
}

impl TreeSettings {
    /// The strongest settings that play a fixed number of playouts.
    pub const fn best(playouts: u32) -> TreeSettings {
        TreeSettings {
            playouts,
            by_length: false,
            style: Style::KNOWING,
            weights: Weights::BEST,
            trust: Trust::BEST,
            rave: 11,
            expand_at: 20,
            width: 10,
            widen_at: 200,
        }
    }

    /// The strongest settings within the time of so many playouts from the empty board.
    pub const fn timed(playouts: u32) -> TreeSettings {
        TreeSettings {
            by_length: true,
            style: Style::LEARNED,
            // More playouts than `best` is made for have to share the same pool.
            expand_at: 30,
            ..TreeSettings::best(playouts)
        }
    }

    /// The same with another playout policy.
    #[must_use]
    pub const fn with_style(self, style: Style) -> TreeSettings {
        TreeSettings { style, ..self }
    }
}

/// A playout that either core can run.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayoutJob {
    /// Its number in the search.
    number: u32,
    /// The position from which it starts.
    board: Board,
    style: Style,
    seed: u64,
}

impl PlayoutJob {
    /// Plays on the job's own board, which saves a copy.
    fn run_in_place(&mut self) -> Played {
        self.board.playout(&self.style, &mut Rng::new(self.seed))
    }
}

impl Job for PlayoutJob {
    fn number(&self) -> u32 {
        self.number
    }

    fn run(&self) -> JobResult {
        let mut board = self.board;
        board
            .playout(&self.style, &mut Rng::new(self.seed))
            .to_words()
    }
}

/// The statistics of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: GoMove,
    /// Visits, including virtual visits of the prior.
    pub visits: u16,
    /// Share of won visits, in thousandths.
    pub value: u16,
}

/// Playouts under way: one on each core, and two that wait for the helper.
pub const UNDER_WAY: usize = MAX_JOBS;
/// The work of a playout beside that of its moves, in moves: its share of the tree, copies.
const BASE_WORK: u32 = 40;
/// The work of a playout from the empty board.
const FULL_WORK: u32 = BASE_WORK + 109;
/// Longest path from the root.
const DEEPEST: usize = 40;
/// Playouts between two reports, whose number decides about resignation.
const REPORT_EVERY: u32 = 256;
/// Playouts between two calls of [`Control::progress`]: about 8 ms on the device.
const PROGRESS_EVERY: u32 = 16;
/// Most playouts that a node's 16-bit counters can hold.
const MOST_PLAYOUTS: u32 = 60_000;
/// Most moves of a position.
const MOVES: usize = 82;

/// A path from the root and the state of its playout.
#[derive(Clone, Copy)]
struct Walk {
    path: [u16; DEEPEST],
    length: usize,
    state: PlayoutState,
}

#[derive(Clone, Copy, PartialEq)]
enum PlayoutState {
    /// There is no playout.
    Idle,
    /// Not started.
    Waiting,
    /// Offered to the helper.
    Away,
    /// Finished.
    Done(Played),
}

/// A search in a borrowed pool.
#[derive(Debug)]
pub struct Tree<'a> {
    pool: &'a mut [Node],
    jobs: &'a mut [PlayoutJob; UNDER_WAY],
    used: usize,
    /// Finished playouts, and how many of them the player at the root won.
    ended: u32,
    won: u32,
    /// Work done, in the unit of [`FULL_WORK`].
    worked: u32,
    settings: TreeSettings,
    policy: Option<Policy<'a>>,
}

impl<'a> Tree<'a> {
    /// A pool of any size works; below about a hundred nodes the tree is only the root.
    pub fn new(
        pool: &'a mut [Node],
        jobs: &'a mut [PlayoutJob; UNDER_WAY],
        settings: TreeSettings,
    ) -> Tree<'a> {
        let pool = if pool.len() > usize::from(u16::MAX) {
            &mut pool[..usize::from(u16::MAX)]
        } else {
            pool
        };
        Tree {
            pool,
            jobs,
            used: 0,
            ended: 0,
            won: 0,
            worked: 0,
            settings,
            policy: None,
        }
    }

    /// The same search with the priors of a policy, if there is one.
    #[must_use]
    pub fn with_policy(self, policy: Option<Policy<'a>>) -> Tree<'a> {
        Tree { policy, ..self }
    }

    /// Runs the playouts of the settings, unless stopped, and returns the most visited move.
    pub fn think(
        &mut self,
        game: &Go,
        rng: &mut Rng,
        control: &mut impl Control,
        helper: &mut impl Helper,
    ) -> Option<RootMove> {
        let root = Board::new(game);
        if game.is_over() || self.pool.is_empty() {
            return None;
        }
        self.plant(game, &root);
        let seed = rng.next_u64();
        let (playouts, most_work) = self.limits();
        let mut stopper = Stopper(control);
        let mut meter = Meter::new(
            &mut stopper,
            Limits {
                check_every: 1,
                ..Limits::nodes(playouts)
            },
        );
        let mut walks = [Walk {
            path: [0; DEEPEST],
            length: 0,
            state: PlayoutState::Idle,
        }; UNDER_WAY];
        let (mut begun, mut ended) = (0_u32, 0_u32);
        loop {
            // Starts playouts until `UNDER_WAY` are under way or the limit is reached.
            while begun - ended < UNDER_WAY as u32
                && self.worked < most_work
                && meter.count().is_ok()
            {
                let slot = begun as usize % UNDER_WAY;
                self.jobs[slot].number = begun;
                self.jobs[slot].board = root;
                self.jobs[slot].style = self.settings.style;
                self.jobs[slot].seed =
                    seed.wrapping_add(u64::from(begun).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                walks[slot] = self.descend(slot);
                begun += 1;
                if begun % REPORT_EVERY == 0 {
                    self.report(begun, &mut *meter.control.0);
                }
                if begun % PROGRESS_EVERY == 0 {
                    let done = share(begun.into(), playouts.into())
                        .max(share(self.worked.into(), most_work.into()));
                    meter.control.0.progress(done, &|| self.thoughts());
                }
            }
            if begun == ended {
                break;
            }
            let oldest = ended as usize % UNDER_WAY;
            work(oldest, &mut walks, self.jobs, helper);
            if let PlayoutState::Done(played) = walks[oldest].state {
                self.learn(&walks[oldest], root.turn(), played);
                walks[oldest].state = PlayoutState::Idle;
                ended += 1;
            }
        }
        self.best()
    }

    /// The most playouts of a search, and the most work.
    fn limits(&self) -> (u32, u32) {
        let playouts = self.settings.playouts;
        if self.settings.by_length {
            (MOST_PLAYOUTS, playouts.saturating_mul(FULL_WORK))
        } else {
            (playouts.min(MOST_PLAYOUTS), u32::MAX)
        }
    }

    /// The moves at the root, lowest index first.
    pub fn choices(&self) -> impl Iterator<Item = RootMove> + '_ {
        self.children(0).iter().map(|node| RootMove {
            mv: if node.cell == NOWHERE {
                GoMove::Pass
            } else {
                GoMove::Stone(point_of(node.cell))
            },
            visits: node.visits,
            value: (u32::from(node.wins) * 1000 / u32::from(node.visits).max(1)) as u16,
        })
    }

    /// The moves at the root as the mind view shows them.
    #[inline(never)]
    pub fn thoughts(&self) -> Thoughts {
        let most = self.choices().map(|choice| choice.visits).max();
        let most = u32::from(most.unwrap_or(0).max(1));
        let thought = |choice: RootMove| Thought {
            index: crate::game::GameMove::index(choice.mv),
            value: choice.value,
            visits: (u32::from(choice.visits) * 255 / most) as u8,
        };
        self.choices().map(thought).take(MAX_THOUGHTS).collect()
    }

    /// The moves at the root with their visits, those of the prior not counted.
    pub fn visits(&self, game: &Go) -> impl Iterator<Item = (GoMove, u16)> + '_ {
        let moves = self.root_moves(game, &Board::new(game));
        self.children(0)
            .iter()
            .zip(self.choices())
            .map(move |(node, choice)| {
                let mut list = moves.list[..moves.count].iter();
                let prior = list.find(|(cell, _)| *cell == node.cell);
                let virtual_visits = prior.map_or(0, |(_, prior)| prior.visits);
                (choice.mv, node.visits.saturating_sub(virtual_visits))
            })
    }

    /// Mean result of all playouts so far for the player to move, from −1,000 to 1,000. Unlike a
    /// move's value it contains no virtual playouts.
    pub fn value(&self) -> Value {
        (self.won * 2000 / self.ended.max(1)) as Value - 1000
    }

    /// Nodes in use.
    pub fn used(&self) -> usize {
        self.used
    }

    fn best(&self) -> Option<RootMove> {
        self.choices()
            .max_by_key(|choice| (choice.visits, core::cmp::Reverse(choice.mv)))
    }

    fn report(&self, playouts: u32, control: &mut impl Control) {
        let Some(best) = self.best() else { return };
        let line = [crate::game::GameMove::index(best.mv)];
        control.report(&Report {
            depth: 1,
            nodes: playouts,
            value: self.value(),
            line: &line,
        });
    }

    fn children(&self, parent: usize) -> &[Node] {
        let Some(Node { first, count, .. }) = self.pool.get(parent) else {
            return &[];
        };
        self.pool
            .get(usize::from(*first)..usize::from(*first) + usize::from(*count))
            .unwrap_or_default()
    }

    /// Starts a tree. The root has all legal moves, superko included in the test.
    fn plant(&mut self, game: &Go, root: &Board) {
        self.pool[0] = Node::default();
        (self.used, self.ended, self.won, self.worked) = (1, 0, 0, 0);
        let mut moves = self.root_moves(game, root);
        moves.keep(MOVES);
        self.add(0, &moves);
    }

    fn root_moves(&self, game: &Go, root: &Board) -> Candidates {
        let legal = game.legal_points();
        self.candidates(root, |cell| legal.contains(point_of(cell)))
    }

    fn candidates(&self, board: &Board, allowed: impl Fn(Cell) -> bool) -> Candidates {
        let mut moves = Candidates::new(board, allowed);
        match &self.policy {
            Some(policy) => moves.judge_by_policy(board, policy, &self.settings.trust),
            None => moves.judge(board, &self.settings.weights),
        }
        moves
    }

    /// Selects a path from the root and plays its moves on the board of a job.
    fn descend(&mut self, job: usize) -> Walk {
        let mut walk = Walk {
            path: [0; DEEPEST],
            length: 0,
            state: PlayoutState::Waiting,
        };
        let mut at = 0;
        while walk.length < DEEPEST && !self.jobs[job].board.is_over() {
            self.grow(at, job);
            let Some(child) = self.select(at) else { break };
            let node = &mut self.pool[child];
            // Virtual loss: until the result is known the visit counts as lost, so that the next
            // path differs.
            node.visits += 1;
            if node.count == 0 {
                node.first += 1;
            }
            self.jobs[job].board.play(node.cell);
            walk.path[walk.length] = child as u16;
            walk.length += 1;
            at = child;
        }
        if self.jobs[job].board.is_over() {
            let score = self.jobs[job].board.area_score();
            walk.state = PlayoutState::Done(Played {
                score,
                ..Played::default()
            });
        }
        walk
    }

    /// Expands a position: not before `expand_at` visits, then its best moves, then all.
    fn grow(&mut self, at: usize, job: usize) {
        let Node {
            count,
            first,
            visits,
            ..
        } = self.pool[at];
        let width = match count {
            _ if at == 0 => return,
            // Virtual visits do not count: they would expand a position at its first visit.
            0 if first < self.settings.expand_at => return,
            0 => usize::from(self.settings.width),
            count if count == self.settings.width && visits >= self.settings.widen_at => MOVES,
            _ => return,
        };
        if self.used + width > self.pool.len() {
            return;
        }
        let mut moves = self.candidates(&self.jobs[job].board, |_| true);
        moves.keep(width);
        self.add(at, &moves);
    }

    /// Gives a position these children; existing ones keep their statistics.
    fn add(&mut self, at: usize, moves: &Candidates) {
        let (old, old_count) = (
            usize::from(self.pool[at].first),
            usize::from(self.pool[at].count),
        );
        let first = self.used;
        for &(cell, Prior { visits, wins }) in &moves.list[..moves.count] {
            if self.used == self.pool.len() {
                break;
            }
            let known = self
                .pool
                .get(old..old + old_count)
                .and_then(|known| known.iter().find(|node| node.cell == cell));
            self.pool[self.used] = known.copied().unwrap_or(Node {
                cell,
                visits,
                wins,
                ..Node::default()
            });
            self.used += 1;
        }
        self.pool[at].first = first as u16;
        self.pool[at].count = (self.used - first) as u8;
    }

    /// The child with the best blend of own and RAVE results.
    fn select(&self, at: usize) -> Option<usize> {
        let first = usize::from(self.pool[at].first);
        let mut best = None;
        let (mut best_won, mut best_of) = (0, 1);
        for (place, node) in self.children(at).iter().enumerate() {
            let (won, of) = self.score(node);
            // won / of > best_won / best_of, without a division.
            if best.is_none() || won * best_of > best_won * of {
                (best, best_won, best_of) = (Some(first + place), won, of);
            }
        }
        best
    }

    /// The blended win rate as a fraction of two 16-bit numbers.
    ///
    /// With v visits and w wins, and v' and w' by RAVE, the weight of RAVE is v' / (v' + v +
    /// v·v'/k). The blend is (w·g + w') / (v·g + v') with g = 1 + v'/k.
    #[inline]
    fn score(&self, node: &Node) -> (u32, u32) {
        const UNIT: u32 = 64;
        let growth = UNIT + ((u32::from(node.amaf_visits) * UNIT) >> self.settings.rave);
        let mut won = u32::from(node.wins) * growth + u32::from(node.amaf_wins) * UNIT;
        let mut of = u32::from(node.visits) * growth + u32::from(node.amaf_visits) * UNIT;
        while of > 0xFFFF {
            won >>= 1;
            of >>= 1;
        }
        (won, of.max(1))
    }

    /// Backpropagates a result along the path, and by RAVE to siblings played later by the same
    /// player.
    fn learn(&mut self, walk: &Walk, first_turn: Player, played: Played) {
        let winner = if played.score > 0 {
            Player::First
        } else {
            Player::Second
        };
        self.ended += 1;
        self.worked += BASE_WORK + u32::from(played.moves);
        self.won += u32::from(winner == first_turn);
        let mut later = played.first;
        for step in (0..walk.length).rev() {
            let mover = if step % 2 == 0 {
                first_turn
            } else {
                !first_turn
            };
            let won = u16::from(mover == winner);
            let child = usize::from(walk.path[step]);
            self.pool[child].wins += won;
            if self.pool[child].cell != NOWHERE {
                let point = point_of(self.pool[child].cell);
                later[mover.index()].insert(point);
                later[(!mover).index()].remove(point);
            }
            let parent = if step == 0 {
                0
            } else {
                usize::from(walk.path[step - 1])
            };
            let Node { first, count, .. } = self.pool[parent];
            let Some(children) = self
                .pool
                .get_mut(usize::from(first)..usize::from(first) + usize::from(count))
            else {
                continue;
            };
            let seen = later[mover.index()];
            for node in children {
                if node.cell != NOWHERE && seen.contains(point_of(node.cell)) {
                    if node.amaf_visits == u16::MAX {
                        node.amaf_visits /= 2;
                        node.amaf_wins /= 2;
                    }
                    node.amaf_visits += 1;
                    node.amaf_wins += won;
                }
            }
        }
    }
}

/// Brings the oldest playout closer to its end: collects results, offers jobs to the helper, runs
/// one job here.
fn work(
    oldest: usize,
    walks: &mut [Walk; UNDER_WAY],
    jobs: &mut [PlayoutJob; UNDER_WAY],
    helper: &mut impl Helper,
) {
    let order = |back: usize| (oldest + back) % UNDER_WAY;
    while let Some((number, result)) = helper.collect() {
        walks[number as usize % UNDER_WAY].state = PlayoutState::Done(Played::from_words(result));
    }
    // The oldest is not offered: it runs here at once.
    for slot in (1..UNDER_WAY).map(order) {
        if walks[slot].state == PlayoutState::Waiting && helper.offer(&jobs[slot]) {
            walks[slot].state = PlayoutState::Away;
        }
    }
    let waiting = (0..UNDER_WAY)
        .map(order)
        .find(|&slot| walks[slot].state == PlayoutState::Waiting);
    match (walks[oldest].state, waiting) {
        (PlayoutState::Done(_) | PlayoutState::Idle, _) => {}
        (_, Some(slot)) => walks[slot].state = PlayoutState::Done(jobs[slot].run_in_place()),
        // All are offered: one that the helper has not started runs here after all.
        (_, None) => {
            if let Some(number) = helper.withdraw() {
                let slot = number as usize % UNDER_WAY;
                walks[slot].state = PlayoutState::Done(jobs[slot].run_in_place());
            }
        }
    }
}

/// The moves of a position with their priors.
struct Candidates {
    list: [(Cell, Prior); MOVES],
    count: usize,
}

impl Candidates {
    /// All legal moves that fill no own eye; a pass if there are none, or after a pass.
    fn new(board: &Board, allowed: impl Fn(Cell) -> bool) -> Candidates {
        let mut moves = Candidates {
            list: [(NOWHERE, Prior::default()); MOVES],
            count: 0,
        };
        let own = colour(board.turn());
        for &cell in board.spaces() {
            if board.is_sensible(cell, own) && allowed(cell) {
                moves.push(cell);
            }
        }
        if moves.count == 0 || board.passes > 0 {
            moves.push(NOWHERE);
        }
        moves
    }

    fn push(&mut self, cell: Cell) {
        if let Some(place) = self.list.get_mut(self.count) {
            place.0 = cell;
            self.count += 1;
        }
    }

    /// Priors by hand-written rules.
    fn judge(&mut self, board: &Board, weights: &Weights) {
        for (cell, prior) in &mut self.list[..self.count] {
            *prior = if *cell == NOWHERE {
                Prior::of_pass(weights.even)
            } else {
                weights.of(board, *cell)
            };
        }
    }

    /// Priors by a learned policy.
    fn judge_by_policy(&mut self, board: &Board, policy: &Policy<'_>, trust: &Trust) {
        let list = &mut self.list[..self.count];
        let mut logits = [0; MOVES];
        // The pass, if there is one, comes last.
        let stones = list.iter().filter(|(cell, _)| *cell != NOWHERE).count();
        let logits = &mut logits[..stones];
        for (logit, (cell, _)) in logits.iter_mut().zip(&*list) {
            *logit = policy.logit(board, *cell);
        }
        policy::relative(logits);
        for (place, (_, prior)) in list.iter_mut().enumerate() {
            *prior = match logits.get(place) {
                Some(&logit) => trust.of(logit),
                None => Prior::of_pass(trust.even),
            };
        }
    }

    /// Keeps the most promising ones, in the order of their points.
    fn keep(&mut self, count: usize) {
        let list = &mut self.list[..self.count];
        if count < list.len() {
            sort(list, |&(cell, prior)| {
                (core::cmp::Reverse(prior.promise()), cell)
            });
            self.count = count;
        }
        sort(&mut self.list[..self.count], |&(cell, _)| cell);
    }
}

/// Sorts a short list by keys of which no two are equal: Shell's sort, with gaps by Ciura. The
/// library's sort is as fast for so few moves, and takes 17 KB of flash.
fn sort<T: Copy, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for gap in [57, 23, 10, 4, 1] {
        for end in gap..list.len() {
            let moved = list[end];
            let rank = key(&moved);
            let mut at = end;
            while at >= gap && key(&list[at - gap]) > rank {
                list[at] = list[at - gap];
                at -= gap;
            }
            list[at] = moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;
    use core::sync::atomic::AtomicBool;

    #[test]
    fn short_lists_of_any_length_are_sorted() {
        let mut rng = Rng::new(1);
        for length in 0..120 {
            let mut list: heapless::Vec<u32, 128> =
                (0..length).map(|at| rng.below(50) << 8 | at).collect();
            let mut expected = list.clone();
            expected.sort_unstable();
            sort(&mut list, |&value| value);
            assert_eq!(list, expected);
        }
    }

    /// A helper that finishes jobs late, out of order, or not at all.
    #[derive(Debug, Default)]
    struct Lazy {
        jobs: heapless::Vec<(u32, JobResult), 2>,
        asked: u32,
        played: u32,
        returned: u32,
    }

    impl Helper for Lazy {
        fn offer(&mut self, job: &(dyn Job + 'static)) -> bool {
            self.asked += 1;
            !self.asked.is_multiple_of(5) && self.jobs.push((job.number(), job.run())).is_ok()
        }

        fn collect(&mut self) -> Option<(u32, JobResult)> {
            self.asked += 1;
            let job = if self.asked.is_multiple_of(3) {
                self.jobs.pop()
            } else {
                None
            }?;
            self.played += 1;
            Some(job)
        }

        fn withdraw(&mut self) -> Option<u32> {
            self.asked += 1;
            let job = if self.asked.is_multiple_of(2) {
                self.jobs.pop()
            } else {
                None
            }?;
            self.returned += 1;
            Some(job.0)
        }
    }

    fn think(
        text: &str,
        settings: TreeSettings,
        nodes: usize,
        helper: &mut impl Helper,
    ) -> (RootMove, [Node; 3000]) {
        let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let mut pool = [Node::default(); 3000];
        let mut jobs = [PlayoutJob::default(); UNDER_WAY];
        let mut tree = Tree::new(&mut pool[..nodes], &mut jobs, settings);
        let choice = tree
            .think(&game, &mut Rng::new(4), &mut (), helper)
            .unwrap();
        (choice, pool)
    }

    const EMPTY_BOARD: &str = "...../...../...../...../..... black";

    #[test]
    fn whoever_plays_the_playouts_the_tree_is_the_same() {
        for settings in [TreeSettings::best(600), TreeSettings::timed(400)] {
            let mut lazy = Lazy::default();
            let settings = TreeSettings {
                widen_at: 60,
                ..settings
            };
            let alone = think(EMPTY_BOARD, settings, 3000, &mut None);
            let helped = think(EMPTY_BOARD, settings, 3000, &mut lazy);
            assert!(
                lazy.played > 50 && lazy.returned > 0,
                "{} played elsewhere, {} taken back",
                lazy.played,
                lazy.returned
            );
            assert!(alone == helped);
        }
    }

    #[test]
    fn short_playouts_count_less() {
        let ended = |rules: GoRules, text: &str, settings| {
            let game = Go::parse_position(rules, text).unwrap();
            let (mut pool, mut jobs) =
                ([Node::default(); 3000], [PlayoutJob::default(); UNDER_WAY]);
            let mut tree = Tree::new(&mut pool, &mut jobs, settings);
            tree.think(&game, &mut Rng::new(4), &mut (), &mut None);
            tree.ended
        };
        let small = GoRules::new(5).unwrap();
        assert_eq!(ended(small, EMPTY_BOARD, TreeSettings::best(200)), 200);
        let timed = ended(small, EMPTY_BOARD, TreeSettings::timed(200));
        assert!((300..500).contains(&timed), "{timed} on the small board");
        let large = GoRules::new(9).unwrap();
        let empty = "........./........./........./........./........./........./........./........./......... black";
        let timed = ended(large, empty, TreeSettings::timed(200));
        assert!((180..260).contains(&timed), "{timed} on the empty board");
        // A playout that takes no move costs something too.
        let over = ended(
            small,
            "XX.X./XXXXX/X.X../XXXXX/X.X.X white",
            TreeSettings::timed(10_000),
        );
        assert!(over <= MOST_PLAYOUTS, "{over}");
    }

    /// Three quarters of its own playouts are won, and a quarter of those that played it later.
    #[test]
    fn own_results_and_later_ones_are_weighed_as_documented() {
        for (rave, visits, later) in [
            (11, 0, 40),
            (11, 8, 40),
            (11, 400, 40),
            (11, 400, 4000),
            (11, 20_000, 4000),
            (5, 8, 400),
            (5, 400, 8),
        ] {
            let settings = TreeSettings {
                rave,
                ..TreeSettings::best(0)
            };
            let mut jobs = [PlayoutJob::default(); UNDER_WAY];
            let tree = Tree::new(&mut [], &mut jobs, settings);
            let (won, of) = tree.score(&Node {
                visits,
                wins: visits / 4 * 3,
                amaf_visits: later,
                amaf_wins: later / 4,
                ..Node::default()
            });
            let (own, rave) = (f64::from(visits), f64::from(1u32 << rave));
            let later = f64::from(later);
            let weight = later / (later + own + own * later / rave);
            let expected = 0.75 * (1.0 - weight) + 0.25 * weight;
            let found = f64::from(won) / f64::from(of);
            assert!((found - expected).abs() < 0.01, "{found}, not {expected}");
        }
    }

    #[test]
    fn the_middle_of_the_small_board_is_best_and_stones_are_taken() {
        let (choice, _) = think(EMPTY_BOARD, TreeSettings::best(2000), 3000, &mut None);
        assert_eq!(
            choice.mv,
            GoMove::Stone(crate::games::go::Point::parse("C3").unwrap())
        );
        // Three stones in atari decide the game.
        let (choice, _) = think(
            "..XO./.XXO./OOOX./XXXX./..... black",
            TreeSettings::best(500),
            3000,
            &mut None,
        );
        assert_eq!(
            choice.mv,
            GoMove::Stone(crate::games::go::Point::parse("A4").unwrap())
        );
    }

    #[test]
    fn a_position_gets_moves_after_real_visits_only() {
        let game = Go::new(GoRules::new(5).unwrap());
        let used = |playouts| {
            let (mut pool, mut jobs) =
                ([Node::default(); 3000], [PlayoutJob::default(); UNDER_WAY]);
            let mut tree = Tree::new(&mut pool, &mut jobs, TreeSettings::best(playouts));
            tree.think(&game, &mut Rng::new(4), &mut (), &mut None);
            tree.used()
        };
        let root = 1 + 25;
        assert_eq!(used(u32::from(TreeSettings::best(0).expand_at) - 1), root);
        assert!((root + 100..2000).contains(&used(600)), "{}", used(600));
    }

    #[test]
    fn any_memory_works_and_a_stop_is_obeyed() {
        for nodes in [1, 2, 27, 100] {
            let (choice, _) = think(
                EMPTY_BOARD,
                TreeSettings::best(300),
                nodes.max(2),
                &mut None,
            );
            assert!(choice.mv != GoMove::Pass);
        }
        let game = Go::new(GoRules::default());
        let mut pool = [Node::default(); 500];
        let stop = AtomicBool::new(true);
        let mut jobs = [PlayoutJob::default(); UNDER_WAY];
        let mut tree = Tree::new(&mut pool, &mut jobs, TreeSettings::best(60_000));
        assert!(
            tree.think(&game, &mut Rng::new(1), &mut &stop, &mut None)
                .is_some()
        );
        assert!(
            Tree::new(&mut [], &mut jobs, TreeSettings::best(10))
                .think(&game, &mut Rng::new(1), &mut (), &mut None)
                .is_none()
        );
    }
}
