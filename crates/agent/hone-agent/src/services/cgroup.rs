//! Cgroups: the cgroups of a process, and the kernel's counts for a whole cgroup.
//!
//! Three layouts exist: version 2 alone (`/sys/fs/cgroup` is its root), version 1 (a tree for each controller), and
//! both at once, with version 2 in `unified`. Where the controllers are in version 1 and systemd manages version 2 or a
//! tree without a controller, a service has the same path in all trees; in a tree where a process is at the root,
//! nothing is counted for its service.

use hone_host::cgroup::{Membership, is_below_root};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the cgroup that counts for a service in a tree: `path`, cut to the service. `None` for the root of the
/// tree.
fn within<'a>(path: &'a str, service: &str) -> Option<&'a str> {
    let cut = path.get(..service.len()).filter(|start| *start == service);
    match cut {
        Some(start) => is_below_root(start).then_some(start),
        // Another manager made this tree, with paths of its own.
        None => is_below_root(path).then_some(path),
    }
}

/// Counts of the kernel for a cgroup since the cgroup was made. `None` where the kernel does not count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Usage {
    /// CPU seconds of all processes in the cgroup and below it, including ended processes.
    pub(super) cpu_s: Option<f64>,
    /// Seconds that the CPUs waited for a new quota, added up; periods in which they waited, and all periods.
    pub(super) throttled_s: Option<f64>,
    pub(super) throttled_periods: Option<f64>,
    pub(super) periods: Option<f64>,
    /// Bytes of memory now, and the most so far.
    pub(super) memory_bytes: Option<f64>,
    pub(super) memory_peak_bytes: Option<f64>,
}

/// Directories of the trees.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    unified: Option<PathBuf>,
    cpu: Option<PathBuf>,
    cpuacct: Option<PathBuf>,
    memory: Option<PathBuf>,
}

impl Trees {
    /// Finds the trees below a root such as `/sys/fs/cgroup`.
    pub(super) fn find(root: &Path) -> Self {
        let directory = |name: &str| Some(root.join(name)).filter(|path| path.is_dir());
        let is_version_2 = |path: &Path| path.join("cgroup.controllers").exists();
        let unified = [root.to_owned(), root.join("unified")];
        Self {
            unified: unified.into_iter().find(|path| is_version_2(path)),
            cpu: directory("cpu").or_else(|| directory("cpu,cpuacct")),
            cpuacct: directory("cpuacct").or_else(|| directory("cpu,cpuacct")),
            memory: directory("memory"),
        }
    }

    /// Returns the counts for the service with this path, given the membership of one of its processes.
    pub(super) fn usage(&self, membership: &Membership, service: &str) -> Usage {
        let mut usage = self.of_version_2(membership, service);
        let cgroup = |tree: &Option<PathBuf>, path: &str| -> Option<PathBuf> {
            Some(below(tree.as_ref()?, within(path, service)?))
        };
        if usage.cpu_s.is_none() {
            let directory = cgroup(&self.cpuacct, &membership.cpuacct);
            usage.cpu_s = directory
                .and_then(|path| number(&path, "cpuacct.usage"))
                .map(|ns| ns / 1e9);
        }
        if usage.periods.is_none()
            && let Some(directory) = cgroup(&self.cpu, &membership.cpu)
        {
            let counts = counts(&directory, "cpu.stat");
            usage.periods = counts("nr_periods");
            usage.throttled_periods = counts("nr_throttled");
            usage.throttled_s = counts("throttled_time").map(|ns| ns / 1e9);
        }
        if usage.memory_bytes.is_none()
            && let Some(directory) = cgroup(&self.memory, &membership.memory)
        {
            usage.memory_bytes = number(&directory, "memory.usage_in_bytes");
            usage.memory_peak_bytes = number(&directory, "memory.max_usage_in_bytes");
        }
        usage
    }

    fn of_version_2(&self, membership: &Membership, service: &str) -> Usage {
        let path = within(&membership.unified, service);
        let (Some(tree), Some(path)) = (&self.unified, path) else {
            return Usage::default();
        };
        let directory = below(tree, path);
        let counts = counts(&directory, "cpu.stat");
        let seconds = |key| counts(key).map(|us| us / 1e6);
        Usage {
            cpu_s: seconds("usage_usec"),
            throttled_s: seconds("throttled_usec"),
            throttled_periods: counts("nr_throttled"),
            periods: counts("nr_periods"),
            memory_bytes: number(&directory, "memory.current"),
            memory_peak_bytes: number(&directory, "memory.peak"),
        }
    }
}

