//! The console: takes events, keeps the stack of screens, and lets the top one draw.

use core::fmt;

use dojo_core::games::GameId;
use dojo_core::games::thinking::Question;
use embedded_graphics::prelude::Point;
use embedded_graphics::primitives::Rectangle;
use heapless::Vec;

use crate::app::{AppState, FlashState};
use crate::event::{BrainCard, Command, Event, Slot};
use crate::exercise::PuzzleStars;
use crate::frame::{Frame, Ink};
use crate::input::{Button, Press};
use crate::motion::{GUARD_MS, HOLD_MS, IDLE_MS, SLIDE_MS, STEP_MS, Tween};
use crate::pen::{Finding, Inspector, Pen, Side, area};
use crate::screens::{Nav, Page};
use crate::session::Session;
use crate::sound::Cue;
use crate::store;
use crate::touch::{Finger, Target, Touch};
use crate::words;

const MINUTE_MS: u32 = 60_000;
/// The display is dimmed after this long without a button,
const DIM_MS: u32 = MINUTE_MS;
/// and dark after this long.
const DARK_MS: u32 = 5 * MINUTE_MS;
/// Light of a dimmed display, in percent.
const DIM_LIGHT: u8 = 5;

/// Most screens on the stack: menu, games, set-up, board, pause, rules, and a message on top.
const DEPTH: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Light {
    On,
    Dim,
    Dark,
    /// Dark, and asked to switch off.
    Off,
}

/// A screen that comes in place of another.
#[derive(Clone, Copy)]
struct Slide {
    from: Page,
    way: Way,
    tween: Tween,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// From the right: further in.
    In,
    /// From the left: back.
    Out,
    /// A panel from below, over the same board: a result.
    Up,
}

/// How long a notice is shown.
const NOTICE_MS: u32 = 1200;

/// The whole handheld, without its hardware.
pub struct Console {
    app: AppState,
    pages: Vec<Page, DEPTH>,
    light: Light,
    slide: Option<Slide>,
    /// Since when the last move of a finished game has stayed on the board.
    held: Option<u32>,
    /// Since when a new result has been shown, until A is taken there.
    guard: Option<u32>,
    /// Time of the last press, or of the last work of the machine that a person may be watching.
    last_seen: u32,
    needs_draw: bool,
}

impl Console {
    /// A console that shows its title. All chance in its games comes from the seed.
    pub fn new(seed: u64) -> Console {
        let mut pages = Vec::new();
        let _ = pages.push(Page::Title);
        Console {
            app: AppState::new(seed),
            pages,
            light: Light::On,
            slide: None,
            held: None,
            guard: None,
            last_seen: 0,
            needs_draw: true,
        }
    }

    /// Handles an event.
    ///
    /// Its larger parts are not inlined: the device's stack then holds one of them at a time.
    pub fn handle(&mut self, event: Event<'_>) {
        // Ticks and progress are frequent: they draw only what they change.
        self.needs_draw |= !matches!(event, Event::Tick(_) | Event::Progress { .. });
        // The first picture after the start stands still.
        let is_start = matches!(event, Event::Ready);
        let before = match self.pages.last() {
            Some(page) if self.app.has_motion() && !is_start => Some((*page, self.pages.len())),
            _ => None,
        };
        match event {
            Event::Press(press) => self.press(press),
            Event::Tick(now) => self.tick(now),
            Event::Seed(seed) => self.app.reseed(seed),
            Event::Answer { id, answer } => self.app.answered(id, answer),
            Event::Mind { id, thoughts, done } => self.app.told(id, thoughts, done),
            Event::Progress {
                id,
                share,
                thoughts,
            } => self.needs_draw |= self.app.progressed(id, share, thoughts),
            Event::Learned { id, figures, done } => self.app.learned(id, figures, done),
            Event::Brains(brains) => self.app.take_brains(brains),
            Event::Measured { search, playouts } => self.app.measured(search, playouts),
            Event::Restore(slot, bytes) => self.restore(slot, bytes),
            Event::Exercise { count, record } => self.app.take_exercise(count, record),
            Event::Card(card) => self.app.card = card.map(BrainCard::checked),
            Event::Bank(bank) => {
                self.app.bank = Some(bank);
                if let Err(error) = bank {
                    let mut text = heapless::String::<120>::new();
                    let _ = words::no_players(&mut text, &error);
                    self.trouble(&text);
                }
            }
            Event::Trouble(text) => self.trouble(text),
            Event::Abilities(abilities) => self.app.abilities = abilities,
            Event::FlashTested(test) => self.app.flash = FlashState::Known(test),
            Event::Battery(battery) => self.app.battery = Some(battery),
            Event::Ready => self.ready(),
            Event::Point(target) => self.touch(Touch::Point, target),
            Event::Tap(target) => self.touch(Touch::Tap, target),
            Event::Show(bytes) => self.show(bytes),
        }
        self.settle();
        if let Some((page, depth)) = before {
            self.slide_from(page, depth);
        }
        self.app.play_cue();
    }

