//! The Go Text Protocol: ours as an engine, other programs as players.

pub mod engine;
pub mod program;
pub mod protocol;
