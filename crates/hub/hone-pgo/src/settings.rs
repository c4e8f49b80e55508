//! Settings of continuous PGO. `docs/decisions/0060-one-profile-of-a-fleet.md` has the reasons of the defaults.

use std::collections::BTreeMap;

use hone_fdo::quality::Limits;
use serde::{Deserialize, Serialize};

use crate::error::PgoError;

/// Seconds of a day.
const DAY_S: u64 = 86_400;

/// Settings of a profile, all with defaults.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Time before the newest samples that counts, in seconds: 3 to 7 days.
    pub window_s: u64,
    /// Time by which samples that count half are older than the newest ones, in seconds.
    pub half_life_s: u64,
    /// Maximum weight of a host, in weights of the median host.
    pub host_medians_max: u64,
    /// Share of a program's weight that a build needs to become the target by being the newest.
    pub target_share_min: f64,
    /// Label by whose values samples are told apart.
    pub strata: Option<Strata>,
    /// True if pseudo-probes name the places in the source, instead of lines.
    pub probes: bool,
    /// True if an extended binary profile lists the functions without samples.
    pub symbol_list: bool,
    /// Limits of the gates.
    pub gates: GateLimits,
    /// Rule by which the former profile stays.
    pub hysteresis: Hysteresis,
}

/// Label by whose values samples are told apart, such as the type of the CPU or the region.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strata {
    /// Key of the label.
    pub label: String,
    /// Share that the samples of each value shall have; values that are not listed count nothing. With no share at all
    /// every value counts as it was recorded.
    #[serde(default)]
    pub shares: BTreeMap<String, f64>,
}

/// Limits of the gates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GateLimits {
    /// Minimum overlap with the next profile, as it is to be expected by that of two halves. What is below could make a build slower.
    pub overlap_min: f64,
    /// Overlap below which a profile is published with a warning.
    pub overlap_good: f64,
    /// Minimum number of samples where there are no halves: with branch records, if the profile is made of these.
    pub samples_min: u64,
    /// Minimum density, in executions or plain samples per place of hot code; 0 for none.
    pub density_min: f64,
    /// Minimum share of the weight that lands in the target build.
    pub match_min: f64,
    /// Maximum age of the newest samples, in seconds.
    pub age_max_s: u64,
}

/// Rule by which the former profile stays: while it overlaps the new one enough, and is young enough.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hysteresis {
    /// Overlap with the new profile below which the former one is replaced.
    pub overlap_min: f64,
    /// Age above which the former profile is replaced, in seconds.
    pub age_max_s: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window_s: 7 * DAY_S,
            half_life_s: 3 * DAY_S,
            host_medians_max: 3,
            target_share_min: 0.01,
            strata: None,
            probes: false,
            symbol_list: true,
            gates: GateLimits::default(),
            hysteresis: Hysteresis::default(),
        }
    }
}

impl Default for GateLimits {
    fn default() -> Self {
        let overlap = Limits::default().overlap;
        Self {
            overlap_min: overlap.unfit(),
            overlap_good: overlap.good(),
            samples_min: 10_000,
            density_min: 0.0,
            match_min: 0.8,
            age_max_s: 14 * DAY_S,
        }
    }
}

impl Default for Hysteresis {
    fn default() -> Self {
        Self {
            overlap_min: 0.95,
            age_max_s: 7 * DAY_S,
        }
    }
}

impl Settings {
    /// Returns an error if a setting makes no sense, which [`crate::make`] refuses too.
    ///
    /// # Errors
    ///
    /// [`PgoError::Settings`] says which.
    pub fn check(&self) -> Result<(), PgoError> {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let shares = self.strata.iter().flat_map(|strata| strata.shares.values());
        let problem = if !(3 * DAY_S..=7 * DAY_S).contains(&self.window_s) {
            "the window must be 3 to 7 days"
        } else if self.half_life_s < DAY_S / 4 {
            "the half-life must be 6 hours or more"
        } else if self.host_medians_max == 0 {
            "a host must have at least the weight of the median host"
        } else if !is_share(self.target_share_min)
            || !is_share(self.gates.match_min)
            || !is_share(self.gates.overlap_min)
            || !is_share(self.gates.overlap_good)
            || !is_share(self.hysteresis.overlap_min)
        {
            "shares must be 0 to 1"
        } else if !(self.gates.density_min >= 0.0 && self.gates.density_min.is_finite()) {
            "the minimum density must be a number from 0 on"
        } else if shares.clone().any(|&share| !is_share(share)) {
            "shares of strata must be 0 to 1"
        } else if shares.clone().count() > 0 && shares.sum::<f64>() == 0.0 {
            "some stratum must have a share above 0"
        } else {
            return Ok(());
        };
        Err(PgoError::Settings { problem })
    }
}
