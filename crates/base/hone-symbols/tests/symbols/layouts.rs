//! Every layout of a binary: addresses against a running process, source against llvm-symbolizer.

use crate::common::{LAYOUTS, PROFILING, compile, run};
use hone_profile::{FileOffset, Svma};
use hone_symbols::{Binary, BinaryType, DebugInfo, DebugLink, Image, SourceFrame, demangle};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::has_tools;

/// The offset in the file of an address of a process, from its mappings.
fn offset_in_file(mappings: &str, path: &Path, address: u64) -> u64 {
    let path = path.to_str().unwrap();
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
    for line in mappings.lines().filter(|line| line.ends_with(path)) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (start, end) = fields[0].split_once('-').unwrap();
        if (number(start)..number(end)).contains(&address) {
            return address - number(start) + number(fields[2]);
        }
    }
    panic!("{address:x} is not mapped from {path}");
}

#[test]
fn addresses_of_a_process_become_addresses_of_the_file_in_every_layout() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    for layout in &LAYOUTS {
        let path = compile(layout.flags).canonicalize().unwrap();
        let output = run(Command::new(&path).arg("mappings"));
        let (first, mappings) = output.split_once('\n').unwrap();
        let address = first.strip_prefix("hot 0x").unwrap();
        let address = u64::from_str_radix(address, 16).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let offset = FileOffset(offset_in_file(mappings, &path, address));
        let svma = binary.svma_of(offset).expect(layout.name);
        let function = binary.function_at(svma).expect(layout.name);
        assert!(
            demangle(function.name).starts_with("hot("),
            "{}: {function:?}",
            layout.name
        );
        assert_eq!(function.start, svma, "{}", layout.name);
        assert_eq!(binary.file_offset_of(svma), Some(offset), "{}", layout.name);
        assert!(binary.build_id().is_some(), "{}", layout.name);
        let fixed = layout.flags.contains(&"-no-pie");
        let expected = if fixed {
            BinaryType::Fixed
        } else {
            BinaryType::PositionIndependent
        };
        assert_eq!(binary.kind(), expected, "{}", layout.name);
        let is_static = layout.flags.iter().any(|flag| flag.starts_with("-static"));
        assert_eq!(binary.is_statically_linked(), is_static, "{}", layout.name);
    }
}

/// A frame as llvm-symbolizer prints it.
#[derive(Debug, PartialEq, Eq)]
struct Printed {
    function: String,
    start_line: u32,
    line: u32,
    discriminator: u32,
}

fn symbolize(path: &Path, addresses: &[u64]) -> Vec<Vec<Printed>> {
    let mut child = Command::new("llvm-symbolizer-19")
        .args([
            "--inlining",
            "--verbose",
            "--no-demangle",
            "--functions=linkage",
            "--obj",
        ])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let questions: String = addresses
        .iter()
        .map(|address| format!("{address:#x}\n"))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split("\n\n")
        .filter(|block| !block.trim().is_empty())
        .map(parse_block)
        .collect()
}

fn parse_block(block: &str) -> Vec<Printed> {
    let mut frames: Vec<Printed> = Vec::new();
    for line in block.lines() {
        let Some((key, value)) = line
            .strip_prefix("  ")
            .and_then(|line| line.split_once(": "))
        else {
            let function = line.to_owned();
            frames.push(Printed {
                function,
                start_line: 0,
                line: 0,
                discriminator: 0,
            });
            continue;
        };
        let frame = frames.last_mut().unwrap();
        match key {
            "Function start line" => frame.start_line = value.parse().unwrap(),
            "Line" => frame.line = value.parse().unwrap(),
            "Discriminator" => frame.discriminator = value.parse().unwrap(),
            _ => {}
        }
    }
    frames
}

fn printed(frame: &SourceFrame<'_>) -> Printed {
    Printed {
        function: frame.function.to_owned(),
        start_line: frame.start_line,
        line: frame.line,
        discriminator: frame.discriminator,
    }
}

#[test]
fn inline_stacks_are_those_of_llvm_symbolizer() {
    if !has_tools(&["clang++-19", "ld.lld-19", "llvm-symbolizer-19"]) {
        return;
    }
    for layout in &LAYOUTS {
        let path = compile(&[layout.flags, &PROFILING].concat());
        let bytes = std::fs::read(&path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let debug = DebugInfo::parse(&binary).unwrap();
        // Every byte of every function of the program's own source file.
        let own = |svma| {
            debug
                .inline_stack(svma)
                .iter()
                .any(|f| f.file.ends_with("shapes.cpp"))
        };
        let functions = binary
            .functions()
            .iter()
            .filter(|function| own(function.start));
        let addresses: Vec<u64> = functions.flat_map(|f| f.start.0..f.end.0).collect();
        assert!(
            addresses.len() > 500,
            "{}: {} bytes",
            layout.name,
            addresses.len()
        );
        let answers = symbolize(&path, &addresses);
        assert_eq!(answers.len(), addresses.len());
        let (mut deepest, mut with_discriminator) = (0, 0);
        for (&address, expected) in addresses.iter().zip(answers) {
            let stack = debug.inline_stack(Svma(address));
            deepest = deepest.max(stack.len());
            with_discriminator += stack
                .iter()
                .filter(|frame| frame.discriminator != 0)
                .count();
            let mut found: Vec<Printed> = stack.iter().map(printed).collect();
            // llvm-symbolizer prints one of the names in the symbol table for the outermost function.
            let symbol = binary
                .functions()
                .by_name(&expected.last().unwrap().function);
            let outermost = found.last_mut().unwrap();
            assert_eq!(symbol, binary.functions().by_name(&outermost.function));
            outermost
                .function
                .clone_from(&expected.last().unwrap().function);
            assert_eq!(found, expected, "{}: {address:#x}", layout.name);
        }
        assert!(deepest >= 2, "{}: nothing was inlined", layout.name);
        assert!(with_discriminator > 0, "{}: no discriminators", layout.name);
    }
}

#[test]
fn debug_info_for_profiling_is_told_from_debug_info_and_none() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    for (flags, has_debug_info, for_profiling) in [
        (&["-g0"][..], false, false),
        (&["-g"], true, false),
        (&["-gline-tables-only"], true, false),
        (&["-g", "-fdebug-info-for-profiling"], true, true),
        (
            &["-gline-tables-only", "-fdebug-info-for-profiling"],
            true,
            true,
        ),
    ] {
        let bytes = std::fs::read(compile(flags)).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let debug = DebugInfo::parse(&binary).unwrap();
        assert_eq!(debug.has_debug_info(), has_debug_info, "{flags:?}");
        assert_eq!(debug.was_built_for_profiling(), for_profiling, "{flags:?}");
    }
}

