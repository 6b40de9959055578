//! `dojo bank inspect|verify|diff|pack|uf2`: model banks from the outside.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use dojo_core::bank::{Bank, Entry, FORMAT, Kind};
use dojo_core::belt::Belt;
use dojo_core::with_game;
use pico_image::SECTOR_SIZE;
use serde::Serialize;

use dojo_lab::bank::pack::pack;
use dojo_lab::bank::{open, read, refused};
use dojo_lab::certify::Certified;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::games::LabGame;
use dojo_lab::output::Format;
use dojo_lab::{exercises, files, flash};

/// Arguments of `dojo bank`.
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = false)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List every field of every model
    #[command(after_help = "Examples:\n  dojo bank inspect models/dojo.bank")]
    Inspect {
        /// The bank
        file: PathBuf,
        #[command(flatten)]
        format: Format,
    },
    /// Check all payloads and prove again that black gives no win away
    #[command(after_help = "Examples:\n  dojo bank verify models/dojo.bank")]
    Verify {
        /// The bank
        file: PathBuf,
        #[command(flatten)]
        format: Format,
    },
    /// Compare two banks; exit code 1 if they differ
    #[command(after_help = "Examples:\n  dojo bank diff models/dojo.bank mine.bank")]
    Diff {
        /// One bank
        a: PathBuf,
        /// The other
        b: PathBuf,
        #[command(flatten)]
        format: Format,
    },
    /// Certify trained models and make a bank of them, with a text beside it that says what is
    /// inside
    #[command(after_help = "Examples:\n  dojo bank pack runs/sticks-shipped-1 --out mine.bank")]
    Pack {
        /// Run folders of `dojo train`, or manifests
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// The bank to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Replace files that exist
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        format: Format,
    },
    /// Write a bank as a UF2 that replaces the models of a handheld and nothing else
    #[command(after_help = "Examples:\n  dojo bank uf2 mine.bank --out models.uf2")]
    Uf2 {
        /// The bank
        file: PathBuf,
        /// The UF2 to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Replace a file that exists
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        format: Format,
    },
}

/// Runs the subcommand.
pub fn run(args: Args) -> Done {
    match args.action {
        Action::Inspect { file, format } => inspect(&file, format),
        Action::Verify { file, format } => verify(&file, format),
        Action::Diff { a, b, format } => diff(&a, &b, format),
        Action::Pack {
            sources,
            out,
            force,
            format,
        } => pack_to(&sources, &out, force, format),
        Action::Uf2 {
            file,
            out,
            force,
            format,
        } => to_uf2(&file, &out, force, format),
    }
}

/// Every field of an entry, in the order of the layout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Fields {
    name: String,
    game: &'static str,
    kind: &'static str,
    belt: Option<&'static str>,
    number: &'static str,
    rules_version: u16,
    strength: u16,
    dims: [u16; 4],
    scale: u32,
    offset: usize,
    length: usize,
    crc: String,
    seed: u64,
    games: u64,
    settings: String,
    date: u32,
}

impl Fields {
    fn new(entry: &Entry<'_>) -> Fields {
        let meta = &entry.meta;
        Fields {
            name: meta.name().into(),
            game: meta.game.name(),
            kind: meta.kind.name(),
            belt: meta.belt.map(Belt::name),
            number: meta.number.name(),
            rules_version: meta.rules_version,
            strength: meta.strength,
            dims: meta.dims,
            scale: meta.scale,
            offset: entry.offset,
            length: entry.bytes().len(),
            crc: format!("{:08x}", entry.crc),
            seed: meta.seed,
            games: meta.games,
            settings: format!("{:08x}", meta.settings),
            date: meta.date,
        }
    }

    /// The fields as pairs of text, for tables and comparisons.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let dims: Vec<_> = self
            .dims
            .iter()
            .filter(|&&dim| dim > 0)
            .map(u16::to_string)
            .collect();
        vec![
            ("name", self.name.clone()),
            ("game", self.game.into()),
            ("kind", self.kind.into()),
            ("belt", self.belt.unwrap_or("-").into()),
            ("number", self.number.into()),
            ("rules", self.rules_version.to_string()),
            ("strength", self.strength.to_string()),
            ("dims", dims.join("x")),
            ("scale", self.scale.to_string()),
            ("offset", self.offset.to_string()),
            ("length", self.length.to_string()),
            ("crc", self.crc.clone()),
            ("seed", self.seed.to_string()),
            ("games", self.games.to_string()),
            ("settings", self.settings.clone()),
            ("date", self.date.to_string()),
        ]
    }
}

