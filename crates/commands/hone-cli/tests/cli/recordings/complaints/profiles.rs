//! Complaints about what comes out.

use super::WALK;
use crate::common::{has_tools, hone, stderr};

/// frankenphp#2407, pyroscope#2233, go#73640: merged profiles lose Function.start_line, and Go refuses them.
#[test]
#[ignore = "finds by samples"]
fn a_go_profile_of_two_recordings_is_taken_by_go() {
    if !has_tools(&["go"]) {
        return;
    }
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../optimize/hone-fdo/tests/programs/hot.go"
    );
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    let go = |arguments: &[&str]| {
        let mut command = std::process::Command::new("go");
        command.arg("build").args(arguments).arg(source);
        command.current_dir(dir).output().unwrap()
    };
    let built = go(&["-o", "p"]);
    assert!(built.status.success(), "{}", stderr(&built));
    for file in ["a.data", "b.data"] {
        let program = ["-o", file, "--", "./p", "100000"];
        let output = hone(&[&["record"], &WALK[..], &program].concat(), dir);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let words = ["--binary", "p", "--to", "go-pgo", "-o", "both.pgo"];
    let output = hone(
        &[&["convert", "a.data", "b.data"], &words[..]].concat(),
        dir,
    );
    assert!(output.status.success(), "{}", stderr(&output));
    // Go's compiler refuses a profile without start lines, and says when it follows one.
    let with = go(&["-pgo=both.pgo", "-gcflags=-m=2", "-o", "with"]);
    assert!(with.status.success(), "{}", stderr(&with));
    assert!(
        stderr(&with).contains("PGO devirtualizing"),
        "{}",
        stderr(&with)
    );
}
