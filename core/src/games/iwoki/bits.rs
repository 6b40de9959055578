//! Bit sets of small numbers, in 32-bit words: the Cortex-M0+ has no wider registers.

/// A set of numbers below 32 × `WORDS`. Iterates from the lowest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const WORDS: usize>(pub(super) [u32; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// The empty set.
    pub const EMPTY: Bits<WORDS> = Bits([0; WORDS]);
    /// All numbers below 32 × `WORDS`.
    pub const FULL: Bits<WORDS> = Bits([u32::MAX; WORDS]);

    /// The set with `number` added, usable in constants.
    pub const fn with(mut self, number: usize) -> Self {
        self.0[number / 32] |= 1 << (number % 32);
        self
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 32] |= 1 << (number % 32);
    }

    /// Removes a number.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 32] &= !(1 << (number % 32));
    }

    /// Whether a number is in the set.
    #[inline]
    pub const fn contains(&self, number: usize) -> bool {
        self.0[number / 32] >> (number % 32) & 1 == 1
    }

    /// Intersection.
    #[inline]
    pub fn and(mut self, other: &Self) -> Self {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word &= other);
        self
    }

    /// Union.
    #[inline]
    pub fn or(mut self, other: &Self) -> Self {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word |= other);
        self
    }

    /// Eight bits of the set: numbers 8 × `place` to 8 × `place` + 7.
    #[inline]
    pub fn byte(&self, place: usize) -> u8 {
        (self.0[place / 4] >> (place % 4 * 8)) as u8
    }

    /// Difference: the numbers of this set that are not in `other`.
    #[inline]
    pub fn without(mut self, other: &Self) -> Self {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word &= !other);
        self
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

impl<const WORDS: usize> Default for Bits<WORDS> {
    fn default() -> Self {
        Bits::EMPTY
    }
}

impl<const WORDS: usize> Iterator for Bits<WORDS> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        for (place, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let number = place * 32 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_in_and_come_out_in_order() {
        let mut set = Bits::<3>::EMPTY.with(95).with(0);
        set.insert(40);
        set.insert(41);
        set.remove(41);
        assert!(set.contains(40) && !set.contains(41) && !set.is_empty());
        assert!(set.eq([0, 40, 95]));
        assert!(set.and(&Bits::EMPTY.with(40).with(1)).eq([40]));
        assert!(set.or(&Bits::EMPTY.with(1)).eq([0, 1, 40, 95]));
        assert_eq!((set.byte(5), set.byte(11), set.byte(1)), (1, 128, 0));
        assert!(set.without(&Bits::EMPTY.with(40).with(1)).eq([0, 95]));
        assert!(Bits::<3>::FULL.without(&Bits::FULL).is_empty());
    }
}
