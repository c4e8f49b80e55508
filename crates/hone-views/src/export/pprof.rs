//! The pprof format, with names instead of addresses.

use crate::stacks::{Frame, FrameId, Stacks, is_time};
use hone_profile::pprof::{Function, Label, Line, Location, Mapping, Pprof, Sample};
use rustc_hash::FxHashMap;

/// Returns the stacks as a pprof table with the number, the weight and the labels of the samples. Each frame is a
/// location of its own, also the frame of an inlined call.
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
    for id in 0..stacks.frame_count() as u32 {
        let frame = stacks.frame(FrameId(id));
        let location = Location {
            mapping: Some(mapping_of(frame, &mut made, &mut mappings)),
            address: 0,
            lines: vec![Line {
                function: function_of(frame, &mut made, &mut functions),
                line: frame.line.into(),
            }],
        };
        made.locations.push(location);
    }
    made.samples = stacks
        .stacks
        .iter()
        .map(|stack| Sample {
            stack: stack.frames.iter().map(|frame| frame.0).collect(),
            values: [stack.samples, stack.weight]
                .map(|value| i64::try_from(value).unwrap_or(i64::MAX))
                .to_vec(),
            labels: (stack.labels.iter())
                .map(|label| Label {
                    key: made.intern(&label.key),
                    value: made.intern(&label.value),
                })
                .collect(),
        })
        .collect();
    made
}

/// Returns the mapping for the file of a frame; the mapping has no addresses.
fn mapping_of<'s>(frame: &'s Frame, made: &mut Pprof, known: &mut FxHashMap<&'s str, u32>) -> u32 {
    *known.entry(&frame.binary).or_insert_with(|| {
        let file = made.intern(&frame.binary);
        made.mappings.push(Mapping {
            file,
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
