//! Whatever is merged says the same as before.

use hone_agent::protocol::Parsed;
use hone_agent::protocol::merge::{Batch, Put};
use proptest::prelude::*;

use super::kept::Kept;
use super::mutated::mutated;
use super::sdk::{any_packet, read};

const BARE: &[u8] = b"\x94\xa1c\xa1m\xa11\xa3k=v";
const EMPTY: &[u8] = b"\xdc\0\0";

fn batch_of(count: u8) -> Vec<u8> {
    [&[0x90 | count][..], &BARE.repeat(count.into())].concat()
}

#[test]
fn bare_points_and_batches_in_any_mix_are_one_array() {
    let long_header = [&[0xdd, 0, 0, 0, 2][..], &BARE.repeat(2)].concat();
    let packets = [
        BARE.to_vec(),
        batch_of(3),
        BARE.to_vec(),
        batch_of(0),
        long_header,
    ];
    let mut batch = Batch::new(1000, 100);
    for packet in &packets {
        assert_eq!(batch.put(packet), Put::Taken);
    }
    assert_eq!(
        batch.packet(),
        [&[0xdc, 0, 7][..], &BARE.repeat(7)].concat()
    );
    assert_eq!(batch.points(), 7);
    batch.clear();
    assert!(batch.is_empty());
    assert_eq!(batch.packet(), EMPTY);
}

#[test]
fn a_broken_packet_stays_outside() {
    let mut batch = Batch::new(1000, 100);
    batch.put(BARE);
    let whole = batch_of(2);
    let broken = [
        &b""[..],
        b"\xc0",
        b"m:1|c",
        &whole[..whole.len() - 1],
        &[&whole[..], &[0]].concat(),
        &[0xdd, 0xff, 0xff, 0xff, 0xff],
        &[0x91, 0xdd, 0xff, 0xff, 0xff, 0xff],
        &[0x91, 0xc1],
    ];
    for packet in broken {
        assert_eq!(batch.put(packet), Put::Alone, "{packet:?}");
    }
    assert_eq!(batch.packet(), [&[0xdc, 0, 1][..], BARE].concat());
}

#[test]
fn a_batch_has_room_for_so_much_and_no_more() {
    let two_points = EMPTY.len() + 2 * BARE.len();
    for mut batch in [Batch::new(two_points, 100), Batch::new(1000, 2)] {
        assert_eq!(batch.put(&batch_of(3)), Put::Alone);
        assert_eq!(batch.put(BARE), Put::Taken);
        assert_eq!(batch.put(&batch_of(2)), Put::Full);
        assert_eq!(batch.put(BARE), Put::Taken);
        assert_eq!(batch.put(BARE), Put::Full);
        batch.clear();
        assert_eq!(batch.put(&batch_of(2)), Put::Taken);
    }
    let mut none = Batch::new(0, 0);
    assert_eq!(none.put(BARE), Put::Alone);
}

#[test]
fn a_batch_has_as_many_points_as_its_header_can_say() {
    let mut batch = Batch::new(1 << 20, usize::MAX);
    let point = b"\x91\xc0";
    for _ in 0..u16::MAX {
        assert_eq!(batch.put(point), Put::Taken);
    }
    assert_eq!(batch.put(point), Put::Full);
    assert_eq!(read(batch.packet()).1.malformed, u64::from(u16::MAX));
}

fn add(all: &mut (Vec<Kept>, Parsed), packet: &[u8]) {
    let (samples, parsed) = read(packet);
    all.0.extend(samples);
    all.1.add(parsed);
}

proptest! {
    #[test]
    fn merged_packets_say_what_each_of_them_says(
        packets in prop::collection::vec(mutated(any_packet()), 0..12),
        bytes_max in 0..1500_usize,
        points_max in 0..40_usize,
    ) {
        let (mut each, mut merged) = <((Vec<Kept>, Parsed), (Vec<Kept>, Parsed))>::default();
        let mut batch = Batch::new(bytes_max, points_max);
        for packet in &packets {
            add(&mut each, packet);
            let mut put = batch.put(packet);
            if put != Put::Taken {
                add(&mut merged, batch.packet());
                batch.clear();
                put = batch.put(packet);
                prop_assert_ne!(put, Put::Full);
            }
            if put == Put::Alone {
                add(&mut merged, packet);
            }
            prop_assert!(batch.is_empty() || batch.packet().len() <= bytes_max);
            prop_assert!(batch.points() <= points_max);
        }
        add(&mut merged, batch.packet());
        prop_assert_eq!(each, merged);
    }
}
