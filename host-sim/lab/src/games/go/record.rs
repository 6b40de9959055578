//! The meaning of SGF files: stones, moves and results of Go; and writing a game as SGF.

use dojo_core::game::{Game, Outcome, Player, Rules};
use dojo_core::games::go::{GoMove, Point, Points, Stones};
use dojo_core::games::{Go, GoRules};

use super::sgf::{self, MainLine, Node, Place, Property, SgfError};
use super::turn::{Refusal, colour, played, with_stones, with_turn};

/// A game that was read and replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The position at the end.
    pub end: Go,
    /// How many moves the file has.
    pub moves: usize,
    /// Who won, as the file says; `None` if it does not, or names no winner.
    pub result: Option<Outcome>,
}

/// Replays a game up to the move with this number (all of them if there are fewer); `on_move` sees
/// each position with the move about to be played.
pub fn replay(
    line: &MainLine,
    upto: usize,
    mut on_move: impl FnMut(&Go, GoMove),
) -> Result<Replayed, SgfError> {
    let mut game = Go::new(rules(line)?);
    let mut moves = 0;
    for (number, node) in line.nodes.iter().enumerate() {
        game = setup(game, node, number == 0)?;
        for property in &node.properties {
            let player = match property.name.as_str() {
                "B" => Player::First,
                "W" => Player::Second,
                _ => continue,
            };
            if moves == upto {
                return Ok(Replayed {
                    end: with_turn(&game, player),
                    moves,
                    result: result(line),
                });
            }
            let mv = read_move(property, game.rules().size())?;
            on_move(&with_turn(&game, player), mv);
            let refuse = |why: Refusal| {
                SgfError::new(
                    property.place,
                    format!("move {}, {} {mv}: {why}", moves + 1, colour(player)),
                )
            };
            game = played(&game, player, mv).map_err(refuse)?;
            moves += 1;
        }
    }
    Ok(Replayed {
        end: game,
        moves,
        result: result(line),
    })
}

/// The rules that the first node states.
fn rules(line: &MainLine) -> Result<GoRules, SgfError> {
    let mut rules = GoRules::default();
    let Some(root) = line.nodes.first() else {
        return Ok(rules);
    };
    let stated = |name: &str| {
        root.get(name)
            .map(|property| (property, property.values[0].trim()))
    };
    if let Some((property, value)) = stated("GM").filter(|(_, value)| *value != "1") {
        return Err(SgfError::new(
            property.place,
            format!("GM[{value}]: not a game of Go, which is GM[1]"),
        ));
    }
    let size = match stated("SZ") {
        // Two numbers for boards that are not square.
        Some((_, value)) => value
            .split_once(':')
            .map_or(value, |(a, b)| if a == b { a } else { value }),
        None => "19",
    };
    let place = root.get("SZ").map_or(line.place, |property| property.place);
    rules.set("size", size).map_err(|_| {
        SgfError::new(
            place,
            format!("a board of size {size}: there are 5, 7 and 9 (without SZ it is 19)"),
        )
    })?;
    if let Some((property, value)) = stated("KM").filter(|(_, value)| !value.is_empty()) {
        let value = value.replace(',', ".");
        rules
            .set("komi", &value)
            .map_err(|error| SgfError::new(property.place, format!("KM[{value}]: {error}")))?;
    }
    Ok(rules)
}

/// Applies the set-up properties of a node: adds and removes stones.
fn setup(game: Go, node: &Node, is_root: bool) -> Result<Go, SgfError> {
    let size = game.rules().size();
    let [mut black, mut white] = Player::BOTH.map(|player| game.stones().of(player));
    let mut changed = None;
    for property in &node.properties {
        let set = match property.name.as_str() {
            "AB" | "AW" | "AE" => points(property, size)?,
            _ => continue,
        };
        changed = changed.or(Some(property.place));
        (black, white) = (black.without(set), white.without(set));
        match property.name.as_str() {
            "AB" => black |= set,
            "AW" => white |= set,
            _ => {}
        }
    }
    let named = match node
        .get("PL")
        .map(|property| (property.place, property.values[0].trim()))
    {
        None => None,
        Some((_, "B" | "b" | "black" | "Black" | "1")) => Some(Player::First),
        Some((_, "W" | "w" | "white" | "White" | "2")) => Some(Player::Second),
        Some((place, other)) => {
            return Err(SgfError::new(
                place,
                format!("PL[{other}]: expected B or W"),
            ));
        }
    };
    let Some(place) = changed else {
        return Ok(named.map_or(game, |player| with_turn(&game, player)));
    };
    // With a handicap white moves first.
    let has_handicap = is_root
        && node
            .get("HA")
            .is_some_and(|property| !matches!(property.values[0].trim(), "" | "0"));
    let turn = named.unwrap_or(if has_handicap {
        Player::Second
    } else {
        game.turn()
    });
    with_stones(&game, Stones::new(black, white), turn)
        .ok_or_else(|| SgfError::new(place, "these stones leave a block without a liberty"))
}

