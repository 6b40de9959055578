//! How strong the belts are, as measured: the same figures as in the manual.

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

/// What was measured about a belt; only the usual rules of each game were.
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
