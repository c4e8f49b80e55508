//! Hosts of a fleet, each with rounds of its own made of the stacks of pools.
//!
//! Every tick of every CPU of a host is drawn by itself: it is busy or not, and then has a stack of the host's main service or of its
//! second one. Hosts differ in the places where they spend their time, services in their busy hours. Each service has a new build every
//! day, as after a deployment, but the first one of each program, which keeps the recorded build. The same spec makes the same batches.

use std::cell::Cell;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::mem::take;
use std::path::{Path, PathBuf};

use hone_batch::{BUCKET_S, Batch, Branches, Group, Merging, Origin, Ranges, Records, Samples};
use hone_profile::{BinaryKind, BuildId};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Deserialize;

use crate::{Failure, pool};

/// Seconds of a round.
pub(crate) const ROUND_S: u64 = 30;
/// Samples a second of a busy CPU.
const RATE_HZ: u64 = 19;
/// Part of the samples that are of the main service.
const MAIN_SHARE: f64 = 0.9;
/// Part by which the load of a service goes up and down in a day.
const DAY_SWING: f64 = 0.4;
/// Least probability with which a host takes a stack that was drawn.
const LEAST_TAKEN: f64 = 0.3;
const DAY_S: u64 = 86_400;
const HOUR_S: u64 = 3600;

/// What a fleet is like.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    /// Pools, one for each program.
    pub(crate) pools: Vec<PathBuf>,
    /// Services that are made of each pool.
    pub(crate) services_of_pool: usize,
    pub(crate) hosts: usize,
    pub(crate) cores: u64,
    /// Part of the time for which a core is busy.
    pub(crate) busy: f64,
    /// First second of a store that is filled.
    pub(crate) from_s: u64,
    /// Hours of a store that is filled.
    pub(crate) hours: u64,
    /// Bytes of batches that one compaction takes; 0 for as many as the hub does. A part of a fleet is compacted as often as all of
    /// it with the same part of the hub's bytes.
    pub(crate) compact_bytes: u64,
    /// Rounds of each host in an hour: 120 are all.
    pub(crate) rounds_of_hour: u64,
    /// Branch records of a round, of programs that were recorded with some; 0 for none.
    pub(crate) branch_records: u64,
    /// Seconds for which batches are sent to a hub.
    pub(crate) send_s: f64,
    /// Batches a second that are sent; 0 for as many as the hub takes.
    pub(crate) batches_s: f64,
    /// Threads that make and send batches.
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

/// A fleet.
pub(crate) struct Fleet {
    pub(crate) spec: Spec,
    pools: Vec<Pool>,
    services: Vec<Service>,
}

struct Pool {
    /// The tables, without samples.
    tables: Batch,
    rows: Vec<Samples>,
    /// Sums of `times` up to each row.
    until: Vec<u64>,
    /// Hash of the place where each row's samples fell.
    places: Vec<u64>,
    branches: Vec<Branches>,
    ranges: Vec<Ranges>,
    records: Vec<Records>,
    /// Index of the program's file, which has another build each day.
    program: Option<usize>,
}

struct Service {
    name: String,
    pool: usize,
    /// Seconds after midnight at which a new build is deployed, and from which the busy hours are reckoned.
    shift_s: u64,
    /// True if the build changes.
    is_deployed: bool,
}

/// Room that a thread uses again: tables of pools with the build id of a deployment.
#[derive(Default)]
pub(crate) struct Room(FxHashMap<(usize, Option<u64>), Batch>);

/// A batch, and the samples in it.
pub(crate) struct Made {
    pub(crate) batch: Batch,
    pub(crate) samples: u64,
}

impl Fleet {
    pub(crate) fn read(spec: &Path) -> Result<Self, Failure> {
        let spec: Spec = serde_json::from_slice(&fs::read(spec)?)?;
        let pools = spec
            .pools
            .iter()
            .map(|path| Ok(Pool::of(pool::read(path)?)));
        let pools: Vec<Pool> = pools.collect::<Result<_, Failure>>()?;
        let mut services = Vec::new();
        for number in 0..spec.services_of_pool {
            for (pool, of) in pools.iter().enumerate() {
                let name = &of.tables.groups[0].service;
                services.push(Service {
                    name: format!("{name}-{number}"),
                    pool,
                    shift_s: hash(&[spec.seed, number as u64, pool as u64]) % DAY_S,
                    is_deployed: number > 0,
                });
            }
        }
        Ok(Self {
            spec,
            pools,
            services,
        })
    }

