//! Proof that a thread which is not stopped has not run.
//!
//! A thread that waits for a CPU we hold may be moved to another CPU and run there. The scheduler counts
//! how often it was given one, and `/proc` tells.

use crate::procfs;
use crate::sys::clock;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// A thread under watch.
pub(crate) struct Watch {
    tid: i32,
    account: File,
    turns: u64,
    own_sleeps: i64,
}

impl Watch {
    /// Begins to watch; `None` where the thread has gone or the kernel keeps no account.
    pub(crate) fn start(tid: i32) -> Option<Self> {
        let account = File::open(format!("/proc/{tid}/task/{tid}/schedstat")).ok()?;
        let turns = turns(&account)?;
        Some(Self {
            tid,
            account,
            turns,
            own_sleeps: clock::own_sleeps(),
        })
    }

    /// Whether it has had no turn on any CPU since, and waits for this one as it did then. Where it had
    /// been moved before the watch began, it waits for, or runs on, another.
    pub(crate) fn stood_still(&self, cpu: u32) -> bool {
        turns(&self.account) == Some(self.turns)
            && clock::own_sleeps() == self.own_sleeps
            && procfs::thread_state(self.tid)
                .is_some_and(|state| state.is_running && state.cpu == cpu)
    }
}

/// How often the thread was given a CPU: the third number of its account.
fn turns(account: &File) -> Option<u64> {
    let mut text = [0; 96];
    let len = account.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(&text[..len]).ok()?;
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let used = numbers.next()?.ok()?;
    let turns = numbers.nth(1)?.ok()?;
    // Zeros where the kernel was built without.
    (used > 0 && turns > 0).then_some(turns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    #[test]
    fn a_thread_that_runs_is_seen_to_run_and_one_that_sleeps_is_not_waiting_for_a_cpu() {
        let own = std::process::id() as i32;
        let Some(watch) = Watch::start(own) else {
            println!("skipped: the scheduler keeps no account");
            return;
        };
        assert!(Watch::start(i32::MAX).is_none());
        drop(watch);
        let Ok(mut child) = Command::new("sh")
            .args(["-c", "while :; do sleep 0.001; done"])
            .stdin(Stdio::null())
            .spawn()
        else {
            println!("skipped: no sh");
            return;
        };
        std::thread::sleep(Duration::from_millis(20));
        let watch = Watch::start(child.id() as i32).expect("a running child");
        std::thread::sleep(Duration::from_millis(50));
        let cpu = procfs::thread_state(child.id() as i32).map_or(0, |state| state.cpu);
        assert!(!watch.stood_still(cpu), "it had turns meanwhile");
        child.kill().expect("our own child");
        let _ = child.wait();
    }
}
