//! Fences round the target: system call filters, other users, containers.

use super::alone;
use super::recording::{LONGER, Recording, ways};
use super::role::{Role, last, play};
use super::target::{Running, children, held};
use super::truth;
use crate::common::{Program, compile};
use hone_profile::{BinaryKind, BuildId};
use hone_record::Snapshot;
use object::Object;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::copy_program;

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_recording_makes_a_fenced_process_call_nothing() {
    let Some(sandboxed) = compile("sandboxed.c", &[]) else {
        return;
    };
    for snapshot in ways() {
        for longer in LONGER {
            let rounds = 400 * longer;
            let mut target = Running::start(&sandboxed.binary, &[&rounds.to_string()]);
            let recording = Recording::of(target.pid, snapshot).until_it_records();
            target.open();
            let (output, status) = target.end();
            let expected = ("right\n", Some(42));
            assert_eq!(
                (output.as_str(), status.code()),
                expected,
                "{snapshot:?}: {status}"
            );
            match recording.ended() {
                Ok(recorded) if recorded.is_walked() => break,
                Ok(recorded) => assert!(longer < LONGER[3], "{:?}", recorded.summary),
                // The kernel may leave it no call to go on with after a stop.
                Err(error) => {
                    let told = error.to_string();
                    assert!(told.contains("seccomp"), "{snapshot:?}: {told}");
                    break;
                }
            }
        }
    }
}

/// The user `nobody`.
const NOBODY: u32 = 65_534;

fn am_root() -> bool {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    if !root {
        println!("skipped: not root");
    }
    root
}

/// Whether users without rights may record processes of their own here.
fn others_may_record() -> bool {
    let setting = |path: &str| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.trim().parse::<i32>().unwrap_or(0)
    };
    let paranoid = setting("/proc/sys/kernel/perf_event_paranoid");
    let scope = setting("/proc/sys/kernel/yama/ptrace_scope");
    if paranoid > 2 || scope > 0 {
        println!("skipped: perf_event_paranoid is {paranoid}, yama's ptrace_scope {scope}");
    }
    paranoid <= 2 && scope == 0
}

/// Lets another user into a program's directory, with a copy of this test binary in it.
fn open_to_others(program: &Program) -> PathBuf {
    let directory = program.directory.path();
    fs::set_permissions(directory, fs::Permissions::from_mode(0o777)).expect("its owner's right");
    let copy = directory.join("recorder");
    copy_program(&std::env::current_exe().expect("this program"), &copy);
    copy
}

#[test]
fn another_users_process_is_refused_with_what_is_needed() {
    if !am_root() || !others_may_record() {
        return;
    }
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    let recorder = open_to_others(&burn);
    for snapshot in ways() {
        let target = Running::start(&burn.binary, &["300", "return"]);
        let mut role = Role::of(
            target.pid,
            &burn.directory.path().join("out.data"),
            snapshot,
        );
        role.program.clone_from(&recorder);
        role.duration_s = 1.0;
        let output = play(role.command().uid(NOBODY).gid(NOBODY));
        let error = last(&output, "error ").unwrap_or_else(|| panic!("no error: {output}"));
        assert!(error.contains(&target.pid.to_string()), "{error}");
        let needs = ["root", "CAP_SYS_PTRACE", "same user"];
        assert!(needs.iter().all(|need| error.contains(need)), "{error}");
        assert!(!role.output.exists());
        target.finds_nothing_wrong();
    }
}

#[test]
#[ignore = "finds by samples"]
fn a_user_without_rights_records_processes_of_that_user() {
    let _alone = alone();
    if !am_root() || !others_may_record() {
        return;
    }
    let Some(burn) = compile("burn.c", &[]) else {
        return;
    };
    let recorder = open_to_others(&burn);
    for snapshot in ways() {
        let mut program = Command::new(&burn.binary);
        let mut target = Running::command(program.args(["told", "return"]).uid(NOBODY).gid(NOBODY));
        target.open();
        let output = burn.directory.path().join(format!("{snapshot:?}.data"));
        let mut role = Role::of(target.pid, &output, snapshot);
        role.program.clone_from(&recorder);
        for longer in LONGER {
            role.duration_s = 1.5 * longer as f64;
            let said = play(role.command().uid(NOBODY).gid(NOBODY));
            let recorded =
                last(&said, "recorded ").unwrap_or_else(|| panic!("{snapshot:?}: {said}"));
            assert!(
                recorded.contains("real-time priority"),
                "the fall-back is not told: {said}"
            );
            // Without priority registers are out of date before they are used.
            if snapshot == Snapshot::Preempt || !recorded.starts_with("0 ") {
                break;
            }
            assert!(longer < LONGER[3], "no walks: {said}");
        }
        assert!(role.output.exists());
        assert_eq!(held(target.pid), []);
        target.finds_nothing_wrong();
    }
}

