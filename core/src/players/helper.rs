//! Work that another core may take over while a player thinks.
//!
//! A search that can run pieces of its work anywhere makes each piece a [`Job`] and offers it to
//! the [`Helper`] of its [`Resources`](super::belts::Resources). The result of a job depends on the
//! job alone, and the search uses the results in the order of the jobs: a helper changes how long
//! an answer takes, never the answer.

use core::fmt;

/// Most jobs that a search may have under way; a helper has room for as many results.
pub const MAX_JOBS: usize = 4;

/// The result of a job, in words that only the search that made the job understands.
pub type JobResult = [u32; 7];

/// A piece of work that any core can run.
pub trait Job: Sync {
    /// Its number in the search that made it.
    fn number(&self) -> u32;

    /// Does the work. Every call on every core gives the same result.
    fn run(&self) -> JobResult;
}

/// Another core that runs jobs for a search.
///
/// For two equally fast cores it should accept two jobs: one to run, and one to go on with at once.
pub trait Helper: fmt::Debug {
    /// Offers a job; `false` if the helper does not accept it. The caller neither moves nor changes
    /// an accepted job until its result was collected or it was withdrawn.
    fn offer(&mut self, job: &(dyn Job + 'static)) -> bool;

    /// The number and result of a finished job, each once; `None` if there is none.
    fn collect(&mut self) -> Option<(u32, JobResult)>;

    /// Takes back an accepted job that was not started and returns its number; `None` if there is
    /// none.
    fn withdraw(&mut self) -> Option<u32>;
}

/// `None` accepts no job.
impl Helper for Option<&mut dyn Helper> {
    fn offer(&mut self, job: &(dyn Job + 'static)) -> bool {
        self.as_mut().is_some_and(|helper| helper.offer(job))
    }

    fn collect(&mut self) -> Option<(u32, JobResult)> {
        self.as_mut()?.collect()
    }

    fn withdraw(&mut self) -> Option<u32> {
        self.as_mut()?.withdraw()
    }
}
