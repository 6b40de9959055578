//! Moves to avoid: those of a random player against a real opponent, and suicides.

use dojo_core::game::{Game, Player};
use dojo_core::games::go::{GoMove, Point};
use dojo_core::games::{Go, GoRules};
use dojo_core::rng::Rng;

use super::examples::{RecordedStone, suicides};
use crate::failure::Failure;
use crate::games::go::gtp_player::{GtpPlayer, GtpProgram};
use crate::games::go::record;
use crate::games::go::sgf::{self, SgfError};

/// Games of the random player against GNU Go.
pub const RANDOM_GAMES: &[u8] =
    include_bytes!("../../../../../../data/go-patterns/random-against-gnugo.sgf");

/// The name of the random player in a record.
const RANDOM: &str = "random";
/// A random player never passes while it has a move: games are left here.
const PLIES: usize = 100;

/// Games of a random player against GNU Go at level 1 as an SGF collection, colours alternating.
pub fn make(games: u64, seed: u64) -> Result<String, Failure> {
    let opponent = GtpPlayer::new(&GtpProgram::GnuGo { level: 1 })?;
    let mut collection = String::new();
    for number in 0..games {
        let mut rng = Rng::new(seed + number);
        let random = Player::BOTH[(number % 2) as usize];
        let mut game = Go::new(GoRules::default());
        while !game.is_over() && game.plies() < PLIES {
            let mv = if game.turn() == random {
                rng.pick(game.legal_points()).map(GoMove::Stone)
            } else {
                opponent.choose(&game, &mut rng)
            };
            game.play(mv.unwrap_or(GoMove::Pass))
                .map_err(|_| Failure::check(format!("GNU Go made an illegal move in {game}")))?;
        }
        let mut names = [RANDOM, "GNU Go 3.8 level 1"];
        if random == Player::Second {
            names.swap(0, 1);
        }
        let seed = format!("seed {}", seed + number);
        let facts = [("PB", names[0]), ("PW", names[1]), ("C", &seed)];
        collection += &record::write(&game, &facts);
    }
    Ok(collection)
}

/// The stones of the random player in a collection that [`make`] has made.
pub fn random_stones(bytes: &[u8]) -> Result<Vec<RecordedStone>, SgfError> {
    let mut stones = vec![];
    for line in &sgf::parse(bytes)? {
        let root = line.nodes.first();
        let is_random = |name| {
            let property = root.and_then(|root| root.get(name));
            property.is_some_and(|property| property.values.first().is_some_and(|v| v == RANDOM))
        };
        let random = if is_random("PB") {
            Player::First
        } else {
            Player::Second
        };
        record::replay(line, usize::MAX, |game, mv| {
            if let (true, Some(point)) = (game.turn() == random, mv.point()) {
                stones.push(RecordedStone { game: *game, point });
            }
        })?;
    }
    Ok(stones)
}

/// A suicide in each of these positions that has one, the first.
pub fn suicidal(positions: &[RecordedStone]) -> Vec<RecordedStone> {
    let suicide = |recorded: &RecordedStone| -> Option<RecordedStone> {
        let point: Point = suicides(&recorded.game).first()?;
        Some(RecordedStone {
            game: recorded.game,
            point,
        })
    };
    positions.iter().filter_map(suicide).collect()
}
