//! The published player on a PC: a network of a bank, patterns, and the device's search.

use std::path::{Path, PathBuf};

use dojo_core::bank::{Bank, Meta};
use dojo_core::game::Game;
use dojo_core::games::go::clauses::ClauseSet;
use dojo_core::games::go::players::annilgos::{Annilgos, Judgement, passes};
use dojo_core::games::go::{GoMove, GoNetwork};
use dojo_core::games::{GameId, Go};
use dojo_core::search::{Engine, Found, Limits, Plan, Ranked, Settings, Slot};

use super::certify::stored_network;
use super::patterns::text::RuleFile;
use super::patterns::{PUBLISHED, stored};
use crate::bank::manifest::ModelKind;
use crate::failure::Failure;
use crate::files;

/// Slots of the search's table.
const SLOTS: usize = 2048;

/// What chooses the moves that the published player searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CandidateSource {
    /// The hand-written urgency of moves.
    #[default]
    Urgency,
    /// The patterns of the bank.
    Bank,
    /// The published rules.
    Published,
    /// A rule file.
    File(PathBuf),
}

impl CandidateSource {
    /// Reads `urgency`, `patterns`, `published` or the name of a rule file.
    pub fn parse(text: &str) -> CandidateSource {
        match text {
            "urgency" => CandidateSource::Urgency,
            "patterns" => CandidateSource::Bank,
            "published" => CandidateSource::Published,
            file => CandidateSource::File(file.into()),
        }
    }

    /// The clauses as a bank stores them; `None` for the urgency.
    fn clauses(&self, bank: &Bank<'_>) -> Result<Option<Vec<u8>>, Failure> {
        match self {
            CandidateSource::Urgency => Ok(None),
            CandidateSource::Bank => {
                let mut entries = bank.entries();
                let entry = entries.find(|entry| ClauseSet::fits(&entry.meta));
                let entry =
                    entry.ok_or_else(|| Failure::usage("the bank has no patterns of Go"))?;
                let payload = entry.payload().map_err(Failure::check)?;
                ClauseSet::open(&entry.meta, payload).map_err(Failure::check)?;
                Ok(Some(payload.to_vec()))
            }
            CandidateSource::Published => {
                let file = RuleFile::parse(PUBLISHED).map_err(Failure::check)?;
                Ok(Some(stored(&file.rules, file.reading)))
            }
            CandidateSource::File(path) => {
                let file = rule_file(path)?;
                let payload = stored(&file.rules, file.reading);
                ClauseSet::new(&payload)
                    .map_err(|fault| Failure::Check(format!("{}: {fault}", path.display())))?;
                Ok(Some(payload))
            }
        }
    }
}

/// Reads a rule file.
pub fn rule_file(path: &Path) -> Result<RuleFile, Failure> {
    RuleFile::parse(&files::read_text(path)?)
        .map_err(|fault| Failure::Check(format!("{}: {fault}", path.display())))
}

/// How far the published player looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSearch {
    /// Moves to look ahead.
    pub depth: u8,
    /// Most positions to look at.
    pub nodes: u32,
    /// What chooses the moves.
    pub candidates: CandidateSource,
}

impl PublishedSearch {
    /// By urgency, without a limit of positions.
    pub fn depth(depth: u8) -> PublishedSearch {
        PublishedSearch {
            depth,
            nodes: u32::MAX,
            candidates: CandidateSource::Urgency,
        }
    }
}

/// A network, its candidates and its search depth.
#[derive(Clone, Debug)]
pub struct Published {
    meta: Meta,
    payload: Vec<u8>,
    /// Clauses as a bank stores them.
    clauses: Option<Vec<u8>>,
    depth: u8,
    nodes: u32,
}

impl Published {
    /// The player with the bank's network `go-NAME`.
    pub fn from_bank(
        bank: &Bank<'_>,
        name: &str,
        search: &PublishedSearch,
    ) -> Result<Published, Failure> {
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
        GoNetwork::new(&entry.meta, &payload)
            .ok_or_else(|| Failure::check("the network does not fit"))?;
        Ok(Published {
            meta: entry.meta,
            payload,
            clauses: search.candidates.clauses(bank)?,
            depth: search.depth,
            nodes: search.nodes,
        })
    }

    /// The player with a network that has just been trained, its candidates by urgency.
    pub fn from_weights(kind: ModelKind, weights: &[f64], depth: u8) -> Result<Published, String> {
        let (meta, payload) = stored_network(kind, weights)?;
        GoNetwork::new(&meta, &payload).ok_or("the network does not fit")?;
        Ok(Published {
            meta,
            payload,
            clauses: None,
            depth,
            nodes: u32::MAX,
        })
    }

    /// Its move; `None` if the game is over. Once the opponent has passed, it passes too if that
    /// wins.
    pub fn choose(&self, game: &Go) -> Option<GoMove> {
        self.with_engine(|network, candidates, engine| {
            Annilgos {
                network,
                engine,
                candidates,
                depth: self.depth,
                nodes: self.nodes,
                longest: u8::MAX,
            }
            .choose(game, &mut ())
        })?
    }

    /// Whether it passes without a search.
    pub fn passes(&self, game: &Go) -> bool {
        passes(game)
    }

    /// A search of its network with other settings, exactly as deep as it says.
    pub fn think(&self, game: &Go, settings: &Settings) -> Option<Found<GoMove>> {
        self.with_engine(|network, candidates, mut engine| {
            let plan = Plan {
                knowledge: Judgement::new(network, candidates),
                settings: *settings,
                limits: Limits::depth(self.depth),
            };
            engine.think(game, &plan, &mut ())
        })
    }

    fn with_engine<T>(
        &self,
        work: impl FnOnce(GoNetwork<'_>, Option<ClauseSet<'_>>, Engine<'_, Go>) -> T,
    ) -> Option<T> {
        let network = GoNetwork::new(&self.meta, &self.payload)?;
        let candidates = match &self.clauses {
            None => None,
            Some(clauses) => Some(ClauseSet::new(clauses).ok()?),
        };
        let room = Go::MAX_MOVES * (usize::from(self.depth) + 6);
        let (mut slots, mut moves) = (vec![Slot::default(); SLOTS], vec![Ranked::default(); room]);
        Some(work(
            network,
            candidates,
            Engine::new(&mut slots, &mut moves),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::SHIPPED;
    use dojo_core::game::Game;
    use dojo_core::games::go::players::annilgos::DevicePlayer;
    use dojo_core::memory::Heap;
    use dojo_core::players::belts::Resources;

    #[test]
    fn the_players_of_the_device_play_what_the_published_players_play_here() {
        let bank = Bank::new(SHIPPED).unwrap();
        let mut game = Go::new(Default::default());
        for name in ["E5", "C3", "F7"] {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        for player in DevicePlayer::ALL {
            let mut resources = Resources {
                memory: &mut Heap::default(),
                control: &mut (),
                helper: None,
            };
            let model = player.open(&bank).unwrap();
            let mv = player.choose(&game, &model, &mut resources);
            let search = PublishedSearch {
                nodes: player.nodes(),
                candidates: CandidateSource::Bank,
                ..PublishedSearch::depth(3)
            };
            let name = player.model().strip_prefix("go-").unwrap();
            let published = Published::from_bank(&bank, name, &search).unwrap();
            assert!(mv.is_some_and(|mv| game.is_legal(mv)));
            assert_eq!(mv, published.choose(&game), "{name}");
        }
    }
}
