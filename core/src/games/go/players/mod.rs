//! Players of Go: a quick rule-based one, the published one, and five belts of Monte Carlo tree
//! search; and the ownership of points at the end of the game.

use crate::bank::{Bank, Meta};
use crate::belt::Belt;
use crate::game::{Game, GameMove, Player};
use crate::games::Go;
use crate::games::go::clauses::{CLAUSE_BYTES, ClauseSet, ClauseView, Weighted};
use crate::games::go::policy::{NAT, Policy, Voice};
use crate::games::go::reason::{Reason, reason, reason_of};
use crate::games::go::{Area, Board, GoMove, Style};
use crate::memory::{WORKSPACE_BYTES, Workspace};
use crate::players::Searchable;
use crate::players::belts::{Ancestor, Belted, Grounds, RULE_BYTES, Resources, Thought, Thoughts};
use crate::rng::Rng;
use crate::search::{Control, Value};

pub mod annilgos;
mod capture;
mod judge;
mod priors;
mod tree;

use annilgos::{DeviceModel, DevicePlayer};
pub use capture::{CapturePlayer, sensible_points};
pub use judge::{ALIVE, Ownership, dead_stones, survival};
pub use priors::{Trust, Weights};
pub use tree::{Node, PlayoutJob, RootMove, Tree, TreeSettings, UNDER_WAY};

/// Nodes of the tree: 120 KB.
const NODES: usize = 10_000;
const _: () =
    assert!(NODES * size_of::<Node>() + UNDER_WAY * size_of::<PlayoutJob>() <= WORKSPACE_BYTES);
/// Playouts of black: within ten seconds of both cores of the device.
pub const BLACK_PLAYOUTS: u32 = 13_800;
/// Most playouts for the mind view.
const THOUGHTS: u32 = 1_000;

/// The search of a belt with a learned policy: what a belt does not know yet, its playouts do not
/// know either.
pub const fn learned_settings(belt: Belt) -> TreeSettings {
    match belt {
        Belt::White => TreeSettings::best(20).with_style(Style::LIGHT),
        Belt::Yellow => TreeSettings::best(150).with_style(Style::LIGHT),
        Belt::Green => TreeSettings::best(300),
        Belt::Brown => TreeSettings::best(1_500),
        Belt::Black => TreeSettings::timed(BLACK_PLAYOUTS),
    }
}

/// The search of a belt without a policy: from 40 light playouts to everything the device can do.
pub const fn tree_settings(belt: Belt) -> TreeSettings {
    match belt {
        Belt::White => light_settings(40),
        Belt::Yellow => light_settings(200),
        Belt::Green => TreeSettings::best(200),
        Belt::Brown => TreeSettings::best(1_500),
        Belt::Black => TreeSettings::best(12_000),
    }
}

/// Light playouts without priors.
const fn light_settings(playouts: u32) -> TreeSettings {
    TreeSettings {
        weights: Weights::NONE,
        ..TreeSettings::best(playouts).with_style(Style::LIGHT)
    }
}

/// Share of won playouts, in thousandths, below which a belt resigns; the lower belts never do.
pub const fn resigns_below(belt: Belt) -> Option<u16> {
    match belt {
        Belt::White | Belt::Yellow | Belt::Green => None,
        Belt::Brown | Belt::Black => Some(40),
    }
}

/// The move of a tree search with these settings and its statistics; `None` if the game is over. A
/// policy, if there is one, gives the priors.
pub fn choose(
    game: &Go,
    settings: &TreeSettings,
    policy: Option<Policy<'_>>,
    rng: &mut Rng,
    resources: &mut Resources<'_, impl Workspace, impl Control>,
) -> Option<RootMove> {
    let (pool, jobs) = resources
        .memory
        .lend_two::<Node, PlayoutJob>(NODES, UNDER_WAY);
    let mut tree = Tree::new(pool, jobs.try_into().ok()?, *settings).with_policy(policy);
    let best = tree.think(game, rng, resources.control, &mut resources.helper)?;
    let pass = RootMove {
        mv: GoMove::Pass,
        ..best
    };
    Some(if may_pass(game, rng) { pass } else { best })
}

