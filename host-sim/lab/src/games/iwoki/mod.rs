//! Iwoki on a PC: how its networks learn, and the table of the published work.

use std::sync::Arc;

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::game::{Game, Player};
use dojo_core::games::iwoki::board::{HEX_GAPS, SMALL_GAPS};
use dojo_core::games::iwoki::players::{Greedy, WEIGHT_SCALE, look_ahead};
use dojo_core::games::iwoki::tiles::{HexShape, corners};
use dojo_core::games::iwoki::{self, Action, FEATURES, FinalCounts, Form, SmallGapName};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::memory::Heap;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use dojo_core::search::{Limits, Look};

use crate::bank::manifest::ModelKind;
use crate::certify::CertifiedModel;
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::files;
use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{ArenaGame, Faults, POOL, PlayerFn, Spec};
use crate::puzzles::Search;
use crate::search::mcts::{Mcts, Node, Playouts, Policy, Reward, Veiled};
use crate::search_lab::{OwnSearch, SearchLabGame};
use crate::train::Preset;
use minimax::{AS_THE_RULES, COMPARED, Compared, Minimax};
use table::QLearner;

pub mod certify;
pub mod endgame;
pub mod experiment;
pub mod guess;
pub mod learner;
pub mod minimax;
pub mod table;
pub mod train;

/// Playouts by [`Greedy`] with every eighth action at random. The reward is the result plus a share of the
/// margin.
#[derive(Clone, Copy, Debug, Default)]
struct GreedyPlayouts;

impl Policy<Iwoki> for GreedyPlayouts {
    fn choose(&self, game: &Iwoki, rng: &mut Rng) -> Option<Action> {
        if rng.below(8) == 0 {
            Random.choose(game, rng)
        } else {
            Greedy.choose(game, rng)
        }
    }

    fn reward(&self, end: &Iwoki, player: Player) -> Reward {
        let lead = end.lead(player);
        (128 + 64 * lead.signum() + 2 * lead.clamp(-32, 32)) as Reward
    }

    fn prior(&self, game: &Iwoki, action: Action) -> (u16, Reward) {
        (4, (100 + 6 * Reward::from(game.points_of(action))).min(256))
    }
}

/// The greedy player, and players that sample the hidden information; a search counts turns, so that it looks past a draw.
impl ArenaGame for Iwoki {
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        match *spec {
            Spec::Greedy => Some(Arc::new(|game, rng| Greedy.choose(game, rng))),
            Spec::Det { depth, samples } => Some(Arc::new(move |game, rng| {
                let mut resources = Resources {
                    memory: &mut Heap::default(),
                    control: &mut (),
                    helper: None,
                };
                look_ahead(
                    game,
                    FinalCounts,
                    &[Look::at_all(depth, samples)],
                    rng,
                    &mut resources,
                )
            })),
            Spec::IwokiMinimax(search) => Some(Arc::new(move |game, _| search.decide(game).0)),
            Spec::Ismcts { playouts } => Some(Arc::new(move |game, rng| {
                let mut pool = vec![Node::default(); POOL];
                let settings = Playouts {
                    exploration: 128,
                    expand_at: 8,
                    ..Playouts::new(GreedyPlayouts)
                };
                Mcts::new(&mut pool, settings)
                    .think(game, &Veiled, &Limits::nodes(playouts), rng, &mut ())
                    .mv
            })),
            _ => None,
        }
    }

    /// The published learner's table.
    fn external_player(spec: &Spec, _: &Bank<'_>) -> Result<(PlayerFn<Self>, Faults), Failure> {
        let Spec::Table(file) = spec else {
            return Err(Failure::usage("iwoki has no such player"));
        };
        let table = QLearner::parse(&files::read_text(file)?)
            .map_err(|fault| Failure::Check(format!("{}: {fault}", file.display())))?;
        let own = move |game: &Iwoki, rng: &mut Rng| table.best(game, rng);
        Ok((Arc::new(own), Faults::default()))
    }

    fn hides(rules: IwokiRules) -> bool {
        rules.form == Form::Normal
    }

    /// Tiles on the board, then both players without what is hidden.
    fn view(&self) -> String {
        let hexes =
            (0..HEX_GAPS).filter_map(|gap| Some(format!("H{} {}", gap + 1, self.hex_on(gap)?)));
        let smalls = (0..SMALL_GAPS)
            .filter_map(|gap| Some(format!("{} {}", SmallGapName(gap), self.small_on(gap)?)));
        let board: Vec<_> = hexes.chain(smalls).collect();
        let mut text = format!("Board: {}", board.join(", "));
        for player in [self.turn(), !self.turn()] {
            let (hand, mine) = (self.hand(player), player == self.turn());
            let name = if mine { "You" } else { "Opponent" };
            let small = |kind| corners(kind).map(|corner| corner.to_string()).concat();
            let smalls: Vec<_> = hand.smalls().map(small).collect();
            let seen = mine || !Self::hides(self.rules());
            let hexes = hand.hex_tiles().filter_map(|tile| HexShape::new(tile, 0));
            let hexes: Vec<_> = hexes.map(|shape| shape.to_string()).collect();
            text += &format!(
                "\n{name}: {} points, {} white tokens, {} small tiles{}, hexagonal {}",
                hand.points(),
                hand.tokens(),
                hand.held(),
                if seen {
                    format!(" ({})", smalls.join(" "))
                } else {
                    String::new()
                },
                if hexes.is_empty() {
                    "none".into()
                } else {
                    hexes.join(" ")
                }
            );
        }
        text
    }

    fn described(&self, action: Action) -> String {
        match action {
            Action::DRAW | Action::PASS => action.to_string(),
            _ => format!("{action}  {} points", self.points_of(action)),
        }
    }
}

