//! Connections that are woken together, and sides that break what wakes them.

use super::{kind, patient, small};
use crate::hello::{
    Answer, HAS_NO_PAIR, HELLO_BYTES, MAPPED, UNMAPPED, hello, send_hello, word_of,
};
use crate::layout::{PAGE_BYTES, SEATS, Written};
use crate::page::Page;
use crate::socket::{ROUNDS_MAX, receive, socket_pair, transmit, wait};
use crate::{Connection, News, Options, Pairs, SMALLEST_RING, Server, connect, connect_in, memfd};
use rustix::event::{PollFlags, Timespec};
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixListener;
use std::thread;

/// Both sides of connections in pairs, and their loops.
pub(super) struct Sides {
    pub(super) server: Server,
    /// Loops of the client and of the server.
    pub(super) loops: [Pairs; 2],
    directory: tempfile::TempDir,
    listener: UnixListener,
}

impl Sides {
    pub(super) fn new() -> Self {
        Self::of(small())
    }

    fn of(server: Server) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(directory.path().join("s")).unwrap();
        Self {
            server,
            loops: [(); 2].map(|()| Pairs::new().unwrap()),
            directory,
            listener,
        }
    }

    /// Makes a connection with a key, whose first byte is read.
    pub(super) fn connected(&self, key: u64) -> [Connection; 2] {
        let path = self.directory.path().join("s");
        thread::scope(|scope| {
            let client = scope.spawn(|| {
                let mut client = connect_in(&path, &patient(), &self.loops[0], key).unwrap();
                client.write_all(b"x").unwrap();
                client
            });
            let accepted = self.listener.accept().unwrap().0;
            let mut server = self.server.answer_in(accepted, &self.loops[1], key);
            read_first(&mut server);
            // The server may have waited for that byte, and has read it without being told.
            taken(&self.loops[1]);
            [client.join().unwrap(), server]
        })
    }
}

