//! OpenTelemetry's profiles, `opentelemetry.proto.collector.profiles.v1development` of version 1.10: experimental, as they are
//! themselves.
//!
//! Version 1.10 gave the fields of samples new numbers: what senders of version 1.9 say of values is read as something else. So
//! a profile without a single value or time is refused, loudly.

use hone_batch::{Group, Origin};
use hone_profile::{
    Avma, Binary, BinaryKind, BuildId, FileOffset, LocationId, kind_of_user_mapping,
};
use opentelemetry_proto::tonic::collector::profiles::v1development::ExportProfilesServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::profiles::v1development::{
    Location, Mapping, Profile, ProfilesDictionary, Sample, ValueType,
};
use prost::Message;
use rustc_hash::FxHashMap;

use super::draft::{Counted, Making, Recorded};
use super::labels::described;
use super::limits::{DEPTH_MAX, PROFILES_MAX};
use super::unpack::unpacked;
use super::{Refusal, Sent, times};

/// Attribute of a mapping that has its build id.
const BUILD_ID: &str = "process.executable.build_id.gnu";
/// Attribute of a location that tells whose code it is.
const FRAME_TYPE: &str = "profile.frame.type";
/// File of the kernel's functions.
const KERNEL: &str = "[kernel.kallsyms]";

/// Makes a batch of a request.
pub(super) fn take(sent: &Sent, body: &[u8], origin: Origin) -> Result<Making, Refusal> {
    let body = unpacked(body)?;
    let request = ExportProfilesServiceRequest::decode(&*body)
        .map_err(|error| Refusal::Bad(format!("the request: {error}")))?;
    let dictionary = request.dictionary.unwrap_or_default();
    let mut making = Making::new(origin);
    let mut work = Work {
        dictionary: &dictionary,
        places: FxHashMap::default(),
    };
    let mut profiles = 0;
    for resource in &request.resource_profiles {
        let attributes = resource.resource.as_ref();
        let attributes = attributes.map_or(&[][..], |resource| &resource.attributes[..]);
        let labels: Vec<(&str, String)> = attributes
            .iter()
            .filter_map(|pair| work.pair(pair))
            .collect();
        let group = described(&Group::default(), &borrowed(&labels), &mut making.left_out);
        for profile in resource
            .scope_profiles
            .iter()
            .flat_map(|scope| &scope.profiles)
        {
            profiles += 1;
            if profiles > PROFILES_MAX {
                return Err(Refusal::TooLarge(format!(
                    "the request has more than {PROFILES_MAX} profiles"
                )));
            }
            work.add(&mut making, profile, &group, sent.now_s)?;
        }
    }
    Ok(making)
}

fn borrowed<'l>(labels: &'l [(&'l str, String)]) -> Vec<(&'l str, &'l str)> {
    labels.iter().map(|(key, value)| (*key, &**value)).collect()
}

/// Returns an entry of a table; none for an index that leads nowhere, or to the entry that stands for nothing.
fn entry<T>(table: &[T], index: i32) -> Option<&T> {
    table.get(usize::try_from(index).ok().filter(|index| *index > 0)?)
}

struct Work<'r> {
    dictionary: &'r ProfilesDictionary,
    /// Places by location and whether it is a caller, innermost first.
    places: FxHashMap<(i32, bool), Vec<LocationId>>,
}

