//! ST7789 colour controller with a 240×240 glass on its 240×320 memory.
//!
//! Modelled: CASET, RASET, RAMWR with write-continue, MADCTL (MX, MY, MV, BGR), INVON/INVOFF,
//! SLPIN/SLPOUT, DISPON/DISPOFF, COLMOD, software and hardware reset. Only 16-bit colour is
//! understood; anything else is noted as a [`Complaint`]. Scrolling, gamma and read-back are not.
//!
//! The tearing signal (TEON, mode 0) is high between two frames of the panel, which follow each
//! other at 59 Hz. Where it is connected, torn frames are counted.
//!
//! The times that the data sheet asks for are enforced: 7.4.5 for the reset line, 9.1.2, 9.1.11 and
//! 9.1.12 for SWRESET, SLPIN and SLPOUT. The panel has its own power: it stays awake, or recovers
//! from having been awake, while the RP2040 restarts.

use super::{DisplayCounters, Picture};
use crate::fault::{Broken, Rule};
use crate::gpio::{FUNCTION_SPI, Gpio};
use crate::spi::SpiLink;

const COLUMNS: usize = 240;
const ROWS: usize = 320;
const VISIBLE: usize = 240;
const MY: u8 = 0x80;
const MX: u8 = 0x40;
const MV: u8 = 0x20;
const BGR: u8 = 0x08;

/// A shorter low pulse on the reset line may be taken for noise.
const RESET_PULSE_NS: u64 = 10_000;
/// After a reset or a change of sleep: no command before.
const SETTLE_NS: u64 = 5_000_000;
/// Between two changes of sleep, and after a reset out of sleep-out: no SLPIN or SLPOUT before.
const SLEEP_NS: u64 = 120_000_000;
/// The serial clock takes at least 16 ns.
const MAX_HZ: u64 = 62_500_000;
/// Reading a row of memory, and the rows between two pictures: FRCTRL2 and PORCTRL at their reset
/// values.
const ROW_NS: u64 = 49_000;
const BLANK_ROWS: u64 = 24;
const SHOWN_NS: u64 = ROWS as u64 * ROW_NS;
const PICTURE_NS: u64 = SHOWN_NS + BLANK_ROWS * ROW_NS;
/// A pause in the pixels of this length ends what is sent as one picture.
const SENT_NS: u64 = 2_000_000;
/// SIO's outputs, where the reset line hangs.
const GPIO_OUT: u32 = 0xD000_0010;

/// GPIO numbers of the control lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct St7789Pins {
    /// SCL of the panel: an SPI block's SCK. It decides which of the two blocks is meant.
    pub clock: u8,
    /// SDA of the panel: the same block's TX.
    pub data: u8,
    pub dc: u8,
    /// `None` if the module ties it low.
    pub cs: Option<u8>,
    /// `None` if the module ties it high.
    pub reset: Option<u8>,
    /// TE of the panel, an output; `None` if the module does not bring it out.
    pub tearing: Option<u8>,
}

/// A command sequence that a real panel would show wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// Pixels arrived while COLMOD was not 16 bits (0x05 or 0x55).
    ColourMode(u8),
    /// Pixels arrived for a window outside the memory.
    WindowOutside {
        columns: (u16, u16),
        rows: (u16, u16),
    },
}

#[derive(Clone)]
pub struct St7789 {
    pins: St7789Pins,
    mounting: u8,
    memory: Vec<u16>,
    command: u8,
    arguments: Vec<u8>,
    columns: (u16, u16),
    rows: (u16, u16),
    at: (u16, u16),
    first_byte: Option<u8>,
    madctl: u8,
    colour_mode: u8,
    inverted: bool,
    awake: bool,
    on: bool,
    /// Whether TEON was sent.
    signals: bool,
    /// Time of SLPOUT, from which pictures are counted.
    awake_ns: u64,
    /// The frame being sent: time of its last pixel, the first frame of the panel that shows a part
    /// of it, and whether another one shows the rest.
    sent: (u64, u64, bool),
    /// Since when the reset line has been low.
    low_since_ns: Option<u64>,
    /// The panel was awake when the reset line fell, or had not yet recovered from being so.
    long_recovery: bool,
    /// Whether the reset line did its work since power came.
    was_reset: bool,
    /// No command before this time.
    ready_ns: u64,
    /// No change of sleep before this time.
    sleep_ns: u64,
    counters: DisplayCounters,
    complaints: Vec<Complaint>,
}

