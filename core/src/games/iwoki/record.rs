//! Records of iwoki: the deal, then one action a line.
//!
//! ```text
//! # iwoki record 1
//! deal A small sp1,sp2,sp3,sp4,sp5,sp6,sp7,sp8,sp9 hex hp1,hp2,hp3
//! deal B small sp13,sp14,sp15,sp16,sp17,sp18,sp19,sp20,sp21 hex hp4,hp5,hp6
//! first A
//! A place sp8 222- H1_H4_H5
//! ```
//! The bags are known only as far as tiles come out of them: `A draw sp22`, and `A gain hp7` after the action that brought
//! a third white token. `score A 3 B 9`, `tokens A 1 B 2` and `end A 47 B 51` are checked. `#` starts a comment.
//!
//! Faults name the rule they break; the rules are numbered as in the book.

use core::fmt;

use super::board::{FIRST_HEX, FIRST_SMALL, corners};
use super::hand::Deal;
use super::notation::{
    SmallGapName, hex_gap, hex_shape, hex_tile, small_gap, small_shape, small_tile,
};
use super::tiles::{HEX_TILES, HexShape, KINDS, SMALL_TILES, SmallShape, WILD};
use super::{Action, HEX_DEALT, Hand, Iwoki, IwokiRules, PLAYERS, SMALL_DEALT, TOKENS, What};
use crate::game::{Game, GameMove, Player};
use crate::record::Recorded;

const HEADER: &str = "# iwoki record 1";
const LETTERS: [&str; PLAYERS] = ["A", "B"];

/// A fault in a record, with the line (from 1) it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError<'a> {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault<'a>,
}

impl fmt::Display for RecordError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl core::error::Error for RecordError<'_> {}

