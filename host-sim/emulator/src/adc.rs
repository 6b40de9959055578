//! ADC: five inputs with settable voltages, single and free-running conversions, the FIFO.
//! A conversion takes 2 µs. Noise, offset and the reference's error are not modelled.

use super::registers::{InterruptMask, aliased, field};
use std::collections::VecDeque;

/// Duration of a conversion (96 cycles of the 48 MHz ADC clock), in nanoseconds.
const CONVERSION_NS: u64 = 2_000;
const FULL_SCALE_VOLTS: f64 = 3.3;
const ENABLE: u32 = 1;
const TEMPERATURE_ENABLE: u32 = 1 << 1;
const START_ONCE: u32 = 1 << 2;
const START_MANY: u32 = 1 << 3;
const READY: u32 = 1 << 8;
const FIFO_DEPTH: usize = 4;
/// Input that carries the temperature diode.
pub(super) const TEMPERATURE: usize = 4;

#[derive(Clone)]
pub(super) struct Adc {
    control: u32,
    fifo_control: u32,
    divider: u32,
    result: u32,
    fifo: VecDeque<u16>,
    mask: InterruptMask,
    /// End of the running conversion, in nanoseconds.
    done_ns: Option<u64>,
    volts: [f64; 5],
}

impl Adc {
    pub(super) fn new() -> Self {
        let mut adc = Adc {
            control: 0,
            fifo_control: 0,
            divider: 0,
            result: 0,
            fifo: VecDeque::new(),
            mask: InterruptMask::default(),
            done_ns: None,
            volts: [0.0; 5],
        };
        adc.set_temperature(27.0);
        adc
    }

    /// Registers back to reset, the outside voltages as they were.
    pub(super) fn after_reset(&self) -> Self {
        Adc {
            volts: self.volts,
            ..Adc::new()
        }
    }

    pub(super) fn set_volts(&mut self, channel: usize, volts: f64) {
        self.volts[channel] = volts;
    }

    /// Voltage of the on-chip diode: 0.706 V at 27 °C, falling 1.721 mV a degree.
    pub(super) fn set_temperature(&mut self, celsius: f64) {
        self.volts[TEMPERATURE] = 0.706 - (celsius - 27.0) * 0.001_721;
    }

    fn sample(&self) -> u32 {
        let channel = (field(self.control, 12, 3) as usize).min(TEMPERATURE);
        if channel == TEMPERATURE && self.control & TEMPERATURE_ENABLE == 0 {
            return 0;
        }
        (self.volts[channel] / FULL_SCALE_VOLTS * 4096.0)
            .round()
            .clamp(0.0, 4095.0) as u32
    }

    /// Finishes the running conversion if it is over.
    pub(super) fn advance(&mut self, ns: u64) {
        while let Some(done) = self.done_ns.filter(|&done| done <= ns) {
            self.result = self.sample();
            if self.fifo_control & 1 != 0 && self.fifo.len() < FIFO_DEPTH {
                let shift = if self.fifo_control & 2 != 0 { 4 } else { 0 };
                self.fifo.push_back((self.result >> shift) as u16);
            }
            self.next_round_robin();
            // With a full FIFO a free-running ADC only overwrites its result: the lost samples are
            // skipped.
            let goes_on = self.control & START_MANY != 0 && self.fifo.len() < FIFO_DEPTH;
            let pause = u64::from(self.divider >> 8) * 1_000 / 48;
            self.done_ns = goes_on.then_some(done + CONVERSION_NS.max(pause));
        }
    }

    fn next_round_robin(&mut self) {
        let wanted = field(self.control, 16, 5);
        if wanted != 0 {
            let current = field(self.control, 12, 3);
            let next = (1..=5)
                .map(|k| (current + k) % 5)
                .find(|n| wanted >> n & 1 != 0);
            self.control = self.control & !(7 << 12) | next.unwrap_or(current) << 12;
        }
    }

    pub(super) fn next_event_ns(&self) -> Option<u64> {
        self.done_ns
    }

    pub(super) fn wants_dma(&self) -> bool {
        self.fifo_control & 8 != 0 && !self.fifo.is_empty()
    }

    fn raw_interrupts(&self) -> u32 {
        u32::from(self.fifo.len() >= field(self.fifo_control, 24, 4) as usize)
    }

    pub(super) fn line(&self) -> bool {
        self.mask.status(self.raw_interrupts()) != 0
    }

    pub(super) fn read(&mut self, offset: u32, ns: u64) -> u32 {
        self.advance(ns);
        match offset {
            0x00 => {
                let ready = self.control & ENABLE != 0 && self.done_ns.is_none();
                self.control | if ready { READY } else { 0 }
            }
            0x04 => self.result,
            0x08 => {
                let level = self.fifo.len();
                self.fifo_control
                    | u32::from(level == 0) << 8
                    | u32::from(level == FIFO_DEPTH) << 9
                    | (level as u32) << 16
            }
            0x0C => {
                let sample = u32::from(self.fifo.pop_front().unwrap_or(0));
                if self.control & START_MANY != 0 && self.done_ns.is_none() {
                    self.done_ns = Some(ns + CONVERSION_NS);
                }
                sample
            }
            0x10 => self.divider,
            0x14 => self.raw_interrupts(),
            0x18 => self.mask.enable,
            0x1C => self.mask.force,
            0x20 => self.mask.status(self.raw_interrupts()),
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32, ns: u64) {
        self.advance(ns);
        match offset {
            0x00 => {
                let control = aliased(self.control, value, address);
                self.control = control & !(START_ONCE | READY | 0x600);
                if control & ENABLE != 0
                    && control & (START_ONCE | START_MANY) != 0
                    && self.done_ns.is_none()
                {
                    self.done_ns = Some(ns + CONVERSION_NS);
                }
            }
            0x08 => self.fifo_control = aliased(self.fifo_control, value, address) & 0x0F00_000F,
            0x10 => self.divider = aliased(self.divider, value, address),
            0x18 => self.mask.enable = aliased(self.mask.enable, value, address),
            0x1C => self.mask.force = aliased(self.mask.force, value, address),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_takes_two_microseconds() {
        let mut adc = Adc::new();
        adc.set_volts(3, 1.65);
        adc.write(0x00, ENABLE, 0, 0);
        adc.write(0x00, ENABLE | START_ONCE | 3 << 12, 0, 0);
        assert_eq!(adc.read(0x00, 1_999) & READY, 0);
        assert_eq!(adc.read(0x00, 2_000) & READY, READY);
        assert_eq!(adc.read(0x04, 2_000), 2048);
    }

    #[test]
    fn temperature_needs_its_sensor_switched_on() {
        let mut adc = Adc::new();
        adc.write(0x00, ENABLE | START_ONCE | 4 << 12, 0, 0);
        assert_eq!(adc.read(0x04, 5_000), 0);
        adc.write(
            0x00,
            ENABLE | TEMPERATURE_ENABLE | START_ONCE | 4 << 12,
            0,
            5_000,
        );
        assert_eq!(adc.read(0x04, 9_000), 876);
    }
}
