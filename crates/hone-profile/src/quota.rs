//! What a recording says of the CPU quota that its processes ran under.

/// The CPU quota of a cgroup (`cpu.max`), and what the kernel counted (`cpu.stat`) while the group was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CpuQuota {
    /// The group's directory.
    pub group: String,
    /// Microseconds of CPU time that the group may use in each period.
    pub quota_us: u64,
    /// Length of a period in microseconds.
    pub period_us: u64,
    /// Microseconds for which the group was recorded.
    pub wall_us: u64,
    /// Microseconds of CPU time that it used in these.
    pub usage_us: u64,
    /// Periods in which it ran.
    pub periods: u64,
    /// Of these, the ones in which it had used up its quota and was held up.
    pub throttled: u64,
    /// For how many microseconds it was held up, summed over the CPUs on which it would have run.
    pub throttled_us: u64,
}

impl CpuQuota {
    /// The quota as a number of CPUs.
    pub fn cpus(&self) -> f64 {
        self.quota_us as f64 / self.period_us.max(1) as f64
    }

    /// As text: a line for each number, the group last, since it may hold anything.
    pub(crate) fn to_text(&self) -> String {
        let numbers = [
            self.quota_us,
            self.period_us,
            self.wall_us,
            self.usage_us,
            self.periods,
            self.throttled,
            self.throttled_us,
        ];
        let lines = NAMES.iter().zip(numbers);
        let text: String = lines
            .map(|(name, number)| format!("{name} {number}\n"))
            .collect();
        format!("{TITLE}\n{text}group {}", self.group)
    }

    /// Reads what [`Self::to_text`] wrote.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix(TITLE)?.strip_prefix('\n')?;
        let mut numbers = [0; NAMES.len()];
        for (name, number) in NAMES.iter().zip(&mut numbers) {
            let (line, after) = rest.split_once('\n')?;
            *number = line.strip_prefix(name)?.trim().parse().ok()?;
            rest = after;
        }
        let [
            quota_us,
            period_us,
            wall_us,
            usage_us,
            periods,
            throttled,
            throttled_us,
        ] = numbers;
        Some(Self {
            group: rest.strip_prefix("group ")?.to_owned(),
            quota_us,
            period_us,
            wall_us,
            usage_us,
            periods,
            throttled,
            throttled_us,
        })
    }
}

/// What the text starts with, so that another tool's section of the same number is not taken for it.
const TITLE: &str = "hone cpu quota 1";
const NAMES: [&str; 7] = [
    "quota_us",
    "period_us",
    "wall_us",
    "usage_us",
    "periods",
    "throttled",
    "throttled_us",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let quota = CpuQuota {
            group: "/sys/fs/cgroup/a b\nc".into(),
            quota_us: 150_000,
            period_us: 100_000,
            wall_us: 3,
            usage_us: 4,
            periods: 5,
            throttled: 6,
            throttled_us: u64::MAX,
        };
        let text = quota.to_text();
        assert_eq!(CpuQuota::from_text(&text), Some(quota.clone()));
        assert!((quota.cpus() - 1.5).abs() < 1e-12);
        for len in 0..text.len() - quota.group.len() {
            assert_eq!(CpuQuota::from_text(&text[..len]), None, "{len}");
        }
        assert_eq!(CpuQuota::from_text("something else"), None);
    }
}