/// Whether to pass. The board must be won as it stands, and either the opponent has just passed, or
/// every point is settled even if the opponent moves next. The second case applies once a game: an
/// opponent who plays on after that does not get free moves.
fn may_pass(game: &Go, rng: &mut Rng) -> bool {
    let score = if game.turn() == Player::First {
        game.score()
    } else {
        -game.score()
    };
    let passed = game.last_move() == Some(GoMove::Pass);
    // No board that is less than half full is settled.
    let full = 2 * game.stones().all().len() > game.board().len();
    let own_moves = || game.moves().skip(game.plies() % 2).step_by(2);
    let offer = || full && !own_moves().any(|mv| mv == GoMove::Pass);
    score > 0
        && (passed
            || offer() && Ownership::new(&game.after(GoMove::Pass), 60, rng).is_settled(game))
}

impl Searchable for Go {
    type Knowledge = Area;
}

/// What a bank has for a player.
#[derive(Clone, Copy, Debug)]
pub enum Model<'b> {
    /// The policy of a belt.
    Policy(Policy<'b>),
    /// Network and patterns of an ancestor.
    Published(DeviceModel<'b>),
}

impl<'b> Model<'b> {
    fn policy(&self) -> Option<Policy<'b>> {
        match self {
            Model::Policy(policy) => Some(*policy),
            Model::Published(_) => None,
        }
    }
}

/// The [`Grounds::voice`] of a learned rule; those of a policy's weights begin with 1.
const BY_RULE: u8 = u8::MAX;
const _: () = assert!(CLAUSE_BYTES == RULE_BYTES);

/// The rule that the grounds of a hint name, as it lies on the board.
pub fn rule_of(grounds: &Grounds) -> Option<Weighted> {
    Weighted::from_bytes(grounds.rule.as_ref()?).ok()
}

/// The reason that the grounds of a hint give for it.
pub fn reason_by(grounds: &Grounds, game: &Go, mv: GoMove) -> Reason {
    if grounds.voice == BY_RULE {
        let name = rule_of(grounds).and_then(|rule| rule.clause.name());
        return name.map_or_else(|| reason(game, mv), Reason::Rule);
    }
    match Voice::from_code(grounds.voice.wrapping_sub(1)) {
        Some(voice) => reason_of(voice, game, mv),
        None => reason(game, mv),
    }
}

/// The players of [`Go::ANCESTORS`], in their order.
const DEVICE_PLAYERS: [DevicePlayer; 2] = DevicePlayer::ALL;

/// Five ages of one learner, a policy each, on boards of every size.
impl Belted for Go {
    type Model<'b> = Model<'b>;

    fn fits(_: Self::Rules, meta: &Meta) -> bool {
        Policy::fits(meta)
    }

