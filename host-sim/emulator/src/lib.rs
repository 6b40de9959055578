//! An RP2040 that boots the real firmware image inside `cargo test`.
//!
//! ```ignore
//! let image = Image::from_file(&std::fs::read("firmware.elf")?)?;
//! let mut pico = Pico::new(&image);
//! pico.attach(Display::St7789(St7789::new(pins)));
//! pico.run_until_log("menu", 500_000)?;
//!
//! let mut test = pico.clone(); // start many tests from here
//! test.set_pin(15, false); // press A
//! test.run_for(50_000)?;
//! assert!(test.pixels().lit_pixels() > 0);
//! ```
//!
//! # How it works
//!
//! The two Cortex-M0+ cores come from the `rp2040-emu` crate and see the world through its
//! `CoreBus` trait, which `bus` implements over memories and peripherals of our own. The run
//! loop in `machine` always runs the core that is behind; between stretches of instructions
//! `service` brings the peripherals up to date, moves DMA data and raises interrupts. When both
//! cores sleep, time jumps to the next event. Everything is deterministic: the same image and the
//! same calls give the same cycles.
//!
//! Reading order: `board` (the public face), then `machine` and `processor` (the cores and their
//! prices), `bus` and `service`, `clocks`, `xip` (what a flash cache miss costs), `flash` (power
//! cuts), `boot_rom`, then whichever peripheral is of interest. `display` is the outside of the
//! chip.
//!
//! # What is modelled
//!
//! | part | how far |
//! |---|---|
//! | boot | checksum of the second stage, its execution from RAM, flash routines of the ROM |
//! | cores | instructions at M0+ prices, MPU, nested handlers, WFE/WFI/SEV, launch of core 1, FIFOs, spinlocks |
//! | time | system clock and 1 µs tick as programmed, crystal start-up and PLL lock, dormancy, APB wait states |
//! | flash | 2 MB, erase and program times, the 16 KB cache and its misses, power cuts, log |
//! | rules | pin functions, bus modes and clocks, panel timing, RESETS, clock sources, voltage: see [`Rule`] |
//! | serial | SPI and I²C masters at the programmed rates, addresses nobody answers |
//! | DMA | 12 channels, paced by SPI and ADC or unpaced, chaining, rings, both interrupts |
//! | other | TIMER alarms, pin interrupts by edge and level, watchdog and its scratch, PWM, ADC |
//! | reset | watchdog and forced by WDSEL, SYSRESETREQ, power cycle; RAM survives all but the last |
//! | displays | ST7789, SSD1306, SH1106 as a viewer sees them |
//! | log | defmt over RTT |
//!
//! # What is not
//!
//! - USB, UART, PIO, RTC, the interpolators, SysTick's exception, XIP streaming (embassy's
//!   asynchronous flash reads) and the cache as RAM. Peripheral registers without a model remember
//!   what is written.
//! - Contention for SRAM banks, instruction prefetch, and the time the real boot ROM needs before
//!   the second stage runs. Cycle figures are those of this model, not measurements of silicon.
//! - Any access to flash while it is busy is a [`Fault`], even where the real cache would have had
//!   the word by luck.

#![allow(
    missing_docs,
    reason = "the fields of faults and counters are named after what they hold"
)]

mod adc;
mod board;
mod boot_rom;
mod bus;
mod clocks;
mod diagnosis;
mod display;
mod dma;
mod fault;
mod flash;
mod gpio;
mod i2c;
mod machine;
mod memory;
mod mpu;
mod peripherals;
mod ppb;
mod processor;
mod pwm;
mod registers;
mod rom_services;
mod rtt;
mod service;
mod sio;
mod spi;
mod timer;
mod watchdog;
mod xip;

pub use board::Pico;
pub use display::{
    Complaint, Display, DisplayCounters, Oled, OledController, OledPins, Picture, St7789,
    St7789Pins,
};
pub use fault::{Access, Cause, Fault, Refusal, Rule};
pub use flash::{
    BLOCK_SIZE, CutMoment, Flash, FlashOperation, FlashOperationKind, FlashTiming, PAGE_SIZE,
};
pub use machine::Stats;
pub use pico_image::{FLASH_BASE, FLASH_SIZE, Image, ImageError, SECTOR_SIZE};
pub use pwm::PwmOutput;
pub use rtt::LogLine;
pub use watchdog::ResetReason;
pub use xip::XipCounters;
