//! Recordings of many hosts that a hub has added up.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use anyhow::{Result, anyhow};
use hone_batch::{BUCKET_S, Batch, Merging, Restored, restore};
use hone_fdo::{BranchCount, Recorded, Tally};
use hone_files::advice::Advise;
use hone_profile::{BranchRecord, Profile, Sample};

use super::event_choice::Seen;
use crate::debug_file::Loaded;
use crate::recording::EventChoice;

/// Builds that an error lists.
const BUILDS_LISTED: usize = 10;
/// Digits of a build id that tell it from others.
const DIGITS_SHOWN: usize = 12;

/// Counts what a hub has, and passes every sample to `also`, without branch records: those are added up apart.
pub(super) fn counted(
    batch: &Batch,
    events: &EventChoice,
    mut also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
) -> Result<Recorded> {
    let takes_branches = takes_branches(batch, events)?;
    let mut tally = Tally::default();
    let mut seen = Seen::of(events);
    let profile = restore(batch, |profile, row| match row {
        Restored::Samples {
            sample,
            has_records,
        } => {
            if seen.takes(profile, sample) {
                tally.add_summed(profile, sample, has_records);
                also(profile, sample, &[]);
            }
        }
        _ if !takes_branches => {}
        Restored::Branches {
            from,
            to,
            taken,
            mispredicted,
        } => {
            let count = BranchCount {
                taken,
                mispredicted,
            };
            tally.add_branch(from, to, count);
        }
        Restored::Ranges { first, last, times } => tally.add_range(first, last, times),
        Restored::Records { branches, repeated } => tally.add_records(branches, repeated),
    });
    seen.end(&profile)?;
    Ok(Recorded::new(profile, tally))
}

/// Returns true if the counts of branches are of the chosen events.
///
/// # Errors
///
/// Returns an error if they are of the chosen event and of others.
fn takes_branches(batch: &Batch, events: &EventChoice) -> Result<bool> {
    let Some(wanted) = events.name() else {
        return Ok(true);
    };
    let with_branches = batch.records.iter().filter(|row| row.branches > 0);
    let names = with_branches.map(|row| batch.events[row.event.index()].name.as_str());
    let names: BTreeSet<&str> = names.collect();
    if names.contains(wanted) && names.len() > 1 {
        let all: Vec<&str> = names.into_iter().collect();
        return Err(anyhow!(
            "the hub adds up the branches of {}, so those of {wanted} cannot be had alone",
            all.join(" and ")
        ))
        .next("leave out --event");
    }
    Ok(names.contains(wanted))
}

/// Returns what is of the binary: if the binary is one of several builds of the program, what is of that build; if it is
/// a library, everything.
///
/// # Errors
///
/// Returns an error if there are several builds and the binary is none of them, nor anything else that ran.
pub(super) fn of_binary(batch: Batch, binary: &Loaded) -> Result<Batch> {
    let own = hone_symbols::build_id_of(Cursor::new(binary.image().binary));
    let own = own.ok().flatten();
    let samples = samples_by_build(&batch);
    if samples.len() < 2 {
        return Ok(batch);
    }
    if let Some(own) = own.as_ref().map(ToString::to_string)
        && samples.contains_key(own.as_str())
    {
        let mut of_own = Merging::new(BUCKET_S, |group| (group.build == own).then_some(group));
        of_own.add(&batch);
        return Ok(of_own.finish());
    }
    let mut recorded = batch.binaries.iter();
    if own.is_some() && recorded.any(|recorded| recorded.build_id == own) {
        return Ok(batch);
    }
    let what = match own {
        Some(own) => format!("none with the binary's build id, {own}"),
        None => "the binary has no build id to choose by".to_owned(),
    };
    Err(anyhow!("there are several builds, and {what}: {}", listed(&samples)))
        .next("name the binary of one of them with --binary, or choose by hub:SERVICE@BUILD and name its binary")
}

/// Returns the samples of each build of the program that is known.
fn samples_by_build(batch: &Batch) -> BTreeMap<&str, u64> {
    let mut samples: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &batch.samples {
        let build = batch.groups[row.group.index()].build.as_str();
        if !build.is_empty() {
            let of_build = samples.entry(build).or_default();
            *of_build = of_build.saturating_add(row.times);
        }
    }
    samples
}

