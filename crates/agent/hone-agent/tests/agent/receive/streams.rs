//! Unix and TCP streams: frames arrive whole, and connections end for a reason that is counted.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hone_agent::receive::{
    Address, Framing, Listen, Origin, Protocol, Received, Receiver, Work, net_of,
};

use super::support::*;

/// How many frames the tests send.
const MANY: usize = 3000;

fn unix_listen(directory: &Path) -> Listen {
    Listen::new(
        "unix",
        Address::UnixStream(file(directory)),
        Protocol::Either,
    )
}

/// Writes in pieces of all sizes.
fn send_in_pieces(mut connection: impl Write, stream: &[u8]) {
    let sizes = [1, 2, 3, 5, 1000, 70_000];
    let mut rest = stream;
    for size in sizes.iter().cycle() {
        let (now, later) = rest.split_at(*size.min(&rest.len()));
        connection.write_all(now).unwrap();
        rest = later;
        if rest.is_empty() {
            return;
        }
    }
}

/// Many frames, cut into pieces that have nothing to do with them.
fn send_many(connection: impl Write) {
    let mut stream = Vec::new();
    for number in 0..MANY {
        let packet = if number % 2 == 0 {
            line(number)
        } else {
            points(number..number + 2)
        };
        stream.extend(framed(&packet));
    }
    send_in_pieces(connection, &stream);
}

#[test]
fn frames_over_both_kinds_of_streams_arrive_though_the_agent_stops() {
    for work in [
        Work::default(),
        Work {
            full_wait: PATIENCE,
            ..workers(2)
        },
    ] {
        let directory = tempfile::tempdir().unwrap();
        let notes = Notes::default();
        let receiver = started(opened(unix_listen(directory.path())), work, &notes);
        // Closed by its client, still open, and perhaps not even accepted when the agent stops.
        let path = directory.path().join("socket");
        send_many(UnixStream::connect(&path).unwrap());
        let open = UnixStream::connect(&path).unwrap();
        send_many(&open);
        let counted = Arc::clone(receiver.opened()[0].counts());
        receiver.stop();
        check_many(&counted.now(), 2, &notes);
        let me = Origin {
            pid: std::process::id(),
            uid: rustix::process::getuid().as_raw(),
            ..Origin::default()
        };
        assert_eq!(notes.seen.lock().unwrap().origins, [me]);

        let notes = Notes::default();
        let opened = opened(Listen::new("tcp", tcp(), Protocol::Either));
        let address = opened.local_address().unwrap();
        let receiver = started(opened, work, &notes);
        send_many(TcpStream::connect(address).unwrap());
        until_true("all is handled", || {
            counts(&receiver).handled == MANY as u64
        });
        let counted = Arc::clone(receiver.opened()[0].counts());
        receiver.stop();
        check_many(&counted.now(), 1, &notes);
        let host = Origin {
            net: net_of(address.ip()),
            ..Origin::default()
        };
        assert_eq!(notes.seen.lock().unwrap().origins, [host]);
    }
}

fn check_many(counts: &Received, connections: usize, notes: &Notes) {
    adds_up(counts);
    assert_eq!(counts.connections, connections as u64);
    assert_eq!(counts.handled, (connections * MANY) as u64);
    assert_eq!(counts.frames_broken_off, 0);
    assert_eq!(notes.samples(), connections * MANY / 2 * 3);
}

/// Starts to listen on a Unix socket and sends something over a connection that stays open.
fn with_connection(listen: Listen, bytes: &[u8]) -> (Receiver<Notes>, UnixStream, Notes) {
    let Address::UnixStream(file) = &listen.address else {
        panic!("a Unix stream");
    };
    let path = file.path.clone();
    let notes = Notes::default();
    let receiver = started(opened(listen), Work::default(), &notes);
    let mut connection = UnixStream::connect(path).unwrap();
    connection.write_all(bytes).unwrap();
    (receiver, connection, notes)
}

