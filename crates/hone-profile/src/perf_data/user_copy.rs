//! Copied registers and stacks: what a sample holds of user code, to be unwound by somebody else.
//!
//! `perf record --call-graph dwarf` has the kernel copy the registers and the top of the stack into every
//! sample. To find the callers one needs the files that were mapped, which this crate does not open: the caller
//! of [`super::stream_unwound`] brings an [`Unwind`].

use super::bytes::Bytes;
use crate::address::{Avma, FileOffset};
use crate::address_space::AddressSpaces;
use crate::profile::{Binary, StackEnd};

/// Registers of 64-bit code, as a sample says that it holds.
const ABI_64: u64 = 2;

/// The numbers of ax, dx, cx, bx, si, di, bp, sp and r8 to r15, which is DWARF's order.
const DWARF_ORDER: [u32; 16] = [0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const IP: u32 = 8;

/// The registers of user code in one sample, by their numbers in the kernel's `asm/perf_regs.h` for x86.
#[derive(Clone, Copy, Debug)]
pub struct UserRegisters<'a> {
    /// Which are there, one bit each.
    mask: u64,
    values: &'a [u8],
}

impl<'a> UserRegisters<'a> {
    /// Registers of these numbers, eight bytes each, lowest number first.
    pub fn new(mask: u64, values: &'a [u8]) -> Self {
        Self { mask, values }
    }

    /// A register; `None` if it was not recorded.
    pub fn get(&self, number: u32) -> Option<u64> {
        let bit = 1_u64.checked_shl(number)?;
        if self.mask & bit == 0 {
            return None;
        }
        let before = (self.mask & (bit - 1)).count_ones() as usize;
        Bytes(self.values.get(before * 8..)?).u64()
    }

    /// The instruction pointer; `None` if it was not recorded.
    pub fn ip(&self) -> Option<u64> {
        self.get(IP)
    }

    /// The general registers in DWARF's order (System V ABI for x86-64, figure 3.36): ax, dx, cx, bx, si, di, bp, sp,
    /// r8 to r15.
    pub fn in_dwarf_order(&self) -> [Option<u64>; 16] {
        DWARF_ORDER.map(|number| self.get(number))
    }
}

/// What a sample copied of a thread in user code.
#[derive(Clone, Copy, Debug)]
pub struct UserCopy<'a> {
    /// The registers.
    pub registers: UserRegisters<'a>,
    /// The memory from the stack pointer upwards.
    pub stack: &'a [u8],
    /// Bytes that were to be copied: more than there are in `stack` where the memory ended, or where a page of it was
    /// not there yet.
    pub wanted: usize,
}

/// The two fields of a sample; registers of 64-bit code only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Copied<'a> {
    /// A thread of the kernel, or an event without copies.
    #[default]
    Nothing,
    /// Of code that is not 64-bit.
    Foreign,
    Copy(UserCopy<'a>),
}

impl<'a> Copied<'a> {
    /// Reads both fields, as far as the event has them; `None` if they contradict their lengths.
    pub(crate) fn parse(
        rest: &mut Bytes<'a>,
        registers_mask: Option<u64>,
        has_stack: bool,
    ) -> Option<Self> {
        let mut abi = 0;
        let mut values: &[u8] = &[];
        let mask = registers_mask.unwrap_or(0);
        if registers_mask.is_some() {
            abi = rest.u64()?;
            if abi != 0 {
                values = rest.words(u64::from(mask.count_ones()))?;
            }
        }
        let (mut stack, mut wanted): (&[u8], usize) = (&[], 0);
        if has_stack
            && let size = rest.u64()?
            && size != 0
        {
            let copied = rest.take(usize::try_from(size).ok()?)?;
            let filled = usize::try_from(rest.u64()?).ok()?;
            stack = copied.get(..filled)?;
            wanted = copied.len();
        }
        Some(match abi {
            0 => Self::Nothing,
            ABI_64 => Self::Copy(UserCopy {
                registers: UserRegisters::new(mask, values),
                stack,
                wanted,
            }),
            _ => Self::Foreign,
        })
    }
}

