//! Runs the measure workloads of two builds against each other, and remembers every run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::slice;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use hone_build::config::Compare;
use hone_measure::{
    Arm, Comparison, Experiment, Metric, Observation, RunRequest, Runner, Schedule, Stopping,
    Verdict, analyse, resume, service,
};

use super::equal::Output;
use super::workspace::Built;
use super::{Run, limit, shell};
use crate::advice::Advise;
use crate::files::write_whole;
use crate::process::{self, CommandLine, RunSpec};
use crate::service::Setting;

/// Fewer blocks cannot carry an interval; more than this many no rung is worth.
const BLOCKS: std::ops::RangeInclusive<usize> = 5..=60;
/// A layout's own figure needs two blocks at least.
const BLOCKS_PER_LAYOUT: usize = 2;
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
        let began = Instant::now();
        let ran = match one_run(run, baseline, index, None) {
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
        let wall_s = began.elapsed().as_secs_f64();
        seconds_per_block += 4.0 * wall_s;
        let state = &mut run.workspace.state;
        if let Some(output) = ran.output {
            output.can_be_compared(&run.project.measure[index])?;
            state.outputs.insert(name.clone(), output);
        }
        state.workload_s.insert(name, wall_s);
        for note in ran.notes {
            run.note(note);
        }
    }
    let fitting = (run.project.seconds_per_rung / seconds_per_block) as usize;
    run.workspace.state.blocks = Some(fitting.clamp(*BLOCKS.start(), *BLOCKS.end()));
    run.workspace.save()
}

/// Compares two builds until the difference is proven, or unlikely to be, or the blocks are used up. `name`
/// is the experiment's own; two experiments on the same builds are told apart by it.
pub(super) fn compare(run: &mut Run, name: &str, old: &Built, new: &Built) -> Result<Measured> {
    let schedule = Schedule {
        stopping: Stopping::sequential(),
        ..schedule(run, name)?
    };
    perform(
        run,
        schedule,
        name,
        slice::from_ref(old),
        slice::from_ref(new),
    )
}

/// Compares two builds in all blocks, each in one or several layouts.
pub(super) fn compare_whole(
    run: &mut Run,
    name: &str,
    old: &[Built],
    new: &[Built],
) -> Result<Measured> {
    let schedule = schedule(run, name)?;
    let layouts = old.len().min(new.len());
    let blocks = match layouts {
        0 | 1 => schedule.blocks,
        _ => schedule.blocks.div_ceil(layouts).max(BLOCKS_PER_LAYOUT) * layouts,
    };
    let schedule = Schedule {
        layouts,
        blocks,
        ..schedule
    };
    perform(run, schedule, name, old, new)
}

