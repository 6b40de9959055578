//! The screens: each reacts to a button and draws itself.

use dojo_core::games::GameId;

use crate::app::AppState;
use crate::input::Button;
use crate::pen::Pen;
use crate::session::Session;
use crate::store::{Seat, Setup};

mod about;
mod apprentice;
mod belts;
mod board;
mod card;
mod ceremony;
mod count;
mod device;
mod exercise;
mod games;
mod handover;
mod learn;
mod lesson;
mod menu;
mod naming;
mod pause;
mod puzzles;
mod replace;
mod result;
mod review;
mod rules;
mod running;
mod scoring;
mod self_test;
mod settings;
mod setup;
mod share;
mod statistics;
mod title;
mod trouble;
mod wall;

/// Navigation: what a button does to the stack of screens.
pub(crate) enum Nav {
    /// No change.
    Stay,
    /// To the screen below.
    Back,
    /// To a screen on top of this one.
    Push(Page),
    /// To the screen below, with the seat that was chosen.
    Chosen(Seat),
    /// To the menu; all other screens are closed.
    Menu,
    /// To the running game, with the menu below it.
    Board,
}

/// A screen on the stack.
#[derive(Clone, Copy)]
pub(crate) enum Page {
    Title,
    Menu(menu::Menu),
    Games(games::Games),
    Setup(setup::SetupPage),
    Belts(belts::Belts),
    Card(card::Card),
    Learn(learn::Learn),
    Lesson(lesson::LessonPage),
    Puzzles(puzzles::Puzzles),
    PuzzleGrid(puzzles::PuzzleGrid),
    Exercise(exercise::ExercisePage),
    Board,
    Scoring(scoring::ScoringPage),
    Pause(pause::Pause),
    Rules(rules::RulesPage),
    Settings(settings::SettingsPage),
    Wall(wall::Wall),
    GameWall(wall::GameWall),
    Ceremony(ceremony::Ceremony),
    Apprentice(apprentice::ApprenticePage),
    Naming(naming::Naming),
    Statistics(statistics::StatisticsPage),
    About(about::AboutPage),
    Handover,
    Result(result::ResultPage),
    Count(count::CountPage),
    Share,
    Review(review::Review),
    Running(running::RunningPage),
    Replace(replace::Replace),
    Trouble,
    Device(device::DevicePage),
    Battery,
    Confirm(device::Confirm),
    SelfTest(self_test::SelfTest),
    ButtonTest(self_test::ButtonTest),
    PixelTest(self_test::PixelTest),
    SoundTest,
    FlashTest,
}

impl Page {
    pub(crate) fn menu() -> Page {
        Page::Menu(menu::Menu::new())
    }

    fn about() -> Page {
        Page::About(about::AboutPage::new())
    }

    pub(crate) fn pause() -> Page {
        Page::Pause(pause::Pause::new())
    }

    pub(crate) fn scoring(session: &Session) -> Page {
        Page::Scoring(scoring::ScoringPage::new(session))
    }

    /// The review of a game, at its last move.
    pub(crate) fn review(session: &Session) -> Page {
        Page::Review(review::Review::new(session.moves().len()))
    }

    /// Starts a game, or asks first if it would replace a running one of its kind.
    pub(crate) fn begin(setup: Setup, app: &mut AppState) -> Nav {
        replace::Replace::begin(replace::Wish::Start(setup), app)
    }

    /// Back to the running game of a kind; the board may come only when storage has told it.
    pub(crate) fn resume(id: GameId, app: &mut AppState) -> Nav {
        running::resume(id, app)
    }

    pub(crate) fn result() -> Page {
        Page::Result(result::ResultPage::new())
    }

    /// Whether holding B opens the pause menu here.
    pub(crate) fn is_game(&self) -> bool {
        matches!(
            self,
            Page::Board | Page::Handover | Page::Scoring(_) | Page::Review(_)
        )
    }

    /// Whether it is an exercise, which may ask for B to be held.
    pub(crate) fn is_exercise(&self) -> bool {
        matches!(self, Page::Exercise(_))
    }

    /// Whether it needs the exercise of the app state.
    pub(crate) fn has_exercise(&self) -> bool {
        matches!(self, Page::Exercise(_) | Page::PuzzleGrid(_))
    }

    /// Handles B held in an exercise.
    pub(crate) fn hold(&mut self, app: &mut AppState) -> Nav {
        match self {
            Page::Exercise(page) => page.hold(app),
            _ => Nav::Stay,
        }
    }

