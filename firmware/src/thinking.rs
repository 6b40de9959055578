//! The second core: it serves questions, trains pupils and measures. The first core
//! [helps](crate::helper) with playouts.

#![allow(unsafe_code, reason = "memory that is not cleared")]

use core::cell::{Cell, RefCell, UnsafeCell};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dojo_core::bank::Bank;
use dojo_core::bank::kept::FlashStep;
use dojo_core::games::speed;
use dojo_core::games::thinking::{Question, Thinker};
use dojo_core::memory::{Lent, WORKSPACE_BYTES, Workspace, fitting};
use dojo_core::players::belts::Resources;
use dojo_core::search::{Control, Slot, Wanted};
use dojo_handheld::Order;
use dojo_handheld::thinking::{Reply, Task, Tasks, ThinkJob};
use embassy_executor::Executor;
use embassy_rp::Peri;
use embassy_rp::multicore::spawn_core1;
use embassy_rp::peripherals::CORE1;
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use static_cell::StaticCell;

use crate::helper::FirstCore;
use crate::{learning, stack};

/// The tasks that wait for this core, and the signal that there is one more.
static TASKS: Mutex<CriticalSectionRawMutex, RefCell<Tasks>> =
    Mutex::new(RefCell::new(Tasks::new()));
static NEW_TASK: Signal<CriticalSectionRawMutex, ()> = Signal::new();
/// The last question and its number. Not in the task, which is copied several times: a position
/// takes a kilobyte.
static QUESTION: Mutex<CriticalSectionRawMutex, Cell<Option<(u32, Question)>>> =
    Mutex::new(Cell::new(None));
/// The number of the question whose answer somebody waits for; 0 if nobody does.
static WANTED: AtomicU32 = AtomicU32::new(0);

/// Messages to the first core.
pub(crate) static MESSAGES: Channel<CriticalSectionRawMutex, Message, 2> = Channel::new();

/// A message to the first core.
pub(crate) enum Message {
    /// For the console.
    Reply(Reply),
    /// A step with the flash, to be carried out now.
    Flash(FlashStep),
}

/// The workspace, used by the second core alone. Not cleared at the start, which would take 20 ms
/// at the boot clock.
#[used]
#[unsafe(link_section = ".uninit.workspace")]
static BLOCK: Block = Block(UnsafeCell::new(MaybeUninit::uninit()));

struct Block(UnsafeCell<MaybeUninit<[u64; WORKSPACE_BYTES / 8]>>);

// SAFETY: only the task on the second core may take a reference to the contents.
unsafe impl Sync for Block {}

/// The only owner of the workspace, which it lends for one purpose at a time.
struct Lender(());

impl Workspace for Lender {
    fn lend_two<A: Lent, B: Lent>(&mut self, first: usize, second: usize) -> (&mut [A], &mut [B]) {
        const { assert!(align_of::<A>() <= align_of::<u64>() && align_of::<B>() <= align_of::<u64>()) };
        let (first, second) = fitting::<A, B>(first, second);
        let start = BLOCK.0.get();
        let start_b = (first * size_of::<A>()).next_multiple_of(align_of::<B>());
        // SAFETY: `fitting` counts values that fit one behind the other, both places are aligned,
        // and the only lender is borrowed for as long as the lists live.
        unsafe {
            (
                fresh(start.cast::<A>(), first),
                fresh(start.byte_add(start_b).cast::<B>(), second),
            )
        }
    }
}

/// Writes `count` default values and lends them.
///
/// # Safety
/// The place is aligned, large enough, and nobody else's for the lifetime of the list.
unsafe fn fresh<'a, T: Lent>(start: *mut T, count: usize) -> &'a mut [T] {
    for i in 0..count {
        // SAFETY: the caller has seen to it.
        unsafe { start.add(i).write(T::default()) };
    }
    // SAFETY: as above, and all of them have just been written.
    unsafe { core::slice::from_raw_parts_mut(start, count) }
}

/// Whether the core works, and a heartbeat that counts while it does.
static IS_BUSY: AtomicBool = AtomicBool::new(false);
static BEATS: AtomicU32 = AtomicU32::new(0);

/// Counts a heartbeat, which the first core watches.
fn beat() {
    BEATS.store(
        BEATS.load(Ordering::Relaxed).wrapping_add(1),
        Ordering::Relaxed,
    );
}

/// Runs work that either takes a few milliseconds or [beats](beat) in between.
pub(crate) fn at_work<T>(work: impl FnOnce() -> T) -> T {
    beat();
    IS_BUSY.store(true, Ordering::Relaxed);
    let outcome = work();
    IS_BUSY.store(false, Ordering::Relaxed);
    outcome
}

/// Whether the core waits for a task.
static RESTS: AtomicBool = AtomicBool::new(false);

