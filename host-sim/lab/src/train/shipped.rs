//! The list of what `models/dojo.bank` is made of: `models/runs.txt`, which `cargo xtask models`
//! reads too.

use dojo_core::games::GameId;

/// The list, a line for each run or manifest, in the order of the bank.
pub const LIST: &str = include_str!("../../../../models/runs.txt");

/// A training run of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShippedRun {
    /// Its game.
    pub game: GameId,
    /// Its preset.
    pub preset: &'static str,
    /// Its folder, from the root of the repository: under `models/` if the run is kept there, since
    /// it takes minutes.
    pub folder: &'static str,
}

/// Folders of runs, folders of induced patterns, and manifests that need no run, in the order of the bank.
pub fn sources() -> impl Iterator<Item = (&'static str, Option<ShippedRun>)> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        match (words.next()?, words.next(), words.next()) {
            (manifest, None, None) => Some((manifest, None)),
            ("patterns", Some(folder), _) => Some((folder, None)),
            (game, Some(preset), Some(folder)) => {
                let game = GameId::from_name(game)?;
                let run = ShippedRun {
                    game,
                    preset,
                    folder,
                };
                Some((folder, Some(run)))
            }
            _ => None,
        }
    })
}

/// The training runs of the list.
pub fn runs() -> impl Iterator<Item = ShippedRun> {
    sources().filter_map(|(_, run)| run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Overrides, curriculum};

    #[test]
    fn every_line_names_a_preset_or_a_manifest() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(sources().count(), lines);
        for run in runs() {
            assert!(curriculum(run.game, run.preset, &Overrides::default()).is_ok());
        }
    }
}
