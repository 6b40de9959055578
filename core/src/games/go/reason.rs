//! The strongest reason for a move, as data and in words.
//!
//! Tactics come first, in the order of [`Reason`]: stones that change hands, then stones in danger,
//! then groups. A move without any of these is named by its shape: where it lies from the nearest
//! own stone, or on an empty part of the board from the edge.

use core::fmt;

use super::board::{Board, cell_of};
use super::policy::Voice;
use super::{Go, GoMove, Point, Points};
use crate::game::Game;

/// Why a move may be good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A pass.
    Done,
    /// Takes so many stones.
    Captures(u8),
    /// So many own stones had one liberty and have more now.
    Saves(u8),
    /// Leaves so many stones of the opponent one liberty.
    Atari(u8),
    /// So many own blocks become one.
    Connects(u8),
    /// Keeps blocks of the opponent apart that a stone here would connect.
    Cuts,
    /// Turns around a stone of the opponent.
    Hane(Course),
    /// Next to an own stone.
    Extends(Course),
    /// Diagonal to an own stone.
    Diagonal(Course),
    /// A knight's move from an own stone.
    Knight(Course),
    /// A point between, in line, from an own stone.
    Jump(Course),
    /// Next to a stone of the opponent, away from own ones.
    Touches,
    /// So many stones of the opponent have two liberties afterwards.
    Presses(u8),
    /// So many own stones had two liberties and have more now.
    Strengthens(u8),
    /// Near the opponent's last move.
    Answers,
    /// Near the own last move.
    GoesOn,
    /// On this line from the edge.
    OnLine(u8),
    /// The name of a learned rule.
    Rule(&'static str),
    /// On an empty part of the board, by its lines from the two nearest edges, from 1.
    Opens(u8, u8),
    /// None of these.
    Shape,
}

/// Whether a move leads away from the edge that its stone came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// To a higher line.
    Middle,
    /// To a lower line.
    Edge,
    /// On the same line.
    Along,
}

/// The strongest reason for a legal move.
pub fn reason(game: &Go, mv: GoMove) -> Reason {
    let GoMove::Stone(point) = mv else {
        return Reason::Done;
    };
    let (stones, board, mover) = (*game.stones(), game.board(), game.turn());
    let mut after = stones;
    let taken = after.place(mover, point, board);
    let block = after.block(point);
    let liberties = after.liberties(block, board);
    let next_to = Points::of(point).around() & board;
    let count = |points: Points| points.len().min(u32::from(u8::MAX)) as u8;
    if !taken.is_empty() {
        return Reason::Captures(count(taken));
    }
    let own = stones.of(mover);
    let safe = !liberties.has_one() && !liberties.is_empty();
    let joined = || {
        let mut left = next_to & own;
        core::iter::from_fn(move || {
            let block = Points::of(left.first()?).flooded(own);
            left = left.without(block);
            Some(block)
        })
    };
    let caught = joined().filter(|&block| stones.liberties(block, board).has_one());
    let saved = caught.fold(Points::EMPTY, |set, block| set | block);
    if safe && !saved.is_empty() {
        return Reason::Saves(count(saved));
    }
    let theirs = after.of(!mover);
    let threatened = (next_to & theirs)
        .map(|stone| after.block(stone))
        .filter(|&block| after.liberties(block, board).has_one())
        .fold(Points::EMPTY, |set, block| set | block);
    if safe && !threatened.is_empty() {
        return Reason::Atari(count(threatened));
    }
    match joined().count() {
        0 | 1 => {}
        blocks => return Reason::Connects(blocks as u8),
    }
    if is_cut(&stones, theirs, next_to, own) {
        return Reason::Cuts;
    }
    by_shape(game, point, own, next_to.meets(theirs))
}

/// The reason that this group of a policy's weights gives. Shapes are those of [`reason`], which also
/// stands in where a group speaks of something that did not happen.
pub fn reason_of(voice: Voice, game: &Go, mv: GoMove) -> Reason {
    let Some(point) = mv.point() else {
        return reason(game, mv);
    };
    let (stones, board, mover) = (*game.stones(), game.board(), game.turn());
    let mut after = stones;
    after.place(mover, point, board);
    let next_to = Points::of(point).around() & board;
    // Blocks of these stones next to the point with so many liberties there, and more afterwards.
    let with_two = |now: &super::Stones, of: Points| {
        (next_to & of)
            .map(|stone| now.block(stone))
            .filter(|&block| now.liberties(block, board).len() == 2)
            .fold(Points::EMPTY, |set, block| set | block)
    };
    let count = |points: Points| points.len().min(u32::from(u8::MAX)) as u8;
    // Where a move lies says less than what it does.
    let or_else = |place: Reason| match reason(game, mv) {
        Reason::Shape | Reason::Touches => place,
        known => known,
    };
    match voice {
        Voice::Squeeze => match with_two(&after, after.of(!mover)) {
            Points::EMPTY => reason(game, mv),
            pressed => Reason::Presses(count(pressed)),
        },
        Voice::Extend => match with_two(&stones, stones.of(mover)) {
            Points::EMPTY => reason(game, mv),
            own => Reason::Strengthens(count(own)),
        },
        Voice::Last => or_else(Reason::Answers),
        Voice::Before => or_else(Reason::GoesOn),
        Voice::Line => {
            let high = game.rules().size().saturating_sub(1);
            let line = |at: u8| at.min(high.saturating_sub(at)) + 1;
            or_else(Reason::OnLine(line(point.col()).min(line(point.row()))))
        }
        _ => reason(game, mv),
    }
}

