//! `hone record`: a thin front of hone-record.

mod hints;
mod summary;
mod to_hub;

use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use hone_record::{
    BranchSource, CallGraph, Engine, Options, STACK_BYTES_MAX, Sampler, Snapshot, Summary, Target,
};
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;

use self::hints::with_next_step;
use hone_files::advice::{Advice, Advise};
use hone_files::files::is_program;
use hone_inputs::recording::is_recording;
use hone_run::process::interrupt;

/// Sample a program, a cgroup or the whole machine; of a program also branch records, the CPU's or walked in software
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  hone record -g -- ./server --once\n  hone record -- ./server --once\n  hone record -p 1234 --duration 30\n  \
    hone record -p $(pgrep -d, myserver)\n  \
    hone record -a -g -- sleep 30\n  hone record -g --cgroup system.slice/nginx.service --duration 30\n  \
    hone record --to-hub http://hub:7007 -a\n\n\
    The recording is a standard perf.data file: perf script, perf report and llvm-profgen read it."
)]
pub(crate) struct Args {
    /// Record this process, with its threads and the children it starts; several with commas between
    #[arg(short, long, value_delimiter = ',', conflicts_with = "command")]
    pid: Vec<i32>,
    /// Record every process on every CPU, without branch records; a command only says for how long. CPUs that idle are
    /// not sampled
    #[arg(short, long, conflicts_with = "pid")]
    all_cpus: bool,
    /// Record every process of this cgroup and of those below it, wherever it runs; a path below the mount point of
    /// cgroup v2, or a directory
    #[arg(long, value_name = "PATH", conflicts_with_all = ["pid", "all_cpus"])]
    cgroup: Option<PathBuf>,
    /// Words that stand where none can
    #[arg(hide = true)]
    stray: Vec<OsString>,
    /// Start this command and record it until it ends
    #[arg(last = true)]
    command: Vec<OsString>,
    /// Where the recording goes; what stands there becomes FILE.old
    #[arg(short, long, default_value = "hone.data")]
    output: PathBuf,
    /// Where branch records come from
    #[arg(long, value_enum, default_value_t = Branches::Auto)]
    branches: Branches,
    /// What drives the samples
    #[arg(long, value_enum, default_value_t = Timer::Auto)]
    sampler: Timer,
    /// Record callers, and no branch records unless they are asked for: `dwarf` for any program, with the bytes of
    /// stack to copy behind a comma (up to 65528); `fp` for programs with frame pointers; or `none` [default: dwarf
    /// where the option stands without a value; fp in recordings without branch records]
    #[arg(
        short = 'g',
        long,
        value_name = "fp|dwarf[,BYTES]|none",
        num_args = 0..=1,
        default_missing_value = "dwarf",
        value_parser = call_graph
    )]
    call_graph: Option<CallGraph>,
    /// Keep the copied stacks in the recording, for perf report and others to unwind: a hundred times the bytes
    #[arg(long, requires = "call_graph")]
    keep_stacks: bool,
    /// Samples per second of CPU time and thread, as far as --overhead allows [default: 1009 of a command that is started; of
    /// processes up to 997, and 20 with branch records]; with -a and --cgroup per CPU [default: 19, as profilers that are
    /// always on take]
    #[arg(short = 'F', long, value_name = "HZ")]
    frequency: Option<u32>,
    /// How the walker follows the program
    #[arg(long, value_enum, default_value_t = Walker::Auto)]
    walker: Walker,
    /// What the recording may cost, samples and walks together: a share of the target's CPU time. Rates that cost more are
    /// lowered [default: 1%; of a command that is started 6% with walks, and whatever it costs without]
    #[arg(long, value_name = "SHARE", value_parser = hone_build::quantity::share)]
    overhead: Option<f64>,
    /// How the emulating walker comes by a thread's registers
    #[arg(long, value_enum, default_value_t = Registers::Auto)]
    snapshot: Registers,
    /// Taken branches of one walk at most
    #[arg(long, value_name = "N")]
    walk_length: Option<u32>,
    /// Walks per second of a running thread's time, for --walker step
    #[arg(long, value_name = "N")]
    walks: Option<f64>,
    /// Instructions of one walk at most, for --walker step
    #[arg(long, value_name = "N")]
    walk_steps: Option<u32>,
    /// Entries in one branch stack; longer walks are cut into several
    #[arg(long, value_name = "N")]
    branch_depth: Option<u32>,
    /// Stop after this time, such as 30s or 5m, and leave the program running
    #[arg(long, value_name = "TIME", value_parser = hone_build::quantity::seconds)]
    duration: Option<f64>,
    /// Seed of the random intervals
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    hub: to_hub::HubArgs,
    /// Print the summary as JSON; the standard output of a command that is started goes to standard error then
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Branches {
    /// Hardware where there is one, else walked where that is safe, else none
    Auto,
    /// The CPU's own branch records
    Lbr,
    /// Walked in software
    Walk,
    /// None: plain samples
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum Walker {
    /// By emulation
    Auto,
    /// Interpret the code from a snapshot of the thread: cheap, for production
    Emulate,
    /// Let the CPU go step by step: slow, for comparison, only for commands that Hone starts
    Step,
}

#[derive(Clone, Copy, ValueEnum)]
enum Registers {
    /// The better way of those that the target allows
    Auto,
    /// Stop the thread for a fraction of a millisecond
    Stop,
    /// Only keep it off its CPU meanwhile; vector registers are unknown at first
    Preempt,
}

#[derive(Clone, Copy, ValueEnum)]
enum Timer {
    /// perf events, or ptrace where they are refused
    Auto,
    /// perf events
    Perf,
    /// A timer and ptrace; for commands that Hone starts
    Ptrace,
}

/// Parses a call graph as perf's users write it.
fn call_graph(text: &str) -> Result<CallGraph, String> {
    let dwarf = |stack_bytes| CallGraph::Dwarf {
        stack_bytes,
        keeps_copies: false,
    };
    match text.split_once(',') {
        None if text == "fp" => Ok(CallGraph::FramePointers),
        None if text == "dwarf" => Ok(dwarf(None)),
        None if text == "none" => Ok(CallGraph::Never),
        Some(("dwarf", bytes)) => match bytes.parse::<u32>() {
            // Rounded up to the next whole word, as in perf.
            Ok(bytes) if bytes > 0 && bytes <= STACK_BYTES_MAX => {
                Ok(dwarf(Some(bytes.next_multiple_of(8))))
            }
            _ => Err(format!(
                "1 to {STACK_BYTES_MAX} bytes of stack can be copied"
            )),
        },
        _ => Err("write fp, dwarf, dwarf,BYTES or none; a command goes behind --".to_owned()),
    }
}

/// Default limit of the cost of recording a started command with walks, as a share of its CPU time: half of it pays for
/// the samples of [`COMMAND_HZ`] at 30 us each.
const COMMAND_OVERHEAD: f64 = 0.06;
/// Samples per second of such a command: a program of one second shall give a useful profile.
const COMMAND_HZ: u32 = 1_009;

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    if let Some(hub) = &args.hub.to_hub {
        check_words(&args)?;
        return to_hub::run(&args, hub);
    }
    let options = options(&args)?;
    let document = args.json.then(document).transpose()?;
    let bar = ProgressBar::new_spinner();
    let summary = hone_record::record(&options, interrupt::watch(), &mut |so_far| {
        bar.set_message(format!(
            "{:.0} s, {} samples, {} branch records",
            so_far.wall_s,
            HumanCount(so_far.samples),
            HumanCount(so_far.branch_records)
        ));
        bar.tick();
    });
    bar.finish_and_clear();
    let summary = summary.map_err(with_next_step)?;
    if let Some(mut document) = document {
        let text = serde_json::to_string_pretty(&Document {
            cost_s: summary.cost_s(),
            summary: &summary,
        })?;
        writeln!(document, "{text}").context("standard output")?;
    } else {
        eprint!("{}", summary::describe(&summary, &options));
    }
    if summary.samples + summary.branch_records == 0 {
        return Err(anyhow!("{} holds no samples", options.output.display()))
            .next("record for longer, or while the program is at work");
    }
    Ok(exit_code(&summary, options.branches))
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    /// CPU seconds that the recording cost in all.
    cost_s: f64,
}

