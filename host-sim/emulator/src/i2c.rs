//! I2C0 and I2C1 (Synopsys DW_apb_i2c), master mode, 7-bit addresses.
//!
//! A byte with its acknowledge takes nine SCL periods, a period being
//! `(HCNT + SPKLEN + 7) + (LCNT + 1)` cycles as the block's manual gives it; START and STOP take
//! one period each. An address nobody answers ends in TX_ABRT with ABRT_7B_ADDR_NOACK, a flushed
//! FIFO and a STOP. Slave mode, arbitration, 10-bit addresses and DMA requests are not modelled.

use super::registers::aliased;
use std::collections::VecDeque;

const DEPTH: usize = 16;
const RX_FULL: u32 = 1 << 2;
const TX_EMPTY: u32 = 1 << 4;
const TX_ABORT: u32 = 1 << 6;
const ACTIVITY: u32 = 1 << 8;
const STOP_DETECTED: u32 = 1 << 9;
const START_DETECTED: u32 = 1 << 10;
const ABORT_ADDRESS_NACK: u32 = 1;
const ABORT_DATA_NACK: u32 = 1 << 3;
const READ: u16 = 1 << 8;
const STOP: u16 = 1 << 9;
const RESTART: u16 = 1 << 10;

/// The devices on an I²C bus.
pub(super) trait I2cDevices {
    /// A (repeated) START with this address; `true` if somebody acknowledged.
    fn start(&mut self, address: u8, read: bool, cycle: u64) -> bool;
    /// A byte for the device addressed last; `true` if it acknowledged.
    fn write(&mut self, byte: u8, cycle: u64) -> bool;
    fn read(&mut self) -> u8;
    fn stop(&mut self);
}

#[derive(Clone, Copy)]
enum Step {
    Address(u16),
    Data(u16),
    Stop,
}

#[derive(Clone)]
pub(super) struct I2c {
    registers: [u32; 64],
    tx: VecDeque<u16>,
    rx: VecDeque<u8>,
    latched: u32,
    abort_source: u32,
    /// Bus is held between START and STOP; `Some(true)` while reading.
    direction: Option<bool>,
    step: Option<(Step, u64)>,
}

impl Default for I2c {
    fn default() -> Self {
        let mut registers = [0; 64];
        // CON, TAR, the two fast-mode counts, the interrupt mask and the spike filter
        let defaults = [
            (0x00, 0x65),
            (0x04, 0x55),
            (0x1C, 0x06),
            (0x20, 0x0D),
            (0x30, 0x8FF),
            (0xA0, 7),
        ];
        for (offset, value) in defaults {
            registers[offset / 4] = value;
        }
        I2c {
            registers,
            tx: VecDeque::new(),
            rx: VecDeque::new(),
            latched: 0,
            abort_source: 0,
            direction: None,
            step: None,
        }
    }
}

impl I2c {
    fn register(&self, offset: u32) -> u32 {
        self.registers[offset as usize / 4]
    }

    /// Frequency of SCL, given that of `clk_sys`.
    pub(super) fn hz(&self, sys_hz: u64) -> u64 {
        sys_hz / self.period()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.step.is_none() && self.tx.is_empty()
    }

    fn is_enabled(&self) -> bool {
        self.register(0x6C) & 1 != 0
    }

    /// One SCL period in cycles.
    fn period(&self) -> u64 {
        let standard_speed = self.register(0x00) >> 1 & 3 == 1;
        let (high, low) = if standard_speed {
            (0x14, 0x18)
        } else {
            (0x1C, 0x20)
        };
        u64::from(self.register(high) + self.register(0xA0) + 7) + u64::from(self.register(low) + 1)
    }

    fn raw_interrupts(&self) -> u32 {
        let below_threshold = self.tx.len() <= self.register(0x3C) as usize;
        // With TX_EMPTY_CTRL the last byte must also have left the shift register.
        let waits_for_shift = self.register(0x00) & 1 << 8 != 0;
        let shifted = !waits_for_shift || !matches!(self.step, Some((Step::Data(_), _)));
        let tx_empty = self.is_enabled() && below_threshold && shifted;
        let rx_full = self.rx.len() > self.register(0x38) as usize;
        self.latched | if tx_empty { TX_EMPTY } else { 0 } | if rx_full { RX_FULL } else { 0 }
    }

    pub(super) fn line(&self) -> bool {
        self.raw_interrupts() & self.register(0x30) != 0
    }

    pub(super) fn next_event(&self) -> u64 {
        self.step.map_or(u64::MAX, |(_, due)| due)
    }

    /// Advances the bus to `cycle`.
    pub(super) fn advance(&mut self, cycle: u64, devices: &mut impl I2cDevices) {
        let mut at = cycle;
        loop {
            if let Some((step, due)) = self.step {
                if due > cycle {
                    return;
                }
                at = due;
                self.step = None;
                self.finish(step, at, devices);
            }
            if self.step.is_none() {
                if !self.is_enabled() || self.latched & TX_ABORT != 0 {
                    return;
                }
                let Some(&command) = self.tx.front() else {
                    return;
                };
                self.begin(command, at);
            }
        }
    }

    fn begin(&mut self, command: u16, at: u64) {
        let read = command & READ != 0;
        self.latched |= ACTIVITY;
        if self.direction != Some(read) || command & RESTART != 0 {
            self.direction = Some(read);
            self.latched |= START_DETECTED;
            self.step = Some((Step::Address(command), at + 10 * self.period()));
        } else {
            self.shift_data(command, at);
        }
    }

