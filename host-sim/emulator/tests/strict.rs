//! The emulator refuses what the chip refuses: for each rule a tiny image that breaks it, and a
//! twin that does not.

use pico_emulator::{
    Access, Cause, Display, Fault, Image, Oled, OledController, OledPins, Pico, ResetReason, Rule,
    St7789, St7789Pins,
};

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
        Program::default()
            .poke(0xE000_ED08, VECTORS)
            .poke(RESETS | CLEAR, 0x01FF_FFFF)
    }

    fn code(mut self, code: &[u16]) -> Program {
        self.code.extend_from_slice(code);
        self
    }

    /// Loads a register.
    fn set(mut self, register: u16, value: u32) -> Program {
        if !self.code.len().is_multiple_of(2) {
            self.code.push(NOP);
        }
        // ldr register, [pc]; b over the value; the value
        self.code(
            [
                0x4800 | register << 8,
                0xE001,
                value as u16,
                (value >> 16) as u16,
            ]
            .as_slice(),
        )
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
            put(
                VECTORS + 4 * exception,
                &[address as u16 | 1, (address >> 16) as u16],
            );
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
    let shift = |crc: u32, _| {
        if crc >> 31 != 0 {
            crc << 1 ^ 0x04C1_1DB7
        } else {
            crc << 1
        }
    };
    bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, shift)
    })
}

const RESETS: u32 = 0x4000_C000;
/// Added to a register's address: set or clear the written bits.
const SET: u32 = 0x2000;
const CLEAR: u32 = 0x3000;

// --- memory protection ---------------------------------------------------------------------------

const GUARD: u32 = RAM + 0xC0;

impl Program {
    /// One region of the MPU, and the MPU on.
    fn region(self, base: u32, attributes: u32, control: u32) -> Program {
        self.poke(0xE000_ED98, 0)
            .poke(0xE000_ED9C, base)
            .poke(0xE000_EDA0, attributes)
            .poke(0xE000_ED94, control)
    }

    /// A guard of 32 bytes as embassy installs it: one eighth of 256 bytes.
    fn guard(self) -> Program {
        let eighth = GUARD / 32 % 8;
        self.region(
            GUARD & !0xFF,
            0x1000_000F | (0xFF & !(1 << eighth)) << 8,
            0b101,
        )
    }
}

fn mpu(fault: Fault) -> (usize, Access, u32) {
    match fault {
        Fault::HardFault {
            core,
            cause: Cause::Mpu {
                access, address, ..
            },
            ..
        } => (core, access, address),
        other => panic!("{other}"),
    }
}

#[test]
fn the_mpu_forbids_loads_and_stores_in_a_guard_and_nothing_beside_it() {
    for (program, expected) in [
        (
            Program::new().guard().poke(GUARD, 1),
            (0, Access::Write, GUARD),
        ),
        (
            Program::new().guard().poke(GUARD + 28, 1),
            (0, Access::Write, GUARD + 28),
        ),
        (Program::new().guard().peek(GUARD), (0, Access::Read, GUARD)),
    ] {
        let fault = program.run().map(|_| ()).expect_err("it is refused");
        let text = fault.to_string();
        assert!(
            text.contains("MPU region 0") && text.contains(&format!("{:#010x}", expected.2)),
            "{text}"
        );
        assert!(text.contains("core 0"), "{text}");
        assert_eq!(mpu(fault), expected);
    }
    let pico = Program::new()
        .guard()
        .poke(GUARD - 4, 7)
        .poke(GUARD + 32, 8)
        .run()
        .expect("allowed");
    assert_eq!((pico.peek32(GUARD - 4), pico.peek32(GUARD + 32)), (7, 8));
}

#[test]
fn a_forbidden_store_changes_nothing_and_the_firmware_sees_the_hard_fault() {
    // The handler stores the stacked program counter and stays.
    let handler = [0x9806, 0x4901, 0x6008, STAY, RAM as u16, (RAM >> 16) as u16]; // ldr r0, [sp, #24]; ldr r1, =RAM; str
    let mut pico = Program::new()
        .poke(GUARD, 5)
        .guard()
        .poke(GUARD, 6)
        .handler(3, &handler)
        .pico();
    pico.stop_on_hard_fault(false);
    pico.run_for(20_000).expect("the firmware's own affair");
    assert_eq!(pico.peek32(GUARD), 5);
    let refusals = pico.refusals();
    assert_eq!(refusals.len(), 1);
    assert_eq!(
        refusals[0].cause,
        Cause::Mpu {
            access: Access::Write,
            address: GUARD,
            region: Some(0)
        }
    );
    assert_eq!(
        pico.peek32(RAM),
        refusals[0].pc,
        "the frame names the instruction"
    );
    assert!(
        refusals[0].to_string().contains("core 0"),
        "{}",
        refusals[0]
    );
}

#[test]
fn the_mpu_is_off_in_the_hard_fault_handler_unless_asked_for() {
    let handler = [
        0x4901,
        0x6008,
        STAY,
        NOP,
        GUARD as u16,
        (GUARD >> 16) as u16,
    ]; // ldr r1, =GUARD; str r0, [r1]
    for (hfnmiena, lockup) in [(0, false), (0b010, true)] {
        let mut pico = Program::new()
            .guard()
            .poke(0xE000_ED94, 0b101 | hfnmiena)
            .poke(GUARD, 6)
            .handler(3, &handler)
            .pico();
        pico.stop_on_hard_fault(false);
        let outcome = pico.run_for(20_000);
        assert_eq!(
            matches!(outcome, Err(Fault::Lockup { core: 0, .. })),
            lockup,
            "{outcome:?}"
        );
    }
}

