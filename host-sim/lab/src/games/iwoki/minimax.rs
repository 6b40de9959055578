//! The published search of iwoki, plain alpha-beta over the open form, and its variants: order of
//! the actions, value of a leaf, meaning of a draw, and the rule at a time limit.

use std::fmt;

use dojo_core::game::{Game, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::{Action, What};
use dojo_core::search::{Found, Stats, Value};

/// The effect of a draw inside the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draws {
    /// A draw is a ply, and the same player is to move after it, as in the game.
    #[default]
    GoesOn,
    /// A draw is a ply, and the opponent is to move after it, as in the published program.
    Published,
    /// Depth counts turns: a draw and the tile laid after it are one ply.
    Turn,
}

/// The order in which actions are searched; of equal ones the first is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Gap by gap, as [`Iwoki::all_actions`] lists them.
    #[default]
    Gaps,
    /// As in the published program: − faces tile by tile, + faces tile by tile, hexagonal tiles.
    Published,
    /// Most points first.
    Points,
}

/// The value of a position at the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaf {
    /// Difference of the final counts: small tiles held are subtracted.
    #[default]
    FinalCounts,
    /// Difference of the points; tiles held cost nothing.
    Points,
}

/// The value of a position that is reached after the node limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timeout {
    /// Its leaf value: every action of the root is still compared.
    #[default]
    Leaf,
    /// Alpha, as in the published program: the actions left over are not better than the best one
    /// so far.
    Published,
}

/// Differences from the textbook's search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The effect of a draw.
    pub draws: Draws,
    /// The order of actions.
    pub order: Order,
    /// The value at the horizon.
    pub leaf: Leaf,
    /// The value after the node limit.
    pub timeout: Timeout,
}

/// The settings by which variants are named, each with its effect.
type Setting = (&'static str, fn(&mut Variant));
const SETTINGS: [Setting; 6] = [
    ("turns", |variant| variant.draws = Draws::Turn),
    ("draw=published", |variant| variant.draws = Draws::Published),
    ("order=published", |variant| {
        variant.order = Order::Published;
    }),
    ("order=points", |variant| variant.order = Order::Points),
    ("leaf=points", |variant| variant.leaf = Leaf::Points),
    ("timeout=published", |variant| {
        variant.timeout = Timeout::Published;
    }),
];

impl Variant {
    /// No differences.
    pub const TEXTBOOK: Variant = Variant {
        draws: Draws::GoesOn,
        order: Order::Gaps,
        leaf: Leaf::FinalCounts,
        timeout: Timeout::Leaf,
    };

    /// The published program, as its listing reads.
    pub const PUBLISHED: Variant = Variant {
        draws: Draws::Published,
        order: Order::Published,
        leaf: Leaf::FinalCounts,
        timeout: Timeout::Published,
    };

    /// Depth in turns, best points first: the strongest variant.
    pub const TURNS: Variant = Variant {
        draws: Draws::Turn,
        order: Order::Points,
        ..Variant::TEXTBOOK
    };

    /// Takes the settings of a variant out of `depth=3,order=published,…`; the others are returned.
    /// `None` if there are no settings of a variant.
    pub fn take(detail: &str) -> Result<(Option<Variant>, Vec<&str>), String> {
        let (mut variant, mut others) = (Variant::default(), vec![]);
        for word in detail.split(',') {
            let before = variant;
            match SETTINGS.iter().find(|(name, _)| *name == word) {
                Some((_, set)) => set(&mut variant),
                None if ["draw", "order", "leaf", "timeout"]
                    .contains(&word.split('=').next().unwrap_or_default()) =>
                {
                    return Err(format!(
                        "unknown setting `{word}`, there are {}",
                        SETTINGS.map(|(name, _)| name).join(", ")
                    ));
                }
                None => {
                    others.push(word);
                    continue;
                }
            }
            // Each setting changes a part that no other has changed.
            let changed = [
                before.draws != Draws::default() && before.draws != variant.draws,
                before.order != Order::default() && before.order != variant.order,
                before == variant,
            ];
            if changed.contains(&true) {
                return Err(format!("`{word}` repeats or contradicts another setting"));
            }
        }
        let named = variant != Variant::default();
        Ok((named.then_some(variant), others))
    }
}

/// A variant that is compared with the published table.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Its settings, or what it is without any.
    pub name: &'static str,
    /// Explanation in a few words.
    pub about: &'static str,
    /// The variant.
    pub variant: Variant,
}

