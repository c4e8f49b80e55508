//! Resources that the recorded processes used or were given: CPU time, and memory by a limit.
//!
//! All are stored as text, in feature sections of Hone's own that perf skips. A text is read back whole or not at all.

use crate::limits::{MEMORY_USES_MAX, THREAD_TIMES_MAX};
use std::fmt::Write as _;

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
    /// Microseconds of CPU time that the group used in `wall_us`.
    pub usage_us: u64,
    /// Number of periods in which the group ran.
    pub periods: u64,
    /// Number of these periods in which the group had used up its quota and was held up.
    pub throttled: u64,
    /// Microseconds for which the group was held up, summed over the CPUs on which it would have run.
    pub throttled_us: u64,
}

impl CpuQuota {
    /// Returns the quota as a number of CPUs.
    pub fn cpus(&self) -> f64 {
        self.quota_us as f64 / self.period_us.max(1) as f64
    }

    /// Returns the quota as text: a line for each number, then the group, which may hold anything.
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
        format!("{QUOTA_TITLE}\n{text}group {}", self.group)
    }

    /// Parses the text that [`Self::to_text`] wrote.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix(QUOTA_TITLE)?.strip_prefix('\n')?;
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

/// Memory of a Go program: its size, the size that it could have had, and the settings of its environment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryUse {
    /// Process id.
    pub pid: i32,
    /// Largest resident size in bytes.
    pub peak_rss_bytes: u64,
    /// Bytes that the process could have taken, when least was left: its own bytes and those free below the tightest limit.
    pub may_use_bytes: u64,
    /// Tightest limit in bytes; the machine's memory for a group without a limit.
    pub limit_bytes: u64,
    /// Directory of the cgroup with the tightest limit; empty if the limit is the machine's memory. The name has no line breaks,
    /// which the kernel forbids.
    pub limit_group: String,
    /// `GOMEMLIMIT`, in bytes; `None` if it is not set or off.
    pub go_limit_bytes: Option<u64>,
    /// `GOGC`: growth of the heap in per cent between two collections, 100 if not set; `None` if it is off.
    pub go_percent: Option<u64>,
}

impl MemoryUse {
    /// Returns the uses as text: a line for each process.
    pub(crate) fn list_to_text(uses: &[Self]) -> String {
        let mut text = format!("{MEMORY_TITLE}\n");
        let or_none =
            |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
        for of in uses.iter().take(MEMORY_USES_MAX) {
            let _ = writeln!(
                text,
                "{} {} {} {} {} {} {}",
                of.pid,
                of.peak_rss_bytes,
                of.may_use_bytes,
                of.limit_bytes,
                or_none(of.go_limit_bytes),
                or_none(of.go_percent),
                of.limit_group
            );
        }
        text
    }

    /// Parses the text that [`Self::list_to_text`] wrote.
    pub(crate) fn list_from_text(text: &str) -> Option<Vec<Self>> {
        let lines = text.strip_prefix(MEMORY_TITLE)?.strip_prefix('\n')?;
        let lines = lines.lines().take(MEMORY_USES_MAX);
        lines.map(Self::from_line).collect()
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut fields = line.splitn(7, ' ');
        let mut field = || fields.next();
        let number_or_none = |field: &str| match field {
            "-" => Some(None),
            number => number.parse().ok().map(Some),
        };
        Some(Self {
            pid: field()?.parse().ok()?,
            peak_rss_bytes: field()?.parse().ok()?,
            may_use_bytes: field()?.parse().ok()?,
            limit_bytes: field()?.parse().ok()?,
            go_limit_bytes: number_or_none(field()?)?,
            go_percent: number_or_none(field()?)?,
            limit_group: field()?.to_owned(),
        })
    }
}

/// CPU time that the recorded processes used while they were recorded, by the kernel's own accounts. It is what the samples of a
/// clock should add up to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CpuTime {
    /// Nanoseconds of all recorded processes together, of the kind that samples count: without the kernel's part if samples
    /// are of user code only.
    pub used_ns: u64,
    /// Nanoseconds of CPU time for which a sample stands, at the rate at which the recording began.
    pub period_ns: u64,
    /// True if the counters were those of CPUs in the end, and not of threads.
    pub are_of_cpus: bool,
    /// Threads with the most CPU time, as of the last look that found them alive.
    pub threads: Vec<ThreadTime>,
}

/// CPU time of a thread while it was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadTime {
    /// Process id.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// Nanoseconds, those in the kernel included.
    pub cpu_ns: u64,
}

