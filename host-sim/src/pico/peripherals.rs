//! All blocks on the APB and AHB peripheral buses, and the display behind their pins.

use super::adc::Adc;
use super::clocks::Clocks;
use super::display::Display;
use super::dma::Dma;
use super::gpio::Gpio;
use super::i2c::{I2c, I2cDevices};
use super::pwm::Pwm;
use super::registers::aliased;
use super::spi::Spi;
use super::timer::Timer;
use super::watchdog::{ResetReason, Watchdog};
use std::collections::BTreeMap;

const RESETS_ALL: u32 = 0x01FF_FFFF;
const POWER_ALL: u32 = 0x0001_FFFF;
const POWER_SIO: u32 = 1 << 14;
const POWER_CORE1: u32 = 1 << 16;
/// Most accesses the log of unmodelled registers keeps.
const LOG_LIMIT: usize = 10_000;

/// Something a register write wants done to the whole chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Reset(ResetReason),
    /// Processors only; everything else keeps its state.
    ResetProcessors,
    /// Core 1 goes back to the boot ROM; SIO may be reset along with it.
    ParkCore1 {
        reset_sio: bool,
    },
}

/// An access to a register that the emulator stores but does not act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmodelledAccess {
    pub address: u32,
    /// Value written, `None` for a read.
    pub written: Option<u32>,
}

#[derive(Clone)]
pub(super) struct Peripherals {
    pub(super) clocks: Clocks,
    pub(super) timer: Timer,
    pub(super) watchdog: Watchdog,
    pub(super) gpio: Gpio,
    pub(super) spi: [Spi; 2],
    pub(super) i2c: [I2c; 2],
    pub(super) dma: Dma,
    pub(super) pwm: Pwm,
    pub(super) adc: Adc,
    pub(super) display: Option<Display>,
    resets: u32,
    force_on: u32,
    force_off: u32,
    plain: BTreeMap<u32, u32>,
    pub(super) unmodelled: Option<Vec<UnmodelledAccess>>,
}

impl Peripherals {
    pub(super) fn powered_up(clocks: Clocks) -> Self {
        // Chip id of a B2 RP2040, regulator in regulation at 1.1 V, reset caused by power.
        let plain =
            BTreeMap::from([(0x4000_0000, 0x2000_2927), (0x4006_4000, 0x10B1), (0x4006_4008, 0x100), (0x4006_C000, 1)]);
        Peripherals {
            clocks,
            timer: Timer::default(),
            watchdog: Watchdog::default(),
            gpio: Gpio::new(),
            spi: Default::default(),
            i2c: Default::default(),
            dma: Dma::default(),
            pwm: Pwm::new(),
            adc: Adc::new(),
            display: None,
            resets: RESETS_ALL,
            force_on: 0,
            force_off: 0,
            plain,
            unmodelled: None,
        }
    }

    /// After a watchdog reset at `cycle`: registers are new, the outside world is the same.
    pub(super) fn after_reset(&self, reason: ResetReason, cycle: u64) -> Self {
        let clocks = Clocks::after_reset(cycle, self.clocks.ns_at(cycle));
        Peripherals {
            watchdog: self.watchdog.after_reset(reason),
            gpio: self.gpio.after_reset(),
            adc: self.adc.after_reset(),
            display: self.display.clone(),
            unmodelled: self.unmodelled.clone(),
            ..Peripherals::powered_up(clocks)
        }
    }

    /// Brings the serial buses up to `cycle` with the pins as they are.
    pub(super) fn advance_serial(&mut self, cycle: u64) {
        let levels = self.gpio.levels();
        for (bus, spi) in self.spi.iter_mut().enumerate() {
            let frame = self.clocks.peri_to_sys(spi.frame_length());
            let display = &mut self.display;
            spi.advance(cycle, frame, |word, when| match display {
                Some(display) => display.spi_frame(bus, word, levels, when),
                None => 0,
            });
        }
        for (bus, i2c) in self.i2c.iter_mut().enumerate() {
            i2c.advance(cycle, &mut DisplayBus { display: self.display.as_mut(), bus });
        }
    }

