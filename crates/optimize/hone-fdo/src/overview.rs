//! Overview of counts for people and programs: the functions by weight and the branches taken most.

use crate::code::Code;
use crate::counts::{Counts, add};
use crate::source::AttributionReport;
use crate::weights::weigh;
use hone_profile::{Accounted, Svma};
use hone_symbols::{canonical_name, demangle};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum number of branches that the overview lists.
const BRANCHES_LISTED: usize = 20;
/// Maximum number of functions that the text lists.
const FUNCTIONS_LISTED: usize = 40;

/// Overview of the counts of one binary.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Overview {
    /// Unit of weights: `executed bytes` from branch records, `sample weight` without.
    pub unit: &'static str,
    /// All weight in the binary, including code without a name.
    pub weight: u64,
    /// Weight in code that no symbol names.
    pub unnamed: u64,
    /// Numbers of used and unused records.
    pub account: Account,
    /// Losses in the recordings, and records that no reader could use.
    pub losses: RecordingLosses,
    /// Functions, the heaviest first; the parts of a function (`f.cold`) count for the function.
    pub functions: Vec<FunctionRow>,
    /// Branches taken most.
    pub branches: Vec<BranchRow>,
}

/// Numbers of samples and records of the recording, by use.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names are those of AggregateReport")]
pub struct Account {
    pub samples: u64,
    pub samples_here: u64,
    pub samples_with_branches: u64,
    pub branches: u64,
    pub branches_foreign: u64,
    pub branches_crossing: u64,
    pub ranges: u64,
    pub ranges_used: u64,
    pub ranges_foreign: u64,
    pub ranges_broken: u64,
    pub ranges_too_long: u64,
    pub ranges_across_functions: u64,
    pub ranges_through_jump: u64,
    pub misaligned_ranges: u64,
    pub unloaded_offsets: u64,
}

/// Losses of the recordings themselves, as in [`hone_profile::Losses`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names are those of hone_profile::Losses")]
pub struct RecordingLosses {
    pub lost_samples: u64,
    pub unknown_records: u64,
    pub malformed_records: u64,
    pub unmapped_addresses: u64,
    pub dropped_branches: u64,
    pub truncated_bytes: u64,
    pub corrupt_at: Option<u64>,
    pub unfinished: bool,
    /// CPU time that was used, and what samples stand for; as the share for which none does, if that is more than chance makes.
    #[serde(rename = "unsampled", serialize_with = "unsampled")]
    pub accounted: Accounted,
}

fn unsampled<S: Serializer>(accounted: &Accounted, to: S) -> Result<S::Ok, S::Error> {
    accounted.unsampled().serialize(to)
}

impl RecordingLosses {
    /// Adds the losses of one recording.
    pub fn add(&mut self, losses: &hone_profile::Losses) {
        add(&mut self.lost_samples, losses.lost_samples);
        for &records in losses.unknown_records.values() {
            add(&mut self.unknown_records, records);
        }
        add(&mut self.malformed_records, losses.malformed_records);
        add(&mut self.unmapped_addresses, losses.unmapped_addresses);
        add(&mut self.dropped_branches, losses.dropped_branches);
        add(&mut self.truncated_bytes, losses.truncated_bytes);
        self.corrupt_at = self.corrupt_at.or(losses.corrupt_at);
        self.unfinished |= losses.unfinished;
        self.account(losses.accounted);
    }

    pub(crate) fn sum(&mut self, other: &Self) {
        add(&mut self.lost_samples, other.lost_samples);
        add(&mut self.unknown_records, other.unknown_records);
        add(&mut self.malformed_records, other.malformed_records);
        add(&mut self.unmapped_addresses, other.unmapped_addresses);
        add(&mut self.dropped_branches, other.dropped_branches);
        add(&mut self.truncated_bytes, other.truncated_bytes);
        self.corrupt_at = self.corrupt_at.or(other.corrupt_at);
        self.unfinished |= other.unfinished;
        self.account(other.accounted);
    }

    fn account(&mut self, more: Accounted) {
        // A recording that does not tell of CPU time says nothing about the time of the others.
        if more.used_ns > 0 {
            self.accounted.add(more);
        }
    }
}

/// Row of one function.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FunctionRow {
    /// Demangled name.
    pub name: String,
    /// Mangled name, without suffixes of parts.
    pub symbol: String,
    /// Weight of the function.
    pub weight: u64,
    /// Share of all weight, 0 to 1.
    pub share: f64,
    /// Number of branches to the first instruction, which are usually calls.
    pub entries: u64,
    /// Bytes of code.
    pub bytes: u64,
}

/// Row of one branch.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct BranchRow {
    /// Place of the instruction as `function+0xoffset`.
    pub from: String,
    /// Place of the target as `function+0xoffset`.
    pub to: String,
    /// Number of times the branch was taken.
    pub taken: u64,
    /// Number of times the CPU had predicted otherwise, if recorded.
    pub mispredicted: u64,
}

