//! The contract that every game implements.
//!
//! A game says whose turn it is, which moves are legal, how a move changes the position and what
//! the outcome is. Checked play, canonical forms, perft and records are provided for all games.

use core::fmt::{Debug, Display};
use core::ops::Not;

use serde::{Deserialize, Serialize};

use crate::rng::Rng;

/// One of the two players, named by the order of their first moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player who starts.
    First,
    /// The player who moves second.
    Second,
}

impl Player {
    /// Both players, in the order of [`Player::index`].
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 for the first player, 1 for the second, for arrays with one element a player.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// 1 if `player` won, 0 for a draw, −1 if `player` lost.
    pub fn value_for(self, player: Player) -> i8 {
        match self {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == player => 1,
            Outcome::Win(_) => -1,
        }
    }

    /// The word used in records: `first`, `second` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win(player) => player.name(),
            Outcome::Draw => "draw",
        }
    }

    /// Reads what [`Outcome::name`] writes.
    pub fn from_name(name: &str) -> Option<Outcome> {
        [
            Outcome::Win(Player::First),
            Outcome::Win(Player::Second),
            Outcome::Draw,
        ]
        .into_iter()
        .find(|outcome| outcome.name() == name)
    }
}

/// A move, small enough to be copied freely.
///
/// Moves print as notation. Each also has an index that is unique within its game: histories and
/// saves store it, and the lowest index wins ties. Every game has a move 0.
pub trait GameMove: Copy + Eq + Ord + Debug + Display {
    /// The number of this move within its game.
    fn index(self) -> u16;

    /// The move with this number, if there is one. Whether it is legal depends on the position.
    fn from_index(index: u16) -> Option<Self>;
}

/// The options of a game. They print as the `key=value` pairs of a record's header.
pub trait Rules: Copy + Eq + Default + Debug + Display {
    /// Sets one option by name.
    fn set(&mut self, key: &str, value: &str) -> Result<(), NotationError>;

    /// Whether something is dealt before a game starts.
    const DEALS: bool = false;

    /// The same rules with another deal, if [`Rules::DEALS`].
    fn dealt(self, _seed: u64) -> Self {
        self
    }

    /// The rules if they are valid, for rules that come from storage.
    fn checked(self) -> Option<Self> {
        Some(self)
    }
}

/// A text that does not match the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// What was expected instead.
    pub expected: &'static str,
}

impl Display for NotationError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for NotationError {}

/// The move is not legal in this position; the position is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove;

impl Display for IllegalMove {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the move is not legal here")
    }
}

impl core::error::Error for IllegalMove {}

/// A position of a game, with its rules.
///
/// `Display` prints the position as one line of text that [`Game::parse_position`] reads back.
pub trait Game: Clone + Eq + Debug + Display {
    /// The game's options.
    type Rules: Rules;
    /// The game's moves.
    type Move: GameMove;
    /// Iterator over the legal moves in order of their index.
    type Moves: Iterator<Item = Self::Move> + Clone;

    /// The name used in commands, records and banks.
    const NAME: &'static str;
    /// Version of the numbering of states and moves: models trained for another version are
    /// refused.
    const RULES_VERSION: u16;
    /// Most legal moves in any position.
    const MAX_MOVES: usize;
    /// Most moves in any game.
    const MAX_PLIES: usize;
    /// Whether turns strictly alternate.
    const ALTERNATES: bool;
    /// Whether a move can lose the game for the player who makes it.
    const MOVER_CAN_LOSE: bool;
    /// How many symmetries the game has, the identity (number 0) among them.
    const SYMMETRIES: usize;

    /// The position in which a game under these rules starts.
    fn new(rules: Self::Rules) -> Self;

    /// The rules of this game.
    fn rules(&self) -> Self::Rules;

    /// Who is to move (or would be, in a finished game).
    fn turn(&self) -> Player;

    /// All legal moves; none once the game is over.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a move that the caller knows to be legal. An illegal one leaves a meaningless
    /// position; it never panics.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash key: equal for positions that are equivalent for the player to move, different for
    /// all others (in large games: almost always different).
    fn key(&self) -> u64;

    /// Reads a move in this position's notation. It need not be legal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// Reads a position in the form that `Display` prints. Unreachable positions are refused.
    fn parse_position(rules: Self::Rules, text: &str) -> Result<Self, NotationError>;

    /// The image of the position under symmetry number `symmetry`, below [`Game::SYMMETRIES`].
    fn transformed(&self, symmetry: usize) -> Self;

    /// The move that corresponds to `mv` under the same symmetry.
    fn transformed_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;

    /// Number of equivalent moves that a legal move stands for: equivalent moves are listed once.
    fn weight(&self, _mv: Self::Move) -> u32 {
        1
    }

    /// Whether the move may be played now.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().any(|legal| legal == mv)
    }

    /// Plays a move; an illegal one is refused and changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// The position after a move that the caller knows to be legal.
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }

    /// Whether the game has ended.
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// By how much `player` won: boxes, points or area; 1, 0 or −1 in games without a score. 0
    /// while the game is unfinished.
    fn margin(&self, player: Player) -> i16 {
        self.outcome()
            .map_or(0, |outcome| outcome.value_for(player).into())
    }

    /// The canonical representative of all symmetric images: the one with the lowest key.
    fn canonical(&self) -> Self {
        (1..Self::SYMMETRIES)
            .map(|s| self.transformed(s))
            .fold(self.clone(), |best, image| {
                if image.key() < best.key() {
                    image
                } else {
                    best
                }
            })
    }
}

/// A game with hidden information.
pub trait Hidden: Game {
    /// A determinization: everything hidden from `observer` is dealt anew, with the probabilities
    /// that follow from what the observer knows. The player to move and the observer's own moves
    /// stay the same.
    fn determinized(&self, observer: Player, rng: &mut Rng) -> Self;
}

/// Counts the move sequences of exactly `depth` moves; finished games are not continued.
///
/// ```
/// use dojo_core::{game::{Game, perft}, games::TicTacToe};
/// assert_eq!(perft(&TicTacToe::new(Default::default()), 3), 9 * 8 * 7);
/// ```
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.legal_moves().count() as u64,
        _ => game
            .legal_moves()
            .map(|mv| perft(&game.after(mv), depth - 1))
            .sum(),
    }
}
