//! A monkey at the console: random presses, times, answers, thoughts, lessons, saves, failing
//! writes and power cuts, on all screens and both displays. After every event the console has to
//! hold its promises ([`Monkey::check`]).
//!
//! `cargo xtask monkey --events N --seed S` plays any number of events; a failure says how to
//! repeat it.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::GameId;
use dojo_core::games::go::GoMove;
use dojo_core::games::pupil::{Duel, Figures};
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::{self, Question};
use dojo_core::players::belts::{Answer, Decision, Source, Thought};
use dojo_core::rng::Rng;
use dojo_handheld::{
    Abilities, BankCard, BankTest, Battery, BrainCard, Brains, Button, Comfort, Command, Console,
    Event, FlashTest, Frame, MAX_BYTES, Order, Press, Purpose, Screen, Seat, Session, Setup, Slot,
    Target,
};

/// The bank that ships, with its puzzles and lessons.
const SHIPPED: &[u8] = include_bytes!("../../models/dojo.bank");

/// Events from a new console to the end of a round: a failure is repeated from here.
const ROUND: u64 = 10_000;

/// A seed that covers every screen with the events of the test.
const SEED: u64 = 1;

/// Screens that a million events reach.
const SCREENS: usize = 34;

struct Monkey {
    rng: Rng,
    console: Console,
    now: u32,
    /// What storage has in each slot.
    stored: [Option<Vec<u8>>; Slot::ALL.len()],
    /// The last question, and the last lesson.
    asked: Option<(u32, Purpose)>,
    lesson: u32,
    games: u32,
    brains: Brains,
    frames: [Frame; 2],
    /// Results in the statistics after the last event, and in storage.
    results: u32,
    stored_results: u32,
    /// Whether storage has the last state of each slot.
    written: [bool; Slot::ALL.len()],
    power_cuts: u64,
    seen: BTreeSet<&'static str>,
    games_seen: BTreeSet<&'static str>,
}

impl Monkey {
    fn new(seed: u64) -> Monkey {
        let mut monkey = Monkey {
            rng: Rng::new(seed),
            console: Console::new(seed),
            now: 0,
            stored: Default::default(),
            asked: None,
            lesson: 0,
            games: 0,
            brains: Brains::default(),
            frames: Screen::ALL.map(Frame::new),
            results: 0,
            stored_results: 0,
            written: [true; _],
            power_cuts: 0,
            seen: BTreeSet::new(),
            games_seen: BTreeSet::new(),
        };
        monkey.start();
        monkey
    }

    fn any<const N: usize, T: Copy>(&mut self, items: [T; N]) -> T {
        items[self.rng.below(N as u32) as usize]
    }

    fn coin(&mut self) -> bool {
        self.rng.below(2) == 0
    }

    fn bytes(&mut self, most: u32) -> Vec<u8> {
        (0..self.rng.below(most))
            .map(|_| self.rng.next_u32() as u8)
            .collect()
    }

    /// What a runner tells at the start.
    fn start(&mut self) {
        let abilities = Abilities {
            sound: self.coin(),
            motion: self.coin(),
            flash: self.rng.below(4) > 0,
            boot_loader: self.rng.below(4) > 0,
        };
        self.console.handle(Event::Abilities(abilities));
        if self.coin() {
            self.console.handle(Event::Bank(Ok(BankCard::from(
                &Bank::new(SHIPPED).expect("a bank"),
            ))));
        }
        self.console.handle(Event::Brains(self.brains));
        for (slot, bytes) in Slot::at_start().zip(&self.stored) {
            if let Some(bytes) = bytes {
                self.console.handle(Event::Restore(slot, bytes));
            }
        }
        self.console.handle(Event::Ready);
        self.obey();
    }

    /// The power fails, and comes back. What storage has must be understood.
    fn cut_power(&mut self) {
        self.power_cuts += 1;
        let running = self
            .console
            .session()
            .filter(|session| session.outcome().is_none())
            .cloned();
        let settings = self.console.settings().clone();
        // The start may move a game of an earlier version and save it.
        let written = self.written;
        let is_written = |slot: Slot| written[slot.index()];
        self.console = Console::new(self.rng.next_u64());
        (self.now, self.asked) = (0, None);
        self.start();
        assert_eq!(results(&self.console), self.stored_results, "results lost");
        if let Some(session) = running {
            let slot = Slot::Game(session.game().id());
            if is_written(slot) && is_written(Slot::Settings) {
                assert_eq!(
                    self.console.session().map(Session::moves),
                    Some(session.moves()),
                    "a game changed over a restart"
                );
            }
        }
        if is_written(Slot::Settings) && self.stored[0].is_some() {
            assert_eq!(*self.console.settings(), settings);
        }
        self.written = [true; _];
        assert_ne!(
            self.console.screen_name(),
            "trouble",
            "storage was refused: {:?}",
            self.stored
        );
        self.results = self.stored_results;
    }

