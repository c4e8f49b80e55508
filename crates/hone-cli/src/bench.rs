//! `hone bench`: two commands, one experiment, one verdict; or two builds that run already (`fleet`).
//!
//! The layout of the experiment is fixed before its first run: the warm-up runs, which are thrown away, show how long a
//! run takes, and so how many blocks fit into about a minute. Nobody can stop at a lucky moment.

mod fleet;
mod plan;
mod runs;
mod show;
mod store;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use hone_build::quantity;
use hone_measure::{Comparison, Experiment, Verdict, analyse, perform, power};

use self::plan::Plan;
use self::runs::{Failure, Runs};
use crate::output::to_stdout;
use hone_inputs::progress::Progress;
use hone_run::advice::Advise;
use hone_run::files::must_be_writable;
use hone_run::process::interrupt;

/// Exit status after Ctrl-C, as in shells.
const INTERRUPTED: u8 = 130;

/// Compare the CPU cost of two commands, of one with itself, or of two builds in production (--fleet)
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone bench './old --requests 100000' './new --requests 100000'\n  \
    hone bench ./server-old ./server-new --workload 'small=--size 1k' --workload 'large=--size 1M'\n  \
    hone bench ./old ./new --work 'requests: ([0-9]+)' -o result.json --expect not-slower\n  \
    hone bench --fleet 3f786850e387 89e6c98d9288 --from http://metrics:8428 --work http.requests\n\n\
    A gain is always CPU old / new. One command alone is compared with itself: whatever difference shows \
    then is noise.")]
pub(crate) struct Args {
    /// The old command line, for sh
    old: String,
    /// The new command line; the old one again where it is left out
    new: Option<String>,
    /// One command too many
    #[arg(hide = true)]
    third: Option<String>,
    /// A workload: its arguments are put behind both command lines. May be repeated
    #[arg(long, value_name = "NAME=ARGS")]
    workload: Vec<String>,
    /// Blocks of four runs (old new new old, or new old old new) per workload; at least 4 [default: as many as
    /// fit into a minute, 8 to 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=100_000))]
    blocks: Option<u32>,
    /// A first look: as many blocks as fit into ten seconds, 4 to 8
    #[arg(long, conflicts_with = "blocks")]
    quick: bool,
    /// Compare CPU per unit of work: the first group of the last match in a run's output is the work it did. With
    /// --fleet: the metric that counts the work, a counter
    #[arg(long, value_name = "REGEX")]
    work: Option<String>,
    /// Write raw numbers, analysis and machine to this file, as JSON
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the same on standard output in place of words
    #[arg(long)]
    json: bool,
    /// Seed of the random order
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Confidence of the interval
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = quantity::share)]
    confidence: f64,
    /// Runs of either command and each workload that are thrown away first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    warmup: u32,
    /// Exit with 1 unless the new command is proven faster, or if it is proven slower
    #[arg(long, value_name = "WHAT")]
    expect: Option<Expect>,
    /// Accept runs below 0.2 CPU seconds
    #[arg(long)]
    allow_short: bool,
    /// Keep all runs on this CPU
    #[arg(long, value_name = "N")]
    cpu: Option<usize>,
    /// Run the old and the new command of a pair at the same time on one CPU, so that what disturbs one disturbs
    /// the other: needs commands that do not get into each other's way
    #[arg(long)]
    duet: bool,
    /// End a run, and the experiment, after this time, such as 60s or 5m
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    timeout: Option<f64>,
    #[command(flatten)]
    fleet: fleet::FleetArgs,
}

/// Condition for exit status 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Expect {
    /// Proven faster.
    Faster,
    /// Not proven slower.
    NotSlower,
}

impl Expect {
    fn holds(self, verdict: Verdict) -> bool {
        match self {
            Self::Faster => verdict == Verdict::Faster,
            Self::NotSlower => verdict != Verdict::Slower,
        }
    }
}

/// Plans, warms up, measures, judges and reports.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    check_words(&args)?;
    if let Some(file) = &args.output {
        must_be_writable(file)?;
    }
    if args.fleet.fleet {
        return fleet::run(args);
    }
    interrupt::watch();
    let plan = Plan::new(args)?;
    match measure(&plan) {
        Ok((experiment, comparison)) => tell(&plan, &experiment, &comparison),
        Err(Failure::Interrupted { done }) => {
            eprintln!("hone: interrupted after {done} runs: nothing is proven");
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(Failure::Other(error)) => Err(error),
    }
}

