//! A model of an instruction cache: sets of a few places each, in which the least recently used line is replaced (LRU).
//!
//! A recording shows short walks of a program but not the execution before them, so the first touch of a line in a
//! walk may have been a hit or a miss. The model marks the touches that are certain: a touch is known if its line was
//! touched in the same walk, or if all places of its set were filled in the same walk. This is the method of primed sets
//! (Laha, Patel and Iyer, "Accurate low-cost methods for performance evaluation of cache memory systems", IEEE
//! Transactions on Computers 37, 1988). The other touches are guessed from the lines that earlier walks left in the cache.

use hone_profile::BinaryId;
use serde::Serialize;

/// Dimensions of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CacheShape {
    /// Size in bytes.
    pub bytes: u64,
    /// Number of places in a set.
    pub ways: u64,
    /// Size of a line in bytes; for a TLB, size of a page.
    pub line_bytes: u64,
}

impl CacheShape {
    /// Instruction cache of most x86-64 CPUs since 2008: 32 KiB, 8 ways, lines of 64 bytes.
    pub const L1I: Self = Self {
        bytes: 32 << 10,
        ways: 8,
        line_bytes: 64,
    };

    /// Returns the shape of a TLB with the given number of entries for pages of 4 KiB, any page in any entry.
    pub fn tlb(entries: u64) -> Self {
        Self {
            bytes: entries.saturating_mul(4096),
            ways: entries,
            line_bytes: 4096,
        }
    }

    /// Returns true if the cache can be built: a power of two for a line, whole sets, and no more than 2^20 places.
    pub fn is_sound(self) -> bool {
        let set = self.ways.checked_mul(self.line_bytes);
        self.line_bytes.is_power_of_two()
            && set.is_some_and(|set| set > 0 && self.bytes >= set && self.bytes.is_multiple_of(set))
            && self.bytes / self.line_bytes <= 1 << 20
    }
}

/// Result of a touch of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    Hit,
    Miss,
    /// The result is not known; the lines that earlier walks left suggest a hit.
    GuessedHit,
    /// The result is not known; the lines that earlier walks left suggest a miss.
    GuessedMiss,
}

/// Numbers of touches of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Touches {
    /// Number of all touches: one for each line of each straight range.
    pub all: u64,
    /// Number of certain misses.
    pub misses: u64,
    /// Number of touches at a cold start that are guessed to be misses.
    pub guessed_misses: u64,
    /// Number of touches at a cold start that are guessed to be hits.
    pub guessed_hits: u64,
}

impl Touches {
    /// Number of misses, including guessed misses.
    pub fn misses_likely(&self) -> u64 {
        self.misses + self.guessed_misses
    }

    /// Number of misses if every touch that is not known was a miss.
    pub fn misses_max(&self) -> u64 {
        self.misses + self.guessed_misses + self.guessed_hits
    }

    /// Share of the likely misses that is only guessed, 0 to 1.
    pub fn cold_start_share(&self) -> f64 {
        self.guessed_misses as f64 / self.misses_likely().max(1) as f64
    }

    pub(super) fn count(&mut self, touch: Touch) {
        self.all += 1;
        match touch {
            Touch::Hit => {}
            Touch::Miss => self.misses += 1,
            Touch::GuessedHit => self.guessed_hits += 1,
            Touch::GuessedMiss => self.guessed_misses += 1,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.all += other.all;
        self.misses += other.misses;
        self.guessed_misses += other.guessed_misses;
        self.guessed_hits += other.guessed_hits;
    }
}

/// A line of a mapped file.
type Line = (BinaryId, u64);

/// A cache and its content.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    shape: CacheShape,
    /// Lines of each set, the newest first, each with the walk that touched it last.
    sets: Vec<Vec<(Line, u64)>>,
    walk: u64,
}

impl Cache {
    /// Creates an empty cache; a shape that is not sound is replaced by [`CacheShape::L1I`].
    pub(super) fn new(shape: CacheShape) -> Self {
        let shape = if shape.is_sound() {
            shape
        } else {
            CacheShape::L1I
        };
        let sets = shape.bytes / shape.line_bytes / shape.ways;
        Self {
            shape,
            sets: vec![Vec::new(); sets as usize],
            walk: 0,
        }
    }