    /// Settles the pads after a change inside or outside.
    pub(super) fn settle_pins(&mut self, out: u32, output_enable: u32) {
        self.gpio.settle(out, output_enable);
        if let Some(display) = &mut self.display {
            display.pins_changed(self.gpio.levels());
        }
    }

    /// Advances everything that has a clock; returns the cycle of the next event.
    pub(super) fn advance(&mut self, cycle: u64) -> u64 {
        self.advance_serial(cycle);
        let mut next = self.timer.advance(&self.clocks, cycle);
        if let Some(done) = self.adc.next_event_ns() {
            self.adc.advance(self.clocks.ns_at(cycle));
            next = next.min(self.clocks.cycle_at(done).max(cycle + 1));
        }
        next = next.min(self.watchdog.deadline(&self.clocks).unwrap_or(u64::MAX));
        for spi in &self.spi {
            next = next.min(spi.next_event(self.clocks.peri_to_sys(spi.frame_length())));
        }
        self.i2c.iter().fold(next, |next, i2c| next.min(i2c.next_event()))
    }

    /// Whether the peripheral behind a DMA request line asks for a unit.
    pub(super) fn requests_dma(&self, request: u32) -> bool {
        match request {
            16 => self.spi[0].wants_tx(),
            17 => self.spi[0].wants_rx(),
            18 => self.spi[1].wants_tx(),
            19 => self.spi[1].wants_rx(),
            36 => self.adc.wants_dma(),
            _ => false,
        }
    }

    /// Interrupt lines that go to both cores.
    pub(super) fn shared_lines(&self) -> u32 {
        let line = |number: u32, active: bool| u32::from(active) << number;
        self.timer.lines()
            | line(11, self.dma.line(0))
            | line(12, self.dma.line(1))
            | line(18, self.spi[0].line())
            | line(19, self.spi[1].line())
            | line(22, self.adc.line())
            | line(23, self.i2c[0].line())
            | line(24, self.i2c[1].line())
    }

    pub(super) fn read(&mut self, address: u32, cycle: u64) -> u32 {
        let plain = address & !0x3000;
        let offset = plain & 0xFFF;
        match plain & 0xFFFF_C000 {
            0x4000_8000 => self.clocks.read(offset),
            0x4000_C000 => match offset {
                0x0 => self.resets,
                0x8 => !self.resets & RESETS_ALL,
                _ => self.read_plain(plain),
            },
            0x4001_0000 => match offset {
                0x0 => self.force_on,
                0x4 => self.force_off,
                0xC => POWER_ALL & !self.force_off,
                _ => self.read_plain(plain),
            },
            0x4001_4000 => self.gpio.read(offset),
            0x4001_C000 => self.gpio.read_pad(offset),
            0x4002_4000 => self.clocks.read_xosc(offset, cycle),
            0x4002_8000 => self.clocks.read_pll(0, offset),
            0x4002_C000 => self.clocks.read_pll(1, offset),
            0x4003_C000 => self.spi[0].read(offset),
            0x4004_0000 => self.spi[1].read(offset),
            0x4004_4000 => self.i2c[0].read(offset),
            0x4004_8000 => self.i2c[1].read(offset),
            0x4004_C000 => self.adc.read(offset, self.clocks.ns_at(cycle)),
            0x4005_0000 => self.pwm.read(offset, cycle),
            0x4005_4000 => self.timer.read(offset, &self.clocks, cycle),
            0x4005_8000 if offset == 0x2C => self.clocks.read_tick(),
            0x4005_8000 => self.watchdog.read(offset, &self.clocks, cycle),
            0x4006_0000 => self.clocks.read_rosc(offset),
            0x5000_0000 => self.dma.read(offset),
            _ => self.read_plain(plain),
        }
    }

