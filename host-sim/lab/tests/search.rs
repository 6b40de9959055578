//! Every exact algorithm against plain minimax, on games and on synthetic trees.

use std::cell::RefCell;
use std::collections::HashSet;

use dojo_core::game::{Game, Outcome};
use dojo_core::games::dots::{Lead, Ties};
use dojo_core::games::tictactoe::{AllHints, OpenLines};
use dojo_core::games::{Dots, DotsRules, Sticks, SticksRules, TicTacToe};
use dojo_core::rng::Rng;
use dojo_core::search::{
    Engine, Found, Knowledge, Limits, Margins, NullMove, Plan, Ranked, Results, Scheme, Settings,
    Slot, Soonest, Value,
};
use dojo_lab::search::tree::{Tree, TreeRules};
use dojo_lab::search::{minimax, mtdf, negamax, sss};
use proptest::prelude::*;

const OPEN: Settings = Settings::PLAIN;
const TABLE: Settings = Settings {
    table: true,
    ..OPEN
};

/// Every exact combination of settings, by name.
fn schemes() -> Vec<(&'static str, Settings)> {
    let scout = Settings {
        scheme: Scheme::Scout,
        ..OPEN
    };
    let nega_scout = Settings {
        scheme: Scheme::NegaScout,
        ..OPEN
    };
    vec![
        ("alpha-beta", OPEN),
        ("scout", scout),
        ("negascout", nega_scout),
        ("alpha-beta + table", TABLE),
        (
            "scout + table",
            Settings {
                table: true,
                ..scout
            },
        ),
        (
            "negascout + table",
            Settings {
                table: true,
                ..nega_scout
            },
        ),
        (
            "killers",
            Settings {
                killers: true,
                ..OPEN
            },
        ),
        (
            "history",
            Settings {
                history: true,
                ..nega_scout
            },
        ),
        (
            "promise",
            Settings {
                promise: true,
                ..OPEN
            },
        ),
        ("all", Settings::SOUND),
        (
            "all + aspiration",
            Settings {
                aspiration: 2,
                ..Settings::SOUND
            },
        ),
    ]
}

/// All algorithms to the same depth, in memory of this size.
fn all_algorithms<G: Game, K: Knowledge<G> + Copy>(
    game: &G,
    knowledge: K,
    depth: u8,
    slots: usize,
    room: usize,
) -> Vec<(&'static str, Found<G::Move>)> {
    let limits = Limits::depth(depth);
    let mut slots = vec![Slot::default(); slots];
    let mut moves = vec![Ranked::default(); room];
    let mut found = vec![("negamax", negamax(game, &knowledge, &limits, &mut ()))];
    for (name, settings) in schemes() {
        let plan = Plan {
            knowledge,
            settings,
            limits,
        };
        found.push((
            name,
            Engine::new(&mut slots, &mut moves).look(game, &plan, &mut ()),
        ));
        found.push((
            name,
            Engine::new(&mut slots, &mut moves).think(game, &plan, &mut ()),
        ));
    }
    let plan = Plan {
        knowledge,
        settings: TABLE,
        limits,
    };
    found.push((
        "sss*",
        sss(
            &mut Engine::new(&mut slots, &mut moves),
            game,
            &plan,
            &mut (),
        ),
    ));
    for guess in [-1, 0, 40] {
        found.push((
            "mtd(f)",
            mtdf(
                &mut Engine::new(&mut slots, &mut moves),
                game,
                &plan,
                guess,
                &mut (),
            ),
        ));
    }
    found
}

/// All algorithms find minimax's value and a move of that value.
fn all_agree<G: Game, K: Knowledge<G> + Copy>(
    game: &G,
    knowledge: K,
    depth: u8,
    slots: usize,
    room: usize,
) {
    let truth = minimax(game, &knowledge, &Limits::depth(depth), &mut ());
    assert!(!truth.stopped);
    for (name, found) in all_algorithms(game, knowledge, depth, slots, room) {
        let case = format!(
            "{name} at depth {depth} with {slots} slots on {game} ({})",
            game.rules()
        );
        if found.depth == depth {
            assert_eq!(found.value, truth.value, "{case}");
            assert!(!found.stopped, "{case}");
        } else {
            // Deepening ends early only with a complete search: the full depth has the same value.
            let full = minimax(game, &knowledge, &Limits::depth(found.depth), &mut ());
            assert!(found.complete || found.value.abs() > 9000, "{case}");
            assert_eq!(found.value, full.value, "{case}");
        }
        let next = game.after(found.mv.unwrap());
        let rest = if next.is_over() {
            continue;
        } else {
            minimax(&next, &knowledge, &Limits::depth(found.depth - 1), &mut ())
        };
        if found.depth > 1 && truth.value.abs() < 9000 {
            let value = if next.turn() == game.turn() {
                rest.value
            } else {
                -rest.value
            };
            assert_eq!(
                value,
                found.value,
                "{case}: {} is not the best move",
                found.mv.unwrap()
            );
        }
    }
}

