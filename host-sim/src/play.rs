//! `dojo` and `dojo play`: the handheld in this terminal, or a short demonstration where there is
//! none.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use dojo_core::games::AnyGame;
use dojo_handheld::{Button, Event, Frame, Press, Screen};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Line;

use crate::handheld::pixels::{Cells, braille};
use crate::handheld::save::SaveFile;
use crate::handheld::script::TICK_MS;
use crate::handheld::{Pace, Runner, script};
use crate::screenshot::BoardName;
use dojo_lab::bank;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;

const HELP: &str = "arrows move   Z/Enter A   X/Esc B   P pause   A hint   S undo   Q quit";

/// The arguments.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {
    /// Which display; without it the larger one that fits the terminal
    #[arg(long, value_enum)]
    board: Option<BoardName>,
    /// Where the game is saved; without it in your data folder
    #[arg(long)]
    save: Option<PathBuf>,
    /// Keep nothing
    #[arg(long, conflicts_with = "save")]
    no_save: bool,
    /// All chance comes from this number; without it from the clock
    #[arg(long)]
    seed: Option<u64>,
}

/// Plays. A named save is read first, so that a damaged one is reported in any case.
pub fn run(args: Args) -> Done {
    let named = args.save.map(SaveFile::open).transpose()?;
    if !stdout().is_terminal() || !stdin().is_terminal() {
        return demonstrate();
    }
    let save = match named {
        None if !args.no_save => Some(SaveFile::open(SaveFile::usual_path()?)?),
        named => named,
    };
    let clock = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_nanos() as u64)
    };
    let seed = args.seed.unwrap_or_else(clock);
    let mut runner = Runner::new(Screen::Oled, seed, bank::SHIPPED, Pace::Aside, save);
    in_terminal(|terminal, signals| {
        play(terminal, &mut runner, args.board.map(Screen::from), signals)?;
        runner.finish()
    })
}

/// Runs a body on the alternate screen of a raw terminal and gives the terminal back, whether the
/// body ends by itself or because of a signal. A signal then ends the program as usual.
pub(crate) fn in_terminal(
    body: impl FnOnce(&mut ratatui::DefaultTerminal, &Signals) -> Done,
) -> Done {
    let signals = Signals::catch();
    let mut terminal =
        ratatui::try_init().map_err(|error| Failure::Usage(format!("terminal: {error}")))?;
    let result = body(&mut terminal, &signals);
    ratatui::restore();
    // Shows the cursor.
    drop(terminal);
    result?;
    #[cfg(unix)]
    if let Some(signal) = signals.caught() {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(())
}

/// The signals that ask a program to end. They are noted, so that the loop can end first.
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    fn catch() -> Signals {
        let caught = Arc::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
                // One that cannot be caught ends the program at once, as without this.
                let caught = Arc::clone(&caught);
                let _ = signal_hook::flag::register_usize(signal, caught, signal as usize);
            }
        }
        Signals(caught)
    }

    /// The signal that came last, if one came.
    pub(crate) fn caught(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Relaxed) as i32).filter(|&signal| signal != 0)
    }
}

/// The loop of the handheld: keys, time and answers in, pictures out.
fn play(
    terminal: &mut ratatui::DefaultTerminal,
    runner: &mut Runner,
    wanted: Option<Screen>,
    signals: &Signals,
) -> Done {
    let broken = |error: std::io::Error| Failure::Usage(format!("terminal: {error}"));
    let started = Instant::now();
    let tick = Duration::from_millis(TICK_MS.into());
    let mut resized = true;
    while signals.caught().is_none() {
        if resized || runner.needs_draw() {
            terminal
                .draw(|canvas| draw(canvas, runner, wanted))
                .map_err(broken)?;
        }
        resized = false;
        if event::poll(tick).map_err(broken)? {
            match event::read().map_err(broken)? {
                event::Event::Key(key) if key.kind != KeyEventKind::Release => match meaning(key) {
                    Key::Quit => return Ok(()),
                    Key::Press(press) => runner.handle(Event::Press(press))?,
                    Key::None => {}
                },
                event::Event::Resize(..) => resized = true,
                _ => {}
            }
        }
        runner.take_answers()?;
        runner.handle(Event::Tick(started.elapsed().as_millis() as u32))?;
    }
    Ok(())
}

/// The meaning of a key.
pub(crate) enum Key {
    /// A button.
    Press(Press),
    /// The end.
    Quit,
    /// Nothing.
    None,
}

