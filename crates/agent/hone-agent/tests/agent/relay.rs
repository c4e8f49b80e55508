//! Two levels of agents against one: what comes to whichever of the first level, the second sends what one agent alone
//! would have sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use hone_agent::aggregate::{Aggregate, Interval};
use hone_agent::compress::{Compression, Compressor};
use hone_agent::flush::{Flusher, Settings};
use hone_agent::sample::{Kind, RawSeries, Sample, TagSyntax, Values};
use hone_agent::store::{Caps, Cell, Limits, Origin, Store};
use hone_agent::wire;
use hone_agent::wire::relay::{self, frame};
use proptest::prelude::*;

const ORIGIN: Origin = Origin::Listener(0);
const KINDS: [Kind; 7] = [
    Kind::Counter,
    Kind::Rate,
    Kind::Gauge,
    Kind::Timer,
    Kind::Histogram,
    Kind::Distribution,
    Kind::Set,
];
/// Agents of the first level, and one for what the second level gets itself.
const PLACES: usize = 3;

#[derive(Clone, Debug)]
struct Taken {
    place: usize,
    kind: usize,
    tags: usize,
    value: f64,
    weight: u32,
    is_change: bool,
}

/// The samples of some intervals.
fn intervals() -> impl Strategy<Value = Vec<Vec<Taken>>> {
    let value = prop_oneof![-50..50_i32, -1_000_000..1_000_000_i32];
    let taken = (0..PLACES, 0..KINDS.len(), 0..2_usize, value, 1..5_u32);
    let taken = (taken, any::<bool>()).prop_map(|(taken, is_change)| {
        let (place, kind, tags, value, weight) = taken;
        Taken {
            place,
            kind,
            tags,
            value: f64::from(value) / 8.0,
            weight,
            is_change,
        }
    });
    prop::collection::vec(prop::collection::vec(taken, 0..300), 1..4)
}

/// An agent without threads and sockets.
struct Agent {
    store: Store,
    spare: Vec<Cell>,
    flusher: Flusher,
}

impl Agent {
    fn new() -> Self {
        let limits = Limits::default();
        Self {
            store: Store::new(Arc::new(Caps::new(limits)), limits),
            spare: Vec::new(),
            flusher: Flusher::new(Settings::default()),
        }
    }

    fn take(&mut self, taken: &Taken) {
        let kind = KINDS[taken.kind];
        let numbers = [taken.value];
        let member = taken.value.to_le_bytes();
        // Of a gauge that several agents get, nobody can say which value was last.
        let tags = match kind {
            Kind::Gauge => ["at=0", "at=1", "at=2"][taken.place],
            _ => ["", "zone=a|host=b"][taken.tags],
        };
        let values = match kind {
            Kind::Gauge if taken.is_change => Values::Change(taken.value),
            Kind::Set => Values::Member(&member),
            _ => Values::Numbers(&numbers),
        };
        let sample = Sample {
            series: RawSeries {
                kind,
                metric: b"m",
                tags: tags.as_bytes(),
                syntax: TagSyntax::Sdk,
            },
            values,
            weight: f64::from(taken.weight),
            time_s: None,
            container: None,
        };
        self.store.take(&sample, ORIGIN);
    }

    fn flush(&mut self, end_ms: i64) -> Interval {
        let swapped = self.store.swap(std::mem::take(&mut self.spare), &[]);
        self.spare = self.flusher.add(0, swapped);
        let mut points = Vec::new();
        let _ = self
            .flusher
            .finish(end_ms, 10_000, |point| points.push(point));
        Interval {
            end_ms,
            length_ms: 10_000,
            points,
        }
    }

    fn relay(&mut self, interval: &Interval, origin: &mut relay::Origin) {
        let mut compressor = Compressor::new(Compression::Zstd(3)).unwrap();
        for part in wire::parts(interval, 3) {
            let body = relay::encode(part, &[], *origin).body;
            origin.sequence += 1;
            let packed = compressor.compress(&body).unwrap();
            let frame = frame::framed(&packed, compressor.compression()).unwrap();
            let body = frame::body(&frame).unwrap();
            for (raw, cell) in relay::decode(&body).unwrap().points {
                self.store.take_relayed(&raw, cell, ORIGIN).unwrap();
            }
        }
    }
}

fn by_name(interval: Interval) -> BTreeMap<String, Aggregate> {
    let points = interval.points.into_iter();
    points
        .map(|point| (format!("{:?}", point.series), point.value))
        .collect()
}

/// Equal but for the order in which sums were made.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

fn is_same(a: &Aggregate, b: &Aggregate) -> bool {
    match (a, b) {
        (Aggregate::Rate(a), Aggregate::Rate(b)) => near(*a, *b),
        (Aggregate::Timer(a, of_a), Aggregate::Timer(b, of_b))
        | (Aggregate::Histogram(a, of_a), Aggregate::Histogram(b, of_b))
        | (Aggregate::Distribution(a, of_a), Aggregate::Distribution(b, of_b)) => {
            // Quantiles too: they are those of the same bins.
            let extremes = (a.min, a.max) == (b.min, b.max);
            let same = a.count == b.count && extremes && a.quantiles == b.quantiles;
            same && near(a.sum, b.sum) && of_a == of_b
        }
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn two_levels_come_to_what_one_agent_alone_would(intervals in intervals()) {
        let mut first = [Agent::new(), Agent::new()];
        let (mut second, mut alone) = (Agent::new(), Agent::new());
        let mut origins = [7, 8].map(|source| relay::Origin { source, sequence: 0 });
        for (number, samples) in intervals.iter().enumerate() {
            let end_ms = 10_000 * (number as i64 + 1);
            for taken in samples {
                alone.take(taken);
                first.get_mut(taken.place).unwrap_or(&mut second).take(taken);
            }
            for (agent, origin) in first.iter_mut().zip(&mut origins) {
                let interval = agent.flush(end_ms);
                second.relay(&interval, origin);
            }
            let (expected, seen) = (by_name(alone.flush(end_ms)), by_name(second.flush(end_ms)));
            prop_assert_eq!(expected.keys().collect::<Vec<_>>(), seen.keys().collect::<Vec<_>>());
            for (name, value) in &expected {
                prop_assert!(is_same(value, &seen[name]), "{}: {:?} and {:?}", name, value, seen[name]);
            }
        }
    }
}

#[test]
fn sets_of_many_members_are_the_set_of_all() {
    let mut first = [Agent::new(), Agent::new()];
    let (mut second, mut alone) = (Agent::new(), Agent::new());
    for number in 0..6_000 {
        let taken = Taken {
            place: 0,
            kind: 6,
            tags: 0,
            value: f64::from(number),
            weight: 1,
            is_change: false,
        };
        alone.take(&taken);
        // Every third goes to both.
        for (place, agent) in first.iter_mut().enumerate() {
            if number % 3 == 0 || number as usize % 2 == place {
                agent.take(&taken);
            }
        }
    }
    for (source, agent) in first.iter_mut().enumerate() {
        let interval = agent.flush(10_000);
        let source = source as u64;
        second.relay(
            &interval,
            &mut relay::Origin {
                source,
                sequence: 0,
            },
        );
    }
    assert_eq!(by_name(second.flush(10_000)), by_name(alone.flush(10_000)));
}
