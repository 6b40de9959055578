//! Go on a PC: training, SGF records, GTP, and the opponents of published figures.

use std::sync::Arc;

use dojo_core::bank::exercises::Goal;
use dojo_core::bank::{Bank, Kind, Meta};
use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::go::clauses::ClauseSet;
use dojo_core::games::go::players::{self, CapturePlayer, dead_stones};
use dojo_core::games::go::policy::Policy;
use dojo_core::games::go::{Area, GoMove, Point, Points};
use dojo_core::games::{GameId, Go, GoRules};
use dojo_core::memory::Heap;
use dojo_core::players::Agent;
use dojo_core::players::belts::Resources;
use dojo_core::rng::Rng;
use dojo_core::search::Margins;

use crate::bank::manifest::ModelKind;
use crate::certify::CertifiedModel;
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{ArenaGame, Faults, PlayerFn, Spec};
use crate::puzzles::Search;
use crate::search_lab::SearchLabGame;
use crate::train::Preset;
use gtp_player::GtpPlayer;
use published::Published;

pub mod certify;
pub mod clock;
pub mod distillation;
pub mod experiment;
pub mod gtp;
pub mod gtp_player;
pub mod patterns;
pub mod policy;
pub mod published;
pub mod record;
pub mod referee;
pub mod self_play;
pub mod sgf;
pub mod shards;
pub mod tactics;
pub mod train;
pub mod turn;

impl ArenaGame for Go {
    const POINTS: f64 = 0.5;

    /// `mcts` without a weight of RAVE is the search of the belts.
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        match *spec {
            Spec::Smart => Some(Arc::new(|game, rng| CapturePlayer.choose(game, rng))),
            Spec::Mcts { playouts, rave: 0 } => {
                let settings = players::TreeSettings::best(playouts);
                Some(Arc::new(move |game, rng| {
                    tree_move(game, &settings, &[], rng)
                }))
            }
            _ => None,
        }
    }

    fn external_player(spec: &Spec, bank: &Bank<'_>) -> Result<(PlayerFn<Self>, Faults), Failure> {
        match spec {
            Spec::Program(program) => {
                let player = GtpPlayer::new(program)?;
                let faults = player.faults();
                Ok((Arc::new(move |game, rng| player.choose(game, rng)), faults))
            }
            Spec::Annilgos { network, search } => {
                let player = Published::from_bank(bank, network, search)?;
                Ok((
                    Arc::new(move |game, _| player.choose(game)),
                    Faults::default(),
                ))
            }
            Spec::Policy {
                file,
                playouts,
                trust: [even, won, lost, most_lost],
            } => {
                let bytes = match file.to_str().and_then(Belt::from_name) {
                    Some(belt) => of_belt(bank, belt).ok_or_else(|| {
                        Failure::Usage(format!("the bank has no policy for {}", belt.name()))
                    })?,
                    None => policy::read(file)?,
                };
                let best = players::Trust::BEST;
                let settings = players::TreeSettings {
                    trust: players::Trust {
                        even: even.unwrap_or(best.even),
                        won: won.unwrap_or(best.won),
                        lost: lost.unwrap_or(best.lost),
                        most_lost: most_lost.unwrap_or(best.most_lost),
                    },
                    ..players::TreeSettings::timed(*playouts)
                };
                let player: PlayerFn<Go> =
                    Arc::new(move |game, rng| tree_move(game, &settings, &bytes, rng));
                Ok((player, Faults::default()))
            }
            _ => Err(Failure::usage("go has no such player")),
        }
    }

    /// Dead stones are removed before counting.
    fn verdict(end: &Go, player: Player, gave_up: Option<Player>) -> (i8, i16) {
        let score = final_score(end);
        let margin = if player == Player::First {
            score
        } else {
            -score
        };
        let value = gave_up.map_or(
            margin.signum() as i8,
            |loser| if loser == player { -1 } else { 1 },
        );
        (value, margin)
    }
}

/// The policy of a belt in a bank.
pub fn of_belt(bank: &Bank<'_>, belt: Belt) -> Option<Vec<u8>> {
    let entry = bank.find(GameId::Go, Kind::Policy, belt)?;
    let payload = entry.payload().ok()?;
    Policy::new(&entry.meta, payload).map(|_| payload.to_vec())
}

/// The move of the tree search, with a policy unless its bytes are empty.
fn tree_move(
    game: &Go,
    settings: &players::TreeSettings,
    policy: &[u8],
    rng: &mut Rng,
) -> Option<GoMove> {
    let mut resources = Resources {
        memory: &mut Heap::default(),
        control: &mut (),
        helper: None,
    };
    let policy = Policy::from_bytes(policy);
    players::choose(game, settings, policy, rng, &mut resources).map(|choice| choice.mv)
}

impl SearchLabGame for Go {
    type Ends = Margins;
    type Hints = Area;
    const HINTS: bool = true;
    /// Plain minimax sees 80 moves everywhere.
    const DEPTH: u8 = 2;
}

impl LabGame for Go {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const PRESETS: &'static [Preset] = train::PRESETS;
    const PUZZLE_SENSE: u32 = 4;
    /// Later positions are crowded.
    const PUZZLE_PLIES: usize = 36;
    const PUZZLE_PLAYER: Spec = Spec::Smart;
    const PUZZLE_CANDIDATES: usize = 2;

    /// Small boards.
    fn puzzle_rules(rng: &mut Rng) -> Option<Self::Rules> {
        GoRules::new(if rng.below(2) == 0 { 5 } else { 7 })
    }

    fn search_puzzle(&self) -> Search<GoMove> {
        tactics::search(self)
    }

    fn check_block(&self, goal: Goal, place: GoMove, best: GoMove) -> Result<(), String> {
        let place = place.point().ok_or("a pass has no block")?;
        tactics::check(self, goal, place, best)
    }

    const TOO_LARGE: Option<&'static str> = Some("go has too many positions to be solved here");
    /// A game of black takes a quarter of a minute.
    const BELTS: BeltMatches = BeltMatches {
        table: 20,
        every_run: false,
        order: (40, 1),
        always: 3,
        rival: Some(("smart", Spec::Smart)),
    };

    fn certify(kind: ModelKind, values: &[f64], _: Option<Belt>) -> Result<CertifiedModel, String> {
        certify::certify_go(kind, values)
    }

    fn refusal(meta: &Meta, payload: &[u8]) -> Option<String> {
        let patterns = ClauseSet::open(meta, payload);
        let fault = patterns.err().filter(|_| meta.kind == Kind::Patterns);
        fault.map(|fault| fault.to_string())
    }

    /// Its belts are timed by themselves (`dojo bench --device --part go`).
    fn device_cases() -> Vec<DeviceCase<Go>> {
        vec![]
    }
}

/// The score in half points without dead stones, positive if black is ahead: people and engines do
/// not capture dead stones one by one at the end.
pub fn final_score(game: &Go) -> i16 {
    game.score_without(dead_stones(game))
}

/// The hand-written urgency of moves, which chooses the candidates of the published player today.
pub(crate) fn players_move_score(game: &Go, points: Points) -> Vec<(Point, i64)> {
    points
        .map(|point| (point, players::annilgos::move_score(game, point).into()))
        .collect()
}
