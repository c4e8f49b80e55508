//! Runs the measure workloads of two builds against each other, and remembers every run.

pub(crate) mod duets;
mod runs;

use std::fs;
use std::path::Path;
use std::slice;

use anyhow::{Context, Result, anyhow, bail};
use hone_measure::{
    Comparison, Experiment, Metric, Schedule, Stopping, Verdict, analyse, resume, service,
};

use crate::run::Run;
use crate::workspace::state::Built;
use hone_build::config::{Compare, Workload};
use hone_files::advice::Advise;
use hone_files::files::write_whole;
use hone_report::note::{BaselineNote, GainNote};
use hone_report::number;
use runs::Variants;

/// Range of blocks of an experiment: fewer cannot carry an interval, and no rung is worth more.
pub(crate) const BLOCKS: std::ops::RangeInclusive<usize> = 5..=60;
/// Minimum number of blocks for each layout, so that the layout has a figure of its own.
const BLOCKS_PER_LAYOUT: usize = 2;
/// CPU seconds below which a run measures process start and the clock, not the program.
const RUN_SECONDS_MIN: f64 = 0.2;
/// CPU seconds per wall second up to which a program counts as one that uses one CPU at a time.
const ONE_CPU_MOST: f64 = 1.1;
/// Runs after which the experiment is saved, so that a resumed run goes on in the middle.
const RUNS_PER_SAVE: usize = 4;

/// A finished experiment.
pub(crate) struct Measured {
    pub(crate) experiment: Experiment,
    pub(crate) comparison: Comparison,
}

/// Runs each workload once on the baseline: notes its output, refuses runs that are too short, and fixes
/// how many blocks fit into the time per rung, before anything is compared. Returns the wall seconds of a block.
pub(crate) fn pilot(run: &mut Run, baseline: &Built) -> Result<f64> {
    let mut seconds_per_block = 0.0;
    let mut on_one_cpu = true;
    for index in 0..run.project.measure.len() {
        let name = run.project.measure[index].name.clone();
        let began = run.elapsed();
        let ran = match runs::one(run, baseline, index) {
            Ok(ran) => ran,
            Err(error) => {
                run.check_interrupted()?;
                return Err(error)
                    .with_context(|| format!("workload {name} on the baseline"))
                    .next("run the workload by hand on your own build and mend it");
            }
        };
        let observation = &ran.observation;
        let cpu_s = observation.user_s + observation.system_s;
        if cpu_s < RUN_SECONDS_MIN {
            return Err(anyhow!(
                "workload {name} uses {cpu_s:.3} s of CPU, less than {RUN_SECONDS_MIN} s"
            ))
            .next("make the workload longer: a second of CPU or so is good");
        }
        if let Some(limit) = run.project.memory
            && observation.peak_rss_bytes > limit
        {
            return Err(anyhow!(
                "workload {name} takes {} of memory on the baseline, more than the {} of ladder.memory",
                number::bytes(observation.peak_rss_bytes),
                number::bytes(limit)
            ))
            .next("set ladder.memory to the most that a run may take");
        }
        on_one_cpu &= cpu_s <= ONE_CPU_MOST * observation.wall_s;
        let wall_s = (run.elapsed() - began).as_secs_f64();
        seconds_per_block += 4.0 * wall_s;
        let state = &mut run.workspace.state;
        if let Some(output) = ran.output {
            output.can_be_compared(&run.project.measure[index])?;
            state.outputs.insert(name.clone(), output);
        }
        state.workload_s.insert(name, wall_s);
        for note in ran.notes {
            run.tell(BaselineNote::Server(note));
        }
    }
    let fitting = (run.project.seconds_per_rung / seconds_per_block) as usize;
    run.workspace.state.blocks = Some(fitting.clamp(*BLOCKS.start(), *BLOCKS.end()));
    run.workspace.state.duet = duets::decide(run, on_one_cpu);
    run.workspace.save()?;
    Ok(seconds_per_block)
}

/// Compares two builds until the difference is proven, or unlikely to be, or the blocks are used up. `name`
/// is the name of the experiment, which tells two experiments on the same builds apart.
pub(crate) fn compare(run: &mut Run, name: &str, old: &Built, new: &Built) -> Result<Measured> {
    let measure = run.project.measure.clone();
    let schedule = schedule(run, name, &measure)?;
    let schedule = Schedule {
        stopping: Stopping::sequential(),
        duet: schedule.duet && !new.key.runs_alone(),
        ..schedule
    };
    perform(
        run,
        &measure,
        schedule,
        name,
        [slice::from_ref(old), slice::from_ref(new)],
    )
}

/// Compares two builds on the train workloads, in as few blocks as carry an interval; what they write is not compared. `None` if the
/// loads of a server do not tell their requests.
pub(crate) fn compare_trained(
    run: &mut Run,
    name: &str,
    old: &Built,
    new: &Built,
) -> Result<Option<Measured>> {
    let mut train = run.project.train.clone();
    let is_counted = |workload: &Workload| {
        let load = workload.load.as_ref();
        load.is_none_or(|load| load.requests.is_some())
    };
    if !train.iter().all(is_counted) {
        return Ok(None);
    }
    for workload in &mut train {
        workload.compare = Compare::Nothing;
    }
    let schedule = Schedule {
        blocks: *BLOCKS.start(),
        duet: run.workspace.state.duet && !new.key.runs_alone(),
        ..schedule(run, name, &train)?
    };
    let builds = [slice::from_ref(old), slice::from_ref(new)];
    perform(run, &train, schedule, name, builds).map(Some)
}

