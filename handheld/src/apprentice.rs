//! The apprentice on the handheld: what it has learned from its games against the person, and the
//! rivalry between the two.
//!
//! Its tables lie in storage in parts, of which a few are in memory at a time. What is not there is
//! asked for with [`crate::Command::Load`], and the work goes on when it has come.

use dojo_core::game::Outcome;
use dojo_core::games::apprentice::{GAMES, Lesson, PART, Table, parts};
use dojo_core::games::{AnyRules, GameId};
use heapless::Vec;
use serde::{Deserialize, Serialize};

use crate::store::Tally;
use crate::wire::{whole, write};

/// Parts of all tables.
pub(crate) const PARTS: usize = {
    let (mut all, mut game) = (0, 0);
    while game < GAMES.len() {
        all += parts(GAMES[game]);
        game += 1;
    }
    all
};
/// Parts in memory: a step of learning needs those of two neighbouring rows, and the one that it
/// changes.
const AT_HAND: usize = 3;
/// Points of the curve.
pub(crate) const POINTS: usize = 16;
/// Most moves of a game that it learns.
const MOVES: usize = 16;
/// Letters of its name at most.
pub(crate) const NAME: usize = 8;
/// The layout of parts.
const VERSION: u8 = 1;
/// The layout of rivalries. Version 1 had no names.
const RIVALRIES_VERSION: u8 = 2;

/// A name without the blanks around it; letters that no name has make it empty.
pub(crate) fn name_of(letters: &[u8; NAME]) -> &str {
    let is_name = letters
        .iter()
        .all(|&letter| matches!(letter, b' ' | b'A'..=b'Z'));
    let name = core::str::from_utf8(letters).ok().filter(|_| is_name);
    name.unwrap_or_default().trim()
}

/// A rivalry of version 1.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Nameless {
    life: u8,
    age: u32,
    tally: Tally,
    wins: [u16; POINTS],
    stretch: u16,
}

/// The rivalry of a person and the apprentice in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rivalry {
    /// Counts how often it was reset: parts of the table from before are void.
    life: u8,
    /// Games from which it has learned.
    age: u32,
    /// Results of the person.
    tally: Tally,
    /// The curve: how many games it has won in each stretch of `stretch` games.
    wins: [u16; POINTS],
    stretch: u16,
    /// The name that the person gave it, with blanks or zeros behind it.
    name: [u8; NAME],
}

impl From<Nameless> for Rivalry {
    fn from(old: Nameless) -> Rivalry {
        let Nameless {
            life,
            age,
            tally,
            wins,
            stretch,
        } = old;
        Rivalry {
            life,
            age,
            tally,
            wins,
            stretch,
            name: [b' '; NAME],
        }
    }
}

impl Rivalry {
    /// The name that the person gave it; empty if there is none.
    pub fn name(&self) -> &str {
        name_of(&self.name)
    }

    pub(crate) fn set_name(&mut self, letters: [u8; NAME]) {
        self.name = letters;
    }

    /// Which apprentice it is: parts of the tables of an earlier one are void.
    pub fn life(&self) -> u8 {
        self.life
    }

    /// Games from which it has learned.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// Results of the person against it.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Games in all.
    pub(crate) fn games(&self) -> u32 {
        let Tally { won, drawn, lost } = self.tally;
        [won, drawn, lost].map(u32::from).iter().sum()
    }

    /// Games in each stretch of the curve.
    pub(crate) fn stretch(&self) -> u32 {
        u32::from(self.stretch.max(1))
    }

