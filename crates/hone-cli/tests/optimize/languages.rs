//! `hone optimize` on programs in Rust and Go, with the real toolchains.

use crate::common::{has_tools, hone, stderr};
use std::fs;
use std::path::Path;

fn project(files: &[(&str, &str)], build: &str, binary: &str, levers: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let toml = format!(
        "[program]\nname = \"work\"\nbinary = \"{binary}\"\nexclude = [\"target\"]\n[build]\ncommand = \"{build}\"\n\
         [[train]]\nname = \"t\"\ncommand = \"{{binary}} 200000000\"\n\
         [[measure]]\nname = \"m\"\ncommand = \"{{binary}} 400000000\"\n\
         [ladder]\nlevers = [{levers}]\nseconds_per_rung = 1\n"
    );
    fs::write(directory.path().join("hone.toml"), toml).unwrap();
    directory
}

/// The kind of outcome of each lever's rung, and all of the rung's flags as text.
fn outcomes(directory: &Path) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(directory.join(".hone/report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rungs = report["rungs"].as_array().unwrap();
    let of_lever = rungs.iter().filter_map(|rung| {
        let lever = rung["levers"].as_array()?.last()?.as_str()?.to_owned();
        let kind = rung["outcome"]["kind"].as_str()?.to_owned();
        let words = format!("{} {}", rung["flags"], rung["outcome"]["reason"]);
        Some((lever, kind, words))
    });
    of_lever.collect()
}

const MEASURED: [&str; 4] = ["kept", "beaten", "not_proven", "slower"];

fn expect_measured(directory: &Path, levers: &[&str]) {
    let outcomes = outcomes(directory);
    for lever in levers {
        let found = outcomes.iter().find(|(known, ..)| known == lever);
        let (_, kind, words) = found.unwrap_or_else(|| panic!("no rung {lever}"));
        assert!(MEASURED.contains(&kind.as_str()), "{lever}: {kind} {words}");
    }
}

#[test]
fn a_rust_program_climbs_with_rustcs_own_levers() {
    if !has_tools(&["cargo", "llvm-bolt-19"]) {
        return;
    }
    let main = "fn main() {\n    let n: u64 = std::env::args().nth(1).map_or(1000, |n| n.parse().unwrap());\n    \
        let mut x = n;\n    for i in 0..n { x = work::step(x, i); }\n    println!(\"{x}\");\n}\n";
    let lib = "#[inline(never)]\npub fn step(x: u64, i: u64) -> u64 {\n    if x % 3 == 0 { x / 3 + i } else { x.wrapping_mul(5) ^ i }\n}\n";
    let manifest = "[package]\nname = \"work\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/main.rs", main),
        ("src/lib.rs", lib),
    ];
    let levers = "\"codegen-units\", \"lto\", \"autofdo\", \"pgo\", \"bolt\"";
    let build = "cargo build --release --offline";
    let project = project(&files, build, "target/release/work", levers);
    let output = hone(&["optimize"], project.path());
    assert!(output.status.success(), "{}", stderr(&output));
    expect_measured(project.path(), &["codegen-units", "lto", "autofdo", "bolt"]);
    let outcomes = outcomes(project.path());
    let flags = |lever: &str| {
        let found = outcomes.iter().find(|(known, ..)| known == lever);
        found.map(|(.., words)| words.clone()).unwrap()
    };
    assert!(
        flags("autofdo").contains("-Zprofile-sample-use="),
        "{}",
        flags("autofdo")
    );
    let log = fs::read_dir(project.path().join(".hone/logs"))
        .unwrap()
        .flatten();
    let calls: Vec<_> = log
        .filter(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .ends_with("autofdo.calls.log")
        })
        .map(|entry| fs::read_to_string(entry.path()).unwrap())
        .collect();
    assert!(
        calls
            .iter()
            .any(|text| text.contains("-Zprofile-sample-use=")),
        "{calls:?}"
    );
}

#[test]
fn a_go_program_climbs_with_a_profile_of_its_own_recording() {
    if !has_tools(&["go"]) {
        return;
    }
    let main = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n)\n\n\
        //go:noinline\nfunc step(x, i uint64) uint64 {\n\tif x%3 == 0 {\n\t\treturn x/3 + i\n\t}\n\treturn x*5 ^ i\n}\n\n\
        func main() {\n\tn, _ := strconv.ParseUint(os.Args[1], 10, 64)\n\tx := n\n\t\
        for i := uint64(0); i < n; i++ {\n\t\tx = step(x, i)\n\t}\n\tfmt.Println(x)\n}\n";
    let files = [
        ("go.mod", "module example.org/work\n\ngo 1.21\n"),
        ("main.go", main),
    ];
    let levers = "\"x86-64-v2\", \"autofdo\", \"thinlto\"";
    let project = project(&files, "go build -o work .", "work", levers);
    let output = hone(&["optimize"], project.path());
    assert!(output.status.success(), "{}", stderr(&output));
    expect_measured(project.path(), &["x86-64-v2", "autofdo"]);
    let outcomes = outcomes(project.path());
    // It was named, and Go has none.
    let lto = outcomes.iter().find(|(lever, ..)| lever == "thinlto");
    assert_eq!(lto.unwrap().1, "skipped", "{outcomes:?}");
    let variants = fs::read_dir(project.path().join(".hone/variants"))
        .unwrap()
        .flatten();
    let built = variants
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().ends_with("autofdo"));
    let info = std::process::Command::new("go")
        .args(["version", "-m"])
        .arg(built.unwrap().join("work"))
        .output()
        .unwrap();
    let info = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.contains("-pgo="), "{info}");
}
