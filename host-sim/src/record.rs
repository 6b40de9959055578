//! `dojo record`: a game, or buttons, as a moving picture.

use std::path::PathBuf;

use dojo_core::belt::Belt;
use dojo_core::games::{AnyRules, GameId};
use dojo_handheld::{Frame, Screen, Seat, Setup};

use crate::handheld::script::{self, Step};
use crate::handheld::{Pace, Runner};
use crate::screenshot::BoardName;
use crate::terminal::raster::{Raster, Rgb};
use dojo_lab::bank;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::output::{self, Progress};
use dojo_lab::rules::{GAME, Options, belt};

/// The arguments.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Start this game instead of at the title
    #[arg(value_parser = GAME)]
    game: Option<GameId>,
    /// Two machines play it: the belts of the first and of the second side
    #[arg(long, value_name = "BELT,BELT", value_parser = two_belts, requires = "game")]
    belts: Option<Belts>,
    #[command(flatten)]
    options: Options,
    /// Which display
    #[arg(long, value_enum, default_value = "lcd")]
    board: BoardName,
    /// Buttons: up down left right a b x y, hold (B held), wait, wait:MS, end (until the game is
    /// over); two machines need none
    #[arg(long)]
    keys: Option<String>,
    /// Time after each button, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pause: u32,
    /// The GIF to write
    #[arg(long)]
    out: PathBuf,
    /// Pixels for each pixel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    scale: u32,
    /// How many times faster than the handheld it runs
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    speed: u32,
    /// Replace the GIF if it exists
    #[arg(long)]
    force: bool,
    /// All chance comes from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The belts of two machines.
#[derive(Clone, Copy, Debug)]
struct Belts([Belt; 2]);

fn two_belts(text: &str) -> Result<Belts, String> {
    let (first, second) = text
        .split_once(',')
        .ok_or("expected two belts, such as yellow,black")?;
    Ok(Belts([belt(first)?, belt(second)?]))
}

/// What a match of machines plays: the game, and a look at its result.
const WHOLE_GAME: &str = "end wait:4000";

/// Plays and records.
pub fn run(args: Args) -> Done {
    let keys = match (&args.keys, args.belts) {
        (Some(keys), _) => keys,
        (None, Some(_)) => WHOLE_GAME,
        (None, None) => {
            return Err(Failure::usage(
                "nothing to record: give --keys, or a game and --belts for two machines",
            ));
        }
    };
    let steps = paused(&script::parse(keys)?, args.pause);
    files::may_write(&args.out, args.force)?;
    let setup = args.setup()?;
    let mut runner = Runner::new(
        args.board.into(),
        args.seed,
        bank::SHIPPED,
        Pace::AtOnce,
        None,
    );
    if let Some(setup) = setup {
        runner.start(setup)?;
    }
    let recording = record(&mut runner, &steps, args.scale, args.speed)?;
    files::write(&args.out, &recording.bytes, args.force)?;
    output::print(&format!(
        "{}: {} pictures in {:.1} s, {} KB\n",
        args.out.display(),
        recording.pictures,
        f64::from(recording.millis) / 1000.0,
        recording.bytes.len().div_ceil(1000)
    ))
}

impl Args {
    fn setup(&self) -> Result<Option<Setup>, Failure> {
        let Some(game) = self.game else {
            return match self.options.is_given() {
                true => Err(Failure::usage("options of a game need the game")),
                false => Ok(None),
            };
        };
        let mut setup = Setup::new(game);
        setup.rules = AnyRules::new(game);
        self.options.apply_to(&mut setup.rules)?;
        if let Some(Belts(belts)) = self.belts {
            setup.seats = belts.map(Seat::Machine);
        }
        Ok(Some(setup))
    }
}

/// The script with time after each button, so that it can be seen.
fn paused(steps: &[Step], millis: u32) -> Vec<Step> {
    let pause = |step: &Step| match step {
        Step::Press(_) => vec![*step, Step::Wait(millis)],
        Step::Wait(_) | Step::End => vec![*step],
    };
    steps.iter().flat_map(pause).collect()
}

/// A moving picture.
#[derive(Debug)]
pub struct Recording {
    /// The GIF.
    pub bytes: Vec<u8>,
    /// Pictures that differ from the one before.
    pub pictures: usize,
    /// How long it runs.
    pub millis: u32,
}

