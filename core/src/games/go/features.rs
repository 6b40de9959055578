//! The inputs of the learned evaluation: eight counts, white's minus black's.
//!
//! | feature | counts |
//! |---|---|
//! | liberties of order 1, 2, 3 | empty points one, two, three steps from a block, summed over blocks |
//! | Euler number | connected objects minus holes: smaller is better connected, with more eyes |
//! | captures | stones taken |
//! | territory | points owned on Bouzy's map |
//! | stones | on the board |
//! | atari | stones with one liberty left |

use super::stones::Stones;
use super::territory::territory;
use super::{Go, Points};
use crate::game::{Game, Player};

/// Number of features.
pub const FEATURES: usize = 8;

/// Names of the features, in their order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "liberties-1",
    "liberties-2",
    "liberties-3",
    "euler",
    "captures",
    "territory",
    "stones",
    "atari",
];

/// The bound of all features, in absolute value: 40 blocks of one colour, each within reach of 41
/// empty points.
pub const FEATURE_MOST: i16 = 1640;

/// The eight features of a position.
pub fn features(game: &Go) -> [i16; FEATURES] {
    let counted = Counts::new(game);
    let owned = territory(game.stones(), game.board());
    let stones = game.stones();
    let difference = |[black, white]: [i16; 2]| white - black;
    let both =
        |count: &dyn Fn(Player) -> u32| difference(Player::BOTH.map(|player| count(player) as i16));
    let [liberties_1, liberties_2, liberties_3] = counted.liberties.map(difference);
    [
        liberties_1,
        liberties_2,
        liberties_3,
        difference(Player::BOTH.map(|player| euler(stones.of(player)))),
        both(&|player| game.prisoners(player).into()),
        both(&|player| owned[player.index()].len()),
        both(&|player| stones.of(player).len()),
        difference(counted.short[0]),
    ]
}

/// Number of inputs of the richer evaluation.
pub const RICH: usize = 19;

/// The inputs of the richer evaluation, from the side of the player who has just moved: the eight
/// features; stones with one, two and three liberties and one-point eyes, each of that player and
/// of the player to move; komi in half points; empty points; and 8, for a bias.
pub fn rich_features(game: &Go) -> [i16; RICH] {
    let me = !game.turn();
    let sign = if me == Player::Second { 1 } else { -1 };
    let counted = Counts::new(game);
    let mut rich = [0; RICH];
    for (rich, feature) in rich.iter_mut().zip(features(game)) {
        *rich = sign * feature;
    }
    let (mine, other) = (me.index(), (!me).index());
    let eyes = |player| game.stones().eyes(player, game.board()).len() as i16;
    let [one, two, three] = counted.short;
    let more = [
        [one[mine], one[other]],
        [two[mine], two[other]],
        [three[mine], three[other]],
        [eyes(me), eyes(!me)],
        [sign * game.rules().komi(), game.empty().len() as i16],
    ];
    for (rich, count) in rich[FEATURES..]
        .iter_mut()
        .zip(more.iter().flatten().chain(&[8]))
    {
        *rich = *count;
    }
    rich
}

/// Counts over all blocks, for black and for white.
struct Counts {
    /// Liberties of order 1, 2 and 3.
    liberties: [[i16; 2]; 3],
    /// Stones of blocks with one liberty, with two, and with three.
    short: [[i16; 2]; 3],
}

impl Counts {
    fn new(game: &Go) -> Counts {
        let empty = game.empty();
        let mut counts = Counts {
            liberties: [[0; 2]; 3],
            short: [[0; 2]; 3],
        };
        for (player, block) in game.stones().blocks() {
            let mut seen = block.around() & empty;
            let mut ring = seen;
            if let Some(short) = counts.short.get_mut((ring.len() as usize).wrapping_sub(1)) {
                short[player.index()] += block.len() as i16;
            }
            for order in &mut counts.liberties {
                order[player.index()] += ring.len() as i16;
                ring = (ring.around() & empty).without(seen);
                seen |= ring;
            }
        }
        counts
    }
}

/// The Euler number: connected objects minus holes. With Q1, Q3 and QD windows of 2×2 points (the
/// edge included) that hold one stone, three, or two on a diagonal, it is (Q1 − Q3 + 2·QD) / 4.
pub fn euler(stones: Points) -> i16 {
    const UP: u32 = super::points::UP as u32;
    let a = stones.bits();
    let (b, c, d) = (a << 1, a << UP, a << (UP + 1));
    let (one_below, one_above) = (a ^ b, c ^ d);
    let three = a & b & one_above | c & d & one_below;
    let one = (one_below ^ one_above) & !three;
    let diagonal = one_below & one_above & (a ^ c);
    let count = |windows: u128| windows.count_ones() as i16;
    (count(one) - count(three) + 2 * count(diagonal)) / 4
}

