//! Game records: a header line, the moves, and the result.
//!
//! ```text
//! game sticks rows=3,5,7 misere=yes
//! 3:7 2:5 1:2 1:1
//! result first
//! ```
//! Moves may be spread over any number of lines; `#` starts a comment; the result is optional and
//! is checked.

use core::fmt::{self, Write as _};

use crate::game::{Game, GameMove, NotationError, Outcome, Player, Rules};

/// A fault in a record and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError<'a> {
    /// The line, counted from 1.
    pub line: usize,
    /// The kind of fault.
    pub fault: Fault<'a>,
}

/// Kinds of faults in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault<'a> {
    /// The first line is not `game NAME`.
    NoHeader,
    /// The header names another game.
    OtherGame {
        /// The name in the record.
        found: &'a str,
        /// The name of the game that reads the record.
        expected: &'static str,
    },
    /// An option that the game does not have, or a value that it cannot take.
    BadOption(&'a str, NotationError),
    /// A word that is not a move.
    BadMove(&'a str, NotationError),
    /// An illegal move.
    Illegal(&'a str),
    /// A move after the end of the game.
    AfterEnd(&'a str),
    /// `result` without first, second or draw, or with more words behind it.
    BadResult,
    /// The stated result differs from the outcome of the moves.
    WrongResult {
        /// The result in the record.
        found: Outcome,
        /// The outcome of the moves; `None` if the game is unfinished.
        expected: Option<Outcome>,
    },
    /// Text after the result.
    AfterResult(&'a str),
}

impl fmt::Display for RecordError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoHeader => f.write_str("expected the header `game NAME [key=value …]`"),
            Fault::OtherGame { found, expected } => {
                write!(f, "a record of `{found}`, expected `{expected}`")
            }
            Fault::BadOption(text, error) => write!(f, "option `{text}`: {error}"),
            Fault::BadMove(text, error) => write!(f, "move `{text}`: {error}"),
            Fault::Illegal(text) => write!(f, "move `{text}` is not legal here"),
            Fault::AfterEnd(text) => write!(f, "`{text}` stands after the end of the game"),
            Fault::BadResult => {
                f.write_str("expected `result first`, `result second` or `result draw`")
            }
            Fault::WrongResult {
                found,
                expected: Some(expected),
            } => {
                write!(
                    f,
                    "result `{}`, but the board says `{}`",
                    found.name(),
                    expected.name()
                )
            }
            Fault::WrongResult {
                found,
                expected: None,
            } => {
                write!(f, "result `{}`, but the game is not over", found.name())
            }
            Fault::AfterResult(text) => write!(f, "`{text}` stands after the result"),
        }
    }
}

impl core::error::Error for RecordError<'_> {}

/// The end of a replayed record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed<G> {
    /// The position at the end.
    pub end: G,
    /// Number of moves.
    pub moves: usize,
}

/// Replays a record and checks every word; `on_move` is called with each position and the move
/// about to be played.
pub fn replay<'a, G: Game>(
    text: &'a str,
    mut on_move: impl FnMut(&G, G::Move),
) -> Result<Replayed<G>, RecordError<'a>> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.split('#').next().unwrap_or_default()))
        .filter(|(_, line)| !line.trim().is_empty());

    let (line, header) = lines.next().ok_or(RecordError {
        line: 1,
        fault: Fault::NoHeader,
    })?;
    let mut game = G::new(parse_header::<G>(header).map_err(|fault| RecordError { line, fault })?);
    let mut moves = 0;
    let mut has_result = false;
    for (line, text) in lines {
        let fail = |fault| Err(RecordError { line, fault });
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if has_result {
                return fail(Fault::AfterResult(word));
            }
            if word == "result" {
                let Some(found) = words.next().and_then(Outcome::from_name) else {
                    return fail(Fault::BadResult);
                };
                if game.outcome() != Some(found) {
                    return fail(Fault::WrongResult {
                        found,
                        expected: game.outcome(),
                    });
                }
                has_result = true;
                continue;
            }
            let mv = match game.parse_move(word) {
                Ok(mv) => mv,
                Err(error) => return fail(Fault::BadMove(word, error)),
            };
            if game.is_over() {
                return fail(Fault::AfterEnd(word));
            }
            if !game.is_legal(mv) {
                return fail(Fault::Illegal(word));
            }
            on_move(&game, mv);
            game.play_unchecked(mv);
            moves += 1;
        }
    }
    Ok(Replayed { end: game, moves })
}

fn parse_header<G: Game>(line: &str) -> Result<G::Rules, Fault<'_>> {
    let mut words = line.split_whitespace();
    if words.next() != Some("game") {
        return Err(Fault::NoHeader);
    }
    let found = words.next().ok_or(Fault::NoHeader)?;
    if found != G::NAME {
        return Err(Fault::OtherGame {
            found,
            expected: G::NAME,
        });
    }
    parse_rules(words)
}

