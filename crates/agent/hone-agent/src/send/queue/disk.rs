//! A queue in files, bounded in bytes, that survives the end of its process at any moment.
//!
//! A directory holds segments, which are numbered files that only grow ([`super::segment`]), and the file `cursor`,
//! which holds the position up to which records were delivered or lost. Only whole segments are removed: after they
//! were read to their end, or, the oldest first, when the queue is full. After a crash the cursor may lag by the parcel
//! that was under way: that parcel is sent again, which back ends take for the same values and the relay's receiver
//! recognizes. Two processes cannot share a directory.

use super::Cost;
use super::segment::{self, Found, MAGIC};
use crate::send::Parcel;
use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Number of segments of a full queue: about 1/16 of the queue, the oldest, is dropped at a time.
const SEGMENTS: u64 = 16;
const CURSOR_BYTES: usize = 20;

/// Longest wait for a queue that another process holds, and pause between two attempts to lock the queue.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// Choice of when written parcels are forced to the disk itself. Parcels survive the end of the agent with any choice;
/// the choice is about the machine losing power.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fsync {
    /// Never: the kernel does it by itself, some 30 seconds later.
    Never,
    /// After each full segment.
    #[default]
    Segments,
    /// After each parcel.
    Always,
}

/// Options of a disk queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiskOptions {
    /// Directory of this queue alone; created if missing (mode 0700, files 0600).
    pub directory: PathBuf,
    /// Limit on the bytes of all files together.
    pub bytes_max: u64,
    /// Choice of when parcels are forced to the disk.
    pub fsync: Fsync,
}

/// Reasons why a queue cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds the queue.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The system reports an error.
    #[error("{}: {why}", path.display())]
    System {
        /// File or directory that the error is about.
        path: PathBuf,
        /// Error of the system.
        why: io::Error,
    },
}

struct Segment {
    number: u64,
    bytes: u64,
    /// Points of records that are neither taken nor done.
    points: u64,
}

/// Queue in segment files. Records from before the opening are taken first.
pub(super) struct SegmentQueue {
    options: DiskOptions,
    segments: VecDeque<Segment>,
    /// The last segment, open to be appended to.
    tail: Option<File>,
    /// The first segment, and the position of its next record.
    head: Option<File>,
    head_at: u64,
    cursor: File,
    taken: Option<Taken>,
    torn: u64,
    files: Box<dyn Files>,
    _lock: File,
}

/// Way to write segments, which tests replace.
pub(super) trait Files: Send {
    /// Writes all bytes at the given position.
    fn write(&self, file: &File, bytes: &[u8], at: u64) -> io::Result<()>;
}

/// Files on the disk.
struct OnDisk;

impl Files for OnDisk {
    fn write(&self, file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
        file.write_all_at(bytes, at)
    }
}

/// The taken record.
struct Taken {
    segment: u64,
    end: u64,
    points: u64,
}

