//! What becomes of samples in a batch.

use hone_batch::{
    Adding, BUCKET_S, Batch, DEPTH_MAX, FOLDED, Group, Host, LeftOut, OTHERS, Place, StackLimit,
    TableLimit,
};
use hone_profile::{
    Binary, BinaryKind, BranchStacks, Event, EventId, FileOffset, LocationId, Profile, Sample,
    StackEnd, StackId, Thread, ThreadId,
};

use crate::common::{Named, START_S, added, origin, recording};

/// A profile with one event and one thread, and files of these names and kinds.
fn profile(files: &[(&str, BinaryKind)]) -> Profile {
    let mut profile = Profile::default();
    profile.events.push(Event {
        name: "cpu-clock".into(),
        branches: BranchStacks::None,
    });
    profile.intern_thread(Thread::default());
    for &(path, kind) in files {
        profile.intern_binary(Binary {
            path: path.into(),
            build_id: None,
            kind,
        });
    }
    profile
}

fn sample(ip: LocationId, stack: Option<StackId>) -> Sample {
    Sample {
        event: EventId(0),
        thread: ThreadId(0),
        time_ns: 0,
        weight: 10,
        times: 1,
        ip,
        stack,
        branches: 0..0,
    }
}

fn place(profile: &mut Profile, binary: u32, offset: u64) -> LocationId {
    profile.intern_location(hone_profile::BinaryId(binary), FileOffset(offset))
}

/// Makes a stack of offsets in the first file, outermost first.
fn stack(profile: &mut Profile, offsets: &[u64]) -> (LocationId, Option<StackId>) {
    let mut made = None;
    let mut leaf = LocationId(0);
    for &offset in offsets {
        leaf = place(profile, 0, offset);
        made = Some(profile.intern_frame(leaf, made));
    }
    (leaf, made)
}

#[test]
fn equal_samples_are_one_row_for_each_minute() {
    let mut profile = profile(&[("app", BinaryKind::File)]);
    let (leaf, stack) = stack(&mut profile, &[1, 2]);
    for second in [0, 1, 60, 61, 62] {
        let mut sample = sample(leaf, stack);
        sample.time_ns = second * 1_000_000_000;
        profile.samples.push(sample);
    }
    let batch = added(&profile, StackLimit::default()).batch;
    let first = START_S / BUCKET_S;
    let rows = batch.samples.iter();
    let rows: Vec<_> = rows
        .map(|row| (row.bucket - first, row.times, row.weight))
        .collect();
    assert_eq!(rows.iter().map(|row| row.1).sum::<u64>(), 5);
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 50);
    assert_eq!(rows.len(), 2);
    assert_eq!(batch.span_s, START_S..START_S + 63);
}

