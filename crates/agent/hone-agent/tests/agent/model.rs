//! Stores and flusher against a model that only has maps: whatever comes to which worker and expires when.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hone_agent::aggregate::{Aggregate, Buckets};
use hone_agent::flush::{Flusher, Settings};
use hone_agent::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use hone_agent::store::{Caps, Cell, Limits, Origin, Place, Store};
use proptest::prelude::*;

const WORKERS: usize = 3;
const KINDS: [Kind; 5] = [
    Kind::Counter,
    Kind::Rate,
    Kind::Gauge,
    Kind::Timer,
    Kind::Set,
];
const TAGS: [&str; 2] = ["a=1|b=2", "b=2|c=3"];
/// The same tags as they may also come.
const TAGS_TURNED: [&str; 2] = ["b=2 a=1", "c=4|c=3|b=2"];
/// Intervals of silence until a series is not sent any more; in the next one it is forgotten.
const SILENT_MAX: u32 = 2;

/// Kind and tags, by number.
type Name = (usize, usize);

#[derive(Clone, Copy, Debug)]
struct Taken {
    worker: usize,
    name: Name,
    value: i32,
    weight: u32,
    is_turned: bool,
    is_change: bool,
}

#[derive(Clone, Debug)]
enum Step {
    Take(Taken),
    /// The workers swap in this order.
    Flush(Vec<usize>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = (0..KINDS.len(), 0..TAGS.len());
    let taken = (0..WORKERS, name, -9..10, 1..4_u32, any::<[bool; 2]>());
    let taken = taken.prop_map(|(worker, name, value, weight, [is_turned, is_change])| {
        Step::Take(Taken {
            worker,
            name,
            value,
            weight,
            is_turned,
            is_change,
        })
    });
    let order = Just((0..WORKERS).collect::<Vec<_>>()).prop_shuffle();
    prop::collection::vec(
        prop_oneof![2 => taken, 1 => order.prop_map(Step::Flush)],
        0..150,
    )
}

/// The agent without its threads.
struct Agent {
    caps: Arc<Caps>,
    stores: Vec<Store>,
    spare: Vec<Vec<Cell>>,
    expired: Vec<Vec<Place>>,
    flusher: Flusher,
}

impl Agent {
    fn new(limits: Limits) -> Self {
        let caps = Arc::new(Caps::new(limits));
        let store = |_| Store::new(Arc::clone(&caps), limits);
        Self {
            stores: (0..WORKERS).map(store).collect(),
            caps,
            spare: vec![Vec::new(); WORKERS],
            expired: vec![Vec::new(); WORKERS],
            flusher: Flusher::new(Settings {
                quantiles: vec![0.0, 1.0],
                expires_after: SILENT_MAX,
                distributions_expire_after: SILENT_MAX,
                ..Settings::default()
            }),
        }
    }

    fn take(&mut self, taken: &Taken) {
        let kind = KINDS[taken.name.0];
        let tags = if taken.is_turned { TAGS_TURNED } else { TAGS };
        let numbers = [f64::from(taken.value)];
        let member = taken.value.to_le_bytes();
        let values = match kind {
            Kind::Gauge if taken.is_change => Values::Change(numbers[0]),
            Kind::Set => Values::Member(&member),
            _ => Values::Numbers(&numbers),
        };
        let sample = Sample {
            series: RawSeries {
                kind,
                metric: b"m",
                tags: tags[taken.name.1].as_bytes(),
                syntax: TagSyntax::Sdk,
            },
            values,
            weight: f64::from(taken.weight),
            time_s: None,
            container: None,
        };
        self.stores[taken.worker].take(&sample, Origin::Process(taken.worker as u32 + 1));
    }

