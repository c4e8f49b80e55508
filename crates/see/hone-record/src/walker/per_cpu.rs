//! One walker for each CPU: the kernel's samples wake it, and it walks the thread that was sampled.
//!
//! A walker runs on the CPU whose samples it reads, with precedence over ordinary threads where the system
//! allows it. So from the sample on the sampled thread cannot move: the walk starts where the sample fell,
//! from the registers that came with the sample, and nothing needs to be stopped. The thread is stopped for
//! a moment and walked again only if such a walk ends on something unknown (a vector register, the thread
//! pointer). Without precedence the thread is always stopped. Threads are walked in proportion to the CPU
//! time that they use.

use super::Walk;
use super::budget::Budget;
use super::emulate::{Emulator, Prepared};
use super::precedence::{Precedence, Turn};
use super::state;
use super::stop::{Stop, Stops};
use super::watch::Watcher;
use crate::members::Members;
use crate::options::Snapshot;
use crate::procfs;
use crate::random::Random;
use crate::record_bytes::{self as bytes, UserSample};
use crate::sampler::perf::{CpuRing, Ids};
use crate::summary::count;
use crate::sys::xstate::Layout;
use crate::sys::{clock, threads};
use crate::tracer::{FENCED, Running};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Longest sleep; the end of the recording may go unnoticed for this long.
const SLEEP_MAX: Duration = Duration::from_millis(50);
/// Age below which a sample can be walked; the thread of an older sample has run on.
const FRESH: Duration = Duration::from_millis(2);

/// Data that the walkers of all CPUs share.
pub(crate) struct Shared<'a> {
    pub(crate) emulator: Emulator,
    pub(crate) budget: &'a Budget,
    pub(crate) snapshot: Snapshot,
    /// True if samples hold registers.
    pub(crate) registers: bool,
    pub(crate) call_chains: bool,
    /// True if every sample wakes its walker, and not only one of several.
    pub(crate) all_wake: bool,
    /// Cost in nanoseconds of a sample that wakes no walker.
    pub(crate) sample_ns: u64,
    pub(crate) ids: &'a Ids,
    /// The processes that the recording is about, if the counters see others too.
    pub(crate) members: Option<&'a Members>,
    pub(crate) stop: AtomicBool,
    pub(crate) seed: u64,
}

/// Results of a walker for the recording.
#[derive(Default)]
pub(crate) struct Found {
    /// Records of the kernel.
    pub(crate) records: Vec<Box<[u8]>>,
    pub(crate) walks: Vec<Walk>,
    /// Time before which everything has been found.
    pub(crate) complete_until_ns: u64,
    pub(crate) not_begun: BTreeMap<String, u64>,
    /// Nanoseconds for which threads were held up.
    pub(crate) stopped_ns: u64,
    /// CPU time of the walker.
    pub(crate) cpu_ns: u64,
    /// Number of threads stopped by ptrace.
    pub(crate) stops: u64,
    /// Number of walks that did not start where their sample fell.
    pub(crate) moved: u64,
    pub(crate) warnings: Vec<String>,
}

/// Place where a walker leaves its results.
pub(crate) type Inbox = Mutex<Found>;

struct PerCpu<'a> {
    shared: &'a Shared<'a>,
    ring: &'a mut CpuRing,
    stops: Stops,
    watcher: Watcher,
    random: Random,
    /// The credit at which the next walk is due.
    due: i64,
    layout: Layout,
    extended: Vec<u8>,
    found: Found,
    precedence: Precedence<'a>,
    /// Time at which the last sleep began.
    slept_since_ns: u64,
}

