//! Synthetic game trees: uniform width and depth, leaf values from a seed. For tests and for
//! lessons about search.
//!
//! ```
//! use dojo_core::{game::Game, search::{Margins, value}};
//! use dojo_lab::search::tree::{Tree, TreeRules};
//! let rules = TreeRules { width: 3, depth: 4, ..TreeRules::default() };
//! assert_eq!(value(&Tree::new(rules), Margins, 4), -44);
//! ```

use std::fmt;

use dojo_core::game::{Game, GameMove, NotationError, Outcome, Player, Rules};

/// Most moves in a position.
pub const WIDTH_MAX: u8 = 16;
/// Longest line.
pub const DEPTH_MAX: u8 = 16;

/// The shape of a tree and where its values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeRules {
    /// Moves in every position, 1 to 16.
    pub width: u8,
    /// Moves in every line, 1 to 16.
    pub depth: u8,
    /// Seed of the leaf values and of repeated turns.
    pub seed: u32,
    /// Leaves are worth between −spread and spread.
    pub spread: u8,
    /// Whether the first move of every position is its best.
    pub ordered: bool,
    /// Whether players sometimes move several times in a row.
    pub again: bool,
}

impl Default for TreeRules {
    fn default() -> TreeRules {
        TreeRules {
            width: 3,
            depth: 4,
            seed: 1,
            spread: 100,
            ordered: false,
            again: false,
        }
    }
}

impl fmt::Display for TreeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |yes| if yes { "yes" } else { "no" };
        let TreeRules {
            width,
            depth,
            seed,
            spread,
            ..
        } = self;
        write!(
            f,
            "width={width} depth={depth} seed={seed} spread={spread} "
        )?;
        write!(
            f,
            "ordered={} again={}",
            word(self.ordered),
            word(self.again)
        )
    }
}

impl Rules for TreeRules {
    fn set(&mut self, key: &str, value: &str) -> Result<(), NotationError> {
        let number = |most: u32| value.parse().ok().filter(|n| (1..=most).contains(n));
        let word = match value {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let expected = |expected| NotationError { expected };
        match key {
            "width" => {
                self.width = number(WIDTH_MAX.into()).ok_or(expected("width= 1 to 16"))? as u8
            }
            "depth" => {
                self.depth = number(DEPTH_MAX.into()).ok_or(expected("depth= 1 to 16"))? as u8
            }
            "spread" => self.spread = number(100).ok_or(expected("spread= 1 to 100"))? as u8,
            "seed" => {
                self.seed = value
                    .parse()
                    .map_err(|_| expected("seed= a whole number"))?
            }
            "ordered" => self.ordered = word.ok_or(expected("ordered=yes or ordered=no"))?,
            "again" => self.again = word.ok_or(expected("again=yes or again=no"))?,
            _ => {
                return Err(expected(
                    "width=, depth=, seed=, spread=, ordered= or again=",
                ));
            }
        }
        Ok(())
    }
}

/// A move: the number of the branch, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(u8);

impl GameMove for Branch {
    fn index(self) -> u16 {
        self.0.into()
    }

    fn from_index(index: u16) -> Option<Branch> {
        (index < WIDTH_MAX.into()).then_some(Branch(index as u8))
    }
}

impl fmt::Display for Branch {
    /// Branches are the letters a to p.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

/// A position: the line that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    rules: TreeRules,
    turn: Player,
    length: u8,
    /// The branches taken, four bits each, the last one lowest.
    path: u64,
    /// In an ordered tree, the minimax value for the first player.
    value: i16,
}

/// A 64-bit integer hash.
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}

impl Tree {
    /// The hash of this position under the seed.
    fn noise(&self) -> u64 {
        mix(self.key() ^ mix(self.rules.seed.into()))
    }

    /// A random value between −spread and spread.
    fn random_value(&self) -> i16 {
        let spread = u64::from(self.rules.spread);
        (self.noise() % (2 * spread + 1)) as i16 - spread as i16
    }

    /// What a leaf is worth for the first player; 0 before the end.
    fn leaf(&self) -> i16 {
        match () {
            _ if self.length < self.rules.depth => 0,
            _ if self.rules.ordered => self.value,
            _ => self.random_value(),
        }
    }
}

impl Game for Tree {
    type Rules = TreeRules;
    type Move = Branch;
    type Moves = std::iter::Map<std::ops::Range<u8>, fn(u8) -> Branch>;

    const NAME: &'static str = "tree";
    const RULES_VERSION: u16 = 1;
    const MAX_MOVES: usize = WIDTH_MAX as usize;
    const MAX_PLIES: usize = DEPTH_MAX as usize;
    const ALTERNATES: bool = false;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = 1;

    fn new(rules: TreeRules) -> Tree {
        let mut root = Tree {
            rules,
            turn: Player::First,
            length: 0,
            path: 0,
            value: 0,
        };
        root.value = root.random_value();
        root
    }

    fn rules(&self) -> TreeRules {
        self.rules
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn legal_moves(&self) -> Self::Moves {
        (0..if self.length < self.rules.depth {
            self.rules.width
        } else {
            0
        })
            .map(Branch)
    }

    fn play_unchecked(&mut self, branch: Branch) {
        let mover = self.turn;
        self.path = self.path << 4 | u64::from(branch.0);
        self.length += 1;
        let noise = self.noise();
        if !self.rules.again || noise & 3 != 0 {
            self.turn = !mover;
        }
        // The first branch keeps the value; every other one costs the mover up to 31.
        if self.rules.ordered && branch.0 > 0 {
            let loss = (noise >> 8) as i16 & 31;
            self.value += if mover == Player::First { -loss } else { loss };
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.length >= self.rules.depth).then(|| match self.leaf() {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        })
    }

    fn margin(&self, player: Player) -> i16 {
        if player == Player::First {
            self.leaf()
        } else {
            -self.leaf()
        }
    }

    fn key(&self) -> u64 {
        // Sixteen moves fill all bits of the path; mixing the length in almost never collides.
        self.path ^ mix(u64::from(self.length) + 1)
    }

    fn parse_move(&self, text: &str) -> Result<Branch, NotationError> {
        match text.as_bytes() {
            &[letter @ b'a'..=b'p'] => Ok(Branch(letter - b'a')),
            _ => Err(NotationError {
                expected: "a branch from a to p",
            }),
        }
    }

    fn parse_position(rules: TreeRules, text: &str) -> Result<Tree, NotationError> {
        let expected = NotationError {
            expected: "the branches that lead to it, such as /aca",
        };
        let mut tree = Tree::new(rules);
        for letter in text.strip_prefix('/').ok_or(expected)?.bytes() {
            tree.play(Branch(letter.wrapping_sub(b'a')))
                .map_err(|_| expected)?;
        }
        Ok(tree)
    }

    fn transformed(&self, _: usize) -> Tree {
        *self
    }

    fn transformed_move(&self, branch: Branch, _: usize) -> Branch {
        branch
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("/")?;
        for step in (0..self.length).rev() {
            write!(f, "{}", Branch((self.path >> (4 * step)) as u8 & 15))?;
        }
        Ok(())
    }
}
