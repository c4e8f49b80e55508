//! Recordings made here and now by the real perf, in each of its forms, against what it prints of them.

use crate::tools::{Scratch, output_of, text_of};
use hone_profile::perf_data::read;
use hone_profile::{BinaryKind, Profile};
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::has_tools;

/// About half a second of a shell counting, with a child now and then.
const WORK: &str = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); \
                    [ $((i % 100000)) -eq 0 ] && ls /usr >/dev/null; done";

fn perf_record(arguments: &[&str]) -> Command {
    let mut command = Command::new("perf");
    command
        .args(["record", "-q"])
        .args(arguments)
        .args(["--", "sh", "-c", WORK]);
    command.stderr(Stdio::null());
    command
}

/// Whether perf may sample here: containers and hardened kernels forbid it.
fn skip() -> bool {
    if !has_tools(&["perf", "sh"]) {
        return true;
    }
    let mut probe = Command::new("perf");
    probe.args([
        "record",
        "-q",
        "-e",
        "cpu-clock",
        "-o",
        "/dev/null",
        "--",
        "true",
    ]);
    let works = probe.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if works.is_ok_and(|status| status.success()) {
        return false;
    }
    println!("skipped: perf may not record here");
    true
}

/// Records into a file, and reads it.
fn record(scratch: &Scratch, arguments: &[&str]) -> Option<(std::path::PathBuf, Profile)> {
    let path = scratch.path().join("perf.data");
    let output = ["-o", path.to_str().expect("a plain path")];
    if !perf_record(&[arguments, &output].concat())
        .status()
        .is_ok_and(|status| status.success())
    {
        println!("skipped: this perf does not take {arguments:?}");
        return None;
    }
    let profile = read(&std::fs::read(&path).expect("perf's file")).expect("a readable recording");
    Some((path, profile))
}

/// What perf and we call the kernel and its modules, whose names differ.
const KERNEL: &str = "[kernel]";

/// Every sample as perf prints it: thread, time in microseconds, file.
fn perf_says(path: &Path) -> Vec<(i32, u64, String)> {
    let mut script = Command::new("perf");
    script
        .args(["script", "-G", "-F", "tid,time,ip,dso", "-i"])
        .arg(path);
    let text = text_of(script.stderr(Stdio::null()));
    let mut samples: Vec<_> = text.lines().filter_map(parse_line).collect();
    samples.sort();
    samples
}

/// `TID SECONDS.MICROSECONDS: ADDRESS (FILE)`.
fn parse_line(line: &str) -> Option<(i32, u64, String)> {
    let (tid, rest) = line.trim().split_once(' ')?;
    let (time, rest) = rest.trim().split_once(':')?;
    let (_, file) = rest.split_once('(')?;
    let file = file.trim_end_matches(')');
    let is_user = !file.starts_with('[') || ["[unknown]", "[vdso]", "[heap]"].contains(&file);
    let file = if is_user { file } else { KERNEL };
    let micros = time.replace('.', "").parse().ok()?;
    Some((tid.parse().ok()?, micros, file.to_owned()))
}

/// The same from the profile.
fn we_say(profile: &Profile) -> Vec<(i32, u64, String)> {
    let samples = profile.samples.iter().map(|sample| {
        let binary = profile.binary(profile.location(sample.ip).binary);
        let file = match binary.kind {
            BinaryKind::Unmapped => "[unknown]".to_owned(),
            BinaryKind::Kernel => KERNEL.to_owned(),
            _ => binary.path.clone(),
        };
        (
            profile.threads[sample.thread.index()].tid,
            sample.time_ns / 1000,
            file,
        )
    });
    let mut samples: Vec<_> = samples.collect();
    samples.sort();
    samples
}

fn assert_agreement(path: &Path, profile: &Profile) {
    let ours = we_say(profile);
    assert!(ours.len() > 20, "only {} samples were recorded", ours.len());
    let theirs = perf_says(path);
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert!(profile.samples.is_sorted_by_key(|sample| sample.time_ns));
    assert_eq!(profile.losses.malformed_records, 0);
    assert_eq!(profile.losses.truncated_bytes, 0);
    assert_eq!(profile.losses.unknown_records, Default::default());
    let named = |name: &str| profile.threads.iter().any(|thread| thread.name == name);
    assert!(named("sh"), "{:?}", profile.threads);
}

#[test]
fn a_file_of_the_real_perf() {
    if skip() {
        return;
    }
    let scratch = Scratch::new();
    let Some((path, profile)) = record(&scratch, &["-e", "cpu-clock", "-F", "999"]) else {
        return;
    };
    assert_agreement(&path, &profile);
    // Without the right to sample the kernel, perf makes it `cpu-clock:u`.
    assert!(
        profile.events[0].name.starts_with("cpu-clock"),
        "{:?}",
        profile.events
    );
    assert!(profile.samples.iter().all(|sample| sample.stack.is_none()));
    assert!(
        profile
            .samples
            .iter()
            .all(|sample| sample.weight == 1_001_001)
    );
    assert!(profile.meta.command.contains(&"cpu-clock".to_owned()));
    let shell = profile
        .binaries
        .iter()
        .find(|binary| binary.path.ends_with("sh"));
    assert!(
        shell.is_some_and(|binary| binary.build_id.is_some()),
        "{:?}",
        profile.binaries
    );
}

#[test]
fn a_pipe_of_the_real_perf() {
    if skip() {
        return;
    }
    let scratch = Scratch::new();
    for extra in [&[][..], &["-z"]] {
        let arguments = [&["-e", "cpu-clock", "-F", "999", "-o", "-"], extra].concat();
        let bytes = output_of(&mut perf_record(&arguments));
        assert_eq!(bytes[8..16], 16_u64.to_le_bytes(), "the header of a pipe");
        let path = scratch.file("pipe.data", &bytes);
        let profile = read(&bytes).expect("a readable recording");
        assert_agreement(&path, &profile);
        assert!(
            profile.events[0].name.starts_with("cpu-clock"),
            "{:?}",
            profile.events
        );
        assert!(!profile.meta.kernel.is_empty());
    }
}

#[test]
fn a_compressed_file_of_the_real_perf() {
    if skip() {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["-z", "-e", "cpu-clock", "-F", "4999", "-g"];
    let Some((path, profile)) = record(&scratch, &arguments) else {
        return;
    };
    assert_agreement(&path, &profile);
    let with_stack = profile
        .samples
        .iter()
        .filter(|sample| sample.stack.is_some())
        .count();
    assert!(
        with_stack * 10 > profile.samples.len() * 9,
        "{with_stack} samples have a stack"
    );
    for sample in &profile.samples {
        let leaf = sample.stack.and_then(|stack| profile.frames(stack).next());
        assert!(
            leaf.is_none_or(|leaf| leaf == sample.ip),
            "the leaf is what was running"
        );
    }
}

#[test]
fn several_events_of_the_real_perf() {
    if skip() {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["-e", "cpu-clock,task-clock", "-c", "1000000"];
    let Some((path, profile)) = record(&scratch, &arguments) else {
        return;
    };
    assert_agreement(&path, &profile);
    let mut script = Command::new("perf");
    let events = text_of(script.args(["script", "-F", "event", "-i"]).arg(path));
    for (index, event) in profile.events.iter().enumerate() {
        let ours = profile
            .samples
            .iter()
            .filter(|sample| sample.event.index() == index)
            .count();
        let theirs = events
            .lines()
            .filter(|line| line.trim() == format!("{}:", event.name));
        assert_eq!(ours, theirs.count(), "{}", event.name);
    }
}