    /// Storage is damaged while the power is off.
    fn damage(&mut self) {
        let slot = self.rng.below(Slot::ALL.len() as u32) as usize;
        let new = self.bytes(24);
        match &mut self.stored[slot] {
            Some(bytes) if !bytes.is_empty() && self.rng.below(2) == 0 => {
                let at = self.rng.below(bytes.len() as u32) as usize;
                bytes[at] ^= 1 << self.rng.below(8);
            }
            other => *other = Some(new),
        }
        self.console = Console::new(self.rng.next_u64());
        (self.now, self.asked) = (0, None);
        self.start();
        // Whatever it understood is the truth from now on.
        (self.results, self.stored_results) = (results(&self.console), results(&self.console));
        for slot in Slot::ALL {
            self.save(slot);
        }
    }

    /// A game of any kind and length lies in storage at the next start: a monkey seldom gets far in
    /// one, and hardly ever to a scoring phase.
    fn plant_game(&mut self) {
        let id = self.any(GameId::ALL);
        let seats = [0, 1].map(|_| match self.rng.below(3) {
            0 => Seat::Person,
            1 => Seat::Pupil,
            _ => Seat::Machine(Belt::ALL[self.rng.below(5) as usize]),
        });
        let usual = Setup::new(id);
        let setup = Setup {
            rules: usual.rules.dealt(|| self.rng.next_u64()),
            seats: self.any([seats, seats, [Seat::Person; 2], usual.seats]),
            ..usual
        };
        let mut session = Session::new(setup, self.any(Player::BOTH));
        for _ in 0..self.rng.below(120) {
            let question = Question {
                game: *session.game(),
                belt: Belt::White,
                seed: self.rng.next_u64(),
                may_resign: false,
                ancestor: None,
            };
            let Some(index) = self.legal(&question) else {
                break;
            };
            let mut next = session.clone();
            // The last move that leaves the game running.
            if next.play(index).is_err() || next.outcome().is_some() {
                break;
            }
            session = next;
        }
        if id == GameId::Go && self.coin() {
            // Two passes lead to the scoring phase.
            for _ in 0..2 {
                let _ = session.play(GoMove::PASS_INDEX);
            }
        }
        let mut buffer = [0; MAX_BYTES];
        let bytes = session.kept(&mut buffer).expect("every game fits");
        let slot = self.any([Slot::Game(id), Slot::OldGame]);
        if slot == Slot::OldGame {
            // It is taken up where there is no other.
            for id in GameId::ALL {
                self.stored[Slot::Game(id).index()] = None;
            }
        }
        self.stored[slot.index()] = Some(bytes.to_vec());
        self.written = [false; _];
        self.cut_power();
    }

    fn save(&mut self, slot: Slot) {
        let was_written = std::mem::replace(&mut self.written[slot.index()], true);
        let mut buffer = [0; MAX_BYTES];
        // Some games storage alone has.
        let Some(bytes) = self.console.kept(slot, &mut buffer) else {
            return;
        };
        let stored = self.stored[slot.index()].as_deref();
        if let Slot::Game(id) = slot
            && was_written
            && Session::from_kept(bytes).is_none()
        {
            let here = self.console.session();
            assert!(
                here.is_some_and(|session| session.game().id() == id)
                    || stored.and_then(Session::from_kept).is_none(),
                "a running game was dropped"
            );
        }
        if slot == Slot::Statistics {
            self.stored_results = results(&self.console);
        }
        self.stored[slot.index()] = Some(bytes.to_vec());
    }

