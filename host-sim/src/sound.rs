//! The handheld's tunes on a PC: each as a WAV file that a program of the system plays.
//!
//! A library for sound would need the system's headers at build time and a device at run time; the
//! programs that play a file are there where sound is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use dojo_handheld::VOLUMES;
use dojo_handheld::sound::Note;

/// Programs that play a file, and what keeps them from showing anything. The first one that works
/// is used.
pub(crate) const PLAYERS: [(&str, &[&str]); 6] = [
    ("pw-play", &[]),
    ("paplay", &[]),
    ("aplay", &["-q"]),
    ("afplay", &[]),
    ("play", &["-q"]),
    ("ffplay", &["-nodisp", "-autoexit", "-loglevel", "quiet"]),
];

/// Notes, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tune {
    /// The notes.
    pub notes: &'static [Note],
    /// From 1 to [`VOLUMES`].
    pub volume: u8,
}

impl Tune {
    /// Its length in milliseconds.
    pub fn millis(&self) -> u32 {
        self.notes.iter().map(|note| u32::from(note.millis)).sum()
    }
}

/// Samples in a second.
const RATE: u32 = 44_100;
/// Silence behind the last note: some players cut the end.
const TAIL_MS: u32 = 30;
/// Half the height of the square wave; the device has a small piezo.
const LOUDNESS: [i16; VOLUMES as usize] = [400, 1150, 3300];

/// A tune as a WAV file: square waves in 16 bits, one channel.
pub fn wav(tune: &Tune) -> Vec<u8> {
    let loud = LOUDNESS[usize::from(tune.volume.clamp(1, VOLUMES)) - 1];
    let samples = |millis: u32| RATE * millis / 1000;
    let mut data = vec![];
    for note in tune.notes {
        for at in 0..samples(note.millis.into()) {
            // Half waves since the note began.
            let halves = 2 * at * u32::from(note.hertz) / RATE;
            let sample = match (note.hertz, halves % 2) {
                (0, _) => 0,
                (_, 0) => loud,
                _ => -loud,
            };
            data.extend(sample.to_le_bytes());
        }
    }
    data.extend((0..samples(TAIL_MS)).flat_map(|_| [0; 2]));
    let length = data.len() as u32;
    let mut file = vec![];
    file.extend(b"RIFF");
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    // PCM, one channel.
    file.extend([1, 0, 1, 0]);
    file.extend(RATE.to_le_bytes());
    file.extend((2 * RATE).to_le_bytes());
    // Two bytes a sample, 16 bits.
    file.extend([2, 0, 16, 0]);
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(data);
    file
}

/// Plays tunes beside everything else; a later one ends the one before.
pub struct Speaker {
    /// Taken when it ends.
    tunes: Option<Sender<Tune>>,
    thread: Option<JoinHandle<()>>,
    is_broken: Arc<AtomicBool>,
}

impl Speaker {
    /// A speaker, if a program that plays files is installed.
    pub fn find() -> Option<Speaker> {
        let path = std::env::var_os("PATH")?;
        let has =
            |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        let players = PLAYERS.into_iter().filter(|(name, _)| has(name));
        let players: Vec<_> = players.collect();
        if players.is_empty() {
            return None;
        }
        let (sender, tunes) = channel();
        let is_broken = Arc::new(AtomicBool::new(false));
        let broken = is_broken.clone();
        let thread = std::thread::spawn(move || {
            speak(&players, &tunes);
            broken.store(true, Ordering::Relaxed);
        });
        Some(Speaker {
            tunes: Some(sender),
            thread: Some(thread),
            is_broken,
        })
    }

    /// Plays a tune instead of the last one.
    pub fn play(&self, tune: Tune) {
        // Without a program that works nobody listens.
        let _ = self.tunes.as_ref().map(|tunes| tunes.send(tune));
    }

