//! Time in stubs of the procedure linkage table, and in looking up symbols for them.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

pub(super) const RULE: Rule = Rule {
    name: "stubs",
    title: "Calls between files go through stubs",
    needs: &[],
    threshold: 0.02,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if calls went straight to their functions",
    saves: Saves::Time,
    confidence: Confidence::High,
    levers: &["no-plt", "static", "lto"],
    change: "Compile with -fno-plt, link the library statically, or keep hot calls within one library (-fvisibility=hidden, -Bsymbolic-functions).",
    not_when: "The calls are from a library that you do not build.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Running, |frame| {
        frame.plain.ends_with("@plt") || frame.is_one_of(&["_dl_runtime_resolve*", "_dl_fixup"])
    });
    rule.of_group(&group)
}
