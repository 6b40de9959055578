//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [745, 0, 0],
    [932, 885, 0],
    [985, 948, 0],
    [1000, 800, 0],
    [1000, 760, 0],
];
