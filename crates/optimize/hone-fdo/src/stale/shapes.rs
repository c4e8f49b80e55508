//! Shapes of functions, in a build and in a profile: their lines, and the calls on each line.

use crate::code::Code;
use crate::sample_profile::SampleProfile;
use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, SourceFrame, canonical_name};
use std::collections::{BTreeMap, BTreeSet};

/// Lines and calls of one function in a build, inlined copies included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// Lines with code.
    pub lines: BTreeSet<u32>,
    /// Callees of direct and inlined calls, by line.
    pub calls: BTreeMap<u32, BTreeSet<String>>,
}

/// Shapes of the functions of a build or a profile, by name.
pub type Shapes = BTreeMap<String, Shape>;

/// Reads the shapes of a build's functions from its code and debug info.
pub fn shapes(code: &Code<'_>, debug: &DebugInfo<'_>) -> Shapes {
    let mut shapes = Shapes::new();
    for function in code.binary().functions().iter() {
        let instructions = code.of_function(function);
        for index in 0..instructions.len() {
            let svma = instructions.address(index);
            let stack = debug.inline_stack(svma);
            for frame in &stack {
                if let Some(line) = line_of(frame) {
                    shape(&mut shapes, frame).lines.insert(line);
                }
            }
            for pair in stack.windows(2) {
                note_call(&mut shapes, &pair[1], canonical_name(pair[0].function));
            }
            if let (Some(caller), Some(callee)) = (stack.first(), callee_at(code.binary(), svma)) {
                note_call(&mut shapes, caller, callee);
            }
        }
    }
    shapes
}

fn shape<'s>(shapes: &'s mut Shapes, frame: &SourceFrame<'_>) -> &'s mut Shape {
    let name = canonical_name(frame.function).to_owned();
    shapes.entry(name).or_default()
}

fn note_call(shapes: &mut Shapes, caller: &SourceFrame<'_>, callee: &str) {
    if let Some(line) = line_of(caller) {
        let calls = &mut shape(shapes, caller).calls;
        calls.entry(line).or_default().insert(callee.to_owned());
    }
}

fn line_of(frame: &SourceFrame<'_>) -> Option<u32> {
    let known = frame.line != 0 && frame.start_line != 0 && !frame.function.is_empty();
    known.then(|| frame.line.wrapping_sub(frame.start_line) & 0xffff)
}

/// Returns the function that a direct call, or a jump to another function, enters.
fn callee_at<'b>(binary: &'b Binary<'_>, svma: Svma) -> Option<&'b str> {
    let bytes: [u8; 5] = binary.bytes_at(svma, 5)?.try_into().ok()?;
    let [0xe8 | 0xe9, distance @ ..] = bytes else {
        return None;
    };
    let next = svma.0.wrapping_add(5);
    let target = Svma(next.wrapping_add_signed(i64::from(i32::from_le_bytes(distance))));
    if let Some(stub) = binary.plt_entry_at(target) {
        return stub.symbol.map(canonical_name);
    }
    let callee = binary.functions().starting_at(target)?;
    (!callee.is_part()).then(|| callee.canonical_name())
}

/// Returns the shapes of functions as far as the profile shows them.
pub(super) fn of_profile(profile: &SampleProfile) -> Shapes {
    let mut shapes = Shapes::new();
    profile.visit_by_name(&mut |name, function| {
        let shape = shapes.entry(name.to_owned()).or_default();
        for (key, line) in &function.body {
            shape.lines.insert(key.line_offset);
            let calls = shape.calls.entry(key.line_offset).or_default();
            calls.extend(line.targets.keys().cloned());
        }
        for (key, callees) in &function.callsites {
            let calls = shape.calls.entry(key.line_offset).or_default();
            calls.extend(callees.keys().cloned());
        }
        shape.calls.retain(|_, callees| !callees.is_empty());
    });
    shapes
}
