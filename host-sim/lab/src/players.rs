//! Players by name: `random`, `smart`, `search:depth=3,nodes=20000`, `mcts:playouts=2000`,
//! `belt:green`, `bank:FILE#NAME` …

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use dojo_core::bank::{Bank, Meta};
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::GameId;
use dojo_core::memory::Heap;
use dojo_core::players::belts::{BeltPlayer, Belted, Resources};
use dojo_core::players::{Agent, Lookahead, Random};
use dojo_core::rng::Rng;
use dojo_core::search::{Engine, Limits, MAX_PLY, Plan, Ranked, Settings, Slot};

use crate::bank::{open, refused};
use crate::device_budget;
use crate::failure::Failure;
use crate::games::go::gtp_player::GtpProgram;
use crate::games::go::published::{CandidateSource, PublishedSearch};
use crate::games::iwoki::minimax::{Minimax, Variant};
use crate::nearest;
use crate::rules::belt;
use crate::search::mcts::{Mcts, Node, Open, Playouts, Uniform};

pub mod known;

use known::{KNOWN, Known};

/// A player as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A uniformly random legal move.
    Random,
    /// Exact play.
    Perfect,
    /// The rule-based player of its game.
    Smart,
    /// Dots: the edges in a fixed order.
    Simple,
    /// Tic-tac-toe: plain alpha-beta that counts marks at its horizon.
    Marks {
        /// Moves to look ahead.
        depth: u8,
    },
    /// The highest gain of the next move.
    Greedy,
    /// The best possible play against a known opponent.
    BestVs(&'static str),
    /// Looks a few moves ahead.
    Lookahead {
        /// Moves to look ahead.
        plies: usize,
    },
    /// Alpha-beta search with all sound improvements, by iterative deepening.
    Search {
        /// Moves to look ahead.
        depth: u8,
        /// Nodes a move.
        nodes: u32,
    },
    /// Plain alpha-beta search to a fixed depth.
    Minimax {
        /// Moves to look ahead.
        depth: u8,
        /// Nodes a move.
        nodes: u32,
    },
    /// Iwoki's published search with the variants of its own.
    IwokiMinimax(Minimax),
    /// Determinization: samples the hidden information, searches each sample and takes the best
    /// average.
    Det {
        /// Moves to look ahead.
        depth: u8,
        /// Samples.
        samples: u16,
    },
    /// Information-set Monte Carlo tree search: a sample of the hidden information for each
    /// playout, in one tree.
    Ismcts {
        /// Playouts a move.
        playouts: u32,
    },
    /// Monte Carlo tree search.
    Mcts {
        /// Playouts a move.
        playouts: u32,
        /// Weight of RAVE; 0 for off.
        rave: u16,
    },
    /// Go: tree search with a learned policy.
    Policy {
        /// The checkpoint of the policy.
        file: PathBuf,
        /// Playouts a move; shorter ones than those from the empty board count less.
        playouts: u32,
        /// Virtual playouts by likelihood: the fields of `Trust` that are not the usual ones.
        trust: [Option<u16>; 4],
    },
    /// One of the five opponents of the handheld.
    Belt(Belt),
    /// A belt without models, as it plays where there is no bank.
    Rules(Belt),
    /// The published Go player with one of its networks.
    Annilgos {
        /// The model's name in the bank, without `go-`.
        network: String,
        /// How far it looks, and at which moves.
        search: PublishedSearch,
    },
    /// Another Go program.
    Program(GtpProgram),
    /// A person at the terminal.
    Human,
    /// A table of action values, as `dojo train iwoki` writes it.
    Table(PathBuf),
    /// A model of a bank file.
    Model {
        /// The bank.
        file: PathBuf,
        /// The model's name in it.
        name: String,
    },
}

/// A deeper look-ahead would not end in any game here.
const MOST_PLIES: usize = 64;
const MOST_PLAYOUTS: u32 = 10_000_000;

