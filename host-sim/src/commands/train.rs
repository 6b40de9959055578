//! `dojo train GAME`: learning from nothing, kept as a run folder.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dojo_core::belt::Belt;
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::{Dots, GameId};
use serde::Serialize;

use dojo_lab::bank::manifest::date;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::games::{
    dots::train as dots, dots::train_network as dots_network, go::train as go,
    iwoki::train as iwoki, sticks::train as sticks,
};
use dojo_lab::output::{self, Format, Progress};
use dojo_lab::rules::{Options, game_id};
use dojo_lab::train::{self, Course, Run, Schedule};

/// What to train.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: sticks, dots, iwoki or go
    #[arg(value_parser = game_id)]
    game: GameId,
    /// A named choice of settings. Sticks: shipped, constant. Dots: shipped, converging, published, network (for large
    /// boards). Iwoki: shipped, perceptron. Go: published-perceptron, published-mlp, better, eyes (its shipped)
    #[arg(long, default_value = "shipped")]
    preset: String,
    /// All chance comes from this number
    #[arg(long)]
    seed: Option<u64>,
    /// Games to learn from
    #[arg(long)]
    games: Option<u32>,
    /// Dots, iwoki: learning rate at the start
    #[arg(long)]
    rate: Option<f64>,
    /// Iwoki: percent of random actions. Dots: percent of random edges (shipped), or the exploration constant C (converging, published)
    #[arg(long)]
    explore: Option<u32>,
    /// Dots: discount of the published learner
    #[arg(long)]
    discount: Option<f64>,
    /// Dots: who it learns against: itself, random, smart, slipping
    #[arg(long, value_parser = dots::opponent)]
    opponent: Option<Opponent>,
    /// Dots, network: the only board to learn on, as rows x columns [default: 4x4 and 5x5]
    #[arg(long, value_name = "4x4")]
    size: Option<String>,
    /// Dots, network: what equal boxes mean on that board
    #[arg(long, value_name = "starter-loses|draw")]
    ties: Option<String>,
    /// The day that the models will carry, as yyyymmdd
    #[arg(long, default_value_t = sticks::SHIPPED.date, value_parser = |text: &str| date(text).ok_or("expected yyyymmdd"))]
    date: u32,
    /// The folder of the run [default: runs/GAME-PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stop after so many games; --resume goes on
    #[arg(long, value_name = "GAMES")]
    stop_after: Option<u32>,
    /// Go on with a run that was stopped or interrupted; the result is the same as if it had not been
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Replace the files of an earlier run in that folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    seed: u64,
    games: u32,
    /// Sticks: share of the states that are sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    sure: Option<f64>,
    /// Sticks: share of the won states from which the table wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    correct: Option<f64>,
    /// Dots: exact score against a random player.
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<f64>,
    /// Dots: exact score against the rule-based player.
    #[serde(skip_serializing_if = "Option::is_none")]
    smart: Option<f64>,
    exact: bool,
    finished: bool,
    out: String,
}

#[derive(Serialize)]
struct GoReport {
    game: &'static str,
    seed: u64,
    games: u32,
    /// Share of games won one move ahead against the quick player.
    smart: f64,
    mean_score: f64,
    finished: bool,
    out: String,
}

#[derive(Serialize)]
struct NetworkReport {
    game: &'static str,
    seed: u64,
    games: u32,
    boards: Vec<String>,
    /// Score against the rule-based player on each board in the last line of the log.
    smart: Vec<f64>,
    finished: bool,
    out: String,
}

#[derive(Serialize)]
struct IwokiReport {
    game: &'static str,
    seed: u64,
    games: u32,
    /// Score against the greedy player in the last line of the log.
    greedy: f64,
    /// The mean margin there.
    margin: f64,
    finished: bool,
    out: String,
}

/// Trains and writes the folder.
pub fn run(args: Args) -> Done {
    match args.game {
        GameId::Sticks => run_sticks(&args),
        GameId::Dots => run_dots(&args),
        GameId::Iwoki => run_iwoki(&args),
        GameId::Go => run_go(&args),
        game => Err(Failure::Usage(format!(
            "{} has no learner; sticks, dots, iwoki and go have one",
            game.name()
        ))),
    }
}