    /// Carries out the commands; some writes fail, and sometimes the power fails instead of one.
    fn obey(&mut self) {
        while let Some(command) = self.console.next_command() {
            match command {
                Command::Save(slot) => match self.rng.below(400) {
                    0 => {
                        // Other saves may wait behind this one.
                        self.written = [false; _];
                        return self.cut_power();
                    }
                    1 => self.written[slot.index()] = false,
                    _ => self.save(slot),
                },
                Command::Load(slot) => {
                    let bytes = self.stored[slot.index()].clone().unwrap_or_default();
                    self.console.handle(Event::Restore(slot, &bytes));
                }
                Command::Think { id, purpose, .. } => self.asked = Some((id, purpose)),
                Command::Learn(Order::Begin { id, .. }) => (self.lesson, self.games) = (id, 0),
                Command::Learn(Order::Keep) => {
                    let card = self.card();
                    let at = self.rng.below(self.brains.cards.len() as u32) as usize;
                    self.brains.cards[at] = card;
                    self.brains.last = Some(self.any(GameId::ALL));
                    self.console.handle(Event::Brains(self.brains));
                }
                Command::Learn(Order::Discard) => {
                    self.brains = Brains::default();
                    self.console.handle(Event::Brains(self.brains));
                }
                Command::FindCard { .. } => {
                    let card = self.card();
                    self.console.handle(Event::Card(card));
                }
                Command::FindExercise { game, kind, number } => {
                    let bank = Bank::new(SHIPPED).expect("a bank");
                    // Sometimes a record that is damaged, or none at all.
                    match self.rng.below(8) {
                        0 => self
                            .console
                            .handle(Event::exercise(game, kind, number, None)),
                        1 => self.console.handle(Event::Exercise {
                            count: 3,
                            record: &[7; 40],
                        }),
                        _ => self
                            .console
                            .handle(Event::exercise(game, kind, number, Some(&bank))),
                    }
                }
                Command::FactoryReset => {
                    self.stored = Default::default();
                    (self.stored_results, self.brains) = (0, Brains::default());
                    self.console = Console::new(self.rng.next_u64());
                    (self.now, self.asked, self.results) = (0, None, 0);
                    self.written = [true; _];
                    return self.start();
                }
                _ => {}
            }
        }
    }

    fn card(&mut self) -> Option<BrainCard> {
        let name = [self.rng.next_u32() as u8; _];
        (self.rng.below(5) > 0).then(|| BrainCard {
            name,
            seed: self.rng.next_u64(),
            games: self.rng.next_u64(),
            crc: self.rng.next_u32(),
            date: self.rng.next_u32(),
            strength: self.rng.next_u32() as u16,
        })
    }

    /// An answer to a question: mostly a legal move, else anything.
    fn answer(&mut self, question: Option<Question>) -> Option<Answer> {
        let index = match question {
            Some(question) if self.rng.below(8) > 0 => self.legal(&question)?,
            _ => self.rng.next_u32() as u16 >> self.rng.below(16),
        };
        let decision = match self.rng.below(40) {
            0 => Decision::Resign,
            1 => return None,
            _ => Decision::Play(index),
        };
        Some(Answer {
            decision,
            source: Source::Brain,
            grounds: Default::default(),
        })
    }

    /// Any legal move.
    fn legal(&mut self, question: &Question) -> Option<u16> {
        let found = (0..64)
            .map(|_| self.rng.below(128) as u16)
            .find(|&index| question.game.is_legal(index));
        let white = Question {
            belt: Belt::White,
            ..*question
        };
        found.or_else(|| thinking::answer(&white, None)?.index())
    }

