//! Measures how much of a profile a newer build still has.
//!
//! A compiler finds a profile's counts by function name, line in the function and discriminator, or by pseudo
//! probe and checksum. Counts that the new build lacks are lost. By lines, the build's own code is the only thing
//! to compare with, so a block that the optimiser removed looks changed too: some percent are normal, even for the
//! build that was recorded.

use crate::code::Code;
use crate::discriminator::Scheme;
use crate::overlap::flat;
use crate::sample_profile::{LineKey, SampleProfile};
use hone_symbols::{DebugInfo, Probes, SourceFrame, canonical_name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum shift of the places of a function, up or down, in lines, that is still recognised.
const SHIFT_MAX: i64 = 500;

/// Result of the comparison of a profile with a build. Weights are sums of the counts of places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Staleness {
    /// All weight.
    pub weight: u64,
    /// Weight in functions that the build does not have.
    pub gone: u64,
    /// Weight at missing places of functions that the build has; by probes, weight in functions with another checksum.
    pub changed: u64,
    /// Part of `changed` on lines that the build has, in other blocks.
    pub other_block: u64,
    /// True if checksums of pseudo probes were compared, not lines.
    pub by_checksum: bool,
    /// Functions that are gone, heaviest first.
    pub missing: Vec<String>,
    /// Functions that changed, the function that lost most first.
    pub worst: Vec<ChangedFunction>,
}

/// A function that changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedFunction {
    /// Name of the function.
    pub name: String,
    /// Weight that the function loses.
    pub changed: u64,
    /// Number of lines by which its places moved, if most places moved alike.
    pub shift: Option<i64>,
}

/// Places of functions, by name.
type Places<'p> = FxHashMap<&'p str, BTreeMap<LineKey, u64>>;

/// Compares a profile keyed by lines with the debug info of a build.
pub fn stale_lines(profile: &SampleProfile, code: &Code<'_>, debug: &DebugInfo<'_>) -> Staleness {
    // Also functions that ran only in calls inlined into them: these calls are looked for in the code of the functions.
    let names = profile.functions.keys();
    let mut places: Places<'_> = names.map(|name| (name.as_str(), BTreeMap::new())).collect();
    for ((name, key), count) in flat(profile) {
        if count > 0 {
            places.entry(name).or_default().insert(key, count);
        }
    }
    let symbols = symbols(code);
    let there = places_of(&places, code, debug);
    let mut found = Staleness::default();
    let mut missing = Vec::new();
    for (name, places) in places.iter().filter(|(_, places)| !places.is_empty()) {
        let all = places
            .values()
            .fold(0, |sum: u64, &count| sum.saturating_add(count));
        found.weight = found.weight.saturating_add(all);
        match there.get(*name) {
            Some(there) => found.compare(name, places, there),
            // The function is not in the code that the profile names, or has no lines there.
            None if symbols.contains(name) => found.change(name, all, None),
            None => missing.push((all, *name)),
        }
    }
    found.finish(missing)
}

/// Compares a profile keyed by pseudo probes with the checksums of a build.
pub fn stale_probes(profile: &SampleProfile, probes: &Probes<'_>) -> Staleness {
    let functions = probes.functions().iter();
    let checksums: FxHashMap<&str, u64> = functions.map(|f| (f.name, f.checksum)).collect();
    let mut weights: FxHashMap<(&str, Option<u64>), u64> = FxHashMap::default();
    profile.visit_by_name(&mut |name, function| {
        let counts = function.body.values().map(|line| line.count);
        let sum = weights.entry((name, function.checksum)).or_default();
        *sum = counts.fold(*sum, u64::saturating_add);
    });
    let mut found = Staleness {
        by_checksum: true,
        ..Staleness::default()
    };
    let mut missing = Vec::new();
    for (&(name, checksum), &weight) in &weights {
        found.weight = found.weight.saturating_add(weight);
        match checksums.get(name) {
            None => missing.push((weight, name)),
            Some(&now) if checksum.is_some_and(|before| before != now) => {
                found.change(name, weight, None);
            }
            Some(_) => {}
        }
    }
    found.finish(missing)
}

impl Staleness {
    fn compare(&mut self, name: &str, places: &BTreeMap<LineKey, u64>, there: &BTreeSet<LineKey>) {
        let lines: BTreeSet<u32> = there.iter().map(|key| key.line_offset).collect();
        let mut changed = 0u64;
        for (key, &count) in places.iter().filter(|(key, _)| !there.contains(key)) {
            changed = changed.saturating_add(count);
            if lines.contains(&key.line_offset) {
                self.other_block = self.other_block.saturating_add(count);
            }
        }
        if changed > 0 {
            self.change(name, changed, shift(places, &lines));
        }
    }

