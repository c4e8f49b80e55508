//! `default.pgo` end to end: a Go program, recorded by perf, and what Go's compiler makes of the profile.

mod common;

use common::{Builder, Place, run};
use hone_fdo::code::{Code, Flow};
use hone_fdo::go_pgo::{self, Basis, GoPgoError, Stacks};
use hone_fdo::{Evidence, Recorded};
use hone_profile::{Profile, Svma, perf_data};
use hone_symbols::Binary;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Go, where `PATH` or its usual place has it.
fn go() -> Option<PathBuf> {
    let mut places = ["go", "/usr/local/go/bin/go"].into_iter();
    let found = places.find(|place| Command::new(place).arg("version").output().is_ok());
    if found.is_none() {
        println!("skipped: go is not installed");
    }
    found.map(PathBuf::from)
}

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

/// Builds the program as `p` and records it with perf; `None` where that cannot be done.
fn record(go: &Path, options: &[&str]) -> Option<Run> {
    if Command::new("perf").arg("--version").output().is_err() {
        println!("skipped: perf is not installed");
        return None;
    }
    let directory = tempfile::tempdir().expect("a directory");
    build(go, directory.path(), "p", &[]);
    let recorded = Command::new("perf")
        .args(["record", "-q", "-F", "2000", "-e", "cpu-clock:u"])
        .args(options)
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
fn call_chains_make_go_inline_and_devirtualise() {
    let Some(go) = go() else {
        return;
    };
    let Some(recorded) = record(&go, &["-g"]) else {
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
    let Some(recorded) = record(&go, &[]) else {
        return;
    };
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

/// Chains as unwind information gives them: each leaf under the call that entered it.
struct Whole<'w> {
    binary: &'w Binary<'w>,
    builder: Builder,
}

impl Whole<'_> {
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
        let offset = self.binary.file_offset_of(chain[0]).expect("loaded");
        let first = profile.samples.len();
        for _ in 0..samples {
            self.builder.add_ip(Place::Program(offset), 1);
        }
        for sample in &mut self.builder.profile.samples[first..] {
            sample.stack = stack;
        }
    }
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
    let builder = Builder::new("cpu-clock", false, "p");
    let mut whole = Whole {
        binary: &binary,
        builder,
    };
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
    let options = ["-pgo=hone.pgo"];
    let said = build_source(&go, &source, directory, ("with", &options));
    assert!(!said.contains("PGO devirtualizing"), "{said}");
}
