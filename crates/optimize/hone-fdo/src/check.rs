//! Readers of sample profiles, and checks of the profiles that Hone wrote.
//!
//! The readers share no code with the writers: a mistake in a format would otherwise be made twice and cancel out.
//! [`read_text`] and [`read_extbinary`] are for profiles of Hone and strict where LLVM's readers are lenient
//! (order, trailing bytes, names without a function). [`read_any`] uses the same code for profiles of LLVM's tools and
//! create_llvm_prof: with comments, compressed sections, names as MD5 sums, functions in several pieces.
//! A profile of a kind whose meaning would be lost is refused.

mod extbinary;
mod input;
mod sections;
mod text;

use self::input::Rigour;
use crate::counts::Counts;
use crate::sample_profile::{FunctionSamples, SampleProfile};
use crate::source::Attribution;
use hone_symbols::Probes;
use std::collections::BTreeMap;

const CONTEXTS_REFUSED: &str = "a context-sensitive profile (CSSPGO): its counts are kept by call path; write it \
     without contexts, with llvm-profgen --ignore-stack-samples or llvm-profdata merge --sample \
     --convert-sample-profile-layout=nest";
const PRE_INLINED_REFUSED: &str = "a profile with the inlining decisions of llvm-profgen's pre-inliner, which \
     would be lost; make it with llvm-profgen --csspgo-preinliner=0";
const VTABLES_REFUSED: &str = "a profile with counts of virtual tables, which would be lost; write it \
     without them";

/// A function, or an inlined call, as read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParsedFunction {
    /// Total samples.
    pub total: u64,
    /// Head samples; 0 in inlined calls.
    pub head: u64,
    /// Checksum, in a profile keyed by pseudo probes.
    pub checksum: Option<u64>,
    /// (line offset, discriminator) -> count and call targets.
    pub lines: BTreeMap<(u32, u32), (u64, BTreeMap<String, u64>)>,
    /// (line offset, discriminator, callee) -> inlined call.
    pub inlined: BTreeMap<(u32, u32, String), ParsedFunction>,
}

impl ParsedFunction {
    /// Adds a piece of the same function.
    fn absorb(&mut self, other: Self) {
        self.total = self.total.saturating_add(other.total);
        self.head = self.head.saturating_add(other.head);
        self.checksum = self.checksum.or(other.checksum);
        for (place, line) in other.lines {
            self.add_line(place, line);
        }
        for (place, callee) in other.inlined {
            self.inlined.entry(place).or_default().absorb(callee);
        }
    }

    fn add_line(&mut self, place: (u32, u32), (count, targets): (u64, BTreeMap<String, u64>)) {
        let line = self.lines.entry(place).or_default();
        line.0 = line.0.saturating_add(count);
        for (target, calls) in targets {
            let sum = line.1.entry(target).or_default();
            *sum = sum.saturating_add(calls);
        }
    }
}

/// Properties that a profile states besides its counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// True if functions are named by the MD5 sum of their names, here in decimal.
    pub md5_names: bool,
    /// True if the profile is of shared code and says nothing about functions that are missing in it.
    pub partial: bool,
    /// True if the discriminators are of flow-sensitive AutoFDO.
    pub flow_sensitive: bool,
}

/// A profile as read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParsedProfile {
    /// Functions by name.
    pub functions: BTreeMap<String, ParsedFunction>,
    /// Names of the symbol list; empty in text.
    pub symbol_list: Vec<String>,
    /// True if the file says that `.__uniq.` is part of names.
    pub unique_suffix: bool,
    /// (total, maximum, maximum head, counts, functions) of the summary; `None` in text.
    pub summary: Option<[u64; 5]>,
    /// Further properties that the profile states.
    pub marks: Marks,
}

impl ParsedProfile {
    /// Sum of the totals of all functions.
    pub fn total(&self) -> u64 {
        self.functions
            .values()
            .fold(0, |sum: u64, function| sum.saturating_add(function.total))
    }
}

/// Reason why a profile could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A line of a text profile has a wrong form.
    #[error("line {line}: {problem}")]
    Text {
        /// Line number, from 1.
        line: usize,
        /// Description of the problem.
        problem: &'static str,
    },
    /// A binary profile has a wrong form.
    #[error("byte {offset}: {problem}")]
    Binary {
        /// Offset in the file, in bytes.
        offset: usize,
        /// Description of the problem.
        problem: &'static str,
    },
    /// The file is of another kind.
    #[error("it is {0}")]
    Refused(&'static str),
}

/// Reads a text profile that Hone wrote.
pub fn read_text(text: &str) -> Result<ParsedProfile, CheckError> {
    text::read(text, Rigour::Own)
}

/// Reads an extensible binary profile that Hone wrote.
pub fn read_extbinary(bytes: &[u8]) -> Result<ParsedProfile, CheckError> {
    extbinary::read(bytes, Rigour::Own)
}

