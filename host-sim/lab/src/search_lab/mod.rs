//! Every search algorithm on the same position, side by side.

use std::time::Instant;

use dojo_core::game::Game;
use dojo_core::rng::Rng;
use dojo_core::search::{Engine, Found, Knowledge, Limits, Margins, Plan, Ranked, Slot, Value};
use serde::Serialize;

use crate::output::Progress;
use crate::search::mcts::{Mcts, Node, Open, Playouts, Uniform};
use crate::search::tree::Tree;
use crate::search::{minimax, mtdf, negamax, sss};

use algorithms::{ALGORITHMS, Algorithm, Method, TABLE};

mod algorithms;
pub mod drawing;
pub mod puzzles;
pub mod trees;

/// A game in the lab, with its evaluations.
pub trait SearchLabGame: Game + 'static {
    /// Values of finished games, for complete searches.
    type Ends: Knowledge<Self> + Copy + Default;
    /// Evaluation and hints, for searches to a horizon.
    type Hints: Knowledge<Self> + Copy + Default;
    /// Whether the game has evaluation and hints; without them those rows are left out.
    const HINTS: bool;
    /// Default depth.
    const DEPTH: u8 = u8::MAX;

    /// Searches of this game alone; their rows follow that of [`Self::Hints`].
    fn own_searches() -> Vec<OwnSearch<Self>> {
        vec![]
    }
}

/// A search to the horizon that only one game has: another evaluation, a published program.
pub struct OwnSearch<G: Game> {
    /// The name of its row.
    pub name: &'static str,
    /// The row that it is compared with to see whether its technique changed anything.
    pub base: Option<&'static str>,
    /// Explanation in a few words.
    pub about: &'static str,
    /// The search, to a limited depth.
    pub think: Think<G>,
}

/// A search to limits.
pub type Think<G> = Box<dyn Fn(&mut Engine<'_, G>, &G, Limits) -> Found<<G as Game>::Move>>;

impl SearchLabGame for Tree {
    type Ends = Margins;
    type Hints = Margins;
    const HINTS: bool = false;
}

/// Budget of the lab.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Depth of complete searches.
    pub depth: u8,
    /// Depth of searches with an evaluation.
    pub horizon: u8,
    /// Most nodes of one algorithm.
    pub nodes: u32,
    /// Slots of the transposition table, 16 bytes each.
    pub slots: usize,
    /// Playouts of Monte Carlo.
    pub playouts: u32,
    /// Seed of the playouts.
    pub seed: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            depth: u8::MAX,
            horizon: 4,
            nodes: 100_000_000,
            slots: 2048,
            playouts: 2000,
            seed: 1,
        }
    }
}

/// The results of one algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub algorithm: &'static str,
    /// `exact`: the minimax value to this depth; `estimate`: from an evaluation at the horizon;
    /// `playouts`: expected result in thousandths.
    pub kind: &'static str,
    /// The value for the player to move.
    pub value: Value,
    /// The chosen move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes (playouts) visited.
    pub nodes: u32,
    /// Leaves among them.
    pub leaves: u32,
    /// Nodes with a cut-off.
    pub cutoffs: u32,
    /// Look-ups that found an entry in the transposition table.
    pub table_hits: u32,
    /// Entries that settled their node.
    pub table_cutoffs: u32,
    /// Second searches of a position.
    pub researches: u32,
    /// The counter of the row's own accelerator: killer cut-offs, null-move cut-offs, skipped moves
    /// and so on.
    pub effect: u32,
    /// Completed depth.
    pub depth: u8,
    /// Whether every line was followed to the end of the game.
    pub complete: bool,
    /// Whether the node limit ended it.
    pub stopped: bool,
    /// Microseconds.
    pub micros: u64,
    /// Explanation in a few words.
    pub about: &'static str,
    /// Why the row's own technique changed nothing: value, move and nodes are those of the row that
    /// it builds on.
    pub no_effect: Option<&'static str>,
}

/// The rows of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Lab {
    /// The game's name.
    pub game: &'static str,
    /// Its rules.
    pub rules: String,
    /// The position.
    pub position: String,
    /// One row an algorithm.
    pub rows: Vec<Row>,
}