/// The variants that are compared with the published table, the one without settings first.
pub const COMPARED: [Compared; 7] = [
    Compared {
        name: AS_THE_RULES,
        about: "the published search by the rules: a draw is a ply, and the same player moves on",
        variant: Variant::TEXTBOOK,
    },
    Compared {
        name: "order=published,draw=published",
        about: "the published program as its listing reads",
        variant: LISTING,
    },
    Compared {
        name: "draw=published",
        about: "the published program with our order of actions, gap by gap",
        variant: DRAWS,
    },
    Compared {
        name: "order=published",
        about: "as the rules have it, − faces first, tile by tile, then + faces and hexagonal tiles",
        variant: Variant {
            order: Order::Published,
            ..Variant::TEXTBOOK
        },
    },
    Compared {
        name: "draw=published,leaf=points",
        about: "after a draw the opponent moves; tiles held cost nothing at the horizon",
        variant: Variant {
            leaf: Leaf::Points,
            ..DRAWS
        },
    },
    Compared {
        name: "order=published,draw=published,leaf=points",
        about: "the published listing; tiles held cost nothing at the horizon",
        variant: Variant {
            leaf: Leaf::Points,
            ..LISTING
        },
    },
    Compared {
        name: "turns,order=points",
        about: "a draw and the tile after it are one ply, most points first: the strongest variant",
        variant: Variant::TURNS,
    },
];

/// The name of the variant without settings.
pub const AS_THE_RULES: &str = "as the rules have it";

/// The published listing without a limit.
pub const LISTING: Variant = Variant {
    timeout: Timeout::Leaf,
    ..Variant::PUBLISHED
};

const DRAWS: Variant = Variant {
    draws: Draws::Published,
    ..Variant::TEXTBOOK
};

impl fmt::Display for Variant {
    /// The settings as [`Variant::take`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = SETTINGS.iter().filter(|(_, set)| {
            let mut other = *self;
            set(&mut other);
            other == *self
        });
        let names: Vec<_> = names.map(|(name, _)| *name).collect();
        f.write_str(&names.join(","))
    }
}

/// Plain alpha-beta over [`Iwoki::all_actions`] to a fixed depth or node limit. It uses hidden
/// tiles, so it is for the open form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimax {
    /// Search depth in actions or turns.
    pub depth: u8,
    /// Node limit of a decision.
    pub nodes: u64,
    /// Differences from the textbook's search.
    pub variant: Variant,
}

impl Minimax {
    /// The chosen action, and the nodes searched: generated children, without the root.
    pub fn decide(&self, game: &Iwoki) -> (Option<Action>, u64) {
        let mut search = Search::new(self, game);
        let best = search.best(game);
        (best.map(|(_, action)| action), search.nodes)
    }

    /// The chosen action with its value and what was searched for it, as a row of the lab. Nodes are
    /// those of [`Minimax::decide`].
    pub fn found(&self, game: &Iwoki) -> Found<Action> {
        let mut search = Search::new(self, game);
        let best = search.best(game);
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let stopped = search.nodes >= self.nodes;
        Found {
            mv: best.map(|(_, action)| action),
            value: best.map_or(0, |(value, _)| value),
            depth: self.depth,
            complete: !search.is_open,
            stopped,
            stats: Stats {
                nodes: count(search.nodes),
                leaves: count(search.leaves),
                cutoffs: count(search.cutoffs),
                ..Stats::default()
            },
        }
    }

    /// The value of an action.
    pub fn value(&self, game: &Iwoki, action: Action) -> Value {
        let window = [-Value::MAX, Value::MAX];
        Search::new(self, game).child(game, action, self.depth, window)
    }

    /// All actions in the variant's order; equal tiles and ways that look alike are separate.
    fn actions(&self, game: &Iwoki) -> Box<dyn Iterator<Item = Action>> {
        let game = *game;
        match self.variant.order {
            Order::Gaps => {
                let weighted =
                    move |action| std::iter::repeat_n(action, game.weight(action) as usize);
                Box::new(game.legal_moves().flat_map(weighted))
            }
            Order::Points => {
                let mut list: Vec<Action> = game.all_actions().collect();
                list.sort_by_cached_key(|&action| u8::MAX - game.points_of(action));
                Box::new(list.into_iter())
            }
            Order::Published => {
                let mut list: Vec<_> = game
                    .legal_moves()
                    .flat_map(|action| in_published_list(&game, action))
                    .collect();
                list.sort_unstable();
                Box::new(list.into_iter().map(|(.., action)| action))
            }
        }
    }

