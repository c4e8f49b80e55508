//! What hosts send in these tests, and what is answered of it.

use std::time::SystemTime;

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex,
    Limits, Merging, Origin, Place, PlaceIndex, Ranges, Records, Samples, wire,
};
use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event};

use crate::common::{Answer, Hub};

/// Build ids of the programs in these tests begin with these digits.
pub(crate) const BUILDS: [&str; 2] = ["ab01", "cd02"];

/// Returns the time in seconds since 1970.
pub(crate) fn now_s() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs()
}

/// Returns a batch of a host: two builds of a service, one after the other in two threads, recorded a few minutes ago.
pub(crate) fn batch(host: &str, number: u64, service: &str) -> Batch {
    batch_of(host, number, service, now_s() - 600)
}

/// The same, recorded from a time on.
pub(crate) fn batch_of(host: &str, number: u64, service: &str, start_s: u64) -> Batch {
    let group = |build: &str, thread: &str, container: &str| Group {
        service: service.to_owned(),
        build: format!("{build}{}", "0".repeat(36)),
        thread: thread.to_owned(),
        container: container.to_owned(),
        ..Group::default()
    };
    let code = |offset| Place::Code {
        binary: BinaryIndex(0),
        offset,
    };
    let samples = |group, stack, times| Samples {
        event: EventIndex(0),
        group: GroupIndex(group),
        stack: FrameIndex(stack),
        ip: None,
        is_leaf_only: false,
        has_branches: false,
        bucket: start_s / BUCKET_S,
        times,
        weight: times * 1000,
    };
    Batch {
        origin: Origin {
            host: host.to_owned(),
            run: 7,
            number,
        },
        span_s: start_s..start_s + 120,
        events: vec![Event {
            name: "cpu-clock".to_owned(),
            branches: BranchStacks::None,
        }],
        binaries: vec![Binary {
            path: "server".to_owned(),
            build_id: BuildId::new(&[0xab; 20]),
            kind: BinaryKind::File,
        }],
        places: vec![code(0x1000), code(0x2000 + number)],
        frames: vec![
            Frame {
                place: PlaceIndex(0),
                caller: None,
            },
            Frame {
                place: PlaceIndex(1),
                caller: Some(FrameIndex(0)),
            },
        ],
        groups: vec![
            group(BUILDS[0], "main", "c0ffee"),
            group(BUILDS[1], "worker", "c1c1c1"),
        ],
        samples: vec![samples(0, 0, 3), samples(1, 1, 4)],
        branches: vec![Branches {
            group: GroupIndex(0),
            from: PlaceIndex(1),
            to: PlaceIndex(0),
            taken: 100,
            mispredicted: 1,
        }],
        ranges: vec![Ranges {
            group: GroupIndex(0),
            first: PlaceIndex(0),
            last: PlaceIndex(1),
            times: 99,
        }],
        records: vec![Records {
            event: EventIndex(0),
            group: GroupIndex(0),
            samples: 3,
            branches: 96,
            repeated: 0,
        }],
        ..Batch::default()
    }
}

/// Sends a batch that must be acknowledged.
#[track_caller]
pub(crate) fn send(hub: &Hub, batch: &Batch) {
    let answer = hub.post(&wire::write(batch));
    assert_eq!(answer.status, 204, "{}", answer.text());
}

/// Reads an answer that must be a batch.
#[track_caller]
pub(crate) fn read(answer: &Answer) -> Batch {
    assert_eq!(answer.status, 200, "{}", answer.text());
    wire::read(&answer.body, &Limits::default()).unwrap()
}

/// The answer has what these batches add up to, but for the time that it tells.
#[track_caller]
pub(crate) fn is_sum_of(answer: &Answer, batches: &[Batch]) {
    let answered = read(answer);
    let mut merging = Merging::new(BUCKET_S, Some);
    batches.iter().for_each(|batch| merging.add(batch));
    let expected = Batch {
        span_s: answered.span_s.clone(),
        ..merging.finish()
    };
    assert_eq!(answered, expected);
}
