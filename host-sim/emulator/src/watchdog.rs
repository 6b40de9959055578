//! WATCHDOG: the count-down, the reset reason and the scratch registers that survive a reset.

use super::clocks::Clocks;
use super::registers::aliased;

const ENABLE: u32 = 1 << 30;
const TRIGGER: u32 = 1 << 31;

/// Why the chip last left reset, as WATCHDOG.REASON tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResetReason {
    /// Power was applied, or the processors were reset by software.
    #[default]
    PowerOn,
    /// The watchdog ran out.
    WatchdogTimeout,
    /// The firmware asked for a reset through the watchdog's trigger bit.
    WatchdogForced,
}

#[derive(Clone, Default)]
pub(super) struct Watchdog {
    control: u32,
    /// Counts left at `since` (two are lost per tick: erratum RP2040-E1).
    left: u64,
    since: u64,
    pub(super) reason: ResetReason,
    pub(super) scratch: [u32; 8],
}

impl Watchdog {
    /// State after the watchdog itself, or the firmware through it, reset the chip.
    pub(super) fn after_reset(&self, reason: ResetReason) -> Self {
        Watchdog {
            reason,
            scratch: self.scratch,
            ..Watchdog::default()
        }
    }

    fn remaining(&self, clocks: &Clocks, cycle: u64) -> u64 {
        let ticks = clocks.ticks_at(cycle).saturating_sub(self.since);
        self.left.saturating_sub(if self.control & ENABLE != 0 {
            ticks * 2
        } else {
            0
        })
    }

    pub(super) fn read(&self, offset: u32, clocks: &Clocks, cycle: u64) -> u32 {
        match offset {
            0x00 => self.control | (self.remaining(clocks, cycle) as u32 & 0xFF_FFFF),
            0x08 => match self.reason {
                ResetReason::PowerOn => 0,
                ResetReason::WatchdogTimeout => 1,
                ResetReason::WatchdogForced => 2,
            },
            0x0C..=0x28 => self.scratch[(offset as usize - 0x0C) / 4],
            _ => 0,
        }
    }

    /// Returns the reason when the write asks for a reset at once.
    pub(super) fn write(
        &mut self,
        offset: u32,
        value: u32,
        address: u32,
        clocks: &Clocks,
        cycle: u64,
    ) -> Option<ResetReason> {
        match offset {
            0x00 => {
                self.left = self.remaining(clocks, cycle);
                self.since = clocks.ticks_at(cycle);
                self.control = aliased(self.control, value, address) & !0xFF_FFFF;
                if self.control & TRIGGER != 0 {
                    return Some(ResetReason::WatchdogForced);
                }
            }
            0x04 => {
                self.left = u64::from(value & 0xFF_FFFF);
                self.since = clocks.ticks_at(cycle);
            }
            0x0C..=0x28 => {
                let scratch = &mut self.scratch[(offset as usize - 0x0C) / 4];
                *scratch = aliased(*scratch, value, address);
            }
            _ => {}
        }
        None
    }

    /// Cycle at which the watchdog fires, if it is running.
    pub(super) fn deadline(&self, clocks: &Clocks) -> Option<u64> {
        if self.control & ENABLE == 0 {
            return None;
        }
        clocks.cycle_of_tick(self.since + self.left.div_ceil(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_counts_are_lost_a_tick_and_feeding_helps() {
        let mut clocks = Clocks::after_reset(0, 0);
        clocks.write_tick(1 << 9 | 13, 0, 0);
        let tick = |n| clocks.cycle_of_tick(n).expect("the generator runs");
        let mut watchdog = Watchdog::default();
        watchdog.write(0x04, 200, 0, &clocks, 0);
        assert_eq!(watchdog.deadline(&clocks), None);
        watchdog.write(0x00, ENABLE, 0, &clocks, 0);
        assert_eq!(watchdog.deadline(&clocks), Some(tick(100)));
        watchdog.write(0x04, 200, 0, &clocks, tick(60));
        assert_eq!(watchdog.deadline(&clocks), Some(tick(160)));
    }

    #[test]
    fn the_trigger_bit_forces_a_reset_and_scratch_survives() {
        let clocks = Clocks::after_reset(0, 0);
        let mut watchdog = Watchdog::default();
        watchdog.write(0x0C, 0xC0FFEE, 0, &clocks, 0);
        let reason = watchdog
            .write(0x00, TRIGGER, 0, &clocks, 0)
            .expect("a reset");
        let after = watchdog.after_reset(reason);
        assert_eq!(after.read(0x08, &clocks, 0), 2);
        assert_eq!(after.read(0x0C, &clocks, 0), 0xC0FFEE);
    }
}
