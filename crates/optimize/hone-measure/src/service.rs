//! Further measurements of a server beside its CPU per request, and their regressions.
//!
//! A gain in CPU can be bought with something that nobody asked for: a longer tail, more memory, a slower
//! start. None of these decides a verdict; all of them are compared, and a regression is a sentence of its own
//! beside the gain. A regression must meet two conditions: the whole interval lies on the bad side, and the
//! estimate is at least [`WORTH_SAYING`] worse. The second condition is needed because six quantities of several workloads
//! are compared, and some of them meet the first condition by chance, with small differences.
//!
//! The blocks are those of the experiment, and the interval is computed as for the verdict
//! ([`statistics`](crate::statistics)). A quantity that is absent, or zero, in a single run of a workload is left out
//! for that workload.

use serde::{Deserialize, Serialize};

use crate::analyse::BLOCKS_MIN;
use crate::experiment::{Arm, Experiment, Interval};
use crate::pairs::TwoPairs;
use crate::statistics::estimate;

/// Smallest regression that is reported, as a share.
pub const WORTH_SAYING: f64 = 0.05;

/// Measurements of one run of a server under load, beside its CPU time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServiceObservation {
    /// Time from the start of the server until it was ready, in seconds.
    pub start_s: f64,
    /// Sum of the largest resident sets of all processes of the server's tree, in bytes. Memory that processes
    /// share counts for each of them.
    pub tree_peak_bytes: u64,
    /// Time within which half of the requests were answered, in seconds.
    pub p50_s: Option<f64>,
    /// Time within which 99 % of the requests were answered, in seconds.
    pub p99_s: Option<f64>,
    /// Time within which 99.9 % of the requests were answered, in seconds.
    pub p999_s: Option<f64>,
    /// Requests per second, if the load runs at saturation.
    pub throughput_per_s: Option<f64>,
    /// Source of the server's CPU time: `cgroup` or `clocks`.
    pub cpu_from: String,
}

/// A quantity that is compared beside CPU time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Median latency, seconds.
    P50,
    /// Latency of the 99th percentile, seconds.
    P99,
    /// Latency of the 99.9th percentile, seconds.
    P999,
    /// Requests per second at saturation.
    Throughput,
    /// Time from start until ready, seconds.
    Start,
    /// Peak memory of the process tree, bytes.
    Memory,
}

impl Quantity {
    /// All quantities, in the order in which they are reported.
    pub const ALL: [Self; 6] = [
        Self::P50,
        Self::P99,
        Self::P999,
        Self::Throughput,
        Self::Start,
        Self::Memory,
    ];

    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50 latency",
            Self::P99 => "p99 latency",
            Self::P999 => "p99.9 latency",
            Self::Throughput => "throughput",
            Self::Start => "start-up time",
            Self::Memory => "peak memory",
        }
    }

    /// Returns true if a larger value is better.
    pub fn more_is_better(self) -> bool {
        self == Self::Throughput
    }

    /// Returns true for what callers see of the server's answers.
    pub fn is_of_answers(self) -> bool {
        !matches!(self, Self::Start | Self::Memory)
    }

    /// Returns a value in words, such as `1.25 ms`.
    pub fn shown(self, value: f64) -> String {
        match self {
            Self::Throughput => format!("{value:.0} requests/s"),
            Self::Memory => format!("{:.1} MiB", value / f64::from(1 << 20)),
            _ if value < 1e-3 => format!("{:.0} µs", value * 1e6),
            _ if value < 1.0 => format!("{:.2} ms", value * 1e3),
            _ => format!("{value:.2} s"),
        }
    }

    fn of(self, service: &ServiceObservation) -> Option<f64> {
        let value = match self {
            Self::P50 => service.p50_s,
            Self::P99 => service.p99_s,
            Self::P999 => service.p999_s,
            Self::Throughput => service.throughput_per_s,
            Self::Start => Some(service.start_s),
            Self::Memory => Some(service.tree_peak_bytes as f64),
        };
        value.filter(|value| value.is_finite() && *value > 0.0)
    }
}

/// Comparison of one quantity of one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Name of the workload.
    pub workload: String,
    /// Quantity that is compared.
    pub quantity: Quantity,
    /// Value of the old arm: from the same blocks as the gain, so that both always agree, which medians of each arm alone
    /// need not do. Below 8 blocks the value is the geometric mean of the arm's runs.
    #[serde(alias = "old_median")]
    pub old: f64,
    /// Value of the new arm, computed in the same way.
    #[serde(alias = "new_median")]
    pub new: f64,
    /// Old / new; new / old if more is better. As everywhere, above 1 is a gain.
    pub gain: Interval,
}

