//! Numbers of executions of each instruction: the counts of ranges, added to the instructions of the functions.

use crate::code::{Code, Instructions};
use crate::counts::{Counts, add};
use crate::source::AttributionReport;
use hone_profile::Svma;
use hone_symbols::Function;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Instructions of one function with their weights.
pub(crate) struct Weights<'b> {
    pub(crate) function: &'b Function<'b>,
    pub(crate) instructions: Rc<Instructions>,
    /// Differences between neighbouring weights; after [`Weights::sum_up`], the weights themselves.
    weights: Vec<i128>,
}

impl<'b> Weights<'b> {
    fn new(code: &Code<'b>, function: &'b Function<'b>) -> Self {
        let instructions = code.of_function(function);
        Self {
            function,
            weights: vec![0; instructions.len()],
            instructions,
        }
    }

    fn sum_up(&mut self) {
        let mut sum = 0;
        for weight in &mut self.weights {
            sum += *weight;
            *weight = sum;
        }
    }

    /// Number of times the instruction ran.
    pub(crate) fn weight(&self, index: usize) -> u64 {
        u64::try_from(self.weights[index].max(0)).unwrap_or(u64::MAX)
    }

    /// Returns the weight of one execution of the instruction: its length, or 1 if samples are the weight.
    pub(crate) fn bytes(&self, index: usize, by_bytes: bool) -> u64 {
        if by_bytes {
            self.instructions.length(index)
        } else {
            1
        }
    }
}

/// Returns the weights of all instructions of all functions that were seen, in all of their parts, by address.
///
/// All weight goes into the report; weight outside functions counts as lost.
pub(crate) fn weigh<'b>(
    counts: &Counts,
    code: &Code<'b>,
    report: &mut AttributionReport,
) -> Vec<Weights<'b>> {
    let mut work = Work {
        code,
        by_bytes: counts.has_branches(),
        by_start: FxHashMap::default(),
        report,
    };
    if work.by_bytes {
        for (&(first, last), &count) in counts.ranges.iter().chain(&counts.plt_ranges) {
            work.add_range(first, last, count);
        }
    } else {
        for (&ip, &weight) in &counts.ips {
            work.add_range(ip, ip, weight);
        }
    }
    work.finish()
}

struct Work<'w, 'b> {
    code: &'w Code<'b>,
    by_bytes: bool,
    by_start: FxHashMap<Svma, Weights<'b>>,
    report: &'w mut AttributionReport,
}

impl<'b> Work<'_, 'b> {
    fn add_range(&mut self, first: Svma, last: Svma, count: u64) {
        let Some(function) = self.code.binary().function_at(first) else {
            let bytes = if self.by_bytes {
                self.code.through(first, last).bytes()
            } else {
                1
            };
            let weight = count.saturating_mul(bytes);
            add(&mut self.report.weight, weight);
            add(&mut self.report.no_symbol, weight);
            return;
        };
        let entry = self.by_start.entry(function.start);
        let weights = entry.or_insert_with(|| Weights::new(self.code, function));
        let Some(span) = weights.instructions.span(first, last) else {
            self.report.misaligned_ranges += count;
            return;
        };
        let bytes = |index| weights.bytes(index, self.by_bytes);
        let bytes: u64 = span.clone().map(bytes).sum();
        add(&mut self.report.weight, count.saturating_mul(bytes));
        weights.weights[*span.start()] += i128::from(count);
        if let Some(after) = weights.weights.get_mut(span.end() + 1) {
            *after -= i128::from(count);
        }
    }

    fn finish(mut self) -> Vec<Weights<'b>> {
        let seen_functions = self.by_start.values().map(|weights| weights.function);
        let seen: FxHashSet<&str> = seen_functions
            .clone()
            .map(Function::canonical_name)
            .collect();
        let seen_by_a_part: FxHashSet<&str> = seen_functions
            .filter(|function| function.is_part())
            .map(Function::canonical_name)
            .collect();
        for function in self.code.binary().functions().iter() {
            let name = function.canonical_name();
            let is_its_part = function.is_part() && seen.contains(name);
            let is_its_main_body = function.name == name && seen_by_a_part.contains(name);
            if is_its_part || is_its_main_body {
                self.by_start
                    .entry(function.start)
                    .or_insert_with(|| Weights::new(self.code, function));
            }
        }
        let mut all: Vec<_> = self.by_start.into_values().collect();
        all.sort_by_key(|weights| weights.function.start);
        all.iter_mut().for_each(Weights::sum_up);
        all
    }
}
