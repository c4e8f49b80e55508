//! Cost of a line that cannot be understood.
//!
//! The line may be between two samples, or in a sample: then the rest of that sample would look like a sample of its own, or
//! the stack would lack the callers that the line named. The next line tells which.

/// Doubt whether a bad line belongs to the current sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Doubt {
    /// There was no bad line.
    #[default]
    None,
    /// The line before was bad.
    OfOpen,
    /// The bad line belonged to a sample whose further lines are skipped.
    Lost,
}

impl Doubt {
    /// Notes a frame; returns true if the frame counts. If the line before was bad, it belonged to the same sample, which is lost.
    pub(super) fn has_more<T>(&mut self, open: &mut Option<T>) -> bool {
        if *self == Self::None {
            return true;
        }
        *open = None;
        *self = Self::Lost;
        false
    }

    /// Notes a line of branches, which ends a sample; returns true if the line counts. If a bad line but no part of a sample
    /// came before, the line is a sample of its own.
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

    /// Ends the current sample; returns true if the sample was lost.
    pub(super) fn ends(&mut self) -> bool {
        std::mem::take(self) == Self::Lost
    }
}
