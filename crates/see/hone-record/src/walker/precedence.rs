//! Precedence of walkers over ordinary threads, and what keeps a walker from holding up its CPU.
//!
//! A walker looks at its own share of the CPU between two turns. That is not enough, since the kernel may keep a walker
//! inside one system call. Looking up a name in `/proc` of a thread that has just ended waits, busily, for whoever takes
//! the names of that thread down (`d_invalidate` and `shrink_dcache_parent` in Linux's fs/dcache.c). If that is an
//! ordinary thread that waits for the walker's CPU, neither goes on, and no signal ends it, not even the SIGKILL of RLIMIT_RTTIME.
//! So walkers ask whether a thread is there before they look it up ([`crate::sys::threads::is_there`]), and [`oversee`] takes the
//! precedence from a walker whose turn takes too long, whatever the cause.

use crate::sys::sched::{self, Precedence as Over};
use crate::sys::{clock, threads};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two checks of the cost of precedence.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// A walker that takes more than one part in this number of its CPU loses its precedence.
const SHARE: u64 = 4;
/// Length of a turn beyond which the precedence is taken away, and time between two looks for such turns. Turns take
/// a few milliseconds.
const TURN_MAX: Duration = Duration::from_millis(100);
/// A walker from which precedence was taken so often stays without.
const TAKEN_MAX: u32 = 10;

/// What a walker tells [`oversee`] about itself.
#[derive(Default)]
pub(crate) struct Turn {
    /// Number of the thread, if it has precedence, or 0.
    tid: AtomicI32,
    /// Time at which the turn began; 0 between turns.
    since_ns: AtomicU64,
    /// True if precedence was taken away in or after this turn.
    is_taken: AtomicBool,
    /// Held while precedence is taken away, so that the walker does not take it back before it is gone.
    taking: Mutex<()>,
}

/// Takes the precedence from walkers whose turn is too long, until `stop` is set. The calling thread is woken by
/// [`thread::Thread::unpark`] once it is.
pub(crate) fn oversee(turns: &[Turn], stop: &AtomicBool) {
    // Where this is refused, walkers have no precedence either.
    let _ = sched::take_precedence(Over::OverOurs);
    while !stop.load(Ordering::Relaxed) {
        thread::park_timeout(TURN_MAX);
        let now_ns = clock::monotonic_ns();
        for turn in turns {
            turn.end_precedence_if_long(now_ns);
        }
    }
}

impl Turn {
    fn end_precedence_if_long(&self, now_ns: u64) {
        let _taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let since_ns = self.since_ns.load(Ordering::Acquire);
        let tid = self.tid.load(Ordering::Acquire);
        let is_long = since_ns > 0 && now_ns.saturating_sub(since_ns) > TURN_MAX.as_nanos() as u64;
        // The walker must know before it can be held up: what it thinks stands still then runs.
        if is_long && tid != 0 && !self.is_taken.swap(true, Ordering::SeqCst) {
            // The thread may be gone; and who may give precedence may take it.
            let _ = sched::take_precedence_from(tid);
        }
    }
}

/// The precedence of the calling walker.
pub(crate) struct Precedence<'a> {
    turn: &'a Turn,
    is_held: bool,
    times_taken: u32,
    since_ns: u64,
    cpu_before_ns: u64,
}

impl<'a> Precedence<'a> {
    /// Binds the calling thread to a CPU and takes precedence over ordinary threads there, as far as the system allows.
    pub(crate) fn take(cpu: i32, turn: &'a Turn, warnings: &mut Vec<String>) -> Self {
        if let Err(error) = sched::stay_on(cpu as u32) {
            warnings.push(format!(
                "Hone may not run on CPU {cpu} ({error}): threads there are walked from another one, a \
                 little after their samples."
            ));
        }
        let taken = sched::take_precedence(Over::OverOrdinary);
        if let Err(error) = &taken {
            warnings.push(format!(
                "No real-time priority for the walker ({error}): threads run on a little between sample \
                 and walk, and system calls may take part. As root or with CAP_SYS_NICE they do not."
            ));
        } else {
            turn.tid.store(threads::own_tid(), Ordering::Release);
        }
        Self {
            turn,
            is_held: taken.is_ok(),
            times_taken: 0,
            since_ns: clock::monotonic_ns(),
            cpu_before_ns: clock::thread_cpu_ns(),
        }
    }

    /// Returns true if ordinary threads cannot have run on this CPU since the turn began, but for sleeps of this thread.
    pub(crate) fn is_held(&self) -> bool {
        self.is_held && !self.turn.is_taken.load(Ordering::SeqCst)
    }

    pub(crate) fn begin_turn(&self) {
        (self.turn.since_ns).store(clock::monotonic_ns(), Ordering::Release);
    }

