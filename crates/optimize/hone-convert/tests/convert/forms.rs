//! Every form of one recording, made by hand or walked.

use hone_convert::Form;
use hone_fdo::WALK_EVENT;
use testkit::recorded;
use testkit::recording::Recording;

use crate::common::{Case, program, refusal, try_convert};

#[test]
fn walked_branches_have_call_targets_in_their_shares() {
    let case = Case::of("filters");
    let walked = recorded("filters-walk.data");
    let profile = case.profile(&walked, Form::AutofdoText);
    let calls = profile
        .lines()
        .find(|line| line.starts_with(' ') && line.contains("_ZN3Add3runEj:"));
    let calls = calls.unwrap_or_else(|| panic!("no call targets in\n{profile}"));
    let count = |name: &str| -> f64 {
        let after = calls.split(&format!("{name}:")).nth(1).unwrap_or("0");
        after.split(' ').next().unwrap().parse().unwrap()
    };
    // Three of four calls, whatever of the last round was walked.
    let ratio = count("_ZN3Add3runEj") / count("_ZN3Mul3runEj");
    assert!((2.9..3.1).contains(&ratio), "{ratio}\n{profile}");
}

/// A recording of walks of the program without debug information: `main` calls `step` twice as often as `turn`. The oldest branch of a
/// piece of a walk is the newest of the piece before, and counts there.
fn walks(case: &Case) {
    let bare = program("steps-bare");
    let mut recording = Recording::with_branches(&bare, WALK_EVENT);
    let at = |name: &str| recording.at(bare.function(name));
    let [main, step, turn] = ["main", "step", "turn"].map(at);
    let stacks = [
        ([(step, main), (main, step), (step, main)], 20),
        ([(turn, main), (main, turn), (turn, main)], 10),
    ];
    for (stack, times) in stacks {
        recording.branches(0, times, main, &stack);
    }
    recording.write(&case.path("walk.data"));
}

#[test]
fn forms_by_address_need_no_debug_info() {
    let case = Case::of("steps-bare");
    walks(&case);
    let text = |form| case.profile("walk.data", form);
    let fdata = text(Form::BoltFdata);
    assert!(fdata.contains("1 main 0 1 step 0 0 20\n"), "{fdata}");
    assert!(fdata.contains("1 main 0 1 turn 0 0 10\n"), "{fdata}");
    let aggregated = text(Form::BoltPreaggregated);
    assert!(aggregated.starts_with("B "), "{aggregated}");
    assert!(aggregated.contains("\nf "), "{aggregated}");
    let order = text(Form::SymbolOrder);
    assert_eq!(order, "main\nstep\nturn\n");
    let sections = text(Form::SectionOrder);
    assert!(
        sections.contains(".text.hot.step\n.text.step\n"),
        "{sections}"
    );
    let json: serde_json::Value = serde_json::from_str(&text(Form::Json)).unwrap();
    assert_eq!(json["unit"], "executed bytes");
    assert!(
        json["account"]["ranges_used"].as_u64().unwrap() > 0,
        "{json:#}"
    );
    assert_eq!(json["losses"]["truncated_bytes"], 0);
    assert_eq!(json["functions"].as_array().unwrap().len(), 3, "{json:#}");
    let table = text(Form::Text);
    for name in ["  main\n", "  step\n", "  turn\n"] {
        assert!(table.contains(name), "{table}");
    }
    let refused = case.refused("walk.data", Form::GccGcov);
    assert!(refused.contains("no debug info"), "{refused}");
}

#[test]
fn plain_samples_become_bolts_other_mode_and_gccs_form() {
    let case = Case::of("filters");
    let plain = recorded("filters-plain.data");
    let fdata = case.profile(&plain, Form::BoltFdata);
    assert!(fdata.starts_with("no_lbr cycles\n1 "), "{fdata}");
    assert!(fdata.contains("1 _ZN3Mul3runEj "), "{fdata}");
    let refused = case.refused(&plain, Form::BoltPreaggregated);
    assert!(refused.contains("no branch records"), "{refused}");
    let gcov = case.try_convert(&plain, Form::GccGcov).unwrap();
    assert!(gcov.bytes.starts_with(b"adcg\x02\0\0\0"));
}

