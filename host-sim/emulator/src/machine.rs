//! The run loop: two cores, their clocks, sleep, resets and boot.
//!
//! Each core has its own cycle count. The loop always runs the core that is behind, for as long
//! as it is not far ahead of the other one and nothing is due; then [`Bus::service`] catches up.
//! When both cores sleep, time jumps to the next event.

use super::bus::{Bus, FRAME_WORDS};
use super::clocks::Clocks;
use super::diagnosis;
use super::fault::{Access, Cause, Fault, Refusal};
use super::flash::Flash;
use super::memory::{Memory, SRAM_BASE};
use super::peripherals::{POWER_CORE0, POWER_CORE1, Peripherals, Request};
use super::ppb::PrivateBus;
use super::processor::{Core, price};
use super::rtt::RamAccess;
use super::sio::{Launch, Sio};
use super::xip::XipCounters;
use pico_image::{ImageError, check_boot2};
use rp2040_emu::bus::invalidation_regions;
use rp2040_emu::core::CoreBus;

/// How far one running core may be ahead of the other, in cycles.
const SKEW: u64 = 32;
const BOOT2_LOAD: u32 = 0x2004_1F00;
const BOOT2_SIZE: usize = 256;
const HARD_FAULT: u32 = 3;
/// Bit of a stacked xPSR: the frame was moved down to a multiple of eight.
const PADDED: u32 = 1 << 9;
/// Largest number of refusals that are kept: a restart loop adds one at every restart.
const REFUSALS: usize = 1_000;

/// Counters since power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Cycles of `clk_sys`, whatever its frequency was.
    pub cycles: u64,
    /// Instructions executed by each core.
    pub instructions: [u64; 2],
    /// Cycles each core slept, or was parked in the boot ROM.
    pub idle_cycles: [u64; 2],
    /// Flash cache activity of each core; the DMA's reads count for the core that ran last.
    pub xip: [XipCounters; 2],
    /// Cycles a flash cache miss costs with the present settings.
    pub xip_miss_cost: u64,
    /// Resets other than power-on.
    pub resets: u32,
    /// Hard faults taken (only grows past one if the run does not stop at them).
    pub hard_faults: u32,
}

#[derive(Clone)]
pub(super) struct Machine {
    pub(super) bus: Bus,
    cores: [Core; 2],
    off: Option<Fault>,
    resets: u32,
    hard_faults: u32,
    pub(super) refusals: Vec<Refusal>,
    pub(super) stop_on_hard_fault: bool,
    /// A core about to execute this address ends the run.
    pub(super) breakpoint: Option<u32>,
}

/// How a run ended without a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    TimeUp,
    /// The core stands at the breakpoint.
    Breakpoint {
        core: usize,
    },
}

impl Machine {
    pub(super) fn powered_up(flash: Flash) -> Self {
        let peripherals = Peripherals::powered_up(Clocks::after_reset(0, 0));
        let mut machine = Machine {
            bus: Bus::powered_up(flash, peripherals),
            cores: [Core::new(0, 0), Core::new(1, 0)],
            off: None,
            resets: 0,
            hard_faults: 0,
            refusals: Vec::new(),
            stop_on_hard_fault: true,
            breakpoint: None,
        };
        machine.boot();
        machine
    }

    /// Switches off and on: flash and the outside world stay, everything else is lost. Counters and
    /// time go on, so that the log stays in order over several power cycles.
    pub(super) fn power_cycle(&mut self) {
        self.bus.sram = Memory::powered_up();
        self.bus.stop = None;
        self.bus.request = None;
        self.bus.power_on();
        let ns = self.bus.peripherals.clocks.ns_at(self.bus.now);
        if let Some(display) = &mut self.bus.peripherals.display {
            display.power_on(ns);
        }
        self.off = None;
        self.restart_cores();
    }

    fn restart_cores(&mut self) {
        self.park(0);
        self.park(1);
        self.boot();
    }

    /// Sends a core back into the boot ROM.
    fn park(&mut self, n: usize) {
        let Core {
            instructions,
            idle,
            time,
            ..
        } = self.cores[n];
        self.cores[n] = Core {
            instructions,
            idle,
            ..Core::new(n as u8, time.max(self.bus.now))
        };
        self.bus.private[n] = PrivateBus::new();
        (self.bus.waiting[n], self.bus.events[n], self.bus.lines[n]) = (false, false, 0);
        if n == 1 {
            self.bus.sio.park_core1();
        }
    }

