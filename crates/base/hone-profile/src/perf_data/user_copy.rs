//! Copied registers and stacks: a sample's data about user code, to be unwound by the caller.
//!
//! `perf record --call-graph dwarf` has the kernel copy the registers and the top of the stack into every
//! sample. Finding the callers needs the mapped files, which this crate does not open: the caller
//! of [`super::stream_unwound`] brings an [`Unwind`].

use super::bytes::Bytes;
use crate::address::{Avma, FileOffset};
use crate::address_space::AddressSpaces;
use crate::code_names::CodeMap;
use crate::profile::{Binary, Meta, StackEnd};

/// Number in a sample for registers of 64-bit code.
const ABI_64: u64 = 2;

/// Numbers of ax, dx, cx, bx, si, di, bp, sp and r8 to r15, which is DWARF's order.
const DWARF_ORDER: [u32; 16] = [0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const IP: u32 = 8;

/// The registers of user code in one sample, by their numbers in the kernel's `asm/perf_regs.h` for x86.
#[derive(Clone, Copy, Debug)]
pub struct UserRegisters<'a> {
    /// Bits of the registers that were recorded.
    mask: u64,
    values: &'a [u8],
}

impl<'a> UserRegisters<'a> {
    /// Takes the values of the registers in `mask`, eight bytes each, lowest number first.
    pub fn new(mask: u64, values: &'a [u8]) -> Self {
        Self { mask, values }
    }

    /// Returns a register; `None` if it was not recorded.
    pub fn get(&self, number: u32) -> Option<u64> {
        let bit = 1_u64.checked_shl(number)?;
        if self.mask & bit == 0 {
            return None;
        }
        let before = (self.mask & (bit - 1)).count_ones() as usize;
        Bytes(self.values.get(before * 8..)?).u64()
    }

    /// Returns the instruction pointer; `None` if it was not recorded.
    pub fn ip(&self) -> Option<u64> {
        self.get(IP)
    }

    /// Returns the general registers in DWARF's order (System V ABI for x86-64, figure 3.36): ax, dx, cx, bx, si, di, bp, sp,
    /// r8 to r15.
    pub fn in_dwarf_order(&self) -> [Option<u64>; 16] {
        DWARF_ORDER.map(|number| self.get(number))
    }
}

/// Registers and stack of a thread in user code, copied by a sample.
#[derive(Clone, Copy, Debug)]
pub struct UserCopy<'a> {
    /// The registers.
    pub registers: UserRegisters<'a>,
    /// The memory from the stack pointer upwards.
    pub stack: &'a [u8],
    /// Number of bytes that were to be copied: more than `stack` has where the memory ended, or where a page was not
    /// present yet.
    pub wanted: usize,
}

/// Copied registers and stack of a sample; for 64-bit code only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Copied<'a> {
    /// A thread of the kernel, or an event without copies.
    #[default]
    Nothing,
    /// A copy of code that is not 64-bit.
    Foreign,
    Copy(UserCopy<'a>),
}

impl<'a> Copied<'a> {
    /// Parses both fields, if the event has them; `None` if the fields contradict their lengths.
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

/// Place of an address of a process.
#[derive(Clone, Copy, Debug)]
pub struct MappedAt<'a> {
    /// Number of the file, which stays the same for the whole recording.
    pub number: u32,
    /// The file, or other content that was mapped.
    pub binary: &'a Binary,
    /// Offset in the binary; see [`crate::BinaryKind`].
    pub offset: FileOffset,
}

impl<'a> ProcessView<'a> {
    /// Returns the executable memory that covers an address.
    pub fn find(&self, address: Avma) -> Option<MappedAt<'a>> {
        let mapping = self.spaces.find(self.pid, address)?;
        let number = mapping.shows.0;
        Some(MappedAt {
            number,
            binary: (self.binaries)(number)?,
            offset: mapping.offset_of(address),
        })
    }

    /// Returns the binary with a number that [`Self::find`] gave.
    pub fn binary(&self, number: u32) -> Option<&'a Binary> {
        (self.binaries)(number)
    }

    /// Returns the process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Returns the release of the recorded kernel; empty if the file does not state it before its first sample.
    pub fn kernel(&self) -> &'a str {
        self.kernel
    }
}

/// What a reader has to ask of others: the callers of user code, and names.
pub trait Unwind {
    /// Adds the addresses of the user's frames, leaf first, callers as return addresses; and returns how the stack
    /// ended.
    fn unwind(
        &mut self,
        process: &ProcessView<'_>,
        copy: &UserCopy<'_>,
        frames: &mut Vec<u64>,
    ) -> StackEnd;

    /// Returns the names of a process's code without a file, for a recording that has no such names itself; asked once for each
    /// process that was sampled in such code. By default there are none.
    fn code_names(&mut self, _pid: i32, _recording: &Meta) -> CodeMap {
        CodeMap::default()
    }
}

/// Addresses that mark missing callers if a recorder unwound the stacks itself: the last frame of a call
/// chain. The addresses lie in the first page, where no code can be.
pub mod end_address {
    /// [`crate::StackEnd::Truncated`].
    pub const TRUNCATED: u64 = 0xe01;
    /// [`crate::StackEnd::Broken`].
    pub const BROKEN: u64 = 0xe02;
}

/// Returns the end that an address of a call chain marks.
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
