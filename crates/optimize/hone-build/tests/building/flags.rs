//! Every lever's flags, taken by the real compilers: a small C++ program of two files is built with each and run.

use hone_build::lever::{ALL, CPU_TRIAL, Flags, Lever, ProfileSource, Toolchain};
use hone_build::variant::{Inputs, Purpose};
use hone_build::{Need, Variant, VariantFlags};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MAIN: &str = r#"
#include <cstdio>
#include <cstdlib>
struct Shape { virtual ~Shape() {} virtual long area(long n) const = 0; };
Shape *make(int kind);
static thread_local long calls;
static long total(const Shape *shape, long n) { calls++; return shape->area(n); }
int main() {
    Shape *shapes[2] = {make(0), make(1)};
    long sum = 0;
    for (long i = 0; i < 1000; i++) sum += total(shapes[i % 2], i);
    void *block = malloc(100);
    free(block);
    printf("%ld %ld\n", sum, calls);
}
"#;

const SHAPES: &str = r#"
struct Shape { virtual ~Shape() {} virtual long area(long n) const = 0; };
struct Square : Shape { long area(long n) const override { return n * n; } };
struct Line : Shape { long area(long n) const override { return n; } };
Shape *make(int kind) { if (kind) return new Line; return new Square; }
"#;

struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("main.cc"), MAIN).unwrap();
        fs::write(directory.path().join("shapes.cc"), SHAPES).unwrap();
        Self { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn run(&self, program: &str, arguments: &[String]) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.directory.path());
        command.output().unwrap()
    }

    /// Compiles the two files and links them, as the wrapper would.
    fn build(&self, compiler: &str, flags: &VariantFlags) -> Result<String, String> {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        for file in ["main", "shapes"] {
            let mut arguments = words(&format!("-O2 -Werror -c {file}.cc -o {file}.o"));
            arguments.extend(flags.compile.iter().chain(&flags.compile_program).cloned());
            self.expect(compiler, &arguments)?;
        }
        let mut arguments = words("-O2 main.o shapes.o -o program");
        arguments.extend(flags.compile.iter().chain(&flags.compile_program).cloned());
        arguments.extend(flags.link.iter().chain(&flags.link_program).cloned());
        self.expect(compiler, &arguments)?;
        let program = self.path("program");
        self.expect(program.to_str().unwrap(), &[])
    }

    fn expect(&self, program: &str, arguments: &[String]) -> Result<String, String> {
        let output = self.run(program, arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        Err(format!(
            "{program} {}:\n{}",
            arguments.join(" "),
            text(&output.stderr)
        ))
    }
}

fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("skipped: {program} is not installed");
    }
    there
}

/// Directories of the allocators that are here.
fn libraries() -> Vec<(&'static str, PathBuf)> {
    let directory = Path::new("/usr/lib/x86_64-linux-gnu");
    let all = [
        ("mimalloc", "libmimalloc.so"),
        ("jemalloc", "libjemalloc.so"),
        ("tcmalloc", "libtcmalloc_minimal.so"),
    ];
    all.into_iter()
        .filter(|(_, file)| directory.join(file).exists())
        .map(|(name, _)| (name, directory.to_owned()))
        .collect()
}

/// A profile of the kind that a lever wants; clang takes one that knows nothing of the program too.
fn profile(bench: &Bench, lever: &Lever, toolchain: Toolchain) -> Option<PathBuf> {
    let file = bench.path(&format!("{}.profile", lever.id));
    match (lever.profile, toolchain) {
        (ProfileSource::CallSizes, _) => {
            fs::create_dir(&file).unwrap();
            fs::write(file.join("string.h"), "#include_next <string.h>\n").unwrap();
        }
        (ProfileSource::FunctionOrder, _) => fs::write(&file, "main\n").unwrap(),
        (ProfileSource::BlockLayout, _) => {
            fs::create_dir(&file).unwrap();
            fs::write(file.join("clusters"), "v1\nf main\nc 0 1\n").unwrap();
            fs::write(file.join("order"), "main\n").unwrap();
        }
        (ProfileSource::BranchRecords | ProfileSource::IpSamples, Toolchain::Clang) => {
            fs::write(&file, "main:1000:1\n 1: 10\n").unwrap();
        }
        (
            ProfileSource::CompilerInstrumentation
            | ProfileSource::ProbedCounters
            | ProfileSource::SupplementedInstrumentation
            | ProfileSource::ContextInstrumentation,
            _,
        ) => {
            return trained(bench, lever, toolchain);
        }
        _ => return None,
    }
    Some(file)
}

