//! Conversion of an iced instruction to a [`Step`].
//!
//! The tables in `integer` and `vector` say which handler runs a mnemonic; everything else is read from the
//! operands here, once. Instructions that no table knows get the opaque handler.

use crate::observe::Watch;
use crate::opaque::{self, Opaque};
use crate::step::{Address, Handler, Kind, NO_REGISTER, Operand, Repeat, Segment, Step};
use crate::walk::Cpu;
use iced_x86::{
    Code, ConditionCode, CpuidFeature, EncodingKind, Instruction, Mnemonic, OpKind, Register,
    RoundingControl,
};
use std::sync::Arc;

/// Layout of the operands of an instruction for its handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Operands as in the instruction.
    Plain,
    /// Destination and two sources. The destination of the legacy form is also its first source and is listed twice,
    /// so that the legacy form looks like the VEX form.
    Binary,
}

/// Entry of a table for a mnemonic.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) run: Handler,
    pub(crate) shape: Shape,
    /// Size of the elements that an opmask chooses; 0 if the handler supports no opmask.
    pub(crate) element: u8,
}

impl Entry {
    pub(crate) const fn plain(run: Handler) -> Option<Self> {
        Some(Self {
            run,
            shape: Shape::Plain,
            element: 0,
        })
    }

    /// Entry of a plain form with an optional opmask on its result.
    pub(crate) const fn masked(run: Handler, element: u8) -> Option<Self> {
        Some(Self {
            run,
            shape: Shape::Plain,
            element,
        })
    }

    pub(crate) const fn binary(run: Handler, element: u8) -> Option<Self> {
        Some(Self {
            run,
            shape: Shape::Binary,
            element,
        })
    }
}

/// A decoded instruction.
pub(crate) struct Decoded {
    pub(crate) step: Step,
    /// Effects of the instruction, if the instruction is not understood.
    pub(crate) opaque: Option<Arc<Opaque>>,
    /// What an observed walk looks at.
    pub(crate) watch: Watch,
    /// True if the instruction ends a block.
    pub(crate) ends: bool,
}

/// Makes the step of an instruction.
pub(crate) fn decoded(instruction: &Instruction, cpu: Cpu) -> Decoded {
    let operands = operands_of(instruction);
    let address = address_operand(instruction);
    let entry = operands
        .zip(address)
        .and_then(|_| entry_of(instruction, cpu))
        .filter(|entry| is_plain_enough(instruction, entry));
    let mut step = Step {
        run: opaque::run,
        at: instruction.ip(),
        immediate: immediate_of(instruction),
        address: address.unwrap_or_default(),
        operands: operands.unwrap_or_default(),
        length: instruction.len() as u8,
        width: 0,
        condition: condition_of(instruction),
        repeat: repeat_of(instruction),
        mask: instruction.op_mask().number() as u8,
        zeroing: instruction.zeroing_masking(),
        element: 0,
        broadcast: instruction.is_broadcast(),
        memory_element: instruction.memory_size().element_size() as u8,
        clears_upper: instruction.encoding() != EncodingKind::Legacy,
    };
    if instruction.op_mask() == Register::None {
        step.mask = 0;
    }
    step.width = width_of(&step.operands);
    let opaque = match entry {
        Some(entry) => {
            step.run = entry.run;
            step.element = entry.element;
            if entry.shape == Shape::Binary && instruction.encoding() == EncodingKind::Legacy {
                let [destination, source, third, _] = step.operands;
                step.operands = [destination, destination, source, third];
            }
            None
        }
        None => Some(Arc::new(Opaque::new(instruction, step.address.alignment))),
    };
    let ends = instruction.flow_control() != iced_x86::FlowControl::Next
        || opaque.as_ref().is_some_and(|opaque| opaque.ends());
    let mnemonic = instruction.mnemonic();
    let watch = match opaque {
        Some(_) if mnemonic != Mnemonic::Syscall => Watch::NOTHING,
        _ => Watch::of(mnemonic, &step),
    };
    Decoded {
        step,
        opaque,
        watch,
        ends,
    }
}

fn entry_of(instruction: &Instruction, cpu: Cpu) -> Option<Entry> {
    let mnemonic = instruction.mnemonic();
    if !cpu.shadow_stacks && matches!(mnemonic, Mnemonic::Rdsspd | Mnemonic::Rdsspq) {
        return Entry::plain(|_, _| Ok(()));
    }
    let vectors = (0..instruction.op_count()).any(|index| {
        let register = instruction.op_register(index);
        register.is_vector_register() || register.is_k()
    });
    // A few mnemonics name an integer and a vector instruction alike (movsd, cmpsd).
    if vectors {
        crate::vector::entry(mnemonic)
    } else {
        crate::integer::entry(mnemonic).or_else(|| crate::vector::entry(mnemonic))
    }
}