    /// Starts a game at once, in the place of a [running](Console::is_running) one of its kind.
    pub fn start(&mut self, setup: crate::Setup) {
        self.app.start(setup);
        self.restart_at(Page::menu(), Some(Page::Board));
        self.settle();
        self.app.play_cue();
        self.needs_draw = true;
    }

    /// Starts a game, or asks first if it would replace a running one.
    fn begin(&mut self, setup: crate::Setup) {
        let page = match Page::begin(setup, &mut self.app) {
            Nav::Push(question) => question,
            _ => Page::Board,
        };
        self.restart_at(Page::menu(), Some(page));
    }

    /// The next command for the runner; to be called until there is none, and before the next
    /// event: a game that is left has to be stored before another one takes its place.
    pub fn next_command(&mut self) -> Option<Command> {
        self.app.next_command()
    }

    /// The question of a [`Command::Think`] with this number; `None` if nobody waits for the answer
    /// any more.
    pub fn question(&self, id: u32) -> Option<Question> {
        self.app.question(id)
    }

    /// The game with only the moves before a question, for a thinking side that shares no memory.
    pub(crate) fn asked_session(&self, id: u32) -> Option<Session> {
        self.app.asked_session(id)
    }

    /// The bytes to keep for a slot, written into `buffer` ([`crate::MAX_BYTES`] are enough);
    /// `None` for what storage alone has.
    pub fn kept<'a>(&self, slot: Slot, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        match slot {
            Slot::Settings => store::encode_settings(&self.app.settings, buffer),
            Slot::Statistics => store::encode_statistics(&self.app.statistics, buffer),
            Slot::Game(id) => self.app.kept_game(id, buffer),
            // It was moved to the slot of its kind.
            Slot::OldGame => store::encode_game(None, buffer),
            Slot::Puzzles => self.app.puzzle_stars.encode(buffer),
            Slot::Finished => self.app.kept_finished(buffer),
            Slot::Rivalry => self.app.apprentice.kept_rivalries(buffer),
            Slot::Part(number) => self.app.apprentice.kept_part(number, buffer),
        }
    }

    /// Whether the picture may have changed since it was last drawn.
    pub fn needs_draw(&self) -> bool {
        self.needs_draw
    }

    /// Draws the picture.
    pub fn draw(&mut self, frame: &mut Frame) {
        self.draw_with(frame, None, || false);
    }

    /// Draws the picture, but gives up between two screens of a slide if it has become stale: then
    /// an event waits that will want another one. Returns whether the picture is whole.
    pub fn draw_unless(&mut self, frame: &mut Frame, is_stale: fn() -> bool) -> bool {
        self.draw_with(frame, None, is_stale)
    }

    /// Draws the picture and writes a text alternative for screen readers: a line for each thing;
    /// `> ` marks the chosen one.
    pub fn draw_and_tell<'a>(&mut self, frame: &'a mut Frame, words: &'a mut dyn fmt::Write) {
        self.draw_with(frame, Some(words), || false);
    }

    fn draw_with<'a>(
        &mut self,
        frame: &'a mut Frame,
        listener: Option<&'a mut dyn fmt::Write>,
        is_stale: fn() -> bool,
    ) -> bool {
        self.needs_draw = false;
        let Some(page) = self.pages.last() else {
            return true;
        };
        let comfort = self.app.settings.comfort;
        let size = frame.screen().size();
        let (width, height) = (size.width as i32, size.height as i32);
        let mut rise = 0;
        // Two pictures side by side: no second buffer.
        if let Some(Slide { from, way, tween }) = &self.slide
            && let Some(left) = tween.left(self.app.now)
        {
            let across = width * left / 1000;
            let sides = match way {
                Way::In => Some((across - width, across)),
                Way::Out => Some((width - across, -across)),
                Way::Up => None,
            };
            match sides {
                Some((old, new)) => {
                    frame.set_offset(Point::new(old, 0));
                    let mut pen = Pen::new(frame, comfort);
                    pen.clear();
                    from.draw(&self.app, &mut pen);
                    frame.set_offset(Point::new(new, 0));
                    if is_stale() {
                        frame.set_offset(Point::zero());
                        return false;
                    }
                }
                // Its board stays where it is.
                None => rise = height * left / 1000,
            }
        }
        let mut pen = Pen::new(frame, comfort).with_listener(listener);
        pen.rise = rise;
        pen.clear();
        page.draw(&self.app, &mut pen);
        pen.frame.set_offset(Point::zero());
        if let Some((words, _)) = self.app.notice {
            draw_notice(words, &mut pen);
        }
        true
    }

    /// Milliseconds from the last tick to the next one that is to be told: fewer while something
    /// moves. Events in between may change it.
    pub fn step(&self) -> u32 {
        if self.is_moving() { STEP_MS } else { IDLE_MS }
    }

    fn is_moving(&self) -> bool {
        self.slides() || self.app.motion.is_moving(self.app.now)
    }

    fn slides(&self) -> bool {
        let runs = |slide: &Slide| slide.tween.left(self.app.now).is_some();
        self.slide.as_ref().is_some_and(runs)
    }

    /// Lets the screen slide in that has come in place of this one.
    fn slide_from(&mut self, from: Page, depth: usize) {
        // A code is too much work to be drawn at every step.
        if matches!(from, Page::Share) || matches!(self.pages.last(), Some(Page::Share)) {
            return;
        }
        let Some(page) = self.pages.last() else {
            return;
        };
        if from.name() != page.name() {
            let way = match page {
                Page::Result(_) if matches!(from, Page::Board) => Way::Up,
                _ if self.pages.len() < depth => Way::Out,
                _ => Way::In,
            };
            let tween = Tween::new(self.app.now, SLIDE_MS);
            self.slide = Some(Slide { from, way, tween });
            self.needs_draw = true;
        }
    }

    /// A press finishes what moves.
    fn stop_moving(&mut self) {
        self.slide = None;
        self.app.motion.landing = None;
        if !self.app.is_travelling() {
            self.app.motion.glide = None;
        }
    }

    /// Whether a press was meant for the game that has just ended.
    fn is_too_soon(&mut self, is_a: bool) -> bool {
        if self.held.is_some() {
            // It shows the result at once.
            self.held = Some(self.app.now.wrapping_sub(HOLD_MS));
            return true;
        }
        let is_new = |since| self.app.now.wrapping_sub(since) < GUARD_MS;
        is_a && self.guard.is_some_and(is_new)
    }

    /// The thing at a pixel of the picture, to be told with [`Event::Point`] or [`Event::Tap`].
    /// Draws the picture into the frame once more.
    pub fn find(&self, x: i32, y: i32, frame: &mut Frame) -> Option<Target> {
        let mut finger = Finger::new(Point::new(x, y));
        self.touchables(frame, &mut |area, target| finger.feel(area, target));
        finger.target()
    }

    /// Calls back with every area of the picture that can be touched. Draws the picture into the
    /// frame once more.
    pub fn touchables<'a>(
        &self,
        frame: &'a mut Frame,
        feel: &'a mut (dyn FnMut(Rectangle, Target) + 'a),
    ) {
        let mut pen = Pen::new(frame, self.app.settings.comfort).with_feeler(feel);
        pen.clear();
        if let Some(page) = self.pages.last() {
            page.draw(&self.app, &mut pen);
        }
    }

    /// Draws the picture and reports what letters it has, in faces that are this many pixels wider
    /// than drawn: body and title of the LCD, body and title of the OLED. For tests.
    pub fn inspect(
        &self,
        frame: &mut Frame,
        widened: [u8; 4],
        report: &mut dyn FnMut(Finding<'_>),
    ) {
        let mut inspector = Inspector { widened, report };
        let mut pen = Pen::new(frame, self.app.settings.comfort).with_inspector(&mut inspector);
        pen.clear();
        if let Some(page) = self.pages.last() {
            page.draw(&self.app, &mut pen);
        }
    }

    /// The name of the screen on top, for logs and tests.
    pub fn screen_name(&self) -> &'static str {
        self.pages.last().map_or("none", Page::name)
    }

    /// The running or just finished game.
    pub fn session(&self) -> Option<&crate::Session> {
        self.app.session.as_ref()
    }

    /// The rivalry with the apprentice in a game; `None` if it does not learn it.
    pub fn rivalry(&self, id: GameId) -> Option<&crate::Rivalry> {
        self.app.rivalry(id)
    }

    /// Whether a game of this kind is running.
    pub fn is_running(&self, id: GameId) -> bool {
        self.app.running(id).is_some()
    }

    /// Goes on with the running game of this kind at once, if there is one.
    pub fn resume(&mut self, id: GameId) {
        if let Nav::Board = Page::resume(id, &mut self.app) {
            self.restart_at(Page::menu(), Some(Page::Board));
            self.settle();
        }
        self.needs_draw = true;
    }

    /// The settings.
    pub fn settings(&self) -> &crate::Settings {
        &self.app.settings
    }

    /// Results of all games so far.
    pub fn statistics(&self) -> &crate::Statistics {
        &self.app.statistics
    }

    /// Lights the display. Returns whether the player saw it before: a press on a dark display only
    /// lights it.
    fn wake(&mut self) -> bool {
        self.last_seen = self.app.now;
        let was = self.light;
        self.set_light(Light::On);
        !matches!(was, Light::Dark | Light::Off)
    }

    #[inline(never)]
    fn touch(&mut self, touch: Touch, target: Target) {
        if !self.wake() {
            return;
        }
        self.stop_moving();
        if self.is_too_soon(touch == Touch::Tap) {
            return;
        }
        if let Some(page) = self.pages.last_mut() {
            let nav = page.touch(touch, target, &mut self.app);
            self.follow(nav);
        }
    }

    #[inline(never)]
    fn press(&mut self, press: Press) {
        let press = press.meant(self.app.settings.comfort);
        if matches!(press, Press::Up(button) if button != Button::X) || !self.wake() {
            return;
        }
        self.stop_moving();
        let is_a = press == Press::Down(Button::A);
        if !matches!(press, Press::Up(_)) && self.is_too_soon(is_a) {
            return;
        }
        match press {
            Press::Down(Button::X) => self.app.x_is_down = true,
            Press::Up(Button::X) => self.app.x_is_down = false,
            Press::Down(Button::Y) if self.app.x_is_down => return self.app.switch_sound(),
            _ => {}
        }
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        let nav = match press {
            Press::Held(Button::B) if page.is_exercise() => page.hold(&mut self.app),
            Press::Held(Button::B) if page.is_game() => Nav::Push(Page::pause()),
            Press::Held(Button::B) if page.is_left_by_holding() => Nav::Back,
            Press::Held(_) => Nav::Stay,
            Press::Down(Button::X) if matches!(page, Page::Board) => {
                self.app.begin_peek();
                Nav::Stay
            }
            Press::Up(_) => {
                self.app.end_peek();
                Nav::Stay
            }
            Press::Down(button) => page.press(button, &mut self.app),
        };
        self.follow(nav);
    }

    fn follow(&mut self, nav: Nav) {
        if !matches!(nav, Nav::Stay) {
            self.app.sound(Cue::Click);
        }
        match nav {
            Nav::Stay => {}
            Nav::Back => {
                if self.pages.len() > 1 {
                    self.pages.pop();
                }
            }
            Nav::Push(page) => self.push(page),
            Nav::Chosen(seat) => {
                if self.pages.len() > 1 {
                    self.pages.pop();
                }
                if let Some(page) = self.pages.last_mut() {
                    page.choose(seat, &mut self.app);
                }
            }
            Nav::Menu => self.restart_at(Page::menu(), None),
            Nav::Board => self.restart_at(Page::menu(), Some(Page::Board)),
        }
    }

    fn push(&mut self, page: Page) {
        if self.pages.is_full() {
            self.pages.remove(0);
        }
        let _ = self.pages.push(page);
    }

    fn restart_at(&mut self, base: Page, top: Option<Page>) {
        self.pages.clear();
        self.push(base);
        top.into_iter().for_each(|page| self.push(page));
    }

    /// Restores the invariants after any event: the machine thinks only while its board is on the
    /// screen, a game in its scoring phase shows the scoring screen, and a finished one its result.
    #[inline(never)]
    fn settle(&mut self) {
        if let Some(setup) = self.app.takes_pupil_on() {
            self.begin(setup);
        } else if !self
            .pages
            .iter()
            .any(|page| matches!(page, Page::Lesson(_)))
        {
            self.app.end_lesson();
        }
        // Its pupil was given up.
        if matches!(self.pages.last(), Some(Page::Lesson(_))) && self.app.lesson.is_none() {
            self.pages.pop();
        }
        if !matches!(self.pages.last(), Some(Page::Board)) {
            self.app.forget_peek();
            self.held = None;
        }
        if !matches!(self.pages.last(), Some(Page::Result(_))) {
            self.guard = None;
        }
        if !self.pages.iter().any(Page::has_exercise) {
            self.app.exercise = None;
        }
        let session = self.app.session.as_ref();
        let (outcome, is_scored) = (
            session.and_then(Session::outcome),
            session.is_some_and(Session::is_scored),
        );
        match (self.pages.last(), outcome) {
            (Some(Page::Scoring(_)), _) if !is_scored => {
                self.pages.pop();
                self.settle();
            }
            (Some(Page::Board), None) if is_scored => {
                let page = self.app.session.as_ref().map(Page::scoring);
                page.into_iter().for_each(|page| self.push(page));
                self.settle();
            }
            (Some(Page::Board), Some(outcome)) => {
                if self.held.is_none() {
                    self.app.sound_result(outcome);
                }
                let since = *self.held.get_or_insert(self.app.now);
                let waits = self.app.now.wrapping_sub(since) < HOLD_MS;
                if !self.app.has_motion() || !waits {
                    self.held = None;
                    self.guard = self.app.has_motion().then_some(self.app.now);
                    self.push(Page::result());
                }
            }
            (Some(Page::Board), None) if self.app.next_holder().is_some() => {
                self.app.stop_thinking();
                self.push(Page::Handover);
            }
            (Some(Page::Board | Page::Scoring(_)), None) => self.app.ask_if_due(),
            (Some(Page::Review(_)), _) => self.app.appraise(),
            _ => self.app.stop_thinking(),
        }
    }

    #[inline(never)]
    fn tick(&mut self, now: u32) {
        // Once more after the end, for the picture at rest.
        let moved = self.is_moving();
        self.app.now = now;
        self.needs_draw |= moved | self.app.end_notice(NOTICE_MS);
        self.needs_draw |= self.app.take_answer()
            | self.app.go_on_with_appraisal()
            | self.app.go_on_with_scale()
            | self.app.go_on_with_peek();
        // A person may be watching it think or learn.
        if self.app.is_busy() {
            self.last_seen = now;
        }
        let idle = now.wrapping_sub(self.last_seen);
        let off = self.app.settings.power_off.minutes();
        let light = match (self.light, idle) {
            (Light::Dark, _) if off.is_some_and(|minutes| idle >= minutes * MINUTE_MS) => {
                Light::Off
            }
            (Light::Dark | Light::Off, _) => self.light,
            (_, DARK_MS..) => Light::Dark,
            (_, DIM_MS..) => Light::Dim,
            _ => self.light,
        };
        self.set_light(light);
    }

    fn set_light(&mut self, light: Light) {
        if core::mem::replace(&mut self.light, light) != light {
            self.app.command(match light {
                Light::On => Command::Light(self.app.settings.brightness * 20),
                Light::Dim => Command::Light(DIM_LIGHT),
                Light::Dark => Command::Light(0),
                Light::Off => Command::PowerOff,
            });
        }
    }

    #[inline(never)]
    fn restore(&mut self, slot: Slot, bytes: &[u8]) {
        self.app.is_new = false;
        let understood = match slot {
            Slot::Settings => store::decode_settings(bytes)
                .map(|settings| self.app.settings = settings)
                .is_some(),
            Slot::Statistics => store::decode_statistics(bytes)
                .map(|statistics| self.app.statistics = statistics)
                .is_some(),
            Slot::Game(id) => match self.app.restore_game(id, bytes) {
                Some(true) => {
                    self.restart_at(Page::menu(), Some(Page::Board));
                    true
                }
                understood => understood.is_some(),
            },
            Slot::OldGame => self.app.restore_old_game(bytes).is_some(),
            Slot::Finished => {
                if self.app.takes_finished() {
                    self.show(bytes);
                }
                true
            }
            Slot::Rivalry => self.app.apprentice.restore_rivalries(bytes).is_some(),
            Slot::Part(number) => {
                self.app.restore_part(number, bytes);
                true
            }
            Slot::Puzzles => PuzzleStars::decode(bytes)
                .map(|stars| self.app.puzzle_stars = stars)
                .is_some(),
        };
        if !understood {
            let mut text = heapless::String::<120>::new();
            let _ = words::not_read(&mut text, slot.name());
            self.trouble(&text);
        }
    }

    #[inline(never)]
    fn show(&mut self, bytes: &[u8]) {
        match Session::from_kept(bytes) {
            Some(session) => {
                let review = Page::review(&session);
                self.app.take_up_guest(session);
                self.restart_at(Page::menu(), Some(review));
            }
            None if bytes.is_empty() => self.trouble(words::NOTHING_FINISHED),
            None => self.trouble(words::BAD_GAME),
        }
    }

    fn ready(&mut self) {
        self.slide = None;
        self.app
            .command(Command::Light(self.app.settings.brightness * 20));
        self.app.command(Command::Shift(self.app.settings.shift));
        if self.app.session.is_some() {
            let trouble = self
                .pages
                .iter()
                .position(|page| page.name() == "trouble")
                .map(|at| self.pages.remove(at));
            self.restart_at(Page::menu(), Some(Page::Board));
            trouble.into_iter().for_each(|page| self.push(page));
        }
    }

    /// Shows a message once, on top of what is there.
    fn trouble(&mut self, text: &str) {
        let log = &mut self.app.trouble;
        if !log.is_empty() && !log.ends_with('\n') {
            let _ = log.push('\n');
        }
        // A message that is too long is cut.
        for letter in text.chars() {
            if log.push(letter).is_err() {
                break;
            }
        }
        if !self.pages.iter().any(|page| page.name() == "trouble") {
            self.push(Page::Trouble);
        }
    }
}

/// Draws a short message over the lower end of the picture.
fn draw_notice(words: &str, pen: &mut Pen<'_>) {
    let (roomy, face) = (pen.look.roomy, pen.look.body);
    let (more, height, below) = if roomy { (28, 34, 12) } else { (10, 14, 2) };
    let width = face.width(words) + more;
    let (left, top) = ((pen.width() - width) / 2, pen.height() - below - height);
    let place = area(left, top, width, height);
    pen.panel(place, Ink::Paper);
    pen.text_in(place, Side::Centre, face, Ink::Night, words);
}
