//! `hone diagnose` as a command, and on programs with a planted oddity and on their clean twins, recorded for real.
//!
//! The snapshots of hone-diagnose prove the same of each rule without a recording.

use crate::common::{hone, run_in, stderr, stdout};
use hone_diagnose::ALL;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::recording::{Program, Recording};

/// `hone record` counts user code; these show in the kernel, which perf sees where it may.
const IN_KERNEL: [&str; 1] = ["page-faults"];

/// These show only where a quota holds the program up, and Hone with it.
const UNDER_QUOTA: [&str; 2] = ["cpu-quota", "quota-threads"];

/// These show only in walks, of which a second has enough at this budget.
const WITH_WALKS: [&str; 3] = ["constant-divisor", "denormals", "scattered-loads"];

fn planted() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/planted")
}

/// Which CPUs can show what: a twin that needs AVX2 does not run without.
fn has_avx2() -> bool {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.split_whitespace().any(|word| word == "avx2")
}

/// The directory with the programs of these names, as far as they can be built here.
fn built(names: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let build = planted().join("build");
    let target = directory.path().to_str().unwrap();
    run_in(
        directory.path(),
        build.to_str().unwrap(),
        &[&[target], names].concat(),
    );
    directory
}

/// The findings on a program.
fn diagnosed(directory: &Path, program: &str) -> Value {
    let data = format!("{program}.data");
    let command = format!("./{program}");
    if IN_KERNEL.iter().any(|name| program.starts_with(name)) {
        run_in(
            directory,
            "perf",
            &[
                "record", "-q", "-g", "-F", "4000", "-o", &data, "--", &command,
            ],
        );
    } else if UNDER_QUOTA.iter().any(|name| program.starts_with(name)) {
        let with_quota = planted().join("with-quota");
        let words = "record --branches none -F 4000 -o".split(' ');
        let words: Vec<&str> = [env!("CARGO_BIN_EXE_hone")]
            .into_iter()
            .chain(words)
            .chain([&*data, "--", &*command])
            .collect();
        run_in(directory, with_quota.to_str().unwrap(), &words);
    } else {
        let words = match WITH_WALKS.iter().any(|name| program.starts_with(name)) {
            true => "record --branches walk --overhead 50% -F 4000 -o",
            false => "record --branches none -F 4000 -o",
        };
        let words = words.split(' ');
        let words: Vec<&str> = words.chain([&*data, "--", &*command]).collect();
        let recorded = hone(&words, directory);
        assert!(recorded.status.success(), "{}", stderr(&recorded));
    }
    let output = hone(&["diagnose", &data, "--json"], directory);
    let text = stdout(&output);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{program}: {}", stderr(&output)))
}

