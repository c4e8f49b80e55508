//! LLVM's sample profile as Rust values.

use crate::counts::add;
use std::collections::BTreeMap;

/// A place in a function: its line, counted from the function's first line, and the block of the line; or
/// the number of a pseudo probe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineKey {
    /// Line minus the first line of the function, in 16 bits as LLVM keeps it; or the probe.
    pub line_offset: u32,
    /// Base discriminator.
    pub discriminator: u32,
}

/// An inlined call: its place, and the callee.
pub type Callsite = (LineKey, String);

/// Counts of one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineSamples {
    /// Number of executions.
    pub count: u64,
    /// Functions called from the place, with the number of calls.
    pub targets: BTreeMap<String, u64>,
}

/// Counts of one function, or of one inlined call of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionSamples {
    /// Executions of the function's instructions, weighted by their length, inlined calls included.
    pub total: u64,
    /// Number of entries into the function; 0 in an inlined call.
    pub head: u64,
    /// Checksum of the control flow, in a profile keyed by pseudo probes.
    pub checksum: Option<u64>,
    /// Counts of the function's own lines.
    pub body: BTreeMap<LineKey, LineSamples>,
    /// Calls inlined into the function.
    pub callsites: BTreeMap<LineKey, BTreeMap<String, FunctionSamples>>,
}

/// Profile of a program: functions by mangled name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SampleProfile {
    /// Functions by mangled name.
    pub functions: BTreeMap<String, FunctionSamples>,
}

impl FunctionSamples {
    /// Returns the counts of a call inlined at `key`, new or known.
    pub fn callsite(&mut self, key: LineKey, callee: &str) -> &mut Self {
        let callees = self.callsites.entry(key).or_default();
        if !callees.contains_key(callee) {
            callees.insert(callee.to_owned(), Self::default());
        }
        callees.get_mut(callee).expect("inserted above")
    }

    /// Calls `visit` for this function and for every inlined call below, outermost first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        for callee in self.callsites.values().flat_map(BTreeMap::values) {
            callee.visit(visit);
        }
    }

    /// Adds other counts of the same function; `key` converts their keys.
    pub(crate) fn absorb(&mut self, other: Self, key: &impl Fn(LineKey) -> LineKey) {
        add(&mut self.total, other.total);
        add(&mut self.head, other.head);
        self.checksum = self.checksum.or(other.checksum);
        for (place, line) in other.body {
            let own = self.body.entry(key(place)).or_default();
            add(&mut own.count, line.count);
            for (target, calls) in line.targets {
                add(own.targets.entry(target).or_default(), calls);
            }
        }
        for (place, callees) in other.callsites {
            for (callee, samples) in callees {
                self.callsite(key(place), &callee).absorb(samples, key);
            }
        }
    }
}

impl SampleProfile {
    /// Returns the counts of a function, new or known.
    pub(crate) fn function(&mut self, name: &str) -> &mut FunctionSamples {
        if !self.functions.contains_key(name) {
            self.functions
                .insert(name.to_owned(), FunctionSamples::default());
        }
        self.functions.get_mut(name).expect("inserted above")
    }

    /// Adds the functions of another file. Counts of the same name add up; if the control flow differs, only the counts of
    /// the heavier function stay, because the blocks are not the same. Returns the number of functions that differed.
    pub(crate) fn take_in(&mut self, other: Self) -> usize {
        let mut differ = 0;
        for (name, samples) in other.functions {
            let own = self.function(&name);
            let flows = own.checksum.zip(samples.checksum);
            if flows.is_none_or(|(own, other)| own == other) {
                own.absorb(samples, &|key| key);
                continue;
            }
            differ += 1;
            if samples.total > own.total {
                *own = samples;
            }
        }
        differ
    }

    /// Calls `visit` for every function and for every inlined call below, each with the name of the function that ran there.
    pub(crate) fn visit_by_name<'p>(
        &'p self,
        visit: &mut impl FnMut(&'p str, &'p FunctionSamples),
    ) {
        fn below<'p>(
            function: &'p FunctionSamples,
            visit: &mut impl FnMut(&'p str, &'p FunctionSamples),
        ) {
            for (callee, samples) in function.callsites.values().flatten() {
                visit(callee, samples);
                below(samples, visit);
            }
        }
        for (name, function) in &self.functions {
            visit(name, function);
            below(function, visit);
        }
    }

    /// Returns true if the keys are pseudo probes, not lines.
    pub fn is_probe_based(&self) -> bool {
        self.functions
            .values()
            .any(|function| function.checksum.is_some())
    }

    /// Returns the sum of the totals of all functions.
    pub fn total(&self) -> u64 {
        self.functions
            .values()
            .fold(0, |sum: u64, function| sum.saturating_add(function.total))
    }

    /// Returns the functions, the largest totals first: the order in which LLVM writes them.
    pub fn by_total(&self) -> Vec<(&str, &FunctionSamples)> {
        let mut functions: Vec<_> = self
            .functions
            .iter()
            .map(|(name, samples)| (name.as_str(), samples))
            .collect();
        functions.sort_by(|a, b| b.1.total.cmp(&a.1.total).then_with(|| a.0.cmp(b.0)));
        functions
    }

    /// Returns every name that occurs, sorted: functions, inlined functions and call targets.
    pub fn names(&self) -> Vec<&str> {
        let mut names = std::collections::BTreeSet::new();
        for (name, function) in &self.functions {
            names.insert(name.as_str());
            function.visit(&mut |samples| {
                let callees = samples.callsites.values().flat_map(BTreeMap::keys);
                let targets = samples.body.values().flat_map(|line| line.targets.keys());
                names.extend(callees.chain(targets).map(String::as_str));
            });
        }
        names.into_iter().collect()
    }
}

/// Returns call targets, the most frequent first and then by name: the order in which LLVM writes them.
pub(crate) fn sorted_targets(targets: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let mut sorted: Vec<_> = targets
        .iter()
        .map(|(name, &count)| (name.as_str(), count))
        .collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(count: u64, checksum: u64) -> FunctionSamples {
        let key = LineKey {
            line_offset: 1,
            discriminator: 0,
        };
        let line = LineSamples {
            count,
            targets: BTreeMap::new(),
        };
        FunctionSamples {
            total: count,
            head: 1,
            checksum: Some(checksum),
            body: [(key, line)].into(),
            callsites: BTreeMap::new(),
        }
    }

    #[test]
    fn functions_of_two_files_add_up_where_their_control_flow_is_the_same() {
        let profile = |functions: &[(&str, u64, u64)]| SampleProfile {
            functions: functions
                .iter()
                .map(|(name, count, checksum)| ((*name).to_owned(), function(*count, *checksum)))
                .collect(),
        };
        let mut program = profile(&[("same", 5, 1), ("heavier", 9, 2), ("lighter", 3, 3)]);
        let library = profile(&[
            ("same", 7, 1),
            ("heavier", 4, 20),
            ("lighter", 8, 30),
            ("own", 6, 4),
        ]);
        assert_eq!(program.take_in(library), 2);
        let mut expected = profile(&[
            ("same", 12, 1),
            ("heavier", 9, 2),
            ("lighter", 8, 30),
            ("own", 6, 4),
        ]);
        expected.functions.get_mut("same").unwrap().head = 2;
        assert_eq!(program, expected);
    }
}
