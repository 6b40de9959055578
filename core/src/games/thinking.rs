//! Questions about any game, answered by its belts: a move, or the values of all moves.

use crate::bank::{Bank, Entry};
use crate::belt::Belt;
use crate::for_each_game;
use crate::game::GameMove;
use crate::games::{self, AnyGame, AnyRules, GameId};
use crate::memory::Workspace;
use crate::players::belts::{
    Ancestor, Answer, Belted, Decision, Grounds, Resources, Source, Thoughts, decide, open, serving,
};
use crate::rng::Rng;
use crate::search::Control;
use crate::with_game;

/// A question to a belt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub game: AnyGame,
    /// The belt that answers.
    pub belt: Belt,
    /// Seed of the answer's random numbers.
    pub seed: u64,
    /// Whether it may resign.
    pub may_resign: bool,
    /// The number of the ancestor that answers instead of the belt.
    pub ancestor: Option<u8>,
}

/// Answers questions about all games with the models of one bank. It caches the model in use.
#[derive(Clone, Debug)]
pub struct Thinker<'b> {
    bank: Option<Bank<'b>>,
    opened: Option<Opened<'b>>,
}

/// Whose a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Belt(Belt),
    Ancestor(u8),
}

/// The cached model, with the rules and the player it belongs to.
#[derive(Clone, Debug)]
struct Opened<'b> {
    rules: AnyRules,
    owner: Owner,
    model: Option<AnyModel<'b>>,
}

impl<'b> Thinker<'b> {
    /// A thinker with these models. Without a bank, rules and search answer.
    pub const fn new(bank: Option<Bank<'b>>) -> Thinker<'b> {
        Thinker { bank, opened: None }
    }

    /// Opens the model for these rules and this player, unless it is cached. `None` if the bank has
    /// none or it is damaged.
    fn open(&mut self, rules: AnyRules, owner: Owner) -> Option<&AnyModel<'b>> {
        let is_open = |opened: &Opened<'b>| opened.rules == rules && opened.owner == owner;
        if !self.opened.as_ref().is_some_and(is_open) {
            let model = self
                .bank
                .and_then(|bank| AnyModel::open(rules, owner, &bank));
            self.opened = Some(Opened {
                rules,
                owner,
                model,
            });
        }
        self.opened.as_ref()?.model.as_ref()
    }
}

macro_rules! any_model {
    ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        /// A model of any game.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "there is no heap, and one model in use")]
        enum AnyModel<'b> {
            $($Game(<games::$Game as Belted>::Model<'b>),)*
        }

        impl<'b> AnyModel<'b> {
            fn open(rules: AnyRules, owner: Owner, bank: &Bank<'b>) -> Option<AnyModel<'b>> {
                match rules {
                    $(AnyRules::$Game(rules) => match owner {
                        Owner::Belt(belt) => open::<games::$Game>(rules, Some(belt), bank),
                        Owner::Ancestor(number) => games::$Game::ancestor_model(rules, number.into(), bank),
                    }
                    .map(AnyModel::$Game),)*
                }
            }
        }

        impl Thinker<'_> {
            /// Answers a question; `None` if the game is over. A stopped player answers with its
            /// best move so far.
            #[inline(never)] // its frame is large, and tests on the image look for it
            pub fn think<W: Workspace, C: Control>(
                &mut self,
                question: &Question,
                resources: &mut Resources<'_, W, C>,
            ) -> Option<Answer> {
                let Question { game, belt, seed, may_resign, ancestor } = question;
                let bank = self.bank;
                let mut rng = Rng::new(*seed);
                let owner = ancestor.map_or(Owner::Belt(*belt), Owner::Ancestor);
                let model = self.open(game.rules(), owner);
                match game {
                    $(AnyGame::$Game(game) => {
                        let model = match model {
                            Some(AnyModel::$Game(model)) => Some(model),
                            _ => None,
                        };
                        let known = ancestor.and_then(|number| {
                            game.by_ancestor(number.into(), model, &mut rng, resources)
                        });
                        match (known, ancestor) {
                            (Some(mv), _) => Some(Answer {
                                decision: Decision::Play(mv.index()),
                                source: Source::Brain,
                                grounds: Grounds::default(),
                            }),
                            // Its model is missing: rules stand in.
                            (None, Some(_)) => decide(*belt, None, false, game, &mut rng, resources),
                            (None, None) => {
                                let answer = decide(*belt, model, *may_resign, game, &mut rng, resources)?;
                                // Hints are told with their reasons.
                                let hint = answer.index().filter(|_| !may_resign);
                                let hint = hint.and_then(GameMove::from_index);
                                let grounds = hint.map_or(answer.grounds, |mv| Grounds {
                                    expected: answer.grounds.expected,
                                    ..game.grounds(mv, model, bank.as_ref())
                                });
                                Some(Answer { grounds, ..answer })
                            }
                        }
                    })*
                }
            }

            /// The values that a belt gives to all its moves, for the mind view. In a finished game
            /// with a scoring phase, its values of the pieces: how sure each counts.
            ///
            /// Empty where the belt computes no values, such as at the beginning of a large board, and
            /// for ancestors.
            pub fn mind<W: Workspace, C: Control>(
                &mut self,
                question: &Question,
                resources: &mut Resources<'_, W, C>,
            ) -> Thoughts {
                if question.ancestor.is_some() {
                    return Thoughts::new();
                }
                let model = self.open(question.game.rules(), Owner::Belt(question.belt));
                match &question.game {
                    $(AnyGame::$Game(game) => {
                        let model = match model {
                            Some(AnyModel::$Game(model)) => Some(model),
                            _ => None,
                        };
                        game.thoughts(question.belt, model, resources)
                    })*
                }
            }
        }

        /// The bank entry of a belt's model under these rules, if there is one.
        pub fn entry<'b>(rules: AnyRules, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
            match rules {
                $(AnyRules::$Game(rules) => serving::<games::$Game>(rules, Some(belt), bank),)*
            }
        }

        /// Most ancestors of a game.
        pub const MAX_ANCESTORS: usize = games::largest([$(games::$Game::ANCESTORS.len()),*]);

        /// The ancestor of a game with this number.
        pub fn ancestor_of(id: GameId, number: u8) -> Option<Ancestor> {
            with_game!(id, G => G::ANCESTORS.get(usize::from(number)).copied())
        }

        /// The same, if it plays under these rules.
        pub fn ancestor(rules: AnyRules, number: u8) -> Option<Ancestor> {
            let number = usize::from(number);
            match rules {
                $(AnyRules::$Game(rules) => games::$Game::ANCESTORS
                    .get(number)
                    .filter(|_| games::$Game::has_ancestor(rules, number))
                    .copied(),)*
            }
        }
    };
}
for_each_game!({ any_model });

