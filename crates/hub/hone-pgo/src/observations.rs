//! What hosts sent of a service in the window: raw sums by what weights depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hone_batch::{Batch, Group};
use hone_profile::{BinaryKind, BuildId};

use crate::make::Question;
use crate::settings::Settings;

/// Seconds of a step of age. Everything in one step has the same weight.
pub(crate) const AGE_STEP_S: u64 = 6 * 3600;

/// What weights depend on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Source {
    /// Build id of the program, in hexadecimal; empty if it has none.
    pub(crate) build: String,
    pub(crate) host: String,
    /// Value of the label of strata; empty without one.
    pub(crate) stratum: String,
    /// Time by which the samples are older than the newest ones, in steps of [`AGE_STEP_S`], rounded down.
    pub(crate) age_steps: u64,
}

/// Raw sums of a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mass {
    pub(crate) samples: u64,
    pub(crate) samples_with_branches: u64,
    /// Weight of samples: nanoseconds for `cpu-clock`.
    pub(crate) time: u64,
    /// Taken branches.
    pub(crate) taken: u64,
    /// Branch records.
    pub(crate) records: u64,
    /// Time of the batches, in seconds since 1970.
    pub(crate) span_s: Range<u64>,
}

impl Mass {
    pub(crate) fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.samples, other.samples),
            (&mut self.samples_with_branches, other.samples_with_branches),
            (&mut self.time, other.time),
            (&mut self.taken, other.taken),
            (&mut self.records, other.records),
        ];
        for (sum, count) in sums {
            *sum = sum.saturating_add(count);
        }
        self.span_s = if self.span_s == Range::default() {
            other.span_s.clone()
        } else {
            let start = self.span_s.start.min(other.span_s.start);
            start..self.span_s.end.max(other.span_s.end)
        };
    }
}

/// A batch of the window.
#[derive(Clone, Copy)]
pub(crate) struct Dated<'b> {
    pub(crate) batch: &'b Batch,
    /// Time by which the batch is older than the newest samples. The time of the question has no part in weights: the same
    /// batches make the same profile at any time.
    pub(crate) age_s: u64,
}

/// What was seen of a service.
#[derive(Default)]
pub(crate) struct Seen<'b> {
    /// Batches of the window.
    pub(crate) batches: Vec<Dated<'b>>,
    pub(crate) sources: BTreeMap<Source, Mass>,
    /// Name of the program's file by build.
    pub(crate) programs: BTreeMap<String, String>,
    /// Other services in the batches.
    pub(crate) other_services: BTreeSet<String>,
    /// Time of the newest samples, in seconds since 1970; `None` without any sample of the service.
    pub(crate) newest_s: Option<u64>,
}

impl<'b> Seen<'b> {
    /// Adds up what the batches have of a service in the window, which ends with the newest samples.
    pub(crate) fn of(question: &Question<'b>) -> Self {
        let Question {
            service,
            batches,
            sums,
            now_s,
            settings,
            ..
        } = *question;
        let mut seen = Self::default();
        let of_service = |batch: &&Batch| {
            let mut groups = batch.groups.iter();
            groups.any(|group| group.service == service)
        };
        let ends = batches.iter().filter(of_service);
        seen.newest_s = ends.map(|batch| batch.span_s.end.min(now_s)).max();
        for batch in batches {
            let groups = batch.groups.iter().map(|group| &group.service);
            let others = groups.filter(|other| *other != service).cloned();
            seen.other_services.extend(others);
            let dated = seen.dated(batch, settings);
            if let Some(dated) = dated.filter(|_| of_service(&batch)) {
                if sums.is_empty() {
                    seen.add(service, dated, masses(batch), settings);
                }
                seen.name_programs(service, batch);
                seen.batches.push(dated);
            }
        }
        for batch in sums {
            if let Some(dated) = seen.dated(batch, settings) {
                seen.add(service, dated, masses_of_sums(batch), settings);
            }
        }
        seen
    }

    /// Returns the batch with its age, if it is in the window.
    fn dated(&self, batch: &'b Batch, settings: &Settings) -> Option<Dated<'b>> {
        let length_s = batch.span_s.end.saturating_sub(batch.span_s.start);
        let middle_s = batch.span_s.start.saturating_add(length_s / 2);
        let age_s = self.newest_s?.saturating_sub(middle_s);
        (age_s <= settings.window_s).then_some(Dated { batch, age_s })
    }

    fn add(&mut self, service: &str, dated: Dated<'b>, masses: Vec<Mass>, settings: &Settings) {
        let batch = dated.batch;
        for (group, mass) in batch.groups.iter().zip(masses) {
            let mut group = group.clone();
            if group.host.is_empty() {
                group.host.clone_from(&batch.origin.host);
            }
            if let Some(source) = source(&group, service, dated.age_s, settings) {
                self.sources.entry(source).or_default().add(&mass);
            }
        }
    }

    fn name_programs(&mut self, service: &str, batch: &Batch) {
        let groups = batch.groups.iter();
        let builds: BTreeSet<&str> = groups
            .filter(|group| group.service == service)
            .map(|group| group.build.as_str())
            .collect();
        for binary in &batch.binaries {
            let build = binary.build_id.as_ref().map(BuildId::to_string);
            let build = build.filter(|build| builds.contains(build.as_str()));
            let Some(build) = build.filter(|_| binary.kind == BinaryKind::File) else {
                continue;
            };
            // A build that ran under several names goes by the first of them, whatever the order of the batches.
            let name = self.programs.entry(build).or_insert(binary.path.clone());
            if binary.path < *name {
                name.clone_from(&binary.path);
            }
        }
    }
}

/// Returns the source of a group whose host is filled in; `None` for other services.
pub(crate) fn source(
    group: &Group,
    service: &str,
    age_s: u64,
    settings: &Settings,
) -> Option<Source> {
    let stratum = settings.strata.as_ref().and_then(|strata| {
        let mut labels = group.labels.iter();
        labels.find(|label| *label.key == strata.label)
    });
    (group.service == service).then(|| Source {
        build: group.build.clone(),
        host: group.host.clone(),
        stratum: stratum.map_or(String::new(), |label| label.value.to_string()),
        age_steps: age_s / AGE_STEP_S,
    })
}

/// Returns the sums of each group of a batch.
fn masses(batch: &Batch) -> Vec<Mass> {
    let empty = Mass {
        span_s: batch.span_s.clone(),
        ..Mass::default()
    };
    let mut masses = vec![empty; batch.groups.len()];
    let add = |sum: &mut u64, count: u64| *sum = sum.saturating_add(count);
    for row in &batch.samples {
        let mass = &mut masses[row.group.index()];
        add(&mut mass.samples, row.times);
        add(&mut mass.time, row.weight);
        let with_branches = if row.has_branches { row.times } else { 0 };
        add(&mut mass.samples_with_branches, with_branches);
    }
    for row in &batch.branches {
        add(&mut masses[row.group.index()].taken, row.taken);
    }
    for row in &batch.records {
        add(&mut masses[row.group.index()].records, row.branches);
    }
    masses
}

/// Returns the sums of each group of a batch of sums: records tell what branches would.
fn masses_of_sums(batch: &Batch) -> Vec<Mass> {
    let mut masses = masses(batch);
    for mass in &mut masses {
        (mass.samples_with_branches, mass.taken) = (0, mass.records);
    }
    for row in &batch.records {
        let samples = &mut masses[row.group.index()].samples_with_branches;
        *samples = samples.saturating_add(row.samples);
    }
    masses
}
