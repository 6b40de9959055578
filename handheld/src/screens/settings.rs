//! Settings.

use crate::app::AppState;
use crate::event::{Command, Slot};
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page, device};
use crate::sound::Cue;
use crate::store::VOLUMES;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Sound,
    Volume,
    Brightness,
    Theme,
    Motion,
    KeyHelp,
    LeftHanded,
    UpsideDown,
    PowerOff,
    Shift,
    Device,
}

const ITEMS: [Item; 11] = [
    Item::Sound,
    Item::Volume,
    Item::Brightness,
    Item::Theme,
    Item::Motion,
    Item::KeyHelp,
    Item::LeftHanded,
    Item::UpsideDown,
    Item::PowerOff,
    Item::Shift,
    Item::Device,
];

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
        let item = ITEMS.get(self.cursor.0).copied().unwrap_or(Item::Device);
        match (button, item) {
            (Button::B, _) => return Nav::Back,
            (Button::A, Item::Device) => {
                return Nav::Push(Page::Device(device::DevicePage::new()));
            }
            (Button::Left | Button::Right | Button::A, item) if item != Item::Device => {
                step(item, button != Button::Left, app);
                app.command(Command::Save(Slot::Settings));
            }
            _ => drop(self.cursor.step(button, ITEMS.len())),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header("Settings");
        let settings = &app.settings;
        let comfort = settings.comfort;
        let switch = |is_on| if is_on { "on" } else { "off" };
        let row = |label, value| Row {
            label,
            value,
            steps: true,
            ..Row::default()
        };
        let rows = ITEMS.map(|item| match item {
            Item::Sound => row("Sound", switch(settings.sound)),
            Item::Brightness => {
                let level = usize::from(settings.brightness.clamp(1, 5)) - 1;
                row("Brightness", LEVELS[level])
            }
            Item::Volume => {
                let level = usize::from(comfort.volume.clamp(1, VOLUMES)) - 1;
                row("Volume", LEVELS[level])
            }
            Item::Motion => row("Motion", switch(comfort.motion)),
            Item::Theme => row("Colours", comfort.theme.title()),
            Item::KeyHelp => row("Key help", switch(comfort.key_help)),
            Item::LeftHanded => row("Left-handed", switch(comfort.left_handed)),
            Item::UpsideDown => row("Upside down", switch(comfort.rotated)),
            Item::PowerOff => row("Power off", settings.power_off.title()),
            Item::Shift => row("OLED shifted?", settings.shift.title()),
            Item::Device => Row::item("Device"),
        });
        pen.list(area, &rows, self.cursor.0);
        pen.footer("<> change   B back");
    }
}

fn step(item: Item, forward: bool, app: &mut AppState) {
    let settings = &mut app.settings;
    let comfort = &mut settings.comfort;
    match item {
        Item::Sound => {
            settings.sound = !settings.sound;
            app.sound(Cue::Move);
        }
        Item::Brightness => {
            let levels = LEVELS.len() as u8;
            settings.brightness =
                (settings.brightness + if forward { 0 } else { levels - 2 }) % levels + 1;
            let light = settings.brightness * 20;
            app.command(Command::Light(light));
        }
        Item::Volume => {
            let volume = comfort.volume + if forward { 0 } else { VOLUMES - 2 };
            comfort.volume = volume % VOLUMES + 1;
            app.sound(Cue::Move);
        }
        Item::Motion => comfort.motion = !comfort.motion,
        Item::Theme => comfort.theme = comfort.theme.stepped(forward),
        Item::KeyHelp => comfort.key_help = !comfort.key_help,
        Item::LeftHanded => comfort.left_handed = !comfort.left_handed,
        Item::UpsideDown => comfort.rotated = !comfort.rotated,
        Item::PowerOff => settings.power_off = settings.power_off.stepped(forward),
        Item::Shift => {
            settings.shift = settings.shift.stepped(forward);
            let shift = settings.shift;
            app.command(Command::Shift(shift));
        }
        Item::Device => {}
    }
}
