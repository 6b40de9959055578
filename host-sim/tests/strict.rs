//! The emulator refuses what the chip refuses: for each rule a tiny image that breaks it, and a twin that does not.

use dojo::pico::{Access, Cause, Fault, Image, Pico};

/// Where programs start, behind a second stage that only jumps there.
const START: u32 = 0x1000_0200;
const VECTORS: u32 = 0x1000_0100;
/// Handlers of exceptions, 256 bytes each.
const HANDLERS: u32 = 0x1000_8000;
/// RAM that nothing else uses.
const RAM: u32 = 0x2000_1000;

const NOP: u16 = 0xBF00;
const STAY: u16 = 0xE7FE; // b .

/// Thumb code, assembled by hand.
#[derive(Clone, Default)]
struct Program {
    code: Vec<u16>,
    handlers: Vec<(u32, Vec<u16>)>,
}

impl Program {
    /// Starts with its own vector table and all peripherals out of reset.
    fn new() -> Program {
        Program::default().poke(0xE000_ED08, VECTORS).poke(RESETS | CLEAR, 0x01FF_FFFF)
    }

    fn code(mut self, code: &[u16]) -> Program {
        self.code.extend_from_slice(code);
        self
    }

    /// Loads a register.
    fn set(mut self, register: u16, value: u32) -> Program {
        if self.code.len() % 2 != 0 {
            self.code.push(NOP);
        }
        // ldr register, [pc]; b over the value; the value
        self.code([0x4800 | register << 8, 0xE001, value as u16, (value >> 16) as u16].as_slice())
    }

    /// Stores a word, through r0 and r1.
    fn poke(self, address: u32, value: u32) -> Program {
        self.set(0, address).set(1, value).code(&[0x6001]) // str r1, [r0]
    }

    /// Loads a word into r1, through r0.
    fn peek(self, address: u32) -> Program {
        self.set(0, address).code(&[0x6801]) // ldr r1, [r0]
    }

    /// Code of an exception's handler.
    fn handler(mut self, exception: u32, code: &[u16]) -> Program {
        self.handlers.push((exception, code.to_vec()));
        self
    }

    fn image(&self) -> Image {
        let mut image = Image::blank();
        let mut put = |address: u32, code: &[u16]| {
            let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
            image.patch(address, &bytes).expect("it fits");
        };
        let mut stage = vec![0x4800, 0x4700, START as u16 | 1, (START >> 16) as u16]; // ldr r0, [pc]; bx r0
        stage.resize(126, 0);
        let bytes: Vec<u8> = stage.iter().flat_map(|half| half.to_le_bytes()).collect();
        let checksum = crc32(&bytes);
        stage.extend([checksum as u16, (checksum >> 16) as u16]);
        put(0x1000_0000, &stage);
        put(START, &[&self.code[..], &[STAY]].concat());
        for exception in 0..48 {
            let address = HANDLERS + 0x100 * exception;
            put(VECTORS + 4 * exception, &[address as u16 | 1, (address >> 16) as u16]);
            put(address, &[STAY]);
        }
        for (exception, code) in &self.handlers {
            put(HANDLERS + 0x100 * exception, code);
        }
        image
    }

    fn pico(&self) -> Pico {
        Pico::new(&self.image())
    }

    /// Runs for 20 ms, which is long enough for everything here.
    fn run(&self) -> Result<Pico, Fault> {
        let mut pico = self.pico();
        pico.run_for(20_000)?;
        Ok(pico)
    }
}

/// CRC-32 as the boot ROM checks it.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |crc: u32, _| if crc >> 31 != 0 { crc << 1 ^ 0x04C1_1DB7 } else { crc << 1 };
    bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte) << 24, shift))
}

const RESETS: u32 = 0x4000_C000;
/// Added to a register's address: set or clear the written bits.
const SET: u32 = 0x2000;
const CLEAR: u32 = 0x3000;

// --- memory protection ---------------------------------------------------------------------------------------------

const GUARD: u32 = RAM + 0xC0;

impl Program {
    /// One region of the MPU, and the MPU on.
    fn region(self, base: u32, attributes: u32, control: u32) -> Program {
        self.poke(0xE000_ED98, 0).poke(0xE000_ED9C, base).poke(0xE000_EDA0, attributes).poke(0xE000_ED94, control)
    }

    /// A guard of 32 bytes as embassy installs it: one eighth of 256 bytes.
    fn guard(self) -> Program {
        let eighth = GUARD / 32 % 8;
        self.region(GUARD & !0xFF, 0x1000_000F | (0xFF & !(1 << eighth)) << 8, 0b101)
    }
}

