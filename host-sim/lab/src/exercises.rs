//! Exercises as a bank has them, from the files of puzzles and lessons.
//!
//! `dojo_core::bank::exercises` reads what is written here; `docs/bank-format.md` has the layout.

use std::path::Path;

use dojo_core::bank::Kind;
use dojo_core::bank::exercises::{Exercise, Exercises, Goal, KEYS, MAX_RECORD, NONE};
use dojo_core::game::{Game, GameMove};
use dojo_core::record::parse_rules;
use serde::Serialize;

use crate::certify::{Certified, CertifiedModel};
use crate::failure::Failure;
use crate::files;
use crate::games::LabGame;
use crate::lessons;
use crate::puzzles::{self, Puzzle};

/// A record to be written.
#[derive(Clone, Debug)]
pub struct Record<'a, G: Game> {
    /// 1 to 5 for a puzzle, 0 for a step of a lesson.
    pub stars: u8,
    /// What has to be reached, and on which place.
    pub goal: (Goal, Option<G::Move>),
    /// The task in words; may be empty.
    pub task: &'a str,
    /// The moves that lead to the position.
    pub moves: &'a [G::Move],
    /// The rules of the game.
    pub rules: G::Rules,
    /// What follows which move.
    pub cases: Vec<RecordCase<'a>>,
}

/// A case of a record.
#[derive(Clone, Debug)]
pub struct RecordCase<'a> {
    /// Whether it is right.
    pub is_right: bool,
    /// What is said.
    pub text: &'a str,
    /// Numbers of moves or keys, and of the replies.
    pub pairs: Vec<(u16, u16)>,
}

impl<G: Game> Record<'_, G> {
    fn bytes(&self) -> Result<Vec<u8>, String> {
        let rules = self.rules.to_string();
        let length = |what: &str, length: usize| {
            u8::try_from(length).map_err(|_| format!("{length} {what}, expected at most 255"))
        };
        let (goal, place) = self.goal;
        let mut bytes = vec![self.stars, goal as u8];
        bytes.extend(place.map_or(NONE, GameMove::index).to_le_bytes());
        bytes.push(length("letters of rules", rules.len())?);
        bytes.push(length("letters of the task", self.task.len())?);
        bytes.push(length("moves", self.moves.len())?);
        bytes.push(length("cases", self.cases.len())?);
        bytes.extend(rules.bytes());
        bytes.extend(self.task.bytes());
        for mv in self.moves {
            bytes.extend(mv.index().to_le_bytes());
        }
        for case in &self.cases {
            bytes.push(case.is_right.into());
            bytes.push(length("letters", case.text.len())?);
            bytes.push(length("moves of a case", case.pairs.len())?);
            bytes.extend(case.text.bytes());
            for (number, reply) in &case.pairs {
                bytes.extend(number.to_le_bytes());
                bytes.extend(reply.to_le_bytes());
            }
        }
        Ok(bytes)
    }
}

impl<G: Game> Puzzle<G> {
    /// Its record. Replies that do not fit are left out; the one to the best move is first.
    fn record(&self) -> Record<'_, G> {
        let best = self.task.best;
        let reply = |mv: G::Move| {
            let known = self.task.replies.iter().find(|&&(known, _)| known == mv);
            known.map_or(NONE, |(_, reply)| reply.index())
        };
        let others = self.task.replies.iter().filter(|&&(mv, _)| mv != best);
        let pairs = others.map(|(mv, reply)| (mv.index(), reply.index()));
        let used = 64 + self.position.rules().to_string().len() + 2 * self.moves.len();
        let room = (MAX_RECORD.saturating_sub(used) / 4).min(250);
        let wrong = pairs.take(room).chain([(NONE, NONE)]).collect();
        let case = |is_right, pairs| RecordCase {
            is_right,
            text: "",
            pairs,
        };
        Record {
            stars: self.stars() as u8,
            goal: self.task.target.goal(),
            task: "",
            moves: &self.moves,
            rules: self.position.rules(),
            cases: vec![
                case(true, vec![(best.index(), reply(best))]),
                case(false, wrong),
            ],
        }
    }
}

