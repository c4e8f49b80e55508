//! Records builds: the train workloads for profiles, and the measured workloads for what is compared with them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_build::{Purpose, Variant, Workload};
use hone_record::{BranchSource, Options, Summary, Target};
use hone_report::model::RecordingFacts;
use hone_report::note::BuildNote;

use crate::build::{Order, build};
use crate::command::limit;
use crate::command::shell;
use crate::run::Run;
use crate::workspace::state::{self, Built, Profiles};
use crate::workspace::utf8;
use hone_run::process::RunError;
use hone_run::service::{Recorded, Setting};

/// Number of branch records that a profile should rest on.
const BRANCH_RECORDS_WANTED: u64 = 500_000;
/// Maximum overhead of recording the train workloads: they serve nobody, so that it may be more than in production.
const OVERHEAD: f64 = 0.2;
/// Minimum CPU seconds of recording of a build, so that plain samples are a fair comparison.
const RECORDING_SECONDS_MIN: f64 = 10.0;
/// CPU seconds of the program after which recording a build stops even if fewer branch records were seen; less if the time
/// per rung is less. CPU seconds, since on a busy machine a program is given few of them.
pub(crate) const RECORDING_SECONDS_MAX: f64 = 45.0;
/// Limit of the wall seconds of recording, as a multiple of the CPU seconds: for servers that mostly wait, and busy machines.
const WALL_TIMES: f64 = 4.0;

/// Time that recordings took.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Spent {
    /// CPU seconds of the recorded program; wall seconds where they are not known.
    pub(crate) cpu_s: f64,
    /// Wall seconds.
    pub(crate) wall_s: f64,
}

impl Spent {
    /// Returns the time that these recordings took together.
    pub(crate) fn on(facts: &[RecordingFacts]) -> Self {
        let mut spent = Self::default();
        facts.iter().for_each(|facts| spent.add(facts));
        spent
    }

    /// Adds the time of a recording.
    pub(crate) fn add(&mut self, facts: &RecordingFacts) {
        self.cpu_s += match facts.target_cpu_s {
            cpu_s if cpu_s > 0.0 => cpu_s,
            _ => facts.wall_s,
        };
        self.wall_s += facts.wall_s;
    }

    /// Returns true if recordings of that many CPU seconds are made, or take too long.
    pub(crate) fn is_up(&self, cpu_s: f64) -> bool {
        self.cpu_s >= cpu_s || self.wall_s >= cpu_s * WALL_TIMES
    }
}

/// Builds the variant with the debug information that profiles by lines need: the build that is measured, unless that
/// build takes objects of the user's own build.
pub(crate) fn recordable(run: &mut Run, variant: &Variant, profiles: &Profiles) -> Result<Built> {
    let measured = Order::new(run, variant, Purpose::Use, profiles);
    let with_lines = Order::new(run, variant, Purpose::Record, profiles);
    match measured.flags == with_lines.flags {
        true => build(run, &measured),
        false => build(run, &with_lines),
    }
}

/// Records the train workloads on a build until there are enough branch records; returns the files.
pub(crate) fn record(run: &mut Run, built: &Built) -> Result<Vec<PathBuf>> {
    run.once(
        |state| &mut state.recordings,
        &built.name(),
        |run| {
            Ok(state::Recorded {
                key: built.key.clone(),
                facts: record_all(run, built)?,
            })
        },
    )?;
    Ok(files_of(run, built))
}

fn record_all(run: &mut Run, built: &Built) -> Result<Vec<RecordingFacts>> {
    let mut facts: Vec<RecordingFacts> = Vec::new();
    let wanted = BRANCH_RECORDS_WANTED / run.project.train.len() as u64;
    let workloads = run.project.train.len() as f64;
    let seconds = RECORDING_SECONDS_MAX.min(run.project.seconds_per_rung) / workloads;
    let seconds_min = RECORDING_SECONDS_MIN.min(seconds * workloads) / workloads;
    for workload in 0..run.project.train.len() {
        let (mut records, mut spent) = (0, Spent::default());
        while (records < wanted || spent.cpu_s < seconds_min) && !spent.is_up(seconds) {
            let one = record_once(run, built, workload, facts.len())?;
            records += one.branch_records.max(1);
            spent.add(&one);
            let has_branches = one.branches != "none";
            facts.push(one);
            if !has_branches && spent.cpu_s > seconds / 3.0 {
                break;
            }
        }
    }
    Ok(facts)
}

/// Facts of a build's recordings so far.
pub(crate) fn facts<'r>(run: &'r Run, built: &Built) -> &'r [RecordingFacts] {
    let recorded = run.workspace.state.recordings.get(&built.name());
    recorded.map_or(&[], |recorded| &recorded.facts)
}

/// Lists the files of a build's recordings.
pub(crate) fn files_of(run: &Run, built: &Built) -> Vec<PathBuf> {
    let facts = facts(run, built).iter();
    // A recording of a load that left the server idle has nothing to convert.
    let with_samples = facts.clone().filter(|facts| facts.samples > 0);
    let facts: Vec<_> = match with_samples.clone().next() {
        Some(_) => with_samples.collect(),
        None => facts.collect(),
    };
    let paths = facts.into_iter().map(|facts| &facts.path);
    paths.map(|path| run.workspace.path(path)).collect()
}

