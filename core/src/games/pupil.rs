//! Pupils: training sessions on the device, in small steps, with figures for a screen.
//!
//! The two pupils start from empty tables, in fixed memory and fixed point. A screen calls `step`
//! with as many games as fit between two frames and reads `figures` at intervals; the same seed
//! gives the same table everywhere. A trained table is stored in the bank's format and played by
//! the same code as shipped models.

use serde::{Deserialize, Serialize};

use super::dots::learner::{LEAVE_VALUES, LeaveLearner, LeaveSettings, leave_move};
use super::dots::two_by_two::{Opponent, SETS};
use crate::bank::kept::{Brain, Values};
use crate::bank::{Kind, Meta, NAME, Number};
use crate::belt::Belt;
use crate::fraction::Fraction;
use crate::game::{Game, Player};
use crate::games::dots::players::Smart;
use crate::games::sticks::{Solution, TRIPLES};
use crate::games::{Dots, GameId, Sticks};
use crate::learn::{Progress, ValueLearner, ValueSettings};
use crate::players::{Agent, Random, Tabular, ValueTable};
use crate::rng::Rng;

/// A pupil of one of the two games.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one pupil, and no heap")]
pub enum Pupil<'a> {
    /// Of 15 sticks.
    Sticks(SticksPupil),
    /// Of 2×2 dots and boxes.
    Dots(DotsPupil<'a>),
}

/// The games with a pupil, each under its default rules.
pub const LESSONS: [GameId; 2] = [GameId::Sticks, GameId::Dots];

impl<'a> Pupil<'a> {
    /// A new pupil. `memory` holds the table of a [`DotsPupil`]; `None` if it is too short, or if
    /// the game has no pupil.
    pub fn new(game: GameId, memory: &'a mut [u16], seed: u64) -> Option<Pupil<'a>> {
        match game {
            GameId::Sticks => Some(Pupil::Sticks(SticksPupil::new(seed))),
            GameId::Dots => {
                let table = memory.first_chunk_mut::<LEAVE_VALUES>()?;
                Some(Pupil::Dots(DotsPupil::new(table, seed)))
            }
            _ => None,
        }
    }

    /// Trains with this many games, up to the planned number.
    pub fn step(&mut self, games: u32) {
        let games = games.min(self.planned() - self.games());
        match self {
            Pupil::Sticks(pupil) => pupil.step(games),
            Pupil::Dots(pupil) => pupil.step(games),
        }
    }

    /// Games so far.
    pub fn games(&self) -> u32 {
        match self {
            Pupil::Sticks(pupil) => pupil.learner.games(),
            Pupil::Dots(pupil) => pupil.progress().games,
        }
    }

    /// Planned number of games.
    pub fn planned(&self) -> u32 {
        match self {
            Pupil::Sticks(_) => SticksPupil::GAMES,
            Pupil::Dots(_) => DotsPupil::GAMES,
        }
    }

    /// Whether all planned games have been played.
    pub fn is_done(&self) -> bool {
        self.games() >= self.planned()
    }

    /// Measures its progress.
    pub fn figures(&self) -> Figures {
        match self {
            Pupil::Sticks(pupil) => pupil.figures(),
            Pupil::Dots(pupil) => pupil.figures(),
        }
    }

    /// Its table.
    pub fn values(&self) -> &[u16] {
        match self {
            Pupil::Sticks(pupil) => &pupil.table()[..],
            Pupil::Dots(pupil) => &pupil.table()[..],
        }
    }

    /// Its table with metadata, for [`Keeping`](crate::bank::kept::Keeping). It plays as black
    /// belt; its strength is measured in a hundred games against a random player.
    pub fn brain(&self, seed: u64) -> Brain<'_> {
        let (game, dims, name, strength) = match self {
            Pupil::Sticks(pupil) => (
                GameId::Sticks,
                [4, 6, 8, 0],
                &b"my-sticks"[..],
                pupil.against_random(),
            ),
            Pupil::Dots(pupil) => (
                GameId::Dots,
                [SETS as u16, 5, 2, 0],
                &b"my-dots"[..],
                pupil.figures().against_random,
            ),
        };
        let mut filled = [0; NAME];
        filled[..name.len()].copy_from_slice(name);
        let meta = Meta {
            game,
            kind: Kind::ValueTable,
            belt: Some(Belt::Black),
            number: Number::U8,
            rules_version: game.rules_version(),
            dims,
            scale: 255,
            seed,
            games: self.games().into(),
            settings: 0,
            date: 0,
            strength,
            name: filled,
        };
        Brain {
            meta,
            values: Values::Words(self.values()),
        }
    }
}

