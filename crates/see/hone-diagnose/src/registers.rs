//! Registers that a loop reads, writes and carries from one round to the next.

use crate::code::CodeInstruction;
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use rustc_hash::{FxHashMap, FxHashSet};

/// Uses of registers in a loop; each register counts by its full width.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    /// Positions in the body of the instructions that write a register.
    pub(crate) writers: FxHashMap<Register, Vec<usize>>,
    /// Registers that a round reads before it writes them: the values that one round leaves to the next.
    pub(crate) carried: FxHashSet<Register>,
}

impl Registers {
    /// Analyses a body of straight code.
    pub(crate) fn of(body: &[CodeInstruction]) -> Self {
        let mut factory = InstructionInfoFactory::new();
        let mut registers = Self::default();
        let mut read_first = FxHashSet::default();
        for (index, instruction) in body.iter().enumerate() {
            let info = factory.info(&instruction.code);
            let mut written = Vec::new();
            for used in info.used_registers() {
                let register = used.register().full_register();
                if register == Register::RIP || register.is_segment_register() {
                    continue;
                }
                let (reads, writes) = accesses(used.access());
                if reads && !registers.writers.contains_key(&register) {
                    read_first.insert(register);
                }
                if writes {
                    written.push(register);
                }
            }
            for register in written {
                registers.writers.entry(register).or_default().push(index);
            }
        }
        let written = |register: &Register| registers.writers.contains_key(register);
        let carried: FxHashSet<Register> = read_first.into_iter().filter(written).collect();
        registers.carried = carried;
        registers
    }

    /// True if the loop does not write the register.
    pub(crate) fn is_fixed(&self, register: Register) -> bool {
        register == Register::None || !self.writers.contains_key(&register.full_register())
    }

    /// Returns the constant that each round adds to the register, if the round does nothing else to it.
    pub(crate) fn step(&self, register: Register, body: &[CodeInstruction]) -> Option<i64> {
        let register = register.full_register();
        match self
            .writers
            .get(&register)
            .map_or(&[][..], |writers| writers)
        {
            &[writer] => step(&body[writer].code, register),
            _ => None,
        }
    }
}

/// Returns the constant that an instruction adds to the register, if it does nothing else to it.
fn step(code: &Instruction, register: Register) -> Option<i64> {
    let constant = || {
        let is_constant = !matches!(code.op1_kind(), OpKind::Register | OpKind::Memory);
        is_constant.then(|| code.immediate(1).cast_signed())
    };
    match code.mnemonic() {
        Mnemonic::Inc => Some(1),
        Mnemonic::Dec => Some(-1),
        Mnemonic::Add => constant(),
        Mnemonic::Sub => constant().map(i64::wrapping_neg),
        Mnemonic::Lea => {
            let is_own = code.memory_base().full_register() == register;
            let has_index = code.memory_index() != Register::None;
            (is_own && !has_index).then(|| code.memory_displacement64().cast_signed())
        }
        _ => None,
    }
}

/// Returns whether an operand is read and whether it is written.
fn accesses(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        // If the condition is false, the old value stays.
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        OpAccess::None | OpAccess::NoMemAccess => (false, false),
    }
}
