//! Learning who will own what: the three networks of the [outlook] watch the strong player
//! play against itself, and then learn the owner of every point at the end from positions on the way.
//!
//! The networks learn one after the other, each with all games several times over, in any order: what the first one thinks of a
//! block is what the second one sees of it, and so on.

use dojo_core::agents::go::{Job, Node, Ownership, Plan, Tree, sensible_points};
use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Layer, OUTLOOK, Point, STAGES, expected_score, outlook};
use dojo_core::rng::Rng;

use super::network::Network;

/// How the games are played and learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Games to watch.
    pub games: u32,
    /// Playouts for each move of the strong player.
    pub playouts: u32,
    /// A game starts with less than so many moves at random.
    pub opening: u32,
    /// Later moves are played at random in so many of a hundred; each game draws one of these.
    pub slips: [u32; 4],
    /// Hidden units of each network.
    pub hidden: usize,
    /// Learning rates, one for each time that all games are learned.
    pub rates: Vec<f64>,
}

/// While learning, a weight of 1 is this much in whole numbers: 2 to this power.
pub const SHIFT: u32 = 10;
/// Nodes of the strong player's tree.
const NODES: usize = 10_000;
/// Moves before which nobody asks whether a game is decided.
const EARLIEST: usize = 36;
/// Moves after which a game is judged as it stands.
const LATEST: usize = 160;
/// Playouts that say whether a game is decided, and who owns what at its end.
const PLAYOUTS: [u16; 2] = [60, 300];

/// A game, and in how many of a thousand playouts each point was black's at its end, by its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The game.
    pub game: Go,
    /// 0 off the board.
    pub black: [u16; 90],
}

/// The games that were watched and, after the last of them, the networks.
#[derive(Clone, Debug, PartialEq)]
pub struct Owners {
    settings: Settings,
    seed: u64,
    watched: Vec<Watched>,
    networks: [Network; STAGES],
}

impl Owners {
    /// A learner at its beginning.
    pub fn new(settings: Settings, seed: u64) -> Owners {
        let mut rng = Rng::new(seed);
        let mut small = || (f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5) * 0.2;
        let networks = [(); STAGES].map(|()| Network::from_fn(OUTLOOK, settings.hidden, &mut small));
        Owners { settings, seed, watched: vec![], networks }
    }

    /// A learner that goes on after so many games, from its [values](Self::values).
    pub fn resume(settings: Settings, seed: u64, values: &[f64], games: u32) -> Option<Owners> {
        let mut owners = Owners::new(settings, seed);
        let mut left = values;
        for _ in 0..games {
            let (&plies, rest) = left.split_first()?;
            let (moves, rest) = rest.split_at_checked(plies as usize)?;
            let (black, rest) = rest.split_at_checked(90)?;
            let mut game = Go::new(Default::default());
            for &index in moves {
                game.play(GoMove::from_index(index as u16)?).ok()?;
            }
            owners.watched.push(Watched { game, black: std::array::from_fn(|number| black[number] as u16) });
            left = rest;
        }
        left.is_empty().then_some(owners)
    }

    /// All that it knows: the games, or the weights of the networks once it has seen all games.
    pub fn values(&self) -> Vec<f64> {
        if self.games() >= self.settings.games {
            return self.networks.iter().flat_map(|network| network.weights()).copied().collect();
        }
        let mut values = vec![];
        for Watched { game, black } in &self.watched {
            values.push(game.plies() as f64);
            values.extend(game.moves().map(|mv| f64::from(mv.index())));
            values.extend(black.map(f64::from));
        }
        values
    }

    /// Games so far.
    pub fn games(&self) -> u32 {
        self.watched.len() as u32
    }

    /// Lets the strong player play a game; after the last one the networks learn.
    pub fn play_game(&mut self) {
        // Each game has its own chance: the first ones of a run are those of any longer run.
        let mut rng = Rng::new(self.seed.wrapping_add(self.games().into()));
        self.watch(self.settings.played(&mut rng));
    }

    /// Keeps a game; after the last one the networks learn.
    pub fn watch(&mut self, watched: Watched) {
        self.watched.push(watched);
        if self.games() == self.settings.games {
            let mut rng = Rng::new(self.seed);
            (0..STAGES).for_each(|stage| self.learn(stage, &mut rng));
        }
    }

    /// Lets one of the networks learn.
    fn learn(&mut self, stage: usize, rng: &mut Rng) {
        let mut examples = self.examples(stage, rng);
        let network = &mut self.networks[stage];
        let mut gradient = vec![0.0; network.weights().len()];
        for rate in &self.settings.rates {
            (1..examples.len()).rev().for_each(|last| examples.swap(last, rng.below(last as u32 + 1) as usize));
            for Example { inputs, target, weight } in &examples {
                let value = network.gradient(&inputs.map(f64::from), &mut gradient);
                network.step(&gradient, rate * f64::from(*weight) * (f64::from(*target) - value));
            }
        }
    }

