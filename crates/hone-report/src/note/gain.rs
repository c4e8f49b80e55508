//! Notes on how far measured gains can be trusted, and on what was left to try.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::number;

/// A note on measured gains, or on the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GainNote {
    /// A quantity other than CPU got worse.
    Regression {
        /// The new build.
        new: String,
        /// The old build.
        old: String,
        /// The quantity, as a sentence.
        sentence: String,
    },
    /// No neighbour of the winner was left to try.
    SearchedAll,
    /// The budget ended the search.
    BudgetSpent {
        /// Number of neighbours that were not tried.
        untried: usize,
        /// Titles of the next ones.
        next: Vec<String>,
    },
    /// No lever was proven to help.
    NothingProven {
        /// Relative width of the baseline's interval against itself.
        width: f64,
    },
    /// The fresh measurement did not confirm the winner's gain.
    Unconfirmed,
    /// The winner was measured in one layout, since another could not be built; the reason.
    OneLayoutOnly(String),
    /// The winner was measured in one layout, as asked.
    OneLayout,
    /// The gains in several layouts.
    Layouts {
        /// Number of layouts.
        count: usize,
        /// The smallest gain.
        low: f64,
        /// The largest gain.
        high: f64,
        /// Standard deviation of the logarithm of the gain between layouts.
        scatter: f64,
        /// Part of a single build's gain that could be luck, 0 to 1.
        luck: f64,
    },
    /// The gains of the steps do not multiply to the gain that was measured directly.
    Misfit {
        /// Product of the steps' gains.
        product: f64,
        /// The gain that was measured directly.
        direct: f64,
    },
}

impl GainNote {
    pub(super) fn warns(&self) -> bool {
        !matches!(
            self,
            Self::SearchedAll | Self::BudgetSpent { .. } | Self::OneLayout | Self::Layouts { .. }
        )
    }
}

impl Display for GainNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regression { new, old, sentence } => write!(f, "{new} against {old}: {sentence}"),
            Self::SearchedAll => f.write_str(
                "The search ended because no neighbour of the winner was left to try.",
            ),
            Self::BudgetSpent { untried, next } => write!(
                f,
                "The budget ended the search with {untried} neighbours of the winner untried; with more time it would try: {}.",
                next.join(", ")
            ),
            Self::NothingProven { width } => write!(
                f,
                "No lever was proven to help. The baseline against itself has an interval {:.1} % wide: a gain of half of \
                 that is seen every second time or so. A quieter machine or a larger seconds_per_rung sees more.",
                width * 100.0
            ),
            Self::Unconfirmed => f.write_str(
                "The winner's gain was not confirmed by the fresh measurement: do not rely on it.",
            ),
            Self::OneLayoutOnly(reason) => write!(
                f,
                "The winner was measured in one layout only, since another could not be built: {reason}."
            ),
            Self::OneLayout => f.write_str(
                "The winner's figure holds for one layout of either binary; --layouts 5 measures how much of it could be \
                 luck.",
            ),
            Self::Layouts {
                count,
                low,
                high,
                scatter,
                luck,
            } => write!(
                f,
                "In {count} layouts (link orders) of both binaries the gain was between {low:.3}x and {high:.3}x; beside the \
                 noise of measuring, layouts differ by {:.1} % (one standard deviation). Of the gain that a single build \
                 shows, {:.0} % could be the luck of its layout.",
                (scatter.exp() - 1.0) * 100.0,
                luck * 100.0,
            ),
            Self::Misfit { product, direct } => write!(
                f,
                "The gains of the winner's steps multiply to {}, and measured directly it gains {}: more apart than chance \
                 explains, as when the luck of one build's layout, or of where its files lie in memory, is part of a step. \
                 What was measured directly counts.",
                number::gain(*product, 3),
                number::gain(*direct, 3),
            ),
        }
    }
}
