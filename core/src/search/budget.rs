//! The budget of a search: limits, stopping from outside, progress reports.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::search::{Thoughts, Value};

/// Limits without a clock: the same limits give the same answer on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies; the search stops earlier where every line has ended.
    pub depth: u8,
    /// Most nodes to visit (playouts, for Monte Carlo).
    pub nodes: u32,
    /// Most nodes between two calls of [`Control::should_stop`].
    pub check_every: u32,
}

impl Limits {
    /// To the end of the game, however long it takes.
    pub const NONE: Limits = Limits {
        depth: u8::MAX,
        nodes: u32::MAX,
        check_every: 64,
    };

    /// To this depth.
    pub const fn depth(depth: u8) -> Limits {
        Limits {
            depth,
            ..Limits::NONE
        }
    }

    /// With this many nodes or playouts.
    pub const fn nodes(nodes: u32) -> Limits {
        Limits {
            nodes,
            ..Limits::NONE
        }
    }
}

/// Progress of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<'a> {
    /// The last completed depth (the depth of the tree, for Monte Carlo).
    pub depth: u8,
    /// Nodes or playouts so far.
    pub nodes: u32,
    /// The value for the player to move.
    pub value: Value,
    /// The principal variation as move indices; it starts with the best move.
    pub line: &'a [u16],
}

/// Stops a search from outside and receives its progress.
///
/// `()` never stops; a shared flag, a [`Deadline`] and an [`Observer`] can be joined as pairs.
pub trait Control {
    /// Whether to stop now. Called at the interval of [`Limits::check_every`].
    fn should_stop(&mut self) -> bool {
        false
    }

    /// Called after every completed depth, and at intervals by Monte Carlo.
    fn report(&mut self, _report: &Report<'_>) {}

    /// Called every few milliseconds by players with a budget: the share of it that is used up, in
    /// thousandths, and a function that collects the values of the moves so far, if there are any.
    fn progress(&mut self, _share: u16, _thoughts: &dyn Fn() -> Thoughts) {}
}

/// A part of a budget in thousandths.
pub fn share(part: u64, whole: u64) -> u16 {
    (part.min(whole) * 1000 / whole.max(1)) as u16
}

impl Control for () {}

/// Stops when another thread or core sets the flag.
impl Control for &AtomicBool {
    fn should_stop(&mut self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Stops as soon as the other core or thread no longer waits for the answer to this question.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The number of the question whose answer is awaited.
    pub now: &'a AtomicU32,
    /// The number of the question that this search answers.
    pub own: u32,
}

impl Control for Wanted<'_> {
    fn should_stop(&mut self) -> bool {
        self.now.load(Ordering::Relaxed) != self.own
    }
}

/// Stops when an injected clock reaches a time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<F> {
    /// Reads the clock; any unit.
    pub now: F,
    /// The time to stop at, in the clock's unit.
    pub until: u64,
}

impl<F: FnMut() -> u64> Control for Deadline<F> {
    fn should_stop(&mut self) -> bool {
        (self.now)() >= self.until
    }
}

/// Passes reports to a closure.
#[derive(Clone, Copy, Debug)]
pub struct Observer<F>(pub F);

impl<F: FnMut(&Report<'_>)> Control for Observer<F> {
    fn report(&mut self, report: &Report<'_>) {
        (self.0)(report);
    }
}

impl<A: Control, B: Control> Control for (A, B) {
    fn should_stop(&mut self) -> bool {
        self.0.should_stop() || self.1.should_stop()
    }

    fn report(&mut self, report: &Report<'_>) {
        self.0.report(report);
        self.1.report(report);
    }

    fn progress(&mut self, share: u16, thoughts: &dyn Fn() -> Thoughts) {
        self.0.progress(share, thoughts);
        self.1.progress(share, thoughts);
    }
}

/// One of several searches for one answer: its progress is a part of the whole.
#[derive(Debug)]
pub struct Part<'c, C> {
    /// The control of the whole.
    pub control: &'c mut C,
    /// Where this part begins, in thousandths of the whole.
    pub from: u16,
    /// Where it ends.
    pub to: u16,
}

impl<C: Control> Control for Part<'_, C> {
    fn should_stop(&mut self) -> bool {
        self.control.should_stop()
    }

    fn report(&mut self, report: &Report<'_>) {
        self.control.report(report);
    }

    fn progress(&mut self, share: u16, thoughts: &dyn Fn() -> Thoughts) {
        let width = u32::from(self.to.saturating_sub(self.from));
        let done = self.from + (u32::from(share) * width / 1000) as u16;
        self.control.progress(done, thoughts);
    }
}