/// What can be wrong in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault<'a> {
    /// Something else should stand here.
    Expected(&'static str),
    /// No tile has this name.
    NoTile(&'a str),
    /// No gap of the tile's kind has this name.
    NoGap(&'a str),
    /// The tile cannot lie so.
    NoWay(&'a str, &'a str),
    /// The tile was dealt or drawn before.
    NotInBag(&'a str),
    /// The other player is to move.
    NotTheTurn(&'a str),
    /// The player does not have the tile.
    NotHeld(&'a str),
    /// The first tile lies elsewhere, or turned.
    NotTheOpening,
    /// There is a tile already.
    Taken(&'a str),
    /// The tile touches nothing.
    Loose,
    /// Two numbers differ.
    Disagrees {
        /// The hexagonal gap, from 1.
        hex: u8,
        /// Its vertex, from 1.
        vertex: u8,
        /// What is there.
        shown: u8,
        /// What the tile would put there.
        laid: u8,
    },
    /// No number agrees, only wildcards do.
    OnlyWild,
    /// A second draw in one turn.
    DrewAlready,
    /// Drawing as the first move.
    DrawsFirst,
    /// The bag of small tiles is empty.
    BagEmpty,
    /// Passing although a tile can be laid.
    CanLay(Action),
    /// Passing although a tile can be drawn.
    CanDraw,
    /// A gain without a third token.
    NoGainDue,
    /// A third token without a gain.
    GainDue(&'static str),
    /// A stated number is not the one on the table.
    Wrong {
        /// Whose.
        player: &'static str,
        /// What is counted.
        what: &'static str,
        /// What the record says.
        found: i16,
        /// What it is.
        expected: i16,
    },
    /// `end` while the game goes on.
    NotOver,
    /// Something stands after the end of the game.
    AfterEnd,
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::Expected(what) => write!(f, "expected {what}"),
            Fault::NoTile(name) => write!(f, "`{name}` is no tile: sp1 to sp48, hp1 to hp20"),
            Fault::NoGap(name) => write!(f, "`{name}` is no gap for this tile"),
            Fault::NoWay(tile, way) => write!(f, "wrong tile: {tile} cannot show {way}"),
            Fault::NotInBag(tile) => write!(
                f,
                "{tile} is not in the bag: it was dealt, drawn or gained before"
            ),
            Fault::NotTheTurn(player) => write!(f, "it is not {player}'s turn"),
            Fault::NotHeld(tile) => write!(f, "the player does not hold {tile}"),
            Fault::NotTheOpening => f.write_str(
                "rule 2: the first tile lies on H1 or H1_H4_H5, in the first way of its face",
            ),
            Fault::Taken(gap) => write!(f, "rule 3: {gap} is not free"),
            Fault::Loose => f.write_str("rule 3: the tile touches no other"),
            Fault::Disagrees {
                hex,
                vertex,
                shown,
                laid,
            } => {
                write!(
                    f,
                    "rule 3: vertex {vertex} of H{hex} shows {shown}, the tile puts {laid}"
                )
            }
            Fault::OnlyWild => f.write_str("rule 3: only wildcards agree, no number does"),
            Fault::DrewAlready => f.write_str("rule 5: a second draw in one turn"),
            Fault::DrawsFirst => f.write_str("rule 2: no drawing on the first move"),
            Fault::BagEmpty => f.write_str("rule 5: no small tiles are left in the bag"),
            Fault::CanLay(action) => {
                write!(f, "rule 5: no passing while a tile can be laid ({action})")
            }
            Fault::CanDraw => f.write_str("rule 5: no passing without drawing"),
            Fault::NoGainDue => {
                f.write_str("rule 6: a hexagonal tile is gained only for the third white token")
            }
            Fault::GainDue(player) => {
                write!(
                    f,
                    "rule 6: {player} has its third white token: `{player} gain hp…` has to follow"
                )
            }
            Fault::Wrong {
                player,
                what,
                found,
                expected,
            } => {
                write!(
                    f,
                    "{what} of {player}: the record says {found}, it is {expected}"
                )
            }
            Fault::NotOver => f.write_str("rule 8: the game is not over"),
            Fault::AfterEnd => f.write_str("rule 8: the game is over"),
        }
    }
}

/// What a record came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The position at the end.
    pub end: Iwoki,
    /// How many actions led there.
    pub moves: usize,
}

/// Replays a record, checking every line.
pub fn replay(text: &str) -> Result<Replayed, RecordError<'_>> {
    let mut lines = Lines::new(text);
    let mut reader = Reader::open(&mut lines).map_err(|fault| RecordError {
        line: lines.last,
        fault,
    })?;
    while let Some(words) = lines.next() {
        let line = lines.last;
        reader
            .line(words, &mut lines)
            .map_err(|fault| RecordError {
                line: lines.last.max(line),
                fault,
            })?;
    }
    Ok(Replayed {
        end: reader.game,
        moves: reader.moves,
    })
}

/// The words of one line.
type Words<'a> = core::str::SplitWhitespace<'a>;

/// Lines that say something.
#[derive(Clone)]
struct Lines<'a> {
    lines: core::iter::Enumerate<core::str::Lines<'a>>,
    /// The number of the last one, from 1.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines {
            lines: text.lines().enumerate(),
            last: 1,
        }
    }

    fn next(&mut self) -> Option<Words<'a>> {
        for (number, line) in self.lines.by_ref() {
            let said = line.split('#').next().unwrap_or_default();
            if !said.trim().is_empty() {
                self.last = number + 1;
                return Some(said.split_whitespace());
            }
        }
        None
    }
}

/// Which tiles of each kind a player holds, by their own numbers: small tiles of a kind play alike, but have names.
#[derive(Clone, Copy, Default)]
struct Names(u64);

impl Names {
    fn has(&self, tile: usize) -> bool {
        self.0 >> tile & 1 == 1
    }

    fn add(&mut self, tile: usize) {
        self.0 |= 1 << tile;
    }

