//! From the raw numbers of an experiment to its comparison.

use crate::experiment::{
    Arm, Comparison, Experiment, Interval, Metric, Observation, Schedule, WorkloadResult,
};
use crate::statistics::{Estimate, estimate, median};

/// Blocks that an analysis needs: below, no honest interval can be had.
pub const BLOCKS_MIN: usize = 4;

/// Judges a finished experiment.
///
/// Every workload must have all blocks of the schedule, two runs of either arm in each.
pub fn analyse(experiment: &Experiment) -> Result<Comparison, AnalyseError> {
    let schedule = &experiment.schedule;
    let costs = Costs::collect(experiment)?;
    let workloads: Vec<WorkloadResult> = (0..schedule.workloads.len())
        .map(|workload| costs.result(schedule, workload))
        .collect();
    let overall = match workloads.as_slice() {
        [only] => only.gain,
        _ => interval(&costs.log_gains, schedule),
    };
    let ratios = || workloads.iter().map(|result| result.gain.ratio);
    let range = (
        ratios().fold(f64::INFINITY, f64::min),
        ratios().fold(f64::NEG_INFINITY, f64::max),
    );
    Ok(Comparison {
        old: experiment.old.clone(),
        new: experiment.new.clone(),
        metric: schedule.metric,
        confidence: schedule.confidence,
        blocks: schedule.blocks,
        workloads,
        overall,
        range,
        verdict: overall.verdict(),
        stolen_share: stolen_share(experiment),
    })
}

/// The estimate behind [`Comparison::overall`], as a log-ratio.
pub(crate) fn overall_estimate(experiment: &Experiment) -> Result<Estimate, AnalyseError> {
    let costs = Costs::collect(experiment)?;
    let schedule = &experiment.schedule;
    Ok(estimate(
        &costs.log_gains,
        schedule.confidence,
        schedule.seed,
    ))
}

/// Why an experiment cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnalyseError {
    /// No workload at all.
    #[error("the schedule names no workload")]
    NoWorkload,
    /// Too few blocks.
    #[error("{blocks} blocks are too few: an interval needs at least {BLOCKS_MIN}")]
    TooFewBlocks {
        /// Blocks of the schedule.
        blocks: usize,
    },
    /// A confidence level that is none.
    #[error("confidence {confidence} is not between 0.5 and 1")]
    Confidence {
        /// What the schedule says.
        confidence: f64,
    },
    /// A run of a workload or block that the schedule does not have.
    #[error("run of workload {workload}, block {block}, which the schedule does not have")]
    Unscheduled {
        /// Index of the workload.
        workload: usize,
        /// Index of the block.
        block: usize,
    },
    /// A block without exactly two runs of either arm.
    #[error("{workload}, block {block}: {old} old and {new} new runs instead of 2 and 2")]
    IncompleteBlock {
        /// Name of the workload.
        workload: String,
        /// Index of the block.
        block: usize,
        /// Runs of the old arm.
        old: usize,
        /// Runs of the new arm.
        new: usize,
    },
    /// A run whose cost is nothing, less than nothing, or no number.
    #[error("{workload}, block {block}: a run of the {arm} arm has {quantity} {value}")]
    NotPositive {
        /// Name of the workload.
        workload: String,
        /// Index of the block.
        block: usize,
        /// `old` or `new`.
        arm: &'static str,
        /// `CPU seconds`, `wall seconds` or `work`.
        quantity: &'static str,
        /// What was measured.
        value: f64,
    },
    /// CPU per unit of work was asked for, and a run states no work.
    #[error("{workload}, block {block}: a run of the {arm} arm states no work")]
    MissingWork {
        /// Name of the workload.
        workload: String,
        /// Index of the block.
        block: usize,
        /// `old` or `new`.
        arm: &'static str,
    },
}

/// Costs by workload; the log-ratios also by block.
struct Costs {
    /// Log of CPU old / new, per workload and block.
    log_gains: Vec<Vec<f64>>,
    /// Log of wall old / new, per workload and block.
    log_walls: Vec<Vec<f64>>,
    /// All runs' CPU cost, per workload and arm.
    cpu: Vec<[Vec<f64>; 2]>,
    /// All runs' peak memory, per workload and arm.
    rss: Vec<[Vec<f64>; 2]>,
}

