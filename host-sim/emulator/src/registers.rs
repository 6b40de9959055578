//! Helpers for memory-mapped registers.

/// Result of a register write through one of the RP2040's atomic aliases.
///
/// Every peripheral register appears four times: plain, XOR (+0x1000), set (+0x2000) and clear
/// (+0x3000). `address` is the full address of the access.
pub(super) fn aliased(old: u32, value: u32, address: u32) -> u32 {
    match (address >> 12) & 3 {
        0 => value,
        1 => old ^ value,
        2 => old | value,
        _ => old & !value,
    }
}

/// A field of `width` bits starting at bit `low`.
pub(super) fn field(value: u32, low: u32, width: u32) -> u32 {
    (value >> low) & ((1 << width) - 1)
}

/// Reads and clears of a block that keeps interrupt state in the usual four registers.
#[derive(Clone, Copy, Default)]
pub(super) struct InterruptMask {
    pub(super) enable: u32,
    pub(super) force: u32,
}

impl InterruptMask {
    /// Interrupts after masking and forcing, as they reach the interrupt controller.
    pub(super) fn status(&self, raw: u32) -> u32 {
        (raw & self.enable) | self.force
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_combine_with_the_old_value() {
        assert_eq!(aliased(0b1100, 0b1010, 0x4000_0000), 0b1010);
        assert_eq!(aliased(0b1100, 0b1010, 0x4000_1000), 0b0110);
        assert_eq!(aliased(0b1100, 0b1010, 0x4000_2000), 0b1110);
        assert_eq!(aliased(0b1100, 0b1010, 0x4000_3000), 0b0100);
    }
}
