//! Records and files by hand, for what no recorder would write on request.

use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, Writer, branch_type,
    sample_type,
};
use hone_profile::{Avma, FileOffset, Location, LocationId, Profile};
use std::io::Cursor;

pub(crate) const MMAP: u32 = 1;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const MMAP2: u32 = 10;
pub(crate) const AUXTRACE: u32 = 71;
pub(crate) const HEADER_ATTR: u32 = 64;
pub(crate) const COMPRESSED: u32 = 81;
pub(crate) const COMPRESSED2: u32 = 83;

pub(crate) const MISC_KERNEL: u16 = 1;
pub(crate) const MISC_USER: u16 = 2;

/// The fields of most samples here: address, task and time.
pub(crate) const FIELDS: u64 = sample_type::IP | sample_type::TID | sample_type::TIME;
/// Where the flag word stands in an attribute, and its bit that puts time stamps on all records.
const ATTR_FLAGS: usize = 40;
const SAMPLE_ID_ALL_BYTE: (usize, u8) = (2, 1 << 2);

/// One record, header and all.
pub(crate) fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
    let len = u16::try_from(8 + body.len()).expect("a short record");
    [
        &kind.to_le_bytes()[..],
        &misc.to_le_bytes(),
        &len.to_le_bytes(),
        body,
    ]
    .concat()
}

pub(crate) fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Two numbers of four bytes in one word.
pub(crate) fn pair(low: i32, high: i32) -> u64 {
    u64::from(low as u32) | u64::from(high as u32) << 32
}

/// A sample with [`FIELDS`] and whatever follows them.
pub(crate) fn sample(misc: u16, ip: u64, pid: i32, time_ns: u64, rest: &[u64]) -> Vec<u8> {
    let body = [&[ip, pair(pid, pid), time_ns], rest].concat();
    record(SAMPLE, misc, &words(&body))
}

/// A string as records have it: with a zero, and zeros up to a multiple of eight.
pub(crate) fn padded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() + 1).next_multiple_of(8), 0);
    bytes
}

/// An MMAP record; its trailing sample id says `time_ns`.
pub(crate) fn mmap(
    misc: u16,
    pid: i32,
    (start, len, offset): (u64, u64, u64),
    path: &str,
    time_ns: u64,
) -> Vec<u8> {
    let head = words(&[pair(pid, pid), start, len, offset]);
    let id = words(&[pair(pid, pid), time_ns]);
    record(MMAP, misc, &[head, padded(path), id].concat())
}

pub(crate) fn event(sample_type: u64) -> EventDescription {
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: 1000,
        is_frequency: false,
        sample_type,
        branch_sample_type: branch_type::USER | branch_type::ANY,
    };
    EventDescription {
        name: "an-event".into(),
        attr: event.attr(),
        ids: vec![],
    }
}

/// As kernels before 2.6.38: only samples say when they were made.
pub(crate) fn without_sample_id_all(mut event: EventDescription) -> EventDescription {
    let (byte, bit) = SAMPLE_ID_ALL_BYTE;
    event.attr[ATTR_FLAGS + byte] &= !bit;
    event
}

pub(crate) fn writer(events: Vec<EventDescription>) -> Writer<Cursor<Vec<u8>>> {
    Writer::new(Cursor::new(Vec::new()), events).expect("valid events")
}

pub(crate) fn finish(writer: Writer<Cursor<Vec<u8>>>) -> Vec<u8> {
    writer
        .finish(&Features::default())
        .expect("a whole file")
        .into_inner()
}

/// A seekable file of one event.
pub(crate) fn file(event: EventDescription, records: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = writer(vec![event]);
    for record in records {
        writer.raw(record).expect("a whole record");
    }
    finish(writer)
}

/// What `perf record -o -` writes.
pub(crate) fn pipe(events: &[EventDescription], records: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"PERFILE2\x10\0\0\0\0\0\0\0".to_vec();
    for event in events {
        bytes.extend(record(
            HEADER_ATTR,
            0,
            &[&event.attr[..], &words(&event.ids)].concat(),
        ));
    }
    bytes.extend(records.concat());
    bytes
}

/// An executable file mapping.
pub(crate) fn mapping(pid: i32, start: u64, len: u64, path: &str, time_ns: u64) -> Mmap2 {
    Mmap2 {
        pid,
        tid: pid,
        start: Avma(start),
        len,
        file_offset: FileOffset(0),
        protection: 5,
        flags: 2,
        device: (0, 0, 0),
        path: path.into(),
        time_ns,
    }
}

/// A location as path and offset.
pub(crate) fn place(profile: &Profile, id: LocationId) -> (&str, u64) {
    let Location { binary, offset, .. } = profile.location(id);
    (&profile.binary(binary).path, offset.0)
}

/// The places of all samples.
pub(crate) fn sample_places(profile: &Profile) -> Vec<(&str, u64)> {
    profile
        .samples
        .iter()
        .map(|sample| place(profile, sample.ip))
        .collect()
}
