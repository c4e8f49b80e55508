//! Floating-point numbers so small that CPUs need more time for them, many in microcode.

use super::operands::{Odd, of_operands};
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use hone_profile::Watched;

pub(super) const RULE: Rule = Rule {
    name: "denormals",
    title: "Much time goes into arithmetic on denormal numbers",
    needs: &[Need::Walks, Need::Code],
    threshold: 0.05,
    source: source::GAIN,
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "if these operations took half the time, as on ordinary numbers: some CPUs take a few cycles more for a denormal, others a \
                 hundred and more",
    saves: Saves::Around,
    confidence: Confidence::High,
    levers: &[],
    change: "Let the CPU take denormals as zeros: _mm_setcsr(_mm_getcsr() | 0x8040) at the start of each thread, or link with \
             -ffast-math, which does so at the program's start; else add a tiny constant where values decay, or set \
             values below a limit to zero.",
    not_when: "Results below 1e-308 (1e-38 in single precision) matter.",
    look,
};

/// Where microcode computes with denormals, a fifth of them takes nearly all of an instruction's time.
const ODD: Odd = Odd {
    watched: Watched::Denormals,
    threshold: 0.2,
    lines_min: 0,
    noun: "operations",
    have: |_| "had a denormal operand or result".to_owned(),
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_operands(rule, inspected, &ODD).map(|(finding, _)| finding)
}
