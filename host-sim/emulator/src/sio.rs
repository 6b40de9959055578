//! SIO, the single-cycle block: GPIO outputs, inter-core FIFOs, spinlocks, dividers.
//!
//! It also stands in for the boot ROM loop that core 1 waits in: while core 1 is parked, words
//! from core 0 drive the launch handshake and are echoed as the ROM would echo them.
//! The interpolators are not modelled.

use std::collections::VecDeque;

const FIFO_DEPTH: usize = 8;
const PIN_MASK: u32 = 0x3FFF_FFFF;

/// Where core 1 shall start, as told by core 0 through the FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) vector_table: u32,
    pub(super) stack: u32,
    pub(super) entry: u32,
}

#[derive(Clone, Copy, Default)]
struct Divider {
    dividend: u32,
    divisor: u32,
    quotient: u32,
    remainder: u32,
    dirty: bool,
}

impl Divider {
    fn divide(&mut self, signed: bool) {
        self.dirty = true;
        let (n, d) = (self.dividend, self.divisor);
        (self.quotient, self.remainder) = match (signed, d) {
            (false, 0) => (u32::MAX, n),
            (true, 0) => (if (n as i32) < 0 { 1 } else { u32::MAX }, n),
            (false, _) => (n / d, n % d),
            (true, _) => (
                (n as i32).wrapping_div(d as i32) as u32,
                (n as i32).wrapping_rem(d as i32) as u32,
            ),
        };
    }
}

#[derive(Clone, Default)]
pub(super) struct Sio {
    pub(super) out: u32,
    pub(super) output_enable: u32,
    /// Words waiting to be read by core 0 and core 1.
    inbox: [VecDeque<u32>; 2],
    overflow: [bool; 2],
    underflow: [bool; 2],
    spinlocks: u32,
    dividers: [Divider; 2],
    /// Handshake words received while core 1 is parked; `None` once it runs.
    handshake: Option<Vec<u32>>,
    launch: Option<Launch>,
}

impl Sio {
    pub(super) fn new() -> Self {
        Sio {
            handshake: Some(Vec::new()),
            ..Sio::default()
        }
    }

    /// Core 1 went back to the boot ROM.
    pub(super) fn park_core1(&mut self) {
        self.handshake = Some(Vec::new());
        self.inbox[1].clear();
    }

    pub(super) fn take_launch(&mut self) -> Option<Launch> {
        self.launch.take()
    }

    /// SIO_IRQ_PROCn.
    pub(super) fn line(&self, core: usize) -> bool {
        !self.inbox[core].is_empty() || self.overflow[core] || self.underflow[core]
    }

