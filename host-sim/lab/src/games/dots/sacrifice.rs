//! The sacrifice that the published learner finds on 2×2: it gives one box away, so that the
//! opponent has to open the last three.
//!
//! [`find`] follows a Q-table through every game that it can play against the rule-based player and
//! collects the positions in which it does so.

use std::collections::HashSet;
use std::fmt::Write as _;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::dots::learner::{Q_VALUES, QLearner, QSettings, q_move};
use dojo_core::games::dots::players::Smart;
use dojo_core::games::dots::{Edge, EdgeSet};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::record::Recorded;

use crate::experiment::{Findings, Scale, Unfinished};

/// A game with a sacrifice, played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sacrifice {
    /// All edges of the game.
    pub edges: Vec<Edge>,
    /// The number of edges before the sacrifice.
    pub before: usize,
    /// Whether an edge was left that gives nothing away, which the rule-based player would have
    /// drawn instead.
    pub safe_left: bool,
}

/// All sacrifices of a table against the rule-based player, one for each set of edges: it has no
/// box to take, gives exactly one away, and wins 3 to 1 whatever the rule-based player chooses.
pub fn find(table: &[f32; Q_VALUES]) -> Vec<Sacrifice> {
    let mut search = Search {
        table,
        seen: HashSet::new(),
        line: vec![],
        found: vec![],
    };
    for me in Player::BOTH {
        search.seen.clear();
        search.follow(Dots::new(DotsRules::default()), me);
    }
    search.found
}

struct Search<'a> {
    table: &'a [f32; Q_VALUES],
    seen: HashSet<Dots>,
    line: Vec<Edge>,
    found: Vec<Sacrifice>,
}

impl Search<'_> {
    /// The table's edge, or all edges that the opponent may choose.
    fn edges(&self, game: &Dots, me: Player) -> EdgeSet {
        if game.turn() == me {
            EdgeSet(q_move(self.table, game).map_or(0, Edge::bit))
        } else {
            Smart::choices(game)
        }
    }

    fn follow(&mut self, game: Dots, me: Player) {
        if game.is_over() || !self.seen.insert(game) {
            return;
        }
        for edge in self.edges(&game, me) {
            let fresh = game.score(me) == 0 && game.score(!me) == 0;
            if game.turn() == me && fresh && game.gives_away(edge) {
                self.note(game, edge, me);
            }
            self.line.push(edge);
            self.follow(game.after(edge), me);
            self.line.pop();
        }
    }

    /// Keeps a move if it is a sacrifice.
    fn note(&mut self, game: Dots, edge: Edge, me: Player) {
        let completing = game.free().any(|edge| game.completes(edge) > 0);
        if completing || !self.always_three(game.after(edge), me) {
            return;
        }
        let mut edges = self.line.clone();
        let (before, mut end) = (edges.len(), game.after(edge));
        edges.push(edge);
        while let Some(edge) = self.edges(&end, me).next() {
            edges.push(edge);
            end.play_unchecked(edge);
        }
        let safe_left = { game.free() }.any(|edge| !game.gives_away(edge));
        self.found.push(Sacrifice {
            edges,
            before,
            safe_left,
        });
    }

    /// Whether the table ends with three boxes whatever the opponent chooses.
    fn always_three(&self, game: Dots, me: Player) -> bool {
        if game.is_over() {
            return game.score(me) == 3;
        }
        self.edges(&game, me)
            .all(|edge| self.always_three(game.after(edge), me))
    }
}

/// The positions of a game from the sacrifice on, at every change of the turn, with the last edge.
fn stations(sacrifice: &Sacrifice) -> Vec<(Dots, Option<Edge>)> {
    let mut game = Dots::new(DotsRules::default());
    let mut stations = vec![];
    for (number, &edge) in sacrifice.edges.iter().enumerate() {
        let last = number.checked_sub(1).map(|last| sacrifice.edges[last]);
        if number == sacrifice.before {
            stations.push((game, last));
        }
        let next = game.after(edge);
        if number >= sacrifice.before && (next.turn() != game.turn() || next.is_over()) {
            stations.push((next, Some(edge)));
        }
        game = next;
    }
    stations
}

