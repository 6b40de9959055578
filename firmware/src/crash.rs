//! The crash log: a record in RAM that survives a restart and is shown once, the count of restarts
//! in a row, and the watchdog.
//!
//! A failing program logs nothing, because the log itself may have failed. The next start logs the
//! record.

#![allow(
    unsafe_code,
    reason = "memory that outlives the program, and the handler of faults"
)]

use core::cell::UnsafeCell;
use core::fmt::Write;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use crc::{CRC_32_ISO_HDLC, Crc};
use embassy_rp::{pac, rom_data};
use heapless::String;

use crate::stack;

const MAGIC: u32 = 0x0D0_7A13;
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
const TEXT: usize = 112;
const VERSION: &str = env!("CARGO_PKG_VERSION");
const VERSION_BYTES: usize = 12;

/// From this restart in a row on, settings and the running game are not loaded: they may be the
/// cause.
const SAFE_MODE: u32 = 3;
/// At this restart in a row the program starts the boot loader, where another firmware can be
/// loaded.
const GIVE_UP: u32 = 6;

/// The watchdog restarts a program that does not [`feed`] it for this long. Erasing a sector of
/// flash can take 0.4 s.
const PATIENCE_US: u32 = 2_000_000;
/// Nominal frequency of the boot clock (ring oscillator) in MHz.
const BOOT_MHZ: u16 = 6;
/// The watchdog resets everything but the oscillators.
const ALL_BUT_OSCILLATORS: u32 = 0x0001_FFFC;

/// Stack of the fault handler: the core's own stack may have overflowed.
const FAULT_STACK: usize = 768;

/// The crash record in RAM; valid only if magic and checksum agree.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    magic: u32,
    core: u32,
    /// Of a fault: r0 to r3, r12, lr, pc and psr, as stacked by the core.
    registers: [u32; 8],
    /// Whether the stack pointer had left the stack.
    overflow: u32,
    version: [u8; VERSION_BYTES],
    /// Of the text; a fault has none.
    length: u32,
    text: [u8; TEXT],
    crc: u32,
}

impl Record {
    fn checksum(&self) -> u32 {
        let mut digest = CRC.digest();
        for word in [self.magic, self.core, self.overflow, self.length]
            .iter()
            .chain(&self.registers)
        {
            digest.update(&word.to_le_bytes());
        }
        digest.update(&self.version);
        digest.update(&self.text);
        digest.finalize()
    }

    /// The crash in words.
    fn describe(&self) -> Option<String<TEXT>> {
        let mut words = String::new();
        let (core, pc) = (self.core, self.registers[6]);
        let _ = match (self.text.get(..self.length as usize)?, self.overflow) {
            ([], 0) => write!(words, "fault at {pc:#010x} on core {core}"),
            ([], _) => write!(words, "stack overflow at {pc:#010x} on core {core}"),
            (text, _) => words.write_str(core::str::from_utf8(text).ok()?),
        };
        Some(words)
    }
}

struct Kept(UnsafeCell<MaybeUninit<Record>>);

// SAFETY: it is written by a core that is about to restart the chip, and read once before the
// second core runs.
unsafe impl Sync for Kept {}

#[unsafe(link_section = ".uninit.crash")]
static KEPT: Kept = Kept(UnsafeCell::new(MaybeUninit::uninit()));

#[repr(C, align(8))]
struct FaultStack(UnsafeCell<MaybeUninit<[u8; FAULT_STACK]>>);

// SAFETY: only the handler of faults uses it; if both cores fault at once the record's checksum
// tells.
unsafe impl Sync for FaultStack {}

#[unsafe(link_section = ".uninit.crash")]
static FAULT_STACK_MEMORY: FaultStack = FaultStack(UnsafeCell::new(MaybeUninit::uninit()));