/// Runs all algorithms on a position that is not the end of a game.
pub fn run<G: SearchLabGame>(game: &G, bounds: &Bounds) -> Lab {
    let progress = Progress::new("searches", ALGORITHMS.len() as u64);
    let mut rows = Vec::new();
    for algorithm in ALGORITHMS {
        progress.tick();
        let skip = matches!(algorithm.method, Method::Estimate(_)) && !G::HINTS
            || matches!(algorithm.method, Method::Symmetric(_)) && G::SYMMETRIES == 1;
        if skip {
            continue;
        }
        let mut row = row(algorithm, game, bounds);
        if changes_nothing(&row, algorithm.base(), &rows) {
            row.no_effect = Some(reason::<G>(&algorithm.method));
        }
        rows.push(row);
        if algorithm.name == "evaluation" {
            for own in G::own_searches() {
                let mut row = own_row(&own, game, bounds);
                if changes_nothing(&row, own.base, &rows) {
                    row.no_effect = Some(NOT_CALLED_FOR);
                }
                rows.push(row);
            }
        }
    }
    Lab {
        game: G::NAME,
        rules: game.rules().to_string(),
        position: game.to_string(),
        rows,
    }
}

/// Whether value, move and nodes are those of the row that this one builds on.
fn changes_nothing(row: &Row, base: Option<&str>, rows: &[Row]) -> bool {
    let result = |row: &Row| (row.value, row.mv.clone(), row.nodes);
    let base = rows.iter().find(|other| base == Some(other.algorithm));
    base.is_some_and(|base| result(base) == result(row))
}

const NOT_CALLED_FOR: &str = "nothing in this position calls for it";

/// Why a technique changes nothing in a game: the game does not offer it, or it did not come up.
fn reason<G: SearchLabGame>(method: &Method) -> &'static str {
    let (Method::Estimate(settings) | Method::Look(settings) | Method::Deepen(settings)) = method
    else {
        return NOT_CALLED_FOR;
    };
    let estimate = matches!(method, Method::Estimate(_));
    let missing = |asked: bool, offered: bool| estimate && asked && !offered;
    if missing(settings.null_move.is_some(), G::Hints::NULL_MOVE) {
        "the game does not allow a pass in its search"
    } else if missing(settings.narrow > 0, G::Hints::NARROWING) {
        "the game does not allow moves to be left out"
    } else if missing(settings.promise, G::Hints::ORDERS) {
        "the game does not say which moves look promising"
    } else if missing(settings.quiescence > 0, G::Hints::QUIESCENCE) {
        "the game names no noisy moves"
    } else if missing(settings.extensions > 0, G::Hints::EXTENSIONS) {
        "the game names no forced answers"
    } else if missing(settings.futility, G::Hints::FUTILITY) {
        "the game gives no bound on what a move can gain"
    } else if settings.book {
        "there is no prepared move for this position"
    } else if settings.verify > 0 {
        "the second look confirms the move"
    } else {
        NOT_CALLED_FOR
    }
}

/// The row of a search that only this game has.
fn own_row<G: SearchLabGame>(own: &OwnSearch<G>, game: &G, bounds: &Bounds) -> Row {
    let limits = Limits {
        depth: bounds.horizon.min(bounds.depth),
        nodes: bounds.nodes,
        ..Limits::NONE
    };
    let mut moves = vec![Ranked::default(); G::MAX_MOVES * 64];
    let start = Instant::now();
    let found = (own.think)(&mut Engine::new(&mut [], &mut moves), game, limits);
    let micros = start.elapsed().as_micros() as u64;
    describe(own.name, own.about, "estimate", &found, micros)
}

/// Merges symmetric positions in the transposition table.
#[derive(Clone, Copy, Default)]
struct Symmetric<K>(K);

impl<G: Game, K: Knowledge<G>> Knowledge<G> for Symmetric<K> {
    fn horizon(&self, game: &G) -> Value {
        self.0.horizon(game)
    }

    fn end(&self, game: &G, outcome: dojo_core::game::Outcome, ply: u8) -> Value {
        self.0.end(game, outcome, ply)
    }

    fn key(&self, game: &G) -> u64 {
        game.canonical().key()
    }
}

