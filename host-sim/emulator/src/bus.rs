//! The address map as both cores and the DMA see it.
//!
//! The cores come from the `rp2040-emu` crate and reach everything through its [`CoreBus`] trait,
//! which this file implements. Side effects that concern more than the accessed block do not
//! happen here: a write sets [`Bus::attend`], the run loop stops after the instruction and lets
//! [`Bus::service`] (in `service.rs`) bring all blocks up to date.
//!
//! Prices beyond what a core charges itself: one cycle less for SIO, one more for an APB read,
//! two more for an APB write, and the wait for the XIP cache. Contention between masters for the
//! same SRAM bank is not modelled.

use super::boot_rom::{self, MAILBOX};
use super::fault::{Access, Cause, Fault};
use super::flash::Flash;
use super::memory::{Memory, SRAM_BASE};
use super::mpu::Span;
use super::peripherals::{POWER_SIO, POWER_XIP, Peripherals, Request};
use super::ppb::PrivateBus;
use super::rtt::RamAccess;
use super::sio::Sio;
use super::watchdog::ResetReason;
use super::xip::Xip;
use pico_image::FLASH_BASE;
use rp2040_emu::bus::ppb::Ppb;
use rp2040_emu::core::{CoreBus, Nvic};

/// Program counters the core model reports at exception entry and return.
const EXCEPTION_ENTRY: u32 = 0xFFFF_FFFE;
const EXCEPTION_RETURN: u32 = 0xFFFF_FFFD;
/// Registers that an exception saves.
pub(super) const FRAME_WORDS: usize = 8;

#[derive(Clone)]
pub(super) struct Bus {
    pub(super) rom: Memory,
    pub(super) sram: Memory,
    pub(super) flash: Flash,
    pub(super) xip: Xip,
    pub(super) sio: Sio,
    pub(super) private: [PrivateBus; 2],
    pub(super) peripherals: Peripherals,
    /// Cycle of the access in progress.
    pub(super) now: u64,
    /// The running core stops when its clock reaches this; zero stops it after the instruction.
    pub(super) horizon: u64,
    /// Cycles to add to the price of the instruction in progress.
    pub(super) extra: i64,
    pub(super) next_event: u64,
    pub(super) attention: bool,
    pub(super) active: usize,
    pub(super) waiting: [bool; 2],
    pub(super) events: [bool; 2],
    pub(super) stop: Option<Fault>,
    pub(super) request: Option<Request>,
    /// Set when a core entered an exception since the run loop looked last.
    pub(super) entered_exception: bool,
    /// Addresses whose accesses the active core's MPU has to allow.
    pub(super) watched: Span,
    /// Why the instruction in progress fails. Nothing it does afterwards reaches memory.
    pub(super) refused: Option<Cause>,
    /// The exception frame of a refused instruction, kept from memory until the stack pointer is
    /// put right (see `Machine::restack`).
    pub(super) frame: Option<Vec<u32>>,
    /// An exception's frame is being stacked, by the core model itself.
    stacking: bool,
    /// Why that failed.
    pub(super) stacking_refused: Option<Cause>,
    /// Addresses of rewritten code, to be dropped from the cores' decoded instructions.
    pub(super) stale_code: Vec<u32>,
    pub(super) stale_flash: bool,
    /// The core whose decoded instructions may be forbidden by now: its MPU was changed.
    pub(super) stale_rights: Option<usize>,
    pub(super) bus_fault: bool,
    pub(super) pc: u32,
    pub(super) lines: [u32; 2],
    pub(super) mailbox: [u32; 5],
}

impl Bus {
    pub(super) fn powered_up(flash: Flash, peripherals: Peripherals) -> Self {
        Bus {
            rom: Memory::new(boot_rom::image()),
            sram: Memory::powered_up(),
            flash,
            xip: Xip::new(),
            sio: Sio::new(),
            private: [PrivateBus::new(), PrivateBus::new()],
            peripherals,
            now: 0,
            horizon: 0,
            extra: 0,
            next_event: 0,
            attention: true,
            active: 0,
            waiting: [false; 2],
            events: [false; 2],
            stop: None,
            request: None,
            entered_exception: false,
            watched: Span::NONE,
            refused: None,
            frame: None,
            stacking: false,
            stacking_refused: None,
            stale_code: Vec::new(),
            stale_flash: false,
            stale_rights: None,
            bus_fault: false,
            pc: 0,
            lines: [0; 2],
            mailbox: [0; 5],
        }
    }

