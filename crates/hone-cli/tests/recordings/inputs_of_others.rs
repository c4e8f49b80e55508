//! Recordings as others make them: with filters of branches, several events, aggregated, packed, damaged.

use super::convert_inputs::{Program, first_count};
use crate::common::{fixture, has_tools, hone, run_in, stderr, stdout};
use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, WalkSample, WalkedBranch,
    Writer, sample_type,
};
use hone_profile::{Avma, FileOffset};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Output;

/// Bits of `branch_sample_type`.
const USER: u64 = 1 << 0;
const ANY: u64 = 1 << 3;
const ANY_CALL: u64 = 1 << 4;
const CALL_STACK: u64 = 1 << 11;
const NO_FLAGS: u64 = 1 << 14;

/// Where the program lies in the recordings made here; its file is mapped as a whole.
const LOADED_AT: u64 = 0x10_0000;

/// A recording of the program: events with their `branch_sample_type` and number of samples. Each sample is a jump from
/// one function to the other and back.
fn recording(program: &Program, events: &[(&str, u64, u64)]) -> Vec<u8> {
    let described = events.iter().enumerate().map(|(index, &(name, bits, _))| {
        let event = SoftwareEvent {
            counter: SoftwareCounter::CpuClock,
            period: 1000,
            is_frequency: false,
            sample_type: sample_type::IDENTIFIER
                | sample_type::IP
                | sample_type::TID
                | sample_type::TIME
                | sample_type::PERIOD
                | sample_type::BRANCH_STACK,
            branch_sample_type: bits,
        };
        EventDescription {
            name: name.into(),
            attr: event.attr(),
            ids: vec![5 + index as u64],
        }
    });
    let mut writer = Writer::new(Cursor::new(Vec::new()), described.collect()).unwrap();
    let mapping = Mmap2 {
        pid: 7,
        tid: 7,
        start: Avma(LOADED_AT),
        len: 1 << 20,
        file_offset: FileOffset(0),
        protection: 5,
        flags: 2,
        device: (8, 1, 1234),
        path: "/srv/p".into(),
        time_ns: 0,
    };
    writer.mmap2(&mapping).unwrap();
    // In a fixed binary of lld, files and addresses differ by a page for each segment.
    let place = |address: u64| Avma(LOADED_AT + program.offset(address));
    let (step, turn) = (place(program.step), place(program.turn));
    let branches = [(turn, step), (step, turn), (turn, step)].map(WalkedBranch::from);
    for (event, &(_, _, samples)) in events.iter().enumerate() {
        for index in 0..samples {
            let sample = WalkSample {
                event,
                pid: 7,
                tid: 7,
                cpu: 0,
                ip: turn,
                time_ns: 1_000_000 * (event as u64 + 1) + index,
                period: 1000,
                call_chain: &[],
                branches: &branches,
            };
            writer.walk_sample(&sample).unwrap();
        }
    }
    writer.finish(&Features::default()).unwrap().into_inner()
}

impl Program {
    /// Where in the file an address stands.
    fn offset(&self, address: u64) -> u64 {
        let bytes = fs::read(self.path().join("p")).unwrap();
        let binary = hone_symbols::Binary::parse(&bytes).unwrap();
        binary
            .file_offset_of(hone_profile::Svma(address))
            .unwrap()
            .0
    }

    fn recorded(&self, name: &str, events: &[(&str, u64, u64)]) {
        fs::write(self.path().join(name), recording(self, events)).unwrap();
    }

    fn with(&self, input: &str, options: &[&str]) -> Output {
        let words = ["convert", input, "--binary", "p", "--to", "autofdo-text"];
        hone(&[&words[..], options].concat(), self.path())
    }
}

fn done(output: &Output) -> (String, String) {
    assert!(output.status.success(), "{}", stderr(output));
    (stdout(output), stderr(output))
}

