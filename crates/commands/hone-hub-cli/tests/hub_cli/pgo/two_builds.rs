//! Two builds of a real program: what ran in the old build is found again in the new one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hone_fdo::overlap::overlap;
use hone_pgo::Form;
use hone_record::BranchSource;
use testkit::fleet::DAY_S;
use testkit::has_tools;

use super::recorded::{Build, ask, samples_of, source};

fn clang(flags: &'static [&'static str]) -> impl Fn(&Path) -> Command {
    move |path| {
        let mut command = Command::new("clang++-19");
        let usual = [
            "-O2",
            "-gline-tables-only",
            "-fdebug-info-for-profiling",
            "-Wl,--build-id=sha1",
        ];
        command
            .args(usual)
            .args(flags)
            .arg(source("service.cpp"))
            .arg("-o")
            .arg(path);
        command
    }
}

#[test]
#[ignore = "finds by samples"]
fn the_old_builds_counts_are_found_in_the_new_build() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let builds = [
        Build::new(path, "old", clang(&[])),
        Build::new(path, "new", clang(&["-DNEWER"])),
    ];
    let [old, new] = &builds;
    let of_old = [old.batch(path, "host-1", DAY_S, 1_000_000, BranchSource::Walk)];
    let of_new = [new.batch(path, "host-2", 60, 1_000_000, BranchSource::Walk)];
    let form = Form::AutofdoExtbinary;
    let before = ask(&builds, &of_old, old, form);
    let fitted = ask(&builds, &of_old, new, form);
    let own = ask(&builds, &of_new, new, form);
    let both = ask(&builds, &[of_new, of_old].concat(), new, form);
    let unfitted = overlap(&samples_of(&before), &samples_of(&own));
    let found = overlap(&samples_of(&fitted), &samples_of(&own));
    // The renamed function is found by its calls, and its lines with it.
    assert!(
        found.functions > unfitted.functions + 0.1 && found.blocks > unfitted.blocks + 0.05,
        "{found:?}, and {unfitted:?} as it was"
    );
    let names: Vec<String> = samples_of(&fitted).functions.into_keys().collect();
    assert!(
        names.iter().any(|name| name.contains("sum_of")),
        "the function has its new name: {names:?}"
    );
    let quality = &both.manifest.quality;
    assert!(both.manifest.is_fit(), "{:?}", both.manifest.gates);
    assert_eq!((quality.builds, quality.hosts), (2, 2));
    assert!(quality.match_share > 0.9, "{quality:?}");
    assert!(quality.hot_covered > 0.9, "{quality:?}");
    for input in &both.manifest.inputs {
        assert_eq!(input.left_out, None);
        assert!(input.match_share > 0.8, "{input:?}");
    }
}

/// Weights of the edges that Go's own tool sees in a profile: (caller, line offset, callee).
fn edges(directory: &Path, profile: &[u8]) -> BTreeMap<(String, String, String), u64> {
    std::fs::write(directory.join("default.pgo"), profile).unwrap();
    let output = Command::new("go")
        .args(["tool", "preprofile", "-o", "edges.txt", "-i", "default.pgo"])
        .current_dir(directory)
        .output()
        .expect("go was there a moment ago");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = std::fs::read_to_string(directory.join("edges.txt")).expect("preprofile's output");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let edges = lines.chunks_exact(3).map(|edge| {
        let (line, weight) = edge[2].split_once(' ').expect("a line and a weight");
        let key = (edge[0].to_owned(), edge[1].to_owned(), line.to_owned());
        (key, weight.parse().expect("a number"))
    });
    edges.collect()
}

#[test]
#[ignore = "finds by samples"]
fn go_adds_up_the_calls_of_both_builds() {
    if !has_tools(&["go"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let text = std::fs::read_to_string(source("service.go")).unwrap();
    // The same functions, three lines further down.
    let newer = text.replacen("func step", "// New.\n//\n//\nfunc step", 1);
    let build = |name: &str, text: &str| {
        let file = path.join(format!("{name}.go"));
        std::fs::write(&file, text).unwrap();
        Build::new(path, name, |output| {
            let mut command = Command::new("go");
            command
                .args(["build", "-ldflags=-B=gobuildid", "-o"])
                .arg(output)
                .arg(&file);
            command
        })
    };
    let builds = [build("old", &text), build("new", &newer)];
    let [old, new] = &builds;
    let chains = BranchSource::None;
    let of_old = old.batch(path, "host-1", 120, 300_000, chains);
    let of_new = new.batch(path, "host-2", 60, 300_000, chains);
    let of = |batches: &[hone_batch::Batch]| {
        let made = ask(&builds, batches, new, Form::GoPgo);
        assert!(made.manifest.is_fit(), "{:?}", made.manifest.gates);
        edges(path, &made.profile)
    };
    let (first, second) = (
        of(std::slice::from_ref(&of_old)),
        of(std::slice::from_ref(&of_new)),
    );
    let both = of(&[of_new, of_old]);
    let hot = both
        .iter()
        .max_by_key(|(_, weight)| **weight)
        .expect("an edge")
        .0;
    assert_eq!(
        (hot.0.as_str(), hot.1.as_str()),
        ("main.spin", "main.step"),
        "{both:?}"
    );
    assert_eq!(
        both[hot],
        first[hot] + second[hot],
        "one edge, although the lines differ"
    );
}
