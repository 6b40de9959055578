//! The texts of the screens, all in one file: another language is another file like `english.rs`,
//! and its name here.
//!
//! Every screen takes its texts from here, the boards included; `tests/texts.rs` looks for texts that
//! do not. `tests/golden.rs` draws all of them and fails if one does not fit its place. What a screen
//! reader is told in addition, positions and cursors, stands where the boards are drawn; names of
//! games, belts and ancestors are those of `dojo_core`.

mod english;

pub(crate) use english::*;
