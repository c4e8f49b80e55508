//! House rules that a program can check.

use std::fs;
use std::path::{Path, PathBuf};

/// Where unsafe code may stand.
const UNSAFE_ADDRESSES: [&str; 3] = [
    "crates/hone-record/",
    "crates/hone-agent/src/scan/",
    "crates/hone-agent/src/receive/sys.rs",
];

/// Lines of one Rust file; longer ones are split by meaning.
const LINES_MAX: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below a directory with this ending. What Hone itself has left there is not the project's.
fn files(directory: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with(".hone") {
                files(&path, ending, found);
            }
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&root().join("crates"), "rs", &mut found);
    files(&root().join("clients"), "rs", &mut found);
    assert!(found.len() > 100, "only {} files found", found.len());
    found
}

#[test]
fn documents_name_paths_that_exist() {
    for document in [
        "ARCHITECTURE.md",
        "STYLE.md",
        "CONTRIBUTING.md",
        "README.md",
    ] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let quoted = text.split('`').skip(1).step_by(2);
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let is_path = |word: &&str| {
            let plain = word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let known = [
                "crates/",
                "clients/",
                "docs/",
                "examples/",
                "go/",
                "bench/",
                "scripts/",
            ];
            let is_template = word.contains("NNNN");
            plain && !is_template && known.iter().any(|start| word.starts_with(start))
        };
        for path in quoted.chain(links).filter(is_path) {
            assert!(root().join(path).exists(), "{document} names {path}");
        }
    }
}

#[test]
fn files_fit_in_the_mind_and_say_why_they_exist() {
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        assert!(
            lines <= LINES_MAX,
            "{}: {lines} lines, split it by meaning",
            path.display()
        );
        let has_header = text.trim_start().starts_with("//!");
        assert!(
            lines <= 100 || has_header,
            "{}: no //! header",
            path.display()
        );
    }
}

#[test]
fn unsafe_code_stands_at_its_addresses() {
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.to_string_lossy();
        let is_its_address = UNSAFE_ADDRESSES
            .iter()
            .any(|address| name.contains(address));
        let uses = |line: &&str| {
            let code = line.split("//").next().unwrap_or("");
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        };
        let first = text.lines().find(uses).filter(|_| !is_its_address);
        let is_this_file = path.ends_with("tests/tidy.rs");
        assert!(
            first.is_none() || is_this_file,
            "{}: {first:?}",
            path.display()
        );
    }
    let client = root().join("clients/rust/src/lib.rs");
    let text = fs::read_to_string(&client).unwrap();
    assert!(text.contains("#![forbid(unsafe_code)]"));
    for library in [
        "profile", "symbols", "fdo", "measure", "build", "report", "emulate", "views", "diagnose",
        "unwind",
    ] {
        let lib = root().join(format!("crates/hone-{library}/src/lib.rs"));
        let text = fs::read_to_string(&lib).unwrap();
        assert!(
            text.contains("#![forbid(unsafe_code)]"),
            "{}",
            lib.display()
        );
    }
}
