//! The contract that every game fulfils, and what each game gets for it.
//!
//! A game says whose turn it is, which moves are legal, how one is played and what the result is. Checked play,
//! canonical forms, perft and records come from here, written once.

use core::fmt::{Debug, Display};
use core::ops::Not;

use serde::{Deserialize, Serialize};

use crate::rng::Rng;

/// One of the two players, named by who made the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player who starts.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// Both, in the order in which they move.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 for the first player, 1 for the second: for arrays that keep one thing for each.
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
    /// Nobody did.
    Draw,
}

impl Outcome {
    /// 1, 0 or −1 as `player` sees it.
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
/// Moves print as notation. Each also has an index that is unique within its game: histories and saves keep it, and
/// wherever values tie the lowest index is played. Every game has a move 0.
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

    /// The same rules for another game, dealt from this number where something is dealt.
    fn dealt(self, _seed: u64) -> Self {
        self
    }

    /// The same rules if they make sense: what comes from storage is not trusted.
    fn checked(self) -> Option<Self> {
        Some(self)
    }
}

/// A text that is not what the notation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// What should have stood there.
    pub expected: &'static str,
}

impl Display for NotationError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl core::error::Error for NotationError {}

/// The move is not legal in this position; the position was left as it was.
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
    /// Legal moves in order of their index, made without a list.
    type Moves: Iterator<Item = Self::Move> + Clone;

    /// The name used in commands, records and banks.
    const NAME: &'static str;
    /// Changes whenever the numbering of states or moves changes: tables trained for another version are refused.
    const RULES_VERSION: u16;
    /// Most legal moves in any position.
    const MAX_MOVES: usize;
    /// Most moves in any game.
    const MAX_PLIES: usize;
    /// Whether the other player is always to move next.
    const ALTERNATES: bool;
    /// Whether a move can lose the game for the player who makes it.
    const MOVER_CAN_LOSE: bool;
    /// How many symmetries the game has, the identity (number 0) among them.
    const SYMMETRIES: usize;

    /// The position in which a game under these rules starts.
    fn new(rules: Self::Rules) -> Self;

    /// The rules it is played under.
    fn rules(&self) -> Self::Rules;

    /// Who is to move (or would be, in a finished game).
    fn turn(&self) -> Player;

    /// All legal moves, none once the game is over.
    fn legal_moves(&self) -> Self::Moves;

    /// Plays a move that the caller knows to be legal. An illegal one leaves a position without meaning, but never
    /// an unsafe one.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A number for hashing and for tables: positions that play alike from the mover's side share it, others do not
    /// (or, in games too large for that, almost never do).
    fn key(&self) -> u64;

    /// Reads a move in this position's notation. It need not be legal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// Reads a position under these rules: what `Display` prints. Positions that no game reaches are refused.
    fn parse_position(rules: Self::Rules, text: &str) -> Result<Self, NotationError>;

    /// The position as symmetry number `symmetry` (below [`Game::SYMMETRIES`]) shows it.
    fn transformed(&self, symmetry: usize) -> Self;

    /// The move that corresponds to `mv` under the same symmetry.
    fn transformed_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;

    /// How many entries of the game's own list a legal move stands for: moves that come to the same are listed once.
    fn weight(&self, _mv: Self::Move) -> u32 {
        1
    }

    /// Whether the move may be played now.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().any(|legal| legal == mv)
    }

    /// Plays a move, or says that it is illegal and changes nothing.
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

    /// By how much `player` won: boxes, points or area; 1, 0 or −1 in games that only know winners. 0 while the game
    /// is on.
    fn margin(&self, player: Player) -> i16 {
        self.outcome()
            .map_or(0, |outcome| outcome.value_for(player).into())
    }

    /// The one position that stands for all its symmetric images: the image with the lowest key.
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

/// A game in which players do not see everything.
pub trait Hidden: Game {
    /// A position that `observer` cannot tell from this one: what is hidden from that player is dealt anew, each
    /// possibility as likely as the observer has reason to think. Who is to move and which moves `observer` has stay
    /// the same.
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
