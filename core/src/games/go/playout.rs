//! Playouts: a position is played to its end, uniformly at random or by a heavier policy.
//!
//! No player fills its own eyes, so a playout ends when only eyes are empty, and every remaining
//! stone is alive. The heavier policy first answers the last move: it captures there, saves stones
//! in atari, and plays the [patterns](super::patterns) next to it.

use super::board::{
    AROUND, Board, CELLS, Cell, EDGE, EMPTY, FIRST, Liberties, NOWHERE, at, colour, colour_in,
    sides, step,
};
use super::patterns::is_shape;
use super::points::Points;
use super::policy::{NAT, SHAPES, seen_by, shape_number};
use crate::players::helper::JobResult;
use crate::rng::Rng;

/// The policy of a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Chance of looking for stones to capture or save, in 1/256.
    pub captures: u8,
    /// Chance of looking for patterns, in 1/256.
    pub shapes: u8,
    /// Chance that a random move which is self-atari is rejected, in 1/256.
    pub caution: u8,
    /// Chance of looking for blocks with two liberties next to the last move, in 1/256.
    pub squeezes: u8,
    /// Whether learned weights judge shapes: those next to the last move instead of the patterns,
    /// and which of two random moves is played.
    pub weighted: bool,
    /// Lead in stones above which a playout ends at once, if half of it was gained in the playout;
    /// 0 if all are played to the end.
    pub mercy: u8,
}

impl Style {
    /// Uniformly random moves that fill no eye.
    pub const LIGHT: Style = Style {
        captures: 0,
        shapes: 0,
        caution: 0,
        squeezes: 0,
        weighted: false,
        mercy: 0,
    };
    /// Captures, rescues and patterns.
    pub const KNOWING: Style = Style {
        captures: 230,
        shapes: 243,
        caution: 128,
        squeezes: 0,
        weighted: false,
        mercy: 0,
    };
    /// The strongest policy. Its playouts end when they are decided: too early to tell the owner
    /// of each point.
    pub const LEARNED: Style = Style {
        squeezes: 100,
        weighted: true,
        mercy: 20,
        ..Style::KNOWING
    };
}

/// The result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Played {
    /// The score in half points, above 0 if black won.
    pub score: i16,
    /// The points on which each player was the first to play, for RAVE.
    pub first: [Points; 2],
    /// Number of moves.
    pub moves: u16,
}

impl Played {
    /// The form in which it is the result of a [`Job`](crate::players::helper::Job).
    pub(super) fn to_words(self) -> JobResult {
        let [[a, b, c], [d, e, f]] = self.first.map(Points::words);
        let word = u32::from(self.score as u16) | u32::from(self.moves) << 16;
        [word, a, b, c, d, e, f]
    }

    /// The inverse of [`Played::to_words`].
    pub(super) fn from_words([word, a, b, c, d, e, f]: JobResult) -> Played {
        Played {
            score: word as i16,
            first: [[a, b, c], [d, e, f]].map(Points::from_words),
            moves: (word >> 16) as u16,
        }
    }
}

/// What a policy has learned about shapes: the weights of its first group, by [`shape_number`].
/// `cargo run -p dojo-core --example playout_shapes` writes the file.
static SHAPE_WEIGHTS: &[u8; SHAPES] = include_bytes!("playout_shapes.bin");

/// Weight of a shape that is worth playing next to the last move: the likelihood times 1.65.
const GOOD: i8 = NAT as i8 / 2;
/// Most liberties that a block may gain if an atari on it shall be tried.
const MOST_GAINED: u8 = 1;
/// Stones of a block that is worth another liberty.
const LARGE: u8 = 3;

/// Moves after which a playout is scored as it stands: some kos and large captures repeat.
const LONGEST: u32 = 220;

/// Candidate cells of an urgent move.
struct Choices {
    cells: [Cell; 16],
    count: u8,
}

impl Choices {
    #[inline]
    fn new() -> Choices {
        Choices {
            cells: [NOWHERE; 16],
            count: 0,
        }
    }

    #[inline]
    fn add(&mut self, cell: Cell) {
        self.cells[usize::from(self.count) & 15] = cell;
        self.count = (self.count + 1).min(15);
    }

    /// A random candidate, by 16 random bits.
    #[inline]
    fn pick(&self, chance: u32) -> Option<Cell> {
        let number = ((chance & 0xFFFF) * u32::from(self.count)) >> 16;
        (self.count > 0).then(|| self.cells[number as usize & 15])
    }
}

