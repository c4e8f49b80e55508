//! What comes after the ladder: the search, the winner in several layouts and in other builds.

use crate::common::{Project, has_tools, hone, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A loop that an optimiser replaces by a formula. That gains more than tenfold. What an optimiser gains by registers alone is
/// twofold in some runs and fourfold in others, on CPUs that pass on what was just stored by where the stack lies.
const STEPS: &str = "unsigned mix(unsigned x) {\n    unsigned sum = x >> 3;\n    \
    for (unsigned i = 0; i < 200; i++) sum += x ^ 5;\n    return sum;\n}\nunsigned turn(unsigned x) { return mix(x) + 1; }\n";

/// A project whose own build does not optimise at all, so that -O3 is proven to help on the worst machine.
fn unoptimised(levers: &str) -> Project {
    let project = Project::new(levers);
    let build = fs::read_to_string(project.path("build.sh")).unwrap();
    fs::write(project.path("build.sh"), build.replace("-O2", "-O0")).unwrap();
    fs::write(project.path("steps.c"), STEPS).unwrap();
    project
}

/// A directory with the winner -O3 of a finished run, and another program that tells whether it was optimised.
fn with_winner() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let winner = serde_json::json!({
        "program": "prog", "variant": "o3", "gain": "1.2x", "build_command": "", "build_env": {}, "binary": "prog",
        "flags": { "toolchain": "clang", "compile": ["-O3"], "link": ["-O3"] },
        "post_link": [], "profiles": [], "deploy": [],
        "tools": { "c": "clang-19", "cxx": "clang++-19", "ar": "llvm-ar-19", "ranlib": "llvm-ranlib-19" },
    });
    let source = "#include <stdio.h>\nint main(void) {\n#ifdef __OPTIMIZE__\n puts(\"optimised\");\n#endif\n}\n";
    for (name, text) in [
        (".hone/report/winner.json", winner.to_string().as_str()),
        ("shared/other.c", source),
    ] {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

/// Runs a shell line in a directory, and then the program that it made.
fn made_by(line: &str, directory: &Path, program: &str) -> String {
    let made = Command::new("sh")
        .args(["-ec", line])
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let ran = Command::new(directory.join(program)).output().unwrap();
    stdout(&ran)
}

#[test]
fn an_exported_winner_goes_into_builds_by_wrap_cmake_and_make() {
    if !has_tools(&["clang-19", "cmake", "make"]) {
        return;
    }
    let directory = with_winner();
    let exported = hone(&["export", ".", "-o", "shared/hone"], directory.path());
    assert!(exported.status.success(), "{}", stderr(&exported));
    assert!(stdout(&exported).contains("toolchain.cmake"));
    let shared = directory.path().join("shared");
    let wrapped = format!(
        "{} wrap --from hone -- cc other.c -o other",
        env!("CARGO_BIN_EXE_hone")
    );
    assert_eq!(made_by(&wrapped, &shared, "other"), "optimised\n");

    let lists =
        "cmake_minimum_required(VERSION 3.16)\nproject(other C)\nadd_executable(other other.c)\n";
    fs::write(shared.join("CMakeLists.txt"), lists).unwrap();
    let script =
        "cmake -S . -B out -DCMAKE_TOOLCHAIN_FILE=$PWD/hone/toolchain.cmake && cmake --build out";
    assert_eq!(made_by(script, &shared, "out/other"), "optimised\n");

    let make = "include hone/flags.mk\nall:\n\t$(CC) $(CFLAGS) other.c $(LDFLAGS) -o made\n";
    fs::write(shared.join("Makefile"), make).unwrap();
    assert_eq!(made_by("make", &shared, "made"), "optimised\n");
}

#[test]
fn without_a_winner_or_a_compiler_there_is_nothing_to_wrap() {
    let directory = tempfile::tempdir().unwrap();
    let none = hone(&["wrap", "--", "true"], directory.path());
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("hone optimize"), "{}", stderr(&none));

    let directory = with_winner();
    let nothing = hone(&["wrap", "--", "true"], directory.path());
    assert_eq!(nothing.status.code(), Some(2));
    let said = stderr(&nothing);
    assert!(said.contains("called no compiler"), "{said}");
}

#[test]
#[ignore = "builds whole modules"]
fn the_winner_is_searched_for_measured_in_layouts_and_made_again_by_its_recipe() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let project = unoptimised("\"o3\"");
    project.edit("build.sh", "main.o steps.o", "main.o steps.o $LDFLAGS");
    // A command that sets CC itself takes none of the flags that stand there.
    project.edit(
        "hone.toml",
        "\"sh build.sh\"",
        "\"CC=clang-19 sh build.sh\"",
    );
    let output = project.optimize(&["--budget", "10m", "--layouts", "3"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let warning = "Your build compiles without optimisation";
    let first = report["notes"][0].to_string();
    assert!(first.contains(warning), "{first}");
    let remarks = report["remarks"].to_string();
    for words in [
        "no neighbour of the winner was left",
        "In 3 layouts",
        "To see a gain of 1 %",
    ] {
        assert!(remarks.contains(words), "{remarks}");
    }
    let binary =
        |name: &str| fs::read(project.path(&format!(".hone/variants/{name}/prog"))).unwrap();
    for build in ["baseline", "o3"] {
        assert!(
            binary(build) != binary(&format!("{build}.layout-1")),
            "{build}"
        );
    }
    let told = stdout(&output);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("passed the project's check, {binary} 1000"),
        "{told}"
    );
    // What the recipe says makes the winner.
    let shell = report["recipe"]["shell"].as_str().unwrap();
    let comments = shell.replace("\n# ", " ");
    let said = "they were in 0 of 2 compilations and 0 of 1 links of programs";
    assert!(comments.contains(said), "{shell}");
    let lines = shell.replace("hone wrap", &format!("{} wrap", env!("CARGO_BIN_EXE_hone")));
    let made = Command::new("sh")
        .args(["-ec", &lines])
        .current_dir(project.path(""))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let code = |path: &str| {
        let bytes = fs::read(project.path(path)).unwrap();
        hone_symbols::Binary::parse(&bytes).unwrap().text_size()
    };
    assert_eq!(code("prog"), code(".hone/variants/o3/prog"));
}
