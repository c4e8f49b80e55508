//! Reads BOLT's pre-aggregated profile, as perf2bolt and eBPF collectors write it.
//!
//! Lines and places are as in `bolt/docs/profiles.md` of LLVM 22; LLVM 19 writes some of them. A trace
//! (`T`, `R`) is a branch and the range that ran after the branch; `B`, `F`, `f` and `r` are parts of a trace. Places
//! of other files, marked by `X:` or by another build id, become branches that enter or leave.
//! Every line is either used or counted as a loss.

pub(crate) mod to_recorded;

use crate::counts::{BranchCount, Counts, add};
use hone_profile::{BuildId, Svma};

pub use to_recorded::recorded;

/// Maximum length of a word of a line, in bytes: a build id of 64 bytes, and an address.
const WORD_BYTES_MAX: usize = 160;

/// Reason why a text cannot be read as a pre-aggregated profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PreaggregatedError {
    /// No line of the text could be read.
    #[error("none of its {lines} lines is one of BOLT's pre-aggregated format")]
    NoLines {
        /// Number of lines that are not empty.
        lines: u64,
    },
    /// The text has no counts.
    #[error("none of its {lines} lines counts a range or a branch, as llvm-profgen writes them")]
    NoEntries {
        /// Number of lines that are not empty.
        lines: u64,
    },
    /// The counts are so large that a sum of them could overflow.
    #[error("its counts are larger than {max} in sum")]
    TooMuch {
        /// Largest sum that is allowed.
        max: u64,
    },
    /// The profile is of another build of the binary.
    #[error("the profile is of build id {profile}, the binary has {binary}")]
    BuildIdDiffers {
        /// First build id in the profile that is not the binary's.
        profile: String,
        /// Build id of the binary.
        binary: BuildId,
    },
}

/// Events and losses that were read besides the counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreaggregatedReport {
    /// Names of the events, in order.
    pub events: Vec<String>,
    /// Number of lines that are not of the format, or whose content is impossible.
    pub malformed_lines: u64,
    /// Weight of the lines whose places are all in other files.
    pub foreign: u64,
    /// True if a place carries the binary's build id.
    pub names_build: bool,
}

/// Build id and base address that places of the profile are read with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places<'b> {
    /// Build id of the binary; places with another build id are in other files.
    pub build_id: Option<&'b BuildId>,
    /// Number added to offsets: the address of the first segment if the binary is position-independent, else 0.
    pub base: Svma,
}

/// Reads the counts of one binary.
pub fn read(
    text: &str,
    places: &Places<'_>,
) -> Result<(Counts, PreaggregatedReport), PreaggregatedError> {
    let mut work = Work {
        places,
        counts: Counts::default(),
        report: PreaggregatedReport::default(),
        other_build: None,
    };
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        lines += 1;
        if work.line(line).is_none() {
            work.report.malformed_lines += 1;
        }
    }
    if work.report.malformed_lines == lines {
        return Err(PreaggregatedError::NoLines { lines });
    }
    let is_empty = !work.counts.has_branches() && work.counts.ips.is_empty();
    if let (true, Some(profile), Some(binary)) = (is_empty, work.other_build, places.build_id) {
        return Err(PreaggregatedError::BuildIdDiffers {
            profile,
            binary: binary.clone(),
        });
    }
    Ok((work.counts, work.report))
}

/// Place that a word of a line names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Here(Svma),
    Elsewhere,
    /// A number that means "none": in a trace without a branch, or without a range.
    None,
}

struct Work<'w> {
    places: &'w Places<'w>,
    counts: Counts,
    report: PreaggregatedReport,
    /// First build id in the profile that is not the binary's.
    other_build: Option<String>,
}

