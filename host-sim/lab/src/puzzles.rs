//! Puzzles: positions in which a single move reaches the best result that the position allows.
//!
//! [`make`] plays games between a belt and chance, solves their ends exactly and keeps, of each
//! game, the earliest position with a single best move. [`check`] proves every puzzle of a file
//! again by another way of solving: the theory of the game where there is one, a visit of every
//! position without cut-offs otherwise.
//!
//! ```text
//! puzzle 7 stars 3 best 2:4 result win otherwise loss belts 0 20 60 100 100
//! game sticks rows=3,5,7 misere=yes
//! 3:3 1:1
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove, Player};
use dojo_core::rng::Rng;
use rayon::prelude::*;

use crate::failure::Failure;
use crate::games::LabGame;
use crate::output::Progress;
use crate::players::{ArenaPlayer, Spec};

/// Nodes of alpha-beta for one position: later positions of a game take fewer.
const NODES: u64 = 60_000;
/// Positions that [`check`] visits at most for one puzzle.
const VISITS: usize = 4_000_000;
/// Decisions of each belt for one puzzle.
const TRIES: u64 = 5;
/// Candidates for each puzzle that is asked for, so that all grades are found.
const CANDIDATES: usize = 4;
/// Games after which the search for candidates gives up, for each puzzle that is asked for.
const GAMES: usize = 400;
/// Games that are played at a time.
const BATCH: usize = 64;

/// A position with a single best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<G: Game> {
    /// The game's options.
    pub rules: G::Rules,
    /// The record of the moves that lead to the position.
    pub record: String,
    /// The position.
    pub position: G,
    /// The best move.
    pub best: G::Move,
    /// The result after it for the player to move: 1, 0 or −1.
    pub result: i8,
    /// The best result after any other move.
    pub otherwise: i8,
    /// How often each belt finds the move, in percent.
    pub belts: [u8; Belt::ALL.len()],
}

impl<G: Game> Puzzle<G> {
    /// One star, and one more for each belt that misses the move more often than it finds it; at
    /// most five.
    pub fn stars(&self) -> usize {
        let missed = self.belts.iter().filter(|&&percent| percent < 50).count();
        (1 + missed).min(5)
    }
}

const RESULTS: [&str; 3] = ["loss", "draw", "win"];

fn result_name(result: i8) -> &'static str {
    RESULTS[usize::from((result + 1).clamp(0, 2) as u8)]
}

/// Exact results by alpha-beta with a table of bounds.
struct Solver {
    bounds: HashMap<u64, (i8, i8)>,
    nodes: u64,
}

impl Solver {
    fn new() -> Solver {
        Solver {
            bounds: HashMap::new(),
            nodes: NODES,
        }
    }

    /// The result for the player to move, within the window; `None` once the nodes are used up.
    fn result<G: Game>(&mut self, game: &G, mut low: i8, mut high: i8) -> Option<i8> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.value_for(game.turn()));
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let key = game.key();
        let (least, most) = self.bounds.get(&key).copied().unwrap_or((-1, 1));
        low = low.max(least);
        high = high.min(most);
        if low >= high {
            return Some(if least >= high { least } else { most });
        }
        let (start, mut best) = (low, -1);
        for mv in game.legal_moves() {
            let next = game.after(mv);
            let value = if next.turn() == game.turn() {
                self.result(&next, low, high)?
            } else {
                -self.result(&next, -high, -low)?
            };
            best = best.max(value);
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        let bounds = if best <= start {
            (least, best.min(most))
        } else if best >= high {
            (best.max(least), most)
        } else {
            (best, best)
        };
        self.bounds.insert(key, bounds);
        Some(best)
    }

    /// The single best move, its result and the best result of the others. The inner `None`: there
    /// are several best moves, or too few to choose from.
    fn single_best<G: Game>(&mut self, game: &G) -> Option<Option<(G::Move, i8, i8)>> {
        let mut values = vec![];
        for mv in game.legal_moves() {
            let next = game.after(mv);
            let value = self.result(&next, -1, 1)?;
            values.push((
                mv,
                if next.turn() == game.turn() {
                    value
                } else {
                    -value
                },
            ));
        }
        Some(single(&values))
    }
}

fn single<M: Copy>(values: &[(M, i8)]) -> Option<(M, i8, i8)> {
    let most = values.iter().map(|&(_, value)| value).max()?;
    let mut best = values.iter().filter(|&&(_, value)| value == most);
    let (&(mv, _), None) = (best.next()?, best.next()) else {
        return None;
    };
    let others = values.iter().map(|&(_, value)| value);
    let otherwise = others.filter(|&value| value < most).max()?;
    (values.len() >= 3).then_some((mv, most, otherwise))
}

