//! The picture of iwoki: what lies on the board, what is held, what the players have.

use core::fmt::Write as _;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::board::{self, HEX_GAPS, SMALL_GAPS};
use dojo_core::games::iwoki::tiles::{HexShape, SmallShape};
use dojo_core::games::iwoki::{Action, Hand, SmallGapName, TOKENS};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use super::place::{self, Gap, View};
use super::tile::{self, Digits, Style};
use super::{Fits, Item, IwokiBoard, Playable, Stage, fits, has_secrets, rest};
use crate::boards::{Marks, Places, Words};
use crate::frame::Ink;
use crate::pen::{Pen, Side, area};

/// Width of the column with players and words on the small display.
const COLUMN: i32 = 46;

/// Where things stand. While a tile is chosen the hand needs room, while it is laid the board does.
pub(super) fn places(of: &IwokiBoard, pen: &Pen<'_>) -> Places {
    let (width, height) = (pen.width(), pen.height());
    let in_hand = shows_hand(of);
    if pen.look.roomy {
        let (top, bottom, hand) = (42, 24, if in_hand { 48 } else { 0 });
        let half = width / 2;
        Places {
            board: area(0, top, width, height - top - bottom - hand),
            players: [area(2, 2, half - 3, top - 4), area(half + 1, 2, half - 3, top - 4)],
            status: area(0, height - bottom, width, bottom),
            hand: area(0, height - bottom - hand, width, hand),
        }
    } else {
        let left = width - COLUMN;
        let strip = 22;
        let row = |y: i32| area(left, y, COLUMN, 10);
        let (board, hand) = if in_hand {
            (area(0, 0, left - 1, height - strip), area(0, height - strip + 1, width, strip - 1))
        } else {
            (area(0, 0, left - 1, height), area(left, height - strip, COLUMN, strip))
        };
        let status = area(left - 1, 21, COLUMN + 1, height - 21 - strip);
        Places { board, players: [row(0), row(11)], status, hand }
    }
}

/// Whether there is a strip with the hand. It makes room for the tile that is laid, and for the whole board.
fn shows_hand(of: &IwokiBoard) -> bool {
    match of.stage {
        Stage::Hand => true,
        Stage::Look => !of.whole,
        Stage::Gap | Stage::Turn => false,
    }
}

impl Style {
    fn hex(roomy: bool) -> Style {
        if roomy {
            Style { edge: Ink::Line, fill: Ink::Shade, digits: Ink::Paper, stroke: 1 }
        } else {
            Style { edge: Ink::Paper, fill: Ink::Night, digits: Ink::Paper, stroke: 1 }
        }
    }

    fn small(minus: bool, roomy: bool) -> Style {
        let (fill, digits) = match (minus, roomy) {
            (false, true) => (Ink::Wood, Ink::Night),
            (true, true) => (Ink::Bark, Ink::Paper),
            (false, false) => (Ink::Night, Ink::Paper),
            (true, false) => (Ink::Paper, Ink::Night),
        };
        Style { edge: if roomy { fill } else { Ink::Paper }, fill, digits, stroke: 1 }
    }

    /// With a frame of this ink, where there are colours.
    fn framed(self, ink: Option<Ink>, roomy: bool) -> Style {
        match ink.filter(|_| roomy) {
            Some(edge) => Style { edge, stroke: 2, ..self },
            None => self,
        }
    }
}

