//! Lessons: a few positions of a game, each with a task and reactions to moves, as a text file.
//!
//! ```text
//! step
//! game sticks rows=3,5,7 misere=yes
//! moves 3:3 1:1
//! task Take all but one stick of the last row.
//! right 2:4 > 1:1 | Well done.
//! wrong 2:5 | Now the last stick is yours.
//! wrong any | Try the middle row.
//! ```
//!
//! `game` has the default rules if it is left out. `right` and `wrong` name moves in the notation of
//! the game; `*` in a move stands for any letters, `any` for every move that no line before has
//! named, `win` for the moves that win at once, `again` for those after which the same player moves,
//! and `key:x` for a button. Behind `>` is the reply that is shown, behind `|` what is said.
//! `mark D4` marks a place or block.

use dojo_core::bank::exercises::{Goal, KEYS, NONE};
use dojo_core::game::{Game, GameMove};
use dojo_core::record;

use crate::exercises::{Record, RecordCase};
use crate::games::LabGame;
use crate::puzzles::legal;

/// Most steps of a lesson.
pub const STEPS: usize = 5;
/// Letters in a line, and lines, that the smallest display has for a task or a reaction.
pub const PAGE: (usize, usize) = (20, 4);
/// Buttons that a step can ask for; their place is their number.
pub const BUTTONS: [&str; 8] = ["up", "down", "left", "right", "a", "b", "x", "y"];

/// A step of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<G: Game> {
    /// The moves that lead to the position.
    pub moves: Vec<G::Move>,
    /// The position.
    pub position: G,
    /// The task in words.
    pub task: String,
    /// A place to mark.
    pub mark: Option<G::Move>,
    /// What follows the moves, in the order of the file.
    pub cases: Vec<Case>,
}

/// What follows some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Whether they fulfil the task.
    pub is_right: bool,
    /// What is said.
    pub text: String,
    /// Numbers of moves, [`KEYS`] and a button, or [`NONE`] for any other move; and the reply.
    pub pairs: Vec<(u16, u16)>,
}

impl<G: Game> Step<G> {
    /// Its record in a bank.
    pub(crate) fn record(&self) -> Record<'_, G> {
        let case = |case: &'_ Case| RecordCase {
            is_right: case.is_right,
            text: "",
            pairs: case.pairs.clone(),
        };
        Record {
            stars: 0,
            goal: (Goal::Task, self.mark),
            task: &self.task,
            moves: &self.moves,
            rules: self.position.rules(),
            cases: self
                .cases
                .iter()
                .map(|said| RecordCase {
                    text: &said.text,
                    ..case(said)
                })
                .collect(),
        }
    }
}

/// Lines that a text takes when it is wrapped at blanks.
fn lines(text: &str, width: usize) -> usize {
    let (mut lines, mut used) = (1, 0);
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.len() > width {
            (lines, used) = (lines + 1, 0);
        }
        used += word.len() + usize::from(used > 0);
    }
    lines
}

fn check_text(text: &str) -> Result<(), String> {
    let (width, most) = PAGE;
    let needed = lines(text, width);
    if needed > most {
        return Err(format!(
            "{needed} lines of {width} letters, expected at most {most}: `{text}`"
        ));
    }
    if let Some(word) = text.split(' ').find(|word| word.len() > width) {
        return Err(format!("`{word}` is longer than a line of {width} letters"));
    }
    match text.chars().find(|letter| !(' '..='~').contains(letter)) {
        Some(letter) => Err(format!("`{letter}` is not on every display")),
        None => Ok(()),
    }
}

/// Whether a text is what a pattern with `*` for any letters describes.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            (0..=text.len()).any(|at| text.is_char_boundary(at) && matches(rest, &text[at..]))
        }),
    }
}

/// A line of a lesson: its number, its key and its value.
type Line<'a> = (usize, &'a str, &'a str);

/// Reads a lesson; a fault has its line.
pub fn read<G: LabGame>(text: &str) -> Result<Vec<Step<G>>, (usize, String)>
where
    G::Rules: Send + Sync,
{
    let mut steps: Vec<(usize, Vec<Line<'_>>)> = vec![];
    for (number, line) in text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()))
    {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match (key, steps.last_mut()) {
            ("step", _) => steps.push((number, vec![])),
            (_, Some((_, lines))) => lines.push((number, key, value.trim())),
            (_, None) => return Err((number, "expected `step`".into())),
        }
    }
    if steps.is_empty() || steps.len() > STEPS {
        let found = steps.len();
        return Err((1, format!("{found} steps, expected 1 to {STEPS}")));
    }
    let steps = steps.iter();
    steps.map(|(line, lines)| step::<G>(*line, lines)).collect()
}

