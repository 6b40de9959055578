//! Runs a firmware image and prints what it does.
//!
//! ```text
//! cargo run -p pico-emulator --example run_image # a tiny image, assembled below cargo run -p
//! pico-emulator --example run_image FILE [MS] # an ELF or UF2 file, for MS milliseconds
//! ```
//!
//! The tiny image switches an OLED on and then copies a button at GP15 to the LED at GP25. A second
//! one does the same without the pull-up of the I²C clock line and is stopped for it.

use pico_emulator::{Display, Fault, Image, Oled, OledController, OledPins, Pico};
use std::error::Error;

const BUTTON: u8 = 15;
const LED: u8 = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        println!("{}", tour()?);
        return Ok(());
    };
    let ms: u64 = arguments.next().map_or(Ok(1000), |ms| ms.parse())?;
    println!("{}", watch(&Image::from_file(&std::fs::read(file)?)?, ms));
    Ok(())
}

/// Runs an image that is not known in advance: log, outputs and, if it stops, the reason.
fn watch(image: &Image, ms: u64) -> String {
    let mut pico = Pico::new(image);
    let result = pico.run_for(ms * 1000);
    let mut lines: Vec<String> = pico
        .log()
        .iter()
        .map(|line| format!("{:>9} µs  {}", line.collected_us, line.text))
        .collect();
    let high: Vec<String> = (0..30)
        .filter(|&pin| pico.pin(pin))
        .map(|pin| format!("GP{pin}"))
        .collect();
    lines.push(format!("pins that are high: {}", high.join(" ")));
    lines.push(format!(
        "{} µs, {} cycles, clk_sys {} Hz, core 0 at {:#010x}",
        pico.now_us(),
        pico.cycles(),
        pico.clock_hz(),
        pico.pc(0),
    ));
    lines.extend(result.err().map(|fault| format!("stopped: {fault}")));
    lines.join("\n")
}

/// Boots the tiny image, reads its display, presses its button, and runs the faulty one.
fn tour() -> Result<String, Fault> {
    let mut pico = with_oled(&button_to_led(PULL_UP));
    let us = pico.run_until(|pico| pico.pixels().lit_pixels() > 0, 100_000)?;
    let picture = pico.pixels();
    let mut lines = vec![format!(
        "after {us} µs the {}×{} display shows {} lit pixels",
        picture.width,
        picture.height,
        picture.lit_pixels()
    )];
    pico.run_for(1_000)?;
    let mut pressed = pico.clone(); // the whole machine: several tests can start from one boot
    pressed.set_pin(BUTTON, false);
    pressed.run_for(1_000)?;
    for (name, pico) in [("released", pico), ("pressed", pressed)] {
        let led = if pico.pin(LED) { "on" } else { "off" };
        lines.push(format!("button {name}: LED {led}"));
    }
    if let Err(fault) = with_oled(&button_to_led(FLOATING)).run_for(100_000) {
        lines.push(format!("without a pull-up: {fault}"));
    }
    Ok(lines.join("\n"))
}

fn with_oled(image: &Image) -> Pico {
    let mut pico = Pico::new(image);
    let pins = OledPins { sda: 4, scl: 5 };
    pico.attach(Display::Oled(Oled::new(
        OledController::Ssd1306,
        pins,
        0x3C,
    )));
    pico
}

// --- the tiny image: Thumb code, assembled by hand --------------------------------------------

const RESETS_CLEAR: u32 = 0x4000_F000;
const IO: u32 = 0x4001_4000;
const PADS: u32 = 0x4001_C000;
const I2C0: u32 = 0x4004_4000;
const SIO: u32 = 0xD000_0000;
/// Pad with input enable, Schmitt trigger and pull-up, and the same pad without the pull-up.
const PULL_UP: u32 = 0x4A;
const FLOATING: u32 = 0x42;
/// Where the program starts, behind the second-stage boot loader and its vector table.
const START: u32 = 0x1000_0200;

fn button_to_led(clock_line_pad: u32) -> Image {
    let pad = |pin: u32| PADS + 4 + 4 * pin;
    let function = |pin: u32| IO + 4 + 8 * pin;
    let mut code = Vec::new();
    for (register, value) in [
        (RESETS_CLEAR, 0x01FF_FFFF),
        (pad(4), PULL_UP),
        (pad(5), clock_line_pad),
        (pad(u32::from(BUTTON)), PULL_UP),
        (function(4), 3),
        (function(5), 3),
        (function(u32::from(BUTTON)), 5),
        (function(u32::from(LED)), 5),
        (SIO + 0x24, 1 << LED), // output enable, set
        (I2C0 + 0x1C, 8),       // SCL high and low: below 400 kHz from the ring oscillator
        (I2C0 + 0x20, 12),
        (I2C0 + 0x04, 0x3C), // target address
        (I2C0 + 0x6C, 1),    // enable
    ] {
        store(&mut code, register, value);
    }
    load(&mut code, 2, 12_000); // 3 cycles a turn at 6.5 MHz: the OLED answers after 5 ms
    code.extend([0x3A01, 0xD1FD]); // subs r2, #1; bne
    for word in [0x00, 0xA5, 0xAF | 1 << 9] {
        store(&mut code, I2C0 + 0x10, word); // commands follow; all pixels lit; display on, stop
    }
    load(&mut code, 0, SIO);
    code.extend([
        0x6841, // ldr r1, [r0, #4]     GPIO_IN
        0x0289, // lsls r1, r1, #10     button 15 to bit 25
        0x43C9, // mvns r1, r1          a pressed button is low
        0x6101, // str r1, [r0, #0x10]  GPIO_OUT
        0xE7FA, // b to the ldr
    ]);

    let mut image = Image::blank();
    let mut put = |address: u32, halves: &[u16]| {
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        image.patch(address, &bytes).expect("inside flash");
        bytes
    };
    let stage = [0x4800, 0x4700, START as u16 | 1, (START >> 16) as u16]; // ldr r0, [pc]; bx r0
    let mut boot2 = put(0x1000_0000, &[&stage[..], &[0; 122]].concat());
    boot2.truncate(252);
    put(START, &code);
    image
        .patch(0x1000_00FC, &boot_checksum(&boot2).to_le_bytes())
        .expect("inside flash");
    image
}

/// `ldr register, [pc]`, a branch over the value, the value.
fn load(code: &mut Vec<u16>, register: u16, value: u32) {
    if !code.len().is_multiple_of(2) {
        code.push(0xBF00); // nop: the value must be aligned
    }
    code.extend([
        0x4800 | register << 8,
        0xE001,
        value as u16,
        (value >> 16) as u16,
    ]);
}

fn store(code: &mut Vec<u16>, address: u32, value: u32) {
    load(code, 0, address);
    load(code, 1, value);
    code.push(0x6001); // str r1, [r0]
}

/// CRC-32 with polynomial 0x04C11DB7, not reflected, as the boot ROM checks it.
fn boot_checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            crc << 1 ^ if crc >> 31 != 0 { 0x04C1_1DB7 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_shows_display_button_and_fault() {
        let text = tour().expect("the first image breaks no rule");
        for expected in [
            "128×64 display shows 8192 lit pixels",
            "button released: LED off",
            "button pressed: LED on",
            "rule \"pull-up\" broken by core 0",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_file_that_stops_says_why() {
        let image = Image::blank();
        assert!(watch(&image, 10).contains("stopped: second-stage boot loader: checksum"));
        assert!(watch(&button_to_led(PULL_UP), 1).contains("clk_sys"));
    }
}
