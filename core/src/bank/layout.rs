//! The bytes of a bank's header and table; `docs/bank-format.md` describes them.

use super::{ENTRY, FORMAT, HEADER, HEADER_CRC, MAGIC, Meta, header_crc};

/// Position, length and checksum of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Offset from the first byte of the bank.
    pub offset: usize,
    /// Bytes.
    pub length: usize,
    /// Checksum of the payload.
    pub crc: u32,
}

impl Meta {
    /// The table entry of a model with this payload.
    pub fn entry(&self, payload: &Extent) -> [u8; ENTRY] {
        let mut entry = [0; ENTRY];
        entry[0] = self.game as u8;
        entry[1] = self.kind as u8;
        entry[2] = self.belt.map_or(0xFF, |belt| belt as u8);
        entry[3] = self.number as u8;
        entry[4..6].copy_from_slice(&self.rules_version.to_le_bytes());
        entry[6..8].copy_from_slice(&self.strength.to_le_bytes());
        for (i, dim) in self.dims.iter().enumerate() {
            entry[8 + 2 * i..10 + 2 * i].copy_from_slice(&dim.to_le_bytes());
        }
        entry[16..20].copy_from_slice(&self.scale.to_le_bytes());
        entry[20..24].copy_from_slice(&(payload.offset as u32).to_le_bytes());
        entry[24..28].copy_from_slice(&(payload.length as u32).to_le_bytes());
        entry[28..32].copy_from_slice(&payload.crc.to_le_bytes());
        entry[32..40].copy_from_slice(&self.seed.to_le_bytes());
        entry[40..48].copy_from_slice(&self.games.to_le_bytes());
        entry[48..52].copy_from_slice(&self.settings.to_le_bytes());
        entry[52..56].copy_from_slice(&self.date.to_le_bytes());
        entry[56..80].copy_from_slice(&self.name);
        entry
    }
}

/// The header of a bank of `length` bytes with this table.
pub fn header(table: &[u8], length: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&FORMAT.to_le_bytes());
    header[10..12].copy_from_slice(&((table.len() / ENTRY) as u16).to_le_bytes());
    header[12..16].copy_from_slice(&(length as u32).to_le_bytes());
    let crc = header_crc(&header, table);
    header[HEADER_CRC..].copy_from_slice(&crc.to_le_bytes());
    header
}
