//! Runs the measure workloads of two builds against each other, and remembers every run.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use hone_measure::{
    Arm, Comparison, Experiment, Metric, Observation, RunRequest, Runner, Schedule, Stopping,
    analyse, resume,
};

use super::Run;
use super::shell;
use super::workspace::Built;
use crate::advice::Advise;
use crate::files::write_whole;
use crate::process::{self, CommandLine, RunSpec};

/// Fewer blocks cannot carry an interval; more than this many no rung is worth.
const BLOCKS: std::ops::RangeInclusive<usize> = 5..=60;
/// A run below this many CPU seconds measures process start and the clock, not the program.
const RUN_SECONDS_MIN: f64 = 0.2;
/// Runs after which the experiment is saved, so that a resumed run goes on in the middle.
const RUNS_PER_SAVE: usize = 4;

/// A finished experiment.
pub(super) struct Measured {
    pub(super) experiment: Experiment,
    pub(super) comparison: Comparison,
}

/// Runs each workload once on the baseline: notes its output, refuses runs that are too short, and fixes
/// how many blocks fit into the time per rung, before anything is compared.
pub(super) fn pilot(run: &mut Run, baseline: &Built) -> Result<()> {
    let mut seconds_per_block = 0.0;
    for index in 0..run.project.measure.len() {
        let name = run.project.measure[index].name.clone();
        let measured = process::run_measured(&spec(run, baseline, index, None)?)
            .with_context(|| format!("workload {name}"))?;
        if measured.exit != 0 {
            run.check_interrupted()?;
            return Err(failed_run(&name, &baseline.name, &measured))
                .next("run the workload by hand on your own build and mend it");
        }
        let observation = &measured.observation;
        let cpu_s = observation.user_s + observation.system_s;
        if cpu_s < RUN_SECONDS_MIN {
            return Err(anyhow!(
                "workload {name} uses {cpu_s:.3} s of CPU, less than {RUN_SECONDS_MIN} s"
            ))
            .next("make the workload longer: a second of CPU or so is good");
        }
        seconds_per_block += 4.0 * observation.wall_s;
        run.workspace
            .state
            .outputs
            .insert(name, measured.stdout_sha256);
    }
    let fitting = (run.project.seconds_per_rung / seconds_per_block) as usize;
    run.workspace.state.blocks = Some(fitting.clamp(*BLOCKS.start(), *BLOCKS.end()));
    run.workspace.save()
}

/// Compares two builds, going on with what an earlier run left. `name` is the experiment's own; two
/// experiments on the same builds are told apart by it.
pub(super) fn compare(run: &mut Run, name: &str, old: &Built, new: &Built) -> Result<Measured> {
    let path = run.workspace.path(format!("experiments/{name}.json"));
    let experiment = load_or_begin(&path, schedule(run, name)?, old, new);
    let mut progress = run
        .say
        .progress(experiment.schedule.runs(), &format!("measuring {name}"));
    let mut runner = Variants { run, old, new };
    let outcome = resume(experiment, &mut runner, |so_far| {
        progress.done(so_far.runs.len() as u64);
        if so_far.runs.len().is_multiple_of(RUNS_PER_SAVE) {
            // A failed save costs the resumption, not the result.
            let _ = save(&path, so_far);
        }
    });
    progress.finish();
    match outcome {
        Ok(experiment) => {
            save(&path, &experiment)?;
            let comparison = analyse(&experiment)
                .with_context(|| format!("experiment {name}"))
                .next(format!("the raw numbers are in {}", path.display()))?;
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

fn schedule(run: &Run, name: &str) -> Result<Schedule> {
    let project = &run.project;
    let Some(blocks) = run.workspace.state.blocks else {
        bail!("no pilot run was made")
    };
    let metric = if project
        .measure
        .iter()
        .all(|workload| workload.work.is_some())
    {
        Metric::CpuPerWork
    } else {
        Metric::CpuSeconds
    };
    Ok(Schedule {
        workloads: project
            .measure
            .iter()
            .map(|workload| workload.name.clone())
            .collect(),
        blocks,
        seed: run.seed ^ fnv1a(name.as_bytes()),
        metric,
        confidence: project.confidence,
        stopping: Stopping::Fixed,
        layouts: 1,
    })
}

/// FNV-1a, so that every experiment has an order of its own.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn load_or_begin(path: &Path, schedule: Schedule, old: &Built, new: &Built) -> Experiment {
    let earlier = fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let same = |earlier: &Experiment| {
        earlier.schedule == schedule && earlier.old == old.name && earlier.new == new.name
    };
    earlier.filter(same).unwrap_or_else(|| Experiment {
        old: old.name.clone(),
        new: new.name.clone(),
        schedule: schedule.clone(),
        runs: Vec::new(),
    })
}

fn save(path: &Path, experiment: &Experiment) -> Result<()> {
    write_whole(path, &serde_json::to_vec(experiment)?)
}

struct Variants<'a> {
    run: &'a Run,
    old: &'a Built,
    new: &'a Built,
}

impl Runner for Variants<'_> {
    type Error = anyhow::Error;

    fn run(&mut self, request: RunRequest) -> Result<Observation> {
        self.run.check_interrupted()?;
        let built = match request.arm {
            Arm::Old => self.old,
            Arm::New => self.new,
        };
        let workload = &self.run.project.measure[request.workload];
        let measured = process::run_measured(&spec(
            self.run,
            built,
            request.workload,
            Some(request.seed),
        )?)
        .with_context(|| format!("workload {}", workload.name))?;
        if measured.exit != 0 {
            return Err(failed_run(&workload.name, &built.name, &measured));
        }
        let expected = self.run.workspace.state.outputs.get(&workload.name);
        if workload.compare_output && expected.is_some_and(|hash| *hash != measured.stdout_sha256) {
            return Err(anyhow!(
                "workload {} writes other output under {} than under the baseline",
                workload.name,
                built.name
            ))
            .next("if the output holds times or addresses, set compare_output = false for it");
        }
        Ok(measured.observation)
    }
}

/// One run; never two at once, since both would run at the same path.
fn spec(run: &Run, built: &Built, workload: usize, seed: Option<u64>) -> Result<RunSpec> {
    let workload = &run.project.measure[workload];
    let tree = run.workspace.enter(&built.name)?;
    let command = shell::with_binary(&workload.command, &tree.join(&run.project.binary))?;
    Ok(RunSpec {
        command: CommandLine::Shell(command),
        cwd: Some(tree),
        env: workload
            .env
            .iter()
            .map(|(name, value)| (name.clone(), Some(value.clone())))
            .collect(),
        work: workload.work.clone(),
        seed,
        timeout: None,
        ..RunSpec::default()
    })
}

fn failed_run(workload: &str, build: &str, measured: &process::Measured) -> anyhow::Error {
    anyhow!(
        "workload {workload} ended with exit status {} under {build}:\n{}",
        measured.exit,
        measured.stderr_tail
    )
}