impl<'r> Work<'r> {
    fn text(&self, index: i32) -> &'r str {
        entry(&self.dictionary.string_table, index).map_or("", String::as_str)
    }

    /// Returns an attribute as a label; none for lists and the like.
    fn pair<'p>(&self, pair: &'p KeyValue) -> Option<(&'p str, String)>
    where
        'r: 'p,
    {
        let key = match &*pair.key {
            "" => self.text(pair.key_strindex),
            key => key,
        };
        Some((key, self.plain(pair.value.as_ref()?)?))
    }

    fn plain(&self, value: &AnyValue) -> Option<String> {
        Some(match value.value.as_ref()? {
            Value::StringValue(text) => text.clone(),
            Value::StringValueStrindex(index) => self.text(*index).to_owned(),
            Value::BoolValue(value) => value.to_string(),
            Value::IntValue(value) => value.to_string(),
            Value::DoubleValue(value) => value.to_string(),
            _ => return None,
        })
    }

    /// Returns attributes of the dictionary as labels.
    fn labels(&self, indices: &[i32]) -> Vec<(&'r str, String)> {
        let attributes = indices
            .iter()
            .filter_map(|&index| entry(&self.dictionary.attribute_table, index));
        attributes
            .filter_map(|own| {
                Some((
                    self.text(own.key_strindex),
                    self.plain(own.value.as_ref()?)?,
                ))
            })
            .collect()
    }

    fn add(
        &mut self,
        making: &mut Making,
        profile: &Profile,
        group: &Group,
        now_s: u64,
    ) -> Result<(), Refusal> {
        let Some(each_ns) = self.cpu_ns(profile) else {
            making.left_out.not_cpu += 1;
            return Ok(());
        };
        let is_empty =
            |sample: &Sample| sample.values.is_empty() && sample.timestamps_unix_nano.is_empty();
        if !profile.samples.is_empty() && profile.samples.iter().all(is_empty) {
            return Err(Refusal::Bad(
                "no sample has a value or a time: the hub reads version 1.10 of OpenTelemetry's profiles, and earlier \
                 senders write other fields; update the sender"
                    .to_owned(),
            ));
        }
        let in_s = |ns: u64| times::believed_s(i64::try_from(ns / 1_000_000_000).unwrap_or(0));
        let start_s = in_s(profile.time_unix_nano).unwrap_or(now_s);
        let seconds = profile.duration_nano / 1_000_000_000;
        let recorded = Recorded::new(start_s, start_s.saturating_add(seconds));
        let mut levels = Vec::new();
        for sample in &profile.samples {
            let labels = self.labels(&sample.attribute_indices);
            let own = described(group, &borrowed(&labels), &mut making.left_out);
            let thread = making.thread(own, group);
            self.stack(making, sample.stack_index, &mut levels);
            if sample.timestamps_unix_nano.is_empty() {
                let value: Option<u64> = sample.values.iter().try_fold(0_u64, |sum, &value| {
                    sum.checked_add(u64::try_from(value).ok()?)
                });
                let counted = value.and_then(|value| each_ns.counts(value));
                let Some((times, weight_ns)) = counted else {
                    making.left_out.samples += 1;
                    continue;
                };
                if times > 0 {
                    let counted = Counted {
                        thread,
                        times,
                        weight_ns,
                    };
                    making.add(counted, recorded, &levels)?;
                }
                continue;
            }
            for (nth, &time_ns) in sample.timestamps_unix_nano.iter().enumerate() {
                let value = sample.values.get(nth).copied().unwrap_or(1);
                let value = u64::try_from(value).ok();
                let Some((times, weight_ns)) = value.and_then(|value| each_ns.counts(value)) else {
                    making.left_out.samples += 1;
                    continue;
                };
                if times == 0 {
                    continue;
                }
                let at_s = in_s(time_ns).unwrap_or(start_s);
                let counted = Counted {
                    thread,
                    times,
                    weight_ns,
                };
                making.add(counted, Recorded::new(at_s, at_s), &levels)?;
            }
        }
        Ok(())
    }

    /// Returns what values mean; `None` if it is not CPU time.
    fn cpu_ns(&self, profile: &Profile) -> Option<Each> {
        let words = |own: Option<&ValueType>| {
            own.map_or(("", ""), |own| {
                (self.text(own.type_strindex), self.text(own.unit_strindex))
            })
        };
        let unit_ns = |own| match words(own) {
            ("cpu", "nanoseconds" | "ns") => Some(1),
            ("cpu", "microseconds" | "us") => Some(1_000),
            ("cpu", "milliseconds" | "ms") => Some(1_000_000),
            ("cpu", "seconds" | "s") => Some(1_000_000_000),
            _ => None,
        };
        let period = u64::try_from(profile.period).unwrap_or(0);
        let period_ns =
            unit_ns(profile.period_type.as_ref()).map(|unit| period.saturating_mul(unit));
        let own = profile.sample_type.as_ref();
        match (unit_ns(own), words(own)) {
            (Some(unit_ns), _) => Some(Each::Time {
                unit_ns,
                period_ns: period_ns.unwrap_or(0),
            }),
            (None, ("samples" | "sample", "count" | "1")) => {
                let period_ns = period_ns.filter(|period| *period > 0)?;
                Some(Each::Count { period_ns })
            }
            _ => None,
        }
    }

    fn stack(&mut self, making: &mut Making, index: i32, levels: &mut Vec<LocationId>) {
        levels.clear();
        let Some(stack) = entry(&self.dictionary.stack_table, index) else {
            return;
        };
        for (depth, &location) in stack.location_indices.iter().enumerate() {
            // One more than there is room for tells that the stack is cut.
            let room = (DEPTH_MAX + 1).saturating_sub(levels.len());
            if room == 0 {
                return;
            }
            let key = (location, depth > 0);
            if !self.places.contains_key(&key) {
                let places = self.of_location(making, location, depth > 0);
                self.places.insert(key, places);
            }
            levels.extend(self.places[&key].iter().take(room));
        }
    }

    fn of_location(&self, making: &mut Making, index: i32, is_caller: bool) -> Vec<LocationId> {
        let Some(location) = entry(&self.dictionary.location_table, index) else {
            return Vec::new();
        };
        let mapping = entry(&self.dictionary.mapping_table, location.mapping_index);
        let file = mapping.map(|mapping| self.file(mapping));
        let named = file.clone().filter(|file| !file.path.is_empty());
        let named = match self.is_kernel(location) {
            true => Some(Binary {
                path: KERNEL.to_owned(),
                build_id: None,
                kind: BinaryKind::Kernel,
            }),
            false => named,
        };
        let mut places = Vec::new();
        for line in &location.lines {
            let Some(function) = entry(&self.dictionary.function_table, line.function_index) else {
                continue;
            };
            let names = [function.name_strindex, function.system_name_strindex];
            let mut names = names.into_iter().map(|name| self.text(name));
            if let Some(name) = names.find(|name| !name.is_empty()) {
                let source = self.text(function.filename_strindex);
                places.push(making.named(named.clone(), source, name));
            }
        }
        if places.is_empty() {
            places.push(match (mapping, file) {
                (Some(mapping), Some(file)) if is_inside(mapping, location) => {
                    let file = making.profile.intern_binary(file);
                    let offset = location.address - mapping.memory_start;
                    let offset = offset.wrapping_add(mapping.file_offset);
                    let offset = offset.wrapping_add(u64::from(is_caller));
                    making.profile.intern_location(file, FileOffset(offset))
                }
                _ => making.profile.intern_unmapped(Avma(location.address)),
            });
        }
        places
    }

    fn file(&self, mapping: &Mapping) -> Binary {
        let path = self.text(mapping.filename_strindex);
        let labels = self.labels(&mapping.attribute_indices);
        let build_id = labels.iter().find(|(key, _)| *key == BUILD_ID);
        Binary {
            path: path.to_owned(),
            build_id: build_id.and_then(|(_, id)| BuildId::from_hex(id)),
            kind: kind_of_user_mapping(path),
        }
    }

    fn is_kernel(&self, location: &Location) -> bool {
        let labels = self.labels(&location.attribute_indices);
        labels
            .iter()
            .any(|(key, value)| *key == FRAME_TYPE && value == "kernel")
    }
}

fn is_inside(mapping: &Mapping, location: &Location) -> bool {
    (mapping.memory_start..mapping.memory_limit).contains(&location.address)
}

/// What a value of a sample means.
#[derive(Clone, Copy)]
enum Each {
    /// CPU time, of which a sample has about `period_ns`; 0 if unknown.
    Time { unit_ns: u64, period_ns: u64 },
    /// A number of samples.
    Count { period_ns: u64 },
}

impl Each {
    /// Returns the number of samples and their nanoseconds; `None` if that is too much.
    fn counts(self, value: u64) -> Option<(u64, u64)> {
        match self {
            Self::Time { unit_ns, period_ns } => {
                let weight_ns = value.checked_mul(unit_ns)?;
                let times = weight_ns.checked_div(period_ns).unwrap_or(1);
                Some((times.max(u64::from(weight_ns > 0)), weight_ns))
            }
            Self::Count { period_ns } => Some((value, value.checked_mul(period_ns)?)),
        }
    }
}
