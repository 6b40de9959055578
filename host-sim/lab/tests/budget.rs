//! Budgets of a search: nodes, clock and stop flag are obeyed in time, depth and stack are bounded.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use dojo_core::game::{Game, GameMove, NotationError, Outcome, Player};
use dojo_core::games::{Sticks, SticksRules, TicTacToe};
use dojo_core::search::{
    Control, Deadline, Engine, Knowledge, Limits, MAX_PLY, Margins, Observer, Plan, Ranked, Report,
    Settings, Slot, Soonest, Value,
};
use dojo_lab::search::tree::{Tree, TreeRules};
use dojo_lab::search::{minimax, negamax, sss};

/// Counts evaluations, so that a control sees how many happened since its last call.
struct Counting<'a>(&'a Cell<u32>);

impl Knowledge<Tree> for Counting<'_> {
    const QUIESCENCE: bool = true;

    fn horizon(&self, _: &Tree) -> Value {
        self.0.set(self.0.get() + 1);
        0
    }

    fn end(&self, game: &Tree, outcome: Outcome, ply: u8) -> Value {
        self.0.set(self.0.get() + 1);
        Margins.end(game, outcome, ply)
    }

    fn is_noisy(&self, _: &Tree, _: <Tree as Game>::Move) -> bool {
        true
    }
}

/// The most evaluations between two calls of `should_stop`.
struct LongestGap<'a> {
    seen: &'a Cell<u32>,
    last: u32,
    longest: u32,
    questions: u32,
}

impl Control for LongestGap<'_> {
    fn should_stop(&mut self) -> bool {
        self.longest = self.longest.max(self.seen.get() - self.last);
        self.last = self.seen.get();
        self.questions += 1;
        false
    }
}

#[test]
fn questions_come_at_least_at_the_stated_interval() {
    let rules = TreeRules {
        width: 4,
        depth: 7,
        ..TreeRules::default()
    };
    for check_every in [1, 64, 1000] {
        for (settings, depth) in [
            (Settings::SOUND, 7),
            (Settings::PLAIN, 7),
            (
                Settings {
                    quiescence: 5,
                    ..Settings::PLAIN
                },
                3,
            ),
        ] {
            let seen = Cell::new(0);
            let mut gap = LongestGap {
                seen: &seen,
                last: 0,
                longest: 0,
                questions: 0,
            };
            let (mut slots, mut moves) = (vec![Slot::default(); 500], vec![Ranked::default(); 64]);
            let limits = Limits {
                check_every,
                ..Limits::depth(depth)
            };
            let plan = Plan {
                knowledge: Counting(&seen),
                settings,
                limits,
            };
            let mut engine = Engine::new(&mut slots, &mut moves);
            let found = engine.think(&Tree::new(rules), &plan, &mut gap);
            // A node is evaluated at most once, so evaluations are a lower bound of nodes.
            assert!(
                gap.longest <= check_every,
                "{} of {check_every}",
                gap.longest
            );
            assert!(gap.questions >= found.stats.nodes / check_every);
        }
        let seen = Cell::new(0);
        let mut gap = LongestGap {
            seen: &seen,
            last: 0,
            longest: 0,
            questions: 0,
        };
        let limits = Limits {
            check_every,
            ..Limits::depth(7)
        };
        minimax(&Tree::new(rules), &Counting(&seen), &limits, &mut gap);
        negamax(&Tree::new(rules), &Counting(&seen), &limits, &mut gap);
        // These two count the leaves of a position together when they are done with it.
        let of_a_line = u32::from(rules.width) * u32::from(rules.depth);
        assert!(
            gap.longest <= check_every + of_a_line,
            "{} of {check_every}",
            gap.longest
        );
    }
}

