//! Time in the kernel for memory that is touched for the first time, and for what is given back to be touched for the first time again.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const TOUCHED: &[&str] = &[
    "asm_exc_page_fault",
    "exc_page_fault",
    "do_user_addr_fault",
    "handle_mm_fault",
    "__handle_mm_fault",
    "do_anonymous_page",
    "do_huge_pmd_anonymous_page",
    "do_fault",
    "do_wp_page",
    "wp_page_copy",
    "clear_page*",
    "clear_huge_page",
    "folio_zero_user",
    "vma_alloc_folio*",
];

/// Ends of processes, which give all back, are not among these: their pages cannot be kept.
const GIVEN_BACK: &[&str] = &[
    "__vm_munmap",
    "do_vmi_munmap",
    "do_vmi_align_munmap",
    "__do_munmap",
    "madvise_dontneed*",
    "madvise_free*",
    "zap_page_range_single*",
];

pub(super) const RULE: Rule = Rule {
    name: "page-faults",
    title: "Much time goes into page faults",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if pages were touched once and kept",
    saves: Saves::Work,
    confidence: Confidence::High,
    levers: &["mimalloc", "jemalloc"],
    change: "Reuse memory instead of giving it back and taking it anew: raise M_TRIM_THRESHOLD and M_MMAP_THRESHOLD (mallopt, GLIBC_TUNABLES), keep buffers, or use huge pages (madvise). Where most of it is do_fault, pages of files: MAP_POPULATE, or read().",
    not_when: "The recording is mostly of the start, where each page is touched first.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Anywhere, |frame| {
        frame.is_kernel() && (frame.is_one_of(TOUCHED) || frame.is_one_of(GIVEN_BACK))
    });
    rule.of_group(&group)
}

#[cfg(test)]
mod tests {
    use crate::diagnose;
    use crate::testing::inspected;

    #[test]
    fn what_giving_memory_back_costs_is_of_the_finding_and_the_end_of_a_process_is_not() {
        let faults = ("main;decode;k:exc_page_fault;k:clear_page_erms", 300);
        let share = |others: (&str, u64)| {
            let findings = diagnose(&inspected(&[faults, others, ("main", 500)])).findings;
            let ours = findings
                .iter()
                .find(|finding| finding.rule == "page-faults");
            ours.unwrap().share.share
        };
        let given_back = share(("main;c:munmap;k:do_vmi_munmap;k:unmap_page_range", 200));
        assert!((given_back - 0.5).abs() < 1e-9, "{given_back}");
        let ended = share(("main;k:do_exit;k:exit_mmap;k:unmap_page_range", 200));
        assert!((ended - 0.3).abs() < 1e-9, "{ended}");
    }
}
