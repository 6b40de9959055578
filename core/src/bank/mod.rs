//! The bank: many trained models in one block of bytes, read in place.
//!
//! [`Bank::new`] checks the header, the table and every entry once; after that no access to them
//! can fail. [`Entry::payload`] checks the payload of a model when it is first used.
//! `docs/bank-format.md` has the layout.

use core::fmt;

use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};

use crate::belt::Belt;
use crate::game_id::GameId;

pub mod exercises;
pub mod kept;
pub mod layout;

/// The first eight bytes of every bank.
pub const MAGIC: [u8; 8] = *b"DOJOBANK";
/// The version of the layout that this code reads and writes.
pub const FORMAT: u16 = 1;
/// Bytes of the header.
pub const HEADER: usize = 32;
/// Bytes of an entry in the table.
pub const ENTRY: usize = 96;
/// Payloads start at multiples of this.
pub const ALIGN: usize = 16;
/// Bytes of a name; shorter ones are padded with zeros.
pub const NAME: usize = 24;
/// Offset of the header's checksum, which covers the rest of the header and the table.
pub const HEADER_CRC: usize = HEADER - 4;

/// CRC-32 as in Ethernet and ZIP, for header and payloads.
pub const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The checksum of a header and its table.
pub fn header_crc(header: &[u8], table: &[u8]) -> u32 {
    let mut digest = CRC.digest();
    digest.update(header.get(..HEADER_CRC).unwrap_or_default());
    digest.update(table);
    digest.finalize()
}

macro_rules! codes {
    ($(#[$meta:meta])* $Enum:ident { $($(#[$variant_meta:meta])* $Variant:ident = $code:literal $name:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $Enum { $($(#[$variant_meta])* $Variant = $code),* }

        impl $Enum {
            /// The variant with this code.
            pub const fn from_code(code: u8) -> Option<$Enum> {
                match code { $($code => Some($Enum::$Variant),)* _ => None }
            }

            /// The name in listings.
            pub const fn name(self) -> &'static str {
                match self { $($Enum::$Variant => $name),* }
            }
        }
    };
}

codes! {
    /// The kind of a model. The codes are stored in banks and never change.
    Kind {
        /// A value for each state.
        ValueTable = 1 "value-table",
        /// A value for each move in each state.
        QTable = 2 "q-table",
        /// One layer of weights.
        Perceptron = 3 "perceptron",
        /// Two layers of weights.
        Mlp = 4 "mlp",
        /// Move patterns.
        Patterns = 5 "patterns",
        /// Opening book.
        Book = 6 "book",
        /// Convolutional layers and a dense one.
        Convolution = 7 "convolution",
        /// Weights of a policy, a byte each.
        Policy = 8 "policy",
        /// Positions with a single best move: [`exercises::Exercises`].
        Puzzles = 9 "puzzles",
        /// Steps of a lesson: [`exercises::Exercises`].
        Lesson = 10 "lesson",
    }
}

codes! {
    /// The number type of a payload. The codes are stored in banks and never change.
    Number {
        /// One byte, 0 to 255.
        U8 = 1 "u8",
        /// One byte, −128 to 127.
        I8 = 2 "i8",
        /// Two bytes, −32,768 to 32,767.
        I16 = 3 "i16",
    }
}

impl Number {
    /// Bytes of a number.
    pub const fn size(self) -> usize {
        match self {
            Number::U8 | Number::I8 => 1,
            Number::I16 => 2,
        }
    }
}

/// A field of an entry that holds a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after the fields")]
pub enum CodeField {
    Kind,
    Belt,
    NumberType,
}

impl CodeField {
    const fn name(self) -> &'static str {
        match self {
            CodeField::Kind => "kind",
            CodeField::Belt => "belt",
            CodeField::NumberType => "number type",
        }
    }
}

/// Why a bank, or a model in it, is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "`found` and `expected` say what they are")]
pub enum BankError {
    /// Fewer bytes than a header.
    Short { found: usize, expected: usize },
    /// All bytes are 0xFF: flash without a bank.
    Blank,
    /// The first bytes are not [`MAGIC`].
    Magic { found: [u8; 8] },
    /// Another version of the layout.
    Format { found: u16, expected: u16 },
    /// The stated length exceeds the bytes, or is too short for the table.
    Length { found: usize, expected: usize },
    /// Header or table are damaged.
    HeaderCrc { found: u32, expected: u32 },
    /// An entry names an unknown game.
    Game { entry: usize, found: u8 },
    /// An entry was trained for another rules version.
    RulesVersion {
        entry: usize,
        game: GameId,
        found: u16,
        expected: u16,
    },
    /// An unknown code for the kind, the belt or the number type.
    Code {
        entry: usize,
        field: CodeField,
        found: u8,
    },
    /// The name is not printable ASCII.
    Name { entry: usize },
    /// The payload lies outside the bank, in its table, or not on a multiple of 16.
    Range {
        entry: usize,
        offset: usize,
        length: usize,
    },
    /// The payload's length does not match its dimensions.
    Dimensions {
        entry: usize,
        found: usize,
        expected: usize,
    },
    /// A payload is damaged.
    PayloadCrc {
        entry: usize,
        found: u32,
        expected: u32,
    },
}

impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BankError::Short { found, expected } => {
                write!(f, "{found} bytes, a bank has at least {expected}")
            }
            BankError::Blank => f.write_str("no bank: the flash is blank"),
            BankError::Magic { found } => {
                write!(
                    f,
                    "not a bank: starts with {}, expected DOJOBANK",
                    found.escape_ascii()
                )
            }
            BankError::Format { found, expected } => {
                write!(f, "bank format {found}, this version reads {expected}")
            }
            BankError::Length { found, expected } => {
                write!(f, "{found} bytes, the header asks for {expected}")
            }
            BankError::HeaderCrc { found, expected } => {
                write!(
                    f,
                    "damaged header: checksum {found:08x}, expected {expected:08x}"
                )
            }
            BankError::Game { entry, found } => write!(f, "entry {entry}: unknown game {found}"),
            BankError::RulesVersion {
                entry,
                game,
                found,
                expected,
            } => {
                write!(
                    f,
                    "entry {entry}: {} rules version {found}, expected {expected}",
                    game.name()
                )
            }
            BankError::Code {
                entry,
                field,
                found,
            } => write!(f, "entry {entry}: unknown {} {found}", field.name()),
            BankError::Name { entry } => write!(f, "entry {entry}: the name is not plain text"),
            BankError::Range {
                entry,
                offset,
                length,
            } => {
                write!(
                    f,
                    "entry {entry}: {length} bytes at {offset} do not fit the bank"
                )
            }
            BankError::Dimensions {
                entry,
                found,
                expected,
            } => {
                write!(
                    f,
                    "entry {entry}: {found} bytes, its dimensions ask for {expected}"
                )
            }
            BankError::PayloadCrc {
                entry,
                found,
                expected,
            } => {
                write!(
                    f,
                    "entry {entry}: damaged payload: checksum {found:08x}, expected {expected:08x}"
                )
            }
        }
    }
}

impl core::error::Error for BankError {}

/// Metadata of a model, from the bank's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The game it plays.
    pub game: GameId,
    /// The kind of model.
    pub kind: Kind,
    /// The belt that plays with it; `None` if no single belt does.
    pub belt: Option<Belt>,
    /// The number type of its payload.
    pub number: Number,
    /// The rules version it was trained for.
    pub rules_version: u16,
    /// Dimensions, unused ones 0; the payload has as many numbers as their product.
    pub dims: [u16; 4],
    /// Divisor that turns stored numbers into values.
    pub scale: u32,
    /// The seed that reproduces it.
    pub seed: u64,
    /// Training games.
    pub games: u64,
    /// Checksum of the training settings' text.
    pub settings: u32,
    /// Date of the training run as yyyymmdd; 0 if not stated.
    pub date: u32,
    /// Certified score against a random player, in thousandths.
    pub strength: u16,
    /// The name, padded with zeros.
    pub name: [u8; NAME],
}

impl Meta {
    /// Numbers in the payload: the product of the dimensions.
    pub fn numbers(&self) -> usize {
        self.dims
            .iter()
            .filter(|&&dim| dim > 0)
            .fold(1, |all, &dim| all.saturating_mul(dim.into()))
    }

    /// The name without its padding.
    pub fn name(&self) -> &str {
        name_text(&self.name)
    }
}

/// A stored name without its padding.
pub fn name_text(name: &[u8; NAME]) -> &str {
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
    core::str::from_utf8(&name[..end]).unwrap_or_default()
}

/// A model in a bank.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its metadata.
    pub meta: Meta,
    /// Where the payload starts, from the first byte of the bank.
    pub offset: usize,
    /// Checksum of the payload, as stated.
    pub crc: u32,
    index: usize,
    bytes: &'a [u8],
}

impl<'a> Entry<'a> {
    /// The payload, if its checksum matches.
    pub fn payload(&self) -> Result<&'a [u8], BankError> {
        let found = CRC.checksum(self.bytes);
        if found != self.crc {
            return Err(BankError::PayloadCrc {
                entry: self.index,
                found,
                expected: self.crc,
            });
        }
        Ok(self.bytes)
    }

    /// The payload without checking its checksum, for listings.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

/// A checked view of a bank.
#[derive(Clone, Copy, Debug)]
pub struct Bank<'a> {
    bytes: &'a [u8],
    entries: usize,
}

