//! Writes counters as the text that `llvm-profdata merge` reads.

use super::{Counters, FunctionCounters};
use crate::sample_profile::sorted_targets;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum number of targets written for one call; clang promotes fewer.
const TARGETS_MAX: usize = 8;

/// Writes counters. `llvm-profdata merge` of the compiler's own release converts the text to the form that clang reads.
pub fn write(counters: &Counters) -> String {
    // `:ir` marks counters of the intermediate representation, as opposed to counters of the source.
    let mut text = ":ir\n".to_owned();
    for ((name, hash), function) in &counters.functions {
        let _ = write!(text, "{name}\n{hash}\n{}\n", function.counts.len());
        for count in &function.counts {
            let _ = writeln!(text, "{count}");
        }
        write_values(&mut text, function, counters);
        text.push('\n');
    }
    text
}

/// Writes values: kind 0 is targets of indirect calls, kind 1 sizes of memory functions. The compiler warns if a
/// function has another number of places than it expects, so places without values are written too.
fn write_values(text: &mut String, function: &FunctionCounters, counters: &Counters) {
    let kinds = [function.targets.len(), function.sizes];
    let _ = match kinds.iter().filter(|places| **places > 0).count() {
        0 => return,
        used => writeln!(text, "{used}"),
    };
    if !function.targets.is_empty() {
        let _ = write!(text, "0\n{}\n", function.targets.len());
        for targets in &function.targets {
            write_targets(text, targets, counters);
        }
    }
    if function.sizes > 0 {
        let _ = write!(text, "1\n{}\n", function.sizes);
        text.push_str(&"0\n".repeat(function.sizes));
    }
}

fn write_targets(text: &mut String, targets: &BTreeMap<String, u64>, counters: &Counters) {
    let mut sorted = sorted_targets(targets);
    sorted.truncate(TARGETS_MAX);
    let _ = writeln!(text, "{}", sorted.len());
    for (name, calls) in sorted {
        let name = counters.names.get(name).map_or(name, String::as_str);
        let _ = writeln!(text, "{name}:{calls}");
    }
}