/// A board in lines of text; a box shows the number of its owner.
pub fn picture(game: &Dots) -> [String; 5] {
    let drawn = |edge: Option<Edge>| edge.is_some_and(|edge| game.has(edge));
    std::array::from_fn(|line| {
        let row = line as u8 / 2;
        let mut text = String::new();
        for col in 0..=2 {
            if line % 2 == 0 {
                text += "+";
                if col < 2 {
                    text += if drawn(Edge::horizontal(row, col)) {
                        "---"
                    } else {
                        "   "
                    };
                }
            } else {
                text += if drawn(Edge::vertical(row, col)) {
                    "|"
                } else {
                    " "
                };
                if col < 2 {
                    let owner = game.owner(row, col).map_or(" ", |p| ["1", "2"][p.index()]);
                    let _ = write!(text, " {owner} ");
                }
            }
        }
        text
    })
}

/// The boards of a sacrifice side by side.
pub fn text(sacrifice: &Sacrifice) -> String {
    let boards: Vec<_> = stations(sacrifice)
        .iter()
        .map(|(game, _)| picture(game))
        .collect();
    let mut text = String::new();
    for line in 0..5 {
        let lines: Vec<_> = boards.iter().map(|board| &board[line][..]).collect();
        let _ = writeln!(text, "{}", lines.join("     ").trim_end());
    }
    text
}

/// Colours on light and on dark pages.
const STYLE: &str = ".boards .panel{fill:#ffffff}.boards .dot,.boards text{fill:#202020}\
    .boards .drawn{stroke:#202020}.boards .open{stroke:#e0e0e0}.boards .last{stroke:#d02020}\
    @media(prefers-color-scheme:dark){.boards .panel{fill:#1b1f24}.boards .dot,.boards text{fill:#e6e6e6}\
    .boards .drawn{stroke:#e6e6e6}.boards .open{stroke:#3a4048}.boards .last{stroke:#ff6b6b}}";

/// The same boards as a drawing; the last edge of each is red.
pub fn svg(sacrifice: &Sacrifice) -> String {
    let stations = stations(sacrifice);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"boards\" viewBox=\"0 0 {} 120\" \
         font-family=\"sans-serif\" font-size=\"18\">\n<style>{STYLE}</style>\n\
         <rect class=\"panel\" width=\"100%\" height=\"100%\"/>\n",
        stations.len() * 120
    );
    for (number, (game, last)) in stations.iter().enumerate() {
        let place = |row: u8, col: u8| {
            (
                number * 120 + 20 + 40 * usize::from(col),
                20 + 40 * usize::from(row),
            )
        };
        for edge in game.rules().edges() {
            let (x, y) = place(edge.row(), edge.col());
            let (to_x, to_y) = if edge.is_vertical() {
                (x, y + 40)
            } else {
                (x + 40, y)
            };
            let class = match (game.has(edge), Some(edge) == *last) {
                (false, _) => "open",
                (true, false) => "drawn",
                (true, true) => "last",
            };
            let _ = writeln!(
                text,
                "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to_x}\" y2=\"{to_y}\" class=\"{class}\" stroke-width=\"4\"/>"
            );
        }
        for (row, col) in (0..4).map(|number| (number / 2, number % 2)) {
            if let Some(owner) = game.owner(row, col) {
                let ((x, y), name) = (place(row, col), ["1", "2"][owner.index()]);
                let _ = writeln!(
                    text,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                    x + 20,
                    y + 26
                );
            }
        }
        for (row, col) in (0..9).map(|number| (number / 3, number % 3)) {
            let (x, y) = place(row, col);
            let _ = writeln!(
                text,
                "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"
            );
        }
    }
    text + "</svg>\n"
}

/// The record of its game, for `dojo replay dots`.
pub fn record(sacrifice: &Sacrifice) -> String {
    let mut text = String::new();
    let moves = sacrifice.edges.iter().map(|edge| edge.index());
    // Writing to a string does not fail.
    let _ = Dots::write_record(&mut text, DotsRules::default(), Player::First, moves);
    text
}

