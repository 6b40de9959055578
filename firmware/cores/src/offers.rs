//! Jobs of the thinking core that the first core runs whenever it has nothing else to do.
//!
//! The thinking core offers jobs and goes on meanwhile. It takes back the jobs that the first core
//! has not started, because a button was pressed or a frame is drawn.

#![allow(
    unsafe_code,
    reason = "a job runs where the search keeps it: two boards of Go in a queue would be 5 KB"
)]

use dojo_core::players::helper::{Helper, Job, JobResult, MAX_JOBS};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::channel::Channel;

/// A job in the thinking core's memory.
#[derive(Clone, Copy)]
pub struct Offer(*const dyn Job);

// SAFETY: a job is `Sync`, and the search neither moves nor changes one that it has offered until it
// has collected the result or withdrawn the offer, and does not end before; see `Helper::offer`.
unsafe impl Send for Offer {}

impl Offer {
    fn job(&self) -> &dyn Job {
        // SAFETY: as above.
        unsafe { &*self.0 }
    }
}

impl core::fmt::Debug for Offer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Offer({:p})", self.0)
    }
}

/// Offered jobs and their results.
pub struct Offers<M: RawMutex> {
    /// Jobs that nobody has started.
    jobs: Channel<M, Offer, 2>,
    /// Room for the results of all jobs under way, so that nobody ever waits.
    results: Channel<M, (u32, JobResult), MAX_JOBS>,
}

impl<M: RawMutex> Offers<M> {
    /// No jobs.
    #[allow(clippy::new_without_default, reason = "made once, in a static")]
    pub const fn new() -> Offers<M> {
        Offers {
            jobs: Channel::new(),
            results: Channel::new(),
        }
    }

    /// Waits for a job. Whoever takes one runs it.
    pub async fn job(&self) -> Offer {
        self.jobs.receive().await
    }

    /// A job, if one waits. Whoever takes one runs it.
    pub fn waiting_job(&self) -> Option<Offer> {
        self.jobs.try_receive().ok()
    }

    /// Runs a job: one to three milliseconds.
    #[inline(never)]
    pub fn play(&self, offer: Offer) {
        let job = offer.job();
        // There are never more results than jobs under way.
        let _ = self.results.try_send((job.number(), job.run()));
    }
}

impl<M: RawMutex> core::fmt::Debug for Offers<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Offers").finish_non_exhaustive()
    }
}

/// The first core, as the second one sees it.
impl<M: RawMutex> Helper for &Offers<M> {
    fn offer(&mut self, job: &(dyn Job + 'static)) -> bool {
        self.jobs.try_send(Offer(job)).is_ok()
    }

    fn collect(&mut self) -> Option<(u32, JobResult)> {
        self.results.try_receive().ok()
    }

    fn withdraw(&mut self) -> Option<u32> {
        self.waiting_job().map(|offer| offer.job().number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A real mutex, for two real threads.
    struct Blocking(Mutex<()>);

    // SAFETY: the mutex excludes.
    unsafe impl RawMutex for Blocking {
        #[allow(
            clippy::declare_interior_mutable_const,
            reason = "the trait asks for a constant"
        )]
        const INIT: Blocking = Blocking(Mutex::new(()));

        fn lock<R>(&self, section: impl FnOnce() -> R) -> R {
            let _guard = self.0.lock().unwrap();
            section()
        }
    }

    struct Double(u32);

    impl Job for Double {
        fn number(&self) -> u32 {
            self.0
        }

        fn run(&self) -> JobResult {
            [self.0 * 2; 7]
        }
    }

    /// Jobs lie in memory that changes after each round: Miri sees a job that is read too late.
    #[test]
    fn jobs_on_the_stack_are_over_before_their_memory_changes() {
        let offers = Offers::<Blocking>::new();
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    match offers.waiting_job() {
                        Some(offer) => offers.play(offer),
                        None => std::thread::yield_now(),
                    }
                }
            });
            let mut helper = &offers;
            let mut jobs = [Double(0), Double(1)];
            for round in 0..20 {
                let mut offered: u32 = jobs.iter().map(|job| u32::from(helper.offer(job))).sum();
                while offered > 0 {
                    if let Some((number, result)) = helper.collect() {
                        assert_eq!(result, [number * 2; 7]);
                        offered -= 1;
                    } else if round % 3 == 0 && helper.withdraw().is_some() {
                        offered -= 1;
                    } else {
                        std::thread::yield_now();
                    }
                }
                jobs = jobs.map(|job| Double(job.0 + 2));
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }
}