impl SearchLabGame for Iwoki {
    type Ends = FinalCounts;
    type Hints = FinalCounts;
    const HINTS: bool = true;
    /// Minimax cannot reach the end of a game.
    const DEPTH: u8 = 3;

    /// The published search and its variants.
    fn own_searches() -> Vec<OwnSearch<Self>> {
        let search = |&Compared {
                          name,
                          about,
                          variant,
                      }: &Compared| OwnSearch {
            name,
            base: (name != AS_THE_RULES).then_some(AS_THE_RULES),
            about,
            think: Box::new(move |_, game, limits| {
                let search = Minimax {
                    depth: limits.depth,
                    nodes: limits.nodes.into(),
                    variant,
                };
                search.found(game)
            }),
        };
        COMPARED.iter().map(search).collect()
    }
}

impl LabGame for Iwoki {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const PRESETS: &'static [Preset] = train::PRESETS;
    const TOO_LARGE: Option<&'static str> = Some("iwoki is too large to be solved");
    const BELTS: BeltMatches = BeltMatches {
        table: 400,
        every_run: false,
        order: (200, 1),
        rival: Some(("greedy", Spec::Greedy)),
        ..BeltMatches::QUICK
    };

    const PUZZLE_CANDIDATES: usize = 2;

    fn search_puzzle(&self) -> Search<Action> {
        endgame::search(self)
    }

    fn check_points(&self, stated: (Action, i16, i16)) -> Result<(), String> {
        endgame::check(self, stated)
    }

    /// Hidden hands have no exact result.
    fn puzzle_rules(rng: &mut Rng) -> Option<IwokiRules> {
        Some(IwokiRules {
            form: Form::Open,
            deal: rng.below(1 << 30).into(),
        })
    }

    /// Records have their own format.
    fn replay(text: &str) -> Result<(Iwoki, usize), (usize, String)> {
        let replayed =
            iwoki::record::replay(text).map_err(|error| (error.line, error.fault.to_string()))?;
        Ok((replayed.end, replayed.moves))
    }

    fn certify(
        kind: ModelKind,
        values: &[f64],
        belt: Option<Belt>,
    ) -> Result<CertifiedModel, String> {
        let (inputs, hidden) = match kind {
            ModelKind::Network { inputs, hidden } if usize::from(inputs) == FEATURES => {
                (inputs, hidden)
            }
            _ => {
                return Err(format!(
                    "iwoki has networks of {FEATURES} inputs, not {kind}"
                ));
            }
        };
        let (payload, proof) = certify::certify_iwoki(values, hidden.into(), belt)?;
        let kind = ModelKind::network(inputs, hidden);
        Ok(CertifiedModel::network(kind, WEIGHT_SCALE, payload, proof))
    }

    fn device_cases() -> Vec<DeviceCase<Iwoki>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 6, 12, 18, 24],
            most_ms: 3000.0,
        }]
    }
}
