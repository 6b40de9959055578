//! The algorithms of the lab: how each is called, and its explanation for a class.

use dojo_core::search::{NullMove, Scheme, Settings};

/// How a row is searched.
#[derive(Clone, Copy)]
pub(super) enum Method {
    Minimax,
    Negamax,
    /// One search to the full depth, values of finished games only.
    Look(Settings),
    /// The same, with symmetric positions merged in the table.
    Symmetric(Settings),
    Sss,
    Mtdf,
    /// Iterative deepening to the full depth, values of finished games only.
    Deepen(Settings),
    /// Iterative deepening to the horizon, with evaluation and hints.
    Estimate(Settings),
    Playouts {
        rave: u16,
    },
}

pub(super) struct Algorithm {
    pub(super) name: &'static str,
    pub(super) method: Method,
    /// Explanation in a few words.
    pub(super) about: &'static str,
}

impl Algorithm {
    /// The row that it adds one technique to.
    pub(super) fn base(&self) -> Option<&'static str> {
        let base = match self.method {
            Method::Estimate(_) => "evaluation",
            Method::Deepen(_) => "deepening",
            Method::Look(_) => "alpha-beta",
            Method::Symmetric(_) => "alpha-beta+table",
            Method::Minimax
            | Method::Negamax
            | Method::Sss
            | Method::Mtdf
            | Method::Playouts { .. } => return None,
        };
        Some(base).filter(|&base| base != self.name)
    }
}

const PLAIN: Settings = Settings::PLAIN;
pub(super) const TABLE: Settings = Settings {
    table: true,
    ..PLAIN
};
const SCOUT: Settings = Settings {
    scheme: Scheme::Scout,
    ..PLAIN
};
const NEGASCOUT: Settings = Settings {
    scheme: Scheme::NegaScout,
    ..PLAIN
};

/// All rows of the lab, in the order of a lesson: each builds on the ones before.
pub(super) const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "minimax",
        method: Method::Minimax,
        about: "follows every line to its end; I take the highest value, the opponent the lowest",
    },
    Algorithm {
        name: "negamax",
        method: Method::Negamax,
        about: "the same with one rule: everybody takes the highest, and a value changes sign with the turn",
    },
    Algorithm {
        name: "alpha-beta",
        method: Method::Look(PLAIN),
        about: "leaves a position as soon as one reply shows that a better move is known elsewhere",
    },
    Algorithm {
        name: "scout",
        method: Method::Look(SCOUT),
        about: "searches the first move, then only tests whether another is better, and searches it if so",
    },
    Algorithm {
        name: "negascout",
        method: Method::Look(NEGASCOUT),
        about: "scout inside alpha-beta windows; also called principal variation search",
    },
    Algorithm {
        name: "alpha-beta+table",
        method: Method::Look(TABLE),
        about: "remembers positions: another order of the same moves is not searched again",
    },
    Algorithm {
        name: "alpha-beta+symmetry",
        method: Method::Symmetric(TABLE),
        about: "remembers a position together with its mirror images and turns",
    },
    Algorithm {
        name: "negascout+table",
        method: Method::Look(Settings {
            table: true,
            ..NEGASCOUT
        }),
        about: "both together",
    },
    Algorithm {
        name: "sss*",
        method: Method::Sss,
        about: "asks from above: is it at least this much? no? at least that? with a table that keeps all answers",
    },
    Algorithm {
        name: "mtd(f)",
        method: Method::Mtdf,
        about: "asks the same questions, but starts from a guess (here 0) instead of from above",
    },
    Algorithm {
        name: "killers",
        method: Method::Look(Settings {
            killers: true,
            ..PLAIN
        }),
        about: "alpha-beta that first tries the moves that just cut off a neighbouring position",
    },
    Algorithm {
        name: "history",
        method: Method::Look(Settings {
            history: true,
            ..PLAIN
        }),
        about: "alpha-beta that first tries the moves that cut off most often anywhere",
    },
    Algorithm {
        name: "all sound",
        method: Method::Look(Settings::SOUND),
        about: "negascout, table, table move first, killers, history: nothing that could change the value",
    },
    Algorithm {
        name: "deepening",
        method: Method::Deepen(Settings::SOUND),
        about: "looks one move ahead, then two, and so on; each depth starts with the best move of the last",
    },
    Algorithm {
        name: "aspiration",
        method: Method::Deepen(Settings {
            aspiration: 1,
            ..Settings::SOUND
        }),
        about: "deepening that expects nearly the last value and searches again if that was wrong",
    },
    Algorithm {
        name: "evaluation",
        method: Method::Estimate(PLAIN),
        about: "alpha-beta to the horizon; what lies beyond is estimated. The rows below add one thing each",
    },
    Algorithm {
        name: "promising first",
        method: Method::Estimate(Settings {
            promise: true,
            ..PLAIN
        }),
        about: "the game itself says which moves look promising",
    },
    Algorithm {
        name: "quiescence",
        method: Method::Estimate(Settings {
            quiescence: 4,
            ..PLAIN
        }),
        about: "does not judge a position before threats have been played out",
    },
    Algorithm {
        name: "extensions",
        method: Method::Estimate(Settings {
            extensions: 3,
            ..PLAIN
        }),
        about: "looks deeper where an answer is forced",
    },
    Algorithm {
        name: "futility",
        method: Method::Estimate(Settings {
            futility: true,
            ..PLAIN
        }),
        about: "near the horizon, skips moves that cannot catch up. Can be wrong",
    },
    Algorithm {
        name: "null move",
        method: Method::Estimate(Settings {
            null_move: Some(NullMove {
                reduction: 1,
                verified: false,
            }),
            ..PLAIN
        }),
        about: "if even passing is too good, a real move is as well. Wrong where having to move is a burden",
    },
    Algorithm {
        name: "verified null move",
        method: Method::Estimate(Settings {
            null_move: Some(NullMove {
                reduction: 1,
                verified: true,
            }),
            ..PLAIN
        }),
        about: "the same, confirmed by a shallow search with real moves",
    },
    Algorithm {
        name: "narrowing",
        method: Method::Estimate(Settings {
            narrow: 4,
            promise: true,
            ..PLAIN
        }),
        about: "looks only at the four most promising moves. Can be wrong",
    },
    Algorithm {
        name: "secondary search",
        method: Method::Estimate(Settings { verify: 2, ..PLAIN }),
        about: "looks at the chosen move two moves deeper, and changes its mind if it disappoints",
    },
    Algorithm {
        name: "book",
        method: Method::Estimate(Settings {
            book: true,
            ..PLAIN
        }),
        about: "plays a prepared move where there is one, without any search",
    },
    Algorithm {
        name: "uct",
        method: Method::Playouts { rave: 0 },
        about: "plays games at random and grows a tree where they go well; no evaluation at all",
    },
    Algorithm {
        name: "uct+rave",
        method: Method::Playouts { rave: 100 },
        about: "the same; a move that did well later in a game counts a little at once",
    },
];
