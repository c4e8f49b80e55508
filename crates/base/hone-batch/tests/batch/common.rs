//! Recordings that are made up, with everything that a recording may have.

use hone_batch::{Added, Adding, Group, Host, Origin, StackLimit};
use hone_profile::{
    Avma, Binary, BinaryKind, BranchKind, BranchRecord, BranchStacks, BuildId, Event, EventId,
    FileOffset, Label, LocationId, Profile, Sample, StackEnd, ThirdArgument, Thread, ThreadId,
    WALK_EVENT,
};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Time at which the recordings begin, in seconds since 1970.
pub(crate) const START_S: u64 = 1_700_000_000;

/// A host that names places in the kernel and threads of odd numbers by a label.
pub(crate) struct Named;

/// Returns the name of a function in the kernel, of which each has 64 bytes.
pub(crate) fn kernel_name(profile: &Profile, at: LocationId, is_return: bool) -> String {
    let offset = profile.location(at).offset.0 - u64::from(is_return);
    format!("kernel_{:x}", offset / 64)
}

impl Host for Named {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: "shop".into(),
            thread: thread.name.clone(),
            labels: thread.labels.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, time_ns: u64) -> u64 {
        START_S + time_ns / 1_000_000_000
    }

    fn name(&mut self, profile: &Profile, at: LocationId, is_return: bool) -> Option<String> {
        let kind = profile.binary(profile.location(at).binary).kind;
        (kind == BinaryKind::Kernel).then(|| kernel_name(profile, at, is_return))
    }
}

/// Returns the origin of the batches.
pub(crate) fn origin() -> Origin {
    Origin {
        host: "box-1".into(),
        run: 7,
        number: 3,
    }
}

/// Adds up all samples of a profile.
pub(crate) fn added(profile: &Profile, limit: StackLimit) -> Added {
    let mut adding = Adding::new(origin(), limit);
    for sample in &profile.samples {
        adding.add(profile, sample, profile.branches_of(sample), &mut Named);
    }
    adding.finish()
}

/// Makes up a recording of so many samples.
pub(crate) fn recording(seed: u64, samples: usize) -> Profile {
    let mut made = Making::new(seed);
    (0..samples).for_each(|_| made.sample());
    made.profile
}

struct Making {
    profile: Profile,
    random: StdRng,
}

impl Making {
    fn new(seed: u64) -> Self {
        let mut profile = Profile::default();
        let filtered = BranchStacks::named("USER|ANY_CALL");
        for (name, branches) in [
            ("cpu-clock", BranchStacks::None),
            (WALK_EVENT, BranchStacks::Whole),
            ("br_inst_retired.near_taken", BranchStacks::Whole),
            ("calls", filtered),
        ] {
            profile.events.push(Event {
                name: name.into(),
                branches,
            });
        }
        for (path, build, kind) in [
            ("app", Some("c0ffee"), BinaryKind::File),
            ("libc.so.6", None, BinaryKind::File),
            ("[kernel.kallsyms]", Some("0123"), BinaryKind::Kernel),
            ("[vdso]", None, BinaryKind::Vdso),
            ("//anon", None, BinaryKind::Anonymous),
        ] {
            profile.intern_binary(Binary {
                path: path.into(),
                build_id: build.and_then(BuildId::from_hex),
                kind,
            });
        }
        for tid in 0..4 {
            let label = (tid % 2 == 1).then(|| Label {
                key: "method".into(),
                value: format!("Get{tid}").into(),
            });
            profile.intern_thread(Thread {
                pid: 100,
                tid: 100 + tid,
                name: format!("worker {tid}"),
                labels: label.into_iter().collect(),
            });
        }
        Self {
            profile,
            random: StdRng::seed_from_u64(seed),
        }
    }

    fn place(&mut self) -> LocationId {
        let choice = self.random.random_range(0..20);
        let offset = 0x1000 + self.random.random_range(0..32_u64) * 8;
        let binary = match choice {
            0..12 => 0,
            12..15 => 1,
            15..17 => 2,
            17 => 3,
            18 => 4,
            _ => return self.profile.intern_unmapped(Avma(offset)),
        };
        let offset = if binary == 2 {
            offset | 0xffff << 48
        } else {
            offset
        };
        self.profile
            .intern_location(hone_profile::BinaryId(binary), FileOffset(offset))
    }

    fn sample(&mut self) {
        let event = EventId(self.random.random_range(0..4));
        let ip = self.place();
        let stack = self.random.random_bool(0.8).then(|| {
            let ends = [StackEnd::Root, StackEnd::Truncated, StackEnd::Broken];
            let end = ends[self.random.random_range(0..3)];
            let mut stack = self.profile.intern_end(end);
            for _ in 0..self.random.random_range(0..6) {
                let place = self.place();
                stack = Some(self.profile.intern_frame(place, stack));
            }
            // Stacks of some recorders have no frames of the kernel, where the instruction is.
            let leaf = if self.random.random_bool(0.9) {
                ip
            } else {
                self.place()
            };
            self.profile.intern_frame(leaf, stack)
        });
        let from = self.profile.branches.len() as u32;
        if event.0 > 0 && self.random.random_bool(0.9) {
            for _ in 0..self.random.random_range(1..8) {
                let record = BranchRecord {
                    from: self.place(),
                    to: self.place(),
                    mispredicted: self.random.random_bool(0.2),
                    kind: BranchKind::Unknown,
                    third_argument: ThirdArgument::UNKNOWN,
                };
                self.profile.branches.push(record);
            }
        }
        let sample = Sample {
            event,
            thread: ThreadId(self.random.random_range(0..4)),
            time_ns: self.random.random_range(0..200_000_000_000),
            weight: 1_000_003,
            times: 1,
            ip,
            stack,
            branches: from..self.profile.branches.len() as u32,
        };
        self.profile.samples.push(sample);
    }
}