    /// Resets everything except memory contents and the outside world.
    pub(super) fn power_on(&mut self) {
        self.peripherals = self.peripherals.after_power_on(self.now);
        self.sio = Sio::new();
        self.reset_processors();
    }

    /// Resets the blocks that WDSEL selects. Returns the selected blocks of the power-on state
    /// machine.
    pub(super) fn watchdog_fires(&mut self, reason: ResetReason) -> u32 {
        let selected = self.peripherals.watchdog_fires(reason, self.now);
        if selected & POWER_SIO != 0 {
            self.sio = Sio::new();
        }
        if selected & POWER_XIP != 0 {
            self.xip = self.xip.after_reset();
        }
        self.attend();
        selected
    }

    /// SYSRESETREQ: cores and XIP restart, peripherals keep their state.
    pub(super) fn reset_processors(&mut self) {
        self.xip = self.xip.after_reset();
        self.sio.park_core1();
        self.private = [PrivateBus::new(), PrivateBus::new()];
        (self.waiting, self.events, self.lines) = ([false; 2], [false; 2], [0; 2]);
        self.bus_fault = false;
        (self.refused, self.frame, self.stacking_refused) = (None, None, None);
        self.attend();
    }

    /// Makes `core` the one whose instructions run next; `exception` is the one it handles.
    pub(super) fn activate(&mut self, core: usize, exception: u32) {
        self.active = core;
        self.stacking = false;
        self.private[core].exception = exception;
        self.watch();
    }

    /// Computes which accesses of the active core its MPU has to check.
    pub(super) fn watch(&mut self) {
        let private = &self.private[self.active];
        self.watched = private.mpu.watched(matches!(private.exception, 2 | 3));
    }

    /// Stacks an exception's frame with the rights of the code that it interrupts.
    pub(super) fn stack_frame(&mut self, start: u32, frame: &[u32]) {
        self.watch();
        self.stacking = true;
        // The earlier cause belongs to the instruction; stacking has a cause of its own.
        let refused = self.refused.take();
        for (index, &word) in frame.iter().enumerate() {
            self.write32(start.wrapping_add(4 * index as u32), word);
        }
        self.refused = refused;
    }

    /// Asks for [`Self::service`] after the instruction in progress.
    pub(super) fn attend(&mut self) {
        self.attention = true;
        self.horizon = 0;
    }

    pub(super) fn halt_with(&mut self, fault: Fault) {
        self.stop.get_or_insert(fault);
        self.attend();
    }

    /// Flash word at an address, with the time it takes.
    fn read_flash<const N: usize>(&mut self, address: u32) -> [u8; N] {
        if address >> 24 > 0x13 {
            return self.read_xip_registers(address);
        }
        if !self.xip.is_readable() {
            self.flash_unreadable(address);
            return [0xFF; N];
        }
        self.extra += self.xip.access(self.active, address, self.now) as i64;
        let offset = (address & 0x00FF_FFFF) as usize;
        // Beyond 2 MB the chip ignores the upper address bits.
        let offset = offset % self.flash.bytes().len();
        self.flash.bytes()[offset..]
            .first_chunk()
            .copied()
            .unwrap_or([0xFF; N])
    }

    #[cold]
    fn flash_unreadable(&mut self, address: u32) {
        self.halt_with(Fault::FlashUnreadable {
            core: self.active,
            pc: self.pc,
            address,
        });
    }

    fn read_xip_registers<const N: usize>(&mut self, address: u32) -> [u8; N] {
        let offset = address & 0xFFC;
        let word = match address >> 24 {
            0x14 => self.xip.read_cache_register(offset),
            0x18 => self.xip.read_ssi(offset, &self.flash),
            _ => self.fail(address),
        };
        narrow(word, address)
    }

    fn write_xip(&mut self, address: u32, value: u32) {
        match address >> 24 {
            0x14 => self
                .xip
                .write_cache_register(address & 0xFFC, value, address),
            0x18 => {
                self.xip.write_ssi(address & 0xFFC, value);
                self.attend();
            }
            // A store into flash: silicon would silently flush a cache line, which no firmware
            // intends.
            _ => {
                self.fail(address);
            }
        }
    }

    fn read_device(&mut self, address: u32) -> u32 {
        let word = address & !3;
        match address >> 28 {
            4 | 5 => {
                self.extra += i64::from(address >> 28 == 4);
                // Serial blocks and the ADC move on by themselves and change when read.
                if matches!(address & 0xFFFF_C000, 0x4003_C000..=0x4004_C000) {
                    self.peripherals.advance_serial(self.now);
                    self.attend();
                }
                self.peripherals.read(word, self.now)
            }
            0xD => {
                self.extra -= 1;
                if word & 0xFFF == 0x058 {
                    self.attend();
                }
                let pins = self.peripherals.gpio.readable_levels();
                self.sio.read(word & 0xFFF, self.active, pins)
            }
            0xE => self.private[self.active].read(word, self.now),
            _ => self.fail(address),
        }
    }

