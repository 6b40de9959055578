//! A person as a player in a match: the position and a numbered list of moves, then the number
//! typed.
//!
//! Everything goes to stderr, so that stdout has only the result.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dojo_core::game::Player;

use crate::players::{ArenaGame, ArenaPlayer};

/// A person at this terminal; two of them share stdin.
pub fn player<'a, G: ArenaGame>() -> ArenaPlayer<'a, G>
where
    G::Rules: Send + Sync,
{
    let left = Arc::new(AtomicBool::new(false));
    let flag = left.clone();
    let own = move |game: &G, _: &mut _| {
        let answer = ask(game, &mut io::stdin().lock(), &mut io::stderr().lock());
        let answer = answer.unwrap_or(None);
        flag.fetch_or(answer.is_none(), Ordering::Relaxed);
        answer
    };
    ArenaPlayer::Person(Arc::new(own), left)
}

/// Asks until a number of the list is typed; `None` if the input ends.
fn ask<G: ArenaGame>(
    game: &G,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<G::Move>>
where
    G::Rules: Send + Sync,
{
    let moves: Vec<_> = game.legal_moves().collect();
    writeln!(output, "\n{}\n", game.view())?;
    for (number, &mv) in moves.iter().enumerate() {
        writeln!(output, "{:>4}  {}", number + 1, game.described(mv))?;
    }
    let seat = match game.turn() {
        Player::First => "first",
        Player::Second => "second",
    };
    loop {
        write!(
            output,
            "You are the {seat} player. Number of your move, 1 to {}: ",
            moves.len()
        )?;
        output.flush()?;
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) => {
                writeln!(output)?;
                return Ok(None);
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
            Err(error) => return Err(error),
        }
        let typed = line.trim().parse::<usize>().ok();
        match typed.and_then(|number| moves.get(number.checked_sub(1)?)) {
            Some(&mv) => return Ok(Some(mv)),
            None => writeln!(
                output,
                "There is no move `{}`.",
                crate::output::clean(line.trim())
            )?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::game::{Game, Rules};
    use dojo_core::games::{Iwoki, IwokiRules, TicTacToe};

    fn asked<G: ArenaGame>(game: &G, input: &str) -> (Option<G::Move>, String)
    where
        G::Rules: Send + Sync,
    {
        let mut output = vec![];
        let answer = ask(game, &mut input.as_bytes(), &mut output).unwrap();
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_number_of_the_list_is_asked_for_until_there_is_one() {
        let game = TicTacToe::new(Default::default());
        let (answer, output) = asked(&game, "0\nten\n10\n\n-1\n9\n1\n");
        assert_eq!(answer, game.legal_moves().nth(8));
        assert_eq!(output.matches("There is no move").count(), 5, "{output}");
        assert_eq!(asked(&game, "12\n").0, None, "the end of the input");
    }

    #[test]
    fn a_person_does_not_see_hidden_tiles() {
        use dojo_core::game::Hidden;
        let mut rng = dojo_core::rng::Rng::new(4);
        let mut game = Iwoki::new(IwokiRules::default().dealt(3));
        for _ in 0..9 {
            let other = game.determinized(game.turn(), &mut rng);
            assert!(other != game && other.view() == game.view());
            let action = rng.pick(game.legal_moves()).unwrap();
            game.play(action).unwrap();
        }
    }
}
