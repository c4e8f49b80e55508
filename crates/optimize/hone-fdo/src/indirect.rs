//! Indirect calls that were executed, by call site.
//!
//! Promotion of an indirect call keeps the call itself as a fallback, so counting call instructions in the file
//! shows nothing. The useful figure is the number of executed calls for 1,000 executed instructions.

use crate::code::{Code, Flow};
use crate::counts::Counts;
use hone_profile::Svma;
use hone_symbols::{DebugInfo, demangle};
use std::collections::BTreeMap;

/// Name under which targets in other binaries are summed.
pub const OUTSIDE: &str = "[other binary]";

/// An indirect call instruction, with its executed calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndirectSite {
    /// Address of the instruction.
    pub svma: Svma,
    /// Function that the call was written in, demangled.
    pub function: String,
    /// Source file; empty if unknown.
    pub file: String,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Number of executed calls.
    pub calls: u64,
    /// Targets, demangled, with the number of calls, most frequent first.
    pub targets: Vec<(String, u64)>,
}

/// All indirect calls of a binary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndirectCalls {
    /// Number of instructions executed in the ranges of the binary, without PLT stubs.
    pub instructions: u64,
    /// Number of instructions executed in PLT stubs.
    pub plt_instructions: u64,
    /// Number of executed indirect calls, including tail calls.
    pub calls: u64,
    /// Number of calls through the GOT, as with `-fno-plt`; their target never changes, so they are not
    /// among `calls`.
    pub import_calls: u64,
    /// Calls by call site, most frequent first.
    pub sites: Vec<IndirectSite>,
}

impl IndirectCalls {
    /// Returns the indirect calls for 1,000 instructions; `None` if no instruction was counted.
    pub fn per_1000_instructions(&self) -> Option<f64> {
        (self.instructions > 0).then(|| self.calls as f64 * 1000.0 / self.instructions as f64)
    }
}

/// Counts the indirect calls; with debug info the sites get their source lines.
pub fn indirect_calls(
    counts: &Counts,
    code: &Code<'_>,
    debug: Option<&DebugInfo<'_>>,
) -> IndirectCalls {
    let mut found = IndirectCalls::default();
    count_instructions(counts, code, &mut found);
    let mut sites: BTreeMap<Svma, BTreeMap<String, u64>> = BTreeMap::new();
    for (&(from, to), count) in &counts.branches {
        match kind(from, Some(to), code) {
            Kind::Indirect => {
                let name = target_name(to, code);
                *sites.entry(from).or_default().entry(name).or_default() += count.taken;
            }
            Kind::Import => found.import_calls += count.taken,
            Kind::NoCall => {}
        }
    }
    for (&from, &count) in &counts.leaving {
        match kind(from, None, code) {
            Kind::Indirect => {
                *sites
                    .entry(from)
                    .or_default()
                    .entry(OUTSIDE.into())
                    .or_default() += count;
            }
            Kind::Import => found.import_calls += count,
            Kind::NoCall => {}
        }
    }
    found.sites = sites
        .into_iter()
        .map(|(svma, targets)| site(svma, targets, code, debug))
        .collect();
    found
        .sites
        .sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.svma.cmp(&b.svma)));
    found.calls = found.sites.iter().map(|site| site.calls).sum();
    found
}

fn count_instructions(counts: &Counts, code: &Code<'_>, found: &mut IndirectCalls) {
    let run = |first, last| {
        let function = code.binary().function_at(first);
        let span = function.and_then(|f| code.of_function(f).span(first, last));
        let count = span.map(|span| span.count());
        count.unwrap_or_else(|| code.through(first, last).len()) as u64
    };
    let sum = |ranges: &BTreeMap<(Svma, Svma), u64>| {
        ranges
            .iter()
            .map(|(&(first, last), count)| count * run(first, last))
            .sum()
    };
    found.instructions = sum(&counts.ranges);
    found.plt_instructions = sum(&counts.plt_ranges);
}

enum Kind {
    Indirect,
    Import,
    NoCall,
}

fn kind(from: Svma, to: Option<Svma>, code: &Code<'_>) -> Kind {
    let binary = code.binary();
    if binary.plt().contains(from) {
        return Kind::NoCall;
    }
    match code.flow_at(from) {
        Flow::IndirectCall => Kind::Indirect,
        Flow::SlotCall { slot } => {
            let in_got = binary.sections().iter().any(|section| {
                section.name.starts_with(".got")
                    && slot
                        .0
                        .checked_sub(section.svma.0)
                        .is_some_and(|delta| delta < section.size)
            });
            if in_got { Kind::Import } else { Kind::Indirect }
        }
        // A jump table stays in its function; a tail call starts another function.
        Flow::IndirectJump => {
            let own = binary
                .function_at(from)
                .map(|function| function.canonical_name());
            let starts_another = to.is_none_or(|to| {
                let target = binary.functions().starting_at(to);
                target.is_some_and(|target| Some(target.canonical_name()) != own)
            });
            if starts_another {
                Kind::Indirect
            } else {
                Kind::NoCall
            }
        }
        _ => Kind::NoCall,
    }
}

fn target_name(to: Svma, code: &Code<'_>) -> String {
    let binary = code.binary();
    if let Some(symbol) = binary.plt_entry_at(to).and_then(|stub| stub.symbol) {
        return demangle(symbol);
    }
    match binary.function_at(to) {
        Some(function) => demangle(function.canonical_name()),
        None => to.to_string(),
    }
}

fn site(
    svma: Svma,
    targets: BTreeMap<String, u64>,
    code: &Code<'_>,
    debug: Option<&DebugInfo<'_>>,
) -> IndirectSite {
    let calls = targets.values().sum();
    let mut targets: Vec<_> = targets.into_iter().collect();
    targets.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let frames = debug
        .map(|debug| debug.inline_stack(svma))
        .unwrap_or_default();
    let (mut function, mut file, mut line) = (String::new(), String::new(), 0);
    if let Some(frame) = frames.first() {
        function = demangle(frame.function);
        file = frame.file.to_owned();
        line = frame.line;
    }
    if function.is_empty() {
        let symbol = code.binary().function_at(svma);
        function = symbol
            .map(|symbol| demangle(symbol.canonical_name()))
            .unwrap_or_default();
    }
    IndirectSite {
        svma,
        function,
        file,
        line,
        calls,
        targets,
    }
}
