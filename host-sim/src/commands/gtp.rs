//! `dojo gtp`: the players of Go for programs that speak the Go Text Protocol.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use dojo_core::bank::Bank;
use dojo_core::games::go::GoMove;
use dojo_core::games::go::players::{learned_settings, tree_settings};
use dojo_core::games::{GameId, Go, GoRules};
use dojo_core::rng::Rng;

use dojo_lab::bank::{SHIPPED, refused};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::games::go::gtp::engine::{Engine, Thinker};
use dojo_lab::games::go::gtp::protocol::read_line;
use dojo_lab::games::go::of_belt;
use dojo_lab::output;
use dojo_lab::players::{ArenaPlayer, Spec};
use dojo_lab::rules::Options;

/// ArenaPlayer, budget and bank.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The player, as in `dojo arena go`
    #[arg(long, default_value = "belt:black")]
    player: String,
    /// Budget of a move: playouts=N (mcts), nodes=N (search), device:10s (what the device manages
    /// in that time)
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The bank of belts and networks, instead of the shipped one
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

/// Answers commands from standard input until `quit` or the end of the input.
pub fn run(args: Args) -> Done {
    let rules = args.options.rules::<Go>()?;
    let spec: Spec = args
        .player
        .parse()
        .map_err(|error| Failure::Usage(format!("--player {}: {error}", args.player)))?;
    let spec = match &args.budget {
        Some(budget) => spec
            .with_budget(budget, GameId::Go)
            .map_err(|error| Failure::Usage(format!("--budget {budget}: {error}")))?,
        None => spec,
    };
    let (name, bytes) = match &args.bank {
        Some(file) => (file.clone(), dojo_lab::bank::read(file)?),
        None => ("the shipped bank".into(), SHIPPED.to_vec()),
    };
    let bank = Bank::new(&bytes).map_err(|error| refused(&name, &error))?;
    if let (Some(budget), Some(spends)) = (&args.budget, spec.spends()) {
        output::warn(&format!("{budget}: {spends} a move"));
    }
    let player = ArenaPlayer::new(&spec, rules, &bank)?;
    let seated = GtpThinker {
        spec,
        player,
        bank: &bank,
        rules,
        rng: Rng::new(args.seed),
        pace: None,
    };
    let mut engine = Engine::new(
        seated,
        &format!("Pocket Dojo {}", args.player),
        rules,
        args.seed,
    );
    let mut input = std::io::stdin().lock();
    let broken = |error| Failure::Usage(format!("stdin: {error}"));
    while let Some(line) = read_line(&mut input).map_err(broken)? {
        if let Some(answer) = engine.answer(&line) {
            output::print(&answer)?;
        }
        if engine.quits() {
            break;
        }
    }
    Ok(())
}

/// The player with a share of its usual budget; a belt becomes its own search with fewer playouts.
fn hurried(spec: &Spec, bank: &Bank<'_>, share: f64) -> Option<Spec> {
    match spec {
        Spec::Belt(belt) if of_belt(bank, *belt).is_some() => Spec::Policy {
            file: belt.name().into(),
            playouts: learned_settings(*belt).playouts,
            trust: [None; 4],
        }
        .spending(share),
        Spec::Belt(belt) | Spec::Rules(belt) => Spec::Mcts {
            playouts: tree_settings(*belt).playouts,
            rave: 0,
        }
        .spending(share),
        other => other.spending(share),
    }
}

/// The player of the GTP engine, with its speed.
struct GtpThinker<'a> {
    spec: Spec,
    player: ArenaPlayer<'a, Go>,
    bank: &'a Bank<'a>,
    rules: GoRules,
    rng: Rng,
    /// Time of the last move, scaled to the full budget.
    pace: Option<Duration>,
}

impl Thinker for GtpThinker<'_> {
    fn think(&mut self, game: &Go, time: Option<Duration>) -> Option<GoMove> {
        // With less time than a full move takes, the budget shrinks in proportion.
        let hurry = match (time, self.pace) {
            (Some(time), Some(pace)) if time < pace => {
                Some(time.as_secs_f64() / pace.as_secs_f64())
            }
            // The speed is not known yet: assume ten seconds for a full first move.
            (Some(time), None) if time < Duration::from_secs(10) => Some(time.as_secs_f64() / 10.0),
            _ => None,
        };
        let hurried = hurry.and_then(|share| Some((share, hurried(&self.spec, self.bank, share)?)));
        let begun = Instant::now();
        let (mv, share) = match hurried {
            Some((share, spec)) => (
                ArenaPlayer::new(&spec, self.rules, self.bank)
                    .ok()?
                    .choose(game, &mut self.rng),
                share.max(0.01),
            ),
            None => (self.player.choose(game, &mut self.rng), 1.0),
        };
        self.pace = Some(begun.elapsed().div_f64(share));
        mv
    }

    fn seed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::belt::Belt;

    #[test]
    fn the_default_player_spends_less_when_time_is_short() {
        let bank = Bank::new(SHIPPED).unwrap();
        let playouts = |spec: Spec, share| match hurried(&spec, &bank, share) {
            Some(Spec::Mcts { playouts, .. }) => playouts,
            Some(Spec::Policy { file, playouts, .. }) if file.to_str() == Some("black") => playouts,
            other => panic!("{other:?}"),
        };
        let [learned, rules] =
            [Spec::Belt(Belt::Black), Spec::Rules(Belt::Black)].map(|spec| playouts(spec, 0.5));
        assert_eq!(learned, learned_settings(Belt::Black).playouts / 2);
        assert_eq!(rules, tree_settings(Belt::Black).playouts / 2);
        let black = || Spec::Belt(Belt::Black);
        assert!(playouts(black(), 0.01) < playouts(black(), 0.1));
    }
}
