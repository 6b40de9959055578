//! Players by name: `random`, `smart`, `lookahead:plies=3`, `belt:green`, `bank:FILE#NAME` …

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use dojo_core::agents::belt::{BeltPlayer, Belted};
use dojo_core::agents::{Agent, Belt, Lookahead, Perfect, Random, Smart};
use dojo_core::bank::Bank;
use dojo_core::game::Game;
use dojo_core::games::{Dots, Sticks, TicTacToe};
use dojo_core::learn::two::Opponent;
use dojo_core::rng::Rng;

use crate::bank::refused;
use crate::dots::exact::Exact;
use crate::dots::response::Chances;
use crate::failure::Failure;
use crate::files;

/// What a name on the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Any legal move.
    Random,
    /// Never gives anything away.
    Perfect,
    /// Plays by the rules of thumb of its game.
    Smart,
    /// The best possible play against a known opponent.
    BestVs(&'static str),
    /// Looks a few moves ahead.
    Lookahead {
        /// How many.
        plies: usize,
    },
    /// One of the five opponents of the handheld.
    Belt(Belt),
    /// A model of a bank file.
    Model {
        /// The bank.
        file: PathBuf,
        /// The model's name in it.
        name: String,
    },
}

/// The names, for messages.
const KNOWN: &str = "random, perfect, smart, best-vs:random, best-vs:smart, lookahead:plies=N, search:depth=N, \
                     belt:white to belt:black, bank:FILE#NAME";

/// Looking farther ahead than this has no end in any game here.
const MOST_PLIES: usize = 64;

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (kind, detail) = text.split_once(':').map_or((text, None), |(kind, detail)| (kind, Some(detail)));
        match (kind, detail) {
            ("random", None) => Ok(Spec::Random),
            ("perfect", None) => Ok(Spec::Perfect),
            ("smart", None) => Ok(Spec::Smart),
            ("best-vs", Some("random")) => Ok(Spec::BestVs("random")),
            ("best-vs", Some("smart")) => Ok(Spec::BestVs("smart")),
            ("lookahead", Some(detail)) => plies(detail, "plies"),
            ("search", Some(detail)) => plies(detail, "depth"),
            ("belt", Some(name)) => Belt::from_name(name)
                .map(Spec::Belt)
                .ok_or_else(|| format!("unknown belt `{name}`, there are white, yellow, green, brown, black")),
            ("bank", Some(detail)) => match detail.rsplit_once('#') {
                Some((file, name)) if !file.is_empty() => Ok(Spec::Model { file: file.into(), name: name.into() }),
                _ => Err("expected bank:FILE#NAME".into()),
            },
            _ => Err(format!("unknown player, there are {KNOWN}")),
        }
    }
}

fn plies(detail: &str, key: &str) -> Result<Spec, String> {
    let number = detail.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')).and_then(|n| n.parse().ok());
    match number {
        Some(plies @ 1..=MOST_PLIES) => Ok(Spec::Lookahead { plies }),
        _ => Err(format!("expected {key}=N with N from 1 to {MOST_PLIES}")),
    }
}

/// A player that only its own game has.
pub type Own<G> = Arc<dyn Fn(&G, &mut Rng) -> Option<<G as Game>::Move> + Send + Sync>;

/// A game whose players meet in matches.
pub trait Contender: Belted + Send + Sync + 'static
where
    Self::Rules: Send + Sync,
{
    /// The player of this name that the game itself knows, `None` if it knows none.
    fn own(spec: &Spec, rules: Self::Rules) -> Option<Own<Self>>;
}

impl Contender for Sticks {
    fn own(spec: &Spec, _: Self::Rules) -> Option<Own<Self>> {
        (*spec == Spec::Perfect).then(|| -> Own<Self> { Arc::new(|game, rng| Perfect.choose(game, rng)) })
    }
}

impl Contender for TicTacToe {
    fn own(spec: &Spec, _: Self::Rules) -> Option<Own<Self>> {
        (*spec == Spec::Perfect).then(|| -> Own<Self> { Arc::new(|game, rng| Perfect.choose(game, rng)) })
    }
}

