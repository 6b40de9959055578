//! From trained values to a certified bank and its sidecar.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dojo_core::bank::{Bank, CRC, Kind, Meta};
use dojo_core::games::GameId;
use dojo_core::games::dots::Opening;
use dojo_core::with_game;

use super::manifest::{Manifest, ManifestModel, ModelKind, Solve, parse};
use super::{Model, name, write};
use crate::certify::{Certified, CertifiedModel};
use crate::exercises;
use crate::failure::Failure;
use crate::files;
use crate::games::LabGame;
use crate::games::dots::opening::solve_opening;
use crate::games::go::patterns::certify::certify_patterns;
use crate::output::Progress;

/// The manifest that every run folder has.
pub const MANIFEST: &str = "bank.txt";

/// A certified bank and its sidecar.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The bank.
    pub bank: Vec<u8>,
    /// The text beside the bank: its models, how they were made, and their certificates.
    pub sidecar: String,
    /// The certificate of each model.
    pub certificates: Vec<Certified>,
    /// Every file that was read.
    pub inputs: Vec<PathBuf>,
}

/// Packs the models of some manifests or run folders, in their order. Paths in a manifest start at
/// its own folder.
pub fn pack(sources: &[PathBuf]) -> Result<Packed, Failure> {
    let mut models = vec![];
    let mut certificates = vec![];
    let mut settings: Vec<(PathBuf, String)> = vec![];
    let mut inputs = vec![];
    let mut regenerate = None;
    let manifests = sources.iter().map(|source| {
        let path = if source.is_dir() {
            source.join(MANIFEST)
        } else {
            source.clone()
        };
        let manifest = parse(&files::read_text(&path)?).map_err(|(line, what)| {
            Failure::Check(format!("{}: line {line}: {what}", path.display()))
        })?;
        Ok((path, manifest))
    });
    let manifests: Vec<(PathBuf, Manifest)> = manifests.collect::<Result<_, Failure>>()?;
    let all = manifests.iter().map(|(_, manifest)| manifest.models.len());
    let progress = Progress::new("models certified", all.sum::<usize>() as u64);
    for (path, manifest) in manifests {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        regenerate = regenerate.or(manifest.regenerate);
        for item in &manifest.models {
            inputs.push(folder.join(&item.values));
            let file = folder.join(&item.settings);
            if !item.settings.is_empty() && settings.iter().all(|(known, _)| *known != file) {
                settings.push((file.clone(), files::read_text(&file)?));
            }
            let text = settings
                .iter()
                .find(|(known, _)| *known == file)
                .map_or("", |(_, text)| text);
            let (model, certificate) = model(item, &folder, CRC.checksum(text.as_bytes()))
                .map_err(|failure| match failure {
                    Failure::Check(what) => {
                        Failure::Check(format!("{}: model `{}`: {what}", path.display(), item.name))
                    }
                    other => other,
                })?;
            models.push(model);
            certificates.push(certificate);
            progress.tick();
        }
        inputs.push(path);
    }
    inputs.extend(settings.iter().map(|(file, _)| file.clone()));
    let bank = write(&models).map_err(Failure::check)?;
    let names = settings.iter().map(|(file, text)| {
        // Every run has a settings.txt: its folder tells them apart.
        let parts: Vec<_> = file
            .components()
            .rev()
            .take(2)
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        (
            parts.into_iter().rev().collect::<Vec<_>>().join("/"),
            text.clone(),
        )
    });
    let sidecar = sidecar(
        &bank,
        &certificates,
        &names.collect::<Vec<_>>(),
        regenerate.as_deref(),
    );
    Ok(Packed {
        bank,
        sidecar,
        certificates,
        inputs,
    })
}