/// Returns false for forms that the tables do not cover: MMX, embedded rounding, opmasks that the handler does not
/// support.
fn is_plain_enough(instruction: &Instruction, entry: &Entry) -> bool {
    let other_register = (0..instruction.op_count()).any(|index| {
        let register = instruction.op_register(index);
        instruction.op_kind(index) == OpKind::Register
            && !(register.is_gpr() || register.is_vector_register() || register.is_k())
    });
    !other_register
        && !is_odd_control(instruction)
        && instruction.rounding_control() == RoundingControl::None
        && !instruction.suppress_all_exceptions()
        && (instruction.op_mask() == Register::None || entry.element != 0)
        && !instruction.is_vsib()
        && matches!(
            instruction.encoding(),
            EncodingKind::Legacy | EncodingKind::VEX | EncodingKind::EVEX
        )
}

/// Returns true for branches and frames with 16-bit or far operands, and for loops that count in ecx.
fn is_odd_control(instruction: &Instruction) -> bool {
    match instruction.mnemonic() {
        Mnemonic::Call | Mnemonic::Jmp => {
            instruction.op0_kind() == OpKind::Memory && instruction.memory_size().size() != 8
                || instruction.op0_kind() == OpKind::Register
                    && instruction.op0_register().size() != 8
        }
        Mnemonic::Ret | Mnemonic::Leave | Mnemonic::Enter => matches!(
            instruction.code(),
            Code::Retnw | Code::Retnw_imm16 | Code::Leavew | Code::Enterw_imm16_imm8
        ),
        Mnemonic::Loop | Mnemonic::Loope | Mnemonic::Loopne => !matches!(
            instruction.code(),
            Code::Loop_rel8_64_RCX | Code::Loope_rel8_64_RCX | Code::Loopne_rel8_64_RCX
        ),
        _ => false,
    }
}

fn operands_of(instruction: &Instruction) -> Option<[Operand; 4]> {
    let count = instruction.op_count();
    if count > 4 {
        return None;
    }
    let mut operands = [Operand::default(); 4];
    for index in 0..count {
        operands[index as usize] = operand_of(instruction, index)?;
    }
    Some(operands)
}

fn operand_of(instruction: &Instruction, index: u32) -> Option<Operand> {
    let operand = |kind, index: usize, bytes: usize| Operand {
        kind,
        index: index as u8,
        bytes: bytes as u8,
    };
    Some(match instruction.op_kind(index) {
        OpKind::Register => {
            let register = instruction.op_register(index);
            let full = register.full_register().number();
            let bytes = register.size();
            match register {
                Register::AH | Register::CH | Register::DH | Register::BH => {
                    operand(Kind::GprHigh, full, 1)
                }
                _ if register.is_gpr() => operand(Kind::Gpr, full, bytes),
                _ if register.is_vector_register() => operand(Kind::Vector, full, bytes),
                _ if register.is_k() => operand(Kind::Mask, register.number(), 8),
                _ => operand(Kind::None, 0, 0),
            }
        }
        OpKind::Immediate8 => operand(Kind::Immediate, 0, 1),
        // The only second immediate that a handler asks for is the level of `enter`.
        OpKind::Immediate8_2nd => operand(
            Kind::Immediate,
            usize::from(instruction.immediate8_2nd()),
            1,
        ),
        OpKind::Immediate16 | OpKind::Immediate8to16 => operand(Kind::Immediate, 0, 2),
        OpKind::Immediate32 | OpKind::Immediate8to32 => operand(Kind::Immediate, 0, 4),
        OpKind::Immediate64 | OpKind::Immediate8to64 | OpKind::Immediate32to64 => {
            operand(Kind::Immediate, 0, 8)
        }
        OpKind::NearBranch64 => operand(Kind::Immediate, 0, 8),
        OpKind::Memory
        | OpKind::MemorySegRSI
        | OpKind::MemorySegESI
        | OpKind::MemoryESRDI
        | OpKind::MemoryESEDI
        | OpKind::MemorySegRDI
        | OpKind::MemorySegEDI => {
            let bytes = instruction.memory_size().size();
            operand(Kind::Memory, 0, bytes.min(64))
        }
        _ => return None,
    })
}

fn immediate_of(instruction: &Instruction) -> u64 {
    for index in 0..instruction.op_count() {
        match instruction.op_kind(index) {
            OpKind::NearBranch64 => return instruction.near_branch64(),
            _ => {
                if let Ok(immediate) = instruction.try_immediate(index) {
                    return immediate;
                }
            }
        }
    }
    0
}

fn width_of(operands: &[Operand; 4]) -> u8 {
    let vector = operands
        .iter()
        .filter(|operand| operand.kind == Kind::Vector)
        .map(|operand| operand.bytes)
        .max();
    vector.unwrap_or(operands[0].bytes)
}

