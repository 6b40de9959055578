//! Writing banks; `dojo_core::bank` reads them, and `docs/bank-format.md` describes them.

use std::path::Path;

use dojo_core::bank::{ALIGN, Bank, BankError, CRC, ENTRY, FORMAT, HEADER, HEADER_CRC, MAGIC, Meta, NAME, header_crc};

use crate::failure::Failure;

pub mod manifest;
pub mod pack;

/// The bank that ships with the program: `models/dojo.bank`.
pub const SHIPPED: &[u8] = include_bytes!("../../../models/dojo.bank");

/// A model on its way into a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What the table will say about it.
    pub meta: Meta,
    /// Its numbers, as bytes.
    pub payload: Vec<u8>,
}

/// Lays models out as a bank. What the reader would refuse is refused here.
pub fn write(models: &[Model]) -> Result<Vec<u8>, BankError> {
    let mut table = vec![];
    let mut payloads = vec![];
    let start = HEADER + models.len() * ENTRY;
    for Model { meta, payload } in models {
        let offset = start + payloads.len();
        let mut entry = [0; ENTRY];
        entry[0] = meta.game as u8;
        entry[1] = meta.kind as u8;
        entry[2] = meta.belt.map_or(0xFF, |belt| belt as u8);
        entry[3] = meta.number as u8;
        entry[4..6].copy_from_slice(&meta.rules_version.to_le_bytes());
        entry[6..8].copy_from_slice(&meta.strength.to_le_bytes());
        for (i, dim) in meta.dims.iter().enumerate() {
            entry[8 + 2 * i..10 + 2 * i].copy_from_slice(&dim.to_le_bytes());
        }
        entry[16..20].copy_from_slice(&meta.scale.to_le_bytes());
        entry[20..24].copy_from_slice(&(offset as u32).to_le_bytes());
        entry[24..28].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        entry[28..32].copy_from_slice(&CRC.checksum(payload).to_le_bytes());
        entry[32..40].copy_from_slice(&meta.seed.to_le_bytes());
        entry[40..48].copy_from_slice(&meta.games.to_le_bytes());
        entry[48..52].copy_from_slice(&meta.settings.to_le_bytes());
        entry[52..56].copy_from_slice(&meta.date.to_le_bytes());
        entry[56..80].copy_from_slice(&meta.name);
        table.extend(entry);
        payloads.extend(payload);
        payloads.resize(payloads.len().next_multiple_of(ALIGN), 0);
    }
    let mut bytes = vec![0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&FORMAT.to_le_bytes());
    bytes[10..12].copy_from_slice(&(models.len() as u16).to_le_bytes());
    bytes[12..16].copy_from_slice(&((start + payloads.len()) as u32).to_le_bytes());
    let crc = header_crc(&bytes, &table);
    bytes[HEADER_CRC..].copy_from_slice(&crc.to_le_bytes());
    bytes.extend(table);
    bytes.extend(payloads);
    Bank::new(&bytes)?;
    Ok(bytes)
}

/// A name as the table keeps it, if it fits: 1 to 24 plain characters.
pub fn name(text: &str) -> Option<[u8; NAME]> {
    let fits = (1..=NAME).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let mut name = [0; NAME];
    name.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    fits.then_some(name)
}

/// The failure for a bank that the reader refused.
pub fn refused(file: &Path, error: &BankError) -> Failure {
    Failure::Check(format!("{}: {error}", file.display()))
}
