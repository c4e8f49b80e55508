//! The kill campaign: the recorder of a busy server is killed at random instants, and nobody notices.
//!
//! 20 times in the tests; 500 with `HONE_LONG` in the environment, which is `bench/walker/safety/run`.

use super::alone;
use super::recording::way;
use super::role::{Role, last};
use super::target::{Running, children, held};
use crate::common::compile;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testkit::{PATIENCE, is_long};

/// What must stay 0.
const NEVER: [&str; 7] = [
    "failed",
    "interrupted",
    "spurious",
    "refused",
    "foreign_signals",
    "wrong",
    "failed_children",
];
/// What must grow, or the server does not work.
const ALWAYS: [&str; 5] = ["asked", "served", "ticks", "threads", "children"];

type Counts = BTreeMap<String, i64>;

/// The server and those who ask it.
struct Service {
    server: Running,
    load: Running,
    before: Counts,
}

impl Service {
    fn start(server: &Path, load: &Path, directory: &Path) -> Self {
        let socket = directory.join("socket");
        let socket = socket.to_str().expect("a path in UTF-8");
        let server = Running::start(server, &[socket]);
        let load = Running::start(load, &[socket, &server.greeting, "6"]);
        Self {
            server,
            load,
            before: Counts::new(),
        }
    }

    fn counts(&mut self) -> Counts {
        self.load.open();
        let line = self.load.line();
        let pairs = line
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        pairs
            .filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
            .collect()
    }

    /// Asserts that everything in it goes on and that nothing has gone wrong; the longest answer since the last
    /// look, in microseconds.
    fn is_well(&mut self, when: &str) -> i64 {
        let mut longest_us = 0;
        let until = Instant::now() + PATIENCE;
        loop {
            assert!(self.server.lives(), "{when}: the server has ended");
            let counts = self.counts();
            for name in NEVER {
                assert_eq!(counts.get(name), Some(&0), "{when}: {name} in {counts:?}");
            }
            longest_us = longest_us.max(counts["longest_us"]);
            let before = &self.before;
            let stands = |name: &&str| counts.get(*name) <= before.get(*name);
            let Some(name) = ALWAYS.iter().find(|name| stands(name)) else {
                self.before = counts;
                return longest_us;
            };
            assert!(
                Instant::now() < until,
                "{when}: {name} stands still in {counts:?}"
            );
            sleep(Duration::from_millis(10));
        }
    }

    /// Asserts that no thread of it or its children is stopped or traced.
    fn is_free(&self, when: &str) {
        for pid in [self.server.pid]
            .into_iter()
            .chain(children(self.server.pid))
        {
            assert_eq!(held(pid), [], "{when}: threads of {pid}");
        }
    }
}

/// Instants that are the same in every run.
struct Instants(u64);

impl Instants {
    /// 0.05 to 2.5 s.
    fn next(&mut self) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Duration::from_millis(50 + (self.0 >> 33) % 2_450)
    }
}

/// What the kills of one kind came to.
#[derive(Default)]
struct Tally {
    kills: u32,
    /// Of these, in recordings that had walked already.
    with_walks: u32,
    walks: u64,
    longest_us: i64,
}

/// Kills a recorder and returns how many walks it had told of.
fn kill(mut recorder: Child) -> u64 {
    recorder.kill().expect("the right to kill it");
    let status = recorder.wait().expect("its end");
    let mut output = String::new();
    let mut stdout = recorder.stdout.take().expect("its output");
    stdout.read_to_string(&mut output).expect("readable output");
    assert_eq!(
        status.code(),
        None,
        "the recorder ended by itself: {output}"
    );
    let told = last(&output, "walks ").and_then(|count| count.parse().ok());
    told.unwrap_or(0)
}

fn files(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).expect("its directory");
    entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

#[test]
#[ignore = "waits on a clock"]
fn killed_at_any_instant_the_recorder_leaves_a_busy_server_serving() {
    let _alone = alone();
    let (Some(server), Some(load)) = (compile("server.c", &[]), compile("load.c", &[])) else {
        return;
    };
    let kills = if is_long() { 500 } else { 20 };
    let mut service = Service::start(&server.binary, &load.binary, server.directory.path());
    sleep(Duration::from_millis(500));
    service.is_well("before the first recording");
    let mut instants = Instants(3);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for index in 0..kills {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let snapshot = way(index);
        let overhead = [0.01, 0.3][index / 2 % 2];
        let mut role = Role::of(
            service.server.pid,
            &directory.path().join("out.data"),
            snapshot,
        );
        role.overhead = overhead;
        let recorder = role
            .command()
            .stdout(Stdio::piped())
            .spawn()
            .expect("a recorder");
        let instant = instants.next();
        sleep(instant);
        let walks = kill(recorder);
        let when = format!("kill {index} ({snapshot:?}, {overhead}) after {instant:?}");
        service.is_free(&when);
        let longest_us = service.is_well(&when);
        assert!(
            !files(&directory).contains(&"out.data".to_owned()),
            "{when}: half a file under its name"
        );
        let tally = tallies
            .entry(format!("{snapshot:?}, {:.0} %", overhead * 100.0))
            .or_default();
        tally.kills += 1;
        tally.with_walks += u32::from(walks > 0);
        tally.walks += walks;
        tally.longest_us = tally.longest_us.max(longest_us);
    }
    print(&tallies, &service.before);
    // Else the kills hit nothing. At one per cent a busy machine may leave no time for a walk.
    for (kind, tally) in tallies.iter().filter(|(kind, _)| kind.contains("30 %")) {
        assert!(
            tally.with_walks > 0,
            "{kind}: not one of {} kills hit a walker at work",
            tally.kills
        );
    }
}

fn print(tallies: &BTreeMap<String, Tally>, counts: &Counts) {
    println!(
        "| snapshot, overhead | kills | in recordings that had walked | walks | longest answer, ms |"
    );
    println!("|---|---|---|---|---|");
    for (kind, tally) in tallies {
        let Tally {
            kills,
            with_walks,
            walks,
            longest_us,
        } = tally;
        println!(
            "| {kind} | {kills} | {with_walks} | {walks} | {:.1} |",
            *longest_us as f64 / 1e3
        );
    }
    let list: Vec<_> = ALWAYS
        .iter()
        .chain(&NEVER)
        .map(|name| format!("{name} {}", counts[*name]))
        .collect();
    println!("\nIn all: {}.", list.join(", "));
}
