//! Monte Carlo search: its arithmetic, its pool, and games with hidden information.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use dojo_core::game::{Game, GameMove, Hidden, NotationError, Outcome, Player, Rules};
use dojo_core::games::tictactoe::Square;
use dojo_core::games::{Sticks, TicTacToe, sticks::Solution};
use dojo_core::rng::Rng;
use dojo_core::search::{Control, Engine, Found, Limits, Look, Plan, Report, Results, Sum};
use dojo_lab::search::mcts::{
    Mcts, Node, ONE, Open, Playouts, Policy, Reward, Uniform, Veiled, ln, sqrt,
};

#[test]
fn logarithms_and_roots_are_close_to_the_real_ones() {
    let mut n = 1u64;
    while n <= u32::MAX.into() {
        for n in [n, n + n / 3, n + n / 2 + 1].map(|n| n.min(u32::MAX.into()) as u32) {
            let error = (f64::from(ln(n)) / f64::from(1 << 26) - f64::from(n).ln()).abs();
            assert!(error < 1e-4, "ln {n} is off by {error}");
        }
        n += n / 97 + 1;
    }
    assert_eq!((ln(0), ln(1)), (0, 0));
    for x in (0..u32::MAX).step_by(1_234_567) {
        let real = (f64::from(x) / f64::from(1 << 26)).sqrt();
        assert!(
            (f64::from(sqrt(x)) / 8192.0 - real).abs() < 1.0 / 8192.0,
            "sqrt {x}"
        );
    }
    let mut last = 0;
    for n in 1..100_000 {
        assert!(ln(n) >= last, "ln never falls");
        last = ln(n);
    }
}

fn think<G: Game>(
    game: &G,
    settings: Playouts<impl Policy<G>>,
    pool: usize,
    playouts: u32,
    seed: u64,
) -> Found<G::Move> {
    let mut pool = vec![Node::default(); pool];
    Mcts::new(&mut pool, settings).think(
        game,
        &Open,
        &Limits::nodes(playouts),
        &mut Rng::new(seed),
        &mut (),
    )
}

fn position(text: &str) -> TicTacToe {
    TicTacToe::parse_position(Default::default(), text).unwrap()
}

#[test]
fn it_takes_wins_and_stops_losses() {
    for (text, best) in [("xx./oo./...", 8), ("xx./o../...", 8), ("x.o/.x./..o", 5)] {
        for rave in [0, 50] {
            for seed in 0..10 {
                let found = think(
                    &position(text),
                    Playouts {
                        rave,
                        ..Playouts::new(Uniform)
                    },
                    2000,
                    2000,
                    seed,
                );
                assert_eq!(found.mv.unwrap().index(), best, "{text} with rave {rave}");
                assert_eq!(found.stats.nodes, 2000);
            }
        }
    }
}

#[test]
fn it_finds_the_winning_moves_of_sticks() {
    let solution = Solution::new(true);
    for sticks in [[1, 3, 4], [2, 2, 5], [0, 3, 5], [3, 4, 2]] {
        let game = Sticks::new(Default::default()).with_sticks(sticks);
        assert!(solution.is_won(game.triple()));
        let found = think(&game, Playouts::new(Uniform), 4000, 10_000, 1);
        assert!(
            !solution.is_won(game.after(found.mv.unwrap()).triple()),
            "{game}: {}",
            found.mv.unwrap()
        );
    }
}

/// It never loses at tic-tac-toe against any play, with a pool of 4,000 nodes.
#[test]
fn nobody_beats_it_at_tic_tac_toe() {
    fn no_reply_wins(game: TicTacToe, me: Player) {
        if let Some(outcome) = game.outcome() {
            assert_ne!(outcome, Outcome::Win(!me), "{game}");
        } else if game.turn() == me {
            no_reply_wins(
                game.after(
                    think(&game, Playouts::new(Uniform), 4000, 3000, 1)
                        .mv
                        .unwrap(),
                ),
                me,
            );
        } else {
            game.legal_moves()
                .for_each(|mv| no_reply_wins(game.after(mv), me));
        }
    }
    Player::BOTH
        .into_iter()
        .for_each(|me| no_reply_wins(TicTacToe::new(Default::default()), me));
}