impl Stones {
    /// One-point eyes: empty points with only stones of `player` next to them. At most one of the
    /// diagonal points may be the opponent's, none at the edge.
    pub fn eyes(&self, player: Player, board: Points) -> Points {
        let (own, other) = (self.of(player), self.of(!player));
        let empty = board.without(self.all());
        let closed = empty.without((board.without(own)).around());
        closed
            .filter(|&point| {
                let corners = Points::of(point).corners();
                let enemies = (corners & other).len();
                enemies == 0 || enemies == 1 && (corners & board).len() == 4
            })
            .fold(Points::EMPTY, |eyes, point| eyes | Points::of(point))
    }
}

#[cfg(test)]
#[allow(
    clippy::needless_range_loop,
    reason = "rows and columns are looked at with their neighbours"
)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::GoRules;
    use crate::games::go::{GoMove, Point};
    use crate::players::{Agent, Random};
    use crate::rng::Rng;

    /// A board as a plain array with an empty border, 0 outside.
    struct Plain {
        size: usize,
        at: [[i16; 11]; 11],
    }

    impl Plain {
        fn new(game: &Go) -> Plain {
            let mut at = [[0; 11]; 11];
            for point in game.board() {
                let colour = game
                    .stones()
                    .at(point)
                    .map_or(0, |player| if player == Player::Second { 1 } else { -1 });
                at[usize::from(point.row()) + 1][usize::from(point.col()) + 1] = colour;
            }
            Plain {
                size: game.rules().size().into(),
                at,
            }
        }

        fn on_board(&self, row: usize, col: usize) -> bool {
            (1..=self.size).contains(&row) && (1..=self.size).contains(&col)
        }

        /// The connected points around a start for which `test` holds, by steps to 4 or 8
        /// neighbours.
        fn region(
            &self,
            start: (usize, usize),
            eight: bool,
            test: impl Fn(i16) -> bool,
        ) -> [[bool; 11]; 11] {
            let mut region = [[false; 11]; 11];
            region[start.0][start.1] = true;
            loop {
                let before = region;
                for row in 0..=self.size + 1 {
                    for col in 0..=self.size + 1 {
                        let near = |r: usize, c: usize| {
                            let (dr, dc) = (r.abs_diff(row), c.abs_diff(col));
                            before[r][c] && (dr + dc == 1 || eight && dr.max(dc) == 1)
                        };
                        let rows = row.saturating_sub(1)..=(row + 1).min(10);
                        let touched = rows.into_iter().any(|r| {
                            (col.saturating_sub(1)..=(col + 1).min(10)).any(|c| near(r, c))
                        });
                        region[row][col] |= touched && test(self.at[row][col]);
                    }
                }
                if region == before {
                    return region;
                }
            }
        }

        /// Counts the regions whose points pass `test`.
        fn regions(&self, eight: bool, test: impl Fn(i16) -> bool + Copy) -> i16 {
            let mut seen = [[false; 11]; 11];
            let mut count = 0;
            for row in 0..=self.size + 1 {
                for col in 0..=self.size + 1 {
                    if test(self.at[row][col]) && !seen[row][col] {
                        count += 1;
                        let region = self.region((row, col), eight, test);
                        for (seen, region) in seen.iter_mut().flatten().zip(region.iter().flatten())
                        {
                            *seen |= region;
                        }
                    }
                }
            }
            count
        }

        /// Objects by four neighbours, minus what is enclosed by eight (the outside is one region,
        /// no hole).
        fn euler(&self, colour: i16) -> i16 {
            self.regions(false, |at| at == colour) - (self.regions(true, |at| at != colour) - 1)
        }

        /// Liberties of the first three orders and stones in atari, block by block, by distances.
        fn liberties(&self) -> ([i16; 3], i16) {
            let (mut sums, mut atari) = ([0; 3], 0);
            let mut seen = [[false; 11]; 11];
            for row in 1..=self.size {
                for col in 1..=self.size {
                    let colour = self.at[row][col];
                    if colour == 0 || seen[row][col] {
                        continue;
                    }
                    let block = self.region((row, col), false, |at| at == colour);
                    let mut distance = [[usize::MAX; 11]; 11];
                    let mut stones = 0;
                    for r in 1..=self.size {
                        for c in 1..=self.size {
                            if block[r][c] {
                                (seen[r][c], distance[r][c]) = (true, 0);
                                stones += 1;
                            }
                        }
                    }
                    for order in 1..=3 {
                        let mut found = 0;
                        for r in 1..=self.size {
                            for c in 1..=self.size {
                                let near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)];
                                let near = near.into_iter().any(|(r, c)| {
                                    self.on_board(r, c) && distance[r][c] == order - 1
                                });
                                if near && self.at[r][c] == 0 && distance[r][c] == usize::MAX {
                                    distance[r][c] = order;
                                    found += 1;
                                }
                            }
                        }
                        sums[order - 1] += colour * found;
                        if order == 1 && found == 1 {
                            atari += colour * stones;
                        }
                    }
                }
            }
            (sums, atari)
        }
    }

    /// Random games on all boards, every position.
    fn positions(mut look: impl FnMut(&Go)) {
        let mut rng = Rng::new(4);
        for round in 0..9 {
            let mut game = Go::new(GoRules::new([5, 7, 9][round % 3]).unwrap());
            for _ in 0..120 {
                look(&game);
                let Some(mv) = Random.choose(&game, &mut rng) else {
                    break;
                };
                game.play(if game.is_legal(mv) { mv } else { GoMove::Pass })
                    .unwrap();
            }
        }
    }

    #[test]
    fn features_are_what_slow_counting_finds() {
        positions(|game| {
            let plain = Plain::new(game);
            let (liberties, atari) = plain.liberties();
            let on_board: i16 = plain.at.iter().flatten().sum();
            let found = features(game);
            assert_eq!(found[..3], liberties, "{game}");
            assert_eq!(found[3], plain.euler(1) - plain.euler(-1), "{game}");
            assert_eq!((found[6], found[7]), (on_board, atari), "{game}");
            // Stones that were placed and are gone were captured.
            let placed = |parity: usize| {
                game.moves()
                    .enumerate()
                    .filter(|(n, mv)| n % 2 == parity && mv.point().is_some())
                    .count()
            };
            let missing = |player: Player| {
                (placed(player.index()) - game.stones().of(player).len() as usize) as i16
            };
            assert_eq!(
                found[4],
                missing(Player::First) - missing(Player::Second),
                "{game}"
            );
            assert!(found.iter().all(|feature| feature.abs() <= FEATURE_MOST));
        });
    }

    #[test]
    fn holes_count_against_objects() {
        let set = |names: &str| {
            names
                .split(' ')
                .filter_map(Point::parse)
                .fold(Points::EMPTY, |set, p| set | Points::of(p))
        };
        assert_eq!(euler(Points::EMPTY), 0);
        assert_eq!(euler(set("A1")), 1);
        assert_eq!(euler(set("A1 B2")), 2, "diagonal stones are apart");
        assert_eq!(euler(set("A1 B1 C1 A2 C2 A3 B3 C3")), 0, "a ring");
        assert_eq!(euler(set("J9 J8 H9")), 1);
        assert_eq!(euler(Points::board(9)), 1);
    }

    #[test]
    fn colours_swapped_turn_every_sign() {
        positions(|game| {
            let (black, white) = (
                game.stones().of(Player::First),
                game.stones().of(Player::Second),
            );
            let [here, there] = [(black, white), (white, black)].map(|(black, white)| {
                features(&Go::with_stones(game.rules(), black, white, Player::First).unwrap())
            });
            assert_eq!(here, there.map(|feature| -feature));
        });
    }

    #[test]
    fn the_richer_view_is_that_of_the_last_mover() {
        let rules = GoRules::new(5).unwrap();
        let seen = |text: &str| rich_features(&Go::parse_position(rules, text).unwrap());
        // White has just moved: its stone on A5 has one liberty, the two black ones on A4 and A3
        // three, and C4 four.
        let white = seen("O..../X.X../X..../...../..... black");
        assert_eq!(white[8..], [1, 0, 0, 0, 0, 2, 0, 0, 11, 21, 8]);
        let black = seen("O..../X.X../X..../...../..... white");
        assert_eq!(black[8..], [0, 1, 0, 0, 2, 0, 0, 0, -11, 21, 8]);
        assert_eq!(white[..8], black.map(|count| -count)[..8]);
        positions(|game| {
            let sign = if game.turn() == Player::First { 1 } else { -1 };
            assert_eq!(
                rich_features(game)[..FEATURES],
                features(game).map(|feature| sign * feature)
            );
        });
    }

    #[test]
    fn eyes_are_points_that_need_no_stone() {
        let game = |text: &str| Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let eyes = |text: &str| {
            let game = game(text);
            game.stones().eyes(Player::First, game.board())
        };
        let point = |name: &str| Points::of(Point::parse(name).unwrap());
        assert_eq!(eyes("...../...../...../XX.../.X... black"), point("A1"));
        assert_eq!(
            eyes("...../...../...../XO.../.X... black"),
            Points::EMPTY,
            "a false eye at the edge"
        );
        assert_eq!(
            eyes("...../.XX../.X.X./.OX../..... black"),
            point("C3"),
            "one enemy in the middle does not matter"
        );
        assert_eq!(eyes("...../.OX../.X.X./.OX../..... black"), Points::EMPTY);
    }
}