/// Returns the directory of a path within a tree. A path may hold `..`, if the agent is in a namespace below it.
fn below(tree: &Path, path: &str) -> PathBuf {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.fold(tree.to_owned(), |directory, part| directory.join(part))
}

/// Reads a file of one number.
fn number(directory: &Path, file: &str) -> Option<f64> {
    let text = fs::read_to_string(directory.join(file)).ok()?;
    text.trim().parse::<u64>().ok().map(|number| number as f64)
}

/// Reads a file of lines such as `nr_periods 12`.
fn counts(directory: &Path, file: &str) -> impl Fn(&str) -> Option<f64> {
    let text = fs::read_to_string(directory.join(file)).unwrap_or_default();
    move |wanted: &str| hone_host::key_lines::number(&text, wanted).map(|value| value as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    const ALL: Usage = Usage {
        cpu_s: Some(2.5),
        throttled_s: Some(0.75),
        throttled_periods: Some(3.0),
        periods: Some(40.0),
        memory_bytes: Some(4096.0),
        memory_peak_bytes: Some(8192.0),
    };

    #[test]
    fn version_2_alone() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "cgroup.controllers", "cpu memory\n");
        let of = |file: &str| format!("system.slice/a.service/{file}");
        let stat = "usage_usec 2500000\nuser_usec 1\nnr_periods 40\nnr_throttled 3\nthrottled_usec 750000\n";
        write(root, &of("cpu.stat"), stat);
        write(root, &of("memory.current"), "4096\n");
        write(root, &of("memory.peak"), "8192\n");
        let membership = Membership::parse("0::/system.slice/a.service/inner\n");
        let usage = Trees::find(root).usage(&membership, "/system.slice/a.service");
        assert_eq!(usage, ALL);
    }

    /// Layout of systems where systemd keeps version 2 for itself.
    #[test]
    fn version_1_with_version_2_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "unified/cgroup.controllers", "");
        let own = "system.slice/a.service";
        write(
            root,
            &format!("unified/{own}/cpu.stat"),
            "usage_usec 2500000\n",
        );
        let stat = "nr_periods 40\nnr_throttled 3\nthrottled_time 750000000\n";
        write(root, &format!("cpu,cpuacct/{own}/cpu.stat"), stat);
        write(
            root,
            &format!("memory/{own}/memory.usage_in_bytes"),
            "4096\n",
        );
        write(
            root,
            &format!("memory/{own}/memory.max_usage_in_bytes"),
            "8192\n",
        );
        let text =
            format!("5:cpu,cpuacct:/{own}\n4:memory:/{own}\n1:name=systemd:/{own}\n0::/{own}\n");
        let membership = Membership::parse(&text);
        assert_eq!(membership.path(), format!("/{own}"));
        let usage = Trees::find(root).usage(&membership, membership.path());
        assert_eq!(usage, ALL);
    }

    #[test]
    fn version_1_with_trees_of_their_own() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "cpuacct/batch/cpuacct.usage", "2500000000\n");
        write(root, "cpuacct/cpuacct.usage", "99\n");
        write(root, "cpu/cpu.stat", "nr_periods 7\n");
        let membership = Membership::parse("2:cpuacct:/batch\n1:cpu:/\n0::/\n");
        assert_eq!(membership.path(), "/batch");
        let usage = Trees::find(root).usage(&membership, "/batch");
        let expected = Usage {
            cpu_s: Some(2.5),
            ..Usage::default()
        };
        assert_eq!(usage, expected);
    }

    #[test]
    fn what_is_at_the_root_has_no_figures_of_its_own() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "cgroup.controllers", "");
        write(root, "cpu.stat", "usage_usec 5\n");
        let membership = Membership::parse("0::/\n");
        assert_eq!(membership.path(), "/");
        assert_eq!(Trees::find(root).usage(&membership, "/"), Usage::default());
    }
}
