//! Oscillators, PLLs and the clock tree, and the mapping between cycles and time.
//!
//! The emulator counts cycles of `clk_sys`. How long a cycle is follows from what the firmware
//! programmed: crystal 12 MHz, ring oscillator 6.5 MHz, PLL dividers, source selectors. The 1 µs
//! tick that drives TIMER and WATCHDOG comes from `clk_ref` divided by WATCHDOG.TICK.
//!
//! Modelled delays: the crystal's start-up counter and the lock of a PLL; clock switches take no
//! time. A clock from a source that is off or not yet stable is a broken rule, and so is a PLL
//! outside its limits. Frequency counter, GPIO clock inputs and clock gating are not modelled.
//!
//! A dormant crystal stops everything that it clocks; the cycle count goes on as the time of the
//! outside world. Dormancy of the ring oscillator is not modelled.

use super::registers::{aliased, field};

const XOSC_HZ: u64 = 12_000_000;
const ROSC_HZ: u64 = 6_500_000;
const NS: u128 = 1_000_000_000;
/// The data sheet gives no time for a PLL to lock: 1200 periods of the crystal are assumed.
const LOCK_NS: u64 = 100_000;
const PLL_POWER_DOWN: u32 = 1 << 0 | 1 << 5; // PD, VCOPD
const PLL_DIVIDERS_DOWN: u32 = 1 << 3; // POSTDIVPD

const CLK_REF_CTRL: usize = 0x30 / 4;
const CLK_SYS_CTRL: usize = 0x3C / 4;
const CLK_SYS_DIV: usize = 0x40 / 4;
const CLK_PERI_CTRL: usize = 0x48 / 4;

const XOSC_ENABLE: u32 = 0xFAB;
const ROSC_DISABLE: u32 = 0xD1E;
/// The word that stops the crystal: "coma".
pub(super) const DORMANT: u32 = 0x636F_6D61;
const STABLE: u32 = 1 << 31;
const ENABLED: u32 = 1 << 12;
const TICK_ENABLE: u32 = 1 << 9;
const TICK_RUNNING: u32 = 1 << 10;

#[derive(Clone, Copy)]
struct Pll {
    control: u32,
    power: u32,
    feedback: u32,
    dividers: u32,
    /// Time at which it locks, if it is on.
    lock_ns: u64,
}

impl Pll {
    const RESET: Pll = Pll {
        control: 1,
        power: 0x2D,
        feedback: 0,
        dividers: 0x7_7000,
        lock_ns: u64::MAX,
    };

    fn is_running(&self) -> bool {
        self.power & PLL_POWER_DOWN == 0 && self.feedback != 0
    }

    fn reference_hz(&self) -> u64 {
        XOSC_HZ / u64::from(field(self.control, 0, 6).max(1))
    }

    /// Why nothing can run from it at the time `ns`.
    fn problem(&self, ns: u64) -> Option<String> {
        let (reference, feedback) = (self.reference_hz(), self.feedback & 0xFFF);
        let oscillator = reference * u64::from(feedback);
        if !self.is_running() || self.power & PLL_DIVIDERS_DOWN != 0 {
            return Some(format!("the PLL is off: PWR {:#x}", self.power));
        }
        if ns < self.lock_ns {
            return Some(format!(
                "the PLL has not locked: it needs {} ns more",
                self.lock_ns - ns
            ));
        }
        if reference < 5_000_000
            || !(16..=320).contains(&feedback)
            || !(750_000_000..=1_600_000_000).contains(&oscillator)
        {
            return Some(format!(
                "the PLL is outside its limits: {reference} Hz times {feedback}"
            ));
        }
        None
    }

    fn hz(&self) -> u64 {
        let reference = self.reference_hz();
        let divide = field(self.dividers, 16, 3).max(1) * field(self.dividers, 12, 3).max(1);
        if self.is_running() {
            reference * u64::from(self.feedback & 0xFFF) / u64::from(divide)
        } else {
            0
        }
    }

    fn read(&self, offset: u32, ns: u64) -> u32 {
        match offset {
            0x0 => {
                self.control
                    | if self.is_running() && ns >= self.lock_ns {
                        STABLE
                    } else {
                        0
                    }
            }
            0x4 => self.power,
            0x8 => self.feedback,
            _ => self.dividers,
        }
    }