/// The counts of a run of the instrumented program.
fn trained(bench: &Bench, lever: &Lever, toolchain: Toolchain) -> Option<PathBuf> {
    let raw = bench.path("raw");
    fs::create_dir_all(&raw).unwrap();
    let inputs = Inputs {
        raw_profiles: Some(raw.clone()),
        ..Inputs::default()
    };
    let variant = Variant {
        base: toolchain,
        ..Variant::default()
    };
    let flags = variant.flags(Purpose::Instrument, &inputs);
    if toolchain == Toolchain::Gcc {
        bench.build("g++", &flags).unwrap();
        return Some(raw);
    }
    bench.build("clang++-19", &flags).unwrap();
    let merged = bench.path(&format!("{}.profdata", lever.id));
    let merged_text = merged.to_str().unwrap().to_owned();
    let raw_file = fs::read_dir(bench.directory.path()).unwrap().flatten();
    let raw_file = raw_file.map(|entry| entry.path()).find(|path| {
        path.extension()
            .is_some_and(|extension| extension == "profraw")
    });
    let raw_file = raw_file.unwrap().to_str().unwrap().to_owned();
    let arguments = ["merge".into(), "-o".into(), merged_text, raw_file];
    bench.expect("llvm-profdata-19", &arguments).unwrap();
    Some(merged)
}

/// The lever on what it stands on.
fn variant(lever: &'static Lever, toolchain: Toolchain) -> Variant {
    let base = Variant {
        base: toolchain,
        ..Variant::default()
    };
    match lever
        .stands_on
        .first()
        .and_then(|id| hone_build::lever::by_id(id))
    {
        Some(below) => base.with(below).with(lever),
        None => base.with(lever),
    }
}

fn every_lever_of(toolchain: Toolchain, compiler: &str) {
    let libraries = libraries();
    let trial: Vec<_> = CPU_TRIAL.iter().map(ToString::to_string).collect();
    let mut built = 0;
    for lever in ALL {
        let has_flags = lever
            .flags_for(toolchain)
            .is_some_and(|flags| *flags != Flags::NONE);
        if !has_flags || !lever.bolt.is_empty() {
            continue;
        }
        if lever.needs.contains(&Need::Musl) {
            // It has no library for C++; a test of its own builds C.
            continue;
        }
        let bench = Bench::new();
        let variant = variant(lever, toolchain);
        let profiles = variant
            .levers
            .iter()
            .filter_map(|lever| Some((lever.id, profile(&bench, lever, toolchain)?)));
        let inputs = Inputs {
            profiles: profiles.collect(),
            libraries: libraries.iter().cloned().collect(),
            ..Inputs::default()
        };
        let flags = variant.flags(Purpose::Use, &inputs);
        let text = format!("{flags:?}");
        if text.contains("{")
            && [
                "{profile}",
                "{mimalloc}",
                "{jemalloc}",
                "{tcmalloc}",
                "{musl}",
            ]
            .iter()
            .any(|mark| text.contains(mark))
        {
            println!("skipped: {} wants something that is not here", lever.id);
            continue;
        }
        let unknown_cpu = lever.needs.contains(&Need::KnownCpu(toolchain))
            && !bench.run(compiler, &trial).status.success();
        if unknown_cpu {
            println!("skipped: {compiler} does not know this CPU whole");
            continue;
        }
        let runs_here = match lever.id {
            "x86-64-v3" => std::is_x86_feature_detected!("avx2"),
            "x86-64-v4" => std::is_x86_feature_detected!("avx512vl"),
            _ => true,
        };
        if !runs_here {
            println!("skipped: this CPU does not run what {} makes", lever.id);
            continue;
        }
        let output = bench.build(compiler, &flags);
        assert_eq!(output.as_deref(), Ok("166417000 1000\n"), "{}", lever.id);
        built += 1;
    }
    assert!(built >= 8, "only {built} levers were built");
}

