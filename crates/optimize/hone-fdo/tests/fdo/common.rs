//! Programs to convert: compiled with clang and stepped through by the CPU, and the trace cut into branch stacks.
//! So the truth is known: every instruction that ran. Programs and traces are kept below `target`.

pub(crate) mod perf_data;
mod trace;

pub(crate) use trace::Trace;

use hone_fdo::autofdo_text;
use hone_fdo::check::{self, ParsedFunction, ParsedProfile};
use hone_profile::{
    Binary, BinaryId, BinaryKind, BranchKind, BranchRecord, BranchStacks, Event, EventId,
    FileOffset, LocationId, Profile, Sample, ThirdArgument, Thread,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::Made;

/// Flags that a build for profiling has.
pub(crate) const PROFILING: [&str; 4] = [
    "-O2",
    "-g",
    "-fdebug-info-for-profiling",
    "-funique-internal-linkage-names",
];

/// Layouts of segments that exist in the field.
pub(crate) const LAYOUTS: [(&str, &[&str]); 5] = [
    ("pie", &["-fpie", "-pie"]),
    (
        "pie, one code segment",
        &["-fpie", "-pie", "-Wl,--no-rosegment"],
    ),
    ("fixed", &["-fno-pie", "-no-pie"]),
    (
        "fixed, one code segment",
        &["-fno-pie", "-no-pie", "-Wl,--no-rosegment"],
    ),
    ("static", &["-fno-pie", "-no-pie", "-static"]),
];

/// The source of the test program.
pub(crate) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../base/hone-symbols/tests/programs/shapes.cpp")
}

/// The source of the program whose functions have parts.
pub(crate) fn source_with_parts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/parts.cpp")
}

/// Compiles the test program, or finds it compiled.
pub(crate) fn compile(name: &str, flags: &[&str]) -> PathBuf {
    compile_source(&source(), name, &[&["-std=c++17"], flags].concat())
}

/// The test program as it is built for profiling in one layout, with the relocations that BOLT wants.
pub(crate) fn shapes(layout: usize) -> PathBuf {
    let flags = [&PROFILING, LAYOUTS[layout].1, &["-Wl,-q"]].concat();
    compile(&format!("shapes-{layout}"), &flags)
}

/// Compiles a program that prints its mappings when it is called with an argument, or finds it compiled.
pub(crate) fn compile_source(source: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let made = Made::new(&format!("fdo-{name}"))
        .with_tools(&["clang++-19", "ld.lld-19"])
        .with_words(&[source.to_str().expect("text")])
        .with_words(flags)
        .with_file(source);
    let directory = made.by(|directory| {
        // Bound at start: a lazily bound stub jumps to its own next instruction, which a trace does not show.
        let linker = ["-fuse-ld=lld", "-Wl,--build-id=sha1", "-Wl,-z,now"];
        run(Command::new("clang++-19")
            .args(linker)
            .args(flags)
            .arg(source)
            .arg("-o")
            .arg(directory.join(name)));
    });
    directory.join(name)
}

/// Compiles sources of these names and texts to `prog`, or finds it compiled.
pub(crate) fn compile_texts(compiler: &str, sources: &[(&str, &str)], flags: &[&str]) -> PathBuf {
    let mut made = Made::new("fdo-prog")
        .with_tools(&[compiler, "ld", "ld.lld-19", "gold"])
        .with_words(flags);
    for (name, text) in sources {
        made = made.with_words(&[name, text]);
    }
    let directory = made.by(|directory| {
        for (name, text) in sources {
            std::fs::write(directory.join(name), text).expect("a source");
        }
        run(Command::new(compiler)
            .args(sources.iter().map(|(name, _)| name))
            .args(flags)
            .args(["-o", "prog"])
            .current_dir(directory));
    });
    directory.join("prog")
}

/// Runs a program and returns what it printed, errors after output.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned() + &errors
}

/// The profile that `llvm-profgen-19` makes of the program's branches.
pub(crate) fn llvm_profgen(trace: &Trace, dir: &Path) -> ParsedProfile {
    let (script, out) = (dir.join("script"), dir.join("out"));
    std::fs::write(&script, perf_script(trace)).expect("a script");
    run(Command::new("llvm-profgen-19")
        .args(["--format=text", "--perfscript"])
        .arg(script)
        .arg("--binary")
        .arg(&trace.path)
        .arg("--output")
        .arg(&out));
    let text = std::fs::read_to_string(out).expect("a profile");
    check::read_text(&text).expect("a text profile")
}

/// The same, as far as our profile of these branches is meant to be the same.
pub(crate) fn comparable_llvm_profgen(
    trace: &Trace,
    ours: &hone_fdo::SampleProfile,
) -> ParsedProfile {
    let dir = tempfile::tempdir().expect("a directory");
    let mut theirs = llvm_profgen(trace, dir.path());
    let ours = check::read_text(&autofdo_text::write(ours)).expect("our own text");
    // llvm-profgen also lists functions without debug info, with nothing but a head count.
    theirs
        .functions
        .retain(|_, function| function.total > 0 || !function.lines.is_empty());
    for (name, theirs) in &mut theirs.functions {
        without_unknown_lines(theirs, ours.functions.get(name).expect("in both"));
        raise_to_calls(theirs);
    }
    theirs
}

