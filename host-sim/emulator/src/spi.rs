//! SPI0 and SPI1 (ARM PL022), master mode.
//!
//! Frames take the time the divider gives: `CPSDVSR × (1 + SCR) × bits` cycles of `clk_peri`.
//! FIFOs are eight deep. Slave mode, loop-back and the receive time-out are not modelled.

use super::registers::aliased;
use std::collections::VecDeque;

const DEPTH: usize = 8;
const ENABLE: u32 = 1 << 1;

#[derive(Clone, Default)]
pub(super) struct Spi {
    control0: u32,
    control1: u32,
    prescale: u32,
    mask: u32,
    dma_control: u32,
    overrun: bool,
    tx: VecDeque<u16>,
    rx: VecDeque<u16>,
    /// Frame on the wire and the cycle at which its last bit is done.
    shifting: Option<(u16, u64)>,
    frames: u64,
}

/// How a master talks on its bus.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpiLink {
    /// 0 to 3, as clock polarity and phase say; `None` for the formats that are not Motorola's.
    pub(super) mode: Option<u32>,
    pub(super) bits: u32,
    pub(super) hz: u64,
}

impl Spi {
    /// The settings with which frames are sent, given the frequency of `clk_peri`.
    pub(super) fn link(&self, peri_hz: u64) -> SpiLink {
        let bits = (self.control0 & 0xF) + 1;
        let mode = (self.control0 >> 4 & 3 == 0)
            .then_some(self.control0 >> 6 & 1)
            .map(|polarity| polarity << 1 | self.control0 >> 7 & 1);
        SpiLink {
            mode,
            bits,
            hz: peri_hz * u64::from(bits) / self.frame_length(),
        }
    }

    /// Length of one frame in cycles of `clk_peri`.
    pub(super) fn frame_length(&self) -> u64 {
        let bits = u64::from(self.control0 & 0xF) + 1;
        u64::from(self.prescale.max(2)) * (1 + u64::from(self.control0 >> 8 & 0xFF)) * bits
    }

    /// Frames sent since reset.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    pub(super) fn is_idle(&self) -> bool {
        self.tx.is_empty() && self.shifting.is_none()
    }

    /// Completes every frame that is over by `cycle`; `exchange` is the device on the bus.
    pub(super) fn advance(
        &mut self,
        cycle: u64,
        frame: u64,
        mut exchange: impl FnMut(u16, u64) -> u16,
    ) {
        if self.control1 & ENABLE == 0 {
            return;
        }
        let mut start = cycle;
        loop {
            match self.shifting {
                Some((_, done)) if done > cycle => return,
                Some((word, done)) => {
                    let answer = exchange(word, done);
                    if self.rx.len() < DEPTH {
                        self.rx.push_back(answer);
                    } else {
                        self.overrun = true;
                    }
                    self.frames += 1;
                    self.shifting = None;
                    start = done;
                }
                None => {}
            }
            match self.tx.pop_front() {
                Some(word) => self.shifting = Some((word, start + frame)),
                None => return,
            }
        }
    }

    /// Cycle of the next update. Up to half a FIFO of frames is completed at once: this is not
    /// observable, since every access to this block and every change of a pin updates it first.
    pub(super) fn next_event(&self, frame: u64) -> u64 {
        match self.shifting {
            Some((_, done)) => done + frame * self.tx.len().min(DEPTH / 2 - 1) as u64,
            None => u64::MAX,
        }
    }

    pub(super) fn wants_tx(&self) -> bool {
        self.dma_control & 2 != 0 && self.tx.len() < DEPTH
    }

    pub(super) fn wants_rx(&self) -> bool {
        self.dma_control & 1 != 0 && !self.rx.is_empty()
    }

    fn raw_interrupts(&self) -> u32 {
        u32::from(self.overrun)
            | u32::from(self.rx.len() >= DEPTH / 2) << 2
            | u32::from(self.tx.len() <= DEPTH / 2) << 3
    }

    pub(super) fn line(&self) -> bool {
        self.raw_interrupts() & self.mask != 0
    }

    pub(super) fn read(&mut self, offset: u32) -> u32 {
        match offset {
            0x00 => self.control0,
            0x04 => self.control1,
            0x08 => u32::from(self.rx.pop_front().unwrap_or(0)),
            0x0C => {
                u32::from(self.tx.is_empty())
                    | u32::from(self.tx.len() < DEPTH) << 1
                    | u32::from(!self.rx.is_empty()) << 2
                    | u32::from(self.rx.len() == DEPTH) << 3
                    | u32::from(!self.is_idle()) << 4
            }
            0x10 => self.prescale,
            0x14 => self.mask,
            0x18 => self.raw_interrupts(),
            0x1C => self.raw_interrupts() & self.mask,
            0x24 => self.dma_control,
            0xFE0 => 0x22, // PrimeCell identification
            0xFE4 => 0x10,
            0xFE8 => 0x34,
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32) {
        let register = match offset {
            0x00 => &mut self.control0,
            0x04 => &mut self.control1,
            0x08 => {
                if self.tx.len() < DEPTH {
                    let bits = (self.control0 & 0xF) + 1;
                    self.tx.push_back((value & ((1 << bits) - 1)) as u16);
                }
                return;
            }
            0x10 => &mut self.prescale,
            0x14 => &mut self.mask,
            0x20 => {
                self.overrun &= value & 1 == 0;
                return;
            }
            0x24 => &mut self.dma_control,
            _ => return,
        };
        *register = aliased(*register, value, address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_take_the_time_of_the_divider() {
        let mut spi = Spi::default();
        spi.write(0x00, 0x0107, 0); // 8 bits, SCR 1
        spi.write(0x10, 2, 0);
        spi.write(0x04, ENABLE, 0);
        assert_eq!(spi.frame_length(), 2 * 2 * 8);
        for byte in [0x11, 0x22] {
            spi.write(0x08, byte, 0);
        }
        let mut seen = Vec::new();
        let mut at = |spi: &mut Spi, cycle| {
            spi.advance(cycle, 32, |word, when| {
                seen.push((word, when));
                word
            })
        };
        at(&mut spi, 100);
        at(&mut spi, 131);
        at(&mut spi, 300);
        assert_eq!(seen, [(0x11, 132), (0x22, 164)]);
        assert!(spi.is_idle());
        assert_eq!(spi.read(0x08), 0x11);
    }
}
