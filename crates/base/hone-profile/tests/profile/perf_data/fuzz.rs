//! Any bytes at all: the reader must neither panic nor hand out a handle that leads nowhere.

use super::raw::{
    COMPRESSED, FIELDS, event, file, finish, mapping, mmap, pair, pipe, record, sample, words,
    writer,
};
use hone_profile::fuzz::read_perf_data;
use hone_profile::perf_data::{EventDescription, sample_type};
use testkit::arbitrary::{Result, Unstructured};
use testkit::{by_chance, by_chance_of};

/// Valid files of different shapes, to be damaged.
fn seeds() -> Vec<Vec<u8>> {
    let fields = FIELDS | sample_type::CALLCHAIN | sample_type::BRANCH_STACK;
    let rest = [2, 0x1010, 0x1020, 1, 0x1030, 0x1040, 1];
    let samples: Vec<_> = (0..4)
        .map(|i| sample(2, 0x1000, 7, 100 + i, &rest))
        .collect();
    let named = EventDescription {
        ids: vec![1, 2],
        ..event(fields)
    };

    let mut all_records = writer(vec![named.clone(), event(fields)]);
    all_records.comm(7, 7, "name", true, 1).expect("a record");
    all_records
        .mmap2(&mapping(7, 0x1000, 0x1000, "/code", 2))
        .expect("a record");
    all_records.fork((8, 8), (7, 7), 3).expect("a record");
    all_records.lost(1, 5, 4).expect("a record");
    for sample in &samples {
        all_records.raw(sample).expect("a record");
    }
    let mut copying = event(fields | sample_type::REGS_USER | sample_type::STACK_USER);
    copying.attr[80..88].copy_from_slice(&0x1c0_u64.to_le_bytes());
    let copies = [2, 1, 2, 3, 16, 0x1010, 0x1020, 16];
    let copied: Vec<_> = (0..4)
        .map(|i| sample(2, 0x1000, 7, 200 + i, &[&rest[..], &copies].concat()))
        .collect();
    let packed = zstd::encode_all(&samples.concat()[..], 1).expect("room in memory");
    let map = mmap(2, 7, (0x1000, 0x1000, 0), "/code", 0);
    let lost = record(13, 0, &words(&[4, pair(1, 1), 0]));
    let records = [vec![map, lost, record(COMPRESSED, 0, &packed)], samples].concat();
    vec![
        finish(all_records),
        file(event(fields), &records),
        pipe(std::slice::from_ref(&named), &records),
        pipe(&[named.clone(), named], &records),
        file(copying, &copied),
    ]
}

/// Numbers that sit at the edges of what lengths and positions can be.
const EDGES: [u64; 10] = [
    0,
    1,
    7,
    8,
    16,
    0xffff,
    0xffff_ffff,
    1 << 63,
    u64::MAX - 7,
    u64::MAX,
];

/// Damages a file in a few places.
fn mutate(bytes: &mut Vec<u8>, u: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=6)? {
        if bytes.is_empty() {
            return Ok(());
        }
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=4)? {
            0 => bytes[at] = u.arbitrary()?,
            1 => {
                let value = u.choose(&EDGES)?.to_le_bytes();
                let width = *u.choose(&[2, 4, 8])?;
                let at = at & !(width - 1);
                for (to, from) in bytes.iter_mut().skip(at).take(width).zip(value) {
                    *to = from;
                }
            }
            2 => bytes.truncate(at),
            3 => {
                let end = (at + u.int_in_range(1..=64)?).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let from = u.choose_index(bytes.len())?;
                let piece = bytes[from..(from + 64).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    Ok(())
}

#[test]
fn damaged_recordings() {
    let seeds = seeds();
    seeds.iter().for_each(|seed| read_perf_data(seed));
    by_chance_of(256, |u| {
        let mut bytes = u.choose(&seeds)?.clone();
        mutate(&mut bytes, u)?;
        read_perf_data(&bytes);
        Ok(())
    });
}

#[test]
fn arbitrary_bytes_after_a_valid_start() {
    let starts = [
        b"PERFILE2".to_vec(),
        pipe(&[event(FIELDS | sample_type::BRANCH_STACK)], &[]),
        file(event(FIELDS | sample_type::CALLCHAIN), &[])[..240].to_vec(),
        vec![],
    ];
    by_chance(|u| {
        let start = u.choose(&starts)?;
        let bytes = [start, u.bytes(u.len())?].concat();
        read_perf_data(&bytes);
        Ok(())
    });
}