/// Returns standard output, kept for the summary: a started command writes to standard error instead.
fn document() -> Result<File> {
    let kept = rustix::io::fcntl_dupfd_cloexec(std::io::stdout(), 3).context("standard output")?;
    rustix::stdio::dup2_stdout(std::io::stderr()).context("standard output")?;
    Ok(kept.into())
}

impl Args {
    /// Returns what is wrong with a command that is not behind `--`, given the words of the command; `None` if there is
    /// no such command.
    pub(crate) fn misplaced(&self, command: &[OsString]) -> Option<anyhow::Error> {
        let word = self.stray.first()?;
        let path = Path::new(word);
        if is_recording(path) && !is_program(path) {
            let fact = anyhow!("{} is a recording, and no command", path.display());
            return Some(Advice::error(
                fact,
                format!("look at it: hone top {}", path.display()),
            ));
        }
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
        let fact = anyhow!("'{}' is not an option", word.to_string_lossy());
        let command = words.join(" ");
        let step = format!("put a command behind --: hone record -- {command}");
        Some(Advice::error(fact, step))
    }
}

/// Refuses words of a command that are not behind `--`.
fn check_words(args: &Args) -> Result<()> {
    args.misplaced(&args.stray).map_or(Ok(()), Err)
}

/// Refuses a command line that does not say what to record.
fn check_target(args: &Args) -> Result<()> {
    check_words(args)?;
    let is_named = !args.pid.is_empty() || args.all_cpus || args.cgroup.is_some();
    if is_named || !args.command.is_empty() {
        return Ok(());
    }
    Err(anyhow!("nothing says what to record")).next(
        "hone record -- ./server starts a command, -p PID takes one that runs, -a all of the machine",
    )
}

