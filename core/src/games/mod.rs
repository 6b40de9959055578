//! The games, and one type that stands for any of them.
//!
//! A new game needs its module, a [`GameId`] (and a place in [`GameId::ALL`]), and an arm in [`AnyRules`], [`AnyGame`]
//! and the two macros below. The compiler finds missing arms, but not a game that is missing in [`GameId::ALL`].

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, GameMove, IllegalMove, Outcome, Player, Rules};

pub mod dots;
pub mod go;
pub mod iwoki;
pub mod sticks;
pub mod tictactoe;

pub use dots::{Dots, DotsRules};
pub use go::{Go, GoRules};
pub use iwoki::{Iwoki, IwokiRules};
pub use sticks::{Sticks, SticksRules};
pub use tictactoe::{TicTacToe, TicTacToeRules};

/// Runs an expression with the type of the game that an identifier names.
///
/// ```
/// use dojo_core::{game::Game, games::GameId, with_game};
/// assert_eq!(with_game!(GameId::TicTacToe, G => G::MAX_MOVES), 9);
/// ```
#[macro_export]
macro_rules! with_game {
    ($id:expr, $Game:ident => $body:expr) => {
        match $id {
            $crate::games::GameId::Sticks => {
                type $Game = $crate::games::Sticks;
                $body
            }
            $crate::games::GameId::TicTacToe => {
                type $Game = $crate::games::TicTacToe;
                $body
            }
            $crate::games::GameId::Dots => {
                type $Game = $crate::games::Dots;
                $body
            }
            $crate::games::GameId::Iwoki => {
                type $Game = $crate::games::Iwoki;
                $body
            }
            $crate::games::GameId::Go => {
                type $Game = $crate::games::Go;
                $body
            }
        }
    };
}

/// Runs an expression with the position inside an [`AnyGame`], whatever its game.
macro_rules! inside {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            AnyGame::Sticks($game) => $body,
            AnyGame::TicTacToe($game) => $body,
            AnyGame::Dots($game) => $body,
            AnyGame::Iwoki($game) => $body,
            AnyGame::Go($game) => $body,
        }
    };
}
pub(crate) use inside;

/// Which game. The numbers stand in banks and saves and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum GameId {
    /// 15 sticks.
    Sticks = 1,
    /// Tic-tac-toe.
    TicTacToe = 2,
    /// Dots and boxes.
    Dots = 3,
    /// Iwoki.
    Iwoki = 4,
    /// Go.
    Go = 5,
}

impl GameId {
    /// All games, in the order of the menu.
    pub const ALL: [GameId; 5] = [
        GameId::Sticks,
        GameId::TicTacToe,
        GameId::Dots,
        GameId::Iwoki,
        GameId::Go,
    ];

    /// The name used in commands and records.
    pub fn name(self) -> &'static str {
        with_game!(self, G => G::NAME)
    }

    /// The name that a player reads.
    pub const fn title(self) -> &'static str {
        match self {
            GameId::Sticks => "15 sticks",
            GameId::TicTacToe => "Tic-tac-toe",
            GameId::Dots => "Dots and boxes",
            GameId::Iwoki => "Iwoki",
            GameId::Go => "Go",
        }
    }

    /// The game of this name.
    pub fn from_name(name: &str) -> Option<GameId> {
        GameId::ALL.into_iter().find(|id| id.name() == name)
    }

    /// The game with this number.
    pub fn from_code(code: u8) -> Option<GameId> {
        GameId::ALL.into_iter().find(|id| *id as u8 == code)
    }

    /// The version of its numbering of states and moves.
    pub fn rules_version(self) -> u16 {
        with_game!(self, G => G::RULES_VERSION)
    }
}

/// The options of any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnyRules {
    /// Rows and the meaning of the last stick.
    Sticks(SticksRules),
    /// None.
    TicTacToe(TicTacToeRules),
    /// Size, ties, misère.
    Dots(DotsRules),
    /// What is hidden, and the deal.
    Iwoki(IwokiRules),
    /// Size, komi, ko, handicap.
    Go(GoRules),
}

impl AnyRules {
    /// The usual rules of a game.
    pub fn new(id: GameId) -> AnyRules {
        match id {
            GameId::Sticks => AnyRules::Sticks(SticksRules::default()),
            GameId::TicTacToe => AnyRules::TicTacToe(TicTacToeRules),
            GameId::Dots => AnyRules::Dots(DotsRules::default()),
            GameId::Iwoki => AnyRules::Iwoki(IwokiRules::default()),
            GameId::Go => AnyRules::Go(GoRules::default()),
        }
    }

    /// The same rules if they make sense, else the usual ones: what comes from storage is not trusted.
    pub fn checked(self) -> AnyRules {
        match self {
            AnyRules::Sticks(rules) => {
                AnyRules::Sticks(SticksRules::new(rules.rows(), rules.misere).unwrap_or_default())
            }
            AnyRules::TicTacToe(rules) => AnyRules::TicTacToe(rules),
            AnyRules::Dots(rules) => {
                let size = DotsRules::new(rules.rows(), rules.cols());
                AnyRules::Dots(size.map_or(DotsRules::default(), |size| {
                    size.judged(rules.ties, rules.misere)
                }))
            }
            AnyRules::Iwoki(rules) => AnyRules::Iwoki(rules),
            AnyRules::Go(rules) => AnyRules::Go(rules.checked().unwrap_or_default()),
        }
    }