impl SegmentQueue {
    /// See [`super::DiskQueue::open`].
    pub(super) fn open(options: DiskOptions) -> Result<Self, OpenError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |why| OpenError::System { path, why }
        };
        let directory = options.directory.clone();
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&directory);
        made.map_err(at(&directory))?;
        let lock_path = directory.join("lock");
        let lock = private(&lock_path).map_err(at(&lock_path))?;
        locked(&lock, LOCK_PATIENCE).map_err(|error| match error {
            TryLockError::WouldBlock => OpenError::InUse(directory.clone()),
            TryLockError::Error(why) => at(&lock_path)(why),
        })?;
        let cursor_path = directory.join("cursor");
        let cursor = private(&cursor_path).map_err(at(&cursor_path))?;
        let mut queue = Self {
            options,
            segments: VecDeque::new(),
            tail: None,
            head: None,
            head_at: 0,
            cursor,
            taken: None,
            torn: 0,
            files: Box::new(OnDisk),
            _lock: lock,
        };
        queue.restore().map_err(at(&directory))?;
        Ok(queue)
    }

    /// Replaces the way to write segments.
    #[cfg(test)]
    pub(super) fn write_by(&mut self, files: Box<dyn Files>) {
        self.files = files;
    }

    /// Returns the queue's directory.
    pub(super) fn directory(&self) -> &Path {
        &self.options.directory
    }

    /// Returns the number of segments that ended in an incomplete record: each is a write that a crash cut short.
    pub(super) fn torn_records(&self) -> u64 {
        self.torn
    }

    fn restore(&mut self) -> io::Result<()> {
        let mut numbers: Vec<u64> = Vec::new();
        for entry in fs::read_dir(&self.options.directory)? {
            let name = entry?.file_name();
            let name = name.to_string_lossy();
            let number = name.strip_suffix(".segment").map(str::parse);
            if let Some(Ok(number)) = number {
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        let (done_segment, done) = self.read_cursor();
        for number in numbers {
            let path = self.path(number);
            let start = if number == done_segment { done } else { 0 };
            let content = segment::scan(&path, start)?;
            self.torn += u64::from(content.is_torn);
            if number < done_segment || content.end <= start.max(MAGIC.len() as u64) {
                fs::remove_file(&path)?;
                continue;
            }
            if content.is_torn {
                let file = OpenOptions::new().write(true).open(&path)?;
                file.set_len(content.end)?;
            }
            if self.segments.is_empty() {
                self.head_at = start.max(MAGIC.len() as u64);
            }
            self.segments.push_back(Segment {
                number,
                bytes: content.end,
                points: content.points,
            });
        }
        Ok(())
    }

    /// Adds a parcel. If the parcel cannot be written, nothing changes, except that the oldest parcels may have made
    /// room.
    pub(super) fn push(&mut self, parcel: &Parcel) -> (Cost, io::Result<()>) {
        let record = segment::record(parcel);
        let mut cost = Cost::default();
        let size = record.len() as u64;
        let fits =
            u32::try_from(size).is_ok() && size + MAGIC.len() as u64 <= self.options.bytes_max;
        if !fits {
            cost.full = parcel.points;
            return (cost, Ok(()));
        }
        let needed = size + MAGIC.len() as u64;
        while self.bytes() + needed > self.options.bytes_max && !self.segments.is_empty() {
            cost.full += self.drop_oldest();
        }
        (cost, self.append(&record, parcel.points))
    }

    fn append(&mut self, record: &[u8], points: u64) -> io::Result<()> {
        let is_full = |segment: &Segment| segment.bytes >= self.options.bytes_max / SEGMENTS;
        if self.tail.is_some() && self.segments.back().is_none_or(is_full) {
            let full = self.tail.take();
            if let (Some(full), Fsync::Segments) = (full, self.options.fsync) {
                // Errors are ignored: the segment is readable all the same; only a loss of power could still cost it.
                full.sync_data().ok();
            }
        }
        if self.tail.is_none() {
            self.start_segment()?;
        }
        let (Some(tail), Some(segment)) = (&mut self.tail, self.segments.back_mut()) else {
            unreachable!("a segment was just started");
        };
        let mut written = self.files.write(tail, record, segment.bytes);
        if self.options.fsync == Fsync::Always {
            written = written.and_then(|()| tail.sync_data());
        }
        if let Err(error) = written {
            // A partly written record must not lie before the next record.
            tail.set_len(segment.bytes).ok();
            return Err(error);
        }
        segment.bytes += record.len() as u64;
        segment.points += points;
        Ok(())
    }

    /// Starts a segment, also after a restart: the segments from before, of which one may be torn, are never written to
    /// again.
    fn start_segment(&mut self) -> io::Result<()> {
        let after_last = self.segments.back().map(|last| last.number + 1);
        let number = after_last.unwrap_or_else(|| self.read_cursor().0 + 1);
        let path = self.path(number);
        let file = private(&path)?;
        file.set_len(0)?;
        if let Err(error) = self.files.write(&file, &MAGIC, 0) {
            fs::remove_file(&path).ok();
            return Err(error);
        }
        if self.options.fsync != Fsync::Never {
            // The name of a file is on the disk only once its directory is.
            File::open(&self.options.directory)?.sync_all()?;
        }
        self.segments.push_back(Segment {
            number,
            bytes: MAGIC.len() as u64,
            points: 0,
        });
        self.tail = Some(file);
        if self.segments.len() == 1 {
            self.head = None;
            self.head_at = MAGIC.len() as u64;
        }
        Ok(())
    }

    pub(super) fn take(&mut self) -> (Option<Parcel>, Cost) {
        debug_assert!(self.taken.is_none());
        let mut cost = Cost::default();
        while let Some(segment) = self.segments.front() {
            if self.head_at >= segment.bytes {
                if self.segments.len() == 1 {
                    // This segment is the tail, and was read as far as it was written.
                    return (None, cost);
                }
                self.remove_first();
                continue;
            }
            match self.read_head() {
                Ok(Found::Parcel(parcel, bytes)) => {
                    let segment = self.segments.front_mut().expect("it is being read");
                    segment.points = segment.points.saturating_sub(parcel.points);
                    self.taken = Some(Taken {
                        segment: segment.number,
                        end: self.head_at + bytes,
                        points: parcel.points,
                    });
                    self.head_at += bytes;
                    return (Some(parcel), cost);
                }
                // The record was whole when it was written or scanned: the rest of this segment is lost.
                Ok(Found::End | Found::Damaged) | Err(_) => cost.damaged += self.drop_oldest(),
            }
        }
        (None, cost)
    }

    fn read_head(&mut self) -> io::Result<Found> {
        if self.head.is_none() {
            let first = self.segments.front().expect("there is one").number;
            self.head = Some(File::open(self.path(first))?);
        }
        let head = self.head.as_mut().expect("it was just opened");
        head.seek(SeekFrom::Start(self.head_at))?;
        segment::next(head)
    }

    pub(super) fn done(&mut self) {
        let is_kept = self.keeps_taken();
        let Some(taken) = self.taken.take() else {
            return;
        };
        if !is_kept {
            return;
        }
        self.write_cursor(taken.segment, taken.end);
        let is_first = |first: &Segment| first.number == taken.segment && taken.end >= first.bytes;
        // An empty queue has no segments.
        if self.segments.front().is_some_and(is_first) {
            self.remove_first();
        }
    }

    /// Returns true if the taken record is still in a file: its segment may have been dropped meanwhile.
    pub(super) fn keeps_taken(&self) -> bool {
        let Some(taken) = &self.taken else {
            return false;
        };
        let first = self.segments.front();
        first.is_some_and(|first| first.number <= taken.segment)
    }

    pub(super) fn size(&self) -> (u64, u64) {
        let waiting: u64 = self.segments.iter().map(|segment| segment.points).sum();
        let taken = self.taken.as_ref().map_or(0, |taken| taken.points);
        (waiting + taken, self.bytes())
    }

    fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes).sum()
    }

    /// Drops the oldest segment. Returns the points lost; the taken record belongs to the taker and is not counted.
    fn drop_oldest(&mut self) -> u64 {
        let points = self.segments.front().map_or(0, |oldest| oldest.points);
        if let Some(oldest) = self.segments.front() {
            self.write_cursor(oldest.number, oldest.bytes);
        }
        self.remove_first();
        points
    }

    fn remove_first(&mut self) {
        let Some(first) = self.segments.pop_front() else {
            return;
        };
        // If the file cannot be removed, the cursor still says that its records are done.
        fs::remove_file(self.path(first.number)).ok();
        if self.segments.is_empty() {
            self.tail = None;
        }
        self.head = None;
        self.head_at = MAGIC.len() as u64;
    }

    fn path(&self, number: u64) -> PathBuf {
        self.options.directory.join(format!("{number:020}.segment"))
    }

    /// Reads the cursor: the number of a segment and the position up to which its records are done. All records of
    /// earlier segments are done, and none of later segments.
    fn read_cursor(&self) -> (u64, u64) {
        let mut bytes = [0; CURSOR_BYTES];
        if self.cursor.read_exact_at(&mut bytes, 0).is_err() {
            return (0, 0);
        }
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let checksum = u32::from_le_bytes(bytes[16..].try_into().expect("four bytes"));
        match crc32fast::hash(&bytes[..16]) == checksum {
            true => (number(0), number(8)),
            false => (0, 0),
        }
    }

    /// Writes the cursor: one write of 20 bytes. If the write fails, records are sent again after a restart, and none
    /// is lost.
    fn write_cursor(&mut self, segment: u64, end: u64) {
        let mut bytes = [0; CURSOR_BYTES];
        bytes[..8].copy_from_slice(&segment.to_le_bytes());
        bytes[8..16].copy_from_slice(&end.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..16]);
        bytes[16..].copy_from_slice(&checksum.to_le_bytes());
        self.cursor.write_all_at(&bytes, 0).ok();
    }
}

/// Takes the lock. Waits if the lock is held for a moment more: by a process that ends, or by a child that this process
/// has forked and that has not become another program yet.
fn locked(lock: &File, patience: Duration) -> Result<(), TryLockError> {
    let since = Instant::now();
    loop {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) if since.elapsed() < patience => {
                thread::sleep(LOCK_PAUSE);
            }
            taken => return taken,
        }
    }
}

fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.mode(0o600).open(path)
}

#[cfg(test)]
mod tests;