fn model(
    item: &ManifestModel,
    folder: &Path,
    settings: u32,
) -> Result<(Model, Certified), Failure> {
    let game = item
        .game
        .ok_or_else(|| Failure::check("a model has a game"))?;
    let certified = match (item.solve, item.kind) {
        (Some(Solve::Opening), _) => {
            let (payload, proof) = solve_opening().map_err(Failure::Check)?;
            CertifiedModel::table(
                Kind::Book,
                Opening::DIMS,
                payload,
                Certified::Opening(proof),
            )
        }
        (None, Some(ModelKind::Patterns)) => {
            if game != GameId::Go {
                return Err(Failure::check("only go has patterns"));
            }
            let rules = files::read_text(&folder.join(&item.values))?;
            certify_patterns(&rules).map_err(Failure::Check)?
        }
        (None, Some(ModelKind::Puzzles)) => {
            let file = folder.join(&item.values);
            with_game!(game, G => exercises::certify::<G>(Kind::Puzzles, &file))?
        }
        (None, Some(ModelKind::Lesson)) => {
            let file = folder.join(&item.values);
            with_game!(game, G => exercises::certify::<G>(Kind::Lesson, &file))?
        }
        (None, Some(kind)) => {
            let values = read_values(&folder.join(&item.values))?;
            with_game!(game, G => <G as LabGame>::certify(kind, &values, item.belt))
                .map_err(Failure::Check)?
        }
        (None, None) => return Err(Failure::check("a trained model has a kind")),
    };
    let CertifiedModel {
        kind,
        dims,
        number,
        scale,
        payload,
        certificate,
    } = certified;
    let meta = Meta {
        game,
        kind,
        belt: item.belt,
        number,
        rules_version: game.rules_version(),
        dims,
        scale,
        seed: item.seed,
        games: item.games,
        settings,
        date: item.date,
        strength: certificate.strength(),
        name: name(&item.name)
            .ok_or_else(|| Failure::check("a name has 1 to 24 plain characters"))?,
    };
    Ok((Model { meta, payload }, certificate))
}

/// Reads a checkpoint: the last word of each line is a value, lines that start with `#` are
/// comments.
pub fn read_values(path: &Path) -> Result<Vec<f64>, Failure> {
    let text = files::read_text(path)?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|(i, line)| {
            let word = line.split_whitespace().last().unwrap_or_default();
            let fault = || {
                Failure::Check(format!(
                    "{}: line {}: `{word}` is no number",
                    path.display(),
                    i + 1
                ))
            };
            word.parse().map_err(|_| fault())
        })
        .collect()
}

/// The sidecar of a bank.
fn sidecar(
    bytes: &[u8],
    certificates: &[Certified],
    settings: &[(String, String)],
    again: Option<&str>,
) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "Pocket Dojo model bank: what is inside and what is proved about it\n"
    );
    let _ = writeln!(
        text,
        "bytes   {}\nfile    crc32 {:08x}",
        bytes.len(),
        CRC.checksum(bytes)
    );
    if let Some(command) = again {
        let _ = writeln!(text, "again   {command}    (bit for bit)");
    }
    let _ = writeln!(text);
    // `write` has read the bank back already.
    let bank = Bank::new(bytes).ok();
    for (entry, proof) in bank.iter().flat_map(Bank::entries).zip(certificates) {
        let meta = &entry.meta;
        let _ = writeln!(text, "{}", meta.name());
        let mut line = |key: &str, value: String| {
            let _ = writeln!(text, "  {key:<16} {value}");
        };
        line(
            "game",
            format!(
                "{} (rules version {})",
                meta.game.name(),
                meta.rules_version
            ),
        );
        line("belt", meta.belt.map_or("none", |belt| belt.name()).into());
        line(
            "trained",
            format!(
                "{} games, seed {}, made {}",
                meta.games, meta.seed, meta.date
            ),
        );
        line(
            "payload",
            format!("{} bytes, crc32 {:08x}", entry.bytes().len(), entry.crc),
        );
        for (key, value) in proof.lines() {
            line(&key, value);
        }
        let _ = writeln!(text);
    }
    for (file, content) in settings {
        let _ = writeln!(
            text,
            "{file} (crc32 {:08x}, as in the entries)",
            CRC.checksum(content.as_bytes())
        );
        for line in content.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}
