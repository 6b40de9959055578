//! [`Pico`]: the machine as its user sees it.

use super::display::{Display, Picture};
use super::fault::{Fault, Refusal};
use super::flash::Flash;
use super::machine::{Machine, Pause, Stats};
use super::pwm::PwmOutput;
use super::rtt::{LogLine, Rtt};
use super::watchdog::ResetReason;
use super::{adc, gpio, spi};
use pico_image::{Image, ImageError, flash_offset};

/// Longest stretch, in cycles, between two looks at the log and at a caller's condition:
/// 0.1 ms at 125 MHz.
const SLICE: u64 = 12_500;

/// A Raspberry Pi Pico with a firmware in its flash and perhaps a display on its pins.
///
/// Cloning copies the whole machine (flash is shared until one of the two writes to it): boot
/// once, clone for every test.
#[derive(Clone)]
pub struct Pico {
    machine: Machine,
    rtt: Rtt,
    image: Image,
}

impl Pico {
    /// A Pico with power on, at the first instruction of the second-stage boot loader.
    pub fn new(image: &Image) -> Self {
        Pico {
            machine: Machine::powered_up(Flash::new(image.flash().to_vec())),
            rtt: Rtt::new(image),
            image: image.clone(),
        }
    }

    // --- outside world -------------------------------------------------------------------------

    /// Connects a display; the one before it, if any, is removed.
    pub fn attach(&mut self, mut display: Display) {
        display.power_on(self.now_ns());
        self.machine.bus.peripherals.display = Some(display);
        self.machine.bus.attend();
    }

    /// The attached display.
    pub fn display(&self) -> Option<&Display> {
        self.machine.bus.peripherals.display.as_ref()
    }

    /// What the display shows; an empty picture without one.
    pub fn pixels(&self) -> Picture {
        self.display().map_or(
            Picture {
                width: 0,
                height: 0,
                rgb: Vec::new(),
            },
            Display::pixels,
        )
    }

    /// Drives a pin from outside. Pins above 29 do not exist and are ignored.
    pub fn set_pin(&mut self, pin: u8, high: bool) {
        if usize::from(pin) < gpio::PINS {
            self.machine.bus.peripherals.gpio.drive(pin, high);
            self.machine.bus.attend();
        }
    }

    /// Lets go of a pin: its pull decides again.
    pub fn release_pin(&mut self, pin: u8) {
        if usize::from(pin) < gpio::PINS {
            self.machine.bus.peripherals.gpio.release(pin);
            self.machine.bus.attend();
        }
    }

    /// Level at a pin.
    pub fn pin(&self, pin: u8) -> bool {
        usize::from(pin) < gpio::PINS && self.machine.bus.peripherals.gpio.levels() >> pin & 1 != 0
    }

    /// PWM signal at a pin; `None` if the pin carries none.
    pub fn pwm(&self, pin: u8) -> Option<PwmOutput> {
        let peripherals = &self.machine.bus.peripherals;
        let carries = usize::from(pin) < gpio::PINS && peripherals.gpio.is_pwm(pin);
        carries
            .then(|| peripherals.pwm.output(pin, peripherals.clocks.sys_hz()))
            .flatten()
    }

    /// Voltage at ADC input 0 to 3 (GPIO 26 to 29). Other numbers are ignored.
    pub fn set_adc(&mut self, input: usize, volts: f64) {
        if input < adc::TEMPERATURE {
            self.machine.bus.peripherals.adc.set_volts(input, volts);
        }
    }

    /// Temperature that the ADC's sensor (input 4) reads.
    pub fn set_temperature(&mut self, celsius: f64) {
        self.machine.bus.peripherals.adc.set_temperature(celsius);
    }

    /// Seeds the ring oscillator's random bit, which otherwise gives the same sequence each time.
    pub fn seed_random(&mut self, seed: u32) {
        self.machine.bus.peripherals.clocks.seed_random(seed);
    }

    /// Makes the ring oscillator's random bit biased: `ones` of 256 bits are ones. With 0 or 256 it
    /// never changes.
    pub fn bias_random(&mut self, ones: u32) {
        self.machine.bus.peripherals.clocks.bias_random(ones);
    }

    // --- time ----------------------------------------------------------------------------------

    /// Cycles of the system clock since power-on.
    pub fn cycles(&self) -> u64 {
        self.machine.bus.now
    }

    /// Emulated microseconds since power-on.
    pub fn now_us(&self) -> u64 {
        self.us_of_cycle(self.cycles())
    }

    /// Time of a cycle, exact for cycles since the last change of the system clock.
    pub fn us_of_cycle(&self, cycle: u64) -> u64 {
        self.machine.bus.peripherals.clocks.ns_at(cycle) / 1000
    }

    /// System clock as programmed.
    pub fn clock_hz(&self) -> u64 {
        self.machine.bus.peripherals.clocks.sys_hz()
    }

    /// Whether the crystal is stopped until a pin wakes it.
    pub fn is_dormant(&self) -> bool {
        self.machine.bus.peripherals.clocks.is_dormant()
    }

    /// Whether the ring oscillator runs.
    pub fn ring_oscillator_is_on(&self) -> bool {
        self.machine.bus.peripherals.clocks.ring_is_on()
    }

    /// Runs for a stretch of emulated time.
    pub fn run_for(&mut self, us: u64) -> Result<(), Fault> {
        let end = self.ns_after(us);
        while self.now_ns() < end {
            self.run_slice(end)?;
        }
        Ok(())
    }

