//! Go on 9×9: learning curves, the published player's tables, and GNU Go as a referee.

use std::sync::LazyLock;

use dojo_core::bank::Bank;
use dojo_core::games::{Go, GoRules};

use super::patterns;
use super::published::{Published, PublishedSearch};
use crate::bank::SHIPPED;
use crate::experiment::{Experiment, Findings, Scale};
use crate::games::go::gtp::program::gnugo;
use crate::output;
use crate::players::ArenaPlayer;

mod depth;
mod learning;
mod matches;

/// The experiments of this game.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "go-training",
        title: "Go 9×9: learning curves of the published networks",
        run: learning::training,
    },
    Experiment {
        name: "go-rates",
        title: "Go 9×9: rates and gradient of the published network with four hidden units",
        run: learning::rates,
    },
    Experiment {
        name: "go-unstable",
        title: "Go 9×9: the published perceptron at the rate 0.005",
        run: learning::unstable,
    },
    Experiment {
        name: "go-learning",
        title: "Go 9×9: what helps the learning (ours)",
        run: learning::learning,
    },
    Experiment {
        name: "go-credit",
        title: "Go 9×9: TD-leaf, TD-directed and TD(µ) (named as future work)",
        run: learning::credit,
    },
    Experiment {
        name: "go-opponents",
        title: "Go 9×9: training against other players and mixed ones (named as future work)",
        run: learning::opponents,
    },
    Experiment {
        name: "go-weak",
        title: "Go 9×9: the published player against a weak program",
        run: matches::weak,
    },
    Experiment {
        name: "go-gnugo",
        title: "Go 9×9: the published player against GNU Go",
        run: matches::against_gnugo,
    },
    Experiment {
        name: "go-candidates",
        title: "Go 9×9: the published player's candidates by patterns and by hand, against GNU Go",
        run: matches::candidates,
    },
    Experiment {
        name: "go-networks",
        title: "Go 9×9: freshly trained networks as the published player, against GNU Go (ours)",
        run: learning::networks,
    },
    Experiment {
        name: "go-depth",
        title: "Go 9×9: the networks one, two and three moves ahead against GNU Go (ours)",
        run: depth::depth,
    },
    Experiment {
        name: "go-referee",
        title: "Go 9×9: GNU Go as a referee (ours)",
        run: matches::refereed,
    },
    Experiment {
        name: "go-patterns",
        title: "Go 9×9: recorded moves among the best twenty by induced rules",
        run: patterns::experiment::patterns,
    },
];

/// A published figure belongs only beside a run of full size.
fn published(scale: &Scale, figure: f64) -> Option<f64> {
    (!scale.quick).then_some(figure)
}

static BANK: LazyLock<Option<Bank<'static>>> = LazyLock::new(|| Bank::new(SHIPPED).ok());

/// A player by its name, with the shipped bank.
fn player(name: &str) -> Option<ArenaPlayer<'static, Go>> {
    ArenaPlayer::new(&name.parse().ok()?, GoRules::default(), BANK.as_ref()?).ok()
}

/// The published player with a network of the shipped bank.
fn published_player(network: &str, depth: u8) -> Option<Published> {
    Published::from_bank(BANK.as_ref()?, network, &PublishedSearch::depth(depth)).ok()
}

/// Whether GNU Go is installed; says so loudly if not, and in the findings.
fn has_gnugo(findings: &mut Findings) -> bool {
    let found = gnugo().is_some();
    if !found {
        output::warn(
            "GNU Go is NOT INSTALLED: rows with it are missing (Debian: apt install gnugo)",
        );
        findings
            .remarks
            .push("GNU Go was not installed when this was run: rows with it are missing.");
    }
    found
}
