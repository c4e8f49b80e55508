//! More hot code than the instruction cache holds.
//!
//! The footprint is the code of 90 % of the work, less what chance may have added, so that few samples give a footprint
//! that is too small and not too large.

use super::spots::{Spot, finding, own_functions};
use super::{Rule, Saves};
use crate::facts::BinaryFacts;
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;

pub(super) const RULE: Rule = Rule {
    name: "footprint",
    title: "The hot code is larger than the instruction cache",
    needs: &[Need::Code],
    threshold: 0.30,
    source: "the cache of 32 KiB that x86-64 CPUs have; where counters are, Intel's top-down method speaks of a \
             front-end bound program from 15 % of the slots on",
    factor: 1.2,
    factor_max: f64::INFINITY,
    assumption: "as laying out code by use gained on programs that wait for code (BOLT, CGO 2019)",
    saves: Saves::Unknown,
    confidence: Confidence::Low,
    levers: &["function-order", "propeller", "bolt", "pgo"],
    change: "Look at hone inspect, which models the misses; call what belongs together in turn, not everything \
             for each item.",
    not_when: "The program works in phases, each of which fits into the cache.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let spots = own_functions(inspected).filter(|(binary, _)| is_large(binary));
    let spots = spots.map(Spot::whole);
    let mut found = finding(rule, inspected, spots.collect())?;
    let large = inspected.binaries.iter().filter(|binary| is_large(binary));
    let sizes = large.filter_map(|binary| {
        let layout = binary.layout.as_ref()?;
        let kib = (layout.footprint[0].lines * layout.l1i.line_bytes) >> 10;
        let what = format!(
            "{}: 90 % of the work in {kib} KiB, of {} KiB in the cache",
            binary.file_name(),
            layout.l1i.bytes >> 10
        );
        Some(Evidence { what, share: None })
    });
    found.evidence.splice(0..0, sizes.collect::<Vec<_>>());
    Some(found)
}

fn is_large(binary: &BinaryFacts) -> bool {
    let layout = binary.layout.as_ref().filter(|_| !binary.is_system());
    layout
        .is_some_and(|layout| layout.footprint_low.lines * layout.l1i.line_bytes > layout.l1i.bytes)
}
