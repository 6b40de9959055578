//! How the two cores of the device work together, for any mutex: the device has a critical section,
//! the tests have a model of it that tries thousands of orders of events.
//!
//! [`Exchange`] carries questions, orders and replies, [`Offers`] the jobs with which the first core
//! helps, and [`Carver`] divides the memory that the second core thinks in.

#![cfg_attr(not(test), no_std)]

mod exchange;
mod offers;
mod workspace;

pub use exchange::{Exchange, Message, Watch};
pub use offers::{Offer, Offers};
pub use workspace::{Block, Carver};