fn rules(diagnosis: &Value) -> BTreeSet<&str> {
    let findings = diagnosis["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect()
}

/// Whether the kernel or libc has no names here, so that a recording cannot be judged.
fn is_unfit(diagnosis: &Value, program: &str) -> bool {
    let is_unfit = rules(diagnosis).contains("unfit");
    if is_unfit {
        println!(
            "skipped: the recording of {program} is not fit to judge here: {}",
            diagnosis["findings"][0]["evidence"][0]["what"]
        );
    }
    is_unfit
}

fn check(names: &[&str]) {
    if !has_avx2() {
        println!("skipped: this CPU has no AVX2, for which the twins are built");
        return;
    }
    let directory = built(names);
    for name in names {
        let odd = format!("{name}-odd");
        if !directory.path().join(&odd).exists() {
            println!("skipped: {name} does not build here");
            continue;
        }
        let is_found = |found: &Value| is_unfit(found, &odd) || rules(found).contains(name);
        let found = judged(directory.path(), &odd, is_found);
        assert!(is_found(&found), "{odd}: {found:#}");
        if rules(&found).contains(name) {
            complete(&found);
        }
        let clean = format!("{name}-clean");
        let is_clean = |found: &Value| is_unfit(found, &clean) || rules(found).is_empty();
        let found = judged(directory.path(), &clean, is_clean);
        assert!(is_clean(&found), "{clean}: {found:#}");
    }
}

/// Recordings of one program at most, before what is said of it counts as wrong: what else the machine does may hide an
/// oddity, or look like one, for as long as it goes on.
const TRIES_MAX: usize = 4;

/// What is said of a program, of the first recording of which it is as it should be; else of the last.
fn judged(directory: &Path, program: &str, is_right: impl Fn(&Value) -> bool) -> Value {
    let mut found = diagnosed(directory, program);
    for _ in 1..TRIES_MAX {
        if is_right(&found) {
            break;
        }
        println!("{program}: recorded once more");
        found = diagnosed(directory, program);
    }
    found
}

/// A finding has what one needs to judge it.
fn complete(diagnosis: &Value) {
    for finding in diagnosis["findings"].as_array().unwrap() {
        let number = |value: &Value| value.as_f64().unwrap();
        let share = &finding["share"];
        assert!(
            number(&share["low"]) > number(&finding["threshold"]),
            "{finding:#}"
        );
        assert!(
            number(&share["low"]) <= number(&share["share"]),
            "{finding:#}"
        );
        assert!(
            number(&finding["gain"]["speedup_estimate"]) > 1.0,
            "{finding:#}"
        );
        assert!(
            !finding["evidence"].as_array().unwrap().is_empty(),
            "{finding:#}"
        );
    }
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_the_build_are_found_and_their_twins_are_clean() {
    check(&[
        "debug-build",
        "unoptimised-file",
        "sanitizer",
        "counters",
        "thread-locals",
    ]);
}

/// Without debug information, then without names: the code alone tells how it was compiled.
#[test]
#[ignore = "finds by samples"]
fn a_build_without_optimisation_is_known_by_its_code() {
    let directory = built(&["debug-templates"]);
    if !directory.path().join("debug-templates-odd").exists() {
        println!("skipped: debug-templates does not build here");
        return;
    }
    let strip = "for which in odd clean; do strip -o nameless-$which debug-templates-$which; done";
    run_in(directory.path(), "sh", &["-c", strip]);
    for name in ["debug-templates", "nameless"] {
        let odd = diagnosed(directory.path(), &format!("{name}-odd"));
        if is_unfit(&odd, name) && name == "debug-templates" {
            continue;
        }
        assert_eq!(odd["findings"][0]["rule"], "debug-build", "{odd:#}");
        let share = odd["findings"][0]["share"]["share"].as_f64().unwrap();
        assert!(share > 0.5, "{odd:#}");
        if has_avx2() {
            let clean = diagnosed(directory.path(), &format!("{name}-clean"));
            assert!(!rules(&clean).contains("debug-build"), "{clean:#}");
            assert!(!rules(&clean).contains("unoptimised-file"), "{clean:#}");
        }
    }
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_memory_are_found_and_their_twins_are_clean() {
    check(&[
        "allocator",
        "copies",
        "tiny-copies",
        "zeroing",
        "vector-bool",
        "reference-counts",
    ]);
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_the_machine_code_are_found_and_their_twins_are_clean() {
    check(&[
        "char-aliases",
        "byte-loop",
        "baseline-isa",
        "tiny-functions",
        "indirect-calls",
        "division",
        "atomics",
    ]);
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_operands_are_found_by_walks_and_their_twins_are_clean() {
    check(&WITH_WALKS);
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_libraries_are_found_and_their_twins_are_clean() {
    check(&[
        "dependency",
        "dynamic-cast",
        "exceptions",
        "regex",
        "iostream",
        "formatting",
        "string-length",
    ]);
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_containers_and_languages_are_found_and_their_twins_are_clean() {
    check(&[
        "sort-by-pointer",
        "trees",
        "hash-tables",
        "checksums",
        "go-memory",
        "go-collector",
        "serialisation",
    ]);
}

/// Go reads its limit from the environment, and so does Hone.
#[test]
#[ignore = "finds by samples"]
fn gos_collector_is_eager_only_where_its_own_limit_is_far() {
    let directory = built(&["go-collector"]);
    if !directory.path().join("go-collector-odd").exists() {
        println!("skipped: go-collector does not build here");
        return;
    }
    // It takes some 12 MiB, of which less than half are live.
    for (limit, is_far) in [("GOMEMLIMIT=200MiB", true), ("GOMEMLIMIT=14MiB", false)] {
        let words = "record --branches none -F 4000 -o limited.data -- env".split(' ');
        let words: Vec<&str> = words.chain([limit, "./go-collector-odd"]).collect();
        let recorded = hone(&words, directory.path());
        assert!(recorded.status.success(), "{}", stderr(&recorded));
        let output = hone(&["diagnose", "limited.data", "--json"], directory.path());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        if is_unfit(&found, "go-collector-odd") {
            return;
        }
        let rules = rules(&found);
        assert_eq!(rules.contains("go-collector"), is_far, "{found:#}");
        if is_far {
            let finding = &found["findings"][0];
            let change = finding["change"].as_str().unwrap();
            assert!(change.contains("GOGC=off beside"), "{found:#}");
            let from = finding["evidence"][1]["what"].as_str().unwrap();
            assert_eq!(from, "200 MiB: GOMEMLIMIT in its environment");
        }
    }
}

#[test]
#[ignore = "finds by samples"]
fn oddities_of_threads_are_found_and_their_twins_are_clean() {
    check(&["locks", "busy-spin", "system-calls", "clock"]);
}

#[test]
#[ignore = "finds by samples"]
fn quotas_that_hold_up_are_found_and_their_twins_are_clean() {
    let tried = Command::new(planted().join("with-quota"))
        .arg("true")
        .status()
        .unwrap();
    if tried.code() == Some(77) {
        println!("skipped: no cgroup with a CPU quota can be made here");
        return;
    }
    assert!(tried.success());
    check(&UNDER_QUOTA);
}

/// Where the kernel's functions have no names, its rules stay silent.
#[test]
#[ignore = "finds by samples"]
fn oddities_in_the_kernel_are_found_and_their_twins_are_clean() {
    let symbols = fs::read_to_string("/proc/kallsyms").unwrap_or_default();
    let has_names = symbols
        .lines()
        .any(|line| !line.starts_with("0000000000000000"));
    if !has_names {
        println!("skipped: /proc/kallsyms shows no addresses");
        return;
    }
    let recorded = Command::new("perf")
        .args(["record", "-q", "-o", "/dev/null", "true"])
        .status();
    if !recorded.is_ok_and(|status| status.success()) {
        println!("skipped: perf may not record here");
        return;
    }
    check(&["page-faults"]);
}

#[test]
#[ignore = "finds by samples"]
fn the_search_that_copies_allocates_and_leans_on_a_library_is_told_all_three() {
    let directory = built(&["search"]);
    if !directory.path().join("search-odd").exists() {
        println!("skipped: search does not build here");
        return;
    }
    let found = diagnosed(directory.path(), "search-odd");
    if is_unfit(&found, "search-odd") {
        return;
    }
    for rule in ["vector-bool", "allocator", "dependency"] {
        assert!(rules(&found).contains(rule), "{rule}: {found:#}");
    }
    complete(&found);
    let text = stdout(&hone(&["diagnose", "search-odd.data"], directory.path()));
    assert!(
        text.contains("try    hone optimize --levers mimalloc"),
        "{text}"
    );
    assert!(text.contains("gain   about "), "{text}");
}

/// The committed program `mixes`, of whose samples half fall behind a division, so many in all.
fn divides_and_mixes(directory: &Path, samples: u64) {
    let program = Program::read(&testkit::recorded("programs/mixes"));
    let start = program.function("divide");
    let offset = program.file_offset(start).0 as usize;
    let code = &program.bytes()[offset..offset + 200];
    // Division of 64 bits by a register.
    let is_division =
        |bytes: &[u8]| bytes[0] & 0xf8 == 0x48 && bytes[1] == 0xf7 && bytes[2] >> 3 & 7 == 6;
    let division = code.windows(3).position(is_division).expect("a division");
    let mut made = Recording::of(&program);
    let behind = made.at(hone_profile::Svma(start.0 + division as u64 + 3));
    let mix = made.at(program.line("mix", 9));
    made.stack(samples / 2, &[behind]);
    made.stack(samples / 2, &[mix]);
    made.write(&directory.join("hone.data"));
}

/// What rules find is tested in hone-look and hone-diagnose; this is what the command makes of it.
#[test]
fn findings_are_printed_with_their_shares_and_steps() {
    let directory = tempfile::tempdir().unwrap();
    divides_and_mixes(directory.path(), 2000);
    let output = hone(&["diagnose"], directory.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "hone.data: 2,000 samples of cpu-clock, 2.00 s of CPU time: ",
        " [division]\n",
        "share  50.0 % of the time (",
        "gain   at most ",
        "seen   ",
        "do     ",
        "unless ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = hone(&["diagnose", "--json"], directory.path());
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    complete(&json);
    assert_eq!(json["findings"][0]["rule"], "division", "{json:#}");
    let mixes = hone(&["diagnose", "--focus", "^mix$"], directory.path());
    assert!(!stdout(&mixes).contains("[division]"), "{}", stdout(&mixes));
}

#[test]
fn a_recording_of_few_samples_is_not_fit_to_judge() {
    let directory = tempfile::tempdir().unwrap();
    divides_and_mixes(directory.path(), 20);
    let output = hone(&["diagnose"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("1 finding\n") && text.contains("[unfit]"),
        "{text}"
    );
}

#[test]
fn levers_that_rules_name_exist() {
    for rule in ALL {
        for lever in rule.levers {
            assert!(
                hone_build::Bundle::parse(lever).is_ok(),
                "{}: {lever}",
                rule.name
            );
        }
    }
}

/// Rules about the recording, and about counters that few virtual machines have.
const NOT_PLANTED: [&str; 4] = ["unfit", "front-end", "instruction-cache", "mispredicts"];

#[test]
fn every_rule_stands_in_the_guide_as_it_is_and_has_a_program() {
    let guide = planted().join("../../docs/see/diagnose.md");
    let guide = fs::read_to_string(guide).unwrap();
    for rule in ALL {
        let levers: Vec<String> = (rule.levers.iter())
            .map(|lever| format!("`{lever}`"))
            .collect();
        let levers = match levers.as_slice() {
            [] => "-".to_owned(),
            levers => levers.join(", "),
        };
        let above = rule.threshold * 100.0;
        let row = format!(
            "| `{}` | {} | {above:.0} % | {levers} |\n",
            rule.name, rule.title
        );
        for part in [row, format!("\n### `{}`\n", rule.name)] {
            assert!(guide.contains(&part), "the guide has no {part}");
        }
        let file = rule.name.replace('-', "_");
        let mut endings = ["c", "cpp", "go"].iter();
        let is_planted = endings.any(|ending| planted().join(format!("{file}.{ending}")).exists());
        assert_ne!(
            is_planted,
            NOT_PLANTED.contains(&rule.name),
            "{}",
            rule.name
        );
    }
}