/// Compares two builds in all blocks, each in one or several layouts.
pub(crate) fn compare_whole(
    run: &mut Run,
    name: &str,
    old: &[Built],
    new: &[Built],
) -> Result<Measured> {
    let measure = run.project.measure.clone();
    let schedule = schedule(run, name, &measure)?;
    let layouts = old.len().min(new.len());
    let blocks = match layouts {
        0 | 1 => schedule.blocks,
        _ => schedule.blocks.div_ceil(layouts).max(BLOCKS_PER_LAYOUT) * layouts,
    };
    let schedule = Schedule {
        layouts,
        blocks,
        duet: schedule.duet && !new.iter().any(|built| built.key.runs_alone()),
        ..schedule
    };
    perform(run, &measure, schedule, name, [old, new])
}

/// Compares two builds of a server by runs one at a time, for latency and throughput, which a duet cannot
/// measure.
pub(crate) fn compare_alone(
    run: &mut Run,
    name: &str,
    old: &Built,
    new: &Built,
) -> Result<Measured> {
    let measure = run.project.measure.clone();
    let schedule = Schedule {
        duet: false,
        blocks: *BLOCKS.start(),
        ..schedule(run, name, &measure)?
    };
    let builds = [slice::from_ref(old), slice::from_ref(new)];
    perform(run, &measure, schedule, name, builds)
}

/// Performs an experiment with these workloads, continuing the one that an earlier run left.
fn perform(
    run: &mut Run,
    workloads: &[Workload],
    schedule: Schedule,
    name: &str,
    [old, new]: [&[Built]; 2],
) -> Result<Measured> {
    let path = run.workspace.path(format!("experiments/{name}.json"));
    let names = [old, new].map(|arm| arm.first().map(Built::name).unwrap_or_default());
    let experiment = load_or_begin(&path, schedule, names);
    let mut progress = run
        .progress
        .steps(experiment.schedule.runs(), &format!("measuring {name}"));
    let mut runner = Variants::new(run, workloads, old, new);
    let outcome = resume(experiment, &mut runner, |so_far| {
        progress.done(so_far.runs.len() as u64);
        if so_far.runs.len().is_multiple_of(RUNS_PER_SAVE) {
            // A failed save costs the resumption, not the result.
            let _ = save(&path, so_far);
        }
    });
    progress.finish();
    for note in runner.notes {
        run.tell(BaselineNote::Server(note));
    }
    match outcome {
        Ok(experiment) => {
            save(&path, &experiment)?;
            let comparison = analyse(&experiment)
                .with_context(|| format!("experiment {name}"))
                .next(format!("the raw numbers are in {}", path.display()))?;
            if comparison.verdict == Verdict::Faster {
                tell_regressions(run, &experiment);
            }
            Ok(Measured {
                experiment,
                comparison,
            })
        }
        Err(stopped) => {
            save(&path, &stopped.experiment)?;
            run.check_interrupted()?;
            Err(stopped.error)
        }
    }
}

/// Tells which quantities other than CPU got worse.
pub(crate) fn tell_regressions(run: &mut Run, experiment: &Experiment) {
    let Experiment { old, new, .. } = experiment;
    for sentence in service::regressions(&service::compare(experiment)) {
        run.tell(GainNote::Regression {
            new: new.clone(),
            old: old.clone(),
            sentence,
        });
    }
}

fn schedule(run: &Run, name: &str, workloads: &[Workload]) -> Result<Schedule> {
    let project = &run.project;
    let Some(blocks) = run.workspace.state.blocks else {
        bail!("no pilot run was made")
    };
    let counts_work = workloads.iter().all(Workload::counts_work);
    let metric = Metric::new(counts_work, project.user_cpu_only);
    Ok(Schedule {
        workloads: workloads
            .iter()
            .map(|workload| workload.name.clone())
            .collect(),
        blocks,
        seed: run.seed ^ fnv1a(name.as_bytes()),
        metric,
        confidence: project.confidence,
        stopping: Stopping::Fixed,
        layouts: 1,
        duet: run.workspace.state.duet,
    })
}

/// Hashes by FNV-1a, so that every experiment has an order of its own.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn load_or_begin(path: &Path, schedule: Schedule, [old, new]: [String; 2]) -> Experiment {
    let earlier = fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let same = |earlier: &Experiment| {
        earlier.schedule == schedule && earlier.old == old && earlier.new == new
    };
    earlier.filter(same).unwrap_or_else(|| Experiment {
        old: old.clone(),
        new: new.clone(),
        schedule: schedule.clone(),
        runs: Vec::new(),
    })
}

fn save(path: &Path, experiment: &Experiment) -> Result<()> {
    write_whole(path, &serde_json::to_vec(experiment)?)
}
