//! The boot ROM's flash routines, reached through the mailbox (see `boot_rom.rs`).

use super::boot_rom::Service;
use super::bus::Bus;
use super::fault::Fault;
use super::flash::{BLOCK_SIZE, Outcome, PAGE_SIZE};
use pico_image::SECTOR_SIZE;
use rp2040_emu::core::CoreBus;

impl Bus {
    pub(super) fn write_mailbox(&mut self, address: u32, value: u32) {
        let index = (address & 0xFF) as usize / 4;
        if let Some(slot) = self.mailbox.get_mut(index) {
            *slot = value;
        }
        if index == 0
            && let Some(service) = Service::from_number(value)
        {
            self.rom_service(service);
            self.attend();
        }
    }

    /// Performs a routine of the ROM on flash and its controller.
    fn rom_service(&mut self, service: Service) {
        let [_, first, second, third, fourth] = self.mailbox;
        match service {
            Service::ConnectFlash => {}
            Service::ExitXip => self.xip.enter_command_mode(),
            Service::Erase => self.erase(first, second, third, fourth),
            Service::Program => self.program(first, second, third),
            Service::FlushCache => self.xip.flush(),
            Service::EnterXip => self.xip.enter_slow_read(),
            Service::UsbBoot => self.halt_with(Fault::UsbBoot),
        }
    }

    /// Erases `count` bytes, in large blocks where the caller names a command for them.
    fn erase(&mut self, offset: u32, count: u32, block_size: u32, block_command: u32) {
        let end = offset.saturating_add(count);
        let mut at = offset & !(SECTOR_SIZE - 1);
        while at < end {
            let block = block_command != 0
                && block_size == BLOCK_SIZE
                && at.is_multiple_of(BLOCK_SIZE)
                && end - at >= BLOCK_SIZE;
            let outcome = self.flash.erase(at, block, self.operation_start_us());
            if !self.spend(outcome) {
                return;
            }
            at += if block { BLOCK_SIZE } else { SECTOR_SIZE };
        }
    }

    fn program(&mut self, offset: u32, source: u32, count: u32) {
        for start in (0..count).step_by(PAGE_SIZE as usize) {
            let length = PAGE_SIZE.min(count - start);
            let page: Vec<u8> = (0..length)
                .map(|k| self.read8(source.wrapping_add(start + k)))
                .collect();
            let outcome = self
                .flash
                .program(offset + start, &page, self.operation_start_us());
            if !self.spend(outcome) {
                return;
            }
        }
    }

    fn operation_start_us(&self) -> u64 {
        self.peripherals
            .clocks
            .ns_at(self.now + self.extra.max(0) as u64)
            / 1000
    }

    /// Lets the calling core wait for the chip; `false` if the power was cut.
    fn spend(&mut self, outcome: Outcome) -> bool {
        self.stale_flash = true;
        let (us, powered) = match outcome {
            Outcome::Done { us } => (us, true),
            Outcome::PowerLost { us } => (us, false),
        };
        self.extra += self.peripherals.clocks.us_to_cycles(us) as i64;
        if !powered {
            self.halt_with(Fault::PowerCut {
                operation: self.flash.log().len() - 1,
            });
        }
        powered
    }
}
