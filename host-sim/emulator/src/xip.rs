//! Execute in place: the SSI serial controller and the cache in front of it.
//!
//! # What a miss costs
//!
//! The cache holds 16 KB in two ways of 8-byte lines; the two words of a line are filled one at a
//! time, each by its own serial read. With the settings found in the SSI registers a word costs
//!
//! ```text
//! BAUDR × (instruction + address + wait + 32 data bits, each over its number of lanes) + 8
//! ```
//!
//! cycles of `clk_sys`. The standard W25Q080 second stage leaves BAUDR = 2 and quad continuous
//! read: no instruction, 32 address and mode bits on four lanes (8 clocks), 4 wait clocks,
//! 8 data clocks, so 2 × 20 + 8 = 48 cycles. The constant stands for chip select and bus
//! hand-over; published measurements at 125 MHz lie between 320 ns (40 cycles) and 400 ns (50).
//! Both cores and the DMA share one serial port: a read waits for the one before it.
//!
//! Not modelled: the core's instruction prefetch, the streaming FIFO, reading through the
//! non-allocating aliases (they are served as if allocating), bus contention with SRAM.

use super::flash::Flash;
use super::registers::{aliased, field};
use std::collections::VecDeque;

const SETS: usize = 1024;
const SSI_OVERHEAD: u64 = 8;
const EEPROM_READ: u32 = 3;
const NOWHERE: u32 = u32::MAX;
/// Fastest clock of a W25Q16JV: for all commands, and for the plain read 03h.
const MAX_HZ: u64 = 133_000_000;
const MAX_READ_HZ: u64 = 50_000_000;
const PLAIN_READ: u32 = 0x03;

/// Cache activity of one core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XipCounters {
    /// Words found in the cache. Fetches within the word fetched last are not counted.
    pub hits: u64,
    pub misses: u64,
    /// Cycles spent waiting for misses.
    pub stall_cycles: u64,
}

/// The two lines that share a place in the cache.
#[derive(Clone, Copy, Default)]
struct Set {
    /// Line number << 2 | one valid bit per word.
    ways: [u32; 2],
    /// The way to be replaced next.
    oldest: u8,
}

#[derive(Clone)]
pub(super) struct Xip {
    // SSI registers
    control0: u32,
    frames: u32,
    enable: u32,
    baud: u32,
    spi_control: u32,
    other: [u32; 64],
    sending: Vec<u8>,
    received: VecDeque<u8>,
    sets: Box<[Set; SETS]>,
    cache_control: u32,
    counters: [XipCounters; 2],
    last_fetch: [u32; 2],
    port_free: u64,
    word_cost: u64,
    max_sys_hz: u64,
    readable: bool,
}

impl Xip {
    /// State in which the boot ROM hands over to the second stage: slow serial reads.
    pub(super) fn new() -> Self {
        let mut xip = Xip {
            control0: 0,
            frames: 0,
            enable: 0,
            baud: 0,
            spi_control: 0,
            other: [0; 64],
            sending: Vec::new(),
            received: VecDeque::new(),
            sets: Box::new([Set::default(); SETS]),
            cache_control: 3,
            counters: Default::default(),
            last_fetch: [NOWHERE; 2],
            port_free: 0,
            word_cost: 0,
            max_sys_hz: u64::MAX,
            readable: false,
        };
        xip.enter_slow_read();
        xip
    }

    /// A reset clears the cache and the controller, the counters go on.
    pub(super) fn after_reset(&self) -> Self {
        Xip {
            counters: self.counters,
            ..Xip::new()
        }
    }

    /// The boot ROM's `flash_enter_cmd_xip`: serial 03h reads on one lane.
    pub(super) fn enter_slow_read(&mut self) {
        self.baud = 6;
        self.control0 = 31 << 16 | EEPROM_READ << 8;
        self.spi_control = 0x03 << 24 | 2 << 8 | 6 << 2;
        self.enable = 1;
        self.retune();
    }

    /// The boot ROM's `flash_exit_xip`: the chip listens to commands and cannot be read in place.
    pub(super) fn enter_command_mode(&mut self) {
        self.baud = 6;
        self.control0 = 7 << 16;
        self.frames = 0;
        self.enable = 1;
        self.retune();
    }