#[test]
fn a_separate_debug_file_gives_the_same_stacks() {
    if !has_tools(&["clang++-19", "llvm-objcopy-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = compile(&["-g", "-fdebug-info-for-profiling"]);
    let (debug_path, stripped_path) = (dir.path().join("debug"), dir.path().join("stripped"));
    run(Command::new("llvm-objcopy-19")
        .arg("--only-keep-debug")
        .args([&path, &debug_path]));
    run(Command::new("llvm-objcopy-19")
        .arg("--strip-all")
        .arg(format!("--add-gnu-debuglink={}", debug_path.display()))
        .args([&path, &stripped_path]));
    let whole = std::fs::read(&path).unwrap();
    let whole = Binary::parse(&whole).unwrap();
    let whole_info = DebugInfo::parse(&whole).unwrap();
    let (debug, stripped) = (
        std::fs::read(debug_path).unwrap(),
        std::fs::read(stripped_path).unwrap(),
    );
    let link = DebugLink::of(&stripped).unwrap();
    assert_eq!(link.unwrap().file_name.as_deref(), Some("debug"));
    assert_eq!(DebugLink::of(&std::fs::read(&path).unwrap()), Ok(None));
    let alone = Binary::parse(&stripped).unwrap();
    assert!(!DebugInfo::parse(&alone).unwrap().has_debug_info());
    let image = Image {
        binary: &stripped,
        debug: Some(&debug),
        split: None,
    };
    let both = Binary::parse(image).unwrap();
    let info = DebugInfo::parse(&both).unwrap();
    let names = |binary: &Binary<'_>| -> Vec<String> {
        let functions = binary.functions().iter();
        functions.map(|function| function.name.to_owned()).collect()
    };
    assert_eq!(names(&both), names(&whole));
    let mut compared = 0;
    for function in whole.functions().iter() {
        let expected = whole_info.inline_stack(function.start);
        assert_eq!(info.inline_stack(function.start), expected);
        compared += usize::from(!expected.is_empty());
    }
    assert!(compared > 5, "{compared} functions with source");
}

#[test]
fn calls_through_the_plt_have_names() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    for flags in [
        &["-fuse-ld=lld"][..],
        &["-fuse-ld=bfd", "-fcf-protection", "-Wl,-z,now"],
    ] {
        let bytes = std::fs::read(compile(flags)).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let stub = binary
            .plt()
            .entries()
            .iter()
            .find(|stub| stub.symbol == Some("printf"));
        let stub = stub.unwrap_or_else(|| panic!("{flags:?}: no stub of printf"));
        assert_eq!(binary.plt_entry_at(Svma(stub.end.0 - 1)), Some(stub));
        assert_eq!(binary.function_at(stub.start), None);
    }
}

/// Hand-written code often lacks `.type`: what has a size is a function, in code and not in data.
#[test]
fn assembly_without_types_has_functions_where_it_has_sizes() {
    if !has_tools(&["clang-19", "ld.lld-19"]) {
        return;
    }
    const ASSEMBLY: &str = "
        .text
        .globl _start
        .type _start, @function
        _start: call sized
        label: ret
        .size _start, . - _start
        also_start = _start
        .size also_start, 2
        sized: nop
        ret
        .size sized, . - sized
        .data
        table: .quad 1, 2
        .size table, . - table
    ";
    let dir = tempfile::tempdir().unwrap();
    let (source, path) = (dir.path().join("a.s"), dir.path().join("a"));
    std::fs::write(&source, ASSEMBLY).unwrap();
    let mut build = Command::new("clang-19");
    build.args(["-nostdlib", "-static", "-fuse-ld=lld", "-o"]);
    run(build.args([&path, &source]));
    let bytes = std::fs::read(&path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let all: Vec<(&str, u64, usize)> = binary
        .functions()
        .iter()
        .map(|function| (function.name, function.size(), function.aliases.len()))
        .collect();
    assert_eq!(all, [("_start", 6, 1), ("sized", 2, 0)]);
    assert!(binary.address_of("table").is_some());
}