/// Memory of the searching players: that of the device, so that they play the same moves.
const SLOTS: usize = 2048;
pub(crate) const POOL: usize = 4000;

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (kind, detail) = text
            .split_once(':')
            .map_or((text, None), |(kind, detail)| (kind, Some(detail)));
        match (kind, detail) {
            ("random", None) => Ok(Spec::Random),
            ("perfect", None) => Ok(Spec::Perfect),
            ("smart", None) => Ok(Spec::Smart),
            ("simple", None) => Ok(Spec::Simple),
            ("marks", detail) => {
                let [depth] = numbers(detail, [("depth", MAX_PLY.into())])?;
                Ok(Spec::Marks {
                    depth: depth.unwrap_or(2) as u8,
                })
            }
            ("greedy", None) => Ok(Spec::Greedy),
            ("best-vs", Some("random")) => Ok(Spec::BestVs("random")),
            ("best-vs", Some("smart")) => Ok(Spec::BestVs("smart")),
            ("lookahead", Some(detail)) => plies(detail, "plies"),
            ("search", detail) => {
                let [depth, nodes] =
                    numbers(detail, [("depth", MAX_PLY.into()), ("nodes", u32::MAX)])?;
                Ok(Spec::Search {
                    depth: depth.unwrap_or(MAX_PLY.into()) as u8,
                    nodes: nodes.unwrap_or(u32::MAX),
                })
            }
            ("minimax", detail) => {
                let (variant, others) = Variant::take(detail.unwrap_or_default())?;
                let detail = Some(others.join(",")).filter(|detail| !detail.is_empty());
                let known = [("depth", MAX_PLY.into()), ("nodes", u32::MAX)];
                let [Some(depth), nodes] = numbers(detail.as_deref(), known)? else {
                    return Err("expected minimax:depth=N".into());
                };
                let depth = depth as u8;
                Ok(match variant {
                    None => Spec::Minimax {
                        depth,
                        nodes: nodes.unwrap_or(u32::MAX),
                    },
                    Some(variant) => Spec::IwokiMinimax(Minimax {
                        depth,
                        nodes: nodes.map_or(u64::MAX, u64::from),
                        variant,
                    }),
                })
            }
            ("mcts", detail) => {
                let [playouts, rave] = numbers(
                    detail,
                    [("playouts", MOST_PLAYOUTS), ("rave", u16::MAX.into())],
                )?;
                Ok(Spec::Mcts {
                    playouts: playouts.unwrap_or(2000),
                    rave: rave.unwrap_or(0) as u16,
                })
            }
            ("det", detail) => {
                let [depth, samples] = numbers(
                    detail,
                    [("depth", MAX_PLY.into()), ("samples", u16::MAX.into())],
                )?;
                Ok(Spec::Det {
                    depth: depth.unwrap_or(2) as u8,
                    samples: samples.unwrap_or(16) as u16,
                })
            }
            ("ismcts", detail) => {
                let [playouts] = numbers(detail, [("playouts", MOST_PLAYOUTS)])?;
                Ok(Spec::Ismcts {
                    playouts: playouts.unwrap_or(2000),
                })
            }
            ("belt", Some(name)) => Ok(Spec::Belt(belt(name)?)),
            ("rules", Some(name)) => Ok(Spec::Rules(belt(name)?)),
            ("annilgos", Some(detail)) => {
                let (network, settings) = detail
                    .split_once(',')
                    .map_or((detail, None), |(name, rest)| (name, Some(rest)));
                let (candidates, others) = candidates(settings.unwrap_or_default())?;
                let others = Some(others.join(",")).filter(|others| !others.is_empty());
                let [depth, nodes] =
                    numbers(others.as_deref(), [("depth", 16), ("nodes", u32::MAX)])?;
                Ok(Spec::Annilgos {
                    network: network.into(),
                    search: PublishedSearch {
                        depth: depth.unwrap_or(3) as u8,
                        nodes: nodes.unwrap_or(u32::MAX),
                        candidates,
                    },
                })
            }
            ("gnugo", detail) => {
                let [level] = numbers(detail, [("level", 10)])?;
                Ok(Spec::Program(GtpProgram::GnuGo {
                    level: level.unwrap_or(1) as u8,
                }))
            }
            ("weak", detail) => {
                let [percent] = numbers(detail, [("percent", 100)])?;
                Ok(Spec::Program(GtpProgram::Weak {
                    percent: percent.unwrap_or(50) as u8,
                }))
            }
            ("gtp", Some(command)) if !command.trim().is_empty() => {
                Ok(Spec::Program(GtpProgram::Command(command.into())))
            }
            ("policy", Some(detail)) => {
                let (file, settings) = detail
                    .split_once(',')
                    .map_or((detail, None), |(file, rest)| (file, Some(rest)));
                if file.is_empty() {
                    return Err("expected policy:FILE,playouts=N".into());
                }
                let most = 1000;
                let [playouts, trust @ ..] = numbers(
                    settings,
                    [
                        ("playouts", MOST_PLAYOUTS),
                        ("even", most),
                        ("won", most),
                        ("lost", most),
                        ("most-lost", most),
                    ],
                )?;
                Ok(Spec::Policy {
                    file: file.into(),
                    playouts: playouts.unwrap_or(2000),
                    trust: trust.map(|number| number.map(|number| number as u16)),
                })
            }
            ("human", None) => Ok(Spec::Human),
            ("table", Some(file)) if !file.is_empty() => Ok(Spec::Table(file.into())),
            ("bank", Some(detail)) => match detail.rsplit_once('#') {
                Some((file, name)) if !file.is_empty() => Ok(Spec::Model {
                    file: file.into(),
                    name: name.into(),
                }),
                _ => Err("expected bank:FILE#NAME".into()),
            },
            _ => Err(unknown(kind)),
        }
    }
}

