//! A program whose build makes a shared library beside it, and strips both.

use crate::common::{Project, has_tools};
use std::fs;
use std::path::Path;
use std::process::Command;

const BUILD: &str = "set -e\n\
    $CC -O2 -c main.c\n\
    $CC -O2 -fPIC -shared -s steps.c -o libsteps.so\n\
    $CC -O2 -Xlinker -s main.o -L. -lsteps -Wl,-rpath,'$ORIGIN' -o prog\n\
    strip -o stripped prog && mv stripped prog\n\
    strip libsteps.so\n";

/// The functions of a sample profile, or why it cannot be shown.
fn functions(profile: &Path) -> String {
    let mut show = Command::new("llvm-profdata-19");
    let shown = show
        .args(["show", "--sample"])
        .arg(profile)
        .output()
        .unwrap();
    String::from_utf8_lossy(&[shown.stdout, shown.stderr].concat()).into_owned()
}

fn has_symbols(binary: &Path) -> bool {
    let bytes = fs::read(binary).unwrap();
    bytes.windows(8).any(|bytes| bytes == b".symtab\0")
}

#[test]
fn profiles_from_samples_are_of_the_programs_own_libraries_too() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19", "strip"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"autofdo-probes\", \"function-order\"");
    fs::write(project.path("build.sh"), BUILD).unwrap();
    project.measure_no_variant();
    project.optimize(&[]);
    for lever in ["autofdo", "autofdo-probes"] {
        let profile = project.path(&format!(".hone/profiles/profiling.{lever}.prof"));
        let shown = functions(&profile);
        for function in ["Function: work:", "Function: mix:"] {
            assert!(shown.contains(function), "{lever}: {shown}");
        }
    }
    let order = fs::read_to_string(project.path(".hone/profiles/profiling.function-order.prof"));
    assert!(order.is_ok_and(|order| order.contains("work")));
    let variants = project.path(".hone/variants");
    for (binary, keeps) in [
        ("baseline/prog", false),
        ("profiling/prog", true),
        ("profiling/libsteps.so", true),
    ] {
        assert_eq!(has_symbols(&variants.join(binary)), keeps, "{binary}");
    }
}
