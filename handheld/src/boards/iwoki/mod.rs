//! Board of iwoki.
//!
//! A move is made in three stages: choose a tile of the hand, choose a gap among those it fits, and
//! rotate it, if it fits there in more than one way. Only legal choices are offered. From the hand
//! one can also look around on the board and at the opponent's tiles.
//!
//! # Reading directions
//! This file has the stages. `place.rs` has the geometry of the gaps, `tile.rs` draws a tile,
//! `picture.rs` the board, `hand.rs` hands and tallies; `words.rs` has all texts.

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::iwoki::tiles::{
    HEX_TILES, HEX_WAYS, HexShape, KINDS, SMALL_WAYS, SmallShape,
};
use dojo_core::games::iwoki::{Action, Form, What};
use dojo_core::games::{Iwoki, IwokiRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{
    Board, Count, Example, HasBoard, Marks, Places, Reply, RuleOption, TallyExtent, Words,
};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::Pen;
use crate::scoring::Marked;
use crate::touch::Touch;
use crate::words::iwoki;

mod hand;
mod picture;
mod place;
mod spot;
mod strength;
mod tile;
mod words;

use place::{Gap, Gaps};

/// An item of the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HandItem {
    /// A small tile of this kind.
    Small(u8),
    /// This hexagonal tile.
    Hex(u8),
    /// The button: draw, or pass if nothing else is legal.
    Rest,
}

impl HandItem {
    /// The item that an action uses.
    fn of(action: Action) -> HandItem {
        match action.what() {
            What::Small { shape, .. } => HandItem::Small(shape.kind() as u8),
            What::Hex { shape, .. } => HandItem::Hex(shape.tile() as u8),
            What::Draw | What::Pass => HandItem::Rest,
        }
    }

    /// The action that lays it on a gap in this way.
    fn action(self, gap: usize, way: usize) -> Option<Action> {
        match self {
            HandItem::Small(kind) => Action::small(gap, SmallShape::new(kind.into(), way)?),
            HandItem::Hex(tile) => Action::hex(gap, HexShape::new(tile.into(), way)?),
            HandItem::Rest => None,
        }
    }

    fn gap(self, number: usize) -> Gap {
        if let HandItem::Hex(_) = self {
            Gap::Hex(number)
        } else {
            Gap::Small(number)
        }
    }

    /// Number of ways in which such a tile can lie.
    fn all_ways(self) -> usize {
        if let HandItem::Hex(_) = self {
            HEX_WAYS
        } else {
            SMALL_WAYS
        }
    }
}

/// The stage of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Chooses a tile of the hand.
    Hand,
    /// Chooses a gap.
    Gap,
    /// Chooses a way.
    Turn,
    /// Looks around on the board.
    Look,
    /// Looks at the opponent's tiles.
    Theirs,
}

#[derive(Clone, Copy)]
pub(crate) struct IwokiBoard {
    stage: Stage,
    item: HandItem,
    /// The chosen gap, of the item's kind.
    gap: u8,
    way: u8,
    /// The hexagonal gap in the centre while looking around.
    middle: u8,
    /// Number of the opponent's tile that is looked at.
    peek: u8,
    /// Whether looking around shows the whole board, however small it gets.
    whole: bool,
    /// See [`Board::is_touched`].
    touched: bool,
    /// Small tiles of each kind held by the player to move when the position last changed; the
    /// difference shows which one was drawn.
    held: [u8; KINDS],
    /// The kind of small tile that the player to move has just drawn.
    drawn: Option<u8>,
}

/// Where an item can be laid.
#[derive(Clone, Copy, Default)]
struct Fits {
    gaps: Gaps,
    most: u8,
}

fn fits(game: &Iwoki, item: HandItem) -> Fits {
    let mut fits = Fits::default();
    for action in game
        .legal_moves()
        .filter(|&action| HandItem::of(action) == item)
    {
        if let Some(gap) = Gap::of(action.what()) {
            fits.gaps |= 1 << gap.number();
        }
        fits.most = fits.most.max(game.points_of(action));
    }
    fits
}

/// The tiles of the hand that can be laid somewhere: one bit per kind of small tile, then one per
/// hexagonal tile.
#[derive(Clone, Copy)]
struct Playable(u32);

// All bits fit a word.
const _: () = assert!(KINDS + HEX_TILES <= 32);

impl Playable {
    fn of(game: &Iwoki) -> Playable {
        Playable(
            game.legal_moves()
                .map(|action| Playable::bit(HandItem::of(action)))
                .fold(0, |all, bit| all | bit),
        )
    }

    fn bit(item: HandItem) -> u32 {
        match item {
            HandItem::Small(kind) => 1 << kind,
            HandItem::Hex(tile) => 1 << (KINDS as u32 + u32::from(tile)),
            HandItem::Rest => 0,
        }
    }

    fn contains(self, item: HandItem) -> bool {
        item == HandItem::Rest || self.0 & Playable::bit(item) != 0
    }
}

/// Number of small tiles of each kind that the player to move holds.
fn counts(game: &Iwoki) -> [u8; KINDS] {
    core::array::from_fn(|kind| game.hand(game.turn()).count(kind))
}

/// The action of the button: draw or pass, whichever is legal.
fn rest(game: &Iwoki) -> Option<Action> {
    [Action::DRAW, Action::PASS]
        .into_iter()
        .find(|&action| game.is_legal(action))
}

