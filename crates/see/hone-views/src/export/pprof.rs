//! The pprof format, with names instead of addresses.

use crate::stacks::{Frame, FrameId, Stacks, is_time};
use hone_profile::Interner;
use hone_profile::pprof::{Function, Label, Line, Location, Mapping, Pprof, Sample, TextId};
use rustc_hash::FxHashMap;

/// Returns the stacks as a pprof table with the number, the weight and the labels of the samples. A frame is a location,
/// together with the calls inlined into it.
pub fn pprof(stacks: &Stacks) -> Pprof {
    let mut made = Pprof::default();
    let (kind, unit) = if is_time(&stacks.event) {
        ("cpu", "nanoseconds")
    } else {
        (stacks.event.as_str(), "count")
    };
    made.value_types = vec![
        made.value_type("samples", "count"),
        made.value_type(kind, unit),
    ];
    made.period_type = made.value_types[1];
    let mut mappings = FxHashMap::default();
    let mut functions = FxHashMap::default();
    let mut locations: Interner<&[FrameId]> = Interner::default();
    for stack in &stacks.stacks {
        let labels = stack.labels.iter().map(|label| Label {
            key: made.intern(&label.key),
            value: made.intern(&label.value),
        });
        let labels = labels.collect();
        let frames = stack
            .frames
            .chunk_by(|&inner, _| stacks.frame(inner).is_inlined);
        made.samples.push(Sample {
            stack: frames.map(|frames| locations.intern(&frames)).collect(),
            values: [stack.samples, stack.weight]
                .map(|value| i64::try_from(value).unwrap_or(i64::MAX))
                .to_vec(),
            labels,
        });
    }
    for frames in locations.items() {
        let frames = frames.iter().map(|&id| stacks.frame(id));
        let outermost = frames.clone().next_back();
        let mapping = outermost.map(|frame| mapping_of(frame, stacks, &mut made, &mut mappings));
        let lines = frames.map(|frame| Line {
            function: function_of(frame, &mut made, &mut functions),
            line: frame.line.into(),
        });
        let lines = lines.collect();
        made.locations.push(Location {
            mapping,
            address: 0,
            lines,
        });
    }
    made
}

/// Returns the mapping for the file of a frame; the mapping has no addresses.
fn mapping_of<'s>(
    frame: &'s Frame,
    stacks: &Stacks,
    made: &mut Pprof,
    known: &mut FxHashMap<&'s str, u32>,
) -> u32 {
    *known.entry(&frame.binary).or_insert_with(|| {
        let file = made.intern(&frame.binary);
        let mut builds = stacks.builds.get(&frame.binary).into_iter().flatten();
        // Frames of several builds of a file cannot be told apart here.
        let alone = builds.next().filter(|_| builds.next().is_none());
        let build_id = alone.map_or(TextId::default(), |build| made.intern(build));
        made.mappings.push(Mapping {
            file,
            build_id,
            has_functions: true,
            has_lines: true,
            ..Mapping::default()
        });
        made.mappings.len() as u32 - 1
    })
}

fn function_of<'s>(
    frame: &'s Frame,
    made: &mut Pprof,
    known: &mut FxHashMap<(&'s str, &'s str), u32>,
) -> u32 {
    *known
        .entry((&frame.function, &frame.file))
        .or_insert_with(|| {
            let name = made.intern(&frame.function);
            let file = made.intern(&frame.file);
            made.functions.push(Function {
                name,
                system_name: name,
                file,
                start_line: 0,
            });
            made.functions.len() as u32 - 1
        })
}
