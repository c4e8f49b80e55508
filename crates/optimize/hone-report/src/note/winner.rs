//! Notes on the winner.

use std::fmt::{self, Display, Formatter};

use hone_measure::Interval;
use serde::{Deserialize, Serialize};

use crate::number;

/// A note on the winner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WinnerNote {
    /// A hot loop is no longer vectorised.
    LostVectorisation {
        /// File and line of the loop.
        place: String,
        /// Function of the loop.
        function: String,
        /// Shares of the samples that fall into the loop: in the baseline, and in the winner.
        shares: [f64; 2],
    },
    /// No hot loop lost its vectorisation.
    VectorisationKept,
    /// The loops were not compared; the reason.
    VectorisationUnknown(String),
    /// The winner has no profile to try on the previous release.
    NothingForPrevious,
    /// The gain on the previous release's source.
    Previous {
        /// The gain there.
        then: Interval,
        /// The gain on today's source.
        today: Interval,
        /// True if BOLT, which is part of the winner, was left out.
        without_bolt: bool,
    },
    /// The previous release was not tried; the reason.
    PreviousUnknown(String),
    /// The recipe by flags alone is left out; the reason, as sentences.
    NoPlainRecipe(String),
}

impl WinnerNote {
    pub(super) fn warns(&self) -> bool {
        matches!(self, Self::LostVectorisation { .. })
    }
}

impl Display for WinnerNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::LostVectorisation {
                place,
                function,
                shares: [before, now],
            } => write!(
                f,
                "{place} ({function}) is vectorised in the baseline and not in the winner: {} of the samples fall into its \
                 loop, where it was {}. Train on more of what runs it.",
                number::share(*now),
                number::share(*before),
            ),
            Self::VectorisationKept => f.write_str(
                "No hot loop of the measured workloads lost its vectorisation (plain samples by line).",
            ),
            Self::VectorisationUnknown(reason) => write!(
                f,
                "Whether hot loops lost their vectorisation was not found out: {reason}."
            ),
            Self::NothingForPrevious => f.write_str(
                "The winner uses no profile, so there was nothing to try on the previous release.",
            ),
            Self::Previous {
                then,
                today,
                without_bolt,
            } => write!(
                f,
                "On the source of the previous release the winner's flags and profile{} give {}, where on today's they give \
                 {}: so well does a profile keep from one release to the next.",
                match without_bolt {
                    true => " (without BOLT)",
                    false => "",
                },
                number::gain_with_interval(then),
                number::gain_with_interval(today)
            ),
            Self::PreviousUnknown(reason) => write!(
                f,
                "The winner's profile could not be tried on the previous release: {reason}"
            ),
            Self::NoPlainRecipe(text) => f.write_str(text),
        }
    }
}
