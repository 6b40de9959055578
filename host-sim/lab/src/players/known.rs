//! All players with a line each, for `dojo arena --list` and for messages.

use dojo_core::games::GameId;

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// How it is written; `[…]` may be left out, `|` separates choices.
    pub form: &'static str,
    /// The same, as it can be typed.
    pub example: &'static str,
    /// The games that have it.
    pub games: &'static [GameId],
    /// Under which rules only; empty for all.
    pub only: &'static str,
    /// What it plays.
    pub plays: &'static str,
}

impl Known {
    const fn new(
        form: &'static str,
        example: &'static str,
        games: &'static [GameId],
        plays: &'static str,
    ) -> Known {
        Known {
            form,
            example,
            games,
            only: "",
            plays,
        }
    }

    const fn only(self, only: &'static str) -> Known {
        Known { only, ..self }
    }

    /// What comes before the settings.
    pub fn kind(&self) -> &'static str {
        let end = self.example.find(':').unwrap_or(self.example.len());
        &self.example[..end]
    }
}

use GameId::{Dots, Go, Iwoki, Sticks, TicTacToe};

const ALL_GAMES: &[GameId] = &GameId::ALL;
const OPEN_IWOKI: &str = "iwoki: its open form";

/// All kinds, the simple ones first.
pub const KNOWN: &[Known] = &[
    Known::new("random", "random", ALL_GAMES, "any legal move"),
    Known::new(
        "belt:white … belt:black",
        "belt:yellow",
        ALL_GAMES,
        "a belt of the handheld, with its model",
    ),
    Known::new(
        "rules:white … rules:black",
        "rules:black",
        ALL_GAMES,
        "the same belt without its model",
    ),
    Known::new(
        "human",
        "human",
        ALL_GAMES,
        "a person at this terminal, by a numbered list of moves",
    ),
    Known::new(
        "bank:FILE#NAME",
        "bank:models/dojo.bank#sticks-black",
        &[Sticks, Dots, Iwoki, Go],
        "a model of a bank",
    ),
    Known::new("perfect", "perfect", &[Sticks, TicTacToe, Dots], "exactly").only("dots: up to 3×3"),
    Known::new(
        "lookahead:plies=N",
        "lookahead:plies=2",
        ALL_GAMES,
        "looks N moves ahead",
    )
    .only(OPEN_IWOKI),
    Known::new(
        "search[:depth=N,nodes=N]",
        "search:depth=2",
        ALL_GAMES,
        "alpha-beta with all sound improvements",
    )
    .only(OPEN_IWOKI),
    Known::new(
        "minimax:depth=N[,nodes=N]",
        "minimax:depth=1",
        ALL_GAMES,
        "plain alpha-beta",
    )
    .only(OPEN_IWOKI),
    Known::new(
        "mcts[:playouts=N,rave=N]",
        "mcts:playouts=20",
        ALL_GAMES,
        "Monte Carlo tree search",
    )
    .only(OPEN_IWOKI),
    Known::new(
        "smart",
        "smart",
        &[Dots, Go],
        "completes boxes, avoids third sides; captures and saves stones",
    ),
    Known::new("simple", "simple", &[Dots], "the edges in a fixed order"),
    Known::new(
        "best-vs:random|smart",
        "best-vs:smart",
        &[Dots],
        "the best response to that opponent",
    )
    .only("2×2"),
    Known::new(
        "marks[:depth=N]",
        "marks:depth=2",
        &[TicTacToe],
        "looks ahead and counts marks",
    ),
    Known::new("greedy", "greedy", &[Iwoki], "most points at once"),
    Known::new(
        "det[:depth=N,samples=N]",
        "det:depth=1,samples=2",
        &[Iwoki],
        "searches samples of the hidden tiles",
    ),
    Known::new(
        "ismcts[:playouts=N]",
        "ismcts:playouts=20",
        &[Iwoki],
        "tree search, each playout with its own sample",
    ),
    Known::new(
        "minimax:depth=N,turns[,order=published,…]",
        "minimax:depth=1,turns",
        &[Iwoki],
        "variants of the published search",
    )
    .only("its open form"),
    Known::new(
        "table:FILE",
        "table:checkpoints/table.txt",
        &[Iwoki],
        "a Q-table of `dojo train iwoki --preset table`",
    ),
    Known::new(
        "annilgos:eyes|mlp|…[,depth=N,nodes=N,…]",
        "annilgos:eyes,depth=1",
        &[Go],
        "the published player",
    ),
    Known::new(
        "policy:FILE|black[,playouts=N]",
        "policy:checkpoints/policy.txt,playouts=20",
        &[Go],
        "tree search with a learned policy: a file of `dojo train go`, or a belt's",
    ),
    Known::new(
        "gnugo[:level=N]",
        "gnugo:level=1",
        &[Go],
        "GNU Go, if it is installed",
    ),
    Known::new(
        "weak[:percent=N]",
        "weak:percent=50",
        &[Go],
        "GNU Go at level 1, N % of its moves at random",
    ),
    Known::new(
        "gtp:COMMAND",
        "gtp:gnugo --mode gtp",
        &[Go],
        "any program that speaks GTP",
    ),
];

