//! Time in the kernel for memory that is touched for the first time.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
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
        frame.is_kernel() && frame.is_one_of(FUNCTIONS)
    });
    rule.of_group(&group)
}