fn preset<P: ValueEnum>(name: &str) -> Result<P, Failure> {
    P::from_str(name, false).map_err(|_| {
        let known: Vec<_> = P::value_variants()
            .iter()
            .filter_map(|preset| preset.to_possible_value())
            .collect();
        let known: Vec<_> = known.iter().map(|value| value.get_name()).collect();
        Failure::Usage(format!("--preset {name}: there are {}", known.join(", ")))
    })
}

/// Refuses the settings that only dots has.
fn only_dots(args: &Args) -> Done {
    let others = [
        ("--rate", args.rate.is_some()),
        ("--explore", args.explore.is_some()),
        ("--discount", args.discount.is_some()),
        ("--opponent", args.opponent.is_some()),
        ("--size", args.size.is_some()),
        ("--ties", args.ties.is_some()),
    ];
    match others.into_iter().find(|&(_, given)| given) {
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} does not fit {}: its presets set it",
            args.game.name()
        ))),
        None => Ok(()),
    }
}

fn run_go(args: &Args) -> Done {
    only_dots(args)?;
    let name = if args.preset == "shipped" {
        go::Preset::Eyes.name()
    } else {
        &args.preset
    };
    let usual = go::Plan::new(preset(name)?);
    let plan = go::Plan {
        seed: args.seed.unwrap_or(usual.seed),
        games: args.games.unwrap_or(usual.games),
        date: args.date,
        ..usual
    };
    plan.check()?;
    let out = folder(args, plan.seed);
    let begin = || go::GoCourse::new(&plan);
    let go_on = |values: &[f64], progress| go::GoCourse::resume(&plan, values, progress);
    let Some(run) = drive(args, &out, &plan.text(), &plan.schedule(), begin, go_on)? else {
        return Ok(());
    };
    go::write(&out, &plan, &run, args.force)?;
    let figures = run
        .log
        .last()
        .map_or(vec![0.0; 2], |line| line.figures.clone());
    let report = GoReport {
        game: args.game.name(),
        seed: plan.seed,
        games: plan.games,
        smart: figures[0] / 100.0,
        mean_score: figures[1],
        finished: true,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        let GoReport { games, smart, mean_score, out, .. } = &report;
        format!(
            "{games} games: {:.0} % against smart, {mean_score:+.1} points a game\n{out} has the run\n",
            100.0 * smart
        )
    })
}

fn run_sticks(args: &Args) -> Done {
    only_dots(args)?;
    let plan = sticks::Plan {
        preset: preset(&args.preset)?,
        seed: args.seed.unwrap_or(sticks::SHIPPED.seed),
        games: args.games.unwrap_or(sticks::SHIPPED.games),
        date: args.date,
    };
    plan.check()?;
    let out = folder(args, plan.seed);
    let begin = || sticks::SticksCourse::new(&plan);
    let go_on = |values: &[f64], progress| sticks::SticksCourse::resume(&plan, values, progress);
    let Some(run) = drive(args, &out, &plan.text(), &plan.schedule(), begin, go_on)? else {
        return Ok(());
    };
    sticks::write(&out, &plan, &run, args.force)?;
    let black = run
        .kept
        .last()
        .map(|kept| sticks::certificate(&kept.values, Some(Belt::Black)));
    let figures = run
        .log
        .last()
        .map_or(vec![0.0; 2], |line| line.figures.clone());
    print(
        args,
        plan.seed,
        plan.games,
        &figures,
        black.is_some_and(|black| black.is_ok()),
        &out,
    )
}

/// Refuses what only the tables of dots have, and the options of boards where there is only one.
fn refuse(args: &Args, flags: &[&str], why: &str) -> Done {
    let given = [
        ("--discount", args.discount.is_some()),
        ("--opponent", args.opponent.is_some()),
        ("--size", args.size.is_some()),
        ("--ties", args.ties.is_some()),
    ];
    match given
        .into_iter()
        .find(|(flag, given)| *given && flags.contains(flag))
    {
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} does not fit {}: {why}",
            args.game.name()
        ))),
        None => Ok(()),
    }
}

