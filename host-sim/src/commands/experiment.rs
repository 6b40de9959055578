//! `dojo experiment NAME|all|merge --out DIR`: published tables and curves, reproduced, on one
//! machine or in shards on several.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use dojo_lab::choice::Choice;
use dojo_lab::experiment::{
    self, Experiment, ExperimentRow, Origin, Results, Scale, Shard, Tally, Unfinished, Units,
};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::nearest;
use dojo_lab::output::{Format, Progress};

/// Arguments of `dojo experiment`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its name, which --list lists, `all`, or `merge` for the results of shards
    #[arg(value_parser = Choice::suggested(names), hide_possible_values = true)]
    name: Option<String>,
    /// List all experiments and what is known of them in the folder of the results
    #[arg(long, conflicts_with_all = ["name", "seed", "seeds", "quick", "shard", "force"])]
    list: bool,
    /// The folder of the results; each experiment has its own inside
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    out: PathBuf,
    /// Seeds begin here [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// At most so many seeds of a setting, instead of all that the experiment declares
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// Far fewer games: a smoke test
    #[arg(long)]
    quick: bool,
    /// Compute the K-th of M shares and keep its units in DIR/units; what is there already is not
    /// computed again. `merge` makes the results once all shares are in one folder
    #[arg(long, value_name = "K/M", conflicts_with = "force")]
    shard: Option<Shard>,
    /// Replace the results of an earlier run
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    name: &'static str,
    rows: Vec<ExperimentRow>,
    out: String,
}

#[derive(Serialize)]
struct Reports {
    name: &'static str,
    rows: Vec<ExperimentRow>,
    experiments: Vec<Report>,
}

/// All names, and the two that stand for several.
fn names() -> Vec<&'static str> {
    let all = experiment::all().map(|experiment| experiment.name);
    all.chain(["all", "merge"]).collect()
}

/// Runs one or all experiments and writes their results.
pub fn run(args: Args) -> Done {
    match args.name.as_deref() {
        None if args.list => list(&args),
        None => Err(Failure::usage(
            "name an experiment, `all` or `merge`; `dojo experiment --list` lists them",
        )),
        Some("merge") => merge(&args),
        Some("all") => compute(&args, experiment::all().copied().collect()),
        Some(name) => compute(&args, vec![find(name)?]),
    }
}

fn find(name: &str) -> Result<Experiment, Failure> {
    Experiment::find(name).ok_or_else(|| {
        let known = experiment::all().map(|experiment| experiment.name);
        Failure::Usage(format!(
            "unknown experiment `{name}`{}",
            nearest::hint(name, known, "`dojo experiment --list` lists all")
        ))
    })
}

fn compute(args: &Args, chosen: Vec<Experiment>) -> Done {
    let seed = args.seed.unwrap_or(1);
    if let Some(shard) = args.shard {
        return compute_shard(args, &chosen, seed, shard);
    }
    for experiment in &chosen {
        files::may_fill(&args.out.join(experiment.name), args.force)?;
    }
    let progress = progress(args, &chosen, seed);
    let mut reports = vec![];
    for experiment in &chosen {
        let scale = Scale::new(seed, args.quick, Units::Memory)
            .with_seeds(args.seeds)
            .with_progress(&progress);
        let findings = experiment
            .run(&scale)
            .map_err(|unfinished| match unfinished {
                Unfinished::Elsewhere => Failure::check("units are missing"),
                Unfinished::Failed(failure) => failure,
            })?;
        reports.push(written(args, experiment, &scale, findings)?);
    }
    drop(progress);
    print(args, reports)
}

/// Progress of the units of experiments, or of a share of them. What they are is found out by going
/// through the experiments without computing anything.
fn progress(args: &Args, chosen: &[Experiment], seed: u64) -> Arc<Progress> {
    let units = |experiment: &Experiment| {
        let scale = Scale::new(seed, args.quick, Units::Counted).with_seeds(args.seeds);
        let _ = experiment.run(&scale);
        let units = scale.tally().missing.len() as u64;
        args.shard.map_or(units, |shard| shard.share(units))
    };
    let all = chosen.iter().map(units).sum::<u64>();
    Arc::new(Progress::new("units", all.max(1)))
}

fn written(
    args: &Args,
    experiment: &Experiment,
    scale: &Scale,
    findings: experiment::Findings,
) -> Result<Report, Failure> {
    experiment.write(&args.out, scale, &findings, args.force)?;
    Ok(Report {
        name: experiment.name,
        rows: findings.rows,
        out: args.out.join(experiment.name).display().to_string(),
    })
}

fn print(args: &Args, reports: Vec<Report>) -> Done {
    let text = reports.iter().map(text).collect::<Vec<_>>().join("\n");
    match &reports[..] {
        [one] if args.name.as_deref() == Some(one.name) => args.format.print(one, || text),
        _ => {
            let all = reports.iter().flat_map(|report| report.rows.clone());
            let reports = Reports {
                name: "all",
                rows: all.collect(),
                experiments: reports,
            };
            args.format.print(&reports, || text)
        }
    }
}

