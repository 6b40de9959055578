//! Iwoki against a second implementation that is slow, simple and built from the data files alone.

use std::collections::{BTreeMap, BTreeSet};

use dojo_core::game::{Game, GameMove, Hidden, Outcome, Player, perft};
use dojo_core::games::iwoki::{Action, Deal, Form, What};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::rng::Rng;

type Vertex = (String, usize);

/// Pieces and board from the data files.
struct Data {
    small: BTreeMap<String, [i32; 3]>,
    hex: BTreeMap<String, [Option<i32>; 6]>,
    gaps: BTreeMap<String, [Vertex; 3]>,
    hexes: Vec<String>,
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect()
}

fn data() -> Data {
    let small = rows(include_str!("../../data/iwoki/small_tiles.csv"));
    let hex = rows(include_str!("../../data/iwoki/hex_tiles.csv"));
    let gaps = rows(include_str!("../../data/iwoki/small_gaps.csv"));
    let hexes = rows(include_str!("../../data/iwoki/hex_gaps.csv"));
    Data {
        small: small
            .iter()
            .map(|r| (r[0].into(), [1, 2, 3].map(|i| r[i].parse().unwrap())))
            .collect(),
        hex: hex
            .iter()
            .map(|r| (r[0].into(), [1, 2, 3, 4, 5, 6].map(|i| r[i].parse().ok())))
            .collect(),
        gaps: gaps
            .iter()
            .map(|r| {
                (
                    r[0].into(),
                    [1, 3, 5].map(|i| (r[i].to_string(), r[i + 1].parse().unwrap())),
                )
            })
            .collect(),
        hexes: hexes.iter().map(|r| r[0].into()).collect(),
    }
}

#[derive(Clone, Default)]
struct Seat {
    small: Vec<String>,
    hex: Vec<String>,
    points: i32,
    tokens: i32,
}

/// The state of a game in plain collections.
#[derive(Clone)]
struct Model<'a> {
    data: &'a Data,
    seats: Vec<Seat>,
    small_bag: Vec<String>,
    hex_bag: Vec<String>,
    /// Numbers on hexagonal tiles; `None` for the wildcard.
    from_hex: BTreeMap<Vertex, Option<i32>>,
    from_small: BTreeMap<Vertex, i32>,
    taken: BTreeSet<String>,
    turn: usize,
    drew: bool,
    passes: usize,
    ending: Option<usize>,
    over: bool,
}

/// One entry of the list of actions.
#[derive(Clone, Debug, PartialEq)]
enum Deed {
    Small {
        tile: String,
        order: String,
        gap: String,
        results: [i32; 3],
    },
    Hex {
        tile: String,
        order: String,
        gap: String,
        values: [Option<i32>; 6],
    },
    Draw,
    Pass,
}

impl Deed {
    /// The game's notation, which names a small tile by the first of its kind.
    fn text(&self) -> String {
        match self {
            Deed::Small {
                tile, order, gap, ..
            } => {
                let kind = (tile[2..].parse::<usize>().unwrap() - 1) % 12 + 1;
                format!("sp{kind}:{order}:{gap}")
            }
            Deed::Hex {
                tile, order, gap, ..
            } => format!("{tile}:{order}:{gap}"),
            Deed::Draw => "draw".into(),
            Deed::Pass => "pass".into(),
        }
    }
}