/// Waits for the next task.
pub(crate) async fn next_task() -> Task {
    RESTS.store(true, Ordering::Relaxed);
    let task = loop {
        match waiting_task() {
            Some(task) => break task,
            None => NEW_TASK.wait().await,
        }
    };
    RESTS.store(false, Ordering::Relaxed);
    task
}

/// The next task, if one waits.
pub(crate) fn waiting_task() -> Option<Task> {
    TASKS.lock(|tasks| tasks.borrow_mut().take())
}

fn no_task_waits() -> bool {
    TASKS.lock(|tasks| tasks.borrow().is_empty())
}

/// Whether the core is idle: no task waits for it, and no message from it.
pub(crate) fn rests() -> bool {
    RESTS.load(Ordering::Relaxed) && no_task_waits() && MESSAGES.is_empty()
}

/// Control of a search: stops it when its answer is not wanted any more, and beats.
struct Beating<'a>(Wanted<'a>);

impl Control for Beating<'_> {
    fn should_stop(&mut self) -> bool {
        beat();
        self.0.should_stop()
    }
}

/// Watches the heartbeat from the first core.
#[derive(Default)]
pub(crate) struct Watch {
    beats: u32,
    /// Looks since the last progress.
    looks: u32,
}

impl Watch {
    /// Number of looks in a row at which the core was neither idle nor further than before. A task
    /// that it does not take counts as work.
    pub(crate) fn look(&mut self) -> u32 {
        let beats = BEATS.load(Ordering::Relaxed);
        let rests = !IS_BUSY.load(Ordering::Relaxed) && no_task_waits();
        let gets_on = core::mem::replace(&mut self.beats, beats) != beats;
        self.looks = if rests || gets_on { 0 } else { self.looks + 1 };
        self.looks
    }
}

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

/// Asks a question; one that is being thought about is given up.
pub(crate) fn ask(job: ThinkJob, question: Question, pupil: bool) {
    WANTED.store(job.id, Ordering::Relaxed);
    QUESTION.lock(|last| last.set(Some((job.id, question))));
    assign(Task::Think { job, pupil });
}

/// The question of this number, unless another one has been asked since.
fn question(id: u32) -> Option<Question> {
    QUESTION
        .lock(Cell::get)
        .filter(|(number, _)| *number == id)
        .map(|(_, question)| question)
}

/// Gives the core a task.
pub(crate) fn assign(task: Task) {
    if !TASKS.lock(|tasks| tasks.borrow_mut().push(task)) {
        defmt::error!("too many tasks");
    }
    NEW_TASK.signal(());
}

/// Nobody waits for an answer any more. Orders to train stay.
pub(crate) fn stop() {
    WANTED.store(0, Ordering::Relaxed);
    TASKS.lock(|tasks| tasks.borrow_mut().stop());
}

#[embassy_executor::task]
async fn think(bank: Option<Bank<'static>>) {
    // This task runs once, on the second core: the only lender there is.
    let mut workspace = Lender(());
    let mut thinker = Thinker::new(bank);
    let mut next = None;
    loop {
        let task = match next.take() {
            Some(task) => task,
            None => next_task().await,
        };
        match task {
            Task::Learn(Order::Begin { id, game, seed }) => {
                next = Some(learning::train(id, game, seed, &mut workspace).await);
            }
            Task::Learn(Order::Discard) => learning::discard().await,
            // There is no pupil.
            Task::Learn(_) => {}
            Task::Think { mut job, pupil } => {
                // The pupil's brain may have been replaced since it was last asked.
                let mut of_pupil = Thinker::new(if pupil { learning::bank() } else { None });
                let thinker = if pupil { &mut of_pupil } else { &mut thinker };
                while let Some(reply) = serve(&mut job, thinker, &mut workspace) {
                    MESSAGES.send(Message::Reply(reply)).await;
                }
            }
            Task::Measure => {
                let reply = measure_speed(&mut workspace);
                MESSAGES.send(Message::Reply(reply)).await;
            }
        }
    }
}

// Functions of their own: what they need on the stack is not part of the task's memory.

#[inline(never)]
fn serve(job: &mut ThinkJob, thinker: &mut Thinker<'_>, memory: &mut Lender) -> Option<Reply> {
    let mut control = Beating(Wanted {
        now: &WANTED,
        own: job.id,
    });
    let mut resources = Resources {
        memory,
        control: &mut control,
        helper: Some(&mut FirstCore),
    };
    let question = question(job.id);
    at_work(|| job.step(question.as_ref(), thinker, &mut resources))
}

#[inline(never)]
fn measure_speed(memory: &mut Lender) -> Reply {
    let clock = || Instant::now().as_micros();
    let search = at_work(|| speed::search(memory.lend::<Slot>(speed::SLOTS), clock));
    let playouts = at_work(|| speed::playouts(clock));
    Reply::Measured { search, playouts }
}
