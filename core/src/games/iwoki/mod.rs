//! Iwoki for two: tiles with numbers are laid so that the numbers agree; agreement earns points.
//!
//! Hexagonal tiles lie on 55 gaps, small tiles between three of them. A small tile puts sums (+
//! face) or differences (− face) of its corners on the vertices it touches. Once a player has laid
//! the last small tile of the hand, the opponent has one more turn; small tiles still held then
//! cost points.
//!
//! ```
//! use dojo_core::{game::{Game, Player}, games::{Iwoki, IwokiRules}};
//! let mut game = Iwoki::new(IwokiRules::default());
//! let opening = game.legal_moves().next().unwrap();
//! assert_eq!(opening.to_string(), "sp1:123+:H1_H4_H5");
//! game.play(opening).unwrap();
//! assert_eq!(game.hand(Player::First).points(), 5);
//! ```
//!
//! # Reading directions
//! 1. `tiles.rs` and `board.rs` have the pieces and their places, `hand.rs` hands, bags and the
//!    deal.
//! 2. `laid.rs` finds the shapes that fit a gap, by one AND of bit sets (`bits.rs`) for each
//!    touched vertex. `actions.rs` lists the legal actions from that. This file has the turns.
//! 3. `features.rs`, `values.rs` and `players.rs` are the evaluations and players; `notation.rs`
//!    and `record.rs` the text forms.
//!
//! A position takes 280 bytes.
//!
//! # Chance and hidden information
//! The deal and the order of both bags follow from a seed in the rules: the same actions always
//! draw the same tiles, so that a game can be taken back, saved as its moves and searched. In the
//! **open** form both players know all of it. In the **normal** form they know neither the
//! opponent's small tiles nor the bags: players there search [`Hidden::determinized`] positions
//! only.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Hidden, NotationError, Outcome, Player, Rules};
use crate::game_id::GameId;
use crate::rng::Rng;

mod actions;
mod bits;
pub mod board;
mod features;
mod hand;
mod laid;
mod notation;
pub mod players;
pub mod record;
pub mod tiles;
mod values;

pub use actions::{Action, Actions, What};
pub use bits::Bits;
use board::{HEX_GAPS, SMALL_GAPS};
pub use features::{FEATURES, Features, features};
use hand::Bag;
pub use hand::{Deal, Hand};
use laid::Laid;
pub use notation::SmallGapName;
use tiles::{HEX_TILES, HexShape, SMALL_TILES, SmallShape};
pub use values::FinalCounts;

/// Number of players. Hands are arrays of this size; the order of turns and the outcome assume two.
pub const PLAYERS: usize = Player::BOTH.len();
/// Small tiles dealt to each player.
pub const SMALL_DEALT: usize = 9;
/// Hexagonal tiles dealt to each player.
pub const HEX_DEALT: usize = 3;
/// White tokens that buy a hexagonal tile.
pub const TOKENS: u8 = 3;

const SMALL_BAG: usize = SMALL_TILES - PLAYERS * SMALL_DEALT;
const HEX_BAG: usize = HEX_TILES - PLAYERS * HEX_DEALT;

/// Whether hands and bags are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// The opponent's small tiles and the order of the bags are hidden.
    Normal,
    /// Perfect information.
    Open,
}

/// The form of the game, and the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IwokiRules {
    /// Whether hands and bags are hidden.
    pub form: Form,
    /// Seed of hands and bags.
    pub deal: u64,
}

impl Default for IwokiRules {
    fn default() -> IwokiRules {
        IwokiRules {
            form: Form::Normal,
            deal: 1,
        }
    }
}

impl fmt::Display for IwokiRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::Normal => "normal",
            Form::Open => "open",
        };
        write!(f, "form={form} deal={}", self.deal)
    }
}

