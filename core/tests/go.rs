//! Go against a second implementation that is slow, simple and independent.

use std::collections::HashSet;

use dojo_core::game::{Game, Outcome, Player, Rules, perft};
use dojo_core::games::go::{GoMove, Ko, Point, Points};
use dojo_core::games::{Go, GoRules};
use dojo_core::rng::Rng;

/// 0 empty, 1 black, 2 white, row by row from the bottom.
type Grid = Vec<Vec<u8>>;

/// A game as the current board and copies of all earlier ones.
#[derive(Clone)]
struct Slow {
    size: usize,
    grid: Grid,
    seen: HashSet<Grid>,
    before_last: Option<Grid>,
    positional: bool,
    mover: u8,
    passes: usize,
}

impl Slow {
    fn new(rules: GoRules) -> Slow {
        let size = usize::from(rules.size());
        let start = Go::new(rules);
        let mut grid = vec![vec![0; size]; size];
        for point in start.stones().of(Player::First) {
            grid[usize::from(point.row())][usize::from(point.col())] = 1;
        }
        let mover = if start.turn() == Player::First { 1 } else { 2 };
        let seen = HashSet::from([grid.clone()]);
        Slow {
            size,
            grid,
            seen,
            before_last: None,
            positional: rules.ko == Ko::Positional,
            mover,
            passes: 0,
        }
    }

    fn next_to(&self, (row, col): (usize, usize)) -> Vec<(usize, usize)> {
        let mut next = vec![];
        if row > 0 {
            next.push((row - 1, col));
        }
        if col > 0 {
            next.push((row, col - 1));
        }
        if row + 1 < self.size {
            next.push((row + 1, col));
        }
        if col + 1 < self.size {
            next.push((row, col + 1));
        }
        next
    }

    /// The group at a cell, and whether it touches a cell marked `wanted`.
    fn group(&self, grid: &Grid, place: (usize, usize), wanted: u8) -> (Vec<(usize, usize)>, bool) {
        let mark = grid[place.0][place.1];
        let (mut group, mut open, mut touches) = (vec![place], vec![place], false);
        while let Some(at) = open.pop() {
            for next in self.next_to(at) {
                touches |= grid[next.0][next.1] == wanted;
                if grid[next.0][next.1] == mark && !group.contains(&next) {
                    group.push(next);
                    open.push(next);
                }
            }
        }
        (group, touches)
    }

    /// The board after a stone, if it is legal.
    fn placed(&self, place: (usize, usize)) -> Option<Grid> {
        if self.grid[place.0][place.1] != 0 {
            return None;
        }
        let mut grid = self.grid.clone();
        grid[place.0][place.1] = self.mover;
        for next in self.next_to(place) {
            if grid[next.0][next.1] == 3 - self.mover {
                let (group, breathes) = self.group(&grid, next, 0);
                if !breathes {
                    group.into_iter().for_each(|(row, col)| grid[row][col] = 0);
                }
            }
        }
        let breathes = self.group(&grid, place, 0).1;
        let back = if self.positional {
            self.seen.contains(&grid)
        } else {
            self.before_last.as_ref() == Some(&grid)
        };
        (breathes && !back).then_some(grid)
    }

    fn after(&self, place: Option<(usize, usize)>) -> Option<Slow> {
        let mut next = self.clone();
        match place {
            None => {
                next.passes += 1;
                next.before_last = None;
            }
            Some(place) => {
                next.passes = 0;
                next.grid = self.placed(place)?;
                next.before_last = Some(self.grid.clone());
                next.seen.insert(next.grid.clone());
            }
        }
        next.mover = 3 - self.mover;
        Some(next)
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |col| (row, col)))
    }

    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.passes == 2 => 0,
            _ => {
                let moves = self.places().map(Some).chain([None]);
                moves
                    .filter_map(|place| self.after(place))
                    .map(|next| next.perft(depth - 1))
                    .sum()
            }
        }
    }

    /// Black's area minus white's.
    fn area(&self) -> i16 {
        self.places()
            .map(|(row, col)| match self.grid[row][col] {
                1 => 1,
                2 => -1,
                _ => {
                    let touches = |mark| i16::from(self.group(&self.grid, (row, col), mark).1);
                    touches(1) - touches(2)
                }
            })
            .sum()
    }
}

fn place_of(mv: GoMove) -> Option<(usize, usize)> {
    mv.point()
        .map(|point| (usize::from(point.row()), usize::from(point.col())))
}

fn rules(size: u8, ko: Ko, handicap: u8) -> GoRules {
    GoRules::new(size)
        .unwrap()
        .with_ko(ko)
        .with_handicap(handicap)
        .unwrap()
}