    pub(super) fn write(&mut self, address: u32, value: u32, cycle: u64) -> Option<Request> {
        let plain = address & !0x3000;
        let offset = plain & 0xFFF;
        match plain & 0xFFFF_C000 {
            0x4000_8000 => self.clocks.write(offset, value, address, cycle),
            0x4000_C000 if offset == 0 => self.write_resets(aliased(self.resets, value, address), cycle),
            0x4001_0000 if offset == 0 => self.force_on = aliased(self.force_on, value, address),
            0x4001_0000 if offset == 4 => {
                self.force_off = aliased(self.force_off, value, address);
                let reset_sio = self.force_off & POWER_SIO != 0;
                return (reset_sio || self.force_off & POWER_CORE1 != 0).then_some(Request::ParkCore1 { reset_sio });
            }
            0x4001_4000 => self.gpio.write(offset, value, address),
            0x4001_C000 => self.gpio.write_pad(offset, value, address),
            0x4002_4000 => self.clocks.write_xosc(offset, value, address, cycle),
            0x4002_8000 => self.clocks.write_pll(0, offset, value, address, cycle),
            0x4002_C000 => self.clocks.write_pll(1, offset, value, address, cycle),
            0x4003_C000 => self.spi[0].write(offset, value, address),
            0x4004_0000 => self.spi[1].write(offset, value, address),
            0x4004_4000 => self.i2c[0].write(offset, value, address),
            0x4004_8000 => self.i2c[1].write(offset, value, address),
            0x4004_C000 => self.adc.write(offset, value, address, self.clocks.ns_at(cycle)),
            0x4005_0000 => self.pwm.write(offset, value, address, cycle),
            0x4005_4000 => self.timer.write(offset, value, address, &self.clocks, cycle),
            0x4005_8000 if offset == 0x2C => self.clocks.write_tick(value, address, cycle),
            0x4005_8000 => {
                let reset = self.watchdog.write(offset, value, address, &self.clocks, cycle);
                return reset.map(Request::Reset);
            }
            0x4006_0000 => self.clocks.write_rosc(offset, value, address),
            0x5000_0000 => self.dma.write(offset, value, address),
            _ => self.write_plain(plain, value, address),
        }
        None
    }

    /// Blocks newly put into reset forget everything.
    fn write_resets(&mut self, resets: u32, cycle: u64) {
        let entered = resets & !self.resets;
        self.resets = resets;
        for bit in (0..25).filter(|bit| entered >> bit & 1 != 0) {
            match bit {
                0 => self.adc = self.adc.after_reset(),
                2 => self.dma = Dma::default(),
                3 => self.i2c[0] = I2c::default(),
                4 => self.i2c[1] = I2c::default(),
                5 => self.gpio.reset_functions(),
                8 => self.gpio.reset_pads(),
                12 => self.clocks.reset_pll(0, cycle),
                13 => self.clocks.reset_pll(1, cycle),
                14 => self.pwm = Pwm::new(),
                16 => self.spi[0] = Spi::default(),
                17 => self.spi[1] = Spi::default(),
                21 => self.timer = Timer::started_at(self.clocks.ticks_at(cycle)),
                _ => {}
            }
        }
    }

    fn read_plain(&mut self, address: u32) -> u32 {
        self.note(UnmodelledAccess { address, written: None });
        self.plain.get(&address).copied().unwrap_or(0)
    }

    fn write_plain(&mut self, plain: u32, value: u32, address: u32) {
        let register = self.plain.entry(plain).or_insert(0);
        *register = aliased(*register, value, address);
        let written = Some(*register);
        self.note(UnmodelledAccess { address: plain, written });
    }

    fn note(&mut self, access: UnmodelledAccess) {
        if let Some(log) = &mut self.unmodelled
            && log.len() < LOG_LIMIT
        {
            log.push(access);
        }
    }
}

/// The devices on one I²C bus: at most the display.
struct DisplayBus<'a> {
    display: Option<&'a mut Display>,
    bus: usize,
}

impl DisplayBus<'_> {
    fn panel(&mut self) -> Option<&mut super::display::Oled> {
        let bus = self.bus;
        self.display.as_mut().and_then(|display| display.i2c(bus))
    }
}

impl I2cDevices for DisplayBus<'_> {
    fn start(&mut self, address: u8, _read: bool) -> bool {
        self.panel().is_some_and(|panel| panel.start(address))
    }

    fn write(&mut self, byte: u8, cycle: u64) -> bool {
        self.panel().map(|panel| panel.receive(byte, cycle)).is_some()
    }

    fn read(&mut self) -> u8 {
        self.panel().map_or(0xFF, |panel| panel.status())
    }

    fn stop(&mut self) {}
}
