//! Time in Go's allocator and garbage collector.

use super::Rule;
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "runtime.mallocgc*",
    "runtime.gcBgMarkWorker*",
    "runtime.gcAssist*",
    "runtime.gcDrain*",
    "runtime.scanobject*",
    "runtime.greyobject*",
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
    threshold: 0.15,
    source: "Datadog and others flag garbage collection from 10 % on; allocation adds to it",
    factor: 3.0,
    assumption: "with a third of the allocations, or a collector that runs a third as often",
    confidence: Confidence::High,
    levers: &[],
    change: "Allocate less (reuse buffers, sync.Pool, values instead of pointers); raise GOGC as far as memory allows and set GOMEMLIMIT.",
    not_when: "Memory is scarcer than CPU time.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
