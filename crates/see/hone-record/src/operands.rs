//! Operands that walks met, added up for the recording.
//!
//! Where an instruction lies in its file is told by the mappings of its walk, so that a process that ends or becomes another program
//! loses nothing. The number of instructions is limited: those that come first are kept, and hot ones come first.

use hone_emulate::{LINES_ONE_OF, Met};
use hone_profile::limits::OPERANDS_MAX;
use hone_profile::{FileOffset, MetOperands, Operands, Watched};
use rustc_hash::{FxHashMap, FxHashSet};

/// Divisors of one instruction that are told apart. Walks with others count as walks with another divisor than the usual one.
const DIVISORS_MAX: usize = 4;

/// Cache lines of one instruction that are kept: more need not be told apart.
const LINES_MAX: usize = 512;

/// What a walk met at an instruction of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MetInFile {
    pub(crate) path: String,
    pub(crate) at: FileOffset,
    pub(crate) met: Met,
}

/// Sums over all walks.
#[derive(Default)]
pub(crate) struct OperandSums {
    walks: u64,
    sums: FxHashMap<(String, FileOffset, Watched), Sum>,
    /// Number of sums of loads: programs have more loads than all else that is counted.
    of_loads: usize,
}

#[derive(Default)]
struct Sum {
    walks: u64,
    executions: u64,
    squares: u64,
    /// Odd executions by value.
    odd: Vec<(u64, u64)>,
    all_odd: u64,
    /// Largest value of an odd execution.
    most: u64,
    /// Hashes of the cache lines that are told.
    lines: FxHashSet<u32>,
}

impl OperandSums {
    /// Adds what a walk met; `None` for a walk that did not look.
    pub(crate) fn add(&mut self, met: Option<Vec<MetInFile>>) {
        let Some(met) = met else { return };
        self.walks += 1;
        for MetInFile { path, at, met } in met {
            let key = (path, at, met.watched);
            let is_load = met.watched == Watched::Loads;
            if let Some(sum) = self.sums.get_mut(&key) {
                sum.add(met);
            } else if self.has_room(is_load) {
                self.of_loads += usize::from(is_load);
                self.sums.entry(key).or_default().add(met);
            }
        }
    }

    /// True if there is room for one more instruction. Loads take half of the room at most.
    fn has_room(&self, is_load: bool) -> bool {
        match is_load {
            true => self.of_loads < OPERANDS_MAX / 2,
            false => self.sums.len() - self.of_loads < OPERANDS_MAX / 2,
        }
    }

    /// Returns the sums; `None` if no walk looked.
    pub(crate) fn close(self) -> Option<Operands> {
        let mut met: Vec<MetOperands> = self
            .sums
            .into_iter()
            .map(|((path, at, watched), sum)| {
                let (value, odd) = sum.value_and_odd(watched);
                MetOperands {
                    path,
                    at,
                    watched,
                    walks: sum.walks,
                    executions: sum.executions,
                    squares: sum.squares,
                    odd,
                    value,
                    lines: sum.lines.len() as u64 * u64::from(LINES_ONE_OF),
                }
            })
            .collect();
        met.sort_by(|a, b| (&a.path, a.at).cmp(&(&b.path, b.at)));
        (self.walks > 0).then_some(Operands {
            walks: self.walks,
            met,
        })
    }
}

impl Sum {
    /// Returns the value that is told, and the odd executions: those with the usual divisor, all with few bytes, or all far loads.
    fn value_and_odd(&self, watched: Watched) -> (u64, u64) {
        let usual = self.odd.iter().max_by_key(|(_, odd)| *odd);
        match watched {
            Watched::Length => (self.most, self.all_odd),
            Watched::Loads => (usual.map_or(0, |(value, _)| *value), self.all_odd),
            Watched::Denormals | Watched::Divisor => usual.copied().unwrap_or_default(),
        }
    }