    /// What a network sees in about half of all positions, the networks before it being as they are, and what it came to.
    fn examples(&self, stage: usize, rng: &mut Rng) -> Vec<Example> {
        let stored = self.networks.each_ref().map(|network| whole_numbers(network, SHIFT));
        let layers = stored.each_ref().map(|bytes| Layer::new(bytes, OUTLOOK, SHIFT));
        let mut examples = vec![];
        for Watched { game, black } in &self.watched {
            let mut position = game.at(0);
            for mv in game.moves() {
                position.play_unchecked(mv);
                if rng.below(2) == 0 {
                    continue;
                }
                outlook(&position, &layers, |judged| {
                    if judged.stage == stage {
                        let (points, count) = (judged.points, judged.points.len());
                        let share: u32 = { points }.map(|point| u32::from(black[point.number()])).sum();
                        let black = share as f32 / (500 * count) as f32 - 1.0;
                        let target = if judged.owner == Player::First { black } else { -black };
                        // A large block matters more, but not as much more as it is larger.
                        let weight = if stage == STAGES - 1 { 0.5 } else { (count.min(9) as f32).sqrt() };
                        examples.push(Example { inputs: judged.inputs, target, weight });
                    }
                });
            }
        }
        examples
    }

    /// How the networks as they are move, one move ahead; they pass if nothing makes sense.
    pub fn mover(&self) -> impl Fn(&Go) -> GoMove + use<> {
        let stored = self.networks.each_ref().map(|network| whole_numbers(network, SHIFT));
        move |game| {
            let layers = stored.each_ref().map(|bytes| Layer::new(bytes, OUTLOOK, SHIFT));
            let moves = sensible_points(game).map(GoMove::Stone);
            moves.min_by_key(|&mv| expected_score(&game.after(mv), &layers)).unwrap_or(GoMove::Pass)
        }
    }
}

/// A block or a point of a position, what it looked like and whose it was in the end.
struct Example {
    inputs: [i16; OUTLOOK],
    target: f32,
    weight: f32,
}

impl Settings {
    /// A game of the strong player against itself.
    fn played(&self, rng: &mut Rng) -> Watched {
        let mut pool = vec![Node::default(); NODES];
        let mut jobs = [Job::default(); 4];
        let mut game = Go::new(Default::default());
        let opening = rng.below(self.opening) as usize;
        let slips = self.slips[rng.below(4) as usize];
        while !game.is_over() && game.plies() <= LATEST {
            let points = sensible_points(&game);
            let mv = if points.is_empty() {
                GoMove::Pass
            } else if game.plies() < opening || rng.below(100) < slips {
                rng.pick(points).map_or(GoMove::Pass, GoMove::Stone)
            } else {
                let ask = game.plies() > EARLIEST && game.plies().is_multiple_of(3);
                if ask && Ownership::new(&game, PLAYOUTS[0], rng).is_settled(&game) {
                    break;
                }
                let mut tree = Tree::new(&mut pool, &mut jobs, Plan::best(self.playouts));
                tree.think(&game, rng, &mut (), &mut None).map_or(GoMove::Pass, |choice| choice.mv)
            };
            game.play_unchecked(mv);
        }
        let ownership = Ownership::new(&game, PLAYOUTS[1], rng);
        let black = std::array::from_fn(|number| {
            let point = Point::from_number(number as u8).filter(|&point| game.board().contains(point));
            point.map_or(0, |point| ownership.of_black(point))
        });
        Watched { game, black }
    }
}

/// The three networks with these weights; `None` if their number does not fit.
pub fn networks(hidden: usize, weights: &[f64]) -> Option<[Network; STAGES]> {
    let size = Network::size(OUTLOOK, hidden);
    let network = |stage| Network::new(OUTLOOK, hidden, weights.get(stage * size..(stage + 1) * size)?.to_vec());
    let [first, second, third] = std::array::from_fn(network);
    Some([first?, second?, third?]).filter(|_| weights.len() == STAGES * size)
}

/// A network as the device reads it: unit by unit, 16 bits each.
pub fn whole_numbers(network: &Network, shift: u32) -> Vec<u8> {
    let number = |weight: &f64| (weight * f64::from(1u32 << shift)).round() as i16;
    unit_by_unit(network.weights(), OUTLOOK).iter().flat_map(|weight| number(weight).to_le_bytes()).collect()
}

/// The weights of a hidden layer and its output, each unit's own behind those that lead to it.
pub fn unit_by_unit(weights: &[f64], inputs: usize) -> Vec<f64> {
    let hidden = weights.len() / (inputs + 1);
    let (first, last) = weights.split_at(inputs * hidden);
    first.chunks_exact(inputs).zip(last).flat_map(|(unit, own)| unit.iter().chain([own])).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { games: 4, playouts: 10, opening: 5, slips: [0, 5, 10, 20], hidden: 3, rates: vec![0.004, 0.001] }
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = Owners::new(settings(), 3);
        (0..2).for_each(|_| whole.play_game());
        let mut stored = Owners::resume(settings(), 3, &whole.values(), 2).unwrap();
        assert_eq!(stored, whole);
        for owners in [&mut whole, &mut stored] {
            (0..2).for_each(|_| owners.play_game());
        }
        assert_eq!(stored.values(), whole.values());
        assert_eq!(whole.values().len(), STAGES * Network::size(OUTLOOK, 3));
        assert!(networks(3, &whole.values()).is_some());
        assert!(networks(3, &whole.values()[1..]).is_none());
        assert_eq!(Owners::resume(settings(), 3, &[5.0, 1.0], 1), None);
    }

    #[test]
    fn learning_brings_the_networks_closer_to_the_owners() {
        let mut owners = Owners::new(settings(), 1);
        let before = owners.networks.clone();
        (0..4).for_each(|_| owners.play_game());
        let examples = owners.examples(0, &mut Rng::new(1));
        let error = |network: &Network| -> f64 {
            let of = |example: &Example| f64::from(example.target) - network.value(&example.inputs.map(f64::from));
            examples.iter().map(|example| of(example) * of(example)).sum()
        };
        assert!(error(&owners.networks[0]) < 0.9 * error(&before[0]));
    }
}
