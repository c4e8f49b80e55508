//! The whole way of a host's samples: recorded, added up, kept while the hub is away, sent once it is there.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use hone_batch::{Batch, Limits, Place, wire};
use hone_collect::{Event, Options, collect};
use hone_record::RecordError;

/// Rounds after which a process that never stops computing must have been sampled, on a machine however busy.
const ROUNDS_MAX: u64 = 120;

/// A shell that counts without end, under a name of its own.
struct Spinner(Child);

impl Spinner {
    fn start(directory: &Path) -> Self {
        let program = directory.join("spinner");
        fs::copy("/bin/sh", &program).unwrap();
        let mut command = Command::new(program);
        Self(command.args(["-c", "while :; do :; done"]).spawn().unwrap())
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Acknowledges batches until the other side of the channel is gone; has no room for them until it is open.
fn hub(listener: &TcpListener, is_open: &AtomicBool, batches: mpsc::Sender<Vec<u8>>) {
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let (mut asked, mut bytes) = (Vec::new(), [0; 1 << 16]);
        let body = loop {
            let read = stream.read(&mut bytes).unwrap();
            assert!(read > 0, "a request that ends early");
            asked.extend(&bytes[..read]);
            let Some(end) = asked.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = String::from_utf8_lossy(&asked[..end]).to_ascii_lowercase();
            let length = head.split("content-length: ").nth(1).unwrap();
            let length: usize = length.lines().next().unwrap().trim().parse().unwrap();
            if asked.len() >= end + 4 + length {
                break asked.split_off(end + 4);
            }
        };
        let takes = is_open.load(Ordering::Relaxed);
        let status = if takes {
            "204 No Content"
        } else {
            "503 No Room"
        };
        let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(answer.as_bytes()).unwrap();
        if takes && batches.send(body).is_err() {
            return;
        }
    }
}

fn services(batch: &Batch) -> BTreeSet<&str> {
    let groups = batch
        .samples
        .iter()
        .map(|row| &batch.groups[row.group.index()]);
    groups.map(|group| group.service.as_str()).collect()
}

#[test]
fn what_a_host_does_reaches_the_hub_also_if_the_hub_comes_later() {
    let directory = tempfile::tempdir().unwrap();
    let _spinner = Spinner::start(directory.path());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let options = Options {
        round: Duration::from_millis(500),
        frequency_hz: 99,
        run: 7,
        ..Options::new(format!("http://{address}"), "this-host", directory.path())
    };
    let (stop, stop_at) = (AtomicBool::new(false), ROUNDS_MAX);
    let is_open = Arc::new(AtomicBool::new(false));
    let (sender, received) = mpsc::channel();
    let opens = is_open.clone();
    thread::spawn(move || hub(&listener, &opens, sender));
    let rounds = Mutex::new(0_u64);
    let tell = |event: Event| match event {
        // The hub opens once a batch had to wait for it.
        Event::Waiting(_) => is_open.store(true, Ordering::Relaxed),
        Event::Recorded { .. } => {
            let mut rounds = rounds.lock().unwrap();
            *rounds += 1;
            if *rounds > stop_at {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Event::Sent => {}
        other => panic!("{other:?}"),
    };
    let found = thread::scope(|scope| {
        let collecting = scope.spawn(|| collect(&options, &stop, &tell));
        let mut numbers = Vec::new();
        let mut found = None;
        while found.is_none() && !collecting.is_finished() {
            let Ok(bytes) = received.recv_timeout(Duration::from_millis(200)) else {
                continue;
            };
            let batch = wire::read(&bytes, &Limits::default()).unwrap();
            assert_eq!(
                (batch.origin.host.as_str(), batch.origin.run),
                ("this-host", 7)
            );
            numbers.push(batch.origin.number);
            found = services(&batch).contains("spinner").then_some(batch);
        }
        stop.store(true, Ordering::Relaxed);
        let outcome = collecting.join().unwrap();
        let refused = outcome
            .as_ref()
            .err()
            .and_then(|error| error.downcast_ref());
        if let Some(error @ RecordError::SystemRefused { .. }) = refused {
            println!("skipped: {error}");
            return None;
        }
        outcome.unwrap();
        let expected: Vec<u64> = (0..numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "in their order, none twice");
        Some(found.expect("the spinner was not sampled"))
    });
    let Some(batch) = found else {
        return;
    };
    assert!(is_open.load(Ordering::Relaxed));
    let binaries = batch.places.iter().filter_map(|place| match place {
        Place::Code { binary, .. } => Some(&batch.binaries[binary.index()]),
        Place::Named { .. } => None,
    });
    let paths: BTreeSet<&str> = binaries.map(|binary| binary.path.as_str()).collect();
    assert!(paths.contains("spinner"), "{paths:?}");
    assert!(
        paths
            .iter()
            .all(|path| !path.contains('/') || path.starts_with("//")),
        "directories stay on the host: {paths:?}"
    );
}
