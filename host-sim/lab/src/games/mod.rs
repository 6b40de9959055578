//! What each game has on a PC alone: training, certificates, experiments, and players too large for the device.

pub mod dots;
pub mod go;
pub mod iwoki;
pub mod sticks;