    /// The boot ROM's part: check the second stage, copy it to RAM, call it.
    fn boot(&mut self) {
        if let Err(ImageError::BootChecksum { found, expected }) =
            check_boot2(self.bus.flash.bytes())
        {
            self.off = Some(Fault::BootChecksum { found, expected });
            return;
        }
        let stage = self.bus.flash.bytes()[..BOOT2_SIZE].to_vec();
        for (index, &byte) in stage.iter().enumerate() {
            self.bus
                .sram
                .write(BOOT2_LOAD - SRAM_BASE + index as u32, [byte]);
        }
        self.cores[0].start(BOOT2_LOAD, BOOT2_LOAD);
        // A zero return address tells the second stage to enter the program by itself.
        self.cores[0].cpu.regs.r[14] = 0;
    }

    /// Why the machine is off, if it is.
    pub(super) fn off(&self) -> Option<&Fault> {
        self.off.as_ref()
    }

    /// Runs until the cycle count reaches `until` or a core the breakpoint.
    pub(super) fn run(&mut self, until: u64) -> Result<Pause, Fault> {
        self.drop_stale_code();
        loop {
            if let Some(cause) = &self.off {
                return Err(cause.clone());
            }
            if self.bus.attention || self.bus.now >= self.bus.next_event {
                self.bus.service();
                self.handle_requests();
            }
            if let Some(fault) = self.bus.stop.take() {
                self.stop_for(&fault);
                return Err(fault);
            }
            if self.bus.peripherals.clocks.is_dormant() {
                // Nothing runs until a pin wakes the crystal: time jumps to the end of the run.
                if !self.wake_crystal() {
                    self.bus.now = self.bus.now.max(until);
                }
                return Ok(Pause::TimeUp);
            }
            self.wake_cores();
            let limit = until.min(self.bus.next_event);
            let next = (0..2)
                .filter(|&n| self.is_running(n))
                .min_by_key(|&n| self.cores[n].time);
            match next {
                Some(n) if self.cores[n].time < limit => {
                    self.run_core(n, limit)?;
                    if self.breakpoint == Some(self.pc(n)) {
                        self.bus.now = self.cores[n].time;
                        return Ok(Pause::Breakpoint { core: n });
                    }
                }
                _ if limit >= until => {
                    self.bus.now = until;
                    return Ok(Pause::TimeUp);
                }
                _ => self.bus.now = limit,
            }
        }
    }

    fn stop_for(&mut self, fault: &Fault) {
        if matches!(
            fault,
            Fault::PowerCut { .. } | Fault::UsbBoot | Fault::BootChecksum { .. }
        ) {
            self.off = Some(fault.clone());
            let furthest = self.cores.iter().map(|core| core.time).max();
            self.bus.now = furthest.unwrap_or(0).max(self.bus.now);
        }
    }

    fn is_running(&self, n: usize) -> bool {
        !self.cores[n].cpu.is_halted() && !self.bus.waiting[n]
    }

    /// Starts the dormant crystal if a pin asks for it: both cores go on where they stopped.
    fn wake_crystal(&mut self) -> bool {
        if !self.bus.peripherals.gpio.wakes() {
            return false;
        }
        let now = self.bus.now;
        self.bus.peripherals.clocks.set_dormant(false, now);
        for core in &mut self.cores {
            core.idle += now.saturating_sub(core.time);
            core.time = core.time.max(now);
        }
        self.bus.service();
        true
    }

    fn wake_cores(&mut self) {
        for (n, core) in self.cores.iter_mut().enumerate() {
            let private = &self.bus.private[n];
            let pending = private.nvic.pending_and_enabled() != 0;
            if self.bus.waiting[n] {
                // A masked interrupt, or one that cannot pre-empt the running handler, is no event.
                let interrupt = core.cpu.regs.primask == 0 && private.wants_in();
                if !interrupt && !self.bus.events[n] {
                    continue;
                }
                self.bus.waiting[n] = false;
                self.bus.events[n] = false;
            } else if core.cpu.is_halted() && !core.parked && !core.locked_up && pending {
                core.cpu.wake();
            } else {
                continue;
            }
            core.idle += self.bus.now.saturating_sub(core.time);
            core.time = core.time.max(self.bus.now);
        }
    }

