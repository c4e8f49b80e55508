//! Layout in which the kernel stores vector registers: the standard form of the XSAVE area (Intel SDM, volume 1,
//! chapter 13), whose offsets the CPU itself reports.

use std::arch::x86_64::{__cpuid, __cpuid_count};

/// CPUID leaf of the processor's extended state.
const LEAF: u32 = 0xd;
/// Numbers of the components of the extended state.
const AVX: u32 = 2;
const MASKS: u32 = 5;
const ZMM_HIGH: u32 = 6;
const ZMM16: u32 = 7;

/// Byte offsets of the components; 0 if the CPU lacks a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Upper halves of ymm0 to ymm15, 16 bytes each.
    pub(crate) avx: usize,
    /// k0 to k7, 8 bytes each.
    pub(crate) masks: usize,
    /// Upper halves of zmm0 to zmm15, 32 bytes each.
    pub(crate) zmm_high: usize,
    /// zmm16 to zmm31, 64 bytes each.
    pub(crate) zmm16: usize,
    /// Size of the whole area.
    pub(crate) bytes: usize,
}

impl Layout {
    /// Asks the CPU for its layout.
    pub(crate) fn of_this_cpu() -> Self {
        // SAFETY: every x86-64 CPU has the CPUID instruction, and its leaf 0.
        #[allow(unused_unsafe, reason = "safe in newer Rust")]
        let highest = unsafe { __cpuid(0) }.eax;
        let leaf = |component| match highest >= LEAF {
            // SAFETY: every x86-64 CPU has the CPUID instruction, and the comparison with `highest` shows that the leaf exists.
            #[allow(unused_unsafe, reason = "safe in newer Rust")]
            true => Some(unsafe { __cpuid_count(LEAF, component) }),
            false => None,
        };
        let offset = |component| leaf(component).map_or(0, |leaf| leaf.ebx as usize);
        let bytes = leaf(0).map_or(0, |leaf| leaf.ecx as usize);
        Self {
            avx: offset(AVX),
            masks: offset(MASKS),
            zmm_high: offset(ZMM_HIGH),
            zmm16: offset(ZMM16),
            // The legacy area and the header are always there.
            bytes: bytes.max(576),
        }
    }
}
