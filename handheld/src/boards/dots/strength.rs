//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [823, 0, 267],
    [910, 631, 721],
    [978, 616, 871],
    [997, 713, 992],
    [997, 628, 1000],
];
