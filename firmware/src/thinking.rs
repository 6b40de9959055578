//! The second core: it thinks, and does nothing else.

#![allow(unsafe_code, reason = "a stack for the core, and memory that is not cleared")]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::addr_of_mut;
use core::sync::atomic::{AtomicU32, Ordering};

use dojo_core::agents::belt::{self, Answer, Question};
use dojo_core::bank::Bank;
use embassy_executor::Executor;
use embassy_rp::Peri;
use embassy_rp::multicore::{Stack, spawn_core1};
use embassy_rp::peripherals::CORE1;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use static_cell::StaticCell;

use crate::stack;

/// Bytes of the second core's stack.
const STACK: usize = 24 * 1024;

/// Bytes for search tables, playout trees or a learner, never two at once.
const WORKSPACE_BYTES: usize = 128 * 1024;

static QUESTION: Signal<CriticalSectionRawMutex, (u32, Question)> = Signal::new();
/// The number of the question whose answer somebody waits for; 0 if nobody does.
static WANTED: AtomicU32 = AtomicU32::new(0);

/// What came of the questions, by their numbers.
pub(crate) static ANSWERS: Channel<CriticalSectionRawMutex, (u32, Option<Answer>), 2> = Channel::new();

/// Memory that belongs to the thinking core alone. It is not cleared at the start: that would take 20 ms at the speed
/// of the boot clock.
#[used]
#[unsafe(link_section = ".uninit.workspace")]
static WORKSPACE: Workspace = Workspace(UnsafeCell::new(MaybeUninit::uninit()));

#[expect(dead_code, reason = "the games so far need no memory to think")]
struct Workspace(UnsafeCell<MaybeUninit<[u32; WORKSPACE_BYTES / 4]>>);

// SAFETY: only the task on the second core may take a reference to the contents.
unsafe impl Sync for Workspace {}

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
pub(crate) fn ask(id: u32, question: Question) {
    WANTED.store(id, Ordering::Relaxed);
    QUESTION.signal((id, question));
}

/// Nobody waits for an answer any more.
pub(crate) fn stop() {
    WANTED.store(0, Ordering::Relaxed);
    QUESTION.reset();
}

#[embassy_executor::task]
async fn think(bank: Option<Bank<'static>>) {
    loop {
        let (id, question) = QUESTION.wait().await;
        let answer = belt::think(&question, bank.as_ref());
        let is_wanted = WANTED.load(Ordering::Relaxed) == id;
        ANSWERS.send((id, answer.filter(|_| is_wanted))).await;
    }
}
