//! What the thinking side of a device has to do next.

use crate::{Order, Purpose};

/// What the thinking side can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Think about the question of this number, perhaps as the brain that the player kept.
    Think {
        /// The number of the question.
        id: u32,
        /// What is wanted.
        purpose: Purpose,
        /// Whether the kept brain is asked.
        pupil: bool,
    },
    /// Say how fast it is.
    Measure,
    /// Teach.
    Learn(Order),
}

impl Task {
    /// What is left of a task that was not begun when nobody waits for an answer any more: an order to teach stays.
    pub fn after_stop(self) -> Option<Task> {
        matches!(self, Task::Learn(_)).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::GameId;

    #[test]
    fn orders_to_teach_outlive_a_stop_and_nothing_else_does() {
        let begin = Order::Begin {
            id: 1,
            game: GameId::Sticks,
            seed: 2,
        };
        for order in [
            begin,
            Order::Stop,
            Order::GoOn,
            Order::Keep,
            Order::Discard,
            Order::End,
        ] {
            assert_eq!(Task::Learn(order).after_stop(), Some(Task::Learn(order)));
        }
        let think = Task::Think {
            id: 3,
            purpose: Purpose::Both,
            pupil: false,
        };
        assert_eq!([think, Task::Measure].map(Task::after_stop), [None; 2]);
    }
}
