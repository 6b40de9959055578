//! Games of other programs: SGF files, read for review.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::go::{GoMove, Point};
use dojo_core::games::{Go, GoRules};

/// The properties of the main line of an SGF file: name and values.
fn properties(text: &str) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut name = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // The main line takes the first branch everywhere: it ends where that ends.
            ')' => break,
            '[' => {
                let mut value = String::new();
                while let Some(letter) = letters.next() {
                    match letter {
                        ']' => break,
                        '\\' => value.extend(letters.next()),
                        other => value.push(other),
                    }
                }
                if !name.is_empty() {
                    all.push((core::mem::take(&mut name), Vec::new()));
                }
                if let Some((_, values)) = all.last_mut() {
                    values.push(value);
                }
            }
            letter if letter.is_ascii_uppercase() => name.push(letter),
            _ => {}
        }
    }
    all
}

/// The rules and moves of the first game in an SGF file, along its main line.
pub(super) fn read(text: &str) -> Result<(GoRules, Vec<u16>), String> {
    let line = properties(text);
    let value = |wanted: &str| {
        let found = line.iter().find(|(name, _)| name == wanted);
        found
            .and_then(|(_, values)| values.first())
            .map(|value| value.trim())
    };
    if value("GM").is_some_and(|game| game != "1") {
        return Err("an SGF file of another game than Go".into());
    }
    let size = value("SZ").unwrap_or("19");
    let rules = size.parse().ok().and_then(GoRules::new);
    let mut rules = rules.ok_or(format!("a board of {size}; 5, 7 and 9 are known"))?;
    if let Some(komi) = value("KM").filter(|komi| !komi.is_empty()) {
        let halves = half_points(komi).and_then(|halves| rules.with_komi(halves));
        rules = halves.ok_or(format!("a komi of {komi} is not known"))?;
    }
    if let Some(stones) = value("HA").filter(|&stones| stones != "0") {
        let placed = stones
            .parse()
            .ok()
            .and_then(|count| rules.with_handicap(count));
        rules = placed.ok_or(format!("a handicap of {stones} is not known"))?;
    }
    let has_setup = |name: &str| value(name).is_some();
    if has_setup("AW") || has_setup("AE") || (has_setup("AB") && rules.handicap() == 0) {
        return Err("stones that are set up are not known, only a handicap".into());
    }
    let mut go = Go::new(rules);
    let mut moves = Vec::new();
    for (name, values) in line.iter().filter(|(name, _)| name == "B" || name == "W") {
        let number = moves.len() + 1;
        let mover = if name == "B" {
            Player::First
        } else {
            Player::Second
        };
        if mover != go.turn() {
            return Err(format!("move {number} is out of turn"));
        }
        let text = values.first().map_or("", |value| value.trim());
        let mv = read_move(text, rules.size()).ok_or(format!("move {number}: `{text}`"))?;
        if go.is_over() || go.play(mv).is_err() {
            return Err(format!("move {number} is illegal"));
        }
        moves.push(mv.index());
    }
    Ok((rules, moves))
}

/// `5.5` as 11 half points.
fn half_points(text: &str) -> Option<i16> {
    let (whole, rest) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let half = match rest.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return None,
    };
    whole.parse::<i16>().ok()?.checked_mul(2)?.checked_add(half)
}

fn read_move(text: &str, size: u8) -> Option<GoMove> {
    let mut letters = text.bytes().map(|letter| letter.wrapping_sub(b'a'));
    match (letters.next(), letters.next(), letters.next()) {
        (None, ..) => Some(GoMove::Pass),
        // Programs of old write a pass as tt.
        (Some(19), Some(19), None) => Some(GoMove::Pass),
        (Some(col), Some(row), None) if col < size && row < size => {
            Point::new(col, size - 1 - row).map(GoMove::Stone)
        }
        _ => None,
    }
}
