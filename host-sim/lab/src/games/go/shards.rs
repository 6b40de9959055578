//! Self-play in shards: games of the tree search with the visits of every move, in units that any
//! number of machines can share.
//!
//! A unit has ten games. A game is two lines of text: the moves as in SGF (`ee`, a pass is `..`),
//! and for each searched position its moves with their visits (`ee120cd43`), `-` where a random
//! move was played instead.

use std::path::{Path, PathBuf};

use dojo_core::bank::CRC;
use dojo_core::game::Game;
use dojo_core::games::go::players::{
    Node, PlayoutJob, Tree, TreeSettings, UNDER_WAY, sensible_points,
};
use dojo_core::games::go::policy::Policy;
use dojo_core::games::go::{GoMove, Point};
use dojo_core::games::{Go, GoRules};
use dojo_core::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::experiment::{Header, Scale, Shard, Tally, Unfinished, UnitFolder, Units};
use crate::failure::Failure;

/// Games of a unit.
pub const UNIT_GAMES: u32 = 10;
/// At most so many random stones begin a game.
const OPENING: u32 = 4;
/// Moves up to this ply are drawn by their visits, later ones are the most visited.
const DRAWN: usize = 16;
/// A game is over when a player expects fewer than 4 of 100 playouts to be won.
const HOPELESS: i16 = 920;
const NODES: usize = 10_000;
/// Visits below this share of all are not kept.
const KEPT: u32 = 100;

/// Everything that decides the games of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayRun {
    /// Rows of the board.
    pub size: u8,
    /// Playouts for each move.
    pub playouts: u32,
    /// All chance comes from this number.
    pub seed: u64,
    /// The policy of the players, as a bank has it; hand-written priors without.
    pub policy: Option<Vec<u8>>,
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// The moves.
    pub moves: String,
    /// The visits of each position, separated by spaces.
    pub visits: String,
}

impl SelfPlayRun {
    /// What the folder of the units says about them.
    fn header(&self) -> Header {
        let player = self.policy.as_ref().map_or("rules".into(), |bytes| {
            format!("policy {:08x}", CRC.checksum(bytes))
        });
        Header::from_iter([
            ("selfplay".into(), "go".into()),
            ("size".into(), self.size.into()),
            ("playouts".into(), self.playouts.into()),
            ("seed".into(), self.seed.into()),
            ("player".into(), player.into()),
            ("version".into(), env!("CARGO_PKG_VERSION").into()),
        ])
    }

    /// Plays the games of a shard that are not in the folder yet. `games` is rounded up to whole
    /// units.
    pub fn play(
        &self,
        games: u32,
        shard: Shard,
        out: &Path,
        tick: impl Fn() + Sync,
    ) -> Result<Tally, Failure> {
        let rules = GoRules::new(self.size)
            .ok_or_else(|| Failure::Usage(format!("--size {}: expected 5, 7 or 9", self.size)))?;
        let folder = UnitFolder::open(out, self.header())?;
        let scale = Scale::new(self.seed, false, Units::Kept(folder, shard));
        let units: Vec<u64> = (0..u64::from(games.div_ceil(UNIT_GAMES))).collect();
        let unit = |unit: u64| -> Vec<SelfPlayGame> {
            let mut rng = Rng::new(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ unit);
            (0..UNIT_GAMES)
                .map(|_| {
                    let seed = rng.next_u64();
                    tick();
                    self.game(rules, &mut Rng::new(seed))
                })
                .collect()
        };
        match scale.each("games", &units, unit) {
            Err(Unfinished::Failed(failure)) => Err(failure),
            _ => Ok(scale.tally()),
        }
    }

    fn game(&self, rules: GoRules, rng: &mut Rng) -> SelfPlayGame {
        let mut pool = vec![Node::default(); NODES];
        let mut jobs = [PlayoutJob::default(); UNDER_WAY];
        let policy = self.policy.as_deref().and_then(Policy::from_bytes);
        let mut game = Go::new(rules);
        let opening = rng.below(OPENING + 1) as usize;
        let longest = 2 * game.board().len() as usize;
        let (mut moves, mut visits) = (String::new(), vec![]);
        while !game.is_over() && game.plies() < longest {
            let (mv, line) = if game.plies() < opening {
                let point = rng.pick(sensible_points(&game));
                (point.map_or(GoMove::Pass, GoMove::Stone), "-".into())
            } else {
                let settings = TreeSettings::best(self.playouts);
                let mut tree = Tree::new(&mut pool, &mut jobs, settings).with_policy(policy);
                let Some(best) = tree.think(&game, rng, &mut (), &mut None) else {
                    break;
                };
                let counts: Vec<_> = tree.visits(&game).collect();
                let hopeless = tree.value().abs() > HOPELESS;
                let mv = if hopeless {
                    None
                } else if game.plies() < DRAWN {
                    drawn(&counts, rng)
                } else {
                    Some(best.mv)
                };
                let line = visits_text(&counts);
                let Some(mv) = mv else {
                    visits.push(line);
                    break;
                };
                (mv, line)
            };
            visits.push(line);
            moves += &move_text(mv);
            game.play_unchecked(mv);
        }
        SelfPlayGame {
            moves,
            visits: visits.join(" "),
        }
    }
}