/// The sets of black and white cells in an array of colours.
#[inline(never)]
fn sets_of(colours: &[u8; CELLS]) -> [Points; 2] {
    let mut words = [[0; 3]; 2];
    for word in 0..3 {
        let (mut black, mut white) = (0, 0);
        for bit in (0..32).rev() {
            let found = u32::from(colours[usize::from(FIRST) + 32 * word + bit]);
            black = black << 1 | found & 1;
            white = white << 1 | found >> 1;
        }
        (words[0][word], words[1][word]) = (black, white);
    }
    words.map(Points::from_words)
}

impl Board {
    /// Plays the position to its end.
    // Not inlined: the linker script places this code in RAM, not that of its callers.
    #[inline(never)]
    pub fn playout(&mut self, style: &Style, rng: &mut Rng) -> Played {
        // The colour of the first stone on each cell; an array is faster to update than sets of
        // points.
        let mut first = [EMPTY; CELLS];
        // A local copy of the generator stays in registers.
        let mut chances = rng.clone();
        let mercy = match style.mercy {
            0 => u8::MAX,
            // A lead that is there at the start may still be lost.
            lead => lead.max(self.lead() + lead / 2),
        };
        let begun = self.moves();
        for _ in 0..LONGEST {
            let cell = self.next_move(style, &mut chances);
            let owner = &mut first[at(cell)];
            if *owner == EMPTY {
                *owner = colour(self.turn);
            }
            self.play(cell);
            if self.is_over() || self.lead() > mercy {
                break;
            }
        }
        *rng = chances;
        Played {
            score: self.score(),
            first: sets_of(&first),
            moves: self.moves() - begun,
        }
    }

    /// The next move of a playout.
    #[inline]
    fn next_move(&self, style: &Style, rng: &mut Rng) -> Cell {
        let chance = rng.next_u32();
        let last = self.last;
        if last != NOWHERE && style.captures > 0 {
            if (chance as u8) < style.captures
                && let Some(cell) = self.urgent_move(last, chance >> 16)
            {
                return cell;
            }
            if ((chance >> 4) as u8) < style.squeezes
                && let Some(cell) = self.squeeze_move(last, chance >> 16)
            {
                return cell;
            }
            if ((chance >> 8) as u8) < style.shapes
                && let Some(cell) = self.shape_move(style, last, chance >> 16)
            {
                return cell;
            }
        }
        if style.weighted {
            return self.better_move(style, chance);
        }
        self.any_move(style, chance)
    }

    // Each kind of move is a function of its own: the M0+ has few registers, and inlining would
    // spill them.

    #[inline(never)]
    fn urgent_move(&self, last: Cell, chance: u32) -> Option<Cell> {
        self.urgent(last).pick(chance)
    }

    #[inline(never)]
    fn squeeze_move(&self, last: Cell, chance: u32) -> Option<Cell> {
        self.squeezes(last).pick(chance)
    }

    #[inline(never)]
    fn shape_move(&self, style: &Style, last: Cell, chance: u32) -> Option<Cell> {
        self.shapes_near(style, last).pick(chance)
    }

    /// Captures the block of the last stone, or saves own blocks that it put in atari.
    #[inline]
    fn urgent(&self, last: Cell) -> Choices {
        let own = colour(self.turn);
        let mut choices = Choices::new();
        if let Some(cell) = self
            .last_liberty(last)
            .filter(|&cell| self.is_legal(cell, own))
        {
            choices.add(cell);
        }
        if !self.has_stone(last, own) {
            return choices;
        }
        let (code, blocks) = (self.code_at(last), self.blocks_around(last));
        for (i, neighbour) in sides(last).into_iter().enumerate() {
            if colour_in(code, i) == own
                && let Some(cell) = self.liberties_by_name(blocks[i]).only()
            {
                self.rescue(neighbour, cell, &mut choices);
            }
        }
        choices
    }

    /// The only liberty of the block of a stone.
    #[inline]
    pub(crate) fn last_liberty(&self, stone: Cell) -> Option<Cell> {
        self.liberties_of(stone).only()
    }

    /// Moves that save an own block in atari: extending, if that gains liberties, or capturing a
    /// neighbour.
    #[inline(never)]
    fn rescue(&self, stone: Cell, liberty: Cell, choices: &mut Choices) {
        let own = colour(self.turn);
        if self.is_legal(liberty, own) && !self.is_self_atari(liberty, own) {
            choices.add(liberty);
        }
        let mut at = stone;
        loop {
            let code = self.code_at(at);
            for (i, block) in self.blocks_around(at).into_iter().enumerate() {
                if colour_in(code, i) == 3 - own
                    && let Some(cell) = self.liberties_by_name(block).only()
                    && cell != liberty
                    && self.is_legal(cell, own)
                {
                    choices.add(cell);
                }
            }
            at = self.next_stone(at);
            if at == stone {
                return;
            }
        }
    }

