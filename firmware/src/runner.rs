//! The main loop on the first core: passes events to the console, sends its picture, carries out
//! its commands.

use dojo_core::bank::{Bank, BankError};
use dojo_core::rng::Rng;
use dojo_cores::{Message, Watch};
use dojo_handheld::thinking::{Task, ThinkJob};
use dojo_handheld::{
    Abilities, BankCard, BankTest, BrainCard, Brains, Button, Command, Console, Event, FlashTest,
    Frame, MAX_BYTES, Screen, Slot,
};
use embassy_executor::Spawner;
use embassy_futures::select::{Either4, select4};
use embassy_futures::yield_now;
use embassy_rp::clocks::RoscRng;
use embassy_rp::config::Config;
use embassy_time::{Duration, Instant, Timer, block_for};
use static_cell::{ConstStaticCell, StaticCell};

use crate::battery::Gauge;
use crate::boards::{HAS_BATTERY, Hardware};
use crate::buttons::{self, PRESSES};
use crate::crash::{self, LastRun};
use crate::display::Display;
use crate::power::{self, Pace};
use crate::saves::{Erased, Saves};
use crate::thinking::{self, EXCHANGE, OFFERS};
use crate::{CLOCK_HZ, bank, event_log, learning, sound, stack};

/// Milliseconds without a press before housekeeping ([`Runner::tidy`]),
const QUIET_MS: u32 = 3000;
/// and before the clocks may slow down.
const REST_MS: u32 = 500;
/// Ticks after the start during which an OLED that was not ready may still take over.
const OLED_TICKS: u32 = 6;
/// Ticks after which a run is not part of a restart loop.
const SETTLED_TICKS: u32 = 200;
/// Ticks without progress after which the second core counts as hung.
const CORE1_TICKS: u32 = 60;
/// Samples of the ring oscillator's noise in the seed, and the time between two: samples in quick
/// succession repeat.
const NOISE_SAMPLES: u32 = 8;
const NOISE_PAUSE: Duration = Duration::from_micros(37);

/// Brightness in percent for a message before the settings are loaded.
const USUAL_LIGHT: u8 = 80;

const ABILITIES: Abilities = Abilities {
    sound: true,
    motion: false,
    flash: true,
    boot_loader: true,
};

/// In .bss, not on the stack: 30 KB.
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::new(Screen::Oled));

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    // Before anything that can fail.
    let last_run = LastRun::take();
    stack::guard(0);
    let board = Hardware::new(embassy_rp::init(Config::new(power::clocks())));
    // After the clocks are set up: at the boot clock painting would take 0.2 s.
    stack::paint_core0();
    crash::feed();
    let holds = |button| buttons::is_down(&board.buttons, button);
    if holds(Button::B) && holds(Button::Y) {
        crash::enter_boot_loader();
    }
    let is_safe_mode = holds(Button::B) || last_run.wants_safe_mode();

    let mut saves = Saves::new(board.flash);
    let seed = noise(saves.unique_id());
    defmt::info!(
        "Pocket Dojo {=str}, {=u32} Hz, seed {=u64}",
        env!("CARGO_PKG_VERSION"),
        CLOCK_HZ,
        seed
    );
    last_run.log();
    let bank = Bank::new(bank::region());
    // Before the second core can change them.
    let brains = learning::brains();
    thinking::start(board.core1, bank.ok());
    crash::painted();
    // Spawning a task for the first time cannot fail.
    spawner.spawn(defmt::unwrap!(buttons::watch(board.buttons).ok()));
    spawner.spawn(defmt::unwrap!(sound::play(board.sound).ok()));

    let display = Display::new(board.oled, board.lcd);
    static CONSOLE: StaticCell<Console> = StaticCell::new();
    static RUNNER: StaticCell<Runner> = StaticCell::new();
    let runner = RUNNER.init_with(|| Runner {
        console: CONSOLE.init_with(|| Console::new(seed)),
        frame: FRAME.take(),
        display,
        saves,
        bank: bank.ok(),
        gauge: board
            .battery
            .filter(|_| HAS_BATTERY)
            .map(|parts| Gauge::new(parts, board.led)),
        core1: Watch::default(),
        seed,
        is_seeded: false,
        is_safe_mode,
        is_unsaved: false,
        is_cut: false,
        pace: Pace::Work,
        ticks: 0,
        logged_ticks: 0,
        time: 0,
    });
    spawner.spawn(defmt::unwrap!(
        run(
            runner,
            bank.map(|bank| BankCard::from(&bank)),
            brains,
            last_run
        )
        .ok()
    ));
}

