//! IP samples through perf events.
//!
//! Each thread has one counter for each CPU, since an inherited counter can only have a ring buffer if it
//! is bound to a CPU; all counters of a CPU share one ring. New threads and children inherit counters, so
//! only the threads that exist at the start are opened explicitly. A recording of the whole system, or of a cgroup, has
//! one counter for each CPU. A ring belongs to a counter of our own thread that counts nothing: a ring of one of the
//! target's counters would report the end of the thread for ever.

use super::attr::{Counter, Sampling, StackCopy};
use crate::error::{RecordError, system};
use crate::live_processes::Living;
use crate::summary::Summary;
use crate::sys::clock;
use crate::sys::perf::{self, Who};
use crate::sys::poll;
use crate::sys::ring::Ring;
use crate::{procfs, record_bytes as bytes};
use perf_event_open_sys::bindings;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Data pages of a ring, before the limits of locked memory cut it: 512 KiB.
const RING_PAGES: usize = 128;
/// Data pages of a ring if samples copy stacks: 4 MiB.
const RING_PAGES_COPIES: usize = 1024;
/// Number of copies that a ring should hold: those of a sixteenth of a second at a thousand a second.
const RING_COPIES: usize = 64;
const PAGE_BYTES: usize = 4096;
/// Smallest ring: a smaller ring overflows between two looks at it.
const RING_PAGES_MIN: usize = 2;

/// The ring of one CPU.
pub(crate) struct CpuRing {
    pub(crate) cpu: i32,
    owner: OwnedFd,
    ring: Ring,
}

/// Threads found after the first listing, with the ids of the counters that were opened for each. Such a thread may
/// also have inherited counters; only its samples with these ids count.
type Late = FxHashMap<i32, Vec<u64>>;

/// Data that the records of several rings have in common.
#[derive(Default)]
pub(crate) struct Ids {
    late: Late,
    /// Counter id that is written into all records, whatever their counter: counters that were opened later are not named
    /// at the beginning of the file.
    as_of: Option<u64>,
    /// Threads with counters that were opened for them, and not inherited.
    own: FxHashSet<i32>,
    /// Period in nanoseconds of the opened counters, if it was changed: the kernel's samples go on reporting the period with
    /// which the counter was opened (`perf_swevent_hrtimer`).
    period_ns: Option<u64>,
    of_cpus: bool,
}

/// Open counters and their rings.
pub(crate) struct Perf {
    /// Directory of the cgroup whose processes counters of the CPUs see; `None` for everybody.
    group: Option<OwnedFd>,
    counter: Counter,
    sampling: Sampling,
    rings: Vec<CpuRing>,
    counters: Vec<OwnedFd>,
    ids: Vec<u64>,
    known: Ids,
}

