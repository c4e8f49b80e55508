//! Lost vectorisation is told whichever instruction of a loop a CPU puts all its samples on.

use crate::common::run;
use hone_fdo::vectorised::{Lines, by_line, lost};
use hone_fdo::{AggregateReport, Counts};
use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo};
use iced_x86::{Decoder, DecoderOptions, FlowControl};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

const PROGRAM: &str = "\
static unsigned data[40000];
__attribute__((noinline)) static unsigned squares(const unsigned *from, unsigned count) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += from[i] * from[i] ^ i;
    return sum;
}
int main(int argc, char **argv) {
    for (int i = 0; i < 40000; i++) data[i] = i * argc;
    return squares(data, 40000 - argc);
}
";
const LINE: u32 = 5;

/// For each instruction of the function's hottest loop, what samples on it alone say.
fn of_each_instruction(dir: &Path, name: &str, flags: &[&str]) -> Vec<Lines> {
    let path = dir.join(name);
    run(Command::new("clang-19")
        .args(["-O2", "-g"])
        .args(flags)
        .arg(dir.join("main.c"))
        .arg("-o")
        .arg(&path));
    let image = std::fs::read(path).unwrap();
    let binary = Binary::parse(&image).unwrap();
    let debug = DebugInfo::parse(&binary).unwrap();
    let sampled = |address| {
        let counts = Counts {
            ips: BTreeMap::from([(address, 1000)]),
            report: AggregateReport {
                samples_here: 1000,
                ..AggregateReport::default()
            },
            ..Counts::default()
        };
        by_line(&counts, &binary, &debug)
    };
    first_loop(&binary, "squares")
        .into_iter()
        .map(sampled)
        .collect()
}

/// The instructions up to a function's first jump back, from its target on: vector loops come before the scalar one
/// for the rest.
fn first_loop(binary: &Binary<'_>, function: &str) -> Vec<Svma> {
    let found = binary.functions().by_name(function).unwrap();
    let code = binary.bytes_at(found.start, found.size()).unwrap();
    let mut addresses = Vec::new();
    for instruction in Decoder::with_ip(64, code, found.start.0, DecoderOptions::NONE) {
        addresses.push(Svma(instruction.ip()));
        let target = Svma(instruction.near_branch_target());
        if instruction.flow_control() == FlowControl::ConditionalBranch
            && target.0 <= instruction.ip()
        {
            addresses.retain(|address| *address >= target);
            return addresses;
        }
    }
    panic!("{function} has no loop");
}

#[test]
fn samples_on_any_one_instruction_of_a_loop_tell_what_it_lost() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("main.c"), PROGRAM).unwrap();
    let vectorised = of_each_instruction(dir.path(), "vectorised", &[]);
    let scalar = of_each_instruction(
        dir.path(),
        "scalar",
        &["-fno-vectorize", "-fno-unroll-loops"],
    );
    assert!(vectorised.len() > 5 && scalar.len() > 3);
    for before in &vectorised {
        for after in &scalar {
            let lines: Vec<u32> = lost(before, after).iter().map(|one| one.line).collect();
            assert_eq!(lines, [LINE], "{before:?} {after:?}");
            assert_eq!(lost(after, before), []);
        }
        assert_eq!(lost(before, &vectorised[0]), []);
    }
}
