//! Game records of iwoki: the deal, then one action per line.
//!
//! ```text
//! # iwoki record 1
//! deal A small sp1,sp2,sp3,sp4,sp5,sp6,sp7,sp8,sp9 hex hp1,hp2,hp3
//! deal B small sp13,sp14,sp15,sp16,sp17,sp18,sp19,sp20,sp21 hex hp4,hp5,hp6
//! first A
//! A place sp8 222- H1_H4_H5
//! ```
//! A record does not list the bags; it names each tile as it is drawn: `A draw sp22`, and `A gain
//! hp7` after the action that earned a third white token. `score A 3 B 9`, `tokens A 1 B 2` and
//! `end A 47 B 51` are checked. `#` starts a comment.
//!
//! Faults name the rule that they break; the rules are numbered as in the book
//! (`docs/games/iwoki.md`).

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

/// A fault in a record, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IwokiRecordError<'a> {
    /// The line, counted from 1.
    pub line: usize,
    /// The kind of fault.
    pub fault: IwokiFault<'a>,
}

impl fmt::Display for IwokiRecordError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl core::error::Error for IwokiRecordError<'_> {}

/// The kinds of faults in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IwokiFault<'a> {
    /// A line of another form was expected.
    Expected(&'static str),
    /// No tile has this name.
    NoTile(&'a str),
    /// No gap of the tile's kind has this name.
    NoGap(&'a str),
    /// The tile has no way that shows this order.
    NoWay(&'a str, &'a str),
    /// The tile was dealt, drawn or gained before.
    NotInBag(&'a str),
    /// The other player is to move.
    NotTheTurn(&'a str),
    /// The player does not hold the tile.
    NotHeld(&'a str),
    /// The first tile is not on its gap, or is rotated.
    NotTheOpening,
    /// The gap has a tile already.
    Taken(&'a str),
    /// The tile touches no other.
    Loose,
    /// Two numbers that touch differ.
    Disagrees {
        /// The hexagonal gap, from 1.
        hex: u8,
        /// Its vertex, from 1.
        vertex: u8,
        /// The number on the board.
        shown: u8,
        /// The number of the tile.
        laid: u8,
    },
    /// Only wildcards agree, no number does.
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
    /// A third token without a gain; the player's letter.
    GainDue(&'static str),
    /// A stated number is wrong.
    Wrong {
        /// The player's letter.
        player: &'static str,
        /// Name of the number.
        what: &'static str,
        /// The number in the record.
        found: i16,
        /// The number in the position.
        expected: i16,
    },
    /// `end` before the game is over.
    NotOver,
    /// A line after the end of the game.
    AfterEnd,
}

impl fmt::Display for IwokiFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IwokiFault::Expected(what) => write!(f, "expected {what}"),
            IwokiFault::NoTile(name) => write!(f, "`{name}` is no tile: sp1 to sp48, hp1 to hp20"),
            IwokiFault::NoGap(name) => write!(f, "`{name}` is no gap for this tile"),
            IwokiFault::NoWay(tile, way) => write!(f, "wrong tile: {tile} cannot show {way}"),
            IwokiFault::NotInBag(tile) => write!(
                f,
                "{tile} is not in the bag: it was dealt, drawn or gained before"
            ),
            IwokiFault::NotTheTurn(player) => write!(f, "it is not {player}'s turn"),
            IwokiFault::NotHeld(tile) => write!(f, "the player does not hold {tile}"),
            IwokiFault::NotTheOpening => f.write_str(
                "rule 2: the first tile lies on H1 or H1_H4_H5, in the first way of its face",
            ),
            IwokiFault::Taken(gap) => write!(f, "rule 3: {gap} is not free"),
            IwokiFault::Loose => f.write_str("rule 3: the tile touches no other"),
            IwokiFault::Disagrees {
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
            IwokiFault::OnlyWild => f.write_str("rule 3: only wildcards agree, no number does"),
            IwokiFault::DrewAlready => f.write_str("rule 5: a second draw in one turn"),
            IwokiFault::DrawsFirst => f.write_str("rule 2: no drawing on the first move"),
            IwokiFault::BagEmpty => f.write_str("rule 5: no small tiles are left in the bag"),
            IwokiFault::CanLay(action) => {
                write!(f, "rule 5: no passing while a tile can be laid ({action})")
            }
            IwokiFault::CanDraw => f.write_str("rule 5: no passing without drawing"),
            IwokiFault::NoGainDue => {
                f.write_str("rule 6: a hexagonal tile is gained only for the third white token")
            }
            IwokiFault::GainDue(player) => {
                write!(
                    f,
                    "rule 6: {player} has its third white token: `{player} gain hp…` has to follow"
                )
            }
            IwokiFault::Wrong {
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
            IwokiFault::NotOver => f.write_str("rule 8: the game is not over"),
            IwokiFault::AfterEnd => f.write_str("rule 8: the game is over"),
        }
    }
}

/// A replayed record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedIwoki {
    /// The final position.
    pub end: Iwoki,
    /// Number of actions.
    pub moves: usize,
}

/// Replays a record, checking every line.
pub fn replay(text: &str) -> Result<ReplayedIwoki, IwokiRecordError<'_>> {
    let mut lines = Lines::new(text);
    let mut reader = RecordReader::open(&mut lines).map_err(|fault| IwokiRecordError {
        line: lines.last,
        fault,
    })?;
    while let Some(words) = lines.next() {
        let line = lines.last;
        reader
            .line(words, &mut lines)
            .map_err(|fault| IwokiRecordError {
                line: lines.last.max(line),
                fault,
            })?;
    }
    Ok(ReplayedIwoki {
        end: reader.game,
        moves: reader.moves,
    })
}

/// The words of one line.
type LineWords<'a> = core::str::SplitWhitespace<'a>;

/// The lines that are not blank or comments.
#[derive(Clone)]
struct Lines<'a> {
    lines: core::iter::Enumerate<core::str::Lines<'a>>,
    /// Number of the last line read, from 1.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines {
            lines: text.lines().enumerate(),
            last: 1,
        }
    }

    fn next(&mut self) -> Option<LineWords<'a>> {
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

/// A set of small tiles by their own numbers: tiles of one kind are interchangeable in play, but
/// records name them.
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

    /// The first tile of a kind in the set.
    fn first(&self, kind: usize) -> Option<usize> {
        (kind..SMALL_TILES)
            .step_by(KINDS)
            .find(|&tile| self.has(tile))
    }
}

/// The tiles dealt to one player.
#[derive(Default)]
struct Dealt {
    smalls: [u8; SMALL_DEALT],
    hexes: [u8; HEX_DEALT],
}

/// Reads `N` different tiles that were not seen before; `None` if the list has another length.
fn tiles<'a, const N: usize>(
    list: &'a str,
    read: impl Fn(&str) -> Option<usize>,
    seen: &mut Names,
) -> Result<Option<[u8; N]>, IwokiFault<'a>> {
    let mut all = heapless::Vec::<u8, N>::new();
    for name in list.split(',') {
        let tile = read(name).ok_or(IwokiFault::NoTile(name))?;
        if seen.has(tile) {
            return Err(IwokiFault::NotInBag(name));
        }
        seen.add(tile);
        if all.push(tile as u8).is_err() {
            return Ok(None);
        }
    }
    Ok(all.into_array().ok())
}

