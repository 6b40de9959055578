//! Placeholder: the handheld screen is not built in yet.

use crate::failure::{Done, Failure};

/// Nothing to set yet.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {}

/// Says that it is not there yet.
pub fn run(_: Args) -> Done {
    Err(Failure::usage("the handheld screen is not built in yet"))
}
