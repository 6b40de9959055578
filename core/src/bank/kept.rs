//! Brains trained and kept on the device: two slots of flash, written in turn.
//!
//! Each slot holds a complete bank with the newest brain of every game, and behind it a seal with a
//! generation number. To keep a brain, the older slot is erased, the bank is written, and the seal
//! last: whenever the power fails, one of the two slots is valid. `docs/flash-map.md` has the
//! layout.
//!
//! Nothing here touches flash: [`Keeping::step`] returns the next operation for the owner of the
//! flash.

use super::layout::{Extent, header};
use super::{ALIGN, Bank, CRC, ENTRY, HEADER, Meta, field};
use crate::fraction::Fraction;
use crate::game_id::GameId;

/// Bytes of a slot.
pub const SLOT: usize = 64 * 1024;
/// Bytes of both slots.
pub const REGION: usize = 2 * SLOT;
/// Bytes of an erase sector.
pub const SECTOR: usize = 4096;
/// Bytes of a write page.
pub const PAGE: usize = 256;
/// Most brains that are kept: one for each game with a pupil.
pub const BRAINS: usize = 2;

/// Offset of the seal in a slot.
const SEAL: usize = SLOT - PAGE;
/// Bytes for the bank: the seal has its sector for itself.
const ROOM: usize = SLOT - SECTOR;
const SEAL_MAGIC: [u8; 8] = *b"DOJOKEPT";
/// Magic, game, three bytes of padding, generation, checksum of the bank, checksum of the seal.
const SEAL_BYTES: usize = 24;

fn seal(game: GameId, generation: u32, bank: u32) -> [u8; SEAL_BYTES] {
    let mut seal = [0; SEAL_BYTES];
    seal[..8].copy_from_slice(&SEAL_MAGIC);
    seal[8] = game as u8;
    seal[12..16].copy_from_slice(&generation.to_le_bytes());
    seal[16..20].copy_from_slice(&bank.to_le_bytes());
    let crc = CRC.checksum(&seal[..20]);
    seal[20..].copy_from_slice(&crc.to_le_bytes());
    seal
}

/// A valid slot.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The brains.
    pub bank: Bank<'a>,
    /// The game whose brain was kept last.
    pub last: GameId,
    slot: usize,
    generation: u32,
}

