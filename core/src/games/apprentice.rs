//! The apprentice: it learns from its games against a person, by the published updates.
//!
//! - 15 sticks: the temporal-difference update of [`crate::learn::ValueLearner`], one table for both
//!   sides, so that it learns from the person's moves as well: after a game, backwards, each state
//!   that was left moves towards the next one that the same side left, the last one towards the
//!   result.
//! - 2×2 dots and boxes: the update of [`super::dots::learner::QLearner`] in self-play, forwards:
//!   each edge moves towards the best value of the same side's next turn, the last one towards the
//!   result. The table is kept under the eight symmetries of the board, legal edges only.
//!
//! A person plays tens of games, not tens of thousands: the rates are larger than published, and the
//! chance of a random move falls with the apprentice's age.
//!
//! The table lies with its owner in parts of [`PART`] values, of which few are at hand at a time. What
//! is asked for and not at hand is `None`: then the owner fetches it, and asks again.

use super::dots::learner::Worth;
use super::dots::symmetric::{self, VALUES};
use super::dots::two_by_two;
use crate::fraction::Fraction;
use crate::game::{Game, GameMove, Outcome, Player};
use crate::games::pupil::STICKS_STATES;
use crate::games::{AnyGame, AnyRules, Dots, GameId, Sticks};
use crate::players::Tabular;
use crate::rng::Rng;

/// The games that it learns, each under its default rules.
pub const GAMES: [GameId; 2] = [GameId::Sticks, GameId::Dots];

/// Values in a part of the table.
pub const PART: usize = STICKS_STATES;

/// Parts of the table of a game; none if it does not learn that game.
pub const fn parts(game: GameId) -> usize {
    match game {
        GameId::Sticks => 1,
        GameId::Dots => VALUES.div_ceil(PART),
        _ => 0,
    }
}

/// Learning rates, in 1/2¹⁶: 0.3.
const RATE: u16 = 19_661;
/// The first chance of a random move, in 1/2³²: 30 %. It halves with every [`HALVING`] games.
const EXPLORE: u32 = 1_288_490_189;
const HALVING: u32 = 10;

/// Values of the table that are at hand. All begin with 0: in sticks a certain loss, in dots and
/// boxes a draw.
pub trait Table {
    /// The value at a place; `None` if it is not at hand.
    fn value(&mut self, place: usize) -> Option<u16>;

    /// Changes a value that is at hand.
    fn set(&mut self, place: usize, value: u16);
}

/// A move of the apprentice of this age: the best by its table, any of equally good ones, or a
/// random one. `None` while the table is not at hand. No random number is used until it is.
pub fn choose(game: &AnyGame, age: u32, table: &mut impl Table, rng: &mut Rng) -> Option<u16> {
    match game {
        AnyGame::Sticks(game) => best(game, age, rng, |mv| {
            table.value(game.state_after(mv)).map(i32::from)
        }),
        AnyGame::Dots(game) => {
            let edges = two_by_two::edges(game);
            best(game, age, rng, |edge| {
                let place = symmetric::place(edges, edge.index() as u8);
                table.value(place).map(|value| i32::from(value as i16))
            })
        }
        _ => None,
    }
}

fn best<G: Game>(
    game: &G,
    age: u32,
    rng: &mut Rng,
    mut value: impl FnMut(G::Move) -> Option<i32>,
) -> Option<u16> {
    let mut top = i32::MIN;
    for mv in game.legal_moves() {
        top = top.max(value(mv)?);
    }
    let explores = rng.chance(EXPLORE >> (age / HALVING).min(31));
    let mut chosen = None;
    let mut count = 0;
    for mv in game.legal_moves() {
        if explores || value(mv)? == top {
            count += 1;
            if rng.below(count) == 0 {
                chosen = Some(mv.index());
            }
        }
    }
    chosen
}

/// A finished game to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// Its rules: the default ones of a game that it learns.
    pub rules: AnyRules,
    /// All moves.
    pub moves: &'a [u16],
    /// How it ended.
    pub outcome: Outcome,
}

impl Lesson<'_> {
    /// Steps of learning from it: one for each move.
    pub fn steps(&self) -> usize {
        self.moves.len()
    }

    /// Learns one step, in order from 0. `None` while the table is not at hand: nothing has changed
    /// then, and the same step is to be taken again.
    pub fn step(&self, number: usize, table: &mut impl Table) -> Option<()> {
        match self.rules {
            AnyRules::Sticks(rules) => self.step_sticks(Sticks::new(rules), number, table),
            AnyRules::Dots(rules) => self.step_dots(Dots::new(rules), number, table),
            _ => Some(()),
        }
    }

    /// Backwards: step 0 is the last move.
    fn step_sticks(&self, start: Sticks, number: usize, table: &mut impl Table) -> Option<()> {
        let Some(ply) = self.moves.len().checked_sub(number + 1) else {
            return Some(());
        };
        let left = |plies: usize| after(start, self.moves.get(..plies)?);
        let (Some(before), Some(state)) = (left(ply), left(ply + 1)) else {
            return Some(());
        };
        // Turns alternate: the same side's next state is two plies on.
        let target = match left(ply + 3) {
            Some(next) => table.value(next.state())?,
            None => match self.outcome.value_for(before.turn()) {
                1 => u16::ONE,
                _ => u16::ZERO,
            },
        };
        let value = table.value(state.state())?;
        table.set(state.state(), value.toward(target, RATE));
        Some(())
    }

    /// Forwards: step 0 is the first move.
    fn step_dots(&self, start: Dots, number: usize, table: &mut impl Table) -> Option<()> {
        let at = |plies: usize| after(start, self.moves.get(..plies)?);
        let (Some(game), Some(&edge)) = (at(number), self.moves.get(number)) else {
            return Some(());
        };
        let mover: Player = game.turn();
        let next = (number + 1..self.moves.len())
            .filter_map(at)
            .find(|later| later.turn() == mover);
        let target = match next {
            Some(later) => {
                let edges = two_by_two::edges(&later);
                let mut best = i16::MIN;
                for edge in later.legal_moves() {
                    let place = symmetric::place(edges, edge.index() as u8);
                    best = best.max(table.value(place)? as i16);
                }
                best
            }
            None => i16::LOSS_DRAW_WIN[(self.outcome.value_for(mover) + 1) as usize],
        };
        let place = symmetric::place(two_by_two::edges(&game), edge as u8);
        let value = table.value(place)? as i16;
        table.set(place, value.toward(target, RATE, 1 << 16) as u16);
        Some(())
    }
}

