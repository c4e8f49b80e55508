//! LLVM's discriminators.
//!
//! A packed discriminator holds up to three numbers, lowest bits first: the base discriminator (which block of the
//! line), the duplication factor (how many copies of the instruction an unroller or vectoriser made)
//! and a copy identifier. Each number has a prefix: a set lowest bit is an empty component of one bit; a
//! clear bit is followed by 5 bits of value and a continuation bit, and if the continuation bit is set by 7 more
//! bits of value.
//!
//! The compiler that reads the profile looks up base discriminators only, and a line executed n times by
//! one instruction of duplication factor d ran n x d times in the source.
//!
//! In a build with flow-sensitive discriminators (`-enable-fs-discriminator`) the lowest 8 bits are the base
//! discriminator, and later passes added the bits above for every copy that they made. Copies can therefore be told
//! apart, there is no factor, and the compiler adds up the counts of one base discriminator.

use hone_symbols::Binary;

/// Bits of a flow-sensitive discriminator that exist when the profile is first applied.
const BASE_BITS: u32 = 0xff;

/// Scheme by which the discriminators of a build are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scheme {
    Packed,
    FlowSensitive,
}

impl Scheme {
    /// Returns the scheme of a binary; it holds for the whole binary, as in LLVM's tools.
    pub(crate) fn of(binary: &Binary<'_>) -> Self {
        if binary.has_flow_sensitive_discriminators() {
            Self::FlowSensitive
        } else {
            Self::Packed
        }
    }

    /// Returns the number that tells blocks of one line apart.
    pub(crate) fn base(self, discriminator: u32) -> u32 {
        match self {
            Self::Packed => base(discriminator),
            Self::FlowSensitive => discriminator & BASE_BITS,
        }
    }

    /// Returns the key of counts that add up: it tells apart copies that passes made and marked.
    pub(crate) fn copy(self, discriminator: u32) -> u32 {
        match self {
            Self::Packed => base(discriminator),
            Self::FlowSensitive => discriminator,
        }
    }

    /// Returns the number of executions of the source for one execution of the instruction: at least 1.
    pub(crate) fn duplication_factor(self, discriminator: u32) -> u32 {
        match self {
            Self::Packed => duplication_factor(discriminator),
            Self::FlowSensitive => 1,
        }
    }
}

/// Returns the number that tells blocks of one line apart.
pub fn base(discriminator: u32) -> u32 {
    component(discriminator)
}

/// Returns the number of executions of the source for one execution of the instruction: at least 1.
pub fn duplication_factor(discriminator: u32) -> u32 {
    component(skip(discriminator)).max(1)
}

fn component(bits: u32) -> u32 {
    if bits & 1 != 0 {
        return 0;
    }
    let low = (bits >> 1) & 0x1f;
    if bits & 0x40 == 0 {
        low
    } else {
        low | ((bits >> 7) & 0x7f) << 5
    }
}

fn skip(bits: u32) -> u32 {
    if bits & 1 != 0 {
        bits >> 1
    } else if bits & 0x40 == 0 {
        bits >> 7
    } else {
        bits >> 14
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pack(value: u32, bits: &mut u32, at: &mut u32) {
        let (code, width) = match value {
            0 => (1, 1),
            1..=0x1f => (value << 1, 7),
            _ => ((value & 0x1f) << 1 | 0x40 | (value >> 5) << 7, 14),
        };
        *bits |= code << *at;
        *at += width;
    }

    #[test]
    fn plain_values() {
        assert_eq!((base(0), duplication_factor(0)), (0, 1));
        assert_eq!((base(2), duplication_factor(2)), (1, 1));
        assert_eq!((base(1), duplication_factor(1)), (0, 1));
        // Base 3 in bits 0 to 6, factor 4 in bits 7 to 13.
        let packed = 3 << 1 | 4 << 1 << 7;
        assert_eq!((base(packed), duplication_factor(packed)), (3, 4));
    }

    #[test]
    fn later_passes_leave_the_base_of_a_flow_sensitive_discriminator() {
        let scheme = Scheme::FlowSensitive;
        // Base 1, and what two passes added.
        let copied = 0xb_0001;
        assert_eq!(scheme.base(copied), 1);
        assert_eq!(scheme.copy(copied), copied);
        assert_eq!(scheme.duplication_factor(copied), 1);
        assert_eq!(Scheme::Packed.base(2), 1);
    }

    proptest! {
        #[test]
        fn what_was_packed_comes_out(value in 0u32..0xfff, factor in 0u32..0xfff) {
            let (mut bits, mut at) = (0, 0);
            pack(value, &mut bits, &mut at);
            pack(factor, &mut bits, &mut at);
            prop_assert_eq!(base(bits), value);
            prop_assert_eq!(duplication_factor(bits), factor.max(1));
        }
    }
}
