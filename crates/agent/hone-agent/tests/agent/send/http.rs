//! Senders against a server that answers well, badly, late or not at all.

use std::path::Path;
use std::time::Duration;

use hone_agent::aggregate::Interval;
use hone_agent::compress::{Compression, Decompressed, decompress};
use hone_agent::send::queue::{DiskOptions, DiskQueue, Fsync, MemoryQueue, Queue};
use hone_agent::send::{
    Dialect, Http, HttpError, HttpOptions, Outcome, Outlet, Reason, Sender, send_to_all,
    tell_all_what_ended,
};
use hone_agent::tls::Tls;
use hone_agent::wire::Format;
use hone_agent::wire::buckets::BucketSeries;
use hone_agent::wire::relay::Origin;
use prost::Message;
use testkit::answering::{Answer, Answering};
use testkit::remote_write::WriteRequest;

use super::fixture::{PATIENCE, at_once, interval, outlet, until_true};
use super::oracle::Request2;

const POINTS: u64 = 7;

fn options(server: &Answering, dialect: Dialect) -> HttpOptions {
    HttpOptions {
        address: server.address.clone(),
        dialect,
        falls_back: Some(BucketSeries::VmRange),
        headers: vec![("X-Scope-OrgID".to_owned(), "team".to_owned())],
        tls: Tls::default(),
        timeout: PATIENCE,
    }
}

fn memory() -> Queue {
    Queue::Memory(MemoryQueue::new(1 << 20))
}

fn disk(directory: &Path, bytes_max: u64) -> Queue {
    let options = DiskOptions {
        directory: directory.to_owned(),
        bytes_max,
        fsync: Fsync::Never,
    };
    Queue::Disk(DiskQueue::open(options).unwrap())
}

fn start(options: &HttpOptions, queue: Queue) -> Outlet {
    let endpoint = Box::new(Http::new(options).unwrap());
    let sender = Sender::start("test", endpoint, queue, at_once()).unwrap();
    let (format, compression) = match options.dialect {
        Dialect::RemoteWrite1 => (Format::RemoteWrite1, Compression::Snappy),
        Dialect::RemoteWrite2 => (Format::RemoteWrite2, Compression::Snappy),
        Dialect::VictoriaMetrics => (Format::RemoteWrite1, Compression::Zstd(3)),
    };
    outlet(format, compression, sender)
}

fn send(outlets: &mut [Outlet]) {
    send_to_all(outlets, &interval(), &mut Origin::default());
}

/// Whatever happens, nothing is counted twice or not at all.
fn assert_adds_up(outcome: &Outcome) {
    let whereabouts = outcome.delivered + outcome.losses.total() + outcome.queued;
    assert_eq!(
        outcome.accepted + outcome.restored,
        whereabouts,
        "{outcome:?}"
    );
}

fn unpacked(compression: Compression, body: &[u8]) -> Vec<u8> {
    match decompress(compression, body, 1 << 20) {
        Decompressed::Whole(body) => body,
        other => panic!("{other:?}"),
    }
}

fn ok(_: usize) -> Answer {
    Answer::Status(204, &[], "")
}

#[test]
fn remote_write_1_arrives_with_its_headers() {
    let server = Answering::start(|n, _| ok(n));
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), memory())];
    send(&mut outlets);
    send(&mut outlets);
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_adds_up(&outcome);
    assert_eq!((outcome.delivered, outcome.attempts), (2 * POINTS, 2));
    let seen = server.seen();
    let request = &seen[0];
    assert_eq!(request.start, "POST /api/v1/write HTTP/1.1");
    let header = |name: &str| request.headers.get(name).map(String::as_str);
    assert_eq!(header("content-type"), Some("application/x-protobuf"));
    assert_eq!(header("content-encoding"), Some("snappy"));
    assert_eq!(header("x-prometheus-remote-write-version"), Some("0.1.0"));
    assert_eq!(header("x-scope-orgid"), Some("team"));
    assert!(header("user-agent").unwrap().starts_with("hone-agent/"));
    let body = unpacked(Compression::Snappy, &request.body);
    assert!(WriteRequest::decode(&body[..]).unwrap().timeseries.len() > 7);
    assert_eq!(request.body, seen[1].body);
}

