//! `dojo experiment NAME|all --out DIR`: published tables and curves, reproduced.

use std::path::PathBuf;

use serde::Serialize;

use dojo_lab::experiment::{self, Experiment, ExperimentRow, Scale, Unfinished, Units};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::output::{Format, Progress};

/// Arguments of `dojo experiment`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its name, or `all`; an unknown name lists them
    name: String,
    /// The folder of the results; each experiment has its own inside
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    out: PathBuf,
    /// Seeds begin here
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Far fewer games: a smoke test
    #[arg(long)]
    quick: bool,
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

/// Runs one or all experiments and writes their results.
pub fn run(args: Args) -> Done {
    let chosen: Vec<Experiment> = match args.name.as_str() {
        "all" => experiment::all().copied().collect(),
        name => vec![Experiment::find(name).ok_or_else(|| {
            let known: Vec<_> = experiment::all()
                .map(|experiment| experiment.name)
                .collect();
            Failure::Usage(format!(
                "unknown experiment `{name}`, there are all, {}",
                known.join(", ")
            ))
        })?],
    };
    for experiment in &chosen {
        files::may_fill(&args.out.join(experiment.name), args.force)?;
    }
    let progress = Progress::new("experiments", chosen.len() as u64);
    let mut reports = vec![];
    for experiment in &chosen {
        let scale = Scale::new(args.seed, args.quick, Units::Memory);
        let findings = experiment
            .run(&scale)
            .map_err(|unfinished| match unfinished {
                Unfinished::Elsewhere => Failure::check("units of other shards are missing"),
                Unfinished::Failed(failure) => failure,
            })?;
        experiment.write(&args.out, &scale, &findings, args.force)?;
        let out = args.out.join(experiment.name).display().to_string();
        reports.push(Report {
            name: experiment.name,
            rows: findings.rows,
            out,
        });
        progress.tick();
    }
    drop(progress);
    let text = || reports.iter().map(text).collect::<Vec<_>>().join("\n");
    match &reports[..] {
        [one] if args.name != "all" => args.format.print(one, text),
        _ => {
            let rows = reports
                .iter()
                .flat_map(|report| report.rows.clone())
                .collect();
            let text = text();
            args.format.print(
                &Reports {
                    name: "all",
                    rows,
                    experiments: reports,
                },
                || text,
            )
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
    } in &report.rows
    {
        let published = published.map_or("–".into(), |value| format!("{value:.2}"));
        text += &format!(
            "  {setting:<48} {metric:<42} published {published:>7}  ours {ours:>7.2} ± {spread:.2}\n"
        );
    }
    text + &format!("{} has table, pictures and report\n", report.out)
}
