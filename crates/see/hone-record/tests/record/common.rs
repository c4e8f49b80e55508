//! Small C programs, compiled on the spot and recorded.

use hone_profile::{BinaryKind, Profile, perf_data};
use hone_record::{Options, RecordError, Summary, Target, record};
use object::{Object, ObjectSegment, ObjectSymbol};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;
use testkit::{Made, copy_program, has_tools};

/// A directory with a compiled program.
pub(crate) struct Program {
    pub(crate) directory: TempDir,
    pub(crate) binary: PathBuf,
}

/// Flags of all programs here.
const FLAGS: [&str; 5] = [
    "-O1",
    "-g",
    "-fno-omit-frame-pointer",
    "-fno-inline",
    "-pthread",
];

/// A directory with a program of `tests/programs`, compiled now or before; `None`, with a visible line, where there is no compiler.
pub(crate) fn compile(name: &str, flags: &[&str]) -> Option<Program> {
    if !has_tools(&["cc"]) {
        return None;
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let source = sources.join(name);
    let made = Made::new("record")
        .with_tools(&["cc"])
        .with_words(&FLAGS)
        .with_words(flags)
        .with_file(&sources.join("work.h"))
        .with_file(&source);
    let compiled = made.by(|directory| {
        let output = Command::new("cc")
            .args(FLAGS)
            .args(flags)
            .arg("-o")
            .arg(directory.join("program"))
            .arg(&source)
            .output();
        let output = output.expect("the compiler starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{} does not compile: {message}",
            source.display()
        );
    });
    let directory = tempfile::tempdir().expect("a temporary directory");
    let binary = directory.path().join("program");
    copy_program(&compiled.join("program"), &binary);
    Some(Program { directory, binary })
}

/// A finished recording.
pub(crate) struct Recorded {
    pub(crate) summary: Summary,
    pub(crate) profile: Profile,
    pub(crate) stdout: String,
    pub(crate) path: PathBuf,
}

impl Program {
    /// Options that record this program with these arguments.
    pub(crate) fn options(&self, arguments: &[&str]) -> Options {
        let mut argv = vec![self.binary.clone().into_os_string()];
        argv.extend(arguments.iter().map(OsString::from));
        let target = Target::Command {
            argv,
            env: Vec::new(),
            cwd: None,
            stdout: Some(self.directory.path().join("stdout")),
        };
        Options::new(target, self.directory.path().join("recording.data"))
    }

    pub(crate) fn record(&self, options: &Options) -> Result<Recorded, RecordError> {
        let summary = record(options, &AtomicBool::new(false), &mut |_| {})?;
        let bytes = fs::read(&options.output).expect("a recording");
        Ok(Recorded {
            summary,
            profile: perf_data::read(&bytes).expect("a readable recording"),
            stdout: fs::read_to_string(self.directory.path().join("stdout")).unwrap_or_default(),
            path: options.output.clone(),
        })
    }

    /// What it prints and its exit status when nobody looks.
    pub(crate) fn run_alone(&self, arguments: &[&str]) -> (String, Option<i32>) {
        let output = Command::new(&self.binary)
            .args(arguments)
            .output()
            .expect("a run");
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            output.status.code(),
        )
    }

    /// File offsets of its functions: name to (start, end).
    pub(crate) fn functions(&self) -> BTreeMap<String, (u64, u64)> {
        let bytes = fs::read(&self.binary).expect("the binary");
        let file = object::File::parse(&*bytes).expect("an ELF file");
        let mut functions = BTreeMap::new();
        for symbol in file
            .symbols()
            .filter(|symbol| symbol.is_definition() && symbol.size() > 0)
        {
            let segment = file
                .segments()
                .find(|s| (s.address()..s.address() + s.size()).contains(&symbol.address()));
            if let (Some(segment), Ok(name)) = (segment, symbol.name()) {
                let start = symbol.address() - segment.address() + segment.file_range().0;
                functions.insert(name.to_owned(), (start, start + symbol.size()));
            }
        }
        functions
    }
}

impl Recorded {
    /// Weight of the IP samples by function of the program; others under "kernel" or
    /// "elsewhere".
    pub(crate) fn weight_by_function(&self, program: &Program) -> BTreeMap<String, u64> {
        let functions = program.functions();
        let mut counts = BTreeMap::new();
        for sample in &self.profile.samples {
            let event = &self.profile.events[sample.event.index()];
            if event.name == "hone-walk" {
                continue;
            }
            let location = self.profile.location(sample.ip);
            let binary = self.profile.binary(location.binary);
            let name = functions
                .iter()
                .filter(|_| Path::new(&binary.path) == program.binary)
                .find(|(_, (start, end))| (*start..*end).contains(&location.offset.0))
                .map(|(name, _)| name.as_str());
            let other = match binary.kind {
                BinaryKind::Kernel => "kernel",
                _ => "elsewhere",
            };
            let name = name.unwrap_or(other);
            *counts.entry(name.to_owned()).or_default() += sample.weight;
        }
        counts
    }
}

/// Share of a function in a histogram.
pub(crate) fn share(counts: &BTreeMap<String, u64>, name: &str) -> f64 {
    let all: u64 = counts.values().sum();
    counts.get(name).copied().unwrap_or(0) as f64 / all.max(1) as f64
}

/// What a tool printed on its standard output, and whether it succeeded.
pub(crate) fn run_tool(name: &str, arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(name)
        .args(arguments)
        .output()
        .expect("the tool starts");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        output.status.success(),
    )
}
