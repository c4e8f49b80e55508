//! `hone optimize`: the main job. [`run`] names its phases in order; each has a file of its own below
//! `optimize/`.

mod bolt;
mod brought;
mod build;
mod climb;
mod conclude;
mod dependency;
mod duets;
mod elsewhere;
mod enough;
mod equal;
mod fingerprint;
mod instrumented;
mod layouts;
mod limit;
mod lock;
mod measure;
mod missing;
mod mix;
mod opening;
mod own_libraries;
mod power;
mod profile;
mod progress;
mod recipe;
mod replay;
mod rung;
mod runs;
mod sampled;
mod say;
mod search;
mod shell;
mod source;
mod staleness;
mod stops;
mod supplemented;
mod time;
mod trees;
mod unoptimised;
mod vectorisation;
pub(crate) mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use hone_build::config::FILL_IN;
use hone_build::lever::{Dependency, Rebuild};
use hone_build::{Inputs, Plan, PlanOptions, Project, Toolchain, Variant, quantity};
use hone_measure::{Comparison, Verdict};
use hone_report::model::{LadderReport, Outcome, Rung};

use crate::output::wants_colour;
use brought::Brought;
use hone_run::advice::Advise;
use hone_run::files::AdviseReading;
use hone_run::libraries;
use hone_run::process::{self, interrupt};
use hone_run::tools::{self, Tool, Tools};
use say::Say;
use source::Source;
use workspace::Workspace;

/// Exit status after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

/// Seconds of the longest --budget that is told from one without end: ten years.
const BUDGET_MAX_S: f64 = 315_360_000.0;

/// Make a program faster with compiler levers that its own profile drives, and prove it
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone optimize examples/meshfilter/hone.toml\n\n\
    Interrupted runs go on where they were when started again."
)]
pub(crate) struct Args {
    /// The project file
    #[arg(default_value = "hone.toml")]
    project: PathBuf,
    /// Print what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave out levers that need a slow instrumented build, as production must
    #[arg(long)]
    sampling_only: bool,
    /// Use this perf.data with branch stacks for AutoFDO instead of recording here
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The binary that --profile was recorded on, if it is not where the recording says
    #[arg(
        long,
        alias = "profile-binary",
        value_name = "FILE",
        requires = "profile"
    )]
    binary: Option<PathBuf>,
    /// Levers to try instead of those in the project file; joined by +, such as memops+pgo, they are one rung
    #[arg(long, value_name = "LEVER", value_delimiter = ',')]
    levers: Option<Vec<String>>,
    /// Time of measuring per rung, roughly, such as 60s or 5m, instead of what the project file says
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    seconds: Option<f64>,
    /// After the ladder, search on until this much time has passed since the start, such as 30m: levers
    /// that were kept are taken away again, others tried in their place, and more of them
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    budget: Option<f64>,
    /// Forget what earlier runs built and recorded, and start afresh
    #[arg(long)]
    fresh: bool,
    /// Print the report as JSON on standard output
    #[arg(long)]
    json: bool,
    /// Seed of the random orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure the winner in this many layouts (link orders) of both binaries, instead of what the project file
    /// says
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=50))]
    layouts: Option<u64>,
    /// Link the variants in another random layout; for studies of how much is layout luck
    #[arg(long, value_name = "SEED", hide = true)]
    layout_seed: Option<u64>,
}

