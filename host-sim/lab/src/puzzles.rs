//! Puzzles: positions in which a single move reaches the best result that the position allows.
//!
//! [`make`] plays games between a belt and chance, solves their ends exactly and keeps, of each
//! game, the earliest position with a single best move. In iwoki the result is the lead in points
//! at the end (`games/iwoki/endgame.rs`). In Go the result is whether a block is
//! taken within a few moves (`games/go/tactics.rs`). [`check`] proves every puzzle of a file again
//! by another way of solving: the theory of the game where there is one, a visit of every position
//! without cut-offs otherwise.
//!
//! ```text
//! puzzle 7 stars 3 best 2:4 win otherwise loss belts 0 20 60 100 100
//! replies 2:4>1:1 1:1>2:4 2:1>1:2
//! game sticks rows=3,5,7 misere=yes
//! 3:3 1:1
//! ```
//!
//! `replies` has the best reply to each move, where it is known and the opponent is to move. Goals
//! of Go are `capture D4` and `save D4`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use dojo_core::bank::Bank;
use dojo_core::bank::exercises::Goal;
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::record;
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
/// Games after which the search for candidates gives up, for each puzzle that is asked for.
const GAMES: usize = 400;
/// Moves in a line of a file.
const MOVES_A_LINE: usize = 24;
/// Games that are played at a time.
const BATCH: usize = 64;

/// A position with a single best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<G: Game> {
    /// The moves that lead to the position.
    pub moves: Vec<G::Move>,
    /// The position.
    pub position: G,
    /// What is asked for.
    pub task: Task<G::Move>,
    /// How often each belt finds the move, in percent.
    pub belts: [u8; Belt::ALL.len()],
}

/// What a puzzle asks for, and what solves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task<M> {
    /// What the best move reaches.
    pub target: Target<M>,
    /// The best move.
    pub best: M,
    /// The best reply to a move, for as many moves as one is known.
    pub replies: Vec<(M, M)>,
}

/// What the best move reaches and no other does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<M> {
    /// A result of the game: 1, 0 or −1 for the player to move, and the best after other moves.
    Result {
        /// After the best move.
        result: i8,
        /// After the best of the others.
        otherwise: i8,
    },
    /// The final lead in points, of the best move and of the best of the others.
    Points {
        /// After the best move.
        result: i16,
        /// After the best of the others.
        otherwise: i16,
    },
    /// The block on this place is taken within a few moves ([`Goal::Capture`]), or is not
    /// ([`Goal::Save`]).
    Block(Goal, M),
}

impl<M: Copy> Target<M> {
    /// As a bank has it: the goal and its place.
    pub fn goal(self) -> (Goal, Option<M>) {
        match self {
            Target::Result { result: 1, .. } => (Goal::Win, None),
            Target::Result { .. } => (Goal::Draw, None),
            Target::Points { .. } => (Goal::Points, None),
            Target::Block(goal, place) => (goal, Some(place)),
        }
    }
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

    /// The value of each move for the player to move; `None` once the nodes are used up.
    fn values<G: Game>(&mut self, game: &G) -> Option<Vec<(G::Move, i8)>> {
        let value = |mv| {
            let next = game.after(mv);
            let value = self.result(&next, -1, 1)?;
            Some((mv, for_mover(value, game, &next)))
        };
        game.legal_moves().map(value).collect()
    }

    /// The best reply to each move after which the opponent is to move.
    fn replies<G: Game>(&mut self, game: &G) -> Vec<(G::Move, G::Move)> {
        self.nodes = NODES;
        let reply = |mv| {
            let next = game.after(mv);
            let values = self.values(&next).filter(|_| next.turn() != game.turn())?;
            let most = values.iter().map(|&(_, value)| value).max()?;
            let best = values.iter().find(|&&(_, value)| value == most)?;
            Some((mv, best.0))
        };
        game.legal_moves().filter_map(reply).collect()
    }
}

/// A value for the player to move in `next`, as a value for the one in `game`.
fn for_mover<G: Game>(value: i8, game: &G, next: &G) -> i8 {
    if next.turn() == game.turn() {
        value
    } else {
        -value
    }
}

/// Whether a position is a puzzle.
#[derive(Clone, Debug)]
pub enum Search<M> {
    /// It is, with this task.
    Found(Task<M>),
    /// It is not: there are several best moves, or too few to choose from.
    Nothing,
    /// It is too large to be solved; earlier positions of the game are, too.
    TooLarge,
}

