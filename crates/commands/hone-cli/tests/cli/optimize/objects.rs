//! What two variants compile alike is compiled once: objects of earlier builds take the place of compiling, in real build
//! systems, and what is linked from them is what a whole build gives, byte for byte.

use crate::common::{MAIN_H, has_tools, run_in};
use crate::optimize::wrapped::Builds;
use hone_build::{Inputs, Purpose, VariantFlags};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Sources in sections, as many builds have them, so that two levers that ask for it compile as the build does.
const CFLAGS: &str = "-O2 -ffunction-sections -fdata-sections";

const FILES: [(&str, &str); 5] = [
    ("main.h", MAIN_H),
    (
        "main.c",
        "#include \"main.h\"\nunsigned mix(unsigned), turn(unsigned);\n\
         unsigned work(unsigned n) {\n    unsigned sum = 1;\n    \
         for (unsigned i = 0; i < n; i++) sum += i % 16 ? mix(sum ^ i) : turn(sum);\n    return sum;\n}\n",
    ),
    (
        "steps.c",
        "unsigned mix(unsigned x) {\n    x ^= x >> 15;\n    if (x % 64 == 3) x = x * 7 + 1;\n    \
         x *= 0x2c1b3c6du;\n    return x ^ (x >> 12);\n}\n",
    ),
    // A part for a shared library.
    (
        "turn.c",
        "unsigned turn(unsigned x) { return x << 5 | x >> 27; }\n",
    ),
    // A second program beside the measured one.
    (
        "other.c",
        "unsigned mix(unsigned);\nint main(void) { return mix(0) != 0; }\n",
    ),
];

fn builds(files: &[(&str, &str)], command: &str) -> Builds {
    Builds::new(&[&FILES, files].concat(), command)
}

fn flags(lever: &str) -> VariantFlags {
    Builds::flags(&[lever], Purpose::Use, &Inputs::default())
}

/// Programs and shared libraries below a directory, by their paths in it. What cmake tries lies in CMakeFiles.
fn linked_files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() || path.ends_with("CMakeFiles") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let is_linked = bytes.starts_with(b"\x7fELF") && matches!(bytes[16], 2 | 3);
            if is_linked {
                found.insert(path.strip_prefix(root).unwrap().to_path_buf(), bytes);
            }
        }
    }
    found
}

/// Builds one variant after another. All but the first must compile nothing, and hold what whole builds hold.
fn expect_whole(builds: &Builds, variants: &[(&str, VariantFlags)], files: usize) {
    for (index, (name, flags)) in variants.iter().enumerate() {
        let log = builds.build(name, flags, true);
        if index == 0 {
            continue;
        }
        let compiled = |line: &&str| {
            line.starts_with("Compile ") && !line.contains("with the object of") && !is_try(line)
        };
        assert_eq!(log.lines().find(compiled), None, "{name}");
        let whole = format!("whole-{name}");
        builds.build(&whole, flags, false);
        let variant = |name: &str| linked_files(&builds.path("hone/variants").join(name));
        let (kept, whole) = (variant(name), variant(&whole));
        assert_eq!(kept.len(), files, "{name}: {:?}", kept.keys());
        assert!(kept.keys().eq(whole.keys()), "{name}: {:?}", whole.keys());
        for (path, bytes) in kept {
            assert!(whole[&path] == bytes, "{name}: {} differs", path.display());
        }
    }
}

fn is_try(line: &str) -> bool {
    ["conftest", "CMake", "cmTC_"]
        .iter()
        .any(|word| line.contains(word))
}

/// An archive, a shared library and two programs, all of them made anew by each build.
#[test]
fn make_with_an_archive_and_a_shared_library() {
    if !has_tools(&["clang-19", "ld.lld-19", "make"]) {
        return;
    }
    let makefile = format!(
        "all: out/prog out/other\n\
         out/%.o: %.c\n\tmkdir -p out && $(CC) {CFLAGS} -fPIC -MMD -c $< -o $@\n\
         out/libmix.a: out/steps.o\n\t$(AR) rcs $@ $^\n\
         out/libturn.so: out/turn.o\n\t$(CC) -shared $^ -o $@\n\
         out/prog: out/main.o out/libmix.a out/libturn.so\n\t$(CC) $^ -Wl,-rpath,'$(CURDIR)/out' -o $@\n\
         out/other: out/other.o out/libmix.a\n\t$(CC) $^ -o $@\n"
    );
    let builds = builds(&[("Makefile", &makefile)], "rm -rf out && make CC=$CC");
    let relinked = Builds::flags(&["bolt"], Purpose::Relink, &Inputs::default());
    let variants = [
        ("gc-sections", flags("gc-sections")),
        ("icf", flags("icf")),
        ("relocations", relinked),
    ];
    expect_whole(&builds, &variants, 3);
    // The lists of headers are there as after compiling.
    let list = fs::read_to_string(builds.path("hone/variants/icf/out/main.d")).unwrap();
    assert!(list.contains("main.c"), "{list}");
}

