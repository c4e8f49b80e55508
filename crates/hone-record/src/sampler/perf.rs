//! IP samples through perf events.
//!
//! One counter for each thread and CPU, since an inherited counter can only have a ring buffer where it
//! is bound to a CPU; all counters of a CPU share one ring. New threads and children inherit counters, so
//! only the threads that exist at the start are opened by hand.

use super::attr::{Counter, Sampling};
use crate::error::{RecordError, system};
use crate::summary::Summary;
use crate::sys::clock;
use crate::sys::perf;
use crate::sys::poll::{self, Readiness};
use crate::sys::ring::Ring;
use crate::{procfs, record_bytes as bytes};
use rustc_hash::FxHashMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Data pages of a ring, before the limits of locked memory cut it: 512 KiB.
const RING_PAGES: usize = 128;
/// Below this a ring overflows between two looks at it.
const RING_PAGES_MIN: usize = 2;

struct CpuRing {
    cpu: i32,
    /// The counter the ring belongs to; the others are redirected to it.
    owner: OwnedFd,
    ring: Ring,
    /// Its first thread has ended: poll would report it for ever.
    hung_up: bool,
}

/// Open counters and their rings.
pub(crate) struct Perf {
    counter: Counter,
    sampling: Sampling,
    rings: Vec<CpuRing>,
    redirected: Vec<OwnedFd>,
    ids: Vec<u64>,
    /// Threads found after the first listing: they may have inherited counters besides their own, and
    /// only samples of these ids of theirs count.
    late: FxHashMap<i32, Vec<u64>>,
}

impl Perf {
    /// Counters of a child that waits for its exec, when they start to count.
    pub(crate) fn of_command(
        counter: Counter,
        sampling: Sampling,
        pid: i32,
        summary: &mut Summary,
    ) -> Result<Self, RecordError> {
        let mut this = Self::new(counter, sampling);
        this.add_thread(pid, true, summary).map_err(refused)?;
        Ok(this)
    }

    /// Counters of all threads of a running process, not yet counting.
    pub(crate) fn of_process(
        counter: Counter,
        sampling: Sampling,
        pid: i32,
        summary: &mut Summary,
    ) -> Result<Self, RecordError> {
        let limit = clock::raise_open_files().unwrap_or(0);
        let mut this = Self::new(counter, sampling);
        let mut known: Vec<i32> = Vec::new();
        for round in 0.. {
            let new: Vec<i32> = procfs::threads(pid)
                .into_iter()
                .filter(|tid| !known.contains(tid))
                .collect();
            if new.is_empty() {
                break;
            }
            for tid in new {
                known.push(tid);
                match this.add_thread(tid, false, summary) {
                    Ok(ids) if round > 0 => drop(this.late.insert(tid, ids)),
                    Ok(_) => {}
                    Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                    Err(error) if error.raw_os_error() == Some(libc::EMFILE) => {
                        return Err(RecordError::TooManyFiles {
                            threads: procfs::threads(pid).len(),
                            cpus: procfs::online_cpus().len(),
                            limit,
                        });
                    }
                    Err(error) => return Err(refused(error)),
                }
            }
        }
        match this.rings.is_empty() {
            true => Err(RecordError::NoSuchProcess { pid }),
            false => Ok(this),
        }
    }

    fn new(counter: Counter, sampling: Sampling) -> Self {
        Self {
            counter,
            sampling,
            rings: Vec::new(),
            redirected: Vec::new(),
            ids: Vec::new(),
            late: FxHashMap::default(),
        }
    }

