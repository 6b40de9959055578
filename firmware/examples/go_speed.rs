//! Cycle counts of Go on the Cortex-M0+: operations on bit sets of points in 32-bit and in 128-bit
//! words, whole playouts, and what is learned: networks, patterns and policies.
//!
//! `cargo xtask speed` builds this image and runs it in the emulator; it logs cycles. It is not
//! part of the firmware.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("This program runs on the RP2040: `cargo xtask speed` builds and runs it.");
}

#[cfg(target_os = "none")]
#[path = "../src/bank.rs"]
mod bank;

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;
    use core::ops::{BitAnd, BitOr};

    use defmt_rtt as _;
    use dojo_core::bank::Bank;
    use dojo_core::game::Game;
    use dojo_core::games::Go;
    use dojo_core::games::go::clauses::{ClauseSet, ClauseView};
    use dojo_core::games::go::policy::Policy;
    use dojo_core::games::go::{Board, GoNetwork, Point, Points, Style};
    use dojo_core::rng::Rng;
    use embassy_executor::Spawner;
    use embassy_rp::clocks::ClockConfig;
    use embassy_rp::config::Config;
    use embassy_time::Instant;

    /// System clock of the firmware.
    const CLOCK_HZ: u32 = 200_000_000;
    /// Number of sample sets for each operation.
    const SETS: usize = 32;
    const ROUNDS: u32 = 50;
    const PLAYOUTS: u32 = 100;

    /// The operations that playouts need of a set of points.
    trait Set: Copy + PartialEq + BitAnd<Output = Self> + BitOr<Output = Self> {
        fn of(points: Points) -> Self;
        fn around(self) -> Self;
        fn len(self) -> u32;
        fn has_one(self) -> bool;
        fn insert(&mut self, point: Point);
        fn remove(&mut self, point: Point);
        fn is_empty(self) -> bool;

        fn flooded(self, allowed: Self) -> Self {
            let mut set = self;
            loop {
                let next = set | set.around() & allowed;
                if next == set {
                    return set;
                }
                set = next;
            }
        }
    }

    /// Three 32-bit words: the representation that the game uses.
    impl Set for Points {
        fn of(points: Points) -> Points {
            points
        }

        #[inline]
        fn around(self) -> Points {
            Points::around(self)
        }

        #[inline]
        fn len(self) -> u32 {
            Points::len(self)
        }

        #[inline]
        fn has_one(self) -> bool {
            Points::has_one(self)
        }

        #[inline]
        fn insert(&mut self, point: Point) {
            Points::insert(self, point);
        }

        #[inline]
        fn remove(&mut self, point: Point) {
            Points::remove(self, point);
        }

        #[inline]
        fn is_empty(self) -> bool {
            Points::is_empty(self)
        }

        #[inline]
        fn flooded(self, allowed: Points) -> Points {
            Points::flooded(self, allowed)
        }
    }

    /// One 128-bit word, with the same bit numbers.
    impl Set for u128 {
        fn of(points: Points) -> u128 {
            { points }.fold(0, |set, point| set | 1 << point.number())
        }

        #[inline]
        fn around(self) -> u128 {
            self << 1 | self >> 1 | self << 10 | self >> 10
        }

        #[inline]
        fn len(self) -> u32 {
            self.count_ones()
        }

        #[inline]
        fn has_one(self) -> bool {
            self.is_power_of_two()
        }

        #[inline]
        fn insert(&mut self, point: Point) {
            *self |= 1 << point.number();
        }

        #[inline]
        fn remove(&mut self, point: Point) {
            *self &= !(1 << point.number());
        }

        #[inline]
        fn is_empty(self) -> bool {
            self == 0
        }
    }

    /// A position after this many random moves.
    fn position(moves: u32, rng: &mut Rng) -> Go {
        let mut game = Go::new(Default::default());
        for _ in 0..moves {
            rng.pick(game.legal_points())
                .map(|point| game.play(dojo_core::games::go::GoMove::Stone(point)));
        }
        game
    }

    /// Sample sets from games: all stones of a player, and one of these stones.
    fn sets() -> [(Points, Point); SETS] {
        let mut rng = Rng::new(7);
        core::array::from_fn(|_| {
            let game = position(50, &mut rng);
            let stones = game.stones().of(game.turn());
            let stone = rng.pick(stones);
            (stones, defmt::unwrap!(stone, "a stone"))
        })
    }

    /// Cycles of one call, with the loop and the load of the set; and a checksum that both
    /// representations must agree on.
    fn cycles<S: Set>(sets: &[(S, Point)], work: impl Fn(S, Point) -> u32) -> (u32, u32) {
        let mut sum = 0_u32;
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            for &(set, point) in sets {
                sum = sum.wrapping_add(work(black_box(set), black_box(point)));
            }
        }
        let micros = begun.elapsed().as_micros() as u32;
        (
            micros * (CLOCK_HZ / 1_000_000) / (ROUNDS * sets.len() as u32),
            sum,
        )
    }

    /// Cycles of each operation.
    fn operations<S: Set>(games: &[(Points, Point); SETS]) -> [(&'static str, (u32, u32)); 5] {
        let sets: [(S, Point); SETS] = games.map(|(stones, stone)| (S::of(stones), stone));
        let board = S::of(Points::board(9));
        let one = |point| S::of(Points::of(point));
        let ones: [(S, Point); SETS] = games.map(|(_, stone)| (one(stone), stone));
        [
            (
                "neighbours",
                cycles(&sets, |set, _| {
                    black_box(set.around() & board).is_empty().into()
                }),
            ),
            ("flood fill", {
                let allowed = sets[0].0;
                cycles(&ones, |set, _| {
                    black_box(set.flooded(allowed | set)).is_empty().into()
                })
            }),
            ("count", cycles(&sets, |set, _| set.len())),
            ("put in, take out, join", {
                let other = sets[1].0;
                cycles(&sets, |mut set, point| {
                    set.remove(point);
                    set = set | other;
                    set.insert(point);
                    black_box(set).is_empty().into()
                })
            }),
            ("exactly one?", cycles(&ones, |set, _| set.has_one().into())),
        ]
    }

    /// Cycles of a playout from the empty board.
    fn playout(style: &Style) -> u32 {
        let start = Board::new(&Go::new(Default::default()));
        let begun = Instant::now();
        for seed in 0..PLAYOUTS {
            let mut board = start;
            black_box(board.playout(style, &mut Rng::new(seed.into())));
        }
        (begun.elapsed().as_micros() as u32) * (CLOCK_HZ / 1_000_000) / PLAYOUTS
    }

    /// Positions from the opening to the end of a game.
    fn stages() -> [Go; 8] {
        let mut rng = Rng::new(3);
        core::array::from_fn(|n| position(10 * (n as u32 + 1), &mut rng))
    }

    /// Cycles of this work on a position, averaged over [`stages`].
    fn at_stages(work: impl Fn(&Go)) -> u32 {
        let games = stages();
        let begun = Instant::now();
        games.iter().for_each(work);
        (begun.elapsed().as_micros() as u32) * (CLOCK_HZ / 1_000_000) / games.len() as u32
    }

    #[embassy_executor::main]
    async fn main(_spawner: Spawner) {
        let clocks = defmt::unwrap!(ClockConfig::system_freq(CLOCK_HZ).ok());
        embassy_rp::init(Config::new(clocks));
        let games = sets();
        let (three, wide) = (operations::<Points>(&games), operations::<u128>(&games));
        for ((name, (three, sum)), (_, (wide, same))) in three.into_iter().zip(wide) {
            defmt::assert_eq!(sum, same, "both words find the same");
            defmt::info!(
                "{=str}: {=u32} cycles with three words of 32 bits, {=u32} with one of 128",
                name,
                three,
                wide
            );
        }
        defmt::info!("light playout: {=u32} cycles", playout(&Style::LIGHT));
        defmt::info!(
            "playout with knowledge: {=u32} cycles",
            playout(&Style::KNOWING)
        );
        defmt::info!("learned playout: {=u32} cycles", playout(&Style::LEARNED));
        let bank = defmt::unwrap!(Bank::new(crate::bank::region()).ok());
        for entry in bank.entries() {
            let payload = defmt::unwrap!(entry.payload().ok());
            if let Some(network) = GoNetwork::new(&entry.meta, payload) {
                defmt::info!(
                    "{=str}: {=u32} cycles a position",
                    entry.meta.name(),
                    at_stages(|game| {
                        black_box(network.judge(game));
                    })
                );
            }
            if let Ok(patterns) = ClauseSet::open(&entry.meta, payload) {
                defmt::info!(
                    "{=str}: {=u32} cycles a position for {=usize} rules, {=u32} of them for the blocks",
                    entry.meta.name(),
                    at_stages(|game| {
                        black_box(patterns.scores(&ClauseView::new(game)));
                    }),
                    patterns.len(),
                    at_stages(|game| {
                        black_box(ClauseView::new(game));
                    }),
                );
            }
            if let Some(policy) = Policy::new(&entry.meta, payload) {
                defmt::info!(
                    "{=str}: {=u32} cycles a position",
                    entry.meta.name(),
                    at_stages(|game| {
                        let board = Board::new(game);
                        for point in game.legal_points() {
                            black_box(policy.score(&board, point));
                        }
                    })
                );
            }
        }
        defmt::info!("done");
    }

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        defmt::error!("panic");
        loop {
            cortex_m::asm::wfe();
        }
    }
}