#[test]
fn any_pool_will_do_and_the_seed_decides() {
    let game = position("x.o/.x./..o");
    for pool in [0, 1, 2, 3, 4, 7, 30, 1000] {
        let found = think(&game, Playouts::new(Uniform), pool, 500, 3);
        assert!(game.is_legal(found.mv.unwrap()), "pool of {pool}");
        assert_eq!(found, think(&game, Playouts::new(Uniform), pool, 500, 3));
    }
    assert_eq!(
        think(
            &position("xxx/oo./..."),
            Playouts::new(Uniform),
            100,
            100,
            1
        )
        .mv,
        None
    );
    let mut pool = vec![Node::default(); 50];
    let mut mcts = Mcts::new(&mut pool, Playouts::new(Uniform));
    mcts.think(&game, &Open, &Limits::nodes(400), &mut Rng::new(1), &mut ());
    assert!(mcts.used() <= 50);
    assert_eq!(mcts.choices().map(|choice| choice.visits).sum::<u32>(), 400);
}

/// A prior for one square.
struct Fan(Square);

impl Policy<TicTacToe> for Fan {
    fn prior(&self, _: &TicTacToe, mv: Square) -> (u16, Reward) {
        (40, if mv == self.0 { ONE } else { 0 })
    }
}

#[test]
fn priors_steer_at_first_and_fade() {
    let game = TicTacToe::new(Default::default());
    let edge = game.parse_move("b1").unwrap();
    assert_eq!(
        think(&game, Playouts::new(Fan(edge)), 2000, 30, 1).mv,
        Some(edge)
    );
    let late = think(
        &position("xx./oo./..."),
        Playouts::new(Fan(edge)),
        2000,
        5000,
        1,
    );
    assert_eq!(late.mv.unwrap().index(), 8);
}

/// Stops after a number of calls and counts the reports.
struct Patience {
    left: u32,
    reports: Vec<u32>,
}

impl Control for Patience {
    fn should_stop(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    fn report(&mut self, report: &Report<'_>) {
        assert!(!report.line.is_empty());
        self.reports.push(report.nodes);
    }
}

#[test]
fn it_asks_before_every_playout_and_reports() {
    let game = TicTacToe::new(Default::default());
    let mut pool = vec![Node::default(); 500];
    let mut mcts = Mcts::new(&mut pool, Playouts::new(Uniform));
    let mut patience = Patience {
        left: 601,
        reports: vec![],
    };
    let found = mcts.think(&game, &Open, &Limits::NONE, &mut Rng::new(1), &mut patience);
    assert!(found.stopped);
    assert_eq!(found.stats.nodes, 600, "one question a playout");
    assert_eq!(patience.reports, [256, 512]);
    let flag = AtomicBool::new(false);
    flag.store(true, Ordering::Relaxed);
    assert_eq!(
        mcts.think(&game, &Open, &Limits::NONE, &mut Rng::new(1), &mut &flag)
            .stats
            .nodes,
        0
    );
}

/// A small game with a hidden card. The only player can play safe and win with three cards of four,
/// or gamble, then name the card's parity, and win if it is right. A player who saw the card would
/// always gamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Card {
    hidden: u8,
    played: [Option<Word>; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dealt(u8);

impl fmt::Display for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "card={}", self.0)
    }
}