/// Android's kernel recipe: functions that the symbol list names and no sample saw become slower.
#[test]
fn the_list_of_functions_without_samples_can_be_left_out() {
    let case = Case::of("filters");
    let mut request = case.request(recorded("filters-walk.data"), Form::AutofdoExtbinary);
    for symbol_list in [true, false] {
        request.symbol_list = symbol_list;
        let bytes = try_convert(&request).unwrap().bytes;
        let listed = hone_fdo::read_sample_profile(&bytes).unwrap().symbols;
        let is_listed = listed.iter().any(|name| name == "_Z5neverj");
        assert_eq!(is_listed, symbol_list, "{listed:?}");
    }
}

#[test]
fn options_that_a_form_has_no_use_for_are_refused() {
    let case = Case::of("steps");
    walks(&case);
    let base = |form| case.request("walk.data", form);
    let mut requests = Vec::new();
    let mut probes = base(Form::BoltFdata);
    probes.probes = true;
    requests.push((probes, "--probes is for AutoFDO profiles"));
    let mut ir = base(Form::AutofdoText);
    ir.ir = Some(case.path("ir"));
    requests.push((ir, "--ir is for counters"));
    requests.push((base(Form::Profdata), "counters are found by probes"));
    let mut counters = base(Form::Profdata);
    counters.probes = true;
    requests.push((counters, "needs the IR of the program's sources"));
    let mut libraries = base(Form::BoltFdata);
    libraries
        .program
        .libraries
        .push(program("libmix.so").path().to_owned());
    requests.push((libraries, "a profile of this form is of one file"));
    let mut unnamed = base(Form::AutofdoText);
    unnamed.probes = true;
    requests.push((unnamed, "next: "));
    for (request, expected) in requests {
        let refused = refusal(try_convert(&request));
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn layouts_of_blocks_need_branches_and_a_map() {
    let case = Case::of("steps-bare");
    walks(&case);
    let refused = |request: &hone_convert::Request| {
        let made = hone_convert::layout_into(request, &case.path("layout"));
        let refused = refusal(made.map_err(|error| hone_files::advice::render(&error)));
        assert!(!case.path("layout").exists());
        refused
    };
    let mut request = case.request("walk.data", Form::Propeller);
    let without = refused(&request);
    assert!(without.contains("has no map of its blocks"), "{without}");
    assert!(without.contains("-fbasic-block-address-map"), "{without}");
    request.evidence = hone_fdo::Evidence::IpSamples;
    let plain = refused(&request);
    assert!(plain.contains("branch records alone"), "{plain}");
}

/// The binary that most samples fell in is the one that is meant.
#[test]
fn the_recorded_binary_is_found_by_its_samples() {
    let (case, steps, views) = (Case::of("steps"), program("steps"), program("views"));
    let mut recording = Recording::of(&steps);
    let other = hone_profile::Avma(recording.also(&views) + views.function("main").0);
    let main = recording.at(steps.function("main"));
    recording.stack(2, &[main]);
    recording.stack(1, &[other]);
    recording.write(&case.path("p.data"));
    let found = hone_convert::recorded_binary(&case.path("p.data"));
    assert_eq!(found.unwrap(), steps.path());
    let gone = std::path::Path::new("/nowhere/steps");
    let mut recording = Recording::elsewhere(&steps, gone, steps.build_id());
    let main = recording.at(steps.function("main"));
    recording.stack(2, &[main]);
    recording.write(&case.path("gone.data"));
    let found = hone_convert::recorded_binary(&case.path("gone.data"));
    let refused = refusal(found.map_err(|error| hone_files::advice::render(&error)));
    assert!(
        refused.contains("/nowhere/steps is not on this machine"),
        "{refused}"
    );
}
