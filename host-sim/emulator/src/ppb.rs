//! The private peripheral bus of each core: interrupt controller, system control, MPU, SysTick.
//!
//! Registers of the interrupt controller and the system control block live in the structures the
//! core model works with; this file maps addresses to them. SysTick counts processor cycles but
//! raises no exception: embassy keeps time with TIMER.

use super::mpu::Mpu;
use rp2040_emu::bus::ppb::Ppb;
use rp2040_emu::core::Nvic;

const AIRCR: u32 = 0xED0C;
const RESET_REQUEST: u32 = 0x05FA_0004;

#[derive(Clone, Copy, Default)]
struct SysTick {
    control: u32,
    reload: u32,
    start: u64,
}

impl SysTick {
    fn current(&self, cycle: u64) -> u32 {
        if self.control & 1 == 0 {
            return 0;
        }
        let period = u64::from(self.reload) + 1;
        (u64::from(self.reload) - cycle.saturating_sub(self.start) % period) as u32
    }
}

#[derive(Clone)]
pub(super) struct PrivateBus {
    pub(super) system: Ppb,
    pub(super) nvic: Nvic,
    pub(super) mpu: Mpu,
    /// Number of the exception that the core handles, zero in thread mode (IPSR).
    pub(super) exception: u32,
    systick: SysTick,
}

impl PrivateBus {
    pub(super) fn new() -> Self {
        PrivateBus {
            system: Ppb::new(),
            nvic: Nvic::new(),
            mpu: Mpu::default(),
            exception: 0,
            systick: SysTick::default(),
        }
    }

    /// Interrupts whose handlers are running, as a mask of lines.
    pub(super) fn running(&self) -> u32 {
        (self.system.active >> 16) as u32
    }

    /// Execution priority of the core (lower is more urgent), pre-empted handlers included.
    fn priority(&self) -> i16 {
        let active = (0..48).filter(|&number| self.system.active >> number & 1 != 0);
        active
            .map(|number| self.priority_of(number))
            .min()
            .unwrap_or(i16::MAX)
    }

    fn priority_of(&self, exception: u16) -> i16 {
        match exception {
            16.. => i16::from(self.nvic.get_priority((exception - 16) as u8)),
            _ => self.system.exception_priority(exception),
        }
    }

    /// Whether a pending exception is more urgent than the execution priority.
    pub(super) fn wants_in(&self) -> bool {
        let irqs = self.nvic.pending_and_enabled();
        let system = self.system.icsr & (1 << 28 | 1 << 26);
        if irqs == 0 && system == 0 {
            return false;
        }
        let pending = |number: u16| match number {
            14 => system >> 28 & 1 != 0,
            15 => system >> 26 & 1 != 0,
            _ => irqs >> (number - 16) & 1 != 0,
        };
        let now = self.priority();
        (14..48).any(|number| pending(number) && self.priority_of(number) < now)
    }

    /// Sets the interrupts of `lines` pending; a line that stays high during its own handler has to
    /// wait for the handler's end.
    pub(super) fn assert_lines(&mut self, lines: u32, previous: u32) {
        let rising = lines & !previous;
        self.nvic.pending |= rising | (lines & !self.running());
    }

    pub(super) fn read(&self, address: u32, cycle: u64) -> u32 {
        match address & 0xFFFC {
            0xE010 => self.systick.control,
            0xE014 => self.systick.reload,
            0xE018 => self.systick.current(cycle),
            0xE100 | 0xE180 => self.nvic.enabled,
            0xE200 | 0xE280 => self.nvic.pending,
            offset @ 0xE400..=0xE41C => {
                let first = (offset - 0xE400) as usize;
                u32::from_le_bytes([0, 1, 2, 3].map(|k| self.nvic.priority[first + k]))
            }
            0xED04 => self.system.read32(address) | self.exception,
            offset @ 0xED90..=0xEDA0 => self.mpu.read(offset),
            _ => self.system.read32(address),
        }
    }

    /// Returns `true` when the write asks for a system reset.
    pub(super) fn write(&mut self, address: u32, value: u32, cycle: u64) -> bool {
        match address & 0xFFFC {
            0xE010 => {
                self.systick.control = value & 7;
                self.systick.start = cycle;
            }
            0xE014 => self.systick.reload = value & 0xFF_FFFF,
            0xE018 => self.systick.start = cycle,
            0xE100 => self.nvic.enabled |= value,
            0xE180 => self.nvic.enabled &= !value,
            0xE200 => self.nvic.pending |= value,
            0xE280 => self.nvic.pending &= !value,
            offset @ 0xE400..=0xE41C => {
                let first = (offset - 0xE400) as usize;
                for (k, byte) in value.to_le_bytes().into_iter().enumerate() {
                    self.nvic.priority[first + k] = byte & 0xC0;
                }
            }
            offset @ 0xED90..=0xEDA0 => self.mpu.write(offset, value),
            AIRCR => return value & RESET_REQUEST == RESET_REQUEST,
            _ => self.system.write32(address, value),
        }
        false
    }
}
