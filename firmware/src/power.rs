//! Clocks: fast while there is work, the bare crystal at rest, none while switched off.
//!
//! The time (TIMER, watchdog) comes from the crystal and does not notice. The buses and the flash
//! divide the system clock: at rest they are slower by the same factor, and nothing is sent.

use embassy_rp::clocks::{AdcClkSrc, ClockConfig, CoreVoltage, PllConfig};
use embassy_rp::pac::clocks::vals::ClkSysCtrlSrc;
use embassy_rp::pac::rosc::vals::Enable;
use embassy_rp::pac::xosc::regs::Dormant;
use embassy_rp::pac::{CLOCKS, PLL_SYS, ROSC, XOSC};

use crate::{CLOCK_HZ, crash};

/// The crystal of the Pico, multiplied by 100 and divided by 6.
const CRYSTAL_HZ: u32 = 12_000_000;
const PLL: PllConfig = PllConfig {
    refdiv: 1,
    fbdiv: 100,
    post_div1: 6,
    post_div2: 1,
};
const _: () = assert!(CRYSTAL_HZ * 100 / 6 == CLOCK_HZ);

/// The word that stops the crystal: "coma".
const COMA: u32 = 0x636F_6D61;

/// What the program starts with: the fast clock, and nothing from the PLL for USB, which stays off.
pub(crate) fn clocks() -> ClockConfig {
    let mut clocks = ClockConfig::manual_pll(CRYSTAL_HZ, PLL, CoreVoltage::V1_15);
    if let Some(crystal) = &mut clocks.xosc {
        // In milliseconds: the Pico's own crystal needs one, and embassy would wait for 128.
        crystal.delay_multiplier = 16;
        crystal.usb_pll = None;
    }
    clocks.usb_clk = None;
    clocks.rtc_clk = None;
    if let Some(adc) = &mut clocks.adc_clk {
        adc.src = AdcClkSrc::Xosc;
    }
    clocks
}

/// How fast the system runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    Work,
    /// Both cores sleep most of the time.
    Rest,
}

impl Pace {
    /// The system clock.
    pub(crate) const fn hertz(self) -> u32 {
        match self {
            Pace::Work => CLOCK_HZ,
            Pace::Rest => CRYSTAL_HZ,
        }
    }

    /// Changes the system clock. The voltage stays: lowering it at rest would save little, and
    /// coming back would take longer than the PLL.
    pub(crate) fn set(self) {
        match self {
            Pace::Work => {
                // As embassy starts it: the divider last.
                PLL_SYS.pwr().write(|w| {
                    w.set_dsmpd(true);
                    w.set_postdivpd(true);
                });
                while !PLL_SYS.cs().read().lock() {}
                PLL_SYS.pwr().write(|w| w.set_dsmpd(true));
                select(ClkSysCtrlSrc::CLKSRC_CLK_SYS_AUX);
            }
            Pace::Rest => {
                select(ClkSysCtrlSrc::CLK_REF);
                PLL_SYS.pwr().write(|w| {
                    w.set_pd(true);
                    w.set_vcopd(true);
                    w.set_postdivpd(true);
                    w.set_dsmpd(true);
                });
            }
        }
    }
}

/// Switches the system clock, without a glitch, to the reference (the crystal) or to the PLL.
fn select(source: ClkSysCtrlSrc) {
    CLOCKS.clk_sys_ctrl().modify(|w| w.set_src(source));
    while CLOCKS.clk_sys_selected().read() != 1 << source as u32 {}
}

/// Stops every clock until a pin that is enabled to do so wakes the crystal, then goes on at
/// [`Pace::Rest`], which is where it has to be called from: with a PLL on the chip would not come
/// back.
pub(crate) fn sleep() {
    cortex_m::interrupt::free(|_| {
        crash::pause_watchdog();
        ROSC.ctrl().modify(|w| w.set_enable(Enable::DISABLE));
        XOSC.dormant().write_value(Dormant(COMA));
        while !XOSC.status().read().stable() {}
        // Before the watchdog counts: it restarts the chip from this oscillator.
        ROSC.ctrl().modify(|w| w.set_enable(Enable::ENABLE));
        while !ROSC.status().read().stable() {}
        crash::resume_watchdog();
    });
}