/// Solves a position exactly.
pub fn search<G: Game>(game: &G) -> Search<G::Move> {
    let mut solver = Solver::new();
    let Some(values) = solver.values(game) else {
        return Search::TooLarge;
    };
    match single(&values) {
        Some((best, result, otherwise)) if !game.after(best).is_over() => Search::Found(Task {
            target: Target::Result { result, otherwise },
            best,
            replies: solver.replies(game),
        }),
        _ => Search::Nothing,
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
    let wanted = count * G::PUZZLE_CANDIDATES;
    let progress = Progress::new("candidates", wanted as u64);
    let (mut found, mut known) = (Vec::<Puzzle<G>>::new(), HashSet::new());
    for batch in 0..(count * GAMES).div_ceil(BATCH) {
        let seeds = (batch * BATCH..(batch + 1) * BATCH).collect::<Vec<_>>();
        let games: Vec<Option<Puzzle<G>>> = seeds
            .into_par_iter()
            .map(|game| candidate(&mut Rng::new(seed ^ ((game as u64 + 1) << 20)), bank))
            .collect::<Result<_, _>>()?;
        for puzzle in games.into_iter().flatten() {
            let key = (
                puzzle.position.rules().to_string(),
                puzzle.position.canonical().key(),
            );
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

/// The earliest position of a game that can be solved and has a single best move which does not end
/// it. Every second move or so is random, so that mistakes are there to be punished.
fn candidate<G: LabGame>(rng: &mut Rng, bank: &Bank<'_>) -> Result<Option<Puzzle<G>>, Failure>
where
    G::Rules: Send + Sync,
{
    let Some(rules) = G::puzzle_rules(rng) else {
        return Err(Failure::Usage(format!(
            "there are no puzzles of {}",
            G::NAME
        )));
    };
    let player = ArenaPlayer::<G>::new(&G::PUZZLE_PLAYER, rules, bank)?;
    let mut game = G::new(rules);
    let mut positions = vec![];
    let mut moves = vec![];
    while !game.is_over() && moves.len() < G::PUZZLE_PLIES {
        let chosen = match rng.below(G::PUZZLE_SENSE) {
            0 => rng.pick(game.legal_moves()),
            _ => player.choose(&game, rng),
        };
        let Some(mv) = chosen else { break };
        positions.push(game.clone());
        moves.push(mv);
        game.play_unchecked(mv);
    }
    let mut earliest = None;
    for (plies, position) in positions.iter().enumerate().rev() {
        match position.search_puzzle() {
            Search::TooLarge => break,
            Search::Nothing => {}
            Search::Found(task) => {
                earliest = Some(Puzzle {
                    moves: moves[..plies].to_vec(),
                    position: position.clone(),
                    task,
                    belts: [0; Belt::ALL.len()],
                });
            }
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
        let player = ArenaPlayer::<G>::new(&Spec::Belt(belt), puzzle.position.rules(), bank)?;
        let finds =
            |seed| player.choose(&puzzle.position, &mut Rng::new(seed)) == Some(puzzle.task.best);
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
        let Puzzle {
            position,
            task,
            moves,
            belts,
        } = puzzle;
        let _ = write!(
            text,
            "\npuzzle {} stars {} best {} ",
            number + 1,
            puzzle.stars(),
            task.best
        );
        let _ = match task.target {
            Target::Result { result, otherwise } => write!(
                text,
                "{} otherwise {}",
                result_name(result),
                result_name(otherwise)
            ),
            Target::Points { result, otherwise } => {
                write!(text, "points {result:+} otherwise {otherwise:+}")
            }
            Target::Block(Goal::Capture, place) => write!(text, "capture {place}"),
            Target::Block(_, place) => write!(text, "save {place}"),
        };
        let belts = belts.map(|percent| format!(" {percent}")).concat();
        let replies = task.replies.iter();
        let replies = replies.map(|(mv, reply)| format!(" {mv}>{reply}"));
        let _ = writeln!(text, " belts{belts}");
        let _ = writeln!(text, "replies{}", replies.collect::<String>());
        let header = format!("game {} {}", G::NAME, position.rules());
        let _ = writeln!(text, "{}", header.trim_end());
        let moves: Vec<String> = moves.iter().map(G::Move::to_string).collect();
        for line in moves.chunks(MOVES_A_LINE) {
            let _ = writeln!(text, "{}", line.join(" "));
        }
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
        let replies = lines.get(at + 1).copied().unwrap_or_default();
        let first = (at + 2).min(end);
        let record = lines[first..end].join("\n");
        let mut moves = vec![];
        let replayed = record::replay::<G>(&record, |_, mv| moves.push(mv))
            .map_err(|error| (first + error.line, error.fault.to_string()))?;
        let mut puzzle = head::<G>(lines[at], number + 1, replayed.end, moves)
            .map_err(|fault| (at + 1, fault))?;
        puzzle.task.replies =
            read_replies(replies, &puzzle.position).map_err(|fault| (at + 2, fault))?;
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

/// Moves, each with its reply.
type Replies<G> = Vec<(<G as Game>::Move, <G as Game>::Move)>;

fn read_replies<G: Game>(line: &str, position: &G) -> Result<Replies<G>, String> {
    let pairs = line
        .strip_prefix("replies")
        .ok_or("expected `replies MOVE>REPLY …`")?;
    let pair = |pair: &str| {
        let (mv, reply) = pair
            .split_once('>')
            .ok_or_else(|| format!("`{pair}`, expected MOVE>REPLY"))?;
        let mv = legal(mv, position)?;
        Ok((mv, legal(reply, &position.after(mv))?))
    };
    pairs.split_whitespace().map(pair).collect()
}

/// Reads a move that has to be legal.
pub(crate) fn legal<G: Game>(text: &str, position: &G) -> Result<G::Move, String> {
    let mv = position
        .parse_move(text)
        .map_err(|error| format!("move `{text}`: {error}"))?;
    if position.is_legal(mv) {
        Ok(mv)
    } else {
        Err(format!("move `{text}` is not legal here"))
    }
}

fn head<G: LabGame>(
    line: &str,
    number: usize,
    position: G,
    moves: Vec<G::Move>,
) -> Result<Puzzle<G>, String>
where
    G::Rules: Send + Sync,
{
    let form = "puzzle N stars N best MOVE GOAL belts N N N N N";
    let words: Vec<&str> = line.split_whitespace().collect();
    let &["puzzle", found, "stars", stars, "best", best, ref rest @ ..] = &words[..] else {
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
    let place = |text: &str| {
        position
            .parse_move(text)
            .map_err(|error| format!("place `{text}`: {error}"))
    };
    let (target, belts) = match rest {
        [result, "otherwise", otherwise, "belts", belts @ ..] => (
            Target::Result {
                result: of_name(result)?,
                otherwise: of_name(otherwise)?,
            },
            belts,
        ),
        [
            "points",
            result,
            "otherwise",
            otherwise,
            "belts",
            belts @ ..,
        ] => {
            let points = |text: &str| {
                let number = text.parse::<i16>();
                number.map_err(|_| format!("points `{text}`, expected a whole number"))
            };
            let (result, otherwise) = (points(result)?, points(otherwise)?);
            (Target::Points { result, otherwise }, belts)
        }
        ["capture", at, "belts", belts @ ..] => (Target::Block(Goal::Capture, place(at)?), belts),
        ["save", at, "belts", belts @ ..] => (Target::Block(Goal::Save, place(at)?), belts),
        _ => {
            let goals = "win otherwise loss, points +5 otherwise +2, capture PLACE or save PLACE";
            return Err(format!("expected `{form}`; goals are {goals}"));
        }
    };
    let best = legal(best, &position)?;
    let percents: Vec<u8> = belts
        .iter()
        .filter_map(|word| word.parse().ok().filter(|&percent| percent <= 100))
        .collect();
    let belts = <[u8; Belt::ALL.len()]>::try_from(percents)
        .ok()
        .filter(|_| belts.len() == Belt::ALL.len())
        .ok_or_else(|| format!("expected five numbers from 0 to 100 after `belts`: `{form}`"))?;
    let puzzle = Puzzle {
        moves,
        position,
        task: Task {
            target,
            best,
            replies: vec![],
        },
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

/// Proves a puzzle by the second way of solving; `Err` says what is wrong.
pub fn check<G: LabGame>(puzzle: &Puzzle<G>) -> Result<(), String>
where
    G::Rules: Send + Sync,
{
    match puzzle.task.target {
        Target::Result { result, otherwise } => {
            check_result(&puzzle.position, (puzzle.task.best, result, otherwise))
        }
        Target::Points { result, otherwise } => {
            let stated = (puzzle.task.best, result, otherwise);
            puzzle.position.check_points(stated)
        }
        Target::Block(goal, place) => puzzle.position.check_block(goal, place, puzzle.task.best),
    }
}

fn check_result<G: LabGame>(position: &G, stated: (G::Move, i8, i8)) -> Result<(), String>
where
    G::Rules: Send + Sync,
{
    let mut visit = Visit::default();
    let mut values = vec![];
    for mv in position.legal_moves() {
        let next = position.after(mv);
        let value = match next.second_opinion() {
            Some(value) => value,
            None => visit
                .result(&next)
                .ok_or("too many positions for a second solution")?,
        };
        values.push((mv, for_mover(value, position, &next)));
    }
    let words = |(best, result, otherwise): (G::Move, i8, i8)| {
        let [result, otherwise] = [result, otherwise].map(result_name);
        format!("{best} ({result}, otherwise {otherwise})")
    };
    match single(&values) {
        Some(found) if found == stated => Ok(()),
        Some(found) => Err(format!(
            "the single best move is {}, not {}",
            words(found),
            words(stated)
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
            best = best.max(for_mover(self.result(&next)?, game, &next));
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
    use dojo_core::games::{Connect4, Dots, Go, Iwoki, Sticks, TicTacToe};

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
            let best = puzzle.task.best;
            let other = puzzle.position.legal_moves().find(|&mv| mv != best);
            let mut wrong = puzzle.clone();
            wrong.task.best = other.unwrap();
            assert!(check(&wrong).is_err());
            let mut wrong = puzzle.clone();
            if let Target::Result { result, otherwise } = &mut wrong.task.target {
                *otherwise = *result;
            }
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
        proved::<Iwoki>(include_str!("../../../data/puzzles/iwoki.txt"));
        proved::<Go>(include_str!("../../../data/puzzles/go.txt"));
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
            ("replies", "reply", "expected `replies"),
            ("replies ", "replies 9:9>1:1 ", "move `9:9`"),
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