/// Makes puzzles of a game, easy ones first; the same seed makes the same ones.
pub fn make<G: LabGame>(count: usize, seed: u64, bank: &Bank<'_>) -> Result<Vec<Puzzle<G>>, Failure>
where
    G::Rules: Send + Sync,
    G::Move: Send + Sync,
{
    let wanted = count * CANDIDATES;
    let progress = Progress::new("candidates", wanted as u64);
    let (mut found, mut known) = (Vec::<Puzzle<G>>::new(), HashSet::new());
    for batch in 0..(count * GAMES).div_ceil(BATCH) {
        let seeds = (batch * BATCH..(batch + 1) * BATCH).collect::<Vec<_>>();
        let games: Vec<Option<Puzzle<G>>> = seeds
            .into_par_iter()
            .map(|game| candidate(&mut Rng::new(seed ^ ((game as u64 + 1) << 20)), bank))
            .collect::<Result<_, _>>()?;
        for puzzle in games.into_iter().flatten() {
            let key = (puzzle.rules.to_string(), puzzle.position.canonical().key());
            if found.len() < wanted && known.insert(key) {
                found.push(puzzle);
                progress.tick();
            }
        }
        if found.len() == wanted {
            break;
        }
    }
    let grading = Progress::new("puzzles graded", found.len() as u64);
    found.par_iter_mut().try_for_each(|puzzle| {
        puzzle.belts = find_rates(puzzle, bank)?;
        grading.tick();
        Ok::<_, Failure>(())
    })?;
    let mut chosen = spread(found, count);
    chosen.sort_by_key(|puzzle| (puzzle.stars(), std::cmp::Reverse(puzzle.belts)));
    Ok(chosen)
}

/// As many of each grade as there are, in turn.
fn spread<G: Game>(found: Vec<Puzzle<G>>, count: usize) -> Vec<Puzzle<G>> {
    let mut grades: [Vec<Puzzle<G>>; 5] = Default::default();
    for puzzle in found.into_iter().rev() {
        grades[puzzle.stars() - 1].push(puzzle);
    }
    let mut chosen = vec![];
    while chosen.len() < count && grades.iter().any(|grade| !grade.is_empty()) {
        let next = grades.iter_mut().filter_map(Vec::pop);
        chosen.extend(next.take(count - chosen.len()));
    }
    chosen
}

/// The earliest position of a game that can be solved and has a single best move which does not win
/// at once. Every second move is random, so that mistakes are there to be punished.
fn candidate<G: LabGame>(rng: &mut Rng, bank: &Bank<'_>) -> Result<Option<Puzzle<G>>, Failure>
where
    G::Rules: Send + Sync,
{
    let Some(rules) = G::puzzle_rules(rng) else {
        let what = format!(
            "the ends of {} cannot be solved exactly: no puzzles",
            G::NAME
        );
        return Err(Failure::Usage(what));
    };
    let player = ArenaPlayer::<G>::new(&Spec::Belt(Belt::Yellow), rules, bank)?;
    let mut game = G::new(rules);
    let mut positions = vec![];
    let mut moves = vec![];
    while !game.is_over() && moves.len() < G::MAX_PLIES {
        let chosen = match rng.below(2) {
            0 => rng.pick(game.legal_moves()),
            _ => player.choose(&game, rng),
        };
        let Some(mv) = chosen else { break };
        positions.push(game.clone());
        moves.push(mv.index());
        game.play_unchecked(mv);
    }
    let mut earliest = None;
    for (plies, position) in positions.iter().enumerate().rev() {
        let Some(verdict) = Solver::new().single_best(position) else {
            break;
        };
        if let Some((best, result, otherwise)) = verdict
            && !position.after(best).is_over()
        {
            earliest = Some(Puzzle {
                rules,
                record: record::<G>(rules, &moves[..plies]),
                position: position.clone(),
                best,
                result,
                otherwise,
                belts: [0; Belt::ALL.len()],
            });
        }
    }
    Ok(earliest)
}

fn find_rates<G: LabGame>(
    puzzle: &Puzzle<G>,
    bank: &Bank<'_>,
) -> Result<[u8; Belt::ALL.len()], Failure>
where
    G::Rules: Send + Sync,
{
    let mut rates = [0; Belt::ALL.len()];
    for (rate, belt) in rates.iter_mut().zip(Belt::ALL) {
        let player = ArenaPlayer::<G>::new(&Spec::Belt(belt), puzzle.rules, bank)?;
        let finds =
            |seed| player.choose(&puzzle.position, &mut Rng::new(seed)) == Some(puzzle.best);
        let found = (1..=TRIES).filter(|&seed| finds(seed)).count() as u64;
        *rate = (100 * found / TRIES) as u8;
    }
    Ok(rates)
}

/// The file of puzzles.
pub fn write<G: LabGame>(puzzles: &[Puzzle<G>], seed: u64) -> String
where
    G::Rules: Send + Sync,
{
    let mut text = format!(
        "# Made by `dojo puzzles make {} --count {} --seed {seed}`.\n",
        G::NAME,
        puzzles.len()
    );
    for (number, puzzle) in puzzles.iter().enumerate() {
        let _ = write!(
            text,
            "\npuzzle {} stars {} best {} result {} otherwise {} belts",
            number + 1,
            puzzle.stars(),
            puzzle.best,
            result_name(puzzle.result),
            result_name(puzzle.otherwise),
        );
        for percent in puzzle.belts {
            let _ = write!(text, " {percent}");
        }
        text.push('\n');
        text += &puzzle.record;
    }
    text
}

/// Reads a file of puzzles; a fault has its line.
pub fn read<G: LabGame>(text: &str) -> Result<Vec<Puzzle<G>>, (usize, String)>
where
    G::Rules: Send + Sync,
{
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| line.trim_start().starts_with("puzzle ");
    let heads: Vec<usize> = (0..lines.len()).filter(|&at| is_head(&lines[at])).collect();
    for (at, line) in lines
        .iter()
        .enumerate()
        .take(heads.first().copied().unwrap_or(lines.len()))
    {
        let content = line.split('#').next().unwrap_or_default();
        if !content.trim().is_empty() {
            return Err((at + 1, "expected `puzzle N stars N best MOVE …`".into()));
        }
    }
    let mut puzzles = vec![];
    for (number, &at) in heads.iter().enumerate() {
        let end = heads.get(number + 1).copied().unwrap_or(lines.len());
        let record = lines[at + 1..end].join("\n").trim_end().to_owned() + "\n";
        let (position, _) = G::replay(&record).map_err(|(line, fault)| (at + 1 + line, fault))?;
        puzzles.push(
            head::<G>(lines[at], number + 1, position, record).map_err(|fault| (at + 1, fault))?,
        );
    }
    Ok(puzzles)
}

fn head<G: LabGame>(
    line: &str,
    number: usize,
    position: G,
    record: String,
) -> Result<Puzzle<G>, String>
where
    G::Rules: Send + Sync,
{
    let form = "puzzle N stars N best MOVE result R otherwise R belts N N N N N";
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[
        "puzzle",
        found,
        "stars",
        stars,
        "best",
        best,
        "result",
        result,
        "otherwise",
        otherwise,
        "belts",
        ref belts @ ..,
    ] = &words[..]
    else {
        return Err(format!("expected `{form}`"));
    };
    if found.parse() != Ok(number) {
        return Err(format!("puzzle `{found}`, expected {number}"));
    }
    let of_name = |name: &str| -> Result<i8, String> {
        let place = RESULTS.iter().position(|known| *known == name);
        place
            .map(|place| place as i8 - 1)
            .ok_or_else(|| format!("result `{name}`, expected win, draw or loss"))
    };
    let best = position
        .parse_move(best)
        .map_err(|error| format!("move `{best}`: {error}"))?;
    if !position.is_legal(best) {
        return Err(format!("move `{best}` is not legal here"));
    }
    let percents: Vec<u8> = belts
        .iter()
        .filter_map(|word| word.parse().ok().filter(|&percent| percent <= 100))
        .collect();
    let belts = <[u8; Belt::ALL.len()]>::try_from(percents)
        .ok()
        .filter(|_| belts.len() == Belt::ALL.len())
        .ok_or_else(|| format!("expected five numbers from 0 to 100 after `belts`: `{form}`"))?;
    let puzzle = Puzzle {
        rules: position.rules(),
        record,
        position,
        best,
        result: of_name(result)?,
        otherwise: of_name(otherwise)?,
        belts,
    };
    if stars.parse() != Ok(puzzle.stars()) {
        return Err(format!(
            "stars `{stars}`, but its belts make it {}",
            puzzle.stars()
        ));
    }
    Ok(puzzle)
}

/// The record of a game up to here.
fn record<G: LabGame>(rules: G::Rules, moves: &[u16]) -> String
where
    G::Rules: Send + Sync,
{
    let mut text = String::new();
    let _ = G::write_record(&mut text, rules, Player::First, moves.iter().copied());
    text.trim_end().to_owned() + "\n"
}

/// Proves a puzzle by the second way of solving; `Err` says what is wrong.
pub fn check<G: LabGame>(puzzle: &Puzzle<G>) -> Result<(), String>
where
    G::Rules: Send + Sync,
{
    let mut visit = Visit::default();
    let mut values = vec![];
    for mv in puzzle.position.legal_moves() {
        let next = puzzle.position.after(mv);
        let value = match next.second_opinion() {
            Some(value) => value,
            None => visit
                .result(&next)
                .ok_or("too many positions for a second solution")?,
        };
        let value = if next.turn() == puzzle.position.turn() {
            value
        } else {
            -value
        };
        values.push((mv, value));
    }
    match single(&values) {
        Some((best, result, otherwise))
            if (best, result, otherwise) == (puzzle.best, puzzle.result, puzzle.otherwise) =>
        {
            Ok(())
        }
        Some((best, result, otherwise)) => Err(format!(
            "the single best move is {best} ({}, otherwise {}), not {} ({}, otherwise {})",
            result_name(result),
            result_name(otherwise),
            puzzle.best,
            result_name(puzzle.result),
            result_name(puzzle.otherwise)
        )),
        None => Err("there is no single best move among three or more".into()),
    }
}

/// Every position once, without cut-offs.
#[derive(Default)]
struct Visit(HashMap<u64, i8>);

impl Visit {
    fn result<G: Game>(&mut self, game: &G) -> Option<i8> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.value_for(game.turn()));
        }
        let key = game.key();
        if let Some(&value) = self.0.get(&key) {
            return Some(value);
        }
        let mut best = -1;
        for mv in game.legal_moves() {
            let next = game.after(mv);
            let value = self.result(&next)?;
            best = best.max(if next.turn() == game.turn() {
                value
            } else {
                -value
            });
        }
        if self.0.len() >= VISITS {
            return None;
        }
        self.0.insert(key, best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::SHIPPED;
    use dojo_core::games::{Connect4, Dots, Sticks, TicTacToe};

    fn made<G: LabGame>() -> Vec<Puzzle<G>>
    where
        G::Rules: Send + Sync,
        G::Move: Send + Sync,
    {
        make::<G>(6, 1, &Bank::new(SHIPPED).unwrap()).unwrap()
    }

    fn agree<G: LabGame>()
    where
        G::Rules: Send + Sync,
        G::Move: Send + Sync,
    {
        let puzzles = made::<G>();
        assert_eq!(puzzles.len(), 6, "{}", G::NAME);
        assert_eq!(puzzles, made::<G>(), "{}: the same seed", G::NAME);
        let text = write(&puzzles, 1);
        assert_eq!(read::<G>(&text).as_ref(), Ok(&puzzles), "{}", G::NAME);
        for puzzle in &puzzles {
            assert_eq!(check(puzzle), Ok(()), "{}", puzzle.position);
            // Another move, or another result, is refused.
            let other = puzzle.position.legal_moves().find(|&mv| mv != puzzle.best);
            let wrong = Puzzle {
                best: other.unwrap(),
                ..puzzle.clone()
            };
            assert!(check(&wrong).is_err());
            let wrong = Puzzle {
                otherwise: puzzle.result,
                ..puzzle.clone()
            };
            assert!(check(&wrong).is_err());
        }
    }

    #[test]
    fn two_ways_of_solving_agree() {
        agree::<Sticks>();
        agree::<TicTacToe>();
        agree::<Dots>();
    }

    fn proved<G: LabGame>(text: &str)
    where
        G::Rules: Send + Sync,
        G::Move: Send + Sync,
    {
        let puzzles = read::<G>(text).unwrap();
        assert_eq!(puzzles.len(), 40, "{}", G::NAME);
        let faults: Vec<_> = puzzles.par_iter().map(check).collect();
        assert_eq!(faults, vec![Ok(()); 40], "{}", G::NAME);
    }

    #[test]
    fn the_puzzle_book_is_proved() {
        proved::<Sticks>(include_str!("../../../data/puzzles/sticks.txt"));
        proved::<TicTacToe>(include_str!("../../../data/puzzles/tictactoe.txt"));
        proved::<Dots>(include_str!("../../../data/puzzles/dots.txt"));
        proved::<Connect4>(include_str!("../../../data/puzzles/connect4.txt"));
    }

    #[test]
    fn faults_have_their_line() {
        let text = write(&made::<Sticks>(), 1);
        let faults = [
            ("puzzle 2 ", "puzzle 3 ", "puzzle `3`, expected 2"),
            (
                "puzzle 1 stars",
                "puzzle 1 stones",
                "expected `puzzle N stars N",
            ),
            ("# Made", "Made", "expected `puzzle N"),
            ("otherwise loss", "otherwise lost", "result `lost`"),
        ];
        for (old, new, message) in faults {
            assert!(text.contains(old), "{old}");
            let line = text.lines().position(|line| line.contains(old)).unwrap() + 1;
            let (found, fault) = read::<Sticks>(&text.replacen(old, new, 1)).unwrap_err();
            assert_eq!(found, line, "{fault}");
            assert!(fault.starts_with(message), "{fault}");
        }
    }
}