fn options(args: &Args) -> Result<Options> {
    check_target(args)?;
    let target = if args.all_cpus || args.cgroup.is_some() {
        Target::System {
            cgroup: args.cgroup.clone(),
            argv: args.command.clone(),
        }
    } else if args.pid.is_empty() {
        Target::Command {
            argv: args.command.clone(),
            env: Vec::new(),
            cwd: None,
            stdout: None,
        }
    } else {
        Target::Processes {
            pids: args.pid.clone(),
        }
    };
    let mut options = Options::new(target, args.output.clone());
    options.branches = match args.branches {
        Branches::Auto => BranchSource::Auto,
        Branches::Lbr => BranchSource::Lbr,
        Branches::Walk => BranchSource::Walk,
        Branches::None => BranchSource::None,
    };
    options.sampler = match args.sampler {
        Timer::Auto => Sampler::Auto,
        Timer::Perf => Sampler::Perf,
        Timer::Ptrace => Sampler::Ptrace,
    };
    options.call_graph = match args.call_graph {
        None => CallGraph::Auto,
        Some(CallGraph::Dwarf { stack_bytes, .. }) => CallGraph::Dwarf {
            stack_bytes,
            keeps_copies: args.keep_stacks,
        },
        Some(other) => other,
    };
    let wants_callers = !matches!(options.call_graph, CallGraph::Auto | CallGraph::Never);
    if wants_callers && options.branches == BranchSource::Auto {
        options.branches = BranchSource::None;
    }
    options.walker = match args.walker {
        Walker::Auto => Engine::Auto,
        Walker::Emulate => Engine::Emulate,
        Walker::Step => Engine::Step,
    };
    options.snapshot = match args.snapshot {
        Registers::Auto => Snapshot::Auto,
        Registers::Stop => Snapshot::Stop,
        Registers::Preempt => Snapshot::Preempt,
    };
    budget(args, &mut options);
    options.walk_branches_max = args.walk_length.unwrap_or(options.walk_branches_max);
    options.walk_instructions_max = args.walk_steps.unwrap_or(options.walk_instructions_max);
    options.walks_per_s = args.walks.unwrap_or(options.walks_per_s);
    options.branch_depth = args.branch_depth.unwrap_or(options.branch_depth);
    options.duration_s = args.duration;
    options.seed = args.seed.unwrap_or(options.seed);
    options.keeps_former = true;
    options.nameless = hone_fetch::debuginfod::cache();
    Ok(options)
}

