//! `dojo experiment` and `dojo report` from the outside: shards, damaged folders, the recipes of the
//! manual.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const DOJO: &str = env!("CARGO_BIN_EXE_dojo");

/// An experiment that takes well under a second.
const SMALL: &str = "sticks-value-depth";

fn run(arguments: &[&str]) -> Output {
    Command::new(DOJO).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn succeed(output: &Output) -> &str {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// One line on stderr with these words, and this exit code.
fn says(output: &Output, code: i32, words: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` in: {message}");
    }
}

/// An empty folder for each test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("experiments")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// All files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries
        .map(|path| (name(&path), fs::read(&path).unwrap()))
        .collect()
}

fn shard(name: &str, shard: &str, out: &str) -> Output {
    run(&[
        "experiment",
        name,
        "--quick",
        "--shard",
        shard,
        "--out",
        out,
        "--json",
    ])
}

/// Unit files of an experiment.
fn units(out: &Path, name: &str) -> Vec<PathBuf> {
    let folder = out.join("units").join(name);
    let names = contents(&folder)
        .into_keys()
        .filter(|name| name != "header.json");
    names.map(|name| folder.join(name)).collect()
}

#[test]
fn seven_shards_give_the_bytes_of_one_run() {
    let folder = folder("split");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in [SMALL, "dots-mu", "iwoki-luck"] {
        let (whole, one, seven) = (path("whole"), path("one"), path("seven"));
        succeed(&run(&["experiment", name, "--quick", "--out", &whole]));
        succeed(&shard(name, "1/1", &one));
        for number in (1..=7).rev() {
            succeed(&shard(name, &format!("{number}/7"), &seven));
        }
        let again: Value = serde_json::from_str(succeed(&shard(name, "1/1", &seven))).unwrap();
        assert_eq!(again["experiments"][0]["computed"], 0, "{again}");
        for out in [&one, &seven] {
            // Units of the experiments before are in the folder too.
            succeed(&run(&["experiment", "merge", "--force", "--out", out]));
            let [ours, expected] = [out, &whole].map(|out| contents(&Path::new(out).join(name)));
            assert!(ours == expected, "{name}: {out}");
            assert!(ours.contains_key("findings.json") && ours.contains_key("report.md"));
        }
        let [one, seven] =
            [one, seven].map(|out| contents(&Path::new(&out).join("units").join(name)));
        assert!(one == seven, "{name}: units");
    }
}

#[test]
fn fewer_seeds_than_declared_can_be_run_and_merged() {
    let folder = folder("seeds");
    let out = folder.to_str().unwrap();
    let name = "iwoki-luck";
    let quick = ["experiment", name, "--quick", "--seeds", "1"];
    let computed = |output: Output| -> Value {
        let report: Value = serde_json::from_str(succeed(&output)).unwrap();
        report["experiments"][0]["computed"].clone()
    };
    let shard_of = ["--shard", "1/1", "--out", out, "--json"];
    assert_eq!(computed(run(&[&quick[..], &shard_of].concat())), 1);
    let merge = |more: &[&str]| run(&[&["experiment", "merge", "--out", out], more].concat());
    says(&merge(&[]), 1, &["missing", "with seed 2"]);
    succeed(&merge(&["--seeds", "1"]));
    let report = fs::read_to_string(folder.join(name).join("report.md")).unwrap();
    assert!(report.contains("--seeds 1") && report.contains("fewer than declared"));
    let whole = folder.join("whole");
    succeed(&run(
        &[&quick[..], &["--out", whole.to_str().unwrap()]].concat()
    ));
    assert!(contents(&whole.join(name)) == contents(&folder.join(name)));
    // The units are those of the full run.
    assert_eq!(computed(shard(name, "1/1", out)), 1);
    succeed(&merge(&["--force"]));
    let report = fs::read_to_string(folder.join(name).join("report.md")).unwrap();
    assert!(!report.contains("--seeds"));
    says(&merge(&["--seeds", "0"]), 2, &["0"]);
}

#[test]
fn units_of_another_run_are_refused() {
    let folder = folder("mixed");
    let out = folder.to_str().unwrap();
    succeed(&shard(SMALL, "1/2", out));
    let other = ["--shard", "2/2", "--out", out];
    let experiment = ["experiment", SMALL];
    let seed = run(&[&experiment[..], &["--quick", "--seed", "2"], &other].concat());
    says(&seed, 2, &["header.json", "seed 1, now 2"]);
    let size = run(&[&experiment[..], &other].concat());
    says(&size, 2, &["header.json", "quick true, now false"]);
    let header = folder.join("units").join(SMALL).join("header.json");
    let good = fs::read_to_string(&header).unwrap();
    for (key, words) in [("version\":\"", "version"), ("sources\":\"", "sources")] {
        fs::write(&header, good.replace(key, &format!("{key}0"))).unwrap();
        says(&shard(SMALL, "2/2", out), 2, &["header.json", words]);
        let merge = run(&["experiment", "merge", "--out", out]);
        says(&merge, 2, &["header.json", words]);
    }
    for damage in ["", "{", "[]", "{\"seed\":1}", "\u{0}"] {
        fs::write(&header, damage).unwrap();
        let merge = run(&["experiment", "merge", "--out", out]);
        assert!(matches!(merge.status.code(), Some(1 | 2)));
        assert!(
            text(&merge.stderr).contains(SMALL),
            "{}",
            text(&merge.stderr)
        );
    }
}

#[test]
fn missing_and_damaged_units_are_named() {
    let folder = folder("gaps");
    let out = folder.to_str().unwrap();
    let merge = || run(&["experiment", "merge", "--force", "--out", out]);
    says(&merge(), 2, &["units"]);
    succeed(&shard(SMALL, "1/1", out));
    let whole = {
        succeed(&merge());
        contents(&folder.join(SMALL))
    };
    // None if the experiment does all its work outside of units.
    for unit in units(&folder, SMALL).iter().take(2) {
        let name = unit.file_name().unwrap().to_str().unwrap();
        let good = fs::read(unit).unwrap();
        for damaged in [&good[..good.len() / 2], b"", b"null"] {
            fs::write(unit, damaged).unwrap();
            says(&merge(), 1, &[name, "damaged"]);
        }
        let again = shard(SMALL, "1/1", out);
        assert!(
            text(&again.stderr).contains(name),
            "{}",
            text(&again.stderr)
        );
        assert!(fs::read(unit).unwrap() == good);
        fs::remove_file(unit).unwrap();
        let command = format!("dojo experiment {SMALL} --seed 1 --quick --shard 1/1 --out {out}");
        says(&merge(), 1, &["missing", "with seed", &command]);
        let again: Value = serde_json::from_str(succeed(&shard(SMALL, "1/1", out))).unwrap();
        assert_eq!(again["experiments"][0]["computed"], 1);
        succeed(&merge());
        assert!(contents(&folder.join(SMALL)) == whole);
    }
    let merge = |more: &[&str]| run(&[&["experiment", "merge", "--out", out], more].concat());
    says(&merge(&[]), 2, &["exists already"]);
    says(&merge(&["--quick"]), 2, &["from the units"]);
    says(&shard(SMALL, "0/2", out), 2, &["0/2", "K from 1 to M"]);
    fs::create_dir(folder.join("units/sticks-beta")).unwrap();
    says(&merge(&["--force"]), 2, &["sticks-beta"]);
}

#[test]
fn the_list_and_the_page_say_what_has_been_run() {
    let folder = folder("page");
    let out = folder.join("results").to_str().unwrap().to_owned();
    let page = folder.join("page.html");
    let report =
        |force: &[&str]| run(&[&["report", &out, "--out", page.to_str().unwrap()], force].concat());
    fs::create_dir(&out).unwrap();
    says(&report(&[]), 2, &["no results", &out]);
    succeed(&run(&["experiment", SMALL, "--quick", "--out", &out]));
    let list = run(&["experiment", "--list", "--out", &out]);
    let line = |name: &str| {
        let mut lines = text(&list.stdout).lines();
        lines
            .find(|line| line.starts_with(&format!("{name} ")))
            .unwrap()
            .to_owned()
    };
    assert!(line(SMALL).contains("a quick run"), "{}", line(SMALL));
    assert!(line("sticks-alpha").ends_with("never run"));
    assert!(line("sticks-alpha").contains("15 sticks: the learning rate"));
    says(&run(&["experiment"]), 2, &["--list"]);

    succeed(&report(&[]));
    let first = fs::read_to_string(&page).unwrap();
    says(&report(&[]), 2, &["exists already"]);
    succeed(&report(&["--force"]));
    assert!(
        fs::read_to_string(&page).unwrap() == first,
        "the same results, the same bytes"
    );
    assert!(first.starts_with("<!DOCTYPE html>") && first.contains("<svg"));
    assert!(first.contains(&format!("href=\"#{SMALL}\"")));
    assert!(first.contains(&format!("id=\"{SMALL}\"")));
    assert!(first.contains("never run: <code>dojo experiment sticks-alpha</code>"));
    // Names of namespaces are no requests; nothing else has an address.
    let addresses = first.replace("http://www.w3.org/2000/svg", "");
    for word in [
        "http:", "https:", "src=", "url(", "@import", "<script", "<link",
    ] {
        assert!(!addresses.contains(word), "{word}");
    }

    // Results of another state of the sources, of another version and of an experiment that is gone.
    let findings = Path::new(&out).join(SMALL).join("findings.json");
    let good = fs::read_to_string(&findings).unwrap();
    for (key, words) in [
        ("sources\":\"", "stale: the sources have changed since"),
        ("version\":\"", "stale: made by version 0"),
    ] {
        fs::write(&findings, good.replace(key, &format!("{key}0"))).unwrap();
        succeed(&report(&["--force"]));
        assert!(
            fs::read_to_string(&page).unwrap().contains(words),
            "{words}"
        );
    }
    fs::create_dir(Path::new(&out).join("sticks-beta")).unwrap();
    let gone = good
        .replace(SMALL, "sticks-beta")
        .replace("15 sticks", "<b>&");
    fs::write(Path::new(&out).join("sticks-beta/findings.json"), gone).unwrap();
    succeed(&report(&["--force"]));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("no such experiment") && text.contains("&lt;b&gt;&amp;"));
    fs::write(&findings, "{}").unwrap();
    says(&report(&["--force"]), 1, &["findings.json", "--force"]);
    fs::remove_file(&findings).unwrap();
    says(&report(&["--force"]), 1, &["findings.json: missing"]);
}

/// The shell scripts of the page on experiments: their syntax, then those for several processes in
/// a folder of their own, with the small experiment at its small size.
#[test]
#[cfg(unix)]
fn the_recipes_of_the_manual_work() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/experiments.md");
    let page = fs::read_to_string(page).unwrap();
    let scripts: Vec<&str> = page
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(scripts.len() >= 4, "{}", scripts.len());
    let expected = folder("recipes/expected");
    succeed(&run(&[
        "experiment",
        SMALL,
        "--quick",
        "--out",
        expected.to_str().unwrap(),
    ]));
    let mut tried = 0;
    for (number, script) in scripts.iter().enumerate() {
        let checked = Command::new("bash").args(["-n", "-c", script]).output();
        let Ok(checked) = checked else {
            eprintln!("SKIPPED: no bash, scripts of docs/experiments.md are unchecked");
            return;
        };
        assert!(
            checked.status.success(),
            "{script}\n{}",
            text(&checked.stderr)
        );
        if !script.contains("--shard") {
            continue;
        }
        let tool = script
            .split_whitespace()
            .find(|word| ["parallel", "xargs", "#SBATCH"].contains(word));
        let Some(tool) = tool else { continue };
        let is_there = Command::new("which").arg(tool).output();
        if tool != "#SBATCH" && !is_there.is_ok_and(|found| found.status.success()) {
            eprintln!("SKIPPED: {tool} is not installed, its recipe is not run");
            continue;
        }
        let place = folder(&format!("recipes/{number}"));
        // Names of experiments in the manual are those of long ones.
        let named = script.split("dojo experiment ").nth(1).unwrap();
        let name = named.split_whitespace().next().unwrap();
        let small = script.replace(
            &format!("dojo experiment {name}"),
            &format!("dojo experiment {SMALL} --quick"),
        );
        let path = format!(
            "{}:{}",
            Path::new(DOJO).parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        for task in 1..=if tool == "#SBATCH" { 2 } else { 1 } {
            let output = Command::new("bash")
                .args(["-e", "-c", &small])
                .current_dir(&place)
                .envs([("PATH", &path[..]), ("SLURM_CPUS_PER_TASK", "1")])
                .envs([("SLURM_SUBMIT_DIR", "."), ("SLURM_ARRAY_TASK_COUNT", "2")])
                .env("SLURM_ARRAY_TASK_ID", task.to_string())
                .output()
                .unwrap();
            succeed(&output);
        }
        let out = place.join("results");
        if !out.join(SMALL).exists() {
            succeed(&run(&[
                "experiment",
                "merge",
                "--out",
                out.to_str().unwrap(),
            ]));
        }
        assert!(
            contents(&out.join(SMALL)) == contents(&expected.join(SMALL)),
            "{script}"
        );
        tried += 1;
    }
    assert!(tried >= 2, "{tried} recipes were run");
}
