//! One module for each command: its arguments, its work, its two ways of printing the result.

pub mod apprentice;
pub mod arena;
pub mod bank;
pub mod bench;
pub mod completions;
pub mod device;
pub mod doctor;
pub mod experiment;
pub mod gtp;
pub mod lab;
pub mod ladder;
pub mod lessons;
pub mod man;
pub mod patterns;
pub mod perft;
pub mod puzzles;
pub mod replay;
pub mod report;
pub mod selfplay;
pub mod solve;
pub mod train;
pub mod uf2;