impl Beside {
    /// Returns true if the quantity got worse, provably and by an amount that is reported.
    pub fn is_regression(&self) -> bool {
        self.gain.high < 1.0 && self.worse_by() >= WORTH_SAYING
    }

    /// Returns the share of the old value by which the new value is worse; negative if it is better.
    fn worse_by(&self) -> f64 {
        if self.quantity.more_is_better() {
            1.0 - self.gain.ratio
        } else {
            1.0 / self.gain.ratio - 1.0
        }
    }

    fn sentence(&self) -> String {
        let shown = |value| self.quantity.shown(value);
        let more_or_less = if self.quantity.more_is_better() {
            "lower"
        } else {
            "higher"
        };
        format!(
            "{}: {} is {:.1} % {more_or_less} ({} instead of {}).",
            self.workload,
            self.quantity.name(),
            self.worse_by() * 100.0,
            shown(self.new),
            shown(self.old)
        )
    }
}

/// Compares all quantities beside CPU time. The result is empty for programs that are not servers, and for
/// experiments too short for an interval. It contains no verdict: the caller shows the verdict.
pub fn compare(experiment: &Experiment) -> Vec<Beside> {
    let workloads = 0..experiment.schedule.workloads.len();
    workloads
        .flat_map(|workload| {
            let one = move |quantity| beside(experiment, workload, quantity);
            Quantity::ALL.into_iter().filter_map(one)
        })
        .collect()
}

/// Returns a sentence for each regression: the quantity that is worse, and by how much.
pub fn regressions(compared: &[Beside]) -> Vec<String> {
    let worse = compared.iter().filter(|beside| beside.is_regression());
    worse.map(Beside::sentence).collect()
}