    /// The curve: its share of won games in each stretch, in thousandths, the last one so far.
    pub fn curve(&self) -> impl Iterator<Item = u16> + '_ {
        let (games, stretch) = (self.games(), self.stretch());
        self.wins.iter().enumerate().map_while(move |(at, &wins)| {
            let played = games.checked_sub(at as u32 * stretch)?.min(stretch);
            (played > 0).then(|| (u32::from(wins) * 1000 / played).min(1000) as u16)
        })
    }

    /// Counts a game; `value` is 1, 0 or −1 as the person sees it.
    pub(crate) fn count(&mut self, value: i8) {
        let at = self.games() / self.stretch();
        if at as usize >= POINTS {
            // Full: two stretches become one.
            for point in 0..POINTS {
                let pair = [2 * point, 2 * point + 1].map(|at| self.wins.get(at).copied());
                self.wins[point] = pair.into_iter().flatten().fold(0, u16::saturating_add);
            }
            self.stretch = (self.stretch().saturating_mul(2)).min(u16::MAX.into()) as u16;
        }
        let at = (self.games() / self.stretch()) as usize;
        if let Some(wins) = self.wins.get_mut(at.min(POINTS - 1)) {
            *wins = wins.saturating_add(u16::from(value < 0));
        }
        let number = match value {
            1 => &mut self.tally.won,
            0 => &mut self.tally.drawn,
            _ => &mut self.tally.lost,
        };
        *number = number.saturating_add(1);
    }

    /// A new apprentice in its place.
    fn reset(&mut self) {
        *self = Rivalry {
            life: self.life.wrapping_add(1),
            ..Rivalry::default()
        };
    }
}

/// The rivalries that stored bytes stand for, in the order of the games that it learns; `None` if
/// they cannot be read.
pub fn rivalries_in(bytes: &[u8]) -> Option<[Rivalry; GAMES.len()]> {
    let (&version, rest) = bytes.split_first()?;
    match version {
        1 => Some(whole::<[Nameless; GAMES.len()]>(rest)?.map(Rivalry::from)),
        RIVALRIES_VERSION => whole(rest),
        _ => None,
    }
}

/// The values that a stored part of an apprentice of this life stands for: all zeros for what was
/// never stored, is damaged or belongs to an earlier life.
pub fn values_in(bytes: &[u8], life: u8) -> [u16; PART] {
    let mut values = [0; PART];
    if let [VERSION, of, rest @ ..] = bytes
        && *of == life
        && rest.len() == 2 * PART
    {
        for (value, pair) in values.iter_mut().zip(rest.as_chunks().0) {
            *value = u16::from_le_bytes(*pair);
        }
    }
    values
}

/// The parts of the tables of a game, by their numbers in saves.
pub fn parts_of(game: GameId) -> core::ops::Range<u8> {
    let first = first_part(game).unwrap_or(0);
    first as u8..(first + parts(game)) as u8
}

/// A part of a table in memory.
struct Part {
    number: u8,
    values: [u16; PART],
}

/// A finished game from which it learns, step by step.
struct Study {
    rules: AnyRules,
    moves: Vec<u16, MOVES>,
    outcome: Outcome,
    step: usize,
}

/// All that the console knows of the apprentice.
#[derive(Default)]
pub(crate) struct Apprentice {
    rivalries: [Rivalry; GAMES.len()],
    at_hand: [Option<Part>; AT_HAND],
    /// Where the next part goes.
    next: usize,
    /// The part that was asked for.
    wanted: Option<u8>,
    study: Option<Study>,
    /// The number of the question whose move is wanted.
    pub(crate) asked: Option<u32>,
}

/// The first part of a game's table; `None` if it does not learn that game.
fn first_part(game: GameId) -> Option<usize> {
    let at = GAMES.iter().position(|&id| id == game)?;
    Some(GAMES[..at].iter().map(|&id| parts(id)).sum())
}

/// The game of a part, by its place in [`GAMES`].
fn owner(number: u8) -> Option<usize> {
    let mut left = usize::from(number);
    GAMES.iter().position(|&id| {
        let is_here = left < parts(id);
        left = left.saturating_sub(parts(id));
        is_here
    })
}

/// The table of one game, as far as it is at hand.
pub(crate) struct View<'a> {
    at_hand: &'a mut [Option<Part>; AT_HAND],
    first: usize,
    missing: Option<u8>,
    changed: Vec<u8, AT_HAND>,
}

impl View<'_> {
    fn part(&mut self, place: usize) -> Option<(&mut u16, u8)> {
        let number = (self.first + place / PART) as u8;
        let found = self.at_hand.iter_mut().flatten();
        let found = { found }.find(|part| part.number == number);
        if found.is_none() {
            self.missing = Some(number);
        }
        Some((&mut found?.values[place % PART], number))
    }
}

impl Table for View<'_> {
    fn value(&mut self, place: usize) -> Option<u16> {
        self.part(place).map(|(value, _)| *value)
    }

    fn set(&mut self, place: usize, value: u16) {
        let Some((old, number)) = self.part(place) else {
            return;
        };
        if core::mem::replace(old, value) != value && !self.changed.contains(&number) {
            // A step changes a part or two.
            let _ = self.changed.push(number);
        }
    }
}

