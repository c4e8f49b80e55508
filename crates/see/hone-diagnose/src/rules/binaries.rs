//! Findings about whole binaries.

use super::Rule;
use crate::facts::{Mark, Role};
use crate::finding::{Evidence, Finding};
use crate::subject::{Inspected, Where};

/// Returns the finding about programs, and libraries that are not part of the system, with one of the marks.
pub(super) fn marked(rule: &Rule, inspected: &Inspected, marks: &[Mark]) -> Option<Finding> {
    let binaries = inspected.binaries.iter().filter(|binary| {
        let is_marked = marks.iter().any(|mark| binary.marks.contains(mark));
        is_marked && (binary.role == Role::Program || !binary.is_system())
    });
    let binaries: Vec<_> = binaries.collect();
    let weight = binaries.iter().map(|binary| binary.weight).sum();
    let mut finding = rule.finding(inspected.share(weight))?;
    let is_in = |path: &str| binaries.iter().any(|binary| binary.path == path);
    finding.claim.stacks = inspected
        .group(Where::Running, |frame| is_in(frame.binary))
        .stacks;
    for binary in binaries {
        let names = marks.iter().filter(|mark| binary.marks.contains(mark));
        let names: Vec<&str> = names.map(|mark| mark.name()).collect();
        finding.evidence.push(Evidence {
            what: format!("{} has {}", binary.file_name(), names.join(" and ")),
            share: Some(inspected.share(binary.weight)),
        });
    }
    Some(finding)
}