fn run_dots_network(args: &Args) -> Done {
    refuse(
        args,
        &["--discount", "--opponent"],
        "its network learns from itself",
    )?;
    let board = match (&args.size, &args.ties) {
        (None, None) => None,
        (size, ties) => {
            let (size, ties) = (size.clone().or(Some("5x5".into())), ties.clone());
            Some(
                Options {
                    size,
                    ties,
                    ..Options::default()
                }
                .rules::<Dots>()?,
            )
        }
    };
    let usual = dots_network::SHIPPED;
    let plan = dots_network::Plan {
        board,
        seed: args.seed.unwrap_or(usual.seed),
        games: args.games.unwrap_or(usual.games),
        rate: args.rate.unwrap_or(usual.rate),
        explore: args.explore.unwrap_or(usual.explore),
        date: args.date,
    };
    plan.check()?;
    let out = folder(args, plan.seed);
    let begin =
        || dots_network::NetworkCourse::new(&plan).expect("a plan has a board and a network");
    let go_on =
        |values: &[f64], progress| dots_network::NetworkCourse::resume(&plan, values, progress);
    let Some(run) = drive(args, &out, &plan.text(), &plan.schedule(), begin, go_on)? else {
        return Ok(());
    };
    dots_network::write(&out, &plan, &run, args.force)?;
    let figures = run.log.last().map_or(vec![], |line| line.figures.clone());
    let boards = plan
        .boards()
        .iter()
        .map(|board| format!("{}x{}", board.rows(), board.cols()))
        .collect();
    let report = NetworkReport {
        game: args.game.name(),
        seed: plan.seed,
        games: plan.games,
        boards,
        smart: figures.iter().map(|percent| percent / 100.0).collect(),
        finished: true,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        let scores: Vec<_> = report
            .boards
            .iter()
            .zip(&figures)
            .map(|(name, score)| format!("{score:.1} % on {name}"))
            .collect();
        format!(
            "{} games: {} against smart, one edge ahead\n{} has the run\n",
            plan.games,
            scores.join(", "),
            report.out
        )
    })
}

fn run_dots(args: &Args) -> Done {
    if args.preset == dots_network::PRESET {
        return run_dots_network(args);
    }
    refuse(
        args,
        &["--size", "--ties"],
        "its tables are for 2x2, only the preset network is for other boards",
    )?;
    let usual = dots::Plan::new(preset(&args.preset)?);
    let plan = dots::Plan {
        seed: args.seed.unwrap_or(usual.seed),
        games: args.games.unwrap_or(usual.games),
        rate: args.rate.unwrap_or(usual.rate),
        explore: args.explore.unwrap_or(usual.explore),
        discount: args.discount.unwrap_or(usual.discount),
        opponent: args.opponent.unwrap_or(usual.opponent),
        date: args.date,
        ..usual
    };
    plan.check()?;
    let out = folder(args, plan.seed);
    let begin = || dots::DotsCourse::new(&plan);
    let go_on = |values: &[f64], progress| dots::DotsCourse::resume(&plan, values, progress);
    let Some(run) = drive(args, &out, &plan.text(), &plan.schedule(), begin, go_on)? else {
        return Ok(());
    };
    dots::write(&out, &plan, &run, args.force)?;
    let last = run.kept.last().map(dots::certificate);
    let exact =
        last.is_some_and(|last| last.is_ok_and(|proof| proof.kept_wins == proof.won_states));
    let figures = run
        .log
        .last()
        .map_or(vec![0.0; 2], |line| line.figures.clone());
    print(args, plan.seed, plan.games, &figures, exact, &out)
}

