//! Messages for a recording that cannot be made: the option as it is typed, and the next step.

use anyhow::anyhow;
use hone_record::RecordError;

use hone_files::advice::Advice;
use hone_files::files::how_to_write;

/// Adds to a recorder's error what the user can do about it.
pub(super) fn with_next_step(error: RecordError) -> anyhow::Error {
    let step = next_step(&error);
    match error {
        RecordError::Option { name, why } => Advice::error(anyhow!("{}: {why}", typed(name)), step),
        RecordError::NoSuchProcess { pid } if is_hidden(pid) => Advice::error(
            anyhow!("process {pid} belongs to another user, and /proc hides it (hidepid)"),
            "record it as that user, or as root",
        ),
        error => Advice::error(error, step),
    }
}

/// Returns a setting as it is typed.
fn typed(name: &str) -> String {
    match name {
        "frequency_hz" => "-F".to_owned(),
        "walks_per_s" => "--walks".to_owned(),
        "walk_branches_max" => "--walk-length".to_owned(),
        "walk_instructions_max" => "--walk-steps".to_owned(),
        "duration_s" => "--duration".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    }
}

/// True if a process exists that /proc does not show to this user.
fn is_hidden(pid: i32) -> bool {
    let pid = rustix::process::Pid::from_raw(pid);
    let answer = pid.map(rustix::process::test_kill_process);
    answer == Some(Err(rustix::io::Errno::PERM))
}

fn next_step(error: &RecordError) -> String {
    use RecordError as E;
    let step = match error {
        E::Output { source, .. } | E::CommandOutput { source, .. } => {
            return format!("{}, with -o FILE", how_to_write(source));
        }
        E::OthersProcess { pid, .. } => {
            return format!("record it as that user, or as root: sudo hone record -p {pid}");
        }
        E::Option { .. } => "leave it out for the usual, or see hone record --help",
        E::EmptyCommand | E::ZeroByte { .. } => {
            "put the command behind --: hone record -- ./server"
        }
        E::ProgramNotFound { .. }
        | E::ProgramIsDirectory { .. }
        | E::ProgramNotExecutable { .. }
        | E::ProgramNotRunnable { .. } => "name a program that your shell would run",
        E::WorkingDirectory { .. } => "name a directory that is there",
        E::NoSuchProcess { .. } => "see `pgrep -a NAME` for the process id",
        E::PerfRefused { .. } | E::ProcessNeedsPerf { .. } => {
            "as root: sysctl kernel.perf_event_paranoid=1; or let Hone start the program: hone record -- CMD"
        }
        E::SystemRefused { .. } => {
            "as root: sysctl kernel.perf_event_paranoid=0; or record processes of your own: hone record -p PID"
        }
        E::NoSuchCgroup { .. } => "see `systemd-cgls`, or /proc/PID/cgroup of a process in it",
        E::NoCgroups { .. } => "record the processes by their ids instead: hone record -p PID,PID",
        E::StepNeedsCommand { .. } => {
            "use --walker emulate, or let Hone start the program (hone record --branches walk -- CMD), or record with --branches none"
        }
        E::MayNotWalk { .. } => {
            "record as that user or root, or with --branches none; docs/see/record.md has the permissions"
        }
        E::TraceRefused { .. } => {
            "allow ptrace (seccomp, container settings), or use --branches none"
        }
        E::NoBranchHardware { .. } => "use --branches walk",
        E::TooManyFiles { .. } => "raise the limit: ulimit -n 65536",
        _ => "hone doctor tells what this machine lets Hone record",
    };
    step.to_owned()
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use hone_files::advice::render;

    #[test]
    fn errors_of_recording_name_the_option_and_the_mend() {
        let said = |error: RecordError| render(&with_next_step(error));
        let why = "1 to 50,000 samples per second are possible".to_owned();
        assert_eq!(
            said(RecordError::Option {
                name: "frequency_hz",
                why
            }),
            "hone: -F: 1 to 50,000 samples per second are possible\nnext: leave it out for the usual, or see hone record \
             --help\n"
        );
        assert_eq!(
            said(RecordError::OthersProcess {
                pid: 12,
                owner: "another user (uid 0)".into(),
                source: io::Error::from_raw_os_error(13),
            }),
            "hone: process 12 belongs to another user (uid 0): Permission denied (os error 13)\nnext: record it as that \
             user, or as root: sudo hone record -p 12\n"
        );
        assert_eq!(
            said(RecordError::Output {
                path: "/usr/x".into(),
                source: io::Error::from_raw_os_error(13)
            }),
            "hone: recording /usr/x cannot be written: Permission denied (os error 13)\nnext: name a place where you may \
             write, with -o FILE\n"
        );
        assert_eq!(
            said(RecordError::Output {
                path: "no/x".into(),
                source: io::Error::from_raw_os_error(2)
            }),
            "hone: recording no/x cannot be written: No such file or directory (os error 2)\nnext: make its directory \
             first, or name another place, with -o FILE\n"
        );
    }
}
