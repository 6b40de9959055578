//! Matches: a fixed number of games between two players, sides alternating.
//!
//! Every game has its own seed, made from the match's seed and the number of the game: the result
//! does not depend on how many threads played it.

use std::collections::HashSet;

use dojo_core::game::{Game, GameMove, Player, Rules};
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::players::{ArenaGame, ArenaPlayer};
use crate::stats::wilson;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games that A won.
    pub wins_a: u32,
    /// Games that B won.
    pub wins_b: u32,
    /// Drawn games.
    pub draws: u32,
}

impl Tally {
    fn add(&mut self, value_for_a: i8) {
        *match value_for_a {
            1 => &mut self.wins_a,
            -1 => &mut self.wins_b,
            _ => &mut self.draws,
        } += 1;
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
            wins_a: self.wins_a + other.wins_a,
            wins_b: self.wins_b + other.wins_b,
            draws: self.draws + other.draws,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.wins_a + self.wins_b + self.draws
    }

    /// A's wins plus half the draws.
    pub fn points_a(&self) -> f64 {
        f64::from(self.wins_a) + f64::from(self.draws) / 2.0
    }

    /// The share of points that went to A.
    pub fn score_a(&self) -> f64 {
        self.points_a() / f64::from(self.games().max(1))
    }

    /// The 95 % confidence interval of [`Tally::score_a`] (Wilson).
    pub fn ci95(&self) -> [f64; 2] {
        wilson(self.points_a(), self.games())
    }
}

/// Where the games of a match begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Openings {
    /// At the first position: the players draw at random, so games differ.
    Start,
    /// After two random moves, because both players are deterministic. Both sides play each
    /// opening.
    Varied,
    /// At the first position of a deal of its own for each pair of games. Both sides play each
    /// deal.
    Dealt,
    /// After as many random moves as were asked for, from the match's seed. Both sides play each
    /// opening.
    Given,
    /// At the first position although both players are deterministic: the game is too short for
    /// openings.
    Repeated,
}

/// The result of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The games in which A moved first.
    pub a_first: Tally,
    /// The games in which A moved second.
    pub a_second: Tally,
    /// A's mean margin.
    pub mean_margin: f64,
    /// A's mean margin in the games in which it moved first, and in the others.
    pub margins: [f64; 2],
    /// Where the games began.
    pub openings: Openings,
    /// Distinct games, compared move by move: repetitions prove little.
    pub different: u32,
    /// Faults of A and B: only external programs have any.
    pub faults: [u32; 2],
}

impl Match {
    /// All games together.
    pub fn total(&self) -> Tally {
        self.a_first.plus(self.a_second)
    }
}

/// Random moves at the start of a varied opening; an even number, so that "first" is still who
/// moves next.
const OPENING_PLIES: usize = 2;

/// Games compared to find out whether two players are deterministic. The white belt slips with
/// every eighth move: 16 games without a slip happen once in some thousand matches, and then only
/// the openings vary.
const PROBES: u64 = 16;

/// Plays `games` games between A and B; `tick` is called after each.
pub fn play<G: ArenaGame>(
    rules: G::Rules,
    a: &ArenaPlayer<'_, G>,
    b: &ArenaPlayer<'_, G>,
    games: u32,
    seed: u64,
    tick: impl Fn() + Sync,
) -> Match
where
    G::Rules: Send + Sync,
{
    play_from(rules, a, b, games, seed, 0, tick)
}