#[test]
fn a_frame_that_is_too_long_ends_its_connection() {
    let directory = tempfile::tempdir().unwrap();
    let mut stream = framed(&line(1));
    stream.extend(8193_u32.to_le_bytes());
    stream.extend(framed(&line(2)));
    let (receiver, mut connection, notes) = with_connection(unix_listen(directory.path()), &stream);
    until_true("it is counted", || counts(&receiver).frames_too_long == 1);
    // Its end, with or without a word that not all of it was read.
    assert!(matches!(connection.read(&mut [0]), Ok(0) | Err(_)));
    adds_up(&counts(&receiver));
    receiver.stop();
    assert_eq!(notes.samples(), 1);
}

#[test]
fn half_a_frame_is_counted_when_its_connection_ends() {
    let directory = tempfile::tempdir().unwrap();
    let mut stream = framed(&line(1));
    stream.extend(&framed(&line(2))[..10]);
    let (receiver, connection, notes) = with_connection(unix_listen(directory.path()), &stream);
    drop(connection);
    until_true("it is counted", || counts(&receiver).frames_broken_off == 1);
    assert_eq!(
        (counts(&receiver).packets, counts(&receiver).handled),
        (1, 1)
    );
    receiver.stop();
    assert_eq!(notes.samples(), 1);
}

#[test]
fn half_a_frame_is_counted_when_the_agent_stops() {
    let directory = tempfile::tempdir().unwrap();
    let stream = &framed(&line(2))[..10];
    let (receiver, _connection, _) = with_connection(unix_listen(directory.path()), stream);
    let counted = Arc::clone(receiver.opened()[0].counts());
    receiver.stop();
    assert_eq!(counted.now().frames_broken_off, 1);
}

#[test]
fn a_frame_can_come_before_and_after_a_pause() {
    let directory = tempfile::tempdir().unwrap();
    let frame = framed(&line(1));
    let listen = unix_listen(directory.path());
    let (receiver, mut connection, notes) = with_connection(listen, &frame[..10]);
    until_true("it is connected", || counts(&receiver).connections == 1);
    let (mut opened, _) = receiver.pause();
    connection.write_all(&frame[10..]).unwrap();
    let receiver = started(opened.remove(0), Work::default(), &notes);
    until_true("it is handled", || counts(&receiver).handled == 1);
    receiver.stop();
    assert_eq!(notes.samples(), 1);
}

#[test]
fn one_connection_too_many_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut listen = unix_listen(directory.path());
    listen.stream.connections_max = 1;
    let (receiver, first, notes) = with_connection(listen, &framed(&line(1)));
    until_true("it is connected", || counts(&receiver).connections == 1);
    let path = directory.path().join("socket");
    let mut second = UnixStream::connect(&path).unwrap();
    assert_eq!(second.read(&mut [0]).unwrap(), 0);
    until_true("it is counted", || {
        counts(&receiver).connections_refused == 1
    });
    drop(first);
    // Its place is free as soon as the agent has seen it go.
    until_true("another one may come", || {
        let mut third = UnixStream::connect(&path).unwrap();
        let _ = third.write_all(&framed(&line(3)));
        until_true("it is taken or refused", || {
            let counts = counts(&receiver);
            counts.connections + counts.connections_refused >= 3
        });
        counts(&receiver).connections >= 2
    });
    until_true("it is handled", || counts(&receiver).handled >= 2);
    receiver.stop();
    assert!(notes.samples() >= 2);
}

#[test]
fn a_silent_connection_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let mut listen = unix_listen(directory.path());
    listen.stream.idle = Duration::ZERO;
    let (receiver, mut connection, _) = with_connection(listen, &framed(&line(1))[..6]);
    until_true("it is counted", || counts(&receiver).connections_idle == 1);
    assert!(matches!(connection.read(&mut [0]), Ok(0) | Err(_)));
    receiver.stop();
}

