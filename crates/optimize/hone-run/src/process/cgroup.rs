//! A control group for one process tree, which gives its CPU time in microseconds.
//!
//! Every group of the second version has `cpu.stat`, whichever controllers are enabled. This file counts what no
//! sum over processes can: processes that have ended, even if their parent ignores SIGCHLD. A group can be made by
//! root, or below a group that systemd has delegated. If no group can be made, the caller reads the clocks
//! of the processes.

use std::fs;
use std::path::{Path, PathBuf};

use hone_host::{cgroup, key_lines};
use hone_record::cgroup2_mount;

/// A group that this process has entered; left and removed when dropped.
pub(super) struct Cgroup {
    path: PathBuf,
    parent: PathBuf,
}

impl Cgroup {
    /// Makes a group below the group of this process, and moves this process into it.
    pub(super) fn enter() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let parent = cgroup2_mount()?.join(cgroup::unified(&own)?.trim_start_matches('/'));
        let path = parent.join(format!("hone-{}", std::process::id()));
        fs::create_dir(&path).ok()?;
        let group = Self { path, parent };
        // From here on a failure removes the group again.
        fs::write(group.path.join("cgroup.procs"), "0").ok()?;
        cpu_s(&group.path)?;
        Some(group)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // A group that cannot be removed stays behind empty, which does no harm.
        let _ = fs::write(self.parent.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.path);
    }
}

/// User and system CPU seconds of a group since it was made.
pub fn cpu_s(group: &Path) -> Option<(f64, f64)> {
    parse_cpu(&fs::read_to_string(group.join("cpu.stat")).ok()?)
}

fn parse_cpu(text: &str) -> Option<(f64, f64)> {
    let seconds = |name| Some(key_lines::number(text, name)? as f64 * 1e-6);
    Some((seconds("user_usec")?, seconds("system_usec")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_become_seconds() {
        let text = "usage_usec 1750000\nuser_usec 1500000\nsystem_usec 250000\nnice_usec 0\n";
        assert_eq!(parse_cpu(text), Some((1.5, 0.25)));
        assert_eq!(parse_cpu("nr_periods 0\n"), None);
    }
}
