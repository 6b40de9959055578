//! Trains pupils on the second core, and keeps their brains in the USER region of the flash.
//!
//! Only this core decides what is written to USER, and it waits for every step, so it never reads a
//! slot that is being written. The first core owns the flash driver and carries out the steps
//! between two pictures.

#![allow(unsafe_code, reason = "kept brains are read where they lie in flash")]

use dojo_core::bank::Bank;
use dojo_core::bank::kept::{Keeping, Kept, SLOT};
use dojo_core::games::GameId;
use dojo_core::games::dots::learner::LEAVE_VALUES;
use dojo_core::games::pupil::{Ladder, Pupil};
use dojo_core::memory::Workspace;
use dojo_handheld::thinking::{Reply, Task};
use dojo_handheld::{Brains, Order, Tempo};
use embassy_time::{Duration, Instant, Timer};

use crate::thinking::EXCHANGE;

/// Games between two checks of the clock and of new orders: a few milliseconds.
const SLICE: u32 = 16;
/// Time between two reports; longer if computing the figures would take more than a sixth of the
/// time.
const REPORT: Duration = Duration::from_millis(200);
const REPORT_SHARE: u32 = 5;

/// A slot of the USER region, whatever is in it.
fn slot(number: usize) -> &'static [u8] {
    unsafe extern "C" {
        static _user_start: u8;
    }
    // SAFETY: `memory.x` puts two slots there. Slots change only by steps that this core waits for
    // while it holds no reference to the slot in question; at the start, when nobody does, the
    // first core looks at them too, and erases them for a factory reset.
    unsafe { core::slice::from_raw_parts((&raw const _user_start).add(number % 2 * SLOT), SLOT) }
}

/// The kept brains, as they lie in flash.
fn kept() -> Option<Kept<'static>> {
    Kept::newest([slot(0), slot(1)])
}

/// The brains that are kept, for the console.
pub(crate) fn brains() -> Brains {
    Brains::from(kept().as_ref())
}

/// The kept brains as a bank.
pub(crate) fn bank() -> Option<Bank<'static>> {
    kept().map(|kept| kept.bank)
}

/// Time between two looks for new orders while a slow pupil rests.
const LOOK: Duration = Duration::from_millis(5);

/// Trains a pupil until another task comes, and returns that task. In between it meets the belts of
/// the bank.
pub(crate) async fn train(
    id: u32,
    game: GameId,
    seed: u64,
    bank: Option<&Bank<'_>>,
    workspace: &mut impl Workspace,
) -> Task {
    let Some(mut pupil) = Pupil::new(game, workspace.lend(LEAVE_VALUES), seed) else {
        return EXCHANGE.next_task().await;
    };
    defmt::debug!("learn {=u8} seed {=u64}", game as u8, seed);
    let (mut learns, mut tempo) = (true, Tempo::FULL);
    let mut teacher = Teacher {
        id,
        ladder: Ladder::default(),
        bank,
    };
    let mut due = teacher.report(&pupil).await;
    let mut turn = Instant::now();
    loop {
        match if learns {
            EXCHANGE.waiting_task()
        } else {
            Some(EXCHANGE.next_task().await)
        } {
            None => {}
            Some(Task::Learn(Order::Stop)) => {
                learns = false;
                teacher.report(&pupil).await;
            }
            Some(Task::Learn(Order::GoOn)) => learns = true,
            Some(Task::Learn(Order::Tempo(wanted))) => (tempo, turn) = (wanted, Instant::now()),
            Some(Task::Learn(Order::Keep)) => {
                learns = false;
                teacher.report(&pupil).await;
                keep(&pupil, seed).await;
            }
            Some(other) => return other,
        }
        if learns && Instant::now() < turn {
            Timer::at(turn.min(Instant::now() + LOOK)).await;
        } else if learns {
            EXCHANGE.at_work(|| pupil.step(tempo.games().unwrap_or(SLICE)));
            learns = !pupil.is_done();
            if tempo.games().is_some() {
                turn = Instant::now() + Duration::from_millis(Tempo::MILLIS.into());
            }
            if Instant::now() >= due || !learns {
                due = teacher.report(&pupil).await;
            }
        }
    }
}

/// Reports on a pupil.
struct Teacher<'b> {
    id: u32,
    ladder: Ladder,
    bank: Option<&'b Bank<'b>>,
}

impl Teacher<'_> {
    /// Reports the pupil's figures. Returns when the next report is due.
    async fn report(&mut self, pupil: &Pupil<'_>) -> Instant {
        let start = Instant::now();
        let figures = EXCHANGE.at_work(|| self.ladder.figures(pupil, self.bank));
        let cost = start.elapsed();
        let (id, done) = (self.id, pupil.is_done());
        EXCHANGE.reply(Reply::Learned { id, figures, done }).await;
        Instant::now() + REPORT.max(cost * REPORT_SHARE)
    }
}

async fn keep(pupil: &Pupil<'_>, seed: u64) {
    let old = kept();
    if let Some(keeping) = Keeping::new(old.as_ref(), pupil.brain(seed)) {
        let mut number = 0;
        while let Some(step) = keeping.step(number) {
            EXCHANGE.carry_out(step).await;
            number += 1;
        }
    }
    EXCHANGE.reply(Reply::Brains(brains())).await;
}

/// Discards the brain that was kept last.
pub(crate) async fn discard() {
    if let Some(step) = kept().map(|kept| kept.discard()) {
        EXCHANGE.carry_out(step).await;
    }
    EXCHANGE.reply(Reply::Brains(brains())).await;
}
