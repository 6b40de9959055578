//! GNU Go as a referee: our engine and GNU Go play over pipes, each checks the other's moves, and
//! both count at the end.

use std::time::Duration;

use super::gtp::program::{Program, Trouble};

/// The results of refereed games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played to their end.
    pub games: usize,
    /// Games in which both count the same.
    pub agreed: usize,
    /// Games that ours won, as GNU Go counts.
    pub won: usize,
    /// Faults on our side: refused moves, late or malformed answers.
    pub faults: Vec<String>,
    /// The two counts where they differ, ours first.
    pub differences: Vec<(String, String)>,
}

/// A move of either program may take this long.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longer games are stopped and counted.
const MOST_MOVES: usize = 300;

/// Plays so many games, ours black in every other one. `tick` is called after each.
pub fn judge(
    ours: &str,
    gnugo: &str,
    games: usize,
    seed: u64,
    tick: impl Fn(),
) -> Result<Report, Trouble> {
    let mut programs = [
        Program::start(ours, PATIENCE)?,
        Program::start(gnugo, PATIENCE)?,
    ];
    let mut report = Report::default();
    for number in 0..games {
        for program in &mut programs {
            program.tell("boardsize 9")?;
            program.tell("clear_board")?;
            program.tell("komi 5.5")?;
            program.tell(&format!("set_random_seed {}", seed as usize + number))?;
        }
        match game(&mut programs, number % 2) {
            Ok((our_count, their_count)) => {
                report.games += 1;
                report.agreed += usize::from(our_count == their_count);
                report.won += usize::from(their_count.starts_with(["B", "W"][number % 2]));
                if our_count != their_count {
                    report.differences.push((our_count, their_count));
                }
            }
            Err(fault) => report.faults.push(format!("game {}: {fault}", number + 1)),
        }
        tick();
    }
    Ok(report)
}

/// One game; `black` is the number of the program with the black stones. Both counts at the end,
/// ours first.
fn game([ours, gnugo]: &mut [Program; 2], black: usize) -> Result<(String, String), String> {
    let said = |trouble: Trouble| trouble.to_string();
    let mut passes = 0;
    for number in 0..MOST_MOVES {
        let colour = ["black", "white"][number % 2];
        let ours_moves = number % 2 == black;
        let (mover, other) = if ours_moves {
            (&mut *ours, &mut *gnugo)
        } else {
            (&mut *gnugo, &mut *ours)
        };
        let mv = mover.tell(&format!("genmove {colour}")).map_err(said)?;
        if mv.eq_ignore_ascii_case("resign") {
            break;
        }
        other
            .tell(&format!("play {colour} {mv}"))
            .map_err(|trouble| format!("move {}, {mv}: {trouble}", number + 1))?;
        passes = if mv.eq_ignore_ascii_case("pass") {
            passes + 1
        } else {
            0
        };
        if passes == 2 {
            break;
        }
    }
    Ok((
        plain(&ours.tell("final_score").map_err(said)?),
        plain(&gnugo.tell("final_score").map_err(said)?),
    ))
}

/// `B+3.0` and `B+3` are the same.
fn plain(score: &str) -> String {
    score.strip_suffix(".0").unwrap_or(score).to_owned()
}
