//! A control group of a process tree's own, for its CPU time in microseconds.
//!
//! Every group of the second version has `cpu.stat`, whichever controllers are enabled, and it counts what no
//! sum over processes can: those that have ended, also where their parent ignores SIGCHLD. Whether a group can be
//! made depends on the machine: by root, or below a group that systemd has delegated. Where it cannot,
//! there is none, and the caller reads the clocks of the processes.

use std::fs;
use std::path::{Path, PathBuf};

/// The group that this process has entered; left and removed when dropped.
pub(super) struct Cgroup {
    path: PathBuf,
    parent: PathBuf,
}

impl Cgroup {
    /// Makes a group below the one of this process, and moves this process into it.
    pub(super) fn enter() -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let parent = mount_point(&mounts)?.join(own_group(&own)?.trim_start_matches('/'));
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
        // What cannot be removed stays behind empty, which does no harm.
        let _ = fs::write(self.parent.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.path);
    }
}

/// User and system CPU seconds of a group since it was made.
pub(crate) fn cpu_s(group: &Path) -> Option<(f64, f64)> {
    parse_cpu(&fs::read_to_string(group.join("cpu.stat")).ok()?)
}

fn parse_cpu(text: &str) -> Option<(f64, f64)> {
    let seconds = |key: &str| {
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))?;
        Some(value.trim().parse::<f64>().ok()? * 1e-6)
    };
    Some((seconds("user_usec")?, seconds("system_usec")?))
}

/// Where the second version is mounted, from /proc/self/mountinfo.
fn mount_point(mountinfo: &str) -> Option<PathBuf> {
    let of_line = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let is_it = after.split(' ').next() == Some("cgroup2");
        let fields: Vec<&str> = before.split(' ').collect();
        // A mount of a part of the tree would need its root taken off the group's path.
        (is_it && fields.get(3) == Some(&"/")).then(|| PathBuf::from(fields[4]))
    };
    mountinfo.lines().find_map(of_line)
}

/// The group of the second version in /proc/self/cgroup.
fn own_group(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| line.strip_prefix("0::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_version_is_found_beside_the_first() {
        let mounts = "25 1 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
            30 24 0:26 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
        assert_eq!(
            mount_point(mounts),
            Some(PathBuf::from("/sys/fs/cgroup/unified"))
        );
        assert_eq!(mount_point("1 2 0:1 / /x rw - tmpfs tmpfs rw"), None);
        assert_eq!(
            own_group("8:pids:/\n0::/user.slice/a.scope\n"),
            Some("/user.slice/a.scope")
        );
        assert_eq!(own_group("8:pids:/\n"), None);
    }

    #[test]
    fn microseconds_become_seconds() {
        let text = "usage_usec 1750000\nuser_usec 1500000\nsystem_usec 250000\nnice_usec 0\n";
        assert_eq!(parse_cpu(text), Some((1.5, 0.25)));
        assert_eq!(parse_cpu("nr_periods 0\n"), None);
    }
}