/// Reads a point: two letters, column and row, from the upper left corner.
fn point(text: &str, size: u8) -> Option<Point> {
    let &[col, row] = text.as_bytes() else {
        return None;
    };
    let number = |letter: u8| {
        letter
            .to_ascii_lowercase()
            .checked_sub(b'a')
            .filter(|&number| number < size)
    };
    Point::new(number(col)?, size - 1 - number(row)?)
}

/// Reads a move. Nothing is a pass, and so is `tt`, as old programs write it.
fn read_move(property: &Property, size: u8) -> Result<GoMove, SgfError> {
    let text = property.values[0].trim();
    match text {
        "" | "tt" => Ok(GoMove::Pass),
        _ => point(text, size).map(GoMove::Stone).ok_or_else(|| {
            let last = char::from(b'a' + size - 1);
            let what = format!(
                "{}[{text}]: expected two letters from a to {last}, or nothing",
                property.name
            );
            SgfError::new(property.place, what)
        }),
    }
}

/// Reads a list of points; `aa:cc` is a rectangle.
fn points(property: &Property, size: u8) -> Result<Points, SgfError> {
    let mut set = Points::EMPTY;
    for value in property
        .values
        .iter()
        .map(|value| value.trim())
        .filter(|value| !value.is_empty())
    {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (Some(from), Some(to)) = (point(from, size), point(to, size)) else {
            let what = format!(
                "{}[{value}]: not a point of a {size}×{size} board",
                property.name
            );
            return Err(SgfError::new(property.place, what));
        };
        for row in from.row().min(to.row())..=from.row().max(to.row()) {
            for col in from.col().min(to.col())..=from.col().max(to.col()) {
                Point::new(col, row)
                    .into_iter()
                    .for_each(|point| set.insert(point));
            }
        }
    }
    Ok(set)
}

/// The result that a file states: `B+3.5`, `W+R`, `0`, `Draw` …; anything else says nothing.
fn result(line: &MainLine) -> Option<Outcome> {
    let text = line.nodes.first()?.get("RE")?.values[0]
        .trim()
        .to_ascii_uppercase();
    match text.as_bytes() {
        [b'B', b'+', ..] => Some(Outcome::Win(Player::First)),
        [b'W', b'+', ..] => Some(Outcome::Win(Player::Second)),
        b"0" | b"DRAW" | b"JIGO" => Some(Outcome::Draw),
        _ => None,
    }
}

/// A score in half points from black's side, as SGF and GTP write it: `B+3.5`, `W+12`, `0`.
pub fn score_text(half_points: i16) -> String {
    let points = f64::from(half_points.unsigned_abs()) / 2.0;
    match half_points {
        0 => "0".into(),
        1.. => format!("B+{points}"),
        _ => format!("W+{points}"),
    }
}