    /// Makes the batch of a host's round that begins at a time.
    pub(crate) fn batch(&self, room: &mut Room, host: usize, start_s: u64) -> Made {
        let spec = &self.spec;
        let mut rng = ChaCha8Rng::seed_from_u64(hash(&[spec.seed, host as u64, start_s]));
        let second = hash(&[spec.seed, host as u64, 1]) as usize % self.services.len();
        let services = [host % self.services.len(), second];
        let mut counts: [FxHashMap<(u32, u64), u64>; 2] = Default::default();
        let mut samples = 0;
        let busy = services.map(|service| self.busy(service, start_s));
        for _ in 0..ROUND_S * RATE_HZ * spec.cores {
            let slot = usize::from(rng.random::<f64>() > MAIN_SHARE);
            if rng.random::<f64>() >= busy[slot] {
                continue;
            }
            let pool = &self.pools[self.services[services[slot]].pool];
            let row = pool.draw(host as u64, &mut rng);
            let bucket = (start_s + rng.random_range(0..ROUND_S)) / BUCKET_S;
            *counts[slot].entry((row, bucket)).or_default() += 1;
            samples += 1;
        }
        let batch = self.added_up(room, host, start_s, services, counts, &mut rng);
        Made { batch, samples }
    }

    fn busy(&self, service: usize, time_s: u64) -> f64 {
        let of_day = (time_s + self.services[service].shift_s) % DAY_S;
        let turn = of_day as f64 / DAY_S as f64 * std::f64::consts::TAU;
        (self.spec.busy * (1.0 + DAY_SWING * turn.sin())).min(1.0)
    }

    fn added_up(
        &self,
        room: &mut Room,
        host: usize,
        start_s: u64,
        services: [usize; 2],
        counts: [FxHashMap<(u32, u64), u64>; 2],
        rng: &mut ChaCha8Rng,
    ) -> Batch {
        // Of the main service alone.
        let branch_records = [self.spec.branch_records, 0];
        let service = Cell::new(0);
        let mut merging = Merging::new(BUCKET_S, |group: Group| {
            let id = hash(&[self.spec.seed, host as u64, service.get() as u64]);
            Some(Group {
                host: String::new(),
                service: self.services[service.get()].name.clone(),
                container: format!("{id:016x}").repeat(4),
                ..group
            })
        });
        let of_services = services.into_iter().zip(counts).zip(branch_records);
        for ((at, counts), branch_records) in of_services {
            service.set(at);
            let Service {
                pool,
                shift_s,
                is_deployed,
                ..
            } = self.services[at];
            let deployed = is_deployed.then_some((start_s + shift_s) / DAY_S);
            let tables = room
                .0
                .entry((at, deployed))
                .or_insert_with(|| self.pools[pool].of_build(at, deployed));
            tables.samples.clear();
            self.pools[pool].put_branches(tables, branch_records, rng);
            tables
                .samples
                .extend(counts.into_iter().map(|((row, bucket), times)| Samples {
                    bucket,
                    times,
                    weight: times * (1_000_000_000 / RATE_HZ),
                    ..self.pools[pool].rows[row as usize]
                }));
            merging.add(tables);
        }
        let batch = merging.finish();
        Batch {
            origin: Origin {
                host: format!("host-{host:04}"),
                run: u128::from(hash(&[self.spec.seed, host as u64, 2])),
                number: start_s,
            },
            span_s: start_s..start_s + ROUND_S,
            ..batch
        }
    }

    /// Seconds after the begin of an hour's share at which a host's rounds begin: hosts do not keep step.
    pub(crate) fn offset_s(&self, host: usize) -> u64 {
        hash(&[self.spec.seed, host as u64, 3]) % (HOUR_S / self.spec.rounds_of_hour.clamp(1, 120))
    }
}

