//! `dojo patterns`: rules of moves in Go, induced from game records; read, drawn and measured.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dojo_core::rng::Rng;
use serde::Serialize;

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::games::go::patterns::check::{predict, scored};
use dojo_lab::games::go::patterns::examples::{Corpus, RECORDS, Reading, sample};
use dojo_lab::games::go::patterns::induce::{ClauseSearch, Examples, InductionSettings, induce};
use dojo_lab::games::go::patterns::negatives::{self, RANDOM_GAMES, random_stones};
use dojo_lab::games::go::patterns::text::{RuleFile, conditions, logic, reading};
use dojo_lab::games::go::patterns::{unite, weights, words};
use dojo_lab::games::go::published::rule_file;
use dojo_lab::output::{self, Format, Progress};

/// What to do with patterns.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Induce rules from recorded games and negative examples
    #[command(after_help = "Examples:\n  dojo patterns induce --samples 5 --out rules.tsv")]
    Induce(InduceArgs),
    /// Print rules as logic and in words
    #[command(after_help = "Examples:\n  dojo patterns show rules.tsv")]
    Show(Rules),
    /// Draw every rule as a small board diagram (SVG)
    #[command(after_help = "Examples:\n  dojo patterns draw rules.tsv --out rules.svg")]
    Draw(Draw),
    /// Measure how often recorded moves are among the best by a rule file
    #[command(after_help = "Examples:\n  dojo patterns check rules.tsv --records games.sgf")]
    Check(Check),
    /// Play games of a random player against GNU Go: the negative examples
    #[command(after_help = "Examples:\n  dojo patterns negatives --games 10 --out negatives.sgf")]
    Negatives(Negatives),
}

#[derive(clap::Args, Debug)]
struct InduceArgs {
    /// Positive examples, drawn from the training games (0: all of them)
    #[arg(long, default_value_t = 1500)]
    positives: usize,
    /// Negative examples, drawn from a random player's moves
    #[arg(long, default_value_t = 140)]
    negatives: usize,
    /// Most negatives that a rule may cover
    #[arg(long, default_value_t = 20)]
    noise: u32,
    /// Most clauses that the search for one rule looks at
    #[arg(long, default_value_t = 5000)]
    nodes: usize,
    /// Without captures, atari and connections among the predicates
    #[arg(long)]
    basic: bool,
    /// How symmetries are read
    #[arg(long, default_value = Reading::AboutThePoint.name(), value_parser = reading_parser())]
    reading: Reading,
    /// How clauses are searched
    #[arg(long, value_enum, default_value_t = ClauseSearch::BreadthFirst)]
    search: ClauseSearch,
    /// Learn the weights of the rules from all training games, instead of P − N
    #[arg(long)]
    weights: bool,
    /// Rules of this many samples together, with seeds from --seed on
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    samples: u64,
    /// Draws the examples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The rule file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace an earlier file
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args, Debug)]
struct Rules {
    /// A rule file, such as data/go-patterns/published.tsv
    file: PathBuf,
}