fn drawn(counts: &[(GoMove, u16)], rng: &mut Rng) -> Option<GoMove> {
    let sum: u32 = counts.iter().map(|&(_, visits)| u32::from(visits)).sum();
    let mut left = rng.below(sum.max(1));
    counts.iter().find_map(|&(mv, visits)| {
        let here = left < u32::from(visits);
        left = left.saturating_sub(visits.into());
        here.then_some(mv)
    })
}

fn move_text(mv: GoMove) -> String {
    let letter = |line: u8| char::from(b'a' + line);
    mv.point().map_or("..".into(), |point| {
        format!("{}{}", letter(point.col()), letter(point.row()))
    })
}

fn visits_text(counts: &[(GoMove, u16)]) -> String {
    let sum: u32 = counts.iter().map(|&(_, visits)| u32::from(visits)).sum();
    let kept = counts
        .iter()
        .filter(|&&(_, visits)| visits > 0 && u32::from(visits) * KEPT >= sum);
    kept.map(|&(mv, visits)| format!("{}{visits}", move_text(mv)))
        .collect()
}

fn parse_move(text: &str) -> Option<GoMove> {
    let &[col, row] = text.as_bytes() else {
        return None;
    };
    if text == ".." {
        return Some(GoMove::Pass);
    }
    Point::new(col.wrapping_sub(b'a'), row.wrapping_sub(b'a')).map(GoMove::Stone)
}

/// A searched position and the visits of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedPosition {
    /// The position.
    pub game: Go,
    /// Visits of the moves that have some.
    pub visits: Vec<(GoMove, u32)>,
}

impl SelfPlayGame {
    /// The searched positions; `None` if the text is not that of a game.
    pub fn positions(&self, rules: GoRules) -> Option<Vec<SearchedPosition>> {
        let mut game = Go::new(rules);
        let mut positions = vec![];
        let mut moves = self.moves.as_str();
        for line in self.visits.split(' ').filter(|line| !line.is_empty()) {
            if line != "-" {
                let mut visits = vec![];
                let mut rest = line;
                while let Some((mv, tail)) = rest.split_at_checked(2) {
                    let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
                    let mv = parse_move(mv).filter(|&mv| game.is_legal(mv))?;
                    visits.push((mv, tail[..digits].parse().ok()?));
                    rest = &tail[digits..];
                }
                if !rest.is_empty() {
                    return None;
                }
                positions.push(SearchedPosition { game, visits });
            }
            if let Some((mv, tail)) = moves.split_at_checked(2) {
                let mv = parse_move(mv).filter(|&mv| game.is_legal(mv))?;
                game.play_unchecked(mv);
                moves = tail;
            }
        }
        moves.is_empty().then_some(positions)
    }
}

/// The games of some folders, each once and in an order that does not depend on that of the folders.
#[derive(Clone, Debug, Default)]
pub struct SelfPlayGames {
    /// What each run says about itself, and its number of games.
    pub runs: Vec<(String, usize)>,
    /// All games with their rules.
    pub games: Vec<(GoRules, SelfPlayGame)>,
    /// Damaged files, which are left out.
    pub damaged: Vec<PathBuf>,
}

