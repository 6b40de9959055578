//! The stacks of both cores: an MPU guard at the lower end of each, and their high-water marks.
//! Both are painted at the start; bytes that are still painted were never used.

#![allow(
    unsafe_code,
    reason = "the stack has no owner that could lend it, and the MPU has no driver"
)]

use core::ptr::addr_of_mut;

use cortex_m::peripheral::MPU;
use embassy_rp::multicore::Stack;

/// Bytes of the second core's stack: 16 KB of them have to stay free.
pub(crate) const CORE1_BYTES: usize = 39 * 1024;

/// Bytes at the lower end of a stack that nobody may read or write: more than most functions take
/// at a time.
const GUARD: usize = 256;
const PAINT: u8 = 0xA5;
/// Left alone below the stack pointer while painting.
const MARGIN: usize = 256;
/// A stack that was used to within this many bytes of its guard counts as used up.
const EDGE: usize = 512;

unsafe extern "C" {
    static mut _stack_end: u8;
    static mut _stack_start: u8;
}

#[repr(C, align(256))]
struct Core1(Stack<CORE1_BYTES>);

#[unsafe(link_section = ".uninit.stack1")]
static mut CORE1: Core1 = Core1(Stack::new());

/// Where each core's guard begins.
fn guards() -> [*mut u8; 2] {
    let end = &raw mut _stack_end;
    [
        end.wrapping_add(end.align_offset(GUARD)),
        addr_of_mut!(CORE1).cast(),
    ]
}

/// Where each core's stack ends, at its upper end.
fn tops() -> [*mut u8; 2] {
    [
        &raw mut _stack_start,
        addr_of_mut!(CORE1).cast::<u8>().wrapping_add(CORE1_BYTES),
    ]
}

/// The lowest byte of each core's stack that may be used.
fn bottoms() -> [*mut u8; 2] {
    guards().map(|guard| guard.wrapping_add(GUARD))
}

/// Lets the calling core fault when its stack grows into its guard, instead of spoiling what lies
/// below.
pub(crate) fn guard(core: usize) {
    let start = guards()[core % 2] as u32;
    // SAFETY: nobody else sets up this core's MPU, but for the smaller guard of embassy on the
    // second core, which this one replaces; the guard is nobody's memory.
    unsafe {
        let mpu = &*MPU::PTR;
        mpu.ctrl.write(0);
        mpu.rbar.write(start | 1 << 4); // and it is region 0
        mpu.rasr.write(1 << 28 | (GUARD.ilog2() - 1) << 1 | 1); // nobody may do anything
        mpu.ctrl.write(0b101); // everything else as without an MPU, and in the fault handler all
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

/// The second core's stack, painted.
pub(crate) fn take_core1() -> &'static mut Stack<CORE1_BYTES> {
    // SAFETY: called once, by whoever owns the token of the second core, before that core runs.
    let stack = unsafe { &mut (*addr_of_mut!(CORE1)).0 };
    stack.mem.fill(PAINT);
    stack
}

/// Paints the unused part of the first core's stack.
pub(crate) fn paint_core0() {
    let bottom = bottoms()[0];
    let top = cortex_m::register::msp::read() as usize - MARGIN;
    // SAFETY: the memory from the end of all statics to below the stack pointer belongs to nobody.
    unsafe { bottom.write_bytes(PAINT, top.saturating_sub(bottom as usize)) };
}

/// Bytes of each core's stack, and how many of them were never used.
pub(crate) fn report() -> [(usize, usize); 2] {
    [0, 1].map(|core| {
        let (bottom, top) = (bottoms()[core], tops()[core]);
        let bytes = top as usize - bottom as usize;
        (bytes, painted(bottom, bytes))
    })
}

/// The core whose stack was used up in the run before, as the paint says that is still there from
/// it.
pub(crate) fn used_up() -> Option<usize> {
    [0, 1]
        .into_iter()
        .find(|&core| painted(bottoms()[core], EDGE) < EDGE)
}

/// Whether a stack pointer of a core has left its stack.
pub(crate) fn has_left(core: usize, pointer: usize) -> bool {
    pointer < bottoms()[core % 2] as usize
}

fn painted(bottom: *const u8, bytes: usize) -> usize {
    // SAFETY: the addresses are RAM of this length; the reads are volatile because another core may
    // write there.
    (0..bytes)
        .take_while(|&at| unsafe { bottom.add(at).read_volatile() } == PAINT)
        .count()
}