/// Plays a script from the time 0 and records every picture that is to be seen, `speed` times
/// faster.
pub fn record(
    runner: &mut Runner,
    steps: &[Step],
    scale: u32,
    speed: u32,
) -> Result<Recording, Failure> {
    // Browsers show a frame of less than two hundredths of a second for ten.
    let grid = if speed > 1 { 2 * UNIT_MS } else { UNIT_MS };
    let shown_at = |now: u32| now / speed / grid * grid;
    let mut film = Film::new(runner.picture(), scale)?;
    // How long a game lasts shows when it is over.
    let progress = Progress::counting("pictures");
    let end = script::watch(runner, steps, 0, &mut |runner, now| {
        let before = film.pictures;
        film.see(runner.picture(), shown_at(now))?;
        if film.pictures > before {
            progress.tick();
        }
        Ok(())
    })?;
    film.finish(shown_at(end))
}

/// A GIF counts time in hundredths of a second.
const UNIT_MS: u32 = 10;

/// A GIF that is being written: of each picture the part that changed.
struct Film {
    encoder: gif::Encoder<Vec<u8>>,
    scale: u32,
    palette: Vec<Rgb>,
    /// The picture that is to be seen, and since when.
    shown: Raster,
    since: u32,
    /// The picture before it, which is in the file.
    written: Option<Raster>,
    pictures: usize,
}

impl Film {
    fn new(frame: &Frame, scale: u32) -> Result<Film, Failure> {
        let shown = Raster::of(frame);
        let size = Screen::size(frame.screen());
        let (width, height) = ((size.width * scale) as u16, (size.height * scale) as u16);
        let palette = shown.palette.clone();
        let mut encoder = gif::Encoder::new(vec![], width, height, palette.as_flattened())
            .map_err(Failure::check)?;
        encoder
            .set_repeat(gif::Repeat::Infinite)
            .map_err(Failure::check)?;
        Ok(Film {
            encoder,
            scale,
            palette,
            shown,
            since: 0,
            written: None,
            pictures: 0,
        })
    }

    fn see(&mut self, frame: &Frame, now: u32) -> Done {
        let raster = Raster::of(frame);
        if raster == self.shown {
            return Ok(());
        }
        self.write(now)?;
        (self.shown, self.since) = (raster, now);
        Ok(())
    }

    /// Writes the picture that was shown until now.
    fn write(&mut self, now: u32) -> Done {
        let mut left = now / UNIT_MS - self.since / UNIT_MS;
        // What is replaced at the same instant was never seen.
        while left > 0 {
            let delay = u16::try_from(left).unwrap_or(u16::MAX);
            left -= u32::from(delay);
            self.pictures += usize::from(self.written.as_ref() != Some(&self.shown));
            let frame = self.part(delay);
            self.encoder.write_frame(&frame).map_err(Failure::check)?;
            self.written = Some(self.shown.clone());
        }
        Ok(())
    }

    /// The smallest rectangle with all that differs from what is in the file, at least a pixel.
    fn part(&self, delay: u16) -> gif::Frame<'static> {
        let Raster { width, height, .. } = self.shown;
        let old = self.written.as_ref();
        let old = old.filter(|old| old.palette == self.shown.palette);
        let differs = |x: u32, y: u32| {
            let at = (y * width + x) as usize;
            old.is_none_or(|old| old.pixels[at] != self.shown.pixels[at])
        };
        let columns = (0..width).filter(|&x| (0..height).any(|y| differs(x, y)));
        let rows = (0..height).filter(|&y| (0..width).any(|x| differs(x, y)));
        let [(left, wide), (top, high)] = [span(columns), span(rows)];
        let scale = self.scale;
        let pixels = (top * scale..(top + high) * scale).flat_map(|y| {
            (left * scale..(left + wide) * scale)
                .map(move |x| self.shown.pixels[(y / scale * width + x / scale) as usize])
        });
        let has_own = self.shown.palette != self.palette;
        gif::Frame {
            delay,
            left: (left * scale) as u16,
            top: (top * scale) as u16,
            width: (wide * scale) as u16,
            height: (high * scale) as u16,
            buffer: pixels.collect(),
            palette: has_own.then(|| self.shown.palette.concat()),
            dispose: gif::DisposalMethod::Keep,
            ..gif::Frame::default()
        }
    }

    fn finish(mut self, end: u32) -> Result<Recording, Failure> {
        self.write(end)?;
        Ok(Recording {
            pictures: self.pictures,
            bytes: self.encoder.into_inner().map_err(Failure::check)?,
            millis: end,
        })
    }
}