impl St7789 {
    /// A panel with fresh power, mounted as on the Waveshare Pico-LCD-1.3.
    pub fn new(pins: St7789Pins) -> Self {
        let mut panel = St7789 {
            pins,
            mounting: 0x70,
            memory: vec![0; COLUMNS * ROWS],
            command: 0,
            arguments: Vec::new(),
            columns: (0, 0),
            rows: (0, 0),
            at: (0, 0),
            first_byte: None,
            madctl: 0,
            colour_mode: 0,
            inverted: false,
            awake: false,
            on: false,
            signals: false,
            awake_ns: 0,
            sent: (0, 0, false),
            low_since_ns: None,
            long_recovery: false,
            was_reset: pins.reset.is_none(),
            ready_ns: 0,
            sleep_ns: 0,
            counters: DisplayCounters::default(),
            complaints: Vec::new(),
        };
        panel.scramble();
        panel.reset();
        panel
    }

    /// Sets how the glass is turned: the MADCTL value with which a picture stands upright.
    /// The default, 0x70, is what the Pico-LCD-1.3 with its joystick on the left needs.
    pub fn mounted_for(mut self, madctl: u8) -> Self {
        self.mounting = madctl;
        self
    }

    pub(super) fn after_power_on(&self) -> Self {
        St7789::new(self.pins).mounted_for(self.mounting)
    }

    /// Memory wakes up with noise, so that a firmware that forgets to clear it shows it.
    fn scramble(&mut self) {
        for (index, cell) in self.memory.iter_mut().enumerate() {
            *cell = (index as u32).wrapping_mul(0x9E37_79B9).rotate_left(11) as u16;
        }
    }

    fn reset(&mut self) {
        self.columns = (0, COLUMNS as u16 - 1);
        self.rows = (0, ROWS as u16 - 1);
        self.madctl = 0;
        self.colour_mode = 0x66;
        self.inverted = false;
        self.awake = false;
        self.on = false;
        self.signals = false;
        self.command = 0;
    }

    /// The SPI block that its clock pin belongs to.
    pub(super) fn bus(&self) -> usize {
        usize::from(self.pins.clock >> 3 & 1)
    }

    pub fn counters(&self) -> DisplayCounters {
        self.counters
    }

    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// Whether the panel is awake and switched on.
    pub fn is_on(&self) -> bool {
        self.awake && self.on
    }

    /// Follows the reset line; `ns` is the time.
    pub(super) fn pins_changed(&mut self, levels: u32, ns: impl Fn() -> u64) -> Option<Broken> {
        let low = self.pins.reset.is_some_and(|pin| levels >> pin & 1 == 0);
        match (low, self.low_since_ns) {
            (true, None) => {
                let ns = ns();
                self.long_recovery = self.awake || ns < self.sleep_ns;
                self.low_since_ns = Some(ns);
                self.reset();
            }
            (false, Some(fell)) => {
                let ns = ns();
                self.low_since_ns = None;
                self.was_reset = true;
                self.ready_ns = ns + SETTLE_NS;
                self.sleep_ns = if self.long_recovery { ns + SLEEP_NS } else { 0 };
                if ns - fell < RESET_PULSE_NS {
                    let detail = format!(
                        "the panel's reset line was low for {} ns, it needs {RESET_PULSE_NS}",
                        ns - fell
                    );
                    return Some(Broken {
                        rule: Rule::PanelTiming,
                        address: GPIO_OUT,
                        detail,
                    });
                }
            }
            _ => {}
        }
        None
    }

