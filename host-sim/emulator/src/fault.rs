//! Why a machine stopped, and which rules were broken.
//!
//! A rule that the chip enforces itself (MPU, alignment, addresses without memory) ends in a hard
//! fault of the emulated core and is noted as a [`Refusal`]. A rule that nobody enforces, but
//! without which a real device would misbehave, stops the machine with [`Fault::RuleBroken`].
//!
//! After a power cut, a bad second stage or a jump to USB boot the machine is off: running it
//! again answers the same fault until it is switched off and on.

use std::fmt;

/// What a core wanted of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Load, exception return, or fetch of a vector.
    Read,
    /// Store, or stacking at an exception's entry.
    Write,
    /// Instruction fetch.
    Fetch,
}

/// Why a core took a hard fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nothing answers at the address.
    Bus { address: u32 },
    /// The MPU forbids the access. `region` is `None` if no region covers the address.
    Mpu {
        access: Access,
        address: u32,
        region: Option<u8>,
    },
    /// A half-word or word at an address that is no multiple of its size.
    Alignment { address: u32 },
    /// Code was fetched from where the architecture's memory map never executes.
    ExecuteNever { address: u32 },
    /// Undefined instruction, break point, SVC while masked, or a branch out of Thumb state.
    Instruction,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Bus { address } => write!(f, "bus error at {address:#010x}"),
            Cause::Mpu {
                access,
                address,
                region,
            } => {
                let verb = match access {
                    Access::Read => "reading",
                    Access::Write => "writing",
                    Access::Fetch => "executing",
                };
                match region {
                    Some(region) => write!(f, "MPU region {region} forbids {verb} {address:#010x}"),
                    None => write!(f, "no MPU region allows {verb} {address:#010x}"),
                }
            }
            Cause::Alignment { address } => write!(f, "unaligned access to {address:#010x}"),
            Cause::ExecuteNever { address } => write!(f, "code never executes at {address:#010x}"),
            Cause::Instruction => write!(f, "instruction that cannot be executed"),
        }
    }
}

/// Rules that the chip does not enforce: whoever breaks one has a device that misbehaves silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A display hears a bus only if its pins have that bus's function, and its control pins are
    /// driven.
    PinFunction,
    /// I²C lines need pull-ups.
    PullUp,
    /// SPI mode and frame size that the panel understands.
    SpiMode,
    /// The fastest clock that the device on a bus understands.
    BusClock,
    /// Reset and sleep times of the panel.
    PanelTiming,
    /// Registers of a block that RESETS holds in reset do not answer.
    BlockInReset,
    /// A clock comes from a source that runs and is stable, within the limits of its PLL.
    ClockSource,
    /// The core voltage that the system clock needs.
    CoreVoltage,
    /// The fastest clock of the flash chip.
    FlashClock,
    /// The crystal is stopped only with the PLLs off, as the source of all clocks, and with a pin
    /// that wakes it.
    Dormancy,
}

impl Rule {
    fn name(self) -> &'static str {
        match self {
            Rule::PinFunction => "pin function",
            Rule::PullUp => "pull-up",
            Rule::SpiMode => "SPI mode",
            Rule::BusClock => "bus clock",
            Rule::PanelTiming => "panel timing",
            Rule::BlockInReset => "block in reset",
            Rule::ClockSource => "clock source",
            Rule::CoreVoltage => "core voltage",
            Rule::FlashClock => "flash clock",
            Rule::Dormancy => "dormancy",
        }
    }
}

/// A broken rule, as a peripheral reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) rule: Rule,
    /// The register concerned.
    pub(super) address: u32,
    pub(super) detail: String,
}

/// A hard fault that a core took: what the chip refused, where and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub core: usize,
    /// The instruction.
    pub pc: u32,
    pub cause: Cause,
    /// Emulated time.
    pub us: u64,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal {
            core,
            pc,
            cause,
            us,
        } = self;
        write!(
            f,
            "{:.3} s: hard fault on core {core} at {pc:#010x}: {cause}",
            *us as f64 / 1e6
        )
    }
}

/// A condition that stops the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A fault inside the hard-fault handler, or while its frame was stacked: the core is dead
    /// until a reset.
    Lockup { core: usize, pc: u32, cause: Cause },
    /// A core took a hard fault (see [`super::Pico::stop_on_hard_fault`]).
    HardFault { core: usize, pc: u32, cause: Cause },
    /// A rule that nobody on the chip enforces was broken. `address` is the register concerned;
    /// `core` and `pc` are the instruction that ran last: DMA breaks rules in its name.
    RuleBroken {
        rule: Rule,
        core: usize,
        pc: u32,
        address: u32,
        detail: String,
    },
    /// Flash was read while it could not be: during erase, program or reconfiguration.
    FlashUnreadable { core: usize, pc: u32, address: u32 },
    /// The power cut asked for with [`super::Flash::cut_power_at`] happened.
    PowerCut { operation: usize },
    /// The second-stage boot loader's checksum is wrong; the chip would wait in USB boot.
    BootChecksum { found: u32, expected: u32 },
    /// The firmware asked for USB boot.
    UsbBoot,
    /// [`super::Pico::run_until`] reached its limit first.
    TimeLimit { us: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Lockup { core, pc, cause } => {
                write!(f, "core {core} locked up at {pc:#010x}: {cause}")
            }
            Fault::HardFault { core, pc, cause } => {
                write!(f, "hard fault on core {core} at {pc:#010x}: {cause}")
            }
            Fault::RuleBroken {
                rule,
                core,
                pc,
                address,
                detail,
            } => {
                write!(
                    f,
                    "rule \"{}\" broken by core {core} at {pc:#010x}, register {address:#010x}: {detail}",
                    rule.name()
                )
            }
            Fault::FlashUnreadable { core, pc, address } => {
                write!(
                    f,
                    "core {core} at {pc:#010x} read flash at {address:#010x} while it was busy"
                )
            }
            Fault::PowerCut { operation } => write!(f, "power cut at flash operation {operation}"),
            Fault::BootChecksum { found, expected } => {
                write!(
                    f,
                    "second-stage boot loader: checksum {found:#010x}, expected {expected:#010x}"
                )
            }
            Fault::UsbBoot => write!(f, "the firmware asked for USB boot"),
            Fault::TimeLimit { us } => write!(f, "nothing happened within {us} µs"),
        }
    }
}

impl std::error::Error for Fault {}
