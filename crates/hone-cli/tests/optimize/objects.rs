//! `hone optimize` compiles once what two variants compile alike: objects of earlier builds take the place of
//! compiling, in real build systems, and what is linked from them is what a whole build gives, byte for byte.

use crate::common::{Project, has_tools, hone_with, run_in, stderr};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Sources in sections, as many builds have them, so that two levers that ask for it compile as the build does.
const CFLAGS: &str = "-O2 -ffunction-sections -fdata-sections";

/// A second program beside the measured one.
const OTHER: &str = "unsigned mix(unsigned);\nint main(void) { return mix(0) != 0; }\n";

/// A part for a shared library.
const TURN: &str = "unsigned turn(unsigned x) { return x << 5 | x >> 27; }\n";

/// A project with these files, built by one command; no variant is ever measured, which takes longest.
fn project(levers: &str, files: &[(&str, &str)], build: &str, binary: &str) -> Project {
    let project = Project::new(levers);
    let steps = fs::read_to_string(project.path("steps.c")).unwrap();
    let mix = steps.split("unsigned turn").next().unwrap();
    let own = [("steps.c", mix), ("turn.c", TURN), ("other.c", OTHER)];
    for (name, text) in own.iter().chain(files) {
        fs::write(project.path(name), text).unwrap();
    }
    project.edit("hone.toml", "sh build.sh", build);
    project.edit(
        "hone.toml",
        "binary = \"prog\"",
        &format!("binary = \"{binary}\""),
    );
    project.measure_no_variant();
    project
}

