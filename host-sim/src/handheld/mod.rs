//! The handheld on a PC: the console with a clock, a save file and a thinking thread.
//!
//! [`Runner`] carries out the console's commands; [`save`] keeps what it saves in a file;
//! [`picture`] shows its frames in PNG files; [`script`] reads buttons
//! from text.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use dojo_core::bank::Bank;
use dojo_core::games::GameId;
use dojo_core::games::speed;
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::Thinker;
use dojo_core::search::{Slot, Wanted};
use dojo_handheld::thinking::{Live, Reply, ThinkJob};
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{
    Abilities, BankCard, BrainCard, Command, Console, Event, Frame, MAX_BYTES, Press, Screen, Setup,
};

use crate::sound::Tune;
use dojo_lab::failure::{Done, Failure};

pub mod picture;
pub mod save;
pub mod script;

use save::SaveFile;

/// How questions are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// In a thread, so that the handheld stays responsive. For people.
    Aside,
    /// At once, so that the same buttons always give the same pictures. For scripts.
    AtOnce,
}

/// Measures the speed of this PC in a few milliseconds.
fn measure() -> (Speed, Speed) {
    let begun = Instant::now();
    let clock = || begun.elapsed().as_micros() as u64;
    (
        speed::search(&mut vec![Slot::default(); speed::SLOTS], clock),
        speed::playouts(clock),
    )
}

/// A console and the PC around it.
pub struct Runner {
    console: Console,
    frame: Frame,
    bank: &'static [u8],
    /// Keeps the model in use open from move to move.
    thinker: Arc<Mutex<Thinker<'static>>>,
    pace: Pace,
    save: Option<SaveFile>,
    /// What is kept in each slot, also where there is no file.
    kept: [Option<Vec<u8>>; dojo_handheld::Slot::ALL.len()],
    trainer: Trainer,
    answers: (Sender<Reply>, Receiver<Reply>),
    /// The number of the question whose answer is waited for; 0 for none.
    wanted: Arc<AtomicU32>,
    light: u8,
    /// Whether the last write of the save failed; the player was told.
    is_unsaved: bool,
    /// What was to be heard since the last look.
    tune: Option<Tune>,
}

/// Whether a tune is one of those that accompany every press: a bell for it would be a nuisance.
pub fn is_short(tune: &Tune) -> bool {
    tune.millis() < 40
}

impl Runner {
    /// Switches the handheld on: it is told what is in the bank and what was saved.
    pub fn new(
        screen: Screen,
        seed: u64,
        bank: &'static [u8],
        pace: Pace,
        save: Option<SaveFile>,
    ) -> Runner {
        let mut runner = Runner {
            console: Console::new(seed),
            frame: Frame::new(screen),
            bank,
            thinker: Arc::new(Mutex::new(Thinker::new(Bank::new(bank).ok()))),
            pace,
            trainer: Trainer::new(save.as_ref().map_or(&[], SaveFile::brains)),
            kept: dojo_handheld::Slot::ALL.map(|slot| save.as_ref()?.get(slot).map(<[u8]>::to_vec)),
            save,
            answers: channel(),
            wanted: Arc::default(),
            light: 100,
            is_unsaved: false,
            tune: None,
        };
        runner.tell_abilities(false);
        let card = Bank::new(bank).map(|bank| BankCard::from(&bank));
        runner.console.handle(Event::Bank(card));
        for (slot, kept) in dojo_handheld::Slot::at_start().zip(&runner.kept) {
            if let Some(bytes) = kept {
                runner.console.handle(Event::Restore(slot, bytes));
            }
        }
        runner
            .console
            .handle(Event::Brains(runner.trainer.brains()));
        runner.console.handle(Event::Ready);
        runner
    }

    /// Tells the console what this runner can do.
    fn tell_abilities(&mut self, sound: bool) {
        self.console.handle(Event::Abilities(Abilities {
            sound,
            // A script shows every screen at rest.
            motion: self.pace == Pace::Aside,
            ..Abilities::default()
        }));
    }

    /// Tells the console that its tunes are heard.
    pub fn is_heard(&mut self) {
        self.tell_abilities(true);
    }

    /// Handles an event and carries out the commands that follow.
    pub fn handle(&mut self, event: Event<'_>) -> Done {
        self.console.handle(event);
        if let Event::Tick(_) = event {
            self.trainer
                .tick(Bank::new(self.bank).ok().as_ref(), &mut self.console);
        }
        self.obey()
    }

    /// Handles a short press.
    pub fn press(&mut self, press: Press) -> Done {
        self.handle(Event::Press(press))?;
        press
            .end()
            .map_or(Ok(()), |end| self.handle(Event::Press(end)))
    }

    /// Handles the replies of the thinking thread.
    pub fn take_answers(&mut self) -> Done {
        while let Ok(reply) = self.answers.1.try_recv() {
            self.handle(reply.event())?;
        }
        Ok(())
    }

