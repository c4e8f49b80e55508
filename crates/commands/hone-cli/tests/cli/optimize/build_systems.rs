//! `hone wrap` around builds of every kind: what a lever adds reaches compilations and links, and nothing is edited.

use crate::common::{has_tools, hone, hone_with, is_refused, run_in, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Says whether it was compiled with the lever's flag.
const PROGRAM: &str = r#"
#include <stdio.h>
int main(void) {
#ifdef LEVER
    puts("compiled with it");
#endif
    return 0;
}
"#;

/// The build id that the lever's links give.
const BUILD_ID: [u8; 8] = [0xc0, 0xff, 0xee, 0x15, 0xde, 0xad, 0xbe, 0xef];

/// A directory with the program and a winner of one lever, in `hone`.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let id: String = BUILD_ID.iter().map(|byte| format!("{byte:02x}")).collect();
    let winner = serde_json::json!({
        "program": "prog", "variant": "lever", "gain": "", "build_command": "", "build_env": {}, "binary": "prog",
        "flags": {
            "toolchain": "clang",
            "compile": ["-DLEVER", "-Wno-unused-command-line-argument"],
            "link": [format!("-Wl,--build-id=0x{id}")],
        },
        "post_link": [], "profiles": [], "deploy": [],
        "tools": { "c": "clang", "cxx": "clang++", "ar": "ar", "ranlib": "ranlib" },
    });
    fs::create_dir(directory.path().join("hone")).unwrap();
    let winner = winner.to_string();
    let own = [("prog.c", PROGRAM), ("hone/winner.json", &winner)];
    for (name, text) in own.iter().chain(files) {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

/// Runs a build behind the wrappers; `program` must come out of it with the lever in both places.
fn expect_lever(directory: &Path, build: &str, program: &str) {
    let output = hone(
        &["wrap", "--from", "hone", "--", "sh", "-c", build],
        directory,
    );
    assert!(output.status.success(), "{}", stderr(&output));
    expect_lever_in(&directory.join(program));
}

fn expect_lever_in(program: &Path) {
    let output = Command::new(program).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "compiled with it\n"
    );
    let binary = fs::read(program).unwrap();
    let is_linked_with_it = binary
        .windows(BUILD_ID.len())
        .any(|bytes| bytes == BUILD_ID);
    assert!(
        is_linked_with_it,
        "the link of {} did not get the flag",
        program.display()
    );
}

#[test]
fn a_compiler_by_its_path_in_cc() {
    let compiler = "/usr/bin/clang-19";
    if !Path::new(compiler).exists() {
        println!("skipped: there is no {compiler}");
        return;
    }
    let directory = project(&[]);
    let wrap = [
        "wrap",
        "--from",
        "hone",
        "--",
        "sh",
        "-c",
        "$CC prog.c -o prog",
    ];
    let output = hone_with(&wrap, directory.path(), &[("CC", compiler)]);
    assert!(output.status.success(), "{}", stderr(&output));
    expect_lever_in(&directory.path().join("prog"));
}

#[test]
fn autotools() {
    if !has_tools(&["clang-19", "autoreconf", "automake", "make"]) {
        return;
    }
    let configure = "AC_INIT([prog], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\n\
                     AC_OUTPUT\n";
    let makefile = "bin_PROGRAMS = prog\nprog_SOURCES = prog.c\n";
    let directory = project(&[("configure.ac", configure), ("Makefile.am", makefile)]);
    run_in(directory.path(), "autoreconf", &["--install"]);
    expect_lever(directory.path(), "./configure && make", "prog");
}

#[test]
fn meson() {
    if !has_tools(&["clang-19", "meson", "ninja"]) {
        return;
    }
    let build = "project('prog', 'c')\nexecutable('prog', 'prog.c')\n";
    let directory = project(&[("meson.build", build)]);
    expect_lever(
        directory.path(),
        "meson setup out && ninja -C out",
        "out/prog",
    );
}

#[test]
fn ninja() {
    if !has_tools(&["clang-19", "ninja"]) {
        return;
    }
    let build = "rule compile\n  command = cc -c $in -o $out\nrule link\n  command = cc $in -o $out\n\
                 build prog.o: compile prog.c\nbuild prog: link prog.o\n";
    let directory = project(&[("build.ninja", build)]);
    expect_lever(directory.path(), "ninja", "prog");
}

#[test]
fn cmake_with_ninja() {
    if !has_tools(&["clang-19", "cmake", "ninja"]) {
        return;
    }
    let lists =
        "cmake_minimum_required(VERSION 3.16)\nproject(prog C)\nadd_executable(prog prog.c)\n";
    let directory = project(&[("CMakeLists.txt", lists)]);
    let build = "cmake -S . -B out -G Ninja && cmake --build out";
    expect_lever(directory.path(), build, "out/prog");
}

#[test]
fn the_ir_of_a_build_is_kept_in_an_empty_directory() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("prog.c"), PROGRAM).unwrap();
    let build = ["sh", "-c", "clang-19 -O1 -c prog.c"];
    let words = [&["wrap", "--ir", "ir", "--"][..], &build].concat();
    let output = hone(&words, directory.path());
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the IR of 1 sources is in"), "{said}");
    let ir = fs::read_dir(directory.path().join("ir")).unwrap();
    assert!(ir.count() > 0);
    is_refused(
        &hone(&words, directory.path()),
        "ir is not empty",
        "name a new directory",
    );
}