/// A full deal from the dealt hands. The bags follow in any order, since the record says what is
/// drawn from them.
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

struct RecordReader {
    game: Iwoki,
    /// Small tiles held by each player, in the order of turns.
    names: [Names; PLAYERS],
    /// All small tiles dealt or drawn so far.
    seen: Names,
    /// Index of the letter that moves first.
    first: usize,
    ended: bool,
    moves: usize,
}

impl RecordReader {
    /// Reads the deal and who is first.
    fn open<'a>(lines: &mut Lines<'a>) -> Result<RecordReader, IwokiFault<'a>> {
        let header = IwokiFault::Expected("the header `# iwoki record 1`");
        let (_, line) = lines.lines.next().ok_or(header)?;
        if line.trim() != HEADER {
            return Err(header);
        }
        let mut dealt: [Dealt; PLAYERS] = Default::default();
        let (mut seen, mut seen_hexes) = (Names::default(), Names::default());
        for (hand, letter) in dealt.iter_mut().zip(LETTERS) {
            const DEAL: IwokiFault<'_> = IwokiFault::Expected(
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
        let expected = IwokiFault::Expected("`first A` or `first B`");
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
        Ok(RecordReader {
            game,
            names,
            seen,
            first,
            ended: false,
            moves: 0,
        })
    }

    /// The letter of a player in this record.
    fn letter(&self, player: Player) -> &'static str {
        LETTERS[(player.index() + self.first) % PLAYERS]
    }

    fn line<'a>(
        &mut self,
        mut words: LineWords<'a>,
        lines: &mut Lines<'a>,
    ) -> Result<(), IwokiFault<'a>> {
        const WHAT: IwokiFault<'_> = IwokiFault::Expected(
            "`A place TILE ORDER GAP`, `A draw TILE`, `A gain TILE`, `A pass`, `score`, `tokens` or `end`",
        );
        let said: heapless::Vec<&str, 5> = words.by_ref().take(5).collect();
        if words.next().is_some() {
            return Err(WHAT);
        }
        if self.ended {
            return Err(IwokiFault::AfterEnd);
        }
        match *said {
            ["score", "A", a, "B", b] => return self.stated("points", [a, b], Hand::points),
            ["tokens", "A", a, "B", b] => {
                return self.stated("white tokens", [a, b], |hand| hand.tokens().into());
            }
            ["end", "A", a, "B", b] => {
                if !self.game.is_over() {
                    return Err(IwokiFault::NotOver);
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
            return Err(IwokiFault::NoGainDue);
        }
        if self.game.is_over() {
            return Err(IwokiFault::AfterEnd);
        }
        if *player != self.letter(self.game.turn()) {
            return Err(IwokiFault::NotTheTurn(player));
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
    ) -> Result<Action, IwokiFault<'a>> {
        let me = self.game.turn().index();
        if let Some(small) = small_tile(tile) {
            let place = small_gap(gap).ok_or(IwokiFault::NoGap(gap))?;
            let shape = small_shape(small % KINDS, order).ok_or(IwokiFault::NoWay(tile, order))?;
            if !self.names[me].has(small) {
                return Err(IwokiFault::NotHeld(tile));
            }
            self.small_agrees(place, shape, gap)?;
            self.names[me].remove(small);
            return Action::small(place, shape).ok_or(IwokiFault::NoGap(gap));
        }
        let hex = hex_tile(tile).ok_or(IwokiFault::NoTile(tile))?;
        let place = hex_gap(gap).ok_or(IwokiFault::NoGap(gap))?;
        let shape = hex_shape(hex, order).ok_or(IwokiFault::NoWay(tile, order))?;
        if !self.game.hands[me].has_hex(hex) {
            return Err(IwokiFault::NotHeld(tile));
        }
        self.hex_agrees(place, shape, gap)?;
        Action::hex(place, shape).ok_or(IwokiFault::NoGap(gap))
    }

    fn small_agrees<'a>(
        &self,
        gap: usize,
        shape: SmallShape,
        name: &'a str,
    ) -> Result<(), IwokiFault<'a>> {
        if self.game.is_opening() {
            let first = gap == FIRST_SMALL && shape.is_first_of_face();
            return if first {
                Ok(())
            } else {
                Err(IwokiFault::NotTheOpening)
            };
        }
        if self.game.small_on(gap).is_some() {
            return Err(IwokiFault::Taken(name));
        }
        let around = self.game.laid.around_small(gap);
        for ((corner, shown), &laid) in corners(gap).iter().zip(around).zip(shape.results()) {
            if let Some(shown) = shown.filter(|&shown| shown != WILD && shown != laid) {
                return Err(IwokiFault::Disagrees {
                    hex: corner.hex + 1,
                    vertex: corner.vertex + 1,
                    shown,
                    laid,
                });
            }
        }
        match around.into_iter().flatten().any(|shown| shown != WILD) {
            true => Ok(()),
            false if around == [None; 3] => Err(IwokiFault::Loose),
            false => Err(IwokiFault::OnlyWild),
        }
    }

    fn hex_agrees<'a>(
        &self,
        gap: usize,
        shape: HexShape,
        name: &'a str,
    ) -> Result<(), IwokiFault<'a>> {
        if self.game.is_opening() {
            return if gap == FIRST_HEX && shape.way() == 0 {
                Ok(())
            } else {
                Err(IwokiFault::NotTheOpening)
            };
        }
        if self.game.hex_on(gap).is_some() {
            return Err(IwokiFault::Taken(name));
        }
        let around = self.game.laid.around_hex(gap);
        for ((vertex, shown), &laid) in (1..).zip(around).zip(shape.values()) {
            if let Some(shown) = shown.filter(|&shown| laid != WILD && shown != laid) {
                return Err(IwokiFault::Disagrees {
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
            false if around == [None; 6] => Err(IwokiFault::Loose),
            false => Err(IwokiFault::OnlyWild),
        }
    }

    fn draw<'a>(&mut self, tile: &'a str) -> Result<Action, IwokiFault<'a>> {
        let small = small_tile(tile).ok_or(IwokiFault::NoTile(tile))?;
        match &self.game {
            game if game.is_opening() => return Err(IwokiFault::DrawsFirst),
            game if game.has_drawn() => return Err(IwokiFault::DrewAlready),
            game if game.smalls_left() == 0 => return Err(IwokiFault::BagEmpty),
            _ => {}
        }
        if self.seen.has(small) || !self.game.small_bag.bring_up((small % KINDS) as u8) {
            return Err(IwokiFault::NotInBag(tile));
        }
        self.names[self.game.turn().index()].add(small);
        self.seen.add(small);
        Ok(Action::DRAW)
    }

    fn pass<'a>(&self) -> Result<Action, IwokiFault<'a>> {
        match self.game.legal_moves().next() {
            Some(Action::PASS) | None => Ok(Action::PASS),
            Some(Action::DRAW) => Err(IwokiFault::CanDraw),
            Some(action) => Err(IwokiFault::CanLay(action)),
        }
    }

    /// If the action earns the third token, reads the next line, which names the tile from the bag.
    fn gain<'a>(&mut self, action: Action, lines: &mut Lines<'a>) -> Result<(), IwokiFault<'a>> {
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
        let due = IwokiFault::GainDue(player);
        let mut words = lines.next().ok_or(due)?;
        if [words.next(), words.next()] != [Some(player), Some("gain")] {
            return Err(due);
        }
        let name = words.next().ok_or(due)?;
        let tile = hex_tile(name).ok_or(IwokiFault::NoTile(name))?;
        if !self.game.hex_bag.bring_up(tile as u8) {
            return Err(IwokiFault::NotInBag(name));
        }
        if words.next().is_some() {
            Err(due)
        } else {
            Ok(())
        }
    }

    /// Compares stated numbers, in the order of the letters, with the position.
    fn stated<'a>(
        &self,
        what: &'static str,
        said: [&'a str; PLAYERS],
        of: impl Fn(&Hand) -> i16,
    ) -> Result<(), IwokiFault<'a>> {
        for (letter, text) in said.into_iter().enumerate() {
            let found = text.parse().map_err(|_| IwokiFault::Expected("a number"))?;
            let expected = of(&self.game.hands[(letter + PLAYERS - self.first) % PLAYERS]);
            if found != expected {
                return Err(IwokiFault::Wrong {
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
                    // Moves do not tell which of equal tiles was laid: the first one is named.
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

/// Names of tiles, separated by commas.
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
