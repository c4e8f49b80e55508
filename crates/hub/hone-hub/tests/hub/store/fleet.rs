//! What hosts send in these tests, and how it is added up without the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex,
    NameIndex, Origin, Place, PlaceIndex, Ranges, Records, Samples, wire,
};
use hone_hub::store::objects::Objects;
use hone_hub::store::tables::Table;
use hone_hub::store::{Location, Options, Query, Received, Store};
use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event, Label};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Midnight before the first batch: 2026-03-01.
pub(crate) const MIDNIGHT_S: u64 = 1_772_323_200;
/// The tenant of these tests.
pub(crate) const TENANT: &str = "acme";

/// Batches from this number on have one service, and neither ranges nor records: they are for tests that do much with few.
pub(crate) const SMALL: u64 = 1000;

/// A batch of these tests: its content follows from these numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Sent {
    pub(crate) host: u8,
    pub(crate) number: u64,
    /// Minute after [`MIDNIGHT_S`] at which the recording began.
    pub(crate) minute: u32,
}

impl Sent {
    pub(crate) fn start_s(self) -> u64 {
        MIDNIGHT_S + u64::from(self.minute) * 60
    }

    pub(crate) fn received(self) -> Received {
        Received {
            origin: self.origin(),
            span_s: self.span_s(),
            bytes: wire::write(&batch(self)),
        }
    }

    fn span_s(self) -> std::ops::Range<u64> {
        self.start_s()..self.start_s() + 120
    }

    fn origin(self) -> Origin {
        Origin {
            host: format!("host-{}", self.host),
            run: u128::MAX - u128::from(self.host),
            number: self.number,
        }
    }
}

/// Returns the batch: two services, files and named functions, deep and shallow stacks.
pub(crate) fn batch(sent: Sent) -> Batch {
    let seed = sent.number << 8 | u64::from(sent.host);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut batch = Batch {
        origin: sent.origin(),
        span_s: sent.span_s(),
        ..Batch::default()
    };
    tables(&mut batch);
    for place in 0..8 {
        let caller = (place > 0).then(|| FrameIndex(rng.random_range(0..place)));
        batch.frames.push(Frame {
            place: PlaceIndex(rng.random_range(0..6)),
            caller: caller.filter(|_| place % 3 > 0),
        });
    }
    for _ in 0..rng.random_range(0..12) {
        let bucket = sent.start_s() / BUCKET_S + rng.random_range(0..2);
        batch.samples.push(Samples {
            event: EventIndex(rng.random_range(0..2)),
            group: GroupIndex(rng.random_range(0..4)),
            stack: FrameIndex(rng.random_range(0..8)),
            ip: rng
                .random::<bool>()
                .then(|| PlaceIndex(rng.random_range(0..6))),
            is_leaf_only: rng.random(),
            has_branches: rng.random(),
            bucket,
            times: rng.random_range(1..5),
            weight: rng.random_range(0..1 << 40),
        });
    }
    for _ in 0..rng.random_range(0..4) {
        let mut place = || PlaceIndex(rng.random_range(0..6));
        let (from, to) = (place(), place());
        let group = GroupIndex(rng.random_range(0..4));
        batch.branches.push(Branches {
            group,
            from,
            to,
            taken: rng.random_range(1..1000),
            mispredicted: rng.random_range(0..10),
        });
        batch.ranges.push(Ranges {
            group,
            first: to,
            last: from,
            times: rng.random_range(1..1000),
        });
        batch.records.push(Records {
            event: EventIndex(1),
            group,
            samples: 1,
            branches: rng.random_range(0..32),
            repeated: rng.random_range(0..3),
        });
    }
    if sent.number >= SMALL {
        batch.samples.retain(|row| row.group.0 < 3);
        batch.branches.retain(|row| row.group.0 < 3);
        batch.ranges.clear();
        batch.records.clear();
    }
    batch
}

fn tables(batch: &mut Batch) {
    let event = |name: &str, branches| Event {
        name: name.to_owned(),
        branches,
    };
    batch.events = vec![
        event("cpu-clock", BranchStacks::None),
        event("hone-walk", BranchStacks::Whole),
    ];
    batch.binaries = vec![
        Binary {
            path: "checkout".to_owned(),
            build_id: BuildId::new(&[0xab; 20]),
            kind: BinaryKind::File,
        },
        Binary {
            path: "[kernel.kallsyms]".to_owned(),
            build_id: None,
            kind: BinaryKind::Kernel,
        },
    ];
    batch.names = vec!["schedule".to_owned(), String::new()];
    let code = |offset| Place::Code {
        binary: BinaryIndex(0),
        offset,
    };
    let named = |name| Place::Named {
        binary: BinaryIndex(1),
        name: NameIndex(name),
    };
    batch.places = vec![
        code(0x1000),
        code(0x1040),
        code(u64::MAX - 4095),
        code(0),
        named(0),
        named(1),
    ];
    let label = |key: &str, value: &str| Label {
        key: key.into(),
        value: value.into(),
    };
    let group = |service: &str, host: &str, thread: &str, labels: Vec<Label>| Group {
        host: host.to_owned(),
        service: service.to_owned(),
        container: String::new(),
        build: "abababab".to_owned(),
        thread: thread.to_owned(),
        labels: labels.into_iter().collect(),
    };
    batch.groups = vec![
        group("checkout", "", "worker", Vec::new()),
        group(
            "checkout",
            "",
            "worker",
            vec![label("m", "a\"b"), label("m", "c"), label("n", "")],
        ),
        group("checkout", "elsewhere", "io", Vec::new()),
        group("", "", "main", Vec::new()),
    ];
}

