//! The lab of Pocket Dojo: from self-play to certified models, matches that prove their strength,
//! and the published experiments.
//!
//! # Map
//! - [`games`]: one folder a game: training, certificates, experiments, players
//! - [`players`], [`arena`], [`stats`]: matches between named players, with confidence intervals
//! - [`train`], [`network`], [`certify`], [`bank`], [`flash`]: from self-play to certified models in flash
//! - [`puzzles`]: positions with one best move, made and proved
//! - [`experiment`]: published tables and curves, reproduced
//! - [`search`]: search algorithms that no device runs; [`search_lab`]: all algorithms side by side
//! - [`device_budget`]: playouts and nodes of the device in a given time
//! - [`failure`], [`output`], [`files`], [`rules`], [`choice`], [`nearest`]: shared by all commands

pub mod arena;
pub mod bank;
pub mod certify;
pub mod choice;
pub mod device_budget;
pub mod exercises;
pub mod experiment;
pub mod failure;
pub mod files;
pub mod flash;
pub mod games;
pub mod human;
pub mod ladder;
pub mod lessons;
pub mod nearest;
pub mod network;
pub mod output;
pub mod players;
pub mod puzzles;
pub mod rules;
pub mod search;
pub mod search_lab;
pub mod stats;
pub mod train;
