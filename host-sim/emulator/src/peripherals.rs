//! All blocks on the APB and AHB peripheral buses, and the display behind their pins.

use super::adc::Adc;
use super::clocks::{self, Clocks};
use super::display::Display;
use super::dma::Dma;
use super::fault::{Broken, Rule};
use super::gpio::Gpio;
use super::i2c::{I2c, I2cDevices};
use super::pwm::Pwm;
use super::registers::aliased;
use super::spi::Spi;
use super::timer::Timer;
use super::watchdog::{ResetReason, Watchdog};
use std::collections::BTreeMap;

const RESETS_ALL: u32 = 0x01FF_FFFF;
/// Blocks that the boot ROM takes out of reset for itself: IO_QSPI, PADS_QSPI, TIMER.
const RESETS_AFTER_ROM: u32 = RESETS_ALL & !(1 << 6 | 1 << 9 | 1 << 21);
const XOSC: u32 = 0x4002_4000;
const ROSC: u32 = 0x4006_0000;
const VREG: u32 = 0x4006_4000;
/// On, in regulation, 1.1 V.
const VREG_RESET: u32 = 0x10B1;
/// VSEL of 1.15 V. Below it 133 MHz is the limit, from it on 200 MHz (Raspberry Pi, 2025).
const VSEL_1V15: u32 = 0b1100;
const MAX_HZ: u64 = 133_000_000;
const MAX_HZ_1V15: u64 = 200_000_000;
const POWER_ALL: u32 = 0x0001_FFFF;
const POWER_ROSC: u32 = 1 << 0;
const POWER_XOSC: u32 = 1 << 1;
const POWER_CLOCKS: u32 = 1 << 2;
const POWER_RESETS: u32 = 1 << 3;
pub(super) const POWER_XIP: u32 = 1 << 12;
const POWER_VREG: u32 = 1 << 13;
pub(super) const POWER_SIO: u32 = 1 << 14;
pub(super) const POWER_CORE0: u32 = 1 << 15;
pub(super) const POWER_CORE1: u32 = 1 << 16;

/// An effect of a register write on the whole chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Reset(ResetReason),
    /// Processors only; everything else keeps its state.
    ResetProcessors,
    /// Core 1 goes back to the boot ROM; SIO may be reset along with it.
    ParkCore1 {
        reset_sio: bool,
    },
    /// The crystal stops, and everything with it.
    Dormant,
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
    /// The first rule broken since the run loop looked last.
    pub(super) broken: Option<Broken>,
    resets: u32,
    force_on: u32,
    force_off: u32,
    /// WDSEL of PSM and RESETS: the blocks that the watchdog resets.
    power_watchdog: u32,
    resets_watchdog: u32,
    plain: BTreeMap<u32, u32>,
}

