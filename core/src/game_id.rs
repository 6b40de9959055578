//! The one list of games.
//!
//! A game is a row here and a folder in `games/`. Everything that has to know all games is
//! generated from the list by [`for_each_game`](crate::for_each_game): a game that is forgotten
//! somewhere does not compile.

use serde::{Deserialize, Serialize};

/// Calls another macro with the list of games, behind the given arguments in brackets.
///
/// A row is the game's type, the type of its rules, its number in banks and saves (never reused),
/// the name in commands and records, the title on the screen, and the version of its numbering of
/// states and moves: a model trained for another version is refused. The order is that of the menu;
/// saves depend on it, so new games come last.
///
/// ```
/// macro_rules! count {
///     ([$start:literal] $($Game:ident: $Rules:ident = $rest:tt;)*) => { $start $(+ { stringify!($Game); 1 })* };
/// }
/// assert_eq!(dojo_core::for_each_game!({ count } 0), dojo_core::game_id::GameId::ALL.len());
/// ```
#[macro_export]
macro_rules! for_each_game {
    ({ $($callback:tt)* } $($arguments:tt)*) => {
        $($callback)*! { [$($arguments)*]
            Sticks: SticksRules = (1, "sticks", "15 sticks", 1);
            TicTacToe: TicTacToeRules = (2, "tictactoe", "Tic-tac-toe", 1);
            Dots: DotsRules = (3, "dots", "Dots and boxes", 1);
            Iwoki: IwokiRules = (4, "iwoki", "Iwoki", 1);
            Go: GoRules = (5, "go", "Go", 1);
            Connect4: Connect4Rules = (6, "connect4", "Connect Four", 1);
        }
    };
}

macro_rules! identifiers {
    ([] $($Game:ident: $Rules:ident = ($number:literal, $name:literal, $title:literal, $version:literal);)*) => {
        /// A game. The numbers are stored in banks and saves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "named after the games")]
        pub enum GameId {
            $($Game = $number,)*
        }

        impl GameId {
            /// All games, in the order of the menu.
            pub const ALL: [GameId; [$($number),*].len()] = [$(GameId::$Game),*];

            /// The name used in commands and records.
            pub const fn name(self) -> &'static str {
                match self {
                    $(GameId::$Game => $name,)*
                }
            }

            /// The name on the screen.
            pub const fn title(self) -> &'static str {
                match self {
                    $(GameId::$Game => $title,)*
                }
            }

            /// The version of the game's numbering of states and moves.
            pub const fn rules_version(self) -> u16 {
                match self {
                    $(GameId::$Game => $version,)*
                }
            }
        }
    };
}
for_each_game!({ identifiers });

impl GameId {
    /// The game of this name.
    pub fn from_name(name: &str) -> Option<GameId> {
        GameId::ALL.into_iter().find(|id| id.name() == name)
    }

    /// The game with this number.
    pub fn from_code(code: u8) -> Option<GameId> {
        GameId::ALL.into_iter().find(|id| *id as u8 == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_find_their_game() {
        for id in GameId::ALL {
            assert_eq!(GameId::from_name(id.name()), Some(id));
            assert_eq!(GameId::from_code(id as u8), Some(id));
        }
        assert_eq!(GameId::from_name("chess"), None);
        assert_eq!(GameId::from_code(0), None);
    }
}