    /// Whether holding B leaves: B itself does something else here.
    pub(crate) fn is_left_by_holding(&self) -> bool {
        matches!(self, Page::ButtonTest(_))
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Page::Title => "title",
            Page::Menu(_) => "menu",
            Page::Games(_) => "games",
            Page::Setup(_) => "setup",
            Page::Belts(_) => "belts",
            Page::Card(_) => "card",
            Page::Learn(_) => "learn",
            Page::Lesson(_) => "lesson",
            Page::Puzzles(_) => "puzzles",
            Page::PuzzleGrid(_) => "puzzle grid",
            Page::Exercise(_) => "exercise",
            Page::Board => "board",
            Page::Scoring(_) => "scoring",
            Page::Pause(_) => "pause",
            Page::Rules(_) => "rules",
            Page::Settings(_) => "settings",
            Page::Wall(_) => "wall",
            Page::GameWall(_) => "game wall",
            Page::Ceremony(_) => "ceremony",
            Page::Apprentice(_) => "apprentice",
            Page::Naming(_) => "naming",
            Page::Statistics(_) => "statistics",
            Page::About(_) => "about",
            Page::Handover => "handover",
            Page::Result(_) => "result",
            Page::Count(_) => "count",
            Page::Share => "share",
            Page::Review(_) => "review",
            Page::Running(_) => "running",
            Page::Replace(_) => "replace",
            Page::Trouble => "trouble",
            Page::Device(_) => "device",
            Page::Battery => "battery",
            Page::Confirm(_) => "confirm",
            Page::SelfTest(_) => "self-test",
            Page::ButtonTest(_) => "button test",
            Page::PixelTest(_) => "pixel test",
            Page::SoundTest => "sound test",
            Page::FlashTest => "flash test",
        }
    }

    pub(crate) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match self {
            Page::Title => Nav::Menu,
            Page::Menu(page) => page.press(button, app),
            Page::Games(page) => page.press(button, app),
            Page::Setup(page) => page.press(button, app),
            Page::Belts(page) => page.press(button, app),
            Page::Card(_) => Nav::Back,
            Page::Learn(page) => page.press(button, app),
            Page::Lesson(page) => page.press(button, app),
            Page::Puzzles(page) => page.press(button, app),
            Page::PuzzleGrid(page) => page.press(button, app),
            Page::Exercise(page) => page.press(button, app),
            Page::Board => board::press(button, app),
            Page::Scoring(page) => page.press(button, app),
            Page::Pause(page) => page.press(button, app),
            Page::Rules(page) => page.press(button),
            Page::Settings(page) => page.press(button, app),
            Page::Wall(page) => page.press(button, app),
            Page::GameWall(page) => page.press(button),
            Page::Ceremony(page) => page.press(app),
            Page::Apprentice(page) => page.press(button, app),
            Page::Naming(page) => page.press(button, app),
            Page::Statistics(page) => page.press(button),
            Page::About(page) => page.press(button, app),
            Page::Handover => handover::press(button, app),
            Page::Result(page) => page.press(button, app),
            Page::Count(page) => page.press(button, app),
            Page::Share => Nav::Back,
            Page::Review(page) => page.press(button, app),
            Page::Running(page) => page.press(button, app),
            Page::Replace(page) => page.press(button, app),
            Page::Trouble => trouble::press(app),
            Page::Device(page) => page.press(button, app),
            Page::Battery => Nav::Back,
            Page::Confirm(page) => page.press(button, app),
            Page::SelfTest(page) => page.press(button, app),
            Page::ButtonTest(page) => page.press(button, app),
            Page::PixelTest(page) => page.press(button),
            Page::SoundTest => self_test::press_sound(button, app),
            Page::FlashTest => self_test::press_flash(button, app),
        }
    }

    /// Takes the seat that the screen above has chosen.
    pub(crate) fn choose(&mut self, seat: Seat, app: &mut AppState) {
        match self {
            Page::Setup(page) => page.choose(seat),
            Page::Pause(_) => app.change_machine(seat),
            _ => {}
        }
    }

    pub(crate) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        match self {
            Page::Title => title::draw(pen),
            Page::Menu(page) => page.draw(app, pen),
            Page::Games(page) => page.draw(app, pen),
            Page::Setup(page) => page.draw(app, pen),
            Page::Belts(page) => page.draw(app, pen),
            Page::Card(page) => page.draw(app, pen),
            Page::Learn(page) => page.draw(app, pen),
            Page::Lesson(page) => page.draw(app, pen),
            Page::Puzzles(page) => page.draw(app, pen),
            Page::PuzzleGrid(page) => page.draw(app, pen),
            Page::Exercise(page) => page.draw(app, pen),
            Page::Board => board::draw(app, pen),
            Page::Scoring(page) => page.draw(app, pen),
            Page::Pause(page) => page.draw(app, pen),
            Page::Rules(page) => page.draw(pen),
            Page::Settings(page) => page.draw(app, pen),
            Page::Wall(page) => page.draw(app, pen),
            Page::GameWall(page) => page.draw(app, pen),
            Page::Ceremony(page) => page.draw(pen),
            Page::Apprentice(page) => page.draw(app, pen),
            Page::Naming(page) => page.draw(pen),
            Page::Statistics(page) => page.draw(app, pen),
            Page::About(page) => page.draw(app, pen),
            Page::Handover => handover::draw(app, pen),
            Page::Result(page) => page.draw(app, pen),
            Page::Count(page) => page.draw(app, pen),
            Page::Share => share::draw(app, pen),
            Page::Review(page) => page.draw(app, pen),
            Page::Running(page) => page.draw(app, pen),
            Page::Replace(page) => page.draw(app, pen),
            Page::Trouble => trouble::draw(app, pen),
            Page::Device(page) => page.draw(app, pen),
            Page::Battery => device::draw_battery(app, pen),
            Page::Confirm(page) => page.draw(pen),
            Page::SelfTest(page) => page.draw(app, pen),
            Page::ButtonTest(page) => page.draw(pen),
            Page::PixelTest(page) => page.draw(pen),
            Page::SoundTest => self_test::draw_sound(app, pen),
            Page::FlashTest => self_test::draw_flash(app, pen),
        }
    }
}

/// The chosen row of a list; up and down wrap around.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cursor(pub(crate) usize);

impl Cursor {
    /// Steps up or down. Returns whether the button does that.
    pub(crate) fn step(&mut self, button: Button, rows: usize) -> bool {
        let rows = rows.max(1);
        self.0 = match button {
            Button::Up => (self.0 + rows - 1) % rows,
            Button::Down => (self.0 + 1) % rows,
            _ => return false,
        };
        true
    }

    /// Steps along a wall: all directions count.
    pub(crate) fn walk(&mut self, button: Button, places: usize) -> bool {
        self.step(
            match button {
                Button::Left => Button::Up,
                Button::Right => Button::Down,
                button => button,
            },
            places,
        )
    }
}
