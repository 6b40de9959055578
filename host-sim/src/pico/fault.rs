//! Why a machine stopped.
//!
//! After a power cut, a bad second stage or a jump to USB boot the machine is off: running it
//! again answers the same fault until it is switched off and on.

use std::fmt;

/// A condition that stops the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A fault inside the hard-fault handler: the core is dead until a reset.
    Lockup { core: usize, pc: u32 },
    /// A core took a hard fault (see [`super::Pico::stop_on_hard_fault`]). `bus_address` is the
    /// address of the failed access, if that was the cause.
    HardFault { core: usize, pc: u32, bus_address: Option<u32> },
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
            Fault::Lockup { core, pc } => write!(f, "core {core} locked up at {pc:#010x}"),
            Fault::HardFault { core, pc, bus_address: None } => {
                write!(f, "hard fault on core {core} at {pc:#010x}")
            }
            Fault::HardFault { core, pc, bus_address: Some(address) } => {
                write!(f, "hard fault on core {core} at {pc:#010x}: bus error at {address:#010x}")
            }
            Fault::FlashUnreadable { core, pc, address } => {
                write!(f, "core {core} at {pc:#010x} read flash at {address:#010x} while it was busy")
            }
            Fault::PowerCut { operation } => write!(f, "power cut at flash operation {operation}"),
            Fault::BootChecksum { found, expected } => {
                write!(f, "second-stage boot loader: checksum {found:#010x}, expected {expected:#010x}")
            }
            Fault::UsbBoot => write!(f, "the firmware asked for USB boot"),
            Fault::TimeLimit { us } => write!(f, "nothing happened within {us} µs"),
        }
    }
}

impl std::error::Error for Fault {}
