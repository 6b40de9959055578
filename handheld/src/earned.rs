//! Earned belts: beat a belt in two of the last three games against it, without help, and it is
//! yours. Losing never takes one away.

use serde::{Deserialize, Serialize};

/// Wins without help among the last games that earn a belt.
const WINS: u8 = 2;
/// The last three games, one bit each.
const GAMES: u8 = 0b111;

/// What a person has done against a belt of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The last games against it, the newest in the lowest bit: 1 if won without help.
    recent: u8,
    /// Games of all kinds with a result when it was earned; 0 if it is not. The handheld has no
    /// calendar.
    earned: u16,
}

impl Challenge {
    /// Counts a game, the `games`-th of all. Returns whether it earns the belt.
    pub(crate) fn count(&mut self, is_clean_win: bool, games: u32) -> bool {
        self.recent = (self.recent << 1 | u8::from(is_clean_win)) & GAMES;
        let earns = self.earned == 0 && self.recent.count_ones() >= WINS.into();
        if earns {
            self.earned = u16::try_from(games).unwrap_or(u16::MAX).max(1);
        }
        earns
    }

    /// Games with a result when the belt was earned; `None` if it is not.
    pub fn earned(self) -> Option<u16> {
        Some(self.earned).filter(|&games| games > 0)
    }

    /// How many wins without help earn it, if all of the next games are won.
    pub fn wins_to_go(self) -> u8 {
        // The next game pushes the oldest one out.
        let recent = (self.recent << 1 & GAMES).count_ones() as u8;
        if self.earned > 0 {
            0
        } else {
            WINS - recent.min(WINS - 1)
        }
    }

    /// The challenge with every value in its range: bytes from storage are not trusted.
    pub(crate) fn checked(self) -> Challenge {
        Challenge {
            recent: self.recent & GAMES,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games as letters: W without help, anything else is none. Returns the number of the game that
    /// earns the belt, and the wins to go before each.
    fn play(games: &str) -> (Option<u16>, heapless::Vec<u8, 16>) {
        let mut challenge = Challenge::default();
        let mut to_go = heapless::Vec::new();
        for (number, game) in games.bytes().enumerate() {
            to_go.push(challenge.wins_to_go()).unwrap();
            challenge.count(game == b'W', number as u32 + 1);
        }
        (challenge.earned(), to_go)
    }

    #[test]
    fn two_of_the_last_three_games_earn_a_belt() {
        assert_eq!(play("WW").0, Some(2));
        assert_eq!(play("WlW").0, Some(3));
        assert_eq!(play("WllW").0, None, "two of four are not enough");
        assert_eq!(play("lllWlW").0, Some(6));
        assert_eq!(play("WlWllll").0, Some(3), "losing takes nothing away");
        assert_eq!(play("").0, None);
    }

    #[test]
    fn it_says_how_many_wins_are_still_needed() {
        assert_eq!(play("WllWlW ").1, [2, 1, 1, 2, 1, 1, 0]);
    }

    #[test]
    fn a_saved_challenge_is_in_its_range() {
        let wild = Challenge {
            recent: 0xFF,
            earned: 0,
        };
        let challenge = wild.checked();
        assert_eq!((challenge.recent, challenge.wins_to_go()), (GAMES, 1));
    }
}
