//! The lab of Pocket Dojo: from self-play to certified models, matches that prove their strength, and the published
//! experiments.
//!
//! # Map
//! - [`games`]: one folder a game: what it trains, proves and reproduces
//! - [`players`], [`arena`], [`stats`]: matches between named players, and what they prove
//! - [`train`], [`network`], [`certify`], [`bank`], [`flash`]: from self-play to certified models in flash
//! - [`experiment`]: published tables and curves, made again
//! - [`search`]: search algorithms that no device runs; [`search_lab`]: all algorithms side by side
//! - [`device_budget`]: what the device manages in a time
//! - [`failure`], [`output`], [`files`], [`rules`]: what every command shares

pub mod arena;
pub mod bank;
pub mod certify;
pub mod device_budget;
pub mod experiment;
pub mod failure;
pub mod files;
pub mod flash;
pub mod games;
pub mod network;
pub mod output;
pub mod players;
pub mod rules;
pub mod search;
pub mod search_lab;
pub mod stats;
pub mod train;
