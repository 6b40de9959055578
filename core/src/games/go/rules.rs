//! The options of Go.

use core::fmt;

use serde::{Deserialize, Serialize};

use super::points::{Point, Points, SIDE};
use crate::game::{NotationError, Rules};

/// The ko rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ko {
    /// Positional superko: no position of the game may be repeated.
    Positional,
    /// Simple ko: the position before the opponent's last move may not be repeated.
    Simple,
}

/// The size of the board, komi, ko and handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GoRules {
    size: u8,
    handicap: u8,
    /// Komi in half points.
    komi: i16,
    /// The ko rule.
    pub ko: Ko,
}

/// Largest komi, in half points: all points of the largest board.
const MOST_KOMI: i16 = 2 * (SIDE as i16) * (SIDE as i16);

impl GoRules {
    /// Supported sizes.
    pub const SIZES: [u8; 3] = [5, 7, 9];
    /// Supported numbers of handicap stones.
    pub const HANDICAPS: [u8; 9] = [0, 2, 3, 4, 5, 6, 7, 8, 9];

    /// The default rules on a board of 5, 7 or 9 rows.
    pub fn new(size: u8) -> Option<GoRules> {
        GoRules::SIZES.contains(&size).then_some(GoRules {
            size,
            handicap: 0,
            komi: 11,
            ko: Ko::Positional,
        })
    }

    /// With this komi in half points (11 is 5.5), at most all points of a 9×9 board for either
    /// side.
    pub fn with_komi(self, half_points: i16) -> Option<GoRules> {
        (-MOST_KOMI..=MOST_KOMI)
            .contains(&half_points)
            .then_some(GoRules {
                komi: half_points,
                ..self
            })
    }

    /// With this many handicap stones: 0, or 2 to 9. White then moves first.
    pub fn with_handicap(self, stones: u8) -> Option<GoRules> {
        GoRules::HANDICAPS.contains(&stones).then_some(GoRules {
            handicap: stones,
            ..self
        })
    }

    /// With another ko rule.
    pub fn with_ko(self, ko: Ko) -> GoRules {
        GoRules { ko, ..self }
    }

    /// Number of rows and of columns.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Komi in half points.
    pub fn komi(&self) -> i16 {
        self.komi
    }

    /// Number of handicap stones.
    pub fn handicap(&self) -> u8 {
        self.handicap
    }

    /// All points of the board.
    #[inline]
    pub fn board(&self) -> Points {
        const BOARDS: [Points; 3] = [Points::board(5), Points::board(7), Points::board(9)];
        match self.size {
            5 => BOARDS[0],
            7 => BOARDS[1],
            _ => BOARDS[2],
        }
    }

    /// The points of the handicap stones: corners first, the middle for an odd number from five on,
    /// then the sides, in the order of the Go Text Protocol.
    pub(crate) fn handicap_stones(&self) -> Points {
        let low = if self.size == 5 { 1 } else { 2 };
        let (middle, high) = (self.size / 2, self.size - 1 - low);
        let corners_and_sides = [
            (low, low),
            (high, high),
            (low, high),
            (high, low),
            (low, middle),
            (high, middle),
            (middle, low),
            (middle, high),
        ];
        let centre = self.handicap >= 5 && self.handicap % 2 == 1;
        let others = usize::from(self.handicap) - usize::from(centre);
        let mut stones = Points::EMPTY;
        let places = corners_and_sides
            .into_iter()
            .take(others)
            .chain(centre.then_some((middle, middle)));
        places
            .filter_map(|(col, row)| Point::new(col, row))
            .for_each(|point| stones.insert(point));
        stones
    }
}

impl Default for GoRules {
    /// 9×9, komi 5.5, positional superko, no handicap.
    fn default() -> GoRules {
        GoRules {
            size: SIDE,
            handicap: 0,
            komi: 11,
            ko: Ko::Positional,
        }
    }
}