pub(super) fn board(of: &IwokiBoard, game: &Iwoki, marks: Marks<'_>, area: Rectangle, pen: &mut Pen<'_>) {
    tell(of, game, marks, pen);
    let roomy = pen.look.roomy;
    // A tile that hovers is drawn as if it lay there, with all that it puts on the gaps around it.
    let laying = of.action(game).filter(|_| marks.cursor && matches!(of.stage, Stage::Gap | Stage::Turn));
    let shown = laying.map_or(*game, |action| game.after(action));
    let gap_of = |index: Option<u16>| index.and_then(Action::from_index).and_then(|action| Gap::of(action.what()));
    let (cursor, last, hint) = (gap_of(laying.map(Action::index)), gap_of(marks.last), gap_of(marks.hint));
    let focus = match of.stage {
        Stage::Look if marks.cursor => Some(Gap::Hex(of.middle.into())),
        _ => cursor.or(last),
    };
    let whole = marks.overview || of.whole && of.stage == Stage::Look && marks.cursor;
    let sizes = match (of.stage, roomy) {
        (_, true) if whole => (8, 64),
        (_, false) if whole => (5, 30),
        // The tile that is turned is seen from near by.
        (Stage::Turn, true) => (72, 84),
        (Stage::Turn, false) => (40, 44),
        (Stage::Gap, true) => (44, 72),
        (_, true) => (38, 64),
        (_, false) => (26, 30),
    };
    let view = View::new(&shown, focus, area, sizes);
    let open = if marks.cursor && of.stage != Stage::Look { fits(game, of.item) } else { Fits::default() };
    for gap in Gap::all() {
        let at = view.at(gap);
        if !view.shows(at) {
            continue;
        }
        let frame = match gap {
            gap if cursor == Some(gap) => Some(Ink::Gold),
            gap if last == Some(gap) => Some(Ink::Paper),
            _ => None,
        };
        match gap {
            Gap::Hex(number) => match shown.hex_on(number) {
                Some(shape) => tile::hex(at, view.size, shape, Style::hex(roomy).framed(frame, roomy), pen),
                None => free_hex(&shown, number, at, view.size, pen),
            },
            Gap::Small(number) => {
                if let Some(shape) = shown.small_on(number) {
                    let numbers = numbers(number, shape);
                    let style = Style::small(shape.is_minus(), roomy).framed(frame, roomy);
                    // Without colours the last tile has a dot in place of its sign.
                    let sign = Some(shape.is_minus()).filter(|_| roomy || last != Some(gap));
                    tile::small(at, view.size, numbers, sign, style, pen);
                }
            }
        }
    }
    // Marks lie on top of all tiles.
    for gap in Gap::all() {
        let at = view.at(gap);
        if !view.shows(at) {
            continue;
        }
        let fits = open.gaps >> gap.number() & 1 == 1 && of.item.gap(gap.number()) == gap;
        if last == Some(gap) && !roomy {
            let minus = matches!(gap, Gap::Small(number) if game.small_on(number).is_some_and(SmallShape::is_minus));
            match gap {
                Gap::Hex(_) => pen.ring(at, 5, Ink::Paper, 1),
                Gap::Small(_) => pen.fill(centred(at, 3), if minus { Ink::Night } else { Ink::Paper }),
            }
        }
        if cursor == Some(gap) {
            if !roomy {
                // Around a small tile it leaves room for what that puts on the gaps beside it.
                let half = if let Gap::Hex(_) = gap { view.size / 2 } else { view.size * 7 / 16 };
                pen.corners(centred(at, 2 * half + 1), 4, Ink::Gold, 1);
            }
        } else if fits {
            match verdict(of, marks, gap) {
                Some(verdict) => verdict.draw(at, matches!(gap, Gap::Hex(_)) && view.size >= 22, pen),
                None if roomy => pen.disc(at, (view.size as u32 / 5).max(3), Ink::Gold),
                None => pen.fill(centred(at, if view.size >= 20 { 3 } else { 1 }), Ink::Paper),
            }
        }
        if hint == Some(gap) {
            pen.diamond(at, if roomy { 6 } else { 2 }, Ink::Leaf);
        }
    }
    blank_around(area, pen);
}

/// What the machine thinks of the chosen tile on a gap, at its best.
fn verdict(of: &IwokiBoard, marks: Marks<'_>, gap: Gap) -> Option<crate::boards::heat::Verdict> {
    let ours = marks.thoughts.iter().filter(|thought| {
        Action::from_index(thought.index)
            .is_some_and(|action| Item::of(action) == of.item && Gap::of(action.what()) == Some(gap))
    });
    marks.verdict(ours.max_by_key(|thought| thought.value)?.index)
}

fn centred(at: Point, size: i32) -> Rectangle {
    area(at.x - size / 2, at.y - size / 2, size, size)
}

fn numbers(gap: usize, shape: SmallShape) -> [(Point, u8); 3] {
    let (steps, order) = (place::corner_steps(gap), shape.order());
    [0, 1, 2].map(|corner| (steps[corner], order[corner]))
}

/// A free hexagonal gap with the numbers that small tiles around it ask for.
fn free_hex(game: &Iwoki, gap: usize, at: Point, size: i32, pen: &mut Pen<'_>) {
    if pen.look.roomy {
        tile::hexagon(at, size, 1, Ink::Shade, pen);
        tile::hexagon(at, size, 2, Ink::Night, pen);
    }
    let Some(digits) = Digits::of_hex(size) else { return };
    for vertex in 0..6 {
        let Some(small) = board::small_gap_at(gap, vertex) else { continue };
        let place = board::corners(small).iter().position(|corner| usize::from(corner.hex) == gap);
        if let (Some(shape), Some(place)) = (game.small_on(small), place) {
            let ink = if pen.look.roomy { Ink::Mist } else { Ink::Paper };
            digits.draw(at + digits.at_vertex(vertex, size), ink, shape.results()[place], pen);
        }
    }
}