impl Rules for IwokiRules {
    fn set(&mut self, key: &str, value: &str) -> Result<(), NotationError> {
        match (key, value) {
            ("form", "normal") => self.form = Form::Normal,
            ("form", "open") => self.form = Form::Open,
            ("form", _) => {
                return Err(NotationError {
                    expected: "form=normal or form=open",
                });
            }
            ("deal", _) => {
                self.deal = value.parse().map_err(|_| NotationError {
                    expected: "deal= a number below 2^64",
                })?;
            }
            _ => {
                return Err(NotationError {
                    expected: "form= or deal=",
                });
            }
        }
        Ok(())
    }

    const DEALS: bool = true;

    fn dealt(self, seed: u64) -> IwokiRules {
        IwokiRules { deal: seed, ..self }
    }
}

/// A position: the tiles on the board, in the hands and in the bags, and the state of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Iwoki {
    laid: Laid,
    hands: [Hand; PLAYERS],
    /// Kinds of small tiles, in the order in which they are drawn.
    small_bag: Bag<SMALL_BAG>,
    hex_bag: Bag<HEX_BAG>,
    rules: IwokiRules,
    turn: Player,
    /// Whether the player to move has drawn in this turn.
    drew: bool,
    /// Turns that ended by passing since the last tile was laid.
    passes: u8,
    /// The player who ran out of small tiles first. The game is over when it would be that player's
    /// turn again.
    ending: Option<Player>,
    over: bool,
}

// A position is copied at every node of a search, so it has to stay small.
const _: () = assert!(core::mem::size_of::<Iwoki>() <= 320);

impl Iwoki {
    /// A game with this deal, whatever seed the rules name.
    pub fn with_deal(rules: IwokiRules, deal: &Deal) -> Iwoki {
        let (hands, small_bag, hex_bag) = deal.shared_out();
        Iwoki {
            laid: Laid::NOTHING,
            hands,
            small_bag,
            hex_bag,
            rules,
            turn: Player::First,
            drew: false,
            passes: 0,
            ending: None,
            over: false,
        }
    }

    /// A player's tiles, points and tokens.
    #[inline]
    pub fn hand(&self, player: Player) -> &Hand {
        &self.hands[player.index()]
    }

    /// The hexagonal tile on a gap.
    pub fn hex_on(&self, gap: usize) -> Option<HexShape> {
        self.laid.hex(gap)
    }

    /// The small tile on a gap.
    pub fn small_on(&self, gap: usize) -> Option<SmallShape> {
        self.laid.small(gap)
    }

    /// Number of small tiles in the bag.
    pub fn smalls_left(&self) -> usize {
        self.small_bag.left()
    }

    /// Number of hexagonal tiles in the bag.
    pub fn hexes_left(&self) -> usize {
        self.hex_bag.left()
    }

    /// Whether the board is empty.
    pub fn is_opening(&self) -> bool {
        self.laid.is_empty()
    }

    /// Whether the player to move has drawn in this turn.
    pub fn has_drawn(&self) -> bool {
        self.drew
    }

    /// The player who has run out of small tiles, so that the opponent has the last turn.
    pub fn ending(&self) -> Option<Player> {
        self.ending
    }

    /// Whether drawing is allowed now.
    pub fn can_draw(&self) -> bool {
        !self.over && !self.drew && !self.laid.is_empty() && self.small_bag.left() > 0
    }

    /// Points that an action earns at once.
    #[inline]
    pub fn points_of(&self, action: Action) -> u8 {
        match action.what() {
            What::Small { gap, shape } => self.laid.small_points(gap, shape),
            What::Hex { gap, shape } => self.laid.hex_points(gap, shape),
            What::Draw | What::Pass => 0,
        }
    }

    /// Final count of `player` minus the opponent's, as if the game were over now.
    #[inline]
    pub fn lead(&self, player: Player) -> i16 {
        self.hand(player).final_count() - self.hand(!player).final_count()
    }