/// A position after `moves` random moves, or before the end if the game is shorter.
fn random_position<G: Game>(rules: G::Rules, moves: usize, seed: u64) -> G {
    let mut rng = Rng::new(seed);
    let mut game = G::new(rules);
    for _ in 0..moves {
        let next = game.after(rng.pick(game.legal_moves()).unwrap());
        if next.is_over() {
            break;
        }
        game = next;
    }
    game
}

fn tree_rules() -> impl Strategy<Value = TreeRules> {
    (
        1..=4u8,
        1..=5u8,
        any::<u32>(),
        prop_oneof![Just(1u8), Just(5), Just(100)],
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(width, depth, seed, spread, ordered, again)| TreeRules {
            width,
            depth,
            seed,
            spread,
            ordered,
            again,
        })
}

fn slots() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0usize), Just(1), Just(7), Just(64), Just(5000)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees(rules in tree_rules(), slots in slots(), room in 0..40usize) {
        all_agree(&Tree::new(rules), Margins, rules.depth, slots, room);
        all_agree(&Tree::new(rules), Soonest, rules.depth, slots, room);
    }

    #[test]
    fn tic_tac_toe(seed: u64, moves in 2..9usize, depth in 1..9u8, slots in slots(), room in 0..100usize) {
        let game = random_position::<TicTacToe>(Default::default(), moves, seed);
        all_agree(&game, Results, depth, slots, room);
        all_agree(&game, Soonest, depth, slots, room);
        all_agree(&game, OpenLines, depth.min(4), slots, room);
    }

    #[test]
    fn sticks(a in 0..=3u8, b in 0..=3u8, c in 1..=4u8, misere: bool, depth in 1..11u8, slots in slots(), room in 0..100usize) {
        let game = Sticks::new(SticksRules::new([a, b, c], misere).unwrap());
        all_agree(&game, Results, depth, slots, room);
        all_agree(&game, Soonest, depth, slots, room);
    }

    /// A player who completes a box moves again.
    #[test]
    fn dots(seed: u64, moves in 6..12usize, draws: bool, misere: bool, depth in 1..7u8, slots in slots(), room in 0..100usize) {
        let ties = if draws { Ties::Draw } else { Ties::StarterLoses };
        let rules = DotsRules::new(2, 2).unwrap().judged(ties, misere);
        let game = random_position::<Dots>(rules, moves, seed);
        all_agree(&game, Results, depth, slots, room);
        all_agree(&game, Margins, depth, slots, room);
        all_agree(&game, Lead, depth, slots, room);
    }
}

/// Records the distinct leaves that were evaluated.
struct Spy(RefCell<HashSet<u64>>);

impl Knowledge<Tree> for Spy {
    fn horizon(&self, _: &Tree) -> Value {
        unreachable!("these searches go to the end")
    }

    fn end(&self, game: &Tree, outcome: Outcome, ply: u8) -> Value {
        self.0.borrow_mut().insert(game.key());
        Margins.end(game, outcome, ply)
    }
}

