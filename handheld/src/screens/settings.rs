//! Settings.

use crate::app::AppState;
use crate::event::{Command, Slot};
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page, device};
use crate::sound::Cue;
use crate::store::VOLUMES;
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Sound,
    Volume,
    Theme,
    Brightness,
    Motion,
    KeyHelp,
    Coordinates,
    LeftHanded,
    UpsideDown,
    Pondering,
    PowerOff,
    Shift,
    Device,
}

const ITEMS: [Item; 13] = [
    Item::Sound,
    Item::Volume,
    Item::Theme,
    Item::Brightness,
    Item::Motion,
    Item::KeyHelp,
    Item::Coordinates,
    Item::LeftHanded,
    Item::UpsideDown,
    Item::Pondering,
    Item::PowerOff,
    Item::Shift,
    Item::Device,
];

/// The items of this runner: without motion there is nothing to switch.
fn items(app: &AppState) -> heapless::Vec<Item, { ITEMS.len() }> {
    let has_motion = app.abilities.motion;
    let all = ITEMS.into_iter();
    all.filter(|&item| has_motion || item != Item::Motion)
        .collect()
}

impl Item {
    /// The group that begins with this item.
    const fn group(self) -> &'static str {
        match self {
            Item::Sound => words::GROUP_SOUND,
            Item::Theme => words::GROUP_LOOK,
            Item::LeftHanded => words::GROUP_HANDS,
            Item::Pondering => words::GROUP_DEVICE,
            _ => "",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Item::Sound => words::SOUND,
            Item::Volume => words::VOLUME,
            Item::Theme => words::COLOURS,
            Item::Brightness => words::BRIGHTNESS,
            Item::Motion => words::MOTION,
            Item::KeyHelp => words::KEY_HELP,
            Item::Coordinates => words::COORDINATES,
            Item::LeftHanded => words::LEFT_HANDED,
            Item::UpsideDown => words::UPSIDE_DOWN,
            Item::Pondering => words::PONDERING,
            Item::PowerOff => words::POWER_OFF,
            Item::Shift => words::OLED_PICTURE,
            Item::Device => words::THIS_DEVICE,
        }
    }
}

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
        let items = items(app);
        let item = items.get(self.cursor.0).copied().unwrap_or(Item::Device);
        match (button, item) {
            (Button::B, _) => return Nav::Back,
            (Button::A, Item::Device) => {
                return Nav::Push(Page::Device(device::DevicePage::new()));
            }
            (Button::Left | Button::Right | Button::A, item) if item != Item::Device => {
                step(item, button != Button::Left, app);
                app.command(Command::Save(Slot::Settings));
            }
            _ => drop(self.cursor.step(button, items.len())),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header(words::SETTINGS);
        let settings = &app.settings;
        let comfort = settings.comfort;
        let switch = |is_on| if is_on { words::ON } else { words::OFF };
        let level = |level: u8| LEVELS[usize::from(level.clamp(1, 5)) - 1];
        let items = items(app);
        let row = |&item: &Item| Row {
            label: item.label(),
            group: item.group(),
            value: match item {
                Item::Sound => switch(settings.sound),
                Item::Volume => level(comfort.volume),
                Item::Theme => comfort.theme.title(),
                Item::Brightness => level(settings.brightness),
                Item::Motion => switch(comfort.motion),
                Item::KeyHelp => switch(comfort.key_help),
                Item::Coordinates => switch(comfort.coordinates),
                Item::LeftHanded => switch(comfort.left_handed),
                Item::UpsideDown => switch(comfort.rotated),
                Item::Pondering => switch(comfort.pondering),
                Item::PowerOff => settings.power_off.title(),
                Item::Shift => settings.shift.title(),
                Item::Device => "",
            },
            steps: item != Item::Device,
            ..Row::default()
        };
        let rows: heapless::Vec<Row<'_>, { ITEMS.len() }> = items.iter().map(row).collect();
        pen.look.row = if pen.look.roomy { 26 } else { 10 };
        pen.list(area, &rows, self.cursor.0);
        pen.footer(if items.get(self.cursor.0) == Some(&Item::Device) {
            words::keys::OPEN
        } else {
            words::keys::CHANGE
        });
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
        Item::Coordinates => comfort.coordinates = !comfort.coordinates,
        Item::LeftHanded => comfort.left_handed = !comfort.left_handed,
        Item::UpsideDown => comfort.rotated = !comfort.rotated,
        Item::Pondering => comfort.pondering = !comfort.pondering,
        Item::PowerOff => settings.power_off = settings.power_off.stepped(forward),
        Item::Shift => {
            settings.shift = settings.shift.stepped(forward);
            let shift = settings.shift;
            app.command(Command::Shift(shift));
        }
        Item::Device => {}
    }
}
