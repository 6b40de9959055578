//! Records of iwoki: written records replay, and every fault is reported with its line and rule.

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::iwoki::record::{IwokiFault, replay};
use dojo_core::games::iwoki::tiles::{HexShape, SmallShape, WILD};
use dojo_core::games::iwoki::{Action, Form, SmallGapName, board};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::record::Recorded;
use dojo_core::rng::Rng;

/// A random game: the position after every move, and the moves.
fn game(deal: u64) -> (Vec<Iwoki>, Vec<u16>) {
    let mut rng = Rng::new(deal);
    let mut game = Iwoki::new(IwokiRules {
        form: Form::Normal,
        deal,
    });
    let (mut positions, mut moves) = (vec![game], vec![]);
    while let Some(mv) = rng.pick(game.legal_moves()) {
        game.play(mv).unwrap();
        positions.push(game);
        moves.push(mv.index());
    }
    (positions, moves)
}

fn text(deal: u64, first: Player, moves: &[u16]) -> String {
    let mut text = String::new();
    Iwoki::write_record(
        &mut text,
        IwokiRules {
            form: Form::Normal,
            deal,
        },
        first,
        moves.iter().copied(),
    )
    .unwrap();
    text
}

/// The record of the first moves of a game, with a line added.
fn with_line(deal: u64, moves: &[u16], line: &str) -> String {
    text(deal, Player::First, moves) + line + "\n"
}

/// Searches many games for a position in which `line` can construct a record line.
fn find(make: impl Fn(&Iwoki, &str) -> Option<String>) -> (String, usize) {
    for deal in 0..300 {
        let (positions, moves) = game(deal);
        for (plies, position) in positions
            .iter()
            .enumerate()
            .filter(|(_, position)| !position.is_over())
        {
            let letter = ["A", "B"][position.turn().index()];
            if let Some(line) = make(position, letter) {
                let record = with_line(deal, &moves[..plies], &line);
                let last = record.lines().count();
                return (record, last);
            }
        }
    }
    panic!("no such position");
}

/// Asserts that the last line is refused with this message.
fn refused((record, line): (String, usize), words: &str) {
    let error = replay(&record).unwrap_err();
    assert_eq!(error.line, line, "{error}\n{record}");
    assert!(error.to_string().contains(words), "{error}");
}

fn small_shapes() -> impl Iterator<Item = SmallShape> {
    (0..12).flat_map(|kind| (0..6).filter_map(move |way| SmallShape::new(kind, way)))
}

fn held_small(game: &Iwoki) -> impl Iterator<Item = SmallShape> {
    let hand = *game.hand(game.turn());
    small_shapes().filter(move |shape| hand.count(shape.kind()) > 0)
}

/// A line that lays a small tile of a kind by one of its names that the player holds.
fn lay(record: &str, letter: &str, gap: usize, shape: SmallShape) -> Option<String> {
    // Which of the four names the player holds is known from the record alone: try them.
    (0..4)
        .map(|copy| shape.kind() + 12 * copy + 1)
        .find_map(|tile| {
            let line = format!("{letter} place sp{tile} {shape} {}", SmallGapName(gap));
            let longer = format!("{record}{line}\n");
            let held =
                !replay(&longer).is_err_and(|error| matches!(error.fault, IwokiFault::NotHeld(_)));
            held.then_some(line)
        })
}

#[test]
fn whole_games_are_written_and_read_back() {
    for deal in 0..60 {
        let (positions, moves) = game(deal);
        for first in Player::BOTH {
            let record = text(deal, first, &moves);
            let replayed = replay(&record).unwrap_or_else(|error| panic!("{error}\n{record}"));
            let end = positions.last().unwrap();
            assert_eq!(replayed.moves, moves.len());
            assert!(replayed.end.is_over());
            for player in Player::BOTH {
                assert_eq!(replayed.end.hand(player), end.hand(player));
            }
            let letters = if first == Player::First {
                "first A"
            } else {
                "first B"
            };
            assert!(
                record.contains(letters) && record.contains("\nend A "),
                "{record}"
            );
        }
        // Every prefix of a game is a record, too.
        let half = text(deal, Player::First, &moves[..moves.len() / 2]);
        assert!(!replay(&half).unwrap().end.is_over());
    }
}

