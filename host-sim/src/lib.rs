//! Pocket Dojo on a PC: play, train, measure, and make flash images.
//!
//! The program `dojo` is a thin shell around this library; start reading at [`cli`].
//!
//! # Map
//! - [`cli`]: the command line; [`commands`] has one module for each command
//! - [`play`], [`screenshot`]: the handheld itself, in a terminal or in a picture; [`handheld`] runs it
//! - [`web`]: the handheld as a page
//! - [`device`]: the firmware's image in an emulated RP2040
//! - [`arena`], [`agents`], [`stats`]: matches between named players, and what they prove
//! - [`lab`]: every search algorithm side by side, for lessons
//! - [`dots`], [`iwoki`], [`go`]: what these games have on a PC alone; [`network`]: networks while they learn
//! - [`train`], [`certify`], [`bank`], [`uf2`]: from self-play to certified models in flash
//! - [`experiment`]: published tables and curves, made again
//! - [`failure`], [`output`], [`files`], [`rules`], [`source_tree`]: what every command shares

pub mod agents;
pub mod arena;
pub mod bank;
pub mod certify;
pub mod cli;
pub mod commands;
pub mod device;
pub mod dots;
pub mod experiment;
pub mod failure;
pub mod files;
pub mod go;
pub mod handheld;
pub mod iwoki;
pub mod lab;
pub mod network;
pub mod output;
pub mod play;
pub mod rules;
pub mod screenshot;
pub mod source_tree;
pub mod stats;
pub mod train;
pub mod uf2;
pub mod web;
