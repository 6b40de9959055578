//! TIMER: a 64-bit microsecond counter with four alarms.

use super::clocks::Clocks;
use super::registers::{InterruptMask, aliased};

#[derive(Clone, Default)]
pub(super) struct Timer {
    /// Tick count at which this timer read zero.
    origin: u64,
    latched_high: u32,
    write_low: u32,
    alarm: [u32; 4],
    /// Time, in this timer's own count, at which an armed alarm fires.
    due: [Option<u64>; 4],
    raw: u32,
    mask: InterruptMask,
}

impl Timer {
    pub(super) fn started_at(tick: u64) -> Self {
        Timer {
            origin: tick,
            ..Timer::default()
        }
    }

    fn now(&self, clocks: &Clocks, cycle: u64) -> u64 {
        clocks.ticks_at(cycle).wrapping_sub(self.origin)
    }

    pub(super) fn read(&mut self, offset: u32, clocks: &Clocks, cycle: u64) -> u32 {
        match offset {
            0x08 => self.latched_high,
            0x0C => {
                let now = self.now(clocks, cycle);
                self.latched_high = (now >> 32) as u32;
                now as u32
            }
            0x10..=0x1C => self.alarm[(offset as usize - 0x10) / 4],
            0x20 => (0..4).map(|n| u32::from(self.due[n].is_some()) << n).sum(),
            0x24 => (self.now(clocks, cycle) >> 32) as u32,
            0x28 => self.now(clocks, cycle) as u32,
            0x34 => self.raw,
            0x38 => self.mask.enable,
            0x3C => self.mask.force,
            0x40 => self.lines(),
            _ => 0,
        }
    }

    pub(super) fn write(
        &mut self,
        offset: u32,
        value: u32,
        address: u32,
        clocks: &Clocks,
        cycle: u64,
    ) {
        match offset {
            0x00 => {
                let time = u64::from(value) << 32 | u64::from(self.write_low);
                self.origin = clocks.ticks_at(cycle).wrapping_sub(time);
            }
            0x04 => self.write_low = value,
            0x10..=0x1C => {
                let n = (offset as usize - 0x10) / 4;
                let now = self.now(clocks, cycle);
                self.alarm[n] = value;
                // Only the low word is compared, so a moment in the past means the next lap.
                self.due[n] = Some(now + u64::from(value.wrapping_sub(now as u32)));
            }
            0x20 => (0..4)
                .filter(|n| value >> n & 1 != 0)
                .for_each(|n| self.due[n] = None),
            0x34 => self.raw &= !value,
            0x38 => self.mask.enable = aliased(self.mask.enable, value, address),
            0x3C => self.mask.force = aliased(self.mask.force, value, address),
            _ => {}
        }
    }

    /// Fires due alarms; returns the cycle of the next one.
    pub(super) fn advance(&mut self, clocks: &Clocks, cycle: u64) -> u64 {
        let mut next = u64::MAX;
        if self.due.iter().all(Option::is_none) {
            return next;
        }
        let now = self.now(clocks, cycle);
        for n in 0..4 {
            match self.due[n] {
                Some(due) if due <= now => {
                    self.raw |= 1 << n;
                    self.due[n] = None;
                }
                Some(due) => {
                    let tick = due.wrapping_add(self.origin);
                    next = next.min(clocks.cycle_of_tick(tick).unwrap_or(u64::MAX));
                }
                None => {}
            }
        }
        next
    }

    /// TIMER_IRQ_0 to TIMER_IRQ_3 as bits 0 to 3.
    pub(super) fn lines(&self) -> u32 {
        self.mask.status(self.raw) & 0xF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 6.5 MHz system clock, a tick about every second microsecond: the test counts ticks, not
    /// time.
    fn ticking() -> Clocks {
        let mut clocks = Clocks::after_reset(0, 0);
        clocks.write_tick(1 << 9 | 13, 0, 0);
        clocks
    }

    #[test]
    fn alarms_fire_on_time_and_can_be_disarmed() {
        let clocks = ticking();
        let mut timer = Timer::default();
        timer.write(0x38, 0b1111, 0, &clocks, 0);
        for n in 0..4 {
            timer.write(0x10 + 4 * n, 100 + n, 0, &clocks, 0);
        }
        timer.write(0x20, 0b0100, 0, &clocks, 0);
        let first = timer.advance(&clocks, 0);
        assert_eq!(
            (clocks.ticks_at(first - 1), clocks.ticks_at(first)),
            (99, 100)
        );
        timer.advance(&clocks, first);
        assert_eq!(timer.lines(), 0b0001);
        let last = clocks.cycle_of_tick(200).expect("the generator runs");
        assert_eq!(timer.advance(&clocks, last), u64::MAX);
        assert_eq!(timer.lines(), 0b1011);
        timer.write(0x34, 0b0011, 0, &clocks, last);
        assert_eq!(timer.lines(), 0b1000);
    }
}