    /// Opens the counters of one thread and returns their ids.
    fn add_thread(
        &mut self,
        tid: i32,
        on_exec: bool,
        summary: &mut Summary,
    ) -> io::Result<Vec<u64>> {
        let mut ids = Vec::new();
        for cpu in procfs::online_cpus() {
            let mut attr = self.counter.attr(self.sampling);
            attr.set_enable_on_exec(on_exec.into());
            let pages = self
                .rings
                .first()
                .map_or(RING_PAGES * 4096, |r| r.ring.data_bytes());
            attr.wakeup_events = (pages / 4) as u32;
            let counter = match perf::open(&attr, tid, cpu) {
                // The CPU went offline meanwhile.
                Err(error) if error.raw_os_error() == Some(libc::ENODEV) => continue,
                other => other?,
            };
            ids.push(perf::id(counter.as_fd())?);
            match self.rings.iter().find(|ring| ring.cpu == cpu) {
                Some(ring) => {
                    perf::redirect(counter.as_fd(), ring.owner.as_fd())?;
                    self.redirected.push(counter);
                }
                None => {
                    let ring = map_ring(counter.as_fd(), summary)?;
                    self.rings.push(CpuRing {
                        cpu,
                        owner: counter,
                        ring,
                        hung_up: false,
                    });
                }
            }
        }
        if ids.is_empty() {
            return Err(io::Error::from_raw_os_error(libc::ENODEV));
        }
        self.ids.extend(&ids);
        Ok(ids)
    }

    /// The ids of all counters.
    pub(crate) fn ids(&self) -> Vec<u64> {
        self.ids.clone()
    }

    /// Starts all counters.
    pub(crate) fn enable(&self) -> Result<(), RecordError> {
        self.counters()
            .try_for_each(perf::enable)
            .map_err(system("PERF_EVENT_IOC_ENABLE"))
    }

    /// Stops all counters.
    pub(crate) fn disable(&self) {
        // A counter whose thread is gone has stopped already.
        self.counters()
            .for_each(|counter| drop(perf::disable(counter)));
    }

    fn counters(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.rings
            .iter()
            .map(|ring| ring.owner.as_fd())
            .chain(self.redirected.iter().map(AsFd::as_fd))
    }

    /// Hands out every record that waits in a ring.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(&[u8])) {
        let late = &self.late;
        for ring in &mut self.rings {
            ring.ring.drain(|record| {
                let twice = bytes::kind(record) == bytes::SAMPLE
                    && late
                        .get(&bytes::sample_tid(record))
                        .is_some_and(|ids| !ids.contains(&bytes::sample_id(record)));
                if !twice {
                    take(record);
                }
            });
        }
    }

    /// Sleeps until a ring is well filled, the process ends or the time is over; says whether it ended.
    pub(crate) fn wait(&mut self, process: BorrowedFd<'_>, at_most: Duration) -> io::Result<bool> {
        let mut fds = vec![process];
        fds.extend(
            self.rings
                .iter()
                .filter(|ring| !ring.hung_up)
                .map(|ring| ring.owner.as_fd()),
        );
        let answers = poll::wait(&fds, at_most)?;
        let polled = self.rings.iter_mut().filter(|ring| !ring.hung_up);
        for (ring, answer) in polled.zip(&answers[1..]) {
            ring.hung_up = *answer == Readiness::HungUp;
        }
        Ok(answers[0] != Readiness::Quiet)
    }
}

/// Maps the largest ring that the limit of locked memory allows.
fn map_ring(counter: BorrowedFd<'_>, summary: &mut Summary) -> io::Result<Ring> {
    let mut pages = RING_PAGES;
    loop {
        match Ring::map(counter, pages) {
            Err(error) if error.raw_os_error() == Some(libc::EPERM) && pages > RING_PAGES_MIN => {
                pages /= 2;
            }
            Ok(ring) => {
                if pages < RING_PAGES {
                    summary.warn(format!(
                        "The limit of locked memory allows ring buffers of {} KiB only; samples may be lost.",
                        pages * 4
                    ));
                }
                return Ok(ring);
            }
            Err(error) => return Err(error),
        }
    }
}

fn refused(source: io::Error) -> RecordError {
    RecordError::PerfRefused {
        source,
        paranoid: procfs::setting("kernel/perf_event_paranoid"),
    }
}
