//! `hone bench`: two commands, one experiment, one verdict; or two builds that run already (`fleet`).

mod fleet;
mod show;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use hone_bench::{Failure, Plan, Request};
use hone_build::quantity;
use hone_fetch::progress::Progress;
use hone_files::advice::Advise;
use hone_files::files::{must_be_writable, write_whole};
use hone_measure::Verdict;
use hone_run::process::interrupt;

use crate::output::to_stdout;

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

/// Compares, and reports.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    check_words(&args)?;
    if let Some(file) = &args.output {
        must_be_writable(file)?;
    }
    match args.fleet.fleet {
        true => fleet::run(&args),
        false => commands(&args),
    }
}

/// Plans, warms up, measures, judges and reports.
fn commands(args: &Args) -> anyhow::Result<ExitCode> {
    interrupt::watch();
    let plan = Plan::new(args.request())?;
    let measurement = match hone_bench::measure(&plan, &mut Bar(None)) {
        Ok(measurement) => measurement,
        Err(Failure::Interrupted { done }) => {
            eprintln!("hone: interrupted after {done} runs: nothing is proven");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Err(Failure::Other(error)) => return Err(error),
    };
    let verdict = measurement.comparison.verdict;
    args.tell(
        || hone_bench::stored(&plan, &measurement),
        || show::text(&plan, &measurement),
        args.expect.is_none_or(|expect| expect.holds(verdict)),
    )
}

impl Args {
    fn request(&self) -> Request {
        Request {
            old: self.old.clone(),
            new: self.new.clone(),
            workloads: self.workload.clone(),
            blocks: self.blocks,
            quick: self.quick,
            work: self.work.clone(),
            seed: self.seed,
            confidence: self.confidence,
            warmup: self.warmup,
            allow_short: self.allow_short,
            cpu: self.cpu,
            duet: self.duet,
            timeout_s: self.timeout,
        }
    }

    /// Writes a result to the file that is asked for, and prints the result as JSON or in words.
    fn tell(
        &self,
        json: impl Fn() -> anyhow::Result<Vec<u8>>,
        in_words: impl FnOnce() -> String,
        is_as_expected: bool,
    ) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.output {
            write_whole(file, &json()?)?;
        }
        match self.json {
            true => to_stdout(&json()?)?,
            false => to_stdout(in_words().as_bytes())?,
        }
        Ok(match is_as_expected {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }
}

/// The bar of the runs on the terminal, while there are any.
struct Bar(Option<Progress>);

impl hone_bench::Progress for Bar {
    fn begin(&mut self, runs: u64, purpose: &'static str) {
        self.0 = Some(Progress::new(runs, purpose));
    }

    fn done(&mut self, runs: u64) {
        if let Some(bar) = &mut self.0 {
            bar.done(runs);
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish();
        }
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
            check_words(&line.args).map_or_else(
                |error| hone_files::advice::render(&error),
                |()| String::new(),
            )
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
    #[test]
    fn values_that_mean_nothing_are_refused_with_their_reason() {
        for (words, reason) in [
            (&["./a", "--confidence", "95"][..], "write a share such as"),
            (&["./a", "--confidence", "NaN"], "write a share such as"),
            (&["./a", "--timeout", "0"], "a duration is more than 0"),
            (&["./a", "--timeout", "-1"], "unexpected argument"),
            (&["./a", "--blocks", "3"], "4..=100000"),
            (&["./a", "--blocks", "8", "--quick"], "cannot be used with"),
            (&["--fleet", "a", "b"], "--from <URL|hub:SERVICE>"),
            (&["a", "b", "--since", "1h"], "--fleet"),
            (&["--fleet", "a", "--from", "http://x"], "<NEW>"),
            (
                &["--fleet", "a", "b", "--from", "http://x", "--blocks", "4"],
                "--blocks <N>",
            ),
        ] {
            let parsed = Line::try_parse_from([&["bench"], words].concat());
            let error = parsed.err().unwrap().to_string();
            assert!(error.contains(reason), "{words:?}: {error}");
        }
    }
}