/// The meaning of a key press.
pub(crate) fn meaning(key: KeyEvent) -> Key {
    let button = match key.code {
        KeyCode::Char('c' | 'q') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            return Key::Quit;
        }
        KeyCode::Char('q' | 'Q') => return Key::Quit,
        // A terminal does not tell how long a key is held.
        KeyCode::Char('p' | 'P') => return Key::Press(Press::Held(Button::B)),
        KeyCode::Up => Button::Up,
        KeyCode::Down => Button::Down,
        KeyCode::Left => Button::Left,
        KeyCode::Right => Button::Right,
        KeyCode::Enter | KeyCode::Char('z' | 'Z') => Button::A,
        KeyCode::Esc | KeyCode::Backspace | KeyCode::Char('x' | 'X') => Button::B,
        KeyCode::Char('a' | 'A') => Button::X,
        KeyCode::Char('s' | 'S') => Button::Y,
        _ => return Key::None,
    };
    Key::Press(Press::Down(button))
}

/// The display and the kind of cells that fit, the larger ones first.
fn fitting(room: Rect, wanted: Option<Screen>) -> Option<(Screen, Cells)> {
    let choices = [
        (Screen::Lcd, Cells::HalfBlocks),
        (Screen::Oled, Cells::HalfBlocks),
        (Screen::Oled, Cells::Braille),
    ];
    choices
        .into_iter()
        .filter(|(screen, _)| wanted.is_none_or(|wanted| wanted == *screen))
        .find(|(screen, cells)| {
            let (columns, lines) = cells.size(*screen);
            columns <= room.width && lines < room.height
        })
}

fn draw(canvas: &mut ratatui::Frame<'_>, runner: &mut Runner, wanted: Option<Screen>) {
    let room = canvas.area();
    let Some((screen, cells)) = fitting(room, wanted) else {
        return too_small(canvas, wanted);
    };
    runner.set_screen(screen);
    let dark = runner.is_dark();
    let help = if dark {
        "the display sleeps: any key wakes it"
    } else {
        HELP
    };
    place(
        canvas,
        (!dark).then(|| runner.picture()),
        screen,
        cells,
        help,
    );
}

/// Draws a frame of another source.
pub(crate) fn show(canvas: &mut ratatui::Frame<'_>, frame: &Frame) {
    match fitting(canvas.area(), Some(frame.screen())) {
        Some((screen, cells)) => place(canvas, Some(frame), screen, cells, HELP),
        None => too_small(canvas, Some(frame.screen())),
    }
}

fn place(
    canvas: &mut ratatui::Frame<'_>,
    frame: Option<&Frame>,
    screen: Screen,
    cells: Cells,
    help: &str,
) {
    let room = canvas.area();
    let (columns, lines) = cells.size(screen);
    let (left, top) = ((room.width - columns) / 2, (room.height - 1 - lines) / 2);
    if let Some(frame) = frame {
        put(canvas.buffer_mut(), frame, cells, left, top);
    }
    canvas.render_widget(
        Line::from(help).centered(),
        Rect::new(room.x, top + lines, room.width, 1),
    );
}

fn too_small(canvas: &mut ratatui::Frame<'_>, wanted: Option<Screen>) {
    let room = canvas.area();
    let (columns, lines) = match wanted {
        Some(Screen::Lcd) => Cells::HalfBlocks.size(Screen::Lcd),
        _ => Cells::Braille.size(Screen::Oled),
    };
    let text = format!(
        "The window is too small: {columns}×{} needed, this is {}×{}. Q quits.",
        lines + 1,
        room.width,
        room.height
    );
    canvas.render_widget(
        ratatui::widgets::Paragraph::new(text).wrap(Default::default()),
        room,
    );
}

fn put(buffer: &mut ratatui::buffer::Buffer, frame: &Frame, cells: Cells, left: u16, top: u16) {
    let (columns, lines) = cells.size(frame.screen());
    for line in 0..lines {
        for column in 0..columns {
            let cell = cells.cell(frame, column, line);
            let style = match cells {
                Cells::HalfBlocks => Style::new()
                    .fg(color(cell.upper.rgb()))
                    .bg(color(cell.lower.rgb())),
                Cells::Braille => Style::new(),
            };
            if let Some(place) = buffer.cell_mut((left + column, top + line)) {
                place.set_char(cell.letter).set_style(style);
            }
        }
    }
}