fn row<G: SearchLabGame>(algorithm: &Algorithm, game: &G, bounds: &Bounds) -> Row {
    let mut slots = vec![Slot::default(); bounds.slots];
    let mut moves = vec![Ranked::default(); G::MAX_MOVES * 64];
    let mut pool = vec![Node::default(); 4000];
    let depth = bounds.depth.min(G::MAX_PLIES.try_into().unwrap_or(u8::MAX));
    let limits = Limits {
        depth,
        nodes: bounds.nodes,
        ..Limits::NONE
    };
    let near = Limits {
        depth: bounds.horizon.min(depth),
        ..limits
    };
    let ends = G::Ends::default();
    let mut engine = Engine::new(&mut slots, &mut moves);
    let start = Instant::now();
    let found = match algorithm.method {
        Method::Minimax => minimax(game, &ends, &limits, &mut ()),
        Method::Negamax => negamax(game, &ends, &limits, &mut ()),
        Method::Look(settings) => engine.look(
            game,
            &Plan {
                knowledge: ends,
                settings,
                limits,
            },
            &mut (),
        ),
        Method::Symmetric(settings) => engine.look(
            game,
            &Plan {
                knowledge: Symmetric(ends),
                settings,
                limits,
            },
            &mut (),
        ),
        Method::Sss => sss(
            &mut engine,
            game,
            &Plan {
                knowledge: ends,
                settings: TABLE,
                limits,
            },
            &mut (),
        ),
        Method::Mtdf => mtdf(
            &mut engine,
            game,
            &Plan {
                knowledge: ends,
                settings: TABLE,
                limits,
            },
            0,
            &mut (),
        ),
        Method::Deepen(settings) => engine.think(
            game,
            &Plan {
                knowledge: ends,
                settings,
                limits,
            },
            &mut (),
        ),
        Method::Estimate(settings) => {
            let plan = Plan {
                knowledge: G::Hints::default(),
                settings,
                limits: near,
            };
            engine.think(game, &plan, &mut ())
        }
        Method::Playouts { rave } => {
            let mut mcts = Mcts::new(
                &mut pool,
                Playouts {
                    rave,
                    ..Playouts::new(Uniform)
                },
            );
            mcts.think(
                game,
                &Open,
                &Limits::nodes(bounds.playouts),
                &mut Rng::new(bounds.seed),
                &mut (),
            )
        }
    };
    let kind = match algorithm.method {
        Method::Estimate(_) => "estimate",
        Method::Playouts { .. } => "playouts",
        _ => "exact",
    };
    let micros = start.elapsed().as_micros() as u64;
    describe(algorithm.name, algorithm.about, kind, &found, micros)
}

fn describe<M: std::fmt::Display>(
    algorithm: &'static str,
    about: &'static str,
    kind: &'static str,
    found: &Found<M>,
    micros: u64,
) -> Row {
    let stats = &found.stats;
    let effects = [
        stats.killer_cutoffs,
        stats.quiet_nodes,
        stats.extensions,
        stats.futile,
        stats.null_cutoffs,
        stats.narrowed,
        stats.overturned,
        stats.book_moves,
    ];
    Row {
        algorithm,
        kind,
        value: found.value,
        mv: found
            .mv
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        nodes: stats.nodes,
        leaves: stats.leaves,
        cutoffs: stats.cutoffs,
        table_hits: stats.hits,
        table_cutoffs: stats.table_cutoffs,
        researches: stats.researches,
        effect: effects.into_iter().max().unwrap_or_default(),
        depth: found.depth,
        complete: found.complete,
        stopped: found.stopped && kind != "playouts",
        micros,
        about,
        no_effect: None,
    }
}

