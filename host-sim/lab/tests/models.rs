//! The shipped models: reproduced bit for bit, and black proved exact through the code that the
//! device runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dojo_core::bank::{Bank, CRC, Kind};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyGame, DotsRules, GameId, Sticks, sticks::Solution, sticks::Take};
use dojo_core::players::belts::Source;
use dojo_lab::bank::{SHIPPED, pack::pack, pack::read_values};
use dojo_lab::games::dots::certify::{DotsTable, lost_win_of_dots};
use dojo_lab::games::dots::response::{State, reachable, score};
use dojo_lab::games::go::policy;
use dojo_lab::games::go::shards::{SelfPlayGames, SelfPlayRun};
use dojo_lab::train::shipped::{self, ShippedRun};
use dojo_lab::train::{Curriculum, Overrides, curriculum, pictures, train, write};

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn usual(run: &ShippedRun) -> Box<dyn Curriculum> {
    curriculum(run.game, run.preset, &Overrides::default()).unwrap()
}

fn is_kept(run: &ShippedRun) -> bool {
    run.folder.starts_with("models/")
}

#[test]
fn the_shipped_bank_is_made_again_bit_for_bit() {
    let mut sources = vec![];
    for (source, run) in shipped::sources() {
        let Some(run) = run.filter(|run| !is_kept(run)) else {
            sources.push(repository(source));
            continue;
        };
        let folder = source.strip_prefix("target/").unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let trained = train(&*usual(&run), |_| {}).unwrap();
        write(&folder, &*usual(&run), &trained, true).unwrap();
        sources.push(folder);
    }
    let packed = pack(&sources).unwrap();
    let advice = "differs; if that is wanted, run `cargo xtask models` and say why in the commit";
    assert!(packed.bank == SHIPPED, "models/dojo.bank {advice}");
    assert!(
        packed.sidecar == include_str!("../../../models/dojo.txt"),
        "models/dojo.txt {advice}"
    );
}

