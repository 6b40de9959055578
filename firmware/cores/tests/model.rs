//! The exchange between the cores in thousands of random orders of events. The queues are those of
//! the device; only their mutex is a model, which lets the other core run before and after every
//! critical section.

#![allow(
    unsafe_code,
    reason = "a model of the device's mutex has to say that it excludes"
)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use dojo_core::bank::kept::FlashStep;
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::go::players::{Node, PlayoutJob, RootMove, Tree, TreeSettings, UNDER_WAY};
use dojo_core::games::thinking::{Question, Thinker};
use dojo_core::games::{AnyRules, GameId, Go, GoRules};
use dojo_core::memory::Heap;
use dojo_core::players::belts::Resources;
use dojo_core::players::helper::{Helper, Job, JobResult};
use dojo_core::rng::Rng;
use dojo_cores::{Exchange, Message, Offers};
use dojo_handheld::thinking::{Reply, Task, ThinkJob};
use dojo_handheld::{Order, Purpose};
use embassy_sync::blocking_mutex::raw::RawMutex;
use shuttle::future::block_on;
use shuttle::rand::Rng as _;
use shuttle::thread;

/// Runs one thread at a time, and so excludes; others may run before and after.
struct Modelled;

// SAFETY: the model switches threads at no other place than these two.
unsafe impl RawMutex for Modelled {
    const INIT: Modelled = Modelled;

    fn lock<R>(&self, section: impl FnOnce() -> R) -> R {
        thread::yield_now();
        let result = section();
        thread::yield_now();
        result
    }
}

fn question(seed: u64) -> Question {
    Question {
        game: AnyRules::new(GameId::TicTacToe).start(),
        belt: Belt::White,
        seed,
        may_resign: false,
        ancestor: None,
    }
}

/// The second core: serves until it is told to end, and notes the orders it was given.
fn think(exchange: &Exchange<Modelled>) -> Vec<Order> {
    let mut orders = vec![];
    let mut thinker = Thinker::new(None);
    loop {
        match block_on(exchange.next_task()) {
            Task::Learn(Order::End) => return orders,
            Task::Learn(order) => orders.push(order),
            Task::Measure => {}
            Task::Think { mut job, .. } => loop {
                let mut now = 0;
                let clock = || {
                    now += 60;
                    now
                };
                let mut control = exchange.control(job.id, clock);
                let mut resources = Resources {
                    memory: &mut Heap::default(),
                    control: &mut control,
                    helper: None,
                };
                let question = exchange.question(job.id);
                let step = || job.step(question.as_ref(), &mut thinker, &mut resources);
                match exchange.at_work(step) {
                    Some(reply) => block_on(exchange.reply(reply)),
                    None => break,
                }
            },
        }
    }
}