/// The script that `perf script` would print of the stacks.
fn perf_script(trace: &Trace) -> String {
    let mut script = String::new();
    for mapping in trace.mappings.iter().filter(|mapping| mapping.executable) {
        let (start, size) = (mapping.start, mapping.end - mapping.start);
        let (offset, path) = (mapping.offset, trace.path.display());
        script += "PERF_RECORD_MMAP2 100/100: ";
        script += &format!("[{start:#x}({size:#x}) @ {offset:#x} 00:1d 1 1]: r-xp {path}\n");
    }
    for stack in trace.stacks(32, false) {
        script += &format!(" {:x}", stack[0].1);
        for (from, to) in stack {
            script += &format!(" {from:#x}/{to:#x}/P/-/-/0 ");
        }
        script += "\n";
    }
    script
}

/// A place runs at least as often as the calls made from it. llvm-profgen sees to that in functions, but not
/// in calls inlined into them.
pub(crate) fn raise_to_calls(function: &mut ParsedFunction) {
    for (count, targets) in function.lines.values_mut() {
        *count = (*count).max(targets.values().sum());
    }
    function.inlined.values_mut().for_each(raise_to_calls);
}

/// Removes places whose line is unknown (0). llvm-profgen writes them as if they stood before the
/// function's first line, where no compilation looks for them; Hone leaves them out. A place that really
/// stands before the first line is in both.
pub(crate) fn without_unknown_lines(theirs: &mut ParsedFunction, ours: &ParsedFunction) {
    let may_be_known = |line_offset: u32| line_offset < 0x8000;
    theirs
        .lines
        .retain(|key, _| may_be_known(key.0) || ours.lines.contains_key(key));
    theirs
        .inlined
        .retain(|key, _| may_be_known(key.0) || ours.inlined.contains_key(key));
    for (key, callee) in &mut theirs.inlined {
        if let Some(ours) = ours.inlined.get(key) {
            without_unknown_lines(callee, ours);
        }
    }
}

/// Reads "(D/A) of samples are discarded" from clang's report; none discarded prints nothing.
pub(crate) fn discarded(output: &str) -> (u64, u64) {
    let found = output.lines().find_map(|line| {
        let (before, _) = line.split_once(") of samples are discarded")?;
        let (discarded, all) = before.rsplit_once('(')?.1.split_once('/')?;
        Some((discarded.parse().ok()?, all.parse().ok()?))
    });
    found.unwrap_or((0, 1))
}

/// Where a branch starts or ends.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// In the program under test.
    Program(FileOffset),
    /// In some other file.
    Other(FileOffset),
}

/// Builds profiles by hand.
pub(crate) struct Builder {
    pub(crate) profile: Profile,
    pub(crate) program: BinaryId,
    other: BinaryId,
}

impl Builder {
    pub(crate) fn new(event: &str, has_branches: bool, path: &str) -> Self {
        let mut profile = Profile::default();
        profile.events.push(Event {
            name: event.into(),
            branches: match has_branches {
                true => BranchStacks::Whole,
                false => BranchStacks::None,
            },
        });
        let file = |path: &str| Binary {
            path: path.into(),
            build_id: None,
            kind: BinaryKind::File,
        };
        let program = profile.intern_binary(file(path));
        let other = profile.intern_binary(file("/lib/libother.so"));
        profile.intern_thread(Thread {
            pid: 1,
            tid: 1,
            name: "test".into(),
            ..Thread::default()
        });
        Self {
            profile,
            program,
            other,
        }
    }

    fn location(&mut self, place: Place) -> LocationId {
        match place {
            Place::Program(offset) => self.profile.intern_location(self.program, offset),
            Place::Other(offset) => self.profile.intern_location(self.other, offset),
        }
    }

    /// A sample with a branch stack, newest first.
    pub(crate) fn add_stack(&mut self, newest_first: &[(Place, Place)]) {
        let start = self.profile.branches.len() as u32;
        for &(from, to) in newest_first {
            let (from, to) = (self.location(from), self.location(to));
            let kind = BranchKind::Unknown;
            self.profile.branches.push(BranchRecord {
                from,
                to,
                mispredicted: false,
                kind,
                third_argument: ThirdArgument::UNKNOWN,
            });
        }
        let ip = self.location(newest_first[0].1);
        self.add(ip, 1, start);
    }

    /// A sample without branches.
    pub(crate) fn add_ip(&mut self, place: Place, weight: u64) {
        let ip = self.location(place);
        self.add(ip, weight, self.profile.branches.len() as u32);
    }

    fn add(&mut self, ip: LocationId, weight: u64, start: u32) {
        self.profile.samples.push(Sample {
            event: EventId(0),
            thread: hone_profile::ThreadId(0),
            time_ns: 0,
            weight,
            times: 1,
            ip,
            stack: None,
            branches: start..self.profile.branches.len() as u32,
        });
    }
}
