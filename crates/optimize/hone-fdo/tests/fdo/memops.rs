//! The headers that tell compilers usual sizes, taken by the real compilers.

use hone_fdo::memops::{Chosen, Operation, headers};
use hone_symbols::Binary;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use testkit::has_tools;

const SIZES: [(Operation, [u64; 3]); 3] = [
    (Operation::Copy, [8, 24, 5]),
    (Operation::Set, [16, 3, 40]),
    (Operation::Compare, [12, 32, 7]),
];

const SIGABRT: i32 = 6;

/// A directory with the programs and the headers for one unit.
fn directory(unit: &str, sizes: &[(Operation, [u64; 3])]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/memops");
    for name in ["every_size.c", "library.cc"] {
        fs::copy(Path::new(programs).join(name), directory.path().join(name)).unwrap();
    }
    let chosen: Vec<_> = sizes
        .iter()
        .map(|&(operation, sizes)| Chosen {
            unit: unit.into(),
            operation,
            sizes: sizes.to_vec(),
            calls: 90,
            of: 100,
        })
        .collect();
    for header in headers(&chosen) {
        let file = directory.path().join("headers").join(header.path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, header.text).unwrap();
    }
    directory
}

/// Compiles with the headers, whose warnings are errors.
fn compile(directory: &Path, compiler: &str, flags: &str, source: &str) {
    let output = Command::new(compiler)
        .args(flags.split_whitespace())
        .args(["-Wall", "-Wextra", "-Werror", "-isystem", "headers"])
        .args([source, "-o", "program"])
        .current_dir(directory)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {flags}: {said}");
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(directory.join("program"));
    command.args(arguments).output().unwrap()
}

/// The sizes that a function compares something with.
fn compared(directory: &Path, function: &str) -> Vec<u64> {
    let bytes = fs::read(directory.join("program")).unwrap();
    let binary = Binary::parse(bytes.as_slice()).unwrap();
    let mut functions = binary.functions().iter();
    let function = functions
        .find(|known| {
            known.name == function
                || known
                    .name
                    .starts_with(&format!("_Z{}{function}", function.len()))
        })
        .unwrap_or_else(|| panic!("no function {function}"));
    let code = binary.bytes_at(function.start, function.size()).unwrap();
    let mut decoder = Decoder::with_ip(64, code, function.start.0, DecoderOptions::NONE);
    let mut found = Vec::new();
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        let has_immediate = matches!(
            instruction.op1_kind(),
            OpKind::Immediate8 | OpKind::Immediate8to32 | OpKind::Immediate8to64
        );
        if instruction.mnemonic() == Mnemonic::Cmp && has_immediate {
            found.push(instruction.immediate(1));
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn programs_do_the_same_with_usual_sizes_and_compare_with_them_first() {
    for compiler in ["clang-19", "gcc"] {
        if !has_tools(&[compiler]) {
            continue;
        }
        for flags in [
            "-O1",
            "-O2",
            "-O3",
            "-O2 -std=c99",
            "-O2 -D_FORTIFY_SOURCE=2",
            "-O0",
        ] {
            let directory = directory("every_size.c", &SIZES);
            compile(directory.path(), compiler, flags, "every_size.c");
            let output = run(directory.path(), &[]);
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{compiler} {flags}: {said}");
            if flags == "-O0" {
                continue;
            }
            let copied = compared(directory.path(), "copy");
            assert_eq!(copied, [5, 8, 24], "{compiler} {flags}");
            assert!(compared(directory.path(), "copy24").is_empty());
            let bytes = fs::read(directory.path().join("program")).unwrap();
            let imports = hone_symbols::imported_symbols(&bytes).unwrap();
            let is_there = |name| imports.contains(&name);
            assert!(
                is_there("memcpy") || is_there("memmove"),
                "no way to other sizes"
            );
        }
    }
}

#[test]
fn a_unit_that_is_not_named_is_compiled_as_before() {
    for compiler in ["clang-19", "gcc"] {
        if !has_tools(&[compiler]) {
            continue;
        }
        for unit in ["size.c", "other/every_size.c", "every_size.cc"] {
            let directory = directory(unit, &SIZES);
            compile(directory.path(), compiler, "-O2", "every_size.c");
            for function in ["copy", "move", "set", "compare", "same"] {
                let compared = compared(directory.path(), function);
                assert!(
                    compared.is_empty(),
                    "{compiler} {unit} {function}: {compared:?}"
                );
            }
        }
        // Named by the end of its path, however the compiler is given it.
        let directory = directory("every_size.c", &SIZES);
        let path = directory.path().join("every_size.c");
        compile(directory.path(), compiler, "-O2", path.to_str().unwrap());
        assert_eq!(compared(directory.path(), "copy"), [5, 8, 24]);
    }
}

#[test]
fn fortified_copies_are_still_checked() {
    for compiler in ["clang-19", "gcc"] {
        if !has_tools(&[compiler]) {
            continue;
        }
        let directory = directory("every_size.c", &SIZES);
        compile(
            directory.path(),
            compiler,
            "-O2 -D_FORTIFY_SOURCE=2",
            "every_size.c",
        );
        // 24 bytes, a usual size, into 16.
        let output = run(directory.path(), &["overflow"]);
        assert_eq!(output.status.signal(), Some(SIGABRT), "{compiler}");
    }
}

#[test]
fn the_library_of_cxx_is_reached_and_still_works_at_compile_time() {
    let sizes = [
        (Operation::Copy, [8, 24, 16]),
        (Operation::Set, [8, 3, 9]),
        (Operation::Compare, [5, 12, 7]),
    ];
    for compiler in ["clang++-19", "g++"] {
        if !has_tools(&[compiler]) {
            continue;
        }
        for flags in [
            "-O2 -std=c++17",
            "-O2 -std=c++20",
            "-O2 -std=c++17 -D_FORTIFY_SOURCE=2",
        ] {
            let directory = directory("library.cc", &sizes);
            compile(directory.path(), compiler, flags, "library.cc");
            let output = run(directory.path(), &[]);
            assert!(
                output.status.success(),
                "{compiler} {flags}: {:?}",
                output.status
            );
            assert_eq!(
                compared(directory.path(), "copy"),
                [8, 16, 24],
                "{compiler} {flags}"
            );
            // std::copy, in the library's own words.
            assert!(
                compared(directory.path(), "move").contains(&8),
                "{compiler} {flags}"
            );
        }
    }
}
