//! Values of which some bits may be unknown.

/// Up to 64 bits, each known or not. Unknown bits are 0 in `value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Values of the known bits.
    pub value: u64,
    /// Mask of the known bits.
    pub known: u64,
}

/// The mask that covers `bytes` bytes (1 to 8).
#[inline(always)]
pub(crate) fn mask_of(bytes: u8) -> u64 {
    u64::MAX >> (64 - u32::from(bytes) * 8)
}

/// A truth value that may be unknown, as a condition reads it.
pub(crate) type Truth = Option<bool>;

impl Bits {
    /// A value with no known bit.
    pub const UNKNOWN: Self = Self { value: 0, known: 0 };

    /// Returns a value with all bits known.
    #[inline(always)]
    pub const fn known(value: u64) -> Self {
        Self {
            value,
            known: u64::MAX,
        }
    }

    /// The value, if every bit is known.
    #[inline(always)]
    pub const fn get(self) -> Option<u64> {
        if self.known == u64::MAX {
            Some(self.value)
        } else {
            None
        }
    }

    /// Returns a value of which only the bits in `known` are known.
    #[inline(always)]
    pub const fn partly(value: u64, known: u64) -> Self {
        Self {
            value: value & known,
            known,
        }
    }

    /// Returns a value with known zeros in all bits above `mask` and unknown bits below.
    #[inline(always)]
    pub(crate) const fn unknown_below(mask: u64) -> Self {
        Self {
            value: 0,
            known: !mask,
        }
    }

    /// The value under `mask`, if all bits there are known.
    #[inline(always)]
    pub(crate) fn within(self, mask: u64) -> Option<u64> {
        (self.known & mask == mask).then_some(self.value & mask)
    }

    /// The bits under `mask`, with known zeros above.
    #[inline(always)]
    pub(crate) fn low(self, mask: u64) -> Self {
        Self {
            value: self.value & mask,
            known: self.known | !mask,
        }
    }

    /// Combines the bits of `self` outside `mask` with those of `other` inside.
    #[inline(always)]
    pub(crate) fn replaced(self, mask: u64, other: Self) -> Self {
        Self {
            value: (self.value & !mask) | (other.value & mask),
            known: (self.known & !mask) | (other.known & mask),
        }
    }

    /// One bit, if known.
    #[inline(always)]
    pub(crate) fn bit(self, index: u32) -> Truth {
        (self.known >> index & 1 != 0).then_some(self.value >> index & 1 != 0)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let zeros = (self.known & !self.value) | (other.known & !other.value);
        Self {
            value: self.value & other.value,
            known: (self.known & other.known) | zeros,
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            value: self.value | other.value,
            known: (self.known & other.known) | self.value | other.value,
        }
    }

    pub(crate) fn xor(self, other: Self) -> Self {
        let known = self.known & other.known;
        Self::partly(self.value ^ other.value, known)
    }

    pub(crate) fn not(self) -> Self {
        Self::partly(!self.value, self.known)
    }

    pub(crate) fn shifted_left(self, count: u32) -> Self {
        Self {
            value: self.value << count,
            known: (self.known << count) | ((1_u64 << count) - 1),
        }
    }

    /// `self >> count`, where the top comes in as known zeros.
    pub(crate) fn shifted_right(self, count: u32) -> Self {
        Self {
            value: self.value >> count,
            known: !(!self.known >> count),
        }
    }

    /// The value of `bytes` bytes sign-extended to 64 bits.
    pub(crate) fn sign_extended(self, bytes: u8) -> Self {
        let shift = 64 - u32::from(bytes) * 8;
        Self {
            value: ((self.value << shift) as i64 >> shift) as u64,
            known: ((self.known << shift) as i64 >> shift) as u64,
        }
    }

    /// Returns the bits that two possible outcomes have in common.
    pub(crate) fn agreed(self, other: Self) -> Self {
        let known = self.known & other.known & !(self.value ^ other.value);
        Self::partly(self.value, known)
    }
}

/// Returns a mask of the bits below the lowest unknown bit of two operands. A carry out of an unknown bit cannot
/// reach these bits.
#[inline]
pub(crate) fn below_unknown(known: u64) -> u64 {
    match known.trailing_ones() {
        64 => u64::MAX,
        ones => (1_u64 << ones) - 1,
    }
}

/// Spreads one bit per known byte to the eight bits of the byte.
pub(crate) fn bits_of_bytes(bytes: u8) -> u64 {
    if bytes == 0xff {
        return u64::MAX;
    }
    (0..8).fold(0, |bits, index| {
        bits | if bytes >> index & 1 != 0 {
            0xff_u64 << (index * 8)
        } else {
            0
        }
    })
}

/// Returns one bit per byte, set if the eight bits of the byte are all known.
pub(crate) fn bytes_of_bits(bits: u64) -> u8 {
    if bits == u64::MAX {
        return 0xff;
    }
    (0..8).fold(0, |bytes, index| {
        bytes | (u8::from(bits >> (index * 8) & 0xff == 0xff) << index)
    })
}
