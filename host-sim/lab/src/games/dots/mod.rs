//! Dots and boxes on a PC: solved exactly on small boards, learned on boards too large for that.
//!
//! - [`exact`]: perfect play on boards of up to 24 edges
//! - [`proof`]: a player against every reply
//! - [`response`]: on 2×2, the best possible play against a known opponent, and how a player does against it
//! - [`ratio`]: fractions without rounding
//! - [`sacrifice`]: positions in which a trained table gives a box away to win three
//! - [`learner`]: temporal differences for a network, on large boards

use std::sync::{Arc, OnceLock};

use dojo_core::bank::{Kind, Meta};
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::dots::learned::{HIDDEN, WEIGHT_SCALE};
use dojo_core::games::dots::players::{Simple, Smart};
use dojo_core::games::dots::two_by_two::{self, Opponent};
use dojo_core::games::dots::{Edge, FEATURES, Lead};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::players::Agent;
use dojo_core::players::belts::Belted;
use dojo_core::rng::Rng;
use dojo_core::search::Margins;

use crate::bank::manifest::ModelKind;
use crate::certify::{Certified, CertifiedModel};
use crate::experiment::Experiment;
use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{ArenaGame, PlayerFn, Spec};
use crate::search_lab::SearchLabGame;
use crate::train::Preset;
use certify::{DotsTable, certify_table, lost_win_of_dots};
use exact::Exact;
use response::Chances;

pub mod certify;
pub mod certify_network;
pub mod exact;
pub mod experiment;
pub mod experiment_network;
pub mod learner;
pub mod opening;
pub mod proof;
pub mod ratio;
pub mod response;
pub mod sacrifice;
pub mod train;
pub mod train_network;

/// Perfect play for boards of up to 24 edges, best responses on 2×2.
impl ArenaGame for Dots {
    fn game_player(spec: &Spec, rules: Self::Rules) -> Option<PlayerFn<Self>> {
        let against = |opponent| -> Option<PlayerFn<Self>> {
            let best = ((rules.rows(), rules.cols()) == (2, 2))
                .then(|| Chances::<f64>::best(rules, opponent))?;
            Some(Arc::new(move |game, _| best.choose(game)))
        };
        match spec {
            Spec::Smart => Some(Arc::new(|game, rng| Smart.choose(game, rng))),
            Spec::Simple => Some(Arc::new(|game, rng| Simple.choose(game, rng))),
            Spec::BestVs("random") => against(Opponent::Random),
            Spec::BestVs("smart") => against(Opponent::Smart { slips: 0 }),
            Spec::Perfect => {
                let exact = Exact::new(rules)?;
                Some(Arc::new(move |game, _| exact.choose(game)))
            }
            _ => None,
        }
    }
}

impl SearchLabGame for Dots {
    type Ends = Margins;
    type Hints = Lead;
    const HINTS: bool = true;
}

impl LabGame for Dots {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const PRESETS: &'static [Preset] = train::PRESETS;
    const TOO_LARGE: Option<&'static str> = None;
    const BELTS: BeltMatches = BeltMatches {
        rival: Some(("smart", Spec::Smart)),
        ..BeltMatches::QUICK
    };

    fn certify(
        kind: ModelKind,
        values: &[f64],
        belt: Option<Belt>,
    ) -> Result<CertifiedModel, String> {
        let (sets, edges) = (two_by_two::SETS as u16, two_by_two::EDGES as u16);
        let table = |shape, kind, dims| {
            let (payload, proof) = certify_table(shape, values, belt)?;
            let proof = Certified::Dots(proof);
            Ok(CertifiedModel::table(kind, dims, payload, proof))
        };
        match kind {
            ModelKind::ValueTable => {
                table(DotsTable::ValueTable, Kind::ValueTable, [sets, 5, 2, 0])
            }
            ModelKind::QTable => table(DotsTable::QTable, Kind::QTable, [sets, edges, 0, 0]),
            ModelKind::Network { inputs, hidden }
                if (inputs.into(), hidden.into()) == (FEATURES, HIDDEN) =>
            {
                let (payload, proof) = certify_network::certify_dots_network(values)?;
                let kind = ModelKind::network(inputs, hidden);
                Ok(CertifiedModel::network(kind, WEIGHT_SCALE, payload, proof))
            }
            _ => Err(format!(
                "dots has tables and networks of {FEATURES} inputs and {HIDDEN} hidden units, not {kind}"
            )),
        }
    }

    fn lost_win(meta: &Meta, payload: &[u8]) -> Option<Result<(), String>> {
        let table = DotsTable::of(meta.kind)?;
        Dots::fits(Default::default(), meta).then(|| match lost_win_of_dots(table, payload) {
            Some(state) => Err(state),
            None => Ok(()),
        })
    }

    fn puzzle_rules(_: &mut Rng) -> Option<DotsRules> {
        DotsRules::new(3, 3)
    }

    /// From the table of all sets of edges.
    fn second_opinion(&self) -> Option<i8> {
        static SOLVED: OnceLock<Option<Exact>> = OnceLock::new();
        let rules = DotsRules::new(3, 3)?;
        let exact = SOLVED.get_or_init(|| Exact::new(rules)).as_ref()?;
        (self.rules() == rules && !self.is_over()).then(|| exact.result(self))
    }

    fn device_cases() -> Vec<DeviceCase<Dots>> {
        let case = |name, side, plies, most_ms| DeviceCase {
            name,
            rules: DotsRules::new(side, side).unwrap_or_default(),
            plies,
            most_ms,
        };
        vec![
            case("dots 2x2", 2, &[0, 4][..], 1000.0),
            case("dots 3x3", 3, &[0, 5, 6, 7, 8], 2000.0),
            case("dots 4x4", 4, &[0, 8, 15, 16, 22, 23], 2000.0),
            case("dots 5x5", 5, &[0, 12, 24, 30, 36, 42, 43], 2000.0),
        ]
    }

    /// An edge that gives no box away.
    fn is_quiet(&self, edge: Edge) -> bool {
        !self.gives_away(edge)
    }
}