/// The same, each pair of games after this many random moves; 0 leaves the choice to the match.
pub fn play_from<G: ArenaGame>(
    rules: G::Rules,
    a: &ArenaPlayer<'_, G>,
    b: &ArenaPlayer<'_, G>,
    games: u32,
    seed: u64,
    plies: usize,
    tick: impl Fn() + Sync,
) -> Match
where
    G::Rules: Send + Sync,
{
    let openings = match plies {
        0 => openings::<G>(rules, a, b, seed),
        _ => Openings::Given,
    };
    let before = [a.faults(), b.faults()];
    let results: Vec<(bool, i8, i16, _)> = (0..games)
        .into_par_iter()
        .map(|number| {
            let a_first = number % 2 == 0;
            let mut rng = Rng::new(game_seed(seed, number.into()));
            // The two games of a pair share the opening or the deal.
            let pair = game_seed(!seed, u64::from(number / 2));
            let start = match openings {
                Openings::Varied => opening(rules, OPENING_PLIES, &mut Rng::new(pair)),
                // A game with deals has one for each pair, too.
                Openings::Given => opening(rules.dealt(pair), plies, &mut Rng::new(pair)),
                Openings::Dealt => Some(G::new(rules.dealt(pair))),
                Openings::Start | Openings::Repeated => None,
            };
            let mut course = (start.is_some().then_some(pair), a_first, vec![]);
            let start = start.unwrap_or_else(|| match openings {
                Openings::Given => G::new(rules.dealt(pair)),
                _ => G::new(rules),
            });
            let (end, gave_up) = finish(start, a, b, a_first, &mut rng, |mv| course.2.push(mv));
            let seat = if a_first {
                Player::First
            } else {
                Player::Second
            };
            tick();
            let (value, margin) = G::verdict(&end, seat, gave_up);
            (a_first, value, margin, course)
        })
        .collect();
    let mut result = Match {
        a_first: Tally::default(),
        a_second: Tally::default(),
        mean_margin: 0.0,
        margins: [0.0; 2],
        openings,
        different: results
            .iter()
            .map(|result| &result.3)
            .collect::<HashSet<_>>()
            .len() as u32,
        faults: [a.faults() - before[0], b.faults() - before[1]],
    };
    for &(a_first, value, ..) in &results {
        if a_first {
            &mut result.a_first
        } else {
            &mut result.a_second
        }
        .add(value);
    }
    let mean = |wanted: &dyn Fn(bool) -> bool| {
        let margins: Vec<_> = results
            .iter()
            .filter(|result| wanted(result.0))
            .map(|result| i64::from(result.2))
            .collect();
        margins.iter().sum::<i64>() as f64 * G::POINTS / margins.len().max(1) as f64
    };
    result.mean_margin = mean(&|_| true);
    result.margins = [mean(&|a_first| a_first), mean(&|a_first| !a_first)];
    result
}

/// Plays a game to its end and returns the last position, and who resigned, if anybody.
fn finish<G: ArenaGame>(
    mut game: G,
    a: &ArenaPlayer<'_, G>,
    b: &ArenaPlayer<'_, G>,
    a_first: bool,
    rng: &mut Rng,
    mut on_move: impl FnMut(u16),
) -> (G, Option<Player>)
where
    G::Rules: Send + Sync,
{
    while !game.is_over() {
        if a.has_left() || b.has_left() {
            return (game.clone(), Some(game.turn()));
        }
        let chosen = if (game.turn() == Player::First) == a_first {
            a.choose(&game, rng)
        } else {
            b.choose(&game, rng)
        };
        let Some(mv) = chosen else {
            return (game.clone(), Some(game.turn()));
        };
        on_move(mv.index());
        game.play_unchecked(mv);
    }
    (game, None)
}

/// Finds out by playing whether the players are deterministic: agents need not declare it, and a
/// player that draws among equal moves but only ever has one counts as deterministic.
fn openings<G: ArenaGame>(
    rules: G::Rules,
    a: &ArenaPlayer<'_, G>,
    b: &ArenaPlayer<'_, G>,
    seed: u64,
) -> Openings
where
    G::Rules: Send + Sync,
{
    if rules.dealt(0) != rules.dealt(1) {
        return Openings::Dealt;
    }
    if a.is_person() || b.is_person() {
        return Openings::Start;
    }
    let moves = |a_first, probe| {
        let mut moves = vec![];
        finish(
            G::new(rules),
            a,
            b,
            a_first,
            &mut Rng::new(game_seed(seed, probe)),
            |mv| moves.push(mv),
        );
        moves
    };
    for a_first in [true, false] {
        let first = moves(a_first, 0);
        if (1..PROBES).any(|probe| moves(a_first, probe) != first) {
            return Openings::Start;
        }
    }
    match opening::<G>(rules, OPENING_PLIES, &mut Rng::new(seed)) {
        Some(_) => Openings::Varied,
        None => Openings::Repeated,
    }
}

