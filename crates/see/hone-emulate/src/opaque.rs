//! Instructions that are not understood: their results become unknown, and the walk goes on.
//!
//! The list of results comes from iced's tables. Where the tables are not certain (a memory area of unknown size,
//! gathers, anything that touches the system or the protection of memory), the instruction is not passed over, but
//! ends the walk.

use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::flag;
use crate::step::{Address, Segment, Step};
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, MemorySize, Mnemonic, OpAccess, Register,
    RflagsBits,
};
use std::sync::Arc;

struct Access {
    address: Address,
    bytes: u8,
    write: bool,
}

/// Registers, flags and memory that an instruction may change.
pub(crate) struct Opaque {
    gprs: Vec<(u8, u64)>,
    vectors: Vec<u8>,
    masks: Vec<u8>,
    flags: u64,
    accesses: Vec<Access>,
    /// True if the instruction may raise a floating-point exception and set the status bits of MXCSR.
    floats: bool,
    /// True if the instruction may raise an exception of the x87 unit.
    x87: bool,
    end: Option<End>,
}

impl Opaque {
    pub(crate) fn new(instruction: &Instruction, alignment: u8) -> Self {
        let mut opaque = Self {
            gprs: Vec::new(),
            vectors: Vec::new(),
            masks: Vec::new(),
            flags: flags_of(instruction.rflags_modified()),
            accesses: Vec::new(),
            floats: uses_mxcsr(instruction),
            x87: is_x87(instruction),
            end: end_of(instruction),
        };
        let unsupported = End::UnsupportedInstruction(instruction.mnemonic());
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(instruction);
        for used in info.used_registers() {
            if !writes(used.access()) {
                continue;
            }
            if used.register().is_segment_register() {
                opaque.end = opaque.end.or(Some(unsupported));
            }
            opaque.write_register(used.register());
        }
        for used in info.used_memory() {
            if used.access() == OpAccess::NoMemAccess || used.access() == OpAccess::None {
                continue;
            }
            let address = crate::decode::address_of(
                used.segment(),
                used.base(),
                used.index(),
                used.scale(),
                used.displacement(),
                alignment,
            );
            let bytes = used.memory_size().size();
            match address {
                Some(address) if (1..=64).contains(&bytes) && used.vsib_size() == 0 => {
                    opaque.accesses.push(Access {
                        address,
                        bytes: bytes as u8,
                        write: writes(used.access()),
                    });
                }
                _ => opaque.end = opaque.end.or(Some(unsupported)),
            }
        }
        opaque
    }

    fn write_register(&mut self, register: Register) {
        let number = register.full_register().number() as u8;
        if register.is_gpr() {
            let mask = match register.size() {
                1 if is_high(register) => 0xff00,
                1 => 0xff,
                2 => 0xffff,
                _ => u64::MAX,
            };
            self.gprs.push((number, mask));
        } else if register.is_vector_register() {
            self.vectors.push(number);
        } else if register.is_k() {
            self.masks.push(number);
        }
    }

    /// Returns true if the walk ends at the instruction.
    pub(crate) fn ends(&self) -> bool {
        self.end.is_some()
    }
}

fn is_high(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::CH | Register::DH | Register::BH
    )
}

fn writes(access: OpAccess) -> bool {
    matches!(
        access,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
    )
}

fn flags_of(modified: u32) -> u64 {
    [
        (RflagsBits::OF, flag::OF),
        (RflagsBits::SF, flag::SF),
        (RflagsBits::ZF, flag::ZF),
        (RflagsBits::AF, flag::AF),
        (RflagsBits::CF, flag::CF),
        (RflagsBits::PF, flag::PF),
        (RflagsBits::DF, flag::DF),
        (RflagsBits::AC, flag::AC),
    ]
    .iter()
    .filter(|(theirs, _)| modified & theirs != 0)
    .fold(0, |flags, (_, ours)| flags | ours)
}

fn is_x87(instruction: &Instruction) -> bool {
    use iced_x86::CpuidFeature::{FPU, FPU287, FPU387, MMX};
    let features = instruction.cpuid_features();
    features
        .iter()
        .any(|feature| matches!(*feature, FPU | FPU287 | FPU387 | MMX))
        || (0..instruction.op_count()).any(|index| instruction.op_register(index).is_mm())
}

/// Returns true for vectors and for floats in memory: a conversion of a float in memory to an integer register names
/// no vector register.
fn uses_mxcsr(instruction: &Instruction) -> bool {
    let vector = (0..instruction.op_count()).any(|index| {
        let register = instruction.op_register(index);
        register.is_vector_register() || register.is_mm()
    });
    vector || !is_x87(instruction) && is_float(instruction.memory_size().element_type())
}

fn is_float(element: MemorySize) -> bool {
    matches!(
        element,
        MemorySize::Float16 | MemorySize::Float32 | MemorySize::Float64 | MemorySize::BFloat16
    )
}