/// The players of a game, or of all: a line for each.
pub fn list(game: Option<GameId>) -> String {
    let known = KNOWN
        .iter()
        .filter(|known| game.is_none_or(|game| known.games.contains(&game)));
    let mut text = String::new();
    for Known {
        form,
        games,
        only,
        plays,
        ..
    } in known
    {
        let mut notes = vec![];
        if game.is_none() && games.len() < GameId::ALL.len() {
            notes.push(
                games
                    .iter()
                    .map(|game| game.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            );
        }
        if !only.is_empty() {
            notes.push((*only).to_owned());
        }
        let notes = match &notes[..] {
            [] => String::new(),
            notes => format!(" ({})", notes.join("; ")),
        };
        text += &format!("{form:49} {plays}{notes}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::{SHIPPED, open};
    use crate::players::{ArenaGame, ArenaPlayer, Spec};
    use crate::rules::Options;
    use dojo_core::with_game;

    fn is_made<G: ArenaGame>(spec: &Spec, options: &Options) -> bool
    where
        G::Rules: Send + Sync,
    {
        let bank = open("shipped".as_ref(), SHIPPED).unwrap();
        let rules = options.rules::<G>().unwrap();
        ArenaPlayer::<G>::new(spec, rules, &bank).is_ok()
    }

    /// What is listed works, and what works is listed: for every kind and every game.
    #[test]
    fn each_game_has_the_players_that_are_listed() {
        for known in KNOWN {
            let spec: Spec = known.example.parse().unwrap_or_else(|error| {
                panic!("{}: {error}", known.example);
            });
            assert!(known.form.starts_with(known.kind()), "{}", known.form);
            // A person is made elsewhere, models and programs come from outside.
            let has_needs = matches!(
                spec,
                Spec::Human
                    | Spec::Table(_)
                    | Spec::Policy { .. }
                    | Spec::Program(_)
                    | Spec::Model { .. }
            );
            if has_needs {
                continue;
            }
            for game in GameId::ALL {
                let options = Options {
                    open: game == Iwoki && known.only.contains("open form"),
                    ..Options::default()
                };
                let works = with_game!(game, G => is_made::<G>(&spec, &options));
                assert_eq!(
                    works,
                    known.games.contains(&game),
                    "{} of {game:?}",
                    known.example
                );
            }
        }
    }

    #[test]
    fn a_game_is_told_its_own_players() {
        let (go, sticks) = (list(Some(Go)), list(Some(Sticks)));
        assert!(
            go.contains("gnugo") && !sticks.contains("gnugo"),
            "{sticks}"
        );
        assert!(list(None).contains("(sticks, tictactoe, dots; dots: up to 3×3)"));
        assert!(list(None).lines().all(|line| line.chars().count() <= 130));
    }
}
