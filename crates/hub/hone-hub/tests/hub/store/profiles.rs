//! What compiler profiles are made of: all that was recorded of a service, in steps of six hours, and what each host weighs.

use std::collections::BTreeMap;
use std::sync::Arc;

use hone_batch::{BUCKET_S, Batch, GroupIndex};
use hone_hub::pgo::{Recorded, Wanted, object_name, recorded, retain};
use hone_hub::question::NoAnswer;
use hone_hub::store::Store;
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Symbols};
use hone_profile::BuildId;

use super::fleet::{MIDNIGHT_S, Sent, TENANT, batch, open};
use crate::disk::{Disk, Kind};

const STEP_S: u64 = 6 * 3600;
const DAY_S: u64 = 86_400;
/// Minutes at which recordings began: two days with a day between, both sides of the end of a step.
const MINUTES: [u32; 8] = [0, 1, 340, 357, 361, 719, 3000, 3001];
const NOW_S: u64 = MIDNIGHT_S + 5 * DAY_S;

fn sent() -> impl Iterator<Item = Sent> {
    let all = MINUTES.into_iter().zip(0..);
    all.map(|(minute, number)| Sent {
        host: (number % 3) as u8,
        number,
        minute,
    })
}

fn wanted(service: &str, rows_max: usize) -> Wanted<'_> {
    Wanted {
        service,
        window_s: 7 * DAY_S,
        label: Some("n"),
        now_s: NOW_S,
        rows_max,
        hosts_apart: &[],
        has_stacks: true,
    }
}

/// Weights of samples by step of time, and taken branches, of a service.
fn sums<'b>(
    batches: impl IntoIterator<Item = &'b Batch>,
    start_s: impl Fn(&Batch, u64) -> u64,
) -> (BTreeMap<u64, u64>, u64) {
    let (mut weights, mut taken) = (BTreeMap::new(), 0);
    for batch in batches {
        let counts = |group: GroupIndex| batch.groups[group.index()].service == "checkout";
        for row in batch.samples.iter().filter(|row| counts(row.group)) {
            let at_s = start_s(batch, row.bucket * BUCKET_S);
            *weights.entry(at_s / STEP_S).or_default() += row.weight;
        }
        let branches = batch.branches.iter().filter(|row| counts(row.group));
        taken += branches.map(|row| row.taken).sum::<u64>();
    }
    (weights, taken)
}

/// Samples, their weight, samples with branch records and these records, of each host and step of a service.
type Weighed = BTreeMap<(u64, String), [u64; 4]>;

fn weighed<'b>(
    batches: impl IntoIterator<Item = &'b Batch>,
    hosts_of: fn(String) -> String,
) -> Weighed {
    let mut weighed = Weighed::new();
    for batch in batches {
        let mut add = |group: GroupIndex, at_s: u64, counts: [u64; 4]| {
            let group = &batch.groups[group.index()];
            let host = match group.host.is_empty() {
                true => &batch.origin.host,
                false => &group.host,
            };
            if group.service == "checkout" {
                let key = (at_s / STEP_S, hosts_of(host.clone()));
                let sums = weighed.entry(key).or_default();
                sums.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum += count);
            }
        };
        for row in &batch.samples {
            let at_s = row.bucket * BUCKET_S;
            add(row.group, at_s, [row.times, row.weight, 0, 0]);
        }
        for row in &batch.records {
            add(
                row.group,
                batch.span_s.start,
                [0, 0, row.samples, row.branches],
            );
        }
    }
    weighed
}

