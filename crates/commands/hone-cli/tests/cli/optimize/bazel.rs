//! `hone optimize` with a build by the real Bazel, which keeps variables from compilers and shares its output.

use crate::common::{Project, has_tools, processes_in, stderr};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUILD: &str =
    r#"cc_binary(name = "prog", srcs = ["main.h", "main.c", "steps.c"], copts = ["-O2"])"#;

/// Bazel would fetch these rules from the network. Those for C are its own, under names that its tools ask for.
const RULES_CC: &str = r#"
cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
def cc_flags_supplier(name, **kwargs):
    native.filegroup(name = name)
def compiler_flag(name, **kwargs):
    native.filegroup(name = name)
"#;

/// Where Debian has those for Java.
const RULES_JAVA: &str = "/usr/share/bazel/rules/java";

/// Makes a project one of Bazel, all that Bazel keeps in `outside`; whether Bazel can build it here.
fn by_bazel(project: &Project, outside: &Path) -> bool {
    let rules = outside.join("rules_cc");
    fs::create_dir_all(rules.join("cc")).unwrap();
    for (name, text) in [
        ("WORKSPACE", ""),
        ("cc/BUILD", ""),
        ("cc/defs.bzl", RULES_CC),
    ] {
        fs::write(rules.join(name), text).unwrap();
    }
    let rules = format!(
        "startup --output_user_root={}\ncommon --override_repository=rules_cc={}\n\
         common --override_repository=rules_java={RULES_JAVA}\n",
        outside.join("root").display(),
        rules.display()
    );
    for (name, text) in [("WORKSPACE", ""), ("BUILD", BUILD), (".bazelrc", &rules)] {
        fs::write(project.path(name), text).unwrap();
    }
    project.edit("hone.toml", "sh build.sh", "bazel build //:prog");
    project.edit(
        "hone.toml",
        "\"prog\"\n[build]",
        "\"bazel-bin/prog\"\n[build]",
    );
    let bazel = |command: &[&str]| {
        let mut bazel = Command::new("bazel");
        let output = bazel.args(command).current_dir(project.path("."));
        output.output().unwrap()
    };
    let built = bazel(&["build", "//:prog"]);
    bazel(&["clean", "--expunge"]);
    if !built.status.success() {
        println!("skipped: Bazel cannot build here: {}", stderr(&built));
    }
    built.status.success()
}

/// The program of a variant, which must lie in its own tree.
fn program_in(tree: &Path) -> PathBuf {
    let binary = tree.join("bazel-bin/prog");
    let directory = tree.join("bazel-bin").symlink_metadata().unwrap();
    assert!(directory.is_dir(), "{} is a link", tree.display());
    binary
}

#[test]
#[ignore = "builds whole modules"]
fn each_variant_has_its_own_flags_and_program() {
    if !has_tools(&["bazel", "clang-19", "ld.lld-19"]) {
        return;
    }
    let project = Project::new("\"thinlto\"");
    let outside = tempfile::tempdir().unwrap();
    if !by_bazel(&project, outside.path()) {
        return;
    }
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let outcomes: Vec<_> = report["rungs"].as_array().unwrap().iter().collect();
    let tried = |lever: &str| {
        let mut rungs = outcomes.iter();
        let rung = rungs.find(|rung| {
            let levers = rung["levers"].as_array();
            levers.is_some_and(|levers| levers.iter().any(|own| own == lever))
        });
        let kind = &rung.unwrap_or_else(|| panic!("{report}"))["outcome"]["kind"];
        ["kept", "not_proven", "slower", "beaten"].contains(&kind.as_str().unwrap())
    };
    assert!(tried("thinlto"), "{outcomes:?}");
    let variants = fs::read_dir(project.path(".hone/variants")).unwrap();
    let mut programs: Vec<_> = variants
        .map(|variant| fs::read(program_in(&variant.unwrap().path())).unwrap())
        .collect();
    let all = programs.len();
    programs.sort();
    programs.dedup();
    assert!(all >= 2 && programs.len() == all, "{all} variants");
    let calls = fs::read_to_string(project.path(".hone/logs/thinlto.calls.log")).unwrap();
    assert!(calls.contains("-flto=thin"), "{calls}");
    let left = processes_in(&project.path(".hone"));
    assert!(left.is_empty(), "a server is left: {left:?}");
}
