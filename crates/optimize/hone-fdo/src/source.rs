//! Attributes counts to source: every executed instruction is credited to its line along its inline stack.
//!
//! The rules are those of LLVM's own producers, because the compiler's reader was written for them:
//! - A place (line offset, base discriminator, inline chain) has the count of its most frequent instruction,
//!   times that instruction's duplication factor; copies that flow-sensitive discriminators tell apart add up.
//! - A total adds up all instructions, each weighted by its length in bytes: the thresholds of LLVM's inliner
//!   are tuned to such totals.
//! - Every place of a sampled function is listed, also with 0: the reader takes a missing line as unknown
//!   and a line with 0 as never run.
//! - A call credits its target at the innermost line, and the target's head count. Jumps into another
//!   function are tail calls and count likewise; jumps within a function and returns do not.
//! - Parts of a function (`.cold`, `.__part.N`, `.resume` of a coroutine) and copies (`.llvm.HASH`) are credited to the
//!   function. A part is never called as a function: a jump or call to a part is no entry of the function.

use crate::code::{Code, Flow};
use crate::counts::{Counts, add};
use crate::discriminator::Scheme;
use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile};
use crate::weights::{Weights, weigh};
use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, Function, SourceFrame, canonical_name};
use rustc_hash::FxHashMap;

/// Weight by its use. The unit is one execution of one byte of an instruction or, without branch
/// records, the sample weight.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttributionReport {
    /// All weight that the counts hold for the binary.
    pub weight: u64,
    /// Weight credited to a function of the profile.
    pub attributed: u64,
    /// Weight in code without a symbol, including PLT stubs.
    pub no_symbol: u64,
    /// Weight in functions without debug info.
    pub no_source: u64,
    /// Part of `attributed` that is in totals only, because the line or the first line is unknown.
    pub no_line: u64,
    /// Number of ranges that do not start and end at an instruction, by count.
    pub misaligned_ranges: u64,
    /// Number of call records credited to a target.
    pub calls: u64,
    /// Number of call records that were not credited: into another binary, or from code without debug info.
    pub calls_outside: u64,
    /// Number of entries of functions that are not in the profile: they have no debug info, or nothing but the entry was
    /// seen.
    pub heads_without_body: u64,
}

impl AttributionReport {
    /// Adds the report of another file.
    pub(crate) fn add(&mut self, other: &Self) {
        let Self {
            weight,
            attributed,
            no_symbol,
            no_source,
            no_line,
            misaligned_ranges,
            calls,
            calls_outside,
            heads_without_body,
        } = other;
        add(&mut self.weight, *weight);
        add(&mut self.attributed, *attributed);
        add(&mut self.no_symbol, *no_symbol);
        add(&mut self.no_source, *no_source);
        add(&mut self.no_line, *no_line);
        add(&mut self.misaligned_ranges, *misaligned_ranges);
        add(&mut self.calls, *calls);
        add(&mut self.calls_outside, *calls_outside);
        add(&mut self.heads_without_body, *heads_without_body);
    }
}

/// A profile, and a report on the weight.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attribution {
    /// Profile by source or by probes.
    pub samples: SampleProfile,
    /// Report on the weight.
    pub report: AttributionReport,
}

/// Credits the counts to the source of the binary.
pub fn attribute(counts: &Counts, code: &Code<'_>, debug: &DebugInfo<'_>) -> Attribution {
    let mut work = Work {
        code,
        debug,
        by_bytes: counts.has_branches(),
        scheme: Scheme::of(code.binary()),
        out: Attribution::default(),
        names: FxHashMap::default(),
    };
    let weights = weigh(counts, code, &mut work.out.report);
    work.credit_lines(&weights);
    work.credit_calls(counts);
    let scheme = work.scheme;
    for function in work.out.samples.functions.values_mut() {
        if scheme == Scheme::FlowSensitive {
            add_up_copies(function, scheme);
        }
        raise_to_call_counts(function);
    }
    work.out
}

struct Work<'w, 'b, 'd> {
    code: &'w Code<'b>,
    debug: &'w DebugInfo<'d>,
    /// True if totals weigh instructions by their length; false if samples are the weight.
    by_bytes: bool,
    scheme: Scheme,
    out: Attribution,
    /// Profile name of each function, by start address.
    names: FxHashMap<Svma, String>,
}

impl<'b> Work<'_, 'b, '_> {
    fn binary(&self) -> &'b Binary<'b> {
        self.code.binary()
    }

