//! Buttons: debouncing, repeating and holding turn levels of pins into presses.

use serde::{Deserialize, Serialize};

use crate::store::Comfort;

/// The buttons of the handheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Button {
    /// D-pad up.
    Up,
    /// D-pad down.
    Down,
    /// D-pad left.
    Left,
    /// D-pad right.
    Right,
    /// Confirms.
    A,
    /// Back; held, the pause menu.
    B,
    /// Hint.
    X,
    /// Undo.
    Y,
}

impl Button {
    /// All buttons.
    pub const ALL: [Button; 8] = [
        Button::Up,
        Button::Down,
        Button::Left,
        Button::Right,
        Button::A,
        Button::B,
        Button::X,
        Button::Y,
    ];

    pub(crate) const DIRECTIONS: [Button; 4] =
        [Button::Up, Button::Down, Button::Left, Button::Right];

    pub(crate) fn is_direction(self) -> bool {
        Button::DIRECTIONS.contains(&self)
    }

    /// The letter that is printed beside it; none beside the directions.
    pub(crate) const fn letter(self) -> Option<&'static str> {
        match self {
            Button::A => Some("A"),
            Button::B => Some("B"),
            Button::X => Some("X"),
            Button::Y => Some("Y"),
            Button::Up | Button::Down | Button::Left | Button::Right => None,
        }
    }

    /// The step that a direction is across and down the picture; the letters stand in a cross, too.
    pub(crate) const fn step(self) -> (i32, i32) {
        match self {
            Button::Up | Button::X => (0, -1),
            Button::Down | Button::B => (0, 1),
            Button::Left | Button::Y => (-1, 0),
            Button::Right | Button::A => (1, 0),
        }
    }

    /// The button at the same place of the other cross: directions and letters trade places.
    pub(crate) const fn mirrored(self) -> Button {
        match self {
            Button::Up => Button::X,
            Button::Down => Button::B,
            Button::Left => Button::Y,
            Button::Right => Button::A,
            Button::A => Button::Right,
            Button::B => Button::Down,
            Button::X => Button::Up,
            Button::Y => Button::Left,
        }
    }

    /// The direction that is meant on a device that is held upside down.
    pub(crate) const fn turned(self) -> Button {
        match self {
            Button::Up => Button::Down,
            Button::Down => Button::Up,
            Button::Left => Button::Right,
            Button::Right => Button::Left,
            letter => letter,
        }
    }

    /// Whether it is X on a device that is held in some way: see [`Press::meant`].
    const fn may_be_x(self) -> bool {
        matches!(self, Button::X | Button::Up | Button::Down)
    }

    /// The name used in scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Button::Up => "up",
            Button::Down => "down",
            Button::Left => "left",
            Button::Right => "right",
            Button::A => "a",
            Button::B => "b",
            Button::X => "x",
            Button::Y => "y",
        }
    }

    /// The button of this name, in capitals or not.
    pub fn from_name(name: &str) -> Option<Button> {
        Button::ALL
            .into_iter()
            .find(|button| button.name().eq_ignore_ascii_case(name))
    }

    /// Whether it repeats while held.
    const fn repeats(self) -> bool {
        matches!(
            self,
            Button::Up | Button::Down | Button::Left | Button::Right
        )
    }
}

/// Milliseconds during which a pin is ignored after an edge that was acted upon.
pub const DEBOUNCE_MS: u32 = 20;
/// A direction held this long repeats.
pub const REPEAT_AFTER_MS: u32 = 350;
/// Milliseconds between two repeats.
pub const REPEAT_EVERY_MS: u32 = 120;
/// B held this long opens the pause menu.
pub const HOLD_MS: u32 = 600;

impl Default for Keys {
    fn default() -> Keys {
        Keys::new()
    }
}

/// A press, as the console is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Press {
    /// Pressed, or repeated by holding.
    Down(Button),
    /// Held for [`HOLD_MS`].
    Held(Button),
    /// Let go; told only of buttons that may be X, which shows the mind while it is held.
    Up(Button),
}

impl Press {
    /// The end of a short press, for sources that cannot tell how long a button is held.
    pub fn end(self) -> Option<Press> {
        match self {
            Press::Down(button) if button.may_be_x() => Some(Press::Up(button)),
            _ => None,
        }
    }
}