    /// Takes precedence again if it was taken away, and gives it up if that comes too often or the walker uses too much of the CPU.
    pub(crate) fn end_turn(&mut self, warnings: &mut Vec<String>) {
        self.turn.since_ns.store(0, Ordering::Release);
        if !self.is_held {
            return;
        }
        if self.turn.is_taken.load(Ordering::SeqCst) {
            let turn = self.turn;
            let _taking = turn.taking.lock().unwrap_or_else(PoisonError::into_inner);
            self.times_taken += 1;
            if self.times_taken >= TAKEN_MAX {
                warnings.push(format!(
                    "The walker was held up {TAKEN_MAX} times for over 0.1 s and gave up its real-time priority."
                ));
                self.give_up();
            } else {
                self.is_held = sched::take_precedence(Over::OverOrdinary).is_ok();
                self.turn.is_taken.store(false, Ordering::SeqCst);
            }
        }
        self.check_share(warnings);
    }

    fn check_share(&mut self, warnings: &mut Vec<String>) {
        let now_ns = clock::monotonic_ns();
        let passed_ns = now_ns - self.since_ns;
        if !self.is_held || passed_ns < CHECK_EVERY.as_nanos() as u64 {
            return;
        }
        let cpu_ns = clock::thread_cpu_ns();
        if (cpu_ns - self.cpu_before_ns) * SHARE > passed_ns {
            warnings.push(
                "The walker used a quarter of a CPU and gave up its real-time priority.".to_owned(),
            );
            self.give_up();
        }
        self.since_ns = now_ns;
        self.cpu_before_ns = cpu_ns;
    }

    fn give_up(&mut self) {
        self.is_held = sched::take_precedence_from(0).is_err();
        if !self.is_held {
            self.turn.tid.store(0, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procfs;
    use std::time::Instant;
    use testkit::PATIENCE;

    fn may_have_precedence() -> bool {
        let tried = thread::spawn(|| sched::take_precedence(Over::OverOrdinary));
        let may = tried.join().expect("no panic").is_ok();
        if !may {
            println!("skipped: no real-time priority here");
        }
        may
    }

    #[test]
    fn a_turn_without_end_loses_its_precedence_and_takes_it_again_in_the_end() {
        if !may_have_precedence() {
            return;
        }
        let (turn, stop) = (Turn::default(), AtomicBool::new(false));
        let turns = std::slice::from_ref(&turn);
        thread::scope(|scope| {
            let overseer = scope.spawn(|| oversee(turns, &stop));
            let walker = scope.spawn(|| {
                let mut warnings = Vec::new();
                let cpu = procfs::online_cpus()[0];
                let mut precedence = Precedence::take(cpu, &turn, &mut warnings);
                assert_eq!(warnings, [""; 0]);
                let own = threads::own_tid();
                let mut held = Vec::new();
                for _ in 0..=TAKEN_MAX {
                    held.push(threads::has_precedence(own).expect("our own thread"));
                    precedence.begin_turn();
                    let began = Instant::now();
                    while precedence.is_held() && began.elapsed() < PATIENCE {
                        thread::sleep(Duration::from_millis(1));
                    }
                    held.push(precedence.is_held());
                    precedence.end_turn(&mut warnings);
                }
                (held, warnings)
            });
            let (held, warnings) = walker.join().expect("no panic");
            stop.store(true, Ordering::Relaxed);
            overseer.thread().unpark();
            let often = TAKEN_MAX as usize;
            assert_eq!(held[..2 * often], [true, false].repeat(often));
            assert_eq!(held[2 * often..], [false; 2], "given up for good");
            assert_eq!(warnings.len(), 1, "{warnings:?}");
        });
    }

    /// A program whose threads end all the time; without the question whether they are there, a look took up to 20 s.
    #[test]
    fn looks_for_threads_that_are_ending_do_not_hold_up_a_cpu() {
        const MAKERS: usize = 4;
        const ROUNDS: u32 = 10_000;
        if !may_have_precedence() {
            return;
        }
        let cpu = procfs::online_cpus()[0] as u32;
        let born: [AtomicI32; MAKERS] = Default::default();
        let stop = AtomicBool::new(false);
        let pid = std::process::id() as i32;
        thread::scope(|scope| {
            for born in &born {
                let stop = &stop;
                let brief = || born.store(threads::own_tid(), Ordering::Relaxed);
                scope.spawn(move || {
                    sched::stay_on(cpu).expect("a CPU of ours");
                    while !stop.load(Ordering::Relaxed) {
                        thread::scope(|scope| scope.spawn(brief).join()).expect("no panic");
                    }
                });
            }
            let looker = scope.spawn(|| {
                sched::stay_on(cpu).expect("a CPU of ours");
                sched::take_precedence(Over::OverOrdinary).expect("allowed before");
                let (mut rounds, mut seen) = (0, 0);
                let began = Instant::now();
                while rounds < ROUNDS && began.elapsed() < PATIENCE {
                    thread::sleep(Duration::from_micros(200));
                    let tids = born.iter().map(|born| born.load(Ordering::Relaxed));
                    let there = tids.filter(|&tid| tid != 0 && threads::is_there(pid, tid));
                    seen += there.filter_map(procfs::thread_state).count();
                    rounds += 1;
                }
                (rounds, seen)
            });
            let (rounds, seen) = looker.join().expect("no panic");
            stop.store(true, Ordering::Relaxed);
            assert_eq!(rounds, ROUNDS);
            assert!(seen > 0);
        });
    }
}
