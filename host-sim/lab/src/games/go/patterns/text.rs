//! Rule files: one rule a line, as number, positives, negatives and conditions, separated by tabs; a weight may follow.
//!
//! Conditions are separated by blanks and all have to hold under one symmetry:
//! `at(dx,dy)=me|foe|any|same colour as at(dx,dy)|the same block`, `adjacent=me|foe`, `captures`, `atari`, `direct`,
//! `indirect`, `libs=N` or `libs=N..M` and `stones=N` or `stones=N..M` of the block named last, `ver(d)`, `hor(d)`,
//! `stage=open|start|mid|end`. Lines that start with `#` are comments; `# reading: NAME` names the reading of symmetries.

use std::fmt;

use dojo_core::games::go::clauses::{
    BlockPlace, BlockTest, Clause, Colour, CountRange, MAX_BLOCKS, REACH, Stage,
};

use super::Rule;
use super::examples::Reading;

/// What is wrong with a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFault {
    /// Line, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub fault: String,
}

impl fmt::Display for RuleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for RuleFault {}

/// Rules and the reading that they were induced under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleFile {
    /// How symmetries are read.
    pub reading: Reading,
    /// The rules, in order.
    pub rules: Vec<Rule>,
}

impl RuleFile {
    /// Reads a rule file.
    pub fn parse(text: &str) -> Result<RuleFile, RuleFault> {
        let mut file = RuleFile::default();
        let mut lines = 0;
        for (number, line) in text.lines().enumerate() {
            lines = number + 1;
            let fault = |fault: String| RuleFault { line: lines, fault };
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(name) = comment.trim().strip_prefix("reading:") {
                    file.reading = reading(name.trim()).map_err(fault)?;
                }
            } else if !line.trim().is_empty() {
                file.rules.push(rule(line).map_err(fault)?);
            }
        }
        if file.rules.is_empty() {
            return Err(RuleFault {
                line: lines + 1,
                fault: format!("the file ends without a rule, expected {FIELDS}"),
            });
        }
        Ok(file)
    }
}

