//! Instructions that lock a cache line.

use super::spots::of_instructions;
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::{Instruction, Mnemonic, OpKind};

pub(super) const RULE: Rule = Rule {
    name: "atomics",
    title: "Much time goes into atomic instructions",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::GAIN,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if each thread counted for itself",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Count per thread or per CPU and add up when asked; keep what several threads write on cache lines of its own.",
    not_when: "Threads must agree at each step.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_instructions(rule, inspected, is_locked)
}

/// True if the instruction locks a cache line; `xchg` with memory does so without a prefix.
fn is_locked(code: &Instruction) -> bool {
    let is_exchange = code.mnemonic() == Mnemonic::Xchg && code.op0_kind() == OpKind::Memory;
    code.has_lock_prefix() || is_exchange
}
