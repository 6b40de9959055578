//! Alpha-beta on a small tree, step by step: visited nodes with their windows, and skipped nodes
//! with the reason.

use std::fmt::Write as _;

use dojo_core::game::{Game, Player};
use dojo_core::search::{INFINITE, Value};

use crate::search::tree::{Tree, TreeRules};

/// The drawing and its counts.
#[derive(Debug, Default)]
pub struct Drawing {
    /// The tree, one line for each node, in the order of visits.
    pub text: String,
    /// Evaluated leaves.
    pub leaves: u32,
    /// Pruned leaves.
    pub skipped: u32,
    step: u32,
}

/// Draws the search of a whole tree. The first player is MAX.
pub fn draw(rules: TreeRules) -> Drawing {
    let mut drawing = Drawing::default();
    let root = Tree::new(rules);
    let value = drawing.node(&root, -INFINITE, INFINITE, "", "");
    let Drawing {
        leaves, skipped, ..
    } = drawing;
    let _ = writeln!(
        drawing.text,
        "\nvalue {value}; {leaves} of {} leaves looked at, {skipped} skipped",
        leaves + skipped
    );
    drawing
}

/// A bound as text: ∞ for an open window.
fn bound(value: Value) -> String {
    match value {
        INFINITE => "+∞".into(),
        v if v == -INFINITE => "−∞".into(),
        v if v < 0 => format!("−{}", -v),
        v => v.to_string(),
    }
}

impl Drawing {
    /// Minimax form, as in textbooks: both bounds are from MAX's side, so that no signs change.
    fn node(
        &mut self,
        tree: &Tree,
        mut alpha: Value,
        mut beta: Value,
        indent: &str,
        branch: &str,
    ) -> Value {
        self.step += 1;
        let step = self.step;
        if tree.is_over() {
            self.leaves += 1;
            let value = tree.margin(Player::First);
            let _ = writeln!(
                self.text,
                "{step:>3}  {indent}{branch}{tree} = {}",
                bound(value)
            );
            return value;
        }
        let max = tree.turn() == Player::First;
        let name = if max { "MAX" } else { "MIN" };
        let window = format!("α {} β {}", bound(alpha), bound(beta));
        let _ = writeln!(
            self.text,
            "{step:>3}  {indent}{branch}{name} {tree}   {window}"
        );
        let below = match branch {
            "" => String::new(),
            "└─ " => format!("{indent}   "),
            _ => format!("{indent}│  "),
        };
        let mut best = if max { -INFINITE } else { INFINITE };
        let mut moves = tree.legal_moves().peekable();
        while let Some(mv) = moves.next() {
            let branch = if moves.peek().is_some() {
                "├─ "
            } else {
                "└─ "
            };
            let value = self.node(&tree.after(mv), alpha, beta, &below, branch);
            if max {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta && moves.peek().is_some() {
                let why = if max {
                    format!(
                        "MAX gets {} here, MIN already has {} elsewhere",
                        bound(alpha),
                        bound(beta)
                    )
                } else {
                    format!(
                        "MIN gets {} here, MAX already has {} elsewhere",
                        bound(beta),
                        bound(alpha)
                    )
                };
                for mv in moves.by_ref() {
                    let next = tree.after(mv);
                    let leaves = u32::from(tree.rules().width).pow(levels_below(&next));
                    self.skipped += leaves;
                    let _ = writeln!(self.text, "     {below}✗  {next} skipped: {why}");
                }
            }
        }
        let _ = writeln!(self.text, "     {below}=> {} {}", tree, bound(best));
        best
    }
}

/// Plies between a position and the leaves below it.
fn levels_below(tree: &Tree) -> u32 {
    u32::from(tree.rules().depth) + 1 - tree.to_string().len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_lab::trees::distinct;

    #[test]
    fn the_drawing_visits_what_the_engine_visits() {
        for seed in 0..30 {
            for again in [false, true] {
                let rules = TreeRules {
                    width: 3,
                    depth: 4,
                    seed,
                    again,
                    ..TreeRules::default()
                };
                let drawing = draw(rules);
                assert_eq!(drawing.leaves as usize, distinct(rules)[1], "{rules}");
                assert_eq!(drawing.leaves + drawing.skipped, 81);
            }
        }
    }
}
