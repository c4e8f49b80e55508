//! A clock that is set while the agent runs, for the agent alone (libfaketime).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::until_true;

use super::agent::{Client, start_as};
use super::back_end::{BackEnd, Mood};

/// Where Debian's package has it.
fn library() -> Option<PathBuf> {
    let machines = fs::read_dir("/usr/lib").ok()?.flatten();
    let found = machines
        .map(|machine| machine.path().join("faketime/libfaketime.so.1"))
        .find(|path| path.exists());
    if found.is_none() {
        println!("skipped: libfaketime is not installed");
    }
    found
}

fn under_a_clock_of_its_own(library: &Path, clock: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    command
        .env("LD_PRELOAD", library)
        .env("FAKETIME_TIMESTAMP_FILE", clock)
        .env("FAKETIME_NO_CACHE", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    command
}

#[test]
#[ignore = "waits on a clock"]
fn a_clock_that_is_set_loses_no_sample_and_no_interval_waits_for_it() {
    let Some(library) = library() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let clock = directory.path().join("clock");
    fs::write(&clock, "+0").unwrap();
    let back_end = BackEnd::start(Mood::Well);
    let command = under_a_clock_of_its_own(&library, &clock);
    let agent = start_as(command, directory.path(), &back_end.config());
    let client = Client::of(directory.path());
    let mut sent = 0;
    let mut moments = Vec::new();
    for step in ["+0", "+3600", "-3600", "+0", "+1"] {
        fs::write(&clock, step).unwrap();
        for _ in 0..3 {
            client.send("hits:1|c");
            sent += 1;
            // The next hour would be a long time to wait.
            until_true("it arrives", || {
                let taken = back_end.taken();
                taken
                    .get("hits")
                    .is_some_and(|values| values.values().any(|value| *value == f64::from(sent)))
            });
        }
        let taken = back_end.taken();
        moments.push(*taken["hits"].last_key_value().unwrap().0);
    }
    // An hour ahead was seen by the agent, or this test would say nothing.
    assert!(moments[1] - moments[0] > 3_000_000, "{moments:?}");
    agent.end();
}
