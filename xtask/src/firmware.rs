//! Builds the firmware, compares its size, and packs it with the models.

use std::fmt;
use std::fs;

use object::{Object, ObjectSection, ObjectSymbol};
use pico_image::uf2::firmware_with_bank;

use crate::toolchain::{self, Part};
use crate::{Outcome, cargo, dojo, progress, remap, root};

const TARGET: &str = "thumbv6m-none-eabi";
/// Where cargo puts the image that it has built last.
const BUILT: &str = "target/thumbv6m-none-eabi/firmware/dojo-firmware";

/// A board that has an image of its own.
pub(crate) struct BoardBuild {
    /// As in `firmware/boards` and in the feature of the firmware.
    name: &'static str,
    /// The image.
    elf: &'static str,
    /// Its accepted size.
    snapshot: &'static str,
    /// In `target`, for the drive RPI-RP2.
    pub(crate) uf2: &'static str,
}

pub(crate) const BOARDS: [BoardBuild; 2] = [
    BoardBuild {
        name: "pico",
        elf: "target/firmware/pico.elf",
        snapshot: "firmware/size.txt",
        uf2: "pocket-dojo.uf2",
    },
    BoardBuild {
        name: "picosystem",
        elf: "target/firmware/picosystem.elf",
        snapshot: "firmware/size-picosystem.txt",
        uf2: "pocket-dojo-picosystem.uf2",
    },
];

/// The board of this name, or all boards without a name.
fn named(name: Option<&str>) -> Result<&'static [BoardBuild], String> {
    let Some(name) = name else {
        return Ok(&BOARDS);
    };
    let found = BOARDS.iter().find(|board| board.name == name);
    found.map(std::slice::from_ref).ok_or_else(|| {
        let known = BOARDS.each_ref().map(|board| board.name);
        format!("`{name}` is no board; there are {}", known.join(", "))
    })
}

/// Code and constants have to stay below this; their region has 512 KB.
const FLASH_BUDGET: u64 = 500 * 1024;
/// Each stack must have at least this.
const STACK_BUDGET: u64 = 16 * 1024;
/// Growth or shrinking by more than this many percent has to be accepted with `cargo xtask bless`.
const TOLERANCE: u64 = 2;

/// Builds the images of one board or of all. The same source gives the same images wherever it
/// lies.
pub(crate) fn build(name: Option<&str>) -> Outcome {
    named(name)?.iter().try_for_each(BoardBuild::build)
}

/// Builds the image that measures Go's cost, runs it in the emulator and prints its log.
pub(crate) fn speed() -> Outcome {
    build_part("the image that measures Go", &["--example", "go_speed"])?;
    let image = "target/thumbv6m-none-eabi/firmware/examples/go_speed";
    let [script, bank] = ["firmware/examples/go_speed.txt", "models/dojo.bank"];
    dojo(&[
        "device", image, "--board", "none", "--bank", bank, "--script", script, "--log",
    ])
}

fn build_part(what: &str, part: &[&str]) -> Outcome {
    toolchain::need(&[Part::Thumb])?;
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
    progress::step(format!("Building {what}"), || {
        cargo(&[&package[..], &target, part].concat())
    })
}

/// Builds images and prints their sizes; fails if they differ from the accepted ones.
pub(crate) fn check(name: Option<&str>) -> Outcome {
    for board in named(name)? {
        board.build()?;
        let weight = Weight::of_image(board.elf)?;
        print!("{}\n{weight}", board.name);
        weight.check_budgets()?;
        let accepted = fs::read_to_string(root().join(board.snapshot))
            .map_err(|error| format!("{}: {error}", board.snapshot))?;
        weight
            .compare(&accepted)
            .map_err(|what| format!("{}: {what}", board.snapshot))?;
    }
    Ok(())
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
    for board in &BOARDS {
        let feature = board.feature();
        cargo(&[&package[..], &features(&feature), &rest].concat())?;
    }
    Ok(())
}

/// Accepts the present sizes.
pub(crate) fn bless() -> Outcome {
    for board in &BOARDS {
        board.build()?;
        let weight = Weight::of_image(board.elf)?;
        fs::write(root().join(board.snapshot), weight.to_string())
            .map_err(|error| format!("{}: {error}", board.snapshot))?;
    }
    Ok(())
}

/// Packs firmware and models into one file a board.
pub(crate) fn uf2() -> Outcome {
    check(None)?;
    let read = |path: &str| fs::read(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let bank = read("models/dojo.bank")?;
    for BoardBuild { elf, uf2, .. } in &BOARDS {
        let file = firmware_with_bank(&read(elf)?, &bank).map_err(|error| error.to_string())?;
        fs::write(root().join("target").join(uf2), &file)
            .map_err(|error| format!("{uf2}: {error}"))?;
        println!("target/{uf2}: {} bytes for the drive RPI-RP2", file.len());
    }
    Ok(())
}

/// Cargo's arguments for a board's feature and no other.
fn features(feature: &str) -> [&str; 3] {
    ["--no-default-features", "--features", feature]
}

impl BoardBuild {
    fn feature(&self) -> String {
        format!("board-{}", self.name)
    }

    fn build(&self) -> Outcome {
        let feature = self.feature();
        let what = format!("the firmware of {}", self.name);
        let part = [&["--bin", "dojo-firmware"][..], &features(&feature)].concat();
        build_part(&what, &part)?;
        // Cargo has one path for the images of all boards. A test may be reading the old image: the
        // copy replaces it atomically.
        let (elf, new) = (
            root().join(self.elf),
            root().join(self.elf).with_extension("new"),
        );
        let copied = fs::create_dir_all(elf.parent().unwrap_or(&elf))
            .and_then(|()| fs::copy(root().join(BUILT), &new))
            .and_then(|_| fs::rename(&new, &elf));
        copied.map_err(|error| format!("{}: {error}", self.elf))
    }
}

/// Bytes of the image by section.
struct Weight(Vec<(&'static str, u64)>);

impl Weight {
    fn of_image(image: &str) -> Result<Weight, String> {
        let bytes = fs::read(root().join(image)).map_err(|error| format!("{image}: {error}"))?;
        let file = object::File::parse(&*bytes).map_err(|error| format!("{image}: {error}"))?;
        let section = |name| {
            file.section_by_name(name)
                .map_or(0, |section| section.size())
        };
        let symbol = |name: &str| {
            let found = file.symbols().find(|symbol| symbol.name() == Ok(name));
            found
                .map(|symbol| symbol.address())
                .ok_or(format!("{image}: no symbol {name}"))
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
            (
                "RAM, not cleared: workspace, second stack, crash log",
                uninit,
            ),
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
                .ok_or(format!("no `{name}`"))?;
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
