// FNV-1a, 64 bits: damage and differences are found, forgeries are not. The build script of this
// crate includes this file too.

/// Where a hash begins.
pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with a hash.
pub(super) fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
