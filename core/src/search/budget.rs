//! How long a search may run, who may stop it, and whom it tells how far it is.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::search::Value;

/// Bounds that need no clock: the same limits give the same answer on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Moves to look ahead; the search stops earlier where every line has ended.
    pub depth: u8,
    /// Most nodes to visit (playouts, for Monte Carlo).
    pub nodes: u32,
    /// At most this many nodes between two questions to [`Control::should_stop`]. Plain minimax and negamax count the
    /// leaves of a position together when they leave it, and may be late by the moves of one line.
    pub check_every: u32,
}

impl Limits {
    /// To the end of the game, however long it takes.
    pub const NONE: Limits = Limits {
        depth: u8::MAX,
        nodes: u32::MAX,
        check_every: 64,
    };

    /// So many moves ahead.
    pub const fn depth(depth: u8) -> Limits {
        Limits {
            depth,
            ..Limits::NONE
        }
    }

    /// So many nodes or playouts.
    pub const fn nodes(nodes: u32) -> Limits {
        Limits {
            nodes,
            ..Limits::NONE
        }
    }
}

/// What a running search has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<'a> {
    /// Depth that is finished (or tree depth, for Monte Carlo).
    pub depth: u8,
    /// Nodes or playouts so far.
    pub nodes: u32,
    /// The value for the player to move.
    pub value: Value,
    /// The line that both sides are expected to play, as move indices; it starts with the best move.
    pub line: &'a [u16],
}

/// The world outside a search: it can stop the search and is told how far it is.
///
/// `()` never stops; a shared flag, a [`Deadline`] and an [`Observer`] can be joined as pairs.
pub trait Control {
    /// Whether to stop now. Asked at the interval of [`Limits::check_every`].
    fn should_stop(&mut self) -> bool {
        false
    }

    /// Told after every finished depth, and now and then by Monte Carlo.
    fn report(&mut self, _report: &Report<'_>) {}
}

impl Control for () {}

/// Stops when somebody else (a button, the other core) sets the flag.
impl Control for &AtomicBool {
    fn should_stop(&mut self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Stops as soon as somebody else (the other core, the thread of the screen) wants the answer to another question, or to
/// none.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The number of the question whose answer is waited for.
    pub now: &'a AtomicU32,
    /// The number of the question that is being thought about.
    pub own: u32,
}

impl Control for Wanted<'_> {
    fn should_stop(&mut self) -> bool {
        self.now.load(Ordering::Relaxed) != self.own
    }
}

/// Stops when an injected clock has reached a time.
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

/// Hands reports to a closure.
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
}

/// The search was told to stop or has used up its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Counts nodes and asks at the right moments. One countdown a node, whatever the bounds are.
pub(crate) struct Meter<'c, C> {
    pub(crate) control: &'c mut C,
    /// Nodes until the next question.
    left: u32,
    /// Nodes up to the next question.
    granted: u32,
    limits: Limits,
}

impl<'c, C: Control> Meter<'c, C> {
    pub(crate) fn new(control: &'c mut C, limits: Limits) -> Self {
        Meter {
            control,
            left: 0,
            granted: 0,
            limits,
        }
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.granted - self.left
    }

    /// Counts a node, unless the search has to stop before it.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<(), Stopped> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.check(),
        }
    }

    /// Counts several nodes at once: all of them, or those that the limit still allows and then the search stops.
    #[inline]
    pub(crate) fn count_all(&mut self, nodes: u32) -> Result<(), Stopped> {
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
