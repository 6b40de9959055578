//! One suite for every game: the contract in `game.rs`, checked along random games.

use std::collections::HashSet;

use dojo_core::game::{Game, GameMove, Outcome, Player, Rules, perft};
use dojo_core::games::dots::Ties;
use dojo_core::games::go::Ko;
use dojo_core::games::iwoki::Form;
use dojo_core::games::{
    Dots, DotsRules, GameId, Go, GoRules, Iwoki, IwokiRules, Sticks, SticksRules, TicTacToe,
};
use dojo_core::record;
use dojo_core::rng::Rng;
use dojo_core::with_game;

const GAMES: u64 = 400;

fn conforms<G: Game>(rules: G::Rules) {
    conforms_for::<G>(rules, GAMES);
}

/// Plays random games and checks every position on the way.
fn conforms_for<G: Game>(rules: G::Rules, games: u64) {
    let mut rng = Rng::new(0xD0_30);
    let mut seen_all_symmetries = HashSet::new();
    assert!(
        G::Move::from_index(0).is_some(),
        "lists of moves are filled with move 0"
    );
    for _ in 0..games {
        let start = G::new(rules);
        assert_eq!(start.rules(), rules);
        let mut game = start.clone();
        let mut history = vec![];
        while let Some(mv) = rng.pick(game.legal_moves()) {
            check_position(&game);
            check_symmetry(&game, &mut seen_all_symmetries);
            let before = game.clone();
            game.play(mv).expect("a listed move is playable");
            assert_eq!(game, before.after(mv));
            if G::ALTERNATES {
                assert_eq!(game.turn(), !before.turn());
            }
            if let Some(Outcome::Win(winner)) = game.outcome()
                && !G::MOVER_CAN_LOSE
            {
                assert_eq!(winner, before.turn());
            }
            history.push(mv.index());
        }
        assert!(history.len() <= G::MAX_PLIES);
        check_end(&game);
        check_record::<G>(rules, &history, &game);
    }
    assert_eq!(seen_all_symmetries.len(), G::SYMMETRIES);
}

/// Legal moves are playable, listed once and in order, and their notation parses back.
fn check_position<G: Game>(game: &G) {
    assert!(
        game.outcome().is_none(),
        "moves exist only while the game is on: {game}"
    );
    assert_eq!(game.margin(Player::First), 0);
    let moves: Vec<_> = game.legal_moves().collect();
    assert!(moves.len() <= G::MAX_MOVES);
    assert!(
        moves.is_sorted_by(|a, b| a.index() < b.index()),
        "{moves:?}"
    );
    for &mv in &moves {
        assert!(game.is_legal(mv));
        assert_eq!(game.parse_move(&mv.to_string()), Ok(mv));
        assert_eq!(G::Move::from_index(mv.index()), Some(mv));
    }
    let legal: HashSet<_> = moves.iter().map(|mv| mv.index()).collect();
    for index in 0..=1024 {
        let Some(mv) = G::Move::from_index(index) else {
            continue;
        };
        assert_eq!(mv.index(), index);
        assert_eq!(game.is_legal(mv), legal.contains(&index));
        if !legal.contains(&index) {
            let mut same = game.clone();
            assert!(same.play(mv).is_err());
            assert_eq!(&same, game, "a refused move changes nothing");
        }
    }
    assert_eq!(
        G::parse_position(game.rules(), &game.to_string()).as_ref(),
        Ok(game)
    );
}

/// Symmetry commutes with play, and symmetric positions share their canonical form.
fn check_symmetry<G: Game>(game: &G, seen: &mut HashSet<usize>) {
    assert_eq!(&game.transformed(0), game);
    for symmetry in 0..G::SYMMETRIES {
        seen.insert(symmetry);
        let image = game.transformed(symmetry);
        assert_eq!(image.turn(), game.turn());
        assert_eq!(image.canonical().key(), game.canonical().key());
        for mv in game.legal_moves() {
            let same = game.after(mv).transformed(symmetry);
            assert_eq!(image.after(game.transformed_move(mv, symmetry)), same);
        }
    }
}

/// An outcome is final and consistent for both players.
fn check_end<G: Game>(game: &G) {
    let outcome = game
        .outcome()
        .expect("no legal move means that the game is over");
    assert_eq!(game.legal_moves().count(), 0);
    assert_eq!(
        outcome.value_for(Player::First),
        -outcome.value_for(Player::Second)
    );
    assert_eq!(game.margin(Player::First), -game.margin(Player::Second));
    // A margin may be 0 in a game that was won by another rule, but it never favours the loser.
    let sign = game.margin(Player::First).signum();
    assert!(
        sign == 0 || sign == i16::from(outcome.value_for(Player::First)),
        "{game}"
    );
}

/// A record replays to the same end, and back again to the same text.
fn check_record<G: Game>(rules: G::Rules, history: &[u16], end: &G) {
    let mut text = String::new();
    record::write::<G>(&mut text, rules, history.iter().copied()).unwrap();
    let mut replayed = vec![];
    let result = record::replay::<G>(&text, |_, mv| replayed.push(mv.index())).unwrap();
    assert_eq!(&result.end, end);
    assert_eq!(replayed, history);
    assert_eq!(result.moves, history.len());
}

