//! Damaged files: an error or fewer answers, never a panic and never a long wait.

use crate::common::{LAYOUTS, PROFILING, compile};
use hone_profile::{FileOffset, Svma};
use hone_symbols::{
    Binary, BlockMap, DebugInfo, DebugLink, VirtualFunctions, build_id_of, contents_of,
    imported_symbols, needed_libraries, needed_ranges,
};
use object::{Object, ObjectSection};
use std::io::Cursor;
use std::process::Command;
use testkit::{by_chance, has_tools};

/// Asks everything once.
fn ask(bytes: &[u8]) -> usize {
    let _ = DebugLink::of(bytes);
    let _ = build_id_of(Cursor::new(bytes));
    let _ = contents_of(Cursor::new(bytes));
    let _ = needed_ranges(Cursor::new(bytes), bytes.len() as u64);
    let _ = needed_libraries(bytes);
    let _ = imported_symbols(bytes);
    let Ok(binary) = Binary::parse(bytes) else {
        return 0;
    };
    let mut answers = binary.functions().len() + binary.plt().entries().len();
    answers += (0..bytes.len() as u64)
        .step_by(101)
        .filter_map(|offset| binary.svma_of(FileOffset(offset)))
        .filter(|&svma| binary.bytes_at(svma, 16).is_some())
        .count();
    let _ = VirtualFunctions::read(&binary);
    let map = BlockMap::parse(&binary).ok().flatten().unwrap_or_default();
    answers += map
        .functions()
        .iter()
        .map(|f| f.blocks.len())
        .sum::<usize>();
    let Ok(debug) = DebugInfo::parse(&binary) else {
        return answers;
    };
    answers += usize::from(debug.was_built_for_profiling());
    let starts = binary.functions().iter().map(|function| function.start);
    for start in starts.take(200).chain([Svma(0), Svma(u64::MAX)]) {
        answers += debug.inline_stack(start).len();
    }
    let mut left = 10_000_u32;
    let _ = debug.each_run(|_, stack| {
        answers += stack.len();
        left = left.checked_sub(1).ok_or(())?;
        Ok::<(), ()>(())
    });
    answers
}

#[test]
fn damaged_binaries_do_not_panic() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    for layout in [&LAYOUTS[0], &LAYOUTS[1], &LAYOUTS[3]] {
        let map = ["-fbasic-block-address-map"];
        let path = compile(&[layout.flags, &PROFILING, &map].concat());
        let whole = std::fs::read(path).unwrap();
        let answers = ask(&whole);
        assert!(answers > 50, "{answers} answers of the whole file");
        by_chance(|u| {
            let mut bytes = whole.clone();
            for _ in 0..u.int_in_range(1..=20)? {
                // Headers and tables are small: aim at the start, the end, or anywhere.
                let last = bytes.len() - 1;
                let at = match u.int_in_range(0..=2)? {
                    0 => u.int_in_range(0..=1023)?,
                    1 => last - u.int_in_range(0..=4095)?,
                    _ => u.int_in_range(0..=last)?,
                };
                bytes[at] = u.arbitrary()?;
            }
            bytes.truncate(u.int_in_range(0..=bytes.len() * 4)?.max(64));
            ask(&bytes);
            Ok(())
        });
    }
}

/// A program of two compilation units.
fn two_units(dir: &std::path::Path, flags: &[&str]) -> Vec<u8> {
    let sources = [
        "int one(int x) { return x * 3; }\n",
        "int main(void) { return 0; }\n",
    ];
    let mut build = Command::new("clang-19");
    build.args(["-g", "-O1", "-fuse-ld=lld"]).args(flags);
    for (name, source) in ["one.c", "two.c"].iter().zip(sources) {
        std::fs::write(dir.join(name), source).unwrap();
        build.arg(dir.join(name));
    }
    crate::common::run(build.arg("-o").arg(dir.join("units")));
    std::fs::read(dir.join("units")).unwrap()
}

/// The function that the debug information names at the start of one.
fn named(bytes: &[u8], function: &str) -> (Option<String>, u64) {
    let binary = Binary::parse(bytes).unwrap();
    let debug = DebugInfo::parse(&binary).unwrap();
    let start = binary.functions().by_name(function).unwrap().start;
    let stack = debug.inline_stack(start);
    let name = stack.first().map(|frame| frame.function.to_owned());
    (name, debug.unread_units().units)
}

#[test]
fn a_unit_that_cannot_be_read_is_lost_alone() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let whole = two_units(dir.path(), &[]);
    assert_eq!(named(&whole, "one"), (Some("one".into()), 0));
    let elf = object::File::parse(&*whole).unwrap();
    let section = |name| elf.section_by_name(name).unwrap().file_range().unwrap();
    // The version of the first unit; then its abbreviations: a tag of four bytes of LEB128.
    let info = section(".debug_info").0 as usize;
    let mut damaged = whole.clone();
    damaged[info + 4] = 99;
    assert_eq!(named(&damaged, "one"), (None, 1));
    assert_eq!(named(&damaged, "main"), (Some("main".into()), 1));
    let abbreviations = section(".debug_abbrev").0 as usize;
    let mut damaged = whole.clone();
    damaged[abbreviations + 1..][..4].copy_from_slice(&[0x91, 0x80, 0x80, 0]);
    assert_eq!(named(&damaged, "one"), (None, 1));
    assert_eq!(named(&damaged, "main"), (Some("main".into()), 1));
}

/// What BOLT 19 makes of compressed debug sections: it writes them anew and leaves the mark.
#[test]
fn a_debug_section_that_cannot_be_decompressed_is_told() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut bytes = two_units(dir.path(), &["-gz=zlib"]);
    let elf = object::File::parse(&*bytes).unwrap();
    let info = elf.section_by_name(".debug_info").unwrap();
    let start = info.file_range().unwrap().0 as usize;
    assert_eq!(named(&bytes, "main"), (Some("main".into()), 0));
    bytes[start] = 99;
    assert_eq!(named(&bytes, "main"), (None, 1));
}
