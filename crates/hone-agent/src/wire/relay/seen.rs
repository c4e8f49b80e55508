//! Which frames came already, so that one whose answer got lost counts once.
//!
//! Of each agent the last [`WINDOW`] sequence numbers are known. An agent sends in order, so that what comes again is the
//! frame that it sent last, or a few of those before where its disk queue went back. Older ones are refused: whether they
//! were taken is not known, and the agent then counts them as lost rather than anybody counts them twice.

use super::Origin;
use std::collections::HashMap;

/// Sequence numbers of one agent that are known, back from its highest.
pub const WINDOW: u64 = 512;
const WORDS: usize = (WINDOW / 64) as usize;

/// Whether a frame came already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// It did not.
    Never,
    /// It was taken.
    Before,
    /// It is too old to tell.
    TooLate,
}

/// What is known of one agent.
#[derive(Clone, Debug)]
struct Source {
    highest: u64,
    /// One bit for each of the last sequence numbers, by their remainder.
    taken: [u64; WORDS],
}

/// The frames that were taken.
///
/// Agents are forgotten only when very many others came since they were heard last: the young ones and those that grew
/// old are two maps, and when the young are half of what there may be they become the old.
#[derive(Debug)]
pub struct Seen {
    young: HashMap<u64, Source>,
    old: HashMap<u64, Source>,
    sources_max: usize,
}

impl Seen {
    /// Remembers at most so many agents.
    pub fn new(sources_max: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            sources_max: sources_max.max(2),
        }
    }

    /// Whether a frame came already.
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
        // The bits of those that are passed over stood for others, a window before.
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
        // It is heard again, and so stays.
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
