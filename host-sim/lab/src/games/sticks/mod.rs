//! 15 sticks on a PC: how its tables are trained, proved and compared with the published ones.

pub mod certify;
pub mod experiment;
pub mod train;