/// Whether a game can go on after this many random moves.
pub fn has_openings<G: Game>(rules: G::Rules, plies: usize) -> bool {
    opening::<G>(rules, plies, &mut Rng::new(1)).is_some()
}

/// A position after some random moves in which the game goes on; `None` if a few tries find none.
fn opening<G: Game>(rules: G::Rules, plies: usize, rng: &mut Rng) -> Option<G> {
    (0..64).find_map(|_| {
        let mut game = G::new(rules);
        for _ in 0..plies {
            game.play_unchecked(Random.choose(&game, rng)?);
        }
        (!game.is_over()).then_some(game)
    })
}

/// One seed for each game: neighbouring numbers must not give related games.
fn game_seed(seed: u64, number: u64) -> u64 {
    Rng::new(seed).next_u64() ^ Rng::new(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Spec;
    use dojo_core::belt::Belt;
    use dojo_core::games::{Sticks, SticksRules, TicTacToe};
    use dojo_core::players::belts::BeltPlayer;
    use dojo_core::players::{Lookahead, ValueTable};

    fn threads(n: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new()
            .num_threads(n)
            .build()
            .unwrap()
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let run = |n, seed| {
            threads(n).install(|| {
                play::<TicTacToe>(
                    Default::default(),
                    &ArenaPlayer::Lookahead(Lookahead { plies: 1 }),
                    &ArenaPlayer::Random,
                    301,
                    seed,
                    || {},
                )
            })
        };
        assert_eq!(run(1, 5), run(3, 5));
        assert_ne!(run(1, 5), run(1, 6));
        assert_eq!(run(1, 5).a_first.games(), 151);
        assert!(
            (200..301).contains(&run(1, 5).different),
            "{}",
            run(1, 5).different
        );
    }

    #[test]
    fn players_without_chance_get_varied_openings_in_fair_pairs() {
        let first_move = ArenaPlayer::Belt(BeltPlayer {
            belt: Belt::Black,
            model: Some(ValueTable(&[0; 192])),
            may_resign: false,
        });
        let result = play::<Sticks>(Default::default(), &first_move, &first_move, 200, 1, || {});
        assert_eq!(result.openings, Openings::Varied);
        // The same player on both sides: an opening that A wins is won by B with the sides swapped.
        assert_eq!(result.total().wins_a, 100);
        assert!(result.a_first.wins_a > 0 && result.a_first.wins_b > 0);
    }

    #[test]
    fn openings_can_be_asked_for_and_both_sides_play_each() {
        let perfect = ArenaPlayer::OfGame(
            Sticks::game_player(&Spec::Perfect, SticksRules::default()).unwrap(),
        );
        for plies in [1, 2, 3] {
            let result =
                play_from::<Sticks>(Default::default(), &perfect, &perfect, 200, 1, plies, || {});
            assert_eq!(result.openings, Openings::Given);
            assert_eq!(
                result.total().wins_a,
                100,
                "each opening is won by one side"
            );
            assert!(result.different > 10, "{}", result.different);
        }
        assert!(has_openings::<Sticks>(Default::default(), 4));
        assert!(!has_openings::<Sticks>(Default::default(), 16));
    }

    #[test]
    fn a_game_too_short_for_openings_says_so() {
        let rules = SticksRules::new([1, 0, 0], true).unwrap();
        let perfect = ArenaPlayer::OfGame(Sticks::game_player(&Spec::Perfect, rules).unwrap());
        let result = play::<Sticks>(rules, &perfect, &perfect, 10, 1, || {});
        assert_eq!(
            (result.openings, result.total().wins_a, result.mean_margin),
            (Openings::Repeated, 5, 0.0)
        );
        assert_eq!(result.different, 2, "one for each side");
    }
}
