//! What is acknowledged is there for good, however the hub ends.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use hone_batch::{Batch, wire};
use rustix::process::Signal;
use tempfile::tempdir;

use crate::common::{ANY_PORT, Hub, PATIENCE, answer_from, request};
use crate::fleet::{batch, is_sum_of, read, send};

#[test]
fn a_killed_hub_loses_nothing_that_was_acknowledged() {
    let directory = tempdir().unwrap();
    let acknowledged = Mutex::new(Vec::<String>::new());
    let next = AtomicU64::new(0);
    for round in 1..=3 {
        let hub = Hub::start(directory.path(), ANY_PORT);
        let (address, enough) = (hub.address, round * 30);
        thread::scope(|scope| {
            let send_all = || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let host = format!("host-{number}");
                    let bytes = wire::write(&batch(&host, number, "shop"));
                    match request(address, "POST", "/v1/batch", "", &bytes) {
                        Some(answer) if answer.status == 204 => {
                            acknowledged.lock().unwrap().push(host);
                        }
                        // The hub is gone.
                        _ => return,
                    }
                }
            };
            let senders: Vec<_> = (0..4).map(|_| scope.spawn(send_all)).collect();
            while acknowledged.lock().unwrap().len() < enough {
                assert!(!senders.iter().all(|sender| sender.is_finished()));
                thread::yield_now();
            }
            hub.kill();
        });
        let hub = Hub::start(directory.path(), ANY_PORT);
        let answer = read(&hub.get("/v1/query?service=shop"));
        let acknowledged = acknowledged.lock().unwrap();
        for host in acknowledged.iter() {
            assert_eq!(times_of(&answer, host), 7, "{host}");
        }
        // Some may be stored whose acknowledgement did not arrive; none is there twice.
        for group in &answer.groups {
            assert_eq!(times_of(&answer, &group.host), 7, "{}", group.host);
        }
    }
}

fn times_of(batch: &Batch, host: &str) -> u64 {
    let of_host = batch
        .samples
        .iter()
        .filter(|samples| batch.groups[samples.group.index()].host == host);
    of_host.map(|samples| samples.times).sum()
}

/// Well, and not since it waited for long enough. It used to wait whenever it was asked to end.
#[track_caller]
fn ended_at_once(hub: &mut Hub) {
    let is_good = hub.has_ended_well();
    let said = hub.said();
    assert!(is_good && !said.contains("get no answer"), "{said}");
}

#[test]
fn a_hub_that_is_asked_to_end_answers_what_is_under_way() {
    let directory = tempdir().unwrap();
    let mut hub = Hub::start(directory.path(), ANY_PORT);
    let sent = [batch("one", 0, "shop"), batch("one", 1, "shop")];
    send(&hub, &sent[0]);
    let bytes = wire::write(&sent[1]);
    let mut stream = TcpStream::connect(hub.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        hub.address,
        bytes.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The hub says that it reads the body, so the request is under way.
    let mut line = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut line).unwrap();
    assert!(line.starts_with(b"HTTP/1.1 100"), "{line:?}");
    let (first, rest) = bytes.split_at(bytes.len() / 2);
    stream.write_all(first).unwrap();

    hub.signal(Signal::TERM);
    hub.hears("ending: requests under way are finished");
    stream.write_all(rest).unwrap();
    let answer = answer_from(&mut stream).unwrap();
    assert_eq!(answer.status, 204, "{}", answer.text());
    ended_at_once(&mut hub);
    assert!(TcpStream::connect(hub.address).is_err());

    let hub = Hub::start(directory.path(), ANY_PORT);
    is_sum_of(&hub.get("/v1/query?service=shop"), &sent);
}

#[test]
fn a_hub_ends_although_clients_say_nothing() {
    let directory = tempdir().unwrap();
    let mut hub = Hub::start(directory.path(), ANY_PORT);
    let mut silent = TcpStream::connect(hub.address).unwrap();
    silent.write_all(b"GET /heal").unwrap();
    send(&hub, &batch("one", 0, "shop"));
    hub.signal(Signal::INT);
    ended_at_once(&mut hub);
}
