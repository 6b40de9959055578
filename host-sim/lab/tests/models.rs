//! The shipped models: made again bit for bit, and black proved exact on the path that the device takes.

use std::collections::HashMap;
use std::path::Path;

use dojo_core::bank::{Bank, CRC, Kind};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::thinking::{Question, answer};
use dojo_core::games::{AnyGame, DotsRules, GameId, Sticks, sticks::Solution, sticks::Take};
use dojo_core::players::belts::Source;
use dojo_lab::bank::{SHIPPED, pack::pack, pack::read_values};
use dojo_lab::certify::lost_win_of_dots;
use dojo_lab::games::dots::response::{State, reachable, score};
use dojo_lab::games::{
    dots::train as dots, dots::train_network as dots_network, go::train as go,
    iwoki::train as iwoki, sticks::train as sticks,
};
use dojo_lab::train::Course;

#[test]
fn the_shipped_bank_is_made_again_bit_for_bit() {
    let folders = ["sticks", "dots", "dots-published"].map(|name| {
        Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("models")
            .join(name)
    });
    let run = sticks::train(&sticks::SHIPPED, |_| {});
    sticks::write(&folders[0], &sticks::SHIPPED, &run, true).unwrap();
    for (folder, preset) in folders[1..]
        .iter()
        .zip([dots::Preset::Shipped, dots::Preset::Converging])
    {
        let plan = dots::Plan::new(preset);
        dots::write(folder, &plan, &dots::train(&plan, |_| {}), true).unwrap();
    }
    let kept = [
        "solved.txt",
        "iwoki",
        "dots-network",
        "go/perceptron",
        "go/mlp",
        "go/better",
        "go/eyes",
    ];
    let kept = kept.map(|name| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../models")
            .join(name)
    });
    let packed = pack(&[&folders[..], &kept].concat()).unwrap();
    let advice = "differs; if that is wanted, run `cargo xtask models` and say why in the commit";
    assert!(packed.bank == SHIPPED, "models/dojo.bank {advice}");
    assert!(
        packed.sidecar == include_str!("../../../models/dojo.txt"),
        "models/dojo.txt {advice}"
    );
}

/// The run of iwoki takes minutes and is kept; its first two checkpoints are learned again.
#[test]
fn the_kept_run_of_iwoki_begins_as_a_new_one_does() {
    let plan = iwoki::SHIPPED;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/iwoki");
    assert_eq!(
        std::fs::read_to_string(folder.join("settings.txt")).unwrap(),
        plan.text()
    );
    let mut course = iwoki::IwokiCourse::new(&plan).unwrap();
    for (name, age) in &plan.schedule().ages[..2] {
        course.play(age - course.games());
        let kept = read_values(&folder.join("checkpoints").join(format!("{name}.txt"))).unwrap();
        assert_eq!(course.values(), kept, "{name}");
    }
}

/// So is the run of the network for large boards of dots and boxes; its first checkpoint is learned again.
#[test]
fn the_kept_run_of_dots_begins_as_a_new_one_does() {
    let plan = dots_network::SHIPPED;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/dots-network");
    assert_eq!(
        std::fs::read_to_string(folder.join("settings.txt")).unwrap(),
        plan.text()
    );
    let mut course = dots_network::NetworkCourse::new(&plan).unwrap();
    let (name, age) = &plan.schedule().ages[0];
    course.play(*age);
    assert_eq!(
        course.values(),
        read_values(&folder.join("checkpoints").join(format!("{name}.txt"))).unwrap()
    );
}

#[test]
fn the_kept_runs_of_go_are_those_of_their_presets() {
    use go::Preset::{Better, Eyes, PublishedMlp, PublishedPerceptron};
    for preset in [PublishedPerceptron, PublishedMlp, Better, Eyes] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../models/go")
            .join(preset.model());
        let settings = std::fs::read_to_string(folder.join("settings.txt")).unwrap();
        assert_eq!(
            settings,
            go::Plan::new(preset).text(),
            "run `cargo xtask models`"
        );
    }
}

#[test]
fn the_entries_say_how_they_were_made() {
    let bank = Bank::new(SHIPPED).unwrap();
    let mut weaker = 0;
    for ((entry, belt), age) in bank.entries().zip(Belt::ALL).zip(sticks::SHIPPED.ages()) {
        let meta = entry.meta;
        assert_eq!(
            (meta.belt, meta.games, meta.seed, meta.date),
            (Some(belt), age.into(), 357, 20_261_116)
        );
        assert_eq!(
            meta.settings,
            CRC.checksum(sticks::SHIPPED.text().as_bytes())
        );
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
    assert_eq!(lost_win_of_dots(black.payload().unwrap()), None);
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
