//! Pictures of the documentation, taken from the console itself.

use crate::{Outcome, dojo};

/// Name, display, scale and buttons.
const PICTURES: &[(&str, &str, &str, &str)] = &[
    ("title-lcd", "lcd", "1", ""),
    ("menu-lcd", "lcd", "1", "a"),
    ("menu-oled", "oled", "3", "a"),
    (
        "sticks-lcd",
        "lcd",
        "1",
        "a a left left a wait up left left",
    ),
    (
        "sticks-oled",
        "oled",
        "3",
        "a a left left a wait up left left",
    ),
    ("tictactoe-lcd", "lcd", "1", "a down a down a a a wait up"),
    (
        "mind-sticks-lcd",
        "lcd",
        "1",
        "a a b down down down down right right right b b up up a left left left",
    ),
    (
        "mind-dots-lcd",
        "lcd",
        "1",
        "a down a down down a a b up up a up a wait wait",
    ),
    (
        "mind-dots-oled",
        "oled",
        "2",
        "a down a down down a a b up up a up a wait wait",
    ),
    ("lesson-lcd", "lcd", "1", "a down down a a wait wait wait a"),
    (
        "lesson-oled",
        "oled",
        "2",
        "a down down a down a wait wait wait",
    ),
    (
        "belts-lcd",
        "lcd",
        "1",
        "a down a down down a down down a down down",
    ),
    ("tictactoe-oled", "oled", "3", "a down a down a a a wait up"),
    ("connect4-lcd", "lcd", "1", CONNECT4),
    ("connect4-oled", "oled", "3", CONNECT4),
    ("go-lcd", "lcd", "1", GO),
    ("go-oled", "oled", "3", GO),
    ("iwoki-hand-lcd", "lcd", "1", IWOKI_HAND),
    ("iwoki-hand-oled", "oled", "3", IWOKI_HAND),
    ("iwoki-gap-lcd", "lcd", "1", IWOKI_GAP),
    ("iwoki-turn-lcd", "lcd", "1", IWOKI_TURN),
    ("iwoki-turn-oled", "oled", "3", IWOKI_TURN),
];

/// A few stones of Connect Four.
const CONNECT4: &str =
    "a down a down down down down down a a a wait right a wait left left a wait right a wait";

/// A game of Go after four moves of each.
const GO: &str = "a down a down down down down a a a wait up up left a wait left left a wait down down down a wait right right";

/// A game of iwoki after four moves: the next tile is chosen, taken to a gap, or turned.
const IWOKI_HAND: &str =
    "a down a down down down a a a a a wait a a a wait a a a wait a a a wait right";
const IWOKI_GAP: &str = "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a";
const IWOKI_TURN: &str =
    "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a a right";

/// Name of the recording and what `dojo record` plays for it.
const RECORDINGS: &[(&str, &[&str])] = &[
    ("sticks", &["sticks", "--belts", "yellow,black"]),
    ("go", &["go", "--size", "5", "--belts", "green,brown"]),
];

/// Takes all pictures anew.
pub(crate) fn take() -> Outcome {
    for (name, board, scale, keys) in PICTURES {
        let out = format!("docs/pictures/{name}.png");
        dojo(&[
            "screenshot",
            "--force",
            "--board",
            board,
            "--scale",
            scale,
            "--keys",
            keys,
            "--out",
            &out,
        ])?;
    }
    for (name, game) in RECORDINGS {
        let out = format!("docs/pictures/{name}.gif");
        dojo(&[&["record", "--force", "--out", &out], *game].concat())?;
    }
    Ok(())
}