/// What came of a piece of work.
pub(crate) enum Work<T> {
    /// It waits for this part.
    Wants(u8),
    /// It is done.
    Done(T),
}

impl Apprentice {
    pub(crate) fn rivalry(&self, game: GameId) -> Option<&Rivalry> {
        let at = GAMES.iter().position(|&id| id == game)?;
        self.rivalries.get(at)
    }

    pub(crate) fn rivalry_mut(&mut self, game: GameId) -> Option<&mut Rivalry> {
        let at = GAMES.iter().position(|&id| id == game)?;
        self.rivalries.get_mut(at)
    }

    /// A new apprentice in the place of this one.
    pub(crate) fn reset(&mut self, game: GameId) {
        self.study = None;
        self.at_hand = Default::default();
        if let Some(rivalry) = self.rivalry_mut(game) {
            rivalry.reset();
        }
    }

    /// Runs a piece of work with the table of a game.
    pub(crate) fn with<T>(
        &mut self,
        game: GameId,
        work: impl FnOnce(&mut View<'_>) -> Option<T>,
    ) -> (Work<Option<T>>, Vec<u8, AT_HAND>) {
        let Some(first) = first_part(game) else {
            return (Work::Done(None), Vec::new());
        };
        let mut view = View {
            at_hand: &mut self.at_hand,
            first,
            missing: None,
            changed: Vec::new(),
        };
        let done = work(&mut view);
        let (missing, changed) = (view.missing, view.changed);
        match missing {
            Some(number) => {
                self.wanted = Some(number);
                (Work::Wants(number), changed)
            }
            None => (Work::Done(done), changed),
        }
    }

    /// Begins to learn from a finished game.
    pub(crate) fn study(&mut self, rules: AnyRules, moves: &[u16], outcome: Outcome) {
        self.study = Vec::from_slice(moves).ok().map(|moves| Study {
            rules,
            moves,
            outcome,
            step: 0,
        });
    }

    /// Takes the next step of learning. `None` if there is nothing to learn, else the work and the
    /// parts that it has changed; it is done when the last step is.
    pub(crate) fn learn(&mut self) -> Option<(Work<bool>, Vec<u8, AT_HAND>)> {
        let mut study = self.study.take()?;
        let lesson = Lesson {
            rules: study.rules,
            moves: &study.moves,
            outcome: study.outcome,
        };
        let (game, step, steps) = (study.rules.id(), study.step, lesson.steps());
        let (work, changed) = self.with(game, |table| lesson.step(step, table));
        let work = match work {
            Work::Wants(number) => Work::Wants(number),
            Work::Done(_) => {
                study.step += 1;
                Work::Done(study.step >= steps)
            }
        };
        match work {
            Work::Done(true) => {
                if let Some(rivalry) = self.rivalry_mut(game) {
                    rivalry.age = rivalry.age.saturating_add(1);
                }
            }
            _ => self.study = Some(study),
        }
        Some((work, changed))
    }

    /// Takes in a part that was asked for. Returns whether it was.
    pub(crate) fn take_in(&mut self, number: u8, bytes: &[u8]) -> bool {
        if self.wanted.take_if(|wanted| *wanted == number).is_none() {
            return false;
        }
        let Some(game) = owner(number) else {
            return false;
        };
        let values = values_in(bytes, self.rivalries[game].life);
        self.at_hand[self.next] = Some(Part { number, values });
        self.next = (self.next + 1) % AT_HAND;
        true
    }

    /// The bytes to store for a part; `None` if storage alone has it.
    pub(crate) fn kept_part<'a>(&self, number: u8, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let part = { self.at_hand.iter().flatten() }.find(|part| part.number == number)?;
        let bytes = buffer.get_mut(..2 + 2 * PART)?;
        (bytes[0], bytes[1]) = (VERSION, self.rivalries[owner(number)?].life);
        for (pair, value) in bytes[2..].as_chunks_mut().0.iter_mut().zip(part.values) {
            *pair = value.to_le_bytes();
        }
        Some(bytes)
    }

