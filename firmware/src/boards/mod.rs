//! The board: all that is wired to the chip, as typed peripherals.
//!
//! `firmware/boards` has one file a board, the only place where pins have numbers. Each is one call
//! of `board!`. Here it becomes peripherals of embassy, whose types refuse a pin that cannot do its
//! task; in `host-sim/src/device/boards.rs` the same files become the wiring of the emulator. A
//! cargo feature chooses the board of an image.

use dojo_handheld::Button;
use embassy_rp::Peri;
use embassy_rp::adc::Channel;
use embassy_rp::gpio::{Input, Output};
use embassy_rp::i2c::{self, I2c};
use embassy_rp::peripherals::{ADC, CORE1, FLASH};
use embassy_rp::pwm::{self, Pwm};
use embassy_rp::spi::{self, Spi};

#[cfg(any(
    all(feature = "board-pico", feature = "board-picosystem"),
    not(any(feature = "board-pico", feature = "board-picosystem")),
))]
compile_error!(
    "choose one board: `board-pico`, the default, or `--no-default-features --features board-picosystem`"
);

/// A part that a board may lack.
macro_rules! optional {
    () => {
        None
    };
    ($part:expr) => {
        Some($part)
    };
}

/// Whether a board has a part: a constant, so that an image has no code for parts that its board
/// lacks.
macro_rules! has {
    () => {
        false
    };
    ($part:ident) => {
        true
    };
}

/// The bus of an OLED; a board without one needs a type all the same.
macro_rules! bus_of {
    () => {
        embassy_rp::peripherals::I2C0
    };
    ($bus:ident) => {
        embassy_rp::peripherals::$bus
    };
}

macro_rules! pwm_pin {
    (A, $slice:expr, $pin:expr) => {
        $crate::boards::PwmPin {
            slice: embassy_rp::pwm::Pwm::new_output_a($slice, $pin, Default::default()),
            is_b: false,
        }
    };
    (B, $slice:expr, $pin:expr) => {
        $crate::boards::PwmPin {
            slice: embassy_rp::pwm::Pwm::new_output_b($slice, $pin, Default::default()),
            is_b: true,
        }
    };
}

/// The calls of `board!` give the parts in this order; those after `sound` may be left out.
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
        use embassy_rp::gpio::{Input, Level, Output, Pull};
        use embassy_rp::spi::Spi;
        use embassy_rp::{dma, peripherals, spi};

        use super::{Hardware, LcdParts, Panel};

        embassy_rp::bind_interrupts!(struct Interrupts {
            DMA_IRQ_0 => dma::InterruptHandler<peripherals::DMA_CH0>;
            $($i2c_irq => embassy_rp::i2c::InterruptHandler<peripherals::$i2c>;)?
        });

        pub(crate) const FLASH_BYTES: usize = $flash;
        pub(super) const BUTTONS: usize = [$(stringify!($button)),*].len();
        pub(super) type LcdSpi = peripherals::$spi;
        pub(super) type OledI2c = bus_of!($($i2c)?);
        pub(crate) const PANEL: Panel = Panel {
            madctl: $madctl,
            is_inverted: $inverted,
            offset: [$x, $y],
            has_tearing_signal: has!($($tearing)?),
        };
        pub(crate) const HAS_BATTERY: bool = has!($($sense)?);

        impl Hardware {
            /// Names the pins. All is dark and silent until someone asks.
            pub(crate) fn new(p: embassy_rp::Peripherals) -> Hardware {
                let mut lcd_bus = spi::Config::default();
                lcd_bus.frequency = $spi_hz;
                Hardware {
                    buttons: [$((dojo_handheld::Button::$button, Input::new(p.$button_pin, Pull::Up))),*],
                    lcd: LcdParts {
                        spi: Spi::new_txonly(p.$spi, p.$clock, p.$data, p.DMA_CH0, Interrupts, lcd_bus),
                        cs: Output::new(p.$select, Level::High),
                        dc: Output::new(p.$dc, Level::High),
                        reset: Output::new(p.$reset, Level::High),
                        tearing: optional!($(Input::new(p.$tearing, Pull::None))?),
                        light: pwm_pin!($light_channel, p.$light_slice, p.$light),
                    },
                    sound: pwm_pin!($sound_channel, p.$sound_slice, p.$sound),
                    oled: optional!($({
                        let mut oled_bus = embassy_rp::i2c::Config::default();
                        oled_bus.frequency = $i2c_hz;
                        embassy_rp::i2c::I2c::new_async(p.$i2c, p.$scl, p.$sda, Interrupts, oled_bus)
                    })?),
                    led: optional!($(super::Led {
                        red: Output::new(p.$red, Level::Low),
                        green: Output::new(p.$green, Level::Low),
                        _blue: Output::new(p.$blue, Level::Low),
                    })?),
                    battery: optional!($(super::BatteryParts {
                        adc: p.ADC,
                        sense: embassy_rp::adc::Channel::new_pin(p.$sense, Pull::None),
                        divider: $divider,
                        charging_low: Input::new(p.$charging, Pull::Up),
                        usb: Input::new(p.$usb, Pull::Down),
                    })?),
                    flash: p.FLASH,
                    core1: p.CORE1,
                }
            }
        }
    };
}

