//! The board of iwoki.
//!
//! A move is made in three stages: choose a tile of the hand, choose a gap among those it fits, and turn it, if it fits
//! there in more than one way. Only what is legal is offered. From the hand one can also look around on the board
//! and at the opponent's tiles.
//!
//! # Reading directions
//! This file has the stages. `place.rs` knows where gaps lie, `tile.rs` how a tile looks; `picture.rs` draws the board,
//! `hand.rs` what the players have; `words.rs` is all that is said.

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::iwoki::tiles::{
    HEX_TILES, HEX_WAYS, HexShape, KINDS, SMALL_WAYS, SmallShape,
};
use dojo_core::games::iwoki::{Action, Form, What};
use dojo_core::games::{Iwoki, IwokiRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Choice, Count, HasBoard, Marks, Places, Reply, Tally, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::Pen;
use crate::scoring::Marked;

mod hand;
mod picture;
mod place;
mod strength;
mod tile;
mod words;

use place::{Gap, Gaps};

/// Something in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A small tile of this kind.
    Small(u8),
    /// This hexagonal tile.
    Hex(u8),
    /// Drawing, or passing where nothing else is possible.
    Rest,
}

impl Item {
    /// What an action takes from the hand.
    fn of(action: Action) -> Item {
        match action.what() {
            What::Small { shape, .. } => Item::Small(shape.kind() as u8),
            What::Hex { shape, .. } => Item::Hex(shape.tile() as u8),
            What::Draw | What::Pass => Item::Rest,
        }
    }

    /// Laying it on a gap, in this way.
    fn action(self, gap: usize, way: usize) -> Option<Action> {
        match self {
            Item::Small(kind) => Action::small(gap, SmallShape::new(kind.into(), way)?),
            Item::Hex(tile) => Action::hex(gap, HexShape::new(tile.into(), way)?),
            Item::Rest => None,
        }
    }

    fn gap(self, number: usize) -> Gap {
        if let Item::Hex(_) = self {
            Gap::Hex(number)
        } else {
            Gap::Small(number)
        }
    }

    /// In how many ways such a tile can lie.
    fn all_ways(self) -> usize {
        if let Item::Hex(_) = self {
            HEX_WAYS
        } else {
            SMALL_WAYS
        }
    }
}

/// How far a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A tile is chosen from the hand.
    Hand,
    /// It hovers over a gap.
    Gap,
    /// It is turned in its gap.
    Turn,
    /// No move: the board is looked at,
    Look,
    /// or the tiles of the opponent.
    Theirs,
}

#[derive(Clone, Copy)]
pub(crate) struct IwokiBoard {
    stage: Stage,
    item: Item,
    /// Where the tile hovers; a gap of its kind.
    gap: u8,
    way: u8,
    /// The hexagonal gap in the middle while looking around.
    middle: u8,
    /// The tile of the opponent that is looked at.
    peek: u8,
    /// Whether the view holds all that is in play, however small.
    whole: bool,
    /// See [`Board::is_touched`].
    touched: bool,
    /// How many of each kind the player to move had when the position last changed: what is new was drawn.
    held: [u8; KINDS],
    /// The kind that the player to move has just drawn.
    drawn: Option<u8>,
}

/// What the hand of the player to move can do with one item.
#[derive(Clone, Copy, Default)]
struct Fits {
    gaps: Gaps,
    most: u8,
}

fn fits(game: &Iwoki, item: Item) -> Fits {
    let mut fits = Fits::default();
    for action in game
        .legal_moves()
        .filter(|&action| Item::of(action) == item)
    {
        if let Some(gap) = Gap::of(action.what()) {
            fits.gaps |= 1 << gap.number();
        }
        fits.most = fits.most.max(game.points_of(action));
    }
    fits
}

/// What of the hand can be laid at all: a bit for each kind, then for each hexagonal tile.
#[derive(Clone, Copy)]
struct Playable(u32);

// They fill a word.
const _: () = assert!(KINDS + HEX_TILES <= 32);