/// What samples of a clock stand for, beside the CPU time that was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accounted {
    /// Nanoseconds of CPU time that the recorded processes used; 0 if the recording does not tell.
    pub used_ns: u64,
    /// Nanoseconds that the samples stand for.
    pub sampled_ns: u64,
    /// Number of these samples.
    pub samples: u64,
    /// Nanoseconds for which one sample stands, where there is none.
    pub period_ns: u64,
    /// True if the counters were those of CPUs, which miss no thread.
    pub are_of_cpus: bool,
}

/// Share of the CPU time below which nobody need know that no sample stands for it.
const UNSAMPLED_MIN: f64 = 0.05;
/// Least number of expected samples for a statement on those that are missing.
const EXPECTED_MIN: f64 = 20.0;
/// Number of standard deviations beyond which samples are missing not only by chance.
const DEVIATIONS: f64 = 3.0;

impl Accounted {
    /// Returns why samples may be missing, and what to do, as a part of a sentence.
    pub fn cure(self) -> &'static str {
        match self.are_of_cpus {
            true => {
                "ticks of the CPUs' clocks are lost where the kernel holds interrupts off, or a host takes the CPU away: record when the \
                 machine is less busy"
            }
            false => {
                "threads and processes that end before their first sample are not seen, and those that start them are seen less often \
                 than they run: record as root, or with CAP_PERFMON, where hone samples the CPUs in place of such threads (-a and \
                 --cgroup always do)"
            }
        }
    }

    /// Returns the share of the CPU time for which no sample stands, if that is more than chance makes. The number of samples of a
    /// timer varies less than the Poisson distribution has it, so the limit is on the safe side.
    pub fn unsampled(self) -> Option<f64> {
        let expected = self.used_ns as f64 / self.ns_a_sample().max(1.0);
        let share = 1.0 - self.sampled_ns as f64 / self.used_ns.max(1) as f64;
        let limit = UNSAMPLED_MIN.max(DEVIATIONS / expected.max(1.0).sqrt());
        (expected >= EXPECTED_MIN && share > limit).then_some(share)
    }

    /// Nanoseconds for which a sample stands.
    fn ns_a_sample(self) -> f64 {
        match self.samples {
            0 => self.period_ns as f64,
            samples => self.sampled_ns as f64 / samples as f64,
        }
    }

    /// Adds what is known of another recording.
    pub fn add(&mut self, other: Self) {
        self.used_ns = self.used_ns.saturating_add(other.used_ns);
        self.sampled_ns = self.sampled_ns.saturating_add(other.sampled_ns);
        self.samples = self.samples.saturating_add(other.samples);
        self.period_ns = self.period_ns.max(other.period_ns);
        self.are_of_cpus |= other.are_of_cpus;
    }
}

impl CpuTime {
    /// Returns this time beside what samples stand for. Samples that were lost were taken, and are told of as lost.
    pub fn beside(&self, sampled: Accounted, lost_samples: u64) -> Accounted {
        let known = Accounted {
            used_ns: self.used_ns,
            period_ns: self.period_ns,
            are_of_cpus: self.are_of_cpus,
            ..sampled
        };
        let lost_ns = known.ns_a_sample() * lost_samples as f64;
        Accounted {
            sampled_ns: known.sampled_ns.saturating_add(lost_ns as u64),
            samples: known.samples.saturating_add(lost_samples),
            ..known
        }
    }

    /// Returns the time as text: a line for the sum, and one for each thread.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "{TIME_TITLE}\nused_ns {}\nperiod_ns {}\nof_cpus {}\n",
            self.used_ns, self.period_ns, self.are_of_cpus
        );
        for thread in self.threads.iter().take(THREAD_TIMES_MAX) {
            let _ = writeln!(text, "{} {} {}", thread.pid, thread.tid, thread.cpu_ns);
        }
        text
    }

    /// Parses the text that [`Self::to_text`] wrote.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.strip_prefix(TIME_TITLE)?.strip_prefix('\n')?.lines();
        let used_ns = lines.next()?.strip_prefix("used_ns ")?.parse().ok()?;
        let period_ns = lines.next()?.strip_prefix("period_ns ")?.parse().ok()?;
        let are_of_cpus = lines.next()?.strip_prefix("of_cpus ")?.parse().ok()?;
        let thread = |line: &str| {
            let mut fields = line.split(' ');
            Some(ThreadTime {
                pid: fields.next()?.parse().ok()?,
                tid: fields.next()?.parse().ok()?,
                cpu_ns: fields.next()?.parse().ok()?,
            })
        };
        let threads = lines
            .take(THREAD_TIMES_MAX)
            .map(thread)
            .collect::<Option<_>>()?;
        Some(Self {
            used_ns,
            period_ns,
            are_of_cpus,
            threads,
        })
    }
}

