//! From trained values to a certified bank and its sidecar.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dojo_core::bank::{Bank, CRC, Kind, Meta, Number};
use dojo_core::games::dots::learned;
use dojo_core::games::dots::two_by_two;
use dojo_core::games::dots::{self, Opening};
use dojo_core::games::iwoki::FEATURES;
use dojo_core::games::iwoki::players::WEIGHT_SCALE;
use dojo_core::games::{GameId, SticksRules};

use super::manifest::{Item, Solve, parse};
use super::{Model, name, write};
use crate::certify::{
    Certified, Quantised, SCALE, Shape, certify_dots, certify_dots_network, certify_iwoki,
    certify_network, certify_sticks, keep_best, quantise, quantise_network, quantise_weights,
    solve_opening,
};
use crate::failure::Failure;
use crate::files;
use crate::games;

/// The manifest that every run folder has.
pub const MANIFEST: &str = "bank.txt";

/// A bank that passed, and the text that says so.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The bank.
    pub bank: Vec<u8>,
    /// What is inside, how it was made, and what is proved about it.
    pub sidecar: String,
    /// One certificate a model.
    pub certificates: Vec<Certified>,
}

/// Packs what manifests, or the manifests of run folders, list, one after the other. Paths in a manifest start at its own
/// folder.
pub fn pack(sources: &[PathBuf]) -> Result<Packed, Failure> {
    let mut models = vec![];
    let mut certificates = vec![];
    let mut settings: Vec<(PathBuf, String)> = vec![];
    let mut regenerate = None;
    for source in sources {
        let path = if source.is_dir() {
            source.join(MANIFEST)
        } else {
            source.clone()
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let manifest = parse(&files::read_text(&path)?).map_err(|(line, what)| {
            Failure::Check(format!("{}: line {line}: {what}", path.display()))
        })?;
        regenerate = regenerate.or(manifest.regenerate);
        for item in &manifest.models {
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
        }
    }
    let bank = write(&models).map_err(Failure::check)?;
    let names = settings.iter().map(|(file, text)| {
        // The run's folder tells equal names apart.
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
    })
}

fn model(item: &Item, folder: &Path, settings: u32) -> Result<(Model, Certified), Failure> {
    let game = match item.game {
        Some(game @ (GameId::Sticks | GameId::Dots | GameId::Iwoki | GameId::Go)) => game,
        _ => {
            return Err(Failure::check(
                "only sticks, dots, iwoki and go have models",
            ));
        }
    };
    if item.solve == Some(Solve::Opening) {
        let (payload, proof) = solve_opening().map_err(Failure::Check)?;
        let meta = meta(item, game, Kind::Book, Opening::DIMS, settings, 0)?;
        return Ok((Model { meta, payload }, Certified::Opening(proof)));
    }
    let path = folder.join(&item.values);
    let values = read_values(&path)?;
    if game == GameId::Go {
        let Quantised {
            kind,
            dims,
            scale,
            payload,
        } = quantise_network(&values).map_err(Failure::Check)?;
        let meta = Meta {
            number: Number::I16,
            scale,
            ..meta(item, game, kind, dims, settings, 0)?
        };
        let proof = certify_network(&values, &meta, &payload).map_err(Failure::Check)?;
        let meta = Meta {
            strength: proof.strength(),
            ..meta
        };
        return Ok((Model { meta, payload }, Certified::Go(proof)));
    }
    if game == GameId::Dots
        && let Some(network) = games::dots::train_network::network(&values)
    {
        let payload = quantise_weights(network.weights(), learned::WEIGHT_SCALE);
        let proof = certify_dots_network(&network, &payload).map_err(Failure::Check)?;
        let dims = [dots::FEATURES as u16 + 1, learned::HIDDEN as u16, 0, 0];
        let meta = meta(item, game, Kind::Mlp, dims, settings, proof.strength())?;
        let meta = Meta {
            number: Number::I16,
            scale: learned::WEIGHT_SCALE,
            ..meta
        };
        return Ok((Model { meta, payload }, Certified::DotsNetwork(proof)));
    }
    let outside = || {
        Failure::Check(format!(
            "{}: a value is not between 0 and 1",
            path.display()
        ))
    };
    let rows = SticksRules::default().rows().map(u16::from);
    let (payload, certificate, kind, dims) = match (game, Shape::of(values.len())) {
        (GameId::Dots, Some(Shape::QTable)) => {
            let payload = keep_best(&values).ok_or_else(outside)?;
            let proof = certify_dots(&values, &payload, item.belt).map_err(Failure::Check)?;
            (
                payload,
                Certified::Dots(proof),
                Kind::QTable,
                [two_by_two::SETS as u16, two_by_two::EDGES as u16, 0, 0],
            )
        }
        (GameId::Iwoki, _) => {
            let network = games::iwoki::train::network(&values)
                .ok_or_else(|| Failure::check("no network has so many weights"))?;
            let payload = quantise_weights(network.weights(), WEIGHT_SCALE);
            let proof = certify_iwoki(&network, &payload, item.belt).map_err(Failure::Check)?;
            let inputs = FEATURES as u16;
            let (kind, dims) = match values.len() / (FEATURES + 1) {
                0 => (Kind::Perceptron, [inputs, 0, 0, 0]),
                hidden => (Kind::Mlp, [inputs + 1, hidden as u16, 0, 0]),
            };
            (payload, Certified::Iwoki(proof), kind, dims)
        }
        (GameId::Dots, _) => {
            let payload = quantise(&values).ok_or_else(outside)?;
            let proof = certify_dots(&values, &payload, item.belt).map_err(Failure::Check)?;
            (
                payload,
                Certified::Dots(proof),
                Kind::ValueTable,
                [two_by_two::SETS as u16, 5, 2, 0],
            )
        }
        _ => {
            let payload = quantise(&values).ok_or_else(outside)?;
            let proof = certify_sticks(&values, &payload, item.belt).map_err(Failure::Check)?;
            (
                payload,
                Certified::Sticks(proof),
                Kind::ValueTable,
                [rows[0] + 1, rows[1] + 1, rows[2] + 1, 0],
            )
        }
    };
    let meta = meta(item, game, kind, dims, settings, certificate.strength())?;
    Ok((Model { meta, payload }, certificate))
}

fn meta(
    item: &Item,
    game: GameId,
    kind: Kind,
    dims: [u16; 4],
    settings: u32,
    strength: u16,
) -> Result<Meta, Failure> {
    let (number, scale) = if game == GameId::Iwoki {
        (Number::I16, WEIGHT_SCALE)
    } else {
        (Number::U8, SCALE)
    };
    Ok(Meta {
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
        strength,
        name: name(&item.name)
            .ok_or_else(|| Failure::check("a name has 1 to 24 plain characters"))?,
    })
}

/// Reads a checkpoint: the last word of each line is a value, lines that start with `#` are comments.
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

/// The text that goes with a bank.
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
            line(key, value);
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