impl Playable {
    fn of(game: &Iwoki) -> Playable {
        Playable(
            game.legal_moves()
                .map(|action| Playable::bit(Item::of(action)))
                .fold(0, |all, bit| all | bit),
        )
    }

    fn bit(item: Item) -> u32 {
        match item {
            Item::Small(kind) => 1 << kind,
            Item::Hex(tile) => 1 << (KINDS as u32 + u32::from(tile)),
            Item::Rest => 0,
        }
    }

    fn contains(self, item: Item) -> bool {
        item == Item::Rest || self.0 & Playable::bit(item) != 0
    }
}

/// How many small tiles of each kind the player to move holds.
fn counts(game: &Iwoki) -> [u8; KINDS] {
    core::array::from_fn(|kind| game.hand(game.turn()).count(kind))
}

/// The action that is neither a small nor a hexagonal tile, if there is one now.
fn rest(game: &Iwoki) -> Option<Action> {
    [Action::DRAW, Action::PASS]
        .into_iter()
        .find(|&action| game.is_legal(action))
}

/// Everything to choose from for the player to move: small tiles, hexagonal tiles, drawing or passing.
fn items(game: &Iwoki) -> impl Iterator<Item = Item> {
    let hand = *game.hand(game.turn());
    let smalls = (0..)
        .take(KINDS)
        .filter(move |&kind| hand.count(kind.into()) > 0);
    let hexes = (0..)
        .take(HEX_TILES)
        .filter(move |&tile| hand.has_hex(tile.into()));
    smalls
        .map(Item::Small)
        .chain(hexes.map(Item::Hex))
        .chain(rest(game).map(|_| Item::Rest))
}

impl IwokiBoard {
    /// The action that the stages have come to.
    fn action(&self, game: &Iwoki) -> Option<Action> {
        match self.item {
            Item::Rest => rest(game),
            item => item
                .action(self.gap.into(), self.way.into())
                .filter(|&action| game.is_legal(action)),
        }
    }

    /// The ways in which the tile fits its gap.
    fn ways(&self, game: &Iwoki) -> impl Iterator<Item = u8> + use<> {
        let (game, item, gap) = (*game, self.item, usize::from(self.gap));
        (0..item.all_ways())
            .map(|way| way as u8)
            .filter(move |&way| {
                item.action(gap, way.into())
                    .is_some_and(|action| game.is_legal(action))
            })
    }

    /// Hovers over a gap, in the way that earns most.
    fn hover(&mut self, game: &Iwoki, gap: usize) {
        self.gap = gap as u8;
        let points = |way: &u8| {
            self.item
                .action(gap, usize::from(*way))
                .map_or(0, |action| game.points_of(action))
        };
        // The first of equal ones.
        let best = self.ways(game).reduce(|best, way| {
            if points(&way) > points(&best) {
                way
            } else {
                best
            }
        });
        self.way = best.unwrap_or(0);
    }

