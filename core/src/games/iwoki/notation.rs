//! Actions and positions as text.
//!
//! An action is `sp8:222-:H1_H4_H5` (tile, the order shown, gap), `hp4:40346*:H5`, `draw` or
//! `pass`. Small tiles of one kind are interchangeable: printing names the first tile of the kind,
//! parsing accepts any.

use core::fmt::{self, Write as _};

use super::board::{HEX_GAPS, SMALL_GAPS, corners};
use super::hand::{Bag, Hand};
use super::laid::Laid;
use super::tiles::{
    COPIES, HEX_TILES, HEX_WAYS, HexShape, KINDS, SMALL_TILES, SMALL_WAYS, SmallShape, WILD,
};
use super::{Action, Iwoki, IwokiRules, PLAYERS, TOKENS, What};
use crate::game::{Game, NotationError, Player};

impl fmt::Display for SmallShape {
    /// The order shown and the face: `123+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.order();
        write!(f, "{x}{y}{z}{}", if self.is_minus() { '-' } else { '+' })
    }
}

impl fmt::Display for HexShape {
    /// The values of vertices 1 to 6: `40346*`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values().iter().try_for_each(|&value| match value {
            WILD => f.write_char('*'),
            value => write!(f, "{value}"),
        })
    }
}

/// The name of a small gap: the three hexagonal gaps around it.
#[derive(Clone, Copy, Debug)]
pub struct SmallGapName(pub usize);

impl fmt::Display for SmallGapName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = corners(self.0).map(|corner| corner.hex + 1);
        write!(f, "H{a}_H{b}_H{c}")
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what() {
            What::Small { gap, shape } => {
                write!(f, "sp{}:{shape}:{}", shape.kind() + 1, SmallGapName(gap))
            }
            What::Hex { gap, shape } => write!(f, "hp{}:{shape}:H{}", shape.tile() + 1, gap + 1),
            What::Draw => f.write_str("draw"),
            What::Pass => f.write_str("pass"),
        }
    }
}

/// Parses a number from 1 to `most`, without sign or leading zeros, and subtracts 1.
fn number(text: &str, prefix: &str, most: usize) -> Option<usize> {
    let digits = text.strip_prefix(prefix)?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits
        .parse::<usize>()
        .ok()
        .filter(|number| plain && (1..=most).contains(number))
        .map(|number| number - 1)
}

/// Number of a small tile, 0 for `sp1`.
pub(super) fn small_tile(text: &str) -> Option<usize> {
    number(text, "sp", SMALL_TILES)
}

/// Number of a hexagonal tile, 0 for `hp1`.
pub(super) fn hex_tile(text: &str) -> Option<usize> {
    number(text, "hp", HEX_TILES)
}

pub(super) fn hex_gap(text: &str) -> Option<usize> {
    number(text, "H", HEX_GAPS)
}

pub(super) fn small_gap(text: &str) -> Option<usize> {
    let mut names = text.split('_');
    let mut hexes = [0; 3];
    for hex in &mut hexes {
        *hex = hex_gap(names.next()?)? as u8;
    }
    let found = (0..SMALL_GAPS).find(|&gap| corners(gap).map(|corner| corner.hex) == hexes);
    found.filter(|_| names.next().is_none())
}

/// Whether a value prints as this text.
fn reads(value: &impl fmt::Display, text: &str) -> bool {
    // The longest shape has six letters.
    let mut printed = heapless::String::<8>::new();
    write!(printed, "{value}").is_ok() && printed == text
}

/// The first way in which a kind of small tile shows this order.
pub(super) fn small_shape(kind: usize, text: &str) -> Option<SmallShape> {
    (0..SMALL_WAYS)
        .filter_map(|way| SmallShape::new(kind, way))
        .find(|shape| reads(shape, text))
}

/// The way in which a hexagonal tile shows these values.
pub(super) fn hex_shape(tile: usize, text: &str) -> Option<HexShape> {
    (0..HEX_WAYS)
        .filter_map(|way| HexShape::new(tile, way))
        .find(|shape| reads(shape, text))
}

