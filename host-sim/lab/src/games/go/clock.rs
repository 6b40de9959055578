//! Time control of Go programs: main time, then Canadian byo-yomi (periods with a number of stones
//! each).

use std::time::Duration;

use dojo_core::game::Player;

/// The time left for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Left {
    time: Duration,
    /// Stones to play in that time; 0 in main time.
    stones: u32,
}

/// A clock for both players. Without settings there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Main time, period and its stones; `None` without a limit.
    settings: Option<(Duration, Duration, u32)>,
    left: [Left; 2],
}

/// Reserve for communication, taken off every move.
const MARGIN: Duration = Duration::from_millis(50);

impl Clock {
    /// Main time, time of a period, stones of a period. Time of a period without stones means no
    /// limit; no time at all means that every move has to come at once.
    pub fn new([main, period, stones]: [u32; 3]) -> Clock {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let settings =
            (period == 0 || stones > 0).then_some((seconds(main), seconds(period), stones));
        let mut clock = Clock {
            settings,
            left: [Left::default(); 2],
        };
        clock.reset();
        clock
    }

    /// A new game begins.
    pub fn reset(&mut self) {
        let left = self
            .settings
            .map_or(Left::default(), |(main, period, stones)| {
                match main.is_zero() {
                    true => Left {
                        time: period,
                        stones,
                    },
                    false => Left {
                        time: main,
                        stones: 0,
                    },
                }
            });
        self.left = [left; 2];
    }

    /// The controller says what is left. That sets a limit even if none was set before.
    pub fn tell(&mut self, player: Player, seconds: u32, stones: u32) {
        let time = Duration::from_secs(seconds.into());
        self.settings.get_or_insert((time, Duration::ZERO, 0));
        self.left[player.index()] = Left { time, stones };
    }

    /// How long the next move may take.
    pub fn for_move(&self, player: Player, plies: usize, points: u32) -> Option<Duration> {
        let (_, period, period_stones) = self.settings?;
        let Left { time, stones } = self.left[player.index()];
        let share = if stones > 0 {
            time / stones
        } else {
            // Expected moves to come: a few more than half of the free points, at least ten.
            let moves = (points.saturating_sub(plies as u32) / 2 + 5).max(10);
            let later = if period_stones > 0 {
                period / period_stones
            } else {
                Duration::ZERO
            };
            (time / moves).max(later.min(time))
        };
        Some(share.saturating_sub(MARGIN))
    }

    /// A move took this long.
    pub fn spend(&mut self, player: Player, taken: Duration) {
        let Some((_, period, period_stones)) = self.settings else {
            return;
        };
        let left = &mut self.left[player.index()];
        let in_main = left.stones == 0;
        left.time = left.time.saturating_sub(taken);
        if in_main {
            if left.time.is_zero() && period_stones > 0 {
                *left = Left {
                    time: period,
                    stones: period_stones,
                };
            }
        } else {
            left.stones -= 1;
            if left.stones == 0 {
                *left = Left {
                    time: period,
                    stones: period_stones,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_settings_no_limit() {
        assert_eq!(Clock::default().for_move(Player::First, 0, 81), None);
        assert_eq!(
            Clock::new([10, 5, 0]).for_move(Player::First, 0, 81),
            None,
            "periods without stones"
        );
        assert_eq!(
            Clock::new([0, 0, 0]).for_move(Player::First, 0, 81),
            Some(Duration::ZERO)
        );
    }

    #[test]
    fn main_time_lasts_for_a_game() {
        let mut clock = Clock::new([60, 0, 0]);
        for plies in (0..240).step_by(2) {
            let time = clock.for_move(Player::First, plies, 81).unwrap();
            clock.spend(Player::First, time + MARGIN / 20);
        }
        assert!(clock.left[0].time > Duration::ZERO);
    }

    #[test]
    fn periods_give_each_stone_its_share() {
        let mut clock = Clock::new([0, 30, 3]);
        assert_eq!(
            clock.for_move(Player::Second, 0, 81),
            Some(Duration::from_secs(10) - MARGIN)
        );
        clock.spend(Player::Second, Duration::from_secs(20));
        assert_eq!(
            clock.for_move(Player::Second, 0, 81),
            Some(Duration::from_secs(5) - MARGIN)
        );
        clock.spend(Player::Second, Duration::ZERO);
        clock.spend(Player::Second, Duration::ZERO);
        assert_eq!(
            clock.left[1],
            Left {
                time: Duration::from_secs(30),
                stones: 3
            }
        );
        clock.tell(Player::Second, 4, 2);
        assert_eq!(
            clock.for_move(Player::Second, 0, 81),
            Some(Duration::from_secs(2) - MARGIN)
        );
    }
}
