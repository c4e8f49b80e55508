//! Vector loops in the first instruction set of x86-64 on a CPU that has better ones.

use super::spots::of_loops;
use super::{Rule, Saves, source};
use crate::code::Loop;
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::{EncodingKind, Instruction};

/// Divisor for the smallest part of vector instructions in a loop that gains from wider vectors: one in three.
const VECTOR_PART: usize = 3;

pub(super) const RULE: Rule = Rule {
    name: "baseline-isa",
    title: "Vector code is compiled for the oldest CPUs",
    needs: &[Need::Machine, Need::Code],
    threshold: 0.10,
    source: source::GAIN,
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "with vectors twice as wide",
    saves: Saves::Unknown,
    confidence: Confidence::Medium,
    levers: &["x86-64-v3", "x86-64-v4", "native"],
    change: "Compile for x86-64-v3, or the hot functions for several targets (target_clones).",
    not_when: "The program also runs on CPUs without AVX2 and picks no code at run time.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    // Without AVX2, or without knowing the CPU, there is nothing to report.
    if !inspected
        .machine
        .features
        .iter()
        .any(|feature| feature == "avx2")
    {
        return None;
    }
    let mut finding = of_loops(rule, inspected, is_for_the_oldest)?;
    finding.evidence.push(Evidence {
        what: "the CPU has AVX2, these loops use SSE".to_owned(),
        share: None,
    });
    Some(finding)
}

fn is_for_the_oldest(around: &Loop<'_>) -> bool {
    let codes = || around.body.iter().map(|instruction| &instruction.code);
    let packed = codes().filter(|code| is_packed(code)).count();
    packed * VECTOR_PART >= around.body.len() && !codes().any(is_wide)
}

/// True if the instruction computes on all lanes of an SSE register.
fn is_packed(code: &Instruction) -> bool {
    let name = format!("{:?}", code.mnemonic());
    let is_vector = (0..code.op_count()).any(|index| code.op_register(index).is_xmm());
    let is_scalar = name.ends_with("ss")
        || name.ends_with("sd")
        || name.starts_with("Cvt")
        || name.starts_with("Movq")
        || name.starts_with("Movd");
    is_vector && (!is_scalar || name == "Movdqa" || name == "Movdqu")
}

/// True if the instruction is encoded as AVX or AVX-512.
fn is_wide(code: &Instruction) -> bool {
    matches!(code.encoding(), EncodingKind::VEX | EncodingKind::EVEX)
}
