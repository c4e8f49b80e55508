//! Notes on how far measured gains can be trusted, and on what was left to try.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::number;

/// A function that a compiler made otherwise: figures of the build below and of the new one. 0 bytes: it is inlined everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedFunction {
    /// Name of the function.
    pub name: String,
    /// Share of the time in training, 0 to 1.
    pub share: f64,
    /// Bytes of code.
    pub bytes: [u64; 2],
    /// Number of calls in it.
    pub calls: [usize; 2],
    /// Number of indirect jumps in it.
    pub jumps: [usize; 2],
}

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
    /// A build is slower than the one below on the workloads that its profile comes from.
    SlowerInTraining {
        /// The new build.
        new: String,
        /// The build below.
        old: String,
        /// Gain, with the ends of its interval.
        gain: [f64; 3],
        /// The hot function that the compiler changed most, if one changed much.
        changed: Option<ChangedFunction>,
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

impl Display for ChangedFunction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let share = number::share(self.share);
        if self.bytes[1] == 0 {
            return write!(
                f,
                "{} ({share} of the time) is inlined everywhere now.",
                self.name
            );
        }
        let [bytes, calls, jumps] = [
            self.bytes.map(|count| count.to_string()),
            self.calls.map(|count| count.to_string()),
            self.jumps.map(|count| count.to_string()),
        ]
        .map(|[old, new]| format!("{old} to {new}"));
        write!(
            f,
            "Of the hot functions {} ({share} of the time) changed most: from {bytes} bytes, {calls} calls, {jumps} indirect jumps.",
            self.name
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
            Self::SlowerInTraining {
                new,
                old,
                gain: [ratio, low, high],
                changed,
            } => {
                write!(
                    f,
                    "{new} is slower than {old} on the very workloads that its profile comes from, {ratio:.3}x [{low:.3}, {high:.3}]: \
                     the compiler made something worse with it."
                )?;
                match changed {
                    None => Ok(()),
                    Some(changed) => write!(f, " {changed}"),
                }
            }
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
