//! Adds up sample profiles.

use super::{Fixed, Weight};
use crate::check::Marks;
use crate::read::ReadProfile;
use crate::sample_profile::{FunctionSamples, LineKey, LineSamples, SampleProfile};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Reason why a profile cannot be added to the profiles before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Some profiles are keyed by lines, others by pseudo probes.
    #[error("it is keyed by {}, the profiles before it by {}", keys(*.probes), keys(!*.probes))]
    OtherKeys {
        /// True if this profile is keyed by probes.
        probes: bool,
    },
    /// The profile has only MD5 sums of names, which cannot be written back.
    #[error("it names functions by MD5 sums only, and the names cannot be had back from them")]
    Md5Names,
    /// The meaning of the profile's discriminators cannot be written back.
    #[error("its discriminators are those of flow-sensitive AutoFDO, which this merge would lose")]
    FlowSensitive,
}

fn keys(probes: bool) -> &'static str {
    if probes { "pseudo probes" } else { "lines" }
}

/// Numbers of profiles and functions that were merged and that could not be merged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MergeReport {
    /// Number of profiles that were added.
    pub profiles: u64,
    /// Number of added profiles without any function.
    pub empty: u64,
    /// Number of profiles marked as partial; the mark is not kept.
    pub partial: u64,
    /// Weight of all profiles, as the sum of all functions' totals.
    pub weight: u64,
    /// Number of functions, including inlined ones, whose control flow differs between builds.
    pub conflicts: u64,
    /// Weight of the dropped versions of these functions.
    pub conflicting_weight: u64,
}

/// A merged profile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Sum of all profiles.
    pub samples: SampleProfile,
    /// All names of all symbol lists, sorted.
    pub symbols: Vec<String>,
    /// Report of the merge.
    pub report: MergeReport,
}

type Name = Rc<str>;
/// Versions of a function, by checksum.
type Versions = BTreeMap<Option<u64>, Sum>;

/// Adds profiles up.
///
/// Versions of a function with different checksums are kept apart until the end; then the heaviest stays, and of
/// equally heavy versions the version with the lower checksum. The others are counted as dropped. So the order of the
/// profiles does not matter here either. (`llvm-profdata` keeps the version that comes first.)
#[derive(Default)]
pub struct SampleMerger {
    names: FxHashMap<Name, ()>,
    functions: BTreeMap<Name, Versions>,
    symbols: BTreeSet<Name>,
    probes: Option<bool>,
    weight: Fixed,
    report: MergeReport,
}

/// Sum of one function, or of one inlined call.
#[derive(Default)]
struct Sum {
    total: Fixed,
    head: Fixed,
    lines: BTreeMap<LineKey, (Fixed, BTreeMap<Name, Fixed>)>,
    inlined: BTreeMap<(LineKey, Name), Versions>,
}

impl SampleMerger {
    /// Adds a profile.
    pub fn add(&mut self, profile: &ReadProfile, weight: Weight) -> Result<(), MergeError> {
        self.check(profile)?;
        self.report.profiles += 1;
        self.report.partial += u64::from(profile.marks.partial);
        for symbol in &profile.symbols {
            let symbol = intern(&mut self.names, symbol);
            self.symbols.insert(symbol);
        }
        for (name, function) in &profile.samples.functions {
            self.weight.add(weight.of(function.total));
            let name = intern(&mut self.names, name);
            let versions = self.functions.entry(name).or_default();
            let sum = versions.entry(function.checksum).or_default();
            sum.add(function, weight, &mut self.names);
        }
        Ok(())
    }

    fn check(&mut self, profile: &ReadProfile) -> Result<(), MergeError> {
        let Marks {
            md5_names,
            flow_sensitive,
            partial: _,
        } = profile.marks;
        if md5_names {
            return Err(MergeError::Md5Names);
        }
        if flow_sensitive {
            return Err(MergeError::FlowSensitive);
        }
        if profile.samples.functions.is_empty() {
            self.report.empty += 1;
            return Ok(());
        }
        let probes = profile.samples.is_probe_based();
        if *self.probes.get_or_insert(probes) != probes {
            return Err(MergeError::OtherKeys { probes });
        }
        Ok(())
    }

