//! `hone optimize` with gcc's own levers.

use crate::common::{Project, has_tools, stderr};
use std::fs;

#[test]
#[ignore = "builds whole modules"]
fn a_program_climbs_with_gccs_own_levers() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let project = Project::new("\"pgo\", \"autofdo\", \"lto\"");
    let compiler = crate::common::c_compiler();
    project.edit("hone.toml", &format!("CC = \"{compiler}\""), "CC = \"gcc\"");
    project.edit("hone.toml", "[build]", "[build]\ntoolchain = \"gcc\"");
    let output = project.optimize(&[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = project.report();
    let rungs = report["rungs"].as_array().unwrap();
    assert_eq!(rungs.len(), 4, "{report}");
    for rung in &rungs[1..] {
        assert!(
            rung["comparison"].is_object(),
            "{}: {}",
            rung["id"],
            rung["outcome"]
        );
    }
    // gcc reads the counts of each source from their directory.
    let counts = fs::read_dir(project.path(".hone/profiles/profiling.pgo.raw")).unwrap();
    assert!(counts.count() > 0);
    let flags = report["rungs"].to_string();
    assert!(flags.contains("-fauto-profile="), "{flags}");
}