    /// The kinds of small tiles that fit an open gap, held by anybody or not, as a bit each.
    pub fn fitting_kinds(&self) -> u16 {
        let shapes = |gap| {
            if self.laid.is_empty() {
                Bits([u32::MAX; 3])
            } else {
                self.laid.small_fits(gap)
            }
        };
        let kinds = self.laid.open_smalls().flat_map(shapes);
        kinds.fold(0, |kinds, shape| {
            kinds | 1 << SmallShape(shape as u8).kind()
        })
    }

    /// Every action of the game's own list: equal tiles and ways that look alike are listed
    /// separately.
    pub fn all_actions(&self) -> impl Iterator<Item = Action> {
        let game = *self;
        self.legal_moves()
            .flat_map(move |action| core::iter::repeat_n(action, game.weight(action) as usize))
    }

    /// Gives the player to move a white token; the third one buys a hexagonal tile.
    fn token(&mut self) {
        let hand = &mut self.hands[self.turn.index()];
        hand.tokens += 1;
        if hand.tokens >= TOKENS {
            hand.tokens = 0;
            if let Some(tile) = self.hex_bag.draw() {
                hand.add_hex(tile.into());
            }
        }
    }

    /// The same position with the opponent to move, as the published search assumes after a draw.
    pub fn turn_given_up(&self) -> Iwoki {
        let mut next = *self;
        next.end_turn();
        next
    }

    fn end_turn(&mut self) {
        let next = !self.turn;
        self.over = usize::from(self.passes) >= PLAYERS || self.ending == Some(next);
        self.drew = false;
        self.turn = next;
    }
}

impl Game for Iwoki {
    type Rules = IwokiRules;
    type Move = Action;
    type Moves = Actions;

    const NAME: &'static str = GameId::Iwoki.name();
    const RULES_VERSION: u16 = GameId::Iwoki.rules_version();
    // An upper bound that no game comes near: all shapes that agree with a single number, in every
    // gap.
    const MAX_MOVES: usize = SMALL_GAPS * 11 + HEX_GAPS * 46 + 1;
    // Every tile laid, every small tile drawn, a pass after each tile and two at the end.
    const MAX_PLIES: usize = 2 * (SMALL_TILES + HEX_TILES) + SMALL_BAG + 2;
    const ALTERNATES: bool = false;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = 1;

    fn new(rules: IwokiRules) -> Iwoki {
        Iwoki::with_deal(rules, &Deal::new(rules.deal))
    }

