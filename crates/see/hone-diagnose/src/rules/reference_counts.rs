//! Time in reference counts that threads could share.

use super::{Rule, Saves, source};
use crate::claims::Claim;
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};
use hone_profile::Svma;
use iced_x86::{Instruction, Mnemonic};
use rustc_hash::FxHashSet;

const FUNCTIONS: &[&str] = &[
    "std::_Sp_counted_base::*",
    "std::__shared_count::*",
    "std::__weak_count::*",
    "__gnu_cxx::__exchange_and_add*",
    "__gnu_cxx::__atomic_add*",
    "<alloc::sync::Arc*",
    "alloc::sync::Arc::drop_slow",
    "std::__1::__shared_count*",
    "std::__1::__shared_weak_count*",
];

pub(super) const RULE: Rule = Rule {
    name: "reference-counts",
    title: "Much time goes into counting references",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if no counts were touched",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Pass the object by reference where the callee does not keep it; move instead of copying the pointer; in Rust borrow instead of cloning an Arc.",
    not_when: "The callee keeps the pointer beyond the call.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let mut group = inspected.named(Where::Running, FUNCTIONS);
    let mut claim = Claim {
        stacks: std::mem::take(&mut group.stacks),
        ..Claim::default()
    };
    claim.instructions = counting(inspected, &claim);
    group.share = inspected.share(inspected.weight_of(&claim));
    let mut finding = rule.of_group(&group)?;
    finding.claim = claim;
    Some(finding)
}

/// Returns the atomic additions, and the instruction behind each, of the functions into which counting was inlined: a sample of such an
/// addition is often one of the next instruction, which may be of another function.
fn counting(inspected: &Inspected, claim: &Claim) -> FxHashSet<(u32, Svma)> {
    let of_counting = inspected.points.iter();
    let of_counting = of_counting.filter(|point| claim.stacks.contains(&point.stack));
    let at: FxHashSet<(u32, Svma)> = of_counting.map(|point| (point.binary, point.at)).collect();
    let binaries = (0..).zip(&inspected.binaries);
    let functions = binaries.flat_map(|(position, binary)| {
        let functions = binary.functions.iter();
        functions.map(move |function| (position, function))
    });
    let counting = functions.filter(|(position, function)| {
        let mut addresses = function.instructions.iter();
        addresses.any(|one| at.contains(&(*position, Svma(one.code.ip()))))
    });
    let additions = counting.flat_map(|(position, function)| {
        let found = function.at_and_behind(is_atomic_addition).into_iter();
        found.map(move |one| (position, Svma(one.code.ip())))
    });
    additions.collect()
}

fn is_atomic_addition(code: &Instruction) -> bool {
    let adds = matches!(
        code.mnemonic(),
        Mnemonic::Add | Mnemonic::Sub | Mnemonic::Inc | Mnemonic::Dec | Mnemonic::Xadd
    );
    adds && code.has_lock_prefix()
}
