//! Unix and UDP datagrams: all arrive, or are counted.

use std::net::UdpSocket;
use std::os::unix::net::UnixDatagram;

use hone_agent::receive::{Address, Listen, Origin, Protocol, Received, Receiver, Work, net_of};

use super::support::*;

/// How many packets the tests send.
const MANY: usize = 3000;

/// Sends alternating packets of both protocols over a Unix socket and stops while some are still in the socket.
/// Returns what became of them.
fn over_unix_datagrams(work: Work) -> (Notes, Received) {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let notes = Notes::default();
    let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Either);
    let receiver = started(opened(listen), work, &notes);
    let counted = std::sync::Arc::clone(receiver.opened()[0].counts());
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    for number in 0..MANY {
        let packet = match number % 3 {
            0 => line(number),
            1 => point(number),
            _ => points(number..number + 3),
        };
        client.send(&packet).unwrap();
    }
    receiver.stop();
    assert!(!path.exists(), "the socket's file is still there");
    (notes, counted.now())
}

#[test]
fn a_stop_loses_no_packet_and_merging_changes_no_sample() {
    let (here, counts) = over_unix_datagrams(Work::default());
    adds_up(&counts);
    assert_eq!(counts.handled, MANY as u64);
    assert_eq!(here.samples(), MANY / 3 * 5);
    assert_eq!(here.seen.lock().unwrap().malformed, 0);
    let me = Origin {
        pid: std::process::id(),
        uid: rustix::process::getuid().as_raw(),
        ..Origin::default()
    };
    assert_eq!(here.seen.lock().unwrap().origins, [me]);

    let patient = Work {
        full_wait: PATIENCE,
        ..workers(3)
    };
    let (merged, counts) = over_unix_datagrams(patient);
    adds_up(&counts);
    assert_eq!(counts.handled, MANY as u64);
    assert_eq!(merged.sorted(), here.sorted());
    assert_eq!(merged.seen.lock().unwrap().origins, [me]);
}

/// Sends lines to a UDP listener, never more at a time than its buffer can hold.
fn over_udp(listen: Listen, bind: &str, work: Work, clients: usize) {
    let notes = Notes::default();
    let opened = opened(listen);
    let address = opened.local_address().unwrap();
    let receiver = started(opened, work, &notes);
    let clients: Vec<_> = (0..clients)
        .map(|_| UdpSocket::bind(bind).unwrap())
        .collect();
    for number in 0..MANY {
        let client = &clients[number % clients.len()];
        client.send_to(&line(number), address).unwrap();
        if number % 50 == 49 {
            until_true("packets arrive", || {
                counts(&receiver).packets > number as u64
            });
        }
    }
    until_true("all is handled", || {
        counts(&receiver).handled == MANY as u64
    });
    adds_up(&counts(&receiver));
    receiver.stop();
    assert_eq!(notes.samples(), MANY);
    let host = Origin {
        net: net_of(address.ip()),
        ..Origin::default()
    };
    assert_eq!(notes.seen.lock().unwrap().origins, [host]);
}

#[test]
fn packets_over_udp_arrive() {
    let listen = Listen::new("udp", udp(), Protocol::Statsd);
    over_udp(listen, "127.0.0.1:0", Work::default(), 1);
}

#[test]
fn packets_over_several_sockets_of_one_address_arrive() {
    let mut listen = Listen::new("udp", udp(), Protocol::Either);
    listen.shards = 4;
    over_udp(listen.clone(), "127.0.0.1:0", Work::default(), 16);
    over_udp(listen, "127.0.0.1:0", workers(2), 16);
}

#[test]
fn packets_over_ipv6_arrive() {
    if UdpSocket::bind("[::1]:0").is_err() {
        println!("skipped: no IPv6 here");
        return;
    }
    let address = Address::Udp("[::1]:0".parse().unwrap());
    let listen = Listen::new("udp6", address, Protocol::Statsd);
    over_udp(listen, "[::1]:0", Work::default(), 1);
}

