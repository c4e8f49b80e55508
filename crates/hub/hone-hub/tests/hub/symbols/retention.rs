//! What goes away, and what stays.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use hone_hub::store::objects::Objects;
use hone_hub::symbols::Artifact;
use hone_hub::symbols::limits::{Limits, STORING_S_MAX};
use hone_profile::BuildId;

use super::common::{NOON_S, PLAIN, SMALL, TENANT, build_of, symbols};
use crate::disk::{Disk, Kind};

const DAY_S: u64 = 86_400;

/// Two programs of different builds.
fn two() -> Option<(tempfile::TempDir, [(PathBuf, BuildId); 2])> {
    let directory = tempfile::tempdir().unwrap();
    let build = |recipe: super::common::Recipe, name: &str| {
        let path = directory.path().join(name);
        std::fs::rename(recipe.build(directory.path())?, &path).unwrap();
        let build = build_of(&path);
        Some((path, build))
    };
    let programs = [build(SMALL, "one")?, build(PLAIN, "other")?];
    Some((directory, programs))
}

#[test]
fn builds_without_samples_go_and_those_with_samples_stay() {
    let Some((_directory, [(one, one_id), (other, other_id)])) = two() else {
        return;
    };
    let limits = Limits {
        days_kept: 10,
        ..Limits::default()
    };
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let symbols = symbols(disk.clone(), limits);
    for path in [&one, &other] {
        let file = File::open(path).unwrap();
        symbols.take(TENANT, &file, NOON_S).unwrap();
    }
    let is_there = |build: &BuildId| {
        let found = symbols.get(TENANT, build, Artifact::Executable).unwrap();
        found.is_some()
    };
    // One has samples on the ninth day; of a third build there are samples, and no files.
    let third = BuildId::new(&[3; 20]).unwrap();
    let seen = [one_id.clone(), third.clone()];
    symbols.seen(TENANT, &seen, NOON_S + 9 * DAY_S).unwrap();
    let done = symbols.retain(TENANT, NOON_S + 9 * DAY_S).unwrap();
    assert_eq!((done.builds, done.objects), (0, 0));
    let done = symbols.retain(TENANT, NOON_S + 11 * DAY_S).unwrap();
    assert_eq!(done.builds, 1);
    assert!(is_there(&one_id) && !is_there(&other_id));
    let left = disk.list("acme/symbols/").unwrap();
    let mut others = left
        .iter()
        .filter(|file| !file.name.contains(&one_id.to_string()));
    assert_eq!(others.next(), None);
    // A question counts as much.
    let offset = hone_profile::FileOffset(0x1000);
    symbols
        .name_offset(TENANT, &one_id, offset, NOON_S + 15 * DAY_S)
        .unwrap();
    symbols.retain(TENANT, NOON_S + 24 * DAY_S).unwrap();
    assert!(is_there(&one_id));
    symbols.retain(TENANT, NOON_S + 40 * DAY_S).unwrap();
    assert_eq!(disk.list("acme/symbols/").unwrap(), []);
}

#[test]
fn the_build_that_was_not_seen_for_longest_makes_room() {
    let Some((_directory, [(one, one_id), (other, other_id)])) = two() else {
        return;
    };
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let uploads = symbols(disk.clone(), Limits::default());
    for (path, day) in [(&one, 0), (&other, 1)] {
        let file = File::open(path).unwrap();
        uploads.take(TENANT, &file, NOON_S + day * DAY_S).unwrap();
    }
    let bytes: u64 = disk
        .list("acme/")
        .unwrap()
        .iter()
        .map(|file| file.bytes)
        .sum();
    let limits = Limits {
        tenant_bytes: bytes,
        ..Limits::default()
    };
    let limited = symbols(disk.clone(), limits);
    // What has just come is not removed again.
    limited.retain(TENANT, NOON_S + DAY_S / 2).unwrap();
    assert!(
        limited
            .get(TENANT, &one_id, Artifact::Executable)
            .unwrap()
            .is_some()
    );
    limited.retain(TENANT, NOON_S + 3 * DAY_S).unwrap();
    assert!(
        limited
            .get(TENANT, &one_id, Artifact::Executable)
            .unwrap()
            .is_none()
    );
    assert!(
        limited
            .get(TENANT, &other_id, Artifact::Executable)
            .unwrap()
            .is_some()
    );
}

#[test]
fn parts_of_uploads_that_did_not_end_go_once_they_are_old() {
    let Some((_directory, [(one, one_id), _])) = two() else {
        return;
    };
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let symbols = symbols(disk.clone(), Limits::default());
    let file = File::open(&one).unwrap();
    symbols.take(TENANT, &file, NOON_S).unwrap();
    let whole = disk.list("acme/symbols/").unwrap();
    let left = format!(
        "acme/symbols/{one_id}/debug/{:012}-{:016x}/00000",
        NOON_S, 1
    );
    let double = format!(
        "acme/symbols/{one_id}/executable-debug/{:012}-{:016x}/00000",
        NOON_S, 1
    );
    for name in [&left, &double] {
        disk.put(name, b"half a file").unwrap();
    }
    let done = symbols.retain(TENANT, NOON_S + STORING_S_MAX).unwrap();
    assert_eq!((done.builds, done.objects), (0, 0));
    let done = symbols.retain(TENANT, NOON_S + 3 * STORING_S_MAX).unwrap();
    assert_eq!((done.builds, done.objects), (0, 2));
    assert_eq!(disk.list("acme/symbols/").unwrap(), whole);
}
