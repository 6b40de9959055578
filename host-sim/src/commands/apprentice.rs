//! `dojo apprentice`: reads back what the apprentices of a handheld have learned.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use dojo_core::fraction::Fraction;
use dojo_core::game::Game;
use dojo_core::games::apprentice::{GAMES, PART};
use dojo_core::games::dots::symmetric;
use dojo_core::games::dots::two_by_two::{EDGES, FULL, SETS};
use dojo_core::games::{GameId, Sticks};
use dojo_handheld::{Rivalry, Slot, parts_of, rivalries_in, save_file, values_in};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::output::Format;
use dojo_lab::rules::game_id;
use serde::Serialize;

use crate::device::saves::{SAVES_BYTES, slots_in};

/// What the apprentices have learned.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A save of the simulator or the page, or the saves of a device (64 KB from 0x101F0000)
    file: PathBuf,
    /// Write the values of this game's apprentice for `dojo bank pack`
    #[arg(long, value_parser = game_id, requires = "out")]
    values: Option<GameId>,
    /// The file for the values
    #[arg(long, requires = "values")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: Format,
}

/// An apprentice, as it is printed.
#[derive(Debug, PartialEq, Serialize)]
struct Known {
    game: &'static str,
    name: String,
    games: u32,
    won: u16,
    drawn: u16,
    lost: u16,
    /// Its wins in each stretch of games, in percent.
    curve: Vec<u16>,
    /// Values that it has learned, of all.
    learned: usize,
    values: usize,
}

/// The stored slots of a file.
type Slots = Vec<(Slot, Vec<u8>)>;

/// Reads a save file or a region of the device's flash.
fn slots(bytes: &[u8], path: &Path) -> Result<Slots, Failure> {
    if bytes.len() == SAVES_BYTES as usize && !bytes.starts_with(b"DOJOSAVE") {
        return slots_in(bytes)
            .ok_or_else(|| Failure::check(format!("{}: no saves of a device", path.display())));
    }
    let slots = save_file::parse(bytes)
        .map_err(|fault| Failure::check(format!("{}: {fault}", path.display())))?;
    let all = Slot::ALL.into_iter().zip(slots);
    Ok(all
        .filter_map(|(slot, bytes)| Some((slot, bytes?.to_vec())))
        .collect())
}

fn find(slots: &Slots, wanted: Slot) -> Option<&[u8]> {
    let found = slots.iter().find(|(slot, _)| *slot == wanted);
    found.map(|(_, bytes)| &bytes[..])
}

fn rivalries(slots: &Slots) -> Result<[Rivalry; GAMES.len()], Failure> {
    match find(slots, Slot::Rivalry) {
        None => Ok(Default::default()),
        Some(bytes) => rivalries_in(bytes)
            .ok_or_else(|| Failure::check("the rivalries in this save cannot be read")),
    }
}

/// The whole table of a game, in the order of its places.
fn table(slots: &Slots, game: GameId, life: u8) -> Vec<u16> {
    let part = |number| find(slots, Slot::Part(number)).unwrap_or_default();
    let all = parts_of(game).flat_map(|number| values_in(part(number), life));
    let count = match game {
        GameId::Sticks => PART,
        _ => symmetric::VALUES,
    };
    all.take(count).collect()
}

/// The values as fractions, one state a line: of 15 sticks what it is worth to leave the sticks, of
/// dots and boxes the set of edges, the edge, and what it is worth to draw it.
fn written(game: GameId, table: &[u16]) -> String {
    let mut text = String::new();
    if game == GameId::Sticks {
        let start = Sticks::new(Default::default());
        let [a, b, c] = [3, 5, 7];
        for (x, y, z) in
            (0..=a).flat_map(|x| (0..=b).flat_map(move |y| (0..=c).map(move |z| (x, y, z))))
        {
            let state = start.with_sticks([x, y, z]).state();
            let value = f64::from(table[state].thousandths()) / 1000.0;
            let _ = writeln!(text, "{x} {y} {z} {value:.3}");
        }
        return text;
    }
    for edges in 0..SETS as u16 {
        for edge in 0..EDGES as u8 {
            // A draw is the middle; an edge that is drawn already has no value.
            let is_free = FULL & !edges & 1 << edge != 0;
            let value = match is_free {
                true => f64::from(table[symmetric::place(edges, edge)] as i16) / 8192.0,
                false => -1.0,
            };
            let fraction = ((value + 1.0) / 2.0).clamp(0.0, 1.0);
            let _ = writeln!(text, "{edges} {edge} {fraction:.5}");
        }
    }
    text
}