impl<'a> Model<'a> {
    fn new(data: &'a Data, deal: &Deal) -> Model<'a> {
        let small = |tiles: &[u8]| {
            tiles
                .iter()
                .map(|tile| format!("sp{}", tile + 1))
                .collect::<Vec<_>>()
        };
        let hex = |tiles: &[u8]| {
            tiles
                .iter()
                .map(|tile| format!("hp{}", tile + 1))
                .collect::<Vec<_>>()
        };
        let seat = |at: usize| Seat {
            small: small(&deal.smalls[at * 9..at * 9 + 9]),
            hex: hex(&deal.hexes[at * 3..at * 3 + 3]),
            ..Seat::default()
        };
        Model {
            data,
            seats: vec![seat(0), seat(1)],
            small_bag: small(&deal.smalls[18..]),
            hex_bag: hex(&deal.hexes[6..]),
            from_hex: BTreeMap::new(),
            from_small: BTreeMap::new(),
            taken: BTreeSet::new(),
            turn: 0,
            drew: false,
            passes: 0,
            ending: None,
            over: false,
        }
    }

    /// All placements of a small tile: its face and orientation, and the results.
    fn small_ways(&self, tile: &str) -> Vec<(String, [i32; 3])> {
        let [a, b, c] = self.data.small[tile];
        let turns = |[x, y, z]: [i32; 3]| [[x, y, z], [z, x, y], [y, z, x]];
        let plus = turns([a, b, c]).map(|[x, y, z]| (format!("{x}{y}{z}+"), [x + z, y + x, z + y]));
        let minus = turns([a, c, b]).map(|[x, y, z]| {
            (
                format!("{x}{y}{z}-"),
                [(x - z).abs(), (y - x).abs(), (z - y).abs()],
            )
        });
        plus.into_iter().chain(minus).collect()
    }

    fn hex_ways(&self, tile: &str) -> Vec<(String, [Option<i32>; 6])> {
        let values = self.data.hex[tile];
        let mut other = values;
        other.reverse();
        other.rotate_right(1);
        let mut ways = vec![];
        for face in [values, other] {
            for turn in 0..6 {
                let mut turned = face;
                turned.rotate_right(turn);
                let text = turned
                    .iter()
                    .map(|value| value.map_or("*".into(), |value| value.to_string()))
                    .collect();
                ways.push((text, turned));
            }
        }
        ways
    }

    /// The matching numbers, or `None` if there is a mismatch or no match.
    fn agreeing(&self, touched: &[(Option<i32>, Option<Option<i32>>)]) -> Option<i32> {
        let (mut sum, mut any) = (0, false);
        for (laid, there) in touched {
            match (laid, there) {
                (Some(laid), Some(Some(there))) if laid == there => {
                    sum += laid;
                    any = true;
                }
                (Some(_), Some(Some(_))) => return None,
                _ => {}
            }
        }
        any.then_some(sum)
    }

    fn worth(&self, deed: &Deed) -> Option<i32> {
        let first = self.taken.is_empty();
        match deed {
            Deed::Small { gap, results, .. } => {
                if first {
                    return results.iter().copied().max();
                }
                let there = |i: usize| self.from_hex.get(&self.data.gaps[gap][i]).copied();
                self.agreeing(&[0, 1, 2].map(|i| (Some(results[i]), there(i))))
            }
            Deed::Hex { gap, values, .. } => {
                if first {
                    return values.iter().flatten().copied().max();
                }
                let there = |i: usize| {
                    self.from_small
                        .get(&(gap.clone(), i + 1))
                        .map(|&value| Some(value))
                };
                self.agreeing(&[0, 1, 2, 3, 4, 5].map(|i| (values[i], there(i))))
            }
            _ => Some(0),
        }
    }

    /// The complete list; equal tiles and equivalent placements are separate entries.
    fn deeds(&self) -> Vec<Deed> {
        if self.over {
            return vec![];
        }
        let first = self.taken.is_empty();
        let mut all = vec![];
        for tile in &self.seats[self.turn].small {
            for (way, (order, results)) in self.small_ways(tile).into_iter().enumerate() {
                for gap in self.data.gaps.keys() {
                    if first && (way % 3 != 0 || gap != "H1_H4_H5") || self.taken.contains(gap) {
                        continue;
                    }
                    all.push(Deed::Small {
                        tile: tile.clone(),
                        order: order.clone(),
                        gap: gap.clone(),
                        results,
                    });
                }
            }
        }
        for tile in &self.seats[self.turn].hex {
            for (way, (order, values)) in self.hex_ways(tile).into_iter().enumerate() {
                for gap in &self.data.hexes {
                    if first && (way != 0 || gap != "H1") || self.taken.contains(gap) {
                        continue;
                    }
                    all.push(Deed::Hex {
                        tile: tile.clone(),
                        order: order.clone(),
                        gap: gap.clone(),
                        values,
                    });
                }
            }
        }
        all.retain(|deed| self.worth(deed).is_some());
        if !first && !self.drew && !self.small_bag.is_empty() {
            all.push(Deed::Draw);
        }
        if all.is_empty() {
            all.push(Deed::Pass);
        }
        all
    }

    fn token(&mut self) {
        self.seats[self.turn].tokens += 1;
        if self.seats[self.turn].tokens == 3 {
            self.seats[self.turn].tokens = 0;
            if !self.hex_bag.is_empty() {
                let tile = self.hex_bag.remove(0);
                self.seats[self.turn].hex.push(tile);
            }
        }
    }

    fn play(&mut self, deed: &Deed) {
        let me = self.turn;
        self.seats[me].points += self.worth(deed).unwrap();
        match deed {
            Deed::Small {
                tile,
                order,
                gap,
                results,
            } => {
                self.seats[me].small.retain(|held| held != tile);
                self.taken.insert(gap.clone());
                for (vertex, value) in self.data.gaps[gap].iter().zip(results) {
                    self.from_small.insert(vertex.clone(), *value);
                }
                if order.ends_with('-') {
                    self.token();
                }
                self.passes = 0;
                if self.seats[me].small.is_empty() && self.ending.is_none() {
                    self.ending = Some(me);
                }
            }
            Deed::Hex {
                tile, gap, values, ..
            } => {
                self.seats[me].hex.retain(|held| held != tile);
                self.taken.insert(gap.clone());
                for (i, value) in values.iter().enumerate() {
                    self.from_hex.insert((gap.clone(), i + 1), *value);
                }
                self.passes = 0;
            }
            Deed::Draw => {
                let tile = self.small_bag.remove(0);
                self.seats[me].small.push(tile);
                self.drew = true;
                self.token();
                return;
            }
            Deed::Pass => {
                self.passes += 1;
                self.token();
            }
        }
        self.turn = 1 - me;
        self.drew = false;
        self.over = self.passes == 2 || self.ending == Some(self.turn);
    }

    fn final_count(&self, seat: usize) -> i32 {
        let held = self.seats[seat]
            .small
            .iter()
            .map(|tile| self.data.small[tile].iter().max().unwrap());
        self.seats[seat].points - held.sum::<i32>()
    }

    /// Number of distinct sequences; equal tiles and equivalent placements count once.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let distinct: BTreeMap<String, Deed> = self
            .deeds()
            .into_iter()
            .map(|deed| (deed.text(), deed))
            .collect();
        let after = |deed: &Deed| {
            let mut next = self.clone();
            next.play(deed);
            next.perft(depth - 1)
        };
        if depth == 1 {
            distinct.len() as u64
        } else {
            distinct.values().map(after).sum()
        }
    }
}