impl Work<'_> {
    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.iter().skip(1).any(|word| word.len() > WORD_BYTES_MAX) {
            return None;
        }
        match words[..] {
            ["E", name] => self.report.events.push(name.to_owned()),
            ["S", at, count] => {
                let (at, count) = (self.place(at)?, count.parse().ok()?);
                self.sample(at, count);
            }
            ["B", from, to, count, mispredicted] => {
                let (from, to) = (self.place(from)?, self.place(to)?);
                self.branch(from, to, count.parse().ok()?, mispredicted.parse().ok()?);
            }
            // The origin of control is in separate lines, which may be missing.
            ["F" | "f" | "r", first, last, count] => {
                let (first, last) = (self.place(first)?, self.place(last)?);
                self.range(first, last, count.parse().ok()?)?;
            }
            ["T" | "R", from, to, last, count] => {
                self.trace([from, to, last], count.parse().ok()?, 0)?;
            }
            ["T" | "R", from, to, last, count, mispredicted] => {
                let mispredicted = mispredicted.parse().ok()?;
                self.trace([from, to, last], count.parse().ok()?, mispredicted)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn trace(&mut self, words: [&str; 3], count: u64, mispredicted: u64) -> Option<()> {
        let [from, to, last] = [
            self.place(words[0])?,
            self.place(words[1])?,
            self.place(words[2])?,
        ];
        if last != Place::None {
            self.range(to, last, count)?;
        }
        if from != Place::None {
            self.branch(from, to, count, mispredicted);
        }
        Some(())
    }

    fn sample(&mut self, at: Place, count: u64) {
        let report = &mut self.counts.report;
        report.samples = report.samples.saturating_add(count);
        add(&mut report.ip_weight, count);
        if let Place::Here(svma) = at {
            report.samples_here = report.samples_here.saturating_add(count);
            add(&mut report.ip_weight_here, count);
            add(self.counts.ips.entry(svma).or_default(), count);
        } else {
            add(&mut self.report.foreign, count);
        }
    }

    fn branch(&mut self, from: Place, to: Place, count: u64, mispredicted: u64) {
        let report = &mut self.counts.report;
        add(&mut report.branches, count);
        match (from, to) {
            (Place::Here(from), Place::Here(to)) => {
                let sum = self
                    .counts
                    .branches
                    .entry((from, to))
                    .or_insert(BranchCount {
                        taken: 0,
                        mispredicted: 0,
                    });
                add(&mut sum.taken, count);
                add(&mut sum.mispredicted, mispredicted);
            }
            (Place::Here(from), _) => {
                add(&mut report.branches_crossing, count);
                add(self.counts.leaving.entry(from).or_default(), count);
            }
            (_, Place::Here(to)) => {
                add(&mut report.branches_crossing, count);
                add(self.counts.entering.entry(to).or_default(), count);
            }
            _ => {
                add(&mut report.branches_foreign, count);
                add(&mut self.report.foreign, count);
            }
        }
    }

    fn range(&mut self, first: Place, last: Place, count: u64) -> Option<()> {
        let report = &mut self.counts.report;
        add(&mut report.ranges, count);
        match (first, last) {
            (Place::Here(first), Place::Here(last)) if first <= last => {
                add(&mut report.ranges_used, count);
                add(self.counts.ranges.entry((first, last)).or_default(), count);
            }
            (Place::Here(_), _) | (_, Place::Here(_)) => {
                add(&mut report.ranges_broken, count);
                return None;
            }
            _ => {
                add(&mut report.ranges_foreign, count);
                add(&mut self.report.foreign, count);
            }
        }
        Some(())
    }

    /// Parses `[BUILDID:]ADDRESS` in hexadecimal digits; `X:`, `-2` and `-3` mean another file, `-1` means none.
    fn place(&mut self, word: &str) -> Option<Place> {
        match word {
            "-1" => return Some(Place::None),
            "-2" | "-3" => return Some(Place::Elsewhere),
            _ => {}
        }
        let (build_id, address) = match word.split_once(':') {
            Some((build_id, address)) => (Some(build_id), address),
            None => (None, word),
        };
        let address = address.strip_prefix("0x").unwrap_or(address);
        let address = u64::from_str_radix(address, 16).ok()?;
        match address {
            u64::MAX => return Some(Place::None),
            // -2: from outside; -3: from outside, by a return.
            0xffff_ffff_ffff_fffe | 0xffff_ffff_ffff_fffd => return Some(Place::Elsewhere),
            _ => {}
        }
        match (build_id, self.places.build_id) {
            (Some("X" | "x"), _) => return Some(Place::Elsewhere),
            (Some(profile), Some(own)) if BuildId::from_hex(profile).as_ref() != Some(own) => {
                self.other_build.get_or_insert_with(|| profile.to_owned());
                return Some(Place::Elsewhere);
            }
            (Some(_), Some(_)) => self.report.names_build = true,
            _ => {}
        }
        let svma = address.checked_add(self.places.base.0)?;
        Some(Place::Here(Svma(svma)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolt_preaggregated;

    fn read_plain(text: &str) -> (Counts, PreaggregatedReport) {
        read(text, &Places::default()).expect("a profile")
    }

    fn svma(address: u64) -> Svma {
        Svma(address)
    }

    #[test]
    fn what_hone_writes_is_read_back() {
        let mut counts = Counts::default();
        let branch = BranchCount {
            taken: 7,
            mispredicted: 1,
        };
        counts.branches.insert((svma(0x1010), svma(0x2000)), branch);
        counts.ranges.insert((svma(0x2000), svma(0x201f)), 6);
        let (read, report) = read_plain(&bolt_preaggregated::write(&counts));
        assert_eq!(
            (read.branches, read.ranges),
            (counts.branches, counts.ranges)
        );
        assert_eq!(report.malformed_lines, 0);
    }

    #[test]
    fn every_kind_of_line() {
        let (counts, report) = read_plain(
            "E cycles\nS 41be50 3\nE other\nT 4b196f 4b19e0 4b19ef 2\nT 4b196f 4b19e0 -1 2 1\n\
             T ffffffffffffffff 10 20 5\nR -3 30 40 6\nf 50 60 7\nr 50 61 1\nB X:0 10 4 0\nB 10 X:0 9 2\n\
             B X:1 X:2 8 0\nF 41be50 41be50 3\n",
        );
        assert_eq!(report.events, ["cycles", "other"]);
        assert_eq!(report.malformed_lines, 0);
        assert_eq!(report.foreign, 8);
        let branch = &counts.branches[&(svma(0x4b196f), svma(0x4b19e0))];
        assert_eq!((branch.taken, branch.mispredicted), (4, 1));
        assert_eq!(counts.branches.len(), 1);
        let range = |first, last| counts.ranges[&(svma(first), svma(last))];
        assert_eq!(range(0x4b19e0, 0x4b19ef), 2);
        assert_eq!(range(0x10, 0x20), 5);
        assert_eq!(range(0x30, 0x40), 6);
        assert_eq!(range(0x41be50, 0x41be50), 3);
        assert_eq!((range(0x50, 0x60), range(0x50, 0x61)), (7, 1));
        assert!(!counts.entering.contains_key(&svma(0x50)));
        assert_eq!(counts.entering[&svma(0x30)], 6);
        assert_eq!(counts.entering[&svma(0x10)], 4);
        assert_eq!(counts.leaving[&svma(0x10)], 9);
        assert_eq!(counts.ips[&svma(0x41be50)], 3);
    }

    #[test]
    fn places_of_the_binary_are_known_by_build_id() {
        let own = BuildId::from_hex("0aff").expect("a build id");
        let places = Places {
            build_id: Some(&own),
            base: Svma(0x400000),
        };
        let (counts, _) =
            read("B 0aff:10 0aff:20 1 0\nB 0aff:10 bbbb:20 2 0\n", &places).expect("a profile");
        assert_eq!(counts.branches.len(), 1);
        assert_eq!(counts.branches[&(svma(0x400010), svma(0x400020))].taken, 1);
        assert_eq!(counts.leaving[&svma(0x400010)], 2);
        let differs = PreaggregatedError::BuildIdDiffers {
            profile: "bbbb".into(),
            binary: own.clone(),
        };
        assert_eq!(read("B bbbb:1 bbbb:2 3 0\n", &places).err(), Some(differs));
    }

    #[test]
    fn any_text_is_counted_or_refused() {
        let no_lines = |lines| PreaggregatedError::NoLines { lines };
        let read = |text: &str| read(text, &Places::default());
        assert_eq!(read("").err(), Some(no_lines(0)));
        assert_eq!(read("hello\nB 1 2\nF 2 1 5\n").err(), Some(no_lines(3)));
        let (counts, report) =
            read_plain("F 2 1 5\nB 1 2 18446744073709551615 0\nB 1 2 1 0\nB 1 2 -1 0\n");
        assert_eq!(report.malformed_lines, 2);
        assert_eq!(counts.branches[&(svma(1), svma(2))].taken, u64::MAX);
        testkit::by_chance(|u| {
            let words = [
                "T",
                "B",
                "F",
                "S",
                "-1",
                "X:0",
                "10",
                "ff:1",
                "\n",
                "99999999999999999999",
            ];
            let mut text = String::new();
            while !u.is_empty() {
                text += u.choose(&words)?;
                text += " ";
            }
            let _ = read(&text);
            Ok(())
        });
    }
}
