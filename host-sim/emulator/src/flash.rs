//! The QSPI flash chip: 2 MB of NOR with real erase and program times, a log of every operation,
//! and power cuts at a chosen one.
//!
//! NOR rules hold: programming only clears bits, erasing sets whole sectors. An operation cut in
//! the middle leaves what a chip may leave: half a page, half an erased sector with the rest
//! scrambled, the same way every time.

use std::sync::Arc;

use pico_image::{FLASH_SIZE, SECTOR_SIZE};

/// Unit of the large erase command.
pub const BLOCK_SIZE: u32 = 65_536;
/// Largest number of bytes that one program command writes.
pub const PAGE_SIZE: u32 = 256;

/// Kind of a flash command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashOperationKind {
    EraseSector,
    EraseBlock,
    ProgramPage,
}

/// An entry of the operation log. Its index in the log is the operation's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashOperation {
    pub kind: FlashOperationKind,
    /// Offset from the start of flash.
    pub offset: u32,
    pub length: u32,
    /// Emulated time at which it began.
    pub start_us: u64,
}

/// When, within an operation, the power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutMoment {
    /// The command never reaches the chip.
    Before,
    /// Half-way: half a page is programmed, or half a sector erased and the rest scrambled.
    Middle,
    /// As `Middle`, but the second half of a page also lost a random part of its bits.
    MiddleTorn,
    /// The operation is complete, the firmware never learns of it.
    After,
}

/// How long the chip takes for each kind of operation. See [`Flash::vary_timing`] for times that
/// differ from one operation to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashTiming {
    pub sector_erase_us: u64,
    pub block_erase_us: u64,
    pub page_program_us: u64,
}

impl FlashTiming {
    /// Typical times of a W25Q16JV's data sheet, at some 0.7 ms a page.
    pub const TYPICAL: FlashTiming = FlashTiming {
        sector_erase_us: 45_000,
        block_erase_us: 150_000,
        page_program_us: 700,
    };
    /// The longest times that the data sheet allows.
    pub const MAXIMUM: FlashTiming = FlashTiming {
        sector_erase_us: 400_000,
        block_erase_us: 2_000_000,
        page_program_us: 3_000,
    };

    fn of(&self, kind: FlashOperationKind) -> u64 {
        match kind {
            FlashOperationKind::EraseSector => self.sector_erase_us,
            FlashOperationKind::EraseBlock => self.block_erase_us,
            FlashOperationKind::ProgramPage => self.page_program_us,
        }
    }
}

impl Default for FlashTiming {
    fn default() -> Self {
        FlashTiming::TYPICAL
    }
}

/// The chip's contents, its history and its settings.
#[derive(Clone)]
pub struct Flash {
    /// Shared between clones of a machine until one of them writes.
    bytes: Arc<Vec<u8>>,
    log: Vec<FlashOperation>,
    cut: Option<(usize, CutMoment)>,
    pub timing: FlashTiming,
    /// Source of random times, if [`Self::vary_timing`] was called.
    jitter: Option<Noise>,
    /// Answer to the "read unique id" command.
    pub unique_id: [u8; 8],
}

/// How an operation ended.
pub(super) enum Outcome {
    Done { us: u64 },
    PowerLost { us: u64 },
}

