//! The memory of the thinking core, divided into lists without clearing it first.

#![allow(unsafe_code, reason = "memory that is not cleared")]

use core::mem::MaybeUninit;

use dojo_core::memory::{Lent, WORKSPACE_BYTES, Workspace, fitting};

/// Memory with any contents.
pub type Block = [MaybeUninit<u64>; WORKSPACE_BYTES / 8];

/// The only owner of a block, which it lends for one purpose at a time.
#[derive(Debug)]
pub struct Carver<'a>(pub &'a mut Block);

impl Workspace for Carver<'_> {
    fn lend_two<A: Lent, B: Lent>(&mut self, first: usize, second: usize) -> (&mut [A], &mut [B]) {
        const { assert!(align_of::<A>() <= align_of::<u64>() && align_of::<B>() <= align_of::<u64>()) };
        let (first, second) = fitting::<A, B>(first, second);
        let start = self.0.as_mut_ptr();
        let start_b = (first * size_of::<A>()).next_multiple_of(align_of::<B>());
        // SAFETY: `fitting` counts values that fit one behind the other, both places are aligned,
        // and the block is borrowed for as long as the lists live.
        unsafe {
            (
                fresh(start.cast::<A>(), first),
                fresh(start.byte_add(start_b).cast::<B>(), second),
            )
        }
    }
}

/// Writes `count` default values and lends them.
///
/// # Safety
/// The place is aligned, large enough, and nobody else's for the lifetime of the list.
unsafe fn fresh<'a, T: Lent>(start: *mut T, count: usize) -> &'a mut [T] {
    for i in 0..count {
        // SAFETY: the caller has seen to it.
        unsafe { start.add(i).write(T::default()) };
    }
    // SAFETY: as above, and all of them have just been written.
    unsafe { core::slice::from_raw_parts_mut(start, count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Odd {
        small: u8,
        wide: u32,
        list: [u16; 3],
    }

    fn with_block(test: impl FnOnce(Carver<'_>)) {
        let mut block = vec![MaybeUninit::uninit(); WORKSPACE_BYTES / 8];
        let block: &mut Block = block.as_mut_slice().try_into().unwrap();
        test(Carver(block));
    }

    fn lists<A: Lent + PartialEq, B: Lent + PartialEq>(
        carver: &mut Carver<'_>,
        counts: [usize; 2],
        values: (A, B),
    ) {
        let (a, b) = carver.lend_two::<A, B>(counts[0], counts[1]);
        assert_eq!((a.len(), b.len()), fitting::<A, B>(counts[0], counts[1]));
        assert!(a.iter().all(|value| *value == A::default()));
        assert!(b.iter().all(|value| *value == B::default()));
        a.fill(values.0);
        b.fill(values.1);
        assert!(a.iter().all(|value| *value == values.0));
        assert!(b.iter().all(|value| *value == values.1));
    }

    /// Miri sees a list that is too long, not aligned, or shared.
    #[test]
    fn lists_of_any_types_are_fresh_whole_and_apart() {
        let odd = Odd {
            small: 1,
            wide: 2,
            list: [3; 3],
        };
        with_block(|mut carver| {
            for counts in [[0, 0], [1, 1], [5, 3], [7, 0], [0, 9], [131, 57]] {
                lists(&mut carver, counts, (7u8, 9u64));
                lists(&mut carver, counts, (7u64, 9u8));
                lists(&mut carver, counts, (odd, 9u16));
                lists(&mut carver, counts, (3u8, odd));
                lists(&mut carver, counts, ((), 3u32));
            }
        });
    }

    #[test]
    fn the_whole_block_can_be_lent() {
        with_block(|mut carver| {
            assert_eq!(carver.lend::<u8>(usize::MAX).len(), WORKSPACE_BYTES);
            let (a, b) = carver.lend_two::<u8, u64>(1, usize::MAX);
            assert_eq!((a.len(), b.len()), (1, WORKSPACE_BYTES / 8 - 1));
            // The last byte of the block.
            b[b.len() - 1] = u64::MAX;
        });
    }
}
