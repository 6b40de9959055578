//! Connect Four on a PC.

use dojo_core::game::Game;
use dojo_core::games::Connect4;
use dojo_core::games::connect4::Threats;
use dojo_core::search::Results;

use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{ArenaGame, PlayerFn, Spec};
use crate::search_lab::SearchLabGame;

impl ArenaGame for Connect4 {
    fn game_player(_: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        None
    }
}

impl SearchLabGame for Connect4 {
    type Ends = Results;
    type Hints = Threats;
    const HINTS: bool = true;
    /// Plain minimax cannot reach the end of a game.
    const DEPTH: u8 = 6;
}

impl LabGame for Connect4 {
    const TOO_LARGE: Option<&'static str> =
        Some("connect4 has too many positions to be solved here");
    const BELTS: BeltMatches = BeltMatches {
        table: 200,
        every_run: false,
        order: (100, 1),
        always: 4,
        rival: None,
    };

    fn device_cases() -> Vec<DeviceCase<Connect4>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 4, 8, 12, 16],
            most_ms: 3000.0,
        }]
    }
}
