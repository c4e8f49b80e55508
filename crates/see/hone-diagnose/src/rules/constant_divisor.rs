//! Integer divisions by a number that the compiler did not know, and that is nearly always the same.

use super::operands::{Odd, Told, of_operands};
use super::{Rule, division};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use hone_profile::Watched;

pub(super) const RULE: Rule = Rule {
    name: "constant-divisor",
    title: "Much time goes into integer divisions by numbers that hardly change",
    needs: &[Need::Walks, Need::Code],
    confidence: Confidence::High,
    change: "Make the usual divisor a constant: a branch for it (if (n == 1021) x %= 1021; else x %= n), a template on it, a shift or \
             a mask where it is a power of two; or make its inverse once (libdivide).",
    not_when: "The divisor is the same in this load alone, and the loads that matter have others.",
    look,
    ..division::RULE
};

/// From there on a branch for the usual divisor is predicted well enough to pay.
const ODD: Odd = Odd {
    watched: Watched::Divisor,
    threshold: 0.8,
    lines_min: 0,
    noun: "divisions",
    have: in_words,
};

/// Number of divisors that a finding names at most.
const DIVISORS_SHOWN: usize = 3;

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_operands(rule, inspected, &ODD).map(|(finding, _)| finding)
}

fn in_words(told: &Told) -> String {
    let divisors = &told.values;
    let shown = divisors.iter().take(DIVISORS_SHOWN);
    let shown: Vec<String> = shown
        .map(|divisor| match divisor.is_power_of_two() {
            true => format!("{divisor}, a power of two"),
            false => divisor.to_string(),
        })
        .collect();
    let others = match divisors.len() > DIVISORS_SHOWN {
        true => " and others",
        false => "",
    };
    format!(
        "had the divisor that is usual there, {}{others}",
        shown.join("; ")
    )
}
