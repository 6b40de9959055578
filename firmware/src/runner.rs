//! The loop of the first core: tells the console what happened, shows its picture, does what it asks for.

use dojo_core::bank::{Bank, BankError};
use dojo_handheld::{BankCard, BrainCard, Brains, Command, Console, Event, Frame, MAX_BYTES, Screen, Slot};
use embassy_executor::Spawner;
use embassy_futures::select::{Either4, select4};
use embassy_futures::yield_now;
use embassy_rp::clocks::{ClockConfig, RoscRng};
use embassy_rp::config::Config;
use embassy_rp::watchdog::Watchdog;
use embassy_time::{Duration, Instant, Ticker};
use static_cell::{ConstStaticCell, StaticCell};

use crate::boards::pico::Board;
use crate::buttons::{self, PRESSES};
use crate::display::Display;
use crate::saves::{Erased, Saves};
use crate::thinking::{self, RESULTS, Result};
use crate::trouble::{self, LastRun};
use crate::{CLOCK_HZ, bank, helping, journal, learning, sound, stack};

/// How often the console is told the time.
const TICK: Duration = Duration::from_millis(50);
/// The loop hangs if it takes longer than this. Erasing a sector of flash can take 0.4 s.
const PATIENCE: Duration = Duration::from_secs(2);
/// After so many ticks without anything else it is a good moment for what takes time.
const QUIET_TICKS: u32 = 60;

/// In the background of everything, since it is large.
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::new(Screen::Oled));

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    // A stack that grows into the statics faults instead of spoiling them. It cannot have been installed before.
    let _ = embassy_rp::install_core0_stack_guard();
    let mut clocks = ClockConfig::system_freq(CLOCK_HZ).unwrap_or_else(|_| ClockConfig::crystal(12_000_000));
    if let Some(crystal) = &mut clocks.xosc {
        // In milliseconds: the Pico's own crystal needs one, and embassy would wait for 128.
        crystal.delay_multiplier = 16;
    }
    let board = Board::new(embassy_rp::init(Config::new(clocks)));
    // Not earlier: it takes 0.2 s at the speed of the boot clock.
    stack::paint_core0();
    let mut watchdog = Watchdog::new(board.watchdog);
    let last_run = LastRun::take(&mut watchdog);
    watchdog.start(PATIENCE);

    let seed = u64::from(RoscRng.next_u32());
    defmt::info!("Pocket Dojo {=str}, {=u32} Hz, seed {=u64}", env!("CARGO_PKG_VERSION"), CLOCK_HZ, seed);
    let bank = Bank::new(bank::region());
    // Before the second core can change them.
    let brains = learning::brains();
    thinking::start(board.core1, bank.ok());
    // Each has a place of its own to run in.
    spawner.spawn(defmt::unwrap!(buttons::watch(board.buttons).ok()));
    spawner.spawn(defmt::unwrap!(sound::play(board.piezo).ok()));

    let display = Display::find(board.oled, board.lcd).await;
    let frame = FRAME.take();
    frame.set_screen(display.screen());
    defmt::info!("display {=str}", display.screen().name());
    static RUNNER: StaticCell<Runner> = StaticCell::new();
    let runner = RUNNER.init_with(|| Runner {
        console: Console::new(seed),
        frame,
        display,
        saves: Saves::new(board.flash),
        bank: bank.ok(),
        watchdog,
    });
    spawner.spawn(defmt::unwrap!(run(runner, bank.map(|bank| BankCard::from(&bank)), brains, last_run).ok()));
}

/// The loop is a task of its own, so that what starting takes of the stack and of memory is not there while it runs.
#[embassy_executor::task]
async fn run(
    runner: &'static mut Runner,
    bank: core::result::Result<BankCard, BankError>,
    brains: Brains,
    last_run: LastRun,
) {
    runner.restore(&last_run).await;
    runner.tell(Event::Bank(bank));
    if let Some(trouble) = &last_run.trouble {
        runner.tell(Event::Trouble(trouble));
    }
    runner.tell(Event::Brains(brains));
    runner.tell(Event::Ready);
    runner.run().await
}

struct Runner {
    console: Console,
    frame: &'static mut Frame,
    display: Display,
    saves: Saves,
    bank: Option<Bank<'static>>,
    watchdog: Watchdog,
}

