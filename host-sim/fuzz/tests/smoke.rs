//! The bodies of all fuzz targets on the stable toolchain: kept inputs, and for a second each
//! mutations of them from a fixed seed.
//!
//! `DOJO_FUZZ_SECONDS` makes it longer, `DOJO_FUZZ_SEED` takes other mutations, and
//! `DOJO_FUZZ_TARGET` one target alone.
//! `DOJO_BLESS=1` writes the seeds of the corpora anew.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dojo_core::rng::Rng;
use dojo_fuzz::mutate::mutate;
use dojo_fuzz::seeds::seeds;
use dojo_fuzz::{TARGETS, Target};

fn folder(kind: &str, target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz")
        .join(kind)
        .join(target.name)
}

/// The files of a folder, in the order of their names.
fn inputs(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(files) = fs::read_dir(folder) else {
        return vec![];
    };
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn targets() -> impl Iterator<Item = Target> {
    let wanted = std::env::var("DOJO_FUZZ_TARGET").ok();
    TARGETS
        .into_iter()
        .filter(move |target| wanted.as_deref().is_none_or(|name| name == target.name))
}

#[test]
fn every_seed_is_kept_and_every_kept_input_passes() {
    for target in TARGETS {
        let corpus = folder("corpus", &target);
        if std::env::var_os("DOJO_BLESS").is_some() {
            fs::create_dir_all(&corpus).unwrap();
            for (number, seed) in seeds(target.name).iter().enumerate() {
                fs::write(corpus.join(format!("seed-{number:02}")), seed).unwrap();
            }
        }
        let kept = inputs(&corpus);
        assert!(!kept.is_empty(), "no corpus of {}", target.name);
        for seed in seeds(target.name) {
            assert!(seed.len() <= 16 << 10, "a large seed of {}", target.name);
            assert!(
                kept.contains(&seed),
                "{}: the corpus lacks a seed; DOJO_BLESS=1 writes it",
                target.name
            );
        }
        let regressions = inputs(&folder("regressions", &target));
        kept.iter()
            .chain(&regressions)
            .for_each(|input| (target.body)(input));
    }
}

#[test]
fn every_target_has_a_file_for_libfuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for Target { name, .. } in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
        let file = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(
            file.contains(&format!("dojo_fuzz::run(\"{name}\", bytes)")),
            "{name}"
        );
    }
}

#[test]
fn mutated_inputs_break_no_reader() {
    let seconds: f64 = match std::env::var("DOJO_FUZZ_SECONDS") {
        Ok(text) => text.parse().expect("a number of seconds"),
        Err(_) => 1.0,
    };
    let seed: u64 = match std::env::var("DOJO_FUZZ_SEED") {
        Ok(text) => text.parse().expect("a seed"),
        Err(_) => 0xF022,
    };
    for target in targets() {
        let mut inputs = inputs(&folder("corpus", &target));
        inputs.extend(self::inputs(&folder("regressions", &target)));
        let mut rng = Rng::new(seed);
        let begun = Instant::now();
        let mut executions = 0u64;
        while begun.elapsed() < Duration::from_secs_f64(seconds) {
            let pick = |rng: &mut Rng| rng.below(inputs.len() as u32) as usize;
            let (one, other) = (pick(&mut rng), pick(&mut rng));
            let input = mutate(&mut rng, &inputs[one], &inputs[other], target.longest);
            if catch_unwind(AssertUnwindSafe(|| (target.body)(&input))).is_err() {
                let name =
                    folder("regressions", &target).join(format!("stable-{seed}-{executions}"));
                fs::create_dir_all(name.parent().unwrap()).unwrap();
                fs::write(&name, &input).unwrap();
                panic!(
                    "{}: execution {executions}, kept as {}",
                    target.name,
                    name.display()
                );
            }
            executions += 1;
        }
        println!("{}: {executions} executions", target.name);
    }
}