/// Random games without passes, so that captures, ko and longer cycles occur.
#[test]
fn random_games_agree_move_by_move() {
    let mut rng = Rng::new(77);
    let (mut kos, mut long_kos) = (0, 0);
    for (size, ko, handicap, games) in [
        (5, Ko::Positional, 0, 100),
        (5, Ko::Simple, 2, 20),
        (7, Ko::Positional, 4, 15),
        (9, Ko::Positional, 0, 6),
        (9, Ko::Simple, 9, 3),
    ] {
        for _ in 0..games {
            let mut game = Go::new(rules(size, ko, handicap));
            let mut slow = Slow::new(game.rules());
            while !game.is_over() {
                let legal: Points = game.legal_points();
                for (row, col) in slow.places() {
                    let point = Point::new(col as u8, row as u8).unwrap();
                    assert_eq!(
                        legal.contains(point),
                        slow.placed((row, col)).is_some(),
                        "{point} in {game}"
                    );
                    assert_eq!(game.is_legal(GoMove::Stone(point)), legal.contains(point));
                    let mark = game
                        .stones()
                        .at(point)
                        .map_or(0, |player| player.index() as u8 + 1);
                    assert_eq!(mark, slow.grid[row][col], "{point} in {game}");
                }
                kos += u32::from(game.ko().is_some());
                let simple = Go::parse_position(
                    GoRules::new(size).unwrap(),
                    game.to_string().split(" after ").next().unwrap(),
                );
                let forbidden = simple.unwrap().legal_points().without(legal);
                assert_eq!(forbidden, game.ko_points(), "{game}");
                long_kos += forbidden.filter(|&point| Some(point) != game.ko()).count();
                let mv = rng.pick(legal).map_or(GoMove::Pass, GoMove::Stone);
                game.play(mv).unwrap();
                slow = slow.after(place_of(mv)).unwrap();
            }
            assert_eq!(game.score(), 2 * slow.area() - 11, "{game}");
            assert_eq!(
                game.outcome().unwrap().value_for(Player::First),
                game.score().signum() as i8
            );
        }
    }
    assert!(
        kos > 200 && long_kos > 40,
        "{kos} kos and {long_kos} longer ones are too few to test with"
    );
}

#[test]
fn perft_agrees_from_positions_of_random_games() {
    let mut rng = Rng::new(3);
    for (size, depth) in [(5, 2), (7, 2), (9, 1)] {
        for plies in [4, 20, 60, 120] {
            let mut game = Go::new(rules(size, Ko::Positional, 0));
            let mut slow = Slow::new(game.rules());
            for _ in 0..plies {
                let mv = rng
                    .pick(game.legal_points())
                    .map_or(GoMove::Pass, GoMove::Stone);
                if game.is_over() {
                    break;
                }
                game.play(mv).unwrap();
                slow = slow.after(place_of(mv)).unwrap();
            }
            if !game.is_over() {
                assert_eq!(perft(&game, depth), slow.perft(depth), "{game}");
            }
        }
    }
}

/// The counts in `data/perft.txt` that the slow implementation computes quickly; it computed the
/// others once.
#[test]
fn the_kept_counts_are_those_of_the_slow_implementation() {
    let mut checked = 0;
    for line in include_str!("data/perft.txt")
        .lines()
        .filter(|line| line.starts_with("go "))
    {
        let words: Vec<_> = line.split_whitespace().collect();
        let nodes: u64 = words[2].parse().unwrap();
        if nodes <= 20_000 {
            let mut rules = GoRules::default();
            for (key, value) in words[3..].iter().filter_map(|pair| pair.split_once('=')) {
                rules.set(key, value).unwrap();
            }
            assert_eq!(
                Slow::new(rules).perft(words[1].parse().unwrap()),
                nodes,
                "{line}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 6);
}

fn game(size: u8, diagram: &str) -> Go {
    Go::parse_position(GoRules::new(size).unwrap(), diagram).unwrap()
}

fn play(game: &Go, moves: &str) -> Go {
    let mut next = *game;
    for word in moves.split(' ') {
        next.play(next.parse_move(word).unwrap())
            .unwrap_or_else(|_| panic!("{word} in {next}"));
    }
    next
}

fn is_legal(game: &Go, mv: &str) -> bool {
    game.is_legal(game.parse_move(mv).unwrap())
}

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    let start = "...../...../.XO../X.XO./.XO.. white";
    for ko in [Ko::Positional, Ko::Simple] {
        let taken = play(&Go::parse_position(rules(5, ko, 0), start).unwrap(), "B2");
        assert_eq!(
            (taken.ko(), taken.prisoners(Player::Second)),
            (Point::parse("C2"), 1)
        );
        assert!(!is_legal(&taken, "C2"));
        // A ko threat and its answer change the position.
        let retaken = play(&taken, "E5 A5 C2");
        assert_eq!(retaken.ko(), Point::parse("B2"));
    }
}

/// Random games without passes, under both rules.
#[test]
fn superko_sees_longer_cycles() {
    let mut found = [0; 2];
    for (place, ko) in [Ko::Positional, Ko::Simple].into_iter().enumerate() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let mut game = Go::new(rules(5, ko, 0));
            let mut seen = HashSet::new();
            while !game.is_over() {
                let mv = rng
                    .pick(game.legal_points())
                    .map_or(GoMove::Pass, GoMove::Stone);
                game.play(mv).unwrap();
                found[place] += u32::from(mv != GoMove::Pass && !seen.insert(*game.stones()));
            }
        }
    }
    assert_eq!(found[0], 0, "no position comes back under superko");
    assert!(found[1] > 20, "under simple ko some do: {}", found[1]);
}