    /// A command leaves the FIFO when its byte enters the shift register, after the address:
    /// drivers that wait for an empty FIFO rely on a refused address being known by then.
    fn shift_data(&mut self, command: u16, at: u64) {
        self.tx.pop_front();
        self.step = Some((Step::Data(command), at + 9 * self.period()));
    }

    fn finish(&mut self, step: Step, at: u64, devices: &mut impl I2cDevices) {
        match step {
            Step::Address(command) => {
                let address = (self.register(0x04) & 0x7F) as u8;
                if devices.start(address, command & READ != 0, at) {
                    self.shift_data(command, at);
                } else {
                    self.abort(ABORT_ADDRESS_NACK, at);
                }
            }
            Step::Data(command) => {
                if command & READ != 0 {
                    let byte = devices.read();
                    if self.rx.len() < DEPTH {
                        self.rx.push_back(byte);
                    }
                } else if !devices.write(command as u8, at) {
                    self.abort(ABORT_DATA_NACK, at);
                    return;
                }
                if command & STOP != 0 {
                    self.step = Some((Step::Stop, at + self.period()));
                }
            }
            Step::Stop => {
                devices.stop();
                self.latched |= STOP_DETECTED;
                self.direction = None;
            }
        }
    }

    fn abort(&mut self, source: u32, at: u64) {
        self.abort_source |= source;
        self.latched |= TX_ABORT;
        self.tx.clear();
        self.rx.clear();
        self.step = Some((Step::Stop, at + self.period()));
    }

    pub(super) fn read(&mut self, offset: u32) -> u32 {
        match offset {
            0x10 => u32::from(self.rx.pop_front().unwrap_or(0)),
            0x2C => self.raw_interrupts() & self.register(0x30),
            0x34 => self.raw_interrupts(),
            0x40 => self.clear(TX_ABORT | ACTIVITY | STOP_DETECTED | START_DETECTED),
            0x54 => self.clear(TX_ABORT),
            0x5C => self.clear(ACTIVITY),
            0x60 => self.clear(STOP_DETECTED),
            0x64 => self.clear(START_DETECTED),
            0x70 => {
                let busy = u32::from(self.direction.is_some() || self.step.is_some());
                busy | u32::from(self.tx.len() < DEPTH) << 1
                    | u32::from(self.tx.is_empty()) << 2
                    | u32::from(!self.rx.is_empty()) << 3
                    | u32::from(self.rx.len() == DEPTH) << 4
                    | busy << 5
            }
            0x74 => self.tx.len() as u32,
            0x78 => self.rx.len() as u32,
            0x80 => self.abort_source,
            0x9C => u32::from(self.is_enabled()),
            0xF4 => 0x0F0F_0000, // COMP_PARAM_1: both FIFOs are sixteen deep
            0xF8 => 0x3230_312A,
            0xFC => 0x4457_0140,
            0x00..0x100 => self.register(offset),
            _ => 0,
        }
    }

    fn clear(&mut self, flags: u32) -> u32 {
        let was = u32::from(self.latched & flags != 0);
        self.latched &= !flags;
        if flags & TX_ABORT != 0 {
            self.abort_source = 0;
        }
        was
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32) {
        match offset {
            0x10 => {
                let accepts = self.is_enabled() && self.latched & TX_ABORT == 0;
                if accepts && self.tx.len() < DEPTH {
                    self.tx.push_back((value & 0x7FF) as u16);
                }
            }
            0x00..0x100 => {
                let register = &mut self.registers[offset as usize / 4];
                *register = aliased(*register, value, address);
                if offset == 0x6C && !self.is_enabled() {
                    self.tx.clear();
                    self.rx.clear();
                    self.step = None;
                    self.direction = None;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OneDevice(Vec<u8>);

    impl I2cDevices for OneDevice {
        fn start(&mut self, address: u8, _: bool, _: u64) -> bool {
            address == 0x3C
        }
        fn write(&mut self, byte: u8, _: u64) -> bool {
            self.0.push(byte);
            true
        }
        fn read(&mut self) -> u8 {
            0x43
        }
        fn stop(&mut self) {}
    }

    fn enabled(target: u32) -> I2c {
        let mut i2c = I2c::default();
        i2c.write(0x04, target, 0);
        i2c.write(0x6C, 1, 0);
        i2c
    }

    #[test]
    fn a_write_reaches_the_device_and_stops() {
        let mut device = OneDevice(Vec::new());
        let mut i2c = enabled(0x3C);
        i2c.write(0x10, 0xAE, 0);
        i2c.write(0x10, 0xAF | u32::from(STOP), 0);
        i2c.advance(0, &mut device);
        let expected = i2c.period() * (1 + 9 + 9 + 9 + 1);
        i2c.advance(expected - 1, &mut device);
        assert_eq!(i2c.read(0x34) & STOP_DETECTED, 0);
        i2c.advance(expected, &mut device);
        assert_eq!(i2c.read(0x34) & STOP_DETECTED, STOP_DETECTED);
        assert_eq!(device.0, [0xAE, 0xAF]);
    }

    #[test]
    fn an_absent_device_aborts() {
        let mut device = OneDevice(Vec::new());
        let mut i2c = enabled(0x23);
        i2c.write(0x10, u32::from(STOP), 0);
        i2c.advance(0, &mut device);
        i2c.advance(1_000_000, &mut device);
        assert_eq!(i2c.read(0x80), ABORT_ADDRESS_NACK);
        assert_eq!(
            i2c.read(0x34) & (TX_ABORT | STOP_DETECTED),
            TX_ABORT | STOP_DETECTED
        );
        i2c.read(0x54);
        assert_eq!(i2c.read(0x80), 0);
        assert!(device.0.is_empty());
    }
}
