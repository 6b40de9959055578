//! Playouts of Go on the first core, whenever it has nothing else to do.
//!
//! The thinking core hands them over and plays on meanwhile. What the first core does not get to, because somebody
//! presses a button or a picture is drawn, the thinking core takes back.

use dojo_core::agents::go::{Helper, Job, UNDER_WAY};
use dojo_core::games::go::Played;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;

/// Those that nobody has begun.
static JOBS: Channel<CriticalSectionRawMutex, Job, 2> = Channel::new();
/// Room for all that can be under way, so that nobody ever waits.
static PLAYED: Channel<CriticalSectionRawMutex, (u32, Played), UNDER_WAY> = Channel::new();

/// Waits until there is something to do.
pub(crate) async fn job() -> Job {
    JOBS.receive().await
}

/// Does it: one to three milliseconds.
pub(crate) fn play(job: &Job) {
    // There are never more results than playouts under way.
    let _ = PLAYED.try_send((job.number, job.run()));
}

/// The first core, as the second one sees it.
#[derive(Debug)]
pub(crate) struct FirstCore;

impl Helper for FirstCore {
    fn offer(&mut self, job: &Job) -> bool {
        !JOBS.is_full() && JOBS.try_send(*job).is_ok()
    }

    fn collect(&mut self) -> Option<(u32, Played)> {
        PLAYED.try_receive().ok()
    }

    fn withdraw(&mut self) -> Option<u32> {
        JOBS.try_receive().ok().map(|job| job.number)
    }
}
