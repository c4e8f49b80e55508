//! Recordings of several events, and of branches that were filtered while recording.

use hone_convert::fitness::{Question, judge};
use hone_convert::{Form, Request};
use hone_fdo::Evidence;
use hone_fdo::quality::Limits;
use hone_files::advice::render;
use hone_inputs::recording::EventChoice;
use hone_profile::perf_data::branch_type;
use testkit::recording::Recording;

use crate::common::{Case, first_count, jump, program, refusal, text, try_convert};

/// Bits of `branch_sample_type` that only filters have.
const ANY_CALL: u64 = 1 << 4;
const CALL_STACK: u64 = 1 << 11;
const NO_FLAGS: u64 = 1 << 14;

const USER: u64 = branch_type::USER;
const ANY: u64 = branch_type::USER | branch_type::ANY;

/// A recording of `steps`: events with their bits and number of samples, each a jump from one function to the other and back.
fn recording(case: &Case, name: &str, events: &[(&str, u64, u64)]) {
    let steps = program("steps");
    let described = events.iter().map(|&(name, bits, _)| (name, Some(bits)));
    let mut made = Recording::with_events(&steps, &described.collect::<Vec<_>>());
    for (event, &(_, _, samples)) in events.iter().enumerate() {
        jump(&mut made, &steps, event, samples);
    }
    made.write(&case.path(name));
}

/// They were converted as if they held every branch.
#[test]
fn stacks_with_a_part_of_the_branches_count_no_branches() {
    let case = Case::of("steps");
    recording(&case, "calls", &[("cycles:u", USER | ANY_CALL, 40)]);
    recording(
        &case,
        "callers",
        &[("cycles:u", USER | CALL_STACK | NO_FLAGS, 40)],
    );
    for form in [
        Form::AutofdoText,
        Form::AutofdoExtbinary,
        Form::BoltFdata,
        Form::BoltPreaggregated,
        Form::Json,
    ] {
        for (input, options) in [("calls", "-j any_call"), ("callers", "--call-graph lbr")] {
            let refused = case.refused(input, form);
            assert!(refused.contains(options), "{}: {refused}", form.name());
        }
    }
    let plain = Request {
        evidence: Evidence::IpSamples,
        ..case.request("calls", Form::AutofdoText)
    };
    let (_, said) = text(try_convert(&plain));
    assert!(said.contains("40 samples"), "{said}");
    // Beside whole ones they change nothing, and are told.
    let whole = ("whole:u", ANY | NO_FLAGS, 30);
    recording(&case, "both", &[("cycles:u", USER | ANY_CALL, 40), whole]);
    recording(&case, "whole", &[whole]);
    let (profile, said) = case.convert("both", Form::AutofdoText);
    let told = "cycles:u (40 samples) hold some branches only (-j any_call)";
    assert!(said.contains(told), "{said}");
    let (expected, said) = case.convert("whole", Form::AutofdoText);
    assert_eq!(profile, expected);
    assert!(!said.contains("some branches"), "{said}");
}

#[test]
fn one_of_several_events_can_be_chosen() {
    let case = Case::of("steps");
    let (one, two) = (("cycles:u", ANY, 30), ("br_inst:u", ANY, 12));
    recording(&case, "two", &[one, two]);
    let of_event = |event: Option<&str>| Request {
        events: EventChoice::named(event.map(str::to_owned)),
        ..case.request("two", Form::AutofdoText)
    };
    let counted = |event| {
        let (profile, said) = text(try_convert(&of_event(event)));
        (first_count(&profile, "turn").unwrap().to_owned(), said)
    };
    let (both, said) = counted(None);
    assert_eq!(both, "42");
    let added = "cycles:u (30 samples) and br_inst:u (12 samples) were added up";
    assert!(said.contains(added), "{said}");
    for (event, expected) in [(one.0, "30"), (two.0, "12")] {
        let (samples, said) = counted(Some(event));
        assert_eq!(samples, expected, "{event}");
        assert!(!said.contains("added up"), "{said}");
        let judged = judge(&Question {
            profile: &case.path("two"),
            binary: Some(&case.binary),
            for_build: None,
            against: None,
            events: EventChoice::named(Some(event.to_owned())),
            limits: Limits::default(),
        });
        assert!(judged.is_ok(), "{event}");
    }
    let refused = refusal(try_convert(&of_event(Some("branches"))));
    for part in [
        "no samples of an event branches",
        "name one of cycles:u, br_inst:u",
    ] {
        assert!(refused.contains(part), "{refused}");
    }
}

/// Texts that are added up have no events to choose from.
#[test]
fn texts_that_are_sums_have_no_events() {
    let case = Case::of("steps");
    let turn = program("steps").function("turn").0;
    case.write("sums", format!("B {turn:x} {turn:x} 70 1\n"));
    let request = Request {
        events: EventChoice::named(Some("cycles".into())),
        ..case.request("sums", Form::BoltFdata)
    };
    let refused = refusal(try_convert(&request));
    assert!(refused.contains("adds up its events"), "{refused}");
    let alone = hone_inputs::recording::read(&case.path("sums"));
    let alone = render(&alone.map(drop).expect_err("a refusal"));
    assert!(alone.contains("of which binary"), "{alone}");
}
