//! Errors of a recording.

use std::io;
use std::path::PathBuf;

/// Reason why a recording could not be made.
///
/// A started command is never killed on an error: if its program had begun, the command is released
/// and runs on.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A setting is out of its range.
    #[error("option {name}: {why}")]
    Option {
        /// The field of [`crate::Options`].
        name: &'static str,
        /// Possible values.
        why: String,
    },
    /// The command has no words.
    #[error("the command to record is empty")]
    EmptyCommand,
    /// An argument, variable or path holds a zero byte.
    #[error("{what} holds a zero byte, which no program can be given")]
    ZeroByte {
        /// The argument, variable or path.
        what: String,
    },
    /// The program does not exist.
    #[error("program not found: {program}{}", searched(path))]
    ProgramNotFound {
        /// The program as given.
        program: String,
        /// The PATH that was searched; `None` if the program was given with a slash.
        path: Option<String>,
    },
    /// The program is a directory.
    #[error("{} is a directory, not a program", path.display())]
    ProgramIsDirectory {
        /// Path of the directory.
        path: PathBuf,
    },
    /// The program may not be executed.
    #[error("{} is not executable: permission denied", path.display())]
    ProgramNotExecutable {
        /// Path of the program.
        path: PathBuf,
    },
    /// The system cannot run a file of this kind.
    #[error("{} cannot be run: {source}", path.display())]
    ProgramNotRunnable {
        /// Path of the program.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The working directory of the command cannot be entered.
    #[error("working directory {} cannot be entered: {source}", path.display())]
    WorkingDirectory {
        /// The directory.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file for the command's standard output cannot be created.
    #[error("{} cannot take the command's output: {source}", path.display())]
    CommandOutput {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The recording cannot be written; no recording was put under its final name.
    #[error("recording {} cannot be written: {source}", path.display())]
    Output {
        /// The recording's final path.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The process to record does not exist.
    #[error("there is no process {pid}")]
    NoSuchProcess {
        /// The given process id.
        pid: i32,
    },
    /// The process to record belongs to another user, and the kernel refuses perf events of the process.
    #[error("process {pid} belongs to {owner}: {source}")]
    OthersProcess {
        /// The process.
        pid: i32,
        /// User of the process.
        owner: String,
        /// The system's answer.
        source: io::Error,
    },
    /// The kernel refuses perf events.
    #[error(
        "the kernel refuses perf events: {source} (kernel.perf_event_paranoid is {})",
        paranoid.map_or("unknown".to_owned(), |level| level.to_string())
    )]
    PerfRefused {
        /// The system's answer.
        source: io::Error,
        /// `/proc/sys/kernel/perf_event_paranoid`.
        paranoid: Option<i32>,
    },
    /// The kernel refuses to record the whole system or a cgroup.
    #[error(
        "the kernel refuses to record every process of this machine or of a cgroup: {source} \
         (kernel.perf_event_paranoid is {}; root, CAP_PERFMON or a level of 0 may do it)",
        paranoid.map_or("unknown".to_owned(), |level| level.to_string())
    )]
    SystemRefused {
        /// The system's answer.
        source: io::Error,
        /// `/proc/sys/kernel/perf_event_paranoid`.
        paranoid: Option<i32>,
    },
    /// The cgroup to record does not exist.
    #[error("there is no cgroup {}; those of the second version are below {}", path.display(), mount.display())]
    NoSuchCgroup {
        /// Path at which the cgroup was looked for.
        path: PathBuf,
        /// Mount point of cgroups of the second version.
        mount: PathBuf,
    },
    /// This machine has no cgroup that perf events can record.
    #[error("no cgroup can be recorded here: {why}")]
    NoCgroups {
        /// The obstacle.
        why: &'static str,
    },
    /// A running process can be recorded through perf events only.
    #[error(
        "process {pid} can be recorded through perf events only, since stopping a process that runs \
         already by ptrace may harm it"
    )]
    ProcessNeedsPerf {
        /// The process.
        pid: i32,
    },
    /// A running process cannot be stepped.
    #[error(
        "process {pid} cannot be walked by single steps: were the walker killed in mid-step, the process \
         would die with it; only commands that the recorder starts itself are stepped"
    )]
    StepNeedsCommand {
        /// The process.
        pid: i32,
    },
    /// The recorder may not look into a process.
    #[error("process {pid} cannot be walked: {why}")]
    MayNotWalk {
        /// The process.
        pid: i32,
        /// The obstacle.
        why: String,
    },
    /// The command cannot be traced.
    #[error("the kernel refuses ptrace of the recorder's own child: {source}")]
    TraceRefused {
        /// The system's answer.
        source: io::Error,
    },
    /// The machine has no hardware branch records.
    #[error("this machine offers no hardware branch records: {source}")]
    NoBranchHardware {
        /// The system's answer.
        source: io::Error,
    },
    /// The limit of open files is too low for one counter for each thread on each CPU.
    #[error("{threads} threads on {cpus} CPUs need {} open files, the limit is {limit}", threads * cpus)]
    TooManyFiles {
        /// Threads of the process.
        threads: usize,
        /// CPUs online.
        cpus: usize,
        /// The hard limit of open files.
        limit: u64,
    },
    /// A system call failed that normally always works.
    #[error("{call}: {source}")]
    System {
        /// The system call that failed.
        call: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

fn searched(path: &Option<String>) -> String {
    match path {
        Some(path) => format!(" in PATH ({path})"),
        None => String::new(),
    }
}

/// Returns a function that adds the failed system call to the system's answer.
pub(crate) fn system(call: &'static str) -> impl Fn(io::Error) -> RecordError {
    move |source| RecordError::System { call, source }
}
