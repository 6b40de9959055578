//! What went wrong before the restart: kept in RAM that no start clears, and told once.

#![allow(unsafe_code, reason = "memory that outlives the program")]

use core::cell::UnsafeCell;
use core::fmt::Write;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m_rt::{ExceptionFrame, exception};
use crc::{CRC_32_ISO_HDLC, Crc};
use embassy_rp::pac;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use heapless::String;

const MAGIC: u32 = 0x0D0_7A12;
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const TEXT: usize = 112;

/// The scratch register that says that this program started the watchdog: the boot ROM uses it too, to leave USB mode.
const STARTED: usize = 0;
/// The scratch register that counts restarts in a row.
const RESTARTS: usize = 1;
/// With so many, the running game is suspected and not taken up again.
const TOO_MANY: u32 = 3;

/// A message as it lies in memory; it counts only if magic and checksum agree.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    magic: u32,
    length: u32,
    text: [u8; TEXT],
    crc: u32,
}

struct Kept(UnsafeCell<MaybeUninit<Record>>);

// SAFETY: it is written by a core that is about to restart the chip, and read once before the second core runs.
unsafe impl Sync for Kept {}

#[unsafe(link_section = ".uninit.trouble")]
static KEPT: Kept = Kept(UnsafeCell::new(MaybeUninit::uninit()));

/// How the last run ended.
pub(crate) struct LastRun {
    /// Why it ended badly, if it did.
    pub(crate) trouble: Option<String<120>>,
    /// Whether the running game may be the cause.
    pub(crate) suspects_game: bool,
}

impl LastRun {
    /// Finds out how the last run ended, and forgets it.
    pub(crate) fn take(watchdog: &mut Watchdog) -> LastRun {
        let mut trouble = take_record().map(|text| {
            let mut told = String::new();
            let _ = write!(told, "It had to restart: {text}");
            told
        });
        let is_ours = watchdog.get_scratch(STARTED) == MAGIC;
        if trouble.is_none() && is_ours && watchdog.reset_reason() == Some(ResetReason::TimedOut) {
            let mut told = String::new();
            let _ = told.push_str("It had to restart: it hung.");
            trouble = Some(told);
        }
        let restarts = if is_ours && trouble.is_some() { watchdog.get_scratch(RESTARTS) + 1 } else { 0 };
        watchdog.set_scratch(RESTARTS, restarts);
        watchdog.set_scratch(STARTED, MAGIC);
        LastRun { trouble, suspects_game: restarts >= TOO_MANY }
    }
}

/// This run has lasted: later trouble is not the start's fault.
pub(crate) fn settled(watchdog: &mut Watchdog) {
    watchdog.set_scratch(RESTARTS, 0);
}

fn take_record() -> Option<String<TEXT>> {
    let kept = KEPT.0.get().cast::<Record>();
    // SAFETY: any bytes are a record; volatile, because the compiler cannot know of the write before the restart.
    let record = unsafe { kept.read_volatile() };
    // SAFETY: as above; a record without its magic is none.
    unsafe { (&raw mut (*kept).magic).write_volatile(0) };
    let text = record.text.get(..record.length as usize)?;
    let is_whole = record.magic == MAGIC && record.crc == CRC.checksum(text);
    String::try_from(core::str::from_utf8(text).ok().filter(|_| is_whole)?).ok()
}

/// Keeps the message and restarts.
fn restart(text: &str) -> ! {
    cortex_m::interrupt::disable();
    let cut = text.floor_char_boundary(TEXT);
    let mut record = Record { magic: MAGIC, length: cut as u32, text: [0; TEXT], crc: 0 };
    record.text[..cut].copy_from_slice(&text.as_bytes()[..cut]);
    record.crc = CRC.checksum(&record.text[..cut]);
    // SAFETY: nobody reads before the restart; if both cores fail at once the checksum tells.
    unsafe { KEPT.0.get().cast::<Record>().write_volatile(record) };
    // All but the oscillators starts anew.
    pac::PSM.wdsel().write_value(pac::psm::regs::Wdsel(0x0001_FFFC));
    pac::WATCHDOG.ctrl().modify(|w| w.set_trigger(true));
    loop {
        cortex_m::asm::nop();
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut text = String::<TEXT>::new();
    let _ = write!(text, "{}", info.message());
    if let Some(place) = info.location() {
        // The end of the path says enough.
        let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
        let _ = write!(text, " ({file}:{})", place.line());
    }
    defmt::error!("panic: {=str}", text.as_str());
    restart(&text)
}

#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    let mut text = String::<TEXT>::new();
    let _ = write!(text, "fault at {:#010x} on core {}", frame.pc(), pac::SIO.cpuid().read());
    defmt::error!("{=str}", text.as_str());
    restart(&text)
}
