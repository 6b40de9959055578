//! The belts in order, and the tables of `docs/belts.md` as measured.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::games::{GameId, Sticks, TicTacToe};
use dojo_core::with_game;
use dojo_lab::arena::{self, Match, Tally};
use dojo_lab::bank::SHIPPED;
use dojo_lab::games::LabGame;
use dojo_lab::players::{ArenaGame, ArenaPlayer, Spec};

const GAMES: u32 = 1000;

fn duel<G: ArenaGame>(a: Spec, b: Spec, seed: u64) -> Match
where
    G::Rules: Send + Sync,
{
    duel_of::<G>(GAMES, a, b, seed)
}

fn duel_of<G: ArenaGame>(games: u32, a: Spec, b: Spec, seed: u64) -> Match
where
    G::Rules: Send + Sync,
{
    let bank = Bank::new(SHIPPED).unwrap();
    let rules = G::Rules::default();
    let [a, b] = [a, b].map(|spec| ArenaPlayer::<G>::new(&spec, rules, &bank).unwrap());
    arena::play::<G>(rules, &a, &b, games, seed, || {})
}

/// Each of these belts is clearly better than the one before it.
fn are_in_order<G: LabGame>(belts: &[Belt])
where
    G::Rules: Send + Sync,
{
    let (games, seeds) = G::BELTS.order;
    for seed in 1..=seeds {
        for pair in belts.windows(2) {
            let [low, high] = duel_of::<G>(games, Spec::Belt(pair[1]), Spec::Belt(pair[0]), seed)
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
    }
}

#[test]
fn belts_are_in_order() {
    for id in GameId::ALL {
        with_game!(id, G => are_in_order::<G>(&Belt::ALL[..G::BELTS.always]));
    }
}

#[test]
#[ignore = "takes long: `cargo xtask full` runs it"]
fn slow_belts_are_in_order() {
    for id in GameId::ALL {
        with_game!(id, G => are_in_order::<G>(&Belt::ALL[G::BELTS.always.max(1) - 1..]));
    }
}

#[test]
fn white_is_better_than_chance() {
    fn is<G: LabGame>()
    where
        G::Rules: Send + Sync,
    {
        let (games, seeds) = G::BELTS.order;
        for seed in 1..=seeds {
            let white = duel_of::<G>(games, Spec::Belt(Belt::White), Spec::Random, seed);
            assert!(white.total().ci95()[0] > 0.5, "{}, seed {seed}", G::NAME);
        }
    }
    for id in GameId::ALL {
        with_game!(id, G => is::<G>());
    }
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
    // Even a random player wins one game in ten.
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

/// Each belt against random, the belt below, and the game's player by rules.
fn table<G: LabGame>(id: GameId) -> Table
where
    G::Rules: Send + Sync,
{
    let belts = Belt::ALL.map(|belt| {
        let against =
            |opponent| duel_of::<G>(G::BELTS.table, Spec::Belt(belt), opponent, 1).total();
        let below = Belt::from_code((belt as u8).wrapping_sub(1));
        [
            Some(against(Spec::Random)),
            below.map(|below| against(Spec::Belt(below))),
            G::BELTS.rival.map(|(_, rival)| against(rival)),
        ]
    });
    Table {
        id,
        third: G::BELTS.rival.map(|(name, _)| name),
        belts,
    }
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

/// The table as a source file of the handheld, for its screen.
fn source(Table { belts, .. }: &Table) -> String {
    // Rounded as in the manual.
    let rounded = |total: &Tally| {
        format!("{:.3}", total.score_a())
            .replace('.', "")
            .parse()
            .unwrap()
    };
    let thousandths = |total: &Option<Tally>| -> u16 { total.as_ref().map_or(0, rounded) };
    let lines: String = belts
        .iter()
        .map(|cells| format!("    {:?},\n", cells.each_ref().map(thousandths)))
        .collect();
    format!(
        "//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.\n\n\
         pub(super) const MEASURED: [[u16; 3]; 5] = [\n{lines}];\n"
    )
}

const BEGIN: &str = "<!-- measured by `cargo xtask belts`, checked by a test -->\n";
const END: &str = "<!-- end of the measured tables -->";

/// Compares the manual and the screen with what is measured now; with `DOJO_BLESS` set it measures
/// everything and writes them instead. `DOJO_GAME` limits that to one game.
#[test]
fn the_manual_and_the_screen_show_what_is_measured() {
    let bless = std::env::var_os("DOJO_BLESS").is_some();
    let only = std::env::var("DOJO_GAME").ok();
    for id in GameId::ALL {
        let every_run = with_game!(id, G => G::BELTS.every_run);
        if !(bless || every_run) || only.as_ref().is_some_and(|only| only != id.name()) {
            continue;
        }
        let table = with_game!(id, G => table::<G>(id));
        check_manual(id, &page(&table), bless);
        let file = format!("handheld/src/boards/{}/strength.rs", id.name());
        check_file(&file, &source(&table), bless);
    }
}

fn root(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file)
}

/// The section of a game in `docs/belts.md`, behind the others if it is new.
fn check_manual(id: GameId, section: &str, bless: bool) {
    let path = root("docs/belts.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text
        .split_once(BEGIN)
        .expect("there is a place for what is measured");
    let (shown, after) = rest.split_once(END).expect("it has an end");
    if !bless {
        assert!(
            shown.contains(section),
            "docs/belts.md is out of date, `cargo xtask belts` measures again:{section}"
        );
        return;
    }
    let heading = format!("\n### {}\n", id.title());
    let (start, end) = match shown.find(&heading) {
        Some(start) => {
            let length = shown[start + 1..].find("\n### ").map(|at| at + 1);
            (start, start + length.unwrap_or(shown.len() - start))
        }
        None => (shown.len(), shown.len()),
    };
    let shown = format!("{}{section}{}", &shown[..start], &shown[end..]);
    std::fs::write(&path, format!("{before}{BEGIN}{shown}{END}{after}")).unwrap();
}

fn check_file(file: &str, text: &str, bless: bool) {
    if bless {
        return std::fs::write(root(file), text).unwrap();
    }
    let shown = std::fs::read_to_string(root(file)).unwrap();
    assert!(
        shown == text,
        "{file} is out of date, `cargo xtask belts` measures again:\n{text}"
    );
}
