//! The games, and types that hold any of them.
//!
//! Each game has a folder with its rules, evaluations, players, belts and learners. [`thinking`]
//! asks the belts of any game, [`pupil`] trains on the device, [`speed`] measures the machine. A
//! new game is a row in [`for_each_game`] and its folder.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::for_each_game;
use crate::game::{Game, GameMove, IllegalMove, Outcome, Player, Rules};
use crate::record::parse_rules;

pub mod apprentice;
pub mod connect4;
pub mod dots;
pub mod go;
pub mod iwoki;
pub mod pupil;
pub mod speed;
pub mod sticks;
pub mod thinking;
pub mod tictactoe;

pub use crate::game_id::GameId;
pub use connect4::{Connect4, Connect4Rules};
pub use dots::{Dots, DotsRules};
pub use go::{Go, GoRules};
pub use iwoki::{Iwoki, IwokiRules};
pub use sticks::{Sticks, SticksRules};
pub use tictactoe::{TicTacToe, TicTacToeRules};

/// Evaluates an expression with the type of a [`GameId`]'s game.
///
/// ```
/// use dojo_core::{game::Game, games::GameId, with_game};
/// assert_eq!(with_game!(GameId::TicTacToe, G => G::MAX_MOVES), 9);
/// ```
#[macro_export]
macro_rules! with_game {
    ([($id:expr) $G:ident ($body:expr)] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        match $id {
            $($crate::games::GameId::$Game => {
                type $G = $crate::games::$Game;
                $body
            })*
        }
    };
    ($id:expr, $G:ident => $body:expr) => {
        $crate::for_each_game!({ $crate::with_game } ($id) $G ($body))
    };
}

/// Evaluates an expression with the content of an enum that has one variant for each game.
///
/// ```
/// use dojo_core::{game::Game, games::{AnyGame, AnyRules, GameId}, inside};
/// let game = AnyRules::new(GameId::Dots).start();
/// assert_eq!(inside!(AnyGame, &game, game => game.legal_moves().count()), 12);
/// ```
#[macro_export]
macro_rules! inside {
    ([$Any:ident ($any:expr) $inside:ident ($body:expr)] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        match $any {
            $($Any::$Game($inside) => $body,)*
        }
    };
    ($Any:ident, $any:expr, $inside:ident => $body:expr) => {
        $crate::for_each_game!({ $crate::inside } $Any ($any) $inside ($body))
    };
}

macro_rules! any_game {
    ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        /// The options of any game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "named after the games")]
        pub enum AnyRules {
            $($Game($Rules),)*
        }

        impl AnyRules {
            /// The default rules of a game.
            pub fn new(id: GameId) -> AnyRules {
                match id {
                    $(GameId::$Game => AnyRules::$Game($Rules::default()),)*
                }
            }

            /// The rules of a game from the options of a record, `key=value` each; `None` if there
            /// are no such options.
            pub fn parse(id: GameId, options: &str) -> Option<AnyRules> {
                let words = options.split_whitespace();
                match id {
                    $(GameId::$Game => {
                        let rules = parse_rules::<$Rules>(words).ok()?;
                        rules.checked().map(AnyRules::$Game)
                    })*
                }
            }

            /// The rules if they are valid, else the default ones; for rules that come from
            /// storage.
            pub fn checked(self) -> AnyRules {
                match self {
                    $(AnyRules::$Game(rules) => AnyRules::$Game(rules.checked().unwrap_or_default()),)*
                }
            }

            /// The game of these rules.
            pub const fn id(&self) -> GameId {
                match self {
                    $(AnyRules::$Game(_) => GameId::$Game,)*
                }
            }

            /// The same rules with another deal. `seed` is called only if the game deals.
            pub fn dealt(self, seed: impl FnOnce() -> u64) -> AnyRules {
                match self {
                    $(AnyRules::$Game(rules) if $Rules::DEALS => AnyRules::$Game(rules.dealt(seed())),)*
                    other => other,
                }
            }

            /// The position in which a game under these rules starts.
            pub fn start(self) -> AnyGame {
                match self {
                    $(AnyRules::$Game(rules) => AnyGame::$Game($Game::new(rules)),)*
                }
            }
        }

        /// A position of any game; moves are given by their index.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "named after the games")]
        #[expect(
            clippy::large_enum_variant,
            reason = "there is no heap to put the large ones on, and few of them at a time"
        )]
        pub enum AnyGame {
            $($Game($Game),)*
        }

        impl AnyGame {
            /// The game.
            pub const fn id(&self) -> GameId {
                match self {
                    $(AnyGame::$Game(_) => GameId::$Game,)*
                }
            }

            /// The rules of this game.
            pub fn rules(&self) -> AnyRules {
                match self {
                    $(AnyGame::$Game(game) => AnyRules::$Game(game.rules()),)*
                }
            }
        }

        /// Most moves in any game of the list.
        pub const MAX_PLIES: usize = largest([$($Game::MAX_PLIES),*]);
    };
}
for_each_game!({ any_game });