    fn leaf(&self, game: &Iwoki) -> Value {
        let (me, other) = (game.turn(), !game.turn());
        match self.variant.leaf {
            Leaf::FinalCounts => game.lead(me),
            Leaf::Points => game.hand(me).points() - game.hand(other).points(),
        }
    }
}

/// An action as often as the published list has it: class, kind, number of the equal tile, action.
fn in_published_list(
    game: &Iwoki,
    action: Action,
) -> impl Iterator<Item = (u8, usize, u32, Action)> {
    let (class, tile, copies) = match action.what() {
        What::Small { shape, .. } => {
            let held = game.hand(game.turn()).count(shape.kind());
            (u8::from(!shape.is_minus()), shape.kind(), held)
        }
        What::Hex { shape, .. } => (2, shape.tile(), 1),
        What::Draw | What::Pass => (3, 0, 1),
    };
    let copies = u32::from(copies).max(1);
    (0..game.weight(action)).map(move |number| (class, tile, number % copies, action))
}

/// A decision in progress.
struct Search<'a> {
    settings: &'a Minimax,
    root: Player,
    nodes: u64,
    /// Positions that were evaluated, at the horizon or at the end.
    leaves: u64,
    cutoffs: u64,
    /// Whether a line was cut before the end of the game.
    is_open: bool,
}