#[test]
fn remote_write_2_arrives_with_its_headers_and_wants_to_hear_what_was_written() {
    let written = &[("X-Prometheus-Remote-Write-Samples-Written", "20")];
    // The third answer is that of a receiver of 1.0, which read an empty message. Nothing else may be sent.
    let server = Answering::start(|n, _| match n {
        0 | 1 => Answer::Status(204, written, ""),
        2 => Answer::Status(204, &[], ""),
        _ => Answer::Status(415, &[], "what is this"),
    });
    let options = HttpOptions {
        falls_back: None,
        ..options(&server, Dialect::RemoteWrite2)
    };
    let mut outlets = [start(&options, memory())];
    for _ in 0..4 {
        send(&mut outlets);
    }
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_adds_up(&outcome);
    assert_eq!(outcome.delivered, 2 * POINTS);
    assert_eq!(outcome.losses.of(Reason::NotUnderstood), 2 * POINTS);
    assert_eq!((outcome.fell_back, outcome.attempts), (0, 4));
    let request = &server.seen()[0];
    let header = |name: &str| request.headers.get(name).map(String::as_str);
    let content = "application/x-protobuf;proto=io.prometheus.write.v2.Request";
    assert_eq!(header("content-type"), Some(content));
    assert_eq!(header("content-encoding"), Some("snappy"));
    assert_eq!(header("x-prometheus-remote-write-version"), Some("2.0.0"));
    let body = unpacked(Compression::Snappy, &request.body);
    assert!(!Request2::decode(&body[..]).unwrap().timeseries.is_empty());
}

#[test]
fn zstd_is_given_up_once_snappy_is_what_the_receiver_takes() {
    let server =
        Answering::start(
            |_, request| match request.headers["content-encoding"].as_str() {
                "zstd" => Answer::Status(415, &[], "zstd?"),
                _ => Answer::Status(204, &[], ""),
            },
        );
    let mut outlets = [start(&options(&server, Dialect::VictoriaMetrics), memory())];
    send(&mut outlets);
    send(&mut outlets);
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!(
        (outcome.delivered, outcome.fell_back),
        (2 * POINTS, 2 * POINTS)
    );
    let seen = server.seen();
    let encodings: Vec<_> = seen
        .iter()
        .map(|seen| &*seen.headers["content-encoding"])
        .collect();
    assert_eq!(encodings, ["zstd", "snappy", "snappy"]);
    assert_eq!(
        seen[0].headers["x-victoriametrics-remote-write-version"],
        "1"
    );
    assert_eq!(
        seen[1].headers["x-prometheus-remote-write-version"],
        "0.1.0"
    );
    let zstd = unpacked(Compression::Zstd(3), &seen[0].body);
    assert_eq!(zstd, unpacked(Compression::Snappy, &seen[1].body));
}

/// What a back end that knows only 1.0 says of 2.0.
fn refuses_2(answer: fn() -> Answer) -> Answering {
    Answering::start(move |_, request| {
        match request.headers["x-prometheus-remote-write-version"].as_str() {
            "2.0.0" => answer(),
            _ => Answer::Status(204, &[], ""),
        }
    })
}

#[test]
fn remote_write_1_is_sent_to_who_refuses_2_and_all_that_waits_for_it_too() {
    for answer in [
        || Answer::Status(415, &[], "what is this"),
        || Answer::Status(400, &[], "snappy: corrupt input"),
        // It read an empty message.
        || Answer::Status(204, &[], ""),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let away = Answering::start(|_, _| Answer::Status(503, &[], "away"));
        let queue = || disk(&directory.path().join("queue"), 1 << 20);
        let mut outlets = [start(&options(&away, Dialect::RemoteWrite2), queue())];
        for _ in 0..3 {
            send(&mut outlets);
        }
        let [first] = outlets;
        assert_eq!(first.stop(Duration::ZERO).queued, 3 * POINTS);

        let server = refuses_2(answer);
        let mut outlets = [start(&options(&server, Dialect::RemoteWrite2), queue())];
        send(&mut outlets);
        until_true("all is delivered", || outlets[0].outcome().queued == 0);
        let outcome = outlets[0].outcome();
        assert_adds_up(&outcome);
        assert_eq!(
            (outcome.delivered, outcome.fell_back),
            (4 * POINTS, 4 * POINTS)
        );
        let seen = server.seen();
        let versions: Vec<_> = seen
            .iter()
            .map(|seen| &*seen.headers["x-prometheus-remote-write-version"])
            .collect();
        assert_eq!(versions, ["2.0.0", "0.1.0", "0.1.0", "0.1.0", "0.1.0"]);
        assert_eq!(seen[1].headers["content-type"], "application/x-protobuf");
        let body = unpacked(Compression::Snappy, &seen[1].body);
        assert!(WriteRequest::decode(&body[..]).unwrap().timeseries.len() > 7);
    }
}

