//! What a terminal can show: asked from the terminal itself, else read from the environment.

use std::time::Duration;

use crate::terminal::blocks::{Glyphs, distance};
use crate::terminal::graphics::Protocol;
use crate::terminal::raster::Rgb;
use ratatui::style::Color;

/// How many colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Colours {
    /// None: black on white or the other way round
    None,
    /// The 16 of the first colour terminals
    #[value(name = "16")]
    Sixteen,
    /// 256: six steps a channel and greys
    #[value(name = "256")]
    Cube,
    /// All: 24 bits
    #[value(name = "true")]
    True,
}

impl Colours {
    /// The nearest colour that the terminal has; `None` where it has none.
    pub fn nearest(self, rgb: Rgb) -> Option<Color> {
        let near = |from: u8, to: u8| {
            (from..=to)
                .min_by_key(|&number| distance(indexed(number), rgb))
                .map(Color::Indexed)
        };
        match self {
            Colours::None => None,
            Colours::Sixteen => near(0, 15),
            // The first 16 differ from terminal to terminal.
            Colours::Cube => near(16, 255),
            Colours::True => Some(Color::Rgb(rgb[0], rgb[1], rgb[2])),
        }
    }
}

/// A colour by its number, as xterm has them.
pub fn indexed(number: u8) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match number {
        7 => [229; 3],
        8 => [127; 3],
        0..=15 => [0, 1, 2].map(|channel| match (number >> channel & 1, number) {
            (0, _) => 0,
            (_, 0..=7) => 205,
            _ => 255,
        }),
        16..=231 => {
            let cube = usize::from(number - 16);
            [STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6]]
        }
        232.. => [8 + 10 * (number - 232); 3],
    }
}

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ability {
    /// How it takes pictures, if it does.
    pub pictures: Option<Protocol>,
    /// Its colours.
    pub colours: Colours,
    /// The finest blocks that its fonts surely have.
    pub glyphs: Glyphs,
    /// Pixels across and down in a character.
    pub cell: (u16, u16),
}

/// How long a terminal may take to answer: one on the other side of the world manages it.
const PATIENCE: Duration = Duration::from_millis(400);
/// A character's size where the terminal does not tell it.
const USUAL_CELL: (u16, u16) = (8, 16);

/// A half block and the question where the cursor is: after it, if the terminal reads UTF-8. Then
/// its name and version, whether it takes kitty's pictures, the size of a character, and last what
/// every terminal answers: its kind, with a 4 among the numbers if it takes sixel.
const QUESTIONS: &str =
    "\r▀\x1b[6n\r\x1b[2K\x1b[>q\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c";

impl Ability {
    /// Asks the terminal, which has to be raw. Also returns the letters that were typed meanwhile.
    pub fn ask() -> (Ability, String) {
        let environment = |name: &str| std::env::var(name).ok();
        // A terminal that calls itself dumb would print the questions.
        let is_dumb = environment("TERM").is_some_and(|term| term == "dumb");
        let reply = match is_dumb {
            true => vec![],
            false => answers(QUESTIONS, PATIENCE),
        };
        let ability = Ability::of(&environment, &reply, window_cell().unwrap_or(USUAL_CELL));
        (ability, typed(&reply))
    }

    /// What follows from the environment and from the terminal's answers, with the size of a
    /// character if no answer tells it.
    pub fn of(
        environment: &dyn Fn(&str) -> Option<String>,
        reply: &[u8],
        usual_cell: (u16, u16),
    ) -> Ability {
        let get = |name: &str| {
            environment(name)
                .filter(|text| !text.is_empty())
                .unwrap_or_default()
        };
        let reply = String::from_utf8_lossy(reply);
        let replies = || reply.split('\x1b');
        let (term, program) = (get("TERM"), get("TERM_PROGRAM"));
        let version = replies().find_map(|text| text.strip_prefix("P>|"));
        let name = version.unwrap_or(&program).to_ascii_lowercase();
        let is = |names: &[&str]| {
            names
                .iter()
                .any(|known| name.contains(known) || term.contains(known))
        };

        let utf8 = match replies().find_map(|text| text.strip_prefix('[')?.strip_suffix('R')) {
            Some(position) => position.ends_with(";2"),
            None => {
                let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(get);
                let locale = locale.into_iter().find(|text| !text.is_empty());
                let locale = locale.unwrap_or_default().to_ascii_lowercase();
                cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
            }
        };
        let vte: u32 = get("VTE_VERSION").parse().unwrap_or(0);
        let glyphs = match () {
            _ if !utf8 || term == "dumb" => Glyphs::Ascii,
            _ if term == "linux" => Glyphs::Halves,
            _ if vte >= 6400 || is(&["kitty", "wezterm", "foot", "ghostty"]) => Glyphs::Sextants,
            _ => Glyphs::Quadrants,
        };

        let modern = ["kitty", "wezterm", "foot", "ghostty", "iterm", "mintty"];
        let many = matches!(&*get("COLORTERM"), "truecolor" | "24bit")
            || term.contains("direct")
            || cfg!(windows)
            || !get("WT_SESSION").is_empty()
            || is(&modern);
        let colours = match () {
            _ if !get("NO_COLOR").is_empty() || term == "dumb" => Colours::None,
            _ if many => Colours::True,
            // xterm has 256 colours, whatever its name in TERM is.
            _ if term.contains("256") || name.starts_with("xterm(") => Colours::Cube,
            _ => Colours::Sixteen,
        };

        let takes_kitty = replies().any(|text| text.starts_with("_Gi=31;OK"));
        let takes_iterm = is(&["iterm", "wezterm", "mintty"]);
        let takes_sixel = replies().any(|text| {
            let kinds = text
                .strip_prefix("[?")
                .and_then(|text| text.strip_suffix('c'));
            kinds.is_some_and(|kinds| kinds.split(';').skip(1).any(|kind| kind == "4"))
        });
        let pictures = match () {
            _ if colours == Colours::None => None,
            _ if takes_kitty => Some(Protocol::Kitty),
            _ if takes_iterm => Some(Protocol::Iterm),
            _ if takes_sixel => Some(Protocol::Sixel),
            _ => None,
        };

        let size = replies().find_map(|text| {
            let (high, wide) = text
                .strip_prefix("[6;")?
                .strip_suffix('t')?
                .split_once(';')?;
            Some((wide.parse().ok()?, high.parse().ok()?))
        });
        let cell = size.filter(|(wide, high)| (2..=200).contains(wide) && (2..=400).contains(high));
        Ability {
            pictures,
            colours,
            glyphs,
            cell: cell.unwrap_or(usual_cell),
        }
    }