impl<'a> Bank<'a> {
    /// Checks everything but the payloads. Bytes behind the stated length are ignored: flash is
    /// larger than a bank.
    pub fn new(bytes: &'a [u8]) -> Result<Bank<'a>, BankError> {
        let Some(header) = bytes.get(..HEADER) else {
            return Err(BankError::Short {
                found: bytes.len(),
                expected: HEADER,
            });
        };
        let magic = field(header, 0);
        if magic != MAGIC {
            let blank = magic == [0xFF; 8];
            return Err(if blank {
                BankError::Blank
            } else {
                BankError::Magic { found: magic }
            });
        }
        let format = u16::from_le_bytes(field(header, 8));
        if format != FORMAT {
            return Err(BankError::Format {
                found: format,
                expected: FORMAT,
            });
        }
        let entries = usize::from(u16::from_le_bytes(field(header, 10)));
        let length = u32::from_le_bytes(field(header, 12)) as usize;
        let table_end = HEADER + entries * ENTRY;
        let short = BankError::Length {
            found: bytes.len(),
            expected: length.max(table_end),
        };
        let bytes = bytes.get(..length).ok_or(short)?;
        let table = bytes.get(HEADER..table_end).ok_or(BankError::Length {
            found: length,
            expected: table_end,
        })?;
        let found = header_crc(header, table);
        let expected = u32::from_le_bytes(field(header, HEADER_CRC));
        if found != expected {
            return Err(BankError::HeaderCrc { found, expected });
        }
        let bank = Bank { bytes, entries };
        for index in 0..entries {
            bank.entry(index)?;
        }
        Ok(bank)
    }

    /// All models, in the order of the table.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let bank = *self;
        // `new` has checked every entry.
        (0..bank.entries).filter_map(move |index| bank.entry(index).ok())
    }

    /// The model of this game, kind and belt.
    pub fn find(&self, game: GameId, kind: Kind, belt: Belt) -> Option<Entry<'a>> {
        self.entries().find(|entry| {
            entry.meta.game == game && entry.meta.kind == kind && entry.meta.belt == Some(belt)
        })
    }

    /// The bytes of the bank itself.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The checksum of header and table. It identifies the whole bank, since the table contains the
    /// checksums of the payloads.
    pub fn crc(&self) -> u32 {
        u32::from_le_bytes(field(self.bytes, HEADER_CRC))
    }

    fn entry(&self, index: usize) -> Result<Entry<'a>, BankError> {
        let start = HEADER + index * ENTRY;
        let raw = &self.bytes[start..start + ENTRY];
        let code = |field, found| BankError::Code {
            entry: index,
            field,
            found,
        };
        let game = GameId::from_code(raw[0]).ok_or(BankError::Game {
            entry: index,
            found: raw[0],
        })?;
        let kind = Kind::from_code(raw[1]).ok_or(code(CodeField::Kind, raw[1]))?;
        let belt = match raw[2] {
            0xFF => None,
            found => Some(Belt::from_code(found).ok_or(code(CodeField::Belt, found))?),
        };
        let number = Number::from_code(raw[3]).ok_or(code(CodeField::NumberType, raw[3]))?;
        let rules_version = u16::from_le_bytes(field(raw, 4));
        let expected = game.rules_version();
        if rules_version != expected {
            return Err(BankError::RulesVersion {
                entry: index,
                game,
                found: rules_version,
                expected,
            });
        }
        let meta = Meta {
            game,
            kind,
            belt,
            number,
            rules_version,
            strength: u16::from_le_bytes(field(raw, 6)),
            dims: core::array::from_fn(|i| u16::from_le_bytes(field(raw, 8 + 2 * i))),
            scale: u32::from_le_bytes(field(raw, 16)),
            seed: u64::from_le_bytes(field(raw, 32)),
            games: u64::from_le_bytes(field(raw, 40)),
            settings: u32::from_le_bytes(field(raw, 48)),
            date: u32::from_le_bytes(field(raw, 52)),
            name: field(raw, 56),
        };
        let text = meta.name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
        let plain = meta.name[..text]
            .iter()
            .all(|byte| (b' '..=b'~').contains(byte));
        if !plain || meta.name[text..].iter().any(|&byte| byte != 0) {
            return Err(BankError::Name { entry: index });
        }
        let offset = u32::from_le_bytes(field(raw, 20)) as usize;
        let length = u32::from_le_bytes(field(raw, 24)) as usize;
        let in_place = offset.is_multiple_of(ALIGN) && offset >= HEADER + self.entries * ENTRY;
        let bytes = self
            .bytes
            .get(offset..offset.saturating_add(length))
            .filter(|_| in_place)
            .ok_or(BankError::Range {
                entry: index,
                offset,
                length,
            })?;
        let expected = meta.numbers().saturating_mul(number.size());
        if length != expected {
            return Err(BankError::Dimensions {
                entry: index,
                found: length,
                expected,
            });
        }
        Ok(Entry {
            meta,
            offset,
            crc: u32::from_le_bytes(field(raw, 28)),
            index,
            bytes,
        })
    }
}

/// `N` bytes at `offset`; the caller has checked the length.
fn field<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[offset..offset + N]);
    field
}