/// Computes the overview of the counts.
pub fn overview(counts: &Counts, losses: RecordingLosses, code: &Code<'_>) -> Overview {
    let mut report = AttributionReport::default();
    let by_bytes = counts.has_branches();
    let mut rows: BTreeMap<&str, FunctionRow> = BTreeMap::new();
    for weights in weigh(counts, code, &mut report) {
        let symbol = weights.function.canonical_name();
        let row = rows.entry(symbol).or_default();
        add(&mut row.bytes, weights.function.size());
        for index in 0..weights.instructions.len() {
            let bytes = weights.bytes(index, by_bytes);
            add(&mut row.weight, weights.weight(index).saturating_mul(bytes));
        }
    }
    let binary = code.binary();
    let branches = counts.branches.iter();
    let entries = branches.map(|(&(_, to), count)| (to, count.taken));
    for (to, taken) in entries.chain(counts.entering.iter().map(|(&to, &taken)| (to, taken))) {
        if let Some(function) = binary.functions().starting_at(to)
            && let Some(row) = rows.get_mut(function.canonical_name())
        {
            add(&mut row.entries, taken);
        }
    }
    let mut functions: Vec<_> = rows
        .into_iter()
        .map(|(symbol, row)| FunctionRow {
            name: demangle(symbol),
            symbol: symbol.to_owned(),
            share: row.weight as f64 / report.weight.max(1) as f64,
            ..row
        })
        .collect();
    functions.sort_by(|a, b| {
        b.weight
            .cmp(&a.weight)
            .then_with(|| a.symbol.cmp(&b.symbol))
    });
    Overview {
        unit: if by_bytes {
            "executed bytes"
        } else {
            "sample weight"
        },
        weight: report.weight,
        unnamed: report.no_symbol,
        account: account(counts, report.misaligned_ranges),
        losses,
        functions,
        branches: hottest_branches(counts, code),
    }
}

fn account(counts: &Counts, misaligned_ranges: u64) -> Account {
    let report = &counts.report;
    Account {
        samples: report.samples,
        samples_here: report.samples_here,
        samples_with_branches: report.samples_with_branches,
        branches: report.branches,
        branches_foreign: report.branches_foreign,
        branches_crossing: report.branches_crossing,
        ranges: report.ranges,
        ranges_used: report.ranges_used,
        ranges_foreign: report.ranges_foreign,
        ranges_broken: report.ranges_broken,
        ranges_too_long: report.ranges_too_long,
        ranges_across_functions: report.ranges_across_functions,
        ranges_through_jump: report.ranges_through_jump,
        misaligned_ranges,
        unloaded_offsets: report.unloaded_offsets,
    }
}

fn hottest_branches(counts: &Counts, code: &Code<'_>) -> Vec<BranchRow> {
    let mut all: Vec<_> = counts.branches.iter().collect();
    all.sort_by_key(|(ends, count)| (std::cmp::Reverse(count.taken), **ends));
    all.truncate(BRANCHES_LISTED);
    all.into_iter()
        .map(|(&(from, to), count)| BranchRow {
            from: place(from, code),
            to: place(to, code),
            taken: count.taken,
            mispredicted: count.mispredicted,
        })
        .collect()
}

fn place(svma: Svma, code: &Code<'_>) -> String {
    let binary = code.binary();
    if let Some(name) = binary.plt_entry_at(svma).and_then(|stub| stub.symbol) {
        return format!("{}@plt", demangle(name));
    }
    match binary.function_at(svma) {
        Some(function) => {
            let name = demangle(canonical_name(function.name));
            let offset = svma.0 - function.start.0;
            if offset == 0 {
                name
            } else {
                format!("{name}+{offset:#x}")
            }
        }
        None => svma.to_string(),
    }
}

/// Writes the overview as a table for people.
pub fn write_text(overview: &Overview) -> String {
    let mut text = String::new();
    let account = &overview.account;
    let _ = writeln!(
        text,
        "{} samples, {} of them here; {} branch records; {} of {} ranges used; {} samples lost\n",
        account.samples,
        account.samples_here,
        account.branches,
        account.ranges_used,
        account.ranges,
        overview.losses.lost_samples
    );
    let bytes = overview.losses.truncated_bytes;
    let _ = match overview.losses.corrupt_at {
        // The place is within a compressed piece, whose rest was lost.
        Some(at) if bytes == 0 => writeln!(text, "The recording is corrupt at byte {at}.\n"),
        Some(at) => writeln!(
            text,
            "The recording is corrupt at byte {at}: {bytes} bytes from there on were not read.\n"
        ),
        None if bytes > 0 => writeln!(
            text,
            "The recording was cut short: {bytes} bytes are missing.\n"
        ),
        None => Ok(()),
    };
    let _ = writeln!(
        text,
        "  share {:>15} {:>12}  function",
        overview.unit, "entries"
    );
    let listed = overview.functions.iter().take(FUNCTIONS_LISTED);
    for row in listed.filter(|row| row.weight > 0) {
        let (percent, weight, entries) = (100.0 * row.share, row.weight, row.entries);
        let _ = writeln!(
            text,
            "{percent:6.2}% {weight:>15} {entries:>12}  {}",
            row.name
        );
    }
    let ran = overview.functions.iter().filter(|row| row.weight > 0);
    let more = ran.count().saturating_sub(FUNCTIONS_LISTED);
    if more > 0 {
        let _ = writeln!(text, "{:>7} {:>15} {:>12}  and {more} more", "", "", "");
    }
    if overview.unnamed > 0 {
        let percent = 100.0 * overview.unnamed as f64 / overview.weight.max(1) as f64;
        let weight = overview.unnamed;
        let _ = writeln!(text, "{percent:6.2}% {weight:>15} {:>12}  [no symbol]", "");
    }
    if !overview.branches.is_empty() {
        let _ = writeln!(text, "\n{:>12} {:>12}  branch", "taken", "mispredicted");
    }
    for branch in &overview.branches {
        let (taken, missed) = (branch.taken, branch.mispredicted);
        let _ = writeln!(
            text,
            "{taken:>12} {missed:>12}  {} -> {}",
            branch.from, branch.to
        );
    }
    text
}
