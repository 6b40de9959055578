//! Playouts and nodes that the device computes in a given time, from cycles measured in the
//! emulator.
//!
//! [Measurements](../../../docs/measurements.md) has the figures and the commands that measure
//! them.

use dojo_core::games::GameId;

/// The clock of the firmware.
const CYCLES_A_MILLISECOND: u64 = 200_000;
/// A playout of Go with its share of the tree, on both cores: 12,000 of them take 5.56 s in the
/// slowest position that was measured, the empty board.
const GO_PLAYOUT: u64 = 92_700;
/// The same of a learned player of Go, which plays better and dearer playouts and ends those that
/// are decided. Short ones count less, so that a move takes the same time in every position.
const LEARNED_GO_PLAYOUT: u64 = 143_900;
/// A node of the whole engine in tic-tac-toe, with a table of 32 KB.
const TICTACTOE_NODE: u64 = 1_045;
/// A node of black on the larger boards of dots and boxes: 20,000 of them take 1.63 s at most.
const DOTS_NODE: u64 = 16_300;
/// The longest time for a move: a minute.
const MOST_MS: u64 = 60_000;

/// Reads a time such as `10s`, `2.5s` or `300ms`.
pub fn millis(text: &str) -> Result<u64, String> {
    let refusal = || format!("expected device:10s or device:300ms, up to 60 s, found `{text}`");
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s').ok_or_else(refusal)?, 1000.0),
    };
    let number: f64 = number.parse().map_err(|_| refusal())?;
    let millis = (number * unit).round();
    if (1.0..=MOST_MS as f64).contains(&millis) {
        Ok(millis as u64)
    } else {
        Err(refusal())
    }
}

/// Playouts of the device's own Monte Carlo search, with both cores.
pub fn playouts(game: GameId, millis: u64) -> Result<u32, String> {
    match game {
        GameId::Go => Ok(count(millis, GO_PLAYOUT)),
        _ => Err("playouts were measured on the device for Go only".into()),
    }
}

/// Playouts from the empty board of Go by a learned player, with both cores.
pub fn learned_playouts(millis: u64) -> u32 {
    count(millis, LEARNED_GO_PLAYOUT)
}

/// Nodes of the search engine.
pub fn nodes(game: GameId, millis: u64) -> Result<u32, String> {
    match game {
        GameId::TicTacToe => Ok(count(millis, TICTACTOE_NODE)),
        GameId::Dots => Ok(count(millis, DOTS_NODE)),
        _ => Err("nodes were measured on the device for tictactoe and dots only".into()),
    }
}

fn count(millis: u64, cycles: u64) -> u32 {
    u32::try_from(millis * CYCLES_A_MILLISECOND / cycles)
        .unwrap_or(u32::MAX)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::go::players::BLACK_PLAYOUTS;

    #[test]
    fn budgets_follow_from_measured_cycles() {
        assert_eq!(playouts(GameId::Go, millis("10s").unwrap()), Ok(21_574));
        // Black leaves little of its ten seconds.
        let most = learned_playouts(10_000);
        assert!((most * 9 / 10..=most).contains(&BLACK_PLAYOUTS), "{most}");
        assert_eq!(nodes(GameId::TicTacToe, 10), Ok(1_913));
        assert!(nodes(GameId::Go, 10).is_err() && playouts(GameId::Dots, 10).is_err());
    }

    #[test]
    fn times_are_read_and_odd_ones_refused() {
        assert_eq!((millis("2.5s"), millis("300ms")), (Ok(2500), Ok(300)));
        for odd in ["", "10", "s", "-1s", "0s", "61s", "NaNs", "infs", "1h"] {
            assert!(millis(odd).is_err(), "{odd}");
        }
    }
}
