//! `default.pgo` end to end: a Go program, recorded by perf, and what Go's compiler makes of the profile.

use crate::common::{Builder, Place, run};
use hone_fdo::code::{Code, Flow};
use hone_fdo::go_pgo::{self, Basis, GoPgoError, Stacks};
use hone_fdo::{Evidence, Recorded};
use hone_profile::{Profile, Svma, perf_data};
use hone_symbols::Binary;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use testkit::{go, has_tools};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/hot.go")
}

/// What the compiler says of its decisions.
fn build(go: &Path, directory: &Path, name: &str, options: &[&str]) -> String {
    build_source(go, &source(), directory, (name, options))
}

fn build_source(
    go: &Path,
    source: &Path,
    directory: &Path,
    (name, options): (&str, &[&str]),
) -> String {
    run(Command::new(go)
        .args(["build", "-gcflags=-m=2", "-o", name])
        .args(options)
        .arg(source)
        .current_dir(directory))
}

/// What the compiler says of its decisions by a profile. The packages that the program imports are taken as they are: `go build` would
/// compile all of them by the profile.
fn compile_by(go: &Path, source: &Path, directory: &Path, profile: &str) -> String {
    let export = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}";
    let listed = Command::new(go)
        .args(["list", "-export", "-deps", "-f", export])
        .arg(source)
        .current_dir(directory)
        .output()
        .expect("go was there a moment ago");
    std::fs::write(directory.join("imports"), &listed.stdout).expect("room on the disk");
    run(Command::new(go)
        .args(["tool", "compile", "-p", "main", "-m=2", "-o", "p.o"])
        .args(["-importcfg=imports", &format!("-pgoprofile={profile}")])
        .arg(source)
        .current_dir(directory))
}

/// Shares of the edges that Go's own tool sees in a profile: (caller, line offset, callee).
fn shares(go: &Path, directory: &Path, profile: &str) -> BTreeMap<(String, String, String), f64> {
    run(Command::new(go)
        .args(["tool", "preprofile", "-o", "edges.txt", "-i", profile])
        .current_dir(directory));
    let text = std::fs::read_to_string(directory.join("edges.txt")).expect("preprofile's output");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let mut weights = BTreeMap::new();
    for edge in lines.chunks_exact(3) {
        let (line, weight) = edge[2].split_once(' ').expect("a line and a weight");
        let key = (edge[0].to_owned(), line.to_owned(), edge[1].to_owned());
        *weights.entry(key).or_default() += weight.parse::<f64>().expect("a number");
    }
    let sum: f64 = weights.values().sum();
    weights.values_mut().for_each(|weight| *weight /= sum);
    weights
}

struct Run {
    directory: TempDir,
    recorded: Recorded,
    stacks: Stacks,
    binary: Vec<u8>,
}

/// Builds the program as `p` and records its call chains with perf; `None` where that cannot be done.
fn record(go: &Path) -> Option<Run> {
    if !has_tools(&["perf"]) {
        return None;
    }
    let directory = tempfile::tempdir().expect("a directory");
    build(go, directory.path(), "p", &[]);
    let recorded = Command::new("perf")
        .args(["record", "-q", "-g", "-F", "2000", "-e", "cpu-clock:u"])
        .args(["-o", "perf.data", "--", "./p", "100000"])
        .current_dir(directory.path())
        .output()
        .expect("perf was there a moment ago");
    if !recorded.status.success() {
        println!("skipped: perf cannot record here");
        return None;
    }
    let bytes = std::fs::read(directory.path().join("perf.data")).expect("perf wrote it");
    let profile = perf_data::read(&bytes).expect("a recording");
    let binary = std::fs::read(directory.path().join("p")).expect("go wrote it");
    Some(Run::new(profile, binary, Ok(directory)))
}

impl Run {
    fn new(profile: Profile, binary: Vec<u8>, directory: std::io::Result<TempDir>) -> Self {
        let mut stacks = Stacks::default();
        for sample in &profile.samples {
            stacks.add(&profile, sample);
        }
        Self {
            recorded: profile.into(),
            stacks,
            binary,
            directory: directory.expect("a directory"),
        }
    }

