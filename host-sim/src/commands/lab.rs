//! `dojo lab GAME [POSITION]`: every search algorithm side by side; `dojo lab tree`: which branches
//! they skip, and why; `dojo lab puzzles`: searches for a shortest way.

use dojo_core::game::{Game, Rules};
use dojo_core::with_game;
use dojo_lab::search::tree::{Tree, TreeRules};
use serde::Serialize;

use dojo_lab::choice::Choice;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;
use dojo_lab::rules::{Options, game_id, game_names};
use dojo_lab::search_lab::{self, Bounds, SearchLabGame, drawing, puzzles, trees};

/// Position, bounds and output of the comparison.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game; or tree, for trees made of numbers; or puzzles, for searches of a shortest way
    #[arg(value_parser = Choice::suggested(subjects))]
    game: String,
    /// The position in the game's notation, such as x.o/.x./..o (the first position if missing)
    position: Option<String>,
    #[command(flatten)]
    options: Options,
    /// Moves to look ahead (if missing: to the end where that is feasible)
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: Option<u8>,
    /// Moves to look ahead where an evaluation is used
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    horizon: u8,
    /// Node limit of each algorithm
    #[arg(long, default_value_t = 100_000_000)]
    nodes: u32,
    /// Size of the transposition table in KB (the device has 32)
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    table_kb: u32,
    /// Playouts of Monte Carlo
    #[arg(long, default_value_t = 2000)]
    playouts: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tree: width, seed, spread, ordered, again as key=value, for the drawn tree
    #[arg(long = "tree", value_name = "KEY=VALUE")]
    tree: Vec<String>,
    /// Print one JSON object on one line instead of text
    #[arg(long)]
    json: bool,
    /// Print comma-separated values instead of text
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// All that can be searched.
fn subjects() -> Vec<&'static str> {
    [game_names(), vec![Tree::NAME, "puzzles"]].concat()
}

/// Runs all algorithms and prints the table.
pub fn run(args: Args) -> Done {
    let has_tree = args.game == Tree::NAME;
    if !args.tree.is_empty() && !has_tree {
        return Err(Failure::Usage(format!(
            "--tree is for `dojo lab tree`, not for {}",
            args.game
        )));
    }
    if args.game == "puzzles" {
        return shortest_ways(&args);
    }
    if has_tree && args.position.is_none() {
        return trees_and_drawing(&args);
    }
    if has_tree {
        return table::<Tree>(&args, tree_rules(&args)?);
    }
    let id = game_id(&args.game).map_err(Failure::Usage)?;
    with_game!(id, G => table::<G>(&args, args.options.rules::<G>()?))
}

fn table<G: SearchLabGame>(args: &Args, rules: G::Rules) -> Done {
    let game = match &args.position {
        None => G::new(rules),
        Some(text) => G::parse_position(rules, text)
            .map_err(|error| Failure::Usage(format!("position `{text}`: {error}")))?,
    };
    if game.is_over() {
        return Err(Failure::Usage(
            "the game is over in this position: there is nothing to search".into(),
        ));
    }
    let bounds = Bounds {
        depth: args.depth.unwrap_or(G::DEPTH),
        horizon: args.horizon,
        nodes: args.nodes,
        slots: args.table_kb as usize * 1024 / 16,
        playouts: args.playouts,
        seed: args.seed,
    };
    let lab = search_lab::run(&game, &bounds);
    match (args.json, args.csv) {
        (true, _) => output::print(&(serde_json::to_string(&lab).map_err(Failure::check)? + "\n")),
        (_, true) => output::print(&lab.csv()),
        _ => output::print(&lab.text()),
    }
}

fn shortest_ways(args: &Args) -> Done {
    let rows = puzzles::rows();
    if args.json {
        return output::print(&(serde_json::to_string(&rows).map_err(Failure::check)? + "\n"));
    }
    if args.csv {
        let mut text = String::from("puzzle,search,moves,expanded,held,way\n");
        for row in &rows {
            text += &format!(
                "{},{},{},{},{},{}\n",
                row.puzzle, row.search, row.moves, row.expanded, row.held, row.way
            );
        }
        return output::print(&text);
    }
    output::print(&puzzles::text(&rows))
}

fn tree_rules(args: &Args) -> Result<TreeRules, Failure> {
    let mut rules = TreeRules {
        width: 3,
        depth: args.depth.unwrap_or(3).min(16),
        ..TreeRules::default()
    };
    rules.seed = args.seed as u32;
    for pair in &args.tree {
        let refused =
            |error: &dyn std::fmt::Display| Failure::Usage(format!("--tree {pair}: {error}"));
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| refused(&"expected key=value"))?;
        rules.set(key, value).map_err(|error| refused(&error))?;
    }
    Ok(rules)
}

#[derive(Serialize)]
struct Trees {
    game: &'static str,
    algorithms: [&'static str; trees::NAMES.len()],
    rows: Vec<trees::Leaves>,
}

fn trees_and_drawing(args: &Args) -> Done {
    let rules = tree_rules(args)?;
    let leaves = u32::from(rules.width).checked_pow(rules.depth.into());
    if leaves.is_none_or(|leaves| leaves > 10_000) {
        return Err(Failure::Usage(
            "a tree with more than 10,000 leaves is too large to draw".into(),
        ));
    }
    let rows = trees::table(args.seed as u32);
    if args.json {
        let trees = Trees {
            game: Tree::NAME,
            algorithms: trees::NAMES,
            rows,
        };
        return output::print(&(serde_json::to_string(&trees).map_err(Failure::check)? + "\n"));
    }
    if args.csv {
        let mut text = format!("width,depth,order,minimal,{}\n", trees::NAMES.join(","));
        for row in &rows {
            let leaves = row.leaves.map(|leaves| leaves.to_string()).join(",");
            text += &format!(
                "{},{},{},{},{leaves}\n",
                row.width, row.depth, row.order, row.minimal
            );
        }
        return output::print(&text);
    }
    let drawing = drawing::draw(rules);
    output::print(&format!(
        "Alpha-beta on a tree ({rules}), step by step\n\n{}\n\
         Distinct leaves that each algorithm looks at (mean of 25 trees)\n\n{}",
        drawing.text,
        trees::text(&rows)
    ))
}
