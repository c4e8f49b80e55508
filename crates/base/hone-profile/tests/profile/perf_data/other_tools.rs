//! What the tools people already have make of the files that the writer writes.

use super::loop_program::{BRANCHES, LoopProgram, SAMPLES, plain_event, walk_event};
use crate::tools::{output_of, text_of};
use hone_profile::perf_data::{branch_type, sample_type};
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

const TO_BUILD: [&str; 3] = ["clang-19", "llvm-objdump-19", "readelf"];

fn skip(tools: &[&str]) -> bool {
    !has_tools(&[&TO_BUILD, tools].concat())
}

#[test]
fn perf_script_prints_every_branch() {
    if skip(&["perf"]) {
        return;
    }
    let program = LoopProgram::build();
    let (from, to) = program.jump();
    for branch_fields in [0, branch_type::HW_INDEX, branch_type::TYPE_SAVE] {
        let file = program.recording(vec![walk_event(0, branch_fields)]);
        let script = text_of(
            Command::new("perf")
                .args(["script", "-F", "ip,brstack", "-i"])
                .arg(file),
        );
        let lines: Vec<&str> = script
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        assert_eq!(lines.len(), SAMPLES);
        let entry = format!("0x{:x}/0x{:x}/-/", from.0, to.0);
        for line in lines {
            let mut words = line.split_whitespace();
            assert_eq!(words.next(), Some(format!("{:x}", to.0).as_str()));
            assert_eq!(
                words.filter(|word| word.starts_with(&entry)).count(),
                BRANCHES
            );
        }
    }
}

#[test]
fn perf_report_names_the_function_and_the_event() {
    if skip(&["perf"]) {
        return;
    }
    let program = LoopProgram::build();
    let file = program.recording(vec![walk_event(sample_type::CALLCHAIN, 0)]);
    let mut report = Command::new("perf");
    report
        .args([
            "report",
            "--stdio",
            "--no-branch-stack",
            "--no-children",
            "-i",
        ])
        .arg(&file);
    let report = text_of(&mut report);
    assert!(report.contains("of event 'hone-walk'"), "{report}");
    let line = report
        .lines()
        .find(|line| line.contains('%'))
        .expect("a line with a share");
    assert!(
        line.contains("100.00%") && line.contains("[.] work"),
        "{report}"
    );

    let ids = text_of(Command::new("perf").args(["buildid-list", "-i"]).arg(&file));
    assert!(
        ids.contains(&format!("{} {}", program.build_id, program.path())),
        "{ids}"
    );

    let header = text_of(
        Command::new("perf")
            .args(["report", "--header-only", "-i"])
            .arg(&file),
    );
    for fact in [
        "hostname : somewhere",
        "os release : 6.1.0",
        "cmdline : hone record",
    ] {
        assert!(header.contains(fact), "{header}");
    }
    assert!(
        header.contains("contains samples with branch stack"),
        "{header}"
    );
    assert!(
        header.contains("time of first sample : 0.001000"),
        "{header}"
    );
}

#[test]
fn llvm_profgen_counts_the_loop() {
    if skip(&["perf", "llvm-profgen-19"]) {
        return;
    }
    let program = LoopProgram::build();
    let file = program.recording(vec![walk_event(0, 0)]);
    let output = program.scratch.path().join("profile.txt");
    let argument = |name: &str, path: &Path| format!("--{name}={}", path.display());
    output_of(
        Command::new("llvm-profgen-19")
            .arg(argument("perfdata", &file))
            .arg(argument("binary", &program.binary))
            .arg(argument("output", &output))
            .arg("--format=text"),
    );
    assert_only_work_is_hot(&output);
}

#[test]
fn create_llvm_prof_counts_the_loop() {
    if skip(&["create_llvm_prof"]) {
        return;
    }
    let program = LoopProgram::build();
    let file = program.recording(vec![walk_event(0, 0)]);
    let output = program.scratch.path().join("profile.txt");
    output_of(
        Command::new("create_llvm_prof")
            .arg(format!("--binary={}", program.path()))
            .arg(format!("--profile={}", file.display()))
            .arg(format!("--out={}", output.display()))
            .arg("--format=text"),
    );
    assert_only_work_is_hot(&output);
}

/// The body of the loop ran between every two branches of a sample.
fn assert_only_work_is_hot(profile: &Path) {
    let text = std::fs::read_to_string(profile).expect("the tool's output");
    assert!(text.starts_with("work:"), "{text}");
    let runs = SAMPLES * (BRANCHES - 1);
    assert!(
        text.lines()
            .any(|line| line.ends_with(&format!(": {runs}"))),
        "{text}"
    );
}

#[test]
fn perf2bolt_counts_the_jump() {
    // Under its Debian name, perf2bolt-19, it does not know that it is perf2bolt.
    const PERF2BOLT: &str = "/usr/lib/llvm-19/bin/perf2bolt";
    if skip(&["perf", PERF2BOLT]) {
        return;
    }
    let program = LoopProgram::build();
    // The second event has every other sample, with or without branches.
    let alone = vec![walk_event(0, 0)];
    let both = vec![walk_event(0, 0); 2];
    let mixed = vec![walk_event(0, 0), plain_event()];
    for (events, samples) in [(alone, SAMPLES), (both, SAMPLES), (mixed, SAMPLES / 2)] {
        let file = program.recording(events);
        let output = program.scratch.path().join("profile.fdata");
        output_of(
            Command::new(PERF2BOLT)
                .args([
                    "-p".as_ref(),
                    file.as_os_str(),
                    "-o".as_ref(),
                    output.as_os_str(),
                ])
                .arg(&program.binary),
        );
        let text = std::fs::read_to_string(&output).expect("perf2bolt's output");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!((words[1], words[4]), ("work", "work"), "{text}");
        assert_eq!(words[7], (samples * BRANCHES).to_string(), "{text}");
    }
}
