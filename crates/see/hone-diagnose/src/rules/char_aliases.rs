//! Stores of characters after which pointers and sizes are loaded anew in each round.
//!
//! A `char` may alias anything (also as `uint8_t` and `std::byte`), so a compiler must assume that a store through a
//! pointer to `char` changed that very pointer.

use super::spots::of_loops;
use super::{Rule, Saves, source};
use crate::code::Loop;
use crate::finding::{Confidence, Finding};
use crate::registers::Registers;
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind, Register};

pub(super) const RULE: Rule = Rule {
    name: "char-aliases",
    title: "Stores of characters force the loop to load its pointers anew",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::OURS,
    factor: 4.0,
    factor_max: 16.0,
    assumption: "if the loop keeps its pointers in registers and is vectorised",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Copy the member (pointer, size) to a local variable before the loop, or store char8_t, which aliases \
             nothing else; uint8_t does not help.",
    not_when: "Another thread changes the pointer on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_loops(rule, inspected, reloads)
}

fn reloads(around: &Loop<'_>) -> bool {
    let codes = || around.body.iter().map(|instruction| &instruction.code);
    let stays = |code: &Instruction| {
        matches!(
            code.flow_control(),
            FlowControl::Next | FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
        )
    };
    // A call can change anything, and so can another store of a pointer.
    let stores_pointer = |code: &Instruction| is_store(code) && code.memory_size().size() == 8;
    if !codes().all(stays) || codes().any(|code| stores_pointer(code) || code.has_lock_prefix()) {
        return false;
    }
    let registers = Registers::of(around.body);
    let stores_byte = |code: &Instruction| is_store(code) && code.memory_size().size() == 1;
    let is_reload = |code: &Instruction| {
        let base = code.memory_base();
        let is_stack = matches!(base, Register::RSP | Register::RBP);
        is_load(code)
            && code.memory_size().size() == 8
            && code.memory_index() == Register::None
            && !is_stack
            && (code.is_ip_rel_memory_operand() || registers.is_fixed(base))
    };
    codes().any(stores_byte) && codes().any(is_reload)
}

fn is_store(code: &Instruction) -> bool {
    code.mnemonic() == Mnemonic::Mov && code.op0_kind() == OpKind::Memory
}

/// True if the instruction loads a value, also as the operand of an addition or a comparison.
fn is_load(code: &Instruction) -> bool {
    let known = matches!(
        code.mnemonic(),
        Mnemonic::Mov | Mnemonic::Add | Mnemonic::Cmp
    );
    known
        && !is_store(code)
        && (0..code.op_count()).any(|index| code.op_kind(index) == OpKind::Memory)
}
