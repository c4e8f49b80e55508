//! The rarer fields of samples, lost samples, several events, unknown records.

use super::super::raw::{
    FIELDS, MISC_KERNEL, MISC_USER, SAMPLE, event, file, finish, mmap, pair, pipe, place, record,
    sample, sample_places, words, writer,
};
use hone_profile::perf_data::{EventDescription, Features, read, sample_type};
use hone_profile::{
    BranchKind, BranchStacks, CpuQuota, CpuTime, EventId, FileOffset, Losses, MemoryUse,
    MetOperands, Operands, ThreadTime, Watched,
};

/// `PERF_RECORD_FINISHED_ROUND`.
const ROUND: u32 = 68;

#[test]
fn branch_flags_tell_kind_and_misprediction() {
    let flags = |kind: u64, mispredicted: u64| kind << 20 | mispredicted;
    let stack = [
        5,
        0x1001,
        0x1002,
        flags(1, 1),
        0,
        0,
        0,
        0x1003,
        0x1004,
        flags(5, 0),
        0x1005,
        0,
        flags(6, 0),
        0,
        0x1006,
        flags(15, 0),
    ];
    let records = [
        mmap(MISC_USER, 7, (0x1000, 0x1000, 0), "/code", 0),
        sample(MISC_USER, 0x1000, 7, 100, &stack),
        sample(MISC_USER, 0x1000, 7, 101, &[0]),
        sample(MISC_USER, 0x1000, 7, 102, &[u64::MAX, 0, 0, 0]),
    ];
    let event = event(FIELDS | sample_type::BRANCH_STACK);
    let profile = read(&file(event, &records)).expect("a readable file");
    assert_eq!(profile.losses.dropped_branches, 1);
    assert_eq!(
        profile.losses.malformed_records, 1,
        "the last one claims too much"
    );
    let branches = profile.branches_of(&profile.samples[0]);
    let seen: Vec<_> = branches
        .iter()
        .map(|branch| {
            let from = place(&profile, branch.from).1;
            (
                from,
                place(&profile, branch.to).1,
                branch.mispredicted,
                branch.kind,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (1, 2, true, BranchKind::Conditional),
            (3, 4, false, BranchKind::IndirectCall),
            (5, 0, false, BranchKind::Return),
            (0, 6, false, BranchKind::Unknown),
        ]
    );
    assert!(profile.branches_of(&profile.samples[1]).is_empty());
}

#[test]
fn fields_of_no_interest_are_stepped_over() {
    let fields = FIELDS
        | sample_type::IDENTIFIER
        | sample_type::ADDR
        | sample_type::ID
        | sample_type::STREAM_ID
        | sample_type::CPU
        | sample_type::PERIOD
        | sample_type::READ
        | sample_type::CALLCHAIN
        | sample_type::RAW
        | sample_type::BRANCH_STACK
        | sample_type::REGS_USER
        | sample_type::STACK_USER;
    const READ_FORMAT: usize = 32;
    // Group, id, time enabled: then a group of two counters is 1 + 1 + 2 * 2 words.
    const GROUP_FORMAT: u8 = 1 | 4 | 8;
    let mut event = event(fields);
    event.attr[READ_FORMAT] = GROUP_FORMAT;
    let head = words(&[1, 0x1010, pair(7, 8), 100, 0xadd4, 1, 1, pair(3, 0), 4242]);
    let read_field = words(&[2, 55, 10, 1, 20, 2]);
    let chain = words(&[2, 0x1010, 0x1020]);
    let raw = [&12_u32.to_le_bytes()[..], &[0xee; 12]].concat();
    let branches = words(&[1, 0x1030, 0x1040, 0]);
    let rest = words(&[0, 0]);
    let body = [head, read_field, chain, raw, branches, rest].concat();
    let profile =
        read(&pipe(&[event], &[record(SAMPLE, MISC_USER, &body)])).expect("a readable file");
    assert_eq!(profile.losses.malformed_records, 0);
    let sample = &profile.samples[0];
    assert_eq!((sample.time_ns, sample.weight), (100, 4242));
    let thread = &profile.threads[sample.thread.index()];
    assert_eq!((thread.pid, thread.tid), (7, 8));
    let frames = profile.frames(sample.stack.expect("a stack"));
    let frames: Vec<_> = frames.map(|frame| place(&profile, frame).1).collect();
    assert_eq!(frames, [0x1010, 0x1020]);
    let branch = profile.branches_of(sample)[0];
    assert_eq!(
        (place(&profile, branch.from).1, place(&profile, branch.to).1),
        (0x1030, 0x1040)
    );
}

/// Samples find their event by id, whichever field holds it, and are laid out as it says.
#[test]
fn several_events_are_told_apart_by_id() {
    let with_ids = |sample_type, ids: &[u64]| EventDescription {
        ids: ids.to_vec(),
        name: format!("event-{}", ids[0]),
        ..event(sample_type)
    };
    let base = FIELDS | sample_type::IDENTIFIER;
    let events = vec![
        with_ids(base, &[50, 51]),
        with_ids(base | sample_type::PERIOD, &[60, 61]),
    ];
    let mut writer = writer(events);
    for (id, period) in [
        (51, None),
        (60, Some(9)),
        (50, None),
        (61, Some(8)),
        (99, None),
    ] {
        let mut body = vec![id, 0x10, pair(7, 7), 100 + id];
        body.extend(period);
        writer
            .raw(&record(SAMPLE, MISC_USER, &words(&body)))
            .expect("a sample");
    }
    let profile = read(&finish(writer)).expect("a readable file");
    let seen: Vec<_> = profile
        .samples
        .iter()
        .map(|s| (s.time_ns, s.event.0, s.weight))
        .collect();
    assert_eq!(
        seen,
        [(150, 0, 1000), (151, 0, 1000), (160, 1, 9), (161, 1, 8)]
    );
    assert_eq!(profile.losses.malformed_records, 1, "nobody has the id 99");
    assert_eq!(profile.events[1].name, "event-60");
}

#[test]
fn a_pipe_names_its_events_in_records_of_their_own() {
    const EVENT_UPDATE: u32 = 78;
    const NAME: u64 = 2;
    let fields = FIELDS | sample_type::ID;
    let events: Vec<_> = [5, 6]
        .map(|id| EventDescription {
            ids: vec![id],
            ..event(fields)
        })
        .into();
    let name = [&words(&[NAME, 6])[..], b"second\0\0"].concat();
    let records = [
        record(EVENT_UPDATE, 0, &name),
        sample(MISC_USER, 0x10, 7, 100, &[6]),
        record(ROUND, 0, &[]),
        sample(MISC_USER, 0x10, 7, 101, &[5]),
    ];
    let profile = read(&pipe(&events, &records)).expect("a readable file");
    let names: Vec<_> = profile
        .events
        .iter()
        .map(|event| event.name.as_str())
        .collect();
    assert_eq!(names, ["cpu-clock", "second"]);
    let order: Vec<_> = profile.samples.iter().map(|sample| sample.event).collect();
    assert_eq!(order, [EventId(1), EventId(0)]);
    assert_eq!(
        profile.losses,
        Losses {
            unmapped_addresses: 2,
            ..Losses::default()
        }
    );
}

#[test]
fn lost_samples_are_counted_once_though_told_twice() {
    const LOST_SAMPLES: u32 = 13;
    let mut writer = writer(vec![event(FIELDS)]);
    writer.lost(0, 30, 100).expect("a record");
    writer.lost(0, 12, 200).expect("a record");
    writer
        .raw(&record(LOST_SAMPLES, 0, &words(&[40, pair(7, 7), 300])))
        .expect("a record");
    let profile = read(&finish(writer)).expect("a readable file");
    assert_eq!(profile.losses.lost_samples, 42);
}

#[test]
fn records_of_the_future_are_counted_by_type() {
    let unknown = |kind| record(kind, 0, &[1; 24]);
    let records = [
        unknown(40),
        sample(MISC_USER, 0x10, 7, 100, &[]),
        unknown(40),
        unknown(900),
        record(ROUND, 0, &[]),
    ];
    let profile = read(&file(event(FIELDS), &records)).expect("a readable file");
    assert_eq!(sample_places(&profile).len(), 1);
    assert_eq!(profile.losses.unknown_records[&40], 2);
    assert_eq!(profile.losses.unknown_records[&900], 1);
    assert_eq!(profile.losses.unknown_records.len(), 2);
}

#[test]
fn a_thread_keeps_its_old_samples_under_its_old_name() {
    let mut writer = writer(vec![event(FIELDS)]);
    writer.comm(7, 7, "old", false, 10).expect("a name");
    writer
        .raw(&sample(MISC_USER, 0x10, 7, 20, &[]))
        .expect("a sample");
    writer.comm(7, 7, "new", false, 30).expect("a name");
    writer
        .raw(&sample(MISC_USER, 0x10, 7, 40, &[]))
        .expect("a sample");
    let profile = read(&finish(writer)).expect("a readable file");
    let names: Vec<_> = profile
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    assert_eq!(names, ["old", "new"]);
}

#[test]
fn the_facts_of_a_recording_come_back() {
    let mut writer = writer(vec![event(FIELDS)]);
    writer
        .raw(&sample(MISC_USER, 0x10, 7, 20, &[]))
        .expect("a sample");
    let features = Features {
        host: "host".into(),
        kernel: "6.1".into(),
        arch: "x86_64".into(),
        cpu: "a CPU".into(),
        cpus_online: 2,
        command: vec!["hone".into(), "record".into(), "--".into(), "a b".into()],
        build_ids: vec![],
        cpu_quota: Some(CpuQuota {
            group: "/a".into(),
            quota_us: 50_000,
            period_us: 100_000,
            ..CpuQuota::default()
        }),
        memory: vec![MemoryUse {
            pid: 7,
            limit_group: "/a".into(),
            ..MemoryUse::default()
        }],
        cpu_time: Some(CpuTime {
            used_ns: 10_000_000,
            period_ns: 100_000,
            are_of_cpus: true,
            threads: vec![ThreadTime {
                pid: 7,
                tid: 8,
                cpu_ns: 9_000_000,
            }],
        }),
        operands: Some(Operands {
            walks: 9,
            met: vec![MetOperands {
                path: "/a b".into(),
                at: FileOffset(0x1000),
                watched: Watched::Denormals,
                walks: 3,
                executions: 30,
                squares: 300,
                odd: 29,
                value: 0,
                lines: 0,
            }],
        }),
        ..Features::default()
    };
    let bytes = writer.finish(&features).expect("a whole file").into_inner();
    let profile = read(&bytes).expect("a readable file");
    let accounted = profile.losses.accounted;
    assert_eq!((accounted.used_ns, accounted.samples), (10_000_000, 1));
    assert!(accounted.unsampled().is_some(), "{accounted:?}");
    let meta = profile.meta;
    assert_eq!((meta.host, meta.kernel), (features.host, features.kernel));
    assert_eq!((meta.arch, meta.cpu), (features.arch, features.cpu));
    assert_eq!(meta.command, features.command);
    assert_eq!(meta.cpu_quota, features.cpu_quota);
    assert_eq!(meta.memory, features.memory);
    assert_eq!(meta.cpu_time, features.cpu_time);
    assert_eq!(meta.operands, features.operands);
}

/// perf refuses attributes that are longer than it knows, so zeros at their end are cut.
#[test]
fn attributes_are_as_long_as_they_need_be() {
    let stated_len = |event: EventDescription| {
        let bytes = finish(writer(vec![event]));
        let mut entry_len = [0; 8];
        entry_len.copy_from_slice(&bytes[16..24]);
        u64::from_le_bytes(entry_len) - 16
    };
    let mut long = event(FIELDS);
    long.attr.resize(136, 0);
    assert_eq!(stated_len(long.clone()), 112);
    long.attr[121] = 1;
    assert_eq!(stated_len(long), 128);
    let mut short = event(FIELDS);
    short.attr.truncate(64);
    assert_eq!(stated_len(short), 112);
}

/// `branch_sample_type` stands at byte 72 of an attribute.
#[test]
fn what_branch_stacks_hold_is_in_the_attribute() {
    let with = |bits: u64| {
        let mut event = event(FIELDS | sample_type::BRANCH_STACK);
        event.attr[72..80].copy_from_slice(&bits.to_le_bytes());
        let profile = read(&file(event, &[])).expect("a readable file");
        profile.events[0].branches
    };
    assert_eq!(with(0), BranchStacks::Whole);
    assert_eq!(with(1 | 1 << 3), BranchStacks::Whole);
    assert_eq!(with(1 | 1 << 11), BranchStacks::CallStack);
    assert!(with(1 | 1 << 4).are_partial());
    let none = read(&file(event(FIELDS), &[])).expect("a readable file");
    assert_eq!(none.events[0].branches, BranchStacks::None);
}

/// `perf record --call-graph lbr`: the kernel's part is in the call chain, the user's in the branch stack.
#[test]
fn callers_stand_in_branch_stacks_of_call_stack_mode() {
    const KERNEL: u64 = -128_i64 as u64;
    const USER: u64 = -512_i64 as u64;
    let kernel_ip = 0xffff_ffff_8100_0000;
    let fields = FIELDS | sample_type::CALLCHAIN | sample_type::BRANCH_STACK;
    let mut event = event(fields);
    event.attr[72..80].copy_from_slice(&(1u64 | 1 << 11).to_le_bytes());
    let calls = [2, 0x1010, 0x3000, 0, 0x2010, 0x1000, 0];
    let in_user = [&[2, USER, 0x3005][..], &calls].concat();
    let in_kernel = [&[4, KERNEL, kernel_ip, USER, 0x99][..], &calls].concat();
    let no_calls = [2, USER, 0x3005, 0];
    let records = [
        sample(MISC_USER, 0x3005, 1, 1, &in_user),
        sample(MISC_KERNEL, kernel_ip, 1, 2, &in_kernel),
        sample(MISC_USER, 0x3005, 1, 3, &no_calls),
    ];
    let profile = read(&file(event, &records)).expect("a readable file");
    let frames = |index: usize| -> Vec<u64> {
        let stack = profile.samples[index].stack.expect("a stack");
        let frames = profile.frames(stack);
        frames.map(|frame| place(&profile, frame).1).collect()
    };
    assert_eq!(frames(0), [0x3005, 0x1011, 0x2011]);
    assert_eq!(frames(1), [kernel_ip, 0x3000, 0x1011, 0x2011]);
    assert_eq!(frames(2), [0x3005]);
}