/// Whether two different blocks of the opponent meet at a point, with an own stone near enough to
/// hold them apart.
fn is_cut(stones: &super::Stones, theirs: Points, next_to: Points, own: Points) -> bool {
    let mut blocks = (next_to & theirs).map(|stone| stones.block(stone));
    let first = blocks.next();
    blocks.any(|block| Some(block) != first) && (next_to | next_to.around()).meets(own)
}

/// The reason by the nearest own stone.
fn by_shape(game: &Go, point: Point, own: Points, touches: bool) -> Reason {
    let size = game.rules().size();
    let line = |at: u8| at.min(size.saturating_sub(1).saturating_sub(at)) + 1;
    let height = |point: Point| line(point.col()).min(line(point.row()));
    let offset = |stone: Point| {
        let [across, up] = [
            stone.col().abs_diff(point.col()),
            stone.row().abs_diff(point.row()),
        ];
        (across.min(up), across.max(up))
    };
    // Of stones equally near, the most recent move, then the lowest point.
    let near = |offset: (u8, u8)| match offset {
        (0, 1) => Some(0),
        (1, 1) => Some(1),
        (0, 2) => Some(2),
        (1, 2) => Some(3),
        _ => None,
    };
    let nearest = own
        .filter_map(|stone| Some((near(offset(stone))?, stone)))
        .min();
    if let Some((kind, stone)) = nearest {
        let course = match height(point).cmp(&height(stone)) {
            core::cmp::Ordering::Greater => Course::Middle,
            core::cmp::Ordering::Less => Course::Edge,
            core::cmp::Ordering::Equal => Course::Along,
        };
        return match kind {
            0 => Reason::Extends(course),
            1 if touches => Reason::Hane(course),
            1 => Reason::Diagonal(course),
            2 => Reason::Jump(course),
            _ => Reason::Knight(course),
        };
    }
    if touches {
        return Reason::Touches;
    }
    let [col, row] = [line(point.col()), line(point.row())];
    if super::policy::is_open(&Board::new(game), cell_of(point)) {
        return Reason::Opens(col.min(row), col.max(row));
    }
    Reason::Shape
}

/// A number of things in words: "a stone", "two stones".
struct Count(u8, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 13] = [
            "no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        ];
        let &Count(number, thing) = self;
        match WORDS.get(usize::from(number)) {
            Some(word) => write!(f, "{word} {thing}")?,
            None => write!(f, "{number} {thing}")?,
        }
        f.write_str(if number == 1 { "" } else { "s" })
    }
}

impl Course {
    fn words(self) -> &'static str {
        match self {
            Course::Middle => " inwards",
            Course::Edge => " outwards",
            Course::Along => "",
        }
    }
}