fn compare(game: &Iwoki, model: &Model<'_>) {
    let mut listed: BTreeMap<String, u32> = BTreeMap::new();
    for deed in model.deeds() {
        *listed.entry(deed.text()).or_default() += 1;
    }
    let legal: BTreeMap<String, u32> = game
        .legal_moves()
        .map(|mv| (mv.to_string(), game.weight(mv)))
        .collect();
    assert_eq!(legal, listed, "{game}");
    assert_eq!(
        game.all_actions().count() as u32,
        listed.values().sum::<u32>()
    );
    for deed in model.deeds() {
        let action = game.parse_move(&deed.text()).unwrap();
        assert_eq!(
            i32::from(game.points_of(action)),
            model.worth(&deed).unwrap(),
            "{action} in {game}"
        );
    }
    assert_eq!(game.turn().index(), model.turn);
    for player in Player::BOTH {
        let (hand, seat) = (game.hand(player), &model.seats[player.index()]);
        assert_eq!(i32::from(hand.points()), seat.points);
        assert_eq!(i32::from(hand.tokens()), seat.tokens);
        assert_eq!(
            i32::from(hand.final_count()),
            model.final_count(player.index())
        );
        assert_eq!(usize::from(hand.held()), seat.small.len());
        assert_eq!(hand.hex_count() as usize, seat.hex.len());
        assert_eq!(hand.red_token(), seat.small.len() == 1);
    }
    assert_eq!(game.outcome().is_some(), model.over);
}

#[test]
fn whole_games_go_as_in_the_simple_model() {
    let data = data();
    let mut rng = Rng::new(6);
    let (mut passes, mut draws, mut by_passing) = (0, 0, 0);
    for number in 0..12 {
        let rules = IwokiRules {
            form: Form::Open,
            deal: number,
        };
        let (mut game, mut model) = (Iwoki::new(rules), Model::new(&data, &Deal::new(number)));
        assert_eq!(
            model.deeds().len(),
            21,
            "nine tiles on two faces and three hexagonal ones"
        );
        while !game.is_over() {
            compare(&game, &model);
            // Every third game draws whenever it can, so that bags run empty and hands grow.
            let eager = number % 3 == 0 && game.can_draw();
            let deed = if eager {
                Deed::Draw
            } else {
                rng.pick(model.deeds().into_iter()).unwrap()
            };
            game.play(game.parse_move(&deed.text()).unwrap()).unwrap();
            model.play(&deed);
            draws += u32::from(deed == Deed::Draw);
            passes += u32::from(deed == Deed::Pass);
        }
        compare(&game, &model);
        by_passing += u32::from(model.passes == 2);
        let lead = model.final_count(0) - model.final_count(1);
        assert_eq!(i32::from(game.margin(Player::First)), lead);
        let outcome = match lead.signum() {
            1 => Outcome::Win(Player::First),
            -1 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        };
        assert_eq!(game.outcome(), Some(outcome));
    }
    assert!(
        draws > 50 && passes > 3,
        "{draws} draws, {passes} passes, {by_passing} games ended by passing"
    );
}