    fn write(&self, binary: &[u8]) -> Result<go_pgo::GoPgo, GoPgoError> {
        go_pgo::write(
            std::slice::from_ref(&self.recorded),
            std::slice::from_ref(&self.stacks),
            Evidence::Branches,
            Some("p"),
            binary,
        )
    }
}

const DEVIRTUALISED: &str = "PGO devirtualizing interface call s.area to square.area";
const INLINED: &str = "inlining call to step";

#[test]
#[ignore = "finds by samples"]
fn recorded_call_chains_make_go_inline_and_devirtualise() {
    let Some(go) = go() else {
        return;
    };
    let Some(recorded) = record(&go) else {
        return;
    };
    let pgo = recorded.write(&recorded.binary).expect("a profile");
    assert_eq!(pgo.report.basis, Basis::CallChains);
    assert!(pgo.report.callers_mended > 0, "{:?}", pgo.report);
    let again = recorded.write(&recorded.binary).expect("a profile");
    assert_eq!(again.bytes, pgo.bytes, "the same bytes every time");
    let directory = recorded.directory.path();
    std::fs::write(directory.join("hone.pgo"), &pgo.bytes).expect("room on the disk");

    let without = build(&go, directory, "without", &["-pgo=off"]);
    assert!(!without.contains(DEVIRTUALISED) && !without.contains(INLINED));
    let with = build(&go, directory, "with", &["-pgo=hone.pgo"]);
    assert!(
        with.contains(DEVIRTUALISED) && with.contains(INLINED),
        "{with}"
    );

    // The same program profiled by Go's runtime.
    run(Command::new("./p")
        .args(["600000", "cpu.pprof"])
        .current_dir(directory));
    let ours = shares(&go, directory, "hone.pgo");
    let theirs = shares(&go, directory, "cpu.pprof");
    let common = |(edge, share): (&_, &f64)| share.min(theirs.get(edge).copied().unwrap_or(0.0));
    let overlap: f64 = ours.iter().map(common).sum();
    println!("overlap of edges with runtime/pprof: {overlap:.3}");
    assert!(overlap > 0.6, "{overlap}: {ours:#?} {theirs:#?}");

    // Its addresses alone, with names and lines from the binary, give its edges again.
    let bytes = std::fs::read(directory.join("cpu.pprof")).expect("the program wrote it");
    let profile = hone_profile::pprof::read(&bytes).expect("a profile with addresses");
    let from_pprof = Run::new(profile, recorded.binary.clone(), tempfile::tempdir());
    let pgo = from_pprof.write(&recorded.binary).expect("a profile");
    std::fs::write(directory.join("again.pgo"), &pgo.bytes).expect("room on the disk");
    let again = shares(&go, directory, "again.pgo");
    let is_same =
        |edge: &_, share: f64| (again.get(edge).copied().unwrap_or(0.0) - share).abs() < 1e-9;
    for (edge, &share) in &theirs {
        assert!(
            is_same(edge, share),
            "{edge:?}: {share}, not {:?}",
            again.get(edge)
        );
    }
}

#[test]
fn samples_of_single_instructions_say_nothing_of_calls() {
    let Some(go) = go() else {
        return;
    };
    let directory = tempfile::tempdir().expect("a directory");
    build(&go, directory.path(), "p", &[]);
    let bytes = std::fs::read(directory.path().join("p")).expect("go wrote it");
    let binary = Binary::parse(&bytes).expect("a program");
    let mut whole = Chains::of(&binary);
    let step = whole.start("main.step");
    whole.add_alone(step, 7);
    let profile = whole.builder.profile;
    let recorded = Run::new(profile, bytes.clone(), Ok(directory));
    let error = recorded.write(&recorded.binary).err();
    assert!(
        matches!(error, Some(GoPgoError::NoCalls { .. })),
        "{error:?}"
    );
    let other = std::fs::read("/proc/self/exe").expect("this program");
    let error = recorded.write(&other).err();
    assert_eq!(error, Some(GoPgoError::NotGo));
    build(
        &go,
        recorded.directory.path(),
        "stripped",
        &["-ldflags=-s -w"],
    );
    let stripped = std::fs::read(recorded.directory.path().join("stripped")).expect("a file");
    let error = recorded.write(&stripped).err();
    let expected = GoPgoError::Fdo(hone_fdo::FdoError::NoDebugInfo);
    assert_eq!(error, Some(expected));
}

