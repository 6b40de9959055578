//! Dots and boxes, worked out exactly: what no learner can beat, and what each of them is measured against.
//!
//! - [`exact`]: perfect play on boards of up to 24 edges
//! - [`proof`]: a player against every reply
//! - [`response`]: on 2×2, the best possible play against a known opponent, and how a player does against it
//! - [`ratio`]: fractions without rounding

pub mod exact;
pub mod proof;
pub mod ratio;
pub mod response;