/// With ThinLTO the objects are bitcode, which the flags for sections do not change.
#[test]
#[ignore = "further end to end"]
fn cmake_with_bitcode() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-ar-19", "cmake"]) {
        return;
    }
    let lists = "cmake_minimum_required(VERSION 3.16)\nproject(prog C)\n\
        set(CMAKE_C_FLAGS -flto=thin)\nset(CMAKE_EXE_LINKER_FLAGS -fuse-ld=lld)\n\
        set(CMAKE_SHARED_LINKER_FLAGS -fuse-ld=lld)\n\
        add_library(turn SHARED turn.c)\n\
        add_executable(prog main.c steps.c)\ntarget_link_libraries(prog turn)\n\
        add_executable(other other.c steps.c)\n";
    let build = "cmake -S . -B out -DCMAKE_BUILD_TYPE=Release && cmake --build out";
    let builds = builds(&[("CMakeLists.txt", lists)], build);
    let variants = [("gc-sections", flags("gc-sections")), ("icf", flags("icf"))];
    expect_whole(&builds, &variants, 3);
}

/// libtool compiles each source twice and hides what it links in `.libs`.
#[test]
#[ignore = "further end to end"]
fn autotools_with_libtool() {
    let tools = [
        "clang-19",
        "ld.lld-19",
        "autoreconf",
        "automake",
        "libtoolize",
        "make",
    ];
    if !has_tools(&tools) {
        return;
    }
    let configure = "AC_INIT([prog], [1])\nAC_CONFIG_MACRO_DIRS([m4])\nAM_INIT_AUTOMAKE([foreign])\n\
        AC_PROG_CC\nAM_PROG_AR\nLT_INIT\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n";
    let makefile = "lib_LTLIBRARIES = libturn.la\nlibturn_la_SOURCES = turn.c\n\
        bin_PROGRAMS = prog other\nprog_SOURCES = main.c steps.c\nprog_LDADD = libturn.la\n\
        prog_LDFLAGS = -static-libtool-libs\nother_SOURCES = other.c steps.c\n";
    let files = [("configure.ac", configure), ("Makefile.am", makefile)];
    let build = format!("./configure -q CFLAGS='{CFLAGS}' && make -s");
    let builds = builds(&files, &build);
    let source = builds.path("source");
    fs::create_dir(source.join("m4")).unwrap();
    run_in(&source, "autoreconf", &["--install"]);
    let variants = [("gc-sections", flags("gc-sections")), ("icf", flags("icf"))];
    expect_whole(&builds, &variants, 3);
}

/// What a build finds out by linking may change what it compiles.
#[test]
fn what_is_compiled_otherwise_is_compiled_again() {
    if !has_tools(&["clang-19", "ld.lld-19", "readelf"]) {
        return;
    }
    let script = "echo 'int main(void) { return 0; }' >conftest.c\n\
        $CC conftest.c -o conftest\n\
        if readelf -l conftest | grep -q INTERP; then kind=loaded; else kind=whole; fi\n\
        echo \"static const char kind[] __attribute__((used)) = \\\"kind: $kind\\\";\" >config.h\n\
        $CC -O2 -include config.h -c main.c\n\
        $CC -O2 -c steps.c\n$CC -O2 -c turn.c\n\
        $CC -O2 main.o steps.o turn.o -o prog\n";
    let builds = builds(&[], script);
    builds.build("baseline", &VariantFlags::default(), true);
    let own = Inputs {
        takes_own_objects: true,
        ..Inputs::default()
    };
    // Static linking has no word for the compiler: what the user's own build compiled is its own. What is recorded for BOLT has
    // line tables.
    for (lever, purpose, kind, takes_own) in [
        ("static", Purpose::Use, "whole", true),
        ("bolt", Purpose::Relink, "loaded", false),
    ] {
        let log = builds.build(lever, &Builds::flags(&[lever], purpose, &own), true);
        let binary = fs::read(builds.program(lever)).unwrap();
        let text = String::from_utf8_lossy(&binary);
        assert!(text.contains(&format!("kind: {kind}")), "{lever}: {log}");
        let kept = |source: &str| {
            let call = format!("-c {source}");
            let line = log.lines().find(|line| line.contains(&call)).unwrap();
            line.contains("with the object of baseline")
        };
        for source in ["steps.c", "turn.c"] {
            assert_eq!(kept(source), takes_own, "{lever}: {log}");
        }
        assert!(!kept("main.c"), "{lever}: {log}");
    }
}
