//! Names of code without a file: those that the recording keeps, and those that the one who unwinds knows.

use super::super::raw::{FIELDS, MISC_KERNEL, MISC_USER, event, finish, mmap, sample, writer};
use hone_profile::perf_data::{
    Features, ProcessView, Unwind, UserCopy, read, sample_type, stream_unwound,
};
use hone_profile::{Avma, CodeMap, LocationId, Meta, Profile, StackEnd};
use std::collections::BTreeMap;
use std::io::Cursor;

const TO_KERNEL: u64 = -128_i64 as u64;
const TO_USER: u64 = -512_i64 as u64;
const IN_KERNEL: u64 = 0xffff_ffff_8100_0008;

fn map() -> CodeMap {
    let mut map = CodeMap::default();
    map.add(Avma(0x1000), 0x100, "JS:*first a.js:1:1");
    map.add(Avma(0x1100), 0x100, "JS:*second a.js:2:1");
    map.add(Avma(0x9000), 0x100, "not in code without a file");
    map
}

/// A recording of processes 7 and 8 with the same memory, of a file too; only 7 has names.
fn recording(code_names: BTreeMap<i32, CodeMap>) -> Vec<u8> {
    let mut writer = writer(vec![event(FIELDS | sample_type::CALLCHAIN)]);
    for pid in [7, 8] {
        for (start, path) in [(0x1000, "//anon"), (0x9000, "/code")] {
            writer
                .raw(&mmap(MISC_USER, pid, (start, 0x1000, 0), path, 0))
                .expect("a mapping");
        }
        let chains: [(u16, u64, &[u64]); 3] = [
            // The call is the last instruction of the first function.
            (MISC_USER, 0x1100, &[TO_USER, 0x1100, 0x1100, 0x9010]),
            // Below the kernel, the first address is an instruction and no return address.
            (
                MISC_KERNEL,
                IN_KERNEL,
                &[TO_KERNEL, IN_KERNEL, TO_USER, 0x1100],
            ),
            (MISC_USER, 0x1200, &[TO_USER, 0x1200]),
        ];
        for (misc, ip, chain) in chains {
            let rest = [&[chain.len() as u64], chain].concat();
            writer
                .raw(&sample(misc, ip, pid, 100, &rest))
                .expect("a sample");
        }
    }
    let features = Features {
        code_names,
        ..Features::default()
    };
    writer.finish(&features).expect("a whole file").into_inner()
}

fn named(profile: &Profile, at: LocationId) -> String {
    let location = profile.location(at);
    let path = &profile.binary(location.binary).path;
    match profile.name(at) {
        Some(name) => format!("{path} {name}"),
        None => format!("{path} {:x}", location.offset.0),
    }
}

fn stacks(profile: &Profile, pid: i32, samples: &[hone_profile::Sample]) -> Vec<Vec<String>> {
    let of_process =
        |sample: &&hone_profile::Sample| profile.threads[sample.thread.index()].pid == pid;
    let frames = |sample: &hone_profile::Sample| {
        let stack = sample.stack.expect("a stack");
        let levels = profile.frames(stack).map(|at| named(profile, at));
        levels.collect()
    };
    samples.iter().filter(of_process).map(frames).collect()
}

fn expected() -> Vec<Vec<String>> {
    let second = "//anon JS:*second a.js:2:1".to_owned();
    vec![
        vec![
            second.clone(),
            "//anon JS:*first a.js:1:1".into(),
            "/code 10".into(),
        ],
        vec![format!("[kernel.kallsyms] {IN_KERNEL:x}"), second],
        vec!["//anon 1200".into()],
    ]
}

#[test]
fn code_without_a_file_has_the_names_that_were_recorded_of_its_process() {
    let bytes = recording(BTreeMap::from([(7, map())]));
    let profile = read(&bytes).expect("a readable file");
    assert_eq!(stacks(&profile, 7, &profile.samples), expected());
    let nameless = stacks(&profile, 8, &profile.samples);
    assert_eq!(nameless[0], ["//anon 1100", "//anon 1100", "/code 10"]);
    let leaf = profile.samples[0].ip;
    assert_eq!(named(&profile, leaf), expected()[0][0]);
}

/// Knows the names of a process, and counts how often it was asked.
struct Known(Vec<i32>);

impl Unwind for Known {
    fn unwind(&mut self, _: &ProcessView<'_>, _: &UserCopy<'_>, _: &mut Vec<u64>) -> StackEnd {
        StackEnd::Broken
    }

    fn code_names(&mut self, pid: i32, _: &Meta) -> CodeMap {
        self.0.push(pid);
        if pid == 7 { map() } else { CodeMap::default() }
    }
}

#[test]
fn a_recording_without_names_asks_once_for_each_process_and_one_with_names_never() {
    for (recorded, asked) in [
        (BTreeMap::new(), vec![7, 8]),
        (BTreeMap::from([(7, map())]), vec![]),
    ] {
        let bytes = recording(recorded);
        let mut known = Known(Vec::new());
        let mut samples = Vec::new();
        let take =
            |_: &Profile, sample: &hone_profile::Sample, _: &[_]| samples.push(sample.clone());
        let profile =
            stream_unwound(Cursor::new(bytes), &mut known, take).expect("a readable file");
        assert_eq!(stacks(&profile, 7, &samples), expected());
        assert_eq!(known.0, asked);
    }
}

#[test]
fn a_section_of_another_form_is_no_section() {
    let mut bytes = recording(BTreeMap::from([(7, map())]));
    let title = b"hone code names 1";
    let at = bytes.windows(title.len()).position(|part| part == title);
    bytes[at.expect("the section")] = b'H';
    let profile = read(&bytes).expect("a readable file");
    assert_eq!(stacks(&profile, 7, &profile.samples)[2], ["//anon 1200"]);
    assert_eq!(stacks(&profile, 7, &profile.samples)[0][0], "//anon 1100");
    let empty = finish(writer(vec![event(FIELDS)]));
    assert!(!empty.windows(title.len()).any(|part| part == title));
}
