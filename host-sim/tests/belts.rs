//! The belts in order, and the tables of `docs/belts.md` as measured.

use std::fmt::Write as _;
use std::path::Path;

use dojo::agents::{Contender, Player, Spec};
use dojo::arena::{self, Match};
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

/// The tables, as Markdown.
fn tables() -> String {
    let mut text = String::new();
    let tables = [
        (GameId::Sticks, "", rows::<Sticks>(None)),
        (GameId::TicTacToe, "", rows::<TicTacToe>(None)),
        (GameId::Dots, " against smart |", rows::<Dots>(Some(Spec::Smart))),
    ];
    for (id, more, rows) in tables {
        let line = if more.is_empty() { "" } else { "---|" };
        let head = format!("| belt | against random | against the belt below |{more}\n|---|---|---|{line}");
        let _ = writeln!(text, "\n### {}\n\n{head}\n{rows}", id.title());
    }
    text
}

fn rows<G: Contender>(third: Option<Spec>) -> String
where
    G::Rules: Send + Sync,
{
    let cell = |opponent, belt| {
        let total = duel::<G>(Spec::Belt(belt), opponent, 1).total();
        let [low, high] = total.ci95();
        format!("{:.3} ({low:.3} to {high:.3})", total.score_a())
    };
    let mut below = None;
    let mut text = String::new();
    for belt in Belt::ALL {
        let under = below.map_or("–".into(), |below| cell(Spec::Belt(below), belt));
        let third = third.iter().map(|spec| format!(" {} |", cell(spec.clone(), belt))).collect::<String>();
        let _ = writeln!(text, "| {} | {} | {under} |{third}", belt.name(), cell(Spec::Random, belt));
        below = Some(belt);
    }
    text
}

const BEGIN: &str = "<!-- measured by `cargo xtask belts`, checked by a test -->\n";
const END: &str = "<!-- end of the measured tables -->";

/// Compares the page with what is measured now; with `DOJO_BLESS` set it writes the page instead.
#[test]
fn the_page_shows_what_is_measured() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/belts.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("docs/belts.md has a place for the tables");
    let (shown, after) = rest.split_once(END).expect("docs/belts.md ends its tables");
    let measured = tables();
    if std::env::var_os("DOJO_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{measured}{END}{after}")).unwrap();
    } else {
        assert!(shown == measured, "docs/belts.md is out of date, `cargo xtask belts` measures again:{measured}");
    }
}
