//! Copied registers and stacks: what reaches the one who unwinds, and what becomes of the answer.

use super::super::raw::{FIELDS, MISC_KERNEL, MISC_USER, event, file, mmap, place, sample};
use hone_profile::perf_data::{
    EventDescription, ProcessView, Unwind, UserCopy, end_address, read, sample_type, stream_unwound,
};
use hone_profile::{Avma, Profile, StackEnd};
use std::io::Cursor;

const TO_KERNEL: u64 = -128_i64 as u64;
const TO_USER: u64 = -512_i64 as u64;
const IN_KERNEL: u64 = 0xffff_ffff_8100_0008;
/// Where an attribute says which registers there are.
const ATTR_REGISTERS: usize = 80;
/// bp, sp and ip.
const REGISTERS: u64 = 0b1_1100_0000;

/// Takes the words of the stack for callers.
struct Words(StackEnd);

impl Unwind for Words {
    fn unwind(
        &mut self,
        process: &ProcessView<'_>,
        copy: &UserCopy<'_>,
        frames: &mut Vec<u64>,
    ) -> StackEnd {
        let ip = copy.registers.get(8).expect("an instruction pointer");
        let at = process.find(Avma(ip)).expect("the mapping");
        assert_eq!(
            (at.binary.path.as_str(), at.offset.0),
            ("/code", ip - 0x1000)
        );
        assert_eq!(process.binary(at.number), Some(at.binary));
        frames.push(ip);
        frames.extend(
            copy.stack
                .chunks(8)
                .map(|word| u64::from_le_bytes(word.try_into().unwrap())),
        );
        self.0
    }
}

fn copying() -> EventDescription {
    let copies = sample_type::REGS_USER | sample_type::STACK_USER;
    let mut event = event(FIELDS | sample_type::CALLCHAIN | copies);
    event.attr[ATTR_REGISTERS..][..8].copy_from_slice(&REGISTERS.to_le_bytes());
    event
}

fn map() -> Vec<u8> {
    mmap(MISC_USER, 7, (0x1000, 0x1000, 0), "/code", 0)
}

fn stacks(profile: &Profile) -> Vec<Vec<(&str, u64)>> {
    let of = |sample: &hone_profile::Sample| {
        let stack = sample.stack.into_iter();
        let frames = stack.flat_map(|stack| profile.frames(stack));
        frames.map(|frame| place(profile, frame)).collect()
    };
    profile.samples.iter().map(of).collect()
}

/// Reads with the one who unwinds, and keeps the samples.
fn unwound(bytes: &[u8], end: StackEnd) -> Profile {
    let mut samples = Vec::new();
    let take = |_: &Profile, sample: &hone_profile::Sample, _: &[_]| samples.push(sample.clone());
    let mut profile = stream_unwound(Cursor::new(bytes), &mut Words(end), take).expect("a file");
    profile.samples = samples;
    profile
}

#[test]
fn unwound_frames_stand_below_those_of_the_kernel() {
    // A call chain, then ABI and registers, then size, bytes and filled bytes of the stack.
    let copy = [2, 5, 6, 0x1010, 16, 0x1020, 0x1030, 16];
    let in_kernel = [2, TO_KERNEL, IN_KERNEL];
    let records = [
        map(),
        sample(MISC_USER, 0x1010, 7, 100, &[&[0][..], &copy].concat()),
        sample(
            MISC_KERNEL,
            IN_KERNEL,
            7,
            101,
            &[&in_kernel[..], &copy].concat(),
        ),
        // Half of it was filled.
        sample(
            MISC_USER,
            0x1010,
            7,
            102,
            &[0, 2, 5, 6, 0x1010, 16, 0x1020, 0x1030, 8],
        ),
        // A thread of the kernel has neither.
        sample(
            MISC_KERNEL,
            IN_KERNEL,
            7,
            103,
            &[&in_kernel[..], &[0, 0]].concat(),
        ),
    ];
    let bytes = file(copying(), &records);
    let user = [("/code", 0x10), ("/code", 0x20), ("/code", 0x30)];
    let kernel = ("[kernel.kallsyms]", IN_KERNEL);
    let profile = unwound(&bytes, StackEnd::Root);
    assert_eq!(profile.losses, Default::default());
    assert_eq!(
        stacks(&profile),
        [
            user.to_vec(),
            [&[kernel][..], &user].concat(),
            user[..2].to_vec(),
            vec![kernel]
        ]
    );
    let profile = unwound(&bytes, StackEnd::Truncated);
    let outermost = *stacks(&profile)[0].last().expect("a frame");
    assert_eq!(outermost, ("[truncated stack]", 0));
    let last = profile.samples[0]
        .stack
        .and_then(|stack| profile.frames(stack).last());
    assert_eq!(
        last.and_then(|frame| profile.stack_end(frame)),
        Some(StackEnd::Truncated)
    );
}

#[test]
fn copies_that_nobody_unwinds_are_counted() {
    let copy = [0, 2, 5, 6, 0x1010, 0];
    let foreign = [2, TO_KERNEL, IN_KERNEL, 1, 5, 6, 0x1010, 0];
    let records = [
        map(),
        sample(MISC_USER, 0x1010, 7, 100, &copy),
        sample(MISC_KERNEL, IN_KERNEL, 7, 101, &foreign),
    ];
    let profile = read(&file(copying(), &records)).expect("a readable file");
    assert_eq!(profile.losses.not_unwound, 2);
    let kernel = ("[kernel.kallsyms]", IN_KERNEL);
    assert_eq!(
        stacks(&profile),
        [vec![], vec![kernel, ("[broken stack]", 0)]]
    );
}

#[test]
fn copies_that_contradict_their_lengths_are_malformed() {
    let bad: [&[u64]; 4] = [
        &[0, 2, 5, 6],
        &[0, 2, 5, 6, 7, u64::MAX],
        &[0, 2, 5, 6, 7, 16, 1, 2],
        &[0, 2, 5, 6, 7, 16, 1, 2, 17],
    ];
    let samples = bad.map(|rest| sample(MISC_USER, 0x1010, 7, 100, rest));
    let records = [vec![map()], samples.to_vec()].concat();
    let profile = unwound(&file(copying(), &records), StackEnd::Root);
    assert_eq!(
        (profile.samples.len(), profile.losses.malformed_records),
        (0, 4)
    );
}

#[test]
fn the_end_of_a_chain_may_stand_for_missing_callers() {
    let chain = [3, TO_USER, 0x1010, end_address::TRUNCATED];
    let records = [map(), sample(MISC_USER, 0x1010, 7, 100, &chain)];
    let event = event(FIELDS | sample_type::CALLCHAIN);
    let profile = read(&file(event, &records)).expect("a readable file");
    let expected = [("/code", 0x10), ("[truncated stack]", 0)];
    assert_eq!(stacks(&profile), [expected.to_vec()]);
    assert_eq!(profile.losses.unmapped_addresses, 0);
}