/// The position after these moves; `None` if one of them is illegal.
fn after<G: Game>(start: G, moves: &[u16]) -> Option<G> {
    let mut game = start;
    for &mv in moves {
        game.play(GameMove::from_index(mv)?).ok()?;
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::players::{Simple, Smart};
    use crate::players::{Agent, Random};

    /// All at hand.
    impl Table for [u16] {
        fn value(&mut self, place: usize) -> Option<u16> {
            Some(self[place])
        }

        fn set(&mut self, place: usize, value: u16) {
            self[place] = value;
        }
    }

    impl<const N: usize> Table for [u16; N] {
        fn value(&mut self, place: usize) -> Option<u16> {
            Some(self[place])
        }

        fn set(&mut self, place: usize, value: u16) {
            self[place] = value;
        }
    }

    /// Plays so many games against a person, learning from each; returns the apprentice's wins in
    /// each tenth of them.
    fn rivalry<G: Game + Copy>(
        start: G,
        wrap: fn(G) -> AnyGame,
        person: &mut dyn FnMut(&G, &mut Rng) -> G::Move,
        games: u32,
        seed: u64,
    ) -> [u32; 10] {
        let mut table = [0u16; parts(GameId::Dots) * PART];
        let mut rng = Rng::new(seed);
        let mut wins = [0; 10];
        for number in 0..games {
            let me = Player::BOTH[number as usize % 2];
            let mut game = start;
            let mut moves = heapless::Vec::<u16, 16>::new();
            while !game.is_over() {
                let mv = if game.turn() == me {
                    let index = choose(&wrap(game), number, &mut table, &mut rng).unwrap();
                    G::Move::from_index(index).unwrap()
                } else {
                    person(&game, &mut rng)
                };
                game.play(mv).unwrap();
                moves.push(mv.index()).unwrap();
            }
            let outcome = game.outcome().unwrap();
            wins[(number * 10 / games) as usize] += u32::from(outcome.value_for(me) == 1);
            let lesson = Lesson {
                rules: wrap(start).rules(),
                moves: &moves,
                outcome,
            };
            for step in 0..lesson.steps() {
                lesson.step(step, &mut table).unwrap();
            }
        }
        wins
    }

    const SEEDS: u64 = 10;

    /// Wins of ten apprentices in each tenth of their games.
    fn school<G: Game + Copy>(
        start: G,
        wrap: fn(G) -> AnyGame,
        mut person: impl FnMut(&G, &mut Rng) -> G::Move,
        games: u32,
    ) -> [u32; 10] {
        let mut all = [0; 10];
        for seed in 0..SEEDS {
            let wins = rivalry(start, wrap, &mut person, games, seed);
            for (sum, wins) in all.iter_mut().zip(wins) {
                *sum += wins;
            }
        }
        all
    }

    #[test]
    fn it_learns_to_beat_people_at_dots() {
        let start = || Dots::new(Default::default());
        // Of 100 games: the lowest-numbered free edge, any edge, and the rule-based player.
        for (name, first, last) in [("simple", 55, 95), ("random", 62, 65), ("smart", 10, 11)] {
            let wins = school(
                start(),
                AnyGame::Dots,
                |game, rng| match name {
                    "simple" => Simple.choose(game, rng).unwrap(),
                    "random" => Random.choose(game, rng).unwrap(),
                    _ => Smart.choose(game, rng).unwrap(),
                },
                100,
            );
            assert!(wins[0] <= first && wins[9] >= last, "{name}: {wins:?}");
        }
    }

    #[test]
    fn it_learns_to_beat_people_at_sticks() {
        let start = || Sticks::new(Default::default());
        // The first legal move, any move, and one who errs with every fourth move.
        for (name, first, last) in [("first", 75, 98), ("random", 65, 85), ("good", 35, 60)] {
            let solution = crate::games::sticks::Solution::new(true);
            let wins = school(
                start(),
                AnyGame::Sticks,
                |game, rng| match name {
                    "first" => game.legal_moves().next().unwrap(),
                    "random" => Random.choose(game, rng).unwrap(),
                    // Three of four moves are the best.
                    _ => {
                        let best = game
                            .legal_moves()
                            .find(|&mv| !solution.is_won(game.after(mv).triple()));
                        let random = Random.choose(game, rng).unwrap();
                        best.filter(|_| rng.below(4) > 0).unwrap_or(random)
                    }
                },
                100,
            );
            assert!(wins[0] <= first && wins[9] >= last, "{name}: {wins:?}");
        }
    }
}