    /// In words, for `dojo doctor`.
    pub fn words(self) -> String {
        let pictures = match self.pictures {
            Some(Protocol::Kitty) => "pictures by kitty's protocol, ",
            Some(Protocol::Iterm) => "pictures by iTerm2's protocol, ",
            Some(Protocol::Sixel) => "pictures by sixel, ",
            None => "no pictures, ",
        };
        let glyphs = match self.glyphs {
            Glyphs::Ascii => "letters only",
            Glyphs::Halves => "half blocks",
            Glyphs::Quadrants => "quadrant blocks",
            Glyphs::Sextants => "sextant blocks",
        };
        let colours = match self.colours {
            Colours::None => "no colours",
            Colours::Sixteen => "16 colours",
            Colours::Cube => "256 colours",
            Colours::True => "24-bit colour",
        };
        format!("{pictures}{glyphs}, {colours}")
    }
}

/// The size of a character by the size of the window, where the system knows it in pixels.
fn window_cell() -> Option<(u16, u16)> {
    let size = crossterm::terminal::window_size().ok()?;
    let wide = size.width.checked_div(size.columns)?;
    let high = size.height.checked_div(size.rows)?;
    (wide > 1 && high > 1).then_some((wide, high))
}

/// The letters outside of all sequences: what a person typed.
fn typed(reply: &[u8]) -> String {
    let mut bytes = reply.iter().copied();
    let mut letters = String::new();
    while let Some(byte) = bytes.next() {
        match (byte, (byte == 0x1b).then(|| bytes.next()).flatten()) {
            (0x1b, Some(b'[')) => drop(bytes.find(|byte| (0x40..=0x7e).contains(byte))),
            // A string ends with ESC \\ or BEL.
            (0x1b, Some(b'P' | b'_' | b']')) => {
                let end = bytes.find(|byte| matches!(byte, 0x07 | 0x1b));
                let _ = end.filter(|&end| end == 0x1b).and_then(|_| bytes.next());
            }
            (b'\r' | b' '..=b'~', _) => letters.push(char::from(byte)),
            _ => {}
        }
    }
    letters
}

/// Writes questions to the terminal and reads until the answer to the last of them, or until time is
/// up.
#[cfg(unix)]
fn answers(questions: &str, patience: Duration) -> Vec<u8> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::Write as _;
    let input = std::io::stdin();
    let mut output = std::io::stdout();
    let asked = output
        .write_all(questions.as_bytes())
        .and_then(|()| output.flush());
    let mut reply = vec![];
    if asked.is_err() {
        return reply;
    }
    let end = std::time::Instant::now() + patience;
    let is_last = |reply: &[u8]| {
        let start = reply.windows(3).rposition(|window| window == b"\x1b[?");
        start.is_some_and(|start| reply[start..].contains(&b'c'))
    };
    while !is_last(&reply) {
        let left = end.saturating_duration_since(std::time::Instant::now());
        let Ok(wait) = Timespec::try_from(left) else {
            break;
        };
        let mut ready = [PollFd::new(&input, PollFlags::IN)];
        // An interrupted wait ends the questions: a signal wants the program to end.
        if !matches!(poll(&mut ready, Some(&wait)), Ok(1..)) {
            break;
        }
        let mut bytes = [0; 256];
        match rustix::io::read(&input, &mut bytes) {
            Ok(count @ 1..) => reply.extend_from_slice(&bytes[..count]),
            _ => break,
        }
    }
    reply
}

