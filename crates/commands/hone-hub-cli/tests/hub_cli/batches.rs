//! Batches: those that are taken, and the many that are not.

use std::io::Write;
use std::net::TcpStream;

use hone_batch::{Batch, wire};
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, answer_from};
use crate::fleet::{batch, batch_of, is_sum_of, now_s, send};

#[test]
fn a_batch_is_taken_and_asked_back() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let sent = [batch("one", 0, "shop"), batch("two", 0, "shop")];
    sent.iter().for_each(|batch| send(&hub, batch));
    // A copy, as a host sends that did not read the answer.
    send(&hub, &sent[0]);
    send(&hub, &batch("one", 1, "other"));
    is_sum_of(&hub.get("/v1/query?service=shop"), &sent);

    let services: serde_json::Value =
        serde_json::from_slice(&hub.get("/v1/services").body).unwrap();
    let names: Vec<_> = services["services"]
        .as_array()
        .unwrap()
        .iter()
        .map(|service| service["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["other", "shop"]);
    assert_eq!(hub.figure("hone_hub_batches_total{outcome=\"done\"}"), 4);
    assert_eq!(hub.get("/healthz").status, 200);
}

/// A batch whose message is these bytes.
fn packed(message: &[u8]) -> Vec<u8> {
    let mut bytes = wire::MAGIC.to_vec();
    bytes.push(wire::VERSION);
    bytes.extend(zstd::encode_all(message, 3).unwrap());
    bytes
}

#[test]
fn what_is_no_batch_is_refused_with_the_reason_and_the_hub_lives() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let good = wire::write(&batch("one", 0, "shop"));
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let mut newer = good.clone();
    newer[4] = wire::VERSION + 1;
    let followed = [&good[..], b"more"].concat();
    let week_s = 7 * 86_400;
    let old = wire::write(&batch_of("one", 1, "shop", now_s() - week_s - 3600));
    let ahead = wire::write(&batch_of("one", 2, "shop", now_s() + 2 * 86_400));
    let mut endless = batch("one", 3, "shop");
    endless.samples[0].bucket = u64::MAX / 60;
    for (sent, said) in [
        (Vec::new(), "does not begin with HONB"),
        (b"GET / HTTP/1.1".to_vec(), "does not begin with HONB"),
        (good[..5].to_vec(), "unpacked"),
        (good[..good.len() - 1].to_vec(), "unpacked"),
        (damaged, "unpacked"),
        (newer, "version 2"),
        (followed, "unpacked"),
        (packed(b"\xff\xff\xff\xff"), "damaged"),
        (packed(&vec![0; 100 << 20]), "more than 67108864 bytes"),
        (wire::write(&endless), "no clock shows"),
    ] {
        hub.post(&sent).refuses(400, said);
    }
    for sent in [old, ahead] {
        let answer = hub.post(&sent);
        let hub_s: u64 = answer.header(wire::HUB_TIME).unwrap().parse().unwrap();
        assert!(now_s().abs_diff(hub_s) < 600, "{hub_s}");
        answer.refuses(409, "check the clocks");
    }
    hub.hears("a batch of the host \"one\" is refused");
    let checkers = hub.figure("hone_hub_checkers_lost_total");
    assert_eq!(checkers, 0, "{}", hub.said());
    send(&hub, &batch("one", 0, "shop"));
    assert_eq!(
        hub.figure("hone_hub_batches_total{outcome=\"refused\"}"),
        12
    );
}

#[test]
fn a_batch_that_is_too_large_is_refused() {
    let directory = tempdir().unwrap();
    let settings = format!("{ANY_PORT}[limits]\nbatch_bytes = 100_000\n");
    let hub = Hub::start(directory.path(), &settings);
    hub.post(&vec![1; 100_001])
        .refuses(413, "more than 100000 bytes");

    // In pieces, without a length.
    let mut stream = TcpStream::connect(hub.address).unwrap();
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        hub.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..11 {
        stream.write_all(b"2710\r\n").unwrap();
        stream.write_all(&[1; 10_000]).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let answer = answer_from(&mut stream).unwrap();
    answer.refuses(413, "more than 100000 bytes");

    // Of a length that nobody sends.
    let mut stream = TcpStream::connect(hub.address).unwrap();
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000000000\r\n\r\n",
        hub.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    drop(stream);
    send(&hub, &batch("one", 0, "shop"));
}

#[test]
fn many_hosts_send_at_a_time() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let batches: Vec<Batch> = (0..32)
        .map(|host| batch(&format!("host-{host}"), host % 3, "shop"))
        .collect();
    std::thread::scope(|scope| {
        for batch in &batches {
            scope.spawn(|| send(&hub, batch));
        }
    });
    is_sum_of(&hub.get("/v1/query?service=shop"), &batches);
}

#[test]
fn paths_and_methods_that_there_are_not_are_refused() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    hub.get("/v1/batch").refuses(405, "POST it");
    let nothing = hub.get("/v1/nothing");
    nothing.refuses(404, "there are POST /v1/batch");
    nothing.refuses(404, " /ingest /push.v1.PusherService/Push ");
    let posted = crate::common::request(hub.address, "POST", "/v1/query", "", b"");
    posted.unwrap().refuses(405, "GET it");
}
