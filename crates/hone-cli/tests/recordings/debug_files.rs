//! `hone convert` of stripped binaries, whose debug information lies elsewhere.

use crate::common::{has_tools, hone_with, run_in, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned step(unsigned x) { return x % 3 ? x * 5 : x / 3 + 7; }
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (unsigned i = 0; i < 60000000; i++) sum = step(sum + i);
    printf(\"%u\\n\", sum);
}
";

/// A recording of `p`, which is then split into `stripped` and `debug`, without a link between them.
fn recorded() -> Option<tempfile::TempDir> {
    if !has_tools(&["clang-19", "llvm-objcopy-19", "llvm-readelf-19"]) {
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("p.c"), PROGRAM).unwrap();
    let flags = "-O2 -g -fdebug-info-for-profiling -Wl,--build-id p.c -o p";
    run_in(path, "clang-19", &flags.split(' ').collect::<Vec<_>>());
    let recording = hone_with(
        &["record", "-o", "p.data", "--overhead", "20%", "--", "./p"],
        path,
        &[],
    );
    assert!(recording.status.success(), "{}", stderr(&recording));
    run_in(
        path,
        "llvm-objcopy-19",
        &["--only-keep-debug", "p", "debug"],
    );
    run_in(path, "llvm-objcopy-19", &["--strip-all", "p", "stripped"]);
    Some(directory)
}

/// The text profile; or what was said instead.
fn convert(
    directory: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<String, String> {
    let all = [&["convert", "p.data", "--to", "autofdo-text"], arguments].concat();
    let output = hone_with(&all, directory, variables);
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(stderr(&output)),
    }
}

fn build_id(directory: &Path) -> String {
    let output = Command::new("llvm-readelf-19")
        .args(["-n", "p"])
        .current_dir(directory)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let id = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Build ID: "));
    id.expect("a build id").to_owned()
}

#[test]
fn debug_information_is_found_where_debuggers_look() {
    let Some(directory) = recorded() else { return };
    let directory = directory.path();
    let whole = convert(directory, &["--binary", "p"], &[]).unwrap();
    assert!(
        whole.contains("main:") && whole.contains("step:"),
        "{whole}"
    );
    let error = convert(directory, &["--binary", "stripped"], &[]).unwrap_err();
    assert!(error.contains("--debug-file"), "{error}");

    let given = ["--binary", "stripped", "--debug-file", "debug"];
    assert_eq!(convert(directory, &given, &[]), Ok(whole.clone()));

    let cache = directory.join("cache");
    let filed = cache.join(build_id(directory));
    fs::create_dir_all(&filed).unwrap();
    fs::copy(directory.join("debug"), filed.join("debuginfo")).unwrap();
    let variables = [("DEBUGINFOD_CACHE_PATH", cache.to_str().unwrap())];
    let found = convert(directory, &["--binary", "stripped"], &variables);
    assert_eq!(found, Ok(whole.clone()));

    fs::create_dir(directory.join(".debug")).unwrap();
    fs::copy(directory.join("debug"), directory.join(".debug/debug")).unwrap();
    run_in(
        directory,
        "llvm-objcopy-19",
        &["--add-gnu-debuglink=debug", "stripped", "linked"],
    );
    fs::rename(directory.join("debug"), directory.join("gone")).unwrap();
    assert_eq!(convert(directory, &["--binary", "linked"], &[]), Ok(whole));
}

#[test]
fn the_debug_file_of_another_build_is_refused() {
    let Some(directory) = recorded() else { return };
    let directory = directory.path();
    fs::write(directory.join("q.c"), "int main(void) { return 3; }").unwrap();
    run_in(
        directory,
        "clang-19",
        &["-g", "-Wl,--build-id", "q.c", "-o", "q"],
    );
    let arguments = ["--binary", "stripped", "--debug-file", "q"];
    let error = convert(directory, &arguments, &[]).unwrap_err();
    assert!(error.contains("belongs to the build"), "{error}");
    assert!(error.contains(&build_id(directory)), "{error}");
}
