//! Taking and saving blocks: the puzzles of Go.
//!
//! Two solvers answer the same question, *can the block be taken within [`MOVES`] moves of the
//! attacker?* `Fight` searches the points around the block on the bare stones; `taken` plays
//! every legal move of the whole game, passes and ko included. A puzzle is what both agree on.
//!
//! Both use one exact bound: a move of the attacker fills at most one liberty, so a block with more
//! liberties than the attacker has moves left cannot be taken.

use dojo_core::bank::exercises::Goal;
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Point, Points, Stones};

use crate::puzzles::{Search, Target, Task};

/// Moves that the attacker has.
pub const MOVES: u32 = 3;
/// Smaller blocks make no puzzle.
const STONES: u32 = 2;

/// Whether the block on a point is taken, if the attacker is to move and has `moves` moves; by
/// every legal move of both players.
fn taken(game: &Go, place: Point, moves: u32) -> bool {
    let block = game.stones().block(place);
    let liberties = game.stones().liberties(block, game.board());
    if liberties.len() > moves || game.is_over() {
        return false;
    }
    // Without a move to spare, every move has to fill a liberty.
    let is_tight = liberties.len() == moves;
    let fills = |mv: &GoMove| mv.point().is_some_and(|point| liberties.contains(point));
    game.legal_moves()
        .filter(|mv| !is_tight || fills(mv))
        .any(|mv| lost(&game.after(mv), block, place, moves - 1))
}

/// Whether the block is gone, or taken after every move of its owner.
fn lost(game: &Go, block: Points, place: Point, moves: u32) -> bool {
    if !game.stones().all().meets(block) {
        return true;
    }
    let grown = game.stones().block(place);
    let liberties = game.stones().liberties(grown, game.board());
    // After the owner's move at least as many liberties are left as before less the one it fills.
    if moves == 0 || liberties.len() > moves + 1 || game.is_over() {
        return false;
    }
    game.legal_moves()
        .all(|mv| taken(&game.after(mv), place, moves))
}

/// The bare stones of a fight about a block.
#[derive(Clone, Copy)]
struct Fight {
    stones: Stones,
    /// The stones before the last move: they must not come back at once.
    before: Stones,
    board: Points,
    place: Point,
    attacker: Player,
}

impl Fight {
    fn block(&self) -> Points {
        self.stones.block(self.place)
    }

    /// The stones after a move; `None` if it is suicide or takes a ko back at once.
    fn after(&self, player: Player, point: Point) -> Option<Fight> {
        let mut stones = self.stones;
        stones.place(player, point, self.board);
        let breathes = !stones.liberties(stones.block(point), self.board).is_empty();
        (breathes && stones != self.before).then_some(Fight {
            stones,
            before: self.stones,
            ..*self
        })
    }

    fn after_pass(&self) -> Fight {
        Fight {
            before: self.stones,
            ..*self
        }
    }

    /// The points that matter: liberties of the block, those of weak blocks beside it, and the
    /// points next to either.
    fn points(&self) -> Points {
        let empty = self.board.without(self.stones.all());
        let block = self.block();
        let near = block.around() & empty;
        let mut points = near | near.around();
        let ring = block.around() | near.around();
        for (_, other) in self.stones.blocks() {
            let liberties = self.stones.liberties(other, self.board);
            if liberties.len() <= 2 && other.meets(ring) {
                points |= liberties;
            }
        }
        points & empty
    }

    /// A move of the attacker that takes the block within `moves` moves.
    fn attack(&self, moves: u32) -> Option<Point> {
        let liberties = self.stones.liberties(self.block(), self.board);
        if liberties.len() > moves {
            return None;
        }
        // Without a move to spare, every move has to fill a liberty.
        let mut points = if liberties.len() == moves {
            liberties
        } else {
            self.points()
        };
        points.find(|&point| {
            self.after(self.attacker, point)
                .is_some_and(|next| next.is_lost(moves - 1))
        })
    }

    /// Whether the block is gone, or no move of its owner saves it.
    fn is_lost(&self, moves: u32) -> bool {
        self.stones.at(self.place) != Some(!self.attacker) || self.defence(moves).is_none()
    }

    /// A move that saves the block; the inner `None` is a pass.
    fn defence(&self, moves: u32) -> Option<Option<Point>> {
        if self.after_pass().attack(moves).is_none() {
            return Some(None);
        }
        let saves = |&point: &Point| {
            self.after(!self.attacker, point)
                .is_some_and(|next| next.attack(moves).is_none())
        };
        self.points().find(saves).map(Some)
    }
}

