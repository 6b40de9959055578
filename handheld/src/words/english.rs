//! All texts of the screens, in English.

use core::fmt;

use dojo_core::bank::BankError;
use dojo_core::bank::exercises::Goal;
use dojo_core::belt::Belt;
use dojo_core::games::GameId;

use crate::strength::Strength;

pub(crate) const PRODUCT: &str = "Pocket Dojo";
pub(crate) const TAGLINE: &str = "they learned by playing";
pub(crate) const PRESS_ANY: [&str; 2] = ["Press any button", "Press a button"];

pub(crate) const YOU: &str = "You";
pub(crate) const PLAYERS: [&str; 2] = ["Player 1", "Player 2"];
pub(crate) const PLAYERS_SHORT: [&str; 2] = ["P1", "P2"];
pub(crate) const A_PERSON: &str = "A person";
pub(crate) const PUPIL: &str = "Your pupil";

pub(crate) const ANCESTOR: &str = "Ancestor";
pub(crate) const APPRENTICE: &str = "Apprentice";
pub(crate) const ITS_NAME: &str = "Its name";
pub(crate) const PUPIL_SHORT: &str = "Pupil";

pub(crate) const ON: &str = "on";
pub(crate) const OFF: &str = "off";

/// A machine by its belt; never by the colour alone, which pieces have, too.
pub(crate) const fn belt(belt: Belt) -> &'static str {
    match belt {
        Belt::White => "White belt",
        Belt::Yellow => "Yellow belt",
        Belt::Green => "Green belt",
        Belt::Brown => "Brown belt",
        Belt::Black => "Black belt",
    }
}

/// What a belt can do, by its measured score against random moves and against the belt below.
pub(crate) fn strength(measured: Option<Strength>) -> &'static str {
    match measured {
        None => "Unknown under these rules",
        Some(Strength { random, below, .. }) => match (random, below) {
            (..850, _) => "Good for a first game",
            (850..950, _) => "Beats most beginners",
            (950..990, _) => "Punishes careless moves",
            (990.., Some(..600) | None) => "Hard to beat",
            (990.., Some(600..)) => "Hardly ever errs",
        },
    }
}

pub(crate) const WELCOME: &str = "New here?";
pub(crate) const FIRST_LESSON: &str = "Your first game in steps";
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const GAMES_ON: &str = "games are on";
pub(crate) const PLAY: &str = "Play";
pub(crate) const AGAINST: &str = "against";
pub(crate) const TWO_PEOPLE: &str = "for two people";
pub(crate) const ALL_GAMES: &str = "All games";
pub(crate) const GAMES: &str = "Games";
pub(crate) const RUNNING: &str = "Yours is still on";
pub(crate) const RUNNING_SHORT: &str = "still on";
pub(crate) const WATCH_IT_LEARN: &str = "Watch it learn";
pub(crate) const PUZZLES: &str = "Puzzles";
pub(crate) const RESULTS: &str = "Results";
pub(crate) const WALL: &str = "Your results and belts";
pub(crate) const GATE: &str = "The master's gate";
pub(crate) const LAST_GAME: &str = "The last game";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const ABOUT: &str = "About";

pub(crate) const START: &str = "Start";
pub(crate) const PLAYER_IS: [&str; 2] = ["Player 1 is", "Player 2 is"];
pub(crate) const GOES_FIRST: &str = "Goes first";
pub(crate) const IN_TURN: &str = "each in turn";
pub(crate) const RULES: &str = "Rules";
pub(crate) const LESSON: &str = "Lesson";

pub(crate) const REMATCH: [&str; 2] = ["Rematch", "Again"];
pub(crate) const SWAP: [&str; 2] = ["Swap sides", "Swap"];
pub(crate) const COUNT: &str = "Count";
pub(crate) const REVIEW: &str = "Review";
pub(crate) const SHARE: &str = "Share";
pub(crate) const SHARE_TOLD: &str =
    "A QR code of this game: the browser page opens it from a photo";
pub(crate) const SHARE_NEEDS_COLOUR: &str =
    "A QR code of the game needs the colour display, or the browser page.";
pub(crate) const MENU: &str = "Menu";
pub(crate) const DRAW: &str = "A draw";

/// Who has won. A margin is a number of points.
pub(crate) fn won(out: &mut impl fmt::Write, name: &str, margin: Option<&str>) -> fmt::Result {
    match (name == YOU, margin) {
        (true, Some(margin)) => write!(out, "You won by {margin}"),
        (true, None) => out.write_str("You won!"),
        (false, Some(margin)) => write!(out, "{name} wins by {margin}"),
        (false, None) => write!(out, "{name} wins"),
    }
}

/// The only person has lost.
pub(crate) fn lost(out: &mut impl fmt::Write, margin: Option<&str>) -> fmt::Result {
    match margin {
        Some(margin) => write!(out, "You lost by {margin}"),
        None => out.write_str("You lost"),
    }
}