    /// Runs until `done` holds, looking every 0.1 ms or so; answers the time it took in µs.
    pub fn run_until(
        &mut self,
        mut done: impl FnMut(&Pico) -> bool,
        limit_us: u64,
    ) -> Result<u64, Fault> {
        let start = self.now_ns();
        let end = self.ns_after(limit_us);
        while !done(self) {
            if self.now_ns() >= end {
                return Err(Fault::TimeLimit { us: limit_us });
            }
            self.run_slice(end)?;
        }
        Ok((self.now_ns() - start) / 1000)
    }

    /// Runs until a line of the log, from now on, contains `text`.
    pub fn run_until_log(&mut self, text: &str, limit_us: u64) -> Result<u64, Fault> {
        let seen = self.log().len();
        self.run_until(
            |pico| {
                pico.log()[seen..]
                    .iter()
                    .any(|line| line.text.contains(text))
            },
            limit_us,
        )
    }

    /// Runs until a core is about to execute `address`; answers which core.
    pub fn run_until_pc(&mut self, address: u32, limit_us: u64) -> Result<usize, Fault> {
        let end = self.ns_after(limit_us);
        self.machine.breakpoint = Some(address & !1);
        let outcome = loop {
            if self.now_ns() >= end {
                break Err(Fault::TimeLimit { us: limit_us });
            }
            match self.run_slice(end) {
                Ok(Pause::Breakpoint { core }) => break Ok(core),
                Ok(Pause::TimeUp) => {}
                Err(fault) => break Err(fault),
            }
        };
        self.machine.breakpoint = None;
        outcome
    }

    fn now_ns(&self) -> u64 {
        self.machine
            .bus
            .peripherals
            .clocks
            .ns_at(self.machine.bus.now)
    }

    fn ns_after(&self, us: u64) -> u64 {
        self.now_ns().saturating_add(us.saturating_mul(1000))
    }

    fn run_slice(&mut self, end_ns: u64) -> Result<Pause, Fault> {
        let end = self.machine.bus.peripherals.clocks.cycle_at(end_ns);
        let resets = self.machine.stats().resets;
        // Nothing is logged while the crystal stands still.
        let slice = if self.is_dormant() { end } else { SLICE };
        let result = self
            .machine
            .run(end.min(self.cycles().saturating_add(slice)));
        let now_us = self.now_us();
        if self.machine.stats().resets != resets {
            self.rtt.warm_restart(&mut self.machine.bus, now_us);
        } else {
            self.rtt.poll(&mut self.machine.bus, now_us);
        }
        result
    }

    /// Whether a hard fault stops the run (it does unless told otherwise). Switch it off to see
    /// the firmware's own handler at work.
    pub fn stop_on_hard_fault(&mut self, stop: bool) {
        self.machine.stop_on_hard_fault = stop;
    }

    /// Switches off and on again: RAM and display memory are lost, flash stays as it is.
    pub fn power_cycle(&mut self) {
        self.rtt.restart();
        self.machine.power_cycle();
    }

    /// Why the machine is off, if it is: a power cut, USB boot, or nothing to boot from.
    pub fn off(&self) -> Option<&Fault> {
        self.machine.off()
    }

    // --- looking inside ------------------------------------------------------------------------

    /// The firmware's log so far.
    pub fn log(&self) -> &[LogLine] {
        self.rtt.lines()
    }

    /// Address of a function or static of the firmware.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.image.symbol(name)
    }

    /// A byte of ROM, flash or RAM; zero elsewhere.
    pub fn peek8(&self, address: u32) -> u8 {
        self.machine.bus.peek(address).unwrap_or(0)
    }

    /// A little-endian word of ROM, flash or RAM; zero elsewhere.
    pub fn peek32(&self, address: u32) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|k| self.peek8(address.wrapping_add(k))))
    }

    /// Bytes of ROM, flash or RAM; zeros elsewhere.
    pub fn peek(&self, address: u32, length: usize) -> Vec<u8> {
        (0..length)
            .map(|k| self.peek8(address.wrapping_add(k as u32)))
            .collect()
    }

    /// All of SRAM, from 0x2000_0000.
    pub fn ram(&self) -> &[u8] {
        self.machine.bus.sram.bytes()
    }

    /// Program counter of a core.
    pub fn pc(&self, core: usize) -> u32 {
        self.machine.pc(core)
    }

    pub fn flash(&self) -> &Flash {
        &self.machine.bus.flash
    }

    /// Flash settings and power cuts. For contents see [`Self::patch_flash`].
    pub fn flash_mut(&mut self) -> &mut Flash {
        &mut self.machine.bus.flash
    }

    /// Overwrites flash behind the firmware's back, at an address from 0x1000_0000.
    pub fn patch_flash(&mut self, address: u32, data: &[u8]) -> Result<(), ImageError> {
        let offset = flash_offset(address, data.len())?;
        self.machine.bus.flash.patch(offset as u32, data);
        self.machine.bus.stale_flash = true;
        Ok(())
    }

    pub fn stats(&self) -> Stats {
        self.machine.stats()
    }

    /// Hard faults that the cores took, in order: rule, address, core. At most a thousand.
    pub fn refusals(&self) -> &[Refusal] {
        &self.machine.refusals
    }

    /// Why the chip last came out of reset.
    pub fn reset_reason(&self) -> ResetReason {
        self.machine.bus.peripherals.watchdog.reason
    }

    /// Frames sent by an SPI block since it was last reset.
    pub fn spi_frames(&self, bus: usize) -> u64 {
        self.machine
            .bus
            .peripherals
            .spi
            .get(bus)
            .map_or(0, spi::Spi::frames)
    }
}
