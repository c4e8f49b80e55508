//! Writes counts as fdata, BOLT's own profile, which perf2bolt writes and `llvm-bolt -data=` reads.
//!
//! With branch records a line holds a branch, `1 function offset 1 function offset mispredicted count`, and runs
//! that fall from one basic block into the next count as branches too. Without branch records, the first line is
//! `no_lbr cycles`, and each other line holds the weight of an instruction, `1 function offset weight`. "cycles"
//! makes BOLT divide a block's weight by its number of instructions. This is right for samples taken by time,
//! whatever the event is called, and BOLT divides for this name only.
//!
//! Returns are left out, as in perf2bolt: BOLT counts calls at the call.

use crate::bolt_blocks::Borders;
use crate::bolt_names::BoltNames;
use crate::bolt_preaggregated::Origins;
use crate::code::{Code, Flow};
use crate::counts::{BranchCount, Counts, add};
use hone_profile::Svma;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A profile, and the weight that could not be written to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fdata {
    /// Text of the profile.
    pub text: String,
    /// Number of branches or samples in code that no symbol names.
    pub unnamed: u64,
}

/// Writes the branches and ranges, or the samples if there are no branches.
pub fn write(counts: &Counts, code: &Code<'_>) -> Fdata {
    let work = Work {
        code,
        names: BoltNames::read(code.binary()),
    };
    if counts.has_branches() {
        work.branches(counts)
    } else {
        work.samples(counts)
    }
}

/// One end of a branch: name of the function and offset in it; `None` in code without a name.
type Place<'n> = Option<(&'n str, u64)>;

/// Lines of a profile with branches, by the two ends of the branch.
type Lines<'n> = BTreeMap<(Place<'n>, Place<'n>), BranchCount>;

struct Work<'w, 'b> {
    code: &'w Code<'b>,
    names: BoltNames,
}

impl<'b> Work<'_, 'b> {
    fn place(&self, svma: Svma) -> Place<'_> {
        if let Some(stub) = self.code.binary().plt_entry_at(svma) {
            let name = self.names.of(stub.start)?;
            return Some((name, svma.0 - stub.start.0));
        }
        let function = self.code.binary().function_at(svma)?;
        let name = self.names.of(function.start)?;
        Some((name, svma.0 - function.start.0))
    }

    fn samples(&self, counts: &Counts) -> Fdata {
        let mut unnamed = 0;
        let mut lines: BTreeMap<(&str, u64), u64> = BTreeMap::new();
        for (&ip, &weight) in &counts.ips {
            match self.place(ip) {
                Some(place) => add(lines.entry(place).or_default(), weight),
                None => add(&mut unnamed, weight),
            }
        }
        let mut text = String::from("no_lbr cycles\n");
        for ((name, offset), weight) in lines {
            let _ = writeln!(text, "1 {name} {offset:x} {weight}");
        }
        Fdata { text, unnamed }
    }

    fn branches(&self, counts: &Counts) -> Fdata {
        let mut lines = Lines::new();
        for (&(from, to), &count) in &counts.branches {
            if !self.is_return(from) {
                add_line(&mut lines, (self.place(from), self.place(to)), count);
            }
        }
        for (&from, &taken) in &counts.leaving {
            if !self.is_return(from) {
                add_line(&mut lines, (self.place(from), None), only_taken(taken));
            }
        }
        for (&to, &taken) in &counts.entering {
            add_line(&mut lines, (None, self.place(to)), only_taken(taken));
        }
        for ((from, to), taken) in self.fall_throughs(counts) {
            add_line(
                &mut lines,
                (self.place(from), self.place(to)),
                only_taken(taken),
            );
        }
        let mut out = Fdata::default();
        if let Some(count) = lines.remove(&(None, None)) {
            out.unnamed = count.taken;
        }
        for ((from, to), count) in &lines {
            write_end(*from, &mut out.text);
            write_end(*to, &mut out.text);
            let _ = writeln!(out.text, "{} {}", count.mispredicted, count.taken);
        }
        out
    }

    fn is_return(&self, from: Svma) -> bool {
        self.code.flow_at(from) == Flow::Return
    }

    /// Returns how often control fell through each border between two blocks.
    fn fall_throughs(&self, counts: &Counts) -> BTreeMap<(Svma, Svma), u64> {
        let binary = self.code.binary();
        let targets = self.jump_targets(counts);
        let origins = Origins::of(counts, self.code);
        let none = BTreeSet::new();
        let mut borders: FxHashMap<Svma, Borders> = FxHashMap::default();
        let mut found = BTreeMap::new();
        for (&(first, last), &count) in &counts.ranges {
            let Some(function) = binary.function_at(first) else {
                continue;
            };
            let borders = borders.entry(function.start).or_insert_with(|| {
                let targets = targets.get(&function.start).unwrap_or(&none);
                Borders::of(function, targets, self.code)
            });
            for &border in borders.crossed(first, last) {
                add(found.entry(border).or_default(), count);
            }
            // Control that came back from a call went over the border behind the call, if there is one.
            if let Some(border) = borders.before(first)
                && first != function.start
                && self.code.flow_at(border.0).is_call()
            {
                let returned = origins.entered_from_outside(first, count);
                add(found.entry(border).or_default(), returned);
            }
        }
        found.retain(|_, count| *count > 0);
        found
    }

    /// Returns the targets of the jumps that were taken, by function: also targets of jump tables and of jumps from
    /// cold parts.
    fn jump_targets(&self, counts: &Counts) -> FxHashMap<Svma, BTreeSet<Svma>> {
        let mut targets: FxHashMap<Svma, BTreeSet<Svma>> = FxHashMap::default();
        for &(from, to) in counts.branches.keys() {
            let jumps = matches!(
                self.code.flow_at(from),
                Flow::Conditional | Flow::Jump | Flow::IndirectJump
            );
            if jumps && let Some(function) = self.code.binary().function_at(to) {
                targets.entry(function.start).or_default().insert(to);
            }
        }
        targets
    }
}

fn only_taken(taken: u64) -> BranchCount {
    BranchCount {
        taken,
        mispredicted: 0,
    }
}

fn add_line<'n>(lines: &mut Lines<'n>, ends: (Place<'n>, Place<'n>), count: BranchCount) {
    let sum = lines.entry(ends).or_default();
    add(&mut sum.taken, count.taken);
    add(&mut sum.mispredicted, count.mispredicted);
}

fn write_end(place: Place<'_>, text: &mut String) {
    let _ = match place {
        Some((name, offset)) => write!(text, "1 {name} {offset:x} "),
        None => write!(text, "0 [unknown] 0 "),
    };
}