/// Columns of the text and CSV forms: heading and content.
type Column = (&'static str, fn(&Row) -> String);

const COLUMNS: &[Column] = &[
    ("algorithm", |row| row.algorithm.to_string()),
    ("kind", |row| row.kind.to_string()),
    ("value", |row| row.value.to_string()),
    ("move", |row| row.mv.clone()),
    ("nodes", |row| row.nodes.to_string()),
    ("leaves", |row| row.leaves.to_string()),
    ("cut-offs", |row| row.cutoffs.to_string()),
    ("TT hits", |row| row.table_hits.to_string()),
    ("TT cuts", |row| row.table_cutoffs.to_string()),
    ("again", |row| row.researches.to_string()),
    ("effect", |row| match row.no_effect {
        Some(_) => "none".into(),
        None => row.effect.to_string(),
    }),
    ("depth", |row| {
        row.depth.to_string() + if row.complete { "!" } else { "" }
    }),
    ("µs", |row| {
        row.micros.to_string() + if row.stopped { " stopped" } else { "" }
    }),
];

impl Lab {
    /// The table, then what each algorithm is.
    pub fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| COLUMNS.iter().map(|(_, cell)| cell(row)).collect())
            .collect();
        let mut text = format!("{} {}\n{}\n\n", self.game, self.rules, self.position);
        text += &aligned(
            &COLUMNS
                .iter()
                .map(|(name, _)| (*name).to_string())
                .collect::<Vec<_>>(),
            &cells,
        );
        text +=
            "\n`!` marks a depth at which every line had ended: looking further changes nothing.\n";
        text += "`again` counts second searches, `effect` what the row's own trick did.\n\n";
        let names = self.rows.iter().map(|row| row.algorithm.chars().count());
        let width = names.max().unwrap_or_default();
        for row in &self.rows {
            text += &format!("{:width$}  {}\n", row.algorithm, row.about);
            if let Some(why) = row.no_effect {
                text += &format!("{:width$}  no effect here: {why}\n", "");
            }
        }
        text
    }

    /// One line an algorithm, after a line of headings.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut text = line(
            COLUMNS
                .iter()
                .map(|(name, _)| name.replace(' ', "_"))
                .collect(),
        );
        for row in &self.rows {
            // Names of variants have commas.
            let quoted = |cell: String| match cell.contains(',') {
                true => format!("\"{cell}\""),
                false => cell,
            };
            let cells = COLUMNS.iter().map(|(_, cell)| cell(row).replace('!', ""));
            text += &line(cells.map(quoted).collect());
        }
        text
    }
}