impl Press {
    /// The press that is meant on a device that is held this way.
    pub(crate) fn meant(self, comfort: Comfort) -> Press {
        let button = |button: Button| {
            let turned = if comfort.rotated {
                button.turned()
            } else {
                button
            };
            if comfort.left_handed {
                turned.mirrored()
            } else {
                turned
            }
        };
        match self {
            Press::Down(pressed) => Press::Down(button(pressed)),
            Press::Held(held) => Press::Held(button(held)),
            Press::Up(released) => Press::Up(button(released)),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Key {
    is_down: bool,
    changed: u32,
    next: u32,
    held: bool,
}

/// Turns levels of the buttons into presses: acts on the first edge, then ignores bouncing; repeats
/// directions; notices holding.
#[derive(Clone, Debug)]
pub struct Keys {
    keys: [Key; Button::ALL.len()],
    debounce: u32,
}

impl Keys {
    /// Buttons on pins, which bounce for [`DEBOUNCE_MS`]. None is down.
    pub fn new() -> Keys {
        Keys {
            keys: Default::default(),
            debounce: DEBOUNCE_MS,
        }
    }

    /// Keys that are debounced already, such as those of a browser.
    pub fn clean() -> Keys {
        Keys {
            debounce: 0,
            ..Keys::new()
        }
    }

    /// Reports the level of a button at a time in milliseconds; to be called on edges and every few
    /// milliseconds.
    pub fn update(&mut self, button: Button, is_down: bool, now: u32) -> Option<Press> {
        let key = &mut self.keys[button as usize];
        let since = now.wrapping_sub(key.changed);
        if is_down != key.is_down {
            // A key without an edge so far has no time to wait for: presses right after boot count.
            if key.next != 0 && since < self.debounce {
                return None;
            }
            *key = Key {
                is_down,
                changed: now,
                next: REPEAT_AFTER_MS,
                held: false,
            };
            return match is_down {
                true => Some(Press::Down(button)),
                false => button.may_be_x().then_some(Press::Up(button)),
            };
        }
        if !is_down {
            return None;
        }
        if button.repeats() && since >= key.next {
            key.next += REPEAT_EVERY_MS;
            return Some(Press::Down(button));
        }
        if button == Button::B && since >= HOLD_MS && !key.held {
            key.held = true;
            return Some(Press::Held(button));
        }
        None
    }

    /// Whether any button is down: the caller keeps calling [`Keys::update`] then.
    pub fn any_down(&self) -> bool {
        self.keys.iter().any(|key| key.is_down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_edge_counts_and_bouncing_does_not() {
        let mut keys = Keys::new();
        assert_eq!(
            keys.update(Button::A, true, 3),
            Some(Press::Down(Button::A))
        );
        for (now, level) in [(4, false), (5, true), (9, false), (12, true)] {
            assert_eq!(keys.update(Button::A, level, now), None);
        }
        assert_eq!(keys.update(Button::A, false, 60), None);
        assert_eq!(
            keys.update(Button::A, true, 62),
            None,
            "still bouncing from the release"
        );
        assert_eq!(
            keys.update(Button::A, true, 90),
            Some(Press::Down(Button::A))
        );
    }

    #[test]
    fn clean_keys_lose_no_press_however_quick() {
        let mut keys = Keys::clean();
        for now in [5, 6, 7] {
            assert_eq!(
                keys.update(Button::A, true, now),
                Some(Press::Down(Button::A))
            );
            assert_eq!(keys.update(Button::A, false, now), None);
        }
    }

    #[test]
    fn directions_repeat_and_b_is_held_once() {
        let mut keys = Keys::new();
        let mut presses = heapless::Vec::<Press, 16>::new();
        for now in 1000..2000 {
            presses.extend(keys.update(Button::Left, true, now));
        }
        assert_eq!(presses.len(), 1 + 1 + (999 - 350) / 120);
        presses.clear();
        for now in 1000..4000 {
            presses.extend(keys.update(Button::B, true, now));
        }
        assert_eq!(presses, [Press::Down(Button::B), Press::Held(Button::B)]);
        assert!(keys.any_down());
    }

    #[test]
    fn only_what_may_be_x_tells_when_it_is_let_go() {
        let told = Button::ALL.into_iter().filter(|button| button.may_be_x());
        assert!(told.eq([Button::Up, Button::Down, Button::X]));
        for button in Button::ALL {
            let mut keys = Keys::new();
            assert_eq!(keys.update(button, true, 10), Some(Press::Down(button)));
            let up = button.may_be_x().then_some(Press::Up(button));
            assert_eq!(keys.update(button, false, 100), up);
            assert_eq!(keys.update(button, false, 130), None);
        }
    }

    #[test]
    fn the_clock_may_wrap_around() {
        let mut keys = Keys::new();
        assert!(keys.update(Button::Up, true, u32::MAX - 5).is_some());
        assert_eq!(keys.update(Button::Up, true, 200), None);
        assert!(keys.update(Button::Up, true, 400).is_some());
    }
}
