//! Converts a profile by pseudo probes to the form of instrumented PGO: counters of a build that is never run.
//!
//! ```text
//! recording of a build with probes ──▶ SampleProfile ──Flat──┐
//! IR of each source ──opt, with probes──▶ Module ──flow──▶ counts of blocks by name ──┐
//!                   ──opt, without─────▶ Module ──flow──▶ counts of counters ──▶ text for llvm-profdata
//! ```
//!
//! Clang reads counters by the hash of a function's control flow at one place of its pipeline, before it inlines. LLVM
//! itself prints the IR at this place, which shows the jumps that have counters (`opt -passes='default<O2>'
//! -pgo-kind=pgo-instr-gen-pipeline`). A second run with the pass `pseudo-probe` first shows the probes at this place.
//! Probes keep blocks apart that are otherwise merged, so the blocks of the two forms are matched by name only, and a
//! `select` of one form is matched to the branch of the other form that has the same condition.
//!
//! Early inlining has to be off in the build that uses the counters (`-mllvm -disable-preinline`): the counts of a
//! function are those of all its copies together.
//!
//! Sizes of memory functions are left out, because no probe marks these calls.

mod flow;
mod ir;
mod text;

use crate::counts::add;
use crate::sample_profile::{FunctionSamples, SampleProfile};
use flow::{Flow, infer};
use hone_symbols::{canonical_name, guid};
use ir::{Block, Function, Record};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

pub use ir::{Module, read};
pub use text::write;

/// Factor that counts are multiplied by, so that one execution that joins a part to the entry weighs little.
const TIMES: u64 = 8;

/// Counts of a program by function, summed over all copies of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flat<'p> {
    functions: FxHashMap<&'p str, FlatFunction<'p>>,
    /// Functions that are in the recorded files but have no samples.
    unseen: FxHashSet<&'p str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FlatFunction<'p> {
    checksum: Option<u64>,
    probes: FxHashMap<u32, u64>,
    targets: FxHashMap<u32, BTreeMap<&'p str, u64>>,
}

impl<'p> Flat<'p> {
    /// Sums up a profile that is keyed by probes. `symbols` names the functions of the recorded files; functions without
    /// samples did not run, as `-fprofile-sample-use` assumes for a profile with a list of symbols.
    pub fn of(profile: &'p SampleProfile, symbols: &'p [String]) -> Self {
        let mut flat = Self::default();
        profile.visit_by_name(&mut |name, samples| {
            let function = flat.functions.entry(canonical_name(name)).or_default();
            function.take_in(samples);
        });
        let names = symbols.iter().map(|name| canonical_name(name));
        flat.unseen = names
            .filter(|name| !flat.functions.contains_key(name))
            .collect();
        flat
    }
}

impl<'p> FlatFunction<'p> {
    fn take_in(&mut self, samples: &'p FunctionSamples) {
        self.checksum = self.checksum.or(samples.checksum);
        for (key, line) in &samples.body {
            add(self.probes.entry(key.line_offset).or_default(), line.count);
            for (target, calls) in &line.targets {
                let targets = self.targets.entry(key.line_offset).or_default();
                add(targets.entry(target).or_default(), *calls);
            }
        }
    }
}

/// Counters of a program's functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Counters by the name and the hash under which the compiler looks for them.
    functions: BTreeMap<(String, u64), FunctionCounters>,
    /// Names in the keys of `functions`, by the functions' own names, which targets of calls use.
    names: FxHashMap<String, String>,
    /// Functions of the profile that are in a module but got no counters, with the reason.
    without: FxHashMap<String, Reason>,
    /// Functions that no sample fell in, by name.
    unseen: FxHashMap<String, Vec<Unseen>>,
    /// Names of functions that must have run, since a block that ran calls them.
    called: FxHashSet<String>,
}

/// A function of the recorded files that no sample fell in.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unseen {
    key: (String, u64),
    zeros: FunctionCounters,
    callees: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FunctionCounters {
    counts: Vec<u64>,
    /// Calls by target, for each indirect call.
    targets: Vec<BTreeMap<String, u64>>,
    /// Number of places that call a memory function with a size that the compiler does not know.
    sizes: usize,
}