    /// Whose rules they are.
    pub const fn id(&self) -> GameId {
        match self {
            AnyRules::Sticks(_) => GameId::Sticks,
            AnyRules::TicTacToe(_) => GameId::TicTacToe,
            AnyRules::Dots(_) => GameId::Dots,
            AnyRules::Iwoki(_) => GameId::Iwoki,
            AnyRules::Go(_) => GameId::Go,
        }
    }

    /// The same rules for another game: where something is dealt, it is dealt from this number, which
    /// is asked for only then.
    pub fn dealt(self, seed: impl FnOnce() -> u64) -> AnyRules {
        match self {
            AnyRules::Iwoki(rules) => AnyRules::Iwoki(rules.dealt(seed())),
            other => other,
        }
    }

    /// The position in which a game under these rules starts.
    pub fn start(self) -> AnyGame {
        match self {
            AnyRules::Sticks(rules) => AnyGame::Sticks(Sticks::new(rules)),
            AnyRules::TicTacToe(rules) => AnyGame::TicTacToe(TicTacToe::new(rules)),
            AnyRules::Dots(rules) => AnyGame::Dots(Dots::new(rules)),
            AnyRules::Iwoki(rules) => AnyGame::Iwoki(Iwoki::new(rules)),
            AnyRules::Go(rules) => AnyGame::Go(Go::new(rules)),
        }
    }
}

impl fmt::Display for AnyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyRules::Sticks(rules) => rules.fmt(f),
            AnyRules::TicTacToe(rules) => rules.fmt(f),
            AnyRules::Dots(rules) => rules.fmt(f),
            AnyRules::Iwoki(rules) => rules.fmt(f),
            AnyRules::Go(rules) => rules.fmt(f),
        }
    }
}

/// A position of any game; its moves are known by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is no heap to put the large ones on, and few of them at a time"
)]
pub enum AnyGame {
    /// 15 sticks.
    Sticks(Sticks),
    /// Tic-tac-toe.
    TicTacToe(TicTacToe),
    /// Dots and boxes.
    Dots(Dots),
    /// Iwoki.
    Iwoki(Iwoki),
    /// Go.
    Go(Go),
}

impl AnyGame {
    /// Which game it is.
    pub const fn id(&self) -> GameId {
        match self {
            AnyGame::Sticks(_) => GameId::Sticks,
            AnyGame::TicTacToe(_) => GameId::TicTacToe,
            AnyGame::Dots(_) => GameId::Dots,
            AnyGame::Iwoki(_) => GameId::Iwoki,
            AnyGame::Go(_) => GameId::Go,
        }
    }

    /// Who is to move.
    pub fn turn(&self) -> Player {
        inside!(self, game => game.turn())
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        inside!(self, game => game.outcome())
    }

    /// Whether the move with this index may be played now.
    pub fn is_legal(&self, index: u16) -> bool {
        { *self }.play(index).is_ok()
    }

    /// Plays the move with this index, or says that it is illegal and changes nothing.
    pub fn play(&mut self, index: u16) -> Result<(), IllegalMove> {
        inside!(self, game => game.play(GameMove::from_index(index).ok_or(IllegalMove)?))
    }

    /// Writes the move with this index in the game's notation.
    pub fn write_move(&self, index: u16, out: &mut impl fmt::Write) -> fmt::Result {
        fn write<G: Game>(_: &G, index: u16, out: &mut impl fmt::Write) -> fmt::Result {
            G::Move::from_index(index).map_or(Ok(()), |mv| write!(out, "{mv}"))
        }
        inside!(self, game => write(game, index, out))
    }
}

/// Most moves in a game of any kind here.
pub const MAX_PLIES: usize = largest([
    Sticks::MAX_PLIES,
    TicTacToe::MAX_PLIES,
    Dots::MAX_PLIES,
    Iwoki::MAX_PLIES,
    Go::MAX_PLIES,
]);

const fn largest<const N: usize>(numbers: [usize; N]) -> usize {
    let mut largest = 0;
    let mut i = 0;
    while i < N {
        if numbers[i] > largest {
            largest = numbers[i];
        }
        i += 1;
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_find_their_game() {
        for id in GameId::ALL {
            assert_eq!(GameId::from_name(id.name()), Some(id));
            assert_eq!(GameId::from_code(id as u8), Some(id));
            assert_eq!(AnyRules::new(id).start().id(), id);
        }
        assert_eq!(GameId::from_name("chess"), None);
        assert_eq!(GameId::from_code(0), None);
    }

    #[test]
    fn any_game_refuses_foreign_indices() {
        for id in GameId::ALL {
            let mut game = AnyRules::new(id).start();
            let before = game;
            assert_eq!(game.play(u16::MAX), Err(IllegalMove));
            assert_eq!(game, before);
        }
    }
}
