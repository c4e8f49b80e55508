//! Analysis of an experiment: from the raw numbers to a comparison.

use crate::experiment::{
    Arm, Comparison, Early, End, Experiment, Interval, LayoutSpread, Metric, Observation, Schedule,
    Stopping, Verdict, WorkloadResult,
};
use crate::layouts::ByLayout;
use crate::pairs::TwoPairs;
use crate::schedule::RUNS_PER_BLOCK;
use crate::sequential::{Look, Looks};
use crate::statistics::{Resampled, median};

/// Minimum number of blocks for an analysis: fewer blocks give no honest interval.
pub const BLOCKS_MIN: usize = 4;

/// Minimum number of blocks per layout: with fewer, the luck of a layout cannot be separated from noise.
pub const BLOCKS_PER_LAYOUT_MIN: usize = 2;

/// Judges a finished experiment.
///
/// Every workload must have all blocks of the schedule, with two runs of either arm in each. An experiment that may
/// end early must have all blocks until the look that ended it; later blocks are ignored.
pub fn analyse(experiment: &Experiment) -> Result<Comparison, AnalyseError> {
    let schedule = &experiment.schedule;
    let (costs, overall_seen, look, end) = last_look(experiment)?;
    let overall = overall_seen.interval(look.confidence);
    let workloads: Vec<WorkloadResult> = (0..schedule.workloads.len())
        .map(|workload| costs.result(schedule, workload, look.confidence, overall))
        .collect();
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
        blocks: look.blocks,
        workloads,
        overall,
        range,
        verdict: overall.verdict(),
        stolen_share: stolen_share(experiment),
        duet: schedule.duet,
        early: (schedule.stopping != Stopping::Fixed).then_some(Early {
            end,
            blocks_max: schedule.blocks,
            look_confidence: look.confidence,
        }),
        layouts: overall_seen.spread(schedule.confidence),
    })
}

/// Returns the estimate behind the interval of the overall gain, and its number of blocks.
pub(crate) fn overall_seen(experiment: &Experiment) -> Result<(Seen, usize), AnalyseError> {
    let (_, seen, look, _) = last_look(experiment)?;
    Ok((seen, look.blocks))
}

/// Finds the look at which the experiment ends, with costs, estimate and reason.
fn last_look(experiment: &Experiment) -> Result<(Costs, Seen, Look, End), AnalyseError> {
    let schedule = &experiment.schedule;
    check(schedule)?;
    let looks = Looks::of(schedule);
    let (last, before) = looks.split_last().ok_or(AnalyseError::TooFewBlocks {
        blocks: schedule.blocks,
    })?;
    for look in before {
        let (costs, seen) = costs_and_seen(experiment, look.blocks)?;
        if let Some(end) = seen.judge(look) {
            return Ok((costs, seen, *look, end));
        }
    }
    let (costs, seen) = costs_and_seen(experiment, last.blocks)?;
    let end = if seen.proves(last.confidence) {
        End::Proven
    } else {
        End::Complete
    };
    Ok((costs, seen, *last, end))
}

fn costs_and_seen(experiment: &Experiment, blocks: usize) -> Result<(Costs, Seen), AnalyseError> {
    let costs = Costs::collect(experiment, blocks)?;
    let (columns, halves) = (&costs.log_gains, &costs.gain_halves);
    let seen = Seen::of(columns, halves, &costs.layout_of, &experiment.schedule);
    Ok((costs, seen))
}

/// Looks before the end of a schedule, for the loop that performs the runs.
pub(crate) struct Looking {
    looks: Vec<Look>,
    runs_per_round: usize,
}

impl Looking {
    pub(crate) fn at(schedule: &Schedule) -> Self {
        let mut looks = if check(schedule).is_ok() {
            Looks::of(schedule)
        } else {
            Vec::new()
        };
        looks.pop();
        Self {
            looks,
            runs_per_round: RUNS_PER_BLOCK * schedule.workloads.len(),
        }
    }

    /// Returns the number of runs after which the experiment ended, if it ended before its last block.
    pub(crate) fn end_of(&self, experiment: &Experiment) -> Option<usize> {
        let runs = |look: &Look| look.blocks * self.runs_per_round;
        let reached = self.looks.iter();
        let mut reached = reached.take_while(|look| runs(look) <= experiment.runs.len());
        reached.find(|look| ends(experiment, look)).map(runs)
    }

