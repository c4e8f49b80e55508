//! Compiles the test program in all layouts.

use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::Made;

/// One way to build the test program.
pub(crate) struct Layout {
    /// For messages.
    pub(crate) name: &'static str,
    /// Compiler and linker flags, beside `-O2`.
    pub(crate) flags: &'static [&'static str],
}

/// The layouts that exist in the field.
pub(crate) const LAYOUTS: [Layout; 8] = [
    Layout {
        name: "pie, DWARF 5",
        flags: &["-g", "-fpie", "-pie", "-fuse-ld=lld"],
    },
    Layout {
        name: "pie, one code segment, DWARF 4",
        flags: &[
            "-g",
            "-gdwarf-4",
            "-fpie",
            "-pie",
            "-fuse-ld=lld",
            "-Wl,--no-rosegment",
        ],
    },
    Layout {
        name: "fixed",
        flags: &["-g", "-fno-pie", "-no-pie", "-fuse-ld=lld"],
    },
    Layout {
        name: "fixed, one code segment, compressed",
        flags: &[
            "-g",
            "-gz",
            "-fno-pie",
            "-no-pie",
            "-fuse-ld=lld",
            "-Wl,--no-rosegment",
        ],
    },
    Layout {
        name: "static",
        flags: &["-g", "-static", "-fno-pie", "-no-pie", "-fuse-ld=lld"],
    },
    Layout {
        name: "static pie",
        flags: &["-g", "-static-pie", "-fpie", "-fuse-ld=lld"],
    },
    Layout {
        name: "pie by ld.bfd",
        flags: &["-g", "-fpie", "-pie", "-fuse-ld=bfd"],
    },
    Layout {
        name: "line tables only, sections dropped",
        flags: &[
            "-gline-tables-only",
            "-gdwarf-4",
            "-fpie",
            "-pie",
            "-fuse-ld=lld",
            "-ffunction-sections",
            "-Wl,--gc-sections",
        ],
    },
];

/// Flags for profiling.
pub(crate) const PROFILING: [&str; 2] = [
    "-fdebug-info-for-profiling",
    "-funique-internal-linkage-names",
];

/// Compiles `shapes.cpp` with the flags, or finds it compiled.
pub(crate) fn compile(flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/shapes.cpp");
    let made = Made::new("symbols-shapes")
        .with_tools(&["clang++-19", "ld.lld-19", "ld"])
        .with_words(flags)
        .with_file(&source);
    let directory = made.by(|directory| {
        run(Command::new("clang++-19")
            .args(["-O2", "-std=c++17", "-Wl,--build-id=sha1"])
            .args(flags)
            .arg(&source)
            .arg("-o")
            .arg(directory.join("shapes")));
    });
    directory.join("shapes")
}

/// Runs a program and returns what it printed.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}
