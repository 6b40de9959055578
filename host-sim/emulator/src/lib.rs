#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! `board` (the public face), then `machine` and `processor` (the cores and their cycle prices),
//! `bus` and `service`, `clocks`, `xip` (what a flash cache miss costs), `flash` (power cuts),
//! `boot_rom`, then whichever peripheral is of interest. `display` is the outside of the chip.
//!
//! The cores see the world through the `CoreBus` trait of `rp2040-emu`, which `bus` implements over
//! memories and peripherals. The run loop in `machine` always runs the core that is behind; between
//! stretches of instructions `service` brings the peripherals up to date, moves DMA data and raises
//! interrupts.

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
