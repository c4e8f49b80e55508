//! Whether recorded branches can be true: decoded from the very files they are said to be in.

use hone_profile::{BinaryKind, LocationId, Profile};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fs;

/// Bytes of the files that branches lie in.
struct Files<'a> {
    profile: &'a Profile,
    /// Files that stand elsewhere for the target than for us.
    elsewhere: &'a BTreeMap<String, String>,
    bytes: FxHashMap<String, Option<Vec<u8>>>,
}

/// Checks every walked branch that lies in a file: a branch instruction stands at its start, a direct one leads to
/// its end, and straight-line code leads on from there to the next branch. Returns how many branches were
/// checked in each file. `elsewhere`: paths of the recording, and where we find these files.
pub(crate) fn check(
    profile: &Profile,
    elsewhere: &BTreeMap<String, String>,
) -> BTreeMap<String, u64> {
    let mut files = Files {
        profile,
        elsewhere,
        bytes: FxHashMap::default(),
    };
    let mut checked = BTreeMap::new();
    for sample in &profile.samples {
        let branches = profile.branches_of(sample);
        for branch in branches {
            if let Some(path) = files.check_branch(branch.from, branch.to) {
                *checked.entry(path).or_default() += 1;
            }
        }
        // Newest first.
        for pair in branches.windows(2) {
            files.check_range(pair[1].to, pair[0].from);
        }
    }
    checked
}

impl Files<'_> {
    /// The file of a location and the place in it.
    fn place(&self, id: LocationId) -> Option<(&str, u64)> {
        let location = self.profile.location(id);
        let binary = self.profile.binary(location.binary);
        assert_ne!(
            binary.kind,
            BinaryKind::Unmapped,
            "{:#x} in no mapping",
            location.offset.0
        );
        (binary.kind == BinaryKind::File).then_some((binary.path.as_str(), location.offset.0))
    }

    fn decode(&mut self, path: &str, offset: u64) -> Option<Instruction> {
        let elsewhere = self.elsewhere.get(path).map_or(path, String::as_str);
        let bytes = self
            .bytes
            .entry(path.to_owned())
            .or_insert_with(|| fs::read(elsewhere).ok());
        let code = bytes.as_ref()?.get(offset as usize..)?;
        Some(Decoder::with_ip(64, code, offset, DecoderOptions::NONE).decode())
    }

    fn check_branch(&mut self, from: LocationId, to: LocationId) -> Option<String> {
        let (path, offset) = self.place(from)?;
        let path = path.to_owned();
        let target = self
            .place(to)
            .filter(|(file, _)| *file == path)
            .map(|(_, offset)| offset);
        let branch = self.decode(&path, offset)?;
        match branch.flow_control() {
            FlowControl::ConditionalBranch
            | FlowControl::UnconditionalBranch
            | FlowControl::Call => {
                let direct = Some(branch.near_branch_target());
                assert_eq!(direct, target, "{path} {offset:#x} branches elsewhere");
            }
            FlowControl::IndirectBranch | FlowControl::IndirectCall | FlowControl::Return => {}
            other => panic!("{path} {offset:#x} is no branch: {other:?}"),
        }
        Some(path)
    }

    fn check_range(&mut self, start: LocationId, end: LocationId) {
        let (Some((path, mut at)), Some((last, end))) = (self.place(start), self.place(end)) else {
            return;
        };
        assert_eq!(
            path, last,
            "straight-line code from {at:#x} into another file"
        );
        let path = path.to_owned();
        while at < end {
            let Some(passed) = self.decode(&path, at) else {
                return;
            };
            let goes_on = matches!(
                passed.flow_control(),
                FlowControl::Next | FlowControl::ConditionalBranch
            );
            assert!(
                !passed.is_invalid() && goes_on,
                "{path}: nothing leads behind {at:#x}"
            );
            at += passed.len() as u64;
        }
        assert_eq!(at, end, "{path}: a range does not meet its end");
    }
}