#[test]
fn a_tile_that_cannot_show_the_order_is_refused() {
    refused(
        find(|_, letter| Some(format!("{letter} place sp1 222- H1_H4_H5"))),
        "wrong tile: sp1 cannot show 222-",
    );
    refused(
        find(|_, letter| Some(format!("{letter} place hp1 123456 H1"))),
        "wrong tile: hp1 cannot show 123456",
    );
    refused(
        find(|_, letter| Some(format!("{letter} place sp49 123+ H1_H4_H5"))),
        "`sp49` is no tile",
    );
    refused(
        find(|_, letter| Some(format!("{letter} place sp1 123+ H1"))),
        "`H1` is no gap for this tile",
    );
}

#[test]
fn a_tile_that_is_not_held_is_refused() {
    let line = |game: &Iwoki, letter: &str| {
        let kind = (0..12).find(|&kind| game.hand(game.turn()).count(kind) == 0)?;
        let shape = SmallShape::new(kind, 0)?;
        Some(format!("{letter} place sp{} {shape} H1_H4_H5", kind + 1))
    };
    refused(find(line), "does not hold sp");
    let line = |game: &Iwoki, letter: &str| {
        let tile = (0..20).find(|&tile| !game.hand(game.turn()).has_hex(tile))?;
        Some(format!(
            "{letter} place hp{} {} H1",
            tile + 1,
            HexShape::new(tile, 0)?
        ))
    };
    refused(find(line), "does not hold hp");
}

#[test]
fn numbers_that_disagree_are_refused() {
    let mut seen = 0;
    'games: for deal in 0..50 {
        let (positions, moves) = game(deal);
        for (plies, position) in positions
            .iter()
            .enumerate()
            .skip(2)
            .filter(|(_, position)| !position.is_over())
        {
            let record = text(deal, Player::First, &moves[..plies]);
            let letter = ["A", "B"][position.turn().index()];
            for shape in held_small(position) {
                for gap in (0..84).filter(|&gap| position.small_on(gap).is_none()) {
                    let shown = board::corners(gap).map(|corner| {
                        Some(
                            position.hex_on(corner.hex.into())?.values()
                                [usize::from(corner.vertex)],
                        )
                    });
                    let differs = |(shown, laid): (Option<u8>, &u8)| {
                        shown.is_some_and(|v| v != WILD && v != *laid)
                    };
                    if !shown.into_iter().zip(shape.results()).any(differs) {
                        continue;
                    }
                    let line = lay(&record, letter, gap, shape).unwrap();
                    let last = record.lines().count() + 1;
                    refused((format!("{record}{line}\n"), last), "rule 3: vertex ");
                    seen += 1;
                    continue 'games;
                }
            }
        }
    }
    assert!(seen > 10);
}

