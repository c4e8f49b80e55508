//! Complaints about binaries: which one was meant, where its code lies, and what is in it.

use super::{FOR_PROFILING, FORMS, Made, PLAIN, PROGRAM, WALK, refusal};
use crate::common::{has_tools, stderr, stdout};
use std::fs;
use std::path::Path;

/// llvm#109384: perf2bolt maps all samples of a small position-independent program by lld to "unknown".
/// autofdo#135, rust#87918: "requires the first loadable segment to be executable".
#[test]
fn samples_are_mapped_in_every_layout_of_segments() {
    let layouts: [&[&str]; 4] = [
        &["-fpie", "-pie"],
        &["-fpie", "-pie", "-Wl,--no-rosegment"],
        &["-no-pie"],
        &["-fuse-ld=bfd", "-Wl,-z,noseparate-code"],
    ];
    for layout in layouts {
        let Some(made) = Made::new(layout) else {
            return;
        };
        // perf2bolt 19 reads no call chains.
        made.record(
            "plain.data",
            &[&PLAIN[..], &["--call-graph", "none"]].concat(),
        );
        let (fdata, said) = made.profile("plain.data", "bolt-fdata");
        let sum_of = |name: &str| -> u64 {
            let lines = fdata.lines().filter(|line| line.contains(name));
            lines
                .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
                .sum()
        };
        let all = sum_of("");
        let here = sum_of("main ") + sum_of("_ZN3");
        assert!(here > all * 9 / 10, "{layout:?}: {here} of {all}\n{fdata}");
        assert!(!said.contains("left out"), "{layout:?}: {said}");
        let perf2bolt = "/usr/lib/llvm-19/bin/perf2bolt";
        if has_tools(&["perf"]) && Path::new(perf2bolt).exists() {
            let words = ["p", "-nl", "-p", "plain.data", "-o", "theirs"];
            let theirs = made.attempt(perf2bolt, &words);
            let lines = fs::read_to_string(made.path("theirs")).unwrap_or_default();
            let (theirs, lines) = (theirs.status, lines.lines().count());
            println!("perf2bolt 19, {layout:?}: {theirs}, {lines} lines");
        }
    }
}

/// BOLT#22, BOLT#265, BOLT#266: build ids of lld have 8 bytes, and perf filled them up to 20.
#[test]
fn build_ids_of_every_length_are_compared() {
    for style in ["fast", "md5", "uuid", "sha1"] {
        let Some(made) = Made::new(&[&format!("-Wl,--build-id={style}")]) else {
            return;
        };
        let Some(()) = made.perf_record("new.data", &[]) else {
            return;
        };
        let mut file = fs::read(made.path("new.data")).unwrap();
        forget_lengths_of_build_ids(&mut file, &made);
        fs::write(made.path("old.data"), file).unwrap();
        // Only the id tells that it is the same program.
        fs::copy(made.path("p"), made.path("renamed")).unwrap();
        for recording in ["new.data", "old.data"] {
            let output = made.convert(recording, "renamed", "autofdo-text", &[]);
            let said = stderr(&output);
            assert!(output.status.success(), "{style} {recording}: {said}");
            assert!(stdout(&output).contains("main:"), "{style} {recording}");
            assert!(!said.contains("matched by its name"), "{style}: {said}");
        }
    }
}

/// Makes of the file what perf before 5.12 wrote: ids of 20 bytes, without their lengths.
fn forget_lengths_of_build_ids(file: &mut [u8], made: &Made) {
    let bytes = fs::read(made.path("p")).unwrap();
    let binary = hone_symbols::Binary::parse(&bytes[..]).unwrap();
    let id = binary.build_id().unwrap().as_bytes().to_vec();
    let mut padded = id.clone();
    padded.resize(20, 0);
    padded.push(id.len() as u8);
    let found = file.windows(21).position(|window| window == padded);
    let at = found.expect("perf writes the id of what was sampled");
    // The flags of the record stand 8 bytes before the id.
    assert_ne!(file[at - 7] & 0x80, 0, "it has a length");
    file[at - 7] &= 0x7f;
    file[at + 20] = 0;
}

/// BOLT#65, llvm#56700: "not the same binary", and not a word of which one it was.
#[test]
fn another_build_is_refused_and_none_to_compare_is_said() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    let Some(other) = Made::new(&["-DOTHER", "-O1"]) else {
        return;
    };
    fs::create_dir(made.path("other")).unwrap();
    fs::copy(other.path("p"), made.path("other/p")).unwrap();
    for form in FORMS {
        let message = made.refused("walk.data", "other/p", form);
        assert!(message.contains("with build id"), "{message}");
        assert!(
            message.contains("name the binary that was recorded"),
            "{message}"
        );
    }
    let Some(without) = Made::new(&["-Wl,--build-id=none"]) else {
        return;
    };
    without.record("walk.data", &WALK);
    let (profile, said) = without.profile("walk.data", "autofdo-text");
    assert!(profile.contains("main:"), "{profile}");
    assert!(said.contains("matched by its name"), "{said}");
}

const LIBRARY: &str = r#"
extern "C" __attribute__((noinline)) unsigned spin(unsigned n) {
    unsigned s = 1;
    for (unsigned i = 0; i < n; i++) { s = s * 31 + (s >> 5); if (s % 64 == 3) s ^= i; }
    return s;
}
"#;

