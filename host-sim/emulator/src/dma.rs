//! DMA: twelve channels. This file holds registers and address arithmetic; the transfers
//! themselves go through the bus like a core's (see `Bus::run_dma`), so they reach peripherals
//! and find flash busy just as a core would.
//!
//! Transfers paced by a peripheral happen when that peripheral asks; unpaced ones move one unit a
//! cycle. Pacing timers, the sniffer and priorities between channels are not modelled.

use super::registers::aliased;

pub(super) const CHANNELS: usize = 12;
pub(super) const UNPACED: u32 = 0x3F;
const ENABLE: u32 = 1;
const INCREMENT_READ: u32 = 1 << 4;
const INCREMENT_WRITE: u32 = 1 << 5;
const RING_WRITE: u32 = 1 << 10;
const QUIET: u32 = 1 << 21;
const BYTE_SWAP: u32 = 1 << 22;
const BUSY: u32 = 1 << 24;
const WRITE_ERROR: u32 = 1 << 29;
const READ_ERROR: u32 = 1 << 30;
const ANY_ERROR: u32 = 1 << 31;

#[derive(Clone, Copy, Default)]
pub(super) struct Channel {
    read: u32,
    write: u32,
    count: u32,
    reload: u32,
    control: u32,
    busy: bool,
}

/// One unit to be moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) bytes: u32,
    pub(super) swap: bool,
}

