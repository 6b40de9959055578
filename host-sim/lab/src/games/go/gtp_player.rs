//! External programs as players: any that speaks GTP, and GNU Go as the published work used it.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Points};
use dojo_core::rng::Rng;

use super::gtp::program::{Program, Trouble, gnugo};
use super::turn::colour;
use crate::failure::Failure;
use crate::output;
use crate::players::Faults;

/// How long a move of another program may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// An external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GtpProgram {
    /// Any, by its command line.
    Command(String),
    /// GNU Go at a level from 0 to 10.
    GnuGo {
        /// The level.
        level: u8,
    },
    /// GNU Go at level 1 with this percentage of random moves.
    Weak {
        /// Percent of random moves.
        percent: u8,
    },
}

impl GtpProgram {
    /// The command that starts it. GNU Go plays to the end, so that margins mean something, and
    /// takes what is dead.
    pub fn command(&self) -> Result<String, Failure> {
        let level = match self {
            GtpProgram::Command(command) => return Ok(command.clone()),
            GtpProgram::GnuGo { level } => *level,
            GtpProgram::Weak { .. } => 1,
        };
        let path = gnugo().ok_or_else(|| {
            Failure::Usage(
                "GNU Go is not installed (Debian: apt install gnugo); $GNUGO names it elsewhere"
                    .into(),
            )
        })?;
        Ok(format!(
            "\"{}\" --mode gtp --level {level} --chinese-rules --positional-superko --never-resign",
            path.display()
        ))
    }

    /// Percent of random moves.
    fn slips(&self) -> u32 {
        if let GtpProgram::Weak { percent } = self {
            (*percent).into()
        } else {
            0
        }
    }
}

/// A program as a player. It keeps running programs for later moves and games, one for each game
/// that is played at the same time.
#[derive(Debug)]
pub struct GtpPlayer {
    command: String,
    slips: u32,
    idle: Mutex<Vec<RunningProgram>>,
    faults: Faults,
}

/// A running program and the game it knows.
#[derive(Debug)]
struct RunningProgram {
    program: Program,
    has_seed: bool,
    /// GNU Go remembers what it read in earlier games: without that its move depends on the
    /// position and the seed alone.
    has_cache: bool,
    game: Option<Go>,
}

impl GtpPlayer {
    /// Makes sure that the program starts and speaks the protocol.
    pub fn new(program: &GtpProgram) -> Result<GtpPlayer, Failure> {
        let command = program.command()?;
        let player = GtpPlayer {
            slips: program.slips(),
            idle: Mutex::default(),
            faults: Faults::default(),
            command,
        };
        let seat = player
            .seat()
            .map_err(|trouble| Failure::Usage(format!("`{}` {trouble}", player.command)))?;
        player.leave(seat);
        Ok(player)
    }

    fn seat(&self) -> Result<RunningProgram, Trouble> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.map_or_else(|| RunningProgram::start(&self.command), Ok)
    }

    fn leave(&self, seat: RunningProgram) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(seat);
        }
    }

    /// The count of its faults.
    pub fn faults(&self) -> Faults {
        Arc::clone(&self.faults)
    }

    /// Its move. `None` if it resigns, or if it is at fault: that is said on stderr and counted,
    /// and the game is lost.
    pub fn choose(&self, game: &Go, rng: &mut Rng) -> Option<GoMove> {
        if game.is_over() {
            return None;
        }
        let seed = rng.next_u32() >> 1;
        let points = game.legal_points();
        if rng.below(100) < self.slips && !points.is_empty() {
            return rng.pick(points).map(GoMove::Stone);
        }
        let outcome = self.seat().and_then(|mut seat| {
            let mv = seat.ask_move(game, seed)?;
            self.leave(seat);
            Ok(mv)
        });
        outcome.unwrap_or_else(|trouble| {
            output::warn(&format!("`{}` {trouble} in {game}", self.command));
            self.faults.fetch_add(1, Ordering::Relaxed);
            None
        })
    }
}

impl RunningProgram {
    fn start(command: &str) -> Result<RunningProgram, Trouble> {
        let mut program = Program::start(command, PATIENCE)?;
        program.tell("protocol_version")?;
        let has_seed = program.tell("known_command set_random_seed")? == "true";
        let has_cache = program.tell("known_command clear_cache")? == "true";
        Ok(RunningProgram {
            program,
            has_seed,
            has_cache,
            game: None,
        })
    }

    /// Sends the moves of a game that the program does not have yet.
    fn show(&mut self, game: &Go) -> Result<(), Trouble> {
        let known = self.game.filter(|known| {
            let is_prefix = known
                .moves()
                .zip(game.moves())
                .all(|(known, mv)| known == mv);
            known.rules() == game.rules()
                && known.start() == game.start()
                && known.plies() <= game.plies()
                && is_prefix
        });
        let (stones, turn) = game.start();
        let from = match known {
            Some(known) => known.plies(),
            None => {
                let (size, komi) = (game.rules().size(), f64::from(game.rules().komi()) / 2.0);
                self.program.tell(&format!("boardsize {size}"))?;
                self.program.tell("clear_board")?;
                self.program.tell(&format!("komi {komi}"))?;
                self.put_up(stones.of(Player::First), Player::First)?;
                self.put_up(stones.of(Player::Second), Player::Second)?;
                0
            }
        };
        self.game = None;
        let players = [turn, !turn].into_iter().cycle();
        for (mv, player) in game.moves().zip(players).skip(from) {
            self.program
                .tell(&format!("play {} {mv}", colour(player)))?;
        }
        self.game = Some(*game);
        Ok(())
    }

    fn put_up(&mut self, stones: Points, player: Player) -> Result<(), Trouble> {
        for point in stones {
            self.program
                .tell(&format!("play {} {point}", colour(player)))?;
        }
        Ok(())
    }

    /// Its move in this position; `None` if it resigns. An illegal move is a fault.
    fn ask_move(&mut self, game: &Go, seed: u32) -> Result<Option<GoMove>, Trouble> {
        self.show(game)?;
        if self.has_seed {
            self.program.tell(&format!("set_random_seed {seed}"))?;
        }
        if self.has_cache {
            self.program.tell("clear_cache")?;
        }
        let answer = self
            .program
            .tell(&format!("genmove {}", colour(game.turn())))?;
        if answer.eq_ignore_ascii_case("resign") {
            // It has not moved: its position is still the right one.
            return Ok(None);
        }
        self.game = None;
        let mv = game
            .parse_move(&answer)
            .ok()
            .filter(|&mv| game.is_legal(mv));
        let mv =
            mv.ok_or_else(|| Trouble::Answer(format!("plays `{answer}`, which is not legal")))?;
        self.game = Some(game.after(mv));
        Ok(Some(mv))
    }
}
