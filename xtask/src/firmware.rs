//! The firmware: built, weighed, and packed with the models.

use std::fmt;
use std::fs;

use object::{Object, ObjectSection, ObjectSymbol};
use pico_image::uf2::firmware_with_bank;

use crate::toolchain::{self, Part};
use crate::{Outcome, cargo, dojo, remap, root};

const TARGET: &str = "thumbv6m-none-eabi";
/// Where cargo puts the image.
const IMAGE: &str = "target/thumbv6m-none-eabi/firmware/dojo-firmware";
/// Its weight when it was last accepted.
const SNAPSHOT: &str = "firmware/size.txt";
/// What a handheld is flashed with.
pub(crate) const UF2: &str = "target/pocket-dojo.uf2";

/// Code and constants must stay below this for now.
const FLASH_BUDGET: u64 = 400 * 1024;
/// Each stack must have at least this.
const STACK_BUDGET: u64 = 16 * 1024;
/// Growth or shrinking by more than this many percent has to be accepted with `cargo xtask bless`.
const TOLERANCE: u64 = 2;

/// Builds the image. The same source gives the same image wherever it lies.
pub(crate) fn build() -> Outcome {
    build_part(&["--bin", "dojo-firmware"])
}

/// Builds the image that measures what Go costs, runs it in the emulator and prints what it logs.
pub(crate) fn speed() -> Outcome {
    build_part(&["--example", "go_speed"])?;
    let image = "target/thumbv6m-none-eabi/firmware/examples/go_speed";
    let [script, bank] = ["firmware/examples/go_speed.txt", "models/dojo.bank"];
    dojo(&[
        "device", image, "--board", "none", "--bank", bank, "--script", script, "--log",
    ])
}

fn build_part(part: &[&str]) -> Outcome {
    toolchain::need(&[Part::Thumb])?;
    eprintln!("Building the firmware");
    let config = remap(TARGET)?;
    let target = ["--target", TARGET];
    let package = [
        "build",
        "--quiet",
        "--package",
        "dojo-firmware",
        "--profile",
        "firmware",
        "--config",
        &config,
    ];
    cargo(&[&package[..], &target, part].concat())
}

/// Builds the image and says what it weighs; fails if that is not what was accepted.
pub(crate) fn check() -> Outcome {
    build()?;
    let weight = Weight::of_image()?;
    print!("{weight}");
    weight.check_budgets()?;
    let accepted = fs::read_to_string(root().join(SNAPSHOT))
        .map_err(|error| format!("{SNAPSHOT}: {error}"))?;
    weight.compare(&accepted)
}

/// Lints the code that only exists on the device.
pub(crate) fn lint() -> Outcome {
    toolchain::need(&[Part::Thumb, Part::Clippy])?;
    let package = [
        "clippy",
        "--package",
        "dojo-firmware",
        "--profile",
        "firmware",
        "--quiet",
    ];
    let rest = ["--target", TARGET, "--", "--deny", "warnings"];
    cargo(&[&package[..], &rest].concat())
}

/// Accepts the weight as it is.
pub(crate) fn bless() -> Outcome {
    build()?;
    let weight = Weight::of_image()?;
    fs::write(root().join(SNAPSHOT), weight.to_string())
        .map_err(|error| format!("{SNAPSHOT}: {error}"))
}

/// Packs firmware and models into one file.
pub(crate) fn uf2() -> Outcome {
    check()?;
    let read = |path: &str| fs::read(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let file = firmware_with_bank(&read(IMAGE)?, &read("models/dojo.bank")?)
        .map_err(|error| error.to_string())?;
    fs::write(root().join(UF2), &file).map_err(|error| format!("{UF2}: {error}"))?;
    println!("{UF2}: {} bytes for the drive RPI-RP2", file.len());
    Ok(())
}

/// Bytes of the image, by what they are for.
struct Weight(Vec<(&'static str, u64)>);

impl Weight {
    fn of_image() -> Result<Weight, String> {
        let bytes = fs::read(root().join(IMAGE)).map_err(|error| format!("{IMAGE}: {error}"))?;
        let file = object::File::parse(&*bytes).map_err(|error| format!("{IMAGE}: {error}"))?;
        let section = |name| {
            file.section_by_name(name)
                .map_or(0, |section| section.size())
        };
        let symbol = |name: &str| {
            let found = file.symbols().find(|symbol| symbol.name() == Ok(name));
            found
                .map(|symbol| symbol.address())
                .ok_or(format!("{IMAGE}: no symbol {name}"))
        };
        let text = [".boot2", ".vector_table", ".text", ".rodata"]
            .map(section)
            .iter()
            .sum();
        let [data, code, bss, uninit] = [".data", ".ram_code", ".bss", ".uninit"].map(section);
        let data = data + code;
        let stack = symbol("_stack_start")? - symbol("_stack_end")?;
        Ok(Weight(vec![
            ("flash, code and constants", text),
            ("flash and RAM, initialised", data),
            ("RAM, cleared at the start", bss),
            ("RAM, not cleared: workspace, second stack, trouble", uninit),
            ("RAM, all statics", data + bss + uninit),
            ("RAM, left for the first stack", stack),
        ]))
    }

    fn check_budgets(&self) -> Outcome {
        let (flash, stack) = (self.0[0].1 + self.0[1].1, self.0[5].1);
        if flash > FLASH_BUDGET {
            return Err(format!(
                "{flash} bytes of code and data, {FLASH_BUDGET} are budgeted"
            ));
        }
        if stack < STACK_BUDGET {
            return Err(format!("{stack} bytes of stack, {STACK_BUDGET} are needed"));
        }
        Ok(())
    }

    fn compare(&self, accepted: &str) -> Outcome {
        for (name, now) in &self.0 {
            let line = accepted
                .lines()
                .find_map(|line| line.strip_suffix(name))
                .map(str::trim);
            let was: u64 = line
                .and_then(|number| number.parse().ok())
                .ok_or(format!("{SNAPSHOT}: no `{name}`"))?;
            if now.abs_diff(was) * 100 > was * TOLERANCE {
                return Err(format!(
                    "{name}: {now} bytes, accepted are {was}; `cargo xtask bless` accepts it"
                ));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(name, bytes)| writeln!(f, "{bytes:>7} {name}"))
    }
}