    fn retune(&mut self) {
        self.readable = self.enable & 1 != 0 && field(self.control0, 8, 2) == EEPROM_READ;
        self.last_fetch = [NOWHERE; 2];
        let lanes = 1 << field(self.control0, 21, 2).min(2);
        let (instruction_lanes, address_lanes) = match field(self.spi_control, 0, 2) {
            0 => (1, 1),
            1 => (1, lanes),
            _ => (lanes, lanes),
        };
        let instruction = [0, 4, 8, 16][field(self.spi_control, 8, 2) as usize] / instruction_lanes;
        let address = field(self.spi_control, 2, 4) * 4 / address_lanes;
        let wait = field(self.spi_control, 11, 5);
        let clocks = instruction + address + wait + 32 / lanes;
        self.word_cost = u64::from(self.baud.max(2)) * u64::from(clocks) + SSI_OVERHEAD;
        let plain = instruction > 0 && field(self.spi_control, 24, 8) == PLAIN_READ;
        let limit = if plain { MAX_READ_HZ } else { MAX_HZ };
        self.max_sys_hz = if self.readable {
            limit * u64::from(self.baud & !1)
        } else {
            u64::MAX
        };
    }

    /// Whether flash can be read in place right now.
    pub(super) fn is_readable(&self) -> bool {
        self.readable
    }

    /// The fastest system clock at which the flash chip can still follow.
    pub(super) fn max_sys_hz(&self) -> u64 {
        self.max_sys_hz
    }

    /// Cycles a cache miss takes with the present settings.
    pub(super) fn miss_cost(&self) -> u64 {
        self.word_cost
    }

    pub(super) fn counters(&self) -> [XipCounters; 2] {
        self.counters
    }

    pub(super) fn flush(&mut self) {
        self.sets.fill(Set::default());
        self.last_fetch = [NOWHERE; 2];
    }

    /// Whether the last fetch of `core` was from the word of `address`: it costs nothing then.
    #[inline(always)]
    pub(super) fn is_fetched(&self, core: usize, address: u32) -> bool {
        self.last_fetch[core] == address & !3
    }

    /// Instruction fetch: as [`Self::access`], and remembers the word.
    pub(super) fn fetch(&mut self, core: usize, address: u32, cycle: u64) -> u64 {
        self.last_fetch[core] = address & !3;
        self.access(core, address, cycle)
    }

    /// Looks a word up, fills it on a miss; returns the cycles to wait.
    #[inline]
    pub(super) fn access(&mut self, core: usize, address: u32, cycle: u64) -> u64 {
        let line = (address & 0x00FF_FFFF) >> 3;
        let word = 1 << (address >> 2 & 1);
        let set = &mut self.sets[line as usize % SETS];
        for way in 0..2 {
            let entry = &mut set.ways[way];
            if *entry >> 2 == line && *entry & 3 != 0 {
                set.oldest = 1 - way as u8;
                if *entry & word != 0 {
                    self.counters[core].hits += 1;
                    return 0;
                }
                *entry |= word;
                return self.miss(core, cycle);
            }
        }
        let victim = usize::from(set.oldest & 1);
        set.ways[victim] = line << 2 | word;
        set.oldest = 1 - victim as u8;
        self.miss(core, cycle)
    }

    #[cold]
    fn miss(&mut self, core: usize, cycle: u64) -> u64 {
        let start = cycle.max(self.port_free);
        self.port_free = start + self.word_cost;
        let wait = self.port_free - cycle;
        self.counters[core].misses += 1;
        self.counters[core].stall_cycles += wait;
        wait
    }

    /// XIP_CTRL registers.
    pub(super) fn read_cache_register(&self, offset: u32) -> u32 {
        match offset {
            0x00 => self.cache_control,
            0x08 => 0b110, // STAT: flush done, streaming FIFO empty
            0x0C => self.counters.iter().map(|core| core.hits).sum::<u64>() as u32,
            0x10 => self
                .counters
                .iter()
                .map(|core| core.hits + core.misses)
                .sum::<u64>() as u32,
            _ => 0,
        }
    }