impl Channel {
    pub(super) fn request(&self) -> u32 {
        self.control >> 15 & 0x3F
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    fn chain_to(&self) -> usize {
        (self.control >> 11 & 0xF) as usize
    }

    fn step(&self, address: u32, bytes: u32, ring: bool) -> u32 {
        let size = self.control >> 6 & 0xF;
        let next = address.wrapping_add(bytes);
        if ring && size != 0 {
            let mask = (1 << size) - 1;
            (address & !mask) | (next & mask)
        } else {
            next
        }
    }

    fn trigger(&mut self) {
        if self.control & ENABLE != 0 {
            self.count = self.reload;
            self.busy = self.count > 0;
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct Dma {
    channels: [Channel; CHANNELS],
    raw: u32,
    enable: [u32; 2],
    force: [u32; 2],
    /// Bit per busy channel, so that an idle DMA costs nothing.
    active: u32,
}

impl Dma {
    pub(super) fn channel(&self, n: usize) -> &Channel {
        &self.channels[n]
    }

    /// Bit per channel with work left.
    pub(super) fn active(&self) -> u32 {
        self.active
    }

    /// Takes the next unit of a busy channel and advances its pointers.
    pub(super) fn take_unit(&mut self, n: usize) -> Unit {
        let channel = &mut self.channels[n];
        let bytes = 1 << (channel.control >> 2 & 3).min(2);
        let unit = Unit {
            from: channel.read,
            to: channel.write,
            bytes,
            swap: channel.control & BYTE_SWAP != 0,
        };
        let ring_write = channel.control & RING_WRITE != 0;
        if channel.control & INCREMENT_READ != 0 {
            channel.read = channel.step(channel.read, bytes, !ring_write);
        }
        if channel.control & INCREMENT_WRITE != 0 {
            channel.write = channel.step(channel.write, bytes, ring_write);
        }
        channel.count -= 1;
        if channel.count == 0 {
            self.complete(n);
        }
        unit
    }

    fn complete(&mut self, n: usize) {
        self.channels[n].busy = false;
        if self.channels[n].control & QUIET == 0 {
            self.raw |= 1 << n;
        }
        let next = self.channels[n].chain_to();
        if next != n && next < CHANNELS {
            self.channels[next].trigger();
        }
        self.refresh();
    }

    /// A unit met a bus error: the channel stops and sets its error bits.
    pub(super) fn fail(&mut self, n: usize, reading: bool) {
        self.channels[n].busy = false;
        self.channels[n].control |= ANY_ERROR | if reading { READ_ERROR } else { WRITE_ERROR };
        self.refresh();
    }

    fn refresh(&mut self) {
        self.active = (0..CHANNELS)
            .map(|n| u32::from(self.channels[n].busy) << n)
            .sum();
    }

    fn status(&self, which: usize) -> u32 {
        (self.raw & self.enable[which]) | self.force[which]
    }

    /// DMA_IRQ_0 and DMA_IRQ_1.
    pub(super) fn line(&self, which: usize) -> bool {
        self.status(which) != 0
    }

    pub(super) fn read(&self, offset: u32) -> u32 {
        match offset {
            0x000..0x300 => {
                let channel = &self.channels[offset as usize / 0x40];
                match offset % 0x40 / 4 {
                    0 | 5 | 10 | 15 => channel.read,
                    1 | 6 | 11 | 13 => channel.write,
                    2 | 7 | 9 | 14 => channel.count,
                    _ => channel.control | if channel.busy { BUSY } else { 0 },
                }
            }
            0x400 | 0x410 => self.raw,
            0x404 => self.enable[0],
            0x408 => self.force[0],
            0x40C => self.status(0),
            0x414 => self.enable[1],
            0x418 => self.force[1],
            0x41C => self.status(1),
            0x448 => CHANNELS as u32,
            _ => 0,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32) {
        let register = match offset {
            0x000..0x300 => {
                self.write_channel(offset as usize / 0x40, offset % 0x40 / 4, value, address);
                self.refresh();
                return;
            }
            0x400 | 0x40C | 0x410 | 0x41C => {
                self.raw &= !value;
                return;
            }
            0x404 => &mut self.enable[0],
            0x408 => &mut self.force[0],
            0x414 => &mut self.enable[1],
            0x418 => &mut self.force[1],
            0x430 | 0x444 => {
                for n in (0..CHANNELS).filter(|n| value >> n & 1 != 0) {
                    if offset == 0x430 {
                        self.channels[n].trigger();
                    } else {
                        self.channels[n].busy = false;
                    }
                }
                self.refresh();
                return;
            }
            _ => return,
        };
        *register = aliased(*register, value, address);
    }

    /// The four views of a channel differ in order only; the last word of each one triggers.
    fn write_channel(&mut self, n: usize, word: u32, value: u32, address: u32) {
        let channel = &mut self.channels[n];
        match word {
            0 | 5 | 10 | 15 => channel.read = aliased(channel.read, value, address),
            1 | 6 | 11 | 13 => channel.write = aliased(channel.write, value, address),
            2 | 7 | 9 | 14 => channel.reload = aliased(channel.reload, value, address),
            _ => {
                let sticky = channel.control & (READ_ERROR | WRITE_ERROR) & !value;
                channel.control = aliased(channel.control, value, address) & 0x00FF_FFFF | sticky;
                if sticky != 0 {
                    channel.control |= ANY_ERROR;
                }
            }
        }
        // The trigger word of each view; writing zero there is a null trigger.
        if matches!(word, 3 | 7 | 11 | 15) {
            if word == 3 || value != 0 {
                channel.trigger();
            } else if channel.control & QUIET != 0 {
                self.raw |= 1 << n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_channel_interrupts_and_starts_its_successor() {
        let mut dma = Dma::default();
        dma.write(0x404, 0b11, 0);
        dma.write(0x048, 1, 0); // channel 1: one unit, armed but not triggered
        dma.write(0x050, ENABLE | 1 << 11, 0);
        dma.write(0x000, 0x2000_0000, 0);
        dma.write(0x004, 0x2000_0100, 0);
        dma.write(0x008, 2, 0);
        dma.write(
            0x00C,
            ENABLE | 2 << 2 | INCREMENT_READ | 1 << 11 | UNPACED << 15,
            0,
        );
        assert_eq!(dma.active(), 0b01);
        assert_eq!(dma.take_unit(0).from, 0x2000_0000);
        assert!(!dma.line(0));
        assert_eq!(dma.take_unit(0).from, 0x2000_0004);
        assert!(dma.line(0));
        assert_eq!(dma.active(), 0b10);
    }

    #[test]
    fn a_ring_wraps() {
        let channel = Channel {
            control: 4 << 6,
            ..Channel::default()
        };
        assert_eq!(channel.step(0x2000_000C, 4, true), 0x2000_0000);
        assert_eq!(channel.step(0x2000_000C, 4, false), 0x2000_0010);
    }
}
