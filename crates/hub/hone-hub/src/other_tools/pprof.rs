//! Profiles in pprof's format, as Go's runtime, Pyroscope's agents and most other profilers write them.
//!
//! A location counts by the names of its functions, the inlined ones too, and only where it has none by its place in a file:
//! who sends names rarely sends the symbols of its files too. Lines are left out.

use std::ops::Range;

use hone_batch::Group;
use hone_profile::pprof::{Label, Location, Pprof, ValueType, parse};
use hone_profile::protobuf::Fields;
use hone_profile::{Avma, BinaryKind, FileOffset, LocationId, ThreadId};
use rustc_hash::FxHashMap;

use super::draft::{Counted, Making, Recorded, check_levels};
use super::labels::described;
use super::limits::{DEPTH_MAX, ENTRIES_MAX};
use super::{Refusal, times};

/// What is known of a profile beside its bytes.
pub(super) struct Known<'k> {
    /// What its samples are told apart by, unless their own labels say more.
    pub(super) group: &'k Group,
    /// Time of the recording, if the profile's own shall not count.
    pub(super) recorded: Option<Recorded>,
    /// Time that counts where the profile has none, in seconds since 1970.
    pub(super) now_s: u64,
}

/// Adds the samples of an unpacked profile, if they are of CPU time.
pub(super) fn add(making: &mut Making, bytes: &[u8], known: &Known<'_>) -> Result<(), Refusal> {
    check_size(bytes)?;
    let pprof = parse(bytes).map_err(|error| Refusal::Bad(format!("the profile: {error}")))?;
    let Some(cpu) = Cpu::of(&pprof) else {
        making.left_out.not_cpu += 1;
        return Ok(());
    };
    let recorded = known.recorded.unwrap_or_else(|| {
        let start_s = times::believed_s(pprof.time_ns / 1_000_000_000).unwrap_or(known.now_s);
        let seconds = (pprof.duration_ns / 1_000_000_000).max(0).unsigned_abs();
        Recorded::new(start_s, start_s.saturating_add(seconds))
    });
    check_levels(pprof.samples.iter().map(|sample| sample.stack.len()).sum())?;
    making.left_out.labels += pprof.losses.labels;
    making.left_out.samples += pprof.losses.malformed_samples;
    let mut work = Work {
        group: with_build(known.group, &pprof),
        pprof: &pprof,
        places: Vec::new(),
        known: FxHashMap::default(),
        threads: FxHashMap::default(),
    };
    let mut levels = Vec::new();
    for sample in &pprof.samples {
        let Some((times, weight_ns)) = cpu.counts(&sample.values) else {
            making.left_out.samples += 1;
            continue;
        };
        if times == 0 {
            continue;
        }
        levels.clear();
        for (depth, &location) in sample.stack.iter().enumerate() {
            // One more than there is room for tells that the stack is cut.
            let room = (DEPTH_MAX + 1).saturating_sub(levels.len());
            if room == 0 {
                break;
            }
            let places = work.places(making, location, depth > 0);
            levels.extend(work.places[places].iter().take(room));
        }
        let counted = Counted {
            thread: work.thread(making, &sample.labels),
            times,
            weight_ns,
        };
        making.add(counted, recorded, &levels)?;
    }
    Ok(())
}

/// Counts the entries of a profile before memory is taken for them: two bytes can claim one.
fn check_size(bytes: &[u8]) -> Result<(), Refusal> {
    let mut entries = [0_usize; 8];
    for field in Fields(bytes) {
        let (number, _) = field.map_err(|error| Refusal::Bad(format!("the profile: {error}")))?;
        let Some(count) = entries.get_mut(number as usize) else {
            continue;
        };
        *count += 1;
        if *count > ENTRIES_MAX {
            return Err(Refusal::TooLarge(format!(
                "the profile has more than {ENTRIES_MAX} samples, locations, functions or texts"
            )));
        }
    }
    Ok(())
}

/// Returns the group with the build id of the program, whose file comes first by pprof's custom.
fn with_build(group: &Group, pprof: &Pprof) -> Group {
    let mut group = group.clone();
    if let (true, Some(main)) = (group.build.is_empty(), pprof.mappings.first()) {
        let main = pprof.binary(main);
        if main.kind == BinaryKind::File {
            group.build = main.build_id.map_or(String::new(), |id| id.to_string());
        }
    }
    group
}

/// Where the CPU time stands in the values of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cpu {
    value: usize,
    ns_each: u64,
    /// Position of the number of samples, if that stands beside.
    count: Option<usize>,
    /// Time between two samples; 0 if unknown.
    period_ns: u64,
}

impl Cpu {
    fn of(pprof: &Pprof) -> Option<Self> {
        let words = |own: ValueType| (pprof.text(own.kind), pprof.text(own.unit));
        let unit_ns = |own: ValueType| match words(own) {
            ("cpu", "nanoseconds") => Some(1),
            ("cpu", "microseconds") => Some(1_000),
            ("cpu", "milliseconds") => Some(1_000_000),
            ("cpu", "seconds") => Some(1_000_000_000),
            _ => None,
        };
        let mut types = pprof.value_types.iter().copied();
        let period = u64::try_from(pprof.period).unwrap_or(0);
        let period_ns = unit_ns(pprof.period_type).map_or(0, |unit| period.saturating_mul(unit));
        let is_count = |own: &ValueType| words(*own) == ("samples", "count");
        let count = pprof.value_types.iter().position(is_count);
        if let Some((value, ns_each)) = types
            .by_ref()
            .enumerate()
            .find_map(|(index, own)| Some((index, unit_ns(own)?)))
        {
            return Some(Self {
                value,
                ns_each,
                count,
                period_ns,
            });
        }
        let value = count.filter(|_| period_ns > 0)?;
        Some(Self {
            value,
            ns_each: period_ns,
            count,
            period_ns,
        })
    }

