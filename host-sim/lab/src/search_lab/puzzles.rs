//! Games against an opponent that always answers alike are puzzles: the fewest moves to a win,
//! found by every search of [`paths`](crate::search::paths).

use std::fmt;

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::Edge;
use dojo_core::games::dots::players::Smart;
use dojo_core::games::sticks::Take;
use dojo_core::games::{Dots, DotsRules, Sticks};
use serde::Serialize;

use crate::search::paths::{PathSearch, Puzzle, search};
use crate::search_lab::aligned;

/// 15 sticks against a player who takes one stick from the first row that has any. A state is the
/// board before one's own move.
#[derive(Clone, Copy, Debug, Default)]
pub struct SticksPuzzle;

impl Puzzle for SticksPuzzle {
    type State = [u8; 3];
    type Move = Take;

    /// The opponent has taken the last stick.
    fn is_goal(&self, rows: &[u8; 3]) -> bool {
        *rows == [0; 3]
    }

    fn successors(&self, rows: &[u8; 3]) -> Vec<(Take, [u8; 3])> {
        let game = Sticks::new(Default::default()).with_sticks(*rows);
        let answered = |mv| {
            let mut rows = game.after(mv).sticks();
            *rows.iter_mut().find(|row| **row > 0)? -= 1;
            Some((mv, rows))
        };
        game.legal_moves().filter_map(answered).collect()
    }

    /// In n moves one can touch n rows. The opponent alone takes the sticks of the others, one a
    /// move.
    fn estimate(&self, rows: &[u8; 3]) -> u32 {
        let mut sorted = *rows;
        sorted.sort_unstable();
        let enough = |moves: &usize| {
            let alone: u8 = sorted[..3 - moves].iter().sum();
            usize::from(alone) <= *moves
        };
        (0..3).find(enough).unwrap_or(3) as u32
    }
}

/// 2×2 dots and boxes, moving first, against the rule-based player that draws the lowest edge of
/// its choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct DotsPuzzle;

const ME: Player = Player::First;

impl DotsPuzzle {
    fn needed(game: &Dots) -> u32 {
        (game.rules().boxes() / 2 + 1)
            .saturating_sub(game.score(ME))
            .into()
    }
}

impl Puzzle for DotsPuzzle {
    type State = Dots;
    type Move = Edge;

    /// More than half of the boxes: the game is won, whatever follows.
    fn is_goal(&self, game: &Dots) -> bool {
        DotsPuzzle::needed(game) == 0
    }

    fn successors(&self, game: &Dots) -> Vec<(Edge, Dots)> {
        let answered = |edge| {
            let mut next = game.after(edge);
            while next.turn() != ME
                && let Some(answer) = Smart::choices(&next).next()
            {
                next.play_unchecked(answer);
            }
            (edge, next)
        };
        game.legal_moves().map(answered).collect()
    }

    /// An edge completes at most two boxes, and where none can be completed another edge comes
    /// first.
    fn estimate(&self, game: &Dots) -> u32 {
        match DotsPuzzle::needed(game) {
            0 => 0,
            needed => {
                let waits = game.free().all(|edge| game.completes(edge) == 0);
                needed.div_ceil(2) + u32::from(waits)
            }
        }
    }
}

/// One search on one puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleRow {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The search.
    pub search: &'static str,
    /// The length of the way that it found.
    pub moves: usize,
    /// Nodes expanded.
    pub expanded: u32,
    /// The most states held at a time.
    pub held: u32,
    /// The moves.
    pub way: String,
}

/// Every search on both puzzles.
pub fn rows() -> Vec<PuzzleRow> {
    let mut rows = all("sticks", &SticksPuzzle, &[3, 5, 7]);
    rows.extend(all("dots", &DotsPuzzle, &Dots::new(DotsRules::default())));
    rows
}