/// A recording with call chains that are known.
struct Chains<'c> {
    binary: &'c Binary<'c>,
    builder: Builder,
}

impl<'c> Chains<'c> {
    fn of(binary: &'c Binary<'c>) -> Self {
        let builder = Builder::new("cpu-clock", false, "p");
        Self { binary, builder }
    }

    fn start(&self, function: &str) -> Svma {
        self.binary
            .functions()
            .by_name(function)
            .expect("there")
            .start
    }

    /// Where the first call of that kind in a function returns to.
    fn behind_call(&self, function: &str, wanted: Flow) -> Svma {
        let code = Code::new(self.binary);
        let function = self.binary.functions().by_name(function).expect("there");
        let instructions = code.of_function(function);
        let call = (0..instructions.len()).find(|&index| instructions.flow(index) == wanted);
        instructions.address(call.expect("a call") + 1)
    }

    /// Where a function's call of another one returns to.
    fn behind_call_of(&self, function: &str, called: &str) -> Svma {
        let code = Code::new(self.binary);
        let function = self.binary.functions().by_name(function).expect("there");
        let instructions = code.of_function(function);
        let called = self.start(called);
        let calls_it = |&index: &usize| {
            // `call rel32`
            let bytes = self.binary.bytes_at(instructions.address(index), 5);
            let Some(&[0xe8, a, b, c, d]) = bytes else {
                return false;
            };
            let distance = i64::from(i32::from_le_bytes([a, b, c, d]));
            let next = instructions.address(index).0 + 5;
            Svma(next.wrapping_add_signed(distance)) == called
        };
        let call = (0..instructions.len()).find(calls_it).expect("a call");
        instructions.address(call + 1)
    }

    /// So many samples of an instruction, without its callers.
    fn add_alone(&mut self, leaf: Svma, samples: u64) {
        let offset = self.binary.file_offset_of(leaf).expect("loaded");
        for _ in 0..samples {
            self.builder.add_ip(Place::Program(offset), 1);
        }
    }

    /// So many samples of a leaf with its callers.
    fn add(&mut self, chain: &[Svma], samples: u64) {
        let program = self.builder.program;
        let profile = &mut self.builder.profile;
        let mut stack = None;
        for &svma in chain.iter().rev() {
            let offset = self.binary.file_offset_of(svma).expect("loaded");
            let location = profile.intern_location(program, offset);
            stack = Some(profile.intern_frame(location, stack));
        }
        let first = profile.samples.len();
        self.add_alone(chain[0], samples);
        for sample in &mut self.builder.profile.samples[first..] {
            sample.stack = stack;
        }
    }
}