impl Flash {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        debug_assert_eq!(bytes.len(), FLASH_SIZE);
        Flash {
            bytes: Arc::new(bytes),
            log: Vec::new(),
            cut: None,
            timing: FlashTiming::default(),
            jitter: None,
            unique_id: *b"\xE6\x61\x64\x08\x43\x55\x2A\x17",
        }
    }

    /// All 2 MB.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Every erase and program so far.
    pub fn log(&self) -> &[FlashOperation] {
        &self.log
    }

    /// Cuts the power at operation number `operation` (the next one is `log().len()`).
    pub fn cut_power_at(&mut self, operation: usize, moment: CutMoment) {
        self.cut = Some((operation, moment));
    }

    pub fn cancel_power_cut(&mut self) {
        self.cut = None;
    }

    /// From now on every operation takes a random time between [`Self::timing`] and
    /// [`FlashTiming::MAXIMUM`], the same ones for the same seed.
    pub fn vary_timing(&mut self, seed: u32) {
        self.jitter = Some(Noise::new(seed));
    }

    /// Time that the next operation of a kind takes.
    fn duration(&mut self, kind: FlashOperationKind) -> u64 {
        let (least, most) = (self.timing.of(kind), FlashTiming::MAXIMUM.of(kind));
        let share = self
            .jitter
            .as_mut()
            .map_or(0, |noise| u64::from(noise.byte()));
        least + most.saturating_sub(least) * share / 255
    }

    /// Overwrites a region as a programmer would, without time passing.
    /// Returns `false`, and changes nothing, if the region does not fit.
    pub(super) fn patch(&mut self, offset: u32, data: &[u8]) -> bool {
        let start = offset as usize;
        let region = start
            .checked_add(data.len())
            .and_then(|end| Arc::make_mut(&mut self.bytes).get_mut(start..end));
        region.map(|region| region.copy_from_slice(data)).is_some()
    }

    pub(super) fn erase(&mut self, offset: u32, block: bool, start_us: u64) -> Outcome {
        let (kind, length) = if block {
            (FlashOperationKind::EraseBlock, BLOCK_SIZE)
        } else {
            (FlashOperationKind::EraseSector, SECTOR_SIZE)
        };
        let us = self.duration(kind);
        let start = offset as usize & (FLASH_SIZE - 1) & !(length as usize - 1);
        let moment = self.begin(kind, start as u32, length, start_us);
        let sector = &mut Arc::make_mut(&mut self.bytes)[start..start + length as usize];
        match moment {
            Some(CutMoment::Before) => return Outcome::PowerLost { us: 0 },
            Some(CutMoment::Middle | CutMoment::MiddleTorn) => {
                let (erased, disturbed) = sector.split_at_mut(length as usize / 2);
                erased.fill(0xFF);
                let mut noise = Noise::new(offset);
                disturbed.iter_mut().for_each(|byte| *byte |= noise.byte());
                return Outcome::PowerLost { us: us / 2 };
            }
            Some(CutMoment::After) | None => sector.fill(0xFF),
        }
        self.end(moment, us)
    }

    pub(super) fn program(&mut self, offset: u32, data: &[u8], start_us: u64) -> Outcome {
        let us = self.duration(FlashOperationKind::ProgramPage);
        let start = offset as usize & (FLASH_SIZE - 1);
        let moment = self.begin(
            FlashOperationKind::ProgramPage,
            start as u32,
            data.len() as u32,
            start_us,
        );
        let end = (start + data.len()).min(FLASH_SIZE);
        let page = Arc::make_mut(&mut self.bytes)[start..end]
            .iter_mut()
            .zip(data);
        let half = data.len() / 2;
        match moment {
            Some(CutMoment::Before) => return Outcome::PowerLost { us: 0 },
            Some(CutMoment::Middle) => page.take(half).for_each(|(byte, new)| *byte &= new),
            Some(CutMoment::MiddleTorn) => {
                let mut noise = Noise::new(offset);
                for (index, (byte, new)) in page.enumerate() {
                    *byte &= if index < half {
                        *new
                    } else {
                        new | noise.byte()
                    };
                }
            }
            Some(CutMoment::After) | None => page.for_each(|(byte, new)| *byte &= new),
        }
        match moment {
            Some(CutMoment::Middle | CutMoment::MiddleTorn) => Outcome::PowerLost { us: us / 2 },
            _ => self.end(moment, us),
        }
    }

    fn begin(
        &mut self,
        kind: FlashOperationKind,
        offset: u32,
        length: u32,
        start_us: u64,
    ) -> Option<CutMoment> {
        let number = self.log.len();
        self.log.push(FlashOperation {
            kind,
            offset,
            length,
            start_us,
        });
        self.cut
            .take_if(|(operation, _)| *operation == number)
            .map(|(_, moment)| moment)
    }

    fn end(&self, moment: Option<CutMoment>, us: u64) -> Outcome {
        if moment.is_some() {
            Outcome::PowerLost { us }
        } else {
            Outcome::Done { us }
        }
    }

    /// Answers a serial command; `extra` bytes follow the command byte on the wire.
    pub(super) fn answer(&self, command: u8, extra: usize) -> Vec<u8> {
        let meaning: Vec<u8> = match command {
            0x05 => vec![0x00; extra], // status 1: never busy by the time it is read
            0x35 => vec![0x02; extra], // status 2: quad enable, as delivered on a Pico
            0x9F => vec![0xEF, 0x70, 0x15], // JEDEC id: Winbond, 2 MB
            0x4B => [&[0; 4][..], &self.unique_id].concat(), // four dummy bytes precede the id
            _ => Vec::new(),
        };
        let mut bytes = meaning;
        bytes.resize(extra, 0xFF);
        bytes
    }
}