    fn model<'b>(meta: &Meta, payload: &'b [u8]) -> Option<Model<'b>> {
        Policy::new(meta, payload).map(Model::Policy)
    }

    fn by_model<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: &Model<'_>,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<GoMove> {
        let settings = learned_settings(belt);
        choose(self, &settings, Some(model.policy()?), rng, resources).map(|choice| choice.mv)
    }

    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<GoMove> {
        let slips = belt.slips();
        let settings = if slips > 0 && rng.chance(slips) {
            light_settings(1)
        } else {
            tree_settings(belt)
        };
        choose(self, &settings, None, rng, resources).map(|choice| choice.mv)
    }

    const ANCESTORS: &'static [Ancestor] = &[
        Ancestor {
            name: "ANNILGOS",
            origin: "Player of 2006: learned shapes and network.",
        },
        Ancestor {
            name: "Perceptron",
            origin: "The same player with a mere eight weights.",
        },
    ];

    /// Published for 9×9.
    fn has_ancestor(rules: Self::Rules, number: usize) -> bool {
        number < DEVICE_PLAYERS.len() && rules.size() == 9
    }

    fn ancestor_model<'b>(_: Self::Rules, number: usize, bank: &Bank<'b>) -> Option<Model<'b>> {
        DEVICE_PLAYERS.get(number)?.open(bank).map(Model::Published)
    }

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        number: usize,
        model: Option<&Model<'_>>,
        _: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<GoMove> {
        match (DEVICE_PLAYERS.get(number)?, model?) {
            (player, Model::Published(model)) => player.choose(self, model, resources),
            (_, Model::Policy(_)) => None,
        }
    }

    fn expectation(value: Value) -> Option<u16> {
        u16::try_from((value + 1000) / 2)
            .ok()
            .filter(|&share| share <= 1000)
    }

    // Not inlined: a view of the position takes 2 KB of the stack.
    #[inline(never)]
    fn grounds(&self, mv: GoMove, model: Option<&Model<'_>>, bank: Option<&Bank<'_>>) -> Grounds {
        let Some(point) = mv.point() else {
            return Grounds::default();
        };
        let patterns = bank.and_then(ClauseSet::find);
        let rule = patterns.and_then(|set| set.strongest(&ClauseView::new(self), point));
        let voice = model
            .and_then(Model::policy)
            .and_then(|policy| policy.voice(&Board::new(self), point, sensible_points(self)));
        // A rule's weights have 256 to the unit, a policy's 16.
        let of_rule = rule.as_ref().map_or(0, |rule| rule.weight / (256 / NAT));
        let voice = match voice {
            Some((voice, more)) if more >= of_rule => voice as u8 + 1,
            _ if rule.is_some() => BY_RULE,
            _ => 0,
        };
        Grounds {
            expected: None,
            voice,
            rule: rule.map(|rule| rule.to_bytes()),
        }
    }

    /// Never before half as many moves as the board has points.
    fn hopeless(&self, belt: Belt) -> Option<Value> {
        let wins =
            resigns_below(belt).filter(|_| 2 * self.plies() >= self.board().len() as usize)?;
        Some(2 * wins as Value - 1000)
    }

    /// After two passes: the probability that each stone is alive, by its point.
    fn thoughts<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: Option<&Model<'_>>,
        resources: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        if self.is_over() {
            let stones =
                survival(self).flat_map(|(block, value)| block.map(move |point| (point, value)));
            return stones
                .map(|(point, value)| Thought {
                    index: GoMove::Stone(point).index(),
                    value,
                    visits: 0,
                })
                .collect();
        }
        let policy = model.and_then(Model::policy);
        let belt = match policy {
            Some(_) => learned_settings(belt),
            None => tree_settings(belt),
        };
        let settings = TreeSettings {
            playouts: belt.playouts.min(THOUGHTS),
            ..belt
        };
        let (pool, jobs) = resources
            .memory
            .lend_two::<Node, PlayoutJob>(NODES, UNDER_WAY);
        let Ok(jobs) = jobs.try_into() else {
            return Thoughts::new();
        };
        let mut tree = Tree::new(pool, jobs, settings).with_policy(policy);
        if tree
            .think(
                self,
                &mut Rng::new(self.key()),
                resources.control,
                &mut resources.helper,
            )
            .is_none()
        {
            return Thoughts::new();
        }
        tree.thoughts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::thinking::{Question, answer};
    use crate::games::{AnyGame, GoRules};
    use crate::players::belts::Decision;

    /// Black takes the middle row and more of a small board, white passes.
    fn lost_for_white(stones: &str) -> Go {
        let mut game = Go::new(GoRules::new(5).unwrap());
        for name in stones.split(' ') {
            for mv in [name, "pass"] {
                game.play(game.parse_move(mv).unwrap()).unwrap();
            }
        }
        game.play(game.parse_move("B3").unwrap()).unwrap();
        game
    }

    #[test]
    fn it_offers_to_end_a_won_game_once_and_then_plays_on() {
        // White lives nowhere; black could still fill two points.
        let start = Go::parse_position(
            GoRules::new(5).unwrap(),
            "XX.X./XXXXX/X.X../XXXOO/X.XO. black",
        )
        .unwrap();
        let chosen = |game: &Go| {
            let mut memory = crate::memory::Heap::default();
            let mut resources = Resources {
                memory: &mut memory,
                control: &mut (),
                helper: None,
            };
            choose(
                game,
                &tree_settings(Belt::Green),
                None,
                &mut Rng::new(1),
                &mut resources,
            )
            .unwrap()
            .mv
        };
        assert_eq!(chosen(&start), GoMove::Pass);
        let stone = start.after(GoMove::Pass).parse_move("E3").unwrap();
        let declined = start.after(GoMove::Pass).after(stone);
        assert_ne!(chosen(&declined), GoMove::Pass, "the offer was declined");
        let agreed = declined.after(chosen(&declined)).after(GoMove::Pass);
        assert_eq!(chosen(&agreed), GoMove::Pass, "a pass is answered");
    }

    #[test]
    fn a_hint_comes_with_its_grounds() {
        let bank = Bank::new(include_bytes!("../../../../../models/dojo.bank")).unwrap();
        let game = Go::parse_position(
            GoRules::new(9).unwrap(),
            "........./........./..X....../...XX..../..XOO.X../...XX..../......O../........./......... black",
        );
        let game = game.unwrap();
        let ask = |may_resign, bank| {
            let question = Question {
                game: AnyGame::Go(game),
                belt: Belt::Green,
                seed: 1,
                may_resign,
                ancestor: None,
            };
            answer(&question, bank).unwrap()
        };
        let hint = ask(false, Some(&bank));
        let mv = GoMove::from_index(hint.index().unwrap()).unwrap();
        assert!(hint.grounds.expected.is_some_and(|share| share > 500));
        let rule = rule_of(&hint.grounds).expect("a rule of the bank covers it");
        let covered = rule.clause.points(&ClauseView::new(&game), rule.reading);
        assert!(covered.contains(mv.point().unwrap()) && rule.weight > 0);
        assert_ne!(hint.grounds.voice, 0);
        // A move is told without reasons, and nothing is known without a bank.
        assert_eq!(ask(true, Some(&bank)).grounds.rule, None);
        let plain = ask(false, None);
        assert_eq!((plain.grounds.voice, plain.grounds.rule), (0, None));
        // Every voice has words for every move, and odd numbers fall back.
        for voice in 0..=u8::MAX {
            let grounds = Grounds {
                voice,
                ..hint.grounds
            };
            for mv in game.legal_moves() {
                let words = alloc::format!("{}", reason_by(&grounds, &game, mv));
                assert!(!words.is_empty() && words.len() <= 24, "{words}");
            }
        }
    }

    #[test]
    fn the_higher_belts_give_up_what_is_hopeless_and_not_too_soon() {
        let resigns = |game: Go, belt, may_resign| {
            let question = Question {
                game: AnyGame::Go(game),
                belt,
                seed: 1,
                may_resign,
                ancestor: None,
            };
            answer(&question, None).unwrap().decision == Decision::Resign
        };
        let lost = lost_for_white("C3 C2 C4 D3 B2 D4");
        assert_eq!(lost.turn(), Player::Second);
        assert!(resigns(lost, Belt::Brown, true));
        assert!(!resigns(lost, Belt::Brown, false), "a hint is a move");
        assert!(
            !resigns(lost, Belt::Green, true),
            "lower belts play to the end"
        );
        assert!(
            !resigns(lost_for_white("C3 C2 C4 D3"), Belt::Brown, true),
            "there is time"
        );
        assert!(!resigns(
            Go::new(GoRules::new(5).unwrap()),
            Belt::Brown,
            true
        ));
    }
}