    /// Ataris on the block of the last stone that leave it little, and more liberties for large own
    /// blocks next to it that have only two.
    #[inline]
    fn squeezes(&self, last: Cell) -> Choices {
        let own = colour(self.turn);
        let mut choices = Choices::new();
        if let Some([a, b]) = self.two_liberties(last) {
            for (cell, other) in [(a, b), (b, a)] {
                // Liberties that the block gains when it extends.
                let gained = self.room(other) - u8::from(sides(cell).contains(&other));
                if gained <= MOST_GAINED
                    && self.is_legal(cell, own)
                    && !self.is_self_atari(cell, own)
                {
                    choices.add(cell);
                }
            }
        }
        if !self.has_stone(last, own) {
            return choices;
        }
        let (code, blocks) = (self.code_at(last), self.blocks_around(last));
        for (i, neighbour) in sides(last).into_iter().enumerate() {
            if colour_in(code, i) == own
                && !blocks[..i].contains(&blocks[i])
                && self.size_of(neighbour) >= LARGE
                && let Some(liberties) = self.two_liberties(neighbour)
            {
                for cell in liberties {
                    if self.has_room(cell) {
                        choices.add(cell);
                    }
                }
            }
        }
        choices
    }

    /// The liberties of a stone's block if there are two.
    #[inline(never)]
    fn two_liberties(&self, stone: Cell) -> Option<[Cell; 2]> {
        let all = self.liberties_of(stone);
        if all.are_many() || all.has_one() {
            return None;
        }
        let [mut first, mut second] = [NOWHERE; 2];
        let mut at = stone;
        loop {
            let code = self.code_at(at);
            for (i, cell) in sides(at).into_iter().enumerate() {
                if colour_in(code, i) != EMPTY || cell == first || cell == second {
                    continue;
                }
                if first == NOWHERE {
                    first = cell;
                } else if second == NOWHERE {
                    second = cell;
                } else {
                    return None;
                }
            }
            at = self.next_stone(at);
            if at == stone {
                return (second != NOWHERE).then_some([first, second]);
            }
        }
    }

    /// A good shape on one of the eight cells around the last move.
    #[inline]
    fn shapes_near(&self, style: &Style, last: Cell) -> Choices {
        let own = colour(self.turn);
        let mut choices = Choices::new();
        let mut colours = self.code_at(last);
        for &by in &AROUND {
            if colours as u8 & 3 == EMPTY {
                let cell = step(last, by);
                let is_good = if style.weighted {
                    self.shape_weight(cell, own) >= GOOD
                } else {
                    is_shape(self.code_at(cell))
                };
                if is_good && self.is_legal(cell, own) && !self.is_self_atari(cell, own) {
                    choices.add(cell);
                }
            }
            colours >>= 2;
        }
        choices
    }

    /// A random legal move that fills no eye: the first one from a random place in the list of
    /// empty cells on.
    #[inline(always)]
    fn any_move(&self, style: &Style, chance: u32) -> Cell {
        let place = (((chance >> 16) * u32::from(self.space_count())) >> 16) as u8;
        let cell = self.space_at(place);
        let cautious = ((chance >> 8) as u8) < style.caution;
        // Usually the first one is legal; on a full board there is none.
        if self.has_space(cell) && (!cautious || self.has_room(cell)) && self.space_count() > 0 {
            return cell;
        }
        self.any_move_from(place, cautious)
    }

    /// Of two random moves the one that makes the better shape.
    #[inline(never)]
    fn better_move(&self, style: &Style, chance: u32) -> Cell {
        let first = self.any_move(style, chance);
        if first == NOWHERE {
            return first;
        }
        // The multiplication spreads the chance over all bits; what is left of it serves again.
        let again = chance.wrapping_mul(0x9E37_79B1).rotate_left(15);
        let second = self.any_move(style, again);
        let own = colour(self.turn);
        if self.shape_weight(second, own) > self.shape_weight(first, own) {
            second
        } else {
            first
        }
    }

    /// The learned weight of the shape that a stone on an empty cell makes.
    #[inline]
    fn shape_weight(&self, cell: Cell, own: u8) -> i8 {
        let number = shape_number(seen_by(self.code_at(cell), own));
        SHAPE_WEIGHTS.get(number).map_or(0, |&byte| byte as i8)
    }

