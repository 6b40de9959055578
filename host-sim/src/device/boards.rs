//! The boards as the emulator needs them: the firmware's own board files, read as numbers of pins.

use dojo_handheld::Button;
use pico_emulator::{Display, Oled, OledController, OledPins, St7789, St7789Pins};

/// Wiring of a board, by the numbers of GPIO pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSpec {
    /// Buttons, active low; some have two pins.
    pub buttons: &'static [(Button, u8)],
    /// The LCD's lines.
    pub lcd: St7789Pins,
    /// How the glass is turned: the MADCTL value with which a picture stands upright.
    pub madctl: u8,
    /// The LCD's light, by PWM.
    pub light: u8,
    /// Piezo or speaker, by PWM.
    pub sound: u8,
    /// An OLED's lines, where one can be connected.
    pub oled: Option<OledPins>,
    /// An LED's red, green and blue pins.
    pub led: Option<[u8; 3]>,
    /// The battery's lines.
    pub battery: Option<Battery>,
}

/// Lines of a battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// Its voltage, divided, at an input of the ADC.
    pub sense: u8,
    /// By how much the voltage is divided.
    pub divider: u8,
    /// Low while the charger works.
    pub charging_low: u8,
    /// High while USB gives power.
    pub usb: u8,
}

impl BoardSpec {
    /// A button's pin; of two the first.
    pub fn pin(&self, button: Button) -> u8 {
        let mut pins = self.buttons.iter();
        pins.find(|(of, _)| *of == button)
            .map_or(u8::MAX, |(_, pin)| *pin)
    }

    /// The number of the SPI block that the LCD is on.
    pub fn spi(&self) -> usize {
        usize::from(self.lcd.clock >> 3 & 1)
    }

    /// The board's LCD, switched off.
    pub fn lcd(&self) -> Display {
        Display::St7789(St7789::new(self.lcd).mounted_for(self.madctl))
    }

    /// An OLED for this board, switched off; `None` if it has no place for one.
    pub fn oled(&self, controller: OledController, address: u8) -> Option<Display> {
        let pins = self.oled?;
        Some(Display::Oled(Oled::new(controller, pins, address)))
    }
}

/// Pins by the names that board files have for them.
macro_rules! pins {
    ($($name:ident $number:literal)*) => {
        $(#[allow(dead_code, reason = "no board uses all")] const $name: u8 = $number;)*
    };
}

pins! {
    PIN_0 0 PIN_1 1 PIN_2 2 PIN_3 3 PIN_4 4 PIN_5 5 PIN_6 6 PIN_7 7 PIN_8 8 PIN_9 9
    PIN_10 10 PIN_11 11 PIN_12 12 PIN_13 13 PIN_14 14 PIN_15 15 PIN_16 16 PIN_17 17 PIN_18 18 PIN_19 19
    PIN_20 20 PIN_21 21 PIN_22 22 PIN_23 23 PIN_24 24 PIN_25 25 PIN_26 26 PIN_27 27 PIN_28 28 PIN_29 29
}

macro_rules! optional {
    () => {
        None
    };
    ($part:expr) => {
        Some($part)
    };
}

/// The host's reading of the firmware's board files; `firmware/src/boards/mod.rs` has the other.
macro_rules! board {
    (
        flash: $flash:expr,
        buttons: [$($button:ident $button_pin:ident),* $(,)?],
        lcd: {
            bus $spi:ident $spi_hz:literal, clock $clock:ident, data $data:ident, select $select:ident, dc $dc:ident,
            reset $reset:ident, $(tearing $tearing:ident,)?
            madctl $madctl:literal, inverted $inverted:literal, offset [$x:literal, $y:literal],
        },
        light: $light:ident $light_slice:ident $light_channel:ident,
        sound: $sound:ident $sound_slice:ident $sound_channel:ident,
        $(oled: { bus $i2c:ident $i2c_irq:ident $i2c_hz:literal, sda $sda:ident, scl $scl:ident },)?
        $(led: { red $red:ident, green $green:ident, blue $blue:ident },)?
        $(battery: { sense $sense:ident, divider $divider:literal, charging_low $charging:ident, usb $usb:ident },)?
    ) => {
        use super::*;

        pub(super) const BOARD: BoardSpec = BoardSpec {
            buttons: &[$((Button::$button, $button_pin)),*],
            lcd: St7789Pins {
                clock: $clock,
                data: $data,
                dc: $dc,
                cs: Some($select),
                reset: Some($reset),
                tearing: optional!($($tearing)?),
            },
            madctl: $madctl,
            light: $light,
            sound: $sound,
            oled: optional!($(OledPins { sda: $sda, scl: $scl })?),
            led: optional!($([$red, $green, $blue])?),
            battery: optional!($(Battery {
                sense: $sense,
                divider: $divider,
                charging_low: $charging,
                usb: $usb,
            })?),
        };
    };
}

#[path = "../../../firmware/boards/pico.rs"]
mod pico;
#[path = "../../../firmware/boards/picosystem.rs"]
mod picosystem;

/// A Pico with a Waveshare Pico-LCD-1.3, or with an OLED and buttons.
pub const PICO: BoardSpec = pico::BOARD;
/// Pimoroni PicoSystem.
pub const PICOSYSTEM: BoardSpec = picosystem::BOARD;

#[cfg(test)]
mod tests {
    use super::*;

    /// A pin has one task. That each can do it is checked where the firmware is compiled.
    #[test]
    fn no_pin_is_used_twice_and_every_button_is_there() {
        for board in [PICO, PICOSYSTEM] {
            let lcd = board.lcd;
            let mut pins = vec![lcd.clock, lcd.data, lcd.dc, board.light, board.sound];
            pins.extend(board.buttons.iter().map(|(_, pin)| *pin));
            pins.extend([lcd.cs, lcd.reset, lcd.tearing].into_iter().flatten());
            pins.extend(board.oled.into_iter().flat_map(|oled| [oled.sda, oled.scl]));
            pins.extend(board.led.into_iter().flatten());
            let battery = board.battery.into_iter();
            pins.extend(battery.flat_map(|parts| [parts.sense, parts.charging_low, parts.usb]));
            let count = pins.len();
            pins.sort_unstable();
            pins.dedup();
            assert_eq!(pins.len(), count, "{board:?}");
            assert!(Button::ALL.iter().all(|button| board.pin(*button) < 30));
        }
    }
}
