//! The mind view: the machine's value of every move on the board.

use dojo_core::players::belts::{MAX_THOUGHTS, Thought, Thoughts};

/// The values of the moves, and the question that asks for them.
#[derive(Default)]
pub(crate) struct MindView {
    on: bool,
    /// Whether X is held, which shows the values for as long.
    peeks: bool,
    /// The number of the question, and whether its last answer is there.
    asked: Option<(u32, bool)>,
    thoughts: Thoughts,
}

impl MindView {
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    pub(crate) fn toggle(&mut self) {
        self.on = !self.on;
        self.forget();
    }

    /// Shows the values for as long as X is held. Returns whether that is a change.
    pub(crate) fn peek(&mut self, peeks: bool) -> bool {
        core::mem::replace(&mut self.peeks, peeks) != peeks
    }

    /// Whether the values are drawn.
    pub(crate) fn is_visible(&self) -> bool {
        self.on || self.peeks
    }

    /// Whether the values are wanted and not asked for.
    pub(crate) fn is_due(&self) -> bool {
        self.is_visible() && self.asked.is_none()
    }

    /// Whether the values were asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether the last answer to this question is still missing.
    pub(crate) fn waits_for(&self, id: u32) -> bool {
        self.asked == Some((id, false))
    }

    /// Notes the question that was sent.
    pub(crate) fn asked(&mut self, id: u32) {
        self.asked = Some((id, false));
    }

    /// Drops the values: the position or the player who is asked has changed.
    pub(crate) fn forget(&mut self) {
        self.asked = None;
        self.thoughts.clear();
    }

    /// Drops a question without its last answer: another one replaces it, or the board is covered.
    /// Returns whether there was one.
    pub(crate) fn interrupt(&mut self) -> bool {
        let waits = matches!(self.asked, Some((_, false)));
        if waits {
            self.asked = None;
        }
        waits
    }

    /// Takes in values; answers to older questions are ignored.
    pub(crate) fn take_in(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        if self.asked == Some((id, false)) {
            self.asked = Some((id, done));
            self.set(thoughts);
        }
    }

    /// The question was answered: the values of its search stay.
    pub(crate) fn finish(&mut self, id: u32) {
        if self.asked == Some((id, false)) {
            self.asked = Some((id, true));
        }
    }

    /// Replaces the values by those of a search under way, if it has any. No value is above 1000
    /// from here on, whatever the thinking side sent.
    pub(crate) fn set(&mut self, thoughts: &[Thought]) {
        self.thoughts.clear();
        let checked = thoughts.iter().map(|&thought| Thought {
            value: thought.value.min(1000),
            ..thought
        });
        self.thoughts.extend(checked.take(MAX_THOUGHTS));
    }

    /// The values so far, for the picture.
    pub(crate) fn shown(&self) -> &[Thought] {
        if self.is_visible() {
            &self.thoughts
        } else {
            &[]
        }
    }

    /// The values so far.
    pub(crate) fn thoughts(&self) -> &[Thought] {
        &self.thoughts
    }

    /// The value of the position for the player to move, in thousandths of a win, once it is known.
    pub(crate) fn expected(&self) -> Option<u16> {
        self.thoughts.iter().map(|thought| thought.value).max()
    }

    /// Whether the last answer is there.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.asked, Some((_, true)))
    }
}
