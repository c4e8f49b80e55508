//! What looks find, and what they say of the rest.

use hone_regressions::{
    Cause, Evidence, History, Look, Measure, NoClaim, Standings, Status, Step, Thresholds, Why,
    look,
};

use crate::made::{At, FUNCTIONS, STEP_S, STEPS, USUAL, steps};

/// First step of the last day.
const LAST_DAY: u64 = STEPS - 4;

fn looked(steps: &[Step]) -> Look {
    look(&History::new(steps, STEP_S), Thresholds::default())
}

fn one(_: At) -> Vec<&'static str> {
    vec!["aa"]
}

fn names(look: &Look) -> Vec<&str> {
    look.findings
        .iter()
        .map(|finding| finding.function.as_str())
        .collect()
}

#[track_caller]
fn filtered<'l>(look: &'l Look, function: &str) -> &'l Why {
    let found = look
        .filtered
        .iter()
        .find(|filtered| filtered.finding.function == function);
    &found
        .unwrap_or_else(|| panic!("{function} is not filtered: {look:?}"))
        .why
}

#[test]
fn a_step_of_the_last_day_is_found_with_its_size_and_begin() {
    let cost = |at: At, function, _: &str| match (function, at.step > LAST_DAY) {
        (15, true) => 1.5,
        _ => 1.0,
    };
    let steps = steps(1, 10, &USUAL, cost, one);
    let look = looked(&steps);
    assert_eq!(names(&look), ["f15"], "{look:?}");
    let finding = &look.findings[0];
    // 1 of 41 becomes 1.5 of 41.5.
    let truth = 1.5 / 41.5 - 1.0 / 41.0;
    assert!(
        finding.change.low < truth && truth < finding.change.high,
        "{finding:?}"
    );
    assert_eq!(finding.since_s, steps[LAST_DAY as usize + 1].start_s);
    assert_eq!((finding.units, &finding.cause), (10, &Cause::OverTime));
    assert_eq!(finding.evidence, Evidence::OverTime { days: 7 });
    let factor = finding.cores.value / finding.change.value;
    // Ten hosts with 400,000 samples of a millisecond in six hours each.
    assert!((factor - 10.0 * 400.0 / 21_600.0).abs() < 0.01, "{factor}");
    // The caller's change is that of its callee.
    assert_eq!(
        filtered(&look, "f2"),
        &Why::Explained {
            by: vec!["f15".into()]
        }
    );
}

#[test]
fn a_function_that_is_called_more_often_is_named_and_what_it_calls_are_parts() {
    let cost = |at: At, function, _: &str| match (function, at.step >= LAST_DAY) {
        (2 | 14 | 15 | 16, true) => 1.4,
        _ => 1.0,
    };
    let look = looked(&steps(2, 12, &USUAL, cost, one));
    assert_eq!(names(&look), ["f2"], "{look:?}");
    let finding = &look.findings[0];
    assert_eq!(finding.measure, Measure::Inclusive);
    let mut parts = finding.parts.clone();
    parts.sort();
    assert_eq!(parts, ["f14", "f15", "f16"]);
}

#[test]
fn cost_that_moved_to_a_neighbour_is_no_regression() {
    let cost = |at: At, function, _: &str| match (function, at.step >= LAST_DAY) {
        (15, true) => 1.6,
        (16, true) => 0.4,
        _ => 1.0,
    };
    let look = looked(&steps(3, 12, &USUAL, cost, one));
    assert_eq!(names(&look), [""; 0], "{look:?}");
    assert_eq!(
        filtered(&look, "f15"),
        &Why::Moved {
            from: vec!["f16".into()]
        }
    );
}

#[test]
fn what_went_away_again_is_no_regression() {
    let cost = |at: At, function, _: &str| match (function, at.step) {
        (15, step) if (LAST_DAY..LAST_DAY + 3).contains(&step) => 2.0,
        _ => 1.0,
    };
    let look = looked(&steps(4, 12, &USUAL, cost, one));
    assert_eq!(names(&look), [""; 0], "{look:?}");
    assert_eq!(filtered(&look, "f15"), &Why::WentAway);
}

