//! Some files of an optimised program were compiled without optimisation.

use super::debug_build::{ASSUMPTION, FACTOR, WHOLE_BUILD, found, optimisation};
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

pub(super) const RULE: Rule = Rule {
    name: "unoptimised-file",
    title: "Some files were compiled without optimisation",
    needs: &[Need::Code],
    threshold: 0.02,
    source: source::OURS,
    factor: FACTOR,
    factor_max: f64::INFINITY,
    assumption: ASSUMPTION,
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "See which flags these files get: a forgotten -O0, an override for one target, a library built for \
             debugging.",
    not_when: "A compiler's fault made it necessary.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let all = optimisation(inspected);
    if all.unoptimised_part() >= WHOLE_BUILD {
        return None;
    }
    found(rule, inspected, &all)
}