/// They were converted as if they held every branch.
#[test]
fn stacks_with_a_part_of_the_branches_count_no_branches() {
    let Some(program) = Program::new(&[]) else {
        return;
    };
    program.recorded("calls", &[("cycles:u", USER | ANY_CALL, 40)]);
    program.recorded("callers", &[("cycles:u", USER | CALL_STACK | NO_FLAGS, 40)]);
    for form in [
        "autofdo-text",
        "autofdo-extbinary",
        "bolt-fdata",
        "bolt-preaggregated",
        "json",
    ] {
        program.expect_refusal("calls", form, "-j any_call");
        program.expect_refusal("callers", form, "--call-graph lbr");
    }
    let (_, said) = done(&program.with("calls", &["--ip-samples"]));
    assert!(said.contains("40 samples"), "{said}");
    let top = hone(&["top", "calls", "--binary", "p"], program.path());
    assert!(done(&top).0.contains("turn"), "{}", stdout(&top));
    let inspected = hone(&["inspect", "--layout", "p", "calls"], program.path());
    assert!(
        done(&inspected).1.contains("any_call"),
        "{}",
        stderr(&inspected)
    );
    // Beside whole ones they change nothing, and are told.
    let whole = ("whole:u", USER | ANY | NO_FLAGS, 30);
    program.recorded("both", &[("cycles:u", USER | ANY_CALL, 40), whole]);
    program.recorded("whole", &[whole]);
    let (profile, said) = done(&program.with("both", &[]));
    assert!(
        said.contains("cycles:u (40 samples) hold some branches only (-j any_call)"),
        "{said}"
    );
    let (expected, said) = done(&program.with("whole", &[]));
    assert_eq!(profile, expected);
    assert!(!said.contains("some branches"), "{said}");
}

