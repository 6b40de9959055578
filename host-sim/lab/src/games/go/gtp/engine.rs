//! A GTP engine: one function from a request line to its answer.

use std::path::Path;
use std::time::{Duration, Instant};

use dojo_core::game::{Game, Player};
use dojo_core::games::go::players::dead_stones;
use dojo_core::games::go::{GoMove, LETTERS, Point, Points, half_points, territory};
use dojo_core::games::{Go, GoRules};

use super::protocol::{Answer, Request, reply};
use crate::files;
use crate::games::go::final_score;
use crate::games::go::record::{self, score_text};
use crate::games::go::turn::{played, with_turn};
use crate::games::go::{clock::Clock, sgf};

/// Chooses moves for the engine. `time` is how long it may take, if there is a clock.
pub trait Thinker {
    /// The move; `None` resigns.
    fn think(&mut self, game: &Go, time: Option<Duration>) -> Option<GoMove>;

    /// Seeds its generator.
    fn seed(&mut self, seed: u64);
}

type Command<T> = fn(&mut Engine<T>, &[String]) -> Answer;

/// An engine: the game, its history for `undo`, the clock, and the player that thinks.
#[derive(Debug)]
pub struct Engine<T> {
    thinker: T,
    name: String,
    game: Go,
    /// The game before each move.
    earlier: Vec<Go>,
    /// Who resigned.
    resigned: Option<Player>,
    clock: Clock,
    seed: u64,
    quits: bool,
}

impl<T: Thinker> Engine<T> {
    /// The commands; `list_commands` prints them in this order.
    const COMMANDS: [(&str, Command<T>); 31] = [
        ("protocol_version", |_, _| Ok("2".into())),
        ("name", |engine, _| Ok(engine.name.clone())),
        ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
        ("known_command", Self::known_command),
        ("list_commands", Self::list_commands),
        ("quit", Self::quit),
        ("boardsize", Self::boardsize),
        ("query_boardsize", |engine, _| {
            Ok(engine.game.rules().size().to_string())
        }),
        ("clear_board", Self::clear_board),
        ("komi", Self::komi),
        ("get_komi", |engine, _| {
            Ok((f64::from(engine.game.rules().komi()) / 2.0).to_string())
        }),
        ("fixed_handicap", |engine, words| {
            engine.fixed_handicap(words, fixed_most)
        }),
        ("place_free_handicap", |engine, words| {
            engine.fixed_handicap(words, |_| 9)
        }),
        ("set_free_handicap", Self::set_free_handicap),
        ("play", Self::play),
        ("gogui-play_sequence", Self::play_sequence),
        ("genmove", Self::genmove),
        ("reg_genmove", Self::reg_genmove),
        ("undo", |engine, _| engine.undo(1)),
        ("gg-undo", |engine, words| {
            engine.undo(number(words.first().map_or("1", String::as_str))?)
        }),
        ("time_settings", Self::time_settings),
        ("time_left", Self::time_left),
        ("final_score", |engine, _| {
            Ok(score_text(final_score(&engine.game)))
        }),
        ("final_status_list", Self::final_status_list),
        ("loadsgf", Self::loadsgf),
        ("printsgf", |engine, _| Ok(engine.record())),
        ("showboard", |engine, _| Ok(engine.picture())),
        ("set_random_seed", Self::set_random_seed),
        ("get_random_seed", |engine, _| Ok(engine.seed.to_string())),
        ("gogui-analyze_commands", |_, _| {
            Ok("bwboard/Territory after Bouzy/dojo-territory".into())
        }),
        ("dojo-territory", |engine, _| Ok(engine.territory())),
    ];

    /// An engine with an empty board.
    pub fn new(thinker: T, name: &str, rules: GoRules, seed: u64) -> Engine<T> {
        let mut engine = Engine {
            thinker,
            name: name.into(),
            game: Go::new(rules),
            earlier: vec![],
            resigned: None,
            clock: Clock::default(),
            seed,
            quits: false,
        };
        engine.thinker.seed(seed);
        engine
    }