fn all<P: Puzzle>(puzzle: &'static str, rules: &P, start: &P::State) -> Vec<PuzzleRow>
where
    P::Move: fmt::Display,
{
    PathSearch::ALL
        .map(|algorithm| {
            let found = search(rules, start, algorithm);
            let moves = found.moves.unwrap_or_default();
            let way: Vec<_> = moves.iter().map(ToString::to_string).collect();
            PuzzleRow {
                puzzle,
                search: algorithm.describe().0,
                moves: moves.len(),
                expanded: found.expanded,
                held: found.held,
                way: way.join(" "),
            }
        })
        .into()
}

/// The rows as a table, then each puzzle and search in a sentence.
pub fn text(rows: &[PuzzleRow]) -> String {
    let head = ["puzzle", "search", "moves", "expanded", "held", "way"].map(String::from);
    let cells = |row: &PuzzleRow| {
        let PuzzleRow {
            puzzle,
            search,
            moves,
            expanded,
            held,
            way,
        } = row;
        vec![
            (*puzzle).into(),
            (*search).into(),
            moves.to_string(),
            expanded.to_string(),
            held.to_string(),
            way.clone(),
        ]
    };
    let mut text =
        String::from("Fewest moves to a win against an opponent that always answers alike\n\n");
    text += &aligned(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    text += "\n`expanded` counts the states whose moves were tried, `held` the most states in memory.\n\n";
    text += "sticks               3-5-7, the opponent takes one stick from the first row that has any\n";
    text += "dots                 2×2, the opponent is smart and draws the lowest edge of its choice; won with three boxes\n";
    for (name, about) in PathSearch::ALL.map(PathSearch::describe) {
        text += &format!("{name:20} {about}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::rng::Rng;

    /// Checks one start: three searches find a shortest way, the others no shorter one, every way
    /// leads to a goal, and the estimate is not too high.
    fn check<P: Puzzle>(puzzle: &P, start: &P::State) -> bool
    where
        P::Move: PartialEq,
    {
        let ways = PathSearch::ALL.map(|algorithm| search(puzzle, start, algorithm).moves);
        let [deep, Some(shortest), deepening, greedy, a_star] = &ways else {
            assert!(ways.iter().all(Option::is_none));
            return false;
        };
        let length = |way: &Option<Vec<P::Move>>| way.as_ref().map(Vec::len);
        assert_eq!(length(deepening), Some(shortest.len()));
        assert_eq!(length(a_star), Some(shortest.len()));
        assert!(length(deep) >= Some(shortest.len()) && length(greedy) >= length(a_star));
        assert!(puzzle.estimate(start) as usize <= shortest.len());
        for way in ways.iter().flatten() {
            let mut state = start.clone();
            for mv in way {
                let mut next = puzzle.successors(&state).into_iter();
                state = next.find(|(other, _)| other == mv).unwrap().1;
            }
            assert!(puzzle.is_goal(&state));
        }
        true
    }

    #[test]
    fn shortest_ways_have_one_length() {
        let states = (0..192u8).map(|state| [state / 48, state / 8 % 6, state % 8]);
        let won = states.filter(|state| check(&SticksPuzzle, state)).count();
        assert!((100..192).contains(&won), "{won}");
        let mut rng = Rng::new(1);
        let mut solved = 0;
        for number in 0..200 {
            let mut game = Dots::new(DotsRules::default());
            for _ in 0..number % 8 {
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
            if game.turn() == ME {
                solved += u32::from(check(&DotsPuzzle, &game));
            }
        }
        assert!(solved > 50, "{solved}");
    }

    #[test]
    fn the_book_shows_the_puzzles() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/works/search.md");
        let page = std::fs::read_to_string(page).unwrap();
        for row in rows() {
            let PuzzleRow {
                puzzle,
                search,
                moves,
                expanded,
                held,
                ..
            } = row;
            let line = format!("| {puzzle} | {search} | {moves} | {expanded} | {held} |");
            assert!(page.replace(',', "").contains(&line), "{line}");
        }
    }
}
