//! The second core: it thinks, and does nothing else. In Go the first core [helps](crate::helping).

#![allow(unsafe_code, reason = "a stack for the core, and memory that is not cleared")]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;
use core::sync::atomic::{AtomicU32, Ordering};

use dojo_core::agents::belt::{self, Answer, Means, Question, Thoughts};
use dojo_core::bank::Bank;
use dojo_core::bank::kept::Step;
use dojo_core::learn::pupil::Figures;
use dojo_core::memory::{Lent, WORKSPACE_BYTES, Workspace, fitting};
use dojo_core::search::speed::{self, Speed};
use dojo_core::search::{Slot, Wanted};
use dojo_handheld::{Brains, Order, Purpose};
use embassy_executor::Executor;
use embassy_rp::Peri;
use embassy_rp::multicore::{Stack, spawn_core1};
use embassy_rp::peripherals::CORE1;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use static_cell::StaticCell;

use crate::helping::FirstCore;
use crate::{learning, stack};

/// Bytes of the second core's stack: 64 plies of search take 11 KB, and 16 KB have to stay free.
const STACK: usize = 40 * 1024;

/// What to do next; a new task replaces one that was not begun.
pub(crate) static TASK: Signal<CriticalSectionRawMutex, Task> = Signal::new();
/// The number of the question whose answer somebody waits for; 0 if nobody does.
static WANTED: AtomicU32 = AtomicU32::new(0);

/// What came of the tasks.
pub(crate) static RESULTS: Channel<CriticalSectionRawMutex, Result, 2> = Channel::new();

/// What the core can be asked to do.
#[expect(clippy::large_enum_variant, reason = "there is no heap, and only one task waits at a time")]
pub(crate) enum Task {
    /// Think about the question of this number, perhaps as the brain that the player kept.
    Think { id: u32, question: Question, purpose: Purpose, pupil: bool },
    /// Say how fast it is.
    Measure,
    /// Teach.
    Learn(Order),
}

/// What comes back.
pub(crate) enum Result {
    /// The answer to the question of this number; `None` if nobody waits for it any more.
    Answer(u32, Option<Answer>),
    /// What it thinks of the moves of the question of this number.
    Mind(u32, Thoughts),
    /// How far the pupil of this number is, and whether it is done.
    Learned(u32, Figures, bool),
    /// A step with the flash, to be carried out now.
    Flash(Step),
    /// What is kept now.
    Brains(Brains),
    /// How fast it searches and plays games to their end.
    Speed(Speed, Speed),
}

/// Memory that belongs to the thinking core alone. It is not cleared at the start: that would take 20 ms at the speed
/// of the boot clock.
#[used]
#[unsafe(link_section = ".uninit.workspace")]
static BLOCK: Block = Block(UnsafeCell::new(MaybeUninit::uninit()));

struct Block(UnsafeCell<MaybeUninit<[u64; WORKSPACE_BYTES / 8]>>);

// SAFETY: only the task on the second core may take a reference to the contents.
unsafe impl Sync for Block {}

/// The right to use the workspace, for one purpose at a time.
struct Lender(());

impl Workspace for Lender {
    fn lend_two<A: Lent, B: Lent>(&mut self, first: usize, second: usize) -> (&mut [A], &mut [B]) {
        const { assert!(align_of::<A>() <= align_of::<u64>() && align_of::<B>() <= align_of::<u64>()) };
        let (first, second) = fitting::<A, B>(first, second);
        let start = BLOCK.0.get();
        let start_b = (first * size_of::<A>()).next_multiple_of(align_of::<B>());
        // SAFETY: `fitting` counts values that fit one behind the other, both places are aligned, and the only lender is
        // borrowed for as long as the lists live.
        unsafe { (fresh(start.cast::<A>(), first), fresh(start.byte_add(start_b).cast::<B>(), second)) }
    }
}

/// Writes so many values at their default and lends them.
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

#[unsafe(link_section = ".uninit.stack1")]
static mut STACK1: Stack<STACK> = Stack::new();

/// Starts the second core.
pub(crate) fn start(core1: Peri<'static, CORE1>, bank: Option<Bank<'static>>) {
    // SAFETY: nothing else refers to it, and the core can be started only once because its token is consumed.
    let stack = unsafe { &mut *addr_of_mut!(STACK1) };
    stack::paint_core1(&mut stack.mem);
    spawn_core1(core1, stack, move || {
        static EXECUTOR: StaticCell<Executor> = StaticCell::new();
        EXECUTOR.init(Executor::new()).run(|spawner| spawner.spawn(defmt::unwrap!(think(bank).ok())))
    });
}

/// Asks a question; one that is being thought about is given up.
pub(crate) fn ask(id: u32, question: Question, purpose: Purpose, pupil: bool) {
    WANTED.store(id, Ordering::Relaxed);
    TASK.signal(Task::Think { id, question, purpose, pupil });
}

/// Asks how fast the core is.
pub(crate) fn measure() {
    TASK.signal(Task::Measure);
}

/// Gives an order to teach.
pub(crate) fn learn(order: Order) {
    TASK.signal(Task::Learn(order));
}

/// Nobody waits for an answer any more.
pub(crate) fn stop() {
    WANTED.store(0, Ordering::Relaxed);
    TASK.reset();
}

#[embassy_executor::task]
async fn think(bank: Option<Bank<'static>>) {
    // This task runs once, on the second core: the only lender there is.
    let mut workspace = Lender(());
    let mut next = None;
    loop {
        let task = match next.take() {
            Some(task) => task,
            None => TASK.wait().await,
        };
        let result = match task {
            Task::Learn(Order::Begin { id, game, seed }) => {
                next = Some(learning::teach(id, game, seed, &mut workspace).await);
                continue;
            }
            Task::Learn(Order::Discard) => {
                learning::discard().await;
                continue;
            }
            // There is no pupil.
            Task::Learn(_) => continue,
            Task::Think { id, ref question, purpose, pupil } => {
                let bank = if pupil { learning::bank() } else { bank };
                if purpose.wants_mind() {
                    RESULTS.send(Result::Mind(id, mind(id, question, bank.as_ref(), &mut workspace))).await;
                }
                if !purpose.wants_move() {
                    continue;
                }
                answer(id, question, bank.as_ref(), &mut workspace)
            }
            Task::Measure => measure_speed(&mut workspace),
        };
        RESULTS.send(result).await;
    }
}

// Functions of their own, so that the stack holds what one of them needs and not all of it together.

#[inline(never)]
fn mind(id: u32, question: &Question, bank: Option<&Bank<'_>>, memory: &mut Lender) -> Thoughts {
    let mut control = Wanted { now: &WANTED, own: id };
    belt::mind(question, bank, &mut Means { memory, control: &mut control, helper: Some(&mut FirstCore) })
}

#[inline(never)]
fn answer(id: u32, question: &Question, bank: Option<&Bank<'_>>, memory: &mut Lender) -> Result {
    let mut control = Wanted { now: &WANTED, own: id };
    let mut means = Means { memory, control: &mut control, helper: Some(&mut FirstCore) };
    let answer = belt::think(question, bank, &mut means);
    let is_wanted = WANTED.load(Ordering::Relaxed) == id;
    Result::Answer(id, answer.filter(|_| is_wanted))
}

#[inline(never)]
fn measure_speed(memory: &mut Lender) -> Result {
    let clock = || Instant::now().as_micros();
    let search = speed::search(memory.lend::<Slot>(speed::SLOTS), clock);
    let playouts = speed::playouts(clock);
    Result::Speed(search, playouts)
}