/// Reason why a function has no counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    Stale,
    Unmatched,
    TooLarge,
}

/// Numbers of functions of a profile, by result.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Account {
    /// Number of functions with at least one counter above zero.
    pub functions: usize,
    /// Number of functions with only zero counters, mostly because they had no samples.
    pub unseen: usize,
    /// Number of counters of the functions that ran.
    pub counters: usize,
    /// Number of functions whose control flow differs from the recorded build.
    pub stale: usize,
    /// Number of functions without any probe that was found again.
    pub unmatched: usize,
    /// Number of functions so large that their counts could not be made to agree in time.
    pub too_large: usize,
    /// Share, from 0 to 1, of the profile's counts that belongs to functions in no module.
    pub outside_share: f64,
}

impl Counters {
    /// Adds the functions of one module, read in both forms.
    pub fn take_in(&mut self, flat: &Flat<'_>, probed: &Module, plain: &Module) {
        for (name, function) in &plain.functions {
            let Some(record) = &function.record else {
                continue;
            };
            let known = (record.name.clone(), record.hash);
            self.names.insert(name.clone(), record.name.clone());
            // A function that several sources define, such as an inline function of a header, is taken once.
            if self.functions.contains_key(&known) {
                continue;
            }
            if flat.unseen.contains(canonical_name(name)) {
                let same_name = self.unseen.entry(name.clone()).or_default();
                if same_name.iter().all(|one| one.key != known) {
                    same_name.push(Unseen {
                        key: known,
                        zeros: FunctionCounters::zero(function, record),
                        callees: callees(function).cloned().collect(),
                    });
                }
                continue;
            }
            let samples = flat.functions.get(canonical_name(name));
            let (Some(samples), Some(with_probes)) = (samples, probed.functions.get(name)) else {
                continue;
            };
            let checksum = probed.checksums.get(name).copied();
            let is_stale = checksum.zip(samples.checksum).is_some_and(|(a, b)| a != b);
            let targets = samples.targets.values().flat_map(BTreeMap::keys);
            self.called.extend(targets.map(ToString::to_string));
            let made = match is_stale {
                true => Err(Reason::Stale),
                false => counted(name, function, record, with_probes, samples),
            };
            match made {
                Ok((counters, called)) => {
                    self.without.remove(name);
                    self.called.extend(called);
                    self.functions.insert(known, counters);
                }
                Err(reason) => {
                    self.called.extend(callees(function).cloned());
                    if !self.has_counters_of(&record.name) {
                        self.without.insert(name.clone(), reason);
                    }
                }
            }
        }
    }

    /// Gives counters of zero to the functions that did not run. Call it once, after all modules.
    ///
    /// A function without samples may have run nevertheless: the optimiser loses the probes of small functions, and with counters of zero
    /// clang would no longer inline the function where it is hot. So a function that a block that ran calls, directly or through
    /// functions without samples, gets no counters at all.
    pub fn settle(&mut self) {
        let mut open: Vec<String> = self.called.iter().cloned().collect();
        while let Some(name) = open.pop() {
            for function in self.unseen.remove(&name).unwrap_or_default() {
                let new = function.callees.into_iter();
                open.extend(new.filter(|callee| self.called.insert(callee.clone())));
            }
        }
        for function in std::mem::take(&mut self.unseen).into_values().flatten() {
            self.functions.entry(function.key).or_insert(function.zeros);
        }
    }

    /// Returns true if another source's function of this name has counters.
    fn has_counters_of(&self, name: &str) -> bool {
        let all = (name.to_owned(), 0)..=(name.to_owned(), u64::MAX);
        self.functions.range(all).next().is_some()
    }