#[test]
fn remote_write_2_stays_where_1_is_refused_too() {
    let written = &[("X-Prometheus-Remote-Write-Samples-Written", "20")];
    let server = Answering::start(|n, _| match n {
        0 | 1 => Answer::Status(400, &[], "too old"),
        _ => Answer::Status(204, written, ""),
    });
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite2), memory())];
    send(&mut outlets);
    send(&mut outlets);
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!(outcome.losses.of(Reason::Refused), POINTS);
    assert_eq!((outcome.delivered, outcome.fell_back), (POINTS, 0));
    let version = &server.seen()[2].headers["x-prometheus-remote-write-version"];
    assert_eq!(version, "2.0.0");
}

#[test]
fn zstd_stays_where_both_are_refused() {
    // What is refused is the content, not the encoding.
    let server = Answering::start(|n, _| match n {
        0 | 1 => Answer::Status(400, &[], "too old"),
        _ => Answer::Status(204, &[], ""),
    });
    let mut outlets = [start(&options(&server, Dialect::VictoriaMetrics), memory())];
    send(&mut outlets);
    send(&mut outlets);
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!(outcome.losses.of(Reason::Refused), POINTS);
    assert_eq!(outcome.delivered, POINTS);
    assert_eq!(server.seen()[2].headers["content-encoding"], "zstd");
}

#[test]
fn what_is_temporary_is_tried_again_until_it_is_taken() {
    let server = Answering::start(|n, _| match n {
        0 => Answer::Status(500, &[], "oops"),
        1 => Answer::Status(429, &[("Retry-After", "0")], "slower"),
        2 => Answer::Cut,
        3 => Answer::Status(503, &[("Retry-After", "Tue, 14 Nov 2023 22:13:50 GMT")], ""),
        _ => Answer::Status(200, &[], "taken"),
    });
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), memory())];
    send(&mut outlets);
    until_true("it is delivered", || {
        outlets[0].outcome().delivered == POINTS
    });
    let outcome = outlets[0].outcome();
    assert_adds_up(&outcome);
    assert_eq!((outcome.attempts, outcome.retries), (5, 4));
    assert_eq!(outcome.losses.total(), 0);
    let bodies = server.seen().into_iter().map(|request| request.body);
    assert!(
        bodies
            .collect::<Vec<_>>()
            .windows(2)
            .all(|pair| pair[0] == pair[1])
    );
}

#[test]
fn a_server_that_says_nothing_is_given_up_and_tried_again() {
    let server = Answering::start(|n, _| match n {
        0 => Answer::Silence,
        n => ok(n),
    });
    let mut options = options(&server, Dialect::RemoteWrite1);
    options.timeout = Duration::from_secs(1);
    let mut outlets = [start(&options, memory())];
    send(&mut outlets);
    until_true("it is delivered", || {
        outlets[0].outcome().delivered == POINTS
    });
    assert!(outlets[0].outcome().retries >= 1);
}

#[test]
fn what_is_refused_is_lost_once_and_the_next_goes_on() {
    let server = Answering::start(|n, _| match n {
        0 => Answer::Status(400, &[], "out of\n order"),
        1 => Answer::Status(302, &[("Location", "http://127.0.0.1:1/")], ""),
        n => ok(n),
    });
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), memory())];
    for _ in 0..3 {
        send(&mut outlets);
    }
    until_true("all is decided", || outlets[0].outcome().queued == 0);
    let outcome = outlets[0].outcome();
    assert_adds_up(&outcome);
    assert_eq!(outcome.losses.of(Reason::Refused), 2 * POINTS);
    assert_eq!((outcome.delivered, outcome.attempts), (POINTS, 3));
    assert!(outcome.last_error.unwrap().contains("302"));
}

#[test]
fn an_endpoint_that_is_away_holds_up_no_other() {
    let away = Answering::start(|_, _| Answer::Status(503, &[], "away"));
    let there = Answering::start(|n, _| ok(n));
    let mut outlets = [
        start(&options(&away, Dialect::RemoteWrite1), memory()),
        start(&options(&there, Dialect::RemoteWrite1), memory()),
    ];
    for _ in 0..10 {
        send(&mut outlets);
    }
    until_true("the other has all", || {
        outlets[1].outcome().delivered == 10 * POINTS
    });
    let [away, _] = outlets;
    let outcome = away.stop(Duration::ZERO);
    assert_adds_up(&outcome);
    assert_eq!(outcome.losses.of(Reason::Stopped), 10 * POINTS);
}