/// What was drawn beyond an area is wiped off.
fn blank_around(place: Rectangle, pen: &mut Pen<'_>) {
    let (left, top) = (place.top_left.x, place.top_left.y);
    let (right, bottom) = (left + place.size.width as i32, top + place.size.height as i32);
    let (width, height) = (pen.width(), pen.height());
    pen.fill(area(0, 0, width, top), Ink::Night);
    pen.fill(area(0, bottom, width, height - bottom), Ink::Night);
    pen.fill(area(0, top, left, bottom - top), Ink::Night);
    pen.fill(area(right, top, width - right, bottom - top), Ink::Night);
}

/// Measures of the tiles in the hand.
struct Strip {
    /// Sizes as on a board with gaps so far apart.
    hex: i32,
    small: i32,
    /// From one small tile to the next, standing and hanging in turn.
    pitch: i32,
    rest: i32,
}

impl Strip {
    fn of(roomy: bool) -> Strip {
        if roomy {
            Strip { hex: 46, small: 86, pitch: 26, rest: 48 }
        } else {
            Strip { hex: 24, small: 42, pitch: 13, rest: 25 }
        }
    }

    fn width(&self, item: Item) -> i32 {
        match item {
            Item::Small(_) => self.pitch,
            Item::Hex(_) => self.hex + 1,
            Item::Rest => self.rest,
        }
    }
}

/// The hand of the one who looks; while looking around, that of the opponent. While a tile is laid, that tile.
pub(super) fn hand(of: &IwokiBoard, game: &Iwoki, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
    pen.fill(place, Ink::Night);
    if !shows_hand(of) {
        if !pen.look.roomy && of.stage != Stage::Look {
            laid_tile(of, place, pen);
        }
        return;
    }
    let owner = marks.viewer.unwrap_or(game.turn());
    let looks = marks.cursor && of.stage == Stage::Look;
    let player = if looks { !owner } else { owner };
    let is_open = !has_secrets(game) || marks.viewer.is_none_or(|viewer| viewer == player);
    let held = *game.hand(player);
    let choosing = marks.cursor && !looks;
    let playable = Playable::of(game);
    let strip = Strip::of(pen.look.roomy);
    // Items from left to right; drawing and passing only where one can choose them.
    let smalls = || held.smalls().map(|kind| Item::Small(kind as u8));
    let hexes = || held.hex_tiles().map(|tile| Item::Hex(tile as u8));
    let last = choosing.then(|| rest(game)).flatten().map(|_| Item::Rest);
    let items = || smalls().chain(hexes()).chain(last);
    let total = items().map(|item| strip.width(item)).sum::<i32>() + strip.pitch;
    let room = place.size.width as i32;
    let before = items().take_while(|&item| item != of.item).map(|item| strip.width(item)).sum::<i32>();
    let start = match choosing {
        _ if total <= room => (room - total) / 2,
        true => (room / 2 - before - strip.width(of.item) / 2).clamp(room - total, 0),
        false => 0,
    };
    let mut x = place.top_left.x + start + strip.pitch / 2;
    let mut chosen_done = false;
    for (number, item) in items().enumerate() {
        let width = strip.width(item);
        let centre = Point::new(x + width / 2, place.center().y);
        x += width;
        // Of equal tiles the first stands for all.
        let chosen = choosing && item == of.item && !core::mem::replace(&mut chosen_done, item == of.item);
        let playable = !choosing || playable.contains(item);
        draw_item(game, item, centre, (&strip, number % 2 == 0), (chosen, playable, is_open), pen);
    }
}

