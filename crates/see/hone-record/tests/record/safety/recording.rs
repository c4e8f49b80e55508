//! A recording that runs beside the test.

use hone_profile::{Profile, perf_data};
use hone_record::{BranchSource, Options, RecordError, Snapshot, Summary, Target, record};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;
use tempfile::TempDir;
use testkit::PATIENCE;

/// Both ways to take a snapshot, or the one that there is.
pub(crate) fn ways() -> Vec<Snapshot> {
    if hone_record::capabilities().real_time_priority.works {
        return vec![Snapshot::Stop, Snapshot::Preempt];
    }
    println!("skipped: snapshots without a stop, since real-time priority is refused here");
    vec![Snapshot::Stop]
}

/// They take turns.
pub(crate) fn way(index: usize) -> Snapshot {
    let ways = ways();
    ways[index % ways.len()]
}

/// Walks of a process, many more than a production machine would be given.
pub(crate) fn walking(pid: i32, output: &Path, snapshot: Snapshot) -> Options {
    let mut options = Options::new(Target::Processes { pids: vec![pid] }, output);
    options.branches = BranchSource::Walk;
    options.snapshot = snapshot;
    options.overhead = 0.2;
    options
}

/// A recording under way.
pub(crate) struct Recording {
    directory: TempDir,
    /// Walks that were made so far.
    walks: Receiver<u64>,
    result: Receiver<Result<Summary, RecordError>>,
}

/// One that has ended.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) summary: Summary,
    pub(crate) profile: Profile,
}

impl Recording {
    /// Records a process until it ends.
    pub(crate) fn of(pid: i32, snapshot: Snapshot) -> Self {
        Self::with(pid, snapshot, |_| {})
    }

    pub(crate) fn with(pid: i32, snapshot: Snapshot, change: impl Fn(&mut Options)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut options = walking(pid, &directory.path().join("out.data"), snapshot);
        change(&mut options);
        let (walks_sender, walks) = channel();
        let (result_sender, result) = channel();
        thread::spawn(move || {
            // Nobody listens any more once the test has failed.
            let never = AtomicBool::new(false);
            let result = record(&options, &never, &mut |summary| {
                let _ = walks_sender.send(summary.walks);
            });
            let _ = result_sender.send(result);
        });
        Self {
            directory,
            walks,
            result,
        }
    }

    /// Waits until it records, or has ended.
    pub(crate) fn until_it_records(self) -> Self {
        self.until_it_has_walked(0)
    }

    /// Waits until it has made so many walks, or has ended.
    pub(crate) fn until_it_has_walked(self, walks: u64) -> Self {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.walks.recv_timeout(left) {
                Ok(so_far) if so_far < walks => {}
                Err(RecvTimeoutError::Timeout) => panic!("the recording does not get on"),
                _ => return self,
            }
        }
    }

    /// Waits until it ends, with its target or by its own duration.
    pub(crate) fn ended(self) -> Result<Recorded, RecordError> {
        let Ok(result) = self.result.recv_timeout(PATIENCE) else {
            panic!("the recording hangs");
        };
        let names = || {
            let entries = fs::read_dir(self.directory.path()).expect("its directory");
            entries
                .map(|entry| entry.expect("an entry").file_name())
                .collect::<Vec<_>>()
        };
        let summary = result.inspect_err(|_| assert!(names().is_empty(), "{:?}", names()))?;
        assert_eq!(names(), ["out.data"]);
        let bytes = fs::read(self.directory.path().join("out.data")).expect("a recording");
        let profile = perf_data::read(&bytes).expect("a readable recording");
        assert_eq!(profile.losses.malformed_records, 0);
        assert_eq!(
            summary.walk_ends.values().sum::<u64>(),
            summary.walks,
            "{summary:?}"
        );
        Ok(Recorded { summary, profile })
    }
}

/// How much longer the work of a target is made each time until it is walked on a busy machine too.
pub(crate) const LONGER: [u64; 4] = [1, 4, 16, 64];

/// Records a target again, each time with so many times as much work, until there are walks.
pub(crate) fn until_walked(recorded: impl FnMut(u64) -> Recorded) -> Recorded {
    let mut last = None;
    for recorded in LONGER.into_iter().map(recorded) {
        if recorded.is_walked() {
            return recorded;
        }
        last = Some(recorded.summary);
    }
    panic!("hardly any walks: {last:?}");
}

impl Recorded {
    /// Whether there are walks at all.
    pub(crate) fn is_walked(&self) -> bool {
        self.summary.walks > 5 && self.summary.branch_records > 100
    }

    /// Asserts that there are walks at all, so that what they did not harm says something.
    pub(crate) fn has_walks(&self) -> &Self {
        assert!(self.is_walked(), "{:?}", self.summary);
        self
    }
}
