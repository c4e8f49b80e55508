//! Servers: what is tried, measured, recorded and trained of them.

use hone_measure::Metric;
use hone_report::model::Outcome;

use crate::system::fake::project::Project;

#[test]
fn a_server_is_tried_then_measured_by_requests_and_recorded_under_load() {
    let mut project = Project::server(&["autofdo"]);
    let world = project.world();
    world.gains.push(("autofdo.prof", 1.2));
    world
        .server_notes
        .push("The server listens beyond loopback.".into());
    let ran = project.optimized();
    assert_eq!(ran.rung("autofdo").outcome, Outcome::Kept);
    assert_eq!(
        ran.report.self_check.as_ref().unwrap().metric,
        Metric::CpuPerWork
    );
    let done = project.done();
    let place = |what: &str| {
        done.iter()
            .position(|done| done == what)
            .unwrap_or_else(|| panic!("{what}: {done:?}"))
    };
    let order = [
        "build baseline",
        "try the server",
        "load load",
        "record profiling.0.data",
        "build autofdo",
    ]
    .map(place);
    assert!(order.is_sorted(), "{done:?}");
    assert!(
        ran.shown
            .contains("baseline: starting, warming and stopping the server once"),
        "{}",
        ran.shown
    );
    assert_eq!(
        ran.report
            .notes
            .iter()
            .filter(|note| note.contains("beyond loopback"))
            .count(),
        1
    );
    // Servers share no CPU if nothing else is said, and what they do beside using CPU is compared.
    assert!(ran.report.raw.iter().all(|one| !one.schedule.duet));
    assert!(!ran.report.beside.is_empty());
}

#[test]
fn a_check_that_names_the_port_runs_beside_the_server() {
    for (check, starts) in [("{binary} check {port}", 2), ("{binary} check", 0)] {
        let project = Project::server(&["o3"]);
        project.edit("{binary} check", check);
        project.optimized();
        assert_eq!(
            project.times("start the server"),
            starts,
            "{:?}",
            project.done()
        );
    }
}

#[test]
fn a_server_that_its_stop_signal_ends_is_told_before_anything_is_measured() {
    for (stop, by) in [
        ("stop_signal = \"HUP\"", "its stop signal"),
        ("stop_command = \"stop\"", "its stop command"),
    ] {
        let mut project = Project::server(&["pgo"]);
        project.edit("[[train]]", &format!("{stop}\n[[train]]"));
        project.world().stop_signal = 1;
        let ran = project.optimized();
        let told = format!("At {by} the server was ended by signal 1 instead");
        let (said, measured) = (ran.shown.find(&told), ran.shown.find("one pilot run"));
        assert!(said.is_some() && said < measured, "{}", ran.shown);
        assert!(
            ran.reason("pgo").contains("wrote no profile"),
            "{}",
            ran.reason("pgo")
        );
        assert!(
            ran.reason("pgo")
                .contains("A server has to do so at its stop signal"),
            "{}",
            ran.reason("pgo")
        );
    }
    // Without instrumented levers it is no news.
    let mut project = Project::server(&["o3"]);
    project.world().stop_signal = 1;
    let ran = project.optimized();
    assert!(!ran.shown.contains("ended by signal"), "{}", ran.shown);
}

#[test]
fn an_instrumented_server_is_trained_by_its_load() {
    let mut project = Project::server(&["pgo"]);
    project.world().gains.push(("-fprofile-use=", 1.2));
    let ran = project.optimized();
    assert_eq!(ran.rung("pgo").outcome, Outcome::Kept, "{}", ran.shown);
    assert_eq!(project.times("train the server"), 1);
    let merged = project.read(".hone/profiles/profiling.pgo.profdata");
    assert!(merged.contains("7-1.profraw"), "{merged}");
}

#[test]
fn a_load_that_never_ends_is_named_with_its_limit() {
    let project = Project::server(&["o3"]);
    project.edit(
        "command = \"load\"",
        "command = \"hang\"\nlimit_seconds = 2",
    );
    let said = project.refused();
    for words in [
        "workload measuring on the baseline",
        "still running after 2 s",
        "stuck",
        "limit_seconds",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn servers_that_share_a_cpu_are_measured_alone_for_latency() {
    let mut project = Project::server(&["o3"]);
    project.world().gains.push(("-O3", 1.2));
    project.edit("[server]", "[server]\ncpus = \"0\"\nload_cpus = \"1\"");
    project.edit("duet = false", "duet = true");
    let ran = project.optimized();
    let raw = ran.report.raw.iter();
    let duets: Vec<_> = raw.map(|one| one.schedule.duet).collect();
    // The baseline against itself, the rung, the winner, and the winner alone.
    assert_eq!(duets, [true, true, true, false]);
    assert!(!ran.report.beside.is_empty());
    assert!(
        project.times("load two servers with load") >= 30,
        "{:?}",
        project.done()
    );
}
