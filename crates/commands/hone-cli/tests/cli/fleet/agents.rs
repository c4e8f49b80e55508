//! A fleet that fits into one machine: real agents, a real back end, and two builds of one program, of which the new one
//! needs a third of the CPU time.
//!
//! Each host is an agent that is shown two processes: a directory with links to their entries in /proc stands for its
//! /proc. Skipped where victoria-metrics, a C compiler or hone-agent (built beside hone) is absent.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{Server, until_true, victoria_metrics};

use crate::common::{c_compiler, hone, is_refused, stderr, stdout};

const HOSTS: usize = 6;

/// Works, tells the agent, rests; ends with the test.
const PROGRAM: &str = r#"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sockaddr_un agent = {.sun_family = AF_UNIX};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  strncpy(agent.sun_path, argv[1], sizeof agent.sun_path - 1);
  int socket_ = socket(AF_UNIX, SOCK_DGRAM, 0);
  const char sample[] = "requests:1|c|#path:" PATH_OF_REQUESTS;
  for (;;) {
    for (volatile long round = 0; round < ROUNDS; round++) {}
    sendto(socket_, sample, sizeof sample - 1, 0, (struct sockaddr *)&agent, sizeof agent);
    usleep(40000);
  }
}
"#;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn start(command: &mut Command) -> Running {
    Running(
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    )
}

/// All that runs.
struct Fleet {
    address: String,
    programs: [PathBuf; 2],
    _running: Vec<Running>,
    _server: Server,
    directory: TempDir,
}

fn build(directory: &Path, name: &str, rounds: u32, path: &str) -> PathBuf {
    let source = directory.join("program.c");
    fs::write(&source, PROGRAM).unwrap();
    let program = directory.join(name);
    let mut compiler = Command::new(c_compiler());
    compiler
        .args(["-Wl,--build-id", "-o"])
        .arg(&program)
        .arg(&source);
    compiler
        .arg(format!("-DROUNDS={rounds}"))
        .arg(format!("-DPATH_OF_REQUESTS=\"{path}\""));
    assert!(compiler.status().unwrap().success());
    program
}

impl Fleet {
    /// `None`, and why, where something is absent.
    fn start() -> Option<Self> {
        let agent = Path::new(env!("CARGO_BIN_EXE_hone")).with_file_name("hone-agent");
        if !agent.exists() {
            println!("skipped: {} is not built", agent.display());
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        // What comes in is there at once.
        let server = victoria_metrics(&["-search.latencyOffset=0s"])?;
        let address = server.address.to_string();
        let mut running = Vec::new();
        let programs = [
            build(directory.path(), "old-build", 1_500_000, "/a"),
            build(directory.path(), "new-build", 500_000, "/b"),
        ];
        for host in 0..HOSTS {
            running.extend(start_host(
                &directory.path().join(host.to_string()),
                host,
                &agent,
                &programs,
                &address,
            ));
        }
        Some(Self {
            address,
            programs,
            _running: running,
            _server: server,
            directory,
        })
    }

    fn bench(&self, more: &[&str]) -> Output {
        let from = format!("http://{}", self.address);
        let words = [
            "bench", "--fleet", "--from", &from, "--since", "40s", "--window", "4s",
        ];
        hone(&[&words[..], more].concat(), self.directory.path())
    }
}

/// An agent with both builds beside it.
fn start_host(
    directory: &Path,
    host: usize,
    agent: &Path,
    programs: &[PathBuf; 2],
    address: &str,
) -> Vec<Running> {
    let proc = directory.join("proc");
    fs::create_dir_all(&proc).unwrap();
    let socket = directory.join("agent.sock");
    let processes = programs
        .each_ref()
        .map(|program| start(Command::new(program).arg(&socket)));
    for process in &processes {
        let pid = process.0.id().to_string();
        symlink(format!("/proc/{pid}"), proc.join(&pid)).unwrap();
    }
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[labels]\nhost = \"host-{host}\"\n\
         [services]\nreport = true\nwork = [\"requests\"]\nproc = \"{}\"\n\
         [[listen]]\naddress = \"unixgram:{}\"\n\
         [[send]]\nformat = \"remote-write\"\naddress = \"http://{address}/api/v1/write\"\n",
        proc.display(),
        socket.display()
    );
    let file = directory.join("agent.toml");
    fs::write(&file, config).unwrap();
    let agent = start(Command::new(agent).arg("run").arg("--config").arg(&file));
    processes.into_iter().chain([agent]).collect()
}

#[test]
#[ignore = "further end to end"]
fn the_build_that_takes_less_cpu_time_per_request_is_found_where_both_run() {
    let Some(fleet) = Fleet::start() else {
        return;
    };
    let [old, new] = fleet
        .programs
        .each_ref()
        .map(|program| program.to_str().unwrap());
    let json = fleet.directory.path().join("result.json");
    let work = [
        "--work",
        "requests",
        "--output",
        json.to_str().unwrap(),
        "--seed",
        "1",
    ];
    // Too little at first, and then enough on all of them.
    let mut output = fleet.bench(&[&[old, new], &work[..]].concat());
    until_true("there is enough to prove it", || {
        output = fleet.bench(&[&[old, new], &work[..]].concat());
        let is_whole = stdout(&output).contains("6 hosts that ran both builds");
        is_whole && output.status.code() == Some(0)
    });
    let said = stdout(&output);
    assert!(
        said.starts_with("Faster. Build ") && said.contains("(new-build) takes "),
        "{said}"
    );
    assert!(
        said.contains("The old build against itself: its instances"),
        "{said}"
    );
    assert!(said.contains("the work is not the same: 100 %"), "{said}");
    let result: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let ratio = result["comparison"]["gain"]["ratio"].as_f64().unwrap();
    assert!((1.5..6.0).contains(&ratio), "{said}");
    assert_eq!(
        result["fleet"]["instances"].as_array().unwrap().len(),
        2 * HOSTS
    );

    // The other way round; and by a beginning of the build ids.
    let ids: Vec<&str> = result["builds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| &id.as_str().unwrap()[..10])
        .collect();
    let reversed = fleet.bench(&[ids[1], ids[0], "--work", "requests", "--seed", "1"]);
    assert!(
        stdout(&reversed).starts_with("Slower. Build "),
        "{}",
        stderr(&reversed)
    );
    assert_eq!(reversed.status.code(), Some(1));
    let cpu_alone = fleet.bench(&[ids[0], ids[1], "--expect", "not-slower"]);
    assert_eq!(cpu_alone.status.code(), Some(0), "{}", stderr(&cpu_alone));
    assert!(
        stdout(&cpu_alone).contains("without --work"),
        "{}",
        stdout(&cpu_alone)
    );

    let refused =
        |words: &[&str], fact: &str, next: &str| is_refused(&fleet.bench(words), fact, next);
    refused(
        &["0123456789", ids[1]],
        "no build 0123456789 ran",
        "(new-build)",
    );
    refused(&[ids[0], ids[0]], "are the same build", "two builds");
    refused(
        &[ids[0], ids[1], "--work", "answers"],
        "no series of it",
        "work = [\"answers\"]",
    );
    refused(
        &[ids[0], ids[1], "--service", "nothing"],
        "no build",
        "report = true",
    );
}
