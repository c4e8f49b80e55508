//! Runs a command in a fresh process and measures its whole process tree.
//!
//! The work is done by a helper, `hone exec-measured`, one per run: it makes itself the subreaper of
//! everything that the command starts, so that nothing leaves the tree by forking twice, and since it
//! starts one command only, the peak memory of its children is that of this command. The helper's own CPU
//! is not counted. The CPU of a process whose parent ignores SIGCHLD is not seen: the kernel drops it. Peak
//! memory below that of the helper (about 5 MB) shows as the helper's, since a process keeps the
//! peak from before `exec`.
//!
//! Every run with a seed gets a variable `HONE_PAD` of 0 to 4095 bytes: the size of the environment moves
//! the stack and may move a verdict (Mytkowicz, Diwan, Hauswirth & Sweeney, "Producing Wrong Data Without
//! Doing Anything Obviously Wrong!", ASPLOS 2009).

pub mod background;
pub mod captured;
pub mod cgroup;
pub mod cover;
pub mod duet;
pub mod exec;
mod helper;
pub mod interrupt;
pub mod last_lines;
mod order;
pub mod quote;
pub mod tool;
pub mod tree;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::Context;
use hone_measure::Observation;
use regex::Regex;
use sha2::{Digest, Sha256};

use self::captured::{Captured, captured, each_line};
pub use self::cover::Cover;
use self::helper::Helper;
use self::last_lines::last_lines;
pub use self::order::Leftovers;
use self::order::{Ending, Order};

/// Number of bytes at the end of standard error that are kept for messages.
const STDERR_TAIL_BYTES: u64 = 2_000;

/// Number of sizes of the padding variable.
const PAD_SIZES: u64 = 4096;

/// Command to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandLine {
    /// Program and arguments, without a shell.
    Argv(Vec<String>),
    /// A line for `sh -c`.
    Shell(String),
}

/// Destination of standard output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Stdout {
    /// A temporary file, to be hashed and read for the work done and for what is compared.
    #[default]
    Keep,
    /// /dev/null.
    Discard,
    /// This file, together with standard error.
    Log(PathBuf),
}

/// One run to be measured.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The command.
    pub command: CommandLine,
    /// Working directory of the command; the caller's if `None`.
    pub cwd: Option<PathBuf>,
    /// Variables to set (`Some`) or to remove (`None`), for the command alone.
    pub env: Vec<(String, Option<String>)>,
    /// Destination of standard output; `work` and `compare` keep the output anyway.
    pub stdout: Stdout,
    /// Expression that finds the work done in standard output: first group of the last match.
    pub work: Option<Regex>,
    /// Expression that captures, in standard output, what is compared with other runs.
    pub compare: Option<Regex>,
    /// Seed of the environment's size; no padding if `None`.
    pub seed: Option<u64>,
    /// Time after which the tree is ended.
    pub timeout: Option<Duration>,
    /// CPUs that the tree is kept on; all if empty.
    pub cpus: Vec<usize>,
    /// Treatment of processes that outlive the command.
    pub leftovers: Leftovers,
    /// Directory that the command sees at the path of another directory.
    pub cover: Option<Cover>,
}

impl Default for RunSpec {
    /// Creates a run of nothing, with default settings.
    fn default() -> Self {
        Self {
            command: CommandLine::Argv(Vec::new()),
            cwd: None,
            env: Vec::new(),
            stdout: Stdout::default(),
            work: None,
            compare: None,
            seed: None,
            timeout: None,
            cpus: Vec::new(),
            leftovers: Leftovers::default(),
            cover: None,
        }
    }
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Cost of the run.
    pub observation: Observation,
    /// Exit status; 128 + signal if a signal ended the command.
    pub exit: i32,
    /// SHA-256 of standard output in hexadecimal; the hash of nothing if the output was discarded.
    pub stdout_sha256: String,
    /// Text that the expression `compare` captured.
    pub captured: Option<Captured>,
    /// The end of standard error.
    pub stderr_tail: String,
}