    /// The points of the interval, which took ten seconds, and the values that were stored.
    fn flush(&mut self, order: &[usize]) -> (Vec<(String, Aggregate)>, u64) {
        for &worker in order {
            let spare = std::mem::take(&mut self.spare[worker]);
            let swapped = self.stores[worker].swap(spare, &self.expired[worker]);
            self.spare[worker] = self.flusher.add(worker, swapped);
        }
        let mut points = Vec::new();
        let finished = self.flusher.finish(0, 10_000, |point| {
            points.push((format!("{:?}", point.series), point.value));
        });
        self.expired = finished.expired;
        points.sort_by(|a, b| a.0.cmp(&b.0));
        (points, finished.tally.stored)
    }
}

/// What is known of a series.
#[derive(Default)]
struct Known {
    standing: f64,
    silent: u32,
}

/// What the agent should be.
#[derive(Default)]
struct Model {
    taken: Vec<Taken>,
    known: BTreeMap<Name, Known>,
}

impl Model {
    /// As if the samples had come one worker after the other.
    fn flush(&mut self, order: &[usize]) -> Vec<(String, Aggregate)> {
        let taken = std::mem::take(&mut self.taken);
        let mut values: BTreeMap<Name, Vec<Taken>> = BTreeMap::new();
        for worker in order {
            for taken in taken.iter().filter(|taken| taken.worker == *worker) {
                values.entry(taken.name).or_default().push(*taken);
                self.known.entry(taken.name).or_default();
            }
        }
        let mut points = Vec::new();
        for (&name, known) in &mut self.known {
            let values = values.get(&name).map_or(&[][..], Vec::as_slice);
            known.silent = if values.is_empty() {
                known.silent + 1
            } else {
                0
            };
            let value = known.value(KINDS[name.0], values);
            if known.silent < SILENT_MAX {
                points.extend(value.map(|value| (shown(name), value)));
            }
        }
        self.known.retain(|_, known| known.silent <= SILENT_MAX);
        points.sort_by(|a, b| a.0.cmp(&b.0));
        points
    }
}

impl Known {
    fn value(&mut self, kind: Kind, values: &[Taken]) -> Option<Aggregate> {
        let number = |taken: &Taken| f64::from(taken.value);
        let weighted = |taken: &Taken| f64::from(taken.value) * f64::from(taken.weight);
        let sum: f64 = values.iter().map(weighted).fold(0.0, |a, b| a + b);
        Some(match kind {
            Kind::Counter => {
                self.standing += sum;
                Aggregate::Counter {
                    total: self.standing,
                    delta: sum,
                    since_ms: -10_000,
                    is_new: false,
                }
            }
            Kind::Rate => Aggregate::Rate(sum / 10.0),
            Kind::Gauge => {
                for taken in values {
                    self.standing = match taken.is_change {
                        true => self.standing + number(taken),
                        false => number(taken),
                    };
                }
                Aggregate::Gauge(self.standing)
            }
            _ if values.is_empty() => return None,
            Kind::Set => {
                let members: BTreeSet<i32> = values.iter().map(|taken| taken.value).collect();
                Aggregate::Gauge(members.len() as f64)
            }
            _ => {
                let min = values.iter().map(number).fold(f64::INFINITY, f64::min);
                let max = values.iter().map(number).fold(f64::NEG_INFINITY, f64::max);
                let summary = hone_agent::aggregate::Summary {
                    count: values.iter().map(|taken| f64::from(taken.weight)).sum(),
                    sum,
                    min,
                    max,
                    quantiles: Vec::new(),
                };
                Aggregate::Timer(Box::new(summary), Box::default())
            }
        })
    }
}

fn shown((kind, tags): Name) -> String {
    let tags = [r#"{"a": "1", "b": "2"}"#, r#"{"b": "2", "c": "3"}"#][tags];
    format!("{:?} m{tags}", KINDS[kind])
}

/// Quantiles and buckets have tests of their own, and of a set it counts how many there are.
fn simple(points: &mut [(String, Aggregate)]) {
    for (_, value) in points {
        match value {
            Aggregate::Timer(summary, buckets) => {
                summary.quantiles.clear();
                **buckets = Buckets::default();
            }
            Aggregate::Set(set) => *value = Aggregate::Gauge(set.estimate()),
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn every_interval_is_what_was_taken_whichever_worker_took_it(steps in steps()) {
        let (mut agent, mut model) = (Agent::new(Limits::default()), Model::default());
        // At the end all is silent for as long as it takes to be forgotten.
        let silence = vec![Step::Flush((0..WORKERS).collect()); SILENT_MAX as usize + 2];
        for step in steps.iter().chain(&silence) {
            match step {
                Step::Take(taken) => {
                    agent.take(taken);
                    model.taken.push(*taken);
                }
                Step::Flush(order) => {
                    let taken = model.taken.len() as u64;
                    let (mut points, stored) = agent.flush(order);
                    simple(&mut points);
                    prop_assert_eq!(points, model.flush(order));
                    prop_assert_eq!(stored, taken);
                    let held: usize = agent.stores.iter().map(Store::series).sum();
                    prop_assert_eq!(agent.caps.series(), held);
                    let known = agent.flusher.series().count();
                    prop_assert_eq!(known, model.known.len());
                }
            }
        }
        prop_assert_eq!(agent.caps.series(), 0);
    }

    #[test]
    fn under_caps_no_value_of_a_counter_is_lost(
        steps in steps(),
        series_max in 0..6_usize,
        per_metric_max in 0..4_usize,
        per_origin_max in 0..3_usize,
    ) {
        let mut agent = Agent::new(Limits { series_max, per_metric_max, per_origin_max, ..Limits::default() });
        let end = vec![Step::Flush((0..WORKERS).collect())];
        let (mut sent, mut got) = (0.0, 0.0);
        for step in steps.iter().chain(&end) {
            match step {
                Step::Take(taken) => {
                    agent.take(taken);
                    if KINDS[taken.name.0] == Kind::Counter {
                        sent += f64::from(taken.value) * f64::from(taken.weight);
                    }
                }
                Step::Flush(order) => {
                    for (_, value) in agent.flush(order).0 {
                        if let Aggregate::Counter { delta, .. } = value {
                            got += delta;
                        }
                    }
                    prop_assert_eq!(got, sent);
                    prop_assert!(agent.caps.series() <= series_max);
                }
            }
        }
    }
}