    fn add(&mut self, met: Met) {
        self.walks += 1;
        self.executions += met.executions;
        self.squares += met.executions * met.executions;
        self.all_odd += met.odd;
        for line in met.lines {
            if self.lines.len() < LINES_MAX {
                self.lines.insert(line);
            }
        }
        if met.odd > 0 {
            self.most = self.most.max(met.value);
        }
        if let Some((_, odd)) = self.odd.iter_mut().find(|(value, _)| *value == met.value) {
            *odd += met.odd;
        } else if self.odd.len() < DIVISORS_MAX {
            self.odd.push((met.value, met.odd));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::Avma;

    fn met(at: u64, executions: u64, odd: u64, value: u64) -> MetInFile {
        MetInFile {
            path: "/p".into(),
            at: FileOffset(at),
            met: Met {
                at: Avma(at + 0x40_0000),
                watched: Watched::Divisor,
                executions,
                odd,
                value,
                lines: Vec::new(),
            },
        }
    }

    #[test]
    fn walks_are_added_up_and_the_usual_divisor_wins() {
        let mut sums = OperandSums::default();
        sums.add(Some(vec![met(0x10, 5, 5, 3)]));
        sums.add(Some(vec![met(0x10, 10, 10, 7), met(0x20, 1, 1, 2)]));
        sums.add(Some(vec![met(0x10, 10, 8, 7)]));
        sums.add(Some(Vec::new()));
        sums.add(None);
        let sums = sums.close().unwrap();
        assert_eq!((sums.walks, sums.met.len()), (4, 2));
        let first = &sums.met[0];
        assert_eq!((first.at, first.value), (FileOffset(0x10), 7));
        assert_eq!((first.walks, first.executions, first.odd), (3, 25, 18));
        assert_eq!(first.squares, 225);
    }

    #[test]
    fn divisors_that_always_change_have_no_usual_one() {
        let mut sums = OperandSums::default();
        for value in 1..=100 {
            sums.add(Some(vec![met(0x10, 1, 1, value)]));
        }
        let sums = sums.close().unwrap();
        assert_eq!((sums.met[0].executions, sums.met[0].odd), (100, 1));
    }

    #[test]
    fn small_calls_of_all_lengths_are_added_up() {
        let mut sums = OperandSums::default();
        for length in 1..=100 {
            let mut one = met(0x10, 1, u64::from(length <= 60), length);
            one.met.watched = Watched::Length;
            sums.add(Some(vec![one]));
        }
        let sums = sums.close().unwrap();
        assert_eq!((sums.met[0].odd, sums.met[0].value), (60, 60));
    }

    fn loads(at: u64, lines: std::ops::Range<u32>, value: u64) -> MetInFile {
        let mut one = met(at, 1, 1, value);
        one.met.watched = Watched::Loads;
        one.met.lines = lines.collect();
        one
    }

    #[test]
    fn lines_that_several_walks_read_count_once_and_the_usual_jump_is_told() {
        let mut sums = OperandSums::default();
        for (lines, value) in [(0..4, 1), (2..6, 0), (0..6, 1)] {
            sums.add(Some(vec![loads(0x10, lines, value)]));
        }
        let sums = sums.close().unwrap();
        let [met] = &sums.met[..] else {
            panic!("{sums:?}")
        };
        assert_eq!((met.lines, met.odd, met.value), (6 * 16, 3, 1));
    }

    #[test]
    fn the_number_of_instructions_is_limited_and_loads_crowd_nothing_out() {
        let mut sums = OperandSums::default();
        for at in 0..OPERANDS_MAX as u64 {
            sums.add(Some(vec![loads(at, 0..1, 0)]));
        }
        for at in 0..OPERANDS_MAX as u64 {
            sums.add(Some(vec![met(at, 1, 1, 1)]));
        }
        sums.add(Some(vec![met(0, 1, 1, 1), loads(0, 0..1, 0)]));
        let sums = sums.close().unwrap();
        let of = |watched| sums.met.iter().filter(move |met| met.watched == watched);
        for watched in [Watched::Loads, Watched::Divisor] {
            assert_eq!(of(watched).count(), OPERANDS_MAX / 2);
            assert_eq!(of(watched).map(|met| met.walks).max(), Some(2));
        }
    }

    #[test]
    fn without_a_walk_that_looked_there_are_none() {
        let mut sums = OperandSums::default();
        sums.add(None);
        assert_eq!(sums.close(), None);
    }
}