impl<'a> Kept<'a> {
    /// Reads a slot and checks everything, including payloads.
    fn read(number: usize, slot: &'a [u8]) -> Option<Kept<'a>> {
        let found: [u8; SEAL_BYTES] = field(slot.get(SEAL..SLOT)?, 0);
        let last = GameId::from_code(found[8])?;
        let generation = u32::from_le_bytes(field(&found, 12));
        let bank = Bank::new(&slot[..ROOM]).ok()?;
        let whole = bank.entries().all(|entry| entry.payload().is_ok());
        let sealed = found == seal(last, generation, bank.crc());
        (whole && sealed).then_some(Kept {
            bank,
            last,
            slot: number,
            generation,
        })
    }

    /// The newest valid slot of the two.
    pub fn newest(slots: [&'a [u8]; 2]) -> Option<Kept<'a>> {
        let [first, second] = [0, 1].map(|number| Kept::read(number, slots[number]));
        match (first, second) {
            (Some(a), Some(b)) => Some(if a.generation > b.generation { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// The newest valid slot of a region read back from a device.
    pub fn in_region(region: &'a [u8]) -> Option<Kept<'a>> {
        let (first, second) = region.split_at_checked(SLOT)?;
        Kept::newest([first, second])
    }

    /// Invalidates this slot: the older one becomes the newest again, if there is one.
    pub fn discard(&self) -> FlashStep {
        FlashStep::Erase((self.slot * SLOT + ROOM) as u32)
    }
}

/// The values of a brain.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// As stored in banks.
    Bytes(&'a [u8]),
    /// As learners have them; rounded to bytes when written.
    Words(&'a [u16]),
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Values::Bytes(bytes) => bytes.len(),
            Values::Words(words) => words.len(),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        match self {
            Values::Bytes(bytes) => bytes.get(at).copied(),
            Values::Words(words) => words.get(at).map(|word| word.byte()),
        }
    }

    fn crc(&self) -> u32 {
        let mut digest = CRC.digest();
        match self {
            Values::Bytes(bytes) => digest.update(bytes),
            Values::Words(words) => words.iter().for_each(|word| digest.update(&[word.byte()])),
        }
        digest.finalize()
    }
}

/// A brain on its way into flash.
#[derive(Clone, Copy, Debug)]
pub struct Brain<'a> {
    /// Its metadata.
    pub meta: Meta,
    /// Its values.
    pub values: Values<'a>,
}

/// One flash operation. Offsets count from the start of the region.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "pages are what it is for, and there is no heap"
)]
pub enum FlashStep {
    /// Erase the sector that begins here.
    Erase(u32),
    /// Write a page.
    Write(u32, [u8; PAGE]),
}

impl FlashStep {
    /// Applies it to an image of the region in memory.
    pub fn carry_out(&self, region: &mut [u8]) {
        match self {
            FlashStep::Erase(at) => region
                .iter_mut()
                .skip(*at as usize)
                .take(SECTOR)
                .for_each(|byte| *byte = 0xFF),
            FlashStep::Write(at, page) => {
                region
                    .iter_mut()
                    .skip(*at as usize)
                    .zip(page)
                    .for_each(|(cell, byte)| *cell &= byte);
            }
        }
    }
}

/// The sequence of flash operations that keeps a brain beside those of other games.
#[derive(Clone, Debug)]
pub struct Keeping<'a> {
    brains: heapless::Vec<(Brain<'a>, Extent), BRAINS>,
    head: heapless::Vec<u8, { HEADER + BRAINS * ENTRY }>,
    seal: [u8; SEAL_BYTES],
    slot: usize,
    length: usize,
}

impl<'a> Keeping<'a> {
    /// Keeps `brain` and the brains of other games in `old`; `None` if they do not fit a slot.
    pub fn new(old: Option<&Kept<'a>>, brain: Brain<'a>) -> Option<Keeping<'a>> {
        let others = old.into_iter().flat_map(|old| old.bank.entries());
        let others = others.filter(|entry| entry.meta.game != brain.meta.game);
        let others = others.map(|entry| Brain {
            meta: entry.meta,
            values: Values::Bytes(entry.bytes()),
        });
        let all: heapless::Vec<Brain<'a>, BRAINS> =
            core::iter::once(brain).chain(others).take(BRAINS).collect();
        let mut length = HEADER + all.len() * ENTRY;
        let mut brains = heapless::Vec::new();
        let mut head = heapless::Vec::new();
        head.extend_from_slice(&[0; HEADER]).ok()?;
        for brain in all {
            let extent = Extent {
                offset: length,
                length: brain.values.len(),
                crc: brain.values.crc(),
            };
            length = (length + extent.length).next_multiple_of(ALIGN);
            head.extend_from_slice(&brain.meta.entry(&extent)).ok()?;
            brains.push((brain, extent)).ok()?;
        }
        let (start, table) = head.split_at_mut(HEADER);
        start.copy_from_slice(&header(table, length));
        let crc = u32::from_le_bytes(field(start, super::HEADER_CRC));
        let generation = old.map_or(1, |old| old.generation.saturating_add(1));
        let slot = old.map_or(0, |old| 1 - old.slot);
        let seal = seal(brain.meta.game, generation, crc);
        (length <= ROOM).then_some(Keeping {
            brains,
            head,
            seal,
            slot,
            length,
        })
    }

    /// Operation `number`, from 0; `None` after the last one.
    pub fn step(&self, number: usize) -> Option<FlashStep> {
        let (sectors, pages) = (self.length.div_ceil(SECTOR), self.length.div_ceil(PAGE));
        let at = |offset: usize| (self.slot * SLOT + offset) as u32;
        let mut page = [0xFF; PAGE];
        // The old seal is erased first, so that it never vouches for half a bank; the new one comes
        // last.
        match number {
            0 => Some(FlashStep::Erase(at(ROOM))),
            number if number <= sectors => Some(FlashStep::Erase(at((number - 1) * SECTOR))),
            number if number <= sectors + pages => {
                let start = (number - 1 - sectors) * PAGE;
                for (i, byte) in page.iter_mut().enumerate() {
                    *byte = self.byte(start + i);
                }
                Some(FlashStep::Write(at(start), page))
            }
            number if number == sectors + pages + 1 => {
                page[..SEAL_BYTES].copy_from_slice(&self.seal);
                Some(FlashStep::Write(at(SEAL), page))
            }
            _ => None,
        }
    }

    /// A byte of the bank; 0 in the padding between payloads.
    fn byte(&self, at: usize) -> u8 {
        if let Some(&byte) = self.head.get(at) {
            return byte;
        }
        let inside = |extent: &Extent| (extent.offset..extent.offset + extent.length).contains(&at);
        let brain = self.brains.iter().find(|(_, extent)| inside(extent));
        brain
            .and_then(|(brain, extent)| brain.values.byte(at - extent.offset))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::games::dots::learner::LEAVE_VALUES;
    use crate::games::pupil::Pupil;

    fn keep(region: &mut [u8], pupil: &Pupil<'_>) {
        let before = region.to_vec();
        let keeping = Keeping::new(Kept::in_region(&before).as_ref(), pupil.brain(7)).unwrap();
        (0..)
            .map_while(|number| keeping.step(number))
            .for_each(|step| step.carry_out(region));
    }

    fn games(region: &[u8]) -> heapless::Vec<(GameId, u64), 2> {
        let kept = Kept::in_region(region);
        kept.iter()
            .flat_map(|kept| kept.bank.entries())
            .map(|entry| (entry.meta.game, entry.meta.games))
            .collect()
    }

    #[test]
    fn the_newest_brain_of_each_game_is_kept_and_the_last_keeping_can_be_taken_back() {
        let mut region = vec![0xFF; REGION];
        assert!(Kept::in_region(&region).is_none());
        let mut table = vec![0; LEAVE_VALUES];
        let mut pupil = Pupil::new(GameId::Sticks, &mut table[..], 7).unwrap();
        pupil.step(10);
        keep(&mut region, &pupil);
        assert_eq!(games(&region), [(GameId::Sticks, 10)]);
        pupil.step(10);
        keep(&mut region, &pupil);
        let expected = pupil.values().to_vec();
        let mut dots = Pupil::new(GameId::Dots, &mut table[..], 7).unwrap();
        dots.step(30);
        keep(&mut region, &dots);
        assert_eq!(games(&region), [(GameId::Dots, 30), (GameId::Sticks, 20)]);
        let kept = Kept::in_region(&region).unwrap();
        assert_eq!(kept.last, GameId::Dots);
        let sticks = kept.bank.entries().nth(1).unwrap();
        assert!(
            sticks
                .payload()
                .unwrap()
                .iter()
                .copied()
                .eq(expected.iter().map(|word| word.byte()))
        );
        let step = kept.discard();
        step.carry_out(&mut region);
        assert_eq!(games(&region), [(GameId::Sticks, 20)]);
    }

    #[test]
    fn whatever_is_left_undone_the_old_or_the_new_is_there() {
        let mut region = vec![0xFF; REGION];
        let mut none = [];
        let mut pupil = Pupil::new(GameId::Sticks, &mut none, 1).unwrap();
        for round in 1..4 {
            pupil.step(5);
            let before = region.clone();
            let old = games(&before);
            let keeping = Keeping::new(Kept::in_region(&before).as_ref(), pupil.brain(1)).unwrap();
            let steps: Vec<FlashStep> = (0..).map_while(|number| keeping.step(number)).collect();
            for done in 0..steps.len() {
                let mut torn = before.clone();
                steps[..done]
                    .iter()
                    .for_each(|step| step.carry_out(&mut torn));
                assert_eq!(games(&torn), old, "{done} steps");
                // Half of the next operation: every other bit of its page, or half a sector.
                match &steps[done] {
                    FlashStep::Erase(at) => torn[*at as usize..][..SECTOR / 2].fill(0xFF),
                    FlashStep::Write(at, page) => {
                        FlashStep::Write(*at, page.map(|byte| byte | 0x55)).carry_out(&mut torn)
                    }
                }
                assert_eq!(games(&torn), old, "{done} steps and a half");
            }
            steps.iter().for_each(|step| step.carry_out(&mut region));
            assert_eq!(games(&region), [(GameId::Sticks, round * 5)]);
        }
    }

    #[test]
    fn every_changed_byte_of_a_slot_is_noticed_and_the_slot_before_counts() {
        let mut none = [];
        let mut pupil = Pupil::new(GameId::Sticks, &mut none, 1).unwrap();
        let mut region = vec![0xFF; REGION];
        for games_before in [0, 5, 10] {
            let old = games(&region);
            pupil.step(5);
            keep(&mut region, &pupil);
            let kept = Kept::in_region(&region).unwrap();
            let (slot, length) = (kept.slot * SLOT, kept.bank.bytes().len());
            for at in (slot..slot + length).chain(slot + SEAL..slot + SEAL + SEAL_BYTES) {
                let mut damaged = region.clone();
                damaged[at] ^= 1;
                assert_eq!(games(&damaged), old, "byte {at} after {games_before} games");
            }
        }
    }

    #[test]
    fn a_keeping_can_be_taken_back_in_either_slot() {
        let mut none = [];
        let mut pupil = Pupil::new(GameId::Sticks, &mut none, 1).unwrap();
        let mut region = vec![0xFF; REGION];
        let mut seen = vec![];
        for _ in 0..3 {
            let old = games(&region);
            pupil.step(5);
            keep(&mut region, &pupil);
            let before = region.clone();
            let kept = Kept::in_region(&before).unwrap();
            seen.push(kept.slot);
            let mut region = region.clone();
            kept.discard().carry_out(&mut region);
            assert_eq!(games(&region), old);
        }
        assert_eq!(seen, [0, 1, 0]);
    }

    #[test]
    fn used_flash_is_erased_before_it_is_written() {
        let mut table = vec![0; LEAVE_VALUES];
        let mut pupil = Pupil::new(GameId::Dots, &mut table[..], 7).unwrap();
        pupil.step(30);
        let mut region = vec![0; REGION];
        keep(&mut region, &pupil);
        assert!(
            Kept::in_region(&region).unwrap().bank.bytes().len() > SECTOR,
            "several sectors"
        );
        assert_eq!(games(&region), [(GameId::Dots, 30)]);
    }

    #[test]
    fn a_bank_that_reaches_the_sector_of_the_seal_is_refused() {
        let table = vec![0; ROOM];
        let mut none = [];
        let meta = Pupil::new(GameId::Sticks, &mut none, 1)
            .unwrap()
            .brain(1)
            .meta;
        let fits = |length| {
            Keeping::new(
                None,
                Brain {
                    meta,
                    values: Values::Bytes(&table[..length]),
                },
            )
            .is_some()
        };
        let most = ROOM - HEADER - ENTRY;
        assert!(fits(most) && !fits(most + 1));
    }
}
