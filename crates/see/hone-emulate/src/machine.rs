//! Data that handlers work with: registers, memory, operands, flags and branches of the running walk.

use crate::end::{Branch, End, Flow};
use crate::known_bits::{Bits, Truth, mask_of};
use crate::memory::{Memory, Pages};
use crate::opaque::Opaque;
use crate::state::{State, flag};
use crate::step::{Kind, NO_REGISTER, Segment, Step};
use hone_profile::{Avma, BranchKind, ThirdArgument};
use std::sync::Arc;

pub(crate) const RAX: usize = 0;
pub(crate) const RCX: usize = 1;
pub(crate) const RDX: usize = 2;
pub(crate) const RBX: usize = 3;
pub(crate) const RSP: usize = 4;
pub(crate) const RBP: usize = 5;
pub(crate) const RSI: usize = 6;
pub(crate) const RDI: usize = 7;

/// Bits of an address that a user program may branch to.
const USER_BITS: u32 = 47;

pub(crate) struct Machine<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) pages: &'a mut Pages,
    pub(crate) memory: &'a mut dyn Memory,
    /// Address at which the walk goes on after the running step.
    pub(crate) next: u64,
    pub(crate) branches: &'a mut Vec<Branch>,
    /// Number of instructions executed before the running block.
    pub(crate) instructions: u64,
    /// Number of times that the walk has read the time stamp counter.
    pub(crate) clock_reads: u64,
    /// Effects of the instructions that are not understood.
    pub(crate) opaques: &'a mut Vec<Arc<Opaque>>,
}

