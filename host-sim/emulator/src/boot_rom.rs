//! A stand-in for the mask ROM, assembled by hand.
//!
//! It has the parts firmware looks for: the header with its magic, the table of functions, the
//! lookup routine, memory copy and fill, and the flash services. A service puts its number and
//! arguments into a mailbox that only exists in this emulator; `Bus::rom_service` does the work
//! while the calling core stalls, as it would stall in the real ROM's polling loop.
//!
//! The ROM's first job, loading the second stage from flash, is done by the machine itself (see
//! `Machine::boot`). USB boot, floating point and the bit-counting routines are absent: looking
//! them up yields a null pointer.

/// Address of the mailbox: free space above the last APB peripheral.
pub(super) const MAILBOX: u32 = 0x4007_0000;

/// Services behind the mailbox; the numbers are the ones the stubs below send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    ConnectFlash = 1,
    ExitXip = 2,
    Erase = 3,
    Program = 4,
    FlushCache = 5,
    EnterXip = 6,
    UsbBoot = 7,
}

impl Service {
    pub(super) fn from_number(number: u32) -> Option<Service> {
        use Service::*;
        [
            ConnectFlash,
            ExitXip,
            Erase,
            Program,
            FlushCache,
            EnterXip,
            UsbBoot,
        ]
        .into_iter()
        .find(|service| *service as u32 == number)
    }
}

const HEADER_SIZE: u16 = 0x20;

/// `u32 *lookup(table r0, code r1)`: the table is pairs of half-words, closed by a zero.
const LOOKUP: [u16; 11] = [
    0x8802, // next: ldrh r2, [r0]
    0x2A00, //       cmp  r2, #0
    0xD005, //       beq  missing
    0x428A, //       cmp  r2, r1
    0xD001, //       beq  found
    0x3004, //       adds r0, #4
    0xE7F8, //       b    next
    0x8840, // found: ldrh r0, [r0, #2]
    0x4770, //       bx   lr
    0x2000, // missing: movs r0, #0
    0x4770, //       bx   lr
];

/// `memcpy(to r0, from r1, count r2)`; r0 is also the result. Sixteen bytes at a time if both
/// addresses are multiples of four, then words, then bytes.
const COPY: [u16; 25] = [
    0xB571, //         push {r0, r4, r5, r6, lr}
    0x0003, //         movs r3, r0
    0x430B, //         orrs r3, r1
    0x079B, //         lsls r3, r3, #30
    0xD10B, //         bne  bytes
    0x3A10, // blocks: subs r2, #16
    0xD302, //         blo  words
    0xC978, //         ldm  r1!, {r3-r6}
    0xC078, //         stm  r0!, {r3-r6}
    0xE7FA, //         b    blocks
    0x3210, // words:  adds r2, #16
    0x3A04, // word:   subs r2, #4
    0xD302, //         blo  rest
    0xC908, //         ldm  r1!, {r3}
    0xC008, //         stm  r0!, {r3}
    0xE7FA, //         b    word
    0x3204, // rest:   adds r2, #4
    0x3A01, // bytes:  subs r2, #1
    0xD304, //         blo  done
    0x780B, //         ldrb r3, [r1]
    0x7003, //         strb r3, [r0]
    0x3101, //         adds r1, #1
    0x3001, //         adds r0, #1
    0xE7F8, //         b    bytes
    0xBD71, // done:   pop  {r0, r4, r5, r6, pc}
];

/// `memset(to r0, byte r1, count r2)`: bytes up to a multiple of four, sixteen bytes at a time,
/// then bytes.
const FILL: [u16; 28] = [
    0xB571, //         push {r0, r4, r5, r6, lr}
    0xB2C9, //         uxtb r1, r1
    0x0783, // align:  lsls r3, r0, #30
    0xD004, //         beq  spread
    0x3A01, //         subs r2, #1
    0xD314, //         blo  done
    0x7001, //         strb r1, [r0]
    0x3001, //         adds r0, #1
    0xE7F8, //         b    align
    0x020B, // spread: lsls r3, r1, #8
    0x4319, //         orrs r1, r3
    0x040B, //         lsls r3, r1, #16
    0x4319, //         orrs r1, r3
    0x000B, //         movs r3, r1
    0x000C, //         movs r4, r1
    0x000D, //         movs r5, r1
    0x000E, //         movs r6, r1
    0x3A10, // blocks: subs r2, #16
    0xD301, //         blo  rest
    0xC078, //         stm  r0!, {r3-r6}
    0xE7FB, //         b    blocks
    0x3210, // rest:   adds r2, #16
    0x3A01, // bytes:  subs r2, #1
    0xD302, //         blo  done
    0x7001, //         strb r1, [r0]
    0x3001, //         adds r0, #1
    0xE7FA, //         b    bytes
    0xBD71, // done:   pop  {r0, r4, r5, r6, pc}
];

