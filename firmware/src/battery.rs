//! The battery gauge: voltage and charging.

use dojo_handheld::Battery;
use embassy_rp::adc::{Adc, Config};

use crate::boards::{BatteryParts, Led};

/// Ticks between two readings: 10 s.
const PAUSE: u32 = 200;
/// Samples in a reading.
const SAMPLES: u32 = 16;
/// The supply of the chip, which is the ADC's full scale, and its steps.
const SUPPLY_MV: u32 = 3300;
const STEPS: u32 = 4096;
/// Weight of a new reading in the moving average, as a divisor: the load changes faster than the
/// battery.
const SMOOTHING: i32 = 4;
/// Smaller changes are not reported.
const STEP_MV: u16 = 10;
/// Below this the LED warns: a lithium cell has a few percent left.
const LOW_MV: u16 = 3400;
/// Ticks of rest after which the charger counts as finished: near the end it pauses again and
/// again.
const REST: u32 = 60;

/// A battery and its LED: a short flash at each reading, green while it charges, red when it is
/// low.
pub(crate) struct Gauge {
    parts: BatteryParts,
    led: Option<Led>,
    /// Smoothed.
    millivolts: u16,
    told: Option<Battery>,
    ticks: u32,
    /// Ticks since the charger was last at work.
    rested: u32,
}

impl Gauge {
    pub(crate) fn new(mut parts: BatteryParts, led: Option<Led>) -> Gauge {
        Gauge {
            millivolts: read(&mut parts).unwrap_or(0),
            parts,
            led,
            told: None,
            ticks: 0,
            rested: REST,
        }
    }

    /// To be called at every tick. Returns the state if it has to be reported.
    pub(crate) fn tick(&mut self) -> Option<Battery> {
        let is_reading = self.ticks == 0;
        self.ticks = (self.ticks + 1) % PAUSE;
        if is_reading && let Some(now) = read(&mut self.parts) {
            let off = i32::from(now) - i32::from(self.millivolts);
            // Rounded away from the old value, or the average would never reach the new one.
            let step = (off + off.signum() * (SMOOTHING - 1)) / SMOOTHING;
            self.millivolts = self.millivolts.saturating_add_signed(step as i16);
        }
        let now = Battery {
            millivolts: self.millivolts,
            charging: self.is_charging(),
        };
        if let Some(led) = &mut self.led {
            let is_low = now.millivolts < LOW_MV;
            led.green.set_level((is_reading && now.charging).into());
            led.red
                .set_level((is_reading && is_low && !now.charging).into());
        }
        let is_news = self.told.is_none_or(|told| {
            told.charging != now.charging || told.millivolts.abs_diff(now.millivolts) >= STEP_MV
        });
        is_news.then(|| *self.told.insert(now))
    }

    /// Turns the LED off before the device is switched off.
    pub(crate) fn darken(&mut self) {
        if let Some(led) = &mut self.led {
            led.green.set_low();
            led.red.set_low();
        }
    }

    fn is_charging(&mut self) -> bool {
        // Without USB the charger has no power, and its pin means nothing.
        if self.parts.usb.is_low() {
            self.rested = REST;
        } else if self.parts.charging_low.is_low() {
            self.rested = 0;
        } else {
            self.rested = (self.rested + 1).min(REST);
        }
        self.rested < REST
    }
}

/// The battery's voltage in millivolts. The ADC is on only during the reading.
fn read(parts: &mut BatteryParts) -> Option<u16> {
    let mut adc = Adc::new_blocking(parts.adc.reborrow(), Config::default());
    let mut sum = 0;
    for _ in 0..SAMPLES {
        sum += u32::from(adc.blocking_read(&mut parts.sense).ok()?);
    }
    u16::try_from(sum * parts.divider * SUPPLY_MV / (SAMPLES * STEPS)).ok()
}
