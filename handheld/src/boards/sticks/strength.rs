//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [796, 0, 0],
    [911, 992, 0],
    [976, 764, 0],
    [990, 745, 0],
    [1000, 598, 0],
];