/// The kernel goes up frame pointers, which leaves have none of: their callers are missing in the chains.
#[test]
fn chains_without_the_callers_of_leaves_make_go_inline_and_devirtualise() {
    let Some(go) = go() else {
        return;
    };
    let directory = tempfile::tempdir().expect("a directory");
    let without = build(&go, directory.path(), "p", &["-pgo=off"]);
    assert!(!without.contains(DEVIRTUALISED) && !without.contains(INLINED));
    let bytes = std::fs::read(directory.path().join("p")).expect("go wrote it");
    let binary = Binary::parse(&bytes).expect("a program");
    let mut chains = Chains::of(&binary);
    for (leaf, entered, samples) in [
        ("main.step", "main.spin", 600),
        ("main.(*square).area", "main.total", 390),
        ("main.(*circle).area", "main.total", 10),
    ] {
        let chain = [
            chains.start(leaf),
            chains.behind_call_of("main.main", entered),
        ];
        chains.add(&chain, samples);
    }
    let recorded = Run::new(chains.builder.profile, bytes.clone(), Ok(directory));
    let pgo = recorded.write(&bytes).expect("a profile");
    assert_eq!(pgo.report.basis, Basis::CallChains);
    let callers = (pgo.report.callers_mended, pgo.report.callers_unknown);
    assert_eq!(callers, (1000, 0), "{:?}", pgo.report);
    let again = recorded.write(&bytes).expect("a profile");
    assert_eq!(again.bytes, pgo.bytes, "the same bytes every time");
    let directory = recorded.directory.path();
    std::fs::write(directory.join("hone.pgo"), &pgo.bytes).expect("room on the disk");
    let shares = shares(&go, directory, "hone.pgo");
    let of = |caller: &str, callee: &str| -> f64 {
        let edges = shares.iter();
        let edges = edges.filter(|(edge, _)| edge.0 == caller && edge.2 == callee);
        edges.map(|(_, share)| share).sum()
    };
    // Each stack has a second edge, from main.
    let leaves = [
        of("main.spin", "main.step"),
        of("main.total", "main.square.area"),
        of("main.total", "main.(*circle).area"),
    ];
    let all: f64 = leaves.iter().sum();
    let expected = [0.6, 0.39, 0.01];
    let is_near = |(found, expected): (&f64, f64)| (found / all - expected).abs() < 1e-6;
    assert!(leaves.iter().zip(expected).all(is_near), "{shares:#?}");
    let with = compile_by(&go, &source(), directory, "hone.pgo");
    assert!(
        with.contains(DEVIRTUALISED) && with.contains(INLINED),
        "{with}"
    );
}

#[test]
fn the_wrapper_of_an_embedded_method_does_not_turn_go_to_the_rare_target() {
    let Some(go) = go() else {
        return;
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/wrapped.go");
    let directory = tempfile::tempdir().expect("a directory");
    build_source(&go, &source, directory.path(), ("p", &["-pgo=off"]));
    let bytes = std::fs::read(directory.path().join("p")).expect("go wrote it");
    let binary = Binary::parse(&bytes).expect("a program");
    // Chains as unwind information gives them: each leaf under the call that entered it.
    let mut whole = Chains::of(&binary);
    let main = whole.behind_call("main.main", Flow::Call);
    let through_interface = whole.behind_call("main.calls", Flow::IndirectCall);
    let direct = whole.behind_call("main.calls", Flow::Call);
    for (leaf, caller, samples) in [
        ("main.(*usual).apply", through_interface, 900),
        ("main.(*rare).apply", through_interface, 100),
        // It tells that the chains are whole.
        ("main.leaf", direct, 50),
    ] {
        let leaf = whole.start(leaf);
        whole.add(&[leaf, caller, main], samples);
    }
    let profile = whole.builder.profile;
    let of_chains = Run::new(profile, bytes.clone(), Ok(directory));
    let pgo = of_chains.write(&bytes).expect("a profile");
    assert_eq!(
        (pgo.report.callers_unknown, pgo.report.callers_mended),
        (0, 0)
    );
    let directory = of_chains.directory.path();
    std::fs::write(directory.join("hone.pgo"), &pgo.bytes).expect("room on the disk");
    let edges = shares(&go, directory, "hone.pgo");
    let of = |callee: &str| -> f64 {
        let edges = edges.iter().filter(|(edge, _)| edge.2 == callee);
        edges.map(|(_, share)| share).sum()
    };
    let (usual, rare) = (of("main.(*usual).apply"), of("main.(*rare).apply"));
    assert!(usual > 8.9 * rare && rare > 0.0, "{edges:#?}");
    let said = compile_by(&go, &source, directory, "hone.pgo");
    assert!(!said.contains("PGO devirtualizing"), "{said}");
}