/// Reads the first byte of a server's connection.
fn read_first(server: &mut Connection) {
    loop {
        if !server.is_settled() {
            wait(server.read_descriptor(), PollFlags::IN, None).unwrap();
        }
        match server.read(&mut [0]) {
            Ok(count) => return assert_eq!(count, 1),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        thread::yield_now();
    }
}

/// Waits until a server's connection, over which nothing comes yet, is told what it is.
fn settle(server: &mut Connection) {
    while !server.is_settled() {
        wait(server.read_descriptor(), PollFlags::IN, None).unwrap();
        assert_eq!(kind(server.read(&mut [0])), BLOCKS);
    }
}

pub(super) fn taken(pairs: &Pairs) -> Vec<News> {
    let mut news = Vec::new();
    pairs.take(&mut news);
    news
}

fn is_woken(pairs: &Pairs) -> bool {
    wait(
        pairs.descriptor(),
        PollFlags::IN,
        Some(&Timespec::default()),
    )
    .unwrap()
}

pub(super) const BLOCKS: Option<ErrorKind> = Some(ErrorKind::WouldBlock);

fn read(key: u64) -> News {
    News {
        key,
        may_read: true,
        may_write: false,
    }
}

#[test]
fn connections_of_a_loop_are_woken_once_for_all_that_has_come() {
    let sides = Sides::new();
    let mut all: Vec<_> = (0..3).map(|key| sides.connected(key)).collect();
    let [_, of_server] = &sides.loops;
    for [client, server] in &mut all {
        assert!(client.is_paired() && server.is_paired());
        assert_eq!(kind(server.read(&mut [0])), BLOCKS);
    }
    assert_eq!(taken(of_server), []);
    assert!(!is_woken(of_server));
    for [client, _] in &mut all[..2] {
        assert_eq!(client.write(b"text").unwrap(), 4);
    }
    assert!(is_woken(of_server) && of_server.has_news());
    assert_eq!(taken(of_server), [read(0), read(1)]);
    assert_eq!(taken(of_server), []);
    assert!(!is_woken(of_server), "one ring was for both");
    // Only who would have blocked is told.
    assert_eq!(all[0][0].write(b"more").unwrap(), 4);
    assert_eq!(taken(of_server), []);
    assert_eq!(all[0][1].read(&mut [0; 100]).unwrap(), 8);
}

#[test]
fn a_writer_of_a_pair_is_told_of_room() {
    let sides = Sides::new();
    let [mut client, mut server] = sides.connected(7);
    let mut much = vec![0; 2 * SMALLEST_RING];
    assert_eq!(client.write(&much).unwrap(), SMALLEST_RING);
    assert_eq!(kind(client.write(&much)), BLOCKS);
    assert_eq!(taken(&sides.loops[0]), []);
    assert_eq!(server.read(&mut much).unwrap(), SMALLEST_RING);
    assert!(is_woken(&sides.loops[0]));
    let room = News {
        key: 7,
        may_read: false,
        may_write: true,
    };
    assert_eq!(taken(&sides.loops[0]), [room]);
    assert_eq!(client.write(&much).unwrap(), SMALLEST_RING);
}

#[test]
fn an_end_is_told_after_what_was_written() {
    let sides = Sides::new();
    for half in [true, false] {
        let [mut client, mut server] = sides.connected(1);
        let mut into = [0; 64];
        assert_eq!(kind(server.read(&mut into)), BLOCKS);
        client.write_all(b"last words").unwrap();
        if half {
            client.close_write();
        } else {
            drop(client);
        }
        let news = taken(&sides.loops[1]);
        assert!(news.iter().any(|news| news.may_read), "{news:?}");
        assert_eq!(server.read(&mut into).unwrap(), 10);
        assert_eq!(server.read(&mut into).unwrap(), 0);
    }
}

#[test]
fn the_end_of_a_bell_ends_all_connections_of_its_pair_once() {
    let sides = Sides::new();
    let mut all: Vec<_> = (0..2).map(|key| sides.connected(key)).collect();
    for [client, server] in &mut all {
        client.write_all(b"text").unwrap();
        assert_eq!(server.read(&mut [0; 4]).unwrap(), 4);
        assert_eq!(kind(server.read(&mut [0])), BLOCKS);
        client.write_all(b"last").unwrap();
    }
    let pair = sides.loops[0]
        .known()
        .with_server(&sides.directory.path().join("s"));
    rustix::net::shutdown(pair.as_ref().unwrap().bell(), rustix::net::Shutdown::Both).unwrap();
    let both = |news: &News| news.may_read && news.may_write;
    // What was posted before comes first.
    while !taken(&sides.loops[1]).iter().all(both) {}
    assert_eq!(taken(&sides.loops[1]), []);
    assert!(!is_woken(&sides.loops[1]), "it would let nobody sleep");
    for [_, server] in &mut all {
        assert_eq!(server.read(&mut [0; 64]).unwrap(), 4);
        assert_eq!(server.read(&mut [0; 64]).unwrap(), 0);
    }
    let [client, server] = sides.connected(5);
    assert!(
        client.is_paired() && server.is_paired(),
        "the next one has a new pair"
    );
}

#[test]
fn no_wake_up_is_lost_where_loops_wake_each_other_in_turn() {
    const ROUND_TRIPS: u64 = 10_000;
    let sides = Sides::new();
    let all: Vec<_> = (0..3).map(|key| sides.connected(key)).collect();
    let (mut clients, mut servers): (Vec<_>, Vec<_>) = all
        .into_iter()
        .map(|[client, server]| (client, server))
        .unzip();
    thread::scope(|scope| {
        scope.spawn(|| pass_on(&sides.loops[1], &mut servers, ROUND_TRIPS));
        for client in &mut clients {
            client.write_all(b"t").unwrap();
        }
        pass_on(&sides.loops[0], &mut clients, ROUND_TRIPS);
    });
}

/// Sends each byte on that comes, so many of each connection, and sleeps whenever nothing is there.
fn pass_on(pairs: &Pairs, connections: &mut [Connection], most: u64) {
    let patience = Timespec::try_from(patient().patience).unwrap();
    let mut left = vec![most; connections.len()];
    // A connection has news once a read of it would have blocked.
    let mut keys: Vec<usize> = (0..connections.len()).collect();
    let mut news = Vec::new();
    while left.iter().any(|left| *left > 0) {
        for key in keys.drain(..) {
            while let Ok(count @ 1..) = connections[key].read(&mut [0]) {
                left[key] = left[key].saturating_sub(count as u64);
                connections[key].write_all(b"t").unwrap();
            }
        }
        pairs.take(&mut news);
        keys.extend(news.iter().map(|news| news.key as usize));
        if keys.is_empty() && left.iter().any(|left| *left > 0) {
            let is_woken = wait(pairs.descriptor(), PollFlags::IN, Some(&patience)).unwrap();
            assert!(is_woken, "a wake-up was lost");
        }
    }
}

#[test]
fn a_pair_ends_with_its_last_connection() {
    let sides = Sides::new();
    let path = sides.directory.path().join("s");
    let all: Vec<_> = (0..2).map(|key| sides.connected(key)).collect();
    let pair = || sides.loops[0].known().with_server(&path);
    let token = pair().unwrap().token();
    let [_, second] = <[[Connection; 2]; 2]>::try_from(all).ok().unwrap();
    assert_eq!(pair().unwrap().token(), token);
    let [client, server] = second;
    drop(client);
    assert!(pair().is_none());
    taken(&sides.loops[1]);
    drop(server);
    assert_eq!(sides.server.open_segments(), 0);
}

#[test]
fn a_pair_whose_seats_are_taken_is_followed_by_another() {
    let sides = Sides::of(Server::new(
        Options {
            ring_bytes: SMALLEST_RING,
            ..Options::default()
        },
        SEATS + 2,
    ));
    let mut all: Vec<_> = (0..SEATS as u64 + 2)
        .map(|key| sides.connected(key))
        .collect();
    for [client, server] in &mut all {
        assert!(client.is_paired());
        assert_eq!(kind(server.read(&mut [0])), BLOCKS);
    }
    assert_eq!(taken(&sides.loops[1]), []);
    for [client, _] in &mut all {
        client.write_all(b"t").unwrap();
    }
    assert_eq!(taken(&sides.loops[1]).len(), all.len());
}

#[test]
fn a_paired_connection_is_not_waited_for_by_itself() {
    let sides = Sides::new();
    let [client, _server] = sides.connected(1);
    assert_eq!(kind(client.wait_for_bytes()), Some(ErrorKind::Unsupported));
    assert_eq!(kind(client.wait_for_room()), Some(ErrorKind::Unsupported));
}

#[test]
fn who_knows_no_pairs_is_woken_for_itself() {
    let sides = Sides::new();
    let path = sides.directory.path().join("s");
    thread::scope(|scope| {
        let client = scope.spawn(|| connect(&path, &patient()).unwrap());
        let accepted = sides.listener.accept().unwrap().0;
        let mut server = sides.server.answer_in(accepted, &sides.loops[1], 1);
        settle(&mut server);
        let mut client = client.join().unwrap();
        client.write_all(b"x").unwrap();
        assert_eq!(server.read_waiting(&mut [0]).unwrap(), 1);
        assert!(client.is_shared() && !client.is_paired() && !server.is_paired());
        let client = scope.spawn(|| connect_in(&path, &patient(), &sides.loops[0], 1).unwrap());
        let mut server = sides.server.answer(sides.listener.accept().unwrap().0);
        settle(&mut server);
        let client = client.join().unwrap();
        assert!(client.is_shared() && !client.is_paired());
    });
}

#[test]
fn rings_without_notices_are_taken_and_do_not_keep_the_loop() {
    let sides = Sides::new();
    let [_client, _server] = sides.connected(1);
    let path = sides.directory.path().join("s");
    let pair = sides.loops[0].known().with_server(&path).unwrap();
    let many = vec![0; 64 * ROUNDS_MAX + 1];
    assert_eq!(transmit(pair.bell(), &many), Ok(many.len()));
    assert_eq!(taken(&sides.loops[1]), []);
    assert!(is_woken(&sides.loops[1]), "what is left lets nobody sleep");
    assert_eq!(taken(&sides.loops[1]), []);
    assert!(!is_woken(&sides.loops[1]));
}

/// What a server sends to a client that asks for a pair: a page and a bell.
struct Sent {
    _page: Option<Page>,
    files: [OwnedFd; 2],
}

fn sent((page, file): (Option<Page>, OwnedFd), bell: OwnedFd) -> Option<Sent> {
    Some(Sent {
        _page: page,
        files: [file, bell],
    })
}

#[test]
fn a_client_takes_no_seat_that_is_none_and_no_page_that_is_none() {
    let page = || {
        let (page, file) = Page::create(5).unwrap();
        (Some(page), file)
    };
    let bell = || socket_pair().unwrap().0;
    let memory = |bytes| (None, memfd::create(bytes).unwrap());
    let null = || std::fs::File::open("/dev/null").unwrap().into();
    let cases = [
        ("as it should be", Some(0), sent(page(), bell()), true),
        ("no pair", None, None, true),
        ("a seat without a pair", Some(0), None, false),
        ("a pair without a seat", None, sent(page(), bell()), false),
        (
            "a seat that is none",
            Some(SEATS),
            sent(page(), bell()),
            false,
        ),
        ("no page", Some(0), sent(memory(PAGE_BYTES), bell()), false),
        (
            "another size",
            Some(0),
            sent(memory(PAGE_BYTES * 2), bell()),
            false,
        ),
        ("a bell that is none", Some(0), sent(page(), null()), false),
    ];
    for (name, seat, of_pair, is_taken) in cases {
        let sides = Sides::new();
        let path = sides.directory.path().join("s");
        thread::scope(|scope| {
            let client = scope.spawn(|| connect_in(&path, &patient(), &sides.loops[0], 1));
            let accepted = sides.listener.accept().unwrap().0;
            wait(accepted.as_fd(), PollFlags::IN, None).unwrap();
            let mut asking = [0; HELLO_BYTES];
            receive(accepted.as_fd(), &mut asking).unwrap();
            assert_eq!(word_of(asking), HAS_NO_PAIR);
            let (_, file) = crate::segment::create(SMALLEST_RING, Written::ByServer).unwrap();
            let (_ours, space) = socket_pair().unwrap();
            let mut files = vec![file.as_fd(), space.as_fd()];
            let of_pair = of_pair.iter().flat_map(|sent| &sent.files);
            files.extend(of_pair.map(AsFd::as_fd));
            let answer = Answer {
                ring_bytes: SMALLEST_RING as u64,
                seat,
            };
            send_hello(accepted.as_fd(), hello(answer.word()), &files).unwrap();
            let mut word = [7];
            wait(accepted.as_fd(), PollFlags::IN, None).unwrap();
            receive(accepted.as_fd(), &mut word).unwrap();
            let made = client.join().unwrap().unwrap();
            let expected = if is_taken { MAPPED } else { UNMAPPED };
            assert_eq!(word[0], expected, "{name}");
            assert_eq!(made.is_shared(), is_taken, "{name}");
        });
    }
}