#[test]
fn a_full_queue_in_memory_drops_the_oldest() {
    let server = Answering::start(|_, _| Answer::Status(503, &[], "away"));
    let small = Queue::Memory(MemoryQueue::new(4000));
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), small)];
    for _ in 0..50 {
        send(&mut outlets);
        assert_adds_up(&outlets[0].outcome());
    }
    let outcome = outlets[0].outcome();
    assert!(outcome.losses.of(Reason::QueueFull) > 0);
    assert!(outcome.queued > 0 && outcome.queued_bytes <= 4000);
}

#[test]
fn an_outage_is_bridged_by_the_disk_queue_through_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let away = Answering::start(|_, _| Answer::Status(503, &[], "away"));
    let queue = || disk(&directory.path().join("queue"), 1 << 20);
    let mut outlets = [start(&options(&away, Dialect::RemoteWrite1), queue())];
    for _ in 0..5 {
        send(&mut outlets);
    }
    let [first] = outlets;
    let outcome = first.stop(Duration::ZERO);
    assert_adds_up(&outcome);
    assert_eq!((outcome.queued, outcome.losses.total()), (5 * POINTS, 0));

    let back = Answering::start(|n, _| ok(n));
    let mut outlets = [start(&options(&back, Dialect::RemoteWrite1), queue())];
    send(&mut outlets);
    until_true("all is delivered", || outlets[0].outcome().queued == 0);
    let outcome = outlets[0].outcome();
    assert_adds_up(&outcome);
    assert_eq!(
        (outcome.restored, outcome.delivered),
        (5 * POINTS, 6 * POINTS)
    );
    assert_eq!(back.seen().len(), 6);
}

#[test]
fn a_full_disk_queue_drops_the_oldest_and_stays_below_its_bound() {
    let directory = tempfile::tempdir().unwrap();
    let server = Answering::start(|_, _| Answer::Status(503, &[], "away"));
    let queue = disk(&directory.path().join("queue"), 20_000);
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), queue)];
    for _ in 0..100 {
        send(&mut outlets);
    }
    let outcome = outlets[0].outcome();
    assert_adds_up(&outcome);
    assert!(outcome.losses.of(Reason::QueueFull) > 0);
    assert!(outcome.queued > 0 && outcome.queued_bytes <= 20_000);
    let [outlet] = outlets;
    let outcome = outlet.stop(Duration::ZERO);
    assert_adds_up(&outcome);
    let left = disk(&directory.path().join("queue"), 20_000).size().0;
    assert_eq!(left, outcome.queued);
}

#[test]
fn what_the_protocol_sets_cannot_be_configured() {
    let server = Answering::start(|n, _| ok(n));
    let with = |name: &str, value: &str| {
        let mut options = options(&server, Dialect::RemoteWrite2);
        options.headers = vec![(name.to_owned(), value.to_owned())];
        Http::new(&options).err()
    };
    for reserved in [
        "content-type",
        "X-Prometheus-Remote-Write-Version",
        "User-Agent",
    ] {
        let expected = HttpError::Reserved(reserved.to_owned());
        assert_eq!(with(reserved, "x"), Some(expected));
    }
    assert!(matches!(with("a b", "x"), Some(HttpError::Header(_))));
    assert!(matches!(with("a", "x\ny"), Some(HttpError::Header(_))));
    let mut options = options(&server, Dialect::RemoteWrite1);
    for wrong in ["", "ftp://host/", "host:80", "http://"] {
        options.address = wrong.to_owned();
        assert!(
            matches!(Http::new(&options).err(), Some(HttpError::Address(_))),
            "{wrong}"
        );
    }
}

#[test]
fn what_ended_under_other_labels_is_not_said_of_the_new_ones() {
    let server = Answering::start(|_, _| Answer::Status(204, &[], ""));
    let mut outlets = [start(&options(&server, Dialect::RemoteWrite1), memory())];
    let mut origin = Origin::default();
    let mut end = |outlets: &mut [Outlet], interval: &Interval| {
        send_to_all(outlets.iter_mut(), interval, &mut origin);
        tell_all_what_ended(outlets, interval, &mut origin);
    };
    end(&mut outlets, &interval());
    outlets[0].label(vec![("zone".to_owned(), "z".to_owned())]);
    let nothing = Interval {
        points: Vec::new(),
        ..interval()
    };
    end(&mut outlets, &nothing);
    let [outlet] = outlets;
    outlet.stop(PATIENCE);
    assert_eq!(server.seen().len(), 1);
}