    /// Whether what the master sends can be understood, if the panel listens at all.
    pub(super) fn check(&self, link: SpiLink, gpio: &Gpio) -> Option<Broken> {
        let St7789Pins {
            clock,
            data,
            dc,
            cs,
            reset,
            tearing,
        } = self.pins;
        if !self.listens(gpio.levels()) {
            return None;
        }
        let broken = |rule, detail| {
            Some(Broken {
                rule,
                address: self.data_register(),
                detail,
            })
        };
        for pin in [clock, data] {
            if let Err(detail) = gpio.carries(pin, FUNCTION_SPI) {
                return broken(Rule::PinFunction, detail);
            }
        }
        if let Some(pin) = [Some(dc), cs, reset]
            .into_iter()
            .flatten()
            .find(|&pin| !gpio.is_driven(pin))
        {
            return broken(
                Rule::PinFunction,
                format!("GP{pin} of the panel is not driven"),
            );
        }
        if let Some(pin) = tearing.filter(|&pin| gpio.is_driven(pin)) {
            return broken(
                Rule::PinFunction,
                format!("GP{pin} is an output of the panel and is driven"),
            );
        }
        if !matches!(link.mode, Some(0 | 3)) {
            return broken(
                Rule::SpiMode,
                format!("the panel needs mode 0 or 3 and gets {:?}", link.mode),
            );
        }
        if link.bits != 8 {
            return broken(
                Rule::SpiMode,
                format!("the panel needs frames of 8 bits and gets {}", link.bits),
            );
        }
        if link.hz > MAX_HZ {
            return broken(
                Rule::BusClock,
                format!("the panel's clock is {} Hz, it can take {MAX_HZ}", link.hz),
            );
        }
        None
    }

    /// Where the SPI block takes its data: the register that a bad frame came through.
    fn data_register(&self) -> u32 {
        [0x4003_C008, 0x4004_0008][self.bus()]
    }

    /// Selected and out of reset.
    fn listens(&self, levels: u32) -> bool {
        let selected = self.pins.cs.is_none_or(|pin| levels >> pin & 1 == 0);
        selected && self.low_since_ns.is_none()
    }

    /// A byte on the wire, complete at `cycle`, at the time `ns`.
    pub(super) fn receive(
        &mut self,
        byte: u8,
        levels: u32,
        cycle: u64,
        ns: impl Fn() -> u64,
    ) -> Option<Broken> {
        if !self.listens(levels) {
            return None;
        }
        if levels >> self.pins.dc & 1 == 0 {
            let ns = ns();
            if let Some(detail) = self.too_early(byte, ns) {
                return Some(Broken {
                    rule: Rule::PanelTiming,
                    address: self.data_register(),
                    detail,
                });
            }
            self.begin(byte, ns);
        } else if matches!(self.command, 0x2C | 0x3C) {
            self.counters.data_bytes += 1;
            let changed = self.pixel_byte(byte, cycle);
            if let (Some(row), true) = (changed, self.pins.tearing.is_some()) {
                self.note_tearing(row, ns());
            }
        } else {
            self.argument(byte);
        }
        None
    }

    fn too_early(&self, command: u8, ns: u64) -> Option<String> {
        if !self.was_reset {
            return Some(format!(
                "command {command:#04x} before the first reset since power came"
            ));
        }
        let changes_sleep = matches!(command, 0x10 | 0x11);
        let ready = if changes_sleep {
            self.ready_ns.max(self.sleep_ns)
        } else {
            self.ready_ns
        };
        let missing = ready.checked_sub(ns).filter(|&missing| missing > 0)?;
        let needed = if changes_sleep && self.sleep_ns > self.ready_ns {
            "120 ms after SLPIN, SLPOUT or a reset while awake"
        } else {
            "5 ms after a reset, SLPIN or SLPOUT"
        };
        Some(format!(
            "command {command:#04x} comes {} µs too early: it needs {needed}",
            missing.div_ceil(1000)
        ))
    }

    fn begin(&mut self, command: u8, ns: u64) {
        self.command = command;
        self.arguments.clear();
        self.first_byte = None;
        self.counters.commands += 1;
        match command {
            0x01 => {
                self.ready_ns = ns + SETTLE_NS;
                if self.awake {
                    self.sleep_ns = ns + SLEEP_NS;
                }
                self.reset();
            }
            0x10 | 0x11 if self.awake != (command == 0x11) => {
                self.awake = command == 0x11;
                self.awake_ns = ns;
                self.ready_ns = ns + SETTLE_NS;
                self.sleep_ns = ns + SLEEP_NS;
            }
            0x20 => self.inverted = false,
            0x21 => self.inverted = true,
            0x28 => self.on = false,
            0x29 => self.on = true,
            0x34 => self.signals = false,
            0x35 => self.signals = true,
            0x2C => self.at = (self.columns.0, self.rows.0),
            _ => {}
        }
    }

