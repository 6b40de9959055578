//! `dojo bench`: a hash that changes when play changes, and the speed of the search.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dojo_core::game::{Game, GameMove};
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::games::iwoki::{FinalCounts, Form};
use dojo_core::games::{GameId, Iwoki, IwokiRules, TicTacToe};
use dojo_core::players::{Agent, Searchable};
use dojo_core::rng::Rng;
use dojo_core::search::{Engine, Limits, Plan, Ranked, Results, Settings, Slot};
use dojo_core::with_game;
use serde::Serialize;

use crate::source_tree;
use dojo_lab::failure::Done;
use dojo_lab::output::{Format, Progress};
use dojo_lab::search::mcts::{Mcts, Node, Open, Playouts, Uniform};
use dojo_lab::search::minimax;

mod device;
mod pupils;

/// Selection of the measurements and form of the output.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Measure the firmware in the emulator instead: an ELF file, by default, in the source tree,
    /// the current firmware
    #[arg(long, value_name = "ELF", num_args = 0..=1)]
    device: Option<Option<PathBuf>>,
    /// Only this part of the measurements on the device
    #[arg(long, requires = "device")]
    part: Option<device::Part>,
    /// Only the answers of this game on the device
    #[arg(long, requires = "device", value_parser = dojo_lab::rules::GAME)]
    game: Option<dojo_core::games::GameId>,
    #[command(flatten)]
    format: Format,
}

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name of the measurement.
    pub name: Cow<'static, str>,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Name of the reference.
    pub reference: &'static str,
    /// The figure divided by that of the reference.
    pub ratio: f64,
}

#[derive(Serialize)]
struct Report {
    hash: String,
    hash_up_to: std::collections::BTreeMap<&'static str, String>,
    entries: Vec<Entry>,
}

/// Measures and prints.
pub fn run(args: Args) -> Done {
    if let Some(image) = args.device {
        let image = image.map_or_else(|| source_tree::firmware("pico"), Ok)?;
        return device::run(&image, args.part, args.game, args.format);
    }
    let progress = Progress::new("measurements", (GameId::ALL.len() + SPEEDS) as u64);
    let hashes = hashes(&progress);
    let text = |hash: u64| format!("{hash:016x}");
    let report = Report {
        hash: text(hashes.last().map_or(0, |(_, hash)| *hash)),
        hash_up_to: hashes
            .iter()
            .map(|&(id, hash)| (id.name(), text(hash)))
            .collect(),
        entries: speeds(&progress),
    };
    drop(progress);
    args.format.print(&report, || {
        format!("hash {}\n", report.hash) + &table(&report.entries)
    })
}

fn table(entries: &[Entry]) -> String {
    let line = |Entry {
                    name,
                    value,
                    unit,
                    reference,
                    ratio,
                }: &Entry| {
        let digits = usize::from(*value < 1000.0);
        format!("{name:34} {value:>14.digits$} {unit:12} {reference:>16} {ratio:>8.3}\n")
    };
    entries.iter().map(line).collect()
}

/// Positions of each game that go into the hash.
const POSITIONS: u64 = 40;

/// Hashes moves, values and node counts over fixed positions of every game: another hash means
/// other play. Returns the hash after each game: adding a game last leaves the earlier hashes as
/// they are.
fn hashes(progress: &Progress) -> Vec<(GameId, u64)> {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    let mut up_to = |id| {
        hash = with_game!(id, G => game_hash::<G>(hash));
        progress.tick();
        (id, hash)
    };
    GameId::ALL.map(&mut up_to).to_vec()
}

fn game_hash<G: Searchable>(mut hash: u64) -> u64 {
    let mut mix = |number: u64| {
        hash = (hash ^ number)
            .wrapping_mul(0x0100_0000_01B3)
            .rotate_left(23)
    };
    for seed in 0..POSITIONS {
        let mut rng = Rng::new(seed);
        let mut game = G::new(G::Rules::default());
        for _ in 0..seed % 5 {
            let next = game.after(rng.pick(game.legal_moves()).expect("the game is on"));
            if next.is_over() {
                break;
            }
            game = next;
        }
        let (mut slots, mut moves) = (vec![Slot::default(); 512], vec![Ranked::default(); 256]);
        let plan = Plan {
            limits: Limits::nodes(3000),
            ..Plan::new(G::Knowledge::default())
        };
        let found = Engine::new(&mut slots, &mut moves).think(&game, &plan, &mut ());
        mix(u64::from(found.mv.map_or(u16::MAX, GameMove::index)));
        mix(found.value as u64);
        mix(found.stats.nodes.into());
        let mut pool = vec![Node::default(); 300];
        let mut mcts = Mcts::new(
            &mut pool,
            Playouts {
                rave: 50,
                ..Playouts::new(Uniform)
            },
        );
        let found = mcts.think(&game, &Open, &Limits::nodes(200), &mut rng, &mut ());
        mix(u64::from(found.mv.map_or(u16::MAX, GameMove::index)));
        mix(found.value as u64);
    }
    hash
}

