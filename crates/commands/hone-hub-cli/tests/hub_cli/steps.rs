//! What hosts recorded in the steps that looks for regressions compare, made up.

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex, NameIndex,
    Origin, Place, PlaceIndex, Samples,
};
use hone_hub::regressions::STEP_S;
use hone_profile::{Binary, BinaryKind, BranchStacks, Event};

/// What a host recorded in a step: `main` calls `parse`, `read` and `write`, here with so many samples of 50 ms.
pub(crate) fn batch(service: &str, host: u64, step: u64, counts: [u64; 3]) -> Batch {
    let start_s = step * STEP_S;
    let place = |name| Place::Named {
        binary: BinaryIndex(0),
        name: NameIndex(name),
    };
    let frame = |place: u32| Frame {
        place: PlaceIndex(place),
        caller: (place > 0).then_some(FrameIndex(0)),
    };
    let samples = counts.into_iter().zip(1..).map(|(times, stack)| Samples {
        event: EventIndex(0),
        group: GroupIndex(0),
        stack: FrameIndex(stack),
        ip: None,
        is_leaf_only: false,
        has_branches: false,
        bucket: start_s / BUCKET_S,
        times,
        weight: times * 50_000_000,
    });
    Batch {
        origin: Origin {
            host: format!("host-{host}"),
            run: if service == "shop" { 1 } else { 2 },
            number: step,
        },
        span_s: start_s..start_s + 60,
        events: vec![Event {
            name: "cpu-clock".into(),
            branches: BranchStacks::None,
        }],
        binaries: vec![Binary {
            path: service.into(),
            build_id: None,
            kind: BinaryKind::File,
        }],
        names: ["main", "parse", "read", "write"].map(String::from).into(),
        places: (0..4).map(place).collect(),
        frames: (0..4).map(frame).collect(),
        groups: vec![Group {
            service: service.into(),
            build: "ab".repeat(20),
            ..Group::default()
        }],
        samples: samples.collect(),
        ..Batch::default()
    }
}

/// Counts of a host in a step, the `nth` of the history: hosts, hours and days differ by some percent, and in dear steps `parse` takes
/// more.
pub(crate) fn counts(host: u64, nth: u64, is_dearer: bool) -> [u64; 3] {
    let noise = |salt: u64| (nth * 7 + host * 13 + salt * 5 + nth * host) % 23 * 30;
    let parse = if is_dearer { 15_000 } else { 10_000 };
    [parse + noise(1), 20_000 + noise(2), 10_000 + noise(3)]
}
