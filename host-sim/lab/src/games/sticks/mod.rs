//! 15 sticks on a PC: how its tables are trained, proved and compared with the published ones.

use std::sync::Arc;

use dojo_core::game::Game;
use dojo_core::games::Sticks;
use dojo_core::players::{Agent, Perfect};
use dojo_core::search::{Results, Soonest};

use crate::experiment::Experiment;
use crate::games::{DeviceCase, LabGame};
use crate::players::{Contender, Own, Spec};
use crate::search_lab::Studied;

pub mod certify;
pub mod experiment;
pub mod train;

impl Contender for Sticks {
    fn own(spec: &Spec, _: Self::Rules) -> Option<Own<Self>> {
        (*spec == Spec::Perfect)
            .then(|| -> Own<Self> { Arc::new(|game, rng| Perfect.choose(game, rng)) })
    }
}

impl Studied for Sticks {
    type Ends = Results;
    type Hints = Soonest;
    const HINTS: bool = false;
}

impl LabGame for Sticks {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const TOO_LARGE: Option<&'static str> = None;

    fn device_cases() -> Vec<DeviceCase<Sticks>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 2],
            most_ms: 1000.0,
        }]
    }
}
