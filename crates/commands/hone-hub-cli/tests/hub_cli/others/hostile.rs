//! What is no profile, or one that was made to do harm: each is refused with a reason, and neither the hub nor a checker dies.

use hone_profile::pprof::{Label, Line, Location, write};
use hone_profile::protobuf::Message;
use tempfile::tempdir;

use super::profile::{cpu, gzip, ingest, multipart, push, send, table};
use super::{FOLDED, batch, folded};
use crate::common::{ANY_PORT, Hub};
use crate::fleet::now_s;

const PUSH: &str = "/push.v1.PusherService/Push";
const PPROF: &str = "/v1/pprof?service=shop";

/// Many megabytes of zeros.
fn bomb() -> Vec<u8> {
    gzip(&vec![0; 200 << 20])
}

fn is_unharmed(hub: &Hub) {
    assert_eq!(
        hub.figure("hone_hub_checkers_lost_total"),
        0,
        "{}",
        hub.said()
    );
    assert_eq!(hub.get("/healthz").status, 200);
}

#[test]
fn what_grows_when_it_is_unpacked_is_refused() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let bomb = bomb();
    let said = "more than 33554432 bytes";
    send(&hub, PPROF, "", &bomb).refuses(413, said);
    send(&hub, PPROF, "", &gzip(&bomb)).refuses(400, "the profile");
    ingest(&hub, "name=shop", &bomb).refuses(413, said);
    ingest(&hub, "name=shop", &multipart(&[("profile", &bomb)])).refuses(413, said);
    assert_eq!(send(&hub, PUSH, "application/proto", &bomb).status, 413);
    let inside = push(&[("service_name", "shop")], &[&bomb]);
    assert_eq!(send(&hub, PUSH, "application/proto", &inside).status, 413);
    send(&hub, "/v1/perf-script?service=shop", "", &bomb).refuses(413, said);
    // Two bytes claim a sample each.
    let many = [0x12, 0].repeat(2 << 20);
    send(&hub, PPROF, "", &many).refuses(413, "more than 1048576 samples");
    let series = [0x0a, 0].repeat(2 << 20);
    assert_eq!(send(&hub, PUSH, "application/proto", &series).status, 413);
    is_unharmed(&hub);
}

#[test]
fn deep_stacks_and_huge_labels_are_cut() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut odd = table(now_s() - 60);
    // A location with a hundred thousand inlined functions.
    odd.locations.push(Location {
        mapping: None,
        address: 0,
        lines: vec![
            Line {
                function: 1,
                line: 1
            };
            100_000
        ],
    });
    let long = odd.intern(&"x".repeat(4000));
    let key = odd.intern("key");
    odd.samples[0].stack = vec![0; 100_000];
    odd.samples[0].labels.clear();
    odd.samples[1].stack = vec![3];
    odd.samples[2].labels = vec![Label { key, value: long }; 50];
    let body = write(&odd).unwrap();
    assert_eq!(send(&hub, PPROF, "", &body).status, 204);
    let batch = batch(&hub, "shop");
    assert!(batch.frames.len() <= 3 * hone_batch::DEPTH_MAX);
    assert!(batch.groups.iter().all(|group| group.labels.is_empty()));
    assert_eq!(batch.samples.iter().map(|row| row.times).sum::<u64>(), 6);
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"labels\"}"), 50);

    // Many stacks that are long and all different.
    let mut wide = table(now_s() - 60);
    wide.samples = (0..9_000)
        .map(|number| {
            let mut sample = wide.samples[1].clone();
            sample.stack = (0..500).map(|level| (number >> (level % 15)) & 1).collect();
            sample
        })
        .collect();
    let body = write(&wide).unwrap();
    send(&hub, PPROF, "", &body).refuses(413, "more than 4194304 levels");
    is_unharmed(&hub);
}

