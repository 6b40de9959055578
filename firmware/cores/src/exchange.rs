//! Questions and orders to the thinking core, and its messages.

use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dojo_core::bank::kept::FlashStep;
use dojo_core::games::thinking::Question;
use dojo_core::search::{Control, Wanted};
use dojo_handheld::thinking::{Live, Reply, Task, Tasks, ThinkJob};
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use heapless::Vec;

/// A message to the first core.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is no heap, and few messages at a time"
)]
pub enum Message {
    /// For the console.
    Reply(Reply),
    /// A step with the flash, to be carried out now and [confirmed](Exchange::carried_out).
    Flash(FlashStep),
}

/// Everything that passes between the first core, which shows and asks, and the thinking core.
pub struct Exchange<M: RawMutex> {
    /// The tasks that wait for the thinking core, and the signal that there is one more.
    tasks: Mutex<M, RefCell<Tasks>>,
    new_task: Signal<M, ()>,
    /// The last question and its number. Not in the task, which is copied several times: a position
    /// takes a kilobyte. A list and not an `Option`, whose `None` is not all zeros: memory that is
    /// cleared at the start costs no copy from flash.
    question: Mutex<M, RefCell<Vec<(u32, Question), 1>>>,
    /// The number of the question whose answer somebody waits for; 0 if nobody does.
    wanted: AtomicU32,
    messages: Channel<M, Message, 2>,
    carried_out: Signal<M, ()>,
    /// Whether the thinking core works, and a heartbeat that counts while it does.
    is_busy: AtomicBool,
    beats: AtomicU32,
    /// Whether it waits for a task.
    rests: AtomicBool,
}

impl<M: RawMutex> core::fmt::Debug for Exchange<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Exchange").finish_non_exhaustive()
    }
}

impl<M: RawMutex> Exchange<M> {
    /// Nothing is asked.
    #[allow(clippy::new_without_default, reason = "made once, in a static")]
    pub const fn new() -> Exchange<M> {
        Exchange {
            tasks: Mutex::new(RefCell::new(Tasks::new())),
            new_task: Signal::new(),
            question: Mutex::new(RefCell::new(Vec::new())),
            wanted: AtomicU32::new(0),
            messages: Channel::new(),
            carried_out: Signal::new(),
            is_busy: AtomicBool::new(false),
            beats: AtomicU32::new(0),
            rests: AtomicBool::new(false),
        }
    }

    // The first core.

    /// Asks a question; one that is being thought about is given up. Returns whether there was room.
    pub fn ask(&self, job: ThinkJob, question: Question, pupil: bool) -> bool {
        self.wanted.store(job.id, Ordering::Relaxed);
        self.question.lock(|last| {
            let mut last = last.borrow_mut();
            last.clear();
            // There is room: the list is empty.
            let _ = last.push((job.id, question));
        });
        self.assign(Task::Think { job, pupil })
    }

    /// Gives the thinking core a task. Returns whether there was room.
    pub fn assign(&self, task: Task) -> bool {
        let has_room = self.tasks.lock(|tasks| tasks.borrow_mut().push(task));
        self.new_task.signal(());
        has_room
    }

    /// Nobody waits for an answer any more. Orders to train stay.
    pub fn stop(&self) {
        self.wanted.store(0, Ordering::Relaxed);
        self.tasks.lock(|tasks| tasks.borrow_mut().stop());
    }

    /// The next message of the thinking core.
    pub async fn message(&self) -> Message {
        self.messages.receive().await
    }

    /// Confirms the last step with the flash.
    pub fn carried_out(&self) {
        self.carried_out.signal(());
    }

    /// Whether the thinking core is idle: no task waits for it, and no message from it.
    pub fn rests(&self) -> bool {
        self.rests.load(Ordering::Relaxed) && self.no_task_waits() && self.messages.is_empty()
    }

    // The thinking core.

    /// Waits for the next task.
    pub async fn next_task(&self) -> Task {
        self.rests.store(true, Ordering::Relaxed);
        let task = loop {
            match self.waiting_task() {
                Some(task) => break task,
                None => self.new_task.wait().await,
            }
        };
        self.rests.store(false, Ordering::Relaxed);
        task
    }

    /// The next task, if one waits.
    pub fn waiting_task(&self) -> Option<Task> {
        self.tasks.lock(|tasks| tasks.borrow_mut().take())
    }

    fn no_task_waits(&self) -> bool {
        self.tasks.lock(|tasks| tasks.borrow().is_empty())
    }

    /// The question of this number, unless another one has been asked since.
    pub fn question(&self, id: u32) -> Option<Question> {
        self.question.lock(|last| {
            let last = last.borrow();
            last.iter()
                .find(|(number, _)| *number == id)
                .map(|(_, question)| *question)
        })
    }

    /// Control of the search for this question: stops it when its answer is not wanted any more,
    /// beats, and tells its progress. `now` reads a clock in milliseconds.
    pub fn control<'a>(&'a self, id: u32, now: impl FnMut() -> u32 + 'a) -> impl Control {
        let beating = Beating {
            exchange: self,
            wanted: Wanted {
                now: &self.wanted,
                own: id,
            },
        };
        // Progress that nobody takes in time is dropped: it never delays the search or its answer.
        let send = |reply| {
            if self.messages.is_empty() {
                let _ = self.messages.try_send(Message::Reply(reply));
            }
        };
        Live::new(id, beating, now, send)
    }

    /// Sends a reply.
    pub async fn reply(&self, reply: Reply) {
        self.messages.send(Message::Reply(reply)).await;
    }

    /// Has the first core carry out a step with the flash, and waits until it has.
    pub async fn carry_out(&self, step: FlashStep) {
        self.carried_out.reset();
        self.messages.send(Message::Flash(step)).await;
        self.carried_out.wait().await;
    }

    /// Counts a heartbeat, which the first core watches.
    fn beat(&self) {
        self.beats.store(
            self.beats.load(Ordering::Relaxed).wrapping_add(1),
            Ordering::Relaxed,
        );
    }

    /// Runs work that either takes a few milliseconds or beats in between.
    pub fn at_work<T>(&self, work: impl FnOnce() -> T) -> T {
        self.beat();
        self.is_busy.store(true, Ordering::Relaxed);
        let outcome = work();
        self.is_busy.store(false, Ordering::Relaxed);
        outcome
    }
}

struct Beating<'a, M: RawMutex> {
    exchange: &'a Exchange<M>,
    wanted: Wanted<'a>,
}

impl<M: RawMutex> Control for Beating<'_, M> {
    fn should_stop(&mut self) -> bool {
        self.exchange.beat();
        self.wanted.should_stop()
    }
}

/// Watches the heartbeat of the thinking core from the first core.
#[derive(Debug, Default)]
pub struct Watch {
    beats: u32,
    /// Looks since the last progress.
    looks: u32,
}

impl Watch {
    /// Number of looks in a row at which the core was neither idle nor further than before. A task
    /// that it does not take counts as work.
    pub fn look<M: RawMutex>(&mut self, exchange: &Exchange<M>) -> u32 {
        let beats = exchange.beats.load(Ordering::Relaxed);
        let rests = !exchange.is_busy.load(Ordering::Relaxed) && exchange.no_task_waits();
        let gets_on = core::mem::replace(&mut self.beats, beats) != beats;
        self.looks = if rests || gets_on { 0 } else { self.looks + 1 };
        self.looks
    }
}
