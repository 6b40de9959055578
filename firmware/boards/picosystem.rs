//! Pimoroni PicoSystem, a handheld as it is sold.
//!
//! ```text
//!   +---------------------------------+
//!   |          +-----------+          |     LCD    SPI0: SCK 6, MOSI 7, CS 5, DC 9, reset 4
//!   |   23     |           |    17    |            tearing signal 8, light 12
//!   | 22  21   |  240×240  |  16  18  |     sound  11
//!   |   20     |           |    19    |     LED    red 14, green 13, blue 15
//!   |          +-----------+          |     power  battery ÷ 3 at 26, charger 24, USB 2
//!   +---------------------------------+
//! ```
//!
//! Sources: `pimoroni_picosystem.h` of the Pico SDK for the pins, and the maker's library (github.com/pimoroni/picosystem)
//! for the panel's orientation, the divider and the LED, which is lit by high levels. The two disagree about GP2; it is
//! taken for the SDK's USB detection and never driven. The charger pulls GP24 low while it works. The RP2040's flash has
//! 16 MB here, of which the map uses 2.

board! {
    flash: 16 * 1024 * 1024,
    buttons: [
        Up PIN_23, Down PIN_20, Left PIN_22, Right PIN_21,
        A PIN_18, B PIN_19, X PIN_17, Y PIN_16,
    ],
    lcd: {
        bus SPI0 62_500_000, clock PIN_6, data PIN_7, select PIN_5, dc PIN_9, reset PIN_4, tearing PIN_8,
        madctl 0x04, inverted true, offset [0, 0],
    },
    light: PIN_12 PWM_SLICE6 A,
    sound: PIN_11 PWM_SLICE5 B,
    led: { red PIN_14, green PIN_13, blue PIN_15 },
    battery: { sense PIN_26, divider 3, charging_low PIN_24, usb PIN_2 },
}
