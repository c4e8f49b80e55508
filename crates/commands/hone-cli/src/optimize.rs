//! `hone optimize`, the main job. hone-optimize does the work; this module has the command line, the progress messages
//! and the final report.

mod bars;
mod messages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use hone_build::quantity;
use hone_measure::{Comparison, Verdict};
use hone_optimize::{Finished, HOME_VARIABLE, Job, Request};
use hone_report::model::{LadderReport, Outcome, Rung};
use hone_run::process::interrupt;
use hone_run::process::quote::quoted;

use crate::output::wants_colour;
use messages::Told;

/// Exit status after Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

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
    /// Use this perf.data with branch stacks for AutoFDO, or hub:SERVICE for what a hub has, instead of recording here
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

impl Args {
    fn request(&self) -> Request {
        Request {
            project: self.project.clone(),
            sampling_only: self.sampling_only,
            profile: self.profile.clone(),
            binary: self.binary.clone(),
            levers: self.levers.clone(),
            seconds: self.seconds,
            budget: self.budget,
            fresh: self.fresh,
            seed: self.seed,
            layouts: self.layouts,
            layout_seed: self.layout_seed,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let job = Job::load(args.request())?;
    if args.dry_run {
        return dry_run(&job);
    }
    match job.run(Box::new(Told::new())) {
        Ok(finished) => {
            print(&args, &finished);
            Ok(status(&finished.report))
        }
        Err(_) if interrupt::requested() => {
            eprintln!("hone: interrupted; run the same command again to go on from here");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(error) => Err(error),
    }
}

fn dry_run(job: &Job) -> Result<ExitCode> {
    for (index, line) in job.describe().iter().enumerate() {
        println!("{:>2}. {line}", index + 1);
    }
    job.must_be_filled_in()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns 1 if rungs failed and none could be measured.
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

fn print(args: &Args, finished: &Finished) {
    let report = &finished.report;
    if args.json {
        print!("{}", hone_report::json::render(report));
        return;
    }
    let terminal = console::Term::stdout();
    let width = if terminal.is_term() {
        usize::from(terminal.size().1)
    } else {
        80
    };
    let text = hone_report::terminal::render(report, width, wants_colour());
    let home = finished.home.display().to_string();
    print!(
        "{}",
        text.replace(HOME_VARIABLE, home.trim_end_matches('/'))
    );
    println!("\nReport: {}", finished.page.display());
    println!("        report.md and report.json beside it");
    println!("\nNext: {}", next(args, report));
}

/// Returns the command that most users want next.
fn next(args: &Args, report: &LadderReport) -> String {
    let project = args.request().project_file();
    let parent = project.parent().unwrap_or(Path::new(""));
    let directory = match parent.as_os_str().is_empty() {
        true => String::new(),
        false => format!("{} ", quoted(&parent.to_string_lossy())),
    };
    let is_faster = |comparison: &Comparison| comparison.verdict == Verdict::Faster;
    if report.recipe.is_some() && report.confirmation.as_ref().is_some_and(is_faster) {
        return format!(
            "hone export {directory}-o hone    # the winner as files for your own build"
        );
    }
    let project = quoted(&project.to_string_lossy());
    format!("hone optimize {project} --budget 30m    # tries more levers for half an hour")
}
