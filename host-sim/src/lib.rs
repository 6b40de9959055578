//! Pocket Dojo on a PC: the handheld in a terminal and as a page, and the command line.
//!
//! The program `dojo` is a thin shell around this library; start reading at [`cli`]. Training, matches and experiments are
//! in `dojo_lab`, the emulated RP2040 is in `pico_emulator`.
//!
//! # Map
//! - [`cli`]: the command line; [`commands`] has one module for each command
//! - [`play`], [`screenshot`], [`record`]: the handheld itself, in a terminal, in a picture or in a moving one; [`handheld`] runs it
//! - [`terminal`]: what a terminal can show, and pictures in it; [`sound`]: what is heard beside it
//! - [`web`]: the handheld as a page; `http` serves it
//! - [`device`]: the firmware's image in an emulated RP2040
//! - [`source_tree`]: what is built on demand where the source is

pub mod cli;
pub mod commands;
pub mod device;
pub mod handheld;
mod http;
pub mod play;
mod qr;
pub mod record;
pub mod screenshot;
pub mod sound;
pub mod source_tree;
pub mod terminal;
pub mod web;
