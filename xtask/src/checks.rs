//! The checks, in three tiers: `quick` while working, `test` before every commit and in CI, `full`
//! before a release.

use std::time::Instant;

use crate::progress::Steps;
use crate::toolchain::{self, Part};
use crate::{
    Outcome, browser, cargo, cargo_with, deny, dist, firmware, licences, links, miri, modules,
    oracle, page, root,
};

/// How a check that did not fail ended.
pub(crate) enum Verdict {
    Passed,
    /// Done but for a part that needs what a bare machine does not have.
    Noted(&'static str),
    /// Not done, with the reason.
    Skipped(&'static str),
}

/// A check: its heading and its function.
pub(crate) struct Check {
    name: &'static str,
    run: fn() -> Result<Verdict, String>,
}

const fn check(name: &'static str, run: fn() -> Result<Verdict, String>) -> Check {
    Check { name, run }
}

/// After a small change: format, lints and unit tests of core and handheld.
pub(crate) const QUICK: &[Check] = &[
    check("Format", format),
    check("Lints", || {
        lint(&[
            "--package",
            "dojo-core",
            "--package",
            "dojo-handheld",
            "--package",
            "xtask",
        ])
    }),
    check("Links of the documentation", || {
        passed(links::check(&root()))
    }),
    check("Order of modules", || passed(modules::check(&root()))),
    check("Unit tests", || {
        let packages = [
            "--package",
            "dojo-core",
            "--package",
            "dojo-handheld",
            "--package",
            "pico-image",
        ];
        passed(cargo(
            &[&["test", "--quiet", "--lib"], &packages[..]].concat(),
        ))
    }),
    check("Screens", || {
        passed(cargo(&[
            "test",
            "--quiet",
            "--package",
            "dojo-handheld",
            "--test",
            "golden",
        ]))
    }),
];

/// Everything a commit has to pass, quick checks first.
pub(crate) const TEST: &[Check] = &[
    check("Format", format),
    check("Links of the documentation", || {
        passed(links::check(&root()))
    }),
    check("Order of modules", || passed(modules::check(&root()))),
    check("Third-party licences", || passed(licences::check())),
    check("Lints", || lint(&["--workspace", "--all-targets"])),
    check("Lints of the firmware", || passed(firmware::lint())),
    check("Firmware", || passed(firmware::uf2())),
    check("Browser page", || passed(page::build())),
    check("Tests", || {
        passed(cargo(&["test", "--workspace", "--all-targets", "--quiet"]))
    }),
    check("Examples in the documentation", || {
        passed(cargo(&["test", "--workspace", "--doc", "--quiet"]))
    }),
    check("Reference documentation", || {
        passed(cargo_with(
            "RUSTDOCFLAGS",
            "-D warnings",
            &["doc", "--workspace", "--no-deps", "--quiet"],
        ))
    }),
    check("Browser", browser::was_tested),
];

/// Checks that take too long for every commit; `full` runs them after [`TEST`].
pub(crate) const LONG: &[Check] = &[
    check("Licences and sources", deny::check),
    check("Advisories", deny::advisories),
    check("Unsafe code under Miri", miri::check),
    check("Rules against other programs", oracle::check),
    check("Long tests", || {
        // Benches have no tests and are left out; the profile is that of the earlier tests.
        passed(cargo(&[
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--quiet",
            "--",
            "--ignored",
        ]))
    }),
    check("Two builds, the same bytes", || {
        passed(dist::compare_two_builds())
    }),
];

/// Runs checks one after the other and prints their times; on CI none may be skipped.
pub(crate) fn run(tiers: &[&[Check]]) -> Outcome {
    let on_ci = std::env::var_os("CI").is_some();
    let begun = Instant::now();
    let checks: Vec<&Check> = tiers.iter().copied().flatten().collect();
    let mut times = String::new();
    let (mut skipped, mut notes) = (vec![], vec![]);
    let mut steps = Steps::new(checks.iter().map(|check| check.name.to_owned()));
    for (number, Check { name, run }) in checks.iter().enumerate() {
        let started = Instant::now();
        let left = steps.left();
        println!("\n== {}/{} {name}{left}", number + 1, checks.len());
        let verdict = run();
        steps.done(started.elapsed(), verdict.is_ok());
        match verdict.map_err(|what| format!("{name} failed: {what}"))? {
            Verdict::Passed => {}
            Verdict::Noted(what) => notes.push(format!("NOTE: {name}: {what}")),
            Verdict::Skipped(why) if on_ci => {
                return Err(format!("{name} failed: {why}, and CI may not skip it"));
            }
            Verdict::Skipped(why) => skipped.push(format!("SKIPPED: {name}: {why}")),
        }
        times += &format!("{:7.1} s  {name}\n", started.elapsed().as_secs_f64());
    }
    println!("\n{times}{:7.1} s  in all", begun.elapsed().as_secs_f64());
    println!(
        "\n{} passed, 0 failed, {} skipped",
        checks.len() - skipped.len(),
        skipped.len()
    );
    let lines = skipped.iter().chain(&notes);
    lines.for_each(|line| println!("{line}"));
    Ok(())
}

pub(crate) fn passed(outcome: Outcome) -> Result<Verdict, String> {
    outcome.map(|()| Verdict::Passed)
}

fn format() -> Result<Verdict, String> {
    toolchain::need(&[Part::Rustfmt])?;
    passed(cargo(&["fmt", "--all", "--check"]))
}

fn lint(what: &[&str]) -> Result<Verdict, String> {
    toolchain::need(&[Part::Clippy])?;
    passed(cargo(
        &[&["clippy", "--quiet"], what, &["--", "--deny", "warnings"]].concat(),
    ))
}
