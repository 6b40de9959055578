//! The terminal as a stage: the handheld's picture in the best way that the terminal has.
//!
//! Start with [`Stage`], which owns the terminal. [`ability`] asks what it can, [`mod@layout`] divides
//! the window, [`graphics`] encodes real pictures, [`mod@blocks`] makes characters of a [`raster`].
//!
//! At best the picture is a real one (kitty, iTerm2, sixel). Without that it is made of coloured
//! blocks, and since letters of the handheld are unreadable then, its words stand beside it as text.
//! Without colours the mono display is drawn in braille; without Unicode letters take their place.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode};
use dojo_handheld::{Frame, Ink, Screen, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget as _, Wrap};

use crate::terminal::pixels::{lit_block, lit_dots};
use dojo_lab::failure::{Done, Failure};

pub mod ability;
pub mod blocks;
pub mod graphics;
pub mod layout;
pub mod pixels;
pub mod raster;

use ability::{Ability, Colours};
use blocks::{blocks, shade};
use graphics::Protocol;
use layout::{Layout, Mode, WHOLE, layout, smallest};
use raster::{Raster, Rgb};

/// What is to be seen.
pub struct Scene<'a> {
    /// The picture; none while the display is dark.
    pub frame: Option<&'a Frame>,
    /// The picture in words, a line for each thing; `> ` marks the chosen one.
    pub words: &'a str,
    /// The line of key help.
    pub help: &'a str,
}

/// A raw terminal with the alternate screen, and what it can show.
pub struct Stage {
    terminal: ratatui::DefaultTerminal,
    signals: Signals,
    /// What the terminal can show.
    pub ability: Ability,
    /// The real picture on the screen, and where.
    shown: Option<(Raster, Layout)>,
    /// Letters that were typed while the terminal was asked, the last one first.
    typed: Vec<char>,
}