fn beside(experiment: &Experiment, workload: usize, quantity: Quantity) -> Option<Beside> {
    let schedule = &experiment.schedule;
    let mut cells = vec![(TwoPairs::default(), [0; 2]); schedule.blocks];
    let runs = experiment.runs.iter();
    for run in runs.filter(|run| run.request.workload == workload) {
        let value = quantity.of(run.observation.service.as_ref()?)?;
        let arm = usize::from(run.request.arm == Arm::New);
        let (cell, counts) = cells.get_mut(run.request.block)?;
        cell.add(arm, value.ln());
        counts[arm] += 1;
    }
    // Blocks are done one after the other, so that only those at the end can be missing.
    let whole: Vec<TwoPairs> = cells
        .into_iter()
        .filter(|(_, counts)| *counts == [2; 2])
        .map(|(cell, _)| cell)
        .collect();
    if whole.len() < BLOCKS_MIN {
        return None;
    }
    let sign = if quantity.more_is_better() { -1.0 } else { 1.0 };
    let column = |of: fn(&TwoPairs) -> f64| whole.iter().map(|cell| sign * of(cell)).collect();
    let (ratios, halves) = (column(TwoPairs::ratio), column(TwoPairs::half));
    let found = estimate(&[ratios], &[halves], schedule.confidence, schedule.seed);
    let middles: Vec<f64> = whole.iter().map(TwoPairs::middle).collect();
    let middle = estimate(&[middles], &[], schedule.confidence, schedule.seed).location;
    // The ratio is old / new, whichever direction is better.
    let ratio = sign * found.location;
    Some(Beside {
        workload: schedule.workloads[workload].clone(),
        quantity,
        old: (middle + ratio / 2.0).exp(),
        new: (middle - ratio / 2.0).exp(),
        gain: Interval::from_log(found.location, found.half_width),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Observation, RunRequest, Runner, Schedule};
    use crate::schedule::perform;

    /// Returns a run that differs from others only in its service observation.
    fn observed(service: ServiceObservation) -> Observation {
        Observation {
            user_s: 1.0,
            system_s: 0.0,
            wall_s: 1.0,
            peak_rss_bytes: 1,
            work: Some(1000.0),
            stolen_s: 0.0,
            service: Some(service),
        }
    }

    fn schedule(blocks: usize) -> Schedule {
        serde_json::from_value(serde_json::json!({
            "workloads": ["mix"], "blocks": blocks, "seed": 1, "metric": "cpu_per_work", "confidence": 0.95,
        }))
        .unwrap()
    }

    /// A server whose new build has a tail that is `tail` times as long, and starts `start` times as slowly.
    struct Recorded {
        tail: f64,
        start: f64,
        throughput: Option<f64>,
    }

    impl Runner for Recorded {
        type Error = String;

        fn run(&mut self, request: RunRequest) -> Result<Observation, String> {
            let is_new = request.arm == Arm::New;
            let by = |factor: f64| if is_new { factor } else { 1.0 };
            // Noise of 0 to 2 % that differs by block and arm.
            let step = request.block * 7 + usize::from(is_new) * 3;
            let noise = 1.0 + (step % 11) as f64 / 500.0;
            Ok(observed(ServiceObservation {
                start_s: 0.05 * by(self.start) * noise,
                tree_peak_bytes: 1 << 20,
                p50_s: None,
                p99_s: Some(0.002 * by(self.tail) * noise),
                p999_s: None,
                throughput_per_s: self.throughput.map(|t| 1000.0 * by(t) * noise),
                cpu_from: "cgroup".into(),
            }))
        }
    }

    fn experiment(mut recorded: Recorded) -> Vec<Beside> {
        let schedule = schedule(10);
        let done = perform(schedule, "old", "new", &mut recorded, |_| {}).unwrap();
        compare(&done)
    }

    #[test]
    fn a_longer_tail_is_said_and_a_shorter_one_is_not() {
        let of = |tail| {
            let recorded = Recorded {
                tail,
                start: 1.0,
                throughput: None,
            };
            regressions(&experiment(recorded))
        };
        let said = of(1.2);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("mix: p99 latency is ") && said[0].contains(" % higher (2."),
            "{said:?}"
        );
        assert_eq!(of(0.8), Vec::<String>::new());
        // Beyond noise, but too little to matter.
        assert_eq!(of(1.03), Vec::<String>::new());
    }

    #[test]
    fn start_and_throughput_have_their_own_bad_side() {
        let said = regressions(&experiment(Recorded {
            tail: 1.0,
            start: 1.5,
            throughput: Some(0.8),
        }));
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("throughput is 2") && said[0].contains("% lower"));
        assert!(said[1].contains("start-up time is 5") && said[1].contains("% higher"));
        let better = experiment(Recorded {
            tail: 1.0,
            start: 1.0,
            throughput: Some(1.5),
        });
        let throughput = better
            .iter()
            .find(|one| one.quantity == Quantity::Throughput);
        assert!(throughput.unwrap().gain.low > 1.0);
        assert_eq!(regressions(&better), Vec::<String>::new());
    }

    #[test]
    fn both_figures_and_the_gain_tell_the_same() {
        // Blocks of very different load: the median of either arm is that of another block.
        struct Loaded;
        impl Runner for Loaded {
            type Error = String;
            fn run(&mut self, request: RunRequest) -> Result<Observation, String> {
                let is_new = request.arm == Arm::New;
                let load = [1.0, 1.1, 3.0, 3.3, 3.4][request.block];
                // Better in each pair except those that hold the median.
                let by = match (is_new, request.block) {
                    (true, 2) => 1.2,
                    (true, _) => 0.9,
                    (false, _) => 1.0,
                };
                let noise = 1.0 + (request.seed % 7) as f64 / 1000.0;
                Ok(observed(ServiceObservation {
                    start_s: 1.0,
                    tree_peak_bytes: 1,
                    p99_s: Some(0.002 * load * by * noise),
                    throughput_per_s: Some(1000.0 / (load * by * noise)),
                    ..ServiceObservation::default()
                }))
            }
        }
        let schedule = schedule(5);
        let done = perform(schedule, "old", "new", &mut Loaded, |_| {}).unwrap();
        let compared = compare(&done);
        assert_eq!(compared.len(), 4);
        for one in compared {
            let ratio = match one.quantity.more_is_better() {
                true => one.new / one.old,
                false => one.old / one.new,
            };
            assert!((ratio - one.gain.ratio).abs() < 1e-9, "{one:?}");
        }
    }

    #[test]
    fn what_was_not_measured_is_not_compared() {
        let compared = experiment(Recorded {
            tail: 1.0,
            start: 1.0,
            throughput: None,
        });
        let quantities: Vec<_> = compared.iter().map(|one| one.quantity).collect();
        let expected = [Quantity::P99, Quantity::Start, Quantity::Memory];
        assert_eq!(quantities, expected);
    }
}