/// The counts of `perft.txt` for iwoki, by the simple model.
#[test]
fn perft_counts_are_those_of_the_simple_model() {
    let data = data();
    let mut checked = 0;
    for line in include_str!("data/perft.txt")
        .lines()
        .filter(|line| line.starts_with("iwoki"))
    {
        let words: Vec<_> = line.split_whitespace().collect();
        let deal = words[3].strip_prefix("deal=").unwrap().parse().unwrap();
        let model = Model::new(&data, &Deal::new(deal));
        assert_eq!(
            model.perft(words[1].parse().unwrap()),
            words[2].parse().unwrap(),
            "{line}"
        );
        checked += 1;
    }
    assert!(checked >= 4);
}

#[test]
fn a_guess_of_what_is_hidden_changes_nothing_that_is_seen() {
    let mut rng = Rng::new(2);
    for deal in 0..20 {
        let mut game = Iwoki::new(IwokiRules {
            form: Form::Normal,
            deal,
        });
        while let Some(mv) = rng.pick(game.legal_moves()) {
            for observer in Player::BOTH {
                let world = game.determinized(observer, &mut rng);
                assert_eq!(world.hand(observer), game.hand(observer));
                assert_eq!(world.turn(), game.turn());
                let (other, shown) = (world.hand(!observer), game.hand(!observer));
                assert_eq!(
                    (other.held(), other.points(), other.tokens()),
                    (shown.held(), shown.points(), shown.tokens())
                );
                assert!(other.hex_tiles().eq(shown.hex_tiles()));
                assert_eq!(
                    (world.smalls_left(), world.hexes_left()),
                    (game.smalls_left(), game.hexes_left())
                );
                if observer == game.turn() {
                    assert!(world.legal_moves().eq(game.legal_moves()));
                }
                // Parsing the position checks that no tile is lost or duplicated.
                assert_eq!(
                    Iwoki::parse_position(world.rules(), &world.to_string()),
                    Ok(world)
                );
            }
            game.play(mv).unwrap();
        }
    }
}

#[test]
fn guesses_are_fair() {
    // The opponent's nine tiles are among 39 unseen ones: each is there with probability 9/39.
    let game = Iwoki::new(IwokiRules::default());
    let mut rng = Rng::new(4);
    let unseen = |kind| u32::from(4 - game.hand(Player::First).count(kind));
    let mut seen = [0u32; 12];
    const GUESSES: u32 = 20_000;
    for _ in 0..GUESSES {
        let world = game.determinized(Player::First, &mut rng);
        (0..12).for_each(|kind| seen[kind] += u32::from(world.hand(Player::Second).count(kind)));
    }
    for (kind, seen) in seen.into_iter().enumerate() {
        let expected = GUESSES * unseen(kind) * 9 / 39;
        assert!(
            seen.abs_diff(expected) <= 400,
            "kind {kind}: {seen} of {expected}"
        );
    }
}

#[test]
fn numbers_of_actions_are_unique_and_holes_are_none() {
    let actions: Vec<Action> = (0..=u16::MAX).filter_map(Action::from_index).collect();
    assert_eq!(actions.len(), 84 * 12 * 6 + 55 * 20 * 12 + 2);
    assert!(
        actions
            .iter()
            .all(|action| Action::from_index(action.index()) == Some(*action))
    );
    assert!(matches!(Action::DRAW.what(), What::Draw) && matches!(Action::PASS.what(), What::Pass));
}

/// Undoing a draw and drawing again gives the same tile.
#[test]
fn the_same_actions_bring_the_same_tiles() {
    let mut game = Iwoki::new(IwokiRules::default());
    game.play(game.legal_moves().next().unwrap()).unwrap();
    let before = game;
    game.play(Action::DRAW).unwrap();
    assert_eq!(game, before.after(Action::DRAW));
    assert_eq!(game.turn(), Player::Second, "who drew goes on");
    assert!(!game.is_legal(Action::DRAW));
    assert_eq!(perft(&game, 1), game.legal_moves().count() as u64);
}
