//! Time in malloc, free, new and delete, of whichever allocator.

use super::{Rule, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};
use crate::patterns::ALLOCATOR;

pub(super) const RULE: Rule = Rule {
    name: "allocator",
    title: "Much time goes into the allocator",
    threshold: 0.10,
    source: source::TAX,
    factor: 3.0,
    assumption: "with an allocator three times as fast, or a third of the allocations",
    confidence: Confidence::High,
    levers: &["mimalloc", "jemalloc", "tcmalloc"],
    change: "Allocate less in the callers: reuse buffers, reserve, keep small objects by value or in an arena.",
    not_when: "The program runs under a debugging allocator on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, ALLOCATOR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inspected;

    #[test]
    fn the_interval_and_not_the_share_must_be_above_the_threshold() {
        let findings = |samples| {
            let inspected =
                inspected(&[("main;build;malloc", samples), ("main;run", 1000 - samples)]);
            look(&RULE, &inspected)
        };
        // 11 % of 1,000 samples may be 9 %.
        assert_eq!(findings(110), None);
        let finding = findings(200).unwrap();
        assert_eq!(finding.share.samples, 200);
        assert_eq!(finding.place.unwrap().function, "build");
    }
}
