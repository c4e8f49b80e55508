//! Memory that the C library's allocator keeps when it is free: for each thread by itself, and after compaction and large
//! questions for good.

use std::time::{Duration, Instant};

/// Shortest work whose memory is given back, which takes milliseconds.
const LONG: Duration = Duration::from_millis(100);

/// Does work, and gives the free memory of all threads back to the system if that took long.
pub(crate) fn giving_back<T>(work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    if began.elapsed() >= LONG {
        give_back();
    }
    done
}

#[cfg(target_env = "gnu")]
#[expect(unsafe_code)]
fn give_back() {
    // SAFETY: `malloc_trim` locks what it looks at, and touches no memory that is in use.
    unsafe { libc::malloc_trim(0) };
}

/// Other C libraries' allocators keep little.
#[cfg(not(target_env = "gnu"))]
fn give_back() {}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use hone_host::key_lines;

    use super::*;

    const FREED: u64 = 256 << 20;

    fn resident_bytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        key_lines::bytes(&status, "VmRSS:").unwrap()
    }

    #[test]
    fn memory_that_a_thread_has_freed_is_given_back() {
        let work = std::thread::spawn(|| {
            let began = Instant::now();
            let (grown, in_use) = giving_back(|| {
                // Small ones, which the allocator keeps since the last is in use.
                let mut pieces: Vec<_> = (0..FREED >> 10).map(|_| vec![1_u8; 1 << 10]).collect();
                let grown = resident_bytes();
                pieces.drain(..pieces.len() - 1);
                std::thread::sleep(LONG.saturating_sub(began.elapsed()));
                (grown, pieces)
            });
            (grown, resident_bytes(), in_use)
        });
        let (grown, after, _) = work.join().unwrap();
        assert!(after < grown - FREED / 2, "{grown} {after}");
    }
}
