//! Moves from records and GTP controllers: either colour at any time, also after two passes.

use std::fmt;

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Points, Stones};

/// The word for a player.
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The board has no such point.
    Outside,
    /// A stone stands there.
    Occupied,
    /// Suicide: the stone would have no liberty.
    Suicide,
    /// The stone would take back a ko.
    Ko,
    /// Superko: the position would repeat an earlier one.
    Repeats,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Outside => "outside the board",
            Refusal::Occupied => "a stone stands there",
            Refusal::Suicide => "suicide",
            Refusal::Ko => "ko",
            Refusal::Repeats => "repeats an earlier position",
        })
    }
}

/// The game with this player to move. If the same player moves twice in a row, the other one has
/// passed; if that would end the game, or it has ended, a new game starts from the stones on the
/// board.
pub fn with_turn(game: &Go, player: Player) -> Go {
    if !game.is_over() && game.turn() == player {
        return *game;
    }
    if !game.is_over() && game.last_move() != Some(GoMove::Pass) {
        let passed = game.after(GoMove::Pass);
        if !passed.is_over() {
            return passed;
        }
    }
    with_stones(game, *game.stones(), player).unwrap_or(*game)
}

/// A game that starts with these stones; `None` if a block would have no liberty.
pub fn with_stones(game: &Go, stones: Stones, player: Player) -> Option<Go> {
    Go::with_stones(
        game.rules(),
        stones.of(Player::First),
        stones.of(Player::Second),
        player,
    )
}

/// The game after a move of this player, or why it is refused.
pub fn played(game: &Go, player: Player, mv: GoMove) -> Result<Go, Refusal> {
    let game = with_turn(game, player);
    if game.is_legal(mv) {
        return Ok(game.after(mv));
    }
    let point = mv.point().map_or(Points::EMPTY, Points::of);
    let breathes = |stones: &mut Stones| {
        mv.point().is_none_or(|point| {
            stones.place(player, point, game.board());
            !stones
                .liberties(stones.block(point), game.board())
                .is_empty()
        })
    };
    Err(match () {
        _ if !game.board().meets(point) => Refusal::Outside,
        _ if !game.empty().meets(point) => Refusal::Occupied,
        _ if game.ko() == mv.point() => Refusal::Ko,
        _ if !breathes(&mut { *game.stones() }) => Refusal::Suicide,
        _ => Refusal::Repeats,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::GoRules;

    #[test]
    fn anybody_may_move_at_any_time() {
        let mut game = Go::new(GoRules::default());
        let mv = |name: &str| game.parse_move(name).unwrap();
        let (e5, d4, pass) = (mv("E5"), mv("D4"), GoMove::Pass);
        for (player, mv) in [
            (Player::Second, e5),
            (Player::Second, d4),
            (Player::First, pass),
            (Player::First, pass),
            (Player::Second, pass),
            (Player::Second, pass),
        ] {
            game = played(&game, player, mv).unwrap();
        }
        assert_eq!(game.stones().of(Player::Second).len(), 2);
        assert_eq!(played(&game, Player::First, e5), Err(Refusal::Occupied));
    }

    #[test]
    fn refusals_say_why() {
        let rules = GoRules::new(5).unwrap();
        let game = Go::parse_position(rules, "..XO./.XO.O/..XO./X..../.X... black").unwrap();
        let refused = |game: &Go, player, name: &str| {
            played(game, player, game.parse_move(name).unwrap()).unwrap_err()
        };
        assert_eq!(refused(&game, Player::First, "F1"), Refusal::Outside);
        assert_eq!(refused(&game, Player::First, "C3"), Refusal::Occupied);
        assert_eq!(refused(&game, Player::Second, "A1"), Refusal::Suicide);
        let taken = played(&game, Player::First, game.parse_move("D4").unwrap()).unwrap();
        assert_eq!(refused(&taken, Player::Second, "C4"), Refusal::Ko);
    }
}
