//! Pictures as terminals take them: the protocols of kitty and iTerm2, and sixel.
//!
//! Written by hand: together they are shorter than the calls of a library would be, and a library
//! for them brings an image decoder and a resizer that the frames, which are drawn to size, do not
//! need.

use std::fmt::Write as _;

use crate::terminal::raster::Raster;
use dojo_lab::failure::Failure;

/// How a terminal takes pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// kitty, Ghostty, Konsole
    Kitty,
    /// iTerm2, WezTerm, mintty
    Iterm,
    /// xterm, foot, mlterm, Windows Terminal and others: the oldest, for DEC's printers
    Sixel,
}

/// The name of the one picture that is shown; a later one of this name replaces it.
const ID: u32 = 1;
/// Most letters in a part of a picture, as kitty's protocol demands.
const PART: usize = 4096;

/// The sequence that shows a picture at the cursor, in an area of cells where the terminal scales
/// it, in pixels of the screen where it does not.
pub fn show(
    protocol: Protocol,
    raster: &Raster,
    (columns, lines): (u16, u16),
) -> Result<String, Failure> {
    Ok(match protocol {
        Protocol::Kitty => kitty(&raster.png()?, columns, lines),
        Protocol::Iterm => iterm(&raster.png()?, columns, lines),
        Protocol::Sixel => sixel(raster),
    })
}

/// The sequence that takes the picture away; nothing where clearing the screen is enough.
pub fn remove(protocol: Protocol) -> String {
    match protocol {
        Protocol::Kitty => format!("\x1b_Ga=d,d=I,i={ID},q=2\x1b\\"),
        Protocol::Iterm | Protocol::Sixel => String::new(),
    }
}

fn kitty(png: &[u8], columns: u16, lines: u16) -> String {
    let letters = base64(png);
    let parts = letters.len().div_ceil(PART).max(1);
    let mut out = String::new();
    for part in 0..parts {
        let end = letters.len().min((part + 1) * PART);
        let more = u8::from(part + 1 < parts);
        let keys = match part {
            // Show a PNG, answer nothing, leave the cursor.
            0 => format!("a=T,f=100,i={ID},p=1,q=2,C=1,c={columns},r={lines},m={more}"),
            _ => format!("m={more}"),
        };
        let _ = write!(out, "\x1b_G{keys};{}\x1b\\", &letters[part * PART..end]);
    }
    out
}

fn iterm(png: &[u8], columns: u16, lines: u16) -> String {
    format!(
        "\x1b]1337;File=inline=1;size={};width={columns};height={lines};\
         preserveAspectRatio=1;doNotMoveCursor=1:{}\x07",
        png.len(),
        base64(png)
    )
}

/// Rows of a band.
const BAND: u32 = 6;

fn sixel(raster: &Raster) -> String {
    let Raster { width, height, .. } = *raster;
    // Pixels are square; all of them are painted, so the background is left as it is.
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}");
    for (number, rgb) in raster.palette.iter().enumerate() {
        let [r, g, b] = rgb.map(|channel| (u32::from(channel) * 100 + 127) / 255);
        let _ = write!(out, "#{number};2;{r};{g};{b}");
    }
    let row = |y: u32| &raster.pixels[(y * width) as usize..((y + 1) * width) as usize];
    for top in (0..height).step_by(BAND as usize) {
        let rows: Vec<&[u8]> = (top..height.min(top + BAND)).map(row).collect();
        for ink in 0..raster.palette.len() as u8 {
            if !rows.iter().any(|row| row.contains(&ink)) {
                continue;
            }
            let _ = write!(out, "#{ink}");
            let bits = |x: usize| {
                let rows = rows.iter().enumerate();
                rows.fold(0u8, |bits, (y, row)| bits | u8::from(row[x] == ink) << y)
            };
            let mut x = 0;
            while x < width as usize {
                let pattern = bits(x);
                let run = (x..width as usize)
                    .take_while(|&x| bits(x) == pattern)
                    .count();
                let letter = char::from(b'?' + pattern);
                match run {
                    1..=3 => (0..run).for_each(|_| out.push(letter)),
                    _ => drop(write!(out, "!{run}{letter}")),
                }
                x += run;
            }
            // Back to the left edge for the next colour.
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\x1b\\");
    out
}

/// Bytes as letters (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, i| {
            bits << 8 | u32::from(group.get(i).copied().unwrap_or(0))
        });
        for letter in 0..4 {
            out.push(match letter <= group.len() {
                true => char::from(LETTERS[(bits >> (18 - 6 * letter) & 63) as usize]),
                false => '=',
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of RFC 4648.
    #[test]
    fn bytes_become_letters() {
        for (bytes, letters) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), letters);
        }
    }
}
