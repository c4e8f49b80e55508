//! Turns the counts by address of the text into a recording, so that every product of a recording, and every
//! check for impossible data, works for the text too.

use super::{Places, PreaggregatedError, read};
use crate::counts::{BranchCount, Counts, add};
use crate::location_counts::{Recorded, Tally};
use hone_profile::{Avma, BinaryId, BinaryKind, FileOffset, LocationId, Profile, Svma};
use hone_symbols::Binary;

/// Largest sum of one kind of line. Real sums are far smaller, and no later sum can overflow.
const SUM_MAX: u64 = 1 << 56;

/// Reads the text as a recording of the binary at `path`.
///
/// The text has no samples: each of its branches (or ranges, if it has no branches) counts as one sample.
pub fn recorded(
    text: &str,
    binary: &Binary<'_>,
    path: &str,
) -> Result<Recorded, PreaggregatedError> {
    let places = Places {
        build_id: binary.build_id(),
        base: Svma(0),
    };
    let (counts, report) = read(text, &places)?;
    let build_id = binary.build_id().filter(|_| report.names_build);
    let mut recorded = filled(&counts, binary, path, report.malformed_lines)?;
    recorded.profile.binaries[0].build_id = build_id.cloned();
    Ok(recorded)
}

/// Returns the counts as a recording of the binary, without a build id.
pub(crate) fn filled(
    counts: &Counts,
    binary: &Binary<'_>,
    path: &str,
    malformed_lines: u64,
) -> Result<Recorded, PreaggregatedError> {
    let sums = [
        counts.report.branches,
        counts.report.ranges,
        counts.report.samples,
    ];
    if sums.into_iter().any(|sum| sum > SUM_MAX) {
        return Err(PreaggregatedError::TooMuch { max: SUM_MAX });
    }
    let mut profile = Profile::default();
    profile.losses.malformed_records = malformed_lines;
    let here = profile.intern_binary(hone_profile::Binary {
        path: path.to_owned(),
        build_id: None,
        kind: BinaryKind::File,
    });
    let elsewhere = profile.intern_unmapped(Avma(0));
    let mut filling = Filling {
        binary,
        profile,
        here,
        elsewhere,
        tally: Tally::default(),
    };
    filling.fill(counts);
    Ok(Recorded::new(filling.profile, filling.tally))
}

/// State of the conversion from counts by address to counts by location.
struct Filling<'f, 'b> {
    binary: &'f Binary<'b>,
    profile: Profile,
    here: BinaryId,
    elsewhere: LocationId,
    tally: Tally,
}

impl Filling<'_, '_> {
    /// Returns the location of an address. BOLT writes 0 and the like for places in other files.
    fn location(&mut self, svma: Svma) -> LocationId {
        let offset = self.binary.file_offset_of(svma);
        match offset.filter(|_| self.binary.is_executable(svma)) {
            Some(FileOffset(offset)) => self.profile.intern_location(self.here, FileOffset(offset)),
            None => self.elsewhere,
        }
    }

    fn fill(&mut self, counts: &Counts) {
        for (&(from, to), &count) in &counts.branches {
            let (from, to) = (self.location(from), self.location(to));
            self.branch(from, to, count);
        }
        let one_way = |taken| BranchCount {
            taken,
            mispredicted: 0,
        };
        for (&from, &taken) in &counts.leaving {
            let from = self.location(from);
            self.branch(from, self.elsewhere, one_way(taken));
        }
        for (&to, &taken) in &counts.entering {
            let to = self.location(to);
            self.branch(self.elsewhere, to, one_way(taken));
        }
        let foreign = counts.report.branches_foreign;
        if foreign > 0 {
            self.branch(self.elsewhere, self.elsewhere, one_way(foreign));
        }
        let ranges_alone = self.tally.branches.is_empty();
        for (&(first, last), &count) in &counts.ranges {
            let (first, last) = (self.location(first), self.location(last));
            add(self.tally.ranges.entry((first, last)).or_default(), count);
            if ranges_alone {
                self.sample(first, count);
                add(&mut self.tally.samples_with_branches, count);
            }
        }
        for (&at, &count) in &counts.ips {
            let at = self.location(at);
            self.sample(at, count);
            add(self.tally.plain.entry(at).or_default(), count);
        }
        let foreign = counts.report.samples - counts.report.samples_here;
        if foreign > 0 {
            self.sample(self.elsewhere, foreign);
            add(self.tally.plain.entry(self.elsewhere).or_default(), foreign);
        }
    }

    fn branch(&mut self, from: LocationId, to: LocationId, count: BranchCount) {
        let sum = self.tally.branches.entry((from, to)).or_default();
        add(&mut sum.taken, count.taken);
        add(&mut sum.mispredicted, count.mispredicted.min(count.taken));
        add(&mut self.tally.branch_records, count.taken);
        add(&mut self.tally.samples_with_branches, count.taken);
        // A branch from outside counts for the binary like a branch inside the binary.
        let at = if from == self.elsewhere { to } else { from };
        self.sample(at, count.taken);
    }

    fn sample(&mut self, at: LocationId, count: u64) {
        add(&mut self.tally.samples, count);
        add(self.tally.samples_at.entry(at).or_default(), count);
    }
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
    fn the_text_is_counted_as_a_recording_is() {
        let bytes = own_bytes();
        let binary = Binary::parse(&bytes).expect("an ELF file");
        let mut large = binary.functions().iter().filter(|f| f.size() > 64);
        let (one, two) = (
            large.next().expect("a function"),
            large.next().expect("another"),
        );
        let (from, to) = (one.start.0 + 8, two.start.0);
        let text = format!(
            "B {from:x} {to:x} 5 1\nB X:0 {to:x} 2 0\nB {from:x} 0 3 0\nB X:1 X:2 4 0\nS {to:x} 6\nnonsense\n\
             F {to:x} {to:x} 7\nF {from:x} {to:x} 9\n"
        );
        let recorded = recorded(&text, &binary, "/p").expect("a recording");
        assert_eq!(recorded.profile.losses.malformed_records, 1);
        let code = Code::new(&binary);
        let counted = count_binary(&[recorded], Evidence::Branches, Some("/p"), &code);
        let counts = counted.expect("counts").counts;
        let (from, to) = (Svma(from), Svma(to));
        let branch = counts.branches[&(from, to)];
        assert_eq!((branch.taken, branch.mispredicted), (5, 1));
        assert_eq!((counts.entering[&to], counts.leaving[&from]), (2, 3));
        assert_eq!((counts.ranges[&(to, to)], counts.ips[&to]), (7, 6));
        assert_eq!(
            counts.ranges.len(),
            1,
            "one that leaves its function is dropped"
        );
        let report = &counts.report;
        assert_eq!((report.branches, report.branches_foreign), (14, 4));
        assert_eq!((report.samples, report.samples_here), (20, 16));
    }

    #[test]
    fn sums_cannot_overflow() {
        let bytes = own_bytes();
        let binary = Binary::parse(&bytes).expect("an ELF file");
        let most = u64::MAX;
        let text = format!("B 10 20 {most} 0\nB 10 30 {most} 0\n");
        let refused = recorded(&text, &binary, "/p").err();
        assert_eq!(refused, Some(PreaggregatedError::TooMuch { max: SUM_MAX }));
    }
}
