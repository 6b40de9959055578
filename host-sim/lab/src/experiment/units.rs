//! The work of an experiment in units that need nothing of each other, so that several machines can
//! share it and an interrupted run can go on.
//!
//! A unit is one call of a function with one seed. Its result goes through JSON whether it is kept
//! in a file or not, so any split over machines gives the same bytes as one run.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::files;

/// A share of the units: those whose number leaves `number - 1` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub number: u64,
    /// The number of shares.
    pub of: u64,
}

/// Where results of units come from and go to.
#[derive(Debug, Default)]
pub enum Units {
    /// All are computed and none is kept.
    #[default]
    Memory,
    /// All that have no file in this folder are computed or, with a shard, those of the shard.
    Kept(PathBuf, Option<Shard>),
    /// Files only: a unit without a file is a failure.
    Merged(PathBuf),
}

/// Why a group of units has no results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// Units of other shards are missing.
    Elsewhere,
    /// A file is missing or cannot be read or written.
    Failed(Failure),
}

impl From<Failure> for Unfinished {
    fn from(failure: Failure) -> Self {
        Unfinished::Failed(failure)
    }
}

/// Hands out the units of one experiment.
#[derive(Debug, Default)]
pub(super) struct Runner {
    units: Units,
    /// Units handed out so far, over all groups.
    count: AtomicU64,
}

impl Runner {
    pub(super) fn new(units: Units) -> Runner {
        Runner {
            units,
            count: AtomicU64::new(0),
        }
    }

    /// Results of a group of units, in the order of the seeds, computed on all cores.
    pub(super) fn each<T>(
        &self,
        group: &str,
        seeds: &[u64],
        work: impl Fn(u64) -> T + Sync,
    ) -> Result<Vec<T>, Unfinished>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let first = self.count.fetch_add(seeds.len() as u64, Ordering::Relaxed);
        let unit = |(place, &seed): (usize, &u64)| {
            let compute = || -> Result<Vec<u8>, Unfinished> {
                serde_json::to_vec(&work(seed)).map_err(|error| broken(group, seed, &error))
            };
            let bytes = match &self.units {
                Units::Memory => compute()?,
                Units::Merged(folder) => files::read(&place_of(folder, group, seed))?,
                Units::Kept(folder, shard) => {
                    let path = place_of(folder, group, seed);
                    if path.is_file() {
                        files::read(&path)?
                    } else if shard
                        .is_some_and(|shard| (first + place as u64) % shard.of != shard.number - 1)
                    {
                        return Err(Unfinished::Elsewhere);
                    } else {
                        let bytes = compute()?;
                        files::write(&path, &bytes, true)?;
                        bytes
                    }
                }
            };
            serde_json::from_slice(&bytes).map_err(|error| broken(group, seed, &error))
        };
        // Every unit of the shard is done before the first failure is told.
        let results: Vec<Result<T, Unfinished>> = seeds.par_iter().enumerate().map(unit).collect();
        let failed = |result: &Result<T, Unfinished>| match result {
            Err(Unfinished::Failed(failure)) => Some(Unfinished::Failed(failure.clone())),
            _ => None,
        };
        match results.iter().find_map(failed) {
            Some(failure) => Err(failure),
            None => results.into_iter().collect(),
        }
    }
}

fn broken(group: &str, seed: u64, error: &serde_json::Error) -> Unfinished {
    Failure::Check(format!("{group}, seed {seed}: {error}")).into()
}

/// The file of a unit: letters and digits of its group's name, then its seed.
fn place_of(folder: &Path, group: &str, seed: u64) -> PathBuf {
    let plain: String = group
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '.' {
                c
            } else {
                '-'
            }
        })
        .collect();
    folder.join(format!("{plain}-{seed}.json"))
}
