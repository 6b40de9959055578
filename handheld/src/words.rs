//! The texts of the screens, in English. Another language is another file like this one.
//!
//! The boards' own texts are with the boards.

use core::fmt;

use dojo_core::belt::Belt;

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

/// The help that was taken.
pub(crate) fn helped(out: &mut impl fmt::Write, hints: u16, undos: u16) -> fmt::Result {
    let plural = |count: u16| if count == 1 { "" } else { "s" };
    match (hints, undos) {
        (0, 0) => out.write_str("No help taken"),
        (hints, 0) => write!(out, "{hints} hint{}", plural(hints)),
        (0, undos) => write!(out, "{undos} undo{}", plural(undos)),
        (hints, undos) => {
            let (a, b) = (plural(hints), plural(undos));
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