    fn write(&mut self, offset: u32, value: u32, address: u32, ns: u64) {
        let before = (self.is_running(), self.control, self.feedback);
        self.write_register(offset, value, address);
        if before != (self.is_running(), self.control, self.feedback) {
            self.lock_ns = if self.is_running() {
                ns + LOCK_NS
            } else {
                u64::MAX
            };
        }
    }

    fn write_register(&mut self, offset: u32, value: u32, address: u32) {
        let register = match offset {
            0x0 => &mut self.control,
            0x4 => &mut self.power,
            0x8 => &mut self.feedback,
            _ => &mut self.dividers,
        };
        *register = aliased(*register, value, address);
    }
}

/// ROSC.RANDOMBIT: repeatable on purpose, so that a test can be repeated.
#[derive(Clone, Copy)]
struct RandomBit {
    state: u32,
    /// How many of 256 bits are ones.
    ones: u32,
}

const FAIR: u32 = 128;

impl RandomBit {
    fn next(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        u32::from(self.state >> 24 < self.ones)
    }
}

/// Clock registers plus the conversions between cycles, nanoseconds and timer ticks.
#[derive(Clone)]
pub(super) struct Clocks {
    registers: [u32; 64],
    plls: [Pll; 2],
    xosc_control: u32,
    xosc_startup: u32,
    xosc_stable_ns: u64,
    /// The crystal is stopped until a pin wakes it.
    dormant: bool,
    rosc: [u32; 8],
    random: RandomBit,
    tick: u32,
    sys_hz: u64,
    peri_hz: u64,
    /// Time is linear between two clock changes: these are the cycle and time of the last one.
    anchor_cycle: u64,
    anchor_ns: u64,
    tick_hz: u64,
    tick_anchor_ns: u64,
    tick_anchor: u64,
}

impl Clocks {
    /// Clock tree after a reset that happens at `cycle`, `ns`.
    pub(super) fn after_reset(cycle: u64, ns: u64) -> Self {
        let mut registers = [0; 64];
        registers[CLK_SYS_DIV] = 0x100;
        Clocks {
            registers,
            plls: [Pll::RESET; 2],
            xosc_control: 0,
            xosc_startup: 0xC4,
            xosc_stable_ns: u64::MAX,
            dormant: false,
            rosc: [0xAA0, 0, 0, 0, 16, 8, 0, 0],
            random: RandomBit {
                state: 0x2545_F491,
                ones: FAIR,
            },
            tick: 0,
            sys_hz: ROSC_HZ,
            peri_hz: ROSC_HZ,
            anchor_cycle: cycle,
            anchor_ns: ns,
            tick_hz: 0,
            tick_anchor_ns: ns,
            tick_anchor: 0,
        }
    }

    /// Clock tree after the power was off; the ring oscillator's noise goes on.
    pub(super) fn after_power_on(&self, cycle: u64) -> Self {
        Clocks {
            random: self.random,
            ..Clocks::after_reset(cycle, self.ns_at(cycle))
        }
    }

    /// Clock tree after the watchdog reset it. Oscillators go on unless they are `stopped`, ring
    /// first; PLLs belong to RESETS.
    pub(super) fn after_watchdog(&self, cycle: u64, stopped: [bool; 2]) -> Self {
        let mut clocks = self.after_power_on(cycle);
        if !stopped[0] {
            clocks.rosc = self.rosc;
        }
        if !stopped[1] {
            (clocks.xosc_control, clocks.xosc_startup) = (self.xosc_control, self.xosc_startup);
            clocks.xosc_stable_ns = self.xosc_stable_ns;
        }
        clocks.plls = self.plls;
        clocks
    }

    /// Why the system clock or the reference cannot run as they are set.
    pub(super) fn problem(&self, cycle: u64) -> Option<String> {
        let ns = self.ns_at(cycle);
        let crystal =
            || (ns < self.xosc_stable_ns).then(|| "the crystal is not stable".to_string());
        let pll = |which: usize| self.plls[which].problem(ns).or_else(crystal);
        let ring = || (!self.ring_is_on()).then(|| "the ring oscillator is off".to_string());
        let reference = match field(self.registers[CLK_REF_CTRL], 0, 2) {
            0 => ring(),
            1 => pll(1),
            _ => crystal(),
        };
        let select = self.registers[CLK_SYS_CTRL];
        let system = match (select & 1, field(select, 5, 3)) {
            (0, _) => None,
            (_, 0) => pll(0),
            (_, 1) => pll(1),
            (_, 2) => ring(),
            _ => crystal(),
        };
        let named = |name: &str, problem: Option<String>| {
            problem.map(|problem| format!("{name}: {problem}"))
        };
        named("clk_ref", reference).or(named("clk_sys", system))
    }