#[test]
fn neither_directories_nor_addresses_of_memory_leave_the_host() {
    let files = [
        ("/srv/secret/app", BinaryKind::File),
        ("[kernel.kallsyms]", BinaryKind::Kernel),
        ("//anon", BinaryKind::Anonymous),
        ("[vdso]", BinaryKind::Vdso),
        ("/lib/modules/6.1/ext4.ko", BinaryKind::Kernel),
    ];
    let mut profile = profile(&files);
    for binary in 0..files.len() as u32 {
        let ip = place(&mut profile, binary, 0x1234);
        profile.samples.push(sample(ip, None));
    }
    let unmapped = profile.intern_unmapped(hone_profile::Avma(0x7fff_0000));
    profile.samples.push(sample(unmapped, None));
    struct Nameless;
    impl Host for Nameless {
        fn group(&mut self, _: &Thread) -> Group {
            Group::default()
        }
        fn unix_s(&mut self, _: u64) -> u64 {
            0
        }
        fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
            None
        }
    }
    let mut adding = Adding::new(origin(), StackLimit::default());
    for sample in &profile.samples {
        adding.add(&profile, sample, &[], &mut Nameless);
    }
    let batch = adding.finish().batch;
    let places = batch.places.iter().map(|place| match *place {
        Place::Code { binary, offset } => (batch.binaries[binary.index()].path.as_str(), offset),
        Place::Named { .. } => panic!("nothing has a name"),
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    let expected = [
        ("//anon", 0),
        ("[kernel.kallsyms]", 0),
        ("[unmapped]", 0),
        ("[vdso]", 0x1234),
        ("app", 0x1234),
        ("ext4.ko", 0),
    ];
    assert_eq!(places, expected);
}

/// Stacks of a batch with their counts, outermost first: offsets, or names.
fn shown(batch: &hone_batch::Batch) -> Vec<(String, u64)> {
    let mut shown: Vec<(String, u64)> = Vec::new();
    for row in &batch.samples {
        let mut words = Vec::new();
        let mut next = Some(row.stack);
        while let Some(frame) = next {
            let frame = batch.frames[frame.index()];
            words.push(match batch.places[frame.place.index()] {
                Place::Code { offset, .. } => offset.to_string(),
                Place::Named { name, .. } => batch.names[name.index()].clone(),
            });
            next = frame.caller;
        }
        words.reverse();
        shown.push((words.join(";"), row.times));
    }
    shown.sort();
    shown
}

#[test]
fn new_stacks_beyond_the_limit_keep_their_outermost_frames_and_their_instruction() {
    let mut profile = profile(&[("app", BinaryKind::File)]);
    let stacks: [&[u64]; 5] = [
        &[1, 2, 3],
        &[1, 2, 4, 5],
        &[1, 2, 3],
        &[9, 8],
        &[1, 2, 3, 7],
    ];
    for offsets in stacks {
        let (leaf, stack) = stack(&mut profile, offsets);
        profile.samples.push(sample(leaf, stack));
    }
    let limit = StackLimit {
        frames_max: 4,
        folded_depth: 2,
    };
    let added = added(&profile, limit);
    assert_eq!(added.folded_samples, 3);
    let mut expected = vec![
        ("1;2;3".to_owned(), 2),
        (format!("1;2;{FOLDED}"), 1),
        (format!("1;2;{FOLDED}"), 1),
        (FOLDED.to_owned(), 1),
    ];
    expected.sort();
    assert_eq!(shown(&added.batch), expected);
    let ips = added.batch.samples.iter().filter_map(|row| row.ip);
    let mut ips: Vec<u64> = ips
        .map(|ip| match added.batch.places[ip.index()] {
            Place::Code { offset, .. } => offset,
            Place::Named { .. } => panic!("instructions of the program have no names"),
        })
        .collect();
    ips.sort_unstable();
    assert_eq!(ips, [5, 7, 8]);
    let weight: u64 = added.batch.samples.iter().map(|row| row.weight).sum();
    assert_eq!(weight, 50);
}

#[test]
fn frames_stay_within_the_limit_however_many_stacks_come() {
    let profile = recording(5, 2000);
    let limit = StackLimit {
        frames_max: 100,
        folded_depth: 3,
    };
    let added = added(&profile, limit);
    assert!(added.folded_samples > 500);
    assert!(added.batch.frames.len() <= 2 * limit.frames_max + 1);
    let times: u64 = added.batch.samples.iter().map(|row| row.times).sum();
    assert_eq!(times, 2000);
}

#[test]
fn a_stack_that_is_too_deep_is_truncated() {
    let mut profile = profile(&[("app", BinaryKind::File)]);
    let offsets: Vec<u64> = (0..2000).collect();
    let (leaf, stack) = stack(&mut profile, &offsets);
    profile.samples.push(sample(leaf, stack));
    let batch = added(&profile, StackLimit::default()).batch;
    assert_eq!(batch.frames.len(), DEPTH_MAX);
    let outermost = batch.frames[0];
    let Place::Code { binary, .. } = batch.places[outermost.place.index()] else {
        panic!("an end has no name");
    };
    let end = StackEnd::Truncated.binary();
    assert_eq!(Some(&batch.binaries[binary.index()]), end.as_ref());
}

#[test]
fn the_order_of_samples_does_not_matter() {
    let profile = recording(6, 500);
    let mut adding = Adding::new(origin(), StackLimit::default());
    for sample in profile.samples.iter().rev() {
        adding.add(&profile, sample, profile.branches_of(sample), &mut Named);
    }
    let backwards = adding.finish();
    assert_eq!(backwards, added(&profile, StackLimit::default()));
}

#[test]
fn tables_stay_within_their_limit_and_what_has_no_room_is_counted() {
    let profile = recording(7, 3000);
    let room = TableLimit {
        places_max: 20,
        groups_max: 2,
        edges_max: 50,
    };
    let mut adding = Adding::new(origin(), StackLimit::default()).within(room);
    for sample in &profile.samples {
        adding.add(&profile, sample, profile.branches_of(sample), &mut Named);
    }
    let added = adding.finish();
    let whole = crate::common::added(&profile, StackLimit::default());
    let batch = &added.batch;
    // Beside the places that have room: each file as a whole, the ends of stacks, and the place of what is left out.
    assert!(batch.places.len() <= room.places_max + batch.binaries.len() + 1);
    assert!(batch.groups.len() <= 3, "{:?}", batch.groups);
    assert!(batch.branches.len() <= room.edges_max && batch.ranges.len() <= room.edges_max);
    let sums = |batch: &Batch| {
        let rows = batch.samples.iter().map(|row| [row.times, row.weight]);
        rows.fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
    };
    assert_eq!(sums(batch), sums(&whole.batch), "no sample is lost");
    let taken = |batch: &Batch| batch.branches.iter().map(|row| row.taken).sum::<u64>();
    let ran = |batch: &Batch| batch.ranges.iter().map(|row| row.times).sum::<u64>();
    assert_eq!(
        taken(batch) + added.left_out.branches,
        taken(&whole.batch),
        "branches are counted or left out"
    );
    assert_eq!(ran(batch) + added.left_out.ranges, ran(&whole.batch));
    assert!(added.left_out.places > 0 && added.coarse_samples > 0);
    assert_eq!(whole.coarse_samples, 0);
    assert_eq!(whole.left_out, LeftOut::default());
}

#[test]
fn groups_without_room_lose_their_thread_first_and_their_service_last() {
    let mut profile = profile(&[("app", BinaryKind::File)]);
    for tid in 2..7 {
        profile.intern_thread(Thread {
            pid: 1,
            tid,
            name: format!("t{tid}"),
            labels: Default::default(),
        });
    }
    let (leaf, stack) = stack(&mut profile, &[1]);
    let room = TableLimit {
        groups_max: 4,
        ..TableLimit::NONE
    };
    let mut adding = Adding::new(origin(), StackLimit::default()).within(room);
    for thread in 0..6 {
        let sample = Sample {
            thread: ThreadId(thread),
            ..sample(leaf, stack)
        };
        let mut host = EachAService(thread);
        adding.add(&profile, &sample, &[], &mut host);
    }
    let added = adding.finish();
    let mut services: Vec<_> = added
        .batch
        .groups
        .iter()
        .map(|group| format!("{}/{}", group.service, group.thread))
        .collect();
    services.sort();
    let others = format!("{OTHERS}/");
    assert_eq!(
        services,
        [others.as_str(), "s0/", "s1/t2", "s2/t3", "s3/t4", "s4/"]
    );
    assert_eq!(added.coarse_samples, 2);
}

/// A host on which every thread is of a service of its own.
struct EachAService(u32);

impl Host for EachAService {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: format!("s{}", self.0),
            thread: thread.name.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, _: u64) -> u64 {
        0
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}
