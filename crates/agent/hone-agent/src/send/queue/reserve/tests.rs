//! A disk that fails and works again, while parcels come and go.

use super::*;
use crate::compress::Compression;
use crate::send::queue::Fsync;
use crate::send::queue::disk::Files;
use proptest::prelude::*;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use tempfile::TempDir;

/// Files that fail with the given error number after half of the bytes, as a disk that gets full does; 0 means no
/// error.
#[derive(Clone, Default)]
struct Failing(Arc<AtomicI32>);

impl Files for Failing {
    fn write(&self, file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
        match self.0.load(Ordering::Relaxed) {
            0 => file.write_all_at(bytes, at),
            errno => {
                file.write_all_at(&bytes[..bytes.len() / 2], at)?;
                Err(io::Error::from_raw_os_error(errno))
            }
        }
    }
}

impl Failing {
    fn set(&self, errno: i32) {
        self.0.store(errno, Ordering::Relaxed);
    }
}

fn parcel(points: u64) -> Parcel {
    Parcel {
        body: Arc::from(vec![points as u8; 500]),
        compression: Compression::Snappy,
        points,
        samples: points,
        histograms: 0,
    }
}

fn open(directory: &TempDir, bytes_max: u64) -> (DiskQueue, Failing) {
    let options = DiskOptions {
        directory: directory.path().join("queue"),
        bytes_max,
        fsync: Fsync::Never,
    };
    let (mut queue, failing) = (DiskQueue::open(options).unwrap(), Failing::default());
    queue.disk.write_by(Box::new(failing.clone()));
    (queue, failing)
}

fn next(queue: &mut DiskQueue) -> Option<u64> {
    let (parcel, cost) = queue.take();
    assert_eq!(cost, Cost::default());
    let points = parcel?.points;
    queue.done();
    Some(points)
}

#[test]
fn what_a_disk_does_not_take_waits_in_memory_in_its_order_and_goes_there_later() {
    let errors = [
        libc::ENOSPC,
        libc::EIO,
        libc::EROFS,
        libc::EDQUOT,
        libc::EACCES,
    ];
    for errno in errors {
        let directory = TempDir::new().unwrap();
        let (mut queue, disk) = open(&directory, 1 << 20);
        queue.push(parcel(1));
        queue.push(parcel(2));
        disk.set(errno);
        for points in 3..=5 {
            assert_eq!(queue.push(parcel(points)), Cost::default(), "{errno}");
        }
        let said = queue.trouble().unwrap().to_owned();
        assert!(
            said.contains("cannot be written: ") && said.contains("queue"),
            "{said}"
        );
        assert_eq!((queue.unwritten(), queue.size().0), (12, 15));
        assert!(!queue.survives());
        for points in 1..=3 {
            assert_eq!(next(&mut queue), Some(points));
        }
        disk.set(0);
        assert_eq!(queue.push(parcel(6)), Cost::default());
        assert_eq!((queue.trouble(), queue.survives()), (None, true));
        drop(queue);
        let (mut queue, _) = open(&directory, 1 << 20);
        assert_eq!((queue.torn_records(), queue.size().0), (0, 15));
        let rest: Vec<u64> = std::iter::from_fn(|| next(&mut queue)).collect();
        assert_eq!(rest, [4, 5, 6]);
    }
}

#[test]
fn memory_is_bounded_and_what_it_has_no_room_for_is_counted() {
    let directory = TempDir::new().unwrap();
    let (mut queue, disk) = open(&directory, 2000);
    disk.set(libc::ENOSPC);
    let lost: u64 = (1..=10).map(|points| queue.push(parcel(points)).disk).sum();
    assert_eq!(lost + queue.size().0, 55);
    assert_eq!((queue.size().1, next(&mut queue)), (2000, Some(7)));
}

#[test]
fn at_the_end_what_is_in_memory_is_written_if_it_can_be_and_counted_if_not() {
    let directory = TempDir::new().unwrap();
    let (mut queue, disk) = open(&directory, 1 << 20);
    disk.set(libc::ENOSPC);
    queue.push(parcel(1));
    queue.push(parcel(2));
    let (taken, _) = queue.take();
    assert_eq!(taken, Some(parcel(1)));
    disk.set(0);
    assert_eq!(queue.leave(taken), (0, Cost::default()));
    assert_eq!((queue.size().0, queue.survives()), (3, true));
    drop(queue);
    let (mut queue, disk) = open(&directory, 1 << 20);
    disk.set(libc::EIO);
    queue.push(parcel(4));
    let (taken, _) = queue.take();
    assert_eq!(taken, Some(parcel(1)));
    // Parcels on disk stay there.
    assert_eq!(queue.leave(taken), (4, Cost::default()));
    assert_eq!(queue.size().0, 3);
    drop(queue);
    let (mut queue, _) = open(&directory, 1 << 20);
    let rest: Vec<u64> = std::iter::from_fn(|| next(&mut queue)).collect();
    assert_eq!(rest, [1, 2]);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Push,
    Next,
    Fail,
    Heal,
    Restart,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn none_is_lost_unseen_and_none_overtakes(steps in prop::collection::vec(prop::sample::select(vec![
        Step::Push, Step::Push, Step::Push, Step::Next, Step::Next, Step::Fail, Step::Heal, Step::Restart,
    ]), 0..60)) {
        let directory = TempDir::new().unwrap();
        let (mut queue, mut disk) = open(&directory, 8000);
        let (mut pushed, mut gone, mut last, mut number) = (0, 0, 0, 0);
        for step in steps {
            match step {
                Step::Push => {
                    number += 1;
                    pushed += number;
                    let cost = queue.push(parcel(number));
                    gone += cost.full + cost.disk;
                }
                Step::Next => {
                    if let Some(points) = next(&mut queue) {
                        prop_assert!(points > last);
                        last = points;
                        gone += points;
                    }
                }
                Step::Fail => disk.set(libc::ENOSPC),
                Step::Heal => disk.set(0),
                Step::Restart => {
                    let (lost, cost) = queue.leave(None);
                    gone += lost + cost.full;
                    drop(queue);
                    (queue, disk) = open(&directory, 8000);
                }
            }
            prop_assert_eq!(pushed, gone + queue.size().0);
        }
    }
}