#[test]
fn nodes_are_never_more_than_allowed_and_the_move_is_always_legal() {
    let game = Sticks::new(Default::default());
    let (mut slots, mut moves) = (vec![Slot::default(); 500], vec![Ranked::default(); 300]);
    for nodes in (0..300).chain([1000, 5000]) {
        let limits = Limits::nodes(nodes);
        let plan = Plan {
            limits,
            ..Plan::new(Soonest)
        };
        for found in [
            Engine::new(&mut slots, &mut moves).think(&game, &plan, &mut ()),
            Engine::new(&mut slots, &mut moves).look(&game, &plan, &mut ()),
            sss(
                &mut Engine::new(&mut slots, &mut moves),
                &game,
                &plan,
                &mut (),
            ),
            minimax(&game, &Soonest, &limits, &mut ()),
        ] {
            assert!(found.stats.nodes <= nodes);
            assert!(game.is_legal(found.mv.unwrap()));
            assert!(found.stopped || found.complete || found.value.abs() > 9000);
        }
    }
}

/// A stop within a depth keeps the move of the last completed depth, or takes a better one that was
/// proved.
#[test]
fn an_unfinished_depth_only_improves_the_answer() {
    for seed in 0..40 {
        let game = Tree::new(TreeRules {
            width: 5,
            depth: 6,
            seed,
            ..TreeRules::default()
        });
        let value_at = |depth, mv: <Tree as Game>::Move| {
            let next = game.after(mv);
            if depth == 1 {
                return -Hash.horizon(&next);
            }
            -minimax(&next, &Hash, &Limits::depth(depth - 1), &mut ()).value
        };
        for nodes in (20..2000).step_by(37) {
            let plan = Plan {
                knowledge: Hash,
                settings: Settings::PLAIN,
                limits: Limits {
                    depth: 5,
                    ..Limits::nodes(nodes)
                },
            };
            let found = Engine::new(&mut [], &mut []).think(&game, &plan, &mut ());
            if !found.stopped || found.depth == 0 {
                continue;
            }
            let finished = Plan {
                limits: Limits::depth(found.depth),
                ..plan
            };
            let before = Engine::new(&mut [], &mut []).think(&game, &finished, &mut ());
            let (mv, old) = (found.mv.unwrap(), before.mv.unwrap());
            if mv != old {
                assert!(
                    value_at(found.depth + 1, mv) > value_at(found.depth + 1, old),
                    "seed {seed}, {nodes} nodes"
                );
            }
        }
    }
}

/// An evaluation of unfinished positions by a hash.
#[derive(Clone, Copy)]
struct Hash;

impl Knowledge<Tree> for Hash {
    fn horizon(&self, game: &Tree) -> Value {
        (game.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as Value - 128
    }

    fn end(&self, game: &Tree, outcome: Outcome, ply: u8) -> Value {
        Margins.end(game, outcome, ply)
    }
}

#[test]
fn a_clock_and_a_flag_stop_it_and_reports_tell_how_far_it_is() {
    let game = TicTacToe::new(Default::default());
    let plan = Plan {
        limits: Limits {
            check_every: 10,
            ..Limits::NONE
        },
        ..Plan::new(Soonest)
    };
    let (mut slots, mut moves) = (vec![Slot::default(); 500], vec![Ranked::default(); 81]);
    let mut time = 0;
    let clock = || {
        time += 1;
        time
    };
    let mut engine = Engine::new(&mut slots, &mut moves);
    let found = engine.think(
        &game,
        &plan,
        &mut Deadline {
            now: clock,
            until: 6,
        },
    );
    assert!(found.stopped);
    assert_eq!(
        found.stats.nodes, 50,
        "five questions were answered with no"
    );

    let flag = AtomicBool::new(false);
    let mut reports = vec![];
    let observer = Observer(|report: &Report<'_>| {
        reports.push((report.depth, report.nodes, report.line.to_vec()));
        flag.store(report.depth == 3, Ordering::Relaxed);
    });
    engine.clear();
    let found = engine.think(&game, &plan, &mut (&flag, observer));
    assert_eq!((found.depth, found.stopped), (3, true));
    assert_eq!(
        reports.iter().map(|report| report.0).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(reports.is_sorted_by(|a, b| a.1 < b.1), "nodes grow");
    for (depth, _, line) in &reports {
        assert!(
            !line.is_empty() && line.len() <= usize::from(*depth),
            "{line:?}"
        );
        let mut game = game;
        line.iter()
            .for_each(|&index| game.play(GameMove::from_index(index).unwrap()).unwrap());
    }
}

/// Records the lowest stack address at a leaf.
struct Depths<'a>(&'a Cell<usize>);

