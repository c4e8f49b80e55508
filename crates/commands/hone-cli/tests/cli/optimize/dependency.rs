//! `[[dependency]]`: a library in another directory, with its own Makefile, is rebuilt with what was kept.

use crate::common::{Project, has_tools, hone, hone_with, run_in, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Work that -O3, PGO and the rebuilt library each take a large part of; none of it is optimised by the builds' own flags. The
/// program's indirect call has one hot target.
const MAIN: &str = r#"
#include "main.h"
#include <steps.h>
static unsigned own(unsigned x) {
    unsigned a = x, b = x >> 3;
    for (int i = 0; i < 80; i++) { unsigned t = a + b; a = b ^ t; b = t; }
    return a + b;
}
static unsigned one(unsigned x) { return x + 7; }
static unsigned other(unsigned x) { return x ^ 5; }
typedef unsigned (*step)(unsigned);
static volatile step steps[2] = {one, other};
unsigned work(unsigned n) {
    unsigned sum = 1;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < 64; k++) sum = steps[(i + k) % 256 == 0](sum);
        sum += mix(sum ^ i) + own(sum);
    }
    return sum;
}
"#;

const STEPS: &str = "#include \"steps.h\"\nunsigned mix(unsigned x) {\n    unsigned a = x, b = x >> 3, c = 0, d = 1;\n    \
    for (int i = 0; i < 40; i++) { unsigned t = a + b; c ^= t; d += c; a = b ^ d; b = t; }\n    \
    return a + b + c + d;\n}\n";

const MAKEFILE: &str = "all: libsteps.a\n\
    libsteps.a: steps.o\n\t$(AR) rcs $@ steps.o\n\
    steps.o: steps.c steps.h\n\t$(CC) -O0 -c steps.c\n\
    install: all\n\tmkdir -p $(PREFIX)/lib $(PREFIX)/include\n\
    \tcp libsteps.a $(PREFIX)/lib\n\tcp steps.h $(PREFIX)/include\n";

/// A library's source, and the same library as it is installed.
struct Library {
    source: tempfile::TempDir,
    installed: tempfile::TempDir,
}

impl Library {
    fn new() -> Self {
        let library = Self {
            source: tempfile::tempdir().unwrap(),
            installed: tempfile::tempdir().unwrap(),
        };
        let source = library.source.path();
        for (name, text) in [
            ("steps.c", STEPS),
            ("steps.h", "unsigned mix(unsigned);\n"),
            ("Makefile", MAKEFILE),
        ] {
            fs::write(source.join(name), text).unwrap();
        }
        let prefix = format!("PREFIX={}", library.installed.path().display());
        run_in(source, "make", &["-s", "CC=clang-19", "install", &prefix]);
        library
    }

    /// A program that links the installed library, and knows of its source.
    fn used_by_program(&self, levers: &str, command: &str, archive: &str) -> Project {
        let project = Project::new(levers);
        fs::write(project.path("main.c"), MAIN).unwrap();
        fs::remove_file(project.path("steps.c")).unwrap();
        let installed = self.installed.path().display();
        let build = format!(
            "set -e\n$CC -O0 -I{installed}/include -c main.c\n$CC -O0 main.o -L{installed}/lib -lsteps -o prog\n"
        );
        fs::write(project.path("build.sh"), build).unwrap();
        project.edit("hone.toml", "{binary} 100003", "{binary} 10007");
        project.edit("hone.toml", "{binary} 30000001", "{binary} 1000001");
        self.declare(&project, "steps", command, archive);
        project
    }

    /// Adds a `[[dependency]]` on this library's source.
    fn declare(&self, project: &Project, name: &str, command: &str, archive: &str) {
        let source = self.source.path().display();
        let table = format!(
            "\n[[dependency]]\nname = \"{name}\"\nsource = \"{source}\"\ncommand = \"{command}\"\n\
             archive = \"{archive}\"\n"
        );
        let toml = fs::read_to_string(project.path("hone.toml")).unwrap();
        fs::write(project.path("hone.toml"), toml + &table).unwrap();
    }
}