/// Titles of the texts, so that another tool's section of the same number is not taken for ours.
const QUOTA_TITLE: &str = "hone cpu quota 1";
const MEMORY_TITLE: &str = "hone memory use 1";
const TIME_TITLE: &str = "hone cpu time 1";

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
    fn a_quota_becomes_text_and_back() {
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

    #[test]
    fn the_memory_of_processes_becomes_text_and_back() {
        let limited = MemoryUse {
            pid: 7,
            peak_rss_bytes: 1 << 20,
            may_use_bytes: 1 << 30,
            limit_bytes: u64::MAX,
            limit_group: "/sys/fs/cgroup/a b".into(),
            go_limit_bytes: Some(1 << 29),
            go_percent: None,
        };
        let free = MemoryUse {
            pid: 8,
            go_percent: Some(100),
            ..MemoryUse::default()
        };
        for uses in [vec![], vec![limited.clone(), free]] {
            let text = MemoryUse::list_to_text(&uses);
            assert_eq!(MemoryUse::list_from_text(&text), Some(uses));
        }
        for broken in [
            "something else",
            "hone memory use 1\n7 1 2",
            "hone memory use 1\n7 1 2 3 - x /a",
            "hone memory use 1\nseven 1 2 3 - - /a",
        ] {
            assert_eq!(MemoryUse::list_from_text(broken), None, "{broken}");
        }
    }

    #[test]
    fn the_time_of_threads_becomes_text_and_back() {
        let thread = ThreadTime {
            pid: 7,
            tid: 8,
            cpu_ns: u64::MAX,
        };
        for threads in [vec![], vec![thread, ThreadTime { tid: 9, ..thread }]] {
            let time = CpuTime {
                used_ns: 1 << 40,
                period_ns: 1_003_009,
                are_of_cpus: true,
                threads,
            };
            assert_eq!(CpuTime::from_text(&time.to_text()), Some(time));
        }
        for broken in [
            "something else",
            "hone cpu time 1\n",
            "hone cpu time 1\nused_ns -1\n",
            "hone cpu time 1\nused_ns 1\n7 8 9\n",
            "hone cpu time 1\nused_ns 1\nperiod_ns 2\nof_cpus true\n7 8\n",
        ] {
            assert_eq!(CpuTime::from_text(broken), None, "{broken}");
        }
        let many = "7 8 9\n".repeat(THREAD_TIMES_MAX + 1);
        let time = CpuTime::from_text(&format!(
            "hone cpu time 1\nused_ns 1\nperiod_ns 2\nof_cpus false\n{many}"
        ));
        assert_eq!(time.map(|time| time.threads.len()), Some(THREAD_TIMES_MAX));
    }

    /// Lost samples have a cause and a cure of their own.
    #[test]
    fn samples_that_were_lost_are_not_told_as_never_taken() {
        let time = CpuTime {
            used_ns: 1_000_000_000,
            period_ns: 1_000_000,
            ..CpuTime::default()
        };
        let sampled = Accounted {
            sampled_ns: 700_000_000,
            samples: 700,
            ..Accounted::default()
        };
        assert_eq!(time.beside(sampled, 300).unsampled(), None);
        let half_of_them = time.beside(sampled, 150).unsampled();
        assert!(half_of_them.is_some_and(|share| (share - 0.15).abs() < 1e-9));
    }

    #[test]
    fn samples_that_are_missing_by_chance_are_not_told() {
        let accounted = |used_ms: u64, samples: u64| Accounted {
            used_ns: used_ms * 1_000_000,
            sampled_ns: samples * 1_000_000,
            samples,
            period_ns: 1_000_000,
            are_of_cpus: false,
        };
        assert_eq!(accounted(0, 100).unsampled(), None, "nothing is known");
        assert_eq!(accounted(1_000, 960).unsampled(), None);
        assert_eq!(accounted(100, 75).unsampled(), None);
        assert!(
            accounted(10_000, 9_000)
                .unsampled()
                .is_some_and(|share| (share - 0.1).abs() < 1e-9)
        );
        assert!(
            accounted(2_730, 2)
                .unsampled()
                .is_some_and(|share| share > 0.99)
        );
        // Not one sample: only the period of the counter tells how many there should be.
        assert_eq!(accounted(100, 0).unsampled(), Some(1.0));
        assert_eq!(accounted(19, 0).unsampled(), None, "too little to tell");
        assert_eq!(accounted(100, 200).unsampled(), None, "more than was used");
    }

    #[test]
    fn no_more_processes_are_read_than_the_limit() {
        let text = "7 1 2 3 - 100 \n".repeat(MEMORY_USES_MAX + 1);
        let uses = MemoryUse::list_from_text(&format!("hone memory use 1\n{text}"));
        assert_eq!(uses.map(|uses| uses.len()), Some(MEMORY_USES_MAX));
    }
}
