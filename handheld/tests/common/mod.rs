//! A runner for tests: a console whose machine answers at once and whose clock is moved by hand.

use std::cmp::Ordering;

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::games::go::Point;
use dojo_core::games::thinking;
use dojo_core::games::thinking::Question;
use dojo_core::players::belts::Thoughts;
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{BrainCard, Button, Command, Console, Event, Frame, Press, Screen, Slot};

pub(crate) struct Runner {
    pub(crate) console: Console,
    pub(crate) now: u32,
    /// The models it plays with; without any, rules stand in.
    pub(crate) bank: &'static [u8],
    /// Who answers for every belt, if not itself.
    pub(crate) deputy: Option<Belt>,
    /// Whether its machine ever answers.
    pub(crate) thinks: bool,
    pub(crate) trainer: Trainer,
    /// What stands in for the thoughts of its machine.
    pub(crate) thoughts: Option<fn(&Question) -> Thoughts>,
    /// All commands so far, but for thinking.
    pub(crate) commands: Vec<Command>,
    /// What was stored in each slot.
    stored: [Vec<u8>; Slot::ALL.len()],
}

impl Runner {
    pub(crate) fn new(seed: u64) -> Runner {
        let (bank, trainer) = (&[][..], Trainer::new(&[]));
        Runner {
            console: Console::new(seed),
            now: 0,
            bank,
            trainer,
            deputy: None,
            thinks: true,
            thoughts: None,
            commands: vec![],
            stored: Default::default(),
        }
    }