/// autofdo#184, llvm#56700: all the work is in a shared library, and the launcher's profile is empty.
#[test]
fn a_library_is_named_and_can_be_converted() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    let user = "#include <cstdio>\nextern \"C\" unsigned spin(unsigned);\n\
                int main() { std::printf(\"%u\\n\", spin(60000000)); }\n";
    let library = tempfile::tempdir().unwrap();
    fs::write(library.path().join("lib.cc"), LIBRARY).unwrap();
    let file = library.path().join("libspin.so");
    let file = file.to_str().unwrap();
    let status = std::process::Command::new("clang++-19")
        .args([
            "-O2",
            "-shared",
            "-fPIC",
            "-fuse-ld=lld-19",
            "-Wl,--build-id",
            "-Wl,-q",
        ])
        .args(FOR_PROFILING)
        .args(["lib.cc", "-o", file])
        .current_dir(library.path())
        .status();
    assert!(status.unwrap().success());
    let rpath = format!("-Wl,-rpath,{}", library.path().display());
    let flags = [&FOR_PROFILING[..], &[file, &rpath]].concat();
    let Some(made) = Made::of(user, &flags) else {
        return;
    };
    made.record("lib.data", &WALK);
    for form in FORMS {
        let message = made.refused("lib.data", "p", form);
        assert!(message.contains("/libspin.so ("), "{message}");
    }
    let output = made.convert("lib.data", file, "autofdo-text", &[]);
    assert!(stdout(&output).contains("spin:"), "{}", stderr(&output));
    let output = made.convert("lib.data", file, "bolt-fdata", &[]);
    assert!(stdout(&output).contains("1 spin "), "{}", stderr(&output));
}

/// Issue of hostile binaries: one line and a next step, whatever is wrong in them; never a panic.
#[test]
fn damaged_binaries_are_refused_in_one_line_or_read() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    let whole = fs::read(made.path("p")).unwrap();
    let sections = word(&whole, 40) as usize;
    // Deterministic damage: every word of the file header, of some program headers and of some section headers.
    let words = (16..64).step_by(8).chain((64..400).step_by(24));
    let words = words.chain((sections..whole.len() - 8).step_by(40));
    for at in words {
        for value in [0, u64::MAX, 1 << 40] {
            let mut damaged = whole.clone();
            damaged[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
            fs::write(made.path("damaged"), &damaged).unwrap();
            let output = made.convert("walk.data", "damaged", "autofdo-text", &[]);
            if !output.status.success() {
                refusal(&output);
            }
        }
    }
    for len in [0, 3, 63, 64, whole.len() / 3] {
        fs::write(made.path("damaged"), &whole[..len]).unwrap();
        let message = made.refused("walk.data", "damaged", "autofdo-text");
        assert!(message.contains("damaged"), "{message}");
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Issue of sections without bytes: a reason, and never an empty profile.
#[test]
fn sections_of_no_length_are_a_reason_and_no_empty_profile() {
    let Some(made) = Made::new(&[]) else { return };
    made.record("walk.data", &WALK);
    let whole = fs::read(made.path("p")).unwrap();
    for (name, form, expected) in [
        (".debug_info", "autofdo-text", "no debug info"),
        (".debug_line", "autofdo-text", "DWARF"),
        (".debug_abbrev", "autofdo-text", "DWARF"),
        (".symtab", "bolt-fdata", "stripped"),
        (".strtab", "bolt-fdata", "stripped"),
        (".text", "bolt-fdata", "no names for the code that ran"),
        (".text", "symbol-order", "no names for the code that ran"),
        (".text", "text", "no names for the code that ran"),
    ] {
        let mut damaged = whole.clone();
        let header = section_header(&whole, name);
        damaged[header + 32..header + 40].fill(0);
        fs::write(made.path("damaged"), damaged).unwrap();
        let message = made.refused("walk.data", "damaged", form);
        assert!(message.contains(expected), "{name}: {message}");
    }
}

/// Where the header of a section stands in the file.
fn section_header(file: &[u8], name: &str) -> usize {
    let half = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let (start, size, count, names) = (word(file, 40) as usize, half(58), half(60), half(62));
    let headers = (0..count).map(|index| start + index * size);
    let strings = word(file, start + names * size + 24) as usize;
    let wanted = [name.as_bytes(), b"\0"].concat();
    let is_it = |&at: &usize| {
        let name = strings + u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        file[name..].starts_with(&wanted)
    };
    headers.into_iter().find(is_it).expect(name)
}

/// autofdo#235, autofdo#143: without -fdebug-info-for-profiling the profile is worth little, and nobody says so.
#[test]
fn what_the_debug_info_lacks_is_said() {
    let Some(plain) = Made::of(PROGRAM, &["-g", "-gdwarf-4"]) else {
        return;
    };
    plain.record("walk.data", &WALK);
    let (profile, said) = plain.profile("walk.data", "autofdo-text");
    assert!(profile.contains("main:"), "{profile}");
    assert!(
        said.contains("without -fdebug-info-for-profiling"),
        "{said}"
    );
    let Some(none) = Made::of(PROGRAM, &["-g0"]) else {
        return;
    };
    none.record("walk.data", &WALK);
    let message = none.refused("walk.data", "p", "autofdo-extbinary");
    assert!(message.contains("no debug info"), "{message}");
    assert!(message.contains("-fdebug-info-for-profiling"), "{message}");
    let (fdata, _) = none.profile("walk.data", "bolt-fdata");
    assert!(fdata.contains("1 main "), "{fdata}");
}
