//! Pupils: training sessions on the device, in small steps, with figures for a screen.
//!
//! The two pupils start from empty tables, in fixed memory and fixed point. A screen calls `step`
//! with as many games as fit between two frames and reads `figures` at intervals; the same seed
//! gives the same table everywhere. A trained table is stored in the bank's format and played by
//! the same code as shipped models.

use serde::{Deserialize, Serialize};

use super::dots::learner::{LEAVE_VALUES, LeaveLearner, LeaveSettings, leave_move};
use super::dots::two_by_two::{self, Opponent, SETS};
use crate::bank::kept::{Brain, Values};
use crate::bank::{Bank, Kind, Meta, NAME, Number};
use crate::belt::Belt;
use crate::fraction::Fraction;
use crate::game::{Game, GameMove, Player};
use crate::games::dots::Edge;
use crate::games::dots::players::Smart;
use crate::games::sticks::{Solution, TRIPLES, Take};
use crate::games::{AnyGame, AnyRules, Dots, GameId, Sticks, thinking};
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

    /// The move of its present table; `None` if the game is over.
    fn choose(&self, game: &AnyGame, rng: &mut Rng) -> Option<u16> {
        match (self, game) {
            (Pupil::Sticks(pupil), AnyGame::Sticks(game)) => {
                pupil.choose(game, rng).map(GameMove::index)
            }
            (Pupil::Dots(pupil), AnyGame::Dots(game)) => pupil.choose(game).map(GameMove::index),
            _ => None,
        }
    }

    fn start(&self) -> AnyGame {
        match self {
            Pupil::Sticks(_) => AnyRules::new(GameId::Sticks).start(),
            Pupil::Dots(_) => AnyRules::new(GameId::Dots).start(),
        }
    }

    /// Positions of games as it plays them now, random moves included: one of each of so many
    /// games, which `number` tells from others. Sticks: three bits a row, the first row highest; dots:
    /// the set of edges.
    fn boards(&self, number: u64) -> [u16; BOARDS] {
        core::array::from_fn(|board| {
            let mut rng = Rng::new(number * BOARDS as u64 + board as u64);
            let mut game = self.start();
            for _ in 0..rng.below(12) {
                let mv = match rng.chance(ASTRAY) {
                    true => random(&game, &mut rng),
                    false => self.choose(&game, &mut rng),
                };
                let mut next = game;
                // The end has nothing to show: no stick, or every edge.
                if !advance(&mut next, mv) {
                    break;
                }
                game = next;
            }
            match game {
                AnyGame::Sticks(game) => game.triple() as u16,
                AnyGame::Dots(game) => two_by_two::edges(&game),
                _ => 0,
            }
        })
    }

    /// Plays a match against a belt of the bank, and returns how many games it wins; `None` if the
    /// bank has no table for that belt.
    fn duel(&self, belt: Belt, bank: &Bank<'_>) -> Option<u8> {
        let start = self.start();
        let entry = thinking::entry(start.rules(), belt, bank)?;
        let table = entry.payload().ok()?;
        let other = |game: &AnyGame, rng: &mut Rng| match game {
            AnyGame::Sticks(game) => ValueTable(table).choose(game, rng).map(GameMove::index),
            AnyGame::Dots(game) => leave_move(table, game).map(GameMove::index),
            _ => None,
        };
        if entry.meta.kind != Kind::ValueTable {
            return None;
        }
        let mut won = 0;
        for number in 0..u64::from(Duel::GAMES) {
            let mut rng = Rng::new((u64::from(self.games()) << 8) | (number / 2));
            let me = Player::BOTH[number as usize % 2];
            let mut game = start;
            for ply in 0u32.. {
                let mv = match game.turn() == me {
                    _ if ply < 2 => random(&game, &mut rng),
                    true => self.choose(&game, &mut rng),
                    false if belt.slips() > 0 && rng.chance(belt.slips()) => {
                        random(&game, &mut rng)
                    }
                    false => other(&game, &mut rng),
                };
                if !advance(&mut game, mv) {
                    break;
                }
            }
            let outcome = game.outcome();
            won += u8::from(outcome.is_some_and(|outcome| outcome.value_for(me) == 1));
        }
        Some(won)
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
    /// Positions of games as it plays them now ([`Ladder::figures`] fills this in and the next).
    pub boards: [u16; BOARDS],
    /// Its last match against a belt of the bank, if that has one.
    pub duel: Option<Duel>,
}

/// Small boards in [`Figures`].
pub const BOARDS: usize = 6;

/// A match of a pupil against a belt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duel {
    /// Its opponent: the lowest belt that it had not passed.
    pub belt: Belt,
    /// Games that the pupil won, of [`Duel::GAMES`].
    pub won: u8,
    /// Whether that passes the belt.
    pub passed: bool,
}

impl Duel {
    /// Games of a match: ten random openings of two moves, each from both sides.
    pub const GAMES: u8 = 20;