/// Takes samples, walks threads and leaves both in the inbox until `shared.stop` is set.
pub(crate) fn run(
    shared: &Shared<'_>,
    ring: &mut CpuRing,
    inbox: &Inbox,
    turn: &Turn,
) -> std::io::Result<()> {
    let mut random = Random::new(shared.seed.wrapping_add(1 + ring.cpu as u64));
    let mut found = Found::default();
    shared.emulator.rehearse();
    let precedence = Precedence::take(ring.cpu, turn, &mut found.warnings);
    let mut this = PerCpu {
        due: shared.budget.draw(&mut random),
        shared,
        ring,
        stops: Stops::default(),
        watcher: Watcher::default(),
        random,
        layout: Layout::of_this_cpu(),
        extended: Vec::new(),
        found,
        precedence,
        slept_since_ns: 0,
    };
    while !shared.stop.load(Ordering::Relaxed) {
        this.slept_since_ns = clock::monotonic_ns();
        let is_woken = this.ring.wait(SLEEP_MAX)?;
        this.precedence.begin_turn();
        this.turn(is_woken || shared.all_wake);
        this.hand_over(inbox);
        this.precedence.end_turn(&mut this.found.warnings);
    }
    this.turn(false);
    let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
    inbox.take(std::mem::take(&mut this.found));
    Ok(())
}