/// Reads options as a header has them, `key=value` each; the others have their defaults.
pub fn parse_rules<'a, R: Rules>(words: impl Iterator<Item = &'a str>) -> Result<R, Fault<'a>> {
    let mut rules = R::default();
    for word in words {
        let (key, value) = word.split_once('=').ok_or(Fault::BadOption(
            word,
            NotationError {
                expected: "key=value",
            },
        ))?;
        rules
            .set(key, value)
            .map_err(|error| Fault::BadOption(word, error))?;
    }
    Ok(rules)
}

/// A game that can be written as a record.
pub trait Recorded: Game {
    /// Writes the record of a game from the indices of its moves. `first` is the side that starts,
    /// for games whose notation names the sides.
    fn write_record(
        out: &mut impl fmt::Write,
        rules: Self::Rules,
        _first: Player,
        moves: impl IntoIterator<Item = u16>,
    ) -> fmt::Result {
        write::<Self>(out, rules, moves)
    }
}

/// Writes the record of a game from the indices of its moves, up to the first illegal one.
pub fn write<G: Game>(
    out: &mut impl fmt::Write,
    rules: G::Rules,
    moves: impl IntoIterator<Item = u16>,
) -> fmt::Result {
    let mut game = G::new(rules);
    writeln!(out, "{}", Header::<G>(rules))?;
    let mut written = 0;
    for mv in moves.into_iter().map_while(G::Move::from_index) {
        if game.play(mv).is_err() {
            break;
        }
        write!(out, "{}{mv}", if written > 0 { " " } else { "" })?;
        written += 1;
    }
    if written > 0 {
        writeln!(out)?;
    }
    game.outcome()
        .map_or(Ok(()), |outcome| writeln!(out, "result {}", outcome.name()))
}

struct Header<G: Game>(G::Rules);

impl<G: Game> fmt::Display for Header<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", G::NAME)?;
        // Rules without options print nothing; the line must not end with a blank then.
        write!(
            BlankFirst {
                out: f,
                begun: false
            },
            "{}",
            self.0
        )
    }
}

/// Writes a blank before the first non-empty text.
struct BlankFirst<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    begun: bool,
}

impl fmt::Write for BlankFirst<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !text.is_empty() && !core::mem::replace(&mut self.begun, true) {
            self.out.write_str(" ")?;
        }
        self.out.write_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Sticks, TicTacToe};

    fn fault<G: Game>(text: &str) -> (usize, Fault<'_>) {
        let error = replay::<G>(text, |_, _| {}).unwrap_err();
        (error.line, error.fault)
    }

    #[test]
    fn every_fault_is_named_with_its_line() {
        assert_eq!(fault::<Sticks>("# nothing"), (1, Fault::NoHeader));
        assert_eq!(fault::<Sticks>("sticks"), (1, Fault::NoHeader));
        assert_eq!(
            fault::<Sticks>("game go"),
            (
                1,
                Fault::OtherGame {
                    found: "go",
                    expected: "sticks"
                }
            )
        );
        assert!(matches!(
            fault::<Sticks>("game sticks rows=9"),
            (1, Fault::BadOption("rows=9", _))
        ));
        assert!(matches!(
            fault::<TicTacToe>("game tictactoe x"),
            (1, Fault::BadOption("x", _))
        ));
        assert!(matches!(
            fault::<Sticks>("game sticks\n\n3:8"),
            (3, Fault::BadMove("3:8", _))
        ));
        assert_eq!(
            fault::<Sticks>("game sticks\n1:3\n1:1"),
            (3, Fault::Illegal("1:1"))
        );
        assert_eq!(
            fault::<Sticks>("game sticks rows=1\n1:1 1:1"),
            (2, Fault::AfterEnd("1:1"))
        );
        assert_eq!(
            fault::<Sticks>("game sticks\nresult maybe"),
            (2, Fault::BadResult)
        );
        let first = Outcome::Win(crate::game::Player::First);
        let unfinished = Fault::WrongResult {
            found: first,
            expected: None,
        };
        assert_eq!(
            fault::<Sticks>("game sticks\nresult first"),
            (2, unfinished)
        );
        assert_eq!(
            fault::<Sticks>("game sticks rows=2\n1:1 1:1 result first\n#\n1:1"),
            (4, Fault::AfterResult("1:1"))
        );
    }

    #[test]
    fn a_written_record_replays() {
        let mut text = heapless::String::<128>::new();
        write::<TicTacToe>(&mut text, Default::default(), [4, 0, 3, 1, 5]).unwrap();
        assert_eq!(text, "game tictactoe\nb2 a1 a2 b1 c2\nresult first\n");
        assert_eq!(replay::<TicTacToe>(&text, |_, _| {}).unwrap().moves, 5);
    }

    #[test]
    fn a_record_without_moves_is_its_header() {
        let mut text = heapless::String::<128>::new();
        write::<TicTacToe>(&mut text, Default::default(), []).unwrap();
        assert_eq!(text, "game tictactoe\n");
    }
}
