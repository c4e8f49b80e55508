//! Loops that go byte by byte where vectors could take 16 or more at once.
//!
//! Only loops that a compiler could vectorise count: loops with one path, with addresses that advance by a constant,
//! and with no value but counters and sums carried from round to round. Searches, table lookups and hashes do not
//! count.

use super::spots::of_loops;
use super::{Rule, Saves, source};
use crate::code::Loop;
use crate::finding::{Confidence, Finding};
use crate::registers::Registers;
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind, Register};

/// Largest number of instructions in a body; longer bodies are seldom one simple statement.
const BODY_MAX: usize = 40;

pub(super) const RULE: Rule = Rule {
    name: "byte-loop",
    title: "A loop goes byte by byte and could go by vectors",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::GAIN,
    factor: 8.0,
    factor_max: 64.0,
    assumption: "with 16 bytes at once, and half of that lost",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &["o3", "x86-64-v3"],
    change: "Compile it with -O3; tell the compiler that pointers do not overlap (__restrict) and count with size_t.",
    not_when: "The loop usually runs for a few rounds only.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_loops(rule, inspected, could_be_vectors)
}

fn could_be_vectors(around: &Loop<'_>) -> bool {
    let body = around.body;
    let codes = || body.iter().map(|instruction| &instruction.code);
    let is_straight = codes()
        .take(body.len() - 1)
        .all(|code| code.flow_control() == FlowControl::Next);
    if body.len() > BODY_MAX
        || !is_straight
        || !codes().all(is_simple)
        || !codes().any(touches_bytes)
    {
        return false;
    }
    let registers = Registers::of(body);
    // Elements lie side by side: each round advances by the size of one element.
    let moves = codes().filter(|code| has_memory(code)).all(|code| {
        let step_of = |register: Register, scale: i64| match registers.is_fixed(register) {
            true => Some(0),
            false => registers.step(register, body)?.checked_mul(scale),
        };
        let base = step_of(code.memory_base(), 1);
        let index = step_of(code.memory_index(), i64::from(code.memory_index_scale()));
        let step = base
            .zip(index)
            .and_then(|(base, index)| base.checked_add(index));
        step.is_some_and(|step| step.unsigned_abs() == code.memory_size().size() as u64)
    });
    let sums = registers.carried.iter().all(|&register| {
        let writers = &registers.writers[&register];
        registers.step(register, body).is_some()
            || (writers.len() == 1 && is_sum(&body[writers[0]].code))
    });
    moves && sums
}

/// True if vector instructions can do the same.
fn is_simple(code: &Instruction) -> bool {
    use Mnemonic::*;
    let is_move = matches!(code.mnemonic(), Mov | Movzx | Movsx | Movsxd | Lea | Nop);
    let is_arithmetic = matches!(
        code.mnemonic(),
        Add | Sub | Inc | Dec | Xor | And | Or | Not | Neg | Adc | Sbb
    );
    let is_shift =
        matches!(code.mnemonic(), Shl | Shr | Sar) && code.op1_kind() == OpKind::Immediate8;
    let is_condition = matches!(code.mnemonic(), Cmp | Test);
    let is_chosen = code.condition_code() != iced_x86::ConditionCode::None;
    is_move || is_arithmetic || is_shift || is_condition || is_chosen
}

/// True if the result may be carried: the order of the rounds does not matter.
fn is_sum(code: &Instruction) -> bool {
    use Mnemonic::*;
    let is_conditional_move = format!("{:?}", code.mnemonic()).starts_with("Cmov");
    matches!(code.mnemonic(), Add | Sub | Xor | And | Or | Adc | Sbb) || is_conditional_move
}

fn has_memory(code: &Instruction) -> bool {
    let is_memory = |index: u32| code.op_kind(index) == OpKind::Memory;
    code.mnemonic() != Mnemonic::Lea
        && code.mnemonic() != Mnemonic::Nop
        && (0..code.op_count()).any(is_memory)
}

fn touches_bytes(code: &Instruction) -> bool {
    has_memory(code) && (1..=2).contains(&code.memory_size().size())
}