/// Without priority the recorder may come when a thread sleeps in the kernel; it must find another way then than to
/// interrupt it.
#[test]
#[ignore = "finds by samples"]
fn nor_does_a_recording_without_rights() {
    let _alone = alone();
    if !am_root() || !others_may_record() {
        return;
    }
    let Some(sandboxed) = compile("sandboxed.c", &[]) else {
        return;
    };
    let recorder = open_to_others(&sandboxed);
    for snapshot in ways().into_iter().chain([Snapshot::Auto]) {
        let mut program = Command::new(&sandboxed.binary);
        let mut target = Running::command(program.arg("1500").uid(NOBODY).gid(NOBODY));
        let output = sandboxed
            .directory
            .path()
            .join(format!("{snapshot:?}.data"));
        let mut role = Role::of(target.pid, &output, snapshot);
        role.program.clone_from(&recorder);
        target.open();
        let said = play(role.command().uid(NOBODY).gid(NOBODY));
        let (output, status) = target.end();
        let expected = ("right\n", Some(42));
        assert_eq!(
            (output.as_str(), status.code()),
            expected,
            "{snapshot:?}: {status}, {said}"
        );
        let told = last(&said, "error ").is_some_and(|error| error.contains("seccomp"));
        assert!(
            last(&said, "recorded ").is_some() || told,
            "{snapshot:?}: {said}"
        );
    }
}

fn build_id(path: &Path) -> Option<BuildId> {
    let bytes = fs::read(path).ok()?;
    BuildId::new(object::File::parse(&*bytes).ok()?.build_id().ok()??)
}

/// In the container another program stands at the path that we know.
#[test]
#[ignore = "finds by samples"]
fn a_container_is_recorded_as_it_sees_itself() {
    let _alone = alone();
    let flags = ["-Wl,--build-id"];
    let (Some(ours), Some(theirs)) = (
        compile("burn.c", &flags),
        compile("burn.c", &["-O3", flags[0]]),
    ) else {
        return;
    };
    let path = text(&ours.binary);
    let (our_id, their_id) = (build_id(&ours.binary), build_id(&theirs.binary));
    assert!(our_id.is_some() && their_id.is_some() && our_id != their_id);
    for snapshot in ways() {
        let mut unshare = Command::new("unshare");
        unshare.args([
            "--fork",
            "--kill-child",
            "--pid",
            "--mount-proc",
            "sh",
            "-c",
        ]);
        unshare.args([
            "mount --bind \"$0\" \"$1\" && exec \"$1\" 2000 return",
            text(&theirs.binary),
            path,
        ]);
        let mut target = Running::command(&mut unshare);
        if target.greeting != "ready" {
            println!("skipped: no right to make namespaces");
            return;
        }
        let inside = children(target.pid);
        assert_eq!(inside.len(), 1);
        let recording = Recording::of(inside[0], snapshot).until_it_records();
        target.pid = inside[0];
        target.finds_nothing_wrong();
        let recorded = recording.ended().expect("a recording");
        let elsewhere = BTreeMap::from([(path.to_owned(), text(&theirs.binary).to_owned())]);
        let checked = truth::check(&recorded.has_walks().profile, &elsewhere);
        assert!(checked.get(path) > Some(&100), "{snapshot:?}: {checked:?}");
        assert!(
            recorded
                .profile
                .threads
                .iter()
                .any(|thread| thread.pid == inside[0])
        );
        let files = recorded
            .profile
            .binaries
            .iter()
            .filter(|b| b.kind == BinaryKind::File);
        for binary in files.filter(|binary| binary.path == path) {
            assert_eq!(
                binary.build_id, their_id,
                "{snapshot:?}: the build id of another file"
            );
        }
    }
}
