//! Motion: what moves on the screen, as a function of the time that ticks tell.
//!
//! There is no clock in here: a picture between two ticks does not exist, and the same events give
//! the same pictures. Easing is a cubic in whole numbers, so that no processor rounds it in its own
//! way.

use crate::boards::AnyBoard;
use crate::scoring::Marked;

/// Time between two ticks while something moves.
pub(crate) const STEP_MS: u32 = 33;
/// Time between two ticks otherwise.
pub(crate) const IDLE_MS: u32 = 50;

/// A screen slides in.
pub(crate) const SLIDE_MS: u32 = 120;
/// The cursor goes from place to place.
pub(crate) const GLIDE_MS: u32 = 80;
/// A piece lands, taken pieces leave.
pub(crate) const LAND_MS: u32 = 160;
/// The machine's cursor goes to its move.
pub(crate) const TRAVEL_MS: u32 = 250;
/// The last move stays on the board before the result rises over it.
pub(crate) const HOLD_MS: u32 = 900;
/// A is not taken on a new result: the press was meant for the game.
pub(crate) const GUARD_MS: u32 = 500;

/// A movement: it starts fast and ends slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tween {
    since: u32,
    length: u32,
}

impl Tween {
    /// A movement that begins now. Its first picture is one step ahead, so that a press is seen
    /// at once.
    pub(crate) fn new(now: u32, length: u32) -> Tween {
        Tween {
            since: now.wrapping_sub(STEP_MS),
            length,
        }
    }

    /// How much of the way is left, in thousandths; `None` at the end.
    pub(crate) fn left(self, now: u32) -> Option<i32> {
        let gone = now.wrapping_sub(self.since);
        if gone >= self.length {
            return None;
        }
        let left = u64::from(1000 - gone * 1000 / self.length);
        Some((left * left * left / 1_000_000) as i32)
    }
}

/// What moves on the board.
#[derive(Clone, Copy, Default)]
pub(crate) struct BoardMotion {
    /// The cursor comes from where it is on this board.
    pub(crate) glide: Option<(AnyBoard, Tween)>,
    /// The last move's piece lands, and these pieces leave.
    pub(crate) landing: Option<(Marked, Tween)>,
}

impl BoardMotion {
    pub(crate) fn is_moving(&self, now: u32) -> bool {
        let runs = |tween: Tween| tween.left(now).is_some();
        self.glide.is_some_and(|(_, tween)| runs(tween))
            || self.landing.is_some_and(|(_, tween)| runs(tween))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movement_gets_slower_and_ends() {
        let tween = Tween::new(1000, 120);
        let left: heapless::Vec<_, 8> = (0..8).map(|step| tween.left(1000 + step * 20)).collect();
        let ways: heapless::Vec<_, 8> = left.iter().map_while(|left| *left).collect();
        assert_eq!(ways.len(), 5, "{left:?}");
        assert!(ways[0] < 500, "the first picture differs");
        let steps = ways.windows(2).map(|pair| pair[0] - pair[1]);
        assert!(steps.is_sorted_by(|fast, slow| fast > slow));
        assert_eq!(Tween::new(5, 80).left(90), None);
        assert!(
            Tween::new(10, 80).left(12).is_some(),
            "the clock wraps around"
        );
    }
}