fn lines_listen(directory: &Path) -> Listen {
    Listen {
        protocol: Protocol::Statsd,
        ..unix_listen(directory)
    }
}

/// Lines one behind the other, in pieces that have nothing to do with them; the last one ends with the stream.
fn send_many_lines(connection: impl Write) {
    let mut stream = Vec::new();
    for number in 0..MANY {
        stream.extend(line(number));
        stream.extend(if number % 2 == 0 { &b"\n"[..] } else { b"\r\n" });
    }
    stream.truncate(stream.len() - 2);
    send_in_pieces(connection, &stream);
}

#[test]
fn lines_over_both_kinds_of_streams_arrive_and_so_do_frames_beside_them() {
    for work in [
        Work::default(),
        Work {
            full_wait: PATIENCE,
            ..workers(2)
        },
    ] {
        let directory = tempfile::tempdir().unwrap();
        let notes = Notes::default();
        let receiver = started(opened(lines_listen(directory.path())), work, &notes);
        let path = directory.path().join("socket");
        send_many_lines(UnixStream::connect(&path).unwrap());
        let mut frames = UnixStream::connect(&path).unwrap();
        frames.write_all(&framed(&line(1))).unwrap();
        // What its client has sent to the end is received when the agent stops, too.
        let counted = Arc::clone(receiver.opened()[0].counts());
        until_true("both are connected", || counts(&receiver).connections == 2);
        receiver.stop();
        adds_up(&counted.now());
        assert_eq!(counted.now().frames_broken_off, 0);
        assert_eq!(
            (notes.samples(), notes.seen.lock().unwrap().malformed),
            (MANY + 1, 0)
        );

        let notes = Notes::default();
        let opened = opened(Listen::new("tcp", tcp(), Protocol::Statsd));
        let address = opened.local_address().unwrap();
        let receiver = started(opened, work, &notes);
        send_many_lines(TcpStream::connect(address).unwrap());
        until_true("all is stored", || notes.samples() == MANY);
        receiver.stop();
        assert_eq!(notes.seen.lock().unwrap().malformed, 0);
    }
}

#[test]
fn a_line_that_is_too_long_is_counted_and_its_connection_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let mut stream = b"first:1|c\n".to_vec();
    stream.extend(vec![b'x'; 100_000]);
    stream.extend(b"\nlast:1|c\n");
    let (receiver, _connection, notes) = with_connection(lines_listen(directory.path()), &stream);
    until_true("what follows is handled", || notes.samples() == 2);
    until_true("it is counted", || counts(&receiver).lines_too_long == 1);
    assert_eq!(counts(&receiver).frames_too_long, 0);
    receiver.stop();
}

#[test]
fn half_a_line_of_who_is_still_there_is_counted_and_not_taken_for_a_whole_one() {
    let directory = tempfile::tempdir().unwrap();
    // `x:12|ms` could come of it.
    let (receiver, _connection, notes) =
        with_connection(lines_listen(directory.path()), b"first:1|c\nx:1|ms");
    let counted = Arc::clone(receiver.opened()[0].counts());
    until_true("it is connected", || counts(&receiver).connections == 1);
    receiver.stop();
    assert_eq!((notes.samples(), counted.now().frames_broken_off), (1, 1));
}

#[test]
fn lines_are_read_where_they_are_configured_whatever_they_begin_with() {
    let directory = tempfile::tempdir().unwrap();
    let listen = Listen {
        framing: Framing::Lines,
        ..unix_listen(directory.path())
    };
    // Taken for a length, these would be a frame of seven bytes; msgpack's first byte makes no point of a line.
    let (receiver, connection, notes) =
        with_connection(listen, b"\x07\0\0\0\na:1|c\n\xdc\xa9:1|c\nb:1|c");
    drop(connection);
    until_true("the last line is handled", || notes.samples() == 3);
    receiver.stop();
    assert_eq!(notes.seen.lock().unwrap().malformed, 1);
}
