//! Batches that the hub has not acknowledged, as files in a folder: what is recorded while the hub is away is sent later.
//!
//! Each batch is a file of its own, written whole. If the files together take more than the limit, the oldest go first, and
//! are counted.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Ending of the files.
const ENDING: &str = "batch";

/// Batches in a folder, oldest first.
#[derive(Debug)]
pub(crate) struct Queue {
    folder: PathBuf,
    bytes_max: u64,
    waiting: VecDeque<Waiting>,
    bytes: u64,
    next: u64,
    /// Number of batches that were dropped for want of room.
    dropped: u64,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    path: PathBuf,
    bytes: u64,
}

impl Queue {
    /// Opens the queue in a folder, with what an earlier run has left there.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub(crate) fn open(folder: &Path, bytes_max: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let number = path
                .file_stem()
                .and_then(|stem| stem.to_str()?.parse().ok());
            match (number, path.extension().is_some_and(|of| of == ENDING)) {
                (Some(number), true) => found.push((number, path, entry.metadata()?.len())),
                // A file that an earlier run did not finish.
                _ => fs::remove_file(&path)?,
            }
        }
        found.sort();
        let next = found
            .last()
            .map_or(0, |(number, ..): &(u64, _, _)| number + 1);
        let bytes = found.iter().map(|(.., bytes)| bytes).sum();
        let waiting = found.into_iter().map(|(number, path, bytes)| Waiting {
            number,
            path,
            bytes,
        });
        let mut queue = Self {
            folder: folder.to_owned(),
            bytes_max,
            waiting: waiting.collect(),
            bytes,
            next,
            dropped: 0,
        };
        queue.make_room(0)?;
        Ok(queue)
    }

    /// Appends a batch. A batch that is larger than the whole queue is dropped.
    ///
    /// # Errors
    /// The batch cannot be written; the queue is as before.
    pub(crate) fn push(&mut self, batch: &[u8]) -> io::Result<()> {
        let bytes = batch.len() as u64;
        if bytes > self.bytes_max {
            self.dropped += 1;
            return Ok(());
        }
        self.make_room(bytes)?;
        let path = self.folder.join(format!("{:020}.{ENDING}", self.next));
        let unfinished = path.with_extension("part");
        let written = fs::write(&unfinished, batch).and_then(|()| fs::rename(&unfinished, &path));
        if let Err(error) = written {
            let _ = fs::remove_file(&unfinished);
            return Err(error);
        }
        self.waiting.push_back(Waiting {
            number: self.next,
            path,
            bytes,
        });
        self.next += 1;
        self.bytes += bytes;
        Ok(())
    }

    /// Number of the oldest batch in the queue; `None` if none waits.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.waiting.front().map(|waiting| waiting.number)
    }

    /// Reads the oldest batch; `None` if none waits.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn read_oldest(&self) -> io::Result<Option<Vec<u8>>> {
        let oldest = self.waiting.front();
        oldest.map(|waiting| fs::read(&waiting.path)).transpose()
    }

    /// Removes the oldest batch, which was sent or cannot be.
    ///
    /// # Errors
    /// The file cannot be removed; the batch is left out of this run all the same.
    pub(crate) fn pop(&mut self) -> io::Result<()> {
        let Some(waiting) = self.waiting.pop_front() else {
            return Ok(());
        };
        self.bytes -= waiting.bytes;
        fs::remove_file(&waiting.path)
    }

    /// Number of batches that wait, and their bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        (self.waiting.len(), self.bytes)
    }

    /// Number of batches that were dropped for want of room.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    fn make_room(&mut self, bytes: u64) -> io::Result<()> {
        while self.bytes + bytes > self.bytes_max && !self.waiting.is_empty() {
            self.pop()?;
            self.dropped += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &mut Queue) -> Vec<Vec<u8>> {
        let next = || {
            let oldest = queue.read_oldest().unwrap()?;
            queue.pop().unwrap();
            Some(oldest)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn batches_come_out_in_their_order_also_in_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut queue = Queue::open(folder.path(), 100).unwrap();
        queue.push(b"one").unwrap();
        queue.push(b"two").unwrap();
        assert_eq!(queue.size(), (2, 6));
        let mut queue = Queue::open(folder.path(), 100).unwrap();
        queue.push(b"three").unwrap();
        assert_eq!(all(&mut queue), [&b"one"[..], b"two", b"three"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_oldest_go_where_there_is_no_room_and_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut queue = Queue::open(folder.path(), 10).unwrap();
        for batch in [&b"aaaa"[..], b"bbbb", b"cccc"] {
            queue.push(batch).unwrap();
        }
        queue.push(&[b'd'; 11]).unwrap();
        assert_eq!(queue.dropped(), 2);
        assert_eq!(all(&mut queue), [&b"bbbb"[..], b"cccc"]);
        // A smaller limit holds for what is there.
        queue.push(b"eeee").unwrap();
        queue.push(b"ffff").unwrap();
        let mut queue = Queue::open(folder.path(), 5).unwrap();
        assert_eq!(all(&mut queue), [b"ffff"]);
    }

    #[test]
    fn what_a_killed_run_did_not_finish_is_no_batch() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("00000000000000000003.part"), "half").unwrap();
        fs::write(folder.path().join("notes.txt"), "no batch").unwrap();
        let mut queue = Queue::open(folder.path(), 100).unwrap();
        assert!(all(&mut queue).is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
