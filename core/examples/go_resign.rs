//! Measures how often a belt of Go would resign a game that it then wins: the belt plays against
//! itself, the first wish to resign is noted, and the game is played to its end.
//!
//! `cargo run --release -p dojo-core --example go_resign -- brown 100`

use dojo_core::belt::Belt;
use dojo_core::game::{Game, Outcome, Player};
use dojo_core::games::go::players::dead_stones;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyGame, Go, GoRules};
use dojo_core::players::belts::Decision;

fn main() {
    let mut words = std::env::args().skip(1);
    let belt = words
        .next()
        .and_then(|name| Belt::from_name(&name))
        .unwrap_or(Belt::Brown);
    let games: u64 = words
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(100);
    let (mut given_up, mut wrongly, mut saved, mut moves) = (0, 0, 0, 0);
    for number in 0..games {
        let mut game = Go::new(GoRules::default());
        // The first player who wished to resign, and after how many moves.
        let mut wish: Option<(Player, usize)> = None;
        while !game.is_over() {
            let seed = number << 32 | game.plies() as u64;
            let question = Question {
                game: AnyGame::Go(game),
                belt,
                seed,
                may_resign: wish.is_none(),
                ancestor: None,
            };
            let Some(mut chosen) = answer(&question, None) else {
                break;
            };
            if chosen.decision == Decision::Resign {
                wish = Some((game.turn(), game.plies()));
                chosen = answer(
                    &Question {
                        may_resign: false,
                        ..question
                    },
                    None,
                )
                .unwrap_or(chosen);
            }
            let index = chosen.index();
            let Some(mv) = index.and_then(dojo_core::game::GameMove::from_index) else {
                break;
            };
            game.play_unchecked(mv);
        }
        moves += game.plies();
        let outcome = game.outcome_without(dead_stones(&game));
        if let Some((loser, plies)) = wish {
            given_up += 1;
            saved += game.plies() - plies;
            wrongly += u64::from(outcome != Outcome::Win(!loser));
        }
        println!(
            "game {}: {} moves, {outcome:?}, gives up: {wish:?}",
            number + 1,
            game.plies()
        );
    }
    println!(
        "{} against itself: {games} games of {} moves",
        belt.name(),
        moves as u64 / games.max(1)
    );
    println!(
        "given up {given_up}, wrongly {wrongly}; {} moves saved a game",
        saved as u64 / given_up.max(1)
    );
}
