//! Equal days and equal builds: how often a look finds what is not there.

use hone_regressions::{History, Thresholds, look};

use crate::made::{At, STEP_S, STEPS, Scatter, steps};

/// Histories, each looked at once; in release builds a hundred times as many may be drawn by changing this.
const HISTORIES: u64 = 30;

/// Counts the histories with a significant increase, filtered or not, by a rate that lets some through.
fn false_finds(scatter: &Scatter, hosts: usize, builds: impl Fn(At) -> Vec<&'static str>) -> usize {
    let thresholds = Thresholds {
        rate: 0.1,
        least_share: 1e-6,
    };
    let is_wrong = |seed: &u64| {
        let steps = steps(1_000 + seed, hosts, scatter, |_, _, _| 1.0, &builds);
        let look = look(&History::new(&steps, STEP_S), thresholds);
        assert!(look.tested > 0);
        !look.findings.is_empty() || !look.filtered.is_empty()
    };
    (0..HISTORIES).filter(is_wrong).count()
}

/// By a rate of 10 % on either side, a look at equals is wrong in 5 % at most for each comparison: of 30 looks more than 6 are so in one of 500
/// tests if it is 1.5 of them.
const WRONG_MAX: usize = 6;

#[test]
fn equal_days_are_called_different_at_most_as_often_as_asked() {
    for (host, step, day, hosts) in [
        (0.1, 0.03, 0.01, 12),
        (0.3, 0.1, 0.0, 5),
        (0.1, 0.02, 0.1, 12),
    ] {
        let scatter = Scatter { host, step, day };
        let wrong = false_finds(&scatter, hosts, |_| vec!["aa"]);
        assert!(
            wrong <= WRONG_MAX,
            "{wrong} of {HISTORIES} with {hosts} hosts, days {day}"
        );
    }
}

#[test]
fn equal_builds_are_called_different_at_most_as_often_as_asked() {
    let scatter = Scatter {
        host: 0.2,
        step: 0.05,
        day: 0.02,
    };
    let both = |at: At| match at.step >= STEPS - 4 {
        true => vec!["aa", "bb"],
        false => vec!["aa"],
    };
    let wrong = false_finds(&scatter, 8, both);
    assert!(
        wrong <= WRONG_MAX,
        "{wrong} of {HISTORIES} where hosts run both"
    );
    let some = |at: At| match at.step >= STEPS - 4 && at.host < 5 {
        true => vec!["bb"],
        false => vec!["aa"],
    };
    let wrong = false_finds(&scatter, 12, some);
    assert!(
        wrong <= WRONG_MAX,
        "{wrong} of {HISTORIES} where hosts run one"
    );
}
