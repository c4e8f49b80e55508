//! What others' tools make of a walked recording.

use crate::common::{compile, run_tool};
use hone_record::BranchSource;
use testkit::has_tools;

#[test]
#[ignore = "finds by samples"]
fn perf_llvm_profgen_and_perf2bolt_read_a_walked_recording() {
    let Some(program) = compile("loops.c", &["-Wl,--emit-relocs"]) else {
        return;
    };
    let mut options = program.options(&["8000000"]);
    options.branches = BranchSource::Walk;
    options.overhead = 0.2;
    let recorded = program.record(&options).unwrap();
    let data = recorded.path.to_str().unwrap();
    let binary = program.binary.to_str().unwrap();
    let beside = |name: &str| {
        program
            .directory
            .path()
            .join(name)
            .to_str()
            .unwrap()
            .to_owned()
    };

    if has_tools(&["perf"]) {
        let (text, errors, done) = run_tool("perf", &["script", "-i", data, "-F", "ip,brstack"]);
        assert!(done, "{errors}");
        let stacks = text
            .lines()
            .filter(|line| line.matches("/0x").count() > 1)
            .count() as u64;
        assert!(
            stacks > recorded.summary.walks,
            "{stacks} stacks of {} walks",
            recorded.summary.walks
        );
        let (text, errors, done) = run_tool(
            "perf",
            &["report", "-i", data, "--stdio", "--no-branch-stack"],
        );
        assert!(done && text.contains("alpha"), "{errors}");
    }
    if has_tools(&["perf", "llvm-profgen-19"]) {
        let profile = beside("profile.txt");
        let (_, errors, done) = run_tool(
            "llvm-profgen-19",
            &[
                "--format=text",
                "--binary",
                binary,
                "--perfdata",
                data,
                "--output",
                &profile,
            ],
        );
        assert!(done, "{errors}");
        let text = std::fs::read_to_string(&profile).unwrap();
        assert!(
            text.lines().any(|line| line.starts_with("alpha:")),
            "{text}"
        );
        assert!(
            text.contains("beta:") && !errors.contains("Invalid"),
            "{text}{errors}"
        );
    }
    if has_tools(&["perf", "perf2bolt-19"]) {
        let (text, errors, done) = run_tool(
            "perf2bolt-19",
            &["-p", data, "-o", &beside("profile.fdata"), binary],
        );
        assert!(done, "{errors}");
        assert!(
            text.contains("traces mismatching disassembled function contents: 0"),
            "{text}"
        );
        let profile = std::fs::read(beside("profile.fdata")).unwrap();
        assert!(!profile.is_empty());
    }
}