/// A table with its first two columns to the left and all others to the right.
pub fn aligned(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&head[column]]);
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let mut text = String::new();
    for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            line += &if column < 2 {
                format!("{cell:width$}  ")
            } else {
                format!("{cell:>width$}  ")
            };
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::TicTacToe;

    #[test]
    fn tic_tac_toe_shows_the_known_figures() {
        let lab = run(&TicTacToe::new(Default::default()), &Bounds::default());
        let nodes = |name| {
            lab.rows
                .iter()
                .find(|row| row.algorithm == name)
                .unwrap()
                .nodes
        };
        assert_eq!(nodes("minimax"), 549_946);
        assert_eq!(nodes("alpha-beta"), 18_297);
        assert!(nodes("alpha-beta+table") < 5_500);
        assert!(nodes("alpha-beta+symmetry") < nodes("alpha-beta+table"));
        for row in lab.rows.iter().filter(|row| row.kind == "exact") {
            assert_eq!(
                (row.value, row.stopped, row.complete),
                (0, false, true),
                "{}",
                row.algorithm
            );
        }
        assert_eq!(
            lab.text()
                .lines()
                .filter(|line| line.starts_with("minimax"))
                .count(),
            2
        );
        assert_eq!(lab.csv().lines().count(), lab.rows.len() + 1);
        let commas = |line: &str| line.matches(',').count();
        assert!(
            lab.csv()
                .lines()
                .all(|line| commas(line) == COLUMNS.len() - 1)
        );
    }

    /// The page is written by hand around what `dojo lab tree` and `dojo lab tictactoe` print.
    #[test]
    fn the_book_shows_what_the_program_prints() {
        let page = include_str!("../../../../docs/search.md");
        let drawing = drawing::draw(crate::search::tree::TreeRules {
            depth: 3,
            ..Default::default()
        })
        .text;
        assert!(page.contains(drawing.trim_end()), "{drawing}");
        let table = trees::text(&trees::table(1));
        assert!(page.contains(table.trim_end()), "{table}");
        let lab = run(&TicTacToe::new(Default::default()), &Bounds::default());
        for row in lab.rows.iter().filter(|row| row.kind == "exact") {
            let digits: String = page.chars().filter(|&c| c != ',').collect();
            let Row {
                algorithm,
                value,
                mv,
                nodes,
                cutoffs,
                table_hits,
                ..
            } = row;
            let line =
                format!("| {algorithm} | {value} | {mv} | {nodes} | {cutoffs} | {table_hits} |");
            assert!(digits.contains(&line), "{line}");
        }
    }

    #[test]
    fn rows_without_an_effect_say_why() {
        use dojo_core::games::{Dots, DotsRules};
        let no_effect = |lab: &Lab, name| {
            let row = lab.rows.iter().find(|row| row.algorithm == name).unwrap();
            row.no_effect
        };
        let bounds = Bounds {
            depth: 4,
            ..Bounds::default()
        };
        let lab = run(&Dots::new(DotsRules::default()), &bounds);
        let why = no_effect(&lab, "null move");
        assert_eq!(why, Some("the game does not allow a pass in its search"));
        assert!(
            lab.text()
                .contains("no effect here: the game names no noisy moves")
        );
        let lab = run(&TicTacToe::new(Default::default()), &Bounds::default());
        for name in ["null move", "promising first", "killers", "book"] {
            assert_eq!(no_effect(&lab, name), None, "{name}");
        }
    }

    /// The lecture's evaluation takes the first square, open lines take the centre.
    #[test]
    fn counting_marks_is_a_row_of_its_own() {
        let bounds = Bounds {
            horizon: 2,
            ..Bounds::default()
        };
        let lab = run(&TicTacToe::new(Default::default()), &bounds);
        let row = |name| lab.rows.iter().find(|row| row.algorithm == name).unwrap();
        let (lines, marks) = (row("evaluation"), row("evaluation: marks"));
        assert_eq!((&marks.mv[..], marks.value), ("a1", 0));
        assert_eq!(lines.mv, "b2");
    }

    /// Every variant of the published search is a row: what the player of that name would do.
    #[test]
    fn the_variants_of_iwoki_are_rows() {
        use crate::games::iwoki::minimax::{AS_THE_RULES, COMPARED, Minimax};
        use dojo_core::game::Rules as _;
        use dojo_core::games::{Iwoki, IwokiRules};
        let mut game = Iwoki::new(IwokiRules::default().dealt(2));
        let bounds = Bounds {
            depth: 2,
            ..Bounds::default()
        };
        let opening = run(&game, &bounds);
        game.play(game.legal_moves().next().unwrap()).unwrap();
        let lab = run(&game, &bounds);
        let row = |lab: &Lab, name| {
            let row = lab.rows.iter().find(|row| row.algorithm == name).cloned();
            row.unwrap_or_else(|| panic!("no row {name}"))
        };
        for compared in COMPARED {
            let search = Minimax {
                depth: 2,
                nodes: u64::MAX,
                variant: compared.variant,
            };
            let (action, nodes) = search.decide(&game);
            let row = row(&lab, compared.name);
            assert_eq!((row.mv, row.depth), (action.unwrap().to_string(), 2));
            assert_eq!(u64::from(row.nodes), nodes, "{}", compared.name);
            assert!(row.leaves > 0 && row.leaves < row.nodes && row.cutoffs > 0);
            assert!(!row.complete && !row.stopped);
        }
        let no_effect = |lab: &Lab, name| row(lab, name).no_effect;
        assert_eq!(no_effect(&lab, AS_THE_RULES), None);
        assert_eq!(no_effect(&lab, "draw=published"), None);
        // Nobody may draw with the first action.
        assert_eq!(no_effect(&opening, "draw=published"), Some(NOT_CALLED_FOR));
        let csv = lab.csv();
        let quoted = csv.lines().filter(|line| line.starts_with('"')).count();
        assert_eq!(quoted, 4, "names with commas: {csv}");
    }

    #[test]
    fn a_node_limit_is_kept_and_shown() {
        let bounds = Bounds {
            nodes: 1000,
            ..Bounds::default()
        };
        let lab = run(&TicTacToe::new(Default::default()), &bounds);
        assert!(lab.rows[0].stopped);
        assert!(
            lab.rows
                .iter()
                .all(|row| row.kind == "playouts" || row.nodes <= 1000)
        );
    }
}
