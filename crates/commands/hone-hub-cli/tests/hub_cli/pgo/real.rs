//! Profiles of real programs: recorded by Hone as hosts do, sent to a hub, taken by the compilers.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hone_record::BranchSource;
use tempfile::tempdir;
use testkit::fleet::{DAY_S, SERVICE};
use testkit::has_tools;

use super::recorded::{Build, source};
use super::{moved, pgo, put, says};
use crate::common::{ANY_PORT, Hub};
use crate::fleet::send;

/// Recordings of some seconds have few samples.
const FEW: &str = "[pgo.profile.gates]\nsamples_min = 100\n";

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it was there a moment ago");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned() + &said
}

/// Starts a hub that has the files of these builds.
fn hub(directory: &Path, builds: &[&Build]) -> Hub {
    let files: Vec<Vec<u8>> = builds
        .iter()
        .map(|build| fs::read(&build.path).unwrap())
        .collect();
    put(directory, files.iter().map(Vec::as_slice));
    Hub::start(directory, &format!("{ANY_PORT}{FEW}"))
}

/// Returns the profile that was written, of which there is one.
fn written(directory: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(directory.join("profiles").join(SERVICE)).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let mut found = paths.filter(|path| path.extension() == Some(OsStr::new(ending)));
    found.next().expect("a profile")
}

#[test]
#[ignore = "finds by samples"]
fn clang_takes_the_profile_of_two_hosts_and_two_builds() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempdir().unwrap();
    let path = directory.path();
    let compile = |flags: &[&str], output: &Path| {
        let mut command = Command::new("clang++-19");
        command
            .args(["-O2", "-gline-tables-only", "-fdebug-info-for-profiling"])
            .args(["-Wl,--build-id=sha1"])
            .args(flags)
            .arg(source("service.cpp"))
            .arg("-o")
            .arg(output);
        command
    };
    let old = Build::new(path, "old", |output| compile(&[], output));
    let new = Build::new(path, "new", |output| compile(&["-DNEWER"], output));
    let hub = hub(path, &[&old, &new]);
    let walk = BranchSource::Walk;
    send(
        &hub,
        &moved(old.batch(path, "host-1", DAY_S, 400_000, walk)),
    );
    send(&hub, &moved(new.batch(path, "host-2", 60, 400_000, walk)));
    let words = [SERVICE, "--write", "profiles"];
    says(
        &pgo(path, &hub, &words),
        0,
        &format!("new, of build {}", new.id),
    );

    // A warning about the profile would be an error.
    let profile = written(path, "prof");
    let option = format!("-fprofile-sample-use={}", profile.display());
    run(&mut compile(
        &["-DNEWER", "-Werror", &option],
        &path.join("optimised"),
    ));
    let flags = ["-DNEWER", "-S", "-emit-llvm", &option];
    run(&mut compile(&flags, &path.join("optimised.ll")));
    let code = fs::read_to_string(path.join("optimised.ll")).unwrap();
    assert!(code.contains("\"SampleProfile\"") && code.contains("function_entry_count"));
    // Symbols are those of the new build alone, and half of the weight is of the old one.
    let order = pgo(
        path,
        &hub,
        &[&words[..], &["--form", "symbol-order"]].concat(),
    );
    says(
        &order,
        1,
        "the form names addresses of the target build alone",
    );
    let show = Command::new("llvm-profdata-19")
        .args(["show", "--sample"])
        .arg(&profile)
        .output();
    match show {
        Ok(shown) => {
            let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
            assert!(shown.contains("sum_of"), "names of the new build: {shown}");
        }
        Err(_) => println!("skipped: llvm-profdata-19 is not installed"),
    }
}

#[test]
#[ignore = "finds by samples"]
fn go_builds_with_the_profile() {
    if !has_tools(&["go"]) {
        return;
    }
    let directory = tempdir().unwrap();
    let path = directory.path();
    let build = |output: &Path, pgo: &str| {
        let mut command = Command::new("go");
        command
            .args(["build", "-ldflags=-B=gobuildid", pgo, "-o"])
            .arg(output)
            .arg(source("service.go"));
        command
    };
    let service = Build::new(path, "one", |output| build(output, "-pgo=off"));
    let hub = hub(path, &[&service]);
    let sent = service.batch(path, "host-1", 60, 300_000, BranchSource::None);
    send(&hub, &moved(sent));
    let words = [
        SERVICE,
        "--write",
        "profiles",
        "--form",
        "go-pgo",
        "--copy",
        "default.pgo",
    ];
    says(&pgo(path, &hub, &words), 0, "new, of build");
    let option = format!("-pgo={}", path.join("default.pgo").display());
    run(&mut build(&path.join("optimised"), &option));
    // What Go's own tool reads in it is what the compiler uses.
    let words = ["tool", "preprofile", "-o", "edges", "-i", "default.pgo"];
    run(Command::new("go").args(words).current_dir(path));
    let edges = fs::read_to_string(path.join("edges")).unwrap();
    assert!(
        edges.contains("main.spin\nmain.step\n"),
        "the hot call is in it: {edges}"
    );
}
