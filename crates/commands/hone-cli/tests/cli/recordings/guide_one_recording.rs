//! The commands of docs/optimize/one-recording.md, run as they are written.

use crate::common::{has_tools, stderr, stdout};
use std::path::Path;
use std::process::{Command, Output};
use testkit::documents::blocks;

/// Runs a block in a shell that knows `hone`.
fn run(block: &str, directory: &Path) -> Output {
    let own = Path::new(env!("CARGO_BIN_EXE_hone")).parent().unwrap();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let others = std::env::split_paths(&others);
    let path = std::env::join_paths([own.to_owned()].into_iter().chain(others));
    Command::new("sh")
        .args(["-euc", block])
        .env("PATH", path.unwrap())
        .current_dir(directory)
        .output()
        .unwrap()
}

#[test]
#[ignore = "further end to end"]
fn the_commands_run_as_they_are_written() {
    if !has_tools(&["clang++-19", "llvm-bolt-19"]) {
        return;
    }
    let mut blocks = blocks();
    blocks.retain(|block| {
        block.place.starts_with("docs/optimize/one-recording.md:") && block.language == "sh"
    });
    assert!(blocks.len() >= 7, "{} blocks of commands", blocks.len());
    let directory = tempfile::tempdir().unwrap();
    let mut has_go = false;
    for block in blocks.iter().map(|block| block.text.as_str()) {
        let is_go = block.lines().any(|line| line.starts_with("go "));
        if is_go && !has_tools(&["go"]) {
            continue;
        }
        has_go |= is_go;
        let output = run(block, directory.path());
        let said = stdout(&output) + &stderr(&output);
        assert!(output.status.success(), "{block}\n{said}");
    }
    let result = |program: &str| {
        let output = run(&format!("./{program} 1000000"), directory.path());
        assert!(output.status.success(), "{program}: {}", stderr(&output));
        stdout(&output)
    };
    let expected = result("filters");
    for program in ["filters-autofdo", "filters-bolt", "filters-ordered"] {
        assert_eq!(result(program), expected, "{program}");
    }
    if has_go {
        assert_eq!(result("sums-pgo"), result("sums"));
    }
}