    /// Answers a line; `None` if it asks nothing.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let request = Request::parse(line)?;
        let answer = match Self::COMMANDS
            .iter()
            .find(|(name, _)| *name == request.command)
        {
            Some((_, command)) => command(self, &request.arguments),
            None => Err("unknown command".into()),
        };
        Some(reply(request.id, &answer))
    }

    /// Whether it was told to quit.
    pub fn quits(&self) -> bool {
        self.quits
    }

    /// The position.
    pub fn game(&self) -> &Go {
        &self.game
    }

    fn known_command(&mut self, words: &[String]) -> Answer {
        let known = |name: &String| Self::COMMANDS.iter().any(|(known, _)| known == name);
        Ok(words.first().is_some_and(known).to_string())
    }

    fn list_commands(&mut self, _: &[String]) -> Answer {
        Ok(Self::COMMANDS
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join("\n"))
    }

    fn quit(&mut self, _: &[String]) -> Answer {
        self.quits = true;
        Ok(String::new())
    }

    /// A new game; nothing of the old one can be taken back.
    fn begin(&mut self, game: Go) {
        self.game = game;
        self.earlier.clear();
        self.resigned = None;
        self.clock.reset();
    }

    /// Makes this position the current one; `undo` goes back to the one before.
    fn go_on(&mut self, next: Go) {
        self.earlier.push(std::mem::replace(&mut self.game, next));
        self.resigned = None;
    }

    fn boardsize(&mut self, words: &[String]) -> Answer {
        let size: u32 = number(word(words, 0)?)?;
        let size = u8::try_from(size)
            .ok()
            .and_then(GoRules::new)
            .ok_or("unacceptable size")?;
        let rules = size
            .with_komi(self.game.rules().komi())
            .ok_or("unacceptable size")?;
        self.begin(Go::new(rules.with_ko(self.game.rules().ko)));
        Ok(String::new())
    }

    fn clear_board(&mut self, _: &[String]) -> Answer {
        // Handicap stones have commands of their own.
        let rules = self.game.rules().with_handicap(0).unwrap_or_default();
        self.begin(Go::new(rules));
        Ok(String::new())
    }

    /// Changes komi of the running game.
    fn komi(&mut self, words: &[String]) -> Answer {
        let text = word(words, 0)?;
        let _: f64 = text
            .parse()
            .ok()
            .filter(|komi: &f64| komi.is_finite())
            .ok_or("syntax error")?;
        let refusal = "unacceptable komi: whole or half points from -81 to 81";
        let komi = half_points(text.trim_start_matches('+')).ok_or(refusal)?;
        for game in std::iter::once(&mut self.game).chain(&mut self.earlier) {
            *game = game.with_komi(komi).ok_or(refusal)?;
        }
        Ok(String::new())
    }

    fn fixed_handicap(&mut self, words: &[String], most: fn(u8) -> u8) -> Answer {
        let count: u8 = number(word(words, 0)?)?;
        if !self.game.stones().all().is_empty() {
            return Err("board not empty".into());
        }
        let rules = self.game.rules();
        let rules = rules
            .with_handicap(count)
            .filter(|_| (2..=most(rules.size())).contains(&count));
        self.begin(Go::new(rules.ok_or("invalid number of stones")?));
        Ok(vertices(self.game.stones().all()))
    }

    fn set_free_handicap(&mut self, words: &[String]) -> Answer {
        if !self.game.stones().all().is_empty() {
            return Err("board not empty".into());
        }
        let mut stones = Points::EMPTY;
        for word in words {
            let point = self
                .vertex(word)
                .ok()
                .and_then(GoMove::point)
                .filter(|&point| !stones.contains(point));
            stones.insert(point.ok_or("bad vertex list")?);
        }
        let game = Go::with_stones(self.game.rules(), stones, Points::EMPTY, Player::Second);
        self.begin(
            game.filter(|_| stones.len() >= 2)
                .ok_or("bad vertex list")?,
        );
        Ok(String::new())
    }

    /// A move of this board, whether legal or not.
    fn vertex(&self, text: &str) -> Result<GoMove, String> {
        let mv = self.game.parse_move(text).map_err(|_| "syntax error")?;
        let on_board = mv
            .point()
            .is_none_or(|point| self.game.board().contains(point));
        on_board.then_some(mv).ok_or_else(|| "syntax error".into())
    }

    fn play(&mut self, words: &[String]) -> Answer {
        let player = colour(word(words, 0)?)?;
        let mv = self.vertex(word(words, 1)?)?;
        let next = played(&self.game, player, mv).map_err(|_| "illegal move")?;
        self.go_on(next);
        Ok(String::new())
    }

    fn play_sequence(&mut self, words: &[String]) -> Answer {
        let before = (self.game, self.earlier.clone());
        for pair in words.chunks(2) {
            if let Err(fault) = self.play(pair) {
                (self.game, self.earlier) = before;
                return Err(fault);
            }
        }
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[String]) -> Answer {
        let player = colour(word(words, 0)?)?;
        let game = with_turn(&self.game, player);
        let begun = Instant::now();
        let time = self
            .clock
            .for_move(player, game.plies(), game.board().len());
        let mv = self.thinker.think(&game, time);
        self.clock.spend(player, begun.elapsed());
        let Some(mv) = mv else {
            self.resigned = Some(player);
            return Ok("resign".into());
        };
        let next = played(&game, player, mv)
            .map_err(|why| format!("no legal move was found: {mv} {why}"))?;
        self.go_on(next);
        Ok(mv.to_string())
    }

    /// `reg_genmove`: a move that is not played.
    fn reg_genmove(&mut self, words: &[String]) -> Answer {
        let game = with_turn(&self.game, colour(word(words, 0)?)?);
        Ok(self
            .thinker
            .think(&game, None)
            .map_or("resign".into(), |mv| mv.to_string()))
    }

    fn undo(&mut self, moves: usize) -> Answer {
        let left = self.earlier.len().checked_sub(moves).ok_or("cannot undo")?;
        if moves > 0 {
            self.game = self.earlier[left];
            self.earlier.truncate(left);
            self.resigned = None;
        }
        Ok(String::new())
    }

    fn time_settings(&mut self, words: &[String]) -> Answer {
        let mut seconds = [0u32; 3];
        for (place, value) in seconds.iter_mut().enumerate() {
            *value = number(word(words, place)?)?;
        }
        self.clock = Clock::new(seconds);
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[String]) -> Answer {
        let player = colour(word(words, 0)?)?;
        self.clock
            .tell(player, number(word(words, 1)?)?, number(word(words, 2)?)?);
        Ok(String::new())
    }

    /// One block a line.
    fn final_status_list(&mut self, words: &[String]) -> Answer {
        let dead = dead_stones(&self.game);
        let wanted = match word(words, 0)? {
            "dead" => dead,
            "alive" => self.game.stones().all().without(dead),
            // Blocks that live in seki count as alive here: area scoring needs no difference.
            "seki" => Points::EMPTY,
            _ => return Err("syntax error".into()),
        };
        let blocks = self
            .game
            .stones()
            .blocks()
            .filter(|(_, block)| block.meets(wanted));
        Ok(blocks
            .map(|(_, block)| vertices(block))
            .collect::<Vec<_>>()
            .join("\n"))
    }

    fn loadsgf(&mut self, words: &[String]) -> Answer {
        let path = word(words, 0)?;
        let upto = match words.get(1) {
            Some(text) => number::<usize>(text)?.saturating_sub(1),
            None => usize::MAX,
        };
        let load = || {
            let bytes = files::load(Path::new(path), files::RECORD_LIMIT)
                .map_err(|error| error.to_string())?;
            let games = sgf::parse(&bytes).map_err(|error| error.to_string())?;
            record::replay(&games[0], upto, |_, _| {}).map_err(|error| error.to_string())
        };
        let replayed = load().map_err(|why| format!("cannot load file: {why}"))?;
        self.begin(replayed.end);
        Ok(crate::games::go::turn::colour(self.game.turn()).into())
    }

    fn set_random_seed(&mut self, words: &[String]) -> Answer {
        self.seed = number(word(words, 0)?)?;
        self.thinker.seed(self.seed);
        Ok(String::new())
    }

    /// The game as SGF, with its result once it has one.
    fn record(&self) -> String {
        let result = match self.resigned {
            Some(Player::First) => Some("W+R".into()),
            Some(Player::Second) => Some("B+R".into()),
            None => self
                .game
                .is_over()
                .then(|| score_text(final_score(&self.game))),
        };
        let facts: Vec<(&str, &str)> = result
            .iter()
            .map(|result: &String| ("RE", result.as_str()))
            .collect();
        record::write(&self.game, &facts)
    }

    /// The board as text, with the last move in brackets.
    fn picture(&self) -> String {
        let size = self.game.rules().size();
        let letters: String = LETTERS[..size.into()]
            .iter()
            .flat_map(|&letter| [' ', char::from(letter)])
            .collect();
        let last = self.game.last_move().and_then(GoMove::point);
        let mut text = format!("\n  {letters}\n");
        for row in (0..size).rev() {
            text += &format!("{:>2}", row + 1);
            for point in (0..size).filter_map(|col| Point::new(col, row)) {
                let stone = match self.game.stones().at(point) {
                    Some(Player::First) => 'X',
                    Some(Player::Second) => 'O',
                    None => '.',
                };
                let mark = if Some(point) == last { '(' } else { ' ' };
                text.push(mark);
                text.push(stone);
            }
            text += &format!(" {}\n", row + 1);
        }
        text += &format!("  {letters}\n");
        for player in Player::BOTH {
            text += &format!(
                "{} has taken {}\n",
                crate::games::go::turn::colour(player),
                self.game.prisoners(player)
            );
        }
        text + &format!(
            "{} to move",
            crate::games::go::turn::colour(self.game.turn())
        )
    }

    /// B and W for owned points, a dot for others, row by row from the top.
    fn territory(&self) -> String {
        let [black, white] = territory(self.game.stones(), self.game.board());
        let size = self.game.rules().size();
        let row = |row: u8| {
            let mark = |point: Point| match () {
                _ if black.contains(point) => "B",
                _ if white.contains(point) => "W",
                _ => "\"\"",
            };
            (0..size)
                .filter_map(|col| Point::new(col, row))
                .map(mark)
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// The most stones of a fixed handicap that the protocol allows.
fn fixed_most(size: u8) -> u8 {
    match size {
        9 => 9,
        7 => 4,
        _ => 0,
    }
}

fn vertices(points: Points) -> String {
    points
        .map(|point| point.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// An argument that must be there.
fn word(words: &[String], place: usize) -> Result<&str, String> {
    words
        .get(place)
        .map(String::as_str)
        .ok_or_else(|| "syntax error".into())
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "syntax error".into())
}

fn colour(text: &str) -> Result<Player, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::First),
        "w" | "white" => Ok(Player::Second),
        _ => Err("syntax error".into()),
    }
}

#[cfg(test)]
mod tests;
