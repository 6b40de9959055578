//! Brings the peripherals up to date between two stretches of instructions.

use super::bus::Bus;
use super::dma::{CHANNELS, UNPACED};
use super::fault::{Broken, Fault, Rule};
use super::mpu::Span;
use super::peripherals::Request;
use super::watchdog::ResetReason;
use rp2040_emu::core::CoreBus;

/// Units an unpaced DMA channel moves before others get their turn.
const DMA_BURST: u64 = 64;

impl Bus {
    /// Brings all blocks up to date, moves DMA data, raises interrupts, and computes the cycle of
    /// the next event.
    pub(super) fn service(&mut self) {
        self.peripherals
            .settle_pins(self.sio.out, self.sio.output_enable, self.now);
        let mut next = loop {
            let next = self.peripherals.advance(self.now);
            if self.peripherals.dma.active() == 0 || !self.run_dma() {
                break next;
            }
        };
        let unpaced = (0..CHANNELS)
            .map(|n| self.peripherals.dma.channel(n))
            .any(|c| c.is_busy() && c.request() == UNPACED);
        if unpaced {
            next = next.min(self.now + DMA_BURST);
        }
        if self
            .peripherals
            .watchdog
            .deadline(&self.peripherals.clocks)
            .is_some_and(|bite| bite <= self.now)
        {
            self.request = Some(Request::Reset(ResetReason::WatchdogTimeout));
        }
        let shared = self.peripherals.shared_lines();
        for core in 0..2 {
            let own = u32::from(self.peripherals.gpio.line(core)) << 13
                | u32::from(self.sio.line(core)) << (15 + core);
            let lines = shared | own;
            self.private[core].assert_lines(lines, self.lines[core]);
            self.lines[core] = lines;
        }
        self.next_event = next.max(self.now + 1);
        self.attention = false;
        let (hz, limit) = (self.peripherals.clocks.sys_hz(), self.xip.max_sys_hz());
        if hz > limit {
            let detail = format!(
                "a system clock of {hz} Hz is divided too little for the flash chip, {limit} is the limit"
            );
            let broken = Broken {
                rule: Rule::FlashClock,
                address: 0x1800_0014,
                detail,
            };
            self.peripherals.broken.get_or_insert(broken);
        }
        if let Some(Broken {
            rule,
            address,
            detail,
        }) = self.peripherals.broken.take()
        {
            self.halt_with(Fault::RuleBroken {
                rule,
                core: self.active,
                pc: self.pc,
                address,
                detail,
            });
        }
    }

    /// One round over the busy channels; `true` if a paced unit moved, so that another round may
    /// move more.
    fn run_dma(&mut self) -> bool {
        let mut moved = false;
        for n in 0..CHANNELS {
            let channel = self.peripherals.dma.channel(n);
            let (busy, request) = (channel.is_busy(), channel.request());
            if !busy {
                continue;
            }
            if request == UNPACED {
                for _ in 0..DMA_BURST {
                    if self.peripherals.dma.channel(n).is_busy() {
                        self.move_unit(n);
                    }
                }
            } else {
                while self.peripherals.dma.channel(n).is_busy()
                    && self.peripherals.requests_dma(request)
                {
                    self.move_unit(n);
                    moved = true;
                }
            }
        }
        moved
    }

    /// Moves one unit of a channel. The time it takes belongs to the DMA, not to a core, and so
    /// does an error it meets.
    fn move_unit(&mut self, n: usize) {
        let unit = self.peripherals.dma.take_unit(n);
        let before = (self.extra, self.bus_fault, self.refused, self.watched);
        // The MPU is the cores' affair.
        (self.bus_fault, self.refused, self.watched) = (false, None, Span::NONE);
        let value = match unit.bytes {
            1 => u32::from(self.read8(unit.from)),
            2 => u32::from(self.read16(unit.from)),
            _ => self.read32(unit.from),
        };
        let reading_failed = self.bus_fault;
        self.watched = Span::NONE;
        match (unit.bytes, unit.swap) {
            (1, _) => self.write8(unit.to, value as u8),
            (2, false) => self.write16(unit.to, value as u16),
            (2, true) => self.write16(unit.to, (value as u16).swap_bytes()),
            (_, false) => self.write32(unit.to, value),
            (_, true) => self.write32(unit.to, value.swap_bytes()),
        }
        if self.bus_fault {
            self.peripherals.dma.fail(n, reading_failed);
        }
        (self.extra, self.bus_fault, self.refused, self.watched) = before;
    }
}
