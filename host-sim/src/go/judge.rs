//! Which stones are dead at the end of a game against people and engines, who do not take them off one by one.

use dojo_core::agents::Agent;
use dojo_core::agents::go::Taker;
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::Points;
use dojo_core::rng::Rng;

use super::turn::with_stones;

/// Continuations that are looked at.
const GAMES: u32 = 64;
/// A block that holds its place in fewer of them is dead.
const ALIVE: u32 = GAMES / 2;

/// The dead stones: the game is played on many times by a quick player, and blocks that are gone, or inside the other
/// player's area, at the end of most games are dead. The same position gets the same answer.
pub fn dead_stones(game: &Go) -> Points {
    let stones = *game.stones();
    let mut rng = Rng::new(stones.hash());
    let mut held = [0u32; 90];
    for number in 0..GAMES {
        // Either may move first.
        let Some(mut end) = with_stones(game, stones, Player::BOTH[number as usize % 2]) else { return Points::EMPTY };
        while let Some(mv) = Taker.choose(&end, &mut rng) {
            end.play_unchecked(mv);
        }
        for player in Player::BOTH {
            for point in end.stones().area(player, end.board()) & stones.of(player) {
                held[point.number()] += 1;
            }
        }
    }
    let mut dead = Points::EMPTY;
    for (_, block) in stones.blocks() {
        let held: u32 = { block }.map(|point| held[point.number()]).sum();
        if held < ALIVE * block.len() {
            dead |= block;
        }
    }
    dead
}

/// The score in half points once dead stones are off the board: above 0 if black is ahead.
pub fn final_score(game: &Go) -> i16 {
    game.score_without(dead_stones(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::GoRules;
    use dojo_core::games::go::Point;

    fn dead(text: &str) -> Vec<String> {
        let rules = GoRules::new(if text.len() < 40 { 5 } else { 9 }).unwrap();
        let game = Go::parse_position(rules, text).unwrap();
        dead_stones(&game).map(|point: Point| point.to_string()).collect()
    }

    #[test]
    fn lone_stones_in_safe_areas_are_dead_and_living_ones_are_not() {
        assert_eq!(dead(".XO../XXO.O/.XOO./OXXOO/.X.X. black"), ["A2"]);
        // White stone in black's two-eyed area; black stone in white's.
        let text = "..X.O..../.OX.O.X../XXX.O..../..XOOO.../.XX.O.O../XXXXOOOOO/..X.X..../.XXXXXXX./........X black";
        assert_eq!(dead(text), ["B8", "G8"]);
        assert_eq!(dead("...../...../...../...../..... black"), [""; 0]);
    }
}