/// The message about a player that is not known or that is written wrongly.
fn unknown(kind: &str) -> String {
    let of_kind = KNOWN.iter().filter(|known| known.kind() == kind);
    let forms: Vec<_> = of_kind.map(|known| known.form).collect();
    match &forms[..] {
        [] => {
            let known = KNOWN.iter().map(Known::kind);
            let all = "`dojo arena --list` lists all";
            format!("unknown player{}", nearest::hint(kind, known, all))
        }
        forms => format!("expected {}", forms.join(" or ")),
    }
}

impl Spec {
    /// The same player with a budget a move: `playouts=N`, `nodes=N`, or `device:Ns` for the amount
    /// that the device computes in N seconds.
    pub fn with_budget(self, budget: &str, game: GameId) -> Result<Spec, String> {
        if let Some(time) = budget.strip_prefix("device:") {
            let millis = device_budget::millis(time)?;
            return match self {
                Spec::Mcts { rave: 0, .. } => Ok(Spec::Mcts {
                    playouts: device_budget::playouts(game, millis)?,
                    rave: 0,
                }),
                Spec::Policy { file, trust, .. } => Ok(Spec::Policy {
                    file,
                    playouts: device_budget::learned_playouts(millis),
                    trust,
                }),
                Spec::Search { depth, .. } => Ok(Spec::Search {
                    depth,
                    nodes: device_budget::nodes(game, millis)?,
                }),
                _ => Err("a time of the device is for mcts without rave and for search".into()),
            };
        }
        const EXPECTED: &str = "expected playouts=N for mcts, nodes=N for search or device:Ns; other players have none";
        if !budget.contains('=') {
            return Err(EXPECTED.into());
        }
        let [playouts, nodes] = numbers(
            Some(budget),
            [("playouts", MOST_PLAYOUTS), ("nodes", u32::MAX)],
        )?;
        match (self, playouts, nodes) {
            (Spec::Mcts { rave, .. }, Some(playouts), None) => Ok(Spec::Mcts { playouts, rave }),
            (Spec::Policy { file, trust, .. }, Some(playouts), None) => Ok(Spec::Policy {
                file,
                playouts,
                trust,
            }),
            (Spec::Search { depth, .. }, None, Some(nodes)) => Ok(Spec::Search { depth, nodes }),
            _ => Err(EXPECTED.into()),
        }
    }

    /// The budget of a move, in words.
    pub fn spends(&self) -> Option<String> {
        match self {
            Spec::Mcts { playouts, .. } | Spec::Policy { playouts, .. } => {
                Some(format!("{playouts} playouts"))
            }
            Spec::Search { nodes, .. } => Some(format!("{nodes} nodes")),
            _ => None,
        }
    }

    /// The same player with a share of its budget; `None` if it has no budget.
    pub fn spending(&self, share: f64) -> Option<Spec> {
        let less = |count: u32| ((f64::from(count) * share) as u32).max(1);
        match *self {
            Spec::Mcts { playouts, rave } => Some(Spec::Mcts {
                playouts: less(playouts),
                rave,
            }),
            Spec::Policy {
                ref file,
                playouts,
                trust,
            } => Some(Spec::Policy {
                file: file.clone(),
                playouts: less(playouts),
                trust,
            }),
            Spec::Search { depth, nodes } if nodes < u32::MAX => Some(Spec::Search {
                depth,
                nodes: less(nodes),
            }),
            Spec::Annilgos {
                ref network,
                ref search,
            } if share < 0.1 && search.depth > 1 => Some(Spec::Annilgos {
                network: network.clone(),
                search: PublishedSearch {
                    depth: 1,
                    ..search.clone()
                },
            }),
            _ => None,
        }
    }
}

