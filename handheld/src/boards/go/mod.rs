//! Board of Go: cursor, options and texts; `picture.rs` draws it.

use core::fmt::{self, Write};

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::go::players::{ALIVE, reason_by, rule_of};
use dojo_core::games::go::{self, GoMove, Ko, Points};
use dojo_core::games::{Go, GoRules};
use dojo_core::players::belts::{Grounds, Thought};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

#[cfg(feature = "alloc")]
use crate::boards::Foreign;
use crate::boards::{
    Board, Example, HasBoard, Marks, Places, Reply, RuleOption, ScoreLine, ScoringWords,
    TallyExtent, Words,
};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::scoring::Marked;
use crate::touch::Target;
use crate::words;

mod picture;
mod rule;
#[cfg(feature = "alloc")]
mod sgf;
mod strength;

pub(super) use picture::draw_stone;

/// Names of the players' stones for a screen reader.
const COLOURS: [&str; 2] = ["black", "white"];
const NAMES: [&str; 2] = ["Black", "White"];

/// Prints a number of half points as points: 11 as 5.5.
struct HalfPoints(i16);

impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, halves) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(
            f,
            "{sign}{}{}",
            halves / 2,
            if halves % 2 == 1 { ".5" } else { "" }
        )
    }
}

/// The cursor: a point, or the button beside the board.
#[derive(Clone, Copy)]
pub(crate) struct GoBoard {
    col: u8,
    row: u8,
    /// On the button to the right of the board.
    beside: bool,
}

impl GoBoard {
    /// The point under the cursor; `None` beside the board.
    fn point(&self) -> Option<go::Point> {
        go::Point::new(self.col, self.row).filter(|_| !self.beside)
    }

    fn mv(&self) -> Option<GoMove> {
        if self.beside {
            Some(GoMove::Pass)
        } else {
            self.point().map(GoMove::Stone)
        }
    }
}

impl HasBoard for Go {
    type Board = GoBoard;
}