pub(super) fn parse_action(text: &str) -> Result<Action, NotationError> {
    let lay = || {
        let mut parts = text.split(':');
        let (tile, order, gap) = (parts.next()?, parts.next()?, parts.next()?);
        let action = match (small_tile(tile), hex_tile(tile)) {
            (Some(small), _) => Action::small(small_gap(gap)?, small_shape(small % KINDS, order)?),
            (_, Some(hex)) => Action::hex(hex_gap(gap)?, hex_shape(hex, order)?),
            _ => None,
        };
        action.filter(|_| parts.next().is_none())
    };
    match text {
        "draw" => Ok(Action::DRAW),
        "pass" => Ok(Action::PASS),
        _ => lay().ok_or(NotationError {
            expected: "sp8:222-:H1_H4_H5, hp4:40346*:H5, draw or pass",
        }),
    }
}

/// Letters for tiles: kinds from `a`, hexagonal tiles from `A`, `-` for none.
struct Letters<I>(u8, I);

impl<I: Iterator<Item = usize> + Clone> fmt::Display for Letters<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tiles = self.1.clone().peekable();
        if tiles.peek().is_none() {
            return f.write_char('-');
        }
        tiles.try_for_each(|tile| f.write_char((self.0 + tile as u8) as char))
    }
}

fn letters(text: &str, first: u8, count: usize) -> Option<impl Iterator<Item = usize> + '_> {
    let tiles = if text == "-" { "" } else { text };
    let known = move |byte: u8| byte >= first && usize::from(byte - first) < count;
    tiles
        .bytes()
        .all(known)
        .then(|| tiles.bytes().map(move |byte| usize::from(byte - first)))
}

/// Fields, separated by spaces: player to move, `drew` or `-`, passes in a row, player who ran out
/// or `-`; each player's points, tokens, kinds of small tiles and hexagonal tiles; the bags, next
/// tile first; the tiles on the board.
impl fmt::Display for Iwoki {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = self.ending.map_or("-", Player::name);
        write!(
            f,
            "{} {} {} {ending}",
            self.turn.name(),
            if self.drew { "drew" } else { "-" },
            self.passes
        )?;
        for hand in &self.hands {
            let smalls =
                (0..KINDS).flat_map(|kind| core::iter::repeat_n(kind, hand.count(kind).into()));
            let hexes = (0..HEX_TILES).filter(|&tile| hand.has_hex(tile));
            write!(
                f,
                " {} {} {} {}",
                hand.points,
                hand.tokens,
                Letters(b'a', smalls),
                Letters(b'A', hexes)
            )?;
        }
        // The larger bag has 30 tiles.
        let bag = |tiles: &'_ [u8]| {
            tiles
                .iter()
                .map(|&tile| usize::from(tile))
                .collect::<heapless::Vec<_, 32>>()
        };
        let (smalls, hexes) = (bag(self.small_bag.rest()), bag(self.hex_bag.rest()));
        write!(
            f,
            " {} {}",
            Letters(b'a', smalls.iter().copied()),
            Letters(b'A', hexes.iter().copied())
        )?;
        let smalls = (0..SMALL_GAPS).filter_map(|gap| Action::small(gap, self.laid.small(gap)?));
        let hexes = (0..HEX_GAPS).filter_map(|gap| Action::hex(gap, self.laid.hex(gap)?));
        let mut blank = ' ';
        for action in smalls.chain(hexes) {
            write!(f, "{blank}{action}")?;
            blank = ',';
        }
        if self.laid.is_empty() {
            f.write_str(" -")
        } else {
            Ok(())
        }
    }
}

/// Refuses positions with missing or surplus tiles, disagreeing numbers, unconnected tiles, or
/// points that do not fit the board.
pub(super) fn parse_position(rules: IwokiRules, text: &str) -> Result<Iwoki, NotationError> {
    let shape = NotationError {
        expected: "turn, hands, bags and board, as a position of iwoki is printed",
    };
    let game = read(rules, text).ok_or(shape)?;
    if is_possible(&game) {
        Ok(game)
    } else {
        Err(NotationError {
            expected: "a position that a game can reach",
        })
    }
}

