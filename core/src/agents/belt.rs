//! The five opponents that people meet in every game.
//!
//! Where a trained table exists, a belt is its training age: the same learner, stopped earlier. Elsewhere a belt is
//! how far the machine looks ahead. Black is perfect wherever the game is solved.

use serde::{Deserialize, Serialize};

use crate::agents::{Agent, Lookahead, Perfect, Random, Searchable, Solvable, ValueTable, dots};
use crate::bank::{Bank, Entry, Kind, Meta, Number};
use crate::game::{Game, GameMove};
use crate::games::{AnyGame, Dots, GameId, Go, MAX_MOVES, Sticks, TicTacToe};
use crate::learn::dots::{Q_VALUES, leave_move, leave_value, q_move, q_value};
use crate::learn::{Fraction, two};
use crate::rng::Rng;

/// A level of strength, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Belt {
    /// A child can beat it.
    White = 0,
    /// The second.
    Yellow = 1,
    /// The third.
    Green = 2,
    /// The fourth.
    Brown = 3,
    /// As strong as the machine gets.
    Black = 4,
}

impl Belt {
    /// All belts, weakest first.
    pub const ALL: [Belt; 5] = [Belt::White, Belt::Yellow, Belt::Green, Belt::Brown, Belt::Black];

    /// The name used in commands and banks.
    pub const fn name(self) -> &'static str {
        match self {
            Belt::White => "white",
            Belt::Yellow => "yellow",
            Belt::Green => "green",
            Belt::Brown => "brown",
            Belt::Black => "black",
        }
    }

    /// The name that a player reads.
    pub const fn title(self) -> &'static str {
        match self {
            Belt::White => "White",
            Belt::Yellow => "Yellow",
            Belt::Green => "Green",
            Belt::Brown => "Brown",
            Belt::Black => "Black",
        }
    }

    /// The belt of this name.
    pub fn from_name(name: &str) -> Option<Belt> {
        Belt::ALL.into_iter().find(|belt| belt.name() == name)
    }

    /// The belt with this number.
    pub fn from_code(code: u8) -> Option<Belt> {
        Belt::ALL.get(usize::from(code)).copied()
    }

    /// How often a trained belt plays at random instead, in 1/2³²: white does with every eighth move, so that a child
    /// finds openings in it.
    pub const fn slips(self) -> u32 {
        match self {
            Belt::White => 1 << 29,
            _ => 0,
        }
    }

    /// How many moves ahead a belt without a table looks; black looks to the end.
    fn plies(self) -> usize {
        self as usize + 1
    }
}

/// What to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub game: AnyGame,
    /// Who is asked.
    pub belt: Belt,
    /// All chance in the answer comes from this number.
    pub seed: u64,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A trained model of the bank.
    Brain,
    /// Rules or search: there is no model for this game or these options, or no bank.
    Rules,
}

/// A move and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The index of the move.
    pub index: u16,
    /// What chose it.
    pub source: Source,
}

/// Answers a question; `None` if the game is over.
///
/// A model whose payload is damaged is not used: the rules answer then.
pub fn think(question: &Question, bank: Option<&Bank<'_>>) -> Option<Answer> {
    let mut rng = Rng::new(question.seed);
    match &question.game {
        AnyGame::Sticks(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
        AnyGame::TicTacToe(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
        AnyGame::Dots(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
        AnyGame::Go(game) => BeltPlayer { belt: question.belt, bank }.answer(game, &mut rng),
    }
}

/// A belt as an agent.
#[derive(Clone, Copy, Debug)]
pub struct BeltPlayer<'a> {
    /// Which belt.
    pub belt: Belt,
    /// Where its models are, if there are any.
    pub bank: Option<&'a Bank<'a>>,
}

impl BeltPlayer<'_> {
    fn answer<G: Belted>(&self, game: &G, rng: &mut Rng) -> Option<Answer> {
        if let Some(mv) = self.by_brain(game, rng) {
            return Some(Answer { index: mv.index(), source: Source::Brain });
        }
        let mv = game.by_rules(self.belt, rng)?;
        Some(Answer { index: mv.index(), source: Source::Rules })
    }

    /// The payload of the model that plays for this belt.
    fn model<G: Belted>(&self, game: &G) -> Option<&[u8]> {
        let serves = |entry: &Entry<'_>| entry.meta.belt == Some(self.belt) && G::fits(game.rules(), &entry.meta);
        self.bank?.entries().find(serves)?.payload().ok()
    }

    fn mind<G: Belted>(&self, game: &G) -> heapless::Vec<Thought, MAX_MOVES> {
        let model = self.model(game);
        let value = |mv| match model {
            Some(payload) => game.model_value(payload, mv),
            None => game.rules_value(mv),
        };
        game.legal_moves().filter_map(|mv| Some(Thought { index: mv.index(), value: value(mv)? })).collect()
    }

    fn by_brain<G: Belted>(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let values = self.model(game)?;
        // A belt without slips takes nothing from the generator.
        if self.belt.slips() > 0 && rng.chance(self.belt.slips()) {
            return Random.choose(game, rng);
        }
        game.by_model(values, rng)
    }
}

impl<G: Belted> Agent<G> for BeltPlayer<'_> {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        self.answer(game, rng).and_then(|answer| G::Move::from_index(answer.index))
    }
}

/// A game with belts.
pub trait Belted: Searchable {
    /// Whether a model is one that can play under these rules.
    fn fits(rules: Self::Rules, model: &Meta) -> bool;

    /// The move of a model that [`Belted::fits`], from its payload.
    fn by_model(&self, payload: &[u8], rng: &mut Rng) -> Option<Self::Move>;

    /// The move of a belt for which there is no model.
    fn by_rules(&self, belt: Belt, rng: &mut Rng) -> Option<Self::Move>;

