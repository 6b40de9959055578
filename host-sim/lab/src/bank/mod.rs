//! Writing banks; `dojo_core::bank` reads them, and `docs/bank-format.md` describes them.

use std::path::Path;

use dojo_core::bank::kept::{Kept, REGION};
use dojo_core::bank::layout::{Extent, header};
use dojo_core::bank::{ALIGN, Bank, BankError, CRC, ENTRY, HEADER, Meta, NAME};

use crate::failure::Failure;
use crate::files;

pub mod manifest;
pub mod pack;

/// The bank that ships with the program: `models/dojo.bank`.
pub const SHIPPED: &[u8] = include_bytes!("../../../../models/dojo.bank");

/// A model to be written into a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its entry in the table.
    pub meta: Meta,
    /// Its numbers, as bytes.
    pub payload: Vec<u8>,
}

/// Lays models out as a bank, and refuses a bank that the reader would refuse.
pub fn write(models: &[Model]) -> Result<Vec<u8>, BankError> {
    let mut table = vec![];
    let mut payloads = vec![];
    let start = HEADER + models.len() * ENTRY;
    for Model { meta, payload } in models {
        let offset = start + payloads.len();
        table.extend(meta.entry(&Extent {
            offset,
            length: payload.len(),
            crc: CRC.checksum(payload),
        }));
        payloads.extend(payload);
        payloads.resize(payloads.len().next_multiple_of(ALIGN), 0);
    }
    let mut bytes = header(&table, start + payloads.len()).to_vec();
    bytes.extend(table);
    bytes.extend(payloads);
    Bank::new(&bytes)?;
    Ok(bytes)
}

/// A name as the table stores it; `None` unless it has 1 to 24 plain characters.
pub fn name(text: &str) -> Option<[u8; NAME]> {
    let fits =
        (1..=NAME).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let mut name = [0; NAME];
    name.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    fits.then_some(name)
}

/// Reads a bank. None is larger than the flash that an RP2040 can address.
pub fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    files::read_at_most(file, 16 << 20)
}

/// Opens a bank, or a dump of the device's region of kept brains: there the newest bank is opened.
pub fn open<'a>(file: &Path, bytes: &'a [u8]) -> Result<Bank<'a>, Failure> {
    match Kept::in_region(bytes).filter(|_| bytes.len() == REGION) {
        Some(kept) => Ok(kept.bank),
        None => Bank::new(bytes).map_err(|error| refused(file, &error)),
    }
}

/// The failure for a bank that the reader refused.
pub fn refused(file: &Path, error: &BankError) -> Failure {
    Failure::Check(format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::bank::kept::{Keeping, SLOT};
    use dojo_core::bank::{Kind, Number};
    use dojo_core::belt::Belt;
    use dojo_core::games::GameId;
    use dojo_core::games::pupil::Pupil;

    fn model(text: &str, numbers: u16) -> Model {
        let meta = Meta {
            game: GameId::TicTacToe,
            kind: Kind::Mlp,
            belt: Some(Belt::Green),
            number: Number::I16,
            rules_version: GameId::TicTacToe.rules_version(),
            dims: [1, numbers, 0, 0],
            scale: 0x0403_0201,
            seed: 0x1817_1615_1413_1211,
            games: 0x2827_2625_2423_2221,
            settings: 0x3433_3231,
            date: 0x4443_4241,
            strength: 0x5251,
            name: name(text).unwrap(),
        };
        Model {
            meta,
            payload: (0..2 * numbers).map(|i| i as u8).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let models = [
            model("one", 3),
            Model {
                meta: Meta {
                    belt: None,
                    ..model("two", 9).meta
                },
                ..model("two", 9)
            },
        ];
        let bytes = write(&models).unwrap();
        let read: Vec<_> = Bank::new(&bytes)
            .unwrap()
            .entries()
            .map(|entry| Model {
                meta: entry.meta,
                payload: entry.payload().unwrap().to_vec(),
            })
            .collect();
        assert_eq!(read, models);
        assert_eq!(
            Bank::new(&write(&[]).unwrap()).unwrap().entries().count(),
            0
        );
    }

    #[test]
    fn what_is_read_back_from_a_device_opens_like_a_bank() {
        let mut region = vec![0xFF; REGION];
        for (games, slot) in [(10, 0), (20, 1), (30, 0)] {
            let mut pupil = Pupil::new(GameId::Sticks, &mut [], 3).unwrap();
            pupil.step(games);
            let before = region.clone();
            let keeping = Keeping::new(Kept::in_region(&before).as_ref(), pupil.brain(3)).unwrap();
            (0..)
                .map_while(|number| keeping.step(number))
                .for_each(|step| step.carry_out(&mut region));
            let bank = open(Path::new("kept.bin"), &region).unwrap();
            let entry = bank.entries().next().unwrap();
            assert_eq!(
                (entry.meta.name(), entry.meta.games),
                ("my-sticks", games.into())
            );
            assert_eq!(
                bank.bytes(),
                &region[slot * SLOT..][..bank.bytes().len()],
                "a slot begins with the bank itself"
            );
        }
    }

    /// The tables of `docs/bank-format.md`, byte by byte.
    #[test]
    fn the_layout_is_the_documented_one() {
        let bytes = write(&[model("name", 3), model("other", 1)]).unwrap();
        assert_eq!(bytes.len(), 32 + 2 * 96 + 16 + 16);
        assert_eq!(bytes[..16], *b"DOJOBANK\x01\x00\x02\x00\x00\x01\x00\x00");
        assert_eq!(bytes[16..28], [0; 12]);
        assert_eq!(
            bytes[28..32],
            CRC.checksum(&[&bytes[..28], &bytes[32..224]].concat())
                .to_le_bytes()
        );
        let entry = &bytes[32..128];
        assert_eq!(entry[..8], [2, 4, 2, 3, 1, 0, 0x51, 0x52]);
        assert_eq!(entry[8..20], [1, 0, 3, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
        assert_eq!(entry[20..28], [224, 0, 0, 0, 6, 0, 0, 0]);
        assert_eq!(
            entry[28..32],
            CRC.checksum(&[0, 1, 2, 3, 4, 5]).to_le_bytes()
        );
        assert_eq!(
            entry[32..48],
            [(0x11..=0x18).collect::<Vec<u8>>(), (0x21..=0x28).collect()].concat()
        );
        assert_eq!(
            entry[48..56],
            [0x31, 0x32, 0x33, 0x34, 0x41, 0x42, 0x43, 0x44]
        );
        assert_eq!(
            entry[56..80],
            *b"name\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        );
        assert_eq!(entry[80..], [0; 16]);
        assert_eq!(
            bytes[224..240],
            [0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(bytes[128 + 20..128 + 24], [240, 0, 0, 0]);
    }

    #[test]
    fn what_the_reader_would_refuse_is_not_written() {
        let mut wrong = model("wrong", 3);
        wrong.payload.pop();
        assert_eq!(
            write(&[wrong]),
            Err(BankError::Dimensions {
                entry: 0,
                found: 5,
                expected: 6
            })
        );
        for odd in ["", "tab\there", "ä", &"n".repeat(25)] {
            assert_eq!(name(odd), None, "{odd}");
        }
    }
}
