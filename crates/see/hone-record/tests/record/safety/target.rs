//! A program that is to be recorded, from its gate to its end.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// A running program, at its gate until [`Self::open`].
pub(crate) struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// What it said at its gate.
    pub(crate) greeting: String,
    /// The process to record: the program, or what the program says stands in its place.
    pub(crate) pid: i32,
}

impl Running {
    /// Starts a program and waits until it stands at its gate.
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> Self {
        Self::command(Command::new(program).args(arguments))
    }

    /// The same for a program that has no gate of its own: a shell that will become it.
    pub(crate) fn behind_a_gate(program: &Path, arguments: &[&str]) -> Self {
        let wait = "echo ready; read _; exec \"$0\" \"$@\"";
        Self::command(
            Command::new("sh")
                .args(["-c", wait])
                .arg(program)
                .args(arguments),
        )
    }

    pub(crate) fn command(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("its input");
        let stdout = BufReader::new(child.stdout.take().expect("its output"));
        let pid = child.id() as i32;
        let mut this = Self {
            child,
            stdin,
            stdout,
            greeting: String::new(),
            pid,
        };
        this.greeting = this.line();
        this
    }

    /// The next line it prints, without its end; empty when there is none.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("readable output");
        line.trim_end().to_owned()
    }

    /// Gives it a line: opens its gate, or asks it something.
    pub(crate) fn open(&mut self) {
        // One that has ended will be found out by what it did not say.
        let _ = self.stdin.write_all(b"\n");
    }

    /// Waits for its end: what it printed since, and how it ended.
    pub(crate) fn end(mut self) -> (String, ExitStatus) {
        let mut output = String::new();
        self.stdout
            .read_to_string(&mut output)
            .expect("readable output");
        let status = self.child.wait().expect("its end");
        (output, status)
    }

    /// Whether it has not ended.
    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|ended| ended.is_none())
    }

    /// Opens the gate and expects that it finds nothing wrong to its end.
    pub(crate) fn finds_nothing_wrong(mut self) {
        self.open();
        let (output, status) = self.end();
        assert_eq!(
            (output.as_str(), status.code()),
            ("wrong=0\n", Some(42)),
            "{status}"
        );
    }

    /// Sends a signal by name.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.pid, name);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal by name.
pub(crate) fn signal(pid: i32, name: &str) {
    let status = Command::new("kill")
        .arg(format!("-{name}"))
        .arg(pid.to_string())
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "kill -{name} {pid}"
    );
}

/// What the system says of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Thread {
    pub(crate) tid: i32,
    /// `R`, `S`, `T` (stopped), `t` (stopped by a tracer) and others.
    pub(crate) state: String,
    pub(crate) tracer: i32,
}

/// The threads of a process.
pub(crate) fn threads(pid: i32) -> Vec<Thread> {
    let field = |status: &str, name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().next()?.to_owned())
    };
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            // A thread may end at any time.
            let status = fs::read_to_string(entry.path().join("status")).ok()?;
            Some(Thread {
                tid: entry.file_name().to_str()?.parse().ok()?,
                state: field(&status, "State:")?,
                tracer: field(&status, "TracerPid:")?.parse().ok()?,
            })
        })
        .collect()
}

/// The children of a process's threads.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    let lists = threads(pid).into_iter().filter_map(|thread| {
        fs::read_to_string(format!("/proc/{pid}/task/{}/children", thread.tid)).ok()
    });
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<i32>>()
        })
        .collect()
}

/// Threads that somebody stopped or traces.
pub(crate) fn held(pid: i32) -> Vec<Thread> {
    let is_held =
        |thread: &Thread| thread.tracer != 0 || matches!(thread.state.as_str(), "T" | "t");
    threads(pid).into_iter().filter(is_held).collect()
}
