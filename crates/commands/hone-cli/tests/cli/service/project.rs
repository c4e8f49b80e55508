//! A project whose program is a small server, and its hone.toml.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{hone, processes_in};

const SERVER: &str = include_str!("project/server.c");
const WORK: &str = include_str!("project/work.c");
const BUILD: &str = "set -e\n\
    $CC -O2 -c server.c\n\
    $CC -O2 -c work.c\n\
    $CC -O2 server.o work.o -o server\n";

/// Under this load the server needs a little more CPU than the least that is measured, on any machine: each request takes the same
/// CPU time (`work.c`).
pub(crate) const H2LOAD: &str = "h2load --h1 -n 4000 -c 4 http://127.0.0.1:{port}/";
/// How h2load's output is read.
pub(crate) const H2LOAD_SAYS: &str = r"requests = '(\d+) succeeded'
failed = '(\d+) failed'
throughput = '([0-9.]+) req/s'";

pub(crate) struct Service {
    directory: tempfile::TempDir,
}

impl Service {
    /// A project with this `start` line, further keys of `[server]`, load and keys of `[[measure]]`.
    pub(crate) fn new(levers: &str, start: &str, server: &str, load: &str, measure: &str) -> Self {
        let service = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        let compiler = crate::common::c_compiler();
        let toml = format!(
            r#"
[program]
name = "server"
binary = "server"
[build]
command = "sh build.sh"
env = {{ CC = "{compiler}" }}
[check]
command = "{{binary}} check {{port}}"
[server]
start = "{start}"
{server}
[[train]]
name = "train"
command = "{load} # training"
[[measure]]
name = "measure"
command = "{load}"
{measure}
[ladder]
levers = [{levers}]
seconds_per_rung = 1
"#
        );
        for (name, text) in [
            ("server.c", SERVER),
            ("work.c", WORK),
            ("build.sh", BUILD),
            ("hone.toml", &toml),
        ] {
            fs::write(service.path(name), text).unwrap();
        }
        service
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    /// Adds to its hone.toml.
    pub(crate) fn append(&self, text: &str) {
        let whole = fs::read_to_string(self.path("hone.toml")).unwrap() + text;
        fs::write(self.path("hone.toml"), whole).unwrap();
    }

    pub(crate) fn optimize(&self) -> Output {
        hone(&["optimize", "hone.toml"], self.directory.path())
    }

    pub(crate) fn start(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_hone"))
            .args(["optimize", "hone.toml"])
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(crate) fn report(&self) -> serde_json::Value {
        let text = fs::read_to_string(self.path(".hone/report/report.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Processes that still run in its trees. Those that were killed need a moment.
    pub(crate) fn left(&self) -> Vec<i32> {
        let began = Instant::now();
        loop {
            let left = processes_in(self.directory.path());
            if left.is_empty() || began.elapsed() > Duration::from_secs(10) {
                return left;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The notes of a report, joined.
pub(crate) fn notes(report: &serde_json::Value) -> String {
    report["notes"].to_string()
}