/// What every phase needs.
struct Run {
    project: Project,
    source: Source,
    /// Of the previous release.
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
    say: Say,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (project, directory) = load(&args)?;
    let tools = Tools::find();
    let brought = args.profile.as_deref();
    let brought = brought
        .map(|path| Brought::new(path, args.binary.as_deref()))
        .transpose()?;
    let options = PlanOptions {
        sampling_only: args.sampling_only,
        brings_profile: brought.is_some(),
        brings_probes: brought.as_ref().is_some_and(Brought::has_probes),
        searches: args.budget.is_some(),
        toolchain: project
            .toolchain
            .unwrap_or_else(|| toolchain(&directory.join(&project.source), &tools)),
    };
    let plan = Plan::new(&project, options, &|need| missing::missing(&tools, need));
    if args.dry_run {
        return dry_run(&plan, &project, options);
    }
    must_be_filled_in(&project)?;
    let mut run = prepare(
        &args,
        project,
        &directory,
        tools,
        options.toolchain,
        brought,
    )?;
    let until = args
        .budget
        .map(|budget| Instant::now() + Duration::from_secs_f64(budget.min(BUDGET_MAX_S)));
    match climb_all(&mut run, &plan, options, until) {
        Ok(report) => {
            let page = conclude::write(&mut run, &report)?;
            print(&args, &run, &report, &page)?;
            Ok(status(&report))
        }
        Err(_) if run.stop.load(Ordering::Relaxed) => {
            eprintln!("hone: interrupted; run the same command again to go on from here");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(error) => Err(error),
    }
}

/// The answer is no where rungs failed and none could be measured.
fn status(report: &LadderReport) -> ExitCode {
    let failed = |rung: &Rung| matches!(rung.outcome, Outcome::Failed { .. });
    let is_measured = |rung: &Rung| rung.comparison.is_some();
    let nothing = report.rungs.iter().any(failed) && !report.rungs.iter().any(is_measured);
    if nothing {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
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

fn load(args: &Args) -> Result<(Project, PathBuf)> {
    let path = project_file(args);
    let text = fs::read_to_string(&path)
        .next_read("hone init writes one; or name it: hone optimize DIRECTORY/hone.toml")
        .with_context(|| path.display().to_string())?;
    let mut project = Project::parse(&text)
        .with_context(|| path.display().to_string())
        .next("docs/guide/optimize.md explains every key")?;
    if let Some(levers) = &args.levers {
        project.set_levers(levers.clone()).context("--levers")?;
    }
    if let Some(seconds) = args.seconds {
        project.set_seconds_per_rung(seconds).context("--seconds")?;
    }
    if let Some(layouts) = args.layouts {
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

fn project_file(args: &Args) -> PathBuf {
    if args.project.is_dir() {
        args.project.join("hone.toml")
    } else {
        args.project.clone()
    }
}

fn dry_run(plan: &Plan, project: &Project, options: PlanOptions) -> Result<ExitCode> {
    for (index, line) in plan.describe(project, options).iter().enumerate() {
        println!("{:>2}. {line}", index + 1);
    }
    must_be_filled_in(project)?;
    Ok(ExitCode::SUCCESS)
}

/// An error that names the blanks of a hone.toml as hone init writes it.
fn must_be_filled_in(project: &Project) -> Result<()> {
    let left = project.left_to_fill_in();
    if left.is_empty() {
        return Ok(());
    }
    Err(anyhow!("left to fill in: {}", left.join(", ")))
        .context("hone.toml")
        .next(format!("write what is meant in place of each {FILL_IN}"))
}

fn prepare(
    args: &Args,
    project: Project,
    directory: &Path,
    tools: Tools,
    toolchain: Toolchain,
    brought_profile: Option<Brought>,
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
    let fingerprint = fingerprint::take(args, sources, &tools)?;
    let (workspace, opening) = Workspace::open(directory, &fingerprint, args.fresh)?;
    workspace.bequeath_lock()?;
    process::tree::adopt_orphans()?;
    let say = Say::new();
    if let Some(sentence) = opening.sentence() {
        say.phase(&sentence);
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
        seed: args.seed,
        layout_seed: args.layout_seed,
        layouts,
        stop,
        say,
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
            "program.previous: {} is no directory",
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
            let fact = format!("dependency {}: {} is no directory", of.name, root.display());
            return Err(anyhow!(fact))
                .next("set source in its [[dependency]] table to the library's source tree");
        }
        dependencies.push((of, Source::new(root, &of.exclude)));
    }
    Ok(dependencies)
}

/// What compiles the program, by what stands at the root of its source.
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

/// The directories that stand for placeholders in levers.
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

fn print(args: &Args, run: &Run, report: &LadderReport, page: &Path) -> Result<()> {
    if args.json {
        print!("{}", hone_report::json::render(report));
        return Ok(());
    }
    let terminal = console::Term::stdout();
    let width = if terminal.is_term() {
        usize::from(terminal.size().1)
    } else {
        80
    };
    let text = hone_report::terminal::render(report, width, wants_colour());
    let root = run.workspace.path("").display().to_string();
    print!(
        "{}",
        text.replace(conclude::HOME_VARIABLE, root.trim_end_matches('/'))
    );
    println!("\nReport: {}", page.display());
    println!("        report.md and report.json beside it");
    println!("\nNext: {}", next(args, report));
    Ok(())
}

/// The command that most users want next.
fn next(args: &Args, report: &LadderReport) -> String {
    let project = project_file(args);
    let parent = project.parent().unwrap_or(Path::new(""));
    let directory = match parent.as_os_str().is_empty() {
        true => String::new(),
        false => format!("{} ", shell::quoted(&parent.to_string_lossy())),
    };
    let is_faster = |comparison: &Comparison| comparison.verdict == Verdict::Faster;
    if report.recipe.is_some() && report.confirmation.as_ref().is_some_and(is_faster) {
        return format!(
            "hone export {directory}-o hone    # the winner as files for your own build"
        );
    }
    let project = shell::quoted(&project.to_string_lossy());
    format!("hone optimize {project} --budget 30m    # tries more levers for half an hour")
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

    /// Adds a sentence on a build or its profile to the report's notes; it lasts as long as the build.
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
