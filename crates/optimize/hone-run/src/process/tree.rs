//! The descendants of this process, from /proc.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hone_host::process::Process;
use rustix::process::{Pid, Signal};

/// Time that a tree has to end by itself after it was told to end.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// Time between two looks at a tree that was told to end.
const LOOK: Duration = Duration::from_millis(20);

/// One living descendant.
pub struct Descendant {
    /// Process id.
    pub pid: Pid,
    /// Command name.
    pub name: String,
    /// Process id of the parent.
    pub parent: i32,
}

/// Makes processes whose parents end children of this process from now on, so that none leaves the tree.
pub fn adopt_orphans() -> Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .context("prctl(PR_SET_CHILD_SUBREAPER)")
}

/// Asks all descendants to end, and kills those that have not ended in time. Called when no
/// descendant is wanted any more. Processes that may not be signalled are left.
pub fn end() {
    if descendants().is_empty() {
        return;
    }
    signal(Signal::TERM);
    let began = Instant::now();
    while !descendants().is_empty() && began.elapsed() < 2 * GRACE {
        if began.elapsed() >= GRACE {
            signal(Signal::KILL);
        }
        std::thread::sleep(LOOK);
    }
}

/// Lists all processes below this process, zombies left out.
pub(super) fn descendants() -> Vec<Descendant> {
    below(rustix::process::getpid().as_raw_nonzero().get())
}

/// Lists all processes below another process, zombies left out.
pub fn below(root: i32) -> Vec<Descendant> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut children: HashMap<i32, Vec<(i32, String, bool)>> = HashMap::new();
    for entry in entries.flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<i32>().ok())
        else {
            continue;
        };
        // A process that ends meanwhile is no loss.
        let Ok(stat) = std::fs::read(entry.path().join("stat")) else {
            continue;
        };
        if let Some(process) = Process::parse(&stat) {
            let name = String::from_utf8_lossy(process.name).into_owned();
            let siblings = children.entry(process.parent).or_default();
            siblings.push((pid, name, process.state == 'Z'));
        }
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for (pid, name, zombie) in children.remove(&parent).unwrap_or_default() {
            open.push(pid);
            if let (false, Some(pid)) = (zombie, Pid::from_raw(pid)) {
                found.push(Descendant { pid, name, parent });
            }
        }
    }
    found
}

/// Signals all descendants.
pub(super) fn signal(signal: Signal) {
    for descendant in descendants() {
        // A process that has ended meanwhile needs no signal. Its id cannot have been given to a stranger:
        // its parent or this process has not reaped it, or it was not listed.
        let _ = rustix::process::kill_process(descendant.pid, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_child_is_found() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        let listed = descendants()
            .iter()
            .any(|one| one.pid.as_raw_nonzero().get() == child.id() as i32);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(listed);
    }
}
