//! Playouts on the first core while it is idle.
//!
//! The second core offers playouts and goes on with its own. It withdraws offers that the first
//! core does not get to, because of a press or a picture.

#![allow(
    unsafe_code,
    reason = "a playout is played where the tree has it: two boards in a queue would be 5 KB"
)]

use dojo_core::games::go::Played;
use dojo_core::games::go::players::{Helper, Job, UNDER_WAY};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;

/// A playout in the thinking core's memory.
#[derive(Clone, Copy)]
pub(crate) struct Offer(*const Job);

// SAFETY: the tree leaves a job that it has offered as it is until it gets the result or has
// withdrawn the offer, and it does not end before; see `Helper::offer`.
unsafe impl Send for Offer {}

impl Offer {
    fn job(&self) -> &Job {
        // SAFETY: as above.
        unsafe { &*self.0 }
    }
}

/// Offers that were not taken up.
static JOBS: Channel<CriticalSectionRawMutex, Offer, 2> = Channel::new();
/// Results; with room for all playouts under way, so that sending never waits.
static PLAYED: Channel<CriticalSectionRawMutex, (u32, Played), UNDER_WAY> = Channel::new();

/// Waits for an offer.
pub(crate) async fn job() -> Offer {
    JOBS.receive().await
}

/// Plays an offered playout: one to three milliseconds.
#[inline(never)]
pub(crate) fn play(offer: Offer) {
    let job = offer.job();
    // There are never more results than playouts under way.
    let _ = PLAYED.try_send((job.number, job.run()));
}

/// The first core, as the second one sees it.
#[derive(Debug)]
pub(crate) struct FirstCore;

impl Helper for FirstCore {
    fn offer(&mut self, job: &Job) -> bool {
        JOBS.try_send(Offer(job)).is_ok()
    }

    fn collect(&mut self) -> Option<(u32, Played)> {
        PLAYED.try_receive().ok()
    }

    fn withdraw(&mut self) -> Option<u32> {
        JOBS.try_receive().ok().map(|offer| offer.job().number)
    }
}