impl Peripherals {
    pub(super) fn powered_up(clocks: Clocks) -> Self {
        // Chip id of a B2 RP2040, regulator in regulation at 1.1 V, reset caused by power.
        let plain = BTreeMap::from([
            (0x4000_0000, 0x2000_2927),
            (VREG, VREG_RESET),
            (0x4006_4008, 0x100),
            (0x4006_C000, 1),
        ]);
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
            broken: None,
            resets: RESETS_AFTER_ROM,
            force_on: 0,
            force_off: 0,
            power_watchdog: 0,
            resets_watchdog: 0,
            plain,
        }
    }

    /// State after a power cycle at `cycle`: registers are reset, the outside world is unchanged.
    pub(super) fn after_power_on(&self, cycle: u64) -> Self {
        let clocks = self.clocks.after_power_on(cycle);
        Peripherals {
            gpio: self.gpio.after_reset(),
            adc: self.adc.after_reset(),
            display: self.display.clone(),
            ..Peripherals::powered_up(clocks)
        }
    }

    /// The watchdog fires at `cycle`: the blocks that its two registers select are reset. Returns
    /// the selected blocks of the power-on state machine; the caller resets those outside this
    /// file.
    pub(super) fn watchdog_fires(&mut self, reason: ResetReason, cycle: u64) -> u32 {
        let selected = self.power_watchdog;
        self.watchdog = self.watchdog.after_reset(reason);
        if selected & POWER_CLOCKS != 0 {
            let stopped = [selected & POWER_ROSC != 0, selected & POWER_XOSC != 0];
            self.clocks = self.clocks.after_watchdog(cycle, stopped);
            self.check_clocks(ROSC, cycle);
        }
        if selected & POWER_VREG != 0 {
            self.plain.insert(VREG, VREG_RESET);
        }
        if selected & POWER_RESETS != 0 {
            self.write_resets(RESETS_ALL, cycle);
            self.resets_watchdog = 0;
        } else {
            self.write_resets(self.resets | self.resets_watchdog, cycle);
        }
        if selected & POWER_CORE0 != 0 {
            self.write_resets(self.resets & RESETS_AFTER_ROM, cycle);
        }
        selected
    }

    /// Brings the serial buses up to `cycle` with the pins as they are.
    pub(super) fn advance_serial(&mut self, cycle: u64) {
        let Peripherals {
            spi,
            i2c,
            display,
            gpio,
            clocks,
            broken,
            ..
        } = self;
        for (bus, spi) in spi.iter_mut().enumerate().filter(|(_, spi)| !spi.is_idle()) {
            let frame = clocks.peri_to_sys(spi.frame_length());
            let link = spi.link(clocks.peri_hz());
            // Pins and settings are those of all frames up to now: a change brings this up to date
            // first.
            let mut unreachable = None;
            spi.advance(cycle, frame, |word, when| {
                let Some(display) = display else { return 0 };
                if *unreachable
                    .get_or_insert_with(|| note(broken, display.check_spi(bus, link, gpio)))
                {
                    return 0;
                }
                note(
                    broken,
                    display.spi_frame(bus, word, gpio.levels(), clocks, when),
                );
                0
            });
        }
        for (bus, i2c) in i2c.iter_mut().enumerate().filter(|(_, i2c)| !i2c.is_idle()) {
            let hz = i2c.hz(clocks.sys_hz());
            i2c.advance(
                cycle,
                &mut DisplayBus {
                    display: display.as_mut(),
                    bus,
                    hz,
                    gpio,
                    clocks,
                    broken,
                },
            );
        }
    }

    /// Settles the pads after a change inside or outside.
    pub(super) fn settle_pins(&mut self, out: u32, output_enable: u32, cycle: u64) {
        if let Some((pin, level, _)) = self.display_signal(cycle) {
            self.gpio.drive(pin, level);
        }
        self.gpio.settle(out, output_enable);
        if let Some(display) = &mut self.display {
            note(
                &mut self.broken,
                display.pins_changed(self.gpio.levels(), &self.clocks, cycle),
            );
        }
    }

    fn display_signal(&self, cycle: u64) -> Option<(u8, bool, u64)> {
        self.display.as_ref()?.signal(self.clocks.ns_at(cycle))
    }

    /// Advances everything that has a clock; returns the cycle of the next event.
    pub(super) fn advance(&mut self, cycle: u64) -> u64 {
        self.advance_serial(cycle);
        let mut next = self.timer.advance(&self.clocks, cycle);
        if let Some(done) = self.adc.next_event_ns() {
            self.adc.advance(self.clocks.ns_at(cycle));
            next = next.min(self.clocks.cycle_at(done).max(cycle + 1));
        }
        if let Some((_, _, edge)) = self.display_signal(cycle) {
            next = next.min(self.clocks.cycle_at(edge).max(cycle + 1));
        }
        next = next.min(self.watchdog.deadline(&self.clocks).unwrap_or(u64::MAX));
        for spi in &self.spi {
            next = next.min(spi.next_event(self.clocks.peri_to_sys(spi.frame_length())));
        }
        self.i2c
            .iter()
            .fold(next, |next, i2c| next.min(i2c.next_event()))
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

    /// Reports a broken rule if the register belongs to a block that is held in reset.
    fn is_in_reset(&mut self, address: u32) -> bool {
        let held = block(address).is_some_and(|bit| self.resets >> bit & 1 != 0);
        if held {
            let detail = format!("bit {} of RESETS holds it", block(address).unwrap_or(0));
            note(
                &mut self.broken,
                Some(Broken {
                    rule: Rule::BlockInReset,
                    address,
                    detail,
                }),
            );
        }
        held
    }

    /// Reports a broken rule if the chip could not wake up, or would wake with other clocks, once
    /// the crystal is stopped.
    fn may_stop(&mut self, address: u32) -> bool {
        let no_pin =
            || (!self.gpio.has_wake_pin()).then(|| "no pin is enabled to wake it".to_string());
        let problem = self.clocks.dormancy_problem().or_else(no_pin);
        !note(
            &mut self.broken,
            problem.map(|detail| Broken {
                rule: Rule::Dormancy,
                address,
                detail,
            }),
        )
    }

    /// Reports a broken rule if the clocks cannot run as set, at the voltage that is set.
    fn check_clocks(&mut self, address: u32, cycle: u64) {
        if let Some(detail) = self.clocks.problem(cycle) {
            note(
                &mut self.broken,
                Some(Broken {
                    rule: Rule::ClockSource,
                    address,
                    detail,
                }),
            );
        }
        let vsel = self.plain.get(&VREG).map_or(0, |value| value >> 4 & 0xF);
        let (hz, limit) = (
            self.clocks.sys_hz(),
            if vsel < VSEL_1V15 {
                MAX_HZ
            } else {
                MAX_HZ_1V15
            },
        );
        if hz > limit {
            let detail =
                format!("the system clock is {hz} Hz, the limit with VSEL {vsel:#06b} is {limit}");
            note(
                &mut self.broken,
                Some(Broken {
                    rule: Rule::CoreVoltage,
                    address,
                    detail,
                }),
            );
        }
    }

    pub(super) fn read(&mut self, address: u32, cycle: u64) -> u32 {
        let plain = address & !0x3000;
        if self.is_in_reset(plain) {
            return 0;
        }
        let offset = plain & 0xFFF;
        match plain & 0xFFFF_C000 {
            0x4000_8000 => self.clocks.read(offset),
            0x4000_C000 => match offset {
                0x0 => self.resets,
                0x8 => !self.resets & RESETS_ALL,
                0x4 => self.resets_watchdog,
                _ => self.read_plain(plain),
            },
            0x4001_0000 => match offset {
                0x0 => self.force_on,
                0x4 => self.force_off,
                0x8 => self.power_watchdog,
                0xC => POWER_ALL & !self.force_off,
                _ => self.read_plain(plain),
            },
            0x4001_4000 => self.gpio.read(offset),
            0x4001_C000 => self.gpio.read_pad(offset),
            XOSC => self.clocks.read_xosc(offset, cycle),
            0x4002_8000 => self.clocks.read_pll(0, offset, cycle),
            0x4002_C000 => self.clocks.read_pll(1, offset, cycle),
            0x4003_C000 => self.spi[0].read(offset),
            0x4004_0000 => self.spi[1].read(offset),
            0x4004_4000 => self.i2c[0].read(offset),
            0x4004_8000 => self.i2c[1].read(offset),
            0x4004_C000 => self.adc.read(offset, self.clocks.ns_at(cycle)),
            0x4005_0000 => self.pwm.read(offset, cycle),
            0x4005_4000 => self.timer.read(offset, &self.clocks, cycle),
            0x4005_8000 if offset == 0x2C => self.clocks.read_tick(),
            0x4005_8000 => self.watchdog.read(offset, &self.clocks, cycle),
            ROSC => self.clocks.read_rosc(offset),
            0x5000_0000 => self.dma.read(offset),
            _ => self.read_plain(plain),
        }
    }

    pub(super) fn write(&mut self, address: u32, value: u32, cycle: u64) -> Option<Request> {
        let plain = address & !0x3000;
        if self.is_in_reset(plain) {
            return None;
        }
        let offset = plain & 0xFFF;
        match plain & 0xFFFF_C000 {
            0x4000_8000 => self.clocks.write(offset, value, address, cycle),
            0x4000_C000 if offset == 0 => {
                self.write_resets(aliased(self.resets, value, address), cycle)
            }
            0x4000_C000 if offset == 4 => {
                self.resets_watchdog = aliased(self.resets_watchdog, value, address)
            }
            0x4001_0000 if offset == 0 => self.force_on = aliased(self.force_on, value, address),
            0x4001_0000 if offset == 4 => {
                self.force_off = aliased(self.force_off, value, address);
                let reset_sio = self.force_off & POWER_SIO != 0;
                return (reset_sio || self.force_off & POWER_CORE1 != 0)
                    .then_some(Request::ParkCore1 { reset_sio });
            }
            0x4001_0000 if offset == 8 => {
                self.power_watchdog = aliased(self.power_watchdog, value, address) & POWER_ALL
            }
            0x4001_4000 => self.gpio.write(offset, value, address),
            0x4001_C000 => self.gpio.write_pad(offset, value, address),
            XOSC if offset == 8 => {
                return (value == clocks::DORMANT && self.may_stop(plain))
                    .then_some(Request::Dormant);
            }
            XOSC => self.clocks.write_xosc(offset, value, address, cycle),
            ROSC => self.clocks.write_rosc(offset, value, address),
            0x4002_8000 => self.clocks.write_pll(0, offset, value, address, cycle),
            0x4002_C000 => self.clocks.write_pll(1, offset, value, address, cycle),
            0x4003_C000 => self.spi[0].write(offset, value, address),
            0x4004_0000 => self.spi[1].write(offset, value, address),
            0x4004_4000 => self.i2c[0].write(offset, value, address),
            0x4004_8000 => self.i2c[1].write(offset, value, address),
            0x4004_C000 => self
                .adc
                .write(offset, value, address, self.clocks.ns_at(cycle)),
            0x4005_0000 => self.pwm.write(offset, value, address, cycle),
            0x4005_4000 => self
                .timer
                .write(offset, value, address, &self.clocks, cycle),
            0x4005_8000 if offset == 0x2C => self.clocks.write_tick(value, address, cycle),
            0x4005_8000 => {
                let reset = self
                    .watchdog
                    .write(offset, value, address, &self.clocks, cycle);
                return reset.map(Request::Reset);
            }
            0x5000_0000 => self.dma.write(offset, value, address),
            _ => self.write_plain(plain, value, address),
        }
        if matches!(
            plain & 0xFFFF_C000,
            0x4000_8000 | 0x4000_C000 | XOSC..=0x4002_C000 | ROSC | VREG
        ) {
            self.check_clocks(plain, cycle);
        }
        None
    }

    /// Blocks newly put into reset lose their state.
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

    fn read_plain(&self, address: u32) -> u32 {
        self.plain.get(&address).copied().unwrap_or(0)
    }

    fn write_plain(&mut self, plain: u32, value: u32, address: u32) {
        let register = self.plain.entry(plain).or_insert(0);
        *register = aliased(*register, value, address);
    }
}