    fn remove(&mut self, tile: usize) {
        self.0 &= !(1 << tile);
    }

    /// The first tile of a kind.
    fn first(&self, kind: usize) -> Option<usize> {
        (kind..SMALL_TILES)
            .step_by(KINDS)
            .find(|&tile| self.has(tile))
    }
}

/// The tiles of one player.
#[derive(Default)]
struct Dealt {
    smalls: [u8; SMALL_DEALT],
    hexes: [u8; HEX_DEALT],
}

/// Reads `N` different tiles that were not seen before; `None` if it is another number of tiles.
fn tiles<'a, const N: usize>(
    list: &'a str,
    read: impl Fn(&str) -> Option<usize>,
    seen: &mut Names,
) -> Result<Option<[u8; N]>, Fault<'a>> {
    let mut all = heapless::Vec::<u8, N>::new();
    for name in list.split(',') {
        let tile = read(name).ok_or(Fault::NoTile(name))?;
        if seen.has(tile) {
            return Err(Fault::NotInBag(name));
        }
        seen.add(tile);
        if all.push(tile as u8).is_err() {
            return Ok(None);
        }
    }
    Ok(all.into_array().ok())
}

/// The whole deal, what was not dealt in any order behind it: the record says what comes out of the bags.
fn completed(dealt: &[Dealt; PLAYERS]) -> Deal {
    fn all<const N: usize>(dealt: impl Iterator<Item = u8> + Clone) -> [u8; N] {
        let rest = (0..N as u8).filter(|tile| !dealt.clone().any(|other| other == *tile));
        let mut order = dealt.clone().chain(rest);
        core::array::from_fn(|_| order.next().unwrap_or_default())
    }
    Deal {
        smalls: all::<SMALL_TILES>(dealt.iter().flat_map(|hand| hand.smalls)),
        hexes: all::<HEX_TILES>(dealt.iter().flat_map(|hand| hand.hexes)),
    }
}

struct Reader {
    game: Iwoki,
    /// The small tiles of the players, by the order of their turns.
    names: [Names; PLAYERS],
    /// All small tiles that have come out of the bag.
    seen: Names,
    /// Which letter moves first.
    first: usize,
    ended: bool,
    moves: usize,
}

