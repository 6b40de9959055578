//! Connect Four against a second, slow implementation and against published counts.

use std::collections::HashSet;

use dojo_core::game::{Game, GameMove, Outcome, Player, perft};
use dojo_core::games::Connect4;
use dojo_core::rng::Rng;

/// A grid of marks; every line is tested cell by cell.
#[derive(Clone, Default)]
struct Slow {
    columns: [Vec<Player>; 7],
    plies: usize,
}

impl Slow {
    fn turn(&self) -> Player {
        Player::BOTH[self.plies % 2]
    }

    fn at(&self, column: i32, row: i32) -> Option<Player> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    fn outcome(&self) -> Option<Outcome> {
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            let Some(player) = self.at(column, row) else {
                continue;
            };
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if (1..4).all(|n| self.at(column + n * right, row + n * up) == Some(player)) {
                    return Some(Outcome::Win(player));
                }
            }
        }
        (self.plies == 42).then_some(Outcome::Draw)
    }

    fn moves(&self) -> Vec<u16> {
        let free = |&column: &u16| self.columns[usize::from(column)].len() < 6;
        match self.outcome() {
            Some(_) => vec![],
            None => (0..7).filter(free).collect(),
        }
    }

    fn play(&mut self, column: u16) {
        let turn = self.turn();
        self.columns[usize::from(column)].push(turn);
        self.plies += 1;
    }
}

fn slow_perft(game: &Slow, depth: u32) -> u64 {
    let moves = game.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |&column: &u16| {
        let mut next = game.clone();
        next.play(column);
        slow_perft(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

#[test]
fn whole_games_agree_with_the_slow_implementation() {
    let mut rng = Rng::new(6);
    let (mut draws, mut wins) = (0, [0; 2]);
    for _ in 0..3_000 {
        let (mut game, mut slow) = (Connect4::new(Default::default()), Slow::default());
        loop {
            assert_eq!(game.outcome(), slow.outcome(), "{game}");
            let moves: Vec<u16> = game.legal_moves().map(GameMove::index).collect();
            assert_eq!(moves, slow.moves(), "{game}");
            let read = Connect4::parse_position(Default::default(), &game.to_string());
            assert_eq!(read, Ok(game));
            match slow.outcome() {
                Some(Outcome::Win(player)) => wins[player.index()] += 1,
                Some(Outcome::Draw) => draws += 1,
                None => {
                    assert_eq!(game.turn(), slow.turn());
                    let column = moves[rng.below(moves.len() as u32) as usize];
                    game.play(GameMove::from_index(column).unwrap()).unwrap();
                    slow.play(column);
                    continue;
                }
            }
            break;
        }
    }
    assert!(
        draws > 0 && wins.iter().all(|&wins| wins > 100),
        "{draws} {wins:?}"
    );
}

#[test]
fn move_sequences_agree_with_the_slow_count_where_columns_fill_up() {
    // Two columns are full and a third nearly: lines and edges matter from the first move on.
    let (mut game, mut slow) = (Connect4::new(Default::default()), Slow::default());
    for column in [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 5] {
        game.play(GameMove::from_index(column).unwrap()).unwrap();
        slow.play(column);
    }
    for depth in 1..=7 {
        assert_eq!(perft(&game, depth), slow_perft(&slow, depth), "{depth}");
    }
    assert_eq!(
        perft(&Connect4::new(Default::default()), 6),
        slow_perft(&Slow::default(), 6)
    );
}

/// Positions after each number of moves, counted by John Tromp (Online Encyclopedia of Integer
/// Sequences, A212693).
#[test]
fn as_many_positions_as_published() {
    const PUBLISHED: [usize; 9] = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
    let mut positions = HashSet::from([Connect4::new(Default::default())]);
    for (plies, published) in PUBLISHED.into_iter().enumerate() {
        assert_eq!(positions.len(), published, "after {plies} moves");
        let keys: HashSet<u64> = positions.iter().map(Game::key).collect();
        assert_eq!(keys.len(), published, "each position has a key of its own");
        positions = positions
            .iter()
            .flat_map(|game| game.legal_moves().map(|mv| game.after(mv)))
            .collect();
    }
}