#[test]
fn clang_takes_every_flag() {
    let tools = ["clang++-19", "ld.lld-19", "llvm-profdata-19"];
    if tools.iter().all(|tool| has(tool)) {
        every_lever_of(Toolchain::Clang, "clang++-19");
    }
}

#[test]
fn gcc_takes_every_flag_of_its_own() {
    if has("g++") {
        every_lever_of(Toolchain::Gcc, "g++");
    }
}

/// Returns the source of an interpreter in which each of `count` instructions ends with the jump to the next one.
fn interpreter(count: usize) -> String {
    let places: Vec<_> = (0..count).map(|place| format!("&&place{place}")).collect();
    let mut text = format!(
        "long run(const unsigned char *at, long *top) {{\n\
         static const void *const places[] = {{{}}};\ngoto *places[*at];\n",
        places.join(",")
    );
    for place in 1..count {
        text += &format!("place{place}: *top += *top * {place}; goto *places[*++at];\n");
    }
    text + "place0: return *top;\n}\n"
}

#[test]
fn counters_leave_an_interpreter_one_jump_for_each_instruction() {
    let tools = ["clang++-19", "ld.lld-19", "llvm-profdata-19"];
    if !tools.iter().all(|tool| has(tool)) {
        return;
    }
    let instructions = 200;
    let bench = Bench::new();
    fs::write(bench.path("run.c"), interpreter(instructions)).unwrap();
    let lever = hone_build::lever::by_id("autofdo-counters").unwrap();
    let inputs = Inputs {
        profiles: [(lever.id, profile(&bench, lever, Toolchain::Clang).unwrap())].into(),
        limits_dispatch: true,
        ..Inputs::default()
    };
    let flags = variant(lever, Toolchain::Clang).flags(Purpose::Use, &inputs);
    let words = ["-O2", "-xc", "-S", "-o-", "run.c"].map(String::from);
    let arguments: Vec<_> = words.into_iter().chain(flags.compile).collect();
    let assembly = bench.expect("clang++-19", &arguments).unwrap();
    let jumps = assembly.lines().filter(|line| line.contains("jmpq\t*"));
    assert_eq!(jumps.count(), instructions);
}

/// Offset and address of the executable segment, by readelf.
fn executable_segment(bench: &Bench) -> (u64, u64) {
    let arguments = ["-lW", "program"].map(String::from);
    let headers = bench.expect("readelf", &arguments).unwrap();
    let line = headers
        .lines()
        .find(|line| line.contains("LOAD") && line.contains(" R E "));
    let words: Vec<_> = line.unwrap().split_whitespace().collect();
    let number = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap();
    (number(words[1]), number(words[2]))
}

#[test]
fn text_for_huge_pages_lies_where_the_kernel_can_use_them() {
    if !["clang++-19", "ld.lld-19", "g++", "readelf"]
        .iter()
        .all(|tool| has(tool))
    {
        return;
    }
    let lever = hone_build::lever::by_id("huge-text").unwrap();
    for (toolchain, compiler) in [(Toolchain::Clang, "clang++-19"), (Toolchain::Gcc, "g++")] {
        let bench = Bench::new();
        let flags = variant(lever, toolchain).flags(Purpose::Use, &Inputs::default());
        bench.build(compiler, &flags).unwrap();
        let (offset, address) = executable_segment(&bench);
        let huge = 2 << 20;
        assert!(
            offset % huge == 0 && address % huge == 0,
            "{compiler}: {offset:#x} at {address:#x}"
        );
    }
}

