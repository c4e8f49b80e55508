//! One library takes much of the time.

use super::{Rule, Saves, source};
use crate::facts::is_system_library;
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::{Inspected, Where};
use std::collections::BTreeMap;

/// Libraries that other rules report.
const OTHERS: [&str; 8] = [
    "libmimalloc",
    "libjemalloc",
    "libtcmalloc",
    "libasan",
    "libtsan",
    "libubsan",
    "liblsan",
    "libclang_rt",
];

pub(super) const RULE: Rule = Rule {
    name: "dependency",
    title: "One library takes much of the time",
    needs: &[],
    threshold: 0.30,
    source: source::OURS,
    factor: 1.2,
    factor_max: f64::INFINITY,
    assumption: "if it became 1.2x as fast, as profile-driven rebuilds reach",
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Rebuild it with the program's levers and profile: a [[dependency]] in hone.toml does that.",
    not_when: "It was built with a profile already.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for stack in &inspected.stacks.stacks {
        if let Some(&leaf) = stack.frames.first() {
            let binary = inspected.frame(leaf).binary;
            let file_name = binary.rsplit('/').next().unwrap_or_default();
            let is_other = OTHERS.iter().any(|other| file_name.starts_with(other));
            if file_name.contains(".so") && !is_other && !is_system_library(file_name) {
                *weights.entry(binary).or_default() += stack.weight;
            }
        }
    }
    let (path, _) = weights.into_iter().max_by_key(|(_, weight)| *weight)?;
    let group = inspected.group(Where::Running, |frame| frame.binary == path);
    let mut finding = rule.of_group(&group)?;
    finding.evidence.insert(
        0,
        Evidence {
            what: format!("in {path}"),
            share: Some(group.share),
        },
    );
    let facts = inspected.binaries.iter().find(|binary| binary.path == path);
    let producer = facts.and_then(|facts| {
        facts
            .functions
            .iter()
            .find_map(|function| function.producer.clone())
    });
    if let Some(producer) = producer {
        finding.evidence.push(Evidence {
            what: format!("compiled by {producer}"),
            share: None,
        });
    }
    Some(finding)
}
