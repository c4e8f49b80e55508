//! What the forms say in common: which rung stands on which, what it added, and how an interval is drawn.

use crate::sample;
use hone_measure::Interval;
use hone_report::axis::Axis;
use hone_report::{sentences, terminal};

fn index(report: &hone_report::model::LadderReport, id: &str) -> usize {
    report.rungs.iter().position(|rung| rung.id == id).unwrap()
}

#[test]
fn a_rung_stands_on_what_it_was_measured_against_or_on_the_last_one_kept() {
    let report = sample::full();
    let base =
        |id: &str| sentences::base_of(&report, index(&report, id)).map(|rung| rung.id.as_str());
    assert_eq!(base("baseline"), None);
    assert_eq!(base("mimalloc+thinlto+no-plt"), Some("mimalloc+thinlto"));
    assert_eq!(
        base("mimalloc+thinlto+pgo+bolt"),
        Some("mimalloc+thinlto+pgo")
    );
}

#[test]
fn a_rung_measured_against_a_build_that_is_no_rung_stands_on_the_last_one_kept() {
    let mut report = sample::full();
    let at = index(&report, "mimalloc+thinlto");
    report.rungs[at].comparison.as_mut().unwrap().old = "profiling".to_owned();
    assert_eq!(sentences::base_of(&report, at).unwrap().id, "mimalloc");
}

#[test]
fn indirect_calls_are_compared_with_the_nearest_rung_below_that_was_counted() {
    let report = sample::full();
    let counted =
        |id: &str| sentences::counted_before(&report, index(&report, id)).map(|rung| &*rung.id);
    assert_eq!(counted("baseline"), None);
    assert_eq!(counted("mimalloc+thinlto"), Some("baseline"));
    assert_eq!(counted("mimalloc+thinlto+pgo"), Some("mimalloc+thinlto"));
}

#[test]
fn added_flags_leave_out_what_the_rung_below_has_and_name_each_once() {
    let mut report = sample::full();
    let below = index(&report, "mimalloc+thinlto");
    assert_eq!(
        sentences::added_flags(&report, below),
        ["-flto=thin", "-fuse-ld=lld-19"]
    );
    let above = index(&report, "mimalloc+thinlto+pgo");
    report.rungs[above]
        .flags
        .compile
        .insert(0, "-flto=thin".to_owned());
    assert_eq!(
        sentences::added_flags(&report, above),
        ["-fprofile-use=hone.profdata"]
    );
}

#[test]
fn the_winner_is_named_by_the_titles_of_its_levers() {
    let report = sample::full();
    let winner = sentences::winner(&report);
    assert_eq!(
        winner.as_deref(),
        Some("mimalloc + ThinLTO + Instrumented PGO")
    );
    assert_eq!(sentences::winner(&sample::nothing_kept()), None);
}

#[test]
fn a_bar_shows_both_ends_the_estimate_and_where_one_lies() {
    let interval = Interval {
        ratio: 1.2,
        low: 1.1,
        high: 1.3,
    };
    let bar = terminal::bar(&Axis::around_one(&[interval]), &interval, 24);
    assert_eq!(bar, "  ┊      ├──────●─────┤ ");
    let missing = Interval {
        ratio: f64::NAN,
        ..interval
    };
    assert!(!terminal::bar(&Axis::around_one(&[]), &missing, 24).contains('●'));
}

#[test]
fn a_split_needs_a_proven_gain_and_a_proven_loss() {
    let (helps, harms) = ((1.10, 1.13, 1.16), (0.80, 0.83, 0.86));
    let (may_help, may_harm) = ((0.97, 1.13, 1.31), (0.66, 0.83, 1.04));
    let split = |gains: [(f64, f64, f64); 2]| {
        let mut comparison = sample::full().confirmation.unwrap();
        for (result, (low, ratio, high)) in comparison.workloads.iter_mut().zip(gains) {
            result.gain = Interval { ratio, low, high };
            result.verdict = result.gain.verdict();
        }
        sentences::split(&comparison)
    };
    assert_eq!(
        split([helps, harms]).unwrap(),
        "Helps steady (1.13x [1.10, 1.16]), harms bursts (0.83x [0.80, 0.86]): the overall gain is a mean \
         over both; go by the workload that is like yours."
    );
    let turned = split([harms, helps]).unwrap();
    assert!(turned.starts_with("Helps bursts (1.13x"), "{turned}");
    for same in [
        [helps, may_harm],
        [may_help, harms],
        [may_help, may_harm],
        [helps, helps],
        [harms, harms],
    ] {
        assert_eq!(split(same), None, "{same:?}");
    }
}

#[test]
fn two_recordings_of_one_rung_are_told_apart_by_their_builds() {
    let mut report = sample::full();
    let mut facts = report.recordings[0].clone();
    let plain = sentences::recording(&report, &facts);
    assert!(plain.starts_with("ThinLTO: 11,932 samples"), "{plain}");
    facts.build = "mimalloc+thinlto.probes".to_owned();
    let probed = sentences::recording(&report, &facts);
    let built = "ThinLTO, built as mimalloc+thinlto.probes: 11,932 samples";
    assert!(probed.starts_with(built), "{probed}");
    report.recordings = vec![facts];
    assert!(hone_report::html::render(&report).contains("built as mimalloc+thinlto.probes"));
}
