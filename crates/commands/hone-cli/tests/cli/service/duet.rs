//! The two runs of a pair at the same time on one CPU: `hone bench --duet` and `ladder.duet`.

use crate::common::{MEASURE, Project, has_tools, hone, stderr, stdout};
use crate::service::project::{H2LOAD, H2LOAD_SAYS, Service};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Whether a process may have a view of the files of its own here.
fn can_cover() -> bool {
    let directory = tempfile::tempdir().unwrap();
    let can = covered(directory.path(), "true").status.success();
    if !can {
        println!("skipped: no namespace for mounts is to be had here");
    }
    can
}

/// Runs a line in a directory at whose place it sees the directory `with` beside it.
fn covered(directory: &Path, line: &str) -> Output {
    let path = |name: &str| directory.join(name);
    for name in ["there", "with"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    let order = json!({
        "argv": ["sh", "-c", line],
        "env": [],
        "cwd": path("there"),
        "stdout": path("stdout"),
        "stderr": path("stderr"),
        "timeout_s": null,
        "cpus": [],
        "leftovers": "Refuse",
        "cover": { "path": path("there"), "with": path("with") },
        "parent": std::process::id(),
        "started": null,
    });
    fs::write(path("order.json"), order.to_string()).unwrap();
    let words = ["exec-measured", "order.json", "--out", "outcome.json"];
    hone(&words, directory)
}

#[test]
fn a_covered_directory_is_another_one_for_the_run_and_itself_for_all_others() {
    if !can_cover() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let text = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    fs::create_dir_all(directory.path().join("there")).unwrap();
    fs::create_dir_all(directory.path().join("with")).unwrap();
    fs::write(directory.path().join("there/name"), "there").unwrap();
    fs::write(directory.path().join("with/name"), "with").unwrap();
    let line = "pwd && cat name && id -u && echo more > written";
    let output = covered(directory.path(), line);
    assert!(output.status.success(), "{}", stderr(&output));
    let there = directory.path().join("there");
    let user = own_uid();
    assert_eq!(
        text("stdout"),
        format!("{}\nwith{user}\n", there.display()),
        "{}",
        text("stderr")
    );
    assert_eq!(text("there/name"), "there");
    assert_eq!(text("with/written"), "more\n");
    assert!(!there.join("written").exists());
}

fn own_uid() -> String {
    let output = std::process::Command::new("id").arg("-u").output().unwrap();
    stdout(&output).trim().to_owned()
}

#[test]
fn bench_runs_pairs_on_one_cpu_and_says_which_command_failed() {
    let directory = tempfile::tempdir().unwrap();
    let rounds = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    let words = ["--duet", "--blocks", "4", "--allow-short"];
    let bench = |commands: &[&str]| {
        let all = [&["bench"], commands, &words, &["--output", "result.json"]].concat();
        hone(&all, directory.path())
    };
    // Each run appends to the file of its CPU.
    let line = format!("{rounds}; grep Cpus_allowed_list /proc/self/status >> cpus");
    let output = bench(&[&line]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(directory.path().join("result.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["experiment"]["schedule"]["duet"], true);
    let cpus = fs::read_to_string(directory.path().join("cpus")).unwrap();
    let pinned = |line: &&str| {
        line.split(':')
            .nth(1)
            .unwrap()
            .trim()
            .parse::<u32>()
            .is_ok()
    };
    // Two runs to warm up, beside nothing else, then 16 on one CPU each.
    assert!(cpus.lines().filter(pinned).count() >= 16, "{cpus}");

    let output = bench(&[rounds, &format!("{rounds}; [ -f cpus ] && exit 3")]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("new command") && said.contains("exit status 3"),
        "{said}"
    );
}

/// The experiments of a report: name of the new arm, whether a duet.
fn duets(report: &Value) -> Vec<(String, bool)> {
    let experiments = report["raw"].as_array().unwrap().iter();
    experiments
        .map(|one| {
            let duet = one["schedule"]["duet"] == true;
            (one["new"].as_str().unwrap().to_owned(), duet)
        })
        .collect()
}

#[test]
#[ignore = "builds whole modules"]
fn variants_run_together_each_in_its_own_tree() {
    if !has_tools(&["clang-19"]) || !can_cover() {
        return;
    }
    let project = Project::new("\"thinlto\"");
    project.edit("hone.toml", "duet = false\n", "");
    // Two runs in one tree would meet at the directory, and another variant's binary would be told from its own.
    project.edit(
        "hone.toml",
        MEASURE,
        &format!("mkdir busy && {MEASURE} && rmdir busy"),
    );
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let all = duets(&report);
    assert!(
        all.len() >= 2 && all.iter().all(|(_, duet)| *duet),
        "{all:?}"
    );
    let remarks = report["remarks"].to_string();
    assert!(remarks.contains("shared one CPU"), "{remarks}");
    // Both trees were written anew before they were compared, and keep the times of their build.
    for variant in ["baseline", "thinlto"] {
        let binary = project.path(&format!(".hone/variants/{variant}/prog"));
        let metadata = fs::metadata(&binary).unwrap();
        if let Ok(written) = metadata.created() {
            assert!(written > metadata.modified().unwrap(), "{variant}");
        }
    }
}

#[test]
#[ignore = "builds whole modules"]
fn two_servers_share_a_cpu_and_latency_is_measured_apart() {
    if !has_tools(&["clang-19", "ld.lld-19", "h2load"]) || !can_cover() {
        return;
    }
    if std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() < 2) {
        println!("skipped: one CPU");
        return;
    }
    let cpus = "cpus = \"0\"\nload_cpus = \"1\"";
    let service = Service::new("\"thinlto\"", "{binary} {port}", cpus, H2LOAD, H2LOAD_SAYS);
    service.append("duet = true\ncpu = \"user\"\n");
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let report = service.report();
    for experiment in report["raw"].as_array().unwrap() {
        let duet = experiment["schedule"]["duet"] == true;
        for run in experiment["runs"].as_array().unwrap() {
            let service = &run["observation"]["service"];
            assert_eq!(service["throughput_per_s"].is_null(), duet, "{run}");
        }
    }
    let confirmed = report["confirmation"].is_object();
    assert_eq!(
        report["beside"].is_array(),
        confirmed,
        "{}",
        report["beside"]
    );
    assert_eq!(service.left(), [0_i32; 0]);
}
