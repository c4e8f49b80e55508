//! `hone record --to-hub`: what all processes do goes to a hub, and waits for it.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use testkit::{Receiver, until_true};

use crate::common::{hone, stderr};
use crate::system_wide::may_record_all;

/// A command that uses its CPU until there is a file of this name.
const UNTIL_A_FILE: &str = "while [ ! -e over ]; do :; done; exit 7";

pub(crate) fn start(directory: &Path, hub: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hone"))
        .args([
            "record", "--to-hub", hub, "-a", "--round", "0.5s", "-F", "99",
        ])
        .args(["--overhead", "100%", "--", "sh", "-c", UNTIL_A_FILE])
        .env("HONE_HUB_TOKEN", "the-token")
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "further end to end"]
fn a_command_says_for_how_long_and_what_could_not_be_sent_is_sent_by_the_next_run() {
    if !may_record_all() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let queue = directory.path().join("hone.queue/queue");
    let receiver = Receiver::start(false);
    let running = start(directory.path(), &receiver.url());
    let waiting = || fs::read_dir(&queue).map_or(0, Iterator::count);
    until_true("two batches wait", || waiting() > 1);
    fs::write(directory.path().join("over"), "").unwrap();
    let output = running.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(7), "the command's own: {said}");
    assert!(said.contains("batches wait for the hub"), "{said}");
    assert!(
        said.contains("not sent: ") && said.contains("hone.queue"),
        "{said}"
    );
    let left = waiting();
    assert!(left > 1);

    fs::remove_file(directory.path().join("over")).unwrap();
    let receiver = Receiver::start(true);
    let running = start(directory.path(), &receiver.url());
    for _ in 0..=left {
        let got = receiver.next();
        assert!(
            got.head.contains("authorization: bearer the-token"),
            "{}",
            got.head
        );
        assert!(got.batch.starts_with(b"HONB"));
    }
    fs::write(directory.path().join("over"), "").unwrap();
    let mut output = running.wait_with_output().unwrap();
    let mut said = stderr(&output);
    // A machine that stalls for longer than a recorder waits at its end: one more run sends the rest, and ends at once.
    for _ in 0..3 {
        if waiting() == 0 {
            break;
        }
        let running = start(directory.path(), &receiver.url());
        output = running.wait_with_output().unwrap();
        said = stderr(&output);
    }
    assert_eq!(output.status.code(), Some(7), "{said}");
    assert!(
        said.contains("batches sent") && !said.contains("not sent"),
        "{said}"
    );
    assert_eq!(waiting(), 0);
}

#[test]
fn what_cannot_go_to_a_hub_is_said_with_the_next_step() {
    let directory = tempfile::tempdir().unwrap();
    for (words, complaint) in [
        (&["--to-hub", "http://127.0.0.1:1"][..], "add -a"),
        (
            &["--to-hub", "127.0.0.1:1", "-a"],
            "http://hub:7007 is wanted",
        ),
        (
            &[
                "--to-hub",
                "http://127.0.0.1:1",
                "-a",
                "--token-file",
                "none",
            ],
            "hone-hub token new",
        ),
        (
            &["--to-hub", "http://127.0.0.1:1", "-a", "-p", "1"],
            "cannot be used with",
        ),
        (&["--round", "5s", "-a"], "--to-hub"),
    ] {
        let output = hone(&[&["record"], words].concat(), directory.path());
        let said = stderr(&output);
        assert!(said.contains(complaint), "{words:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{said}");
    }
    assert!(!directory.path().join("hone.queue").exists());
}
