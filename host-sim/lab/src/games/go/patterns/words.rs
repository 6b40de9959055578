//! Rules in words and as board diagrams.

use std::fmt::Write as _;

use dojo_core::games::go::clauses::{
    BlockPlace, BlockTest, Clause, Colour, CountRange, REACH, Stage,
};

use super::text::conditions;

/// A rule in words: the name that players give the move, or its conditions read out.
pub fn in_words(clause: &Clause) -> String {
    let mut words = match (clause.name(), &clause.blocks[..]) {
        (Some(shape), _) => shape.to_string(),
        (None, []) => "a stone".into(),
        (None, tests) => tests.iter().map(read_out).collect::<Vec<_>>().join(", "),
    };
    let lines: Vec<_> = [clause.vertical, clause.horizontal]
        .into_iter()
        .flatten()
        .map(|d| d.unsigned_abs())
        .collect();
    match lines[..] {
        [5, 5] => words += " in the middle",
        [line] => words += &format!(" on the {} line", ordinal(line)),
        [a, b] => words += &format!(" where the {} line meets the {}", ordinal(a), ordinal(b)),
        _ => {}
    }
    words += match clause.stage {
        Some(Stage::Open) => ", as the first move",
        Some(Stage::Start) => ", early in the game",
        Some(Stage::Mid) => ", in the middle game",
        Some(Stage::End) => ", late in the game",
        None => "",
    };
    words
}

fn ordinal(line: u8) -> &'static str {
    ["first", "second", "third", "fourth", "fifth"][usize::from(line.clamp(1, 5)) - 1]
}

/// A displacement in words, such as `2 right, 1 down`.
fn displacement(dx: i8, dy: i8) -> String {
    let part = |distance: i8, positive: &str, negative: &str| match distance {
        0 => None,
        1.. => Some(format!("{distance} {positive}")),
        _ => Some(format!("{} {negative}", distance.unsigned_abs())),
    };
    let parts = [part(dx, "right", "left"), part(dy, "up", "down")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn read_out(test: &BlockTest) -> String {
    let whose = match test.colour {
        Colour::Me => "own block",
        Colour::Foe => "enemy block",
        Colour::Shared => "block of one colour",
    };
    let mut words = match test.places.first() {
        Some(BlockPlace::At(dx, dy)) => format!("{whose} {}", displacement(*dx, *dy)),
        Some(BlockPlace::Adjacent) => format!("next to an {whose}"),
        Some(BlockPlace::Captures) => "captures a block".into(),
        Some(BlockPlace::Atari) => "puts a block in atari".into(),
        Some(BlockPlace::Direct) => "extends an own block".into(),
        Some(BlockPlace::Indirect) => "can connect to an own block at two points".into(),
        None => String::new(),
    };
    for place in test.places.iter().skip(1) {
        words += &match place {
            BlockPlace::At(dx, dy) => format!(" and {}", displacement(*dx, *dy)),
            BlockPlace::Adjacent | BlockPlace::Direct => " that it touches".into(),
            BlockPlace::Captures => " that it captures".into(),
            BlockPlace::Atari => " that it puts in atari".into(),
            BlockPlace::Indirect => " that it can connect to".into(),
        };
    }
    let counts = [
        ("liberty", "liberties", test.liberties),
        ("stone", "stones", test.stones),
    ];
    for (one, many, range) in counts {
        words += &match range {
            CountRange::ANY => String::new(),
            CountRange { low: 1, high: 1 } => format!(" with 1 {one}"),
            CountRange { low, high } if low == high => format!(" with {low} {many}"),
            CountRange { low, high } => format!(" with {low} to {high} {many}"),
        };
    }
    words
}

/// Breaks a text into lines of at most this many letters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Side of a square of the diagram, in pixels.
const STEP: i32 = 24;
const WIDTH: i32 = STEP * (2 * REACH as i32 + 3);
/// Height and length of a line of text.
const LINE: i32 = 14;
const LETTERS: usize = 42;

/// The rule as a diagram: the candidate move as a cross, own stones black, enemy stones white, stones of either colour
/// grey; edges that the rule names as thick lines.
pub fn diagram(title: &str, clause: &Clause) -> String {
    let texts = [title.to_string(), in_words(clause), conditions(clause)];
    let lines: Vec<String> = texts
        .iter()
        .flat_map(|text| wrapped(text, LETTERS))
        .collect();
    let height = WIDTH + LINE * lines.len() as i32;
    let middle = WIDTH / 2;
    let at = |dx: i32, dy: i32| (middle + STEP * dx, middle - STEP * dy);
    let reach = i32::from(REACH);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#f4e3b8\"/>\n"
    );
    // An edge cuts the grid off: no lines beyond it.
    let span = |distance: Option<i8>| match distance.map(i32::from) {
        Some(d) if d > 0 => (-reach, (d - 1).min(reach)),
        Some(d) => ((d + 1).max(-reach), reach),
        None => (-reach, reach),
    };
    let (left, right) = span(clause.vertical);
    let (bottom, top) = span(clause.horizontal);
    for dx in left..=right {
        let ((x, y), (_, z)) = (at(dx, top), at(dx, bottom));
        let edge = clause
            .vertical
            .is_some_and(|d| i32::from(d.signum()) * dx == i32::from(d.abs()) - 1 && d.abs() <= 5);
        let width = if edge { 4 } else { 1 };
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}V{z}\" stroke=\"#444\" stroke-width=\"{width}\"/>"
        );
    }
    for dy in bottom..=top {
        let ((x, y), (z, _)) = (at(left, dy), at(right, dy));
        let edge = clause
            .horizontal
            .is_some_and(|d| i32::from(d.signum()) * dy == i32::from(d.abs()) - 1);
        let width = if edge { 4 } else { 1 };
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y}H{z}\" stroke=\"#444\" stroke-width=\"{width}\"/>"
        );
    }
    for test in &clause.blocks {
        let (fill, ink) = match test.colour {
            Colour::Me => ("#111", "#fff"),
            Colour::Foe => ("#fff", "#111"),
            Colour::Shared => ("#999", "#111"),
        };
        for place in &test.places {
            if let BlockPlace::At(dx, dy) = place {
                let (x, y) = at((*dx).into(), (*dy).into());
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"{fill}\" stroke=\"#111\"/>"
                );
                if test.liberties.low == test.liberties.high {
                    let _ = writeln!(
                        svg,
                        "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                        y + 4,
                        test.liberties.low
                    );
                }
            }
        }
    }
    let (x, y) = at(0, 0);
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}l12 12m0 -12l-12 12\" stroke=\"#b03020\" stroke-width=\"3\"/>",
        x - 6,
        y - 6
    );
    for (line, text) in lines.iter().enumerate() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let y = WIDTH + LINE * line as i32 + 6;
        let _ = writeln!(svg, "<text x=\"6\" y=\"{y}\">{text}</text>");
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::text::clause;

    #[test]
    fn moves_have_the_names_that_players_use() {
        for (conditions, words) in [
            ("captures", "capture"),
            ("at(-2,1)=me", "knight's move"),
            (
                "at(0,2)=me stage=start",
                "one-point jump, early in the game",
            ),
            (
                "ver(5) hor(5) stage=open",
                "a stone in the middle, as the first move",
            ),
            (
                "adjacent=foe stones=1",
                "next to an enemy block with 1 stone",
            ),
            (
                "ver(-3) stage=start",
                "a stone on the third line, early in the game",
            ),
        ] {
            assert_eq!(in_words(&clause(conditions).unwrap()), words);
        }
    }
}