/// The ending of a noun after a number.
fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The help that was taken.
pub(crate) fn helped(out: &mut impl fmt::Write, hints: u16, undos: u16) -> fmt::Result {
    match (hints, undos) {
        (0, 0) => out.write_str("No help taken"),
        (hints, 0) => write!(out, "{hints} hint{}", plural(hints.into())),
        (0, undos) => write!(out, "{undos} undo{}", plural(undos.into())),
        (hints, undos) => {
            let (a, b) = (plural(hints.into()), plural(undos.into()));
            write!(out, "{hints} hint{a}, {undos} undo{b}")
        }
    }
}

pub(crate) const TALLY: [&str; 3] = ["won", "drawn", "lost"];

pub(crate) const GROUP_SOUND: &str = "Sound";
pub(crate) const GROUP_LOOK: &str = "Look";
pub(crate) const GROUP_HANDS: &str = "Hands";
pub(crate) const GROUP_DEVICE: &str = "Device";
pub(crate) const SOUND: &str = "All sounds";
pub(crate) const VOLUME: &str = "Volume";
pub(crate) const COLOURS: &str = "Colours";
pub(crate) const BRIGHTNESS: &str = "Brightness";
pub(crate) const MOTION: &str = "Motion";
pub(crate) const KEY_HELP: &str = "Key help";
/// Letters and numbers beside the board of Go.
pub(crate) const COORDINATES: &str = "Coordinates";
pub(crate) const LEFT_HANDED: &str = "Left-handed";
pub(crate) const UPSIDE_DOWN: &str = "Upside down";
pub(crate) const PONDERING: &str = "Thinks ahead";
pub(crate) const POWER_OFF: &str = "Power off";
pub(crate) const OLED_PICTURE: &str = "OLED picture";
pub(crate) const THIS_DEVICE: &str = "This device";

pub(crate) const MADE_OF: &str = "Its opponents learned their games by playing themselves. \
    Letters, pictures and models were made for it.";
pub(crate) const LICENCES: &str = "MIT or Apache-2.0. With Rust, Embassy, heapless, serde and \
    embedded-graphics. All: THIRD-PARTY.md";

pub(crate) const YOUR_TURN: &str = "Your turn";
pub(crate) const THINKING: &str = "Thinking";
pub(crate) const PEEK: &str = "Hint. Hold X: its mind";
pub(crate) const HINT: &str = "Hint: ";
pub(crate) const AGAIN: &str = "Again! ";

pub(crate) const A_STOPS: &str = "A stops";
pub(crate) const KEEPING: &str = "Keeping…";

pub(crate) const CHOOSE_OPPONENT: &str = "Who plays?";
pub(crate) const CARD_GAMES: &str = "Games played";
pub(crate) const CARD_BORN: &str = "Born";
pub(crate) const CARD_SEED: &str = "Seed";
pub(crate) const CARD_CREST: &str = "Crest";
pub(crate) const NO_MODEL: &str = "No trained brain: plays by rules and by looking ahead.";
pub(crate) const APPRENTICE_PLAYS: &str = "Learns from its games with you";
pub(crate) const AN_ANCESTOR: &str = "An ancestor of the belts";
pub(crate) const PERSON_PLAYS: &str = "Somebody beside you";
pub(crate) const PUPIL_PLAYS: &str = "The one you trained and kept";

/// Games against a belt so far.
pub(crate) fn record(out: &mut impl fmt::Write, won: u16, drawn: u16, lost: u16) -> fmt::Result {
    if won == 0 && drawn == 0 && lost == 0 {
        return out.write_str("Not met yet");
    }
    write!(out, "{won} won, ")?;
    if drawn > 0 {
        write!(out, "{drawn} drawn, ")?;
    }
    write!(out, "{lost} lost")
}

/// A certified score against random moves, in thousandths.
pub(crate) fn scores(out: &mut impl fmt::Write, thousandths: u16) -> fmt::Result {
    let percent = (u32::from(thousandths) + 5) / 10;
    write!(out, "{percent}% against random moves")
}

/// A date as a day, written in the number 20261116.
pub(crate) fn date(out: &mut impl fmt::Write, number: u32) -> fmt::Result {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    match MONTHS.get((month as usize).wrapping_sub(1)) {
        Some(month) => write!(out, "{day} {month} {year}"),
        None => out.write_str("unknown"),
    }
}

/// A number with a narrow mark between its thousands.
pub(crate) fn thousands(out: &mut impl fmt::Write, number: u64) -> fmt::Result {
    if number < 1000 {
        return write!(out, "{number}");
    }
    thousands(out, number / 1000)?;
    write!(out, ",{:03}", number % 1000)
}