#[test]
fn multipart_nonsense_is_refused() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let good = cpu(now_s() - 60);
    let whole = multipart(&[("profile", &good)]);
    let many: Vec<(&str, &[u8])> = vec![("x", b"y"); 20];
    let long_head = multipart(&[(&"n".repeat(100_000), &good)]);
    for (body, said) in [
        (multipart(&[]), "no part with the name \"profile\""),
        (
            multipart(&[("other", &good)]),
            "no part with the name \"profile\"",
        ),
        (multipart(&[("profile", b"no profile")]), "the profile"),
        (multipart(&[("profile", b"")]), "the file is empty"),
        (multipart(&many), "more than 16 parts"),
        (
            whole[..whole.len() / 2].to_vec(),
            "multipart body cannot be read",
        ),
        (b"--".repeat(100_000), "multipart body cannot be read"),
        (b"\r\n\r\n".to_vec(), "multipart body cannot be read"),
        (Vec::new(), "the body is empty"),
        (long_head, ""),
    ] {
        ingest(&hub, "name=shop", &body).refuses(400, said);
    }
    for kind in [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\u{1}",
    ] {
        assert_eq!(
            send(&hub, "/ingest?name=shop", kind, &whole).status,
            400,
            "{kind}"
        );
    }
    let odd = format!("name=shop%7B{}%7D", "a%3Db%2C".repeat(1500));
    assert_eq!(ingest(&hub, &odd, &whole).status, 200);
    is_unharmed(&hub);
    assert_eq!(folded(&hub, "shop"), FOLDED);
}

#[test]
fn damage_anywhere_is_refused_or_harmless() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let plain = {
        let mut whole = Vec::new();
        let packed = cpu(now_s() - 60);
        let mut unpacking = flate2::read::GzDecoder::new(&packed[..]);
        std::io::Read::read_to_end(&mut unpacking, &mut whole).unwrap();
        whole
    };
    let bodies = [
        (PPROF, "", plain.clone()),
        (
            "/ingest?name=shop",
            "multipart/form-data; boundary=d9fe3b58aa2bb4b4cc0c7e0e2f4d",
            multipart(&[("profile", &plain)]),
        ),
        (
            PUSH,
            "application/proto",
            push(&[("service_name", "shop")], &[&plain]),
        ),
    ];
    for (path, kind, body) in bodies {
        for step in 0..40 {
            let at = step * body.len() / 40;
            let cut = send(&hub, path, kind, &body[..at]);
            let mut damaged = body.clone();
            damaged[at] ^= 0xff;
            let damaged = send(&hub, path, kind, &damaged);
            for answer in [cut, damaged] {
                assert!(answer.status < 500, "{path} at {at}: {}", answer.text());
            }
        }
    }
    is_unharmed(&hub);
}

#[test]
fn values_that_make_no_sense_are_left_out() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let mut odd = table(now_s() - 60);
    odd.samples[0].values = vec![-1, -1];
    odd.samples[1].stack.clear();
    let body = write(&odd).unwrap();
    assert_eq!(send(&hub, PPROF, "", &body).status, 204);
    assert_eq!(folded(&hub, "shop"), "main.main;[shop] 20000000\n");
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"samples\"}"), 2);
    // More than any profiler counts.
    for sample in &mut odd.samples {
        sample.values = vec![i64::MAX, i64::MAX];
        sample.stack = vec![0];
    }
    let body = write(&odd).unwrap();
    assert_eq!(send(&hub, PPROF, "", &body).status, 204);
    assert_eq!(hub.figure("hone_hub_left_out_total{what=\"samples\"}"), 5);
    let mut old = table(0);
    old.time_ns = 1_500_000_000_000_000_000;
    let body = write(&old).unwrap();
    send(&hub, PPROF, "", &body).refuses(409, "s old");
    // A clock that was never set: the hub's own counts.
    old.time_ns = 5_000_000_000;
    let body = write(&old).unwrap();
    assert_eq!(send(&hub, "/v1/pprof?service=unset", "", &body).status, 204);
    assert_eq!(folded(&hub, "unset"), FOLDED);
    let mut deep = Message::default();
    for _ in 0..1000 {
        let mut outer = Message::default();
        outer.message(1, &deep);
        deep = outer;
    }
    let answer = send(&hub, PUSH, "application/proto", &deep.0);
    assert_eq!(answer.status, 200, "{}", answer.text());
    is_unharmed(&hub);
}
