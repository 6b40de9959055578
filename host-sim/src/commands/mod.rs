//! One module for each command: its arguments, its work, its two ways of printing the result.

pub mod arena;
pub mod bank;
pub mod bench;
pub mod device;
pub mod experiment;
pub mod gtp;
pub mod lab;
pub mod patterns;
pub mod perft;
pub mod replay;
pub mod report;
pub mod solve;
pub mod train;
pub mod uf2;