    /// Returns true if the last run completed a look, and the experiment ends at this look.
    pub(crate) fn ends_here(&self, experiment: &Experiment) -> bool {
        let done = experiment.runs.len();
        let mut looks = self.looks.iter();
        looks.any(|look| look.blocks * self.runs_per_round == done && ends(experiment, look))
    }
}

/// Returns true if the experiment ends at a look. Runs that cannot be judged end nothing: [`analyse`] reports the error.
fn ends(experiment: &Experiment, look: &Look) -> bool {
    costs_and_seen(experiment, look.blocks).is_ok_and(|(_, seen)| seen.judge(look).is_some())
}

/// Estimate of one gain, as a log-ratio, by either unit of analysis.
pub(crate) enum Seen {
    /// Blocks are the unit, for a single layout.
    Blocks(Resampled),
    /// Layouts are the unit.
    Layouts(ByLayout),
}

impl Seen {
    fn of(
        columns: &[Vec<f64>],
        halves: &[Vec<f64>],
        layout_of: &[usize],
        schedule: &Schedule,
    ) -> Self {
        if schedule.layouts > 1 {
            Self::Layouts(ByLayout::of(columns, layout_of, schedule.layouts))
        } else {
            // All use the same resamples, so that a single workload has the same interval as the whole experiment.
            Self::Blocks(Resampled::of(columns, halves, schedule.seed))
        }
    }

    fn location(&self) -> f64 {
        match self {
            Self::Blocks(blocks) => blocks.location,
            Self::Layouts(layouts) => layouts.location,
        }
    }

    fn half_width(&self, confidence: f64) -> f64 {
        match self {
            Self::Blocks(blocks) => blocks.half_width(confidence),
            Self::Layouts(layouts) => layouts.half_width(confidence),
        }
    }

    fn interval(&self, confidence: f64) -> Interval {
        Interval::from_log(self.location(), self.half_width(confidence))
    }

    fn proves(&self, confidence: f64) -> bool {
        self.interval(confidence).verdict() != Verdict::NoProvableDifference
    }

    /// Decides whether to end at a look that is not the last, and why.
    fn judge(&self, look: &Look) -> Option<End> {
        if self.proves(look.confidence) {
            Some(End::Proven)
        } else if look.futile > 0.0 && self.location().abs() <= self.half_width(look.futile) {
            Some(End::Futile)
        } else {
            None
        }
    }

    fn spread(&self, confidence: f64) -> Option<LayoutSpread> {
        match self {
            Self::Blocks(_) => None,
            Self::Layouts(layouts) => Some(layouts.spread(confidence)),
        }
    }
}

/// Reason why an experiment cannot be judged.
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
    /// Too few blocks for the layouts.
    #[error(
        "{blocks} blocks are too few for {layouts} layouts: each needs at least {BLOCKS_PER_LAYOUT_MIN}"
    )]
    TooFewPerLayout {
        /// Blocks of the schedule.
        blocks: usize,
        /// Layouts of the schedule.
        layouts: usize,
    },
    /// A run with another layout than its block.
    #[error("{workload}, block {block}: a run of layout {layout}, where another was asked for")]
    WrongLayout {
        /// Name of the workload.
        workload: String,
        /// Index of the block.
        block: usize,
        /// The run's layout.
        layout: usize,
    },
    /// A confidence level outside its range.
    #[error("confidence {confidence} is not between 0.5 and 1")]
    Confidence {
        /// Confidence level of the schedule.
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
    /// A run whose cost is zero, negative or not a number.
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
        /// Measured value.
        value: f64,
    },
    /// A run that states no work, although the metric is CPU per unit of work.
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
    /// The layout of each block.
    layout_of: Vec<usize>,
    /// Log of CPU old / new, per workload and block.
    log_gains: Vec<Vec<f64>>,
    /// Log of wall old / new, per workload and block.
    log_walls: Vec<Vec<f64>>,
    /// Half the difference between the later and the earlier pair's log of CPU old / new, with a sign such that a drift has
    /// the same effect in all blocks, per workload and block.
    gain_halves: Vec<Vec<f64>>,
    /// The same for log of wall old / new.
    wall_halves: Vec<Vec<f64>>,
    /// All runs' CPU cost, per workload and arm.
    cpu: Vec<[Vec<f64>; 2]>,
    /// All runs' peak memory, per workload and arm.
    rss: Vec<[Vec<f64>; 2]>,
}

