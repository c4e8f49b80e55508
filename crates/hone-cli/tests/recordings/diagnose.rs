//! `hone diagnose` on programs with a planted oddity and on their clean twins, recorded for real.

use crate::common::{compiled, hone, run_in, stderr, stdout};
use hone_diagnose::ALL;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `hone record` counts user code; these show in the kernel, which perf sees where it may.
const IN_KERNEL: [&str; 1] = ["page-faults"];

/// These show only where a quota holds the program up, and Hone with it.
const UNDER_QUOTA: [&str; 2] = ["cpu-quota", "quota-threads"];

fn planted() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/planted")
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
        let words = "record --branches none -F 4000 -o".split(' ');
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
fn oddities_of_threads_are_found_and_their_twins_are_clean() {
    check(&["locks", "busy-spin", "system-calls", "clock"]);
}

#[test]
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

#[test]
fn a_recording_of_few_samples_gets_no_other_finding() {
    let directory = built(&["allocator"]);
    if !directory.path().join("allocator-odd").exists() {
        println!("skipped: allocator does not build here");
        return;
    }
    let words = "record --branches none -F 20 -o few.data -- ./allocator-odd";
    let recorded = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    let output = hone(&["diagnose", "few.data"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("1 finding\n") && text.contains("[unfit]"),
        "{text}"
    );
}

/// Two functions: in one of them the time goes into divisions, whatever the CPU takes for one.
const DIVIDES_AND_MIXES: &str = r#"
#include <stdio.h>
#include <time.h>
__attribute__((noinline)) unsigned long divide(unsigned long x, unsigned long by) {
    for (int i = 0; i < 60000; i++) x = (x | 1ul << 63) / (by + (x & 7)) + i;
    return x;
}
__attribute__((noinline)) unsigned long mix(unsigned long x) {
    for (int i = 0; i < 100000; i++) x = (x ^ x >> 13) * 2862933555777941757ul + i;
    return x;
}
int main(int argc, char **argv) {
    unsigned long x = argc;
    while (clock() < 2 * CLOCKS_PER_SEC) x = mix(divide(x, argc + 2));
    printf("%lu\n", x);
    return 0;
}
"#;

#[test]
fn rules_about_code_see_only_what_focus_leaves() {
    let directory = compiled(DIVIDES_AND_MIXES, &["-g"]);
    let words = "record --branches none -F 4000 -o both.data -- ./p";
    let recorded = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    for (pattern, expected) in [("^(divide|mix)$", true), ("^mix$", false)] {
        let words = ["diagnose", "both.data", "--json", "--focus", pattern];
        let output = hone(&words, directory.path());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        if !is_unfit(&found, pattern) {
            let is_found = rules(&found).contains("division");
            assert_eq!(is_found, expected, "{pattern}: {found:#}");
        }
    }
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
    let guide = planted().join("../../docs/guide/diagnose.md");
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

#[test]
fn what_the_cpu_counted_beside_time_is_judged_too() {
    let directory = compiled("int main(void) { return 0; }", &["-no-pie"]);
    let program = directory.path().join("p");
    let symbols = Command::new("nm").arg(&program).output().unwrap();
    let symbols = stdout(&symbols);
    let main = symbols
        .lines()
        .find_map(|line| line.strip_suffix(" T main"));
    let main = u64::from_str_radix(main.unwrap(), 16).unwrap();
    let program = program.display();
    // As GNU ld and lld lay out a small program: a page of headers, then code.
    let page = main & !0xfff;
    let offset = page - 0x40_0000;
    let mapping = format!(
        "p 7 0.000000: PERF_RECORD_MMAP2 7/7: [{page:#x}(0x1000) @ {offset:#x} 08:01 12 0]: r-xp {program}\n"
    );
    let text = |branch_misses: usize| {
        let sample = |index: usize, period: u64, event: &str| {
            format!("p 7/7 {index}.000001: {period} {event}: {main:x} main+0x0 ({program})\n")
        };
        let cycles = (0..1000).map(|index| sample(index, 100_000, "cycles:u"));
        let misses = (0..branch_misses).map(|index| sample(index, 1_000, "branch-misses:u"));
        mapping.clone() + &misses.chain(cycles).collect::<String>()
    };
    let file = directory.path().join("perf.txt");
    // A million mispredictions at 18 cycles in 100 million cycles; then a tenth of them.
    for (count, expected) in [(1000, true), (100, false)] {
        fs::write(&file, text(count)).unwrap();
        let output = hone(&["diagnose", "perf.txt", "--json"], directory.path());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["event"], "cycles:u", "time, though it comes second");
        assert_eq!(rules(&found).contains("mispredicts"), expected, "{found:#}");
        if expected {
            let finding = &found["findings"][0];
            let share = finding["share"]["share"].as_f64().unwrap();
            assert!((share - 0.18).abs() < 1e-9, "{finding}");
            assert_eq!(finding["evidence"][0]["what"], "100 % of them in main");
        }
    }
}
