//! Every search algorithm on the same position, side by side.

use std::time::Instant;

use dojo_core::game::Game;
use dojo_core::games::{Dots, Sticks, TicTacToe, dots::Lead, tictactoe::Lively};
use dojo_core::rng::Rng;
use dojo_core::search::mcts::{Mcts, Node, Open, Playouts, Uniform};
use dojo_core::search::memory_test::{mtdf, sss};
use dojo_core::search::tree::Tree;
use dojo_core::search::{
    Engine, Found, Knowledge, Limits, Margins, NullMove, Plan, Ranked, Results, Scheme, Settings, Slot, Soonest, Value,
    minimax, negamax,
};
use serde::Serialize;

pub mod drawing;
pub mod trees;

/// A game in the lab: how its ends are valued when it is searched to the end, and what is known about it otherwise.
pub trait Studied: Game {
    /// Values of ends.
    type Ends: Knowledge<Self> + Copy + Default;
    /// Everything else: evaluation and hints. Where a game has none, the rows of the accelerators show nothing new.
    type Hints: Knowledge<Self> + Copy + Default;
    /// Whether there are hints.
    const HINTS: bool;
}

impl Studied for TicTacToe {
    type Ends = Results;
    type Hints = Lively;
    const HINTS: bool = true;
}

impl Studied for Sticks {
    type Ends = Results;
    type Hints = Soonest;
    const HINTS: bool = false;
}

impl Studied for Dots {
    type Ends = Margins;
    type Hints = Lead;
    const HINTS: bool = true;
}

impl Studied for Tree {
    type Ends = Margins;
    type Hints = Margins;
    const HINTS: bool = false;
}

/// How much the lab may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Moves to look ahead.
    pub depth: u8,
    /// Moves to look ahead where an evaluation is used.
    pub horizon: u8,
    /// Most nodes of one algorithm.
    pub nodes: u32,
    /// Slots of the transposition table, 16 bytes each.
    pub slots: usize,
    /// Playouts of Monte Carlo.
    pub playouts: u32,
    /// All chance comes from here.
    pub seed: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { depth: u8::MAX, horizon: 4, nodes: 100_000_000, slots: 2048, playouts: 2000, seed: 1 }
    }
}

/// What an algorithm did.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub algorithm: &'static str,
    /// `exact`: the value of plain minimax to the same depth, always; `estimate`: of an evaluation at the horizon;
    /// `playouts`: expected result in thousandths.
    pub kind: &'static str,
    /// The value for the player to move.
    pub value: Value,
    /// The chosen move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes (playouts) visited.
    pub nodes: u32,
    /// Ends of lines among them.
    pub leaves: u32,
    /// Nodes left early.
    pub cutoffs: u32,
    /// Positions that the table knew.
    pub table_hits: u32,
    /// Searches that this saved.
    pub table_cutoffs: u32,
    /// Further searches of the same position.
    pub researches: u32,
    /// What its own trick did: killer cut-offs, null-move cut-offs, skipped moves and so on.
    pub effect: u32,
    /// Finished depth.
    pub depth: u8,
    /// Whether every line was followed to the end of the game.
    pub complete: bool,
    /// Whether the node limit ended it.
    pub stopped: bool,
    /// Microseconds.
    pub micros: u64,
    /// What it is, in a few words.
    pub about: &'static str,
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

/// How a row is searched.
#[derive(Clone, Copy)]
enum Method {
    Minimax,
    Negamax,
    /// To the full depth in one go, ends only.
    Look(Settings),
    /// The same, with symmetric positions taken for one.
    Symmetric(Settings),
    Sss,
    Mtdf,
    /// Iterative deepening to the full depth, ends only.
    Deepen(Settings),
    /// Iterative deepening to the horizon, with evaluation and hints.
    Estimate(Settings),
    Playouts {
        rave: u16,
    },
}

struct Algorithm {
    name: &'static str,
    method: Method,
    about: &'static str,
}