impl Reader {
    /// Reads the deal and who is first.
    fn open<'a>(lines: &mut Lines<'a>) -> Result<Reader, Fault<'a>> {
        let header = Fault::Expected("the header `# iwoki record 1`");
        let (_, line) = lines.lines.next().ok_or(header)?;
        if line.trim() != HEADER {
            return Err(header);
        }
        let mut dealt: [Dealt; PLAYERS] = Default::default();
        let (mut seen, mut seen_hexes) = (Names::default(), Names::default());
        for (hand, letter) in dealt.iter_mut().zip(LETTERS) {
            const DEAL: Fault<'_> = Fault::Expected(
                "`deal A small sp…,sp… hex hp…,hp…,hp…` with nine and three tiles, then the same for B",
            );
            let said: heapless::Vec<&str, 7> = lines.next().ok_or(DEAL)?.take(7).collect();
            let ["deal", player, "small", smalls, "hex", hexes] = *said else {
                return Err(DEAL);
            };
            if player != letter {
                return Err(DEAL);
            }
            hand.smalls = tiles(smalls, small_tile, &mut seen)?.ok_or(DEAL)?;
            hand.hexes = tiles(hexes, hex_tile, &mut seen_hexes)?.ok_or(DEAL)?;
        }
        let expected = Fault::Expected("`first A` or `first B`");
        let mut words = lines.next().ok_or(expected)?;
        let said = [words.next(), words.next(), words.next()];
        let first = (0..PLAYERS)
            .find(|&player| said == [Some("first"), Some(LETTERS[player]), None])
            .ok_or(expected)?;
        dealt.rotate_left(first);
        let names = core::array::from_fn(|player| {
            let mut names = Names::default();
            dealt[player]
                .smalls
                .iter()
                .for_each(|&tile| names.add(tile.into()));
            names
        });
        let game = Iwoki::with_deal(IwokiRules::default(), &completed(&dealt));
        Ok(Reader {
            game,
            names,
            seen,
            first,
            ended: false,
            moves: 0,
        })
    }

    /// The letter of a player.
    fn letter(&self, player: Player) -> &'static str {
        LETTERS[(player.index() + self.first) % PLAYERS]
    }

    fn line<'a>(&mut self, mut words: Words<'a>, lines: &mut Lines<'a>) -> Result<(), Fault<'a>> {
        const WHAT: Fault<'_> = Fault::Expected(
            "`A place TILE ORDER GAP`, `A draw TILE`, `A gain TILE`, `A pass`, `score`, `tokens` or `end`",
        );
        let said: heapless::Vec<&str, 5> = words.by_ref().take(5).collect();
        if words.next().is_some() {
            return Err(WHAT);
        }
        if self.ended {
            return Err(Fault::AfterEnd);
        }
        match *said {
            ["score", "A", a, "B", b] => return self.stated("points", [a, b], Hand::points),
            ["tokens", "A", a, "B", b] => {
                return self.stated("white tokens", [a, b], |hand| hand.tokens().into());
            }
            ["end", "A", a, "B", b] => {
                if !self.game.is_over() {
                    return Err(Fault::NotOver);
                }
                self.ended = true;
                return self.stated("final count", [a, b], Hand::final_count);
            }
            _ => {}
        }
        let Some((player, deed)) = said
            .split_first()
            .filter(|(player, _)| LETTERS.contains(player))
        else {
            return Err(WHAT);
        };
        if let ["gain", _] = *deed {
            return Err(Fault::NoGainDue);
        }
        if self.game.is_over() {
            return Err(Fault::AfterEnd);
        }
        if *player != self.letter(self.game.turn()) {
            return Err(Fault::NotTheTurn(player));
        }
        let action = match *deed {
            ["place", tile, order, gap] => self.place(tile, order, gap)?,
            ["draw", tile] => self.draw(tile)?,
            ["pass"] => self.pass()?,
            _ => return Err(WHAT),
        };
        self.gain(action, lines)?;
        self.game.play_unchecked(action);
        self.moves += 1;
        Ok(())
    }

    fn place<'a>(
        &mut self,
        tile: &'a str,
        order: &'a str,
        gap: &'a str,
    ) -> Result<Action, Fault<'a>> {
        let me = self.game.turn().index();
        if let Some(small) = small_tile(tile) {
            let place = small_gap(gap).ok_or(Fault::NoGap(gap))?;
            let shape = small_shape(small % KINDS, order).ok_or(Fault::NoWay(tile, order))?;
            if !self.names[me].has(small) {
                return Err(Fault::NotHeld(tile));
            }
            self.small_agrees(place, shape, gap)?;
            self.names[me].remove(small);
            return Action::small(place, shape).ok_or(Fault::NoGap(gap));
        }
        let hex = hex_tile(tile).ok_or(Fault::NoTile(tile))?;
        let place = hex_gap(gap).ok_or(Fault::NoGap(gap))?;
        let shape = hex_shape(hex, order).ok_or(Fault::NoWay(tile, order))?;
        if !self.game.hands[me].has_hex(hex) {
            return Err(Fault::NotHeld(tile));
        }
        self.hex_agrees(place, shape, gap)?;
        Action::hex(place, shape).ok_or(Fault::NoGap(gap))
    }

    fn small_agrees<'a>(
        &self,
        gap: usize,
        shape: SmallShape,
        name: &'a str,
    ) -> Result<(), Fault<'a>> {
        if self.game.is_opening() {
            let first = gap == FIRST_SMALL && shape.is_first_of_face();
            return if first {
                Ok(())
            } else {
                Err(Fault::NotTheOpening)
            };
        }
        if self.game.small_on(gap).is_some() {
            return Err(Fault::Taken(name));
        }
        let around = self.game.laid.around_small(gap);
        for ((corner, shown), &laid) in corners(gap).iter().zip(around).zip(shape.results()) {
            if let Some(shown) = shown.filter(|&shown| shown != WILD && shown != laid) {
                return Err(Fault::Disagrees {
                    hex: corner.hex + 1,
                    vertex: corner.vertex + 1,
                    shown,
                    laid,
                });
            }
        }
        match around.into_iter().flatten().any(|shown| shown != WILD) {
            true => Ok(()),
            false if around == [None; 3] => Err(Fault::Loose),
            false => Err(Fault::OnlyWild),
        }
    }

    fn hex_agrees<'a>(&self, gap: usize, shape: HexShape, name: &'a str) -> Result<(), Fault<'a>> {
        if self.game.is_opening() {
            return if gap == FIRST_HEX && shape.way() == 0 {
                Ok(())
            } else {
                Err(Fault::NotTheOpening)
            };
        }
        if self.game.hex_on(gap).is_some() {
            return Err(Fault::Taken(name));
        }
        let around = self.game.laid.around_hex(gap);
        for ((vertex, shown), &laid) in (1..).zip(around).zip(shape.values()) {
            if let Some(shown) = shown.filter(|&shown| laid != WILD && shown != laid) {
                return Err(Fault::Disagrees {
                    hex: gap as u8 + 1,
                    vertex,
                    shown,
                    laid,
                });
            }
        }
        match around
            .into_iter()
            .zip(shape.values())
            .any(|(shown, &laid)| shown.is_some() && laid != WILD)
        {
            true => Ok(()),
            false if around == [None; 6] => Err(Fault::Loose),
            false => Err(Fault::OnlyWild),
        }
    }

    fn draw<'a>(&mut self, tile: &'a str) -> Result<Action, Fault<'a>> {
        let small = small_tile(tile).ok_or(Fault::NoTile(tile))?;
        match &self.game {
            game if game.is_opening() => return Err(Fault::DrawsFirst),
            game if game.has_drawn() => return Err(Fault::DrewAlready),
            game if game.smalls_left() == 0 => return Err(Fault::BagEmpty),
            _ => {}
        }
        if self.seen.has(small) || !self.game.small_bag.bring_up((small % KINDS) as u8) {
            return Err(Fault::NotInBag(tile));
        }
        self.names[self.game.turn().index()].add(small);
        self.seen.add(small);
        Ok(Action::DRAW)
    }

    fn pass<'a>(&self) -> Result<Action, Fault<'a>> {
        match self.game.legal_moves().next() {
            Some(Action::PASS) | None => Ok(Action::PASS),
            Some(Action::DRAW) => Err(Fault::CanDraw),
            Some(action) => Err(Fault::CanLay(action)),
        }
    }

    /// If the action brings the third token, the next line says which tile comes out of the bag.
    fn gain<'a>(&mut self, action: Action, lines: &mut Lines<'a>) -> Result<(), Fault<'a>> {
        let token = match action.what() {
            What::Small { shape, .. } => shape.is_minus(),
            What::Hex { .. } => false,
            What::Draw | What::Pass => true,
        };
        let turn = self.game.turn();
        if !token || self.game.hand(turn).tokens() + 1 < TOKENS || self.game.hexes_left() == 0 {
            return Ok(());
        }
        let player = self.letter(turn);
        let due = Fault::GainDue(player);
        let mut words = lines.next().ok_or(due)?;
        if [words.next(), words.next()] != [Some(player), Some("gain")] {
            return Err(due);
        }
        let name = words.next().ok_or(due)?;
        let tile = hex_tile(name).ok_or(Fault::NoTile(name))?;
        if !self.game.hex_bag.bring_up(tile as u8) {
            return Err(Fault::NotInBag(name));
        }
        if words.next().is_some() {
            Err(due)
        } else {
            Ok(())
        }
    }

    /// Compares stated numbers, in the order of the letters.
    fn stated<'a>(
        &self,
        what: &'static str,
        said: [&'a str; PLAYERS],
        of: impl Fn(&Hand) -> i16,
    ) -> Result<(), Fault<'a>> {
        for (letter, text) in said.into_iter().enumerate() {
            let found = text.parse().map_err(|_| Fault::Expected("a number"))?;
            let expected = of(&self.game.hands[(letter + PLAYERS - self.first) % PLAYERS]);
            if found != expected {
                return Err(Fault::Wrong {
                    player: LETTERS[letter],
                    what,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }
}

impl Recorded for Iwoki {
    fn write_record(
        out: &mut impl fmt::Write,
        rules: IwokiRules,
        first: Player,
        moves: impl IntoIterator<Item = u16>,
    ) -> fmt::Result {
        let deal = Deal::new(rules.deal);
        let mut game = Iwoki::with_deal(rules, &deal);
        let letter = |player: Player| LETTERS[(player.index() + first.index()) % PLAYERS];
        writeln!(out, "{HEADER}")?;
        for (side, letter) in LETTERS.into_iter().enumerate() {
            let player = (side + first.index()) % PLAYERS;
            let (smalls, hexes) = (
                List("sp", deal.smalls_of(player)),
                List("hp", deal.hexes_of(player)),
            );
            writeln!(out, "deal {letter} small {smalls} hex {hexes}")?;
        }
        writeln!(out, "first {}", letter(Player::First))?;
        let mut names: [Names; PLAYERS] = Default::default();
        for (player, names) in names.iter_mut().enumerate() {
            deal.smalls_of(player)
                .iter()
                .for_each(|&tile| names.add(tile.into()));
        }
        let mut bag = deal.smalls.iter().skip(PLAYERS * SMALL_DEALT);
        for action in moves.into_iter().map_while(Action::from_index) {
            let (turn, before) = (game.turn(), game);
            if game.play(action).is_err() {
                break;
            }
            let names = &mut names[turn.index()];
            write!(out, "{} ", letter(turn))?;
            match action.what() {
                What::Small { gap, shape } => {
                    // Which of equal tiles was meant is not known: any will do.
                    let tile = names.first(shape.kind()).unwrap_or(shape.kind());
                    names.remove(tile);
                    writeln!(out, "place sp{} {shape} {}", tile + 1, SmallGapName(gap))?;
                }
                What::Hex { gap, shape } => {
                    writeln!(out, "place hp{} {shape} H{}", shape.tile() + 1, gap + 1)?
                }
                What::Draw => {
                    let tile = bag.next().map_or(0, |&tile| usize::from(tile));
                    names.add(tile);
                    writeln!(out, "draw sp{}", tile + 1)?;
                }
                What::Pass => writeln!(out, "pass")?,
            }
            if game.hexes_left() < before.hexes_left() {
                let gained = game
                    .hand(turn)
                    .hex_tiles()
                    .find(|&tile| !before.hand(turn).has_hex(tile));
                writeln!(
                    out,
                    "{} gain hp{}",
                    letter(turn),
                    gained.unwrap_or_default() + 1
                )?;
            }
        }
        if game.is_over() {
            let [a, b] = core::array::from_fn(|side| {
                game.hands[(side + first.index()) % PLAYERS].final_count()
            });
            writeln!(out, "end A {a} B {b}")?;
        }
        Ok(())
    }
}

/// Names of tiles, with commas between.
struct List<'a>(&'static str, &'a [u8]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.iter().enumerate().try_for_each(|(place, &tile)| {
            write!(
                f,
                "{}{}{}",
                if place > 0 { "," } else { "" },
                self.0,
                tile + 1
            )
        })
    }
}
