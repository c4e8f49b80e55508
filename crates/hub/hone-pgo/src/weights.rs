//! Weights of hosts, ages and strata, and the program and builds that are profiled.
//!
//! A source weighs half for each half-life of its age; a host at most a few times as much as the median host; and strata as
//! much as they are told to. All weights are at most 1: samples never count more often than they were taken, so that the
//! density of a profile stays what it is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hone_fdo::merge::{Fixed, Weight};

use crate::observations::{AGE_STEP_S, Mass, Seen, Source};
use crate::settings::{Settings, Strata};

/// Time for which a build counts as running after its last samples, in seconds: hubs may hand out whole days.
const RUNS_S: u64 = 86_400;

/// 1 as a share in fixed point.
const ONE: u64 = 1 << 32;

/// The program of a service that is profiled, and its builds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Chosen {
    /// Name of the program's file.
    pub(crate) program: String,
    /// Build that the profile is for.
    pub(crate) target: String,
    /// Recorded builds of the program; the target is among them only if it was recorded.
    pub(crate) builds: BTreeSet<String>,
    /// True if the profile is made of branch records, not of plain samples.
    pub(crate) by_branches: bool,
}

/// Weights of sources.
pub(crate) struct Weights {
    half_life: Duration,
    /// Allowed weight and weight, of hosts that weigh more than they may.
    caps: BTreeMap<String, (u64, u64)>,
    /// Factor of each stratum in fixed point; `None` if all count as they are.
    strata: Option<BTreeMap<String, u64>>,
}

impl Chosen {
    /// Chooses the program with the most weight, unless one is named, and of it the newest build that runs, unless a target
    /// is given. `None` if nothing of a program was recorded.
    pub(crate) fn of(
        seen: &Seen<'_>,
        program: Option<&str>,
        target: Option<&str>,
        settings: &Settings,
    ) -> Option<Self> {
        let of_builds = seen
            .sources
            .iter()
            .filter(|(source, _)| !source.build.is_empty());
        let by_branches = of_builds.clone().any(|(_, mass)| mass.taken > 0);
        let aging = Weights::aging(settings);
        let mut by_build: BTreeMap<&str, (Fixed, Mass)> = BTreeMap::new();
        for (source, mass) in of_builds {
            let (weight, sum) = by_build.entry(&source.build).or_default();
            weight.add(aging.of(source).of(measure(mass, by_branches)));
            sum.add(mass);
        }
        let mut by_program: BTreeMap<&str, Fixed> = BTreeMap::new();
        for (build, (weight, _)) in &by_build {
            if let Some(name) = seen.programs.get(*build) {
                by_program.entry(name).or_default().add(*weight);
            }
        }
        let heaviest = by_program.iter().max_by_key(|(_, weight)| **weight);
        let program = match program.filter(|name| by_program.contains_key(name)) {
            Some(name) => name,
            None => *heaviest?.0,
        };
        by_build.retain(|build, _| {
            seen.programs
                .get(*build)
                .is_some_and(|name| name == program)
        });
        let target = match target {
            Some(target) => target,
            None => newest(&by_build, seen.newest_s?, settings.target_share_min)?,
        };
        Some(Self {
            program: program.to_owned(),
            target: target.to_owned(),
            builds: by_build.keys().map(|&build| build.to_owned()).collect(),
            by_branches,
        })
    }

    /// Returns the sources of the program.
    pub(crate) fn sources<'s>(
        &'s self,
        seen: &'s Seen<'_>,
    ) -> impl Iterator<Item = (&'s Source, &'s Mass)> {
        let sources = seen.sources.iter();
        sources.filter(|(source, _)| self.builds.contains(&source.build))
    }

    /// Returns what of a source weighs.
    pub(crate) fn measure(&self, mass: &Mass) -> u64 {
        measure(mass, self.by_branches)
    }
}

fn measure(mass: &Mass, by_branches: bool) -> u64 {
    if by_branches { mass.taken } else { mass.time }
}

/// Returns the build that appeared last, of those that run and have a share of the weight.
fn newest<'s>(
    by_build: &BTreeMap<&'s str, (Fixed, Mass)>,
    newest_s: u64,
    share_min: f64,
) -> Option<&'s str> {
    let mut all = Fixed::default();
    by_build.values().for_each(|(weight, _)| all.add(*weight));
    let least = share_min * all.rounded() as f64;
    let runs = |mass: &Mass| newest_s.saturating_sub(mass.span_s.end) <= RUNS_S;
    let running = by_build
        .iter()
        .filter(|(_, (weight, mass))| runs(mass) && weight.rounded() as f64 >= least);
    let by_start = running.max_by_key(|(_, (weight, mass))| (mass.span_s.start, *weight));
    by_start.map(|(build, _)| *build)
}

