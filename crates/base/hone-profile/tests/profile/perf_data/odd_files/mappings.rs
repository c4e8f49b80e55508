//! Which file an address lies in: order of time, forks, execs, the kernel, memory without a file.

use super::super::raw::{
    FIELDS, MISC_KERNEL, MISC_USER, MMAP2, event, file, finish, mapping, mmap, padded, pair, place,
    record, sample, sample_places, without_sample_id_all, words, writer,
};
use hone_profile::perf_data::{Features, read, sample_type};
use hone_profile::{BinaryKind, BuildId};

const KERNEL_TEXT: u64 = 0xffff_ffff_8100_0000;
const MODULE: u64 = 0xffff_ffff_a000_0000;

#[test]
fn a_mapping_counts_from_its_time_on_wherever_it_stands() {
    let at = |time_ns| sample(MISC_USER, 0x1234, 7, time_ns, &[]);
    let mut writer = writer(vec![event(FIELDS)]);
    for time_ns in [300, 100, 200] {
        writer.raw(&at(time_ns)).expect("a sample");
    }
    writer
        .mmap2(&mapping(7, 0x1000, 0x1000, "/late", 250))
        .expect("a mapping");
    writer
        .mmap2(&mapping(7, 0x1000, 0x1000, "/early", 150))
        .expect("a mapping");
    let profile = read(&finish(writer)).expect("a readable file");
    let expected = [("[unmapped]", 0x1234), ("/early", 0x234), ("/late", 0x234)];
    assert_eq!(sample_places(&profile), expected);
    assert_eq!(profile.losses.unmapped_addresses, 1);
}

#[test]
fn what_existed_before_the_recording_counts_from_the_start() {
    let mut writer = writer(vec![event(FIELDS)]);
    writer
        .raw(&sample(MISC_USER, 0x1234, 7, 100, &[]))
        .expect("a sample");
    writer
        .mmap2(&mapping(7, 0x1000, 0x1000, "/before", 0))
        .expect("a mapping");
    let profile = read(&finish(writer)).expect("a readable file");
    assert_eq!(sample_places(&profile), [("/before", 0x234)]);
}

#[test]
fn mappings_without_a_time_keep_their_place_in_the_file() {
    let at = |time_ns| sample(MISC_USER, 0x1234, 7, time_ns, &[]);
    let map = |path| {
        let head = words(&[pair(7, 7), 0x1000, 0x1000, 0]);
        record(
            super::super::raw::MMAP,
            MISC_USER,
            &[head, padded(path)].concat(),
        )
    };
    let records = [at(100), map("/a"), at(200), at(300), map("/b"), at(400)];
    let profile = read(&file(without_sample_id_all(event(FIELDS)), &records)).expect("a file");
    let expected = [
        ("[unmapped]", 0x1234),
        ("/a", 0x234),
        ("/a", 0x234),
        ("/b", 0x234),
    ];
    assert_eq!(sample_places(&profile), expected);
}

#[test]
fn a_child_has_its_parents_code_until_its_exec() {
    let at = |pid, time_ns| sample(MISC_USER, 0x1234, pid, time_ns, &[]);
    let mut writer = writer(vec![event(FIELDS)]);
    writer.comm(7, 7, "parent", true, 10).expect("a name");
    writer
        .mmap2(&mapping(7, 0x1000, 0x1000, "/parent", 20))
        .expect("a mapping");
    writer.fork((8, 8), (7, 7), 30).expect("a fork");
    writer.fork((7, 9), (7, 7), 30).expect("a thread");
    writer.raw(&at(8, 40)).expect("a sample");
    writer.comm(8, 8, "child", true, 50).expect("a name");
    writer.raw(&at(8, 60)).expect("a sample");
    writer
        .mmap2(&mapping(8, 0x1000, 0x1000, "/child", 70))
        .expect("a mapping");
    writer.raw(&at(8, 80)).expect("a sample");
    writer.raw(&at(7, 90)).expect("a sample");
    writer.exit((8, 8), (7, 7), 95).expect("an exit");
    let profile = read(&finish(writer)).expect("a readable file");
    let places = sample_places(&profile);
    assert_eq!(
        places,
        [
            ("/parent", 0x234),
            ("[unmapped]", 0x1234),
            ("/child", 0x234),
            ("/parent", 0x234)
        ]
    );
    let names: Vec<_> = profile.samples.iter().map(|sample| sample.thread).collect();
    let names: Vec<_> = names
        .iter()
        .map(|thread| profile.threads[thread.index()].name.as_str())
        .collect();
    assert_eq!(names, ["parent", "child", "child", "parent"]);
    assert_eq!(profile.losses.malformed_records, 0);
}