    /// Starts another walk, which all later touches belong to.
    pub(super) fn next_walk(&mut self) {
        self.walk += 1;
    }

    /// Touches the lines of code from one offset in a file through another.
    pub(super) fn fetch(&mut self, binary: BinaryId, first: u64, last: u64) -> Touches {
        let mut touches = Touches::default();
        for line in first / self.shape.line_bytes..=last / self.shape.line_bytes {
            touches.count(self.touch((binary, line)));
        }
        touches
    }

    fn touch(&mut self, line: Line) -> Touch {
        let ways = self.shape.ways as usize;
        let index = (line.1 % self.sets.len() as u64) as usize;
        let set = &mut self.sets[index];
        match set.iter().position(|(known, _)| *known == line) {
            Some(at) => {
                let (_, walk) = set[at];
                set[..=at].rotate_right(1);
                set[0].1 = self.walk;
                match walk == self.walk {
                    true => Touch::Hit,
                    false => Touch::GuessedHit,
                }
            }
            None => {
                // The newest lines come first: if the last line was touched in this walk, all lines were.
                let is_known =
                    set.len() == ways && set.last().is_some_and(|(_, walk)| *walk == self.walk);
                set.truncate(ways - 1);
                set.insert(0, (line, self.walk));
                match is_known {
                    true => Touch::Miss,
                    false => Touch::GuessedMiss,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: BinaryId = BinaryId(0);

    /// Returns a cache with two sets of two lines.
    fn small() -> Cache {
        Cache::new(CacheShape {
            bytes: 256,
            ways: 2,
            line_bytes: 64,
        })
    }

    fn touches(cache: &mut Cache, lines: &[u64]) -> Vec<Touch> {
        let touch = |line: &u64| cache.touch((FILE, *line));
        lines.iter().map(touch).collect()
    }

    #[test]
    fn the_longest_unused_line_goes_and_first_touches_are_guesses() {
        use Touch::*;
        let mut cache = small();
        // Lines 0, 2, 4 share a set; line 1 has the other set for itself.
        let seen = touches(&mut cache, &[0, 2, 0, 4, 0, 2, 1, 1]);
        let expected = [
            GuessedMiss,
            GuessedMiss,
            Hit,
            Miss, // the set is full of this walk's lines
            Hit,
            Miss, // 4 took the place of 2
            GuessedMiss,
            Hit,
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn another_walk_knows_nothing_and_guesses_by_what_was_left() {
        use Touch::*;
        let mut cache = small();
        touches(&mut cache, &[0, 2]);
        cache.next_walk();
        assert_eq!(
            touches(&mut cache, &[0, 4, 6, 4]),
            [GuessedHit, GuessedMiss, Miss, Hit]
        );
    }

    #[test]
    fn a_range_touches_each_of_its_lines_once() {
        let mut cache = small();
        let touched = cache.fetch(FILE, 60, 130);
        assert_eq!((touched.all, touched.guessed_misses), (3, 3));
        assert_eq!(cache.fetch(FILE, 64, 127).all, 1);
        assert_eq!(cache.fetch(FILE, 64, 127).misses_max(), 0);
    }

    #[test]
    fn shapes_that_cannot_be_built_are_told() {
        let shape = |bytes, ways, line_bytes| CacheShape {
            bytes,
            ways,
            line_bytes,
        };
        assert!(CacheShape::L1I.is_sound() && CacheShape::tlb(64).is_sound());
        assert!(shape(48 << 10, 12, 64).is_sound());
        for unsound in [
            shape(0, 8, 64),
            shape(32 << 10, 0, 64),
            shape(32 << 10, 8, 0),
            shape(32 << 10, 8, 48),
            shape(1000, 8, 64),
            shape(u64::MAX, u64::MAX, 1 << 63),
        ] {
            assert!(!unsound.is_sound(), "{unsound:?}");
            // No such shape makes a model that panics.
            Cache::new(unsound).fetch(FILE, 0, 64);
        }
    }
}
