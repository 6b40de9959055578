//! The thinking side, the same on every runner: which tasks wait for it, how it serves a question,
//! and what it replies.
//!
//! The runners only carry: the device runs [`ThinkJob::step`] on its second core, a PC in a thread, a
//! page in a worker.

use dojo_core::games::pupil::Figures;
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::{Question, Thinker};
use dojo_core::memory::Workspace;
use dojo_core::players::belts::{Answer, Resources, Thoughts};
use dojo_core::search::{Control, Part};
use heapless::Deque;

use crate::event::{Brains, Event, Order, Purpose};

/// What the thinking side can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Serve a question.
    Think {
        /// The question and what is wanted.
        job: ThinkJob,
        /// Whether the brain that the player kept is asked, instead of a belt of the bank.
        pupil: bool,
    },
    /// Measure how fast it is.
    Measure,
    /// Train a pupil.
    Learn(Order),
}

/// Most tasks that can wait: a question, and the orders of a player who keeps one pupil and begins
/// with the next while the flash is being written.
const WAITING: usize = 6;

/// Tasks that wait for the thinking side, in the order in which it takes them up. Orders are never
/// lost to a question.
#[derive(Debug, Default)]
pub struct Tasks {
    waiting: Deque<Task, WAITING>,
}

impl Tasks {
    /// No task.
    pub const fn new() -> Tasks {
        Tasks {
            waiting: Deque::new(),
        }
    }

    /// Adds a task. A question replaces one that waits, and so does the last of several orders to
    /// stop and to go on. Returns whether there was room.
    pub fn push(&mut self, task: Task) -> bool {
        let is_pause = |task: &Task| matches!(task, Task::Learn(Order::Stop | Order::GoOn));
        let is_tempo = |task: &Task| matches!(task, Task::Learn(Order::Tempo(_)));
        match task {
            Task::Think { .. } => self
                .waiting
                .retain(|waiting| !matches!(waiting, Task::Think { .. })),
            Task::Measure => self.waiting.retain(|waiting| *waiting != Task::Measure),
            Task::Learn(_) if is_pause(&task) && self.waiting.back().is_some_and(is_pause) => {
                self.waiting.pop_back();
            }
            Task::Learn(_) if is_tempo(&task) => self.waiting.retain(|task| !is_tempo(task)),
            Task::Learn(_) => {}
        }
        self.waiting.push_back(task).is_ok()
    }

    /// The next task.
    pub fn take(&mut self) -> Option<Task> {
        self.waiting.pop_front()
    }

    /// Nobody waits for an answer any more: only orders stay.
    pub fn stop(&mut self) {
        self.waiting
            .retain(|waiting| matches!(waiting, Task::Learn(_)));
    }

    /// Whether no task waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// A question that is being served: the values of its moves first if they are wanted, then the
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkJob {
    /// The number of the question.
    pub id: u32,
    left: Option<Purpose>,
    is_both: bool,
}

/// Share of the values in the progress of a question for values and a move, in thousandths.
const MIND_SHARE: u16 = 200;
/// Least time between two reports of progress.
const PROGRESS_MS: u32 = 100;

/// Tells the progress of a question while it is served, at most every `PROGRESS_MS`; a question
/// that is answered sooner tells none.
pub struct Live<C, N, S> {
    id: u32,
    control: C,
    now: N,
    send: S,
    last: u32,
}

impl<C: Control, N: FnMut() -> u32, S: FnMut(Reply)> Live<C, N, S> {
    /// The progress of the question of this number. `now` reads a clock in milliseconds, `send`
    /// passes the reply on or drops it.
    pub fn new(id: u32, control: C, mut now: N, send: S) -> Live<C, N, S> {
        let last = now();
        Live {
            id,
            control,
            now,
            send,
            last,
        }
    }
}

impl<C: Control, N: FnMut() -> u32, S: FnMut(Reply)> Control for Live<C, N, S> {
    fn should_stop(&mut self) -> bool {
        self.control.should_stop()
    }