/// The bit of RESETS that holds the block with this register.
fn block(address: u32) -> Option<u32> {
    let bit = match address & 0xFFFF_C000 {
        0x4000_0000 => 19,               // SYSINFO
        0x4000_4000 => 18,               // SYSCFG
        0x4001_4000 => 5,                // IO_BANK0
        0x4001_8000 => 6,                // IO_QSPI
        0x4001_C000 => 8,                // PADS_BANK0
        0x4002_0000 => 9,                // PADS_QSPI
        0x4002_8000 => 12,               // PLL_SYS
        0x4002_C000 => 13,               // PLL_USB
        0x4003_0000 => 1,                // BUSCTRL
        0x4003_4000 => 22,               // UART0
        0x4003_8000 => 23,               // UART1
        0x4003_C000 => 16,               // SPI0
        0x4004_0000 => 17,               // SPI1
        0x4004_4000 => 3,                // I2C0
        0x4004_8000 => 4,                // I2C1
        0x4004_C000 => 0,                // ADC
        0x4005_0000 => 14,               // PWM
        0x4005_4000 => 21,               // TIMER
        0x4005_C000 => 15,               // RTC
        0x4006_C000 => 20,               // TBMAN
        0x5000_0000 => 2,                // DMA
        0x5010_0000..=0x501F_C000 => 24, // USBCTRL
        0x5020_0000 => 10,               // PIO0
        0x5030_0000 => 11,               // PIO1
        _ => return None,
    };
    Some(bit)
}

