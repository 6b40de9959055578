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

use dojo_handheld::Button;
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::i2c::I2c;
use embassy_rp::peripherals::{CORE1, DMA_CH0, FLASH, I2C0, SPI1};
use embassy_rp::pwm::Pwm;
use embassy_rp::spi::Spi;
use embassy_rp::{Peri, Peripherals, bind_interrupts, dma, i2c, pwm, spi};

bind_interrupts!(struct Interrupts {
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
    I2C0_IRQ => i2c::InterruptHandler<I2C0>;
});

/// The fastest clock for the panel; the divider makes 50 MHz of it, see [`crate::CLOCK_HZ`].
const LCD_HZ: u32 = 62_500_000;
/// Fast mode.
const OLED_HZ: u32 = 400_000;

/// Buttons by the pins they are on.
pub(crate) type Buttons = [(Button, Input<'static>); 9];

/// What drives an LCD.
pub(crate) struct LcdParts {
    /// Clock and data, by DMA.
    pub(crate) spi: Spi<'static, SPI1, spi::Async>,
    /// Chip select, active low.
    pub(crate) cs: Output<'static>,
    /// Low for commands, high for data.
    pub(crate) dc: Output<'static>,
    /// Active low.
    pub(crate) reset: Output<'static>,
    /// Channel B lights the panel.
    pub(crate) light: Pwm<'static>,
}

/// What drives an OLED.
pub(crate) type OledBus = I2c<'static, I2C0, i2c::Async>;

/// Everything that is connected, by what it is for.
pub(crate) struct Board {
    pub(crate) buttons: Buttons,
    pub(crate) lcd: LcdParts,
    pub(crate) oled: OledBus,
    /// Channel A sounds.
    pub(crate) piezo: Pwm<'static>,
    pub(crate) flash: Peri<'static, FLASH>,
    pub(crate) core1: Peri<'static, CORE1>,
}

impl Board {
    /// Names the pins.
    pub(crate) fn new(p: Peripherals) -> Board {
        let mut lcd_bus = spi::Config::default();
        lcd_bus.frequency = LCD_HZ;
        let mut oled_bus = i2c::Config::default();
        oled_bus.frequency = OLED_HZ;
        // Dark and silent until someone asks.
        let off = pwm::Config::default();
        Board {
            buttons: [
                (Button::Up, Input::new(p.PIN_2, Pull::Up)),
                (Button::Down, Input::new(p.PIN_18, Pull::Up)),
                (Button::Left, Input::new(p.PIN_16, Pull::Up)),
                (Button::Right, Input::new(p.PIN_20, Pull::Up)),
                (Button::A, Input::new(p.PIN_15, Pull::Up)),
                (Button::A, Input::new(p.PIN_3, Pull::Up)),
                (Button::B, Input::new(p.PIN_17, Pull::Up)),
                (Button::X, Input::new(p.PIN_19, Pull::Up)),
                (Button::Y, Input::new(p.PIN_21, Pull::Up)),
            ],
            lcd: LcdParts {
                spi: Spi::new_txonly(p.SPI1, p.PIN_10, p.PIN_11, p.DMA_CH0, Interrupts, lcd_bus),
                cs: Output::new(p.PIN_9, Level::High),
                dc: Output::new(p.PIN_8, Level::High),
                reset: Output::new(p.PIN_12, Level::High),
                light: Pwm::new_output_b(p.PWM_SLICE6, p.PIN_13, off.clone()),
            },
            oled: I2c::new_async(p.I2C0, p.PIN_5, p.PIN_4, Interrupts, oled_bus),
            piezo: Pwm::new_output_a(p.PWM_SLICE7, p.PIN_14, off),
            flash: p.FLASH,
            core1: p.CORE1,
        }
    }
}
