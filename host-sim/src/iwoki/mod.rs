//! What iwoki has on a PC alone: its networks while they learn, and the table of the published work.

pub mod learner;
pub mod network;
pub mod table;