fn state(project: &Project) -> serde_json::Value {
    let text = fs::read_to_string(project.path(".hone/state.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The builds that compiled nothing, by the states that hone keeps.
fn linked_again(state: &serde_json::Value) -> Vec<String> {
    let known = state["linked_again"].as_object().unwrap();
    known.keys().cloned().collect()
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

/// Builds a variant as a whole, where it was built, by `hone wrap` and the flags that it had.
fn whole_build(project: &Project, name: &str, state: &serde_json::Value, build: &str) -> PathBuf {
    let tree = project.path(".hone/build");
    fs::remove_file(&tree)
        .or_else(|_| fs::remove_dir_all(&tree))
        .unwrap();
    fs::create_dir(&tree).unwrap();
    for entry in fs::read_dir(project.path("")).unwrap() {
        let path = entry.unwrap().path();
        if !path.ends_with(".hone") {
            run_in(&tree, "cp", &["-a", path.to_str().unwrap(), "."]);
        }
    }
    let winner = serde_json::json!({
        "program": "prog", "variant": name, "gain": "", "build_command": "", "build_env": {}, "binary": "prog",
        "flags": state["built"][name]["flags"], "post_link": [], "profiles": [], "deploy": [],
        "tools": { "c": "clang", "cxx": "clang++", "ar": "ar", "ranlib": "ranlib" },
    });
    let from = tempfile::tempdir().unwrap();
    fs::write(from.path().join("winner.json"), winner.to_string()).unwrap();
    let from = from.path().to_str().unwrap();
    let words = ["wrap", "--from", from, "--", "sh", "-c", build];
    let output = hone_with(&words, &tree, &[("CC", "clang-19")]);
    assert!(output.status.success(), "{}", stderr(&output));
    tree
}

/// Runs the ladder; these builds must have compiled nothing, and hold what whole builds hold.
fn expect_whole(project: &Project, build: &str, names: &[&str], files: usize) {
    let output = project.optimize(&[]);
    let state = state(project);
    let linked = linked_again(&state);
    for name in names {
        assert!(
            linked.iter().any(|one| one == name),
            "{name}: {linked:?}\n{}",
            stderr(&output)
        );
    }
    assert!(
        stderr(&output).contains("linked again from "),
        "{}",
        stderr(&output)
    );
    for name in &linked {
        let log =
            fs::read_to_string(project.path(&format!(".hone/logs/{name}.calls.log"))).unwrap();
        let compiled = |line: &&str| {
            line.starts_with("Compile ") && !line.contains("with the object of") && !is_try(line)
        };
        assert_eq!(log.lines().find(compiled), None, "{name}");
        let kept = linked_files(&project.path(".hone/variants").join(name));
        assert_eq!(kept.len(), files, "{name}: {:?}", kept.keys());
        let whole = linked_files(&whole_build(project, name, &state, build));
        assert_eq!(
            kept.keys().collect::<Vec<_>>(),
            whole.keys().collect::<Vec<_>>()
        );
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
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-bolt-19", "make"]) {
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
    let build = "rm -rf out && make CC=$CC";
    let levers = "\"gc-sections\", \"icf\", \"bolt\"";
    let project = project(levers, &[("Makefile", &makefile)], build, "out/prog");
    let names = ["icf", "profiling.relocations"];
    expect_whole(&project, build, &names, 3);
    // The lists of headers are there as after compiling.
    let list = fs::read_to_string(project.path(".hone/variants/icf/out/main.d")).unwrap();
    assert!(list.contains("main.c"), "{list}");
}

/// With ThinLTO the objects are bitcode, which the flags for sections do not change.
#[test]
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
    let levers = "\"gc-sections\", \"icf\"";
    let project = project(levers, &[("CMakeLists.txt", lists)], build, "out/prog");
    expect_whole(&project, build, &["icf"], 3);
}

/// libtool compiles each source twice and hides what it links in `.libs`.
#[test]
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
    let levers = "\"gc-sections\", \"icf\"";
    let project = project(levers, &files, &build, "prog");
    fs::create_dir(project.path("m4")).unwrap();
    run_in(&project.path(""), "autoreconf", &["--install"]);
    expect_whole(&project, &build, &["icf"], 3);
}

/// What a build finds out by linking may change what it compiles.
#[test]
fn what_is_compiled_otherwise_is_compiled_again() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-bolt-19", "readelf"]) {
        return;
    }
    let script = "set -e\n\
        echo 'int main(void) { return 0; }' >conftest.c\n\
        $CC conftest.c -o conftest\n\
        if readelf -l conftest | grep -q INTERP; then kind=loaded; else kind=whole; fi\n\
        echo \"static const char kind[] __attribute__((used)) = \\\"kind: $kind\\\";\" >config.h\n\
        $CC -O2 -include config.h -c main.c\n\
        $CC -O2 -c steps.c\n$CC -O2 -c turn.c\n\
        $CC -O2 main.o steps.o turn.o -o prog\n";
    let project = project(
        "\"static\", \"bolt\"",
        &[("build.sh", script)],
        "sh build.sh",
        "prog",
    );
    let output = project.optimize(&[]);
    for (variant, kind) in [("static", "whole"), ("profiling.relocations", "loaded")] {
        let binary = fs::read(project.path(&format!(".hone/variants/{variant}/prog"))).unwrap();
        let text = String::from_utf8_lossy(&binary);
        assert!(
            text.contains(&format!("kind: {kind}")),
            "{variant}: {}",
            stderr(&output)
        );
    }
    // Static linking has no word for the compiler: what the user's own build compiled is its own. What is recorded for BOLT has
    // line tables.
    for (variant, takes_own) in [("static", true), ("profiling.relocations", false)] {
        let log = format!(".hone/logs/{variant}.calls.log");
        let log = fs::read_to_string(project.path(&log)).unwrap();
        let kept = |source: &str| {
            let mut calls = log
                .lines()
                .filter(|line| line.contains(&format!("-c {source}")));
            calls
                .next()
                .unwrap()
                .contains("with the object of baseline")
        };
        for source in ["steps.c", "turn.c"] {
            assert_eq!(kept(source), takes_own, "{variant}: {log}");
        }
        assert!(!kept("main.c"), "{variant}: {log}");
    }
}
