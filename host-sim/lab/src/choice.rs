//! Arguments that are one of several names: a wrong one is refused with the name that was probably
//! meant, help lists them all, and shells complete them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};

/// One of several names.
#[derive(Clone, Copy)]
pub struct Choice<T> {
    read: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
}

impl<T> Choice<T> {
    /// Names, and what reads them.
    pub const fn new(
        read: fn(&str) -> Result<T, String>,
        names: fn() -> Vec<&'static str>,
    ) -> Choice<T> {
        Choice { read, names }
    }
}

impl Choice<String> {
    /// Names that are suggested; what takes them refuses others.
    pub const fn suggested(names: fn() -> Vec<&'static str>) -> Choice<String> {
        Choice::new(|name| Ok(name.to_owned()), names)
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        self.read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}
