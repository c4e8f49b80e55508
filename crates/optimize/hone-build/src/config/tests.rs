//! What a `hone.toml` says, and what is refused.

use super::*;

const MINIMAL: &str = r#"
    [program]
    name = "demo"
    binary = "build/demo"
    [build]
    command = "make"
    [[train]]
    name = "t"
    command = "{binary} 1"
    [[measure]]
    name = "m"
    command = "{binary} 2"
"#;

fn error(text: &str) -> String {
    Project::parse(text)
        .expect_err("must be refused")
        .to_string()
}

fn ids(project: &Project, toolchain: Toolchain) -> String {
    let rungs = project.rungs(toolchain);
    let ids: Vec<_> = rungs.iter().map(Bundle::id).collect();
    ids.join(" ")
}

#[test]
fn a_minimal_file_gets_the_default_levers_in_ladder_order() {
    let project = Project::parse(MINIMAL).unwrap();
    for (toolchain, expected) in [
        (
            Toolchain::Clang,
            "mimalloc thinlto dispatch autofdo thinlto+autofdo autofdo-probes memops+autofdo-probes autofdo-counters pgo thinlto+pgo memops+pgo bolt",
        ),
        (
            Toolchain::Gcc,
            "mimalloc autofdo memops+autofdo pgo memops+pgo bolt",
        ),
        (
            Toolchain::Rust,
            "mimalloc codegen-units thinlto autofdo pgo bolt",
        ),
        (Toolchain::Go, "autofdo gogc-200 gogc-400"),
    ] {
        assert_eq!(ids(&project, toolchain), expected);
    }
    assert!(matches!(project.measure[0].compare, Compare::Whole));
}

#[test]
fn names_that_nobody_gave_are_made_up() {
    let text = r#"
        [program]
        binary = "build/demo"
        [build]
        command = "make"
        [[train]]
        command = "{binary} 1"
        [[measure]]
        command = "{binary} 2"
        [[measure]]
        name = "measure2"
        command = "{binary} 3"
        [[measure]]
        command = "{binary} 4"
    "#;
    let project = Project::parse(text).unwrap();
    let names = |workloads: &[Workload]| -> Vec<String> {
        workloads.iter().map(|one| one.name.clone()).collect()
    };
    assert_eq!(project.name, "demo");
    assert_eq!(names(&project.train), ["train1"]);
    assert_eq!(
        names(&project.measure),
        ["measure1", "measure2", "measure3"]
    );
    let empty = text.replace("\"measure2\"", "\"\"");
    assert!(error(&empty).contains("measure.name"), "{}", error(&empty));
    let nowhere = text.replace("build/demo", "");
    assert!(
        error(&nowhere).contains("program.binary"),
        "{}",
        error(&nowhere)
    );
}

#[test]
fn levers_joined_by_a_plus_are_one_rung() {
    let text = format!(
        "{MINIMAL}\n[ladder]\nlevers = [\"bolt\", \"pgo+memops\", \"pgo\", \"o3 + thinlto\"]"
    );
    let project = Project::parse(&text).unwrap();
    assert_eq!(
        ids(&project, Toolchain::Clang),
        "o3+thinlto pgo memops+pgo bolt"
    );
}

#[test]
fn levers_are_climbed_in_ladder_order_whatever_order_the_file_has() {
    let text = format!("{MINIMAL}\n[ladder]\nlevers = [\"bolt\", \"thinlto\"]");
    let project = Project::parse(&text).unwrap();
    assert_eq!(ids(&project, Toolchain::Clang), "thinlto bolt");
}

#[test]
fn a_misspelt_key_is_named_with_its_line() {
    let message = error(&MINIMAL.replace("binary =", "binery ="));
    assert!(
        message.contains("binery") && message.contains("line 4"),
        "{message}"
    );
}

#[test]
fn measuring_what_was_trained_on_is_refused() {
    let message = error(&MINIMAL.replace("{binary} 2", "{binary} 1"));
    assert!(message.contains("did not come from"), "{message}");
}

