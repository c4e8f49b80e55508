//! CPU quota of a cgroup, and how often the quota held up the group during the recording.
//!
//! A quota may be set on any of the groups that a process is in, from its own up to the root of its container: the
//! tightest quota is watched. Both versions of cgroups have quotas, under different names.

use crate::cgroup::{Version, cgroup1_mount, cgroup2_mount, groups_of, upwards};
use hone_host::key_lines;
use hone_profile::CpuQuota;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A quota, as microseconds of CPU time in each period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Quota {
    quota_us: u64,
    period_us: u64,
}

impl Quota {
    fn of(group: &Path, version: Version) -> Option<Self> {
        let read = |name: &str| fs::read_to_string(group.join(name)).ok();
        match version {
            Version::Two => Self::parse(&read("cpu.max")?),
            Version::One => Self::parse(&format!(
                "{} {}",
                read("cpu.cfs_quota_us")?.trim(),
                read("cpu.cfs_period_us")?
            )),
        }
    }

    /// Parses `QUOTA PERIOD`; `None` if there is no limit (`max` or -1).
    fn parse(text: &str) -> Option<Self> {
        let (quota, period) = text.trim().split_once(' ')?;
        let quota = Self {
            quota_us: quota.parse().ok()?,
            period_us: period.parse().ok()?,
        };
        (quota.period_us > 0).then_some(quota)
    }

    fn cpus(self) -> f64 {
        self.quota_us as f64 / self.period_us as f64
    }
}

/// Returns the tightest CPU quota of the groups that this process is in, in CPUs; `None` if no group has a quota.
pub fn cpu_quota() -> Option<f64> {
    let listed = fs::read_to_string("/proc/self/cgroup").ok()?;
    let (quota, ..) = tightest(groups_of(&listed, "cpu"))?;
    Some(quota.cpus())
}

/// Returns the tightest quota of some groups, with its group; `None` if no group has a quota.
fn tightest(
    groups: impl IntoIterator<Item = (PathBuf, Version)>,
) -> Option<(Quota, PathBuf, Version)> {
    let with_quota = groups
        .into_iter()
        .filter_map(|(path, version)| Some((Quota::of(&path, version)?, path, version)));
    with_quota.min_by(|a, b| a.0.cpus().total_cmp(&b.0.cpus()))
}

/// Counts of the kernel for a group since the group was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    usage_us: u64,
    periods: u64,
    throttled: u64,
    throttled_us: u64,
}

impl Counts {
    fn of(group: &Path, version: Version) -> Option<Self> {
        let stat = fs::read_to_string(group.join("cpu.stat")).ok()?;
        let count = |name| key_lines::number(&stat, name);
        let (usage_us, throttled_us) = match version {
            Version::Two => (count("usage_usec")?, count("throttled_usec")?),
            // Another controller counts the usage, and may not have this group: 0 then.
            Version::One => (
                usage_v1(group).unwrap_or(0),
                count("throttled_time")? / 1000,
            ),
        };
        Some(Self {
            usage_us,
            periods: count("nr_periods")?,
            throttled: count("nr_throttled")?,
            throttled_us,
        })
    }
}

fn usage_v1(group: &Path) -> Option<u64> {
    let below = group.strip_prefix(cgroup1_mount("cpu")?).ok()?;
    let account = cgroup1_mount("cpuacct")?.join(below).join("cpuacct.usage");
    let usage_ns: u64 = fs::read_to_string(account).ok()?.trim().parse().ok()?;
    Some(usage_ns / 1000)
}

/// A group with a quota, and its counts at the first look.
pub(crate) struct Account {
    path: PathBuf,
    version: Version,
    quota: Quota,
    before: Counts,
    began: Instant,
}

impl Account {
    /// Opens the account of the group of these processes that has the tightest quota; `None` if no group has a quota.
    pub(crate) fn of_processes(pids: &[i32]) -> Option<Self> {
        let groups = pids.iter().flat_map(|pid| {
            let listed = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
            groups_of(&listed, "cpu")
        });
        Self::tightest(groups)
    }

    /// Opens the account of the tightest quota of a group of the second version and the groups above it.
    pub(crate) fn of_group(path: &Path) -> Option<Self> {
        Self::tightest(upwards(path, cgroup2_mount()?, Version::Two))
    }

    fn tightest(groups: impl IntoIterator<Item = (PathBuf, Version)>) -> Option<Self> {
        let (quota, path, version) = tightest(groups)?;
        Some(Self {
            before: Counts::of(&path, version)?,
            path,
            version,
            quota,
            began: Instant::now(),
        })
    }

    /// Returns the counts since the account was opened; `None` if the group is gone.
    pub(crate) fn close(self) -> Option<CpuQuota> {
        let after = Counts::of(&self.path, self.version)?;
        let Counts {
            usage_us,
            periods,
            throttled,
            throttled_us,
        } = self.before;
        Some(CpuQuota {
            group: self.path.to_string_lossy().into_owned(),
            quota_us: self.quota.quota_us,
            period_us: self.quota.period_us,
            wall_us: self.began.elapsed().as_micros() as u64,
            usage_us: after.usage_us.saturating_sub(usage_us),
            periods: after.periods.saturating_sub(periods),
            throttled: after.throttled.saturating_sub(throttled),
            throttled_us: after.throttled_us.saturating_sub(throttled_us),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_say_how_much_or_that_there_is_no_limit() {
        let half = Quota {
            quota_us: 50_000,
            period_us: 100_000,
        };
        assert_eq!(Quota::parse("50000 100000\n"), Some(half));
        assert_eq!(Quota::parse("max 100000\n"), None);
        assert_eq!(Quota::parse("-1 100000\n"), None);
        assert_eq!(Quota::parse("50000 0"), None);
        assert!((half.cpus() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_tightest_quota_of_all_groups_counts_and_only_what_was_added() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("outer/inner");
        fs::create_dir_all(&inner).unwrap();
        let outer = root.path().join("outer");
        let write = |group: &Path, max: &str, counts: [u64; 4]| {
            let [usage, periods, throttled, throttled_us] = counts;
            let stat = format!(
                "usage_usec {usage}\nuser_usec 1\nnr_periods {periods}\nnr_throttled {throttled}\n\
                throttled_usec {throttled_us}\n"
            );
            fs::write(group.join("cpu.max"), max).unwrap();
            fs::write(group.join("cpu.stat"), stat).unwrap();
        };
        write(&outer, "150000 100000\n", [1000, 10, 1, 100]);
        write(&inner, "max 100000\n", [7, 0, 0, 0]);
        let groups = || upwards(&inner, root.path().to_owned(), Version::Two);
        assert_eq!(groups().count(), 3);
        let account = Account::tightest(groups()).unwrap();
        write(&outer, "150000 100000\n", [151_000, 20, 8, 250_100]);
        let quota = account.close().unwrap();
        assert_eq!(quota.group, outer.to_string_lossy());
        assert_eq!(
            (
                quota.usage_us,
                quota.periods,
                quota.throttled,
                quota.throttled_us
            ),
            (150_000, 10, 7, 250_000)
        );
        write(&inner, "100000 100000\n", [7, 0, 0, 0]);
        let account = Account::tightest(groups()).unwrap();
        fs::remove_file(inner.join("cpu.stat")).unwrap();
        assert_eq!(account.quota.quota_us, 100_000);
        assert_eq!(account.close(), None, "the group is gone");
    }
}
