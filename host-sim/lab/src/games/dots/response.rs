//! Best responses on 2×2: the best possible play against a known opponent, and the exact score of
//! any player against it.
//!
//! Every state (edges, own boxes, who started, who moves) is visited once, from the full board
//! backwards.

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::dots::two_by_two;
use dojo_core::games::dots::two_by_two::{FULL, Opponent, SETS};
use dojo_core::games::dots::{Dots, DotsRules, Edge};

use super::ratio::Ratio;

/// A number type for probabilities.
pub trait Chance: Copy + PartialOrd {
    /// A whole number of halves: the value of a game.
    fn halves(count: u8) -> Self;
    /// `part`/`whole`.
    fn part(part: u32, whole: u32) -> Self;
    /// Their sum.
    fn plus(self, other: Self) -> Self;
    /// Their product.
    fn times(self, other: Self) -> Self;
}

impl Chance for f64 {
    fn halves(count: u8) -> f64 {
        f64::from(count) / 2.0
    }

    fn part(part: u32, whole: u32) -> f64 {
        f64::from(part) / f64::from(whole)
    }

    fn plus(self, other: f64) -> f64 {
        self + other
    }

    fn times(self, other: f64) -> f64 {
        self * other
    }
}

impl Chance for Ratio {
    fn halves(count: u8) -> Ratio {
        Ratio::new(count.into(), 2)
    }

    fn part(part: u32, whole: u32) -> Ratio {
        Ratio::new(part.into(), whole.into())
    }

    fn plus(self, other: Ratio) -> Ratio {
        self + other
    }

    fn times(self, other: Ratio) -> Ratio {
        self * other
    }
}

/// A state from the side of the player who is asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The edges drawn.
    pub edges: u16,
    /// Its own boxes.
    pub boxes: u8,
    /// Whether it started.
    pub started: bool,
}

impl State {
    /// The state of the player to move.
    pub fn of(game: &Dots) -> State {
        State {
            edges: two_by_two::edges(game),
            boxes: game.score(game.turn()),
            started: game.turn() == Player::First,
        }
    }

    /// A position with this state; the owners of the boxes are chosen to fit.
    pub fn game(self, rules: DotsRules) -> Dots {
        let me = if self.started {
            Player::First
        } else {
            Player::Second
        };
        let full = Dots::with_edges(rules, self.edges.into(), me, me);
        full.with_score(me, self.boxes)
    }

    fn index(self) -> usize {
        (usize::from(self.edges) * 5 + usize::from(self.boxes)) * 2 + usize::from(self.started)
    }

    /// All states, those with more edges first.
    pub fn all() -> impl Iterator<Item = State> {
        (0..=FULL).rev().flat_map(|edges| {
            (0..=two_by_two::complete(edges)).flat_map(move |boxes| {
                [false, true].map(|started| State {
                    edges,
                    boxes,
                    started,
                })
            })
        })
    }
}

/// The edges after drawing one, and the boxes it completes.
fn draw(edges: u16, edge: u8) -> (u16, u8) {
    let next = edges | 1 << edge;
    (
        next,
        two_by_two::complete(next) - two_by_two::complete(edges),
    )
}

fn members(set: u16) -> impl Iterator<Item = u8> + Clone {
    (0..12).filter(move |edge| set >> edge & 1 == 1)
}

/// The chances of one player against one opponent, in every state.
#[derive(Clone, Debug)]
pub struct Chances<T> {
    /// With the player to move, and with the opponent to move.
    values: Vec<[T; 2]>,
    moves: Vec<u8>,
}

impl<T: Chance> Chances<T> {
    /// The best response to an opponent.
    pub fn best(rules: DotsRules, opponent: Opponent) -> Chances<T> {
        Chances::new(rules, opponent, None, 0)
    }

