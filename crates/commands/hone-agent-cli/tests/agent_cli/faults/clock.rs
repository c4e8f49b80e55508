//! A clock that is set while the agent runs, for the agent alone (libfaketime).

use std::fs;
use std::path::Path;

use testkit::{until_true, with_clock};

use super::agent::{Client, start_as};
use super::back_end::{BackEnd, Mood};

#[test]
#[ignore = "waits on a clock"]
fn a_clock_that_is_set_loses_no_sample_and_no_interval_waits_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let clock = directory.path().join("clock");
    fs::write(&clock, "+0").unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_hone-agent"));
    let Some(command) = with_clock(program, &clock) else {
        return;
    };
    let back_end = BackEnd::start(Mood::Well);
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
