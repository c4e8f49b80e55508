//! A profile by pseudo probes in the form of instrumented PGO: counters of a build that is never run.
//!
//! ```text
//! recording of a build with probes ──▶ SampleProfile ──Flat──┐
//! IR of each source ──opt, with probes──▶ Module ──flow──▶ counts of blocks by name ──┐
//!                   ──opt, without─────▶ Module ──flow──▶ counts of counters ──▶ text for llvm-profdata
//! ```
//!
//! Clang reads counters by the hash of a function's control flow at one place of its pipeline, before it inlines. What
//! the IR looks like there, and which jumps have counters, LLVM itself says (`opt -passes='default<O2>'
//! -pgo-kind=pgo-instr-gen-pipeline`). Where probes stand there is said by a second run with the pass `pseudo-probe`
//! first; probes keep blocks apart that are otherwise merged, so that blocks of the two are the same by their names
//! only, and a `select` of the one is found again as the branch of the other that has its condition.
//!
//! Early inlining has to be off in the build that uses the counters (`-mllvm -disable-preinline`): the counts of a
//! function are those of all its copies together.
//!
//! What this leaves out: sizes of memory functions, whose places no probe marks.

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

/// Counts are given this many times, so that one execution that joins a part to the entry weighs little.
const TIMES: u64 = 8;

/// The counts of a program by function, all copies of one together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flat<'p> {
    functions: FxHashMap<&'p str, FlatFunction<'p>>,
    /// Functions that the recorded files have and no sample fell in.
    unseen: FxHashSet<&'p str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FlatFunction<'p> {
    checksum: Option<u64>,
    probes: FxHashMap<u32, u64>,
    targets: FxHashMap<u32, BTreeMap<&'p str, u64>>,
}

impl<'p> Flat<'p> {
    /// Of a profile that is keyed by probes. `symbols`: the functions that the recorded files have; those without samples did
    /// not run, as `-fprofile-sample-use` takes it of a profile with a list of symbols.
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
    /// By the name and the hash under which the compiler looks for them.
    functions: BTreeMap<(String, u64), FunctionCounters>,
    /// Those names by the functions' own, which targets of calls have.
    names: FxHashMap<String, String>,
    /// Functions of the profile that some module has and that have no counters by it, and why.
    without: FxHashMap<String, Reason>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FunctionCounters {
    counts: Vec<u64>,
    /// Calls by target, of each indirect call.
    targets: Vec<BTreeMap<String, u64>>,
    /// How many places call a memory function of a size that the compiler does not know.
    sizes: usize,
}

/// Why a function has no counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    Stale,
    Unmatched,
    TooLarge,
}

/// What became of the functions of a profile.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Account {
    /// Functions with counters of which one is above zero.
    pub functions: usize,
    /// Functions of which all counters are zero: no sample fell in them.
    pub unseen: usize,
    /// Counters of the functions that ran.
    pub counters: usize,
    /// Functions whose control flow is another than that of the recorded build.
    pub stale: usize,
    /// Functions of which no probe was found again.
    pub unmatched: usize,
    /// Functions so large that their counts could not be made to agree in time.
    pub too_large: usize,
    /// The share, from 0 to 1, of the profile's counts that is of functions in no module.
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
            // One that several sources define, such as an inline function of a header, is taken once.
            if self.functions.contains_key(&known) {
                continue;
            }
            if flat.unseen.contains(canonical_name(name)) {
                let none = FunctionCounters::zero(function, record);
                self.functions.insert(known, none);
                continue;
            }
            let samples = flat.functions.get(canonical_name(name));
            let (Some(samples), Some(with_probes)) = (samples, probed.functions.get(name)) else {
                continue;
            };
            let checksum = probed.checksums.get(name).copied();
            let is_stale = checksum.zip(samples.checksum).is_some_and(|(a, b)| a != b);
            let made = match is_stale {
                true => Err(Reason::Stale),
                false => FunctionCounters::of(name, function, record, with_probes, samples),
            };
            match made {
                Ok(counters) => {
                    self.without.remove(name);
                    self.functions.insert(known, counters);
                }
                Err(reason) => {
                    if !self.has_counters_of(&record.name) {
                        self.without.insert(name.clone(), reason);
                    }
                }
            }
        }
    }

    /// Whether another source's function of this name has counters.
    fn has_counters_of(&self, name: &str) -> bool {
        let all = (name.to_owned(), 0)..=(name.to_owned(), u64::MAX);
        self.functions.range(all).next().is_some()
    }

    /// What became of the profile's functions.
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
    /// Those of a function that did not run.
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

    fn of(
        name: &str,
        function: &Function,
        record: &Record,
        with_probes: &Function,
        samples: &FlatFunction<'_>,
    ) -> Result<Self, Reason> {
        let counted = Counted::of(with_probes, guid(name), samples)?;
        Ok(Self {
            counts: counts(function, record, &counted)?,
            targets: targets(function, &counted, samples),
            sizes: function.sites[1] as usize,
        })
    }
}

/// The counts of a function's counters from those of its form with probes.
fn counts(function: &Function, record: &Record, counted: &Counted<'_>) -> Result<Vec<u64>, Reason> {
    let flow = counted.on(function)?;
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
            // Where nothing is known, half.
            let share = counted.share(condition).unwrap_or(0.5);
            set(*counter, (executions as f64 * share) as u64);
        }
    }
    Ok(counts)
}

/// A function in its form with probes, with the counts of its blocks.
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
        // The probes of a block ran equally often, and the optimiser lost the one or the other. Probes that stand in
        // several blocks are of none alone, and those that the profile does not name are not in the recorded build.
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

    /// The flow of the form without probes, whose blocks have their counts by name.
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

    /// How often a condition held that one branch has, from 0 to 1.
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

/// The targets of a function's indirect calls; of none where its two forms do not have the same calls.
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
