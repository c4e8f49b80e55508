//! What comes after the ladder: the search, the winner in other builds, and its layouts.

use crate::common::{Project, has_tools, hone, stderr, stdout};
use std::fs;
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

/// A warning comes before anything is measured, and before any other note; the search comes to its end.
fn expect_warning_and_search(report: &serde_json::Value, said: &str) {
    let warning = "Your build compiles without optimisation";
    let (warned, measured) = (said.find(warning), said.find("one pilot run"));
    assert!(warned.is_some() && warned < measured, "{said}");
    let first = report["notes"][0].to_string();
    assert!(first.contains(warning), "{first}");
    let remarks = report["remarks"].to_string();
    assert!(
        remarks.contains("no neighbour of the winner was left"),
        "{remarks}"
    );
}

#[test]
fn the_winner_goes_into_other_builds() {
    if !has_tools(&["clang-19", "cmake"]) {
        return;
    }
    let project = unoptimised("\"o3\"");
    let directory = project.path("");
    let none = hone(&["wrap", "--", "true"], &directory);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("hone optimize"), "{}", stderr(&none));

    // A command that sets CC itself takes none of the flags that stand there.
    project.edit(
        "hone.toml",
        "\"sh build.sh\"",
        "\"CC=clang-19 sh build.sh\"",
    );
    let output = project.optimize(&["--budget", "10m"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    expect_warning_and_search(&report, &stderr(&output));
    let shell = report["recipe"]["shell"].as_str().unwrap();
    let comments = shell.replace("\n# ", " ");
    let said = "they were in 0 of 2 compilations and 0 of 1 links of programs";
    assert!(
        shell.contains("hone wrap --from") && comments.contains(said),
        "{shell}"
    );
    assert!(!shell.contains("FLAGS="), "{shell}");
    assert!(report["remarks"].to_string().contains(said), "{report}");
    // What the recipe says makes the winner.
    let lines = shell.replace("hone wrap", &format!("{} wrap", env!("CARGO_BIN_EXE_hone")));
    let made = Command::new("sh")
        .args(["-ec", &lines])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let code = |path: &str| {
        let bytes = fs::read(project.path(path)).unwrap();
        hone_symbols::Binary::parse(&bytes).unwrap().text_size()
    };
    assert_eq!(code("prog"), code(".hone/variants/o3/prog"));
    fs::remove_file(project.path("prog")).unwrap();
    let exported = hone(&["export", ".", "-o", "shared/hone"], &directory);
    assert!(exported.status.success(), "{}", stderr(&exported));
    assert!(stdout(&exported).contains("toolchain.cmake"));

    let source = "#include <stdio.h>\nint main(void) {\n#ifdef __OPTIMIZE__\n puts(\"optimised\");\n#endif\n}\n";
    fs::write(project.path("shared/other.c"), source).unwrap();
    let run = |program: &str| {
        let output = Command::new(project.path(program)).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let wrapped = [
        "wrap", "--from", "hone", "--", "cc", "other.c", "-o", "other",
    ];
    let output = hone(&wrapped, &project.path("shared"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(run("shared/other"), "optimised\n");

    let nothing = ["wrap", "--from", "hone", "--", "true"];
    let output = hone(&nothing, &project.path("shared"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("called no compiler"),
        "{}",
        stderr(&output)
    );

    let lists =
        "cmake_minimum_required(VERSION 3.16)\nproject(other C)\nadd_executable(other other.c)\n";
    fs::write(project.path("shared/CMakeLists.txt"), lists).unwrap();
    let script =
        "cmake -S . -B out -DCMAKE_TOOLCHAIN_FILE=$PWD/hone/toolchain.cmake && cmake --build out";
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(project.path("shared"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(run("shared/out/other"), "optimised\n");

    let make = "include hone/flags.mk\nall:\n\t$(CC) $(CFLAGS) other.c $(LDFLAGS) -o made\n";
    fs::write(project.path("shared/Makefile"), make).unwrap();
    let output = Command::new("make")
        .current_dir(project.path("shared"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(run("shared/made"), "optimised\n");
}

#[test]
fn the_winner_is_measured_in_several_layouts() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let project = unoptimised("\"o3\"");
    // Runs of fixed work: of these the headline has both counts of CPU time.
    project.measure_by("{binary} 3000017");
    project.edit("build.sh", "-O0", "");
    project.edit("build.sh", "main.o steps.o", "main.o steps.o $LDFLAGS");
    let output = project.optimize(&["--layouts", "3"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let spread = &report["confirmation"]["layouts"];
    assert_eq!(
        spread["gains"].as_array().map(Vec::len),
        Some(3),
        "{report}"
    );
    // What only informs does not stand among the warnings.
    let (notes, remarks) = (report["notes"].to_string(), report["remarks"].to_string());
    for words in ["In 3 layouts", "To see a gain of 1 %"] {
        assert!(
            remarks.contains(words) && !notes.contains(words),
            "{remarks}"
        );
    }
    // Both counts of CPU time stand in the headline.
    let told = stdout(&output);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("By user CPU, without the kernel's time"),
        "{told}"
    );
    assert_eq!(report["other_cpu"]["metric"], "user_seconds");
    assert_eq!(report["build_command"], "sh build.sh");
    assert!(
        told.contains("passed the project's check, {binary} 1000"),
        "{told}"
    );
    // The build names no level of optimisation, and takes LDFLAGS, so that flags in variables arrive.
    let shell = report["recipe"]["shell"].as_str().unwrap();
    let (wrapped, plain) = shell.split_once("# Or without Hone").unwrap();
    assert!(
        wrapped.contains("hone wrap --from \"$HONE/..\" -- sh -c 'sh build.sh'"),
        "{shell}"
    );
    assert!(
        plain.contains("in 2 of 2 compilations and 1 of 1 links"),
        "{shell}"
    );
    assert!(plain.contains("export CC=\""), "{shell}");
    let binary =
        |name: &str| fs::read(project.path(&format!(".hone/variants/{name}/prog"))).unwrap();
    for build in ["baseline", "o3"] {
        let first = binary(build);
        let others = [1, 2].map(|seed| binary(&format!("{build}.layout-{seed}")));
        assert!(others.iter().all(|other| *other != first), "{build}");
    }
}