/// In words that follow the name of a move: "captures two stones".
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let course = |f: &mut fmt::Formatter<'_>, what: &str, course: &Course| {
            f.write_str(what)?;
            f.write_str(course.words())
        };
        match self {
            Reason::Done => f.write_str("nothing to gain"),
            Reason::Captures(stones) => write!(f, "captures {}", Count(*stones, "stone")),
            Reason::Saves(stones) => write!(f, "saves {}", Count(*stones, "stone")),
            Reason::Atari(stones) => write!(f, "threatens {}", Count(*stones, "stone")),
            Reason::Connects(blocks) => write!(f, "connects {}", Count(*blocks, "group")),
            Reason::Cuts => f.write_str("cuts"),
            Reason::Hane(to) => course(f, "hane", to),
            Reason::Extends(to) => course(f, "extends", to),
            Reason::Diagonal(to) => course(f, "diagonal", to),
            Reason::Knight(to) => course(f, "knight's move", to),
            Reason::Jump(to) => course(f, "one-point jump", to),
            Reason::Touches => f.write_str("touches the opponent"),
            Reason::Presses(stones) => write!(f, "presses {}", Count(*stones, "stone")),
            Reason::Strengthens(stones) => write!(f, "strengthens {}", Count(*stones, "stone")),
            Reason::Answers => f.write_str("answers the last move"),
            Reason::GoesOn => f.write_str("goes on from there"),
            Reason::OnLine(line) => {
                const LINES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
                let line = usize::from(*line).clamp(1, LINES.len()) - 1;
                write!(
                    f,
                    "the {} line",
                    LINES.get(line).copied().unwrap_or_default()
                )
            }
            Reason::Rule(name) => f.write_str(name),
            Reason::Opens(low, high) if low == high && *low > 4 => f.write_str("takes the middle"),
            Reason::Opens(low, high) if *high <= 4 => write!(f, "takes a corner, {low}-{high}"),
            Reason::Opens(low, _) => write!(f, "takes a side, line {low}"),
            Reason::Shape => f.write_str("good shape"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::GoRules;
    use crate::rng::Rng;

    fn words(size: u8, text: &str, mv: &str) -> alloc::string::String {
        let game = Go::parse_position(GoRules::new(size).unwrap(), text).unwrap();
        let mv = game.parse_move(mv).unwrap();
        assert!(game.is_legal(mv), "{text} {mv}");
        alloc::format!("{}", reason(&game, mv))
    }

    #[test]
    fn each_reason_has_its_words() {
        let empty5 = "...../...../...../...../..... black";
        for (text, mv, wanted) in [
            (
                "...../.X.../XOX../...../..... black",
                "B2",
                "captures a stone",
            ),
            (
                "...../.XX../XOO../.XX../..... black",
                "D3",
                "captures two stones",
            ),
            ("...../.O.../OX.../.O.../..... black", "C3", "saves a stone"),
            (
                "...../.X.../XO.../O.O../..... black",
                "C3",
                "threatens a stone",
            ),
            (
                "...../...../.X.X./...../..... black",
                "C3",
                "connects two groups",
            ),
            ("...../..X../.O.O./...../..... black", "C3", "cuts"),
            ("...../...../.XO../...../..... black", "C2", "hane"),
            ("...../...../.X.../...../..... black", "B2", "extends"),
            ("...../...../.X.../...../..... black", "C2", "diagonal"),
            (
                "...../...../.X.../...../..... black",
                "D3",
                "one-point jump",
            ),
            (
                "...../...../.X.../...../..... black",
                "C1",
                "knight's move outwards",
            ),
            (
                "...../...../...../.O.../..... black",
                "C2",
                "touches the opponent",
            ),
            (empty5, "B2", "takes a corner, 2-2"),
            (empty5, "pass", "nothing to gain"),
        ] {
            assert_eq!(words(5, text, mv), wanted, "{text} {mv}");
        }
        let empty9 = [["........."; 9].join("/").as_str(), " black"].concat();
        assert_eq!(words(9, &empty9, "E5"), "takes the middle");
        assert_eq!(words(9, &empty9, "E3"), "takes a side, line 3");
        assert_eq!(words(9, &empty9, "G3"), "takes a corner, 3-3");
    }

    /// A move in self-atari saves and threatens nothing.
    #[test]
    fn a_stone_in_danger_promises_nothing() {
        let text = "...../...../O..../XO.../..... black";
        assert!(!words(5, text, "A1").starts_with("saves"));
    }

    #[test]
    fn the_policy_s_groups_of_weights_have_their_words() {
        let says = |voice, text: &str, mv: &str| {
            let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
            let mv = game.parse_move(mv).unwrap();
            alloc::format!("{}", reason_of(voice, &game, mv))
        };
        let squeeze = "...../...../.XOO./...../..... black";
        assert_eq!(
            says(Voice::Squeeze, "...../.XX../.XO../...../..... black", "D3"),
            "threatens a stone"
        );
        assert_eq!(
            says(Voice::Squeeze, "...../...../.XO../...../..... black", "C4"),
            "presses a stone"
        );
        assert_eq!(
            says(Voice::Squeeze, squeeze, "E1"),
            "good shape",
            "nothing is pressed"
        );
        assert_eq!(
            says(Voice::Extend, "...../..O../..XO./...../..... black", "C2"),
            "strengthens a stone"
        );
        assert_eq!(
            says(Voice::Shape, "...../...../.X.../...../..... black", "B2"),
            "extends"
        );
        // Where it lies is told if nothing else is.
        assert_eq!(says(Voice::Last, squeeze, "E1"), "answers the last move");
        assert_eq!(says(Voice::Before, squeeze, "E1"), "goes on from there");
        assert_eq!(says(Voice::Line, squeeze, "E1"), "the first line");
        assert_eq!(says(Voice::Last, squeeze, "B2"), "extends");
    }

    /// Every move of random games has words that fit the hint line.
    #[test]
    fn all_moves_have_short_words() {
        let mut rng = Rng::new(3);
        let mut kinds = alloc::collections::BTreeSet::new();
        for size in [5, 7, 9] {
            for _ in 0..10 {
                let mut game = Go::new(GoRules::new(size).unwrap());
                while let Some(mv) = rng.pick(game.legal_moves()) {
                    for mv in game.legal_moves() {
                        let found = reason(&game, mv);
                        kinds.insert(
                            alloc::format!("{found:?}")
                                .chars()
                                .take(4)
                                .collect::<alloc::string::String>(),
                        );
                        assert!(alloc::format!("{found}").len() <= 24, "{found}");
                    }
                    game.play_unchecked(mv);
                }
            }
        }
        assert!(kinds.len() >= 12, "{}", kinds.len());
    }
}