/// Runs a body on the alternate screen of a raw terminal and gives the terminal back, whether the
/// body ends by itself or because of a signal. A signal then ends the program as usual.
pub fn on_stage(adjust: impl FnOnce(&mut Ability), body: impl FnOnce(&mut Stage) -> Done) -> Done {
    let signals = Signals::catch();
    let terminal = ratatui::try_init().map_err(broken)?;
    // A terminal without a mouse ignores this.
    let _ = crossterm::execute!(io::stdout(), EnableMouseCapture);
    let (mut ability, typed) = Ability::ask();
    adjust(&mut ability);
    let mut stage = Stage {
        terminal,
        signals,
        ability,
        shown: None,
        typed: typed.chars().rev().collect(),
    };
    let result = stage
        .clear()
        .map_err(broken)
        .and_then(|()| body(&mut stage));
    let _ = stage.take_picture_away();
    let _ = crossterm::execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    let Stage {
        terminal, signals, ..
    } = stage;
    // Shows the cursor.
    drop(terminal);
    result?;
    #[cfg(unix)]
    if let Some(signal) = signals.caught() {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(())
}

/// A fault of the terminal.
pub fn broken(error: io::Error) -> Failure {
    Failure::Usage(format!("terminal: {error}"))
}

impl Stage {
    /// Whether a signal asks the program to end.
    pub fn is_over(&self) -> bool {
        self.signals.caught().is_some()
    }

    /// How a frame would be shown now: with words beside it, or without.
    pub fn layout(&self, wanted: Option<Screen>, has_words: bool) -> Option<Layout> {
        let size = self.terminal.size().unwrap_or_default();
        let room = Rect::new(0, 0, size.width, size.height);
        layout(room, self.ability, wanted, has_words)
    }

    /// Says that the window is too small.
    pub fn show_too_small(&mut self, wanted: Option<Screen>, has_words: bool) -> Done {
        self.take_picture_away().map_err(broken)?;
        let (wide, high) = smallest(self.ability, wanted, has_words);
        let drawn = self.terminal.draw(|canvas| {
            let room = canvas.area();
            let text = format!(
                "The window is too small: {wide}x{high} needed, this is {}x{}. Q quits.",
                room.width, room.height
            );
            canvas.render_widget(Paragraph::new(text).wrap(Wrap::default()), room);
        });
        drawn.map(drop).map_err(broken)
    }

    /// Shows a scene.
    pub fn show(&mut self, layout: &Layout, scene: &Scene<'_>) -> Done {
        let picture = match (layout.mode, scene.frame) {
            (Mode::Picture(protocol, scale), Some(frame)) => {
                Some((protocol, Raster::of(frame).in_halves(scale)))
            }
            _ => None,
        };
        // Cells do not know of the picture above them: where it goes or moves, all is drawn anew.
        let stays = matches!((&self.shown, &picture), (Some((_, old)), Some(_)) if old == layout);
        if self.shown.is_some() && !stays {
            self.take_picture_away().map_err(broken)?;
        }
        let ability = self.ability;
        self.terminal
            .draw(|canvas| paint(canvas.buffer_mut(), layout, ability.colours, scene))
            .map_err(broken)?;
        let Some((protocol, raster)) = picture else {
            return Ok(());
        };
        if stays && self.shown.as_ref().is_some_and(|(old, _)| *old == raster) {
            return Ok(());
        }
        let cells = (layout.picture.width, layout.picture.height);
        let bytes = graphics::show(protocol, &raster, cells)?;
        let (column, line) = (layout.picture.x + 1, layout.picture.y + 1);
        let mut output = io::stdout();
        write!(output, "\x1b7\x1b[{line};{column}H{bytes}\x1b8")
            .and_then(|()| output.flush())
            .map_err(broken)?;
        self.shown = Some((raster, *layout));
        Ok(())
    }

    /// Draws everything anew: the window has another size.
    pub fn resize(&mut self) -> Done {
        self.take_picture_away()
            .and_then(|()| self.clear())
            .map_err(broken)
    }

    /// The next event, if one comes in time.
    pub fn next_event(&mut self, patience: Duration) -> Result<Option<Event>, Failure> {
        if let Some(letter) = self.typed.pop() {
            let code = match letter {
                '\r' => KeyCode::Enter,
                letter => KeyCode::Char(letter),
            };
            return Ok(Some(Event::Key(code.into())));
        }
        // crossterm would look at a terminal that is gone again and again, and never return. What it
        // has read ahead is not seen by waiting for the terminal.
        #[cfg(unix)]
        let patience = {
            ability::wait_for_input(Duration::ZERO).map_err(broken)?;
            match event::poll(Duration::ZERO).map_err(broken)? {
                true => Duration::ZERO,
                false => ability::wait_for_input(patience).map_err(broken)?,
            }
        };
        Ok(match event::poll(patience).map_err(broken)? {
            true => Some(event::read().map_err(broken)?),
            false => None,
        })
    }

    /// Rings the bell.
    pub fn ring(&mut self) -> Done {
        let mut output = io::stdout();
        write!(output, "\x07")
            .and_then(|()| output.flush())
            .map_err(broken)
    }

    fn take_picture_away(&mut self) -> io::Result<()> {
        let Some((_, layout)) = self.shown.take() else {
            return Ok(());
        };
        if let Mode::Picture(protocol, _) = layout.mode {
            let mut output = io::stdout();
            write!(output, "{}", graphics::remove(protocol))?;
            output.flush()?;
        }
        self.clear()
    }

    /// Empties the window; all of it is drawn anew. `Terminal::clear` would ask where the cursor is
    /// first, and fail in a terminal that answers no questions.
    fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }
}

/// Paints everything but real pictures into the cells of a window.
pub fn paint(buffer: &mut Buffer, layout: &Layout, colours: Colours, scene: &Scene<'_>) {
    if let Some(frame) = scene.frame {
        paint_picture(buffer, layout, colours, frame);
    }
    if let Some(area) = layout.words {
        paint_words(buffer, area, colours, scene);
    }
    let help = Line::from(fitting(scene.help, layout.help.width.into()));
    match layout.words {
        None => help.centered().render(layout.help, buffer),
        Some(_) => help.render(layout.help, buffer),
    }
}