/// Perfect play for boards of up to 24 edges, best responses on 2×2.
impl Contender for Dots {
    fn own(spec: &Spec, rules: Self::Rules) -> Option<Own<Self>> {
        let against = |opponent| -> Option<Own<Self>> {
            let best = ((rules.rows(), rules.cols()) == (2, 2)).then(|| Chances::<f64>::new(rules, opponent, None))?;
            Some(Arc::new(move |game, _| best.choose(game)))
        };
        match spec {
            Spec::Smart => Some(Arc::new(|game, rng| Smart.choose(game, rng))),
            Spec::BestVs("random") => against(Opponent::Random),
            Spec::BestVs("smart") => against(Opponent::Smart { slips: 0 }),
            Spec::Perfect => {
                let exact = Exact::new(rules)?;
                Some(Arc::new(move |game, rng| exact.choose(game, rng)))
            }
            _ => None,
        }
    }
}

/// A player ready for a game. It keeps nothing between moves, so that many games can share it.
#[derive(Clone)]
pub enum Player<'a, G: Game> {
    /// Any legal move.
    Random,
    /// Looks ahead.
    Lookahead(Lookahead),
    /// A belt with its bank.
    Belt(BeltPlayer<'a>),
    /// The payload of a model that fits the game.
    Model(Vec<u8>),
    /// One that only this game has.
    Own(Own<G>),
}

impl<G: Game> fmt::Debug for Player<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random => "Random",
            Player::Lookahead(_) => "Lookahead",
            Player::Belt(_) => "Belt",
            Player::Model(_) => "Model",
            Player::Own(_) => "Own",
        })
    }
}

impl<'a, G: Contender> Player<'a, G>
where
    G::Rules: Send + Sync,
{
    /// The player for a game under these rules; belts take their models from `bank`.
    pub fn new(spec: &Spec, rules: G::Rules, bank: &'a Bank<'a>) -> Result<Player<'a, G>, Failure> {
        Ok(match spec {
            Spec::Random => Player::Random,
            Spec::Perfect | Spec::Smart | Spec::BestVs(_) => Player::Own(
                G::own(spec, rules)
                    .ok_or_else(|| Failure::Usage(format!("{} with {rules} has no such player", G::NAME)))?,
            ),
            Spec::Lookahead { plies } => Player::Lookahead(Lookahead { plies: *plies }),
            Spec::Belt(belt) => Player::Belt(BeltPlayer { belt: *belt, bank: Some(bank) }),
            Spec::Model { file, name } => {
                let bytes = files::read(file)?;
                let bank = Bank::new(&bytes).map_err(|error| refused(file, &error))?;
                let entry = bank.entries().find(|entry| entry.meta.name() == name).ok_or_else(|| {
                    let names: Vec<_> = bank.entries().map(|entry| entry.meta.name().to_owned()).collect();
                    Failure::Usage(format!("{}: no model `{name}`, there are {}", file.display(), names.join(", ")))
                })?;
                if !G::fits(rules, &entry.meta) {
                    let what = format!("model `{name}` does not play {} under these rules", G::NAME);
                    return Err(Failure::Usage(format!("{}: {what}", file.display())));
                }
                Player::Model(entry.payload().map_err(|error| refused(file, &error))?.to_vec())
            }
        })
    }

    /// Its move; `None` if the game is over.
    pub fn choose(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            Player::Random => Random.choose(game, rng),
            Player::Lookahead(agent) => { *agent }.choose(game, rng),
            Player::Belt(agent) => { *agent }.choose(game, rng),
            Player::Model(payload) => game.by_model(payload, rng),
            Player::Own(own) => own(game, rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_odd_ones_refused() {
        assert_eq!("search:depth=3".parse(), Ok(Spec::Lookahead { plies: 3 }));
        assert_eq!("lookahead:plies=1".parse(), Ok(Spec::Lookahead { plies: 1 }));
        assert_eq!("belt:black".parse(), Ok(Spec::Belt(Belt::Black)));
        let model = Spec::Model { file: "a#b.bank".into(), name: "c".into() };
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
            "bank:file",
            "bank:#x",
            "perfect:1",
            "best-vs:me",
            "human?",
        ] {
            assert!(odd.parse::<Spec>().is_err(), "{odd}");
        }
    }
}