    /// Sum of all profiles.
    pub fn finish(self) -> Merged {
        let mut dropped = Dropped::default();
        let mut samples = SampleProfile::default();
        for (name, versions) in self.functions {
            if let Some(function) = settle(versions, &mut dropped) {
                samples.functions.insert(name.to_string(), function);
            }
        }
        Merged {
            samples,
            symbols: self.symbols.iter().map(ToString::to_string).collect(),
            report: MergeReport {
                weight: self.weight.rounded(),
                conflicts: dropped.functions,
                conflicting_weight: dropped.weight.rounded(),
                ..self.report
            },
        }
    }
}

fn intern(names: &mut FxHashMap<Name, ()>, name: &str) -> Name {
    if let Some((known, ())) = names.get_key_value(name) {
        return Rc::clone(known);
    }
    let new: Name = name.into();
    names.insert(Rc::clone(&new), ());
    new
}

impl Sum {
    fn add(&mut self, function: &FunctionSamples, weight: Weight, names: &mut FxHashMap<Name, ()>) {
        self.total.add(weight.of(function.total));
        self.head.add(weight.of(function.head));
        for (&key, line) in &function.body {
            let (count, targets) = self.lines.entry(key).or_default();
            count.add(weight.of(line.count));
            for (target, &calls) in &line.targets {
                let sum = targets.entry(intern(names, target)).or_default();
                sum.add(weight.of(calls));
            }
        }
        for (&key, callees) in &function.callsites {
            for (callee, samples) in callees {
                let place = (key, intern(names, callee));
                let versions = self.inlined.entry(place).or_default();
                let sum = versions.entry(samples.checksum).or_default();
                sum.add(samples, weight, names);
            }
        }
    }

    /// Adds a version whose checksum is not known.
    fn absorb(&mut self, other: Self) {
        self.total.add(other.total);
        self.head.add(other.head);
        for (key, (count, targets)) in other.lines {
            let line = self.lines.entry(key).or_default();
            line.0.add(count);
            for (target, calls) in targets {
                line.1.entry(target).or_default().add(calls);
            }
        }
        for (place, versions) in other.inlined {
            let own = self.inlined.entry(place).or_default();
            for (checksum, sum) in versions {
                own.entry(checksum).or_default().absorb(sum);
            }
        }
    }
}

#[derive(Default)]
struct Dropped {
    functions: u64,
    weight: Fixed,
}

/// Returns the version that stays, rounded. A version without a checksum is added to the version that stays.
fn settle(mut versions: Versions, dropped: &mut Dropped) -> Option<FunctionSamples> {
    let unknown = versions.remove(&None);
    let by_weight = |(a, x): &(&Option<u64>, &Sum), (b, y): &(&Option<u64>, &Sum)| {
        x.total.cmp(&y.total).then_with(|| b.cmp(a))
    };
    let checksum = versions.iter().max_by(by_weight).and_then(|(&sum, _)| sum);
    let mut kept = match versions.remove(&checksum) {
        Some(mut kept) => {
            if let Some(unknown) = unknown {
                kept.absorb(unknown);
            }
            kept
        }
        None => unknown?,
    };
    dropped.functions += u64::from(!versions.is_empty());
    for other in versions.values() {
        dropped.weight.add(other.total);
    }
    let mut function = FunctionSamples {
        total: kept.total.rounded(),
        head: kept.head.rounded(),
        checksum,
        ..FunctionSamples::default()
    };
    for (key, (count, targets)) in std::mem::take(&mut kept.lines) {
        let targets = targets.into_iter();
        let line = LineSamples {
            count: count.rounded(),
            targets: targets
                .map(|(name, calls)| (name.to_string(), calls.rounded()))
                .collect(),
        };
        function.body.insert(key, line);
    }
    for ((key, callee), versions) in kept.inlined {
        if let Some(samples) = settle(versions, dropped) {
            let callees = function.callsites.entry(key).or_default();
            callees.insert(callee.to_string(), samples);
        }
    }
    Some(function)
}
