//! How code lies, by recordings that are exact.

use hone_fdo::layout::{CacheShape, Layout};
use hone_inputs::recording::EventChoice;
use hone_look::binaries::with_binary;
use hone_look::laid_out::{LaidOut, Question, laid_out};
use hone_profile::perf_data::branch_type;
use testkit::recorded;
use testkit::recording::{Program, Recording};

use crate::common::{Case, program};

/// Bits of `branch_sample_type` of calls alone.
const ANY_CALL: u64 = 1 << 4;

fn of(program: &Program, recording: &std::path::Path, event: Option<&str>) -> LaidOut {
    let recordings = [recording.to_owned()];
    let question = Question {
        recordings: &recordings,
        events: EventChoice::named(event.map(str::to_owned)),
        l1i: CacheShape::L1I,
        itlb: CacheShape::tlb(64),
    };
    let found = with_binary(program.path(), |loaded, binary| {
        laid_out(loaded, binary, &question)
    });
    found.unwrap_or_else(|error| panic!("{error:#}"))
}

fn names(layout: &Layout) -> Vec<&str> {
    let functions = layout.functions.iter();
    functions.map(|function| function.name.as_str()).collect()
}

/// A recording of `steps` with events of these bits: jumps between `step` and `turn`, or of the second from `main` to itself.
fn jumps(steps: &Program, events: &[(&str, Option<u64>)]) -> Recording {
    let mut made = Recording::with_events(steps, events);
    let [main, step, turn] = ["main", "step", "turn"].map(|name| made.at(steps.function(name)));
    made.branches(0, 20, turn, &[(turn, step), (step, turn), (turn, step)]);
    if events.len() > 1 {
        made.branches(1, 20, main, &[(main, main), (main, main)]);
    }
    made
}

#[test]
fn code_that_ran_is_told_from_code_that_did_not() {
    let filters = program("filters");
    let walked = of(&filters, &recorded("filters-walk.data"), None);
    assert!(walked.without_branches.is_none() && !walked.are_sums);
    let mut ran = names(&walked.layout);
    ran.sort_unstable();
    assert_eq!(
        ran,
        ["Add::run(unsigned int)", "Mul::run(unsigned int)", "main"]
    );
    for function in &walked.layout.functions {
        assert!(
            (1..=function.bytes).contains(&function.hot_bytes),
            "{function:?}"
        );
    }
    assert!(walked.layout.model.is_some());
    let plain = of(&filters, &recorded("filters-plain.data"), None);
    assert!(plain.layout.model.is_none());
}

#[test]
fn stacks_with_a_part_of_the_branches_leave_the_sampled_instructions() {
    let steps = program("steps");
    let user = branch_type::USER;
    let made = jumps(&steps, &[("cycles:u", Some(user | ANY_CALL))]);
    let case = Case::with(&made);
    let found = of(&steps, &case.path("p.data"), None);
    let why = found.without_branches.expect("a reason").to_string();
    assert!(why.contains("any_call"), "{why}");
    assert_eq!(names(&found.layout), ["turn"]);
}

#[test]
fn one_of_several_events_can_be_chosen() {
    let steps = program("steps");
    let all = Some(branch_type::USER | branch_type::ANY);
    let case = Case::with(&jumps(&steps, &[("one", all), ("two", all)]));
    let of_event = |event| {
        let found = of(&steps, &case.path("p.data"), event);
        let mut names: Vec<String> = names(&found.layout)
            .into_iter()
            .map(str::to_owned)
            .collect();
        names.sort();
        names
    };
    assert_eq!(of_event(Some("one")), ["step", "turn"]);
    assert_eq!(of_event(Some("two")), ["main"]);
    assert_eq!(of_event(None), ["main", "step", "turn"]);
}
