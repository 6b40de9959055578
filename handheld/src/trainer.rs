//! Trains pupils on a PC and in a browser: some games with every tick of the console's clock, so
//! that the same ticks give the same pictures. It is here because both runners share it; it needs a
//! heap. The device trains on its second core (`firmware/src/learning.rs`).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use dojo_core::bank::Bank;
use dojo_core::bank::kept::{Keeping, Kept, REGION};
use dojo_core::games::dots::learner::LEAVE_VALUES;
use dojo_core::games::pupil::{DotsPupil, Ladder, Pupil, SticksPupil};
use dojo_core::games::thinking::Thinker;
use dojo_core::learn::Progress;

use crate::Console;
use crate::event::{Brains, Command, Event, Order, Tempo};
use crate::thinking::ThinkJob;

/// Games a tick at full speed: about that of the device.
const FULL: u32 = 400;

/// A pupil between two ticks; the table of dots lies in the trainer's memory.
enum Knowledge {
    Sticks(Box<SticksPupil>),
    Dots(Progress),
}

struct Training {
    id: u32,
    seed: u64,
    runs: bool,
    tempo: Tempo,
    ladder: Ladder,
    knowledge: Knowledge,
}

/// The pupil in training, and the brains that were kept.
pub struct Trainer {
    region: Vec<u8>,
    table: Vec<u16>,
    training: Option<Training>,
    changed: bool,
}

impl Trainer {
    /// A trainer with kept brains: the bytes of [`Trainer::region`]; other bytes stand for none.
    pub fn new(region: &[u8]) -> Trainer {
        let whole = region.len() == REGION;
        Trainer {
            region: if whole {
                region.to_vec()
            } else {
                vec![0xFF; REGION]
            },
            table: vec![],
            training: None,
            changed: false,
        }
    }

    /// The kept brains in the layout of the device's flash.
    pub fn region(&self) -> &[u8] {
        &self.region
    }

    /// Whether [`Trainer::region`] has changed since this was last asked.
    pub fn has_changed(&mut self) -> bool {
        core::mem::take(&mut self.changed)
    }

    /// The brains that are kept.
    pub fn brains(&self) -> Brains {
        Brains::from(Kept::in_region(&self.region).as_ref())
    }

    /// The kept brains as a bank.
    pub fn bank(&self) -> Option<Bank<'_>> {
        Kept::in_region(&self.region).map(|kept| kept.bank)
    }

    /// Carries out a command about pupils. Returns whether it was one.
    pub fn obey(&mut self, command: &Command, console: &mut Console) -> bool {
        match command {
            Command::Learn(order) => self.order(*order, console),
            Command::Think {
                id,
                purpose,
                pupil: true,
            } => {
                let Some(question) = console.question(*id) else {
                    return true;
                };
                let mut thinker = Thinker::new(self.bank());
                ThinkJob::new(*id, *purpose).serve(&question, &mut thinker, &mut (), |reply| {
                    console.handle(reply.event())
                });
            }
            _ => return false,
        }
        true
    }

    /// Trains the pupil for one tick. In between it meets the belts of the bank.
    pub fn tick(&mut self, bank: Option<&Bank<'_>>, console: &mut Console) {
        let Some(Training {
            id,
            runs: true,
            tempo,
            mut ladder,
            ..
        }) = self.training
        else {
            return;
        };
        let learned = self.with_pupil(|pupil, _| {
            pupil.step(tempo.games().unwrap_or(FULL));
            (ladder.figures(pupil, bank), pupil.is_done())
        });
        if let Some((figures, done)) = learned {
            if let Some(training) = &mut self.training {
                training.runs &= !done;
                training.ladder = ladder;
            }
            console.handle(Event::Learned { id, figures, done });
        }
    }

    fn order(&mut self, order: Order, console: &mut Console) {
        match order {
            Order::Begin { id, game, seed } => {
                self.table.resize(LEAVE_VALUES, 0);
                let knowledge = match Pupil::new(game, &mut self.table, seed) {
                    Some(Pupil::Sticks(pupil)) => Knowledge::Sticks(Box::new(pupil)),
                    Some(Pupil::Dots(pupil)) => Knowledge::Dots(pupil.progress().clone()),
                    None => return,
                };
                self.training = Some(Training {
                    id,
                    seed,
                    runs: true,
                    tempo: Tempo::FULL,
                    ladder: Ladder::default(),
                    knowledge,
                });
                // The first point of the curve.
                let figures = |pupil: &mut Pupil<'_>| Ladder::default().figures(pupil, None);
                if let Some(figures) = self.with_pupil(|pupil, _| figures(pupil)) {
                    console.handle(Event::Learned {
                        id,
                        figures,
                        done: false,
                    });
                }
            }
            Order::Stop | Order::GoOn => {
                if let Some(training) = &mut self.training {
                    training.runs = order == Order::GoOn;
                }
            }
            Order::Tempo(tempo) => {
                if let Some(training) = &mut self.training {
                    training.tempo = tempo;
                }
            }
            Order::Keep => {
                let before = self.region.clone();
                let after = self.with_pupil(|pupil, seed| {
                    let mut region = before.clone();
                    let keeping =
                        Keeping::new(Kept::in_region(&before).as_ref(), pupil.brain(seed))?;
                    (0..)
                        .map_while(|number| keeping.step(number))
                        .for_each(|step| step.carry_out(&mut region));
                    Some(region)
                });
                self.become_region(after.flatten(), console);
            }
            Order::Discard => {
                let step = Kept::in_region(&self.region).map(|kept| kept.discard());
                let mut region = self.region.clone();
                step.into_iter()
                    .for_each(|step| step.carry_out(&mut region));
                self.become_region(Some(region), console);
            }
            Order::End => self.training = None,
        }
    }

    fn become_region(&mut self, region: Option<Vec<u8>>, console: &mut Console) {
        if let Some(region) = region {
            self.region = region;
            self.changed = true;
        }
        console.handle(Event::Brains(self.brains()));
    }

    /// Runs a function with the pupil and its seed.
    fn with_pupil<T>(&mut self, run: impl FnOnce(&mut Pupil<'_>, u64) -> T) -> Option<T> {
        let training = self.training.as_mut()?;
        match &mut training.knowledge {
            Knowledge::Sticks(kept) => {
                let mut pupil = Pupil::Sticks((**kept).clone());
                let result = run(&mut pupil, training.seed);
                if let Pupil::Sticks(pupil) = pupil {
                    **kept = pupil;
                }
                Some(result)
            }
            Knowledge::Dots(progress) => {
                let table = self.table.first_chunk_mut()?;
                let mut pupil = Pupil::Dots(DotsPupil::resume(table, progress.clone()));
                let result = run(&mut pupil, training.seed);
                if let Pupil::Dots(pupil) = &pupil {
                    *progress = pupil.progress().clone();
                }
                Some(result)
            }
        }
    }
}
