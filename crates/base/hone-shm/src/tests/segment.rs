//! Segments that are made, and those of others that are refused.

use crate::layout::{Written, file_bytes};
use crate::segment::{create, map};
use crate::{LARGEST_RING, SMALLEST_RING};
use rustix::fs::{MemfdFlags, SealFlags};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::fd::{AsFd, OwnedFd};

#[test]
fn what_lies_across_the_end_of_a_ring_is_in_one_piece() {
    let (mut server, file) = create(SMALLEST_RING, Written::ByServer).unwrap();
    let mut client = map(file.as_fd(), SMALLEST_RING as u64, Written::ByClient).unwrap();
    server.out.wrote(SMALLEST_RING - 2);
    client.incoming.read(SMALLEST_RING - 2);
    server.out.put(0, b"across");
    server.out.wrote(6);
    assert_eq!(client.incoming.unread(), Ok(6));
    let mut into = [0; 6];
    client.incoming.copy(0, &mut into);
    assert_eq!(&into, b"across");
}

#[test]
fn capacities_that_are_none_of_a_ring_are_refused() {
    for capacity in [0, SMALLEST_RING / 2, SMALLEST_RING + 1, LARGEST_RING * 2] {
        let made = create(capacity, Written::ByServer);
        assert_eq!(made.err().unwrap().kind(), ErrorKind::InvalidInput);
        let file = File::open("/dev/null").unwrap();
        let mapped = map(file.as_fd(), capacity as u64, Written::ByClient);
        assert_eq!(mapped.err().unwrap().kind(), ErrorKind::InvalidData);
    }
}

/// A file of the other side's, with a size, seals, and the first words of its header.
fn file_of(bytes: usize, seals: SealFlags, magic: &[u8; 8], capacity: usize) -> OwnedFd {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(rustix::fs::memfd_create("test", flags).unwrap());
    file.write_all(magic).unwrap();
    file.write_all(&(capacity as u64).to_ne_bytes()).unwrap();
    file.set_len(bytes as u64).unwrap();
    rustix::fs::fcntl_add_seals(&file, seals).unwrap();
    file.into()
}

#[test]
fn a_segment_that_may_change_its_size_or_has_another_layout_is_refused() {
    let sealed = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    let bytes = file_bytes(SMALLEST_RING);
    let is_mapped =
        |file: OwnedFd| map(file.as_fd(), SMALLEST_RING as u64, Written::ByClient).is_ok();
    let magic = b"HONESHM1";
    assert!(is_mapped(file_of(bytes, sealed, magic, SMALLEST_RING)));
    let shrinks = sealed - SealFlags::SHRINK;
    let grows = sealed - SealFlags::GROW;
    assert!(!is_mapped(file_of(bytes, shrinks, magic, SMALLEST_RING)));
    assert!(!is_mapped(file_of(bytes, grows, magic, SMALLEST_RING)));
    assert!(!is_mapped(file_of(bytes + 1, sealed, magic, SMALLEST_RING)));
    assert!(!is_mapped(file_of(bytes - 1, sealed, magic, SMALLEST_RING)));
    assert!(!is_mapped(file_of(
        bytes,
        sealed,
        b"HONESHM2",
        SMALLEST_RING
    )));
    assert!(!is_mapped(file_of(bytes, sealed, magic, SMALLEST_RING * 2)));
    assert!(!is_mapped(File::open("/dev/null").unwrap().into()));
}