fn draw_item(
    game: &Iwoki,
    item: Item,
    centre: Point,
    (strip, stands): (&Strip, bool),
    (chosen, playable, is_open): (bool, bool, bool),
    pen: &mut Pen<'_>,
) {
    let roomy = pen.look.roomy;
    let faded = |style: Style| match (roomy, playable, chosen) {
        (true, true, true) => Style { edge: Ink::Paper, fill: Ink::Gold, digits: Ink::Night, stroke: 2 },
        (true, false, true) => Style { edge: Ink::Gold, fill: Ink::Night, digits: Ink::Mist, stroke: 2 },
        (true, false, false) => Style { edge: Ink::Line, fill: Ink::Night, digits: Ink::Mist, stroke: 1 },
        (false, _, true) => Style { edge: Ink::Paper, fill: Ink::Paper, digits: Ink::Night, stroke: 1 },
        (false, false, _) => Style { edge: Ink::Night, ..style },
        _ => style,
    };
    match item {
        Item::Small(kind) => {
            // The middle of a triangle is not in the middle of its height.
            let shift = strip.small * 74 / 1024;
            let at = centre + Point::new(0, if stands { shift } else { -shift });
            let Some(shape) = SmallShape::new(kind.into(), 0) else { return };
            if is_open {
                tile::small(
                    at,
                    strip.small,
                    tile::in_hand(shape, stands),
                    None,
                    faded(Style::small(false, roomy)),
                    pen,
                );
            } else {
                tile::triangle(at, strip.small, 1, stands, if roomy { Ink::Line } else { Ink::Paper }, pen);
                tile::triangle(at, strip.small, 2, stands, if roomy { Ink::Shade } else { Ink::Night }, pen);
            }
        }
        Item::Hex(number) => {
            if let Some(shape) = HexShape::new(number.into(), 0) {
                tile::hex(centre, strip.hex, shape, faded(Style::hex(roomy)), pen);
            }
        }
        Item::Rest => {
            let (width, height) = (strip.rest - 3, if roomy { 26 } else { 13 });
            let place = area(centre.x - width / 2, centre.y - height / 2, width, height);
            let font = pen.look.body;
            let ink = match (roomy, chosen) {
                (true, true) => {
                    pen.panel(place, Ink::Shade);
                    pen.border(place, Ink::Gold, 2);
                    Ink::Gold
                }
                (true, false) => {
                    pen.panel(place, Ink::Shade);
                    Ink::Paper
                }
                (false, true) => {
                    pen.panel(place, Ink::Paper);
                    Ink::Night
                }
                (false, false) => {
                    pen.border(place, Ink::Paper, 1);
                    Ink::Paper
                }
            };
            let word = if game.can_draw() { "Draw" } else { "Pass" };
            let top = centre.y - font.character_size.height as i32 / 2;
            pen.letters(Point::new(centre.x, top), Side::Centre, font, ink, word);
        }
    }
}

/// The tile that is about to be laid, as it would lie, large enough to read its numbers.
fn laid_tile(of: &IwokiBoard, place: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    match of.item {
        Item::Small(kind) => {
            let Some(shape) = SmallShape::new(kind.into(), of.way.into()) else { return };
            let numbers = numbers(of.gap.into(), shape);
            let stands = numbers.iter().any(|(steps, _)| steps.y < -1);
            let shift = Point::new(0, if stands { 3 } else { -3 });
            tile::small(
                place.center() + shift,
                50,
                numbers,
                Some(shape.is_minus()),
                Style::small(shape.is_minus(), roomy),
                pen,
            );
        }
        Item::Hex(tile) => {
            if let Some(shape) = HexShape::new(tile.into(), of.way.into()) {
                tile::hex(place.center(), 25, shape, Style::hex(roomy), pen);
            }
        }
        Item::Rest => {}
    }
}

/// Points, tokens and how many tiles a player has, at the right end of its place. Returns how wide that is.
pub(super) fn tally(game: &Iwoki, player: Player, place: Rectangle, pen: &mut Pen<'_>) -> i32 {
    let hand = *game.hand(player);
    let mut points = Words::new();
    let _ = write!(points, "{}", hand.points());
    let (right, top) = (place.top_left.x + place.size.width as i32, place.top_left.y);
    if pen.look.roomy {
        pen.letters(Point::new(right - 5, top + 2), Side::Right, pen.look.strong, Ink::Paper, &points);
        let y = top + 29;
        for slot in 0..i32::from(TOKENS - 1) {
            let at = Point::new(right - 32 + 11 * slot, y);
            pen.ring(at, 9, Ink::Mist, 1);
            if slot < hand.tokens().into() {
                pen.disc(at, 9, Ink::White);
            }
        }
        let at = Point::new(right - 9, y);
        pen.ring(at, 9, Ink::Line, 1);
        if hand.red_token() {
            pen.disc(at, 9, Ink::Sun);
        }
        tiles_held(&hand, Point::new(place.top_left.x + 34, y), pen);
        return 36;
    }
    // Two dots above each other are the tokens. A single small tile stands in a box: that is the red token.
    let middle = place.center().y;
    let mut count = Words::new();
    let _ = write!(count, "{}", hand.held());
    let width = 4 * count.len() as i32;
    let box_left = right - 3 - width;
    let ink = if hand.red_token() {
        pen.fill(area(box_left - 1, top + 1, width + 2, 8), Ink::Paper);
        Ink::Night
    } else {
        Ink::Paper
    };
    pen.letters(Point::new(box_left, top + 3), Side::Left, pen.look.small, ink, &count);
    for slot in 0..i32::from(TOKENS - 1) {
        let at = Point::new(right - 16, middle + 1 - 4 * slot);
        if slot < hand.tokens().into() {
            pen.fill(area(at.x, at.y, 3, 3), Ink::Paper);
        } else {
            pen.fill(area(at.x + 1, at.y + 1, 1, 1), Ink::Paper);
        }
    }
    pen.letters(Point::new(right - 17, top + 2), Side::Right, pen.look.body, Ink::Paper, &points);
    17 + 5 * points.len() as i32
}