/// Best of several short rounds.
fn a_second(run: &dyn Fn() -> u32) -> f64 {
    let round = || {
        let (start, mut nodes) = (Instant::now(), 0u64);
        while start.elapsed() < Duration::from_millis(50) {
            nodes += u64::from(run());
        }
        nodes as f64 / start.elapsed().as_secs_f64()
    };
    (0..6).map(|_| round()).fold(0.0, f64::max)
}

/// A game of iwoki after eight actions of the greedy player.
fn middle_of_iwoki() -> Iwoki {
    let mut game = Iwoki::new(IwokiRules {
        form: Form::Open,
        deal: 5,
    });
    for _ in 0..8 {
        Greedy
            .choose(&game, &mut Rng::new(1))
            .into_iter()
            .for_each(|action| game.play_unchecked(action));
    }
    game
}

/// How many speeds are measured.
const SPEEDS: usize = 6;

fn speeds(progress: &Progress) -> Vec<Entry> {
    let a_second = |run: &dyn Fn() -> u32| {
        let speed = a_second(run);
        progress.tick();
        speed
    };
    let game = TicTacToe::new(Default::default());
    let look = |settings: Settings| {
        let (mut slots, mut moves) = ([Slot::default(); 2048], [Ranked::default(); 81]);
        let plan = Plan {
            settings,
            ..Plan::new(Results)
        };
        Engine::new(&mut slots, &mut moves)
            .look(&game, &plan, &mut ())
            .stats
            .nodes
    };
    let minimax = a_second(&|| {
        minimax(
            std::hint::black_box(&game),
            &Results,
            &Limits::NONE,
            &mut (),
        )
        .stats
        .nodes
    });
    let playouts = a_second(&|| {
        let mut pool = vec![Node::default(); 4000];
        let mut mcts = Mcts::new(&mut pool, Playouts::new(Uniform));
        mcts.think(
            &game,
            &Open,
            &Limits::nodes(2000),
            &mut Rng::new(1),
            &mut (),
        )
        .stats
        .nodes
    });
    let iwoki = a_second(&|| {
        let plan = Plan {
            settings: Settings::PLAIN,
            limits: Limits::depth(4),
            ..Plan::new(FinalCounts)
        };
        Engine::new(&mut [], &mut [])
            .look(std::hint::black_box(&middle_of_iwoki()), &plan, &mut ())
            .stats
            .nodes
    });
    let table = Settings {
        table: true,
        ..Settings::PLAIN
    };
    let all: [_; SPEEDS] = [
        ("minimax", minimax, "nodes/s"),
        ("alpha-beta", a_second(&|| look(Settings::PLAIN)), "nodes/s"),
        ("alpha-beta+table", a_second(&|| look(table)), "nodes/s"),
        ("all sound", a_second(&|| look(Settings::SOUND)), "nodes/s"),
        ("uct", playouts, "playouts/s"),
        ("iwoki alpha-beta", iwoki, "nodes/s"),
    ];
    all.map(|(name, value, unit)| Entry {
        name: name.into(),
        value,
        unit,
        reference: "minimax",
        ratio: value / minimax,
    })
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit that changes this number changes how the machine plays, and has to say so.
    #[test]
    fn play_is_as_it_was() {
        let hashes = hashes(&Progress::counting("games"));
        let up_to = |game| {
            let (_, hash) = hashes.iter().find(|(id, _)| *id == game).unwrap();
            format!("{hash:016x}")
        };
        // The first five games, since before there was a sixth.
        assert_eq!(up_to(GameId::Go), "d926eaa2b53b919e");
        assert_eq!(up_to(GameId::Connect4), "ae58ca08ab5ba0a4");
    }
}
