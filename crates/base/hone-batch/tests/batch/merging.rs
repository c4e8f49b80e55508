//! Batches that become one.

use hone_batch::{Adding, BUCKET_S, Batch, Group, Merging, Origin, StackLimit, wire};
use hone_profile::Profile;

use crate::common::{Named, added, origin, recording};

fn merged(batches: &[&Batch], regroup: impl FnMut(Group) -> Option<Group>) -> Batch {
    let mut merging = Merging::new(BUCKET_S, regroup);
    batches.iter().for_each(|batch| merging.add(batch));
    merging.finish()
}

/// A batch of some of the samples of a profile.
fn part(profile: &Profile, host: &str, take: impl Fn(usize) -> bool) -> Batch {
    let origin = Origin {
        host: host.into(),
        ..origin()
    };
    let mut adding = Adding::new(origin, StackLimit::default());
    for (at, sample) in profile.samples.iter().enumerate() {
        if take(at) {
            adding.add(profile, sample, profile.branches_of(sample), &mut Named);
        }
    }
    adding.finish().batch
}

#[test]
fn parts_merge_to_the_whole_in_any_order() {
    let profile = recording(11, 800);
    let whole = part(&profile, "box-1", |_| true);
    let (a, b) = (
        part(&profile, "box-1", |at| at % 3 == 0),
        part(&profile, "box-1", |at| at % 3 != 0),
    );
    let expected = merged(&[&whole], Some);
    assert!(merged(&[&a, &b], Some) == expected, "the sum differs");
    assert_eq!(
        wire::write(&merged(&[&b, &a], Some)),
        wire::write(&expected)
    );
    assert_eq!(expected.samples.len(), whole.samples.len());
    assert_eq!(expected.frames, whole.frames);
    assert!(expected.groups.iter().all(|group| group.host == "box-1"));
    assert_eq!(expected.span_s, whole.span_s);
}

#[test]
fn hosts_and_threads_that_are_left_out_are_added_up() {
    let profile = recording(12, 500);
    let (a, b) = (
        part(&profile, "box-1", |_| true),
        part(&profile, "box-2", |_| true),
    );
    let of_service = |group: Group| {
        Some(Group {
            service: group.service,
            ..Group::default()
        })
    };
    let sum = merged(&[&a, &b], of_service);
    let alone = merged(&[&a], of_service);
    assert_eq!(sum.groups.len(), 1);
    assert_eq!(sum.samples.len(), alone.samples.len());
    for (both, one) in sum.samples.iter().zip(&alone.samples) {
        assert_eq!((both.times, both.weight), (2 * one.times, 2 * one.weight));
    }
    for (both, one) in sum.branches.iter().zip(&alone.branches) {
        assert_eq!(both.taken, 2 * one.taken);
    }
    let of_both = merged(&[&a, &b], Some);
    assert_eq!(of_both.groups.len(), 2 * a.groups.len());
}

#[test]
fn samples_of_other_groups_are_left_out_with_all_that_only_they_need() {
    let profile = recording(13, 300);
    let whole = added(&profile, StackLimit::default()).batch;
    let of_one = |group: Group| (group.thread == "worker 1").then_some(group);
    let one = merged(&[&whole], of_one);
    assert_eq!(one.groups.len(), 1);
    assert!(one.frames.len() < whole.frames.len());
    let alone = part(&profile, "box-1", |at| profile.samples[at].thread.0 == 1);
    let expected = Batch {
        span_s: whole.span_s.clone(),
        ..merged(&[&alone], Some)
    };
    assert!(one == expected, "the rows of worker 1 differ");
    let none = merged(&[&whole], |_| None);
    assert_eq!((none.frames.len(), none.places.len()), (0, 0));
}

#[test]
fn buckets_become_wider() {
    let profile = recording(14, 300);
    let whole = added(&profile, StackLimit::default()).batch;
    let mut merging = Merging::new(3600, Some);
    merging.add(&whole);
    let wide = merging.finish();
    assert!(wide.samples.len() < whole.samples.len());
    let per_hour = 3600 / BUCKET_S;
    assert!(wide.samples.iter().all(|row| row.bucket % per_hour == 0));
    let times = |batch: &Batch| batch.samples.iter().map(|row| row.times).sum::<u64>();
    assert_eq!(times(&wide), times(&whole));
}
