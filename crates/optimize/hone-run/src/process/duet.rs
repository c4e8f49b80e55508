//! Two runs that share one CPU at the same time; the reason is in docs/decisions/0012-duets.md.

use anyhow::{Context, Result};

/// Does two things at the same time, and waits for both. If both fail, returns the error of `first`.
pub fn together<T: Send>(
    first: impl FnOnce() -> Result<T> + Send,
    second: impl FnOnce() -> Result<T>,
) -> Result<[T; 2]> {
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        let first = first
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok([first?, second?])
    })
}

/// Chooses one of the CPUs that this process may use, by a seed.
pub fn one_cpu(seed: u64) -> Result<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).context("sched_getaffinity")?;
    let cpus: Vec<usize> = (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&cpu| allowed.is_set(cpu))
        .collect();
    let place = seed % cpus.len().max(1) as u64;
    cpus.get(place as usize)
        .copied()
        .context("no CPU is allowed")
}
