//! IO_BANK0 and PADS_BANK0: pin functions, pulls, levels and pin interrupts.
//!
//! A pin's level is the SIO output if the pin is one, else the level driven from outside
//! ([`super::Pico::set_pin`]), else the pad's pull. Pins of SPI, I²C or PWM are not toggled bit by
//! bit: these blocks exchange whole words with devices.

use super::registers::aliased;

pub(super) const PINS: usize = 30;
const PAD_RESET: u32 = 0x56;
const PULL_UP: u32 = 1 << 3;
const INPUT_ENABLE: u32 = 1 << 6;
const OUTPUT_DISABLE: u32 = 1 << 7;
/// OUTOVER, OEOVER and INOVER of a pin's control register.
const OVERRIDES: u32 = 3 << 8 | 3 << 12 | 3 << 16;
pub(super) const FUNCTION_SPI: u32 = 1;
pub(super) const FUNCTION_I2C: u32 = 3;
const FUNCTION_SIO: u32 = 5;
const FUNCTION_PWM: u32 = 4;
const EDGES: u32 = 0xCCCC_CCCC;

#[derive(Clone, Default)]
struct PinInterrupts {
    enable: [u32; 4],
    force: [u32; 4],
}

#[derive(Clone)]
pub(super) struct Gpio {
    control: [u32; PINS],
    pads: [u32; PINS],
    driven_outside: u32,
    outside: u32,
    level: u32,
    /// Pins that SIO drives.
    driven: u32,
    edges: [u32; 4],
    core: [PinInterrupts; 2],
    /// Pin interrupts that start a dormant crystal.
    wake: PinInterrupts,
    // Masks over all pins, kept in step with `control` and `pads`.
    sio_pins: u32,
    pull_up: u32,
    readable: u32,
}

impl Gpio {
    pub(super) fn new() -> Self {
        let mut gpio = Gpio {
            control: [0x1F; PINS],
            pads: [PAD_RESET; PINS],
            driven_outside: 0,
            outside: 0,
            level: 0,
            driven: 0,
            edges: [0; 4],
            core: Default::default(),
            wake: PinInterrupts::default(),
            sio_pins: 0,
            pull_up: 0,
            readable: 0,
        };
        gpio.rebuild_masks();
        gpio
    }

    /// Resets everything inside the chip and keeps the levels from outside.
    pub(super) fn after_reset(&self) -> Self {
        let mut gpio = Gpio {
            driven_outside: self.driven_outside,
            outside: self.outside,
            ..Gpio::new()
        };
        gpio.level = gpio.outside & gpio.driven_outside;
        gpio
    }

    pub(super) fn reset_functions(&mut self) {
        self.control = [0x1F; PINS];
        self.edges = [0; 4];
        self.core = Default::default();
        self.wake = PinInterrupts::default();
        self.rebuild_masks();
    }

    pub(super) fn reset_pads(&mut self) {
        self.pads = [PAD_RESET; PINS];
        self.rebuild_masks();
    }

    fn rebuild_masks(&mut self) {
        let mask =
            |test: &dyn Fn(usize) -> bool| (0..PINS).map(|pin| u32::from(test(pin)) << pin).sum();
        self.sio_pins = mask(&|pin| {
            self.control[pin] & 0x1F == FUNCTION_SIO && self.pads[pin] & OUTPUT_DISABLE == 0
        });
        self.pull_up = mask(&|pin| self.pads[pin] & PULL_UP != 0);
        self.readable = mask(&|pin| self.pads[pin] & INPUT_ENABLE != 0);
    }

    pub(super) fn drive(&mut self, pin: u8, level: bool) {
        let bit = 1 << pin;
        self.driven_outside |= bit;
        self.outside = if level {
            self.outside | bit
        } else {
            self.outside & !bit
        };
    }

    pub(super) fn release(&mut self, pin: u8) {
        self.driven_outside &= !(1 << pin);
    }

    /// Whether the pin is handed to the PWM block.
    pub(super) fn is_pwm(&self, pin: u8) -> bool {
        self.control[pin as usize] & 0x1F == FUNCTION_PWM
    }

    /// Whether the pin carries the signals of the block that `function` selects. The answer is the
    /// reason why not.
    pub(super) fn carries(&self, pin: u8, function: u32) -> Result<(), String> {
        let (control, pad) = (self.control[pin as usize], self.pads[pin as usize]);
        match control & 0x1F {
            found if found != function => {
                Err(format!("GP{pin} has function {found} and needs {function}"))
            }
            _ if control & OVERRIDES != 0 => {
                Err(format!("GP{pin} is overridden: control {control:#x}"))
            }
            _ if pad & OUTPUT_DISABLE != 0 => {
                Err(format!("the output of GP{pin} is disabled in its pad"))
            }
            _ => Ok(()),
        }
    }

    /// Whether SIO drives the pin.
    pub(super) fn is_driven(&self, pin: u8) -> bool {
        self.driven >> pin & 1 != 0
    }

    /// Whether the pad pulls the pin up and can be read.
    pub(super) fn is_pulled_up_input(&self, pin: u8) -> bool {
        self.pull_up & self.readable & 1 << pin != 0
    }

    /// Levels at the pads, as attached devices see them.
    pub(super) fn levels(&self) -> u32 {
        self.level
    }

    /// Levels as SIO.GPIO_IN shows them.
    pub(super) fn readable_levels(&self) -> u32 {
        self.level & self.readable
    }