/// Returns the end of the walk for instructions that cannot be passed over.
fn end_of(instruction: &Instruction) -> Option<End> {
    use Mnemonic::{
        Clac, Clui, Clzero, Enclu, Enqcmd, Enqcmds, Fldcw, Fldenv, Fninit, Fnsave, Frstor, Fxrstor,
        Fxrstor64, Fxsave, Fxsave64, Getsec, Hlt, INVALID, In, Incsspd, Incsspq, Insb, Insd, Insw,
        Int3, Iret, Iretd, Iretq, Ldmxcsr, Maskmovdqu, Maskmovq, Monitor, Monitorx, Movdir64b,
        Mwait, Mwaitx, Out, Outsb, Outsd, Outsw, Popf, Popfd, Pushf, Rdpmc, Rdpru, Rstorssp,
        Saveprevssp, Senduipi, Sgdt, Sidt, Sldt, Smsw, Stac, Str, Stui, Syscall, Sysenter, Testui,
        Tpause, Uiret, Umonitor, Umwait, Vldmxcsr, Vmaskmovdqu, Vmcall, Vmfunc, Vmmcall, Wrpkru,
        Xabort, Xend, Xrstor, Xrstor64, Xsave, Xsave64, Xsavec, Xsavec64, Xsaveopt, Xsaveopt64,
    };
    let mnemonic = instruction.mnemonic();
    let unsupported = Some(End::UnsupportedInstruction(mnemonic));
    match mnemonic {
        Syscall | Sysenter => return Some(End::Syscall),
        Int3 | Hlt => return Some(End::Trap),
        INVALID => return Some(End::InvalidInstruction),
        Clac | Stac | Enqcmd | Enqcmds | Fldenv | Fninit | Fnsave | Frstor | Fxrstor
        | Fxrstor64 | Fxsave | Fxsave64 | Getsec | Incsspd | Incsspq | Ldmxcsr | Monitor
        | Movdir64b | Clzero | Enclu | Monitorx | Mwait | Mwaitx | Popf | Popfd | Pushf | Iret
        | Iretd | Iretq | Rstorssp | Saveprevssp | Sgdt | Sidt | Sldt | Smsw | Str | Rdpru
        | Tpause | Umonitor | Umwait | Vldmxcsr | Vmcall | Vmfunc | Vmmcall | In | Out | Insb
        | Insw | Insd | Outsb | Outsw | Outsd | Wrpkru | Xabort | Xend | Xrstor | Xrstor64
        | Xsave | Xsave64 | Xsavec | Xsavec64 | Xsaveopt | Xsaveopt64 | Rdpmc | Fldcw
        | Maskmovdqu | Maskmovq | Vmaskmovdqu => return unsupported,
        // CPUs without user interrupts take some of these for `rdpkru` and `wrpkru`.
        Clui | Senduipi | Stui | Testui | Uiret => return unsupported,
        _ => {}
    }
    let segment = (0..instruction.op_count())
        .any(|index| instruction.op_register(index).is_segment_register());
    if instruction.is_privileged() || segment {
        return unsupported;
    }
    match instruction.flow_control() {
        FlowControl::Next => None,
        FlowControl::Interrupt => Some(End::Syscall),
        FlowControl::Exception => Some(End::Trap),
        _ => unsupported,
    }
}

/// Handler of all instructions that are not understood; the step's immediate is the index of the [`Opaque`].
pub(crate) fn run(m: &mut Machine<'_>, step: &Step) -> Flow {
    let opaque = Arc::clone(&m.opaques[step.immediate as usize]);
    if let Some(end) = opaque.end {
        return Err(end);
    }
    if opaque.x87 && m.state.x87_control.within(0x3f) != Some(0x3f) {
        return Err(End::UnknownTrap);
    }
    if opaque.floats {
        m.floats_are_exact()?;
    }
    let mut probe = [0; 64];
    let mut addresses = [0; 4];
    for (access, out) in opaque.accesses.iter().zip(&mut addresses) {
        *out = address(m, &access.address)?;
        let bytes = &mut probe[..usize::from(access.bytes)];
        m.pages.load_bytes(m.memory, *out, bytes)?;
    }
    if opaque.accesses.len() > addresses.len() {
        return Err(End::UnknownAddress);
    }
    for (access, &at) in opaque.accesses.iter().zip(&addresses) {
        if access.write {
            let bytes = &probe[..usize::from(access.bytes)];
            m.pages.store_bytes(m.memory, at, bytes, 0)?;
        }
    }
    for &(index, mask) in &opaque.gprs {
        let register = &mut m.state.gprs[usize::from(index & 15)];
        *register = register.replaced(mask, Bits::UNKNOWN);
    }
    for &index in &opaque.vectors {
        m.state.vectors[usize::from(index & 31)].known = 0;
    }
    for &index in &opaque.masks {
        m.state.masks[usize::from(index & 7)] = Bits::UNKNOWN;
    }
    m.forget_flags(opaque.flags);
    Ok(())
}

fn address(m: &Machine<'_>, address: &Address) -> Result<u64, End> {
    let register = |index: u8| match index {
        crate::step::NO_REGISTER => Some(0),
        index => m.state.gprs[usize::from(index & 15)].get(),
    };
    let base = register(address.base).ok_or(End::UnknownAddress)?;
    let index = register(address.index).ok_or(End::UnknownAddress)?;
    let mut value = address
        .displacement
        .wrapping_add(base)
        .wrapping_add(index << address.shift);
    if address.narrow {
        value &= 0xffff_ffff;
    }
    if address.segment != Segment::Flat {
        value = value.wrapping_add(m.segment_base(address.segment)?);
    }
    let alignment = u64::from(address.alignment);
    if alignment != 0 && value & (alignment - 1) != 0 {
        // Not all CPUs enforce the alignment that the manuals demand.
        return Err(End::UnknownTrap);
    }
    Ok(value)
}