    fn change(&mut self, name: &str, changed: u64, shift: Option<i64>) {
        self.changed = self.changed.saturating_add(changed);
        self.worst.push(ChangedFunction {
            name: name.to_owned(),
            changed,
            shift,
        });
    }

    fn finish(mut self, mut missing: Vec<(u64, &str)>) -> Self {
        missing.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        self.gone = missing
            .iter()
            .fold(0, |sum, part| sum.saturating_add(part.0));
        self.missing = missing
            .into_iter()
            .map(|(_, name)| name.to_owned())
            .collect();
        let order = |a: &ChangedFunction, b: &ChangedFunction| {
            b.changed.cmp(&a.changed).then_with(|| a.name.cmp(&b.name))
        };
        self.worst.sort_by(order);
        self
    }
}

/// Returns the shift of lines at which most of the weight is found again, if it finds more than no shift.
fn shift(places: &BTreeMap<LineKey, u64>, lines: &BTreeSet<u32>) -> Option<i64> {
    let found = |by: i64| -> u64 {
        let there = places.iter().filter(|(key, _)| {
            let line = i64::from(key.line_offset) + by;
            u32::try_from(line).is_ok_and(|line| lines.contains(&line))
        });
        there.fold(0, |sum, (_, &count)| sum.saturating_add(count))
    };
    // Of equally good shifts the smallest is taken.
    let by_distance = (1..=SHIFT_MAX).flat_map(|by| [by, -by]);
    let (mut best, mut most) = (0, found(0));
    for by in by_distance {
        let weight = found(by);
        if weight > most {
            (best, most) = (by, weight);
        }
    }
    (best != 0).then_some(best)
}

/// Returns the names of all functions in the symbol table.
fn symbols<'b>(code: &Code<'b>) -> FxHashSet<&'b str> {
    let functions = code.binary().functions().iter();
    let names =
        functions.flat_map(|function| std::iter::once(&function.name).chain(&function.aliases));
    names.map(|name| canonical_name(name)).collect()
}

/// Returns the places that the build has of the functions that the profile names: places in the code of these
/// functions, and places inlined there.
fn places_of(
    wanted: &Places<'_>,
    code: &Code<'_>,
    debug: &DebugInfo<'_>,
) -> FxHashMap<String, BTreeSet<LineKey>> {
    let scheme = Scheme::of(code.binary());
    let mut found: FxHashMap<String, BTreeSet<LineKey>> = FxHashMap::default();
    for function in code.binary().functions().iter() {
        let mut names = std::iter::once(&function.name).chain(&function.aliases);
        if !names.any(|name| wanted.contains_key(canonical_name(name))) {
            continue;
        }
        let instructions = code.of_function(function);
        for index in 0..instructions.len() {
            for frame in debug.inline_stack(instructions.address(index)) {
                let name = canonical_name(frame.function);
                let Some(key) = key(&frame, scheme).filter(|_| wanted.contains_key(name)) else {
                    continue;
                };
                match found.get_mut(name) {
                    Some(places) => {
                        places.insert(key);
                    }
                    None => {
                        found.insert(name.to_owned(), BTreeSet::from([key]));
                    }
                }
            }
        }
    }
    found
}

fn key(frame: &SourceFrame<'_>, scheme: Scheme) -> Option<LineKey> {
    (frame.line != 0 && frame.start_line != 0).then(|| LineKey {
        line_offset: frame.line.wrapping_sub(frame.start_line) & 0xffff,
        discriminator: scheme.base(frame.discriminator),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(line_offset: u32) -> LineKey {
        LineKey {
            line_offset,
            discriminator: 0,
        }
    }

    #[test]
    fn a_function_that_moved_within_itself_is_recognised() {
        let places = BTreeMap::from([(key(3), 50), (key(4), 60), (key(9), 1)]);
        assert_eq!(shift(&places, &BTreeSet::from([1, 5, 6])), Some(2));
        assert_eq!(shift(&places, &BTreeSet::from([3, 4, 9])), None);
        assert_eq!(shift(&places, &BTreeSet::new()), None);
    }

    #[test]
    fn what_is_there_in_another_block_is_told_apart() {
        let mut found = Staleness::default();
        let places = BTreeMap::from([(key(1), 5), (key(2), 7), (key(3), 9)]);
        let block = LineKey {
            line_offset: 2,
            discriminator: 4,
        };
        found.compare("f", &places, &BTreeSet::from([key(1), block]));
        assert_eq!((found.changed, found.other_block), (16, 7));
        assert_eq!(found.worst[0].name, "f");
    }
}