/// A process at the moment of a sample.
#[derive(Clone, Copy)]
pub struct ProcessView<'a> {
    pub(crate) spaces: &'a AddressSpaces,
    pub(crate) binaries: &'a dyn Fn(u32) -> Option<&'a Binary>,
    pub(crate) pid: i32,
    pub(crate) kernel: &'a str,
}

/// Where an address of a process lies.
#[derive(Clone, Copy, Debug)]
pub struct MappedAt<'a> {
    /// A number of the file that stays the same for the whole recording.
    pub number: u32,
    /// The file, or what else was mapped.
    pub binary: &'a Binary,
    /// Where in it; see [`crate::BinaryKind`].
    pub offset: FileOffset,
}

impl<'a> ProcessView<'a> {
    /// What executable memory covers an address.
    pub fn find(&self, address: Avma) -> Option<MappedAt<'a>> {
        let mapping = self.spaces.find(self.pid, address)?;
        let number = mapping.shows.0;
        Some(MappedAt {
            number,
            binary: (self.binaries)(number)?,
            offset: mapping.offset_of(address),
        })
    }

    /// The file of a number that [`Self::find`] gave.
    pub fn binary(&self, number: u32) -> Option<&'a Binary> {
        (self.binaries)(number)
    }

    /// The process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Release of the kernel that was recorded, where the file says so before its first sample.
    pub fn kernel(&self) -> &'a str {
        self.kernel
    }
}

/// Finds the callers of user code.
pub trait Unwind {
    /// Adds the addresses of the user's frames, leaf first, callers as the addresses they are returned to; and says
    /// how the stack ended.
    fn unwind(
        &mut self,
        process: &ProcessView<'_>,
        copy: &UserCopy<'_>,
        frames: &mut Vec<u64>,
    ) -> StackEnd;
}

/// Addresses that stand for the missing callers where a recorder found the stacks itself: the last frame of a call
/// chain. They lie in the first page, where no code can be.
pub mod end_address {
    /// [`crate::StackEnd::Truncated`].
    pub const TRUNCATED: u64 = 0xe01;
    /// [`crate::StackEnd::Broken`].
    pub const BROKEN: u64 = 0xe02;
}

/// The end that an address of a call chain stands for.
pub(crate) fn end_of(address: u64) -> Option<StackEnd> {
    match address {
        end_address::TRUNCATED => Some(StackEnd::Truncated),
        end_address::BROKEN => Some(StackEnd::Broken),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_found_by_their_number() {
        let values: Vec<u8> = [6_u64, 7, 8, 16]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let registers = UserRegisters::new(1 << 6 | 1 << 7 | 1 << 8 | 1 << 16, &values);
        let of = |number| registers.get(number);
        assert_eq!([of(6), of(7), of(8), of(16)], [6, 7, 8, 16].map(Some));
        assert_eq!([of(0), of(9), of(63), of(64)], [None; 4]);
    }

    #[test]
    fn copies_that_contradict_their_lengths_are_no_copies() {
        let parse = |fields: &[u64]| {
            let bytes: Vec<u8> = fields.iter().flat_map(|v| v.to_le_bytes()).collect();
            let mut rest = Bytes(&bytes);
            Copied::parse(&mut rest, Some(0b11), true).map(|copied| match copied {
                Copied::Copy(copy) => (copy.stack.len(), copy.wanted),
                _ => (0, 0),
            })
        };
        // No registers, no stack: a thread of the kernel.
        assert_eq!(parse(&[0, 0]), Some((0, 0)));
        assert_eq!(parse(&[2, 1, 2, 16, 5, 6, 16]), Some((16, 16)));
        assert_eq!(parse(&[2, 1, 2, 16, 5, 6, 8]), Some((8, 16)));
        assert_eq!(
            parse(&[2, 1, 2, 16, 5, 6, 24]),
            None,
            "more than was copied"
        );
        assert_eq!(parse(&[2, 1, 2, 16, 5]), None, "cut");
        assert_eq!(parse(&[2, 1, 2, u64::MAX, 5, 6, 8]), None);
        assert_eq!(parse(&[2, 1]), None);
    }
}
