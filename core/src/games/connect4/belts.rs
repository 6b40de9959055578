//! Belts of Connect Four: one search, from a single ply to what the device manages in three
//! seconds.

use core::convert::Infallible;

use super::{Column, Connect4, Threats};
use crate::bank::Meta;
use crate::belt::Belt;
use crate::game::{Game, Outcome};
use crate::memory::Workspace;
use crate::players::belts::{Ancestor, Belted, Resources, Thoughts, each_move};
use crate::players::{Agent, Lookahead, Searchable, best};
use crate::rng::Rng;
use crate::search::{
    Control, Engine, Found, Limits, PROVEN, Part, Plan, Ranked, Slot, Value, share,
    value as search_value,
};

/// Node limit of black's search: what the device manages in three seconds, less 5 % reserve.
pub const BLACK_NODES: u32 = 140_000;
/// Node limit for each move of the mind view.
const MIND_NODES: u32 = 3_000;
/// Slots of the transposition table: 16 bytes each, 96 KB of the 128 KB workspace.
const SLOTS: usize = 6_144;
/// Capacity of the move lists: every column at every ply.
const ROOM: usize = Connect4::MAX_MOVES * Connect4::MAX_PLIES;

impl Searchable for Connect4 {
    type Knowledge = Threats;
}

fn search<W: Workspace, C: Control>(
    game: &Connect4,
    nodes: u32,
    resources: &mut Resources<'_, W, C>,
) -> Found<Column> {
    let (slots, moves) = resources
        .memory
        .lend_two::<Slot, Ranked<Column>>(SLOTS, ROOM);
    let plan = Plan {
        limits: Limits::nodes(nodes),
        ..Plan::new(Threats)
    };
    Engine::new(slots, moves).think(game, &plan, resources.control)
}

/// Searches `plies` moves ahead, the own move included, evaluates by [`Threats`], and picks one of
/// the best at random.
fn look_ahead(game: &Connect4, plies: u8, rng: &mut Rng) -> Option<Column> {
    let rate = |column| -search_value(&game.after(column), Threats, plies - 1);
    best(game.legal_moves().map(|column| (rate(column), column)), rng)
}

/// The rule *claimeven* of Victor Allis's program ("A Knowledge-based Approach of Connect-Four",
/// 1988) as a player: the even rows, counted from 1 at the bottom, belong to whoever lays a stone on
/// top of the opponent's. It takes a win and stops one first; where no even place is free it plays
/// near the middle.
fn claim_even(game: &Connect4, rng: &mut Rng) -> Option<Column> {
    let rate = |column: Column| {
        let next = game.after(column);
        let urgent = match next.outcome() {
            Some(outcome) => outcome.value_for(game.turn()),
            // A win that the reply would make.
            None => -i8::from(
                next.legal_moves()
                    .any(|reply| matches!(next.after(reply).outcome(), Some(Outcome::Win(_)))),
            ),
        };
        let is_even = game.height(column) % 2 == 1;
        let middle = -(i32::from(column.number()) - 3).abs();
        (urgent, is_even, middle)
    };
    best(game.legal_moves().map(|column| (rate(column), column)), rng)
}

/// A search value as a winning chance in thousandths.
fn thousandths(value: Value) -> u16 {
    match value {
        PROVEN.. => 1000,
        value if value <= -PROVEN => 0,
        // Estimates map to 50 to 950: 150, a favourable threat and a few lines, to three quarters.
        value => (500 + i32::from(value) * 450 / (i32::from(value.abs()) + 120)) as u16,
    }
}

/// No models: all belts search.
impl Belted for Connect4 {
    type Model<'b> = Infallible;

    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn model(_: &Meta, _: &[u8]) -> Option<Infallible> {
        None
    }

    fn by_model<W, C>(
        &self,
        _: Belt,
        model: &Infallible,
        _: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Column> {
        match *model {}
    }

    /// White takes an immediate win, yellow also blocks one. Green and brown search 3 and 5 plies
    /// with [`Threats`], black as deep as [`BLACK_NODES`] allow.
    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Column> {
        match belt {
            Belt::White => Lookahead { plies: 1 }.choose(self, rng),
            Belt::Yellow => Lookahead { plies: 2 }.choose(self, rng),
            Belt::Green => look_ahead(self, 3, rng),
            Belt::Brown => look_ahead(self, 5, rng),
            Belt::Black => search(self, BLACK_NODES, resources).mv,
        }
    }

    const ANCESTORS: &'static [Ancestor] = &[Ancestor {
        name: "Claimeven",
        origin: "A rule of Allis, who solved the game in 1988: take even rows.",
    }];

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        number: usize,
        _: Option<&Infallible>,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Column> {
        claim_even(self, rng).filter(|_| number == 0)
    }

    fn thoughts<W: Workspace, C: Control>(
        &self,
        _: Belt,
        _: Option<&Infallible>,
        resources: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        let mut values = [None; Connect4::MAX_MOVES];
        let all = self.legal_moves().count() as u64;
        for (done, column) in (0..).zip(self.legal_moves()) {
            let next = self.after(column);
            let mut part = Resources {
                memory: &mut *resources.memory,
                control: &mut Part {
                    control: &mut *resources.control,
                    from: share(done, all),
                    to: share(done + 1, all),
                },
                helper: None,
            };
            let found = match next.outcome() {
                Some(outcome) => PROVEN * Value::from(outcome.value_for(self.turn())),
                None => -search(&next, MIND_NODES, &mut part).value,
            };
            values[usize::from(column.number())] = Some(thousandths(found));
            let so_far = || each_move(self, |column| values[usize::from(column.number())]);
            resources.control.progress(share(done + 1, all), &so_far);
        }
        each_move(self, |column| values[usize::from(column.number())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claimeven_lays_its_stones_on_top_wins_and_stops_a_win() {
        let mut rng = Rng::new(1);
        for (moves, expected) in [
            ("", "4"),
            ("1", "1"),
            ("4 4 7", "7"),
            // Every free place is in an odd row.
            ("4 4 1 1 1 1", "4"),
            // It completes its own four, and stops that of the opponent.
            ("1 2 1 2 1 2", "1"),
            ("1 2 1 2 1", "1"),
            ("7 1 7 1 6 1", "1"),
        ] {
            let mut game = Connect4::new(Default::default());
            for word in moves.split_whitespace() {
                game.play(game.parse_move(word).unwrap()).unwrap();
            }
            let chosen = claim_even(&game, &mut rng).unwrap();
            assert_eq!(chosen, game.parse_move(expected).unwrap(), "{moves}");
        }
    }
}