/// Waits until the terminal has input, the window changes or time is up, and returns the time that
/// is left to look for it: none. A terminal that is gone is a fault.
#[cfg(unix)]
pub(super) fn wait_for_input(patience: Duration) -> std::io::Result<Duration> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    let wait = Timespec::try_from(patience).unwrap_or_default();
    let mut ready = [PollFd::new(&input, PollFlags::IN)];
    match poll(&mut ready, Some(&wait)) {
        // A signal: another size, or the end.
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    match ready[0].revents().intersects(gone) {
        true => Err(std::io::ErrorKind::BrokenPipe.into()),
        false => Ok(Duration::ZERO),
    }
}

/// Elsewhere the environment decides.
#[cfg(not(unix))]
fn answers(_: &str, _: Duration) -> Vec<u8> {
    vec![]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ability(environment: &[(&str, &str)], reply: &str) -> Ability {
        let get = |name: &str| {
            let found = environment.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Ability::of(&get, reply.as_bytes(), USUAL_CELL)
    }

    #[test]
    fn answers_of_real_terminals_are_understood() {
        let utf8 = ("LANG", "en_GB.UTF-8");
        // xterm -ti vt340, as recorded; it reads UTF-8 and has 256 colours.
        let xterm = ability(
            &[("TERM", "xterm")],
            "\x1b[1;2R\x1bP>|XTerm(379)\x1b\\\x1b[6;13;6t\x1b[?63;1;2;4;6;9;15;16;22;28c",
        );
        assert_eq!(xterm.pictures, Some(Protocol::Sixel));
        assert_eq!(xterm.glyphs, Glyphs::Quadrants);
        assert_eq!((xterm.colours, xterm.cell), (Colours::Cube, (6, 13)));
        let kitty = ability(
            &[("TERM", "xterm-kitty"), utf8],
            "\x1b[1;2R\x1bP>|kitty(0.35.2)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c",
        );
        assert_eq!(kitty.pictures, Some(Protocol::Kitty));
        assert_eq!(
            (kitty.glyphs, kitty.colours),
            (Glyphs::Sextants, Colours::True)
        );
        let iterm = ability(&[("TERM_PROGRAM", "iTerm.app"), utf8], "");
        assert_eq!(iterm.pictures, Some(Protocol::Iterm));
        // 64 is a kind of terminal and 41 another number: neither is the 4 of sixel.
        let plain = ability(&[("TERM", "xterm"), utf8], "\x1b[?4;1;41c");
        assert_eq!((plain.pictures, plain.colours), (None, Colours::Sixteen));
    }

    #[test]
    fn what_cannot_be_shown_is_not_sent() {
        let utf8 = ("LC_ALL", "C.UTF-8");
        let sixel = "\x1b[1;2R\x1b[?62;4c";
        let quiet = ability(
            &[("NO_COLOR", "1"), ("COLORTERM", "truecolor"), utf8],
            sixel,
        );
        assert_eq!((quiet.pictures, quiet.colours), (None, Colours::None));
        let empty = ability(&[("NO_COLOR", ""), ("COLORTERM", "truecolor"), utf8], "");
        assert_eq!(
            empty.colours,
            Colours::True,
            "an empty NO_COLOR counts as unset"
        );
        assert_eq!(ability(&[], "").glyphs, Glyphs::Ascii);
        assert_eq!(
            ability(&[utf8], "\x1b[1;4R").glyphs,
            Glyphs::Ascii,
            "three letters"
        );
        assert_eq!(
            ability(&[("LANG", "C")], "\x1b[1;2R").glyphs,
            Glyphs::Quadrants
        );
        assert_eq!(
            ability(&[("TERM", "linux"), utf8], "").glyphs,
            Glyphs::Halves
        );
        let dumb = ability(&[("TERM", "dumb"), utf8], "");
        assert_eq!((dumb.glyphs, dumb.colours), (Glyphs::Ascii, Colours::None));
        assert_eq!(ability(&[], "\x1b[6;0;0t\x1b[?c").cell, USUAL_CELL);
    }

    #[test]
    fn letters_typed_between_answers_are_kept() {
        let reply = b"z\x1b[1;2R\x1bP>|XTerm(379)\x1b\\zx\x1b]0;q\x07\x1b[?63;4c\r";
        assert_eq!(typed(reply), "zzx\r");
        assert_eq!(typed(b"\x1b[1;"), "");
        assert_eq!(typed(b"\x1b"), "");
    }

    #[test]
    fn every_colour_is_its_own_nearest() {
        for number in 0..=15 {
            let nearest = Colours::Sixteen.nearest(indexed(number));
            assert_eq!(nearest, Some(Color::Indexed(number)));
        }
        for number in 16..=255 {
            let Some(Color::Indexed(nearest)) = Colours::Cube.nearest(indexed(number)) else {
                panic!("{number} has no neighbour");
            };
            assert_eq!(indexed(nearest), indexed(number));
        }
        assert_eq!(Colours::None.nearest([1, 2, 3]), None);
    }
}