fn color([r, g, b]: [u8; 3]) -> Color {
    Color::Rgb(r, g, b)
}

/// Without a terminal: two machines play a game of tic-tac-toe, and the program says what else
/// there is.
fn demonstrate() -> Done {
    let mut runner = Runner::new(Screen::Oled, 1, bank::SHIPPED, Pace::AtOnce, None);
    output::print(
        "Pocket Dojo, a handheld with six games. Two machines play tic-tac-toe, green belt against white:\n\n",
    )?;
    // All games, tic-tac-toe; player 1 becomes green, player 2 white; start.
    let setup = script::parse("a down a down a down right right right down left up up a")?;
    let mut now = script::play(&mut runner, &setup, 0)?;
    let mut shown = None;
    while runner.console().screen_name() == "board" {
        let wait = script::parse("wait")?;
        now = script::play(&mut runner, &wait, now)?;
        let moves = runner
            .console()
            .session()
            .map_or(0, |session| session.moves().len());
        if shown != Some(moves)
            && (moves.is_multiple_of(3) || runner.console().screen_name() != "board")
        {
            shown = Some(moves);
            let caption = match runner.console().session().map(|session| *session.game()) {
                Some(AnyGame::TicTacToe(game)) => format!("after {moves} moves: {game}\n"),
                _ => String::new(),
            };
            output::print(&format!("{}{caption}\n", braille(runner.picture())))?;
        }
    }
    output::print(
        "To play: run this in a terminal of at least 64 columns and 17 lines (`cargo run --release`).\n\
         To play in a browser: `cargo dojo web`. To see more: `cargo dojo --help`, for instance\n  \
         cargo dojo arena sticks belt:black random --games 1000\n  \
         cargo dojo solve tictactoe\n  \
         cargo dojo screenshot --board lcd --keys \"a a\" --out screen.png\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_and_the_keys_are_drawn_where_they_fit() {
        let mut runner = Runner::new(Screen::Oled, 1, bank::SHIPPED, Pace::AtOnce, None);
        let mut show = |width, height| {
            let backend = ratatui::backend::TestBackend::new(width, height);
            let mut terminal = ratatui::Terminal::new(backend).unwrap();
            terminal
                .draw(|canvas| draw(canvas, &mut runner, None))
                .unwrap();
            terminal.backend().to_string()
        };
        let braille = show(80, 24);
        assert!(
            braille.contains("arrows move") && braille.contains('⣿'),
            "{braille}"
        );
        assert!(show(130, 40).contains('▀'));
        assert!(show(250, 125).contains('▀'));
        assert!(show(40, 10).contains("too small: 64×17"));
    }

    #[cfg(unix)]
    #[test]
    fn signals_are_noted_instead_of_ending_the_program() {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let signals = Signals::catch();
        assert_eq!(signals.caught(), None);
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            signal_hook::low_level::raise(signal).unwrap();
            assert_eq!(signals.caught(), Some(signal));
        }
    }

    #[test]
    fn keys_mean_what_the_manual_says() {
        let press = |code| match meaning(KeyEvent::new(code, KeyModifiers::NONE)) {
            Key::Press(press) => Some(press),
            _ => None,
        };
        assert_eq!(press(KeyCode::Char('z')), press(KeyCode::Enter));
        assert_eq!(press(KeyCode::Char('x')), Some(Press::Down(Button::B)));
        assert_eq!(press(KeyCode::Char('a')), Some(Press::Down(Button::X)));
        assert_eq!(press(KeyCode::Char('s')), Some(Press::Down(Button::Y)));
        assert_eq!(press(KeyCode::Char('p')), Some(Press::Held(Button::B)));
        assert!(matches!(
            meaning(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)),
            Key::Quit
        ));
    }

    #[test]
    fn the_largest_display_that_fits_is_chosen() {
        let fits = |width, height, wanted| fitting(Rect::new(0, 0, width, height), wanted);
        assert_eq!(fits(300, 130, None), Some((Screen::Lcd, Cells::HalfBlocks)));
        assert_eq!(
            fits(240, 120, None),
            Some((Screen::Oled, Cells::HalfBlocks)),
            "a line for the keys is needed"
        );
        assert_eq!(fits(80, 24, None), Some((Screen::Oled, Cells::Braille)));
        assert_eq!(fits(80, 24, Some(Screen::Lcd)), None);
        assert_eq!(fits(63, 24, None), None);
    }
}
