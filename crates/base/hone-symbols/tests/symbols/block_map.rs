//! The map of blocks of a real program, compared with what llvm-readobj reads.

use crate::common::{LAYOUTS, PROFILING, compile, run};
use hone_symbols::{Binary, BlockMap};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

/// What llvm-readobj says of each block: a line for each function, range and block.
fn by_readobj(path: &Path) -> String {
    let mut command = Command::new("llvm-readobj-19");
    let text = run(command.arg("--bb-addr-map").arg(path));
    let mut found = String::new();
    // Behind the blocks stand their successors by the compiler's own frequencies, which have an ID and no size.
    let mut id = "";
    for line in text.lines() {
        let Some((key, value)) = line.trim().split_once(": ") else {
            continue;
        };
        let _ = match key {
            "At" => writeln!(found, "function {value}"),
            "ID" => {
                id = value;
                continue;
            }
            "Size" => write!(found, "{id} {}", value.to_lowercase()),
            "IsEHPad" => write!(found, " {}", value.to_lowercase()),
            "CanFallThrough" => writeln!(found, " {}", value.to_lowercase()),
            _ => continue,
        };
    }
    found
}

fn by_us(map: &BlockMap) -> String {
    let mut found = String::new();
    let yes = |is| if is { "yes" } else { "no" };
    for function in map.functions() {
        let _ = writeln!(found, "function 0x{:X}", function.start.0);
        for block in &function.blocks {
            let (pad, falls) = (yes(block.is_landing_pad), yes(block.falls_through));
            let _ = writeln!(found, "{} 0x{:x} {pad} {falls}", block.id, block.size);
        }
    }
    found
}

/// The entries of a text sorted by their functions, as the map has them.
fn sorted(text: &str) -> Vec<&str> {
    let mut entries: Vec<&str> = text.split("function ").skip(1).collect();
    let address = |entry: &&str| {
        let word = entry.lines().next().unwrap_or_default();
        u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap()
    };
    entries.sort_by_key(address);
    entries
}

#[test]
fn blocks_are_those_that_llvm_readobj_reads() {
    if !has_tools(&["clang++-19", "ld.lld-19", "llvm-readobj-19"]) {
        return;
    }
    let probabilities = "-pgo-analysis-map=func-entry-count,bb-freq,br-prob";
    for more in [&["-ffunction-sections"][..], &["-mllvm", probabilities]] {
        let flags = [
            LAYOUTS[0].flags,
            &PROFILING,
            &["-fbasic-block-address-map"],
            more,
        ]
        .concat();
        let path = compile(&flags);
        let bytes = std::fs::read(&path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let map = BlockMap::parse(&binary).unwrap().unwrap();
        let (ours, theirs) = (by_us(&map), by_readobj(&path));
        assert_eq!(sorted(&ours), sorted(&theirs));
        assert!(map.functions().len() > 5, "{ours}");
        for function in map.functions() {
            let body = binary.functions().starting_at(function.start).unwrap();
            let last = function.blocks.last().unwrap().end();
            assert!(last <= body.end, "{}", body.name);
        }
    }
}

#[test]
fn a_binary_without_a_map_has_none() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    let path = compile(LAYOUTS[0].flags);
    let bytes = std::fs::read(path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    assert_eq!(BlockMap::parse(&binary), Ok(None));
}