/// The lines of key help: each key with what it does, three blanks apart. `<>` is left and right.
pub(crate) mod keys {
    pub(crate) const BACK: &str = "B back";
    pub(crate) const CHOOSE: &str = "A choose";
    pub(crate) const CHOOSE_BACK: &str = "A choose   B back";
    pub(crate) const ABOUT: &str = "A speed   <> page   B back";
    pub(crate) const AGAIN: &str = "A again   B back";
    pub(crate) const APPRENTICE: &str = "A name   X new one   B back";
    pub(crate) const BELTS: &str = "A choose   X brain card   B back";
    pub(crate) const BOARD: &str = "X hint   Y undo   B menu";
    pub(crate) const BUTTON_TEST: &str = "press all   hold B: back";
    pub(crate) const CHANGE: &str = "<> change   B back";
    pub(crate) const CHANGE_CHOOSE: &str = "<> change   A choose   B back";
    pub(crate) const DONE: &str = "A done   B back";
    pub(crate) const GAME: &str = "<> game   B back";
    pub(crate) const GAME_WALL: &str = "<> game   A results   B back";
    pub(crate) const GO_ON: &str = "A go on";
    pub(crate) const HANDOVER: &str = "A show my tiles   Y undo";
    pub(crate) const MENU: &str = "B menu";
    pub(crate) const NEXT: &str = "A next   B back";
    pub(crate) const ON: &str = "A on";
    pub(crate) const OPEN: &str = "A open   B back";
    pub(crate) const PAUSE: &str = "A choose   B resume";
    pub(crate) const PLAY: &str = "A play   B back";
    pub(crate) const PUZZLE: &str = "X hint   B back";
    pub(crate) const RESULT: &str = "A choose   X board   B menu";
    pub(crate) const RESULT_ASIDE: &str = "X result   A choose   B menu";
    pub(crate) const REVIEW: &str = "<> step   A try   B back";
    pub(crate) const REVIEW_FLAGS: &str = "<> step   A try   X flag   B back";
    pub(crate) const SOLVE: &str = "A solve   B back";
    pub(crate) const START: &str = "A start   B back";
    pub(crate) const NAMING: &str = "+ letter   A done   X clear   B back";
    pub(crate) const STOP: &str = "A stop   <> speed";
    pub(crate) const TRY: &str = "A try it   B back";
    pub(crate) const WALL: &str = "A belts   X reset   B back";
}

/// Whose turn it is, of two people.
pub(crate) fn turn_of(out: &mut impl fmt::Write, name: &str) -> fmt::Result {
    write!(out, "{name}'s turn")
}

/// What a machine expects for itself; its name may stand before.
pub(crate) fn expects(out: &mut impl fmt::Write, percent: u16) -> fmt::Result {
    write!(out, "expects {percent}%")
}

pub(crate) fn no_values(out: &mut impl fmt::Write, name: &str) -> fmt::Result {
    write!(out, "{name}: no values")
}

pub(crate) const BAD_PAGE: &str = "This page cannot be read. The models may be damaged.";
pub(crate) const RIGHT: &str = "Right!";
pub(crate) const NOT_YET: &str = "Not yet";
pub(crate) const A_TRIES: &str = "A: try it";
pub(crate) const A_GOES_ON: &str = "A: go on";
/// With and without key help below it.
pub(crate) const NOT_THAT: [&str; 2] = ["Not that one", "Not that one\nA: again"];
pub(crate) const YOUR_MOVE: &str = "Your move";

pub(crate) fn lesson_step(out: &mut impl fmt::Write, number: u16, count: u16) -> fmt::Result {
    write!(out, "{LESSON} {number}/{count}")
}

pub(crate) fn puzzle(out: &mut impl fmt::Write, number: u16) -> fmt::Result {
    write!(out, "Puzzle {number}")
}

/// A puzzle was solved.
pub(crate) fn right(out: &mut impl fmt::Write, stars: u8) -> fmt::Result {
    write!(out, "{RIGHT} {stars} star{}", plural(stars.into()))
}

/// What a puzzle asks for.
pub(crate) fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::Task => "",
        Goal::Win => "Find the move that wins",
        Goal::Draw => "Find the move that draws",
        Goal::Points => "Find the best move",
        Goal::Capture => "Take the marked stones",
        Goal::Save => "Save the marked stones",
    }
}

pub(crate) fn version(out: &mut impl fmt::Write, version: &str) -> fmt::Result {
    writeln!(out, "Version {version}")
}

pub(crate) fn bank(out: &mut impl fmt::Write, crc: u32, models: u32) -> fmt::Result {
    writeln!(out, "Bank {crc:08x}, {models} models")
}

pub(crate) fn no_bank(out: &mut impl fmt::Write, error: Option<&BankError>) -> fmt::Result {
    match error {
        Some(error) => writeln!(out, "No bank: {error}"),
        None => writeln!(out, "No bank"),
    }
}

