//! Time in Go's allocator and garbage collector.
//!
//! If `go-collector` reports the collector, this rule reports only the allocator.

use super::{Rule, Saves};
use crate::finding::{Confidence, Finding};
use crate::patterns::GO_COLLECTOR;
use crate::subject::{Inspected, Where};

const ALLOCATOR: &[&str] = &[
    "runtime.mallocgc*",
    "runtime.bgsweep*",
    "runtime.sweepone*",
    "runtime.newobject*",
    "runtime.makeslice*",
    "runtime.growslice*",
    "runtime.(*mcache)*",
    "runtime.(*mcentral)*",
    "runtime.(*mheap)*",
    "runtime.(*mspan)*",
    "runtime.(*sweepLocked)*",
];

pub(super) const RULE: Rule = Rule {
    name: "go-memory",
    title: "Much time goes into Go's allocator and garbage collector",
    needs: &[],
    threshold: 0.15,
    source: "Datadog and others flag garbage collection from 10 % on; allocation adds to it",
    factor: 3.0,
    factor_max: f64::INFINITY,
    assumption: "with a third of the allocations, or a collector that runs a third as often",
    saves: Saves::Work,
    confidence: Confidence::High,
    levers: &[],
    change: "Allocate less (reuse buffers, sync.Pool, values instead of pointers); raise GOGC as far as memory allows and set GOMEMLIMIT.",
    not_when: "Memory is scarcer than CPU time.",
    look,
};

/// Variant of the rule for a program whose collector `go-collector` reports.
const OF_ALLOCATOR: Rule = Rule {
    title: "Much time goes into Go's allocator",
    assumption: "with a third of the allocations",
    change: "Allocate less: reuse buffers, sync.Pool, values instead of pointers.",
    not_when: "The objects are needed, and each of them new.",
    ..RULE
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    // The rule of the collector has claimed its samples, where it speaks.
    if inspected.named(Where::Anywhere, GO_COLLECTOR).weight == 0 {
        let group = inspected.named(Where::Anywhere, ALLOCATOR);
        return OF_ALLOCATOR.of_group(&group);
    }
    let both = [ALLOCATOR, GO_COLLECTOR].concat();
    rule.of_group(&inspected.named(Where::Anywhere, &both))
}