    pub(super) fn write_cache_register(&mut self, offset: u32, value: u32, address: u32) {
        match offset {
            0x00 => self.cache_control = aliased(self.cache_control, value, address),
            0x04 => self.flush(),
            0x0C | 0x10 => self.counters = Default::default(),
            _ => {}
        }
    }

    pub(super) fn read_ssi(&mut self, offset: u32, flash: &Flash) -> u32 {
        match offset {
            0x00 => self.control0,
            0x04 => self.frames,
            0x08 => self.enable,
            0x14 => self.baud,
            0x28 => {
                self.finish_transaction(flash);
                0b110 | u32::from(!self.received.is_empty()) << 3
            }
            0x60..0xF0 => {
                self.finish_transaction(flash);
                u32::from(self.received.pop_front().unwrap_or(0))
            }
            0xF4 => self.spi_control,
            _ => self.other[(offset as usize / 4) & 63],
        }
    }

    pub(super) fn write_ssi(&mut self, offset: u32, value: u32) {
        match offset {
            0x00 => self.control0 = value,
            0x04 => self.frames = value,
            0x08 => {
                self.enable = value;
                self.sending.clear();
                self.received.clear();
            }
            0x14 => self.baud = value,
            0x60..0xF0 => self.sending.push(value as u8),
            0xF4 => self.spi_control = value,
            _ => self.other[(offset as usize / 4) & 63] = value,
        }
        self.retune();
    }

    /// Software queues a whole command and then polls the status, so the first poll is the moment
    /// at which the command is played on the wire.
    fn finish_transaction(&mut self, flash: &Flash) {
        let Some((&command, rest)) = self.sending.split_first() else {
            return;
        };
        if field(self.control0, 8, 2) == EEPROM_READ {
            self.received
                .extend(flash.answer(command, self.frames as usize + 1));
        } else {
            self.received.push_back(0xFF);
            self.received.extend(flash.answer(command, rest.len()));
        }
        self.sending.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_the_second_stage_leaves_it() -> Xip {
        let mut xip = Xip::new();
        xip.write_ssi(0x08, 0);
        xip.write_ssi(0x14, 2);
        xip.write_ssi(0x00, 2 << 21 | 31 << 16 | EEPROM_READ << 8);
        xip.write_ssi(0xF4, 0xA0 << 24 | 4 << 11 | 8 << 2 | 2);
        assert!(!xip.is_readable());
        xip.write_ssi(0x08, 1);
        xip
    }

    #[test]
    fn the_standard_second_stage_gives_48_cycles_a_word() {
        let xip = as_the_second_stage_leaves_it();
        assert!(xip.is_readable());
        assert_eq!(xip.miss_cost(), 2 * (8 + 4 + 8) + SSI_OVERHEAD);
        assert_eq!(Xip::new().miss_cost(), 6 * (8 + 24 + 32) + SSI_OVERHEAD);
    }

    #[test]
    fn words_of_a_line_are_filled_one_by_one() {
        let mut xip = as_the_second_stage_leaves_it();
        assert_eq!(xip.access(0, 0x1000_0000, 0), 48);
        assert_eq!(xip.access(0, 0x1000_0000, 100), 0);
        assert_eq!(xip.access(0, 0x1000_0004, 100), 48);
        assert_eq!(xip.access(1, 0x1000_0004, 200), 0);
    }

    #[test]
    fn a_third_line_of_a_set_evicts_the_oldest() {
        let mut xip = as_the_second_stage_leaves_it();
        for (address, hit) in [
            (0x0000, false),
            (0x2000, false),
            (0x0000, true),
            (0x4000, false),
            (0x0000, true),
            (0x2000, false),
        ] {
            assert_eq!(
                xip.access(0, 0x1000_0000 + address, 10_000) == 0,
                hit,
                "{address:#x}"
            );
            xip.port_free = 0;
        }
    }

    #[test]
    fn cores_share_the_serial_port() {
        let mut xip = as_the_second_stage_leaves_it();
        assert_eq!(xip.access(0, 0x1000_0000, 0), 48);
        assert_eq!(xip.access(1, 0x1000_0100, 10), 86);
    }
}
