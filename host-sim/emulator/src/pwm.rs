//! PWM: eight slices. Outputs are reported as frequency and duty, not toggled pin by pin.
//! Wrap interrupts and the gated counter modes are not modelled.

use super::registers::aliased;

/// The signal at a PWM pin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PwmOutput {
    pub frequency_hz: f64,
    /// Share of the period spent high, 0 to 1.
    pub duty: f64,
}

#[derive(Clone, Copy)]
struct Slice {
    control: u32,
    divider: u32,
    counter: u32,
    since: u64,
    compare: u32,
    top: u32,
}

impl Slice {
    const RESET: Slice = Slice {
        control: 0,
        divider: 0x10,
        counter: 0,
        since: 0,
        compare: 0,
        top: 0xFFFF,
    };

    fn counter_at(&self, cycle: u64) -> u32 {
        if self.control & 1 == 0 {
            return self.counter;
        }
        let steps = cycle.saturating_sub(self.since) * 16 / u64::from(self.divider.max(0x10));
        ((u64::from(self.counter) + steps) % (u64::from(self.top) + 1)) as u32
    }
}

#[derive(Clone)]
pub(super) struct Pwm {
    slices: [Slice; 8],
}

impl Pwm {
    pub(super) fn new() -> Self {
        Pwm {
            slices: [Slice::RESET; 8],
        }
    }

    /// Output of the slice and channel that `pin` belongs to, `None` while the slice is stopped.
    pub(super) fn output(&self, pin: u8, sys_hz: u64) -> Option<PwmOutput> {
        let slice = &self.slices[(pin as usize / 2) % 8];
        if slice.control & 1 == 0 {
            return None;
        }
        let channel = u32::from(pin) % 2;
        let compare = slice.compare >> (16 * channel) & 0xFFFF;
        let period = f64::from(slice.top) + 1.0;
        let high = (f64::from(compare) / period).min(1.0);
        let inverted = slice.control >> (2 + channel) & 1 != 0;
        // Phase-correct mode counts up and down again.
        let laps = if slice.control & 2 != 0 { 2.0 } else { 1.0 };
        Some(PwmOutput {
            frequency_hz: sys_hz as f64 / (f64::from(slice.divider.max(1)) / 16.0) / period / laps,
            duty: if inverted { 1.0 - high } else { high },
        })
    }

    pub(super) fn read(&self, offset: u32, cycle: u64) -> u32 {
        match offset {
            0x00..0xA0 => {
                let slice = &self.slices[offset as usize / 0x14];
                match offset % 0x14 {
                    0x00 => slice.control,
                    0x04 => slice.divider,
                    0x08 => slice.counter_at(cycle),
                    0x0C => slice.compare,
                    _ => slice.top,
                }
            }
            0xA0 => (0..8).map(|n| (self.slices[n].control & 1) << n).sum(),
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32, cycle: u64) {
        let enabled = self.read(0xA0, cycle);
        for slice in &mut self.slices {
            (slice.counter, slice.since) = (slice.counter_at(cycle), cycle);
        }
        match offset {
            0x00..0xA0 => {
                let slice = &mut self.slices[offset as usize / 0x14];
                let register = match offset % 0x14 {
                    0x00 => &mut slice.control,
                    0x04 => &mut slice.divider,
                    0x08 => &mut slice.counter,
                    0x0C => &mut slice.compare,
                    _ => &mut slice.top,
                };
                *register = aliased(*register, value, address);
            }
            0xA0 => {
                let enabled = aliased(enabled, value, address);
                for (n, slice) in self.slices.iter_mut().enumerate() {
                    slice.control = slice.control & !1 | enabled >> n & 1;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duty_and_frequency_come_from_the_registers() {
        let mut pwm = Pwm::new();
        // GP13 is slice 6, channel B.
        pwm.write(6 * 0x14 + 0x10, 999, 0, 0);
        pwm.write(6 * 0x14 + 0x0C, 250 << 16, 0, 0);
        assert_eq!(pwm.output(13, 125_000_000), None);
        pwm.write(6 * 0x14, 1, 0, 0);
        assert_eq!(
            pwm.output(13, 125_000_000),
            Some(PwmOutput {
                frequency_hz: 125_000.0,
                duty: 0.25
            })
        );
        assert_eq!(pwm.read(6 * 0x14 + 8, 1_250), 250);
    }
}
