//! The third integer argument of a call, as far as a recording knows it: the size of `memcpy` and its like.

/// The value of `rdx` at a branch, which is the third argument at a call by the x86-64 System V ABI.
///
/// The value is kept in 16 bits, so that it fits into a reserved part of the kernel's branch entry, which other readers
/// skip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ThirdArgument(u16);

/// Lowest bit of the argument in the flags of a branch entry: the argument takes the highest 16 of the 31 bits that Linux
/// 6.18 leaves free, as far as possible from the bits that the kernel would take next.
const SHIFT: u32 = 48;

impl ThirdArgument {
    /// Argument that was not recorded, or not known to the recorder.
    pub const UNKNOWN: Self = Self(0);
    /// Largest value that is kept as it is; greater values are [`ThirdArgument::LARGE`].
    pub const MAX: u64 = u16::MAX as u64 - 2;
    /// Argument that is known, and greater than [`ThirdArgument::MAX`].
    pub const LARGE: Self = Self(u16::MAX);

    /// Returns the argument with this value.
    #[inline(always)]
    pub fn of(value: u64) -> Self {
        if value > Self::MAX {
            Self::LARGE
        } else {
            Self(value as u16 + 1)
        }
    }

    /// Returns true if the recorder knew the argument.
    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }

    /// Returns the value; `None` if it is unknown or large.
    pub fn value(self) -> Option<u64> {
        match self {
            Self::UNKNOWN | Self::LARGE => None,
            Self(stored) => Some(u64::from(stored) - 1),
        }
    }

    /// Returns the argument's bits in the third word of a branch entry.
    pub fn to_flags(self) -> u64 {
        u64::from(self.0) << SHIFT
    }

    /// Reads the argument from the third word of a branch entry.
    pub fn from_flags(flags: u64) -> Self {
        Self((flags >> SHIFT) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_the_flags_and_large_ones_as_large() {
        for value in [0, 1, 8, 65_533] {
            let argument = ThirdArgument::of(value);
            let read = ThirdArgument::from_flags(argument.to_flags() | 0x7fff);
            assert_eq!(read.value(), Some(value));
            assert!(read.is_known());
        }
        for value in [65_534, 1 << 20, u64::MAX] {
            let argument = ThirdArgument::of(value);
            assert_eq!(argument, ThirdArgument::LARGE);
            assert_eq!(argument.value(), None);
            assert!(argument.is_known());
        }
        assert!(!ThirdArgument::from_flags(0).is_known());
        assert_eq!(ThirdArgument::UNKNOWN.to_flags(), 0);
    }
}