    /// Runs one core until it reaches `limit`, gets ahead of the other one, or needs attention.
    fn run_core(&mut self, n: usize, limit: u64) -> Result<(), Fault> {
        let other = if self.is_running(1 - n) {
            self.cores[1 - n].time + SKEW
        } else {
            u64::MAX
        };
        let Machine { bus, cores, .. } = self;
        let core = &mut cores[n];
        bus.activate(n, core.cpu.regs.ipsr());
        bus.horizon = limit.min(other).max(core.time + 1);
        // The core model never interrupts a handler. Hidden from it, the handlers that run can be.
        let active = bus.private[n].system.active;
        let preempts = active != 0 && bus.private[n].wants_in();
        let hidden = if preempts && core.cpu.regs.primask == 0 {
            active
        } else {
            0
        };
        bus.private[n].system.active ^= hidden;
        if preempts {
            bus.horizon = core.time + 1; // as soon as it is unmasked
        }
        // Instructions have even addresses, so an odd one is never met.
        let breakpoint = self.breakpoint.unwrap_or(1);
        let mut before;
        let mut time = core.time;
        let mut instructions = 0;
        loop {
            before = core.cpu.regs.pc();
            bus.now = time;
            bus.extra = 0;
            let charged = core.cpu.step(bus);
            let moved = core.cpu.regs.pc().wrapping_sub(before);
            time += (price(moved, charged) + bus.extra).max(1) as u64;
            instructions += 1;
            if time >= bus.horizon || core.cpu.is_halted() || core.cpu.regs.pc() == breakpoint {
                break;
            }
        }
        core.time = time;
        core.instructions += instructions;
        bus.private[n].system.active |= hidden;
        self.after_batch(n, before)
    }

    fn after_batch(&mut self, n: usize, pc: u32) -> Result<(), Fault> {
        self.drop_stale_code();
        if let Some(launch) = self.bus.sio.take_launch() {
            self.launch_core1(launch);
        }
        let entered = std::mem::take(&mut self.bus.entered_exception);
        self.restack(n);
        let cause = (self.bus.refused.take(), self.bus.stacking_refused.take());
        // A stop already found explains whatever the instruction did next.
        if entered && self.bus.stop.is_none() {
            self.note_exception(n, pc, cause.0, cause.1)?;
        }
        Ok(())
    }

    /// Stacks the frame of an instruction that was refused in the middle. The core model would put
    /// it below what a PUSH had only begun to reserve; the chip puts the pointer back first.
    fn restack(&mut self, n: usize) {
        let Some(mut frame) = self
            .bus
            .frame
            .take()
            .filter(|frame| frame.len() == FRAME_WORDS)
        else {
            return;
        };
        let executed = !matches!(
            self.bus.refused,
            Some(
                Cause::ExecuteNever { .. }
                    | Cause::Mpu {
                        access: Access::Fetch,
                        ..
                    }
            )
        );
        let moved = if executed {
            diagnosis::moved_stack(self.opcode(frame[6]))
        } else {
            0
        };
        let registers = &mut self.cores[n].cpu.regs;
        let process_stack = registers.lr() & 0xF == 0xD;
        let stack = if process_stack {
            &mut registers.psp
        } else {
            &mut registers.msp
        };
        let pad = frame[7] / PADDED % 2 * 4;
        let before = stack
            .wrapping_add(4 * FRAME_WORDS as u32 + pad)
            .wrapping_sub(moved);
        *stack = (before & !7).wrapping_sub(4 * FRAME_WORDS as u32);
        frame[7] = frame[7] & !PADDED | if before & 7 == 0 { 0 } else { PADDED };
        let start = *stack;
        registers.r[13] = registers.msp;
        self.bus.stack_frame(start, &frame);
    }

    fn opcode(&self, address: u32) -> u16 {
        let byte = |address| self.bus.peek(address).unwrap_or(0);
        u16::from_le_bytes([byte(address), byte(address.wrapping_add(1))])
    }

    /// Drops decoded instructions that were overwritten from the cores' caches.
    fn drop_stale_code(&mut self) {
        let bus = &mut self.bus;
        if !bus.stale_code.is_empty() {
            for core in &mut self.cores {
                core.cpu.invalidate_decode_cache_entries(&bus.stale_code);
            }
            bus.stale_code.clear();
        }
        if let Some(core) = bus.stale_rights.take() {
            self.cores[core].cpu.invalidate_decode_cache_all();
        }
        if std::mem::take(&mut bus.stale_flash) {
            for core in &mut self.cores {
                core.cpu
                    .invalidate_decode_cache_regions(invalidation_regions::XIP);
            }
        }
    }

    fn launch_core1(&mut self, launch: Launch) {
        let now = self.cores[0].time;
        let core = &mut self.cores[1];
        self.bus.private[1].system.vtor = launch.vector_table;
        self.bus.events[1] = false;
        core.idle += now.saturating_sub(core.time);
        core.time = core.time.max(now);
        core.start(launch.stack, launch.entry);
    }

