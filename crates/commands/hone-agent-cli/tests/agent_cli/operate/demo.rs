use std::path::Path;
use std::process::{Command, Output};

use testkit::has_tools;

/// Runs the demo for a second with its files below a directory, and with another PATH if there is one.
fn demo(places: &Path, path: Option<&str>) -> Output {
    let mut demo = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    demo.args(["demo", "--seconds", "1"]).env("TMPDIR", places);
    if let Some(path) = path {
        demo.env("PATH", path);
    }
    demo.output().unwrap()
}

#[test]
#[ignore = "waits on a clock"]
fn the_demo_shows_metrics_of_all_services_and_leaves_nothing_behind() {
    if !has_tools(&["victoria-metrics"]) {
        return;
    }
    let places = tempfile::tempdir().unwrap();
    let output = demo(places.path(), None);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for series in [
        "orders{pay=\"card\",service=\"checkout\"}",
        "search_queries{found=\"true\",service=\"search\"}",
        "mails{kind=\"receipt\",service=\"mailer\"}",
        "search_time{quantile=\"0.99\",service=\"search\"}",
    ] {
        assert!(said.contains(series), "{said}");
    }
    let figure = |name: &str| {
        let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name}: {said}"))
            .trim()
            .parse::<u64>()
            .unwrap()
    };
    assert_eq!(
        figure("hone.agent.values "),
        figure("hone.agent.values.stored ")
    );
    assert_eq!(
        figure("hone.agent.points.accepted endpoint=demo "),
        figure("hone.agent.points.delivered endpoint=demo ")
    );
    // All that ran had its files there, and those that run have their sockets.
    assert_eq!(std::fs::read_dir(places.path()).unwrap().count(), 0);
    let own = places.path().to_string_lossy().into_owned();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let left = processes.filter(|process| {
        let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(&own)
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_demo_without_a_back_end_says_what_to_install() {
    let places = tempfile::tempdir().unwrap();
    let output = demo(places.path(), Some("/nowhere"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("apt-get install victoria-metrics"), "{said}");
}