    fn in_hand(&mut self, game: &Iwoki, button: Button) -> Reply {
        match button {
            Button::Left | Button::Right => {
                let count = items(game).count().max(1);
                let at = items(game).position(|item| item == self.item).unwrap_or(0);
                let next =
                    (at + if button == Button::Right {
                        1
                    } else {
                        count - 1
                    }) % count;
                self.item = items(game).nth(next).unwrap_or(self.item);
            }
            Button::Up => {
                self.middle = place::hexes_in_play(game).1 as u8;
                self.stage = Stage::Look;
            }
            Button::Down => (self.stage, self.peek) = (Stage::Theirs, 0),
            Button::A => match (self.item, fits(game, self.item).gaps) {
                (Item::Rest, _) => {
                    return rest(game).map_or(Reply::Refused, |action| Reply::Play(action.index()));
                }
                (_, 0) => return Reply::Refused,
                (_, gaps) => {
                    let best = self
                        .best_gap(game)
                        .unwrap_or(gaps.trailing_zeros() as usize);
                    self.hover(game, best);
                    self.stage = Stage::Gap;
                }
            },
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    /// Where the tile earns most.
    fn best_gap(&self, game: &Iwoki) -> Option<usize> {
        let ours = game
            .legal_moves()
            .filter(|&action| Item::of(action) == self.item);
        let best = ours.reduce(|best, next| {
            if game.points_of(next) > game.points_of(best) {
                next
            } else {
                best
            }
        });
        best.and_then(|action| Gap::of(action.what()))
            .map(Gap::number)
    }

    fn over_gaps(&mut self, game: &Iwoki, button: Button) -> Reply {
        match button {
            Button::A if self.ways(game).count() > 1 => self.stage = Stage::Turn,
            Button::A => return self.lay(game),
            Button::B => self.stage = Stage::Hand,
            Button::X | Button::Y => return Reply::Ignored,
            _ => {
                let next = place::step(
                    fits(game, self.item).gaps,
                    self.item.gap(self.gap.into()),
                    button,
                );
                if next.number() == usize::from(self.gap) {
                    return Reply::Refused;
                }
                self.hover(game, next.number());
            }
        }
        Reply::Moved
    }

    fn turning(&mut self, game: &Iwoki, button: Button) -> Reply {
        let half = (self.item.all_ways() / 2) as u8;
        let face = |way: u8| way / half;
        let next = match button {
            Button::A => return self.lay(game),
            Button::B => {
                self.stage = Stage::Gap;
                return Reply::Moved;
            }
            Button::Right => self
                .ways(game)
                .find(|&way| way > self.way)
                .or(self.ways(game).next()),
            Button::Left => self
                .ways(game)
                .filter(|&way| way < self.way)
                .last()
                .or(self.ways(game).last()),
            Button::Up | Button::Down => self.ways(game).find(|&way| face(way) != face(self.way)),
            _ => return Reply::Ignored,
        };
        match next.filter(|&way| way != self.way) {
            Some(way) => self.way = way,
            None => return Reply::Refused,
        }
        Reply::Moved
    }

    fn looking(&mut self, game: &Iwoki, button: Button) -> Reply {
        match button {
            Button::A => self.whole = !self.whole,
            Button::B => self.stage = Stage::Hand,
            Button::X | Button::Y => return Reply::Ignored,
            _ => {
                let (all, _) = place::hexes_in_play(game);
                let is_upright = matches!(button, Button::Up | Button::Down);
                let gaps = if is_upright {
                    all
                } else {
                    place::row_of(all, self.middle.into())
                };
                self.middle =
                    place::step(gaps, Gap::Hex(self.middle.into()), button).number() as u8;
            }
        }
        Reply::Moved
    }

    fn peeking(&mut self, game: &Iwoki, button: Button) -> Reply {
        let hand = game.hand(!game.turn());
        // Hexagons come first. Backs of small tiles need no closer look.
        let smalls = if IwokiBoard::has_secrets(game) {
            0
        } else {
            hand.held()
        };
        let count = (hand.hex_count() as u8 + smalls).max(1);
        match button {
            Button::Left => self.peek = (self.peek + count - 1) % count,
            Button::Right => self.peek = (self.peek + 1) % count,
            Button::X | Button::Y => return Reply::Ignored,
            _ => self.stage = Stage::Hand,
        }
        Reply::Moved
    }

    fn lay(&self, game: &Iwoki) -> Reply {
        self.action(game)
            .map_or(Reply::Refused, |action| Reply::Play(action.index()))
    }

    /// Goes to the last stage of an action: one more A does it.
    fn set(&mut self, game: &Iwoki, action: Action) {
        self.item = Item::of(action);
        self.stage = Stage::Hand;
        let way = match action.what() {
            What::Small { shape, .. } => shape.way(),
            What::Hex { shape, .. } => shape.way(),
            What::Draw | What::Pass => return,
        };
        let gap = Gap::of(action.what()).map_or(0, Gap::number);
        (self.gap, self.way) = (gap as u8, way as u8);
        self.stage = if self.ways(game).count() > 1 {
            Stage::Turn
        } else {
            Stage::Gap
        };
    }
}

impl HasBoard for Iwoki {
    type Board = IwokiBoard;
}

impl Board for IwokiBoard {
    type Game = Iwoki;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const RIVAL: &'static str = "greedy";
    const RULES: &'static [&'static str] = words::RULES;

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        let size = if pen.look.roomy { 8 } else { 3 };
        match player {
            Player::First => pen.diamond(centre, size, Ink::Sun),
            Player::Second => {
                pen.diamond(centre, size, Ink::Sky);
                pen.diamond(centre, size / 2, Ink::Night);
            }
        }
    }