#[test]
fn every_game_conforms_under_its_usual_rules() {
    for id in GameId::ALL {
        // Go is slow: eighty moves a position, and each symmetric image replays the history.
        let games = if id == GameId::Go { 1 } else { GAMES };
        with_game!(id, G => {
            assert_eq!(G::new(Default::default()).turn(), Player::First);
            conforms_for::<G>(Default::default(), games);
        });
    }
}

#[test]
fn sticks_conform_under_all_kinds_of_rules() {
    for rows in [[7, 7, 7], [1, 0, 0], [4, 4, 0], [0, 0, 7], [1, 1, 1]] {
        for misere in [true, false] {
            conforms::<Sticks>(SticksRules::new(rows, misere).unwrap());
        }
    }
}

#[test]
fn dots_conform_on_all_kinds_of_boards() {
    for (rows, cols) in [(1, 1), (1, 5), (3, 2), (3, 3), (5, 5)] {
        for (ties, misere) in [(Ties::StarterLoses, false), (Ties::Draw, true)] {
            conforms_for::<Dots>(DotsRules::new(rows, cols).unwrap().judged(ties, misere), 40);
        }
    }
}

#[test]
fn go_conforms_under_all_kinds_of_rules() {
    for (size, komi, ko, handicap) in [
        (5, 11, Ko::Positional, 0),
        (5, 14, Ko::Simple, 3),
        (7, -15, Ko::Positional, 9),
    ] {
        let rules = GoRules::new(size)
            .unwrap()
            .with_ko(ko)
            .with_komi(komi)
            .unwrap()
            .with_handicap(handicap)
            .unwrap();
        conforms_for::<Go>(rules, if size == 5 { 4 } else { 1 });
    }
}

#[test]
fn iwoki_conforms_with_all_kinds_of_deals() {
    for deal in [0, 7, u64::MAX] {
        for form in [Form::Normal, Form::Open] {
            conforms_for::<Iwoki>(IwokiRules { form, deal }, 60);
        }
    }
}

/// Number of games on 1×2 by the starter's boxes; counted by a separate program.
#[test]
fn all_games_on_a_small_board_end_as_counted_elsewhere() {
    fn count(game: &Dots, ends: &mut [u32; 3]) {
        if game.is_over() {
            ends[usize::from(game.score(Player::First))] += 1;
        }
        game.legal_moves()
            .for_each(|edge| count(&game.after(edge), ends));
    }
    let mut ends = [0; 3];
    count(&Dots::new(DotsRules::new(1, 2).unwrap()), &mut ends);
    assert_eq!(ends, [3168, 1152, 720]);
}

#[test]
fn options_print_as_they_are_read() {
    fn round_trip<G: Game>(rules: G::Rules) {
        let mut read = G::Rules::default();
        for pair in rules.to_string().split_whitespace() {
            let (key, value) = pair.split_once('=').unwrap();
            read.set(key, value).unwrap();
        }
        assert_eq!(read, rules);
    }
    round_trip::<TicTacToe>(Default::default());
    round_trip::<Sticks>(SticksRules::new([0, 2, 7], false).unwrap());
    round_trip::<Iwoki>(IwokiRules {
        form: Form::Open,
        deal: u64::MAX,
    });
    round_trip::<Dots>(DotsRules::new(4, 5).unwrap().judged(Ties::Draw, true));
    round_trip::<Go>(
        GoRules::new(7)
            .unwrap()
            .with_komi(-15)
            .unwrap()
            .with_ko(Ko::Simple)
            .with_handicap(4)
            .unwrap(),
    );
}

/// Perft counts from a data file, one `GAME DEPTH NODES [key=value …]` a line.
#[test]
fn perft_counts_are_the_known_ones() {
    for line in include_str!("data/perft.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let words: Vec<_> = line.split_whitespace().collect();
        let id = GameId::from_name(words[0]).unwrap();
        let nodes = with_game!(id, G => {
            let mut rules = <G as Game>::Rules::default();
            for pair in &words[3..] {
                let (key, value) = pair.split_once('=').unwrap();
                rules.set(key, value).unwrap();
            }
            perft(&G::new(rules), words[1].parse().unwrap())
        });
        assert_eq!(nodes, words[2].parse().unwrap(), "{line}");
    }
}

/// All 65,536 move codes of every game: a code is a move or is refused, and a move has one code. Its
/// text is its own too, except in iwoki, where tiles that look alike in two ways have a code for
/// each and only the first is ever legal.
#[test]
fn every_move_code_is_a_move_or_refused() {
    for id in GameId::ALL {
        with_game!(id, G => {
            let mut texts = HashSet::new();
            for code in 0..=u16::MAX {
                if let Some(mv) = <G as Game>::Move::from_index(code) {
                    assert_eq!(mv.index(), code, "{id:?}");
                    let is_new = texts.insert(mv.to_string());
                    assert!(is_new || id == GameId::Iwoki, "{id:?}: two codes for {mv}");
                }
            }
            assert!(texts.len() >= G::MAX_MOVES.min(7), "{id:?}: {} moves", texts.len());
        });
    }
}