pub(crate) const SPEED_UNKNOWN: &str = "A measures the speed";
pub(crate) const SPEED_RUNS: &str = "Measuring…";

pub(crate) fn speed(out: &mut impl fmt::Write, positions: u32, games: u32) -> fmt::Result {
    write!(
        out,
        "{positions} positions a second\n{games} games a second"
    )
}

pub(crate) fn learned_from(out: &mut impl fmt::Write, games: u32) -> fmt::Result {
    write!(out, "Learned from {games} game{}", plural(games))
}

/// The score between the person and the apprentice, by its name if it has one.
pub(crate) fn rivalry(out: &mut impl fmt::Write, won: u32, lost: u32, name: &str) -> fmt::Result {
    let other = if name == APPRENTICE {
        "apprentice"
    } else {
        name
    };
    write!(out, "You {won} : {lost} {other}")
}

pub(crate) fn its_wins(out: &mut impl fmt::Write, percent: u16) -> fmt::Result {
    write!(out, "Its wins, now {percent} %")
}

pub(crate) const NO_GAME_YET: &str = "No game yet";

/// How a belt was earned.
pub(crate) fn earned(out: &mut impl fmt::Write, game: &str, roomy: bool) -> fmt::Result {
    match roomy {
        true => write!(
            out,
            "You beat it at {game} without help, two games of three."
        ),
        false => write!(out, "{game}, without help"),
    }
}

pub(crate) const MASTER: &str = "Master";
pub(crate) const MASTERED: &str = "Black belts in all games";

pub(crate) const FINAL_COUNT: &str = "Final count";

pub(crate) const PASS_IT_ON: &str = "Pass it on";
pub(crate) const HIDDEN: [&str; 2] = ["Nobody else should look.", "A shows your tiles."];

pub(crate) fn for_player(out: &mut impl fmt::Write, name: &str) -> fmt::Result {
    write!(out, "For {name}")
}

pub(crate) const NO_GAUGE: &str = "no gauge";
pub(crate) const SELF_TEST: &str = "Self-test";
pub(crate) const BATTERY: &str = "Battery";
pub(crate) const VERSION_AND_BANK: &str = "Version and bank";
pub(crate) const NO_BATTERY: &str = "This board has no battery gauge.";
pub(crate) const ESTIMATED: &str = "\n\nEstimated from the voltage.";

pub(crate) fn battery(out: &mut impl fmt::Write, percent: u32, charges: bool) -> fmt::Result {
    write!(out, "{percent} %")?;
    out.write_str(if charges { ", charging" } else { "" })
}

/// Questions and what follows: a title and a text each.
pub(crate) const ANSWERS: [&str; 2] = ["No", "Yes"];
pub(crate) const UPDATE: &str = "Restart to update";
pub(crate) const UPDATE_ASKED: &str = "Restart into update mode? Nothing is lost.";
pub(crate) const UPDATING: [&str; 2] = [
    "Update mode",
    "Connect USB and copy the new UF2 file to the drive RPI-RP2.",
];
pub(crate) const RESET: &str = "Factory reset";
pub(crate) const RESET_ASKED: [&str; 2] = [
    "Factory reset?",
    "You lose settings, results, belts, all games and kept brains.",
];
pub(crate) const RESTARTING: &str = "Restarting…";
pub(crate) const FORGET_APPRENTICE: [&str; 2] = [
    "New apprentice?",
    "It forgets all that you taught it, and your score.",
];
pub(crate) const LEAVE_PUPIL: [&str; 2] =
    ["Leave it?", "The pupil forgets all that it has learned."];
pub(crate) const FORGET_RESULTS: [&str; 2] = [
    "Start again?",
    "You lose all results and all belts. Games stay.",
];

pub(crate) const SMALL_DOTS: &str = "2×2 dots";
pub(crate) const KEPT: &str = "kept";
pub(crate) const GO_ON: &str = "Go on";
pub(crate) const PLAY_IT: &str = "Play it";
pub(crate) const KEEP: &str = "Keep";
pub(crate) const LEAVE: &str = "Leave";
pub(crate) const DISCARD: &str = "Discard";

pub(crate) fn discard(out: &mut impl fmt::Write, game: &str) -> fmt::Result {
    write!(out, "Discard my {game}")
}

pub(crate) fn games(out: &mut impl fmt::Write, number: u32) -> fmt::Result {
    thousands(out, number.into())?;
    out.write_str(" games")
}

/// Games a second.
pub(crate) fn a_second(out: &mut impl fmt::Write, games: u32) -> fmt::Result {
    thousands(out, games.into())?;
    out.write_str(" a second")
}

