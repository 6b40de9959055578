//! Bodies of the fuzz targets: every reader of bytes from outside, with its invariants.
//!
//! The targets in `fuzz/` call [`run`] under libFuzzer (`cargo xtask fuzz`); the test of
//! this package calls the same bodies with kept inputs and mutations of them, on the stable
//! toolchain. A body panics where a promise is broken, and returns nothing.

mod bodies;
pub mod mutate;
pub mod seeds;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the file in `fuzz/fuzz_targets` and of the folders of its inputs.
    pub name: &'static str,
    /// Reads the bytes and checks what it read.
    pub body: fn(&[u8]),
    /// Longest input that mutations make.
    pub longest: usize,
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    target("bank", bodies::bank, 4096),
    target("brains", bodies::brains, 64),
    target("clauses", bodies::clauses, 512),
    target("gtp", bodies::gtp, 512),
    target("image", bodies::image, 4096),
    target("manifest", bodies::manifest, 1024),
    target("patterns", bodies::patterns, 512),
    target("record", bodies::record, 512),
    target("save", bodies::save, 2048),
    target("sgf", bodies::sgf, 2048),
    target("uf2", bodies::uf2, 16 << 10),
    target("wire", bodies::wire, 700),
];

const fn target(name: &'static str, body: fn(&[u8]), longest: usize) -> Target {
    Target {
        name,
        body,
        longest,
    }
}

impl Target {
    /// The target of this name.
    pub fn find(name: &str) -> Option<Target> {
        TARGETS.into_iter().find(|target| target.name == name)
    }
}

/// Runs the body of a target: all that a file in `fuzz/fuzz_targets` does.
pub fn run(name: &str, bytes: &[u8]) {
    let target = Target::find(name).expect("a name in TARGETS");
    (target.body)(bytes);
}
