//! `dojo solve GAME`: the exact value of every position that the game can reach.

use std::collections::{HashMap, HashSet};

use dojo_core::game::Game;
use dojo_core::with_game;
use serde::Serialize;

use crate::failure::Done;
use crate::output::Format;
use crate::rules::GameArgs;

/// What to solve.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    format: Format,
}

/// A solved game: counts over all reachable states, each as its mover sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// The game's name.
    pub game: &'static str,
    /// 1, 0 or −1 for the player who starts.
    pub value: i8,
    /// States that play alike count once.
    pub states: usize,
    /// States up to symmetry.
    pub classes: usize,
    /// Won for the player to move.
    pub won: usize,
    /// Lost for the player to move.
    pub lost: usize,
    /// Drawn.
    pub drawn: usize,
}

/// Solves and prints.
pub fn run(args: Args) -> Done {
    with_game!(args.game.game, G => print::<G>(&args))
}

fn print<G: Game>(args: &Args) -> Done {
    let solved = solve::<G>(args.game.options.rules::<G>()?);
    args.format.print(&solved, || {
        let Solved { game, value, states, classes, won, lost, drawn } = &solved;
        let verdict = match value {
            1 => "a win for the player who starts",
            -1 => "a loss for the player who starts",
            _ => "a draw",
        };
        format!(
            "{game} is {verdict}\n{states} states, {classes} up to symmetry\n\
             for the player to move {won} are won, {lost} lost and {drawn} drawn\n"
        )
    })
}

/// Solves a game by visiting every position once.
pub fn solve<G: Game>(rules: G::Rules) -> Solved {
    let mut visit = Visit { values: HashMap::new(), classes: HashSet::new() };
    let value = visit.value(&G::new(rules));
    let count = |wanted| visit.values.values().filter(|&&value| value == wanted).count();
    Solved {
        game: G::NAME,
        value,
        states: visit.values.len(),
        classes: visit.classes.len(),
        won: count(1),
        lost: count(-1),
        drawn: count(0),
    }
}

struct Visit {
    values: HashMap<u64, i8>,
    classes: HashSet<u64>,
}

impl Visit {
    /// The value for the player to move. The recursion is as deep as the longest game.
    fn value<G: Game>(&mut self, game: &G) -> i8 {
        if let Some(&value) = self.values.get(&game.key()) {
            return value;
        }
        let value = match game.outcome() {
            Some(outcome) => outcome.value_for(game.turn()),
            // All moves are followed, also after a winning one: every state counts.
            None => game.legal_moves().fold(-1, |best, mv| {
                let next = game.after(mv);
                let value = self.value(&next);
                best.max(if next.turn() == game.turn() { value } else { -value })
            }),
        };
        self.values.insert(game.key(), value);
        self.classes.insert(game.canonical().key());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::{Sticks, SticksRules, TicTacToe};

    #[test]
    fn both_games_have_their_known_values() {
        let sticks = solve::<Sticks>(Default::default());
        assert_eq!((sticks.value, sticks.states, sticks.won, sticks.lost, sticks.drawn), (1, 192, 168, 24, 0));
        let tictactoe = solve::<TicTacToe>(Default::default());
        assert_eq!((tictactoe.value, tictactoe.states, tictactoe.classes), (0, 5478, 765));
        assert_eq!(tictactoe.won + tictactoe.lost + tictactoe.drawn, 5478);
    }

    #[test]
    fn options_change_the_solution() {
        // Two equal rows are lost for the starter whatever the last stick means; in normal play one row is a win.
        for misere in [true, false] {
            assert_eq!(solve::<Sticks>(SticksRules::new([4, 4, 0], misere).unwrap()).value, -1);
            assert_eq!(
                solve::<Sticks>(SticksRules::new([0, 1, 0], misere).unwrap()).value,
                if misere { -1 } else { 1 }
            );
        }
    }
}