fn run_iwoki(args: &Args) -> Done {
    refuse(
        args,
        &["--discount", "--opponent", "--size", "--ties"],
        "it learns from itself, on one board",
    )?;
    let usual = iwoki::SHIPPED;
    let plan = iwoki::Plan {
        preset: preset(&args.preset)?,
        seed: args.seed.unwrap_or(usual.seed),
        games: args.games.unwrap_or(usual.games),
        rate: args.rate.unwrap_or(usual.rate),
        explore: args.explore.unwrap_or(usual.explore),
        date: args.date,
    };
    plan.check()?;
    let out = folder(args, plan.seed);
    let begin =
        || iwoki::IwokiCourse::new(&plan).expect("a preset's network has its number of weights");
    let go_on = |values: &[f64], progress| iwoki::IwokiCourse::resume(&plan, values, progress);
    let Some(run) = drive(args, &out, &plan.text(), &plan.schedule(), begin, go_on)? else {
        return Ok(());
    };
    iwoki::write(&out, &plan, &run, args.force)?;
    let figures = run
        .log
        .last()
        .map_or(vec![0.0; 2], |line| line.figures.clone());
    let report = IwokiReport {
        game: args.game.name(),
        seed: plan.seed,
        games: plan.games,
        greedy: figures[0] / 100.0,
        margin: figures[1],
        finished: true,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        let (games, score, margin) = (plan.games, figures[0], figures[1]);
        format!(
            "{games} games: {score:.1} % against greedy, {margin:+.2} points\n{} has the run\n",
            report.out
        )
    })
}

fn folder(args: &Args, seed: u64) -> PathBuf {
    let usual = || format!("runs/{}-{}-{seed}", args.game.name(), args.preset).into();
    args.out.clone().unwrap_or_else(usual)
}

/// Begins or goes on; `None` if the run stops before its end.
fn drive<C: Course>(
    args: &Args,
    out: &Path,
    settings: &str,
    schedule: &Schedule,
    begin: impl Fn() -> C,
    go_on: impl Fn(&[f64], dojo_core::learn::Progress) -> Option<C>,
) -> Result<Option<Run>, Failure> {
    let (mut course, mut run) = if args.resume {
        let (values, progress, run) = train::resume(out, settings)?;
        let fault = || {
            Failure::Check(format!(
                "{}: the values do not fit these settings",
                out.display()
            ))
        };
        (go_on(&values, progress).ok_or_else(fault)?, run)
    } else {
        // Better now than after the work.
        files::may_write(out, args.force)?;
        (begin(), Run::default())
    };
    let stop = args.stop_after.unwrap_or(u32::MAX);
    let progress = Progress::new("games", schedule.games.into());
    progress.advance(course.games().into());
    let keep = |run: &Run, course: &dyn Course| train::pause(out, settings, run, course);
    run.go_on(
        &mut course,
        schedule,
        stop,
        |games| progress.advance(games.into()),
        keep,
    )?;
    drop(progress);
    if course.games() < schedule.games {
        let games = course.games();
        output::print(&format!(
            "stopped after {games} games; the same command with --resume goes on\n"
        ))?;
        return Ok(None);
    }
    Ok(Some(run))
}

fn print(args: &Args, seed: u64, games: u32, figures: &[f64], exact: bool, out: &Path) -> Done {
    let is_sticks = args.game == GameId::Sticks;
    let share = |place: usize, wanted: bool| wanted.then(|| figures[place] / 100.0);
    let report = Report {
        game: args.game.name(),
        seed,
        games,
        sure: share(0, is_sticks),
        correct: share(1, is_sticks),
        random: share(0, !is_sticks),
        smart: share(1, !is_sticks),
        exact,
        finished: true,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        let verdict = if exact {
            "it gives no win away"
        } else {
            "it gives wins away"
        };
        let [first, second] = if is_sticks {
            ["% of the states are sure", "% of the won states are won"]
        } else {
            ["% against random", "% against smart"]
        };
        let (a, b) = (figures[0], figures[1]);
        format!(
            "{games} games: {a:.1} {first}, {b:.1} {second}; {verdict}\n{} has the run\n",
            report.out
        )
    })
}
