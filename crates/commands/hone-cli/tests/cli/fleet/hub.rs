//! A real hub, to which six hosts have sent half an hour of samples: each runs both builds, of which the new one needs a
//! fifth less.
//!
//! Skipped where hone-hub (built beside hone) is absent.

use std::path::Path;
use std::process::Output;
use std::time::SystemTime;

use hone_batch::{
    BUCKET_S, Batch, BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex, Origin, Place,
    PlaceIndex, Samples, wire,
};
use hone_profile::{Binary, BinaryKind, BranchStacks, BuildId, Event};
use testkit::{ANY_PORT, Hub};

use crate::common::{hone_with, is_refused, stderr, stdout};

const HOSTS: u64 = 6;
const BUILDS: [&str; 2] = ["aaaa1111", "bbbb2222"];
/// Minutes that are sent, up to now.
const MINUTES: u64 = 30;
/// Samples of the old build in a minute of a host, and nanoseconds of each.
const SAMPLES: u64 = 200;
const SAMPLE_NS: u64 = 50_000_000;

/// Runs `hone bench --fleet` with a hub.
fn bench(hub: &Hub, words: &[&str]) -> Output {
    let address = format!("http://{}", hub.address);
    let variables = [("HONE_HUB", &*address), ("NO_PROXY", "127.0.0.1")];
    let own = ["bench", "--fleet", "--seed", "1"];
    hone_with(&[&own[..], words].concat(), Path::new("."), &variables)
}

/// What a host sends of a minute, in which both builds ran.
fn minute(host: u64, bucket: u64) -> Batch {
    let group = |build: &str| Group {
        service: "shop".into(),
        build: build.into(),
        ..Group::default()
    };
    // Hosts differ, and so do minutes; both builds are the same in that.
    let used = SAMPLES + host * 20 + bucket % 7 * 10;
    let samples = |group: u32, times| Samples {
        event: EventIndex(0),
        group: GroupIndex(group),
        stack: FrameIndex(0),
        ip: None,
        is_leaf_only: false,
        has_branches: false,
        bucket,
        times,
        weight: times * SAMPLE_NS,
    };
    Batch {
        origin: Origin {
            host: format!("host-{host}"),
            run: 1,
            number: bucket,
        },
        span_s: bucket * BUCKET_S..(bucket + 1) * BUCKET_S,
        events: vec![Event {
            name: "cpu-clock".into(),
            branches: BranchStacks::None,
        }],
        binaries: vec![Binary {
            path: "/usr/bin/shop".into(),
            build_id: BuildId::from_hex(BUILDS[0]),
            kind: BinaryKind::File,
        }],
        places: vec![Place::Code {
            binary: BinaryIndex(0),
            offset: 16,
        }],
        frames: vec![Frame {
            place: PlaceIndex(0),
            caller: None,
        }],
        groups: BUILDS.map(group).into(),
        // Not the same on each host, as no two measurements are.
        samples: vec![samples(0, used), samples(1, used * (78 + host) / 100)],
        ..Batch::default()
    }
}

#[test]
fn the_build_that_takes_less_cpu_time_is_found_in_what_a_hub_has() {
    let directory = tempfile::tempdir().unwrap();
    let Some(hub) = Hub::start_if_built(directory.path(), ANY_PORT) else {
        return;
    };
    let now_s = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let now = now_s / BUCKET_S;
    for host in 0..HOSTS {
        (now - MINUTES..now).for_each(|bucket| hub.send(&wire::write(&minute(host, bucket))));
    }
    let [old, new] = BUILDS;
    let shop = ["--from", "hub:shop", "--since", "20m"];
    let output = bench(&hub, &[&[old, new], &shop[..]].concat());
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(
        said.starts_with("Faster. Build bbbb2222 (shop) takes "),
        "{said}"
    );
    assert!(
        said.contains("6 hosts that ran both builds, 20 windows of 60 s"),
        "{said}"
    );
    assert!(said.contains("Mind: without --work"), "{said}");
    assert!(
        !said.contains("throttled") && !said.contains("left out"),
        "{said}"
    );
    let (_, ratio) = said.split_once("old / new = ").unwrap();
    let ratio: f64 = ratio.split('x').next().unwrap().parse().unwrap();
    // The builds take 78 to 83 %.
    assert!((1.2..1.3).contains(&ratio), "{said}");

    let refused =
        |words: &[&str], fact: &str, next: &str| is_refused(&bench(&hub, words), fact, next);
    refused(
        &[&["0123", new], &shop[..]].concat(),
        "no build 0123 ran",
        "aaaa1111 (shop)",
    );
    refused(
        &[&[old, new, "--work", "requests"], &shop[..]].concat(),
        "has no counters of work",
        "leave it out",
    );
    refused(&[old, new, "--from", "hub:shops"], "shops", "/v1/services");
}
