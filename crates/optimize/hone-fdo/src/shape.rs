//! Shapes of functions: what changes where a compiler inlines, unrolls or joins otherwise.

use std::collections::BTreeMap;

use hone_symbols::Binary;

use crate::code::{Code, Flow};
use crate::same_code::source_name;

/// Shape of a function with its parts and copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// Bytes of code.
    pub bytes: u64,
    /// Number of calls.
    pub calls: usize,
    /// Number of indirect jumps.
    pub jumps: usize,
}

impl Shape {
    /// Returns the largest relative change of a figure from this shape to another: 1 is twice or half as much.
    pub fn change(&self, other: &Self) -> f64 {
        let figures = |shape: &Self| [shape.bytes as f64, shape.calls as f64, shape.jumps as f64];
        let pairs = figures(self).into_iter().zip(figures(other));
        // One more, so that the first call is not an endless change.
        let changes = pairs.map(|(one, other)| ((other + 1.0) / (one + 1.0)).log2().abs());
        changes.fold(0.0, f64::max)
    }
}

/// Returns the shapes of a binary's functions by their names in the source.
pub fn shapes(binary: &Binary<'_>) -> BTreeMap<String, Shape> {
    let code = Code::new(binary);
    let mut shapes: BTreeMap<String, Shape> = BTreeMap::new();
    for function in binary.functions().iter() {
        let instructions = code.of_function(function);
        let shape = shapes.entry(source_name(function.name)).or_default();
        shape.bytes += function.size();
        for index in 0..instructions.len() {
            let flow = instructions.flow(index);
            shape.calls += usize::from(flow.is_call());
            shape.jumps += usize::from(flow == Flow::IndirectJump);
        }
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_that_changed_most_tells_the_change() {
        let shape = |bytes, calls, jumps| Shape {
            bytes,
            calls,
            jumps,
        };
        let one = shape(1023, 3, 0);
        assert!(one.change(&one) < 1e-9);
        assert!((one.change(&shape(2047, 3, 0)) - 1.0).abs() < 1e-9);
        assert!((one.change(&shape(1023, 3, 7)) - 3.0).abs() < 1e-9);
        assert!((one.change(&shape(1023, 0, 0)) - 2.0).abs() < 1e-9);
    }
}