const PLAIN: Settings = Settings::PLAIN;
const TABLE: Settings = Settings { table: true, ..PLAIN };
const SCOUT: Settings = Settings { scheme: Scheme::Scout, ..PLAIN };
const NEGASCOUT: Settings = Settings { scheme: Scheme::NegaScout, ..PLAIN };

const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "minimax",
        method: Method::Minimax,
        about: "follows every line to its end; I take the highest value, the opponent the lowest",
    },
    Algorithm {
        name: "negamax",
        method: Method::Negamax,
        about: "the same with one rule: everybody takes the highest, and a value changes sign with the turn",
    },
    Algorithm {
        name: "alpha-beta",
        method: Method::Look(PLAIN),
        about: "leaves a position as soon as one reply shows that a better move is known elsewhere",
    },
    Algorithm {
        name: "scout",
        method: Method::Look(SCOUT),
        about: "searches the first move, then only tests whether another is better, and searches it if so",
    },
    Algorithm {
        name: "negascout",
        method: Method::Look(NEGASCOUT),
        about: "scout inside alpha-beta windows; also called principal variation search",
    },
    Algorithm {
        name: "alpha-beta+table",
        method: Method::Look(TABLE),
        about: "remembers positions: another order of the same moves is not searched again",
    },
    Algorithm {
        name: "alpha-beta+symmetry",
        method: Method::Symmetric(TABLE),
        about: "remembers a position together with its mirror images and turns",
    },
    Algorithm {
        name: "negascout+table",
        method: Method::Look(Settings { table: true, ..NEGASCOUT }),
        about: "both together",
    },
    Algorithm {
        name: "sss*",
        method: Method::Sss,
        about: "asks from above: is it at least this much? no? at least that? with a table that keeps all answers",
    },
    Algorithm {
        name: "mtd(f)",
        method: Method::Mtdf,
        about: "asks the same questions, but starts from a guess (here 0) instead of from above",
    },
    Algorithm {
        name: "killers",
        method: Method::Look(Settings { killers: true, ..PLAIN }),
        about: "alpha-beta that first tries the moves that just cut off a neighbouring position",
    },
    Algorithm {
        name: "history",
        method: Method::Look(Settings { history: true, ..PLAIN }),
        about: "alpha-beta that first tries the moves that cut off most often anywhere",
    },
    Algorithm {
        name: "all sound",
        method: Method::Look(Settings::SOUND),
        about: "negascout, table, table move first, killers, history: nothing that could change the value",
    },
    Algorithm {
        name: "deepening",
        method: Method::Deepen(Settings::SOUND),
        about: "looks one move ahead, then two, and so on; each depth starts with the best move of the last",
    },
    Algorithm {
        name: "aspiration",
        method: Method::Deepen(Settings { aspiration: 1, ..Settings::SOUND }),
        about: "deepening that expects nearly the last value and searches again if that was wrong",
    },
    Algorithm {
        name: "evaluation",
        method: Method::Estimate(PLAIN),
        about: "alpha-beta to the horizon; what lies beyond is estimated. The rows below add one thing each",
    },
    Algorithm {
        name: "promising first",
        method: Method::Estimate(Settings { promise: true, ..PLAIN }),
        about: "the game itself says which moves look promising",
    },
    Algorithm {
        name: "quiescence",
        method: Method::Estimate(Settings { quiescence: 4, ..PLAIN }),
        about: "does not judge a position before threats have been played out",
    },
    Algorithm {
        name: "extensions",
        method: Method::Estimate(Settings { extensions: 3, ..PLAIN }),
        about: "looks deeper where an answer is forced",
    },
    Algorithm {
        name: "futility",
        method: Method::Estimate(Settings { futility: true, ..PLAIN }),
        about: "near the horizon, skips moves that cannot catch up. Can be wrong",
    },
    Algorithm {
        name: "null move",
        method: Method::Estimate(Settings { null_move: Some(NullMove { reduction: 1, verified: false }), ..PLAIN }),
        about: "if even passing is too good, a real move is as well. Wrong where having to move is a burden",
    },
    Algorithm {
        name: "verified null move",
        method: Method::Estimate(Settings { null_move: Some(NullMove { reduction: 1, verified: true }), ..PLAIN }),
        about: "the same, confirmed by a shallow search with real moves",
    },
    Algorithm {
        name: "narrowing",
        method: Method::Estimate(Settings { narrow: 4, promise: true, ..PLAIN }),
        about: "looks only at the four most promising moves. Can be wrong",
    },
    Algorithm {
        name: "secondary search",
        method: Method::Estimate(Settings { verify: 2, ..PLAIN }),
        about: "looks at the chosen move two moves deeper, and changes its mind if it disappoints",
    },
    Algorithm {
        name: "book",
        method: Method::Estimate(Settings { book: true, ..PLAIN }),
        about: "plays a prepared move where there is one, without any search",
    },
    Algorithm {
        name: "uct",
        method: Method::Playouts { rave: 0 },
        about: "plays games at random and grows a tree where they go well; no evaluation at all",
    },
    Algorithm {
        name: "uct+rave",
        method: Method::Playouts { rave: 100 },
        about: "the same; a move that did well later in a game counts a little at once",
    },
];