/// A task of its own, so that stack and memory of the start are free again while it runs.
#[embassy_executor::task]
async fn run(
    runner: &'static mut Runner,
    bank: Result<BankCard, BankError>,
    brains: Brains,
    last_run: LastRun,
) {
    runner.display.start(last_run.is_cold).await;
    runner.use_display();
    runner.tell(Event::Abilities(ABILITIES));
    let brains = if runner.finish_reset().await {
        Brains::default()
    } else {
        brains
    };
    runner.restore().await;
    runner.tell(Event::Bank(bank));
    if let Some(reason) = &last_run.reason {
        runner.tell(Event::Trouble(reason));
    }
    runner.tell(Event::Brains(brains));
    runner.read_gauge();
    runner.tell(Event::Ready);
    runner.run().await
}

/// A seed that differs from start to start: noise of the ring oscillator, and the unique number of
/// the flash chip.
fn noise(device: u64) -> u64 {
    (0..NOISE_SAMPLES).fold(u64::from(mixed(device, 0)), |seed, _| {
        block_for(NOISE_PAUSE);
        mixed(seed, u64::from(RoscRng.next_u32())).into()
    })
}

/// 32 bits, so that a seed can be written down.
fn mixed(seed: u64, more: u64) -> u32 {
    Rng::new(seed << 32 ^ more).next_u32()
}

struct Runner {
    console: &'static mut Console,
    frame: &'static mut Frame,
    display: Display,
    saves: Saves,
    bank: Option<Bank<'static>>,
    /// On boards with a battery.
    gauge: Option<Gauge>,
    core1: Watch,
    seed: u64,
    /// Whether the console was seeded by the moment of the first press.
    is_seeded: bool,
    /// Settings and the running game were not loaded.
    is_safe_mode: bool,
    /// Whether the last save failed; the player was told.
    is_unsaved: bool,
    /// Whether the last picture was cut short by a press.
    is_cut: bool,
    /// How fast the system runs.
    pace: Pace,
    /// Ticks so far, and ticks in the log.
    ticks: u32,
    logged_ticks: u32,
    /// The time that the console was told last: `ticks` steps of [`Console::step`].
    time: u32,
}

impl Runner {
    fn tell(&mut self, event: Event<'_>) {
        if !matches!(event, Event::Tick(_)) {
            self.log_ticks();
        }
        event_log::event(&event);
        self.console.handle(event);
    }

    /// Logs the number of ticks, if it has changed.
    fn log_ticks(&mut self) {
        if core::mem::replace(&mut self.logged_ticks, self.ticks) != self.ticks {
            event_log::ticks(self.ticks);
        }
    }

    /// Sets the frame to the size of the connected display.
    fn use_display(&mut self) {
        let screen = self.display.screen();
        self.frame.set_screen(screen);
        defmt::info!("display {=str}", screen.name());
    }

    /// Carries out a factory reset that was requested before the restart. Returns whether there was
    /// one.
    async fn finish_reset(&mut self) -> bool {
        let wants_reset = self.saves.wants_reset().await;
        if wants_reset {
            // Shown during the seconds of erasing, and afterwards until a button is pressed.
            self.tell(Event::Trouble(
                "Factory reset: settings, results, the saved game and kept brains are erased.",
            ));
            self.draw().await;
            self.display.light(USUAL_LIGHT).await;
            self.saves.reset().await;
        }
        wants_reset
    }

