//! One decoded instruction, ready to run.
//!
//! An iced instruction is general; here everything a handler asks for at run time is a plain field, so
//! that running costs a call and a few loads.

use crate::end::Flow;
use crate::machine::Machine;

/// Function that runs a step. A handler either succeeds or changes nothing (a repeated string instruction may have
/// done some of its rounds).
pub(crate) type Handler = fn(&mut Machine<'_>, &Step) -> Flow;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    None,
    Gpr,
    /// ah, ch, dh, bh.
    GprHigh,
    Vector,
    Mask,
    Immediate,
    Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Operand {
    pub(crate) kind: Kind,
    /// Number of the register.
    pub(crate) index: u8,
    /// Size in bytes; 16, 32 or 64 for a vector.
    pub(crate) bytes: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Segment {
    #[default]
    Flat,
    Fs,
    Gs,
}

/// Memory operand; an instruction has at most one memory operand with an address of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Address {
    /// Displacement; in a rip-relative operand the position of the instruction is already added.
    pub(crate) displacement: u64,
    /// Register number, or [`NO_REGISTER`].
    pub(crate) base: u8,
    pub(crate) index: u8,
    /// log2 of the scale.
    pub(crate) shift: u8,
    pub(crate) segment: Segment,
    /// True if only 32 bits of the address count.
    pub(crate) narrow: bool,
    /// Required alignment, without which the instruction traps; 0 for none.
    pub(crate) alignment: u8,
}

pub(crate) const NO_REGISTER: u8 = 0xff;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Repeat {
    #[default]
    No,
    /// `rep`, `repe`.
    Equal,
    /// `repne`.
    NotEqual,
}

/// A decoded instruction in one cache line: between two walks the target throws the steps out of the caches, and a
/// walk then waits until the steps are fetched again.
#[repr(align(64))]
pub(crate) struct Step {
    pub(crate) run: Handler,
    pub(crate) at: u64,
    /// Immediate, target of a direct branch, or index of the [`crate::opaque::Opaque`].
    pub(crate) immediate: u64,
    pub(crate) address: Address,
    pub(crate) operands: [Operand; 4],
    /// Length of the instruction in bytes.
    pub(crate) length: u8,
    /// Size in bytes of the data of the instruction: of operand 0, or of the widest vector operand.
    pub(crate) width: u8,
    /// Condition code, as in the encoding.
    pub(crate) condition: u8,
    pub(crate) repeat: Repeat,
    /// Number of the opmask register; 0 for none.
    pub(crate) mask: u8,
    /// True if elements that the mask leaves out become zero instead of keeping their value.
    pub(crate) zeroing: bool,
    /// Size of the elements that the mask chooses.
    pub(crate) element: u8,
    /// True if memory holds one element that is repeated.
    pub(crate) broadcast: bool,
    /// Bytes of one element in memory.
    pub(crate) memory_element: u8,
    /// True if a vector result clears the rest of the register above it (VEX and EVEX).
    pub(crate) clears_upper: bool,
}

const _: () = assert!(size_of::<Step>() == 64);

impl Step {
    /// Address of the next instruction in memory.
    #[inline(always)]
    pub(crate) fn next(&self) -> u64 {
        self.at.wrapping_add(u64::from(self.length))
    }

    /// Returns true if two operands are the same register.
    pub(crate) fn same(&self, a: usize, b: usize) -> bool {
        self.operands[a] == self.operands[b] && self.operands[a].kind != Kind::Memory
    }

    pub(crate) fn is_memory(&self, operand: usize) -> bool {
        self.operands[operand].kind == Kind::Memory
    }
}