    #[inline(never)]
    fn any_move_from(&self, place: u8, cautious: bool) -> Cell {
        let own = colour(self.turn);
        let mut refused = NOWHERE;
        let (mut from, mut end) = (place, self.space_count());
        loop {
            let found = self.first_sensible(from, end, own);
            if found < end {
                let cell = self.space_at(found);
                if !cautious || refused != NOWHERE || !self.is_self_atari(cell, own) {
                    return cell;
                }
                (from, refused) = (found + 1, cell);
            } else if end == place {
                return refused;
            } else {
                (from, end) = (0, place);
            }
        }
    }

    /// The first of these places in the list of empty cells where a stone of this colour is legal
    /// and fills no eye; the end if there is none.
    #[inline(never)]
    fn first_sensible(&self, mut place: u8, end: u8, own: u8) -> u8 {
        while place < end && !self.is_sensible(self.space_at(place), own) {
            place += 1;
        }
        place
    }

    /// Whether a stone of this colour on an empty cell would leave its block at most one liberty.
    #[inline]
    pub(crate) fn is_self_atari(&self, cell: Cell, own: u8) -> bool {
        !self.has_room(cell) && self.leaves_one_liberty(cell, own)
    }

    #[inline(never)]
    fn leaves_one_liberty(&self, cell: Cell, own: u8) -> bool {
        let (code, blocks) = (self.code_at(cell), self.blocks_around(cell));
        let filled = Liberties::of(cell);
        let mut liberties = Liberties::NONE;
        for (i, neighbour) in sides(cell).into_iter().enumerate() {
            let (found, block) = (colour_in(code, i), blocks[i]);
            if found == EMPTY {
                liberties = liberties.and(Liberties::of(neighbour));
            } else if found == own {
                // The new stone removes its own cell from the liberties; every block counts once.
                liberties = liberties.without(filled);
                if !blocks[..i].contains(&block) {
                    let more = self.liberties_by_name(block);
                    if more.are_many() {
                        return false;
                    }
                    liberties = liberties.and(more);
                }
            } else if found != EDGE && self.liberties_by_name(block).has_one() {
                // A captured stone becomes a liberty, several stones become several.
                if self.size_of(neighbour) > 1 {
                    return false;
                }
                liberties = liberties.and(Liberties::of(neighbour));
            }
        }
        liberties.is_empty() || liberties.has_one()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Player};
    use crate::games::go::board::{cell_of, point_of};
    use crate::games::go::{Go, GoRules};

    #[test]
    fn playouts_end_and_everything_counts() {
        for style in [Style::LIGHT, Style::KNOWING, Style::LEARNED] {
            for size in [5, 7, 9] {
                let game = Go::new(GoRules::new(size).unwrap());
                let (mut moves, mut wins) = (0, 0);
                for seed in 0..300 {
                    let mut board = Board::new(&game);
                    let played = board.playout(&style, &mut Rng::new(seed));
                    assert!(!played.first[0].meets(played.first[1]));
                    assert!(
                        (played.first[0] | played.first[1])
                            .without(game.board())
                            .is_empty()
                    );
                    moves += (played.first[0] | played.first[1]).len();
                    wins += u32::from(played.score > 0);
                    let same = Board::new(&game).playout(&style, &mut Rng::new(seed));
                    assert_eq!(same, played, "a seed repeats its playout");
                }
                assert!(moves / 300 > u32::from(size).pow(2) * 3 / 4);
                assert!((60..240).contains(&wins), "{wins} of 300 on {size}");
            }
        }
    }