/// Small repeatable noise source for half-done operations and random times.
#[derive(Clone)]
struct Noise(u32);

impl Noise {
    fn new(seed: u32) -> Self {
        Noise(seed.wrapping_mul(0x9E37_79B9) | 1)
    }

    fn byte(&mut self) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 12) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flash_of_zeros() -> Flash {
        Flash::new(vec![0; FLASH_SIZE])
    }

    #[test]
    fn programming_only_clears_bits() {
        let mut flash = flash_of_zeros();
        flash.erase(0x1000, false, 0);
        flash.program(0x1000, &[0xF0; 256], 0);
        flash.program(0x1000, &[0x3C; 256], 0);
        assert!(
            flash.bytes()[0x1000..0x1100]
                .iter()
                .all(|&byte| byte == 0x30)
        );
        assert_eq!(flash.log().len(), 3);
    }

    #[test]
    fn a_cut_in_the_middle_leaves_half() {
        let mut flash = flash_of_zeros();
        flash.cut_power_at(0, CutMoment::Middle);
        assert!(matches!(
            flash.erase(0x2000, false, 0),
            Outcome::PowerLost { us: 22_500 }
        ));
        let sector = &flash.bytes()[0x2000..0x3000];
        assert!(sector[..2048].iter().all(|&byte| byte == 0xFF));
        assert!(
            sector[2048..].iter().any(|&byte| byte != 0xFF)
                && sector[2048..].iter().any(|&byte| byte != 0)
        );

        flash.erase(0x2000, false, 0);
        flash.cut_power_at(2, CutMoment::Middle);
        flash.program(0x2000, &[0; 256], 0);
        assert_eq!((flash.bytes()[0x207F], flash.bytes()[0x2080]), (0, 0xFF));
    }

    #[test]
    fn a_block_erase_takes_sixteen_sectors_at_once() {
        let mut flash = flash_of_zeros();
        let outcome = flash.erase(BLOCK_SIZE, true, 0);
        assert!(matches!(outcome, Outcome::Done { us: 150_000 }));
        let erased = flash.bytes().iter().filter(|&&byte| byte == 0xFF).count();
        assert_eq!(erased, BLOCK_SIZE as usize);
        assert_eq!(flash.log()[0].kind, FlashOperationKind::EraseBlock);
    }

    #[test]
    fn times_are_typical_or_the_longest_or_random_by_seed() {
        let times = |prepare: &dyn Fn(&mut Flash)| -> Vec<u64> {
            let mut flash = flash_of_zeros();
            prepare(&mut flash);
            let us = |outcome| match outcome {
                Outcome::Done { us } | Outcome::PowerLost { us } => us,
            };
            (0..20)
                .flat_map(|_| [us(flash.erase(0, false, 0)), us(flash.program(0, &[0], 0))])
                .collect()
        };
        assert_eq!(times(&|_| {})[..2], [45_000, 700]);
        assert_eq!(
            times(&|flash| flash.timing = FlashTiming::MAXIMUM)[..2],
            [400_000, 3_000]
        );
        let random = times(&|flash| flash.vary_timing(7));
        assert!(
            random
                .iter()
                .step_by(2)
                .all(|us| (45_000..=400_000).contains(us)),
            "{random:?}"
        );
        assert!(
            random
                .iter()
                .skip(1)
                .step_by(2)
                .all(|us| (700..=3_000).contains(us)),
            "{random:?}"
        );
        assert!(
            random
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len()
                > 20,
            "{random:?}"
        );
        assert_eq!(random, times(&|flash| flash.vary_timing(7)));
        assert_ne!(random, times(&|flash| flash.vary_timing(8)));
    }

    #[test]
    fn a_cut_happens_once() {
        let mut flash = flash_of_zeros();
        flash.cut_power_at(0, CutMoment::Before);
        assert!(matches!(
            flash.erase(0, false, 0),
            Outcome::PowerLost { .. }
        ));
        assert_eq!(flash.bytes()[0], 0);
        assert!(matches!(flash.erase(0, false, 0), Outcome::Done { .. }));
    }

    #[test]
    fn a_patch_outside_the_chip_is_refused() {
        assert!(!flash_of_zeros().patch(FLASH_SIZE as u32 - 1, &[1, 2]));
        assert!(flash_of_zeros().patch(FLASH_SIZE as u32 - 2, &[1, 2]));
    }
}
