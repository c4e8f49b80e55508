//! Views and conversions of a batch are those of the recording that it was made of.

use hone_batch::{Batch, Limits, Restored, StackLimit, restore, wire};
use hone_fdo::{BranchCount, Evidence, Recorded, Tally, convert, extbinary, go_pgo};
use hone_profile::{BinaryKind, EventId, Profile};
use hone_views::{By, NamedFrame, Names, StackTally, Stacks, folded, table};
use testkit::fixture;

use crate::common::{added, kernel_name, recording};

/// What is counted of a recording or of a batch.
struct Counted {
    recorded: Recorded,
    stacks: StackTally,
    go: go_pgo::Stacks,
}

fn of_recording(profile: Profile) -> Counted {
    let mut stacks = StackTally::default();
    let mut go = go_pgo::Stacks::default();
    for sample in &profile.samples {
        stacks.add(sample);
        go.add(&profile, sample);
    }
    Counted {
        recorded: profile.into(),
        stacks,
        go,
    }
}

fn of_batch(batch: &Batch) -> Counted {
    let mut tally = Tally::default();
    let mut stacks = StackTally::default();
    let mut go = go_pgo::Stacks::default();
    let profile = restore(batch, |profile, row| match row {
        Restored::Samples {
            sample,
            has_records,
        } => {
            tally.add_summed(profile, sample, has_records);
            stacks.add(sample);
            go.add(profile, sample);
        }
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
    Counted {
        recorded: Recorded::new(profile, tally),
        stacks,
        go,
    }
}

/// Sends a batch through its bytes.
fn sent(batch: &Batch) -> Batch {
    wire::read(&wire::write(batch), &Limits::default()).expect("a batch")
}

/// Names the places in the kernel, as a command does that finds its symbols.
fn names(profile: &Profile, tally: &StackTally, event: EventId) -> Names {
    let mut names = Names::default();
    for (binary, places) in tally.places(profile, event) {
        if profile.binary(binary).kind != BinaryKind::Kernel {
            continue;
        }
        for place in places {
            let function = kernel_name(profile, place.location, place.is_return);
            let named = NamedFrame {
                function,
                ..NamedFrame::default()
            };
            names.insert(place, vec![named]);
        }
    }
    names
}

fn named(counted: &Counted, event: EventId) -> Stacks {
    let profile = &counted.recorded.profile;
    let names = names(profile, &counted.stacks, event);
    Stacks::new(profile, &counted.stacks, event, &names)
}

fn event_named(profile: &Profile, name: &str) -> EventId {
    let at = profile.events.iter().position(|event| event.name == name);
    EventId(at.expect("the event") as u32)
}

fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn views_of_a_batch_are_those_of_its_recording() {
    let profile = recording(1, 3000);
    let added = added(&profile, StackLimit::default());
    assert_eq!(added.folded_samples, 0);
    let recorded = of_recording(profile);
    let restored = of_batch(&sent(&added.batch));
    for event in &recorded.recorded.profile.events {
        let of = |counted| named(counted, event_named(&counted.recorded.profile, &event.name));
        let (theirs, ours) = (of(&recorded), of(&restored));
        assert!(!theirs.stacks.is_empty());
        assert_eq!(sorted_lines(&folded(&ours)), sorted_lines(&folded(&theirs)));
        let losses = |stacks: &Stacks| (stacks.broken, stacks.truncated, stacks.unknown.clone());
        assert_eq!(losses(&ours), losses(&theirs));
        assert_eq!(ours.builds, theirs.builds);
        let methods = ["method".to_owned()];
        for by in [By::Function, By::Binary, By::Thread, By::Label(&methods)] {
            let rows = |stacks| {
                let rows = table(stacks, by)
                    .rows
                    .into_iter()
                    .map(|row| format!("{row:?}"));
                let mut rows: Vec<String> = rows.collect();
                rows.sort_unstable();
                rows
            };
            let of_threads = matches!(by, By::Thread);
            assert_eq!(rows(&ours).len(), rows(&theirs).len());
            if !of_threads {
                assert_eq!(rows(&ours), rows(&theirs));
            }
        }
        let effective = ours.effective_samples() / theirs.effective_samples();
        assert!((effective - 1.0).abs() < 1e-9);
    }
    let counts = |counted: &Counted| {
        let events = counted.recorded.events_with_stacks();
        let mut events: Vec<_> = events
            .into_iter()
            .map(|(name, stacks, n)| (name.to_owned(), stacks, n))
            .collect();
        events.sort();
        (events, counted.recorded.places_by_samples())
    };
    assert_eq!(counts(&restored), counts(&recorded));
}

#[test]
fn a_compiler_profile_of_a_batch_is_that_of_its_recording() {
    let recording = std::fs::read(fixture("test.lbr")).expect("the recording");
    let profile = hone_profile::perf_data::read(&recording).expect("a readable recording");
    let path = fixture("test.binary");
    let binary = std::fs::read(&path).expect("the program");
    let batch = sent(&added(&profile, StackLimit::default()).batch);
    let convert = |counted: Counted, evidence| {
        convert(&[counted.recorded], evidence, path.to_str(), &binary).expect("a profile")
    };
    for evidence in [Evidence::Branches, Evidence::IpSamples] {
        let theirs = convert(of_recording(profile.clone()), evidence);
        let ours = convert(of_batch(&batch), evidence);
        assert_eq!(ours.counts, theirs.counts);
        let bytes = |converted: &hone_fdo::Converted| {
            extbinary::write(&converted.attribution.samples, Some(&converted.symbols))
        };
        assert_eq!(bytes(&ours), bytes(&theirs));
    }
}

/// The counts of a made up recording in the program's own file, whatever the events: walks, partial stacks and plain samples.
#[test]
fn all_kinds_of_branch_stacks_are_counted_alike() {
    let profile = recording(2, 3000);
    let batch = sent(&added(&profile, StackLimit::default()).batch);
    // Any program with code at the offsets of the recording.
    let bytes = std::fs::read(fixture("test.binary")).expect("the program");
    let binary = hone_symbols::Binary::parse(&bytes).expect("an ELF file");
    let code = hone_fdo::Code::new(&binary);
    for evidence in [Evidence::Branches, Evidence::IpSamples] {
        let count = |counted: Counted| {
            let profile = &counted.recorded.profile;
            let at = profile
                .binaries
                .iter()
                .position(|binary| binary.path == "app");
            let id = hone_profile::BinaryId(at.expect("the program") as u32);
            hone_fdo::aggregate(&counted.recorded, &[id], &code, evidence)
        };
        let theirs = count(of_recording(profile.clone()));
        let ours = count(of_batch(&batch));
        assert!(theirs.report.branches_repeated > 0 || evidence == Evidence::IpSamples);
        assert!(theirs.report.ip_weight_kernel > 0);
        assert_eq!(ours, theirs);
    }
}

#[test]
fn call_chains_for_go_are_there() {
    let profile = recording(3, 100);
    let batch = sent(&added(&profile, StackLimit::default()).batch);
    assert!(of_batch(&batch).go.has_chains());
}

/// What `docs/hub/inputs.md` says of standard errors, which are one over the root of the effective samples.
#[test]
fn samples_of_a_row_count_as_equally_heavy() {
    let mut profile = recording(4, 200);
    let first = profile.samples[0].clone();
    for (at, sample) in profile.samples.iter_mut().enumerate() {
        // The standard deviation of the weights is half their mean.
        let weight = if at % 2 == 0 { 1 } else { 3 };
        *sample = hone_profile::Sample {
            weight,
            ..first.clone()
        };
    }
    let batch = sent(&added(&profile, StackLimit::default()).batch);
    assert_eq!(batch.samples.len(), 1);
    let effective = |counted: &Counted, event| named(counted, event).effective_samples();
    let (theirs, ours) = (of_recording(profile), of_batch(&batch));
    assert!((effective(&theirs, first.event) - 200.0 / 1.25).abs() < 1e-9);
    assert!((effective(&ours, EventId(0)) - 200.0).abs() < 1e-9);
}
