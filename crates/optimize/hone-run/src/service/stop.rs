//! Stops a server as its user would, so that the server can write its last data, such as a profile.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use hone_build::config::{Stop, StopSignal};
use rustix::process::Signal;

use super::{Service, ready};
use crate::process::last_lines::last_lines;
use crate::process::{self, CommandLine, Leftovers, RunError, RunSpec, Stdout, interrupt};

/// Time that processes below a server may take to end after the server has ended.
const AFTERLIFE: Duration = Duration::from_secs(1);
/// Time between two looks at the processes.
const LOOK: Duration = Duration::from_millis(10);
/// Signals that no server ends by on purpose: SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const CRASHES: [i32; 5] = [4, 6, 7, 8, 11];

/// Processes that were still there in the end.
enum Left {
    Nothing,
    /// The server itself.
    Server,
    /// Other processes, which the server had started.
    Processes(Vec<String>),
}

/// Result of stopping a server.
pub struct Stopped {
    /// Sentences for the report.
    pub notes: Vec<String>,
    /// Signal that ended the server; 0 if the server ended by itself.
    pub signal: i32,
}

/// Stops a server, ends the processes that it leaves, and ends the backends.
pub(super) fn stop(mut service: Service) -> Result<Stopped> {
    let server = service.setting.server;
    let mut notes = Vec::new();
    let roots: Vec<i32> = service.server.roots().iter().map(of_pid).collect();
    let asked = match &server.stop {
        Stop::Signal(signal) => {
            service.server.signal(match signal {
                StopSignal::Term => Signal::TERM,
                StopSignal::Int => Signal::INT,
                StopSignal::Quit => Signal::QUIT,
                StopSignal::Hup => Signal::HUP,
                StopSignal::Usr1 => Signal::USR1,
                StopSignal::Usr2 => Signal::USR2,
            });
            "its stop signal"
        }
        Stop::Command(command) => {
            notes.extend(run_command(&service, &with_pids(command, &roots))?);
            "its stop command"
        }
    };
    let limit = Duration::from_secs_f64(server.stop_seconds);
    let left = wait(&mut service, &roots, limit)?;
    if !matches!(left, Left::Nothing) {
        service.server.kill();
    }
    match left {
        Left::Nothing => {}
        Left::Server => notes.push(format!(
            "The server did not end within {} s of {asked} and was killed.",
            server.stop_seconds
        )),
        Left::Processes(names) => notes.push(format!(
            "The server ended and left processes running, which were ended: {}.",
            names.join(", ")
        )),
    }
    let end = service.server.end()?;
    let signal = end.exit.map_or(0, |status| (status - 128).max(0));
    if CRASHES.contains(&signal) {
        return Err(anyhow!(
            "the server crashed when it was stopped,{}; the end of its output:\n{}",
            ready::how(end.exit),
            last_lines(&service.place.file("server.log"))
        ));
    }
    Ok(Stopped { notes, signal })
}

/// Replaces `{pid}` in a command by the server's process ids; a variable of the shell, `${pid}`, stays.
fn with_pids(command: &str, roots: &[i32]) -> String {
    const VARIABLE: &str = "${pid}";
    let pids: Vec<_> = roots.iter().map(i32::to_string).collect();
    let parts = command.split(VARIABLE);
    let filled: Vec<_> = parts
        .map(|part| part.replace("{pid}", &pids.join(" ")))
        .collect();
    filled.join(VARIABLE)
}

fn of_pid(one: &process::tree::Descendant) -> i32 {
    one.pid.as_raw_nonzero().get()
}

fn run_command(service: &Service, command: &str) -> Result<Option<String>> {
    let outcome = process::run_measured(&RunSpec {
        command: CommandLine::Shell(service.place.fill(command)),
        cwd: Some(service.setting.tree.clone()),
        stdout: Stdout::Log(service.place.file("stop.log")),
        timeout: Some(Duration::from_secs_f64(service.setting.server.stop_seconds)),
        leftovers: Leftovers::End,
        cover: service.setting.cover.clone(),
        ..RunSpec::default()
    });
    if interrupt::requested() {
        return Err(RunError::Interrupted.into());
    }
    // A command that fails stops nothing, and the note says so.
    Ok(match outcome {
        Ok(measured) if measured.exit == 0 => None,
        Ok(measured) => Some(format!(
            "The server's stop command ended with exit status {}.",
            measured.exit
        )),
        Err(error) => Some(format!("The server's stop command failed: {error:#}.")),
    })
}

fn wait(service: &mut Service, roots: &[i32], limit: Duration) -> Result<Left> {
    let until = Instant::now() + limit;
    let mut until_all = None;
    loop {
        if service.server.wait_for(LOOK)? {
            return Ok(Left::Nothing);
        }
        if interrupt::requested() {
            return Err(RunError::Interrupted.into());
        }
        let living = service.server.processes();
        let is_there = living.iter().any(|one| roots.contains(&of_pid(one)));
        let now = Instant::now();
        if is_there && now >= until {
            return Ok(Left::Server);
        }
        if !is_there && now >= *until_all.get_or_insert(now + AFTERLIFE) {
            let mut names: Vec<_> = living.into_iter().map(|one| one.name).collect();
            names.sort();
            names.dedup();
            return Ok(if names.is_empty() {
                Left::Nothing
            } else {
                Left::Processes(names)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_pids;

    #[test]
    fn pid_is_the_server_and_no_variable_of_the_shell() {
        let filled = with_pids("pid=3; kill -INT {pid} ${pid}", &[17, 4]);
        assert_eq!(filled, "pid=3; kill -INT 17 4 ${pid}");
    }
}