/// Sums by what they count, in words.
pub(crate) type Sums = BTreeMap<String, [u64; 3]>;

/// How exactly sums are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// By host and minute.
    Whole,
    /// Without hosts, and by hour, as in files of days.
    Days,
}

/// Adds up a batch.
pub(crate) fn add_up(batch: &Batch, detail: Detail, sums: &mut Sums) {
    let group = |index: GroupIndex| {
        let mut group = batch.groups[index.index()].clone();
        if group.host.is_empty() {
            group.host.clone_from(&batch.origin.host);
        }
        if detail == Detail::Days {
            group.host.clear();
        }
        format!("{group:?}")
    };
    let place = |index: PlaceIndex| match batch.places[index.index()] {
        Place::Code { binary, offset } => format!("{:?}+{offset}", batch.binaries[binary.index()]),
        Place::Named { binary, name } => format!(
            "{:?}:{}",
            batch.binaries[binary.index()],
            batch.names[name.index()]
        ),
    };
    let mut add = |key: String, counts: [u64; 3]| {
        let sum = sums.entry(key).or_default();
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
    };
    for row in &batch.samples {
        let mut stack = String::new();
        let mut next = Some(row.stack);
        while let Some(index) = next {
            let frame = batch.frames[index.index()];
            stack = format!("{stack};{}", place(frame.place));
            next = frame.caller;
        }
        let step = if detail == Detail::Days { 60 } else { 1 };
        let key = format!(
            "samples {:?} {} {} {} {} {:?} {stack}",
            batch.events[row.event.index()],
            group(row.group),
            row.bucket / step,
            row.is_leaf_only,
            row.has_branches,
            row.ip.map(&place)
        );
        add(key, [row.times, row.weight, 0]);
    }
    for row in &batch.branches {
        let key = format!(
            "branches {} {} {}",
            group(row.group),
            place(row.from),
            place(row.to)
        );
        add(key, [row.taken, row.mispredicted, 0]);
    }
    for row in &batch.ranges {
        let key = format!(
            "ranges {} {} {}",
            group(row.group),
            place(row.first),
            place(row.last)
        );
        add(key, [row.times, 0, 0]);
    }
    for row in &batch.records {
        let event = &batch.events[row.event.index()];
        let key = format!("records {event:?} {}", group(row.group));
        add(key, [row.samples, row.branches, row.repeated]);
    }
}

/// Adds up what was sent, each once.
pub(crate) fn sums_of(sent: impl IntoIterator<Item = Sent>, detail: Detail) -> Sums {
    let distinct: std::collections::BTreeSet<Sent> = sent.into_iter().collect();
    let mut sums = Sums::new();
    for sent in distinct {
        add_up(&batch(sent), detail, &mut sums);
    }
    sums
}

/// Adds up what the store answers, whose tables are all read.
pub(crate) fn sums_in(store: &Store, detail: Detail) -> Sums {
    sums_of_tables(store, detail, Table::ALL.to_vec())
}

/// The same without tables of sums, which add nothing to it.
pub(crate) fn counts_in(store: &Store, detail: Detail) -> Sums {
    let is_count = |table: &Table| table.source().is_none();
    let counts = Table::ALL.into_iter().filter(is_count);
    sums_of_tables(store, detail, counts.collect())
}

fn sums_of_tables(store: &Store, detail: Detail, tables: Vec<Table>) -> Sums {
    let query = Query {
        services: None,
        span_s: 0..u64::MAX,
        tables,
        merged: &[],
        hosts_apart: Vec::new(),
    };
    let mut sums = Sums::new();
    for part in store.read(TENANT, &query).unwrap() {
        add_up(&part.unwrap().to_batch(), detail, &mut sums);
    }
    sums
}

/// Returns settings under which days are compacted as soon as they are over.
pub(crate) fn options() -> Options {
    let mut options = Options::default();
    options.limits.hours_kept_days = 0;
    options
}

/// Opens a store on objects.
pub(crate) fn open(objects: Arc<dyn Objects>) -> Store {
    Store::open(Location::Objects(objects), options()).unwrap()
}