    /// What a model that [`Belted::fits`] thinks of a move, in thousandths of a win.
    fn model_value(&self, payload: &[u8], mv: Self::Move) -> Option<u16>;

    /// What is known about a move without a model, in thousandths of a win.
    fn rules_value(&self, mv: Self::Move) -> Option<u16>;
}

/// A move and what the machine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The index of the move.
    pub index: u16,
    /// 1000 for a sure win, 0 for a sure loss.
    pub value: u16,
}

/// What a belt thinks of all its moves: the numbers that its choice rests on, for the screen that shows its mind.
///
/// Empty where it does not think in numbers, such as at the beginning of a large board.
pub fn mind(question: &Question, bank: Option<&Bank<'_>>) -> heapless::Vec<Thought, MAX_MOVES> {
    match &question.game {
        AnyGame::Sticks(game) => BeltPlayer { belt: question.belt, bank }.mind(game),
        AnyGame::TicTacToe(game) => BeltPlayer { belt: question.belt, bank }.mind(game),
        AnyGame::Dots(game) => BeltPlayer { belt: question.belt, bank }.mind(game),
        AnyGame::Go(game) => BeltPlayer { belt: question.belt, bank }.mind(game),
    }
}

/// A value of a solved game in thousandths of a win.
fn thousandths(value: i16) -> u16 {
    (value.signum() + 1) as u16 * 500
}

fn solved_value<G: Solvable>(game: &G, mv: G::Move) -> Option<u16> {
    let (solution, next) = (G::solve(game.rules()), game.after(mv));
    let value = next.value(&solution);
    Some(thousandths(if next.turn() == game.turn() { value } else { -value }))
}

/// Belts that look 1, 2, 3 or 4 moves ahead; black is perfect.
fn look_ahead<G: Solvable>(game: &G, belt: Belt, rng: &mut Rng) -> Option<G::Move> {
    match belt {
        Belt::Black => Perfect.choose(game, rng),
        belt => Lookahead { plies: belt.plies() }.choose(game, rng),
    }
}

/// No models: looking ahead is enough.
impl Belted for TicTacToe {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model(&self, _: &[u8], _: &mut Rng) -> Option<Self::Move> {
        None
    }

    fn by_rules(&self, belt: Belt, rng: &mut Rng) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    fn model_value(&self, _: &[u8], _: Self::Move) -> Option<u16> {
        None
    }

    fn rules_value(&self, mv: Self::Move) -> Option<u16> {
        solved_value(self, mv)
    }
}

/// A byte a state, for the classic rules.
impl Belted for Sticks {
    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let states = rules.rows().map(|row| u16::from(row) + 1);
        rules == Default::default()
            && (model.game, model.kind, model.number) == (GameId::Sticks, Kind::ValueTable, Number::U8)
            && model.dims == [states[0], states[1], states[2], 0]
    }

    fn by_model(&self, payload: &[u8], rng: &mut Rng) -> Option<Self::Move> {
        ValueTable(payload).choose(self, rng)
    }

    fn by_rules(&self, belt: Belt, rng: &mut Rng) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    fn model_value(&self, payload: &[u8], mv: Self::Move) -> Option<u16> {
        payload.get(self.after(mv).state()).copied().map(Fraction::thousandths)
    }

    fn rules_value(&self, mv: Self::Move) -> Option<u16> {
        solved_value(self, mv)
    }
}

/// For 2×2 under the usual rules: a byte for each position that can be left (`dots-black` and its younger selves), or
/// the published table, a byte for each edge in each set of edges. Elsewhere rules and counting of the end.
impl Belted for Dots {
    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        rules == Default::default()
            && (model.game, model.number) == (GameId::Dots, Number::U8)
            && match model.kind {
                Kind::ValueTable => model.dims == [two::SETS as u16, 5, 2, 0],
                Kind::QTable => model.dims == [two::SETS as u16, two::EDGES as u16, 0, 0],
                _ => false,
            }
    }

    fn by_model(&self, payload: &[u8], _: &mut Rng) -> Option<Self::Move> {
        if payload.len() == Q_VALUES { q_move(payload, self) } else { leave_move(payload, self) }
    }

    fn by_rules(&self, belt: Belt, rng: &mut Rng) -> Option<Self::Move> {
        dots::by_rules(self, belt, rng)
    }

    fn model_value(&self, payload: &[u8], edge: Self::Move) -> Option<u16> {
        let value =
            if payload.len() == Q_VALUES { q_value(payload, self, edge) } else { leave_value(payload, self, edge) };
        value.map(Fraction::thousandths)
    }

    fn rules_value(&self, edge: Self::Move) -> Option<u16> {
        dots::value_by_rules(self, edge)
    }
}

/// No models and no search yet: any legal move.
impl Belted for Go {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model(&self, _: &[u8], _: &mut Rng) -> Option<Self::Move> {
        None
    }

    fn by_rules(&self, _: Belt, rng: &mut Rng) -> Option<Self::Move> {
        Random.choose(self, rng)
    }

    fn model_value(&self, _: &[u8], _: Self::Move) -> Option<u16> {
        None
    }

    fn rules_value(&self, _: Self::Move) -> Option<u16> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::AnyRules;

    #[test]
    fn every_belt_answers_every_game_without_a_bank() {
        for id in GameId::ALL {
            for belt in Belt::ALL {
                let mut game = AnyRules::new(id).start();
                let mut seed = 0;
                while game.outcome().is_none() {
                    let answer = think(&Question { game, belt, seed }, None).unwrap();
                    assert_eq!(answer.source, Source::Rules);
                    game.play(answer.index).unwrap();
                    seed += 1;
                }
                assert_eq!(think(&Question { game, belt, seed }, None), None);
            }
        }
    }
}
