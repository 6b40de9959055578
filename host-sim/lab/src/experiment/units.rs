//! Long work in units that need nothing of each other, so that several machines can share it and an
//! interrupted run can go on.
//!
//! A unit is one call of a function with one seed. Its result goes through JSON whether it is kept
//! in a file or not, so any split over machines gives the same bytes as one run.
//!
//! The file of a unit has two lines: JSON that says which run, group and seed it belongs to and has
//! the hash of the second line, which is the result. Nothing here knows what the work is about.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fingerprint::{START, fnv};
use crate::failure::{Done, Failure};
use crate::files;
use crate::output::{self, Progress};

/// A share of the units: those whose number leaves `number - 1` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    number: u64,
    /// The number of shares.
    of: u64,
}

impl Shard {
    /// Whether the unit with this number belongs to the share.
    fn has(self, unit: u64) -> bool {
        unit % self.of == self.number - 1
    }

    /// How many of so many units belong to the share.
    pub fn share(self, units: u64) -> u64 {
        (units + self.of - self.number) / self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(k, m)| Some((k.parse().ok()?, m.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("expected K/M with K from 1 to M, such as 3/7".into()),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Everything that decides the result of a unit besides its group and seed, as names and values.
pub type Header = serde_json::Map<String, serde_json::Value>;

/// The file of a folder that has its header.
const HEADER: &str = "header.json";

/// A folder with the units of one run.
#[derive(Clone, Debug)]
pub struct UnitFolder {
    path: PathBuf,
    run: Header,
}

impl UnitFolder {
    /// Makes the folder, or takes one that units of the same run are in.
    pub fn open(path: &Path, run: Header) -> Result<UnitFolder, Failure> {
        fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
        let folder = UnitFolder {
            path: path.into(),
            run,
        };
        let place = path.join(HEADER);
        if !place.exists() {
            let text = serde_json::to_string(&folder.run).map_err(Failure::check)? + "\n";
            // Another shard may have written it meanwhile, with the same bytes or to be refused.
            files::write(&place, text.as_bytes(), true)?;
        }
        folder.expect(&place, &UnitFolder::header(path)?)?;
        Ok(folder)
    }

    /// The header of the units in a folder.
    pub fn header(path: &Path) -> Result<Header, Failure> {
        let place = path.join(HEADER);
        serde_json::from_str(&files::read_text(&place)?).map_err(|error| {
            Failure::Check(format!(
                "{}: no header of units: {error}; if all units come from one run, remove it and \
                 repeat a shard",
                place.display()
            ))
        })
    }

    /// Refuses units of another run and names the first difference.
    fn expect(&self, place: &Path, found: &Header) -> Done {
        let keys = self.run.keys().chain(found.keys());
        let mut different = keys.filter(|&key| self.run.get(key) != found.get(key));
        let Some(key) = different.next() else {
            return Ok(());
        };
        let show = |header: &Header| header.get(key).map_or("none".into(), ToString::to_string);
        Err(Failure::Usage(format!(
            "{}: units of another run: {key} {}, now {}; take another folder, or remove {}",
            place.display(),
            show(found),
            show(&self.run),
            self.path.display()
        )))
    }

    /// The file of a unit: letters and digits of its group's name, a hash of the name since other
    /// signs are lost, and the seed.
    fn place_of(&self, group: &str, seed: u64) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let short: String = group.chars().take(40).map(plain).collect();
        let hash = fnv(START, group.as_bytes()) as u32;
        self.path.join(format!("{short}-{hash:08x}-{seed}.json"))
    }

    fn write(&self, group: &str, seed: u64, result: &[u8]) -> Done {
        let head = Head {
            run: self.run.clone(),
            group: group.into(),
            seed,
            hash: format!("{:016x}", fnv(START, result)),
        };
        let mut bytes = serde_json::to_vec(&head).map_err(Failure::check)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(result);
        bytes.push(b'\n');
        files::write(&self.place_of(group, seed), &bytes, true)
    }

    fn read(&self, group: &str, seed: u64) -> Result<Stored, Failure> {
        let place = self.place_of(group, seed);
        self.read_at(&place, |head| (&head.group[..], head.seed) == (group, seed))
    }

    /// Every whole unit with its file and seed, in the order of the files' names, and the damaged
    /// files.
    #[expect(clippy::type_complexity, reason = "two lists that belong together")]
    pub fn all(&self) -> Result<(Vec<(PathBuf, u64, Vec<u8>)>, Vec<PathBuf>), Failure> {
        let entries =
            fs::read_dir(&self.path).map_err(|error| Failure::file(&self.path, &error))?;
        let is_unit = |path: &PathBuf| {
            path.extension().is_some_and(|e| e == "json") && !path.ends_with(HEADER)
        };
        let mut places: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        places.retain(is_unit);
        places.sort();
        let (mut whole, mut damaged) = (vec![], vec![]);
        for place in places {
            let mut seed = None;
            let stored = self.read_at(&place, |head| {
                seed = Some(head.seed);
                self.place_of(&head.group, head.seed) == place
            })?;
            match (stored, seed) {
                (Stored::Whole(bytes), Some(seed)) => whole.push((place, seed, bytes)),
                _ => damaged.push(place),
            }
        }
        Ok((whole, damaged))
    }

    fn read_at(
        &self,
        place: &Path,
        mut belongs: impl FnMut(&Head) -> bool,
    ) -> Result<Stored, Failure> {
        let bytes = match files::load(place, UNIT_LIMIT) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Stored::Missing),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => return Ok(Stored::Damaged),
            Err(error) => return Err(Failure::file(place, &error)),
        };
        let mut lines = bytes.split(|&byte| byte == b'\n');
        let (head, result) = (lines.next().unwrap_or(&[]), lines.next().unwrap_or(&[]));
        let Ok(head) = serde_json::from_slice::<Head>(head) else {
            return Ok(Stored::Damaged);
        };
        self.expect(place, &head.run)?;
        let is_whole = belongs(&head)
            && head.hash == format!("{:016x}", fnv(START, result))
            && (lines.next(), lines.next()) == (Some(b""), None);
        Ok(if is_whole {
            Stored::Whole(result.into())
        } else {
            Stored::Damaged
        })
    }
}

/// More than any unit has: the tables of a learner at many ages.
const UNIT_LIMIT: usize = 64 << 20;

/// The first line of a unit's file.
#[derive(Serialize, Deserialize)]
struct Head {
    run: Header,
    group: String,
    seed: u64,
    hash: String,
}

enum Stored {
    Missing,
    Damaged,
    Whole(Vec<u8>),
}

/// Where results of units come from and go to.
#[derive(Debug, Default)]
pub enum Units {
    /// All are computed and none is kept.
    #[default]
    Memory,
    /// Units of the shard that have no file are computed and kept.
    Kept(UnitFolder, Shard),
    /// Files only: nothing is computed.
    Merged(UnitFolder),
    /// Nothing is computed: all units are missing, and so counted.
    Counted,
}

/// Why a group of units has no results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// Units have no file: those of other shards, or in a merge the missing ones.
    Elsewhere,
    /// A file cannot be read or written, or belongs to another run.
    Failed(Failure),
}

