//! How often the move that a machine expects while it thinks on a person's time is the one that is
//! played: a belt stands in for the person, green says what is expected.
//!
//! `cargo run --release -p dojo-core --example pondering -- go brown 20`

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyRules, GameId};
use dojo_core::rng::Rng;

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().and_then(|name| GameId::from_name(&name));
    let person = words.next().and_then(|name| Belt::from_name(&name));
    let games = words.next().and_then(|count| count.parse::<u64>().ok());
    let (Some(id), Some(person), Some(games)) = (game, person, games) else {
        eprintln!("usage: pondering GAME BELT GAMES");
        return;
    };
    let bank = Bank::new(include_bytes!("../../models/dojo.bank")).ok();
    let (mut asked, mut met) = (0_u32, 0_u32);
    for number in 0..games {
        let mut game = AnyRules::new(id).start();
        let mut plies = 0;
        // Two random moves, so that games differ.
        let mut rng = Rng::new(number);
        while plies < 2 {
            let mv = rng.below(u32::from(u16::MAX)) as u16 % 128;
            plies += u64::from(game.play(mv).is_ok());
        }
        while game.outcome().is_none() {
            let ask = |belt, seed| {
                let question = Question {
                    game,
                    belt,
                    seed,
                    may_resign: false,
                    ancestor: None,
                };
                answer(&question, bank.as_ref()).and_then(|answer| answer.index())
            };
            let Some(mv) = ask(person, number << 32 | plies) else {
                break;
            };
            asked += 1;
            met += u32::from(ask(Belt::Green, plies) == Some(mv));
            if game.play(mv).is_err() {
                break;
            }
            plies += 1;
        }
    }
    println!(
        "{}: {met} of {asked} moves of {} were expected, {:.1} %",
        id.name(),
        person.name(),
        100.0 * f64::from(met) / f64::from(asked.max(1))
    );
}