#[test]
fn two_passes_end_the_game_and_area_decides() {
    let end = play(&game(5, "..XO./..XO./..XO./..XO./..XO. black"), "pass pass");
    // Fifteen points against ten, minus komi.
    assert_eq!(
        (end.score(), end.outcome()),
        (10 - 11, Some(Outcome::Win(Player::Second)))
    );
    assert_eq!(end.margin(Player::Second), 1);
    assert_eq!(
        end.score_without(end.stones().of(Player::Second)),
        2 * 25 - 11
    );
    let even = GoRules::new(5).unwrap().with_komi(10).unwrap();
    let end = Go::parse_position(even, "..XO./..XO./..XO./..XO./..XO. black").unwrap();
    assert_eq!(play(&end, "pass pass").outcome(), Some(Outcome::Draw));
    // An empty point between both colours counts for none.
    assert_eq!(
        play(&game(5, ".X.O./.X.O./.X.O./.X.O./.X.O. black"), "pass pass").score(),
        -11
    );
}

#[test]
fn suicide_is_forbidden_and_taking_is_not_suicide() {
    let corner = game(5, "...../...../...../O..../.O... black");
    assert!(!is_legal(&corner, "A1"));
    let taking = game(5, "...../...../X..../OX.../.OX.. black");
    let after = play(&taking, "A1");
    assert_eq!((after.prisoners(Player::First), after.ko()), (2, None));
    let group = game(5, "OO.../XXO../.XO../XXO../OO... black");
    assert!(!is_legal(&group, "A3"), "a whole group may not kill itself");
}

#[test]
fn impossible_positions_are_refused() {
    for text in [
        "...../...../...../O..../XO... black",
        "...../...../...../.....",
        "...../...../...../...../..... first",
        "...../...../...../...../...../..... black",
        "...../...../...../...../....Z black",
        "...../...../...../...../X.... black after A1",
        "...../...../...../...../X.... white after A1 A1",
        "...../...../...../...../X.... white after A1 from",
        "...../...../...../...../X.... white after",
        "....../...../...../...../..... black",
    ] {
        assert!(
            Go::parse_position(GoRules::new(5).unwrap(), text).is_err(),
            "{text}"
        );
    }
    let text =
        "...../...../...../...../X...O black after A1 from ...../...../...../...../....O black";
    assert!(
        Go::parse_position(GoRules::new(5).unwrap(), text).is_err(),
        "it is white's move after black's"
    );
    let text = text.replace("O black after", "O white after");
    assert_eq!(
        Go::parse_position(GoRules::new(5).unwrap(), &text)
            .unwrap()
            .to_string(),
        text
    );
}

/// Everything that the key depends on, one difference at a time.
#[test]
fn keys_tell_rules_and_situations_apart() {
    let usual = GoRules::new(5).unwrap();
    let mut games = vec![
        Go::new(usual),
        Go::new(usual.with_komi(13).unwrap()),
        Go::new(usual.with_komi(-11).unwrap()),
        Go::new(usual.with_ko(Ko::Simple)),
        Go::new(GoRules::new(7).unwrap()),
        Go::new(GoRules::new(9).unwrap()),
    ];
    let mut passed = Go::new(usual);
    passed.play(GoMove::Pass).unwrap();
    games.push(passed);
    // The same stones with either player to move.
    let diagram = ".XO../XO.O./.XO../...../.....";
    games.push(Go::parse_position(usual, &format!("{diagram} black")).unwrap());
    games.push(Go::parse_position(usual, &format!("{diagram} white")).unwrap());
    let keys: HashSet<u64> = games.iter().map(Game::key).collect();
    assert_eq!(keys.len(), games.len());
}

/// Positions that differ in a rule alone have different keys: a search table must not mix them.
#[test]
fn size_komi_and_ko_are_in_the_key() {
    let rules = GoRules::new(9).unwrap();
    let others = [
        GoRules::new(7).unwrap(),
        GoRules::new(5).unwrap(),
        rules.with_komi(rules.komi() + 1).unwrap(),
        rules.with_komi(rules.komi() - 16).unwrap(),
        rules.with_ko(Ko::Simple),
    ];
    let keys: HashSet<u64> = others
        .iter()
        .chain([&rules])
        .map(|&rules| Go::new(rules).key())
        .collect();
    assert_eq!(keys.len(), others.len() + 1);
}
