//! What a line that nobody understands costs.
//!
//! It may stand between two samples, or in one: then what follows of that sample would look like a sample of its own, or
//! the stack would lack the callers that the line named. The next line tells.

/// Whether a bad line belongs to the sample at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Doubt {
    /// There was none.
    #[default]
    None,
    /// The line before was bad.
    OfOpen,
    /// It was of a sample whose further lines are passed over.
    Lost,
}

impl Doubt {
    /// A frame comes: whether it counts. If the line before was bad, it was of the same sample, which is lost.
    pub(super) fn has_more<T>(&mut self, open: &mut Option<T>) -> bool {
        if *self == Self::None {
            return true;
        }
        *open = None;
        *self = Self::Lost;
        false
    }

    /// A line of branches comes, which ends a sample: whether it counts. Without anything before it, it is a sample of
    /// its own.
    pub(super) fn has_last<T>(&mut self, open: &mut Option<T>) -> bool {
        match *self {
            Self::None => true,
            Self::OfOpen if open.is_none() => true,
            Self::OfOpen | Self::Lost => {
                *open = None;
                *self = Self::Lost;
                false
            }
        }
    }

    /// The sample at hand ends; whether it was lost.
    pub(super) fn ends(&mut self) -> bool {
        std::mem::take(self) == Self::Lost
    }
}
