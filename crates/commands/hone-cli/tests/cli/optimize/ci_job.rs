//! The job that `hone export` writes, run in a Debian that has nothing but what a runner has and what the job installs.

use crate::common::{hone, stderr};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use testkit::{has_tools, run_in};
use yaml_rust2::{Yaml, YamlLoader};

/// Says by which compiler it was made, and what its library says.
const PROGRAM: &str = "#include <stdio.h>\n#include <steps.h>\nint main(int argc, char **argv) {\n\
    for (int i = 0; i < argc; i++) { puts(__VERSION__); puts(steps()); }\n    return 0;\n}\n";

/// A library as Hone builds one again, which is installed nowhere.
fn library(prefix: &Path) {
    for name in ["lib", "include"] {
        fs::create_dir_all(prefix.join(name)).unwrap();
    }
    let source = "const char *steps(void) { return \"steps, rebuilt\"; }\n";
    fs::write(prefix.join("steps.c"), source).unwrap();
    fs::write(prefix.join("include/steps.h"), "const char *steps(void);\n").unwrap();
    run_in(prefix, "cc", &["-c", "steps.c"]);
    run_in(prefix, "ar", &["rcs", "lib/libsteps.a", "steps.o"]);
}

/// A directory with the program, its makefile, and a winner with ThinLTO, another allocator, a rebuilt library and a step after the link.
fn project(directory: &Path) {
    let prefix = directory.join(".hone/build/.hone-dependencies/steps");
    library(&prefix);
    let profile = directory.join(".hone/profiles/bolt.fdata");
    let winner = serde_json::json!({
        "program": "prog", "variant": "mimalloc+thinlto+bolt", "gain": "", "build_command": "make 'WORDS=a b'", "build_env": {"CC": "clang-19"},
        "binary": "prog",
        "flags": {
            "toolchain": "clang", "compile": ["-flto=thin", "-Wno-unused-command-line-argument"], "bitcode": true,
            "link": ["-fuse-ld=lld", "-flto=thin", "-Wl,-q"], "link_program": ["-Wl,--no-as-needed", "-lmimalloc", "-Wl,--as-needed"],
            "dependencies": [{
                "name": "steps", "library": "steps", "prefix": prefix, "archive": prefix.join("lib/libsteps.a"), "link": [], "with_levers": true,
            }],
        },
        "post_link": [format!("llvm-bolt-19 prog -o prog.bolt -data={} -reorder-blocks=ext-tsp", profile.display())],
        "profiles": [profile], "deploy": [],
        "tools": { "c": "clang-19", "cxx": "clang++-19", "ar": "llvm-ar-19", "ranlib": "llvm-ranlib-19" },
    });
    fs::create_dir_all(directory.join(".hone/report")).unwrap();
    fs::create_dir_all(directory.join(".hone/profiles")).unwrap();
    for (name, text) in [
        ("prog.c", PROGRAM),
        (
            "Makefile",
            "prog: prog.c\n\t$(CC) -O2 prog.c -lsteps -o prog\n",
        ),
        (".hone/report/winner.json", &winner.to_string()),
        (".hone/profiles/bolt.fdata", "1 main 0 1 puts 0 0 5\n"),
    ] {
        fs::write(directory.join(name), text).unwrap();
    }
}

/// Hone's package, with stand-ins for the commands that the job does not need.
fn package(directory: &Path) -> PathBuf {
    let built = directory.join("built");
    fs::create_dir(&built).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_hone"), built.join("hone")).unwrap();
    for name in ["hone-agent", "hone-hub"] {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_hone"));
        fs::write(built.join(name), script).unwrap();
        fs::set_permissions(built.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let to = directory.join("packages");
    let words = [to.to_str().unwrap(), built.to_str().unwrap()];
    run_in(&root, "packaging/package", &words);
    to.join(format!("hone_{}_amd64.deb", env!("CARGO_PKG_VERSION")))
}

/// Runs a shell script in a Debian, as its root, with a `/proc` that goes away with it.
fn inside(debian: &Path, script: &str, env: &[(String, String)]) -> Output {
    Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-ec"])
        .arg("mount -t proc proc \"$0/proc\"; exec chroot \"$0\" \"$@\"")
        .arg(debian)
        .args([
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME=/root",
        ])
        .arg("DEBIAN_FRONTEND=noninteractive")
        .args(env.iter().map(|(name, value)| format!("{name}={value}")))
        .args(["bash", "-ec", &format!("cd /repository\n{script}")])
        .output()
        .unwrap()
}

/// A Debian with what GitHub's runners have too, or none where no mirror can be reached.
fn debian(at: &Path) -> bool {
    let script = "mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep debian | grep -v security | head -n 1)\n\
        debootstrap --variant=minbase --include=ca-certificates,curl,sudo,make,libc6-dev $(. /etc/os-release && echo $VERSION_CODENAME) \"$0\" \"$mirror\" &&\n\
        cp -a /etc/apt/. \"$0/etc/apt/\" && cp /etc/resolv.conf /etc/hosts \"$0/etc/\"";
    let made = Command::new("bash").args(["-ec", script]).arg(at).output();
    let made = made.unwrap().status.success();
    if !made {
        println!("skipped: debootstrap does not get a Debian here");
    }
    made
}

#[test]
#[ignore = "further end to end"]
fn the_exported_job_runs_elsewhere() {
    if !rustix::process::geteuid().is_root()
        || !has_tools(&["debootstrap", "dpkg-deb", "chroot", "unshare", "cc", "ar"])
    {
        println!("skipped: a Debian of its own needs root and debootstrap");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let (source, root) = (directory.join("source"), directory.join("debian"));
    fs::create_dir(&source).unwrap();
    project(&source);
    let exported = hone(&["export", ".", "-o", "ci/hone"], &source);
    assert!(exported.status.success(), "{}", stderr(&exported));
    if !debian(&root) {
        return;
    }
    // What is checked out: the sources and what was exported, elsewhere.
    fs::remove_dir_all(source.join(".hone")).unwrap();
    let repository = root.join("repository");
    run_in(
        directory,
        "cp",
        &["-a", source.to_str().unwrap(), repository.to_str().unwrap()],
    );
    fs::copy(package(directory), root.join("srv/hone.deb")).unwrap();
    fs::remove_dir_all(&source).unwrap();

    let text = fs::read_to_string(repository.join("ci/hone/ci-job.yml")).unwrap();
    let job = &YamlLoader::load_from_str(&text).unwrap()[0]["jobs"]["build-optimised"];
    let word = |yaml: &Yaml| yaml.as_str().map(str::to_owned);
    let mut env: Vec<(String, String)> = Vec::new();
    for (name, value) in job["env"].as_hash().unwrap() {
        env.push((word(name).unwrap(), word(value).unwrap()));
    }
    for (name, value) in &mut env {
        if name == "HONE_PACKAGE" {
            *value = "file:///srv/hone.deb".into();
        }
    }
    assert!(env.contains(&("CC".into(), "clang-19".into())), "{env:?}");
    for step in job["steps"].as_vec().unwrap() {
        if let Some(script) = step["run"].as_str() {
            let output = inside(&root, script, &env);
            let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
            assert!(output.status.success(), "{script}\n{said}");
        }
    }
    let ran = inside(&root, "./prog.bolt && ldd ./prog", &[]);
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        said.contains("Clang 19") && said.contains("rebuilt") && said.contains("libmimalloc"),
        "{said}{}",
        stderr(&ran)
    );
}
