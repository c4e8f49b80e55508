//! A client that does anything with the memory and the sockets of its connection and of its pair.

use super::kind;
use super::pair::{BLOCKS, Sides, taken};
use crate::hello::{Answer, HAS_NO_PAIR, HELLO_BYTES, MAPPED, hello, receive_hello, word_of};
use crate::layout::{HEADER_BYTES, NOTICE_WORDS, Written};
use crate::memory::Mapping;
use crate::page::Notice;
use crate::socket::{shut_down, transmit};
use crate::{Connection, News, Pairs, SMALLEST_RING, Server};
use rustix::net::Shutdown;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering::SeqCst;
use testkit::arbitrary::{Result, Unstructured};

/// The client.
struct Breaker {
    socket: UnixStream,
    segment: Mapping,
    space: OwnedFd,
    page: Mapping,
    bell: OwnedFd,
}

impl Breaker {
    /// Its server's side has a key.
    fn of(server: &Server, pairs: &Pairs, key: u64) -> (Self, Connection) {
        let (socket, theirs) = UnixStream::pair().unwrap();
        let mut peer = server.answer_in(theirs, pairs, key);
        transmit(socket.as_fd(), &hello(HAS_NO_PAIR)).unwrap();
        assert_eq!(kind(peer.read(&mut [0])), BLOCKS);
        let (mut answer, mut files) = ([0; HELLO_BYTES], Vec::new());
        receive_hello(socket.as_fd(), &mut answer, &mut files).unwrap();
        let ring_bytes = Answer::of_word(word_of(answer)).ring_bytes as usize;
        let [segment, space, page, bell] = <[OwnedFd; 4]>::try_from(files).unwrap();
        let segment = Mapping::of(segment.as_fd(), ring_bytes).unwrap();
        let page = Mapping::of_page(page.as_fd()).unwrap();
        transmit(socket.as_fd(), &[MAPPED]).unwrap();
        assert_eq!(kind(peer.read(&mut [0])), BLOCKS);
        assert!(peer.is_paired());
        let breaker = Self {
            socket,
            segment,
            space,
            page,
            bell,
        };
        (breaker, peer)
    }

    /// Does something that no side should do, or something honest.
    fn act(&self, u: &mut Unstructured<'_>) -> Result<()> {
        let socket = [self.socket.as_fd(), self.space.as_fd(), self.bell.as_fd()];
        let socket = *u.choose(&socket)?;
        let memory = if u.arbitrary()? {
            &self.segment
        } else {
            &self.page
        };
        let word = memory.word64(u.choose_index(HEADER_BYTES / 8)? * 8);
        match u.int_in_range(0..=3)? {
            0 => word.store(u.arbitrary()?, SeqCst),
            // What could be.
            1 => drop(word.fetch_add(u.int_in_range(0..=100)?, SeqCst)),
            // A socket that is full, and one that has ended, take nothing more.
            2 => drop(transmit(socket, &[1; 200][..u.int_in_range(0..=200)?])),
            _ if u.ratio(1, 8)? => {
                let how = [Shutdown::Read, Shutdown::Write, Shutdown::Both];
                shut_down(socket, *u.choose(&how)?);
            }
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn anything_that_a_client_does_harms_no_other_connection_of_the_loop() {
    let sides = Sides::new();
    let [mut client, mut server] = sides.connected(1);
    let mut into = vec![0; 2 * SMALLEST_RING];
    testkit::by_chance_of(1 << 13, |u| {
        let (breaker, mut peer) = Breaker::of(&sides.server, &sides.loops[1], 2);
        while !u.is_empty() {
            breaker.act(u)?;
            let size = u.int_in_range(1..=into.len())?;
            let came = if u.arbitrary()? {
                peer.read(&mut into[..size])
            } else {
                peer.write(&into[..size])
            };
            let allowed = [
                ErrorKind::WouldBlock,
                ErrorKind::InvalidData,
                ErrorKind::BrokenPipe,
            ];
            match came {
                Ok(count) => assert!(count <= size),
                Err(error) => assert!(allowed.contains(&error.kind()), "{error}"),
            }
            assert_eq!(kind(server.read(&mut into)), BLOCKS);
            client.write_all(b"text").unwrap();
            let mut keys: Vec<u64> = Vec::new();
            for _ in 0..2 {
                keys.extend(taken(&sides.loops[1]).iter().map(|news| news.key));
            }
            assert!(keys.contains(&1), "{keys:?}");
            assert!(keys.iter().all(|key| [1, 2].contains(key)), "{keys:?}");
            assert_eq!(server.read(&mut into).unwrap(), 4);
        }
        drop((breaker, peer));
        // What was sent over space is taken bit by bit.
        let mut counts = (0..1_000).map(|_| sides.server.open_segments());
        assert!(counts.any(|count| count == 1));
        Ok(())
    });
}

#[test]
fn notices_of_seats_without_a_connection_are_nothing() {
    let sides = Sides::new();
    let (breaker, _peer) = Breaker::of(&sides.server, &sides.loops[1], 2);
    for word in 0..NOTICE_WORDS {
        let at = Written::ByClient.bits_at(word);
        breaker.page.word64(at).store(u64::MAX, SeqCst);
    }
    let all = News {
        key: 2,
        may_read: true,
        may_write: true,
    };
    assert_eq!(taken(&sides.loops[1]), [all]);
    // The bit that means nothing alone.
    let at = Written::ByClient.bits_at(0);
    breaker
        .page
        .word64(at)
        .store(1 << (Notice::End as u64 + 1), SeqCst);
    assert_eq!(taken(&sides.loops[1]), []);
}
