use dojo_core::games::go::players::CapturePlayer;
use dojo_core::players::Agent;
use dojo_core::rng::Rng;
use proptest::prelude::*;

use super::*;

/// A quick player whose moves depend on the seed alone.
struct Quick(Rng);

impl Thinker for Quick {
    fn think(&mut self, game: &Go, _: Option<Duration>) -> Option<GoMove> {
        CapturePlayer.choose(game, &mut self.0)
    }

    fn seed(&mut self, seed: u64) {
        self.0 = Rng::new(seed);
    }
}

fn engine() -> Engine<Quick> {
    Engine::new(Quick(Rng::new(0)), "dojo", GoRules::default(), 1)
}

/// The answers to these lines.
fn talk(lines: &[&str]) -> Vec<String> {
    let mut engine = engine();
    lines
        .iter()
        .map(|line| {
            engine
                .answer(line)
                .unwrap_or_default()
                .trim_end()
                .to_owned()
        })
        .collect()
}

fn last(lines: &[&str]) -> String {
    talk(lines).pop().unwrap()
}

#[test]
fn the_protocol_is_kept() {
    assert_eq!(
        talk(&[
            "1 protocol_version",
            "name",
            "# nothing",
            "2",
            "foo",
            "3 known_command play"
        ]),
        [
            "=1 2",
            "= dojo",
            "",
            "?2 unknown command",
            "? unknown command",
            "=3 true",
        ]
    );
    assert_eq!(last(&["known_command foo"]), "= false");
    assert!(last(&["list_commands"]).lines().count() >= 25);
    let mut engine = engine();
    engine.answer("quit");
    assert!(engine.quits());
}

#[test]
fn faults_have_the_texts_of_the_protocol() {
    for (lines, fault) in [
        (&["boardsize 19"][..], "unacceptable size"),
        (&["boardsize 1000000000000"], "syntax error"),
        (&["boardsize"], "syntax error"),
        (&["boardsize x"], "syntax error"),
        (&["play black"], "syntax error"),
        (&["play green d4"], "syntax error"),
        (&["play b i5"], "syntax error"),
        (&["play b k1"], "syntax error"),
        (&["boardsize 5", "play b f1"], "syntax error"),
        (&["play b d4", "play w D4"], "illegal move"),
        (&["komi x"], "syntax error"),
        (&["komi nan"], "syntax error"),
        (
            &["komi 1e300"],
            "unacceptable komi: whole or half points from -81 to 81",
        ),
        (
            &["komi 6.3"],
            "unacceptable komi: whole or half points from -81 to 81",
        ),
        (&["undo"], "cannot undo"),
        (&["fixed_handicap 1"], "invalid number of stones"),
        (
            &["boardsize 7", "fixed_handicap 5"],
            "invalid number of stones",
        ),
        (&["play b d4", "fixed_handicap 2"], "board not empty"),
        (&["set_free_handicap d4"], "bad vertex list"),
        (&["set_free_handicap d4 d4"], "bad vertex list"),
        (&["set_free_handicap d4 pass"], "bad vertex list"),
        (&["time_left b"], "syntax error"),
        (&["final_status_list"], "syntax error"),
        (&["final_status_list all"], "syntax error"),
        (&["genmove"], "syntax error"),
    ] {
        assert_eq!(last(lines), format!("? {fault}"), "{lines:?}");
    }
    assert!(last(&["loadsgf /no/such/file"]).starts_with("? cannot load file: "));
}

#[test]
fn moves_are_played_and_taken_back() {
    assert_eq!(last(&["play B D4", "play w e4", "undo", "play w e4"]), "=");
    let board = last(&[
        "boardsize 5",
        "play b a1",
        "play w b1",
        "play b b2",
        "play w a2",
        "showboard",
    ]);
    assert!(board.contains(" 2(O X . . . 2"), "{board}");
    assert!(board.contains("white has taken 1"), "{board}");
    assert_eq!(
        last(&["gogui-play_sequence b d4 w d5", "undo", "undo", "undo"]),
        "? cannot undo"
    );
    assert_eq!(
        last(&["gogui-play_sequence b d4 w d4", "undo"]),
        "? cannot undo",
        "all or nothing"
    );
    assert_eq!(
        last(&[
            "play b pass",
            "play w pass",
            "play b d4",
            "play b e5",
            "gg-undo 4"
        ]),
        "="
    );
}

