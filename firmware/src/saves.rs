//! What is kept over a restart: a log-structured map in the SAVE region (`docs/save-format.md` has
//! the bytes), and the brains in the USER region, whose bytes `dojo_core::bank::kept` knows.

use dojo_core::bank::kept::{FlashStep, REGION};
use dojo_core::flash_map;
use dojo_handheld::{MAX_BYTES, Slot};
use embassy_rp::Peri;
use embassy_rp::flash::{self, Blocking, ERASE_SIZE, Flash};
use embassy_rp::peripherals::FLASH;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use sequential_storage::Error;
use sequential_storage::cache::Cache;
use sequential_storage::cache::key_pointers::ArrayKeyPointers;
use sequential_storage::cache::page_pointers::ArrayPagePointers;
use sequential_storage::cache::page_states::ArrayPageStates;
use sequential_storage::map::{MapConfig, MapStorage};

use crate::boards::FLASH_BYTES;
use crate::crash;

/// The region of the saves, counted from the start of the flash.
const START: u32 = flash_map::SAVE.offset();
const END: u32 = START + flash_map::SAVE.length;
/// The region of the brains.
const USER: u32 = flash_map::USER.offset();
const _: () = assert!(
    USER + flash_map::USER.length == START && flash_map::USER.length as usize == REGION,
    "the brains end where the saves begin"
);
const _: () = assert!(
    END as usize <= FLASH_BYTES,
    "the map is larger than the flash"
);

/// Stored in the place of the settings: a factory reset is requested. No layout of settings has
/// this version.
const RESET: &[u8] = b"\xFFRESET";
/// Written to the start of USER once it is erased: SAVE is next, and a half-erased store cannot
/// hold [`RESET`].
const USER_IS_ERASED: [u8; 8] = *b"DOJORSET";

/// The key of padding items.
const FILLER: u8 = 0;
/// A sector with less room than this is closed while nobody plays. Enough for ten moves.
const LOW: usize = 1024;

const SECTORS: usize = (END - START) as usize / ERASE_SIZE;
/// The slots and the filler.
const KEYS: usize = Slot::ALL.len() + 1;

/// Cache of pages and keys. Without it, closing a sector takes most of a second of searching.
type Memory =
    Cache<ArrayPageStates<SECTORS>, ArrayPagePointers<SECTORS>, ArrayKeyPointers<u8, KEYS>, u8>;

/// The flash driver, which erases a sector at a time and feeds the watchdog in between: sixteen
/// sectors in one call may take longer than the watchdog waits.
struct Driver(Flash<'static, FLASH, Blocking, FLASH_BYTES>);

impl ErrorType for Driver {
    type Error = flash::Error;
}

impl ReadNorFlash for Driver {
    const READ_SIZE: usize = flash::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), flash::Error> {
        self.0.blocking_read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        FLASH_BYTES
    }
}

impl NorFlash for Driver {
    const WRITE_SIZE: usize = flash::WRITE_SIZE;
    const ERASE_SIZE: usize = flash::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), flash::Error> {
        for sector in (from..to).step_by(ERASE_SIZE) {
            crash::feed();
            self.0
                .blocking_erase(sector, to.min(sector + ERASE_SIZE as u32))?;
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), flash::Error> {
        self.0.blocking_write(offset, bytes)
    }
}

/// The store. All writing stops both cores for as long as the flash takes: about 1 ms for an item,
/// and 45 ms for erasing a sector, which [`Saves::make_room`] does ahead of time.
pub(crate) struct Saves {
    map: MapStorage<u8, Driver, Memory>,
    /// Room for a key and the longest value.
    buffer: [u8; MAX_BYTES + 8],
}

impl Saves {
    pub(crate) fn new(flash: Peri<'static, FLASH>) -> Saves {
        let flash = Driver(Flash::new_blocking(flash));
        let memory = Cache::new(
            ArrayPageStates::new(),
            ArrayPagePointers::new(),
            ArrayKeyPointers::new(),
        );
        Saves {
            map: MapStorage::new(flash, MapConfig::new(START..END), memory),
            buffer: [0; _],
        }
    }

    /// The unique number of the flash chip; 0 if it cannot be read. To be called before the second
    /// core runs.
    pub(crate) fn unique_id(&mut self) -> u64 {
        let mut id = [0; 8];
        let _ = self.map.flash().0.blocking_unique_id(&mut id);
        u64::from_le_bytes(id)
    }