#[test]
fn what_the_kernel_drops_is_counted() {
    let mut listen = Listen::new("udp", udp(), Protocol::Statsd);
    listen.receive_buffer_bytes = Some(4096);
    let opened = opened(listen);
    let address = opened.local_address().unwrap();
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    let flood = |from: usize| {
        for number in from..from + 500 {
            client.send_to(&line(number), address).unwrap();
        }
    };
    // Nobody reads yet. There is no packet behind those that are dropped.
    flood(0);
    let notes = Notes::default();
    let receiver = started(opened, Work::default(), &notes);
    let is_all = |receiver: &Receiver<Notes>, sent: u64| {
        let counts = counts(receiver);
        counts.packets + counts.kernel_drops == sent
    };
    until_true("all of the flood is accounted for", || {
        is_all(&receiver, 500)
    });
    assert!(counts(&receiver).kernel_drops > 0);
    // Again while nobody reads, and with packets behind it.
    let (mut opened, _) = receiver.pause();
    flood(500);
    let receiver = started(opened.remove(0), Work::default(), &notes);
    until_true("both floods are accounted for", || is_all(&receiver, 1000));
    client.send_to(&line(1000), address).unwrap();
    until_true("the last one arrives", || is_all(&receiver, 1001));
    adds_up(&counts(&receiver));
    receiver.stop();
}

#[test]
fn the_receive_buffer_is_what_the_system_gave() {
    let mut listen = Listen::new("udp", udp(), Protocol::Statsd);
    listen.shards = 2;
    listen.receive_buffer_bytes = Some(64 * 1024);
    assert_eq!(
        opened(listen.clone()).receive_buffer_bytes(),
        [64 * 1024; 2]
    );
    listen.receive_buffer_bytes = Some(usize::MAX);
    let got = opened(listen).receive_buffer_bytes();
    assert!(got[0] > 64 * 1024 && got[0] < usize::MAX, "{got:?}");
}

#[test]
fn datagrams_longer_than_their_buffer_are_dropped_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let unix = Listen::new("unix", Address::UnixDatagram(file), Protocol::Statsd);
    let udp = Listen::new("udp", udp(), Protocol::Statsd);
    for mut listen in [unix, udp] {
        listen.packet_bytes_max = line(100).len();
        let notes = Notes::default();
        let opened = opened(listen);
        let address = opened.local_address();
        let receiver = started(opened, Work::default(), &notes);
        let udp_client = UdpSocket::bind("127.0.0.1:0").unwrap();
        let unix_client = UnixDatagram::unbound().unwrap();
        for number in [100, 1000, 101, 10_000, 1] {
            let packet = line(number);
            match address {
                Some(address) => udp_client.send_to(&packet, address).unwrap(),
                None => unix_client.send_to(&packet, &path).unwrap(),
            };
        }
        until_true("all came", || counts(&receiver).packets == 5);
        let counts = counts(&receiver);
        adds_up(&counts);
        assert_eq!(counts.truncated, 2);
        let lengths = [100, 1000, 101, 10_000, 1].map(|number| line(number).len() as u64);
        assert_eq!(counts.bytes, lengths.iter().sum::<u64>());
        receiver.stop();
        assert_eq!(notes.samples(), 3);
    }
}

#[test]
fn open_files_that_a_client_sends_along_are_closed() {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
    use std::io::{IoSlice, Read};
    use std::mem::MaybeUninit;
    use std::os::fd::AsFd;

    for credentials in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        let file = file(directory.path());
        let path = file.path.clone();
        let mut listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Statsd);
        listen.credentials = credentials;
        let notes = Notes::default();
        let receiver = started(opened(listen), Work::default(), &notes);
        let (mut reader, writer) = std::io::pipe().unwrap();
        let client = UnixDatagram::unbound().unwrap();
        client.connect(&path).unwrap();
        let files = [writer.as_fd()];
        let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut along = SendAncillaryBuffer::new(&mut room);
        assert!(along.push(SendAncillaryMessage::ScmRights(&files)));
        let packet = line(1);
        let parts = [IoSlice::new(&packet)];
        rustix::net::sendmsg(&client, &parts, &mut along, SendFlags::empty()).unwrap();
        until_true("the packet is handled", || counts(&receiver).handled == 1);
        drop(writer);
        rustix::io::ioctl_fionbio(&reader, true).unwrap();
        until_true("nobody has the other end of the pipe", || {
            matches!(reader.read(&mut [0]), Ok(0))
        });
        receiver.stop();
        assert_eq!(notes.samples(), 1);
    }
}

