//! Players by name: `random`, `lookahead:plies=3`, `belt:green`, `bank:FILE#NAME` …

use std::path::PathBuf;
use std::str::FromStr;

use dojo_core::agents::belt::{BeltPlayer, Belted};
use dojo_core::agents::{Agent, Belt, Lookahead, Perfect, Random};
use dojo_core::bank::Bank;
use dojo_core::rng::Rng;

use crate::bank::refused;
use crate::failure::Failure;
use crate::files;

/// What a name on the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Any legal move.
    Random,
    /// Never gives anything away.
    Perfect,
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
const KNOWN: &str = "random, perfect, lookahead:plies=N, search:depth=N, belt:white to belt:black, bank:FILE#NAME";

/// Looking farther ahead than this has no end in any game here.
const MOST_PLIES: usize = 64;

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (kind, detail) = text.split_once(':').map_or((text, None), |(kind, detail)| (kind, Some(detail)));
        match (kind, detail) {
            ("random", None) => Ok(Spec::Random),
            ("perfect", None) => Ok(Spec::Perfect),
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

/// A player ready for a game. It keeps nothing between moves, so that many games can share it.
#[derive(Clone, Debug)]
pub enum Player<'a> {
    /// Any legal move.
    Random,
    /// Never gives anything away.
    Perfect,
    /// Looks ahead.
    Lookahead(Lookahead),
    /// A belt with its bank.
    Belt(BeltPlayer<'a>),
    /// The payload of a model that fits the game.
    Model(Vec<u8>),
}

impl<'a> Player<'a> {
    /// The player for a game under these rules; belts take their models from `bank`.
    pub fn new<G: Belted>(spec: &Spec, rules: G::Rules, bank: &'a Bank<'a>) -> Result<Player<'a>, Failure> {
        Ok(match spec {
            Spec::Random => Player::Random,
            Spec::Perfect => Player::Perfect,
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
    pub fn choose<G: Belted>(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            Player::Random => Random.choose(game, rng),
            Player::Perfect => Perfect.choose(game, rng),
            Player::Lookahead(agent) => { *agent }.choose(game, rng),
            Player::Belt(agent) => { *agent }.choose(game, rng),
            Player::Model(payload) => game.by_model(payload, rng),
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
            "human?",
        ] {
            assert!(odd.parse::<Spec>().is_err(), "{odd}");
        }
    }
}
