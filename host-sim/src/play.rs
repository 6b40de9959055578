//! `dojo` and `dojo play`: the handheld in this terminal, or a short demonstration where there is
//! none.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossterm::event::{
    self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use dojo_core::belt::Belt;
use dojo_core::games::{AnyGame, AnyRules, GameId};
use dojo_handheld::{Button, Event, Press, Screen, Seat, Settings, Setup, Starter};

use crate::handheld::save::SaveFile;
use crate::handheld::{Pace, Runner, is_short, script};
use crate::screenshot::BoardName;
use crate::sound::Speaker;
use crate::terminal::ability::{Ability, Colours};
use crate::terminal::blocks::Glyphs;
use crate::terminal::graphics::Protocol;
use crate::terminal::layout::Layout;
use crate::terminal::pixels::braille;
use crate::terminal::{self, Scene, Stage};
use dojo_lab::bank;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;
use dojo_lab::rules::{BELT, GAME, Options};

/// Help on keys; all of it is ASCII.
pub(crate) const HELP: &str =
    "arrows move   Z/Enter A   X/Esc B   P pause   A hint   S undo   V mind   Q quit";

/// The handheld in a terminal.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Args {
    /// Which display; without it the colour display, or the mono one where there are no colours
    #[arg(long, value_enum)]
    board: Option<BoardName>,
    /// How pictures are shown; without it the best way that the terminal answers that it has
    #[arg(long, value_enum, value_name = "WAY")]
    pictures: Option<Way>,
    /// Colours to use; without it as many as the terminal has, none with NO_COLOR
    #[arg(long, value_enum, value_name = "NUMBER")]
    colours: Option<Colours>,
    /// Ring the terminal's bell where the handheld would sound
    #[arg(long)]
    bell: bool,
    /// Play the handheld's sounds, by a program of this system
    #[arg(long, conflicts_with = "bell")]
    sound: bool,
    /// Where the game is saved; without it in your data folder
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Keep nothing
    #[arg(long, conflicts_with = "save")]
    no_save: bool,
    /// Play against the brains of this bank instead of the shipped ones
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// All chance comes from this number; without it from the clock
    #[arg(long)]
    seed: Option<u64>,
}

/// A game to start at once, and the handheld.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// Start this game at once
    #[arg(value_parser = GAME)]
    game: Option<GameId>,
    /// Against the machine with this belt; without it the one that you played last
    #[arg(long, value_parser = BELT, value_name = "BELT", requires = "game")]
    belt: Option<Belt>,
    /// Two people at this terminal
    #[arg(long, conflicts_with = "belt", requires = "game")]
    two: bool,
    /// Let the machine move first
    #[arg(long, conflicts_with = "two", requires = "game")]
    second: bool,
    /// Drop the running game of this kind that the save holds
    #[arg(long, requires = "game")]
    new: bool,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    handheld: Args,
}

/// How pictures are shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Real pictures, by kitty's protocol
    Kitty,
    /// Real pictures, by iTerm2's protocol
    Iterm,
    /// Real pictures, by sixel
    Sixel,
    /// Coloured blocks of 2×3 parts, words beside them
    Sextants,
    /// Coloured blocks of 2×2 parts, words beside them
    Quadrants,
    /// Coloured half blocks, words beside them
    Halves,
    /// Letters only
    Ascii,
}

impl Args {
    /// What the person says about the terminal goes before what it answers.
    fn adjust(&self, ability: &mut Ability) {
        if let Some(colours) = self.colours {
            ability.colours = colours;
            ability.pictures = ability.pictures.filter(|_| colours == Colours::True);
        }
        let Some(way) = self.pictures else { return };
        ability.pictures = match way {
            Way::Kitty => Some(Protocol::Kitty),
            Way::Iterm => Some(Protocol::Iterm),
            Way::Sixel => Some(Protocol::Sixel),
            _ => None,
        };
        ability.glyphs = match way {
            Way::Sextants => Glyphs::Sextants,
            Way::Quadrants => Glyphs::Quadrants,
            Way::Halves => Glyphs::Halves,
            Way::Ascii => Glyphs::Ascii,
            Way::Kitty | Way::Iterm | Way::Sixel => ability.glyphs,
        };
    }
}

