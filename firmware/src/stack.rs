//! How much of the stacks was ever used: they are painted at the start, and what is still painted was not touched.

#![allow(unsafe_code, reason = "the stack has no owner that could lend it")]

use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

const PAINT: u8 = 0xA5;
/// Left alone below the stack pointer while painting.
const MARGIN: usize = 256;

unsafe extern "C" {
    static mut _stack_end: u8;
    static mut _stack_start: u8;
}

static CORE1_BOTTOM: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
static CORE1_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Bytes at the lower end of a stack that its MPU guard forbids to read and write, aligned as the MPU wants them.
const GUARD: usize = 32;

/// The first byte above the guard of the first core's stack.
fn core0_bottom() -> *mut u8 {
    let end = &raw mut _stack_end;
    end.wrapping_add(end.align_offset(GUARD) + GUARD)
}

/// Paints the unused part of the first core's stack, above its guard.
pub(crate) fn paint_core0() {
    let bottom = core0_bottom();
    let top = cortex_m::register::msp::read() as usize - MARGIN;
    // SAFETY: the memory from the end of all statics to below the stack pointer belongs to nobody.
    unsafe { bottom.write_bytes(PAINT, top.saturating_sub(bottom as usize)) };
}

/// Paints the second core's stack, before it runs.
pub(crate) fn paint_core1(stack: &mut [u8]) {
    stack.fill(PAINT);
    CORE1_BOTTOM.store(stack.as_mut_ptr(), Ordering::Relaxed);
    CORE1_BYTES.store(stack.len(), Ordering::Relaxed);
}

/// Bytes of each core's stack, and how many of them were never used.
pub(crate) fn report() -> [(usize, usize); 2] {
    let bottom = core0_bottom();
    let bytes = (&raw const _stack_start) as usize - bottom as usize;
    let bottom1 = CORE1_BOTTOM.load(Ordering::Relaxed);
    let bytes1 = CORE1_BYTES.load(Ordering::Relaxed);
    [(bytes, painted(bottom, bytes)), (bytes1, painted(bottom1, bytes1))]
}

fn painted(bottom: *const u8, bytes: usize) -> usize {
    // SAFETY: the addresses are RAM of this length; the reads are volatile because another core may write there.
    (0..bytes).take_while(|&at| unsafe { bottom.add(at).read_volatile() } == PAINT).count()
}
