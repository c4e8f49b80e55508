//! The same batches as requests to Parca: `WriteRawRequest` of its API, with one profile in pprof's format for each service of a host's round.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hone_batch::{Batch, Frame, Place, PlaceIndex, Samples};
use hone_profile::pprof::{self, Function, Label, Line, Location, Mapping, Pprof, Sample};
use hone_profile::protobuf::Message;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::Failure;
use crate::fleet::{Fleet, ROUND_S, Room};

/// Writes the first rounds of the fleet's hosts, a file for each request, and tells how many samples they have.
pub(crate) fn requests(folder: &Path, fleet: &Fleet, count: u64) -> Result<Value, Failure> {
    fs::create_dir_all(folder)?;
    let hosts = fleet.spec.hosts as u64;
    let mut room = Room::default();
    let (mut samples, mut bytes) = (0, 0);
    for number in 0..count {
        let start_s = fleet.spec.from_s + number / hosts * ROUND_S;
        let made = fleet.batch(&mut room, (number % hosts) as usize, start_s);
        let request = request(&made.batch)?;
        samples += made.samples;
        bytes += request.0.len();
        fs::write(folder.join(format!("{number:08}")), request.0)?;
    }
    Ok(json!({ "requests": count, "samples": samples, "bytes": bytes }))
}

fn request(batch: &Batch) -> Result<Message, Failure> {
    let mut series: BTreeMap<(&str, &str), Vec<&Samples>> = BTreeMap::new();
    for samples in &batch.samples {
        let group = &batch.groups[samples.group.index()];
        let key = (&*group.service, &*group.container);
        series.entry(key).or_default().push(samples);
    }
    let mut request = Message::default();
    for ((service, container), samples) in series {
        let mut labels = Message::default();
        for (name, value) in [
            ("__name__", "hone_cpu"),
            ("container", container),
            ("node", &batch.origin.host),
            ("service", service),
        ] {
            let mut label = Message::default();
            label.bytes(1, name.as_bytes()).bytes(2, value.as_bytes());
            labels.message(1, &label);
        }
        let mut raw = Message::default();
        raw.bytes(1, &pprof::write(&Making::of(batch, &samples))?);
        let mut one = Message::default();
        one.message(1, &labels).message(2, &raw);
        request.message(2, &one);
    }
    // Addresses are offsets in their files.
    request.number(3, 1);
    Ok(request)
}

/// A profile that samples of one service are put into.
struct Making<'b> {
    batch: &'b Batch,
    pprof: Pprof,
    locations: FxHashMap<PlaceIndex, u32>,
    mappings: FxHashMap<u32, u32>,
}

impl<'b> Making<'b> {
    fn of(batch: &'b Batch, samples: &[&Samples]) -> Pprof {
        let mut making = Self {
            batch,
            pprof: Pprof::default(),
            locations: FxHashMap::default(),
            mappings: FxHashMap::default(),
        };
        let pprof = &mut making.pprof;
        pprof.value_types = vec![pprof.value_type("samples", "count")];
        pprof.period_type = pprof.value_type("cpu", "nanoseconds");
        pprof.period = (samples[0].weight / samples[0].times.max(1)).cast_signed();
        pprof.time_ns = batch.span_s.start.cast_signed() * 1_000_000_000;
        pprof.duration_ns = ROUND_S.cast_signed() * 1_000_000_000;
        // A profile has no minutes: what differs by these alone is one sample.
        let mut counts: BTreeMap<_, u64> = BTreeMap::new();
        for one in samples {
            let thread = &*batch.groups[one.group.index()].thread;
            *counts.entry((one.stack, one.ip, thread)).or_default() += one.times;
        }
        for ((innermost, ip, thread), times) in counts {
            let mut stack: Vec<u32> = ip.map(|ip| making.location(ip)).into_iter().collect();
            let mut frame = Some(innermost);
            while let Some(at) = frame {
                let Frame { place, caller } = batch.frames[at.index()];
                stack.push(making.location(place));
                frame = caller;
            }
            let label = Label {
                key: making.pprof.intern("thread_name"),
                value: making.pprof.intern(thread),
            };
            making.pprof.samples.push(Sample {
                stack,
                values: vec![times.cast_signed()],
                labels: vec![label],
            });
        }
        making.pprof
    }

    fn location(&mut self, place: PlaceIndex) -> u32 {
        if let Some(&known) = self.locations.get(&place) {
            return known;
        }
        let batch = self.batch;
        let (binary, address, name) = match batch.places[place.index()] {
            Place::Code { binary, offset } => (binary, offset, None),
            Place::Named { binary, name } => (binary, 0, Some(&*batch.names[name.index()])),
        };
        let mapping = Some(self.mapping(binary.0));
        let lines = name.map(|name| Line {
            function: self.function(name),
            line: 0,
        });
        let location = Location {
            mapping,
            address,
            lines: lines.into_iter().collect(),
        };
        let index = self.pprof.locations.len() as u32;
        self.pprof.locations.push(location);
        self.locations.insert(place, index);
        index
    }

    fn mapping(&mut self, binary: u32) -> u32 {
        if let Some(&known) = self.mappings.get(&binary) {
            return known;
        }
        let of = &self.batch.binaries[binary as usize];
        let build_id = of.build_id.as_ref().map(ToString::to_string);
        let mapping = Mapping {
            limit: u64::MAX,
            file: self.pprof.intern(&of.path),
            build_id: self.pprof.intern(&build_id.unwrap_or_default()),
            ..Mapping::default()
        };
        let index = self.pprof.mappings.len() as u32;
        self.pprof.mappings.push(mapping);
        self.mappings.insert(binary, index);
        index
    }

    fn function(&mut self, name: &str) -> u32 {
        let name = self.pprof.intern(name);
        self.pprof.functions.push(Function {
            name,
            system_name: name,
            ..Function::default()
        });
        self.pprof.functions.len() as u32 - 1
    }
}
