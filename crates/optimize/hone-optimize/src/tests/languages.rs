//! Programs in Rust and Go, whose levers go other ways than through a compiler of C.

use hone_report::model::Outcome;

use crate::system::fake::project::{BUILD, Project};

/// A project in Go.
fn go(levers: &[&str], memory: &str) -> Project {
    let project = Project::new(levers);
    project.edit(BUILD, "go build -o test.binary .");
    project.write("go.mod", "module example.org/work\n");
    project.write("main.go", "print sum 7\n");
    project.edit("[ladder]", &format!("[ladder]\n{memory}"));
    project
}

#[test]
fn a_go_program_gets_its_levers_by_variables_and_a_profile_of_its_own_form() {
    let mut project = go(&["x86-64-v2", "autofdo", "thinlto"], "");
    project.world().gains.push(("GOAMD64=v2", 1.2));
    let ran = project.optimized();
    assert_eq!(ran.rung("x86-64-v2").outcome, Outcome::Kept);
    assert!(project.program("x86-64-v2").contains("GOAMD64=v2"));
    // It was named, and Go has none.
    assert_eq!(ran.reason("x86-64-v2+thinlto"), "go has no such lever");
    // The recorded program is none of Go, whose profiles are of calls: figures of quality say nothing of these.
    let id = ran.report.rungs.last().unwrap().id.clone();
    let reason = ran.reason(&id);
    assert!(
        id.ends_with("autofdo") && reason.contains("was not built by Go"),
        "{id}: {reason}"
    );
    assert!(!ran.shown.contains("the profile is"), "{}", ran.shown);
    let shell = ran.report.recipe.unwrap().shell;
    assert!(
        shell.contains("# Or without Hone, by the variables that Hone set too:\nexport "),
        "{shell}"
    );
}

#[test]
fn go_gets_memory_within_the_limit_and_no_more() {
    for (memory, is_kept) in [("1GiB", true), ("32MiB", false)] {
        let mut project = go(&["gogc-400"], &format!("memory = \"{memory}\""));
        let world = project.world();
        world.gains.push(("GOGC=400", 1.3));
        world.peaks.push(("GOGC=400", 64 << 20));
        let ran = project.optimized();
        let rung = ran.rung("gogc-400");
        let workload = &rung.comparison.as_ref().unwrap().workloads[0];
        assert_eq!(workload.new_rss_bytes, 64 << 20);
        match is_kept {
            true => assert_eq!(rung.outcome, Outcome::Kept),
            false => assert!(
                ran.reason("gogc-400").contains("64.0 MiB"),
                "{}",
                ran.reason("gogc-400")
            ),
        }
        if is_kept {
            let nine_tenths = ((1_u64 << 30) / 10 * 9).to_string();
            let env = [("GOGC", "400"), ("GOMEMLIMIT", &nine_tenths)];
            assert!(
                rung.flags
                    .env
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.as_str()))
                    .eq(env)
            );
            let shell = ran.report.recipe.unwrap().shell;
            assert!(
                shell.contains("export GOGC=400   # where the program runs"),
                "{shell}"
            );
        }
        // Settings are no build.
        assert_eq!(project.program("gogc-400"), project.program("baseline"));
        assert_eq!(project.times("build gogc-400"), 0);
    }
}

#[test]
fn a_program_that_sets_its_own_pace_is_left_alone() {
    let own = "void pace(void) __asm__(\"runtime/debug.setGCPercent\");\nvoid pace(void) {}\nint main(void) { pace(); return 0; }";
    let linked = testkit::compiled(own, &[]);
    let mut project = go(&["gogc-200"], "memory = \"1GiB\"");
    project.world().linked = Some(linked.path().join("p"));
    let ran = project.optimized();
    assert!(matches!(
        ran.rung("gogc-200").outcome,
        Outcome::Skipped { .. }
    ));
    assert!(
        ran.reason("gogc-200")
            .contains("runtime/debug.setGCPercent"),
        "{}",
        ran.reason("gogc-200")
    );
}

#[test]
fn a_rust_program_gets_rustcs_own_levers() {
    let mut project = Project::new(&["codegen-units", "lto", "autofdo"]);
    let world = project.world();
    world.gains.extend([
        ("CODEGEN_UNITS=1", 1.1),
        ("LTO=fat", 1.1),
        ("-Zprofile-sample-use=", 1.1),
    ]);
    project.edit(BUILD, "cargo build --release");
    project.edit("\"test.binary\"", "\"target/release/test.binary\"");
    project.write("Cargo.toml", "[package]\n");
    project.write("src/main.rs", "print sum 7\n");
    let ran = project.optimized();
    for id in [
        "codegen-units",
        "codegen-units+lto",
        "codegen-units+lto+autofdo",
    ] {
        assert_eq!(ran.rung(id).outcome, Outcome::Kept, "{id}");
    }
    let calls = project.read(".hone/logs/codegen-units+lto+autofdo.calls.log");
    assert!(
        calls.contains("-Zprofile-sample-use=") && calls.contains("-Cdebuginfo=1"),
        "{calls}"
    );
    let plain = project.read(".hone/logs/baseline.calls.log");
    assert!(!plain.contains("-Z") && !plain.contains("-C"), "{plain}");
}