/// A line of help in so many columns: of its parts, with three blanks between them, the first ones
/// that fit beside the last, which says how to leave.
fn fitting(help: &str, width: usize) -> String {
    const BETWEEN: &str = "   ";
    let mut parts: Vec<&str> = help.split(BETWEEN).collect();
    let columns = |parts: &[&str]| Line::from(parts.join(BETWEEN)).width();
    while columns(&parts) > width && parts.len() > 1 {
        parts.remove(parts.len() - 2);
    }
    parts.join(BETWEEN)
}

fn paint_picture(buffer: &mut Buffer, layout: &Layout, colours: Colours, frame: &Frame) {
    let area = layout.picture;
    let raster = match layout.mode {
        Mode::Blocks(_) | Mode::Shades => Some(Raster::of(frame)),
        _ => None,
    };
    paint_cells(buffer, area, |column, line| match layout.mode {
        Mode::Mono(glyphs) => Some((lit_block(frame, glyphs, column, line), Style::new())),
        Mode::Braille => Some((lit_dots(frame, column, line), Style::new())),
        Mode::Picture(..) | Mode::Blocks(_) | Mode::Shades => None,
    });
    if let Some(raster) = raster {
        paint_raster(buffer, layout, colours, &raster);
    }
}

/// Paints a picture as blocks or letters.
pub fn paint_raster(buffer: &mut Buffer, layout: &Layout, colours: Colours, raster: &Raster) {
    let area = layout.picture;
    let size = (area.width, area.height);
    let (glyphs, has_colour) = match layout.mode {
        Mode::Blocks(glyphs) => (glyphs, true),
        _ => (blocks::Glyphs::Ascii, false),
    };
    let cells = blocks(raster, glyphs, size);
    paint_cells(buffer, area, |column, line| {
        let block = cells.get(usize::from(line) * usize::from(size.0) + usize::from(column))?;
        Some(match has_colour {
            true => (
                block.glyph,
                style(colours, Some(block.front), Some(block.back)),
            ),
            false => (shade(block.back), Style::new()),
        })
    });
}

fn paint_cells(buffer: &mut Buffer, area: Rect, cell: impl Fn(u16, u16) -> Option<(char, Style)>) {
    for line in 0..area.height {
        for column in 0..area.width {
            if let Some((glyph, style)) = cell(column, line)
                && let Some(place) = buffer.cell_mut((area.x + column, area.y + line))
            {
                place.set_char(glyph).set_style(style);
            }
        }
    }
}

fn style(colours: Colours, front: Option<Rgb>, back: Option<Rgb>) -> Style {
    let mut style = Style::new();
    style.fg = front.and_then(|rgb| colours.nearest(rgb));
    style.bg = back.and_then(|rgb| colours.nearest(rgb));
    style
}

/// The words of the screen, wrapped; where there are too many, those around the chosen one.
fn paint_words(buffer: &mut Buffer, area: Rect, colours: Colours, scene: &Scene<'_>) {
    let gold = Theme::Night.rgb(Ink::Gold);
    let gold = style(colours, Some(gold), None).add_modifier(Modifier::BOLD);
    let mut lines: Vec<Line<'_>> = vec![];
    let mut chosen = 0;
    for text in scene.words.lines() {
        let is_chosen = text.starts_with("> ");
        if is_chosen {
            chosen = lines.len();
        }
        for (part, piece) in wrapped(text, usize::from(area.width)).enumerate() {
            let indent = if part > 0 { "  " } else { "" };
            let style = if is_chosen { gold } else { Style::new() };
            lines.push(Line::styled(format!("{indent}{piece}"), style));
        }
    }
    let room = usize::from(area.height);
    let first = (chosen + 1).saturating_sub(room / 2 + 1);
    let first = first.min(lines.len().saturating_sub(room));
    for (line, y) in lines.iter().skip(first).zip(area.y..area.bottom()) {
        line.render(Rect::new(area.x, y, area.width, 1), buffer);
    }
}

