//! Makes the profiles that levers want: records and converts, or instruments, trains and merges.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hone_build::config::Workload;
use hone_build::{Lever, ProfileSource, Variant, variant::Purpose};
use hone_record::{BranchSource, Options, Summary, Target};
use hone_report::model::RecordingFacts;

use super::build::{Order, build};
use super::shell::{self, Shell};
use super::workspace::{Built, utf8};
use super::{Run, bolt, elsewhere, instrumented, limit, sampled, supplemented, training_overlap};
use hone_run::advice::Advise;
use hone_run::process::{self, RunError};
use hone_run::service::{self, Recorded, Setting};

/// Number of branch records that a profile should rest on.
const BRANCH_RECORDS_WANTED: u64 = 500_000;
/// Maximum overhead of recording the train workloads: they serve nobody, so that it may be more than in production.
const OVERHEAD: f64 = 0.2;
/// Minimum wall seconds of recording of a build, so that plain samples are a fair comparison.
const RECORDING_SECONDS_MIN: f64 = 10.0;
/// Wall seconds after which recording a build stops even if fewer branch records were seen; less if the time
/// per rung is less.
pub(super) const RECORDING_SECONDS_MAX: f64 = 45.0;

/// Suffix of the names of builds that were made with debug information only to be recorded.
const WITH_LINES: &str = ".lines";

/// Next step after an instrumented program that wrote no profile. Continuous profiles of clang 19 hold no values.
const NO_PROFILE: &str = "it must end by exit or return from main, not by a signal or _exit. A server has to do \
    so at its stop signal: handle it, or choose one that it handles (server.stop in hone.toml). One that cannot is \
    built with -mllvm -runtime-counter-relocation -mllvm -disable-vp=true in its CFLAGS and started as \
    LLVM_PROFILE_FILE=\"%c$LLVM_PROFILE_FILE\" {binary} ..., which keeps the counters in the file at all times";
/// Makes the profile of `lever` on top of `base` and puts it into the run's inputs.
pub(super) fn prepare(run: &mut Run, base: &Variant, lever: &'static Lever) -> Result<()> {
    let name = format!("{}.{}", name_of(base), lever.id);
    let file = match run.workspace.state.profiles.get(&name) {
        Some(file) => file.clone(),
        None => {
            let file = match lever.profile {
                ProfileSource::None => return Ok(()),
                ProfileSource::BranchRecords
                | ProfileSource::ProbedBranchRecords
                | ProfileSource::ProbedCounters
                | ProfileSource::IpSamples
                | ProfileSource::CallSizes
                | ProfileSource::FunctionOrder
                | ProfileSource::BlockLayout => sampled::make(run, base, lever.profile, &name)?,
                ProfileSource::CompilerInstrumentation | ProfileSource::ContextInstrumentation => {
                    instrumented::make(run, base, lever.profile, &name)?
                }
                ProfileSource::SupplementedInstrumentation => supplemented::make(run, base, &name)?,
                // BOLT's profiles belong to one relinked binary; bolt.rs makes them together with that binary.
                ProfileSource::BoltBranchRecords | ProfileSource::BoltInstrumentation => {
                    return Ok(());
                }
            };
            run.workspace.state.profiles.insert(name, file.clone());
            run.workspace.save()?;
            file
        }
    };
    run.inputs
        .profiles
        .insert(lever.id, run.workspace.path(file));
    Ok(())
}

/// Name of a variant's build with debug information; the build of the baseline itself has no debug information.
pub(super) fn name_of(variant: &Variant) -> String {
    if variant.levers.is_empty() {
        "profiling".into()
    } else {
        variant.id()
    }
}

/// Builds the variant as it is measured.
pub(super) fn measurable(run: &mut Run, variant: &Variant) -> Result<Built> {
    let order = Order {
        name: name_of(variant),
        flags: variant.flags(Purpose::Use, &run.inputs),
        purpose: Purpose::Use,
        layout_seed: None,
    };
    build(run, &order)
}

/// Builds the variant with the debug information that profiles by lines need: the build that is measured, unless that
/// build takes objects of the user's own build.
pub(super) fn recordable(run: &mut Run, variant: &Variant) -> Result<Built> {
    let flags = variant.flags(Purpose::Record, &run.inputs);
    if flags == variant.flags(Purpose::Use, &run.inputs) {
        return measurable(run, variant);
    }
    let order = Order {
        name: format!("{}{WITH_LINES}", name_of(variant)),
        flags,
        purpose: Purpose::Record,
        layout_seed: None,
    };
    build(run, &order)
}

/// Records the train workloads on a build until there are enough branch records; returns the files.
pub(super) fn record(run: &mut Run, built: &Built) -> Result<Vec<PathBuf>> {
    if !run.workspace.state.recordings.contains_key(&built.name) {
        let mut facts: Vec<RecordingFacts> = Vec::new();
        let wanted = BRANCH_RECORDS_WANTED / run.project.train.len() as u64;
        let workloads = run.project.train.len() as f64;
        let seconds = RECORDING_SECONDS_MAX.min(run.project.seconds_per_rung) / workloads;
        let seconds_min = RECORDING_SECONDS_MIN.min(seconds * workloads) / workloads;
        for workload in 0..run.project.train.len() {
            let (mut records, mut spent_s) = (0, 0.0);
            while (records < wanted || spent_s < seconds_min) && spent_s < seconds {
                let one = record_once(run, built, workload, facts.len())?;
                records += one.branch_records.max(1);
                spent_s += one.wall_s;
                let has_branches = one.branches != "none";
                facts.push(one);
                if !has_branches && spent_s > seconds / 3.0 {
                    break;
                }
            }
        }
        run.workspace
            .state
            .recordings
            .insert(built.name.clone(), facts);
        run.workspace.save()?;
    }
    let files = files_of(run, built);
    training_overlap::compare(run, built, &files)?;
    elsewhere::tell(run, built, &files)?;
    Ok(files)
}

