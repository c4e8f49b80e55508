//! The baseline is the user's build: behind wrappers without flags, builds of all kinds call the same compilers with the same words.

use crate::common::{hone_with, stderr};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::is_in_path;

const PROGRAM: &str = "int main(void) { return 0; }\n";

/// A project whose compilers tell their calls.
struct Project {
    directory: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        let winner = serde_json::json!({
            "program": "prog", "variant": "baseline", "gain": "", "build_command": "", "build_env": {}, "binary": "prog",
            "flags": {}, "post_link": [], "profiles": [], "deploy": [],
            "tools": { "c": "cc", "cxx": "c++", "ar": "ar", "ranlib": "ranlib" },
        });
        let winner = winner.to_string();
        let own = [("source/prog.c", PROGRAM), ("winner/winner.json", &winner)];
        for (name, text) in own.iter().chain(files) {
            project.write(name, text);
        }
        for name in ["cc", "c++", "gcc", "g++", "clang-19", "clang++-19"] {
            let real = format!("/usr/bin/{name}");
            if Path::new(&real).exists() {
                let log = project.path("calls");
                let script = format!(
                    "#!/bin/sh\necho \"{name} $*\" >> {}\nexec {real} \"$@\"\n",
                    log.display()
                );
                project.program(&format!("bin/{name}"), &script);
            }
        }
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn program(&self, name: &str, script: &str) {
        self.write(name, script);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The calls of a build by itself, and behind the wrappers.
    fn calls(&self, build: &str, before_path: &str) -> [Vec<String>; 2] {
        let others = std::env::var("PATH").unwrap();
        let path = format!("{before_path}{}:{others}", self.path("bin").display());
        let from = self.path("winner");
        let wrap = [
            "wrap",
            "--from",
            from.to_str().unwrap(),
            "--",
            "sh",
            "-ec",
            build,
        ];
        [false, true].map(|is_wrapped| {
            let tree = self.path("tree");
            let _ = fs::remove_dir_all(&tree);
            let _ = fs::remove_file(self.path("calls"));
            let source = self.path("source");
            testkit::run_in(
                self.directory.path(),
                "cp",
                &["-a", source.to_str().unwrap(), tree.to_str().unwrap()],
            );
            let output = match is_wrapped {
                true => hone_with(&wrap, &tree, &[("PATH", &path)]),
                false => Command::new("sh")
                    .args(["-ec", build])
                    .env("PATH", &path)
                    .env_remove("CC")
                    .env_remove("CXX")
                    .current_dir(&tree)
                    .output()
                    .unwrap(),
            };
            assert!(output.status.success(), "{build}: {}", stderr(&output));
            let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
            // Hone asks the compilers that it may need for their versions.
            let calls = calls.lines().filter(|call| !call.ends_with(" --version"));
            let mut calls: Vec<String> = calls.map(Into::into).collect();
            calls.sort_unstable();
            calls
        })
    }
}

#[track_caller]
fn expect_the_same(files: &[(&str, &str)], build: &str, called: &str) {
    let project = Project::new(files);
    let [own, wrapped] = project.calls(build, "");
    assert!(own.iter().any(|call| call.starts_with(called)), "{own:?}");
    assert_eq!(own, wrapped, "{build}");
}

/// True where what the tests name is there, and nobody has set the compilers already.
fn has(tools: &[&str]) -> bool {
    let is_set = ["CC", "CXX"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if is_set {
        println!("skipped: CC or CXX is set");
    }
    !is_set && testkit::has_tools(tools)
}

#[test]
fn a_makefile_that_asks_where_its_compiler_comes_from() {
    if !has(&["make", "clang-19", "gcc"]) {
        return;
    }
    let makefile = "ifeq ($(origin CC),default)\nCC = clang-19\nendif\nprog: prog.c\n\t$(CC) -O2 prog.c -o prog\n";
    expect_the_same(
        &[("source/Makefile", makefile)],
        "make",
        "clang-19 -O2 prog.c",
    );
    expect_the_same(
        &[(
            "source/Makefile",
            "prog: prog.c\n\t$(CC) -O2 prog.c -o prog\n",
        )],
        "make",
        "cc -O2 prog.c",
    );
    // Variables are taken away, and PATH is kept.
    let cleared = "env -i PATH=\"$PATH\" make";
    expect_the_same(
        &[("source/Makefile", makefile)],
        cleared,
        "clang-19 -O2 prog.c",
    );
}

#[test]
fn scripts_that_take_what_is_set_first() {
    if !has(&["gcc", "g++"]) {
        return;
    }
    // The last as builds by Rake do.
    for (build, called) in [
        ("${CC:-gcc} -O1 prog.c -o prog", "gcc -O1"),
        ("${CXX:-g++} -O1 -xc++ prog.c -o prog", "g++ -O1"),
        (
            "gcc -c prog.c; ${LD:-${CXX:-${CC:-gcc}}} prog.o -o prog",
            "gcc prog.o",
        ),
    ] {
        expect_the_same(&[], build, called);
    }
}

#[test]
fn generators_that_look_for_a_compiler() {
    if !has(&["gcc"]) {
        return;
    }
    if is_in_path("cmake") {
        let lists =
            "cmake_minimum_required(VERSION 3.16)\nproject(prog C)\nadd_executable(prog prog.c)\n";
        let lists = [("source/CMakeLists.txt", lists)];
        let project = Project::new(&lists);
        let [own, wrapped] = project.calls("cmake -S . -B out && cmake --build out", "");
        // CMake tries its compiler in directories with names of chance.
        let linked = |calls: &[String]| -> Vec<String> {
            let calls = calls
                .iter()
                .filter(|call| call.contains("CMakeFiles/prog.dir"));
            calls.cloned().collect()
        };
        assert_eq!(linked(&own), linked(&wrapped));
        assert!(linked(&own).len() >= 2, "{own:?}");
    }
    if is_in_path("meson") && is_in_path("ninja") {
        let build = "project('prog', 'c')\nexecutable('prog', 'prog.c')\n";
        let project = Project::new(&[("source/meson.build", build)]);
        let [own, wrapped] = project.calls("meson setup out && ninja -C out", "");
        let linked = |calls: &[String]| -> Vec<String> {
            let calls = calls.iter().filter(|call| call.contains("prog.p/prog.c.o"));
            calls.cloned().collect()
        };
        assert_eq!(linked(&own), linked(&wrapped));
    }
    if is_in_path("ninja") {
        let build = "rule link\n  command = gcc -O2 $in -o $out\nbuild prog: link prog.c\n";
        expect_the_same(&[("source/build.ninja", build)], "ninja", "gcc -O2 prog.c");
    }
    if is_in_path("autoreconf") && is_in_path("clang-19") {
        let configure = "AC_INIT([prog], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n";
        let files = [
            ("source/configure.ac", configure),
            (
                "source/Makefile.am",
                "bin_PROGRAMS = prog\nprog_SOURCES = prog.c\n",
            ),
            ("site", "CC=clang-19\n"),
        ];
        let project = Project::new(&files);
        let site = project.path("site");
        let build = format!(
            "autoreconf --install >/dev/null 2>&1; CONFIG_SITE={} ./configure >/dev/null; make",
            site.display()
        );
        let [own, wrapped] = project.calls(&build, "");
        let compiled = |calls: &[String]| -> Vec<String> {
            let calls = calls.iter().filter(|call| call.contains("prog.o"));
            calls.cloned().collect()
        };
        assert_eq!(compiled(&own), compiled(&wrapped));
        assert!(compiled(&own)[0].starts_with("clang-19"), "{own:?}");
    }
}

/// A cache of objects that stands in PATH under the compiler's name, and calls the next of that name.
#[test]
fn a_launcher_under_the_compilers_name() {
    if !has(&["gcc"]) {
        return;
    }
    let project = Project::new(&[]);
    let launcher = "#!/bin/sh\nname=$(basename \"$0\")\nown=$(dirname \"$0\")\nIFS=:\nfor directory in $PATH; do\n\
        [ \"$directory\" = \"$own\" ] || [ ! -x \"$directory/$name\" ] || exec \"$directory/$name\" \"$@\"\ndone\nexit 9\n";
    project.program("launchers/ccache", launcher);
    symlink("ccache", project.path("launchers/gcc")).unwrap();
    let before = format!("{}:", project.path("launchers").display());
    let [own, wrapped] = project.calls("gcc -O2 prog.c -o prog", &before);
    assert_eq!(own, ["gcc -O2 prog.c -o prog"]);
    assert_eq!(own, wrapped);
}