    fn argument(&mut self, byte: u8) {
        self.arguments.push(byte);
        match (self.command, &self.arguments[..]) {
            (0x2A, &[a, b, c, d]) => {
                self.columns = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
            }
            (0x2B, &[a, b, c, d]) => {
                self.rows = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
            }
            (0x36, &[value]) => self.madctl = value,
            (0x3A, &[value]) => self.colour_mode = value,
            _ => {}
        }
    }

    /// Takes half a pixel; answers the row of memory in which one has changed.
    fn pixel_byte(&mut self, byte: u8, cycle: u64) -> Option<u64> {
        let Some(high) = self.first_byte.take() else {
            self.first_byte = Some(byte);
            return None;
        };
        if self.colour_mode & 7 != 5 {
            self.complain(Complaint::ColourMode(self.colour_mode));
            return None;
        }
        let mut changed = None;
        let colour = u16::from_be_bytes([high, byte]);
        match cell(self.madctl, self.at.0, self.at.1) {
            Some(index) if self.memory[index] != colour => {
                self.memory[index] = colour;
                self.counters.last_change = Some(cycle);
                changed = Some((index / COLUMNS) as u64);
            }
            Some(_) => {}
            None => self.complain(Complaint::WindowOutside {
                columns: self.columns,
                rows: self.rows,
            }),
        }
        let (x, y) = self.at;
        self.at = match (x >= self.columns.1, y >= self.rows.1) {
            (false, _) => (x + 1, y),
            (true, false) => (self.columns.0, y + 1),
            (true, true) => (self.columns.0, self.rows.0),
        };
        changed
    }

    /// The number of the panel's picture at a time, and the time since it began.
    fn picture(&self, ns: u64) -> (u64, u64) {
        let since = ns.saturating_sub(self.awake_ns);
        (since / PICTURE_NS, since % PICTURE_NS)
    }

    /// A row has changed while the panel shows pictures.
    fn note_tearing(&mut self, row: u64, ns: u64) {
        let (number, since) = self.picture(ns);
        // It is seen at once if the panel has not got there yet.
        let seen = if since / ROW_NS < row {
            number
        } else {
            number + 1
        };
        let (last, first, torn) = self.sent;
        self.sent = match ns - last < SENT_NS {
            false => (ns, seen, false),
            true if seen == first || torn => (ns, first, torn),
            true => {
                self.counters.torn += 1;
                (ns, first, true)
            }
        };
    }

    /// The tearing signal's pin and level, and the time of its next edge.
    pub(super) fn tearing(&self, ns: u64) -> Option<(u8, bool, u64)> {
        let pin = self.pins.tearing?;
        if !(self.awake && self.signals) {
            return Some((pin, false, u64::MAX));
        }
        let (_, since) = self.picture(ns);
        let is_between = since >= SHOWN_NS;
        let edge = if is_between { PICTURE_NS } else { SHOWN_NS };
        Some((pin, is_between, ns + edge - since))
    }

    fn complain(&mut self, complaint: Complaint) {
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }

    /// The glass: black while asleep or off. Being an IPS panel it needs INVON for true colours.
    pub fn pixels(&self) -> Picture {
        Picture::from_fn(VISIBLE, VISIBLE, |x, y| {
            let index = cell(self.mounting, x as u16, y as u16);
            match index {
                Some(index) if self.is_on() => self.shown(self.memory[index]),
                _ => [0; 3],
            }
        })
    }

    fn shown(&self, colour: u16) -> [u8; 3] {
        let colour = if self.inverted { colour } else { !colour };
        let [red, green, blue] =
            [colour >> 11, colour >> 5 & 0x3F, colour & 0x1F].map(|part| part as u8);
        let rgb = [
            red << 3 | red >> 2,
            green << 2 | green >> 4,
            blue << 3 | blue >> 2,
        ];
        if self.madctl & BGR != 0 {
            [rgb[2], rgb[1], rgb[0]]
        } else {
            rgb
        }
    }
}

