//! Dots and boxes on a PC: worked out exactly, which no learner can beat, and learned on boards too large for that.
//!
//! - [`exact`]: perfect play on boards of up to 24 edges
//! - [`proof`]: a player against every reply
//! - [`response`]: on 2×2, the best possible play against a known opponent, and how a player does against it
//! - [`ratio`]: fractions without rounding
//! - [`learner`]: temporal differences for a network, on large boards

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
pub mod train;
pub mod train_network;
