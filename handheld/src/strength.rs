//! Measured strength of the belts: the figures of the manual.

use dojo_core::belt::Belt;
use dojo_core::games::AnyRules;

use crate::boards;

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

/// The measured strength of a belt under the usual rules; other rules were not measured.
pub fn strength(rules: &AnyRules, belt: Belt) -> Option<Strength> {
    let id = rules.id();
    let usual = AnyRules::new(id).dealt(|| 0) == rules.dealt(|| 0);
    if !usual {
        return None;
    }
    let (belts, rival) = boards::strengths(id);
    let [random, below, other] = belts[belt as usize];
    let known = |points: u16| Some(points).filter(|&points| points > 0);
    Some(Strength {
        random,
        below: known(below),
        other: known(other).map(|points| (points, rival)),
    })
}
