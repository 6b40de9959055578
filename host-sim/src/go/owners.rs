//! Learning who will own what: the three networks of the [outlook](dojo_core::games::go::outlook) watch the strong player
//! play against itself and learn the owner of every point at the end, from every position on the way.
//!
//! Nothing is drawn from the networks while games are played, so that all three can learn at once. What the first one
//! thinks of a block is what the second one sees of it, and so on: each learns with the others as they are by then.

use dojo_core::agents::go::{Node, Ownership, Plan, Tree, sensible_points};
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Layer, OUTLOOK, Point, STAGES, expected_score, outlook};
use dojo_core::rng::Rng;

use super::network::Network;

/// How the games are played and learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units of each network.
    pub hidden: usize,
    /// Learning rates, each from a number of games on.
    pub rates: Vec<(u32, f64)>,
    /// Playouts for each move of the strong player.
    pub playouts: u32,
    /// A game starts with less than so many moves at random.
    pub opening: u32,
    /// Later moves are played at random in so many of a hundred; each game draws one of these.
    pub slips: [u32; 4],
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

/// The three networks and how many games they have seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Owners {
    settings: Settings,
    networks: [Network; STAGES],
    seed: u64,
    games: u32,
}

impl Owners {
    /// A learner at its beginning, with small random weights.
    pub fn new(settings: Settings, seed: u64) -> Owners {
        let mut rng = Rng::new(seed);
        let networks = [(); STAGES].map(|()| {
            Network::from_fn(OUTLOOK, settings.hidden, || (f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5) * 0.2)
        });
        Owners { settings, networks, seed, games: 0 }
    }

    /// A learner that goes on after so many games.
    pub fn resume(settings: Settings, seed: u64, weights: &[f64], games: u32) -> Option<Owners> {
        let networks = networks(settings.hidden, weights)?;
        Some(Owners { settings, networks, seed, games })
    }

    /// All weights, network by network.
    pub fn weights(&self) -> Vec<f64> {
        self.networks.iter().flat_map(|network| network.weights()).copied().collect()
    }

    /// Games so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// How the networks as they are move, one move ahead; passes if nothing makes sense.
    pub fn mover(&self) -> impl Fn(&Go) -> GoMove + use<> {
        let stored = self.networks.each_ref().map(|network| whole_numbers(network, SHIFT));
        move |game| {
            let layers = stored.each_ref().map(|bytes| Layer::new(bytes, OUTLOOK, SHIFT));
            let moves = sensible_points(game).map(GoMove::Stone);
            moves.min_by_key(|&mv| expected_score(&game.after(mv), &layers)).unwrap_or(GoMove::Pass)
        }
    }

    /// Lets the strong player play a game and learns from it.
    pub fn play_game(&mut self) {
        // Each game has its own chance: the first ones of a run are those of any longer run.
        let mut rng = Rng::new(self.seed.wrapping_add(self.games.into()));
        let (game, black) = self.settings.played(&mut rng);
        self.learn(&game, &black, &mut rng);
    }

    /// Learns all positions of a game in any order. `black` says how far each point was black's at the end, from −1 to 1, by
    /// its number.
    pub fn learn(&mut self, game: &Go, black: &[f64; 90], rng: &mut Rng) {
        let rates = self.settings.rates.iter().rev();
        let rate = rates.clone().find(|(from, _)| *from <= self.games).map_or(0.0, |&(_, rate)| rate);
        let stored = self.networks.each_ref().map(|network| whole_numbers(network, SHIFT));
        let layers = stored.each_ref().map(|bytes| Layer::new(bytes, OUTLOOK, SHIFT));
        let mut gradient = vec![0.0; Network::size(OUTLOOK, self.settings.hidden)];
        let mut plies: Vec<usize> = (1..=game.plies()).collect();
        (1..plies.len()).rev().for_each(|last| plies.swap(last, rng.below(last as u32 + 1) as usize));
        for ply in plies {
            outlook(&game.at(ply), &layers, |judged| {
                let points = judged.points;
                let black = { points }.map(|point| black[point.number()]).sum::<f64>() / f64::from(points.len());
                let target = if judged.owner == Player::First { black } else { -black };
                // A large block matters more, but not as much more as it is larger.
                let weight = if judged.stage == STAGES - 1 { 0.5 } else { f64::from(points.len().min(9)).sqrt() };
                let network = &mut self.networks[judged.stage];
                let value = network.gradient(&judged.inputs.map(f64::from), &mut gradient);
                network.step(&gradient, rate * weight * (target - value));
            });
        }
        self.games += 1;
    }
}

impl Settings {
    /// A game of the strong player against itself, and how far each point was black's at its end.
    fn played(&self, rng: &mut Rng) -> (Go, [f64; 90]) {
        let mut pool = vec![Node::default(); NODES];
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
                let mut tree = Tree::new(&mut pool, Plan::best(self.playouts));
                tree.think(&game, rng, &mut (), &mut ()).map_or(GoMove::Pass, |choice| choice.mv)
            };
            game.play_unchecked(mv);
        }
        let ownership = Ownership::new(&game, PLAYOUTS[1], rng);
        let black = std::array::from_fn(|number| {
            let point = Point::from_number(number as u8).filter(|&point| game.board().contains(point));
            point.map_or(0.0, |point| f64::from(ownership.of_black(point)) / 500.0 - 1.0)
        });
        (game, black)
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