    /// Optimisations must not change playouts: another move, or another order of the list of empty
    /// cells, gives another number.
    #[test]
    fn a_seed_plays_the_same_playout_for_ever() {
        let digest = |style: &Style| {
            let mut digest = 0xCBF2_9CE4_8422_2325_u64;
            let mut add =
                |word: u32| digest = (digest ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
            for size in [5, 7, 9] {
                for seed in 0..200 {
                    let mut board = Board::new(&Go::new(GoRules::new(size).unwrap()));
                    let played = board.playout(style, &mut Rng::new(seed));
                    add(played.score as u32);
                    add(board.moves().into());
                    played
                        .first
                        .into_iter()
                        .flat_map(Points::words)
                        .for_each(&mut add);
                    board.spaces().iter().for_each(|&cell| add(cell.into()));
                }
            }
            digest
        };
        assert_eq!(digest(&Style::LIGHT), 0x97F5_620E_B13B_8031);
        assert_eq!(digest(&Style::KNOWING), 0xEF8C_E50A_08B3_099E);
        assert_eq!(digest(&Style::LEARNED), 0xD676_FC64_B2A0_7639);
    }

    /// A lead of 21 stones is not lost any more, or as good as never.
    #[test]
    fn what_is_decided_is_not_played_to_its_end() {
        let brisk = Style {
            mercy: Style::LEARNED.mercy,
            ..Style::KNOWING
        };
        let start = Board::new(&Go::new(GoRules::new(9).unwrap()));
        let (mut agreed, mut saved) = (0, 0);
        for seed in 0..400 {
            let [whole, short] =
                [Style::KNOWING, brisk].map(|style| { start }.playout(&style, &mut Rng::new(seed)));
            agreed += u32::from((whole.score > 0) == (short.score > 0));
            saved += whole.moves - short.moves;
        }
        assert!(agreed >= 396, "{agreed} of 400");
        assert!(saved > 400 * 5, "{saved} moves of 400 playouts");
    }

    #[test]
    fn of_two_random_moves_the_better_shape_is_played() {
        let style = Style {
            weighted: true,
            ..Style::LIGHT
        };
        let mut game = Go::new(GoRules::new(9).unwrap());
        for name in ["E5", "E6", "D6", "D5", "F5", "C6"] {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        let board = Board::new(&game);
        let own = colour(board.turn);
        let mut rng = Rng::new(9);
        let (mut contested, mut random) = (0, 0);
        for _ in 0..500 {
            let chance = rng.next_u32();
            let first = board.any_move(&style, chance);
            let chosen = board.better_move(&style, chance);
            let [first, chosen] = [first, chosen].map(|cell| board.shape_weight(cell, own));
            assert!(chosen >= first);
            (contested, random) = (contested + i32::from(chosen), random + i32::from(first));
        }
        assert!(contested > random + 500, "{contested}, {random} at random");
    }

    #[test]
    fn blocks_with_two_liberties_are_squeezed_or_get_more() {
        let squeezed = |text, mv| {
            let mut game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
            game.play(game.parse_move(mv).unwrap()).unwrap();
            let board = Board::new(&game);
            let choices = board.squeezes(board.last);
            choices.cells[..usize::from(choices.count)]
                .iter()
                .fold(Points::EMPTY, |set, &cell| set | Points::of(point_of(cell)))
        };
        let points = |names: &str| {
            names
                .split_whitespace()
                .filter_map(super::super::Point::parse)
                .fold(Points::EMPTY, |set, p| set | Points::of(p))
        };
        // The stone in the corner would gain one liberty at most: white may begin on both sides.
        let corner = "...../...../...../.O.../..O.. black";
        assert_eq!(squeezed(corner, "A1"), points("A2 B1"));
        // This one would gain more.
        let middle = "...../.OO../.O.../...../..... black";
        assert_eq!(squeezed(middle, "C3"), points(""));
        // Three own stones are left two liberties; two stones are not worth a move.
        let three = "...../.OOO./.XXX./.O.O./..... white";
        assert_eq!(squeezed(three, "C2"), points("A3 E3"));
        let two = "...../.OO../OXX../.O.../..... white";
        assert_eq!(squeezed(two, "C2"), points(""));
    }

    #[test]
    fn urgent_moves_take_and_save() {
        let game = |text| Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let after = |mut game: Go, mv| {
            game.play(game.parse_move(mv).unwrap()).unwrap();
            Board::new(&game)
        };
        let urgent = |board: &Board| {
            let choices = board.urgent(board.last);
            choices.cells[..usize::from(choices.count)]
                .iter()
                .fold(Points::EMPTY, |set, &cell| set | Points::of(point_of(cell)))
        };
        let points = |names: &str| {
            names
                .split(' ')
                .filter_map(super::super::Point::parse)
                .fold(Points::EMPTY, |set, p| set | Points::of(p))
        };
        // Black put the stone on C3 in atari: it runs down.
        let board = after(game("...../..X../.XO../...../..... black"), "D3");
        assert_eq!(board.turn, Player::Second);
        assert_eq!(urgent(&board), points("C2"));
        // A stone that moves into atari is taken.
        let board = after(game("...../...../...../.O.../..O.. black"), "B1");
        assert_eq!(urgent(&board), points("A1"));
    }

    #[test]
    fn self_atari_sees_what_is_taken_and_joined() {
        let board = |text| Board::new(&Go::parse_position(GoRules::new(5).unwrap(), text).unwrap());
        let cell = |name| cell_of(super::super::Point::parse(name).unwrap());
        let two = board("...../X..../OX.../OX.../.O... black");
        assert!(!two.is_self_atari(cell("A1"), 1), "it takes two stones");
        assert!(!two.is_self_atari(cell("C3"), 1));
        let one = board("...../...../X..../OX.../.O... black");
        assert!(
            one.is_self_atari(cell("A1"), 1),
            "the only liberty is the stone that it takes"
        );
    }
}
