//! The belts in order, and the tables of `docs/belts.md` as measured.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::games::{Dots, GameId, Go, Iwoki, Sticks, TicTacToe};
use dojo_lab::arena::{self, Match, Tally};
use dojo_lab::bank::SHIPPED;
use dojo_lab::players::{Contender, Player, Spec};

const GAMES: u32 = 1000;

fn duel<G: Contender>(a: Spec, b: Spec, seed: u64) -> Match
where
    G::Rules: Send + Sync,
{
    duel_of::<G>(GAMES, a, b, seed)
}

fn duel_of<G: Contender>(games: u32, a: Spec, b: Spec, seed: u64) -> Match
where
    G::Rules: Send + Sync,
{
    let bank = Bank::new(SHIPPED).unwrap();
    let rules = G::Rules::default();
    let [a, b] = [a, b].map(|spec| Player::<G>::new(&spec, rules, &bank).unwrap());
    arena::play::<G>(rules, &a, &b, games, seed, || {})
}

fn each_beats_the_one_below<G: Contender>()
where
    G::Rules: Send + Sync,
{
    for seed in 1..=3 {
        for pair in Belt::ALL.windows(2) {
            let [low, high] = duel::<G>(Spec::Belt(pair[1]), Spec::Belt(pair[0]), seed)
                .total()
                .ci95();
            assert!(
                low > 0.5,
                "{} {:?} over {:?}, seed {seed}: {low:.3} to {high:.3}",
                G::NAME,
                pair[1],
                pair[0]
            );
        }
        let [low, _] = duel::<G>(Spec::Belt(Belt::White), Spec::Random, seed)
            .total()
            .ci95();
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

/// Fewer games, which take longer: one seed.
fn the_slow_ones_beat_the_one_below<G: Contender>(games: u32, belts: &[Belt])
where
    G::Rules: Send + Sync,
{
    for pair in belts.windows(2) {
        let [low, high] = duel_of::<G>(games, Spec::Belt(pair[1]), Spec::Belt(pair[0]), 1)
            .total()
            .ci95();
        assert!(
            low > 0.5,
            "{} {:?} over {:?}: {low:.3} to {high:.3}",
            G::NAME,
            pair[1],
            pair[0]
        );
    }
}

#[test]
fn iwoki_belts_are_in_order() {
    the_slow_ones_beat_the_one_below::<Iwoki>(200, &Belt::ALL);
}

#[test]
fn the_lower_go_belts_are_in_order() {
    the_slow_ones_beat_the_one_below::<Go>(40, &Belt::ALL[..3]);
}

#[test]
#[ignore = "takes long: `cargo xtask full` runs it"]
fn the_higher_go_belts_are_in_order() {
    the_slow_ones_beat_the_one_below::<Go>(40, &Belt::ALL[2..]);
}

#[test]
fn black_never_loses_where_it_must_not() {
    let sticks = duel::<Sticks>(Spec::Belt(Belt::Black), Spec::Random, 1);
    assert_eq!(
        sticks.a_first.wins_a,
        GAMES / 2,
        "3-5-7 is won for whoever starts"
    );
    for other in [Spec::Random, Spec::Belt(Belt::Brown), Spec::Perfect] {
        assert_eq!(
            duel::<TicTacToe>(Spec::Belt(Belt::Black), other, 1)
                .total()
                .wins_b,
            0
        );
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
    assert!(
        duel::<Sticks>(Spec::Belt(Belt::White), Spec::Random, 1)
            .total()
            .wins_b
            > GAMES / 10
    );
}

/// A game, the scores of its belts, and how the third column is called.
struct Table {
    id: GameId,
    third: Option<&'static str>,
    belts: [[Option<Tally>; 3]; 5],
}

/// Those that every test run measures again.
fn measured() -> Vec<Table> {
    vec![
        Table {
            id: GameId::Sticks,
            third: None,
            belts: scores::<Sticks>(GAMES, None),
        },
        Table {
            id: GameId::TicTacToe,
            third: None,
            belts: scores::<TicTacToe>(GAMES, None),
        },
        Table {
            id: GameId::Dots,
            third: Some("smart"),
            belts: scores::<Dots>(GAMES, Some(Spec::Smart)),
        },
    ]
}

/// Those that take long: only measured when they are written.
fn measured_slowly() -> Vec<Table> {
    vec![
        Table {
            id: GameId::Iwoki,
            third: Some("greedy"),
            belts: scores::<Iwoki>(IWOKI_GAMES, Some(Spec::Greedy)),
        },
        Table {
            id: GameId::Go,
            third: Some("smart"),
            belts: scores::<Go>(GO_GAMES, Some(Spec::Smart)),
        },
    ]
}

const IWOKI_GAMES: u32 = 400;
/// A game of black takes a quarter of a minute.
const GO_GAMES: u32 = 20;

/// Each belt against random, the belt below, and somebody else.
fn scores<G: Contender>(games: u32, third: Option<Spec>) -> [[Option<Tally>; 3]; 5]
where
    G::Rules: Send + Sync,
{
    Belt::ALL.map(|belt| {
        let against = |opponent| duel_of::<G>(games, Spec::Belt(belt), opponent, 1).total();
        let below = Belt::from_code((belt as u8).wrapping_sub(1));
        [
            Some(against(Spec::Random)),
            below.map(|below| against(Spec::Belt(below))),
            third.clone().map(against),
        ]
    })
}

/// A table as Markdown.
fn page(Table { id, third, belts }: &Table) -> String {
    let more = third.map_or(String::new(), |name| format!(" against {name} |"));
    let line = if more.is_empty() { "" } else { "---|" };
    let head =
        format!("| belt | against random | against the belt below |{more}\n|---|---|---|{line}");
    let mut text = format!("\n### {}\n\n{head}\n", id.title());
    for (belt, cells) in Belt::ALL.iter().zip(belts) {
        let cells = cells
            .iter()
            .take(2 + usize::from(third.is_some()))
            .map(|total| {
                total.as_ref().map_or("–".into(), |total| {
                    let [low, high] = total.ci95();
                    format!("{:.3} ({low:.3} to {high:.3})", total.score_a())
                })
            });
        let _ = writeln!(
            text,
            "| {} | {} |",
            belt.name(),
            cells.collect::<Vec<_>>().join(" | ")
        );
    }
    text + "\n"
}

/// The same for the screen, a line of source.
fn source(Table { id, belts, .. }: &Table) -> String {
    // Rounded as in the manual.
    let rounded = |total: &Tally| {
        format!("{:.3}", total.score_a())
            .replace('.', "")
            .parse()
            .unwrap()
    };
    let thousandths = |total: &Option<Tally>| -> u16 { total.as_ref().map_or(0, rounded) };
    let belts = belts
        .each_ref()
        .map(|cells| cells.each_ref().map(thousandths));
    format!("    (GameId::{id:?}, {belts:?}),\n")
}

const BEGIN: &str = "<!-- measured by `cargo xtask belts`, checked by a test -->\n";
const END: &str = "<!-- end of the measured tables -->";

const SOURCE_BEGIN: &str = "// measured by `cargo xtask belts`, checked by a test\n";
const SOURCE_END: &str = "// end of what was measured";

/// Compares the manual and the screen with what is measured now; with `DOJO_BLESS` set it measures everything and writes
/// them instead.
#[test]
fn the_manual_and_the_screen_show_what_is_measured() {
    let mut tables = measured();
    if std::env::var_os("DOJO_BLESS").is_some() {
        tables.extend(measured_slowly());
    }
    check(
        "docs/belts.md",
        [BEGIN, END],
        tables.iter().map(page).collect(),
    );
    let head = String::from("const MEASURED: &[(GameId, [[u16; 3]; 5])] = &[\n");
    let lines = tables.iter().map(source);
    check(
        "handheld/src/strength.rs",
        [SOURCE_BEGIN, SOURCE_END],
        [head]
            .into_iter()
            .chain(lines)
            .chain(["];\n".into()])
            .collect(),
    );
}

fn check(file: &str, [begin, end]: [&str; 2], measured: Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text
        .split_once(begin)
        .expect("there is a place for what is measured");
    let (shown, after) = rest.split_once(end).expect("it has an end");
    if std::env::var_os("DOJO_BLESS").is_some() {
        return std::fs::write(
            &path,
            format!("{before}{begin}{}{end}{after}", measured.concat()),
        )
        .unwrap();
    }
    for part in measured {
        assert!(
            shown.contains(&part),
            "{file} is out of date, `cargo xtask belts` measures again:{part}"
        );
    }
}
