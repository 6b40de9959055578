//! A game as a QR code, which the page reads from a photo: `#g=` and the bytes of the saved game in
//! letters that need no escaping, as in the page's links.

use embedded_graphics::prelude::*;
use qrcodegen_no_heap::{Mask, QrCode, QrCodeEcc, Version};

use crate::app::AppState;
use crate::frame::Ink;
use crate::pen::{Pen, area};
use crate::session::Session;
use crate::store::MAX_BYTES;
use crate::words;

/// What the text begins with.
const START: &[u8] = b"#g=";
/// The longest text: four letters for three bytes.
const LETTERS: usize = START.len() + MAX_BYTES.div_ceil(3) * 4;
/// The largest code that the text may need; it is 97 modules wide.
const LARGEST: Version = Version::new(20);
const ROOM: usize = LARGEST.buffer_len();
/// Light modules around a code: what the standard asks for.
const RIM: i32 = 4;
/// All masks are allowed. To choose the best one would cost the device a tenth of a second.
const MASK: Mask = Mask::new(3);

/// Writes the text of a game; returns its length, or `None` if the game is too long.
fn write_text(session: &Session, letters: &mut [u8; ROOM]) -> Option<usize> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut buffer = [0; MAX_BYTES];
    let bytes = session.kept(&mut buffer)?;
    let mut out = letters.iter_mut();
    let mut put = |letter: u8| out.next().map(|place| *place = letter);
    for &letter in START {
        put(letter)?;
    }
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        // One byte takes two letters, two take three.
        for letter in 0..=three.len() {
            put(DIGITS[(bits >> (18 - 6 * letter) & 63) as usize])?;
        }
    }
    let left = out.len();
    (ROOM - left <= LETTERS).then_some(ROOM - left)
}

/// Draws the code of the game on a light ground, as large as it can be.
pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let Some(session) = &app.session else { return };
    let (width, height) = (pen.width(), pen.height());
    let (mut text, mut room) = ([0; ROOM], [0; ROOM]);
    let code = write_text(session, &mut text)
        .filter(|_| pen.look.roomy)
        .and_then(|length| {
            let (ecc, low) = (QrCodeEcc::Low, Version::MIN);
            let mask = Some(MASK);
            QrCode::encode_binary(&mut text, length, &mut room, ecc, low, LARGEST, mask, true).ok()
        });
    let Some(code) = code else {
        let place = pen.header(words::SHARE);
        return pen.page(place, words::SHARE_NEEDS_COLOUR);
    };
    pen.tell(format_args!("{}", words::SHARE_TOLD));
    pen.fill(area(0, 0, width, height), Ink::White);
    let size = code.size();
    let module = (width.min(height) / (size + 2 * RIM)).max(1);
    let side = module * size;
    let corner = Point::new((width - side) / 2, (height - side) / 2);
    for row in 0..size {
        for column in 0..size {
            if code.get_module(column, row) {
                let at = corner + Point::new(column, row) * module;
                pen.fill(area(at.x, at.y, module, module), Ink::Black);
            }
        }
    }
}
