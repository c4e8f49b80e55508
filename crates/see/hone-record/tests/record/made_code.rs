//! Code that a program makes while it runs: its names are recorded, and stacks lead through it and out of it again.

use crate::common::compile;
use hone_profile::{LocationId, Profile, StackEnd};
use hone_record::{BranchSource, CallGraph};
use std::fs;

/// Name of a level: the recorded one, or the program's function.
fn name(profile: &Profile, at: LocationId, functions: &[(String, (u64, u64))]) -> String {
    if let Some(name) = profile.name(at) {
        return name.to_owned();
    }
    let offset = profile.location(at).offset.0;
    let of_program = |(_, (start, end)): &&(String, (u64, u64))| (*start..*end).contains(&offset);
    let function = functions.iter().find(of_program);
    function.map_or("?".to_owned(), |(name, _)| name.clone())
}

#[test]
#[ignore = "finds by samples"]
fn code_that_a_program_makes_has_names_and_callers_in_the_recording_alone() {
    let Some(program) = compile("made_code.c", &["-fomit-frame-pointer"]) else {
        return;
    };
    let mut options = program.options(&["1000"]);
    options.branches = BranchSource::None;
    options.call_graph = CallGraph::Dwarf {
        stack_bytes: None,
        keeps_copies: false,
    };
    let recorded = match program.record(&options) {
        Ok(recorded) => recorded,
        Err(error) => {
            println!("skipped: {error}");
            return;
        }
    };
    let map = recorded.stdout.trim();
    assert!(map.starts_with("/tmp/perf-"), "{map}");
    fs::remove_file(map).expect("the program's map");

    let profile = &recorded.profile;
    let functions: Vec<_> = program.functions().into_iter().collect();
    let mut stacks = Vec::new();
    for sample in &profile.samples {
        let mut levels = Vec::new();
        let stack = sample.stack.expect("a stack");
        let end = profile.each_level(stack, |at, _| levels.push(name(profile, at, &functions)));
        let is_of = |name: &str| levels.iter().any(|level| level == name);
        if is_of("made:works") || is_of("called_back") {
            stacks.push((levels, end));
        }
    }
    if stacks.len() < 100 {
        println!("skipped: the program got hardly any CPU");
        return;
    }
    let paths = [
        &["made:works", "call_made_code", "main"][..],
        &["called_back", "made:calls", "call_made_code", "main"],
    ];
    for path in paths {
        let through = |(levels, end): &&(Vec<String>, StackEnd)| {
            *end == StackEnd::Root && levels.windows(path.len()).any(|levels| levels == path)
        };
        let of = |(levels, _): &&(Vec<String>, StackEnd)| levels.contains(&path[0].to_owned());
        let (whole, all) = (
            stacks.iter().filter(through).count(),
            stacks.iter().filter(of).count(),
        );
        // In a prologue there is no frame pointer yet, and the caller is not found.
        assert!(
            all > 20 && whole * 100 >= all * 95,
            "{path:?}: {whole} of {all}"
        );
    }
}
