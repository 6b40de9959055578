//! Every screen on both displays, compared with reference pictures in `tests/golden`.
//!
//! `cargo xtask bless` writes them anew; a look at the difference is then part of the review.

mod common;
mod path;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use common::Runner;
use dojo_core::bank::{Bank, BankError};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::go::clauses::{BlockPlace, BlockTest, Clause, Colour, Weighted};
use dojo_core::games::go::{GoMove, Point};
use dojo_core::games::pupil::{Duel, Figures};
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking::Question;
use dojo_core::games::{AnyGame, GameId};
use dojo_core::players::belts::{Answer, Decision, Grounds, Source, Thought, Thoughts};
use dojo_handheld::{
    Abilities, BankCard, BankTest, Battery, BrainCard, Brains, Button, Event, Finding, FlashTest,
    Frame, Games, Ink, Press, Screen, Seat, Session, Setup, Slot, Target, Theme,
};

/// The bank that ships.
const SHIPPED: &[u8] = include_bytes!("../../models/dojo.bank");

/// Name and buttons of each picture. The menu is reached by `a`; `down down a` … choose in it.
const SCENES: &[(&str, &str)] = &[
    ("title", ""),
    ("menu", "a"),
    ("games", "a down a"),
    ("setup-sticks", "a down a a"),
    (
        "setup-sticks-seat",
        "a down a a down down right right right",
    ),
    ("setup-sticks-options", "a down a a up up left"),
    ("setup-tictactoe", "a down a down a"),
    ("rules-sticks", "a down a a up a"),
    ("rules-sticks-2", "a down a a up a right"),
    ("rules-tictactoe-2", "a down a down a up a right"),
    ("rules-dots-2", "a down a down down a up a right"),
    ("rules-iwoki-2", "a down a down down down a up a right"),
    ("rules-go-2", "a down a down down down down a up a right"),
    ("rules-connect4-2", "a down a up a up a right"),
    ("rules-tictactoe", "a down a down a up a"),
    ("results", "a down down down a a a"),
    ("settings", "a down down down down a"),
    ("left-handed", "a to:Settings a to:Left-handed right"),
    ("upside-down", "a to:Settings a to:Upside_down right b"),
    ("about", "a up a"),
    ("sticks-start", "a a"),
    ("sticks-choose", "a a left left up left"),
    ("sticks-thinking", "a a left left a"),
    ("sticks-reply", "a a left left a wait"),
    ("sticks-hint", "a a left left a wait x"),
    ("sticks-undo", "a a left left a wait y"),
    (
        "sticks-two-people",
        "a down a a down down left left up up a left a",
    ),
    (
        "sticks-777",
        "a down a a up up up up right right right right down left left down up up up up up up up a",
    ),
    ("pause", "a a b"),
    ("pause-belt", "a a hold down down down down right"),
    ("pause-end", "a a hold up"),
    ("menu-continue", "a a left a wait b up a"),
    (
        "running",
        "a a left a wait b up a down down a down a a a wait b up a a down",
    ),
    ("replace", "a a left a wait b up a down a"),
    (
        "games-running",
        "a a left a wait b up a down down a down a a a wait b up a down down a",
    ),
    ("setup-connect4", "a down a down down down down down a"),
    ("rules-connect4", "a down a down down down down down a up a"),
    ("connect4-start", "a down a down down down down down a a"),
    (
        "connect4-reply",
        "a down a down down down down down a a a wait right a wait left left left",
    ),
    (
        "connect4-hint",
        "a down a down down down down down a a a wait x",
    ),
    ("tictactoe-start", "a down a down a a"),
    ("tictactoe-reply", "a down a down a a a wait"),
    ("tictactoe-hint", "a down a down a a a wait x"),
    (
        "tictactoe-two-people",
        "a down a down a down down left left up up a a up a",
    ),
    (
        "tictactoe-won",
        "a down a down a down down left left up up a a right a left up a right a left down down a",
    ),
    (
        "tictactoe-drawn",
        "a down a down a down down left left up up a up left a right a right a left down a left a down a right a up right a down a",
    ),
    ("setup-dots", "a down a down down a"),
    ("rules-dots", "a down a down down a up a"),
    ("dots-start", "a down a down down a a"),
    ("dots-reply", "a down a down down a a up a wait"),
    ("dots-hint", "a down a down down a a up a wait x"),
    (
        "dots-5x5-two-people",
        "a down a down down a down down left left down down right right right down right right right up up up up up a a right a down a left a up a left a down a",
    ),
    (
        "dots-won",
        "a down a down down a down down left left up up a up up a left a down a right a right a down a left a down a right a right a down a left a",
    ),
    (
        "sticks-lost",
        "a a left left left left left left a wait up a wait a wait a wait a wait a wait a wait a",
    ),
    (
        "review",
        "a down a down a down down left left up up a a right a left up a right a left down down a down down a left left",
    ),
    (
        "review-flag",
        "a down a down a down down left left up up a a right a left up a right a left down down a to:Review a x",
    ),
];

