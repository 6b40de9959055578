//! Puts the memory map where the linker finds it, and names the linker scripts. They are named here
//! and not in `.cargo/config.toml`, because cargo joins the settings of nested folders: a clone
//! inside another one would name each script twice.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::copy("../memory.x", out.join("memory.x"))?;
    println!("cargo:rustc-link-search={}", out.display());
    // Tests of the workspace link an empty program for the host.
    if env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "none") {
        // Without link-rp.x, boot2 silently lands in the wrong place.
        for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x", "-Tdefmt.x"] {
            println!("cargo:rustc-link-arg={argument}");
        }
    }
    println!("cargo:rerun-if-changed=../memory.x");
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}