/// How many small and hexagonal tiles.
fn tiles_held(hand: &Hand, at: Point, pen: &mut Pen<'_>) {
    let font = pen.look.small;
    let mut x = at.x;
    for (count, is_hex) in [(u32::from(hand.held()), false), (hand.hex_count(), true)] {
        if is_hex {
            tile::hexagon(Point::new(x + 4, at.y), 11, 0, Ink::Mist, pen);
        } else {
            tile::triangle(Point::new(x + 4, at.y + 1), 20, 0, true, Ink::Wood, pen);
        }
        let mut words = Words::new();
        let _ = write!(words, "{count}");
        pen.letters(Point::new(x + 11, at.y - 6), Side::Left, font, Ink::Mist, &words);
        x += 14 + 7 * words.len() as i32;
    }
}

/// All of it in words.
fn tell(of: &IwokiBoard, game: &Iwoki, marks: Marks<'_>, pen: &mut Pen<'_>) {
    for player in Player::BOTH {
        let hand = game.hand(player);
        let red = if hand.red_token() { ", red token" } else { "" };
        let (points, tokens, smalls) = (hand.points(), hand.tokens(), hand.held());
        let name = ["First", "Second"][player.index()];
        pen.tell(format_args!("{name}: {points} points, {tokens} white tokens{red}, {smalls} small tiles"));
        if !has_secrets(game) || marks.viewer.is_none_or(|viewer| viewer == player) {
            for shape in hand.smalls().filter_map(|kind| SmallShape::new(kind, 0)) {
                let [a, b, c] = shape.order();
                pen.tell(format_args!("{name} holds {a}{b}{c}"));
            }
        }
        for shape in hand.hex_tiles().filter_map(|tile| HexShape::new(tile, 0)) {
            pen.tell(format_args!("{name} holds {shape}"));
        }
    }
    for (gap, shape) in (0..SMALL_GAPS).filter_map(|gap| Some((gap, game.small_on(gap)?))) {
        pen.tell(format_args!("{shape} on {}", SmallGapName(gap)));
    }
    for (gap, shape) in (0..HEX_GAPS).filter_map(|gap| Some((gap, game.hex_on(gap)?))) {
        pen.tell(format_args!("{shape} on H{}", gap + 1));
    }
    if let Some(last) = marks.last.and_then(Action::from_index) {
        pen.tell(format_args!("Last move {last}"));
    }
    if !marks.cursor {
        return;
    }
    match (of.stage, of.item) {
        (Stage::Look, _) => pen.tell(format_args!("Looking at H{}", of.middle + 1)),
        (Stage::Gap | Stage::Turn, _) => {
            if let Some(action) = of.action(game) {
                pen.tell(format_args!("Cursor on {action}"));
            }
        }
        (Stage::Hand, Item::Rest) => {
            pen.tell(format_args!("Cursor on {}", if game.can_draw() { "draw" } else { "pass" }))
        }
        (Stage::Hand, Item::Small(kind)) => {
            if let Some(shape) = SmallShape::new(kind.into(), 0) {
                let [a, b, c] = shape.order();
                pen.tell(format_args!("Cursor on tile {a}{b}{c}"));
            }
        }
        (Stage::Hand, Item::Hex(tile)) => {
            if let Some(shape) = HexShape::new(tile.into(), 0) {
                pen.tell(format_args!("Cursor on tile {shape}"));
            }
        }
    }
}
