//! The last turns of iwoki, solved exactly in the open form: the puzzles of iwoki.
//!
//! Every tile is known there, draws included, so the end is a game of perfect information about
//! points. [`search`] finds the best action by alpha-beta; [`check`] visits every position without
//! cut-offs.

use std::collections::HashMap;

use dojo_core::game::{Game, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::Action;
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::players::Agent;
use dojo_core::rng::Rng;

use crate::puzzles::{Search, Target, Task};

/// Nodes of alpha-beta for one position.
const NODES: u64 = 20_000;
/// Positions that [`check`] visits at most.
const VISITS: usize = 100_000;
/// Points by which the best action is better than any other.
const MARGIN: i16 = 2;
/// Larger than any difference of final counts.
const MOST: i16 = 1000;

/// Alpha-beta over the final counts.
struct Solver {
    nodes: u64,
    bounds: HashMap<u64, (i16, i16)>,
}

impl Solver {
    /// The final lead of the player to move, within the window; `None` once the nodes are used up.
    fn lead(&mut self, game: &Iwoki, mut low: i16, mut high: i16) -> Option<i16> {
        if game.is_over() {
            return Some(game.lead(game.turn()));
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let key = game.key();
        let (least, most) = self.bounds.get(&key).copied().unwrap_or((-MOST, MOST));
        low = low.max(least);
        high = high.min(most);
        if low >= high {
            return Some(if least >= high { least } else { most });
        }
        let mut actions: Vec<Action> = game.legal_moves().collect();
        actions.sort_by_key(|&action| std::cmp::Reverse(game.points_of(action)));
        let (start, mut best) = (low, -MOST);
        for action in actions {
            best = best.max(self.after(game, action, low, high)?);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        let bounds = if best <= start {
            (least, best.min(most))
        } else if best >= high {
            (best.max(least), most)
        } else {
            (best, best)
        };
        self.bounds.insert(key, bounds);
        Some(best)
    }

    /// The same after an action, for the player who takes it.
    fn after(&mut self, game: &Iwoki, action: Action, low: i16, high: i16) -> Option<i16> {
        let next = game.after(action);
        if next.turn() == game.turn() {
            self.lead(&next, low, high)
        } else {
            self.lead(&next, -high, -low).map(|lead| -lead)
        }
    }

    /// The best action of the opponent after this one.
    fn reply(&mut self, game: &Iwoki, action: Action) -> Option<Action> {
        let next = game.after(action);
        if next.turn() == game.turn() {
            return None;
        }
        let mut best: Option<(i16, Action)> = None;
        for reply in next.legal_moves() {
            let low = best.map_or(-MOST, |(lead, _)| lead);
            let lead = self.after(&next, reply, low, MOST)?;
            if best.is_none_or(|(known, _)| lead > known) {
                best = Some((lead, reply));
            }
        }
        best.map(|(_, reply)| reply)
    }
}

/// Whether a single action earns clearly more than every other, and is not the greedy player's.
pub fn search(game: &Iwoki) -> Search<Action> {
    let mut solver = Solver {
        nodes: NODES,
        bounds: HashMap::new(),
    };
    let mut leads = vec![];
    for action in game.legal_moves() {
        match solver.after(game, action, -MOST, MOST) {
            Some(lead) => leads.push((action, lead)),
            None => return Search::TooLarge,
        }
    }
    let Some(target) = single(&leads) else {
        return Search::Nothing;
    };
    let (best, result, otherwise) = target;
    // What every beginner would do is no puzzle.
    if Greedy.choose(game, &mut Rng::new(1)) == Some(best) {
        return Search::Nothing;
    }
    if check(game, target).is_err() {
        return Search::Nothing;
    }
    solver.nodes = NODES;
    let mut replies = vec![];
    let others = leads.iter().map(|&(action, _)| action);
    for action in std::iter::once(best).chain(others.filter(|&action| action != best)) {
        replies.extend(solver.reply(game, action).map(|reply| (action, reply)));
    }
    Search::Found(Task {
        target: Target::Points { result, otherwise },
        best,
        replies,
    })
}

/// The best of at least three actions, its lead and that of the next best.
fn single(leads: &[(Action, i16)]) -> Option<(Action, i16, i16)> {
    let &(best, result) = leads.iter().max_by_key(|&&(_, lead)| lead)?;
    let others = leads.iter().filter(|&&(action, _)| action != best);
    let otherwise = others.map(|&(_, lead)| lead).max()?;
    (leads.len() >= 3 && result - otherwise >= MARGIN).then_some((best, result, otherwise))
}

/// Proves by a visit of every position that this action is the best by these final leads.
pub fn check(game: &Iwoki, stated: (Action, i16, i16)) -> Result<(), String> {
    let mut known = HashMap::new();
    let mut leads = vec![];
    for action in game.legal_moves() {
        let lead = visit(&game.after(action), game.turn(), &mut known);
        leads.push((
            action,
            lead.ok_or("too many positions for a second solution")?,
        ));
    }
    match single(&leads) {
        Some(found) if found == stated => Ok(()),
        Some((best, result, otherwise)) => Err(format!(
            "the best action is {best} ({result:+}, otherwise {otherwise:+})"
        )),
        None => Err(format!("no action is better by {MARGIN} than all others")),
    }
}

/// The final lead of one player, each position once.
fn visit(game: &Iwoki, player: Player, known: &mut HashMap<Iwoki, i16>) -> Option<i16> {
    if game.is_over() {
        return Some(game.lead(player));
    }
    if let Some(&lead) = known.get(game) {
        return Some(lead);
    }
    let mut leads = vec![];
    for action in game.legal_moves() {
        leads.push(visit(&game.after(action), player, known)?);
    }
    let best = if game.turn() == player {
        leads.into_iter().max()
    } else {
        leads.into_iter().min()
    }?;
    if known.len() >= VISITS {
        return None;
    }
    known.insert(*game, best);
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::IwokiRules;
    use dojo_core::games::iwoki::Form;

    #[test]
    fn last_turns_are_solved_by_both() {
        let mut rng = Rng::new(1);
        let mut found = 0;
        for deal in 0..40 {
            let mut game = Iwoki::new(IwokiRules {
                form: Form::Open,
                deal,
            });
            while !game.is_over() {
                if game.ending().is_some()
                    && let Search::Found(task) = search(&game)
                    && let Target::Points { result, otherwise } = task.target
                {
                    assert_eq!(check(&game, (task.best, result, otherwise)), Ok(()));
                    assert!(check(&game, (task.best, result, otherwise - 1)).is_err());
                    found += 1;
                }
                game.play_unchecked(Greedy.choose(&game, &mut rng).unwrap());
            }
        }
        assert!(found >= 2, "{found}");
    }
}