fn step<G: LabGame>(first: usize, lines: &[(usize, &str, &str)]) -> Result<Step<G>, (usize, String)>
where
    G::Rules: Send + Sync,
{
    let all = |wanted: &str| {
        let found = lines.iter().filter(|(_, key, _)| *key == wanted);
        found
            .map(|(_, _, value)| *value)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let at = |wanted: &str| {
        let found = lines.iter().find(|(_, key, _)| *key == wanted);
        found.map_or(first, |(line, _, _)| *line)
    };
    let known = ["game", "moves", "task", "mark", "right", "wrong"];
    if let Some((line, key, _)) = lines.iter().find(|(_, key, _)| !known.contains(key)) {
        return Err((*line, format!("unknown key `{key}`")));
    }
    let header = match all("game") {
        named if named.is_empty() => G::NAME.to_owned(),
        named => named,
    };
    let game = format!("game {header}\n{}", all("moves"));
    let mut moves = vec![];
    let replayed = record::replay::<G>(&game, |_, mv| moves.push(mv)).map_err(|error| {
        let key = if error.line == 1 { "game" } else { "moves" };
        (at(key), error.fault.to_string())
    })?;
    let position = replayed.end;
    let task = all("task");
    if task.is_empty() {
        return Err((first, "a step has a `task`".into()));
    }
    check_text(&task).map_err(|fault| (at("task"), fault))?;
    let mark = match all("mark") {
        place if place.is_empty() => None,
        place => {
            let mv = position.parse_move(&place);
            Some(mv.map_err(|error| (at("mark"), format!("`{place}`: {error}")))?)
        }
    };
    let mut step = Step {
        moves,
        position,
        task,
        mark,
        cases: vec![],
    };
    for (line, key, value) in lines {
        if let "right" | "wrong" = *key {
            let case = step.case(*key == "right", value);
            step.cases.push(case.map_err(|fault| (*line, fault))?);
        }
    }
    if !step.cases.iter().any(|case| case.is_right) {
        return Err((first, "a step has something `right`".into()));
    }
    let answered = |mv: G::Move| step.knows(mv.index()) || step.knows(NONE);
    match step.position.legal_moves().find(|&mv| !answered(mv)) {
        Some(mv) if step.asks_for_a_move() => Err((
            first,
            format!("nothing follows the move {mv}: `wrong any | …` is missing"),
        )),
        _ => Ok(step),
    }
}

impl<G: LabGame> Step<G>
where
    G::Rules: Send + Sync,
{
    fn knows(&self, number: u16) -> bool {
        let mut pairs = self.cases.iter().flat_map(|case| &case.pairs);
        pairs.any(|&(known, _)| known == number)
    }

    fn asks_for_a_move(&self) -> bool {
        let right = self.cases.iter().filter(|case| case.is_right);
        right
            .flat_map(|case| &case.pairs)
            .any(|&(mv, _)| mv < KEYS || mv == NONE)
    }

    fn case(&self, is_right: bool, line: &str) -> Result<Case, String> {
        let (moves, text) = line
            .split_once('|')
            .ok_or("expected `MOVES > REPLY | what is said`")?;
        let text = text.trim();
        check_text(text)?;
        if text.is_empty() {
            return Err("nothing is said about these moves".into());
        }
        let (moves, reply) = match moves.split_once('>') {
            Some((moves, reply)) => (moves, Some(reply.trim())),
            None => (moves, None),
        };
        let mut pairs = vec![];
        for word in moves.split_whitespace() {
            let found = self.numbers(word)?;
            if found.is_empty() {
                return Err(format!("no legal move is `{word}`"));
            }
            for number in found {
                if self.knows(number) || pairs.iter().any(|&(known, _)| known == number) {
                    continue;
                }
                let reply = match reply {
                    None => NONE,
                    Some(text) => self.reply(number, text)?,
                };
                pairs.push((number, reply));
            }
        }
        if pairs.is_empty() {
            return Err("lines before have named all of these moves".into());
        }
        Ok(Case {
            is_right,
            text: text.to_owned(),
            pairs,
        })
    }

    /// The numbers of the moves or the key that a word names.
    fn numbers(&self, word: &str) -> Result<Vec<u16>, String> {
        let position = &self.position;
        let those = |wanted: &dyn Fn(&G) -> bool| {
            let moves = position.legal_moves();
            let wanted = moves.filter(|&mv| wanted(&position.after(mv)));
            wanted.map(GameMove::index).collect()
        };
        let mover = position.turn();
        Ok(match word {
            "any" => vec![NONE],
            "win" => those(&|next| next.outcome().is_some_and(|end| end.value_for(mover) > 0)),
            "again" => those(&|next| !next.is_over() && next.turn() == mover),
            _ => match word.strip_prefix("key:") {
                Some(name) => {
                    let button = BUTTONS.iter().position(|known| *known == name);
                    let button = button.ok_or_else(|| format!("there is no button `{name}`"))?;
                    vec![KEYS + button as u16]
                }
                None if word.contains('*') => {
                    let moves = position.legal_moves();
                    let fits = moves.filter(|mv| matches(word, &mv.to_string()));
                    fits.map(GameMove::index).collect()
                }
                None => vec![legal(word, position)?.index()],
            },
        })
    }

    /// The reply to a move; with a key it is the move that is shown.
    fn reply(&self, number: u16, text: &str) -> Result<u16, String> {
        let position = match G::Move::from_index(number).filter(|_| number < KEYS) {
            Some(mv) => self.position.after(mv),
            None => self.position.clone(),
        };
        Ok(legal(text, &position)?.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::{Dots, Sticks, TicTacToe};

    const STEP: &str = "# A lesson\nstep\nmoves 3:3 1:1\ntask Take two from the last row.\n\
        right 3:2 > 1:1 | Yes.\nwrong 2:* | Not there.\nwrong any | Look again.\n";

    #[test]
    fn a_step_knows_what_follows_every_move() {
        let lesson = read::<Sticks>(STEP).unwrap();
        let [step] = &lesson[..] else {
            panic!("{lesson:?}")
        };
        assert_eq!(step.cases.len(), 3);
        assert_eq!(step.cases[1].pairs.len(), 5, "row 2 has five sticks");
        assert_eq!(step.cases[2].pairs, [(NONE, NONE)]);
        let reply = step
            .position
            .after(Sticks::parse_move(&step.position, "3:2").unwrap());
        let reply = reply.parse_move("1:1").unwrap().index();
        assert_eq!(step.cases[0].pairs[0].1, reply);
    }

    #[test]
    fn goals_stand_for_moves() {
        let text = "step\nmoves a1 a2 b1 b2\ntask Win.\nright win | Three!\nwrong any | No.\n";
        let lesson = read::<TicTacToe>(text).unwrap();
        assert_eq!(lesson[0].cases[0].pairs.len(), 1);
        let text =
            "step\nmoves h00 v00 v01\ntask Close it.\nright again | Yours.\nwrong any | No.\n";
        let lesson = read::<Dots>(text).unwrap();
        assert_eq!(lesson[0].cases[0].pairs.len(), 1, "one edge closes the box");
    }

    #[test]
    fn faults_have_their_line() {
        for (old, new, line, message) in [
            ("step\n", "steps\n", 2, "expected `step`"),
            ("moves", "move", 3, "unknown key `move`"),
            ("1:1\n", "1:9\n", 3, "move `1:9`"),
            (
                "task Take two from the last row.\n",
                "",
                2,
                "a step has a `task`",
            ),
            ("Take two", "Tåke two", 4, "`å` is not on every display"),
            (
                "Yes.",
                "Yes, and so on and on, until nobody can read it any more at all.",
                5,
                "",
            ),
            ("> 1:1", "> 1:9", 5, "move `1:9`"),
            ("| Yes.", "", 5, "expected `MOVES"),
            ("2:*", "9:*", 6, "no legal move is `9:*`"),
            (
                "wrong any | Look again.\n",
                "",
                2,
                "nothing follows the move 1:1",
            ),
            ("right", "wrong", 2, "a step has something `right`"),
        ] {
            assert!(STEP.contains(old), "{old}");
            let (found, fault) = match read::<Sticks>(&STEP.replacen(old, new, 1)) {
                Err(fault) => fault,
                Ok(_) if message.is_empty() => continue,
                Ok(lesson) => panic!("{new}: {lesson:?}"),
            };
            assert_eq!(found, line, "{new}: {fault}");
            assert!(fault.starts_with(message), "{new}: {fault}");
        }
        let six = STEP.repeat(6);
        assert!(read::<Sticks>(&six).unwrap_err().1.starts_with("6 steps"));
        let long = STEP.replace("Yes.", &"word ".repeat(30));
        assert!(read::<Sticks>(&long).unwrap_err().1.contains("lines of"));
    }
}