/// Prints them, or writes the values of one.
pub fn run(args: Args) -> Done {
    let limit = save_file::MAX_FILE.max(SAVES_BYTES as usize);
    let slots = slots(&files::read_at_most(&args.file, limit)?, &args.file)?;
    let rivalries = rivalries(&slots)?;
    let known = |(game, rivalry): (GameId, &Rivalry)| {
        let table = table(&slots, game, rivalry.life());
        let tally = rivalry.tally();
        Known {
            game: game.name(),
            name: rivalry.name().into(),
            games: rivalry.age(),
            won: tally.lost,
            drawn: tally.drawn,
            lost: tally.won,
            curve: rivalry.curve().map(|share| share / 10).collect(),
            learned: table.iter().filter(|&&value| value != 0).count(),
            values: table.len(),
        }
    };
    if let (Some(game), Some(out)) = (args.values, &args.out) {
        let at = GAMES.iter().position(|&id| id == game);
        let at = at.ok_or_else(|| {
            Failure::Usage(format!(
                "no apprentice of {}: only sticks and dots",
                game.name()
            ))
        })?;
        files::may_write(out, args.force)?;
        files::not_an_input(out, [&*args.file])?;
        let table = table(&slots, game, rivalries[at].life());
        return files::write(out, written(game, &table).as_bytes(), args.force);
    }
    let all: Vec<Known> = GAMES.into_iter().zip(&rivalries).map(known).collect();
    args.format.print(&all, || all.iter().map(line).collect())
}

fn line(known: &Known) -> String {
    let Known {
        game,
        name,
        games,
        won,
        drawn,
        lost,
        learned,
        values,
        ..
    } = known;
    let name = if name.is_empty() { "apprentice" } else { name };
    let curve: Vec<String> = known.curve.iter().map(u16::to_string).collect();
    let curve = match curve.is_empty() {
        true => "none yet".into(),
        false => curve.join(" "),
    };
    format!(
        "{game}: {name}, learned from {games} games; won {won}, drawn {drawn}, lost {lost}\n  \
         values learned: {learned} of {values}\n  wins in each stretch, in percent: {curve}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_handheld::{Command, Console, Event, Seat, Setup, Target};

    /// Everything that a console saves while a person, who touches the first thing that makes a
    /// move, plays so many games against the apprentice.
    fn played(id: GameId, games: u32) -> Slots {
        let mut console = Console::new(1);
        let mut stored = Slots::new();
        let mut now = 0;
        console.handle(Event::Ready);
        let mut obey = |console: &mut Console| {
            while let Some(command) = console.next_command() {
                let mut buffer = [0; dojo_handheld::MAX_BYTES];
                match command {
                    Command::Save(slot) => {
                        let bytes = console.kept(slot, &mut buffer).map(<[u8]>::to_vec);
                        stored.retain(|(known, _)| *known != slot);
                        stored.extend(bytes.map(|bytes| (slot, bytes)));
                    }
                    Command::Load(slot) => {
                        let bytes = find(&stored, slot).unwrap_or_default().to_vec();
                        console.handle(Event::Restore(slot, &bytes));
                    }
                    _ => {}
                }
            }
        };
        for _ in 0..games {
            console.start(Setup {
                seats: [Seat::Person, Seat::Apprentice],
                ..Setup::new(id)
            });
            while console.screen_name() == "board" {
                for place in 0..64 {
                    console.handle(Event::Tap(Target::Place(place)));
                    obey(&mut console);
                }
                now += 500;
                console.handle(Event::Tick(now));
                obey(&mut console);
            }
        }
        stored
    }

    #[test]
    fn what_it_learned_is_read_from_a_file_and_from_flash() {
        for id in GAMES {
            let stored = played(id, 12);
            let rivalry = rivalries(&stored).unwrap()[GAMES.iter().position(|&g| g == id).unwrap()];
            assert_eq!(rivalry.age(), 12, "{id:?}");
            let values = table(&stored, id, rivalry.life());
            assert!(values.iter().filter(|&&value| value != 0).count() > 10);
            // The same from a file.
            let of = |slot| find(&stored, slot);
            let mut buffer = [0; save_file::MAX_FILE];
            let file = save_file::write(Slot::ALL.map(of), &mut buffer).unwrap();
            let read = slots(file, Path::new("x")).unwrap();
            assert_eq!(table(&read, id, rivalry.life()), values);
            // And from flash.
            let region = crate::device::saves::with_slots(&stored).unwrap();
            let read = slots(&region, Path::new("x")).unwrap();
            assert_eq!(table(&read, id, rivalry.life()), values);
            assert_eq!(
                rivalries(&read).unwrap()[0].age(),
                rivalries(&stored).unwrap()[0].age()
            );
            // One value a line, all fractions, the last one of a state that is worth something.
            let text = written(id, &values);
            let count = if id == GameId::Sticks { 192 } else { 49_152 };
            assert_eq!(text.lines().count(), count);
            assert!(text.lines().all(|line| {
                let last = line
                    .rsplit(' ')
                    .next()
                    .and_then(|word| word.parse::<f64>().ok());
                last.is_some_and(|value| (0.0..=1.0).contains(&value))
            }));
        }
        assert!(slots(&[0; SAVES_BYTES as usize + 1], Path::new("x")).is_err());
        assert!(slots(b"DOJOSAVE", Path::new("x")).is_err());
    }

    #[test]
    fn states_of_sticks_are_written_in_the_order_of_the_bank() {
        let table: Vec<u16> = (0..192).map(|state| state * 300).collect();
        for (state, line) in written(GameId::Sticks, &table).lines().enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            let sticks = [0, 1, 2].map(|row| words[row].parse::<u8>().unwrap());
            let game = Sticks::new(Default::default()).with_sticks(sticks);
            assert_eq!(game.state(), state);
            let value: f64 = words[3].parse().unwrap();
            assert!((value - f64::from(table[state]) / 65536.0).abs() < 0.002);
        }
    }
}
