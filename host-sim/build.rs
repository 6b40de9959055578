//! Builds the browser page's program, so that `dojo web` carries it: the same sources, for wasm32.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let root = Path::new(&here).parent().expect("the workspace is above");
    for source in
        ["core/src", "handheld/src", "host-sim/web/src", "host-sim/web/Cargo.toml", "Cargo.toml", "Cargo.lock"]
    {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    // A folder of its own: this build runs while cargo holds the lock of the usual one. All profiles share it.
    let target = root.join("target/web-page");
    let status = Command::new(env::var_os("CARGO").expect("cargo names itself"))
        .args(["build", "--quiet", "--package", "dojo-web", "--profile", "web", "--target", "wasm32-unknown-unknown"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(root)
        // What is meant for the outer build (lints of clippy, flags of the host) is not meant for this one.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS")
        .status();
    if !status.is_ok_and(|status| status.success()) {
        panic!("the browser page's program could not be built: is the target wasm32-unknown-unknown installed?");
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo names the output")).join("dojo.wasm");
    fs::copy(target.join("wasm32-unknown-unknown/web/dojo_web.wasm"), out).expect("the program was built");
}