/// How the last run ended.
pub(crate) struct LastRun {
    record: Option<Record>,
    /// Why it failed, if it did.
    pub(crate) reason: Option<String<120>>,
    /// Restarts in a row after a crash or a hang.
    restarts: u32,
    /// Whether this is the first start after power-on.
    pub(crate) is_cold: bool,
}

impl LastRun {
    /// Reads and clears the crash record, counts this start and starts the watchdog. To be called
    /// before anything that can fail, or a restart loop would never end.
    ///
    /// Scratch registers of the watchdog: 0 is set if this program has run since power-on (the boot
    /// ROM overwrites it in USB mode), 1 counts restarts, 2 is set when the stacks are painted.
    pub(crate) fn take() -> LastRun {
        let watchdog = pac::WATCHDOG;
        let reason = watchdog.reason().read();
        let has_run = watchdog.scratch0().read() == MAGIC;
        let has_failed = has_run && (reason.timer() || reason.force());
        let restarts = if has_failed {
            watchdog.scratch1().read().saturating_add(1)
        } else {
            0
        };
        watchdog.scratch1().write_value(restarts);
        watchdog.scratch0().write_value(MAGIC);
        let was_painted = watchdog.scratch2().read() == MAGIC;
        watchdog.scratch2().write_value(0);
        start_watchdog();
        let had_power = pac::VREG_AND_CHIP_RESET.chip_reset().read().had_por();
        let is_cold = had_power && !has_run && !reason.timer() && !reason.force();
        if restarts >= GIVE_UP {
            enter_boot_loader();
        }
        let record = take_record();
        let mut reason_text = None;
        if let Some(text) = record.and_then(|record| record.describe()) {
            reason_text = Some(told(format_args!("{text}")));
        } else if has_failed && reason.timer() {
            reason_text = Some(match stack::used_up().filter(|_| was_painted) {
                Some(core) => told(format_args!("the stack of core {core} was used up")),
                None => told(format_args!("it hung.")),
            });
        }
        LastRun {
            record,
            reason: reason_text,
            restarts,
            is_cold,
        }
    }

    /// Logs the record.
    pub(crate) fn log(&self) {
        if let Some(Record {
            version,
            core,
            registers,
            ..
        }) = &self.record
        {
            let version = core::str::from_utf8(version)
                .unwrap_or_default()
                .trim_end_matches('\0');
            defmt::warn!(
                "crash of {=str} on core {=u32}, registers {=[?]:#010x}",
                version,
                core,
                registers[..]
            );
        }
    }

    /// Whether to start without settings and the running game.
    pub(crate) fn wants_safe_mode(&self) -> bool {
        self.restarts >= SAFE_MODE
    }
}

fn told(what: core::fmt::Arguments<'_>) -> String<120> {
    let mut told = String::new();
    let _ = write!(told, "It had to restart: {what}");
    told
}

/// Notes that the stacks are painted.
pub(crate) fn painted() {
    pac::WATCHDOG.scratch2().write_value(MAGIC);
}

/// The start has succeeded: the next crash begins a new count of restarts.
pub(crate) fn settled() {
    pac::WATCHDOG.scratch1().write_value(0);
}

/// Leaves the program for the boot loader, which shows up as a USB drive.
pub(crate) fn enter_boot_loader() -> ! {
    settled();
    rom_data::reset_to_usb_boot(0, 0);
    loop {
        cortex_m::asm::nop();
    }
}

fn start_watchdog() {
    pause_watchdog();
    // An estimate until the clocks are set up.
    pac::WATCHDOG.tick().write(|w| {
        w.set_cycles(BOOT_MHZ);
        w.set_enable(true);
    });
    pac::PSM
        .wdsel()
        .write_value(pac::psm::regs::Wdsel(ALL_BUT_OSCILLATORS));
    resume_watchdog();
}

/// Feeds the watchdog.
pub(crate) fn feed() {
    // It counts two a microsecond: erratum RP2040-E1.
    pac::WATCHDOG
        .load()
        .write_value(pac::watchdog::regs::Load(2 * PATIENCE_US));
}

