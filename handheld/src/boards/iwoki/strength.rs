//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [891, 0, 45],
    [1000, 993, 600],
    [1000, 754, 757],
    [1000, 596, 800],
    [1000, 741, 939],
];
