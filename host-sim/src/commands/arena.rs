//! `dojo arena GAME A B`: a match in which both move first equally often, with a 95 % interval.

use std::path::PathBuf;
use std::sync::Arc;

use dojo_core::games::GameId;
use dojo_core::with_game;
use serde::Serialize;

use dojo_lab::arena::{self, Match, Openings, Tally};
use dojo_lab::bank::{SHIPPED, open};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::human;
use dojo_lab::output::{self, Format, Progress};
use dojo_lab::players::{ArenaGame, ArenaPlayer, Clock, Spec, known};
use dojo_lab::rules::{GAME, Options};

/// Players and length of the match.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(value_parser = GAME, required_unless_present = "list")]
    game: Option<GameId>,
    #[command(flatten)]
    options: Options,
    /// A player: random, perfect, belt:white to belt:black, search:depth=N, mcts:playouts=N,
    /// bank:FILE#NAME, human and others, which --list lists
    #[arg(required_unless_present = "list")]
    a: Option<String>,
    /// The other player
    #[arg(required_unless_present = "list")]
    b: Option<String>,
    /// List all players, or those of the game, with a line each
    #[arg(long)]
    list: bool,
    /// Number of games; A moves first in every other one
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin each pair of games with N random moves, drawn by the seed; both sides play each opening.
    /// Without it games begin at the first position, or after two random moves where all games would
    /// be alike
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=40))]
    openings: Option<u8>,
    /// Budget of a move, for players that have one: playouts=N (mcts), nodes=N (search), device:10s
    /// (what the device manages in that time)
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    /// The bank of the belts, instead of the shipped one
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Measure the time of decisions, which differs from run to run
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'static str,
    rules: String,
    a: &'a str,
    b: &'a str,
    games: u32,
    wins_a: u32,
    wins_b: u32,
    draws: u32,
    score_a: f64,
    ci95: [f64; 2],
    a_first: Tally,
    a_second: Tally,
    mean_margin: f64,
    openings: Openings,
    /// Random moves that were asked for.
    #[serde(skip_serializing_if = "is_zero")]
    opening_plies: usize,
    /// Games that are not repetitions of another.
    different_games: u32,
    /// Faults of other programs.
    faults_a: u32,
    faults_b: u32,
    /// Budget of a move, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spends_a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spends_b: Option<String>,
    /// Mean time of a decision of A and of B in microseconds, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_micros: Option<[f64; 2]>,
    seed: u64,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Plays the match and prints the result.
pub fn run(args: Args) -> Done {
    match (args.game, &args.a, &args.b) {
        (game, ..) if args.list => output::print(&known::list(game)),
        (Some(game), Some(a), Some(b)) => with_game!(game, G => contest::<G>(&args, game, [a, b])),
        _ => Err(Failure::usage("a match needs a game and two players")),
    }
}