    /// Restores the slots of the console from flash.
    async fn restore(&mut self) {
        if self.is_safe_mode {
            self.tell(Event::Trouble(
                "Safe mode: settings and the saved game are left out.",
            ));
            return;
        }
        for slot in Slot::at_start() {
            match self.saves.load(slot).await {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    let event = Event::Restore(slot, bytes);
                    event_log::event(&event);
                    self.console.handle(event);
                }
                Err(Erased) => self.tell(Event::Trouble(
                    "The saves were damaged and had to be erased.",
                )),
            }
        }
    }

    async fn run(&mut self) -> ! {
        let mut ticked = Instant::now();
        let mut pressed = self.time;
        let mut is_tidy = false;
        loop {
            self.show().await;
            self.obey_all().await;
            // While something moves a tick is always due, and a picture without changes waits for
            // nothing: the buttons would never be asked. Of the tasks that are ready, the one that
            // came last runs first, so once is not enough.
            yield_now().await;
            yield_now().await;
            let next = select4(
                PRESSES.receive(),
                EXCHANGE.message(),
                Timer::at(ticked + self.step()),
                OFFERS.job(),
            )
            .await;
            // A resting device handles ticks only.
            if !matches!(next, Either4::Third(())) {
                self.set_pace(Pace::Work);
            }
            match next {
                Either4::First(press) => {
                    (pressed, is_tidy) = (self.time, false);
                    self.seed_by_press();
                    self.tell(Event::Press(press));
                    // One picture for all presses that wait.
                    while let Ok(press) = PRESSES.try_receive() {
                        self.obey_all().await;
                        self.tell(Event::Press(press));
                    }
                }
                Either4::Second(Message::Reply(reply)) => self.tell(reply.event()),
                Either4::Second(Message::Flash(step)) => {
                    self.saves.carry_out(&step).await;
                    EXCHANGE.carried_out();
                }
                Either4::Third(()) => {
                    // One picture for all ticks that are due.
                    while ticked + self.step() <= Instant::now() {
                        ticked += self.step();
                        self.tick();
                        self.look_around().await;
                    }
                    let quiet = self.time.wrapping_sub(pressed);
                    if self.console.needs_draw() {
                        // Neither in the middle of a movement.
                    } else if quiet >= QUIET_MS && !is_tidy {
                        is_tidy = true;
                        self.set_pace(Pace::Work);
                        self.tidy().await;
                    } else if quiet >= REST_MS && rests() {
                        self.set_pace(Pace::Rest);
                    }
                }
                Either4::Fourth(job) => {
                    OFFERS.play(job);
                    // Lets tasks run that wait for a pin or a timer.
                    yield_now().await;
                }
            }
            crash::feed();
        }
    }

    /// The time from the last tick to the next.
    fn step(&self) -> Duration {
        Duration::from_millis(self.console.step().into())
    }

    fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        self.time = self.time.wrapping_add(self.console.step());
        self.tell(Event::Tick(self.time));
    }

    /// Seeds the console by the microsecond of the first press, which differs from start to start.
    fn seed_by_press(&mut self) {
        if !core::mem::replace(&mut self.is_seeded, true) {
            self.tell(Event::Seed(
                mixed(self.seed, Instant::now().as_micros()).into(),
            ));
        }
    }

    /// Checks at every tick: display, battery, second core.
    async fn look_around(&mut self) {
        if self.ticks <= OLED_TICKS && self.display.look_again().await {
            self.use_display();
            self.draw().await;
        }
        self.read_gauge();
        if self.ticks == SETTLED_TICKS {
            crash::settled();
        }
        if self.core1.look(&EXCHANGE) >= CORE1_TICKS {
            crash::give_up("the second core hung");
        }
    }

    fn set_pace(&mut self, pace: Pace) {
        if core::mem::replace(&mut self.pace, pace) != pace {
            pace.set();
            self.display.retune(pace);
        }
    }

    fn read_gauge(&mut self) {
        let gauge = self.gauge.as_mut().filter(|_| HAS_BATTERY);
        if let Some(news) = gauge.and_then(Gauge::tick) {
            self.tell(Event::Battery(news));
        }
    }

    /// Sends the picture if it may have changed. A press makes it stale: the rest is not sent, so
    /// that no press waits for a movement. After a picture that was cut short the next one is sent
    /// whole, however fast the presses come.
    async fn show(&mut self) {
        if self.console.needs_draw() || self.is_cut {
            self.set_pace(Pace::Work);
            let is_stale = if self.is_cut { never } else { press_waits };
            self.is_cut = !self.draw_until(is_stale).await;
        }
    }

    /// Sends the whole picture.
    async fn draw(&mut self) {
        self.draw_until(never).await;
    }

    /// Returns whether the whole picture was sent.
    async fn draw_until(&mut self, is_stale: fn() -> bool) -> bool {
        self.log_ticks();
        let start = Instant::now();
        let is_drawn = self.console.draw_unless(self.frame, is_stale);
        let drawn = Instant::now();
        let is_whole = is_drawn && self.display.send(self.frame, is_stale).await;
        let (drawing, sending) = (drawn - start, drawn.elapsed());
        let screen = self.console.screen_name();
        if is_whole {
            defmt::debug!(
                "frame {=str}: {=u64} + {=u64} us",
                screen,
                drawing.as_micros(),
                sending.as_micros()
            );
        } else {
            defmt::debug!("cut {=str}", screen);
        }
        is_whole
    }

    async fn obey_all(&mut self) {
        while let Some(command) = self.console.next_command() {
            self.obey(command).await;
        }
    }

    async fn obey(&mut self, command: Command) {
        self.set_pace(Pace::Work);
        match command {
            Command::Think { id, purpose, pupil } => {
                defmt::debug!("think {=u32}", id);
                if let Some(question) = self.console.question(id) {
                    let has_room = EXCHANGE.ask(ThinkJob::new(id, purpose), question, pupil);
                    warn_if_full(has_room);
                }
            }
            Command::Learn(order) => warn_if_full(EXCHANGE.assign(Task::Learn(order))),
            Command::FindCard { rules, belt } => {
                let card = self
                    .bank
                    .as_ref()
                    .and_then(|bank| BrainCard::find(rules, belt, bank));
                self.tell(Event::Card(card));
            }
            Command::FindExercise { game, kind, number } => {
                let found = Event::exercise(game, kind, number, self.bank.as_ref());
                self.tell(found);
            }
            Command::Measure => warn_if_full(EXCHANGE.assign(Task::Measure)),
            Command::StopThinking => EXCHANGE.stop(),
            // What was not loaded must not be overwritten by empty values.
            Command::Save(Slot::Statistics | Slot::Puzzles | Slot::Rivalry | Slot::Part(_))
                if self.is_safe_mode => {}
            Command::Save(slot) => {
                let mut buffer = [0; MAX_BYTES];
                if let Some(bytes) = self.console.kept(slot, &mut buffer) {
                    let is_stored = self.saves.store(slot, bytes).await;
                    if !is_stored && !self.is_unsaved {
                        self.tell(Event::Trouble(
                            "Cannot save: the flash refuses it. Play on, but do not switch off.",
                        ));
                    }
                    self.is_unsaved = !is_stored;
                }
            }
            Command::Load(slot) => {
                let bytes = self.saves.load(slot).await;
                let event = Event::Restore(slot, bytes.ok().flatten().unwrap_or_default());
                event_log::event(&event);
                self.console.handle(event);
            }
            Command::TestFlash => {
                let (bank, saves) = (self.test_bank().await, self.saves.test(self.ticks).await);
                self.tell(Event::FlashTested(FlashTest { bank, saves }));
            }
            Command::BootLoader => crash::enter_boot_loader(),
            Command::FactoryReset => {
                if self.saves.ask_for_reset().await {
                    crash::start_anew();
                }
                self.tell(Event::Trouble("The reset failed: nothing was erased."));
            }
            Command::Play { notes, volume } => sound::start(notes, volume),
            Command::Light(percent) => {
                defmt::info!("light {=u8}", percent);
                self.display.light(percent).await;
            }
            Command::PowerOff => self.power_off().await,
            Command::Shift(shift) => {
                if self.display.shift(shift) {
                    self.frame.resend();
                    self.display.send(self.frame, never).await;
                }
            }
        }
    }

    /// Stops all clocks until a button is pressed. Every move is saved when it is made, and RAM
    /// keeps the rest: the program goes on where it stopped, without a restart.
    async fn power_off(&mut self) {
        if rests() {
            defmt::info!("off");
            self.set_pace(Pace::Rest);
            if let Some(gauge) = self.gauge.as_mut().filter(|_| HAS_BATTERY) {
                gauge.darken();
            }
            buttons::sleep().await;
            defmt::info!("on");
        }
    }

    /// Checks the payloads of all models of the bank.
    async fn test_bank(&self) -> BankTest {
        let Some(bank) = &self.bank else {
            return BankTest::Refused;
        };
        let mut whole = 0;
        for entry in bank.entries() {
            if entry.payload().is_err() {
                return BankTest::Damaged(whole);
            }
            whole += 1;
            crash::feed();
            yield_now().await;
        }
        BankTest::Whole(whole)
    }

    /// Housekeeping while nobody plays: prepares a sector for saves, reports the stacks.
    async fn tidy(&mut self) {
        self.saves.make_room().await;
        let [core0, core1] = stack::report();
        defmt::info!(
            "stack free: core 0 {=usize} of {=usize}, core 1 {=usize} of {=usize}",
            core0.1,
            core0.0,
            core1.1,
            core1.0
        );
    }
}

/// Whether a press has not been handled yet.
fn press_waits() -> bool {
    !PRESSES.is_empty()
}

fn never() -> bool {
    false
}

/// Whether the device is idle: no thinking, no sound.
fn rests() -> bool {
    EXCHANGE.rests() && sound::is_silent()
}

fn warn_if_full(has_room: bool) {
    if !has_room {
        defmt::error!("too many tasks");
    }
}