    /// Counts the functions of the profile by result.
    pub fn account(&self, flat: &Flat<'_>) -> Account {
        let with = |reason| self.without.values().filter(|why| **why == reason).count();
        let known: FxHashSet<&str> = self.names.keys().map(|name| canonical_name(name)).collect();
        let weight = |(_, function): (&&str, &FlatFunction<'_>)| -> f64 {
            function.probes.values().map(|&count| count as f64).sum()
        };
        let outside = flat.functions.iter();
        let outside = outside.filter(|(name, _)| !known.contains(**name));
        let all: f64 = flat.functions.iter().map(weight).sum();
        let (seen, unseen): (Vec<_>, Vec<_>) = self.functions.values().partition(|one| one.ran());
        Account {
            functions: seen.len(),
            unseen: unseen.len(),
            counters: seen.iter().map(|one| one.counts.len()).sum(),
            stale: with(Reason::Stale),
            unmatched: with(Reason::Unmatched),
            too_large: with(Reason::TooLarge),
            outside_share: outside.map(weight).sum::<f64>() / all.max(1.0),
        }
    }
}

impl FunctionCounters {
    /// Returns the counters of a function that did not run.
    fn zero(function: &Function, record: &Record) -> Self {
        Self {
            counts: vec![0; record.counters as usize],
            targets: vec![BTreeMap::new(); function.sites[0] as usize],
            sizes: function.sites[1] as usize,
        }
    }

    fn ran(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }
}

/// Returns the counters of a function with samples, and the functions that its blocks call which ran.
fn counted(
    name: &str,
    function: &Function,
    record: &Record,
    with_probes: &Function,
    samples: &FlatFunction<'_>,
) -> Result<(FunctionCounters, Vec<String>), Reason> {
    let counted = Counted::of(with_probes, guid(name), samples)?;
    let flow = counted.on(function)?;
    let counters = FunctionCounters {
        counts: counts(function, record, &counted, &flow),
        targets: targets(function, &counted, samples),
        sizes: function.sites[1] as usize,
    };
    let blocks = function.blocks.iter().zip(&flow.blocks);
    let ran = blocks.filter(|(_, executions)| **executions > 0);
    let called = ran.flat_map(|(block, _)| block.callees.iter().cloned());
    Ok((counters, called.collect()))
}

/// Returns the functions that a function calls directly.
fn callees(function: &Function) -> impl Iterator<Item = &String> {
    function.blocks.iter().flat_map(|block| &block.callees)
}

/// Returns the values of a function's counters from the counts of its form with probes.
fn counts(function: &Function, record: &Record, counted: &Counted<'_>, flow: &Flow) -> Vec<u64> {
    let mut counts = vec![0; record.counters as usize];
    let mut set = |counter: u32, count: u64| {
        if let Some(known) = counts.get_mut(counter as usize) {
            *known = count;
        }
    };
    for (block, &executions) in function.blocks.iter().zip(&flow.blocks) {
        if let Some(counter) = block.counter {
            set(counter, executions);
        }
        for (counter, condition) in &block.selects {
            // If nothing is known, half of the executions are assumed.
            let share = counted.share(condition).unwrap_or(0.5);
            set(*counter, (executions as f64 * share) as u64);
        }
    }
    counts
}

/// A function in the form with probes, with the counts of its blocks.
struct Counted<'m> {
    function: &'m Function,
    flow: Flow,
    by_name: FxHashMap<&'m str, usize>,
}