/// Distinct leaves that an algorithm visits.
fn leaves(rules: TreeRules, run: impl Fn(&mut Engine<'_, Tree>, &Tree, Spy) -> Spy) -> usize {
    let (mut slots, mut moves) = (vec![Slot::default(); 20_000], vec![Ranked::default(); 512]);
    let spy = run(
        &mut Engine::new(&mut slots, &mut moves),
        &Tree::new(rules),
        Spy(Default::default()),
    );
    spy.0.into_inner().len()
}

fn leaves_of(rules: TreeRules, settings: Settings) -> usize {
    leaves(rules, |engine, game, spy| {
        let plan = Plan {
            settings,
            ..Plan::new(spy)
        };
        engine.look(game, &plan, &mut ());
        plan.knowledge
    })
}

fn leaves_of_mtdf(rules: TreeRules, guess: Value) -> usize {
    leaves(rules, |engine, game, spy| {
        let plan = Plan {
            settings: TABLE,
            ..Plan::new(spy)
        };
        mtdf(engine, game, &plan, guess, &mut ());
        plan.knowledge
    })
}

fn leaves_of_sss(rules: TreeRules) -> usize {
    leaves(rules, |engine, game, spy| {
        let plan = Plan {
            settings: TABLE,
            ..Plan::new(spy)
        };
        sss(engine, game, &plan, &mut ());
        plan.knowledge
    })
}

#[test]
fn perfect_order_leaves_the_minimal_tree() {
    for (width, depth) in [
        (1, 5),
        (2, 1),
        (2, 6),
        (2, 9),
        (3, 4),
        (3, 5),
        (4, 5),
        (6, 4),
        (16, 3),
    ] {
        for seed in 0..5 {
            let rules = TreeRules {
                width,
                depth,
                seed,
                ordered: true,
                ..TreeRules::default()
            };
            let (b, d) = (usize::from(width), u32::from(depth));
            let minimal = b.pow(d.div_ceil(2)) + b.pow(d / 2) - 1;
            for (name, settings) in schemes() {
                // Killers and history would only disturb a perfect order.
                if !settings.killers && !settings.history {
                    assert_eq!(leaves_of(rules, settings), minimal, "{name} on {rules}");
                }
            }
            assert_eq!(leaves_of_sss(rules), minimal, "sss* on {rules}");
            for guess in [-200, 0, 200] {
                assert_eq!(
                    leaves_of_mtdf(rules, guess),
                    minimal,
                    "mtd(f) from {guess} on {rules}"
                );
            }
        }
    }
}

#[test]
fn sss_never_visits_more_leaves_than_alpha_beta() {
    let mut fewer = 0;
    for (width, depth) in [(2, 8), (3, 5), (4, 4), (5, 3), (8, 3)] {
        for seed in 0..40 {
            for again in [false, true] {
                let rules = TreeRules {
                    width,
                    depth,
                    seed,
                    again,
                    spread: 100,
                    ordered: false,
                };
                let (best_first, depth_first) = (leaves_of_sss(rules), leaves_of(rules, OPEN));
                assert!(
                    best_first <= depth_first,
                    "{best_first} > {depth_first} on {rules}"
                );
                fewer += u32::from(best_first < depth_first);
            }
        }
    }
    assert!(fewer > 100, "and usually fewer: {fewer}");
}

#[test]
fn tic_tac_toe_takes_the_known_numbers_of_nodes() {
    let game = TicTacToe::new(Default::default());
    let plain = minimax(&game, &Results, &Limits::NONE, &mut ());
    assert_eq!(
        (plain.stats.nodes, plain.value, plain.complete),
        (549_946, 0, true)
    );
    assert_eq!(
        negamax(&game, &Results, &Limits::NONE, &mut ()).stats.nodes,
        549_946
    );

    let mut slots = vec![Slot::default(); 8192];
    let mut look = |settings| {
        let plan = Plan {
            settings,
            ..Plan::new(Results)
        };
        let found = Engine::new(&mut slots, &mut []).look(&game, &plan, &mut ());
        assert_eq!(
            (found.value, found.complete, found.stats.deepest),
            (0, true, 9)
        );
        found.stats
    };
    assert_eq!(look(OPEN).nodes, 18_297);
    let table = look(TABLE);
    assert!(table.nodes < 5_500, "{}", table.nodes);
    assert!(table.hits > 0 && table.table_cutoffs > 0);
}

/// Unsound pruning, on a game where every kind of it takes effect.
#[test]
fn each_accelerator_shows_in_the_statistics() {
    let game = TicTacToe::parse_position(Default::default(), "x../.o./...").unwrap();
    let (mut slots, mut moves) = (vec![Slot::default(); 4096], vec![Ranked::default(); 100]);
    let mut run = |settings: Settings, depth| {
        let plan = Plan {
            knowledge: AllHints,
            settings,
            limits: Limits::depth(depth),
        };
        Engine::new(&mut slots, &mut moves)
            .think(&game, &plan, &mut ())
            .stats
    };
    let plain = run(OPEN, 4);
    assert_eq!(
        (
            plain.hits,
            plain.killer_cutoffs,
            plain.researches,
            plain.quiet_nodes
        ),
        (0, 0, 0, 0)
    );
    assert_eq!(
        (
            plain.extensions,
            plain.futile,
            plain.null_moves,
            plain.narrowed
        ),
        (0, 0, 0, 0)
    );
    assert!(run(TABLE, 4).table_cutoffs > 0);
    assert!(
        run(
            Settings {
                killers: true,
                ..OPEN
            },
            5
        )
        .killer_cutoffs
            > 0
    );
    assert!(
        run(
            Settings {
                history: true,
                ..OPEN
            },
            5
        )
        .nodes
            < run(OPEN, 5).nodes
    );
    assert!(
        run(
            Settings {
                promise: true,
                ..OPEN
            },
            4
        )
        .nodes
            < plain.nodes
    );
    assert!(
        run(
            Settings {
                scheme: Scheme::NegaScout,
                ..OPEN
            },
            4
        )
        .researches
            > 0
    );
    assert!(
        run(
            Settings {
                aspiration: 1,
                ..OPEN
            },
            4
        )
        .researches
            > 0
    );
    assert!(
        run(
            Settings {
                quiescence: 4,
                ..OPEN
            },
            3
        )
        .quiet_nodes
            > 0
    );
    assert!(
        run(
            Settings {
                extensions: 2,
                ..OPEN
            },
            3
        )
        .extensions
            > 0
    );
    assert!(
        run(
            Settings {
                futility: true,
                ..OPEN
            },
            4
        )
        .futile
            > 0
    );
    assert!(run(Settings { narrow: 3, ..OPEN }, 4).narrowed > 0);
    assert!(run(Settings { verify: 2, ..OPEN }, 4).nodes > plain.nodes);
    assert_eq!(
        run(Settings { book: true, ..OPEN }, 4).book_moves,
        0,
        "the book knows only the first move"
    );
    let null = run(
        Settings {
            null_move: Some(NullMove {
                reduction: 1,
                verified: false,
            }),
            ..OPEN
        },
        5,
    );
    assert!(null.null_moves > 0 && null.null_cutoffs > 0 && null.null_cutoffs < null.null_moves);
    let verified = run(
        Settings {
            null_move: Some(NullMove {
                reduction: 1,
                verified: true,
            }),
            ..OPEN
        },
        5,
    );
    assert!(
        verified.null_cutoffs > 0
            && verified.null_cutoffs + verified.null_refuted <= verified.null_moves
    );
}

/// Features that a game's knowledge does not permit stay off, whatever the settings ask for.
#[test]
fn knowledge_decides_what_may_be_used() {
    let game = TicTacToe::parse_position(Default::default(), "x../.o./...").unwrap();
    let bold = Settings {
        futility: true,
        null_move: Some(NullMove {
            reduction: 2,
            verified: false,
        }),
        narrow: 2,
        quiescence: 5,
        extensions: 5,
        ..OPEN
    };
    let run = |settings| {
        let plan = Plan {
            knowledge: Soonest,
            settings,
            limits: Limits::depth(5),
        };
        Engine::new(&mut [], &mut [Ranked::default(); 100]).look(&game, &plan, &mut ())
    };
    assert_eq!(run(bold), run(OPEN));
}

/// Results of tic-tac-toe with a pass allowed as null move: 1 for three in a row, −1 if that loses
/// the game instead.
#[derive(Clone, Copy)]
struct Passing(Value);

impl Knowledge<TicTacToe> for Passing {
    const NULL_MOVE: bool = true;

    fn horizon(&self, _: &TicTacToe) -> Value {
        0
    }

    fn end(&self, game: &TicTacToe, outcome: Outcome, _: u8) -> Value {
        self.0 * Value::from(outcome.value_for(game.turn()))
    }

    fn pass(&self, game: &TicTacToe) -> Option<TicTacToe> {
        AllHints.pass(game)
    }
}

/// Compares searches with and without null moves in 200 positions with at least two marks.
fn null_move_keeps_the_value(knowledge: Passing, null_move: NullMove, depths: &[u8]) {
    let (mut cutoffs, mut refuted) = (0, 0);
    for seed in 0..200 {
        let game: TicTacToe = random_position(Default::default(), 2 + seed % 4, seed as u64);
        for &depth in depths {
            let look = |settings| {
                let plan = Plan {
                    knowledge,
                    settings,
                    limits: Limits::depth(depth),
                };
                Engine::new(&mut [], &mut []).look(&game, &plan, &mut ())
            };
            let null = look(Settings {
                null_move: Some(null_move),
                ..OPEN
            });
            assert_eq!(null.value, look(OPEN).value, "{game}, depth {depth}");
            cutoffs += null.stats.null_cutoffs;
            refuted += null.stats.null_refuted;
        }
    }
    assert!(cutoffs > 0, "no null move was good enough");
    assert_eq!(refuted > 0, null_move.verified);
}

/// An extra mark never hurts, so a pass searched to the same depth never exceeds the best move.
#[test]
fn null_moves_are_exact_where_a_pass_is_never_the_best_move() {
    let null_move = NullMove {
        reduction: 0,
        verified: false,
    };
    null_move_keeps_the_value(Passing(1), null_move, &[3, 4, 5, 6]);
}

/// Where three in a row loses there is zugzwang, and passes look too good. Verified to the end of
/// the game (seven moves, after one for the pass and one for the reduction), null moves change
/// nothing.
#[test]
fn verified_null_moves_are_exact_even_where_moving_is_a_burden() {
    let null_move = NullMove {
        reduction: 1,
        verified: true,
    };
    null_move_keeps_the_value(Passing(-1), null_move, &[9]);
}