/// Whether a single move of this position takes a block of the opponent, or saves an own one.
pub fn search(game: &Go) -> Search<GoMove> {
    let mover = game.turn();
    let large = game
        .stones()
        .blocks()
        .filter(|(_, block)| block.len() >= STONES);
    // The largest block makes the puzzle.
    let mut blocks: Vec<_> = large.collect();
    blocks.sort_by_key(|(_, block)| std::cmp::Reverse(block.len()));
    blocks
        .into_iter()
        .filter(|(_, block)| game.stones().liberties(*block, game.board()).len() <= MOVES)
        .find_map(|(owner, block)| {
            let place = block.first()?;
            let fight = Fight {
                stones: *game.stones(),
                before: *game.stones(),
                board: game.board(),
                place,
                attacker: !owner,
            };
            let goal = if owner == mover {
                Goal::Save
            } else {
                Goal::Capture
            };
            let task = fight.task(game, goal)?;
            check(game, goal, place, task.best).ok()?;
            Some(Search::Found(task))
        })
        .unwrap_or(Search::Nothing)
}

impl Fight {
    /// The task for the player to move, if a single move fulfils it.
    fn task(&self, game: &Go, goal: Goal) -> Option<Task<GoMove>> {
        let mover = game.turn();
        // Own blocks are only saved from something, and on boards where all moves can be tried.
        let is_small = game.rules().size() == 5;
        if goal == Goal::Save && (!is_small || self.after_pass().attack(MOVES).is_none()) {
            return None;
        }
        let solves = |&point: &Point| {
            game.is_legal(GoMove::Stone(point))
                && self.after(mover, point).is_some_and(|next| match goal {
                    Goal::Save => next.attack(MOVES).is_none(),
                    _ => next.is_lost(MOVES - 1),
                })
        };
        let mut points = self.points().filter(solves);
        let (best, None) = (points.next()?, points.next()) else {
            return None;
        };
        let reply = |mv: GoMove| {
            let next = match mv {
                GoMove::Stone(point) => self.after(mover, point)?,
                GoMove::Pass => self.after_pass(),
            };
            let reply = match goal {
                Goal::Save => next.attack(MOVES).or_else(|| next.points().next()),
                _ if next.stones.at(self.place) != Some(!mover) => None,
                _ => match next.defence(MOVES - 1) {
                    Some(reply) => reply,
                    None => next
                        .points()
                        .find(|&point| next.after(!mover, point).is_some()),
                },
            };
            let reply = GoMove::Stone(reply?);
            game.after(mv).is_legal(reply).then_some((mv, reply))
        };
        Some(Task {
            target: Target::Block(goal, GoMove::Stone(self.place)),
            best: GoMove::Stone(best),
            replies: game.legal_moves().filter_map(reply).collect(),
        })
    }
}

/// Proves by every legal move that this move, and no other, takes or saves the block.
pub fn check(game: &Go, goal: Goal, place: Point, best: GoMove) -> Result<(), String> {
    let block = game.stones().block(place);
    let owner = game
        .stones()
        .at(place)
        .ok_or_else(|| format!("{place} has no stone"))?;
    if (owner == game.turn()) != (goal == Goal::Save) {
        return Err(format!("the block on {place} is the other player's"));
    }
    for mv in game.legal_moves() {
        let next = game.after(mv);
        let solves = match goal {
            Goal::Save => !taken(&next, place, MOVES),
            _ => lost(&next, block, place, MOVES - 1),
        };
        match (solves, mv == best) {
            (true, false) => return Err(format!("{mv} solves it, too")),
            (false, true) => return Err(format!("{best} does not solve it")),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::GoRules;

    /// The best moves of the puzzles that ship do what they say, and passing does not.
    #[test]
    fn shipped_puzzles_are_taken_or_saved_by_their_move_alone() {
        let text = include_str!("../../../../../data/puzzles/go.txt");
        let puzzles = crate::puzzles::read::<Go>(text).unwrap();
        let mut goals = vec![];
        for puzzle in puzzles.iter().step_by(5) {
            let Target::Block(goal, GoMove::Stone(place)) = puzzle.task.target else {
                panic!("{:?}", puzzle.task.target);
            };
            let check = |goal, mv| check(&puzzle.position, goal, place, mv);
            assert_eq!(check(goal, puzzle.task.best), Ok(()));
            assert!(check(goal, GoMove::Pass).is_err());
            goals.push(goal);
        }
        assert!(goals.contains(&Goal::Capture), "{goals:?}");
    }

    /// The search around the block and the search of all moves agree on many small positions.
    #[test]
    fn both_solvers_agree_where_the_first_finds_a_way() {
        let mut rng = dojo_core::rng::Rng::new(5);
        let (mut found, mut positions) = (0, 0);
        while found < 12 {
            let mut game = Go::new(GoRules::new(5).unwrap());
            for _ in 0..10 + rng.below(6) {
                let stones = game.legal_moves().filter(|mv| mv.point().is_some());
                let Some(mv) = rng.pick(stones) else { break };
                game.play_unchecked(mv);
            }
            positions += 1;
            assert!(positions < 2000);
            if let Search::Found(task) = search(&game) {
                let Target::Block(goal, GoMove::Stone(place)) = task.target else {
                    panic!("{task:?}");
                };
                assert_eq!(check(&game, goal, place, task.best), Ok(()));
                found += 1;
            }
        }
    }
}
