//! The built program from the outside: what it prints, how it refuses, what it never overwrites.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dojo_core::bank::{Bank, ENTRY, HEADER, HEADER_CRC, header_crc};
use dojo_lab::bank::SHIPPED;
use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dojo"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs with `input` on standard input.
fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The object that a command prints: exactly one line.
fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    let line = text(&output.stdout);
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    serde_json::from_str(line).unwrap()
}

/// One line on stderr that starts with the program's name and holds `words`, and this exit code.
fn says(output: &Output, code: i32, words: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(message.starts_with("dojo: "), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` in: {message}");
    }
}

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("cli")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().into()
}

const BANK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/dojo.bank");

/// The shipped bank with a byte of its first entry changed and the checksum made right again.
fn altered(offset: usize, byte: u8) -> Vec<u8> {
    let mut bytes = SHIPPED.to_vec();
    bytes[HEADER + offset] = byte;
    let entries = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let crc = header_crc(&bytes[..HEADER], &bytes[HEADER..HEADER + entries * ENTRY]);
    bytes[HEADER_CRC..HEADER].copy_from_slice(&crc.to_le_bytes());
    bytes
}

#[test]
fn perft_counts() {
    for (depth, nodes) in [("9", 127_872), ("5", 15_120), ("0", 1), ("10", 0)] {
        let report = json(&["perft", "tictactoe", depth, "--json"]);
        assert_eq!(report["nodes"], nodes);
        assert_eq!(
            (&report["game"], report["depth"].to_string()),
            (&"tictactoe".into(), depth.into())
        );
    }
    assert_eq!(
        json(&[
            "perft", "sticks", "4", "--rows", "4,4", "--misere", "no", "--json"
        ])["nodes"],
        346
    );
    let listing = run(&["perft", "sticks", "3"]);
    let last: Vec<_> = text(&listing.stdout)
        .lines()
        .map(|line| line.split_whitespace().last().unwrap())
        .collect();
    assert_eq!(last, ["nodes", "1", "15", "176", "1588"]);
}

#[test]
fn solve_counts_states() {
    let sticks = json(&["solve", "sticks", "--json"]);
    for (key, value) in [
        ("states", 192),
        ("lost", 24),
        ("won", 168),
        ("drawn", 0),
        ("value", 1),
    ] {
        assert_eq!(sticks[key], value, "{key}");
    }
    let tictactoe = json(&["solve", "tictactoe", "--json"]);
    for (key, value) in [("value", 0), ("states", 5478), ("classes", 765)] {
        assert_eq!(tictactoe[key], value, "{key}");
    }
    assert_eq!(
        json(&["solve", "sticks", "--rows", "4,4", "--json"])["value"],
        -1
    );
    assert_eq!(
        json(&["solve", "sticks", "--rows", "1", "--misere", "--json"])["value"],
        -1
    );
    assert_eq!(
        json(&["solve", "sticks", "--rows", "1", "--misere", "no", "--json"])["value"],
        1
    );
}

#[test]
fn replay_checks_every_line() {
    let folder = folder("replay");
    let good = file(
        &folder,
        "good",
        "game sticks\n3:7 2:5\n1:2 1:1\nresult first\n",
    );
    let report = json(&["replay", "sticks", &good, "--json"]);
    assert_eq!(
        report,
        serde_json::json!({ "game": "sticks", "moves": 4, "ok": true, "result": "first" })
    );
    assert!(text(&run(&["replay", "sticks", &good]).stdout).contains("result first"));

    let unfinished = run_with(
        &["replay", "tictactoe", "-", "--json"],
        b"game tictactoe\nb2",
    );
    let report: Value = serde_json::from_slice(&unfinished.stdout).unwrap();
    assert_eq!(
        (&report["ok"], &report["result"]),
        (&true.into(), &Value::Null)
    );

    for (record, line, words) in [
        ("game sticks\n\n3:8", 3, "3:8"),
        ("game sticks\n1:3\n1:1", 3, "not legal"),
        ("game sticks rows=9", 1, "rows=9"),
        ("", 1, "header"),
        ("game tictactoe", 1, "expected `sticks`"),
        ("game sticks\nresult draw", 2, "not over"),
    ] {
        let bad = file(&folder, "bad", record);
        says(
            &run(&["replay", "sticks", &bad]),
            1,
            &[&format!("line {line}"), words, &bad],
        );
        let output = run(&["replay", "sticks", &bad, "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&report["ok"], &report["line"]),
            (&false.into(), &line.into())
        );
        assert!(report["error"].as_str().unwrap().contains(words));
        assert_eq!(output.status.code(), Some(1));
    }
    let odd = file(&folder, "odd", b"game sticks\n\xFF\xFE");
    says(&run(&["replay", "sticks", &odd]), 1, &["line 2", "UTF-8"]);
    says(
        &run(&["replay", "sticks", "no/such/file"]),
        2,
        &["no/such/file"],
    );
    says(
        &run(&["replay", "sticks", folder.to_str().unwrap()]),
        2,
        &["replay"],
    );
}

#[test]
fn arena_has_its_stable_keys_and_black_never_loses_as_starter() {
    let report = json(&[
        "arena",
        "sticks",
        "belt:black",
        "random",
        "--games",
        "1000",
        "--json",
    ]);
    assert_eq!(
        report["a_first"],
        serde_json::json!({ "wins_a": 500, "wins_b": 0, "draws": 0 })
    );
    let sum = |tally: &Value| {
        ["wins_a", "wins_b", "draws"]
            .map(|key| tally[key].as_u64().unwrap())
            .iter()
            .sum::<u64>()
    };
    assert_eq!((sum(&report), sum(&report["a_second"])), (1000, 500));
    let score = report["score_a"].as_f64().unwrap();
    let ci95: Vec<_> = report["ci95"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| end.as_f64().unwrap())
        .collect();
    assert!(ci95[0] <= score && score <= ci95[1] && ci95[0] > 0.99);
    assert!((report["mean_margin"].as_f64().unwrap() - (2.0 * score - 1.0)).abs() < 1e-9);
    let plain = [
        ("game", "sticks"),
        ("a", "belt:black"),
        ("b", "random"),
        ("openings", "start"),
    ];
    assert!(plain.iter().all(|(key, value)| report[*key] == *value));
    assert_eq!(
        (&report["games"], &report["seed"]),
        (&1000.into(), &1.into())
    );
}

#[test]
fn arena_depends_on_the_seed_and_on_nothing_else() {
    let play = |seed: &str, threads: &str| {
        let arguments = [
            "arena",
            "tictactoe",
            "search:depth=2",
            "random",
            "--games",
            "99",
            "--json",
            "--seed",
            seed,
        ];
        let output = command(&arguments)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(play("7", "1"), play("7", "4"));
    assert_ne!(play("7", "1")["a_first"], play("8", "1")["a_first"]);
}

#[test]
fn arena_says_how_it_opens() {
    let varied = json(&[
        "arena",
        "sticks",
        "belt:green",
        "belt:yellow",
        "--games",
        "100",
        "--json",
    ]);
    assert_eq!(varied["openings"], "varied");
    let model = format!("bank:{BANK}#sticks-black");
    let same = json(&[
        "arena",
        "sticks",
        &model,
        "belt:black",
        "--games",
        "100",
        "--json",
    ]);
    assert_eq!(
        (&same["openings"], &same["wins_a"]),
        (&"varied".into(), &50.into())
    );

    let output = run(&[
        "arena", "sticks", "perfect", "perfect", "--rows", "1", "--games", "4", "--json",
    ]);
    says(&output, 0, &["warning", "all games are alike"]);
    assert_eq!(
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["openings"],
        "repeated"
    );
}

#[test]
fn odd_players_and_flags_are_refused() {
    for (arguments, words) in [
        (
            &["arena", "sticks", "human?", "random"][..],
            &["human?", "unknown player"][..],
        ),
        (
            &["arena", "sticks", "belt:red", "random"],
            &["belt:red", "white"],
        ),
        (
            &["arena", "sticks", "search:depth=0", "random"],
            &["depth=N"],
        ),
        (&["arena", "sticks", "bank:none#x", "random"], &["none"]),
        (&["arena", "sticks", "random"], &["<B>"]),
        (
            &["arena", "sticks", "random", "random", "--games", "0"],
            &["--games"],
        ),
        (
            &["arena", "sticks", "random", "random", "--games", "many"],
            &["--games"],
        ),
        (
            &["arena", "sticks", "random", "random", "--seed", "-1"],
            &["-1"],
        ),
        (
            &["arena", "sticks", "random", "random", "--bank", "none"],
            &["none"],
        ),
        (&["perft", "chess", "3"], &["chess", "sticks, tictactoe"]),
        (&["solve", "chess"], &["chess"]),
        (&["replay", "chess", "-"], &["chess"]),
        (&["train", "chess"], &["chess"]),
        (
            &["perft", "sticks", "-1"],
            &["invalid value '-1'", "<DEPTH>"],
        ),
        (
            &["train", "dots", "--rate", "-1"],
            &["--rate -1", "between 0 and 1"],
        ),
        (
            &["lab", "tree", "--depth", "16", "--tree", "width=4"],
            &["10,000 leaves"],
        ),
        (&["perft", "sticks", "x"], &["x"]),
        (&["perft", "sticks"], &["DEPTH"]),
        (&["solve", "sticks", "--rows", "9"], &["--rows 9", "sticks"]),
        (&["solve", "sticks", "--rows", "0,0"], &["--rows 0,0"]),
        (
            &["solve", "sticks", "--misere", "maybe"],
            &["--misere maybe"],
        ),
        (
            &["solve", "tictactoe", "--rows", "3"],
            &["--rows 3", "tictactoe"],
        ),
        (
            &["solve", "tictactoe", "--misere"],
            &["--misere", "tictactoe"],
        ),
        (&["solve", "sticks", "--size", "3x3"], &["--size"]),
        (&["train", "tictactoe"], &["tictactoe"]),
        (&["train", "sticks", "--games", "10"], &["--games 10"]),
        (&["train", "sticks", "--preset", "magic"], &["magic"]),
        (&["train", "sticks", "--date", "20261316"], &["yyyymmdd"]),
        (&["bank"], &["subcommand"]),
        (&["bank", "paint"], &["paint"]),
        (&["fly"], &["fly"]),
        (&["--fly"], &["--fly"]),
    ] {
        let output = run(arguments);
        says(&output, 2, words);
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_person_plays_by_numbers() {
    let play = |game: &str, games: &str, input: &str| {
        let arguments = ["arena", game, "human", "random", "--games", games, "--json"];
        run_with(&arguments, input.as_bytes())
    };
    let first_moves = "1\n".repeat(80);
    for game in ["tictactoe", "iwoki"] {
        let output = play(game, "2", &format!("x\n0\n{first_moves}"));
        let asked = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{asked}");
        assert!(asked.contains("There is no move `x`") && asked.contains("There is no move `0`"));
        assert!(asked.contains("You are the second player"), "{asked}");
        let report: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        assert_eq!(
            (&report["a"], &report["games"]),
            (&"human".into(), &2.into())
        );
    }
    let output = play("sticks", "1000", "1\n");
    assert_eq!(output.status.code(), Some(1));
    let last = text(&output.stderr).lines().last().unwrap();
    assert!(last.starts_with("dojo: the input has ended"), "{last}");
}

#[test]
fn variants_of_minimax_have_names() {
    let play = |game, player, more: &[&str]| {
        let arguments = ["arena", game, player, "greedy", "--games", "4", "--json"];
        run(&[&arguments, more].concat())
    };
    for player in [
        "minimax:depth=1,turns",
        "minimax:depth=2,order=published,draw=published,leaf=points",
        "minimax:depth=2,timeout=published,nodes=50",
    ] {
        let output = play("iwoki", player, &["--open", "--times"]);
        let report: Value = serde_json::from_str(text(&output.stdout)).unwrap();
        assert_eq!(report["a"], player);
        assert!(report["decision_micros"][0].as_f64() > Some(0.0));
        says(&play("iwoki", player, &[]), 2, &["hidden"]);
    }
    says(
        &play("sticks", "minimax:depth=1,turns", &[]),
        2,
        &["no such player"],
    );
}

#[test]
fn a_trained_table_is_a_player() {
    let folder = folder("table");
    let out = folder.join("run").to_str().unwrap().to_owned();
    let train = |more: &[&str]| {
        let arguments = [
            "train", "iwoki", "--preset", "table", "--games", "30", "--out", &out,
        ];
        run(&[&arguments, more].concat())
    };
    assert_eq!(train(&["--stop-after", "11"]).status.code(), Some(0));
    assert_eq!(train(&["--resume"]).status.code(), Some(0));
    let table = format!("{out}/checkpoints/table.txt");
    let play = |table: &str| {
        let player = format!("table:{table}");
        run(&[
            "arena", "iwoki", &player, "random", "--games", "4", "--json",
        ])
    };
    let report: Value = serde_json::from_str(text(&play(&table).stdout)).unwrap();
    assert_eq!(report["games"], 4);
    let good = fs::read_to_string(&table).unwrap();
    let bad = file(&folder, "bad.txt", good + "a line\n");
    says(&play(&bad), 1, &["bad.txt: line", "hexadecimal"]);
    let log = format!("{out}/log.csv");
    says(&play(&log), 1, &["log.csv: not a table of iwoki"]);
    says(&play("none.txt"), 2, &["none.txt"]);
}

#[test]
fn help_and_version_are_answers() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["arena", "--help"],
        &["help", "bank"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(!output.stdout.is_empty() && output.stderr.is_empty());
    }
}

#[test]
fn shells_complete_games_belts_and_experiments() {
    // Fish completes values of options alone.
    let all = ["yellow", "positional", "connect4", "sticks-alpha"];
    for (shell, words) in [("bash", &all[..]), ("zsh", &all), ("fish", &all[..2])] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        for word in words {
            let knows = text(&output.stdout).contains(word);
            assert!(knows, "{shell} does not know {word}");
        }
    }
}

#[test]
fn commands_inside_commands_have_manual_pages() {
    let output = run(&["man", "bank", "pack"]);
    let page = text(&output.stdout);
    assert!(
        page.contains(".SH SYNOPSIS") && page.contains("bank pack"),
        "{page}"
    );
    let wrong = run(&["man", "bnak"]);
    says(&wrong, 2, &["unknown command `bnak`, did you mean `bank`?"]);
}

/// What is wrong is said before anything is built.
#[test]
fn wrong_files_are_refused_before_the_work() {
    let folder = folder("before");
    file(&folder, "index.html", "mine");
    let out = folder.display().to_string();
    let output = run(&["web", "--export", &out]);
    says(
        &output,
        2,
        &["index.html exists already; --force replaces it"],
    );
    let script = folder.join("none.txt").display().to_string();
    let output = run(&["device", "--script", &script]);
    says(&output, 2, &["none.txt: No such file"]);
    let shot = file(&folder, "shot.png", "mine");
    let output = run(&["device", "--shot", &shot]);
    says(&output, 2, &["shot.png exists already"]);
}

#[test]
fn bank_inspect_lists_every_field() {
    let report = json(&["bank", "inspect", BANK, "--json"]);
    assert_eq!(report["format"], 1);
    let entries = report["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 41);
    let black = entries[4].as_object().unwrap();
    let keys = "name game kind belt number rules_version strength dims scale offset length crc seed games settings date";
    for key in keys.split(' ') {
        assert!(black.contains_key(key), "{key}");
    }
    assert_eq!(
        (&black["belt"], &black["games"], &black["length"]),
        (&"black".into(), &30_000.into(), &192.into())
    );
    let table = run(&["bank", "inspect", BANK]);
    assert!(text(&table.stdout).contains("sticks-yellow"));
}

#[test]
fn bad_banks_are_refused_by_every_command() {
    let folder = folder("bad-banks");
    for (name, bytes, words) in [
        ("empty", vec![], "0 bytes"),
        ("truncated", SHIPPED[..1000].to_vec(), "1000 bytes"),
        (
            "foreign",
            b"PK\x03\x04 this is something else entirely".to_vec(),
            "not a bank",
        ),
        ("blank", vec![0xFF; 4096], "blank"),
        ("rules", altered(4, 9), "sticks rules version 9, expected 1"),
        ("kind", altered(1, 99), "unknown kind 99"),
        (
            "header",
            [&SHIPPED[..20], &[1], &SHIPPED[21..]].concat(),
            "damaged header",
        ),
    ] {
        let bank = file(&folder, name, bytes);
        let out = folder.join("out.uf2");
        for arguments in [
            &["bank", "inspect", &bank][..],
            &["bank", "verify", &bank],
            &["bank", "diff", BANK, &bank],
            &["bank", "uf2", &bank, "--out", out.to_str().unwrap()],
            &["arena", "sticks", "belt:black", "random", "--bank", &bank],
        ] {
            says(&run(arguments), 1, &[words, &bank]);
        }
        assert!(!out.exists());
    }
    // A damaged payload is no reason not to list the bank, but it is never used.
    let mut payload = SHIPPED.to_vec();
    let shipped = Bank::new(SHIPPED).unwrap();
    let victim = shipped
        .entries()
        .find(|entry| entry.meta.name() == "dots-converging")
        .unwrap();
    payload[victim.offset] ^= 1;
    let bank = file(&folder, "payload", payload);
    let out = folder.join("out.uf2");
    assert_eq!(run(&["bank", "inspect", &bank]).status.code(), Some(0));
    says(
        &run(&["bank", "verify", &bank]),
        1,
        &["dots-converging", "damaged payload"],
    );
    says(
        &run(&["bank", "uf2", &bank, "--out", out.to_str().unwrap()]),
        1,
        &["damaged payload"],
    );
    assert!(!out.exists());
    says(
        &run(&[
            "arena",
            "dots",
            &format!("bank:{bank}#dots-converging"),
            "random",
        ]),
        1,
        &["damaged payload"],
    );
    says(
        &run(&["bank", "inspect", "no/such/bank"]),
        2,
        &["no/such/bank"],
    );
    says(
        &run(&["arena", "sticks", &format!("bank:{BANK}#none"), "random"]),
        2,
        &["no model `none`"],
    );
    says(
        &run(&[
            "arena",
            "tictactoe",
            &format!("bank:{BANK}#sticks-black"),
            "random",
        ]),
        2,
        &["tictactoe"],
    );
}

#[test]
fn verify_proves_black_again() {
    let report = json(&["bank", "verify", BANK, "--json"]);
    assert_eq!(
        (&report["ok"], &report["entries"][4]["exact"]),
        (&true.into(), &true.into())
    );
    // White's table under black's name: all checksums hold, the promise does not.
    let liar = file(&folder("verify"), "liar", altered(2, 4));
    says(
        &run(&["bank", "verify", &liar]),
        1,
        &["sticks-white", "gives away the win of"],
    );
}

#[test]
fn diff_shows_what_differs() {
    assert_eq!(run(&["bank", "diff", BANK, BANK]).status.code(), Some(0));
    let folder = folder("diff");
    let other = file(&folder, "other", altered(6, 1));
    let output = run(&["bank", "diff", BANK, &other]);
    says(&output, 1, &["differ"]);
    assert!(text(&output.stdout).contains("sticks-white: strength"));
    let renamed = file(&folder, "renamed", altered(56, b'S'));
    let output = run(&["bank", "diff", BANK, &renamed, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (
            &report["same"],
            report["differences"].as_array().unwrap().len()
        ),
        (&false.into(), 2)
    );
    let mut payload = SHIPPED.to_vec();
    let bank = dojo_core::bank::Bank::new(SHIPPED).unwrap();
    payload[bank.entries().next().unwrap().offset + 1] ^= 1;
    let payload = file(&folder, "payload", payload);
    let output = run(&["bank", "diff", BANK, &payload]);
    assert!(text(&output.stdout).contains("1 payload bytes differ, the first at 1"));
}

#[test]
fn a_run_becomes_a_bank_becomes_a_uf2() {
    let folder = folder("pipeline");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (run_folder, bank, image) = (path("run"), path("my.bank"), path("my.uf2"));
    let report = json(&[
        "train",
        "sticks",
        "--seed",
        "1",
        "--out",
        &run_folder,
        "--json",
    ]);
    assert_eq!(
        (&report["exact"], &report["games"]),
        (&true.into(), &30_000.into())
    );
    for name in [
        "settings.txt",
        "curve.svg",
        "report.md",
        "bank.txt",
        "checkpoints/white.txt",
        "checkpoints/black.txt",
    ] {
        assert!(folder.join("run").join(name).exists(), "{name}");
    }
    let log = fs::read_to_string(folder.join("run/log.csv")).unwrap();
    assert!(
        log.starts_with("games,sure_percent,correct_percent\n10,")
            && log.trim_end().ends_with(",100.00")
    );
    let report = json(&["bank", "pack", &run_folder, "--out", &bank, "--json"]);
    assert_eq!(report["certificates"][4]["kept_wins"], 167);
    assert!(
        fs::read_to_string(path("my.txt"))
            .unwrap()
            .contains("EXACT")
    );
    assert_eq!(json(&["bank", "verify", &bank, "--json"])["ok"], true);
    let duel = json(&[
        "arena",
        "sticks",
        "belt:black",
        "random",
        "--bank",
        &bank,
        "--json",
    ]);
    assert_eq!(duel["a_first"]["wins_b"], 0);
    let report = json(&["bank", "uf2", &bank, "--out", &image, "--json"]);
    assert_eq!(
        (&report["blocks"], &report["sectors"]),
        (&16.into(), &1.into())
    );
    let uf2 = fs::read(&image).unwrap();
    assert_eq!(uf2.len(), 16 * 512, "one sector of 256-byte blocks");
    assert_eq!(uf2[12..16], dojo_lab::flash::BANK_ADDRESS.to_le_bytes());
    assert_eq!(uf2[32..40], *b"DOJOBANK");

    // Nothing that exists is replaced without being asked.
    let all = || {
        [&bank, &path("my.txt"), &image, &path("run/log.csv")].map(|file| fs::read(file).unwrap())
    };
    let before = all();
    says(
        &run(&["train", "sticks", "--out", &run_folder]),
        2,
        &["exists already", &run_folder],
    );
    says(
        &run(&["bank", "pack", &run_folder, "--out", &bank]),
        2,
        &["exists already", &bank],
    );
    says(
        &run(&["bank", "uf2", BANK, "--out", &image]),
        2,
        &["exists already", &image],
    );
    assert!(all() == before);
    fs::remove_file(&bank).unwrap();
    says(
        &run(&["bank", "pack", &run_folder, "--out", &bank]),
        2,
        &["exists already", "my.txt"],
    );
    assert!(!Path::new(&bank).exists());
    assert_eq!(
        run(&["bank", "pack", &run_folder, "--out", &bank, "--force"])
            .status
            .code(),
        Some(0)
    );
    assert!(all() == before, "the same run packs to the same bytes");
    let left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 4, "no temporary file stays behind: {left:?}");
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let folder = folder("resume");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for game in ["sticks", "dots"] {
        let (whole, parts) = (
            path(&format!("{game}-whole")),
            path(&format!("{game}-parts")),
        );
        let train = |out: &str, more: &[&str]| {
            run(&[&["train", game, "--games", "50000", "--out", out], more].concat())
        };
        assert_eq!(train(&whole, &[]).status.code(), Some(0));
        let output = train(&parts, &["--stop-after", "30001"]);
        assert!(text(&output.stdout).contains("stopped after 30001 games"));
        says(&train(&parts, &[]), 2, &["exists already"]);
        says(
            &train(&parts, &["--seed", "9", "--resume"]),
            2,
            &["begun with", "seed"],
        );
        assert_eq!(train(&parts, &["--resume"]).status.code(), Some(0));
        for name in [
            "settings.txt",
            "log.csv",
            "bank.txt",
            "curve.svg",
            "report.md",
            "checkpoints/green.txt",
            "checkpoints/black.txt",
        ] {
            let [a, b] =
                [&whole, &parts].map(|folder| fs::read(Path::new(folder).join(name)).unwrap());
            assert!(a == b, "{game}: {name}");
        }
        assert!(!Path::new(&parts).join("paused.json").exists());
        says(&train(&parts, &["--resume"]), 2, &["paused.json"]);
    }
}

/// An experiment has rows of figures, and leaves them in files.
fn is_reported(out: &str, experiment: &Value) {
    let rows = experiment["rows"].as_array().unwrap();
    assert!(!rows.is_empty(), "{experiment}");
    assert!(rows.iter().all(|row| row["ours"].is_f64()
        && row["setting"].is_string()
        && row["metric"].is_string()));
    let folder = Path::new(&out).join(experiment["name"].as_str().unwrap());
    assert!(folder.join("report.md").exists() && folder.join("rows.csv").exists());
}

#[test]
fn experiments_leave_tables_pictures_and_reports() {
    let out = folder("experiments").to_str().unwrap().to_owned();
    says(
        &run(&["experiment", "sticks-beta", "--out", &out]),
        2,
        &["did you mean `sticks-", "experiment --list"],
    );
    for experiment in [
        "sticks-alpha",
        "sticks-value-depth",
        "sticks-network",
        "dots-exploration",
        "dots-opponents",
        "iwoki-greedy",
        "iwoki-table",
        "go-referee",
    ] {
        is_reported(
            &out,
            &json(&["experiment", experiment, "--quick", "--out", &out, "--json"]),
        );
    }
    let curve = fs::read_to_string(Path::new(&out).join("dots-exploration/smart.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("C 15000"));
    says(
        &run(&["experiment", "sticks-alpha", "--quick", "--out", &out]),
        2,
        &["exists already"],
    );
}

#[test]
fn no_certificate_no_bank() {
    let folder = folder("certificate");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (run_folder, bank) = (path("run"), path("out.bank"));
    let report = json(&[
        "train",
        "sticks",
        "--games",
        "3000",
        "--out",
        &run_folder,
        "--json",
    ]);
    assert_eq!(report["exact"], false);
    says(
        &run(&["bank", "pack", &run_folder, "--out", &bank]),
        1,
        &["sticks-black", "gives away the win of"],
    );
    assert!(!Path::new(&bank).exists() && !folder.join("out.txt").exists());

    let fair = "0.5\n".repeat(192);
    let plain = "model a\ngame sticks\nkind value-table\nvalues v.txt\n";
    for (manifest, values, words) in [
        (plain.to_owned(), &fair[..], None),
        (
            format!("{plain}colour red"),
            &fair,
            Some("line 5: unknown key"),
        ),
        (
            plain.replace("kind value-table\n", ""),
            &fair,
            Some("has no `kind`"),
        ),
        (
            plain.replace("value-table", "q-table"),
            &fair,
            Some("not q-table"),
        ),
        (plain.to_owned(), "0.5\n", Some("1 values")),
        (
            plain.to_owned(),
            "0.5\nx\n",
            Some("line 2: `x` is no number"),
        ),
        (plain.to_owned(), "NaN\n", Some("not between 0 and 1")),
        (
            plain.replace("sticks", "tictactoe"),
            &fair,
            Some("only sticks, dots, iwoki and go have models"),
        ),
        (
            plain.replace("model a", "model a-name-longer-than-24-bytes"),
            &fair,
            Some("1 to 24"),
        ),
    ] {
        file(&folder, "v.txt", values);
        let manifest = file(&folder, "manifest", manifest);
        let out = path("small.bank");
        let output = run(&["bank", "pack", &manifest, "--out", &out]);
        match words {
            None => {
                assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
                fs::remove_file(&out).unwrap();
                fs::remove_file(path("small.txt")).unwrap();
            }
            Some(words) => says(&output, 1, &[words]),
        }
        assert!(!Path::new(&out).exists());
    }
    let manifest = file(
        &folder,
        "manifest",
        "model a\ngame sticks\nkind value-table\nvalues missing.txt",
    );
    says(
        &run(&["bank", "pack", &manifest, "--out", &bank]),
        2,
        &["missing.txt"],
    );
    says(
        &run(&["bank", "pack", "no/such/run", "--out", &bank]),
        2,
        &["no/such/run"],
    );
    says(
        &run(&["bank", "uf2", BANK, "--out", &path("no/such/folder/x.uf2")]),
        2,
        &["x.uf2"],
    );
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut child = command(&["bank", "inspect", BANK])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn without_a_terminal_it_demonstrates_and_says_what_to_try() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0));
    let shown = text(&output.stdout);
    assert!(
        shown.contains("after 3 moves") && shown.contains("dojo --help"),
        "{shown}"
    );
    assert!(
        shown.lines().filter(|line| line.contains('⡇')).count() > 20,
        "boards are drawn: {shown}"
    );
}