#[track_caller]
fn has_all(store: &Store, hosts_apart: &[String], are_known: bool) -> Recorded {
    let wanted = Wanted {
        hosts_apart,
        ..wanted("checkout", usize::MAX)
    };
    let recorded = recorded(store, TENANT, &wanted).unwrap();
    let batches = &recorded.batches;
    let expected: Vec<Batch> = sent().map(batch).collect();
    // A batch is of one step, whatever the times of its samples say.
    let found = sums(batches, |batch, _| batch.span_s.start);
    assert_eq!(found, sums(&expected, |_, at_s| at_s));
    let spans = |batches: &[Batch]| {
        batches
            .iter()
            .map(|batch| batch.span_s.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(spans(&recorded.sums), spans(batches));
    let hosts_of = match are_known {
        true => |host: String| host,
        false => |_| String::new(),
    };
    assert_eq!(
        weighed(&recorded.sums, hosts_of),
        weighed(&expected, hosts_of)
    );
    for batch in batches {
        let (start, end) = (batch.span_s.start, batch.span_s.end);
        assert!(
            start < end && start / STEP_S == (end - 1) / STEP_S,
            "{start}..{end}"
        );
        for group in &batch.groups {
            assert_eq!((&*group.service, &*group.thread), ("checkout", ""));
            assert!(group.labels.iter().all(|label| &*label.key == "n"));
            let host = &group.host;
            assert!(host.is_empty() || hosts_apart.contains(host), "{host}");
        }
    }
    recorded
}

#[test]
fn days_become_steps_of_six_hours_before_and_after_compaction() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    for sent in sent() {
        store
            .append(TENANT, &sent.received(), sent.start_s())
            .unwrap();
    }
    let apart = ["host-1".to_owned(), "nobody".to_owned()];
    assert_eq!(has_all(&store, &[], true).batches.len(), 3);
    let batches = has_all(&store, &apart, true).batches;
    let groups = batches.iter().flat_map(|batch| &batch.groups);
    assert!(groups.clone().any(|group| !group.labels.is_empty()));
    for host in ["", "host-1"] {
        assert!(groups.clone().any(|group| group.host == host), "{host}");
    }
    let leaves = Wanted {
        has_stacks: false,
        ..wanted("checkout", usize::MAX)
    };
    let leaves = recorded(&store, TENANT, &leaves).unwrap().batches;
    let mut frames = leaves.iter().flat_map(|batch| &batch.frames);
    assert!(frames.all(|frame| frame.caller.is_none()));
    assert_eq!(
        weighed(&leaves, |_| String::new()),
        weighed(&batches, |_| String::new())
    );
    // Files of days know no hosts any more.
    store.compact(NOW_S).unwrap();
    has_all(&store, &apart, false);
}

#[test]
fn what_there_is_not_and_what_is_too_much_is_said() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    for sent in sent() {
        store
            .append(TENANT, &sent.received(), sent.start_s())
            .unwrap();
    }
    let unknown = recorded(&store, TENANT, &wanted("check", usize::MAX));
    let Err(NoAnswer::Service { there, .. }) = unknown else {
        panic!("{unknown:?}");
    };
    assert!(there.contains(&"checkout".to_owned()));
    let much = recorded(&store, TENANT, &wanted("checkout", 3));
    assert!(
        matches!(much, Err(NoAnswer::TooManyRows { max: 3 })),
        "{much:?}"
    );
}

#[test]
fn profiles_of_named_builds_go_with_their_files() {
    let store = open(Arc::new(Disk::new(Kind::Folder)));
    let (objects, parser) = (store.objects(), Box::new(InProcess::default()));
    let symbols = Symbols::open(objects.clone(), Limits::default(), parser);
    // Some program with a build id.
    let own = std::fs::File::open("/bin/sh").unwrap();
    let taken = symbols.take(TENANT, &own, NOW_S).unwrap();
    let there = taken.file.build_id().unwrap();
    let gone = BuildId::from_hex("ab12").unwrap();
    let name = |build| object_name(TENANT, "checkout/go-pgo", build);
    let names = [None, Some(&there), Some(&gone)].map(name);
    for name in &names {
        objects.put(name, b"profile").unwrap();
    }
    assert_eq!(retain(&store, &symbols, TENANT).unwrap(), 1);
    let is_there = names.map(|name| objects.get(&name).unwrap().is_some());
    assert_eq!(is_there, [true, true, false]);
}