/// perf makes up forks for the processes it finds; they copy nothing.
#[test]
fn a_fork_made_up_by_perf_copies_no_mappings() {
    const MADE_UP: u16 = 1 << 13;
    let fork = |misc| {
        let body = words(&[pair(8, 7), pair(8, 7), 0, pair(8, 8), 0]);
        record(7, misc, &body)
    };
    for (misc, expected) in [(0, ("/parent", 0x234)), (MADE_UP, ("[unmapped]", 0x1234))] {
        let records = [
            mmap(MISC_USER, 7, (0x1000, 0x1000, 0), "/parent", 0),
            fork(misc),
            sample(MISC_USER, 0x1234, 8, 100, &[]),
        ];
        let profile = read(&file(event(FIELDS), &records)).expect("a readable file");
        assert_eq!(sample_places(&profile), [expected]);
    }
}

#[test]
fn a_data_mapping_hides_the_code_below_it_and_shows_none() {
    let mut writer = writer(vec![event(FIELDS)]);
    writer
        .mmap2(&mapping(7, 0x1000, 0x3000, "/code", 0))
        .expect("a mapping");
    let mut data = mapping(7, 0x2000, 0x1000, "/data", 0);
    data.protection = 1;
    writer.mmap2(&data).expect("a mapping");
    for ip in [0x1800, 0x2800, 0x3800] {
        writer
            .raw(&sample(MISC_USER, ip, 7, ip, &[]))
            .expect("a sample");
    }
    let profile = read(&finish(writer)).expect("a readable file");
    let expected = [("/code", 0x800), ("[unmapped]", 0x2800), ("/code", 0x2800)];
    assert_eq!(sample_places(&profile), expected);
}

#[test]
fn names_tell_files_from_other_memory() {
    let cases = [
        ("/usr/bin/app", BinaryKind::File, 0x1010),
        ("/tmp/app (deleted)", BinaryKind::File, 0x1010),
        ("[vdso]", BinaryKind::Vdso, 0x1010),
        ("//anon", BinaryKind::Anonymous, 0x10010),
        ("[heap]", BinaryKind::Anonymous, 0x10010),
        ("/memfd:jit (deleted)", BinaryKind::Anonymous, 0x10010),
        ("anon_inode:[perf_event]", BinaryKind::Anonymous, 0x10010),
    ];
    for (path, kind, offset) in cases {
        let records = [
            mmap(MISC_USER, 7, (0x10000, 0x1000, 0x1000), path, 0),
            sample(MISC_USER, 0x10010, 7, 100, &[]),
        ];
        let profile = read(&file(event(FIELDS), &records)).expect("a readable file");
        assert_eq!(sample_places(&profile), [(path, offset)]);
        assert_eq!(profile.binaries.len(), 1);
        assert_eq!(profile.binaries[0].kind, kind, "{path}");
    }
}

#[test]
fn kernel_addresses_lie_in_the_kernel_or_a_module() {
    let kernel = (KERNEL_TEXT, MODULE - KERNEL_TEXT + 0x10000, KERNEL_TEXT);
    let module = (MODULE, 0x1000, 0);
    let records = [
        mmap(MISC_KERNEL, -1, kernel, "[kernel.kallsyms]_text", 0),
        mmap(MISC_KERNEL, -1, module, "/lib/modules/m.ko", 0),
        sample(MISC_KERNEL, KERNEL_TEXT + 5, 7, 100, &[]),
        sample(MISC_KERNEL, MODULE + 5, 7, 101, &[]),
        sample(MISC_KERNEL, MODULE + 0x1005, 7, 102, &[]),
        sample(MISC_KERNEL, 0xffff_8000_0000_0000, 7, 103, &[]),
        sample(MISC_USER, KERNEL_TEXT + 5, 7, 104, &[]),
    ];
    let profile = read(&file(event(FIELDS), &records)).expect("a readable file");
    let image = "[kernel.kallsyms]";
    assert_eq!(
        sample_places(&profile),
        [
            (image, KERNEL_TEXT + 5),
            ("/lib/modules/m.ko", MODULE + 5),
            (image, MODULE + 0x1005),
            (image, 0xffff_8000_0000_0000),
            (image, KERNEL_TEXT + 5),
        ]
    );
    assert!(
        profile
            .binaries
            .iter()
            .all(|binary| binary.kind == BinaryKind::Kernel)
    );
    assert_eq!(profile.losses.unmapped_addresses, 0);
}