#[test]
fn a_damaged_save_is_named_and_kept() {
    let folder = folder("save");
    for (name, bytes, fault) in [
        ("foreign", &b"hello"[..], "not a save"),
        ("cut", b"DOJOSAVE\x01", "cut off"),
        ("old", b"DOJOSAVE\x09\x00....", "save version 9"),
        ("damaged", b"DOJOSAVE\x01\x00....", "checksum"),
    ] {
        let path = file(&folder, name, bytes);
        says(&run(&["--save", &path]), 1, &[&path, fault]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    says(
        &run(&["play", "--save", folder.to_str().unwrap()]),
        2,
        &["save"],
    );
}

#[test]
fn screenshots_are_the_same_for_the_same_buttons() {
    let folder = folder("screenshot");
    let shoot = |name: &str, board, keys| {
        let path = folder.join(name).to_str().unwrap().to_owned();
        let output = run(&[
            "screenshot",
            "--board",
            board,
            "--keys",
            keys,
            "--out",
            &path,
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        fs::read(path).unwrap()
    };
    let game = "a a left left a wait x";
    assert_eq!(shoot("one.png", "lcd", game), shoot("two.png", "lcd", game));
    assert_ne!(
        shoot("three.png", "lcd", "a a"),
        shoot("four.png", "oled", "a a")
    );

    let existing = folder.join("one.png");
    let before = fs::read(&existing).unwrap();
    let path = existing.to_str().unwrap();
    says(
        &run(&["screenshot", "--board", "oled", "--out", path]),
        2,
        &["one.png", "exists"],
    );
    assert_eq!(fs::read(&existing).unwrap(), before);
    let fresh = folder.join("new.png").to_str().unwrap().to_owned();
    says(
        &run(&[
            "screenshot",
            "--board",
            "oled",
            "--keys",
            "a q",
            "--out",
            &fresh,
        ]),
        2,
        &["`q`", "expected up"],
    );
    says(
        &run(&["screenshot", "--board", "tv", "--out", &fresh]),
        2,
        &["tv", "oled"],
    );
    says(
        &run(&[
            "screenshot",
            "--board",
            "lcd",
            "--scale",
            "99",
            "--out",
            &fresh,
        ]),
        2,
        &["99"],
    );
    assert!(!Path::new(&fresh).exists());
}

#[test]
fn sgf_files_are_replayed() {
    let folder = folder("sgf");
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/go9x9/pachi.sgf");
    let report = json(&["replay", "go", records, "--json"]);
    assert_eq!(
        (&report["games"], &report["moves"], &report["ok"]),
        (&719.into(), &30_670.into(), &true.into())
    );
    let good = file(&folder, "good.sgf", "(;SZ[9]RE[B+R];B[ee];W[dd])");
    assert_eq!(json(&["replay", "go", &good, "--json"])["result"], "first");
    let text_record = file(
        &folder,
        "good.txt",
        "game go size=5\nC3 pass pass\nresult first\n",
    );
    assert_eq!(json(&["replay", "go", &text_record, "--json"])["moves"], 3);
    let bad = file(&folder, "bad.sgf", "(;SZ[9];B[ee]\n;W[ee])");
    says(
        &run(&["replay", "go", &bad]),
        1,
        &[
            "bad.sgf",
            "line 2, column 2",
            "move 2",
            "a stone stands there",
        ],
    );
    let cut = file(&folder, "cut.sgf", "(;SZ[9];B[ee]");
    says(
        &run(&["replay", "go", &cut]),
        1,
        &["line 1", "ends inside the game tree"],
    );
}

#[test]
fn gtp_is_spoken_on_standard_input() {
    let talk = b"1 protocol_version\nboardsize 5\nplay b c3\n\n# nothing\n2 genmove w\nfoo\n\xFF\xFE\nquit\nname\n";
    let output = run_with(&["gtp", "--player", "smart"], talk);
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<_> = text(&output.stdout).split("\n\n").collect();
    assert_eq!(answers[..3], ["=1 2", "=", "="]);
    assert!(answers[3].starts_with("=2 "), "{answers:?}");
    assert_eq!(
        answers[4..],
        ["? unknown command", "? unknown command", "=", ""]
    );
    says(
        &run(&["gtp", "--player", "nobody"]),
        2,
        &["--player nobody", "unknown player"],
    );
    says(
        &run(&["gtp", "--player", "smart", "--budget", "playouts=5"]),
        2,
        &["--budget playouts=5"],
    );
}

#[test]
fn other_programs_play_in_the_arena() {
    let ours = format!("gtp:\"{}\" gtp --player smart", env!("CARGO_BIN_EXE_dojo"));
    let report = json(&[
        "arena", "go", &ours, "random", "--size", "5", "--games", "4", "--json",
    ]);
    assert_eq!(report["wins_a"], 4, "{report}");
    assert_eq!(
        json(&[
            "arena", "go", &ours, "random", "--size", "5", "--games", "4", "--json"
        ]),
        report,
        "it repeats"
    );
    says(
        &run(&["arena", "go", "gtp:/no/such/program", "random"]),
        2,
        &["/no/such/program", "does not start"],
    );
    says(
        &run(&["arena", "dots", "weak", "random"]),
        2,
        &["dots has no such player"],
    );
}

/// A short version of `dojo experiment go-referee`, which has the figures.
#[test]
fn gnu_go_accepts_our_moves_and_our_count() {
    let Some(gnugo) = dojo_lab::games::go::gtp::program::gnugo() else {
        eprintln!(
            "== NOTE: GNU Go is not installed on this machine. Our engine is NOT tested against it."
        );
        return;
    };
    let ours = format!("\"{}\" gtp --player smart", env!("CARGO_BIN_EXE_dojo"));
    let theirs = format!(
        "\"{}\" --mode gtp --level 1 --chinese-rules --positional-superko --never-resign",
        gnugo.display()
    );
    let report = dojo_lab::games::go::referee::judge(&ours, &theirs, 2, 1, || {}).unwrap();
    assert_eq!(
        (report.games, &report.faults[..]),
        (2, &[][..]),
        "{report:?}"
    );
    assert!(report.agreed >= 1, "{report:?}");
}

#[test]
fn patterns_are_induced_shown_drawn_and_checked() {
    let published = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../data/go-patterns/published.tsv"
    );
    let shown = run(&["patterns", "show", published]);
    let shown = text(&shown.stdout);
    for words in [
        "28  +121 −0  weight 121  capture\n",
        "opposite(C,D), captures(B,K1,X,Y,C), block_color(B,K1,D).",
        "at(2,2)=foe libs=4",
    ] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    assert_eq!(shown.matches("move(B,C,X,Y) :- ").count(), 30);
    let folder = folder("patterns");
    let rules = folder.join("rules.tsv").display().to_string();
    let induce = |out: &str, force: &[&str]| {
        let fixed = [
            "patterns",
            "induce",
            "--positives",
            "80",
            "--negatives",
            "30",
            "--noise",
            "4",
            "--nodes",
            "600",
            "--out",
            out,
        ];
        run(&[&fixed[..], force].concat())
    };
    assert!(induce(&rules, &[]).status.success());
    says(&induce(&rules, &[]), 2, &["rules.tsv", "--force"]);
    let again = folder.join("again.tsv").display().to_string();
    assert!(induce(&again, &[]).status.success());
    assert_eq!(fs::read(&rules).unwrap(), fs::read(&again).unwrap());
    let checked = json(&["patterns", "check", &rules, "--json"]);
    assert_eq!(checked["positions"], 4839);
    let share = |key: &str| checked[key].as_f64().unwrap();
    assert!(share("first") < share("within_5") && share("within_5") < share("within_20"));
    // Drawing lots has 36.7 % within the best twenty.
    assert!(share("within_20") > 0.5, "{checked}");
    let drawings = folder.join("drawn").display().to_string();
    assert!(
        run(&["patterns", "draw", &rules, "--out", &drawings])
            .status
            .success()
    );
    let first = fs::read_to_string(folder.join("drawn/rule-01.svg")).unwrap();
    assert!(first.starts_with("<svg") && first.ends_with("</svg>\n"));
    let bad = file(
        &folder,
        "bad.tsv",
        "# reading: about-the-point\n1\t5\t0\tat(9,9)=me\n",
    );
    let output = run(&["patterns", "check", &bad]);
    says(
        &output,
        1,
        &["bad.tsv", "line 2", "at(9,9)=me", "expected at(dx,dy)"],
    );
}

/// Every player against every other: all games are there, the ratings follow the results, and the
/// printed table has the matches.
#[test]
fn a_ladder_rates_all_players() {
    let players = ["random", "belt:white", "belt:black"];
    let ladder = |more: &[&str]| {
        let arguments = ["ladder", "sticks", "--games", "40", "--openings", "2"];
        run(&[&arguments[..], &players, more].concat())
    };
    let found: Value = serde_json::from_slice(&ladder(&["--json"]).stdout).unwrap();
    let matches = found["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 3);
    for pair in matches {
        let count = |key: &str| pair[key].as_u64().unwrap();
        assert_eq!(count("wins_a") + count("draws") + count("wins_b"), 40);
        let [low, score, high] = [&pair["ci95"][0], &pair["score_a"], &pair["ci95"][1]]
            .map(|value| value.as_f64().unwrap());
        assert!(0.0 <= low && low <= score && score <= high && high <= 1.0);
    }
    let rated = found["players"].as_array().unwrap();
    let names: Vec<_> = rated.iter().map(|line| line["player"].as_str()).collect();
    assert_eq!(names[0], Some("belt:black"), "the strongest comes first");
    let elo = |line: &Value| line["elo"].as_f64().unwrap();
    let interval = |line: &Value| line["interval95"].as_f64().unwrap();
    assert!(rated.windows(2).all(|two| elo(&two[0]) >= elo(&two[1])));
    assert!(rated.iter().map(elo).sum::<f64>().abs() < 1e-6);
    assert!(
        rated
            .iter()
            .all(|line| interval(line) > 20.0 && line["games"] == 80)
    );
    let table = text(&ladder(&[]).stdout).to_string();
    assert!(table.contains("random, belt:black"), "{table}");
    let refused = run(&["ladder", "sticks", "random", "nobody"]);
    says(&refused, 2, &["player `nobody`"]);
}