#[test]
fn the_mpu_forbids_fetches() {
    let code = [u32::from(STAY) << 16 | u32::from(NOP)];
    let jump = |program: Program| program.poke(RAM, code[0]).set(2, RAM | 1).code(&[0x4710]); // bx r2
    let execute_never = 0x1300_000F;
    let fault = jump(Program::new().region(RAM, execute_never, 0b101))
        .run()
        .map(|_| ())
        .expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Fetch, RAM));
    let executable = 0x0300_000F;
    let pico = jump(Program::new().region(RAM, executable, 0b101))
        .run()
        .expect("allowed");
    assert_eq!(pico.pc(0) & !3, RAM);
    // Peripherals never execute, MPU or not.
    let fault = Program::new()
        .set(2, 0x4005_4001)
        .code(&[0x4710])
        .run()
        .map(|_| ())
        .expect_err("refused");
    assert!(
        matches!(
            fault,
            Fault::HardFault {
                cause: Cause::ExecuteNever {
                    address: 0x4005_4000
                },
                ..
            }
        ),
        "{fault}"
    );
}

#[test]
fn without_the_background_map_everything_needs_a_region() {
    // Flash and RAM up to 0x3fff_ffff in one region, so that code and stack go on; peripherals in
    // none.
    let region = 0x0300_003B;
    let fault = Program::new()
        .region(0, region, 0b001)
        .peek(0x4005_4028)
        .run()
        .map(|_| ())
        .expect_err("refused");
    assert_eq!(
        fault.to_string().split(": ").nth(1),
        Some("no MPU region allows reading 0x40054028")
    );
    Program::new()
        .region(0, region, 0b101)
        .peek(0x4005_4028)
        .run()
        .expect("privileged code has the default map");
    Program::new()
        .region(0, region, 0b001)
        .peek(0xE000_ED90)
        .run()
        .expect("the private bus needs none");
}

#[test]
fn a_push_into_the_guard_locks_up_for_want_of_a_stack() {
    let set_sp = |program: Program, sp: u32| program.set(2, sp).code(&[0x4695]); // mov sp, r2
    let push = [0xB5F0]; // push {r4-r7, lr}
    // Sixteen bytes are left above the guard: too few for the push, and too few for the fault's
    // frame.
    let fault = set_sp(Program::new().guard(), GUARD + 48)
        .code(&push)
        .run()
        .map(|_| ())
        .expect_err("refused");
    assert!(
        matches!(
            fault,
            Fault::Lockup {
                core: 0,
                cause: Cause::Mpu {
                    access: Access::Write,
                    ..
                },
                ..
            }
        ),
        "{fault}"
    );
    // Nine registers do not fit where eight do: a hard fault, whose frame lies where the stack was
    // before the push.
    let mut pico = set_sp(Program::new().guard(), GUARD + 64)
        .set(0, 0xF4A3)
        .code(&[0xB5FF])
        .pico();
    let fault = pico.run_for(20_000).expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Write, GUARD + 28));
    assert_eq!(pico.peek32(GUARD + 32), 0xF4A3, "r0 in the frame");
    set_sp(Program::new().guard(), GUARD + 96)
        .code(&push)
        .run()
        .expect("enough stack");
}

#[test]
fn an_interrupt_that_cannot_be_stacked_becomes_a_hard_fault() {
    let pend = |program: Program| {
        program
            .set(2, GUARD + 32)
            .code(&[0x4695])
            .poke(0xE000_ED04, 1 << 28)
    }; // PendSV
    let fault = pend(Program::new().guard())
        .run()
        .map(|_| ())
        .expect_err("refused");
    assert_eq!(mpu(fault), (0, Access::Write, GUARD));
    let mut pico = pend(Program::new().guard()).pico();
    pico.stop_on_hard_fault(false);
    pico.run_for(20_000)
        .expect("a frame that is lost is no lock-up");
    assert_eq!(
        pico.pc(0),
        HANDLERS + 0x100 * 3,
        "the hard fault's handler runs"
    );
    let pico = pend(Program::new()).run().expect("no guard");
    assert_eq!(pico.pc(0), HANDLERS + 0x100 * 14);
}

/// Core 1 has an MPU of its own.
#[test]
fn each_core_has_its_own_mpu() {
    let store = [0x6001, STAY]; // str r1, [r0]
    let second = Program::default()
        .guard()
        .set(0, GUARD)
        .set(1, 9)
        .code(&store);
    // Core 0 launches core 1 at `second`, which is put behind it, then stores to the same address
    // itself.
    let entry = START + 0x800;
    let mut first = Program::new();
    for word in [0, 0, 1, VECTORS, 0x2004_0000, entry | 1] {
        first = first.poke(0xD000_0054, word).peek(0xD000_0058);
    }
    let first = first.poke(GUARD, 3);
    assert!(first.code.len() * 2 < 0x800);
    let mut image = first.image();
    let bytes: Vec<u8> = second
        .code
        .iter()
        .flat_map(|half| half.to_le_bytes())
        .collect();
    image.patch(entry, &bytes).expect("it fits");
    let mut pico = Pico::new(&image);
    let fault = pico.run_for(20_000).expect_err("core 1 is refused");
    assert_eq!(mpu(fault), (1, Access::Write, GUARD));
    assert_eq!(pico.peek32(GUARD), 3, "core 0 was not");
}

