//! `dojo solve GAME`: the exact value of every position that the game can reach.

use std::collections::{HashMap, HashSet};

use dojo_core::bank::Bank;
use dojo_core::game::{Game, Player};
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::{Dots, DotsRules, GameId};
use dojo_core::rng::Rng;
use dojo_core::with_game;
use serde::Serialize;

use dojo_lab::bank::SHIPPED;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::games::LabGame;
use dojo_lab::games::dots::exact::{Exact, MOST_EDGES, classes};
use dojo_lab::games::dots::proof::{Proof, against_every_reply};
use dojo_lab::games::dots::ratio::Ratio;
use dojo_lab::games::dots::response::Chances;
use dojo_lab::output::{Format, Progress};
use dojo_lab::players::{self, Spec};
use dojo_lab::rules::GameArgs;

/// Game and options.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Dots and boxes: also play this player against every reply, as first and as second
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
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
    /// Reachable states; equivalent states count once.
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

/// Dots and boxes: counts are over sets of edges, since the remaining value does not depend on the
/// score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolvedDots {
    /// The game's name.
    pub game: &'static str,
    /// Its options.
    pub rules: String,
    /// By how many boxes the player who starts wins; in misère by how many fewer.
    pub value: i8,
    /// Who wins: `first`, `second` or `draw`.
    pub winner: &'static str,
    /// Sets of edges.
    pub masks: u64,
    /// Sets of edges up to symmetry.
    pub classes: u64,
    /// On 2×2: the best possible scores against the two test opponents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_response: Option<[BestResponse; 2]>,
    /// Results of `--player` against every reply, moving first and second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<[Proof; 2]>,
}

/// Best possible scores against an opponent, as exact fractions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BestResponse {
    /// The opponent.
    pub against: &'static str,
    /// Moving first.
    pub first: String,
    /// Moving second.
    pub second: String,
    /// The mean of both.
    pub average: String,
}

/// Solves the game and prints the result.
pub fn run(args: Args) -> Done {
    let id = args.game.game;
    if let Some(why) = with_game!(id, G => G::TOO_LARGE) {
        return Err(Failure::usage(why));
    }
    match id {
        GameId::Dots => print_dots(&args),
        _ if args.player.is_some() => Err(Failure::usage("--player is for dots")),
        id => with_game!(id, G => print::<G>(&args)),
    }
}

fn print_dots(args: &Args) -> Done {
    let rules = args.game.options.rules::<Dots>()?;
    let exact = Exact::new(rules).ok_or_else(|| {
        let edges = rules.all_edges().count_ones();
        Failure::Usage(format!(
            "dots with {rules} has {edges} edges, at most {MOST_EDGES} can be solved"
        ))
    })?;
    let proofs = args
        .player
        .as_ref()
        .map(|player| prove(rules, &exact, player))
        .transpose()?;
    let solved = SolvedDots {
        proofs,
        ..solved_dots(rules, &exact)
    };
    args.format.print(&solved, || {
        let SolvedDots { value, winner, masks, classes, best_response, proofs, .. } = &solved;
        let mut text = format!(
            "dots {rules}: with best play {winner} wins; margin of the player who starts {value:+}\n\
             {masks} sets of edges, {classes} up to symmetry\n"
        )
        .replace("draw wins", "nobody wins");
        for best in best_response.iter().flatten() {
            let BestResponse { against, first, second, average } = best;
            text += &format!("best score against {against}: first {first}, second {second}, average {average}\n");
        }
        for (proof, side) in proofs.iter().flatten().zip(["first", "second"]) {
            let Proof { decisions, won, lost, example } = proof;
            text +=
                &format!("every reply to the player, moving {side}: {decisions} decisions, {won} won, {lost} let go");
            text += &example.as_ref().map_or("\n".into(), |game| format!(", such as {game}\n"));
        }
        text
    })
}