    pub(super) fn read(&mut self, offset: u32, core: usize, pins: u32) -> u32 {
        match offset {
            0x000 => core as u32,
            0x004 => pins,
            0x010..=0x01C => self.out,
            0x020..=0x02C => self.output_enable,
            0x050 => self.fifo_status(core),
            0x058 => match self.inbox[core].pop_front() {
                Some(word) => word,
                None => {
                    self.underflow[core] = true;
                    0
                }
            },
            0x05C => self.spinlocks,
            0x060 | 0x068 => self.dividers[core].dividend,
            0x064 | 0x06C => self.dividers[core].divisor,
            0x070 => {
                self.dividers[core].dirty = false;
                self.dividers[core].quotient
            }
            0x074 => self.dividers[core].remainder,
            0x078 => 1 | u32::from(self.dividers[core].dirty) << 1,
            0x100..=0x17C => {
                let bit = 1 << ((offset - 0x100) / 4);
                let free = self.spinlocks & bit == 0;
                self.spinlocks |= bit;
                if free { bit } else { 0 }
            }
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, core: usize) {
        let pins = value & PIN_MASK;
        match offset {
            0x010 => self.out = pins,
            0x014 => self.out |= pins,
            0x018 => self.out &= !pins,
            0x01C => self.out ^= pins,
            0x020 => self.output_enable = pins,
            0x024 => self.output_enable |= pins,
            0x028 => self.output_enable &= !pins,
            0x02C => self.output_enable ^= pins,
            0x050 => {
                self.overflow[core] = false;
                self.underflow[core] = false;
            }
            0x054 => self.send(value, core),
            0x060..=0x078 => self.write_divider(offset, value, core),
            0x100..=0x17C => self.spinlocks &= !(1 << ((offset - 0x100) / 4)),
            _ => {}
        }
    }

    fn write_divider(&mut self, offset: u32, value: u32, core: usize) {
        let divider = &mut self.dividers[core];
        match offset {
            0x060 | 0x068 => divider.dividend = value,
            0x064 | 0x06C => divider.divisor = value,
            0x070 => divider.quotient = value,
            0x074 => divider.remainder = value,
            _ => {}
        }
        match offset {
            0x060 | 0x064 => divider.divide(false),
            0x068 | 0x06C => divider.divide(true),
            _ => divider.dirty = true,
        }
    }

    fn fifo_status(&self, core: usize) -> u32 {
        u32::from(!self.inbox[core].is_empty())
            | u32::from(self.inbox[1 - core].len() < FIFO_DEPTH) << 1
            | u32::from(self.overflow[core]) << 2
            | u32::from(self.underflow[core]) << 3
    }

    fn send(&mut self, word: u32, core: usize) {
        if core == 0 && self.handshake.is_some() {
            let echo = self.shake_hands(word);
            self.inbox[0].push_back(echo);
        } else if self.inbox[1 - core].len() < FIFO_DEPTH {
            self.inbox[1 - core].push_back(word);
        } else {
            self.overflow[core] = true;
        }
    }

    /// One step of the launch protocol `0, 0, 1, vector table, stack, entry`.
    fn shake_hands(&mut self, word: u32) -> u32 {
        let Some(words) = &mut self.handshake else {
            return word;
        };
        let expected = match words.len() {
            0 | 1 => word == 0,
            2 => word == 1,
            _ => true,
        };
        // A second zero may repeat: the ROM resynchronises on any number of them.
        if !expected {
            words.clear();
            if word == 0 {
                words.push(0);
            }
            return if word == 0 { 0 } else { !word };
        }
        words.push(word);
        if let [_, _, _, vector_table, stack, entry] = words[..] {
            self.launch = Some(Launch {
                vector_table,
                stack,
                entry,
            });
            self.handshake = None;
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spinlock_is_claimed_once() {
        let mut sio = Sio::new();
        assert_eq!(sio.read(0x17C, 0, 0), 1 << 31);
        assert_eq!(sio.read(0x17C, 1, 0), 0);
        sio.write(0x17C, 0, 1);
        assert_eq!(sio.read(0x17C, 1, 0), 1 << 31);
    }

    #[test]
    fn the_handshake_launches_core_1_and_echoes_each_word() {
        let mut sio = Sio::new();
        for word in [7, 0, 0, 1, 0x1000_0100, 0x2000_8000, 0x1000_0401] {
            sio.write(0x054, word, 0);
            let echo = sio.read(0x058, 0, 0);
            assert_eq!(echo == word, word != 7, "echo of {word:#x}");
        }
        let launch = sio.take_launch().expect("handshake is complete");
        assert_eq!((launch.stack, launch.entry), (0x2000_8000, 0x1000_0401));
    }

    #[test]
    fn words_reach_the_other_core_and_overflow_is_sticky() {
        let mut sio = Sio::new();
        sio.handshake = None;
        for word in 0..9 {
            sio.write(0x054, word, 0);
        }
        assert!(sio.line(1) && sio.line(0));
        assert_eq!(sio.read(0x050, 0, 0) & 0b100, 0b100);
        assert_eq!(sio.read(0x058, 1, 0), 0);
        assert_eq!(sio.read(0x058, 1, 0), 1);
    }

    #[test]
    fn the_divider_divides_both_ways() {
        let mut sio = Sio::new();
        sio.write(0x060, 17, 0);
        sio.write(0x064, 5, 0);
        assert_eq!((sio.read(0x070, 0, 0), sio.read(0x074, 0, 0)), (3, 2));
        sio.write(0x068, -17i32 as u32, 0);
        sio.write(0x06C, 5, 0);
        assert_eq!(sio.read(0x070, 0, 0) as i32, -3);
    }
}
