//! Recordings of everybody and of a cgroup: processes that ran before, start later, become others or are moved.

use crate::common::compile;
use hone_profile::{BinaryKind, Profile, perf_data};
use hone_record::{BranchSource, CallGraph, Options, RecordError, Summary, Target};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use testkit::copy_program;

/// A child that is ended with the test.
struct Running(Child);

impl Running {
    fn start(program: &Path) -> Self {
        let mut command = Command::new(program);
        let command = command.arg("2000000000").stdout(Stdio::null());
        Self(command.spawn().expect("the program starts"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn options(directory: &Path, cgroup: Option<PathBuf>, script: &str) -> Options {
    let argv = vec!["sh".into(), "-c".into(), script.into()];
    let mut options = Options::new(
        Target::System { cgroup, argv },
        directory.join("recording.data"),
    );
    options.call_graph = CallGraph::Dwarf {
        stack_bytes: None,
        keeps_copies: false,
    };
    options.branches = BranchSource::None;
    options.frequency_hz = Some(199);
    options
}

/// Records; `None`, with a visible line, where this user may not.
fn record(options: &Options) -> Option<(Summary, Profile)> {
    match hone_record::record(options, &AtomicBool::new(false), &mut |_| {}) {
        Err(error @ (RecordError::SystemRefused { .. } | RecordError::NoCgroups { .. })) => {
            println!("skipped: {error}");
            None
        }
        outcome => {
            let summary = outcome.expect("a recording");
            let bytes = fs::read(&options.output).expect("a file");
            Some((
                summary,
                perf_data::read(&bytes).expect("a readable recording"),
            ))
        }
    }
}

/// Samples by thread name, and how many of them lie in the program of that name with a caller there too.
fn by_name(profile: &Profile) -> BTreeMap<String, (u64, u64)> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for sample in &profile.samples {
        let name = &profile.threads[sample.thread.index()].name;
        let in_program = |location| {
            let binary = profile.binary(profile.location(location).binary);
            binary.kind == BinaryKind::File && binary.path.ends_with(&format!("/{name}"))
        };
        let frames = sample.stack.map(|stack| profile.frames(stack));
        let own = frames
            .into_iter()
            .flatten()
            .filter(|frame| in_program(*frame));
        let count = counts.entry(name.clone()).or_default();
        count.0 += 1;
        // alpha or beta, and main.
        count.1 += u64::from(own.count() >= 2);
    }
    counts
}

/// Under these names, copies of one program that spins.
fn programs(names: &[&str]) -> Option<(tempfile::TempDir, Vec<PathBuf>)> {
    let program = compile("loops.c", &["-O0", "-fomit-frame-pointer"])?;
    let copy = |name: &&str| {
        let path = program.directory.path().join(name);
        copy_program(&program.binary, &path);
        path
    };
    let paths = names.iter().map(copy).collect();
    Some((program.directory, paths))
}

/// Most samples of a program lie in it, and know their caller.
fn is_known(counts: &BTreeMap<String, (u64, u64)>, name: &str) {
    let (all, known) = counts.get(name).copied().unwrap_or_default();
    assert!(known > 0 && known * 2 > all, "{name}: {counts:?}");
}

#[test]
#[ignore = "finds by samples"]
fn everybody_is_recorded_whenever_he_starts() {
    let Some((directory, paths)) = programs(&["ran_before", "became", "later"]) else {
        return;
    };
    let directory = directory.path();
    let _before = Running::start(&paths[0]);
    let script = format!(
        "(exec {} 6000000) & {} 6000000 & wait; exit 3",
        paths[1].display(),
        paths[2].display()
    );
    let Some((summary, profile)) = record(&options(directory, None, &script)) else {
        return;
    };
    assert_eq!(summary.exit_code, Some(3));
    assert!(summary.target_cpu_s > 0.0, "{summary:?}");
    let counts = by_name(&profile);
    for name in ["ran_before", "became", "later"] {
        is_known(&counts, name);
    }
    assert!(
        profile.threads.iter().all(|thread| thread.pid != 0),
        "CPUs that idle are not sampled"
    );
    let kernel = |binary: &hone_profile::Binary| binary.kind == BinaryKind::Kernel;
    assert!(profile.binaries.iter().any(kernel), "the kernel's part");
}

/// A cgroup for a test, removed with it.
struct Group(PathBuf);

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
#[ignore = "finds by samples"]
fn a_cgroup_is_recorded_and_nobody_else() {
    let group = hone_record::cgroup2_mount()
        .map(|mount| mount.join(format!("hone-test-{}", std::process::id())));
    let Some(group) = group.filter(|path| fs::create_dir(path).is_ok()).map(Group) else {
        println!("skipped: no cgroup of the second version can be made here");
        return;
    };
    let Some((directory, paths)) = programs(&["inside", "moved_in", "born", "outside"]) else {
        return;
    };
    let directory = directory.path();
    let procs = group.0.join("cgroup.procs");
    let _outside = Running::start(&paths[3]);
    let inside = Running::start(&paths[0]);
    fs::write(&procs, inside.0.id().to_string()).expect("a move");
    // It runs already when it is moved, so that the kernel tells nothing of its files.
    let moved = Running::start(&paths[1]);
    let script = format!(
        "echo {} > {procs}; (echo 0 > {procs}; {} 6000000); {} 6000000",
        moved.0.id(),
        paths[2].display(),
        paths[3].display(),
        procs = procs.display()
    );
    let recorded = record(&options(directory, Some(group.0.clone()), &script));
    if let Some((summary, profile)) = recorded {
        assert!(summary.target_cpu_s > 0.0, "{summary:?}");
        let counts = by_name(&profile);
        for name in ["inside", "moved_in", "born"] {
            is_known(&counts, name);
        }
        assert!(!counts.contains_key("outside"), "{counts:?}");
    }
    drop((inside, moved));
}

#[test]
fn what_cannot_be_recorded_of_everybody_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut walked = options(directory.path(), None, "true");
    walked.call_graph = CallGraph::Auto;
    walked.branches = BranchSource::Walk;
    let none = options(directory.path(), Some("no/such/group".into()), "true");
    for options in [walked, none] {
        let outcome = hone_record::record(&options, &AtomicBool::new(false), &mut |_| {});
        let error = outcome.expect_err("an error");
        let is_told = matches!(
            error,
            RecordError::Option {
                name: "branches",
                ..
            } | RecordError::NoSuchCgroup { .. }
                | RecordError::NoCgroups { .. }
        );
        assert!(is_told, "{error}");
        assert!(!options.output.exists());
    }
}
