//! Time in asking for the time.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "clock_gettime*",
    "__clock_gettime*",
    "gettimeofday*",
    "__gettimeofday*",
    "__x64_sys_clock_gettime",
    "__x64_sys_gettimeofday",
    "__vdso_clock_gettime",
    "std::chrono::_V2::*",
    "time.now",
    "runtime.nanotime*",
    "std::time::Instant::now",
];

pub(super) const RULE: Rule = Rule {
    name: "clock",
    title: "Much time goes into asking for the time",
    needs: &[],
    threshold: 0.03,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if the time was asked for once per batch",
    saves: Saves::Kernel,
    confidence: Confidence::High,
    levers: &[],
    change: "Ask once per batch and pass the answer on; CLOCK_MONOTONIC_COARSE where milliseconds do; if the kernel is in the stack, see that the clock source is tsc.",
    not_when: "The program measures itself on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Anywhere, |frame| {
        frame.binary == "[vdso]" || frame.is_one_of(FUNCTIONS)
    });
    rule.of_group(&group)
}