impl Costs {
    fn collect(experiment: &Experiment) -> Result<Self, AnalyseError> {
        let schedule = &experiment.schedule;
        check(schedule)?;
        let count = schedule.workloads.len();
        let mut cells = vec![vec![Cell::default(); schedule.blocks]; count];
        let mut costs = Self {
            log_gains: Vec::with_capacity(count),
            log_walls: Vec::with_capacity(count),
            cpu: vec![Default::default(); count],
            rss: vec![Default::default(); count],
        };
        for run in &experiment.runs {
            let request = run.request;
            let cell = cells
                .get_mut(request.workload)
                .and_then(|blocks| blocks.get_mut(request.block))
                .ok_or(AnalyseError::Unscheduled {
                    workload: request.workload,
                    block: request.block,
                })?;
            let place = Place {
                workload: &schedule.workloads[request.workload],
                block: request.block,
                arm: request.arm,
            };
            let (cpu, wall) = place.costs(&run.observation, schedule.metric)?;
            let arm = index(request.arm);
            cell.log_cpu[arm] += cpu.ln();
            cell.log_wall[arm] += wall.ln();
            cell.runs[arm] += 1;
            costs.cpu[request.workload][arm].push(cpu);
            costs.rss[request.workload][arm].push(run.observation.peak_rss_bytes as f64);
        }
        for (workload, blocks) in cells.iter().enumerate() {
            complete(&schedule.workloads[workload], blocks)?;
            let log_ratios = |of: fn(&Cell) -> [f64; 2]| -> Vec<f64> {
                blocks
                    .iter()
                    .map(|cell| (of(cell)[0] - of(cell)[1]) / 2.0)
                    .collect()
            };
            costs.log_gains.push(log_ratios(|cell| cell.log_cpu));
            costs.log_walls.push(log_ratios(|cell| cell.log_wall));
        }
        Ok(costs)
    }

    fn result(&self, schedule: &Schedule, workload: usize) -> WorkloadResult {
        let gain = interval(std::slice::from_ref(&self.log_gains[workload]), schedule);
        let wall = interval(std::slice::from_ref(&self.log_walls[workload]), schedule);
        let [old_cpu, new_cpu] = &self.cpu[workload];
        let [old_rss, new_rss] = &self.rss[workload];
        WorkloadResult {
            workload: schedule.workloads[workload].clone(),
            gain,
            wall,
            old_median: median(old_cpu),
            new_median: median(new_cpu),
            old_rss_bytes: median(old_rss) as u64,
            new_rss_bytes: median(new_rss) as u64,
            verdict: gain.verdict(),
        }
    }
}

/// Sums over the runs of one block of one workload, by arm.
#[derive(Clone, Copy, Default)]
struct Cell {
    log_cpu: [f64; 2],
    log_wall: [f64; 2],
    runs: [usize; 2],
}

/// Which run is spoken of.
struct Place<'a> {
    workload: &'a str,
    block: usize,
    arm: Arm,
}

impl Place<'_> {
    /// CPU and wall cost of a run, per unit of work where the metric says so.
    fn costs(&self, observation: &Observation, metric: Metric) -> Result<(f64, f64), AnalyseError> {
        let cpu = self.positive("CPU seconds", observation.user_s + observation.system_s)?;
        let wall = self.positive("wall seconds", observation.wall_s)?;
        match metric {
            Metric::CpuSeconds => Ok((cpu, wall)),
            Metric::CpuPerWork => {
                let work = observation.work.ok_or_else(|| AnalyseError::MissingWork {
                    workload: self.workload.to_owned(),
                    block: self.block,
                    arm: name(self.arm),
                })?;
                let work = self.positive("work", work)?;
                Ok((cpu / work, wall / work))
            }
        }
    }

    fn positive(&self, quantity: &'static str, value: f64) -> Result<f64, AnalyseError> {
        if value.is_finite() && value > 0.0 {
            return Ok(value);
        }
        Err(AnalyseError::NotPositive {
            workload: self.workload.to_owned(),
            block: self.block,
            arm: name(self.arm),
            quantity,
            value,
        })
    }
}

fn check(schedule: &Schedule) -> Result<(), AnalyseError> {
    if schedule.workloads.is_empty() {
        return Err(AnalyseError::NoWorkload);
    }
    if schedule.blocks < BLOCKS_MIN {
        return Err(AnalyseError::TooFewBlocks {
            blocks: schedule.blocks,
        });
    }
    let confidence = schedule.confidence;
    if !(confidence > 0.5 && confidence < 1.0) {
        return Err(AnalyseError::Confidence { confidence });
    }
    Ok(())
}

fn complete(workload: &str, blocks: &[Cell]) -> Result<(), AnalyseError> {
    match blocks.iter().position(|cell| cell.runs != [2, 2]) {
        None => Ok(()),
        Some(block) => Err(AnalyseError::IncompleteBlock {
            workload: workload.to_owned(),
            block,
            old: blocks[block].runs[0],
            new: blocks[block].runs[1],
        }),
    }
}

/// With the same resamples for all, so that the one workload of an experiment says what the whole says.
fn interval(columns: &[Vec<f64>], schedule: &Schedule) -> Interval {
    let result = estimate(columns, schedule.confidence, schedule.seed);
    Interval::from_log(result.location, result.half_width)
}

/// Stolen time as a share of all CPU time that was wanted: stolen / (used + stolen).
fn stolen_share(experiment: &Experiment) -> f64 {
    let observations = || experiment.runs.iter().map(|run| &run.observation);
    let stolen: f64 = observations().map(|one| one.stolen_s.max(0.0)).sum();
    let used: f64 = observations().map(|one| one.user_s + one.system_s).sum();
    if stolen > 0.0 {
        stolen / (used + stolen)
    } else {
        0.0
    }
}

fn index(arm: Arm) -> usize {
    match arm {
        Arm::Old => 0,
        Arm::New => 1,
    }
}

fn name(arm: Arm) -> &'static str {
    match arm {
        Arm::Old => "old",
        Arm::New => "new",
    }
}