impl fmt::Display for RuleFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# reading: {}", self.reading.name())?;
        for rule in &self.rules {
            let Rule {
                number,
                clause,
                positives,
                negatives,
                weight,
            } = rule;
            let conditions = conditions(clause);
            write!(f, "{number}\t{positives}\t{negatives}\t{conditions}")?;
            if *weight != Rule::new(*number, clause.clone(), *positives, *negatives).weight {
                write!(f, "\t{weight}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A reading by its name.
pub fn reading(name: &str) -> Result<Reading, String> {
    Reading::ALL
        .into_iter()
        .find(|reading| reading.name() == name)
        .ok_or_else(|| format!("reading '{name}': expected about-the-point or as-listed"))
}

/// What a line has.
const FIELDS: &str =
    "number, positives, negatives, conditions and perhaps a weight, separated by tabs";

fn rule(line: &str) -> Result<Rule, String> {
    let fields: Vec<_> = line.split('\t').collect();
    let (counts, conditions, weight) = match fields[..] {
        [number, positives, negatives, conditions] => {
            ([number, positives, negatives], conditions, None)
        }
        [number, positives, negatives, conditions, weight] => {
            ([number, positives, negatives], conditions, Some(weight))
        }
        _ => {
            return Err(format!("{} fields, expected {FIELDS}", fields.len()));
        }
    };
    let count = |text: &str| {
        let text = text.trim();
        text.parse::<u32>()
            .map_err(|_| format!("'{text}': expected a whole number"))
    };
    let [number, positives, negatives] = [count(counts[0])?, count(counts[1])?, count(counts[2])?];
    let mut rule = Rule::new(number, clause(conditions)?, positives, negatives);
    if let Some(weight) = weight {
        let weight = weight.trim();
        rule.weight = weight
            .parse()
            .map_err(|_| format!("weight '{weight}': expected -32768 to 32767"))?;
    }
    Ok(rule)
}

/// The conditions of a clause in words of the file.
pub fn conditions(clause: &Clause) -> String {
    let mut words = vec![];
    let mut shared = None;
    for test in &clause.blocks {
        for (number, &place) in test.places.iter().enumerate() {
            words.push(match (place, number, test.colour) {
                (place, 1.., _) => format!("{}=the same block", name(place)),
                // The colour that the relation implies is not written.
                (BlockPlace::Captures | BlockPlace::Atari, _, Colour::Foe)
                | (BlockPlace::Direct | BlockPlace::Indirect, _, Colour::Me) => name(place),
                (place, _, Colour::Me) => format!("{}=me", name(place)),
                (place, _, Colour::Foe) => format!("{}=foe", name(place)),
                (place, _, Colour::Shared) => match shared {
                    None => {
                        shared = Some(place);
                        format!("{}=any", name(place))
                    }
                    Some(other) => format!("{}=same colour as {}", name(place), name(other)),
                },
            });
        }
        for (what, bounds) in [("libs", test.liberties), ("stones", test.stones)] {
            match bounds {
                CountRange::ANY => {}
                CountRange { low, high } if low == high => words.push(format!("{what}={low}")),
                CountRange { low, high } => words.push(format!("{what}={low}..{high}")),
            }
        }
    }
    words.extend(clause.vertical.map(|d| format!("ver({d})")));
    words.extend(clause.horizontal.map(|d| format!("hor({d})")));
    words.extend(clause.stage.map(|stage| format!("stage={}", stage.name())));
    words.join(" ")
}

fn name(place: BlockPlace) -> String {
    match place {
        BlockPlace::At(dx, dy) => format!("at({dx},{dy})"),
        BlockPlace::Adjacent => "adjacent".into(),
        BlockPlace::Captures => "captures".into(),
        BlockPlace::Atari => "atari".into(),
        BlockPlace::Direct => "direct".into(),
        BlockPlace::Indirect => "indirect".into(),
    }
}

/// Reads conditions.
pub fn clause(text: &str) -> Result<Clause, String> {
    let mut clause = Clause::default();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let after = condition(rest, &mut clause)?;
        if !after.is_empty() && !after.starts_with(' ') {
            let read = &rest[..rest.len() - after.len()];
            return Err(format!("'{after}' after '{read}': expected a blank"));
        }
        rest = after.trim_start();
    }
    if clause == Clause::default() {
        return Err("no conditions, expected at least one".into());
    }
    let shared = clause
        .blocks
        .iter()
        .filter(|test| test.colour == Colour::Shared);
    if shared.count() == 1 {
        return Err("a block of any colour needs a second one of the same colour".into());
    }
    Ok(clause)
}

/// Reads one condition and returns what follows it.
fn condition<'t>(text: &'t str, clause: &mut Clause) -> Result<&'t str, String> {
    let end = text.find(' ').unwrap_or(text.len());
    let word = &text[..end];
    let expected = |what: &str| format!("'{word}': expected {what}");
    if let Some(rest) = text.strip_prefix("ver(") {
        let (d, rest) = distance(rest, word)?;
        once(clause.vertical.replace(d), word)?;
        return Ok(rest);
    }
    if let Some(rest) = text.strip_prefix("hor(") {
        let (d, rest) = distance(rest, word)?;
        once(clause.horizontal.replace(d), word)?;
        return Ok(rest);
    }
    if let Some(stage) = word.strip_prefix("stage=") {
        let found = Stage::ALL.into_iter().find(|known| known.name() == stage);
        let found = found.ok_or_else(|| expected("stage=open, start, mid or end"))?;
        once(clause.stage.replace(found), word)?;
        return Ok(&text[end..]);
    }
    for (prefix, is_liberties) in [("libs=", true), ("stones=", false)] {
        if let Some(count) = word.strip_prefix(prefix) {
            let bounds = bounds(count).ok_or_else(|| expected("a count such as 4 or 2..4"))?;
            let test = clause
                .blocks
                .last_mut()
                .ok_or_else(|| expected("a block before its counts"))?;
            let counted = if is_liberties {
                &mut test.liberties
            } else {
                &mut test.stones
            };
            let before = core::mem::replace(counted, bounds);
            once((before != CountRange::ANY).then_some(before), word)?;
            return Ok(&text[end..]);
        }
    }
    let (place, rest) = place(text)
        .ok_or_else(|| expected("at(dx,dy), adjacent, captures, atari, direct, indirect, libs, stones, ver, hor or stage"))?;
    let add = |clause: &mut Clause, test: BlockTest| {
        clause
            .blocks
            .push(test)
            .map_err(|_| expected(&format!("at most {MAX_BLOCKS} blocks in one rule")))
    };
    match place {
        BlockPlace::Captures | BlockPlace::Atari if !rest.starts_with('=') => {
            add(clause, BlockTest::new(place, Colour::Foe))?;
            return Ok(rest);
        }
        BlockPlace::Direct | BlockPlace::Indirect if !rest.starts_with('=') => {
            add(clause, BlockTest::new(place, Colour::Me))?;
            return Ok(rest);
        }
        _ => {}
    }
    let value = rest
        .strip_prefix('=')
        .ok_or_else(|| expected("= and a colour after the place"))?;
    if let Some(rest) = value.strip_prefix("the same block") {
        let test = clause
            .blocks
            .last_mut()
            .ok_or_else(|| expected("a block before"))?;
        test.places
            .push(place)
            .map_err(|_| expected("fewer places of one block"))?;
        return Ok(rest);
    }
    if let Some(other) = value.strip_prefix("same colour as ") {
        let (other, rest) =
            self::place(other).ok_or_else(|| expected("same colour as at(dx,dy)"))?;
        let is_other =
            |test: &BlockTest| test.colour == Colour::Shared && test.places.first() == Some(&other);
        if !clause.blocks.iter().any(is_other) {
            return Err(expected(&format!("{}=any before", name(other))));
        }
        add(clause, BlockTest::new(place, Colour::Shared))?;
        return Ok(rest);
    }
    let end = value.find(' ').unwrap_or(value.len());
    let colour = match &value[..end] {
        "me" => Colour::Me,
        "foe" => Colour::Foe,
        "any" => Colour::Shared,
        _ => {
            return Err(expected(
                "me, foe, any, the same block or same colour as at(dx,dy)",
            ));
        }
    };
    add(clause, BlockTest::new(place, colour))?;
    Ok(&value[end..])
}

