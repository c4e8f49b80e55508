//! Call stacks as folded text, `main;work;inner 12`, which flame graph tools read.

use crate::stacks::{FrameId, Stacks, is_function};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns a line for each stack: its frames, outermost first and joined by `;`, with the weight of its samples.
/// Several frames in a row of a file without names become one frame.
pub fn folded(stacks: &Stacks) -> String {
    // Semicolons separate frames, and ends of lines stacks.
    let name = |id| {
        let name = stacks.frame(FrameId(id)).function.replace(';', ":");
        name.replace(char::is_control, " ")
    };
    let names: Vec<String> = (0..stacks.frame_count() as u32).map(name).collect();
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for stack in &stacks.stacks {
        let frames = stack.frames.iter().rev();
        let mut frames: Vec<&str> = frames.map(|id| names[id.0 as usize].as_str()).collect();
        frames.dedup_by(|next, before| next == before && !is_function(next));
        let sum = sums.entry(frames.join(";")).or_default();
        *sum = sum.saturating_add(stack.weight);
    }
    let mut text = String::new();
    for (stack, weight) in &sums {
        let _ = writeln!(text, "{stack} {weight}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;

    #[test]
    fn a_name_with_an_end_of_line_is_one_frame_of_one_line() {
        let mut stacks = stacks(&[("main;f", 2)]);
        stacks.rename(|frame| {
            if frame.function == "f" {
                frame.function = "f;g\nmain 9\r".into();
            }
        });
        assert_eq!(folded(&stacks), "main;f:g main 9  2\n");
    }

    #[test]
    fn recursion_stays_and_a_file_without_names_is_one_frame() {
        let in_library = ("main;[libx.so];[libx.so];g", 1);
        let stacks = stacks(&[("main;f;f", 2), in_library, ("main;f;f", 5)]);
        assert_eq!(folded(&stacks), "main;[libx.so];g 1\nmain;f;f 7\n");
    }
}
