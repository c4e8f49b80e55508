//! Waits until a server is ready, and describes a server that is not.

use std::fs::File;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_build::config::Ready;
use rustix::process::{Pid, Signal};

use super::Setting;
use super::place::Place;
use crate::process::background::Background;
use crate::process::last_lines::last_lines;
use crate::process::{RunError, interrupt};

/// Pause between two tries at first, which is the precision of the start-up time.
const PAUSE_MIN: Duration = Duration::from_millis(2);
/// Pause between two tries when the start takes long.
const PAUSE_MAX: Duration = Duration::from_millis(50);
/// Maximum time of one connection.
const CONNECTION: Duration = Duration::from_millis(500);

/// A server or backend that is waited for.
pub(super) struct Wait<'a> {
    /// Name in messages.
    pub(super) what: String,
    pub(super) ready: &'a Ready,
    pub(super) port: Option<u16>,
    pub(super) seconds: f64,
    /// File with the output of the server or backend.
    pub(super) log: PathBuf,
}

/// Waits until the process is ready; returns the seconds from start to ready.
pub(super) fn wait(
    wait: &Wait,
    process: &mut Background,
    place: &Place,
    setting: &Setting,
) -> Result<f64> {
    let words = place.file("ready.log");
    let mut pause = PAUSE_MIN;
    loop {
        let age_s = process.age_s();
        let is_ready = match wait.ready {
            Ready::Started => true,
            Ready::Port => wait.port.is_some_and(accepts),
            Ready::Command(command) => {
                let left = Duration::from_secs_f64((wait.seconds - age_s).max(0.1));
                answers(&place.fill(command), &setting.tree, &words, left)?
            }
        };
        if interrupt::requested() {
            return Err(RunError::Interrupted.into());
        }
        // If the process has ended but something answers, then another process has answered.
        if process.wait_for(Duration::ZERO)? {
            return Err(ended(wait, process));
        }
        if is_ready {
            return Ok(process.age_s());
        }
        if age_s > wait.seconds {
            return Err(late(wait, &words));
        }
        if process.wait_for(pause)? {
            return Err(ended(wait, process));
        }
        pause = (pause * 5 / 4).min(PAUSE_MAX);
    }
}

fn ended(wait: &Wait, process: &Background) -> anyhow::Error {
    let fact = anyhow!(
        "{} ended before it was ready{}; the end of its output:\n{}",
        wait.what,
        how(process.exit_of_command()),
        last_lines(&wait.log)
    );
    hone_files::advice::Advice::error(
        fact,
        "start it by hand as hone.toml does, and mend what it says",
    )
}

fn late(wait: &Wait, words: &Path) -> anyhow::Error {
    let last = match wait.ready {
        Ready::Command(_) => format!(
            "\nthe last words of its ready command:\n{}",
            last_lines(words)
        ),
        _ => format!(
            "\nit never accepted a connection on port {}",
            wait.port.unwrap_or(0)
        ),
    };
    let fact = anyhow!(
        "{} was not ready within {} s; the end of its output:\n{}{last}",
        wait.what,
        wait.seconds,
        last_lines(&wait.log)
    );
    hone_files::advice::Advice::error(
        fact,
        "mend its start or ready command in hone.toml, or give it more ready_seconds",
    )
}

/// Describes how a command ended, in words that follow its name and "ended".
pub(super) fn how(exit: Option<i32>) -> String {
    match exit {
        Some(status) if status > 128 => {
            format!(" by signal {} (exit status {status})", status - 128)
        }
        Some(status) => format!(" with exit status {status}"),
        None => String::new(),
    }
}

fn accepts(port: u16) -> bool {
    let addresses = [
        SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
    ];
    addresses
        .iter()
        .any(|address| TcpStream::connect_timeout(address, CONNECTION).is_ok())
}

/// True if a command exits with 0 in time.
fn answers(command: &str, tree: &Path, words: &Path, limit: Duration) -> Result<bool> {
    let output = File::create(words).context("temporary directory")?;
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(tree)
        .stdin(Stdio::null())
        .stdout(output.try_clone().context("temporary directory")?)
        .stderr(output)
        .process_group(0)
        .spawn()
        .context("sh")?;
    let began = std::time::Instant::now();
    loop {
        if let Some(status) = child.try_wait().context("the ready command")? {
            return Ok(status.success());
        }
        if began.elapsed() > limit || interrupt::requested() {
            end(&mut child);
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // Processes that have ended need no signal.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_late_is_quoted_with_what_was_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let (log, words) = (file("log", "loading\n"), file("words", "not yet\n"));
        let said = |ready: &Ready| {
            let wait = Wait {
                what: "the server".into(),
                ready,
                port: Some(4711),
                seconds: 0.5,
                log: log.clone(),
            };
            hone_files::advice::render(&late(&wait, &words))
        };
        for (ready, last) in [
            (Ready::Port, "it never accepted a connection on port 4711"),
            (
                Ready::Command("false".into()),
                "the last words of its ready command:\n    not yet",
            ),
        ] {
            let said = said(&ready);
            for part in [
                "the server was not ready within 0.5 s",
                "loading",
                last,
                "ready_seconds",
            ] {
                assert!(said.contains(part), "no {part:?} in {said}");
            }
        }
    }

    #[test]
    fn who_died_is_told_with_status_or_signal() {
        assert_eq!(how(Some(3)), " with exit status 3");
        assert_eq!(how(Some(134)), " by signal 6 (exit status 134)");
        assert_eq!(how(None), "");
    }

    #[test]
    fn a_command_that_hangs_is_no_answer_and_is_ended() {
        let directory = tempfile::tempdir().unwrap();
        let words = directory.path().join("words");
        let answers = |command: &str| {
            let limit = Duration::from_millis(1);
            answers(command, directory.path(), &words, limit).unwrap()
        };
        assert!(!answers("sleep 600"));
        assert!(!answers("echo no >&2; exit 1; "));
    }
}
