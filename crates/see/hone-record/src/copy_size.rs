//! Size of the stack copy in each sample, for recordings without a given size.
//!
//! Most stacks are short, but the kernel copies as far as memory goes: for a goroutine, and for a thread whose stack lies below
//! another mapping, all bytes that it was asked for. The bytes that unwinding reads show how much of a copy is useful.

/// Possible sizes of a copy, in bytes.
pub(crate) const SIZES: [u32; 5] = [4_096, 8_192, 16_384, 32_768, 65_528];
/// Number of stacks after which the size is reconsidered.
const LOOK_AFTER: u64 = 100;
/// Largest share of the stacks that may be longer than a smaller copy, for the smaller copy to be chosen.
const LONGER_MAX: f64 = 0.005;
/// Share of truncated stacks above which a larger copy is chosen.
const TRUNCATED_MAX: f64 = 0.02;

/// Counts of stacks by the bytes of their copy that unwinding needed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Needs {
    /// Stacks by the index in [`SIZES`] of the smallest size that was enough.
    by_size: [u64; SIZES.len()],
    truncated: u64,
}

impl Needs {
    /// Counts a stack that was unwound to its end with `bytes` bytes of its copy.
    pub(crate) fn note(&mut self, bytes: usize) {
        let enough = |size: &u32| bytes <= *size as usize;
        let place = SIZES.iter().position(enough).unwrap_or(SIZES.len() - 1);
        self.by_size[place] += 1;
    }

    /// Counts a stack that was longer than its copy.
    pub(crate) fn note_truncated(&mut self) {
        self.truncated += 1;
    }

    fn add(&mut self, later: Self) {
        for (sum, one) in self.by_size.iter_mut().zip(later.by_size) {
            *sum += one;
        }
        self.truncated += later.truncated;
    }

    fn stacks(self) -> u64 {
        self.by_size.iter().sum::<u64>() + self.truncated
    }

    /// Returns the share of the stacks that needed more than `size` bytes.
    fn longer_than(self, size: u32) -> f64 {
        let shorter = SIZES.iter().zip(self.by_size);
        let enough: u64 = shorter
            .filter(|(known, _)| **known <= size)
            .map(|(_, stacks)| stacks)
            .sum();
        1.0 - enough as f64 / self.stacks() as f64
    }
}

/// Size of copies, which follows the needs of stacks.
pub(crate) struct CopySize {
    bytes: u32,
    least: u32,
    most: u32,
    needs: Needs,
}

impl CopySize {
    /// Starts with the largest size.
    pub(crate) fn new(most: u32) -> Self {
        Self {
            bytes: most,
            least: 0,
            most,
            needs: Needs::default(),
        }
    }

    /// Takes the recent needs of stacks and returns the new size, if the size should change.
    pub(crate) fn look(&mut self, lately: Needs) -> Option<u32> {
        self.needs.add(lately);
        if self.needs.stacks() < LOOK_AFTER {
            return None;
        }
        let needs = std::mem::take(&mut self.needs);
        let truncated = needs.truncated as f64 / needs.stacks() as f64;
        let next = if truncated > TRUNCATED_MAX {
            let larger = SIZES.into_iter().find(|size| *size > self.bytes);
            // No smaller size is chosen later: stacks that sometimes need this size will need it again.
            self.least = larger.unwrap_or(self.most).min(self.most);
            self.least
        } else {
            SIZES
                .into_iter()
                .find(|size| *size >= self.least && needs.longer_than(*size) <= LONGER_MAX)
                .unwrap_or(self.bytes)
                .min(self.bytes)
        };
        (next != self.bytes).then(|| {
            self.bytes = next;
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(stacks: &[(u64, usize)], truncated: u64) -> Needs {
        let mut needs = Needs::default();
        for (number, bytes) in stacks {
            (0..*number).for_each(|_| needs.note(*bytes));
        }
        (0..truncated).for_each(|_| needs.note_truncated());
        needs
    }

    #[test]
    fn copies_are_as_small_as_nearly_all_stacks_allow() {
        let mut size = CopySize::new(65_528);
        assert_eq!(size.look(needs(&[(60, 1_000)], 0)), None, "too few to tell");
        assert_eq!(size.look(needs(&[(340, 900), (3, 7_000)], 0)), Some(8_192));
        assert_eq!(size.look(needs(&[(200, 900)], 0)), Some(4_096));
        assert_eq!(size.look(needs(&[(200, 4_096)], 0)), None);
        let mut deep = CopySize::new(65_528);
        assert_eq!(deep.look(needs(&[(300, 900), (50, 40_000)], 20)), None);
    }

    #[test]
    fn truncated_stacks_make_copies_larger_for_good_and_never_larger_than_may_be() {
        let mut size = CopySize::new(16_000);
        assert_eq!(size.look(needs(&[(200, 900)], 0)), Some(4_096));
        assert_eq!(size.look(needs(&[(196, 900)], 3)), None, "few");
        assert_eq!(size.look(needs(&[(190, 900)], 20)), Some(8_192));
        assert_eq!(size.look(needs(&[(200, 900)], 0)), None, "they were deep");
        assert_eq!(size.look(needs(&[(100, 900)], 20)), Some(16_000));
        assert_eq!(size.look(needs(&[(100, 900)], 20)), None);
    }
}