impl SelfPlayGames {
    /// Reads every unit of these folders.
    pub fn read(folders: &[PathBuf]) -> Result<SelfPlayGames, Failure> {
        let mut units = vec![];
        let mut all = SelfPlayGames::default();
        for folder in folders {
            let header = UnitFolder::header(folder)?;
            let size = header.get("size").and_then(serde_json::Value::as_u64);
            let rules = size.and_then(|size| GoRules::new(size as u8));
            let is_go = header.get("selfplay").is_some_and(|game| game == "go");
            let Some(rules) = rules.filter(|_| is_go) else {
                let what = format!("{}: not games of `dojo selfplay go`", folder.display());
                return Err(Failure::Check(what));
            };
            let run = serde_json::to_string(&header).map_err(Failure::check)?;
            let (whole, damaged) = UnitFolder::open(folder, header)?.all()?;
            all.damaged.extend(damaged);
            for (place, seed, bytes) in whole {
                let games: Option<Vec<SelfPlayGame>> = serde_json::from_slice(&bytes).ok();
                let fits = |games: &Vec<SelfPlayGame>| {
                    games.iter().all(|game| game.positions(rules).is_some())
                };
                match games.filter(fits) {
                    Some(games) => units.push((run.clone(), seed, rules, games)),
                    None => all.damaged.push(place),
                }
            }
        }
        units.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        // The same unit may lie in several folders.
        units.dedup_by(|a, b| (&a.0, a.1) == (&b.0, b.1));
        all.damaged.sort();
        for (run, _, rules, games) in units {
            if all.runs.last().is_none_or(|(last, _)| *last != run) {
                all.runs.push((run, 0));
            }
            if let Some((_, count)) = all.runs.last_mut() {
                *count += games.len();
            }
            all.games
                .extend(games.into_iter().map(|game| (rules, game)));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("dojo-games-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        path
    }

    const RUN: SelfPlayRun = SelfPlayRun {
        size: 5,
        playouts: 20,
        seed: 3,
        policy: None,
    };

    fn play(out: &Path, shard: &str) -> Tally {
        RUN.play(40, shard.parse().unwrap(), out, || {}).unwrap()
    }

    #[test]
    fn shards_give_the_games_of_one_run_and_resume() {
        let (whole, split) = (folder("whole"), folder("split"));
        assert_eq!(play(&whole, "1/1").computed, 4);
        assert_eq!(play(&split, "2/3").computed, 1);
        assert_eq!(play(&split, "1/1").computed, 3, "one was there");
        let read = |path: &PathBuf| SelfPlayGames::read(std::slice::from_ref(path)).unwrap();
        assert_eq!(read(&whole).games, read(&split).games);
        assert_eq!(read(&whole).games.len(), 40);
        for (rules, game) in read(&whole).games {
            let positions = game.positions(rules).unwrap();
            assert!(!positions.is_empty());
            for position in positions {
                let sum: u32 = position.visits.iter().map(|(_, visits)| visits).sum();
                assert!((10..=20).contains(&sum), "{sum} of 20 playouts");
            }
        }
        // Three machines with a folder each, in any order.
        let parts = ["1/3", "2/3", "3/3"].map(|shard| {
            let path = folder(&shard.replace('/', "-of-"));
            play(&path, shard);
            path
        });
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let parts = order.map(|part| parts[part].clone());
            let joined = SelfPlayGames::read(&parts).unwrap();
            let whole = read(&whole);
            assert_eq!((joined.games, joined.runs), (whole.games, whole.runs));
        }
        for path in parts.into_iter().chain([whole, split]) {
            std::fs::remove_dir_all(path).unwrap();
        }
    }

    #[test]
    fn a_damaged_unit_is_named_and_skipped() {
        let path = folder("damaged");
        play(&path, "1/1");
        let mut files: Vec<_> = std::fs::read_dir(&path)
            .unwrap()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().contains("games-"))
            .collect();
        files.sort();
        let mut bytes = std::fs::read(&files[1]).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&files[1], bytes).unwrap();
        let read = SelfPlayGames::read(std::slice::from_ref(&path)).unwrap();
        assert_eq!(read.games.len(), 30);
        assert_eq!(read.damaged, [files[1].clone()]);
        std::fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn text_that_is_no_game_is_refused() {
        let rules = GoRules::new(5).unwrap();
        let game = |moves: &str, visits: &str| SelfPlayGame {
            moves: moves.into(),
            visits: visits.into(),
        };
        let whole = game("ccbc", "- cc3bc17 ..1").positions(rules);
        assert_eq!(whole, None, "C3 is taken");
        let whole = game("ccbc", "- bb3bc17 ..1").positions(rules);
        assert_eq!(whole.map(|list| list.len()), Some(2));
        for (moves, visits) in [
            ("zz", "-"),
            ("cc", "ccx"),
            ("cc", "cc3b"),
            ("cccb", "cc3"),
            ("c", "-"),
        ] {
            assert!(
                game(moves, visits).positions(rules).is_none(),
                "{moves} {visits}"
            );
        }
    }
}
