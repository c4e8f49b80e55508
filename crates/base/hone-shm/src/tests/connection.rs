//! What goes over shared connections, when a side would block and is woken, and how connections end.

use super::{connected, kind, patient, small};
use crate::socket::wait;
use crate::{Readiness, SMALLEST_RING};
use rustix::event::{PollFlags, Timespec};
use std::io::{ErrorKind, Read, Write};
use std::os::fd::BorrowedFd;

fn is_woken(descriptor: BorrowedFd<'_>) -> bool {
    wait(descriptor, PollFlags::IN, Some(&Timespec::default())).unwrap()
}

/// The count of a read or write, or 0 where it would block.
fn count(result: std::io::Result<usize>) -> usize {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        result => result.unwrap(),
    }
}

#[test]
fn bytes_come_in_their_order_whatever_the_sizes() {
    let (mut client, mut server) = connected(&small(), &patient());
    assert!(client.is_shared() && server.is_shared());
    let byte = |position: usize| (position.wrapping_mul(7) >> 3) as u8;
    let (mut sent, mut received, mut step) = (0, 0, 1_usize);
    let mut into = vec![0; 100_000];
    while received < 10_000_000 {
        step = step.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let size = 1 + (step >> 33) % 100_000;
        let piece: Vec<u8> = (sent..sent + size).map(byte).collect();
        sent += count(client.write(&piece));
        let size = 1 + (step >> 40) % 100_000;
        let got = count(server.read(&mut into[..size]));
        assert!(
            into[..got]
                .iter()
                .copied()
                .eq((received..received + got).map(byte))
        );
        received += got;
    }
}

#[test]
fn a_reader_would_block_and_is_woken_when_bytes_come() {
    let (mut client, mut server) = connected(&small(), &patient());
    let mut into = [0; 8];
    assert!(!server.has_bytes());
    assert_eq!(kind(server.read(&mut into)), Some(ErrorKind::WouldBlock));
    assert!(!is_woken(server.read_descriptor()));
    assert_eq!(client.write(b"text").unwrap(), 4);
    assert!(server.has_bytes());
    assert!(is_woken(server.read_descriptor()));
    assert_eq!(server.read(&mut into).unwrap(), 4);
    assert_eq!(kind(server.read(&mut into)), Some(ErrorKind::WouldBlock));
    assert!(!is_woken(server.read_descriptor()));
}

#[test]
fn a_writer_fills_a_ring_and_is_woken_once_a_quarter_is_free() {
    let (mut client, mut server) = connected(&small(), &patient());
    let mut much = vec![0; 2 * SMALLEST_RING];
    assert_eq!(client.write(&much).unwrap(), SMALLEST_RING);
    assert_eq!(kind(client.write(&much)), Some(ErrorKind::WouldBlock));
    assert_eq!(client.write_descriptor().1, Readiness::Readable);
    server
        .read_exact(&mut much[..SMALLEST_RING / 4 - 1])
        .unwrap();
    assert!(!is_woken(client.write_descriptor().0));
    server.read_exact(&mut much[..1]).unwrap();
    assert!(is_woken(client.write_descriptor().0));
    assert_eq!(client.write(&much).unwrap(), SMALLEST_RING / 4);
}

#[test]
fn writers_and_readers_work_in_place() {
    let (mut client, mut server) = connected(&small(), &patient());
    let mut room = client.room().unwrap();
    assert_eq!(room.len(), SMALLEST_RING);
    assert_eq!(room.put(3, b"place"), 5);
    assert_eq!(room.put(0, b"in "), 3);
    assert_eq!(room.put(SMALLEST_RING - 1, b"more"), 1);
    assert_eq!(room.put(SMALLEST_RING + 1, b"more"), 0);
    assert_eq!(kind(server.unread()), Some(ErrorKind::WouldBlock));
    client.room().unwrap().hand_over(8);
    let unread = server.unread().unwrap();
    let mut into = [0; 10];
    assert_eq!((unread.len(), unread.copy(0, &mut into)), (8, 8));
    assert_eq!(&into[..8], b"in place");
    assert_eq!(unread.copy(3, &mut into), 5);
    assert_eq!(unread.copy(9, &mut into), 0);
    unread.give_back(3);
    assert_eq!(server.unread().unwrap().len(), 5);
}

#[test]
fn what_was_written_before_half_of_it_was_closed_is_read_and_answered() {
    let (mut client, mut server) = connected(&small(), &patient());
    client.write_waiting(b"last words").unwrap();
    client.close_write();
    assert_eq!(kind(client.write(b"more")), Some(ErrorKind::BrokenPipe));
    assert_eq!(kind(client.room()), Some(ErrorKind::BrokenPipe));
    let mut into = [0; 64];
    assert_eq!(server.read(&mut into).unwrap(), 10);
    assert_eq!(server.read(&mut into).unwrap(), 0);
    assert!(server.unread().unwrap().is_empty());
    assert_eq!(server.write(b"answer").unwrap(), 6);
    assert_eq!(client.read_waiting(&mut into).unwrap(), 6);
}

#[test]
fn a_connection_that_is_dropped_ends_for_both_sides_and_gives_its_memory_back() {
    let server = small();
    let (mut client, mut answering) = connected(&server, &patient());
    assert_eq!(server.open_segments(), 1);
    client.write_waiting(b"last words").unwrap();
    drop(client);
    let mut much = vec![0; 2 * SMALLEST_RING];
    assert_eq!(answering.read(&mut much).unwrap(), 10);
    assert_eq!(answering.read(&mut much).unwrap(), 0);
    assert_eq!(
        kind(answering.write_waiting(&much)),
        Some(ErrorKind::BrokenPipe)
    );
    drop(answering);
    assert_eq!(server.open_segments(), 0);
}
