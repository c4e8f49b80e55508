//! Files that are damaged or made to do harm, and readers that are killed.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::tempdir;
use testkit::recipes::{COMPRESSED, NAMELESS, OBJECT, SMALL};

use super::{json, put, taken};
use crate::common::{ANY_PORT, Hub, until};

/// Ends what goes on beside a test, also if the test fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn what_is_no_program_is_refused_with_what_to_do() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    for nothing in [&b""[..], b"\x7fELF", b"#!/bin/sh\n", &[0; 100_000]] {
        hub.put("", nothing)
            .refuses(400, "upload an executable, a shared library");
    }
    for (recipe, said) in [
        (NAMELESS, "link it with -Wl,--build-id"),
        (OBJECT, "upload the linked program"),
    ] {
        if let Some(program) = recipe.build(directory.path()) {
            put(&hub, &program).refuses(400, said);
        }
    }
    hub.get("/v1/symbols/xyz").refuses(404, "no build id");
    let list = json(&hub.get("/v1/symbols"));
    assert_eq!(list["there"], serde_json::json!([]));
}

#[test]
fn damaged_files_are_refused_or_taken_and_the_hub_goes_on() {
    let directory = tempdir().unwrap();
    let Some(program) = COMPRESSED.build(directory.path()) else {
        return;
    };
    let bytes = fs::read(&program).unwrap();
    let settings = format!("{ANY_PORT}[symbols]\nreader_bytes = 300_000_000\n");
    let hub = Hub::start(directory.path(), &settings);
    let mut statuses = Vec::new();
    let mut try_one = |file: &[u8]| {
        let answer = hub.put("", file);
        let is_answer = [200, 201, 400, 409, 413].contains(&answer.status);
        assert!(is_answer, "{}: {}", answer.status, answer.text());
        statuses.push(answer.status);
    };
    for part in 1..12 {
        try_one(&bytes[..bytes.len() * part / 12]);
    }
    for number in 0..24_usize {
        let mut damaged = bytes.clone();
        for place in 0..8 {
            // Anywhere, in the headers of the file and in those of its sections, which are at its end.
            let at = (number * 7919 + place * 104_729) % damaged.len();
            let at = [at, at % 1024, damaged.len() - 1 - at % 2048][number % 3];
            damaged[at] ^= 1 << (number % 8);
        }
        try_one(&damaged);
    }
    assert!(statuses.contains(&400), "{statuses:?}");
    // A damaged file may have come first, and stays: the sound one is for a hub of its own.
    let other = tempdir().unwrap();
    taken(&put(&Hub::start(other.path(), ANY_PORT), &program), 201);
    assert_eq!(hub.get("/healthz").status, 200);
}

#[test]
fn a_file_that_needs_more_memory_than_a_reader_may_have_is_refused() {
    let directory = tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let mut bytes = fs::read(&program).unwrap();
    bytes.resize(300 << 20, 0);
    let settings = format!("{ANY_PORT}[symbols]\nreader_bytes = 300_000_000\n");
    let hub = Hub::start(directory.path(), &settings);
    hub.put("", &bytes).refuses(400, "reading the file failed");
    taken(&put(&hub, &program), 201);
}

fn signal(process: u32, signal: Signal) -> bool {
    let process = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(process, signal).is_ok()
}

/// A program with so much behind it that its readers take a while.
fn large(directory: &std::path::Path) -> Option<Vec<u8>> {
    let mut bytes = fs::read(SMALL.build(directory)?).unwrap();
    bytes.resize(64 << 20, 0);
    Some(bytes)
}

#[test]
fn readers_that_are_killed_cost_an_upload_at_most() {
    let directory = tempdir().unwrap();
    let Some(bytes) = large(directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let over = Over(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for reader in hub.children("read-symbols") {
                    signal(reader, Signal::KILL);
                }
            }
        });
        until("a reader to be killed", || {
            let answer = hub.put("", &bytes);
            match answer.status {
                200 | 201 => {}
                _ => answer.refuses(400, "2 processes did not survive it"),
            }
            (hub.figure("hone_hub_symbol_readers_lost_total") > 0).then_some(())
        });
        drop(over);
    });
    let answer = hub.put("", &bytes);
    assert!([200, 201].contains(&answer.status), "{}", answer.text());
}

#[test]
fn a_reader_can_neither_open_nor_start_anything() {
    let directory = tempdir().unwrap();
    let Some(bytes) = large(directory.path()) else {
        return;
    };
    let hub = Hub::start(directory.path(), ANY_PORT);
    if hub.said().contains("are not confined") {
        println!("skipped: readers cannot be confined here");
        return;
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let over = Over(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                hub.put("", &bytes);
            }
        });
        let confined = until("a reader at work", || {
            let reader = *hub.children("read-symbols").first()?;
            signal(reader, Signal::STOP);
            let read = |file: &str| fs::read_to_string(format!("/proc/{reader}/{file}")).ok();
            let found = read("status")
                .filter(|status| status.contains("Seccomp:\t2"))
                .and_then(|status| Some((status, read("limits")?, read("environ")?)));
            signal(reader, Signal::CONT);
            found
        });
        drop(over);
        let (status, limits, environment) = confined;
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
        for line in [
            "Max open files            0",
            "Max file size             0",
            "Max address space         4294967296",
        ] {
            assert!(limits.contains(line), "{limits}");
        }
        assert_eq!(environment, "");
    });
}
