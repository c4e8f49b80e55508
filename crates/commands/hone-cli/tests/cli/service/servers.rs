//! `hone optimize` for servers, with real load generators: what is measured, recorded and trained.

use crate::common::{has_tools, stderr};
use crate::service::project::{H2LOAD, H2LOAD_SAYS, Service, notes};
use std::process::Command;

/// What each run of the raw numbers says of the server.
fn observations(report: &serde_json::Value) -> Vec<serde_json::Value> {
    let experiments = report["raw"].as_array().unwrap().iter();
    let runs = experiments.flat_map(|one| one["runs"].as_array().unwrap().clone());
    runs.map(|run| run["observation"].clone()).collect()
}

fn rung<'a>(report: &'a serde_json::Value, lever: &str) -> &'a serde_json::Value {
    let rungs = report["rungs"].as_array().unwrap().iter();
    let top = |rung: &&serde_json::Value| rung["levers"].as_array().unwrap().last().cloned();
    let found = rungs.clone().find(|rung| top(rung) == Some(lever.into()));
    found.unwrap_or_else(|| panic!("no rung {lever}"))
}

/// The one ladder of a server that `make test` climbs. Its lever is never kept, so that nothing is measured more than once.
#[test]
fn the_worker_of_a_forking_server_is_recorded_and_measured() {
    if !has_tools(&["clang-19", "ld.lld-19", "h2load"]) {
        return;
    }
    let service = Service::new(
        "\"autofdo-ip\"",
        "{binary} {port} fork",
        "",
        H2LOAD,
        H2LOAD_SAYS,
    );
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let report = service.report();
    // The master sleeps: a profile is to be had of the worker alone.
    let autofdo = rung(&report, "autofdo-ip");
    assert_eq!(autofdo["outcome"]["kind"], "reference", "{autofdo}");
    assert!(autofdo["comparison"].is_object(), "{}", autofdo["outcome"]);
    for seen in observations(&report) {
        assert_eq!(seen["work"], 4000.0, "{seen}");
        let cpu_s = seen["user_s"].as_f64().unwrap() + seen["system_s"].as_f64().unwrap();
        assert!(cpu_s > 0.02, "{seen}");
        let service = &seen["service"];
        assert!(service["start_s"].as_f64().unwrap() > 0.0, "{seen}");
        assert!(service["tree_peak_bytes"].as_u64().unwrap() > 1 << 20);
        assert!(service["throughput_per_s"].as_f64().unwrap() > 1.0);
    }
    assert_eq!(report["self_check"]["metric"], "cpu_per_work");
    assert_eq!(service.left(), [0_i32; 0]);
}

#[test]
#[ignore = "builds whole modules"]
fn an_instrumented_server_writes_its_profile_at_the_stop_signal() {
    if !has_tools(&["clang-19", "ld.lld-19", "llvm-profdata-19", "h2load"]) {
        return;
    }
    let service = Service::new("\"pgo\"", "{binary} {port}", "", H2LOAD, H2LOAD_SAYS);
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let report = service.report();
    let pgo = rung(&report, "pgo");
    assert!(pgo["comparison"].is_object(), "{}", pgo["outcome"]);
    // One that is killed writes none, and is told what to do.
    let start = "{binary} {port} deaf";
    let mute = Service::new("\"pgo\"", start, "stop_seconds = 0.2", H2LOAD, H2LOAD_SAYS);
    let output = mute.optimize();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let outcome = rung(&mute.report(), "pgo")["outcome"].to_string();
    assert!(outcome.contains("wrote no profile"), "{outcome}");
    assert!(outcome.contains("-runtime-counter-relocation"), "{outcome}");
    let said = notes(&mute.report());
    let killed = "did not end within 0.2 s of its stop signal and was killed";
    assert!(said.contains(killed), "{said}");
    assert!(!said.contains("beyond loopback"), "{said}");
    assert_eq!(mute.left(), [0_i32; 0]);
}