/// The screens about the device itself, on one that can do everything, from the page Device on.
const DEVICE: &[(&str, &str)] = &[
    ("device", ""),
    ("battery", "down a"),
    ("confirm-update", "up up a"),
    ("confirm-update-yes", "up up a down a"),
    ("confirm-reset", "up a"),
    ("confirm-reset-yes", "up a down"),
    ("confirm-reset-done", "up a down a"),
    ("self-test", "a"),
    ("button-test", "a a"),
    ("button-test-some", "a a up left a b"),
    ("button-test-all", "a a up down left right a b x y"),
    ("pixel-test", "a down a"),
    ("pixel-test-lit", "a down a a"),
    ("pixel-test-dark", "a down a a a"),
    ("pixel-test-chequered", "a down a a a a"),
    ("pixel-test-other", "a down a a a a a"),
    ("pixel-test-red", "a down a a a a a a"),
    ("pixel-test-colours", "a down a a a a a a a a a"),
    ("sound-test", "a down down a wait"),
    ("sound-test-over", "a down down a wait wait wait"),
    ("flash-test", "a up a"),
];

const TO_DEVICE: &str = "a to:Settings a to:This_device a";

fn device_scene(keys: &str) -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Abilities(Abilities {
        sound: true,
        motion: false,
        flash: true,
        boot_loader: true,
    }));
    runner.handle(Event::Battery(Battery {
        millivolts: 3924,
        charging: true,
    }));
    runner.handle(Event::Bank(Ok(BankCard {
        entries: 5,
        crc: 0x0D0_3BA2,
        puzzles: Games::default(),
        lessons: Games::default(),
    })));
    runner.handle(Event::Ready);
    runner.keys(TO_DEVICE);
    runner.keys(keys);
    runner
}