impl Rules for Dealt {
    fn set(&mut self, _: &str, _: &str) -> Result<(), NotationError> {
        Err(NotationError {
            expected: "nothing",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Safe,
    Gamble,
    Even,
    Odd,
}

const WORDS: [Word; 4] = [Word::Safe, Word::Gamble, Word::Even, Word::Odd];

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameMove for Word {
    fn index(self) -> u16 {
        self as u16
    }

    fn from_index(index: u16) -> Option<Word> {
        WORDS.get(usize::from(index)).copied()
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Game for Card {
    type Rules = Dealt;
    type Move = Word;
    type Moves = std::iter::Copied<std::slice::Iter<'static, Word>>;

    const NAME: &'static str = "card";
    const RULES_VERSION: u16 = 1;
    const MAX_MOVES: usize = 2;
    const MAX_PLIES: usize = 2;
    const ALTERNATES: bool = false;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = 1;

    fn new(rules: Dealt) -> Card {
        Card {
            hidden: rules.0,
            played: [None; 2],
        }
    }

    fn rules(&self) -> Dealt {
        Dealt(self.hidden)
    }

    fn turn(&self) -> Player {
        Player::First
    }

    fn legal_moves(&self) -> Self::Moves {
        match self.played {
            [None, _] => WORDS[..2].iter().copied(),
            [Some(Word::Gamble), None] => WORDS[2..].iter().copied(),
            _ => WORDS[..0].iter().copied(),
        }
    }

    fn play_unchecked(&mut self, mv: Word) {
        self.played[usize::from(self.played[0].is_some())] = Some(mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = match self.played {
            [Some(Word::Safe), _] => self.hidden != 0,
            [_, Some(word)] => (word == Word::Odd) == (self.hidden % 2 == 1),
            _ => return None,
        };
        Some(Outcome::Win(if won {
            Player::First
        } else {
            Player::Second
        }))
    }

    fn key(&self) -> u64 {
        let played = self
            .played
            .iter()
            .fold(0, |all, word| all * 8 + word.map_or(7, |word| word as u64));
        u64::from(self.hidden) << 8 | played
    }

    fn parse_move(&self, _: &str) -> Result<Word, NotationError> {
        Err(NotationError {
            expected: "nothing",
        })
    }

    fn parse_position(_: Dealt, _: &str) -> Result<Card, NotationError> {
        Err(NotationError {
            expected: "nothing",
        })
    }

    fn transformed(&self, _: usize) -> Card {
        *self
    }

    fn transformed_move(&self, mv: Word, _: usize) -> Word {
        mv
    }
}

impl Hidden for Card {
    fn determinized(&self, _: Player, rng: &mut Rng) -> Card {
        Card {
            hidden: rng.below(4) as u8,
            ..*self
        }
    }
}

#[test]
fn information_sets_know_what_they_cannot_know() {
    let mut pool = vec![Node::default(); 100];
    for seed in 0..20 {
        let (game, mut rng) = (Card::new(Dealt(2)), Rng::new(seed));
        let limits = Limits::nodes(12_000);
        let mut joint = Mcts::new(&mut pool, Playouts::new(Uniform));
        let found = joint.think(&game, &Veiled, &limits, &mut rng, &mut ());
        assert_eq!(
            found.mv,
            Some(Word::Safe),
            "a blind gamble wins only half of the games"
        );
        assert!(
            (350..650).contains(&found.value),
            "three of four: {}",
            found.value
        );

        // With an open card the gamble is certain.
        let open = joint.think(&game, &Open, &limits, &mut rng, &mut ());
        assert!(open.value > 900, "{}", open.value);

        // Strategy fusion: with separate determinizations the search believes that it will know the
        // card.
        let mut separate = Mcts::new(
            &mut pool,
            Playouts {
                separate: 24,
                ..Playouts::new(Uniform)
            },
        );
        let found = separate.think(&game, &Veiled, &limits, &mut rng, &mut ());
        assert_eq!(found.mv, Some(Word::Gamble));
        assert_eq!(
            separate.choices().map(|choice| choice.visits).sum::<u32>(),
            12_000
        );

        let mut sums = [Sum::default(); Card::MAX_MOVES];
        let mut engine = Engine::new(&mut [], &mut []);
        let plan = Plan::new(Results);
        let found = engine.think_sampled(
            &game,
            &plan,
            [Look::at_all(2, 60)],
            &mut sums,
            &mut rng,
            &mut (),
        );
        assert_eq!((found.mv, found.value), (Some(Word::Gamble), 1));
        // A search of depth 1 does not see the end of the gamble.
        let found = engine.think_sampled(
            &game,
            &plan,
            [Look::at_all(1, 60)],
            &mut sums,
            &mut rng,
            &mut (),
        );
        assert_eq!((found.value, found.depth), (0, 1));
    }
}