    /// Settles the pads for the given SIO outputs and latches edges.
    pub(super) fn settle(&mut self, out: u32, output_enable: u32) {
        let driven = output_enable & self.sio_pins;
        let undriven = (self.outside & self.driven_outside) | (self.pull_up & !self.driven_outside);
        let level = (out & driven) | (undriven & !driven);
        self.driven = driven;
        let changed = (level ^ self.level) & self.readable;
        self.level = level;
        for pin in (0..PINS).filter(|pin| changed >> pin & 1 != 0) {
            let edge = if level >> pin & 1 != 0 { 8 } else { 4 };
            self.edges[pin / 8] |= edge << (pin % 8 * 4);
        }
    }

    /// Level and edge bits of eight pins in the layout of INTR0 to INTR3.
    fn raw(&self, bank: usize) -> u32 {
        let seen = self.readable_levels();
        let mut raw = self.edges[bank] & EDGES;
        for slot in 0..8 {
            let high = seen >> (bank * 8 + slot) & 1;
            raw |= (1 + high) << (slot * 4);
        }
        raw
    }

    fn status(&self, wanted: &PinInterrupts, bank: usize) -> u32 {
        if wanted.enable[bank] | wanted.force[bank] == 0 {
            return 0;
        }
        (self.raw(bank) & wanted.enable[bank]) | wanted.force[bank]
    }

    /// IO_IRQ_BANK0 of one core.
    pub(super) fn line(&self, core: usize) -> bool {
        (0..4).any(|bank| self.status(&self.core[core], bank) != 0)
    }

    /// Whether any pin can start a dormant crystal.
    pub(super) fn has_wake_pin(&self) -> bool {
        self.wake.enable != [0; 4]
    }

    /// Whether a pin starts a dormant crystal now.
    pub(super) fn wakes(&self) -> bool {
        (0..4).any(|bank| self.status(&self.wake, bank) != 0)
    }

    pub(super) fn read(&self, offset: u32) -> u32 {
        let bank = (offset as usize & 0xF) / 4;
        match offset {
            0x000..0x0F0 if offset & 4 != 0 => self.control[offset as usize / 8],
            0x000..0x0F0 => {
                let high = self.level >> (offset / 8) & 1;
                high << 17 | high << 19
            }
            0x0F0..0x100 => self.raw(bank),
            0x100..0x110 => self.core[0].enable[bank],
            0x110..0x120 => self.core[0].force[bank],
            0x120..0x130 => self.status(&self.core[0], bank),
            0x130..0x140 => self.core[1].enable[bank],
            0x140..0x150 => self.core[1].force[bank],
            0x150..0x160 => self.status(&self.core[1], bank),
            0x160..0x170 => self.wake.enable[bank],
            0x170..0x180 => self.wake.force[bank],
            0x180..0x190 => self.status(&self.wake, bank),
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32) {
        let bank = (offset as usize & 0xF) / 4;
        let register = match offset {
            0x000..0x0F0 if offset & 4 != 0 => &mut self.control[offset as usize / 8],
            0x0F0..0x100 => {
                self.edges[bank] &= !(value & EDGES);
                return;
            }
            0x100..0x110 => &mut self.core[0].enable[bank],
            0x110..0x120 => &mut self.core[0].force[bank],
            0x130..0x140 => &mut self.core[1].enable[bank],
            0x140..0x150 => &mut self.core[1].force[bank],
            0x160..0x170 => &mut self.wake.enable[bank],
            0x170..0x180 => &mut self.wake.force[bank],
            _ => return,
        };
        *register = aliased(*register, value, address);
        if offset < 0x0F0 {
            self.rebuild_masks();
        }
    }

    pub(super) fn read_pad(&self, offset: u32) -> u32 {
        match (offset / 4) as usize {
            pin @ 1..=PINS => self.pads[pin - 1],
            _ => 0,
        }
    }

    pub(super) fn write_pad(&mut self, offset: u32, value: u32, address: u32) {
        if let pin @ 1..=PINS = (offset / 4) as usize {
            self.pads[pin - 1] = aliased(self.pads[pin - 1], value, address);
            self.rebuild_masks();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input_with_pull_up(pin: usize) -> Gpio {
        let mut gpio = Gpio::new();
        gpio.write(pin as u32 * 8 + 4, FUNCTION_SIO, 0);
        gpio.write_pad(pin as u32 * 4 + 4, INPUT_ENABLE | PULL_UP, 0);
        gpio.settle(0, 0);
        gpio
    }

    #[test]
    fn a_pull_up_reads_high_until_the_outside_pulls_low() {
        let mut gpio = input_with_pull_up(15);
        assert_eq!(gpio.readable_levels() >> 15 & 1, 1);
        gpio.drive(15, false);
        gpio.settle(0, 0);
        assert_eq!(gpio.readable_levels() >> 15 & 1, 0);
        gpio.release(15);
        gpio.settle(0, 0);
        assert_eq!(gpio.readable_levels() >> 15 & 1, 1);
    }

    #[test]
    fn edges_latch_and_levels_follow() {
        let mut gpio = input_with_pull_up(15);
        gpio.write(0x0F4, u32::MAX, 0);
        gpio.write(0x134, 1 << 30, 0); // core 1, pin 15, falling edge
        assert!(!gpio.line(1));
        gpio.drive(15, false);
        gpio.settle(0, 0);
        gpio.drive(15, true);
        gpio.settle(0, 0);
        assert!(gpio.line(1) && !gpio.line(0));
        gpio.write(0x0F4, 0x4444_4444, 0);
        assert!(!gpio.line(1));
        gpio.write(0x104, 1 << 29, 0); // core 0, pin 15, level high
        assert!(gpio.line(0));
    }
}