    /// Whether the ring oscillator runs.
    pub(super) fn ring_is_on(&self) -> bool {
        field(self.rosc[0], 12, 12) != ROSC_DISABLE
    }

    /// Why the crystal must not be stopped as the clocks are set.
    pub(super) fn dormancy_problem(&self) -> Option<String> {
        if let Some(which) = (0..2).find(|&which| self.plls[which].is_running()) {
            let name = ["PLL_SYS", "PLL_USB"][which];
            return Some(format!("{name} is still on"));
        }
        let reference = field(self.registers[CLK_REF_CTRL], 0, 2);
        let select = self.registers[CLK_SYS_CTRL];
        let from_crystal = match (select & 1, field(select, 5, 3)) {
            (0, _) => reference == 2,
            (_, source) => reference == 2 && source == 3,
        };
        (!from_crystal).then(|| "clk_ref and clk_sys do not come from the crystal".to_string())
    }

    pub(super) fn is_dormant(&self) -> bool {
        self.dormant
    }

    /// Stops the crystal at `cycle`, or lets it start again: then it needs its start-up time anew.
    pub(super) fn set_dormant(&mut self, dormant: bool, cycle: u64) {
        self.dormant = dormant;
        self.xosc_stable_ns = if dormant {
            u64::MAX
        } else {
            self.ns_at(cycle) + self.startup_ns()
        };
        self.retune(cycle);
    }

    fn startup_ns(&self) -> u64 {
        u64::from(field(self.xosc_startup, 0, 14)) * 256 * 1_000_000_000 / XOSC_HZ
    }

    pub(super) fn sys_hz(&self) -> u64 {
        self.sys_hz
    }

    pub(super) fn peri_hz(&self) -> u64 {
        self.peri_hz
    }

    /// Cycles of `clk_sys` that `count` cycles of `clk_peri` take.
    pub(super) fn peri_to_sys(&self, count: u64) -> u64 {
        if self.peri_hz == self.sys_hz {
            count
        } else {
            (count * self.sys_hz).div_ceil(self.peri_hz.max(1))
        }
    }

    /// Cycles in `us` microseconds at the present clock.
    pub(super) fn us_to_cycles(&self, us: u64) -> u64 {
        (u128::from(us) * u128::from(self.sys_hz) / 1_000_000) as u64
    }

    pub(super) fn ns_at(&self, cycle: u64) -> u64 {
        let elapsed = u128::from(cycle.saturating_sub(self.anchor_cycle)) * NS;
        self.anchor_ns + (elapsed / u128::from(self.sys_hz)) as u64
    }

    /// First cycle that is not before `ns`.
    pub(super) fn cycle_at(&self, ns: u64) -> u64 {
        let ahead = u128::from(ns.saturating_sub(self.anchor_ns)) * u128::from(self.sys_hz);
        let cycles = u64::try_from(ahead.div_ceil(NS)).unwrap_or(u64::MAX);
        self.anchor_cycle.saturating_add(cycles)
    }

    /// Ticks of the 1 µs generator so far.
    pub(super) fn ticks_at(&self, cycle: u64) -> u64 {
        let elapsed = u128::from(self.ns_at(cycle).saturating_sub(self.tick_anchor_ns));
        self.tick_anchor + (elapsed * u128::from(self.tick_hz) / NS) as u64
    }

    /// Cycle at which the tick counter reaches `tick`; `None` while the generator is stopped.
    pub(super) fn cycle_of_tick(&self, tick: u64) -> Option<u64> {
        if self.tick_hz == 0 {
            return None;
        }
        let ahead = u128::from(tick.saturating_sub(self.tick_anchor)) * NS;
        let ns = self.tick_anchor_ns + ahead.div_ceil(u128::from(self.tick_hz)) as u64;
        Some(self.cycle_at(ns))
    }

    fn ref_hz(&self) -> u64 {
        let source = match field(self.registers[CLK_REF_CTRL], 0, 2) {
            0 => ROSC_HZ,
            1 => self.plls[1].hz(),
            _ => XOSC_HZ,
        };
        let divide = field(self.registers[CLK_REF_CTRL + 1], 8, 2).max(1);
        source / u64::from(divide)
    }