    /// The last value of a slot. A store that is damaged beyond repair is erased: then this returns
    /// `Err` once.
    pub(crate) async fn load(&mut self, slot: Slot) -> Result<Option<&[u8]>, Erased> {
        // Two lookups: the borrow of the value would last into the repair.
        if let Err(Error::Corrupted { .. }) = self
            .map
            .fetch_item::<&[u8]>(&mut self.buffer, &slot.key())
            .await
        {
            let _ = self.map.erase_all().await;
            return Err(Erased);
        }
        Ok(self
            .map
            .fetch_item(&mut self.buffer, &slot.key())
            .await
            .ok()
            .flatten())
    }

    /// Stores a value. Returns whether that succeeded.
    pub(crate) async fn store(&mut self, slot: Slot, value: &[u8]) -> bool {
        self.put(slot.key(), value).await
    }

    /// Closes a sector that is nearly full and erases the next one, so that no move has to wait for
    /// that.
    pub(crate) async fn make_room(&mut self) {
        // The last filler does not fit, which makes the store open the next sector.
        for _ in 0..=LOW / MAX_BYTES {
            match self.room().await {
                Some(bytes) if bytes < LOW => drop(self.put(FILLER, &[0; MAX_BYTES]).await),
                _ => break,
            }
        }
    }

    /// Writes a small item and reads it back; the slots are not touched. `number` makes it differ
    /// from the last one.
    pub(crate) async fn test(&mut self, number: u32) -> bool {
        let mut item = [0xA5; 32];
        item[..4].copy_from_slice(&number.to_le_bytes());
        self.put(FILLER, &item).await
            && self.map.fetch_item(&mut self.buffer, &FILLER).await == Ok(Some(&item[..]))
    }

    /// Requests a factory reset at the next start. From here on it cannot be undone, whenever the
    /// power fails.
    pub(crate) async fn ask_for_reset(&mut self) -> bool {
        self.put(Slot::Settings.key(), RESET).await
    }

    /// Whether a factory reset is requested and not finished.
    pub(crate) async fn wants_reset(&mut self) -> bool {
        if self.is_user_erased().await {
            return true;
        }
        matches!(
            self.map
                .fetch_item(&mut self.buffer, &Slot::Settings.key())
                .await,
            Ok(Some(RESET))
        )
    }

    async fn is_user_erased(&mut self) -> bool {
        let mut found = [0; USER_IS_ERASED.len()];
        self.map.flash().read(USER, &mut found).await.is_ok() && found == USER_IS_ERASED
    }

    /// Erases USER and SAVE. If the power fails in between, the next start [goes
    /// on](Saves::wants_reset), unless everything is erased.
    pub(crate) async fn reset(&mut self) {
        if !self.is_user_erased().await {
            let flash = self.map.flash();
            let _ = flash.erase(USER, START).await;
            let _ = flash.write(USER, &USER_IS_ERASED).await;
        }
        if self.map.erase_all().await.is_err() {
            defmt::error!("the saves could not be erased");
        }
        let _ = self.map.flash().erase(USER, USER + ERASE_SIZE as u32).await;
    }

    /// Carries out a step of keeping a brain. A failure shows when the slot is read.
    pub(crate) async fn carry_out(&mut self, step: &FlashStep) {
        let flash = self.map.flash();
        let done = match step {
            FlashStep::Erase(at) => flash.erase(USER + at, USER + at + ERASE_SIZE as u32).await,
            FlashStep::Write(at, page) => flash.write(USER + at, page).await,
        };
        if done.is_err() {
            defmt::error!("a brain could not be written");
        }
    }

    /// Stores an item. Returns whether that succeeded.
    async fn put(&mut self, key: u8, value: &[u8]) -> bool {
        let stored = self.map.store_item(&mut self.buffer, &key, &value).await;
        match stored {
            Ok(()) => defmt::debug!("saved {=u8}: {=usize} bytes", key, value.len()),
            Err(_) => defmt::error!("save of {=u8} failed", key),
        }
        stored.is_ok()
    }

    /// Bytes left in the sector that is being filled, if there is one.
    async fn room(&mut self) -> Option<usize> {
        for sector in (START..END).step_by(ERASE_SIZE) {
            let end = sector + ERASE_SIZE as u32;
            if self.byte(sector).await != 0xFF && self.byte(end - 1).await == 0xFF {
                let mut used = end - 1;
                while self.byte(used).await == 0xFF {
                    used -= 1;
                }
                return Some((end - used) as usize);
            }
        }
        None
    }

    async fn byte(&mut self, at: u32) -> u8 {
        let mut byte = [0];
        let _ = self.map.flash().read(at, &mut byte).await;
        byte[0]
    }
}

/// The store was damaged and has been erased.
pub(crate) struct Erased;
