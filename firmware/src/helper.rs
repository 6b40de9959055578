//! The first core runs jobs of the thinking core whenever it has nothing else to do: playouts of
//! Go.
//!
//! The thinking core offers them and goes on meanwhile. It takes back the jobs that the first core
//! has not started, because a button was pressed or a frame is drawn.

#![allow(
    unsafe_code,
    reason = "a job runs where the search keeps it: two boards of Go in a queue would be 5 KB"
)]

use dojo_core::players::helper::{Helper, Job, JobResult, MAX_JOBS};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;

/// A job in the thinking core's memory.
#[derive(Clone, Copy)]
pub(crate) struct Offer(*const dyn Job);

// SAFETY: a job is `Sync`, and the search neither moves nor changes one that it has offered until it has collected the
// result or withdrawn the offer, and does not end before; see `Helper::offer`.
unsafe impl Send for Offer {}

impl Offer {
    fn job(&self) -> &dyn Job {
        // SAFETY: as above.
        unsafe { &*self.0 }
    }
}

/// Offered jobs that nobody has started.
static JOBS: Channel<CriticalSectionRawMutex, Offer, 2> = Channel::new();
/// Room for the results of all jobs under way, so that nobody ever waits.
static RESULTS: Channel<CriticalSectionRawMutex, (u32, JobResult), MAX_JOBS> = Channel::new();

/// Waits for a job.
pub(crate) async fn job() -> Offer {
    JOBS.receive().await
}

/// Runs a job: one to three milliseconds.
#[inline(never)]
pub(crate) fn play(offer: Offer) {
    let job = offer.job();
    // There are never more results than jobs under way.
    let _ = RESULTS.try_send((job.number(), job.run()));
}

/// The first core, as the second one sees it.
#[derive(Debug)]
pub(crate) struct FirstCore;

impl Helper for FirstCore {
    fn offer(&mut self, job: &(dyn Job + 'static)) -> bool {
        JOBS.try_send(Offer(job)).is_ok()
    }

    fn collect(&mut self) -> Option<(u32, JobResult)> {
        RESULTS.try_receive().ok()
    }

    fn withdraw(&mut self) -> Option<u32> {
        JOBS.try_receive().ok().map(|offer| offer.job().number())
    }
}
