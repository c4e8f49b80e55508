//! Tables are read as they were written.

use std::collections::BTreeMap;

use hone_views::NamedFrame;
use proptest::prelude::*;

use super::super::limits::CHUNK_BYTES;
use super::write::{RowFrame, TableWriter};
use super::*;

fn head() -> Head {
    let segment = |offset, svma, executable| Segment {
        offset: FileOffset(offset),
        svma: Svma(svma),
        file_size: 0x1000,
        executable,
    };
    let chunk = |first, start, bytes| ChunkPlace {
        first: Svma(first),
        start,
        bytes,
    };
    Head {
        segments: vec![segment(0x800, 0x10_800, true), segment(0, 0, false)],
        rows: 7,
        chunks: vec![chunk(0x10, 0, 300), chunk(u64::MAX, 300, 5)],
        bytes: 0,
    }
}

#[test]
fn a_head_is_read_as_it_was_written_and_says_how_much_it_needs() {
    let bytes = head().write();
    let Some(HeadRead::Whole(read)) = Head::read(&bytes) else {
        panic!("the head is not whole");
    };
    assert_eq!(read.bytes, bytes.len() as u64);
    assert_eq!(Head { bytes: 0, ..read }, head());
    for end in 0..bytes.len() {
        match Head::read(&bytes[..end]) {
            None => assert!(end < PREFIX_BYTES),
            Some(HeadRead::Needs(needed)) => assert_eq!(needed, bytes.len() as u64),
            Some(HeadRead::Whole(_)) => panic!("{end} bytes are whole"),
        }
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(!matches!(Head::read(&damaged), Some(HeadRead::Whole(_))));
    }
}

#[test]
fn a_byte_that_is_loaded_twice_is_code() {
    let head = head();
    let svma = |offset| head.svma_of(FileOffset(offset)).map(|svma| svma.0);
    assert_eq!(svma(0x7ff), Some(0x7ff));
    assert_eq!(svma(0x800), Some(0x10_800));
    assert_eq!(svma(0x1800), None);
}

/// Looks up an address as questions do.
fn frames_at(table: &[u8], svma: Svma) -> Vec<NamedFrame> {
    let Some(HeadRead::Whole(head)) = Head::read(table) else {
        panic!("the head is not whole");
    };
    let Some(number) = head.chunk_at(svma) else {
        return Vec::new();
    };
    let chunk = head.chunks[number];
    let start = (head.bytes + chunk.start) as usize;
    let chunk = Chunk::read(&table[start..start + chunk.bytes as usize]).unwrap();
    let found = chunk.frames_at(&[svma]).unwrap();
    found[0].to_vec()
}

fn write(rows: &BTreeMap<u64, Vec<RowFrame>>, texts: &[String]) -> Vec<u8> {
    let mut writer = TableWriter::new(texts, &[]);
    for (address, frames) in rows {
        writer.add(Svma(*address), frames).unwrap();
    }
    writer.finish().unwrap()
}

fn any_frame() -> impl Strategy<Value = RowFrame> {
    let line = prop_oneof![0..200_u32, any::<u32>()];
    let frame = (0..5_u32, 0..5_u32, line, any::<bool>());
    frame.prop_map(|(function, file, line, is_inlined)| RowFrame {
        function,
        file,
        line,
        is_inlined,
    })
}

proptest! {
    #[test]
    fn rows_are_found_from_their_address_to_the_next(
        rows in prop::collection::btree_map(
            prop_oneof![0..3000_u64, any::<u64>()],
            prop::collection::vec(any_frame(), 0..5),
            0..150,
        ),
        asked in prop::collection::vec(prop_oneof![0..3000_u64, any::<u64>()], 20),
    ) {
        let texts = ["", "main", "a.c", "_Z1fv", "\u{e4}"].map(str::to_owned);
        let table = write(&rows, &texts);
        let ends = rows.keys().flat_map(|at| [*at, at.saturating_sub(1)]);
        let mut all: Vec<u64> = asked.into_iter().chain(ends).collect();
        all.sort_unstable();
        for svma in all {
            let row = rows.range(..=svma).next_back();
            let frames = row.map_or(&[][..], |(_, frames)| frames);
            let expected: Vec<NamedFrame> = frames
                .iter()
                .rev()
                .map(|frame| NamedFrame {
                    function: texts[frame.function as usize].clone(),
                    file: texts[frame.file as usize].clone(),
                    line: frame.line,
                    is_inlined: frame.is_inlined,
                })
                .collect();
            prop_assert_eq!(frames_at(&table, Svma(svma)), expected);
        }
    }
}

#[test]
fn a_large_table_has_chunks_of_bounded_size() {
    let texts: Vec<String> = (0..20_000).map(|at| format!("{at:0>200}")).collect();
    let rows = (0..100_000_u32).map(|at| {
        let frame = RowFrame {
            function: at / 5,
            file: at % 3,
            line: at,
            is_inlined: false,
        };
        (u64::from(at) * 16, vec![frame])
    });
    let rows: BTreeMap<u64, Vec<RowFrame>> = rows.collect();
    let table = write(&rows, &texts);
    let Some(HeadRead::Whole(head)) = Head::read(&table) else {
        panic!("the head is not whole");
    };
    assert_eq!(head.rows, 100_000);
    assert!(head.chunks.len() > 3, "{}", head.chunks.len());
    for (chunk, number) in head.chunks.iter().zip(0..) {
        let start = (head.bytes + chunk.start) as usize;
        let read = Chunk::read(&table[start..start + chunk.bytes as usize]).unwrap();
        assert!(read.memory_bytes() < CHUNK_BYTES * 3 / 2);
        assert_eq!(head.chunk_at(chunk.first), Some(number));
    }
    for at in [0, 31, 32, 50_001, 99_999_u32] {
        let frames = frames_at(&table, Svma(u64::from(at) * 16 + 15));
        assert_eq!(frames[0].function, texts[at as usize / 5]);
        assert_eq!(frames[0].line, at);
    }
}