/// Performs an experiment, going on with what an earlier run left.
fn perform(
    run: &mut Run,
    schedule: Schedule,
    name: &str,
    old: &[Built],
    new: &[Built],
) -> Result<Measured> {
    let path = run.workspace.path(format!("experiments/{name}.json"));
    let names = [old, new].map(|arm| arm.first().map_or("", |built| built.name.as_str()));
    let experiment = load_or_begin(&path, schedule, names);
    let mut progress = run
        .say
        .progress(experiment.schedule.runs(), &format!("measuring {name}"));
    let mut runner = Variants {
        run,
        old,
        new,
        notes: Vec::new(),
    };
    let outcome = resume(experiment, &mut runner, |so_far| {
        progress.done(so_far.runs.len() as u64);
        if so_far.runs.len().is_multiple_of(RUNS_PER_SAVE) {
            // A failed save costs the resumption, not the result.
            let _ = save(&path, so_far);
        }
    });
    progress.finish();
    for note in runner.notes {
        run.note(note);
    }
    match outcome {
        Ok(experiment) => {
            save(&path, &experiment)?;
            let comparison = analyse(&experiment)
                .with_context(|| format!("experiment {name}"))
                .next(format!("the raw numbers are in {}", path.display()))?;
            if comparison.verdict == Verdict::Faster {
                for sentence in service::regressions(&service::compare(&experiment)) {
                    let [old, new] = names;
                    run.note(format!("{new} against {old}: {sentence}"));
                }
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

fn schedule(run: &Run, name: &str) -> Result<Schedule> {
    let project = &run.project;
    let Some(blocks) = run.workspace.state.blocks else {
        bail!("no pilot run was made")
    };
    let metric = Metric::new(project.counts_work(), project.user_cpu_only);
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

fn load_or_begin(path: &Path, schedule: Schedule, [old, new]: [&str; 2]) -> Experiment {
    let earlier = fs::read(path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let same = |earlier: &Experiment| {
        earlier.schedule == schedule && earlier.old == old && earlier.new == new
    };
    earlier.filter(same).unwrap_or_else(|| Experiment {
        old: old.into(),
        new: new.into(),
        schedule: schedule.clone(),
        runs: Vec::new(),
    })
}

fn save(path: &Path, experiment: &Experiment) -> Result<()> {
    write_whole(path, &serde_json::to_vec(experiment)?)
}

struct Variants<'a> {
    run: &'a Run,
    /// The two builds, by layout.
    old: &'a [Built],
    new: &'a [Built],
    /// Sentences for the report.
    notes: Vec<String>,
}

/// What one run of a measure workload gave.
struct Ran {
    observation: Observation,
    /// Of a program; load generators print times.
    output: Option<Output>,
    notes: Vec<String>,
}

impl Runner for Variants<'_> {
    type Error = anyhow::Error;

    fn run(&mut self, request: RunRequest) -> Result<Observation> {
        self.run.check_interrupted()?;
        let layouts = match request.arm {
            Arm::Old => self.old,
            Arm::New => self.new,
        };
        let built = layouts.get(request.layout).context("no such layout")?;
        let workload = &self.run.project.measure[request.workload];
        let ran = one_run(self.run, built, request.workload, Some(request.seed))
            .with_context(|| format!("workload {} under {}", workload.name, built.name))?;
        for note in ran.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let expected = self.run.workspace.state.outputs.get(&workload.name);
        if let (Some(output), Some(expected)) = (&ran.output, expected) {
            output.equals(expected, workload, &built.name)?;
        }
        Ok(ran.observation)
    }
}

/// One run; never two at once, since both would run at the same path.
fn one_run(run: &Run, built: &Built, workload: usize, seed: Option<u64>) -> Result<Ran> {
    let workload = &run.project.measure[workload];
    let tree = run.workspace.enter(&built.name)?;
    let baseline_s = run.workspace.state.workload_s.get(&workload.name);
    let limit = limit::of(workload.limit_s, baseline_s.copied());
    if let Some(setting) = shell::setting(&run.project, &tree) {
        let setting = Setting {
            seed,
            env: shell::variables(&built.flags.run_env),
            limit: Some(limit),
            ..setting
        };
        let loaded = limit::explained(crate::service::measure(&setting, workload))?;
        return Ok(Ran {
            observation: loaded.observation,
            output: None,
            notes: loaded.notes,
        });
    }
    let command = shell::with_binary(&workload.command, &tree.join(&run.project.binary))?;
    let compare = match &workload.compare {
        Compare::Captures(expression) => Some(expression.clone()),
        Compare::Whole | Compare::Nothing => None,
    };
    let measured = limit::explained(process::run_measured(&RunSpec {
        command: CommandLine::Shell(command),
        cwd: Some(tree),
        env: shell::variables(&with_run_env(&workload.env, built)),
        work: workload.work.clone(),
        compare,
        seed,
        timeout: Some(limit),
        ..RunSpec::default()
    }))?;
    if measured.exit != 0 {
        bail!(
            "it ended with exit status {}:\n{}",
            measured.exit,
            measured.stderr_tail
        );
    }
    Ok(Ran {
        output: Some(Output::of(&measured)),
        observation: measured.observation,
        notes: Vec::new(),
    })
}

/// A workload's environment with what the build's levers want of it.
fn with_run_env(env: &BTreeMap<String, String>, built: &Built) -> BTreeMap<String, String> {
    let of_levers = built.flags.run_env.iter();
    let all = env.iter().chain(of_levers);
    all.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