#[test]
fn samples_of_virtual_machines_are_not_looked_up_here() {
    const GUEST_USER: u16 = 5;
    let records = [
        mmap(MISC_USER, 7, (0x1000, 0x1000, 0), "/host", 0),
        sample(GUEST_USER, 0x1234, 7, 100, &[]),
    ];
    let profile = read(&file(event(FIELDS), &records)).expect("a readable file");
    assert_eq!(sample_places(&profile), [("[unmapped]", 0x1234)]);
}

#[test]
fn call_chains_change_sides_at_their_markers() {
    const TO_KERNEL: u64 = -128_i64 as u64;
    const TO_USER: u64 = -512_i64 as u64;
    const DEFERRED: u64 = -640_i64 as u64;
    let chain = [
        6,
        TO_KERNEL,
        KERNEL_TEXT + 8,
        TO_USER,
        0x1010,
        0x1020,
        0x1030,
    ];
    let deferred = [4, TO_KERNEL, KERNEL_TEXT + 8, DEFERRED, 0xc00c1e];
    let records = [
        mmap(MISC_USER, 7, (0x1000, 0x1000, 0), "/code", 0),
        sample(MISC_KERNEL, KERNEL_TEXT + 8, 7, 100, &chain),
        sample(MISC_KERNEL, KERNEL_TEXT + 8, 7, 101, &deferred),
        sample(MISC_USER, 0x1010, 7, 102, &[0]),
        sample(MISC_KERNEL, KERNEL_TEXT + 8, 7, 103, &chain[..6]),
    ];
    let event = event(FIELDS | sample_type::CALLCHAIN);
    let profile = read(&file(event, &records)).expect("a readable file");
    assert_eq!(
        profile.losses.malformed_records, 1,
        "the last chain lacks a word"
    );
    let stacks: Vec<Vec<_>> = profile
        .samples
        .iter()
        .map(|sample| {
            let frames = sample
                .stack
                .into_iter()
                .flat_map(|stack| profile.frames(stack));
            frames.map(|frame| place(&profile, frame)).collect()
        })
        .collect();
    let kernel = ("[kernel.kallsyms]", KERNEL_TEXT + 8);
    assert_eq!(
        stacks,
        [
            vec![kernel, ("/code", 0x10), ("/code", 0x20), ("/code", 0x30)],
            vec![kernel],
            vec![]
        ]
    );
    assert!(profile.samples[2].stack.is_none());
}

#[test]
fn build_ids_come_from_the_mapping_or_from_the_end_of_the_file() {
    const WITH_BUILD_ID: u16 = 1 << 14;
    let in_mapping = |path| {
        let head = words(&[pair(7, 7), 0x1000, 0x1000, 0]);
        let mut id = vec![20, 0, 0, 0];
        id.extend([0xaa; 20]);
        let rest = words(&[pair(5, 2)]);
        let trailer = words(&[pair(7, 7), 0]);
        let body = [head, id, rest, padded(path), trailer].concat();
        record(MMAP2, MISC_USER | WITH_BUILD_ID, &body)
    };
    let short = BuildId::from_hex("0123456789abcdef").expect("an id of eight bytes");
    let kernel = BuildId::new(&[7; 20]).expect("an id");
    let mut writer = writer(vec![event(FIELDS)]);
    writer.raw(&in_mapping("/a")).expect("a mapping");
    writer
        .mmap2(&mapping(7, 0x2000, 0x1000, "/b", 0))
        .expect("a mapping");
    writer
        .mmap2(&mapping(7, 0x3000, 0x1000, "/c", 0))
        .expect("a mapping");
    for ip in [0x1000, 0x2000, 0x3000, KERNEL_TEXT] {
        writer
            .raw(&sample(MISC_USER, ip, 7, 100, &[]))
            .expect("a sample");
    }
    let build_ids = vec![
        ("/b".into(), short.clone(), false),
        ("[kernel.kallsyms]".into(), kernel.clone(), true),
    ];
    let features = Features {
        build_ids,
        ..Features::default()
    };
    let bytes = writer.finish(&features).expect("a whole file").into_inner();
    let profile = read(&bytes).expect("a readable file");
    let ids: Vec<_> = profile
        .binaries
        .iter()
        .map(|b| (b.path.as_str(), b.build_id.clone()))
        .collect();
    assert_eq!(
        ids,
        [
            ("/a", BuildId::new(&[0xaa; 20])),
            ("/b", Some(short)),
            ("/c", None),
            ("[kernel.kallsyms]", Some(kernel)),
        ]
    );
}
