//! Makes a program faster with compiler levers that its own profile drives, and proves it: the ladder, and the search after
//! it.
//!
//! [`Job::load`] reads a project and plans; [`Job::run`] names the phases in order, each of which has a file of its own.
#![forbid(unsafe_code)]

mod bolt;
mod brought;
mod build;
mod build_trees;
mod climb;
mod conclude;
mod dependency;
mod duets;
mod elsewhere;
mod enough;
mod fingerprint;
mod instrumented;
mod layouts;
mod limit;
mod lock;
mod measure;
mod missing;
mod opening;
mod output;
mod own_libraries;
mod power;
mod profile;
pub mod progress;
mod recipe;
mod replay;
mod rung;
mod runs;
mod sampled;
mod search;
mod shell;
mod source;
mod staleness;
mod stops;
mod supplemented;
mod time;
mod training_overlap;
mod unoptimised;
mod vectorisation;
mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use hone_build::config::FILL_IN;
use hone_build::lever::{Dependency, Rebuild};
use hone_build::{Inputs, Plan, PlanOptions, Project, Toolchain, Variant};
use hone_report::model::LadderReport;
use hone_run::advice::Advise;
use hone_run::files::AdviseReading;
use hone_run::libraries;
use hone_run::process::{self, interrupt};
use hone_run::tools::{self, Tool, Tools};

use brought::Brought;
use progress::Progress;
use source::Source;
use workspace::Workspace;

/// Variable that replaces the path of `.hone` in reports.
pub use conclude::HOME_VARIABLE;

/// Maximum budget in seconds, ten years; a longer budget counts as this one.
const BUDGET_MAX_S: f64 = 315_360_000.0;

/// Options of a run beside the project file.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The project file, or the directory that holds `hone.toml`.
    pub project: PathBuf,
    /// Leaves out levers that need a slow instrumented build.
    pub sampling_only: bool,
    /// A perf.data with branch stacks for AutoFDO, instead of recording here.
    pub profile: Option<PathBuf>,
    /// The binary that was recorded, if it is not where the recording says.
    pub binary: Option<PathBuf>,
    /// Levers to try, instead of the levers in the project file.
    pub levers: Option<Vec<String>>,
    /// Seconds of measuring for each rung, instead of the project file's value.
    pub seconds: Option<f64>,
    /// Seconds since the start until which neighbours of the winner are tried after the ladder.
    pub budget: Option<f64>,
    /// Forgets what earlier runs built and recorded.
    pub fresh: bool,
    /// Seed of the random orders.
    pub seed: u64,
    /// Number of layouts that the winner is measured in, instead of the project file's value.
    pub layouts: Option<u64>,
    /// Links all variants in another random layout.
    pub layout_seed: Option<u64>,
}

impl Request {
    /// The path of the project file.
    pub fn project_file(&self) -> PathBuf {
        if self.project.is_dir() {
            self.project.join("hone.toml")
        } else {
            self.project.clone()
        }
    }
}

/// A project with a plan.
pub struct Job {
    request: Request,
    project: Project,
    directory: PathBuf,
    tools: Tools,
    brought: Option<Brought>,
    options: PlanOptions,
    plan: Plan,
}

/// A run that came to its end.
pub struct Finished {
    /// The report on what was tried and measured; paths below `.hone` begin with [`HOME_VARIABLE`].
    pub report: LadderReport,
    /// The HTML page that was written; the report's other forms lie beside it.
    pub page: PathBuf,
    /// The directory `.hone`.
    pub home: PathBuf,
}

impl Job {
    /// Reads the project file and makes the plan. Nothing is built or written.
    ///
    /// # Errors
    ///
    /// Returns an error if the project file or another named file cannot be read, or if its content is not valid.
    pub fn load(request: Request) -> Result<Self> {
        let (project, directory) = load(&request)?;
        let tools = Tools::find();
        let brought = request.profile.as_deref();
        let brought = brought
            .map(|path| Brought::new(path, request.binary.as_deref()))
            .transpose()?;
        let options = PlanOptions {
            sampling_only: request.sampling_only,
            brings_profile: brought.is_some(),
            brings_probes: brought.as_ref().is_some_and(Brought::has_probes),
            searches: request.budget.is_some(),
            toolchain: project
                .toolchain
                .unwrap_or_else(|| toolchain(&directory.join(&project.source), &tools)),
        };
        let plan = Plan::new(&project, options, &|need| missing::missing(&tools, need));
        Ok(Self {
            request,
            project,
            directory,
            tools,
            brought,
            options,
            plan,
        })
    }

    /// Describes the plan, as lines for people.
    pub fn describe(&self) -> Vec<String> {
        self.plan.describe(&self.project, self.options)
    }

    /// Returns an error that names the blanks of a hone.toml as hone init writes it, if any are left.
    pub fn must_be_filled_in(&self) -> Result<()> {
        let left = self.project.left_to_fill_in();
        if left.is_empty() {
            return Ok(());
        }
        Err(anyhow!("left to fill in: {}", left.join(", ")))
            .context("hone.toml")
            .next(format!("write what is meant in place of each {FILL_IN}"))
    }

