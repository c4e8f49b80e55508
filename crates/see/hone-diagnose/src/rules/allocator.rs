//! Time in malloc, free, new and delete, of whichever allocator.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::patterns::ALLOCATOR;
use crate::subject::{Inspected, Where};

pub(super) const RULE: Rule = Rule {
    name: "allocator",
    title: "Much time goes into the allocator",
    needs: &[],
    threshold: 0.04,
    source: source::GAIN,
    factor: 3.0,
    factor_max: f64::INFINITY,
    assumption: "with an allocator three times as fast, or a third of the allocations",
    saves: Saves::Work,
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

    /// A method `free` whose class debug information does not name.
    #[test]
    fn a_bare_name_of_an_inlined_method_is_not_libcs() {
        let of = |hot: &str| look(&RULE, &inspected(&[(hot, 300), ("main;rest", 700)]));
        assert_eq!(of("main;walk;~free [src/pool.h]"), None);
        assert!(of("main;walk;free").is_some());
    }

    #[test]
    fn the_interval_and_not_the_share_must_be_above_the_threshold() {
        let findings = |samples| {
            let inspected =
                inspected(&[("main;build;malloc", samples), ("main;run", 1000 - samples)]);
            look(&RULE, &inspected)
        };
        // 5 % of 1,000 samples may be 3.8 %.
        assert_eq!(findings(50), None);
        // At 8 %, two thirds of the share are worth reporting.
        assert!(findings(80).unwrap().gain.unwrap().speedup_estimate > 1.05);
        let finding = findings(200).unwrap();
        assert_eq!(finding.share.samples, 200);
        assert_eq!(finding.place.unwrap().function, "build");
    }
}
