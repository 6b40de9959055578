//! The tree in its pool: selection, expansion, playout, backpropagation.

use std::mem;

use super::fixed::{BITS, ln, sqrt};
use super::{ONE, Open, Policy, Reward, Worlds};
use dojo_core::game::{Game, GameMove, Player};
use dojo_core::rng::Rng;
use dojo_core::search::{Control, Found, Limits, MAX_PLY, Meter, Report, Stats, Value};

/// A move and the statistics of its playouts. 28 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Node {
    mv: u16,
    amaf_visits: u16,
    amaf_sum: u32,
    visits: u32,
    /// Sum of rewards for the player who made the move.
    sum: u32,
    /// Rounds in which the move was legal: with hidden information that depends on the
    /// determinization.
    available: u32,
    /// First child, in order of move index; 0 for none.
    first: u32,
    /// Next sibling; 0 for none.
    next: u32,
}

/// How the tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct Playouts<P> {
    /// How playouts are played and judged.
    pub policy: P,
    /// Exploration constant of UCT, in 1/256.
    pub exploration: u16,
    /// RAVE's equivalence parameter: after this many visits a move's own results weigh as much as
    /// the playouts in which it was played later (all moves as first). 0 switches RAVE off.
    pub rave: u16,
    /// Visits before a position is expanded.
    pub expand_at: u16,
    /// Number of determinizations with a tree each; 0 joins all in one tree.
    pub separate: u16,
}

impl<P> Playouts<P> {
    /// Plain UCT.
    pub const fn new(policy: P) -> Playouts<P> {
        Playouts {
            policy,
            exploration: 256,
            rave: 0,
            expand_at: 1,
            separate: 0,
        }
    }
}

/// The statistics of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The index of the move.
    pub index: u16,
    /// Rounds that chose it.
    pub visits: u32,
    /// Expected result in thousandths: 1,000 won, −1,000 lost.
    pub value: Value,
}

/// A search in a pool borrowed from the caller.
#[derive(Debug)]
pub struct Mcts<'a, P> {
    pool: &'a mut [Node],
    used: usize,
    settings: Playouts<P>,
}

/// Places of the two roots: of the result, and of the present tree if determinizations are
/// separate.
const ROOT: usize = 0;
const WORLD: usize = 1;

/// 1.0 in mean rewards and exploration terms.
const UNIT: u32 = 1 << BITS;
/// The score of a move without visits or prior: above every other.
const UNTRIED: u32 = u32::MAX;
/// Rounds between two progress reports.
const REPORT_EVERY: u32 = 256;
/// Longest reported line.
const LINE: usize = 12;

/// Bit sets of the move indices that each player played in a playout, modulo 256.
type MovesSeen = [[u32; 8]; 2];

impl<'a, P> Mcts<'a, P> {
    /// A pool of any size works; below three nodes there is no tree and the first legal move is
    /// played.
    pub fn new(pool: &'a mut [Node], settings: Playouts<P>) -> Mcts<'a, P> {
        Mcts {
            pool,
            used: 0,
            settings,
        }
    }

    /// The moves at the root after a search, lowest index first.
    pub fn choices(&self) -> impl Iterator<Item = RootMove> + '_ {
        self.children(ROOT).map(|child| {
            let node = &self.pool[child];
            RootMove {
                index: node.mv,
                visits: node.visits,
                value: thousandths(mean(node.sum, node.visits)),
            }
        })
    }

    /// Nodes in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Plays up to `limits.nodes` games and picks the move that was tried most.
    pub fn think<G: Game>(
        &mut self,
        game: &G,
        worlds: &impl Worlds<G>,
        limits: &Limits,
        rng: &mut Rng,
        control: &mut impl Control,
    ) -> Found<G::Move>
    where
        P: Policy<G>,
    {
        let mut found = Found {
            mv: game.legal_moves().next(),
            ..Found::nothing()
        };
        if self.pool.len() <= WORLD || found.mv.is_none() {
            return found;
        }
        self.pool[..=WORLD].fill(Node::default());
        self.used = WORLD + 1;
        // A playout can take long: ask before each.
        let mut meter = Meter::new(
            control,
            Limits {
                check_every: 1,
                ..*limits
            },
        );
        let share = limits.nodes / u32::from(self.settings.separate).max(1);
        if self.settings.separate == 0 {
            while self.go_on(game, &mut meter, &mut found) {
                let world = worlds.sample(game, rng);
                self.round(ROOT, world, rng, &mut found.stats);
            }
        } else {
            self.expand(ROOT, game);
            for _ in 0..self.settings.separate {
                self.used = self.used.min(1 + WORLD + self.children(ROOT).count());
                self.pool[WORLD] = Node::default();
                let world = worlds.sample(game, rng);
                for _ in 0..share {
                    if !self.go_on(game, &mut meter, &mut found) {
                        break;
                    }
                    self.round(WORLD, Open.sample(&world, rng), rng, &mut found.stats);
                }
                self.tally();
            }
        }
        let best = self
            .choices()
            .max_by_key(|choice| (choice.visits, choice.value, std::cmp::Reverse(choice.index)));
        if let Some(best) = best {
            found.value = best.value;
            found.mv = G::Move::from_index(best.index)
                .filter(|&mv| game.is_legal(mv))
                .or(found.mv);
        }
        found.stats.nodes = meter.nodes();
        found.depth = found.stats.deepest;
        found
    }