    fn credit_lines(&mut self, all: &[Weights<'b>]) {
        for weights in all {
            let name = self.name_of(weights.function);
            let mut function = self.out.samples.functions.remove(&name).unwrap_or_default();
            for index in 0..weights.instructions.len() {
                let stack = self.debug.inline_stack(weights.instructions.address(index));
                let count = weights.weight(index);
                let bytes = weights.bytes(index, self.by_bytes);
                if stack.is_empty() {
                    add(&mut self.out.report.no_source, count.saturating_mul(bytes));
                } else {
                    let scheme = self.scheme;
                    credit(
                        &mut function,
                        (&stack, scheme),
                        (count, bytes),
                        &mut self.out.report,
                    );
                }
            }
            if function != FunctionSamples::default() {
                self.out.samples.functions.insert(name, function);
            }
        }
    }

    fn credit_calls(&mut self, counts: &Counts) {
        for (&(from, to), count) in &counts.branches {
            self.credit_call(from, to, count.taken);
        }
        for (&to, &count) in &counts.entering {
            if let Some(function) = self.binary().functions().starting_at(to) {
                self.credit_head(function, count);
            }
        }
        for (&from, &count) in &counts.leaving {
            if self.code.flow_at(from).is_call() {
                self.out.report.calls_outside += count;
            }
        }
    }

    fn credit_call(&mut self, from: Svma, to: Svma, count: u64) {
        let binary = self.binary();
        let caller = binary.function_at(from);
        if let Some(stub) = binary.plt_entry_at(to) {
            // The stub's own jump credits the head count.
            match stub
                .symbol
                .and_then(|name| binary.functions().by_name(name))
            {
                Some(callee) => self.credit_target(from, callee, count),
                None => self.out.report.calls_outside += count,
            }
            return;
        }
        let Some(callee) = binary.functions().starting_at(to).filter(|f| !f.is_part()) else {
            return;
        };
        let flow = self.code.flow_at(from);
        let is_tail_call = matches!(flow, Flow::Jump | Flow::IndirectJump | Flow::Conditional)
            && caller.is_none_or(|caller| self.name_of(caller) != self.name_of(callee));
        if flow.is_call() || is_tail_call {
            self.credit_head(callee, count);
            if caller.is_some() {
                self.credit_target(from, callee, count);
            }
        }
    }

    fn credit_head(&mut self, callee: &'b Function<'b>, count: u64) {
        let name = self.name_of(callee);
        match self.out.samples.functions.get_mut(&name) {
            Some(function) => function.head += count,
            None => self.out.report.heads_without_body += count,
        }
    }

    fn credit_target(&mut self, from: Svma, callee: &'b Function<'b>, count: u64) {
        let Some(caller) = self.binary().function_at(from) else {
            return;
        };
        let (caller, callee) = (self.name_of(caller), self.name_of(callee));
        let stack = self.debug.inline_stack(from);
        let leaf = match self.out.samples.functions.get_mut(&caller) {
            Some(function) => leaf(function, (&stack, self.scheme), |_| {}),
            None => None,
        };
        match leaf {
            Some((function, key)) => {
                let line = function.body.entry(key).or_default();
                *line.targets.entry(callee).or_default() += count;
                self.out.report.calls += count;
            }
            None => self.out.report.calls_outside += count,
        }
    }

    /// Returns the name under which the compiler knows the function.
    ///
    /// Several symbols may lie at one address. The name in DWARF is the name that the compiler uses
    /// (of a constructor's two names, say); without such a name, the first symbol of the table is used.
    fn name_of(&mut self, function: &Function<'_>) -> String {
        if let Some(name) = self.names.get(&function.start) {
            return name.clone();
        }
        let stack = self.debug.inline_stack(function.start);
        let own = stack.last().map(|frame| canonical_name(frame.function));
        let mut names = std::iter::once(&function.name).chain(&function.aliases);
        let is_ours = |own: &&str| names.any(|name| canonical_name(name) == *own);
        let name = own
            .filter(is_ours)
            .unwrap_or(function.canonical_name())
            .to_owned();
        self.names.insert(function.start, name.clone());
        name
    }
}

/// Credits one instruction of `bytes` bytes that ran `count` times; a count of 0 lists the place.
fn credit(
    function: &mut FunctionSamples,
    (stack, scheme): (&[SourceFrame<'_>], Scheme),
    (count, bytes): (u64, u64),
    report: &mut AttributionReport,
) {
    let weight = count.saturating_mul(bytes);
    add(&mut report.attributed, weight);
    match leaf(function, (stack, scheme), |level| {
        add(&mut level.total, weight)
    }) {
        Some((level, key)) => {
            let factor = u64::from(scheme.duplication_factor(stack[0].discriminator));
            let line = level.body.entry(key).or_default();
            line.count = line.count.max(count.saturating_mul(factor));
        }
        None => add(&mut report.no_line, weight),
    }
}

/// Walks down the inline stack to the innermost level, and calls `visit` on every level; `None` if the key
/// of a level is unknown.
fn leaf<'f>(
    function: &'f mut FunctionSamples,
    (stack, scheme): (&[SourceFrame<'_>], Scheme),
    mut visit: impl FnMut(&mut FunctionSamples),
) -> Option<(&'f mut FunctionSamples, LineKey)> {
    let mut level = function;
    visit(level);
    for pair in stack.windows(2).rev() {
        let (callee, caller) = (&pair[0], &pair[1]);
        if callee.function.is_empty() {
            return None;
        }
        level = level.callsite(key(caller, scheme)?, canonical_name(callee.function));
        visit(level);
    }
    Some((level, key(stack.first()?, scheme)?))
}

fn key(frame: &SourceFrame<'_>, scheme: Scheme) -> Option<LineKey> {
    (frame.line != 0 && frame.start_line != 0).then(|| LineKey {
        line_offset: frame.line.wrapping_sub(frame.start_line) & 0xffff,
        discriminator: scheme.copy(frame.discriminator),
    })
}

/// Adds up the copies of a place that the compiler has marked, as the compiler does when it reads them.
fn add_up_copies(function: &mut FunctionSamples, scheme: Scheme) {
    let copies = std::mem::take(function);
    function.absorb(copies, &|key| LineKey {
        discriminator: scheme.base(key.discriminator),
        ..key
    });
}

/// Raises the count of each line to the number of calls made from it: the line ran at least as often.
pub(crate) fn raise_to_call_counts(function: &mut FunctionSamples) {
    for line in function.body.values_mut() {
        line.count = line.count.max(line.targets.values().sum());
    }
    for callee in function
        .callsites
        .values_mut()
        .flat_map(|callees| callees.values_mut())
    {
        raise_to_call_counts(callee);
    }
}