#[test]
fn one_of_several_events_can_be_chosen() {
    let Some(program) = Program::new(&[]) else {
        return;
    };
    let (one, two) = (("cycles:u", USER | ANY, 30), ("br_inst:u", USER | ANY, 12));
    program.recorded("two", &[one, two]);
    let count = |options: &[&str]| {
        let (profile, said) = done(&program.with("two", options));
        (first_count(&profile, "turn").unwrap().to_owned(), said)
    };
    let (both, said) = count(&[]);
    assert_eq!(both, "42");
    assert!(
        said.contains("cycles:u (30 samples) and br_inst:u (12 samples) were added up"),
        "{said}"
    );
    for (event, samples, expected) in [(one.0, "30", "30"), (two.0, "12", "12")] {
        let (counted, said) = count(&["--event", event]);
        assert_eq!(counted, expected, "{event}");
        assert!(!said.contains("added up"), "{said}");
        let judged = ["quality", "two", "--binary", "p", "--event", event];
        let judged = hone(&judged, program.path());
        assert!(!stdout(&judged).contains("added up"), "{samples}");
        let words = ["inspect", "--layout", "p", "two", "--event", event];
        done(&hone(&words, program.path()));
    }
    let output = program.with("two", &["--event", "branches"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("no samples of an event branches"), "{said}");
    assert!(said.contains("name one of cycles:u, br_inst:u"), "{said}");
}

/// Of each aggregated sample one was counted.
#[test]
fn aggregated_samples_count_as_often_as_llvm_profgen_counts_them() {
    let Some(program) = Program::new(&["-no-pie"]) else {
        return;
    };
    let sample = program.script(0);
    program.write("aggregated", &format!("12\n{sample}{sample}7\n{sample}"));
    program.write("repeated", &sample.repeat(20));
    let profile = program.text("aggregated", "autofdo-text");
    assert_eq!(profile, program.text("repeated", "autofdo-text"));
    assert_eq!(first_count(&profile, "turn"), Some("20"), "{profile}");
    if !has_tools(&["llvm-profgen-19"]) {
        return;
    }
    // Both functions are in one page.
    let (page, offset) = (program.step & !0xfff, program.offset(program.step) & !0xfff);
    let map = format!(
        "PERF_RECORD_MMAP2 7/7: [{page:#x}(0x1000) @ {offset:#x} 08:01 12 0]: r-xp /srv/p\n"
    );
    program.write(
        "theirs.txt",
        &format!("{map}12\n{sample}{sample}7\n{sample}"),
    );
    let profgen = |options: &[&str]| {
        let all = [&["--binary=p"][..], options].concat();
        run_in(program.path(), "llvm-profgen-19", &all);
    };
    profgen(&[
        "--perfscript=theirs.txt",
        "--output=theirs.prof",
        "--format=text",
    ]);
    let theirs = fs::read_to_string(program.path().join("theirs.prof")).unwrap();
    let counted = first_count(&theirs, "step").unwrap_or_default();
    assert_eq!(counted.split(' ').next(), Some("20"), "{theirs}");
    profgen(&[
        "--perfscript=theirs.txt",
        "--output=ranges",
        "--skip-symbolization",
    ]);
    assert_eq!(program.text("ranges", "autofdo-text"), profile);
    let output = program.with("ranges", &["--event", "cycles"]);
    assert_eq!(output.status.code(), Some(2));
    let alone = hone(&["top", "ranges"], program.path());
    assert!(
        stderr(&alone).contains("of which binary"),
        "{}",
        stderr(&alone)
    );
}

#[test]
fn llvm_profgens_text_of_a_real_recording_gives_the_profile_of_the_recording() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    if !has_tools(&["perf", "llvm-profgen-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (recording, binary) = (recording.to_str().unwrap(), binary.to_str().unwrap());
    let print = format!("perf script --show-mmap-events -F ip,brstack -i {recording} > text");
    run_in(directory.path(), "sh", &["-c", &print]);
    let options = [
        "--perfscript=text",
        &format!("--binary={binary}"),
        "--output=ranges",
        "--skip-symbolization",
    ];
    run_in(directory.path(), "llvm-profgen-19", &options);
    let lines = |input: &str| {
        let words = ["convert", input, "--binary", binary, "--to", "autofdo-text"];
        let (profile, _) = done(&hone(&words, directory.path()));
        let lines = profile.lines().filter(|line| line.starts_with(' '));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (theirs, ours) = (lines("ranges"), lines(recording));
    let same = ours.iter().filter(|line| theirs.contains(line)).count();
    println!(
        "{same} of {} lines are the same; theirs has {}",
        ours.len(),
        theirs.len()
    );
    assert!(same as f64 > 0.9 * ours.len() as f64);
}

/// Refuses the bytes as a recording, whatever the command.
fn refused(directory: &Path, bytes: &[u8], expected: &[&str]) {
    fs::write(directory.join("r"), bytes).unwrap();
    fs::write(directory.join("elf"), fs::read("/proc/self/exe").unwrap()).unwrap();
    for words in [
        &["convert", "r", "--binary", "elf", "--to", "bolt-fdata"][..],
        &["quality", "r", "--binary", "elf"],
        &["top", "r"],
    ] {
        let output = hone(words, directory);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        for part in expected.iter().chain(&["next: "]) {
            assert!(said.contains(part), "{words:?}: {part}: {said}");
        }
    }
}

#[test]
fn packed_and_early_recordings_are_known_as_such() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    if has_tools(&["gzip"]) {
        fs::write(path.join("plain"), b"PERFILE2 and what follows").unwrap();
        run_in(path, "sh", &["-c", "gzip -c plain > plain.gz"]);
        let packed = fs::read(path.join("plain.gz")).unwrap();
        refused(path, &packed, &["compressed with gzip", "gunzip r"]);
    }
    refused(path, b"\x28\xb5\x2f\xfd....", &["zstd", "unzstd r"]);
    refused(path, b"\xfd7zXZ\0....", &["xz", "unxz r"]);
    refused(
        path,
        b"PERFFILE\x68\0\0\0\0\0\0\0",
        &["before 2012", "perf script"],
    );
    refused(
        path,
        b"2ELIFREP\0\0\0\0\0\0\0\x68",
        &["big-endian", "perf script"],
    );
    let output = hone(&["top", "."], path);
    assert!(
        stderr(&output).contains("it is a directory"),
        "{}",
        stderr(&output)
    );
}

/// "Record for longer" was said of a file that was damaged.
#[test]
fn a_corrupt_record_is_named_by_its_byte() {
    let Some(program) = Program::new(&[]) else {
        return;
    };
    let mut bytes = recording(&program, &[("cycles:u", USER | ANY, 3)]);
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (data, len) = (word(40), word(48));
    let at_byte = format!("corrupt at byte {data}");
    let mut empty = bytes.clone();
    empty[data + 6..data + 8].fill(0);
    refused(program.path(), &empty, &[&at_byte]);
    // Only what stands before it counts.
    let last = data + len - (len - first_len(&bytes, data)) / 3;
    bytes[last + 6..last + 8].fill(0);
    fs::write(program.path().join("r"), &bytes).unwrap();
    let (profile, said) = done(&program.with("r", &[]));
    assert_eq!(first_count(&profile, "turn"), Some("2"), "{profile}");
    assert!(said.contains(&format!("corrupt at byte {last}")), "{said}");
    // A recorder that was killed did not write how long the records are.
    bytes[48..56].fill(0);
    bytes[last + 6..].fill(0);
    bytes.truncate(last);
    fs::write(program.path().join("r"), &bytes).unwrap();
    let (_, said) = done(&program.with("r", &[]));
    assert!(said.contains("did not finish its header"), "{said}");
    bytes.truncate(data);
    refused(program.path(), &bytes, &["did not finish the header"]);
}

/// The length of the record at a place.
fn first_len(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]))
}
