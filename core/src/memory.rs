//! Memory that players borrow while they think.
//!
//! The device has one block, which holds a search table, a playout tree or a learner's table, never
//! two at once. A PC lends exactly as much, so that both play the same moves.

/// Bytes of the device's block.
pub const WORKSPACE_BYTES: usize = 128 * 1024;

/// Types of values that can be lent: plain data with a default.
pub trait Lent: Copy + Default + Send + 'static {}

impl<T: Copy + Default + Send + 'static> Lent for T {}

/// Lends memory for one search at a time.
pub trait Workspace {
    /// Two slices of default values. If they exceed [`WORKSPACE_BYTES`] together, they are
    /// shortened, the second one first.
    fn lend_two<A: Lent, B: Lent>(&mut self, first: usize, second: usize) -> (&mut [A], &mut [B]);

    /// A slice of default values.
    fn lend<T: Lent>(&mut self, count: usize) -> &mut [T] {
        self.lend_two::<T, u8>(count, 0).0
    }
}

/// How many values of each type fit, including alignment padding.
pub fn fitting<A, B>(first: usize, second: usize) -> (usize, usize) {
    let first = first.min(WORKSPACE_BYTES / size_of::<A>().max(1));
    let used = (first * size_of::<A>()).next_multiple_of(align_of::<B>());
    (
        first,
        second.min(WORKSPACE_BYTES.saturating_sub(used) / size_of::<B>().max(1)),
    )
}

/// Lends from the heap, as much as the device.
#[cfg(any(test, feature = "alloc"))]
#[derive(Debug, Default)]
pub struct Heap(Option<alloc::boxed::Box<dyn core::any::Any + Send>>);

#[cfg(any(test, feature = "alloc"))]
impl Workspace for Heap {
    fn lend_two<A: Lent, B: Lent>(&mut self, first: usize, second: usize) -> (&mut [A], &mut [B]) {
        use alloc::{boxed::Box, vec, vec::Vec};
        let (a, b) = fitting::<A, B>(first, second);
        let lent: &mut dyn core::any::Any = &mut **self
            .0
            .insert(Box::new((vec![A::default(); a], vec![B::default(); b])));
        match lent.downcast_mut::<(Vec<A>, Vec<B>)>() {
            Some((first, second)) => (first, second),
            None => (&mut [], &mut []),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_lent_than_the_device_has() {
        assert_eq!(fitting::<u64, u8>(16_000, 4_000), (16_000, 3_072));
        assert_eq!(
            fitting::<u8, u64>(WORKSPACE_BYTES - 9, 9),
            (WORKSPACE_BYTES - 9, 1)
        );
        assert_eq!(fitting::<u8, u64>(usize::MAX, 1), (WORKSPACE_BYTES, 0));
    }

    #[test]
    fn the_heap_lends_fresh_values_every_time() {
        let mut heap = Heap::default();
        let (words, bytes) = heap.lend_two::<u32, u8>(3, 2);
        assert_eq!((&*words, &*bytes), (&[0; 3][..], &[0; 2][..]));
        words.fill(7);
        assert_eq!(heap.lend::<u32>(3), [0; 3]);
        assert_eq!(heap.lend::<u8>(usize::MAX).len(), WORKSPACE_BYTES);
    }
}