/// A game as SGF; `facts` are properties of the first node, such as `("PB", "dojo")`.
pub fn write(game: &Go, facts: &[(&str, &str)]) -> String {
    const NOWHERE: Place = Place { line: 1, column: 1 };
    let property = |name: &str, values: Vec<String>| Property {
        name: name.into(),
        values,
        place: NOWHERE,
    };
    let size = game.rules().size();
    let letters = |point: Point| {
        let letter = |number: u8| char::from(b'a' + number);
        format!("{}{}", letter(point.col()), letter(size - 1 - point.row()))
    };
    let (stones, turn) = game.start();
    let komi = f64::from(game.rules().komi()) / 2.0;
    let mut root = Node::default();
    for (name, value) in [
        ("GM", "1"),
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("SZ", &size.to_string()),
        ("KM", &komi.to_string()),
        ("RU", "Chinese"),
    ] {
        root.properties.push(property(name, vec![value.into()]));
    }
    root.properties.extend(
        facts
            .iter()
            .map(|(name, value)| property(name, vec![(*value).into()])),
    );
    for (name, player) in [("AB", Player::First), ("AW", Player::Second)] {
        let points: Vec<_> = stones.of(player).map(letters).collect();
        if !points.is_empty() {
            root.properties.push(property(name, points));
        }
    }
    if !stones.all().is_empty() {
        let handicap = game.rules().handicap();
        if handicap > 0 {
            root.properties
                .push(property("HA", vec![handicap.to_string()]));
        }
        root.properties
            .push(property("PL", vec![colour(turn)[..1].to_uppercase()]));
    }
    let mut nodes = vec![root];
    let mut player = turn;
    for mv in game.moves() {
        let name = &colour(player)[..1].to_uppercase();
        let value = mv.point().map_or(String::new(), letters);
        nodes.push(Node {
            properties: vec![property(name, vec![value])],
        });
        player = !player;
    }
    sgf::write(&nodes) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::players::{Agent, Random};
    use dojo_core::rng::Rng;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Replayed, SgfError> {
        replay(
            &sgf::parse(text.as_bytes()).unwrap()[0],
            usize::MAX,
            |_, _| {},
        )
    }

    fn fault(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn all_recorded_games_are_legal() {
        let games = sgf::parse(include_bytes!("../../../../../data/go9x9/pachi.sgf")).unwrap();
        assert_eq!(games.len(), 719);
        let mut moves = 0;
        for game in &games {
            let replayed = replay(game, usize::MAX, |_, _| {}).unwrap();
            assert!(replayed.result.is_some());
            moves += replayed.moves;
        }
        assert_eq!(moves, 30_670);
    }

    #[test]
    fn stones_and_handicaps_stand_where_the_file_says() {
        let game = read("(;SZ[9]HA[2]KM[0]AB[cg][gc];W[ee])").unwrap();
        assert_eq!(
            game.end.to_string(),
            "........./........./......X../........./....O..../........./..X....../........./......... black after E5 from ........./........./......X../........./........./........./..X....../........./......... white"
        );
        let game = read("(;SZ[5:5]AB[aa:cb]AW[ee]PL[W];AE[aa];B[aa])").unwrap();
        assert_eq!(
            (game.moves, game.end.stones().of(Player::First).len()),
            (1, 6)
        );
        let game = read("(;SZ[9]HA[2];B[cc];B[gg];W[ee];B[tt];W[])").unwrap();
        assert_eq!(
            (game.moves, game.end.stones().all().len()),
            (5, 3),
            "old files place a handicap as moves"
        );
    }

    #[test]
    fn results_and_komi_are_read() {
        let result = |text: &str| read(&format!("(;SZ[9]RE[{text}])")).unwrap().result;
        assert_eq!(result("B+3.5"), Some(Outcome::Win(Player::First)));
        assert_eq!(result("w+resign"), Some(Outcome::Win(Player::Second)));
        assert_eq!(result("Draw"), Some(Outcome::Draw));
        assert_eq!((result("?"), result("Void")), (None, None));
        assert_eq!(read("(;SZ[9]KM[7,50])").unwrap().end.rules().komi(), 15);
        assert_eq!([0, 7, -24].map(score_text), ["0", "B+3.5", "W+12"]);
    }

    #[test]
    fn faults_name_the_move_and_the_place() {
        assert_eq!(
            fault("(;SZ[9];B[aa]\n;W[aa])"),
            "line 2, column 2: move 2, white A9: a stone stands there"
        );
        assert_eq!(
            fault("(;SZ[9];B[jj])"),
            "line 1, column 9: B[jj]: expected two letters from a to i, or nothing"
        );
        assert!(fault("(;B[aa])").contains("size 19"));
        assert!(fault("(;SZ[13])").contains("size 13"));
        assert!(fault("(;GM[2]SZ[9])").contains("not a game of Go"));
        assert!(fault("(;SZ[9]KM[1000])").contains("KM[1000]"));
        assert!(fault("(;SZ[5]AB[ab][ba]AW[aa])").contains("without a liberty"));
        assert!(fault("(;SZ[5]AB[zz])").contains("AB[zz]"));
        assert!(fault("(;SZ[5]PL[x])").contains("PL[x]"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(seed: u64, size in 0usize..3, handicap in 0usize..9, plies in 0usize..60) {
            let rules = GoRules::new(GoRules::SIZES[size]).unwrap().with_handicap(GoRules::HANDICAPS[handicap]).unwrap();
            let mut game = Go::new(rules);
            let mut rng = Rng::new(seed);
            for _ in 0..plies {
                if let Some(mv) = Random.choose(&game, &mut rng) {
                    game.play(mv).unwrap();
                }
            }
            let replayed = read(&write(&game, &[("C", "a]b\\c")])).unwrap();
            prop_assert_eq!(replayed.moves, game.plies());
            prop_assert_eq!(replayed.end.stones(), game.stones());
            prop_assert_eq!(replayed.end.turn(), game.turn());
            prop_assert_eq!(replayed.end.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
        }

        #[test]
        fn whatever_a_file_says_is_replayed_or_refused(
            text in r"\(;SZ\[[579]\](AB\[[a-j]{2}(:[a-j]{2})?\])?(;(B|W|AE|AW|PL)\[([a-i]{2}|tt|)\]){0,40}\)",
        ) {
            let _ = read(&text);
        }
    }
}