impl Weights {
    /// Returns the weights by age alone.
    fn aging(settings: &Settings) -> Self {
        Self {
            half_life: Duration::from_secs(settings.half_life_s),
            caps: BTreeMap::new(),
            strata: None,
        }
    }

    /// Returns the weights of what was seen of a program.
    pub(crate) fn of_program(chosen: &Chosen, seen: &Seen<'_>, settings: &Settings) -> Self {
        let mut weights = Self::aging(settings);
        let mut hosts = weights.sums(chosen, seen, |source| &source.host);
        // Samples that have lost their hosts are of many.
        hosts.remove("");
        weights.caps = caps(hosts, settings.host_medians_max);
        if let Some(strata) = &settings.strata
            && !strata.shares.is_empty()
        {
            let sums = weights.sums(chosen, seen, |source| &source.stratum);
            weights.strata = Some(factors(&sums, strata));
        }
        weights
    }

    /// Returns the weight of a source.
    pub(crate) fn of(&self, source: &Source) -> Weight {
        let age = Duration::from_secs(source.age_steps.saturating_mul(AGE_STEP_S));
        let weight = Weight::times(1).aged(age, self.half_life);
        let weight = match self.caps.get(&source.host) {
            Some(&(allowed, all)) => weight.part(allowed, all),
            None => weight,
        };
        match &self.strata {
            Some(factors) => weight.part(factors.get(&source.stratum).copied().unwrap_or(0), ONE),
            None => weight,
        }
    }

    /// Returns true if the weight of a host is cut.
    pub(crate) fn is_capped(&self, host: &str) -> bool {
        self.caps.contains_key(host)
    }

    /// Returns the number of hosts whose weight is cut.
    pub(crate) fn capped(&self) -> usize {
        self.caps.len()
    }

    /// Returns the hosts whose weight is cut.
    pub(crate) fn into_capped(self) -> Vec<String> {
        self.caps.into_keys().collect()
    }

    /// Returns the weight of the program's sources by a part of them.
    pub(crate) fn sums<'s>(
        &self,
        chosen: &'s Chosen,
        seen: &'s Seen<'_>,
        by: impl Fn(&'s Source) -> &'s String,
    ) -> BTreeMap<&'s str, u64> {
        let mut sums: BTreeMap<&str, Fixed> = BTreeMap::new();
        for (source, mass) in chosen.sources(seen) {
            let sum = sums.entry(by(source)).or_default();
            sum.add(self.of(source).of(chosen.measure(mass)));
        }
        let rounded = sums.into_iter().map(|(key, sum)| (key, sum.rounded()));
        rounded.collect()
    }
}

/// Returns the hosts that weigh more than so many times the median host.
fn caps(hosts: BTreeMap<&str, u64>, medians_max: u64) -> BTreeMap<String, (u64, u64)> {
    let mut sorted: Vec<u64> = hosts.values().copied().filter(|&sum| sum > 0).collect();
    sorted.sort_unstable();
    let (Some(&low), Some(&high)) = (
        sorted.get(sorted.len().saturating_sub(1) / 2),
        sorted.get(sorted.len() / 2),
    ) else {
        return BTreeMap::new();
    };
    let median = low + (high - low) / 2;
    let allowed = median.saturating_mul(medians_max);
    let too_heavy = hosts.into_iter().filter(|&(_, sum)| sum > allowed);
    too_heavy
        .map(|(host, sum)| (host.to_owned(), (allowed, sum)))
        .collect()
}

/// Returns the factors by which strata get their shares. The largest is 1.
fn factors(sums: &BTreeMap<&str, u64>, strata: &Strata) -> BTreeMap<String, u64> {
    let wanted = strata.shares.iter().filter_map(|(value, &share)| {
        let sum = *sums.get(value.as_str()).filter(|&&sum| sum > 0)?;
        Some((value, share / sum as f64))
    });
    let wanted: Vec<_> = wanted.collect();
    let largest = wanted.iter().map(|(_, factor)| *factor).fold(0.0, f64::max);
    let share = |factor: f64| {
        if largest > 0.0 {
            (factor / largest * ONE as f64).round() as u64
        } else {
            0
        }
    };
    let factors = wanted.into_iter();
    factors
        .map(|(value, factor)| (value.clone(), share(factor)))
        .collect()
}
