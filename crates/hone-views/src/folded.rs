//! Call stacks as folded text, `main;work;inner 12`: what flame graph tools read.

use crate::stacks::{FrameId, Stacks};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Adds stacks to `sums`: frames, outermost first and joined by `;`, with the weight of their samples. Several frames
/// in a row of a file without names are one.
pub fn fold(stacks: &Stacks, sums: &mut BTreeMap<String, u64>) {
    // Semicolons separate frames.
    let name = |id| stacks.frame(FrameId(id)).function.replace(';', ":");
    let names: Vec<String> = (0..stacks.frame_count() as u32).map(name).collect();
    for stack in &stacks.stacks {
        let frames = stack.frames.iter().rev();
        let mut frames: Vec<&str> = frames.map(|id| names[id.0 as usize].as_str()).collect();
        frames.dedup_by(|next, before| next == before && next.starts_with('['));
        let sum = sums.entry(frames.join(";")).or_default();
        *sum = sum.saturating_add(stack.weight);
    }
}

/// The folded text.
pub fn folded(sums: &BTreeMap<String, u64>) -> String {
    let mut text = String::new();
    for (stack, weight) in sums {
        let _ = writeln!(text, "{stack} {weight}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;

    #[test]
    fn recursion_stays_and_a_file_without_names_is_one_frame() {
        let mut sums = BTreeMap::new();
        for weight in [2, 5] {
            let stacks = stacks(&[("main;f;f", weight), ("main;[libx.so];[libx.so];g", 1)]);
            fold(&stacks, &mut sums);
        }
        assert_eq!(folded(&sums), "main;[libx.so];g 2\nmain;f;f 7\n");
    }
}