    /// Recomputes all frequencies after a write at `cycle`.
    fn retune(&mut self, cycle: u64) {
        let ticks = self.ticks_at(cycle);
        let ns = self.ns_at(cycle);
        (self.anchor_cycle, self.anchor_ns) = (cycle.max(self.anchor_cycle), ns);
        (self.tick_anchor, self.tick_anchor_ns) = (ticks, ns);

        let select = self.registers[CLK_SYS_CTRL];
        let source = match (select & 1, field(select, 5, 3)) {
            (0, _) => self.ref_hz(),
            (_, 0) => self.plls[0].hz(),
            (_, 1) => self.plls[1].hz(),
            (_, 2) => ROSC_HZ,
            _ => XOSC_HZ,
        };
        let divide = u64::from(self.registers[CLK_SYS_DIV]).max(1);
        // A stopped source would freeze the chip; the slowest real clock keeps time finite.
        self.sys_hz = (source * 256 / divide).max(1_000_000);
        self.peri_hz = match field(self.registers[CLK_PERI_CTRL], 5, 3) {
            0 => self.sys_hz,
            1 => self.plls[0].hz(),
            2 => self.plls[1].hz(),
            3 => ROSC_HZ,
            _ => XOSC_HZ,
        }
        .max(1);
        let cycles = u64::from(field(self.tick, 0, 9));
        self.tick_hz = if self.tick & TICK_ENABLE != 0 && cycles > 0 && !self.dormant {
            self.ref_hz() / cycles
        } else {
            0
        };
    }