    /// Whether no program could play anything.
    pub fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// The programs that would do, for messages.
    pub fn programs() -> String {
        PLAYERS.map(|(name, _)| name).join(", ")
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        drop(self.tunes.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// How a program ended.
enum End {
    /// The tune was played.
    Played,
    /// Another tune came.
    Cut(Tune),
    /// The handheld is gone.
    Gone,
    /// The program cannot play it.
    Failed,
}

/// Plays what comes, until the handheld is gone or no program is left that works.
fn speak(mut players: &[(&str, &[&str])], tunes: &Receiver<Tune>) {
    let mut next = None;
    while let Some(tune) = next.take().or_else(|| tunes.recv().ok()) {
        let Ok(file) = keep(&wav(&tune)) else {
            return;
        };
        while let [(program, options), others @ ..] = players {
            match run(program, options, &file, tunes) {
                End::Failed => players = others,
                End::Cut(tune) => {
                    next = Some(tune);
                    break;
                }
                End::Played | End::Gone => break,
            }
        }
        let _ = fs::remove_file(&file);
        if players.is_empty() {
            return;
        }
    }
}

fn run(program: &str, options: &[&str], file: &Path, tunes: &Receiver<Tune>) -> End {
    let started = Command::new(program)
        .args(options)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        return End::Failed;
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return End::Played,
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => return End::Failed,
        }
        let end = match tunes.recv_timeout(Duration::from_millis(10)) {
            // Of several only the last one is still wanted.
            Ok(tune) => End::Cut(tunes.try_iter().last().unwrap_or(tune)),
            Err(RecvTimeoutError::Disconnected) => End::Gone,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        let _ = child.kill();
        let _ = child.wait();
        return end;
    }
}

/// Writes a file of its own, which nothing else has made before.
fn keep(bytes: &[u8]) -> io::Result<PathBuf> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("pocket-dojo-{}-{number}.wav", std::process::id());
    let path = std::env::temp_dir().join(name);
    let file: io::Result<File> = OpenOptions::new().write(true).create_new(true).open(&path);
    file?.write_all(bytes)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::belt::Belt;
    use dojo_handheld::sound::Cue;

    fn number(bytes: &[u8]) -> u32 {
        bytes
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
    }

    /// The samples of a file, read by its description.
    fn samples(file: &[u8]) -> Vec<i16> {
        assert_eq!((&file[..4], &file[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!(number(&file[4..8]) as usize, file.len() - 8);
        let [kind, channels, bits] = [20, 22, 34].map(|at| number(&file[at..at + 2]));
        assert_eq!(
            (kind, channels, bits, number(&file[24..28])),
            (1, 1, 16, 44_100)
        );
        assert_eq!(&file[36..40], b"data");
        assert_eq!(number(&file[40..44]) as usize, file.len() - 44);
        let (pairs, _) = file[44..].as_chunks::<2>();
        pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
    }

    #[test]
    fn a_tune_has_its_pitches_its_length_and_its_volume() {
        let cues = [Cue::Click, Cue::Refused, Cue::Reply, Cue::BeltEarned];
        for cue in cues.into_iter().chain(Belt::ALL.map(Cue::Won)) {
            for volume in 1..=VOLUMES {
                let tune = Tune {
                    notes: cue.notes(),
                    volume,
                };
                let all = samples(&wav(&tune));
                let loud = LOUDNESS[usize::from(volume) - 1];
                assert_eq!(all.iter().max(), Some(&loud));
                let mut rest = &all[..];
                for note in tune.notes {
                    let length = 441 * usize::from(note.millis) / 10;
                    let (these, others) = rest.split_at(length);
                    rest = others;
                    let turns = these.windows(2).filter(|pair| pair[0] != pair[1]).count();
                    // Two turns a wave; the last half wave may be cut.
                    let expected = 2 * usize::from(note.hertz) * length / 44_100;
                    assert!(turns.abs_diff(expected) <= 1, "{cue:?} {note:?}: {turns}");
                }
                assert!(rest.iter().all(|&sample| sample == 0));
                assert_eq!(rest.len() as u32, RATE * TAIL_MS / 1000);
            }
        }
    }
}