fn mpu(fault: Fault) -> (usize, Access, u32) {
    match fault {
        Fault::HardFault { core, cause: Cause::Mpu { access, address, .. }, .. } => (core, access, address),
        other => panic!("{other}"),
    }
}

#[test]
fn the_mpu_forbids_loads_and_stores_in_a_guard_and_nothing_beside_it() {
    for (program, expected) in [
        (Program::new().guard().poke(GUARD, 1), (0, Access::Write, GUARD)),
        (Program::new().guard().poke(GUARD + 28, 1), (0, Access::Write, GUARD + 28)),
        (Program::new().guard().peek(GUARD), (0, Access::Read, GUARD)),
    ] {
        let fault = program.run().map(|_| ()).expect_err("it is refused");
        let text = fault.to_string();
        assert!(text.contains("MPU region 0") && text.contains(&format!("{:#010x}", expected.2)), "{text}");
        assert!(text.contains("core 0"), "{text}");
        assert_eq!(mpu(fault), expected);
    }
    let pico = Program::new().guard().poke(GUARD - 4, 7).poke(GUARD + 32, 8).run().expect("allowed");
    assert_eq!((pico.peek32(GUARD - 4), pico.peek32(GUARD + 32)), (7, 8));
}

#[test]
fn a_forbidden_store_changes_nothing_and_the_firmware_sees_the_hard_fault() {
    // The handler stores the stacked program counter and stays.
    let handler = [0x9806, 0x4901, 0x6008, STAY, RAM as u16, (RAM >> 16) as u16]; // ldr r0, [sp, #24]; ldr r1, =RAM; str
    let mut pico = Program::new().poke(GUARD, 5).guard().poke(GUARD, 6).handler(3, &handler).pico();
    pico.stop_on_hard_fault(false);
    pico.run_for(20_000).expect("the firmware's own affair");
    assert_eq!(pico.peek32(GUARD), 5);
    let refusals = pico.refusals();
    assert_eq!(refusals.len(), 1);
    assert_eq!(refusals[0].cause, Cause::Mpu { access: Access::Write, address: GUARD, region: Some(0) });
    assert_eq!(pico.peek32(RAM), refusals[0].pc, "the frame names the instruction");
    assert!(refusals[0].to_string().contains("core 0"), "{}", refusals[0]);
}

#[test]
fn the_mpu_is_off_in_the_hard_fault_handler_unless_asked_for() {
    let handler = [0x4901, 0x6008, STAY, NOP, GUARD as u16, (GUARD >> 16) as u16]; // ldr r1, =GUARD; str r0, [r1]
    for (hfnmiena, lockup) in [(0, false), (0b010, true)] {
        let mut pico =
            Program::new().guard().poke(0xE000_ED94, 0b101 | hfnmiena).poke(GUARD, 6).handler(3, &handler).pico();
        pico.stop_on_hard_fault(false);
        let outcome = pico.run_for(20_000);
        assert_eq!(matches!(outcome, Err(Fault::Lockup { core: 0, .. })), lockup, "{outcome:?}");
    }
}

#[test]
fn the_mpu_forbids_fetches() {
    let code = [u32::from(STAY) << 16 | u32::from(NOP)];
    let jump = |program: Program| program.poke(RAM, code[0]).set(2, RAM | 1).code(&[0x4710]); // bx r2
    let execute_never = 0x1300_000F;
    let fault = jump(Program::new().region(RAM, execute_never, 0b101)).run().map(|_| ()).expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Fetch, RAM));
    let executable = 0x0300_000F;
    let pico = jump(Program::new().region(RAM, executable, 0b101)).run().expect("allowed");
    assert_eq!(pico.pc(0) & !3, RAM);
    // Peripherals never execute, MPU or not.
    let fault = Program::new().set(2, 0x4005_4001).code(&[0x4710]).run().map(|_| ()).expect_err("refused");
    assert!(matches!(fault, Fault::HardFault { cause: Cause::ExecuteNever { address: 0x4005_4000 }, .. }), "{fault}");
}

#[test]
fn without_the_background_map_everything_needs_a_region() {
    // Flash and RAM up to 0x3fff_ffff in one region, so that code and stack go on; peripherals in none.
    let region = 0x0300_003B;
    let fault = Program::new().region(0, region, 0b001).peek(0x4005_4028).run().map(|_| ()).expect_err("refused");
    assert_eq!(fault.to_string().split(": ").nth(1), Some("no MPU region allows reading 0x40054028"));
    Program::new().region(0, region, 0b101).peek(0x4005_4028).run().expect("privileged code has the default map");
    Program::new().region(0, region, 0b001).peek(0xE000_ED90).run().expect("the private bus needs none");
}