    fn write_device(&mut self, address: u32, value: u32) {
        let word = address & !3;
        match address >> 28 {
            1 => self.write_xip(word, value),
            4 if word & 0xFFFF_F000 == MAILBOX => self.write_mailbox(word, value),
            4 | 5 => {
                self.extra += if address >> 28 == 4 { 2 } else { 0 };
                self.peripherals.advance_serial(self.now);
                if let Some(request) = self.peripherals.write(word, value, self.now) {
                    self.request = Some(request);
                }
                self.attend();
            }
            0xD => {
                self.extra -= 1;
                let offset = word & 0xFFF;
                if (0x010..0x060).contains(&offset) {
                    // Frames already on the wire are sent with the old pin settings.
                    self.peripherals.advance_serial(self.now);
                    self.attend();
                }
                self.sio.write(offset, value, self.active);
                if (0x010..0x030).contains(&offset) {
                    self.peripherals
                        .settle_pins(self.sio.out, self.sio.output_enable, self.now);
                }
            }
            0xE => {
                if self.private[self.active].write(word, value, self.now) {
                    self.request = Some(Request::ResetProcessors);
                }
                if matches!(word & 0xFFFF, 0xED94..=0xEDA0) {
                    self.watch();
                    self.stale_rights = Some(self.active);
                }
                self.attend();
            }
            _ => {
                self.fail(address);
            }
        }
    }

    #[cold]
    fn fail(&mut self, address: u32) -> u32 {
        self.refuse(Cause::Bus { address });
        0
    }

    /// The access in progress fails; the core takes a hard fault after the instruction.
    #[cold]
    fn refuse(&mut self, cause: Cause) {
        if self.stacking {
            self.stacking_refused.get_or_insert(cause);
        } else {
            self.bus_fault = true;
            self.refused.get_or_insert(cause);
            self.watched = Span::ALL;
        }
        self.horizon = 0;
    }

    /// Whether an access to a watched address fails; refuses it if the MPU forbids it.
    #[cold]
    fn is_refused(&mut self, address: u32, access: Access) -> bool {
        if self.frame.is_some() {
            return false; // the vector of the hard fault
        }
        if self.refused.is_some() {
            return true;
        }
        let forbidden = self.private[self.active].mpu.forbids(address, access);
        if let Some(region) = forbidden {
            self.refuse(Cause::Mpu {
                access,
                address,
                region,
            });
        }
        forbidden.is_some()
    }

    #[cold]
    fn is_store_refused(&mut self, address: u32, value: u32) -> bool {
        if let Some(frame) = &mut self.frame {
            frame.push(value);
            return true;
        }
        self.is_refused(address, Access::Write)
    }

    #[cold]
    fn code_changed(&mut self, address: u32) {
        self.stale_code.extend([address, address + 2]);
        self.horizon = 0;
    }

    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> [u8; N] {
        if self.watched.contains(address) && self.is_refused(address, Access::Read) {
            return [0; N];
        }
        match address >> 28 {
            2 => match self.sram.read(address.wrapping_sub(SRAM_BASE)) {
                Some(bytes) => bytes,
                None => narrow(self.fail(address), address),
            },
            1 => self.read_flash(address),
            0 => match self.rom.read(address) {
                Some(bytes) => bytes,
                None => narrow(self.fail(address), address),
            },
            _ => narrow(self.read_device(address), address),
        }
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) {
        // Narrow writes to registers arrive on all lanes of the bus.
        let lanes = || u32::from_le_bytes(std::array::from_fn(|lane| bytes[lane % N]));
        if self.watched.contains(address) && self.is_store_refused(address, lanes()) {
            return;
        }
        if address >> 28 == 2 {
            match self.sram.write(address.wrapping_sub(SRAM_BASE), bytes) {
                Some(false) => {}
                Some(true) => self.code_changed(address),
                None => {
                    self.fail(address);
                }
            }
        } else {
            self.write_device(address, lanes());
        }
    }

    /// Fetches happen through 16-bit reads at the program counter, when the core has no decoded
    /// copy of the instruction.
    fn note_fetch(&mut self, address: u32) {
        if address >> 28 == 2 && address.wrapping_sub(self.pc) <= 2 {
            self.sram.mark_code(address - SRAM_BASE);
        }
    }