#[test]
fn agreement_by_wildcard_alone_is_refused() {
    // A small tile next to nothing but a wildcard.
    let mut seen = 0;
    'games: for deal in 0..300 {
        let (positions, moves) = game(deal);
        for (plies, position) in positions
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, position)| !position.is_over())
        {
            let wild = (0..84)
                .filter(|&gap| position.small_on(gap).is_none())
                .find(|&gap| {
                    let mut shown = board::corners(gap).iter().filter_map(|corner| {
                        Some(
                            position.hex_on(corner.hex.into())?.values()
                                [usize::from(corner.vertex)],
                        )
                    });
                    shown.next() == Some(WILD) && shown.all(|value| value == WILD)
                });
            let (Some(gap), Some(shape)) = (wild, held_small(position).next()) else {
                continue;
            };
            let record = text(deal, Player::First, &moves[..plies]);
            let letter = ["A", "B"][position.turn().index()];
            let line = lay(&record, letter, gap, shape).unwrap();
            let last = record.lines().count() + 1;
            refused(
                (format!("{record}{line}\n"), last),
                "rule 3: only wildcards agree",
            );
            seen += 1;
            continue 'games;
        }
    }
    assert!(seen > 5);
    // A hexagonal tile whose wildcard lies on the only number around.
    let line = |game: &Iwoki, letter: &str| {
        let tile = game.hand(game.turn()).hex_tiles().next()?;
        let (gap, vertex) = (0..55)
            .filter(|&gap| game.hex_on(gap).is_none())
            .find_map(|gap| {
                let filled = |&vertex: &usize| {
                    board::small_gap_at(gap, vertex)
                        .is_some_and(|small| game.small_on(small).is_some())
                };
                let mut touched = (0..6).filter(filled);
                let vertex = touched.next()?;
                touched.next().is_none().then_some((gap, vertex))
            })?;
        Some(format!(
            "{letter} place hp{} {} H{}",
            tile + 1,
            HexShape::new(tile, vertex)?,
            gap + 1
        ))
    };
    refused(find(line), "rule 3: only wildcards agree");
}

#[test]
fn tiles_on_others_or_on_nothing_are_refused() {
    let held = |game: &Iwoki| game.hand(game.turn()).hex_tiles().next();
    let line = |game: &Iwoki, letter: &str| {
        let (tile, gap) = (
            held(game)?,
            (0..55).find(|&gap| game.hex_on(gap).is_some())?,
        );
        Some(format!(
            "{letter} place hp{} {} H{}",
            tile + 1,
            HexShape::new(tile, 0)?,
            gap + 1
        ))
    };
    refused(find(line), "is not free");
    let line = |game: &Iwoki, letter: &str| {
        let tile = held(game).filter(|_| !game.is_opening())?;
        Some(format!(
            "{letter} place hp{} {} H49",
            tile + 1,
            HexShape::new(tile, 0)?
        ))
    };
    refused(find(line), "rule 3: the tile touches no other");
    let line = |game: &Iwoki, letter: &str| {
        let tile = held(game).filter(|_| game.is_opening())?;
        Some(format!(
            "{letter} place hp{} {} H2",
            tile + 1,
            HexShape::new(tile, 0)?
        ))
    };
    refused(find(line), "rule 2: the first tile");
}

#[test]
fn drawing_at_the_wrong_time_is_refused() {
    refused(
        find(|game, letter| game.is_opening().then(|| format!("{letter} draw sp1"))),
        "rule 2: no drawing",
    );
    refused(
        find(|game, letter| game.has_drawn().then(|| format!("{letter} draw sp1"))),
        "rule 5: a second draw",
    );
    let dealt = |game: &Iwoki, letter: &str| {
        (game.can_draw() && game.smalls_left() == 30).then(|| letter.to_owned())
    };
    // A tile that lies in a hand is not in the bag.
    let (record, _) =
        find(|game, letter| dealt(game, letter).map(|letter| format!("{letter} draw sp1 # try")));
    let line = record
        .lines()
        .find(|line| line.starts_with("deal A"))
        .unwrap();
    let tile = line.split([' ', ',']).nth(3).unwrap();
    let record = record.replace("draw sp1 # try", &format!("draw {tile}"));
    let last = record.lines().count();
    refused((record, last), "is not in the bag");
}

#[test]
fn passing_is_refused_while_anything_else_is_possible() {
    let first = |game: &Iwoki| game.legal_moves().next();
    let can_lay =
        |action: Option<Action>| !matches!(action, Some(Action::DRAW | Action::PASS) | None);
    refused(
        find(|game, letter| can_lay(first(game)).then(|| format!("{letter} pass"))),
        "rule 5: no passing while a tile can be laid",
    );
    refused(
        find(|game, letter| (first(game) == Some(Action::DRAW)).then(|| format!("{letter} pass"))),
        "rule 5: no passing without drawing",
    );
}