/// Whatever is asked, stopped and ordered in between, the last question gets its own answer, no
/// order is lost or doubled, and nobody waits for ever.
#[test]
fn the_last_question_is_answered_and_no_order_is_lost() {
    let body = || {
        let exchange = Arc::new(Exchange::<Modelled>::new());
        let thinking = {
            let exchange = exchange.clone();
            thread::spawn(move || think(&exchange))
        };
        let mut rng = shuttle::rand::thread_rng();
        let mut ordered = vec![];
        let mut last = 0;
        for id in 1..=rng.gen_range(1..6) {
            let purpose = [Purpose::Move, Purpose::Mind, Purpose::Both][rng.gen_range(0..3)];
            assert!(exchange.ask(ThinkJob::new(id, purpose), question(id.into()), false));
            last = id;
            match rng.gen_range(0..5) {
                0 => exchange.stop(),
                1 if ordered.len() < 2 => {
                    let order = [Order::Keep, Order::Discard][rng.gen_range(0..2)];
                    assert!(exchange.assign(Task::Learn(order)));
                    ordered.push(order);
                }
                2 => assert!(exchange.assign(Task::Measure)),
                _ => {}
            }
        }
        // Asked last of all, after a stop: the stop must not reach it.
        exchange.stop();
        last += 1;
        assert!(exchange.ask(ThinkJob::new(last, Purpose::Both), question(9), false));
        let mut minds = 0;
        loop {
            match block_on(exchange.message()) {
                Message::Reply(Reply::Mind { id, thoughts, .. }) if id == last => {
                    assert_eq!(thoughts.len(), 9);
                    minds += 1;
                }
                Message::Reply(Reply::Answer { id, answer }) if id == last => {
                    assert!(answer.is_some(), "the answer to {id} was dropped");
                    break;
                }
                Message::Reply(
                    Reply::Mind { id, .. } | Reply::Progress { id, .. } | Reply::Answer { id, .. },
                ) => {
                    assert!(id < last);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(minds, 1);
        assert!(exchange.assign(Task::Learn(Order::End)));
        assert_eq!(thinking.join().unwrap(), ordered);
        assert!(!exchange.rests());
    };
    shuttle::check_random(body, 2_000);
    shuttle::check_pct(body, 1_000, 3);
}

/// A search of Go on a small board.
fn search(helper: &mut impl Helper) -> RootMove {
    let game = Go::new(GoRules::new(5).unwrap());
    let mut pool = vec![Node::default(); 300];
    let mut jobs = [PlayoutJob::default(); UNDER_WAY];
    let mut tree = Tree::new(&mut pool, &mut jobs, TreeSettings::best(12));
    tree.think(&game, &mut Rng::new(4), &mut (), helper)
        .unwrap()
}

/// However the first core finds time for playouts, the search ends with the answer of a single
/// core, and no job is left when its memory goes.
#[test]
fn help_changes_nothing_and_is_over_when_the_search_is() {
    let alone = search(&mut None);
    let helped = Arc::new(AtomicU32::new(0));
    let body = {
        let helped = helped.clone();
        move || {
            let offers = Arc::new(Offers::<Modelled>::new());
            let is_over = Arc::new(AtomicBool::new(false));
            let first_core = {
                let (offers, is_over, helped) = (offers.clone(), is_over.clone(), helped.clone());
                thread::spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        thread::yield_now();
                        if let Some(offer) = offers.waiting_job() {
                            thread::yield_now();
                            offers.play(offer);
                            helped.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            };
            assert_eq!(search(&mut &*offers), alone);
            assert!(offers.waiting_job().is_none(), "a job outlived its search");
            is_over.store(true, Ordering::Relaxed);
            first_core.join().unwrap();
            assert!((&*offers).collect().is_none(), "a result nobody waits for");
        }
    };
    shuttle::check_random(body, 200);
    assert!(helped.load(Ordering::Relaxed) > 200);
}

/// A job that knows whether its memory is still lent.
struct Piece {
    number: u32,
    lent: Arc<AtomicBool>,
}

impl Job for Piece {
    fn number(&self) -> u32 {
        self.number
    }

    fn run(&self) -> JobResult {
        assert!(
            self.lent.load(Ordering::Relaxed),
            "run after it was taken back"
        );
        [self.number; 7]
    }
}

/// A job is either run by the helper or withdrawn, never both, and never after it was withdrawn.
#[test]
fn a_job_is_run_once_or_withdrawn() {
    shuttle::check_random(
        || {
            let offers = Arc::new(Offers::<Modelled>::new());
            let first_core = {
                let offers = offers.clone();
                thread::spawn(move || {
                    for _ in 0..6 {
                        thread::yield_now();
                        if let Some(offer) = offers.waiting_job() {
                            offers.play(offer);
                        }
                    }
                })
            };
            let lent = Arc::new(AtomicBool::new(true));
            let pieces: Vec<&'static Piece> = (0..4)
                .map(|number| {
                    &*Box::leak(Box::new(Piece {
                        number,
                        lent: lent.clone(),
                    }))
                })
                .collect();
            let mut helper = &*offers;
            let mut ends: HashMap<u32, u32> = HashMap::new();
            let mut offered = 0;
            for piece in pieces {
                offered += u32::from(helper.offer(piece));
            }
            while ends.values().sum::<u32>() < offered {
                let ended = match helper.collect() {
                    Some((number, result)) => {
                        assert_eq!(result, [number; 7]);
                        Some(number)
                    }
                    None => helper.withdraw(),
                };
                if let Some(number) = ended {
                    *ends.entry(number).or_default() += 1;
                }
            }
            assert!(ends.values().all(|&count| count == 1), "{ends:?}");
            lent.store(false, Ordering::Relaxed);
            first_core.join().unwrap();
        },
        3_000,
    );
}

/// While the first core writes a step to the flash, the second one does not read it.
#[test]
fn nobody_reads_flash_that_is_being_written() {
    shuttle::check_random(
        || {
            let exchange = Arc::new(Exchange::<Modelled>::new());
            let flash = Arc::new(Mutex::new((vec![0xFFu8; 8], false)));
            let second_core = {
                let (exchange, flash) = (exchange.clone(), flash.clone());
                thread::spawn(move || {
                    for step in 0..4u32 {
                        block_on(exchange.carry_out(FlashStep::Erase(step)));
                        let (bytes, is_written) = &*flash.lock().unwrap();
                        assert!(!is_written, "read while it is written");
                        assert_eq!(bytes[step as usize], step as u8);
                    }
                    block_on(exchange.reply(Reply::Answer {
                        id: 1,
                        answer: None,
                    }));
                })
            };
            loop {
                match block_on(exchange.message()) {
                    Message::Flash(FlashStep::Erase(at)) => {
                        flash.lock().unwrap().1 = true;
                        thread::yield_now();
                        flash.lock().unwrap().0[at as usize] = at as u8;
                        thread::yield_now();
                        flash.lock().unwrap().1 = false;
                        exchange.carried_out();
                    }
                    Message::Reply(_) => break,
                    other => panic!("{other:?}"),
                }
            }
            second_core.join().unwrap();
        },
        3_000,
    );
}
