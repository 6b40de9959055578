//! What iwoki has on a PC alone: how its networks learn, and the table of the published work.

pub mod certify;
pub mod experiment;
pub mod learner;
pub mod table;
pub mod train;