#[test]
fn gains_are_due_with_the_third_token_and_only_then() {
    let (_, moves) = game(3);
    let record = text(3, Player::First, &moves);
    let at = record
        .lines()
        .position(|line| line.contains(" gain "))
        .expect("tokens were traded");
    let lines: Vec<&str> = record.lines().collect();
    let letter = &lines[at][..1];
    let until = |line: &str| (lines[..at].join("\n") + "\n" + line + "\n", at + 1);
    // A tile that was dealt, a gain that is missing, a word too many.
    let dealt = lines[1]
        .rsplit(' ')
        .next()
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    refused(
        until(&format!("{letter} gain {dealt}")),
        "is not in the bag",
    );
    refused(until(&format!("{letter} gain hp21")), "is no tile");
    refused(until("score A 0 B 0"), "third white token");
    let cut = lines[..at].join("\n");
    let error = replay(&cut).unwrap_err();
    assert_eq!(
        (error.line, matches!(error.fault, IwokiFault::GainDue(_))),
        (at, true)
    );
    refused(
        find(|_, letter| Some(format!("{letter} gain hp7"))),
        "rule 6: a hexagonal tile is gained only",
    );
}

#[test]
fn stated_numbers_are_checked() {
    for deal in 0..20 {
        let (positions, moves) = game(deal);
        let points =
            |plies: usize| Player::BOTH.map(|player| positions[plies].hand(player).points());
        let tokens =
            |plies: usize| Player::BOTH.map(|player| positions[plies].hand(player).tokens());
        let plies = moves.len() / 2;
        let ([a, b], [s, t]) = (points(plies), tokens(plies));
        let good = format!("score A {a} B {b}\ntokens A {s} B {t}");
        assert!(replay(&with_line(deal, &moves[..plies], &good)).is_ok());
        let fail = |line: String, words: &str| {
            let record = with_line(deal, &moves[..plies], &line);
            let last = record.lines().count();
            refused((record, last), words);
        };
        fail(format!("score A {} B {b}", a + 1), "points of A");
        fail(format!("score A {a} B {}", b - 1), "points of B");
        fail(format!("tokens A {s} B {}", t + 1), "white tokens of B");
        fail("end A 1 B 2".into(), "rule 8: the game is not over");
        let record = text(deal, Player::First, &moves);
        let (body, end) = record.trim_end().rsplit_once('\n').unwrap();
        assert!(end.starts_with("end A "));
        refused(
            (format!("{body}\nend A 999 B 0\n"), body.lines().count() + 1),
            "final count of A",
        );
        refused(
            (format!("{record}A pass\n"), record.lines().count() + 1),
            "rule 8: the game is over",
        );
    }
}

#[test]
fn the_frame_of_a_record_is_checked() {
    let good = text(1, Player::First, &[]);
    let lines: Vec<&str> = good.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        (lines.join("\n"), at + 1)
    };
    refused((String::new(), 1), "header");
    refused(with(0, "# iwoki record 2"), "header");
    refused(with(1, lines[2]), "deal A");
    refused(
        with(1, "deal A small sp1 hex hp1,hp2,hp3"),
        "nine and three",
    );
    refused(
        with(2, &lines[1].replace("deal A", "deal B")),
        "is not in the bag",
    );
    refused(with(3, "first C"), "first A");
    refused((good.clone() + "B pass\n", 5), "it is not B's turn");
    refused(
        (good.clone() + "\n# a comment\nC pass\n", 7),
        "expected `A place",
    );
    refused(
        (good.clone() + "A pass now please or never again\n", 5),
        "expected `A place",
    );
}
