//! No certificate, no bank: what is proved about a model before it may be shipped.
//!
//! Each game proves its own models (`games::NAME::certify`); [`Certified`] is what a bank wants to know of any of them.

use serde::Serialize;

pub use crate::games::dots::certify::{
    DotsCertificate, Shape, certify_dots, keep_best, lost_win_of_dots,
};
pub use crate::games::dots::certify_network::{
    NetworkCertificate, against_smart, certify_dots_network,
};
pub use crate::games::dots::opening::{OpeningCertificate, solve_opening};
pub use crate::games::go::certify::{GoCertificate, Quantised, certify_network, quantise_network};
pub use crate::games::iwoki::certify::{IwokiCertificate, against_greedy, certify_iwoki};
pub use crate::games::sticks::certify::{SticksCertificate, certify_sticks, lost_win};

/// A stored byte divided by this is the value.
pub const SCALE: u32 = 255;

/// The certificate of any model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Certified {
    /// Of a table for 15 sticks.
    Sticks(SticksCertificate),
    /// Of a table for dots and boxes.
    Dots(DotsCertificate),
    /// Of a network for dots and boxes.
    DotsNetwork(NetworkCertificate),
    /// Of a network for iwoki.
    Iwoki(IwokiCertificate),
    /// Of a network for Go.
    Go(GoCertificate),
    /// Of the opening of 3×3.
    Opening(OpeningCertificate),
}

impl Certified {
    /// The score against a random player as the bank stores it.
    pub fn strength(&self) -> u16 {
        match self {
            Certified::Sticks(proof) => proof.strength(),
            Certified::Dots(proof) => proof.strength(),
            Certified::DotsNetwork(proof) => proof.strength(),
            Certified::Iwoki(proof) => proof.strength(),
            Certified::Go(proof) => proof.strength(),
            // Its score is measured in matches, not proved.
            Certified::Opening(_) => 0,
        }
    }

    /// What it says, for the text beside a bank.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        match self {
            Certified::Sticks(proof) => proof.lines(),
            Certified::Dots(proof) => proof.lines(),
            Certified::DotsNetwork(proof) => proof.lines(),
            Certified::Iwoki(proof) => proof.lines(),
            Certified::Go(proof) => proof.lines(),
            Certified::Opening(proof) => proof.lines(),
        }
    }
}

/// Rounds fractions to bytes; a value that is not between 0 and 1 has no byte.
pub fn quantise(values: &[f64]) -> Option<Vec<u8>> {
    let byte = |&value: &f64| {
        (0.0..=1.0)
            .contains(&value)
            .then(|| (value * f64::from(SCALE)).round() as u8)
    };
    values.iter().map(byte).collect()
}

/// Rounds the weights of a network to what a bank keeps, `scale` to the unit; weights out of range end at its bounds,
/// which the comparison then shows.
pub fn quantise_weights(weights: &[f64], scale: u32) -> Vec<u8> {
    let round = |weight: &f64| {
        (weight * f64::from(scale))
            .round()
            .clamp(-32_768.0, 32_767.0) as i16
    };
    weights
        .iter()
        .flat_map(|weight| round(weight).to_le_bytes())
        .collect()
}
