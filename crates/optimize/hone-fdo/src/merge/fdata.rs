//! Reads and adds up files of BOLT's own profile, fdata.
//!
//! ```text
//! [boltedcollection]
//! [no_lbr EVENT...]
//! KIND SYMBOL OFFSET  KIND SYMBOL OFFSET  MISPREDICTED COUNT     a branch
//! KIND SYMBOL OFFSET  COUNT                                      a sample, below no_lbr
//! KIND SYMBOL OFFSET  KIND SYMBOL OFFSET  COUNT                  a memory access, kinds 3 to 5
//! ```
//!
//! Names are kept as they are written, with their escaped spaces. `merge-fdata` 19 refuses files with `no_lbr`, and
//! treats branches with different numbers of mispredictions as different branches.

use super::{Fixed, Weight};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Reason why a file cannot be read or added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FdataError {
    /// A line has a wrong form.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// Description of the problem.
        problem: &'static str,
    },
    /// Some files have branches, others plain samples.
    #[error("it has {}, the files before it {}", evidence(*.branches), evidence(!*.branches))]
    OtherEvidence {
        /// True if this file has branches.
        branches: bool,
    },
    /// Some files were recorded in a binary that BOLT had rewritten, others not.
    #[error("only some of the files were recorded in a binary that BOLT had rewritten")]
    SomeBolted,
}

fn evidence(branches: bool) -> &'static str {
    if branches {
        "branch records"
    } else {
        "plain samples (no_lbr)"
    }
}

/// Returns true if the bytes start like fdata.
pub fn is_fdata(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next();
    let first = first.unwrap_or_default();
    let mut words = first.split(|&byte| byte == b' ');
    match words.next() {
        Some(b"boltedcollection" | b"no_lbr") => true,
        Some([b'0'..=b'5']) => words.count() >= 3,
        _ => false,
    }
}

/// Kind of event that a line counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Branch,
    Sample,
    Memory,
}

/// A file of counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fdata {
    /// True if BOLT had rewritten the binary.
    pub bolted: bool,
    /// Events, if the file has plain samples instead of branches.
    pub no_lbr: Option<BTreeSet<String>>,
    /// Lines as (kind, place, mispredicted, count); a place occurs as often as in the file.
    lines: Vec<(Kind, String, u64, u64)>,
}

impl Fdata {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, FdataError> {
        let mut found = Self::default();
        for (index, line) in text.lines().enumerate() {
            let fail = |problem| FdataError::Line {
                line: index + 1,
                problem,
            };
            let line = line.trim_end();
            if line.is_empty() {
                continue;
            }
            if line == "boltedcollection" {
                found.bolted = true;
            } else if let Some(events) = line.strip_prefix("no_lbr") {
                let events = events.split_whitespace().map(str::to_owned);
                found.no_lbr.get_or_insert_default().extend(events);
            } else {
                let line = counted(line, found.no_lbr.is_some()).map_err(fail)?;
                found.lines.push(line);
            }
        }
        Ok(found)
    }

    /// Sum of all counts.
    pub fn total(&self) -> u64 {
        let counts = self.lines.iter().map(|line| line.3);
        counts.fold(0, u64::saturating_add)
    }
}

fn counted(line: &str, no_lbr: bool) -> Result<(Kind, String, u64, u64), &'static str> {
    let kind = match line.as_bytes().first() {
        Some(b'3'..=b'5') => Kind::Memory,
        Some(b'0'..=b'2') if no_lbr => Kind::Sample,
        Some(b'0'..=b'2') => Kind::Branch,
        _ => return Err("no kind of place at its start"),
    };
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| "a count that is not a number")
    };
    let (rest, count) = line.rsplit_once(' ').ok_or("no count")?;
    let (place, mispredicted) = match kind {
        Kind::Branch => {
            let (place, mispredicted) = rest.rsplit_once(' ').ok_or("no mispredictions")?;
            (place, number(mispredicted)?)
        }
        _ => (rest, 0),
    };
    let fields = if kind == Kind::Sample { 3 } else { 6 };
    // A space within a name is escaped.
    let spaces = place.matches(' ').count() - place.matches("\\ ").count();
    if spaces + 1 != fields {
        return Err("another number of fields than a place has");
    }
    Ok((kind, place.to_owned(), mispredicted, number(count)?))
}

/// Adds up files of fdata.
#[derive(Default)]
pub struct FdataMerger {
    header: Option<(bool, bool)>,
    events: BTreeSet<String>,
    sums: BTreeMap<(Kind, String), (Fixed, Fixed)>,
    files: u64,
}

impl FdataMerger {
    /// Adds a file.
    pub fn add(&mut self, fdata: Fdata, weight: Weight) -> Result<(), FdataError> {
        let header = (fdata.bolted, fdata.no_lbr.is_none());
        let first = *self.header.get_or_insert(header);
        if first.1 != header.1 {
            return Err(FdataError::OtherEvidence { branches: header.1 });
        }
        if first.0 != header.0 {
            return Err(FdataError::SomeBolted);
        }
        self.files += 1;
        self.events.extend(fdata.no_lbr.unwrap_or_default());
        for (kind, place, mispredicted, count) in fdata.lines {
            let sum = self.sums.entry((kind, place)).or_default();
            sum.0.add(weight.of(mispredicted));
            sum.1.add(weight.of(count));
        }
        Ok(())
    }

    /// Number of distinct places so far.
    pub fn places(&self) -> usize {
        self.sums.len()
    }

    /// Returns the sum as the text of a file.
    pub fn finish(self) -> String {
        let mut text = String::new();
        let (bolted, branches) = self.header.unwrap_or((false, true));
        if bolted {
            text.push_str("boltedcollection\n");
        }
        if !branches {
            text.push_str("no_lbr");
            for event in &self.events {
                text.push(' ');
                text.push_str(event);
            }
            text.push('\n');
        }
        for ((kind, place), (mispredicted, count)) in self.sums {
            text.push_str(&place);
            if kind == Kind::Branch {
                let _ = write!(text, " {}", mispredicted.rounded());
            }
            let _ = writeln!(text, " {}", count.rounded());
        }
        text
    }
}