#[derive(clap::Args, Debug)]
struct Draw {
    #[command(flatten)]
    rules: Rules,
    /// The folder of the diagrams
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace earlier diagrams
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args, Debug)]
struct Check {
    #[command(flatten)]
    rules: Rules,
    /// SGF collection (if missing: the games of the project that are kept for tests)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

#[derive(clap::Args, Debug)]
struct Negatives {
    /// Games
    #[arg(long, default_value_t = 60)]
    games: u64,
    /// Seeds begin here
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The SGF collection to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace an earlier file
    #[arg(long)]
    force: bool,
}

/// Does it.
pub fn run(args: Args) -> Done {
    match args.task {
        Task::Induce(args) => induce_rules(&args),
        Task::Show(args) => show(&args),
        Task::Draw(args) => draw(&args),
        Task::Check(args) => check(&args),
        Task::Negatives(args) => {
            files::may_write(&args.out, args.force)?;
            let games = negatives::make(args.games, args.seed)?;
            files::write(&args.out, games.as_bytes(), args.force)
        }
    }
}

fn corpus(path: &Path, bytes: &[u8]) -> Result<Corpus, Failure> {
    Corpus::new(bytes).map_err(|fault| Failure::Check(format!("{}: {fault}", path.display())))
}

/// Names of readings in arguments.
fn reading_parser() -> impl TypedValueParser<Value = Reading> {
    PossibleValuesParser::new(Reading::ALL.map(Reading::name)).try_map(|name| reading(&name))
}

/// The project's own records, as they are called in messages.
const OWN: &str = "data/go9x9/pachi.sgf";

fn induce_rules(args: &InduceArgs) -> Done {
    files::may_write(&args.out, args.force)?;
    let settings = InductionSettings {
        nodes: args.nodes,
        richer: !args.basic,
        reading: args.reading,
        search: args.search,
        ..InductionSettings::published(args.noise)
    };
    let training = corpus(Path::new(OWN), RECORDS)?.training_stones();
    let random = random_stones(RANDOM_GAMES).map_err(Failure::check)?;
    let count = match args.positives {
        0 => training.len(),
        count => count.min(training.len()),
    };
    let progress = Progress::new("positives covered", args.samples * count as u64);
    let mut rules = vec![];
    let mut negatives = 0;
    for seed in (0..args.samples).map(|number| args.seed.wrapping_add(number)) {
        let mut rng = Rng::new(seed);
        let examples = Examples::new(
            &sample(&training, count, &mut rng),
            &sample(&random, args.negatives, &mut rng),
        );
        negatives = examples.negative.len();
        let mut covered = 0;
        let found = induce(&examples, &settings, |done| {
            (covered..done).for_each(|_| progress.tick());
            covered = done;
        });
        unite(&mut rules, found);
    }
    drop(progress);
    if args.weights {
        weights::learn(&mut rules, args.reading, &training);
    }
    let rule_count = rules.len();
    let file = RuleFile {
        reading: args.reading,
        rules,
    };
    files::write(&args.out, file.to_string().as_bytes(), args.force)?;
    output::print(&format!(
        "{rule_count} rules from {} of {count} positives and {negatives} negatives: {}\n",
        match args.samples {
            1 => "a sample".into(),
            samples => format!("{samples} samples"),
        },
        args.out.display()
    ))
}

fn show(args: &Rules) -> Done {
    let file = rule_file(&args.file)?;
    let mut text = String::new();
    for rule in &file.rules {
        text += &format!(
            "{:>3}  +{} −{}  weight {}  {}\n     {}\n     {}\n",
            rule.number,
            rule.positives,
            rule.negatives,
            rule.weight,
            words::in_words(&rule.clause),
            conditions(&rule.clause),
            logic(&rule.clause)
        );
    }
    output::print(&text)
}

fn draw(args: &Draw) -> Done {
    let file = rule_file(&args.rules.file)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::file(&args.out, &error))?;
    for rule in &file.rules {
        let title = format!(
            "Rule {}: +{} −{}",
            rule.number, rule.positives, rule.negatives
        );
        let svg = words::diagram(&title, &rule.clause);
        let path = args.out.join(format!("rule-{:02}.svg", rule.number));
        files::write(&path, svg.as_bytes(), args.force)?;
    }
    output::print(&format!(
        "{} diagrams in {}\n",
        file.rules.len(),
        args.out.display()
    ))
}

/// How a rule file predicts recorded moves.
#[derive(Serialize)]
struct Checked {
    rules: usize,
    positions: usize,
    first: f64,
    within_5: f64,
    within_20: f64,
}

fn check(args: &Check) -> Done {
    let file = rule_file(&args.rules.file)?;
    let positions = match &args.records {
        Some(path) => {
            let corpus = corpus(path, &files::read(path)?)?;
            [corpus.training_stones(), corpus.test].concat()
        }
        None => corpus(Path::new(OWN), RECORDS)?.test,
    };
    let found = predict(&positions, |game, points| {
        scored(&file.rules, file.reading, game, points)
    });
    let checked = Checked {
        rules: file.rules.len(),
        positions: found.positions,
        first: found.within(1),
        within_5: found.within(5),
        within_20: found.within(20),
    };
    args.format.print(&checked, || {
        format!(
            "{} rules, {} positions: the recorded move is first in {:.1} %, among the best 5 in {:.1} %, \
             among the best 20 in {:.1} %\n",
            checked.rules,
            checked.positions,
            100.0 * checked.first,
            100.0 * checked.within_5,
            100.0 * checked.within_20
        )
    })
}