impl Machine<'_> {
    /// Returns the sum of base, index and displacement without the segment, as `lea` needs it.
    #[inline(always)]
    pub(crate) fn offset(&self, step: &Step) -> Bits {
        let address = &step.address;
        let mut value = address.displacement;
        let mut known = u64::MAX;
        if address.base != NO_REGISTER {
            let base = self.state.gprs[usize::from(address.base & 15)];
            value = value.wrapping_add(base.value);
            known &= base.known;
        }
        if address.index != NO_REGISTER {
            let index = self.state.gprs[usize::from(address.index & 15)];
            value = value.wrapping_add(index.value << address.shift);
            known &= index.known;
        }
        if address.narrow {
            value &= 0xffff_ffff;
            known |= !0xffff_ffff;
        }
        if known == u64::MAX {
            Bits::known(value)
        } else {
            let mask = if address.narrow {
                0xffff_ffff
            } else {
                u64::MAX
            };
            Bits::unknown_below(mask)
        }
    }

    /// The address of the memory operand.
    #[inline(always)]
    pub(crate) fn address(&self, step: &Step) -> Result<u64, End> {
        let offset = self.offset(step).get().ok_or(End::UnknownAddress)?;
        let base = self.segment_base(step.address.segment)?;
        let address = offset.wrapping_add(base);
        let alignment = u64::from(step.address.alignment);
        if alignment != 0 && address & (alignment - 1) != 0 {
            // CPUs differ in whether an instruction traps if its opmask chooses nothing.
            let certain = step.mask == 0;
            return Err(if certain { End::Trap } else { End::UnknownTrap });
        }
        Ok(address)
    }

    #[inline(always)]
    pub(crate) fn segment_base(&self, segment: Segment) -> Result<u64, End> {
        match segment {
            Segment::Flat => Ok(0),
            Segment::Fs => self.state.fs_base.get().ok_or(End::UnknownAddress),
            Segment::Gs => self.state.gs_base.get().ok_or(End::UnknownAddress),
        }
    }

    #[inline(always)]
    pub(crate) fn load(&mut self, address: u64, bytes: u8) -> Result<Bits, End> {
        self.pages.load(self.memory, address, bytes)
    }

    #[inline(always)]
    pub(crate) fn store(&mut self, address: u64, bytes: u8, bits: Bits) -> Flow {
        self.pages.store(self.memory, address, bytes, bits)
    }

    /// Reads an operand of up to 8 bytes; the bits above its size are known zeros.
    #[inline(always)]
    pub(crate) fn read(&mut self, step: &Step, operand: usize) -> Result<Bits, End> {
        let operand = step.operands[operand];
        let index = usize::from(operand.index);
        Ok(match operand.kind {
            Kind::Gpr => self.state.gprs[index & 15].low(mask_of(operand.bytes)),
            Kind::Immediate => Bits::known(step.immediate & mask_of(operand.bytes)),
            Kind::Memory => {
                let address = self.address(step)?;
                self.load(address, operand.bytes)?
            }
            Kind::GprHigh => self.state.gprs[index & 3].shifted_right(8).low(0xff),
            Kind::Mask => self.state.masks[index & 7].low(mask_of(operand.bytes)),
            Kind::Vector => self.vector_lane(index, 0, operand.bytes.min(8)),
            Kind::None => Bits::UNKNOWN,
        })
    }

    /// Writes an operand of up to 8 bytes, as the operand's kind and size demand.
    #[inline(always)]
    pub(crate) fn write(&mut self, step: &Step, operand: usize, bits: Bits) -> Flow {
        let operand = step.operands[operand];
        match operand.kind {
            Kind::Gpr => self.set_gpr(usize::from(operand.index), operand.bytes, bits),
            Kind::Memory => {
                let address = self.address(step)?;
                self.store(address, operand.bytes, bits)?;
            }
            Kind::GprHigh => {
                let register = &mut self.state.gprs[usize::from(operand.index & 3)];
                let high = Bits {
                    value: bits.value << 8,
                    known: bits.known << 8,
                };
                *register = register.replaced(0xff00, high);
            }
            Kind::Mask => {
                self.state.masks[usize::from(operand.index & 7)] = bits.low(mask_of(operand.bytes));
            }
            Kind::Vector | Kind::Immediate | Kind::None => {}
        }
        Ok(())
    }

    pub(crate) fn set_gpr(&mut self, index: usize, bytes: u8, bits: Bits) {
        let register = &mut self.state.gprs[index & 15];
        *register = match bytes {
            8 => bits,
            4 => bits.low(0xffff_ffff),
            2 => register.replaced(0xffff, bits),
            _ => register.replaced(0xff, bits),
        };
    }

    /// The `index`-th lane of `bytes` bytes (up to 8) of a vector register.
    pub(crate) fn vector_lane(&self, register: usize, index: usize, bytes: u8) -> Bits {
        self.state.vectors[register & 31].lane(index, bytes)
    }

    /// Sets the flags in `which` to the bits of `value`.
    #[inline(always)]
    pub(crate) fn set_flags(&mut self, which: u64, value: u64) {
        let flags = &mut self.state.rflags;
        flags.value = (flags.value & !which) | (value & which);
        flags.known |= which;
    }

    /// Sets the flags in `which` to `bits`, which may be partly known.
    pub(crate) fn set_flags_partly(&mut self, which: u64, bits: Bits) {
        self.state.rflags = self.state.rflags.replaced(which, bits);
    }

    #[inline(always)]
    pub(crate) fn forget_flags(&mut self, which: u64) {
        self.state.rflags.value &= !which;
        self.state.rflags.known &= !which;
    }

    #[inline(always)]
    pub(crate) fn flag(&self, which: u64) -> Truth {
        let flags = self.state.rflags;
        (flags.known & which != 0).then_some(flags.value & which != 0)
    }

    /// Evaluates a condition of the encoding, as far as the flags are known.
    #[inline(always)]
    pub(crate) fn condition(&self, code: u8) -> Truth {
        use flag::{CF, OF, PF, SF, ZF};
        let truth = match code >> 1 {
            0 => self.flag(OF),
            1 => self.flag(CF),
            2 => self.flag(ZF),
            3 => either(self.flag(CF), self.flag(ZF)),
            4 => self.flag(SF),
            5 => self.flag(PF),
            6 => differ(self.flag(SF), self.flag(OF)),
            _ => either(self.flag(ZF), differ(self.flag(SF), self.flag(OF))),
        };
        truth.map(|truth| truth ^ (code & 1 != 0))
    }

    /// Refuses a target outside the user's half of the address space: some CPUs trap at the branch itself.
    #[inline(always)]
    pub(crate) fn check_target(to: u64) -> Flow {
        if to >> USER_BITS == 0 {
            Ok(())
        } else {
            Err(End::UnreadableCode(Avma(to)))
        }
    }

    /// Takes a branch.
    #[inline(always)]
    pub(crate) fn branch(&mut self, step: &Step, to: u64, kind: BranchKind) {
        self.next = to;
        self.branches.push(Branch {
            from: Avma(step.at),
            to: Avma(to),
            kind,
            third_argument: match kind {
                BranchKind::Call
                | BranchKind::IndirectCall
                | BranchKind::Jump
                | BranchKind::IndirectJump => self.third_argument(),
                _ => ThirdArgument::UNKNOWN,
            },
        });
    }

    #[inline(always)]
    fn third_argument(&self) -> ThirdArgument {
        let value = self.state.gprs[RDX].get();
        value.map_or(ThirdArgument::UNKNOWN, ThirdArgument::of)
    }
}

#[inline(always)]
fn either(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

#[inline(always)]
fn differ(a: Truth, b: Truth) -> Truth {
    Some(a? != b?)
}
