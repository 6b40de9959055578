//! One core: the Cortex-M0+ of `rp2040-emu` plus the run loop's own state.

use rp2040_emu::core::CortexM0Plus;

/// A core of `rp2040-emu` with its own cycle count.
pub(super) struct Core {
    pub(super) cpu: CortexM0Plus,
    pub(super) time: u64,
    pub(super) instructions: u64,
    pub(super) idle: u64,
    pub(super) locked_up: bool,
    pub(super) parked: bool,
}

impl Core {
    /// A core parked in the boot ROM.
    pub(super) fn new(id: u8, time: u64) -> Self {
        let mut cpu = CortexM0Plus::with_id(id);
        cpu.halt();
        Core {
            cpu,
            time,
            instructions: 0,
            idle: 0,
            locked_up: false,
            parked: true,
        }
    }

    /// Out of the boot ROM and into a program.
    pub(super) fn start(&mut self, stack: u32, entry: u32) {
        self.cpu.reset_control_for_launch();
        let registers = &mut self.cpu.regs;
        registers.msp = stack;
        registers.r[13] = stack;
        registers.set_pc(entry & !1);
        self.cpu.wake();
        self.parked = false;
    }
}

impl Clone for Core {
    /// The core of `rp2040-emu` has no `Clone`: its registers are public and its only other state,
    /// the cache of decoded instructions, is refilled on demand.
    fn clone(&self) -> Self {
        let mut cpu = CortexM0Plus::with_id(self.cpu.id());
        let (from, to) = (&self.cpu.regs, &mut cpu.regs);
        (to.r, to.xpsr, to.primask, to.control) = (from.r, from.xpsr, from.primask, from.control);
        (to.msp, to.psp) = (from.msp, from.psp);
        cpu.cycles = self.cpu.cycles;
        if self.cpu.is_halted() {
            cpu.halt();
        }
        Core { cpu, ..*self }
    }
}

/// Cortex-M0+ price of an instruction that moved the program counter by `moved`, given what the
/// core model charged. The model charges Cortex-M0 prices: a taken branch and an exception entry
/// cost one cycle less here, the 32-bit system instructions three in all.
pub(super) fn price(moved: u32, charged: u32) -> i64 {
    let cycles = match (moved, charged) {
        (2, charged) => charged,
        (4, 1 | 2) => 3,
        (_, charged) if charged >= 2 => charged - 1,
        (_, charged) => charged,
    };
    i64::from(cycles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_those_of_the_m0_plus() {
        assert_eq!(price(2, 1), 1); // ALU
        assert_eq!(price(2, 2), 2); // load
        assert_eq!(price(4, 3), 2); // branch over one instruction
        assert_eq!(price(0u32.wrapping_sub(8), 3), 2); // loop
        assert_eq!(price(0x400, 4), 3); // BL
        assert_eq!(price(4, 2), 3); // MRS, MSR
        assert_eq!(price(4, 1), 3); // DMB
        assert_eq!(price(0x1000, 16), 15); // exception entry
    }
}