/// Takes `candidates=SOURCE` out of settings; at most one.
fn candidates(settings: &str) -> Result<(CandidateSource, Vec<&str>), String> {
    let (own, others): (Vec<&str>, Vec<&str>) = settings
        .split(',')
        .filter(|setting| !setting.is_empty())
        .partition(|setting| setting.starts_with("candidates="));
    match own[..] {
        [] => Ok((CandidateSource::default(), others)),
        ["candidates="] => {
            Err("candidates: expected patterns, urgency, published or a rule file".into())
        }
        [one] => {
            let source = one.trim_start_matches("candidates=");
            Ok((CandidateSource::parse(source), others))
        }
        _ => Err("candidates: expected once".into()),
    }
}

/// Reads `key=N,key=N`: each key at most once, in any order, N from 1 to the key's largest.
fn numbers<const N: usize>(
    detail: Option<&str>,
    keys: [(&str, u32); N],
) -> Result<[Option<u32>; N], String> {
    let mut values = [None; N];
    for pair in detail.into_iter().flat_map(|detail| detail.split(',')) {
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(place) = keys.iter().position(|(known, _)| *known == key) else {
            let known = keys.map(|(key, _)| key);
            let all = format!("there are {}", known.join(", "));
            return Err(format!(
                "unknown setting `{key}`{}",
                nearest::hint(key, known, &all)
            ));
        };
        let number = text
            .parse()
            .ok()
            .filter(|number| (1..=keys[place].1).contains(number));
        let number =
            number.ok_or_else(|| format!("expected {key}=N with N from 1 to {}", keys[place].1))?;
        if values[place].replace(number).is_some() {
            return Err(format!("{key} is given twice"));
        }
    }
    Ok(values)
}

fn plies(detail: &str, key: &str) -> Result<Spec, String> {
    let number = detail
        .strip_prefix(key)
        .and_then(|rest| rest.strip_prefix('='))
        .and_then(|n| n.parse().ok());
    match number {
        Some(plies @ 1..=MOST_PLIES) => Ok(Spec::Lookahead { plies }),
        _ => Err(format!("expected {key}=N with N from 1 to {MOST_PLIES}")),
    }
}

/// A player that only one game has, as a function from positions to moves.
pub type PlayerFn<G> = Arc<dyn Fn(&G, &mut Rng) -> Option<<G as Game>::Move> + Send + Sync>;

/// Count of an external program's faults: illegal moves, late or malformed answers, crashes.
pub type Faults = Arc<AtomicU32>;

/// A game with players by name, for matches.
pub trait ArenaGame: Belted + Send + Sync + 'static
where
    Self::Rules: Send + Sync,
{
    /// Points of a margin for each unit of [`Game::margin`].
    const POINTS: f64 = 1.0;

    /// The game's own player for a name; `None` if it has none.
    fn game_player(spec: &Spec, rules: Self::Rules) -> Option<PlayerFn<Self>>;

    /// A player of this game that needs a model or an external program, and the count of its
    /// faults.
    fn external_player(spec: &Spec, _: &Bank<'_>) -> Result<(PlayerFn<Self>, Faults), Failure> {
        let _ = spec;
        Err(Failure::Usage(format!("{} has no such player", Self::NAME)))
    }

    /// The result for a player, 1, 0 or −1, and its margin. `gave_up` resigned.
    fn verdict(end: &Self, player: Player, gave_up: Option<Player>) -> (i8, i16) {
        match gave_up {
            Some(loser) => (if loser == player { -1 } else { 1 }, end.margin(player)),
            None => (
                end.outcome().unwrap_or(Outcome::Draw).value_for(player),
                end.margin(player),
            ),
        }
    }

    /// Whether these rules have hidden information.
    fn hides(_: Self::Rules) -> bool {
        false
    }

    /// The position as the player to move may see it, for a person at a terminal.
    fn view(&self) -> String {
        self.to_string()
    }

    /// A move as a person's list of moves has it.
    fn described(&self, mv: Self::Move) -> String {
        mv.to_string()
    }
}