impl GameArgs {
    /// The set-up of the game to start: as it was played last, and as the arguments say.
    fn setup(&self, game: GameId, settings: &Settings) -> Result<Setup, Failure> {
        let mut setup = settings.setup(game);
        let machine = setup.seats.into_iter().find(|seat| *seat != Seat::Person);
        let machine = match (self.belt, machine) {
            (Some(belt), _) => Seat::Machine(belt),
            (None, Some(machine)) => machine,
            (None, None) => Seat::Machine(Belt::Yellow),
        };
        if self.options.is_given() {
            setup.rules = AnyRules::new(game);
            self.options.apply_to(&mut setup.rules)?;
        }
        if self.two {
            setup.seats = [Seat::Person; 2];
        } else if self.belt.is_some() || self.second {
            setup.seats = [Seat::Person, machine];
        }
        if self.second {
            setup.starter = Starter::Two;
        }
        Ok(setup)
    }

    /// Starts the game. A running one is neither dropped without being asked nor replaced by the
    /// same once more.
    fn start(&self, game: GameId, runner: &mut Runner) -> Done {
        let setup = self.setup(game, runner.console().settings())?;
        if self.new || !runner.console().is_running(game) {
            return runner.start(setup);
        }
        let says_how = self.belt.is_some() || self.two || self.second || self.options.is_given();
        if says_how {
            return Err(Failure::Usage(format!(
                "a game of {} is running in the save: `dojo play {}` continues it, --new drops it, \
                 --no-save leaves it alone",
                game.title(),
                game.name()
            )));
        }
        runner.resume(game)
    }
}

/// Plays, a game at once if one is named.
pub fn run_game(args: GameArgs) -> Done {
    let Some(game) = args.game else {
        if args.options.is_given() {
            return Err(Failure::usage(
                "options of a game need the game: `dojo play GAME`",
            ));
        }
        return run(args.handheld);
    };
    args.setup(game, &Settings::default())?;
    with_runner(&args.handheld, |runner| args.start(game, runner))
}

/// Plays.
pub fn run(args: Args) -> Done {
    with_runner(&args, |_| Ok(()))
}

/// Switches the handheld on. A named save is read first, so that a damaged one is reported in any
/// case.
fn with_runner(args: &Args, begin: impl FnOnce(&mut Runner) -> Done) -> Done {
    let bank = match &args.bank {
        Some(file) => {
            let bytes = bank::read(file)?;
            bank::open(file, &bytes)?;
            // The thinking thread may outlive everything else.
            &*bytes.leak()
        }
        None => bank::SHIPPED,
    };
    let named = args.save.clone().map(SaveFile::open).transpose()?;
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
    let ears = match (args.sound, args.bell) {
        (true, _) => Ears::Speaker(Speaker::find().ok_or_else(|| {
            Failure::Usage(format!(
                "--sound needs one of these programs, and none is installed: {}",
                Speaker::programs()
            ))
        })?),
        (_, true) => Ears::Bell,
        _ => Ears::None,
    };
    let mut runner = Runner::new(Screen::Lcd, seed, bank, Pace::Aside, save);
    if let Ears::Speaker(_) = ears {
        runner.is_heard();
    }
    begin(&mut runner)?;
    terminal::on_stage(
        |ability| args.adjust(ability),
        |stage| {
            play(stage, &mut runner, args.board.map(Screen::from), &ears)?;
            runner.finish()
        },
    )
}

/// How a tune is heard.
enum Ears {
    None,
    Bell,
    Speaker(Speaker),
}

/// Events between two looks at the clock.
const MOST_EVENTS: usize = 64;