    /// Backward induction. `choose` is the player's edge, or `None` for the best one; with a chance
    /// of `slips` in 2³² it draws a random edge instead.
    fn new(
        rules: DotsRules,
        opponent: Opponent,
        choose: Option<&dyn Fn(State) -> u8>,
        slips: u32,
    ) -> Chances<T> {
        let mut values = vec![[T::halves(0); 2]; SETS * 10];
        let mut moves = vec![0; SETS * 10];
        for state in State::all() {
            let State {
                edges,
                boxes,
                started,
            } = state;
            if edges == FULL {
                values[state.index()] =
                    [T::halves((two_by_two::result(&rules, boxes, started) + 1) as u8); 2];
                continue;
            }
            let own = |edge| {
                let (next, gained) = draw(edges, edge);
                let left = State {
                    edges: next,
                    boxes: boxes + gained,
                    started,
                };
                values[left.index()][usize::from(gained == 0)]
            };
            let theirs = |edge| {
                let (next, gained) = draw(edges, edge);
                values[State {
                    edges: next,
                    boxes,
                    started,
                }
                .index()][usize::from(gained > 0)]
            };
            let mean_of = |set: u16, value: &dyn Fn(u8) -> T| {
                let share = T::part(1, set.count_ones());
                members(set).fold(T::halves(0), |sum, edge| sum.plus(share.times(value(edge))))
            };
            let mean = |set| mean_of(set, &theirs);
            let mixed = |usual: T, slip: T, slips: u32| {
                let slips = slips >> 16;
                T::part((1 << 16) - slips, 1 << 16)
                    .times(usual)
                    .plus(T::part(slips, 1 << 16).times(slip))
            };
            let free = FULL & !edges;
            let edge = match choose {
                Some(choose) => choose(state),
                None => {
                    let mut best = edges.trailing_ones() as u8;
                    for edge in members(free) {
                        if own(edge) > own(best) {
                            best = edge;
                        }
                    }
                    best
                }
            };
            let waiting = match opponent {
                Opponent::Random => mean(free),
                Opponent::Simple => mean(free & free.wrapping_neg()),
                Opponent::Smart { slips: 0 } => mean(two_by_two::smart_choices(edges)),
                Opponent::Smart { slips } => {
                    mixed(mean(two_by_two::smart_choices(edges)), mean(free), slips)
                }
                Opponent::Itself => T::halves(0),
            };
            moves[state.index()] = edge;
            let moving = if slips == 0 {
                own(edge)
            } else {
                mixed(own(edge), mean_of(free, &own), slips)
            };
            values[state.index()] = [moving, waiting];
        }
        Chances { values, moves }
    }

    /// The score of the player if it starts.
    pub fn first(&self) -> T {
        self.values[State {
            edges: 0,
            boxes: 0,
            started: true,
        }
        .index()][0]
    }

    /// The score of the player if the opponent starts.
    pub fn second(&self) -> T {
        self.values[State {
            edges: 0,
            boxes: 0,
            started: false,
        }
        .index()][1]
    }

    /// The mean of both.
    pub fn average(&self) -> T {
        T::part(1, 2).times(self.first().plus(self.second()))
    }

    /// The edge it plays.
    pub fn choose(&self, game: &Dots) -> Option<Edge> {
        Edge::from_index(self.moves[State::of(game).index()].into())
    }
}

/// The exact score of a player, a function from states to edges, that slips with a chance of
/// `slips` in 2³².
pub fn score(
    rules: DotsRules,
    opponent: Opponent,
    slips: u32,
    choose: impl Fn(State) -> u8,
) -> Chances<f64> {
    Chances::new(rules, opponent, Some(&choose), slips)
}

/// All states of a player to move that games can reach.
pub fn reachable() -> Vec<State> {
    let mut seen = vec![false; SETS * 10];
    let mut open = vec![Dots::new(DotsRules::default())];
    let mut states = vec![];
    while let Some(game) = open.pop() {
        let state = State::of(&game);
        if state.edges != FULL && !std::mem::replace(&mut seen[state.index()], true) {
            states.push(state);
            open.extend(game.legal_moves().map(|edge| game.after(edge)));
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_on_two_by_two() {
        let rules = DotsRules::default();
        let random = Chances::<Ratio>::best(rules, Opponent::Random);
        assert_eq!(random.first().to_string(), "1");
        assert_eq!(random.second().to_string(), "1079/1080");
        assert_eq!(random.average().to_string(), "2159/2160");
        let smart = Chances::<Ratio>::best(rules, Opponent::Smart { slips: 0 });
        assert_eq!(
            (smart.first().to_string(), smart.second().to_string()),
            ("1".into(), "1".into())
        );
    }

    #[test]
    fn states_are_positions() {
        let rules = DotsRules::default();
        for state in State::all() {
            assert_eq!(State::of(&state.game(rules)), state);
        }
    }
}
