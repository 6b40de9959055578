//! `dojo ladder GAME PLAYER…`: every player against every other, as one table of Elo ratings.

use std::path::PathBuf;

use dojo_core::belt::Belt;
use dojo_core::with_game;
use serde::Serialize;

use dojo_lab::arena;
use dojo_lab::bank::{SHIPPED, open};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::ladder::ratings;
use dojo_lab::output::{Format, Progress};
use dojo_lab::players::{ArenaGame, ArenaPlayer, Spec};
use dojo_lab::rules::GameArgs;

/// Players and length of the matches.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The players, named as `dojo arena --list` lists them (if missing: random and the five belts)
    players: Vec<String>,
    /// Games of each pair of players
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,
    /// Random moves that open each pair of games; both sides play each opening
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=40))]
    openings: u8,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The bank of the belts, instead of the shipped one
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Line {
    player: String,
    elo: f64,
    interval95: f64,
    games: u32,
    score: f64,
    faults: u32,
}

#[derive(Serialize)]
struct Pair {
    a: String,
    b: String,
    wins_a: u32,
    draws: u32,
    wins_b: u32,
    score_a: f64,
    ci95: [f64; 2],
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    rules: String,
    games_a_pair: u32,
    openings: u8,
    seed: u64,
    players: Vec<Line>,
    matches: Vec<Pair>,
}

/// Plays all matches and prints the table.
pub fn run(args: Args) -> Done {
    with_game!(args.game.game, G => ladder::<G>(&args))
}

fn ladder<G: ArenaGame>(args: &Args) -> Done
where
    G::Rules: Send + Sync,
{
    let rules = args.game.options.rules::<G>()?;
    let mut names = args.players.clone();
    if names.is_empty() {
        names.push("random".into());
        names.extend(Belt::ALL.map(|belt| format!("belt:{}", belt.name())));
    }
    if names.len() < 2 {
        return Err(Failure::usage("a ladder needs two players or more"));
    }
    let plies = usize::from(args.openings);
    if !arena::has_openings::<G>(rules, plies) {
        return Err(Failure::Usage(format!(
            "--openings {plies}: {} with {rules} is over by then",
            G::NAME
        )));
    }
    let (file, bytes) = match &args.bank {
        Some(file) => (file.clone(), dojo_lab::bank::read(file)?),
        None => ("the shipped bank".into(), SHIPPED.to_vec()),
    };
    let bank = open(&file, &bytes)?;
    let player = |name: &String| {
        let spec: Spec = name
            .parse()
            .map_err(|error| Failure::Usage(format!("player `{name}`: {error}")))?;
        ArenaPlayer::<G>::new(&spec, rules, &bank)
    };
    let players: Vec<_> = names.iter().map(player).collect::<Result<_, _>>()?;
    let pairs: Vec<(usize, usize)> = (0..names.len())
        .flat_map(|a| (a + 1..names.len()).map(move |b| (a, b)))
        .collect();
    let progress = Progress::new("games", u64::from(args.games) * pairs.len() as u64);
    let mut matches = vec![];
    for (number, &(a, b)) in pairs.iter().enumerate() {
        let seed = args.seed.wrapping_add((number as u64) << 32);
        let tick = || progress.tick();
        let result = arena::play_from::<G>(
            rules,
            &players[a],
            &players[b],
            args.games,
            seed,
            plies,
            tick,
        );
        matches.push((a, b, result.total()));
    }
    drop(progress);
    let found = ratings(names.len(), &matches);
    let line = |player: usize| {
        let points = matches.iter().filter_map(|&(a, b, tally)| match player {
            _ if player == a => Some(tally.points_a()),
            _ if player == b => Some(f64::from(tally.games()) - tally.points_a()),
            _ => None,
        });
        let games = args.games * (names.len() as u32 - 1);
        Line {
            player: names[player].clone(),
            elo: found[player].elo,
            interval95: found[player].interval,
            games,
            score: points.sum::<f64>() / f64::from(games),
            faults: players[player].faults(),
        }
    };
    let mut lines: Vec<Line> = (0..names.len()).map(line).collect();
    lines.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    let pair = |&(a, b, tally): &(usize, usize, arena::Tally)| Pair {
        a: names[a].clone(),
        b: names[b].clone(),
        wins_a: tally.wins_a,
        draws: tally.draws,
        wins_b: tally.wins_b,
        score_a: tally.score_a(),
        ci95: tally.ci95(),
    };
    let report = Report {
        game: G::NAME,
        rules: rules.to_string(),
        games_a_pair: args.games,
        openings: args.openings,
        seed: args.seed,
        players: lines,
        matches: matches.iter().map(pair).collect(),
    };
    args.format.print(&report, || text(&report))
}

fn text(report: &Report) -> String {
    let names = report
        .players
        .iter()
        .map(|line| line.player.chars().count());
    let width = names.max().unwrap_or(0).max(6);
    let mut text = format!(
        "{} ({} games a pair, {} random moves first, seed {})\n\n{:<width$}    Elo  ± 95 %  games  score\n",
        report.game, report.games_a_pair, report.openings, report.seed, "player"
    );
    for line in &report.players {
        let faults = match line.faults {
            0 => String::new(),
            faults => format!("  {faults} faults"),
        };
        text += &format!(
            "{:<width$} {:>+6.0}  {:>6.0}  {:>5}  {:.3}{faults}\n",
            line.player, line.elo, line.interval95, line.games, line.score
        );
    }
    text += &format!(
        "\n{:<pairs$}   won drawn  lost  score  95 %\n",
        "match",
        pairs = 2 * width + 2
    );
    for pair in &report.matches {
        let names = format!("{}, {}", pair.a, pair.b);
        let [low, high] = pair.ci95;
        text += &format!(
            "{names:<pairs$}  {:>4}  {:>4}  {:>4}  {:.3}  {low:.3} to {high:.3}\n",
            pair.wins_a,
            pair.draws,
            pair.wins_b,
            pair.score_a,
            pairs = 2 * width + 2
        );
    }
    text
}