    fn obey(&mut self) -> Done {
        while let Some(command) = self.console.next_command() {
            match command {
                command if self.trainer.obey(&command, &mut self.console) => {
                    if let Some(save) = self.save.as_mut().filter(|_| self.trainer.has_changed()) {
                        let written = save.put_brains(self.trainer.region());
                        self.note(written);
                    }
                }
                Command::Think { id, purpose, .. } => {
                    let Some(question) = self.console.question(id) else {
                        continue;
                    };
                    self.wanted.store(id, Ordering::Relaxed);
                    let (job, thinker) = (ThinkJob::new(id, purpose), self.thinker.clone());
                    let (answers, wanted) = (self.answers.0.clone(), self.wanted.clone());
                    let pace = self.pace;
                    let think = move || {
                        // One question at a time; the previous one has been stopped.
                        let mut thinker = thinker.lock().unwrap_or_else(PoisonError::into_inner);
                        let wanted = Wanted {
                            now: &wanted,
                            own: id,
                        };
                        let begun = Instant::now();
                        // Scripts see no progress, which would depend on the speed of the PC.
                        let now = || match pace {
                            Pace::Aside => begun.elapsed().as_millis() as u32,
                            Pace::AtOnce => 0,
                        };
                        // The receiver is gone once the handheld is.
                        let tell = |reply| drop(answers.send(reply));
                        let mut control = Live::new(id, wanted, now, tell);
                        job.serve(&question, &mut thinker, &mut control, tell);
                    };
                    match self.pace {
                        Pace::Aside => drop(std::thread::spawn(think)),
                        Pace::AtOnce => {
                            think();
                            self.take_answers()?;
                        }
                    }
                }
                Command::FindCard { rules, belt } => {
                    let bank = Bank::new(self.bank).ok();
                    self.console.handle(Event::Card(
                        bank.and_then(|bank| BrainCard::find(rules, belt, &bank)),
                    ));
                }
                Command::FindExercise { game, kind, number } => {
                    let bank = Bank::new(self.bank).ok();
                    let found = Event::exercise(game, kind, number, bank.as_ref());
                    self.console.handle(found);
                }
                Command::Measure => {
                    let (search, playouts) = measure();
                    self.console.handle(Event::Measured { search, playouts });
                }
                Command::Save(slot) => {
                    let mut buffer = [0; MAX_BYTES];
                    if let Some(bytes) = self.console.kept(slot, &mut buffer) {
                        self.kept[slot.index()] = Some(bytes.to_vec());
                        if let Some(save) = &mut self.save {
                            let written = save.put(slot, bytes);
                            self.note(written);
                        }
                    }
                }
                Command::Load(slot) => {
                    let bytes = self.kept[slot.index()].as_deref().unwrap_or_default();
                    self.console.handle(Event::Restore(slot, bytes));
                }
                Command::Light(percent) => self.light = percent,
                Command::Learn(_) => {}
                Command::StopThinking => self.wanted.store(0, Ordering::Relaxed),
                Command::Play { notes, volume } => {
                    let tune = Tune { notes, volume };
                    // A click does not end what has just begun.
                    if !is_short(&tune) || self.tune.is_none() {
                        self.tune = Some(tune);
                    }
                }
                // A terminal has no shifted picture, and stays on.
                Command::Shift(_) | Command::PowerOff => {}
                // The console was told of no such ability.
                Command::TestFlash | Command::BootLoader | Command::FactoryReset => {}
            }
        }
        Ok(())
    }

    /// A save that cannot be written costs the save, not the game: the player is told once, and every
    /// later save writes all of it again.
    fn note(&mut self, written: Done) {
        if let Err(failure) = &written
            && !self.is_unsaved
        {
            // The name of the file is long and known.
            let message = failure.to_string();
            let cause = message.rsplit(": ").next().unwrap_or_default();
            self.console.handle(Event::Trouble(&format!(
                "Cannot save: {cause}. Play on; --no-save starts without a save."
            )));
        }
        self.is_unsaved = written.is_err();
    }

    /// Writes what could not be saved so far.
    pub fn finish(&mut self) -> Done {
        let written = self.save.as_mut().map_or(Ok(()), SaveFile::write);
        written.map_err(|failure| {
            Failure::Usage(format!("the end of the game is not saved: {failure}"))
        })
    }

    /// Changes the display; the game goes on.
    pub fn set_screen(&mut self, screen: Screen) {
        if self.frame.screen() != screen {
            self.frame.set_screen(screen);
            self.console.draw(&mut self.frame);
        }
    }

    /// The picture as it is now.
    pub fn picture(&mut self) -> &Frame {
        self.console.draw(&mut self.frame);
        &self.frame
    }

    /// The picture as it is now, and its words: a line for each thing, `> ` before the chosen one.
    pub fn picture_and_words(&mut self) -> (&Frame, String) {
        let mut words = String::new();
        self.console.draw_and_tell(&mut self.frame, &mut words);
        (&self.frame, words)
    }

    /// Starts a game at once.
    pub fn start(&mut self, setup: Setup) -> Done {
        self.console.start(setup);
        self.obey()
    }

    /// Goes on with the running game of a kind.
    pub fn resume(&mut self, id: GameId) -> Done {
        self.console.resume(id);
        self.obey()
    }

    /// Touches the thing at a pixel of the picture, or takes the finger from it.
    pub fn touch(&mut self, (x, y): (i32, i32), lifted: bool) -> Done {
        let Some(target) = self.console.find(x, y, &mut self.frame) else {
            return Ok(());
        };
        self.handle(if lifted {
            Event::Tap(target)
        } else {
            Event::Point(target)
        })
    }

    /// What was to be heard since the last call.
    pub fn take_tune(&mut self) -> Option<Tune> {
        self.tune.take()
    }

    /// Whether the picture may have changed.
    pub fn needs_draw(&self) -> bool {
        self.console.needs_draw()
    }

    /// Whether the display is dark to save the battery.
    pub fn is_dark(&self) -> bool {
        self.light == 0
    }

    /// The console itself.
    pub fn console(&self) -> &Console {
        &self.console
    }
}