/// A device without anything, and what the test of the flash can find.
fn device_states() -> [(&'static str, Runner); 6] {
    let tested = |bank, saves| {
        let mut runner = device_scene("a up a");
        runner.handle(Event::FlashTested(FlashTest { bank, saves }));
        runner
    };
    let mut refused = tested(BankTest::Refused, true);
    refused.handle(Event::Bank(Err(BankError::HeaderCrc {
        found: 0x0123_4567,
        expected: 0x89AB_CDEF,
    })));
    refused.keys("a");
    refused.handle(Event::FlashTested(FlashTest {
        bank: BankTest::Refused,
        saves: true,
    }));
    [
        ("device-bare", scene(TO_DEVICE)),
        ("battery-bare", scene(&format!("{TO_DEVICE} down a"))),
        ("flash-test-good", tested(BankTest::Whole(27), true)),
        ("flash-test-damaged", tested(BankTest::Damaged(12), true)),
        ("flash-test-saves", tested(BankTest::Whole(27), false)),
        ("flash-test-refused", refused),
    ]
}

/// Two people at a board of Go.
const GO: &str = "a down a down down down down a down down left left up up a ";
/// A game with a ko: the first moves of the 57th in `data/go9x9/pachi.sgf`, and the rest.
const GO_MIDDLE: &str = "D7 E3 G4 E6 E4 D4 E5 D6 D5 C5 C6 C7 B6 B7 C4 B5 F6 E7 D3 D2 C2 F7 G6 G7 B4 F5 G5 H3 H6 E2 G2 G3 \
    F3 F2 H2 F4 F3 J2 H1 F4 D1 E1 H4 G1 F1";
const GO_LATE: &str = "F3 F5 G1 D8 J1 A5 C8";

/// Name and buttons of the pictures of Go, after [`GO`] unless they start elsewhere.
const GO_SCENES: &[(&str, &[&str])] = &[
    ("setup-go", &["a down a down down down down a"]),
    (
        "setup-go-options",
        &["a down a down down down down a up up right up left up right up right"],
    ),
    ("rules-go", &["a down a down down down down a up a"]),
    (
        "rules-go-marks",
        &["a down a down down down down a up a right right right right"],
    ),
    ("go-start", &[GO]),
    (
        "go-5x5",
        &[
            "a down a down down down down a down down left left down down right up up up up a C3 B2 C2 D3",
        ],
    ),
    (
        "go-7x7-handicap",
        &[
            "a down a down down down down a down down left left down down left down down right right right up up up up up up a",
        ],
    ),
    ("go-opening", &[GO, "E5 C3 G7 up right"]),
    (
        "go-coordinates",
        &[
            "a to:Settings a to:Coordinates right b to:All_games a down down down down a down down left left up up a",
            "E5 C3 G7 up right",
        ],
    ),
    ("go-ko", &[GO, GO_MIDDLE, "down down down left"]),
    ("go-late", &[GO, GO_MIDDLE, GO_LATE]),
    ("go-territory", &[GO, GO_MIDDLE, GO_LATE, "b up up up a"]),
    ("go-territory-opening", &[GO, "C7 G3 D3 F7 b up up up a"]),
    ("go-pass-field", &[GO, "E5 right right right right right"]),
    ("go-passed", &[GO, "E5 pass"]),
    ("go-pause", &[GO, "E5 b down down down"]),
    ("go-pause-end", &[GO, "E5 b up up up right"]),
    ("go-scoring", &[GO, GO_MIDDLE, GO_LATE, "pass pass"]),
    (
        "go-scoring-dead",
        &[GO, GO_MIDDLE, GO_LATE, "pass pass J2 left down"],
    ),
    (
        "go-scoring-play-on",
        &[GO, GO_MIDDLE, GO_LATE, "pass pass J2 right down"],
    ),
    (
        "go-result",
        &[GO, GO_MIDDLE, GO_LATE, "pass pass J2 right a"],
    ),
    ("go-resigned", &[GO, GO_MIDDLE, "b down down down down a"]),
    (
        "go-review",
        &[
            GO,
            GO_MIDDLE,
            "b down down down down a to:Review a left left",
        ],
    ),
];

/// Iwoki: each starts from its set-up. `a a a wait` chooses, lays and waits for the answer.
const IWOKI: &[(&str, &str)] = &[
    ("setup-iwoki", ""),
    ("setup-iwoki-open", "up up right"),
    ("rules-iwoki", "up a"),
    ("rules-iwoki-keys", "up a left left"),
    ("iwoki-start", "a"),
    ("iwoki-opening", "a right right a"),
    ("iwoki-opening-flip", "a right right a a up"),
    ("iwoki-thinking", "a a a a"),
    ("iwoki-reply", "a move"),
    ("iwoki-choose", "a move right right right right"),
    ("iwoki-choose-draw", "a move left"),
    ("iwoki-drawn", "a move left a"),
    ("iwoki-place", "a move right right a"),
    ("iwoki-later", "a move move move move"),
    ("iwoki-later-hex", "a move move move move left left left"),
    ("iwoki-later-place", "a move move move move a"),
    (
        "iwoki-later-place-right",
        "a move move move move a right right",
    ),
    (
        "iwoki-later-place-hex",
        "a move move move move left left left a",
    ),
    ("iwoki-later-turn", "a move move move move a a right"),
    ("iwoki-look", "a move move move move up left left"),
    ("iwoki-look-whole", "a move move move move up a"),
    ("iwoki-theirs", "a move down right"),
    (
        "iwoki-theirs-open",
        "up up right up up up up a move down left left",
    ),
    ("iwoki-hint", "a move move move move x"),
    ("iwoki-late", "a move move move move move move move move"),
    (
        "iwoki-late-place",
        "a move move move move move move move move a",
    ),
    (
        "iwoki-late-whole",
        "a move move move move move move move move up a",
    ),
    ("iwoki-handover", "down down left left up up a"),
    (
        "iwoki-two-people",
        "down down left left up up a a a a a a a",
    ),
    ("iwoki-result", "a end"),
    ("iwoki-count", "a end down down a"),
    ("iwoki-review", "a end to:Review a left left left left left"),
];

/// A scene of iwoki: `move` is a whole move and the answer to it, `end` plays to the end.
fn iwoki_scene(keys: &str) -> Runner {
    let mut runner = scene("a down a down down down a");
    for word in keys.split_whitespace() {
        match word {
            "move" => runner.keys("a a a wait"),
            key => runner.keys(key),
        }
    }
    runner
}

/// The mind view, with the shipped models.
const MINDS: &[(&str, &str)] = &[
    ("belts-sticks", "a down a a down down a"),
    (
        "belts-dots-black",
        "a down a down down a down down a down down down",
    ),
    (
        "belts-other-rules",
        "a down a a up up left up up up up up a",
    ),
    ("belts-pause", "a a b down down down down a down"),
    ("card-sticks", "a down a a down down a x"),
    ("card-none", "a down a down a down down a x"),
    ("learn", "a down down a"),
    (
        "learn-kept",
        "a down down a a wait a down down a b down down",
    ),
    ("pupil-game", "a down down a a wait wait wait wait a"),
    (
        "pupil-mind",
        "a down down a a wait wait wait wait a b up up a",
    ),
    (
        "belts-pupil",
        "a down down a a wait wait wait wait a b down down down down a",
    ),
    (
        "card-pupil",
        "a down down a a wait wait wait wait a b down down down down a x",
    ),
    ("pause-mind", "a a b up up right"),
    ("mind-sticks", "a a b up up a"),
    ("mind-sticks-choose", "a a b up up a left left left left"),
    ("mind-sticks-machine", "a a b up up a left left a"),
    ("mind-sticks-later", "a a b up up a left left a wait wait"),
    (
        "mind-sticks-two-people",
        "a down a a down down left left up up a b up up a left a",
    ),
    (
        "mind-connect4",
        "a down a down down down down down a a a wait right right a wait b up up a",
    ),
    ("mind-tictactoe", "a down a down a a a wait b up up a"),
    (
        "mind-tictactoe-won",
        "a down a down a down down left left up up a b up up a a up a left a",
    ),
    ("mind-tictactoe-start", "a down a down a a b up up a"),
    ("mind-dots", "a down a down down a a b up up a"),
    (
        "mind-iwoki",
        "a down a down down down a a a a a wait a a a wait b up up a",
    ),
    (
        "mind-iwoki-place",
        "a down a down down down a a a a a wait a a a wait b up up a a",
    ),
    (
        "mind-iwoki-hex",
        "a down a down down down a a a a a wait a a a wait b up up a left left",
    ),
    (
        "mind-dots-later",
        "a down a down down a a b up up a up a wait wait up a wait wait down a wait wait",
    ),
    (
        "mind-dots-5x5",
        "a down a down down a down down left left down down right right right down right right right up up up up up a b up up a",
    ),
];

/// Thoughts about Go of all sizes: better towards the middle, best on D4.
fn slope(question: &Question) -> Thoughts {
    let AnyGame::Go(game) = question.game else {
        return Thoughts::new();
    };
    let value = |mv: GoMove| match mv.point() {
        Some(point) => {
            990 - 90 * u16::from(point.col().abs_diff(3)) - 80 * u16::from(point.row().abs_diff(3))
        }
        None => 5,
    };
    game.legal_moves()
        .map(|mv| Thought {
            index: mv.index(),
            value: value(mv),
            visits: (value(mv) / 4) as u8,
        })
        .collect()
}

/// A judgement of the stones at the end of the game above: D7 and D8 are dead.
fn judged(_: &Question) -> Thoughts {
    let dead = ["D7", "D8"].into_iter().filter_map(Point::parse);
    dead.map(|point| Thought {
        index: GoMove::Stone(point).index(),
        value: 100,
        visits: 0,
    })
    .collect()
}

fn go_scene(keys: &[&str], thoughts: Option<fn(&Question) -> Thoughts>, thinks: bool) -> Runner {
    let mut runner = Runner::new(1);
    (runner.thoughts, runner.thinks) = (thoughts, thinks);
    runner.handle(Event::Ready);
    runner.keys(&keys.join(" "));
    runner
}

/// The mind view of Go, a hint, and a count before the machine has judged: what the machine says is
/// made up, so that better players need no new pictures.
fn go_minds() -> [(&'static str, Runner); 6] {
    let mind = go_scene(&[GO, "E5 C3 F7 b up up a"], Some(slope), true);
    let small =
        "a down a down down down down a down down down down right up up up up a C3 b up up a";
    let small = go_scene(&[small], Some(slope), true);
    let mut hint = go_scene(&[GO, "E5 C3 F7 x"], None, false);
    let mv = GoMove::Stone(Point::parse("E4").unwrap());
    hint.handle(Event::Answer {
        id: 1,
        answer: Some(Answer {
            decision: Decision::Play(mv.index()),
            source: Source::Rules,
            grounds: knight_and_enemy(),
        }),
    });
    let judging = go_scene(&[GO, GO_MIDDLE, GO_LATE, "pass pass"], None, false);
    [
        ("mind-go", mind),
        ("mind-go-5x5", small),
        ("go-thinking", halfway(Press::Down(Button::A))),
        ("go-thinking-peek", halfway(Press::Down(Button::X))),
        ("go-hint", hint),
        ("go-scoring-judging", judging),
    ]
}

/// The grounds of a hint: a rule that names a stone of each player.
fn knight_and_enemy() -> Grounds {
    let test = |dx, dy, colour| BlockTest::new(BlockPlace::At(dx, dy), colour);
    let clause = Clause {
        blocks: [test(-2, -1, Colour::Me), test(0, 1, Colour::Foe)]
            .into_iter()
            .collect(),
        horizontal: Some(-4),
        ..Clause::default()
    };
    let rule = Weighted {
        clause,
        weight: 100,
        ..Weighted::default()
    };
    Grounds {
        expected: Some(563),
        voice: u8::MAX,
        rule: Some(rule.to_bytes()),
    }
}

/// Halfway through a search, some time after a button.
fn halfway(press: Press) -> Runner {
    let mut runner = go_scene(&["a down a down down down down a a E5"], None, false);
    runner.handle(Event::Press(press));
    runner.wait(400);
    let question = (0..9).find_map(|id| Some((id, runner.console.question(id)?)));
    let (id, question) = question.expect("a question");
    runner.handle(Event::Progress {
        id,
        share: 450,
        thoughts: &slope(&question),
    });
    runner
}

fn mind_scene(keys: &str) -> Runner {
    let mut runner = Runner::new(1);
    runner.bank = include_bytes!("../../models/dojo.bank");
    runner.handle(Event::Ready);
    runner.keys(keys);
    runner
}

fn scene(keys: &str) -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Bank(Ok(BankCard {
        entries: 5,
        crc: 0x0D0_3BA2,
        puzzles: Games::default(),
        lessons: Games::default(),
    })));
    runner.handle(Event::Ready);
    runner.keys(keys);
    runner
}