/// Memory cell of a place under a MADCTL setting.
fn cell(madctl: u8, x: u16, y: u16) -> Option<usize> {
    let (mut column, mut row) = if madctl & MV != 0 { (y, x) } else { (x, y) };
    let (columns, rows) = (COLUMNS as u16, ROWS as u16);
    if column >= columns || row >= rows {
        return None;
    }
    if madctl & MX != 0 {
        column = columns - 1 - column;
    }
    if madctl & MY != 0 {
        row = rows - 1 - row;
    }
    Some(usize::from(row) * COLUMNS + usize::from(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: u32 = 1 << 8 | 1 << 12;
    const COMMAND: u32 = 1 << 12;
    const MS: u64 = 1_000_000;

    /// A panel out of reset, ready for commands.
    fn panel() -> St7789 {
        let mut panel = St7789::new(St7789Pins {
            clock: 10,
            data: 11,
            dc: 8,
            cs: Some(9),
            reset: Some(12),
            tearing: None,
        });
        assert_eq!(panel.pins_changed(0, || 0), None);
        assert_eq!(panel.pins_changed(COMMAND, || MS), None);
        panel.ready_ns = 0;
        panel
    }

    /// Sends with ample time between commands.
    fn send(panel: &mut St7789, command: u8, data: &[u8]) {
        (panel.ready_ns, panel.sleep_ns) = (0, 0);
        assert_eq!(panel.receive(command, COMMAND, 0, || MS), None);
        for &byte in data {
            assert_eq!(panel.receive(byte, DATA, 77, || MS), None);
        }
    }

    /// Sends a command at a given time; returns the rule that it breaks.
    fn command(panel: &mut St7789, command: u8, ns: u64) -> Result<(), String> {
        panel
            .receive(command, COMMAND, 0, || ns)
            .map_or(Ok(()), |broken| Err(broken.detail))
    }

    fn reset(panel: &mut St7789, ns: u64, length: u64) -> Option<Broken> {
        assert_eq!(panel.pins_changed(0, || ns), None);
        panel.pins_changed(COMMAND, || ns + length)
    }

    #[test]
    fn a_cold_panel_wants_a_reset_and_five_milliseconds() {
        let mut panel = St7789::new(panel().pins);
        assert!(command(&mut panel, 0x11, MS).is_err(), "never reset");
        assert!(reset(&mut panel, MS, 9_999).is_some(), "too short");
        assert_eq!(reset(&mut panel, 2 * MS, 10_000), None);
        assert!(command(&mut panel, 0x11, 7 * MS + 9_999).is_err());
        command(&mut panel, 0x11, 7 * MS + 10_000).expect("in time");
        assert!(
            command(&mut panel, 0x36, 12 * MS).is_err(),
            "too soon after SLPOUT"
        );
        command(&mut panel, 0x36, 13 * MS).expect("in time");
        assert!(
            command(&mut panel, 0x10, 120 * MS).is_err(),
            "too soon for SLPIN"
        );
        command(&mut panel, 0x10, 128 * MS).expect("in time");
        assert!(
            command(&mut panel, 0x11, 240 * MS).is_err(),
            "too soon for SLPOUT"
        );
        command(&mut panel, 0x11, 248 * MS).expect("in time");
    }

    #[test]
    fn a_panel_that_was_awake_wants_120_milliseconds() {
        let mut panel = panel();
        command(&mut panel, 0x11, 10 * MS).expect("in time");
        reset(&mut panel, 500 * MS, 20_000);
        command(&mut panel, 0x36, 506 * MS).expect("other commands are fine");
        // A second reset does not make it forget that it was awake.
        reset(&mut panel, 510 * MS, 20_000);
        assert!(command(&mut panel, 0x11, 629 * MS).is_err());
        command(&mut panel, 0x11, 631 * MS).expect("in time");
        // Software reset as well.
        command(&mut panel, 0x01, 800 * MS).expect("in time");
        assert!(command(&mut panel, 0x36, 804 * MS).is_err());
        assert!(command(&mut panel, 0x11, 919 * MS).is_err());
        command(&mut panel, 0x11, 921 * MS).expect("in time");
    }

    #[test]
    fn the_tearing_signal_is_high_between_two_pictures() {
        let mut panel = panel();
        panel.pins.tearing = Some(3);
        assert_eq!(panel.tearing(MS), Some((3, false, u64::MAX)), "asleep");
        command(&mut panel, 0x11, 10 * MS).expect("in time");
        assert_eq!(panel.tearing(20 * MS), Some((3, false, u64::MAX)), "off");
        command(&mut panel, 0x35, 20 * MS).expect("in time");
        let (start, blank) = (10 * MS, 10 * MS + SHOWN_NS);
        assert_eq!(panel.tearing(start), Some((3, false, blank)));
        assert_eq!(panel.tearing(blank - 1), Some((3, false, blank)));
        let next = start + PICTURE_NS;
        assert_eq!(panel.tearing(blank), Some((3, true, next)));
        assert_eq!(panel.tearing(next), Some((3, false, blank + PICTURE_NS)));
        command(&mut panel, 0x34, 40 * MS).expect("in time");
        assert_eq!(panel.tearing(blank), Some((3, false, u64::MAX)));
    }

    #[test]
    fn rows_that_are_seen_at_different_times_tear_a_picture() {
        // Three rows, a microsecond apart, from a time on; the panel shows row 100 after 4.9 ms.
        let torn = |first: u64| {
            let mut panel = panel();
            panel.awake_ns = 0;
            panel.sent = (0, 0, false);
            for (number, row) in (99..102).enumerate() {
                panel.note_tearing(row, 100 * PICTURE_NS + first + 1_000 * number as u64);
            }
            panel.counters.torn
        };
        assert_eq!(torn(99 * ROW_NS - 5_000), 0, "all before");
        assert_eq!(torn(102 * ROW_NS), 0, "all after");
        assert_eq!(torn(100 * ROW_NS + 10_000), 1, "the panel is in the middle");
        // A row that changes much later belongs to another picture.
        let mut panel = panel();
        panel.note_tearing(10, 100 * PICTURE_NS);
        panel.note_tearing(10, 101 * PICTURE_NS + 15 * MS);
        assert_eq!(panel.counters.torn, 0);
    }

    fn switched_on(madctl: u8) -> St7789 {
        let mut panel = panel();
        for (command, data) in [
            (0x11, &[][..]),
            (0x3A, &[0x55]),
            (0x36, &[madctl]),
            (0x21, &[]),
            (0x29, &[]),
        ] {
            send(&mut panel, command, data);
        }
        panel
    }

    #[test]
    fn a_window_is_filled_row_by_row() {
        let mut panel = switched_on(0x70);
        send(&mut panel, 0x2A, &[0, 10, 0, 11]);
        send(&mut panel, 0x2B, &[0, 20, 0, 21]);
        send(
            &mut panel,
            0x2C,
            &[0xF8, 0, 0x07, 0xE0, 0x00, 0x1F, 0xFF, 0xFF],
        );
        let picture = panel.pixels();
        assert_eq!(picture.at(10, 20), [255, 0, 0]);
        assert_eq!(picture.at(11, 20), [0, 255, 0]);
        assert_eq!(picture.at(10, 21), [0, 0, 255]);
        assert_eq!(picture.at(11, 21), [255, 255, 255]);
        assert_eq!(panel.counters().last_change, Some(77));
        assert!(panel.complaints().is_empty());
    }

    #[test]
    fn the_wrong_orientation_is_visible() {
        let mut panel = switched_on(0x00);
        send(&mut panel, 0x2A, &[0, 0, 0, 239]);
        send(&mut panel, 0x2B, &[0, 0, 0, 239]);
        send(&mut panel, 0x2C, &[0xF8, 0]);
        assert_eq!(panel.pixels().at(0, 239), [255, 0, 0]);
        assert_eq!(panel.mounted_for(0x00).pixels().at(0, 0), [255, 0, 0]);
    }

    #[test]
    fn without_inversion_colours_are_negative_and_asleep_is_black() {
        let mut panel = switched_on(0x70);
        send(&mut panel, 0x2C, &[0, 0]);
        assert_eq!(panel.pixels().at(0, 0), [0, 0, 0]);
        send(&mut panel, 0x20, &[]);
        assert_eq!(panel.pixels().at(0, 0), [255, 255, 255]);
        send(&mut panel, 0x10, &[]);
        assert_eq!(panel.pixels().lit_pixels(), 0);
    }

    #[test]
    fn eighteen_bit_colour_is_refused() {
        let mut panel = panel();
        send(&mut panel, 0x2C, &[1, 2]);
        assert_eq!(panel.complaints(), [Complaint::ColourMode(0x66)]);
    }

    #[test]
    fn the_chip_select_and_the_reset_line_count() {
        let mut panel = switched_on(0x70);
        panel.receive(0x28, COMMAND | 1 << 9, 0, || 0);
        assert!(panel.is_on());
        panel.pins_changed(0, || 0);
        assert!(!panel.is_on());
    }
}