/// First number and how many there are up to the last; the first alone if there is none.
fn span(mut numbers: impl Iterator<Item = u32>) -> (u32, u32) {
    let first = numbers.next().unwrap_or(0);
    (first, numbers.last().unwrap_or(first) + 1 - first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a viewer shows: for each frame of the file the whole picture, and until when.
    fn played(bytes: &[u8], size: (u32, u32)) -> Vec<(u32, Vec<Rgb>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        let global = decoder.global_palette().unwrap().to_vec();
        let mut canvas = vec![[1, 2, 3]; (size.0 * size.1) as usize];
        let (mut all, mut until) = (vec![], 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let palette = frame.palette.as_ref().unwrap_or(&global);
            for (at, &ink) in frame.buffer.iter().enumerate() {
                let at = at as u32;
                let x = u32::from(frame.left) + at % u32::from(frame.width);
                let y = u32::from(frame.top) + at / u32::from(frame.width);
                let rgb = &palette[usize::from(ink) * 3..][..3];
                canvas[(y * size.0 + x) as usize] = rgb.try_into().unwrap();
            }
            until += u32::from(frame.delay) * UNIT_MS;
            all.push((until, canvas.clone()));
        }
        all
    }

    fn runner(screen: Screen) -> Runner {
        let mut runner = Runner::new(screen, 3, bank::SHIPPED, Pace::AtOnce, None);
        let mut setup = Setup::new(GameId::Sticks);
        setup.seats = [Seat::Machine(Belt::Yellow), Seat::Machine(Belt::Green)];
        runner.start(setup).unwrap();
        runner
    }

    #[test]
    fn the_gif_plays_every_picture_at_its_time() {
        let steps = paused(
            &script::parse("end wait:900 a a down wait:30").unwrap(),
            100,
        );
        for (screen, scale) in [(Screen::Lcd, 1), (Screen::Oled, 3)] {
            let recording = record(&mut runner(screen), &steps, scale, 1).unwrap();
            let size = screen.size() * scale;
            let shown = played(&recording.bytes, (size.width, size.height));
            assert_eq!(shown.last().unwrap().0, recording.millis);
            assert!(shown.len() > 8, "{}", shown.len());
            assert_eq!(shown.len(), recording.pictures);
            // The same once more without a film: at every time the picture of the file is to be seen.
            let mut other = runner(screen);
            let mut looks = 0;
            let mut now = 0;
            let mut seen = Raster::of(other.picture()).scaled(scale);
            script::watch(&mut other, &steps, 0, &mut |runner, later| {
                if later > now {
                    let place = shown.iter().find(|(until, _)| now < *until).unwrap();
                    let pixels = seen.pixels.iter();
                    let expected = pixels.map(|&ink| seen.palette[usize::from(ink)]);
                    assert!(place.1.iter().copied().eq(expected), "{screen:?} at {now}");
                    looks += 1;
                }
                (now, seen) = (later, Raster::of(runner.picture()).scaled(scale));
                Ok(())
            })
            .unwrap();
            assert!(looks > 50, "{looks}");
            let again = record(&mut runner(screen), &steps, scale, 1).unwrap();
            assert_eq!(again.bytes, recording.bytes);
        }
    }

    #[test]
    fn a_faster_one_has_the_same_end_and_no_frame_that_browsers_slow_down() {
        let steps = script::parse("end wait:900").unwrap();
        let slow = record(&mut runner(Screen::Oled), &steps, 1, 1).unwrap();
        let fast = record(&mut runner(Screen::Oled), &steps, 1, 4).unwrap();
        assert!(
            fast.millis.abs_diff(slow.millis / 4) < 20,
            "{}",
            fast.millis
        );
        let [slow, fast] = [slow, fast].map(|one| played(&one.bytes, (128, 64)));
        assert_eq!(slow.last().unwrap().1, fast.last().unwrap().1);
        let mut before = 0;
        for (until, _) in fast {
            assert!(until - before >= 20, "{before} to {until}");
            before = until;
        }
    }

    #[test]
    fn a_long_sight_is_split_and_a_still_one_has_a_frame() {
        let mut still = Runner::new(Screen::Oled, 1, bank::SHIPPED, Pace::AtOnce, None);
        let frame = still.picture();
        let mut film = Film::new(frame, 1).unwrap();
        film.see(frame, 500).unwrap();
        let recording = film.finish(700_000).unwrap();
        let shown = played(&recording.bytes, (128, 64));
        assert_eq!((shown.len(), recording.pictures), (2, 1));
        assert_eq!(shown[1].0, 700_000);
        assert_eq!(shown[0].1, shown[1].1);
    }

    #[test]
    fn spans_hold_all_numbers() {
        assert_eq!(span([3, 5, 9].into_iter()), (3, 7));
        assert_eq!(span([4].into_iter()), (4, 1));
        assert_eq!(span([].into_iter()), (0, 1));
    }
}
