//! A program whose build makes a shared library beside it, and strips both.

use crate::common::{MEASURE, Project, has_tools, stderr};
use crate::optimize::wrapped::Builds;
use hone_build::VariantFlags;
use std::fs;
use std::path::Path;
use std::process::Command;

const BUILD: &str = "set -e\n\
    $CC -O2 -c main.c\n\
    $CC -O2 -fPIC -shared -s steps.c -o libsteps.so\n\
    $CC -O2 -Xlinker -s main.o -L. -lsteps -Wl,-rpath,\"$PWD\" -o prog\n\
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
fn what_is_recorded_keeps_its_symbols_whatever_the_build_does() {
    if !has_tools(&["clang-19", "strip"]) {
        return;
    }
    let steps = "unsigned mix(unsigned x) { return x * 3; }\n";
    let main = "unsigned mix(unsigned);\nint main(void) { return mix(0) != 0; }\n";
    let builds = Builds::new(&[("main.c", main), ("steps.c", steps)], BUILD);
    builds.build("recorded", &VariantFlags::default(), false);
    for file in ["prog", "libsteps.so"] {
        let path = builds.path("hone/variants/recorded").join(file);
        assert!(has_symbols(&path), "{file}");
    }
}

#[test]
#[ignore = "builds whole modules"]
fn a_variant_runs_with_its_own_library_and_profiles_are_of_both() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19", "strip"]) {
        return;
    }
    let project = Project::new("\"autofdo\", \"autofdo-probes\", \"function-order\"");
    fs::write(project.path("build.sh"), BUILD).unwrap();
    // Each run says which library the loader takes.
    let used = project.path("used");
    let list = format!(
        "{MEASURE}; readlink -f $(ldd {{binary}} | grep -o '/.*/libsteps.so') >>{}",
        used.display()
    );
    project.edit("hone.toml", MEASURE, &list);
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let used = fs::read_to_string(used).unwrap();
    for variant in ["baseline", "autofdo", "autofdo-probes"] {
        let library = format!(".hone/variants/{variant}/libsteps.so");
        let times = used.lines().filter(|line| line.ends_with(&library)).count();
        assert!(
            times > 1,
            "{variant} never ran with its own library:\n{used}"
        );
    }
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
    // What the report calls the winner must run without Hone, too.
    let run = Command::new(project.path(".hone/build/prog"))
        .arg("10")
        .output();
    assert!(run.unwrap().status.success());
}