/// The longest results: games with many hints and undos, and with names as long as there are.
fn helped() -> [(&'static str, Runner); 3] {
    let help = "x wait a wait y ".repeat(12);
    let helped = |start: &str| scene(&format!("{start} {help} end"));
    [
        ("sticks-helped", helped("a a")),
        (
            "sticks-two-people-helped",
            helped("a down a a down down left left up up a"),
        ),
        ("iwoki-helped", helped("a down a down down down a a")),
    ]
}

/// Puzzles and lessons of the shipped bank, after `a` for the menu.
const BOOK: &[(&str, &str)] = &[
    ("menu-new", ""),
    ("puzzles", "down down down a"),
    ("puzzle-grid", "down down down a a"),
    ("puzzle-sticks", "down down down a a a"),
    ("puzzle-sticks-hint", "down down down a a a x"),
    ("puzzle-sticks-right", "down down down a a a x a"),
    ("puzzle-grid-solved", "down down down a a a x a b"),
    ("puzzle-tictactoe", "down down down a down a a"),
    ("puzzle-dots", "down down down a down down a a"),
    ("puzzle-iwoki", "down down down a down down down a a"),
    (
        "puzzle-iwoki-right",
        "down down down a down down down a a x a",
    ),
    ("puzzle-go", "down down down a down down down down a a"),
    (
        "puzzle-go-wrong",
        "down down down a down down down down a a up a",
    ),
    (
        "puzzle-go-right",
        "down down down a down down down down a a x a",
    ),
    ("puzzle-connect4", "down down down a up a a"),
    ("step-sticks", "up a"),
    ("step-sticks-try", "up a a"),
    ("step-sticks-wrong", "up a a a"),
    ("step-sticks-right", "up a a left a"),
    ("step-tictactoe", "down a down a up a"),
    ("step-dots", "down a down down a up a"),
    ("step-iwoki", "down a down down down a up a"),
    ("step-iwoki-try", "down a down down down a up a a"),
    ("step-go", "down a down down down down a up a"),
    ("step-go-try", "down a down down down down a up a a"),
    (
        "step-go-wrong",
        "down a down down down down a up a a up up a",
    ),
    ("step-connect4", "down a up a up a"),
    ("pause-lesson", "a hold up up up"),
    ("lesson-sticks-begins", "down down a a"),
    ("lesson-sticks", "down down a a wait wait wait"),
    (
        "lesson-sticks-slow",
        "down down a a left left left wait wait",
    ),
    ("lesson-sticks-stopped", "down down a a wait wait a"),
    ("lesson-sticks-leave", "down down a a wait wait a b"),
    (
        "lesson-sticks-done",
        "down down a a wait wait wait wait down",
    ),
    ("lesson-kept", "down down a a wait a down down a"),
    ("lesson-dots", "down down a down a wait wait wait"),
    (
        "lesson-dots-stopped",
        "down down a down a wait wait wait a down",
    ),
    (
        "belts-ancestor-tictactoe",
        "down a down a down down a to:Marks",
    ),
    (
        "card-ancestor-tictactoe",
        "down a down a down down a to:Marks x",
    ),
    (
        "belts-ancestor-connect4",
        "down a up a down down a to:Claimeven",
    ),
    (
        "card-ancestor-connect4",
        "down a up a down down a to:Claimeven x",
    ),
    ("pause-share", "a a wait hold to:Share"),
    ("share-sticks", "a a wait hold to:Share a"),
    ("belts-ancestor", "down a down down a down down a up up up"),
    ("card-ancestor", "down a down down a down down a up up up x"),
    (
        "belts-annilgos",
        "down a down down down down a down down a up up up up",
    ),
    (
        "card-annilgos",
        "down a down down down down a down down a up up up up x",
    ),
];

fn book_scene(keys: &str) -> Runner {
    let mut runner = Runner::new(1);
    runner.bank = SHIPPED;
    let card = BankCard::from(&Bank::new(SHIPPED).expect("the shipped bank"));
    runner.handle(Event::Bank(Ok(card)));
    runner.handle(Event::Ready);
    runner.keys("a");
    runner.keys(keys);
    runner
}

/// All scenes, in the order of the lists above.
fn scenes() -> impl Iterator<Item = (&'static str, Runner)> {
    let go = |&(name, keys): &(&'static str, &[&str])| (name, go_scene(keys, Some(judged), true));
    let plain = SCENES.iter().map(|(name, keys)| (*name, scene(keys)));
    let minds = MINDS.iter().map(|(name, keys)| (*name, mind_scene(keys)));
    let iwoki = IWOKI.iter().map(|(name, keys)| (*name, iwoki_scene(keys)));
    let device = DEVICE
        .iter()
        .map(|(name, keys)| (*name, device_scene(keys)));
    let book = BOOK.iter().map(|(name, keys)| (*name, book_scene(keys)));
    plain
        .chain(book)
        .chain(GO_SCENES.iter().map(go))
        .chain(minds)
        .chain(iwoki)
        .chain(go_minds())
        .chain(helped())
        .chain(troubles())
        .chain(belts())
        .chain(apprentices())
        .chain(path::scenes())
        .chain([("menu-dots", menu_after_dots())])
        .chain(device)
        .chain(device_states())
}

/// Values that no thinking side sends, in every event that comes from one, under every number that
/// a question may have; both displays are drawn after each kind.
fn tell_absurd_values(runner: &mut Runner) {
    let mut frames = Screen::ALL.map(Frame::new);
    for value in [u16::MAX, 1001, 0] {
        let games = u32::from(value) << 16;
        let card = Some(BrainCard {
            name: [0xFF; _],
            seed: u64::MAX,
            games: u64::MAX,
            crc: u32::MAX,
            date: u32::MAX,
            strength: value,
        });
        let speed = Speed {
            count: u32::MAX,
            micros: value.into(),
        };
        let brains = Brains {
            cards: [card; _],
            last: Some(GameId::Go),
        };
        let figures = Figures {
            games,
            sure: value,
            wrong: value,
            strength: value,
            against_random: value,
            boards: [value; _],
            duel: Some(Duel {
                belt: Belt::Black,
                won: value as u8,
                passed: true,
            }),
        };
        let thoughts: Vec<Thought> = (0..200)
            .map(|index| Thought {
                index,
                value,
                visits: value as u8,
            })
            .chain([Thought {
                index: u16::MAX,
                value,
                visits: value as u8,
            }])
            .collect();
        let answer = |index| {
            Some(Answer {
                decision: Decision::Play(index),
                source: Source::Brain,
                grounds: Grounds {
                    expected: Some(value),
                    voice: value as u8,
                    rule: Some([value as u8; _]),
                },
            })
        };
        let mut tell = |events: &[Event<'_>]| {
            events.iter().for_each(|&event| runner.handle(event));
            frames
                .iter_mut()
                .for_each(|frame| runner.console.draw(frame));
        };
        tell(&[
            Event::Card(card),
            Event::Brains(brains),
            Event::Measured {
                search: speed,
                playouts: speed,
            },
        ]);
        let ids = 0..24;
        for done in [false, true] {
            let learned = |id| Event::Learned { id, figures, done };
            let mind = |id| Event::Mind {
                id,
                thoughts: &thoughts,
                done,
            };
            let events = ids.clone().map(learned).chain(ids.clone().map(mind));
            tell(&events.collect::<Vec<_>>());
        }
        for index in [u16::MAX, 1000, 95] {
            let answered = |id| Event::Answer {
                id,
                answer: answer(index),
            };
            tell(&ids.clone().map(answered).collect::<Vec<_>>());
        }
    }
}

#[test]
fn absurd_values_from_the_thinking_side_can_be_drawn_on_every_screen() {
    for (_, mut runner) in scenes() {
        runner.thinks = false;
        tell_absurd_values(&mut runner);
        // The mind view on or off, where it was not, and a hint.
        for keys in ["hold up up a", "x"] {
            runner.keys(keys);
            tell_absurd_values(&mut runner);
        }
    }
}

#[test]
fn every_screen_looks_as_blessed() {
    let mut faults = vec![];
    let mut seen = std::collections::BTreeSet::new();
    let mut pictures = [vec![], vec![]];
    for (name, mut runner) in scenes() {
        seen.insert(runner.console.screen_name());
        for (screen, pictures) in Screen::ALL.into_iter().zip(&mut pictures) {
            let picture = runner.picture(screen);
            faults.extend(compare(name, &picture));
            pictures.push((name, picture));
        }
    }
    if std::env::var_os("DOJO_BLESS").is_some() {
        Screen::ALL
            .into_iter()
            .zip(&mut pictures)
            .for_each(contact_sheet);
    }
    assert!(
        faults.is_empty(),
        "{} pictures differ:\n{}",
        faults.len(),
        faults.join("\n")
    );
    let all = [
        "about",
        "apprentice",
        "battery",
        "belts",
        "board",
        "button test",
        "card",
        "ceremony",
        "confirm",
        "count",
        "device",
        "exercise",
        "flash test",
        "game wall",
        "games",
        "handover",
        "learn",
        "lesson",
        "menu",
        "naming",
        "pause",
        "pixel test",
        "puzzle grid",
        "puzzles",
        "replace",
        "result",
        "review",
        "rules",
        "running",
        "scoring",
        "self-test",
        "settings",
        "setup",
        "share",
        "sound test",
        "statistics",
        "title",
        "trouble",
        "wall",
    ];
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        all,
        "a screen has no picture"
    );
}

/// Statistics without results, with so many belts earned in each game; the next one needs a win.
fn with_belts(belts: [u8; GameId::ALL.len()]) -> Vec<u8> {
    let mut bytes = vec![2, 0, belts.len() as u8];
    for (game, earned) in belts.into_iter().enumerate() {
        bytes.push(game as u8);
        for belt in 0..5 {
            // The last games against it, and the game that earned it.
            let [recent, game] = match belt {
                _ if belt < earned => [3, 10 * belt + 7],
                _ if belt == earned => [1, 0],
                _ => [0, 0],
            };
            bytes.extend([recent, game]);
        }
    }
    bytes
}

/// A person has beaten a belt for the second time.
fn winner(belt: Belt, belts: [u8; GameId::ALL.len()]) -> Runner {
    let mut runner = Runner::new(1);
    let setup = Setup {
        seats: [Seat::Person, Seat::Machine(belt)],
        ..Setup::new(GameId::Sticks)
    };
    let mut session = Session::new(setup, Player::First);
    for mv in [20, 11, 1] {
        session.play(mv).expect("a legal move");
    }
    let mut buffer = [0; dojo_handheld::MAX_BYTES];
    let bytes = session.kept(&mut buffer).expect("a short game").to_vec();
    runner.store(Slot::Statistics, with_belts(belts));
    runner.store(Slot::Game(GameId::Sticks), bytes);
    runner.handle(Event::Ready);
    runner.keys("wait");
    runner
}

/// Belts on the wall, and how they are tied.
fn belts() -> impl Iterator<Item = (&'static str, Runner)> {
    let wall = |belts, keys: &str| {
        let mut runner = Runner::new(1);
        runner.store(Slot::Statistics, with_belts(belts));
        runner.handle(Event::Ready);
        runner.keys("a");
        while !runner.told().contains("> Results") {
            runner.keys("down");
        }
        runner.keys(keys);
        runner
    };
    let some = [2, 5, 0, 1, 0, 3];
    let walls = [
        ("wall", wall(some, "a")),
        ("wall-game", wall(some, "a a")),
        ("wall-reset", wall(some, "a x")),
        ("wall-master", wall([5; _], "a up")),
        ("gate", wall([5; _], "a up a")),
    ];
    let tied = Belt::ALL.map(|belt| {
        let names = [
            "ceremony-white",
            "ceremony-yellow",
            "ceremony-green",
            "ceremony-brown",
            "ceremony-black",
        ];
        let mut runner = winner(belt, [belt as u8, 0, 0, 0, 0, 0]);
        runner.keys("a");
        (names[belt as usize], runner)
    });
    let earned = winner(Belt::Yellow, [1, 0, 0, 0, 0, 0]);
    let first = winner(Belt::Green, [1, 0, 0, 0, 0, 0]);
    walls
        .into_iter()
        .chain(tied)
        .chain([("result-earned", earned), ("result-to-go", first)])
}

/// The menu of somebody who played dots and boxes last: the longest name.
fn menu_after_dots() -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a down a down down a a");
    let mut buffer = [0; dojo_handheld::MAX_BYTES];
    let settings = runner.console.kept(Slot::Settings, &mut buffer).unwrap();
    let mut runner = Runner::new(1);
    runner.handle(Event::Restore(Slot::Settings, settings));
    runner.handle(Event::Ready);
    runner.keys("a");
    runner
}