impl PerCpu<'_> {
    /// Empties the ring and walks the thread of the newest sample, if that sample has woken us and a walk is due.
    fn turn(&mut self, is_woken: bool) {
        let began_ns = clock::monotonic_ns();
        let mut newest = None;
        let mut newest_ns = began_ns;
        let mut samples = 0;
        let Self {
            ring,
            found,
            shared,
            ..
        } = self;
        ring.drain(shared.ids, |record| {
            match bytes::kind(record) {
                bytes::SAMPLE => {
                    samples += 1;
                    newest_ns = bytes::time_ns(record);
                    let pid = bytes::sample_pid(record);
                    let is_own = shared.members.is_none_or(|members| members.has(pid));
                    if is_own {
                        shared.budget.earn(bytes::sample_period(record));
                    }
                    newest = bytes::user_sample(record)
                        .filter(|_| is_own)
                        .map(|sample| (sample, bytes::registers(record, shared.call_chains)));
                }
                _ => {
                    if let Some((pid, _)) = bytes::changed_code(record) {
                        shared.emulator.forget(pid);
                    }
                    if let Some((pid, tid)) = bytes::birth(record) {
                        shared.emulator.forget_thread(pid, tid);
                    }
                }
            }
            found.records.push(match shared.registers {
                true => bytes::without_registers(record, shared.call_chains).into(),
                false => record.into(),
            });
        });
        self.found.complete_until_ns = began_ns;
        self.stops.attend();
        let has_woken = is_woken && samples > 0;
        let others = samples - u64::from(has_woken);
        self.found.stopped_ns +=
            (self.shared.budget).spend_on_samples(others, self.shared.sample_ns);
        if !has_woken {
            return;
        }
        let age_ns = began_ns.saturating_sub(newest_ns);
        let is_due = self.shared.budget.has(self.due) && age_ns < FRESH.as_nanos() as u64;
        let mut walk_ns = 0;
        // A sample in the kernel begins no walk, but its wake-up cost as much.
        if let Some((sample, registers)) = newest.filter(|_| is_due) {
            self.walk(sample, registers);
            self.due = self.shared.budget.draw(&mut self.random);
            walk_ns = clock::monotonic_ns() - began_ns;
            self.shared.budget.learn(walk_ns);
        }
        let seen_ns = clock::monotonic_ns() - began_ns + age_ns.min(FRESH.as_nanos() as u64);
        self.found.stopped_ns += self.shared.budget.spend(seen_ns, walk_ns);
    }

    fn walk(&mut self, sample: UserSample, registers: Option<bytes::Registers>) {
        if self.precedence.is_held() && !self.was_woken_by(sample) {
            self.not_begun("the thread ran on");
            return;
        }
        // The kernel may look up names in /proc of a thread that has just ended for ever, at our priority (see `precedence`).
        if !threads::is_there(sample.pid, sample.tid) {
            self.not_begun("thread gone");
            return;
        }
        let end_ns = clock::monotonic_ns().saturating_add(self.shared.budget.walk_max_ns());
        // Work that takes long comes first.
        let mut prepared = self.shared.emulator.prepare(sample.pid);
        let registers = registers.filter(|_| self.precedence.is_held());
        let mut walk = match (self.shared.snapshot, registers) {
            (Snapshot::Auto | Snapshot::Preempt, Some(registers)) => {
                self.walk_preempted(sample, &registers, &mut prepared, end_ns)
            }
            (Snapshot::Preempt, None) => {
                self.not_begun("no real-time priority");
                None
            }
            _ => self.walk_stopped(sample, &mut prepared, end_ns),
        };
        if self.shared.snapshot == Snapshot::Auto
            && walk.as_ref().is_some_and(|walk| walk.end.is_unknown())
        {
            // The thread is walked again, with all that a stop can tell; if that fails, the short walk counts.
            walk = self.walk_stopped(sample, &mut prepared, end_ns).or(walk);
        }
        if let Some(walk) = &mut walk {
            walk.met = Some(prepared.met());
        }
        self.found.walks.extend(walk);
        self.shared.emulator.done(prepared);
    }

    /// Returns true if this thread slept when the sample was taken. This thread has then run from that moment on, and the
    /// sampled thread has not.
    fn was_woken_by(&self, sample: UserSample) -> bool {
        sample.cpu == self.ring.cpu as u32 && sample.time_ns > self.slept_since_ns
    }

    /// Walks a thread that is kept off its CPU by this one.
    fn walk_preempted(
        &mut self,
        sample: UserSample,
        registers: &bytes::Registers,
        prepared: &mut Prepared,
        end_ns: u64,
    ) -> Option<Walk> {
        let Some(watch) = self.watcher.start(sample.tid) else {
            self.not_begun("thread gone");
            return None;
        };
        let mut state = state::sampled(registers);
        let since_ns = prepared.add_segments(sample.tid, &mut state);
        let emulator = &self.shared.emulator;
        let mut walk = emulator.walk(prepared, running(sample), state, end_ns);
        walk.code_since_ns = walk.code_since_ns.min(since_ns);
        if !self.watcher.stood_still(&watch, sample.cpu) || !self.precedence.is_held() {
            self.not_begun("the thread ran on");
            return None;
        }
        Some(walk)
    }

    /// Walks a thread while ptrace keeps it stopped.
    fn walk_stopped(
        &mut self,
        sample: UserSample,
        prepared: &mut Prepared,
        end_ns: u64,
    ) -> Option<Walk> {
        if !self.precedence.is_held() && procfs::is_fenced(sample.tid) {
            self.not_begun(FENCED);
            return None;
        }
        match self.stops.stop(sample.pid, sample.tid) {
            Stop::InUserCode(registers) => {
                let state = state::stopped(sample.tid, &registers, self.layout, &mut self.extended);
                prepared.learn_segments(sample.tid, &state);
                let emulator = &self.shared.emulator;
                let walk = emulator.walk(prepared, running(sample), state, end_ns);
                self.stops.go_on(sample.pid, sample.tid);
                self.found.stops += 1;
                self.found.moved += u64::from(registers.rip != sample.ip);
                return Some(walk);
            }
            Stop::Not(reason) => self.not_begun(reason),
            Stop::Refused(error) => self.not_begun(&format!("ptrace refused: {error}")),
        }
        None
    }

    fn not_begun(&mut self, reason: &str) {
        count(&mut self.found.not_begun, reason);
    }

    /// Leaves the results in the inbox; if the other side is just reading the inbox, the results wait until next time.
    fn hand_over(&mut self, inbox: &Inbox) {
        if let Ok(mut inbox) = inbox.try_lock() {
            self.found.cpu_ns = clock::thread_cpu_ns();
            inbox.take(std::mem::take(&mut self.found));
        }
    }
}

fn running(sample: UserSample) -> Running {
    Running {
        pid: sample.pid,
        tid: sample.tid,
        cpu: sample.cpu,
    }
}

impl Found {
    /// Adds later results.
    fn take(&mut self, later: Self) {
        self.records.extend(later.records);
        self.walks.extend(later.walks);
        self.complete_until_ns = later.complete_until_ns;
        for (reason, number) in later.not_begun {
            *self.not_begun.entry(reason).or_default() += number;
        }
        self.stopped_ns += later.stopped_ns;
        self.cpu_ns = self.cpu_ns.max(later.cpu_ns);
        self.stops += later.stops;
        self.moved += later.moved;
        self.warnings.extend(later.warnings);
    }
}