pub(crate) fn a_second_short(out: &mut impl fmt::Write, games: u32) -> fmt::Result {
    write!(out, "{games}/s")
}

/// A pupil's last match against a belt, as screen readers are told.
pub(crate) fn duel_told(
    out: &mut impl fmt::Write,
    belt: &str,
    passed: bool,
    won: impl fmt::Display,
    games: impl fmt::Display,
) -> fmt::Result {
    let verb = if passed { "beats" } else { "meets" };
    write!(out, "It {verb} the {belt} belt: {won} of {games} games")
}

/// A pupil's last match against a belt.
pub(crate) fn duel(
    out: &mut impl fmt::Write,
    belt: &str,
    won: impl fmt::Display,
    games: impl fmt::Display,
) -> fmt::Result {
    write!(out, "{belt} {won} of {games}")
}

/// The two figures of a pupil's curve, each in full and in short; a percentage follows. Of sticks:
/// how much it is sure of, and how many of its moves are right. Of other games: its scores.
pub(crate) fn figures(game: GameId) -> [[&'static str; 2]; 2] {
    match game {
        GameId::Sticks => [["Is sure of", "sure"], ["Right moves", "right"]],
        _ => [["smart", "smart"], ["random", "random"]],
    }
}

pub(crate) const PAUSE: &str = "Pause";
pub(crate) const RESUME: &str = "Resume";
pub(crate) const A_HINT: &str = "Hint";
pub(crate) const UNDO: &str = "Undo";
pub(crate) const PASS: &str = "Pass";
pub(crate) const RESIGN: &str = "Resign";
pub(crate) const RESIGNED: &str = "By resignation";
pub(crate) const NEW_GAME: &str = "New game";
pub(crate) const BELT: &str = "Belt";
pub(crate) const MIND: &str = "Mind";
pub(crate) const QUIT: &str = "Save and quit";

pub(crate) fn solved(out: &mut impl fmt::Write, puzzles: u32) -> fmt::Result {
    write!(out, "{puzzles} solved")
}

pub(crate) fn moves(out: &mut impl fmt::Write, moves: u32) -> fmt::Result {
    write!(out, "{moves} move{}", plural(moves))
}

/// Whether a new game may take the place of the running one.
pub(crate) fn replace(out: &mut impl fmt::Write, plies: u32) -> fmt::Result {
    out.write_str("Replace the running game? It has ")?;
    moves(out, plies)?;
    out.write_str(".")
}

pub(crate) const REPLACE_ANSWERS: [&str; 2] = ["Continue it", "Replace it"];

/// The same where there is little room.
pub(crate) fn helped_short(out: &mut impl fmt::Write, hints: u16, undos: u16) -> fmt::Result {
    write!(out, "{hints}h {undos}u")
}

pub(crate) fn is_yours(out: &mut impl fmt::Write, belt: Belt) -> fmt::Result {
    write!(out, "The {} belt is yours!", belt.title())
}

pub(crate) fn wins_to_go(out: &mut impl fmt::Write, count: u32, belt: Belt) -> fmt::Result {
    wins(out, count)?;
    write!(out, " to the {} belt", belt.title())
}

pub(crate) fn wins(out: &mut impl fmt::Write, wins: u32) -> fmt::Result {
    write!(out, "{wins} win{}", plural(wins))
}

/// Since which game a belt is the person's; in short it is only theirs.
pub(crate) fn since_game(out: &mut impl fmt::Write, game: u32) -> fmt::Result {
    write!(out, "since game {game}")
}

pub(crate) const YOURS: &str = "yours";

pub(crate) const BETTER: &str = "Better: ";

/// Why a move would have been better.
pub(crate) mod why {
    pub(crate) const WINS: &str = "wins at once";
    pub(crate) const STOPS: &str = "stops a win";
    pub(crate) const TAKES_BOX: &str = "takes a box";
    pub(crate) const GIVES_NO_BOX: &str = "gives no box";
    pub(crate) const KEEPS_WIN: &str = "keeps the win";
    pub(crate) const KEEPS_DRAW: &str = "keeps the draw";
}

pub(crate) const SCORED: [&str; 2] = ["Done", "Play on"];
pub(crate) const JUDGING: &str = "judging";

pub(crate) const BUTTONS: &str = "Buttons";
pub(crate) const PIXELS: &str = "Pixels";
pub(crate) const FLASH: &str = "Flash";
pub(crate) const PIXELS_TASK: &str =
    "Look for pixels that differ from their neighbours.\nA: next, B: back.";
pub(crate) const AGAIN_OR_BACK: &str = "A: again, B: back";
pub(crate) const TESTING: &str = "Testing…";
pub(crate) const BANK_MISSING: &str = "No bank.";
pub(crate) const SAVES_TESTED: [&str; 2] = [
    "\nSaves good: written and read back.",
    "\nSaves FAILED: not written or not read back.",
];

/// How many buttons have been pressed, and without key help how to leave.
pub(crate) fn pressed(out: &mut impl fmt::Write, count: u32, has_help: bool) -> fmt::Result {
    match has_help {
        true => write!(out, "{count} of 8 pressed"),
        false => write!(out, "{count} of 8, hold B to leave"),
    }
}

pub(crate) fn bank_good(out: &mut impl fmt::Write, models: u32) -> fmt::Result {
    write!(out, "Bank good: {models} models read back.")
}

pub(crate) fn bank_damaged(out: &mut impl fmt::Write, entry: u32) -> fmt::Result {
    write!(out, "Bank damaged in entry {entry}: load it again.")
}

pub(crate) fn bank_refused(out: &mut impl fmt::Write, error: &BankError) -> fmt::Result {
    write!(out, "Bank: {error}.")
}

pub(crate) const PLEASE_NOTE: &str = "Please note";
pub(crate) const NOTHING_FINISHED: &str = "There is no finished game yet.";
pub(crate) const BAD_GAME: &str = "The game cannot be read.";

pub(crate) fn no_players(out: &mut impl fmt::Write, error: &BankError) -> fmt::Result {
    write!(out, "No trained players: {error}. Simpler ones play.")
}

/// Something that was stored: settings, results, a game.
pub(crate) fn not_read(out: &mut impl fmt::Write, what: &str) -> fmt::Result {
    write!(out, "The saved {what} could not be read. It begins anew.")
}

/// Off and on, where X and Y together switch it.
pub(crate) const SOUND_SWITCHED: [&str; 2] = ["Sound off", "Sound on"];

pub(crate) const SHIFTS: [&str; 3] = ["auto", "yes", "no"];
pub(crate) const POWER_OFF_AFTER: [&str; 4] = ["never", "10 min", "30 min", "60 min"];
pub(crate) const THEMES: [&str; 3] = ["Night", "Day", "Contrast"];

/// A move of most games, in a word.
pub(crate) const VERB: &str = "play";
/// It follows a player's name.
pub(crate) const PASSED: &str = " passed";

/// 15 sticks.
pub(crate) mod sticks {
    use core::fmt;

    pub(crate) const GOAL: &str = "Leave the last stick";
    pub(crate) const RULES: &[&str] = &[
        "Take turns to take one or more sticks, all from one row. Whoever takes the last stick loses.",
        "Set-up can change the rows, and let the last stick win instead.",
        "Up, down: row. Left, right: how many. A: take. X: hint. Y: take back. B: menu.",
    ];
    pub(crate) const EXAMPLE: &str = "A move: these three.";
    pub(crate) const VERB: &str = "take";
    pub(crate) const LAST_LOSES: &str = "The loser took the last stick";
    pub(crate) const LAST_WINS: &str = "The winner took the last stick";
    pub(crate) const LAST_STICK: &str = "Last stick";
    pub(crate) const LAST_DOES: [&str; 2] = ["wins", "loses"];
    pub(crate) const ROW_LABELS: [&str; 3] = ["Row 1", "Row 2", "Row 3"];
    pub(crate) const COUNTS: [&str; 8] = ["none", "1", "2", "3", "4", "5", "6", "7"];
    /// As players call the rows.
    pub(crate) const ROW_NAMES: [&str; 3] = ["top", "middle", "bottom"];

    pub(crate) fn take(out: &mut impl fmt::Write, count: u32, row: &str) -> fmt::Result {
        write!(out, "Take {count} from the {row} row")
    }
}

/// Tic-tac-toe.
pub(crate) mod tictactoe {
    use core::fmt;

    pub(crate) const GOAL: &str = "Three in a row";
    pub(crate) const RULES: &[&str] = &[
        "Take turns to mark a square. Three of yours in a row, column or diagonal win. A full board is a draw.",
        "D-pad: move. A: mark. X: hint. Y: take back. B: menu.",
    ];
    pub(crate) const EXAMPLE: &str = "The third in a line wins.";
    pub(crate) const VERB: &str = "mark";
    pub(crate) const FULL: &str = "Board full, no line";
    /// The squares, from the bottom row up.
    pub(crate) const SQUARES: [[&str; 3]; 3] = [
        ["bottom left corner", "bottom side", "bottom right corner"],
        ["left side", "centre", "right side"],
        ["top left corner", "top side", "top right corner"],
    ];

    pub(crate) fn mark(out: &mut impl fmt::Write, square: &str) -> fmt::Result {
        write!(out, "Mark the {square}")
    }
}

/// Connect Four.
pub(crate) mod connect4 {
    use core::fmt;

    pub(crate) const GOAL: &str = "Four in a row";
    pub(crate) const RULES: &[&str] = &[
        "Drop a stone into a column in turn: it falls to the lowest free place.",
        "Four of yours in a row, column or diagonal win. A full board is a draw.",
        "Left, right: column. A: drop. X: hint. Y: take back. B: menu.",
    ];
    pub(crate) const EXAMPLE: &str = "The fourth in a line wins.";
    pub(crate) const VERB: &str = "drop";
    pub(crate) const FULL: &str = "Board full, no four";

    pub(crate) fn drop_into(out: &mut impl fmt::Write, column: impl fmt::Display) -> fmt::Result {
        write!(out, "Drop into column {column}")
    }
}

/// Dots and boxes.
pub(crate) mod dots {
    use core::fmt;

    pub(crate) const GOAL: &str = "Close the most boxes";
    pub(crate) const RULES: &[&str] = &[
        "Take turns to draw an edge. Whoever draws the fourth side of a box owns it and moves again.",
        "More boxes win. With equal boxes the player who started loses.",
        "Set-up can change size, ties, and let fewer boxes win.",
        "D-pad: move. A: draw. X: hint. Y: take back. B: menu.",
    ];
    pub(crate) const EXAMPLE: &str = "The fourth side takes the box.";
    pub(crate) const VERB: &str = "draw";
    pub(crate) const EQUAL: &str = "Equal boxes";
    pub(crate) const STARTER_LOSES: &str = "Equal boxes: the starter loses";
    pub(crate) const MOST: &str = "The most boxes";
    pub(crate) const FEWEST: &str = "The fewest boxes";
    pub(crate) const ROWS: &str = "Rows";
    pub(crate) const COLUMNS: &str = "Columns";
    pub(crate) const TIES: [&str; 2] = ["are a draw", "2nd player wins"];
    pub(crate) const TO_WIN: &str = "To win, close";
    pub(crate) const CLOSE: [&str; 2] = ["fewer boxes", "more boxes"];
    /// An edge may be one of these.
    pub(crate) const WAYS: [&str; 2] = ["level", "upright"];
    /// They follow a player's name.
    pub(crate) const CLOSED: [&str; 2] = [" closed a box", " closed two boxes"];

    pub(crate) fn draw(out: &mut impl fmt::Write, way: &str) -> fmt::Result {
        write!(out, "Draw the marked {way} edge")
    }
}

/// Iwoki.
pub(crate) mod iwoki {
    use core::fmt;

    pub(crate) const GOAL: &str = "Make numbers agree";
    pub(crate) const RULES: &[&str] = &[
        "Lay a tile so that the numbers that touch are equal. You get these numbers as points.",
        "A hexagon has six numbers. A * is equal to any; one real number has to touch.",
        "Each side of a small tile is two of its corners: added (+), or one less the other (-).",
        "Once a turn you may draw a tile. If you still cannot lay one, you pass.",
        "A minus tile, a draw or a pass brings a white token. Three tokens buy a hexagon.",
        "Your last small tile is laid: the other has one more turn.",
        "Then every small tile in the hand costs its top number. A red token: one tile left.",
        "Left, right: tile. A: take it. D-pad: place. A: turn or lay it. B: back.",
        "Up from your tiles: look around, A there: whole board. Down: the other's tiles.",
    ];
    pub(crate) const EXAMPLE: &str = "Numbers that touch agree.";
    /// Choosing a tile, laying it, looking around, looking at the opponent's tiles.
    pub(crate) const VERBS: [&str; 4] = ["choose", "lay", "zoom", "back"];
    pub(crate) const HANDS: &str = "Hands";
    pub(crate) const HANDS_ARE: [&str; 2] = ["hidden", "open"];
    pub(crate) const DRAW: &str = "Draw";
    pub(crate) const DRAW_A_TILE: &str = "Draw a tile";
    pub(crate) const NO_TILE_FITS: &str = "No tile fits: pass";
    pub(crate) const FITS_NOWHERE: &str = "Fits nowhere";
    pub(crate) const THEIR_TILES: &str = "Opponent's tiles";
    /// What A does to a part of the board, and to the whole.
    pub(crate) const LOOK: [&str; 2] = ["A: whole board", "A: closer"];
    pub(crate) const POINTS: &str = "Points";

    pub(crate) fn counted(out: &mut impl fmt::Write, most: i16, least: i16) -> fmt::Result {
        write!(out, "{most} : {least} after the count")
    }

    pub(crate) fn tile(out: &mut impl fmt::Write, [a, b, c]: [u8; 3]) -> fmt::Result {
        write!(out, "Tile {a}{b}{c}")
    }

    pub(crate) fn lay(
        out: &mut impl fmt::Write,
        tile: impl fmt::Display,
        points: u32,
    ) -> fmt::Result {
        write!(out, "Lay {tile} for {points}")
    }

    /// It follows a player's name.
    pub(crate) fn drew(out: &mut impl fmt::Write, [a, b, c]: [u8; 3]) -> fmt::Result {
        write!(out, " drew {a}{b}{c}")
    }

    /// In how many places a tile fits, and the most points it brings.
    pub(crate) fn fits(out: &mut impl fmt::Write, places: u32, most: u32) -> fmt::Result {
        write!(out, "{places} place{}, best +{most}", super::plural(places))
    }

    pub(crate) fn turn_it(out: &mut impl fmt::Write, points: u32) -> fmt::Result {
        points_for(out, points)?;
        out.write_str("\nA: turn it")
    }

    pub(crate) fn lay_it(out: &mut impl fmt::Write, points: u32) -> fmt::Result {
        points_for(out, points)?;
        out.write_str("\nA: lay it")
    }

    fn points_for(out: &mut impl fmt::Write, points: u32) -> fmt::Result {
        write!(out, "{points} point{}", super::plural(points))
    }
}

/// Go.
pub(crate) mod go {
    use core::fmt;

    pub(crate) const GOAL: &str = "Surround the most";
    pub(crate) const RULES: &[&str] = &[
        "Put a stone on a point in turn. A group without a free point beside it is taken off.",
        "You may not take your own last free point, nor bring a position back (ko, marked x).",
        "Nothing to gain? Pass. Two passes end the game: mark dead stones with A, then Done.",
        "Your stones and the points only you touch count. White gets komi for being second.",
        "Right of the board: Pass. Bar or red ring: one free point left. Number on a plate: stones taken.",
        "A: play. X: hint. Y: take back. B: menu with resign and territory.",
    ];
    /// A learned rule: "own stone 1 left 2 up; line 3 from the left; early in the game".
    pub(crate) mod rule {
        use core::fmt;

        pub(crate) const LEARNED: &str = "Learned rule: ";
        pub(crate) const SIDES: [&str; 4] = ["left", "right", "bottom", "top"];
        pub(crate) const WAYS: [[&str; 2]; 2] = [["right", "left"], ["up", "down"]];
        pub(crate) const STAGES: [&str; 4] = [
            "first move",
            "early in the game",
            "in the middle game",
            "late in the game",
        ];
        /// The mover's, the opponent's, anybody's.
        pub(crate) const STONES: [&str; 3] = ["own stone", "enemy stone", "any stone"];
        pub(crate) const AND: &str = " and ";
        pub(crate) const BESIDE: &str = "beside it";
        pub(crate) const CAPTURED: &str = "captured";
        pub(crate) const IN_ATARI: &str = "put in atari";
        pub(crate) const CONNECTED: &str = "connected twice";
        pub(crate) const FREE_POINTS: &str = "free points";
        pub(crate) const SIZE: &str = "stones";

        pub(crate) fn line(
            out: &mut impl fmt::Write,
            number: impl fmt::Display,
            side: &str,
        ) -> fmt::Result {
            write!(out, "line {number} from the {side}")
        }

        pub(crate) fn range(
            out: &mut impl fmt::Write,
            low: impl fmt::Display,
            high: impl fmt::Display,
            what: &str,
        ) -> fmt::Result {
            write!(out, ", {low} to {high} {what}")
        }
    }

    pub(crate) const EXAMPLE: &str = "Black here takes the stone.";
    pub(crate) const TERRITORY: &str = "Territory";
    pub(crate) const SIZE: &str = "Size";
    pub(crate) const SIZES: [&str; 3] = ["5x5", "7x7", "9x9"];
    pub(crate) const KOMI: &str = "Komi";
    pub(crate) const HANDICAP: &str = "Handicap";
    pub(crate) const STONES: [&str; 10] = ["none", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    pub(crate) const KO: &str = "Ko";
    pub(crate) const KO_IS: [&str; 2] = ["simple", "superko"];
    pub(crate) const PASSED_ALREADY: &str = "Passed";
    pub(crate) const DEAD_STONES: &str = "Dead stones?";
    pub(crate) const KEYS_ON_BOARD: &str = "A dead or alive";
    pub(crate) const KEYS_BESIDE: &str = "A choose   <> stones";
    pub(crate) const DRAW: &str = "Draw";

    /// The winner's area and the other one.
    pub(crate) fn areas(
        out: &mut impl fmt::Write,
        most: impl fmt::Display,
        least: impl fmt::Display,
    ) -> fmt::Result {
        write!(out, "Area {most} to {least}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_read_like_those_of_people() {
        let written = |number| {
            let mut text = heapless::String::<32>::new();
            thousands(&mut text, number).unwrap();
            text
        };
        assert_eq!(written(999), "999");
        assert_eq!(written(1_000_020), "1,000,020");
        let mut text = heapless::String::<32>::new();
        date(&mut text, 20261116).unwrap();
        assert_eq!(text, "16 Nov 2026");
    }
}
