//! A program with a client, in any language: told what to do a line at a time.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::tools;

#[path = "../../../../../../clients/rust/examples/driver/driver.rs"]
mod rust;

/// One on a thread of this process, or another process.
pub(crate) enum Driver {
    Rust {
        to: Sender<String>,
        from: Receiver<String>,
    },
    Other {
        child: Child,
        to: Option<ChildStdin>,
        from: BufReader<ChildStdout>,
    },
}

/// How a client is to be started.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    pub(crate) packet_bytes: usize,
    pub(crate) queue_packets: usize,
    pub(crate) shards: usize,
    pub(crate) flush_ms: u64,
    pub(crate) close_ms: u64,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            packet_bytes: 8192,
            queue_packets: 64,
            shards: 4,
            flush_ms: 20,
            close_ms: 60_000,
        }
    }
}

/// What a client counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    pub(crate) given: u64,
    pub(crate) sent: u64,
    pub(crate) waiting: u64,
    pub(crate) packets: u64,
    /// series, value, too_long, busy, away, closed.
    pub(crate) dropped: [u64; 6],
}

pub(crate) const REASONS: [&str; 6] = ["series", "value", "too_long", "busy", "away", "closed"];

impl Counts {
    fn of(answer: &str) -> Self {
        let numbers = answer.split(' ').map(|word| word.parse().unwrap());
        let numbers: Vec<u64> = numbers.collect();
        Self {
            given: numbers[0],
            sent: numbers[1],
            waiting: numbers[2],
            packets: numbers[3],
            dropped: numbers[4..].try_into().unwrap(),
        }
    }

    pub(crate) fn dropped_in_all(&self) -> u64 {
        self.dropped.iter().sum()
    }
}

impl Driver {
    /// Those in all languages whose tools are here, with their names.
    pub(crate) fn all() -> Vec<(&'static str, Self)> {
        let mut all = vec![("Rust", Self::thread())];
        all.extend(tools::go_driver(&[]).map(|program| ("Go", Self::process(&program))));
        all.extend(tools::cpp_driver().map(|program| ("C++", Self::process(&program))));
        all
    }

    fn thread() -> Self {
        let (to, lines) = channel::<String>();
        let (answers, from) = channel();
        thread::spawn(move || {
            let mut driver = rust::Driver::default();
            lines
                .iter()
                .try_for_each(|line| answers.send(driver.told(&line)))
        });
        Self::Rust { to, from }
    }

    pub(crate) fn process(program: &Path) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().unwrap());
        Self::Other { child, to, from }
    }

    /// Tells a line; what it answers is `heard`.
    pub(crate) fn tell(&mut self, line: &str) {
        match self {
            Self::Rust { to, .. } => to.send(line.to_owned()).unwrap(),
            Self::Other { to, .. } => writeln!(to.as_ref().unwrap(), "{line}").unwrap(),
        }
    }

    /// Waits for an answer.
    pub(crate) fn heard(&mut self) -> String {
        match self {
            Self::Rust { from, .. } => from.recv().unwrap(),
            Self::Other { from, .. } => {
                let mut answer = String::new();
                from.read_line(&mut answer).unwrap();
                assert!(answer.ends_with('\n'), "the driver ended");
                answer.trim_end().to_owned()
            }
        }
    }

    /// Tells a line and waits for the answer.
    pub(crate) fn told(&mut self, line: &str) -> String {
        self.tell(line);
        self.heard()
    }

    /// Tells many lines, each of which is answered by `ok`.
    pub(crate) fn obeys(&mut self, lines: &[String]) {
        for line in lines {
            assert_eq!(self.told(line), "ok", "{line}");
        }
    }

    pub(crate) fn start(&mut self, address: &str, start: Start) {
        let Start {
            packet_bytes,
            queue_packets,
            shards,
            flush_ms,
            close_ms,
        } = start;
        let line = format!(
            "start {address} {packet_bytes} {queue_packets} {shards} {flush_ms} {close_ms}"
        );
        assert_eq!(self.told(&line), "ok");
    }

    /// Lets another process end; a sanitizer that found something makes it end badly.
    pub(crate) fn ends_well(mut self) {
        if let Self::Other { child, to, .. } = &mut self {
            // No more lines come.
            drop(to.take());
            let status = child.wait().unwrap();
            assert!(status.success(), "{status}");
        }
    }

    /// `flush`, `counts` or `close`.
    pub(crate) fn counts(&mut self, line: &str) -> Counts {
        Counts::of(&self.told(line))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Self::Other { child, .. } = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
