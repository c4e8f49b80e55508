//! Writes the text form of LLVM's sample profile: one line for each place, nesting by indentation.

use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile, sorted_targets};
use std::fmt::Write;

/// Writes the profile; functions with the largest totals come first.
pub fn write(profile: &SampleProfile) -> String {
    let mut text = String::new();
    for (name, function) in profile.by_total() {
        let (total, head) = (function.total, function.head);
        writeln!(text, "{name}:{total}:{head}").expect("a string takes everything");
        write_body(function, 1, &mut text);
    }
    text
}

fn write_body(function: &FunctionSamples, depth: usize, text: &mut String) {
    for (key, line) in &function.body {
        write_key(*key, depth, text);
        text.push_str(&line.count.to_string());
        for (target, count) in sorted_targets(&line.targets) {
            write!(text, " {target}:{count}").expect("a string takes everything");
        }
        text.push('\n');
    }
    for (key, callees) in &function.callsites {
        for (name, callee) in callees {
            write_key(*key, depth, text);
            writeln!(text, "{name}:{}", callee.total).expect("a string takes everything");
            write_body(callee, depth + 1, text);
        }
    }
    if let Some(checksum) = function.checksum {
        text.extend(std::iter::repeat_n(' ', depth));
        writeln!(text, "!CFGChecksum: {checksum}").expect("a string takes everything");
    }
}

fn write_key(key: LineKey, depth: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', depth));
    text.push_str(&key.line_offset.to_string());
    if key.discriminator != 0 {
        write!(text, ".{}", key.discriminator).expect("a string takes everything");
    }
    text.push_str(": ");
}
