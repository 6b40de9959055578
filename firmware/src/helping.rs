//! Playouts of Go on the first core, whenever it has nothing else to do.
//!
//! The thinking core hands them over one at a time and plays on meanwhile. What the first core does not get to, because
//! somebody presses a button or a picture is drawn, the thinking core takes back.

use dojo_core::agents::go::{Helper, Job};
use dojo_core::games::go::Played;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;

/// A playout that nobody has begun yet.
static JOB: Signal<CriticalSectionRawMutex, Job> = Signal::new();
/// What came of the last one.
static PLAYED: Signal<CriticalSectionRawMutex, Played> = Signal::new();

/// Waits until there is something to do.
pub(crate) async fn job() -> Job {
    JOB.wait().await
}

/// Does it: one to three milliseconds.
pub(crate) fn play(job: &Job) {
    PLAYED.signal(job.run());
}

/// The first core, as the second one sees it.
#[derive(Debug)]
pub(crate) struct FirstCore;

impl Helper for FirstCore {
    fn offer(&mut self, job: &Job) -> bool {
        JOB.signal(*job);
        true
    }

    fn collect(&mut self) -> Option<Played> {
        PLAYED.try_take()
    }

    fn withdraw(&mut self) -> bool {
        JOB.try_take().is_some()
    }
}