/// Keeps the first of several broken rules; says whether there is a new one.
fn note(kept: &mut Option<Broken>, found: Option<Broken>) -> bool {
    let any = found.is_some();
    if kept.is_none() {
        *kept = found;
    }
    any
}

/// The devices on one I²C bus: at most the display.
struct DisplayBus<'a> {
    display: Option<&'a mut Display>,
    bus: usize,
    /// Frequency of SCL.
    hz: u64,
    gpio: &'a Gpio,
    clocks: &'a Clocks,
    broken: &'a mut Option<Broken>,
}

impl DisplayBus<'_> {
    fn panel(&mut self) -> Option<&mut super::display::Oled> {
        let bus = self.bus;
        self.display.as_mut().and_then(|display| display.i2c(bus))
    }
}

impl I2cDevices for DisplayBus<'_> {
    fn start(&mut self, address: u8, _read: bool, cycle: u64) -> bool {
        let (ns, hz, gpio) = (self.clocks.ns_at(cycle), self.hz, self.gpio);
        let Some(panel) = self.panel().filter(|panel| panel.answers(address)) else {
            return false;
        };
        let broken = panel.check(hz, gpio);
        panel.start(address, ns) && !note(self.broken, broken)
    }

    fn write(&mut self, byte: u8, cycle: u64) -> bool {
        self.panel()
            .map(|panel| panel.receive(byte, cycle))
            .is_some()
    }

    fn read(&mut self) -> u8 {
        self.panel().map_or(0xFF, |panel| panel.status())
    }

    fn stop(&mut self) {}
}