    /// The bytes to store for the rivalries.
    pub(crate) fn kept_rivalries<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        write(&(RIVALRIES_VERSION, &self.rivalries), buffer)
    }

    /// Takes in the stored rivalries. `None` if the bytes cannot be read.
    pub(crate) fn restore_rivalries(&mut self, bytes: &[u8]) -> Option<()> {
        self.rivalries = rivalries_in(bytes)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_any_length_keeps_its_shape() {
        let mut rivalry = Rivalry::default();
        // The person wins the first half, the apprentice the second.
        for number in 0..3000 {
            rivalry.count(if number < 1500 { 1 } else { -1 });
        }
        let curve: Vec<u16, POINTS> = rivalry.curve().collect();
        assert!(curve.len() > POINTS / 2, "{curve:?}");
        assert_eq!((curve[0], curve.last()), (0, Some(&1000)));
        assert!(curve.is_sorted(), "{curve:?}");
        assert_eq!((rivalry.games(), rivalry.tally().lost), (3000, 1500));
    }

    #[test]
    fn rivalries_without_names_are_read_and_names_are_kept() {
        let mut apprentice = Apprentice::default();
        apprentice.rivalries[0].count(1);
        apprentice.rivalries[1].age = 7;
        // As version 1 wrote them: without the names behind each of the two.
        let old = apprentice.rivalries.map(|rivalry| Nameless {
            life: rivalry.life,
            age: rivalry.age,
            tally: rivalry.tally,
            wins: rivalry.wins,
            stretch: rivalry.stretch,
        });
        let mut buffer = [0; 640];
        let bytes = write(&(1u8, old), &mut buffer).unwrap();
        let mut again = Apprentice::default();
        assert_eq!(again.restore_rivalries(bytes), Some(()));
        assert_eq!(
            (again.rivalries[0].tally().won, again.rivalries[1].age),
            (1, 7)
        );
        assert_eq!(again.rivalries[0].name(), "");
        again.rivalries[1].set_name(*b"MIKA    ");
        let bytes = again.kept_rivalries(&mut buffer).unwrap();
        assert_eq!(rivalries_in(bytes).unwrap()[1].name(), "MIKA");
        assert_eq!(rivalries_in(&bytes[..bytes.len() - 1]).map(|_| ()), None);
        assert_eq!(rivalries_in(&[9]).map(|_| ()), None);
        // Letters that no name has.
        for letters in [*b"<b>HALLO", [0xFF; NAME], [0; NAME]] {
            assert_eq!(name_of(&letters), "", "{letters:?}");
        }
    }

    #[test]
    fn every_part_has_an_owner() {
        assert_eq!(PARTS, 19);
        let owners: Vec<_, 32> = (0..PARTS as u8).map(owner).collect();
        assert_eq!(owners[0], Some(0));
        assert!(owners[1..].iter().all(|&owner| owner == Some(1)));
        assert_eq!(owner(PARTS as u8), None);
        assert_eq!(GAMES.map(first_part), [Some(0), Some(1)]);
        assert_eq!(first_part(GameId::Go), None);
    }

    #[test]
    fn parts_of_an_earlier_life_are_void() {
        let mut apprentice = Apprentice::default();
        let mut buffer = [0; 640];
        let see = |apprentice: &mut Apprentice, bytes: &[u8]| {
            let (work, _) = apprentice.with(GameId::Sticks, |table| table.value(5));
            assert!(matches!(work, Work::Wants(0)));
            assert!(apprentice.take_in(0, bytes));
            match apprentice.with(GameId::Sticks, |table| table.value(5)).0 {
                Work::Done(Some(value)) => value,
                _ => panic!("it is at hand"),
            }
        };
        assert_eq!(see(&mut apprentice, &[]), 0);
        let (_, changed) = apprentice.with(GameId::Sticks, |table| {
            table.set(5, 77);
            Some(())
        });
        assert_eq!(changed, [0]);
        let kept: Vec<u8, 640> =
            Vec::from_slice(apprentice.kept_part(0, &mut buffer).unwrap()).unwrap();
        let mut again = Apprentice::default();
        assert_eq!(see(&mut again, &kept), 77);
        let mut again = Apprentice::default();
        again.reset(GameId::Sticks);
        assert_eq!(see(&mut again, &kept), 0);
        let mut again = Apprentice::default();
        assert_eq!(see(&mut again, &kept[..300]), 0, "damaged");
    }
}
