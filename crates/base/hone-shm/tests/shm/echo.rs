//! Programs that run: a server, and clients that call it. They end with the values.

use crate::programs::Program;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// Bytes of a ring: as few as may be, so that messages do not fit.
const RING_BYTES: u32 = 64 << 10;
const SEED: u32 = 7;

/// A program that runs.
struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).unwrap();
            assert!(line.ends_with('\n'), "the program ended");
            let line = line.trim_end();
            // What the program in Rust says as a test.
            let is_of_a_test = line.is_empty()
                || ["running ", "test "]
                    .iter()
                    .any(|start| line.starts_with(start));
            if !is_of_a_test {
                return line.to_owned();
            }
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended already cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that serves at a socket of its own.
pub(crate) struct Server {
    running: Running,
    directory: tempfile::TempDir,
}

impl Server {
    /// Starts it and waits until it listens.
    pub(crate) fn start(program: &Program) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let words = ["serve", path.to_str().unwrap(), &RING_BYTES.to_string()];
        let running = Running::start(&mut program.command(&words));
        let mut server = Self { running, directory };
        assert_eq!(server.line(), "ready");
        server
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("s")
    }

    /// Waits for what it says next: of a connection that has ended.
    pub(crate) fn line(&mut self) -> String {
        self.running.line()
    }

    pub(crate) fn kill(&mut self) {
        self.running.kill();
    }

    /// Lets it end; a sanitizer that found something would make it end badly.
    pub(crate) fn end(mut self) {
        drop(self.running.child.stdin.take());
        assert!(self.running.child.wait().unwrap().success());
    }
}

/// A program that calls a server.
pub(crate) struct Client(Running);

impl Client {
    /// Starts it with so many connections that are woken together; with none, it has one that is woken for itself, where its language has such.
    pub(crate) fn start(program: &Program, path: &Path, messages: u32, connections: u32) -> Self {
        let [seed, messages, number] =
            [SEED, messages, connections].map(|number| number.to_string());
        let mut words = vec!["call", path.to_str().unwrap(), &seed, &messages];
        words.extend((connections > 0).then_some(number.as_str()));
        Self(Running::start(&mut program.command(&words)))
    }

    /// Waits for what it says next: that the first message is back, or how a connection was.
    pub(crate) fn line(&mut self) -> String {
        self.0.line()
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill();
    }

    /// Waits for its end. Returns true if all was right.
    pub(crate) fn ends_well(mut self) -> bool {
        self.0.child.wait().unwrap().success()
    }
}