impl Pool {
    fn of(mut batch: Batch) -> Self {
        let rows = take(&mut batch.samples);
        let (branches, ranges) = (take(&mut batch.branches), take(&mut batch.ranges));
        let records = take(&mut batch.records);
        let until = rows.iter().scan(0, |sum, row| {
            *sum += row.times;
            Some(*sum)
        });
        let until = until.collect();
        let place = |row: &Samples| batch.frames[row.stack.index()].place.0;
        let places = rows.iter().map(|row| hash(&[place(row).into()])).collect();
        let mut samples_of = vec![0; batch.binaries.len()];
        for frame in &batch.frames {
            if let hone_batch::Place::Code { binary, .. } = batch.places[frame.place.index()] {
                samples_of[binary.index()] += 1;
            }
        }
        let is_program = |at: &usize| {
            let binary = &batch.binaries[*at];
            binary.kind == BinaryKind::File && !binary.path.contains(".so")
        };
        let program = (0..batch.binaries.len())
            .filter(is_program)
            .max_by_key(|at| samples_of[*at]);
        Self {
            tables: batch,
            rows,
            until,
            places,
            branches,
            ranges,
            records,
            program,
        }
    }

    /// Draws a row; hosts take those of some places less often.
    fn draw(&self, host: u64, rng: &mut ChaCha8Rng) -> u32 {
        let total = self.until.last().copied().unwrap_or(1);
        loop {
            let ticket = rng.random_range(0..total);
            let row = self.until.partition_point(|until| *until <= ticket);
            let taste = hash(&[host, self.places[row]]) as f64 / u64::MAX as f64;
            if rng.random::<f64>() < LEAST_TAKEN + (1.0 - LEAST_TAKEN) * taste {
                return row as u32;
            }
        }
    }

    /// Puts as many branch records into a batch as a round has, in the proportions of the recording: each row has what falls to it,
    /// rounded up or down by chance.
    fn put_branches(&self, batch: &mut Batch, branch_records: u64, rng: &mut ChaCha8Rng) {
        batch.branches.clear();
        batch.ranges.clear();
        batch.records.clear();
        let recorded: u64 = self.records.iter().map(|row| row.branches).sum();
        let wanted = branch_records.min(recorded);
        if wanted == 0 {
            return;
        }
        let part = wanted as f64 / recorded as f64;
        let mut drawn = |count: u64| (count as f64 * part + rng.random::<f64>()) as u64;
        batch
            .branches
            .extend(self.branches.iter().map(|row| Branches {
                taken: drawn(row.taken),
                mispredicted: 0,
                ..*row
            }));
        batch.ranges.extend(self.ranges.iter().map(|row| Ranges {
            times: drawn(row.times),
            ..*row
        }));
        batch.records.extend(self.records.iter().map(|row| Records {
            samples: drawn(row.samples),
            branches: drawn(row.branches),
            repeated: 0,
            ..*row
        }));
        batch.branches.retain(|row| row.taken > 0);
        batch.ranges.retain(|row| row.times > 0);
        batch.records.retain(|row| row.branches > 0);
    }

    /// The tables with the build of a deployment; the recorded one without.
    fn of_build(&self, service: usize, deployed: Option<u64>) -> Batch {
        let mut tables = self.tables.clone();
        let mut build = self
            .program
            .and_then(|program| tables.binaries[program].build_id.clone());
        if let Some(deployed) = deployed {
            let id = [0, 1, 2].map(|part| hash(&[service as u64, deployed, part]).to_le_bytes());
            build = BuildId::new(&id.concat()[..20]);
        }
        if let Some(program) = self.program {
            tables.binaries[program].build_id.clone_from(&build);
        }
        let text = build.map_or_else(String::new, |build| build.to_string());
        tables
            .groups
            .iter_mut()
            .for_each(|group| group.build.clone_from(&text));
        tables
    }
}

fn hash(of: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    of.iter().for_each(|number| hasher.write_u64(*number));
    // Neighbours become far apart.
    let mixed = hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (mixed >> 29)
}
