//! Monte Carlo tree search for Go, in a fixed pool of small nodes.
//!
//! What it does beyond the general one (`search::mcts`): positions are played on the fast board, moves start with
//! [priors](super::priors), a result also counts for all moves of the same player later in the playout (RAVE), at first
//! only the most promising moves of a position get a node, and two cores can share the work.
//!
//! # Two cores, one answer
//! A few playouts are always under way. Each has its own seed, and its result enters the tree when it has become the
//! oldest, never earlier: which moves are looked at does not depend on who plays a playout or how long it takes. A
//! [`Helper`] may take some over; what it does not get to, the owner of the tree plays.

use super::priors::{Prior, Weights};
use crate::game::{Game, Player};
use crate::games::Go;
use crate::games::go::board::{Cell, NOWHERE, colour, point_of};
use crate::games::go::{Board, GoMove, Played, Style};
use crate::players::helper::{Helper, Job, JobResult, MAX_JOBS};
use crate::rng::Rng;
use crate::search::{Control, Limits, Meter, Report, Value};

/// A move and what became of it. 12 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    cell: Cell,
    /// How many moves follow; 0 as long as the position has none in the tree.
    count: u8,
    /// The first of them; as long as there are none, how often the position was really visited.
    first: u16,
    /// With those of its prior.
    visits: u16,
    /// Won by the player who made the move.
    wins: u16,
    amaf_visits: u16,
    amaf_wins: u16,
}

const _: () = assert!(size_of::<Node>() == 12);

/// How the tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSettings {
    /// Playouts a move, at most 60,000.
    pub playouts: u32,
    /// How they are played.
    pub style: Style,
    /// What moves look like at first.
    pub weights: Weights,
    /// A move's own results count as much as RAVE's after about so many: 2 to this power.
    pub rave: u8,
    /// Visits after which the moves of a position are added to the tree.
    pub expand_at: u16,
    /// How many of them at first.
    pub width: u8,
    /// Visits after which the others follow.
    pub widen_at: u16,
}

impl TreeSettings {
    /// Everything that is known, with so many playouts.
    pub const fn best(playouts: u32) -> TreeSettings {
        TreeSettings {
            playouts,
            style: Style::KNOWING,
            weights: Weights::BEST,
            rave: 11,
            expand_at: 20,
            width: 10,
            widen_at: 200,
        }
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

/// A move at the root and how it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: GoMove,
    /// Playouts in which it was chosen, with those of its prior.
    pub visits: u16,
    /// Won ones among them, in thousandths.
    pub value: u16,
}

/// Playouts under way: one that the owner of the tree plays, one that a helper plays, and two that wait for the helper.
pub const UNDER_WAY: usize = MAX_JOBS;
/// Longest walk down the tree.
const DEEPEST: usize = 40;
/// How often progress is reported, in playouts.
const REPORT_EVERY: u32 = 256;
/// Most playouts that the numbers of a node can count.
const MOST_PLAYOUTS: u32 = 60_000;
/// A position has at most so many moves.
const MOVES: usize = 82;

/// A walk down the tree and the playout that follows it.
#[derive(Clone, Copy)]
struct Walk {
    path: [u16; DEEPEST],
    length: usize,
    state: PlayoutState,
}

#[derive(Clone, Copy, PartialEq)]
enum PlayoutState {
    /// There is none.
    Idle,
    /// Nobody plays it yet.
    Waiting,
    /// The helper has it.
    Away,
    /// It is over.
    Done(Played),
}

/// A search in a borrowed pool.
#[derive(Debug)]
pub struct Tree<'a> {
    pool: &'a mut [Node],
    jobs: &'a mut [PlayoutJob; UNDER_WAY],
    used: usize,
    /// Playouts that are over, and those among them that the player to move won.
    ended: u32,
    won: u32,
    settings: TreeSettings,
}

