//! A side that writes into the segment what cannot be, or wakes the other one without a reason.

use super::{kind, small};
use crate::hello::{Answer, HELLO_BYTES, KNOWS_NO_PAIRS, MAPPED, hello, receive_hello, word_of};
use crate::layout::{HEAD_AT, TAIL_AT, Written};
use crate::memory::Mapping;
use crate::socket::{Wakes, receive, take_wakes, transmit};
use crate::{Connection, SMALLEST_RING, Server};
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering::SeqCst;

/// A client that writes into the segment as it likes.
struct Breaker {
    peer: Connection,
    socket: UnixStream,
    space: OwnedFd,
    mapping: Mapping,
}

impl Breaker {
    fn of(server: &Server) -> Self {
        let (socket, theirs) = UnixStream::pair().unwrap();
        let mut peer = server.answer(theirs);
        transmit(socket.as_fd(), &hello(KNOWS_NO_PAIRS)).unwrap();
        assert_eq!(kind(peer.read(&mut [0])), Some(ErrorKind::WouldBlock));
        let mut answer = [0; HELLO_BYTES];
        let mut files = Vec::new();
        receive_hello(socket.as_fd(), &mut answer, &mut files).unwrap();
        let [file, space] = <[OwnedFd; 2]>::try_from(files).unwrap();
        let mapping = Mapping::of(
            file.as_fd(),
            Answer::of_word(word_of(answer)).ring_bytes as usize,
        )
        .unwrap();
        transmit(socket.as_fd(), &[MAPPED]).unwrap();
        assert_eq!(kind(peer.read(&mut [0])), Some(ErrorKind::WouldBlock));
        assert!(peer.is_shared());
        Self {
            peer,
            socket,
            space,
            mapping,
        }
    }

    fn store(&self, ring: Written, at: usize, value: u64) {
        self.mapping
            .word64(ring.control_at() + at)
            .store(value, SeqCst);
    }
}

#[test]
fn a_broken_ring_ends_the_connection_of_its_reader() {
    let server = small();
    for head in [SMALLEST_RING as u64 + 1, u64::MAX] {
        let mut breaker = Breaker::of(&server);
        breaker.store(Written::ByClient, HEAD_AT, head);
        let mut into = [0; 256];
        let broken = Some(ErrorKind::InvalidData);
        assert_eq!(kind(breaker.peer.read(&mut into)), broken);
        breaker.store(Written::ByClient, HEAD_AT, 1);
        assert_eq!(
            kind(breaker.peer.read(&mut into)),
            broken,
            "it was mended later"
        );
        assert_eq!(kind(breaker.peer.write(b"text")), broken);
        assert_eq!(receive(breaker.socket.as_fd(), &mut into), Ok(0));
    }
}

#[test]
fn a_broken_ring_ends_the_connection_of_its_writer() {
    let mut breaker = Breaker::of(&small());
    breaker.store(Written::ByServer, TAIL_AT, 1);
    assert_eq!(
        kind(breaker.peer.write(b"text")),
        Some(ErrorKind::InvalidData)
    );
    assert_eq!(take_wakes(breaker.space.as_fd()), Wakes::End);
}

#[test]
fn wake_ups_without_a_reason_keep_nobody() {
    let mut breaker = Breaker::of(&small());
    let many = vec![0; 1 << 16];
    assert!(transmit(breaker.socket.as_fd(), &many).unwrap() > 4096);
    assert!(transmit(breaker.space.as_fd(), &many).unwrap() > 4096);
    let mut into = vec![0; 2 * SMALLEST_RING];
    assert_eq!(
        kind(breaker.peer.read(&mut into)),
        Some(ErrorKind::WouldBlock)
    );
    // What is left must not be slept over.
    breaker.peer.wait_for_bytes().unwrap();
    assert_eq!(breaker.peer.write(&into).unwrap(), SMALLEST_RING);
    assert_eq!(kind(breaker.peer.write(&into)), Some(ErrorKind::WouldBlock));
    breaker.peer.wait_for_room().unwrap();
}

#[test]
fn memory_of_a_connection_that_has_ended_counts_until_its_client_lets_go_and_is_taken_away() {
    let server = small();
    let Breaker {
        mut peer,
        space,
        mapping,
        socket: _socket,
    } = Breaker::of(&server);
    let head = || {
        mapping
            .word64(Written::ByServer.control_at() + HEAD_AT)
            .load(SeqCst)
    };
    peer.write_waiting(b"last words").unwrap();
    drop(peer);
    assert_eq!(server.open_segments(), 1);
    assert_eq!(head(), 10, "what was written before the end can be read");
    drop(space);
    assert_eq!(server.open_segments(), 0);
    assert_eq!(head(), 0);
}

#[test]
fn anything_in_the_segment_leaves_bytes_within_the_rings_and_ends_in_an_error() {
    let server = small();
    let mut some = vec![0; SMALLEST_RING];
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed >> 33
    };
    for _ in 0..200 {
        let mut breaker = Breaker::of(&server);
        let last = (0..10_000).find_map(|_| {
            let ring = [Written::ByClient, Written::ByServer][random() as usize % 2];
            let at = random() as usize % 4 * 128;
            let word = breaker.mapping.word64(ring.control_at() + at);
            // Mostly what could be, so that the connection lives for some time.
            let near = word.load(SeqCst).wrapping_add(random() % 100);
            word.store(
                if random() % 50 == 0 {
                    random() << 20
                } else {
                    near
                },
                SeqCst,
            );
            let size = 1 + random() as usize % some.len();
            let came = if random() % 2 == 0 {
                breaker.peer.read(&mut some[..size])
            } else {
                breaker.peer.write(&some[..size])
            };
            kind(came).filter(|kind| *kind != ErrorKind::WouldBlock)
        });
        assert_eq!(last, Some(ErrorKind::InvalidData));
    }
}
