//! Restarts, a full queue, torn and damaged files.

use super::*;
use crate::compress::Compression;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use tempfile::TempDir;

const SMALL: u64 = 16 * 1024;

fn parcel(points: u64, size: usize) -> Parcel {
    Parcel {
        body: Arc::from(vec![points as u8; size]),
        compression: Compression::Zstd(-3),
        points,
        samples: 2 * points,
        histograms: 3,
    }
}

fn options(directory: &TempDir, bytes_max: u64) -> DiskOptions {
    DiskOptions {
        directory: directory.path().join("queue"),
        bytes_max,
        fsync: Fsync::Segments,
    }
}

fn open(directory: &TempDir) -> SegmentQueue {
    SegmentQueue::open(options(directory, SMALL)).unwrap()
}

fn push(queue: &mut SegmentQueue, parcel: &Parcel) -> Cost {
    let (cost, written) = queue.push(parcel);
    written.unwrap();
    cost
}

fn all(queue: &mut SegmentQueue) -> Vec<u64> {
    let mut points = Vec::new();
    while let (Some(parcel), _) = queue.take() {
        points.push(parcel.points);
        queue.done();
    }
    points
}

fn segments(directory: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory.path().join("queue")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_segment = |path: &PathBuf| path.extension().is_some_and(|end| end == "segment");
    let mut paths: Vec<_> = paths.filter(is_segment).collect();
    paths.sort();
    paths
}

#[test]
fn what_was_not_done_is_there_after_a_restart_in_order() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    for points in 1..=6 {
        assert_eq!(push(&mut queue, &parcel(points, 500)), Cost::default());
    }
    let (first, _) = queue.take();
    assert_eq!(first, Some(parcel(1, 500)));
    queue.done();
    // A parcel that was taken and is not done is sent again.
    assert_eq!(queue.take().0.unwrap().points, 2);
    assert_eq!(queue.size().0, 2 + 3 + 4 + 5 + 6);
    drop(queue);
    let mut queue = open(&directory);
    assert_eq!((queue.size().0, queue.torn_records()), (20, 0));
    push(&mut queue, &parcel(7, 500));
    assert_eq!(all(&mut queue), [2, 3, 4, 5, 6, 7]);
    assert_eq!(queue.size(), (0, 0));
    assert!(segments(&directory).is_empty());
    drop(queue);
    let mut queue = open(&directory);
    push(&mut queue, &parcel(8, 500));
    drop(queue);
    assert_eq!(all(&mut open(&directory)), [8]);
}

#[test]
fn a_full_queue_drops_its_oldest_and_says_how_many() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    let mut lost = 0;
    for _ in 0..100 {
        lost += push(&mut queue, &parcel(10, 1000)).full;
        assert!(queue.size().1 <= SMALL);
    }
    let left = queue.size().0;
    assert!(lost > 0 && left > 0);
    assert_eq!(lost + left, 1000);
    assert_eq!(all(&mut queue).len() as u64 * 10, left);
    let too_large = push(&mut queue, &parcel(5, SMALL as usize));
    assert_eq!(too_large.full, 5);
}

#[test]
fn the_parcel_under_way_is_not_counted_as_dropped() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    push(&mut queue, &parcel(1, 1000));
    assert_eq!(queue.take().0.unwrap().points, 1);
    assert!(queue.keeps_taken());
    let lost: u64 = (0..100)
        .map(|_| push(&mut queue, &parcel(10, 1000)).full)
        .sum();
    assert!(!queue.keeps_taken());
    assert_eq!(lost + queue.size().0, 1001);
    queue.done();
    assert_eq!(lost + queue.size().0, 1000);
    let left = queue.size().0;
    drop(queue);
    assert_eq!(open(&directory).size().0, left);
}

#[test]
fn a_torn_tail_is_cut_off_and_counted_wherever_it_is_torn() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    push(&mut queue, &parcel(1, 300));
    push(&mut queue, &parcel(2, 300));
    drop(queue);
    let path = segments(&directory).remove(0);
    let whole = fs::read(&path).unwrap();
    let second = MAGIC.len() + (whole.len() - MAGIC.len()) / 2;
    for end in [
        second + 1,
        second + 7,
        second + 8,
        second + 40,
        whole.len() - 1,
    ] {
        fs::write(&path, &whole[..end]).unwrap();
        let mut queue = open(&directory);
        assert_eq!((queue.size().0, queue.torn_records()), (1, 1), "{end}");
        push(&mut queue, &parcel(3, 300));
        // The next start finds the torn record gone.
        drop(queue);
        let mut queue = open(&directory);
        assert_eq!(queue.torn_records(), 0);
        assert_eq!(all(&mut queue), [1, 3], "{end}");
        drop(queue);
        fs::remove_dir_all(directory.path().join("queue")).unwrap();
        fs::create_dir(directory.path().join("queue")).unwrap();
    }
}

#[test]
fn damage_after_the_start_is_counted_and_the_next_segment_read() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    for _ in 0..6 {
        push(&mut queue, &parcel(1, 900));
    }
    let path = segments(&directory).remove(0);
    let in_first = {
        let content = segment::scan(&path, 0).unwrap();
        content.points
    };
    assert!(segments(&directory).len() > 1);
    let mut bytes = fs::read(&path).unwrap();
    bytes[MAGIC.len() + 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let (next, cost) = queue.take();
    assert_eq!(cost.damaged, in_first);
    assert!(next.is_some());
    queue.done();
    assert_eq!(all(&mut queue).len() as u64, 6 - in_first - 1);
}

#[test]
fn a_damaged_cursor_loses_nothing() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    push(&mut queue, &parcel(1, 100));
    push(&mut queue, &parcel(2, 100));
    queue.take();
    queue.done();
    drop(queue);
    fs::write(directory.path().join("queue/cursor"), [7; CURSOR_BYTES]).unwrap();
    assert_eq!(all(&mut open(&directory)), [1, 2]);
}

#[test]
fn two_processes_cannot_share_it_and_nobody_else_reads_it() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    push(&mut queue, &parcel(1, 100));
    let second = SegmentQueue::open(options(&directory, SMALL));
    assert!(matches!(second, Err(OpenError::InUse(_))));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&segments(&directory)[0]), 0o600);
    assert_eq!(mode(&directory.path().join("queue/cursor")), 0o600);
    assert_eq!(mode(&directory.path().join("queue")), 0o700);
}

#[test]
fn a_disk_that_takes_nothing_more_says_so() {
    let directory = TempDir::new().unwrap();
    let mut queue = open(&directory);
    // No file can be made where there is no directory.
    fs::remove_dir_all(directory.path().join("queue")).unwrap();
    assert!(queue.push(&parcel(4, 100)).1.is_err());
    assert_eq!(queue.size(), (0, 0));
}

#[test]
fn a_lock_that_somebody_has_for_a_moment_yet_is_waited_for() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("queue")).unwrap();
    let lock = private(&directory.path().join("queue/lock")).unwrap();
    lock.try_lock().unwrap();
    let moment = thread::spawn(move || {
        thread::sleep(LOCK_PAUSE * 10);
        drop(lock);
    });
    let again = private(&directory.path().join("queue/lock")).unwrap();
    locked(&again, testkit::PATIENCE).unwrap();
    moment.join().unwrap();
}