/// Kept runs take minutes, so only their beginnings are learned again: all checkpoints of up to 100
/// games.
#[test]
fn kept_runs_begin_as_new_ones_do() {
    let mut compared = 0;
    for run in shipped::runs().filter(is_kept) {
        let (folder, curriculum) = (repository(run.folder), usual(&run));
        let settings = std::fs::read_to_string(folder.join("settings.txt")).unwrap();
        assert_eq!(settings, curriculum.settings(), "run `cargo xtask models`");
        let mut learner = curriculum.learner().unwrap();
        let young = curriculum.checkpoints().into_iter();
        for (name, age) in young.filter(|&(_, age)| age < 100) {
            learner.play(age - learner.games());
            let kept = folder.join("checkpoints").join(format!("{name}.txt"));
            assert_eq!(learner.values(), read_values(&kept).unwrap(), "{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 3, "two of iwoki, one of dots and boxes");
}

/// The youngest policy of Go has ten games, which are played and learned again here; `cargo xtask
/// generations` does that for all.
#[test]
fn the_youngest_policy_of_go_is_learned_again() {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-white");
    let [games, out] = ["games", "run"].map(|name| base.join(name));
    let run = SelfPlayRun {
        size: 9,
        playouts: 200,
        seed: 1,
        policy: None,
    };
    run.play(10, "1/1".parse().unwrap(), &games, || {}).unwrap();
    let run = policy::train(&SelfPlayGames::read(&[games]).unwrap(), 1).unwrap();
    run.write(&out, Some(Belt::White), 20_261_118, true)
        .unwrap();
    let kept = repository("models/go/policy-white");
    for file in [
        "bank.txt",
        "settings.txt",
        "report.md",
        "checkpoints/policy.txt",
    ] {
        let [new, old] = [&out, &kept].map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(
            new == old,
            "{file}: `cargo xtask generations` learns it again"
        );
    }
}

/// With `DOJO_BLESS` set it draws them again, which takes no training.
#[test]
fn kept_runs_have_the_pictures_of_their_logs() {
    let mut compared = 0;
    for run in shipped::runs().filter(is_kept) {
        let folder = repository(run.folder);
        let log = std::fs::read_to_string(folder.join("log.csv")).unwrap();
        for (name, picture) in pictures(run.game.name(), &log) {
            let place = folder.join(name);
            if std::env::var_os("DOJO_BLESS").is_some() {
                std::fs::write(&place, &picture).unwrap();
            }
            let kept = std::fs::read_to_string(&place).unwrap_or_default();
            assert!(
                kept == picture,
                "{}: run this test with DOJO_BLESS=1",
                place.display()
            );
            compared += 1;
        }
    }
    assert_eq!(
        compared, 11,
        "one of dots, two each of iwoki and of the networks of Go"
    );
}

#[test]
fn the_entries_say_how_they_were_made() {
    let bank = Bank::new(SHIPPED).unwrap();
    let mut weaker = 0;
    let sticks = curriculum(GameId::Sticks, "shipped", &Overrides::default()).unwrap();
    let ages = sticks.checkpoints().into_iter().map(|(_, age)| age);
    for ((entry, belt), age) in bank.entries().zip(Belt::ALL).zip(ages) {
        let meta = entry.meta;
        assert_eq!(
            (meta.belt, meta.games, meta.seed, meta.date),
            (Some(belt), age.into(), 357, 20_261_116)
        );
        assert_eq!(meta.settings, CRC.checksum(sticks.settings().as_bytes()));
        assert!(meta.strength > weaker, "strength grows with age");
        weaker = meta.strength;
    }
}

#[test]
fn black_of_dots_is_exact_and_near_the_limit() {
    let bank = Bank::new(SHIPPED).unwrap();
    let black = bank
        .find(GameId::Dots, Kind::ValueTable, Belt::Black)
        .unwrap();
    assert_eq!(
        lost_win_of_dots(DotsTable::ValueTable, black.payload().unwrap()),
        None
    );
    let rules = DotsRules::default();
    for (opponent, least) in [
        (Opponent::Random, 0.998),
        (Opponent::Smart { slips: 0 }, 0.999_999),
    ] {
        let choose = |state: State| {
            // As the console asks it.
            let question = Question {
                game: AnyGame::Dots(state.game(rules)),
                belt: Belt::Black,
                seed: 0,
                may_resign: false,
                ancestor: None,
            };
            answer(&question, Some(&bank))
                .and_then(|answer| answer.index())
                .map_or(0, |index| index as u8)
        };
        let states: Vec<_> = reachable();
        let moves: HashMap<_, _> = states
            .iter()
            .map(|&state| ((state.edges, state.boxes, state.started), choose(state)))
            .collect();
        let known = |state: State| {
            let first = (!state.edges).trailing_zeros() as u8;
            moves
                .get(&(state.edges, state.boxes, state.started))
                .copied()
                .unwrap_or(first)
        };
        let score = score(rules, opponent, 0, known).average();
        assert!(score >= least, "{score}");
    }
}

/// Whether black, asked as the console asks it, wins every line of play from here.
fn wins_all(game: Sticks, bank: &Bank<'_>, known: &mut HashMap<[u8; 3], bool>) -> bool {
    if let Some(&known) = known.get(&game.sticks()) {
        return known;
    }
    let question = Question {
        game: AnyGame::Sticks(game),
        belt: Belt::Black,
        seed: 0,
        may_resign: false,
        ancestor: None,
    };
    let answer = answer(&question, Some(bank)).expect("the game is on");
    assert_eq!(answer.source, Source::Brain);
    let mut left = game;
    left.play(Take::from_index(answer.index().expect("a move")).expect("a move"))
        .expect("a legal move");
    let won = |end: &Sticks| {
        end.outcome()
            .map(|outcome| outcome.value_for(game.turn()) == 1)
    };
    let wins = won(&left).unwrap_or_else(|| {
        left.legal_moves().all(|reply| {
            let next = left.after(reply);
            won(&next).unwrap_or_else(|| wins_all(next, bank, known))
        })
    });
    known.insert(game.sticks(), wins);
    wins
}

#[test]
fn black_wins_from_every_won_state_against_every_reply() {
    let bank = Bank::new(SHIPPED).unwrap();
    let solution = Solution::new(true);
    let start = Sticks::new(Default::default());
    let mut known = HashMap::new();
    let (mut won, mut lost) = (0, 0);
    for number in 1..192u8 {
        let game = start.with_sticks([number / 48, number / 8 % 6, number % 8]);
        let wins = wins_all(game, &bank, &mut known);
        if solution.is_won(game.triple()) {
            assert!(wins, "{game}: won, but black lets it go");
            won += 1;
        } else {
            assert!(!wins, "{game}: nobody wins this against every reply");
            lost += 1;
        }
    }
    assert_eq!((won, lost), (167, 24), "192 states, one of them empty");
}