/// Refuses a condition whose place was taken.
fn once<T>(before: Option<T>, word: &str) -> Result<(), String> {
    match before {
        Some(_) => Err(format!("'{word}': expected it once in a rule")),
        None => Ok(()),
    }
}

fn distance<'t>(text: &'t str, word: &str) -> Result<(i8, &'t str), String> {
    text.split_once(')')
        .and_then(|(d, rest)| Some((d.parse().ok()?, rest)))
        .filter(|(d, _)| (-4..=5).contains(d) && *d != 0)
        .ok_or_else(|| format!("'{word}': expected a distance from -4 to -1 or 1 to 5"))
}

fn bounds(text: &str) -> Option<CountRange> {
    let bounds = match text.split_once("..") {
        Some((low, high)) => CountRange {
            low: low.parse().ok()?,
            high: high.parse().ok()?,
        },
        None => CountRange::exactly(text.parse().ok()?),
    };
    (bounds.low <= bounds.high).then_some(bounds)
}

fn place(text: &str) -> Option<(BlockPlace, &str)> {
    if let Some(rest) = text.strip_prefix("at(") {
        let (inside, rest) = rest.split_once(')')?;
        let (dx, dy) = inside.split_once(',')?;
        let (dx, dy) = (dx.parse().ok()?, dy.parse().ok()?);
        let near = |d: i8| (-REACH..=REACH).contains(&d);
        return (near(dx) && near(dy) && (dx, dy) != (0, 0))
            .then_some((BlockPlace::At(dx, dy), rest));
    }
    BlockPlace::RELATIONS
        .into_iter()
        .find_map(|place| Some((place, text.strip_prefix(name(place).as_str())?)))
}

