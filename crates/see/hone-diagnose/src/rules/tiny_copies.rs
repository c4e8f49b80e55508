//! Calls of memcpy and memset for a few bytes.
//!
//! The sizes show in the part of the function where time is spent: libc's variants for current CPUs copy few bytes
//! through small registers, and many through the widest ones or by `rep movsb`.

use super::{Rule, Saves, source};
use crate::code::HotFunction;
use crate::finding::{Confidence, Evidence, Finding};
use crate::name::{is_one_of, plain};
use crate::subject::{Inspected, Where};
use crate::sums::Need;
use iced_x86::Instruction;

/// The part of the functions' samples that must be on small paths.
const MOSTLY: f64 = 0.75;

const FUNCTIONS: &[&str] = &[
    "memcpy",
    "memmove",
    "memset",
    "__memcpy*",
    "__memmove*",
    "__memset*",
];

/// Variants whose widest registers are wider than those of their small paths.
const WIDE: [&str; 3] = ["_avx", "_evex", "_erms"];

pub(super) const RULE: Rule = Rule {
    name: "tiny-copies",
    title: "memcpy and memset are called for a few bytes",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::OURS,
    factor: 3.0,
    factor_max: 20.0,
    assumption: "if a move or two took the place of the call",
    saves: Saves::Around,
    confidence: Confidence::Medium,
    levers: &["memops+autofdo-probes", "thinlto", "pgo"],
    change: "Copy with a size that the compiler knows (an assignment, std::array), or test for the usual size first.",
    not_when: "Sizes are mixed, so that no test guesses them.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let functions = inspected
        .binaries
        .iter()
        .flat_map(|binary| &binary.functions);
    let copies: Vec<&HotFunction> = functions.filter(|function| is_copy(function)).collect();
    let all: u64 = copies.iter().map(|function| function.weight).sum();
    let small: u64 = copies.iter().map(|function| small(function)).sum();
    if (small as f64) < MOSTLY * all as f64 {
        return None;
    }
    let mut finding = rule.finding(inspected.share(small))?;
    let callers = inspected.named(Where::Running, FUNCTIONS);
    if let Some(callers) = rule.of_group(&callers) {
        finding.evidence = callers.evidence;
        finding.functions = callers.functions;
        finding.place = callers.place;
        finding.claim = callers.claim;
    }
    rule.touch(&mut finding, callers.touched);
    let part = 100.0 * small as f64 / all.max(1) as f64;
    finding.evidence.push(Evidence {
        what: format!("{part:.0} % of that at instructions for less than a vector"),
        share: None,
    });
    Some(finding)
}

fn is_copy(function: &HotFunction) -> bool {
    let name = plain(&function.name);
    is_one_of(&name, FUNCTIONS) && WIDE.iter().any(|variant| name.contains(variant))
}

fn small(function: &HotFunction) -> u64 {
    let instructions = function.instructions.iter();
    let small = instructions.filter(|instruction| !is_wide(&instruction.code));
    small.map(|instruction| instruction.weight).sum()
}

fn is_wide(code: &Instruction) -> bool {
    let mut registers = (0..code.op_count()).map(|index| code.op_register(index));
    registers.any(|register| register.is_ymm() || register.is_zmm()) || code.has_rep_prefix()
}
