//! The published player on a PC: a network of a bank and the device's search.

use dojo_core::bank::{Bank, Meta};
use dojo_core::game::{Game, Player};
use dojo_core::games::go::players::annilgos::{Annilgos, Judgement};
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::{GoMove, GoNetwork};
use dojo_core::games::{GameId, Go};
use dojo_core::search::{Engine, Found, Limits, Plan, Ranked, Settings, Slot};

use super::final_score;
use crate::failure::Failure;

/// Slots of the search's table.
const SLOTS: usize = 2048;

/// A network and its search depth.
#[derive(Clone, Debug)]
pub struct Published {
    meta: Meta,
    payload: Vec<u8>,
    depth: u8,
}

impl Published {
    /// The player with this network; `None` if the model is no network of Go.
    pub fn new(meta: Meta, payload: Vec<u8>, depth: u8) -> Option<Published> {
        GoNetwork::new(&meta, &payload)?;
        Some(Published {
            meta,
            payload,
            depth,
        })
    }

    /// The player with the bank's network `go-NAME`.
    pub fn from_bank(bank: &Bank<'_>, name: &str, depth: u8) -> Result<Published, Failure> {
        let ours = |meta: &Meta| meta.game == GameId::Go && GoNetwork::fits(meta);
        let entry = bank
            .entries()
            .find(|entry| ours(&entry.meta) && entry.meta.name().strip_prefix("go-") == Some(name));
        let entry = entry.ok_or_else(|| {
            let names = bank.entries().filter(|entry| ours(&entry.meta));
            let names: Vec<_> = names
                .filter_map(|entry| entry.meta.name().strip_prefix("go-").map(str::to_owned))
                .collect();
            Failure::Usage(format!(
                "no network `{name}`, the bank has {}",
                names.join(", ")
            ))
        })?;
        let payload = entry.payload().map_err(Failure::check)?.to_vec();
        Published::new(entry.meta, payload, depth)
            .ok_or_else(|| Failure::check("the network does not fit"))
    }

    /// Its move; `None` if the game is over. Once the opponent has passed, it passes too if that
    /// wins.
    pub fn choose(&self, game: &Go) -> Option<GoMove> {
        if self.passes(game) {
            return Some(GoMove::Pass);
        }
        self.with_engine(|network, engine| {
            Annilgos {
                network,
                engine,
                depth: self.depth,
            }
            .choose(game, &mut ())
        })?
    }

    /// Whether it passes without a search: only own eyes are left, or the opponent passed and a
    /// pass wins.
    pub fn passes(&self, game: &Go) -> bool {
        if game.is_over() {
            return false;
        }
        let wins = || {
            let score = final_score(&game.after(GoMove::Pass));
            score != 0 && (score > 0) == (game.turn() == Player::First)
        };
        sensible_points(game).is_empty() || game.last_move() == Some(GoMove::Pass) && wins()
    }

    /// A search of its network with other settings, exactly as deep as it says.
    pub fn think(&self, game: &Go, settings: &Settings) -> Option<Found<GoMove>> {
        self.with_engine(|network, mut engine| {
            let plan = Plan {
                knowledge: Judgement(network),
                settings: *settings,
                limits: Limits::depth(self.depth),
            };
            engine.think(game, &plan, &mut ())
        })
    }

    fn with_engine<T>(&self, work: impl FnOnce(GoNetwork<'_>, Engine<'_, Go>) -> T) -> Option<T> {
        let network = GoNetwork::new(&self.meta, &self.payload)?;
        let room = Go::MAX_MOVES * (usize::from(self.depth) + 6);
        let (mut slots, mut moves) = (vec![Slot::default(); SLOTS], vec![Ranked::default(); room]);
        Some(work(network, Engine::new(&mut slots, &mut moves)))
    }
}