/// The reason why there is no measurement.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program was not found.
    #[error("{program}: not found")]
    NotFound {
        /// Name of the program.
        program: String,
    },
    /// The program could not be started.
    #[error("{program}: cannot be started: {fact}")]
    NotStarted {
        /// Name of the program.
        program: String,
        /// The system's error.
        fact: String,
    },
    /// The command took too long and was ended.
    #[error(
        "still running after {seconds} s, and so it was ended; the end of its output:\n{words}"
    )]
    TimedOut {
        /// The limit in seconds.
        seconds: f64,
        /// The end of the command's output.
        words: String,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A process that the command needs ended, and so the command was ended.
    #[error("ended with what it needs")]
    Forsaken,
    /// The command ended and left processes running, which were then ended.
    #[error("it ended and left processes running: {}", names.join(", "))]
    LeftBehind {
        /// Names of the processes.
        names: Vec<String>,
    },
    /// The work expression found nothing, or no number.
    #[error("'{expression}' finds no number in standard output{}", shown(found))]
    NoWork {
        /// The expression.
        expression: String,
        /// Text that the first group matched, if any.
        found: Option<String>,
    },
    /// The helper gave no result.
    #[error("the measuring helper ended with {status}: {stderr}")]
    Helper {
        /// Exit status of the helper.
        status: ExitStatus,
        /// Standard error of the helper.
        stderr: String,
    },
}

fn shown(found: &Option<String>) -> String {
    found
        .as_ref()
        .map_or_else(String::new, |text| format!(" (it matches '{text}')"))
}

/// Runs a command once. A command that ends with an error is a result like any other; see `exit`.
pub fn run_measured(spec: &RunSpec) -> anyhow::Result<Measured> {
    run_beside(spec, &[])
}

/// Runs a command that is of no use without others, such as the load of a server: the command is ended when one
/// of `others` becomes readable.
pub fn run_beside(spec: &RunSpec, others: &[BorrowedFd<'_>]) -> anyhow::Result<Measured> {
    let scratch = tempfile::Builder::new()
        .prefix("hone-run-")
        .tempdir()
        .context("temporary directory")?;
    let order = lay_out(spec, scratch.path());
    let mut helper = Helper::start(&order, scratch.path())?;
    let forsaken = helper.wait(others)?;
    let outcome = helper.outcome()?;
    let exit = match outcome.ending {
        Ending::Ended { exit } => exit,
        Ending::NotStarted {
            not_found: true, ..
        } => {
            let program = order.argv[0].clone();
            return Err(RunError::NotFound { program }.into());
        }
        Ending::NotStarted { fact, .. } => {
            let program = order.argv[0].clone();
            return Err(RunError::NotStarted { program, fact }.into());
        }
        Ending::TimedOut => {
            let seconds = spec.timeout.unwrap_or_default().as_secs_f64();
            let words = last_words(&order);
            return Err(RunError::TimedOut { seconds, words }.into());
        }
        Ending::Interrupted if forsaken && !interrupt::requested() => {
            return Err(RunError::Forsaken.into());
        }
        Ending::Interrupted => return Err(RunError::Interrupted.into()),
        Ending::LeftBehind { names } => return Err(RunError::LeftBehind { names }.into()),
    };
    let mut observation = outcome.observation;
    if let (Some(expression), 0) = (&spec.work, exit) {
        observation.work = Some(work_done(expression, &order.stdout)?);
    }
    let compared = spec.compare.as_ref();
    Ok(Measured {
        observation,
        exit,
        stdout_sha256: hash(&order.stdout)?,
        captured: compared
            .map(|expression| captured(expression, &order.stdout))
            .transpose()?,
        stderr_tail: tail(&order.stderr)?,
    })
}

/// True if one of the files is readable now.
pub fn any_readable(files: &[BorrowedFd<'_>]) -> anyhow::Result<bool> {
    Ok(helper::readable(files, Duration::ZERO)?.contains(&true))
}

fn lay_out(spec: &RunSpec, scratch: &Path) -> Order {
    let argv = match &spec.command {
        CommandLine::Argv(argv) => argv.clone(),
        CommandLine::Shell(line) => vec!["sh".into(), "-c".into(), line.clone()],
    };
    let mut env = spec.env.clone();
    if let Some(seed) = spec.seed {
        let pad = "x".repeat((seed % PAD_SIZES) as usize);
        env.push(("HONE_PAD".into(), Some(pad)));
    }
    let (stdout, stderr) = match &spec.stdout {
        Stdout::Log(path) => (path.clone(), path.clone()),
        Stdout::Discard if spec.work.is_none() && spec.compare.is_none() => {
            ("/dev/null".into(), scratch.join("stderr"))
        }
        _ => (scratch.join("stdout"), scratch.join("stderr")),
    };
    Order {
        argv,
        env,
        cwd: spec.cwd.clone(),
        stdout,
        stderr,
        timeout_s: spec.timeout.map(|limit| limit.as_secs_f64()),
        cpus: spec.cpus.clone(),
        leftovers: spec.leftovers,
        cover: spec.cover.clone(),
        parent: rustix::process::getpid().as_raw_nonzero().get(),
        started: None,
    }
}

fn hash(path: &Path) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path).context("standard output of a run")?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).context("standard output of a run")? {
            0 => return Ok(hex::encode(hasher.finalize())),
            count => hasher.update(&buffer[..count]),
        }
    }
}