/// The loop of the handheld: keys, clicks, time and answers in, pictures out.
fn play(stage: &mut Stage, runner: &mut Runner, wanted: Option<Screen>, ears: &Ears) -> Done {
    let started = Instant::now();
    let (mut resized, mut holds_x) = (true, false);
    while !stage.is_over() {
        let layout = stage.layout(wanted, true);
        if resized || runner.needs_draw() {
            draw(stage, layout.as_ref(), runner, wanted)?;
        }
        resized = false;
        // All that is there goes in before the next picture; time goes on in any case.
        let mut patience = Duration::from_millis(runner.console().step().into());
        for _ in 0..MOST_EVENTS {
            match stage.next_event(patience)? {
                Some(event::Event::Key(key)) if key.kind != KeyEventKind::Release => {
                    let meaning = meaning(key);
                    // X is held until the next key.
                    if std::mem::take(&mut holds_x) {
                        runner.handle(Event::Press(Press::Up(Button::X)))?;
                    } else if matches!(meaning, Key::Hold) {
                        holds_x = true;
                        runner.handle(Event::Press(Press::Down(Button::X)))?;
                    }
                    match meaning {
                        Key::Quit => return Ok(()),
                        Key::Press(press) => runner.press(press)?,
                        Key::Hold | Key::None => {}
                    }
                }
                Some(event::Event::Mouse(mouse)) => {
                    if let Some(layout) = &layout {
                        click(runner, layout, stage.ability.cell, mouse)?;
                    }
                }
                Some(event::Event::Resize(..)) => {
                    stage.resize()?;
                    resized = true;
                    break;
                }
                Some(_) => {}
                None => break,
            }
            patience = Duration::ZERO;
        }
        runner.take_answers()?;
        runner.handle(Event::Tick(started.elapsed().as_millis() as u32))?;
        if let Some(tune) = runner.take_tune() {
            match ears {
                Ears::Speaker(speaker) if !speaker.is_broken() => speaker.play(tune),
                // A speaker that is silent is no reason to hear nothing.
                Ears::Bell | Ears::Speaker(_) if !is_short(&tune) => stage.ring()?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// A click touches the picture; the other button of the mouse is B, the wheel goes up and down.
fn click(runner: &mut Runner, layout: &Layout, cell: (u16, u16), mouse: MouseEvent) -> Done {
    let place = terminal::pixel(layout, (mouse.column, mouse.row), cell);
    let press = |button| Event::Press(Press::Down(button));
    match (mouse.kind, place) {
        (MouseEventKind::Down(MouseButton::Left), Some(at)) => runner.touch(at, false),
        (MouseEventKind::Up(MouseButton::Left), Some(at)) => runner.touch(at, true),
        (MouseEventKind::Down(MouseButton::Right), _) => runner.handle(press(Button::B)),
        (MouseEventKind::ScrollUp, _) => runner.handle(press(Button::Up)),
        (MouseEventKind::ScrollDown, _) => runner.handle(press(Button::Down)),
        _ => Ok(()),
    }
}

fn draw(
    stage: &mut Stage,
    layout: Option<&Layout>,
    runner: &mut Runner,
    wanted: Option<Screen>,
) -> Done {
    let Some(layout) = layout else {
        return stage.show_too_small(wanted, true);
    };
    runner.set_screen(layout.screen);
    let is_dark = runner.is_dark();
    let (frame, words) = runner.picture_and_words();
    let scene = match is_dark {
        true => Scene {
            frame: None,
            words: "",
            help: "the display sleeps: any key wakes it",
        },
        false => Scene {
            frame: Some(frame),
            words: &words,
            help: HELP,
        },
    };
    stage.show(layout, &scene)
}

/// The meaning of a key.
pub(crate) enum Key {
    /// A button.
    Press(Press),
    /// X, until the next key: a terminal does not tell how long a key is held.
    Hold,
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
        KeyCode::Char('v' | 'V') => return Key::Hold,
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
        "To play: run this in a terminal of at least 52 columns and 11 lines (`cargo run --release`).\n\
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
        assert!(matches!(
            meaning(KeyEvent::new(KeyCode::Char('v'), KeyModifiers::NONE)),
            Key::Hold
        ));
    }
}