impl<'a> Tree<'a> {
    /// A search in this memory; any size works, without a tree below a hundred nodes or so.
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
            settings,
        }
    }

    /// Plays as many games as the settings says, unless it is stopped, and returns the move that was tried most.
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
        let playouts = self.settings.playouts.min(MOST_PLAYOUTS);
        let mut meter = Meter::new(
            control,
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
            // As many as possible are under way, as long as there is time for more.
            while begun - ended < UNDER_WAY as u32 && meter.count().is_ok() {
                let slot = begun as usize % UNDER_WAY;
                self.jobs[slot].number = begun;
                self.jobs[slot].board = root;
                self.jobs[slot].style = self.settings.style;
                self.jobs[slot].seed =
                    seed.wrapping_add(u64::from(begun).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                walks[slot] = self.descend(slot);
                begun += 1;
                if begun % REPORT_EVERY == 0 {
                    self.report(begun, &mut *meter.control);
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

    /// The moves at the root and how they did, lowest index first.
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

    /// What the player to move won of all playouts so far: 1,000 is all, −1,000 none. A move's own value has imagined ones in
    /// it.
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

    /// Starts a tree: the root has all moves that the game allows, superko among the reasons why not.
    fn plant(&mut self, game: &Go, root: &Board) {
        self.pool[0] = Node::default();
        (self.used, self.ended, self.won) = (1, 0, 0);
        let legal = game.legal_points();
        let mut moves = Candidates::new(root, &self.settings.weights, |cell| {
            legal.contains(point_of(cell))
        });
        moves.keep(MOVES);
        self.add(0, &moves);
    }

    /// Walks down from the root and plays the moves of the way on the board of a job.
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
            // Counts as lost until the result is there: the next walk looks elsewhere.
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

    /// Gives a position its moves: none until it was visited often enough, then the best ones, then all.
    fn grow(&mut self, at: usize, job: usize) {
        let Node {
            count,
            first,
            visits,
            ..
        } = self.pool[at];
        let width = match count {
            _ if at == 0 => return,
            // Imagined visits do not count: a position would be added the first time that it is seen.
            0 if first < self.settings.expand_at => return,
            0 => usize::from(self.settings.width),
            count if count == self.settings.width && visits >= self.settings.widen_at => MOVES,
            _ => return,
        };
        if self.used + width > self.pool.len() {
            return;
        }
        let mut moves = Candidates::new(&self.jobs[job].board, &self.settings.weights, |_| true);
        moves.keep(width);
        self.add(at, &moves);
    }

    /// Adds moves to a position; those that it has already keep what is known about them.
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

    /// The child with the best mixture of its own results and RAVE's.
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

    /// (w + a·…)/(v + …) as a fraction of two 16-bit numbers.
    ///
    /// With v visits, w of them won, and the same as v' and w' by RAVE, RAVE weighs v' / (v' + v + v·v'/k): that is
    /// (w·g + w') / (v·g + v') with g = 1 + v'/k.
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

    /// Writes a result to all moves of the walk, and to those of the same players that came later.
    fn learn(&mut self, walk: &Walk, first_turn: Player, played: Played) {
        let winner = if played.score > 0 {
            Player::First
        } else {
            Player::Second
        };
        self.ended += 1;
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

/// Brings the oldest playout nearer to its end: gives the helper something to do, and plays what is most needed.
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
    // The oldest is not for the helper: it is played here at once.
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
        // All are with the helper: what it has not begun is played here after all.
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
    /// All legal moves that fill no eye; a pass if there are none, or after a pass.
    fn new(board: &Board, weights: &Weights, allowed: impl Fn(Cell) -> bool) -> Candidates {
        let mut moves = Candidates {
            list: [(NOWHERE, Prior::default()); MOVES],
            count: 0,
        };
        let own = colour(board.turn());
        for &cell in board.spaces() {
            if board.is_sensible(cell, own) && allowed(cell) {
                moves.push(cell, weights.of(board, cell));
            }
        }
        if moves.count == 0 || board.passes > 0 {
            moves.push(
                NOWHERE,
                Prior {
                    visits: weights.even,
                    wins: weights.even / 4,
                },
            );
        }
        moves
    }

    fn push(&mut self, cell: Cell, prior: Prior) {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = (cell, prior);
            self.count += 1;
        }
    }

    /// Leaves the most promising ones, in the order of their points.
    fn keep(&mut self, count: usize) {
        let list = &mut self.list[..self.count];
        if count < list.len() {
            list.sort_unstable_by_key(|&(cell, prior)| (core::cmp::Reverse(prior.promise()), cell));
            self.count = count;
        }
        self.list[..self.count].sort_unstable_by_key(|&(cell, _)| cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;
    use core::sync::atomic::AtomicBool;

    /// Plays what it is given a few questions later, out of order, or now and then not at all.
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
        let mut lazy = Lazy::default();
        let settings = TreeSettings {
            widen_at: 60,
            ..TreeSettings::best(600)
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
