//! What a profile of a fleet is worth, in figures.

use std::collections::{BTreeMap, BTreeSet};

use hone_fdo::quality::density;
use serde::{Deserialize, Serialize};

use crate::halves::HalvesOf;
use crate::join::{Joined, Part};
use crate::observations::{AGE_STEP_S, Mass, Seen, Source};
use crate::weights::{Chosen, Weights};

/// What a profile is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Branch records.
    Branches,
    /// Plain samples, which make a poor profile of anything but Go.
    #[default]
    Samples,
}

/// Figures of a profile. Shares are 0 to 1, and of weight unless something else is said.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Quality {
    /// What the profile is made of.
    pub basis: Basis,
    /// Number of samples of the program in the window.
    pub samples: u64,
    /// Number of samples with branch records among them.
    pub samples_with_branches: u64,
    /// Number of branch records.
    pub branch_records: u64,
    /// Overlap with the next profile, as it is to be expected by that of two halves; `None` if there are no halves.
    #[serde(default)]
    pub overlap: Option<f64>,
    /// Share of the gain of a profile of whole runs that is to be expected by this overlap; `None` if it is so small that the profile may
    /// make the program slower.
    #[serde(default)]
    pub gain_share: Option<f64>,
    /// What these halves are sets of.
    #[serde(default)]
    pub halves: Option<HalvesOf>,
    /// Executions (or plain samples) per place of hot code, as `hone quality` has it. `None` for forms that name addresses.
    pub density: Option<f64>,
    /// Share that lands in the target build.
    pub match_share: f64,
    /// Age of the newest samples, in seconds.
    pub newest_age_s: u64,
    /// Mean age by weight, in seconds.
    pub mean_age_s: u64,
    /// Number of hosts.
    pub hosts: u64,
    /// Number of hosts whose weight was cut.
    pub hosts_capped: u64,
    /// Number of builds.
    pub builds: u64,
    /// Shares of the strata.
    pub strata: BTreeMap<String, f64>,
    /// Share of the samples in the hottest functions, which have nine tenths of all, that fell in functions which the
    /// profile covers.
    pub hot_covered: f64,
}

/// A build of the program, as an input of the profile.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// Build id in hexadecimal.
    pub build: String,
    /// Share of the weight.
    pub share: f64,
    /// Number of samples.
    pub samples: u64,
    /// Number of hosts.
    pub hosts: u64,
    /// Time of the samples: from, in seconds since 1970.
    pub from_s: u64,
    /// Time of the samples: to, in seconds since 1970.
    pub to_s: u64,
    /// Share of the build's weight that lands in the target build.
    pub match_share: f64,
    /// Reason why nothing of the build is in the profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// Returns the share of each build.
pub(crate) fn shares<'s>(
    chosen: &'s Chosen,
    seen: &'s Seen<'_>,
    weights: &Weights,
    by: impl Fn(&'s Source) -> &'s String,
) -> BTreeMap<&'s str, f64> {
    let sums = weights.sums(chosen, seen, by);
    let all: f64 = sums.values().map(|&sum| sum as f64).sum();
    let share = |sum: u64| if all > 0.0 { sum as f64 / all } else { 0.0 };
    let shares = sums.into_iter().map(|(key, sum)| (key, share(sum)));
    shares.collect()
}

/// Describes the builds, the heaviest first. Builds without a part were not used by this form.
pub(crate) fn inputs(
    chosen: &Chosen,
    seen: &Seen<'_>,
    shares: &BTreeMap<&str, f64>,
    parts: &BTreeMap<String, Part>,
) -> Vec<Input> {
    let mut by_build: BTreeMap<&str, (Mass, BTreeSet<&str>)> = BTreeMap::new();
    for (source, mass) in chosen.sources(seen) {
        let (sum, hosts) = by_build.entry(&source.build).or_default();
        sum.add(mass);
        hosts.insert(&source.host);
    }
    let input = |(build, (mass, hosts)): (&str, (Mass, BTreeSet<&str>))| {
        let part = parts.get(build);
        let other_build = || "the form names addresses of the target build alone".to_owned();
        Input {
            build: build.to_owned(),
            share: rounded(shares.get(build).copied().unwrap_or(0.0)),
            samples: mass.samples,
            hosts: hosts.len() as u64,
            from_s: mass.span_s.start,
            to_s: mass.span_s.end,
            match_share: rounded(part.map_or(0.0, |part| part.landed)),
            left_out: part.map_or_else(|| Some(other_build()), |part| part.left_out.clone()),
        }
    };
    let mut inputs: Vec<Input> = by_build.into_iter().map(input).collect();
    inputs.sort_by(|a, b| {
        b.share
            .total_cmp(&a.share)
            .then_with(|| a.build.cmp(&b.build))
    });
    inputs
}

/// Computes the figures, but those of the profile itself.
pub(crate) fn of(
    chosen: &Chosen,
    seen: &Seen<'_>,
    weights: &Weights,
    parts: &BTreeMap<String, Part>,
    now_s: u64,
) -> Quality {
    let mut all = Mass::default();
    let mut hosts = BTreeSet::new();
    let (mut weight, mut aged) = (0.0, 0.0);
    for (source, mass) in chosen.sources(seen) {
        all.add(mass);
        hosts.insert(&source.host);
        let own = weights.of(source).of(chosen.measure(mass)).rounded() as f64;
        weight += own;
        aged += own * (source.age_steps.saturating_mul(AGE_STEP_S)) as f64;
    }
    let by_build = shares(chosen, seen, weights, |source| &source.build);
    let over_builds = |figure: fn(&Part) -> f64| {
        let parts = parts.iter();
        let of_part =
            parts.map(|(build, part)| figure(part) * by_build.get(build.as_str()).unwrap_or(&0.0));
        of_part.sum::<f64>()
    };
    let match_share = over_builds(|part| part.landed);
    let used = over_builds(|part| if part.left_out.is_none() { 1.0 } else { 0.0 });
    let hot_covered = over_builds(|part| part.hot_covered);
    let strata = shares(chosen, seen, weights, |source| &source.stratum);
    let newest_age_s = now_s.saturating_sub(seen.newest_s.unwrap_or(0));
    let is_told = strata.keys().any(|value| !value.is_empty());
    let strata = strata.into_iter().filter(|_| is_told);
    Quality {
        basis: if chosen.by_branches {
            Basis::Branches
        } else {
            Basis::Samples
        },
        samples: all.samples,
        samples_with_branches: all.samples_with_branches,
        branch_records: all.records,
        overlap: None,
        gain_share: None,
        halves: None,
        density: None,
        match_share: rounded(match_share),
        newest_age_s,
        mean_age_s: if weight > 0.0 {
            newest_age_s.saturating_add((aged / weight) as u64)
        } else {
            newest_age_s
        },
        hosts: hosts.len() as u64,
        hosts_capped: weights.capped() as u64,
        builds: chosen.builds.len() as u64,
        strata: strata
            .map(|(value, share)| (value.to_owned(), rounded(share)))
            .collect(),
        hot_covered: rounded(if used > 0.0 { hot_covered / used } else { 0.0 }),
    }
}

/// Returns the density of a profile by source; of plain samples in samples, whatever their weight is.
pub(crate) fn density_of(joined: &Joined) -> f64 {
    rounded(density(&joined.samples) / joined.sample_weight)
}

/// Rounds to four places: more of them tell nothing, and differ between machines.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
