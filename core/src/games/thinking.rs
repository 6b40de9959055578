//! Questions about any game, answered by its belts.

use crate::bank::{Bank, Entry};
use crate::belt::Belt;
use crate::games::AnyGame;
use crate::inside;
use crate::memory::Workspace;
use crate::players::belts::{Answer, BeltPlayer, Belted, Means, Thoughts, serving};
use crate::rng::Rng;
use crate::search::Control;

/// What to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub game: AnyGame,
    /// Who is asked.
    pub belt: Belt,
    /// All chance in the answer comes from this number.
    pub seed: u64,
    /// Whether it may give the game up instead of a move.
    pub may_resign: bool,
}

/// Answers a question; `None` if the game is over.
///
/// A model whose payload is damaged is not used: the rules answer then. A player that is stopped answers with what it
/// has.
pub fn think<W: Workspace, C: Control>(
    question: &Question,
    bank: Option<&Bank<'_>>,
    means: &mut Means<'_, W, C>,
) -> Option<Answer> {
    let mut rng = Rng::new(question.seed);
    let player = BeltPlayer {
        belt: question.belt,
        bank,
        may_resign: question.may_resign,
    };
    inside!(AnyGame, &question.game, game => player.answer(game, &mut rng, means))
}

/// Answers a question undisturbed, in memory from the heap.
#[cfg(any(test, feature = "alloc"))]
pub fn answer(question: &Question, bank: Option<&Bank<'_>>) -> Option<Answer> {
    let mut memory = crate::memory::Heap::default();
    think(
        question,
        bank,
        &mut Means {
            memory: &mut memory,
            control: &mut (),
            helper: None,
        },
    )
}

/// The model that plays for a belt under the rules of this position, if there is one.
pub fn model<'b>(game: &AnyGame, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
    fn of<'b, G: Belted>(game: &G, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
        serving::<G>(game.rules(), belt, bank)
    }
    inside!(AnyGame, game, game => of(game, belt, bank))
}

/// What a belt thinks of all its moves: the numbers that its choice rests on, for the screen that shows its mind. At the
/// end of a game of Go, what it thinks of the stones: how sure each lives.
///
/// Empty where it does not think in numbers, such as at the beginning of a large board.
pub fn mind<W: Workspace, C: Control>(
    question: &Question,
    bank: Option<&Bank<'_>>,
    means: &mut Means<'_, W, C>,
) -> Thoughts {
    let player = BeltPlayer {
        belt: question.belt,
        bank,
        may_resign: false,
    };
    inside!(AnyGame, &question.game, game => player.thoughts(game, means))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{AnyRules, GameId};
    use crate::players::belts::Source;

    #[test]
    fn every_belt_answers_every_game_without_a_bank() {
        for id in GameId::ALL {
            for belt in Belt::ALL {
                let mut game = AnyRules::new(id).start();
                let mut seed = 0;
                // The higher belts of Go take seconds for a move.
                let slow = id == GameId::Go && belt > Belt::Green;
                while game.outcome().is_none() {
                    if slow && seed == 2 {
                        break;
                    }
                    let chosen = answer(
                        &Question {
                            game,
                            belt,
                            seed,
                            may_resign: false,
                        },
                        None,
                    )
                    .unwrap();
                    assert_eq!(chosen.source, Source::Rules);
                    game.play(chosen.index).unwrap();
                    seed += 1;
                }
                assert_eq!(
                    answer(
                        &Question {
                            game,
                            belt,
                            seed,
                            may_resign: false
                        },
                        None
                    )
                    .is_none(),
                    game.outcome().is_some()
                );
            }
        }
    }
}