/// A player ready for games. It has no state between moves, so that many games can share it.
#[derive(Clone)]
pub enum ArenaPlayer<'a, G: Belted> {
    /// A uniformly random legal move.
    Random,
    /// Looks a few moves ahead.
    Lookahead(Lookahead),
    /// Searches within these limits.
    Search(Settings, Limits),
    /// Monte Carlo tree search with so many playouts and this weight of RAVE.
    Mcts(u32, u16),
    /// A belt with its bank.
    Belt(BeltPlayer<'a, G>),
    /// A model that fits the game: its entry in the bank, and its payload.
    Model(Meta, Vec<u8>),
    /// A player that only this game has.
    OfGame(PlayerFn<G>),
    /// A player with a model or an external program, and the count of its faults.
    External(PlayerFn<G>, Faults),
    /// A person; the flag is set once the input has ended.
    Person(PlayerFn<G>, Arc<AtomicBool>),
    /// A player whose decisions are timed.
    Timed(Box<ArenaPlayer<'a, G>>, Arc<Clock>),
}

/// Number and time of a player's decisions.
#[derive(Debug, Default)]
pub struct Clock {
    decisions: AtomicU64,
    nanos: AtomicU64,
}

impl Clock {
    /// Mean time of a decision in microseconds.
    pub fn micros(&self) -> f64 {
        let decisions = self.decisions.load(Ordering::Relaxed).max(1);
        self.nanos.load(Ordering::Relaxed) as f64 / 1e3 / decisions as f64
    }
}

impl<G: Belted> fmt::Debug for ArenaPlayer<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArenaPlayer::Random => "Random",
            ArenaPlayer::Lookahead(_) => "Lookahead",
            ArenaPlayer::Search(..) => "Search",
            ArenaPlayer::Mcts(..) => "Mcts",
            ArenaPlayer::Belt(_) => "Belt",
            ArenaPlayer::Model(..) => "Model",
            ArenaPlayer::OfGame(_) => "OfGame",
            ArenaPlayer::External(..) => "External",
            ArenaPlayer::Person(..) => "Person",
            ArenaPlayer::Timed(..) => "Timed",
        })
    }
}

