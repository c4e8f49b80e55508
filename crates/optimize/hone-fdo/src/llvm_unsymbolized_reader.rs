//! Reads the output of `llvm-profgen --skip-symbolization`: counts of ranges and of branches, as offsets in the binary.
//!
//! ```text
//! [main:3 @ f]          chain of inlined or ordinary calls, in profiles that keep contexts apart
//! 2                     number of ranges
//! 149-14f:5             first and last instruction, both inclusive, and number of executions
//! 150-158:3
//! 1                     number of branches
//! 158->150:3
//! ```
//!
//! Offsets are from the first executable segment, as llvm-profgen 19 writes and reads them; with other options of
//! llvm-profgen the numbers are addresses. The text does not state which, so the reader takes the meaning under which
//! more places are code.

use crate::bolt_preaggregated_reader::{PreaggregatedError, to_recorded};
use crate::counts::{BranchCount, Counts, add};
use crate::location_counts::Recorded;
use hone_profile::Svma;
use hone_symbols::Binary;

/// Size of a page in bytes: the address of a loaded segment is a multiple of it.
const PAGE: u64 = 4096;

/// Reads the text as a recording of the binary at `path`. Counts of different contexts are added up.
pub fn recorded(
    text: &str,
    binary: &Binary<'_>,
    path: &str,
) -> Result<Recorded, PreaggregatedError> {
    let parsed = Parsed::of(text)?;
    let mut segments = binary.segments().iter();
    let code = segments.find(|segment| segment.executable);
    let first = code.map_or(0, |segment| segment.svma.0 & !(PAGE - 1));
    let is_code = |base: u64| {
        let places = parsed.places();
        places
            .filter(|place| binary.is_executable(Svma(place.wrapping_add(base))))
            .count()
    };
    let base = if is_code(0) > is_code(first) {
        0
    } else {
        first
    };
    let counts = parsed.counts(base);
    to_recorded::filled(&counts, binary, path, parsed.malformed_lines)
}

/// An entry of a list: two places and a count.
type Entry = (u64, u64, u64);

/// Lists of the text, of all contexts together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Parsed {
    ranges: Vec<Entry>,
    branches: Vec<Entry>,
    malformed_lines: u64,
}

impl Parsed {
    fn of(text: &str) -> Result<Self, PreaggregatedError> {
        let mut parsed = Self::default();
        let mut lines = 0;
        // The numbers of entries are not needed: the form of each entry shows its kind.
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            lines += 1;
            let is_context = line.starts_with('[') && line.ends_with(']');
            if is_context || line.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let (entry, list) = match line.contains("->") {
                true => (entry(line, "->"), &mut parsed.branches),
                false => (entry(line, "-"), &mut parsed.ranges),
            };
            match entry {
                Some(entry) => list.push(entry),
                None => parsed.malformed_lines += 1,
            }
        }
        if parsed.ranges.is_empty() && parsed.branches.is_empty() {
            return Err(PreaggregatedError::NoEntries { lines });
        }
        Ok(parsed)
    }

    fn places(&self) -> impl Iterator<Item = u64> {
        let all = self.ranges.iter().chain(&self.branches);
        all.flat_map(|&(from, to, _)| [from, to])
    }

    fn counts(&self, base: u64) -> Counts {
        // Places outside the binary wrap around: llvm-profgen's own mark for them is 1 minus the base.
        let svma = |offset: u64| Svma(offset.wrapping_add(base));
        let mut counts = Counts::default();
        for &(first, last, count) in &self.ranges {
            add(&mut counts.report.ranges, count);
            let key = (svma(first), svma(last));
            add(counts.ranges.entry(key).or_default(), count);
        }
        for &(from, to, taken) in &self.branches {
            add(&mut counts.report.branches, taken);
            let key = (svma(from), svma(to));
            let sum = counts.branches.entry(key).or_insert(BranchCount {
                taken: 0,
                mispredicted: 0,
            });
            add(&mut sum.taken, taken);
        }
        counts
    }
}

/// Parses an entry such as `149-14f:5`.
fn entry(line: &str, separator: &str) -> Option<Entry> {
    let (places, count) = line.rsplit_once(':')?;
    let (from, to) = places.split_once(separator)?;
    let place = |text: &str| u64::from_str_radix(text, 16).ok();
    Some((place(from)?, place(to)?, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address_counts::count_binary;
    use crate::aggregate::Evidence;
    use crate::code::Code;

    /// Reads the file of this test program.
    fn own_bytes() -> Vec<u8> {
        std::fs::read("/proc/self/exe").expect("the test program")
    }

    #[test]
    fn offsets_and_addresses_are_told_apart_and_contexts_added_up() {
        let bytes = own_bytes();
        let binary = Binary::parse(&bytes).expect("an ELF file");
        let mut segments = binary.segments().iter();
        let code = segments.find(|segment| segment.executable).expect("code");
        let first = code.svma.0 & !(PAGE - 1);
        let functions: Vec<_> = binary.functions().iter().collect();
        let (one, two) = (functions[0].start.0, functions[functions.len() - 1].start.0);
        for base in [first, 0] {
            // Read as an offset, the last address is behind the code; read as an address, the first offset is before the code.
            let (low, high) = (one - base, two - base);
            let outside = 1u64.wrapping_sub(base);
            let text = format!(
                "[main:3 @ f]\n1\n  {high:x}-{high:x}:5\n1\n  {low:x}->{high:x}:7\n[main]\n1\n{high:x}-{high:x}:6\n2\n\
                 {outside:x}->{high:x}:2\nhello\n"
            );
            let recorded = recorded(&text, &binary, "/p").expect("a recording");
            assert_eq!(recorded.profile.losses.malformed_records, 1);
            let code = Code::new(&binary);
            let counted = count_binary(&[recorded], Evidence::Branches, Some("/p"), &code);
            let counts = counted.expect("counts").counts;
            let (one, two) = (Svma(one), Svma(two));
            assert_eq!(counts.ranges[&(two, two)], 11);
            assert_eq!(counts.branches[&(one, two)].taken, 7);
            assert_eq!(counts.entering[&two], 2);
        }
    }

    #[test]
    fn a_text_without_entries_is_refused() {
        let bytes = own_bytes();
        let binary = Binary::parse(&bytes).expect("an ELF file");
        let refused = |text: &str| recorded(text, &binary, "/p").err();
        let error = PreaggregatedError::NoEntries { lines: 3 };
        assert_eq!(refused("0\n0\nhello\n"), Some(error));
        let most = u64::MAX;
        let text = format!("2\n1-2:{most}\n1-3:{most}\n0\n");
        assert!(matches!(
            refused(&text),
            Some(PreaggregatedError::TooMuch { .. })
        ));
    }
}