    /// Counts a round; `false` if the limits or the control end the search.
    fn go_on<G: Game, C: Control>(
        &mut self,
        game: &G,
        meter: &mut Meter<'_, C>,
        found: &mut Found<G::Move>,
    ) -> bool {
        if meter.nodes() > 0 && meter.nodes().is_multiple_of(REPORT_EVERY) {
            let line = self.line::<G>(game);
            let value = self
                .choices()
                .max_by_key(|choice| choice.visits)
                .map_or(0, |choice| choice.value);
            meter.control.report(&Report {
                depth: found.stats.deepest,
                nodes: meter.nodes(),
                value,
                line: &line,
            });
        }
        found.stopped = meter.count().is_err();
        !found.stopped
    }

    /// One round: selection and expansion, playout, backpropagation.
    fn round<G: Game>(&mut self, root: usize, mut game: G, rng: &mut Rng, stats: &mut Stats)
    where
        P: Policy<G>,
    {
        let mut path: heapless::Vec<(usize, Player), { MAX_PLY as usize }> = heapless::Vec::new();
        let mut at = root;
        while self.pool[at].visits >= u32::from(self.settings.expand_at) || at == root {
            let Some(child) = self.select(at, &game) else {
                break;
            };
            let Some(mv) = G::Move::from_index(self.pool[child].mv) else {
                break;
            };
            if path.push((child, game.turn())).is_err() {
                break;
            }
            game.play_unchecked(mv);
            at = child;
        }
        stats.deepest = stats.deepest.max(path.len() as u8);
        stats.leaves += 1;

        let mut played: MovesSeen = [[0; 8]; 2];
        for _ in 0..G::MAX_PLIES {
            if game.is_over() {
                break;
            }
            let Some(mv) = self.settings.policy.choose(&game, rng) else {
                break;
            };
            note(&mut played, game.turn(), mv.index());
            game.play_unchecked(mv);
        }

        let rewards = Player::BOTH.map(|player| self.settings.policy.reward(&game, player));
        self.pool[root].visits += 1;
        for step in (0..path.len()).rev() {
            let (child, mover) = path[step];
            let reward = rewards[mover.index()];
            self.pool[child].visits += 1;
            self.pool[child].sum += u32::from(reward);
            if self.settings.rave > 0 {
                note(&mut played, mover, self.pool[child].mv);
                let parent = if step == 0 { root } else { path[step - 1].0 };
                self.credit(parent, &played[mover.index()], reward);
            }
        }
    }

    /// The child with the highest score among the moves that are legal in this determinization.
    fn select<G: Game>(&mut self, parent: usize, game: &G) -> Option<usize>
    where
        P: Policy<G>,
    {
        self.expand(parent, game);
        let mut best = None;
        let mut known = (0, 0);
        // Moves and children are both in order of index: one pass matches them.
        let mut child = self.pool[parent].first as usize;
        for mv in game.legal_moves() {
            while child != 0 && self.pool[child].mv < mv.index() {
                child = self.pool[child].next as usize;
            }
            if child == 0 || self.pool[child].mv != mv.index() {
                continue; // the pool had no room for it
            }
            self.pool[child].available += 1;
            let available = self.pool[child].available;
            if known.0 != available {
                known = (available, ln(available));
            }
            let score = self.score(&self.pool[child], known.1);
            if best.is_none_or(|(top, _)| score > top) {
                best = Some((score, child));
            }
        }
        best.map(|(_, child)| child)
    }

    /// Adds the legal moves that have no node yet, as far as the pool goes.
    fn expand<G: Game>(&mut self, parent: usize, game: &G)
    where
        P: Policy<G>,
    {
        let mut last = None;
        for mv in game.legal_moves() {
            let mut following = self.following(parent, last);
            while following != 0 && self.pool[following].mv < mv.index() {
                last = Some(following);
                following = self.pool[following].next as usize;
            }
            if following == 0 || self.pool[following].mv != mv.index() {
                let place = self.used;
                if place >= self.pool.len() {
                    return;
                }
                self.used += 1;
                let (amaf_visits, reward) = self.settings.policy.prior(game, mv);
                self.pool[place] = Node {
                    mv: mv.index(),
                    amaf_visits,
                    amaf_sum: u32::from(amaf_visits) * u32::from(reward),
                    next: following as u32,
                    ..Node::default()
                };
                match last {
                    Some(last) => self.pool[last].next = place as u32,
                    None => self.pool[parent].first = place as u32,
                }
                following = place;
            }
            last = Some(following);
        }
    }

    fn following(&self, parent: usize, last: Option<usize>) -> usize {
        last.map_or(self.pool[parent].first, |last| self.pool[last].next) as usize
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = self.pool.get(parent).map_or(0, |node| node.first as usize);
        std::iter::from_fn(move || {
            let child = next;
            next = self.pool.get(child)?.next as usize;
            (child != 0).then_some(child)
        })
    }

