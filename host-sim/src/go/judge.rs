//! The score at the end of a game against people and engines, who do not take dead stones off one by one.

use dojo_core::agents::go::dead_stones;
use dojo_core::games::Go;

/// The score in half points once dead stones are off the board: above 0 if black is ahead.
pub fn final_score(game: &Go) -> i16 {
    game.score_without(dead_stones(game))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::game::Game;
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