/// A clause as a logic program would write it.
pub fn logic(clause: &Clause) -> String {
    let mut body = vec![];
    if clause.is_positional() {
        body.push("pos_gen(P)".to_string());
    }
    body.extend(
        clause
            .stage
            .map(|stage| format!("stage(B,{})", stage.name())),
    );
    body.extend(clause.vertical.map(|d| format!("edge_ver(X,Y,{d},P)")));
    body.extend(clause.horizontal.map(|d| format!("edge_hor(X,Y,{d},P)")));
    if clause.blocks.iter().any(|test| test.colour == Colour::Foe) {
        body.push("opposite(C,D)".into());
    }
    for (number, test) in clause.blocks.iter().enumerate() {
        let block = format!("K{}", number + 1);
        for place in &test.places {
            body.push(match place {
                BlockPlace::At(dx, dy) => format!("block_on_pos(B,X,Y,{block},{dx},{dy},P)"),
                BlockPlace::Adjacent => format!("board(B,E,X,Y), liberty(B,{block},E)"),
                BlockPlace::Captures => format!("captures(B,{block},X,Y,C)"),
                BlockPlace::Atari => format!("atari(B,{block},X,Y,C)"),
                BlockPlace::Direct => format!("connects_direct(B,{block},X,Y,C)"),
                BlockPlace::Indirect => format!("connects_indirect(B,{block},X,Y,C)"),
            });
        }
        let colour = match test.colour {
            Colour::Me => 'C',
            Colour::Foe => 'D',
            Colour::Shared => 'S',
        };
        body.push(format!("block_color(B,{block},{colour})"));
        for (predicate, variable, bounds) in [
            ("liberty_cnt", 'L', test.liberties),
            ("stone_cnt", 'N', test.stones),
        ] {
            match bounds {
                CountRange::ANY => {}
                CountRange { low, high } if low == high => {
                    body.push(format!("{predicate}(B,{block},{low})"));
                }
                CountRange { low, high } => body.push(format!(
                    "{predicate}(B,{block},{variable}{number}), range({variable}{number},{low},{high})",
                    number = number + 1
                )),
            }
        }
    }
    format!("move(B,C,X,Y) :- {}.", body.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::PUBLISHED;
    use super::*;

    #[test]
    fn the_published_rules_are_read_and_written_again() {
        let file = RuleFile::parse(PUBLISHED).unwrap();
        assert_eq!(file.rules.len(), 30);
        let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
        for (rule, line) in file.rules.iter().zip(lines) {
            let text = line.split('\t').nth(3).unwrap();
            assert_eq!(conditions(&rule.clause), text);
        }
        assert_eq!(RuleFile::parse(&file.to_string()), Ok(file));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, line, expected) in [
            ("", 1, "without a rule, expected number"),
            ("# a comment\n\n", 3, "without a rule, expected number"),
            ("1\t2\t3", 1, "3 fields, expected number"),
            ("1 2 3 captures", 1, "1 fields, expected number"),
            ("1\t2\t3\tcaptures\t4\t5", 1, "6 fields, expected"),
            ("# x\n1\t2\tx\tcaptures", 2, "'x': expected a whole"),
            ("1\t-2\t3\tcaptures", 1, "'-2': expected a whole"),
            ("1\t2\t5000000000\tatari", 1, "expected a whole"),
            ("1\t2\t3\tat(5,0)=me", 1, "'at(5,0)=me': expected at("),
            ("1\t2\t3\tat(0,0)=me", 1, "'at(0,0)=me': expected at("),
            ("1\t2\t3\tat(1)=me", 1, "'at(1)=me': expected at("),
            ("1\t2\t3\tat(1,0)=blue", 1, "expected me, foe"),
            ("1\t2\t3\tat(1,0)", 1, "expected = and a colour"),
            ("1\t2\t3\tladder", 1, "'ladder': expected at("),
            ("1\t2\t3\tlibs=3", 1, "expected a block before"),
            ("1\t2\t3\tver(0)", 1, "expected a distance"),
            ("1\t2\t3\thor(-5)", 1, "expected a distance"),
            ("1\t2\t3\tver(2", 1, "expected a distance"),
            ("1\t2\t3\tver(2)hor(3)", 1, "expected a blank"),
            ("1\t2\t3\tver(2) ver(3)", 1, "'ver(3)': expected it once"),
            ("1\t2\t3\tstage=late", 1, "expected stage=open"),
            (
                "1\t2\t3\tstage=mid stage=mid atari",
                1,
                "'stage=mid': expected it once",
            ),
            ("1\t2\t3\tat(1,0)=any", 1, "needs a second one"),
            (
                "1\t2\t3\tat(1,0)=any at(0,1)=same colour as at(2,2)",
                1,
                "expected at(2,2)=any before",
            ),
            ("1\t2\t3\tcaptures libs=4..2", 1, "a count such as"),
            ("1\t2\t3\tcaptures libs=300", 1, "a count such as"),
            (
                "1\t2\t3\tatari libs=2 libs=3",
                1,
                "'libs=3': expected it once",
            ),
            (
                "1\t2\t3\tcaptures atari direct indirect",
                1,
                "'indirect': expected at most 3 blocks",
            ),
            (
                "1\t2\t3\tat(1,0)=me at(2,0)=the same block at(3,0)=the same block at(4,0)=the same block",
                1,
                "expected fewer places of one block",
            ),
            ("1\t2\t3\t", 1, "no conditions, expected"),
            (
                "1\t2\t3\tcaptures\n# reading: mirrored",
                2,
                "reading 'mirrored': expected",
            ),
            ("1\t2\t3\tcaptures\t99999", 1, "weight '99999': expected"),
        ] {
            let fault = RuleFile::parse(text).unwrap_err();
            assert_eq!(fault.line, line, "{text}: {fault}");
            let words = fault.to_string();
            assert!(
                words.starts_with(&format!("line {line}: ")) && words.contains(expected),
                "{words}"
            );
        }
    }
}