impl Board for GoBoard {
    type Game = Go;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const GOAL: &'static str = words::go::GOAL;
    const EXAMPLE: Example = Example {
        rules: "size=5",
        moves: "C2 C3 B3 E1 D3 A5",
        hint: "C4",
        text: words::go::EXAMPLE,
    };
    const RULES: &'static [&'static str] = words::go::RULES;

    const PASS: Option<u16> = Some(GoMove::PASS_INDEX);
    const CAN_RESIGN: bool = true;
    const OVERLAY: Option<&'static str> = Some(words::go::TERRITORY);

    /// Areas of the winner and of the loser, komi included.
    fn why(game: &Go, _: Outcome, dead: Marked) -> Words {
        let [black, white] = game
            .areas_without(points(dead))
            .map(|area| 2 * area.len() as i16);
        let white = white + game.rules().komi();
        let mut words = Words::new();
        // Two numbers always fit.
        let [most, least] = [black.max(white), black.min(white)].map(HalfPoints);
        let _ = words::go::areas(&mut words, most, least);
        words
    }

    fn margin(game: &Go, dead: Marked) -> Option<Words> {
        let [black, white] = game
            .areas_without(points(dead))
            .map(|area| 2 * area.len() as i16);
        let mut words = Words::new();
        let by = black - white - game.rules().komi();
        write!(words, "{}", HalfPoints(by.abs())).ok()?;
        Some(words).filter(|_| by != 0)
    }

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let side = place.size.height as i32;
        let roomy = pen.look.roomy;
        if roomy {
            pen.panel(place, Ink::Wood);
        } else {
            pen.border(place, Ink::Paper, 1);
        }
        let step = side / 4;
        let at = |column: i32, row: i32| {
            let middle = Point::new((column - 2) * step, (row - 2) * step);
            place.center() + middle
        };
        if roomy {
            for i in 1..4 {
                pen.line(at(0, i), at(4, i), Ink::Brown, 1);
                pen.line(at(i, 0), at(i, 4), Ink::Brown, 1);
            }
        }
        let size = (step as u32 - 1).max(4) | 1;
        for (player, column, row) in [
            (Player::First, 2, 1),
            (Player::First, 1, 2),
            (Player::Second, 2, 2),
            (Player::First, 2, 3),
            (Player::Second, 3, 2),
        ] {
            draw_stone(player, at(column, row), size, pen);
        }
    }

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        draw_stone(player, centre, if pen.look.roomy { 17 } else { 7 }, pen);
    }

    #[cfg(feature = "alloc")]
    fn read_foreign(text: &str) -> Option<Foreign<GoRules>> {
        text.trim_start().starts_with('(').then(|| sgf::read(text))
    }

    fn option(rules: &GoRules, number: usize) -> Option<RuleOption> {
        match number {
            0 => Some(RuleOption {
                label: words::go::SIZE,
                value: match rules.size() {
                    5 => words::go::SIZES[0],
                    7 => words::go::SIZES[1],
                    _ => words::go::SIZES[2],
                },
            }),
            1 => Some(RuleOption {
                label: words::go::KOMI,
                value: match rules.komi() {
                    1 => "0.5",
                    15 => "7.5",
                    _ => "5.5",
                },
            }),
            2 => {
                const COUNTS: [&str; 10] = words::go::STONES;
                Some(RuleOption {
                    label: words::go::HANDICAP,
                    value: COUNTS[usize::from(rules.handicap()) % COUNTS.len()],
                })
            }
            3 => Some(RuleOption {
                label: words::go::KO,
                value: if rules.ko == Ko::Simple {
                    words::go::KO_IS[0]
                } else {
                    words::go::KO_IS[1]
                },
            }),
            _ => None,
        }
    }

    fn step_option(rules: &mut GoRules, number: usize, forward: bool) {
        fn step<T: Copy + PartialEq, const N: usize>(all: [T; N], at: T, forward: bool) -> T {
            let place = all.iter().position(|&one| one == at).unwrap_or(0);
            all[(place + if forward { 1 } else { N - 1 }) % N]
        }
        let (size, komi, handicap, ko) = (rules.size(), rules.komi(), rules.handicap(), rules.ko);
        let changed = match number {
            0 => {
                let sized = GoRules::new(step(GoRules::SIZES, size, forward));
                sized.and_then(|rules| {
                    Some(rules.with_komi(komi)?.with_handicap(handicap)?.with_ko(ko))
                })
            }
            1 => rules.with_komi(step([11, 15, 1], komi, forward)),
            2 => rules.with_handicap(step(GoRules::HANDICAPS, handicap, forward)),
            _ => Some(rules.with_ko(step([Ko::Positional, Ko::Simple], ko, forward))),
        };
        *rules = changed.unwrap_or(*rules);
    }

    fn new(game: &Go) -> GoBoard {
        let middle = game.rules().size() / 2;
        GoBoard {
            col: middle,
            row: middle,
            beside: false,
        }
    }

    fn press(&mut self, game: &Go, button: Button) -> Reply {
        match button {
            Button::A => match self.mv() {
                Some(mv) if game.is_legal(mv) => Reply::Play(mv.index()),
                _ => Reply::Refused,
            },
            _ if self.walk(game, button) => Reply::Moved,
            _ => Reply::Ignored,
        }
    }

    fn point_to(&mut self, _: &Go, mv: Option<u16>) {
        match mv.and_then(GoMove::from_index) {
            Some(GoMove::Stone(point)) => {
                (self.col, self.row, self.beside) = (point.col(), point.row(), false)
            }
            Some(GoMove::Pass) => self.beside = true,
            None => self.beside = false,
        }
    }

    fn spot(&self, game: &Go, place: Rectangle, roomy: bool) -> Option<Point> {
        Some(picture::centre(game, self.point()?, place, roomy))
    }

    // Not inlined: the position after the move takes a kilobyte of the stack.
    #[inline(never)]
    fn taken(game: &Go, mv: u16) -> Marked {
        let Some(mv) = GoMove::from_index(mv).filter(|&mv| game.is_legal(mv)) else {
            return Marked::default();
        };
        let after = game.after(mv);
        let is_taken = |point: &go::Point| {
            game.stones().at(*point).is_some() && after.stones().at(*point).is_none()
        };
        let taken = game.board().filter(is_taken);
        taken.map(|point| GoMove::Stone(point).index()).collect()
    }

    fn draw(&self, game: &Go, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        self.tell(game, marks, pen);
        picture::draw(
            game,
            self.point().filter(|_| marks.cursor),
            marks,
            place,
            pen,
        );
    }

    /// A short form of the remark, for displays without room for that.
    fn prompt(&self, game: &Go) -> Option<Words> {
        (game.last_move() == Some(GoMove::Pass))
            .then(|| Words::try_from(words::go::PASSED_ALREADY).unwrap_or_default())
    }

    fn places(&self, pen: &Pen<'_>) -> Places {
        let (width, height) = (pen.width(), pen.height());
        let places = Places::of(pen);
        if !pen.look.roomy {
            return Places {
                hand: area(height + 2, height - 8, 24, 8),
                ..places
            };
        }
        // The board stands to the left of the button.
        let side = places.board.size.height as i32;
        let (wide, high, margin) = (44, 28, 4);
        let left = width - margin - wide;
        // Below and to the left of the board.
        let labels = if pen.comfort.coordinates {
            picture::LABELS
        } else {
            0
        };
        Places {
            hand: area(left, places.board.center().y - high / 2, wide, high),
            board: area(
                left - side - 6 + labels,
                places.board.top_left.y,
                side - labels,
                side - labels,
            ),
            ..places
        }
    }

    fn draw_hand(&self, _: &Go, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        if marks.cursor {
            pen.button(place, words::PASS, self.beside);
            pen.touchable(place, Target::Place(GoMove::PASS_INDEX));
        }
        // Without room at the board, the place of the cursor is named beside the button.
        if marks.coordinates
            && !pen.look.roomy
            && let Some(point) = self.point()
        {
            let mut name = Words::new();
            let _ = write!(name, "{point}");
            let (at, size) = (place.top_left, place.size);
            let left = at.x + size.width as i32;
            let line = area(left, at.y, pen.width() - left - 2, size.height as i32);
            pen.letters_in(line, Side::Right, pen.look.body, Ink::Paper, &[&name]);
        }
    }

    /// The number of captured stones, if any, on a plate of their colour.
    fn draw_tally(game: &Go, player: Player, place: Rectangle, pen: &mut Pen<'_>) -> TallyExtent {
        let mut taken = Words::new();
        match game.prisoners(player) {
            0 => return TallyExtent::default(),
            // Three digits always fit.
            number => drop(write!(taken, "{number}")),
        }
        let (face, roomy) = (pen.look.body, pen.look.roomy);
        let (edge, pad) = if roomy { (5, 3) } else { (2, 1) };
        let width = face.width(&taken) + 2 * pad;
        let (height, middle) = (face.cap() + 2 * pad, place.center().y);
        let left = place.top_left.x + place.size.width as i32 - edge - width;
        let plate = area(left, middle - height / 2, width, height);
        let (ground, ink) = match player {
            Player::First => (Ink::White, Ink::Black),
            Player::Second => (Ink::Black, Ink::White),
        };
        pen.fill(plate, ground);
        pen.letters_in(plate, Side::Centre, face, ink, &[&taken]);
        TallyExtent {
            width: width + edge,
            is_more: false,
        }
    }

    const HAS_REASONS: bool = true;

    /// The point and the strongest reason for it.
    fn describe(&self, game: &Go, mv: u16) -> Option<Words> {
        self.explain(game, mv, &Grounds::default())
    }

    /// The point and the reason that spoke most for it.
    fn explain(&self, game: &Go, mv: u16, grounds: &Grounds) -> Option<Words> {
        let mv = GoMove::from_index(mv)?;
        let mut words = Words::new();
        // A point and the longest reason fit.
        write!(words, "{mv} {}", reason_by(grounds, game, mv)).ok()?;
        Some(words)
    }

    fn draw_grounds(game: &Go, grounds: &Grounds, pen: &mut Pen<'_>) {
        if let Some(rule) = rule_of(grounds) {
            rule::tell(&rule.clause, pen);
            if pen.look.roomy {
                rule::draw(&rule.clause, game.turn(), rule_place(pen), pen);
            }
        }
    }

    fn remark(&self, _: &Go, last: u16) -> Option<Words> {
        (last == GoMove::Pass.index()).then(|| Words::try_from(words::PASSED).unwrap_or_default())
    }

    const SCORING: Option<ScoringWords> = Some(ScoringWords {
        title: words::go::DEAD_STONES,
        marked: "dead",
        on_board: words::go::KEYS_ON_BOARD,
        beside: words::go::KEYS_BESIDE,
    });

    fn scored(game: &Go, dead: Marked) -> Option<Outcome> {
        game.is_over().then(|| game.outcome_without(points(dead)))
    }

    /// The blocks of stones that the machine does not expect to survive.
    fn proposed_marks(game: &Go, values: &[Thought]) -> Marked {
        let doubtful = values.iter().filter(|thought| thought.value < ALIVE);
        doubtful.fold(Marked::default(), |dead, thought| {
            dead | Self::marked_together(game, thought.index)
        })
    }

    /// A block. No more than that: where a game was left early, stones hang together over the whole board.
    fn marked_together(game: &Go, place: u16) -> Marked {
        block(game, place)
            .map(|point| GoMove::Stone(point).index())
            .collect()
    }

    /// Black's area, white's, komi, and who is ahead by how much.
    fn score_line(game: &Go, dead: Marked, number: usize) -> Option<ScoreLine> {
        let dead = points(dead);
        Some(match (number, Player::BOTH.get(number)) {
            (_, Some(&player)) => {
                let area = game.areas_without(dead)[player.index()].len();
                score_line(
                    Some(player),
                    "",
                    format_args!("{area}"),
                    format_args!("{} area {area}", NAMES[player.index()]),
                )
            }
            (2, _) => {
                let komi = HalfPoints(game.rules().komi());
                score_line(
                    None,
                    words::go::KOMI,
                    format_args!("{komi}"),
                    format_args!("Komi for white {komi}"),
                )
            }
            (3, _) => {
                let lead = HalfPoints(game.score_without(dead).abs());
                let line = match game.outcome_without(dead) {
                    Outcome::Win(winner) => score_line(
                        Some(winner),
                        "",
                        format_args!("+{lead}"),
                        format_args!("{} wins by {lead}", NAMES[winner.index()]),
                    ),
                    Outcome::Draw => score_line(
                        None,
                        words::go::DRAW,
                        format_args!(""),
                        format_args!("{}", words::go::DRAW),
                    ),
                };
                ScoreLine {
                    is_total: true,
                    ..line
                }
            }
            _ => return None,
        })
    }

    fn beside(game: &Go) -> GoBoard {
        GoBoard {
            beside: true,
            ..GoBoard::new(game)
        }
    }

    fn place(&self) -> Option<u16> {
        self.point().map(|point| GoMove::Stone(point).index())
    }

    /// Moves the cursor, round and round; beside the board, up and down are somebody else's.
    fn walk(&mut self, game: &Go, button: Button) -> bool {
        let last = game.rules().size() - 1;
        match button {
            Button::Left if self.beside => (self.beside, self.col) = (false, last),
            Button::Right if self.beside => (self.beside, self.col) = (false, 0),
            Button::Left if self.col == 0 => self.beside = true,
            Button::Right if self.col == last => self.beside = true,
            Button::Left => self.col -= 1,
            Button::Right => self.col += 1,
            Button::Up | Button::Down if self.beside => return false,
            Button::Up => self.row = if self.row == last { 0 } else { self.row + 1 },
            Button::Down => self.row = if self.row == 0 { last } else { self.row - 1 },
            _ => return false,
        }
        true
    }
}