/// Returns advice on an option that `hone bench` does not know, if the option is behind a command and may belong to that command.
pub(crate) fn if_of_a_command(words: &[OsString], unknown: &str) -> Option<&'static str> {
    let (name, rest) = words.get(1..)?.split_first()?;
    let before = rest.iter().take_while(|word| *word != unknown);
    let mut commands = before.filter(|word| !word.as_encoded_bytes().starts_with(b"-"));
    (name == "bench" && commands.next().is_some()).then_some(
        "put each command with its arguments into quotes: hone bench './old --work' './new --work'",
    )
}

/// Refuses a third command, and a file behind `--json`, which took a file once.
fn check_words(args: &Args) -> anyhow::Result<()> {
    let words = [Some(&args.old), args.new.as_ref(), args.third.as_ref()];
    // A command with arguments may end in a file of its own.
    let is_file = |word: &&&String| word.ends_with(".json") && !word.contains(char::is_whitespace);
    match words.iter().flatten().find(is_file) {
        Some(file) if args.json => Err(anyhow!(
            "--json prints to standard output, and {file} is not a command"
        ))
        .next(format!("write the file with --output {file}")),
        _ => match &args.third {
            Some(third) => Err(anyhow!("{third} is a command too many: two are compared"))
                .next("put each command with its arguments into quotes"),
            None => Ok(()),
        },
    }
}

fn measure(plan: &Plan) -> Result<(Experiment, Comparison), Failure> {
    let mut runs = Runs::new(plan);
    let wall_s_per_block = warm_up(plan, &mut runs)?;
    let schedule = plan.schedule(wall_s_per_block);
    let total = schedule.runs() as u64;
    let mut progress = Progress::new(total, "measuring");
    let outcome = perform(schedule, &plan.old, &plan.new, &mut runs, |so_far| {
        progress.done(so_far.runs.len() as u64);
    });
    progress.finish();
    let experiment = outcome.map_err(|stopped| stopped.error)?;
    let comparison = analyse(&experiment)
        .context("the runs cannot be compared")
        .next("make the workload longer, so that every run uses CPU time")?;
    Ok((experiment, comparison))
}

/// Runs all commands a few times before the experiment, and returns the wall seconds of one block of all workloads.
fn warm_up(plan: &Plan, runs: &mut Runs) -> Result<f64, Failure> {
    let mut progress = Progress::new(runs.warm_up_runs(), "warming up");
    let wall_s_per_block = runs.warm_up(|done| progress.done(done));
    progress.finish();
    let wall_s = wall_s_per_block?;
    if plan.allow_short {
        return Ok(wall_s);
    }
    runs.check_length()?;
    Ok(wall_s)
}

fn tell(plan: &Plan, experiment: &Experiment, comparison: &Comparison) -> anyhow::Result<ExitCode> {
    let power = power(experiment).context("the runs cannot be compared")?;
    if let Some(file) = &plan.output {
        store::write(Some(file), plan, experiment, comparison, &power)
            .with_context(|| file.display().to_string())
            .next("choose another file for --output")?;
    }
    match plan.json {
        true => store::write(None, plan, experiment, comparison, &power)?,
        false => to_stdout(show::text(plan, experiment, comparison, &power).as_bytes())?,
    }
    let holds = plan
        .expect
        .is_none_or(|expect| expect.holds(comparison.verdict));
    Ok(if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_file_that_stood_behind_json_is_told_its_new_option() {
        let said = |words: &[&str]| {
            let line = Line::try_parse_from([&["bench"], words].concat()).unwrap();
            check_words(&line.args)
                .map_or_else(|error| hone_run::advice::render(&error), |()| String::new())
        };
        let expected = "hone: --json prints to standard output, and x.json is not a command\nnext: write the file with \
                        --output x.json\n";
        assert_eq!(said(&["a", "b", "--json", "x.json"]), expected);
        assert_eq!(said(&["--json", "x.json", "a", "b"]), expected);
        assert_eq!(said(&["a", "--json", "x.json"]), expected);
        assert_eq!(said(&["a", "b", "--json"]), "");
        assert!(said(&["a", "b", "c"]).contains("c is a command too many"));
    }

    #[test]
    fn a_gate_for_faster_wants_proof_and_one_for_not_slower_wants_no_disproof() {
        let answers = |expect: Expect| {
            [
                Verdict::Faster,
                Verdict::NoProvableDifference,
                Verdict::Slower,
            ]
            .map(|verdict| expect.holds(verdict))
        };
        assert_eq!(answers(Expect::Faster), [true, false, false]);
        assert_eq!(answers(Expect::NotSlower), [true, true, false]);
    }
}
