//! Pocket Dojo on the RP2040.
//!
//! The first core runs the console: events in, pictures and commands out. The second core thinks.
//! Everything here only translates between the console of `dojo-handheld` and the hardware.
//!
//! Start reading at `runner`, which is the loop; `boards` has the wiring.

#![cfg_attr(target_os = "none", no_std, no_main)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // no panic is reachable from outside

#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("This program runs on the RP2040: build it with `cargo xtask firmware`.");
}

#[cfg(target_os = "none")]
mod bank;
#[cfg(target_os = "none")]
mod battery;
#[cfg(target_os = "none")]
mod boards;
#[cfg(target_os = "none")]
mod buttons;
#[cfg(target_os = "none")]
mod crash;
#[cfg(target_os = "none")]
mod display;
#[cfg(target_os = "none")]
mod event_log;
#[cfg(target_os = "none")]
#[cfg(target_os = "none")]
mod learning;
#[cfg(target_os = "none")]
mod power;
#[cfg(target_os = "none")]
mod runner;
#[cfg(target_os = "none")]
mod saves;
#[cfg(target_os = "none")]
mod sound;
#[cfg(target_os = "none")]
mod stack;
#[cfg(target_os = "none")]
mod thinking;

#[cfg(target_os = "none")]
use defmt_rtt as _;

/// The fastest clock within the chip's specification, at 1.15 V. The peripherals run at it too; the
/// largest even divider that the panel allows gives it 50 MHz.
#[cfg(target_os = "none")]
const CLOCK_HZ: u32 = 200_000_000;