impl fmt::Display for AnyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        inside!(AnyRules, self, rules => rules.fmt(f))
    }
}

impl AnyGame {
    /// Who is to move.
    pub fn turn(&self) -> Player {
        inside!(AnyGame, self, game => game.turn())
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        inside!(AnyGame, self, game => game.outcome())
    }

    /// Whether the move with this index may be played now.
    pub fn is_legal(&self, index: u16) -> bool {
        inside!(AnyGame, self, game => GameMove::from_index(index).is_some_and(|mv| game.is_legal(mv)))
    }

    /// Plays the move with this index; an illegal one is refused and changes nothing.
    pub fn play(&mut self, index: u16) -> Result<(), IllegalMove> {
        inside!(AnyGame, self, game => game.play(GameMove::from_index(index).ok_or(IllegalMove)?))
    }

    /// The index of a move in the game's notation. It need not be legal.
    pub fn parse_move(&self, text: &str) -> Option<u16> {
        inside!(AnyGame, self, game => game.parse_move(text).ok().map(GameMove::index))
    }

    /// Writes the move with this index in the game's notation.
    pub fn write_move(&self, index: u16, out: &mut impl fmt::Write) -> fmt::Result {
        fn write<G: Game>(_: &G, index: u16, out: &mut impl fmt::Write) -> fmt::Result {
            G::Move::from_index(index).map_or(Ok(()), |mv| write!(out, "{mv}"))
        }
        inside!(AnyGame, self, game => write(game, index, out))
    }
}

pub(crate) const fn largest<const N: usize>(numbers: [usize; N]) -> usize {
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
    fn any_game_is_the_game_that_was_asked_for() {
        for id in GameId::ALL {
            assert_eq!(AnyRules::new(id).id(), id);
            assert_eq!(AnyRules::new(id).start().id(), id);
            assert_eq!(with_game!(id, G => G::NAME), id.name());
        }
    }

    #[test]
    fn rules_are_read_as_they_print() {
        for id in GameId::ALL {
            let rules = AnyRules::new(id);
            let text = alloc::format!("{rules}");
            assert_eq!(AnyRules::parse(id, &text), Some(rules), "{text}");
            assert_eq!(AnyRules::parse(id, "colour=red"), None);
        }
        let text = "rows=1,0,7 misere=no";
        let rules = AnyRules::parse(GameId::Sticks, text);
        assert_eq!(
            rules.map(|rules| alloc::format!("{rules}")).as_deref(),
            Some(text)
        );
    }

    #[test]
    fn any_game_refuses_foreign_indices() {
        for id in GameId::ALL {
            let mut game = AnyRules::new(id).start();
            let before = game;
            assert!(!game.is_legal(u16::MAX));
            assert_eq!(game.play(u16::MAX), Err(IllegalMove));
            assert_eq!(game, before);
        }
    }
}
