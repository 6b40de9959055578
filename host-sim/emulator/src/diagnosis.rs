//! Decodes a faulting instruction, because the core model does not report the access that failed.

/// The address an instruction accesses and the size of the access in bytes; `None` for instructions
/// without one. `r` are the registers before the instruction. The literal load and byte accesses
/// are left out: they are aligned by construction.
pub(super) fn accessed(opcode: u16, r: &[u32; 16]) -> Option<(u32, u32)> {
    let register = |shift: u32| r[usize::from(opcode >> shift & 7)];
    let offset = u32::from(opcode >> 6 & 0x1F);
    let based = |size: u32| Some((register(3).wrapping_add(offset * size), size));
    match opcode >> 11 {
        0b01010 | 0b01011 => {
            let size = [4, 2, 1, 1, 4, 2, 1, 2][usize::from(opcode >> 9 & 7)];
            Some((register(3).wrapping_add(register(6)), size))
        }
        0b01100 | 0b01101 => based(4),
        0b10000 | 0b10001 => based(2),
        0b10010 | 0b10011 => Some((r[13].wrapping_add(u32::from(opcode & 0xFF) * 4), 4)),
        0b10110 | 0b10111 if is_push(opcode) || is_pop(opcode) => Some((r[13], 4)),
        0b11000 | 0b11001 => Some((register(8), 4)),
        _ => None,
    }
}

/// By how much an instruction moves the stack pointer although it fails: the core model writes the
/// pointer back before or after the transfers, the chip only if all of them succeed.
pub(super) fn moved_stack(opcode: u16) -> u32 {
    let bytes = 4 * (opcode & 0x1FF).count_ones();
    match opcode {
        _ if is_push(opcode) => 0u32.wrapping_sub(bytes),
        _ if is_pop(opcode) => bytes,
        _ => 0,
    }
}

fn is_push(opcode: u16) -> bool {
    opcode & 0xFE00 == 0xB400
}

fn is_pop(opcode: u16) -> bool {
    opcode & 0xFE00 == 0xBC00
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_read_from_the_instruction() {
        let r: [u32; 16] = std::array::from_fn(|n| 0x2000_0000 + n as u32 * 0x100 + 1);
        for (opcode, expected) in [
            (0x6848, Some((0x2000_0105, 4))), // ldr r0, [r1, #4]
            (0x8811, Some((0x2000_0201, 2))), // ldrh r1, [r2]
            (0x5088, Some((0x4000_0302, 4))), // str r0, [r1, r2]
            (0x9801, Some((0x2000_0D05, 4))), // ldr r0, [sp, #4]
            (0xC803, Some((0x2000_0001, 4))), // ldm r0!, {r0, r1}
            (0xB510, Some((0x2000_0D01, 4))), // push {r4, lr}
            (0x4770, None),                   // bx lr
        ] {
            assert_eq!(accessed(opcode, &r), expected, "{opcode:#06x}");
        }
    }

    #[test]
    fn push_and_pop_move_the_stack() {
        assert_eq!(moved_stack(0xB510), 0u32.wrapping_sub(8));
        assert_eq!(moved_stack(0xBD10), 8);
        assert_eq!(moved_stack(0x6848), 0);
    }
}