/// Lists builds with their shares of the samples, most first.
fn listed(samples: &BTreeMap<&str, u64>) -> String {
    let all: u64 = samples.values().sum();
    let mut builds: Vec<(&str, u64)> = samples.iter().map(|(build, n)| (*build, *n)).collect();
    builds.sort_by_key(|(build, n)| (std::cmp::Reverse(*n), *build));
    let shown = builds.iter().take(BUILDS_LISTED).map(|(build, n)| {
        let digits = build.char_indices().nth(DIGITS_SHOWN);
        let start = digits.map_or(*build, |(end, _)| &build[..end]);
        format!("{start} ({:.1} %)", *n as f64 * 100.0 / all.max(1) as f64)
    });
    let shown: Vec<String> = shown.collect();
    match builds.len().saturating_sub(BUILDS_LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_batch::{
        Branches, EventIndex, Frame, FrameIndex, Group, GroupIndex, Place, PlaceIndex, Records,
        Samples,
    };
    use hone_files::advice::render;
    use hone_profile::{Binary, BinaryKind, BranchStacks, Event};

    /// A batch of one place, with samples of some builds and branch records of some events.
    fn batch(builds: &[(&str, u64)], events: &[(&str, u64)]) -> Batch {
        let mut batch = Batch {
            binaries: vec![Binary {
                path: "app".into(),
                build_id: None,
                kind: BinaryKind::File,
            }],
            places: vec![Place::Code {
                binary: hone_batch::BinaryIndex(0),
                offset: 4096,
            }],
            frames: vec![Frame {
                place: PlaceIndex(0),
                caller: None,
            }],
            ..Batch::default()
        };
        for (name, branches) in events {
            batch.records.push(Records {
                event: EventIndex(batch.events.len() as u32),
                group: GroupIndex(0),
                samples: 1,
                branches: *branches,
                repeated: 0,
            });
            batch.events.push(Event {
                name: (*name).into(),
                branches: BranchStacks::Whole,
            });
        }
        for (build, times) in builds {
            batch.samples.push(Samples {
                event: EventIndex(0),
                group: GroupIndex(batch.groups.len() as u32),
                stack: FrameIndex(0),
                ip: None,
                is_leaf_only: true,
                has_branches: false,
                bucket: 1,
                times: *times,
                weight: *times,
            });
            batch.groups.push(Group {
                build: (*build).into(),
                ..Group::default()
            });
        }
        batch.branches.push(Branches {
            group: GroupIndex(0),
            from: PlaceIndex(0),
            to: PlaceIndex(0),
            taken: 5,
            mispredicted: 0,
        });
        batch
    }

    #[test]
    fn branches_of_one_event_alone_are_taken_only_if_they_are_of_no_other() {
        let one = batch(&[("aa", 1)], &[("cycles", 3), ("calls", 0)]);
        let both = batch(&[("aa", 1)], &[("cycles", 3), ("branches", 3)]);
        let takes = |batch, event: Option<&str>| {
            let choice = EventChoice::named(event.map(str::to_owned));
            takes_branches(batch, &choice).map_err(|error| render(&error))
        };
        assert_eq!(takes(&one, Some("cycles")), Ok(true));
        assert_eq!(takes(&one, Some("calls")), Ok(false));
        assert_eq!(takes(&both, None), Ok(true));
        assert_eq!(
            takes(&both, Some("cycles")),
            Err(
                "hone: the hub adds up the branches of branches and cycles, so those of cycles cannot be had alone\n\
                 next: leave out --event\n"
                    .to_owned()
            )
        );
    }

    #[test]
    fn builds_are_listed_by_their_samples() {
        let long = "0123456789abcdef0123456789abcdef01234567";
        let batch = batch(
            &[("aa", 1), (long, 2), ("", 9), (long, 1)],
            &[("cycles", 0)],
        );
        let samples = samples_by_build(&batch);
        assert_eq!(listed(&samples), "0123456789ab (75.0 %), aa (25.0 %)");
        let many: BTreeMap<&str, u64> = (0..12).map(|n| (&long[n..], 1)).collect();
        assert!(listed(&many).ends_with(" and 2 more"), "{}", listed(&many));
    }
}
