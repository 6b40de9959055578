//! Transposition table in borrowed memory: any number of slots, including none.
//!
//! A key may be in either of two neighbouring slots: the first keeps the deepest result of the
//! current search, the second is always replaced.

use crate::search::{PROVEN, Value};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The slot is empty.
    #[default]
    None,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// The true value is exactly this.
    Exact,
}

/// Sentinel: no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// One entry, 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    key: u64,
    value: Value,
    mv: u16,
    /// Depth of the search; for a complete result the length of its longest line.
    depth: u8,
    /// Age (5 bits), complete (1 bit), bound (2 bits).
    flags: u8,
}

const COMPLETE: u8 = 4;
const AGE: u8 = 8;

/// A result on its way into or out of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableEntry {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    /// Index of the best move, or [`NO_MOVE`].
    pub(crate) mv: u16,
    pub(crate) depth: u8,
    /// Every line ended with the game: the result holds for every depth from `depth` on.
    pub(crate) complete: bool,
}

impl TableEntry {
    /// Whether a search to `depth` would find the same result. A deeper incomplete entry does not
    /// count: with it, the value of a search would depend on earlier searches.
    pub(crate) fn serves(&self, depth: u8) -> bool {
        if self.complete {
            self.depth <= depth
        } else {
            self.depth == depth
        }
    }
}

impl Slot {
    fn bound(&self) -> Bound {
        match self.flags & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    fn is(&self, key: u64) -> bool {
        self.key == key && self.bound() != Bound::None
    }

    fn age(&self) -> u8 {
        self.flags / AGE
    }
}

/// Slots borrowed from the caller.
#[derive(Debug)]
pub struct Table<'a> {
    slots: &'a mut [Slot],
    age: u8,
}

impl<'a> Table<'a> {
    /// An empty table in this memory.
    pub fn new(slots: &'a mut [Slot]) -> Table<'a> {
        slots.fill(Slot::default());
        Table { slots, age: 0 }
    }

    /// Empties all slots, as required before another game or evaluation is searched.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Without slots, searches run without a table.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Starts a new search: older entries give way to any new one.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % (256 / u16::from(AGE)) as u8;
    }

    /// The two slots of a key.
    fn places(&self, key: u64) -> Option<(usize, usize)> {
        let len = self.slots.len();
        // Multiplication mixes low bits upwards; the high half then picks evenly among any number
        // of slots.
        let mixed = (key as u32 ^ ((key >> 32) as u32).rotate_left(15)).wrapping_mul(0x9E37_79B1);
        let first = ((u64::from(mixed) * len as u64) >> 32) as usize;
        let second = if first + 1 < len { first + 1 } else { 0 };
        (len > 0).then_some((first, second))
    }

    /// The entry of a position that is `ply` moves after the root.
    pub(crate) fn probe(&self, key: u64, ply: u8) -> Option<TableEntry> {
        let (first, second) = self.places(key)?;
        let slot = [first, second]
            .into_iter()
            .map(|place| &self.slots[place])
            .find(|slot| slot.is(key))?;
        Some(TableEntry {
            value: from_here(slot.value, ply),
            bound: slot.bound(),
            mv: slot.mv,
            depth: slot.depth,
            complete: slot.flags & COMPLETE != 0,
        })
    }

    pub(crate) fn store(&mut self, key: u64, ply: u8, entry: TableEntry) {
        let Some((first, second)) = self.places(key) else {
            return;
        };
        let old = &self.slots[first];
        let free = old.bound() == Bound::None || old.age() != self.age || old.depth <= entry.depth;
        let place = if self.slots[second].is(key) || !(old.is(key) || free) {
            second
        } else {
            first
        };
        self.slots[place] = Slot {
            key,
            value: to_here(entry.value, ply),
            mv: entry.mv,
            depth: entry.depth,
            flags: self.age * AGE + if entry.complete { COMPLETE } else { 0 } + entry.bound as u8,
        };
    }
}

// A forced win is worth more the sooner it comes, counted from the root. The table counts from the
// position itself, because a position can be reached at different plies. Other values do not depend
// on the ply.

fn to_here(value: Value, ply: u8) -> Value {
    match value {
        PROVEN.. => value + Value::from(ply),
        ..=LOST => value - Value::from(ply),
        _ => value,
    }
}

fn from_here(value: Value, ply: u8) -> Value {
    match value {
        PROVEN.. => value - Value::from(ply),
        ..=LOST => value + Value::from(ply),
        _ => value,
    }
}

const LOST: Value = -PROVEN;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::WIN;

    fn entry(value: Value, depth: u8) -> TableEntry {
        TableEntry {
            value,
            bound: Bound::Exact,
            mv: 3,
            depth,
            complete: false,
        }
    }

    #[test]
    fn keys_are_checked_in_full_and_any_length_works() {
        for len in [0, 1, 2, 3, 1000] {
            let mut slots = [Slot::default(); 1000];
            let mut table = Table::new(&mut slots[..len]);
            assert_eq!(
                table.probe(0, 0),
                None,
                "an empty slot is not the position with key 0"
            );
            table.store(0x1_0000_0001, 2, entry(5, 1));
            let found = table.probe(0x1_0000_0001, 7);
            assert_eq!(found, (len > 0).then_some(entry(5, 1)));
            for other in [1, 0x1_0000_0000, 0x8000_0001_0000_0001] {
                assert_eq!(table.probe(other, 0), None);
            }
        }
    }

    #[test]
    fn deep_results_stay_until_the_next_search() {
        let mut slots = [Slot::default(); 2];
        let mut table = Table::new(&mut slots);
        // Find three keys with the same first place.
        let first = |table: &Table<'_>, key| table.places(key).unwrap().0;
        let mut keys = (0..).filter(|&key| first(&table, key) == 0);
        let [a, b, c] = core::array::from_fn(|_| keys.next().unwrap());
        table.store(a, 0, entry(1, 9));
        table.store(b, 0, entry(2, 3));
        table.store(c, 0, entry(3, 2));
        assert!(table.probe(a, 0).is_some() && table.probe(c, 0).is_some());
        assert_eq!(
            table.probe(b, 0),
            None,
            "the second place takes whatever comes"
        );
        table.grow_older();
        table.store(b, 0, entry(2, 1));
        assert_eq!(table.probe(a, 0), None, "age beats depth");
    }

    #[test]
    fn wins_count_from_the_position_that_is_asked_about() {
        let mut slots = [Slot::default(); 8];
        let mut table = Table::new(&mut slots);
        // Three moves after the root a win was seen five moves after the root: two moves away.
        for sign in [1, -1] {
            table.store(7, 3, entry(sign * (WIN - 5), 2));
            assert_eq!(table.probe(7, 10).unwrap().value, sign * (WIN - 12));
        }
        table.store(7, 3, entry(40, 2));
        assert_eq!(table.probe(7, 10).unwrap().value, 40);
    }
}
