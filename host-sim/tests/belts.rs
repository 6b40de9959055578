//! The belts in order, and the tables of `docs/belts.md` as measured.

use std::fmt::Write as _;
use std::path::Path;

use dojo::agents::{Contender, Player, Spec};
use dojo::arena::{self, Match, Tally};
use dojo::bank::SHIPPED;
use dojo_core::agents::Belt;
use dojo_core::bank::Bank;
use dojo_core::games::{Dots, GameId, Sticks, TicTacToe};

const GAMES: u32 = 1000;

fn duel<G: Contender>(a: Spec, b: Spec, seed: u64) -> Match
where
    G::Rules: Send + Sync,
{
    let bank = Bank::new(SHIPPED).unwrap();
    let rules = G::Rules::default();
    let [a, b] = [a, b].map(|spec| Player::<G>::new(&spec, rules, &bank).unwrap());
    arena::play::<G>(rules, &a, &b, GAMES, seed, || {})
}

fn each_beats_the_one_below<G: Contender>()
where
    G::Rules: Send + Sync,
{
    for seed in 1..=3 {
        for pair in Belt::ALL.windows(2) {
            let [low, high] = duel::<G>(Spec::Belt(pair[1]), Spec::Belt(pair[0]), seed).total().ci95();
            assert!(low > 0.5, "{} {:?} over {:?}, seed {seed}: {low:.3} to {high:.3}", G::NAME, pair[1], pair[0]);
        }
        let [low, _] = duel::<G>(Spec::Belt(Belt::White), Spec::Random, seed).total().ci95();
        assert!(low > 0.5, "{} white is no better than chance", G::NAME);
    }
}

#[test]
fn sticks_belts_are_in_order() {
    each_beats_the_one_below::<Sticks>();
}

#[test]
fn tic_tac_toe_belts_are_in_order() {
    each_beats_the_one_below::<TicTacToe>();
}

#[test]
fn dots_belts_are_in_order() {
    each_beats_the_one_below::<Dots>();
}

#[test]
fn black_never_loses_where_it_must_not() {
    let sticks = duel::<Sticks>(Spec::Belt(Belt::Black), Spec::Random, 1);
    assert_eq!(sticks.a_first.wins_a, GAMES / 2, "3-5-7 is won for whoever starts");
    for other in [Spec::Random, Spec::Belt(Belt::Brown), Spec::Perfect] {
        assert_eq!(duel::<TicTacToe>(Spec::Belt(Belt::Black), other, 1).total().wins_b, 0);
    }
}

#[test]
fn white_can_be_beaten() {
    let sticks = duel::<Sticks>(Spec::Perfect, Spec::Belt(Belt::White), 1).total();
    let tictactoe = duel::<TicTacToe>(Spec::Perfect, Spec::Belt(Belt::White), 1).total();
    for total in [sticks, tictactoe] {
        assert!(total.score_a() > 0.9, "{total:?}");
    }
    // Even blind chance wins one game in ten.
    assert!(duel::<Sticks>(Spec::Belt(Belt::White), Spec::Random, 1).total().wins_b > GAMES / 10);
}

/// A game, the scores of its belts, and how the third column is called.
struct Table {
    id: GameId,
    third: Option<&'static str>,
    belts: [[Option<Tally>; 3]; 5],
}

fn measured() -> [Table; 3] {
    [
        Table { id: GameId::Sticks, third: None, belts: scores::<Sticks>(None) },
        Table { id: GameId::TicTacToe, third: None, belts: scores::<TicTacToe>(None) },
        Table { id: GameId::Dots, third: Some("smart"), belts: scores::<Dots>(Some(Spec::Smart)) },
    ]
}

/// Each belt against random, the belt below, and somebody else.
fn scores<G: Contender>(third: Option<Spec>) -> [[Option<Tally>; 3]; 5]
where
    G::Rules: Send + Sync,
{
    Belt::ALL.map(|belt| {
        let against = |opponent| duel::<G>(Spec::Belt(belt), opponent, 1).total();
        let below = Belt::from_code((belt as u8).wrapping_sub(1));
        [Some(against(Spec::Random)), below.map(|below| against(Spec::Belt(below))), third.clone().map(against)]
    })
}

/// The tables, as Markdown.
fn page(tables: &[Table]) -> String {
    let mut text = String::new();
    for Table { id, third, belts } in tables {
        let more = third.map_or(String::new(), |name| format!(" against {name} |"));
        let line = if more.is_empty() { "" } else { "---|" };
        let head = format!("| belt | against random | against the belt below |{more}\n|---|---|---|{line}");
        let _ = writeln!(text, "\n### {}\n\n{head}", id.title());
        for (belt, cells) in Belt::ALL.iter().zip(belts) {
            let cells = cells.iter().take(2 + usize::from(third.is_some())).map(|total| {
                total.as_ref().map_or("–".into(), |total| {
                    let [low, high] = total.ci95();
                    format!("{:.3} ({low:.3} to {high:.3})", total.score_a())
                })
            });
            let _ = writeln!(text, "| {} | {} |", belt.name(), cells.collect::<Vec<_>>().join(" | "));
        }
        let _ = writeln!(text);
    }
    text
}

/// The same for the screen, as source.
fn source(tables: &[Table]) -> String {
    let mut text = String::from("const MEASURED: &[(GameId, [[u16; 3]; 5])] = &[\n");
    for Table { id, belts, .. } in tables {
        // Rounded as in the manual.
        let rounded = |total: &Tally| format!("{:.3}", total.score_a()).replace('.', "").parse().unwrap();
        let thousandths = |total: &Option<Tally>| -> u16 { total.as_ref().map_or(0, rounded) };
        let belts = belts.each_ref().map(|cells| cells.each_ref().map(thousandths));
        let _ = writeln!(text, "    (GameId::{id:?}, {belts:?}),");
    }
    text + "];\n"
}

const BEGIN: &str = "<!-- measured by `cargo xtask belts`, checked by a test -->\n";
const END: &str = "<!-- end of the measured tables -->";

const SOURCE_BEGIN: &str = "// measured by `cargo xtask belts`, checked by a test\n";
const SOURCE_END: &str = "// end of what was measured";

/// Compares the manual and the screen with what is measured now; with `DOJO_BLESS` set it writes them instead.
#[test]
fn the_manual_and_the_screen_show_what_is_measured() {
    let tables = measured();
    check("docs/belts.md", BEGIN, END, &page(&tables));
    check("handheld/src/strength.rs", SOURCE_BEGIN, SOURCE_END, &source(&tables));
}

fn check(file: &str, begin: &str, end: &str, measured: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(begin).expect("there is a place for what is measured");
    let (shown, after) = rest.split_once(end).expect("it has an end");
    if std::env::var_os("DOJO_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{measured}{end}{after}")).unwrap();
    } else {
        assert!(shown == measured, "{file} is out of date, `cargo xtask belts` measures again:{measured}");
    }
}
