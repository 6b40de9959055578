//! Numbers between 0 and 1 in three representations: values of positions that learners train, banks
//! store and screens show.

/// A number between 0 and 1.
pub trait Fraction: Copy + PartialOrd {
    /// 0: a certain loss.
    const ZERO: Self;
    /// 1: a certain win.
    const ONE: Self;
    /// 0.5.
    const HALF: Self;

    /// Moves `rate`/2¹⁶ of the way towards `target`.
    fn toward(self, target: Self, rate: u16) -> Self;

    /// In thousandths, rounded down, for screens and logs.
    fn thousandths(self) -> u16;

    /// Rounded to a byte, as stored in banks.
    fn byte(self) -> u8;
}

/// For training on a PC.
impl Fraction for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    const HALF: f64 = 0.5;

    #[inline]
    fn toward(self, target: f64, rate: u16) -> f64 {
        self + f64::from(rate) / 65536.0 * (target - self)
    }

    fn thousandths(self) -> u16 {
        (self * 1000.0) as u16
    }

    fn byte(self) -> u8 {
        (self * 255.0 + 0.5) as u8
    }
}

/// For training on the device. Steps are rounded up, so that a small rate still moves the value.
impl Fraction for u16 {
    const ZERO: u16 = 0;
    const ONE: u16 = u16::MAX;
    const HALF: u16 = 1 << 15;

    #[inline]
    fn toward(self, target: u16, rate: u16) -> u16 {
        let step = u32::from(self.abs_diff(target)) * u32::from(rate);
        let step = step.div_ceil(1 << 16) as u16;
        if target > self {
            self + step
        } else {
            self - step
        }
    }

    fn thousandths(self) -> u16 {
        (u32::from(self) * 1000 / u32::from(u16::MAX)) as u16
    }

    fn byte(self) -> u8 {
        ((u32::from(self) + 128) / 257) as u8
    }
}

/// As stored in banks.
impl Fraction for u8 {
    const ZERO: u8 = 0;
    const ONE: u8 = u8::MAX;
    const HALF: u8 = 1 << 7;

    fn toward(self, target: u8, rate: u16) -> u8 {
        let step = (u32::from(self.abs_diff(target)) * u32::from(rate)).div_ceil(1 << 16) as u8;
        if target > self {
            self + step
        } else {
            self - step
        }
    }

    fn thousandths(self) -> u16 {
        (u32::from(self) * 1000 / u32::from(u8::MAX)) as u16
    }

    fn byte(self) -> u8 {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_reaches_both_ends_and_never_overshoots() {
        for rate in [1, 3277, u16::MAX] {
            let (mut up, mut down) = (0u16, u16::MAX);
            for _ in 0..200_000 {
                (up, down) = (up.toward(u16::MAX, rate), down.toward(0, rate));
            }
            assert_eq!((up, down), (u16::MAX, 0));
        }
        assert_eq!(7u16.toward(7, 3277), 7);
    }

    #[test]
    fn floating_point_and_fixed_point_take_the_same_steps() {
        let real = |value: u16| f64::from(value) / f64::from(u16::MAX);
        for rate in [1, 3277, 1 << 15, u16::MAX] {
            for (from, to) in [
                (0, u16::MAX),
                (u16::MAX, 0),
                (20_000, 50_000),
                (50_000, 20_000),
                (7, 7),
            ] {
                let (fixed, float) = (from.toward(to, rate), real(from).toward(real(to), rate));
                // Fixed point rounds away from where it was.
                assert!(
                    (real(fixed) - float).abs() <= 1.0 / f64::from(u16::MAX),
                    "{from} to {to} at {rate}: {float}"
                );
            }
        }
    }
}
