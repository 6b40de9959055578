//! Raspberry Pi Pico with a Waveshare Pico-LCD-1.3 on top, or with a 128×64 OLED and buttons wired by hand.
//!
//! One image serves both: buttons, light and piezo are on the same pins, and the displays are on different ones.
//!
//! ```text
//!                        +------| USB |------+
//!               GP0    1 |                   | 40  VBUS
//!               GP1    2 |                   | 39  VSYS
//!               GND    3 |                   | 38  GND ------------ OLED GND
//!      up ----- GP2    4 |                   | 37  3V3_EN
//!   press ----- GP3    5 |                   | 36  3V3(OUT) ------- OLED VCC
//!     SDA ----- GP4    6 |   OLED            | 35  ADC_VREF
//!     SCL ----- GP5    7 |   0x3C or 0x3D    | 34  GP28
//!               GND    8 |                   | 33  GND
//!               GP6    9 |                   | 32  GP27
//!               GP7   10 |                   | 31  GP26
//!      DC ----- GP8   11 |   LCD             | 30  RUN
//!      CS ----- GP9   12 |   SPI1            | 29  GP22
//!               GND   13 |                   | 28  GND ------------ all buttons, piezo
//!     SCK ----- GP10  14 |                   | 27  GP21 ----- Y
//!    MOSI ----- GP11  15 |                   | 26  GP20 ----- right
//!   reset ----- GP12  16 |                   | 25  GP19 ----- X
//!   light ----- GP13  17 |                   | 24  GP18 ----- down
//!               GND   18 |                   | 23  GND
//!   piezo ----- GP14  19 |                   | 22  GP17 ----- B
//!       A ----- GP15  20 |                   | 21  GP16 ----- left
//!                        +-------------------+
//! ```
//!
//! Buttons connect their pin to ground; the pull-ups are inside the chip. The joystick's press counts as A.
//!
//! A Pico W runs the same image. There is no battery gauge: a third of VSYS is at GP29 on a Pico, but on a Pico W that pin
//! also clocks the radio's bus, and the two boards cannot be told apart without driving the radio's pins.

board! {
    flash: 2 * 1024 * 1024,
    buttons: [
        Up PIN_2, Down PIN_18, Left PIN_16, Right PIN_20,
        A PIN_15, A PIN_3, B PIN_17, X PIN_19, Y PIN_21,
    ],
    // The glass is held sideways: rows and columns are exchanged.
    lcd: {
        bus SPI1 62_500_000, clock PIN_10, data PIN_11, select PIN_9, dc PIN_8, reset PIN_12,
        madctl 0x70, inverted true, offset [0, 0],
    },
    light: PIN_13 PWM_SLICE6 B,
    sound: PIN_14 PWM_SLICE7 A,
    oled: { bus I2C0 I2C0_IRQ 400_000, sda PIN_4, scl PIN_5 },
}
