//! How strong the belts are, as measured: the same figures as in the manual.

use dojo_core::belt::Belt;
use dojo_core::games::{AnyRules, GameId};

/// Points of a belt in thousandths of what its games were worth; a draw is half a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Against a random player.
    pub random: u16,
    /// Against the belt below; white has none.
    pub below: Option<u16>,
    /// Against the rule-based player, where the game has one, and its name.
    pub other: Option<(u16, &'static str)>,
}

/// What was measured about a belt; only the usual rules of each game were.
pub fn strength(rules: &AnyRules, belt: Belt) -> Option<Strength> {
    let id = rules.id();
    let usual = AnyRules::new(id).dealt(|| 0) == rules.dealt(|| 0);
    let (_, belts) = MEASURED.iter().find(|(game, _)| *game == id && usual)?;
    let [random, below, other] = belts[belt as usize];
    let known = |points: u16| Some(points).filter(|&points| points > 0);
    let name = if id == GameId::Iwoki {
        "greedy"
    } else {
        "smart"
    };
    Some(Strength {
        random,
        below: known(below),
        other: known(other).map(|points| (points, name)),
    })
}

// Against random, the belt below and the rule-based player; 0 where there is no such match.
// measured by `cargo xtask belts`, checked by a test
const MEASURED: &[(GameId, [[u16; 3]; 5])] = &[
    (
        GameId::Sticks,
        [
            [796, 0, 0],
            [911, 992, 0],
            [976, 764, 0],
            [990, 745, 0],
            [1000, 598, 0],
        ],
    ),
    (
        GameId::TicTacToe,
        [
            [711, 0, 0],
            [863, 836, 0],
            [881, 568, 0],
            [901, 556, 0],
            [967, 758, 0],
        ],
    ),
    (
        GameId::Dots,
        [
            [823, 0, 267],
            [910, 631, 721],
            [978, 616, 871],
            [997, 713, 992],
            [997, 628, 1000],
        ],
    ),
    (
        GameId::Iwoki,
        [
            [891, 0, 45],
            [1000, 993, 600],
            [1000, 754, 757],
            [1000, 596, 800],
            [1000, 741, 939],
        ],
    ),
    (
        GameId::Go,
        [
            [1000, 0, 750],
            [1000, 1000, 1000],
            [1000, 1000, 1000],
            [1000, 900, 1000],
            [1000, 1000, 1000],
        ],
    ),
];
// end of what was measured