/// Lists the files of a build's recordings.
pub(super) fn files_of(run: &Run, built: &Built) -> Vec<PathBuf> {
    let recordings = run.workspace.state.recordings.get(&built.name);
    let facts = recordings.into_iter().flatten();
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
pub(super) fn record_once(
    run: &mut Run,
    built: &Built,
    workload: usize,
    index: usize,
) -> Result<RecordingFacts> {
    let workload = run.project.train[workload].clone();
    let file = PathBuf::from(format!("recordings/{}.{index}.data", built.name));
    let wanted = Wanted {
        file: &file,
        branches: BranchSource::Auto,
        seed: run.seed.wrapping_add(index as u64),
        limit: limit::of(workload.limit_s, None),
    };
    let summary = record_run(run, built, &workload, &wanted)
        .with_context(|| format!("train workload {} on {}", workload.name, built.name))?;
    Ok(RecordingFacts {
        rung: built
            .name
            .trim_end_matches(WITH_LINES)
            .trim_end_matches(bolt::RELINKED)
            .trim_end_matches(sampled::PROBED)
            .trim_end_matches(sampled::MAPPED)
            .into(),
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
pub(super) fn record_measured(run: &mut Run, built: &Built) -> Result<(Vec<PathBuf>, u64)> {
    let mut files = Vec::new();
    let mut samples = 0;
    for index in 0..run.project.measure.len() {
        let workload = run.project.measure[index].clone();
        let file = PathBuf::from(format!("recordings/{}.measured-{index}.data", built.name));
        let wanted = Wanted {
            file: &file,
            branches: BranchSource::None,
            seed: run.seed,
            limit: limit::of_measure(run, &workload),
        };
        samples += record_run(run, built, &workload, &wanted)?.samples;
        files.push(run.workspace.path(&file));
    }
    Ok((files, samples))
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
    let tree = run.workspace.enter(&built.name)?;
    let target = target(workload, &tree, &run.project.binary, built)?;
    let options = Options {
        branches: wanted.branches,
        overhead: OVERHEAD,
        seed: wanted.seed,
        duration_s: Some(wanted.limit.as_secs_f64()),
        ..Options::new(target, run.workspace.path(wanted.file))
    };
    let mut progress = run.progress.work(
        &format!("recording {} on {}", built.name, workload.name),
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
            service::record(&setting, workload, options, &mut tell)
        }
        None => record_command(&options, &run.stop, &mut tell),
    };
    progress.finish();
    run.check_interrupted()?;
    let recorded = limit::explained(recorded)?;
    for note in recorded.summary.warnings.iter().chain(&recorded.notes) {
        run.note_of_build(note.clone());
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
    options: &Options,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Summary),
) -> Result<Recorded> {
    let summary = hone_record::record(options, stop, tell);
    // The recorder never ends what it records; here nobody needs these processes any more.
    process::tree::end();
    let summary = summary
        .context("recording")
        .next("hone doctor tells what this machine lets Hone record")?;
    match summary.exit_code {
        _ if stop.load(Ordering::Relaxed) => {}
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

/// Runs every train workload once on an instrumented build.
pub(super) fn train(run: &Run, built: &Built, variables: &[(&str, &str)]) -> Result<()> {
    let tree = run.workspace.enter(&built.name)?;
    for workload in &run.project.train {
        let mut progress = run.progress.work(
            &format!("training {} on {}", built.name, workload.name),
            None,
        );
        let outcome = match shell::setting(&run.project, &tree) {
            Some(setting) => train_server(setting, workload, variables),
            None => train_program(run, built, workload, variables),
        };
        progress.tell("done");
        progress.finish();
        outcome.with_context(|| {
            format!("train workload {} on the instrumented build", workload.name)
        })?;
    }
    Ok(())
}

fn train_server(setting: Setting, workload: &Workload, variables: &[(&str, &str)]) -> Result<()> {
    let variables = variables.iter();
    let setting = Setting {
        env: variables
            .map(|(name, value)| (name.to_string(), Some(value.to_string())))
            .collect(),
        limit: Some(limit::of(workload.limit_s, None)),
        ..setting
    };
    // Notes on the stop come again when the build is measured.
    limit::explained(service::train(&setting, workload)).map(drop)
}

fn train_program(
    run: &Run,
    built: &Built,
    workload: &Workload,
    variables: &[(&str, &str)],
) -> Result<()> {
    let tree = run.workspace.path("build");
    let command = shell::with_binary(&workload.command, &tree.join(&run.project.binary))?;
    let mut env: BTreeMap<String, String> = workload.env.clone();
    env.extend(
        variables
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string())),
    );
    let log = run.workspace.path(format!("logs/{}.train.log", built.name));
    Shell {
        command: &command,
        cwd: &tree,
        env: &env,
        log: &log,
        limit: Some(limit::of(workload.limit_s, None)),
    }
    .run()
    .next(format!("read {}", log.display()))
}

/// Makes an empty directory for raw profiles: files that an interrupted training left would count twice.
pub(super) fn empty_directory(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(|| directory.display().to_string())?;
    }
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())
}

/// Lists the files of a directory, sorted; returns an error if it holds none.
pub(super) fn files_in(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(directory)
        .with_context(|| directory.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.sort();
    if files.is_empty() {
        return Err(anyhow!("the instrumented program wrote no profile")).next(NO_PROFILE);
    }
    Ok(files)
}