/// The apprentice's card after so many games, in each of which a person touches the first thing
/// that makes a move; then these buttons.
fn apprentice(games: u32, keys: &str) -> Runner {
    let mut runner = Runner::new(3);
    runner.handle(Event::Ready);
    let setup = Setup {
        seats: [Seat::Person, Seat::Apprentice],
        ..Setup::new(GameId::Dots)
    };
    for _ in 0..games {
        runner.console.start(setup);
        while runner.console.screen_name() == "board" {
            runner.wait(500);
            let moves = |runner: &Runner| {
                let session = runner.console.session();
                session.map_or(0, |session| session.moves().len())
            };
            let before = moves(&runner);
            for place in 0..12 {
                if moves(&runner) == before {
                    runner.handle(Event::Tap(Target::Place(place)));
                }
            }
        }
    }
    runner.console.start(setup);
    runner.keys("hold");
    while !runner.told().contains("> Belt") {
        runner.keys("down");
    }
    runner.keys("a");
    runner.keys(keys);
    runner
}

fn apprentices() -> [(&'static str, Runner); 6] {
    let name = "up right up up up up up up up up up right down";
    [
        ("naming", apprentice(0, &format!("x a {name}"))),
        ("apprentice-named", apprentice(10, &format!("x a {name} a"))),
        ("belts-apprentice", apprentice(0, "")),
        ("apprentice-new", apprentice(0, "x")),
        ("apprentice", apprentice(60, "x")),
        ("apprentice-reset", apprentice(0, "x x")),
    ]
}

fn troubles() -> [(&'static str, Runner); 2] {
    let mut bank = Runner::new(1);
    bank.handle(Event::Bank(Err(BankError::Format {
        found: 7,
        expected: 1,
    })));
    let mut save = Runner::new(1);
    save.handle(Event::Restore(Slot::OldGame, b"?"));
    [("trouble-bank", bank), ("trouble-save", save)]
}

/// Compares with the reference, or writes it if pictures are being blessed. A fault says where to
/// look.
fn compare(name: &str, frame: &Frame) -> Option<String> {
    let file = format!("{name}-{}.png", frame.screen().name());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(&file);
    if std::env::var_os("DOJO_BLESS").is_some() {
        write(&golden, frame);
        return None;
    }
    let pixels = indices(frame);
    let expected = read(&golden);
    if expected.as_deref() == Some(&pixels[..]) {
        return None;
    }
    let actual = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(&file);
    write(&actual, frame);
    let differing = expected.map_or(pixels.len(), |expected| {
        expected.iter().zip(&pixels).filter(|(a, b)| a != b).count()
    });
    let drawing = if frame.screen() == Screen::Oled {
        ascii(frame)
    } else {
        String::new()
    };
    Some(format!(
        "{file}: {differing} pixels, see {}\n{drawing}",
        actual.display()
    ))
}

/// A mono picture as text, two rows of pixels a line.
fn ascii(frame: &Frame) -> String {
    let lit = |x, y| frame.pixel(x, y).is_lit();
    let line = |y| -> String {
        (0..128)
            .map(|x| [' ', '\'', '.', ':'][usize::from(lit(x, y)) + 2 * usize::from(lit(x, y + 1))])
            .collect()
    };
    (0..64)
        .step_by(2)
        .map(|y| line(y).trim_end().to_string() + "\n")
        .collect()
}

/// Writes all pictures of a display in the order of their names, on one sheet for the book.
fn contact_sheet((screen, pictures): (Screen, &mut Vec<(&str, Frame)>)) {
    const COLUMNS: usize = 12;
    const GAP: usize = 4;
    pictures.sort_by_key(|(name, _)| *name);
    let size = screen.size();
    let (wide, high) = (size.width as usize + GAP, size.height as usize + GAP);
    let rows = pictures.len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS * wide + GAP, rows * high + GAP);
    let mut pixels = vec![Ink::Line as u8; width * height];
    for (number, (_, picture)) in pictures.iter().enumerate() {
        let corner = (GAP + number / COLUMNS * high) * width + GAP + number % COLUMNS * wide;
        let inks = indices(picture);
        for (y, row) in inks.chunks(size.width as usize).enumerate() {
            pixels[corner + y * width..][..row.len()].copy_from_slice(row);
        }
    }
    let name = format!("../docs/pictures/look-after-{}.png", screen.name());
    let file = File::create(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let mut encoder = png::Encoder::new(BufWriter::new(file), width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(Ink::ALL.map(|ink| Theme::Night.rgb(ink)).concat());
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
}

fn indices(frame: &Frame) -> Vec<u8> {
    let size = frame.screen().size();
    (0..size.height)
        .flat_map(|y| (0..size.width).map(move |x| frame.pixel(x, y) as u8))
        .collect()
}

fn write(path: &Path, frame: &Frame) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let size = frame.screen().size();
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path).unwrap()),
        size.width,
        size.height,
    );
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Four);
    encoder.set_palette(Ink::ALL.map(|ink| frame.theme().rgb(ink)).concat());
    let packed: Vec<u8> = indices(frame)
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    encoder
        .write_header()
        .unwrap()
        .write_image_data(&packed)
        .unwrap();
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).ok()?));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().ok()?;
    let mut packed = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut packed).ok()?;
    Some(
        packed
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15])
            .collect(),
    )
}

