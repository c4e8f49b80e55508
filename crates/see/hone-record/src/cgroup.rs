//! Control groups: mount points, the groups of a process and, for the second version, the processes of a group.

use crate::error::{RecordError, system};
use hone_host::{cgroup, key_lines};
use rustc_hash::FxHashSet;
use std::fs::{self, File};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

/// Version of control groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    One,
    Two,
}

/// A group that can be recorded.
pub(crate) struct Group {
    path: PathBuf,
    directory: File,
}

impl Group {
    /// Finds a group by its directory, or by its path below the mount point as `/proc/PID/cgroup` has it.
    pub(crate) fn open(path: &Path) -> Result<Self, RecordError> {
        let mount = cgroup2_mount().ok_or(RecordError::NoCgroups {
            why: "cgroups of the second version are not mounted",
        })?;
        // If the first version has the controller `perf_event`, perf events follow the groups of the first version.
        if controllers_v1().any(|name| name == "perf_event") {
            return Err(RecordError::NoCgroups {
                why: "perf events follow cgroups of the first version on this machine",
            });
        }
        let path = match path.strip_prefix(&mount) {
            Ok(_) => path.to_owned(),
            Err(_) => mount.join(path.strip_prefix("/").unwrap_or(path)),
        };
        if !path.join("cgroup.procs").exists() {
            return Err(RecordError::NoSuchCgroup { path, mount });
        }
        let directory = File::open(&path).map_err(system("open a cgroup"))?;
        Ok(Self { path, directory })
    }

    /// Finds the group that all these processes are in, and nobody else; `None` if there is none.
    pub(crate) fn of_only(pids: &FxHashSet<i32>) -> Option<Self> {
        let listed = |pid| fs::read_to_string(format!("/proc/{pid}/cgroup"));
        let mut groups = FxHashSet::default();
        for listed in pids.iter().filter_map(|pid| listed(pid).ok()) {
            groups.insert(cgroup::unified(&listed)?.to_owned());
        }
        let mut groups = groups.into_iter();
        let (Some(path), None) = (groups.next(), groups.next()) else {
            return None;
        };
        // Everybody whose group is not told apart is in the root.
        let group = Self::open(Path::new(&path)).ok().filter(|_| path != "/")?;
        let has_no_other = group.processes().iter().all(|pid| pids.contains(pid));
        has_no_other.then_some(group)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Processes of the group and of the groups below it.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let mut pids = Vec::new();
        let mut left = vec![self.path.clone()];
        while let Some(path) = left.pop() {
            let listed = fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default();
            pids.extend(listed.lines().filter_map(|line| line.parse::<i32>().ok()));
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            left.extend(below.map(|entry| entry.path()));
        }
        pids
    }

    /// CPU seconds that the group has used since it was created.
    pub(crate) fn used_s(&self) -> Option<f64> {
        let stat = fs::read_to_string(self.path.join("cpu.stat")).ok()?;
        Some(key_lines::number(&stat, "usage_usec")? as f64 * 1e-6)
    }
}

/// Returns the groups that `/proc/PID/cgroup` lists for a process and that may have limits of a controller, each with
/// the groups above it up to the mount point.
pub(crate) fn groups_of(listed: &str, controller: &str) -> Vec<(PathBuf, Version)> {
    let mut groups = Vec::new();
    for (controllers, path) in cgroup::memberships(listed) {
        let (mount, version) = match controllers {
            "" => (cgroup2_mount(), Version::Two),
            list if list.split(',').any(|name| name == controller) => {
                (cgroup1_mount(controller), Version::One)
            }
            _ => continue,
        };
        if let Some(mount) = mount {
            let own = mount.join(path.trim_start_matches('/'));
            groups.extend(upwards(&own, mount, version));
        }
    }
    groups
}

/// Returns a group and the groups above it, up to the mount point.
pub(crate) fn upwards(
    path: &Path,
    mount: PathBuf,
    version: Version,
) -> impl Iterator<Item = (PathBuf, Version)> {
    let ancestors: Vec<PathBuf> = path
        .ancestors()
        .take_while(|path| path.starts_with(&mount))
        .map(Path::to_owned)
        .collect();
    ancestors.into_iter().map(move |path| (path, version))
}

/// Returns the controllers of the hierarchies of the first version, as far as our own process is in them.
fn controllers_v1() -> impl Iterator<Item = String> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let lists: Vec<String> = own
        .lines()
        .filter_map(|line| line.split(':').nth(1))
        .flat_map(|list| list.split(','))
        .map(str::to_owned)
        .collect();
    lists.into_iter()
}

/// Returns the mount point of cgroups of the second version; `None` if they are not mounted, or only a part of them.
pub fn cgroup2_mount() -> Option<PathBuf> {
    cgroup::mount_point(&mounts(), |kind, _| kind == "cgroup2").map(PathBuf::from)
}

/// Returns the mount point of a controller of the first version.
pub(crate) fn cgroup1_mount(controller: &str) -> Option<PathBuf> {
    let mounts = mounts();
    let point = cgroup::mount_point(&mounts, |kind, options| {
        kind == "cgroup" && options.split(',').any(|option| option == controller)
    });
    point.map(PathBuf::from)
}

fn mounts() -> String {
    fs::read_to_string("/proc/self/mountinfo").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_in_a_group_of_each_hierarchy_that_is_mounted() {
        let listed = "9:name=systemd:/a\n4:memory:/a\n0::/\n";
        let second = usize::from(cgroup2_mount().is_some());
        assert_eq!(groups_of(listed, "cpu").len(), second);
        // The group and the root above it.
        let first = 2 * usize::from(cgroup1_mount("memory").is_some());
        assert_eq!(groups_of(listed, "memory").len(), first + second);
        assert!(groups_of("cut", "cpu").is_empty());
    }
}