/// Answers a question without a time limit, in memory from the heap.
#[cfg(any(test, feature = "alloc"))]
pub fn answer(question: &Question, bank: Option<&Bank<'_>>) -> Option<Answer> {
    let mut resources = Resources {
        memory: &mut crate::memory::Heap::default(),
        control: &mut (),
        helper: None,
    };
    Thinker::new(bank.copied()).think(question, &mut resources)
}

/// The values of a belt's moves, without a time limit, in memory from the heap.
#[cfg(any(test, feature = "alloc"))]
pub fn mind(question: &Question, bank: Option<&Bank<'_>>) -> Thoughts {
    let mut resources = Resources {
        memory: &mut crate::memory::Heap::default(),
        control: &mut (),
        helper: None,
    };
    Thinker::new(bank.copied()).mind(question, &mut resources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;
    use crate::players::belts::Source;

    #[test]
    fn ancestors_play_whole_games_and_their_cards_fit() {
        let mut met = 0;
        for id in GameId::ALL {
            for number in 0..=MAX_ANCESTORS as u8 {
                let Some(known) = ancestor(AnyRules::new(id), number) else {
                    continue;
                };
                assert_eq!(ancestor_of(id, number), Some(known));
                assert!(
                    known.origin.len() <= 66 && known.name.len() <= 10,
                    "{known:?}"
                );
                let bank = Bank::new(include_bytes!("../../../models/dojo.bank")).unwrap();
                let mut game = AnyRules::new(id).start();
                let mut seed = 0;
                // A game of Go would take minutes.
                while game.outcome().is_none() && !(id == GameId::Go && seed == 4) {
                    let question = Question {
                        game,
                        belt: Belt::Black,
                        seed,
                        may_resign: true,
                        ancestor: Some(number),
                    };
                    let chosen = answer(&question, Some(&bank)).unwrap();
                    assert_eq!(chosen.source, Source::Brain, "{}", known.name);
                    assert!(mind(&question, Some(&bank)).is_empty());
                    game.play(chosen.index().unwrap()).unwrap();
                    seed += 1;
                }
                met += 1;
            }
        }
        assert_eq!(met, 9);
    }

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
                            ancestor: None,
                        },
                        None,
                    )
                    .unwrap();
                    assert_eq!(chosen.source, Source::Rules);
                    game.play(chosen.index().unwrap()).unwrap();
                    seed += 1;
                }
                assert_eq!(
                    answer(
                        &Question {
                            game,
                            belt,
                            seed,
                            may_resign: false,
                            ancestor: None,
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
