//! The loop of the first core: tells the console what happened, shows its picture, does what it asks for.

use dojo_core::bank::{Bank, BankError};
use dojo_core::rng::Rng;
use dojo_handheld::thinking::{Job, Task};
use dojo_handheld::{
    Abilities, BankCard, BankTest, BrainCard, Brains, Button, Command, Console, Event, FlashTest,
    Frame, MAX_BYTES, Screen, Slot,
};
use embassy_executor::Spawner;
use embassy_futures::select::{Either4, select4};
use embassy_futures::yield_now;
use embassy_rp::clocks::RoscRng;
use embassy_rp::config::Config;
use embassy_time::{Duration, Instant, Ticker, block_for};
use static_cell::{ConstStaticCell, StaticCell};

use crate::battery::Gauge;
use crate::boards::{Board, HAS_BATTERY};
use crate::buttons::{self, PRESSES};
use crate::crash::{self, LastRun};
use crate::display::Display;
use crate::power::{self, Pace};
use crate::saves::{Erased, Saves};
use crate::thinking::{self, MESSAGES, Message};
use crate::{CLOCK_HZ, bank, event_log, helper, learning, sound, stack};

/// How often the console is told the time.
const TICK_MS: u32 = 50;
/// After so many ticks without anything else it is a good moment for what takes time.
const QUIET_TICKS: u32 = 60;
/// After so many ticks without a press the clocks may fall.
const REST_TICKS: u32 = 10;
/// For so many ticks an OLED that is slow to start may still take over.
const OLED_TICKS: u32 = 6;
/// A run that has lasted for so many ticks is not part of a restart loop.
const SETTLED_TICKS: u32 = 200;
/// The second core hangs if it does not get on for so many ticks.
const CORE1_TICKS: u32 = 60;
/// Samples of the chip's noise in the seed, and the time between two. It repeats itself when it is read quickly.
const NOISE_SAMPLES: u32 = 8;
const NOISE_PAUSE: Duration = Duration::from_micros(37);

/// Percent; for a message before the settings are known.
const USUAL_LIGHT: u8 = 80;

const ABILITIES: Abilities = Abilities {
    sound: true,
    flash: true,
    boot_loader: true,
};

/// In the background of everything, since it is large.
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::new(Screen::Oled));

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    // Before anything that can fail.
    let last_run = LastRun::take();
    stack::guard(0);
    let board = Board::new(embassy_rp::init(Config::new(power::clocks())));
    // Not earlier: it takes 0.2 s at the speed of the boot clock.
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
    // Each has a place of its own to run in.
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
        core1: thinking::Watch::default(),
        seed,
        is_seeded: false,
        is_safe_mode,
        pace: Pace::Work,
        ticks: 0,
        logged_ticks: 0,
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

/// The loop is a task of its own, so that what starting takes of the stack and of memory is not there while it runs.
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

/// A number that differs from start to start: noise, taken slowly, and the number of this device.
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
    /// Where the board has a battery.
    gauge: Option<Gauge>,
    core1: thinking::Watch,
    seed: u64,
    /// Whether the moment of the first press has gone into the seed.
    is_seeded: bool,
    /// Settings and the running game were left where they are.
    is_safe_mode: bool,
    /// How fast the system runs.
    pace: Pace,
    /// How often the console was told the time, and as the log has it.
    ticks: u32,
    logged_ticks: u32,
}

impl Runner {
    fn tell(&mut self, event: Event<'_>) {
        if !matches!(event, Event::Tick(_)) {
            self.log_ticks();
        }
        event_log::event(&event);
        self.console.handle(event);
    }

    /// Logs the time as the console knows it, if it has gone on.
    fn log_ticks(&mut self) {
        if core::mem::replace(&mut self.logged_ticks, self.ticks) != self.ticks {
            event_log::ticks(self.ticks);
        }
    }

    /// Pictures are made for the display that is there.
    fn use_display(&mut self) {
        let screen = self.display.screen();
        self.frame.set_screen(screen);
        defmt::info!("display {=str}", screen.name());
    }

    /// Carries out the factory reset that was asked for before the restart. Returns whether there was one.
    async fn finish_reset(&mut self) -> bool {
        let wants_reset = self.saves.wants_reset().await;
        if wants_reset {
            // Seen while the erasing takes its seconds, and afterwards until a button is pressed.
            self.tell(Event::Trouble(
                "Factory reset: settings, results, the saved game and kept brains are erased.",
            ));
            self.draw().await;
            self.display.light(USUAL_LIGHT).await;
            self.saves.reset().await;
        }
        wants_reset
    }