    fn progress(&mut self, share: u16, thoughts: &dyn Fn() -> Thoughts) {
        let now = (self.now)();
        if now.wrapping_sub(self.last) >= PROGRESS_MS {
            self.last = now;
            let (id, thoughts) = (self.id, thoughts());
            (self.send)(Reply::Progress {
                id,
                share,
                thoughts,
            });
        }
    }
}

impl ThinkJob {
    /// A question of this number, not begun.
    pub const fn new(id: u32, purpose: Purpose) -> ThinkJob {
        ThinkJob {
            id,
            left: Some(purpose),
            is_both: matches!(purpose, Purpose::Both),
        }
    }

    /// Serves the next part of the question, and returns its reply; `None` when all was served.
    /// Without a question, because another one has replaced it, the replies are empty. A search
    /// that was stopped gives no move.
    pub fn step<W: Workspace, C: Control>(
        &mut self,
        question: Option<&Question>,
        thinker: &mut Thinker<'_>,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Reply> {
        let (id, now) = (self.id, self.left?);
        let (from, to) = match (now, self.is_both) {
            (Purpose::Both, _) => (0, MIND_SHARE),
            (_, true) => (MIND_SHARE, 1000),
            (_, false) => (0, 1000),
        };
        self.left = (now == Purpose::Both).then_some(Purpose::Move);
        let mut part = Resources {
            memory: &mut *resources.memory,
            control: &mut Part {
                control: &mut *resources.control,
                from,
                to,
            },
            helper: match &mut resources.helper {
                Some(helper) => Some(&mut **helper),
                None => None,
            },
        };
        Some(if now.wants_mind() {
            Reply::Mind {
                id,
                thoughts: mind(question, thinker, &mut part),
                done: now == Purpose::Mind,
            }
        } else {
            Reply::Answer {
                id,
                answer: answer(question, thinker, &mut part),
            }
        })
    }

