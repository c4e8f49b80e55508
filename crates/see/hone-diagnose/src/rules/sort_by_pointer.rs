//! Time in qsort, which compares through a pointer.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "qsort",
    "qsort_r",
    "__qsort_r",
    "msort_with_tmp*",
    "_quicksort",
    "bsearch",
];

pub(super) const RULE: Rule = Rule {
    name: "sort-by-pointer",
    title: "Much time goes into qsort and its comparisons",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: 2.0,
    factor_max: 5.0,
    assumption: "with a sort that inlines the comparison",
    saves: Saves::Calls,
    confidence: Confidence::High,
    levers: &["lto"],
    change: "Sort with std::sort or another generic sort whose comparison can be inlined.",
    not_when: "The elements are large: then sort pointers or keys to them.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
