//! Invented runs with plausible noise, and a simple analysis of them. The statistics of record are those of
//! hone-measure; here a normal interval over the blocks is enough.

use hone_measure::{
    Arm, Comparison, Experiment, Interval, Metric, Observation, Run, RunRequest, Schedule,
    Stopping, Verdict, WorkloadResult,
};

const BLOCKS: usize = 12;
const WORKLOADS: [(&str, f64, f64); 2] = [("steady", 0.94, 1.0), ("bursts", 1.31, 0.94)];

/// A fixed sequence of random numbers.
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal, with standard deviation 1.
    fn normal(&mut self) -> f64 {
        let sum: f64 = (0..12).map(|_| self.uniform()).sum();
        sum - 6.0
    }
}

/// Runs in blocks of ABBA or BAAB, where the new arm is `gain` times cheaper.
pub(crate) fn experiment(noise: &mut Noise, names: (&str, &str), gain: f64) -> Experiment {
    let mut runs = Vec::new();
    for block in 0..BLOCKS {
        for (workload, (_, cpu_s, response)) in WORKLOADS.iter().enumerate() {
            let drift = 1.0 + 0.01 * noise.normal();
            let (a, b) = if noise.uniform() < 0.5 {
                (Arm::Old, Arm::New)
            } else {
                (Arm::New, Arm::Old)
            };
            for arm in [a, b, b, a] {
                let speed = if arm == Arm::New {
                    gain.powf(*response)
                } else {
                    1.0
                };
                let outlier = if noise.uniform() < 0.02 { 0.06 } else { 0.0 };
                let cpu_s = cpu_s * drift / speed * (1.0 + 0.008 * noise.normal() + outlier);
                let request = RunRequest {
                    arm,
                    workload,
                    block,
                    seed: block as u64,
                    layout: 0,
                };
                runs.push(Run {
                    request,
                    observation: observation(noise, cpu_s, arm),
                });
            }
        }
    }
    Experiment {
        old: names.0.to_owned(),
        new: names.1.to_owned(),
        schedule: Schedule {
            workloads: WORKLOADS
                .iter()
                .map(|(name, ..)| (*name).to_owned())
                .collect(),
            blocks: BLOCKS,
            seed: 7,
            metric: Metric::CpuSeconds,
            confidence: 0.95,
            stopping: Stopping::Fixed,
            layouts: 1,
            duet: false,
        },
        runs,
    }
}

fn observation(noise: &mut Noise, cpu_s: f64, arm: Arm) -> Observation {
    let round = |seconds: f64| (seconds * 1e6).round() / 1e6;
    let rss = if arm == Arm::New {
        44_302_336
    } else {
        41_910_272
    };
    Observation {
        user_s: round(cpu_s * 0.96),
        system_s: round(cpu_s * 0.04),
        wall_s: round(cpu_s * (1.01 + 0.004 * noise.uniform())),
        peak_rss_bytes: rss + (noise.uniform() * 60.0) as u64 * 4096,
        work: None,
        stolen_s: 0.0,
        service: None,
    }
}

/// The comparison that the runs support.
pub(crate) fn compare(experiment: &Experiment, stolen_share: f64) -> Comparison {
    let count = experiment.schedule.workloads.len();
    let workloads: Vec<WorkloadResult> = (0..count).map(|w| result(experiment, w)).collect();
    let cpu = |run: &Run| run.observation.user_s + run.observation.system_s;
    let means: Vec<(f64, f64)> = (0..count).map(|w| log_gain(experiment, w, &cpu)).collect();
    let mean = means.iter().map(|(mean, _)| mean).sum::<f64>() / count as f64;
    let error = means.iter().map(|(_, e)| e * e).sum::<f64>().sqrt() / count as f64;
    let overall = interval(mean, error);
    let ratios = || workloads.iter().map(|result| result.gain.ratio);
    Comparison {
        old: experiment.old.clone(),
        new: experiment.new.clone(),
        metric: experiment.schedule.metric,
        confidence: experiment.schedule.confidence,
        blocks: experiment.schedule.blocks,
        overall,
        range: (
            ratios().fold(f64::MAX, f64::min),
            ratios().fold(0.0, f64::max),
        ),
        verdict: verdict(&overall),
        workloads,
        stolen_share,
        duet: experiment.schedule.duet,
        early: None,
        layouts: None,
    }
}

fn result(experiment: &Experiment, workload: usize) -> WorkloadResult {
    let cpu = |run: &Run| run.observation.user_s + run.observation.system_s;
    let wall = |run: &Run| run.observation.wall_s;
    let rss = |run: &Run| run.observation.peak_rss_bytes as f64;
    let (mean, error) = log_gain(experiment, workload, &cpu);
    let gain = interval(mean, error);
    let (wall_mean, wall_error) = log_gain(experiment, workload, &wall);
    let median = |arm: Arm, of: &dyn Fn(&Run) -> f64| {
        let runs = experiment.runs.iter();
        let mut values: Vec<f64> = runs
            .filter(|run| run.request.workload == workload && run.request.arm == arm)
            .map(of)
            .collect();
        values.sort_by(f64::total_cmp);
        (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
    };
    WorkloadResult {
        workload: experiment.schedule.workloads[workload].clone(),
        gain,
        wall: interval(wall_mean, wall_error),
        old_median: median(Arm::Old, &cpu),
        new_median: median(Arm::New, &cpu),
        old_rss_bytes: median(Arm::Old, &rss) as u64,
        new_rss_bytes: median(Arm::New, &rss) as u64,
        verdict: verdict(&gain),
    }
}

/// Mean and standard error of the blocks' log-ratios.
fn log_gain(experiment: &Experiment, workload: usize, of: &dyn Fn(&Run) -> f64) -> (f64, f64) {
    let blocks = experiment.schedule.blocks;
    let gains: Vec<f64> = (0..blocks)
        .map(|block| {
            let runs = experiment.runs.iter();
            runs.filter(|run| run.request.workload == workload && run.request.block == block)
                .map(|run| match run.request.arm {
                    Arm::Old => of(run).ln() / 2.0,
                    Arm::New => -of(run).ln() / 2.0,
                })
                .sum()
        })
        .collect();
    let mean = gains.iter().sum::<f64>() / blocks as f64;
    let squares: f64 = gains.iter().map(|gain| (gain - mean).powi(2)).sum();
    (mean, (squares / (blocks - 1) as f64 / blocks as f64).sqrt())
}

fn interval(mean: f64, error: f64) -> Interval {
    let reach = 2.2 * error;
    Interval {
        ratio: mean.exp(),
        low: (mean - reach).exp(),
        high: (mean + reach).exp(),
    }
}

fn verdict(interval: &Interval) -> Verdict {
    if interval.low > 1.0 {
        Verdict::Faster
    } else if interval.high < 1.0 {
        Verdict::Slower
    } else {
        Verdict::NoProvableDifference
    }
}