    fn step(&mut self) {
        let id = self.asked.map_or(0, |(id, _)| id);
        // Also numbers of other questions.
        let id = if self.rng.below(20) == 0 {
            self.rng.below(id.saturating_add(3))
        } else {
            id
        };
        let value = |rng: &mut Rng| match rng.below(8) {
            0 => rng.next_u32() as u16,
            _ => rng.below(1001) as u16,
        };
        match self.rng.below(1000) {
            0..600 => {
                let button = self.any(Button::ALL);
                self.console.handle(Event::Press(Press::Down(button)));
            }
            600..640 => {
                // A finger on the picture, or a thing that is not on it.
                let frame = &mut self.frames[self.rng.below(2) as usize];
                let (x, y) = (self.rng.below(240) as i32, self.rng.below(240) as i32);
                let found = self.console.find(x, y, frame);
                let any = [
                    Target::Row(self.rng.next_u32() as i8),
                    Target::Place(self.rng.next_u32() as u16 >> self.rng.below(16)),
                    Target::Item(self.rng.next_u32() as u8),
                ];
                let target = found.unwrap_or(self.any(any));
                let event = self.any([Event::Point, Event::Tap]);
                self.console.handle(event(target));
            }
            640..665 => {
                let button = self.any([Button::B, Button::B, Button::A, Button::X]);
                self.console.handle(Event::Press(Press::Held(button)));
            }
            665..668 => self.console.handle(Event::Press(Press::Up(Button::X))),
            668..780 => {
                self.now = self.now.wrapping_add(self.rng.below(900));
                self.console.handle(Event::Tick(self.now));
            }
            780..785 => {
                self.now = match self.rng.below(3) {
                    0 => self.rng.next_u32(),
                    1 => self.now.wrapping_sub(self.rng.below(100_000)),
                    _ => self.now.wrapping_add(self.rng.below(4_000_000)),
                };
                self.console.handle(Event::Tick(self.now));
            }
            785..900 => {
                let question = self.console.question(id);
                let answer = self.answer(question);
                self.console.handle(Event::Answer { id, answer });
            }
            900..940 => {
                let thoughts: Vec<Thought> = (0..self.rng.below(120))
                    .map(|index| Thought {
                        index: match self.rng.below(8) {
                            0 => self.rng.next_u32() as u16,
                            _ => index as u16,
                        },
                        value: value(&mut self.rng),
                        visits: value(&mut self.rng) as u8,
                    })
                    .collect();
                let (done, is_progress) = (self.coin(), self.coin());
                let share = value(&mut self.rng);
                self.console.handle(if is_progress {
                    Event::Progress {
                        id,
                        share,
                        thoughts: &thoughts,
                    }
                } else {
                    Event::Mind {
                        id,
                        thoughts: &thoughts,
                        done,
                    }
                });
            }
            940..970 => {
                self.games = match self.rng.below(10) {
                    0 => self.rng.next_u32(),
                    _ => self.games.wrapping_add(self.rng.below(1000)),
                };
                let mut share = || value(&mut self.rng);
                let figures = Figures {
                    games: self.games,
                    sure: share(),
                    wrong: share(),
                    strength: share(),
                    against_random: share(),
                    boards: std::array::from_fn(|_| self.rng.next_u32() as u16),
                    duel: (self.rng.below(4) > 0).then(|| Duel {
                        belt: Belt::ALL[self.rng.below(5) as usize],
                        won: self.rng.next_u32() as u8,
                        passed: self.rng.below(2) == 0,
                    }),
                };
                let done = self.rng.below(20) == 0;
                self.console.handle(Event::Learned {
                    id: self.lesson,
                    figures,
                    done,
                });
            }
            970..976 => {
                let millivolts = self.rng.next_u32() as u16;
                let charging = self.coin();
                self.console.handle(Event::Battery(Battery {
                    millivolts,
                    charging,
                }));
            }
            976..982 => {
                let bank = match self.rng.below(3) {
                    0 => BankTest::Refused,
                    1 => BankTest::Whole(self.rng.next_u32() as u16),
                    _ => BankTest::Damaged(self.rng.next_u32() as u16),
                };
                let saves = self.coin();
                self.console
                    .handle(Event::FlashTested(FlashTest { bank, saves }));
            }
            982..986 => {
                let mut speed = || Speed {
                    count: self.rng.next_u32(),
                    micros: self.rng.next_u32() >> 8,
                };
                let (search, playouts) = (speed(), speed());
                self.console.handle(Event::Measured { search, playouts });
            }
            986..989 => {
                let seed = self.rng.next_u64();
                self.console.handle(Event::Seed(seed));
            }
            989..992 => {
                let text: String = (0..self.rng.below(200))
                    .filter_map(|_| char::from_u32(self.rng.below(0x250)))
                    .collect();
                self.console.handle(Event::Trouble(&text));
            }
            992..997 => self.cut_power(),
            997..999 => self.plant_game(),
            _ => self.damage(),
        }
        self.obey();
        self.check();
    }

    /// What holds after every event: a screen, and results that are never lost.
    fn check(&mut self) {
        let now = results(&self.console);
        // Only the question on the wall forgets them, and leads back to it.
        let is_reset = now == 0 && self.console.screen_name() == "wall";
        assert!(
            now >= self.results || is_reset,
            "{} results became {now}",
            self.results
        );
        assert!(
            now <= self.results + 1,
            "{} results became {now}",
            self.results
        );
        self.results = now;
        self.seen.insert(self.console.screen_name());
        if let Some(session) = self.console.session() {
            self.games_seen.insert(session.game().id().name());
        }
    }

    fn draw(&mut self) {
        for frame in &mut self.frames {
            let mut words = String::new();
            self.console.draw_and_tell(frame, &mut words);
        }
    }

