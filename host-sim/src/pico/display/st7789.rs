//! ST7789 colour controller with a 240×240 glass on its 240×320 memory.
//!
//! Modelled: CASET, RASET, RAMWR with write-continue, MADCTL (MX, MY, MV, BGR), INVON/INVOFF,
//! SLPIN/SLPOUT, DISPON/DISPOFF, COLMOD, software and hardware reset. Only 16-bit colour is
//! understood; anything else is noted as a [`Complaint`]. Scrolling, gamma and read-back are not.

use super::{DisplayCounters, Picture};

const COLUMNS: usize = 240;
const ROWS: usize = 320;
const VISIBLE: usize = 240;
const MY: u8 = 0x80;
const MX: u8 = 0x40;
const MV: u8 = 0x20;
const BGR: u8 = 0x08;

/// GPIO numbers of the control lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct St7789Pins {
    pub dc: u8,
    /// `None` if the module ties it low.
    pub cs: Option<u8>,
    /// `None` if the module ties it high.
    pub reset: Option<u8>,
}

/// Something a real panel would not forgive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// Pixels arrived while COLMOD was not 16 bits (0x05 or 0x55).
    ColourMode(u8),
    /// Pixels arrived for a window outside the memory.
    WindowOutside { columns: (u16, u16), rows: (u16, u16) },
}

#[derive(Clone)]
pub struct St7789 {
    bus: usize,
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
    held_in_reset: bool,
    counters: DisplayCounters,
    complaints: Vec<Complaint>,
}

impl St7789 {
    /// A panel on SPI `bus`, mounted as on the Waveshare Pico-LCD-1.3.
    pub fn new(bus: usize, pins: St7789Pins) -> Self {
        let mut panel = St7789 {
            bus,
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
            held_in_reset: false,
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
        St7789::new(self.bus, self.pins).mounted_for(self.mounting)
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
        self.command = 0;
    }

    pub(super) fn bus(&self) -> usize {
        self.bus
    }

    pub fn counters(&self) -> DisplayCounters {
        self.counters
    }

    pub fn complaints(&self) -> &[Complaint] {
        &self.complaints
    }

    /// Awake and switched on.
    pub fn is_on(&self) -> bool {
        self.awake && self.on
    }

    pub(super) fn pins_changed(&mut self, levels: u32) {
        let low = self.pins.reset.is_some_and(|pin| levels >> pin & 1 == 0);
        if low && !self.held_in_reset {
            self.reset();
        }
        self.held_in_reset = low;
    }

    pub(super) fn receive(&mut self, byte: u8, levels: u32, cycle: u64) {
        let deselected = self.pins.cs.is_some_and(|pin| levels >> pin & 1 != 0);
        if deselected || self.held_in_reset {
            return;
        }
        if levels >> self.pins.dc & 1 == 0 {
            self.begin(byte);
        } else if matches!(self.command, 0x2C | 0x3C) {
            self.counters.data_bytes += 1;
            self.pixel_byte(byte, cycle);
        } else {
            self.argument(byte);
        }
    }

    fn begin(&mut self, command: u8) {
        self.command = command;
        self.arguments.clear();
        self.first_byte = None;
        self.counters.commands += 1;
        match command {
            0x01 => self.reset(),
            0x10 => self.awake = false,
            0x11 => self.awake = true,
            0x20 => self.inverted = false,
            0x21 => self.inverted = true,
            0x28 => self.on = false,
            0x29 => self.on = true,
            0x2C => self.at = (self.columns.0, self.rows.0),
            _ => {}
        }
    }

    fn argument(&mut self, byte: u8) {
        self.arguments.push(byte);
        match (self.command, &self.arguments[..]) {
            (0x2A, &[a, b, c, d]) => self.columns = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])),
            (0x2B, &[a, b, c, d]) => self.rows = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])),
            (0x36, &[value]) => self.madctl = value,
            (0x3A, &[value]) => self.colour_mode = value,
            _ => {}
        }
    }

    fn pixel_byte(&mut self, byte: u8, cycle: u64) {
        let Some(high) = self.first_byte.take() else {
            self.first_byte = Some(byte);
            return;
        };
        if self.colour_mode & 7 != 5 {
            self.complain(Complaint::ColourMode(self.colour_mode));
            return;
        }
        let colour = u16::from_be_bytes([high, byte]);
        match cell(self.madctl, self.at.0, self.at.1) {
            Some(index) if self.memory[index] != colour => {
                self.memory[index] = colour;
                self.counters.last_change = Some(cycle);
            }
            Some(_) => {}
            None => self.complain(Complaint::WindowOutside { columns: self.columns, rows: self.rows }),
        }
        let (x, y) = self.at;
        self.at = match (x >= self.columns.1, y >= self.rows.1) {
            (false, _) => (x + 1, y),
            (true, false) => (self.columns.0, y + 1),
            (true, true) => (self.columns.0, self.rows.0),
        };
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
        let [red, green, blue] = [colour >> 11, colour >> 5 & 0x3F, colour & 0x1F].map(|part| part as u8);
        let rgb = [red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2];
        if self.madctl & BGR != 0 { [rgb[2], rgb[1], rgb[0]] } else { rgb }
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

    fn panel() -> St7789 {
        St7789::new(1, St7789Pins { dc: 8, cs: Some(9), reset: Some(12) })
    }

    fn send(panel: &mut St7789, command: u8, data: &[u8]) {
        panel.receive(command, COMMAND, 0);
        data.iter().for_each(|&byte| panel.receive(byte, DATA, 77));
    }

    fn switched_on(madctl: u8) -> St7789 {
        let mut panel = panel();
        for (command, data) in [(0x11, &[][..]), (0x3A, &[0x55]), (0x36, &[madctl]), (0x21, &[]), (0x29, &[])] {
            send(&mut panel, command, data);
        }
        panel
    }

    #[test]
    fn a_window_is_filled_row_by_row() {
        let mut panel = switched_on(0x70);
        send(&mut panel, 0x2A, &[0, 10, 0, 11]);
        send(&mut panel, 0x2B, &[0, 20, 0, 21]);
        send(&mut panel, 0x2C, &[0xF8, 0, 0x07, 0xE0, 0x00, 0x1F, 0xFF, 0xFF]);
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
        panel.receive(0x28, COMMAND | 1 << 9, 0);
        assert!(panel.is_on());
        panel.pins_changed(0);
        assert!(!panel.is_on());
    }
}