/// All items of the player to move: small tiles, hexagonal tiles, the button.
fn items(game: &Iwoki) -> impl Iterator<Item = HandItem> {
    let hand = *game.hand(game.turn());
    let smalls = (0..)
        .take(KINDS)
        .filter(move |&kind| hand.count(kind.into()) > 0);
    let hexes = (0..)
        .take(HEX_TILES)
        .filter(move |&tile| hand.has_hex(tile.into()));
    smalls
        .map(HandItem::Small)
        .chain(hexes.map(HandItem::Hex))
        .chain(rest(game).map(|_| HandItem::Rest))
}

impl IwokiBoard {
    /// The action chosen so far.
    fn action(&self, game: &Iwoki) -> Option<Action> {
        match self.item {
            HandItem::Rest => rest(game),
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

    /// Chooses a gap, and there the way that earns most.
    fn hover(&mut self, game: &Iwoki, gap: usize) {
        self.gap = gap as u8;
        let points = |way: &u8| {
            self.item
                .action(gap, usize::from(*way))
                .map_or(0, |action| game.points_of(action))
        };
        // Ties go to the first way.
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
                (HandItem::Rest, _) => {
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

    /// The gap where the chosen tile earns most.
    fn best_gap(&self, game: &Iwoki) -> Option<usize> {
        let ours = game
            .legal_moves()
            .filter(|&action| HandItem::of(action) == self.item);
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
        // Hexagonal tiles come first. The backs of hidden small tiles are not looked at.
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

    /// Goes to the last stage of an action, so that one more A plays it.
    fn set(&mut self, game: &Iwoki, action: Action) {
        self.item = HandItem::of(action);
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
    const GOAL: &'static str = iwoki::GOAL;
    const EXAMPLE: Example = Example {
        rules: "form=open deal=1",
        moves: "sp6:133+:H1_H4_H5 hp3:36242*:H5",
        hint: "",
        text: iwoki::EXAMPLE,
    };
    const RULES: &'static [&'static str] = iwoki::RULES;

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let side = place.size.height as i32;
        let size = side * 3 / 4;
        let centre = place.center();
        let hex = centre - Point::new(0, side / 10);
        tile::hexagon(hex, size, 0, Ink::Paper, pen);
        tile::hexagon(hex, size, (side / 14).max(1), Ink::Shade, pen);
        let below = Point::new(centre.x, hex.y + size * 443 / 1024 + size / 4);
        tile::triangle(below, size * 5 / 4, 0, true, Ink::Wood, pen);
        pen.diamond(hex, side / 8, Ink::Sun);
    }

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

    /// In the normal form small tiles are hidden from the opponent.
    fn has_secrets(game: &Iwoki) -> bool {
        game.rules().form == Form::Normal
    }

    fn option(rules: &IwokiRules, number: usize) -> Option<RuleOption> {
        let value = match rules.form {
            Form::Normal => iwoki::HANDS_ARE[0],
            Form::Open => iwoki::HANDS_ARE[1],
        };
        (number == 0).then_some(RuleOption {
            label: iwoki::HANDS,
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
        let (stage, item) = (Stage::Hand, HandItem::Rest);
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

    fn touch(&mut self, game: &Iwoki, touch: Touch, place: u16) -> Reply {
        let reply = match (touch, spot::Spot::from_number(place)) {
            // The view follows the cursor: it must not move away under the finger.
            (Touch::Point, _) => return Reply::Ignored,
            (Touch::Tap, Some(spot)) => self.tap(game, spot),
            (Touch::Tap, None) => Reply::Refused,
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
        // Preference: the tile just drawn, then the one chosen before, then the first that can be
        // laid, then the button.
        let playable = Playable::of(game);
        let wished = self
            .drawn
            .map(HandItem::Small)
            .into_iter()
            .chain([self.item]);
        let can_be = |item: &HandItem| *item != HandItem::Rest && playable.contains(*item);
        self.item = wished
            .chain(items(game))
            .find(can_be)
            .unwrap_or(HandItem::Rest);
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

    fn draw_tally(
        game: &Iwoki,
        player: Player,
        place: Rectangle,
        pen: &mut Pen<'_>,
    ) -> TallyExtent {
        TallyExtent {
            width: hand::tally(game, player, place, pen),
            is_more: true,
        }
    }

    const HAS_REASONS: bool = true;

    fn describe(&self, game: &Iwoki, mv: u16) -> Option<Words> {
        words::describe(game, Action::from_index(mv)?)
    }

    fn is_touched(&self) -> bool {
        self.touched
    }

    fn remark(&self, game: &Iwoki, last: u16) -> Option<Words> {
        words::remark(self, game, Action::from_index(last)?)
    }

    fn verb(&self, _: &Iwoki) -> &'static str {
        match self.stage {
            Stage::Hand => iwoki::VERBS[0],
            Stage::Gap | Stage::Turn => iwoki::VERBS[1],
            Stage::Look => iwoki::VERBS[2],
            Stage::Theirs => iwoki::VERBS[3],
        }
    }

    fn prompt(&self, game: &Iwoki) -> Option<Words> {
        Some(words::prompt(self, game))
    }
}

#[cfg(test)]
mod tests;