    /// Whether small tiles are hidden from the opponent.
    fn has_secrets(game: &Iwoki) -> bool {
        game.rules().form == Form::Normal
    }

    fn option(rules: &IwokiRules, number: usize) -> Option<Choice> {
        let value = match rules.form {
            Form::Normal => "hidden",
            Form::Open => "open",
        };
        (number == 0).then_some(Choice {
            label: "Hands",
            value,
        })
    }

    fn step_option(rules: &mut IwokiRules, _: usize, _: bool) {
        rules.form = match rules.form {
            Form::Normal => Form::Open,
            Form::Open => Form::Normal,
        };
    }

    fn why(game: &Iwoki, _: Outcome, _: Marked) -> Words {
        words::why(game)
    }

    fn count(game: &Iwoki, line: usize) -> Option<Count> {
        words::count(game, line)
    }

    fn new(game: &Iwoki) -> IwokiBoard {
        let held = counts(game);
        let (stage, item) = (Stage::Hand, Item::Rest);
        let mut board = IwokiBoard {
            stage,
            item,
            gap: 0,
            way: 0,
            middle: 0,
            peek: 0,
            whole: false,
            touched: false,
            held,
            drawn: None,
        };
        board.point_to(game, None);
        board
    }

    fn press(&mut self, game: &Iwoki, button: Button) -> Reply {
        let reply = match self.stage {
            Stage::Hand => self.in_hand(game, button),
            Stage::Gap => self.over_gaps(game, button),
            Stage::Turn => self.turning(game, button),
            Stage::Look => self.looking(game, button),
            Stage::Theirs => self.peeking(game, button),
        };
        self.touched |= reply != Reply::Ignored;
        reply
    }

    fn point_to(&mut self, game: &Iwoki, mv: Option<u16>) {
        self.touched = false;
        if let Some(action) = mv.and_then(Action::from_index) {
            return self.set(game, action);
        }
        self.stage = Stage::Hand;
        let before = core::mem::replace(&mut self.held, counts(game));
        let is_new = |&kind: &u8| {
            game.has_drawn() && self.held[usize::from(kind)] > before[usize::from(kind)]
        };
        self.drawn = (0..KINDS as u8).find(is_new);
        // The tile just drawn, or the same as before, if it can be laid; else the first that can be, or drawing.
        let playable = Playable::of(game);
        let wished = self.drawn.map(Item::Small).into_iter().chain([self.item]);
        let can_be = |item: &Item| *item != Item::Rest && playable.contains(*item);
        self.item = wished.chain(items(game)).find(can_be).unwrap_or(Item::Rest);
    }

    fn places(&self, pen: &Pen<'_>) -> Places {
        picture::places(self, pen)
    }

    fn draw(&self, game: &Iwoki, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        picture::draw(self, game, marks, place, pen);
    }

    fn draw_hand(&self, game: &Iwoki, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        hand::draw(self, game, marks, place, pen);
    }

    fn draw_tally(game: &Iwoki, player: Player, place: Rectangle, pen: &mut Pen<'_>) -> Tally {
        Tally {
            width: hand::tally(game, player, place, pen),
            is_more: true,
        }
    }

    fn describe(&self, game: &Iwoki, mv: u16) -> Option<Words> {
        words::describe(game, Action::from_index(mv)?)
    }

    fn is_touched(&self) -> bool {
        self.touched
    }

    fn remark(&self, game: &Iwoki, last: u16) -> Option<Words> {
        words::remark(self, game, Action::from_index(last)?)
    }

    fn prompt(&self, game: &Iwoki) -> Option<Words> {
        Some(words::prompt(self, game))
    }
}

#[cfg(test)]
mod tests;
