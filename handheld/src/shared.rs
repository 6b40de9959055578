//! Games from elsewhere: records and files of other programs as sessions, for review on a page or
//! a PC. Which formats of other programs there are, the boards know.
//!
//! The rules check every move; a fault is told in words. Both sides of such a game are people, so
//! that nobody answers while it is looked at.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use dojo_core::for_each_game;
use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::{self, AnyRules};
use dojo_core::record;

use crate::boards;
use crate::session::Session;
use crate::store::{Seat, Setup};

impl Session {
    /// The game in a text: a record of any game, or a file in a format that a board knows.
    pub fn from_text(text: &str) -> Result<Session, String> {
        match boards::read_foreign(text) {
            Some(read) => read.and_then(|(rules, moves)| session(rules, &moves)),
            None => from_record(text),
        }
    }
}

fn session(rules: AnyRules, moves: &[u16]) -> Result<Session, String> {
    let setup = Setup {
        rules,
        seats: [Seat::Person; 2],
        ..Setup::new(rules.id())
    };
    let mut session = Session::new(setup, Player::First);
    for (number, &mv) in moves.iter().enumerate() {
        let illegal = |_| format!("move {} is illegal or one too many", number + 1);
        session.play(mv).map_err(illegal)?;
    }
    Ok(session)
}

fn from_record(text: &str) -> Result<Session, String> {
    let header = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'));
    let name = header
        .and_then(|line| line.strip_prefix("game "))
        .and_then(|rest| rest.split_whitespace().next());
    let Some(name) = name else {
        return Err("neither a record, which begins with `game NAME`, nor an SGF file".into());
    };
    macro_rules! replay {
        ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
            match name {
                $(games::$Game::NAME => {
                    let mut moves = Vec::new();
                    let replayed = record::replay::<games::$Game>(text, |_, mv| {
                        moves.push(mv.index())
                    });
                    let rules = replayed.map_err(|error| error.to_string())?.end.rules();
                    session(AnyRules::$Game(rules), &moves)
                })*
                _ => Err(format!("no game is called `{name}`")),
            }
        };
    }
    for_each_game!({ replay })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_the_same_game() {
        let text = "game sticks rows=3,5,7 misere=yes\n3:7 2:5 1:2 1:1\nresult first\n";
        let read = Session::from_text(text).unwrap();
        assert_eq!(read.moves().len(), 4);
        assert!(read.outcome().is_some());
        let mut again = String::new();
        read.write_record(&mut again).unwrap();
        assert_eq!(again, text);
    }

    #[test]
    fn an_sgf_file_is_read_along_its_main_line() {
        let text = r"(;GM[1]FF[4]SZ[9]KM[5.5]C[a\] b];B[ee];W[cc](;B[];W[tt])(;B[aa]))";
        let read = Session::from_text(text).unwrap();
        let mut record = String::new();
        read.write_record(&mut record).unwrap();
        assert!(record.contains("E5 C7 pass pass"), "{record}");
    }

    #[test]
    fn faults_are_named() {
        for (text, words) in [
            ("hello", "neither a record"),
            ("game chess\ne4", "no game is called `chess`"),
            ("game sticks rows=3,5,7\n9:9", "line 2"),
            ("(;SZ[19];B[aa])", "a board of 19"),
            ("(;SZ[9]KM[3.25])", "komi of 3.25"),
            ("(;SZ[9];W[aa])", "out of turn"),
            ("(;SZ[9];B[aa];W[aa])", "move 2 is illegal"),
            ("(;SZ[9];B[zz])", "move 1"),
            ("(;SZ[9]AB[aa][bb];W[cc])", "set up"),
            ("(;GM[2])", "another game"),
            ("(", "a board of 19"),
        ] {
            let fault = Session::from_text(text).expect_err(text);
            assert!(fault.contains(words), "{text}: {fault}");
        }
    }
}
