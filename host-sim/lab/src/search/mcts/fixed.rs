//! Fixed-point logarithm and square root: the same result on every machine.

/// Steps of the table between two powers of two.
const STEPS: usize = 64;
/// Fractional bits of a logarithm.
pub(crate) const LN_BITS: u32 = 26;
/// Fractional bits of the square root of a logarithm.
pub(crate) const BITS: u32 = LN_BITS / 2;

/// ln 2.
const LN_2: u64 = log_of(2 << 32);

/// ln(1 + i/64) for i from 0 to 64.
const TABLE: [u32; STEPS + 1] = {
    let mut table = [0; STEPS + 1];
    let mut i = 0;
    while i <= STEPS {
        table[i] = log_of((1 << 32) + ((i as u64) << 32) / STEPS as u64) as u32;
        i += 1;
    }
    table
};

/// ln x for x between 1 and 2, with 32 fractional bits in x: the series of 2·artanh((x − 1)/(x +
/// 1)), which gains more than three bits a term.
const fn log_of(x: u64) -> u64 {
    let y = (((x - (1 << 32)) as u128) << 32) / (x as u128 + (1 << 32));
    let (mut power, mut sum, mut n) = (y, 0u128, 1);
    while n < 40 {
        sum += power / n;
        power = (((power * y) >> 32) * y) >> 32;
        n += 2;
    }
    ((2 * sum) >> (32 - LN_BITS)) as u64
}

/// The natural logarithm of an integer, in 1/2²⁶; 0 for 0. The error is below 1/10,000.
pub fn ln(n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    let exponent = n.ilog2();
    // Of the bits behind the leading one, six index the table and the others interpolate.
    let rest = n << (31 - exponent) & 0x7FFF_FFFF;
    let (place, between) = ((rest >> 25) as usize, rest & 0x1FF_FFFF);
    let (low, high) = (TABLE[place], TABLE[place + 1]);
    // Twelve bits of `between` keep the product within a word.
    exponent * LN_2 as u32 + low + ((((high - low) >> 6) * (between >> 13)) >> 6)
}

/// The square root of a number given in 1/2²⁶, in 1/2¹³.
pub fn sqrt(x: u32) -> u32 {
    x.isqrt()
}
