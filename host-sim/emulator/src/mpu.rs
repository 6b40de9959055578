//! The memory protection unit of one core: ARMv6-M PMSA with eight regions.
//!
//! The bus asks for a verdict only about addresses in [`Mpu::watched`], the hull of all regions, so
//! that a firmware with one small guard region pays one comparison an access. Code is taken to be
//! privileged: unprivileged thread mode is not modelled.

use super::fault::Access;

const REGIONS: usize = 8;
/// MPU_TYPE: eight unified regions.
const TYPE: u32 = (REGIONS as u32) << 8;
const ENABLE: u32 = 1;
const IN_HARD_FAULT: u32 = 1 << 1; // HFNMIENA
const BACKGROUND: u32 = 1 << 2; // PRIVDEFENA
const VALID: u32 = 1 << 4;
const EXECUTE_NEVER: u32 = 1 << 28;

/// Addresses from a first one on, as many as `length`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    first: u32,
    length: u32,
}

impl Span {
    pub(super) const NONE: Span = Span {
        first: 0,
        length: 0,
    };
    pub(super) const ALL: Span = Span {
        first: 0,
        length: u32::MAX,
    };

    #[inline(always)]
    pub(super) fn contains(self, address: u32) -> bool {
        address.wrapping_sub(self.first) < self.length
    }

    fn hull(self, other: Span) -> Span {
        if self.length == 0 {
            return other;
        }
        let end = |span: Span| u64::from(span.first) + u64::from(span.length);
        let first = self.first.min(other.first);
        let length = end(self).max(end(other)) - u64::from(first);
        Span {
            first,
            length: u32::try_from(length).unwrap_or(u32::MAX),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Region {
    base: u32,
    attributes: u32,
}

impl Region {
    fn is_enabled(self) -> bool {
        self.attributes & 1 != 0
    }

    /// Binary logarithm of the size. Regions of this core are no smaller than 256 bytes.
    fn size_bits(self) -> u32 {
        (self.attributes >> 1 & 0x1F).max(7) + 1
    }

    fn span(self) -> Span {
        match self.size_bits() {
            32.. => Span::ALL,
            bits => Span {
                first: self.base >> bits << bits,
                length: 1 << bits,
            },
        }
    }

    /// Whether the address lies in an enabled eighth of the region.
    fn covers(self, address: u32) -> bool {
        let eighth = address >> (self.size_bits() - 3) & 7;
        self.is_enabled()
            && self.span().contains(address)
            && self.attributes >> (8 + eighth) & 1 == 0
    }

    /// What privileged code may do.
    fn allows(self, access: Access) -> bool {
        let (reads, writes) = match self.attributes >> 24 & 7 {
            1..=3 => (true, true),
            5..=7 => (true, false),
            _ => (false, false),
        };
        match access {
            Access::Read => reads,
            Access::Write => writes,
            Access::Fetch => reads && self.attributes & EXECUTE_NEVER == 0,
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct Mpu {
    control: u32,
    number: usize,
    regions: [Region; REGIONS],
}

impl Mpu {
    pub(super) fn read(&self, offset: u32) -> u32 {
        let region = self.regions[self.number];
        match offset {
            0xED90 => TYPE,
            0xED94 => self.control,
            0xED98 => self.number as u32,
            0xED9C => region.base | self.number as u32,
            _ => region.attributes,
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) {
        match offset {
            0xED94 => self.control = value & 7,
            0xED98 => self.number = value as usize % REGIONS,
            0xED9C => {
                if value & VALID != 0 {
                    self.number = (value & 0xF) as usize % REGIONS;
                }
                self.regions[self.number].base = value & !0xFF;
            }
            0xEDA0 => self.regions[self.number].attributes = value,
            _ => {}
        }
    }

    /// Addresses whose accesses need a look at the regions. `in_hard_fault`: the handler of a hard
    /// fault or of the non-maskable interrupt runs.
    pub(super) fn watched(&self, in_hard_fault: bool) -> Span {
        if self.control & ENABLE == 0 || (in_hard_fault && self.control & IN_HARD_FAULT == 0) {
            return Span::NONE;
        }
        if self.control & BACKGROUND == 0 {
            return Span::ALL;
        }
        self.regions
            .iter()
            .filter(|region| region.is_enabled())
            .fold(Span::NONE, |hull, region| hull.hull(region.span()))
    }

    /// Whether an access to a watched address is forbidden: `Some` with the region that says so, or
    /// with `None` if no region covers the address and there is no background map.
    pub(super) fn forbids(&self, address: u32, access: Access) -> Option<Option<u8>> {
        if address >> 20 == 0xE00 {
            return None; // the private peripheral bus
        }
        match (0..REGIONS)
            .rev()
            .find(|&number| self.regions[number].covers(address))
        {
            Some(number) => (!self.regions[number].allows(access)).then_some(Some(number as u8)),
            None => (self.control & BACKGROUND == 0).then_some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD: u32 = 0x2003_80C0;

    /// As embassy's stack guard: the eighth of a 256-byte region that holds the guard.
    fn guarded() -> Mpu {
        let mut mpu = Mpu::default();
        mpu.write(0xED9C, GUARD & !0xFF | VALID);
        mpu.write(0xEDA0, 0x1000_BF0F);
        mpu.write(0xED94, ENABLE | BACKGROUND);
        mpu
    }

    #[test]
    fn one_enabled_eighth_is_forbidden_and_its_neighbours_are_not() {
        let mpu = guarded();
        for access in [Access::Read, Access::Write, Access::Fetch] {
            assert_eq!(mpu.forbids(GUARD, access), Some(Some(0)));
            assert_eq!(mpu.forbids(GUARD + 31, access), Some(Some(0)));
            assert_eq!(mpu.forbids(GUARD - 1, access), None);
            assert_eq!(mpu.forbids(GUARD + 32, access), None);
        }
        assert_eq!(
            mpu.watched(false),
            Span {
                first: 0x2003_8000,
                length: 256
            }
        );
        assert_eq!(mpu.watched(true), Span::NONE);
    }

    #[test]
    fn the_higher_region_wins() {
        let mut mpu = guarded();
        mpu.write(0xED9C, 0x2003_8000 | VALID | 3);
        mpu.write(0xEDA0, 0x1500_000F); // read only, never executed
        assert_eq!(mpu.forbids(GUARD, Access::Read), None);
        assert_eq!(mpu.forbids(GUARD, Access::Write), Some(Some(3)));
        assert_eq!(mpu.forbids(GUARD, Access::Fetch), Some(Some(3)));
        assert_eq!(mpu.read(0xED9C), 0x2003_8003);
    }

    #[test]
    fn without_a_background_map_only_regions_and_the_private_bus_are_left() {
        let mut mpu = guarded();
        mpu.write(0xED94, ENABLE | IN_HARD_FAULT);
        assert_eq!(mpu.forbids(0x2000_0000, Access::Read), Some(None));
        assert_eq!(mpu.forbids(0xE000_ED94, Access::Write), None);
        assert_eq!(mpu.watched(true), Span::ALL);
    }

    #[test]
    fn a_region_may_be_the_whole_address_space() {
        let mut mpu = Mpu::default();
        mpu.write(0xEDA0, 0x0300_003F);
        mpu.write(0xED94, ENABLE);
        assert_eq!(mpu.forbids(0x1000_0000, Access::Fetch), None);
        assert_eq!(mpu.read(0xED90), 0x800);
    }
}