/// Runs all algorithms on a position that is not the end of a game.
pub fn run<G: Studied>(game: &G, bounds: &Bounds) -> Lab {
    let mut rows = Vec::new();
    for algorithm in ALGORITHMS {
        let skip = matches!(algorithm.method, Method::Estimate(_)) && !G::HINTS
            || matches!(algorithm.method, Method::Symmetric(_)) && G::SYMMETRIES == 1;
        if !skip {
            rows.push(row(algorithm, game, bounds));
        }
    }
    Lab { game: G::NAME, rules: game.rules().to_string(), position: game.to_string(), rows }
}

/// Takes symmetric positions for one.
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

fn row<G: Studied>(algorithm: &Algorithm, game: &G, bounds: &Bounds) -> Row {
    let mut slots = vec![Slot::default(); bounds.slots];
    let mut moves = vec![Ranked::default(); G::MAX_MOVES * 64];
    let mut pool = vec![Node::default(); 4000];
    let depth = bounds.depth.min(G::MAX_PLIES as u8);
    let limits = Limits { depth, nodes: bounds.nodes, ..Limits::NONE };
    let near = Limits { depth: bounds.horizon.min(depth), ..limits };
    let ends = G::Ends::default();
    let mut engine = Engine::new(&mut slots, &mut moves);
    let start = Instant::now();
    let found = match algorithm.method {
        Method::Minimax => minimax(game, &ends, &limits, &mut ()),
        Method::Negamax => negamax(game, &ends, &limits, &mut ()),
        Method::Look(settings) => engine.look(game, &Plan { knowledge: ends, settings, limits }, &mut ()),
        Method::Symmetric(settings) => {
            engine.look(game, &Plan { knowledge: Symmetric(ends), settings, limits }, &mut ())
        }
        Method::Sss => sss(&mut engine, game, &Plan { knowledge: ends, settings: TABLE, limits }, &mut ()),
        Method::Mtdf => mtdf(&mut engine, game, &Plan { knowledge: ends, settings: TABLE, limits }, 0, &mut ()),
        Method::Deepen(settings) => engine.think(game, &Plan { knowledge: ends, settings, limits }, &mut ()),
        Method::Estimate(settings) => {
            let plan = Plan { knowledge: G::Hints::default(), settings, limits: near };
            engine.think(game, &plan, &mut ())
        }
        Method::Playouts { rave } => {
            let mut mcts = Mcts::new(&mut pool, Playouts { rave, ..Playouts::new(Uniform) });
            mcts.think(game, &Open, &Limits::nodes(bounds.playouts), &mut Rng::new(bounds.seed), &mut ())
        }
    };
    let kind = match algorithm.method {
        Method::Estimate(_) => "estimate",
        Method::Playouts { .. } => "playouts",
        _ => "exact",
    };
    describe(algorithm, kind, &found, start.elapsed().as_micros() as u64)
}