    /// Reads a byte without side effects or time; `None` outside ROM, flash and SRAM.
    pub(super) fn peek(&self, address: u32) -> Option<u8> {
        let [byte] = match address >> 28 {
            0 => self.rom.read(address)?,
            1 => *self
                .flash
                .bytes()
                .get(address.wrapping_sub(FLASH_BASE) as usize..)?
                .first_chunk()?,
            2 => self.sram.read(address - SRAM_BASE)?,
            _ => return None,
        };
        Some(byte)
    }
}

/// The bytes of a register word that a narrow read sees.
fn narrow<const N: usize>(word: u32, address: u32) -> [u8; N] {
    let bytes = word.to_le_bytes();
    std::array::from_fn(|k| bytes[(address as usize + k) & 3])
}

impl RamAccess for Bus {
    fn peek32(&self, address: u32) -> Option<u32> {
        self.sram
            .read(address.wrapping_sub(SRAM_BASE))
            .map(u32::from_le_bytes)
    }

    fn poke32(&mut self, address: u32, value: u32) {
        self.sram
            .write(address.wrapping_sub(SRAM_BASE), value.to_le_bytes());
    }
}

impl CoreBus for Bus {
    #[inline]
    fn read8(&mut self, address: u32) -> u8 {
        u8::from_le_bytes(self.load(address))
    }

    #[inline]
    fn read16(&mut self, address: u32) -> u16 {
        self.note_fetch(address);
        u16::from_le_bytes(self.load(address))
    }

    #[inline]
    fn read32(&mut self, address: u32) -> u32 {
        u32::from_le_bytes(self.load(address))
    }

    #[inline]
    fn write8(&mut self, address: u32, value: u8) {
        self.store(address, value.to_le_bytes());
    }

    #[inline]
    fn write16(&mut self, address: u32, value: u16) {
        self.store(address, value.to_le_bytes());
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32) {
        self.store(address, value.to_le_bytes());
    }

    #[inline]
    fn set_active_pc(&mut self, pc: u32) {
        if self.watched.contains(pc) && pc < EXCEPTION_RETURN {
            self.pc = pc;
            if self.is_refused(pc, Access::Fetch) {
                return;
            }
        }
        match pc >> 28 {
            1 if self.xip.is_fetched(self.active, pc) => {}
            1 if !self.xip.is_readable() => self.flash_unreadable(pc),
            1 => self.extra += self.xip.fetch(self.active, pc, self.now) as i64,
            0xF if pc >= EXCEPTION_RETURN => {
                self.entered_exception |= pc == EXCEPTION_ENTRY;
                self.stacking = pc == EXCEPTION_ENTRY;
                // Returning from an exception counts as an event for WFE.
                self.events[self.active] |= pc == EXCEPTION_RETURN;
                self.attend();
                return;
            }
            // Peripherals, devices and the private bus never execute, whatever the MPU says.
            4 | 5 | 0xA.. => self.refuse(Cause::ExecuteNever { address: pc }),
            _ => {}
        }
        self.pc = pc;
    }

    fn bus_fault(&self) -> bool {
        self.bus_fault
    }

    fn bus_fault_addr(&self) -> u32 {
        0
    }

    /// The core model takes note of a failed access and enters the hard fault next.
    fn clear_bus_fault(&mut self) {
        self.bus_fault = false;
        self.frame = Some(Vec::with_capacity(FRAME_WORDS));
    }

    #[inline]
    fn ppb(&self, core: usize) -> &Ppb {
        &self.private[core].system
    }

    fn ppb_mut(&mut self, core: usize) -> &mut Ppb {
        &mut self.private[core].system
    }

    #[inline]
    fn nvic(&self, core: usize) -> &Nvic {
        &self.private[core].nvic
    }

    fn nvic_mut(&mut self, core: usize) -> &mut Nvic {
        &mut self.private[core].nvic
    }

    fn active_core(&self) -> usize {
        self.active
    }

    fn event_flag(&self, core: usize) -> bool {
        self.events[core]
    }

    fn consume_event_flag(&mut self, core: usize) -> bool {
        std::mem::take(&mut self.events[core])
    }

    fn set_wfe_waiting(&mut self, core: usize, waiting: bool) {
        self.waiting[core] = waiting;
        self.horizon = 0;
    }

    fn signal_sev(&mut self) {
        self.events = [true; 2];
        self.horizon = 0;
    }
}