fn score_line(
    sign: Option<Player>,
    label: &'static str,
    number: fmt::Arguments<'_>,
    said: fmt::Arguments<'_>,
) -> ScoreLine {
    let mut line = ScoreLine {
        sign,
        label,
        number: Words::new(),
        said: Words::new(),
        is_total: false,
    };
    // A few words and a number fit.
    let _ = line
        .number
        .write_fmt(number)
        .and_then(|()| line.said.write_fmt(said));
    line
}

/// Where the rule of a hint is drawn: below the button to the right of the board.
fn rule_place(pen: &Pen<'_>) -> Rectangle {
    area(pen.width() - 35, 146, 34, 34)
}

/// The block of the stone on a place.
fn block(game: &Go, place: u16) -> Points {
    let point = GoMove::from_index(place).and_then(GoMove::point);
    point.map_or(Points::EMPTY, |point| game.stones().block(point))
}

/// The points of marked places.
fn points(marked: Marked) -> Points {
    let mut points = Points::EMPTY;
    let marked = marked.iter().filter_map(GoMove::from_index);
    marked
        .filter_map(GoMove::point)
        .for_each(|point| points.insert(point));
    points
}

impl GoBoard {
    /// Tells a screen reader the stones, row by row, and the marks.
    fn tell(&self, game: &Go, marks: Marks<'_>, pen: &mut Pen<'_>) {
        let stones = game.stones();
        for row in (0..game.rules().size()).rev() {
            // Both colours and nine points fit.
            let mut words = heapless::String::<80>::new();
            for (player, colour) in Player::BOTH.into_iter().zip(COLOURS) {
                let mut in_row = stones
                    .of(player)
                    .filter(|point| point.row() == row)
                    .peekable();
                if in_row.peek().is_some() {
                    let gap = if words.is_empty() { "" } else { ", " };
                    let _ = write!(words, "{gap}{colour}");
                    in_row.for_each(|point| {
                        let _ = write!(words, " {point}");
                    });
                }
            }
            pen.tell(format_args!(
                "Row {}: {}",
                row + 1,
                if words.is_empty() { "empty" } else { &words }
            ));
        }
        for (player, name) in Player::BOTH.into_iter().zip(NAMES) {
            pen.tell(format_args!("{name} has taken {}", game.prisoners(player)));
        }
        let mut list = |name: &str, points: Points| {
            // 81 points of three letters fit.
            let mut words = heapless::String::<256>::new();
            { points }.for_each(|point| {
                let _ = write!(words, " {point}");
            });
            if !words.is_empty() {
                pen.tell(format_args!("{name}:{words}"));
            }
        };
        if let Some(dead) = marks.marked {
            list("Dead", points(dead));
        } else {
            list("In atari", stones.in_atari(game.board()));
            list("Forbidden by ko", game.ko_points());
        }
        if marks.overlay && marks.marked.is_none() {
            let [black, white] = go::territory(stones, game.board());
            list("Territory of black", black.without(stones.all()));
            list("Territory of white", white.without(stones.all()));
        }
        if let Some(place) = marks.target {
            list("The task is about", block(game, place));
        }
        if let Some(last) = marks.last.and_then(GoMove::from_index) {
            pen.tell(format_args!("Last move {last}"));
        }
        if let Some(point) = self.point().filter(|_| marks.cursor) {
            let there = stones
                .at(point)
                .map_or("empty", |player| COLOURS[player.index()]);
            pen.tell(format_args!("Cursor on {point}, {there}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Scoring;
    use dojo_core::games::AnyGame;

    #[test]
    fn the_cursor_reaches_every_point_and_what_is_beside_the_board() {
        for size in GoRules::SIZES {
            let game = Go::new(GoRules::new(size).unwrap());
            let mut board = GoBoard::new(&game);
            let mut seen = Points::EMPTY;
            for _ in 0..size {
                for _ in 0..=size {
                    board.walk(&game, Button::Right);
                    board
                        .point()
                        .into_iter()
                        .for_each(|point| seen.insert(point));
                }
                board.walk(&game, Button::Up);
            }
            assert_eq!(seen, game.board());
            let start = GoBoard::new(&game).point();
            let mut board = GoBoard::new(&game);
            for (there, back) in [(Button::Right, Button::Left), (Button::Up, Button::Down)] {
                (0..size).for_each(|_| assert!(board.walk(&game, there)));
                (0..size).for_each(|_| assert!(board.walk(&game, back)));
                assert_eq!(board.point(), start);
            }
            board.point_to(&game, Some(GoMove::Pass.index()));
            assert_eq!(
                board.press(&game, Button::A),
                Reply::Play(GoMove::Pass.index())
            );
        }
    }

    #[test]
    fn options_step_round_and_keep_each_other() {
        let mut rules = GoRules::default();
        for number in 0..4 {
            GoBoard::step_option(&mut rules, number, false);
        }
        let values = (0..4).map(|number| GoBoard::option(&rules, number).unwrap().value);
        assert!(values.eq(["7x7", "0.5", "9", "simple"]), "{rules}");
        for number in 0..4 {
            GoBoard::step_option(&mut rules, number, true);
        }
        assert_eq!(rules, GoRules::default());
        assert!(GoBoard::option(&rules, 4).is_none());
    }

    #[test]
    fn points_are_written_in_halves() {
        let mut words = Words::new();
        write!(
            words,
            "{} {} {}",
            HalfPoints(11),
            HalfPoints(4),
            HalfPoints(-1)
        )
        .unwrap();
        assert_eq!(words, "5.5 2 -0.5");
    }

    fn finished() -> Go {
        // White's A1 and A5 and black's E2 are dead.
        let text = "O.X.O/.XXOO/XX.O./.XXOX/OXXO. black";
        Go::parse_position(GoRules::new(5).unwrap(), text).unwrap()
    }

    fn names(points: Points) -> heapless::String<64> {
        let mut names = heapless::String::new();
        { points }.for_each(|point| write!(names, "{point} ").unwrap());
        names
    }

    fn place(name: &str) -> u16 {
        GoMove::Stone(go::Point::parse(name).unwrap()).index()
    }

    #[test]
    fn blocks_die_and_rise_as_a_whole() {
        let game = AnyGame::Go(finished());
        let mut scoring = Scoring::default();
        assert!(!scoring.toggle(&game, place("B5")) && !scoring.judged);
        assert!(scoring.toggle(&game, place("A5")) && scoring.judged);
        scoring.toggle(&game, place("E4"));
        assert_eq!(names(points(scoring.marked)), "D1 D2 D3 D4 E4 A5 E5 ");
        scoring.toggle(&game, place("E5"));
        assert_eq!(names(points(scoring.marked)), "A5 ");
    }

    #[test]
    fn the_machine_proposes_and_a_person_decides() {
        let game = AnyGame::Go(finished());
        let doubtful = |name: &str, value| Thought {
            index: place(name),
            value,
            visits: 0,
        };
        let chances = [
            doubtful("A5", 100),
            doubtful("A1", ALIVE - 1),
            doubtful("E2", ALIVE),
        ];
        let mut scoring = Scoring::default();
        scoring.judge(&game, &chances);
        assert_eq!(names(points(scoring.marked)), "A1 A5 ");
        scoring.toggle(&game, place("A1"));
        scoring.judge(&game, &chances);
        assert_eq!(names(points(scoring.marked)), "A5 ");
    }
}