impl Runner {
    fn tell(&mut self, event: Event<'_>) {
        journal::event(&event);
        self.console.handle(event);
    }

    /// Tells the console what was kept.
    async fn restore(&mut self, last_run: &LastRun) {
        for slot in Slot::ALL {
            if slot == Slot::Game && last_run.suspects_game {
                self.tell(Event::Trouble("The saved game is left out: it may be the cause."));
                continue;
            }
            match self.saves.load(slot).await {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    let event = Event::Restore(slot, bytes);
                    journal::event(&event);
                    self.console.handle(event);
                }
                Err(Erased) => self.tell(Event::Trouble("The saves were damaged and had to be erased.")),
            }
        }
    }

    async fn run(&mut self) -> ! {
        let mut ticker = Ticker::every(TICK);
        let mut quiet = 0;
        loop {
            self.show().await;
            while let Some(command) = self.console.next_command() {
                self.obey(command).await;
            }
            match select4(PRESSES.receive(), RESULTS.receive(), ticker.next(), helping::job()).await {
                Either4::First(press) => {
                    quiet = 0;
                    self.tell(Event::Press(press));
                    // All that waits goes into one picture.
                    while let Ok(press) = PRESSES.try_receive() {
                        self.tell(Event::Press(press));
                    }
                }
                Either4::Second(Result::Answer(id, answer)) => self.tell(Event::Answer { id, answer }),
                Either4::Second(Result::Mind(id, thoughts)) => {
                    self.tell(Event::Mind { id, thoughts: &thoughts, done: true });
                }
                Either4::Second(Result::Learned(id, figures, done)) => {
                    self.tell(Event::Learned { id, figures, done });
                }
                Either4::Second(Result::Flash(step)) => {
                    self.saves.carry_out(&step).await;
                    learning::carried_out();
                }
                Either4::Second(Result::Brains(brains)) => self.tell(Event::Brains(brains)),
                Either4::Second(Result::Speed(search, playouts)) => self.tell(Event::Measured { search, playouts }),
                Either4::Third(()) => {
                    quiet += 1;
                    self.tell(Event::Tick(Instant::now().as_millis() as u32));
                    if quiet == QUIET_TICKS {
                        self.tidy().await;
                    }
                }
                Either4::Fourth(job) => {
                    helping::play(job);
                    // Before the next one, whoever waits for a pin or a time may go on.
                    yield_now().await;
                }
            }
            self.watchdog.feed(PATIENCE);
        }
    }

    /// Sends the picture if it may have changed.
    async fn show(&mut self) {
        if self.console.needs_draw() {
            let start = Instant::now();
            self.console.draw(self.frame);
            let drawn = Instant::now();
            self.display.send(self.frame).await;
            let (drawing, sending) = (drawn - start, drawn.elapsed());
            let screen = self.console.screen_name();
            defmt::debug!("frame {=str}: {=u64} + {=u64} us", screen, drawing.as_micros(), sending.as_micros());
        }
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Think { id, purpose, pupil } => {
                defmt::debug!("think {=u32}", id);
                if let Some(question) = self.console.question(id) {
                    thinking::ask(id, question, purpose, pupil);
                }
            }
            Command::Learn(order) => thinking::learn(order),
            Command::Look { rules, belt } => {
                let card = self.bank.as_ref().and_then(|bank| BrainCard::find(rules, belt, bank));
                self.tell(Event::Card(card));
            }
            Command::Measure => thinking::measure(),
            Command::StopThinking => thinking::stop(),
            Command::Save(slot) => {
                let mut buffer = [0; MAX_BYTES];
                if let Some(bytes) = self.console.kept(slot, &mut buffer) {
                    self.saves.store(slot, bytes).await;
                }
            }
            Command::Beep { hertz, millis } => sound::beep(hertz, millis),
            Command::Light(percent) => {
                defmt::info!("light {=u8}", percent);
                self.display.light(percent).await;
            }
            Command::Shifted(shifted) => {
                if self.display.shift(shifted) {
                    self.frame.resend();
                    self.display.send(self.frame).await;
                }
            }
        }
    }

    /// What can wait until nobody presses anything.
    async fn tidy(&mut self) {
        trouble::settled(&mut self.watchdog);
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
