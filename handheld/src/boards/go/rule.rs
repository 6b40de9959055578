//! A learned rule as a small diagram, and in words for screen readers.

use core::fmt::Write;

use dojo_core::game::Player;
use dojo_core::games::go::clauses::{BlockPlace, BlockTest, Clause, Colour, CountRange, Stage};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use super::picture::draw_stone;
use crate::frame::Ink;
use crate::pen::Pen;
use crate::words::go::rule as text;

/// The stones that a rule names by their displacement.
fn stones(clause: &Clause) -> impl Iterator<Item = (i32, i32, Colour)> {
    clause.blocks.iter().flat_map(|test| {
        test.places.iter().filter_map(|&place| match place {
            BlockPlace::At(dx, dy) => Some((i32::from(dx), i32::from(dy), test.colour)),
            _ => None,
        })
    })
}

/// Lines from the candidate to the edges that a rule names: left, right, down and up.
fn edges(clause: &Clause) -> [Option<i32>; 4] {
    let of = |distance: Option<i8>, near: bool| {
        let distance = i32::from(distance?);
        ((distance < 0) == near).then(|| distance.abs() - 1)
    };
    [
        of(clause.vertical, true),
        of(clause.vertical, false),
        of(clause.horizontal, true),
        of(clause.horizontal, false),
    ]
}

/// Draws what a rule looks at: the candidate as a diamond, the stones about it, and edges as thick
/// lines. Own stones are those of the player to move.
pub(super) fn draw(clause: &Clause, mover: Player, place: Rectangle, pen: &mut Pen<'_>) {
    let edges = edges(clause);
    // One line around everything that is named, as far as the board goes.
    let reach = |of: fn((i32, i32, Colour)) -> i32, edge: Option<i32>| {
        let most = stones(clause).map(of).max().unwrap_or(0).max(0);
        edge.map_or(most + 1, |edge| (most + 1).min(edge))
    };
    let left = reach(|(dx, _, _)| -dx, edges[0]);
    let right = reach(|(dx, _, _)| dx, edges[1]);
    let down = reach(|(_, dy, _)| -dy, edges[2]);
    let up = reach(|(_, dy, _)| dy, edges[3]);
    let lines = (left + right).max(down + up) + 1;
    let cell = (place.size.width as i32 / lines).clamp(3, 11);
    pen.panel(place, Ink::Wood);
    // The middle of what is named in the middle of the place.
    let centre = place.center() + Point::new(left - right, up - down) * cell / 2;
    let at = |dx: i32, dy: i32| centre + Point::new(dx, -dy) * cell;
    for dx in -left..=right {
        pen.line(at(dx, -down), at(dx, up), Ink::Brown, 1);
    }
    for dy in -down..=up {
        pen.line(at(-left, dy), at(right, dy), Ink::Brown, 1);
    }
    let corners = [
        (edges[0], left, at(-left, -down), at(-left, up)),
        (edges[1], right, at(right, -down), at(right, up)),
        (edges[2], down, at(-left, -down), at(right, -down)),
        (edges[3], up, at(-left, up), at(right, up)),
    ];
    for (edge, reached, from, to) in corners {
        if edge == Some(reached) {
            pen.line(from, to, Ink::Black, 2);
        }
    }
    for (dx, dy, colour) in stones(clause) {
        let player = if colour == Colour::Foe { !mover } else { mover };
        draw_stone(player, at(dx, dy), (cell as u32 - 1) | 1, pen);
    }
    pen.diamond(at(0, 0), (cell / 2).max(2), Ink::Leaf);
}

/// Tells a rule: "Learned rule: own stone 1 left 2 up; third line from the left; early in the game".
pub(super) fn tell(clause: &Clause, pen: &mut Pen<'_>) {
    // Three blocks of three places with their counts, two edges and a stage.
    let mut words = heapless::String::<320>::new();
    let _ = write_rule(clause, &mut words);
    pen.tell(format_args!("{}{words}", text::LEARNED));
}

fn write_rule(clause: &Clause, out: &mut impl Write) -> core::fmt::Result {
    let mut gap = "";
    for test in &clause.blocks {
        out.write_str(gap)?;
        write_block(test, out)?;
        gap = "; ";
    }
    for (edge, side) in edges(clause).into_iter().zip(text::SIDES) {
        if let Some(lines) = edge {
            out.write_str(gap)?;
            text::line(out, lines + 1, side)?;
            gap = "; ";
        }
    }
    let stage = match clause.stage {
        Some(Stage::Open) => text::STAGES[0],
        Some(Stage::Start) => text::STAGES[1],
        Some(Stage::Mid) => text::STAGES[2],
        Some(Stage::End) => text::STAGES[3],
        None => return Ok(()),
    };
    write!(out, "{gap}{stage}")
}

fn write_block(test: &BlockTest, out: &mut impl Write) -> core::fmt::Result {
    out.write_str(match test.colour {
        Colour::Me => text::STONES[0],
        Colour::Foe => text::STONES[1],
        Colour::Shared => text::STONES[2],
    })?;
    for (number, place) in test.places.iter().enumerate() {
        out.write_str(if number == 0 { " " } else { text::AND })?;
        match *place {
            BlockPlace::At(dx, dy) => {
                let mut gap = "";
                for (by, [more, less]) in [dx, dy].into_iter().zip(text::WAYS) {
                    if by != 0 {
                        let way = if by > 0 { more } else { less };
                        write!(out, "{gap}{} {way}", by.unsigned_abs())?;
                        gap = " ";
                    }
                }
            }
            BlockPlace::Adjacent | BlockPlace::Direct => out.write_str(text::BESIDE)?,
            BlockPlace::Captures => out.write_str(text::CAPTURED)?,
            BlockPlace::Atari => out.write_str(text::IN_ATARI)?,
            BlockPlace::Indirect => out.write_str(text::CONNECTED)?,
        }
    }
    for (what, range) in [
        (text::FREE_POINTS, test.liberties),
        (text::SIZE, test.stones),
    ] {
        match range {
            CountRange::ANY => {}
            CountRange { low, high } if low == high => write!(out, ", {low} {what}")?,
            CountRange { low, high } => text::range(out, low, high, what)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_in_words() {
        let mut test = BlockTest::new(BlockPlace::At(-1, 2), Colour::Me);
        test.liberties = CountRange::exactly(3);
        let mut foe = BlockTest::new(BlockPlace::Adjacent, Colour::Foe);
        foe.places.push(BlockPlace::Captures).unwrap();
        let clause = Clause {
            blocks: [test, foe].into_iter().collect(),
            vertical: Some(-3),
            horizontal: Some(1),
            stage: Some(Stage::Start),
        };
        let mut words = heapless::String::<320>::new();
        write_rule(&clause, &mut words).unwrap();
        assert_eq!(
            words,
            "own stone 1 left 2 up, 3 free points; enemy stone beside it and captured; \
             line 3 from the left; line 1 from the top; early in the game"
        );
        assert_eq!(edges(&clause), [Some(2), None, None, Some(0)]);
    }
}
