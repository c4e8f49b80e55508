//! A week of more hosts, replayed from what was recorded on this one.
//!
//! The samples of the recording are dealt out to the hosts. So hosts differ by as much as the recording may be wrong, and the hub, which
//! judges by how hosts differ, knows that: hosts that all had the whole recording would have its chance in common, and a difference of two
//! builds by chance would look sure. Each host has for each hour as many samples of each stack as chance gives it: a number of Poisson's
//! distribution, whose mean is what the host was dealt. Loads go up and down with the hour. Branch records come for one hour in six, with
//! those of all six.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::path::Path;

use anyhow::{Context, Result};
use hone_batch::{BUCKET_S, Batch, Group, Merging, Origin, Samples, wire};
use hone_hub::regressions::{SETTLE_S, STEP_S};
use hone_hub::store::limits::Limits;
use hone_hub::store::{Location, Options, Received, Store};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::access::DEFAULT_TENANT;

const HOUR_S: u64 = 3_600;
/// Days for which hosts are told apart: more than are replayed, since looks at them come last.
pub(super) const DAYS_WITH_HOSTS: u64 = 30;
/// Hosts that are replayed: more than the four that the hub wants for a finding.
pub(super) const HOSTS: u64 = 6;
/// Steps of the hub's looks: six days, a day with the new build, and one more for the look before.
const STEPS: u64 = 29;
const STEPS_OF_NEW: u64 = 4;
/// Samples of a service on a host in an hour, on average.
const SAMPLES_HOUR: f64 = 300.0;
/// Hours whose branch records come together.
const BRANCH_HOURS: u64 = 6;
/// Part by which the load goes up and down in a day.
const SWING: f64 = 0.4;
/// Means above are drawn in parts, since `exp` of them is too small a number.
const MEAN_MAX: f64 = 30.0;

/// What was recorded of a service: of its old build, and of its new one.
pub(super) struct Recorded {
    pub(super) builds: [Batch; 2],
    /// Time that was recorded, in seconds.
    pub(super) time_s: f64,
}

impl Recorded {
    /// Returns the number of samples of each build.
    pub(super) fn samples(&self) -> [u64; 2] {
        let of = |batch: &Batch| batch.samples.iter().map(|row| row.times).sum();
        [of(&self.builds[0]), of(&self.builds[1])]
    }
}

/// What was replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Replayed {
    pub(super) batches: u64,
    pub(super) samples: u64,
    /// Time since which the new build runs, in seconds since 1970.
    pub(super) new_since_s: u64,
}

/// Stores the week before `now_s` in the folder of a hub that does not run.
pub(super) fn replay(
    folder: &Path,
    services: &[Recorded],
    now_s: u64,
    seed: u64,
) -> Result<Replayed> {
    let options = Options {
        limits: Limits {
            hours_kept_days: DAYS_WITH_HOSTS,
            ..Limits::default()
        },
        ..Options::default()
    };
    let store = Store::open(Location::Folder(folder.to_owned()), options);
    let store = store.context("the hub's folder")?;
    let due = now_s.saturating_sub(SETTLE_S) / STEP_S;
    let begin_s = due.saturating_sub(STEPS) * STEP_S;
    let mut replayed = Replayed {
        new_since_s: due.saturating_sub(STEPS_OF_NEW) * STEP_S,
        ..Replayed::default()
    };
    let hosts = dealt(services, HOSTS, &mut ChaCha8Rng::seed_from_u64(seed));
    for start_s in (begin_s..now_s.saturating_sub(HOUR_S)).step_by(HOUR_S as usize) {
        let build = usize::from(start_s >= replayed.new_since_s);
        for (host, of_host) in (0..).zip(&hosts) {
            let mut random = ChaCha8Rng::seed_from_u64(seed ^ start_s.rotate_left(20) ^ host);
            let batch = hour(of_host, build, host, start_s, &mut random);
            replayed.batches += 1;
            replayed.samples += batch.samples.iter().map(|row| row.times).sum::<u64>();
            let received = Received {
                origin: batch.origin.clone(),
                span_s: batch.span_s.clone(),
                bytes: wire::write(&batch),
            };
            store
                .append(DEFAULT_TENANT, &received, batch.span_s.end)
                .context("cannot store the week")?;
        }
    }
    // As a hub would have done hour by hour; it looks at the week when it starts.
    let compacted = store.compact_tenant(DEFAULT_TENANT, now_s);
    compacted.context("cannot compact the week")?;
    Ok(replayed)
}

/// What a host was dealt of the recording of a service.
struct Dealt {
    builds: [Batch; 2],
    /// Samples of each build, of all hosts.
    samples: [u64; 2],
    /// Hosts that they were dealt to.
    hosts: u64,
    /// Time that was recorded, in seconds.
    time_s: f64,
}

/// Deals the samples of each service out to hosts; each has all branch records.
fn dealt(services: &[Recorded], hosts: u64, random: &mut ChaCha8Rng) -> Vec<Vec<Dealt>> {
    let mut of_hosts: Vec<Vec<Dealt>> = (0..hosts).map(|_| Vec::new()).collect();
    for recorded in services {
        let [old, new] = &recorded.builds;
        let olds = dealt_rows(old, hosts, random);
        let news = dealt_rows(new, hosts, random);
        for (host, builds) in of_hosts.iter_mut().zip(olds.into_iter().zip(news)) {
            host.push(Dealt {
                builds: builds.into(),
                samples: recorded.samples(),
                hosts,
                time_s: recorded.time_s,
            });
        }
    }
    of_hosts
}