/// Progress of a pupil. Shares are in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Games so far.
    pub games: u32,
    /// Sticks: share of states whose value is within 0.1 of won or lost.
    pub sure: u16,
    /// Sticks: number of those states that are wrong.
    pub wrong: u16,
    /// Sticks: share of won states in which the chosen move keeps the win. Dots: share of games won
    /// against the rule-based player.
    pub strength: u16,
    /// Dots: share of games won against a random player.
    pub against_random: u16,
}

/// States of 15 sticks under its default rules.
pub const STICKS_STATES: usize = 192;

/// Learns 15 sticks by self-play; exploration decays over the planned games.
#[derive(Clone, Debug)]
pub struct SticksPupil {
    learner: ValueLearner<u16, STICKS_STATES>,
}

impl SticksPupil {
    /// Planned number of games.
    pub const GAMES: u32 = 30_000;

    const SETTINGS: ValueSettings = ValueSettings {
        rate: 3277,                                         // 0.05
        explore: 644_245_094,                               // 15 %
        decay: (6 * (1 << 32) / Self::GAMES as u64) as u32, // decays to e⁻⁶ of that
        scatter: 0,
    };

    /// A new pupil.
    pub fn new(seed: u64) -> SticksPupil {
        SticksPupil {
            learner: ValueLearner::new(Self::SETTINGS, seed),
        }
    }

    /// Trains with this many games.
    pub fn step(&mut self, games: u32) {
        let start = Sticks::new(Default::default());
        for _ in 0..games {
            self.learner.play_game(start, |game, _| *game);
        }
    }

    /// The values of leaving each state.
    pub fn table(&self) -> &[u16; STICKS_STATES] {
        self.learner.table()
    }

    /// The table as stored in a bank.
    pub fn bytes(&self) -> [u8; STICKS_STATES] {
        self.table().map(Fraction::byte)
    }

    /// Share of a hundred games won against a random player, in thousandths.
    fn against_random(&self) -> u16 {
        let mut rng = Rng::new(self.learner.games().into());
        let mut wins = 0;
        for number in 0..DotsPupil::TESTS {
            let me = Player::BOTH[number as usize % 2];
            let mut game = Sticks::new(Default::default());
            while !game.is_over() {
                let mine = game.turn() == me;
                let mv = if mine {
                    ValueTable(self.table()).choose(&game, &mut rng)
                } else {
                    Random.choose(&game, &mut rng)
                };
                let Some(mv) = mv else { break };
                game.play_unchecked(mv);
            }
            wins += u32::from(
                game.outcome()
                    .is_some_and(|outcome| outcome.value_for(me) == 1),
            );
        }
        share(wins, DotsPupil::TESTS)
    }

    /// Measures its progress against the exact solution.
    pub fn figures(&self) -> Figures {
        let (solution, start) = (Solution::new(true), Sticks::new(Default::default()));
        let (mut sure, mut wrong, mut won, mut kept) = (0, 0, 0, 0);
        let mut rng = Rng::new(0);
        for number in 1..TRIPLES {
            let sticks = [number >> 6, number >> 3 & 7, number & 7].map(|row| row as u8);
            let game = start.with_sticks(sticks);
            // `with_sticks` clamps counts above the rows. The start is no afterstate.
            if game.sticks() != sticks {
                continue;
            }
            let value = self.table()[Tabular::state(&game)].thousandths();
            if game != start && !(101..900).contains(&value) {
                sure += 1;
                wrong += u32::from((value >= 900) == solution.is_won(number));
            }
            if solution.is_won(number) {
                won += 1;
                let mv = ValueTable(&self.table()[..]).choose(&game, &mut rng);
                kept += u32::from(mv.is_some_and(|mv| {
                    !solution.is_won(game.after(mv).triple()) && !game.after(mv).is_over()
                }));
            }
        }
        Figures {
            games: self.learner.games(),
            sure: share(sure, STICKS_STATES as u32 - 2),
            wrong: wrong as u16,
            strength: share(kept, won),
            against_random: 0,
        }
    }
}

fn share(part: u32, whole: u32) -> u16 {
    (part * 1000 / whole.max(1)) as u16
}

