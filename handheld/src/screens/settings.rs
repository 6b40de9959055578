//! Settings.

use crate::app::AppState;
use crate::event::{Command, Slot};
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page, device};
use crate::sound::Cue;
use crate::store::VOLUMES;

const SOUND: usize = 0;
const BRIGHTNESS: usize = 1;
const POWER_OFF: usize = 2;
const SHIFT: usize = 3;
const VOLUME: usize = 4;
const MOTION: usize = 5;
const DEVICE: usize = 6;
const ROWS: usize = 7;

const LEVELS: [&str; 5] = ["1", "2", "3", "4", "5"];

#[derive(Clone, Copy)]
pub(crate) struct SettingsPage {
    cursor: Cursor,
}

impl SettingsPage {
    pub(super) fn new() -> SettingsPage {
        SettingsPage { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match button {
            Button::B => return Nav::Back,
            Button::A if self.cursor.0 == DEVICE => {
                return Nav::Push(Page::Device(device::DevicePage::new()));
            }
            Button::Left | Button::Right | Button::A if self.cursor.0 != DEVICE => {
                step(self.cursor.0, button != Button::Left, app);
                app.command(Command::Save(Slot::Settings));
            }
            _ => drop(self.cursor.step(button, ROWS)),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header("Settings");
        let settings = &app.settings;
        let row = |label, value| Row {
            label,
            value,
            steps: true,
            ..Row::default()
        };
        let rows: [Row<'_>; ROWS] = [
            row("Sound", if settings.sound { "on" } else { "off" }),
            row(
                "Brightness",
                LEVELS[usize::from(settings.brightness.clamp(1, 5)) - 1],
            ),
            row("Power off", settings.power_off.title()),
            row("OLED shifted?", settings.shift.title()),
            row(
                "Volume",
                LEVELS[usize::from(settings.comfort.volume.clamp(1, VOLUMES)) - 1],
            ),
            row("Motion", if settings.comfort.motion { "on" } else { "off" }),
            Row::item("Device"),
        ];
        pen.list(area, &rows, self.cursor.0);
        pen.footer("<> change   B back");
    }
}

fn step(row: usize, forward: bool, app: &mut AppState) {
    let settings = &mut app.settings;
    match row {
        SOUND => {
            settings.sound = !settings.sound;
            app.sound(Cue::Move);
        }
        BRIGHTNESS => {
            let levels = LEVELS.len() as u8;
            settings.brightness =
                (settings.brightness + if forward { 0 } else { levels - 2 }) % levels + 1;
            let light = settings.brightness * 20;
            app.command(Command::Light(light));
        }
        VOLUME => {
            let volume = &mut settings.comfort.volume;
            *volume = (*volume + if forward { 0 } else { VOLUMES - 2 }) % VOLUMES + 1;
            app.sound(Cue::Move);
        }
        MOTION => settings.comfort.motion = !settings.comfort.motion,
        POWER_OFF => settings.power_off = settings.power_off.stepped(forward),
        SHIFT => {
            settings.shift = settings.shift.stepped(forward);
            let shift = settings.shift;
            app.command(Command::Shift(shift));
        }
        _ => {}
    }
}
