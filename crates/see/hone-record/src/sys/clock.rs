//! Clocks and limits.

use super::checked;
use std::io;
use std::mem::MaybeUninit;

fn read_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for the answer and lives through the call.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) };
    debug_assert_eq!(failed, 0, "the clocks asked for exist on every Linux");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Reads the clock of every time stamp in a recording.
pub(crate) fn monotonic_ns() -> u64 {
    read_ns(libc::CLOCK_MONOTONIC)
}

/// Returns the CPU time of the calling thread.
pub(crate) fn thread_cpu_ns() -> u64 {
    read_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU time of a thread from one question to the next.
#[derive(Default)]
pub(crate) struct OwnTime {
    seen_ns: u64,
}

impl OwnTime {
    /// Begins when the thread had used so much.
    pub(crate) fn since(seen_ns: u64) -> Self {
        Self { seen_ns }
    }

    /// Returns the CPU time of the calling thread since the last call.
    pub(crate) fn take_ns(&mut self) -> u64 {
        let now_ns = thread_cpu_ns();
        now_ns - std::mem::replace(&mut self.seen_ns, now_ns)
    }
}

/// Returns the CPU time of this process, threads that have ended included.
pub(crate) fn process_cpu_ns() -> u64 {
    read_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Returns how often the calling thread has slept.
pub(crate) fn own_sleeps() -> i64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for the answer and lives through the call.
    unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) };
    // SAFETY: an rusage consists of numbers only, for which the zero bytes are valid too.
    unsafe { usage.assume_init() }.ru_nvcsw
}

/// Reads the time stamp counter of the CPU that the calling thread runs on.
pub(crate) fn time_stamp() -> u64 {
    // SAFETY: every x86-64 CPU has the instruction; the kernel denies it only to a process that has asked for that.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Returns CPU and NUMA node of the calling thread.
pub(crate) fn own_cpu() -> Option<(u32, u32)> {
    let (mut cpu, mut node) = (0_u32, 0_u32);
    let no_cache = std::ptr::null::<libc::c_void>();
    // SAFETY: `cpu` and `node` are valid places for the answers and live through the call; the third argument is not used.
    let done = unsafe { libc::syscall(libc::SYS_getcpu, &mut cpu, &mut node, no_cache) };
    checked(done).ok().map(|_| (cpu, node))
}

pub(super) fn limit(resource: libc::__rlimit_resource_t) -> io::Result<libc::rlimit> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid place for the answer and lives through the call.
    checked(unsafe { libc::getrlimit(resource, &mut limit) })?;
    Ok(limit)
}

/// Returns `RLIMIT_MEMLOCK` in bytes; `None` for unlimited.
pub(crate) fn locked_memory_bytes() -> Option<u64> {
    let limit = limit(libc::RLIMIT_MEMLOCK).ok()?;
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// Raises the soft limit of open files to the hard one and returns it.
pub(crate) fn raise_open_files() -> io::Result<u64> {
    let mut files = limit(libc::RLIMIT_NOFILE)?;
    files.rlim_cur = files.rlim_max;
    // SAFETY: `files` is an initialised rlimit that lives through the call.
    checked(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &files) })?;
    Ok(files.rlim_cur)
}
