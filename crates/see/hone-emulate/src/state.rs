//! The registers of one thread, and which parts of them are known.

use crate::known_bits::{Bits, bits_of_bytes, mask_of};
use hone_profile::Avma;

/// The flags that instructions compute, as bits of RFLAGS.
pub(crate) mod flag {
    pub(crate) const CF: u64 = 1 << 0;
    pub(crate) const PF: u64 = 1 << 2;
    pub(crate) const AF: u64 = 1 << 4;
    pub(crate) const ZF: u64 = 1 << 6;
    pub(crate) const SF: u64 = 1 << 7;
    pub(crate) const TF: u64 = 1 << 8;
    pub(crate) const DF: u64 = 1 << 10;
    pub(crate) const OF: u64 = 1 << 11;
    pub(crate) const AC: u64 = 1 << 18;
    pub(crate) const STATUS: u64 = CF | PF | AF | ZF | SF | OF;
}

/// A vector register of 64 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector {
    /// The bytes; the value of an unknown byte means nothing.
    pub bytes: [u8; 64],
    /// One bit per byte, set if the byte is known.
    pub known: u64,
}

impl Vector {
    /// A register whose bytes are all known zeros.
    pub const ZERO: Self = Self {
        bytes: [0; 64],
        known: u64::MAX,
    };
    /// A register with no known byte.
    pub const UNKNOWN: Self = Self {
        bytes: [0; 64],
        known: 0,
    };

    /// A register of which all bytes are known.
    pub const fn known(bytes: [u8; 64]) -> Self {
        Self {
            bytes,
            known: u64::MAX,
        }
    }
}

/// The registers of one thread. A snapshot fills in the registers that it has; the others stay unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15: the order of the encoding.
    pub gprs: [Bits; 16],
    /// Address of the next instruction.
    pub rip: Avma,
    /// RFLAGS.
    pub rflags: Bits,
    /// Base of the fs segment.
    pub fs_base: Bits,
    /// Base of the gs segment.
    pub gs_base: Bits,
    /// zmm0 to zmm31.
    pub vectors: [Vector; 32],
    /// k0 to k7.
    pub masks: [Bits; 8],
    /// MXCSR, 32 bits.
    pub mxcsr: Bits,
    /// The x87 control word, 16 bits.
    pub x87_control: Bits,
    /// Time stamp counter at the start of the walk. The counter advances by an estimate, so `rdtsc` gives a possible
    /// value of the counter, not the real value; an unknown counter stays unknown.
    pub time_stamp: Bits,
    /// Number of the CPU as `rdtscp` and `rdpid` return it, 32 bits. On Linux the lower 12 bits are the CPU, the bits
    /// above are the NUMA node.
    pub cpu_number: Bits,
}

impl State {
    /// Returns a state in which only the address of the next instruction is known.
    pub fn unknown(rip: Avma) -> Self {
        Self {
            gprs: [Bits::UNKNOWN; 16],
            rip,
            rflags: Bits::UNKNOWN,
            fs_base: Bits::UNKNOWN,
            gs_base: Bits::UNKNOWN,
            vectors: [Vector::UNKNOWN; 32],
            masks: [Bits::UNKNOWN; 8],
            mxcsr: Bits::unknown_below(0xffff_ffff),
            x87_control: Bits::unknown_below(0xffff),
            time_stamp: Bits::UNKNOWN,
            cpu_number: Bits::unknown_below(0xffff_ffff),
        }
    }
}

impl Vector {
    /// The `index`-th lane of `bytes` bytes (up to 8).
    #[inline(always)]
    pub(crate) fn lane(&self, index: usize, bytes: u8) -> Bits {
        let size = usize::from(bytes);
        let at = index * size;
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.bytes[at..at + size]);
        let mask = mask_of(bytes);
        let known = bits_of_bytes((self.known >> at) as u8) | !mask;
        Bits::partly(u64::from_le_bytes(word), known)
    }
}