impl fmt::Display for GoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ko = match self.ko {
            Ko::Positional => "positional",
            Ko::Simple => "simple",
        };
        let (sign, komi) = (
            if self.komi < 0 { "-" } else { "" },
            self.komi.unsigned_abs(),
        );
        let half = if komi % 2 == 1 { ".5" } else { "" };
        write!(
            f,
            "size={} komi={sign}{}{half} ko={ko} handicap={}",
            self.size,
            komi / 2,
            self.handicap
        )
    }
}

impl Rules for GoRules {
    fn checked(self) -> Option<GoRules> {
        Some(
            GoRules::new(self.size)?
                .with_komi(self.komi)?
                .with_handicap(self.handicap)?
                .with_ko(self.ko),
        )
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), NotationError> {
        let usual = *self;
        let (rules, expected) = match key {
            "size" => (
                value
                    .parse()
                    .ok()
                    .and_then(GoRules::new)
                    .map(|rules| GoRules {
                        size: rules.size,
                        ..usual
                    }),
                "size=5, size=7 or size=9",
            ),
            "komi" => (
                half_points(value).and_then(|komi| usual.with_komi(komi)),
                "komi= whole or half points from -81 to 81, such as komi=5.5",
            ),
            "handicap" => (
                value
                    .parse()
                    .ok()
                    .and_then(|stones| usual.with_handicap(stones)),
                "handicap=0 or handicap=2 to 9",
            ),
            "ko" => (
                match value {
                    "positional" => Some(usual.with_ko(Ko::Positional)),
                    "simple" => Some(usual.with_ko(Ko::Simple)),
                    _ => None,
                },
                "ko=positional or ko=simple",
            ),
            _ => (None, "size=, komi=, ko= or handicap="),
        };
        *self = rules.ok_or(NotationError { expected })?;
        Ok(())
    }
}

/// Reads points such as `5.5`, `7`, `0.5` or `-3.0` as half points.
pub fn half_points(text: &str) -> Option<i16> {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or((1, text), |digits| (-1, digits));
    let (whole, half) = match digits.split_once('.') {
        None => (digits, 0),
        Some((whole, fraction)) => match fraction.trim_end_matches('0') {
            "" if !fraction.is_empty() => (whole, 0),
            "5" => (whole, 1),
            _ => return None,
        },
    };
    let digits_only = !whole.is_empty() && whole.bytes().all(|digit| digit.is_ascii_digit());
    let whole: i16 = whole
        .parse()
        .ok()
        .filter(|&whole| digits_only && whole <= MOST_KOMI)?;
    Some(sign * (2 * whole + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_read_in_halves() {
        let read = [
            "5.5", "7", "0.50", "-3.0", "81", "6.25", "", "-", ".5", "5.", "+5", "1e3", "99999",
            "nan",
        ];
        let expected = [
            Some(11),
            Some(14),
            Some(1),
            Some(-6),
            Some(162),
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
        ];
        assert_eq!(read.map(half_points), expected);
        assert!({ GoRules::default() }.set("komi", "81.5").is_err());
        assert!({ GoRules::default() }.set("komi", "-81").is_ok());
    }

    #[test]
    fn handicap_stones_stand_where_the_protocol_says() {
        let stones = |count| {
            GoRules::default()
                .with_handicap(count)
                .unwrap()
                .handicap_stones()
        };
        let set = |names: &str| {
            names
                .split(' ')
                .filter_map(Point::parse)
                .fold(Points::EMPTY, |set, point| set | Points::of(point))
        };
        assert_eq!(stones(0), Points::EMPTY);
        assert_eq!(stones(2), set("C3 G7"));
        assert_eq!(stones(3), set("C3 G7 C7"));
        assert_eq!(stones(5), set("C3 G7 C7 G3 E5"));
        assert_eq!(stones(6), set("C3 G7 C7 G3 C5 G5"));
        assert_eq!(stones(8), set("C3 G7 C7 G3 C5 G5 E3 E7"));
        for size in GoRules::SIZES {
            for count in GoRules::HANDICAPS {
                let rules = GoRules::new(size).unwrap().with_handicap(count).unwrap();
                assert_eq!(rules.handicap_stones().len(), u32::from(count));
            }
        }
    }
}
