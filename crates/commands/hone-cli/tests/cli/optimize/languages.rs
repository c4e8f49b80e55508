//! `hone optimize` on programs in Rust and Go, with the real toolchains.

use crate::common::{MEASURE, has_tools, hone, report_in, stderr};
use std::fs;
use std::path::Path;

/// A project whose workloads are the program's rounds, as `MEASURE` of `common` has them.
fn project(files: &[(&str, &str)], build: &str, binary: &str, levers: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let toml = format!(
        "[program]\nname = \"work\"\nbinary = \"{binary}\"\nexclude = [\"target\"]\n[build]\ncommand = \"{build}\"\n\
         [[train]]\nname = \"t\"\ncommand = \"{{binary}} 50000000\"\n\
         [[measure]]\nname = \"m\"\ncommand = \"{MEASURE}\"\n\
         work = 'rounds (\\d+)'\ncompare_pattern = 'sum (\\d+)'\n\
         [ladder]\nlevers = [{levers}]\nseconds_per_rung = 1\n"
    );
    fs::write(directory.path().join("hone.toml"), toml).unwrap();
    directory
}

/// The kind of outcome of each lever's rung, and all of the rung's flags as text.
fn outcomes(directory: &Path) -> Vec<(String, String, String)> {
    let report = report_in(directory);
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
#[ignore = "builds whole modules"]
fn a_rust_program_climbs_with_rustcs_own_levers() {
    if !has_tools(&["cargo", "llvm-bolt-19"]) {
        return;
    }
    let main = r#"
        fn used_s() -> f64 {
            let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
            let nanoseconds = text.split(' ').next().unwrap();
            nanoseconds.parse::<f64>().unwrap() / 1e9
        }
        fn work(n: u64) -> u64 {
            (0..n).fold(n, work::step)
        }
        fn main() {
            let words: Vec<String> = std::env::args().collect();
            let n: u64 = words.get(1).map_or(1000, |n| n.parse().unwrap());
            let least: f64 = words.get(2).map_or(0.0, |least| least.parse().unwrap());
            let one: fn(u64) -> u64 = std::hint::black_box(work);
            let (mut rounds, sum) = (n, one(n));
            while used_s() < least {
                assert_eq!(one(n), sum);
                rounds += n;
            }
            println!("sum {sum}\nrounds {rounds}");
        }
    "#;
    let lib = "#[inline(never)]\npub fn step(x: u64, i: u64) -> u64 {\n    if x % 3 == 0 { x / 3 + i } else { x.wrapping_mul(5) ^ i }\n}\n";
    let manifest = "[package]\nname = \"work\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/main.rs", main),
        ("src/lib.rs", lib),
    ];
    let levers = "\"codegen-units\", \"lto\", \"autofdo\", \"bolt\"";
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
#[ignore = "builds whole modules"]
fn a_go_program_climbs_with_a_profile_of_its_own_recording() {
    if !has_tools(&["go"]) {
        return;
    }
    // Of Go's library almost nothing has to be built for each variant.
    let main = r#"package main

import "syscall"

//go:noinline
func step(x, i uint64) uint64 {
	if x%3 == 0 {
		return x/3 + i
	}
	return x*5 ^ i
}

func work(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i++ {
		x = step(x, i)
	}
	return x
}

func used() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func digits(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + digits(n%10)
}

func main() {
	sum, rounds := work(100003), uint64(100003)
	for used() < 220e6 {
		if work(100003) != sum {
			panic("another sum")
		}
		rounds += 100003
	}
	syscall.Write(1, []byte("sum "+digits(sum)+"\nrounds "+digits(rounds)+"\n"))
}
"#;
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
