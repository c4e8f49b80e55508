//! What cannot be recorded is refused with facts, and leaves nothing behind.

use hone_record::{BranchSource, Engine, Options, RecordError, Sampler, Summary, Target, record};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

fn try_to(options: &Options) -> Result<Summary, RecordError> {
    record(options, &AtomicBool::new(false), &mut |_| {})
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn programs_that_cannot_run_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.data");
    let file = |name: &str, mode: u32, content: &[u8]| {
        let path = directory.path().join(name);
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let plain = file("plain", 0o644, b"text");
    let garbage = file("garbage", 0o755, b"no program, nor a script\n");
    let orphan = file("orphan", 0o755, b"#!/no/such/interpreter\n");
    type Check = fn(&RecordError) -> bool;
    let cases: [(&str, Check); 7] = [
        ("no-such-program-anywhere", |e| {
            matches!(e, RecordError::ProgramNotFound { path: Some(_), .. })
        }),
        ("/no/such/program", |e| {
            matches!(e, RecordError::ProgramNotFound { path: None, .. })
        }),
        ("/", |e| matches!(e, RecordError::ProgramIsDirectory { .. })),
        (&plain, |e| {
            matches!(e, RecordError::ProgramNotExecutable { .. })
        }),
        (&garbage, |e| {
            matches!(e, RecordError::ProgramNotRunnable { .. })
        }),
        (&orphan, |e| {
            matches!(e, RecordError::ProgramNotRunnable { .. })
        }),
        ("", |e| matches!(e, RecordError::EmptyCommand)),
    ];
    for (program, expected) in cases {
        for branches in [BranchSource::None, BranchSource::Walk] {
            let mut options = Options::command([program], &output);
            options.branches = branches;
            let error = try_to(&options).unwrap_err();
            assert!(expected(&error), "{program}: {error:?}");
            assert!(error.to_string().contains(program), "{error}");
        }
    }
    let mut left = names(directory.path());
    left.sort();
    assert_eq!(left, ["garbage", "orphan", "plain"]);
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_anything_starts() {
    let directory = tempfile::tempdir().unwrap();
    let sign = directory.path().join("sign");
    for output in [
        "/no/such/directory/out.data",
        "/",
        "/dev/null",
        directory.path().to_str().unwrap(),
    ] {
        let options = Options::command(["touch".as_ref(), sign.as_os_str()], output);
        let error = try_to(&options).unwrap_err();
        assert!(
            matches!(error, RecordError::Output { .. }),
            "{output}: {error:?}"
        );
        assert!(error.to_string().contains(output), "{error}");
    }
    assert!(names(directory.path()).is_empty());
    assert!(fs::metadata("/dev/null").is_ok_and(|meta| !meta.is_file()));
}

#[test]
fn directories_and_outputs_of_the_command_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.data");
    let with = |cwd: Option<&str>, stdout: Option<&str>| {
        let target = Target::Command {
            argv: vec!["true".into()],
            env: Vec::new(),
            cwd: cwd.map(Into::into),
            stdout: stdout.map(Into::into),
        };
        try_to(&Options::new(target, &output)).unwrap_err()
    };
    assert!(matches!(
        with(Some("/no/such"), None),
        RecordError::WorkingDirectory { .. }
    ));
    assert!(matches!(
        with(Some("/dev/null"), None),
        RecordError::WorkingDirectory { .. }
    ));
    assert!(matches!(
        with(None, Some("/no/such/file")),
        RecordError::CommandOutput { .. }
    ));
    assert!(names(directory.path()).is_empty());
}

#[test]
fn processes_are_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.data");
    let own = std::process::id() as i32;
    let of = |pid, sampler, branches, walker| {
        let mut options = Options::new(Target::Processes { pids: vec![pid] }, &output);
        options.sampler = sampler;
        options.branches = branches;
        options.walker = walker;
        try_to(&options).unwrap_err()
    };
    let error = of(i32::MAX, Sampler::Auto, BranchSource::None, Engine::Auto);
    assert!(
        matches!(error, RecordError::NoSuchProcess { .. }),
        "{error:?}"
    );
    let error = of(own, Sampler::Auto, BranchSource::Walk, Engine::Step);
    assert!(
        matches!(error, RecordError::StepNeedsCommand { .. }),
        "{error:?}"
    );
    // No process can trace itself.
    let error = of(own, Sampler::Auto, BranchSource::Walk, Engine::Emulate);
    assert!(
        matches!(error, RecordError::MayNotWalk { .. })
            && error.to_string().contains("CAP_SYS_PTRACE"),
        "{error:?}"
    );
    let error = of(own, Sampler::Ptrace, BranchSource::None, Engine::Auto);
    assert!(
        matches!(error, RecordError::ProcessNeedsPerf { .. }),
        "{error:?}"
    );
    assert!(names(directory.path()).is_empty());
}

#[test]
fn settings_out_of_range_are_named() {
    let with = |change: fn(&mut Options)| {
        let mut options = Options::command(["true"], "/no/such/out.data");
        change(&mut options);
        try_to(&options).unwrap_err().to_string()
    };
    assert!(with(|o| o.frequency_hz = Some(0)).contains("frequency_hz"));
    assert!(with(|o| o.walks_per_s = f64::NAN).contains("walks_per_s"));
    assert!(with(|o| o.walk_instructions_max = 0).contains("walk_instructions_max"));
    assert!(with(|o| o.overhead = 0.0).contains("overhead"));
    assert!(with(|o| o.walk_branches_max = 1).contains("walk_branches_max"));
    assert!(with(|o| o.branch_depth = 1).contains("branch_depth"));
    assert!(with(|o| o.duration_s = Some(-1.0)).contains("duration_s"));
}

#[test]
fn hardware_branches_are_an_error_where_there_are_none() {
    if hone_record::capabilities().branch_stack.works {
        println!("skipped: this machine has branch records");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let mut options = Options::command(["true"], directory.path().join("out.data"));
    options.branches = BranchSource::Lbr;
    let error = try_to(&options).unwrap_err();
    assert!(
        matches!(error, RecordError::NoBranchHardware { .. }),
        "{error:?}"
    );
    assert!(names(directory.path()).is_empty());
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_left() {
    let directory = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(directory.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        println!("skipped: no right to mount a small file system");
        return;
    }
    let mut options = Options::command(
        [
            "sh",
            "-c",
            "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done",
        ],
        directory.path().join("out.data"),
    );
    options.branches = BranchSource::None;
    options.frequency_hz = Some(2_000);
    let result = try_to(&options);
    let left = names(directory.path());
    let _ = Command::new("umount").arg(directory.path()).output();
    let error = result.unwrap_err();
    assert!(matches!(error, RecordError::Output { .. }), "{error:?}");
    assert!(error.to_string().contains("out.data"), "{error}");
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn capabilities_are_tried() {
    let capabilities = hone_record::capabilities();
    for probe in [
        capabilities.hardware_cycles,
        capabilities.cpu_clock,
        capabilities.branch_stack,
        capabilities.kernel_samples,
        capabilities.cpu_clock_of_cpus,
        capabilities.ptrace_child,
        capabilities.real_time_priority,
    ] {
        assert_eq!(probe.works, probe.why.is_empty(), "{probe:?}");
    }
    assert!(
        capabilities
            .perf_event_paranoid
            .is_none_or(|level| (-1..=4).contains(&level))
    );
}