fn tail(path: &Path) -> anyhow::Result<String> {
    let mut file = File::open(path).context("standard error of a run")?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(STDERR_TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(STDERR_TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the end of a run's output: of standard error, or else of standard output.
fn last_words(order: &Order) -> String {
    let is_silent = std::fs::metadata(&order.stderr).is_ok_and(|file| file.len() == 0);
    last_lines(if is_silent {
        &order.stdout
    } else {
        &order.stderr
    })
}

fn work_done(expression: &Regex, stdout: &Path) -> anyhow::Result<f64> {
    let mut found = None;
    each_line(stdout, |line| {
        if let Some(captures) = expression.captures_iter(line).last() {
            let group = captures.get(1).or_else(|| captures.get(0));
            found = group.map(|text| text.as_str().to_owned());
        }
    })?;
    let number = found
        .as_deref()
        .and_then(|text| text.trim().parse::<f64>().ok());
    number
        .filter(|work| work.is_finite() && *work > 0.0)
        .ok_or_else(|| {
            let expression = expression.as_str().to_owned();
            RunError::NoWork { expression, found }.into()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(expression: &str, text: &str) -> Result<f64, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        std::fs::write(&path, text).unwrap();
        work_done(&Regex::new(expression).unwrap(), &path).map_err(|error| error.to_string())
    }

    #[test]
    fn the_last_match_states_the_work() {
        assert_eq!(
            work(r"done (\d+)", "done 10\nnoise\ndone 25\nend"),
            Ok(25.0)
        );
        assert_eq!(work(r"(\d+\.\d+) rps", "1.5 rps 2.5 rps"), Ok(2.5));
    }

    #[test]
    fn no_match_no_number_and_no_work_are_told_apart() {
        assert_eq!(
            work(r"done (\d+)", "nothing").unwrap_err(),
            r"'done (\d+)' finds no number in standard output"
        );
        assert_eq!(
            work(r"done (\w+)", "done well").unwrap_err(),
            r"'done (\w+)' finds no number in standard output (it matches 'well')"
        );
        assert!(work(r"done (\d+)", "done 0").is_err());
    }

    #[test]
    fn padding_follows_the_seed_and_stays_below_a_page() {
        let scratch = Path::new("scratch");
        let pad = |seed| {
            let env = lay_out(
                &RunSpec {
                    seed,
                    ..RunSpec::default()
                },
                scratch,
            )
            .env;
            env.last()
                .and_then(|(_, value)| value.as_ref().map(String::len))
        };
        assert_eq!(pad(None), None);
        assert_eq!(pad(Some(0)), Some(0));
        assert_eq!(pad(Some(4095)), Some(4095));
        assert_eq!(pad(Some(4096 + 17)), Some(17));
    }

    #[test]
    fn the_tail_is_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("err");
        std::fs::write(&path, format!("{}the end", "x".repeat(5_000))).unwrap();
        let text = tail(&path).unwrap();
        assert_eq!(text.len() as u64, STDERR_TAIL_BYTES);
        assert!(text.ends_with("the end"));
    }
}