/// Stops the watchdog while the device is switched off.
pub(crate) fn pause_watchdog() {
    pac::WATCHDOG.ctrl().modify(|w| w.set_enable(false));
}

/// Starts the watchdog again, with its full time.
pub(crate) fn resume_watchdog() {
    feed();
    pac::WATCHDOG.ctrl().modify(|w| w.set_enable(true));
}

fn take_record() -> Option<Record> {
    let kept = KEPT.0.get().cast::<Record>();
    // SAFETY: any bytes are a record; volatile, because the compiler cannot know of the write
    // before the restart.
    let record = unsafe { kept.read_volatile() };
    // SAFETY: as above; a record without its magic is none.
    unsafe { (&raw mut (*kept).magic).write_volatile(0) };
    Some(record).filter(|record| record.magic == MAGIC && record.crc == record.checksum())
}

/// Writes the crash record and restarts.
fn restart(registers: [u32; 8], overflow: bool, text: &str) -> ! {
    cortex_m::interrupt::disable();
    let cut = text.floor_char_boundary(TEXT);
    let mut record = Record {
        magic: MAGIC,
        core: pac::SIO.cpuid().read(),
        registers,
        overflow: u32::from(overflow),
        version: [0; _],
        length: cut as u32,
        text: [0; _],
        crc: 0,
    };
    record
        .version
        .iter_mut()
        .zip(VERSION.bytes())
        .for_each(|(place, letter)| *place = letter);
    record.text[..cut].copy_from_slice(&text.as_bytes()[..cut]);
    record.crc = record.checksum();
    // SAFETY: nobody reads before the restart; if both cores fail at once the checksum tells.
    unsafe { KEPT.0.get().cast::<Record>().write_volatile(record) };
    reset_chip()
}

/// Restarts on purpose: the next start does not count it as a failure.
pub(crate) fn start_anew() -> ! {
    pac::WATCHDOG.scratch0().write_value(0);
    reset_chip()
}

fn reset_chip() -> ! {
    pac::PSM
        .wdsel()
        .write_value(pac::psm::regs::Wdsel(ALL_BUT_OSCILLATORS));
    pac::WATCHDOG.ctrl().modify(|w| w.set_trigger(true));
    loop {
        cortex_m::asm::nop();
    }
}

/// Restarts because of a failure that the program has detected.
pub(crate) fn give_up(why: &str) -> ! {
    restart([0; 8], false, why)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut text = String::<TEXT>::new();
    let _ = write!(text, "{}", info.message());
    if let Some(place) = info.location() {
        // The file name is enough, and the room is small.
        let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
        let _ = write!(text, " ({file}:{})", place.line());
    }
    restart([0; 8], false, &text)
}

/// The fault handler. It switches to a stack of its own, because the core's stack may have
/// overflowed.
#[unsafe(naked)]
#[unsafe(export_name = "HardFault")]
unsafe extern "C" fn hard_fault() -> ! {
    core::arch::naked_asm!(
        "mov r0, sp",
        "ldr r1, 1f",
        "mov sp, r1",
        "bl {handler}",
        ".p2align 2",
        "1: .word {stack} + {bytes}",
        handler = sym fault,
        stack = sym FAULT_STACK_MEMORY,
        bytes = const FAULT_STACK,
    )
}

extern "C" fn fault(frame: *const [u32; 8]) -> ! {
    let address = frame as usize;
    let is_ram = (0x2000_0000..0x2004_2000 - size_of::<[u32; 8]>()).contains(&address)
        && address.is_multiple_of(4);
    // SAFETY: it is RAM, and the guards do not count in this handler.
    let registers = if is_ram {
        unsafe { frame.read_volatile() }
    } else {
        [0; 8]
    };
    restart(
        registers,
        stack::has_left(pac::SIO.cpuid().read() as usize, address),
        "",
    )
}
