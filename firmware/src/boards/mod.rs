//! One file a board: the only place where pins have numbers.

pub(crate) mod pico;