#[derive(Serialize)]
struct Inspection {
    format: u16,
    length: usize,
    crc: String,
    entries: Vec<Fields>,
}

fn inspect(file: &Path, format: Format) -> Done {
    let bytes = read(file)?;
    let bank = open(file, &bytes)?;
    let report = Inspection {
        format: FORMAT,
        length: bank.bytes().len(),
        crc: format!("{:08x}", bank.crc()),
        entries: bank.entries().map(|entry| Fields::new(&entry)).collect(),
    };
    format.print(&report, || {
        let text = format!(
            "format {}, {} models, {} bytes, checksum of header and table {}\n\n",
            report.format,
            report.entries.len(),
            report.length,
            report.crc
        );
        text + &columns(&report.entries.iter().map(Fields::pairs).collect::<Vec<_>>())
    })
}

/// One line a row, every column as wide as its widest cell; empty for no rows.
fn columns(rows: &[Vec<(&'static str, String)>]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let head: Vec<String> = first.iter().map(|(key, _)| (*key).into()).collect();
    let cells = rows.iter().map(|row| {
        row.iter()
            .map(|(_, value)| value.clone())
            .collect::<Vec<_>>()
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(cells).collect();
    let widths: Vec<usize> = (0..first.len())
        .map(|i| lines.iter().map(|line| line[i].len()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let padded: Vec<_> = line
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        let _ = writeln!(text, "{}", padded.join("  ").trim_end());
    }
    text
}

#[derive(Serialize)]
struct Verdict {
    name: String,
    ok: bool,
    /// Whether it gives no win away; `null` where nothing of the kind is claimed.
    exact: Option<bool>,
    error: Option<String>,
}

fn verify(file: &Path, format: Format) -> Done {
    #[derive(Serialize)]
    struct Report {
        ok: bool,
        entries: Vec<Verdict>,
    }
    let bytes = read(file)?;
    let entries: Vec<_> = open(file, &bytes)?
        .entries()
        .map(|entry| verdict(&entry))
        .collect();
    let fault = entries
        .iter()
        .find_map(|entry| Some(format!("{}: {}", entry.name, entry.error.as_ref()?)));
    let report = Report {
        ok: fault.is_none(),
        entries,
    };
    format.print(&report, || {
        let line = |entry: &Verdict| match (&entry.error, entry.exact) {
            (Some(error), _) => format!("{:<24} FAILED: {error}\n", entry.name),
            (None, Some(_)) => format!(
                "{:<24} ok, wins from every won state against every reply\n",
                entry.name
            ),
            (None, None) => format!("{:<24} ok\n", entry.name),
        };
        report.entries.iter().map(line).collect()
    })?;
    match fault {
        None => Ok(()),
        Some(fault) => Err(Failure::Check(format!("{}: {fault}", file.display()))),
    }
}

/// Checks the checksum of a model and, for black, that it gives no win away.
fn verdict(entry: &Entry<'_>) -> Verdict {
    let is_black = entry.meta.belt == Some(Belt::Black);
    let (exact, error) = match entry.payload() {
        Err(error) => (None, Some(error.to_string())),
        Ok(payload) => {
            let game = entry.meta.game;
            let promise = with_game!(game, G => <G as LabGame>::lost_win(&entry.meta, payload));
            let fault = match entry.meta.kind {
                Kind::Puzzles | Kind::Lesson => {
                    with_game!(game, G => exercises::verify::<G>(payload)).err()
                }
                _ => with_game!(game, G => <G as LabGame>::refusal(&entry.meta, payload)),
            };
            match promise.filter(|_| is_black) {
                _ if fault.is_some() => (None, fault),
                None => (None, None),
                Some(Ok(())) => (Some(true), None),
                Some(Err(state)) => (Some(false), Some(format!("gives away the win of {state}"))),
            }
        }
    };
    Verdict {
        name: entry.meta.name().into(),
        ok: error.is_none(),
        exact,
        error,
    }
}

fn diff(a: &Path, b: &Path, format: Format) -> Done {
    #[derive(Serialize)]
    struct Report {
        same: bool,
        differences: Vec<String>,
    }
    let (bytes_a, bytes_b) = (read(a)?, read(b)?);
    let differences = differences(&open(a, &bytes_a)?, &open(b, &bytes_b)?);
    let report = Report {
        same: differences.is_empty(),
        differences,
    };
    format.print(&report, || match report.same {
        true => "the same\n".into(),
        false => report.differences.join("\n") + "\n",
    })?;
    if report.same {
        return Ok(());
    }
    Err(Failure::Check(format!(
        "{} and {} differ",
        a.display(),
        b.display()
    )))
}

/// What differs, a line each. Models are paired by name.
fn differences(a: &Bank<'_>, b: &Bank<'_>) -> Vec<String> {
    let find = |bank: &Bank<'_>, name: &str| bank.entries().any(|entry| entry.meta.name() == name);
    let mut lines = vec![];
    for entry in b.entries().filter(|entry| !find(a, entry.meta.name())) {
        lines.push(format!("{}: only in the second", entry.meta.name()));
    }
    for one in a.entries() {
        let name = one.meta.name();
        let Some(other) = b.entries().find(|other| other.meta.name() == name) else {
            lines.push(format!("{name}: only in the first"));
            continue;
        };
        for ((key, x), (_, y)) in Fields::new(&one)
            .pairs()
            .into_iter()
            .zip(Fields::new(&other).pairs())
        {
            if x != y {
                lines.push(format!("{name}: {key} {x} -> {y}"));
            }
        }
        let (x, y) = (one.bytes(), other.bytes());
        let changed: Vec<_> = x
            .iter()
            .zip(y)
            .enumerate()
            .filter(|(_, (x, y))| x != y)
            .collect();
        if let Some((at, (x, y))) = changed.first() {
            let count = changed.len();
            lines.push(format!(
                "{name}: {count} payload bytes differ, the first at {at}: {x} -> {y}"
            ));
        }
    }
    // Reserved bytes, filling, the order of the models.
    if lines.is_empty() && a.bytes() != b.bytes() {
        lines.push("the models are the same, the files are not".into());
    }
    lines
}

fn pack_to(sources: &[PathBuf], out: &Path, force: bool, format: Format) -> Done {
    #[derive(Serialize)]
    struct Report<'a> {
        out: String,
        sidecar: String,
        bytes: usize,
        certificates: &'a [Certified],
    }
    let sidecar = out.with_extension("txt");
    if sidecar == out {
        return Err(Failure::Usage(format!(
            "{}: the text beside the bank needs this name",
            out.display()
        )));
    }
    for path in [out, &sidecar] {
        files::may_write(path, force)?;
    }
    let packed = pack(sources)?;
    for path in [out, &sidecar] {
        files::not_an_input(path, packed.inputs.iter().map(PathBuf::as_path))?;
    }
    files::write(out, &packed.bank, force)?;
    files::write(&sidecar, packed.sidecar.as_bytes(), force)?;
    let report = Report {
        out: out.display().to_string(),
        sidecar: sidecar.display().to_string(),
        bytes: packed.bank.len(),
        certificates: &packed.certificates,
    };
    format.print(&report, || {
        let models = report.certificates.len();
        format!(
            "{models} models certified\n{} ({} bytes)\n{}\n",
            report.out, report.bytes, report.sidecar
        )
    })
}

fn to_uf2(file: &Path, out: &Path, force: bool, format: Format) -> Done {
    #[derive(Serialize)]
    struct Report {
        out: String,
        address: u32,
        sectors: usize,
        blocks: usize,
    }
    files::may_write(out, force)?;
    files::not_an_input(out, [file])?;
    let bytes = read(file)?;
    let bank = open(file, &bytes)?;
    for entry in bank.entries() {
        entry.payload().map_err(|error| refused(file, &error))?;
    }
    let data = bank.bytes();
    if data.len() > flash::BANK_SIZE {
        let what = format!(
            "{} bytes, the flash keeps {} for models",
            data.len(),
            flash::BANK_SIZE
        );
        return Err(Failure::Check(format!("{}: {what}", file.display())));
    }
    let image = flash::write(flash::BANK_ADDRESS, data);
    files::write(out, &image, force)?;
    let report = Report {
        out: out.display().to_string(),
        address: flash::BANK_ADDRESS,
        sectors: data.len().div_ceil(SECTOR_SIZE as usize),
        blocks: image.len() / flash::BLOCK,
    };
    format.print(&report, || {
        let Report {
            out,
            address,
            sectors,
            blocks,
        } = &report;
        format!("{out}: {blocks} blocks, {sectors} sectors from {address:#010x}\n")
    })
}
