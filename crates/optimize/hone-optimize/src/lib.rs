//! Makes a program faster with compiler levers that its own profile drives, and proves it: the ladder, and the search after
//! it.
//!
//! [`Job::load`] reads a project and plans. [`Job::run`] names the phases in their order, each of which is a module:
//! `prepare`, `baseline`, `ladder` (climb, search, confirm), `conclude`. The ladder decides, and has everything done for it
//! by `effects`: builds (`build`), profiles (`profile`) and measurements (`measure`).
#![forbid(unsafe_code)]

mod baseline;
mod build;
mod command;
mod conclude;
mod effects;
mod ladder;
mod measure;
mod prepare;
mod profile;
pub mod progress;
mod run;
mod shortage;
mod source;
mod system;
#[cfg(test)]
mod tests;
mod unmet_needs;
mod user_recording;
mod version;
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_build::config::FILL_IN;
use hone_build::{Plan, PlanOptions, Project, Toolchain};
use hone_files::advice::Advise;
use hone_files::files::AdviseReading;
use hone_report::model::LadderReport;
use hone_run::tools::Tools;

use progress::Progress;
use system::{System, ThisSystem};
use user_recording::Brought;

/// Variable that replaces the path of `.hone` in reports.
pub use conclude::HOME_VARIABLE;

/// Maximum number of characters of a function's name that a report shows.
const NAME_WIDTH: usize = 100;
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
        Self::new(request, project, directory, Tools::find())
    }

    fn new(request: Request, project: Project, directory: PathBuf, tools: Tools) -> Result<Self> {
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
        let plan = Plan::new(&project, options, &|need| {
            unmet_needs::missing(&project, &tools, need)
        });
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
        self.run_on(Box::new(ThisSystem::new()), progress)
    }

    fn run_on(self, system: Box<dyn System>, progress: Box<dyn Progress>) -> Result<Finished> {
        self.must_be_filled_in()?;
        let budget = self.request.budget;
        let budget = budget.map(|seconds| Duration::from_secs_f64(seconds.min(BUDGET_MAX_S)));
        let plan = self.plan.clone();
        let mut run = prepare::prepare(self, system, progress)?;
        build::bypass::remember(&mut run);
        let (mut climb, other_compiler) = baseline::start(&mut run, &plan)?;
        if let Some(compiler) = other_compiler {
            ladder::climb::change_compiler(&mut run, &mut climb, &compiler)?;
        }
        ladder::climb::climb(&mut run, &mut climb, &plan)?;
        if let Some(budget) = budget {
            let candidates = effects::candidates(&run);
            ladder::search::search(&mut run, &mut climb, &candidates, budget)?;
        }
        let confirmed = ladder::confirm::confirm(&mut run, &mut climb)?;
        let report = conclude::conclude(&mut run, climb, confirmed)?;
        let page = conclude::write(&mut run, &report)?;
        Ok(Finished {
            report,
            page,
            home: run.workspace.path(""),
        })
    }
}

fn load(request: &Request) -> Result<(Project, PathBuf)> {
    let path = request.project_file();
    let text = fs::read_to_string(&path)
        .next_read("hone init writes one; or name it: hone optimize DIRECTORY/hone.toml")
        .with_context(|| path.display().to_string())?;
    let mut project = Project::parse(&text)
        .with_context(|| path.display().to_string())
        .next("docs/optimize/optimize.md explains every key")?;
    if let Some(levers) = &request.levers {
        project.set_levers(levers.clone()).context("--levers")?;
    }
    if let Some(seconds) = request.seconds {
        project.set_seconds_per_rung(seconds).context("--seconds")?;
    }
    if let Some(layouts) = request.layouts {
        project.set_layouts(layouts as usize).context("--layouts")?;
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
