//! 15 sticks on a PC: training and certificates of its tables, and the published experiments.

use std::sync::Arc;

use dojo_core::bank::{Kind, Meta};
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::{Sticks, SticksRules};
use dojo_core::players::belts::Belted;
use dojo_core::players::{Agent, Perfect};
use dojo_core::rng::Rng;
use dojo_core::search::{Results, Soonest};

use crate::bank::manifest::ModelKind;
use crate::certify::{Certified, CertifiedModel, quantise};
use crate::experiment::Experiment;
use crate::games::{DeviceCase, LabGame};
use crate::players::{ArenaGame, PlayerFn, Spec};
use crate::search_lab::SearchLabGame;
use crate::train::Preset;

pub mod certify;
pub mod experiment;
pub mod train;

impl ArenaGame for Sticks {
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        (*spec == Spec::Perfect)
            .then(|| -> PlayerFn<Self> { Arc::new(|game, rng| Perfect.choose(game, rng)) })
    }
}

impl SearchLabGame for Sticks {
    type Ends = Results;
    type Hints = Soonest;
    const HINTS: bool = false;
}

impl LabGame for Sticks {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const PRESETS: &'static [Preset] = train::PRESETS;
    const TOO_LARGE: Option<&'static str> = None;

    fn certify(
        kind: ModelKind,
        values: &[f64],
        belt: Option<Belt>,
    ) -> Result<CertifiedModel, String> {
        if kind != ModelKind::ValueTable {
            return Err(format!("sticks has value tables, not {kind}"));
        }
        let payload = quantise(values).ok_or("a value is not between 0 and 1")?;
        let proof = Certified::Sticks(certify::certify_sticks(values, &payload, belt)?);
        let [a, b, c] = SticksRules::default().rows().map(|row| u16::from(row) + 1);
        let dims = [a, b, c, 0];
        Ok(CertifiedModel::table(
            Kind::ValueTable,
            dims,
            payload,
            proof,
        ))
    }

    fn lost_win(meta: &Meta, payload: &[u8]) -> Option<Result<(), String>> {
        Sticks::fits(Default::default(), meta).then(|| match certify::lost_win(payload) {
            Some(state) => Err(state),
            None => Ok(()),
        })
    }

    /// Rows of all sizes.
    fn puzzle_rules(rng: &mut Rng) -> Option<SticksRules> {
        let mut rows = [0; 3];
        while rows.iter().sum::<u8>() < 8 {
            rows = rows.map(|_| rng.below(8) as u8);
        }
        SticksRules::new(rows, rng.below(3) > 0)
    }

    /// Bouton's theory of nim: lost if the exclusive or of the rows is 0. Where the last stick
    /// loses and no row has two sticks, an odd number of rows is lost.
    fn second_opinion(&self) -> Option<i8> {
        let rows = self.sticks();
        let left = rows.iter().filter(|&&row| row > 0).count();
        let lost = if self.rules().misere && rows.iter().all(|&row| row < 2) {
            left % 2 == 1
        } else {
            rows.iter().fold(0, |sum, row| sum ^ row) == 0
        };
        Some(if lost { -1 } else { 1 })
    }

    fn device_cases() -> Vec<DeviceCase<Sticks>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 2],
            most_ms: 1000.0,
        }]
    }
}
