//! Control groups: which ones a process is in, and where their trees are mounted (cgroups(7)).

/// Parses the lines of `/proc/PID/cgroup`, one for each tree: the names of the controllers with commas between them (empty for version 2),
/// and the path of the group in the tree.
pub fn memberships(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        Some((fields.next()?, fields.next()?))
    })
}

/// Returns the path of the group of version 2 in `/proc/PID/cgroup`.
pub fn unified(text: &str) -> Option<&str> {
    let mut all = memberships(text);
    all.find(|(controllers, _)| controllers.is_empty())
        .map(|(_, path)| path)
}

/// Returns the first mount point in `/proc/PID/mountinfo` whose file system has a type and options that `accepts` accepts. A mount of
/// only a part of a tree is skipped: its root would have to be removed from the path of every group.
pub fn mount_point(mountinfo: &str, accepts: impl Fn(&str, &str) -> bool) -> Option<&str> {
    let of_line = |line| -> Option<&str> {
        let (before, after): (&str, &str) = str::split_once(line, " - ")?;
        let mut after = after.split(' ');
        let (kind, options) = (after.next()?, after.nth(1).unwrap_or_default());
        let mut fields = before.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        (root == "/" && accepts(kind, options)).then_some(point)
    };
    mountinfo.lines().find_map(of_line)
}

/// Content of `/proc/PID/cgroup`, one line for each tree: `1:cpu,cpuacct:/path`, `0::/path`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Membership {
    /// Path in the tree of version 2.
    pub unified: String,
    /// Paths in the trees of version 1's controllers, and in systemd's own tree.
    pub cpu: String,
    /// Of cpuacct.
    pub cpuacct: String,
    /// Of memory.
    pub memory: String,
    /// Of systemd's own tree.
    pub systemd: String,
}

impl Membership {
    /// Parses the content of `/proc/PID/cgroup`.
    pub fn parse(text: &str) -> Self {
        let mut membership = Self::default();
        for (controllers, path) in memberships(text) {
            for controller in controllers.split(',') {
                let place = match controller {
                    "" => &mut membership.unified,
                    "cpu" => &mut membership.cpu,
                    "cpuacct" => &mut membership.cpuacct,
                    "memory" => &mut membership.memory,
                    "name=systemd" => &mut membership.systemd,
                    _ => continue,
                };
                path.clone_into(place);
            }
        }
        membership
    }

    /// Returns the path that identifies the service: the first path that is not the root of its tree.
    pub fn path(&self) -> &str {
        let all = [
            &self.unified,
            &self.systemd,
            &self.cpu,
            &self.cpuacct,
            &self.memory,
        ];
        all.into_iter()
            .find(|path| is_below_root(path))
            .map_or("/", |path| path)
    }
}

/// Returns true if the path is not that of a tree's root.
pub fn is_below_root(path: &str) -> bool {
    !path.trim_matches('/').is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_in_one_group_of_each_tree() {
        let text = "8:cpu,cpuacct:/a\n1:name=systemd:/b:c\n0::/user.slice/a.scope\ncut\n";
        let all: Vec<_> = memberships(text).collect();
        let expected = [
            ("cpu,cpuacct", "/a"),
            ("name=systemd", "/b:c"),
            ("", "/user.slice/a.scope"),
        ];
        assert_eq!(all, expected);
        assert_eq!(unified(text), Some("/user.slice/a.scope"));
        assert_eq!(unified("8:pids:/\n"), None);
    }

    #[test]
    fn the_second_version_is_found_beside_the_first() {
        let mounts = "25 1 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
            29 24 0:26 /part /mnt rw - cgroup2 cgroup2 rw\n\
            30 24 0:26 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
        let of = |kind: &str, option: &str| {
            mount_point(mounts, |k, o| {
                k == kind && o.split(',').any(|o| o == option)
            })
        };
        assert_eq!(of("cgroup2", "rw"), Some("/sys/fs/cgroup/unified"));
        assert_eq!(of("cgroup", "cpu"), Some("/sys/fs/cgroup/cpu"));
        assert_eq!(of("cgroup", "cpuset"), None);
    }
}