    pub(super) fn read(&self, offset: u32) -> u32 {
        match offset {
            0x38 => 1 << field(self.registers[CLK_REF_CTRL], 0, 2),
            0x44 => 1 << (self.registers[CLK_SYS_CTRL] & 1),
            0x08 | 0x14 | 0x20 | 0x2C | 0x50 | 0x5C | 0x68 | 0x74 => 1,
            _ => self.registers[(offset / 4) as usize & 63],
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32, address: u32, cycle: u64) {
        let register = &mut self.registers[(offset / 4) as usize & 63];
        *register = aliased(*register, value, address);
        self.retune(cycle);
    }

    pub(super) fn read_pll(&self, which: usize, offset: u32, cycle: u64) -> u32 {
        self.plls[which].read(offset, self.ns_at(cycle))
    }

    pub(super) fn write_pll(
        &mut self,
        which: usize,
        offset: u32,
        value: u32,
        address: u32,
        cycle: u64,
    ) {
        self.plls[which].write(offset, value, address, self.ns_at(cycle));
        self.retune(cycle);
    }

    pub(super) fn reset_pll(&mut self, which: usize, cycle: u64) {
        self.plls[which] = Pll::RESET;
        self.retune(cycle);
    }

    pub(super) fn read_xosc(&self, offset: u32, cycle: u64) -> u32 {
        match offset {
            0x0 => self.xosc_control,
            0x4 if self.xosc_stable_ns == u64::MAX => 0,
            0x4 if self.ns_at(cycle) >= self.xosc_stable_ns => STABLE | ENABLED,
            0x4 => ENABLED,
            0xC => self.xosc_startup,
            _ => 0,
        }
    }

    pub(super) fn write_xosc(&mut self, offset: u32, value: u32, address: u32, cycle: u64) {
        match offset {
            0x0 => {
                self.xosc_control = aliased(self.xosc_control, value, address);
                let enabled = field(self.xosc_control, 12, 12) == XOSC_ENABLE;
                self.xosc_stable_ns = match (enabled, self.xosc_stable_ns) {
                    (false, _) => u64::MAX,
                    (true, u64::MAX) => self.ns_at(cycle) + self.startup_ns(),
                    (true, already) => already,
                };
            }
            0xC => self.xosc_startup = aliased(self.xosc_startup, value, address),
            _ => {}
        }
    }

    pub(super) fn read_rosc(&mut self, offset: u32) -> u32 {
        match offset {
            0x18 if self.ring_is_on() => STABLE | ENABLED,
            0x18 => 0,
            // Without the oscillator the bit keeps its value.
            0x1C if !self.ring_is_on() => 0,
            0x1C => self.random.next(),
            _ => self.rosc[(offset / 4) as usize & 7],
        }
    }

    pub(super) fn write_rosc(&mut self, offset: u32, value: u32, address: u32) {
        let register = &mut self.rosc[(offset / 4) as usize & 7];
        *register = aliased(*register, value, address);
    }

    pub(super) fn read_tick(&self) -> u32 {
        self.tick | if self.tick_hz > 0 { TICK_RUNNING } else { 0 }
    }

    pub(super) fn write_tick(&mut self, value: u32, address: u32, cycle: u64) {
        self.tick = aliased(self.tick, value, address) & 0x3FF;
        self.retune(cycle);
    }

    /// Seeds RANDOMBIT, the chip's only source of randomness.
    pub(super) fn seed_random(&mut self, seed: u32) {
        self.random.state = seed | 1;
    }

    /// Sets how many of 256 random bits are ones; 0 and 256 make the bit constant.
    pub(super) fn bias_random(&mut self, ones: u32) {
        self.random.ones = ones;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programmed(feedback: u32, dividers: u32) -> Clocks {
        let mut clocks = Clocks::after_reset(0, 0);
        clocks.write(0x30, 2, 0, 0);
        clocks.write_tick(TICK_ENABLE | 12, 0, 0);
        clocks.write_pll(0, 0x8, feedback, 0, 0);
        clocks.write_pll(0, 0x4, 0, 0, 0);
        clocks.write_pll(0, 0xC, dividers, 0, 0);
        clocks.write(0x3C, 1, 0, 0);
        clocks
    }

    #[test]
    fn system_clock_follows_the_pll() {
        assert_eq!(programmed(125, 0x6_2000).sys_hz(), 125_000_000);
        assert_eq!(programmed(133, 0x6_2000).sys_hz(), 133_000_000);
        assert_eq!(programmed(100, 0x6_1000).sys_hz(), 200_000_000);
    }

    #[test]
    fn a_pll_locks_after_a_while_and_has_limits() {
        let mut clocks = programmed(100, 0x6_1000);
        clocks.write(0x30, 0, 0, 0); // the reference from the ring oscillator
        clocks.write_xosc(0x0, XOSC_ENABLE << 12, 0, 0);
        assert_eq!(clocks.read_pll(0, 0x0, 0) & STABLE, 0);
        let crystal = clocks.cycle_at(clocks.xosc_stable_ns);
        assert!(
            clocks
                .problem(0)
                .is_some_and(|problem| problem.contains("locked"))
        );
        assert!(
            clocks
                .problem(crystal - 1)
                .is_some_and(|problem| problem.contains("crystal"))
        );
        assert_eq!(clocks.problem(crystal), None);
        assert_eq!(clocks.read_pll(0, 0x0, crystal) & STABLE, STABLE);
        clocks.write_pll(0, 0x8, 140, 0, crystal);
        assert!(
            clocks
                .problem(crystal)
                .is_some_and(|problem| problem.contains("locked"))
        );
        let later = clocks.cycle_at(clocks.ns_at(crystal) + LOCK_NS);
        assert!(
            clocks
                .problem(later)
                .is_some_and(|problem| problem.contains("limits")),
            "1680 MHz"
        );
    }

    #[test]
    fn the_random_bit_can_be_biased() {
        let ones = |bias| {
            let mut clocks = Clocks::after_reset(0, 0);
            clocks.bias_random(bias);
            (0..10_000).map(|_| clocks.read_rosc(0x1C)).sum::<u32>()
        };
        assert_eq!((ones(0), ones(256)), (0, 10_000));
        assert!(
            (4_800..5_200).contains(&ones(FAIR)) && (1_100..1_400).contains(&ones(32)),
            "{}",
            ones(32)
        );
        let mut clocks = Clocks::after_reset(0, 0);
        let bits =
            |clocks: &mut Clocks| (0..64).map(|_| clocks.read_rosc(0x1C)).collect::<Vec<_>>();
        let first = bits(&mut clocks);
        assert_ne!(
            bits(&mut clocks.after_power_on(0)),
            first,
            "not the same bits after every start"
        );
    }

    #[test]
    fn ticks_are_microseconds_and_invert() {
        let clocks = programmed(125, 0x6_2000);
        assert_eq!(clocks.ticks_at(125_000), 1_000);
        let cycle = clocks.cycle_of_tick(777).expect("generator runs");
        assert_eq!(
            (clocks.ticks_at(cycle - 1), clocks.ticks_at(cycle)),
            (776, 777)
        );
    }
}