    /// Wins that pass a belt: three games in five, and half of them against black, which nobody
    /// beats from both sides of an opening.
    pub const fn needed(belt: Belt) -> u8 {
        match belt {
            Belt::Black => Self::GAMES / 2,
            _ => Self::GAMES / 5 * 3,
        }
    }
}

/// The belts of the bank, which a pupil in training passes one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ladder {
    passed: usize,
}

impl Ladder {
    /// A pupil's figures, boards and match against the next belt. Against black it goes on playing.
    #[inline(never)] // seldom called: not worth a second copy
    pub fn figures(&mut self, pupil: &Pupil<'_>, bank: Option<&Bank<'_>>) -> Figures {
        let figures = pupil.figures();
        let belt = Belt::ALL[self.passed.min(Belt::ALL.len() - 1)];
        let won = bank.and_then(|bank| pupil.duel(belt, bank));
        let duel = won.map(|won| Duel {
            belt,
            won,
            passed: won >= Duel::needed(belt),
        });
        self.passed += usize::from(duel.is_some_and(|duel| duel.passed));
        Figures {
            boards: pupil.boards(figures.games.into()),
            duel,
            ..figures
        }
    }
}

/// One of four moves in [`Pupil::boards`] is random.
const ASTRAY: u32 = 1 << 30;

/// Plays a move. Returns whether the game goes on.
#[inline(never)]
fn advance(game: &mut AnyGame, mv: Option<u16>) -> bool {
    mv.is_some_and(|mv| game.play(mv).is_ok()) && game.outcome().is_none()
}

/// Any legal move of one of the two games; `None` if the game is over.
#[inline(never)]
fn random(game: &AnyGame, rng: &mut Rng) -> Option<u16> {
    // More than either has.
    const MOVES: u16 = 24;
    rng.pick((0..MOVES).filter(|&mv| game.is_legal(mv)))
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

    fn choose(&self, game: &Sticks, rng: &mut Rng) -> Option<Take> {
        ValueTable(self.table()).choose(game, rng)
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
                    self.choose(&game, &mut rng)
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
            ..Figures::default()
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

    fn choose(&self, game: &Dots) -> Option<Edge> {
        leave_move(&self.table()[..], game)
    }

    /// Plays one test game; `true` if the pupil won.
    fn test(&self, me: Player, opponent: Opponent, rng: &mut Rng) -> bool {
        let mut game = Dots::new(Default::default());
        while !game.is_over() {
            let mv = match (game.turn() == me, opponent) {
                (true, _) => self.choose(&game),
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
    use alloc::vec;
    use alloc::vec::Vec;

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

    /// Trains in steps as a screen does, and returns all matches.
    fn duels(pupil: &mut Pupil<'_>, steps: u32, games: u32) -> Vec<Duel> {
        let bank = Bank::new(include_bytes!("../../../models/dojo.bank")).unwrap();
        let mut ladder = Ladder::default();
        (0..steps)
            .map(|_| {
                let duel = ladder.figures(pupil, Some(&bank)).duel.unwrap();
                pupil.step(games);
                duel
            })
            .collect()
    }

    #[test]
    fn pupils_pass_the_belts_one_by_one() {
        let mut table = vec![0; LEAVE_VALUES];
        for (game, steps, games) in [(GameId::Sticks, 75, 400), (GameId::Dots, 60, 2000)] {
            let mut pupil = Pupil::new(game, &mut table, 1).unwrap();
            let all = duels(&mut pupil, steps, games);
            // It cannot do anything at first, and is level with black in the end.
            assert!(!all[0].passed, "{:?}", all[0]);
            let last = all[all.len() - 1];
            assert_eq!(last.belt, Belt::Black, "{game:?}");
            assert!(
                all.iter()
                    .any(|duel| duel.belt == Belt::Black && duel.passed)
            );
            for (before, after) in all.iter().zip(&all[1..]) {
                let next = before.belt as usize + usize::from(before.passed);
                assert_eq!(after.belt, Belt::ALL[next.min(4)]);
                assert_eq!(before.passed, before.won >= Duel::needed(before.belt));
            }
            // A perfect player beats itself from one side of each opening.
            if game == GameId::Sticks {
                assert_eq!(last.won, Duel::GAMES / 2);
            }
            let without = Ladder::default().figures(&pupil, None);
            assert_eq!(without.duel, None);
        }
    }

    #[test]
    fn boards_are_positions_of_its_play() {
        let mut table = vec![0; LEAVE_VALUES];
        for game in LESSONS {
            let mut pupil = Pupil::new(game, &mut table, 1).unwrap();
            let mut seen = alloc::collections::BTreeSet::new();
            for _ in 0..20 {
                let boards = Ladder::default().figures(&pupil, None).boards;
                for board in boards {
                    match game {
                        GameId::Sticks => {
                            let rows = [board >> 6, board >> 3 & 7, board & 7];
                            assert!(rows[0] <= 3 && rows[1] <= 5, "{board:o}");
                        }
                        _ => assert!(board <= two_by_two::FULL),
                    }
                    seen.insert(board);
                }
                pupil.step(50);
            }
            assert!(seen.len() > 30, "{game:?}: {}", seen.len());
        }
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
