//! A small seeded mutator for runs without libFuzzer: it has no coverage, so it stays near inputs
//! that are known to be good.

use dojo_core::rng::Rng;

/// Numbers that sit at limits.
const LIMITS: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFF, b'0', b'9', b'\n'];

/// A variant of `input` with one to eight changes; `other` is a second input to take parts from.
pub fn mutate(rng: &mut Rng, input: &[u8], other: &[u8], longest: usize) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(8) {
        let at = below(rng, bytes.len() + 1);
        let end = at + below(rng, (bytes.len() - at).min(32) + 1);
        match rng.below(9) {
            0 => flip(rng, &mut bytes),
            1 => set(&mut bytes, at, rng.next_u32() as u8),
            2 => set(&mut bytes, at, LIMITS[rng.below(8) as usize]),
            3 => {
                let step = rng.below(9) as u8;
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = byte.wrapping_add(step).wrapping_sub(4);
                }
            }
            4 => drop(bytes.drain(at..end)),
            5 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            6 | 7 => {
                let from = below(rng, other.len() + 1);
                let to = from + below(rng, (other.len() - from).min(64) + 1);
                let keep = if rng.below(2) == 0 { end } else { at };
                bytes.splice(at..keep, other[from..to].iter().copied());
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes.truncate(longest);
    bytes
}

fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(bound as u32) as usize
}

fn flip(rng: &mut Rng, bytes: &mut [u8]) {
    if !bytes.is_empty() {
        let at = below(rng, bytes.len());
        bytes[at] ^= 1 << rng.below(8);
    }
}

fn set(bytes: &mut [u8], at: usize, value: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = value;
    }
}
