//! The region of saves, written as the firmware writes it: a device can be switched on in the
//! middle of a game.

use std::convert::Infallible;

use dojo_core::flash_map::SAVE;
use dojo_handheld::{Console, Event, MAX_BYTES, Session, Slot};
use embassy_futures::block_on;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use sequential_storage::cache::Cache;
use sequential_storage::map::{MapConfig, MapStorage};

/// Where the region begins.
pub const SAVES_ADDRESS: u32 = SAVE.address;
/// Its length.
pub const SAVES_BYTES: u32 = SAVE.length;

/// The region with this game in it; `None` if the game is too long to be kept.
pub fn with_game(session: &Session) -> Option<Vec<u8>> {
    with_slots(&slots_of_game(session)?)
}

/// The slots that a device with this running game has; `None` if the game is too long to be kept.
pub fn slots_of_game(session: &Session) -> Option<Vec<(Slot, Vec<u8>)>> {
    let mut bytes = [0; MAX_BYTES];
    // A console that takes the game up has it played last in its settings.
    let mut console = Console::new(0);
    console.handle(Event::Restore(Slot::OldGame, session.kept(&mut bytes)?));
    [Slot::Settings, Slot::Game(session.game().id())]
        .into_iter()
        .map(|slot| Some((slot, console.kept(slot, &mut bytes)?.to_vec())))
        .collect()
}

/// The region with these slots in it; `None` if they do not fit.
pub fn with_slots(slots: &[(Slot, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut flash = RamFlash::blank();
    let mut map = MapStorage::<u8, _, _>::new(
        &mut flash,
        MapConfig::new(0..SAVES_BYTES),
        Cache::new_uncached(),
    );
    let mut buffer = [0; 2 * MAX_BYTES];
    for (slot, value) in slots {
        block_on(map.store_item(&mut buffer, &slot.key(), &&value[..])).ok()?;
    }
    Some(flash.bytes)
}

/// The slots in a region, in the order of [`Slot::ALL`]; `None` if it cannot be read.
pub fn slots_in(region: &[u8]) -> Option<Vec<(Slot, Vec<u8>)>> {
    let mut flash = RamFlash::blank();
    flash.bytes = region.to_vec();
    flash.bytes.resize(SAVES_BYTES as usize, 0xFF);
    let mut map = MapStorage::<u8, _, _>::new(
        &mut flash,
        MapConfig::new(0..SAVES_BYTES),
        Cache::new_uncached(),
    );
    let mut found = vec![];
    for slot in Slot::ALL {
        let mut buffer = [0; 2 * MAX_BYTES];
        let value = block_on(map.fetch_item::<&[u8]>(&mut buffer, &slot.key())).ok()?;
        found.extend(value.map(|value| (slot, value.to_vec())));
    }
    Some(found)
}

/// NOR flash in memory, with the sizes of the device's driver; counts its erases.
#[derive(Clone, Debug)]
pub struct RamFlash {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Sectors erased so far.
    pub erases: usize,
}

impl RamFlash {
    /// A region that was never written.
    pub fn blank() -> RamFlash {
        RamFlash {
            bytes: vec![0xFF; SAVES_BYTES as usize],
            erases: 0,
        }
    }

    /// Bytes left in the sector that is being filled.
    pub fn left(&self) -> usize {
        let open = |sector: &&[u8]| sector[0] != 0xFF && sector[4095] == 0xFF;
        let current = self.bytes.chunks(4096).find(open);
        current.map_or(4096, |sector| {
            sector
                .iter()
                .rev()
                .take_while(|byte| **byte == 0xFF)
                .count()
        })
    }
}

impl ErrorType for RamFlash {
    type Error = Infallible;
}

impl ReadNorFlash for RamFlash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for RamFlash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = 4096;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        self.bytes[from as usize..to as usize].fill(0xFF);
        self.erases += 1;
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes[offset as usize..]
            .iter_mut()
            .zip(bytes)
            .for_each(|(cell, byte)| *cell &= byte);
        Ok(())
    }
}