/// Reads a sample profile of any producer: text, extensible binary, or the raw binary form of older tools.
pub fn read_any(bytes: &[u8]) -> Result<ParsedProfile, CheckError> {
    if extbinary::is_binary(bytes) {
        return extbinary::read(bytes, Rigour::Foreign);
    }
    let others: [(&[u8], &str); 6] = [
        (
            b"PERFILE2",
            "a recording; hone convert makes a profile of it",
        ),
        (
            b"\xfflprof",
            "an instrumentation profile (indexed or raw), not one of samples",
        ),
        (
            b"adcg",
            "a profile for GCC; to add up several, give all recordings to one hone convert --to gcc-gcov",
        ),
        (b"\x1f\x8b", "compressed with gzip; unpack it first"),
        (
            b"\x7fELF",
            "an ELF file, not a profile (perf2bolt writes one if it is called by another name, such as perf2bolt-19)",
        ),
        (b"---", "YAML, which only BOLT reads"),
    ];
    if let Some((_, what)) = others.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(CheckError::Refused(what));
    }
    // Names that create_llvm_prof 0.19 writes for inlined C functions hold any byte, zeros too.
    let read = text::read(&String::from_utf8_lossy(bytes), Rigour::Foreign);
    match read {
        Err(_) if bytes.contains(&0) => Err(CheckError::Refused("not a sample profile")),
        read => read,
    }
}

/// A difference between the profile that was read and the expected profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Function, with the inlined chain below it.
    pub path: String,
    /// Name of the value that differs.
    pub what: &'static str,
    /// Expected value.
    pub expected: u64,
    /// Value that was read.
    pub found: u64,
}

/// Compares everything that was read with the profile that was written; the result is empty if both are equal.
pub fn compare(expected: &SampleProfile, found: &ParsedProfile) -> Vec<Difference> {
    let mut differences = Vec::new();
    let names = expected.functions.keys().chain(found.functions.keys());
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        match (expected.functions.get(name), found.functions.get(name)) {
            (Some(expected), Some(found)) => {
                compare_function(name, expected, found, &mut differences);
            }
            (expected, found) => differences.push(Difference {
                path: name.clone(),
                what: "function",
                expected: expected.map_or(0, |function| function.total),
                found: found.map_or(0, |function| function.total),
            }),
        }
    }
    differences
}

fn compare_function(
    path: &str,
    expected: &FunctionSamples,
    found: &ParsedFunction,
    differences: &mut Vec<Difference>,
) {
    let mut number = |what, expected: u64, found: u64| {
        if expected != found {
            differences.push(Difference {
                path: path.to_owned(),
                what,
                expected,
                found,
            });
        }
    };
    number("total", expected.total, found.total);
    number("head", expected.head, found.head);
    let has_checksum = |checksum: Option<u64>| u64::from(checksum.is_some());
    let (checksum, read) = (expected.checksum, found.checksum);
    number("checksums", has_checksum(checksum), has_checksum(read));
    number("checksum", checksum.unwrap_or(0), read.unwrap_or(0));
    number(
        "lines",
        expected.body.len() as u64,
        found.lines.len() as u64,
    );
    for (key, line) in &expected.body {
        let read = found.lines.get(&(key.line_offset, key.discriminator));
        let (count, targets) = read.cloned().unwrap_or_default();
        number("line count", line.count, count);
        number("targets", line.targets.len() as u64, targets.len() as u64);
        for (name, &calls) in &line.targets {
            number("calls", calls, targets.get(name).copied().unwrap_or(0));
        }
    }
    let inlined: usize = expected.callsites.values().map(BTreeMap::len).sum();
    number("inlined calls", inlined as u64, found.inlined.len() as u64);
    for (key, callees) in &expected.callsites {
        for (callee, samples) in callees {
            let place = (key.line_offset, key.discriminator, callee.clone());
            let empty = ParsedFunction::default();
            let read = found.inlined.get(&place).unwrap_or(&empty);
            compare_function(&format!("{path} > {callee}"), samples, read, differences);
        }
    }
}

/// Checks that the profile that was read holds the weight of the counts: the totals must add up to the
/// attributed weight, and attributed and lost weight to all weight.
pub fn conservation(attribution: &Attribution, found: &ParsedProfile) -> Vec<Difference> {
    let report = &attribution.report;
    let lost = report.no_symbol + report.no_source;
    let mut differences = Vec::new();
    let mut number = |what, expected: u64, found: u64| {
        if expected != found {
            differences.push(Difference {
                path: String::new(),
                what,
                expected,
                found,
            });
        }
    };
    number(
        "attributed and lost weight",
        report.weight,
        report.attributed + lost,
    );
    number("sum of totals", report.attributed, found.total());
    differences
}

/// Checks that the profile that was read holds every execution of a probe: the totals must add up to the
/// number of probes in each range, times the range's count.
pub fn conservation_of_probes(
    counts: &Counts,
    probes: &Probes<'_>,
    attribution: &Attribution,
    found: &ParsedProfile,
) -> Vec<Difference> {
    let mut executions: u64 = 0;
    for (&(first, last), &count) in &counts.ranges {
        let all = probes.all().iter();
        let inside = all
            .filter(|probe| (first..=last).contains(&probe.svma))
            .count() as u64;
        executions = executions.saturating_add(count.saturating_mul(inside));
    }
    let report = &attribution.report;
    let accounted = report.attributed + report.no_symbol + report.no_source;
    let pairs = [
        ("sum of totals", executions, found.total()),
        ("attributed and lost weight", report.weight, accounted),
    ];
    let differs = pairs
        .into_iter()
        .filter(|(_, expected, found)| expected != found);
    let differences = differs.map(|(what, expected, found)| Difference {
        path: String::new(),
        what,
        expected,
        found,
    });
    differences.collect()
}