/// Deals out the samples of a batch.
fn dealt_rows(batch: &Batch, hosts: u64, random: &mut ChaCha8Rng) -> Vec<Batch> {
    let mut parts: Vec<Batch> = (0..hosts)
        .map(|_| Batch {
            samples: Vec::new(),
            ..batch.clone()
        })
        .collect();
    for row in &batch.samples {
        let mut times = vec![0; parts.len()];
        for _ in 0..row.times {
            times[random.random_range(0..parts.len())] += 1;
        }
        let of_hosts = parts.iter_mut().zip(times).filter(|(_, times)| *times > 0);
        for (part, times) in of_hosts {
            let weight = in_proportion(row.weight, row.times, times);
            part.samples.push(Samples {
                times,
                weight,
                ..*row
            });
        }
    }
    parts
}

/// Returns the batch of an hour of a host.
fn hour(
    services: &[Dealt],
    build: usize,
    host: u64,
    start_s: u64,
    random: &mut ChaCha8Rng,
) -> Batch {
    let span_s = start_s..start_s + HOUR_S;
    let of_day = (start_s % 86_400) as f64 / 86_400.0;
    let load = (0.8 + 0.1 * host as f64) * (1.0 + SWING * (of_day * TAU).sin());
    let has_branches = (start_s / HOUR_S + host).is_multiple_of(BRANCH_HOURS);
    let mut merging = Merging::new(BUCKET_S, |group: Group| {
        Some(Group {
            host: String::new(),
            ..group
        })
    });
    for dealt in services {
        let batch = &dealt.builds[build];
        let part = SAMPLES_HOUR / (dealt.samples[build] as f64).max(1.0);
        let weight = HOUR_S as f64 / dealt.time_s.max(1.0) / part;
        let drawn = Drawn {
            part: part * load * dealt.hosts as f64,
            weight,
            branches: if has_branches {
                part * load * BRANCH_HOURS as f64
            } else {
                0.0
            },
        };
        merging.add(&drawn.of(batch, start_s, random));
    }
    Batch {
        origin: Origin {
            host: format!("replayed-{}", host + 1),
            run: 1,
            number: start_s / HOUR_S,
        },
        span_s,
        ..merging.finish()
    }
}

/// How samples are drawn.
struct Drawn {
    /// Part of the samples that an hour has.
    part: f64,
    /// What the weight of a sample is multiplied by.
    weight: f64,
    /// Part of the branch records; 0 for none.
    branches: f64,
}

impl Drawn {
    /// Draws the samples of an hour from a batch.
    fn of(&self, batch: &Batch, start_s: u64, random: &mut ChaCha8Rng) -> Batch {
        let mut samples = Vec::new();
        for row in &batch.samples {
            let times = poisson(row.times as f64 * self.part, random);
            let each = row.weight as f64 / (row.times as f64).max(1.0) * self.weight;
            let mut buckets: BTreeMap<u64, u64> = BTreeMap::new();
            for _ in 0..times {
                let minute = random.random_range(0..HOUR_S / BUCKET_S);
                *buckets.entry(start_s / BUCKET_S + minute).or_default() += 1;
            }
            samples.extend(buckets.into_iter().map(|(bucket, times)| Samples {
                bucket,
                times,
                weight: (each * times as f64) as u64,
                ..*row
            }));
        }
        let mut drawn = Batch {
            samples,
            ..batch.clone()
        };
        let mut draw = |count: &mut u64| {
            *count = poisson(*count as f64 * self.branches, random);
            *count > 0
        };
        drawn.branches.retain_mut(|row| {
            let (before, is_left) = (row.taken, draw(&mut row.taken));
            row.mispredicted = in_proportion(row.mispredicted, before, row.taken);
            is_left
        });
        drawn.ranges.retain_mut(|row| draw(&mut row.times));
        drawn.records.retain_mut(|row| {
            let (before, is_left) = (row.samples, draw(&mut row.samples));
            row.branches = in_proportion(row.branches, before, row.samples);
            row.repeated = in_proportion(row.repeated, before, row.samples);
            is_left
        });
        drawn
    }
}

/// Returns `number` as it is to be if another one went from `before` to `after`.
fn in_proportion(number: u64, before: u64, after: u64) -> u64 {
    (number as f64 * after as f64 / (before as f64).max(1.0)) as u64
}

/// Draws a number of Poisson's distribution (Knuth's method: a sum of such numbers is one of their means' sum).
fn poisson(mean: f64, random: &mut ChaCha8Rng) -> u64 {
    let (mut left, mut number) = (mean, 0);
    while left > 0.0 {
        let limit = (-left.min(MEAN_MAX)).exp();
        left -= MEAN_MAX;
        let mut product: f64 = random.random();
        while product > limit {
            number += 1;
            product *= random.random::<f64>();
        }
    }
    number
}

#[cfg(test)]
mod tests;