fn rung<'a>(report: &'a serde_json::Value, title: &str) -> &'a serde_json::Value {
    let mut rungs = report["rungs"].as_array().unwrap().iter();
    let found = rungs.find(|rung| rung["title"] == title);
    found.unwrap_or_else(|| panic!("no rung {title}"))
}

/// Without -O3 the library stays as it is built by its own flags.
fn was_skipped(report: &serde_json::Value) -> bool {
    let is_kept = rung(report, "-O3")["outcome"]["kind"] == "kept";
    if !is_kept {
        println!("skipped: -O3 was not proven to help here");
    }
    !is_kept
}

fn names_function(profile: &Path, function: &str) -> bool {
    let mut show = Command::new("llvm-profdata-19");
    let shown = show.args(["show", "--all-functions"]).arg(profile).output();
    let text = String::from_utf8(shown.unwrap().stdout).unwrap();
    text.lines()
        .any(|line| line.trim() == format!("{function}:"))
}

#[test]
#[ignore = "builds whole modules"]
fn a_library_gets_the_levers_that_were_kept_and_a_rung_of_its_own() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19", "make"]) {
        return;
    }
    let library = Library::new();
    let install = "make install PREFIX={prefix}";
    let project = library.used_by_program("\"o3\", \"pgo\"", install, "lib/libsteps.a");
    let output = project.optimize(&["--layouts", "3"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    if was_skipped(&report) {
        return;
    }
    assert_eq!(
        rung(&report, "steps from its source, without levers")["outcome"]["kind"],
        "reference"
    );
    let rebuilt = rung(&report, "steps rebuilt");
    let outcome = &rebuilt["outcome"];
    let measured = ["kept", "not_proven"];
    let is_measured = measured.iter().any(|kind| outcome["kind"] == *kind);
    assert!(is_measured, "{outcome}");
    let id = rebuilt["id"].as_str().unwrap();
    let log = |name: &str| fs::read_to_string(project.path(".hone/logs").join(name)).unwrap();
    let own = log(&format!("{id}.steps.calls.log"));
    assert!(own.contains("-c steps.c") && own.contains("-O3"), "{own}");
    let archive = ".hone-dependencies/steps/lib/libsteps.a";
    assert!(log(&format!("{id}.calls.log")).contains(archive));
    let plain = log(&id.replace("steps-rebuilt", "steps-from-source.steps.calls.log"));
    assert!(
        plain.contains("-c steps.c") && !plain.contains("-O3"),
        "{plain}"
    );

    // The profile of the rungs below knows nothing of the library; the one that it was rebuilt with does.
    if id.contains("pgo") {
        let profile = |name: &str| project.path(".hone/profiles").join(name);
        assert!(!names_function(&profile("o3.pgo.profdata"), "mix"));
        assert!(names_function(
            &profile("steps-rebuilt+o3.pgo.profdata"),
            "mix"
        ));
    } else {
        println!("skipped: PGO was not proven to help here, so that it was not made anew");
    }
    if outcome["kind"] != "kept" {
        println!(
            "skipped: the library was not proven to help here, so that there is none to export"
        );
        return;
    }
    let remarks = report["remarks"].to_string();
    assert!(remarks.contains("In 3 layouts"), "{remarks}");
    let shell = report["recipe"]["shell"].as_str().unwrap();
    assert!(shell.contains("in place of -lsteps"), "{shell}");

    let exported = hone(&["export", ".", "-o", "out"], &project.path(""));
    assert!(exported.status.success(), "{}", stderr(&exported));
    fs::remove_dir_all(project.path(".hone")).unwrap();
    let wrapped = ["wrap", "--from", "out", "--", "sh", "-x", "build.sh"];
    let built = hone_with(&wrapped, &project.path(""), &[("CC", "clang-19")]);
    assert!(built.status.success(), "{}", stderr(&built));
    let run = Command::new(project.path("prog"))
        .arg("10")
        .output()
        .unwrap();
    assert!(run.status.success());
    // Nothing but the exported files leads to the library.
    let make = "include out/flags.mk\nmade:\n\t$(CC) $(CFLAGS) main.c $(LDFLAGS) -lsteps $(LDLIBS) -o made\n";
    fs::write(project.path("Makefile"), make).unwrap();
    run_in(&project.path(""), "make", &["-s"]);
}