/// A player of the shipped bank against every reply, on both sides.
fn prove(rules: DotsRules, exact: &Exact, player: &str) -> Result<[Proof; 2], Failure> {
    let spec: Spec = player
        .parse()
        .map_err(|error| Failure::Usage(format!("player `{player}`: {error}")))?;
    let bank = Bank::new(SHIPPED).map_err(Failure::check)?;
    let player = players::ArenaPlayer::<Dots>::new(&spec, rules, &bank)?;
    let progress = Progress::new("edges", 2 * u64::from(rules.all_edges().count_ones()));
    let choose = |game: &Dots| player.choose(game, &mut Rng::new(0));
    Ok(Player::BOTH.map(|me| against_every_reply(rules, exact, me, choose, |_| progress.tick())))
}

/// Solves a board of dots and boxes.
fn solved_dots(rules: DotsRules, exact: &Exact) -> SolvedDots {
    let response = |against, opponent| {
        let best = Chances::<Ratio>::best(rules, opponent);
        let [first, second, average] =
            [best.first(), best.second(), best.average()].map(|ratio| ratio.to_string());
        BestResponse {
            against,
            first,
            second,
            average,
        }
    };
    let both = || {
        [
            response("random", Opponent::Random),
            response("smart", Opponent::Smart { slips: 0 }),
        ]
    };
    SolvedDots {
        game: Dots::NAME,
        rules: rules.to_string(),
        value: exact.value(),
        winner: match exact.result(&Dots::new(rules)) {
            1 => "first",
            0 => "draw",
            _ => "second",
        },
        masks: 1 << rules.all_edges().count_ones(),
        classes: classes(rules),
        best_response: ((rules.rows(), rules.cols()) == (2, 2)).then(both),
        proofs: None,
    }
}

fn print<G: Game>(args: &Args) -> Done {
    let solved = solve::<G>(args.game.options.rules::<G>()?);
    args.format.print(&solved, || {
        let Solved {
            game,
            value,
            states,
            classes,
            won,
            lost,
            drawn,
        } = &solved;
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
    let mut visit = Visit {
        values: HashMap::new(),
        classes: HashSet::new(),
    };
    let value = visit.value(&G::new(rules));
    let count = |wanted| {
        visit
            .values
            .values()
            .filter(|&&value| value == wanted)
            .count()
    };
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
            // No cut-off after a winning move: every state is counted.
            None => game.legal_moves().fold(-1, |best, mv| {
                let next = game.after(mv);
                let value = self.value(&next);
                best.max(if next.turn() == game.turn() {
                    value
                } else {
                    -value
                })
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
    use dojo_core::games::dots::Ties;
    use dojo_core::games::{Sticks, SticksRules, TicTacToe};

    #[test]
    fn both_games_have_their_known_values() {
        let sticks = solve::<Sticks>(Default::default());
        assert_eq!(
            (
                sticks.value,
                sticks.states,
                sticks.won,
                sticks.lost,
                sticks.drawn
            ),
            (1, 192, 168, 24, 0)
        );
        let tictactoe = solve::<TicTacToe>(Default::default());
        assert_eq!(
            (tictactoe.value, tictactoe.states, tictactoe.classes),
            (0, 5478, 765)
        );
        assert_eq!(tictactoe.won + tictactoe.lost + tictactoe.drawn, 5478);
    }

    #[test]
    fn dots_agrees_with_a_visit_of_every_position() {
        for (rows, cols) in [(1, 1), (1, 2), (2, 2)] {
            for misere in [false, true] {
                for ties in [Ties::StarterLoses, Ties::Draw] {
                    let rules = DotsRules::new(rows, cols).unwrap().judged(ties, misere);
                    let winner =
                        ["second", "draw", "first"][(solve::<Dots>(rules).value + 1) as usize];
                    assert_eq!(
                        solved_dots(rules, &Exact::new(rules).unwrap()).winner,
                        winner,
                        "{rules}"
                    );
                }
            }
        }
    }

    #[test]
    fn options_change_the_solution() {
        // Two equal rows are lost for the starter whatever the last stick means; in normal play one
        // row is a win.
        for misere in [true, false] {
            assert_eq!(
                solve::<Sticks>(SticksRules::new([4, 4, 0], misere).unwrap()).value,
                -1
            );
            assert_eq!(
                solve::<Sticks>(SticksRules::new([0, 1, 0], misere).unwrap()).value,
                if misere { -1 } else { 1 }
            );
        }
    }
}