fn describe<M: std::fmt::Display>(algorithm: &Algorithm, kind: &'static str, found: &Found<M>, micros: u64) -> Row {
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
        algorithm: algorithm.name,
        kind,
        value: found.value,
        mv: found.mv.as_ref().map(ToString::to_string).unwrap_or_default(),
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
        about: algorithm.about,
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
    ("effect", |row| row.effect.to_string()),
    ("depth", |row| row.depth.to_string() + if row.complete { "!" } else { "" }),
    ("µs", |row| row.micros.to_string() + if row.stopped { " stopped" } else { "" }),
];

impl Lab {
    /// The table, then what each algorithm is.
    pub fn text(&self) -> String {
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| COLUMNS.iter().map(|(_, cell)| cell(row)).collect()).collect();
        let mut text = format!("{} {}\n{}\n\n", self.game, self.rules, self.position);
        text += &aligned(&COLUMNS.iter().map(|(name, _)| (*name).to_string()).collect::<Vec<_>>(), &cells);
        text += "\n`!` marks a depth at which every line had ended: looking further changes nothing.\n";
        text += "`again` counts second searches, `effect` what the row's own trick did.\n\n";
        for row in &self.rows {
            text += &format!("{:20} {}\n", row.algorithm, row.about);
        }
        text
    }

    /// One line an algorithm, after a line of headings.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut text = line(COLUMNS.iter().map(|(name, _)| name.replace(' ', "_")).collect());
        for row in &self.rows {
            text += &line(COLUMNS.iter().map(|(_, cell)| cell(row).replace(['!', ','], "")).collect());
        }
        text
    }
}

/// A table with its first two columns to the left and all others to the right.
pub fn aligned(head: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&head[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let mut text = String::new();
    for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            line += &if column < 2 { format!("{cell:width$}  ") } else { format!("{cell:>width$}  ") };
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tic_tac_toe_shows_the_known_figures() {
        let lab = run(&TicTacToe::new(Default::default()), &Bounds::default());
        let nodes = |name| lab.rows.iter().find(|row| row.algorithm == name).unwrap().nodes;
        assert_eq!(nodes("minimax"), 549_946);
        assert_eq!(nodes("alpha-beta"), 18_297);
        assert!(nodes("alpha-beta+table") < 5_500);
        assert!(nodes("alpha-beta+symmetry") < nodes("alpha-beta+table"));
        for row in lab.rows.iter().filter(|row| row.kind == "exact") {
            assert_eq!((row.value, row.stopped, row.complete), (0, false, true), "{}", row.algorithm);
        }
        assert_eq!(lab.text().lines().filter(|line| line.starts_with("minimax")).count(), 2);
        assert_eq!(lab.csv().lines().count(), lab.rows.len() + 1);
        let commas = |line: &str| line.matches(',').count();
        assert!(lab.csv().lines().all(|line| commas(line) == COLUMNS.len() - 1));
    }

    /// The page is written by hand around what `dojo lab tree` and `dojo lab tictactoe` print.
    #[test]
    fn the_book_shows_what_the_program_prints() {
        let page = include_str!("../../../docs/search.md");
        let drawing = drawing::draw(dojo_core::search::tree::TreeRules { depth: 3, ..Default::default() }).text;
        assert!(page.contains(drawing.trim_end()), "{drawing}");
        let table = trees::text(&trees::table(1));
        assert!(page.contains(table.trim_end()), "{table}");
        let lab = run(&TicTacToe::new(Default::default()), &Bounds::default());
        for row in lab.rows.iter().filter(|row| row.kind == "exact") {
            let digits: String = page.chars().filter(|&c| c != ',').collect();
            let Row { algorithm, value, mv, nodes, cutoffs, table_hits, .. } = row;
            let line = format!("| {algorithm} | {value} | {mv} | {nodes} | {cutoffs} | {table_hits} |");
            assert!(digits.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_node_limit_is_kept_and_shown() {
        let bounds = Bounds { nodes: 1000, ..Bounds::default() };
        let lab = run(&TicTacToe::new(Default::default()), &bounds);
        assert!(lab.rows[0].stopped);
        assert!(lab.rows.iter().all(|row| row.kind == "playouts" || row.nodes <= 1000));
    }
}