/// What does not fit on any screen, in faces that are this much wider than drawn.
fn misfits(screen: Screen, widened: [u8; 4]) -> Vec<String> {
    let mut faults = vec![];
    for (name, runner) in scenes() {
        let mut frame = Frame::new(screen);
        let mut report = |finding: Finding<'_>| {
            if let Finding::Shortened(text) | Finding::Smaller(text) = finding {
                faults.push(format!("{name} on the {}: {text}", screen.name()));
            }
        };
        runner.console.inspect(&mut frame, widened, &mut report);
    }
    faults
}

#[test]
fn every_text_fits_its_place() {
    let faults: Vec<String> = Screen::ALL
        .into_iter()
        .flat_map(|screen| misfits(screen, [0; 4]))
        .collect();
    assert!(faults.is_empty(), "shortened:\n{}", faults.join("\n"));
}

/// The test above notices a face that is one pixel wider, whichever it is.
#[test]
fn a_wider_face_does_not_fit() {
    for (face, screen) in [Screen::Lcd, Screen::Lcd, Screen::Oled, Screen::Oled]
        .into_iter()
        .enumerate()
    {
        let mut widened = [0; 4];
        widened[face] = 1;
        let faults = misfits(screen, widened);
        assert!(!faults.is_empty(), "face {face} may grow unnoticed");
    }
}

