//! Games and their options on the command line.

use dojo_core::belt::Belt;
use dojo_core::game::{Game, Rules};
use dojo_core::games::{AnyRules, GameId};
use dojo_core::inside;

use crate::choice::Choice;
use crate::failure::Failure;
use crate::nearest;

/// A game and its options.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// The game
    #[arg(value_parser = GAME)]
    pub game: GameId,
    /// Its options.
    #[command(flatten)]
    pub options: Options,
}

/// Options of games. Each belongs to some games only; the others refuse it.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Sticks: up to three rows of at most seven sticks
    #[arg(long, value_name = "3,5,7")]
    pub rows: Option<String>,
    /// Dots: rows and columns of boxes; go: 5, 7 or 9
    #[arg(long, value_name = "2x2")]
    pub size: Option<String>,
    /// Dots: what equal boxes mean
    #[arg(long, value_name = "starter-loses|draw", value_parser = Choice::suggested(|| vec!["starter-loses", "draw"]), hide_possible_values = true)]
    pub ties: Option<String>,
    /// Go: points that white gets
    #[arg(long, value_name = "5.5", allow_hyphen_values = true)]
    pub komi: Option<String>,
    /// Go: which positions may not come back
    #[arg(long, value_name = "positional|simple", value_parser = Choice::suggested(|| vec!["positional", "simple"]), hide_possible_values = true)]
    pub ko: Option<String>,
    /// Go: black stones on the board at the start
    #[arg(long, value_name = "0|2..9")]
    pub handicap: Option<String>,
    /// Sticks: whether the last stick loses; dots: whether fewer boxes win
    #[arg(long, value_name = "yes|no", num_args = 0..=1, default_missing_value = "yes", value_parser = Choice::suggested(|| vec!["yes", "no"]), hide_possible_values = true)]
    pub misere: Option<String>,
    /// Iwoki: everything is known, instead of hidden hands and bags
    #[arg(long)]
    pub open: bool,
    /// Iwoki: the number of the deal
    #[arg(long, value_name = "N")]
    pub deal: Option<String>,
}

impl Options {
    /// The default rules of a game with these options applied.
    pub fn rules<G: Game>(&self) -> Result<G::Rules, Failure> {
        let mut rules = G::Rules::default();
        self.apply(&mut rules, G::NAME)?;
        Ok(rules)
    }

    /// Whether any option is given.
    pub fn is_given(&self) -> bool {
        self.open || self.given().iter().any(|(_, value)| value.is_some())
    }

    /// Applies the options to rules of any game.
    pub fn apply_to(&self, rules: &mut AnyRules) -> Result<(), Failure> {
        let name = rules.id().name();
        inside!(AnyRules, rules, rules => self.apply(rules, name))
    }

    fn given(&self) -> [(&'static str, &Option<String>); 8] {
        [
            ("rows", &self.rows),
            ("size", &self.size),
            ("ties", &self.ties),
            ("misere", &self.misere),
            ("deal", &self.deal),
            ("komi", &self.komi),
            ("ko", &self.ko),
            ("handicap", &self.handicap),
        ]
    }

    fn apply<R: Rules>(&self, rules: &mut R, game: &str) -> Result<(), Failure> {
        let form = self.open.then(|| "open".to_owned());
        let given = self.given().into_iter().chain([("form", &form)]);
        for (key, value) in given {
            let Some(value) = value else { continue };
            rules.set(key, value).map_err(|error| {
                Failure::Usage(format!(
                    "{} does not fit {}: {error}",
                    flag(key, value),
                    game
                ))
            })?;
        }
        Ok(())
    }
}

/// The flag and text of an option.
fn flag(key: &str, value: &str) -> String {
    if key == "form" {
        format!("--{value}")
    } else {
        format!("--{key} {value}")
    }
}

/// A game by its name.
pub const GAME: Choice<GameId> = Choice::new(game_id, game_names);
/// A belt by its name.
pub const BELT: Choice<Belt> = Choice::new(belt, || Belt::ALL.map(Belt::name).into());

/// The names of all games.
pub fn game_names() -> Vec<&'static str> {
    GameId::ALL.map(GameId::name).into()
}

/// Reads the name of a game.
pub fn game_id(name: &str) -> Result<GameId, String> {
    GameId::from_name(name).ok_or_else(|| {
        let known = GameId::ALL.map(GameId::name);
        let all = format!("there are {}", known.join(", "));
        format!("unknown game{}", nearest::hint(name, known, &all))
    })
}

/// Reads the name of a belt.
pub fn belt(name: &str) -> Result<Belt, String> {
    Belt::from_name(name).ok_or_else(|| {
        let known = Belt::ALL.map(Belt::name);
        let all = format!("there are {}", known.join(", "));
        format!("unknown belt{}", nearest::hint(name, known, &all))
    })
}
