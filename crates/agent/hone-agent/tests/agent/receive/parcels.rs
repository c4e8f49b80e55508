//! Packets on their way to workers.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use hone_agent::receive::{Address, Listen, Protocol, Work};

use super::support::*;

#[test]
fn a_worker_that_does_not_keep_up_costs_packets_which_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let notes = Notes::default();
    let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Either);
    let work = Work {
        workers: 1,
        parcels: 2,
        parcel_bytes: 100,
        merge_wait: Duration::ZERO,
        full_wait: Duration::from_millis(1),
    };
    let receiver = started(opened(listen), work, &notes);
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    let held_up = notes.gate.lock().unwrap();
    for number in 0..300 {
        client.send(&points(number..number + 2)).unwrap();
        client.send(b"a:1|c\nb:2|c\nc:3|c").unwrap();
    }
    until_true("all is received", || counts(&receiver).packets == 600);
    drop(held_up);
    until_true("what is left is handled", || {
        let counts = counts(&receiver);
        counts.handled + counts.dropped == counts.packets
    });
    let counts = counts(&receiver);
    adds_up(&counts);
    assert!(counts.dropped > 500, "{counts:?}");
    receiver.stop();
    let samples = notes.samples() as u64;
    assert_eq!(samples + counts.dropped_points, 300 * 5);
}

#[test]
fn packets_wait_for_others_as_long_as_they_may() {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let notes = Notes::default();
    let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Sdk);
    let work = Work {
        merge_wait: Duration::from_secs(3600),
        ..workers(1)
    };
    let receiver = started(opened(listen), work, &notes);
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    for number in 0..20 {
        client.send(&point(number)).unwrap();
        until_true("it is read", || counts(&receiver).packets > number as u64);
    }
    assert_eq!(counts(&receiver).parcels, 0);
    let counted = std::sync::Arc::clone(receiver.opened()[0].counts());
    receiver.stop();
    assert_eq!((counted.now().parcels, counted.now().handled), (1, 20));
    assert_eq!(notes.samples(), 20);
    assert_eq!(notes.seen.lock().unwrap().packets, 1);
}

#[test]
fn broken_and_large_packets_do_not_harm_their_neighbours() {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let notes = Notes::default();
    let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Either);
    let receiver = started(opened(listen), workers(1), &notes);
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    let mut cut = points(0..4);
    cut.pop();
    let sent = [
        point(1),
        cut,
        point(2),
        points(0..200),
        b"a:1|c".to_vec(),
        Vec::new(),
        line(3),
    ];
    assert!(sent[3].len() > workers(1).parcel_bytes);
    for packet in &sent {
        client.send(packet).unwrap();
    }
    until_true("all is handled", || {
        counts(&receiver).handled == sent.len() as u64
    });
    receiver.stop();
    assert_eq!(notes.samples(), 1 + 3 + 1 + 200 + 1 + 1);
    assert_eq!(notes.seen.lock().unwrap().malformed, 1);
}
