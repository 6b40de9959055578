//! QR codes for a terminal.

use qrcodegen_no_heap::{QrCode, QrCodeEcc, Version};

/// Light modules around a code: what the standard asks for.
const RIM: i32 = 4;

/// The code of a text, two rows of modules a line; `None` if the text is too long. Light modules
/// are drawn, so that it is right on a dark terminal, which most are; readers take the inverse,
/// too.
pub(crate) fn lines(text: &str) -> Option<String> {
    const ROOM: usize = Version::MAX.buffer_len();
    let (mut room, mut code) = ([0; ROOM], [0; ROOM]);
    let (low, high) = (Version::MIN, Version::MAX);
    let ecc = QrCodeEcc::Medium;
    let code = QrCode::encode_text(text, &mut room, &mut code, ecc, low, high, None, true).ok()?;
    let is_light = |x, y| !code.get_module(x, y);
    let span = -RIM..code.size() + RIM;
    let mut lines = String::new();
    for y in span.clone().step_by(2) {
        for x in span.clone() {
            let below = y + 1 < span.end && is_light(x, y + 1);
            lines.push(match (is_light(x, y), below) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the code with another program's reader.
    fn read(lines: &str) -> String {
        const MODULE: usize = 4;
        let rows: Vec<Vec<char>> = lines.lines().map(|line| line.chars().collect()).collect();
        let (width, height) = (rows[0].len() * MODULE, rows.len() * 2 * MODULE);
        let grey = |x: usize, y: usize| {
            let (row, column) = (y / MODULE, x / MODULE);
            let light = match rows[row / 2][column] {
                '█' => true,
                '▀' => row % 2 == 0,
                '▄' => row % 2 == 1,
                _ => false,
            };
            if light { 255 } else { 0 }
        };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1, "{lines}");
        grids[0].decode().expect("a code").1
    }

    #[test]
    fn another_reader_reads_the_same_text() {
        for text in [
            "http://192.168.1.7:8064/",
            "http://localhost:8064/#g=AgABAAMCAQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQl",
        ] {
            assert_eq!(read(&lines(text).unwrap()), text);
        }
        assert_eq!(lines(&"x".repeat(3000)), None);
    }
}
