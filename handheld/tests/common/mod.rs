//! A runner for tests: a console whose machine answers at once and whose clock is moved by hand.

use dojo_core::agents::belt::{self, Means};
use dojo_core::bank::Bank;
use dojo_core::memory::Heap;
use dojo_handheld::school::School;
use dojo_handheld::{BrainCard, Button, Command, Console, Event, Frame, Press, Screen, Slot};

pub(crate) struct Runner {
    pub(crate) console: Console,
    pub(crate) now: u32,
    /// The models it plays with; without any, rules stand in.
    pub(crate) bank: &'static [u8],
    pub(crate) school: School,
    /// All commands so far, but for thinking.
    pub(crate) commands: Vec<Command>,
}

impl Runner {
    pub(crate) fn new(seed: u64) -> Runner {
        Runner { console: Console::new(seed), now: 0, bank: &[], school: School::new(&[]), commands: vec![] }
    }

    fn bank(&self) -> Option<Bank<'static>> {
        Bank::new(self.bank).ok()
    }

    pub(crate) fn handle(&mut self, event: Event<'_>) {
        self.console.handle(event);
        if let Event::Tick(_) = event {
            self.school.tick(&mut self.console);
        }
        while let Some(command) = self.console.next_command() {
            match command {
                command if self.school.obey(&command, &mut self.console) => self.commands.push(command),
                Command::Think { id, purpose, .. } => {
                    let Some(question) = self.console.question(id) else { continue };
                    if purpose.wants_mind() {
                        let mut means = Means { memory: &mut Heap::default(), control: &mut () };
                        let thoughts = belt::mind(&question, self.bank().as_ref(), &mut means);
                        self.console.handle(Event::Mind { id, thoughts: &thoughts, done: true });
                    }
                    if purpose.wants_move() {
                        let answer = belt::answer(&question, self.bank().as_ref());
                        self.console.handle(Event::Answer { id, answer });
                    }
                }
                Command::Look { rules, belt } => {
                    let card = self.bank().and_then(|bank| BrainCard::find(rules, belt, &bank));
                    self.console.handle(Event::Card(card));
                }
                other => self.commands.push(other),
            }
        }
    }

    pub(crate) fn press(&mut self, button: Button) {
        self.handle(Event::Press(Press::Down(button)));
    }

    pub(crate) fn wait(&mut self, millis: u32) {
        for _ in 0..millis / 50 {
            self.now += 50;
            self.handle(Event::Tick(self.now));
        }
    }

    /// Words such as `up a x`; `hold` holds B, `wait` lets a second pass, so that the machine moves.
    pub(crate) fn keys(&mut self, script: &str) {
        for word in script.split_whitespace() {
            match word {
                "hold" => self.handle(Event::Press(Press::Held(Button::B))),
                "wait" => self.wait(1000),
                name => self.press(Button::from_name(name).unwrap_or_else(|| panic!("no button {name}"))),
            }
        }
    }

    #[allow(dead_code, reason = "not every test looks")]
    pub(crate) fn picture(&mut self, screen: Screen) -> Frame {
        let mut frame = Frame::new(screen);
        self.console.draw(&mut frame);
        frame
    }

    /// What a restart would find.
    #[allow(dead_code, reason = "not every test restarts")]
    pub(crate) fn kept(&self, slot: Slot) -> Vec<u8> {
        let mut buffer = [0; dojo_handheld::MAX_BYTES];
        self.console.kept(slot, &mut buffer).unwrap().to_vec()
    }
}