impl Knowledge<Sticks> for Depths<'_> {
    fn horizon(&self, _: &Sticks) -> Value {
        0
    }

    fn end(&self, game: &Sticks, outcome: Outcome, ply: u8) -> Value {
        let here = 0u8;
        self.0.set(self.0.get().min(&raw const here as usize));
        Soonest.end(game, outcome, ply)
    }
}

/// The recursion is never deeper than the longest line or `MAX_PLY`, and each level takes little
/// stack.
#[test]
fn depth_and_stack_are_bounded() {
    let game = Sticks::new(SticksRules::new([7, 7, 7], true).unwrap());
    let (mut slots, mut moves) = (vec![Slot::default(); 100], vec![Ranked::default(); 300]);
    let lowest = Cell::new(usize::MAX);
    let limits = Limits {
        depth: u8::MAX,
        ..Limits::nodes(200_000)
    };
    let plan = Plan {
        limits,
        ..Plan::new(Depths(&lowest))
    };
    let top = 0u8;
    let found = Engine::new(&mut slots, &mut moves).look(&game, &plan, &mut ());
    assert_eq!(found.stats.deepest, 21, "all sticks taken one by one");
    let used = &raw const top as usize - lowest.get();
    println!("{used} bytes of stack for 21 moves, {} a move", used / 21);
    assert!(used / 21 < 512, "{used} bytes for 21 moves");

    // In a longer game the search ends at `MAX_PLY`, whatever depth was asked for.
    let plan = Plan {
        settings: Settings::PLAIN,
        ..Plan::new(Soonest)
    };
    let found = Engine::new(&mut [], &mut []).look(&Endless(0), &plan, &mut ());
    assert_eq!(
        (found.stats.deepest, found.stats.nodes),
        (MAX_PLY, u32::from(MAX_PLY) + 1)
    );
    assert!(!found.complete);
    assert_eq!(
        minimax(&Endless(0), &Soonest, &Limits::NONE, &mut ())
            .stats
            .nodes,
        u32::from(MAX_PLY) + 1
    );
}

/// A game with one move that never ends.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Endless(u64);

impl std::fmt::Display for Endless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Game for Endless {
    type Rules = TreeRules;
    type Move = <Tree as Game>::Move;
    type Moves = <Tree as Game>::Moves;

    const NAME: &'static str = "endless";
    const RULES_VERSION: u16 = 1;
    const MAX_MOVES: usize = 1;
    const MAX_PLIES: usize = 1000;
    const ALTERNATES: bool = true;
    const MOVER_CAN_LOSE: bool = false;
    const SYMMETRIES: usize = 1;

    fn new(_: TreeRules) -> Endless {
        Endless(0)
    }

    fn rules(&self) -> TreeRules {
        TreeRules::default()
    }

    fn turn(&self) -> Player {
        Player::BOTH[self.0 as usize % 2]
    }

    fn legal_moves(&self) -> Self::Moves {
        Tree::new(TreeRules {
            width: 1,
            ..TreeRules::default()
        })
        .legal_moves()
    }

    fn play_unchecked(&mut self, _: Self::Move) {
        self.0 += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        self.0
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        Tree::new(self.rules()).parse_move(text)
    }

    fn parse_position(_: TreeRules, _: &str) -> Result<Endless, NotationError> {
        Err(NotationError {
            expected: "nothing",
        })
    }

    fn transformed(&self, _: usize) -> Endless {
        self.clone()
    }

    fn transformed_move(&self, mv: Self::Move, _: usize) -> Self::Move {
        mv
    }
}
