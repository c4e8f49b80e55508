//! Names are those that other symbolisers give.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use hone_hub::symbols::limits::Limits;
use hone_profile::Svma;
use hone_symbols::{Binary, canonical_name};
use hone_views::NamedFrame;

use super::common::{INLINED, NOON_S, SMALL, TENANT, build_of, runs, symbols};
use crate::disk::{Disk, Kind};

/// A frame as symbolisers print it: function, last part of the path, and line.
type Printed = (String, String, u32);

/// Asks a symboliser for addresses, one on each line.
fn ask(command: &mut Command, addresses: &[Svma]) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let questions: String = addresses
        .iter()
        .map(|svma| format!("{svma:#x}\n"))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Reads pairs of lines: a function, and a path with a line.
fn printed(lines: &[&str]) -> Vec<Printed> {
    let pairs = lines.chunks_exact(2);
    pairs
        .map(|pair| {
            let place = pair[1].split(" (discriminator").next().unwrap();
            let mut parts = place.split(':');
            let file = parts.next().unwrap().rsplit('/').next().unwrap();
            let line = parts.next().and_then(|line| line.parse().ok());
            (
                canonical_name(pair[0]).to_owned(),
                file.to_owned(),
                line.unwrap_or(0),
            )
        })
        .collect()
}

fn ours(frames: &[NamedFrame]) -> Vec<Printed> {
    let frames = frames.iter();
    frames
        .map(|frame| {
            let file = frame.file.rsplit('/').next().unwrap();
            let function = canonical_name(&frame.function);
            (function.to_owned(), file.to_owned(), frame.line)
        })
        .collect()
}

/// Returns addresses in code with debug information, and their frames by the hub.
fn named(program: &Path) -> (Vec<Svma>, Vec<Vec<Printed>>) {
    let symbols = symbols(Arc::new(Disk::new(Kind::Bucket)), Limits::default());
    let file = File::open(program).unwrap();
    symbols.take(TENANT, &file, NOON_S).unwrap();
    let build = build_of(program);
    let bytes = std::fs::read(program).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let mut found = (Vec::new(), Vec::new());
    for svma in binary
        .executable_ranges()
        .iter()
        .cloned()
        .flatten()
        .step_by(3)
    {
        let Some(offset) = binary.file_offset_of(Svma(svma)) else {
            continue;
        };
        let frames = symbols.name_offset(TENANT, &build, offset, NOON_S).unwrap();
        if frames.last().is_some_and(|frame| !frame.file.is_empty()) {
            found.0.push(Svma(svma));
            found.1.push(ours(&frames));
        }
    }
    found
}

#[test]
fn names_are_those_of_llvm_symbolizer() {
    let directory = tempfile::tempdir().unwrap();
    if !runs(Command::new("llvm-symbolizer-19").arg("--version")) {
        return;
    }
    let Some(program) = INLINED.build(directory.path()) else {
        return;
    };
    let (addresses, frames) = named(&program);
    assert!(addresses.len() > 300, "{}", addresses.len());
    let mut command = Command::new("llvm-symbolizer-19");
    command.args([
        "--inlining",
        "--no-demangle",
        "--functions=linkage",
        "--obj",
    ]);
    let output = ask(command.arg(&program), &addresses);
    let blocks = output
        .split("\n\n")
        .filter(|block| !block.trim().is_empty());
    let blocks: Vec<Vec<Printed>> = blocks
        .map(|block| printed(&block.lines().collect::<Vec<_>>()))
        .collect();
    assert_eq!(blocks.len(), addresses.len());
    for ((svma, ours), theirs) in addresses.iter().zip(&frames).zip(&blocks) {
        assert_eq!(ours, theirs, "{svma}");
    }
}

#[test]
fn names_are_those_of_addr2line() {
    let directory = tempfile::tempdir().unwrap();
    if !runs(Command::new("addr2line").arg("--version")) {
        return;
    }
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let (addresses, frames) = named(&program);
    assert!(addresses.len() > 10, "{}", addresses.len());
    let mut command = Command::new("addr2line");
    let output = ask(
        command.args(["-a", "-i", "-f", "-e"]).arg(&program),
        &addresses,
    );
    let lines: Vec<&str> = output.lines().collect();
    let blocks = lines.split(|line| line.starts_with("0x"));
    let blocks: Vec<Vec<Printed>> = blocks.skip(1).map(printed).collect();
    assert_eq!(blocks.len(), addresses.len());
    for ((svma, ours), theirs) in addresses.iter().zip(&frames).zip(&blocks) {
        assert_eq!(ours, theirs, "{svma}");
    }
}
