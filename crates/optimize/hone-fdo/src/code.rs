//! Instructions of a binary, decoded function by function when they are first needed.

use hone_profile::Svma;
use hone_symbols::{Binary, Function};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum length of a function that is decoded, in bytes; the largest real functions (interpreters, generated
/// parsers) are much shorter.
const FUNCTION_BYTES_MAX: u64 = 64 << 20;

const INSTRUCTION_BYTES_MAX: u64 = 15;

/// Way in which control leaves an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Control goes to the next instruction.
    Next,
    /// Conditional jump.
    Conditional,
    /// Direct unconditional jump.
    Jump,
    /// Indirect jump.
    IndirectJump,
    /// Direct call.
    Call,
    /// Indirect call.
    IndirectCall,
    /// Call through a slot at a fixed place, such as a GOT entry.
    SlotCall {
        /// Address of the slot.
        slot: Svma,
    },
    /// Return.
    Return,
    /// Anything else: traps, system calls, undecodable bytes.
    Other,
}

impl Flow {
    /// Returns true if the instruction after this one can only be reached by a branch.
    pub fn never_falls_through(self) -> bool {
        matches!(self, Self::Jump | Self::IndirectJump | Self::Return)
    }

    /// Returns true for a call of any kind.
    pub fn is_call(self) -> bool {
        matches!(
            self,
            Self::Call | Self::IndirectCall | Self::SlotCall { .. }
        )
    }
}

/// Instructions of one stretch of code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instructions {
    starts: Vec<u64>,
    flows: Vec<Flow>,
    end: u64,
}

impl Instructions {
    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns true if there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the index of the instruction that starts at the address.
    pub fn index_of(&self, svma: Svma) -> Option<usize> {
        self.starts.binary_search(&svma.0).ok()
    }

    /// Returns the indices of the instructions from `first` through `last`, if both start an instruction.
    pub fn span(&self, first: Svma, last: Svma) -> Option<std::ops::RangeInclusive<usize>> {
        Some(self.index_of(first)?..=self.index_of(last)?)
    }

    /// Address of an instruction.
    pub fn address(&self, index: usize) -> Svma {
        Svma(self.starts[index])
    }

    /// Length of an instruction in bytes.
    pub fn length(&self, index: usize) -> u64 {
        let next = self.starts.get(index + 1).copied().unwrap_or(self.end);
        next.saturating_sub(self.starts[index])
    }

    /// Length of all instructions in bytes.
    pub fn bytes(&self) -> u64 {
        self.starts
            .first()
            .map_or(0, |&start| self.end.saturating_sub(start))
    }

    /// Way in which control leaves an instruction.
    pub fn flow(&self, index: usize) -> Flow {
        self.flows[index]
    }

    fn decode(bytes: &[u8], start: Svma) -> Self {
        let mut decoder = Decoder::with_ip(64, bytes, start.0, DecoderOptions::NONE);
        let mut instruction = Instruction::default();
        let mut found = Self::default();
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            found.starts.push(instruction.ip());
            found.flows.push(flow_of(&instruction));
            found.end = instruction.next_ip();
        }
        found
    }
}

fn flow_of(instruction: &Instruction) -> Flow {
    match instruction.flow_control() {
        FlowControl::Next => Flow::Next,
        FlowControl::ConditionalBranch => Flow::Conditional,
        FlowControl::UnconditionalBranch => Flow::Jump,
        FlowControl::IndirectBranch => Flow::IndirectJump,
        FlowControl::Call if instruction.is_call_near() || instruction.is_call_far() => Flow::Call,
        FlowControl::IndirectCall
            if instruction.op0_kind() == OpKind::Memory
                && instruction.is_ip_rel_memory_operand() =>
        {
            Flow::SlotCall {
                slot: Svma(instruction.ip_rel_memory_address()),
            }
        }
        FlowControl::IndirectCall => Flow::IndirectCall,
        FlowControl::Return => Flow::Return,
        _ => Flow::Other,
    }
}

/// Decoded functions of a binary, kept for later calls.
pub struct Code<'b> {
    binary: &'b Binary<'b>,
    functions: RefCell<FxHashMap<u64, Rc<Instructions>>>,
}

impl<'b> Code<'b> {
    /// Creates an empty cache; functions are decoded when they are needed.
    pub fn new(binary: &'b Binary<'b>) -> Self {
        Self {
            binary,
            functions: RefCell::default(),
        }
    }

    /// Binary that the code belongs to.
    pub fn binary(&self) -> &'b Binary<'b> {
        self.binary
    }

    /// Returns the instructions of a function, from its first byte to its last.
    pub fn of_function(&self, function: &Function<'_>) -> Rc<Instructions> {
        let mut functions = self.functions.borrow_mut();
        let entry = functions.entry(function.start.0);
        Rc::clone(entry.or_insert_with(|| {
            let size = function.size().min(FUNCTION_BYTES_MAX);
            let bytes = self
                .binary
                .bytes_at(function.start, size)
                .unwrap_or_default();
            Rc::new(Instructions::decode(bytes, function.start))
        }))
    }

    /// Returns the instructions from `first` through the instruction that starts at `last`, for code outside functions.
    pub fn through(&self, first: Svma, last: Svma) -> Instructions {
        let size = last.0.saturating_sub(first.0).min(FUNCTION_BYTES_MAX);
        let before = self.binary.bytes_at(first, size).unwrap_or_default();
        let mut found = Instructions::decode(before, first);
        let last = self.single(last);
        found.end = last.end;
        found.starts.extend(last.starts);
        found.flows.extend(last.flows);
        found
    }

    fn single(&self, svma: Svma) -> Instructions {
        let longest = (1..=INSTRUCTION_BYTES_MAX).rev();
        let bytes = longest
            .into_iter()
            .find_map(|size| self.binary.bytes_at(svma, size));
        let mut found = Instructions::decode(bytes.unwrap_or_default(), svma);
        if let Some(&second) = found.starts.get(1) {
            found.end = second;
        }
        found.starts.truncate(1);
        found.flows.truncate(1);
        found
    }

    /// Returns the way in which control leaves the instruction at the address.
    pub fn flow_at(&self, svma: Svma) -> Flow {
        if let Some(function) = self.binary.function_at(svma) {
            let instructions = self.of_function(function);
            if let Some(index) = instructions.index_of(svma) {
                return instructions.flow(index);
            }
        }
        // The address is outside functions, or between the instructions of a linear decoding.
        self.single(svma)
            .flows
            .first()
            .copied()
            .unwrap_or(Flow::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flow_is_told_from_the_bytes() {
        let bytes = [
            0x90, // nop
            0x74, 0x00, // je
            0xe8, 0, 0, 0, 0, // call
            0xff, 0xd0, // call *%rax
            0xff, 0x15, 0x10, 0, 0, 0, // call *0x10(%rip)
            0xff, 0x50, 0x08, // call *8(%rax)
            0xff, 0xe0, // jmp *%rax
            0xeb, 0x00, // jmp
            0xc3, // ret
        ];
        let code = Instructions::decode(&bytes, Svma(0x100));
        assert_eq!(
            code.flows,
            [
                Flow::Next,
                Flow::Conditional,
                Flow::Call,
                Flow::IndirectCall,
                Flow::SlotCall { slot: Svma(0x120) },
                Flow::IndirectCall,
                Flow::IndirectJump,
                Flow::Jump,
                Flow::Return,
            ]
        );
        assert_eq!(code.span(Svma(0x101), Svma(0x103)), Some(1..=2));
        assert_eq!(
            code.span(Svma(0x102), Svma(0x103)),
            None,
            "not an instruction's first byte"
        );
    }
}
