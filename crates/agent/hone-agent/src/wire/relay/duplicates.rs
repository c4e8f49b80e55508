//! Record of frames that came already, so that a frame whose answer got lost counts once.
//!
//! The last [`WINDOW`] sequence numbers of each agent are known. An agent sends in order, so that a repeated frame is
//! the frame that the agent sent last, or one of a few before if the agent's disk queue went back. Older frames are
//! refused: whether they were taken is not known, and the agent then counts them as lost, so that nobody counts them
//! twice.

use super::Origin;
use std::collections::HashMap;

/// Number of sequence numbers of one agent that are known, back from the highest.
pub const WINDOW: u64 = 512;
const WORDS: usize = (WINDOW / 64) as usize;

/// Answer to the question whether a frame came already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// The frame did not come.
    Never,
    /// The frame was taken.
    Before,
    /// The frame is too old to tell.
    TooLate,
}

/// Frames of one agent.
#[derive(Clone, Debug)]
struct Source {
    highest: u64,
    /// One bit for each of the last sequence numbers, by the remainder of the number modulo [`WINDOW`].
    taken: [u64; WORDS],
}

/// The frames that were taken.
///
/// An agent is forgotten only after very many others came since it was heard last: young and old agents are two maps,
/// and when the young map has half of the allowed agents, it becomes the old map.
#[derive(Debug)]
pub struct Seen {
    young: HashMap<u64, Source>,
    old: HashMap<u64, Source>,
    sources_max: usize,
}

impl Seen {
    /// Returns an empty record for at most the given number of agents.
    pub fn new(sources_max: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            sources_max: sources_max.max(2),
        }
    }

    /// Returns whether a frame came already.
    pub fn came(&self, origin: Origin) -> Came {
        let known = self.young.get(&origin.source);
        let known = known.or_else(|| self.old.get(&origin.source));
        known.map_or(Came::Never, |source| source.came(origin.sequence))
    }

    /// Notes that a frame was taken.
    pub fn take(&mut self, origin: Origin) {
        if let Some(source) = self.young.get_mut(&origin.source) {
            return source.take(origin.sequence);
        }
        let known = self.old.remove(&origin.source);
        let mut source = known.unwrap_or_else(|| Source::new(origin.sequence));
        source.take(origin.sequence);
        if self.young.len() >= self.sources_max / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(origin.source, source);
    }
}

impl Source {
    fn new(sequence: u64) -> Self {
        Self {
            highest: sequence,
            taken: [0; WORDS],
        }
    }

    fn place(sequence: u64) -> (usize, u64) {
        let at = sequence % WINDOW;
        ((at / 64) as usize, 1 << (at % 64))
    }

    fn came(&self, sequence: u64) -> Came {
        if sequence > self.highest {
            return Came::Never;
        }
        if self.highest - sequence >= WINDOW {
            return Came::TooLate;
        }
        let (word, bit) = Self::place(sequence);
        match self.taken[word] & bit {
            0 => Came::Never,
            _ => Came::Before,
        }
    }

    fn take(&mut self, sequence: u64) {
        // The bits of skipped numbers stand for other numbers, a window before.
        let passed = sequence.saturating_sub(self.highest);
        if passed >= WINDOW {
            self.taken = [0; WORDS];
        } else {
            for between in 0..passed {
                let (word, bit) = Self::place(sequence - between);
                self.taken[word] &= !bit;
            }
        }
        self.highest = self.highest.max(sequence);
        let (word, bit) = Self::place(sequence);
        self.taken[word] |= bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_agent_is_known_until_many_others_came() {
        let mut seen = Seen::new(4);
        let origin = |source| Origin {
            source,
            sequence: 9,
        };
        for source in [1, 2, 3] {
            seen.take(origin(source));
            assert_eq!(seen.came(origin(source)), Came::Before);
        }
        // The agent is heard again, and so stays.
        seen.take(origin(1));
        seen.take(origin(4));
        assert_eq!(seen.came(origin(1)), Came::Before);
        for source in 10..20 {
            seen.take(origin(source));
        }
        assert_eq!(seen.came(origin(1)), Came::Never);
        assert!(seen.young.len() + seen.old.len() <= 4);
    }

    proptest! {
        #[test]
        fn what_was_taken_is_known_as_far_as_the_window_reaches(
            steps in prop::collection::vec((0..40_u64, 0..700_u64), 1..200),
        ) {
            let mut seen = Seen::new(10);
            let mut taken = BTreeSet::new();
            let mut next = 1000;
            for (forward, back) in steps {
                next += forward;
                let origin = Origin { source: 7, sequence: next - back };
                let highest = taken.last().copied();
                let expected = match highest {
                    Some(highest) if origin.sequence + WINDOW <= highest => Came::TooLate,
                    _ if taken.contains(&origin.sequence) => Came::Before,
                    _ => Came::Never,
                };
                prop_assert_eq!(seen.came(origin), expected);
                if expected == Came::Never {
                    seen.take(origin);
                    taken.insert(origin.sequence);
                }
            }
        }
    }
}