impl Costs {
    /// Collects the costs of the first blocks.
    fn collect(experiment: &Experiment, blocks: usize) -> Result<Self, AnalyseError> {
        let schedule = &experiment.schedule;
        let count = schedule.workloads.len();
        let mut cells = vec![vec![Cell::default(); blocks]; count];
        let mut costs = Self {
            layout_of: schedule.layouts_of_blocks(blocks),
            log_gains: Vec::with_capacity(count),
            log_walls: Vec::with_capacity(count),
            gain_halves: Vec::with_capacity(count),
            wall_halves: Vec::with_capacity(count),
            cpu: vec![Default::default(); count],
            rss: vec![Default::default(); count],
        };
        let later = |block: usize| (blocks..schedule.blocks).contains(&block);
        for run in experiment
            .runs
            .iter()
            .filter(|run| !later(run.request.block))
        {
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
            if request.layout != costs.layout_of[request.block] {
                return Err(place.wrong_layout(request.layout));
            }
            let (cpu, wall) = place.costs(&run.observation, schedule.metric)?;
            let arm = index(request.arm);
            cell.log_cpu.add(arm, cpu.ln());
            cell.log_wall.add(arm, wall.ln());
            cell.runs[arm] += 1;
            costs.cpu[request.workload][arm].push(cpu);
            costs.rss[request.workload][arm].push(run.observation.peak_rss_bytes as f64);
        }
        for (workload, blocks) in cells.iter().enumerate() {
            complete(&schedule.workloads[workload], blocks)?;
            let column = |of: fn(&Cell) -> f64| -> Vec<f64> { blocks.iter().map(of).collect() };
            costs.log_gains.push(column(|cell| cell.log_cpu.ratio()));
            costs.log_walls.push(column(|cell| cell.log_wall.ratio()));
            costs.gain_halves.push(column(|cell| cell.log_cpu.half()));
            costs.wall_halves.push(column(|cell| cell.log_wall.half()));
        }
        Ok(costs)
    }

    fn result(
        &self,
        schedule: &Schedule,
        workload: usize,
        confidence: f64,
        overall: Interval,
    ) -> WorkloadResult {
        let interval = |column: &Vec<f64>, halves: &Vec<f64>| {
            let (column, halves) = (std::slice::from_ref(column), std::slice::from_ref(halves));
            Seen::of(column, halves, &self.layout_of, schedule).interval(confidence)
        };
        let gain = match self.log_gains.len() {
            // All that there is: the same numbers, resampled alike.
            1 => overall,
            _ => interval(&self.log_gains[workload], &self.gain_halves[workload]),
        };
        let wall = interval(&self.log_walls[workload], &self.wall_halves[workload]);
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

/// The runs of one block of one workload.
#[derive(Clone, Copy, Default)]
struct Cell {
    log_cpu: TwoPairs,
    log_wall: TwoPairs,
    /// Number of runs by arm.
    runs: [usize; 2],
}

/// Workload, block and arm of a run, for error messages.
struct Place<'a> {
    workload: &'a str,
    block: usize,
    arm: Arm,
}

impl Place<'_> {
    /// Returns the CPU and wall cost of a run, per unit of work if the metric is per unit of work.
    fn costs(&self, observation: &Observation, metric: Metric) -> Result<(f64, f64), AnalyseError> {
        let cpu = self.positive("CPU seconds", metric.cpu_s(observation))?;
        let wall = self.positive("wall seconds", observation.wall_s)?;
        if !metric.is_per_work() {
            return Ok((cpu, wall));
        }
        let work = observation.work.ok_or_else(|| AnalyseError::MissingWork {
            workload: self.workload.to_owned(),
            block: self.block,
            arm: name(self.arm),
        })?;
        let work = self.positive("work", work)?;
        Ok((cpu / work, wall / work))
    }

    fn wrong_layout(&self, layout: usize) -> AnalyseError {
        AnalyseError::WrongLayout {
            workload: self.workload.to_owned(),
            block: self.block,
            layout,
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
    let (blocks, layouts) = (schedule.blocks, schedule.layouts);
    if layouts > 1 && blocks / layouts < BLOCKS_PER_LAYOUT_MIN {
        return Err(AnalyseError::TooFewPerLayout { blocks, layouts });
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

/// Returns the stolen time as a share of used plus stolen CPU time: stolen / (used + stolen).
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
