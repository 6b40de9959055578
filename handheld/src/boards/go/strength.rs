//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [1000, 0, 750],
    [1000, 1000, 1000],
    [1000, 1000, 1000],
    [1000, 900, 1000],
    [1000, 1000, 1000],
];