/// Contrast of two colours after WCAG 2.2, 1 to 21.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |rgb: [u8; 3]| {
        let linear = rgb.map(|channel| match f64::from(channel) / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            high => ((high + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Pairs of letters and ground that are drawn anywhere on the colour display, with an example.
fn letters_on_grounds() -> BTreeMap<(u8, u8), String> {
    let mut pairs = BTreeMap::new();
    for (name, runner) in scenes() {
        let mut report = |finding: Finding<'_>| {
            if let Finding::Letters { text, ink, ground } = finding {
                let example = || format!("{name}: {text}");
                pairs
                    .entry((ink as u8, ground as u8))
                    .or_insert_with(example);
            }
        };
        let mut frame = Frame::new(Screen::Lcd);
        runner.console.inspect(&mut frame, [0; 4], &mut report);
    }
    pairs
}

#[test]
fn letters_stand_out_in_every_theme() {
    let mut faults = vec![];
    for ((ink, ground), example) in letters_on_grounds() {
        let (ink, ground) = (Ink::ALL[usize::from(ink)], Ink::ALL[usize::from(ground)]);
        for theme in Theme::ALL {
            let contrast = contrast(theme.rgb(ink), theme.rgb(ground));
            if contrast < 4.5 {
                faults.push(format!(
                    "{theme:?}: {ink:?} on {ground:?} {contrast:.2}: {example}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Lines, pieces and marks, and what they stand on.
const MARKS: [(Ink, Ink); 14] = [
    (Ink::Line, Ink::Night),
    (Ink::Gold, Ink::Night),
    (Ink::Gold, Ink::Shade),
    (Ink::Sun, Ink::Night),
    (Ink::Sun, Ink::Shade),
    (Ink::Sky, Ink::Night),
    (Ink::Sky, Ink::Shade),
    (Ink::Leaf, Ink::Night),
    (Ink::Leaf, Ink::Shade),
    (Ink::Wood, Ink::Night),
    (Ink::Bark, Ink::Wood),
    (Ink::Black, Ink::Wood),
    (Ink::Mist, Ink::Shade),
    (Ink::Paper, Ink::Night),
];

#[test]
fn marks_stand_out_in_every_theme() {
    for theme in Theme::ALL {
        for (mark, ground) in MARKS {
            let contrast = contrast(theme.rgb(mark), theme.rgb(ground));
            assert!(
                contrast >= 3.0,
                "{theme:?}: {mark:?} on {ground:?} {contrast:.2}"
            );
        }
    }
}

/// The test above notices an ink that changes: letters of each ink that has any are lost if it
/// becomes like its ground, and every ground has letters.
#[test]
fn a_changed_ink_is_noticed() {
    let pairs = letters_on_grounds();
    let has = |ink: Ink| {
        let number = ink as u8;
        pairs
            .keys()
            .any(|&(letters, ground)| letters == number || ground == number)
    };
    for ink in [
        Ink::Night,
        Ink::Shade,
        Ink::Mist,
        Ink::Paper,
        Ink::Sky,
        Ink::Gold,
        Ink::White,
        Ink::Black,
    ] {
        assert!(has(ink), "{ink:?} may change unnoticed");
    }
    // A step of a fifth towards the ground is too much for the closest pair.
    let closest = |theme: Theme, fade: f64| {
        let of = |number: u8| theme.rgb(Ink::ALL[usize::from(number)]);
        let faded = |&(ink, ground): &(u8, u8)| {
            let mixed = std::array::from_fn(|channel| {
                let [ink, ground] = [of(ink), of(ground)].map(|rgb| f64::from(rgb[channel]));
                (ink + (ground - ink) * fade).round() as u8
            });
            contrast(mixed, of(ground))
        };
        pairs.keys().map(faded).fold(f64::INFINITY, f64::min)
    };
    for theme in [Theme::Night, Theme::Day] {
        assert!(
            closest(theme, 0.0) >= 4.5 && closest(theme, 0.2) < 4.5,
            "{theme:?}"
        );
    }
}