#[test]
fn a_pattern_of_the_day_is_no_regression() {
    let cost = |at: At, function, _: &str| match (function, at.step % 4) {
        (15, 3) => 3.0,
        (16, 0) => 2.0,
        _ => 1.0,
    };
    let look = looked(&steps(5, 12, &USUAL, cost, one));
    assert_eq!((names(&look), look.filtered.len()), (vec![], 0), "{look:?}");
    assert!(look.tested > FUNCTIONS as usize / 2);
}

#[test]
fn a_new_build_on_some_hosts_is_compared_with_the_hosts_that_kept_the_old_one() {
    // The hosts that went over were dearer in another function before.
    let cost = |at: At, function, build: &str| match (function, build) {
        (15, "bb") => 1.3,
        (20, _) if at.host < 4 => 2.0,
        _ => 1.0,
    };
    let builds = |at: At| match at.host < 4 && at.step >= LAST_DAY {
        true => vec!["bb"],
        false => vec!["aa"],
    };
    let look = looked(&steps(6, 12, &USUAL, cost, builds));
    assert_eq!(names(&look), ["f15"], "{look:?}");
    let finding = &look.findings[0];
    let (old, new) = ("aa".to_owned(), "bb".to_owned());
    assert_eq!(finding.evidence, Evidence::SideBySide { old, new });
    assert_eq!(finding.cause, Cause::NewBuild("bb".into()));
    // Hosts differ in what the function takes.
    let truth = 1.3 * finding.before / (1.0 + 0.3 * finding.before) - finding.before;
    assert!(
        finding.change.low < truth && truth < finding.change.high,
        "{finding:?}"
    );
}

#[test]
fn two_builds_on_each_host_are_compared_host_by_host() {
    let cost = |_: At, function, build: &str| match (function, build) {
        (15, "bb") => 1.2,
        _ => 1.0,
    };
    let builds = |at: At| match at.step >= LAST_DAY {
        true => vec!["aa", "bb"],
        false => vec!["aa"],
    };
    let look = looked(&steps(7, 8, &USUAL, cost, builds));
    assert_eq!(names(&look), ["f15"], "{look:?}");
    assert_eq!(look.findings[0].units, 8);
    assert!(matches!(
        look.findings[0].evidence,
        Evidence::SideBySide { .. }
    ));
}

#[test]
fn of_too_few_hosts_or_days_nothing_is_said() {
    let cost = |at: At, function, _: &str| match (function, at.step >= LAST_DAY) {
        (15, true) => 3.0,
        _ => 1.0,
    };
    let few = looked(&steps(8, 3, &USUAL, cost, one));
    assert_eq!(
        few.no_claim_over_time,
        Some(NoClaim::TooFewUnits {
            units: 3,
            needed: 4
        })
    );
    assert_eq!((few.findings.len(), few.tested), (0, 0));
    let short = looked(&steps(8, 9, &USUAL, cost, one)[12..]);
    assert_eq!(
        short.no_claim_over_time,
        Some(NoClaim::TooFewDays { days: 4, needed: 6 })
    );
    assert_eq!(looked(&[]), Look::default());
}

#[test]
fn a_finding_is_told_once_after_two_looks_and_until_it_is_gone() {
    let begin = STEPS - 8;
    let cost = |at: At, function, _: &str| match (function, (begin..STEPS - 2).contains(&at.step)) {
        (15, true) => 1.5,
        _ => 1.0,
    };
    // Six days before the change are enough for the first looks.
    let steps = steps(9, 12, &USUAL, cost, one);
    let mut standings = Standings::default();
    let mut told = Vec::new();
    for end in begin as usize - 1..=STEPS as usize {
        for standing in standings.add(&looked(&steps[..end])) {
            told.push((end as u64 - begin, standing));
        }
    }
    let [(after, standing)] = &told[..] else {
        panic!("{told:?}")
    };
    assert!((2..=4).contains(after), "told after {after} steps");
    assert_eq!(
        (standing.finding.function.as_str(), standing.status),
        ("f15", Status::Stands)
    );
    assert!(
        standings.add(&looked(&steps)).is_empty(),
        "a look that was done already"
    );
    let kept: Vec<_> = standings.told().collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (&kept[0].id, kept[0].status),
        (&standing.id, Status::WentAway)
    );
}
