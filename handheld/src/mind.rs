//! The mind view: what the machine thinks of every move of the position on the board.

use dojo_core::players::belts::{MAX_THOUGHTS, Thought, Thoughts};

/// Thoughts about the position on the board, if they are to be shown.
#[derive(Default)]
pub(crate) struct MindView {
    on: bool,
    /// The number of the question and whether it has been answered to the end.
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

    /// Whether the position has to be asked about.
    pub(crate) fn is_due(&self) -> bool {
        self.on && self.asked.is_none()
    }

    /// Whether somebody thinks about the position or has done so.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// A question is on its way.
    pub(crate) fn asked(&mut self, id: u32) {
        self.asked = Some((id, false));
    }

    /// The position changed, or who thinks about it.
    pub(crate) fn forget(&mut self) {
        self.asked = None;
        self.thoughts.clear();
    }

    /// Another question comes in between, or nobody looks. Returns whether somebody was still thinking.
    pub(crate) fn interrupt(&mut self) -> bool {
        let waits = matches!(self.asked, Some((_, false)));
        if waits {
            self.asked = None;
        }
        waits
    }

    /// Takes in what the thinking side says; what answers an older question is ignored.
    pub(crate) fn take_in(&mut self, id: u32, thoughts: &[Thought], done: bool) {
        if self.asked == Some((id, false)) {
            self.asked = Some((id, done));
            self.thoughts = thoughts.iter().copied().take(MAX_THOUGHTS).collect();
        }
    }

    /// What to draw.
    pub(crate) fn thoughts(&self) -> &[Thought] {
        &self.thoughts
    }

    /// The value of the position for the player to move, in thousandths of a win, once it is known.
    pub(crate) fn expected(&self) -> Option<u16> {
        self.thoughts.iter().map(|thought| thought.value).max()
    }

    /// Whether the machine has said all it has to say.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.asked, Some((_, true)))
    }
}