#[test]
fn handicaps_and_komi_change_the_game() {
    assert_eq!(last(&["fixed_handicap 3"]), "= C3 C7 G7");
    assert_eq!(last(&["boardsize 7", "fixed_handicap 4"]), "= C3 E3 C5 E5");
    assert_eq!(
        last(&[
            "set_free_handicap A1 B2",
            "komi 0.5",
            "play w e5",
            "final_score"
        ])
        .chars()
        .next(),
        Some('=')
    );
    assert_eq!(last(&["komi -3", "get_komi"]), "= -3");
    assert_eq!(
        last(&["fixed_handicap 2", "clear_board", "fixed_handicap 2"]),
        "= C3 G7"
    );
}

#[test]
fn generated_moves_are_legal_to_the_end_and_counted() {
    let mut engine = engine();
    engine.answer("boardsize 5");
    for number in 0.. {
        let answer = engine
            .answer(["genmove b", "genmove w"][number % 2])
            .unwrap();
        assert!(answer.starts_with("= "), "{answer}");
        if engine.game().is_over() {
            break;
        }
        assert!(number < 400);
    }
    let score = engine.answer("final_score").unwrap();
    assert!(
        score.starts_with("= B+") || score.starts_with("= W+"),
        "{score}"
    );
    let listed = |status: &str, engine: &mut Engine<Quick>| {
        let list = engine
            .answer(&format!("final_status_list {status}"))
            .unwrap();
        list[1..].split_whitespace().count() as u32
    };
    let all = engine.game().stones().all().len();
    assert_eq!(
        listed("alive", &mut engine) + listed("dead", &mut engine) + listed("seki", &mut engine),
        all
    );
    assert_eq!(
        engine
            .answer("reg_genmove b")
            .unwrap()
            .trim_end()
            .len()
            .min(4),
        4
    );
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed: &str| {
        let mut engine = engine();
        engine.answer(seed);
        (0..20)
            .map(|n| engine.answer(["genmove b", "genmove w"][n % 2]).unwrap())
            .collect::<String>()
    };
    assert_eq!(game("set_random_seed 5"), game("set_random_seed 5"));
    assert_ne!(game("set_random_seed 5"), game("set_random_seed 6"));
}

#[test]
fn files_are_loaded_and_printed() {
    let path = std::env::temp_dir().join(format!("dojo-gtp-{}.sgf", std::process::id()));
    std::fs::write(&path, "(;SZ[5];B[aa];W[bb];B[cc])").unwrap();
    let load = format!("loadsgf {}", path.display());
    assert_eq!(talk(&[&load, &format!("{load} 2")]), ["= white", "= white"]);
    assert_eq!(talk(&[&format!("{load} 3"), "play b c3"]), ["= black", "="]);
    let printed = last(&[&load, "printsgf"]);
    assert!(printed.ends_with(";B[aa];W[bb];B[cc])"), "{printed}");
    std::fs::remove_file(path).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_line_breaks_the_engine(lines in prop::collection::vec(
        prop_oneof![
            "[0-9]{0,3} ?[ -~\t]{0,40}",
            r"(boardsize|komi|fixed_handicap|place_free_handicap|undo|gg-undo) (-?[0-9]{1,2}(\.5)?|x|)",
            r"play (b|w|black|WHITE|x) ([a-kA-K][0-9]{1,2}|pass|resign)",
            r"(set_free_handicap|gogui-play_sequence)( [a-j][1-9]){0,4}",
            r"(time_settings|time_left)( (b|w|[0-9]{1,10})){0,3}",
            r"(final_status_list (dead|alive|seki)|showboard|printsgf|clear_board|loadsgf x|dojo-territory)",
        ], 0..40))
    {
        let mut engine = engine();
        for line in &lines {
            if let Some(answer) = engine.answer(line) {
                prop_assert!(answer.starts_with(['=', '?']) && answer.ends_with("\n\n"), "{line}: {answer}");
                prop_assert!(!answer.trim_end().contains("\n\n"));
            }
        }
    }
}