/// A line cut at blanks into pieces of at most this many letters, two fewer from the second on.
fn wrapped(text: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    let mut room = width.max(3);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some((limit, _)) = text.char_indices().nth(room) else {
            rest = None;
            return Some(text);
        };
        room = width.max(3) - 2;
        let end = match text[limit..].starts_with(' ') {
            true => limit,
            false => text[..limit]
                .rfind(' ')
                .filter(|&end| end > 2)
                .unwrap_or(limit),
        };
        rest = Some(text[end..].trim_start()).filter(|rest| !rest.is_empty());
        Some(&text[..end])
    })
}

/// The pixel of the frame in the middle of a cell; `None` outside the picture.
pub fn pixel(layout: &Layout, cell: (u16, u16), (wide, high): (u16, u16)) -> Option<(i32, i32)> {
    let (area, size) = (layout.picture, layout.screen.size());
    if !area.contains(cell.into()) {
        return None;
    }
    // A picture that is not scaled to its cells ends within the last of them.
    let (width, height) = match layout.mode {
        Mode::Picture(Protocol::Sixel, scale) => {
            (size.width * scale / WHOLE, size.height * scale / WHOLE)
        }
        _ => (
            u32::from(area.width) * u32::from(wide),
            u32::from(area.height) * u32::from(high),
        ),
    };
    let middle = |cell: u16, first: u16, cell_size: u16, all: u32, size: u32| {
        let at = u32::from(cell - first) * u32::from(cell_size) + u32::from(cell_size) / 2;
        (at * size / all.max(1)).min(size - 1) as i32
    };
    Some((
        middle(cell.0, area.x, wide, width, size.width),
        middle(cell.1, area.y, high, height, size.height),
    ))
}

/// The signals that ask a program to end. They are noted, so that the loop can end first.
struct Signals(Arc<AtomicUsize>);

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
    fn caught(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Relaxed) as i32).filter(|&signal| signal != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_at_blanks() {
        let pieces = |text, width| wrapped(text, width).collect::<Vec<_>>();
        assert_eq!(
            pieces("take the last stick", 8),
            ["take the", "last", "stick"]
        );
        assert_eq!(pieces("abcdefghij", 4), ["abcd", "ef", "gh", "ij"]);
        assert_eq!(pieces("", 9), [""]);
    }

    #[test]
    fn help_loses_whole_parts_and_how_to_leave_last() {
        let help = "arrows move   Z/Enter A   X/Esc B   Q quit";
        assert_eq!(fitting(help, 80), help);
        assert_eq!(fitting(help, 40), "arrows move   Z/Enter A   Q quit");
        assert_eq!(fitting(help, 31), "arrows move   Q quit");
        assert_eq!(fitting(help, 3), "Q quit");
        assert_eq!(fitting("no parts", 3), "no parts");
    }

    #[test]
    fn a_click_finds_the_pixel_under_it() {
        let layout = |mode| Layout {
            screen: Screen::Lcd,
            mode,
            picture: Rect::new(10, 2, 30, 15),
            words: None,
            help: Rect::default(),
        };
        let blocks = layout(Mode::Blocks(blocks::Glyphs::Quadrants));
        let at = |column, line| pixel(&blocks, (column, line), (8, 16));
        assert_eq!(at(10, 2), Some((4, 8)));
        assert_eq!(at(39, 16), Some((236, 232)));
        assert_eq!((at(9, 2), at(10, 17), at(40, 2)), (None, None, None));
        let sixel = layout(Mode::Picture(Protocol::Sixel, 2 * WHOLE));
        assert_eq!(pixel(&sixel, (39, 16), (17, 34)), Some((239, 239)));
        assert_eq!(pixel(&sixel, (11, 3), (17, 34)), Some((12, 25)));
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
}