    /// Returns the number of samples and their nanoseconds; `None` if the values make no sense.
    fn counts(&self, values: &[i64]) -> Option<(u64, u64)> {
        let value = |index: usize| u64::try_from(*values.get(index)?).ok();
        let weight_ns = value(self.value)?.checked_mul(self.ns_each)?;
        let times = match self.count {
            Some(count) => value(count)?,
            None => weight_ns.checked_div(self.period_ns).unwrap_or(1),
        };
        Some((times.max(u64::from(weight_ns > 0)), weight_ns))
    }
}

struct Work<'p> {
    pprof: &'p Pprof,
    group: Group,
    /// Places of all locations so far, one after the other.
    places: Vec<LocationId>,
    /// Where the places of a location stand, by location and whether it is a caller.
    known: FxHashMap<(u32, bool), Range<usize>>,
    threads: FxHashMap<&'p [Label], ThreadId>,
}

impl<'p> Work<'p> {
    fn thread(&mut self, making: &mut Making, labels: &'p [Label]) -> ThreadId {
        if let Some(&known) = self.threads.get(labels) {
            return known;
        }
        let texts: Vec<(&str, &str)> = labels
            .iter()
            .map(|label| (self.pprof.text(label.key), self.pprof.text(label.value)))
            .collect();
        let group = described(&self.group, &texts, &mut making.left_out);
        let thread = making.thread(group, &self.group);
        self.threads.insert(labels, thread);
        thread
    }

    /// Returns where the places of a location stand, innermost function first.
    fn places(&mut self, making: &mut Making, index: u32, is_caller: bool) -> Range<usize> {
        if let Some(known) = self.known.get(&(index, is_caller)) {
            return known.clone();
        }
        let start = self.places.len();
        let location = &self.pprof.locations[index as usize];
        self.add_names(making, location);
        if self.places.len() == start {
            let place = match self.pprof.in_file(location) {
                Some((file, offset)) => {
                    let file = making.profile.intern_binary(file);
                    let offset = offset.0.wrapping_add(u64::from(is_caller));
                    making.profile.intern_location(file, FileOffset(offset))
                }
                None => making.profile.intern_unmapped(Avma(location.address)),
            };
            self.places.push(place);
        }
        let places = start..self.places.len();
        self.known.insert((index, is_caller), places.clone());
        places
    }

    fn add_names(&mut self, making: &mut Making, location: &Location) {
        let mapping = location
            .mapping
            .and_then(|mapping| self.pprof.mappings.get(mapping as usize));
        let file = mapping
            .map(|mapping| self.pprof.binary(mapping))
            .filter(|file| !file.path.is_empty());
        for line in &location.lines {
            let Some(function) = self.pprof.functions.get(line.function as usize) else {
                continue;
            };
            if let Some(name) = self.pprof.name_of(function) {
                let source = self.pprof.text(function.file);
                self.places.push(making.named(file.clone(), source, name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(types: &[(&str, &str)], period: (&str, &str, i64)) -> Option<Cpu> {
        let mut pprof = Pprof::default();
        for (kind, unit) in types {
            let own = pprof.value_type(kind, unit);
            pprof.value_types.push(own);
        }
        pprof.period_type = pprof.value_type(period.0, period.1);
        pprof.period = period.2;
        Cpu::of(&pprof)
    }

    #[test]
    fn cpu_time_is_found_in_values_and_in_the_period() {
        let go = of(
            &[("samples", "count"), ("cpu", "nanoseconds")],
            ("cpu", "nanoseconds", 10_000_000),
        );
        assert_eq!(go.unwrap().counts(&[3, 30_000_000]), Some((3, 30_000_000)));
        let rust = of(
            &[("cpu", "nanoseconds")],
            ("cpu", "nanoseconds", 10_000_000),
        );
        assert_eq!(rust.unwrap().counts(&[20_000_000]), Some((2, 20_000_000)));
        assert_eq!(rust.unwrap().counts(&[-1]), None);
        let counted = of(&[("samples", "count")], ("cpu", "milliseconds", 10));
        assert_eq!(counted.unwrap().counts(&[2]), Some((2, 20_000_000)));
        let micro = of(&[("cpu", "microseconds")], ("", "", 0));
        assert_eq!(micro.unwrap().counts(&[5]), Some((1, 5_000)));
        assert_eq!(micro.unwrap().counts(&[i64::MAX]), None);
    }

    #[test]
    fn other_profiles_are_not_of_cpu_time() {
        let heap = [("alloc_objects", "count"), ("alloc_space", "bytes")];
        assert_eq!(of(&heap, ("space", "bytes", 524_288)), None);
        let wall = [("samples", "count"), ("wall", "nanoseconds")];
        assert_eq!(of(&wall, ("wall", "nanoseconds", 10_000_000)), None);
        let block = [("contentions", "count"), ("delay", "nanoseconds")];
        assert_eq!(of(&block, ("contentions", "count", 1)), None);
    }
}