    /// Carries out the plan, and writes the report.
    ///
    /// # Errors
    ///
    /// Returns an error if the baseline cannot be built, run or measured, or if the user asked to stop, which
    /// [`hone_run::process::interrupt::requested`] reports. Finished work is kept for the next run.
    pub fn run(self, progress: Box<dyn Progress>) -> Result<Finished> {
        self.must_be_filled_in()?;
        let mut run = prepare(
            &self.request,
            self.project,
            &self.directory,
            self.tools,
            self.options.toolchain,
            self.brought,
            progress,
        )?;
        let budget = self.request.budget;
        let until =
            budget.map(|budget| Instant::now() + Duration::from_secs_f64(budget.min(BUDGET_MAX_S)));
        let report = climb_all(&mut run, &self.plan, self.options, until)?;
        let page = conclude::write(&mut run, &report)?;
        Ok(Finished {
            report,
            page,
            home: run.workspace.path(""),
        })
    }
}

/// State that every phase needs.
struct Run {
    project: Project,
    source: Source,
    /// Source of the previous release.
    previous: Option<Source>,
    dependencies: Vec<(&'static Dependency, Source)>,
    workspace: Workspace,
    tools: Tools,
    toolchain: Toolchain,
    inputs: Inputs,
    brought_profile: Option<Brought>,
    seed: u64,
    layout_seed: Option<u64>,
    layouts: usize,
    stop: Arc<AtomicBool>,
    progress: Box<dyn Progress>,
}

fn climb_all(
    run: &mut Run,
    plan: &Plan,
    options: PlanOptions,
    until: Option<Instant>,
) -> Result<LadderReport> {
    let mut climb = climb::start(run, plan)?;
    for (step, rungs) in &plan.steps {
        climb::step(run, &mut climb, *step, rungs)?;
    }
    if let Some(until) = until {
        search::search(run, &mut climb, options, until)?;
    }
    conclude::conclude(run, climb)
}

fn load(request: &Request) -> Result<(Project, PathBuf)> {
    let path = request.project_file();
    let text = fs::read_to_string(&path)
        .next_read("hone init writes one; or name it: hone optimize DIRECTORY/hone.toml")
        .with_context(|| path.display().to_string())?;
    let mut project = Project::parse(&text)
        .with_context(|| path.display().to_string())
        .next("docs/guide/optimize.md explains every key")?;
    if let Some(levers) = &request.levers {
        project.set_levers(levers.clone()).context("--levers")?;
    }
    if let Some(seconds) = request.seconds {
        project.set_seconds_per_rung(seconds).context("--seconds")?;
    }
    if let Some(layouts) = request.layouts {
        project.layouts = layouts as usize;
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent
        .unwrap_or(Path::new("."))
        .canonicalize()
        .context("hone.toml")?;
    Ok((project, directory))
}

fn prepare(
    request: &Request,
    project: Project,
    directory: &Path,
    tools: Tools,
    toolchain: Toolchain,
    brought_profile: Option<Brought>,
    progress: Box<dyn Progress>,
) -> Result<Run> {
    let stop = interrupt::watch().clone();
    let root = directory.join(&project.source);
    if root.join("CMakeCache.txt").exists() {
        return Err(anyhow!(
            "{} is a CMake build tree, whose files hold its path",
            root.display()
        ))
        .next("build outside of the source (cmake -S . -B build) and remove CMakeCache.txt there");
    }
    let source = Source::new(root, &project.exclude);
    let previous = previous(&project, directory)?;
    let dependencies = dependencies(&project, directory)?;
    let sources = dependencies.iter().map(|(_, source)| source);
    let sources = [&source].into_iter().chain(&previous).chain(sources);
    let fingerprint = fingerprint::take(request, sources, &tools)?;
    let (workspace, opening) = Workspace::open(directory, &fingerprint, request.fresh)?;
    workspace.bequeath_lock()?;
    process::tree::adopt_orphans()?;
    if let Some(sentence) = opening.sentence() {
        progress.phase(&sentence);
    }
    let libraries = directories(&tools);
    let layouts = project.layouts;
    Ok(Run {
        project,
        source,
        previous,
        dependencies,
        inputs: Inputs {
            libraries,
            prefixes: workspace.path("build").join(dependency::PREFIXES),
            ..Inputs::default()
        },
        workspace,
        tools,
        toolchain,
        brought_profile,
        seed: request.seed,
        layout_seed: request.layout_seed,
        layouts,
        stop,
        progress,
    })
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

/// Finds out what compiles the program, from the files at the root of its source and the installed compilers.
fn toolchain(source: &Path, tools: &Tools) -> Toolchain {
    if source.join("Cargo.toml").is_file() {
        Toolchain::Rust
    } else if source.join("go.mod").is_file() {
        Toolchain::Go
    } else if tools.clang.is_none() && tools.gcc.is_some() {
        Toolchain::Gcc
    } else {
        Toolchain::Clang
    }
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

impl Run {
    /// The build without any lever.
    fn baseline(&self) -> Variant {
        Variant {
            base: self.toolchain,
            levers: Vec::new(),
        }
    }

    /// Fails if the user asked to stop.
    fn check_interrupted(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted");
        }
        Ok(())
    }

    /// Adds a sentence to the report's notes, which warn, once.
    fn note(&mut self, text: impl Into<String>) {
        once(&mut self.workspace.state.notes, text.into());
    }

    /// Adds a sentence on a build or its profile to the report's notes; the sentence lasts as long as the build.
    fn note_of_build(&mut self, text: impl Into<String>) {
        once(&mut self.workspace.state.notes_of_builds, text.into());
    }

    /// Adds a sentence to the report's remarks, which only inform, once.
    fn remark(&mut self, text: impl Into<String>) {
        once(&mut self.workspace.state.remarks, text.into());
    }
}

fn once(sentences: &mut Vec<String>, text: String) {
    if !sentences.contains(&text) {
        sentences.push(text);
    }
}