/// Common tail of all services: r4 holds the number, r4, r5 and lr are on the stack.
const SERVICE_TAIL: [u16; 8] = [
    0x4D03, // ldr  r5, [pc, #12]   (the literal right after the tail)
    0x6068, // str  r0, [r5, #4]
    0x60A9, // str  r1, [r5, #8]
    0x60EA, // str  r2, [r5, #12]
    0x612B, // str  r3, [r5, #16]
    0x602C, // str  r4, [r5]        (the core stalls here until the service is done)
    0xBD30, // pop  {r4, r5, pc}
    0xBF00, // nop, keeps the literal word-aligned
];

/// Function codes and the service behind each one.
const SERVICES: [(&[u8; 2], Service); 7] = [
    (b"IF", Service::ConnectFlash),
    (b"EX", Service::ExitXip),
    (b"RE", Service::Erase),
    (b"RP", Service::Program),
    (b"FC", Service::FlushCache),
    (b"CX", Service::EnterXip),
    (b"UB", Service::UsbBoot),
];

/// The 16 KB image.
pub(super) fn image() -> Vec<u8> {
    let mut code: Vec<u16> = Vec::new();
    let mut place = |words: &[u16]| {
        let address = HEADER_SIZE + 2 * code.len() as u16;
        code.extend_from_slice(words);
        address
    };
    let hang = place(&[0xE7FE]); // b .
    let lookup = place(&LOOKUP);
    let copy = place(&COPY);
    let fill = place(&FILL);
    let mut table = Vec::new();
    for (name, address) in [(b"MC", copy), (b"C4", copy), (b"MS", fill), (b"S4", fill)] {
        table.push((u16::from_le_bytes(*name), address | 1));
    }
    // The tail reads its literal relative to a multiple of four.
    if place(&[]) % 4 != 0 {
        place(&[0xBF00]); // nop
    }
    let tail = place(&SERVICE_TAIL);
    place(&[MAILBOX as u16, (MAILBOX >> 16) as u16]);
    for (name, service) in SERVICES {
        let address = place(&[
            0xB530,                  // push {r4, r5, lr}
            0x2400 | service as u16, // movs r4, #number
        ]);
        let back = (address + 4 + 4 - tail) / 2;
        place(&[0xE000 | (0x800 - back)]); // b tail
        table.push((u16::from_le_bytes(*name), address | 1));
    }
    let functions = place(&[]);
    for (name, address) in table {
        place(&[name, address]);
    }
    let data = place(&[0]); // end of the functions, and an empty table of data

    let mut rom = Vec::with_capacity(16 * 1024);
    for vector in [
        0x2004_1F00,
        u32::from(hang) | 1,
        u32::from(hang) | 1,
        u32::from(hang) | 1,
    ] {
        rom.extend_from_slice(&u32::to_le_bytes(vector));
    }
    rom.extend_from_slice(b"Mu\x01\x02"); // magic, and the version of the ROM in a B1 chip
    for pointer in [functions, data, lookup | 1, 0, 0, 0] {
        rom.extend_from_slice(&pointer.to_le_bytes());
    }
    code.iter()
        .for_each(|half_word| rom.extend_from_slice(&half_word.to_le_bytes()));
    rom.resize(16 * 1024, 0);
    rom
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_word(rom: &[u8], at: u16) -> u16 {
        u16::from_le_bytes([rom[usize::from(at)], rom[usize::from(at) + 1]])
    }

    #[test]
    fn every_function_is_in_the_table_and_the_tables_end() {
        let rom = image();
        assert_eq!(rom[0x10..0x14], *b"Mu\x01\x02");
        let mut names = Vec::new();
        let mut at = half_word(&rom, 0x14);
        while half_word(&rom, at) != 0 {
            names.push(half_word(&rom, at).to_le_bytes());
            assert_eq!(half_word(&rom, at + 2) & 1, 1, "Thumb code");
            at += 4;
        }
        assert_eq!(names.len(), 11);
        assert!(SERVICES.iter().all(|(name, _)| names.contains(name)));
        assert_eq!(half_word(&rom, half_word(&rom, 0x16)), 0);
    }

    #[test]
    fn stubs_branch_to_the_tail_and_the_tail_finds_the_mailbox() {
        let rom = image();
        let tail = rom.windows(16).position(|bytes| {
            bytes
                .chunks(2)
                .zip(SERVICE_TAIL)
                .all(|(half, code)| half == code.to_le_bytes())
        });
        let tail = tail.expect("the tail is in the ROM") as u16;
        assert_eq!(tail % 4, 0);
        let literal =
            u32::from(half_word(&rom, tail + 18)) << 16 | u32::from(half_word(&rom, tail + 16));
        assert_eq!(literal, MAILBOX);
        for stub in (0..SERVICES.len() as u16).map(|n| tail + 20 + 6 * n) {
            assert_eq!(half_word(&rom, stub), 0xB530);
            let offset = ((half_word(&rom, stub + 4) << 5) as i16 >> 5) * 2;
            assert_eq!((stub + 8).wrapping_add_signed(offset), tail);
        }
    }
}