#[test]
#[ignore = "further end to end"]
fn latencies_come_from_wrk() {
    if !has_tools(&["wrk", "h2load"]) {
        return;
    }
    let says = r"requests = '(\d+) requests in'
latency = '(?m)^ +50%\s+(?P<p50>\S+)(?s:.*)^ +99%\s+(?P<p99>\S+)'
failed = 'Non-2xx or 3xx responses: (\d+)'
warm_up = 'h2load --h1 -n 100 -c 2 http://127.0.0.1:{port}/'";
    let wrk = "wrk -t1 -c4 -d1s --latency http://127.0.0.1:{port}/";
    let service = Service::new("", "{binary} {port}", "", wrk, says);
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    for seen in observations(&service.report()) {
        let (p50, p99) = (&seen["service"]["p50_s"], &seen["service"]["p99_s"]);
        assert!(p50.as_f64().unwrap() > 0.0 && p99.as_f64() >= p50.as_f64());
    }
}

#[test]
#[ignore = "further end to end"]
fn redis_benchmark_drives_a_server_beside_a_redis() {
    if !has_tools(&["redis-server", "redis-cli", "redis-benchmark"]) {
        return;
    }
    let load = "redis-cli -p {port:store} ping && \
        redis-benchmark -p {port} -t ping_inline -n 5000 -c 4";
    let says = r"requests = '(\d+) requests completed'
throughput = 'throughput summary: (\S+)'
latency = 'latency summary \((?P<unit>\w+)\):[^\n]*\n[^\n]*\n\s+\S+\s+\S+\s+(?P<p50>\S+)\s+\S+\s+(?P<p99>\S+)'";
    let server = "ready = \"redis-cli -p {port} ping\"\n\
        cpus = \"0\"\nload_cpus = \"0\"\nstop_command = \"kill $(cat {scratch}/pid)\"";
    let start = "echo $$ >{scratch}/pid; exec {binary} {port}";
    let service = Service::new("", start, server, load, says);
    service.append(
        "[[backend]]\nname = \"store\"\n\
         start = \"redis-server --port {port:store} --bind 127.0.0.1 --dir {scratch} --save ''\"\n\
         ready = \"redis-cli -p {port:store} ping\"\n",
    );
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let report = service.report();
    for seen in observations(&report) {
        assert_eq!(seen["work"], 5000.0, "{seen}");
        assert!(seen["service"]["p99_s"].as_f64().unwrap() > 0.0, "{seen}");
    }
    assert_eq!(service.left(), [0_i32; 0]);
}

#[test]
#[ignore = "further end to end"]
fn the_cpu_of_children_that_ended_counts_with_and_without_a_control_group() {
    if !has_tools(&["h2load", "unshare"]) {
        return;
    }
    // A child for each connection, gone with it: a run below 0.2 s of CPU would be refused.
    let start = "{binary} {port} each";
    let service = Service::new("", start, "", H2LOAD, H2LOAD_SAYS);
    let output = service.optimize();
    assert!(output.status.success(), "{}", stderr(&output));
    let plain = mean_cpu(&service.report());

    let hide =
        "umount -l $(sed -n 's/^[^ ]* \\([^ ]*\\) cgroup2 .*/\\1/p' /proc/mounts) && exec \"$@\"";
    let mut without = Command::new("unshare");
    without
        .args(["-m", "sh", "-c", hide, "sh", env!("CARGO_BIN_EXE_hone")])
        .args(["optimize", "hone.toml"]);
    let service = Service::new("", start, "", H2LOAD, H2LOAD_SAYS);
    let output = without.current_dir(service.path("")).output().unwrap();
    if !output.status.success() && !stderr(&output).contains("hone") {
        println!("skipped: no namespace: {}", stderr(&output));
        return;
    }
    assert!(output.status.success(), "{}", stderr(&output));
    let seen = observations(&service.report());
    assert_eq!(seen[0]["service"]["cpu_from"], "clocks");
    let ratio = mean_cpu(&service.report()) / plain;
    assert!((0.3..3.0).contains(&ratio), "{ratio}");
}

fn mean_cpu(report: &serde_json::Value) -> f64 {
    let seen = observations(report);
    let cpu = |one: &serde_json::Value| {
        one["user_s"].as_f64().unwrap() + one["system_s"].as_f64().unwrap()
    };
    seen.iter().map(cpu).sum::<f64>() / seen.len() as f64
}