    /// Classifies the entry of an exception: nothing special, a hard fault, or a lock-up. `refused`
    /// is the access that the instruction was denied, `unstacked` that of the stacking.
    fn note_exception(
        &mut self,
        n: usize,
        pc: u32,
        refused: Option<Cause>,
        unstacked: Option<Cause>,
    ) -> Result<(), Fault> {
        let in_hard_fault = self.cores[n].cpu.regs.ipsr() == HARD_FAULT;
        let halted = self.cores[n].cpu.is_halted();
        if unstacked.is_some() && !in_hard_fault {
            self.derive_hard_fault(n);
        } else if !in_hard_fault && !halted {
            return Ok(());
        }
        let cause = unstacked
            .or(refused)
            .unwrap_or_else(|| self.diagnose(n, pc, halted));
        let us = self.bus.peripherals.clocks.ns_at(self.cores[n].time) / 1000;
        if self.refusals.len() < REFUSALS {
            self.refusals.push(Refusal {
                core: n,
                pc,
                cause,
                us,
            });
        }
        self.hard_faults += 1;
        let core = &mut self.cores[n];
        if halted || (unstacked.is_some() && in_hard_fault) {
            core.cpu.halt();
            core.locked_up = true;
            return Err(Fault::Lockup { core: n, pc, cause });
        }
        if self.stop_on_hard_fault {
            Err(Fault::HardFault { core: n, pc, cause })
        } else {
            Ok(())
        }
    }

    /// An exception whose frame could not be stacked becomes a hard fault with the same frame, and
    /// stays pending itself.
    fn derive_hard_fault(&mut self, n: usize) {
        let registers = &mut self.cores[n].cpu.regs;
        let exception = registers.ipsr();
        registers.xpsr = registers.xpsr & !0x1FF | HARD_FAULT;
        let private = &mut self.bus.private[n];
        private.system.clear_active(exception as u16);
        private.system.mark_active(HARD_FAULT as u16);
        match exception {
            14 => private.system.icsr |= 1 << 28,
            15 => private.system.icsr |= 1 << 26,
            16.. => private.nvic.pending |= 1 << (exception - 16),
            _ => {}
        }
        let vector = self.bus.private[n].system.vtor + 4 * HARD_FAULT;
        let handler = self.bus.read32(vector);
        self.cores[n].cpu.regs.set_pc(handler & !1);
    }

    /// Why an instruction that no memory refused ended in a hard fault. It changed no register.
    fn diagnose(&self, n: usize, pc: u32, halted: bool) -> Cause {
        let registers = &self.cores[n].cpu.regs;
        let mut r = registers.r;
        if !halted {
            let frame = if registers.lr() & 0xF == 0xD {
                registers.psp
            } else {
                registers.msp
            };
            let xpsr = self.bus.peek32(frame.wrapping_add(28)).unwrap_or(0);
            r[13] = frame + 4 * FRAME_WORDS as u32 + xpsr / PADDED % 2 * 4;
        }
        match diagnosis::accessed(self.opcode(pc), &r) {
            Some((address, size)) if !address.is_multiple_of(size) => Cause::Alignment { address },
            _ => Cause::Instruction,
        }
    }

    fn handle_requests(&mut self) {
        match self.bus.request.take() {
            None => return,
            Some(Request::ParkCore1 { reset_sio }) => {
                if reset_sio {
                    self.bus.sio = Sio::new();
                }
                self.park(1);
                return;
            }
            Some(Request::Reset(reason)) => {
                let selected = self.bus.watchdog_fires(reason);
                if selected & POWER_CORE1 != 0 {
                    self.park(1);
                }
                if selected & POWER_CORE0 != 0 {
                    self.park(0);
                    self.boot();
                    self.resets += 1;
                }
            }
            Some(Request::Dormant) => {
                let now = self.bus.now;
                self.bus.peripherals.clocks.set_dormant(true, now);
            }
            Some(Request::ResetProcessors) => {
                self.bus.reset_processors();
                self.restart_cores();
                self.resets += 1;
            }
        }
        self.bus.service();
    }

    pub(super) fn stats(&self) -> Stats {
        let asleep = |n: usize| {
            if self.is_running(n) {
                0
            } else {
                self.bus.now.saturating_sub(self.cores[n].time)
            }
        };
        Stats {
            cycles: self.bus.now,
            instructions: [0, 1].map(|n| self.cores[n].instructions),
            idle_cycles: [0, 1].map(|n| self.cores[n].idle + asleep(n)),
            xip: self.bus.xip.counters(),
            xip_miss_cost: self.bus.xip.miss_cost(),
            resets: self.resets,
            hard_faults: self.hard_faults,
        }
    }

    pub(super) fn pc(&self, n: usize) -> u32 {
        self.cores[n].cpu.regs.pc()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_chip_does_not_boot() {
        let mut machine = Machine::powered_up(Flash::new(vec![0xFF; pico_image::FLASH_SIZE]));
        assert!(matches!(
            machine.off(),
            Some(Fault::BootChecksum {
                found: u32::MAX,
                ..
            })
        ));
        assert!(matches!(
            machine.run(1_000),
            Err(Fault::BootChecksum { .. })
        ));
    }
}