impl<'a, G: ArenaGame> ArenaPlayer<'a, G>
where
    G::Rules: Send + Sync,
{
    /// The player for a game under these rules; belts take their models from `bank`.
    pub fn new(
        spec: &Spec,
        rules: G::Rules,
        bank: &'a Bank<'a>,
    ) -> Result<ArenaPlayer<'a, G>, Failure> {
        Ok(match spec {
            Spec::Random => ArenaPlayer::Random,
            Spec::Search { .. }
            | Spec::Minimax { .. }
            | Spec::IwokiMinimax(_)
            | Spec::Mcts { .. }
            | Spec::Lookahead { .. }
                if G::hides(rules) =>
            {
                let what = "this player looks at what is hidden: take det, ismcts or a belt, or play the open form (--open)";
                return Err(Failure::Usage(what.into()));
            }
            Spec::Perfect
            | Spec::Smart
            | Spec::Simple
            | Spec::Marks { .. }
            | Spec::Greedy
            | Spec::BestVs(_)
            | Spec::IwokiMinimax(_)
            | Spec::Det { .. }
            | Spec::Ismcts { .. } => {
                ArenaPlayer::OfGame(G::game_player(spec, rules).ok_or_else(|| {
                    Failure::Usage(format!("{} with {rules} has no such player", G::NAME))
                })?)
            }
            Spec::Human => {
                return Err(Failure::usage("a person plays in dojo arena only"));
            }
            Spec::Annilgos { .. } | Spec::Program(_) | Spec::Table(_) | Spec::Policy { .. } => {
                let (player, faults) = G::external_player(spec, bank)?;
                ArenaPlayer::External(player, faults)
            }
            Spec::Lookahead { plies } => ArenaPlayer::Lookahead(Lookahead { plies: *plies }),
            Spec::Search { depth, nodes } => ArenaPlayer::Search(
                Settings::SOUND,
                Limits {
                    depth: *depth,
                    nodes: *nodes,
                    ..Limits::NONE
                },
            ),
            Spec::Minimax { depth, nodes } => ArenaPlayer::Search(
                Settings::PLAIN,
                Limits {
                    depth: *depth,
                    nodes: *nodes,
                    ..Limits::NONE
                },
            ),
            Spec::Mcts { playouts, rave } => G::game_player(spec, rules)
                .map_or(ArenaPlayer::Mcts(*playouts, *rave), ArenaPlayer::OfGame),
            Spec::Belt(belt) => ArenaPlayer::Belt(BeltPlayer::new(*belt, rules, Some(bank))),
            Spec::Rules(belt) => ArenaPlayer::Belt(BeltPlayer::new(*belt, rules, None)),
            Spec::Model { file, name } => {
                let bytes = crate::bank::read(file)?;
                let bank = open(file, &bytes)?;
                let entry = bank
                    .entries()
                    .find(|entry| entry.meta.name() == name)
                    .ok_or_else(|| {
                        let names: Vec<_> = bank
                            .entries()
                            .map(|entry| entry.meta.name().to_owned())
                            .collect();
                        Failure::Usage(format!(
                            "{}: no model `{name}`, there are {}",
                            file.display(),
                            names.join(", ")
                        ))
                    })?;
                if !G::fits(rules, &entry.meta) {
                    let what =
                        format!("model `{name}` does not play {} under these rules", G::NAME);
                    return Err(Failure::Usage(format!("{}: {what}", file.display())));
                }
                let payload = entry.payload().map_err(|error| refused(file, &error))?;
                ArenaPlayer::Model(entry.meta, payload.to_vec())
            }
        })
    }

    /// Its move; `None` if the game is over or it gives up.
    pub fn choose(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            ArenaPlayer::Random => Random.choose(game, rng),
            ArenaPlayer::Lookahead(agent) => { *agent }.choose(game, rng),
            ArenaPlayer::Search(settings, limits) => {
                let (mut slots, mut moves) =
                    (vec![Slot::default(); SLOTS], vec![Ranked::default(); SLOTS]);
                let plan = Plan {
                    knowledge: G::Knowledge::default(),
                    settings: *settings,
                    limits: *limits,
                };
                Engine::new(&mut slots, &mut moves)
                    .think(game, &plan, &mut ())
                    .mv
            }
            ArenaPlayer::Mcts(playouts, rave) => {
                let mut pool = vec![Node::default(); POOL];
                let settings = Playouts {
                    rave: *rave,
                    ..Playouts::new(Uniform)
                };
                Mcts::new(&mut pool, settings)
                    .think(game, &Open, &Limits::nodes(*playouts), rng, &mut ())
                    .mv
            }
            ArenaPlayer::Belt(belt) => {
                let answer = belt.answer(
                    game,
                    rng,
                    &mut Resources {
                        memory: &mut Heap::default(),
                        control: &mut (),
                        helper: None,
                    },
                );
                G::Move::from_index(answer?.index()?)
            }
            ArenaPlayer::Model(meta, payload) => {
                let mut resources = Resources {
                    memory: &mut Heap::default(),
                    control: &mut (),
                    helper: None,
                };
                game.by_model(Belt::Black, &G::model(meta, payload)?, rng, &mut resources)
            }
            ArenaPlayer::OfGame(own)
            | ArenaPlayer::External(own, _)
            | ArenaPlayer::Person(own, _) => own(game, rng),
            ArenaPlayer::Timed(player, clock) => {
                let start = Instant::now();
                let chosen = player.choose(game, rng);
                let nanos = start.elapsed().as_nanos() as u64;
                clock.nanos.fetch_add(nanos, Ordering::Relaxed);
                clock.decisions.fetch_add(1, Ordering::Relaxed);
                chosen
            }
        }
    }

    /// The same player with its decisions timed.
    pub fn timed(self, clock: &Arc<Clock>) -> ArenaPlayer<'a, G> {
        ArenaPlayer::Timed(Box::new(self), clock.clone())
    }

    /// Whether this is a person, who is not asked for trial games.
    pub fn is_person(&self) -> bool {
        match self {
            ArenaPlayer::Person(..) => true,
            ArenaPlayer::Timed(player, _) => player.is_person(),
            _ => false,
        }
    }

    /// Whether this is a person whose input has ended.
    pub fn has_left(&self) -> bool {
        match self {
            ArenaPlayer::Person(_, left) => left.load(Ordering::Relaxed),
            ArenaPlayer::Timed(player, _) => player.has_left(),
            _ => false,
        }
    }

    /// Faults so far; 0 for everything but external programs.
    pub fn faults(&self) -> u32 {
        match self {
            ArenaPlayer::External(_, faults) => faults.load(Ordering::Relaxed),
            ArenaPlayer::Timed(player, _) => player.faults(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_odd_ones_refused() {
        assert_eq!(
            "search:depth=3".parse(),
            Ok(Spec::Search {
                depth: 3,
                nodes: u32::MAX
            })
        );
        assert_eq!(
            "search:nodes=9,depth=3".parse(),
            Ok(Spec::Search { depth: 3, nodes: 9 })
        );
        assert_eq!(
            "search".parse(),
            Ok(Spec::Search {
                depth: 64,
                nodes: u32::MAX
            })
        );
        assert_eq!(
            "minimax:depth=2".parse(),
            Ok(Spec::Minimax {
                depth: 2,
                nodes: u32::MAX
            })
        );
        let variant = Variant::take("order=published,leaf=points").unwrap().0;
        let search = |text: &str| match text.parse() {
            Ok(Spec::IwokiMinimax(search)) => Some((search.depth, search.nodes, search.variant)),
            _ => None,
        };
        assert_eq!(
            search("minimax:depth=3,order=published,leaf=points,nodes=9"),
            variant.map(|variant| (3, 9, variant))
        );
        assert!(search("minimax:turns,depth=2").is_some());
        assert_eq!("human".parse(), Ok(Spec::Human));
        assert_eq!("table:a.txt".parse(), Ok(Spec::Table("a.txt".into())));
        assert_eq!(
            "det:samples=4".parse(),
            Ok(Spec::Det {
                depth: 2,
                samples: 4
            })
        );
        assert_eq!("ismcts".parse(), Ok(Spec::Ismcts { playouts: 2000 }));
        assert_eq!(
            "mcts:playouts=50,rave=7".parse(),
            Ok(Spec::Mcts {
                playouts: 50,
                rave: 7
            })
        );
        assert_eq!(
            "lookahead:plies=1".parse(),
            Ok(Spec::Lookahead { plies: 1 })
        );
        assert_eq!("belt:black".parse(), Ok(Spec::Belt(Belt::Black)));
        assert_eq!("rules:black".parse(), Ok(Spec::Rules(Belt::Black)));
        assert_eq!(
            "weak".parse(),
            Ok(Spec::Program(GtpProgram::Weak { percent: 50 }))
        );
        assert_eq!(
            "gtp:gnugo --mode gtp".parse(),
            Ok(Spec::Program(GtpProgram::Command(
                "gnugo --mode gtp".into()
            )))
        );
        assert_eq!(
            "annilgos:mlp,depth=1".parse(),
            Ok(Spec::Annilgos {
                network: "mlp".into(),
                search: PublishedSearch::depth(1)
            })
        );
        let policy = Spec::Policy {
            file: "a.txt".into(),
            playouts: 50,
            trust: [None, Some(12), None, None],
        };
        assert_eq!("policy:a.txt,playouts=50,won=12".parse(), Ok(policy));
        for (text, candidates) in [
            ("patterns", CandidateSource::Bank),
            ("urgency", CandidateSource::Urgency),
            ("published", CandidateSource::Published),
            ("a.tsv", CandidateSource::File("a.tsv".into())),
        ] {
            let search = PublishedSearch {
                depth: 3,
                nodes: 900,
                candidates,
            };
            assert_eq!(
                format!("annilgos:eyes,candidates={text},nodes=900").parse(),
                Ok(Spec::Annilgos {
                    network: "eyes".into(),
                    search
                })
            );
        }
        let model = Spec::Model {
            file: "a#b.bank".into(),
            name: "c".into(),
        };
        assert_eq!("bank:a#b.bank#c".parse(), Ok(model));
        for odd in [
            "",
            "Random",
            "random:",
            "belt",
            "belt:",
            "belt:red",
            "lookahead:3",
            "search:depth=0",
            "search:depth=65",
            "search:depth=x",
            "search:",
            "search:depth=3,depth=3",
            "search:plies=3",
            "minimax",
            "minimax:turns",
            "minimax:depth=2,turns,draw=published",
            "minimax:depth=2,order=best",
            "table",
            "table:",
            "human:me",
            "mcts:playouts=0",
            "gtp:",
            "gnugo:level=11",
            "annilgos",
            "annilgos:mlp,plies=3",
            "annilgos:mlp,candidates=",
            "annilgos:mlp,candidates=patterns,candidates=patterns",
            "bank:file",
            "policy",
            "policy:",
            "policy:a.txt,nodes=3",
            "bank:#x",
            "perfect:1",
            "best-vs:me",
            "human?",
        ] {
            assert!(odd.parse::<Spec>().is_err(), "{odd}");
        }
    }
}