impl From<Failure> for Unfinished {
    fn from(failure: Failure) -> Self {
        Unfinished::Failed(failure)
    }
}

/// Units by what happened to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Computed now.
    pub computed: u64,
    /// Taken from files.
    pub found: u64,
    /// Left to other shards, or missing in a merge: group and seed of each.
    pub missing: Vec<(String, u64)>,
}

/// Hands out the units of one piece of work.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    units: Units,
    /// Units handed out so far and the names of their groups.
    handed_out: Mutex<(u64, HashSet<String>)>,
    computed: AtomicU64,
    found: AtomicU64,
    missing: Mutex<Vec<(String, u64)>>,
    /// Counts the units of this run's share.
    pub(super) progress: Option<Arc<Progress>>,
}

impl Runner {
    pub(crate) fn new(units: Units) -> Runner {
        Runner {
            units,
            ..Runner::default()
        }
    }

    /// What became of the units so far.
    pub(crate) fn tally(&self) -> Tally {
        Tally {
            computed: self.computed.load(Ordering::Relaxed),
            found: self.found.load(Ordering::Relaxed),
            missing: self.missing.lock().map_or(vec![], |list| list.clone()),
        }
    }

    /// Results of a group of units, in the order of the seeds, computed on all cores.
    pub(crate) fn each<T>(
        &self,
        group: &str,
        seeds: &[u64],
        work: impl Fn(u64) -> T + Sync,
    ) -> Result<Vec<T>, Unfinished>
    where
        T: Serialize + DeserializeOwned + Send,
    {
        let first = self.hand_out(group, seeds.len())?;
        let unit = |(place, &seed): (usize, &u64)| {
            let decode = |bytes: &[u8]| {
                serde_json::from_slice(bytes).map_err(|error| broken(group, seed, &error))
            };
            let compute = || {
                self.computed.fetch_add(1, Ordering::Relaxed);
                serde_json::to_vec(&work(seed)).map_err(|error| broken(group, seed, &error))
            };
            let folder = match &self.units {
                Units::Memory => return decode(&compute()?).map(Some),
                Units::Counted => return Ok(None),
                Units::Kept(folder, _) | Units::Merged(folder) => folder,
            };
            let is_damaged = match folder.read(group, seed)? {
                Stored::Whole(bytes) => {
                    self.found.fetch_add(1, Ordering::Relaxed);
                    return decode(&bytes).map(Some);
                }
                Stored::Damaged => true,
                Stored::Missing => false,
            };
            let place_of = || folder.place_of(group, seed);
            match &self.units {
                Units::Kept(_, shard) if shard.has(first + place as u64) => {
                    if is_damaged {
                        let place = place_of();
                        output::warn(&format!("{}: damaged, computed again", place.display()));
                    }
                    let bytes = compute()?;
                    folder.write(group, seed, &bytes)?;
                    decode(&bytes).map(Some)
                }
                Units::Merged(_) if is_damaged => Err(Failure::Check(format!(
                    "{}: damaged: not a whole unit; its shard computes it again",
                    place_of().display()
                ))
                .into()),
                _ => Ok(None),
            }
        };
        let counted = |(place, seed): (usize, &u64)| {
            let result = unit((place, seed));
            let is_ours = match &self.units {
                Units::Kept(_, shard) => shard.has(first + place as u64),
                _ => true,
            };
            if let Some(progress) = self.progress.as_ref().filter(|_| is_ours) {
                progress.tick();
            }
            result
        };
        // Every unit of the shard is done before the first failure is told.
        let results: Vec<Result<Option<T>, Unfinished>> =
            seeds.par_iter().enumerate().map(counted).collect();
        let results: Vec<Option<T>> = results.into_iter().collect::<Result<_, _>>()?;
        let gaps = results
            .iter()
            .zip(seeds)
            .filter(|(found, _)| found.is_none());
        if let Ok(mut missing) = self.missing.lock() {
            missing.extend(gaps.map(|(_, &seed)| (group.to_owned(), seed)));
        }
        let whole: Option<Vec<T>> = results.into_iter().collect();
        whole.ok_or(Unfinished::Elsewhere)
    }

