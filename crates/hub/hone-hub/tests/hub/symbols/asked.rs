//! Places that names are asked for.

use std::collections::BTreeMap;
use std::path::Path;

use hone_batch::{
    Batch, BinaryIndex, EventIndex, Frame, FrameIndex, Group, GroupIndex, NameIndex, Place,
    PlaceIndex, Samples,
};
use hone_profile::{
    Binary, BinaryId, BinaryKind, BranchStacks, BuildId, Event, FileOffset, Profile, Svma,
};

/// Returns a profile with places all over the code of a file: each as an instruction and as a return address.
pub(crate) fn all_code(
    parsed: &hone_symbols::Binary<'_>,
    step: usize,
) -> (Profile, BTreeMap<BinaryId, Vec<hone_views::Place>>) {
    let mut profile = Profile::default();
    let binary = profile.intern_binary(file("program", parsed.build_id().cloned()));
    let mut places = Vec::new();
    for range in parsed.executable_ranges() {
        for svma in range.clone().step_by(step) {
            let Some(offset) = parsed.file_offset_of(Svma(svma)) else {
                continue;
            };
            let location = profile.intern_location(binary, offset);
            places.extend([false, true].map(|is_return| hone_views::Place {
                location,
                is_return,
            }));
        }
    }
    // Places that no segment loads, or that are no code.
    for offset in [0, 1, u64::MAX / 2] {
        let location = profile.intern_location(binary, FileOffset(offset));
        places.push(hone_views::Place {
            location,
            is_return: true,
        });
    }
    (profile, BTreeMap::from([(binary, places)]))
}

pub(crate) fn file(path: &str, build_id: Option<BuildId>) -> Binary {
    Binary {
        path: path.to_owned(),
        build_id,
        kind: BinaryKind::File,
    }
}

/// Returns the offset of the first instruction of a function.
pub(crate) fn start_of(path: &Path, function: &str) -> u64 {
    let bytes = std::fs::read(path).unwrap();
    let binary = hone_symbols::Binary::parse(&bytes).unwrap();
    let function = binary.functions().by_name(function).unwrap();
    binary.file_offset_of(function.start).unwrap().0
}

/// Returns a batch with samples in `twice` of [`super::common::SMALL`] of a build, called from another file, and one in
/// the kernel below it.
pub(crate) fn batch(build: &BuildId, offset: u64) -> Batch {
    let kernel = Binary {
        path: "[kernel.kallsyms]".to_owned(),
        build_id: None,
        kind: BinaryKind::Kernel,
    };
    let code = |binary, offset| Place::Code {
        binary: BinaryIndex(binary),
        offset,
    };
    let frame = |place, caller: Option<u32>| Frame {
        place: PlaceIndex(place),
        caller: caller.map(FrameIndex),
    };
    let samples = |event, stack, weight| Samples {
        event: EventIndex(event),
        group: GroupIndex(0),
        stack: FrameIndex(stack),
        ip: None,
        is_leaf_only: false,
        has_branches: false,
        bucket: 0,
        times: 1,
        weight,
    };
    let event = |name: &str| Event {
        name: name.to_owned(),
        branches: BranchStacks::None,
    };
    Batch {
        events: vec![event("cpu-clock"), event("faults")],
        binaries: vec![
            file("program", Some(build.clone())),
            file("old", None),
            kernel,
        ],
        names: vec!["schedule".to_owned()],
        places: vec![
            code(0, offset),
            code(1, 77),
            Place::Named {
                binary: BinaryIndex(2),
                name: NameIndex(0),
            },
        ],
        frames: vec![
            frame(1, None),
            frame(0, Some(0)),
            frame(2, Some(1)),
            frame(1, Some(1)),
        ],
        groups: vec![Group::default()],
        samples: vec![
            samples(0, 1, 500),
            samples(0, 2, 30),
            samples(0, 3, 7),
            samples(1, 1, 1),
        ],
        ..Batch::default()
    }
}
