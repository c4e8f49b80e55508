//! Trains instrumented builds: runs the train workloads on them, for the counts that they write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_build::Workload;

use crate::command::limit;
use crate::command::shell::{self, Shell};
use crate::run::Run;
use hone_files::advice::Advise;
use hone_run::service::Setting;

/// Next step after an instrumented program that wrote no profile. Continuous profiles of clang 19 hold no values.
const NO_PROFILE: &str = "it must end by exit or return from main, not by a signal or _exit. A server has to do \
    so at its stop signal: handle it, or choose one that it handles (server.stop in hone.toml). One that cannot is \
    built with -mllvm -runtime-counter-relocation -mllvm -disable-vp=true in its CFLAGS and started as \
    LLVM_PROFILE_FILE=\"%c$LLVM_PROFILE_FILE\" {binary} ..., which keeps the counters in the file at all times";

/// Runs every train workload once on the instrumented build with a name.
pub(crate) fn train(run: &Run, name: &str, variables: &[(&str, &str)]) -> Result<()> {
    let tree = run.workspace.enter(name)?;
    for workload in &run.project.train {
        let mut progress = run
            .progress
            .work(&format!("training {name} on {}", workload.name), None);
        let outcome = match shell::setting(&run.project, &tree) {
            Some(setting) => train_server(run, setting, workload, variables),
            None => train_program(run, name, workload, variables),
        };
        progress.tell("done");
        progress.finish();
        outcome.with_context(|| {
            format!("train workload {} on the instrumented build", workload.name)
        })?;
    }
    Ok(())
}

fn train_server(
    run: &Run,
    setting: Setting,
    workload: &Workload,
    variables: &[(&str, &str)],
) -> Result<()> {
    let variables = variables.iter();
    let setting = Setting {
        env: variables
            .map(|(name, value)| (name.to_string(), Some(value.to_string())))
            .collect(),
        limit: Some(limit::of(workload.limit_s, None)),
        ..setting
    };
    limit::explained(run.system.train(&setting, workload))
}

fn train_program(
    run: &Run,
    name: &str,
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
    let log = run.workspace.path(format!("logs/{name}.train.log"));
    Shell {
        command: &command,
        cwd: &tree,
        env: &env,
        log: &log,
        limit: Some(limit::of(workload.limit_s, None)),
    }
    .run(run)
    .next(format!("read {}", log.display()))
}

/// Lists the files of a directory, sorted; returns an error if it holds none.
pub(crate) fn files_in(directory: &Path) -> Result<Vec<PathBuf>> {
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
