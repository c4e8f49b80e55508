//! Complaints about binaries: which one was meant, and where its code lies.

use super::{Made, PLAIN};
use crate::common::{has_tools, stderr, stdout};
use std::fs;
use std::path::Path;

/// llvm#109384: perf2bolt maps all samples of a small position-independent program by lld to "unknown".
/// autofdo#135, rust#87918: "requires the first loadable segment to be executable".
#[test]
#[ignore = "finds by samples"]
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
#[ignore = "finds by samples"]
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