    fn rules(&self) -> IwokiRules {
        self.rules
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn legal_moves(&self) -> Actions {
        Actions::new(self)
    }

    fn weight(&self, action: Action) -> u32 {
        match action.what() {
            What::Small { shape, .. } => {
                let alike = if self.laid.is_empty() {
                    1
                } else {
                    shape.alike()
                };
                u32::from(alike) * u32::from(self.hand(self.turn).count(shape.kind()))
            }
            _ => 1,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        let points = i16::from(self.points_of(action));
        let hand = &mut self.hands[self.turn.index()];
        match action.what() {
            What::Small { gap, shape } => {
                hand.points += points;
                hand.remove_small(shape.kind());
                self.laid.put_small(gap, shape);
                self.passes = 0;
                if hand.held() == 0 && self.ending.is_none() {
                    self.ending = Some(self.turn);
                }
                if shape.is_minus() {
                    self.token();
                }
            }
            What::Hex { gap, shape } => {
                hand.points += points;
                hand.remove_hex(shape.tile());
                self.laid.put_hex(gap, shape);
                self.passes = 0;
            }
            What::Draw => {
                if let Some(kind) = self.small_bag.draw() {
                    hand.add_small(kind.into());
                }
                self.drew = true;
                self.token();
                return;
            }
            What::Pass => {
                self.passes = self.passes.saturating_add(1);
                self.token();
            }
        }
        self.end_turn();
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.over {
            return None;
        }
        Some(match self.lead(Player::First) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        })
    }

    fn margin(&self, player: Player) -> i16 {
        if self.over { self.lead(player) } else { 0 }
    }

    fn key(&self) -> u64 {
        let me = self.turn;
        let hands = [me, !me]
            .into_iter()
            .flat_map(|player| self.hand(player).words());
        let bags = self.small_bag.words().chain(self.hex_bag.words());
        let ending = self.ending.map_or(0, |player| 1 + u32::from(player == me));
        let lead = (self.hand(me).points - self.hand(!me).points) as u32;
        let state = lead << 8
            | u32::from(self.over) << 6
            | u32::from(self.drew) << 5
            | u32::from(self.passes) << 2
            | ending;
        let words = self.laid.words().chain(hands).chain(bags).chain([state]);
        let key = words.fold(0x9E37_79B9_7F4A_7C15_u64, |key, word| {
            (key ^ u64::from(word))
                .wrapping_mul(0x2545_F491_4F6C_DD1D)
                .rotate_left(29)
        });
        // Tables index by the low bits, so the high bits are folded in.
        key ^ key >> 32
    }

    fn parse_move(&self, text: &str) -> Result<Action, NotationError> {
        notation::parse_action(text)
    }

    fn parse_position(rules: IwokiRules, text: &str) -> Result<Iwoki, NotationError> {
        notation::parse_position(rules, text)
    }

    fn transformed(&self, _: usize) -> Iwoki {
        *self
    }

    fn transformed_move(&self, action: Action, _: usize) -> Action {
        action
    }

    fn is_legal(&self, action: Action) -> bool {
        match action.what() {
            _ if self.over => false,
            What::Draw => self.can_draw(),
            What::Pass => !self.can_draw() && self.legal_moves().next() == Some(Action::PASS),
            // Checking one gap is quicker than listing all.
            What::Small { gap, shape } if !self.laid.is_empty() => {
                self.laid.open_smalls().contains(gap)
                    && self.hand(self.turn).count(shape.kind()) > 0
                    && self.laid.small_fits(gap).contains(shape.0.into())
            }
            What::Hex { gap, shape } if !self.laid.is_empty() => {
                self.laid.open_hexes().contains(gap)
                    && self.hand(self.turn).has_hex(shape.tile())
                    && self.laid.hex_fits(gap).contains(shape.0.into())
            }
            _ => self.legal_moves().any(|legal| legal == action),
        }
    }
}

/// Redistributes all tiles that the observer has not seen uniformly. It does not infer anything
/// from the opponent's draws.
impl Hidden for Iwoki {
    fn determinized(&self, observer: Player, rng: &mut Rng) -> Iwoki {
        let mut world = *self;
        let mut unseen: heapless::Vec<u8, SMALL_TILES> = heapless::Vec::new();
        for player in Player::BOTH
            .into_iter()
            .filter(|&player| player != observer)
        {
            for kind in self.hand(player).smalls() {
                let _ = unseen.push(kind as u8);
            }
            world.hands[player.index()].clear_smalls();
        }
        let _ = unseen.extend_from_slice(self.small_bag.rest());
        hand::shuffle(&mut unseen, rng);
        for player in Player::BOTH
            .into_iter()
            .filter(|&player| player != observer)
        {
            for _ in 0..self.hand(player).held() {
                if let Some(kind) = unseen.pop() {
                    world.hands[player.index()].add_small(kind.into());
                }
            }
        }
        world.small_bag.replace_rest(&unseen);
        hand::shuffle(world.hex_bag.rest_mut(), rng);
        world
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiles::{HEX_FITS, HexShapes, SMALL_FITS, SmallShapes};

    /// [`Game::MAX_MOVES`] rests on these counts.
    #[test]
    fn no_single_number_lets_more_shapes_in_than_the_bound_says() {
        let smalls = SMALL_FITS
            .iter()
            .flat_map(|values| &values[..7])
            .map(|set: &SmallShapes| set.count())
            .max();
        assert_eq!(smalls, Some(11));
        let number = |(vertex, values): (usize, &[HexShapes; 8])| {
            (0..7)
                .map(|value| values[value].without(&tiles::HEX_WILD[vertex]).count())
                .max()
        };
        assert_eq!(
            HEX_FITS.iter().enumerate().filter_map(number).max(),
            Some(46)
        );
    }

    #[test]
    fn the_key_knows_who_leads() {
        let game = Iwoki::new(IwokiRules::default());
        let with = |points: [i16; 2]| {
            let mut game = game;
            game.hands
                .iter_mut()
                .zip(points)
                .for_each(|(hand, points)| hand.points = points);
            game.key()
        };
        assert!(with([3, 1]) != with([1, 3]) && with([3, 1]) != with([4, 0]));
        assert_eq!(with([3, 1]), with([7, 5]), "only the lead matters");
    }

    #[test]
    fn positions_that_no_game_reaches_are_refused() {
        let mut game = Iwoki::new(IwokiRules::default());
        for _ in 0..8 {
            let action = game.legal_moves().next().unwrap();
            game.play(action).unwrap();
        }
        let text = alloc::format!("{game}");
        assert_eq!(Iwoki::parse_position(game.rules(), &text), Ok(game));
        let words: alloc::vec::Vec<&str> = text.split(' ').collect();
        for (at, word) in [
            (0, "third"),
            (1, "d"),
            (2, "9"),
            (3, "first"),
            (4, "99"),
            (4, "+0"),
            (5, "3"),
            (6, "a"),
            (7, "-"),
            (12, "l"),
        ] {
            let mut other = words.clone();
            other[at] = word;
            assert!(
                Iwoki::parse_position(game.rules(), &other.join(" ")).is_err(),
                "{at} {word}"
            );
        }
        // A tile that touches no other.
        let moved = text.replacen("H1_H4_H5", "H35_H49_H36", 1);
        assert!(moved != text && Iwoki::parse_position(game.rules(), &moved).is_err());
    }

    #[test]
    fn kinds_fit_if_they_could_be_laid() {
        let mut rng = Rng::new(8);
        let mut game = Iwoki::new(IwokiRules::default());
        while let Some(action) = rng.pick(game.legal_moves()) {
            let small = |action: Action| match action.what() {
                What::Small { shape, .. } => Some(shape.kind()),
                _ => None,
            };
            let laid = game
                .legal_moves()
                .filter_map(small)
                .fold(0, |kinds, kind| kinds | 1 << kind);
            let held = game.hand(game.turn()).kinds();
            let held = held.fold(0u16, |kinds, kind| kinds | 1 << kind);
            assert_eq!(game.fitting_kinds() & held, laid);
            game.play(action).unwrap();
        }
    }

    #[test]
    fn the_third_token_buys_a_tile_while_there_are_any() {
        let mut game = Iwoki::new(IwokiRules::default());
        let minus = game
            .legal_moves()
            .find(|action| matches!(action.what(), What::Small { shape, .. } if shape.is_minus()));
        game.play(minus.unwrap()).unwrap();
        assert_eq!(game.hand(Player::First).tokens(), 1);
        // Drawing whenever possible earns at least one token per turn: after three turns a tile has
        // been bought.
        let before = game.hexes_left();
        let mut tokens = 1;
        while game.hexes_left() == before {
            let action = if game.can_draw() {
                Action::DRAW
            } else {
                game.legal_moves().next().unwrap()
            };
            tokens += u32::from(match action.what() {
                What::Small { shape, .. } => shape.is_minus(),
                What::Hex { .. } => false,
                _ => true,
            });
            game.play(action).unwrap();
        }
        let held = Player::BOTH.map(|player| u32::from(game.hand(player).tokens()));
        assert_eq!(held[0] + held[1] + u32::from(TOKENS), tokens);
        assert_eq!(game.hexes_left(), before - 1);
        let hexes = Player::BOTH.map(|player| game.hand(player).hex_count());
        let laid = (0..HEX_GAPS)
            .filter(|&gap| game.hex_on(gap).is_some())
            .count();
        assert_eq!(
            hexes[0] as usize + hexes[1] as usize + laid,
            PLAYERS * HEX_DEALT + 1
        );
    }
}