#[test]
fn what_must_be_the_same_and_how_long_it_may_take_is_the_files_to_say() {
    let text = format!(
        "{MINIMAL}\ncompare_pattern = 'nodes (\\d+)'\nlimit_seconds = 5\n\
         [check]\ncommand = \"x\"\ncompare_pattern = 'passed \\d+'\nlimit_seconds = 2.5"
    );
    let project = Project::parse(&text).unwrap();
    let measure = &project.measure[0];
    assert!(matches!(&measure.compare, Compare::Captures(of) if of.as_str() == "nodes (\\d+)"));
    assert_eq!(measure.limit_s, Some(5.0));
    let check = project.check.unwrap();
    assert!(check.compare.unwrap().is_match("passed 7"));
    assert_eq!(check.limit_s, Some(2.5));
    let text = format!("{MINIMAL}\ncompare_output = false");
    let project = Project::parse(&text).unwrap();
    assert!(matches!(project.measure[0].compare, Compare::Nothing));
}

#[test]
fn durations_and_shares_are_written_as_in_options() {
    let text = format!(
        "{MINIMAL}\nlimit_seconds = \"2m\"\n[ladder]\nseconds_per_rung = \"5m\"\nconfidence = \"99%\""
    );
    let project = Project::parse(&text).unwrap();
    assert_eq!(
        (project.seconds_per_rung, project.confidence),
        (300.0, 0.99)
    );
    assert_eq!(project.measure[0].limit_s, Some(120.0));
    let message = error(&text.replace("5m", "5 moons"));
    assert!(
        message.contains("write a duration such as 30s"),
        "{message}"
    );
}

#[test]
fn a_limit_of_memory_is_a_size() {
    assert_eq!(Project::parse(MINIMAL).unwrap().memory, None);
    for memory in ["\"512 MiB\"", "536870912"] {
        let text = format!("{MINIMAL}\n[ladder]\nmemory = {memory}");
        assert_eq!(Project::parse(&text).unwrap().memory, Some(512 << 20));
    }
}

#[test]
fn bad_values_are_refused_with_their_key() {
    for (from, to, expected) in [
        ("build/demo", "/usr/bin/demo", "program.binary"),
        ("build/demo", "../demo", "program.binary"),
        ("\"make\"", "\" \"", "build.command"),
        ("[[train]]", "[[measure]]", "[[train]]"),
    ] {
        let message = error(&MINIMAL.replace(from, to));
        assert!(message.contains(expected), "{to}: {message}");
    }
    for (extra, expected) in [
        ("[ladder]\nlevers = [\"warp\"]", "thinlto, lto"),
        ("[ladder]\nlevers = [\"pgo\", \"pgo\"]", "twice"),
        (
            "[ladder]\nlevers = [\"pgo+memops\", \"memops+pgo\"]",
            "twice",
        ),
        ("[ladder]\nlevers = [\"o3+o3\"]", "twice"),
        ("[ladder]\nlevers = [\"memops\"]", "memops+autofdo-probes"),
        ("[ladder]\nlevers = [\"autofdo+pgo\"]", "cannot be combined"),
        ("[ladder]\nlevers = [\"pgo+\"]", "no lever \"\""),
        ("[ladder]\nseconds_per_rung = 0", "seconds_per_rung"),
        ("[ladder]\nmemory = -5", "ladder.memory"),
        ("[ladder]\nmemory = \"5 KiB\"", "ladder.memory"),
        ("[ladder]\nmemory = \"5 MB\"", "write a size such as 512MiB"),
        ("[ladder]\nconfidence = 1.0", "confidence"),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"done\"",
            "no (group)",
        ),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"(\"",
            "measure.w.work",
        ),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\nwork = \"(.)\"",
            "some have not",
        ),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\ncompare_pattern = \"(\"",
            "measure.w.compare_pattern",
        ),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\ncompare_pattern = \"x\"\ncompare_output = true",
            "exclude each other",
        ),
        (
            "[[train]]\nname = \"w\"\ncommand = \"x\"\ncompare_pattern = \"x\"",
            "not compared",
        ),
        (
            "[[measure]]\nname = \"w\"\ncommand = \"x\"\nlimit_seconds = 0",
            "limit_seconds",
        ),
        (
            "[check]\ncommand = \"x\"\ncompare_pattern = \"(\"",
            "check.compare_pattern",
        ),
        (
            "[check]\ncommand = \"x\"\nlimit_seconds = -1",
            "limit_seconds",
        ),
    ] {
        let message = error(&format!("{MINIMAL}\n{extra}"));
        assert!(message.contains(expected), "{extra}: {message}");
    }
}