/// Sacrifices of a table after so many games of the published training, those first that leave safe
/// edges and, among them, the earliest.
fn trained(seed: u64, games: u32, explore: u32) -> Vec<Sacrifice> {
    let mut memory = vec![0f32; Q_VALUES];
    let Ok(table) = <&mut [f32; Q_VALUES]>::try_from(&mut memory[..]) else {
        return vec![];
    };
    let mut learner = QLearner::new(table, QSettings::new(explore), seed);
    learner.step(games);
    let mut found = find(learner.table());
    found.sort_by_key(|sacrifice| (!sacrifice.safe_left, sacrifice.before));
    found
}

pub(super) fn experiment(scale: &Scale) -> Result<Findings, Unfinished> {
    let (games, explore) = (scale.games(1_000_000), scale.games(300_000));
    // Sacrifices with safe edges left, without, and the best example as numbers.
    type Found = (f64, f64, Option<(Vec<u16>, usize, bool)>);
    let runs: Vec<Found> = scale.each("tables", &scale.seeds(20), |seed| {
        let found = trained(seed, games, explore);
        let safe = found.iter().filter(|found| found.safe_left).count();
        let example = found.first().map(|example| {
            let edges = example.edges.iter().map(|edge| edge.index()).collect();
            (edges, example.before, example.safe_left)
        });
        (safe as f64, (found.len() - safe) as f64, example)
    })?;
    let mut findings = Findings::default();
    let name = format!("C {explore}, {games} games");
    let each = |figure: fn(&Found) -> f64| runs.iter().map(figure).collect::<Vec<_>>();
    let with = |figure: fn(&Found) -> f64| {
        let found = runs.iter().filter(|run| figure(run) > 0.0).count();
        [100.0 * found as f64 / runs.len() as f64]
    };
    findings.row(
        &name,
        "tables with a sacrifice %",
        None,
        &with(|run| run.0 + run.1),
    );
    findings.row(
        &name,
        "sacrifices with no safe edge left",
        None,
        &each(|run| run.1),
    );
    findings.row(
        &name,
        "sacrifices with safe edges left",
        None,
        &each(|run| run.0),
    );
    if let Some((edges, before, safe_left)) = runs.into_iter().find_map(|run| run.2) {
        let example = Sacrifice {
            edges: edges.into_iter().filter_map(Edge::from_index).collect(),
            before,
            safe_left,
        };
        findings.files = vec![
            ("sacrifice.svg", svg(&example)),
            ("sacrifice.txt", record(&example)),
            ("boards.txt", text(&example)),
        ];
    }
    findings.remarks = vec![
        "A sacrifice: nobody has a box, none can be taken, the table gives exactly one away and wins 3 to 1 against every \
         choice of the rule-based player. With a safe edge left the rule-based player would never do it. sacrifice.txt is \
         the record of an example for `dojo replay dots`, sacrifice.svg and boards.txt show its boards from the sacrifice on.",
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The record, the drawing and the boards of the book are those of the first seed.
    #[test]
    fn the_book_shows_a_sacrifice_of_a_trained_table() {
        let found = trained(1, 1_000_000, 300_000);
        let example = &found[0];
        let mut game = Dots::new(DotsRules::default());
        for (number, &edge) in example.edges.iter().enumerate() {
            if number == example.before {
                assert!(game.gives_away(edge) && game.score(Player::First) == 0);
            }
            game.play(edge).unwrap();
        }
        assert!(game.is_over());
        let scores = Player::BOTH.map(|player| game.score(player));
        assert!(scores == [3, 1] || scores == [1, 3], "{scores:?}");
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let read = |name: &str| std::fs::read_to_string(docs.join(name)).unwrap();
        assert_eq!(read("works/dots-sacrifice.txt"), record(example));
        assert_eq!(read("pictures/works/dots-sacrifice.svg"), svg(example));
        let page = read("works/dots.md");
        assert!(page.contains(text(example).trim_end()), "{}", text(example));
    }
}