fn text(report: &Report) -> String {
    let mut text = format!("{}\n", report.name);
    for ExperimentRow {
        setting,
        metric,
        published,
        ours,
        spread,
        ..
    } in &report.rows
    {
        let published = published.map_or("–".into(), |value| format!("{value:.2}"));
        text += &format!(
            "  {setting:<48} {metric:<42} published {published:>7}  ours {ours:>7.2} ± {spread:.2}\n"
        );
    }
    text + &format!("{} has table, pictures and report\n", report.out)
}

/// The units of a shard, by experiment.
#[derive(Serialize)]
struct ShardReport {
    shard: String,
    experiments: Vec<ShardLine>,
}

#[derive(Serialize)]
struct ShardLine {
    name: &'static str,
    computed: u64,
    found: u64,
    missing: usize,
}

fn compute_shard(args: &Args, chosen: &[Experiment], seed: u64, shard: Shard) -> Done {
    let progress = progress(args, chosen, seed);
    let mut lines = vec![];
    for experiment in chosen {
        let units = Origin::new(experiment, seed, args.quick).units(&args.out)?;
        let scale = Scale::new(seed, args.quick, Units::Kept(units, shard))
            .with_seeds(args.seeds)
            .with_progress(&progress);
        if let Err(Unfinished::Failed(failure)) = experiment.run(&scale) {
            return Err(failure);
        }
        let Tally {
            computed,
            found,
            missing,
        } = scale.tally();
        lines.push(ShardLine {
            name: experiment.name,
            computed,
            found,
            missing: missing.len(),
        });
    }
    drop(progress);
    let report = ShardReport {
        shard: shard.to_string(),
        experiments: lines,
    };
    args.format.print(&report, || {
        let line = |line: &ShardLine| {
            let ShardLine {
                name,
                computed,
                found,
                missing,
            } = line;
            format!(
                "{name}, shard {shard}: {computed} units computed, {found} found, {missing} of other shards missing\n"
            )
        };
        let lines: String = report.experiments.iter().map(line).collect();
        let out = args.out.display();
        format!("{lines}with all shards in one folder, `dojo experiment merge --out {out}` makes the results\n")
    })
}

/// Writes the results of every experiment that has units.
fn merge(args: &Args) -> Done {
    if args.seed.is_some() || args.quick || args.shard.is_some() {
        return Err(Failure::usage(
            "merge takes seed and size from the units; it has --seeds, --out and --force only",
        ));
    }
    let folder = experiment::units_folder(&args.out);
    let entries = std::fs::read_dir(&folder).map_err(|error| Failure::file(&folder, &error))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    if names.is_empty() {
        return Err(Failure::Usage(format!("{}: no units", folder.display())));
    }
    let mut reports = vec![];
    let mut gaps = vec![];
    for name in &names {
        let experiment = find(name)?;
        let begun = Origin::of_units(&folder.join(name))?;
        // Units of another program are refused here.
        let origin = Origin::new(&experiment, begun.seed, begun.quick);
        let units = origin.units(&args.out)?;
        files::may_fill(&args.out.join(name), args.force)?;
        let scale =
            Scale::new(origin.seed, origin.quick, Units::Merged(units)).with_seeds(args.seeds);
        match experiment.run(&scale) {
            Ok(findings) => reports.push(written(args, &experiment, &scale, findings)?),
            Err(Unfinished::Failed(failure)) => return Err(failure),
            Err(Unfinished::Elsewhere) => gaps.push(gap(args, &origin, &scale.tally())),
        }
    }
    if !gaps.is_empty() {
        return Err(Failure::Check(gaps.join("; ")));
    }
    print(args, reports)
}

/// Names the missing units of an experiment, and the command that makes them.
fn gap(args: &Args, origin: &Origin, tally: &Tally) -> String {
    const NAMED: usize = 5;
    let units = tally.missing.iter().take(NAMED);
    let units: Vec<_> = units
        .map(|(group, seed)| format!("{group} with seed {seed}"))
        .collect();
    let more = match tally.missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let seeds = args.seeds.map(|seeds| format!(" --seeds {seeds}"));
    let seeds = seeds.unwrap_or_default();
    format!(
        "{}: units are missing: {}{more}; `{}{seeds} --shard 1/1 --out {}` computes them",
        origin.experiment,
        units.join(", "),
        origin.command(),
        args.out.display()
    )
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: &'static str,
    results: String,
}

#[derive(Serialize)]
struct List {
    experiments: Vec<Listed>,
}

fn list(args: &Args) -> Done {
    let known = |experiment: &'static Experiment| {
        let results = match Results::read(&args.out, experiment.name) {
            Ok(None) => "never run".into(),
            Ok(Some(results)) => results.stale().unwrap_or_else(|| {
                let seed = results.origin.seed;
                format!("run, seed {seed}")
            }),
            Err(failure) => failure.to_string(),
        };
        Listed {
            name: experiment.name,
            title: experiment.title,
            results,
        }
    };
    let list = List {
        experiments: experiment::all().map(known).collect(),
    };
    let column = |text: fn(&Listed) -> &str| {
        let lengths = list
            .experiments
            .iter()
            .map(|line| text(line).chars().count());
        lengths.max().unwrap_or(0)
    };
    let (names, titles) = (column(|line| line.name), column(|line| line.title));
    args.format.print(&list, || {
        let line =
            |Listed {
                 name,
                 title,
                 results,
             }: &Listed| { format!("{name:<names$}  {title:<titles$}  {results}\n") };
        list.experiments.iter().map(line).collect()
    })
}