impl<'a> Search<'a> {
    fn new(settings: &'a Minimax, game: &Iwoki) -> Search<'a> {
        Search {
            settings,
            root: game.turn(),
            nodes: 0,
            leaves: 0,
            cutoffs: 0,
            is_open: false,
        }
    }

    /// The first of the best actions, with its value.
    fn best(&mut self, game: &Iwoki) -> Option<(Value, Action)> {
        let mut best: Option<(Value, Action)> = None;
        for action in self.settings.actions(game) {
            let alpha = best.map_or(-Value::MAX, |(top, _)| top);
            let value = self.child(game, action, self.settings.depth, [alpha, Value::MAX]);
            if best.is_none_or(|(top, _)| value > top) {
                best = Some((value, action));
            }
        }
        best
    }

    /// The value of an action for the player to move, with so many plies to search.
    fn child(
        &mut self,
        game: &Iwoki,
        action: Action,
        depth: u8,
        [alpha, beta]: [Value; 2],
    ) -> Value {
        self.nodes += 1;
        let mut next = game.after(action);
        let mut depth = depth.saturating_sub(1);
        if action == Action::DRAW {
            match self.settings.variant.draws {
                Draws::GoesOn => {}
                Draws::Published => next = next.turn_given_up(),
                Draws::Turn => depth += 1,
            }
        }
        if next.turn() == game.turn() {
            self.value(&next, depth, [alpha, beta])
        } else {
            -self.value(&next, depth, [-beta, -alpha])
        }
    }

    fn value(&mut self, game: &Iwoki, depth: u8, [mut alpha, beta]: [Value; 2]) -> Value {
        let late = self.nodes >= self.settings.nodes;
        if late && self.settings.variant.timeout == Timeout::Published {
            self.is_open = true;
            // The bound of the player at the root, which is beta at the opponent's nodes.
            return if game.turn() == self.root {
                alpha
            } else {
                beta
            };
        }
        if depth == 0 || game.is_over() || late {
            self.leaves += 1;
            self.is_open |= !game.is_over();
            return self.settings.leaf(game);
        }
        let mut best = -Value::MAX;
        for action in self.settings.actions(game) {
            best = best.max(self.child(game, action, depth, [alpha, beta]));
            alpha = alpha.max(best);
            if best >= beta {
                self.cutoffs += 1;
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::game::Rules as _;
    use dojo_core::games::IwokiRules;
    use dojo_core::games::iwoki::Form;
    use dojo_core::games::iwoki::players::Greedy;
    use dojo_core::players::Agent;
    use dojo_core::rng::Rng;

    fn search(depth: u8, nodes: u64, variant: Variant) -> Minimax {
        Minimax {
            depth,
            nodes,
            variant,
        }
    }

    fn variants() -> Vec<Variant> {
        let read = |text| Variant::take(text).unwrap().0.unwrap();
        [
            "turns",
            "draw=published",
            "draw=published,order=published",
            "turns,order=points",
            "draw=published,order=published,leaf=points,timeout=published",
        ]
        .into_iter()
        .map(read)
        .chain([Variant::default()])
        .collect()
    }

    /// Positions of some games after a few greedy actions, one of them after a draw.
    fn positions() -> impl Iterator<Item = Iwoki> {
        (0..6).map(|deal| {
            let open = IwokiRules {
                form: Form::Open,
                ..IwokiRules::default()
            };
            let mut game = Iwoki::new(open.dealt(deal));
            for _ in 0..4 + deal {
                game.play(Greedy.choose(&game, &mut Rng::new(1)).unwrap())
                    .unwrap();
            }
            if deal == 5 {
                game.play(Action::DRAW).unwrap();
            }
            game
        })
    }

    #[test]
    fn variants_are_read_as_they_are_printed() {
        for variant in variants() {
            let text = format!("depth=3,{variant}");
            let (read, rest) = Variant::take(text.trim_end_matches(',')).unwrap();
            assert_eq!((read.unwrap_or_default(), rest), (variant, vec!["depth=3"]));
        }
        for odd in [
            "turns,draw=published",
            "order=points,order=published",
            "leaf=points,leaf=points",
            "order=reversed",
            "leaf",
        ] {
            assert!(Variant::take(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn every_child_is_counted_and_the_limit_keeps_its_rule() {
        let open = IwokiRules {
            form: Form::Open,
            deal: 4,
        };
        let game = Iwoki::new(open);
        for variant in variants() {
            let one = search(1, u64::MAX, variant);
            assert_eq!(
                one.decide(&game).1,
                21,
                "nine small tiles on two faces and three hexagonal ones"
            );
            let after = game.after(one.decide(&game).0.unwrap());
            let list: Vec<_> = one.actions(&after).collect();
            let mut sorted = (list.clone(), after.all_actions().collect::<Vec<_>>());
            sorted.0.sort();
            sorted.1.sort();
            assert_eq!(sorted.0, sorted.1, "each order has the same actions");
            let all = search(3, u64::MAX, variant).decide(&after);
            let some = search(3, 100, variant).decide(&after);
            assert!(
                some.0.is_some() && 100 < some.1 && some.1 < all.1,
                "{variant}"
            );
            let none = search(3, 0, variant).decide(&after);
            assert_eq!(none.1, list.len() as u64, "{variant}");
            if variant.timeout == Timeout::Published {
                assert_eq!(
                    none.0,
                    list.first().copied(),
                    "alpha is no better than the first"
                );
            } else if variant.draws != Draws::Turn {
                assert_eq!(none.0, one.decide(&after).0, "it sees what depth 1 sees");
            }
        }
    }

    #[test]
    fn actions_beyond_the_published_limit_are_never_chosen() {
        let variant = Variant::PUBLISHED;
        for game in positions() {
            let whole = search(2, u64::MAX, variant);
            let first = whole.actions(&game).next().unwrap();
            let mut alone = Search::new(&whole, &game);
            alone.child(&game, first, 2, [-Value::MAX, Value::MAX]);
            let limited = search(2, alone.nodes, variant);
            assert_eq!(limited.decide(&game).0, Some(first));
        }
    }

    #[test]
    fn the_published_list_has_minus_faces_first_tile_by_tile() {
        let published = search(1, u64::MAX, Variant::PUBLISHED);
        for game in positions() {
            let places: Vec<_> = published
                .actions(&game)
                .map(|action| match action.what() {
                    What::Small { shape, .. } => (u8::from(!shape.is_minus()), shape.kind()),
                    What::Hex { shape, .. } => (2, shape.tile()),
                    What::Draw | What::Pass => (3, 0),
                })
                .collect();
            assert!(places.is_sorted(), "{places:?}");
        }
    }

    #[test]
    fn every_variant_is_alpha_beta() {
        // Full search without a window.
        fn full(game: &Iwoki, depth: u8, of: &Minimax) -> Value {
            if depth == 0 || game.is_over() {
                return of.leaf(game);
            }
            game.legal_moves()
                .map(|action| after(game, action, depth, of))
                .max()
                .unwrap()
        }
        fn after(game: &Iwoki, action: Action, depth: u8, of: &Minimax) -> Value {
            let mut next = game.after(action);
            let drew = action == Action::DRAW;
            if drew && of.variant.draws == Draws::Published {
                next = next.turn_given_up();
            }
            let free = drew && of.variant.draws == Draws::Turn;
            let value = full(&next, depth - u8::from(!free), of);
            if next.turn() == game.turn() {
                value
            } else {
                -value
            }
        }
        for variant in variants() {
            let search = search(2, u64::MAX, variant);
            for game in positions() {
                let action = search.decide(&game).0.unwrap();
                assert_eq!(
                    after(&game, action, 2, &search),
                    full(&game, 2, &search),
                    "{variant}"
                );
            }
        }
    }
}
