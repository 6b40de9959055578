//! The brush stroke that fills while the machine thinks.

use embedded_graphics::primitives::Rectangle;

use crate::frame::Ink;
use crate::pen::{Pen, area};

/// Steps of the stroke: the picture changes when it grows by one.
pub(crate) const STEPS: u16 = 40;
/// Columns of its frayed tip.
const TIP: i32 = 6;

/// How much of the stroke is filled, in steps.
pub(crate) fn filled(share: u16) -> u16 {
    (u32::from(share.min(1000)) * u32::from(STEPS) / 1000) as u16
}

/// How far the ink reaches above and below the middle of a stroke of this height.
fn reach(x: i32, height: i32) -> (i32, i32) {
    // The pressure of the hand: it sets down softly, and its edges are never quite even.
    let full = height / 2;
    let soft = (full - 1 - x).max(0);
    let above = full - soft - i32::from(x % 11 == 4 || x % 17 == 9);
    let below = full - soft - i32::from(x % 13 == 2 || x % 19 == 11);
    (above.max(0), below.max(0))
}

/// Draws the stroke for a share of the whole in thousandths.
pub(crate) fn draw(share: u16, place: Rectangle, pen: &mut Pen<'_>) {
    let (left, width) = (place.top_left.x, place.size.width as i32);
    let (middle, height) = (place.center().y, place.size.height as i32);
    let ink = i32::from(filled(share)) * width / i32::from(STEPS);
    for x in (ink..width).step_by(4) {
        pen.fill(area(left + x, middle, 1, 1), Ink::Mist);
    }
    for x in 0..ink {
        let (above, below) = reach(x, height);
        let frayed = (x - (ink - TIP)).max(0);
        for y in -above..=below {
            // Towards the tip more and more hairs of the brush run dry.
            if (x * 5 + (y + 8) * 7) % TIP >= frayed {
                pen.fill(area(left + x, middle + y, 1, 1), Ink::Paper);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Frame, Screen};

    #[test]
    fn it_grows_with_every_step_and_stays_in_its_place() {
        for screen in Screen::ALL {
            let mut last = 0;
            for step in 0..=STEPS {
                let share = (step * 1000).div_ceil(STEPS);
                assert_eq!(filled(share), step);
                let mut frame = Frame::new(screen);
                let place = area(10, 20, 60, 7);
                draw(
                    share,
                    place,
                    &mut Pen::new(&mut frame, crate::store::Comfort::default()),
                );
                let size = screen.size();
                let inked = (0..size.height)
                    .flat_map(|y| (0..size.width).map(move |x| (x, y)))
                    .filter(|&(x, y)| frame.pixel(x, y) == Ink::Paper);
                let mut count = 0;
                for (x, y) in inked {
                    assert!((10..70).contains(&x) && (20..27).contains(&y), "{x}, {y}");
                    count += 1;
                }
                // A mono display shows the dots of what is left as well.
                if screen == Screen::Lcd && step > 2 {
                    assert!(count > last, "step {step}");
                    last = count;
                }
            }
        }
    }
}
