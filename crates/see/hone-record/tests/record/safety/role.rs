//! Recorders that are processes of their own, to be killed or to run as another user: this test binary, started
//! again in the role of a recorder.

use super::recording::walking;
use super::target::Running;
use hone_record::{Snapshot, record};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

const PID: &str = "HONE_SAFETY_PID";

/// What a recorder is to do.
pub(crate) struct Role {
    /// The test binary, or a copy that another user can reach.
    pub(crate) program: PathBuf,
    pub(crate) pid: i32,
    pub(crate) output: PathBuf,
    pub(crate) snapshot: Snapshot,
    pub(crate) overhead: f64,
    /// Seconds.
    pub(crate) duration_s: f64,
}

impl Role {
    pub(crate) fn of(pid: i32, output: &Path, snapshot: Snapshot) -> Self {
        Self {
            program: env::current_exe().expect("this program"),
            pid,
            output: output.to_owned(),
            snapshot,
            overhead: 0.2,
            duration_s: 60.0,
        }
    }

    /// The command that plays it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args([
                "--exact",
                "safety::role::recorder",
                "--nocapture",
                "--quiet",
            ])
            .env(PID, self.pid.to_string())
            .env("HONE_SAFETY_OUTPUT", &self.output)
            .env("HONE_SAFETY_SNAPSHOT", format!("{:?}", self.snapshot))
            .env("HONE_SAFETY_OVERHEAD", self.overhead.to_string())
            .env("HONE_SAFETY_DURATION", self.duration_s.to_string());
        command
    }
}

fn given(name: &str) -> String {
    env::var(name).expect("a variable of the role")
}

/// No test, but a role that is played in a process of its own: prints the number of walks as they are made, and at the end the summary or the
/// error.
#[test]
fn recorder() {
    let Ok(pid) = env::var(PID) else {
        return;
    };
    let snapshot = match given("HONE_SAFETY_SNAPSHOT").as_str() {
        "Stop" => Snapshot::Stop,
        "Preempt" => Snapshot::Preempt,
        _ => Snapshot::Auto,
    };
    let output = PathBuf::from(given("HONE_SAFETY_OUTPUT"));
    let mut options = walking(pid.parse().expect("a process id"), &output, snapshot);
    options.overhead = given("HONE_SAFETY_OVERHEAD").parse().expect("a share");
    options.duration_s = Some(given("HONE_SAFETY_DURATION").parse().expect("seconds"));
    let never = AtomicBool::new(false);
    let result = record(&options, &never, &mut |summary| {
        println!("walks {}", summary.walks)
    });
    match result {
        Ok(summary) => println!("recorded {} {summary:?}", summary.walks),
        Err(error) => println!("error {error}"),
    }
}

/// The last line that starts so in what a recorder printed, without that start.
pub(crate) fn last<'a>(output: &'a str, start: &str) -> Option<&'a str> {
    output
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(start))
        .map(str::trim)
}

/// Plays a role to its end; what it printed.
pub(crate) fn play(command: &mut Command) -> String {
    let running = Running::command(command);
    let greeting = running.greeting.clone();
    let (output, _) = running.end();
    format!("{greeting}\n{output}")
}
