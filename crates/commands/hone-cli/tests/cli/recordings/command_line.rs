//! What the command line promises whatever is recorded: FILE.old, one meaning of --json, errors before the work.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::common::{has_tools, hone, run_in, stderr, stdout};

/// Enough work for some samples.
const WORK: &str = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo said";

#[test]
fn the_former_recording_is_kept_and_the_summary_is_the_only_document() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let record = [
        "record",
        "--branches",
        "none",
        "--json",
        "--",
        "sh",
        "-c",
        WORK,
    ];
    let first = hone(&record, directory);
    let summary: Value = serde_json::from_slice(&first.stdout).expect("only the summary");
    assert!(summary["samples"].as_u64().unwrap() > 0, "{summary}");
    let seconds = |key: &str| summary[key].as_f64().unwrap();
    assert!(seconds("cost_s") >= seconds("stopped_s"), "{summary}");
    assert!(stderr(&first).contains("said"), "{}", stderr(&first));
    assert!(!directory.join("hone.data.old").exists());
    let former = fs::read(directory.join("hone.data")).unwrap();
    let words = [&record[..3], &record[4..]].concat();
    let second = hone(&words, directory);
    assert_eq!(stdout(&second), "said\n");
    assert!(fs::read(directory.join("hone.data.old")).unwrap() == former);
    assert!(fs::read(directory.join("hone.data")).unwrap() != former);
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_started() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let step = "make its directory first, or name another place";
    for (words, step) in [
        (
            &["record", "-o", "no/x", "--", "touch", "started"][..],
            format!("{step}, with -o FILE"),
        ),
        (&["bench", "touch started", "-o", "no/x"], step.to_owned()),
        (&["view", "missing.data", "-o", "no/x"], step.to_owned()),
        (
            &[
                "convert",
                "missing.data",
                "--binary",
                "b",
                "--to",
                "text",
                "-o",
                "no/x",
            ],
            step.to_owned(),
        ),
        (&["merge", "missing.prof", "-o", "no/x"], step.to_owned()),
    ] {
        let output = hone(words, directory);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = stderr(&output);
        assert!(
            said.contains("no/x") && said.ends_with(&format!("\nnext: {step}\n")),
            "{words:?}: {said}"
        );
    }
    assert!(!directory.join("started").exists());
}

#[test]
fn a_hone_toml_of_init_names_its_blanks() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("Makefile"), "PROG = serve\n").unwrap();
    let output = hone(&["init"], directory);
    assert_eq!(
        stdout(&output).lines().next(),
        Some("./hone.toml: for make"),
        "{}",
        stderr(&output)
    );
    for words in [&["optimize", "--dry-run"][..], &["optimize"]] {
        let output = hone(words, directory);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(
            stderr(&output),
            "hone: hone.toml: left to fill in: train.train.command, measure.measure.command\nnext: write what is meant in \
             place of each FILL_IN\n"
        );
        assert_eq!(
            stdout(&output).contains("baseline: build as"),
            words.len() == 2,
            "{words:?}"
        );
    }
    let left = ["init"];
    assert_eq!(hone(&left, directory).status.code(), Some(2));
}

#[test]
fn a_command_without_its_dashes_is_told_with_its_options() {
    let directory = tempfile::tempdir().unwrap();
    for (words, expected) in [
        ("./server --port 1", "hone record -- ./server --port 1"),
        ("-F 99 ./server -x", "hone record -- ./server -x"),
        ("./server", "hone record -- ./server"),
        ("-o ./server ./server -x", "hone record -- ./server -x"),
    ] {
        let line: Vec<_> = ["record"].into_iter().chain(words.split(' ')).collect();
        let output = hone(&line, directory.path());
        assert_eq!(output.status.code(), Some(2));
        let text = format!(
            "hone: './server' is not an option\nnext: put a command behind --: {expected}\n"
        );
        assert_eq!(stderr(&output), text, "{words}");
    }
    // An option of Hone's that is misspelt is none of a command's.
    let misspelt = hone(
        &["record", "--freqency", "99", "--", "true"],
        directory.path(),
    );
    assert_eq!(misspelt.status.code(), Some(2));
    let said = stderr(&misspelt);
    assert!(
        said.contains("--freqency") && said.contains("--frequency"),
        "{said}"
    );
}

#[test]
fn what_stands_in_the_place_of_something_else_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("perf.data"), b"PERFILE2........").unwrap();
    fs::copy(env!("CARGO_BIN_EXE_hone"), directory.join("server")).unwrap();
    let no_recording = "server: it is a program or a library, and no recording\nnext: name a recording of it; hone record \
                        -- PROGRAM makes one\n";
    for (words, expected) in [
        (
            &["record", "perf.data"][..],
            "perf.data is a recording, and no command\nnext: look at it: hone top perf.data\n",
        ),
        (&["top", "server"], no_recording),
        (&["view", "server"], no_recording),
        (
            &["bench", "./server", "--opt"],
            "next: put each command with its arguments into quotes: hone bench './old --work' './new --work'\n",
        ),
    ] {
        let output = hone(words, directory);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = stderr(&output);
        assert!(said.ends_with(expected), "{words:?}: {said}");
    }
}

#[test]
fn a_process_that_proc_hides_is_not_called_missing() {
    if !rustix::process::getuid().is_root() || !has_tools(&["unshare", "setpriv"]) {
        return println!("skipped: it takes root, unshare and setpriv");
    }
    let directory = tempfile::tempdir().unwrap();
    let everyone = fs::Permissions::from_mode(0o777);
    fs::set_permissions(directory.path(), everyone).unwrap();
    run_in(
        directory.path(),
        "cp",
        &[env!("CARGO_BIN_EXE_hone"), "hone"],
    );
    let nobody = "exec setpriv --reuid=65534 --regid=65534 --clear-groups ./hone record -p";
    let run = |line: &str| {
        let output = Command::new("unshare")
            .args(["-m", "sh", "-c", line])
            .current_dir(directory.path())
            .output()
            .unwrap();
        (output.status.code(), stderr(&output))
    };
    let hide = "mount -t proc -o hidepid=2 proc /proc";
    if run(hide).0 != Some(0) {
        return println!("skipped: /proc cannot be mounted here");
    }
    // This test, which runs as root.
    let own = std::process::id();
    let (status, said) = run(&format!("{hide} && {nobody} {own} --duration 1"));
    assert_eq!(status, Some(2), "{said}");
    assert!(
        said.contains("hides it (hidepid)") && said.contains("as root"),
        "{said}"
    );
    let (status, said) = run(&format!("{nobody} {own} --duration 1"));
    assert_eq!(status, Some(2), "{said}");
    assert!(
        said.contains("another user (uid 0)") && said.contains("sudo"),
        "{said}"
    );
    let (status, said) = run(&format!("{nobody} 2147483000 --duration 1"));
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("there is no process"), "{said}");
}
