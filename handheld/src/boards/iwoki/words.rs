//! Texts of iwoki: its rules, prompts, the final count, and the board for screen readers.

use core::fmt::Write as _;

use dojo_core::game::{GameMove, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::board::{HEX_GAPS, SMALL_GAPS};
use dojo_core::games::iwoki::tiles::{HexShape, KINDS, SmallShape, corners, highest_corner};
use dojo_core::games::iwoki::{Action, SmallGapName, What};

use super::place::Gap;
use super::{Fits, HandItem, IwokiBoard, Stage, fits};
use crate::boards::{Board, Count, Marks, Words};
use crate::pen::Pen;
use crate::words::{self, iwoki};

/// The final counts, the winner's first.
pub(super) fn why(game: &Iwoki) -> Words {
    let counts = Player::BOTH.map(|player| game.hand(player).final_count());
    let mut words = Words::new();
    let _ = iwoki::counted(
        &mut words,
        counts[0].max(counts[1]),
        counts[0].min(counts[1]),
    );
    words
}

/// The final count, line by line: points, the cost of each kind of small tile held, the total.
pub(super) fn count(game: &Iwoki, line: usize) -> Option<Count> {
    let hands = Player::BOTH.map(|player| game.hand(player));
    let mut label = Words::new();
    if line == 0 {
        let _ = label.write_str(iwoki::POINTS);
        return Some(Count {
            label,
            values: hands.map(|hand| hand.points()),
            is_total: false,
        });
    }
    let is_held = |kind: &usize| hands.iter().any(|hand| hand.count(*kind) > 0);
    let mut kinds = (0..KINDS).filter(is_held);
    let held = kinds.clone().count();
    if let Some(kind) = kinds.nth(line - 1) {
        let [a, b, c] = corners(kind);
        let _ = iwoki::tile(&mut label, [a, b, c]);
        let cost = i16::from(highest_corner(kind));
        return Some(Count {
            label,
            values: hands.map(|hand| -cost * i16::from(hand.count(kind))),
            is_total: false,
        });
    }
    let _ = label.write_str(words::COUNT);
    (line == held + 1).then_some(Count {
        label,
        values: hands.map(|hand| hand.final_count()),
        is_total: true,
    })
}

/// An action and its points.
pub(super) fn describe(game: &Iwoki, action: Action) -> Option<Words> {
    let mut words = Words::new();
    let points = game.points_of(action);
    let _ = match action.what() {
        What::Small { shape, .. } => iwoki::lay(&mut words, shape, points.into()),
        What::Hex { shape, .. } => iwoki::lay(&mut words, shape, points.into()),
        What::Draw => words.write_str(iwoki::DRAW_A_TILE),
        What::Pass => words.write_str(words::PASS),
    };
    Some(words)
}

/// Text about the last action, to follow the player's name.
pub(super) fn remark(of: &IwokiBoard, game: &Iwoki, action: Action) -> Option<Words> {
    // The points of a tile can still be computed after it was laid. The opening touched nothing:
    // while it lies alone, its points are all there are.
    let is_alone = Gap::all().filter(|gap| gap.has_tile(game)).count() == 1;
    let all = || {
        Player::BOTH
            .map(|player| game.hand(player).points())
            .into_iter()
            .sum()
    };
    let points = if is_alone {
        all()
    } else {
        i16::from(game.points_of(action))
    };
    let mut words = Words::new();
    let _ = match action.what() {
        What::Small { shape, .. } => write!(words, ": {shape} +{points}"),
        What::Hex { shape, .. } => write!(words, ": {shape} +{points}"),
        // Only the player who drew reads this: it is still the same turn.
        What::Draw => {
            let [a, b, c] = of.drawn.map_or([0; 3], |kind| corners(kind.into()));
            iwoki::drew(&mut words, [a, b, c])
        }
        What::Pass => words.write_str(words::PASSED),
    };
    Some(words)
}

/// Text for what A would do now.
pub(super) fn prompt(of: &IwokiBoard, game: &Iwoki) -> Words {
    let mut words = Words::new();
    let points = of.action(game).map_or(0, |action| game.points_of(action));
    let ways = of.ways(game).count();
    let _ = match (of.stage, of.item) {
        (Stage::Hand, HandItem::Rest) if game.can_draw() => words.write_str(iwoki::DRAW_A_TILE),
        (Stage::Hand, HandItem::Rest) => words.write_str(iwoki::NO_TILE_FITS),
        (Stage::Hand, item) => match fits(game, item) {
            Fits { gaps: 0, .. } => words.write_str(iwoki::FITS_NOWHERE),
            Fits { gaps, most } => iwoki::fits(&mut words, gaps.count_ones(), most.into()),
        },
        (Stage::Gap, _) if ways > 1 => iwoki::turn_it(&mut words, points.into()),
        (Stage::Gap | Stage::Turn, _) => iwoki::lay_it(&mut words, points.into()),
        (Stage::Theirs, _) => words.write_str(iwoki::THEIR_TILES),
        (Stage::Look, _) => words.write_str(iwoki::LOOK[usize::from(of.whole)]),
    };
    words
}

/// Tells a screen reader the hands, the board and the cursor.
pub(super) fn tell(of: &IwokiBoard, game: &Iwoki, marks: Marks<'_>, pen: &mut Pen<'_>) {
    for player in Player::BOTH {
        let hand = game.hand(player);
        let red = if hand.red_token() { ", red token" } else { "" };
        let (points, tokens, smalls) = (hand.points(), hand.tokens(), hand.held());
        let name = ["First", "Second"][player.index()];
        pen.tell(format_args!(
            "{name}: {points} points, {tokens} white tokens{red}, {smalls} small tiles"
        ));
        if !IwokiBoard::has_secrets(game) || marks.viewer.is_none_or(|viewer| viewer == player) {
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
        (Stage::Theirs, _) => pen.tell(format_args!("Looking at the opponent's tiles")),
        (Stage::Look, _) => pen.tell(format_args!("Looking at H{}", of.middle + 1)),
        (Stage::Gap | Stage::Turn, _) => {
            if let Some(action) = of.action(game) {
                pen.tell(format_args!("Cursor on {action}"));
            }
        }
        (Stage::Hand, HandItem::Rest) => pen.tell(format_args!(
            "Cursor on {}",
            if game.can_draw() { "draw" } else { "pass" }
        )),
        (Stage::Hand, HandItem::Small(kind)) => {
            if let Some(shape) = SmallShape::new(kind.into(), 0) {
                let [a, b, c] = shape.order();
                pen.tell(format_args!("Cursor on tile {a}{b}{c}"));
            }
        }
        (Stage::Hand, HandItem::Hex(tile)) => {
            if let Some(shape) = HexShape::new(tile.into(), 0) {
                pen.tell(format_args!("Cursor on tile {shape}"));
            }
        }
    }
}