    /// Tells the console what was kept.
    async fn restore(&mut self) {
        if self.is_safe_mode {
            self.tell(Event::Trouble(
                "Safe mode: settings and the saved game are left out.",
            ));
            return;
        }
        for slot in Slot::ALL {
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
        let mut ticker = Ticker::every(Duration::from_millis(TICK_MS.into()));
        let mut quiet = 0;
        loop {
            self.show().await;
            while let Some(command) = self.console.next_command() {
                self.obey(command).await;
            }
            let next = select4(
                PRESSES.receive(),
                MESSAGES.receive(),
                ticker.next(),
                helper::job(),
            )
            .await;
            // Telling the console the time is all that a resting device does.
            if !matches!(next, Either4::Third(())) {
                self.set_pace(Pace::Work);
            }
            match next {
                Either4::First(press) => {
                    quiet = 0;
                    self.seed_by_press();
                    self.tell(Event::Press(press));
                    // All that waits goes into one picture.
                    while let Ok(press) = PRESSES.try_receive() {
                        self.tell(Event::Press(press));
                    }
                }
                Either4::Second(Message::Reply(reply)) => self.tell(reply.event()),
                Either4::Second(Message::Flash(step)) => {
                    self.saves.carry_out(&step).await;
                    learning::carried_out();
                }
                Either4::Third(()) => {
                    quiet += 1;
                    self.ticks = self.ticks.wrapping_add(1);
                    self.tell(Event::Tick(self.ticks.wrapping_mul(TICK_MS)));
                    self.look_around().await;
                    if quiet == QUIET_TICKS {
                        self.set_pace(Pace::Work);
                        self.tidy().await;
                    } else if quiet >= REST_TICKS && !self.console.needs_draw() && rests() {
                        self.set_pace(Pace::Rest);
                    }
                }
                Either4::Fourth(job) => {
                    helper::play(job);
                    // Before the next one, whoever waits for a pin or a time may go on.
                    yield_now().await;
                }
            }
            crash::feed();
        }
    }

    /// Nobody presses twice at the same microsecond after a start.
    fn seed_by_press(&mut self) {
        if !core::mem::replace(&mut self.is_seeded, true) {
            self.tell(Event::Seed(
                mixed(self.seed, Instant::now().as_micros()).into(),
            ));
        }
    }

    /// What has to be seen to all the time.
    async fn look_around(&mut self) {
        if self.ticks <= OLED_TICKS && self.display.look_again().await {
            self.use_display();
            self.draw().await;
        }
        self.read_gauge();
        if self.ticks == SETTLED_TICKS {
            crash::settled();
        }
        if self.core1.look() >= CORE1_TICKS {
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

    /// Sends the picture if it may have changed.
    async fn show(&mut self) {
        if self.console.needs_draw() {
            self.set_pace(Pace::Work);
            self.draw().await;
        }
    }

    async fn draw(&mut self) {
        self.log_ticks();
        let start = Instant::now();
        self.console.draw(self.frame);
        let drawn = Instant::now();
        self.display.send(self.frame).await;
        let (drawing, sending) = (drawn - start, drawn.elapsed());
        let screen = self.console.screen_name();
        defmt::debug!(
            "frame {=str}: {=u64} + {=u64} us",
            screen,
            drawing.as_micros(),
            sending.as_micros()
        );
    }

    async fn obey(&mut self, command: Command) {
        self.set_pace(Pace::Work);
        match command {
            Command::Think { id, purpose, pupil } => {
                defmt::debug!("think {=u32}", id);
                if let Some(question) = self.console.question(id) {
                    thinking::ask(Job::new(id, purpose), question, pupil);
                }
            }
            Command::Learn(order) => thinking::assign(Task::Learn(order)),
            Command::Look { rules, belt } => {
                let card = self
                    .bank
                    .as_ref()
                    .and_then(|bank| BrainCard::find(rules, belt, bank));
                self.tell(Event::Card(card));
            }
            Command::Measure => thinking::assign(Task::Measure),
            Command::StopThinking => thinking::stop(),
            // What was not read must not be replaced by nothing.
            Command::Save(Slot::Statistics) if self.is_safe_mode => {}
            Command::Save(slot) => {
                let mut buffer = [0; MAX_BYTES];
                if let Some(bytes) = self.console.kept(slot, &mut buffer) {
                    self.saves.store(slot, bytes).await;
                }
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
            Command::Beep { hertz, millis } => sound::beep(hertz, millis),
            Command::Light(percent) => {
                defmt::info!("light {=u8}", percent);
                self.display.light(percent).await;
            }
            Command::PowerOff => self.power_off().await,
            Command::Shift(shift) => {
                if self.display.shift(shift) {
                    self.frame.resend();
                    self.display.send(self.frame).await;
                }
            }
        }
    }

    /// Stops until a button is pressed. Every move is saved when it is made, so nothing is left to be written, and memory
    /// keeps the rest: whoever wakes the device goes on where it stopped, without a restart.
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

    /// Reads every model of the bank.
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

    /// What can wait until nobody presses anything.
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

/// Whether nothing but the time goes on: nobody thinks, nothing sounds.
fn rests() -> bool {
    thinking::rests() && sound::is_silent()
}