/// Memory of [`DotsPupil`]: 80 KB.
pub type DotsTable = [u16; LEAVE_VALUES];

/// Learns 2×2 dots and boxes against the rule-based player that plays every fifth edge at random.
#[derive(Debug)]
pub struct DotsPupil<'a> {
    learner: LeaveLearner<'a, u16>,
}

impl<'a> DotsPupil<'a> {
    /// Planned number of games.
    pub const GAMES: u32 = 1_000_000;
    /// Test games against each of the two opponents.
    pub const TESTS: u32 = 100;

    /// A new pupil; it initialises the table.
    pub fn new(table: &'a mut DotsTable, seed: u64) -> DotsPupil<'a> {
        DotsPupil {
            learner: LeaveLearner::new(table, LeaveSettings::new(Self::GAMES), seed),
        }
    }

    /// A pupil that resumes an interrupted training.
    pub fn resume(table: &'a mut DotsTable, progress: Progress) -> DotsPupil<'a> {
        DotsPupil {
            learner: LeaveLearner::resume(table, LeaveSettings::new(Self::GAMES), progress),
        }
    }

    /// Trains with this many games.
    pub fn step(&mut self, games: u32) {
        self.learner.step(games);
    }

    /// The values of leaving each position.
    pub fn table(&self) -> &DotsTable {
        self.learner.table()
    }

    /// Its training state, for [`DotsPupil::resume`].
    pub fn progress(&self) -> &Progress {
        self.learner.progress()
    }

    /// The table as stored in a bank.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.table().iter().map(|value| value.byte())
    }

    /// Measures its progress by test games without exploration or learning. They do not affect
    /// training.
    pub fn figures(&self) -> Figures {
        let games = self.progress().games;
        let mut rng = Rng::new(games.into());
        let mut wins = [0; 2];
        for (opponent, wins) in [Opponent::Smart { slips: 0 }, Opponent::Random]
            .into_iter()
            .zip(&mut wins)
        {
            for number in 0..Self::TESTS {
                let me = Player::BOTH[number as usize % 2];
                *wins += u32::from(self.test(me, opponent, &mut rng));
            }
        }
        let [strength, against_random] = wins.map(|wins| share(wins, Self::TESTS));
        Figures {
            games,
            strength,
            against_random,
            ..Figures::default()
        }
    }

    /// Plays one test game; `true` if the pupil won.
    fn test(&self, me: Player, opponent: Opponent, rng: &mut Rng) -> bool {
        let mut game = Dots::new(Default::default());
        while !game.is_over() {
            let mv = match (game.turn() == me, opponent) {
                (true, _) => leave_move(&self.table()[..], &game),
                (false, Opponent::Random) => Random.choose(&game, rng),
                (false, _) => Smart.choose(&game, rng),
            };
            let Some(mv) = mv else { break };
            game.play_unchecked(mv);
        }
        game.outcome()
            .is_some_and(|outcome| outcome.value_for(me) == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sticks_become_sure_and_right() {
        let mut pupil = SticksPupil::new(1);
        assert_eq!(
            pupil.figures().strength,
            SticksPupil::new(7).figures().strength
        );
        for _ in 0..300 {
            pupil.step(100);
        }
        let figures = pupil.figures();
        assert_eq!(
            (figures.games, figures.wrong, figures.strength),
            (30_000, 0, 1000)
        );
        assert!(figures.sure >= 900, "{figures:?}");
    }

    #[test]
    fn dots_soon_beat_the_rule_based_player() {
        let mut table = [0; LEAVE_VALUES];
        let mut pupil = DotsPupil::new(&mut table, 1);
        let before = pupil.figures();
        pupil.step(20_000);
        let after = pupil.figures();
        assert!(
            before.strength < 300 && after.strength > 800,
            "{before:?} {after:?}"
        );
        assert!(after.against_random > 930);
    }

    #[test]
    fn going_on_is_the_same_as_not_stopping() {
        let (mut whole, mut parts) = ([0; LEAVE_VALUES], [0; LEAVE_VALUES]);
        let mut pupil = DotsPupil::new(&mut whole, 5);
        pupil.step(1000);
        let mut first = DotsPupil::new(&mut parts, 5);
        first.step(321);
        let _ = first.figures();
        let progress = first.progress().clone();
        let mut second = DotsPupil::resume(&mut parts, progress);
        second.step(679);
        assert_eq!(second.progress(), pupil.progress());
        assert!(second.table() == pupil.table());
    }
}