    /// Serves the whole question in memory from the heap.
    #[cfg(feature = "alloc")]
    pub fn serve(
        mut self,
        question: &Question,
        thinker: &mut Thinker<'_>,
        control: &mut impl Control,
        mut reply: impl FnMut(Reply),
    ) {
        let mut resources = Resources {
            memory: &mut dojo_core::memory::Heap::default(),
            control,
            helper: None,
        };
        while let Some(part) = self.step(Some(question), thinker, &mut resources) {
            reply(part);
        }
    }
}

// Not inlined, so that the device's stack holds what one of them needs and not both together.

#[inline(never)]
fn mind<W: Workspace, C: Control>(
    question: Option<&Question>,
    thinker: &mut Thinker<'_>,
    resources: &mut Resources<'_, W, C>,
) -> Thoughts {
    question.map_or(Thoughts::new(), |question| {
        thinker.mind(question, resources)
    })
}

#[inline(never)]
fn answer<W: Workspace, C: Control>(
    question: Option<&Question>,
    thinker: &mut Thinker<'_>,
    resources: &mut Resources<'_, W, C>,
) -> Option<Answer> {
    let answer = thinker.think(question?, resources);
    answer.filter(|_| !resources.control.should_stop())
}

/// What the thinking side has to say: an [`Event`] that owns its values, so that it can travel.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "as in `Event`")]
pub enum Reply {
    Answer {
        id: u32,
        answer: Option<Answer>,
    },
    Mind {
        id: u32,
        thoughts: Thoughts,
        done: bool,
    },
    Progress {
        id: u32,
        share: u16,
        thoughts: Thoughts,
    },
    Learned {
        id: u32,
        figures: Figures,
        done: bool,
    },
    Brains(Brains),
    Measured {
        search: Speed,
        playouts: Speed,
    },
}

impl Reply {
    /// The event to tell the console.
    pub fn event(&self) -> Event<'_> {
        match *self {
            Reply::Answer { id, answer } => Event::Answer { id, answer },
            Reply::Mind {
                id,
                ref thoughts,
                done,
            } => Event::Mind { id, thoughts, done },
            Reply::Progress {
                id,
                share,
                ref thoughts,
            } => Event::Progress {
                id,
                share,
                thoughts,
            },
            Reply::Learned { id, figures, done } => Event::Learned { id, figures, done },
            Reply::Brains(brains) => Event::Brains(brains),
            Reply::Measured { search, playouts } => Event::Measured { search, playouts },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::GameId;

    const BEGIN: Task = Task::Learn(Order::Begin {
        id: 1,
        game: GameId::Sticks,
        seed: 2,
    });

    fn think(id: u32) -> Task {
        Task::Think {
            job: ThinkJob::new(id, Purpose::Both),
            pupil: false,
        }
    }

    fn tasks(all: &[Task]) -> Tasks {
        let mut tasks = Tasks::new();
        assert!(all.iter().all(|&task| tasks.push(task)));
        tasks
    }

    fn drain(tasks: &mut Tasks) -> heapless::Vec<Task, WAITING> {
        core::iter::from_fn(|| tasks.take()).collect()
    }

    #[test]
    fn questions_and_measuring_leave_orders_where_they_are() {
        let keep = Task::Learn(Order::Keep);
        let mut tasks = tasks(&[
            BEGIN,
            think(3),
            keep,
            Task::Measure,
            think(4),
            Task::Measure,
        ]);
        assert_eq!(drain(&mut tasks), [BEGIN, keep, think(4), Task::Measure]);
        assert!(tasks.is_empty());
    }

    #[test]
    fn orders_outlive_a_stop_and_nothing_else_does() {
        let end = Task::Learn(Order::End);
        let mut tasks = tasks(&[think(3), BEGIN, Task::Measure, end]);
        tasks.stop();
        assert_eq!(drain(&mut tasks), [BEGIN, end]);
    }

    #[test]
    fn however_often_it_is_paused_there_is_room() {
        let [stop, go_on] = [Order::Stop, Order::GoOn].map(Task::Learn);
        let mut tasks = tasks(&[BEGIN]);
        for _ in 0..100 {
            assert!(tasks.push(stop) && tasks.push(go_on));
        }
        assert_eq!(drain(&mut tasks), [BEGIN, go_on]);
    }

    #[test]
    fn a_question_is_served_in_the_order_of_its_purpose() {
        let question = Question {
            game: dojo_core::games::AnyRules::new(GameId::TicTacToe).start(),
            belt: dojo_core::belt::Belt::Black,
            seed: 1,
            may_resign: false,
            ancestor: None,
        };
        for (purpose, kinds) in [
            (Purpose::Move, "m"),
            (Purpose::Mind, "v"),
            (Purpose::Both, "vm"),
        ] {
            let mut served = heapless::String::<4>::new();
            ThinkJob::new(7, purpose).serve(&question, &mut Thinker::new(None), &mut (), |reply| {
                let kind = match reply {
                    Reply::Mind {
                        id: 7,
                        thoughts,
                        done,
                    } if thoughts.len() == 9 && done == (purpose == Purpose::Mind) => 'v',
                    Reply::Answer {
                        id: 7,
                        answer: Some(_),
                    } => 'm',
                    _ => '?',
                };
                served.push(kind).unwrap();
            });
            assert_eq!(served, kinds);
        }
    }

    #[test]
    fn progress_is_told_ten_times_a_second_at_most_and_with_the_values_so_far() {
        let question = Question {
            game: dojo_core::games::AnyRules::new(GameId::Go).start(),
            belt: dojo_core::belt::Belt::Green,
            seed: 1,
            may_resign: false,
            ancestor: None,
        };
        for purpose in [Purpose::Move, Purpose::Mind, Purpose::Both] {
            // Every look at the clock takes 30 ms.
            let (mut now, mut shares) = (0, heapless::Vec::<u16, 64>::new());
            let clock = || {
                now += 30;
                now
            };
            let send = |reply| match reply {
                Reply::Progress {
                    id: 7,
                    share,
                    thoughts,
                } => {
                    assert_eq!(thoughts.len(), 81);
                    assert!(thoughts.iter().any(|thought| thought.visits > 0));
                    shares.push(share).unwrap();
                }
                other => panic!("{other:?}"),
            };
            let mut live = Live::new(7, (), clock, send);
            let job = ThinkJob::new(7, purpose);
            job.serve(&question, &mut Thinker::new(None), &mut live, |_| {});
            // 200 playouts look 12 times, four looks a report.
            let parts = if purpose == Purpose::Both { 2 } else { 1 };
            assert_eq!(shares.len(), 3 * parts, "{shares:?}");
            assert!(shares.is_sorted() && shares[0] > 0 && shares[shares.len() - 1] <= 1000);
            if parts == 2 {
                assert!(
                    shares[2] <= MIND_SHARE && MIND_SHARE < shares[3],
                    "{shares:?}"
                );
            }
        }
    }
}
