//! The strength of the belts. Measured by `cargo xtask belts`, checked by a test.

pub(super) const MEASURED: [[u16; 3]; 5] = [
    [711, 0, 0],
    [863, 836, 0],
    [881, 568, 0],
    [901, 556, 0],
    [967, 758, 0],
];