#[test]
fn c_is_compiled_and_linked_with_musl() {
    let library = Path::new("/usr/lib/x86_64-linux-musl");
    if !library.join("musl-gcc.specs").exists() {
        println!("skipped: Debian's musl-tools is not installed");
        return;
    }
    let lever = hone_build::lever::by_id("static-musl").unwrap();
    let program = r#"
        #include <features.h>
        #include <math.h>
        #include <pthread.h>
        #include <stdio.h>
        #ifdef __GLIBC__
        #error "these are the headers of glibc"
        #endif
        static void *root(void *of) { *(double *)of = sqrt(*(double *)of); return 0; }
        int main(int argc, char **argv) {
            pthread_t thread;
            double x = argc * 1089;
            pthread_create(&thread, 0, root, &x);
            pthread_join(thread, 0);
            return printf("%.1f %lld\n", x, (long long)((__int128)x * 100 / (argc + 1))) < 0;
        }
    "#;
    let further = ["-O2", "-O2 -flto", "-O2 -fPIE"];
    for (toolchain, compiler) in [(Toolchain::Clang, "clang-19"), (Toolchain::Gcc, "gcc")] {
        if !has(compiler) || !has("ld.lld-19") || !has("readelf") {
            return;
        }
        for own in further {
            let bench = Bench::new();
            fs::write(bench.path("main.c"), program).unwrap();
            let libraries = [
                ("musl", library.to_owned()),
                ("musl-headers", "/usr/include/x86_64-linux-musl".into()),
            ];
            let inputs = Inputs {
                libraries: libraries.into(),
                ..Inputs::default()
            };
            let flags = variant(lever, toolchain).flags(Purpose::Use, &inputs);
            let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
            let mut compile = words(&format!("{own} -Werror -c main.c -o main.o"));
            compile.extend(flags.compile.clone());
            bench.expect(compiler, &compile).unwrap();
            let mut link = words(&format!("{own} main.o -lm -lpthread -o program"));
            let lld = ["-fuse-ld=lld".to_string()];
            link.extend(lld.into_iter().filter(|_| toolchain == Toolchain::Clang));
            link.extend(flags.compile.iter().chain(&flags.link_program).cloned());
            bench.expect(compiler, &link).unwrap();
            let output = bench.expect(bench.path("program").to_str().unwrap(), &[]);
            assert_eq!(output.as_deref(), Ok("33.0 1650\n"));
            let headers = bench.expect("readelf", &words("-lW program")).unwrap();
            assert!(!headers.contains("INTERP"), "{headers}");
        }
    }
}

#[test]
fn builds_that_are_only_recorded_have_the_instructions_of_the_production_build() {
    if !testkit::has_tools(&["clang-19", "objcopy"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("deferred.c"), testkit::DEFERRED_CALLS).unwrap();
    let text = |flags: &[String]| {
        let own = ["-O2", "-g", "-c", "deferred.c", "-o", "deferred.o"];
        let words = own.into_iter().chain(flags.iter().map(String::as_str));
        testkit::run_in(path, "clang-19", &words.collect::<Vec<_>>());
        let words = ["-O", "binary", "-j", ".text", "deferred.o", "text"];
        testkit::run_in(path, "objcopy", &words);
        fs::read(path.join("text")).unwrap()
    };
    let production = text(&[]);
    let without = text(&["-fdebug-info-for-profiling".into()]);
    assert_ne!(production, without, "the program tells nothing");
    // Probes themselves keep the compiler from joining blocks.
    for purpose in [Purpose::Use, Purpose::Record, Purpose::KeepIr] {
        let flags = Variant::default().flags(purpose, &Inputs::default());
        assert!(text(&flags.compile) == production, "{purpose:?}");
    }
}
