//! The firmware's log: defmt frames taken from the RTT buffer in RAM and decoded.
//!
//! The firmware writes to a ring buffer described by the `_SEGGER_RTT` symbol; reading it costs
//! the firmware nothing, so logging costs no cycles beyond its own code.

use defmt_decoder::{DecodeError, Encoding, Frame, Table};
use pico_image::Image;
use std::sync::Arc;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Emulated time at which the line was collected (within a slice of the run, 0.1 ms).
    pub collected_us: u64,
    /// The firmware's own timestamp, as it formats it.
    pub timestamp: String,
    /// `info`, `warn`, … ; `None` for plain prints.
    pub level: Option<&'static str>,
    pub text: String,
}

#[derive(Clone)]
pub(super) struct Rtt {
    table: Option<Arc<Table>>,
    control_block: Option<u32>,
    pending: Vec<u8>,
    lines: Vec<LogLine>,
}

/// Word access to RAM without side effects.
pub(super) trait RamAccess {
    fn peek32(&self, address: u32) -> Option<u32>;
    fn poke32(&mut self, address: u32, value: u32);
}

impl Rtt {
    pub(super) fn new(image: &Image) -> Self {
        // A log table of an unknown version is as good as none: the machine runs, the log is empty.
        let table = image
            .elf()
            .and_then(|elf| Table::parse(elf).ok().flatten())
            .map(Arc::new);
        let control_block = image.symbol("_SEGGER_RTT").filter(|_| table.is_some());
        Rtt {
            table,
            control_block,
            pending: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub(super) fn lines(&self) -> &[LogLine] {
        &self.lines
    }

    /// Drops an incomplete frame: the firmware restarted.
    pub(super) fn restart(&mut self) {
        self.pending.clear();
    }

    /// The firmware restarted with RAM intact: reads the rest of its last run and empties the ring.
    /// Otherwise a poll while the new run initialises the two positions would read old bytes.
    pub(super) fn warm_restart(&mut self, ram: &mut impl RamAccess, now_us: u64) {
        self.poll(ram, now_us);
        self.restart();
        if let Some(block) = self.control_block {
            for position in [3, 4] {
                ram.poke32(block + 24 + 4 * position, 0);
            }
        }
    }

    /// Reads the bytes that the firmware wrote since the last call.
    pub(super) fn poll(&mut self, ram: &mut impl RamAccess, now_us: u64) {
        if self.drain(ram).is_some_and(|bytes| bytes > 0) {
            self.decode(now_us);
        }
    }

    /// Control block: 16 bytes of id, two counts, then the up-channel
    /// `name, buffer, size, write, read, flags`.
    fn drain(&mut self, ram: &mut impl RamAccess) -> Option<usize> {
        let block = self.control_block?;
        if ram.peek32(block)? != u32::from_le_bytes(*b"SEGG") {
            return None;
        }
        let word = |index: u32| ram.peek32(block + 24 + 4 * index);
        let (buffer, size, write, mut read) = (word(1)?, word(2)?, word(3)?, word(4)?);
        if size == 0 || write >= size || read >= size {
            return None;
        }
        let before = self.pending.len();
        while read != write {
            let address = buffer.wrapping_add(read);
            self.pending
                .push((ram.peek32(address & !3)? >> (8 * (address & 3))) as u8);
            read = (read + 1) % size;
        }
        ram.poke32(block + 24 + 16, write);
        Some(self.pending.len() - before)
    }

    fn decode(&mut self, now_us: u64) {
        let Some(table) = self.table.clone() else {
            return;
        };
        if table.encoding() == Encoding::Rzcobs {
            // Frames end with a zero byte; whatever follows the last one waits for more.
            let Some(end) = self.pending.iter().rposition(|&byte| byte == 0) else {
                return;
            };
            let frames: Vec<u8> = self.pending.drain(..=end).collect();
            let mut decoder = table.new_stream_decoder();
            decoder.received(&frames);
            loop {
                match decoder.decode() {
                    Ok(frame) => self.lines.push(line(&frame, now_us)),
                    Err(DecodeError::Malformed) => self.lines.push(malformed(now_us)),
                    Err(DecodeError::UnexpectedEof) => return,
                }
            }
        }
        loop {
            match table.decode(&self.pending) {
                Ok((frame, length)) => {
                    self.lines.push(line(&frame, now_us));
                    self.pending.drain(..length);
                }
                Err(DecodeError::UnexpectedEof) => return,
                Err(DecodeError::Malformed) => {
                    self.lines.push(malformed(now_us));
                    self.pending.clear();
                    return;
                }
            }
        }
    }
}

fn line(frame: &Frame<'_>, collected_us: u64) -> LogLine {
    LogLine {
        collected_us,
        timestamp: frame
            .display_timestamp()
            .map(|time| time.to_string())
            .unwrap_or_default(),
        level: frame.level().map(|level| level.as_str()),
        text: frame.display_message().to_string(),
    }
}

fn malformed(collected_us: u64) -> LogLine {
    LogLine {
        collected_us,
        timestamp: String::new(),
        level: None,
        text: "<malformed log frame>".into(),
    }
}