/// Sets rate and overhead. A command that is started for the recording serves nobody, and may be over soon.
fn budget(args: &Args, options: &mut Options) {
    options.frequency_hz = args.frequency;
    if let Target::Command { .. } = options.target {
        options.overhead = COMMAND_OVERHEAD;
        options.frequency_hz = args.frequency.or(Some(COMMAND_HZ));
    }
    if let Some(overhead) = args.overhead {
        options.overhead = overhead;
        options.limits_samples = true;
    }
}

/// Returns the command's own status, as a shell does, or 0 for a process that was only watched; but 1 if branch records
/// were asked for and there are none.
fn exit_code(summary: &Summary, asked: BranchSource) -> ExitCode {
    ExitCode::from(u8::try_from(status(summary, asked)).unwrap_or(u8::MAX))
}

fn status(summary: &Summary, asked: BranchSource) -> i32 {
    let are_asked_for = matches!(asked, BranchSource::Lbr | BranchSource::Walk);
    match summary.exit_code.unwrap_or(0) {
        0 if are_asked_for && summary.branch_records == 0 => 1,
        code => code,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use hone_files::advice::render;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// Returns the message for a command line that is refused.
    fn refused(words: &[&str]) -> String {
        let words = std::iter::once("record").chain(words.iter().copied());
        let line = Line::try_parse_from(words).unwrap();
        options(&line.args).map_or_else(|error| render(&error), |_| "taken".to_owned())
    }

    #[test]
    fn a_line_that_does_not_say_what_to_record_is_told_how() {
        assert_eq!(
            refused(&[]),
            "hone: nothing says what to record\nnext: hone record -- ./server starts a command, -p PID takes one that \
             runs, -a all of the machine\n"
        );
        assert_eq!(
            refused(&["./server", "once"]),
            "hone: './server' is not an option\nnext: put a command behind --: hone record -- ./server once\n"
        );
        assert_eq!(refused(&["--", "./server", "--once"]), "taken");
        assert_eq!(refused(&["-p", "12,13", "--duration", "5m"]), "taken");
    }

    #[test]
    fn no_branch_records_where_they_were_asked_for_are_no_success() {
        let recorded = |exit_code, branch_records| Summary {
            exit_code,
            branch_records,
            ..Summary::default()
        };
        for asked in [BranchSource::Walk, BranchSource::Lbr] {
            assert_eq!(status(&recorded(None, 0), asked), 1);
            assert_eq!(status(&recorded(Some(0), 0), asked), 1);
            assert_eq!(status(&recorded(Some(7), 0), asked), 7);
            assert_eq!(status(&recorded(None, 2), asked), 0);
        }
        for asked in [BranchSource::Auto, BranchSource::None] {
            assert_eq!(status(&recorded(None, 0), asked), 0);
        }
    }

    fn options_of(words: &str) -> Options {
        let words = std::iter::once("record").chain(words.split(' '));
        options(&Line::parse_from(words).args).unwrap()
    }

    #[test]
    fn a_command_is_sampled_a_thousand_times_a_second_and_a_process_within_one_percent() {
        let command = options_of("-- ./short");
        assert!(command.frequency_hz.unwrap() >= 1_000 && !command.limits_samples);
        assert_eq!(command.overhead, COMMAND_OVERHEAD);
        let limited = options_of("-g --overhead 2% -- ./short");
        assert!(limited.limits_samples && limited.overhead == 0.02);
        for words in ["-p 1", "-p 1 -g -F 4000", "-a", "--cgroup a -g"] {
            let process = options_of(words);
            assert!(
                process.limits_samples && process.overhead == 0.01,
                "{words}"
            );
        }
        assert_eq!(options_of("-p 1").frequency_hz, None);
    }
}
