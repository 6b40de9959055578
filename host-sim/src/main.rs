//! The program `dojo`: everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    dojo::cli::main()
}