/// Records one run of a train workload.
pub(crate) fn record_once(
    run: &mut Run,
    built: &Built,
    workload: usize,
    index: usize,
) -> Result<RecordingFacts> {
    let workload = run.project.train[workload].clone();
    let file = PathBuf::from(format!("recordings/{}.{index}.data", built.key));
    let wanted = Wanted {
        file: &file,
        branches: BranchSource::Auto,
        seed: run.seed.wrapping_add(index as u64),
        limit: limit::of(workload.limit_s, None),
    };
    let summary = record_run(run, built, &workload, &wanted)
        .with_context(|| format!("train workload {} on {}", workload.name, built.key))?;
    Ok(RecordingFacts {
        rung: built.key.rung(),
        build: built.name(),
        path: utf8(&file)?.into(),
        branches: summary.branch_source.clone(),
        samples: summary.samples,
        branch_records: summary.branch_records,
        wall_s: summary.wall_s,
        stopped_s: summary.stopped_s,
        target_cpu_s: summary.target_cpu_s,
    })
}

/// Records plain samples of one run of each measured workload; returns the files and their number of samples.
pub(crate) fn record_measured(run: &mut Run, built: &Built) -> Result<(Vec<PathBuf>, u64)> {
    let mut samples = 0;
    for index in 0..run.project.measure.len() {
        let workload = run.project.measure[index].clone();
        let file = measured_file(built, index);
        let wanted = Wanted {
            file: &file,
            branches: BranchSource::None,
            seed: run.seed,
            limit: limit::of_measure(run, &workload),
        };
        samples += record_run(run, built, &workload, &wanted)?.samples;
    }
    Ok((files_of_measured(run, built), samples))
}

/// Lists the files that [`record_measured`] writes.
pub(crate) fn files_of_measured(run: &Run, built: &Built) -> Vec<PathBuf> {
    let all = 0..run.project.measure.len();
    all.map(|index| run.workspace.path(measured_file(built, index)))
        .collect()
}

fn measured_file(built: &Built, index: usize) -> PathBuf {
    format!("recordings/{}.measured-{index}.data", built.key).into()
}

/// A recording to be made.
struct Wanted<'a> {
    /// Path of the recording, relative to `.hone/`.
    file: &'a Path,
    branches: BranchSource,
    seed: u64,
    /// Time after which the workload is ended.
    limit: Duration,
}

/// Records one run of a workload on a build. Warnings of the recorder go into the report.
fn record_run(
    run: &mut Run,
    built: &Built,
    workload: &Workload,
    wanted: &Wanted,
) -> Result<Summary> {
    let tree = run.workspace.enter(&built.name())?;
    let target = target(workload, &tree, &run.project.binary, built)?;
    let options = Options {
        branches: wanted.branches,
        overhead: OVERHEAD,
        seed: wanted.seed,
        duration_s: Some(wanted.limit.as_secs_f64()),
        ..Options::new(target, run.workspace.path(wanted.file))
    };
    let mut progress = run.progress.work(
        &format!("recording {} on {}", built.key, workload.name),
        None,
    );
    let mut tell = |so_far: &Summary| {
        progress.tell(&format!("{} branch records", so_far.branch_records));
    };
    let recorded = match shell::setting(&run.project, &tree) {
        Some(setting) => {
            let setting = Setting {
                env: shell::variables(&built.flags.run_env),
                limit: Some(wanted.limit),
                ..setting
            };
            run.system
                .record_server(&setting, workload, options, &mut tell)
        }
        None => record_command(run, &options, &mut tell),
    };
    progress.finish();
    run.check_interrupted()?;
    let recorded = limit::explained(recorded)?;
    for warning in recorded.summary.warnings.iter().chain(&recorded.notes) {
        run.tell(BuildNote::Recorder(warning.clone()));
    }
    Ok(recorded.summary)
}

/// Target of a workload that runs to its end; for a server, the target is its process.
fn target(workload: &Workload, tree: &Path, binary: &Path, built: &Built) -> Result<Target> {
    let command = shell::with_binary(&workload.command, &tree.join(binary))?;
    Ok(Target::Command {
        argv: vec!["sh".into(), "-c".into(), command.into()],
        env: workload
            .env
            .iter()
            .chain(&built.flags.run_env)
            .map(|(name, value)| (name.into(), Some(value.into())))
            .collect(),
        cwd: Some(tree.into()),
        stdout: Some("/dev/null".into()),
    })
}

fn record_command(
    run: &Run,
    options: &Options,
    tell: &mut dyn FnMut(&Summary),
) -> Result<Recorded> {
    let summary = run.system.record(options, &run.stop, tell)?;
    match summary.exit_code {
        _ if run.check_interrupted().is_err() => {}
        Some(0) => {}
        Some(status) => bail!("it ended with exit status {status} while it was recorded"),
        None => {
            let seconds = options.duration_s.unwrap_or_default();
            let words = "    (not kept while it is recorded)".into();
            return Err(RunError::TimedOut { seconds, words }.into());
        }
    }
    Ok(Recorded {
        summary,
        notes: Vec::new(),
    })
}
