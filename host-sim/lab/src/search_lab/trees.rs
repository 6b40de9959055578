//! Distinct leaves that each algorithm evaluates, on trees with perfect and with random move order.

use std::cell::RefCell;
use std::collections::HashSet;

use dojo_core::game::{Game, Outcome};
use dojo_core::search::{Engine, Knowledge, Limits, Margins, Plan, Scheme, Settings, Slot, Value};
use serde::Serialize;

use crate::search::tree::{Tree, TreeRules};
use crate::search::{minimax, mtdf, sss};

/// Shapes of trees: width and depth.
const SHAPES: [(u8, u8); 6] = [(2, 8), (2, 10), (3, 6), (4, 5), (6, 4), (10, 3)];
/// Random trees of each shape.
const SEEDS: u32 = 25;

/// The algorithms of the table.
pub const NAMES: [&str; 6] = [
    "minimax",
    "alpha-beta",
    "scout",
    "negascout",
    "sss*",
    "mtd(f)",
];

/// Distinct leaves of one shape and order.
#[derive(Clone, Debug, Serialize)]
pub struct Leaves {
    /// Moves in every position.
    pub width: u8,
    /// Moves in every line.
    pub depth: u8,
    /// `perfect` or `random`.
    pub order: &'static str,
    /// The minimal tree: the fewest leaves that any algorithm must evaluate.
    pub minimal: u32,
    /// Mean over the trees, in the order of [`NAMES`].
    pub leaves: [f64; NAMES.len()],
}

/// Records the distinct leaves that were evaluated.
#[derive(Default)]
struct Spy(RefCell<HashSet<u64>>);

impl Knowledge<Tree> for Spy {
    fn horizon(&self, _: &Tree) -> Value {
        0 // never asked: every search goes to the end
    }

    fn end(&self, game: &Tree, outcome: Outcome, ply: u8) -> Value {
        self.0.borrow_mut().insert(game.key());
        Margins.end(game, outcome, ply)
    }
}

/// Distinct leaves that each algorithm evaluates in one tree.
pub fn distinct(rules: TreeRules) -> [usize; NAMES.len()] {
    let tree = Tree::new(rules);
    let table = Settings {
        table: true,
        ..Settings::PLAIN
    };
    std::array::from_fn(|algorithm| {
        let mut slots = vec![Slot::default(); 1 << 16];
        let mut engine = Engine::new(&mut slots, &mut []);
        let look = |engine: &mut Engine<'_, Tree>, scheme| {
            let plan = Plan {
                settings: Settings {
                    scheme,
                    ..Settings::PLAIN
                },
                ..Plan::new(Spy::default())
            };
            engine.look(&tree, &plan, &mut ());
            plan.knowledge
        };
        let plan = Plan {
            settings: table,
            ..Plan::new(Spy::default())
        };
        let spy = match NAMES[algorithm] {
            "minimax" => {
                minimax(&tree, &plan.knowledge, &Limits::NONE, &mut ());
                plan.knowledge
            }
            "alpha-beta" => look(&mut engine, Scheme::AlphaBeta),
            "scout" => look(&mut engine, Scheme::Scout),
            "negascout" => look(&mut engine, Scheme::NegaScout),
            "sss*" => {
                sss(&mut engine, &tree, &plan, &mut ());
                plan.knowledge
            }
            _ => {
                mtdf(&mut engine, &tree, &plan, 0, &mut ());
                plan.knowledge
            }
        };
        spy.0.into_inner().len()
    })
}

/// The whole table.
pub fn table(seed: u32) -> Vec<Leaves> {
    let mut rows = Vec::new();
    for (width, depth) in SHAPES {
        for (ordered, order) in [(true, "perfect"), (false, "random")] {
            let mut sums = [0usize; NAMES.len()];
            for number in 0..SEEDS {
                let rules = TreeRules {
                    width,
                    depth,
                    seed: seed + number,
                    ordered,
                    ..TreeRules::default()
                };
                for (sum, leaves) in sums.iter_mut().zip(distinct(rules)) {
                    *sum += leaves;
                }
            }
            let (b, d) = (u32::from(width), u32::from(depth));
            let minimal = b.pow(d.div_ceil(2)) + b.pow(d / 2) - 1;
            rows.push(Leaves {
                width,
                depth,
                order,
                minimal,
                leaves: sums.map(|sum| sum as f64 / f64::from(SEEDS)),
            });
        }
    }
    rows
}

/// The table as text, in columns that a Markdown page can use as they are.
pub fn text(rows: &[Leaves]) -> String {
    let mut text = format!(
        "| width | depth | order | minimal | {} |\n",
        NAMES.join(" | ")
    );
    text += &format!("|{}\n", "---|".repeat(NAMES.len() + 4));
    for row in rows {
        let leaves = row
            .leaves
            .map(|leaves| format!("{leaves:.1}").trim_end_matches(".0").to_string());
        let Leaves {
            width,
            depth,
            order,
            minimal,
            ..
        } = row;
        text += &format!(
            "| {width} | {depth} | {order} | {minimal} | {} |\n",
            leaves.join(" | ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_order_is_minimal_and_best_first_never_looks_at_more() {
        for seed in 0..10 {
            let rules = TreeRules {
                width: 3,
                depth: 5,
                seed,
                ..TreeRules::default()
            };
            let [all, pruned @ ..] = distinct(TreeRules {
                ordered: true,
                ..rules
            });
            assert_eq!((all, pruned), (243, [27 + 9 - 1; 5]));
            let [_, alpha_beta, _, _, sss, _] = distinct(rules);
            assert!(sss <= alpha_beta);
        }
    }
}