// --- alignment -----------------------------------------------------------------------------------

#[test]
fn unaligned_accesses_are_refused() {
    for (opcode, size) in [
        (0x6808, 4),
        (0x6008, 4),
        (0x8808, 2),
        (0x8008, 2),
        (0xC901, 4),
    ] {
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
    let fault = Program::new()
        .code(&[0xDE00])
        .run()
        .map(|_| ())
        .expect_err("undefined");
    assert!(
        matches!(
            fault,
            Fault::HardFault {
                cause: Cause::Instruction,
                ..
            }
        ),
        "{fault}"
    );
    let fault = Program::new()
        .peek(0x3000_0000)
        .run()
        .map(|_| ())
        .expect_err("nothing there");
    assert!(
        matches!(
            fault,
            Fault::HardFault {
                cause: Cause::Bus {
                    address: 0x3000_0000
                },
                ..
            }
        ),
        "{fault}"
    );
}

// --- the panel: pins, mode and clock -------------------------------------------------------------

const IO: u32 = 0x4001_4000;
const PADS: u32 = 0x4001_C000;
const SIO: u32 = 0xD000_0000;
const SPI1: u32 = 0x4004_0000;
const RESET: u32 = 1 << 12;
const SELECT: u32 = 1 << 9;
const DATA: u32 = 1 << 8;

impl Program {
    /// Waits for at least so many microseconds, through r2: three cycles a turn, at 6.5 MHz.
    fn wait_us(self, us: u32) -> Program {
        let turns = us * 65 / 30 + 1;
        self.set(2, turns).code(&[0x3A01, 0xD1FD]) // subs r2, #1; bne
    }

    fn function(self, pin: u32, function: u32) -> Program {
        self.poke(IO + 8 * pin + 4, function)
    }

    /// The LCD's pins and its SPI block as they should be.
    fn lcd(self) -> Program {
        let pins = [(8, 5), (9, 5), (12, 5), (10, 1), (11, 1)];
        let program = pins.into_iter().fold(self, |program, (pin, function)| {
            program.function(pin, function)
        });
        program
            .poke(SIO + 0x10, RESET | SELECT | DATA)
            .poke(SIO + 0x20, RESET | SELECT | DATA)
            .poke(SPI1, 7)
            .poke(SPI1 + 0x10, 2)
            .poke(SPI1 + 0x04, 2)
    }

    /// A low pulse on the reset line.
    fn reset_panel(self, us: u32) -> Program {
        self.poke(SIO + 0x18, RESET)
            .wait_us(us)
            .poke(SIO + 0x14, RESET)
    }

    /// A command to the panel, and the time that it takes on the wire.
    fn command(self, command: u32) -> Program {
        self.poke(SIO + 0x18, SELECT | DATA)
            .poke(SPI1 + 8, command)
            .wait_us(20)
            .poke(SIO + 0x14, SELECT)
    }

    fn run_with(&self, display: Display, us: u64) -> Result<Pico, Fault> {
        let mut pico = self.pico();
        pico.attach(display);
        pico.run_for(us)?;
        Ok(pico)
    }
}

fn broken(outcome: Result<Pico, Fault>, rule: Rule, address: u32) -> String {
    match outcome.map(|_| ()).expect_err("it is refused") {
        fault @ Fault::RuleBroken { .. } => {
            let text = fault.to_string();
            assert!(
                text.contains("core 0") && text.contains(&format!("{address:#010x}")),
                "{text}"
            );
            assert!(
                matches!(fault, Fault::RuleBroken { rule: found, address: at, core: 0, .. } if (found, at) == (rule, address)),
                "{text}"
            );
            text
        }
        other => panic!("{other}"),
    }
}

const SLEEP_OUT: u32 = 0x11;

const LCD_PINS: St7789Pins = St7789Pins {
    clock: 10,
    data: 11,
    dc: 8,
    cs: Some(9),
    reset: Some(12),
    tearing: None,
};

fn lcd_panel() -> Display {
    Display::St7789(St7789::new(LCD_PINS))
}

fn oled_panel() -> Display {
    let pins = OledPins { sda: 4, scl: 5 };
    Display::Oled(Oled::new(OledController::Ssd1306, pins, 0x3C))
}

fn good_panel() -> Program {
    Program::new()
        .lcd()
        .reset_panel(20)
        .wait_us(5_100)
        .command(SLEEP_OUT)
        .wait_us(5_100)
        .command(0x29)
}

fn is_on(pico: &Pico) -> bool {
    matches!(pico.display(), Some(Display::St7789(panel)) if panel.is_on())
}

#[test]
fn a_byte_reaches_the_panel_only_through_its_pins() {
    let lcd = lcd_panel;
    let pico = good_panel()
        .run_with(lcd(), 60_000)
        .expect("all as it should be");
    assert!(is_on(&pico));
    for (pin, function) in [(10, 5), (11, 31), (11, 4)] {
        let program = Program::new()
            .lcd()
            .function(pin, function)
            .reset_panel(20)
            .wait_us(5_100)
            .command(SLEEP_OUT);
        let text = broken(program.run_with(lcd(), 60_000), Rule::PinFunction, SPI1 + 8);
        assert!(
            text.contains("pin function") && text.contains(&format!("GP{pin} ")),
            "{text}"
        );
    }
    let program = Program::new()
        .lcd()
        .poke(PADS + 4 + 4 * 10, 0xD6)
        .reset_panel(20)
        .wait_us(5_100)
        .command(SLEEP_OUT);
    broken(program.run_with(lcd(), 60_000), Rule::PinFunction, SPI1 + 8);
    // Data or command? Nobody drives the line.
    let program = Program::new()
        .lcd()
        .poke(SIO + 0x28, DATA)
        .reset_panel(20)
        .wait_us(5_100)
        .command(SLEEP_OUT);
    broken(program.run_with(lcd(), 60_000), Rule::PinFunction, SPI1 + 8);
}

#[test]
fn the_tearing_signal_is_the_panels_to_drive() {
    let pins = St7789Pins {
        tearing: Some(13),
        ..LCD_PINS
    };
    let run = |program: Program| {
        let panel = Display::St7789(St7789::new(pins));
        program.command(0x35).run_with(panel, 60_000)
    };
    let pico = run(good_panel()).expect("all as it should be");
    assert!(is_on(&pico));
    let levels: Vec<bool> = (0..200)
        .scan(pico, |pico, _| {
            pico.run_for(100).expect("no fault");
            Some(pico.pin(13))
        })
        .collect();
    let high = levels.iter().filter(|level| **level).count();
    assert!((8..=26).contains(&high), "{high} of 200: 1.2 ms of 16.9");
    let driven = good_panel().function(13, 5).poke(SIO + 0x24, 1 << 13);
    let text = broken(run(driven), Rule::PinFunction, SPI1 + 8);
    assert!(text.contains("GP13 is an output of the panel"), "{text}");
}

#[test]
fn the_panel_understands_some_modes_and_clocks_only() {
    let sent = |control: u32| {
        let program = Program::new()
            .lcd()
            .poke(SPI1, control)
            .reset_panel(20)
            .wait_us(5_100);
        program.command(SLEEP_OUT).run_with(lcd_panel(), 60_000)
    };
    sent(0x07).expect("mode 0");
    sent(0xC7).expect("mode 3");
    for control in [0x47, 0x87, 0x17, 0x0F] {
        broken(sent(control), Rule::SpiMode, SPI1 + 8);
    }
    // 150 MHz divided by two are more than the panel takes; divided by four they are not.
    let fast = |divider: u32| {
        let program = Program::new()
            .pll(100, 0x4_2000, 0x10C1)
            .lcd()
            .poke(SPI1 + 0x10, divider)
            .reset_panel(1000);
        program
            .wait_us(150_000)
            .command(SLEEP_OUT)
            .run_with(lcd_panel(), 60_000)
    };
    broken(fast(2), Rule::BusClock, SPI1 + 8);
    fast(4).expect("37.5 MHz");
}

#[test]
fn the_panel_wants_its_times() {
    let lcd = lcd_panel;
    let run = |program: Program| program.run_with(lcd(), 400_000);
    // Two stores in a row, over and over, so that they are in the cache: str r1, [r0]; str r1,
    // [r2]; b back
    let short = Program::new()
        .lcd()
        .set(0, SIO + 0x18)
        .set(1, RESET)
        .set(2, SIO + 0x14);
    let short = short.code(&[0x6001, 0x6011, 0xE7FC]);
    let text = broken(run(short), Rule::PanelTiming, SIO + 0x10);
    assert!(text.contains("panel timing"), "{text}");
    let early = Program::new()
        .lcd()
        .reset_panel(20)
        .wait_us(3_000)
        .command(SLEEP_OUT);
    broken(run(early), Rule::PanelTiming, SPI1 + 8);
    let early = Program::new()
        .lcd()
        .reset_panel(20)
        .wait_us(5_100)
        .command(SLEEP_OUT)
        .wait_us(3_000)
        .command(0x29);
    broken(run(early), Rule::PanelTiming, SPI1 + 8);
    // Back to sleep, and out of it, only after 120 ms.
    broken(
        run(good_panel().wait_us(5_100).command(0x10)),
        Rule::PanelTiming,
        SPI1 + 8,
    );
    let asleep = good_panel().wait_us(121_000).command(0x10);
    run(asleep.clone()).expect("in time");
    broken(
        run(asleep.wait_us(5_100).command(SLEEP_OUT)),
        Rule::PanelTiming,
        SPI1 + 8,
    );
}

/// The panel keeps its power while the RP2040 restarts: it is awake when the reset comes, and needs
/// longer.
#[test]
fn a_panel_that_was_awake_at_a_restart_needs_longer() {
    let restart = |program: Program| {
        program
            .poke(WATCHDOG_SELECT, 0x1_FFFC)
            .poke(WATCHDOG, 1 << 31)
    };
    let warm = |us: u32| {
        Program::new()
            .lcd()
            .reset_panel(20)
            .wait_us(us)
            .command(SLEEP_OUT)
            .wait_us(5_100)
            .command(0x29)
    };
    for (us, good) in [(5_100, false), (121_000, true)] {
        let mut pico = restart(warm(us)).pico();
        pico.attach(lcd_panel());
        let outcome = pico.run_until(|pico| pico.stats().resets == 2, 800_000);
        assert_eq!(outcome.is_ok(), good, "{outcome:?}");
        if !good {
            assert_eq!(pico.stats().resets, 1, "the cold start was fine");
            broken(outcome.map(|_| pico.clone()), Rule::PanelTiming, SPI1 + 8);
            // Off and on again it is cold.
            pico.power_cycle();
            pico.run_until(|pico| pico.stats().resets == 2, 100_000)
                .expect("a cold start");
        }
    }
}

// --- the OLED ------------------------------------------------------------------------------------

const I2C0: u32 = 0x4004_4000;

impl Program {
    /// The OLED's pins and its I2C block as they should be: 6.5 MHz divided by 20 and more.
    fn oled(self) -> Program {
        self.function(4, 3)
            .function(5, 3)
            .poke(PADS + 4 + 4 * 4, 0x4A)
            .poke(PADS + 4 + 4 * 5, 0x4A)
            .poke(I2C0 + 0x1C, 8)
            .poke(I2C0 + 0x20, 12)
            .poke(I2C0 + 0x04, 0x3C)
            .poke(I2C0 + 0x6C, 1)
    }

    /// One command, display on, and time for it.
    fn switch_on(self) -> Program {
        self.poke(I2C0 + 0x10, 0x00)
            .poke(I2C0 + 0x10, 0xAF | 1 << 9)
            .wait_us(500)
    }
}

fn oled_is_on(pico: &Pico) -> bool {
    matches!(pico.display(), Some(Display::Oled(oled)) if oled.is_on())
}

#[test]
fn an_oled_needs_its_pins_pull_ups_and_clock() {
    let run = |program: Program| program.switch_on().run_with(oled_panel(), 30_000);
    let awake = || Program::new().wait_us(5_100).oled();
    assert!(oled_is_on(&run(awake()).expect("all as it should be")));
    broken(run(awake().function(5, 31)), Rule::PinFunction, I2C0 + 0x10);
    let text = broken(
        run(awake().poke(PADS + 4 + 4 * 4, 0x46)),
        Rule::PullUp,
        I2C0 + 0x10,
    );
    assert!(text.contains("GP4 "), "{text}");
    let fast = awake()
        .poke(I2C0 + 0x6C, 0)
        .poke(I2C0 + 0x20, 1)
        .poke(I2C0 + 0x1C, 1)
        .poke(I2C0 + 0x6C, 1);
    broken(
        run(fast
            .poke(I2C0 + 0x6C, 0)
            .poke(I2C0 + 0xA0, 0)
            .poke(I2C0 + 0x6C, 1)),
        Rule::BusClock,
        I2C0 + 0x10,
    );
}

#[test]
fn an_oled_without_its_time_after_power_on_does_not_answer() {
    let pico = Program::new()
        .oled()
        .switch_on()
        .run_with(oled_panel(), 30_000)
        .expect("no rule broken");
    assert!(!oled_is_on(&pico), "not awake yet: the address is refused");
}

// --- resets, clocks, voltage ---------------------------------------------------------------------

const WATCHDOG: u32 = 0x4005_8000;
/// PSM.WDSEL
const WATCHDOG_SELECT: u32 = 0x4001_0008;
const VREG: u32 = 0x4006_4000;
const CLOCKS: u32 = 0x4000_8000;
const XOSC: u32 = 0x4002_4000;
const PLL_SYS: u32 = 0x4002_8000;

impl Program {
    /// Waits until a bit of a register is set.
    fn until(self, address: u32, bit: u16) -> Program {
        let shift = 31 - bit;
        // ldr r1, [r0]; lsls r1, r1, #shift; bpl back
        self.set(0, address)
            .code(&[0x6801, 0x0009 | shift << 6, 0xD5FC])
    }

    fn crystal(self) -> Program {
        self.poke(XOSC + 0xC, 47)
            .poke(XOSC, 0xFAB_AA0)
            .until(XOSC + 4, 31)
    }

    /// The PLL on, not waited for.
    fn start_pll(self, feedback: u32, dividers: u32) -> Program {
        self.poke(PLL_SYS, 1)
            .poke(PLL_SYS + 8, feedback)
            .poke(PLL_SYS + 4, 0)
            .poke(PLL_SYS + 0xC, dividers)
    }

    /// The system clock from the PLL, with a voltage.
    fn pll(self, feedback: u32, dividers: u32, vreg: u32) -> Program {
        let program = self
            .crystal()
            .poke(VREG, vreg)
            .start_pll(feedback, dividers)
            .until(PLL_SYS, 31);
        program.poke(CLOCKS + 0x3C, 1)
    }
}

const VREG_1V10: u32 = 0x10B1;
const VREG_1V15: u32 = 0x10C1;

#[test]
fn a_block_in_reset_does_not_answer() {
    let text = broken(
        Program::default().peek(SPI1 + 0xC).run(),
        Rule::BlockInReset,
        SPI1 + 0xC,
    );
    assert!(
        text.contains("block in reset") && text.contains("bit 17"),
        "{text}"
    );
    broken(
        Program::default().poke(IO + 4, 5).run(),
        Rule::BlockInReset,
        IO + 4,
    );
    Program::default()
        .poke(RESETS | CLEAR, 1 << 17)
        .peek(SPI1 + 0xC)
        .run()
        .expect("out of reset");
    let program = Program::new()
        .peek(SPI1 + 0xC)
        .poke(RESETS | SET, 1 << 17)
        .poke(SPI1, 7);
    broken(program.run(), Rule::BlockInReset, SPI1);
    Program::default()
        .peek(0x4005_4028)
        .run()
        .expect("the boot ROM left the timer running");
}

#[test]
fn the_watchdog_resets_what_is_selected() {
    let fire = |select: u32, peripherals: u32| {
        let program = Program::new()
            .function(0, 5)
            .function(1, 5)
            .poke(RAM, 0)
            .peek(RAM);
        let program = program
            .poke(RESETS + 4, peripherals)
            .poke(WATCHDOG_SELECT, select)
            .poke(WATCHDOG, 1 << 31);
        let mut pico = program.poke(RAM, 77).pico();
        pico.run_until(
            |pico| pico.stats().resets > 0 || pico.peek32(RAM) == 77,
            20_000,
        )
        .expect("one of the two");
        pico
    };
    let pico = fire(0, 0);
    assert_eq!(
        (pico.stats().resets, pico.peek32(RAM)),
        (0, 77),
        "nothing is selected: the program goes on"
    );
    let pico = fire(0x1_FFFC, 0);
    assert_eq!(
        (pico.stats().resets, pico.reset_reason()),
        (1, ResetReason::WatchdogForced)
    );
    // Peripherals by their own selection, the cores not.
    let program = |peripherals: u32| {
        Program::new()
            .poke(RESETS + 4, peripherals)
            .poke(WATCHDOG, 1 << 31)
            .peek(SPI1)
            .run()
    };
    program(1 << 16).expect("SPI0 alone");
    broken(program(1 << 17), Rule::BlockInReset, SPI1);
}

#[test]
fn a_clock_needs_a_source_that_runs() {
    let text = broken(
        Program::new().poke(CLOCKS + 0x30, 2).run(),
        Rule::ClockSource,
        CLOCKS + 0x30,
    );
    assert!(
        text.contains("clock source") && text.contains("crystal"),
        "{text}"
    );
    Program::new()
        .crystal()
        .poke(CLOCKS + 0x30, 2)
        .run()
        .expect("the crystal is stable");
    let text = broken(
        Program::new().crystal().poke(CLOCKS + 0x3C, 1).run(),
        Rule::ClockSource,
        CLOCKS + 0x3C,
    );
    assert!(text.contains("off"), "{text}");
    // On and selected by two stores in a row: str r1, [r0]; str r3, [r2]
    let hasty = Program::new()
        .crystal()
        .start_pll(125, 0x6_2000)
        .poke(PLL_SYS + 4, 0x2D);
    let hasty = hasty
        .set(0, PLL_SYS + 4)
        .set(1, 0)
        .set(2, CLOCKS + 0x3C)
        .set(3, 1)
        .code(&[0x6001, 0x6013]);
    let text = broken(hasty.run(), Rule::ClockSource, CLOCKS + 0x3C);
    assert!(text.contains("locked"), "{text}");
    let pico = Program::new()
        .pll(125, 0x6_2000, VREG_1V10)
        .run()
        .expect("125 MHz");
    assert_eq!(pico.clock_hz(), 125_000_000);
    let text = broken(
        Program::new().pll(40, 0x2_2000, VREG_1V10).run(),
        Rule::ClockSource,
        CLOCKS + 0x3C,
    );
    assert!(text.contains("limits"), "{text}");
}

#[test]
fn a_fast_clock_needs_its_voltage() {
    let text = broken(
        Program::new().pll(100, 0x6_1000, VREG_1V10).run(),
        Rule::CoreVoltage,
        CLOCKS + 0x3C,
    );
    assert!(text.contains("core voltage"), "{text}");
    let pico = Program::new()
        .pll(100, 0x6_1000, VREG_1V15)
        .run()
        .expect("1.15 V");
    assert_eq!(pico.clock_hz(), 200_000_000);
    Program::new()
        .pll(133, 0x6_2000, VREG_1V10)
        .run()
        .expect("133 MHz");
    broken(
        Program::new().pll(125, 0x7_1000, 0x10F1).run(),
        Rule::CoreVoltage,
        CLOCKS + 0x3C,
    );
    // Nor may the voltage fall afterwards.
    broken(
        Program::new()
            .pll(100, 0x6_1000, VREG_1V15)
            .poke(VREG, VREG_1V10)
            .run(),
        Rule::CoreVoltage,
        VREG,
    );
}

const ROSC: u32 = 0x4006_0000;
const COMA: u32 = 0x636F_6D61;
const TIMER: u32 = 0x4005_4028;

impl Program {
    /// The crystal for everything, and a tick every microsecond.
    fn on_crystal(self) -> Program {
        self.crystal()
            .poke(CLOCKS + 0x30, 2)
            .poke(WATCHDOG + 0x2C, 1 << 9 | 12)
    }

    /// GP15 is pulled up and wakes the crystal when it is low.
    fn wake_pin(self) -> Program {
        self.function(15, 5)
            .poke(PADS + 4 + 4 * 15, 0x4A)
            .poke(IO + 0x164, 1 << 28)
    }

    /// Copies a register to RAM.
    fn copy(self, from: u32, to: u32) -> Program {
        self.peek(from).set(0, to).code(&[0x6001]) // str r1, [r0]
    }

    fn dormant(self) -> Program {
        self.poke(XOSC + 8, COMA)
    }
}

#[test]
fn a_dormant_crystal_stops_everything_until_its_pin_wakes_it() {
    let program = Program::new().on_crystal().wake_pin();
    // A watchdog of 100 ms: it does not count either.
    let program = program
        .poke(WATCHDOG_SELECT, 0x1_FFFC)
        .poke(WATCHDOG + 4, 200_000)
        .poke(WATCHDOG, 1 << 30);
    let program = program
        .copy(TIMER, RAM)
        .poke(RAM + 8, 1)
        .dormant()
        .until(XOSC + 4, 31)
        .copy(TIMER, RAM + 4)
        .poke(RAM + 8, 2);
    let mut pico = program.pico();
    pico.run_for(20_000).expect("it sleeps");
    assert!(pico.is_dormant());
    let before = pico.now_us();
    pico.set_pin(16, false);
    pico.run_for(5_000_000).expect("it sleeps on");
    assert_eq!(pico.now_us() - before, 5_000_000, "time goes on outside");
    assert!(pico.is_dormant() && pico.peek32(RAM + 8) == 1);
    pico.set_pin(15, false);
    let took = pico
        .run_until(|pico| pico.peek32(RAM + 8) == 2, 20_000)
        .expect("it wakes");
    assert!(!pico.is_dormant());
    // 47 times 256 periods of the crystal.
    assert!((1_000..2_500).contains(&took), "{took} us");
    let slept = pico.peek32(RAM + 4) - pico.peek32(RAM);
    assert!(slept < 3_000, "the timer counted {slept} us");
    assert_eq!(pico.stats().resets, 0);
    pico.run_for(110_000).expect("no fault");
    assert_eq!(pico.stats().resets, 1, "the watchdog counts again");
    // Whoever falls asleep with the pin low already is awake at once.
    let mut pico = program.pico();
    pico.set_pin(15, false);
    pico.run_until(|pico| pico.peek32(RAM + 8) == 2, 20_000)
        .expect("it wakes");
}

#[test]
fn a_crystal_is_stopped_only_by_who_can_wake_up() {
    let refused = |program: Program, why: &str| {
        let text = broken(program.run(), Rule::Dormancy, XOSC + 8);
        assert!(text.contains("dormancy") && text.contains(why), "{text}");
    };
    refused(Program::new().on_crystal().dormant(), "no pin");
    // An interrupt of a core is none of the crystal's.
    let interrupt = Program::new()
        .on_crystal()
        .function(15, 5)
        .poke(IO + 0x104, 1 << 28);
    refused(interrupt.dormant(), "no pin");
    let pll = |program: Program| program.start_pll(100, 0x6_1000).until(PLL_SYS, 31);
    refused(
        pll(Program::new().on_crystal().wake_pin()).dormant(),
        "PLL_SYS is still on",
    );
    refused(
        Program::new().crystal().wake_pin().dormant(),
        "from the crystal",
    );
    let auxiliary = |source: u32| {
        Program::new()
            .on_crystal()
            .wake_pin()
            .poke(CLOCKS + 0x3C, source << 5 | 1)
    };
    refused(auxiliary(2).dormant(), "from the crystal");
    assert!(
        auxiliary(3)
            .dormant()
            .run()
            .expect("it sleeps")
            .is_dormant()
    );
    // Other words than the right one do nothing.
    let program = Program::new().on_crystal().poke(XOSC + 8, COMA ^ 1);
    assert!(!program.run().expect("it goes on").is_dormant());
    // The crystal needs its time again.
    let hasty = Program::new().on_crystal().wake_pin().dormant();
    let mut pico = hasty.poke(CLOCKS + 0x30, 2).pico();
    pico.run_for(20_000).expect("it sleeps");
    pico.set_pin(15, false);
    let outcome = pico.run_for(20_000).map(|()| pico);
    let text = broken(outcome, Rule::ClockSource, CLOCKS + 0x30);
    assert!(text.contains("not stable"), "{text}");
}

#[test]
fn nothing_runs_from_a_ring_oscillator_that_is_off() {
    let off = |program: Program| program.poke(ROSC, 0xD1E_AA0);
    let text = broken(off(Program::new()).run(), Rule::ClockSource, ROSC);
    assert!(text.contains("ring oscillator is off"), "{text}");
    let pico = off(Program::new().on_crystal()).run().expect("not needed");
    assert!(!pico.ring_oscillator_is_on());
    let program = off(Program::new().on_crystal()).poke(CLOCKS + 0x30, 0);
    broken(program.run(), Rule::ClockSource, CLOCKS + 0x30);
    // A watchdog that leaves the oscillators alone restarts the chip without a clock.
    let bite = |select: u32| {
        off(Program::new().on_crystal())
            .poke(WATCHDOG_SELECT, select)
            .poke(WATCHDOG, 1 << 31)
            .run()
    };
    broken(bite(0x1_FFFC), Rule::ClockSource, ROSC);
    let on = off(Program::new().on_crystal()).poke(ROSC, 0xFAB_AA0);
    let pico = on.poke(CLOCKS + 0x30, 0).run().expect("on again");
    assert!(pico.ring_oscillator_is_on());
}

#[test]
fn the_flash_chip_has_a_fastest_clock() {
    // Code that changes how flash is read must not be in flash.
    let ssi = |divider: u32| {
        let code = Program::default()
            .poke(0x1800_0008, 0)
            .poke(0x1800_0014, divider)
            .poke(0x1800_0008, 1)
            .code(&[STAY]);
        let program = Program::new().pll(100, 0x6_1000, VREG_1V15);
        let program = code
            .code
            .chunks(2)
            .enumerate()
            .fold(program, |program, (index, pair)| {
                let word =
                    u32::from(pair[0]) | pair.get(1).map_or(0, |&half| u32::from(half) << 16);
                program.poke(RAM + 4 * index as u32, word)
            });
        program.set(2, RAM | 1).code(&[0x4710]).run()
    };
    // Plain reads, as the boot ROM leaves them: 50 MHz is the limit, 200 MHz divided by two is
    // twice that.
    let text = broken(ssi(2), Rule::FlashClock, 0x1800_0014);
    assert!(text.contains("flash clock"), "{text}");
    ssi(4).expect("50 MHz");
}

// --- nested handlers and the boot ROM ------------------------------------------------------------

const NVIC: u32 = 0xE000_E100;
/// Lines of the UARTs, which this emulator never raises.
const FIRST: u32 = 20;
const SECOND: u32 = 21;

/// The handler of FIRST pends SECOND and then writes down what came before; so does SECOND's
/// handler.
fn nested(priorities: u32, masked: bool) -> Vec<u32> {
    let log = |program: Program, word: u32| {
        // r3 counts what was written
        program.set(0, RAM).set(1, word).code(&[0x50C1, 0x3304]) // str r1, [r0, r3]; adds r3, #4
    };
    // r4 stands in for r3, which an exception saves and restores.
    let count = |program: Program| program.code(&[0x0023]); // movs r3, r4
    let keep = |program: Program| program.code(&[0x001C]); // movs r4, r3
    let mut outer = Program::default();
    if masked {
        outer = outer.code(&[0xB672]); // cpsid i
    }
    outer = outer.poke(NVIC + 0x100, 1 << SECOND);
    outer = keep(log(count(outer), 1));
    if masked {
        outer = outer.code(&[0xB662]); // cpsie i
    }
    outer = keep(log(count(outer.code(&[NOP])), 2)).code(&[0x4770]); // bx lr
    let inner = keep(log(count(Program::default()), 3)).code(&[0x4770]);
    let program = Program::new()
        .set(4, 0)
        .poke(NVIC + 0x314, priorities)
        .poke(NVIC, 1 << FIRST | 1 << SECOND);
    let program = program.poke(NVIC + 0x100, 1 << FIRST).code(&[NOP]);
    let program = keep(log(count(program), 4));
    let pico = program
        .handler(16 + FIRST, &outer.code)
        .handler(16 + SECOND, &inner.code)
        .run()
        .expect("no fault");
    (0..4).map(|index| pico.peek32(RAM + 4 * index)).collect()
}

#[test]
fn a_more_urgent_exception_interrupts_a_handler() {
    let (equal, urgent) = (0x4040, 0x0040);
    assert_eq!(
        nested(equal, false),
        [1, 2, 3, 4],
        "the same priority waits"
    );
    assert_eq!(nested(urgent, false), [3, 1, 2, 4], "at once");
    assert_eq!(
        nested(urgent, true),
        [1, 3, 2, 4],
        "as soon as it is unmasked"
    );
}

/// Calls a function of the boot ROM with three arguments, found through its table as firmware does.
/// Returns the cycles of the call as well.
fn call_rom(name: &[u8; 2], arguments: [u32; 3], prepare: Program) -> (Pico, u64) {
    let program = prepare
        .set(0, 0x14)
        .code(&[0x8800]) // ldrh r0, [r0]
        .set(1, u32::from(u16::from_le_bytes(*name)))
        .set(2, 0x18)
        .code(&[0x8812, 0x4790, 0x0004]) // ldrh r2, [r2]; blx r2; movs r4, r0
        .set(0, arguments[0])
        .set(1, arguments[1])
        .set(2, arguments[2]);
    let call = START + 2 * program.code.len() as u32;
    let mut pico = program
        .code(&[0x47A0, 0x0005])
        .set(1, RAM - 8)
        .code(&[0x600D])
        .pico(); // blx r4; str r0 there
    pico.run_until_pc(call, 20_000).expect("the call");
    let start = pico.cycles();
    pico.run_until_pc(call + 2, 20_000).expect("its return");
    let cycles = pico.cycles() - start;
    pico.run_for(1_000).expect("no fault");
    assert_eq!(
        pico.peek32(RAM - 8),
        arguments[0],
        "the destination is returned"
    );
    (pico, cycles)
}

#[test]
fn the_roms_copy_and_fill_work_at_every_alignment() {
    let source = START; // any bytes
    for (to, from, count) in [
        (0, 0, 100),
        (0, 0, 16),
        (0, 4, 7),
        (1, 0, 33),
        (2, 3, 0),
        (4, 4, 3),
        (3, 3, 64),
    ] {
        let (pico, _) = call_rom(b"MC", [RAM + to, source + from, count], Program::new());
        assert_eq!(
            pico.peek(RAM + to, count as usize),
            pico.peek(source + from, count as usize),
            "{to} {from} {count}"
        );
    }
    for (to, count) in [(0, 100), (1, 100), (2, 3), (3, 0), (0, 15), (3, 1)] {
        let around = [RAM - 4, RAM, (RAM + to + count) & !3];
        let before = around.into_iter().fold(Program::new(), |program, address| {
            program.poke(address, 0x7777_7777)
        });
        let (pico, _) = call_rom(b"MS", [RAM + to, 0x1A5, count], before);
        assert!(
            pico.peek(RAM + to, count as usize)
                .iter()
                .all(|&byte| byte == 0xA5),
            "{to} {count}"
        );
        assert_eq!(
            (pico.peek8(RAM + to - 1), pico.peek8(RAM + to + count)),
            (0x77, 0x77),
            "{to} {count}"
        );
    }
}

#[test]
fn the_rom_moves_words_when_it_can() {
    let copy = |from: u32| call_rom(b"MC", [RAM, 0x2000_4000 + from, 4096], Program::new()).1;
    assert!(
        copy(0) < 4096,
        "{} cycles for 4096 bytes, four words at a time",
        copy(0)
    );
    assert!(copy(1) > 4 * 4096, "{} cycles, byte by byte", copy(1));
    let fill = call_rom(b"MS", [RAM, 0, 4096], Program::new()).1;
    assert!(fill < 4096, "{fill} cycles");
}