    fn bank(&self) -> Option<Bank<'static>> {
        Bank::new(self.bank).ok()
    }

    pub(crate) fn handle(&mut self, event: Event<'_>) {
        self.console.handle(event);
        if let Event::Tick(_) = event {
            let bank = self.bank();
            self.trainer.tick(bank.as_ref(), &mut self.console);
        }
        while let Some(command) = self.console.next_command() {
            match command {
                command if self.trainer.obey(&command, &mut self.console) => {
                    self.commands.push(command)
                }
                Command::Think { .. } if !self.thinks => {}
                Command::Think { id, purpose, .. } => {
                    let Some(question) = self.console.question(id) else {
                        continue;
                    };
                    let question = Question {
                        belt: self.deputy.unwrap_or(question.belt),
                        ..question
                    };
                    if purpose.wants_mind() {
                        let thoughts = match self.thoughts {
                            Some(thoughts) => thoughts(&question),
                            None => thinking::mind(&question, self.bank().as_ref()),
                        };
                        self.console.handle(Event::Mind {
                            id,
                            thoughts: &thoughts,
                            done: true,
                        });
                    }
                    if purpose.wants_move() {
                        let answer = thinking::answer(&question, self.bank().as_ref());
                        self.console.handle(Event::Answer { id, answer });
                    }
                }
                Command::FindCard { rules, belt } => {
                    let card = self
                        .bank()
                        .and_then(|bank| BrainCard::find(rules, belt, &bank));
                    self.console.handle(Event::Card(card));
                }
                Command::Save(slot) => {
                    if let Some(bytes) = self.bytes(slot) {
                        self.stored[slot.index()] = bytes;
                    }
                    self.commands.push(command);
                }
                Command::Load(slot) => {
                    let bytes = &self.stored[slot.index()];
                    self.console.handle(Event::Restore(slot, bytes));
                }
                Command::FindExercise { game, kind, number } => {
                    let bank = self.bank();
                    let found = Event::exercise(game, kind, number, bank.as_ref());
                    self.console.handle(found);
                }
                other => self.commands.push(other),
            }
        }
    }

    pub(crate) fn press(&mut self, button: Button) {
        self.handle(Event::Press(Press::Down(button)));
        if button == Button::X {
            self.handle(Event::Press(Press::Up(button)));
        }
    }

    pub(crate) fn wait(&mut self, millis: u32) {
        for _ in 0..millis / 50 {
            self.now += 50;
            self.handle(Event::Tick(self.now));
        }
    }

    /// Words such as `up a x`; `hold` holds B, `wait` lets a second pass, so that the machine
    /// moves. On a board of Go, `E5` goes to that point and presses A there, and `pass` does so on
    /// that field.
    pub(crate) fn keys(&mut self, script: &str) {
        for word in script.split_whitespace() {
            match word {
                "hold" => self.handle(Event::Press(Press::Held(Button::B))),
                "wait" => self.wait(1000),
                // Plays what A plays until the game is over.
                "end" => {
                    while self.console.screen_name() != "result" {
                        self.keys("a wait");
                    }
                }
                "pass" => {
                    while !self.told().contains("> Pass\n") {
                        self.press(Button::Right);
                    }
                    self.press(Button::A);
                }
                // Down to the row that begins with this label, with _ for blanks.
                name if let Some(label) = name.strip_prefix("to:") => {
                    let row = format!("> {}", label.replace('_', " "));
                    let is_there = |runner: &mut Runner| {
                        let told = runner.told();
                        told.lines().any(|line| line.starts_with(&row))
                    };
                    for _ in 0..20 {
                        if is_there(self) {
                            break;
                        }
                        self.press(Button::Down);
                    }
                    assert!(is_there(self), "no row {label}:\n{}", self.told());
                }
                name if let Some(point) = Point::parse(name) => {
                    self.go_to(point);
                    self.press(Button::A);
                }
                name => self
                    .press(Button::from_name(name).unwrap_or_else(|| panic!("no button {name}"))),
            }
        }
    }

    /// What is heard of the screen.
    pub(crate) fn told(&mut self) -> String {
        let mut words = String::new();
        self.console
            .draw_and_tell(&mut Frame::new(Screen::Lcd), &mut words);
        words
    }

    /// Moves the cursor to a point of a board of Go, from a point or from beside the board.
    fn go_to(&mut self, point: Point) {
        for _ in 0..20 {
            let told = self.told();
            let cursor = told
                .lines()
                .find_map(|line| Point::parse(line.strip_prefix("Cursor on ")?.split(',').next()?));
            let Some(cursor) = cursor else {
                self.press(Button::Left);
                continue;
            };
            match (
                cursor.col().cmp(&point.col()),
                cursor.row().cmp(&point.row()),
            ) {
                (Ordering::Less, _) => self.press(Button::Right),
                (Ordering::Greater, _) => self.press(Button::Left),
                (_, Ordering::Less) => self.press(Button::Up),
                (_, Ordering::Greater) => self.press(Button::Down),
                _ => return,
            }
        }
        panic!("no way to {point} on {}", self.console.screen_name());
    }

    #[allow(dead_code, reason = "not every test looks")]
    pub(crate) fn picture(&mut self, screen: Screen) -> Frame {
        let mut frame = Frame::new(screen);
        self.console.draw(&mut frame);
        frame
    }

    /// Tells what storage has in a slot at the start.
    #[allow(dead_code, reason = "not every test restarts")]
    pub(crate) fn store(&mut self, slot: Slot, bytes: Vec<u8>) {
        self.console.handle(Event::Restore(slot, &bytes));
        self.stored[slot.index()] = bytes;
    }

    /// Storage has lost a slot.
    #[allow(dead_code, reason = "not every test loses anything")]
    pub(crate) fn damage(&mut self, slot: Slot) {
        self.stored[slot.index()] = vec![];
    }

    fn bytes(&self, slot: Slot) -> Option<Vec<u8>> {
        let mut buffer = [0; dojo_handheld::MAX_BYTES];
        self.console.kept(slot, &mut buffer).map(<[u8]>::to_vec)
    }

    /// What a restart would find: what the console has, else what was stored.
    #[allow(dead_code, reason = "not every test restarts")]
    pub(crate) fn kept(&self, slot: Slot) -> Vec<u8> {
        let stored = || self.stored[slot.index()].clone();
        self.bytes(slot).unwrap_or_else(stored)
    }
}