#[cfg(feature = "board-pico")]
#[path = "../../boards/pico.rs"]
mod chosen;
#[cfg(all(feature = "board-picosystem", not(feature = "board-pico")))]
#[path = "../../boards/picosystem.rs"]
mod chosen;

pub(crate) use chosen::{FLASH_BYTES, HAS_BATTERY, PANEL};

/// Buttons by the pins they are on.
pub(crate) type Buttons = [(Button, Input<'static>); chosen::BUTTONS];

/// How a 240×240 glass sits on its ST7789.
pub(crate) struct Panel {
    /// The register that turns and mirrors the picture.
    pub(crate) madctl: u8,
    /// Whether colours are right with inversion on.
    pub(crate) is_inverted: bool,
    /// Column and row of memory that the top left corner shows.
    pub(crate) offset: [u16; 2],
    /// Whether it tells when it begins to show its memory anew.
    pub(crate) has_tearing_signal: bool,
}

/// An LCD's lines.
pub(crate) struct LcdParts {
    /// Clock and data, by DMA.
    pub(crate) spi: Spi<'static, chosen::LcdSpi, spi::Async>,
    /// Chip select, active low.
    pub(crate) cs: Output<'static>,
    /// Low for commands, high for data.
    pub(crate) dc: Output<'static>,
    /// Active low.
    pub(crate) reset: Output<'static>,
    /// High between two pictures of the panel.
    pub(crate) tearing: Option<Input<'static>>,
    pub(crate) light: PwmPin,
}

/// An OLED's bus.
pub(crate) type OledBus = I2c<'static, chosen::OledI2c, i2c::Async>;

/// A pin and the PWM slice behind it, which may also drive a second pin.
pub(crate) struct PwmPin {
    slice: Pwm<'static>,
    is_b: bool,
}

impl PwmPin {
    /// The pin is high for `compare` of every `config.top + 1` steps.
    pub(crate) fn set(&mut self, mut config: pwm::Config, compare: u16) {
        if self.is_b {
            config.compare_b = compare;
        } else {
            config.compare_a = compare;
        }
        self.slice.set_config(&config);
    }
}

/// An LED of three colours; high is lit.
pub(crate) struct Led {
    pub(crate) red: Output<'static>,
    pub(crate) green: Output<'static>,
    /// Kept dark.
    pub(crate) _blue: Output<'static>,
}

/// A battery's lines.
pub(crate) struct BatteryParts {
    pub(crate) adc: Peri<'static, ADC>,
    /// The battery's voltage, divided.
    pub(crate) sense: Channel<'static>,
    pub(crate) divider: u32,
    /// Low while the charger works, or has no power.
    pub(crate) charging_low: Input<'static>,
    /// High while USB gives power.
    pub(crate) usb: Input<'static>,
}

/// Everything that is connected, by what it is for.
pub(crate) struct Hardware {
    pub(crate) buttons: Buttons,
    pub(crate) lcd: LcdParts,
    pub(crate) oled: Option<OledBus>,
    pub(crate) sound: PwmPin,
    pub(crate) led: Option<Led>,
    pub(crate) battery: Option<BatteryParts>,
    pub(crate) flash: Peri<'static, FLASH>,
    pub(crate) core1: Peri<'static, CORE1>,
}