impl<'m> Counted<'m> {
    fn of(function: &'m Function, guid: u64, samples: &FlatFunction<'_>) -> Result<Self, Reason> {
        let own = |block: &'m Block| {
            let probes = block.probes.iter();
            probes
                .filter(move |(of, _)| *of == guid)
                .map(|(_, probe)| *probe)
        };
        let mut times: FxHashMap<u32, u32> = FxHashMap::default();
        for probe in function.blocks.iter().flat_map(own) {
            *times.entry(probe).or_default() += 1;
        }
        // The probes of a block ran equally often, and the optimiser lost some of them. Probes in several blocks count for
        // none of these blocks, and probes that the profile does not name are not in the recorded build.
        let measured = |block| {
            let alone = own(block).filter(|probe| times[probe] == 1);
            let counts = alone.filter_map(|probe| samples.probes.get(&probe));
            counts.max().map(|count| count.saturating_mul(TIMES))
        };
        let measured: Vec<_> = function.blocks.iter().map(measured).collect();
        if measured.iter().all(Option::is_none) {
            return Err(Reason::Unmatched);
        }
        let blocks = function.blocks.iter().enumerate();
        let named = blocks.filter(|(_, block)| !block.name.is_empty());
        Ok(Self {
            flow: infer(&jumps(function), &measured).ok_or(Reason::TooLarge)?,
            by_name: named.map(|(place, block)| (&*block.name, place)).collect(),
            function,
        })
    }

    /// Infers the flow of the form without probes; its blocks get their counts by name.
    fn on(&self, plain: &Function) -> Result<Flow, Reason> {
        let of = |(place, block): (usize, &Block)| {
            let same = match place {
                0 => Some(&0),
                _ => self.by_name.get(&*block.name),
            };
            same.map(|&same| self.flow.blocks[same])
        };
        let measured: Vec<_> = plain.blocks.iter().enumerate().map(of).collect();
        infer(&jumps(plain), &measured).ok_or(Reason::TooLarge)
    }

    /// Returns the share of executions, from 0 to 1, in which the condition held; `None` if several branches have it.
    fn share(&self, condition: &str) -> Option<f64> {
        let branches = self.function.blocks.iter().zip(&self.flow.jumps);
        let mut known = branches.filter_map(|(block, jumps)| {
            let (own, yes, no) = block.branch.as_ref()?;
            (own == condition).then(|| (jumps[*yes], jumps[*no]))
        });
        let (yes, no) = known.next()?;
        let all = yes.saturating_add(no);
        (all > 0 && known.next().is_none()).then(|| yes as f64 / all as f64)
    }
}

fn jumps(function: &Function) -> Vec<Vec<usize>> {
    let blocks = function.blocks.iter();
    blocks.map(|block| block.successors.clone()).collect()
}

/// Returns the targets of a function's indirect calls; no targets if the number of calls differs between the two forms.
fn targets(
    function: &Function,
    counted: &Counted<'_>,
    samples: &FlatFunction<'_>,
) -> Vec<BTreeMap<String, u64>> {
    let mut targets = vec![BTreeMap::new(); function.sites[0] as usize];
    if function.sites[0] != counted.function.sites[0] {
        return targets;
    }
    let calls = counted
        .function
        .blocks
        .iter()
        .flat_map(|block| &block.calls);
    for (site, probe) in calls {
        let seen = probe.and_then(|probe| samples.targets.get(&probe));
        let scaled = seen.into_iter().flatten();
        let scaled = scaled.map(|(name, calls)| (name.to_string(), calls.saturating_mul(TIMES)));
        if let Some(place) = targets.get_mut(*site as usize) {
            *place = scaled.collect();
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function with one block and one counter, a probe, and a call of another.
    fn function(name: &str, callee: &str) -> String {
        let guid = guid(name) as i64;
        format!(
            "@__profn_{name} = private constant [1 x i8] c\"{name}\"\n\
             define void @{name}() {{\nentry:\n  \
             call void @llvm.pseudoprobe(i64 {guid}, i64 1, i32 0, i64 -1)\n  \
             call void @llvm.instrprof.increment(ptr @__profn_{name}, i64 7, i32 1, i32 0)\n  \
             call void @{callee}()\n  ret void\n}}\n"
        )
    }

    #[test]
    fn only_what_nobody_calls_that_ran_has_counters_of_zero() {
        let functions = [
            ("ran", "small"),
            ("small", "deep"),
            ("deep", "puts"),
            ("idle", "deep"),
        ];
        let functions = functions.map(|(name, callee)| function(name, callee));
        let text = format!("; *** IR Dump\n{}; *** IR Dump\n", functions.concat());
        let module = read(text.as_bytes()).unwrap();
        let ran = FlatFunction {
            probes: [(1, 5)].into_iter().collect(),
            ..FlatFunction::default()
        };
        let flat = Flat {
            functions: [("ran", ran)].into_iter().collect(),
            unseen: ["small", "deep", "idle"].into_iter().collect(),
        };
        let mut counters = Counters::default();
        counters.take_in(&flat, &module, &module);
        counters.settle();
        let counts = counters.functions.iter();
        let counts: Vec<_> = counts
            .map(|((name, _), one)| (&**name, &*one.counts))
            .collect();
        assert_eq!(counts, [("idle", &[0][..]), ("ran", &[5 * TIMES])]);
        assert_eq!(counters.account(&flat).unseen, 1);
    }
}