#[test]
fn a_push_into_the_guard_locks_up_for_want_of_a_stack() {
    let set_sp = |program: Program, sp: u32| program.set(2, sp).code(&[0x4695]); // mov sp, r2
    let push = [0xB5F0]; // push {r4-r7, lr}
    // Sixteen bytes are left above the guard: too few for the push, and too few for the fault's frame.
    let fault = set_sp(Program::new().guard(), GUARD + 48).code(&push).run().map(|_| ()).expect_err("refused");
    assert!(matches!(fault, Fault::Lockup { core: 0, cause: Cause::Mpu { access: Access::Write, .. }, .. }), "{fault}");
    // Nine registers do not fit where eight do: a hard fault, whose frame lies where the stack was before the push.
    let mut pico = set_sp(Program::new().guard(), GUARD + 64).set(0, 0xF4A3).code(&[0xB5FF]).pico();
    let fault = pico.run_for(20_000).expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Write, GUARD + 28));
    assert_eq!(pico.peek32(GUARD + 32), 0xF4A3, "r0 in the frame");
    set_sp(Program::new().guard(), GUARD + 96).code(&push).run().expect("enough stack");
}

#[test]
fn an_interrupt_that_cannot_be_stacked_becomes_a_hard_fault() {
    let pend = |program: Program| program.set(2, GUARD + 32).code(&[0x4695]).poke(0xE000_ED04, 1 << 28); // PendSV
    let fault = pend(Program::new().guard()).run().map(|_| ()).expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Write, GUARD));
    let pico = pend(Program::new()).run().expect("no guard");
    assert_eq!(pico.pc(0), HANDLERS + 0x100 * 14);
}

/// Core 1 has an MPU of its own.
#[test]
fn each_core_has_its_own_mpu() {
    let store = [0x6001, STAY]; // str r1, [r0]
    let second = Program::default().guard().set(0, GUARD).set(1, 9).code(&store);
    // Core 0 launches core 1 at `second`, which is put behind it, then stores to the same address itself.
    let entry = START + 0x800;
    let mut first = Program::new();
    for word in [0, 0, 1, VECTORS, 0x2004_0000, entry | 1] {
        first = first.poke(0xD000_0054, word).peek(0xD000_0058);
    }
    let first = first.poke(GUARD, 3);
    assert!(first.code.len() * 2 < 0x800);
    let mut image = first.image();
    let bytes: Vec<u8> = second.code.iter().flat_map(|half| half.to_le_bytes()).collect();
    image.patch(entry, &bytes).expect("it fits");
    let mut pico = Pico::new(&image);
    let fault = pico.run_for(20_000).expect_err("core 1 is refused");
    assert_eq!(mpu(fault), (1, Access::Write, GUARD));
    assert_eq!(pico.peek32(GUARD), 3, "core 0 was not");
}

// --- alignment -----------------------------------------------------------------------------------------------------

#[test]
fn unaligned_accesses_are_refused() {
    for (opcode, size) in [(0x6808, 4), (0x6008, 4), (0x8808, 2), (0x8008, 2), (0xC901, 4)] {
        for offset in 1..4 {
            let program = Program::new().set(1, RAM + offset).code(&[opcode]);
            let outcome = program.run().map(|_| ());
            if offset % size == 0 {
                outcome.expect("aligned");
                continue;
            }
            let fault = outcome.expect_err("unaligned");
            let text = fault.to_string();
            assert!(
                matches!(fault, Fault::HardFault { core: 0, cause: Cause::Alignment { address }, .. } if address == RAM + offset),
                "{text}"
            );
            assert!(text.contains("unaligned access to 0x2000100"), "{text}");
        }
    }
}

#[test]
fn an_instruction_that_does_not_exist_is_told_from_a_refused_access() {
    let fault = Program::new().code(&[0xDE00]).run().map(|_| ()).expect_err("undefined");
    assert!(matches!(fault, Fault::HardFault { cause: Cause::Instruction, .. }), "{fault}");
    let fault = Program::new().peek(0x3000_0000).run().map(|_| ()).expect_err("nothing there");
    assert!(matches!(fault, Fault::HardFault { cause: Cause::Bus { address: 0x3000_0000 }, .. }), "{fault}");
}
