//! Prepares a run: checks the source, opens `.hone/`, finds libraries and what earlier runs left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use hone_build::lever::{Dependency, Rebuild};
use hone_build::{Inputs, Project};
use hone_files::advice::Advise;
use hone_files::libraries;
use hone_run::tools::{self, Tool, Tools};

use crate::Job;
use crate::build::dependency;
use crate::progress::Progress;
use crate::run::Run;
use crate::source::Source;
use crate::system::System;
use crate::unmet_needs::{limits_copies, whole_cpus};
use crate::workspace::{Workspace, fingerprint};

/// Prepares the run of a job. Nothing is built yet.
pub(crate) fn prepare(
    job: Job,
    system: Box<dyn System>,
    progress: Box<dyn Progress>,
) -> Result<Run> {
    let Job {
        request,
        project,
        directory,
        tools,
        brought,
        options,
        ..
    } = job;
    let stop = system.watch()?;
    let root = directory.join(&project.source);
    if root.join("CMakeCache.txt").exists() {
        return Err(anyhow!(
            "{} is a CMake build tree, whose files hold its path",
            root.display()
        ))
        .next("build outside of the source (cmake -S . -B build) and remove CMakeCache.txt there");
    }
    let source = Source::new(root, &project.exclude);
    let previous = previous(&project, &directory)?;
    let dependencies = dependencies(&project, &directory)?;
    let sources = dependencies.iter().map(|(_, source)| source);
    let sources = [&source].into_iter().chain(&previous).chain(sources);
    let fingerprint = fingerprint::take(&request, sources, &tools)?;
    let (workspace, opening) = Workspace::open(&directory, &fingerprint, request.fresh)?;
    workspace.bequeath_lock()?;
    if let Some(sentence) = opening.sentence() {
        progress.phase(&sentence);
    }
    Ok(Run {
        inputs: Inputs {
            libraries: directories(&tools),
            memory_limit: project.memory.map(of_go),
            whole_cpus: whole_cpus(),
            limits_dispatch: limits_copies(&tools),
            prefixes: workspace.path("build").join(dependency::PREFIXES),
            ..Inputs::default()
        },
        project,
        options,
        source,
        previous,
        dependencies,
        workspace,
        tools,
        toolchain: options.toolchain,
        brought_profile: brought,
        seed: request.seed,
        layout_seed: request.layout_seed,
        stop,
        began: system.now(),
        system,
        progress,
    })
}

/// Returns the part of a process's memory, in bytes, that Go's heap may take: the rest is for what Go does not count.
fn of_go(bytes: u64) -> u64 {
    bytes / 10 * 9
}

/// The source of the previous release, if there is one.
fn previous(project: &Project, directory: &Path) -> Result<Option<Source>> {
    let Some(previous) = &project.previous else {
        return Ok(None);
    };
    let root = directory.join(previous);
    if !root.is_dir() {
        return Err(anyhow!(
            "program.previous: {} is not a directory",
            root.display()
        ))
        .next("set it to the source tree of the previous release, or leave it out");
    }
    Ok(Some(Source::new(root, &project.exclude)))
}

/// The libraries that may be rebuilt, with their sources.
fn dependencies(project: &Project, directory: &Path) -> Result<Vec<(&'static Dependency, Source)>> {
    let rebuilds = project.dependencies.iter().flatten();
    let known = rebuilds.filter_map(|lever| lever.rebuilds.filter(|rebuild| rebuild.with_levers));
    let mut dependencies = Vec::new();
    for Rebuild { of, .. } in known {
        let root = directory.join(&of.source);
        if !root.is_dir() {
            let fact = format!(
                "dependency {}: {} is not a directory",
                of.name,
                root.display()
            );
            return Err(anyhow!(fact))
                .next("set source in its [[dependency]] table to the library's source tree");
        }
        dependencies.push((of, Source::new(root, &of.exclude)));
    }
    Ok(dependencies)
}

/// Directories that replace placeholders in levers.
fn directories(tools: &Tools) -> BTreeMap<&'static str, PathBuf> {
    let directory = |tool: &Tool| tool.path.parent().map(Path::to_owned);
    let allocators = tools.allocators.iter();
    let mut libraries: BTreeMap<_, _> = allocators
        .filter_map(|(name, tool)| Some((*name, directory(tool)?)))
        .collect();
    let runtime = tools.bolt_instrumentation_runtime.as_ref();
    if let Some(directory) = runtime.and_then(directory) {
        libraries.insert("bolt-runtime", tools::for_bolt(&directory));
    }
    if let Some(library) = tools.musl.as_ref().and_then(directory) {
        libraries.insert("musl-headers", libraries::headers_of_musl(&library));
        libraries.insert("musl", library);
    }
    libraries
}