/// The payload of some records.
pub fn payload<G: Game>(records: &[Record<'_, G>]) -> Result<Vec<u8>, String> {
    let mut all = vec![];
    for (number, record) in records.iter().enumerate() {
        let bytes = record.bytes();
        all.push(bytes.map_err(|fault| format!("exercise {}: {fault}", number + 1))?);
    }
    let long = |offset: usize| {
        u16::try_from(offset).map_err(|_| format!("{offset} bytes, expected at most 65535"))
    };
    let mut offset = 2 * (all.len() + 2);
    let mut bytes = long(all.len())?.to_le_bytes().to_vec();
    for record in &all {
        bytes.extend(long(offset)?.to_le_bytes());
        offset += record.len();
    }
    bytes.extend(long(offset)?.to_le_bytes());
    bytes.extend(all.concat());
    verify::<G>(&bytes)?;
    Ok(bytes)
}

/// Checks a payload and that every move and reply in it is legal.
pub fn verify<G: Game>(payload: &[u8]) -> Result<(), String> {
    let exercises = Exercises::new(payload).map_err(|fault| fault.to_string())?;
    for number in 0..exercises.len() {
        let exercise = exercises.get(number);
        let checked = exercise.ok_or("missing".into()).and_then(verify_one::<G>);
        checked.map_err(|fault: String| format!("exercise {}: {fault}", number + 1))?;
    }
    Ok(())
}

fn verify_one<G: Game>(exercise: Exercise<'_>) -> Result<(), String> {
    let play = |game: &G, number: u16| {
        let mv = G::Move::from_index(number).filter(|&mv| game.is_legal(mv));
        mv.map(|mv| game.after(mv))
            .ok_or_else(|| format!("move {number} is not legal"))
    };
    let words = exercise.rules().split_whitespace();
    let rules = parse_rules(words).map_err(|fault| fault.to_string())?;
    let mut game = G::new(rules);
    for number in exercise.moves() {
        game = play(&game, number)?;
    }
    if game.is_over() {
        return Err("the game is over".into());
    }
    for (number, reply) in exercise.cases().flat_map(|case| case.pairs()) {
        let next = if number < KEYS {
            play(&game, number)?
        } else {
            game.clone()
        };
        if reply != NONE {
            play(&next, reply)?;
        }
    }
    Ok(())
}

/// What is proved about the exercises of a game before they are shipped: every move is legal, every
/// text fits. `dojo puzzles check` proves the puzzles themselves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExerciseCertificate {
    /// How many there are.
    pub exercises: usize,
    /// How many have each number of stars, from none to five.
    pub stars: [usize; 6],
}

impl ExerciseCertificate {
    /// Keys and texts for the sidecar of a bank.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let [none, rest @ ..] = self.stars;
        let mut lines = vec![("exercises", format!("{}, every move legal", self.exercises))];
        if none < self.exercises {
            let stars = rest.map(|count| count.to_string()).join(", ");
            lines.push(("stars", format!("{stars} with one to five")));
        }
        lines
    }
}

/// Reads a file of puzzles or of a lesson as the payload of a bank.
pub fn certify<G: LabGame>(kind: Kind, file: &Path) -> Result<CertifiedModel, Failure>
where
    G::Rules: Send + Sync,
{
    let text = files::read_text(file)?;
    let refuse = |(line, fault): (usize, String)| {
        Failure::Check(format!("{}: line {line}: {fault}", file.display()))
    };
    let made = if kind == Kind::Puzzles {
        let puzzles = puzzles::read::<G>(&text).map_err(refuse)?;
        let records: Vec<_> = puzzles.iter().map(Puzzle::record).collect();
        payload(&records)
    } else {
        let lesson = lessons::read::<G>(&text).map_err(refuse)?;
        let records: Vec<_> = lesson.iter().map(lessons::Step::record).collect();
        payload(&records)
    };
    let payload = made.map_err(Failure::Check)?;
    let exercises = Exercises::new(&payload).map_err(Failure::check)?;
    let mut stars = [0; 6];
    let all = (0..exercises.len()).filter_map(|number| exercises.get(number));
    all.for_each(|exercise| stars[usize::from(exercise.stars())] += 1);
    let certificate = ExerciseCertificate {
        exercises: exercises.len(),
        stars,
    };
    let dims = [payload.len() as u16, 0, 0, 0];
    let certificate = Certified::Exercises(certificate);
    Ok(CertifiedModel {
        scale: 1,
        ..CertifiedModel::table(kind, dims, payload, certificate)
    })
}
