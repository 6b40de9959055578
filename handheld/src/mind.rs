//! The mind view: the machine's value of every move on the board.

use dojo_core::players::belts::{MAX_THOUGHTS, Thought, Thoughts};

/// The values of the moves, and the question that asks for them.
#[derive(Default)]
pub(crate) struct MindView {
    on: bool,
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

    /// Whether the values are wanted and not asked for.
    pub(crate) fn is_due(&self) -> bool {
        self.on && self.asked.is_none()
    }

    /// Whether the values were asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some()
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

    /// Takes in values; answers to older questions are ignored. No value is above 1000 from here
    /// on, whatever the thinking side sent.
    pub(crate) fn take_in(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        if self.asked == Some((id, false)) {
            self.asked = Some((id, done));
            self.thoughts = thoughts
                .iter()
                .take(MAX_THOUGHTS)
                .map(|&Thought { index, value }| Thought {
                    index,
                    value: value.min(1000),
                })
                .collect();
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