impl CpuRing {
    /// Maps the largest ring that the limit of locked memory allows.
    pub(crate) fn open(cpu: i32, pages_max: usize) -> io::Result<Self> {
        let mut attr = perf::Attr {
            type_: bindings::PERF_TYPE_SOFTWARE,
            config: bindings::PERF_COUNT_SW_DUMMY.into(),
            clockid: libc::CLOCK_MONOTONIC,
            ..Default::default()
        };
        // Counters that share a ring share its clock.
        attr.set_use_clockid(1);
        attr.set_exclude_kernel(1);
        attr.set_exclude_hv(1);
        let owner = perf::open(&attr, Who::Thread(0), cpu)?;
        let mut pages = pages_max;
        loop {
            match Ring::map(owner.as_fd(), pages) {
                Ok(ring) => return Ok(Self { cpu, owner, ring }),
                Err(error)
                    if error.raw_os_error() == Some(libc::EPERM) && pages > RING_PAGES_MIN =>
                {
                    pages /= 2;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Sleeps until the kernel reports records or the time is over; returns true if there are records.
    pub(crate) fn wait(&self, at_most: Duration) -> io::Result<bool> {
        let answers = poll::wait(&[self.owner.as_fd()], at_most)?;
        Ok(answers.first() == Some(&poll::Readiness::Readable))
    }

    /// Largest number of bytes that can wait in the ring.
    pub(crate) fn bytes(&self) -> usize {
        self.ring.data_bytes()
    }

    /// Sends the records of a counter into this ring.
    pub(crate) fn take_from(&self, counter: BorrowedFd<'_>) -> io::Result<()> {
        perf::redirect(counter, self.owner.as_fd())
    }

    /// Hands out every waiting record.
    pub(crate) fn drain(&mut self, known: &Ids, mut take: impl FnMut(&[u8])) {
        self.ring.drain(|record| {
            let twice = bytes::kind(record) == bytes::SAMPLE
                && known
                    .late
                    .get(&bytes::sample_tid(record))
                    .is_some_and(|ids| !ids.contains(&bytes::sample_id(record)));
            if let Some(id) = known.as_of {
                bytes::set_id(record, id);
            }
            if let Some(period_ns) = known.period_ns
                && bytes::kind(record) == bytes::SAMPLE
                && (known.of_cpus || known.own.contains(&bytes::sample_tid(record)))
            {
                bytes::set_period(record, period_ns);
            }
            if !twice {
                take(record);
            }
        });
    }
}

impl Perf {
    /// Opens counters of a child that waits for its exec, at which the counters start to count.
    pub(crate) fn of_command(
        counter: Counter,
        sampling: Sampling,
        pid: i32,
        summary: &mut Summary,
    ) -> Result<Self, RecordError> {
        let mut this = Self::new(counter, sampling);
        this.add(Who::Thread(pid), true, summary).map_err(refused)?;
        Ok(this)
    }

    /// Opens counters of the CPUs, not yet counting: of the whole system, or of the processes of a cgroup.
    pub(crate) fn of_cpus(
        counter: Counter,
        sampling: Sampling,
        who: Who<'_>,
        summary: &mut Summary,
    ) -> Result<Self, RecordError> {
        // If a limit is too low, opening the counters fails and reports it.
        let _ = clock::raise_open_files();
        let mut this = Self::new(counter, sampling);
        this.add(who, false, summary)
            .map_err(|source| RecordError::SystemRefused {
                source,
                paranoid: procfs::setting("kernel/perf_event_paranoid"),
            })?;
        Ok(this)
    }

    /// Opens counters of all threads of running processes, not yet counting.
    pub(crate) fn of_processes(
        counter: Counter,
        sampling: Sampling,
        pids: &[i32],
        summary: &mut Summary,
    ) -> Result<Self, RecordError> {
        let limit = clock::raise_open_files().unwrap_or(0);
        let mut this = Self::new(counter, sampling);
        for &pid in pids {
            match this.add_process(pid, summary) {
                Err(error) if error.raw_os_error() == Some(libc::EMFILE) => {
                    let threads = pids.iter().map(|&pid| procfs::threads(pid).len());
                    return Err(RecordError::TooManyFiles {
                        threads: threads.sum(),
                        cpus: procfs::online_cpus().len(),
                        limit,
                    });
                }
                outcome => outcome.map_err(|source| refused_for(pid, source))?,
            }
        }
        match this.rings.is_empty() {
            true => Err(RecordError::NoSuchProcess { pid: summary.pid }),
            false => Ok(this),
        }
    }

    /// Opens the counters of all threads of a process; threads that end meanwhile are left out.
    fn add_process(&mut self, pid: i32, summary: &mut Summary) -> io::Result<()> {
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
                match self.add(Who::Thread(tid), false, summary) {
                    Ok(ids) if round > 0 => drop(self.known.late.insert(tid, ids)),
                    Ok(_) => {}
                    Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Opens counters of the CPUs, of everybody or of the cgroup.
    fn add_cpus(&mut self, summary: &mut Summary) -> io::Result<()> {
        let group = self.group.take();
        let who = group
            .as_ref()
            .map_or(Who::All, |group| Who::Group(group.as_fd()));
        let opened = self.add(who, false, summary);
        self.group = group;
        opened.map(drop)
    }

    fn new(counter: Counter, sampling: Sampling) -> Self {
        Self {
            group: None,
            counter,
            sampling,
            rings: Vec::new(),
            counters: Vec::new(),
            ids: Vec::new(),
            known: Ids::default(),
        }
    }

    /// Opens a counter on each CPU and returns the ids of the counters.
    fn add(&mut self, who: Who<'_>, on_exec: bool, summary: &mut Summary) -> io::Result<Vec<u64>> {
        let mut ids = Vec::new();
        for cpu in procfs::online_cpus() {
            let ring = match self.rings.iter().position(|ring| ring.cpu == cpu) {
                Some(index) => index,
                None => match CpuRing::open(cpu, self.ring_pages()) {
                    // The CPU went offline meanwhile.
                    Err(error) if error.raw_os_error() == Some(libc::ENODEV) => continue,
                    other => {
                        let ring = other?;
                        self.fit_copies(ring.ring.data_bytes(), summary);
                        self.rings.push(ring);
                        self.warn_of_small_rings(summary);
                        self.rings.len() - 1
                    }
                },
            };
            let mut attr = self.counter.attr(self.sampling);
            attr.set_enable_on_exec(on_exec.into());
            if self.sampling.wakes_every == 0 {
                attr.wakeup_events = (self.rings[ring].ring.data_bytes() / 4) as u32;
            }
            let counter = match perf::open(&attr, who, cpu) {
                Err(error) if error.raw_os_error() == Some(libc::ENODEV) => continue,
                other => other?,
            };
            ids.push(perf::id(counter.as_fd())?);
            self.rings[ring].take_from(counter.as_fd())?;
            self.counters.push(counter);
        }
        if ids.is_empty() {
            return Err(io::Error::from_raw_os_error(libc::ENODEV));
        }
        self.ids.extend(&ids);
        match who {
            Who::Thread(tid) => drop(self.known.own.insert(tid)),
            _ => self.known.of_cpus = true,
        }
        Ok(ids)
    }

    fn ring_pages(&self) -> usize {
        match self.sampling.copies {
            Some(_) => RING_PAGES_COPIES,
            None => RING_PAGES,
        }
    }

    /// Reduces the size of copies so that a ring of this size holds enough of them.
    fn fit_copies(&mut self, ring_bytes: usize, summary: &mut Summary) {
        let Some(copy) = &mut self.sampling.copies else {
            return;
        };
        if copy.may_shrink {
            let bytes = (ring_bytes / RING_COPIES) as u32;
            copy.bytes = copy.bytes.min(bytes).next_multiple_of(8);
        }
        summary.stack_bytes = copy.bytes;
    }

    fn warn_of_small_rings(&self, summary: &mut Summary) {
        if let Some(ring) = self.rings.last()
            && ring.ring.data_bytes() < self.ring_pages() * PAGE_BYTES
        {
            summary.warn(format!(
                "The limit of locked memory allows ring buffers of {} KiB only; samples may be lost.",
                ring.ring.data_bytes() / 1024
            ));
        }
    }

    /// Returns the ids of all counters.
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

    /// Changes the rate from now on. Threads that have inherited their counters keep their rate, threads that are still
    /// to come do not.
    pub(crate) fn set_rate(&mut self, frequency_hz: u32) {
        self.sampling.frequency_hz = frequency_hz;
        let period = self.counter.period(frequency_hz);
        // A counter whose thread is gone takes no more samples.
        self.counters()
            .for_each(|counter| drop(perf::set_period(counter, period)));
        self.known.period_ns = Some(period).filter(|_| !self.counter.is_hardware());
    }

    /// Returns the size of the copies of stacks, if stacks are copied.
    pub(crate) fn copies(&self) -> Option<StackCopy> {
        self.sampling.copies
    }

    /// Opens the counters, of these processes or of the CPUs, anew with copies of another size, and closes the old counters. If that
    /// fails, such as for want of open files, everything stays as it was; returns true on success.
    pub(crate) fn set_copies(
        &mut self,
        bytes: u32,
        pids: &FxHashSet<i32>,
        summary: &mut Summary,
    ) -> bool {
        let sampling = Sampling {
            copies: self.sampling.copies.map(|copy| StackCopy { bytes, ..copy }),
            ..self.sampling
        };
        let opened = self.reopen(sampling, |this| match sampling.of_cpus {
            true => this.add_cpus(summary),
            false => pids
                .iter()
                .try_for_each(|&pid| this.add_process(pid, summary)),
        });
        if opened.is_ok() {
            summary.stack_bytes = bytes;
        }
        opened.is_ok()
    }

    /// Opens counters with other settings, and closes the old counters; if that fails, everything stays as it was.
    fn reopen(
        &mut self,
        sampling: Sampling,
        open: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let before = (
            std::mem::replace(&mut self.sampling, sampling),
            std::mem::take(&mut self.counters),
            std::mem::take(&mut self.ids),
            std::mem::take(&mut self.known),
        );
        self.known.as_of = before.3.as_of.or(before.2.first().copied());
        // The old counters count until the new counters do: no mapping is missed in between.
        let opened = open(self).and_then(|()| match self.counters.is_empty() {
            true => Err(io::Error::from_raw_os_error(libc::ESRCH)),
            false => self.counters().try_for_each(perf::enable),
        });
        if opened.is_err() {
            (self.sampling, self.counters, self.ids, self.known) = before;
        }
        opened
    }

    /// Exchanges the counters of threads for counters of the CPUs, of everybody or of a cgroup, at this part of the rate. If that
    /// fails, such as for want of permission, everything stays as it was.
    pub(crate) fn change_to_cpus(
        &mut self,
        group: Option<BorrowedFd<'_>>,
        part: f64,
        summary: &mut Summary,
    ) -> io::Result<()> {
        self.group = group.map(|group| group.try_clone_to_owned()).transpose()?;
        let sampling = Sampling {
            of_cpus: true,
            frequency_hz: ((part * f64::from(self.sampling.frequency_hz)) as u32).max(1),
            ..self.sampling
        };
        self.reopen(sampling, |this| this.add_cpus(summary))
    }

    fn counters(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.counters.iter().map(AsFd::as_fd)
    }

    /// Returns the rings, each for a thread of its own, and the ids that [`CpuRing::drain`] needs.
    pub(crate) fn rings(&mut self) -> (&mut [CpuRing], &Ids) {
        (&mut self.rings, &self.known)
    }

    /// Hands out every waiting record of all rings.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(&[u8])) {
        for ring in &mut self.rings {
            ring.drain(&self.known, &mut take);
        }
    }

    /// Sleeps until a ring is well filled, a process ends or the time is over; returns true if all processes have ended.
    pub(crate) fn wait(&self, living: &mut Living, at_most: Duration) -> io::Result<bool> {
        let rings = self.rings.iter().map(|ring| ring.owner.as_fd());
        living.wait(rings, at_most)
    }
}

/// Returns the error for refused counters of a process: refused because of the owner of the process, or all refused.
fn refused_for(pid: i32, source: io::Error) -> RecordError {
    let is_permission = source.kind() == io::ErrorKind::PermissionDenied;
    match procfs::other_owner(pid).filter(|_| is_permission) {
        Some(uid) => RecordError::OthersProcess {
            pid,
            owner: format!("another user (uid {uid})"),
            source,
        },
        None => refused(source),
    }
}

fn refused(source: io::Error) -> RecordError {
    RecordError::PerfRefused {
        source,
        paranoid: procfs::setting("kernel/perf_event_paranoid"),
    }
}
