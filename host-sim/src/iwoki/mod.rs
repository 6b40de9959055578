//! What iwoki has on a PC alone: how its networks learn, and the table of the published work.

pub mod learner;
pub mod table;
