//! Proof that a thread which is not stopped has not run.
//!
//! A thread that waits for a CPU we hold may be moved to another CPU and run there. The scheduler counts
//! how often the thread was given a CPU, and `/proc` reports the count.

use crate::procfs::{self, ThreadState};
use crate::sys::clock;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Largest number of threads whose files stay open: opening the files takes longer than reading.
const THREADS_MAX: usize = 32;
/// Size of the buffer for a line of `stat`, which is shorter.
const LINE_BYTES: usize = 1024;

/// Watches threads, one at a time.
#[derive(Default)]
pub(crate) struct Watcher {
    files: FxHashMap<i32, Files>,
}

struct Files {
    account: File,
    stat: File,
}

/// State at the start of a watch.
pub(crate) struct Watch {
    tid: i32,
    turns: u64,
    own_sleeps: i64,
}

impl Watcher {
    /// Begins to watch; `None` if the thread has gone or the kernel keeps no account.
    pub(crate) fn start(&mut self, tid: i32) -> Option<Watch> {
        let own_sleeps = clock::own_sleeps();
        let known = self.files.get(&tid).and_then(|files| files.turns());
        let turns = match known {
            Some(turns) => turns,
            // The files are not open yet, or belong to a thread that has gone and left its number to another.
            None => self.open(tid)?.turns()?,
        };
        Some(Watch {
            tid,
            turns,
            own_sleeps,
        })
    }

    fn open(&mut self, tid: i32) -> Option<&Files> {
        if self.files.len() >= THREADS_MAX {
            self.files.clear();
        }
        let open = |name| File::open(format!("/proc/{tid}/task/{tid}/{name}")).ok();
        let files = Files {
            account: open("schedstat")?,
            stat: open("stat")?,
        };
        Some(self.files.entry(tid).insert_entry(files).into_mut())
    }

    /// Returns true if the thread has had no turn on any CPU since the watch began, and still waits for `cpu`. A thread
    /// that was moved before the watch began waits for another CPU, or runs there.
    pub(crate) fn stood_still(&self, watch: &Watch, cpu: u32) -> bool {
        let Some(files) = self.files.get(&watch.tid) else {
            return false;
        };
        files.turns() == Some(watch.turns)
            && clock::own_sleeps() == watch.own_sleeps
            && files
                .state()
                .is_some_and(|state| state.is_running && state.cpu == cpu)
    }
}

impl Files {
    /// Returns how often the thread was given a CPU: the third number of its account.
    fn turns(&self) -> Option<u64> {
        let mut line = [0; LINE_BYTES];
        let mut numbers = read(&self.account, &mut line)?
            .split_ascii_whitespace()
            .map(str::parse::<u64>);
        let used = numbers.next()?.ok()?;
        let turns = numbers.nth(1)?.ok()?;
        // The numbers are zeros if the kernel was built without the account.
        (used > 0 && turns > 0).then_some(turns)
    }

    fn state(&self) -> Option<ThreadState> {
        procfs::parse_thread_state(read(&self.stat, &mut [0; LINE_BYTES])?)
    }
}

/// Returns the current line of a file in `/proc`, from the last bracket of the thread's name on. The name may contain
/// anything; the numbers are behind it.
fn read<'a>(file: &File, line: &'a mut [u8; LINE_BYTES]) -> Option<&'a str> {
    let len = file.read_at(line, 0).ok()?;
    let line = &line[..len];
    let numbers = line.iter().rposition(|&byte| byte == b')').unwrap_or(0);
    std::str::from_utf8(&line[numbers..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    #[test]
    fn a_thread_that_runs_is_seen_to_run_and_one_that_sleeps_is_not_waiting_for_a_cpu() {
        let own = std::process::id() as i32;
        let mut watcher = Watcher::default();
        if watcher.start(own).is_none() {
            println!("skipped: the scheduler keeps no account");
            return;
        }
        assert!(watcher.start(i32::MAX).is_none());
        let Ok(mut child) = Command::new("sh")
            .args(["-c", "while :; do sleep 0.001; done"])
            .stdin(Stdio::null())
            .spawn()
        else {
            println!("skipped: no sh");
            return;
        };
        std::thread::sleep(Duration::from_millis(20));
        let watch = watcher.start(child.id() as i32).expect("a running child");
        std::thread::sleep(Duration::from_millis(50));
        let cpu = procfs::thread_state(child.id() as i32).map_or(0, |state| state.cpu);
        assert!(!watcher.stood_still(&watch, cpu), "it had turns meanwhile");
        child.kill().expect("our own child");
        let _ = child.wait();
        assert!(!watcher.stood_still(&watch, cpu), "it has gone");
    }
}