fn contest<G: ArenaGame>(args: &Args, game: GameId, [name_a, name_b]: [&str; 2]) -> Done
where
    G::Rules: Send + Sync,
{
    if args.options.deal.is_some() {
        return Err(Failure::Usage(
            "--deal does not fit a match: each pair of games has a deal of its own".into(),
        ));
    }
    let rules = args.options.rules::<G>()?;
    let spec = |text: &str| {
        text.parse::<Spec>()
            .map_err(|error| Failure::Usage(format!("player `{text}`: {error}")))
    };
    let (mut spec_a, mut spec_b) = (spec(name_a)?, spec(name_b)?);
    let mut spends = [None, None];
    if let Some(budget) = &args.budget {
        let refused = |error| Failure::Usage(format!("--budget {budget}: {error}"));
        let given = [&spec_a, &spec_b].map(|spec| spec.clone().with_budget(budget, game));
        if let [Err(error), Err(_)] = given {
            return Err(refused(error));
        }
        for ((spec, spends), given) in [&mut spec_a, &mut spec_b]
            .into_iter()
            .zip(&mut spends)
            .zip(given)
        {
            if let Ok(given) = given {
                *spends = given.spends();
                *spec = given;
            }
        }
    }
    let (name, bytes) = match &args.bank {
        Some(file) => (file.clone(), dojo_lab::bank::read(file)?),
        None => ("the shipped bank".into(), SHIPPED.to_vec()),
    };
    let bank = open(&name, &bytes)?;
    let clocks = [Arc::new(Clock::default()), Arc::new(Clock::default())];
    let player = |spec: &Spec, clock| {
        let player = match spec {
            Spec::Human => human::player(),
            _ => ArenaPlayer::<G>::new(spec, rules, &bank)?,
        };
        Ok(if args.times {
            player.timed(clock)
        } else {
            player
        })
    };
    let (a, b) = (player(&spec_a, &clocks[0])?, player(&spec_b, &clocks[1])?);
    let plies = usize::from(args.openings.unwrap_or(0));
    if !arena::has_openings::<G>(rules, plies) {
        return Err(Failure::Usage(format!(
            "--openings {plies}: {} with {rules} is over by then",
            G::NAME
        )));
    }
    let play = |tick: &(dyn Fn() + Sync)| {
        arena::play_from::<G>(rules, &a, &b, args.games, args.seed, plies, tick)
    };
    let result = if a.is_person() || b.is_person() {
        // One game after the other; a bar would hide the questions.
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        one.map_err(Failure::check)?.install(|| play(&|| ()))
    } else {
        let progress = Progress::new("games", args.games.into());
        play(&|| progress.tick())
    };
    if a.has_left() || b.has_left() {
        return Err(Failure::check(
            "the input has ended: the match is not finished",
        ));
    }
    if result.openings == Openings::Repeated {
        output::warn(
            "warning: both players leave nothing to chance and the game is too short for openings: all games are alike",
        );
    }
    let total = result.total();
    let [spends_a, spends_b] = spends;
    let report = Report {
        game: G::NAME,
        rules: rules.to_string(),
        a: name_a,
        b: name_b,
        games: args.games,
        wins_a: total.wins_a,
        wins_b: total.wins_b,
        draws: total.draws,
        score_a: total.score_a(),
        ci95: total.ci95(),
        a_first: result.a_first,
        a_second: result.a_second,
        mean_margin: result.mean_margin,
        openings: result.openings,
        opening_plies: plies,
        different_games: result.different,
        faults_a: result.faults[0],
        faults_b: result.faults[1],
        budget: args.budget.as_deref(),
        spends_a,
        spends_b,
        decision_micros: args.times.then(|| clocks.map(|clock| clock.micros())),
        seed: args.seed,
    };
    args.format.print(&report, || text(&report, &result))
}

fn text(report: &Report<'_>, result: &Match) -> String {
    let line = |label: &str, tally: Tally| {
        format!(
            "{label:<12} {:>8} {:>8} {:>8}\n",
            tally.wins_a, tally.draws, tally.wins_b
        )
    };
    let given = format!(
        "{} random moves open each pair of games",
        report.opening_plies
    );
    let openings = match report.openings {
        Openings::Given => &given,
        Openings::Start => "all games begin at the first position",
        Openings::Varied => {
            "two random moves open each pair of games: the players leave nothing to chance"
        }
        Openings::Dealt => "each pair of games has a deal of its own",
        Openings::Repeated => "all games are alike",
    };
    let [low, high] = report.ci95;
    let mut more = String::new();
    if report.different_games < report.games {
        more += &format!(
            "different    {} of the games; the others repeat one of them\n",
            report.different_games
        );
    }
    for (name, spends, faults) in [
        ("A", &report.spends_a, report.faults_a),
        ("B", &report.spends_b, report.faults_b),
    ] {
        if let (Some(budget), Some(spends)) = (report.budget, spends) {
            more += &format!("budget of {name}  {budget}: {spends} a move\n");
        }
        if faults > 0 {
            more += &format!("faults of {name}  {faults}\n");
        }
    }
    if let Some([a, b]) = report.decision_micros {
        more += &format!("a decision   {a:.1} µs (A), {b:.1} µs (B)\n");
    }
    format!(
        "{} ({} games, seed {})\nA = {}, B = {}\n\n                A wins    draws   B wins\n{}{}{}\n\
         score of A   {:.3}  (95 %: {low:.3} to {high:.3})\nmean margin  {:+.3}\nopenings     {openings}\n{more}",
        report.game,
        report.games,
        report.seed,
        report.a,
        report.b,
        line("A first", result.a_first),
        line("A second", result.a_second),
        line("together", result.total()),
        report.score_a,
        report.mean_margin,
    )
}