/// Only stops the search: whoever searches tells the progress itself.
#[derive(Debug)]
pub struct Stopper<'c, C>(pub &'c mut C);

impl<C: Control> Control for Stopper<'_, C> {
    fn should_stop(&mut self) -> bool {
        self.0.should_stop()
    }
}

/// The search was stopped from outside or has used up its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Counts nodes, enforces the node limit and calls [`Control::should_stop`] at the right moments.
/// The cost is one countdown a node, whatever the limits are.
#[derive(Debug)]
pub struct Meter<'c, C> {
    /// The control that may stop the search and receives its reports.
    pub control: &'c mut C,
    /// Nodes until the next call.
    left: u32,
    /// Nodes up to the next call.
    granted: u32,
    limits: Limits,
}

impl<'c, C: Control> Meter<'c, C> {
    /// A meter at 0 nodes.
    pub fn new(control: &'c mut C, limits: Limits) -> Self {
        Meter {
            control,
            left: 0,
            granted: 0,
            limits,
        }
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u32 {
        self.granted - self.left
    }

    /// Counts a node, unless the search has to stop before it.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.check(),
        }
    }

    /// Counts several nodes at once: all of them, or as many as the limit allows before the search
    /// stops.
    #[inline]
    pub fn count_all(&mut self, nodes: u32) -> Result<(), Stopped> {
        match self.left.checked_sub(nodes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.count_slowly(nodes),
        }
    }

    #[cold]
    #[inline(never)]
    fn count_slowly(&mut self, nodes: u32) -> Result<(), Stopped> {
        (0..nodes).try_for_each(|_| self.count())
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Stopped> {
        if self.granted >= self.limits.nodes || self.control.should_stop() {
            return Err(Stopped);
        }
        if self.limits.nodes != u32::MAX {
            let done = share(self.granted.into(), self.limits.nodes.into());
            self.control.progress(done, &Thoughts::new);
        }
        let more = self
            .limits
            .check_every
            .clamp(1, self.limits.nodes - self.granted);
        self.granted += more;
        self.left = more - 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_to_the_limit_exactly() {
        for limit in [0, 1, 63, 64, 65, 1000] {
            let mut control = ();
            let mut meter = Meter::new(&mut control, Limits::nodes(limit));
            while meter.count().is_ok() {}
            assert_eq!(meter.nodes(), limit);
            assert_eq!(meter.count(), Err(Stopped));
        }
    }

    /// Notes the shares that it is told.
    struct Shares(heapless::Vec<u16, 32>);

    impl Control for Shares {
        fn progress(&mut self, share: u16, _: &dyn Fn() -> Thoughts) {
            self.0.push(share).unwrap();
        }
    }

    #[test]
    fn the_meter_tells_its_share_and_a_part_of_the_whole() {
        let mut shares = Shares(heapless::Vec::new());
        let mut part = Part {
            control: &mut shares,
            from: 500,
            to: 700,
        };
        let mut meter = Meter::new(&mut part, Limits::nodes(256));
        while meter.count().is_ok() {}
        assert_eq!(shares.0, [500, 550, 600, 650]);
        let mut meter = Meter::new(&mut shares, Limits::depth(3));
        (0..1000).for_each(|_| meter.count().unwrap());
        assert_eq!(shares.0.len(), 4, "without a limit there is no share");
    }

    #[test]
    fn pairs_stop_when_either_does_and_report_to_both() {
        let flag = AtomicBool::new(false);
        let mut time = 0;
        let mut reports = 0;
        let clock = || {
            time += 1;
            time
        };
        let mut control = (
            (
                &flag,
                Deadline {
                    now: clock,
                    until: 3,
                },
            ),
            Observer(|_: &Report<'_>| reports += 1),
        );
        assert!(!control.should_stop());
        flag.store(true, Ordering::Relaxed);
        assert!(control.should_stop());
        flag.store(false, Ordering::Relaxed);
        assert!(!control.should_stop());
        assert!(control.should_stop(), "the clock has reached 3");
        control.report(&Report {
            depth: 1,
            nodes: 1,
            value: 0,
            line: &[],
        });
        assert_eq!(reports, 1);
    }
}