#[test]
fn a_pause_keeps_what_comes_meanwhile() {
    let directory = tempfile::tempdir().unwrap();
    let file = file(directory.path());
    let path = file.path.clone();
    let notes = Notes::default();
    let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Statsd);
    let mut receiver = started(opened(listen), workers(1), &notes);
    let client = UnixDatagram::unbound().unwrap();
    client.connect(&path).unwrap();
    for round in 0..5 {
        client.send(&line(2 * round)).unwrap();
        let (mut opened, handlers) = receiver.pause();
        assert_eq!(handlers.len(), 1);
        client.send(&line(2 * round + 1)).unwrap();
        receiver = started(opened.remove(0), workers(1), &notes);
    }
    until_true("all is handled", || counts(&receiver).handled == 10);
    receiver.stop();
    assert_eq!(notes.samples(), 10);
}

#[test]
fn handlers_are_called_when_nothing_comes() {
    for work in [Work::default(), workers(1)] {
        let notes = Notes::default();
        let listen = Listen::new("udp", udp(), Protocol::Statsd);
        let receiver = started(opened(listen), work, &notes);
        until_true("it is idle", || notes.seen.lock().unwrap().idles >= 3);
        assert!(!receiver.has_lost_a_thread());
        receiver.stop();
        assert_eq!(notes.seen.lock().unwrap().packets, 0);
    }
}

#[test]
fn a_stop_under_load_loses_nothing_that_clients_could_send() {
    let patient = Work {
        full_wait: PATIENCE,
        ..workers(2)
    };
    for work in [Work::default(), patient] {
        let directory = tempfile::tempdir().unwrap();
        let file = file(directory.path());
        let path = file.path.clone();
        let notes = Notes::default();
        let listen = Listen::new("unix", Address::UnixDatagram(file), Protocol::Statsd);
        let receiver = started(opened(listen), work, &notes);
        let client = UnixDatagram::unbound().unwrap();
        client.connect(&path).unwrap();
        let flood = std::thread::spawn(move || {
            let mut sent = 0;
            while client.send(&line(sent)).is_ok() {
                sent += 1;
            }
            sent
        });
        until_true("it is under load", || counts(&receiver).packets > 1000);
        receiver.stop();
        assert_eq!(notes.samples(), flood.join().unwrap());
    }
}

#[test]
fn a_client_that_never_ends_does_not_keep_the_agent_from_ending() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    let notes = Notes::default();
    let opened = opened(Listen::new("udp", udp(), Protocol::Statsd));
    let address = opened.local_address().unwrap();
    let counted = Arc::clone(opened.counts());
    let receiver = started(opened, Work::default(), &notes);
    let is_over = Arc::new(AtomicBool::new(false));
    let seen_over = Arc::clone(&is_over);
    let flood = std::thread::spawn(move || {
        let client = UdpSocket::bind("127.0.0.1:0").unwrap();
        while !seen_over.load(Ordering::Relaxed) {
            // Refused as soon as nobody listens any more.
            let _ = client.send_to(&line(1), address);
        }
    });
    until_true("it is under load", || counts(&receiver).packets > 1000);
    receiver.stop();
    is_over.store(true, Ordering::Relaxed);
    flood.join().unwrap();
    adds_up(&counted.now());
    assert_eq!(notes.samples() as u64, counted.now().handled);
}
