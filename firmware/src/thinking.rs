//! The second core: it serves questions, trains pupils and measures. The first core helps with
//! playouts.

#![allow(unsafe_code, reason = "memory that is not cleared")]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use dojo_core::bank::Bank;
use dojo_core::games::speed;
use dojo_core::games::thinking::Thinker;
use dojo_core::memory::Workspace;
use dojo_core::players::belts::Resources;
use dojo_core::search::Slot;
use dojo_cores::{Block, Carver, Exchange, Offers};
use dojo_handheld::Order;
use dojo_handheld::thinking::{Reply, Task, ThinkJob};
use embassy_executor::Executor;
use embassy_rp::Peri;
use embassy_rp::multicore::spawn_core1;
use embassy_rp::peripherals::CORE1;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_time::Instant;
use static_cell::StaticCell;

use crate::{learning, stack};

/// What the cores exchange.
pub(crate) static EXCHANGE: Exchange<CriticalSectionRawMutex> = Exchange::new();
/// Jobs with which the first core helps.
pub(crate) static OFFERS: Offers<CriticalSectionRawMutex> = Offers::new();

/// The workspace, used by the second core alone. Not cleared at the start, which would take 20 ms
/// at the boot clock.
#[used]
#[unsafe(link_section = ".uninit.workspace")]
static BLOCK: Memory = Memory(UnsafeCell::new([MaybeUninit::uninit(); _]));

struct Memory(UnsafeCell<Block>);

// SAFETY: only the task on the second core takes a reference to the contents.
unsafe impl Sync for Memory {}

/// Starts the second core.
pub(crate) fn start(core1: Peri<'static, CORE1>, bank: Option<Bank<'static>>) {
    // Runs once: `CORE1` is consumed.
    spawn_core1(core1, stack::take_core1(), move || {
        stack::guard(1);
        static EXECUTOR: StaticCell<Executor> = StaticCell::new();
        EXECUTOR
            .init(Executor::new())
            .run(|spawner| spawner.spawn(defmt::unwrap!(think(bank).ok())))
    });
}

#[embassy_executor::task]
async fn think(bank: Option<Bank<'static>>) {
    // SAFETY: this task runs once, and nobody else uses the block.
    let mut workspace = Carver(unsafe { &mut *BLOCK.0.get() });
    let mut thinker = Thinker::new(bank);
    let mut next = None;
    loop {
        let task = match next.take() {
            Some(task) => task,
            None => EXCHANGE.next_task().await,
        };
        match task {
            Task::Learn(Order::Begin { id, game, seed }) => {
                next = Some(learning::train(id, game, seed, bank.as_ref(), &mut workspace).await);
            }
            Task::Learn(Order::Discard) => learning::discard().await,
            // There is no pupil.
            Task::Learn(_) => {}
            Task::Think { mut job, pupil } => {
                // The pupil's brain may have been replaced since it was last asked.
                let mut of_pupil = Thinker::new(if pupil { learning::bank() } else { None });
                let thinker = if pupil { &mut of_pupil } else { &mut thinker };
                while let Some(reply) = serve(&mut job, thinker, &mut workspace) {
                    EXCHANGE.reply(reply).await;
                }
            }
            Task::Measure => {
                let reply = measure_speed(&mut workspace);
                EXCHANGE.reply(reply).await;
            }
        }
    }
}

// Functions of their own: what they need on the stack is not part of the task's memory.

#[inline(never)]
fn serve(job: &mut ThinkJob, thinker: &mut Thinker<'_>, memory: &mut Carver<'_>) -> Option<Reply> {
    let now = || Instant::now().as_millis() as u32;
    let mut control = EXCHANGE.control(job.id, now);
    let mut resources = Resources {
        memory,
        control: &mut control,
        helper: Some(&mut &OFFERS),
    };
    let question = EXCHANGE.question(job.id);
    EXCHANGE.at_work(|| job.step(question.as_ref(), thinker, &mut resources))
}

#[inline(never)]
fn measure_speed(memory: &mut Carver<'_>) -> Reply {
    let clock = || Instant::now().as_micros();
    let search = EXCHANGE.at_work(|| speed::search(memory.lend::<Slot>(speed::SLOTS), clock));
    let playouts = EXCHANGE.at_work(|| speed::playouts(clock));
    Reply::Measured { search, playouts }
}