    /// UCT: the mean reward, blended with RAVE and prior while visits are few, plus the exploration
    /// term.
    fn score(&self, node: &Node, ln_available: u32) -> u32 {
        if node.visits == 0 && node.amaf_visits == 0 {
            return UNTRIED;
        }
        let own = mean(node.sum, node.visits);
        let amaf = mean(node.amaf_sum, node.amaf_visits.into());
        let weight = self.weight(node);
        let value = (own * (UNIT - weight) + amaf * weight) >> BITS;
        let bonus =
            (sqrt(ln_available / node.visits.max(1)) * u32::from(self.settings.exploration)) >> 8;
        value + bonus
    }

    /// The weight of RAVE and prior, which falls as visits grow.
    fn weight(&self, node: &Node) -> u32 {
        let amaf = u32::from(node.amaf_visits);
        if amaf == 0 {
            return 0;
        }
        // Without RAVE a prior weighs exactly its number of virtual visits.
        let equivalence = u32::from(self.settings.rave).max(1);
        let shared = if self.settings.rave > 0 {
            node.visits.min(0x7FFF) * amaf / equivalence
        } else {
            0
        };
        (amaf << BITS) / amaf.saturating_add(node.visits).saturating_add(shared)
    }

    /// RAVE: credits all children whose move was played later in the round.
    fn credit(&mut self, parent: usize, played: &[u32; 8], reward: Reward) {
        let mut child = self.pool[parent].first as usize;
        while child != 0 {
            let node = &mut self.pool[child];
            if played[usize::from(node.mv >> 5) & 7] >> (node.mv & 31) & 1 == 1 {
                if node.amaf_visits == u16::MAX {
                    node.amaf_visits /= 2;
                    node.amaf_sum /= 2;
                }
                node.amaf_visits += 1;
                node.amaf_sum += u32::from(reward);
            }
            child = node.next as usize;
        }
    }

    /// Adds the results of a separate tree to those of the root.
    fn tally(&mut self) {
        let mut total = self.pool[ROOT].first as usize;
        let mut child = self.pool[WORLD].first as usize;
        while total != 0 && child != 0 {
            let Node {
                mv,
                visits,
                sum,
                next,
                ..
            } = self.pool[child];
            let root = &mut self.pool[total];
            if root.mv == mv {
                root.visits += visits;
                root.sum += sum;
            }
            if root.mv >= mv {
                child = next as usize;
            }
            if root.mv <= mv {
                total = root.next as usize;
            }
        }
    }

    /// The line of the most visited moves.
    fn line<G: Game>(&self, game: &G) -> heapless::Vec<u16, LINE> {
        let mut line = heapless::Vec::new();
        let mut game = game.clone();
        let mut at = ROOT;
        loop {
            let best = self
                .children(at)
                .max_by_key(|&child| self.pool[child].visits);
            let Some(child) = best.filter(|&child| self.pool[child].visits > 0) else {
                return line;
            };
            let Some(mv) = G::Move::from_index(self.pool[child].mv).filter(|&mv| game.is_legal(mv))
            else {
                return line;
            };
            if line.push(mv.index()).is_err() {
                return line;
            }
            game.play_unchecked(mv);
            at = child;
        }
    }
}

/// Records that a player made a move.
fn note(played: &mut MovesSeen, player: Player, index: u16) {
    played[player.index()][usize::from(index >> 5) & 7] |= 1 << (index & 31);
}

/// The mean reward in units of [`UNIT`].
fn mean(sum: u32, visits: u32) -> u32 {
    const SCALE: u32 = UNIT / ONE as u32;
    match visits {
        0 => 0,
        _ if sum < u32::MAX / SCALE => sum * SCALE / visits,
        _ => sum / (visits / SCALE),
    }
}

fn thousandths(mean: u32) -> Value {
    const HALF: i32 = UNIT as i32 / 2;
    ((mean as i32 - HALF) * 1000 / HALF) as Value
}

// A pool of 4,000 nodes fits the device's workspace of 128 KB.
const _: () = assert!(mem::size_of::<Node>() == 28);

#[cfg(test)]
mod tests {
    use super::super::Uniform;
    use super::*;

    #[test]
    fn a_score_goes_from_the_later_moves_results_to_its_own() {
        let settings = Playouts {
            exploration: 0,
            rave: 100,
            ..Playouts::new(Uniform)
        };
        let mcts = Mcts::new(&mut [], settings);
        // Three quarters of its own playouts are won, and a quarter of those that played it later.
        let score = |visits: u32| {
            let node = Node {
                visits,
                sum: visits * u32::from(ONE) / 4 * 3,
                amaf_visits: 100,
                amaf_sum: 100 * u32::from(ONE) / 4,
                ..Node::default()
            };
            mcts.score(&node, ln(visits))
        };
        assert_eq!(score(0), UNIT / 4);
        let scores = [0, 1, 10, 100, 10_000].map(score);
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        let end = UNIT / 4 * 3;
        assert!((end - UNIT / 50..=end).contains(&scores[4]), "{scores:?}");
    }
}