    /// The number of the group's first unit.
    fn hand_out(&self, group: &str, units: usize) -> Result<u64, Failure> {
        let poisoned = |_| Failure::check("a unit failed");
        let mut handed_out = self.handed_out.lock().map_err(poisoned)?;
        if !handed_out.1.insert(group.into()) {
            return Err(Failure::Check(format!(
                "two groups of units are called {group}"
            )));
        }
        let first = handed_out.0;
        handed_out.0 += units as u64;
        Ok(first)
    }
}

fn broken(group: &str, seed: u64, error: &serde_json::Error) -> Unfinished {
    Failure::Check(format!("{group}, seed {seed}: {error}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("dojo-units-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    fn header(seed: u64) -> Header {
        Header::from_iter([("seed".into(), seed.into()), ("quick".into(), true.into())])
    }

    fn open(path: &Path) -> UnitFolder {
        UnitFolder::open(path, header(1)).unwrap()
    }

    const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

    /// Two groups, declared before the first result is looked at.
    fn work(runner: &Runner) -> Result<Vec<f64>, Unfinished> {
        let groups = ["− first", "+ first"].map(|group| {
            runner.each(group, &SEEDS, |seed| {
                1.0 / (seed as f64 + group.len() as f64)
            })
        });
        Ok(groups.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    #[test]
    fn shards_are_shares() {
        assert_eq!(shard("3/7"), Shard { number: 3, of: 7 });
        for wrong in ["0/3", "4/3", "1/0", "1", "/", "-1/2", "1/2/3", "a/b", ""] {
            assert!(Shard::from_str(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn any_split_gives_the_results_of_one_run_and_nothing_is_computed_twice() {
        let whole = work(&Runner::default()).unwrap();
        for of in [1, 2, 7, 30] {
            let path = folder(&format!("split-{of}"));
            let mut computed = 0;
            for number in 1..=of {
                let runner = Runner::new(Units::Kept(open(&path), Shard { number, of }));
                let result = work(&runner);
                // The last shard with units finds the results of all others.
                assert_eq!(result.is_ok(), number >= of.min(10), "{number}/{of}");
                computed += runner.tally().computed;
            }
            assert_eq!(computed, 10);
            let again = Runner::new(Units::Kept(open(&path), shard("1/1")));
            assert_eq!(work(&again).unwrap(), whole);
            assert_eq!((again.tally().computed, again.tally().found), (0, 10));
            let merge = Runner::new(Units::Merged(open(&path)));
            assert_eq!(work(&merge).unwrap(), whole);
            fs::remove_dir_all(path).unwrap();
        }
    }

    #[test]
    fn missing_units_are_named() {
        let path = folder("missing");
        let _ = work(&Runner::new(Units::Kept(open(&path), shard("1/1"))));
        fs::remove_file(open(&path).place_of("+ first", 4)).unwrap();
        let merge = Runner::new(Units::Merged(open(&path)));
        assert_eq!(work(&merge), Err(Unfinished::Elsewhere));
        assert_eq!(merge.tally().missing, [("+ first".into(), 4)]);
        assert_eq!(merge.tally().computed, 0);
        fs::remove_dir_all(path).unwrap();
    }

    /// Cuts the file of a unit at every length, flips every bit of it, and makes it longer.
    #[test]
    fn damaged_units_are_refused_by_a_merge_and_computed_again_by_their_shard() {
        let path = folder("damaged");
        let one = |units| {
            let runner = Runner::new(units);
            (
                runner.each("a", &[7], |seed| seed as f64 * 1.5),
                runner.tally(),
            )
        };
        let kept = || one(Units::Kept(open(&path), shard("1/1")));
        let whole = kept().0;
        assert_eq!(whole, Ok(vec![10.5]));
        let place = open(&path).place_of("a", 7);
        let good = fs::read(&place).unwrap();
        let cuts = (0..good.len()).map(|length| good[..length].to_vec());
        let flips = (0..good.len() * 8).map(|bit| {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        });
        let longer = [&good[..], b"1"].concat();
        for (number, bytes) in cuts.chain(flips).chain([longer]).enumerate() {
            fs::write(&place, &bytes).unwrap();
            let (merged, _) = one(Units::Merged(open(&path)));
            let Err(Unfinished::Failed(refusal)) = merged else {
                panic!(
                    "{number}: {merged:?} from {}",
                    String::from_utf8_lossy(&bytes)
                );
            };
            assert!(refusal.to_string().contains("a-"), "{refusal}");
        }
        fs::write(&place, &good[..good.len() / 2]).unwrap();
        let (again, tally) = kept();
        assert_eq!((again, tally.computed), (whole, 1));
        assert!(fs::read(&place).unwrap() == good);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn units_of_another_run_are_refused_with_the_difference() {
        let path = folder("mixed");
        let _ = work(&Runner::new(Units::Kept(open(&path), shard("1/2"))));
        let other = UnitFolder::open(&path, header(2)).unwrap_err().to_string();
        assert!(
            other.contains("seed 1, now 2") && other.contains(HEADER),
            "{other}"
        );
        // The header and one file were copied from another run.
        fs::remove_file(path.join(HEADER)).unwrap();
        let other = UnitFolder::open(&path, header(2)).unwrap();
        let refusal = work(&Runner::new(Units::Kept(other, shard("2/2"))));
        let Err(Unfinished::Failed(refusal)) = refusal else {
            panic!("{refusal:?}");
        };
        assert!(refusal.to_string().contains("seed 1, now 2"), "{refusal}");
        fs::write(path.join(HEADER), "{").unwrap();
        let refusal = UnitFolder::open(&path, header(1)).unwrap_err().to_string();
        assert!(refusal.contains(HEADER), "{refusal}");
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn groups_have_different_names() {
        let runner = Runner::default();
        let unit = || runner.each("a", &[1], |seed| seed);
        assert_eq!(unit(), Ok(vec![1]));
        assert!(matches!(unit(), Err(Unfinished::Failed(_))));
    }
}
