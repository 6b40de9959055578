//! Searches for a shortest way to a goal: depth-first, breadth-first, iterative deepening, greedy
//! best-first and A*.
//!
//! They are for one player. A game fits once its opponent always answers alike: then the answer is
//! a part of the move, see [`puzzles`](crate::search_lab::puzzles).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;

/// States, moves of cost 1 and goals.
pub trait Puzzle {
    /// A state.
    type State: Clone + Eq + Hash;
    /// A move.
    type Move: Copy;

    /// Whether nothing is left to do.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The moves from a state and the states after them.
    fn successors(&self, state: &Self::State) -> Vec<(Self::Move, Self::State)>;

    /// Moves still needed, estimated. A* finds a shortest way if the estimate is admissible: never
    /// too high.
    fn estimate(&self, state: &Self::State) -> u32;
}

/// The searches, in the order of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the algorithms")]
pub enum PathSearch {
    DepthFirst,
    BreadthFirst,
    IterativeDeepening,
    GreedyBestFirst,
    AStar,
}

impl PathSearch {
    /// All of them.
    pub const ALL: [PathSearch; 5] = [
        PathSearch::DepthFirst,
        PathSearch::BreadthFirst,
        PathSearch::IterativeDeepening,
        PathSearch::GreedyBestFirst,
        PathSearch::AStar,
    ];

    /// The name and an explanation in a few words.
    pub fn describe(self) -> (&'static str, &'static str) {
        match self {
            PathSearch::DepthFirst => (
                "depth-first",
                "follows one line to its end before it tries another: little memory, any way",
            ),
            PathSearch::BreadthFirst => (
                "breadth-first",
                "all states one move away, then two, and so on: a shortest way, holds every state",
            ),
            PathSearch::IterativeDeepening => (
                "iterative deepening",
                "depth-first to depth 1, then 2, and so on: a shortest way with little memory, states again and again",
            ),
            PathSearch::GreedyBestFirst => (
                "greedy best-first",
                "always the state that looks nearest to the goal: quick, any way",
            ),
            PathSearch::AStar => (
                "A*",
                "moves made plus moves estimated: a shortest way if the estimate is never too high",
            ),
        }
    }
}

/// The way that was found, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<M> {
    /// The moves to a goal; `None` if there is no way.
    pub moves: Option<Vec<M>>,
    /// Nodes expanded: states whose successors were asked for, counted every time.
    pub expanded: u32,
    /// The most states held at a time.
    pub held: u32,
}

/// Searches from a state.
pub fn search<P: Puzzle>(puzzle: &P, start: &P::State, search: PathSearch) -> Way<P::Move> {
    match search {
        PathSearch::DepthFirst => deep(puzzle, start, None),
        PathSearch::IterativeDeepening => deep(puzzle, start, Some(0)),
        PathSearch::BreadthFirst => best_first(puzzle, start, |made, _| (made, 0)),
        PathSearch::GreedyBestFirst => best_first(puzzle, start, |_, left| (left, 0)),
        PathSearch::AStar => best_first(puzzle, start, |made, left| (made + left, left)),
    }
}

/// Depth-first search, with a limit of depth that grows if one is given.
fn deep<P: Puzzle>(puzzle: &P, start: &P::State, mut limit: Option<usize>) -> Way<P::Move> {
    let (mut expanded, mut held) = (0, 0);
    loop {
        let mut cut = false;
        // Depth, the move that led here, state.
        let mut stack = vec![(0, None, start.clone())];
        let mut moves: Vec<P::Move> = vec![];
        while let Some((depth, mv, state)) = stack.pop() {
            moves.truncate(depth.max(1) - 1);
            moves.extend(mv);
            if puzzle.is_goal(&state) {
                let moves = Some(moves);
                return Way {
                    moves,
                    expanded,
                    held,
                };
            }
            if limit.is_some_and(|limit| depth >= limit) {
                cut = true;
                continue;
            }
            expanded += 1;
            let successors = puzzle.successors(&state).into_iter().rev();
            stack.extend(successors.map(|(mv, state)| (depth + 1, Some(mv), state)));
            held = held.max(stack.len() as u32 + 1);
        }
        match &mut limit {
            Some(limit) if cut => *limit += 1,
            _ => {
                return Way {
                    moves: None,
                    expanded,
                    held,
                };
            }
        }
    }
}

/// Takes the state with the lowest rank of moves made and estimated, the oldest among equals.
fn best_first<P: Puzzle>(
    puzzle: &P,
    start: &P::State,
    rank: impl Fn(u32, u32) -> (u32, u32),
) -> Way<P::Move> {
    struct Node<P: Puzzle> {
        state: P::State,
        made: u32,
        from: Option<(usize, P::Move)>,
    }
    let mut nodes: Vec<Node<P>> = vec![Node {
        state: start.clone(),
        made: 0,
        from: None,
    }];
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut frontier = BinaryHeap::from([Reverse((rank(0, puzzle.estimate(start)), 0))]);
    let mut expanded = 0;
    while let Some(Reverse((_, place))) = frontier.pop() {
        let (state, made) = (nodes[place].state.clone(), nodes[place].made);
        if known.get(&state).is_some_and(|&best| best < made) {
            continue; // a shorter way here was found since
        }
        if puzzle.is_goal(&state) {
            let mut moves = vec![];
            let mut step = nodes[place].from;
            while let Some((before, mv)) = step {
                moves.push(mv);
                step = nodes[before].from;
            }
            moves.reverse();
            return Way {
                moves: Some(moves),
                expanded,
                held: known.len() as u32,
            };
        }
        expanded += 1;
        for (mv, state) in puzzle.successors(&state) {
            let made = made + 1;
            if known.get(&state).is_some_and(|&best| best <= made) {
                continue;
            }
            known.insert(state.clone(), made);
            let order = rank(made, puzzle.estimate(&state));
            frontier.push(Reverse((order, nodes.len())));
            nodes.push(Node {
                state,
                made,
                from: Some((place, mv)),
            });
        }
    }
    Way {
        moves: None,
        expanded,
        held: known.len() as u32,
    }
}