fn condition_of(instruction: &Instruction) -> u8 {
    match instruction.condition_code() {
        ConditionCode::None => 0,
        code => code as u8 - 1,
    }
}

fn repeat_of(instruction: &Instruction) -> Repeat {
    if instruction.has_repne_prefix() {
        Repeat::NotEqual
    } else if instruction.has_rep_prefix() {
        Repeat::Equal
    } else {
        Repeat::No
    }
}

/// Returns the memory operand of the instruction; `None` if the walk cannot compute its address.
fn address_operand(instruction: &Instruction) -> Option<Address> {
    let count = instruction.op_count();
    let has_memory = (0..count).any(|index| instruction.op_kind(index) == OpKind::Memory);
    if !has_memory {
        // String instructions have fixed registers; only the segment and the address size matter.
        let narrow = (0..count).any(|index| {
            matches!(
                instruction.op_kind(index),
                OpKind::MemorySegESI | OpKind::MemoryESEDI | OpKind::MemorySegEDI
            )
        });
        return Some(Address {
            base: NO_REGISTER,
            index: NO_REGISTER,
            segment: segment_of(instruction.segment_prefix()),
            narrow,
            ..Address::default()
        });
    }
    address_of(
        instruction.memory_segment(),
        instruction.memory_base(),
        instruction.memory_index(),
        instruction.memory_index_scale(),
        instruction.memory_displacement64(),
        alignment_of(instruction),
    )
}

fn segment_of(register: Register) -> Segment {
    match register {
        Register::FS => Segment::Fs,
        Register::GS => Segment::Gs,
        _ => Segment::Flat,
    }
}

/// Builds an address from its parts; returns `None` for indexes in vector registers.
pub(crate) fn address_of(
    segment: Register,
    base: Register,
    index: Register,
    scale: u32,
    displacement: u64,
    alignment: u8,
) -> Option<Address> {
    // iced gives the whole address for rip-relative operands.
    let relative = base.is_ip();
    let number = |register: Register| match register {
        Register::None => Some(NO_REGISTER),
        _ if register.is_gpr() => Some(register.full_register().number() as u8),
        _ => None,
    };
    Some(Address {
        displacement,
        base: if relative { NO_REGISTER } else { number(base)? },
        index: number(index)?,
        shift: scale.max(1).trailing_zeros() as u8,
        segment: segment_of(segment),
        narrow: base.is_gpr32() || index.is_gpr32() || base == Register::EIP,
        alignment,
    })
}

/// Returns the alignment below which an instruction traps or may trap. Legacy SSE needs 16 bytes for whole vectors;
/// aligned moves, `cmpccxadd` and `aadd` need the size of their operand. For SM3 the manual demands no alignment, but
/// a model of the CPU does.
fn alignment_of(instruction: &Instruction) -> u8 {
    use Mnemonic::{
        Cmpxchg16b, Lddqu, Movdqu, Movntdq, Movntdqa, Movntpd, Movntps, Movupd, Movups, Pcmpestri,
        Pcmpestri64, Pcmpestrm, Pcmpestrm64, Pcmpistri, Pcmpistrm, Vmovapd, Vmovaps, Vmovdqa,
        Vmovdqa32, Vmovdqa64, Vmovntdq, Vmovntdqa, Vmovntpd, Vmovntps, Vsm3msg1, Vsm3msg2,
        Vsm3rnds2,
    };
    let bytes = instruction.memory_size().size() as u8;
    if adds_atomically(instruction) {
        return bytes;
    }
    match instruction.mnemonic() {
        Vmovapd | Vmovaps | Vmovdqa | Vmovdqa32 | Vmovdqa64 | Vmovntdq | Vmovntdqa | Vmovntpd
        | Vmovntps | Movntdq | Movntdqa | Movntpd | Movntps | Cmpxchg16b | Vsm3msg1 | Vsm3msg2
        | Vsm3rnds2 => bytes,
        Movupd | Movups | Movdqu | Lddqu | Pcmpestri | Pcmpestri64 | Pcmpestrm | Pcmpestrm64
        | Pcmpistri | Pcmpistrm => 0,
        _ => {
            let legacy = instruction.encoding() == EncodingKind::Legacy;
            if legacy && bytes == 16 { 16 } else { 0 }
        }
    }
}

/// Returns true for `cmpccxadd`, `aadd` and related instructions: new atomic operations in memory.
fn adds_atomically(instruction: &Instruction) -> bool {
    instruction
        .cpuid_features()
        .iter()
        .any(|feature| matches!(*feature, CpuidFeature::CMPCCXADD | CpuidFeature::RAO_INT))
}
