//! A store that the first version wrote: every later version reads it, and goes on with it, also in a bucket.
//!
//! `HONE_FIRST_FORMAT=1 cargo test -p hone-hub --test hub writes_the_first_format` wrote `tests/data/first`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hone_hub::store::objects::Objects;
use hone_hub::store::s3::S3;
use hone_hub::store::{Location, Store};
use testkit::BucketServer;

use super::fleet::{Detail, MIDNIGHT_S, Sent, TENANT, options, sums_in, sums_of};
use super::s3::bucket;
use super::summed::agree;

const DAY_MINUTES: u32 = 24 * 60;

fn first() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/first")
}

fn sent(number: u64) -> Sent {
    Sent {
        host: number as u8 % 3,
        number,
        minute: number as u32 * DAY_MINUTES / 3,
    }
}

/// Numbers of the batches, of two days.
const NUMBERS: std::ops::Range<u64> = 0..5;

fn open(folder: &Path) -> Store {
    Store::open(Location::Folder(folder.to_owned()), options()).unwrap()
}

/// No test: writes the folder that later versions must read.
#[test]
fn writes_the_first_format() {
    if std::env::var_os("HONE_FIRST_FORMAT").is_none() {
        return;
    }
    let folder = first();
    assert!(!folder.exists(), "{} is there already", folder.display());
    let store = open(&folder);
    // A day, hours, and a segment that is not compacted; copies of batches in all of them.
    for number in NUMBERS {
        let batch = sent(number);
        for _ in 0..2 {
            let now_s = batch.start_s() + 120;
            store.append(TENANT, &batch.received(), now_s).unwrap();
        }
        if number < NUMBERS.end - 1 {
            store.compact(batch.start_s() + 2 * 3600).unwrap();
        }
    }
    let late_s = sent(NUMBERS.end - 1).start_s() + 3 * 3600;
    store.retain(late_s).unwrap();
    drop(store);
    fs::remove_file(folder.join("lock")).unwrap();
    fs::remove_dir(folder.join("tmp")).unwrap();
}

#[test]
fn the_first_format_is_read_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    copy(&first(), folder.path());
    let has = |ending: &str| contains(folder.path(), ending);
    assert!(has("-1.parquet") && has("-2.parquet") && has(".segment"));
    is_gone_on_with(&open(folder.path()));
}

#[test]
#[ignore = "further end to end"]
fn the_files_of_a_folder_go_on_in_a_bucket() {
    let Some(server) = BucketServer::start() else {
        return;
    };
    let objects = S3::open(&bucket(&server)).unwrap();
    for file in files(&first()) {
        let name = file.strip_prefix(first()).unwrap().to_str().unwrap();
        objects.put(name, &fs::read(&file).unwrap()).unwrap();
    }
    let mut options = options();
    options.gather = Some(Duration::ZERO);
    is_gone_on_with(&Store::open(Location::Bucket(bucket(&server)), options).unwrap());
}

fn is_gone_on_with(store: &Store) {
    let expected = sums_of(NUMBERS.map(sent), Detail::Days);
    assert_eq!(sums_in(store, Detail::Days), expected);
    sums_agree(store);
    // What it knew of copies counts still.
    let now_s = MIDNIGHT_S + 2 * 86_400;
    for number in NUMBERS.start..=NUMBERS.end {
        let batch = sent(number).received();
        store.append(TENANT, &batch, now_s).unwrap();
    }
    store.compact(now_s + 7200).unwrap();
    store.retain(now_s + 7200).unwrap();
    let expected = sums_of((NUMBERS.start..=NUMBERS.end).map(sent), Detail::Days);
    assert_eq!(sums_in(store, Detail::Days), expected);
    sums_agree(store);
}

/// Files of the first format have no sums: they are made of the samples.
fn sums_agree(store: &Store) {
    for span_s in [0..u64::MAX, MIDNIGHT_S + 3600..MIDNIGHT_S + 30 * 3600 + 90] {
        agree(store, &span_s).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
    }
}

fn contains(folder: &Path, ending: &str) -> bool {
    let files = files(folder);
    let mut names = files.iter().map(|file| file.to_string_lossy());
    names.any(|name| name.ends_with(ending))
}

/// Returns the files of a directory and of those in it.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}