fn read(rules: IwokiRules, text: &str) -> Option<Iwoki> {
    let player = |name: &str| {
        Player::BOTH
            .into_iter()
            .find(|player| player.name() == name)
    };
    let mut game = Iwoki::new(rules);
    let mut words = text.split(' ');
    game.turn = player(words.next()?)?;
    game.drew = match words.next()? {
        "drew" => true,
        "-" => false,
        _ => return None,
    };
    game.passes = words.next()?.parse().ok()?;
    game.ending = match words.next()? {
        "-" => None,
        name => Some(player(name)?),
    };
    for hand in &mut game.hands {
        *hand = Hand::default();
        hand.points = words.next()?.parse().ok()?;
        hand.tokens = words.next()?.parse().ok()?;
        for kind in letters(words.next()?, b'a', KINDS)? {
            if usize::from(hand.count(kind)) >= COPIES {
                return None;
            }
            hand.add_small(kind);
        }
        letters(words.next()?, b'A', HEX_TILES)?.for_each(|tile| hand.add_hex(tile));
    }
    let smalls: heapless::Vec<u8, SMALL_TILES> = bag(letters(words.next()?, b'a', KINDS)?)?;
    let hexes: heapless::Vec<u8, HEX_TILES> = bag(letters(words.next()?, b'A', HEX_TILES)?)?;
    if smalls.len() > super::SMALL_BAG || hexes.len() > super::HEX_BAG {
        return None;
    }
    (game.small_bag, game.hex_bag) = (Bag::new(&smalls), Bag::new(&hexes));
    game.laid = Laid::NOTHING;
    let board = words.next()?;
    for word in board.split(',').filter(|_| board != "-") {
        match parse_action(word).ok()?.what() {
            What::Small { gap, shape } if game.laid.small(gap).is_none() => {
                game.laid.put_small(gap, shape)
            }
            What::Hex { gap, shape } if game.laid.hex(gap).is_none() => {
                game.laid.put_hex(gap, shape)
            }
            _ => return None,
        }
    }
    game.over = usize::from(game.passes) >= PLAYERS || game.ending == Some(game.turn);
    // Only the canonical form is accepted: printing the position must give the text again.
    let mut rest = text;
    let same = write!(Compare(&mut rest), "{game}").is_ok() && rest.is_empty();
    (words.next().is_none() && same).then_some(game)
}

/// A writer that strips each printed piece from the front of a text and fails where they differ.
struct Compare<'a, 'b>(&'a mut &'b str);

impl fmt::Write for Compare<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

fn bag<const SIZE: usize>(tiles: impl Iterator<Item = usize>) -> Option<heapless::Vec<u8, SIZE>> {
    let mut bag = heapless::Vec::new();
    { tiles }
        .try_for_each(|tile| bag.push(tile as u8))
        .ok()
        .map(|()| bag)
}

fn is_possible(game: &Iwoki) -> bool {
    let of_kind = |kind| {
        let held: usize = game
            .hands
            .iter()
            .map(|hand| usize::from(hand.count(kind)))
            .sum();
        let inside = game
            .small_bag
            .rest()
            .iter()
            .filter(|&&tile| usize::from(tile) == kind)
            .count();
        let laid = (0..SMALL_GAPS)
            .filter_map(|gap| game.laid.small(gap))
            .filter(|shape| shape.kind() == kind)
            .count();
        held + inside + laid
    };
    let of_tile = |tile| {
        let held = game.hands.iter().filter(|hand| hand.has_hex(tile)).count();
        let inside = game
            .hex_bag
            .rest()
            .iter()
            .filter(|&&inside| usize::from(inside) == tile)
            .count();
        let laid = (0..HEX_GAPS)
            .filter_map(|gap| game.laid.hex(gap))
            .filter(|shape| shape.tile() == tile)
            .count();
        held + inside + laid
    };
    let points: i16 = game
        .hands
        .iter()
        .map(|hand| hand.points.saturating_abs() / 2)
        .sum();
    if points > i16::MAX / 4 {
        return false;
    }
    let earned = game.hands.iter().map(|hand| hand.points).sum::<i16>() - game.laid.agreements();
    let began = match game.laid.is_empty() {
        true => {
            earned == 0
                && game.turn == Player::First
                && game.small_bag.left() == super::SMALL_BAG
                && !game.drew
        }
        false => game.laid.grew_from_opening(earned),
    };
    // Whoever holds no small tile ended the game, or laid the last one in the last turn.
    let ran_out = |player: Player| game.hand(player).held() == 0;
    let ended = match game.ending {
        Some(player) => ran_out(player),
        None => !Player::BOTH.into_iter().any(ran_out),
    };
    began
        && ended
        && (0..KINDS).all(|kind| of_kind(kind) == COPIES)
        && (0..HEX_TILES).all(|tile| of_tile(tile) == 1)
        && game.laid.agrees()
        && game
            .hands
            .iter()
            .all(|hand| hand.points >= 0 && hand.tokens < TOKENS)
        && usize::from(game.passes) <= PLAYERS
        && !(game.drew && (game.small_bag.left() == super::SMALL_BAG || game.over))
}
