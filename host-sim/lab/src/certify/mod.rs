//! No certificate, no bank: what is proved about a model before it may be shipped.
//!
//! Tables are proved by their games (`games::NAME::certify`), networks are compared by [`network`];
//! [`Certified`] holds the certificate of any model.

use dojo_core::bank::{Kind, Number};
use serde::Serialize;

use crate::exercises::ExerciseCertificate;
use crate::games::dots::certify::DotsCertificate;
use crate::games::dots::opening::OpeningCertificate;
use crate::games::go::patterns::certify::PatternCertificate;
use crate::games::sticks::certify::SticksCertificate;

pub mod network;

pub use network::NetworkCertificate;

/// A stored byte divided by this is the value.
pub const SCALE: u32 = 255;

/// The certificate of any model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Certified {
    /// Of a table for 15 sticks.
    Sticks(SticksCertificate),
    /// Of a table for dots and boxes.
    Dots(DotsCertificate),
    /// Of a network.
    Network(NetworkCertificate),
    /// Of the opening of 3×3.
    Opening(OpeningCertificate),
    /// Of patterns of Go.
    Patterns(PatternCertificate),
    /// Of puzzles and lessons.
    Exercises(ExerciseCertificate),
}

impl Certified {
    /// The score against a random player as the bank stores it: thousandths, rounded down.
    pub fn strength(&self) -> u16 {
        match self {
            Certified::Sticks(proof) => proof.strength(),
            Certified::Dots(proof) => proof.strength(),
            Certified::Network(proof) => proof.strength(),
            // Measured in matches, not proved; puzzles and lessons play no games.
            Certified::Opening(_) | Certified::Exercises(_) => 0,
            Certified::Patterns(proof) => proof.strength(),
        }
    }

    /// The certificate as keys and texts, for the sidecar of a bank.
    pub fn lines(&self) -> Vec<(String, String)> {
        let named = |lines: Vec<(&str, String)>| {
            let lines = lines.into_iter();
            lines.map(|(key, text)| (key.into(), text)).collect()
        };
        match self {
            Certified::Sticks(proof) => named(proof.lines()),
            Certified::Dots(proof) => named(proof.lines()),
            Certified::Network(proof) => proof.lines(),
            Certified::Opening(proof) => named(proof.lines()),
            Certified::Patterns(proof) => named(proof.lines()),
            Certified::Exercises(proof) => named(proof.lines()),
        }
    }
}

/// A model as a bank stores it, with its certificate.
#[derive(Clone, Debug)]
pub struct CertifiedModel {
    /// Its kind.
    pub kind: Kind,
    /// As in `Meta::dims`.
    pub dims: [u16; 4],
    /// The type of its numbers.
    pub number: Number,
    /// A stored number divided by this is the value.
    pub scale: u32,
    /// The numbers, as bytes.
    pub payload: Vec<u8>,
    /// What is proved about it.
    pub certificate: Certified,
}

impl CertifiedModel {
    /// A table of bytes.
    pub(crate) fn table(
        kind: Kind,
        dims: [u16; 4],
        payload: Vec<u8>,
        certificate: Certified,
    ) -> CertifiedModel {
        CertifiedModel {
            kind,
            dims,
            number: Number::U8,
            scale: SCALE,
            payload,
            certificate,
        }
    }

    /// A network of 16-bit weights.
    pub(crate) fn network(
        (kind, dims): (Kind, [u16; 4]),
        scale: u32,
        payload: Vec<u8>,
        certificate: NetworkCertificate,
    ) -> CertifiedModel {
        CertifiedModel {
            kind,
            dims,
            number: Number::I16,
            scale,
            payload,
            certificate: Certified::Network(certificate),
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

/// Rounds the weights of a network to 16 bits, `scale` to the unit. Weights out of range are
/// clamped; the comparison then shows the error.
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