    /// From anywhere, B leads back; in a game B held opens the pause menu, whose last line leads
    /// out.
    fn go_to_menu(&mut self) {
        // The hands and the way up may have been changed.
        let comfort = self.console.settings().comfort;
        let press =
            |console: &mut Console, press| console.handle(Event::Press(on_device(press, comfort)));
        let mut came_from = "";
        for _ in 0..14 {
            let screen = self.console.screen_name();
            match screen {
                "menu" => return,
                // A pupil that is not kept: yes, it may be lost.
                "confirm" if came_from == "lesson" => {
                    press(&mut self.console, Press::Down(Button::Down));
                    press(&mut self.console, Press::Down(Button::A));
                }
                "board" | "handover" | "scoring" => {
                    press(&mut self.console, Press::Held(Button::B));
                    press(&mut self.console, Press::Down(Button::Up));
                    press(&mut self.console, Press::Down(Button::A));
                }
                "button test" => press(&mut self.console, Press::Held(Button::B)),
                _ => press(&mut self.console, Press::Down(Button::B)),
            }
            came_from = screen;
        }
        panic!("no way to the menu from {}", self.console.screen_name());
    }
}

/// The press that means this one on a device that is held this way.
fn on_device(press: Press, comfort: Comfort) -> Press {
    const PLAIN: [Button; 8] = Button::ALL;
    let [up, down, left, right, a, b, x, y] = PLAIN;
    let mirrored = if comfort.left_handed {
        [x, b, y, a, right, down, up, left]
    } else {
        PLAIN
    };
    let turned = if comfort.rotated {
        [down, up, right, left, a, b, x, y]
    } else {
        PLAIN
    };
    let button = |button: Button| turned[mirrored[button as usize] as usize];
    match press {
        Press::Down(pressed) => Press::Down(button(pressed)),
        Press::Held(held) => Press::Held(button(held)),
        Press::Up(released) => Press::Up(button(released)),
    }
}

fn results(console: &Console) -> u32 {
    let statistics = console.statistics();
    GameId::ALL
        .into_iter()
        .flat_map(|id| Belt::ALL.map(|belt| statistics.tally(id, belt)))
        .map(|tally| {
            [tally.won, tally.drawn, tally.lost]
                .map(u32::from)
                .iter()
                .sum::<u32>()
        })
        .sum()
}

/// Plays a round; returns the monkey, or the number of the event that failed.
fn round(seed: u64, events: u64) -> Result<Monkey, u64> {
    let mut event = 0;
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut monkey = Monkey::new(seed);
        while event < events {
            monkey.step();
            if event % 97 == 0 {
                monkey.draw();
            }
            if event % 1009 == 1008 {
                monkey.go_to_menu();
                monkey.obey();
                monkey.results = results(&monkey.console);
            }
            event += 1;
        }
        monkey
    }));
    played.map_err(|_| event)
}

fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}")),
        Err(_) => usual,
    }
}

#[test]
fn overflow_is_checked_here() {
    let add = || std::hint::black_box(u8::MAX) + std::hint::black_box(1);
    assert!(
        catch_unwind(add).is_err(),
        "a monkey without overflow checks misses faults"
    );
}

#[test]
fn a_monkey_breaks_nothing() {
    let events = number("DOJO_MONKEY_EVENTS", 1_000_000);
    let seed = number("DOJO_MONKEY_SEED", SEED);
    let next = AtomicU64::new(0);
    // Screens, games and power cuts of all rounds, and the seeds that failed.
    let total = Mutex::new((BTreeSet::new(), BTreeSet::new(), 0, vec![]));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(left) = events.checked_sub(number * ROUND).filter(|&left| left > 0)
                    else {
                        return;
                    };
                    let seed = seed.wrapping_add(number);
                    let played = round(seed, left.min(ROUND));
                    let mut total = total.lock().unwrap();
                    match played {
                        Ok(monkey) => {
                            total.0.extend(monkey.seen);
                            total.1.extend(monkey.games_seen);
                            total.2 += monkey.power_cuts;
                        }
                        Err(event) => total.3.push((seed, event)),
                    }
                }
            });
        }
    });
    let (screens, games, power_cuts, failed) = total.into_inner().unwrap();
    println!(
        "{events} events from seed {seed} in {:.0?}: {} screens, {} games, {power_cuts} power cuts",
        begun.elapsed(),
        screens.len(),
        games.len(),
    );
    let repeat: Vec<String> = failed
        .iter()
        .map(|(seed, event)| {
            format!(
                "event {event}: cargo xtask monkey --seed {seed} --events {}",
                event + 1
            )
        })
        .collect();
    assert!(failed.is_empty(), "repeat with\n{}", repeat.join("\n"));
    if events >= 1_000_000 {
        assert!(screens.len() >= SCREENS, "{screens:?}");
        assert_eq!(games.len(), GameId::ALL.len(), "{games:?}");
    }
}
