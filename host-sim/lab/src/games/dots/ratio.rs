//! Fractions without rounding.

use std::fmt;
use std::ops::{Add, Mul};

/// A fraction that is not negative, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    over: u128,
    under: u128,
}

impl Ratio {
    /// `over`/`under`; the latter is not 0.
    pub fn new(over: u128, under: u128) -> Ratio {
        let common = gcd(over, under).max(1);
        Ratio {
            over: over / common,
            under: (under / common).max(1),
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Add for Ratio {
    type Output = Ratio;

    fn add(self, other: Ratio) -> Ratio {
        let common = gcd(self.under, other.under).max(1);
        let (a, b) = (other.under / common, self.under / common);
        Ratio::new(self.over * a + other.over * b, self.under * a)
    }
}

impl Mul for Ratio {
    type Output = Ratio;

    fn mul(self, other: Ratio) -> Ratio {
        // Reducing across first keeps the numbers small.
        let (a, b) = (
            Ratio::new(self.over, other.under),
            Ratio::new(other.over, self.under),
        );
        Ratio {
            over: a.over * b.over,
            under: a.under * b.under,
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<std::cmp::Ordering> {
        (self.over * other.under).partial_cmp(&(other.over * self.under))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(f, "{}", self.over),
            under => write!(f, "{}/{under}", self.over),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let third = Ratio::new(2, 6);
        assert_eq!((third + Ratio::new(1, 6)).to_string(), "1/2");
        assert_eq!((third * Ratio::new(3, 1)).to_string(), "1");
        assert!(third < Ratio::new(334, 1000) && third > Ratio::new(333, 1000));
    }
}
